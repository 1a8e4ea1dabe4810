//! Elementwise operations on complex numbers. complex<f32> functions are computed in complex<f64>
//! and rounded; its arithmetic is plain f32, as the hardware's is.

use super::flush::flush;
use super::map::{Kernel1, Kernel2, map1, map2};
use super::math::complex as z;
use num_complex::Complex;
use sim_core::ElementType as E;
use sim_core::Numerics;
use sim_core::ir::{Binary, Unary};

type C32 = Complex<f32>;
type C64 = Complex<f64>;

#[inline(always)]
fn wide(a: C32) -> C64 {
    C64::new(a.re as f64, a.im as f64)
}

#[inline(always)]
fn round(a: C64) -> C32 {
    C32::new(a.re as f32, a.im as f32)
}

/// As [`super::unary`], for complex<f32> and complex<f64>.
pub(super) fn unary(op: Unary, ty: E) -> Option<Kernel1> {
    let single = ty == E::C64;
    /// By parts: the result type is given.
    macro_rules! parts {
        ($f32:expr, $r32:ty, $f64:expr, $r64:ty) => {
            if single {
                Some(|a, o| map1::<C32, $r32>(a, o, $f32))
            } else {
                Some(|a, o| map1::<C64, $r64>(a, o, $f64))
            }
        };
    }
    macro_rules! function {
        ($f:path) => {
            if single {
                Some(|a, o| map1::<C32, C32>(a, o, |x| round($f(wide(x)))))
            } else {
                Some(|a, o| map1::<C64, C64>(a, o, $f))
            }
        };
    }
    match op {
        Unary::Abs => parts!(|x| z::abs(wide(x)) as f32, f32, z::abs, f64),
        Unary::Real => parts!(|x| x.re, f32, |x| x.re, f64),
        Unary::Imag => parts!(|x| x.im, f32, |x| x.im, f64),
        Unary::Conj => parts!(|x| C32::new(x.re, -x.im), C32, |x| C64::new(x.re, -x.im), C64),
        Unary::Negate => parts!(|x| C32::new(-x.re, -x.im), C32, |x| C64::new(-x.re, -x.im), C64),
        Unary::IsFinite => parts!(
            |x| (x.re.is_finite() && x.im.is_finite()) as u8,
            u8,
            |x| (x.re.is_finite() && x.im.is_finite()) as u8,
            u8
        ),
        Unary::Sign => function!(z::sign),
        Unary::Square => function!(z::square),
        Unary::Exponential => function!(z::exp),
        Unary::ExponentialMinusOne => function!(z::exp_m1),
        Unary::Log => function!(z::log),
        Unary::LogPlusOne => function!(z::log_1p),
        Unary::Logistic => function!(z::logistic),
        Unary::Sqrt => function!(z::sqrt),
        Unary::Rsqrt => function!(z::rsqrt),
        Unary::Cbrt => function!(z::cbrt),
        Unary::Sine => function!(z::sin),
        Unary::Cosine => function!(z::cos),
        Unary::Tan => function!(z::tan),
        Unary::Sinh => function!(z::sinh),
        Unary::Cosh => function!(z::cosh),
        Unary::Tanh => function!(z::tanh),
        Unary::AsinAcosKernel => function!(z::asin_acos_kernel),
        Unary::Asin => function!(z::asin),
        Unary::Acos => function!(z::acos),
        Unary::Atan => function!(z::atan),
        Unary::Asinh => function!(z::asinh),
        Unary::Acosh => function!(z::acosh),
        Unary::Atanh => function!(z::atanh),
        _ => None,
    }
}

/// As [`super::binary`], for complex<f32> and complex<f64>.
///
/// `multiply` is four multiplications, an addition and a subtraction, each rounded
/// (`oracle/NUMERICS.md`); `maximum` and `minimum` compare real parts, then imaginary parts.
pub(super) fn binary(op: Binary, ty: E, numerics: &Numerics) -> Option<Kernel2> {
    macro_rules! plain {
        ($f:expr) => {
            match ty {
                E::C64 => Some(|a, b, o| map2::<C32, C32, C32>(a, b, o, $f)),
                _ => Some(|a, b, o| map2::<C64, C64, C64>(a, b, o, $f)),
            }
        };
    }
    macro_rules! function {
        ($f:path) => {
            match ty {
                E::C64 => Some(|a, b, o| map2::<C32, C32, C32>(a, b, o, |x, y| round($f(wide(x), wide(y))))),
                _ => Some(|a, b, o| map2::<C64, C64, C64>(a, b, o, $f)),
            }
        };
    }
    if numerics.flush_subnormals && ty == E::C64 {
        macro_rules! flushed {
            ($f:expr) => {
                return Some(|a, b, o| map2::<C32, C32, C32>(a, b, o, $f))
            };
        }
        match op {
            Binary::Add => flushed!(|x, y| C32::new(flush(x.re + y.re), flush(x.im + y.im))),
            Binary::Subtract => flushed!(|x, y| C32::new(flush(x.re - y.re), flush(x.im - y.im))),
            Binary::Multiply => flushed!(|x, y| C32::new(
                flush(flush(x.re * y.re) - flush(x.im * y.im)),
                flush(flush(x.re * y.im) + flush(x.im * y.re))
            )),
            _ => {}
        }
    }
    match op {
        Binary::Add => plain!(|x, y| Complex::new(x.re + y.re, x.im + y.im)),
        Binary::Subtract => plain!(|x, y| Complex::new(x.re - y.re, x.im - y.im)),
        Binary::Multiply => {
            plain!(|x, y| Complex::new(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re))
        }
        Binary::Divide => function!(z::divide),
        Binary::Power => function!(z::pow),
        Binary::Atan2 => function!(z::atan2),
        Binary::Maximum => plain!(|x, y| {
            let first = if x.re == y.re { x.im > y.im } else { x.re > y.re };
            if first { x } else { y }
        }),
        Binary::Minimum => plain!(|x, y| {
            let first = if x.re == y.re { x.im < y.im } else { x.re < y.re };
            if first { x } else { y }
        }),
        _ => None,
    }
}
