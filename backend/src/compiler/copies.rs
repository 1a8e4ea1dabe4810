//! Results that need memory of their own.
//!
//! A result of the program that is an argument, a constant or another result is copied, unless the argument is donated to it. So is what is
//! updated in place but needed afterwards, or somebody else's: an argument that is not donated.

use super::Cx;
use super::graph::{self, Effects, compact, source, updated, users};
use crate::memory::aliases;
use sim_core::Result;
use sim_core::hlo::{Computation, HloModule, Instruction, InstructionId, Key, Opcode};

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    for id in cx.module.reached() {
        let mut computation = cx.module.computation(id).clone();
        let mut changed = updates(cx, &mut computation, id == cx.module.entry);
        if id == cx.module.entry {
            changed |= results(cx, &mut computation);
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

fn results(cx: &mut Cx<'_>, computation: &mut Computation) -> bool {
    let root = computation.root;
    let is_tuple = computation.root().opcode == Opcode::Tuple;
    let outputs: Vec<InstructionId> = match is_tuple {
        true => computation.root().operands.to_vec(),
        false => vec![root],
    };
    let mut changed = false;
    let mut seen: Vec<InstructionId> = Vec::new();
    for (n, &output) in outputs.iter().enumerate() {
        if computation.instruction(output).shape.as_array().is_none() {
            continue;
        }
        let from = source(computation, output);
        let instruction = computation.instruction(from);
        let path: Vec<i64> = if is_tuple { vec![n as i64] } else { Vec::new() };
        let shared = match (instruction.opcode, instruction.parameter_number) {
            (_, Some(p)) => !donated(&cx.module, p, Some(&path)),
            (Opcode::Constant, _) => true,
            _ => seen.contains(&from),
        };
        seen.push(from);
        if shared {
            let copy = copied(cx, computation, output);
            match is_tuple {
                true => computation.instructions[root.0 as usize].operands[n] = copy,
                false => computation.root = copy,
            }
            changed = true;
        }
    }
    changed
}

fn updates(cx: &mut Cx<'_>, computation: &mut Computation, is_entry: bool) -> bool {
    let users = users(computation);
    let mut changed = false;
    for i in 0..computation.instructions.len() {
        let Some(k) = updated(&cx.module, &computation.instructions[i]) else { continue };
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
    changed
}
