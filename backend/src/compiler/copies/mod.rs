//! What needs memory of its own.
//!
//! * `results`: a result of the program that is an argument, a constant or another result is copied, unless the argument is donated to it;
//!   so is one that cannot be made in the memory of its donated argument, as that is still read. It is made late where that avoids it.
//! * `loops`: what a loop changes lies in one place for all iterations: what is needed behind it is copied before, and what an iteration still
//!   reads when the next one's is made is copied in it.
//! * `moves`: where copies read what others write (elements that change places), their order, and what is taken out of the way.
//! * `memory`: whose memory a value lies in, through loops and what works in place.
//! * What is updated in place but needed afterwards, or somebody else's, is copied: an argument that is not donated.

mod loops;
mod memory;
mod moves;
mod results;

use super::Cx;
use super::graph::{self, Effects, compact, updated};
use crate::memory::aliases;
use memory::Memory;
use rustc_hash::FxHashSet;
use sim_core::Result;
use sim_core::hlo::{Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode};

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    let bodies: FxHashSet<ComputationId> = bodies(&cx.module);
    for id in cx.module.reached() {
        let mut computation = cx.module.computation(id).clone();
        let is_entry = id == cx.module.entry;
        if is_entry {
            results::late(cx, &mut computation);
            cx.module.computations[id.0 as usize] = computation.clone();
        }
        // Who comes first is told by the order: copies stand before their users when the next looks.
        let steps: [fn(&mut Cx<'_>, &mut Computation, bool) -> bool; 3] = [
            updates,
            loops::starts,
            match is_entry {
                true => |cx, computation, _| results::own(cx, computation),
                false if bodies.contains(&id) => |cx, computation, _| loops::iterations(cx, computation),
                false => |_, _, _| false,
            },
        ];
        let mut changed = false;
        for step in steps {
            if step(cx, &mut computation, is_entry) {
                compact(&mut computation, |i| effects.keeps(i));
                changed = true;
            }
        }
        if changed {
            cx.module.computations[id.0 as usize] = computation;
        }
    }
    Ok(())
}

/// Is the argument donated to any result, or to that one?
pub(super) fn donated(module: &HloModule, parameter: i64, output: Option<&[i64]>) -> bool {
    let entries = |key: Key| aliases(module.attr(&key)).iter();
    entries(Key::InputOutputAlias).any(|a| a.parameter == parameter && output.is_none_or(|o| a.output == o))
        || (output.is_none() && entries(Key::BufferDonor).any(|a| a.parameter == parameter))
}

fn copied(cx: &mut Cx<'_>, computation: &mut Computation, id: InstructionId) -> InstructionId {
    let like = computation.instruction(id).clone();
    let copy = graph::instruction(cx.names.fresh("copy"), Opcode::Copy, like.shape.clone(), &[id], &like);
    graph::push(computation, copy)
}

fn updates(cx: &mut Cx<'_>, computation: &mut Computation, is_entry: bool) -> bool {
    let memory = Memory::of(&cx.module, computation);
    let mut changed = false;
    for i in 0..computation.instructions.len() {
        for k in updated(&cx.module, &computation.instructions[i]) {
            let Some(&operand) = computation.instructions[i].operands.get(k) else { continue };
            let from = memory.value(operand);
            let owner = computation.instruction(from);
            // Others that read it, and do so later.
            let later = memory.readers_of(computation, from).iter().any(|u| u.0 as usize > i);
            let needed = later || memory.value(computation.root) == from;
            let foreign = match owner.parameter_number {
                Some(p) if is_entry => !donated(&cx.module, p, None),
                _ => owner.opcode == Opcode::Constant,
            };
            if needed || foreign {
                // What fills an array is done again: nothing is read for it.
                let fills = computation.instruction(operand);
                let copy = match fills.opcode {
                    Opcode::Broadcast | Opcode::Iota => {
                        let again = Instruction { name: cx.names.fresh(&fills.name), ..fills.clone() };
                        graph::push(computation, again)
                    }
                    _ => copied(cx, computation, operand),
                };
                computation.instructions[i].operands[k] = copy;
                changed = true;
            }
        }
    }
    changed
}

/// The bodies of loops.
fn bodies(module: &HloModule) -> FxHashSet<ComputationId> {
    let all = module.reached().into_iter().flat_map(|id| &module.computation(id).instructions);
    all.filter(|i| i.opcode == Opcode::While).filter_map(|i| i.calls(&Key::Body)).collect()
}
