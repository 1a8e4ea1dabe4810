//! `gather`, `dynamic_gather`, and the deprecated `torch_index_select`.

use super::dims::{axis, in_range, show, sized, sorted, unique, with_dims};
use super::sig::{Inferred, Kinds, Sig, rule};
use crate::diag::Result;
use crate::ir::op::GatherDims;
use crate::types::{Dim, Dims, TensorType};

pub(super) fn gather(s: &Sig, g: &GatherDims, slice_sizes: &[i64]) -> Result<Inferred> {
    s.plain(2)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let indices = s.tensor(1, "start_indices", Kinds::INT)?;
    check_dims(x, indices, g)?;
    sized(slice_sizes.len(), x.rank(), "C20", "slice_sizes", "the rank of operand")?;
    check_slice_sizes(x, g, slice_sizes)?;
    let sizes: Dims = slice_sizes.iter().map(|&n| Dim::Static(n)).collect();
    result(x, indices, g, &sizes, "C22")
}

pub(super) fn dynamic_gather(s: &Sig, g: &GatherDims) -> Result<Inferred> {
    s.plain(3)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let indices = s.tensor(1, "start_indices", Kinds::INT)?;
    let (_, n) = s.index_vector(2, "slice_sizes")?;
    check_dims(x, indices, g)?;
    sized(usize::try_from(n).unwrap_or(0), x.rank(), "C11", "slice_sizes", "the rank of operand")?;
    let sizes: Dims = match (s.constant)(2) {
        Some(sizes) => {
            check_slice_sizes(x, g, &sizes)?;
            sizes.into_iter().map(Dim::Static).collect()
        }
        None => x.dims.iter().map(|_| Dim::Dynamic).collect(),
    };
    result(x, indices, g, &sizes, "C13")
}

/// (C1) to (C19) of `gather`, but for those on the result.
fn check_dims(x: &TensorType, indices: &TensorType, g: &GatherDims) -> Result<()> {
    let (rank, index_rank) = (x.rank(), indices.rank());
    let parts = g.offset_dims.len() + g.collapsed_slice_dims.len() + g.operand_batching_dims.len();
    rule!(
        rank == parts,
        "C1",
        "offset_dims, collapsed_slice_dims and operand_batching_dims have {parts} elements together, but operand has rank {rank}"
    );
    index_vector(
        indices,
        g.index_vector_dim,
        g.start_index_map.len(),
        ["C2", "C3"],
        "start_indices",
        "start_index_map",
    )?;
    unique(&g.offset_dims, "C4", "offset_dims")?;
    sorted(&g.offset_dims, "C4", "offset_dims")?;
    unique(
        g.collapsed_slice_dims.iter().chain(&g.operand_batching_dims),
        "C6",
        "collapsed_slice_dims + operand_batching_dims",
    )?;
    sorted(&g.collapsed_slice_dims, "C7", "collapsed_slice_dims")?;
    in_range(&g.collapsed_slice_dims, rank, "C8", "collapsed_slice_dims", "operand")?;
    sorted(&g.operand_batching_dims, "C10", "operand_batching_dims")?;
    in_range(&g.operand_batching_dims, rank, "C11", "operand_batching_dims", "operand")?;
    unique(&g.start_indices_batching_dims, "C13", "start_indices_batching_dims")?;
    in_range(
        &g.start_indices_batching_dims,
        index_rank,
        "C14",
        "start_indices_batching_dims",
        "start_indices",
    )?;
    rule!(
        !g.start_indices_batching_dims.contains(&g.index_vector_dim),
        "C15",
        "start_indices_batching_dims has index_vector_dim, {}",
        g.index_vector_dim
    );
    batching(
        x,
        indices,
        [&g.operand_batching_dims, &g.start_indices_batching_dims],
        ["C16", "C17"],
        ["operand_batching_dims", "start_indices_batching_dims"],
    )?;
    unique(
        g.start_index_map.iter().chain(&g.operand_batching_dims),
        "C18",
        "start_index_map + operand_batching_dims",
    )?;
    in_range(&g.start_index_map, rank, "C19", "start_index_map", "operand")
}

/// The index vectors of `gather` and `scatter`: where they lie and how long they are.
pub(super) fn index_vector(
    indices: &TensorType,
    dim: i64,
    mapped: usize,
    [range, size]: [&str; 2],
    indices_name: &str,
    map_name: &str,
) -> Result<()> {
    let rank = indices.rank() as i64;
    rule!(
        (0..=rank).contains(&dim),
        range,
        "index_vector_dim {dim} is not within 0..={rank}, the rank of {indices_name}"
    );
    let length = if dim == rank { Dim::Static(1) } else { indices.dims[dim as usize] };
    rule!(
        length.compatible(Dim::Static(mapped as i64)),
        size,
        "{map_name} has {mapped} elements, but {indices_name} has index vectors of {}",
        show(length)
    );
    Ok(())
}

/// Batching dimensions of `gather` and `scatter` pair up and have equal sizes.
pub(super) fn batching(
    x: &TensorType,
    indices: &TensorType,
    [in_x, in_indices]: [&[i64]; 2],
    [count, size]: [&str; 2],
    [x_name, indices_name]: [&str; 2],
) -> Result<()> {
    rule!(
        in_x.len() == in_indices.len(),
        count,
        "{x_name} has {} elements, {indices_name} has {}",
        in_x.len(),
        in_indices.len()
    );
    for (i, (&a, &b)) in in_x.iter().zip(in_indices).enumerate() {
        let (a, b) = (x.dims[a as usize], indices.dims[b as usize]);
        rule!(
            a.compatible(b),
            size,
            "dimension {x_name}[{i}] has size {}, {indices_name}[{i}] has {}",
            show(a),
            show(b)
        );
    }
    Ok(())
}

/// (C9), (C12) and (C21).
fn check_slice_sizes(x: &TensorType, g: &GatherDims, sizes: &[i64]) -> Result<()> {
    for (dims, label, name) in
        [(&g.collapsed_slice_dims, "C9", "collapsed"), (&g.operand_batching_dims, "C12", "batching")]
    {
        for &d in dims {
            let n = sizes[d as usize];
            rule!(n <= 1, label, "the slice size of {name} dimension {d} must be at most 1, got {n}");
        }
    }
    for (i, (&n, &d)) in sizes.iter().zip(&x.dims).enumerate() {
        let within = match d {
            Dim::Static(size) | Dim::Bounded(size) => n <= size,
            Dim::Dynamic => true,
        };
        rule!(
            n >= 0 && within,
            "C21",
            "slice size {n} is not within 0..={}, the size of dimension {i} of operand",
            show(d)
        );
    }
    Ok(())
}

/// Offset dimensions take the slice's sizes in order, the others those of the indices.
fn result(
    x: &TensorType,
    indices: &TensorType,
    g: &GatherDims,
    slice_sizes: &[Dim],
    label: &'static str,
) -> Result<Inferred> {
    let mut batch =
        indices.dims.iter().enumerate().filter(|(i, _)| *i as i64 != g.index_vector_dim).map(|(_, &d)| d);
    let mut offset = slice_sizes.iter().enumerate().filter_map(|(i, &d)| {
        let i = i as i64;
        let gone = g.collapsed_slice_dims.contains(&i) || g.operand_batching_dims.contains(&i);
        (!gone).then_some(d)
    });
    let batch_rank = indices.rank() - usize::from(g.index_vector_dim < indices.rank() as i64);
    let rank = batch_rank + g.offset_dims.len();
    in_range(&g.offset_dims, rank, "C5", "offset_dims", "result")?;
    let dims = (0..rank as i64).map(|i| {
        let from = if g.offset_dims.contains(&i) { offset.next() } else { batch.next() };
        from.unwrap_or(Dim::Dynamic)
    });
    Inferred::one(with_dims(x, dims), label)
}

pub(super) fn torch_index_select(s: &Sig, dim: i64, batch_dims: i64) -> Result<Inferred> {
    s.plain(2)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let index = s.tensor(1, "index", Kinds::INT)?;
    let at = axis(dim, x, "C1", "dim", "operand")?;
    let batch = usize::try_from(batch_dims).ok().filter(|&b| b <= at && b <= index.rank());
    rule!(
        batch.is_some(),
        "C2",
        "batch_dims {batch_dims} must be between 0 and dim {dim}, and at most the rank of index, {}",
        index.rank()
    );
    let batch = batch.unwrap_or(0);
    for i in 0..batch {
        rule!(
            x.dims[i].compatible(index.dims[i]),
            "C3",
            "batch dimension {i} has size {} in operand and {} in index",
            show(x.dims[i]),
            show(index.dims[i])
        );
    }
    let dims = x.dims[..at].iter().chain(&index.dims[batch..]).chain(&x.dims[at + 1..]).copied();
    Inferred::one(with_dims(x, dims), "C4")
}
