//! Which operands results take the place of.

use crate::time::arrays::arrays;
use rustc_hash::FxHashMap;
use sim_core::hlo::{AliasEntry, ComputationId, HloModule, Instruction, InstructionId, Opcode, Shape, Value};

/// An array of a tuple's arrays, flattened.
pub type Leaf = usize;

/// Fusions within fusions that are looked into.
const DEEPEST: u32 = 64;

/// What fused computations change in place, each looked at once.
#[derive(Default)]
pub struct InPlace {
    known: FxHashMap<ComputationId, Vec<Option<(usize, bool)>>>,
}

impl InPlace {
    /// By array of the result: the operand, and the array of it, whose memory it takes.
    pub fn of(&mut self, module: &HloModule, instruction: &Instruction) -> Vec<Option<(usize, Leaf)>> {
        let mut out = vec![None; arrays(&instruction.shape).len()];
        match instruction.opcode {
            Opcode::DynamicUpdateSlice => out.iter_mut().take(1).for_each(|o| *o = Some((0, 0))),
            Opcode::Scatter => {
                let operands = instruction.operands.len() / 2;
                out.iter_mut().enumerate().take(operands).for_each(|(i, o)| *o = Some((i, 0)));
            }
            Opcode::Fusion => {
                if let Some(id) = instruction.called().next() {
                    for (out, from) in out.iter_mut().zip(self.updated(module, id, DEEPEST)) {
                        *out = from.filter(|f| f.1).map(|f| (f.0, 0));
                    }
                }
            }
            _ => {}
        }
        out
    }

    /// By array of the root: the parameter that it is, and whether a part of it is changed.
    fn updated(&mut self, module: &HloModule, id: ComputationId, depth: u32) -> Vec<Option<(usize, bool)>> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        // A computation that calls itself changes nothing in place.
        self.known.insert(id, Vec::new());
        let computation = module.computation(id);
        let root = computation.root();
        let found: Vec<_> = match root.opcode {
            Opcode::Tuple => root.operands.iter().map(|&o| self.source(module, id, o, 0, depth)).collect(),
            _ => (0..arrays(&root.shape).len())
                .map(|leaf| self.source(module, id, computation.root, leaf, depth))
                .collect(),
        };
        self.known.insert(id, found.clone());
        found
    }

    fn source(
        &mut self,
        module: &HloModule,
        id: ComputationId,
        mut at: InstructionId,
        mut leaf: Leaf,
        depth: u32,
    ) -> Option<(usize, bool)> {
        let computation = module.computation(id);
        let mut changed = false;
        // Operands that come later than their users would make a circle.
        for _ in 0..computation.instructions.len() {
            let instruction = computation.instructions.get(at.0 as usize)?;
            let operand = match instruction.opcode {
                Opcode::Parameter => {
                    let n = usize::try_from(instruction.parameter_number?).ok()?;
                    return (leaf == 0).then_some((n, changed));
                }
                Opcode::Bitcast => 0,
                Opcode::DynamicUpdateSlice => {
                    changed = true;
                    0
                }
                Opcode::Scatter => {
                    changed = true;
                    std::mem::take(&mut leaf)
                }
                Opcode::GetTupleElement => {
                    leaf = instruction.element()?;
                    0
                }
                Opcode::Tuple => std::mem::take(&mut leaf),
                Opcode::Fusion if depth > 0 => {
                    let inner = self.updated(module, instruction.called().next()?, depth - 1);
                    let (n, inside) = (*inner.get(leaf)?)?;
                    changed |= inside;
                    leaf = 0;
                    n
                }
                _ => return None,
            };
            at = *instruction.operands.get(operand)?;
        }
        None
    }
}

/// The first array below a place in a shape, and how many there are.
pub fn below(shape: &Shape, path: &[i64]) -> Option<(Leaf, usize)> {
    let (mut shape, mut first) = (shape, 0);
    for &step in path {
        let Shape::Tuple(items) = shape else { return None };
        let step = usize::try_from(step).ok()?;
        first += items.get(..step)?.iter().map(|s| arrays(s).len()).sum::<usize>();
        shape = items.get(step)?;
    }
    Some((first, arrays(shape).len()))
}

/// `output_to_operand_aliasing` and the like; none where there is no such attribute.
pub fn aliases(value: Option<&Value>) -> &[AliasEntry] {
    match value {
        Some(Value::Aliases(entries)) => entries,
        _ => &[],
    }
}
