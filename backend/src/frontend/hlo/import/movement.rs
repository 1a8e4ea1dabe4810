//! The same elements at other places.

use super::body::{Body, flag, int, ints, ints_or_none, opcode};
use super::tree::Tree;
use super::{invalid, types};
use sim_core::hlo::{Instruction, Key, Opcode, Value};
use sim_core::ir::Op;
use sim_core::ir::op::{GatherDims, ScatterDims};
use sim_core::{Result, types::Dim};

pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    use Opcode as O;
    let tree = match opcode(i) {
        O::Broadcast => {
            let operands = b.exactly::<1>(i)?;
            b.push(i, Op::BroadcastInDim { dims: ints_or_none(i, Key::Dimensions) }, &operands, &[])?
        }
        O::Reshape => {
            let operands = b.exactly::<1>(i)?;
            b.push(i, Op::Reshape, &operands, &[])?
        }
        O::DynamicReshape => dynamic_reshape(b, i)?,
        O::Transpose => {
            let operands = b.exactly::<1>(i)?;
            b.push(i, Op::Transpose { permutation: ints(i, Key::Dimensions)?.to_vec() }, &operands, &[])?
        }
        O::Reverse => {
            let operands = b.exactly::<1>(i)?;
            b.push(i, Op::Reverse { dims: ints(i, Key::Dimensions)?.to_vec() }, &operands, &[])?
        }
        O::Slice => {
            let operands = b.exactly::<1>(i)?;
            let Some(Value::Slice(dims)) = i.attr(&Key::Slice) else {
                return Err(invalid(i, "the attribute `slice` is missing"));
            };
            let op = Op::Slice {
                start: dims.iter().map(|d| d.start).collect(),
                limit: dims.iter().map(|d| d.limit).collect(),
                strides: dims.iter().map(|d| d.stride).collect(),
            };
            b.push(i, op, &operands, &[])?
        }
        O::DynamicSlice => {
            let operands = with_starts(b, i, 1)?;
            b.push(i, Op::DynamicSlice { sizes: ints(i, Key::DynamicSliceSizes)?.to_vec() }, &operands, &[])?
        }
        O::DynamicUpdateSlice => {
            let operands = with_starts(b, i, 2)?;
            b.push(i, Op::DynamicUpdateSlice, &operands, &[])?
        }
        O::Pad => {
            let mut operands = b.exactly::<2>(i)?;
            // Floats may differ in width: the result's decides.
            let element = i.shape.as_array().map(|a| a.element);
            for v in &mut operands {
                let ty = b.tensor_type(*v)?;
                if let Some(e) = element.filter(|&e| e != ty.element && e.is_float() && ty.element.is_float())
                {
                    *v = b.helper(i, Op::Convert, &[*v], ty.with_element(e).into());
                }
            }
            let Some(Value::Padding(dims)) = i.attr(&Key::Padding) else {
                return Err(invalid(i, "the attribute `padding` is missing"));
            };
            let op = Op::Pad {
                low: dims.iter().map(|d| d.0).collect(),
                high: dims.iter().map(|d| d.1).collect(),
                interior: dims.iter().map(|d| d.2).collect(),
            };
            b.push(i, op, &operands, &[])?
        }
        O::Concatenate => {
            let operands = b.leaves(i)?;
            let [dim] = ints(i, Key::Dimensions)? else {
                return Err(invalid(i, "`dimensions` names one dimension"));
            };
            b.push(i, Op::Concatenate { dim: *dim }, &operands, &[])?
        }
        O::Gather => {
            let operands = b.exactly::<2>(i)?;
            let op = Op::Gather {
                dims: gather(i)?,
                slice_sizes: ints(i, Key::SliceSizes)?.to_vec(),
                sorted: Some(flag(i, Key::IndicesAreSorted)),
            };
            b.push(i, op, &operands, &[])?
        }
        O::Scatter => {
            let operands = b.leaves(i)?;
            let region = b.region(i, super::body::computation(i, Key::ToApply)?)?;
            let op = Op::Scatter {
                dims: scatter(i)?,
                sorted: Some(flag(i, Key::IndicesAreSorted)),
                unique: Some(flag(i, Key::UniqueIndices)),
            };
            let tree = b.push(i, op, &operands, &[region])?;
            super::attributes::whole_windows(b);
            tree
        }
        O::GetDimensionSize => {
            let operands = b.exactly::<1>(i)?;
            b.push(i, Op::GetDimensionSize { dim: one_dim(i)? }, &operands, &[])?
        }
        O::SetDimensionSize => {
            let operands = b.exactly::<2>(i)?;
            b.push(i, Op::SetDimensionSize { dim: one_dim(i)? }, &operands, &[])?
        }
        // Where a value lies is no part of what it is.
        O::Copy | O::Domain | O::AddDependency => b.operand_tree(i, 0)?,
        O::OptimizationBarrier => {
            let operands = b.leaves(i)?;
            let loc = b.loc(i);
            let tys: Vec<_> = operands.iter().map(|&v| b.builder.ty(v).clone()).collect();
            let id =
                b.builder.push(Op::OptimizationBarrier, &operands, tys, &[], Default::default(), loc, i.span);
            let values = b.builder.function().op(id).results.clone();
            types::tree(&i.shape, &mut values.into_iter())?
        }
        O::Tuple => Tree::Tuple(b.operands(i)?),
        O::GetTupleElement => {
            let tree = b.operand_tree(i, 0)?;
            let index = int(i, Key::Index)?;
            tree.at(&[index])
                .cloned()
                .ok_or_else(|| invalid(i, format!("operand 0 is no tuple with an element {index}")))?
        }
        _ => return Ok(None),
    };
    Ok(Some(tree))
}

fn one_dim(i: &Instruction) -> Result<i64> {
    match ints(i, Key::Dimensions)? {
        [dim] => Ok(*dim),
        _ => Err(invalid(i, "`dimensions` names one dimension")),
    }
}

/// Operands with their start indices: one scalar a dimension, or (an older form) one vector.
fn with_starts(b: &mut Body, i: &Instruction, fixed: usize) -> Result<Vec<sim_core::ir::ValueId>> {
    let mut operands = b.leaves(i)?;
    if operands.len() != fixed + 1 {
        return Ok(operands);
    }
    let vector = operands[fixed];
    let ty = b.tensor_type(vector)?;
    let [Dim::Static(n)] = ty.dims[..] else { return Ok(operands) };
    // One for each dimension of the operand; the verifier refuses what is neither form.
    if b.tensor_type(operands[0])?.rank() as i64 != n {
        return Ok(operands);
    }
    operands.truncate(fixed);
    for d in 0..n {
        let one = Op::Slice { start: vec![d], limit: vec![d + 1], strides: vec![1] };
        let piece = b.helper(i, one, &[vector], sim_core::Type::tensor(ty.element, &[1]));
        operands.push(b.helper(i, Op::Reshape, &[piece], sim_core::Type::tensor(ty.element, &[])));
    }
    Ok(operands)
}

/// operands: operand, one scalar a dimension.
fn dynamic_reshape(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let operands = b.leaves(i)?;
    let Some((&operand, sizes)) = operands.split_first() else {
        return Err(invalid(i, "it needs an operand"));
    };
    let mut parts = Vec::new();
    let mut element = sim_core::ElementType::S32;
    for &size in sizes {
        element = b.tensor_type(size)?.element;
        parts.push(b.helper(i, Op::Reshape, &[size], sim_core::Type::tensor(element, &[1])));
    }
    let ty = sim_core::Type::tensor(element, &[parts.len() as i64]);
    let shape = b.helper(i, Op::Concatenate { dim: 0 }, &parts, ty);
    b.push(i, Op::DynamicReshape, &[operand, shape], &[])
}

fn gather(i: &Instruction) -> Result<GatherDims> {
    Ok(GatherDims {
        offset_dims: ints(i, Key::OffsetDims)?.to_vec(),
        collapsed_slice_dims: ints_or_none(i, Key::CollapsedSliceDims),
        operand_batching_dims: ints_or_none(i, Key::OperandBatchingDims),
        start_indices_batching_dims: ints_or_none(i, Key::StartIndicesBatchingDims),
        start_index_map: ints(i, Key::StartIndexMap)?.to_vec(),
        index_vector_dim: int(i, Key::IndexVectorDim)?,
    })
}

fn scatter(i: &Instruction) -> Result<ScatterDims> {
    Ok(ScatterDims {
        update_window_dims: ints(i, Key::UpdateWindowDims)?.to_vec(),
        inserted_window_dims: ints_or_none(i, Key::InsertedWindowDims),
        input_batching_dims: ints_or_none(i, Key::InputBatchingDims),
        scatter_indices_batching_dims: ints_or_none(i, Key::ScatterIndicesBatchingDims),
        scatter_dims_to_operand_dims: ints(i, Key::ScatterDimsToOperandDims)?.to_vec(),
        index_vector_dim: int(i, Key::IndexVectorDim)?,
    })
}
