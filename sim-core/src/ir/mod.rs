//! The typed SSA graph that StableHLO and HLO share.
//!
//! A [`Module`] holds functions (and nested modules). A [`Function`] is an arena of [`Operation`]s,
//! values and regions, each named by a small index ([`OpId`], [`ValueId`], [`RegionId`]). A region
//! has one block: its arguments, its operations in order, and the values it returns (the terminator
//! is not an operation here). Regions may use values of the regions around them.
//!
//! [`Op`] says what an operation does, with its attributes in typed form; what a dialect or a user
//! hung onto it besides (`mhlo.sharding`, `mhlo.frontend_attributes`, …) stays in
//! [`Operation::attrs`], verbatim. Every op has a generic form too (its MLIR name and an attribute
//! dictionary): [`generic`] converts both ways, so text and bytecode need no knowledge of [`Op`].
//!
//! ```text
//!  text ─┐                                   ┌─ print (pretty or generic text)
//!        ├─ (name, attrs, …) ── generic ── Op┤
//!  bytecode ┘                                ├─ infer, verify (the specification's rules)
//!                                            └─ plan, compile (backend)
//! ```

pub mod analysis;
pub mod attr;
pub mod builder;
pub mod generic;
pub mod infer;
pub mod module;
pub mod op;
pub mod print;
mod same;
pub mod symbols;
pub mod verify;

pub use attr::{Attr, AttrDict};
pub use builder::FunctionBuilder;
pub use module::{
    Function, Mesh, Module, OpId, Operation, Region, RegionId, Value, ValueDef, ValueId, Visibility,
};
pub use op::{Binary, Op, Unary};
pub use same::same;
