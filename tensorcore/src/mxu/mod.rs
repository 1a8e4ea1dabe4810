//! The matrix unit: dots and convolutions.
//!
//! Every contraction, whatever its dimension numbers, becomes a batch of matrix products over operands
//! read in place through offsets ([`pack`]), run by one blocked, packed, parallel product ([`gemm`])
//! on a register-tile kernel ([`kernel`]). [`contract`] chooses the arithmetic from the element types
//! and the numerics; [`order`] alone knows the order of sums in a TPU's MXU.

mod complex;
mod contract;
mod conv;
pub mod cost;
mod dot;
mod einsum;
mod gemm;
mod kernel;
mod masked;
mod matvec;
pub mod order;
mod pack;
pub(crate) mod parts;
mod ragged;
pub(crate) mod store;
#[cfg(test)]
mod tests;

pub use conv::{convolution, convolution_shape};
pub use dot::{dot, dot_general, dot_shape};
pub use einsum::{EinsumConfig, einsum, parse_einsum, unary_einsum};
pub use masked::dot_general_where;
pub use ragged::ragged_dot;
