//! Quantized types: their own constraints, and those that operations put on scales and zero points.

use super::dims::{most_specific_type, same_element_exactly};
use super::elementwise::same_dims;
use super::sig::{Inferred, Kinds, Sig, broken, rule};
use crate::diag::Result;
use crate::types::{QuantType, TensorType, default_storage_range};

/// The constraints of quantized element types, and of the tensors they are in.
pub(super) fn check_type(q: &QuantType, t: &TensorType) -> Result<()> {
    rule!(
        t.element == q.storage,
        "quantized type",
        "elements of {} cannot be stored as {}",
        t.element,
        q.storage
    );
    rule!(
        q.storage.is_integer(),
        "quantized type",
        "the storage type must be an integer type, got {}",
        q.storage
    );
    rule!(
        q.expressed.is_float(),
        "quantized type C4",
        "the expressed type must be a floating-point type, got {}",
        q.expressed
    );
    let (lo, hi) = default_storage_range(q.storage);
    rule!(
        lo <= q.storage_min && q.storage_min < q.storage_max && q.storage_max <= hi,
        "quantized type C3",
        "storage range {}:{} is empty or exceeds that of {}, {lo}:{hi}",
        q.storage_min,
        q.storage_max,
        q.storage
    );
    for (i, &scale) in q.scales.iter().enumerate() {
        rule!(
            scale.is_finite() && scale > 0.0,
            "quantized type C5",
            "scale {i} must be positive and finite, got {scale}"
        );
    }
    for &z in &q.zero_points {
        rule!(
            (q.storage_min..=q.storage_max).contains(&z),
            "quantized type C7",
            "zero point {z} is outside of the storage range {}:{}",
            q.storage_min,
            q.storage_max
        );
    }
    rule!(
        q.scales.len() == q.zero_points.len(),
        "quantized type C9",
        "{} scales, but {} zero points",
        q.scales.len(),
        q.zero_points.len()
    );
    let Some(axis) = q.axis else {
        rule!(
            q.scales.len() == 1,
            "quantized type C10",
            "a per-tensor type has one scale, got {}",
            q.scales.len()
        );
        return Ok(());
    };
    rule!(axis >= 0, "quantized type C11", "the quantization dimension must not be negative, got {axis}");
    rule!(
        (axis as u64) < t.rank() as u64,
        "quantized tensor C12",
        "the quantization dimension {axis} is not one of {t}"
    );
    if let Some(n) = t.dims[axis as usize].as_static() {
        rule!(
            n == q.scales.len() as i64,
            "quantized tensor C13",
            "dimension {axis} has size {n}, but there are {} scales",
            q.scales.len()
        );
    }
    Ok(())
}

pub(super) fn uniform_quantize(s: &Sig) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::FLOAT.or(Kinds::QUANT).or(Kinds::AXIS))?;
    let Some(y) = s.result(0, "result", Kinds::QUANT.or(Kinds::AXIS))? else { return Ok(Inferred::Declared) };
    same_dims(x, y, "C1", "operand", "result")?;
    let from = x.quant.as_ref().map_or(x.element, |q| q.expressed);
    let to = y.quant.as_ref().map_or(y.element, |q| q.expressed);
    rule!(from == to, "C2", "the expressed type of the result must be {from}, got {to}");
    Ok(Inferred::Declared)
}

pub(super) fn uniform_dequantize(s: &Sig) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::QUANT.or(Kinds::AXIS))?;
    let element = x.quant.as_ref().map_or(x.element, |q| q.expressed);
    Inferred::one(x.with_element(element), "C2")
}

/// (C2) to (C7) of `add`, whose result may have scales of its own.
pub(super) fn add(s: &Sig, lhs: &TensorType, rhs: &TensorType) -> Result<Inferred> {
    let declared = s.result(0, "result", Kinds::ANY)?;
    let (Some(l), Some(r)) = (&lhs.quant, &rhs.quant) else {
        return Err(broken(
            "C2",
            format_args!("either all of lhs, rhs and result are quantized or none, got {lhs} and {rhs}"),
        ));
    };
    rule!(l.storage == r.storage, "C3", "storage types must be equal, got {} and {}", l.storage, r.storage);
    rule!(
        l.expressed == r.expressed,
        "C4",
        "expressed types must be equal, got {} and {}",
        l.expressed,
        r.expressed
    );
    let Some(result) = declared else {
        // A result per axis needs an operand per axis, whose dimension it takes.
        let first = if l.axis.is_some() { lhs } else { rhs };
        let dims = most_specific_type(&[lhs, rhs]).dims;
        return Inferred::one(TensorType { dims, ..first.clone() }, "C5");
    };
    let Some(q) = &result.quant else {
        return Err(broken(
            "C2",
            format_args!("either all of lhs, rhs and result are quantized or none, the result is {result}"),
        ));
    };
    same_dims(&most_specific_type(&[lhs, rhs]), result, "C1", "the operands", "the result")?;
    rule!(q.storage == l.storage, "C3", "storage types must be equal, got {} and {}", l.storage, q.storage);
    rule!(
        q.expressed == l.expressed,
        "C4",
        "expressed types must be equal, got {} and {}",
        l.expressed,
        q.expressed
    );
    rule!(
        (l.axis.is_some() || r.axis.is_some()) == q.axis.is_some(),
        "C5",
        "the result is quantized per axis if and only if an operand is"
    );
    for (operand, label, name) in [(l, "C6", "lhs"), (r, "C7", "rhs")] {
        rule!(
            operand.axis.is_none() || operand.axis == q.axis,
            label,
            "the quantization dimension of {name} is {:?}, that of the result {:?}",
            operand.axis,
            q.axis
        );
    }
    Ok(Inferred::Declared)
}

/// (C1) of operations that only move data: the result has the operand's element type, scales and
/// zero points included; the quantization dimension may have moved.
pub(super) fn same_values(x: &TensorType, y: &TensorType, label: &str) -> Result<()> {
    rule!(
        same_element_exactly(x, y),
        label,
        "operand and result must have the same element type, got {x} and {y}"
    );
    Ok(())
}

/// (C1) and (C6) of `broadcast_in_dim` and `dynamic_broadcast_in_dim`.
pub(super) fn broadcast(x: &TensorType, y: &TensorType, dims: &[i64]) -> Result<()> {
    let (Some(qx), Some(qy)) = (&x.quant, &y.quant) else { return Ok(()) };
    let (Some(from), Some(to)) = (qx.axis, qy.axis) else { return same_values(x, y, "C1") };
    let Some(&moved) = usize::try_from(from).ok().and_then(|i| dims.get(i)) else { return Ok(()) };
    rule!(
        to == moved,
        "C6",
        "the quantization dimension of the result must be broadcast_dimensions[{from}] = {moved}, got {to}"
    );
    let spread = qx.scales.len() == 1;
    let same = if spread {
        qy.scales.iter().all(|s| *s == qx.scales[0]) && qy.zero_points.iter().all(|z| *z == qx.zero_points[0])
    } else {
        true
    };
    rule!(same, "C6", "every scale and zero point of the result must be the operand's only one");
    Ok(())
}

/// (C3) of `reshape` and `dynamic_reshape`: the quantized dimension keeps its size and its place.
pub(super) fn reshape(x: &TensorType, y: &TensorType) -> Result<()> {
    same_values(x, y, "C1")?;
    let axis = |t: &TensorType| t.quant.as_ref().and_then(|q| q.axis).and_then(|a| usize::try_from(a).ok());
    let (Some(from), Some(to)) = (axis(x), axis(y)) else { return Ok(()) };
    let (Some(dx), Some(dy)) = (x.dims.get(from), y.dims.get(to)) else { return Ok(()) };
    rule!(dx.compatible(*dy), "C3", "the quantized dimension must keep its size, got {x} and {y}");
    let before =
        |t: &TensorType, n: usize| t.dims[..n].iter().try_fold(1i64, |p, d| p.checked_mul(d.as_static()?));
    if let (Some(a), Some(b)) = (before(x, from), before(y, to)) {
        rule!(
            a == b,
            "C3",
            "as many elements must come before the quantized dimension: {a} in operand, {b} in result"
        );
    }
    Ok(())
}

/// The constraints that contractions share: (C14)–(C20) of `dot_general`, (C28)–(C34) of
/// `convolution`. `labels` are their names in that order: mixed, storage, expressed, granularity, float.
pub(super) fn contraction(
    lhs: &TensorType,
    rhs: &TensorType,
    result: Option<&TensorType>,
    labels: [&'static str; 5],
) -> Result<()> {
    let [mixed, storage, expressed, granularity, float] = labels;
    let Some(r) = &rhs.quant else {
        return Err(broken(
            mixed,
            format_args!("rhs must be quantized when lhs or the result is, got {lhs} and {rhs}"),
        ));
    };
    if let Some(out) = result {
        rule!(
            lhs.quant.is_some() == out.quant.is_some(),
            mixed,
            "the result must be quantized if and only if lhs is, got {lhs} and {out}"
        );
    }
    let Some(l) = &lhs.quant else {
        rule!(
            lhs.element == r.expressed,
            float,
            "lhs must have rhs's expressed type {}, got {lhs}",
            r.expressed
        );
        if let Some(out) = result {
            rule!(out.element == lhs.element, float, "the result must have lhs's element type, got {out}");
        }
        return Ok(());
    };
    rule!(
        l.storage == r.storage,
        storage,
        "storage types must be equal, got {} and {}",
        l.storage,
        r.storage
    );
    rule!(
        l.expressed == r.expressed,
        expressed,
        "expressed types must be equal, got {} and {}",
        l.expressed,
        r.expressed
    );
    if let Some(q) = result.and_then(|out| out.quant.as_ref()) {
        rule!(
            l.expressed == q.expressed,
            expressed,
            "expressed types must be equal, got {} and {}",
            l.expressed,
            q.expressed
        );
        rule!(
            r.axis.is_some() || q.axis.is_none(),
            granularity,
            "with rhs quantized per tensor, the result must be so too"
        );
    }
    Ok(())
}
