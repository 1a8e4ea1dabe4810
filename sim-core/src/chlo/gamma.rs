//! The logarithm of the gamma function and its derivative, by Lanczos' approximation ("A Precision
//! Approximation of the Gamma Function", SIAM Journal on Numerical Analysis B 1, 1964).

use super::Arithmetic;
use crate::ir::Unary;
use crate::ir::op::Direction::{Eq, Le, Lt};
use std::f64::consts::PI;

/// Lanczos' g.
const G: f64 = 7.0;
const LOG_G_HALF: f64 = 2.0149030205422647;
const BASE: f64 = 0.9999999999998099;
const LANCZOS: [f64; 8] = [
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-6,
    1.5056327351493116e-7,
];
/// (log 2 + log pi) / 2
const LOG_ROOT_2_PI: f64 = 0.9189385332046727;
const LOG_PI: f64 = 1.1447298858494002;

/// What both functions need of their argument: the point at which the series is taken (below 1/2, that
/// of the reflection), and whether it is reflected.
#[inline(always)]
fn shifted<A: Arithmetic>(m: &mut A, x: A::Number) -> (A::Number, A::Truth) {
    let reflect = m.is(x, Lt, 0.5);
    let negative = m.unary(Unary::Negate, x);
    let less = m.minus(x, 1.0);
    (m.select(reflect, negative, less), reflect)
}

/// g + 1/2 + z and its logarithm.
#[inline(always)]
fn base<A: Arithmetic>(m: &mut A, z: A::Number) -> (A::Number, A::Number) {
    let offset = m.constant(G + 0.5);
    let t = m.add(offset, z);
    let quotient = m.div(z, offset);
    let rest = m.unary(Unary::LogPlusOne, quotient);
    let log = m.constant(LOG_G_HALF);
    (t, m.add(log, rest))
}

/// log |gamma(x)|
#[inline(always)]
pub(super) fn lgamma<A: Arithmetic>(m: &mut A, x: A::Number) -> A::Number {
    let (z, reflect) = shifted(m, x);
    let mut a = m.constant(BASE);
    for (k, &c) in LANCZOS.iter().enumerate() {
        let c = m.constant(c);
        let under = m.plus(z, (k + 1) as f64);
        let term = m.div(c, under);
        a = m.add(a, term);
    }
    let (t, log_t) = base(m, z);
    // (z + 1/2) log t - t, without overflow on the way.
    let quotient = m.div(t, log_t);
    let shifted = m.plus(z, 0.5);
    let difference = m.sub(shifted, quotient);
    let r = m.mul(difference, log_t);
    let log_a = m.unary(Unary::Log, a);
    let root = m.constant(LOG_ROOT_2_PI);
    let sum = m.add(root, r);
    let direct = m.add(sum, log_a);
    // log pi - log |sin(pi x)| - lgamma(1 - x), where the sine is of the fraction's nearer end.
    let size = m.unary(Unary::Abs, x);
    let whole = m.unary(Unary::Floor, size);
    let fraction = m.sub(size, whole);
    let (half, one) = (m.constant(0.5), m.constant(1.0));
    let upper = m.compare(Lt, half, fraction);
    let other = m.sub(one, fraction);
    let fraction = m.select(upper, other, fraction);
    let pi = m.constant(PI);
    let angle = m.mul(pi, fraction);
    let sine = m.unary(Unary::Sine, angle);
    let log_sine = m.unary(Unary::Log, sine);
    let log_pi = m.constant(LOG_PI);
    let rest = m.sub(log_pi, log_sine);
    let reflected = m.sub(rest, direct);
    // At a pole the sine's logarithm wins.
    let steep = m.unary(Unary::Abs, log_sine);
    let finite = m.is(steep, Lt, f64::INFINITY);
    let pole = m.unary(Unary::Negate, log_sine);
    let reflected = m.select(finite, reflected, pole);
    let value = m.select(reflect, reflected, direct);
    let infinite = m.is(size, Eq, f64::INFINITY);
    let infinity = m.constant(f64::INFINITY);
    m.select(infinite, infinity, value)
}

/// The derivative of [`lgamma`]; NaN at its poles.
#[inline(always)]
pub(super) fn digamma<A: Arithmetic>(m: &mut A, x: A::Number) -> A::Number {
    let (z, reflect) = shifted(m, x);
    let zero = m.constant(0.0);
    let (mut a, mut slope) = (m.constant(BASE), zero);
    for (k, &c) in LANCZOS.iter().enumerate() {
        let c = m.constant(c);
        let under = m.plus(z, (k + 1) as f64);
        let square = m.mul(under, under);
        let term = m.div(c, square);
        slope = m.sub(slope, term);
        let term = m.div(c, under);
        a = m.add(a, term);
    }
    let (t, log_t) = base(m, z);
    let relative = m.div(slope, a);
    let g = m.constant(G);
    let last = m.div(g, t);
    let sum = m.add(log_t, relative);
    let direct = m.sub(sum, last);
    // digamma(1 - x) - pi cot(pi x), by x moved to [-1/2, 1/2].
    let rounded = m.plus(x, 0.5);
    let rounded = m.unary(Unary::Floor, rounded);
    let periods = m.unary(Unary::Abs, rounded);
    let near = m.add(x, periods);
    let pi = m.constant(PI);
    let angle = m.mul(pi, near);
    let (cosine, sine) = (m.unary(Unary::Cosine, angle), m.unary(Unary::Sine, angle));
    let over = m.mul(pi, cosine);
    let cotangent = m.div(over, sine);
    let reflected = m.sub(direct, cotangent);
    let value = m.select(reflect, reflected, direct);
    let below = m.compare(Le, x, zero);
    let whole = m.unary(Unary::Floor, x);
    let whole = m.compare(Eq, x, whole);
    let pole = m.both(below, whole);
    let nan = m.constant(f64::NAN);
    m.select(pole, nan, value)
}
