//! The messages of XLA's `hlo.proto` and `xla_data.proto` that a module is made of: names and numbers of fields.
//! What is not here (buffer assignments, profiles, tables for recovering values) is passed over.

mod device;
mod enums;
mod instruction;
mod module;
mod shape;

pub use device::*;
pub use enums::*;
pub use instruction::*;
pub use module::*;
pub use shape::*;
