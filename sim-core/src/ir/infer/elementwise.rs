//! Elementwise operations: every operand has the shape of the result (or is a scalar, where said).

use super::dims::{most_specific_type, same_element, show};
use super::quant;
use super::sig::{Inferred, Kinds, Sig, region_scalar, rule};
use crate::diag::Result;
use crate::dtype::{Class, ElementType};
use crate::ir::op::{Binary, CompareType, ResultAccuracy, Unary};
use crate::types::{Dim, TensorType};

/// What an operand of `op` may be.
fn unary_kinds(op: Unary) -> Kinds {
    use Unary as U;
    match op {
        U::Abs | U::Sign => Kinds::SIGNED.or(Kinds::FP).or(Kinds::QUANT),
        U::Cbrt | U::Cosine | U::Exponential | U::ExponentialMinusOne | U::Log | U::LogPlusOne => {
            Kinds::FP.or(Kinds::QUANT)
        }
        U::Logistic | U::Rsqrt | U::Sine | U::Sqrt | U::Tan | U::Tanh => Kinds::FP.or(Kinds::QUANT),
        U::Ceil | U::Floor | U::RoundNearestAfz | U::RoundNearestEven | U::IsFinite => {
            Kinds::FLOAT.or(Kinds::QUANT)
        }
        U::CountLeadingZeros | U::Popcnt => Kinds::INT,
        U::Not => Kinds::PRED_INT,
        U::Negate => Kinds::INT.or(Kinds::FP).or(Kinds::QUANT),
        U::Imag | U::Real => Kinds::FP,
        U::Acos | U::Acosh | U::Asin | U::Asinh | U::Atan | U::Atanh | U::Cosh | U::Sinh => Kinds::FP,
        U::AsinAcosKernel => Kinds::COMPLEX,
        U::Conj | U::Square => Kinds::INT.or(Kinds::FP),
        U::BesselI1e | U::Digamma | U::Erf | U::ErfInv | U::Erfc | U::Lgamma => Kinds::FLOAT,
        U::IsInf | U::IsNegInf | U::IsPosInf => Kinds::FLOAT,
    }
}

pub(super) fn unary(s: &Sig, op: Unary, accuracy: Option<&ResultAccuracy>) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", unary_kinds(op))?;
    if let Some(a) = accuracy {
        rule!(
            a.atol >= 0.0 && a.rtol >= 0.0 && a.ulps >= 0,
            "result_accuracy",
            "tolerances must not be negative"
        );
        rule!(
            &*a.mode == "TOLERANCE" || (a.atol == 0.0 && a.rtol == 0.0 && a.ulps == 0),
            "result_accuracy",
            "mode {} takes no tolerances",
            a.mode
        );
    }
    match op {
        Unary::Abs | Unary::Real | Unary::Imag if x.quant.is_none() => {
            Inferred::one(x.with_element(x.element.real_part()), "C2")
        }
        Unary::IsFinite | Unary::IsInf | Unary::IsNegInf | Unary::IsPosInf => {
            Inferred::one(x.with_element(ElementType::Pred), "C1")
        }
        _ => Inferred::one(x.clone(), "C1"),
    }
}

/// What the operands of `op` may be.
pub(super) fn binary_kinds(op: Binary) -> Kinds {
    use Binary as B;
    match op {
        B::Add => Kinds::ANY,
        B::Maximum | B::Minimum | B::Multiply => Kinds::TENSOR,
        B::Divide | B::Power | B::Remainder | B::Subtract => Kinds::INT.or(Kinds::FP).or(Kinds::QUANT),
        B::And | B::Or | B::Xor => Kinds::PRED_INT,
        B::ShiftLeft | B::ShiftRightArithmetic | B::ShiftRightLogical | B::MulHi => Kinds::INT,
        B::Atan2 => Kinds::FP.or(Kinds::QUANT),
        B::Complex | B::NextAfter | B::Polygamma | B::Zeta => Kinds::FLOAT,
    }
}

/// The element of the result of a binary operation on `element`: only `complex` changes it.
pub(super) fn binary_element(op: Binary, t: &TensorType) -> Result<ElementType> {
    if op != Binary::Complex {
        return Ok(t.element);
    }
    match t.element.complex_of() {
        Some(c) => Ok(c),
        None => {
            Err(crate::Diagnostic::invalid(format!("(I1) lhs must be a tensor of type f32 or f64, got {t}")))
        }
    }
}

pub(super) fn binary(s: &Sig, op: Binary) -> Result<Inferred> {
    s.plain(2)?;
    let kinds = binary_kinds(op);
    let (lhs, rhs) = (s.tensor(0, "lhs", kinds)?, s.tensor(1, "rhs", kinds)?);
    if op == Binary::Add && (lhs.quant.is_some() || rhs.quant.is_some()) {
        same_dims(lhs, rhs, "C1", "lhs", "rhs")?;
        return quant::add(s, lhs, rhs);
    }
    rule!(same_element(lhs, rhs), "C1", "lhs and rhs must have the same element type, got {lhs} and {rhs}");
    same_dims(lhs, rhs, "C1", "lhs", "rhs")?;
    let both = most_specific_type(&[lhs, rhs]);
    if op == Binary::Complex {
        return Inferred::one(both.with_element(binary_element(op, lhs)?), "C3");
    }
    Inferred::one(both, "C1")
}

/// Shapes agree, or an error that names the dimension.
pub(super) fn same_dims(
    a: &TensorType,
    b: &TensorType,
    rule: &str,
    a_name: &str,
    b_name: &str,
) -> Result<()> {
    rule!(a.rank() == b.rank(), rule, "{a_name} and {b_name} must have the same shape, got {a} and {b}");
    for (i, (x, y)) in a.dims.iter().zip(&b.dims).enumerate() {
        rule!(
            x.compatible(*y),
            rule,
            "{a_name} and {b_name} must have the same shape: dimension {i} is {} in {a_name} and {} in {b_name}",
            show(*x),
            show(*y)
        );
    }
    Ok(())
}

pub(super) fn compare(s: &Sig, ty: CompareType) -> Result<Inferred> {
    s.plain(2)?;
    let (lhs, rhs) = (s.tensor(0, "lhs", Kinds::TENSOR)?, s.tensor(1, "rhs", Kinds::TENSOR)?);
    rule!(same_element(lhs, rhs), "C1", "lhs and rhs must have the same element type, got {lhs} and {rhs}");
    same_dims(lhs, rhs, "C2", "lhs", "rhs")?;
    if lhs.quant.is_none() {
        compare_type(lhs.element, ty)?;
    }
    let both = most_specific_type(&[lhs, rhs]);
    Inferred::one(both.with_element(ElementType::Pred), "C2")
}

/// (C3) of `compare`, as far as the reference insists: floating-point comparisons need
/// floating-point elements. Producers write SIGNED for booleans and even for floats, where the
/// element type decides anyway.
pub(super) fn compare_type(element: ElementType, ty: CompareType) -> Result<()> {
    let fits = match ty {
        CompareType::Default | CompareType::Signed | CompareType::Unsigned => true,
        CompareType::Float => matches!(element.class(), Class::Float | Class::Complex),
        CompareType::TotalOrder => element.is_float(),
    };
    rule!(fits, "C3", "compare_type {ty:?} does not fit elements of type {element}");
    Ok(())
}

pub(super) fn select(s: &Sig) -> Result<Inferred> {
    s.plain(3)?;
    let pred = s.tensor(0, "pred", Kinds::PRED)?;
    let on_true = s.tensor(1, "on_true", Kinds::ANY)?;
    let on_false = s.tensor(2, "on_false", Kinds::ANY)?;
    if pred.rank() != 0 {
        same_dims(pred, on_true, "C1", "pred", "on_true")?;
    }
    rule!(
        same_element(on_true, on_false),
        "C2",
        "on_true and on_false must have the same element type, got {on_true} and {on_false}"
    );
    same_dims(on_true, on_false, "C2", "on_true", "on_false")?;
    Inferred::one(most_specific_type(&[on_true, on_false]), "C2")
}

pub(super) fn clamp(s: &Sig) -> Result<Inferred> {
    s.plain(3)?;
    let min = s.tensor(0, "min", Kinds::TENSOR)?;
    let x = s.tensor(1, "operand", Kinds::TENSOR)?;
    let max = s.tensor(2, "max", Kinds::TENSOR)?;
    if min.rank() != 0 {
        same_dims(min, x, "C1", "min", "operand")?;
    }
    if max.rank() != 0 {
        same_dims(max, x, "C2", "max", "operand")?;
    }
    rule!(
        same_element(min, x) && same_element(max, x),
        "C3",
        "min, operand and max must have the same element type, got {min}, {x} and {max}"
    );
    Inferred::one(x.clone(), "C4")
}

pub(super) fn convert(s: &Sig) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::PLAIN)?;
    if let Some(result) = s.result(0, "result", Kinds::PLAIN)? {
        same_dims(x, result, "C1", "operand", "result")?;
    }
    Ok(Inferred::Declared)
}

pub(super) fn bitcast_convert(s: &Sig) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::ANY)?;
    let Some(y) = s.result(0, "result", Kinds::ANY)? else { return Ok(Inferred::Declared) };
    rule!(
        x.element.is_complex() == y.element.is_complex(),
        "C2",
        "complex elements convert to complex ones only, got {x} and {y}"
    );
    let (from, to) = (x.element.bits(), y.element.bits());
    // The side with the narrower elements has one dimension more, as large as the ratio.
    let (narrow, wide, narrow_name) = match from.cmp(&to) {
        std::cmp::Ordering::Equal => {
            same_dims(x, y, "C1", "operand", "result")?;
            return Ok(Inferred::Declared);
        }
        std::cmp::Ordering::Less => (x, y, "operand"),
        std::cmp::Ordering::Greater => (y, x, "result"),
    };
    rule!(
        narrow.rank() == wide.rank() + 1,
        "C1",
        "from {from} to {to} bits, {narrow_name} must have one dimension more than the other: {x} and {y}"
    );
    let (small, large) = (from.min(to), from.max(to));
    let last = narrow.dims[narrow.rank() - 1];
    rule!(
        large % small == 0 && Dim::Static(i64::from(large / small)).compatible(last),
        "C1",
        "from {from} to {to} bits, the last dimension of {narrow_name} must be {large} / {small}, got {}",
        show(last)
    );
    for (i, (a, b)) in narrow.dims.iter().zip(&wide.dims).enumerate() {
        rule!(a.compatible(*b), "C1", "dimension {i} of operand and result must be equal, got {x} and {y}");
    }
    Ok(Inferred::Declared)
}

pub(super) fn reduce_precision(s: &Sig, exponent_bits: i64, mantissa_bits: i64) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::FLOAT.or(Kinds::QUANT))?;
    rule!(exponent_bits >= 1, "C2", "exponent_bits must be at least 1, got {exponent_bits}");
    rule!(mantissa_bits >= 0, "C3", "mantissa_bits must not be negative, got {mantissa_bits}");
    Inferred::one(x.clone(), "C1")
}

pub(super) fn map(s: &Sig, dims: &[i64]) -> Result<Inferred> {
    s.region_count(1)?;
    s.result_count(1)?;
    rule!(!s.operands.is_empty(), "C2", "at least one input is needed");
    let inputs = s.tensors(0..s.operands.len(), 1, "inputs", Kinds::TENSOR)?;
    for x in &inputs[1..] {
        same_dims(inputs[0], x, "C1", "inputs[0]", "the other inputs")?;
    }
    rule!(
        dims.len() == inputs[0].rank() && dims.iter().enumerate().all(|(i, &d)| d == i as i64),
        "C3",
        "dimensions must be all dimensions in order, got {dims:?} for {}",
        inputs[0]
    );
    let body = s.region(0)?;
    rule!(
        body.args.len() == inputs.len(),
        "C4",
        "the computation must take {} arguments, it takes {}",
        inputs.len(),
        body.args.len()
    );
    for (i, (arg, x)) in body.args.iter().zip(&inputs).enumerate() {
        let arg = region_scalar(arg, "C4", "the computation's argument")?;
        rule!(same_element(arg, x), "C4", "the computation's argument {i} is {arg}, but the input is {x}");
    }
    rule!(body.results.len() == 1, "C4", "the computation must return one value, got {}", body.results.len());
    let out = region_scalar(&body.results[0], "C4", "the computation's result")?;
    let shape = most_specific_type(&inputs);
    Inferred::one(TensorType { dims: shape.dims, encoding: None, ..out.clone() }, "C4")
}
