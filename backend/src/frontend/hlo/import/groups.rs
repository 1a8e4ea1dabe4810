//! Who takes part in an exchange: lists of ids, or the axes of a mesh.

use super::body::{Body, flag, int_or};
use super::invalid;
use sim_core::hlo::device::SubAxis;
use sim_core::hlo::{DeviceGroups, Instruction, Key, MeshAxes, Value};
use sim_core::ir::op::{AxisRef, ChannelHandle, Collective, ReplicaGroups};
use sim_core::ir::{Attr, AttrDict, Mesh};
use sim_core::{Loc, Result};
use std::sync::Arc;

/// Groups of replica ids with a channel span all partitions. XLA orders their members by replica first, StableHLO by
/// partition: the ids are written out where it matters.
pub fn flattened(b: &mut Body, i: &Instruction) -> Result<Collective> {
    let mut c = of(i)?;
    if let Some(mesh) = mesh_of(b, i, &c, false) {
        c.replica_groups = mesh;
        return Ok(c);
    }
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

pub fn channel(i: &Instruction) -> Option<ChannelHandle> {
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

/// The groups as a mesh, where HLO says them so and the ids are those of devices.
pub fn with_mesh(b: &mut Body, i: &Instruction, mut c: Collective, simple: bool) -> Collective {
    if let Some(mesh) = mesh_of(b, i, &c, simple) {
        c.replica_groups = mesh;
    }
    c
}

/// Groups along a mesh, with the mesh among the module's. In StableHLO a mesh is always one of devices; in HLO ids may
/// also count replicas or partitions, which is the same where there is one of the others. Where it is not, and where
/// HLO's groups are in another order than StableHLO's, the lists stay. `simple`: a channel means partitions, as in
/// all-to-all.
fn mesh_of(b: &mut Body, i: &Instruction, c: &Collective, simple: bool) -> Option<ReplicaGroups> {
    let Some(Value::Groups(groups)) = i.attr(&Key::ReplicaGroups) else { return None };
    let DeviceGroups::Mesh { mesh, axes } = &**groups else { return None };
    let one = |key| b.importer.hlo.count(&key) <= 1;
    let devices = match (c.channel.is_some(), c.use_global_device_ids) {
        (true, true) => true,
        (true, false) => simple && one(Key::ReplicaCount),
        (false, false) => one(Key::NumPartitions),
        (false, true) => false,
    };
    if !devices {
        return None;
    }
    let device_ids = match &mesh.order {
        Some(order) if order.reshape_dims.is_empty() => order.devices.clone(),
        Some(order) => order.device_list()?,
        None => Vec::new(),
    };
    let mut found = Mesh {
        name: "".into(),
        axes: mesh.axes.clone(),
        device_ids,
        attrs: AttrDict::new(),
        loc: Loc::Unknown,
    };
    let selected: Vec<_> = axes.iter().map(|a| (&*a.name, a.part)).collect();
    if ici::groups::mesh_groups(&found, &selected).ok()? != along(mesh, axes)? {
        return None;
    }
    let axes = axes.iter().map(|a| AxisRef { name: a.name.clone(), sub_axis: a.part }).collect();
    let known = &b.importer.meshes;
    let same = known.iter().find(|m| m.axes == found.axes && m.device_ids == found.device_ids);
    let name = match same {
        Some(mesh) => mesh.name.clone(),
        None => {
            // Another symbol of the module may have the name.
            let taken = |name: &str| {
                known.iter().any(|m| &*m.name == name)
                    || b.importer.hlo.computations.iter().any(|c| &*c.name == name)
            };
            let names = std::iter::once("mesh".to_owned()).chain((0..).map(|n| format!("mesh_{n}")));
            let name: Arc<str> = names.into_iter().find(|name| !taken(name))?.into();
            found.name = name.clone();
            b.importer.meshes.push(found);
            name
        }
    };
    Some(ReplicaGroups::MeshAxes { mesh: Attr::Symbol([name].into()), axes })
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
