//! The same elements at other places.

use super::attrs::Attrs;
use super::lower::Lower;
use super::{invalid, shapes};
use sim_core::hlo::{InstructionId, Key, Opcode, SliceDim, Value};
use sim_core::ir::op::{GatherDims, ScatterDims};
use sim_core::ir::{Op, Operation};
use sim_core::{Result, TensorType, Type, types::Dim};

pub fn export(b: &mut Lower, op: &Operation) -> Result<Option<InstructionId>> {
    match &op.op {
        Op::BroadcastInDim { dims } => broadcast(b, op, dims),
        Op::Broadcast { sizes } => {
            let rank = b.operand_type(op, 0)?.rank() as i64;
            let lead = sizes.len() as i64;
            let dims: Vec<i64> = (lead..lead + rank).collect();
            b.plain(op, Opcode::Broadcast, Attrs::new().ints(Key::Dimensions, &dims))
        }
        Op::Reshape => b.plain(op, Opcode::Reshape, Attrs::new()),
        Op::Transpose { permutation } => {
            b.plain(op, Opcode::Transpose, Attrs::new().ints(Key::Dimensions, permutation))
        }
        Op::Reverse { dims } => b.plain(op, Opcode::Reverse, Attrs::new().ints(Key::Dimensions, dims)),
        Op::Slice { start, limit, strides } => {
            let dims = start.iter().zip(limit).zip(strides);
            let dims: Box<[SliceDim]> =
                dims.map(|((&start, &limit), &stride)| SliceDim { start, limit, stride }).collect();
            b.plain(op, Opcode::Slice, Attrs::new().with(Key::Slice, Value::Slice(dims)))
        }
        Op::DynamicSlice { sizes } => {
            b.plain(op, Opcode::DynamicSlice, Attrs::new().ints(Key::DynamicSliceSizes, sizes))
        }
        Op::DynamicUpdateSlice => b.plain(op, Opcode::DynamicUpdateSlice, Attrs::new()),
        // A scalar has no sides, and XLA's reader takes no empty list of them.
        Op::Pad { low, .. } if low.is_empty() => b.operand(op, 0).map(Some),
        Op::Pad { low, high, interior } => {
            let dims = low.iter().zip(high).zip(interior);
            let dims: Box<[(i64, i64, i64)]> = dims.map(|((&l, &h), &i)| (l, h, i)).collect();
            b.plain(op, Opcode::Pad, Attrs::new().with(Key::Padding, Value::Padding(dims)))
        }
        Op::Concatenate { dim } => {
            b.plain(op, Opcode::Concatenate, Attrs::new().ints(Key::Dimensions, &[*dim]))
        }
        Op::Gather { dims, slice_sizes, sorted } => {
            let attrs = gather(dims)
                .ints(Key::SliceSizes, slice_sizes)
                .flag(Key::IndicesAreSorted, *sorted == Some(true));
            b.plain(op, Opcode::Gather, attrs)
        }
        Op::Scatter { dims, sorted, unique } => {
            let body = b.closed_region(op, 0)?;
            let attrs = scatter(dims)
                .flag(Key::IndicesAreSorted, *sorted == Some(true))
                .flag(Key::UniqueIndices, *unique == Some(true))
                .calls(Key::ToApply, body);
            b.plain(op, Opcode::Scatter, attrs)
        }
        Op::GetDimensionSize { dim } => {
            b.plain(op, Opcode::GetDimensionSize, Attrs::new().ints(Key::Dimensions, &[*dim]))
        }
        Op::SetDimensionSize { dim } => {
            b.plain(op, Opcode::SetDimensionSize, Attrs::new().ints(Key::Dimensions, &[*dim]))
        }
        Op::OptimizationBarrier => {
            let operands = b.operands(op)?;
            let one = b.packed(&operands);
            let shape = b.result_shape(op)?;
            Ok(Some(b.emit(Opcode::OptimizationBarrier, shape, &[one], Attrs::new())))
        }
        Op::Tuple => {
            let parts = b.operands(op)?;
            Ok(Some(b.tuple(&parts)))
        }
        Op::GetTupleElement { index } => {
            let tuple = b.operand(op, 0)?;
            b.element(tuple, *index).map(Some)
        }
        _ => Ok(None),
    }
}

/// HLO's broadcast keeps sizes: dimensions of size 1 that grow are dropped before.
fn broadcast(b: &mut Lower, op: &Operation, dims: &[i64]) -> Result<Option<InstructionId>> {
    let from = b.operand_type(op, 0)?.clone();
    let Type::Tensor(to) = b.result_type(op, 0)? else { return Ok(None) };
    if dims.len() != from.rank() {
        return Err(invalid(op, "it needs a dimension of the result for each of the operand"));
    }
    let size = |d: i64| usize::try_from(d).ok().and_then(|d| to.dims.get(d)).copied();
    let kept: Vec<usize> = (0..dims.len())
        .filter(|&k| Some(from.dims[k]) == size(dims[k]) || from.dims[k] != Dim::Static(1))
        .collect();
    let mut operand = b.operand(op, 0)?;
    let mut dims = dims.to_vec();
    if kept.len() != dims.len() {
        let narrow = TensorType::new(from.element, kept.iter().map(|&k| from.dims[k]));
        operand = b.emit(Opcode::Reshape, shapes::shape(&narrow.into())?, &[operand], Attrs::new());
        dims = kept.iter().map(|&k| dims[k]).collect();
    }
    let shape = b.result_shape(op)?;
    Ok(Some(b.emit(Opcode::Broadcast, shape, &[operand], Attrs::new().ints(Key::Dimensions, &dims))))
}

fn gather(d: &GatherDims) -> Attrs {
    Attrs::new()
        .ints(Key::OffsetDims, &d.offset_dims)
        .ints(Key::CollapsedSliceDims, &d.collapsed_slice_dims)
        .ints(Key::StartIndexMap, &d.start_index_map)
        .ints(Key::OperandBatchingDims, &d.operand_batching_dims)
        .ints(Key::StartIndicesBatchingDims, &d.start_indices_batching_dims)
        .int(Key::IndexVectorDim, d.index_vector_dim)
}

fn scatter(d: &ScatterDims) -> Attrs {
    Attrs::new()
        .ints(Key::UpdateWindowDims, &d.update_window_dims)
        .ints(Key::InsertedWindowDims, &d.inserted_window_dims)
        .ints(Key::ScatterDimsToOperandDims, &d.scatter_dims_to_operand_dims)
        .ints(Key::InputBatchingDims, &d.input_batching_dims)
        .ints(Key::ScatterIndicesBatchingDims, &d.scatter_indices_batching_dims)
        .int(Key::IndexVectorDim, d.index_vector_dim)
}
