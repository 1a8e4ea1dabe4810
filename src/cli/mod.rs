//! The subcommands, one file each, and what they share.

mod bench;
mod chips;
mod convert;
mod devices;
mod docs;
mod files;
mod inputs;
mod inspect;
mod lib;
mod memory;
mod program;
mod recorded;
mod report;
mod run;
mod shapes;
mod timing;

use crate::diagnostics;
use backend::frontend::Source;
use clap::{Parser, Subcommand};
use sim_core::Diagnostic;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::sync::Arc;

/// A TPU in software: the values that a TPU would compute, from the programs that real TPUs get.
#[derive(Parser)]
#[command(name = "tpusim", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(Box<run::Args>),
    Inspect(inspect::Args),
    Convert(convert::Args),
    Chips(chips::Args),
    Bench(bench::Args),
    Lib(lib::Args),
    Docs(docs::Args),
}

/// An error, with the text that its span is in.
pub struct Failure {
    pub diagnostic: Diagnostic,
    pub source: Option<Arc<Source>>,
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure { diagnostic, source: None }
    }
}

impl Failure {
    pub fn in_source(source: &Arc<Source>) -> impl Fn(Diagnostic) -> Failure {
        |diagnostic| Failure { diagnostic, source: Some(source.clone()) }
    }

    /// Writes it to stderr.
    pub fn report(&self) {
        complain(diagnostics::render(&self.diagnostic, self.source.as_deref(), diagnostics::colors()));
    }

    pub fn exit_code(&self) -> u8 {
        diagnostics::exit_code(self.diagnostic.kind())
    }
}

/// A line on standard output. That nobody reads on (`tpusim run FILE | head`) is no error.
///
/// # Errors
/// The disk is full, and the like.
pub fn emit(text: impl Display) -> Result<(), Diagnostic> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Diagnostic::resource(format!("cannot write to standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// A line on standard error. There is nowhere to complain when that fails.
pub fn complain(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// What a subcommand ends with: its exit code, or an error that is still to be shown.
pub type Outcome = Result<u8, Failure>;

/// Parses the command line and runs it.
pub fn main() -> ExitCode {
    if let Some(missing) = backend::processor::missing_feature() {
        complain(format_args!("error: this build of tpusim needs a processor with {missing}"));
        complain(
            "  help: build it for this machine: RUSTFLAGS=\"-C target-cpu=native\" cargo build --release",
        );
        return ExitCode::from(2);
    }
    let command = Cli::parse().command;
    let outcome = catch_unwind(|| match command {
        Command::Run(args) => run::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Chips(args) => chips::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Lib(args) => lib::run(&args),
        Command::Docs(args) => docs::run(&args),
    })
    .unwrap_or_else(|panic| Err(Diagnostic::internal(&*panic).into()));
    ExitCode::from(outcome.unwrap_or_else(|failure| {
        failure.report();
        failure.exit_code()
    }))
}
