//! `bitcast`: the same bytes under another shape.

use super::body::{Body, opcode};
use super::tree::Tree;
use super::{invalid, types};
use sim_core::hlo::{ArrayShape, Instruction, Opcode, Shape};
use sim_core::ir::{Op, ValueId};
use sim_core::{Result, TensorType, types::Dim};

/// A bitcast reads the operand's elements in the order in which they lie in memory and hands them out in
/// the result's. Tiles don't change that order as far as elements are concerned: XLA makes a bitcast
/// only where both tilings lay the same elements at the same places.
pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    if opcode(i) != Opcode::Bitcast {
        return Ok(None);
    }
    let from = b.shape_of(i, 0)?.clone();
    let (Shape::Array(from), Shape::Array(to)) = (&from, &*i.shape) else {
        // Of a tuple: its layout is all that can change.
        return b.operand_tree(i, 0).map(Some);
    };
    let operand = b.operand(i, 0)?;
    let linear = physical(b, i, operand, from)?;
    let to_order = order(to);
    let sizes: Vec<Dim> = to_order.iter().map(|&d| to.dims[d as usize]).collect();
    let cast = match from.element == to.element {
        true => linear,
        // Elements of another width change how many there are in the most minor dimension.
        false => {
            let mut ty = b.tensor_type(linear)?;
            let (old, new) = (from.element.bits() as i64, to.element.bits() as i64);
            if old != new {
                return Err(invalid(i, "a bitcast between element types of different widths")
                    .help("XLA writes bitcast-convert for these"));
            }
            ty = ty.with_element(to.element);
            b.helper(i, Op::BitcastConvert, &[linear], ty.into())
        }
    };
    let reshaped = {
        let ty = TensorType::new(to.element, sizes);
        if b.tensor_type(cast)? == ty { cast } else { b.helper(i, Op::Reshape, &[cast], ty.into()) }
    };
    // Back from memory order to logical order.
    let rank = to_order.len();
    let mut permutation = vec![0; rank];
    for (at, &d) in to_order.iter().enumerate() {
        permutation[d as usize] = at as i64;
    }
    if permutation.iter().enumerate().all(|(at, &d)| at as i64 == d) {
        return Ok(Some(Tree::Leaf(reshaped)));
    }
    let ty = types::tensor(to);
    Ok(Some(Tree::Leaf(b.helper(i, Op::Transpose { permutation }, &[reshaped], ty.into()))))
}

/// Dimensions from the slowest to the fastest.
fn order(a: &ArrayShape) -> Vec<i64> {
    match &a.layout {
        Some(l) => l.minor_to_major.iter().rev().copied().collect(),
        None => (0..a.rank() as i64).collect(),
    }
}

/// The operand with its dimensions in the order of memory.
fn physical(b: &mut Body, i: &Instruction, v: ValueId, a: &ArrayShape) -> Result<ValueId> {
    let permutation = order(a);
    if permutation.iter().enumerate().all(|(at, &d)| at as i64 == d) {
        return Ok(v);
    }
    let ty = TensorType::new(a.element, permutation.iter().map(|&d| a.dims[d as usize]));
    Ok(b.helper(i, Op::Transpose { permutation }, &[v], ty.into()))
}
