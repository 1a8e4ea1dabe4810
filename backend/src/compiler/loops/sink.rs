//! What a loop carries, and never changes, is computed in it if it is much larger than what it is computed of: a mask that was broadcast,
//! sines of all places and frequencies. Kernels compute it again as they need it, and memory holds what is small
//! (libtpu 0.0.52 carries `f32[64]` for eight `f32[1,1024,1,64]` of `llama_train`).

use super::Loop;
use super::cut::{Cuts, is_cheap, is_fill};
use crate::compiler::Cx;
use crate::compiler::graph::{Effects, push};
use rustc_hash::FxHashMap;
use sim_core::hlo::{Computation, Instruction, InstructionId};

/// So many times larger it has to be.
const TIMES: u64 = 4;

pub(super) fn run(cx: &mut Cx<'_>, site: &mut Loop, _: &Effects) -> bool {
    let parent = cx.module.computation(site.parent).clone();
    let mut cuts = Cuts::of(&parent);
    let wanted: Vec<(usize, InstructionId)> = (0..site.len)
        .filter(|&n| site.is_kept(&cx.module, n))
        .map(|n| (n, parent.instruction(site.tuple).operands[n]))
        .filter(|&(_, from)| {
            let i = parent.instruction(from);
            i.shape.as_array().is_some_and(|a| a.rank() > 0) || is_fill(&parent, i)
        })
        .filter(|&(_, from)| cuts.least(from).saturating_mul(TIMES) <= cuts.bytes(from))
        .collect();
    let mut inside: FxHashMap<InstructionId, InstructionId> = FxHashMap::default();
    for &(n, from) in &wanted {
        let looks = site.elements(&cx.module, site.body, n);
        let made = again(cx, site, &parent, &mut cuts, &mut inside, from);
        let body = &mut cx.module.computations[site.body.0 as usize];
        let root = body.root.0 as usize;
        for (k, i) in body.instructions.iter_mut().enumerate() {
            if k != root {
                i.operands.iter_mut().filter(|o| looks.contains(o)).for_each(|o| *o = made);
            }
        }
    }
    !wanted.is_empty()
}

/// The value, in the body: computed again as far as that is smaller, or carried.
fn again(
    cx: &mut Cx<'_>,
    site: &mut Loop,
    parent: &Computation,
    cuts: &mut Cuts<'_>,
    inside: &mut FxHashMap<InstructionId, InstructionId>,
    id: InstructionId,
) -> InstructionId {
    if let Some(&there) = inside.get(&id) {
        return there;
    }
    let like = parent.instruction(id);
    let there = if is_fill(parent, like) || is_cheap(like) && cuts.operands(id) < cuts.bytes(id) {
        let operands = like.operands.iter().map(|&o| again(cx, site, parent, cuts, inside, o)).collect();
        let made = Instruction { name: cx.names.fresh(&like.name), operands, ..like.clone() };
        push(&mut cx.module.computations[site.body.0 as usize], made)
    } else {
        site.carry(cx, id)
    };
    inside.insert(id, there);
    there
}
