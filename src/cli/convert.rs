//! `tpusim convert`: reads a program in any encoding, verifies it, writes it as StableHLO text.

use super::program::Program;
use super::{Failure, Outcome};
use clap::ValueEnum;
use sim_core::Diagnostic;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Rewrite a program in another form
#[derive(clap::Args)]
pub struct Args {
    /// The program; `-` is standard input
    file: PathBuf,
    /// Where to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The form to write
    #[arg(long, value_enum, default_value_t = Form::Stablehlo)]
    to: Form,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// StableHLO as MLIR text, which StableHLO's own parser reads
    Stablehlo,
}

pub fn run(args: &Args) -> Outcome {
    let program = Program::open(&args.file, true)?;
    let write = |out: &mut dyn Write| -> io::Result<()> {
        for (i, module) in program.modules.iter().enumerate() {
            if i > 0 {
                writeln!(out, "// -----")?;
            }
            match args.to {
                Form::Stablehlo => writeln!(out, "{}", module.to_string().trim_end())?,
            }
        }
        out.flush()
    };
    let written = if args.output.as_os_str() == "-" {
        write(&mut io::stdout().lock())
    } else {
        File::create(&args.output).and_then(|file| write(&mut BufWriter::new(file)))
    };
    match written {
        Ok(()) => Ok(0),
        // The reader of a pipe has seen enough.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        Err(e) => {
            Err(Failure::from(Diagnostic::resource(format!("cannot write {}: {e}", args.output.display()))))
        }
    }
}
