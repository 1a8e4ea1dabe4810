//! f64 as XLA:TPU emulates it: an unevaluated sum of two f32, hi + lo (`golden/README.md`, "f64":
//! every printed value is exactly such a pair). Operands are split as the compiler splits them
//! (hi = f32(x), lo = f32(x - hi)). Sums, products and quotients are double-float arithmetic;
//! all other functions are f32-class on hardware, their approximations are not public, and here
//! they are the correctly rounded pair.

use super::binary::{maximum_f64, minimum_f64};
use super::flush::flush;
use super::map::{Kernel1, Kernel2, map1, map2};
use super::math::exact;
use sim_core::ElementType as E;
use sim_core::Numerics;
use sim_core::ir::{Binary, Unary};

#[derive(Clone, Copy)]
struct Pair {
    hi: f32,
    lo: f32,
}

impl Pair {
    #[inline(always)]
    fn split(x: f64) -> Pair {
        let hi = flush(x as f32);
        let lo = if hi.is_finite() { flush((x - hi as f64) as f32) } else { 0.0 };
        Pair { hi, lo: if hi == 0.0 { 0.0 } else { lo } }
    }

    #[inline(always)]
    fn combine(self) -> f64 {
        // A zero low part must not turn -0 into +0.
        if self.lo == 0.0 { self.hi as f64 } else { self.hi as f64 + self.lo as f64 }
    }

    /// hi + lo with |hi| >= |lo|, renormalized. A sum that is not finite has no low part.
    #[inline(always)]
    fn normalized(hi: f32, lo: f32) -> Pair {
        let sum = flush(hi + lo);
        let rest = flush(lo - (sum - hi));
        Pair { hi: sum, lo: if sum.is_finite() { rest } else { 0.0 } }
    }
}

/// a + b exactly, as (rounded sum, error): Knuth's two-sum.
#[inline(always)]
fn two_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

#[inline(always)]
fn add(a: Pair, b: Pair) -> Pair {
    let (hi, error) = two_sum(a.hi, b.hi);
    if !hi.is_finite() {
        return Pair { hi, lo: 0.0 };
    }
    let (low, low_error) = two_sum(a.lo, b.lo);
    let first = Pair::normalized(hi, error + low);
    Pair::normalized(first.hi, first.lo + low_error)
}

#[inline(always)]
fn negate(a: Pair) -> Pair {
    Pair { hi: -a.hi, lo: -a.lo }
}

#[inline(always)]
fn multiply(a: Pair, b: Pair) -> Pair {
    let product = a.hi * b.hi;
    if !product.is_finite() {
        return Pair { hi: product, lo: 0.0 };
    }
    // The exact error of the product; a product of two f32 is exact in f64.
    let error = (a.hi as f64 * b.hi as f64 - product as f64) as f32;
    Pair::normalized(product, error + (a.hi * b.lo + a.lo * b.hi))
}

#[inline(always)]
fn divide(a: Pair, b: Pair) -> Pair {
    let first = a.hi / b.hi;
    if !first.is_finite() || first == 0.0 || !b.hi.is_finite() {
        return Pair { hi: flush(first), lo: 0.0 };
    }
    // One step of long division: what is left of a after first * b, divided again.
    let left = add(a, negate(multiply(Pair { hi: first, lo: 0.0 }, b)));
    let second = left.hi / b.hi;
    if second.is_finite() { Pair::normalized(first, second) } else { Pair { hi: first, lo: 0.0 } }
}

/// The nearest pair.
#[inline(always)]
pub(crate) fn to_pair(x: f64) -> f64 {
    Pair::split(x).combine()
}

macro_rules! of_pairs {
    ($($name:ident = $f:expr;)*) => { $(
        /// Of two operands split as the compiler splits them.
        #[inline(always)]
        pub(super) fn $name(x: f64, y: f64) -> f64 {
            $f(Pair::split(x), Pair::split(y)).combine()
        }
    )* };
}

of_pairs! {
    sum = add;
    difference = |a, b| add(a, negate(b));
    product = multiply;
    quotient = divide;
}

/// As [`super::unary`], for f64 held as a pair of f32.
pub(super) fn unary(op: Unary) -> Option<Kernel1> {
    macro_rules! kernel {
        ($($name:ident => $f:expr),* $(,)?) => {
            match op {
                $(Unary::$name => Some(|a, o| map1::<f64, f64>(a, o, |x| to_pair($f(to_pair(x))))),)*
                // What writes `i1`.
                _ => super::unary::unary(op, E::F64, &Numerics::ieee()),
            }
        };
    }
    kernel! {
        Abs => f64::abs, Negate => |x: f64| -x, Real => |x| x, Conj => |x| x, Imag => |_| 0.0,
        Ceil => f64::ceil, Floor => f64::floor, RoundNearestAfz => f64::round,
        RoundNearestEven => f64::round_ties_even, Sign => exact::sign, Sqrt => f64::sqrt,
        Square => |x: f64| { let p = Pair::split(x); multiply(p, p).combine() },
        Rsqrt => exact::rsqrt, Cbrt => exact::cbrt,
        Exponential => exact::exp, ExponentialMinusOne => exact::exp_m1,
        Log => exact::log, LogPlusOne => exact::log_1p, Logistic => exact::logistic,
        Sine => exact::sin, Cosine => exact::cos, Tan => exact::tan, Tanh => exact::tanh,
        Sinh => exact::sinh, Cosh => exact::cosh, Asin => exact::asin, Acos => exact::acos,
        Asinh => exact::asinh, Acosh => exact::acosh, Atanh => exact::atanh,
        Erf => exact::erf, AsinAcosKernel => exact::asin_acos_kernel,
    }
}

/// As [`super::binary`], for f64 held as a pair of f32.
pub(super) fn binary(op: Binary) -> Option<Kernel2> {
    macro_rules! pairs {
        ($f:path) => {
            Some(|a, b, o| map2::<f64, f64, f64>(a, b, o, $f))
        };
    }
    macro_rules! rounded {
        ($f:expr) => {
            Some(|a, b, o| map2::<f64, f64, f64>(a, b, o, |x, y| to_pair($f(to_pair(x), to_pair(y)))))
        };
    }
    match op {
        Binary::Add => pairs!(sum),
        Binary::Subtract => pairs!(difference),
        Binary::Multiply => pairs!(product),
        Binary::Divide => pairs!(quotient),
        Binary::Maximum => rounded!(maximum_f64),
        Binary::Minimum => rounded!(minimum_f64),
        Binary::Remainder => rounded!(|x: f64, y: f64| x % y),
        Binary::Power => rounded!(exact::pow),
        Binary::Atan2 => rounded!(exact::atan2),
        _ => None,
    }
}
