//! What a loop carries, and never changes, is computed in it if it is much larger than what it is computed of: a mask that was broadcast,
//! sines of all places and frequencies. Kernels compute it again as they need it, and memory holds what is small
//! (libtpu 0.0.52 carries `f32[64]` for eight `f32[1,1024,1,64]` of `llama_train`).

use super::Loop;
use super::cut::{Cuts, is_cheap, is_fill};
use crate::compiler::Cx;
use crate::compiler::graph::{Effects, push};
use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::hlo::{Instruction, InstructionId};
use smallvec::SmallVec;

/// So many times larger it has to be.
const TIMES: u64 = 4;

/// A value of the parent that stands in the body, too: this instruction, or carried.
struct Inside {
    id: InstructionId,
    again: Option<Instruction>,
}

pub(super) fn run(cx: &mut Cx<'_>, site: &mut Loop, _: &Effects) -> bool {
    let parent = cx.module.computation(site.parent);
    let mut cuts = Cuts::of(parent);
    let starts = &parent.instruction(site.tuple).operands;
    let mut wanted: Vec<(InstructionId, SmallVec<[InstructionId; 2]>)> = Vec::new();
    let (mut plan, mut planned) = (Vec::new(), FxHashSet::default());
    for (n, looks) in site.kept(&cx.module) {
        let from = starts[n];
        let i = parent.instruction(from);
        let sinks = i.shape.as_array().is_some_and(|a| a.rank() > 0) || is_fill(parent, i);
        if sinks && cuts.least(from).saturating_mul(TIMES) <= cuts.bytes(from) {
            follow(&mut cuts, from, &mut plan, &mut planned);
            wanted.push((from, looks));
        }
    }
    if wanted.is_empty() {
        return false;
    }
    let carried: Vec<InstructionId> = plan.iter().filter(|p| p.again.is_none()).map(|p| p.id).collect();
    let looks = site.carry(cx, &carried);
    let mut inside: FxHashMap<InstructionId, InstructionId> = carried.into_iter().zip(looks).collect();
    let body = &mut cx.module.computations[site.body.0 as usize];
    let old = body.instructions.len();
    for Inside { id, again } in plan {
        if let Some(mut again) = again {
            again.name = cx.names.fresh(&again.name);
            again.operands.iter_mut().for_each(|o| *o = inside[o]);
            inside.insert(id, push(body, again));
        }
    }
    let made: FxHashMap<InstructionId, InstructionId> =
        wanted.iter().flat_map(|(from, looks)| looks.iter().map(|&l| (l, inside[from]))).collect();
    let root = body.root.0 as usize;
    for (_, i) in body.instructions[..old].iter_mut().enumerate().filter(|&(k, _)| k != root) {
        for o in &mut i.operands {
            if let Some(&made) = made.get(o) {
                *o = made;
            }
        }
    }
    true
}

/// What stands in the body for the value, operands first: it is computed again as far as that is smaller, and carried where it is not.
fn follow(
    cuts: &mut Cuts<'_>,
    id: InstructionId,
    plan: &mut Vec<Inside>,
    planned: &mut FxHashSet<InstructionId>,
) {
    if !planned.insert(id) {
        return;
    }
    let i = cuts.computation.instruction(id);
    let again = is_fill(cuts.computation, i) || is_cheap(i) && cuts.operands(id) < cuts.bytes(id);
    if again {
        i.operands.iter().for_each(|&o| follow(cuts, o, plan, planned));
    }
    plan.push(Inside { id, again: again.then(|| i.clone()) });
}
