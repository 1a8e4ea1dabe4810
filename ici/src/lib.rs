//! The network between chips. Today: the functional side of the collectives, after the StableHLO
//! specification: which processes form a group ([`groups`]), and what each member receives from
//! the operands of all ([`collective`]).
//!
//! **Invariant:** depends on `sim-core` only. Reductions have a defined order (the group's), so
//! values are the same each time.
#![forbid(unsafe_code)]

pub mod collective;
pub mod groups;

pub use groups::{Grid, ProcessId, Strategy};
