//! `tpusim convert`: reads a program in any encoding, verifies it, writes it as StableHLO text, as MLIR
//! bytecode, or as HLO.

use super::files::write_file;
use super::program::{Input, Program};
use super::shapes::{Refine, refine_all};
use super::{Failure, Outcome};
use backend::frontend::ParseOptions;
use backend::frontend::bytecode::{self, Form, Version};
use backend::frontend::hlo::{self, proto};
use clap::ValueEnum;
use sim_core::Diagnostic;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Rewrite a program in another form
#[derive(clap::Args)]
pub struct Args {
    /// The program; `-` is standard input
    file: PathBuf,
    /// Where to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The form to write [default: by the output's suffix: .mlir stablehlo, .mlirbc or .bc bytecode, .hlo hlo, .pb
    /// hlo-proto, .pbtxt or .textproto hlo-proto-text; without one, and on standard output, stablehlo]
    #[arg(long, value_enum)]
    to: Option<To>,
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
    /// HLO text, as XLA prints it
    Hlo,
    /// HLO as a protocol buffer (`HloProto`), as XLA dumps it
    HloProto,
    /// The same in protocol buffers' text form
    HloProtoText,
}

/// The form that a file's suffix stands for.
fn by_suffix(path: &Path) -> sim_core::Result<To> {
    let Some(suffix) = path.extension() else { return Ok(To::Stablehlo) };
    let suffix = suffix.to_string_lossy();
    Ok(match &*suffix.to_ascii_lowercase() {
        "mlir" | "stablehlo" => To::Stablehlo,
        "mlirbc" | "bc" => To::Bytecode,
        "hlo" => To::Hlo,
        "pb" => To::HloProto,
        "pbtxt" | "textproto" => To::HloProtoText,
        _ => {
            return Err(Diagnostic::invalid(format!(
                "the suffix of {} does not say what to write: .{suffix}",
                path.display()
            ))
            .note("known are .mlir, .mlirbc, .bc, .hlo, .pb, .pbtxt and .textproto")
            .help("say it with --to"));
        }
    })
}

pub fn run(args: &Args) -> Outcome {
    let to = args.to.map_or_else(|| by_suffix(&args.output), Ok)?;
    if to != To::Bytecode && args.target != Version::NEWEST {
        return Err(Diagnostic::invalid("`--target` is of portable artifacts")
            .help("add `--to bytecode`, or write to a file that ends in .mlirbc")
            .into());
    }
    let hlo = |form: hlo::Form| -> Outcome {
        let bytes = to_hlo(args, form)?;
        write(&args.output, |out| out.write_all(&bytes))?;
        Ok(0)
    };
    let form = match to {
        To::Stablehlo => None,
        To::Bytecode => Some(Form::Portable(args.target)),
        To::MlirBytecode => Some(Form::Direct),
        To::Hlo => return hlo(hlo::Form::Text),
        To::HloProto => return hlo(hlo::Form::Proto(proto::Form::Binary)),
        To::HloProtoText => return hlo(hlo::Form::Proto(proto::Form::Text)),
    };
    let mut program = Program::open(&args.file, &ParseOptions::default())?;
    refine_all(&mut program, None, &args.refine)?;
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
    write(&args.output, |out| match &encoded {
        Some(encoded) => encoded.write(out),
        None => {
            for (i, module) in program.modules.iter().enumerate() {
                if i > 0 {
                    writeln!(out, "// -----")?;
                }
                writeln!(out, "{}", module.to_string().trim_end())?;
            }
            Ok(())
        }
    })?;
    Ok(0)
}

/// HLO from HLO, which keeps all that it says; of anything else, what XLA would make of it.
fn to_hlo(args: &Args, form: hlo::Form) -> Result<Vec<u8>, Failure> {
    let (source, modules) = match Input::open(&args.file)? {
        Input::Hlo(source, modules) => (source, Ok(modules)),
        Input::Other(mut program) => {
            refine_all(&mut program, None, &args.refine)?;
            let modules = program.modules.iter().map(hlo::export::export).collect();
            (program.source, modules)
        }
    };
    let encoded = modules.and_then(|modules: Vec<_>| hlo::encode(&modules, form));
    encoded.map_err(Failure::in_source(&source))
}

/// To the file, or to standard output.
fn write(path: &Path, content: impl Fn(&mut dyn Write) -> io::Result<()>) -> sim_core::Result<()> {
    let to_stdout = path.as_os_str() == "-";
    let shown = if to_stdout { "to standard output".into() } else { path.display().to_string() };
    let ended = |written: io::Result<()>| match written {
        // The reader of a pipe has seen enough.
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Diagnostic::resource(format!("cannot write {shown}: {e}")))
        }
        _ => Ok(()),
    };
    let all = |out: &mut dyn Write| content(out).and_then(|()| out.flush());
    match to_stdout {
        true => ended(all(&mut io::stdout().lock())),
        false => write_file(path, |out| ended(all(out))),
    }
}

#[cfg(test)]
mod tests {
    use super::{To, by_suffix};
    use std::path::Path;

    #[test]
    fn suffixes() {
        let to = |path: &str| by_suffix(Path::new(path)).ok();
        assert!(to("a.mlir") == Some(To::Stablehlo));
        assert!(to("a/b.c/x.MLIRBC") == Some(To::Bytecode));
        assert!(to("x.mlir.bc") == Some(To::Bytecode));
        assert!(to("module_0001.before_optimizations.hlo.pb") == Some(To::HloProto));
        assert!(to("x.pbtxt") == Some(To::HloProtoText));
        assert!(to("x.hlo") == Some(To::Hlo));
        assert!(to("-") == Some(To::Stablehlo) && to("/dev/stdout") == Some(To::Stablehlo));
        assert!(to("x.txt").is_none() && to("x.1").is_none());
    }
}
