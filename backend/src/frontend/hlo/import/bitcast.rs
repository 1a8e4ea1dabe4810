//! `bitcast`: the same bytes under another shape.

use super::body::{Body, opcode};
use super::tiled::{self, Tiling};
use super::tree::Tree;
use super::{invalid, types, unsupported};
use sim_core::hlo::{ArrayShape, Instruction, Opcode, Shape};
use sim_core::ir::{Op, ValueId};
use sim_core::{ElementType, Result, TensorType, Type, types::Dim};

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
    if larger_in_memory(from, to) {
        return tiled::reread(b, i, operand, from, to).map(|v| Some(Tree::Leaf(v)));
    }
    let linear = physical(b, i, operand, from)?;
    let to_order = order(to);
    let sizes: Vec<Dim> = to_order.iter().map(|&d| to.dims[d as usize]).collect();
    let cast = recast(b, i, linear, to.element)?;
    let reshaped = {
        let ty = TensorType::new(to.element, sizes);
        let flat = fitted(b, i, cast, &ty)?;
        if b.tensor_type(flat)? == ty { flat } else { b.helper(i, Op::Reshape, &[flat], ty.into()) }
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

/// Do the arrays differ in bytes, and their memory not?
fn larger_in_memory(from: &ArrayShape, to: &ArrayShape) -> bool {
    let bytes = |a: &ArrayShape| {
        let n = a.dims.iter().map(|d| d.as_static()).try_fold(1i64, |n, d| n.checked_mul(d?))?;
        n.checked_mul(a.element.byte_size() as i64)
    };
    let memory = |a: &ArrayShape| Tiling::of(a).map(|t| t.elements * a.element.byte_size() as i64);
    bytes(from) != bytes(to) && memory(from).is_some() && memory(from) == memory(to)
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

/// The same bytes as elements of another type. Of another width, as one dimension.
pub fn recast(b: &mut Body, i: &Instruction, v: ValueId, to: ElementType) -> Result<ValueId> {
    let ty = b.tensor_type(v)?;
    if ty.element == to {
        return Ok(v);
    }
    let (old, new) = (ty.element.byte_size() as i64, to.byte_size() as i64);
    if ty.element.bits() < 8 || to.bits() < 8 {
        return Err(unsupported(i, "a bitcast between types of which one is narrower than a byte"));
    }
    if old == new && ty.element.is_complex() == to.is_complex() {
        return Ok(b.helper(i, Op::BitcastConvert, &[v], ty.with_element(to).into()));
    }
    let n = countable(i, &ty)?;
    let flat = b.helper(i, Op::Reshape, &[v], Type::tensor(ty.element, &[n]));
    if old > new {
        let parts = b.helper(i, Op::BitcastConvert, &[flat], Type::tensor(to, &[n, old / new]));
        return Ok(b.helper(i, Op::Reshape, &[parts], Type::tensor(to, &[n * (old / new)])));
    }
    if n % (new / old) != 0 {
        return Err(invalid(i, format!("{n} elements do not make whole ones of {}", to.hlo_name())));
    }
    let groups = b.helper(i, Op::Reshape, &[flat], Type::tensor(ty.element, &[n / (new / old), new / old]));
    Ok(b.helper(i, Op::BitcastConvert, &[groups], Type::tensor(to, &[n / (new / old)])))
}

/// As many elements as `ty` has. A vector lies in memory padded to its tile: a shorter one there is its
/// beginning.
fn fitted(b: &mut Body, i: &Instruction, v: ValueId, ty: &TensorType) -> Result<ValueId> {
    let from = b.tensor_type(v)?;
    let ([Dim::Static(have)], [Dim::Static(want)]) = (&from.dims[..], &ty.dims[..]) else { return Ok(v) };
    if have <= want {
        return Ok(v);
    }
    let op = Op::Slice { start: vec![0], limit: vec![*want], strides: vec![1] };
    Ok(b.helper(i, op, &[v], ty.clone().into()))
}

/// How many elements there are, where sums and products of it with widths fit 64 bits.
pub fn countable(i: &Instruction, ty: &TensorType) -> Result<i64> {
    let n = ty.num_elements().ok_or_else(|| invalid(i, "its sizes must be known"))?;
    i64::try_from(n)
        .ok()
        .filter(|&n| n < 1 << 48)
        .ok_or_else(|| invalid(i, "it has more elements than any memory"))
}
