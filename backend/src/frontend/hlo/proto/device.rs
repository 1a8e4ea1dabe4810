//! Groups of devices and shardings.

use super::schema::*;
use sim_core::hlo::device::{NamedDim, SubAxis};
use sim_core::hlo::{DeviceGroups, MeshAxes, NamedSharding, Sharding, TileAssignment};
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

/// The groups of a collective, `None` where it has none.
pub(super) fn read_groups(i: &HloInstructionProto) -> Result<Option<DeviceGroups>> {
    let lists = |groups: &[ReplicaGroup]| {
        Some(DeviceGroups::Lists(groups.iter().map(|g| g.replica_ids.clone()).collect()))
    };
    if let Some(list) = &i.mesh_axes_replica_group_list {
        let Some(mesh) = &list.mesh else {
            return Err(Diagnostic::malformed("`mesh_axes_replica_group_list` has no mesh"));
        };
        let axes = list.axes.iter().map(|a| read_axis(a, mesh)).collect::<Result<_>>()?;
        return Ok(Some(DeviceGroups::Mesh { mesh: read_mesh(mesh), axes }));
    }
    if let Some(list) = &i.iota_collective_device_list {
        return Ok(Some(DeviceGroups::Iota(TileAssignment {
            dims: vec![list.num_replica_groups, list.num_devices_per_group],
            reshape_dims: list.iota_reshape_dims.clone(),
            transpose: read_transpose(&list.iota_transpose_perm),
            devices: Vec::new(),
        })));
    }
    Ok(match &i.collective_device_list {
        Some(list) => lists(&list.replica_groups),
        None if !i.replica_groups.is_empty() => lists(&i.replica_groups),
        None => None,
    })
}

/// Empty for the identity, which is not written.
fn read_transpose(perm: &[i32]) -> Vec<i64> {
    match perm.iter().enumerate().all(|(i, &d)| usize::try_from(d) == Ok(i)) {
        true => Vec::new(),
        false => perm.iter().map(|&d| d.into()).collect(),
    }
}

fn write_transpose(t: &TileAssignment) -> Vec<i32> {
    match t.transpose.is_empty() {
        true => (0..t.reshape_dims.len() as i32).collect(),
        false => t.transpose.iter().map(|&d| i32::try_from(d).unwrap_or(-1)).collect(),
    }
}

pub(super) fn write_groups(groups: &DeviceGroups, i: &mut HloInstructionProto) -> Result<()> {
    match groups {
        DeviceGroups::Lists(lists) => {
            let replica_groups = lists.iter().map(|ids| ReplicaGroup { replica_ids: ids.clone() }).collect();
            i.collective_device_list = Some(Box::new(CollectiveDeviceListProto { replica_groups }));
        }
        DeviceGroups::Iota(t) => {
            let &[num_replica_groups, num_devices_per_group] = &t.dims[..] else {
                return Err(Diagnostic::invalid(
                    "`replica_groups` has two dimensions: groups and their size",
                ));
            };
            i.iota_collective_device_list = Some(Box::new(IotaReplicaGroupListProto {
                num_replica_groups,
                num_devices_per_group,
                iota_reshape_dims: t.reshape_dims.clone(),
                iota_transpose_perm: write_transpose(t),
            }));
        }
        DeviceGroups::Mesh { mesh, axes } => {
            i.mesh_axes_replica_group_list = Some(Box::new(MeshAxesReplicaGroupListProto {
                mesh: Some(Box::new(write_mesh(mesh)?)),
                axes: axes.iter().map(|a| write_axis(a, mesh)).collect::<Result<_>>()?,
            }));
        }
    }
    Ok(())
}

fn read_mesh(mesh: &MeshProto) -> MeshAxes {
    let order = match &mesh.iota_transform {
        Some(iota) => Some(TileAssignment {
            dims: mesh.axes.iter().map(|a| a.size).collect(),
            reshape_dims: iota.reshape_dims.clone(),
            transpose: iota.transpose_perm.clone(),
            devices: Vec::new(),
        }),
        None if mesh.device_ids.is_empty() => None,
        None => Some(TileAssignment { devices: mesh.device_ids.clone(), ..TileAssignment::default() }),
    };
    let axes = mesh.axes.iter().map(|a| (a.name.as_str().into(), a.size)).collect();
    MeshAxes { name: None, axes, order }
}

fn write_mesh(mesh: &MeshAxes) -> Result<MeshProto> {
    if let Some(name) = &mesh.name {
        return Err(Diagnostic::unsupported(format!("the mesh @{name} is known by its name only"))
            .help("write its axes: mesh['x'=4]"));
    }
    let mut proto = MeshProto {
        axes: mesh
            .axes
            .iter()
            .map(|(name, size)| MeshProtoMeshAxis { name: name.to_string(), size: *size })
            .collect(),
        ..MeshProto::default()
    };
    match &mesh.order {
        Some(order) if !order.reshape_dims.is_empty() => {
            proto.iota_transform = Some(Box::new(MeshProtoIotaTransform {
                reshape_dims: order.reshape_dims.clone(),
                transpose_perm: order.transpose.clone(),
            }));
        }
        Some(order) => proto.device_ids = order.devices.clone(),
        None => {}
    }
    Ok(proto)
}

fn read_axis(axis: &AxisRefProto, mesh: &MeshProto) -> Result<SubAxis> {
    let named = usize::try_from(axis.mesh_axis_index).ok().and_then(|i| mesh.axes.get(i));
    let Some(named) = named else {
        return Err(Diagnostic::malformed(format!(
            "`mesh_axis_index` is {}, and the mesh has {} axes",
            axis.mesh_axis_index,
            mesh.axes.len()
        )));
    };
    let part = axis.sub_axis_info.as_ref().map(|s| (s.pre_size, s.size));
    Ok(SubAxis { name: named.name.as_str().into(), part })
}

fn write_axis(axis: &SubAxis, mesh: &MeshAxes) -> Result<AxisRefProto> {
    let Some(index) = mesh.axes.iter().position(|(name, _)| *name == axis.name) else {
        return Err(Diagnostic::invalid(format!("the mesh has no axis '{}'", axis.name)));
    };
    let sub = axis.part.map(|(pre_size, size)| Box::new(AxisRefProtoSubAxis { pre_size, size }));
    Ok(AxisRefProto { mesh_axis_index: index as i64, sub_axis_info: sub })
}

fn word(number: i32) -> Result<Arc<str>> {
    match OP_SHARDING_TYPE.name(number) {
        Some(name) => Ok(name.to_ascii_lowercase().into()),
        None => Err(Diagnostic::malformed(format!("{number} is no type of sharding"))),
    }
}

fn number(word: &str) -> Result<i32> {
    OP_SHARDING_TYPE
        .number(&word.to_ascii_uppercase())
        .ok_or_else(|| Diagnostic::unsupported(format!("`sharding`: no protocol buffer says `{word}`")))
}

pub(super) fn read_sharding(s: &OpSharding) -> Result<Sharding> {
    if let Some(named) = &s.named_sharding {
        if let Some(device) = single_device(named) {
            return Ok(Sharding::Word { word: format!("{SINGLE}{device}]").into(), rest: None });
        }
        return Ok(Sharding::Named(Box::new(read_named(named)?)));
    }
    let rest: Option<Arc<str>> = s.is_shard_group.then(|| {
        let as_or_like =
            OP_SHARDING_SHARD_GROUP_TYPE.name(s.shard_group_type).unwrap_or("AS").to_ascii_lowercase();
        format!("shard_{as_or_like} {}", s.shard_group_id).into()
    });
    Ok(match OP_SHARDING_TYPE.name(s.r#type) {
        Some("TUPLE") => Sharding::Tuple(s.tuple_shardings.iter().map(read_sharding).collect::<Result<_>>()?),
        Some("MAXIMAL") => match s.tile_assignment_devices[..] {
            [device] => Sharding::Maximal { device, rest },
            _ => {
                return Err(Diagnostic::malformed("a maximal sharding has one of `tile_assignment_devices`"));
            }
        },
        Some("OTHER") => Sharding::Tiled {
            assignment: TileAssignment {
                dims: s.tile_assignment_dimensions.clone(),
                reshape_dims: s.iota_reshape_dims.clone(),
                transpose: read_transpose(&s.iota_transpose_perm),
                devices: s.tile_assignment_devices.clone(),
            },
            last_tile_dim_replicate: s.replicate_on_last_tile_dim,
            last_tile_dims: s.last_tile_dims.iter().map(|&n| word(n)).collect::<Result<_>>()?,
            rest,
        },
        _ => Sharding::Word { word: word(s.r#type)?, rest },
    })
}

/// How the text begins to say that one device has all.
const SINGLE: &str = "single_device[device_id=";

fn single_device(n: &NamedShardingProto) -> Option<i64> {
    let mesh = n.mesh.as_ref().filter(|m| m.axes.is_empty())?;
    match mesh.device_ids[..] {
        [device] if n.dim_shardings.is_empty() => Some(device),
        _ => None,
    }
}

fn read_named(n: &NamedShardingProto) -> Result<NamedSharding> {
    let empty = MeshProto::default();
    let mesh = n.mesh.as_deref().unwrap_or(&empty);
    let list = |axes: &[AxisRefProto]| axes.iter().map(|a| read_axis(a, mesh)).collect::<Result<Vec<_>>>();
    let mut axes: Vec<(Arc<str>, Vec<SubAxis>)> = Vec::new();
    for (key, refs) in
        [("replicated", &n.replicated_axes), ("unreduced", &n.unreduced_axes), ("manual", &n.manual_axes)]
    {
        if !refs.is_empty() {
            axes.push((key.into(), list(refs)?));
        }
    }
    let dim =
        |d: &NamedShardingProtoDimensionSharding| Ok(NamedDim { axes: list(&d.axes)?, open: !d.is_closed });
    Ok(NamedSharding {
        mesh: read_mesh(mesh),
        dims: n.dim_shardings.iter().map(dim).collect::<Result<_>>()?,
        word: (n.dim_shardings.is_empty() && axes.is_empty()).then(|| "replicated".into()),
        axes,
    })
}

/// A serialized `OpSharding`. `reduction`: how its unreduced parts are reduced (`SUM`), which XLA keeps in the metadata.
///
/// # Errors
/// The sharding says what no proto holds.
pub fn encode_sharding(s: &Sharding, reduction: Option<&str>) -> Result<Vec<u8>> {
    let mut proto = write_sharding(s)?;
    if let Some(how) = reduction {
        proto.metadata.push(OpMetadata {
            op_type: "sdy::reduction_op".into(),
            op_name: how.into(),
            ..OpMetadata::default()
        });
    }
    Ok(prost::Message::encode_to_vec(&proto))
}

pub(super) fn write_sharding(s: &Sharding) -> Result<OpSharding> {
    let of = |kind: &str, rest: &Option<Arc<str>>| -> Result<OpSharding> {
        let mut proto = OpSharding { r#type: number(kind)?, ..OpSharding::default() };
        // What else may stand there is metadata of the sharding, which XLA does not print.
        let mut words = rest.as_deref().unwrap_or_default().split_whitespace();
        while let Some(word) = words.next() {
            let Some(kind) = word.strip_prefix("shard_") else { continue };
            let kind = OP_SHARDING_SHARD_GROUP_TYPE.number(&kind.to_ascii_uppercase());
            if let (Some(kind), Some(id)) = (kind, words.next().and_then(|id| id.parse().ok())) {
                (proto.is_shard_group, proto.shard_group_type, proto.shard_group_id) = (true, kind, id);
            }
        }
        Ok(proto)
    };
    Ok(match s {
        Sharding::Tuple(items) => OpSharding {
            tuple_shardings: items.iter().map(write_sharding).collect::<Result<_>>()?,
            ..of("TUPLE", &None)?
        },
        Sharding::Named(n) => {
            let named = match n.word.as_deref().and_then(device_of_word) {
                Some(device) => write_single(device),
                None => write_named(n)?,
            };
            OpSharding { named_sharding: Some(Box::new(named)), ..of("OTHER", &None)? }
        }
        Sharding::Word { word, rest } => match device_of_word(word) {
            Some(device) => {
                OpSharding { named_sharding: Some(Box::new(write_single(device))), ..of("OTHER", &None)? }
            }
            None => of(word, rest)?,
        },
        Sharding::Maximal { device, rest } => OpSharding {
            tile_assignment_dimensions: vec![1],
            tile_assignment_devices: vec![*device],
            ..of("MAXIMAL", rest)?
        },
        Sharding::Tiled { assignment, last_tile_dim_replicate, last_tile_dims, rest } => OpSharding {
            tile_assignment_dimensions: assignment.dims.clone(),
            tile_assignment_devices: assignment.devices.clone(),
            iota_reshape_dims: assignment.reshape_dims.clone(),
            iota_transpose_perm: write_transpose(assignment),
            replicate_on_last_tile_dim: *last_tile_dim_replicate,
            last_tile_dims: last_tile_dims.iter().map(|w| number(w)).collect::<Result<_>>()?,
            ..of("OTHER", rest)?
        },
    })
}

/// The device of `single_device[device_id=0]`.
fn device_of_word(word: &str) -> Option<i64> {
    word.strip_prefix(SINGLE)?.strip_suffix(']')?.trim().parse().ok()
}

fn write_single(device: i64) -> NamedShardingProto {
    let mesh = MeshProto { device_ids: vec![device], ..MeshProto::default() };
    NamedShardingProto { mesh: Some(Box::new(mesh)), ..NamedShardingProto::default() }
}

fn write_named(n: &NamedSharding) -> Result<NamedShardingProto> {
    if let Some(word) = n.word.as_deref().filter(|w| *w != "replicated") {
        return Err(Diagnostic::unsupported(format!("`sharding`: no protocol buffer says `{word}`")));
    }
    let list = |axes: &[SubAxis]| axes.iter().map(|a| write_axis(a, &n.mesh)).collect::<Result<Vec<_>>>();
    let mut proto =
        NamedShardingProto { mesh: Some(Box::new(write_mesh(&n.mesh)?)), ..NamedShardingProto::default() };
    for d in &n.dims {
        let axes = list(&d.axes)?;
        proto.dim_shardings.push(NamedShardingProtoDimensionSharding { axes, is_closed: !d.open });
    }
    for (key, axes) in &n.axes {
        match &**key {
            "replicated" => proto.replicated_axes = list(axes)?,
            "unreduced" => proto.unreduced_axes = list(axes)?,
            "manual" => proto.manual_axes = list(axes)?,
            _ => {
                return Err(Diagnostic::unsupported(format!(
                    "`sharding`: no protocol buffer has axes `{key}`"
                )));
            }
        }
    }
    Ok(proto)
}
