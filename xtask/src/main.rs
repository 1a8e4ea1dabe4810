//! Chores: `cargo xtask test`, `cargo xtask gen [--check]`, `cargo xtask bench --peer jax`, `cargo xtask score`, `cargo xtask agreement`,
//! `cargo xtask head-dimension`.
#![forbid(unsafe_code)]

mod bench;
mod generate;
mod python;
mod score;
mod test;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [ARGS]         set up .venv (pinned JAX, flax and NumPy; the C headers of PJRT), run all tests
                      of the workspace (ARGS go to `cargo test`), and sum up in one line
  gen [--check]       write the generated documents in docs/, or check that they are fresh
  bench --peer jax [--only NAME] [--repeats N] [--threads N] [--numerics tpu|ieee]
                      time the bench programs in tpusim and in JAX's CPU backend, side by side
  bench --memory [--only NAME] [--limit RATIO] [--record]
                      compare peak memory with what XLA:CPU's buffer assignment takes; --record
                      writes the programs and numbers that the tests hold tpusim to
  bench --hlo [FILES] [--repeats N] [--limit RATIO]
                      time the reader of HLO text beside XLA's own, and measure its memory
  score [--rows FILE.csv]… [--chip NAME] [--class NAME] [--compile auto|never] [--keep] [--json]
                      simulated times beside measured ones, by class of work and chip
  head-dimension [--check]
                      write docs/head-dimension.md and its picture, attention by the size of its heads, or check
                      that they are fresh
  agreement [--program NAME] [--chip CHIP] [--json]
                      programs as our own compiler and as XLA:TPU compile them, side by side
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.split_first() {
        Some((command, rest)) if command == "test" => test::run(rest),
        Some((command, rest)) if command == "gen" => generate::run(rest),
        Some((command, rest)) if command == "bench" => bench::run(rest),
        Some((command, rest)) if command == "score" => score::run("score", rest),
        Some((command, rest)) if command == "head-dimension" => score::run("head-dimension", rest),
        Some((command, rest)) if command == "agreement" => score::run("agreement", rest),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Empty where it has been said already.
            if !message.is_empty() {
                eprintln!("{}", message.trim_end());
            }
            ExitCode::FAILURE
        }
    }
}

/// The workspace's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// The cargo that runs us, in the workspace's root.
fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs to the end.
fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} ended with {status}", command.get_program().display())),
        Err(e) => Err(format!("cannot run {}: {e}", command.get_program().display())),
    }
}
