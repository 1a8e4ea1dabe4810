//! How much memory a value holds if it is computed again where it is needed.

use crate::compiler::graph::is_elementwise;
use crate::time::arrays;
use rustc_hash::FxHashMap;
use sim_core::hlo::{Computation, Instruction, InstructionId, Opcode};

/// Operations behind operations are followed so far.
const DEEPEST: u32 = 64;

/// The least bytes that have to be held for values of one computation: their own, or those of what they are computed of, value by value,
/// reshaped or broadcast. Iotas, and constants for all values, hold nothing; what is computed of nothing else is held itself, so that it is
/// computed once (dumps of libtpu 0.0.52 for `llama_train` carry a mask of all places and powers of a constant, but not sines of products with
/// an iota).
pub(super) struct Cuts<'a> {
    pub computation: &'a Computation,
    known: FxHashMap<InstructionId, u64>,
}

/// Is it computed again in a kernel for nothing but its operations?
pub(super) fn is_cheap(i: &Instruction) -> bool {
    let again = is_elementwise(i.opcode)
        || matches!(i.opcode, Opcode::Broadcast | Opcode::Reshape | Opcode::Bitcast | Opcode::Transpose);
    again && i.shape.as_array().is_some() && i.attr(&sim_core::hlo::Key::ControlPredecessors).is_none()
}

/// Is it made of nothing that is held: an iota, a constant for all values?
pub(super) fn is_fill(computation: &Computation, i: &Instruction) -> bool {
    let is_one = |i: &Instruction| {
        i.opcode == Opcode::Constant && i.shape.as_array().is_some_and(|a| a.dims.is_empty())
    };
    match i.opcode {
        Opcode::Iota => true,
        Opcode::Broadcast => i.operands.iter().all(|&o| is_one(computation.instruction(o))),
        _ => is_one(i),
    }
}

impl<'a> Cuts<'a> {
    pub fn of(computation: &'a Computation) -> Cuts<'a> {
        Cuts { computation, known: FxHashMap::default() }
    }

    pub fn bytes(&self, id: InstructionId) -> u64 {
        let all = arrays::arrays(&self.computation.instruction(id).shape);
        all.iter().map(|a| arrays::bytes(a)).fold(0, u64::saturating_add)
    }

    /// Of the value.
    pub fn least(&mut self, id: InstructionId) -> u64 {
        self.follow(id, 0)
    }

    /// Of what it is computed of.
    pub fn operands(&mut self, id: InstructionId) -> u64 {
        self.sum(id, 0)
    }

    /// Is it computed of what holds nothing, and of nothing else?
    pub fn is_held_by_none(&mut self, id: InstructionId) -> bool {
        let computation = self.computation;
        is_cheap(computation.instruction(id))
            && computation
                .instruction(id)
                .operands
                .iter()
                .all(|&o| is_fill(computation, computation.instruction(o)))
    }

    fn follow(&mut self, id: InstructionId, depth: u32) -> u64 {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let i = self.computation.instruction(id);
        if is_fill(self.computation, i) {
            return 0;
        }
        let own = self.bytes(id);
        if depth >= DEEPEST {
            return own;
        }
        let least = match is_cheap(i) {
            true => own.min(self.sum(id, depth)),
            false => own,
        };
        self.known.insert(id, least);
        least
    }

    fn sum(&mut self, id: InstructionId, depth: u32) -> u64 {
        let computation = self.computation;
        let operands = &computation.instruction(id).operands;
        match operands.iter().map(|&o| self.follow(o, depth + 1)).fold(0, u64::saturating_add) {
            0 => self.bytes(id),
            sum => sum,
        }
    }
}
