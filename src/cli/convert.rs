//! `tpusim convert`: reads a program in any encoding, verifies it, writes it as StableHLO text or as
//! MLIR bytecode.

use super::files::write_file;
use super::program::Program;
use super::shapes::{Refine, refine_all};
use super::{Failure, Outcome};
use backend::frontend::bytecode::{self, Form, Version};
use clap::ValueEnum;
use sim_core::Diagnostic;
use std::io::{self, Write};
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
    #[arg(long, value_enum, default_value_t = To::Stablehlo)]
    to: To,
    /// The version of StableHLO that `--to bytecode` writes for: the oldest that its readers have
    #[arg(long, value_name = "VERSION", default_value_t = Version::NEWEST)]
    target: Version,
    #[command(flatten)]
    refine: Refine,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum To {
    /// StableHLO as MLIR text, which StableHLO's own parser reads
    Stablehlo,
    /// A portable artifact (VHLO as MLIR bytecode), which every later StableHLO reads
    Bytecode,
    /// MLIR bytecode that holds StableHLO itself, which `ir.Module.parse` of the same age reads
    MlirBytecode,
}

pub fn run(args: &Args) -> Outcome {
    if args.to != To::Bytecode && args.target != Version::NEWEST {
        return Err(Diagnostic::invalid("`--target` is of portable artifacts")
            .help("add `--to bytecode`")
            .into());
    }
    let mut program = Program::open(&args.file, true)?;
    refine_all(&mut program, None, &args.refine)?;
    let form = match args.to {
        To::Stablehlo => None,
        To::Bytecode => Some(Form::Portable(args.target)),
        To::MlirBytecode => Some(Form::Direct),
    };
    // A program that cannot be expressed leaves no file.
    let encoded = form
        .map(|form| match &program.modules[..] {
            [module] => bytecode::encode(module, form),
            modules => Err(Diagnostic::unsupported(format!(
                "the file holds {} modules, and bytecode holds one",
                modules.len()
            ))
            .help("split it at its `// -----` lines")),
        })
        .transpose()
        .map_err(Failure::in_source(&program.source))?;
    let write = |out: &mut dyn Write| -> io::Result<()> {
        match &encoded {
            Some(encoded) => encoded.write(out)?,
            None => {
                for (i, module) in program.modules.iter().enumerate() {
                    if i > 0 {
                        writeln!(out, "// -----")?;
                    }
                    writeln!(out, "{}", module.to_string().trim_end())?;
                }
            }
        }
        out.flush()
    };
    let to_stdout = args.output.as_os_str() == "-";
    let shown = if to_stdout { "to standard output".into() } else { args.output.display().to_string() };
    let ended = |written: io::Result<()>| match written {
        // The reader of a pipe has seen enough.
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Diagnostic::resource(format!("cannot write {shown}: {e}")))
        }
        _ => Ok(()),
    };
    if to_stdout {
        ended(write(&mut io::stdout().lock()))?;
    } else {
        write_file(&args.output, |out| ended(write(out)))?;
    }
    Ok(0)
}
