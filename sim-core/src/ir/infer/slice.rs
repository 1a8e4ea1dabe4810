//! Slices with static sizes, and the two operations on the size of a dimension.

use super::dims::{axis, same_element_exactly, show, sized, static_dims, with_dims};
use super::elementwise::same_dims;
use super::sig::{Inferred, Kinds, Sig, rule};
use crate::diag::Result;
use crate::dtype::ElementType;
use crate::types::{Dim, Dims, TensorType};

pub(super) fn slice(s: &Sig, start: &[i64], limit: &[i64], strides: &[i64]) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    for (list, name) in [(start, "start_indices"), (limit, "limit_indices"), (strides, "strides")] {
        sized(list.len(), x.rank(), "C2", name, "the rank of operand")?;
    }
    let mut dims = Dims::new();
    for (i, &d) in x.dims.iter().enumerate() {
        let (lo, hi, step) = (start[i], limit[i], strides[i]);
        let within = match d {
            Dim::Static(n) | Dim::Bounded(n) => hi <= n,
            Dim::Dynamic => true,
        };
        rule!(
            0 <= lo && lo <= hi && within,
            "C3",
            "slice {lo}:{hi} is not within dimension {i} of size {}",
            show(d)
        );
        rule!(step > 0, "C4", "stride {step} of dimension {i} must be positive");
        let size = (hi - lo) / step + i64::from((hi - lo) % step != 0);
        dims.push(Dim::Static(size));
    }
    Inferred::one(with_dims(x, dims), "C5")
}

/// All start indices are integers of rank 0 and of one type.
fn start_indices(s: &Sig, first: usize, rank: usize, count: &str, same: &str) -> Result<()> {
    sized(s.operands.len() - first, rank, count, "start_indices", "the rank of operand")?;
    let mut element = None;
    for i in first..s.operands.len() {
        let t = s.scalar(i, "start_indices", Kinds::INT)?;
        let e = *element.get_or_insert(t.element);
        rule!(t.element == e, same, "start_indices must have one element type, got {e} and {}", t.element);
    }
    Ok(())
}

pub(super) fn dynamic_slice(s: &Sig, sizes: &[i64]) -> Result<Inferred> {
    s.result_count(1)?;
    s.region_count(0)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    start_indices(s, 1, x.rank(), "C2", "C3")?;
    sized(sizes.len(), x.rank(), "C2", "slice_sizes", "the rank of operand")?;
    for (i, (&d, &n)) in x.dims.iter().zip(sizes).enumerate() {
        let within = match d {
            Dim::Static(size) | Dim::Bounded(size) => n <= size,
            Dim::Dynamic => true,
        };
        rule!(n >= 0 && within, "C4", "slice size {n} exceeds dimension {i} of size {}", show(d));
    }
    Inferred::one(with_dims(x, static_dims(sizes)), "C5")
}

pub(super) fn dynamic_update_slice(s: &Sig) -> Result<Inferred> {
    s.result_count(1)?;
    s.region_count(0)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let update = s.tensor(1, "update", Kinds::TENSOR)?;
    rule!(
        same_element_exactly(x, update),
        "C2",
        "operand and update must have the same element type, got {x} and {update}"
    );
    rule!(
        x.rank() == update.rank(),
        "C3",
        "operand and update must have the same rank, got {x} and {update}"
    );
    start_indices(s, 2, x.rank(), "C4", "C5")?;
    for (i, (&d, &u)) in x.dims.iter().zip(&update.dims).enumerate() {
        let within = match (u, d) {
            (Dim::Static(u), Dim::Static(n) | Dim::Bounded(n)) => u <= n,
            _ => true,
        };
        rule!(
            within,
            "C6",
            "dimension {i} of update has size {}, more than the operand's {}",
            show(u),
            show(d)
        );
    }
    Inferred::one(x.clone(), "C1")
}

pub(super) fn get_dimension_size(s: &Sig, dim: i64) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::ANY)?;
    axis(dim, x, "C1", "dimension", "operand")?;
    Inferred::one(TensorType::scalar(ElementType::S32), "O1")
}

/// The operand's old size becomes the bound of the new one.
pub(super) fn set_dimension_size(s: &Sig, dim: i64) -> Result<Inferred> {
    s.plain(2)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let size = s.scalar(1, "size", Kinds::SIGNED)?;
    rule!(size.element == ElementType::S32, "I2", "size must be of type i32, got {size}");
    let at = axis(dim, x, "C1", "dimension", "operand")?;
    let known = (s.constant)(1).and_then(|v| v.first().copied());
    let mut dims = x.dims.clone();
    dims[at] = match dims[at] {
        Dim::Static(n) | Dim::Bounded(n) if known == Some(n) => Dim::Static(n),
        Dim::Static(n) | Dim::Bounded(n) => Dim::Bounded(n),
        Dim::Dynamic => Dim::Dynamic,
    };
    if let Some(out) = s.result(0, "result", Kinds::TENSOR)? {
        same_dims(&with_dims(x, dims.iter().copied()), out, "C1", "the inferred type", "result")?;
    }
    Inferred::one(with_dims(x, dims), "C1")
}
