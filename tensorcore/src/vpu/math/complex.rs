//! Functions of complex<f64>: within a few ULP of the larger part, without overflow on the way,
//! branch cuts and special values as C99's Annex G has them.

use super::exact;
use num_complex::Complex;

type C = Complex<f64>;

fn c(re: f64, im: f64) -> C {
    C::new(re, im)
}

/// i z
fn times_i(z: C) -> C {
    c(-z.im, z.re)
}

/// -i z
fn over_i(z: C) -> C {
    c(z.im, -z.re)
}

/// Also the magnitude of infinite numbers with a NaN part: infinite.
pub(crate) fn abs(z: C) -> f64 {
    exact::hypot(z.re, z.im)
}

/// z / |z|; zero stays.
pub(crate) fn sign(z: C) -> C {
    let a = abs(z);
    if a == 0.0 {
        c(0.0, 0.0)
    } else if a.is_nan() {
        c(f64::NAN, f64::NAN)
    } else {
        c(z.re / a, z.im / a)
    }
}

pub(crate) fn square(z: C) -> C {
    c((z.re - z.im) * (z.re + z.im), 2.0 * z.re * z.im)
}

/// a b - c d with one rounding's error (Kahan, by fused multiply-add).
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let cd = c * d;
    let error = c.mul_add(-d, cd);
    a.mul_add(b, -cd) + error
}

/// x / y, with both scaled by powers of two so that no product overflows or vanishes; infinities and
/// zeros as C99's Annex G.5.1 has them.
pub(crate) fn divide(x: C, y: C) -> C {
    let largest = y.re.abs().max(y.im.abs());
    let k = exponent(largest);
    let d = c(scale(y.re, -k), scale(y.im, -k));
    let norm = d.re.mul_add(d.re, d.im * d.im);
    let kx = exponent(x.re.abs().max(x.im.abs()));
    let n = c(scale(x.re, -kx), scale(x.im, -kx));
    let re = scale(difference_of_products(n.re, d.re, -n.im, d.im) / norm, kx - k);
    let im = scale(difference_of_products(n.im, d.re, n.re, d.im) / norm, kx - k);
    if !re.is_nan() || !im.is_nan() {
        return c(re, im);
    }
    let unit = |v: f64| if v.is_infinite() { 1f64.copysign(v) } else { 0f64.copysign(v) };
    if norm == 0.0 && (!x.re.is_nan() || !x.im.is_nan()) {
        let infinity = f64::INFINITY.copysign(y.re);
        c(infinity * x.re, infinity * x.im)
    } else if (x.re.is_infinite() || x.im.is_infinite()) && y.re.is_finite() && y.im.is_finite() {
        let (a, b) = (unit(x.re), unit(x.im));
        c(f64::INFINITY * (a * y.re + b * y.im), f64::INFINITY * (b * y.re - a * y.im))
    } else if largest.is_infinite() && x.re.is_finite() && x.im.is_finite() {
        let (a, b) = (unit(y.re), unit(y.im));
        c(0.0 * (x.re * a + x.im * b), 0.0 * (x.im * a - x.re * b))
    } else {
        c(re, im)
    }
}

/// The exponent of a finite number that is not zero, else 0; within what [`scale`] takes.
fn exponent(x: f64) -> i32 {
    if x == 0.0 || !x.is_finite() {
        return 0;
    }
    let e = (x.to_bits() >> 52) as i32 & 0x7ff;
    if e == 0 { -1074 + (63 - (x.to_bits() << 12 >> 12).leading_zeros() as i32) } else { e - 1023 }
}

/// x 2^k, in two steps that do not overflow alone.
fn scale(x: f64, k: i32) -> f64 {
    let half = k / 2;
    let power = |k: i32| f64::from_bits(((k + 1023).clamp(1, 2046) as u64) << 52);
    x * power(half) * power(k - half)
}

/// e^x cos(y), e^x sin(y) for finite y, also where e^x alone overflows.
fn exp_times(x: f64, cos: f64, sin: f64) -> C {
    if x > 700.0 && x < 1500.0 {
        let e = exact::exp(x * 0.5);
        c(e * cos * e, e * sin * e)
    } else {
        let e = exact::exp(x);
        c(e * cos, e * sin)
    }
}

pub(crate) fn exp(z: C) -> C {
    if z.im == 0.0 {
        return c(exact::exp(z.re), z.im);
    }
    if !z.im.is_finite() {
        return match z.re {
            f64::NEG_INFINITY => c(0.0, 0.0),
            f64::INFINITY => c(f64::INFINITY, f64::NAN),
            _ => c(f64::NAN, f64::NAN),
        };
    }
    exp_times(z.re, exact::cos(z.im), exact::sin(z.im))
}

/// Real part: (e^x - 1) cos y - 2 sin(y/2)^2.
pub(crate) fn exp_m1(z: C) -> C {
    if z.im == 0.0 {
        return c(exact::exp_m1(z.re), z.im);
    }
    if z.re.is_infinite() || z.re.is_nan() || !z.im.is_finite() || z.re > 40.0 {
        let e = exp(z);
        return c(e.re - 1.0, e.im);
    }
    let e = exact::exp_m1(z.re);
    let half = exact::sin(0.5 * z.im);
    c(e.mul_add(exact::cos(z.im), -2.0 * half * half), (e + 1.0) * exact::sin(z.im))
}

/// x^2 + y^2 - 1 for numbers near the unit circle: products with their errors, summed from the
/// largest (which the 1 cancels).
fn norm_minus_one(x: f64, y: f64) -> f64 {
    let (a, b) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    let (aa, bb) = (a * a, b * b);
    let (ea, eb) = (a.mul_add(a, -aa), b.mul_add(b, -bb));
    // a^2 is in [1/2, 2] here, so the first difference is exact.
    let d = aa - 1.0;
    let (sum, rest) = two_sum(d, bb);
    sum + (rest + ea + eb)
}

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let bb = sum - a;
    (sum, (a - (sum - bb)) + (b - bb))
}

pub(crate) fn log(z: C) -> C {
    let im = exact::atan2(z.im, z.re);
    let a = abs(z);
    let re = if a > 0.5 && a < 2.0 {
        0.5 * exact::log_1p(norm_minus_one(z.re, z.im))
    } else if a > 1e300 && a.is_finite() || a.is_infinite() && z.re.is_finite() && z.im.is_finite() {
        exact::log(exact::hypot(0.5 * z.re, 0.5 * z.im)) + std::f64::consts::LN_2
    } else {
        exact::log(a)
    };
    c(re, im)
}

/// |1 + z|^2 - 1 = x (2 + x) + y^2, in twice the precision where it cancels.
pub(crate) fn log_1p(z: C) -> C {
    let (x, y) = (z.re, z.im);
    let im = exact::atan2(y, 1.0 + x);
    if !(x.abs() < 1e150 && y.abs() < 1e150) {
        return c(log(c(1.0 + x, y)).re, im);
    }
    let (xx, yy) = (x * x, y * y);
    let (ex, ey) = (x.mul_add(x, -xx), y.mul_add(y, -yy));
    let (s1, r1) = two_sum(2.0 * x, yy);
    let (s2, r2) = two_sum(s1, xx);
    let t = s2 + (r1 + r2 + ex + ey);
    let re = if t > -0.75 { 0.5 * exact::log_1p(t) } else { log(c(1.0 + x, y)).re };
    c(re, im)
}

/// 1 / (1 + e^-z)
pub(crate) fn logistic(z: C) -> C {
    let e = exp(c(-z.re, -z.im));
    divide(c(1.0, 0.0), c(1.0 + e.re, e.im))
}

/// The root with a real part that is not negative.
pub(crate) fn sqrt(z: C) -> C {
    if z.re == 0.0 && z.im == 0.0 {
        return c(0.0, z.im);
    }
    if z.im.is_infinite() {
        return c(f64::INFINITY, z.im);
    }
    if z.re.is_infinite() {
        return if z.re > 0.0 {
            c(z.re, if z.im.is_nan() { z.im } else { 0f64.copysign(z.im) })
        } else {
            c(if z.im.is_nan() { z.im } else { 0.0 }, f64::INFINITY.copysign(z.im))
        };
    }
    // Scaled by an even power of two into the middle of the range.
    let k = exponent(z.re.abs().max(z.im.abs())) / 2;
    let (x, y) = (scale(z.re, -2 * k), scale(z.im, -2 * k));
    let t = (0.5 * (x.abs() + exact::hypot(x, y))).sqrt();
    let (re, im) = if x >= 0.0 { (t, y / (2.0 * t)) } else { (y.abs() / (2.0 * t), t.copysign(y)) };
    c(scale(re, k), scale(im, k))
}

/// conj(sqrt(z)) / |z|
pub(crate) fn rsqrt(z: C) -> C {
    let a = abs(z);
    if a == 0.0 {
        return c(f64::INFINITY, f64::NAN);
    }
    if a.is_infinite() {
        return c(0.0, -0f64.copysign(z.im));
    }
    let k = exponent(a) / 2;
    let s = sqrt(c(scale(z.re, -2 * k), scale(z.im, -2 * k)));
    let a = scale(a, -2 * k);
    c(scale(s.re / a, -k), scale(-s.im / a, -k))
}

/// The root on the same side as z: a third of its angle.
pub(crate) fn cbrt(z: C) -> C {
    let r = exact::cbrt(abs(z));
    let angle = exact::atan2(z.im, z.re) / 3.0;
    c(r * exact::cos(angle), r * exact::sin(angle))
}

/// sinh x cos y + i cosh x sin y
pub(crate) fn sinh(z: C) -> C {
    let (sinh, cosh) = exact::sinh_cosh(z.re);
    if z.im == 0.0 {
        return c(sinh, z.im);
    }
    let (cos, sin) = (exact::cos(z.im), exact::sin(z.im));
    if z.re.abs() > 40.0 && z.re.is_finite() {
        let e = exp_times(z.re.abs(), 0.5 * cos, 0.5 * sin);
        return c(e.re * 1f64.copysign(z.re), e.im);
    }
    if z.re == 0.0 {
        return c(if cos.is_nan() { z.re } else { z.re * cos }, sin);
    }
    c(sinh * cos, cosh * sin)
}

/// cosh x cos y + i sinh x sin y
pub(crate) fn cosh(z: C) -> C {
    let (sinh, cosh) = exact::sinh_cosh(z.re);
    if z.im == 0.0 {
        return c(cosh, if z.re.is_nan() { z.im } else { z.im * 1f64.copysign(z.re) });
    }
    let (cos, sin) = (exact::cos(z.im), exact::sin(z.im));
    if z.re.abs() > 40.0 && z.re.is_finite() {
        let e = exp_times(z.re.abs(), 0.5 * cos, 0.5 * sin);
        return c(e.re, e.im * 1f64.copysign(z.re));
    }
    if z.re == 0.0 {
        return c(cos, if sin.is_nan() { 0.0 } else { z.re * sin });
    }
    c(cosh * cos, sinh * sin)
}

/// Kahan's: with t = tan y and s = sinh x, tanh z = (b r s + i t) / (1 + b s^2), where b = 1 + t^2
/// and r = cosh x.
pub(crate) fn tanh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.abs() > 22.0 {
        let sin2 = if y.is_finite() { exact::sin(2.0 * y) } else { 0f64.copysign(y) };
        return c(1f64.copysign(x), 2.0 * sin2 * exact::exp(-2.0 * x.abs()));
    }
    if y == 0.0 {
        return c(exact::tanh(x), y);
    }
    if !y.is_finite() {
        return c(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    let t = exact::tan(y);
    let (s, r) = exact::sinh_cosh(x);
    let b = 1.0 + t * t;
    if t.is_infinite() {
        return c(r / s, 1.0 / t);
    }
    let d = 1.0 + b * s * s;
    c(b * r * s / d, t / d)
}

pub(crate) fn sin(z: C) -> C {
    over_i(sinh(times_i(z)))
}

pub(crate) fn cos(z: C) -> C {
    cosh(times_i(z))
}

pub(crate) fn tan(z: C) -> C {
    over_i(tanh(times_i(z)))
}

/// a^b = e^(b log a); 1 for an exponent of zero.
pub(crate) fn pow(a: C, b: C) -> C {
    if b.re == 0.0 && b.im == 0.0 {
        return c(1.0, 0.0);
    }
    if a.re == 0.0 && a.im == 0.0 {
        return if b.re > 0.0 { c(0.0, 0.0) } else { c(f64::INFINITY, f64::NAN) };
    }
    let l = log(a);
    exp(c(difference_of_products(b.re, l.re, b.im, l.im), difference_of_products(b.re, l.im, -b.im, l.re)))
}

/// -i log((x + i y) / sqrt(x^2 + y^2))
pub(crate) fn atan2(y: C, x: C) -> C {
    let sum = c(x.re - y.im, x.im + y.re);
    let (xx, yy) = (square(x), square(y));
    over_i(log(divide(sum, sqrt(c(xx.re + yy.re, xx.im + yy.im)))))
}

/// CHLO's `_asin_acos_kernel`, which the four inverse functions share: with x and y the magnitudes of
/// the parts and a = (|z + 1| + |z - 1|) / 2, it is sqrt(a^2 - x^2) + i log(a + sqrt(a^2 - 1)), by
/// forms that do not cancel, after Hull, Fairgrieve and Tang, "Implementing the complex arcsine and
/// arccosine functions using exception handling".
pub(crate) fn asin_acos_kernel(z: C) -> C {
    let (x, y) = (z.re.abs(), z.im.abs());
    if x.max(y) > 1e150 {
        return c(y, log(c(x, y)).re + std::f64::consts::LN_2);
    }
    let (r, s) = (exact::hypot(x + 1.0, y), exact::hypot(x - 1.0, y));
    let a = 0.5 * (r + s);
    let yy = y * y;
    let from_left = yy / (r + (x + 1.0));
    let re = if x <= 1.0 {
        (0.5 * (a + x) * (from_left + (s + (1.0 - x)))).sqrt()
    } else {
        y * (0.5 * (a + x) * (1.0 / (r + (x + 1.0)) + 1.0 / (s + (x - 1.0)))).sqrt()
    };
    // a - 1
    let from_right = if x >= 1.0 {
        s + (x - 1.0)
    } else {
        let d = s + (1.0 - x);
        if d > 0.0 { yy / d } else { 0.0 }
    };
    let less = 0.5 * (from_left + from_right);
    c(re, exact::log_1p(less + (less * (a + 1.0)).sqrt()))
}

/// `x` with `y`'s sign, where a zero `y` counts as positive: on the cuts, as CHLO decomposes.
fn signed(x: f64, y: f64) -> f64 {
    if y < 0.0 { -x } else { x }
}

pub(crate) fn asin(z: C) -> C {
    let w = asin_acos_kernel(z);
    c(exact::atan2(z.re, w.re), signed(w.im, z.im))
}

pub(crate) fn acos(z: C) -> C {
    let w = asin_acos_kernel(z);
    c(exact::atan2(w.re, z.re), signed(-w.im, z.im))
}

pub(crate) fn asinh(z: C) -> C {
    let w = asin_acos_kernel(times_i(z));
    c(signed(w.im, z.re), exact::atan2(z.im, w.re))
}

pub(crate) fn acosh(z: C) -> C {
    let w = asin_acos_kernel(z);
    c(w.im, signed(exact::atan2(w.re, z.re), z.im))
}

/// (log1p(4x / ((1-x)^2 + y^2)) / 4, atan2(2y, (1-x)(1+x) - y^2) / 2)
pub(crate) fn atanh(z: C) -> C {
    let (x, y) = (z.re.abs(), z.im.abs());
    if x.is_nan() || y.is_nan() {
        return c(if y.is_infinite() { 0f64.copysign(z.re) } else { f64::NAN }, z.im + f64::NAN);
    }
    let (re, im) = if x.max(y) > 1e100 {
        // 1/z, and a right angle.
        let inverse = if x.is_infinite() || y.is_infinite() { 0.0 } else { divide(c(1.0, 0.0), c(x, y)).re };
        (inverse, std::f64::consts::FRAC_PI_2)
    } else {
        let yy = y * y;
        let gap = 1.0 - x;
        let re = 0.25 * exact::log_1p(4.0 * x / gap.mul_add(gap, yy));
        (re, 0.5 * exact::atan2(2.0 * y, gap.mul_add(1.0 + x, -yy)))
    };
    c(re.copysign(z.re), im.copysign(z.im))
}

pub(crate) fn atan(z: C) -> C {
    over_i(atanh(times_i(z)))
}
