//! Elementary functions for arguments that come from f32 or a narrower type, in branch-free f64
//! arithmetic. Results are meant to be rounded to such a type: what overflows f32 may come out
//! as any value beyond its range.
//!
//! The polynomials interpolate at Chebyshev nodes (computed with 60 digits); the errors stated are
//! their largest relative ones on the reduced range.

use std::f64::consts::{FRAC_2_PI, LN_2, LOG2_E};

/// Adding it rounds to an integer (nearest even), which is then in the low bits of the sum.
const MAGIC: f64 = 6755399441055744.0; // 1.5 * 2^52
/// log(2) - LN_2, pi/2 - FRAC_PI_2: what f64 leaves of them.
const LN_2_LOW: f64 = 2.3190468138462996e-17;
const PI_2: f64 = std::f64::consts::FRAC_PI_2;
const PI_2_LOW: f64 = 6.123233995736766e-17;

/// (e^r - 1 - r) / r^2 on |r| <= log(2)/2; 2.3e-16
const EXP_Q: [f64; 10] = [
    0.5000000000000001,
    0.16666666666666669,
    0.04166666666662399,
    0.008333333333330051,
    0.0013888888917281794,
    0.00019841269863105968,
    2.480152119021773e-05,
    2.7557268378684192e-06,
    2.7620138719733994e-07,
    2.5100424157005067e-08,
];

/// (2 atanh(s) - 2 s) / s^3 in t = s^2, for |s| <= (sqrt(2) - 1) / (sqrt(2) + 1); 3e-18
const LOG_P: [f64; 8] = [
    0.6666666666666666,
    0.4000000000000088,
    0.28571428570801954,
    0.22222222392089008,
    0.18181795600060788,
    0.15386241881938825,
    0.13268714792342884,
    0.13087236196706833,
];

/// (sin(r) - r) / r^3 in t = r^2, for |r| <= pi/4; 8e-20
const SIN_P: [f64; 7] = [
    -0.16666666666666666,
    0.008333333333333331,
    -0.00019841269841265017,
    2.755731921930192e-06,
    -2.5052106219521895e-08,
    1.6058529572267874e-10,
    -7.586576588170975e-13,
];

/// (cos(r) - 1 + r^2/2) / r^4 in t = r^2, for |r| <= pi/4; 2e-20
const COS_P: [f64; 7] = [
    0.041666666666666664,
    -0.0013888888888888887,
    2.4801587301584618e-05,
    -2.7557319221382114e-07,
    2.087675578389404e-09,
    -1.1470459749675497e-11,
    4.7458048897552406e-14,
];

#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    let mut i = N - 1;
    while i > 0 {
        i -= 1;
        sum = sum.mul_add(x, coefficients[i]);
    }
    sum
}

/// `x` within `[low, high]`; a NaN stays.
#[inline(always)]
fn within(x: f64, low: f64, high: f64) -> f64 {
    let x = if x > high { high } else { x };
    if x < low { low } else { x }
}

/// (2^k, e^r - 1) with x = k log(2) + r. f32 is zero and infinite long before the bounds.
#[inline(always)]
fn exp_parts(x: f64) -> (f64, f64) {
    let x = within(x, -160.0, 160.0);
    let shifted = x.mul_add(LOG2_E, MAGIC);
    let k = shifted - MAGIC;
    let scale = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52));
    let r = (-k).mul_add(LN_2_LOW, (-k).mul_add(LN_2, x));
    (scale, (r * r).mul_add(polynomial(r, &EXP_Q), r))
}

#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    let (scale, p) = exp_parts(x);
    scale.mul_add(p, scale)
}

#[inline(always)]
pub(crate) fn exp_m1(x: f64) -> f64 {
    let (scale, p) = exp_parts(x);
    let y = scale.mul_add(p, scale - 1.0);
    if x == 0.0 { x } else { y }
}

/// log of `u > 0`, where `u` is 1 + `f` for a more exact `f` when it is near 1.
#[inline(always)]
fn log_of(u: f64, f: impl Fn(f64, bool) -> f64) -> f64 {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const ONE: u64 = 1023 << 52;
    let shifted = u.to_bits().wrapping_add(ONE - SQRT_HALF);
    let exponent = shifted >> 52;
    let m = f64::from_bits((shifted & ((1 << 52) - 1)).wrapping_add(SQRT_HALF));
    // 2^52 + exponent, as a float, by its bits.
    let k = f64::from_bits(exponent | 0x4330_0000_0000_0000) - (4503599627370496.0 + 1023.0);
    let f = f(m, exponent == 1023);
    let s = f / (f + 2.0);
    let t = s * s;
    let log_m = (s * t).mul_add(polynomial(t, &LOG_P), 2.0 * s);
    k.mul_add(LN_2, log_m)
}

#[inline(always)]
pub(crate) fn log(x: f64) -> f64 {
    let y = log_of(x, |m, _| m - 1.0);
    let y = if x == 0.0 { f64::NEG_INFINITY } else { y };
    let y = if x == f64::INFINITY { x } else { y };
    if x >= 0.0 { y } else { f64::NAN }
}

#[inline(always)]
pub(crate) fn log_1p(x: f64) -> f64 {
    let u = 1.0 + x;
    let y = log_of(u, |m, near| if near { x } else { m - 1.0 });
    let y = if u == 0.0 { f64::NEG_INFINITY } else { y };
    let y = if x == f64::INFINITY || x == 0.0 { x } else { y };
    if u >= 0.0 { y } else { f64::NAN }
}

#[inline(always)]
pub(crate) fn tanh(x: f64) -> f64 {
    let (scale, p) = exp_parts(2.0 * x.abs());
    let e = scale.mul_add(p, scale - 1.0);
    (e / (e + 2.0)).copysign(x)
}

/// log(1/2) in f32.
const LN_HALF: f32 = -std::f32::consts::LN_2;

/// e^x, rounded to f32.
#[inline(always)]
fn exp_f32(x: f32) -> f32 {
    exp(x as f64) as f32
}

/// CHLO's decomposition, with f32 steps: e^(x + log(1/2)) + e^(-x + log(1/2)). The rounded sum in the
/// exponent puts it some ULP off the true value, as compiled programs are.
#[inline(always)]
pub(crate) fn cosh(x: f32) -> f32 {
    exp_f32(x + LN_HALF) + exp_f32(-x + LN_HALF)
}

/// CHLO's decomposition, with f32 steps: as [`cosh`], and for |x| < 1, by e^x - 1.
#[inline(always)]
pub(crate) fn sinh(x: f32) -> f32 {
    let large = exp_f32(x + LN_HALF) - exp_f32(-x + LN_HALF);
    let (scale, p) = exp_parts(x as f64);
    let e = scale.mul_add(p, scale - 1.0);
    let small = (0.5 * (e + e / (e + 1.0))) as f32;
    let y = if x.abs() < 1.0 { small } else { large };
    if x == 0.0 { x } else { y }
}

/// 1 / (1 + e^-x)
#[inline(always)]
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

#[inline(always)]
pub(crate) fn rsqrt(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// From here up, [`sin`], [`cos`] and [`tan`] are not valid: use an exact reduction.
pub(crate) const TRIG_LIMIT: f64 = 4294967296.0; // 2^32

/// (quadrant in the low bits, sin(r), cos(r)) with x = k pi/2 + r. pi/2 is taken to 106 bits.
#[inline(always)]
fn sin_cos_parts(x: f64) -> (u64, f64, f64) {
    let shifted = x.mul_add(FRAC_2_PI, MAGIC);
    let k = shifted - MAGIC;
    let r = (-k).mul_add(PI_2_LOW, (-k).mul_add(PI_2, x));
    let t = r * r;
    // A product, not a sum: sin(-0) is -0.
    let sin = r * t.mul_add(polynomial(t, &SIN_P), 1.0);
    let cos = (t * t).mul_add(polynomial(t, &COS_P), (-0.5f64).mul_add(t, 1.0));
    (shifted.to_bits(), sin, cos)
}

#[inline(always)]
fn with_sign(x: f64, quadrant: u64) -> f64 {
    f64::from_bits(x.to_bits() ^ ((quadrant & 2) << 62))
}

#[inline(always)]
pub(crate) fn sin(x: f64) -> f64 {
    let (q, s, c) = sin_cos_parts(x);
    with_sign(if q & 1 == 1 { c } else { s }, q)
}

#[inline(always)]
pub(crate) fn cos(x: f64) -> f64 {
    let (q, s, c) = sin_cos_parts(x);
    with_sign(if q & 1 == 1 { s } else { c }, q.wrapping_add(1))
}

#[inline(always)]
pub(crate) fn tan(x: f64) -> f64 {
    let (q, s, c) = sin_cos_parts(x);
    let odd = q & 1 == 1;
    let (n, d) = if odd { (-c, s) } else { (s, c) };
    n / d
}

/// -log(erfc(a)) / a for 0 <= a <= 4, in t = a/2 - 1, even and odd powers apart; 4e-15
const ERF_EVEN: [f64; 12] = [
    2.682470632308319,
    0.11181150996148873,
    0.017384986647309853,
    0.0013366976745443305,
    -0.00023839344637481872,
    -9.759126814330282e-05,
    -9.781280848018119e-06,
    2.7065658307163302e-06,
    1.0084517402637703e-06,
    1.864472183857317e-07,
    -8.758695568942644e-08,
    -1.913498700253912e-09,
];
const ERF_ODD: [f64; 11] = [
    1.735690173686064,
    -0.04595103741097256,
    -0.0056665965479475704,
    -1.14853183485254e-05,
    0.0001862584699291936,
    3.840843679373049e-05,
    -6.106734337407413e-07,
    -1.984718105012706e-06,
    -4.939023772327299e-07,
    4.29645050565975e-08,
    3.047901451533732e-08,
];

/// erf(x) = 1 - e^(-|x| P(|x|)), with x's sign. At 4, f32 has reached 1.
#[inline(always)]
pub(crate) fn erf(x: f64) -> f64 {
    let a = within(x.abs(), 0.0, 4.0);
    let t = 0.5f64.mul_add(a, -1.0);
    let p = polynomial(t * t, &ERF_ODD).mul_add(t, polynomial(t * t, &ERF_EVEN));
    let (scale, p) = exp_parts(-a * p);
    (-scale.mul_add(p, scale - 1.0)).copysign(x)
}

/// IEEE 754's `pow`: 1 for a base of 1 or an exponent of 0, whatever the other (a NaN too).
#[inline(always)]
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    let a = x.abs();
    let p = exp(y * log(a));
    let integer = y.trunc() == y;
    let odd = integer && (0.5 * y).trunc() != 0.5 * y;
    let p = if x < 0.0 && a < f64::INFINITY && !integer { f64::NAN } else { p };
    let p = if odd && x.is_sign_negative() { -p } else { p };
    let one = x == 1.0 || y == 0.0 || (a == 1.0 && y.abs() == f64::INFINITY);
    if one { 1.0 } else { p }
}
