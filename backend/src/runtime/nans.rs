//! `--check-nans`: the first operation that makes a NaN or an infinity out of finite operands.

use super::Value;
use sim_core::dtype::*;
use sim_core::ir::{Op, Operation};
use sim_core::{Diagnostic, Result, Tensor};

/// # Errors
/// `CheckFailed`, with the output, the element's index and its value.
pub(super) fn check(op: &Operation, operands: &[Value], results: &[Value]) -> Result<()> {
    // Constants are what the program says; regions and calls are checked inside.
    if operands.is_empty()
        || !op.regions.is_empty() && !matches!(op.op, Op::Reduce { .. } | Op::ReduceWindow(_))
        || matches!(op.op, Op::Call { .. } | Op::Tuple | Op::GetTupleElement { .. })
    {
        return Ok(());
    }
    let tensors = |vs: &[Value]| vs.iter().flat_map(|v| v.leaves()).cloned().collect::<Vec<_>>();
    let found = tensors(results).into_iter().enumerate().find_map(|(i, t)| first_bad(&t).map(|b| (i, t, b)));
    let Some((i, t, (at, value))) = found else { return Ok(()) };
    if tensors(operands).iter().any(|t| first_bad(t).is_some()) {
        return Ok(());
    }
    let mut index = Vec::new();
    let mut rest = at;
    for &n in t.shape().iter().rev() {
        index.push(rest % n);
        rest /= n;
    }
    index.reverse();
    Err(Diagnostic::check_failed(format!("result {i} is {value} at {index:?}, and all operands are finite"))
        .help("run without --check-nans to see the values the program goes on with"))
}

/// The first element that is NaN or infinite: its position and what it is.
fn first_bad(t: &Tensor) -> Option<(usize, f64)> {
    fn scan<T: Native>(t: &Tensor, f: impl Fn(T) -> f64) -> Option<(usize, f64)> {
        t.as_slice::<T>().iter().map(|&x| f(x)).enumerate().find(|(_, x)| !x.is_finite())
    }
    fn small<T: Native + SmallFloat>(t: &Tensor) -> Option<(usize, f64)> {
        scan::<T>(t, |x| f64::from(x.to_f32()))
    }
    match t.element() {
        ElementType::F32 => scan::<f32>(t, f64::from),
        ElementType::F64 => scan::<f64>(t, |x| x),
        ElementType::BF16 => scan::<half::bf16>(t, f64::from),
        ElementType::F16 => scan::<half::f16>(t, f64::from),
        ElementType::C64 => scan::<num_complex::Complex<f32>>(t, |x| f64::from(x.re + 0.0 * x.im)),
        ElementType::C128 => scan::<num_complex::Complex<f64>>(t, |x| x.re + 0.0 * x.im),
        ElementType::F8E3M4 => small::<F8E3M4>(t),
        ElementType::F8E4M3 => small::<F8E4M3>(t),
        ElementType::F8E4M3FN => small::<F8E4M3FN>(t),
        ElementType::F8E4M3FNUZ => small::<F8E4M3FNUZ>(t),
        ElementType::F8E4M3B11FNUZ => small::<F8E4M3B11FNUZ>(t),
        ElementType::F8E5M2 => small::<F8E5M2>(t),
        ElementType::F8E5M2FNUZ => small::<F8E5M2FNUZ>(t),
        ElementType::F8E8M0FNU => small::<F8E8M0FNU>(t),
        _ => None,
    }
}
