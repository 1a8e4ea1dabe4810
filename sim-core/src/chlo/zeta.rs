//! Hurwitz' zeta function and the derivatives of digamma.

use super::{Arithmetic, gamma};
use crate::ir::op::Direction::{Eq, Le, Lt, Ne};
use crate::ir::{Binary, Unary};

// (2k)! / B(2k), k from 12 down to 1: the Euler-Maclaurin formula's coefficients, inverted.
const INVERSES: [f64; 12] = [
    -7.166165256175667e18,
    1.8152105401943546e17,
    -4597978722407473.0,
    116467828143500.67,
    -2950130727918.164,
    74724249600.0,
    -1892437580.3183792,
    47900160.0,
    -1209600.0,
    30240.0,
    -720.0,
    12.0,
];

/// Terms of the sum that are added before the formula takes over, but for the first.
const TERMS: usize = 9;

/// The sum of (q + k)^-x over k >= 0 (F. Johansson, "Rigorous high-precision computation of the Hurwitz
/// zeta function and its derivatives", formula 5).
#[inline(always)]
pub(super) fn zeta<A: Arithmetic>(m: &mut A, x: A::Number, q: A::Number) -> A::Number {
    let (zero, one) = (m.constant(0.0), m.constant(1.0));
    let exponent = m.unary(Unary::Negate, x);
    let mut sum = m.binary(Binary::Power, q, exponent);
    let mut at = q;
    for _ in 0..TERMS {
        at = m.add(at, one);
        let term = m.binary(Binary::Power, at, exponent);
        sum = m.add(sum, term);
    }
    at = m.add(at, one);
    let term = m.binary(Binary::Power, at, exponent);
    let over = m.mul(term, at);
    let under = m.sub(x, one);
    let integral = m.div(over, under);
    let square = m.mul(at, at);
    let step = m.div(one, square);
    let mut tail = zero;
    for (k, &c) in INVERSES[..11].iter().enumerate() {
        let (a, b) = (m.plus(x, (22 - 2 * k) as f64), m.plus(x, (21 - 2 * k) as f64));
        let factor = m.mul(a, b);
        let inner = m.plus(tail, 1.0 / c);
        let scaled = m.mul(step, inner);
        tail = m.mul(factor, scaled);
    }
    let first = m.constant(1.0 / INVERSES[11]);
    let bracket = m.add(first, tail);
    let ratio = m.div(x, at);
    let corrections = m.mul(ratio, bracket);
    let half = m.constant(0.5);
    let weight = m.add(half, corrections);
    let rest = m.mul(term, weight);
    let partial = m.add(sum, integral);
    let corrected = m.add(partial, rest);
    // The sum alone, where its last term no longer counts.
    let (term_size, sum_size) = (m.unary(Unary::Abs, term), m.unary(Unary::Abs, sum));
    let least = if m.is_double() { f64::from_bits(1) } else { f32::from_bits(1) as f64 };
    let least = m.constant(least);
    let limit = m.mul(sum_size, least);
    let small = m.compare(Lt, term_size, limit);
    let value = m.select(small, sum, corrected);

    let nan = m.constant(f64::NAN);
    let below = m.compare(Lt, x, one);
    let value = m.select(below, nan, value);
    // A q that is not positive needs a whole x; a whole one is a pole, whose sides agree for even x.
    let (floor_x, floor_q) = (m.unary(Unary::Floor, x), m.unary(Unary::Floor, q));
    let not_positive = m.compare(Le, q, zero);
    let broken = m.compare(Ne, x, floor_x);
    let outside = m.both(not_positive, broken);
    let value = m.select(outside, nan, value);
    let whole = m.compare(Eq, q, floor_q);
    let pole = m.both(not_positive, whole);
    let whole_x = m.compare(Eq, x, floor_x);
    let two = m.constant(2.0);
    let odd = m.binary(Binary::Remainder, x, two);
    let even = m.compare(Eq, odd, zero);
    let even = m.both(whole_x, even);
    let infinity = m.constant(f64::INFINITY);
    let at_pole = m.select(even, infinity, nan);
    let value = m.select(pole, at_pole, value);
    let harmonic = m.compare(Eq, x, one);
    m.select(harmonic, infinity, value)
}

/// The `n`-th derivative of digamma: (-1)^(n+1) n! zeta(n + 1, x); NaN unless `n` is a whole number
/// that is not negative.
#[inline(always)]
pub(super) fn polygamma<A: Arithmetic>(m: &mut A, n: A::Number, x: A::Number) -> A::Number {
    let (zero, one, two) = (m.constant(0.0), m.constant(1.0), m.constant(2.0));
    let odd = m.binary(Binary::Remainder, n, two);
    let twice = m.mul(two, odd);
    let sign = m.sub(twice, one);
    let next = m.add(n, one);
    let log = gamma::lgamma(m, next);
    let factorial = m.unary(Unary::Exponential, log);
    let series = zeta(m, next, x);
    let signed = m.mul(sign, factorial);
    let derivative = m.mul(signed, series);
    let none = m.compare(Eq, n, zero);
    let digamma = gamma::digamma(m, x);
    let value = m.select(none, digamma, derivative);
    let nan = m.constant(f64::NAN);
    let floor = m.unary(Unary::Floor, n);
    let broken = m.compare(Ne, n, floor);
    let value = m.select(broken, nan, value);
    let negative = m.compare(Lt, n, zero);
    m.select(negative, nan, value)
}
