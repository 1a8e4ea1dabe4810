//! CHLO's functions of two operands: `next_after`, `zeta`, `polygamma`.

use super::map::{Kernel2, map2};
use super::math::exact;
use sim_core::ElementType as E;

macro_rules! next_after {
    ($name:ident, $bits:ty, $sign:expr, $infinity:expr) => {
        /// The neighbour of `x` towards `y`, on the bits.
        #[inline(always)]
        fn $name(x: $bits, y: $bits) -> $bits {
            const MAGNITUDE: $bits = !$sign;
            let (ax, ay) = (x & MAGNITUDE, y & MAGNITUDE);
            let nan = ax > $infinity || ay > $infinity;
            let same = x == y || (ax == 0 && ay == 0);
            // From zero: the smallest subnormal, with y's sign. Else the magnitude shrinks when y
            // is on the other side of zero or nearer to it.
            let from_zero = (y & $sign) | 1;
            let shrink = (x ^ y) & $sign != 0 || ax > ay;
            let stepped = if shrink { x.wrapping_sub(1) } else { x.wrapping_add(1) };
            let moved = if ax == 0 { from_zero } else { stepped };
            if nan {
                $infinity | ($infinity >> 1)
            } else if same {
                y
            } else {
                moved
            }
        }
    };
}

next_after!(next_f64, u64, 1u64 << 63, 0x7ff0_0000_0000_0000);
next_after!(next_f32, u32, 1u32 << 31, 0x7f80_0000);
next_after!(next_bf16, u16, 0x8000u16, 0x7f80);
next_after!(next_f16, u16, 0x8000u16, 0x7c00);

/// `chlo.next_after` for f64, f32, bf16 and f16.
pub(super) fn next_after(ty: E) -> Option<Kernel2> {
    match ty {
        E::F64 => Some(|a, b, o| map2::<u64, u64, u64>(a, b, o, next_f64)),
        E::F32 => Some(|a, b, o| map2::<u32, u32, u32>(a, b, o, next_f32)),
        E::BF16 => Some(|a, b, o| map2::<u16, u16, u16>(a, b, o, next_bf16)),
        E::F16 => Some(|a, b, o| map2::<u16, u16, u16>(a, b, o, next_f16)),
        _ => None,
    }
}

/// B(2k) / (2k)!, k = 1…12: the Euler-Maclaurin formula's coefficients.
const BERNOULLI: [f64; 12] = [
    0.08333333333333333,
    -0.001388888888888889,
    3.306878306878307e-05,
    -8.267195767195768e-07,
    2.08767569878681e-08,
    -5.284190138687493e-10,
    1.3382536530684679e-11,
    -3.3896802963225827e-13,
    8.586062056277845e-15,
    -2.174868698558062e-16,
    5.5090028283602295e-18,
    -1.3954464685812522e-19,
];

/// The Hurwitz zeta function, the sum of (q + k)^-x over k >= 0, for x > 1 (1 gives infinity, less
/// NaN), by 12 terms and the Euler-Maclaurin formula for the rest. A negative `q` needs an integer
/// `x`; a `q` that is zero or a negative integer is a pole.
pub(crate) fn zeta(x: f64, q: f64) -> f64 {
    if x.is_nan() || q.is_nan() {
        return f64::NAN;
    }
    // In the order of CHLO's decomposition, which is XLA's.
    if x == 1.0 {
        return f64::INFINITY;
    }
    if q <= 0.0 && q == q.floor() {
        // The pole is approached from both sides: even powers agree, others do not.
        return if x % 2.0 == 0.0 { f64::INFINITY } else { f64::NAN };
    }
    if x < 1.0 || (q <= 0.0 && x != x.floor()) {
        return f64::NAN;
    }
    if q < 0.0 {
        // The n terms below zero are those of a finite sum on the other side of it.
        let n = (-q).ceil();
        let below = zeta_above_zero(x, 1.0 - q - n) - zeta_above_zero(x, 1.0 - q);
        return zeta_above_zero(x, q + n) + if x % 2.0 == 0.0 { below } else { -below };
    }
    zeta_above_zero(x, q)
}

/// [`zeta`] for x > 1 and q > 0.
fn zeta_above_zero(x: f64, q: f64) -> f64 {
    let mut sum = 0.0;
    let mut a = q;
    let mut n = 0;
    while n < 12 {
        let term = exact::pow(a, -x);
        sum += term;
        a += 1.0;
        n += 1;
        if term < sum * 1e-17 {
            return sum;
        }
    }
    // Integral, half the first term left out, and the corrections.
    let term = exact::pow(a, -x);
    sum += term * a / (x - 1.0) + 0.5 * term;
    let mut factor = x;
    let mut power = term / a;
    for (k, b) in BERNOULLI.iter().enumerate() {
        let correction = b * factor * power;
        sum += correction;
        if correction.abs() < sum * 1e-17 {
            break;
        }
        let k = 2.0 * k as f64;
        factor *= (x + k + 1.0) * (x + k + 2.0);
        power /= a * a;
    }
    sum
}

/// The `n`-th derivative of digamma at `x`: (-1)^(n+1) n! zeta(n + 1, x). NaN unless `n` is a whole
/// number that is not negative.
pub(crate) fn polygamma(n: f64, x: f64) -> f64 {
    if n == 0.0 {
        return exact::digamma(x);
    }
    if n.is_nan() || n < 0.0 || n != n.floor() {
        return f64::NAN;
    }
    let sign = if n % 2.0 == 0.0 { -1.0 } else { 1.0 };
    sign * exact::exp(exact::lgamma(n + 1.0)) * zeta(n + 1.0, x)
}
