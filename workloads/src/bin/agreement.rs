//! `cargo xtask agreement`: what our own compiler makes of programs, beside what XLA:TPU does.

#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;
use workloads::agreement::{self, Pair};

const USAGE: &str = "\
usage: cargo xtask agreement [--program NAME] [--chip CHIP] [--json]

  Compiles StableHLO of which XLA:TPU's dumps are there (workloads/dumps/programs; corpus and zoo of ../shared/oracle, or of
  $TPUSIM_SHARED/oracle) and simulates both: time, kernels, bytes of HBM read and written, peak memory. `*`: out of bounds.

  --program NAME   only programs whose names hold this
  --chip CHIP      only of this chip
  --json           as JSON
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|a| a == "--help" || a == "-h") {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match run(&args) {
        Ok(text) => {
            // Who reads it may stop before its end.
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<String, String> {
    let (mut program, mut chip, mut json) = (None, None, false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let (flag, inline) = match arg.split_once('=') {
            Some((flag, value)) => (flag, Some(value.to_owned())),
            None => (arg.as_str(), None),
        };
        let mut value = || {
            inline.clone().or_else(|| args.next().cloned()).ok_or(format!("{flag} needs a value\n{USAGE}"))
        };
        match flag {
            "--program" => program = Some(value()?),
            "--chip" => {
                let name = value()?;
                let known =
                    sim_core::chip::Chip::named(&name).ok_or(format!("no chip is called `{name}`"))?;
                chip = Some(known.name.clone());
            }
            "--json" => json = true,
            _ => return Err(format!("no such argument: {arg}\n{USAGE}")),
        }
    }
    let wanted = |pair: &Pair| {
        program.as_ref().is_none_or(|p| pair.program.contains(p.as_str()))
            && chip.as_ref().is_none_or(|c| *c == pair.chip)
    };
    let pairs = agreement::pairs(&workloads::shared())?;
    let pairs: Vec<Pair> = pairs.into_iter().filter(wanted).collect();
    if pairs.is_empty() {
        return Err("no such program has both StableHLO and a dump".to_owned());
    }
    let rows = agreement::agreement(&pairs);
    match json {
        true => serde_json::to_string_pretty(&rows).map(|text| text + "\n").map_err(|e| e.to_string()),
        false => Ok(agreement::text(&rows)),
    }
}
