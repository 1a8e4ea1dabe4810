//! `collective-permute`: from device to device, whole or in slices.

use super::body::Body;
use super::groups::channel;
use super::tree::Tree;
use super::{invalid, types};
use sim_core::hlo::{Instruction, Key, Value};
use sim_core::ir::{Op, ValueId};
use sim_core::{ElementType, Result, Type};
use std::collections::BTreeMap;

fn pairs(i: &Instruction) -> Result<Vec<(i64, i64)>> {
    let Some(Value::Lists(lists)) = i.attr(&Key::SourceTargetPairs) else {
        return Err(invalid(i, "the attribute `source_target_pairs` is missing"));
    };
    lists
        .iter()
        .map(|p| match p[..] {
            [from, to] => Ok((from, to)),
            _ => Err(invalid(i, "`source_target_pairs` holds pairs")),
        })
        .collect()
}

pub fn permute(b: &mut Body, i: &Instruction, operands: &[ValueId]) -> Result<Tree> {
    let moved = permute_leaves(b, i, operands)?;
    types::tree(&i.shape, &mut moved.into_iter())
}

pub fn permute_leaves(b: &mut Body, i: &Instruction, operands: &[ValueId]) -> Result<Vec<ValueId>> {
    let pairs = pairs(i)?;
    if let Some(Value::Lists(_)) = i.attr(&Key::SliceSizes) {
        return permute_in_place(b, i, pairs);
    }
    Ok(operands
        .iter()
        .map(|&v| {
            let ty = b.builder.ty(v).clone();
            let op = Op::CollectivePermute { source_target_pairs: pairs.clone(), channel: channel(i) };
            b.helper(i, op, &[v], ty)
        })
        .collect())
}

/// `collective-permute(input, output, input_starts, output_starts), slice_sizes={{…},…}`: slices of the input go to
/// places in the receiver's output, which is otherwise unchanged.
///
/// Starts are a tuple of numbers for one slice, or a tuple of such tuples. With several, a device may occur in as many
/// pairs: the k-th pair that it sends by takes its slice k, and what comes by the k-th pair that it receives by goes to
/// its place k. Input and output may be tuples of arrays, each with starts of its own; sizes stand array by array.
fn permute_in_place(b: &mut Body, i: &Instruction, pairs: Vec<(i64, i64)>) -> Result<Vec<ValueId>> {
    if i.operands.len() != 4 {
        return Err(invalid(
            i,
            "in place it has four operands: input, output, and where slices start in both",
        ));
    }
    let sizes = match i.attr(&Key::SliceSizes) {
        Some(Value::Lists(lists)) => lists.to_vec(),
        _ => Vec::new(),
    };
    let (inputs, mut outputs) = (leaves(&b.operand_tree(i, 0)?), leaves(&b.operand_tree(i, 1)?));
    let array = b.operand_tree(i, 0)?.as_leaf().is_some();
    let (from, to) = (b.operand_tree(i, 2)?, b.operand_tree(i, 3)?);
    let (from, to) = (starts(i, &from, array)?, starts(i, &to, array)?);
    if inputs.len() != outputs.len() || inputs.len() != from.len() || inputs.len() != to.len() {
        return Err(invalid(i, "as many arrays are sent from as to, and starts are given for each"));
    }
    let count = from.iter().map(Vec::len).sum::<usize>();
    if count != sizes.len() || from.iter().zip(&to).any(|(f, t)| f.len() != t.len()) {
        return Err(invalid(
            i,
            format_args!("there are {} sizes of slices, and starts of {count}", sizes.len()),
        ));
    }
    let mut sizes = sizes.into_iter();
    for n in 0..inputs.len() {
        let sizes: Vec<_> = sizes.by_ref().take(from[n].len()).collect();
        for ((k, j), pairs) in by_slice(i, &pairs, sizes.len())? {
            if sizes[k] != sizes[j] {
                return Err(invalid(
                    i,
                    format_args!("slice {k} of {:?} is sent to place {j} of {:?}", sizes[k], sizes[j]),
                ));
            }
            let slice = Slice { input: inputs[n], from: &from[n][k], sizes: &sizes[k], to: &to[n][j] };
            outputs[n] = send(b, i, &slice, outputs[n], pairs)?;
        }
    }
    Ok(outputs)
}

fn leaves(tree: &Tree) -> Vec<ValueId> {
    let mut out = Vec::new();
    tree.leaves(&mut out);
    out
}

/// By array, then by slice: the numbers that say where it starts.
fn starts(i: &Instruction, tree: &Tree, array: bool) -> Result<Vec<Vec<Vec<ValueId>>>> {
    let bad = || invalid(i, "where slices start is said by tuples of numbers");
    let one = |tree: &Tree| -> Result<Vec<Vec<ValueId>>> {
        let items = tree.as_tuple().ok_or_else(bad)?;
        match items.iter().all(|t| t.as_leaf().is_some()) {
            true => Ok(vec![leaves(tree)]),
            false => items.iter().map(|t| t.as_tuple().map(|_| leaves(t)).ok_or_else(bad)).collect(),
        }
    };
    match array {
        true => Ok(vec![one(tree)?]),
        false => tree.as_tuple().ok_or_else(bad)?.iter().map(one).collect(),
    }
}

type BySlice = BTreeMap<(usize, usize), Vec<(i64, i64)>>;

/// The pairs by the number of the slice that is sent and of the place that it goes to.
fn by_slice(i: &Instruction, pairs: &[(i64, i64)], slices: usize) -> Result<BySlice> {
    let (mut sent, mut received) = (BTreeMap::new(), BTreeMap::new());
    let mut out = BySlice::new();
    for &(from, to) in pairs {
        let next = |seen: &mut BTreeMap<i64, usize>, device| {
            let n = seen.entry(device).or_insert(0);
            *n += 1;
            *n - 1
        };
        let (k, j) = (next(&mut sent, from), next(&mut received, to));
        if k >= slices || j >= slices {
            let device = if k >= slices { from } else { to };
            return Err(invalid(
                i,
                format_args!("device {device} is in more pairs than there are slices, {slices}"),
            ));
        }
        out.entry((k, j)).or_default().push((from, to));
    }
    Ok(out)
}

struct Slice<'a> {
    input: ValueId,
    from: &'a [ValueId],
    sizes: &'a [i64],
    to: &'a [ValueId],
}

/// One slice on its way: `output` with what arrived.
fn send(
    b: &mut Body,
    i: &Instruction,
    slice: &Slice<'_>,
    output: ValueId,
    pairs: Vec<(i64, i64)>,
) -> Result<ValueId> {
    let (source, target) = (b.tensor_type(slice.input)?, b.tensor_type(output)?);
    let piece_ty = Type::tensor(source.element, slice.sizes);
    let from: Vec<ValueId> = std::iter::once(slice.input).chain(slice.from.iter().copied()).collect();
    let piece = b.helper(i, Op::DynamicSlice { sizes: slice.sizes.to_vec() }, &from, piece_ty.clone());
    let send = |pairs| Op::CollectivePermute { source_target_pairs: pairs, channel: channel(i) };
    let moved = b.helper(i, send(pairs.clone()), &[piece], piece_ty);
    let operands: Vec<ValueId> = [output, moved].into_iter().chain(slice.to.iter().copied()).collect();
    let updated = b.helper(i, Op::DynamicUpdateSlice, &operands, target.clone().into());
    // Nobody sends to some: what arrives there is zero, and so is this.
    let one = super::compute::int_constant(b, i, ElementType::S32, 1);
    let arrived = b.helper(i, send(pairs), &[one], Type::tensor(ElementType::S32, &[]));
    let given = b.helper(i, Op::Convert, &[arrived], Type::tensor(ElementType::Pred, &[]));
    Ok(b.helper(i, Op::Select, &[given, updated, output], target.into()))
}
