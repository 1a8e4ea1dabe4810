//! Equal instructions become one.

use super::Cx;
use super::graph::{Effects, compact, redirect};
use rustc_hash::{FxHashMap, FxHasher};
use sim_core::Result;
use sim_core::hlo::{Instruction, InstructionId, Key, Literal, Opcode};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// What equal instructions have in common, and what is compared then.
type Candidates = SmallVec<[InstructionId; 2]>;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    for id in cx.module.reached() {
        let mut computation = cx.module.computation(id).clone();
        let n = computation.instructions.len();
        let mut to: Vec<InstructionId> = (0..n as u32).map(InstructionId).collect();
        let mut known: FxHashMap<(Opcode, SmallVec<[InstructionId; 4]>, u64), Candidates> =
            FxHashMap::default();
        for i in 0..n {
            let instruction = &mut computation.instructions[i];
            instruction.operands.iter_mut().for_each(|o| *o = to[o.0 as usize]);
            let instruction = &computation.instructions[i];
            if unique(instruction) || effects.keeps(instruction) {
                continue;
            }
            let key = (instruction.opcode, instruction.operands.clone(), of_literal(instruction));
            let candidates = known.entry(key).or_default();
            let same =
                candidates.iter().find(|&&c| alike(&computation.instructions[c.0 as usize], instruction));
            match same {
                Some(&first) => to[i] = first,
                None => candidates.push(InstructionId(i as u32)),
            }
        }
        redirect(&mut computation, &to);
        compact(&mut computation, |i| effects.keeps(i));
        cx.module.computations[id.0 as usize] = computation;
    }
    Ok(())
}

/// Each is a state of its own.
fn unique(instruction: &Instruction) -> bool {
    matches!(instruction.opcode, Opcode::Rng | Opcode::While | Opcode::Conditional | Opcode::CustomCall)
        || instruction.opcode == Opcode::OptimizationBarrier
        || instruction.attr(&Key::ControlPredecessors).is_some()
}

/// A number that tells constants apart: they have no operands that do.
fn of_literal(instruction: &Instruction) -> u64 {
    let mut hasher = FxHasher::default();
    if let Some(Literal::Array(tensor)) = instruction.literal.as_deref() {
        tensor.bytes().hash(&mut hasher);
    }
    hasher.finish()
}

fn alike(a: &Instruction, b: &Instruction) -> bool {
    // Where they come from does not matter.
    a.shape == b.shape && a.literal == b.literal && a.attrs == b.attrs && a.sugar == b.sugar
}
