//! What of its operands and results a kernel touches: slices and updates touch a part.

use super::arrays;
use super::contents::Contents;
use crate::memory::aliases;
use sim_core::hlo::{ArrayShape, Computation, Instruction, InstructionId, Key, Opcode, Shape, Value};
use std::rc::Rc;

/// How much of an operand or a result a kernel touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touched {
    Nothing,
    /// So many bytes.
    Part(u64),
    Whole,
}

impl Touched {
    pub(super) fn and(self, other: Touched) -> Touched {
        match (self, other) {
            (Touched::Whole, _) | (_, Touched::Whole) => Touched::Whole,
            (Touched::Part(a), Touched::Part(b)) => Touched::Part(a.saturating_add(b)),
            (Touched::Nothing, x) | (x, Touched::Nothing) => x,
        }
    }

    /// Of an array of so many bytes.
    pub fn of(self, bytes: u64) -> u64 {
        match self {
            Touched::Nothing => 0,
            Touched::Part(n) => n.min(bytes),
            Touched::Whole => bytes,
        }
    }
}

/// Bytes of a part that lies in `whole`.
pub(super) fn part_bytes(part: &Shape, whole: Option<&ArrayShape>) -> u64 {
    let Some(part) = part.as_array() else { return 0 };
    let layout = whole.filter(|w| w.rank() == part.rank()).or(Some(part)).and_then(|w| w.layout.as_deref());
    arrays::bytes_of(part.element, &arrays::sizes(part), layout)
}

/// Of a tuple that the same computation makes, the value that is taken.
fn element(instructions: &[Instruction], taken: &Instruction) -> Option<InstructionId> {
    let tuple = instructions.get(taken.operands.first()?.0 as usize)?;
    match taken.attr(&Key::Index) {
        Some(Value::Int(n)) if tuple.opcode == Opcode::Tuple => {
            tuple.operands.get(usize::try_from(*n).ok()?).copied()
        }
        _ => None,
    }
}

/// The operand in whose memory a fusion within a fusion says that its result lies: it only sees it in other tiles (v7x, bf16).
pub(super) fn same_memory(instruction: &Instruction) -> Option<u32> {
    match aliases(instruction.attr(&Key::OutputToOperandAliasing)) {
        [alias]
            if instruction.opcode == Opcode::Fusion && alias.output.is_empty() && alias.path.is_empty() =>
        {
            u32::try_from(alias.parameter).ok()
        }
        _ => None,
    }
}

/// What of each parameter is read, and of each result written.
pub(super) fn touch(
    computation: &Computation,
    inner: &[Option<Rc<Contents>>],
    parameters: &[Option<InstructionId>],
    contents: &mut Contents,
) {
    let instructions = &computation.instructions;
    // A value that is a parameter seen otherwise.
    let mut source: Vec<Option<u32>> = vec![None; instructions.len()];
    for (n, id) in parameters.iter().enumerate() {
        if let Some(id) = id {
            source[id.0 as usize] = Some(n as u32);
        }
    }
    let mut updates: Vec<Option<u64>> = vec![None; instructions.len()];
    for (i, instruction) in instructions.iter().enumerate() {
        let through = matches!(
            instruction.opcode,
            Opcode::Bitcast | Opcode::GetTupleElement | Opcode::AsyncUpdate | Opcode::AsyncDone
        );
        // A tuple is made and taken apart around what another core does.
        if instruction.opcode == Opcode::GetTupleElement
            && let Some(element) = element(instructions, instruction)
        {
            (source[i], updates[i]) = (source[element.0 as usize], updates[element.0 as usize]);
            continue;
        }
        let handed_on = inner[i].as_ref().and_then(|c| c.handed_on).or_else(|| same_memory(instruction));
        for (n, operand) in instruction.operands.iter().enumerate() {
            let from = operand.0 as usize;
            if handed_on == Some(n as u32) {
                source[i] = source[from];
            }
            if through || (instruction.opcode == Opcode::Reshape && source[from].is_some()) {
                source[i] = source[from];
                updates[i] = updates[from];
            }
            let Some(parameter) = source[from] else { continue };
            let whole = instructions[from].shape.as_array();
            let touched = match (instruction.opcode, n) {
                _ if source[i].is_some() => continue,
                (Opcode::Slice | Opcode::DynamicSlice | Opcode::Gather, 0) => {
                    Touched::Part(part_bytes(&instruction.shape, whole))
                }
                (Opcode::DynamicUpdateSlice, 0) => Touched::Nothing,
                (Opcode::Scatter, 0) => instruction.operands.last().map_or(Touched::Whole, |u| {
                    Touched::Part(part_bytes(&instructions[u.0 as usize].shape, whole))
                }),
                (Opcode::Tuple, _) => Touched::Nothing,
                _ => match &inner[i] {
                    Some(inner) => match inner.read.get(n) {
                        Some(Touched::Whole) | None => Touched::Whole,
                        Some(&touched) => touched,
                    },
                    None => Touched::Whole,
                },
            };
            let read = &mut contents.read[parameter as usize];
            *read = read.and(touched);
        }
        let update = match instruction.opcode {
            Opcode::DynamicUpdateSlice => instruction.operands.get(1),
            Opcode::Scatter => instruction.operands.last(),
            _ => None,
        };
        if let Some(update) = update {
            let whole = instruction.shape.as_array();
            updates[i] = Some(part_bytes(&instructions[update.0 as usize].shape, whole));
        }
        let one_result =
            matches!(&*instruction.shape, Shape::Array(_)) || instruction.opcode == Opcode::AsyncStart;
        if let Some(inner) = inner[i].as_ref().filter(|_| one_result)
            && let Some(Touched::Part(n)) = inner.written.first()
        {
            updates[i] = Some(*n);
        }
    }
    let written = |i: usize| match (updates[i], source[i]) {
        (Some(n), _) => Touched::Part(n),
        // An operand that is handed on.
        (None, Some(_)) => Touched::Nothing,
        (None, None) => Touched::Whole,
    };
    let root = computation.root.0 as usize;
    contents.handed_on = source[root].filter(|_| updates[root].is_none());
    contents.written = match instructions[root].opcode {
        Opcode::Tuple => instructions[root].operands.iter().map(|o| written(o.0 as usize)).collect(),
        _ => vec![written(root)],
    };
}
