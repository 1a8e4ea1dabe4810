//! MLIR bytecode: portable artifacts of StableHLO (VHLO), and bytecode that holds
//! StableHLO, CHLO, `func` and Shardy directly.
//!
//! | file | what |
//! |---|---|
//! | `codes` | the numbers of attributes and types, for reading and writing |
//! | `cursor` | bytes, numbers, sections, errors with their place |
//! | `container` | the header, the sections and the tables of the file |
//! | `tables` | attributes and types, read when they are first used |
//! | `builtin`, `shaped`, `elements`, `quant` | MLIR's own attributes and types |
//! | `vhlo`, `hlo`, `sdy` | the dialects' |
//! | `ops`, `properties` | operations as they are encoded |
//! | `module`, `func` | modules, functions, regions |
//! | `write` | the way back: modules as bytecode |
//!
//! Nothing in a file can panic, recurse without limit or allocate more than the file justifies.
//! (Source: the format's description in MLIR's documentation, "MLIR Bytecode Format".)

mod builtin;
mod codes;
mod container;
mod cursor;
mod elements;
mod func;
mod hlo;
mod module;
mod ops;
mod properties;
mod quant;
mod sdy;
mod shaped;
mod tables;
mod vhlo;
mod write;

pub use crate::frontend::vhlo::Version;
pub use write::{Encoded, Form, encode};

use sim_core::Result;
use sim_core::ir::Module;

/// The module in a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Module> {
    parse_at(bytes, 0..bytes.len())
}

/// The module in a part of a file; places in errors are those of the file.
///
/// # Panics
/// If the range is not in the file.
pub(super) fn parse_at(file: &[u8], range: std::ops::Range<usize>) -> Result<Module> {
    let size = range.len();
    let container = container::Container::read(cursor::Cursor::new(file, range))?;
    let mut tables = tables::Tables::new(&container, size);
    module::file(&mut tables)
}
