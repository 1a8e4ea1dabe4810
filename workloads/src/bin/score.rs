//! `cargo xtask score`: simulated times beside measured ones.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use workloads::dumps::{Dumps, Missing};
use workloads::estimates;
use workloads::program::Program;
use workloads::row::{self, Row};
use workloads::scope::{Class, Workload, scope};
use workloads::score::{Compiler, Wanted, score};

const USAGE: &str = "\
usage: cargo xtask score [--rows FILE.csv]… [--chip NAME] [--class NAME] [--compiler xla|builtin] [--compile auto|never] [--keep] [--estimates] [--json]

  --rows FILE.csv  measured rows (measured-dev.csv and v4-gemm-dev.csv of ../shared/facts, or of $TPUSIM_SHARED/facts, if none is given)
  --chip NAME      only of this chip
  --class NAME     only of this class: gemm, gemm_thin, elementwise_hbm, elementwise_vmem, reduction, attention, copy, step
  --compiler builtin
                   what our own compiler makes of the programs, instead of XLA:TPU's dumps
  --compile never  do not compile what has no dump (by default it is, with a Python that has jax and libtpu: $TPUSIM_PYTHON,
                   .venv or the path's; where there is none, by our own compiler)
  --keep           put new dumps beside the kept ones, in workloads/dumps
  --estimates      instead, the compiler's own estimates (`estimated_cycles`) beside simulated times, by kernel
  --json           as JSON
";

struct Options {
    rows: Vec<PathBuf>,
    wanted: Wanted,
    builtin: bool,
    compile: bool,
    keep: bool,
    estimates: bool,
    json: bool,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|a| a == "--help" || a == "-h") {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match options(&args).and_then(|o| run(&o)) {
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

/// The folder that files are named from: where the chore was run, which is not where cargo runs us.
fn from() -> PathBuf {
    std::env::var_os("TPUSIM_SCORE_FROM").map(PathBuf::from).unwrap_or_default()
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut o = Options {
        rows: Vec::new(),
        wanted: Wanted::default(),
        builtin: false,
        compile: true,
        keep: false,
        estimates: false,
        json: false,
    };
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
            "--rows" => o.rows.push(from().join(value()?)),
            "--chip" => {
                let name = value()?;
                let chip = sim_core::chip::Chip::named(&name).ok_or(format!("no chip is called `{name}`"))?;
                o.wanted.chip = Some(chip.name.clone());
            }
            "--class" => {
                let name = value()?;
                o.wanted.class =
                    Some(Class::named(&name).ok_or(format!("no class is called `{name}`\n{USAGE}"))?);
            }
            "--compiler" => {
                o.builtin = match value()?.as_str() {
                    "xla" => false,
                    "builtin" => true,
                    other => return Err(format!("--compiler is xla or builtin, not `{other}`")),
                }
            }
            "--compile" => {
                o.compile = match value()?.as_str() {
                    "auto" => true,
                    "never" => false,
                    other => return Err(format!("--compile is auto or never, not `{other}`")),
                }
            }
            "--keep" => o.keep = true,
            "--estimates" => o.estimates = true,
            "--json" => o.json = true,
            _ => return Err(format!("no such argument: {arg}\n{USAGE}")),
        }
    }
    // The estimates need no rows.
    if o.rows.is_empty() && !o.estimates {
        o.rows = workloads::published_files()?.into();
    }
    Ok(o)
}

fn run(o: &Options) -> Result<String, String> {
    if o.estimates {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("dumps/estimates");
        let kernels = estimates::kernels(&folder)?;
        let classes = estimates::agreements(&kernels);
        return match o.json {
            true => {
                serde_json::to_string_pretty(&serde_json::json!({ "classes": classes, "kernels": kernels }))
                    .map(|text| text + "\n")
                    .map_err(|e| e.to_string())
            }
            false => Ok(estimates::text(&classes)),
        };
    }
    let mut rows: Vec<Row> = Vec::new();
    for file in &o.rows {
        rows.extend(row::read(file)?);
    }
    let dumps = Dumps::new();
    let xla = !o.builtin;
    let reasons = if o.compile && xla { compile(&rows, &o.wanted, &dumps, o.keep) } else { BTreeMap::new() };
    let ours = |chip: &str, program: &Program| {
        workloads::compiled(program, chip).map(|text| Some((Compiler::Builtin, text)))
    };
    let text = |chip: &str, program: &Program| match dumps.of(chip, program) {
        _ if !xla => ours(chip, program),
        // What XLA:TPU could not be had for, our own compiler makes.
        Ok(None) if o.compile => ours(chip, program),
        there => there,
    };
    let mut card = score(&rows, &o.wanted, &text, &workloads::simulated_us);
    let made = card.rows.iter().filter(|r| r.compiler == Compiler::Builtin).count();
    if xla && made > 0 {
        eprintln!(
            "{made} rows have no dump of XLA:TPU: our own compiler made their programs (class lines say `builtin`)"
        );
    }
    for row in &mut card.not_compiled {
        // `no dump of CHIP/NAME`, and now why.
        let name = row.reason.rsplit(' ').next().unwrap_or("");
        if let Some(why) = reasons.get(name).or(reasons.get("")) {
            row.reason = format!("{}: {why}", row.reason);
        }
    }
    Ok(if o.json { card.json() + "\n" } else { card.to_string() })
}

/// Compiles what rows need and has no dump. Returns why it could not be, by chip and name; for all, under an empty name.
fn compile(rows: &[Row], wanted: &Wanted, dumps: &Dumps, keep: bool) -> BTreeMap<String, String> {
    let workloads: Vec<Workload> =
        rows.iter().filter_map(|r| scope(r).ok()).filter(|w| wanted.takes(w)).collect();
    let mut seen = BTreeSet::new();
    let mut missing = Vec::new();
    for workload in &workloads {
        for program in workload.programs() {
            let chip = workload.chip.as_str();
            if !dumps.has(chip, &program.name) && seen.insert((chip, program.name.as_str())) {
                missing.push(Missing { chip, program });
            }
        }
    }
    if missing.is_empty() {
        return BTreeMap::new();
    }
    eprintln!("compiling {} programs with XLA:TPU", missing.len());
    match dumps.compile(&missing, keep) {
        Ok(reasons) => reasons,
        Err(why) => {
            eprintln!("{why}");
            BTreeMap::from([(String::new(), why)])
        }
    }
}
