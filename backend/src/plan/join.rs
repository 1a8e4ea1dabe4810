//! Slices that only a `concatenate` reads (a roll, a rotary embedding) are not made: it copies from
//! what they are slices of.
//!
//! Only where that costs no memory: the operand of the slices then lives until the `concatenate`, so
//! at least half of it must be copied.

use super::access::static_shape;
use super::steps::{Action, Draft};
use sim_core::ir::{Function, Op, OpId, ValueId};
use std::collections::{HashMap, HashSet};

/// Rewrites the steps of one block. `kept`: what the block returns.
pub(super) fn join(f: &Function, todo: &mut Vec<Draft>, kept: &[ValueId]) {
    let joins = |action: &Action| match action {
        Action::Op(o) => matches!(f.op(*o).op, Op::Concatenate { .. }),
        _ => false,
    };
    // Slices by their result, as long as only concatenations read them.
    let mut slices: HashMap<ValueId, OpId> = HashMap::new();
    for (action, ..) in todo.iter() {
        if let Action::Op(o) = action
            && let Op::Slice { .. } = f.op(*o).op
        {
            slices.insert(f.op(*o).results[0], *o);
        }
    }
    if slices.is_empty() {
        return;
    }
    let elements = |v: ValueId| static_shape(f, v).map_or(0, |s| s.iter().product::<usize>());
    for v in kept {
        slices.remove(v);
    }
    for (action, reads, _, uses) in todo.iter() {
        uses.iter().for_each(|v| _ = slices.remove(v));
        if !joins(action) {
            reads.iter().for_each(|v| _ = slices.remove(v));
            continue;
        }
        let mut copied: HashMap<ValueId, usize> = HashMap::new();
        for v in reads {
            if let Some(&o) = slices.get(v) {
                *copied.entry(f.op(o).operands[0]).or_default() += elements(*v);
            }
        }
        for v in reads {
            if let Some(&o) = slices.get(v) {
                let x = f.op(o).operands[0];
                if copied.get(&x).is_none_or(|&n| n < elements(x).div_ceil(2)) {
                    slices.remove(v);
                }
            }
        }
    }
    if slices.is_empty() {
        return;
    }
    let gone: HashSet<OpId> = slices.values().copied().collect();
    todo.retain(|(action, ..)| !matches!(action, Action::Op(o) if gone.contains(o)));
    for (action, reads, ..) in todo {
        let Action::Op(o) = *action else { continue };
        if !joins(action) || !reads.iter().any(|v| slices.contains_key(v)) {
            continue;
        }
        let mut windows = Vec::new();
        for v in reads {
            let slice = slices.get(v).copied();
            if let Some(slice) = slice {
                *v = f.op(slice).operands[0];
            }
            windows.push(slice);
        }
        *action = Action::Join { op: o, slices: windows };
    }
}
