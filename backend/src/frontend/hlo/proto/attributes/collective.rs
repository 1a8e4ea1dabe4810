//! Who takes part: channels, groups, pairs, shardings.

use super::Out;
use crate::frontend::hlo::proto::device;
use crate::frontend::hlo::proto::schema::*;
use sim_core::hlo::{Attr, Key, Opcode as O, Value};
use sim_core::{Diagnostic, Result};

pub(super) fn read(opcode: O, i: &HloInstructionProto, out: &mut Out) -> Result<()> {
    let channel = if i.channel_id != 0 { i.channel_id } else { i.all_reduce_id };
    if channel != 0 {
        out.push(Key::ChannelId, Value::Int(channel));
    }
    out.flag(Key::IsHostTransfer, i.is_host_transfer);
    if let Some(groups) = device::read_groups(i)? {
        out.push(Key::ReplicaGroups, Value::Groups(Box::new(groups)));
    }
    if matches!(opcode, O::CollectivePermute | O::CollectivePermuteStart) || !i.source_target_pairs.is_empty()
    {
        let pairs = i.source_target_pairs.iter().map(|p| Box::from([p.source, p.target]));
        out.push(Key::SourceTargetPairs, Value::Lists(pairs.collect()));
    }
    out.flag(Key::UseGlobalDeviceIds, i.use_global_device_ids);
    if opcode == O::CollectiveBroadcast {
        out.push(Key::HasDynamicRoot, Value::Bool(i.has_dynamic_root));
    }
    if opcode != O::CustomCall {
        out.flag(Key::ConstrainLayout, i.constrain_layout);
    }
    if let Some(s) = &i.sharding {
        out.push(Key::Sharding, Value::Sharding(Box::new(device::read_sharding(s)?)));
    }
    if opcode == O::Domain {
        let (Some(entry), Some(exit)) = (&i.domain_entry_sharding, &i.domain_exit_sharding) else {
            return Err(Diagnostic::malformed(
                "a domain has `domain_entry_sharding` and `domain_exit_sharding`",
            ));
        };
        let sides = (device::read_sharding(entry)?, device::read_sharding(exit)?);
        out.push(Key::Domain, Value::Domain(Box::new(sides)));
    }
    Ok(())
}

pub(super) fn write(attr: &Attr, p: &mut HloInstructionProto) -> Result<bool> {
    match (&attr.key, &attr.value) {
        (Key::ChannelId, Value::Int(n)) => p.channel_id = *n,
        (Key::IsHostTransfer, Value::Bool(v)) => p.is_host_transfer = *v,
        (Key::ReplicaGroups, Value::Groups(g)) => device::write_groups(g, p)?,
        (Key::SourceTargetPairs, Value::Lists(pairs)) => {
            for pair in pairs {
                let &[source, target] = &pair[..] else {
                    return Err(Diagnostic::invalid("`source_target_pairs` are pairs"));
                };
                p.source_target_pairs.push(SourceTarget { source, target });
            }
        }
        (Key::UseGlobalDeviceIds, Value::Bool(v)) => p.use_global_device_ids = *v,
        (Key::HasDynamicRoot, Value::Bool(v)) => p.has_dynamic_root = *v,
        (Key::ConstrainLayout, Value::Bool(v)) => p.constrain_layout = *v,
        (Key::SplitDimension, Value::Int(n)) => p.dimensions = vec![*n],
        (Key::Sharding, Value::Sharding(s)) => p.sharding = Some(Box::new(device::write_sharding(s)?)),
        (Key::Domain, Value::Domain(sides)) => {
            p.domain_entry_sharding = Some(Box::new(device::write_sharding(&sides.0)?));
            p.domain_exit_sharding = Some(Box::new(device::write_sharding(&sides.1)?));
        }
        _ => return Ok(false),
    }
    Ok(true)
}
