//! The MLIR bytecode frontend: portable artifacts of StableHLO (VHLO), and bytecode that holds
//! StableHLO, CHLO, `func` and Shardy directly.
//!
//! | file | what |
//! |---|---|
//! | `cursor` | bytes, numbers, sections, errors with their place |
//! | `container` | the header, the sections and the tables of the file |
//! | `tables` | attributes and types, read when they are first used |
//! | `builtin`, `shaped`, `elements`, `quant` | MLIR's own attributes and types |
//! | `vhlo`, `hlo`, `sdy` | the dialects' |
//! | `ops`, `properties` | operations as they are encoded |
//! | `module`, `func` | modules, functions, regions |
//!
//! Nothing in a file can panic, recurse without limit or allocate more than the file justifies.
//! (Source: the format's description in MLIR's documentation, "MLIR Bytecode Format".)

mod builtin;
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

use sim_core::Result;
use sim_core::ir::Module;

/// The module in a file.
pub(super) fn parse(bytes: &[u8]) -> Result<Module> {
    let container = container::Container::read(bytes)?;
    let mut tables = tables::Tables::new(&container, bytes.len());
    module::file(&mut tables)
}
