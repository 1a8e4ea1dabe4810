//! The generic form of operations: an MLIR name and an attribute dictionary.
//!
//! MLIR text and bytecode, pretty or not, come down to a name, operands, types, regions and named
//! attributes. [`from_generic`] makes the typed [`Op`] of it, taking the attributes that [`Op`]
//! models out of the dictionary in whatever spelling they come (`array<i64: 1>`, `[1]`,
//! `dense<1> : tensor<1xi64>`); [`to_generic`] gives them back in the spelling of today's StableHLO.
//! The names are those of StableHLO's and CHLO's operation definitions (`StablehloOps.td`,
//! `ChloOps.td`); each family of operations has its own file here, with both directions.

mod attrs;
mod collective;
mod compute;
mod control;
mod elementwise;
pub mod keyword;
mod other;
mod shape;
#[cfg(test)]
mod tests;

use crate::diag::{Diagnostic, Result};
use crate::ir::attr::AttrDict;
use crate::ir::op::Op;
use crate::types::Type;
use attrs::{Reader, Writer};

/// The typed operation of a generic one. What [`Op`] models is taken out of `attrs`; the rest
/// (`mhlo.sharding`, a user's own) stays there.
///
/// `chlo.scan` needs its `operandSegmentSizes`, also where a pretty form leaves them implicit. The
/// terminators (`stablehlo.return`, `func.return`, `sdy.return`) are no operations here.
///
/// # Errors
/// `Invalid` when a required attribute is missing, an attribute is of the wrong kind, or the number
/// of regions is not the operation's; `Unsupported` when no operation has that name.
pub fn from_generic(
    name: &str,
    attrs: &mut AttrDict,
    operand_types: &[Type],
    result_types: &[Type],
    num_regions: usize,
) -> Result<Op> {
    let mut r = Reader { name, attrs, operands: operand_types, results: result_types };
    // The elementwise family first: it is the most frequent, and it is found by one hash.
    let op = match elementwise::read(&mut r)? {
        Some(op) => op,
        None => match shape::read(&mut r)? {
            Some(op) => op,
            None => match compute::read(&mut r)? {
                Some(op) => op,
                None => match control::read(&mut r)? {
                    Some(op) => op,
                    None => match collective::read(&mut r)? {
                        Some(op) => op,
                        None => other::read(&mut r)?.ok_or_else(|| unknown(name))?,
                    },
                },
            },
        },
    };
    check_regions(&op, num_regions)?;
    Ok(op)
}

/// The attributes of an operation in its generic form, sorted by name; the inverse of
/// [`from_generic`]. The numbers of operands and results tell `chlo.scan`'s segment sizes.
///
/// # Panics
/// If dense replica groups do not have as many ids as rows times columns.
pub fn to_generic(op: &Op, num_operands: usize, num_results: usize) -> AttrDict {
    let mut w = Writer::default();
    let known = elementwise::write(op, &mut w)
        || shape::write(op, &mut w)
        || compute::write(op, num_operands, num_results, &mut w)
        || control::write(op, &mut w)
        || collective::write(op, &mut w)
        || other::write(op, &mut w);
    debug_assert!(known, "{} has no generic form", op.name());
    w.0
}

/// How many regions an operation has; `None` for `case`, which has one per branch, and for
/// `composite`, which may have any number.
pub fn num_regions(op: &Op) -> Option<usize> {
    match op {
        Op::Map { .. }
        | Op::Scatter { .. }
        | Op::Reduce { .. }
        | Op::ReduceWindow(_)
        | Op::Sort { .. }
        | Op::Scan { .. }
        | Op::AllReduce(_)
        | Op::CollectiveReduce(_)
        | Op::ReduceScatter { .. }
        | Op::AsyncStart
        | Op::SdyManualComputation
        | Op::SdyNamedComputation { .. } => Some(1),
        Op::SelectAndScatter(_) | Op::If | Op::While => Some(2),
        Op::Case | Op::Composite { .. } => None,
        _ => Some(0),
    }
}

fn check_regions(op: &Op, got: usize) -> Result<()> {
    match num_regions(op) {
        Some(want) if want != got => {
            Err(Diagnostic::invalid(format!("{} takes {want} region(s), not {got}", op.name())))
        }
        None if got == 0 && matches!(op, Op::Case) => {
            Err(Diagnostic::invalid(format!("{} needs at least one region", op.name())))
        }
        _ => Ok(()),
    }
}

fn unknown(name: &str) -> Diagnostic {
    let d = Diagnostic::unsupported(format!("no operation is named `{}`", shorten(name)));
    match nearest(name) {
        Some(near) => d.help(format!("the nearest name is `{near}`")),
        None => d.help(
            "tpusim reads the dialects stablehlo, chlo, sdy, func, check and interpreter; lower others to them first",
        ),
    }
}

fn shorten(name: &str) -> String {
    name.chars().take(100).collect()
}

/// The known name with the fewest edits, if they are few.
fn nearest(name: &str) -> Option<&'static str> {
    if name.len() > 100 {
        return None;
    }
    let all = NAMES.iter().copied().chain(elementwise::plain_names()).chain(other::SDY_OTHER);
    // The name breaks ties: the table's own order is not stable.
    let (distance, near) = all.map(|known| (edits(name, known), known)).min()?;
    (distance <= 2.max(name.len() / 4)).then_some(near)
}

/// Levenshtein's distance.
fn edits(a: &str, b: &str) -> usize {
    let b = b.as_bytes();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.as_bytes().iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let next = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

/// The names that are not in the elementwise table nor among the plain Shardy ones.
const NAMES: [&str; 99] = [
    "check.expect_almost_eq",
    "check.expect_almost_eq_const",
    "check.expect_close",
    "check.expect_eq",
    "check.expect_eq_const",
    "check.expect_serialized_eq",
    "chlo.broadcast_compare",
    "chlo.broadcast_select",
    "chlo.constant",
    "chlo.constant_like",
    "chlo.ragged_dot",
    "chlo.scan",
    "chlo.top_k",
    "func.call",
    "interpreter.print",
    "interpreter.probe",
    "interpreter.run_parallel",
    "sdy.manual_computation",
    "sdy.named_computation",
    "sdy.propagation_barrier",
    "sdy.reshard",
    "sdy.sharding_constraint",
    "sdy.sharding_group",
    "stablehlo.after_all",
    "stablehlo.all_gather",
    "stablehlo.all_reduce",
    "stablehlo.all_to_all",
    "stablehlo.async_done",
    "stablehlo.async_start",
    "stablehlo.batch_norm_grad",
    "stablehlo.batch_norm_inference",
    "stablehlo.batch_norm_training",
    "stablehlo.bitcast_convert",
    "stablehlo.broadcast",
    "stablehlo.broadcast_in_dim",
    "stablehlo.case",
    "stablehlo.cholesky",
    "stablehlo.clamp",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.collective_reduce",
    "stablehlo.compare",
    "stablehlo.composite",
    "stablehlo.concatenate",
    "stablehlo.constant",
    "stablehlo.convert",
    "stablehlo.convolution",
    "stablehlo.create_token",
    "stablehlo.cross-replica-sum",
    "stablehlo.custom_call",
    "stablehlo.dot",
    "stablehlo.dot_general",
    "stablehlo.dynamic_broadcast_in_dim",
    "stablehlo.dynamic_conv",
    "stablehlo.dynamic_gather",
    "stablehlo.dynamic_iota",
    "stablehlo.dynamic_pad",
    "stablehlo.dynamic_reshape",
    "stablehlo.dynamic_slice",
    "stablehlo.dynamic_update_slice",
    "stablehlo.einsum",
    "stablehlo.fft",
    "stablehlo.gather",
    "stablehlo.get_dimension_size",
    "stablehlo.get_tuple_element",
    "stablehlo.if",
    "stablehlo.infeed",
    "stablehlo.iota",
    "stablehlo.map",
    "stablehlo.optimization_barrier",
    "stablehlo.outfeed",
    "stablehlo.pad",
    "stablehlo.partition_id",
    "stablehlo.real_dynamic_slice",
    "stablehlo.recv",
    "stablehlo.reduce",
    "stablehlo.reduce_precision",
    "stablehlo.reduce_scatter",
    "stablehlo.reduce_window",
    "stablehlo.replica_id",
    "stablehlo.reshape",
    "stablehlo.reverse",
    "stablehlo.rng",
    "stablehlo.rng_bit_generator",
    "stablehlo.scatter",
    "stablehlo.select",
    "stablehlo.select_and_scatter",
    "stablehlo.send",
    "stablehlo.set_dimension_size",
    "stablehlo.slice",
    "stablehlo.sort",
    "stablehlo.torch_index_select",
    "stablehlo.transpose",
    "stablehlo.triangular_solve",
    "stablehlo.tuple",
    "stablehlo.unary_einsum",
    "stablehlo.uniform_dequantize",
    "stablehlo.uniform_quantize",
    "stablehlo.while",
];
