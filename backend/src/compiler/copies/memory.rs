//! Whose memory a value lies in.

use crate::compiler::graph::{leaving, source, updated, users};
use rustc_hash::FxHashMap;
use sim_core::hlo::{Computation, HloModule, Instruction, InstructionId, Key, Opcode};
use smallvec::SmallVec;

/// Of a computation in order: what works in place, or is another look at a value, lies where its operand lies, and so does what a loop leaves.
pub(super) struct Memory {
    users: Vec<SmallVec<[InstructionId; 4]>>,
    /// By the value that was in a memory first.
    starts: Looks,
    /// By value: bitcasts, and what loops hand on as it is.
    values: Looks,
}

/// Instructions that belong together, by the first of them.
#[derive(Default)]
struct Looks {
    first: Vec<InstructionId>,
    /// All but the first.
    others: FxHashMap<InstructionId, Vec<InstructionId>>,
}

impl Looks {
    fn add(&mut self, id: InstructionId, of: Option<InstructionId>) {
        let first = of.and_then(|o| self.first.get(o.0 as usize).copied()).unwrap_or(id);
        self.first.push(first);
        if first != id {
            self.others.entry(first).or_default().push(id);
        }
    }
}

impl Memory {
    pub fn of(module: &HloModule, computation: &Computation) -> Memory {
        let (mut starts, mut values) = (Looks::default(), Looks::default());
        for id in (0..computation.instructions.len() as u32).map(InstructionId) {
            starts.add(id, in_place_of(module, computation, id));
            values.add(id, look_at(module, computation, id));
        }
        Memory { users: users(computation), starts, values }
    }

    /// The value that was first in the memory of this one.
    pub fn start(&self, id: InstructionId) -> InstructionId {
        self.starts.first[id.0 as usize]
    }

    /// The value at which this is another look.
    pub fn value(&self, id: InstructionId) -> InstructionId {
        self.values.first[id.0 as usize]
    }

    /// The kernel that makes a value, which may be one of several of its results.
    pub fn maker(&self, computation: &Computation, id: InstructionId) -> InstructionId {
        let i = computation.instruction(id);
        match (i.opcode, i.operands.first()) {
            (Opcode::GetTupleElement, Some(&by)) => by,
            _ => id,
        }
    }

    /// Who uses what lies in the memory in which that value was first, loops among them.
    pub fn readers(&self, computation: &Computation, start: InstructionId) -> Vec<InstructionId> {
        self.users_of(computation, &self.starts, start)
    }

    /// Who uses a value, or another look at it.
    pub fn readers_of(&self, computation: &Computation, value: InstructionId) -> Vec<InstructionId> {
        self.users_of(computation, &self.values, value)
    }

    fn users_of(&self, computation: &Computation, looks: &Looks, first: InstructionId) -> Vec<InstructionId> {
        let mut readers = Vec::new();
        let others = looks.others.get(&first).into_iter().flatten();
        for &look in std::iter::once(&first).chain(others) {
            for &user in &self.users[look.0 as usize] {
                match computation.instruction(user).opcode {
                    Opcode::Bitcast | Opcode::OptimizationBarrier => {}
                    Opcode::Tuple if user != computation.root => {
                        readers.extend(self.users[user.0 as usize].iter().copied());
                    }
                    _ => readers.push(user),
                }
            }
        }
        readers
    }
}

/// Does a loop hand that element on as it is?
pub(super) fn is_kept(module: &HloModule, of: &Instruction, n: usize) -> bool {
    let Some(body) = of.calls(&Key::Body).map(|id| module.computation(id)) else { return false };
    let next = body.root().operands.get(n).map(|&o| body.instruction(source(body, o)));
    let is_parameter = |i: &Instruction| {
        let of = i.operands.first();
        of.is_some_and(|&o| body.instruction(o).opcode == Opcode::Parameter)
    };
    body.root().opcode != Opcode::Tuple
        || next
            .is_some_and(|i| i.opcode == Opcode::GetTupleElement && is_parameter(i) && i.element() == Some(n))
}

/// What a loop starts from in the element at which this looks behind it.
fn started_from(
    computation: &Computation,
    id: InstructionId,
) -> Option<(&Instruction, usize, InstructionId)> {
    let look = computation.instruction(id);
    let of = computation.instruction(*look.operands.first()?);
    let n = look.element()?;
    let tuple = computation.instruction(*of.operands.first().filter(|_| of.opcode == Opcode::While)?);
    let from = tuple.operands.get(n).copied().filter(|_| tuple.opcode == Opcode::Tuple)?;
    Some((of, n, from))
}

/// What this is another look at.
fn look_at(module: &HloModule, computation: &Computation, id: InstructionId) -> Option<InstructionId> {
    match computation.instruction(id).opcode {
        Opcode::Bitcast | Opcode::OptimizationBarrier => Some(source(computation, id)),
        Opcode::GetTupleElement => started_from(computation, id)
            .filter(|(of, n, _)| is_kept(module, of, *n))
            .map(|(_, _, from)| from),
        _ => None,
    }
}

/// The operand, or what a loop starts from, in whose memory a value lies.
fn in_place_of(module: &HloModule, computation: &Computation, id: InstructionId) -> Option<InstructionId> {
    let i = computation.instruction(id);
    match (i.opcode, i.operands.first()) {
        (Opcode::Bitcast | Opcode::OptimizationBarrier, _) => Some(source(computation, id)),
        (Opcode::GetTupleElement, Some(&by)) => match computation.instruction(by).opcode {
            Opcode::While => started_from(computation, id).map(|(_, _, from)| from),
            Opcode::Fusion => changed(module, computation, by, i.element()?),
            _ => None,
        },
        _ => changed(module, computation, id, 0),
    }
}

/// The operand that an instruction changes into its result, or into one of several.
fn changed(
    module: &HloModule,
    computation: &Computation,
    by: InstructionId,
    n: usize,
) -> Option<InstructionId> {
    let i = computation.instruction(by);
    let changed = updated(module, i);
    if i.opcode != Opcode::Fusion {
        return changed.first().and_then(|&k| i.operands.get(k).copied());
    }
    let callee = module.computation(i.called().next()?);
    let leaves = leaving(callee).nth(n)?;
    let is_change = matches!(leaves.opcode, Opcode::DynamicUpdateSlice | Opcode::Scatter);
    let parameter = callee.instruction(source(callee, *leaves.operands.first().filter(|_| is_change)?));
    i.operands.get(usize::try_from(parameter.parameter_number?).ok()?).copied()
}
