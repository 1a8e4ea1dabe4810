//! Shardy, and StableHLO's `check` and `interpreter` test dialects.

use crate::diag::Result;
use crate::dtype::ElementType;
use crate::ir::attr::Attr;
use crate::ir::generic::attrs::{Reader, Writer, as_symbols, symbols};
use crate::ir::op::{Check, Op};
use std::sync::Arc;

/// Shardy operations of one operand and one result that only say where data lies.
pub(super) const SDY_OTHER: [&str; 10] = [
    "sdy.all_gather",
    "sdy.all_reduce",
    "sdy.all_slice",
    "sdy.all_to_all",
    "sdy.collective_permute",
    "sdy.data_flow_edge",
    "sdy.func_data_flow_edge",
    "sdy.reduce_scatter",
    "sdy.replicated_to_unreduced",
    "sdy.sharded_to_unreduced",
];

pub(super) fn read(r: &mut Reader) -> Result<Option<Op>> {
    Ok(Some(match r.name {
        "sdy.sharding_constraint" => Op::SdyShardingConstraint,
        "sdy.reshard" => Op::SdyReshard,
        "sdy.propagation_barrier" => Op::SdyPropagationBarrier,
        "sdy.sharding_group" => Op::SdyShardingGroup,
        "sdy.manual_computation" => Op::SdyManualComputation,
        "sdy.named_computation" => Op::SdyNamedComputation { name: r.string("name")? },
        name if SDY_OTHER.contains(&name) => Op::SdyOther(name.into()),
        "check.expect_eq" => Op::Check(Check::ExpectEq),
        "check.expect_eq_const" => Op::Check(Check::ExpectEqConst(r.dense("value")?)),
        "check.expect_almost_eq" => Op::Check(Check::ExpectAlmostEq(r.opt_float("tolerance")?)),
        "check.expect_almost_eq_const" => {
            Op::Check(Check::ExpectAlmostEqConst(r.dense("value")?, r.opt_float("tolerance")?))
        }
        "check.expect_close" => Op::Check(Check::ExpectClose {
            min_ulp: r.opt_int("min_ulp_difference")?,
            max_ulp: r.opt_int("max_ulp_difference")?,
        }),
        "check.expect_serialized_eq" => Op::Check(Check::ExpectSerializedEq {
            probe_id: r.string("probe_id")?,
            probe_dir: r.opt_string("probe_dir")?.unwrap_or_else(|| "".into()),
            iteration: r.int_or("iteration", 0)?,
        }),
        "interpreter.run_parallel" => run_parallel(r)?,
        "interpreter.print" => Op::InterpreterPrint,
        "interpreter.probe" => Op::InterpreterProbe { id: r.string("probe_id")? },
        _ => return Ok(None),
    }))
}

fn run_parallel(r: &mut Reader) -> Result<Op> {
    let programs = r.optional("programs", "an array of arrays of symbols", |a| match a {
        Attr::Array(rows) => rows.iter().map(as_symbols).collect::<Option<Vec<_>>>(),
        _ => None,
    })?;
    Ok(Op::RunParallel {
        programs: programs.ok_or_else(|| r.missing("programs"))?,
        infeed: r.symbols("infeed")?,
    })
}

pub(super) fn write(op: &Op, w: &mut Writer) -> bool {
    match op {
        Op::SdyShardingConstraint
        | Op::SdyReshard
        | Op::SdyPropagationBarrier
        | Op::SdyShardingGroup
        | Op::SdyManualComputation
        | Op::SdyOther(_)
        | Op::InterpreterPrint => {}
        Op::SdyNamedComputation { name } => w.string("name", name),
        Op::Check(check) => write_check(check, w),
        Op::RunParallel { programs, infeed } => {
            if !infeed.is_empty() {
                w.symbols("infeed", infeed);
            }
            w.put("programs", Attr::Array(programs.iter().map(|row| symbols(row)).collect()));
        }
        Op::InterpreterProbe { id } => w.string("probe_id", id),
        _ => return false,
    }
    true
}

fn write_check(check: &Check, w: &mut Writer) {
    let tolerance = |w: &mut Writer, tolerance: Option<f64>| {
        if let Some(tolerance) = tolerance {
            w.put("tolerance", Attr::Float(tolerance, ElementType::F64));
        }
    };
    match check {
        Check::ExpectEq => {}
        Check::ExpectEqConst(value) => w.put("value", Attr::Dense(Arc::clone(value))),
        Check::ExpectAlmostEq(bound) => tolerance(w, *bound),
        Check::ExpectAlmostEqConst(value, bound) => {
            tolerance(w, *bound);
            w.put("value", Attr::Dense(Arc::clone(value)));
        }
        Check::ExpectClose { min_ulp, max_ulp } => {
            for (key, bound) in [("max_ulp_difference", max_ulp), ("min_ulp_difference", min_ulp)] {
                if let Some(bound) = bound {
                    w.put(key, Attr::Int(*bound, ElementType::U64));
                }
            }
        }
        Check::ExpectSerializedEq { probe_id, probe_dir, iteration } => {
            w.put("iteration", Attr::Int(*iteration, ElementType::U32));
            if !probe_dir.is_empty() {
                w.string("probe_dir", probe_dir);
            }
            w.string("probe_id", probe_id);
        }
    }
}
