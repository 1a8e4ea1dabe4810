//! The order of execution of each block, and where values die.

use super::PlanOptions;
use super::fuse::{Fused, Fusion, fuse};
use super::join::join;
use super::rows::Rows;
use sim_core::ir::{Function, OpId, Operation, RegionId, ValueId};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// An operand of a step. `take`: this is the last use, the step owns the value.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub value: ValueId,
    pub take: bool,
}

/// What a step does.
pub enum Action {
    /// One operation by its kernel.
    Op(OpId),
    /// A `concatenate`; those operands that have a slice are sliced on the way.
    Join { op: OpId, slices: Vec<Option<OpId>> },
    /// A chain of operations that ends in this one, block by block.
    Rows { op: OpId, rows: Arc<Rows> },
    /// Elementwise operations, and the reduction at their end, as one program. The step's operands
    /// are the distinct bases of its inputs, then the reduction's initial values.
    Fused { fused: Box<Fused>, sources: Vec<usize> },
}

pub struct Step {
    pub action: Action,
    pub operands: Vec<Operand>,
    pub results: Vec<ValueId>,
    /// Values that nobody reads after this step and that it did not take.
    pub drops: Vec<ValueId>,
}

impl Step {
    /// The operation that stands for the step: of several, the last.
    pub fn operation<'f>(&self, f: &'f Function) -> Option<&'f Operation> {
        let id = match &self.action {
            Action::Op(id) | Action::Join { op: id, .. } | Action::Rows { op: id, .. } => Some(*id),
            Action::Fused { fused, .. } => fused.reduce.or(fused.members.last().copied()),
        };
        id.map(|id| f.op(id))
    }
}

/// One region's steps.
#[derive(Default)]
pub struct BlockPlan {
    pub steps: Vec<Step>,
    pub results: Vec<Operand>,
    /// Arguments that nobody reads.
    pub unused_args: Vec<ValueId>,
}

/// Plans every region of `f`; the operations of `rows` are run in blocks.
pub fn plan(f: &Function, options: PlanOptions, rows: &HashMap<OpId, Arc<Rows>>) -> Vec<BlockPlan> {
    let captures = external_uses(f);
    (0..f.regions.len()).map(|r| block(f, RegionId(r as u32), &captures, options, rows)).collect()
}

/// For each operation, the values that its regions use from outside of them.
pub(super) fn external_uses(f: &Function) -> Vec<Vec<ValueId>> {
    uses_around(f).0
}

/// For each region, the values that it, or one inside of it, uses from around it.
pub(super) fn captured(f: &Function) -> Vec<Vec<ValueId>> {
    uses_around(f).1
}

/// By operation, and by region.
fn uses_around(f: &Function) -> (Vec<Vec<ValueId>>, Vec<Vec<ValueId>>) {
    // Regions are numbered as they open, so an inner region has a larger number than the region
    // around it: walking them backwards sees inner ones first.
    let mut captured: Vec<Vec<ValueId>> = vec![Vec::new(); f.regions.len()];
    let mut by_op: Vec<Vec<ValueId>> = vec![Vec::new(); f.ops.len()];
    let mut region_of_value: Vec<RegionId> = vec![RegionId(0); f.values.len()];
    for (r, region) in f.regions.iter().enumerate() {
        let id = RegionId(r as u32);
        let results = region.ops.iter().flat_map(|&o| f.op(o).results.iter());
        for &v in region.args.iter().chain(results) {
            region_of_value[v.index()] = id;
        }
    }
    for r in (0..f.regions.len()).rev() {
        let id = RegionId(r as u32);
        let mut outside = Vec::new();
        for &o in &f.regions[r].ops {
            let op = f.op(o);
            let mut inner: Vec<ValueId> =
                op.regions.iter().flat_map(|&q| captured[q.index()].iter().copied()).collect();
            inner.sort_unstable();
            inner.dedup();
            outside.extend(op.operands.iter().chain(&inner).filter(|v| region_of_value[v.index()] != id));
            by_op[o.index()] = inner;
        }
        outside.extend(f.regions[r].results.iter().filter(|v| region_of_value[v.index()] != id));
        outside.sort_unstable();
        outside.dedup();
        captured[r] = outside;
    }
    (by_op, captured)
}

/// A step to be: what to do, what it reads, what it makes, what its regions use.
pub(super) type Draft = (Action, Vec<ValueId>, Vec<ValueId>, Vec<ValueId>);

/// Moves those of the `late` steps to the end of `todo` that make any of these values.
fn before<'v>(todo: &mut Vec<Draft>, late: &mut Vec<Draft>, values: impl Iterator<Item = &'v ValueId>) {
    if late.is_empty() {
        return;
    }
    let mut wanted: HashSet<ValueId> = values.copied().collect();
    let mut ready = Vec::new();
    for i in (0..late.len()).rev() {
        if late[i].2.iter().any(|v| wanted.contains(v)) {
            let step = late.remove(i);
            wanted.extend(&step.1);
            ready.push(step);
        }
    }
    todo.extend(ready.into_iter().rev());
}

fn block(
    f: &Function,
    id: RegionId,
    captures: &[Vec<ValueId>],
    options: PlanOptions,
    rows: &HashMap<OpId, Arc<Rows>>,
) -> BlockPlan {
    let region = f.region(id);
    let live = live_ops(f, id, captures);
    let mut fusion = match options.fuse {
        Some(numerics) => fuse(f, id, &live, captures, &numerics),
        None => Fusion::default(),
    };
    let mut todo: Vec<Draft> = Vec::new();
    let mut late: Vec<Draft> = Vec::new();
    for (at, &o) in live.iter().enumerate() {
        if let Some(fused) = fusion.groups.remove(&at) {
            let mut reads: Vec<ValueId> = Vec::new();
            let sources = fused
                .inputs
                .iter()
                .map(|i| match reads.iter().position(|&v| v == i.base) {
                    Some(p) => p,
                    None => {
                        reads.push(i.base);
                        reads.len() - 1
                    }
                })
                .collect();
            let mut makes = fused.outputs.clone();
            let mut uses = Vec::new();
            if let Some(r) = fused.reduce {
                let op = f.op(r);
                reads.extend(&op.operands[op.operands.len() / 2..]);
                makes = op.results.iter().chain(&fused.outputs).copied().collect();
                uses = captures[r.index()].clone();
            }
            before(&mut todo, &mut late, reads.iter().chain(&uses));
            todo.push((Action::Fused { fused: Box::new(fused), sources }, reads, makes, uses));
        } else if !fusion.absorbed.contains(&o) {
            let op = f.op(o);
            let uses = captures[o.index()].clone();
            if fusion.late.contains(&o) {
                late.push((Action::Op(o), op.operands.to_vec(), op.results.to_vec(), uses));
                continue;
            }
            before(&mut todo, &mut late, op.operands.iter().chain(&uses));
            let action = match rows.get(&o) {
                Some(rows) => Action::Rows { op: o, rows: rows.clone() },
                None => Action::Op(o),
            };
            todo.push((action, op.operands.to_vec(), op.results.to_vec(), uses));
        }
    }
    if options.fuse.is_some() {
        join(f, &mut todo, &region.results);
    }
    // Last uses, backwards. Only values defined in this very block may be taken or dropped: the
    // others may be needed by the next iteration.
    let mut defined: HashSet<ValueId> = region.args.iter().copied().collect();
    defined.extend(todo.iter().flat_map(|t| t.2.iter().copied()));
    let mut seen = HashSet::new();
    let mut last_use = |v: ValueId| defined.contains(&v) && seen.insert(v);
    let mut results: Vec<Operand> =
        region.results.iter().rev().map(|&value| Operand { value, take: last_use(value) }).collect();
    results.reverse();
    let mut steps = Vec::new();
    for (action, reads, makes, uses) in todo.into_iter().rev() {
        let mut drops: Vec<ValueId> = makes.iter().copied().filter(|&v| last_use(v)).collect();
        // A value that the regions use must outlive the operands' move.
        drops.extend(uses.into_iter().filter(|&v| last_use(v)));
        let mut operands: Vec<Operand> =
            reads.iter().rev().map(|&value| Operand { value, take: last_use(value) }).collect();
        operands.reverse();
        steps.push(Step { action, operands, results: makes, drops });
    }
    steps.reverse();
    let unused_args = region.args.iter().copied().filter(|&v| last_use(v)).collect();
    BlockPlan { steps, results, unused_args }
}

/// Operations whose results somebody needs, and those with effects, in order.
pub(super) fn live_ops(f: &Function, id: RegionId, captures: &[Vec<ValueId>]) -> Vec<OpId> {
    let region = f.region(id);
    let mut needed: HashSet<ValueId> = region.results.iter().copied().collect();
    let mut live: Vec<OpId> = Vec::new();
    for &o in region.ops.iter().rev() {
        let op = f.op(o);
        if effectful(f, o) || op.results.iter().any(|v| needed.contains(v)) {
            live.push(o);
            needed.extend(op.operands.iter().copied());
            needed.extend(captures[o.index()].iter().copied());
        }
    }
    live.reverse();
    live
}

/// The operation or something inside its regions must run even if nobody reads its results.
fn effectful(f: &Function, root: OpId) -> bool {
    let mut stack = vec![root];
    while let Some(o) = stack.pop() {
        let op = f.op(o);
        // A call may reach checks and prints; those that are pure have mostly been inlined.
        if op.op.has_side_effect() || matches!(op.op, sim_core::ir::Op::Call { .. }) {
            return true;
        }
        stack.extend(op.regions.iter().flat_map(|&r| f.region(r).ops.iter().copied()));
    }
    false
}
