//! Elementwise operations of two float operands. Integers and `i1` are in [`super::integer`],
//! complex numbers in [`super::complex`], f64 as pairs of f32 in [`super::float_pair`], what the
//! TPU does differently in f32 and bf16 in [`super::flush`].

use super::float::Float;
use super::map::{Kernel2, map2};
use super::math::{exact, fast};
use super::{complex, expanded, float_pair, flush, integer, special};
use half::{bf16, f16};
use num_complex::Complex;
use sim_core::ElementType as E;
use sim_core::Numerics;
use sim_core::dtype::*;
use sim_core::ir::Binary;
use sim_core::numerics::F64;

/// The kernel of `op` on elements of type `ty` (both operands have it); `None` where neither
/// StableHLO, CHLO nor HLO define it. The result has the operands' type, but for `complex`.
pub fn binary(op: Binary, ty: E, numerics: &Numerics) -> Option<Kernel2> {
    if op == Binary::Complex {
        return match ty {
            E::F32 => Some(|a, b, o| map2::<f32, f32, Complex<f32>>(a, b, o, Complex::new)),
            E::F64 => Some(|a, b, o| map2::<f64, f64, Complex<f64>>(a, b, o, Complex::new)),
            _ => None,
        };
    }
    if op == Binary::NextAfter {
        return special::next_after(ty);
    }
    if let Some(kernel) = expanded(op, ty, numerics) {
        return Some(kernel);
    }
    let tpu = numerics.flush_subnormals;
    match ty {
        E::F32 if tpu => flush::binary::<f32>(op).or_else(|| vector::<f32>(op)).or_else(|| common::<f32>(op)),
        E::BF16 if tpu => {
            flush::binary::<bf16>(op).or_else(|| vector::<bf16>(op)).or_else(|| common::<bf16>(op))
        }
        E::F32 => vector::<f32>(op).or_else(|| common::<f32>(op)),
        E::BF16 => vector::<bf16>(op).or_else(|| common::<bf16>(op)),
        E::F16 => vector::<f16>(op).or_else(|| common::<f16>(op)),
        E::F64 if numerics.f64 == F64::FloatPair => float_pair::binary(op),
        E::F64 => common::<f64>(op),
        E::F4E2M1FN => common::<F4E2M1FN>(op),
        E::F6E2M3FN => common::<F6E2M3FN>(op),
        E::F6E3M2FN => common::<F6E3M2FN>(op),
        E::F8E3M4 => common::<F8E3M4>(op),
        E::F8E4M3 => common::<F8E4M3>(op),
        E::F8E4M3FN => common::<F8E4M3FN>(op),
        E::F8E4M3FNUZ => common::<F8E4M3FNUZ>(op),
        E::F8E4M3B11FNUZ => common::<F8E4M3B11FNUZ>(op),
        E::F8E5M2 => common::<F8E5M2>(op),
        E::F8E5M2FNUZ => common::<F8E5M2FNUZ>(op),
        E::F8E8M0FNU => common::<F8E8M0FNU>(op),
        E::C64 | E::C128 => complex::binary(op, ty, numerics),
        _ => integer::binary(op, ty),
    }
}

/// What XLA expands.
fn expanded(op: Binary, ty: E, numerics: &Numerics) -> Option<Kernel2> {
    match ty {
        E::F32 => expanded::binary::<f32>(op, numerics),
        E::BF16 => expanded::binary::<bf16>(op, numerics),
        E::F16 => expanded::binary::<f16>(op, numerics),
        E::F64 => expanded::binary_f64(op, numerics),
        E::F4E2M1FN => expanded::binary::<F4E2M1FN>(op, numerics),
        E::F6E2M3FN => expanded::binary::<F6E2M3FN>(op, numerics),
        E::F6E3M2FN => expanded::binary::<F6E3M2FN>(op, numerics),
        E::F8E3M4 => expanded::binary::<F8E3M4>(op, numerics),
        E::F8E4M3 => expanded::binary::<F8E4M3>(op, numerics),
        E::F8E4M3FN => expanded::binary::<F8E4M3FN>(op, numerics),
        E::F8E4M3FNUZ => expanded::binary::<F8E4M3FNUZ>(op, numerics),
        E::F8E4M3B11FNUZ => expanded::binary::<F8E4M3B11FNUZ>(op, numerics),
        E::F8E5M2 => expanded::binary::<F8E5M2>(op, numerics),
        E::F8E5M2FNUZ => expanded::binary::<F8E5M2FNUZ>(op, numerics),
        E::F8E8M0FNU => expanded::binary::<F8E8M0FNU>(op, numerics),
        _ => None,
    }
}

macro_rules! extremum {
    ($max:ident, $min:ident, $t:ty) => {
        /// IEEE 754-2019 `maximum`: a NaN wins, and -0 < +0.
        #[inline(always)]
        pub(crate) fn $max(x: $t, y: $t) -> $t {
            // Equal operands differ in the sign of zero at most: + if any is.
            let equal = <$t>::from_bits(x.to_bits() & y.to_bits());
            let unordered = x + y;
            if x > y {
                x
            } else if x < y {
                y
            } else if x == y {
                equal
            } else {
                unordered
            }
        }

        /// IEEE 754-2019 `minimum`: a NaN wins, and -0 < +0.
        #[inline(always)]
        pub(crate) fn $min(x: $t, y: $t) -> $t {
            let equal = <$t>::from_bits(x.to_bits() | y.to_bits());
            let unordered = x + y;
            if x < y {
                x
            } else if x > y {
                y
            } else if x == y {
                equal
            } else {
                unordered
            }
        }
    };
}

extremum!(maximum, minimum, f32);
extremum!(maximum_f64, minimum_f64, f64);

/// f32, bf16 and f16, as vector code. f32 arithmetic is exact enough for one rounding of the result
/// to 16 bits to be the right one ([`Float::round32`]).
fn vector<T: Float>(op: Binary) -> Option<Kernel2> {
    macro_rules! kernel {
        ($f:expr) => {
            Some(|a, b, o| map2::<T, T, T>(a, b, o, |x, y| T::round32($f(x.wide32(), y.wide32()))))
        };
    }
    match op {
        Binary::Add => kernel!(|x: f32, y: f32| x + y),
        Binary::Subtract => kernel!(|x: f32, y: f32| x - y),
        Binary::Multiply => kernel!(|x: f32, y: f32| x * y),
        Binary::Divide => kernel!(|x: f32, y: f32| x / y),
        Binary::Maximum => kernel!(maximum),
        Binary::Minimum => kernel!(minimum),
        // Exact, so f32 is enough.
        Binary::Remainder => kernel!(|x: f32, y: f32| x % y),
        Binary::Power => {
            Some(|a, b, o| map2::<T, T, T>(a, b, o, |x, y| T::round(fast::pow(x.wide(), y.wide()))))
        }
        _ => None,
    }
}

/// Every function, element by element in f64 with one rounding.
fn common<T: Float>(op: Binary) -> Option<Kernel2> {
    macro_rules! kernel {
        ($f:expr) => {
            Some(|a, b, o| map2::<T, T, T>(a, b, o, |x, y| T::round($f(x.wide(), y.wide()))))
        };
    }
    match op {
        Binary::Add => kernel!(|x: f64, y: f64| x + y),
        Binary::Subtract => kernel!(|x: f64, y: f64| x - y),
        Binary::Multiply => kernel!(|x: f64, y: f64| x * y),
        Binary::Divide => kernel!(|x: f64, y: f64| x / y),
        Binary::Maximum => kernel!(maximum_f64),
        Binary::Minimum => kernel!(minimum_f64),
        Binary::Remainder => kernel!(|x: f64, y: f64| x % y),
        Binary::Power => kernel!(exact::pow),
        Binary::Atan2 => kernel!(exact::atan2),
        _ => None,
    }
}
