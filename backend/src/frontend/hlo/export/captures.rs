//! What regions take from around them.

use rustc_hash::FxHashSet;
use sim_core::ir::module::{RegionId, ValueDef, ValueId};
use sim_core::ir::{Function, Op, Operation};

/// Values that the regions use and do not define, in the order of first use. Constants are not among
/// them: they are made anew.
pub fn captures(f: &Function, regions: &[RegionId]) -> Vec<ValueId> {
    let mut inside = FxHashSet::default();
    let mut used = Vec::new();
    for &region in regions {
        walk(f, region, &mut inside, &mut used);
    }
    let mut seen = FxHashSet::default();
    used.retain(|v| !inside.contains(v) && seen.insert(*v) && !is_constant(f, *v));
    used
}

fn walk(f: &Function, region: RegionId, inside: &mut FxHashSet<ValueId>, used: &mut Vec<ValueId>) {
    let region = f.region(region);
    inside.extend(&region.args);
    for &id in &region.ops {
        let op = f.op(id);
        used.extend(&op.operands);
        for &inner in &op.regions {
            walk(f, inner, inside, used);
        }
        inside.extend(&op.results);
    }
    used.extend(&region.results);
}

/// The operation that gives a value, if it is no argument.
pub fn defining(f: &Function, v: ValueId) -> Option<&Operation> {
    match f.value(v).def {
        ValueDef::Result(op, _) => Some(f.op(op)),
        ValueDef::Arg(..) => None,
    }
}

pub fn is_constant(f: &Function, v: ValueId) -> bool {
    defining(f, v).is_some_and(|op| matches!(op.op, Op::Constant(_)))
}

/// May it be computed again inside a region? Cheap, and of constants only.
pub fn is_cheap(f: &Function, v: ValueId, depth: u32) -> bool {
    let Some(op) = defining(f, v) else { return false };
    let simple = matches!(
        op.op,
        Op::Constant(_) | Op::Iota { .. } | Op::BroadcastInDim { .. } | Op::Reshape | Op::Convert
    );
    simple && depth > 0 && op.operands.iter().all(|&v| is_cheap(f, v, depth - 1))
}
