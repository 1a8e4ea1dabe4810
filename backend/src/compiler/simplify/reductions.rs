//! Reductions that reduce nothing.

use super::Site;
use super::arithmetic::constant;
use crate::compiler::graph::dims;
use sim_core::hlo::{Instruction, InstructionId, Key, Opcode};
use sim_core::types::Dim;

/// A reduction over dimensions of one is a reshape, where the first value changes nothing. (A sum that starts from zero makes 0 of -0; XLA takes
/// it for the same.)
pub fn of_ones(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Reduce || i.operands.len() != 2 {
        return None;
    }
    let (id, operand) = site.operand(i, 0)?;
    let array = operand.shape.as_array()?;
    let ones = dims(i, &Key::Dimensions).iter().all(|&d| array.dims.get(d as usize) == Some(&Dim::Static(1)));
    let first = constant(site, site.operand(i, 1)?.0)?;
    let applied = site.applies.get(i.called().next()?.0 as usize).copied().flatten()?;
    let float = array.element.is_float();
    let neutral = match applied {
        Opcode::Add => first == 0.0,
        Opcode::Multiply => first == 1.0,
        Opcode::Maximum => float && first == f64::NEG_INFINITY,
        Opcode::Minimum => float && first == f64::INFINITY,
        _ => false,
    };
    if !ones || !neutral || !operand.shape.as_array()?.element.eq(&i.shape.as_array()?.element) {
        return None;
    }
    let made = site.make(Opcode::Reshape, i.shape.clone(), &[id], i);
    Some(site.push(made))
}
