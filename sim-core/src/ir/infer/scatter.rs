//! `scatter`.

use super::dims::{in_range, show, sorted, unique, with_dims};
use super::elementwise::same_dims;
use super::gather::{batching, index_vector};
use super::reduce::reducer;
use super::sig::{Inferred, Kinds, Sig, rule};
use crate::diag::Result;
use crate::ir::op::ScatterDims;
use crate::types::{Dim, TensorType};

pub(super) fn scatter(s: &Sig, d: &ScatterDims) -> Result<Inferred> {
    s.region_count(1)?;
    let n = s.operands.len() / 2;
    rule!(
        n > 0 && s.operands.len() % 2 == 1,
        "C5",
        "as many inputs as updates and one tensor of indices are needed, got {} operands",
        s.operands.len()
    );
    let inputs = s.tensors(0..n, 1, "inputs", Kinds::TENSOR)?;
    let indices = s.tensor(n, "scatter_indices", Kinds::INT)?;
    let updates = s.tensors(n + 1..2 * n + 1, 3, "updates", Kinds::TENSOR)?;
    s.result_count(n)?;
    for k in 1..n {
        same_dims(inputs[0], inputs[k], "C1", "inputs[0]", "the other inputs")?;
        same_dims(updates[0], updates[k], "C3", "updates[0]", "the other updates")?;
    }
    let (x, update) = (inputs[0], updates[0]);
    check_dims(x, indices, update, d)?;
    check_updates(x, indices, update, d)?;
    for k in 0..n {
        let fits = inputs[k].element == updates[k].element
            || (inputs[k].element.is_float() && updates[k].element.is_float());
        rule!(
            fits && inputs[k].quant.is_some() == updates[k].quant.is_some(),
            "C6",
            "inputs[{k}] and updates[{k}] must have the same element type, got {} and {}",
            inputs[k],
            updates[k]
        );
    }
    let body = s.region(0)?;
    let elements = reducer(body, &inputs, &inputs, "C23", "the update computation")?;
    Inferred::many(
        elements.iter().zip(&inputs).map(|(e, x)| with_dims(e, x.dims.iter().copied()).into()),
        "C25",
    )
}

/// The constraints on the dimension numbers.
fn check_dims(x: &TensorType, indices: &TensorType, update: &TensorType, d: &ScatterDims) -> Result<()> {
    let (rank, index_rank) = (x.rank(), indices.rank());
    let parts = d.update_window_dims.len() + d.inserted_window_dims.len() + d.input_batching_dims.len();
    rule!(
        rank == parts,
        "C2",
        "update_window_dims, inserted_window_dims and input_batching_dims have {parts} elements together, but inputs have rank {rank}"
    );
    unique(&d.update_window_dims, "C7", "update_window_dims")?;
    sorted(&d.update_window_dims, "C7", "update_window_dims")?;
    in_range(&d.update_window_dims, update.rank(), "C8", "update_window_dims", "updates")?;
    unique(
        d.inserted_window_dims.iter().chain(&d.input_batching_dims),
        "C9",
        "inserted_window_dims + input_batching_dims",
    )?;
    sorted(&d.inserted_window_dims, "C10", "inserted_window_dims")?;
    in_range(&d.inserted_window_dims, rank, "C11", "inserted_window_dims", "inputs")?;
    sorted(&d.input_batching_dims, "C12", "input_batching_dims")?;
    in_range(&d.input_batching_dims, rank, "C13", "input_batching_dims", "inputs")?;
    unique(&d.scatter_indices_batching_dims, "C14", "scatter_indices_batching_dims")?;
    in_range(
        &d.scatter_indices_batching_dims,
        index_rank,
        "C15",
        "scatter_indices_batching_dims",
        "scatter_indices",
    )?;
    rule!(
        !d.scatter_indices_batching_dims.contains(&d.index_vector_dim),
        "C16",
        "scatter_indices_batching_dims has index_vector_dim, {}",
        d.index_vector_dim
    );
    index_vector(
        indices,
        d.index_vector_dim,
        d.scatter_dims_to_operand_dims.len(),
        ["C22", "C19"],
        "scatter_indices",
        "scatter_dims_to_operand_dims",
    )?;
    batching(
        x,
        indices,
        [&d.input_batching_dims, &d.scatter_indices_batching_dims],
        ["C17", "C18"],
        ["input_batching_dims", "scatter_indices_batching_dims"],
    )?;
    unique(
        d.scatter_dims_to_operand_dims.iter().chain(&d.input_batching_dims),
        "C20",
        "scatter_dims_to_operand_dims + input_batching_dims",
    )?;
    in_range(&d.scatter_dims_to_operand_dims, rank, "C21", "scatter_dims_to_operand_dims", "inputs")
}

/// (C4): the shape of the updates.
fn check_updates(x: &TensorType, indices: &TensorType, update: &TensorType, d: &ScatterDims) -> Result<()> {
    let mut scattered =
        indices.dims.iter().enumerate().filter(|(i, _)| *i as i64 != d.index_vector_dim).map(|(_, &n)| n);
    let mut window = x.dims.iter().enumerate().filter_map(|(i, &n)| {
        let i = i as i64;
        let gone = d.inserted_window_dims.contains(&i) || d.input_batching_dims.contains(&i);
        (!gone).then_some(n)
    });
    let scatter_rank = indices.rank() - usize::from(d.index_vector_dim < indices.rank() as i64);
    rule!(
        update.rank() == scatter_rank + d.update_window_dims.len(),
        "C4",
        "updates must have rank {scatter_rank} + {}, got {update}",
        d.update_window_dims.len()
    );
    for (i, &n) in update.dims.iter().enumerate() {
        if d.update_window_dims.contains(&(i as i64)) {
            let most = window.next().unwrap_or(Dim::Dynamic);
            let within = match (n, most) {
                (Dim::Static(n), Dim::Static(most) | Dim::Bounded(most)) => n <= most,
                _ => true,
            };
            rule!(
                within,
                "C4",
                "window dimension {i} of updates has size {}, more than the {} of inputs",
                show(n),
                show(most)
            );
        } else {
            let want = scattered.next().unwrap_or(Dim::Dynamic);
            rule!(
                n.compatible(want),
                "C4",
                "scatter dimension {i} of updates has size {}, but scatter_indices has {}",
                show(n),
                show(want)
            );
        }
    }
    Ok(())
}
