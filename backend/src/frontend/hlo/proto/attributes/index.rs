//! Dimensions, slices, padding, gather and scatter.

use super::Out;
use crate::frontend::hlo::proto::schema::*;
use sim_core::hlo::{Attr, Key, Opcode as O, SliceDim, Value};
use sim_core::{Diagnostic, Result};

/// XLA's name for a dimension of a reshape that was not given.
const INFERRED: &str = "inferred_dimension";

pub(super) fn read(opcode: O, i: &HloInstructionProto, out: &mut Out) -> Result<()> {
    match opcode {
        O::Iota => match i.dimensions[..] {
            [dimension] => out.push(Key::IotaDimension, Value::Int(dimension)),
            _ => return Err(Diagnostic::malformed("an iota has one of `dimensions`")),
        },
        O::Broadcast
        | O::Concatenate
        | O::Reduce
        | O::Transpose
        | O::Reverse
        | O::Sort
        | O::Map
        | O::GetDimensionSize
        | O::SetDimensionSize
        | O::AllGather
        | O::AllGatherStart
        | O::ReduceScatter => out.ints(Key::Dimensions, &i.dimensions),
        O::Reshape => {
            if let [dimension] = i.dimensions[..] {
                out.push(Key::Other(INFERRED.into()), Value::Raw(dimension.to_string().into()));
            }
        }
        _ => out.ints_if_any(Key::Dimensions, &i.dimensions),
    }
    match opcode {
        O::Slice => {
            let dims = i.slice_dimensions.iter();
            let dims = dims.map(|d| SliceDim { start: d.start, limit: d.limit, stride: d.stride });
            out.push(Key::Slice, Value::Slice(dims.collect()));
        }
        O::DynamicSlice => out.ints(Key::DynamicSliceSizes, &i.dynamic_slice_sizes),
        O::Pad => {
            let dims = i.padding_config.iter().flat_map(|p| &p.dimensions);
            let dims = dims.map(|d| (d.edge_padding_low, d.edge_padding_high, d.interior_padding));
            out.push(Key::Padding, Value::Padding(dims.collect()));
        }
        O::Gather => {
            let g = i.gather_dimension_numbers.clone().unwrap_or_default();
            out.ints(Key::OffsetDims, &g.offset_dims);
            out.ints(Key::CollapsedSliceDims, &g.collapsed_slice_dims);
            out.ints(Key::StartIndexMap, &g.start_index_map);
            out.ints_if_any(Key::OperandBatchingDims, &g.operand_batching_dims);
            out.ints_if_any(Key::StartIndicesBatchingDims, &g.start_indices_batching_dims);
            out.push(Key::IndexVectorDim, Value::Int(g.index_vector_dim));
            out.ints(Key::SliceSizes, &i.gather_slice_sizes);
            out.flag(Key::IndicesAreSorted, i.indices_are_sorted);
        }
        O::Scatter => {
            let s = i.scatter_dimension_numbers.clone().unwrap_or_default();
            out.ints(Key::UpdateWindowDims, &s.update_window_dims);
            out.ints(Key::InsertedWindowDims, &s.inserted_window_dims);
            out.ints(Key::ScatterDimsToOperandDims, &s.scatter_dims_to_operand_dims);
            out.ints_if_any(Key::InputBatchingDims, &s.input_batching_dims);
            out.ints_if_any(Key::ScatterIndicesBatchingDims, &s.scatter_indices_batching_dims);
            out.push(Key::IndexVectorDim, Value::Int(s.index_vector_dim));
            out.flag(Key::IndicesAreSorted, i.indices_are_sorted);
            out.flag(Key::UniqueIndices, i.unique_indices);
        }
        _ => {}
    }
    Ok(())
}

pub(super) fn write(attr: &Attr, p: &mut HloInstructionProto) -> bool {
    match (&attr.key, &attr.value) {
        (Key::IotaDimension, Value::Int(n)) => p.dimensions = vec![*n],
        (Key::Dimensions, Value::Ints(v)) => p.dimensions = v.to_vec(),
        (Key::Dimensions, Value::Int(n)) => p.dimensions = vec![*n],
        (Key::Other(name), Value::Raw(text)) if &**name == INFERRED => match text.parse() {
            Ok(dimension) => p.dimensions = vec![dimension],
            Err(_) => return false,
        },
        (Key::Slice, Value::Slice(dims)) => {
            let dims = dims.iter();
            p.slice_dimensions = dims
                .map(|d| HloInstructionProtoSliceDimensions {
                    start: d.start,
                    limit: d.limit,
                    stride: d.stride,
                })
                .collect();
        }
        (Key::DynamicSliceSizes, Value::Ints(v)) => p.dynamic_slice_sizes = v.to_vec(),
        (Key::Padding, Value::Padding(dims)) => {
            let dims = dims.iter().map(|&(low, high, inside)| PaddingConfigPaddingConfigDimension {
                edge_padding_low: low,
                edge_padding_high: high,
                interior_padding: inside,
            });
            p.padding_config = Some(Box::new(PaddingConfig { dimensions: dims.collect() }));
        }
        (Key::IndicesAreSorted, Value::Bool(v)) => p.indices_are_sorted = *v,
        (Key::UniqueIndices, Value::Bool(v)) => p.unique_indices = *v,
        (Key::SliceSizes, Value::Ints(v)) => p.gather_slice_sizes = v.to_vec(),
        (Key::IndexVectorDim, Value::Int(n)) => match &mut p.scatter_dimension_numbers {
            Some(scatter) => scatter.index_vector_dim = *n,
            None => p.gather_dimension_numbers.get_or_insert_default().index_vector_dim = *n,
        },
        (key, Value::Ints(v)) => match list(key, p) {
            Some(field) => *field = v.to_vec(),
            None => return false,
        },
        _ => return false,
    }
    true
}

/// The list of a gather's or a scatter's numbers.
fn list<'p>(key: &Key, p: &'p mut HloInstructionProto) -> Option<&'p mut Vec<i64>> {
    let gather = &mut p.gather_dimension_numbers;
    let scatter = &mut p.scatter_dimension_numbers;
    Some(match key {
        Key::OffsetDims => &mut gather.get_or_insert_default().offset_dims,
        Key::CollapsedSliceDims => &mut gather.get_or_insert_default().collapsed_slice_dims,
        Key::StartIndexMap => &mut gather.get_or_insert_default().start_index_map,
        Key::OperandBatchingDims => &mut gather.get_or_insert_default().operand_batching_dims,
        Key::StartIndicesBatchingDims => &mut gather.get_or_insert_default().start_indices_batching_dims,
        Key::UpdateWindowDims => &mut scatter.get_or_insert_default().update_window_dims,
        Key::InsertedWindowDims => &mut scatter.get_or_insert_default().inserted_window_dims,
        Key::ScatterDimsToOperandDims => &mut scatter.get_or_insert_default().scatter_dims_to_operand_dims,
        Key::InputBatchingDims => &mut scatter.get_or_insert_default().input_batching_dims,
        Key::ScatterIndicesBatchingDims => &mut scatter.get_or_insert_default().scatter_indices_batching_dims,
        _ => return None,
    })
}
