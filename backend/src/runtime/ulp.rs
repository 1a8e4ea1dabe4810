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

/// How many representable values of `ty` lie between `a` and `b` (both exactly representable).
/// Both NaN, or equal: 0. One NaN: `u64::MAX`. Infinity is one step beyond the largest value.
pub fn ulps(ty: ElementType, a: f64, b: f64) -> u64 {
    if a == b || (a.is_nan() && b.is_nan()) {
        return 0;
    }
    if a.is_nan() || b.is_nan() {
        return u64::MAX;
    }
    // Positions on the line of the type's values: sign-magnitude bits made monotonic.
    let position = |x: f64| -> i128 {
        let (bits, width) = match ty {
            ElementType::F64 | ElementType::C128 => (x.to_bits(), 64),
            ElementType::F32 | ElementType::C64 => (u64::from((x as f32).to_bits()), 32),
            ElementType::BF16 => (u64::from(half::bf16::from_f64(x).to_bits()), 16),
            ElementType::F16 => (u64::from(half::f16::from_f64(x).to_bits()), 16),
            // A byte's formats: count f32 steps; they are only ever compared for closeness.
            _ => (u64::from((x as f32).to_bits()), 32),
        };
        let sign = 1u64 << (width - 1);
        let magnitude = i128::from(bits & (sign - 1));
        if bits & sign != 0 { -magnitude } else { magnitude }
    };
    u64::try_from((position(a) - position(b)).unsigned_abs()).unwrap_or(u64::MAX)
}

/// ULPs between two elements; complex: the larger of the parts; integers: their difference.
pub fn distance(ty: ElementType, a: Number, b: Number) -> u64 {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => u64::try_from((a - b).unsigned_abs()).unwrap_or(u64::MAX),
        (Number::Float(a), Number::Float(b)) => ulps(ty, a, b),
        (Number::Complex(a, b), Number::Complex(c, d)) => ulps(ty, a, c).max(ulps(ty, b, d)),
        _ => u64::MAX,
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
    same: impl Fn(Number, Number) -> bool,
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
        (0..got.len()).filter(|&i| !same(number(got, i), number(expected, i))).collect();
    let Some(&first) = differing.first() else { return Ok(()) };
    let (a, b) = (number(got, first), number(expected, first));
    let ulps = match (distance(got.element(), a, b), a) {
        (u64::MAX, _) => String::new(),
        (n, Number::Int(_)) => format!(" (off by {n})"),
        (n, _) => format!(" ({n} ULP apart)"),
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
    fn steps_between_floats() {
        let next = f32::from_bits(1.0f32.to_bits() + 1);
        assert_eq!(ulps(ElementType::F32, 1.0, next.into()), 1);
        assert_eq!(ulps(ElementType::F32, -0.0, 0.0), 0);
        let tiny = f64::from(f32::from_bits(1));
        assert_eq!(ulps(ElementType::F32, -tiny, tiny), 2);
        assert_eq!(ulps(ElementType::BF16, f64::INFINITY, f64::from(half::bf16::MAX)), 1);
        assert_eq!(ulps(ElementType::F64, f64::NAN, 1.0), u64::MAX);
        assert_eq!(ulps(ElementType::F64, f64::NAN, f64::NAN), 0);
    }

    #[test]
    fn the_first_difference_is_named() {
        let a = Tensor::from_slice(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0]);
        let b = Tensor::from_slice(&[2, 2], &[1.0f32, 2.0, 3.5, 4.0]);
        let e = compare(&a, &b, "x", |a, b| a == b).unwrap_err();
        assert!(e.message().contains("element [1, 0] is 3.0, expected 3.5"), "{e}");
    }
}
