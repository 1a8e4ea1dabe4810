//! The vector unit: elementwise operations.
//!
//! A kernel is a plain function over byte slices, looked up once per operation by what it computes,
//! the element type and the numerics. It works on one element as on a whole tensor; all its slices
//! hold the same number of elements, aligned to their size.
//!
//! Accuracy: f16, bf16, f32 and narrower types are computed in f32 or f64 and rounded once, so
//! arithmetic is exactly IEEE's and functions are correctly rounded but for about one argument in
//! ten million. f64 and complex functions are within about an ULP. No function of the system's
//! mathematics library is called: results are the same bits on every machine.

mod binary;
mod compare;
mod complex;
mod convert;
pub mod cost;
mod expanded;
mod float;
mod float_pair;
mod flush;
mod integer;
mod map;
pub(crate) mod math;
mod precision;
pub mod reduce;
pub mod rng;
mod special;
pub mod tile;
mod unary;
pub mod window;

#[cfg(test)]
mod tests;

pub use binary::binary;
pub use compare::{clamp, compare, select};
pub use convert::convert;
pub use map::{Kernel1, Kernel2, Kernel3};
pub use precision::reduce_precision;
pub use unary::unary;
