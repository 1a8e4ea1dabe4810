//! Arithmetic with constants.

use super::Site;
use sim_core::ElementType;
use sim_core::hlo::{Instruction, InstructionId, Literal, Opcode};

/// What was widened and is narrowed again is what it was.
pub fn convert_and_back(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Convert {
        return None;
    }
    let (_, wide) = site.operand(i, 0).filter(|(_, o)| o.opcode == Opcode::Convert)?;
    let (id, narrow) = site.operand(wide, 0)?;
    let (from, through, to) =
        (narrow.shape.as_array()?.element, wide.shape.as_array()?.element, i.shape.as_array()?.element);
    (from == to && holds(through, from)).then_some(id)
}

/// Every value of `narrow` is one of `wide`.
fn holds(wide: ElementType, narrow: ElementType) -> bool {
    use ElementType as E;
    match narrow {
        E::BF16 | E::F16 => matches!(wide, E::F32 | E::F64),
        E::F32 => wide == E::F64,
        _ if narrow.is_float() && narrow.bits() <= 8 => matches!(wide, E::F32 | E::F64),
        _ => false,
    }
}

/// x + 0 of integers, x * 1, x / 1, x - 0. (x + 0 of floats is not x where x is -0.)
pub fn neutral_element(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    let (a, b) = (site.operand(i, 0)?.0, site.operand(i, 1)?.0);
    let integer = i.shape.as_array()?.element.is_integer();
    let is = |id, value: f64| constant(site, id) == Some(value);
    match i.opcode {
        Opcode::Multiply if is(b, 1.0) => Some(a),
        Opcode::Multiply if is(a, 1.0) => Some(b),
        Opcode::Divide if is(b, 1.0) => Some(a),
        Opcode::Add if integer && is(b, 0.0) => Some(a),
        Opcode::Add if integer && is(a, 0.0) => Some(b),
        Opcode::Subtract if is(b, 0.0) && !zero_is_negative(site, b) => Some(a),
        _ => None,
    }
}

/// x^2 is x * x, x^1 is x.
pub fn power(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Power {
        return None;
    }
    let (a, b) = (site.operand(i, 0)?.0, site.operand(i, 1)?.0);
    match constant(site, b)? {
        1.0 => Some(a),
        2.0 => {
            let made = site.make(Opcode::Multiply, i.shape.clone(), &[a, a], i);
            Some(site.push(made))
        }
        _ => None,
    }
}

/// The value of a constant, or of one that fills an array.
pub fn constant(site: &Site<'_>, id: InstructionId) -> Option<f64> {
    let instruction = site.get(id);
    match instruction.opcode {
        Opcode::Broadcast => {
            let (of, value) = site.operand(instruction, 0)?;
            (value.opcode == Opcode::Constant).then(|| constant(site, of))?
        }
        Opcode::Constant => instruction.literal.as_deref().and_then(scalar),
        _ => None,
    }
}

fn zero_is_negative(site: &Site<'_>, id: InstructionId) -> bool {
    constant(site, id).is_some_and(|x| x.is_sign_negative())
}

/// The value of a literal of one value.
fn scalar(literal: &Literal) -> Option<f64> {
    let Literal::Array(tensor) = literal else { return None };
    if tensor.len() != 1 {
        return None;
    }
    match tensor.element() {
        ElementType::F64 => tensor.as_slice::<f64>().first().copied(),
        ElementType::F32 => tensor.as_slice::<f32>().first().map(|&x| x.into()),
        ElementType::BF16 => tensor.as_slice::<half::bf16>().first().map(|&x| x.into()),
        ElementType::F16 => tensor.as_slice::<half::f16>().first().map(|&x| x.into()),
        e if e.is_integer() && e != ElementType::Pred => tensor.to_i64s().first().map(|&n| n as f64),
        _ => None,
    }
}
