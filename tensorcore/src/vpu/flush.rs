//! What the TPU does differently in f32 and bf16 (`golden/README.md`, "Subnormals and special
//! values", "Reciprocal and division"; from XLA's exhaustive tests):
//!
//! - `add`, `subtract`, `multiply`: a subnormal result becomes zero and keeps its sign;
//! - `divide` is a multiplication by the reciprocal: a subnormal left operand and a subnormal
//!   reciprocal (a divisor above 2^126) become zero, and so does a subnormal result. The quotient
//!   is else the correctly rounded one: the hardware's reciprocal is not public (1 ulp off at most
//!   on v6, more before);
//! - `maximum` and `minimum` of zeros give the second operand, whatever the signs.

use super::float::Float;
use super::map::{Kernel2, map2};
use sim_core::ir::Binary;

/// Subnormals to zero, with their sign.
#[inline(always)]
pub(crate) fn flush(x: f32) -> f32 {
    let bits = x.to_bits();
    f32::from_bits(if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits })
}

/// By the reciprocal.
#[inline(always)]
pub(crate) fn divide(a: f32, b: f32) -> f32 {
    let a = flush(a);
    let reciprocal = flush(1.0 / b);
    // An infinite dividend stays infinite, though infinity times the flushed zero would not.
    let flushed = reciprocal == 0.0 && a.abs() < f32::INFINITY;
    if flushed { a * reciprocal } else { flush(a / b) }
}

#[inline(always)]
fn maximum(a: f32, b: f32) -> f32 {
    let greater = if a > b { a } else { b };
    if a.is_nan() { a } else { greater }
}

#[inline(always)]
fn minimum(a: f32, b: f32) -> f32 {
    let less = if a < b { a } else { b };
    if a.is_nan() { a } else { less }
}

/// The operations above; `None` for those that are as everywhere. bf16 is computed in f32, flushed
/// there and rounded once.
pub(super) fn binary<T: Float>(op: Binary) -> Option<Kernel2> {
    macro_rules! kernel {
        ($f:expr) => {
            Some(|a, b, o| map2::<T, T, T>(a, b, o, |x, y| T::round32($f(x.wide32(), y.wide32()))))
        };
    }
    match op {
        Binary::Add => kernel!(|x: f32, y: f32| flush(x + y)),
        Binary::Subtract => kernel!(|x: f32, y: f32| flush(x - y)),
        Binary::Multiply => kernel!(|x: f32, y: f32| flush(x * y)),
        Binary::Divide => kernel!(divide),
        Binary::Maximum => kernel!(maximum),
        Binary::Minimum => kernel!(minimum),
        _ => None,
    }
}
