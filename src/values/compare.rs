//! Is an output what was expected? As `numpy.testing.assert_allclose` asks: for every element,
//! |actual - expected| <= atol + rtol * |expected|. NaN equals NaN; an infinity equals itself.

use super::{Scalar, coordinates, display, scalar};
use backend::runtime::ulp::ulps;
use sim_core::Tensor;

/// Both zero: values must be equal (`0.0` equals `-0.0`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    pub rtol: f64,
    pub atol: f64,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Elements outside the tolerance.
    pub failed: usize,
    pub total: usize,
    /// Over all elements that are finite on both sides.
    pub max_abs: f64,
    pub max_ulps: u64,
    /// The first element outside the tolerance.
    pub first: Option<Element>,
    /// The one whose difference is largest.
    pub worst: Option<Element>,
}

/// One element that is not as expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub index: Vec<usize>,
    pub actual: String,
    pub expected: String,
    /// Representable values between the two; `None` where one is NaN.
    pub ulps: Option<u64>,
}

/// Compares tensors of one type and shape.
pub fn compare(actual: &Tensor, expected: &Tensor, tolerance: Tolerance) -> Comparison {
    let mut found =
        Comparison { failed: 0, total: actual.len(), max_abs: 0.0, max_ulps: 0, first: None, worst: None };
    if actual.bytes() == expected.bytes() {
        return found;
    }
    let size = actual.element().byte_size();
    let pairs = actual.bytes().chunks_exact(size).zip(expected.bytes().chunks_exact(size));
    let (mut first, mut worst) = (None, (None, -1.0));
    for (i, (a, b)) in pairs.enumerate() {
        if a == b {
            continue;
        }
        let (difference, magnitude) = difference(scalar(actual, i), scalar(expected, i));
        if difference.is_finite() {
            found.max_abs = found.max_abs.max(difference);
            found.max_ulps = found.max_ulps.max(ulps(actual, expected, i).unwrap_or(0));
        }
        // Written so that a NaN, of either side or of the tolerance, fails.
        let within = difference == 0.0 || difference <= tolerance.atol + tolerance.rtol * magnitude;
        if !within {
            found.failed += 1;
            first.get_or_insert(i);
            let badness = if difference.is_nan() { f64::INFINITY } else { difference };
            if badness > worst.1 {
                worst = (Some(i), badness);
            }
        }
    }
    let describe = |i: usize| Element {
        index: coordinates(actual.shape(), i),
        actual: display::element(actual, i),
        expected: display::element(expected, i),
        ulps: ulps(actual, expected, i),
    };
    found.first = first.map(describe);
    found.worst = worst.0.map(describe);
    found
}

/// The distance of two elements, and the magnitude of the second. Zero where they are to count as
/// equal, infinite or NaN where no tolerance covers it.
fn difference(a: Scalar, b: Scalar) -> (f64, f64) {
    match (a, b) {
        (Scalar::Bool(a), Scalar::Bool(b)) => (if a == b { 0.0 } else { f64::INFINITY }, 0.0),
        (Scalar::Int(a), Scalar::Int(b)) => (a.abs_diff(b) as f64, b.unsigned_abs() as f64),
        (Scalar::Uint(a), Scalar::Uint(b)) => (a.abs_diff(b) as f64, b as f64),
        (Scalar::Float(a), Scalar::Float(b)) => (float_difference(a, b), finite_magnitude(b)),
        (Scalar::Complex(ar, ai), Scalar::Complex(br, bi)) => {
            let (re, im) = (float_difference(ar, br), float_difference(ai, bi));
            (re.hypot(im), finite_magnitude(br.hypot(bi)))
        }
        _ => (f64::NAN, 0.0),
    }
}

fn float_difference(a: f64, b: f64) -> f64 {
    if a == b || (a.is_nan() && b.is_nan()) {
        0.0
    } else if a.is_infinite() || b.is_infinite() {
        f64::INFINITY
    } else {
        (a - b).abs()
    }
}

/// An infinite expectation does not widen the tolerance.
fn finite_magnitude(x: f64) -> f64 {
    if x.is_finite() { x.abs() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Tolerance = Tolerance { rtol: 0.0, atol: 0.0 };

    fn f32s(x: &[f32]) -> Tensor {
        Tensor::from_slice(&[x.len()], x)
    }

    #[test]
    fn nan_and_zero_equal_themselves() {
        let found = compare(&f32s(&[f32::NAN, 0.0, 1.0]), &f32s(&[-f32::NAN, -0.0, 1.0]), EXACT);
        assert_eq!(found.failed, 0);
    }

    #[test]
    fn the_first_and_the_worst_are_named() {
        let found = compare(&f32s(&[1.0, 2.0, 3.5]), &f32s(&[1.0, 2.0000002, 3.0]), EXACT);
        assert_eq!(found.failed, 2);
        let first = found.first.unwrap();
        assert_eq!((first.index, first.ulps), (vec![1], Some(1)));
        assert_eq!((first.actual.as_str(), first.expected.as_str()), ("2.0", "2.0000002"));
        assert_eq!(found.worst.unwrap().index, [2]);
        let close = Tolerance { rtol: 1e-6, atol: 0.5 };
        assert_eq!(compare(&f32s(&[1.0, 2.0, 3.5]), &f32s(&[1.0, 2.0000002, 3.0]), close).failed, 0);
    }

    #[test]
    fn infinities_and_nan_fail_under_any_tolerance() {
        let loose = Tolerance { rtol: 1e30, atol: 1e30 };
        let found = compare(
            &f32s(&[f32::INFINITY, 1.0, f32::NAN, 1.0]),
            &f32s(&[1.0, f32::NEG_INFINITY, 1.0, f32::NAN]),
            loose,
        );
        assert_eq!(found.failed, 4);
        assert_eq!(found.worst.unwrap().index, [0]);
    }

    #[test]
    fn ulps_across_zero() {
        let of = |a: f32, b: f32| ulps(&f32s(&[a]), &f32s(&[b]), 0);
        assert_eq!(of(-f32::from_bits(1), f32::from_bits(2)), Some(3));
        assert_eq!(of(f32::NAN, 1.0), None);
        let (a, b) = (num_complex::Complex::new(1f64, 1.0), num_complex::Complex::new(1f64, -1.0));
        assert_eq!(ulps(&Tensor::scalar(a), &Tensor::scalar(b), 0), Some(2 * (0x3ff << 52)));
    }
}
