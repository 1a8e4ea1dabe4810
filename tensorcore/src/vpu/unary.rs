//! Elementwise operations of one float operand. Integers and `i1` are in [`super::integer`],
//! complex numbers in [`super::complex`], f64 as pairs of f32 in [`super::float_pair`], what XLA expands in
//! [`super::expanded`].

use super::float::Float;
use super::map::{Kernel1, map1};
use super::math::{exact, fast};
use super::{complex, expanded, float_pair, integer};
use half::{bf16, f16};
use sim_core::ElementType as E;
use sim_core::Numerics;
use sim_core::dtype::*;
use sim_core::ir::Unary;
use sim_core::numerics::F64;

/// The kernel of `op` on elements of type `ty`; `None` where neither StableHLO, CHLO nor HLO
/// define it. The result has the operand's type, but for `is_finite` and its kin (`i1`) and for
/// `abs`, `real` and `imag` of complex numbers (the real part's type).
pub fn unary(op: Unary, ty: E, numerics: &Numerics) -> Option<Kernel1> {
    if let Some(kernel) = expanded(op, ty, numerics) {
        return Some(kernel);
    }
    match ty {
        E::F32 => f32_logistic(op, numerics).or_else(|| vector::<f32>(op)).or_else(|| common::<f32>(op)),
        E::BF16 => sign_bit(op).or_else(|| vector::<bf16>(op)).or_else(|| common::<bf16>(op)),
        E::F16 => sign_bit(op).or_else(|| vector::<f16>(op)).or_else(|| common::<f16>(op)),
        E::F64 if numerics.f64 == F64::FloatPair => float_pair::unary(op),
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
        E::C64 | E::C128 => complex::unary(op, ty),
        _ => integer::unary(op, ty),
    }
}

/// What XLA expands.
fn expanded(op: Unary, ty: E, numerics: &Numerics) -> Option<Kernel1> {
    match ty {
        E::F32 => expanded::unary::<f32>(op, numerics),
        E::BF16 => expanded::unary::<bf16>(op, numerics),
        E::F16 => expanded::unary::<f16>(op, numerics),
        E::F64 => expanded::unary_f64(op, numerics),
        E::F4E2M1FN => expanded::unary::<F4E2M1FN>(op, numerics),
        E::F6E2M3FN => expanded::unary::<F6E2M3FN>(op, numerics),
        E::F6E3M2FN => expanded::unary::<F6E3M2FN>(op, numerics),
        E::F8E3M4 => expanded::unary::<F8E3M4>(op, numerics),
        E::F8E4M3 => expanded::unary::<F8E4M3>(op, numerics),
        E::F8E4M3FN => expanded::unary::<F8E4M3FN>(op, numerics),
        E::F8E4M3FNUZ => expanded::unary::<F8E4M3FNUZ>(op, numerics),
        E::F8E4M3B11FNUZ => expanded::unary::<F8E4M3B11FNUZ>(op, numerics),
        E::F8E5M2 => expanded::unary::<F8E5M2>(op, numerics),
        E::F8E5M2FNUZ => expanded::unary::<F8E5M2FNUZ>(op, numerics),
        E::F8E8M0FNU => expanded::unary::<F8E8M0FNU>(op, numerics),
        _ => None,
    }
}

/// XLA:TPU has no logistic of its own: 1 / (1 + exp(-x)), each step rounded to f32
/// (`oracle/NUMERICS.md`).
fn f32_logistic(op: Unary, numerics: &Numerics) -> Option<Kernel1> {
    if op != Unary::Logistic || !numerics.flush_subnormals {
        return None;
    }
    Some(|a, o| map1::<f32, f32>(a, o, |x| 1.0 / (1.0 + fast::exp(-x as f64) as f32)))
}

/// What only moves the sign bit of a 16-bit float.
fn sign_bit(op: Unary) -> Option<Kernel1> {
    match op {
        Unary::Abs => Some(|a, o| map1::<u16, u16>(a, o, |x| x & 0x7fff)),
        Unary::Negate => Some(|a, o| map1::<u16, u16>(a, o, |x| x ^ 0x8000)),
        Unary::Conj | Unary::Real => Some(|a, o| map1::<u16, u16>(a, o, |x| x)),
        _ => None,
    }
}

/// The hot functions of f32, bf16 and f16, as vector code.
fn vector<T: Float>(op: Unary) -> Option<Kernel1> {
    macro_rules! kernel {
        ($f:expr) => {
            Some(|a, o| map1::<T, T>(a, o, |x| T::round($f(x.wide()))))
        };
    }
    macro_rules! trigonometric {
        ($fast:path, $exact:path) => {
            Some(|a, o| {
                map1::<T, T>(a, o, |x| T::round($fast(x.wide())));
                redo_large::<T>(a, o, $exact);
            })
        };
    }
    match op {
        Unary::Exponential => kernel!(fast::exp),
        Unary::ExponentialMinusOne => kernel!(fast::exp_m1),
        Unary::Log => kernel!(fast::log),
        Unary::LogPlusOne => kernel!(fast::log_1p),
        Unary::Tanh => kernel!(fast::tanh),
        Unary::Logistic => kernel!(fast::logistic),
        Unary::Rsqrt => kernel!(fast::rsqrt),
        Unary::Sine => trigonometric!(fast::sin, exact::sin),
        Unary::Cosine => trigonometric!(fast::cos, exact::cos),
        Unary::Tan => trigonometric!(fast::tan, exact::tan),
        Unary::Sinh => Some(|a, o| map1::<T, T>(a, o, |x| T::round32(fast::sinh(x.wide32())))),
        Unary::Cosh => Some(|a, o| map1::<T, T>(a, o, |x| T::round32(fast::cosh(x.wide32())))),
        Unary::Erf => kernel!(fast::erf),
        Unary::Sqrt => Some(|a, o| map1::<T, T>(a, o, |x| T::round32(x.wide32().sqrt()))),
        Unary::Square => Some(|a, o| map1::<T, T>(a, o, |x| T::round32(x.wide32() * x.wide32()))),
        Unary::Abs => Some(|a, o| map1::<T, T>(a, o, |x| T::round32(x.wide32().abs()))),
        Unary::Negate => Some(|a, o| map1::<T, T>(a, o, |x| T::round32(-x.wide32()))),
        Unary::Floor => Some(|a, o| map1::<T, T>(a, o, |x| T::round32(x.wide32().floor()))),
        Unary::Ceil => Some(|a, o| map1::<T, T>(a, o, |x| T::round32(x.wide32().ceil()))),
        Unary::RoundNearestAfz => Some(|a, o| map1::<T, T>(a, o, |x| T::round32(x.wide32().round()))),
        Unary::RoundNearestEven => {
            Some(|a, o| map1::<T, T>(a, o, |x| T::round32(x.wide32().round_ties_even())))
        }
        _ => None,
    }
}

/// Arguments too large for the vector code's reduction, once more by the exact one. One pass decides
/// that there are none, which is the rule.
#[inline(always)]
fn redo_large<T: Float>(a: &[u8], out: &mut [u8], exact: fn(f64) -> f64) {
    let a: &[T] = bytemuck::cast_slice(a);
    let large = |x: &T| x.wide32().abs() >= fast::TRIG_LIMIT as f32;
    if a.iter().fold(false, |any, x| any | large(x)) {
        let out: &mut [T] = bytemuck::cast_slice_mut(out);
        for (o, x) in out.iter_mut().zip(a).filter(|(_, x)| large(x)) {
            *o = T::round(exact(x.wide()));
        }
    }
}

/// Every function, element by element in f64 with one rounding.
fn common<T: Float>(op: Unary) -> Option<Kernel1> {
    macro_rules! kernel {
        ($f:expr) => {
            Some(|a, o| map1::<T, T>(a, o, |x| T::round($f(x.wide()))))
        };
    }
    macro_rules! predicate {
        ($f:expr) => {
            Some(|a, o| map1::<T, u8>(a, o, |x| $f(x.wide()) as u8))
        };
    }
    match op {
        Unary::Abs => kernel!(f64::abs),
        Unary::Cbrt => kernel!(exact::cbrt),
        Unary::Ceil => kernel!(f64::ceil),
        Unary::Cosine => kernel!(exact::cos),
        Unary::Exponential => kernel!(exact::exp),
        Unary::ExponentialMinusOne => kernel!(exact::exp_m1),
        Unary::Floor => kernel!(f64::floor),
        Unary::Imag => kernel!(|_| 0.0),
        Unary::IsFinite => predicate!(f64::is_finite),
        Unary::Log => kernel!(exact::log),
        Unary::LogPlusOne => kernel!(exact::log_1p),
        Unary::Logistic => kernel!(exact::logistic),
        Unary::Negate => kernel!(|x: f64| -x),
        Unary::Real | Unary::Conj => kernel!(|x| x),
        Unary::RoundNearestAfz => kernel!(f64::round),
        Unary::RoundNearestEven => kernel!(f64::round_ties_even),
        Unary::Rsqrt => kernel!(exact::rsqrt),
        Unary::Sign => kernel!(exact::sign),
        Unary::Sine => kernel!(exact::sin),
        Unary::Sqrt => kernel!(f64::sqrt),
        Unary::Tan => kernel!(exact::tan),
        Unary::Tanh => kernel!(exact::tanh),
        Unary::Acos => kernel!(exact::acos),
        Unary::Acosh => kernel!(exact::acosh),
        Unary::Asin => kernel!(exact::asin),
        Unary::Asinh => kernel!(exact::asinh),
        Unary::Atanh => kernel!(exact::atanh),
        Unary::Cosh => kernel!(exact::cosh),
        Unary::Erf => kernel!(exact::erf),
        Unary::IsInf => predicate!(f64::is_infinite),
        Unary::IsNegInf => predicate!(|x| x == f64::NEG_INFINITY),
        Unary::IsPosInf => predicate!(|x| x == f64::INFINITY),
        Unary::Sinh => kernel!(exact::sinh),
        Unary::Square => kernel!(|x: f64| x * x),
        Unary::AsinAcosKernel => kernel!(exact::asin_acos_kernel),
        Unary::Atan
        | Unary::BesselI1e
        | Unary::Digamma
        | Unary::ErfInv
        | Unary::Erfc
        | Unary::Lgamma
        | Unary::Not
        | Unary::Popcnt
        | Unary::CountLeadingZeros => None,
    }
}
