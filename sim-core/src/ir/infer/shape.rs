//! Static shape operations: broadcast, reshape, transpose, reverse, pad, concatenate.

use super::dims::{
    add_dims, axis, in_range, map_dim, most_specific, same_element, same_element_exactly, show, sized,
    static_dims, unique, with_dims,
};
use super::quant;
use super::sig::{Inferred, Kinds, Sig, broken, rule};
use crate::diag::Result;
use crate::types::{Dim, Dims, TensorType};

pub(super) fn broadcast_in_dim(s: &Sig, dims: &[i64]) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::ANY)?;
    sized(dims.len(), x.rank(), "C2", "broadcast_dimensions", "the rank of operand")?;
    unique(dims, "C4", "broadcast_dimensions")?;
    let Some(y) = s.result(0, "result", Kinds::ANY)? else { return Ok(Inferred::Declared) };
    check_broadcast(x, y, dims)?;
    for (i, &d) in dims.iter().enumerate() {
        // Growing an unknown size is what dynamic_broadcast_in_dim is for.
        let (from, to) = (x.dims[i], y.dims[d as usize]);
        rule!(
            from == Dim::Static(1) || !from.is_static() || to.is_static() || matches!(to, Dim::Bounded(_)),
            "C5",
            "dimension {i} of operand has size {}, which cannot become {}",
            show(from),
            show(to)
        );
    }
    Ok(Inferred::Declared)
}

/// (C1), (C3), (C5) and (C6), which `dynamic_broadcast_in_dim` shares.
pub(super) fn check_broadcast(x: &TensorType, y: &TensorType, dims: &[i64]) -> Result<()> {
    rule!(same_element(x, y), "C1", "operand and result must have the same element type, got {x} and {y}");
    in_range(dims, y.rank(), "C3", "broadcast_dimensions", "result")?;
    for (i, &d) in dims.iter().enumerate() {
        let (from, to) = (x.dims[i], y.dims[d as usize]);
        rule!(
            from == Dim::Static(1) || from.compatible(to),
            "C5",
            "dimension {i} of operand has size {}, neither 1 nor the size {} of dimension {d} of result",
            show(from),
            show(to)
        );
    }
    quant::broadcast(x, y, dims)
}

pub(super) fn broadcast(s: &Sig, sizes: &[i64]) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    rule!(sizes.iter().all(|&n| n >= 0), "C1", "broadcast_sizes must not be negative, got {sizes:?}");
    Inferred::one(with_dims(x, static_dims(sizes).into_iter().chain(x.dims.iter().copied())), "C1")
}

pub(super) fn reshape(s: &Sig) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::ANY)?;
    let Some(y) = s.result(0, "result", Kinds::ANY)? else { return Ok(Inferred::Declared) };
    check_reshape(x, y)?;
    Ok(Inferred::Declared)
}

/// (C1) to (C3), which `dynamic_reshape` shares.
pub(super) fn check_reshape(x: &TensorType, y: &TensorType) -> Result<()> {
    rule!(same_element(x, y), "C1", "operand and result must have the same element type, got {x} and {y}");
    if let (Some(a), Some(b)) = (x.num_elements(), y.num_elements()) {
        rule!(a == b, "C2", "operand has {a} elements ({x}), but the result has {b} ({y})");
    }
    quant::reshape(x, y)
}

pub(super) fn transpose(s: &Sig, permutation: &[i64]) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::ANY)?;
    sized(permutation.len(), x.rank(), "C2", "permutation", "the rank of operand")?;
    in_range(permutation, x.rank(), "C2", "permutation", "operand")?;
    unique(permutation, "C2", "permutation")?;
    if let Some(y) = s.result(0, "result", Kinds::ANY)? {
        rule!(
            same_element_exactly(x, y),
            "C1",
            "operand and result must have the same element type, got {x} and {y}"
        );
        let axis = |t: &TensorType| t.quant.as_ref().and_then(|q| q.axis);
        if let (Some(from), Some(to)) = (axis(x), axis(y)) {
            let moved = usize::try_from(to).ok().and_then(|i| permutation.get(i));
            rule!(
                moved == Some(&from),
                "C4",
                "the quantization dimension of the result, {to}, is not where the operand's, {from}, goes"
            );
        }
    }
    let dims: Dims = permutation.iter().map(|&p| x.dims[p as usize]).collect();
    let mut out = with_dims(x, dims);
    if let Some(q) = &mut out.quant
        && let Some(from) = q.axis
    {
        let to = permutation.iter().position(|&p| p == from).map(|p| p as i64);
        std::sync::Arc::make_mut(q).axis = to;
    }
    Inferred::one(out, "C3")
}

pub(super) fn reverse(s: &Sig, dims: &[i64]) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    unique(dims, "C2", "dimensions")?;
    in_range(dims, x.rank(), "C3", "dimensions", "operand")?;
    Inferred::one(x.clone(), "C1")
}

pub(super) fn pad(s: &Sig, low: &[i64], high: &[i64], interior: &[i64]) -> Result<Inferred> {
    s.plain(2)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let value = s.scalar(1, "padding_value", Kinds::TENSOR)?;
    rule!(
        same_element(x, value),
        "C1",
        "operand and padding_value must have the same element type, got {x} and {value}"
    );
    for (list, name) in
        [(low, "edge_padding_low"), (high, "edge_padding_high"), (interior, "interior_padding")]
    {
        sized(list.len(), x.rank(), "C2", name, "the rank of operand")?;
    }
    rule!(interior.iter().all(|&n| n >= 0), "C3", "interior_padding must not be negative, got {interior:?}");
    let mut dims = Dims::new();
    for (i, &d) in x.dims.iter().enumerate() {
        let padded = map_dim(d, |n| padded_size(n, low[i], high[i], interior[i]));
        let Some(padded) = padded else {
            return Err(broken(
                "C4",
                format_args!("padding makes dimension {i} of {x} negative or too large"),
            ));
        };
        dims.push(padded);
    }
    Inferred::one(with_dims(x, dims), "C4")
}

/// `n + low + max(n - 1, 0) * interior + high`, if it is a size.
pub(super) fn padded_size(n: i64, low: i64, high: i64, interior: i64) -> Option<i64> {
    let size = n
        .checked_add(low)?
        .checked_add(n.saturating_sub(1).max(0).checked_mul(interior)?)?
        .checked_add(high)?;
    (size >= 0).then_some(size)
}

pub(super) fn concatenate(s: &Sig, dim: i64) -> Result<Inferred> {
    s.result_count(1)?;
    s.region_count(0)?;
    rule!(!s.operands.is_empty(), "C3", "at least one input is needed");
    let inputs = s.tensors(0..s.operands.len(), 1, "inputs", Kinds::TENSOR)?;
    let first = inputs[0];
    let at = axis(dim, first, "C4", "dimension", "inputs[0]")?;
    let mut dims = first.dims.clone();
    for (k, x) in inputs.iter().enumerate().skip(1) {
        rule!(
            same_element_exactly(first, x),
            "C1",
            "all inputs must have the same element type, got {first} and {x}"
        );
        rule!(x.rank() == first.rank(), "C2", "all inputs must have the same rank, got {first} and {x}");
        for (i, &d) in x.dims.iter().enumerate() {
            if i == at {
                let Some(sum) = add_dims(dims[i], d) else {
                    return Err(broken("C6", format_args!("the result's dimension {i} is too large")));
                };
                dims[i] = sum;
                continue;
            }
            rule!(
                dims[i].compatible(d),
                "C2",
                "inputs differ in dimension {i}: inputs[0] has size {}, inputs[{k}] has {}",
                show(first.dims[i]),
                show(d)
            );
            dims[i] = most_specific(dims[i], d);
        }
    }
    Inferred::one(with_dims(first, dims), "C6")
}
