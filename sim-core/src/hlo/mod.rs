//! HLO: XLA's own form of a program, kept faithfully.
//!
//! An [`HloModule`] is a list of [`Computation`]s; a computation is a list of [`Instruction`]s with a
//! root; an instruction names its operands by their place in the same computation and its called
//! computations by their place in the module. Shapes carry layouts, tiles and memory spaces. What an
//! instruction needs besides operands is a list of [`Attr`]s, one per `key=value` of the text.
//!
//! This form is what files hold, no more: reading and printing are the identity on what XLA prints, and an
//! attribute that nobody here knows is kept as its text. Meaning is [`crate::ir`]'s: `backend` imports
//! an [`HloModule`] into an [`crate::ir::Module`] to run it, and exports one to write HLO.
//!
//! ```text
//!  text  ─┐                 ┌─ print::text
//!         ├─── HloModule ───┤
//!  proto ─┘        │        └─ proto
//!                  └── import / export ── ir::Module
//! ```

pub mod attr;
pub mod device;
pub mod literal;
pub mod module;
pub mod opcode;
pub mod print;
pub mod shape;

pub use attr::{AliasEntry, Attr, Key, ParameterLayouts, SliceDim, Value, WindowDim};
pub use device::{DeviceGroups, MeshAxes, NamedSharding, Sharding, TileAssignment};
pub use literal::Literal;
pub use module::{Computation, ComputationId, HloModule, Instruction, InstructionId, Metadata, StackTables};
pub use opcode::Opcode;
pub use shape::{ArrayShape, Layout, Shape, Tile};
