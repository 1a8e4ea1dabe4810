//! Tuples.

use super::Site;
use sim_core::hlo::{Instruction, InstructionId, Key, Opcode, Value};

/// `get-tuple-element(tuple(a, b)), index=1` is b.
pub fn element_of_tuple(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::GetTupleElement {
        return None;
    }
    let Some(Value::Int(n)) = i.attr(&Key::Index) else { return None };
    let (_, tuple) = site.operand(i, 0)?;
    if tuple.opcode != Opcode::Tuple {
        return None;
    }
    site.operand(tuple, usize::try_from(*n).ok()?).map(|(id, _)| id)
}
