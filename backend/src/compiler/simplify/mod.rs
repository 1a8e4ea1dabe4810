//! Operations that change nothing, or are simpler otherwise.
//!
//! A rule looks at one instruction and says what takes its place: one that is there, or a new one. Rules are applied in the order of the
//! instructions, over and over until none applies; a family of them is a file.

mod arithmetic;
mod concatenate;
mod ones;
mod reductions;
mod shapes;
mod spread;
mod tuples;

use super::Cx;
use super::graph::{self, Effects, Names, compact, redirect};
use sim_core::Result;
use sim_core::hlo::{Computation, Instruction, InstructionId, Opcode, Shape};
use std::sync::Arc;

/// A computation while rules are applied to it.
pub(super) struct Site<'a> {
    computation: &'a mut Computation,
    names: &'a mut Names,
    /// What applied computations do that are one operation on two scalars.
    applies: &'a [Option<Opcode>],
    /// How often each is needed, when a round begins; 0: it is new.
    uses: Vec<u32>,
    /// Where each instruction's uses go.
    to: Vec<InstructionId>,
}

impl Site<'_> {
    fn get(&self, id: InstructionId) -> &Instruction {
        self.computation.instruction(id)
    }

    /// An operand, as it is by now.
    fn operand(&self, instruction: &Instruction, n: usize) -> Option<(InstructionId, &Instruction)> {
        let mut id = *instruction.operands.get(n)?;
        while self.to[id.0 as usize] != id {
            id = self.to[id.0 as usize];
        }
        Some((id, self.get(id)))
    }

    /// A new instruction, in the place of `like`.
    fn make(
        &mut self,
        opcode: Opcode,
        shape: Arc<Shape>,
        operands: &[InstructionId],
        like: &Instruction,
    ) -> Instruction {
        let name = self.names.fresh(opcode.name());
        graph::instruction(name, opcode, shape, operands, like)
    }

    fn push(&mut self, instruction: Instruction) -> InstructionId {
        let id = graph::push(self.computation, instruction);
        self.to.push(id);
        self.uses.push(0);
        id
    }
}

/// The operation of a computation that does one on its two parameters.
fn applied(computation: &Computation) -> Option<Opcode> {
    let root = computation.root();
    let is_parameter = |&o: &InstructionId| computation.instruction(o).opcode == Opcode::Parameter;
    let two = root.operands.len() == 2 && root.operands[0] != root.operands[1];
    (computation.instructions.len() == 3 && two && root.operands.iter().all(is_parameter))
        .then_some(root.opcode)
}

/// What takes the place of an instruction, if anything does.
type Rule = fn(&mut Site<'_>, &Instruction) -> Option<InstructionId>;

const RULES: &[Rule] = &[
    tuples::element_of_tuple,
    shapes::same_shape,
    shapes::reshape_of_reshape,
    shapes::transpose_of_transpose,
    shapes::broadcast_of_broadcast,
    shapes::broadcast_by_ones,
    shapes::broadcast_of_iota,
    shapes::reshape_of_iota,
    shapes::reshape_of_broadcast,
    shapes::transpose_of_broadcast,
    shapes::whole_slice,
    shapes::single_operand,
    shapes::reduce_of_nothing,
    reductions::of_ones,
    shapes::transpose_of_ones,
    arithmetic::convert_and_back,
    arithmetic::neutral_element,
    arithmetic::power,
    spread::before_it_fills,
    ones::reshaped_after,
    concatenate::of_concatenate,
    concatenate::narrowed_before,
];

/// Rounds: each makes the program smaller or simpler, so few are needed.
const ROUNDS: usize = 16;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    let applies: Vec<Option<Opcode>> = cx.module.computations.iter().map(applied).collect();
    for id in cx.module.reached() {
        let mut computation = cx.module.computation(id).clone();
        for _ in 0..ROUNDS {
            let n = computation.instructions.len();
            let to = (0..n as u32).map(InstructionId).collect();
            let mut uses = vec![0; n];
            for o in computation.instructions.iter().flat_map(|i| &i.operands) {
                uses[o.0 as usize] += 1;
            }
            uses[computation.root.0 as usize] += 1;
            let mut site =
                Site { computation: &mut computation, names: &mut cx.names, applies: &applies, uses, to };
            let mut changed = false;
            for i in 0..n {
                let instruction = site.computation.instructions[i].clone();
                if instruction.opcode == Opcode::Parameter {
                    continue;
                }
                if let Some(by) = RULES.iter().find_map(|rule| rule(&mut site, &instruction))
                    && by.0 as usize != i
                {
                    site.to[i] = by;
                    changed = true;
                }
            }
            let to = site.to;
            redirect(&mut computation, &to);
            compact(&mut computation, |i| effects.keeps(i));
            if !changed {
                break;
            }
        }
        cx.module.computations[id.0 as usize] = computation;
    }
    graph::tidy(&mut cx.module);
    Ok(())
}
