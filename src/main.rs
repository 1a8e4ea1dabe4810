//! The command line of tpusim. Thin: one file a subcommand in `cli`, and everything that computes in
//! the crates below.
#![forbid(unsafe_code)]

mod cli;
mod diagnostics;
#[cfg(test)]
mod testing;
mod values;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
