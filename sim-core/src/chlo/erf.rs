//! The complementary error function and the inverse of the error function.

use super::Arithmetic;
use crate::ir::Unary;
use crate::ir::op::Direction::{Eq, Lt};

// M. Giles, "Approximating the erfinv function" (GPU Computing Gems, 2011), w below 5 and from there on.
const BELOW_5: [f64; 9] = [
    2.81022636e-8,
    3.43273939e-7,
    -3.5233877e-6,
    -4.39150654e-6,
    0.00021858087,
    -0.00125372503,
    -0.00417768164,
    0.246640727,
    1.50140941,
];
const FROM_5: [f64; 9] = [
    -0.000200214257,
    0.000100950558,
    0.00134934322,
    -0.00367342844,
    0.00573950773,
    -0.0076224613,
    0.00943887047,
    1.00167406,
    2.83297682,
];

// The same in f64, of which the later ones have fewer terms.
const BELOW_6_25: [f64; 23] = [
    -3.64441206401782e-21,
    -1.6850591381820166e-19,
    1.28584807152564e-18,
    1.1157877678025181e-17,
    -1.333171662854621e-16,
    2.0972767875968562e-17,
    6.637638134358324e-15,
    -4.054566272975207e-14,
    -8.151934197605472e-14,
    2.6335093153082323e-12,
    -1.2975133253453532e-11,
    -5.415412054294628e-11,
    1.0512122733215323e-9,
    -4.112633980346984e-9,
    -2.9070369957882005e-8,
    4.2347877827932404e-7,
    -1.3654692000834679e-6,
    -1.3882523362786469e-5,
    0.00018673420803405714,
    -0.000740702534166267,
    -0.006033670871430149,
    0.24015818242558962,
    1.6536545626831027,
];
const BELOW_16: [f64; 19] = [
    2.2137376921775787e-9,
    9.075656193888539e-8,
    -2.7517406297064545e-7,
    1.8239629214389228e-8,
    1.5027403968909828e-6,
    -4.013867526981546e-6,
    2.9234449089955446e-6,
    1.2475304481671779e-5,
    -4.7318229009055734e-5,
    6.828485145957318e-5,
    2.4031110387097894e-5,
    -0.0003550375203628475,
    0.0009532893797373805,
    -0.0016882755560235047,
    0.002491442096107851,
    -0.003751208507569241,
    0.005370914553590064,
    1.0052589676941592,
    3.0838856104922208,
];
const FROM_16: [f64; 17] = [
    -2.7109920616438573e-11,
    -2.555641816996525e-10,
    1.5076572693500548e-9,
    -3.789465440126737e-9,
    7.61570120807834e-9,
    -1.496002662714924e-8,
    2.914795345090108e-8,
    -6.771199775845234e-8,
    2.2900482228026655e-7,
    -9.9298272942317e-7,
    4.526062597223154e-6,
    -1.968177810553167e-5,
    7.599527703001776e-5,
    -0.00021503011930044477,
    -0.00013871931833623122,
    1.0103004648645344,
    4.849906401408584,
];

// Cephes (S. Moshier), `erff` and `erfcf`: x T(x²) below 1, exp(-x²) / x P(1 / x²) below 2, R from there on.
const T_SINGLE: [f64; 7] = [
    7.853861353153693e-5,
    -0.0008010193625184903,
    0.005188327685732524,
    -0.02685381193529856,
    0.1128358514861418,
    -0.37612625824233,
    1.12837916572671,
];
const P_SINGLE: [f64; 9] = [
    0.02326819970068386,
    -0.1387039388740657,
    0.3687424674597105,
    -0.5824733027278666,
    0.6210004621745983,
    -0.4944515323274145,
    0.3404879937665872,
    -0.2741127028184656,
    0.5638259427386472,
];
const R_SINGLE: [f64; 8] = [
    -10.47766399936249,
    12.97719955372516,
    -7.495518717768503,
    2.921019019210786,
    -1.0152652792027,
    0.4218463358204948,
    -0.2820767439740514,
    0.5641895067754075,
];

// Cephes, `erf` and `erfc`: x T(x²) / U(x²) below 1, exp(-x²) P(x) / Q(x) below 8, R(x) / S(x) from there on.
const T: [f64; 5] =
    [9.604973739870516, 90.02601972038427, 2232.005345946843, 7003.325141128051, 55592.30130103949];
const U: [f64; 6] =
    [1.0, 33.56171416475031, 521.3579497801527, 4594.323829709801, 22629.000061389095, 49267.39426086359];
const P: [f64; 9] = [
    2.461969814735305e-10,
    0.5641895648310689,
    7.463210564422699,
    48.63719709856814,
    196.5208329560771,
    526.4451949954773,
    934.5285271719576,
    1027.5518868951572,
    557.5353353693994,
];
const Q: [f64; 9] = [
    1.0,
    13.228195115474499,
    86.70721408859897,
    354.9377788878199,
    975.7085017432055,
    1823.9091668790973,
    2246.3376081871097,
    1656.6630919416134,
    557.5353408177277,
];
const R: [f64; 6] = [
    0.5641895835477551,
    1.275366707599781,
    5.019050422511805,
    6.160210979930536,
    7.4097426995044895,
    2.9788666537210022,
];
const S: [f64; 7] = [
    1.0,
    2.2605286322011726,
    9.396035249380015,
    12.048953980809666,
    17.08144507475659,
    9.608968090632859,
    3.369076451000815,
];

/// The `y` whose error function is `x`: Giles' polynomials in w = -log(1 - x²).
#[inline(always)]
pub(super) fn erf_inv<A: Arithmetic>(m: &mut A, x: A::Number) -> A::Number {
    let negative = m.unary(Unary::Negate, x);
    let square = m.mul(x, negative);
    let log = m.unary(Unary::LogPlusOne, square);
    let w = m.unary(Unary::Negate, log);
    let p = if m.is_double() { giles_double(m, w) } else { giles_single(m, w) };
    let inside = m.mul(p, x);
    // At the ends w is infinite.
    let size = m.unary(Unary::Abs, x);
    let end = m.is(size, Eq, 1.0);
    let infinity = m.constant(f64::INFINITY);
    let infinite = m.mul(x, infinity);
    m.select(end, infinite, inside)
}

#[inline(always)]
fn giles_single<A: Arithmetic>(m: &mut A, w: A::Number) -> A::Number {
    let below = m.is(w, Lt, 5.0);
    let near = m.minus(w, 2.5);
    let root = m.unary(Unary::Sqrt, w);
    let far = m.minus(root, 3.0);
    let t = m.select(below, near, far);
    let mut p = None;
    for (&a, &b) in BELOW_5.iter().zip(&FROM_5) {
        let (a, b) = (m.constant(a), m.constant(b));
        let c = m.select(below, a, b);
        p = Some(match p {
            None => c,
            Some(p) => {
                let product = m.mul(p, t);
                m.add(c, product)
            }
        });
    }
    p.unwrap_or(t)
}

#[inline(always)]
fn giles_double<A: Arithmetic>(m: &mut A, w: A::Number) -> A::Number {
    let (below, middle) = (m.is(w, Lt, 6.25), m.is(w, Lt, 16.0));
    let root = m.unary(Unary::Sqrt, w);
    let near = m.minus(w, 3.125);
    let (a, b) = (m.constant(3.25), m.constant(5.0));
    let center = m.select(middle, a, b);
    let far = m.sub(root, center);
    let t = m.select(below, near, far);
    let mut p = None;
    for (k, &c) in BELOW_6_25.iter().enumerate() {
        let mut c = m.constant(c);
        if let Some(&other) = BELOW_16.get(k) {
            let other = m.constant(other);
            c = m.select(below, c, other);
        }
        if let Some(&other) = FROM_16.get(k) {
            let other = m.constant(other);
            c = m.select(middle, c, other);
        }
        p = Some(match p {
            None => c,
            Some(p) => {
                let product = m.mul(p, t);
                let sum = m.add(c, product);
                // Where a polynomial has no such term, it is what it was.
                match k {
                    _ if k < FROM_16.len() => sum,
                    _ if k < BELOW_16.len() => m.select(middle, sum, p),
                    _ => m.select(below, sum, p),
                }
            }
        });
    }
    p.unwrap_or(t)
}

/// 1 - erf(x), without the cancellation.
#[inline(always)]
pub(super) fn erfc<A: Arithmetic>(m: &mut A, x: A::Number) -> A::Number {
    let far = if m.is_double() { erfc_double(m, x) } else { erfc_single(m, x) };
    let square = m.mul(x, x);
    let erf = if m.is_double() {
        let t = m.polynomial(square, &T);
        let over = m.mul(x, t);
        let under = m.polynomial(square, &U);
        m.div(over, under)
    } else {
        let t = m.polynomial(square, &T_SINGLE);
        m.mul(x, t)
    };
    let one = m.constant(1.0);
    let near = m.sub(one, erf);
    let size = m.unary(Unary::Abs, x);
    let inside = m.compare(Lt, size, one);
    m.select(inside, near, far)
}

/// For |x| >= 1.
#[inline(always)]
fn erfc_single<A: Arithmetic>(m: &mut A, x: A::Number) -> A::Number {
    let square = m.mul(x, x);
    let z = m.unary(Unary::Negate, square);
    let size = m.unary(Unary::Abs, x);
    let one = m.constant(1.0);
    let t = m.div(one, square);
    let e = m.unary(Unary::Exponential, z);
    let inverse = m.div(one, size);
    let scale = m.mul(e, inverse);
    let below = m.is(size, Lt, 2.0);
    let (p, r) = (m.polynomial(t, &P_SINGLE), m.polynomial(t, &R_SINGLE));
    let factor = m.select(below, p, r);
    let value = m.mul(scale, factor);
    reflected(m, x, z, value, 88.72283905206835)
}

/// For |x| >= 1.
#[inline(always)]
fn erfc_double<A: Arithmetic>(m: &mut A, x: A::Number) -> A::Number {
    let square = m.mul(x, x);
    let z = m.unary(Unary::Negate, square);
    let e = m.unary(Unary::Exponential, z);
    let size = m.unary(Unary::Abs, x);
    let mut quotient = |over: &[f64], under: &[f64]| {
        let (over, under) = (m.polynomial(size, over), m.polynomial(size, under));
        let scaled = m.mul(e, over);
        m.div(scaled, under)
    };
    let (near, far) = (quotient(&P, &Q), quotient(&R, &S));
    let below = m.is(size, Lt, 8.0);
    let value = m.select(below, near, far);
    reflected(m, x, z, value, 709.782712893384)
}

/// Zero where the exponential is, and 2 - erfc(-x) of a negative number.
#[inline(always)]
fn reflected<A: Arithmetic>(
    m: &mut A,
    x: A::Number,
    z: A::Number,
    value: A::Number,
    least: f64,
) -> A::Number {
    let gone = m.is(z, Lt, -least);
    let zero = m.constant(0.0);
    let value = m.select(gone, zero, value);
    let negative = m.compare(Lt, x, zero);
    let two = m.constant(2.0);
    let other = m.sub(two, value);
    m.select(negative, other, value)
}
