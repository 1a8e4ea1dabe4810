//! Constants, sources and elementwise operations.

use crate::diag::Result;
use crate::ir::generic::attrs::{Reader, Writer};
use crate::ir::op::{Binary, CompareType, HloAttr, Op, Unary};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// The operations whose name alone says which they are: there are many, and they are most of every
/// program, so they are found by hash.
#[derive(Clone, Copy)]
enum Plain {
    Unary(Unary),
    Binary(Binary),
    Broadcast(Binary),
}

static PLAIN: LazyLock<HashMap<&'static str, Plain>> = LazyLock::new(|| {
    let unary = Unary::ALL.iter().map(|&op| (op.name(), Plain::Unary(op)));
    let binary = Binary::ALL.iter().map(|&op| (op.name(), Plain::Binary(op)));
    let broadcast = Binary::ALL.iter().map(|&op| (op.broadcast_name(), Plain::Broadcast(op)));
    // CHLO had a tangent before StableHLO got one.
    unary.chain(binary).chain(broadcast).chain([("chlo.tan", Plain::Unary(Unary::Tan))]).collect()
});

/// Every name [`read`] knows through its table.
pub(super) fn plain_names() -> impl Iterator<Item = &'static str> {
    PLAIN.keys().copied()
}

pub(super) fn read(r: &mut Reader) -> Result<Option<Op>> {
    if let Some(&plain) = PLAIN.get(r.name) {
        return Ok(Some(match plain {
            Plain::Unary(op) => Op::Unary(op, accuracy(r)?),
            Plain::Binary(op) => Op::Binary(op),
            Plain::Broadcast(op) => Op::BroadcastBinary { op, dims: r.opt_ints("broadcast_dimensions")? },
        }));
    }
    Ok(Some(match r.name {
        "stablehlo.constant" | "chlo.constant" | "sdy.constant" => Op::Constant(r.dense("value")?),
        "stablehlo.iota" => Op::Iota { dim: r.int("iota_dimension")? },
        "stablehlo.dynamic_iota" => Op::DynamicIota { dim: r.int("iota_dimension")? },
        "stablehlo.partition_id" => Op::PartitionId,
        "stablehlo.replica_id" => Op::ReplicaId,
        "stablehlo.rng" => Op::Rng(r.keyword("rng_distribution")?),
        "stablehlo.rng_bit_generator" => Op::RngBitGenerator(r.keyword("rng_algorithm")?),
        "stablehlo.compare" => Op::Compare {
            direction: r.keyword("comparison_direction")?,
            ty: r.opt_keyword("compare_type")?.unwrap_or(CompareType::Default),
        },
        "chlo.broadcast_compare" => Op::BroadcastCompare {
            direction: r.keyword("comparison_direction")?,
            ty: r.opt_keyword("compare_type")?.unwrap_or(CompareType::Default),
            dims: r.opt_ints("broadcast_dimensions")?,
        },
        "stablehlo.select" => Op::Select,
        "chlo.broadcast_select" => Op::BroadcastSelect,
        "stablehlo.clamp" => Op::Clamp,
        "stablehlo.convert" => Op::Convert,
        "stablehlo.bitcast_convert" => Op::BitcastConvert,
        "stablehlo.reduce_precision" => Op::ReducePrecision {
            exponent_bits: r.int("exponent_bits")?,
            mantissa_bits: r.int("mantissa_bits")?,
        },
        "stablehlo.uniform_quantize" => Op::UniformQuantize,
        "stablehlo.uniform_dequantize" => Op::UniformDequantize,
        "stablehlo.map" => Op::Map { dims: r.ints("dimensions")? },
        "chlo.constant_like" => Op::ConstantLike(r.required("value")?),
        _ => return Ok(None),
    }))
}

fn accuracy(r: &mut Reader) -> Result<Option<Arc<crate::ir::op::ResultAccuracy>>> {
    r.opt_hlo("result_accuracy", "#stablehlo.result_accuracy<…>", |h| match h {
        HloAttr::ResultAccuracy(a) => Some(Arc::new(a.clone())),
        _ => None,
    })
}

pub(super) fn write(op: &Op, w: &mut Writer) -> bool {
    match op {
        Op::Unary(_, accuracy) => {
            if let Some(accuracy) = accuracy {
                w.hlo("result_accuracy", HloAttr::ResultAccuracy((**accuracy).clone()));
            }
        }
        Op::BroadcastBinary { dims, .. } => broadcast_dims(dims, w),
        Op::Constant(value) => w.put("value", crate::ir::Attr::Dense(value.clone())),
        Op::Iota { dim } | Op::DynamicIota { dim } => w.i64("iota_dimension", *dim),
        Op::Rng(distribution) => w.keyword("rng_distribution", *distribution),
        Op::RngBitGenerator(algorithm) => w.keyword("rng_algorithm", *algorithm),
        Op::Compare { direction, ty } => {
            if *ty != CompareType::Default {
                w.keyword("compare_type", *ty);
            }
            w.keyword("comparison_direction", *direction);
        }
        Op::BroadcastCompare { direction, ty, dims } => {
            broadcast_dims(dims, w);
            if *ty != CompareType::Default {
                w.keyword("compare_type", *ty);
            }
            w.keyword("comparison_direction", *direction);
        }
        Op::ReducePrecision { exponent_bits, mantissa_bits } => {
            w.i32("exponent_bits", *exponent_bits);
            w.i32("mantissa_bits", *mantissa_bits);
        }
        Op::Map { dims } => w.ints("dimensions", dims),
        Op::ConstantLike(value) => w.put("value", value.clone()),
        Op::PartitionId
        | Op::ReplicaId
        | Op::Binary(_)
        | Op::Select
        | Op::BroadcastSelect
        | Op::Clamp
        | Op::Convert
        | Op::BitcastConvert
        | Op::UniformQuantize
        | Op::UniformDequantize => {}
        _ => return false,
    }
    true
}

fn broadcast_dims(dims: &Option<Vec<i64>>, w: &mut Writer) {
    if let Some(dims) = dims {
        w.ints("broadcast_dimensions", dims);
    }
}
