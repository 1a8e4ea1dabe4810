//! Distance of floats in units in the last place, and comparison of tensors element by element.

use sim_core::dtype::{Native, SmallFloat};
use sim_core::{Diagnostic, ElementType, Result, Tensor};

/// Elements of any type, for comparison and for people. Exact: f64 holds every float type here, and
/// integers stay integers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Int(n) => write!(f, "{n}"),
            Number::Float(x) => write!(f, "{x:?}"),
            Number::Complex(re, im) => write!(f, "({re:?}, {im:?})"),
        }
    }
}

/// Element `i`.
///
/// # Panics
/// If `i` is out of range.
pub fn number(t: &Tensor, i: usize) -> Number {
    fn at<T: Native>(t: &Tensor, i: usize) -> T {
        t.as_slice::<T>()[i]
    }
    fn small<T: Native + SmallFloat>(t: &Tensor, i: usize) -> Number {
        Number::Float(f64::from(at::<T>(t, i).to_f32()))
    }
    use ElementType as E;
    use sim_core::dtype as d;
    match t.element() {
        E::Pred | E::U2 | E::U4 | E::U8 => Number::Int(at::<u8>(t, i).into()),
        E::S2 | E::S4 | E::S8 => Number::Int(at::<i8>(t, i).into()),
        E::S16 => Number::Int(at::<i16>(t, i).into()),
        E::S32 => Number::Int(at::<i32>(t, i).into()),
        E::S64 | E::Index => Number::Int(at::<i64>(t, i).into()),
        E::U16 => Number::Int(at::<u16>(t, i).into()),
        E::U32 => Number::Int(at::<u32>(t, i).into()),
        E::U64 => Number::Int(at::<u64>(t, i).into()),
        E::F4E2M1FN => small::<d::F4E2M1FN>(t, i),
        E::F6E2M3FN => small::<d::F6E2M3FN>(t, i),
        E::F6E3M2FN => small::<d::F6E3M2FN>(t, i),
        E::F8E3M4 => small::<d::F8E3M4>(t, i),
        E::F8E4M3 => small::<d::F8E4M3>(t, i),
        E::F8E4M3FN => small::<d::F8E4M3FN>(t, i),
        E::F8E4M3FNUZ => small::<d::F8E4M3FNUZ>(t, i),
        E::F8E4M3B11FNUZ => small::<d::F8E4M3B11FNUZ>(t, i),
        E::F8E5M2 => small::<d::F8E5M2>(t, i),
        E::F8E5M2FNUZ => small::<d::F8E5M2FNUZ>(t, i),
        E::F8E8M0FNU => small::<d::F8E8M0FNU>(t, i),
        E::BF16 => Number::Float(at::<half::bf16>(t, i).into()),
        E::F16 => Number::Float(at::<half::f16>(t, i).into()),
        E::F32 => Number::Float(at::<f32>(t, i).into()),
        E::F64 => Number::Float(at::<f64>(t, i)),
        E::C64 => {
            let c = at::<num_complex::Complex<f32>>(t, i);
            Number::Complex(c.re.into(), c.im.into())
        }
        E::C128 => {
            let c = at::<num_complex::Complex<f64>>(t, i);
            Number::Complex(c.re, c.im)
        }
    }
}

/// Steps from element `i` of `a` to that of `b` (of one type) through the type's representable
/// values; for complex numbers the larger of the parts', for integers their difference. Both zeros
/// are one step, infinity is one beyond the largest value, NaN equals NaN; `None` where one is NaN.
pub fn ulps(a: &Tensor, b: &Tensor, i: usize) -> Option<u64> {
    let element = a.element();
    let (part, parts) = if element.is_complex() { (element.real_part(), 2) } else { (element, 1) };
    let size = part.byte_size();
    // Positions on the line of the type's values: sign and magnitude, made monotonic.
    let position = |t: &Tensor, p: usize| -> i128 {
        let at = (i * parts + p) * size;
        let mut raw = [0u8; 8];
        raw[..size].copy_from_slice(&t.bytes()[at..at + size]);
        let raw = u64::from_le_bytes(raw);
        if part == ElementType::F8E8M0FNU {
            return raw.into(); // It has no sign.
        }
        let sign = 1u64 << (part.bits() - 1);
        let magnitude = i128::from(raw & (sign - 1));
        if raw & sign != 0 { -magnitude } else { magnitude }
    };
    let steps = |x: i128, y: i128| u64::try_from(x.abs_diff(y)).unwrap_or(u64::MAX);
    let floats = |x: f64, y: f64, p: usize| match (x.is_nan(), y.is_nan()) {
        (true, true) => Some(0),
        (false, false) => Some(steps(position(a, p), position(b, p))),
        _ => None,
    };
    match (number(a, i), number(b, i)) {
        (Number::Int(x), Number::Int(y)) => Some(steps(x, y)),
        (Number::Float(x), Number::Float(y)) => floats(x, y, 0),
        (Number::Complex(xr, xi), Number::Complex(yr, yi)) => {
            Some(floats(xr, yr, 0)?.max(floats(xi, yi, 1)?))
        }
        _ => None,
    }
}

/// A multi-dimensional index, for people.
pub fn index_of(shape: &[usize], flat: usize) -> Vec<usize> {
    let mut rest = flat;
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|&n| {
            let i = rest % n.max(1);
            rest /= n.max(1);
            i
        })
        .collect();
    index.reverse();
    index
}

/// Compares element by element with `same`; the error names the first that differs, both values
/// and their distance, and how many differ.
///
/// # Errors
/// `CheckFailed`; `Invalid` where types or shapes differ.
pub fn compare(
    got: &Tensor,
    expected: &Tensor,
    what: &str,
    same: impl Fn(usize, Number, Number) -> bool,
) -> Result<()> {
    if got.element() != expected.element() || got.shape() != expected.shape() {
        return Err(Diagnostic::check_failed(format!(
            "{what}: {} is compared with {}",
            got.ty(),
            expected.ty()
        )));
    }
    if got.bytes() == expected.bytes() {
        return Ok(()); // NaN equals NaN in every check.
    }
    let differing: Vec<usize> =
        (0..got.len()).filter(|&i| !same(i, number(got, i), number(expected, i))).collect();
    let Some(&first) = differing.first() else { return Ok(()) };
    let (a, b) = (number(got, first), number(expected, first));
    let ulps = match (ulps(got, expected, first), a) {
        (None, _) => String::new(),
        (Some(n), Number::Int(_)) => format!(" (off by {n})"),
        (Some(n), _) => format!(" ({n} ULP apart)"),
    };
    Err(Diagnostic::check_failed(format!(
        "{what}: element {:?} is {a}, expected {b}{ulps}; {} of {} elements differ",
        index_of(got.shape(), first),
        differing.len(),
        got.len()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_between_values() {
        let of = |a: f32, b: f32| ulps(&Tensor::scalar(a), &Tensor::scalar(b), 0);
        assert_eq!(of(1.0, f32::from_bits(1.0f32.to_bits() + 1)), Some(1));
        assert_eq!(of(-0.0, 0.0), Some(0));
        assert_eq!(of(-f32::from_bits(1), f32::from_bits(1)), Some(2));
        assert_eq!(of(f32::INFINITY, f32::MAX), Some(1));
        assert_eq!(of(f32::NAN, 1.0), None);
        assert_eq!(of(f32::NAN, -f32::NAN), Some(0));
        let (a, b) = (half::bf16::MAX, half::bf16::INFINITY);
        assert_eq!(ulps(&Tensor::scalar(a), &Tensor::scalar(b), 0), Some(1));
        assert_eq!(ulps(&Tensor::scalar(-1.0f64), &Tensor::scalar(1.0f64), 0), Some(2 * (0x3ff << 52)));
        assert_eq!(ulps(&Tensor::scalar(3u8), &Tensor::scalar(250u8), 0), Some(247));
    }

    #[test]
    fn the_first_difference_is_named() {
        let a = Tensor::from_slice(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0]);
        let b = Tensor::from_slice(&[2, 2], &[1.0f32, 2.0, 3.5, 4.0]);
        let e = compare(&a, &b, "x", |_, a, b| a == b).unwrap_err();
        assert!(e.message().contains("element [1, 0] is 3.0, expected 3.5"), "{e}");
    }
}
