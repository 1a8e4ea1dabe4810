//! StableHLO's `check` dialect (`stablehlo/tests/CheckOps.td` and the interpreter's documents):
//! `expect_eq` is exact, `expect_close` counts ULP, `expect_almost_eq` is within 1e-3.

use super::ulp::{Number, compare, ulps};
use super::{Probes, Value, ops};
use sim_core::ir::op::Check;
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};

/// What `expect_almost_eq` allows unless the operation says.
const ALMOST: f64 = 1e-3;

/// What `check.eq` (used on dequantized values) allows.
const EQ: f64 = 1e-4;

/// What `expect_close` allows unless the operation says.
const CLOSE_ULP: u64 = 3;

/// # Errors
/// `CheckFailed`: which element, both values, the distance.
pub(super) fn check(ctx: &Ctx, probes: &Probes, check: &Check, operands: &[Value]) -> Result<()> {
    let at = |i: usize| -> Result<&Tensor> {
        operands.get(i).ok_or_else(|| Diagnostic::invalid("a check needs more operands"))?.as_tensor()
    };
    match check {
        Check::ExpectEq => expect_eq(at(0)?, at(1)?),
        Check::ExpectEqConst(c) => expect_eq(at(0)?, &ops::expand(ctx, c)?),
        Check::ExpectAlmostEq(tolerance) => almost(at(0)?, at(1)?, tolerance.unwrap_or(ALMOST)),
        Check::ExpectAlmostEqConst(c, tolerance) => {
            almost(at(0)?, &ops::expand(ctx, c)?, tolerance.unwrap_or(ALMOST))
        }
        Check::ExpectClose { min_ulp, max_ulp } => {
            let (low, high) =
                (min_ulp.unwrap_or(0).max(0) as u64, max_ulp.map_or(CLOSE_ULP, |n| n.max(0) as u64));
            expect_close(at(0)?, at(1)?, low, high)
        }
        // StableHLO's tools write probes to files and read them back; here they stay in memory.
        Check::ExpectSerializedEq { probe_id, iteration, .. } => {
            let probes = probes.lock().unwrap_or_else(|e| e.into_inner());
            let seen = probes.get(probe_id).map_or(&[][..], |v| v);
            let nth = usize::try_from(*iteration).unwrap_or(0);
            let probed = seen.get(nth).ok_or_else(|| {
                Diagnostic::check_failed(format!(
                    "probe \"{probe_id}\" was passed {} times; there is no pass {nth}",
                    seen.len()
                ))
            })?;
            expect_eq(probed, at(0)?)
        }
    }
}

/// The `check.*` custom calls; `check.eq` gives its verdict as an `i1`.
pub(super) fn custom_call(name: &str, operands: &[Value]) -> Result<Option<Vec<Value>>> {
    let tensors = operands.iter().map(Value::as_tensor).collect::<Result<Vec<_>>>()?;
    let [a, b] = tensors[..] else { return Ok(None) };
    match name {
        "check.expect_eq" => expect_eq(a, b)?,
        "check.expect_close" => expect_close(a, b, 0, CLOSE_ULP)?,
        "check.expect_almost_eq" => almost(a, b, ALMOST)?,
        "check.eq" => {
            // The file fails if the verdict is no: nobody else looks at it.
            // Its first operand is what is expected.
            almost(b, a, EQ)?;
            return Ok(Some(vec![Tensor::from_slice_as(ElementType::Pred, &[], &[1u8]).into()]));
        }
        _ => return Ok(None),
    }
    Ok(Some(Vec::new()))
}

fn expect_eq(a: &Tensor, b: &Tensor) -> Result<()> {
    compare(a, b, "expect_eq", |_, a, b| match (a, b) {
        (Number::Float(a), Number::Float(b)) => same(a, b),
        (Number::Complex(a, b), Number::Complex(c, d)) => same(a, c) && same(b, d),
        _ => a == b,
    })
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

fn expect_close(a: &Tensor, b: &Tensor, min: u64, max: u64) -> Result<()> {
    compare(a, b, "expect_close", |i, _, _| ulps(a, b, i).is_some_and(|n| (min..=max).contains(&n)))
}

fn almost(a: &Tensor, b: &Tensor, tolerance: f64) -> Result<()> {
    let near = |a: f64, b: f64| same(a, b) || (a - b).abs() <= tolerance;
    compare(a, b, "expect_almost_eq", |_, a, b| match (a, b) {
        (Number::Float(a), Number::Float(b)) => near(a, b),
        (Number::Complex(a, b), Number::Complex(c, d)) => near(a, c) && near(b, d),
        _ => a == b,
    })
}
