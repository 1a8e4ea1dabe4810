//! Operations whose result shape is an operand. Its value is known only when it is a constant; then
//! the declared result has to agree with it.

use super::dims::{in_range, same_element, show, sized, unique};
use super::shape::{check_broadcast, check_reshape, padded_size};
use super::sig::{Inferred, Kinds, Sig, rule};
use crate::diag::Result;
use crate::types::{Dim, TensorType};

/// The shape operand has the result's rank and, where it is a constant, its sizes.
fn shape_operand(s: &Sig, i: usize, name: &str, result: &TensorType, label: &str) -> Result<()> {
    let (_, n) = s.index_vector(i, name)?;
    rule!(
        n == result.rank() as i64,
        label,
        "{name} has {n} elements, but the result has rank {}: {result}",
        result.rank()
    );
    if let Some(sizes) = (s.constant)(i) {
        for (d, (&size, &dim)) in sizes.iter().zip(&result.dims).enumerate() {
            rule!(
                size >= 0 && Dim::Static(size).compatible(dim),
                label,
                "{name} says {size} for dimension {d}, but the result has {}",
                show(dim)
            );
        }
    }
    Ok(())
}

pub(super) fn iota(s: &Sig, dim: i64) -> Result<Inferred> {
    s.plain(1)?;
    let (_, n) = s.index_vector(0, "output_shape")?;
    rule!(
        (0..n).contains(&dim),
        "C1",
        "iota_dimension {dim} is not within output_shape, which has {n} elements"
    );
    if let Some(out) = s.result(0, "result", Kinds::INT.or(Kinds::FP).or(Kinds::QUANT))? {
        shape_operand(s, 0, "output_shape", out, "C2")?;
    }
    Ok(Inferred::Declared)
}

pub(super) fn broadcast_in_dim(
    s: &Sig,
    dims: &[i64],
    expanding: Option<&[i64]>,
    nonexpanding: Option<&[i64]>,
) -> Result<Inferred> {
    s.plain(2)?;
    let x = s.tensor(0, "operand", Kinds::ANY)?;
    s.index_vector(1, "output_dimensions")?;
    sized(dims.len(), x.rank(), "C2", "broadcast_dimensions", "the rank of operand")?;
    unique(dims, "C4", "broadcast_dimensions")?;
    let (expanding, nonexpanding) = (expanding.unwrap_or_default(), nonexpanding.unwrap_or_default());
    unique(
        expanding.iter().chain(nonexpanding),
        "C8",
        "known_expanding_dimensions + known_nonexpanding_dimensions",
    )?;
    in_range(expanding, x.rank(), "C9", "known_expanding_dimensions", "operand")?;
    in_range(nonexpanding, x.rank(), "C10", "known_nonexpanding_dimensions", "operand")?;
    if let Some(y) = s.result(0, "result", Kinds::ANY)? {
        check_broadcast(x, y, dims)?;
        shape_operand(s, 1, "output_dimensions", y, "C7")?;
        if let Some(sizes) = (s.constant)(1) {
            for (i, &d) in dims.iter().enumerate() {
                let (from, to) = (x.dims[i], sizes[d as usize]);
                rule!(
                    from == Dim::Static(1) || from.compatible(Dim::Static(to)),
                    "C5",
                    "dimension {i} of operand has size {}, but output_dimensions asks for {to}",
                    show(from)
                );
            }
        }
    }
    Ok(Inferred::Declared)
}

pub(super) fn reshape(s: &Sig) -> Result<Inferred> {
    s.plain(2)?;
    let x = s.tensor(0, "operand", Kinds::ANY)?;
    s.index_vector(1, "output_shape")?;
    let Some(y) = s.result(0, "result", Kinds::ANY)? else { return Ok(Inferred::Declared) };
    check_reshape(x, y)?;
    shape_operand(s, 1, "output_shape", y, "C4")?;
    if let (Some(sizes), Some(n)) = ((s.constant)(1), x.num_elements()) {
        let asked = TensorType::of(x.element, &sizes).num_elements();
        rule!(asked == Some(n), "C2", "operand has {n} elements ({x}), but output_shape is {sizes:?}");
    }
    Ok(Inferred::Declared)
}

pub(super) fn pad(s: &Sig) -> Result<Inferred> {
    s.plain(5)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let value = s.scalar(1, "padding_value", Kinds::TENSOR)?;
    rule!(
        same_element(x, value),
        "C1",
        "operand and padding_value must have the same element type, got {x} and {value}"
    );
    for (i, name) in [(2, "edge_padding_low"), (3, "edge_padding_high"), (4, "interior_padding")] {
        let (_, n) = s.index_vector(i, name)?;
        sized(usize::try_from(n).unwrap_or(0), x.rank(), "C2", name, "the rank of operand")?;
    }
    let interior = (s.constant)(4);
    if let Some(interior) = &interior {
        rule!(
            interior.iter().all(|&n| n >= 0),
            "C3",
            "interior_padding must not be negative, got {interior:?}"
        );
    }
    let Some(y) = s.result(0, "result", Kinds::TENSOR)? else { return Ok(Inferred::Declared) };
    rule!(same_element(x, y), "C1", "operand and result must have the same element type, got {x} and {y}");
    rule!(x.rank() == y.rank(), "C4", "operand and result must have the same rank, got {x} and {y}");
    if let (Some(low), Some(high), Some(interior)) = ((s.constant)(2), (s.constant)(3), interior) {
        for i in 0..x.rank() {
            let Some(n) = x.dims[i].as_static() else { continue };
            let want = padded_size(n, low[i], high[i], interior[i]);
            rule!(
                want.is_some_and(|want| Dim::Static(want).compatible(y.dims[i])),
                "C4",
                "padding makes dimension {i} of {x} {want:?}, but the result has {}",
                show(y.dims[i])
            );
        }
    }
    Ok(Inferred::Declared)
}

pub(super) fn real_dynamic_slice(s: &Sig) -> Result<Inferred> {
    s.plain(4)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    for (i, name) in [(1, "start_indices"), (2, "limit_indices"), (3, "strides")] {
        let (_, n) = s.index_vector(i, name)?;
        sized(usize::try_from(n).unwrap_or(0), x.rank(), "C2", name, "the rank of operand")?;
    }
    if let Some(y) = s.result(0, "result", Kinds::TENSOR)? {
        rule!(
            same_element(x, y),
            "C1",
            "operand and result must have the same element type, got {x} and {y}"
        );
        rule!(x.rank() == y.rank(), "C1", "operand and result must have the same rank, got {x} and {y}");
    }
    Ok(Inferred::Declared)
}
