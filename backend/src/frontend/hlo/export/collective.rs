//! Exchange between devices.

use super::attrs::Attrs;
use super::lower::Lower;
use super::{control, invalid, shapes, unsupported};
use crate::sharding::mesh_axes;
use sim_core::hlo::device::SubAxis;
use sim_core::hlo::{DeviceGroups, InstructionId, Key, Opcode, Shape, Value};
use sim_core::ir::op::{ChannelHandle, Collective, ReplicaGroups};
use sim_core::ir::{Attr, Op, Operation};
use sim_core::{Result, TensorType, Type, types::Dim};
use std::sync::Arc;

pub fn export(b: &mut Lower, op: &Operation) -> Result<Option<InstructionId>> {
    match &op.op {
        Op::AllReduce(c) => {
            let body = b.closed_region(op, 0)?;
            let attrs = common(b, op, c)?.calls(Key::ToApply, body);
            b.plain(op, Opcode::AllReduce, attrs)
        }
        Op::ReduceScatter { dim, collective } => {
            let body = b.closed_region(op, 0)?;
            let attrs = common(b, op, collective)?.ints(Key::Dimensions, &[*dim]).calls(Key::ToApply, body);
            b.plain(op, Opcode::ReduceScatter, attrs)
        }
        Op::AllGather { dim, collective } => {
            let attrs = common(b, op, collective)?.ints(Key::Dimensions, &[*dim]);
            b.plain(op, Opcode::AllGather, attrs)
        }
        Op::AllToAll { split_dim, concat_dim, split_count, collective } => {
            let attrs = common(b, op, collective)?.ints(Key::Dimensions, &[*split_dim]);
            all_to_all(b, op, [*split_dim, *concat_dim, *split_count], attrs)
        }
        Op::CollectiveBroadcast(c) => {
            let attrs = common(b, op, c)?.flag(Key::HasDynamicRoot, c.has_dynamic_root);
            b.plain(op, Opcode::CollectiveBroadcast, attrs)
        }
        Op::CollectiveReduce(c) => {
            let body = b.closed_region(op, 0)?;
            let attrs =
                common(b, op, c)?.flag(Key::HasDynamicRoot, c.has_dynamic_root).calls(Key::ToApply, body);
            b.plain(op, Opcode::CollectiveReduce, attrs)
        }
        Op::CollectivePermute { source_target_pairs, channel } => {
            let pairs: Box<[Box<[i64]>]> =
                source_target_pairs.iter().map(|&(from, to)| Box::from([from, to])).collect();
            let attrs =
                channel_of(Attrs::new(), channel.as_ref()).with(Key::SourceTargetPairs, Value::Lists(pairs));
            b.plain(op, Opcode::CollectivePermute, attrs)
        }
        Op::AsyncStart | Op::AsyncDone => Err(control::futures(op)),
        Op::CrossReplicaSum(_) => {
            Err(unsupported(op, "HLO has no cross-replica-sum")
                .help("write it as all_reduce: it is deprecated"))
        }
        _ => Ok(None),
    }
}

fn channel_of(attrs: Attrs, channel: Option<&ChannelHandle>) -> Attrs {
    match channel {
        Some(c) if c.handle > 0 => attrs.int(Key::ChannelId, c.handle),
        _ => attrs,
    }
}

fn common(b: &Lower, op: &Operation, c: &Collective) -> Result<Attrs> {
    let groups = match &c.replica_groups {
        ReplicaGroups::MeshAxes { mesh, axes } => mesh_groups(b, op, mesh, axes)?,
        dense => DeviceGroups::Lists(dense.lists().unwrap_or_default()),
    };
    Ok(channel_of(Attrs::new(), c.channel.as_ref())
        .with(Key::ReplicaGroups, Value::Groups(Box::new(groups)))
        .flag(Key::UseGlobalDeviceIds, c.use_global_device_ids))
}

/// Along the axes of a mesh that the module declares.
fn mesh_groups(
    b: &Lower,
    op: &Operation,
    mesh: &Attr,
    axes: &[sim_core::ir::op::AxisRef],
) -> Result<DeviceGroups> {
    let declared = match mesh {
        Attr::Symbol(path) => b.exporter.module.meshes.iter().find(|m| path.last() == Some(&m.name)),
        _ => None,
    };
    let mesh =
        declared.ok_or_else(|| unsupported(op, format!("the mesh {mesh} is not one of the module's")))?;
    let axes = axes.iter().map(|a| SubAxis { name: a.name.clone(), part: a.sub_axis }).collect();
    Ok(DeviceGroups::Mesh { mesh: mesh_axes(mesh), axes })
}

/// HLO's has one dimension, of which piece k goes to device k and comes from it. Where StableHLO puts the
/// pieces along another dimension, they are moved there afterwards. Each operand travels alone.
fn all_to_all(
    b: &mut Lower,
    op: &Operation,
    [split, concat, count]: [i64; 3],
    attrs: Attrs,
) -> Result<Option<InstructionId>> {
    let mut ids = Vec::new();
    for n in 0..op.operands.len() {
        let from = b.operand_type(op, n)?.clone();
        let operand = b.operand(op, n)?;
        let shape = b.shape_of(operand);
        let moved = b.emit(Opcode::AllToAll, shape, &[operand], attrs.clone());
        let Type::Tensor(to) = b.result_type(op, n)?.clone() else {
            return Err(invalid(op, "it gives tensors"));
        };
        ids.push(if split == concat {
            moved
        } else {
            regroup(b, op, moved, &from, &to, [split, concat, count])?
        });
    }
    b.bind_each(op, &ids);
    Ok(ids.last().copied())
}

/// `[…, count·s, …, c, …]` to `[…, s, …, count·c, …]`.
fn regroup(
    b: &mut Lower,
    op: &Operation,
    moved: InstructionId,
    from: &TensorType,
    to: &TensorType,
    [split, concat, count]: [i64; 3],
) -> Result<InstructionId> {
    let bad = || invalid(op, "its dimensions do not fit the number of devices");
    let (s, c) = (usize::try_from(split).map_err(|_| bad())?, usize::try_from(concat).map_err(|_| bad())?);
    let mut dims: Vec<i64> =
        from.dims.iter().map(|d| d.as_static()).collect::<Option<_>>().ok_or_else(bad)?;
    if s >= dims.len() || c >= dims.len() || count < 1 || dims[s] % count != 0 {
        return Err(bad());
    }
    dims[s] /= count;
    dims.insert(s, count);
    let split_shape = shapes::of(from.element, &dims)?;
    let apart = b.emit(Opcode::Reshape, split_shape, &[moved], Attrs::new());
    // The new dimension goes right before the one that it becomes a part of.
    let mut order: Vec<i64> = (0..dims.len() as i64).filter(|&d| d != split).collect();
    let c = if c > s { c + 1 } else { c } as i64;
    let at = order.iter().position(|&d| d == c).ok_or_else(bad)?;
    order.insert(at, split);
    let turned = order.iter().map(|&d| Dim::Static(dims[d as usize]));
    let turned = shapes::shape(&TensorType::new(from.element, turned).into())?;
    let turned = b.emit(Opcode::Transpose, turned, &[apart], Attrs::new().ints(Key::Dimensions, &order));
    let shape: Arc<Shape> = shapes::shape(&to.clone().into())?;
    Ok(b.emit(Opcode::Reshape, shape, &[turned], Attrs::new()))
}
