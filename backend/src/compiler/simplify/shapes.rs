//! Reshapes, transposes, broadcasts, slices: what is one of them in two, or none.

use super::Site;
use crate::compiler::graph::{dims, set};
use sim_core::hlo::{Instruction, InstructionId, Key, Opcode, Value};
use sim_core::types::Dim;

/// Reshapes, transposes, broadcasts, converts, copies to what the operand is already.
pub fn same_shape(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    let moves = match i.opcode {
        Opcode::Reshape | Opcode::Copy | Opcode::BitcastConvert | Opcode::Convert => true,
        Opcode::Transpose | Opcode::Broadcast => {
            dims(i, &Key::Dimensions).iter().copied().eq(0..rank(i) as i64)
        }
        _ => false,
    };
    let (id, operand) = site.operand(i, 0)?;
    (moves && operand.shape.same_type(&i.shape)).then_some(id)
}

/// The first reshape of two does not matter.
pub fn reshape_of_reshape(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Reshape {
        return None;
    }
    let (_, first) = site.operand(i, 0).filter(|(_, o)| o.opcode == Opcode::Reshape)?;
    let (source, _) = site.operand(first, 0)?;
    let made = site.make(Opcode::Reshape, i.shape.clone(), &[source], i);
    Some(site.push(made))
}

/// Two transposes are one.
pub fn transpose_of_transpose(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Transpose {
        return None;
    }
    let (_, first) = site.operand(i, 0).filter(|(_, o)| o.opcode == Opcode::Transpose)?;
    let inner = dims(first, &Key::Dimensions);
    let both: Option<Box<[i64]>> =
        dims(i, &Key::Dimensions).iter().map(|&d| inner.get(d as usize).copied()).collect();
    let (source, _) = site.operand(first, 0)?;
    let mut made = site.make(Opcode::Transpose, i.shape.clone(), &[source], i);
    set(&mut made, Key::Dimensions, Value::Ints(both?));
    Some(site.push(made))
}

/// Two broadcasts are one.
pub fn broadcast_of_broadcast(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Broadcast {
        return None;
    }
    let (_, first) = site.operand(i, 0).filter(|(_, o)| o.opcode == Opcode::Broadcast)?;
    let outer = dims(i, &Key::Dimensions);
    let both: Option<Box<[i64]>> =
        dims(first, &Key::Dimensions).iter().map(|&d| outer.get(d as usize).copied()).collect();
    let (source, _) = site.operand(first, 0)?;
    let mut made = site.make(Opcode::Broadcast, i.shape.clone(), &[source], i);
    set(&mut made, Key::Dimensions, Value::Ints(both?));
    Some(site.push(made))
}

/// A counter that fills further dimensions counts along its own.
pub fn broadcast_of_iota(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Broadcast {
        return None;
    }
    let (_, first) = site.operand(i, 0).filter(|(_, o)| o.opcode == Opcode::Iota)?;
    let Some(&Value::Int(along)) = first.attr(&Key::IotaDimension) else { return None };
    let along = *dims(i, &Key::Dimensions).get(usize::try_from(along).ok()?)?;
    let mut made = site.make(Opcode::Iota, i.shape.clone(), &[], i);
    set(&mut made, Key::IotaDimension, Value::Int(along));
    Some(site.push(made))
}

/// A counter among dimensions of one counts among others, too.
pub fn reshape_of_iota(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    let (_, first) =
        site.operand(i, 0).filter(|(_, o)| i.opcode == Opcode::Reshape && o.opcode == Opcode::Iota)?;
    let Some(&Value::Int(along)) = first.attr(&Key::IotaDimension) else { return None };
    // Sizes other than one, with their dimensions.
    let sizes = |i: &Instruction| -> Option<Vec<(i64, i64)>> {
        let all: Option<Vec<i64>> = i.shape.as_array()?.dims.iter().map(|d| d.as_static()).collect();
        Some((0..).zip(all?).filter(|&(_, n)| n != 1).collect())
    };
    let (from, to) = (sizes(first)?, sizes(i)?);
    if !from.iter().map(|d| d.1).eq(to.iter().map(|d| d.1)) {
        return None;
    }
    let place = from.iter().position(|&(d, _)| d == along)?;
    let mut made = site.make(Opcode::Iota, i.shape.clone(), &[], i);
    set(&mut made, Key::IotaDimension, Value::Int(to[place].0));
    Some(site.push(made))
}

/// A scalar that fills an array fills any other.
pub fn reshape_of_broadcast(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Reshape {
        return None;
    }
    scalar_broadcast(site, i)
}

/// As [`reshape_of_broadcast`].
pub fn transpose_of_broadcast(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Transpose {
        return None;
    }
    scalar_broadcast(site, i)
}

fn scalar_broadcast(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    let (_, first) = site.operand(i, 0).filter(|(_, o)| o.opcode == Opcode::Broadcast)?;
    let (source, value) = site.operand(first, 0)?;
    if value.shape.as_array()?.rank() != 0 {
        return None;
    }
    let mut made = site.make(Opcode::Broadcast, i.shape.clone(), &[source], i);
    set(&mut made, Key::Dimensions, Value::Ints(Box::default()));
    Some(site.push(made))
}

/// A broadcast that only adds dimensions of one is a reshape.
pub fn broadcast_by_ones(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Broadcast {
        return None;
    }
    let (id, operand) = site.operand(i, 0)?;
    let sizes = |i: &Instruction| -> Option<Vec<i64>> {
        let all: Option<Vec<i64>> = i.shape.as_array()?.dims.iter().map(|d| d.as_static()).collect();
        all.map(|all| all.into_iter().filter(|&n| n != 1).collect())
    };
    let ordered = dims(i, &Key::Dimensions).is_sorted();
    if !ordered || operand.shape.as_array()?.rank() == 0 || sizes(operand)? != sizes(i)? {
        return None;
    }
    let made = site.make(Opcode::Reshape, i.shape.clone(), &[id], i);
    Some(site.push(made))
}

/// A slice of everything; padding by nothing.
pub fn whole_slice(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    let (id, operand) = site.operand(i, 0)?;
    let whole = match i.opcode {
        Opcode::Slice | Opcode::DynamicSlice => true,
        Opcode::Pad => match i.attr(&Key::Padding) {
            Some(Value::Padding(p)) => p.iter().all(|&p| p == (0, 0, 0)),
            _ => false,
        },
        _ => false,
    };
    let fixed = |d: &Dim| matches!(d, Dim::Static(_));
    let array = i.shape.as_array()?;
    (whole && array.dims.iter().all(fixed) && operand.shape.same_type(&i.shape)).then_some(id)
}

/// Of one operand: concatenation, and the maximum and minimum of itself.
pub fn single_operand(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    match (i.opcode, i.operands.len()) {
        (Opcode::Concatenate, 1) => site.operand(i, 0).map(|(id, _)| id),
        (Opcode::Maximum | Opcode::Minimum | Opcode::And | Opcode::Or, 2) => {
            let (a, b) = (site.operand(i, 0)?.0, site.operand(i, 1)?.0);
            (a == b).then_some(a)
        }
        (Opcode::Select, 3) => {
            let (a, b) = (site.operand(i, 1)?.0, site.operand(i, 2)?.0);
            (a == b).then_some(a)
        }
        _ => None,
    }
}

/// A reduction over no dimension is its operand (an array of one value each is added to the initial one, though: over dimensions of one it stays).
pub fn reduce_of_nothing(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    let none = i.opcode == Opcode::Reduce && dims(i, &Key::Dimensions).is_empty() && i.operands.len() == 2;
    let (id, operand) = site.operand(i, 0).filter(|_| none)?;
    operand.shape.same_type(&i.shape).then_some(id)
}

/// A transpose that moves dimensions of one only is a reshape.
pub fn transpose_of_ones(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    if i.opcode != Opcode::Transpose {
        return None;
    }
    let (id, operand) = site.operand(i, 0)?;
    let sizes = &operand.shape.as_array()?.dims;
    let moved: Vec<i64> = dims(i, &Key::Dimensions)
        .iter()
        .copied()
        .filter(|&d| sizes.get(d as usize) != Some(&Dim::Static(1)))
        .collect();
    if !moved.is_sorted() || sizes.iter().any(|d| !matches!(d, Dim::Static(_))) {
        return None;
    }
    let made = site.make(Opcode::Reshape, i.shape.clone(), &[id], i);
    Some(site.push(made))
}

fn rank(i: &Instruction) -> usize {
    i.shape.as_array().map_or(0, |a| a.rank())
}
