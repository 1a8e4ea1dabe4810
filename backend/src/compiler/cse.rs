//! Equal instructions become one, and so do equal computations that they apply.

use super::Cx;
use super::graph::{self, Effects, compact, redirect};
use rustc_hash::{FxHashMap, FxHasher};
use sim_core::Result;
use sim_core::hlo::{
    Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Literal, Opcode, Value,
};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// What equal instructions have in common: operands, and what tells constants apart.
type Common = (Opcode, SmallVec<[InstructionId; 4]>, u64);

/// Instructions of a computation that are unlike each other.
#[derive(Default)]
pub(super) struct Equal {
    /// By what they have in common, those that are compared then.
    known: FxHashMap<Common, SmallVec<[InstructionId; 2]>>,
}

impl Equal {
    /// The first of `all` that computes the same as `instruction`, which is or will be `id` among them: itself, if there is none.
    pub fn first(
        &mut self,
        all: &[Instruction],
        instruction: &Instruction,
        id: InstructionId,
    ) -> InstructionId {
        let operands = instruction.operands.iter().copied().collect();
        let key = (instruction.opcode, operands, of_literal(instruction));
        let candidates = self.known.entry(key).or_default();
        match candidates.iter().find(|&&c| alike(&all[c.0 as usize], instruction)) {
            Some(&first) => first,
            None => {
                candidates.push(id);
                id
            }
        }
    }
}

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    apply_the_first(&mut cx.module);
    let effects = Effects::of(&cx.module);
    for id in cx.module.reached() {
        let mut computation = cx.module.computation(id).clone();
        let n = computation.instructions.len();
        let mut to: Vec<InstructionId> = (0..n as u32).map(InstructionId).collect();
        let mut equal = Equal::default();
        for i in 0..n {
            let instruction = &mut computation.instructions[i];
            instruction.operands.iter_mut().for_each(|o| *o = to[o.0 as usize]);
            let instruction = &computation.instructions[i];
            if unique(instruction) || effects.keeps(instruction) {
                continue;
            }
            to[i] = equal.first(&computation.instructions, instruction, InstructionId(i as u32));
        }
        redirect(&mut computation, &to);
        compact(&mut computation, |i| effects.keeps(i));
        cx.module.computations[id.0 as usize] = computation;
    }
    graph::tidy(&mut cx.module);
    Ok(())
}

/// Instructions of a computation that is compared with others: sums and the like are small.
const MOST_APPLIED: usize = 16;

/// Reductions and the like apply the first of equal computations: each has one of its own as programs are written.
fn apply_the_first(module: &mut HloModule) {
    let mut first: FxHashMap<(usize, Opcode), SmallVec<[ComputationId; 4]>> = FxHashMap::default();
    let mut to: Vec<ComputationId> = Vec::with_capacity(module.computations.len());
    for (n, computation) in module.computations.iter().enumerate() {
        let id = ComputationId(n as u32);
        if computation.instructions.len() > MOST_APPLIED {
            to.push(id);
            continue;
        }
        let known = first.entry((computation.instructions.len(), computation.root().opcode)).or_default();
        let same = known.iter().copied().find(|&c| does_the_same(module.computation(c), computation));
        if same.is_none() {
            known.push(id);
        }
        to.push(same.unwrap_or(id));
    }
    // Where the groups of ragged products end is found for each product (`group_ends`, three times in libtpu 0.0.52's dumps of `moe_layer`).
    let all = module.computations.iter_mut().flat_map(|c| &mut c.instructions);
    let reduces = all.filter(|i| i.opcode != Opcode::ReduceWindow);
    for a in reduces.flat_map(|i| &mut i.attrs) {
        if let (Key::ToApply, Value::Computation(id)) = (&a.key, &mut a.value) {
            *id = to[id.0 as usize];
        }
    }
}

fn does_the_same(a: &Computation, b: &Computation) -> bool {
    let pure = |i: &Instruction| !unique(i) && i.called().next().is_none();
    let same = |(a, b): (&Instruction, &Instruction)| {
        a.opcode == b.opcode
            && a.operands == b.operands
            && a.parameter_number == b.parameter_number
            && pure(a)
            && alike(a, b)
    };
    a.root == b.root
        && a.execution_thread == b.execution_thread
        && a.instructions.len() == b.instructions.len()
        && a.instructions.iter().zip(&b.instructions).all(same)
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
