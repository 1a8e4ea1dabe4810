//! From a module to answers: frontends, the planner, the runtime. The only crate that knows all
//! the units.
//!
//! **Invariant:** kernels live in the unit crates; what is here decides which of them run, in what
//! order, on what.

pub mod client;
pub mod compiler;
pub mod frontend;
pub mod memory;
pub mod npy;
pub mod plan;
pub mod processor;
pub mod refine;
pub mod runtime;
pub mod sharding;
pub mod time;
