//! Calls that XLA:TPU adds around what it cannot hold: 64-bit numbers in halves, dynamic sizes, arrays in pieces.

use super::super::body::Body;
use super::super::tiled::Tiling;
use super::super::tree::Tree;
use super::super::{bitcast, compute, invalid, types, unsupported};
use sim_core::hlo::{ArrayShape, Instruction, Key, Opcode, Value};
use sim_core::ir::{Binary, Op, Unary, ValueId};
use sim_core::{ElementType as E, Result, TensorType, Type};

/// The operands of a `ConcatBitcast` in the order of memory, by number. The text's order says nothing:
/// each piece goes where it was cut from.
fn pieces_in_order(b: &Body, i: &Instruction) -> Vec<usize> {
    let cut = |n: usize| {
        let mut at = b.computation.instruction(*i.operands.get(n)?);
        if at.opcode == Opcode::AsyncDone {
            at = b.computation.instruction(*at.operands.first()?);
        }
        let slice = at.opcode == Opcode::Slice || at.sugar == Some(Opcode::Slice);
        let (Some(Value::Slice(dims)), [source], true) = (at.attr(&Key::Slice), &at.operands[..], slice)
        else {
            return None;
        };
        let layout = b.layout_order(at, 0).ok()?;
        let starts: Option<Vec<i64>> = layout.iter().map(|&d| Some(dims.get(d as usize)?.start)).collect();
        Some((*source, starts?, n))
    };
    let count = i.operands.len();
    let cuts: Option<Vec<_>> = (0..count).map(cut).collect();
    match cuts {
        Some(mut cuts) if cuts.windows(2).all(|w| w[0].0 == w[1].0) => {
            cuts.sort_by(|a, b| (&a.1, a.2).cmp(&(&b.1, b.2)));
            cuts.into_iter().map(|(_, _, n)| n).collect()
        }
        _ => (0..count).collect(),
    }
}

/// Pieces of a prefetched array, put together again: in the order of memory, along its slowest
/// dimension.
pub(super) fn concat_bitcast(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let order = pieces_in_order(b, i);
    let operands: Vec<(usize, ValueId)> =
        order.into_iter().map(|n| Ok((n, b.operand(i, n)?))).collect::<Result<_>>()?;
    let array = i.shape.as_array().ok_or_else(|| invalid(i, "it gives an array"))?.clone();
    let mut bytes = 0i64;
    for &(_, v) in &operands {
        let ty = b.tensor_type(v)?;
        bytes =
            bytes.saturating_add(bitcast::countable(i, &ty)?.saturating_mul(ty.element.byte_size() as i64));
    }
    let whole =
        bitcast::countable(i, &types::tensor(&array))?.saturating_mul(array.element.byte_size() as i64);
    if bytes != whole {
        return concat_memory(b, i, &operands, &array);
    }
    let mut pieces = Vec::new();
    let mut total = 0i64;
    for &(number, v) in &operands {
        let ty = b.tensor_type(v)?;
        let n = bitcast::countable(i, &ty)?;
        total += n;
        // Each piece lies in memory as its own layout says.
        let n_shape = Type::tensor(ty.element, &[n]);
        let layout = b.layout_order(i, number)?;
        let linear = match layout.iter().enumerate().all(|(at, &d)| at as i64 == d) {
            true => v,
            false => {
                let t = TensorType::new(ty.element, layout.iter().map(|&d| ty.dims[d as usize]));
                b.helper(i, Op::Transpose { permutation: layout }, &[v], t.into())
            }
        };
        pieces.push(b.helper(i, Op::Reshape, &[linear], n_shape));
    }
    let Some(&first) = pieces.first() else { return Err(invalid(i, "it needs operands")) };
    let element = b.tensor_type(first)?.element;
    let whole = b.helper(i, Op::Concatenate { dim: 0 }, &pieces, Type::tensor(element, &[total]));
    // Pieces may be bytes, whatever the array is of.
    let whole = bitcast::recast(b, i, whole, array.element)?;
    let order: Vec<i64> = match &array.layout {
        Some(l) => l.minor_to_major.iter().rev().copied().collect(),
        None => (0..array.rank() as i64).collect(),
    };
    let physical = TensorType::new(array.element, order.iter().map(|&d| array.dims[d as usize]));
    let shaped = b.helper(i, Op::Reshape, &[whole], physical.into());
    let mut permutation = vec![0; order.len()];
    for (at, &d) in order.iter().enumerate() {
        permutation[d as usize] = at as i64;
    }
    Ok(Tree::Leaf(b.helper(i, Op::Transpose { permutation }, &[shaped], types::tensor(&array).into())))
}

/// The same, where the pieces hold the padding of the array's tiles too.
fn concat_memory(
    b: &mut Body,
    i: &Instruction,
    operands: &[(usize, ValueId)],
    array: &ArrayShape,
) -> Result<Tree> {
    let unknown = || unsupported(i, "pieces of an array whose tiles are not understood");
    let mut pieces = Vec::new();
    let mut total = 0i64;
    let mut element = array.element;
    for &(n, v) in operands {
        let shape = b.shape_of(i, n)?.as_array().ok_or_else(|| invalid(i, "it takes arrays"))?.clone();
        let tiling = Tiling::of(&shape).ok_or_else(unknown)?;
        total = total.saturating_add(tiling.elements);
        element = shape.element;
        pieces.push(tiling.linear(b, i, v, &shape)?);
    }
    let whole = b.helper(i, Op::Concatenate { dim: 0 }, &pieces, Type::tensor(element, &[total]));
    let whole = bitcast::recast(b, i, whole, array.element)?;
    Tiling::of(array).ok_or_else(unknown)?.array(b, i, whole, array).map(Tree::Leaf)
}

/// Two halves of 32 bits to 64: low, high. Of f64: two f32 whose sum it is; of complex: its parts.
pub(super) fn x64_combine(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let [low, high] = b.exactly::<2>(i)?;
    let ty = types::leaf(&i.shape)?;
    let element = ty.as_tensor().map_or(E::U64, |t| t.element);
    if element.is_complex() {
        return b.push(i, Op::Binary(Binary::Complex), &[low, high], &[]);
    }
    if element == E::F64 {
        let (l, h) =
            (b.helper(i, Op::Convert, &[low], ty.clone()), b.helper(i, Op::Convert, &[high], ty.clone()));
        return Ok(Tree::Leaf(b.helper(i, Op::Binary(Binary::Add), &[h, l], ty)));
    }
    let wide = ty.as_tensor().map(|t| t.with_element(E::U64)).unwrap_or(TensorType::scalar(E::U64));
    let narrow = wide.with_element(E::U32);
    let mut halves = Vec::new();
    for half in [low, high] {
        let bits = b.helper(i, Op::BitcastConvert, &[half], narrow.clone().into());
        halves.push(b.helper(i, Op::Convert, &[bits], wide.clone().into()));
    }
    let shift = spread(b, i, 32, &wide);
    let high = b.helper(i, Op::Binary(Binary::ShiftLeft), &[halves[1], shift], wide.clone().into());
    let both = b.helper(i, Op::Binary(Binary::Or), &[halves[0], high], wide.into());
    Ok(Tree::Leaf(b.helper(i, Op::BitcastConvert, &[both], ty)))
}

/// The low or high 32 bits. Of f64: the f32 nearest to it (high), and what is left (low); of complex:
/// its parts.
pub(super) fn x64_split(b: &mut Body, i: &Instruction, by: i64) -> Result<Tree> {
    let [v] = b.exactly::<1>(i)?;
    let from = b.tensor_type(v)?;
    let ty = types::leaf(&i.shape)?;
    if from.element.is_complex() {
        let part = if by == 0 { Unary::Real } else { Unary::Imag };
        return b.push(i, Op::Unary(part, None), &[v], &[]);
    }
    if from.element == E::F64 {
        let high = b.helper(i, Op::Convert, &[v], from.with_element(E::F32).into());
        if by > 0 {
            return Ok(Tree::Leaf(high));
        }
        let back = b.helper(i, Op::Convert, &[high], from.clone().into());
        let left = b.helper(i, Op::Binary(Binary::Subtract), &[v, back], from.into());
        return Ok(Tree::Leaf(b.helper(i, Op::Convert, &[left], ty)));
    }
    let wide = from.with_element(E::U64);
    let bits = b.helper(i, Op::BitcastConvert, &[v], wide.clone().into());
    let shift = spread(b, i, by, &wide);
    let moved = b.helper(i, Op::Binary(Binary::ShiftRightLogical), &[bits, shift], wide.clone().into());
    let half = b.helper(i, Op::Convert, &[moved], wide.with_element(E::U32).into());
    Ok(Tree::Leaf(b.helper(i, Op::BitcastConvert, &[half], ty)))
}

fn spread(b: &mut Body, i: &Instruction, n: i64, ty: &TensorType) -> ValueId {
    let c = compute::int_constant(b, i, ty.element, n);
    b.helper(i, Op::BroadcastInDim { dims: Vec::new() }, &[c], ty.clone().into())
}

/// operands: an array of the bound's size, then the real size of each dimension.
pub(super) fn slice_to_dynamic(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let operands = b.leaves(i)?;
    let Some((&array, sizes)) = operands.split_first() else {
        return Err(invalid(i, "it needs an operand"));
    };
    let shape = i.shape.as_array().ok_or_else(|| invalid(i, "it gives an array"))?.clone();
    if sizes.len() != shape.rank() {
        return Err(invalid(i, "it takes the array and the size of each of its dimensions"));
    }
    let mut ty = b.tensor_type(array)?;
    let mut value = array;
    for (d, dim) in shape.dims.iter().enumerate() {
        if !dim.is_static() {
            ty.dims[d] = *dim;
            value =
                b.helper(i, Op::SetDimensionSize { dim: d as i64 }, &[value, sizes[d]], ty.clone().into());
        }
    }
    Ok(Tree::Leaf(value))
}

/// The array at its bounds, then the real size of each dimension.
pub(super) fn pad_to_static(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let [array] = b.exactly::<1>(i)?;
    let ty = b.tensor_type(array)?;
    let mut sizes = Vec::new();
    for d in 0..ty.rank() as i64 {
        sizes.push(b.helper(i, Op::GetDimensionSize { dim: d }, &[array], Type::tensor(E::S32, &[])));
    }
    let Some([padded, ..]) = i.shape.as_tuple() else {
        return Err(invalid(i, "it gives (array, sizes…)"));
    };
    let full = types::leaf(&padded.clone())?;
    let target = full.as_tensor().cloned().ok_or_else(|| invalid(i, "it gives (array, sizes…)"))?;
    let mut value = array;
    let mut at = ty.clone();
    for (d, dim) in target.dims.iter().enumerate() {
        if at.dims[d] != *dim {
            at.dims[d] = *dim;
            let n = dim.as_static().ok_or_else(|| invalid(i, "its result has static sizes"))?;
            let size = compute::int_constant(b, i, E::S32, n);
            value = b.helper(i, Op::SetDimensionSize { dim: d as i64 }, &[value, size], at.clone().into());
        }
    }
    let mut leaves = vec![value];
    leaves.extend(sizes);
    types::tree(&i.shape, &mut leaves.into_iter())
}
