//! Functions for f64 itself, and for everything that is not hot: within an ULP of f64. Most are the
//! `pxfm` crate's (pure Rust, so the same bits on every machine); where it leaves a special value
//! to its caller, that is settled here.

use std::f64::consts::LN_2;

macro_rules! from_pxfm {
    ($($name:ident = $f:ident;)*) => { $(
        #[inline]
        pub(crate) fn $name(x: f64) -> f64 {
            pxfm::$f(x)
        }
    )* };
}

from_pxfm! {
    acos = f_acos;
    acosh = f_acosh;
    asin = f_asin;
    asinh = f_asinh;
    atanh = f_atanh;
    cbrt = f_cbrt;
    cos = f_cos;
    erf = f_erf;
    exp = f_exp;
    exp_m1 = f_expm1;
    log = f_log;
    log_1p = f_log1p;
    sin = f_sin;
    tan = f_tan;
    tanh = f_tanh;
}

pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    pxfm::f_atan2(y, x)
}

/// The `libm` crate's, which settles every special value as IEEE 754 does: 1 for a base of 1 or an
/// exponent of 0, whatever the other (a NaN too).
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

pub(crate) fn hypot(x: f64, y: f64) -> f64 {
    pxfm::f_hypot(x, y)
}

pub(crate) fn rsqrt(x: f64) -> f64 {
    if x == 0.0 { 1.0 / x } else { pxfm::f_rsqrt(x) }
}

/// 1 / (1 + e^-x), by the exponential that does not overflow.
pub(crate) fn logistic(x: f64) -> f64 {
    let e = exp(-x.abs());
    if x < 0.0 { e / (1.0 + e) } else { 1.0 / (1.0 + e) }
}

/// -1, the zero itself, 1, or NaN.
#[inline]
pub(crate) fn sign(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() { x } else { 1f64.copysign(x) }
}

/// CHLO's decomposition, e^(x + log(1/2)) + e^(-x + log(1/2)): the sum in the exponent is rounded, so
/// it is some ULP off the true value, as compiled programs are.
pub(crate) fn cosh(x: f64) -> f64 {
    exp(x - LN_2) + exp(-x - LN_2)
}

/// CHLO's decomposition: as [`cosh`], and for |x| < 1, by e^x - 1.
pub(crate) fn sinh(x: f64) -> f64 {
    if x.abs() < 1.0 {
        let e = exp_m1(x);
        if e == 0.0 { x } else { 0.5 * (e + e / (e + 1.0)) }
    } else {
        exp(x - LN_2) - exp(-x - LN_2)
    }
}

/// The true functions, for complex numbers.
pub(crate) fn sinh_cosh(x: f64) -> (f64, f64) {
    (pxfm::f_sinh(x), pxfm::f_cosh(x))
}

/// CHLO's `_asin_acos_kernel` of a real number: sqrt(1 - x^2) within 1, else acosh |x|.
pub(crate) fn asin_acos_kernel(x: f64) -> f64 {
    let a = x.abs();
    if a <= 1.0 { ((1.0 + a) * (1.0 - a)).sqrt() } else { pxfm::f_acosh(a) }
}
