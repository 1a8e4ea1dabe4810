//! Collectives, point-to-point transfers and their asynchronous form.

use crate::diag::Result;
use crate::ir::attr::{Attr, Dense};
use crate::ir::generic::attrs::{Reader, Writer};
use crate::ir::op::{ChannelHandle, Collective, HloAttr, Op, ReplicaGroups};

/// Groups are part of a program's text; more than this is no machine.
const MAX_GROUPS: i64 = 1 << 24;

pub(super) fn read(r: &mut Reader) -> Result<Option<Op>> {
    Ok(Some(match r.name {
        "stablehlo.all_gather" => {
            Op::AllGather { dim: r.int("all_gather_dim")?, collective: collective(r, true, false)? }
        }
        "stablehlo.all_reduce" => Op::AllReduce(collective(r, true, false)?),
        "stablehlo.all_to_all" => Op::AllToAll {
            split_dim: r.int("split_dimension")?,
            concat_dim: r.int("concat_dimension")?,
            split_count: r.int("split_count")?,
            collective: collective(r, false, false)?,
        },
        "stablehlo.collective_broadcast" => Op::CollectiveBroadcast(collective(r, false, true)?),
        "stablehlo.collective_permute" => Op::CollectivePermute {
            source_target_pairs: r
                .opt_pairs("source_target_pairs")?
                .ok_or_else(|| r.missing("source_target_pairs"))?,
            channel: channel(r)?,
        },
        "stablehlo.collective_reduce" => Op::CollectiveReduce(collective(r, true, true)?),
        "stablehlo.reduce_scatter" => {
            Op::ReduceScatter { dim: r.int("scatter_dimension")?, collective: collective(r, true, false)? }
        }
        "stablehlo.cross-replica-sum" => Op::CrossReplicaSum(replica_groups(r)?),
        "stablehlo.send" => Op::Send {
            channel: required_channel(r)?,
            is_host_transfer: r.flag("is_host_transfer")?,
            source_target_pairs: r.opt_pairs("source_target_pairs")?,
        },
        "stablehlo.recv" => Op::Recv {
            channel: required_channel(r)?,
            is_host_transfer: r.flag("is_host_transfer")?,
            source_target_pairs: r.opt_pairs("source_target_pairs")?,
        },
        "stablehlo.async_start" => Op::AsyncStart,
        "stablehlo.async_done" => Op::AsyncDone,
        _ => return Ok(None),
    }))
}

fn collective(r: &mut Reader, device_ids: bool, dynamic_root: bool) -> Result<Collective> {
    Ok(Collective {
        replica_groups: replica_groups(r)?,
        channel: channel(r)?,
        use_global_device_ids: device_ids && r.flag("use_global_device_ids")?,
        has_dynamic_root: dynamic_root && r.flag("has_dynamic_root")?,
    })
}

fn channel(r: &mut Reader) -> Result<Option<ChannelHandle>> {
    r.opt_hlo("channel_handle", "#stablehlo.channel_handle<…>", |h| match h {
        HloAttr::Channel(channel) => Some(*channel),
        _ => None,
    })
}

fn required_channel(r: &mut Reader) -> Result<ChannelHandle> {
    channel(r)?.ok_or_else(|| r.missing("channel_handle"))
}

fn replica_groups(r: &mut Reader) -> Result<ReplicaGroups> {
    const KEY: &str = "replica_groups";
    let want = "a constant of groups by ids, or a `#stablehlo.replica_group_mesh_axes<…>`";
    let groups = r.optional(KEY, want, |a| match a {
        Attr::Dense(d) => dense_groups(d, a.as_i64s()?),
        Attr::Hlo(h) => match &**h {
            HloAttr::ReplicaGroups(groups) => Some(groups.clone()),
            _ => None,
        },
        _ => None,
    })?;
    groups.ok_or_else(|| r.missing(KEY))
}

fn dense_groups(dense: &Dense, ids: Vec<i64>) -> Option<ReplicaGroups> {
    let dims = dense.ty.as_tensor()?.static_dims()?;
    let [rows, cols] = dims[..] else { return None };
    let (rows, cols) = (i64::try_from(rows).ok()?, i64::try_from(cols).ok()?);
    let sizes_fit = rows <= MAX_GROUPS && rows.checked_mul(cols) == i64::try_from(ids.len()).ok();
    sizes_fit.then_some(ReplicaGroups::Dense { rows, cols, ids })
}

pub(super) fn write(op: &Op, w: &mut Writer) -> bool {
    match op {
        Op::AllGather { dim, collective } => {
            w.i64("all_gather_dim", *dim);
            write_collective(collective, w);
        }
        Op::AllToAll { split_dim, concat_dim, split_count, collective } => {
            write_channel(collective.channel, w);
            w.i64("concat_dimension", *concat_dim);
            write_groups(&collective.replica_groups, w);
            w.i64("split_count", *split_count);
            w.i64("split_dimension", *split_dim);
        }
        Op::AllReduce(c) | Op::CollectiveBroadcast(c) | Op::CollectiveReduce(c) => write_collective(c, w),
        Op::CollectivePermute { source_target_pairs, channel } => {
            write_channel(*channel, w);
            w.pairs("source_target_pairs", source_target_pairs);
        }
        Op::ReduceScatter { dim, collective: c } => {
            write_channel(c.channel, w);
            write_groups(&c.replica_groups, w);
            w.i64("scatter_dimension", *dim);
            w.flag("use_global_device_ids", c.use_global_device_ids);
        }
        Op::CrossReplicaSum(groups) => write_groups(groups, w),
        Op::Send { channel, is_host_transfer, source_target_pairs }
        | Op::Recv { channel, is_host_transfer, source_target_pairs } => {
            write_channel(Some(*channel), w);
            w.bool("is_host_transfer", *is_host_transfer);
            if let Some(pairs) = source_target_pairs {
                w.pairs("source_target_pairs", pairs);
            }
        }
        Op::AsyncStart | Op::AsyncDone => {}
        _ => return false,
    }
    true
}

fn write_collective(c: &Collective, w: &mut Writer) {
    write_channel(c.channel, w);
    w.flag("has_dynamic_root", c.has_dynamic_root);
    write_groups(&c.replica_groups, w);
    w.flag("use_global_device_ids", c.use_global_device_ids);
}

fn write_channel(channel: Option<ChannelHandle>, w: &mut Writer) {
    if let Some(channel) = channel {
        w.hlo("channel_handle", HloAttr::Channel(channel));
    }
}

fn write_groups(groups: &ReplicaGroups, w: &mut Writer) {
    match groups {
        ReplicaGroups::Dense { rows, cols, ids } => {
            w.matrix("replica_groups", *rows as usize, *cols as usize, ids);
        }
        mesh => w.hlo("replica_groups", HloAttr::ReplicaGroups(mesh.clone())),
    }
}
