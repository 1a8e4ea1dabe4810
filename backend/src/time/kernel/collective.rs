//! Collectives, as a plain estimate: rings over one axis of the torus, both directions, nothing in the way.

use super::{Bound, Kernel, Subject, Unit};
use sim_core::engine::Duration;
use sim_core::hlo::{DeviceGroups, Key, Opcode, Value};

pub(in crate::time) fn is(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(
        opcode,
        O::AllReduce
            | O::AllGather
            | O::ReduceScatter
            | O::AllToAll
            | O::RaggedAllToAll
            | O::CollectivePermute
            | O::CollectiveBroadcast
            | O::CollectiveReduce
            | O::AllReduceStart
            | O::AllGatherStart
            | O::CollectivePermuteStart
    )
}

pub(super) fn cost(subject: &Subject<'_>) -> Kernel {
    let bytes = |direction| {
        let of = subject.accesses.iter().filter(|a| a.direction == direction);
        of.fold(0u64, |n, a| n.saturating_add(a.bytes))
    };
    use tensorcore::vmem::pipeline::Direction;
    let largest = bytes(Direction::In).max(bytes(Direction::Out));
    let opcode = subject.contents.collective.map_or(subject.instruction.opcode, |(op, _)| op);
    let n = group(subject) as f64;
    let around = (n - 1.0) / n;
    let links = largest as f64
        * match opcode {
            Opcode::AllReduce | Opcode::AllReduceStart => 2.0 * around,
            Opcode::CollectivePermute | Opcode::CollectivePermuteStart => 2.0,
            // Each value goes a quarter of the ring on average.
            Opcode::AllToAll | Opcode::RaggedAllToAll => n / 4.0 * around,
            _ => around,
        };
    let ici = &subject.machine.units.ici;
    let hops = match opcode {
        Opcode::CollectivePermute | Opcode::CollectivePermuteStart => 1.0,
        _ => (n / 2.0).ceil(),
    };
    let time =
        Duration::from_seconds(links / (2.0 * ici.link_gbps * 1e9)) + Duration::from_us(ici.hop_us * hops);
    Kernel {
        estimate: Some("collectives are estimated as rings over one axis"),
        ..Kernel::of(Unit::Ici, Bound::Ici, time)
    }
}

/// Members of a group; two where the dump does not say.
fn group(subject: &Subject<'_>) -> u64 {
    let found = match subject.instruction.attr(&Key::ReplicaGroups) {
        Some(Value::Groups(groups)) => members(groups),
        _ => None,
    };
    found.unwrap_or(2).max(2)
}

fn members(groups: &DeviceGroups) -> Option<u64> {
    let size = |n: i64| u64::try_from(n).ok();
    match groups {
        DeviceGroups::Lists(lists) => lists.first().map(|l| l.len() as u64),
        // Groups by size.
        DeviceGroups::Iota(assignment) => assignment.dims.last().and_then(|&n| size(n)),
        DeviceGroups::Mesh { mesh, axes } => axes.iter().try_fold(1u64, |n, axis| {
            let whole = mesh.axes.iter().find(|(name, _)| *name == axis.name).map(|&(_, n)| n);
            Some(n.saturating_mul(size(axis.part.map(|(_, n)| n).or(whole)?)?))
        }),
    }
}
