//! Operations on shapes and data movement.

use crate::diag::Result;
use crate::ir::generic::attrs::{Reader, Writer};
use crate::ir::op::{GatherDims, HloAttr, Op, ScatterDims};

pub(super) fn read(r: &mut Reader) -> Result<Option<Op>> {
    Ok(Some(match r.name {
        "stablehlo.broadcast_in_dim" => Op::BroadcastInDim { dims: r.ints("broadcast_dimensions")? },
        "stablehlo.dynamic_broadcast_in_dim" => Op::DynamicBroadcastInDim {
            dims: r.ints("broadcast_dimensions")?,
            known_expanding: r.opt_ints("known_expanding_dimensions")?,
            known_nonexpanding: r.opt_ints("known_nonexpanding_dimensions")?,
        },
        "stablehlo.broadcast" => Op::Broadcast { sizes: r.ints("broadcast_sizes")? },
        "stablehlo.reshape" => Op::Reshape,
        "stablehlo.dynamic_reshape" => Op::DynamicReshape,
        "stablehlo.transpose" => Op::Transpose { permutation: r.ints("permutation")? },
        "stablehlo.reverse" => Op::Reverse { dims: r.ints("dimensions")? },
        "stablehlo.slice" => Op::Slice {
            start: r.ints("start_indices")?,
            limit: r.ints("limit_indices")?,
            strides: r.ints("strides")?,
        },
        "stablehlo.dynamic_slice" => Op::DynamicSlice { sizes: r.ints("slice_sizes")? },
        "stablehlo.real_dynamic_slice" => Op::RealDynamicSlice,
        "stablehlo.dynamic_update_slice" => Op::DynamicUpdateSlice,
        "stablehlo.pad" => Op::Pad {
            low: r.ints("edge_padding_low")?,
            high: r.ints("edge_padding_high")?,
            interior: r.ints("interior_padding")?,
        },
        "stablehlo.dynamic_pad" => Op::DynamicPad,
        "stablehlo.concatenate" => Op::Concatenate { dim: r.int("dimension")? },
        "stablehlo.gather" => Op::Gather {
            dims: gather_dims(r)?,
            slice_sizes: r.ints("slice_sizes")?,
            sorted: r.opt_bool("indices_are_sorted")?,
        },
        "stablehlo.dynamic_gather" => {
            Op::DynamicGather { dims: gather_dims(r)?, sorted: r.opt_bool("indices_are_sorted")? }
        }
        "stablehlo.scatter" => Op::Scatter {
            dims: scatter_dims(r)?,
            sorted: r.opt_bool("indices_are_sorted")?,
            unique: r.opt_bool("unique_indices")?,
        },
        "stablehlo.torch_index_select" => {
            Op::TorchIndexSelect { dim: r.int("dim")?, batch_dims: r.int("batch_dims")? }
        }
        "stablehlo.get_dimension_size" => Op::GetDimensionSize { dim: r.int("dimension")? },
        "stablehlo.set_dimension_size" => Op::SetDimensionSize { dim: r.int("dimension")? },
        _ => return Ok(None),
    }))
}

fn gather_dims(r: &mut Reader) -> Result<GatherDims> {
    r.hlo("dimension_numbers", "#stablehlo.gather<…>", |h| match h {
        HloAttr::Gather(dims) => Some(dims.clone()),
        _ => None,
    })
}

fn scatter_dims(r: &mut Reader) -> Result<ScatterDims> {
    r.hlo("scatter_dimension_numbers", "#stablehlo.scatter<…>", |h| match h {
        HloAttr::Scatter(dims) => Some(dims.clone()),
        _ => None,
    })
}

pub(super) fn write(op: &Op, w: &mut Writer) -> bool {
    match op {
        Op::BroadcastInDim { dims } => w.ints("broadcast_dimensions", dims),
        Op::DynamicBroadcastInDim { dims, known_expanding, known_nonexpanding } => {
            w.ints("broadcast_dimensions", dims);
            if let Some(dims) = known_expanding {
                w.ints("known_expanding_dimensions", dims);
            }
            if let Some(dims) = known_nonexpanding {
                w.ints("known_nonexpanding_dimensions", dims);
            }
        }
        Op::Broadcast { sizes } => w.ints("broadcast_sizes", sizes),
        Op::Transpose { permutation } => w.ints("permutation", permutation),
        Op::Reverse { dims } => w.ints("dimensions", dims),
        Op::Slice { start, limit, strides } => {
            w.ints("limit_indices", limit);
            w.ints("start_indices", start);
            w.ints("strides", strides);
        }
        Op::DynamicSlice { sizes } => w.ints("slice_sizes", sizes),
        Op::Pad { low, high, interior } => {
            w.ints("edge_padding_high", high);
            w.ints("edge_padding_low", low);
            w.ints("interior_padding", interior);
        }
        Op::Concatenate { dim } | Op::GetDimensionSize { dim } | Op::SetDimensionSize { dim } => {
            w.i64("dimension", *dim);
        }
        Op::Gather { dims, slice_sizes, sorted } => {
            w.hlo("dimension_numbers", HloAttr::Gather(dims.clone()));
            w.opt_bool("indices_are_sorted", *sorted);
            w.ints("slice_sizes", slice_sizes);
        }
        Op::DynamicGather { dims, sorted } => {
            w.hlo("dimension_numbers", HloAttr::Gather(dims.clone()));
            w.opt_bool("indices_are_sorted", *sorted);
        }
        Op::Scatter { dims, sorted, unique } => {
            w.opt_bool("indices_are_sorted", *sorted);
            w.hlo("scatter_dimension_numbers", HloAttr::Scatter(dims.clone()));
            w.opt_bool("unique_indices", *unique);
        }
        Op::TorchIndexSelect { dim, batch_dims } => {
            w.i64("batch_dims", *batch_dims);
            w.i64("dim", *dim);
        }
        Op::Reshape | Op::DynamicReshape | Op::RealDynamicSlice | Op::DynamicUpdateSlice | Op::DynamicPad => {
        }
        _ => return false,
    }
    true
}
