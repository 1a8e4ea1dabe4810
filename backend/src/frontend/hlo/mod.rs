//! HLO: XLA's text, and its protocol buffers in [`proto`].
//!
//! ```text
//!  text ── cursor ── module ─ computation ─ instruction ─┬─ shape      f32[8]{0:T(256)}
//!                                                        ├─ literal    {1, 2}
//!                                                        └─ attributes dimensions={0}, …
//! ```
//!
//! The reader takes what XLA prints, in any of its forms (with `%` or without, operands with types
//! or without, with signatures or without), and what people write by hand. It checks syntax and
//! names only.

mod attributes;
mod computation;
mod cursor;
mod device;
pub mod export;
mod header;
pub mod import;
mod instruction;
mod literal;
mod names;
pub mod proto;
mod shape;
mod windows;

pub use computation::parse_text;
pub use device::parse_sharding;
pub use shape::parse_layout;

use sim_core::hlo::HloModule;
use sim_core::{Diagnostic, Result};

/// How to write HLO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As XLA prints it, every constant whole.
    Text,
    Proto(proto::Form),
}

/// Modules in that form.
///
/// # Errors
/// Unsupported: there are several, and a protocol buffer holds one. Else see [`proto::encode`].
pub fn encode(modules: &[HloModule], form: Form) -> Result<Vec<u8>> {
    match (form, modules) {
        (Form::Text, modules) => {
            let texts: Vec<String> =
                modules.iter().map(|m| format!("{}\n", m.to_string().trim_end())).collect();
            Ok(texts.join("\n// -----\n\n").into_bytes())
        }
        (Form::Proto(form), [module]) => proto::encode(module, form),
        (Form::Proto(_), modules) => Err(Diagnostic::unsupported(format!(
            "the file holds {} modules, and a protocol buffer holds one",
            modules.len()
        ))
        .help("split it at its `// -----` lines")),
    }
}
