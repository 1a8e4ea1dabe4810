//! Concatenations.

use super::Site;
use crate::compiler::build;
use crate::compiler::graph::dims;
use sim_core::hlo::{Instruction, InstructionId, Key, Opcode};

/// A concatenation of concatenations along the same dimension is one.
pub fn of_concatenate(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Concatenate {
        return None;
    }
    let along = dims(i, &Key::Dimensions);
    let mut all = Vec::new();
    let mut found = false;
    for n in 0..i.operands.len() {
        let (id, operand) = site.operand(i, n)?;
        let alone = operand.opcode == Opcode::Concatenate && site.uses.get(id.0 as usize) == Some(&1);
        if alone && dims(operand, &Key::Dimensions) == along {
            found = true;
            for k in 0..operand.operands.len() {
                all.push(site.operand(operand, k)?.0);
            }
        } else {
            all.push(id);
        }
    }
    let mut made = i.clone();
    made.name = site.names.fresh(&i.name);
    made.operands = all.into_iter().collect();
    found.then(|| site.push(made))
}

/// What is narrowed behind a concatenation is narrowed before: fewer bytes are put together.
pub fn narrowed_before(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Convert {
        return None;
    }
    let (id, operand) = site.operand(i, 0).filter(|(_, o)| o.opcode == Opcode::Concatenate)?;
    let (narrow, wide) = (i.shape.as_array()?.element, operand.shape.as_array()?.element);
    if narrow.bits() >= wide.bits() || site.uses.get(id.0 as usize) != Some(&1) {
        return None;
    }
    let concatenate = operand.clone();
    let mut made = concatenate.clone();
    for n in 0..made.operands.len() {
        let (part, of) = site.operand(&concatenate, n)?;
        let sizes: Vec<i64> =
            of.shape.as_array()?.dims.iter().map(|d| d.as_static()).collect::<Option<_>>()?;
        let convert = site.make(Opcode::Convert, build::shape(narrow, &sizes), &[part], i);
        made.operands[n] = site.push(convert);
    }
    made.name = site.names.fresh(&made.name);
    made.shape = i.shape.clone();
    Some(site.push(made))
}
