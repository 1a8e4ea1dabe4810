//! `ragged-all-to-all`: devices exchange rows, of which each says how many and where they go.

use super::body::Body;
use super::tree::Tree;
use super::{bitcast, compute, groups, invalid, unsupported};
use sim_core::hlo::Instruction;
use sim_core::ir::op::{CompareType, Direction, ScatterDims};
use sim_core::ir::{AttrDict, Binary, Op, ValueId};
use sim_core::types::Dim;
use sim_core::{ElementType as E, Result, TensorType, Type};

/// The largest number of rows that are placed one by one.
const ROWS: i64 = 1 << 26;

/// operands: input, output, input offsets, send sizes, output offsets, receive sizes, the last four with `k`
/// numbers for each member of the group. Member `d` gets rows `input_offset..+send_size` and puts them at
/// `output_offset` of its output, which is otherwise unchanged: all three are the sender's.
///
/// Everybody sends its whole input and these numbers to everybody, and a scatter picks.
pub fn all_to_all(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let [input, output, starts, sizes, places, received] = b.exactly::<6>(i)?;
    let exchange = groups::of(i)?;
    let members = groups::members(b, &exchange);
    let (ty, out) = (b.tensor_type(input)?, b.tensor_type(output)?);
    let numbers = b.tensor_type(starts)?;
    let (Some(Dim::Static(rows)), Some(Dim::Static(out_rows))) = (ty.dims.first(), out.dims.first()) else {
        return Err(invalid(i, "its input and output are arrays with rows, of known sizes"));
    };
    let (rows, out_rows) = (*rows, *out_rows);
    if ty.element != out.element || ty.dims[1..] != out.dims[1..] {
        return Err(invalid(i, "rows of the input and of the output differ"));
    }
    for v in [starts, sizes, places, received] {
        let t = b.tensor_type(v)?;
        if t.dims != numbers.dims || t.rank() != 1 || !t.element.is_integer() {
            return Err(invalid(i, "its offsets and sizes are vectors of integers, of one length"));
        }
    }
    let count = bitcast::countable(i, &numbers)?;
    if members <= 0 || count % members != 0 {
        return Err(invalid(i, format!("{count} offsets are not as many for each of {members} devices")));
    }
    let each = count / members;
    bitcast::countable(i, &ty)?;
    if count.checked_mul(rows).is_none_or(|n| n > ROWS) {
        return Err(unsupported(i, format!("a ragged exchange of {rows} rows with {count} offsets")));
    }
    let send = Op::AllToAll { split_dim: 0, concat_dim: 0, split_count: members, collective: exchange };
    // From each sender its input, and what it says of this device.
    let sent = with_leading(&ty, &[members]);
    let spread = Op::BroadcastInDim { dims: (1..=ty.rank() as i64).collect() };
    let stacked = b.helper(i, spread, &[input], sent.clone().into());
    let arrived = b.helper(i, send.clone(), &[stacked], sent.into());
    let places_ty = TensorType::new(E::S64, [members, each, rows].map(Dim::Static));
    let [starts, sizes, places] = [starts, sizes, places].map(|v| {
        let table = Type::tensor(E::S64, &[members, each]);
        let wide = b.helper(i, Op::Convert, &[v], Type::tensor(E::S64, &[count]));
        let split = b.helper(i, Op::Reshape, &[wide], table.clone());
        let mine = b.helper(i, send.clone(), &[split], table);
        b.helper(i, Op::BroadcastInDim { dims: vec![0, 1] }, &[mine], places_ty.clone().into())
    });
    // Row by row: is it for this device, and where does it go? Rows that are not go behind the output's end.
    let row = b.helper(i, Op::Iota { dim: 2 }, &[], places_ty.clone().into());
    let nth = b.helper(i, Op::Binary(Binary::Subtract), &[row, starts], places_ty.clone().into());
    let zero = constant(b, i, 0, &places_ty);
    let chosen = all(b, i, &places_ty, &[(nth, Direction::Ge, zero), (nth, Direction::Lt, sizes)]);
    let to = b.helper(i, Op::Binary(Binary::Add), &[nth, places], places_ty.clone().into());
    let nowhere = constant(b, i, out_rows, &places_ty);
    let to = b.helper(i, Op::Select, &[chosen, to, nowhere], places_ty.into());
    let updates = with_leading(&ty, &[members, each]);
    let spread = Op::BroadcastInDim { dims: std::iter::once(0).chain(2..ty.rank() as i64 + 2).collect() };
    let updates = b.helper(i, spread, &[arrived], updates.into());
    let scalar = Type::tensor(ty.element, &[]);
    let loc = b.loc(i);
    let region = b.builder.open_region([(scalar.clone(), loc.clone()), (scalar, loc.clone())]);
    let new = b.builder.function().region(region).args[1];
    let region = b.builder.close_region(&[new], loc, AttrDict::new());
    let dims = ScatterDims {
        update_window_dims: (3..ty.rank() as i64 + 2).collect(),
        inserted_window_dims: vec![0],
        input_batching_dims: Vec::new(),
        scatter_indices_batching_dims: Vec::new(),
        scatter_dims_to_operand_dims: vec![0],
        index_vector_dim: 3,
    };
    b.push(i, Op::Scatter { dims, sorted: None, unique: None }, &[output, to, updates], &[region])
}

fn with_leading(ty: &TensorType, leading: &[i64]) -> TensorType {
    TensorType::new(ty.element, leading.iter().map(|&n| Dim::Static(n)).chain(ty.dims.iter().copied()))
}

fn constant(b: &mut Body, i: &Instruction, n: i64, ty: &TensorType) -> ValueId {
    let c = compute::int_constant(b, i, ty.element, n);
    b.helper(i, Op::BroadcastInDim { dims: Vec::new() }, &[c], ty.clone().into())
}

/// Do both comparisons hold?
fn all(
    b: &mut Body,
    i: &Instruction,
    ty: &TensorType,
    comparisons: &[(ValueId, Direction, ValueId); 2],
) -> ValueId {
    let truth: Type = ty.with_element(E::Pred).into();
    let both = comparisons.map(|(x, direction, y)| {
        let op = Op::Compare { direction, ty: CompareType::Default };
        b.helper(i, op, &[x, y], truth.clone())
    });
    b.helper(i, Op::Binary(Binary::And), &both, truth)
}
