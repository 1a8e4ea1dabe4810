//! Products with several dimensions of columns, such as the heads of attention, that become one.
//!
//! `[4096, 4096] x [4096, 32, 128] -> [4096, 32, 128]` is a product for each head, which fills half of an array of 256 columns. Where what comes of
//! it is reduced along the last dimension (the norm of each head), and rows fill the lanes, XLA:TPU multiplies `[4096, 4096] x [4096, 4096]`, between
//! copies of the weights and of the result (all 56 of queries and keys in dumps of prefills of libtpu 0.0.52; none of values, which nobody
//! reduces, nor of 16 and 32 rows).

use super::Cx;
use super::build::{self, Build};
use super::graph::{dims, is_elementwise, users};
use rustc_hash::FxHashSet;
use sim_core::Result;
use sim_core::hlo::{Computation, Instruction, InstructionId, Key, Opcode, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// Operations behind one another that are looked at.
const MOST_BEHIND: usize = 16;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let lanes = cx.chip.units().vpu.lanes;
    let mut reduced: FxHashSet<Arc<str>> = FxHashSet::default();
    for id in cx.module.reached() {
        let computation = cx.module.computation(id);
        let users = users(computation);
        for (n, i) in computation.instructions.iter().enumerate() {
            if i.opcode == Opcode::Dot && is_reduced(computation, &users, InstructionId(n as u32)) {
                reduced.insert(i.name.clone());
            }
        }
    }
    if !reduced.is_empty() {
        build::replace(cx, &[Opcode::Dot], |b, dot| {
            if reduced.contains(&dot.name) { flat(b, dot, lanes as i64) } else { None }
        });
    }
    Ok(())
}

/// Is what is computed of it, value by value, reduced along its last dimension?
fn is_reduced(computation: &Computation, users: &[SmallVec<[InstructionId; 4]>], dot: InstructionId) -> bool {
    let rank = computation.instruction(dot).shape.as_array().map_or(0, |a| a.rank() as i64);
    let mut open = vec![dot];
    for _ in 0..MOST_BEHIND {
        let Some(at) = open.pop() else { return false };
        for &user in &users[at.0 as usize] {
            let i = computation.instruction(user);
            match i.opcode {
                Opcode::Reduce if dims(i, &Key::Dimensions) == [rank - 1] => return true,
                op if is_elementwise(op) => open.push(user),
                _ => {}
            }
        }
    }
    false
}

fn sizes(computation: &Computation, id: InstructionId) -> Option<Vec<i64>> {
    computation.instruction(id).shape.as_array()?.dims.iter().map(|d| d.as_static()).collect()
}

/// The product with one dimension of columns, between reshapes.
fn flat(b: &mut Build<'_, '_>, dot: &Instruction, lanes: i64) -> Option<InstructionId> {
    let [left, right] = dot.operands[..] else { return None };
    let batches = [Key::LhsBatchDims, Key::RhsBatchDims].iter().any(|key| !dims(dot, key).is_empty());
    let (rows, columns) = (sizes(b.computation, left)?, sizes(b.computation, right)?);
    let contracted = dims(dot, &Key::RhsContractingDims);
    let free: Vec<i64> = (0..columns.len() as i64).filter(|d| !contracted.contains(d)).collect();
    let one = rows.len() == dims(dot, &Key::LhsContractingDims).len() + 1;
    let (&first, &last) = (free.first()?, free.last()?);
    let together = free.len() > 1 && last - first + 1 == free.len() as i64;
    let out: Vec<i64> = dot.shape.as_array()?.dims.iter().map(|d| d.as_static()).collect::<Option<_>>()?;
    if batches || !one || !together || *out.first()? < lanes {
        return None;
    }
    let element = |b: &Build<'_, '_>, id: InstructionId| {
        b.computation.instruction(id).shape.as_array().map(|a| a.element)
    };
    let merged: i64 = free.iter().map(|&d| columns[d as usize]).try_fold(1i64, i64::checked_mul)?;
    let mut narrow = columns[..first as usize].to_vec();
    narrow.push(merged);
    narrow.extend(&columns[last as usize + 1..]);
    let gone = free.len() as i64 - 1;
    let moved: Vec<i64> = contracted.iter().map(|&d| if d > last { d - gone } else { d }).collect();
    let of = element(b, right)?;
    let weights = b.reshape(right, of, &narrow);
    let result = dot.shape.as_array()?.element;
    let mut product = dot.clone();
    product.name = b.cx.names.fresh(&dot.name);
    product.operands[1] = weights;
    product.shape = build::shape(result, &[out[0], merged]);
    super::graph::set(&mut product, Key::RhsContractingDims, Value::Ints(moved.into()));
    let product = super::graph::push(b.computation, product);
    Some(b.reshape(product, result, &out))
}
