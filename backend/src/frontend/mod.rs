//! Frontends: a file of any supported encoding in, [`Module`]s out.
//!
//! ```text
//!  Source (mapped bytes) ── Encoding::detect ──┬─ MLIR text ── mlir ──────────┐
//!                                              ├─ MLIR bytecode ── bytecode ──┤
//!                                              └─ …                   vhlo ───┼── FunctionBuilder ── Module
//!                                                Op::from_generic (sim-core) ─┘
//! ```
//!
//! A frontend knows syntax only. What an operation's attributes mean is `sim_core::ir::generic`'s
//! business, so every encoding builds its operations through the same function.

pub mod bytecode;
pub mod hlo;
mod jax_export;
mod map;
pub mod mlir;
mod source;
pub mod torch;
mod vhlo;

pub use source::{Encoding, Source};

use sim_core::hlo::HloModule;
use sim_core::ir::Module;
use sim_core::{Diagnostic, Result};
use std::path::Path;

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct ParseOptions {
    /// Split text at its `// -----` lines and read each chunk as a module of its own. On by
    /// default: who writes such lines means them, and the chunks of such files repeat symbols, so
    /// they would not read as one module. Off, the lines are comments.
    pub split_input: bool,
    /// What becomes of constants whose values a dump of HLO left out.
    pub elided: hlo::import::Elided,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions { split_input: true, elided: hlo::import::Elided::default() }
    }
}

/// Opens a file; see [`Source::open`].
pub fn read_path(path: impl AsRef<Path>) -> Result<Source> {
    Source::open(path.as_ref())
}

/// The modules in a source, with the default [`ParseOptions`]. There is at least one.
///
/// # Errors
/// See [`parse_with`].
pub fn parse(source: &Source) -> Result<Vec<Module>> {
    parse_with(source, &ParseOptions::default())
}

/// The modules in a source. There is at least one.
///
/// # Errors
/// See [`parse_recorded`].
pub fn parse_with(source: &Source, options: &ParseOptions) -> Result<Vec<Module>> {
    Ok(parse_recorded(source, options)?.0)
}

/// The modules in a source, at least one, and the run that a snapshot of HLO recorded.
///
/// # Errors
/// Malformed text, with its place; an encoding that is not supported, with its name; an operation
/// that `Op::from_generic` refuses.
pub fn parse_recorded(
    source: &Source,
    options: &ParseOptions,
) -> Result<(Vec<Module>, Option<hlo::proto::Recording>)> {
    let contents = match source.encoding() {
        Encoding::HloProto => hlo::proto::parse(source.bytes())?,
        Encoding::HloProtoText => hlo::proto::parse_text(source.text()?)?,
        _ => return Ok((parse_plain(source, options)?, None)),
    };
    Ok((vec![hlo::import::import_with(&contents.module, options.elided)?], contents.recording))
}

/// The modules in a source that is HLO, as HLO; `None` of any other encoding.
///
/// # Errors
/// As [`parse_recorded`].
pub fn parse_hlo(source: &Source, options: &ParseOptions) -> Result<Option<Vec<HloModule>>> {
    Ok(Some(match source.encoding() {
        Encoding::HloText => hlo::parse_text(source.text()?, options.split_input)?,
        Encoding::HloProto => vec![hlo::proto::parse(source.bytes())?.module],
        Encoding::HloProtoText => vec![hlo::proto::parse_text(source.text()?)?.module],
        _ => return Ok(None),
    }))
}

/// What holds no run.
fn parse_plain(source: &Source, options: &ParseOptions) -> Result<Vec<Module>> {
    let encoding = source.encoding();
    let unsupported = |help: &str| {
        Err(Diagnostic::unsupported(format!(
            "{} is {}, which is not supported",
            source.name(),
            encoding.describe()
        ))
        .help(help))
    };
    match encoding {
        Encoding::MlirText => mlir::parse_text(source.text()?, options.split_input),
        Encoding::MlirBytecode => Ok(vec![bytecode::parse(source.bytes())?]),
        Encoding::JaxExport => Ok(vec![jax_export::parse(source.bytes())?]),
        Encoding::HloText => {
            let modules = hlo::parse_text(source.text()?, options.split_input)?;
            modules.iter().map(|m| hlo::import::import_with(m, options.elided)).collect()
        }
        Encoding::Zip => unsupported(
            "of a PyTorch export, save the StableHLO (`exported_program_to_stablehlo(…).save(DIR)`) and \
             name DIR",
        ),
        Encoding::TfLite => unsupported("convert the original model to StableHLO text instead"),
        // HLO's protocol buffers are read above.
        Encoding::HloProto | Encoding::HloProtoText | Encoding::Binary => {
            unsupported("pass StableHLO as MLIR text or bytecode, or HLO as text or protocol buffer")
        }
    }
}
