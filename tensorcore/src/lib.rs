//! Dense compute: what a TPU's TensorCore does, in values.
//!
//! **Invariant:** depends on `sim-core` only.
#![forbid(unsafe_code)]

pub mod linalg;
pub mod mxu;
pub mod vmem;
pub mod vpu;
pub mod xlu;
