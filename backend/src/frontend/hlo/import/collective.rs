//! Exchange between devices.

use super::body::{Body, computation, ints, ints_or_none, opcode};
use super::groups::{flattened, members, of, with_mesh};
use super::permute::{permute, permute_leaves};
use super::tree::Tree;
use super::{invalid, types};
use sim_core::Result;
use sim_core::hlo::{Instruction, Key, Opcode, Shape};
use sim_core::ir::{AttrDict, Op, RegionId, ValueId};
use sim_core::types::Dim;

pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    use Opcode as O;
    let tree = match opcode(i) {
        O::AllReduce | O::AllReduceStart => {
            let operands = b.leaves(i)?;
            let region = b.region(i, computation(i, Key::ToApply)?)?;
            // An all-reduce-start gives the result alone.
            let op = Op::AllReduce(flattened(b, i)?);
            b.push(i, op, &operands, &[region])?
        }
        O::AllGather => {
            let operands = b.leaves(i)?;
            let op = all_gather(b, i)?;
            b.push(i, op, &operands, &[])?
        }
        O::AllGatherStart => {
            let op = all_gather(b, i)?;
            start(b, i, op, &[])?
        }
        O::ReduceScatter => {
            let operands = b.leaves(i)?;
            let region = b.region(i, computation(i, Key::ToApply)?)?;
            let op = Op::ReduceScatter { dim: one(i)?, collective: flattened(b, i)? };
            b.push(i, op, &operands, &[region])?
        }
        O::AllToAll => all_to_all(b, i)?,
        O::CollectiveBroadcast => {
            let operands = b.leaves(i)?;
            let c = of(i)?;
            let c = with_mesh(b, i, c, true);
            b.push(i, Op::CollectiveBroadcast(c), &operands, &[])?
        }
        O::CollectivePermute => {
            let operands = b.leaves(i)?;
            permute(b, i, &operands)?
        }
        O::CollectivePermuteStart => {
            let operands = b.leaves(i)?;
            let moved = permute_leaves(b, i, &operands)?;
            started(b, i, moved)?
        }
        O::AllReduceDone => b.operand_tree(i, 0)?,
        O::AllGatherDone | O::CollectivePermuteDone => {
            let start = b.operand_tree(i, 0)?;
            start.at(&[1]).cloned().ok_or_else(|| invalid(i, "it ends nothing that was started"))?
        }
        O::RaggedAllToAll => super::ragged::all_to_all(b, i)?,
        O::CollectiveReduce => {
            let operands = b.leaves(i)?;
            let region = b.region(i, computation(i, Key::ToApply)?)?;
            let op = Op::CollectiveReduce(flattened(b, i)?);
            b.push(i, op, &operands, &[region])?
        }
        _ => return Ok(None),
    };
    Ok(Some(tree))
}

fn one(i: &Instruction) -> Result<i64> {
    match ints(i, Key::Dimensions)? {
        [dim] => Ok(*dim),
        _ => Err(invalid(i, "`dimensions` names one dimension")),
    }
}

fn all_gather(b: &mut Body, i: &Instruction) -> Result<Op> {
    Ok(Op::AllGather { dim: one(i)?, collective: flattened(b, i)? })
}

/// `(operands, results, contexts…)`: the operation behind a `-start`.
fn start(b: &mut Body, i: &Instruction, op: Op, regions: &[RegionId]) -> Result<Tree> {
    let operands = b.leaves(i)?;
    let Some(result) = i.shape.as_tuple().and_then(|t| t.get(1)).cloned() else {
        return Err(invalid(i, "its shape is (operands, results, …)"));
    };
    let mut results = Vec::new();
    types::leaves(&result, &mut results)?;
    let loc = b.loc(i);
    let id = b.builder.push(op, &operands, results, regions, AttrDict::new(), loc, i.span);
    let values = b.builder.function().op(id).results.to_vec();
    started(b, i, values)
}

pub fn started(b: &mut Body, i: &Instruction, results: Vec<ValueId>) -> Result<Tree> {
    let Some(shapes) = i.shape.as_tuple() else {
        return Err(invalid(i, "its shape is (operands, results, …)"));
    };
    let shapes = shapes.to_vec();
    let (Some(first), Some(second)) = (shapes.first(), shapes.get(1)) else {
        return Err(invalid(i, "its shape is (operands, results, …)"));
    };
    let operands = b.leaves(i)?;
    let mut parts =
        vec![types::tree(first, &mut operands.into_iter())?, types::tree(second, &mut results.into_iter())?];
    for n in 2..shapes.len() {
        parts.push(super::control::context(b, i, n)?);
    }
    Ok(Tree::Tuple(parts))
}

/// In the form with an array (`dimensions` names what is split) or a tuple (one operand a device).
fn all_to_all(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let collective = of(i)?;
    let members = members(b, &collective);
    let collective = with_mesh(b, i, collective, true);
    let operands = b.leaves(i)?;
    if let Shape::Array(_) = &*i.shape {
        let [dim] = ints_or_none(i, Key::Dimensions)[..] else {
            return Err(invalid(i, "`dimensions` names the dimension that is split"));
        };
        let op = Op::AllToAll { split_dim: dim, concat_dim: dim, split_count: members, collective };
        return b.push(i, op, &operands, &[]);
    }
    // Operand k goes to member k of the group; result k comes from it. As one array with a leading dimension.
    let Some(&first) = operands.first() else { return Err(invalid(i, "it needs operands")) };
    let ty = b.tensor_type(first)?;
    if operands.len() as i64 != members {
        return Err(invalid(i, format!("groups of {members} devices exchange as many operands")));
    }
    let stacked_one = |n: i64| {
        let dims = std::iter::once(Dim::Static(n)).chain(ty.dims.iter().copied());
        sim_core::TensorType::new(ty.element, dims)
    };
    let mut parts = Vec::new();
    for &v in &operands {
        parts.push(b.helper(i, Op::Reshape, &[v], stacked_one(1).into()));
    }
    let stacked = b.helper(i, Op::Concatenate { dim: 0 }, &parts, stacked_one(members).into());
    let op = Op::AllToAll { split_dim: 0, concat_dim: 0, split_count: members, collective };
    let moved = b.helper(i, op, &[stacked], stacked_one(members).into());
    let sizes = ty.static_dims().ok_or_else(|| invalid(i, "its sizes must be known"))?;
    let mut results = Vec::new();
    for k in 0..members {
        let mut limit: Vec<i64> = std::iter::once(k + 1).chain(sizes.iter().map(|&n| n as i64)).collect();
        limit[0] = k + 1;
        let mut start = vec![0; limit.len()];
        start[0] = k;
        let op = Op::Slice { start, strides: vec![1; limit.len()], limit };
        let piece = b.helper(i, op, &[moved], stacked_one(1).into());
        results.push(b.helper(i, Op::Reshape, &[piece], ty.clone().into()));
    }
    types::tree(&i.shape, &mut results.into_iter())
}
