//! Dense compute: what a TPU's TensorCore does, in values.
//!
//! **Invariant:** depends on `sim-core` only.

pub mod linalg;
pub mod mxu;
pub mod xlu;
