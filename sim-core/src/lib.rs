//! The language that every part of tpusim shares: element types, tensors, the typed IR and its
//! rules, numerics, diagnostics and the execution context.
//!
//! **Invariant:** this crate depends on no sibling crate. Nothing here knows a file format, a
//! kernel or a command line.
#![forbid(unsafe_code)]

pub mod chip;
pub mod chlo;
pub mod diag;
pub mod dtype;
pub mod engine;
pub mod exec;
pub mod hlo;
pub mod ir;
pub mod loc;
pub mod numerics;
pub mod tensor;
pub mod types;

pub use diag::{Diagnostic, ErrorKind, Result};
pub use dtype::ElementType;
pub use exec::Ctx;
pub use loc::{Loc, Span};
pub use numerics::Numerics;
pub use tensor::{Buffer, Tensor};
pub use types::{Dim, Dims, QuantType, TensorType, Type};
