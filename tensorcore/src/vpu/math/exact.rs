//! Functions for f64 itself, and for everything that is not hot: within an ULP of f64. Most are the
//! `pxfm` crate's (pure Rust, so the same bits on every machine); where it leaves a special value
//! to its caller, that is settled here.

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
    atan = f_atan;
    atanh = f_atanh;
    bessel_i1e = f_i1e;
    cbrt = f_cbrt;
    cos = f_cos;
    cosh = f_cosh;
    digamma = f_digamma;
    erf = f_erf;
    erf_inv = f_erfinv;
    erfc = f_erfc;
    exp = f_exp;
    exp_m1 = f_expm1;
    lgamma = f_lgamma;
    log = f_log;
    log_1p = f_log1p;
    sin = f_sin;
    sinh = f_sinh;
    tan = f_tan;
    tanh = f_tanh;
}

pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    pxfm::f_atan2(y, x)
}

pub(crate) fn pow(x: f64, y: f64) -> f64 {
    // IEEE 754: whatever the other operand is, a NaN too.
    if x == 1.0 || y == 0.0 { 1.0 } else { pxfm::f_pow(x, y) }
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
