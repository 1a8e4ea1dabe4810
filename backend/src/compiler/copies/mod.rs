//! What needs memory of its own.
//!
//! * `results`: a result of the program that is an argument, a constant or another result is copied, unless the argument is donated to it;
//!   so is one that cannot be made in the memory of its donated argument, as that is still read. It is made late where that avoids it.
//! * `loops`: what a loop changes lies in one place for all iterations: what is needed behind it is copied before, and what an iteration still
//!   reads when the next one's is made is copied in it.
//! * What is updated in place but needed afterwards, or somebody else's, is copied: an argument that is not donated.

mod loops;
mod results;

use super::Cx;
use super::graph::{self, Effects, compact, source, updated, users};
use crate::memory::aliases;
use rustc_hash::FxHashSet;
use sim_core::Result;
use sim_core::hlo::{Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode};
use smallvec::SmallVec;

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
        let mut changed = updates(cx, &mut computation, is_entry);
        changed |= loops::starts(cx, &mut computation, is_entry);
        match is_entry {
            true => changed |= results::own(cx, &mut computation),
            false if bodies.contains(&id) => changed |= loops::iterations(cx, &mut computation),
            false => {}
        }
        if changed {
            compact(&mut computation, |i| effects.keeps(i));
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
    let users = users(computation);
    let mut changed = false;
    for i in 0..computation.instructions.len() {
        for k in updated(&cx.module, &computation.instructions[i]) {
            let Some(&operand) = computation.instructions[i].operands.get(k) else { continue };
            let from = source(computation, operand);
            let owner = computation.instruction(from);
            // Others that read it, and do so later.
            let later = |id: InstructionId| users[id.0 as usize].iter().any(|u| u.0 as usize > i);
            let needed = later(from) || later(operand) || from == computation.root;
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

/// Bitcasts of these values, too, and who uses any of them otherwise.
fn readers(
    computation: &Computation,
    users: &[SmallVec<[InstructionId; 4]>],
    of: impl IntoIterator<Item = InstructionId>,
) -> (Vec<InstructionId>, Vec<InstructionId>) {
    let mut looks: Vec<InstructionId> = of.into_iter().collect();
    let mut others = Vec::new();
    let mut k = 0;
    while let Some(&look) = looks.get(k) {
        for &user in &users[look.0 as usize] {
            match computation.instruction(user).opcode {
                Opcode::Bitcast => looks.push(user),
                _ => others.push(user),
            }
        }
        k += 1;
    }
    (looks, others)
}
