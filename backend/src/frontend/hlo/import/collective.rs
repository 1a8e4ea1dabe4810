//! Exchange between devices.

use super::body::{Body, computation, flag, int_or, ints, ints_or_none, opcode};
use super::tree::Tree;
use super::{invalid, types, unsupported};
use sim_core::hlo::device::SubAxis;
use sim_core::hlo::{DeviceGroups, Instruction, Key, MeshAxes, Opcode, Shape, Value};
use sim_core::ir::op::{ChannelHandle, Collective, ReplicaGroups};
use sim_core::ir::{AttrDict, Op, RegionId, ValueId};
use sim_core::types::Dim;
use sim_core::{ElementType, Result, Type};

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
            b.push(i, Op::CollectiveBroadcast(of(i)?), &operands, &[])?
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
            b.push(i, Op::CollectiveReduce(flattened(b, i)?), &operands, &[region])?
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

fn all_gather(b: &Body, i: &Instruction) -> Result<Op> {
    Ok(Op::AllGather { dim: one(i)?, collective: flattened(b, i)? })
}

/// Groups of replica ids with a channel span all partitions. XLA orders their members by replica first, StableHLO by
/// partition: the ids are written out where it matters.
fn flattened(b: &Body, i: &Instruction) -> Result<Collective> {
    let mut c = of(i)?;
    let count = |key| b.importer.hlo.count(&key).clamp(1, 1 << 10);
    let (replicas, partitions) = (count(Key::ReplicaCount), count(Key::NumPartitions));
    if c.channel.is_none() || c.use_global_device_ids || replicas == 1 || partitions == 1 {
        return Ok(c);
    }
    let ReplicaGroups::Dense { rows, cols, ids } = c.replica_groups else { return Ok(c) };
    let (rows, cols, ids) = match ids.is_empty() {
        true => (1, replicas, (0..replicas).collect()),
        false => (rows, cols, ids),
    };
    let everywhere = |&id: &i64| {
        (0..partitions)
            .map(move |p| if id < 0 { -1 } else { id.saturating_mul(partitions).saturating_add(p) })
    };
    let ids = ids.iter().flat_map(everywhere).collect();
    c.replica_groups = ReplicaGroups::Dense { rows, cols: cols.saturating_mul(partitions), ids };
    c.use_global_device_ids = true;
    Ok(c)
}

fn channel(i: &Instruction) -> Option<ChannelHandle> {
    match int_or(i, Key::ChannelId, 0) {
        id if id > 0 => Some(ChannelHandle { handle: id, ty: 1 }),
        _ => None,
    }
}

/// What an instruction says of who takes part.
pub fn of(i: &Instruction) -> Result<Collective> {
    let lists = match i.attr(&Key::ReplicaGroups) {
        Some(Value::Groups(groups)) => groups_of(i, groups)?,
        _ => Vec::new(),
    };
    let cols = lists.iter().map(Vec::len).max().unwrap_or(0);
    // Short groups are filled up: one long one beside many short ones must not become a square.
    if lists.len().saturating_mul(cols) > 1 << 22 {
        return Err(invalid(i, "its replica groups differ too much in size"));
    }
    let ids = lists.iter().flat_map(|g| (0..cols).map(|k| g.get(k).copied().unwrap_or(-1))).collect();
    Ok(Collective {
        replica_groups: ReplicaGroups::Dense { rows: lists.len() as i64, cols: cols as i64, ids },
        channel: channel(i),
        use_global_device_ids: flag(i, Key::UseGlobalDeviceIds),
        has_dynamic_root: flag(i, Key::HasDynamicRoot),
    })
}

fn groups_of(i: &Instruction, groups: &DeviceGroups) -> Result<Vec<Vec<i64>>> {
    match groups {
        DeviceGroups::Lists(lists) => match lists.iter().flatten().find(|&&id| id < 0) {
            Some(id) => Err(invalid(i, format_args!("its replica groups name device {id}"))),
            None => Ok(lists.clone()),
        },
        DeviceGroups::Iota(t) => match (t.device_list(), &t.dims[..]) {
            (Some(devices), &[_, size]) if size > 0 => {
                Ok(devices.chunks(size as usize).map(<[i64]>::to_vec).collect())
            }
            _ => Err(invalid(i, "the sizes of its replica groups do not fit each other")),
        },
        DeviceGroups::Mesh { mesh, axes } => {
            along(mesh, axes).ok_or_else(|| invalid(i, "its replica groups do not follow from their mesh"))
        }
    }
}

/// The groups along some axes of a mesh: each holds the devices that differ in these axes only.
fn along(mesh: &MeshAxes, axes: &[SubAxis]) -> Option<Vec<Vec<i64>>> {
    for (k, a) in axes.iter().enumerate() {
        if !mesh.axes.iter().any(|(name, _)| *name == a.name) || axes[..k].iter().any(|b| b.name == a.name) {
            return None;
        }
    }
    // Axes as parts (size, in the group): an axis of which a part is named splits in three.
    let mut parts: Vec<(i64, Option<usize>)> = Vec::new();
    for (name, size) in &mesh.axes {
        let named = axes.iter().enumerate().find(|(_, a)| a.name == *name);
        match named {
            None => parts.push((*size, None)),
            Some((at, SubAxis { part: None, .. })) => parts.push((*size, Some(at))),
            Some((at, SubAxis { part: Some((pre, inner)), .. })) => {
                let rest = size.checked_div(pre.checked_mul(*inner)?)?;
                if pre * inner * rest != *size {
                    return None;
                }
                parts.extend([(*pre, None), (*inner, Some(at)), (rest, None)]);
            }
        }
    }
    let total =
        parts.iter().try_fold(1i64, |n, p| n.checked_mul(p.0)).filter(|&n| (1..=1 << 20).contains(&n))?;
    let devices = match &mesh.order {
        Some(order) if order.reshape_dims.is_empty() => order.devices.clone(),
        Some(order) => order.device_list()?,
        None => (0..total).collect(),
    };
    if devices.len() as i64 != total {
        return None;
    }
    let mut groups: std::collections::BTreeMap<Vec<i64>, Vec<(Vec<i64>, i64)>> = Default::default();
    for (at, &device) in devices.iter().enumerate() {
        let mut rest = at as i64;
        let mut place = vec![0; parts.len()];
        for (p, (size, _)) in parts.iter().enumerate().rev() {
            place[p] = rest % size;
            rest /= size;
        }
        let outside = parts.iter().zip(&place).filter(|(p, _)| p.1.is_none()).map(|(_, &x)| x).collect();
        let mut inside: Vec<(usize, i64)> =
            parts.iter().zip(&place).filter_map(|(p, &x)| Some((p.1?, x))).collect();
        inside.sort();
        groups.entry(outside).or_default().push((inside.into_iter().map(|p| p.1).collect(), device));
    }
    Some(
        groups
            .into_values()
            .map(|mut g| {
                g.sort();
                g.into_iter().map(|(_, device)| device).collect()
            })
            .collect(),
    )
}

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

fn permute(b: &mut Body, i: &Instruction, operands: &[ValueId]) -> Result<Tree> {
    let moved = permute_leaves(b, i, operands)?;
    types::tree(&i.shape, &mut moved.into_iter())
}

fn permute_leaves(b: &mut Body, i: &Instruction, operands: &[ValueId]) -> Result<Vec<ValueId>> {
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

/// `collective-permute(input, output, input_starts, output_starts), slice_sizes={{…}}`: a slice of the input goes
/// to a place in the receiver's output, which is otherwise unchanged.
fn permute_in_place(b: &mut Body, i: &Instruction, pairs: Vec<(i64, i64)>) -> Result<Vec<ValueId>> {
    let sizes = match i.attr(&Key::SliceSizes) {
        Some(Value::Lists(lists)) => lists.to_vec(),
        _ => Vec::new(),
    };
    let ([sizes], 4) = (&sizes[..], i.operands.len()) else {
        return Err(unsupported(i, "a collective-permute in place of more than one slice"));
    };
    let (input, output) = (b.operand(i, 0)?, b.operand(i, 1)?);
    let (mut from, mut to) = (vec![input], Vec::new());
    b.operand_tree(i, 2)?.leaves(&mut from);
    b.operand_tree(i, 3)?.leaves(&mut to);
    let (source, target) = (b.tensor_type(input)?, b.tensor_type(output)?);
    let piece_ty = Type::tensor(source.element, sizes);
    let piece = b.helper(i, Op::DynamicSlice { sizes: sizes.to_vec() }, &from, piece_ty.clone());
    let send = |pairs: &[(i64, i64)]| Op::CollectivePermute {
        source_target_pairs: pairs.to_vec(),
        channel: channel(i),
    };
    let moved = b.helper(i, send(&pairs), &[piece], piece_ty);
    let mut operands = vec![output, moved];
    operands.extend(to);
    let updated = b.helper(i, Op::DynamicUpdateSlice, &operands, target.clone().into());
    // Nobody sends to some: what arrives there is zero, and so is this.
    let one = super::compute::int_constant(b, i, ElementType::S32, 1);
    let arrived = b.helper(i, send(&pairs), &[one], Type::tensor(ElementType::S32, &[]));
    let given = b.helper(i, Op::Convert, &[arrived], Type::tensor(ElementType::Pred, &[]));
    Ok(vec![b.helper(i, Op::Select, &[given, updated, output], target.into())])
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

fn started(b: &mut Body, i: &Instruction, results: Vec<ValueId>) -> Result<Tree> {
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

/// How many devices a group has.
pub fn members(b: &Body, collective: &Collective) -> i64 {
    match &collective.replica_groups {
        ReplicaGroups::Dense { cols, .. } if *cols > 0 => *cols,
        _ => match collective.channel {
            Some(_) => b.importer.hlo.count(&Key::NumPartitions),
            None => b.importer.hlo.count(&Key::ReplicaCount),
        },
    }
}

/// In the form with an array (`dimensions` names what is split) or a tuple (one operand a device).
fn all_to_all(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let collective = of(i)?;
    let members = members(b, &collective);
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
