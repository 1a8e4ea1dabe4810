//! What XLA's reader adds: unique names, and attributes whose absence it prints as a default.

use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::hlo::{Attr, DeviceGroups, HloModule, Instruction, Key, Opcode, Value};
use std::sync::Arc;

/// The numbers behind one root.
#[derive(Default)]
struct Numbers {
    used: FxHashSet<u64>,
    next: u64,
}

/// Gives `x`, `x.1`, `x.2`, … to names that repeat: computations among themselves, instructions over the
/// whole module. Names that are unique stay as they are.
pub(super) fn make_unique(module: &mut HloModule) {
    let mut roots = FxHashMap::default();
    for c in &mut module.computations {
        unique(&mut roots, &mut c.name);
    }
    roots.clear();
    for c in &mut module.computations {
        // To XLA, `slice-start` calls a computation of its own, whose `slice` wants a name first.
        for i in c.instructions.iter().filter(|i| i.opcode == Opcode::AsyncStart) {
            if let Some(op) = i.sugar {
                unique(&mut roots, &mut op.name().into());
            }
        }
        c.instructions.iter_mut().for_each(|i| unique(&mut roots, &mut i.name));
    }
}

fn unique(roots: &mut FxHashMap<Arc<str>, Numbers>, name: &mut Arc<str>) {
    // `x.3` is number 3 of root `x`; `x` is number 0.
    let split = name.rsplit_once('.').filter(|(root, n)| {
        !root.is_empty() && !n.is_empty() && n.len() < 18 && n.bytes().all(|b| b.is_ascii_digit())
    });
    let (root, number) = match split {
        Some((root, n)) => (Arc::from(root), n.parse().unwrap_or(0)),
        None => (name.clone(), 0),
    };
    let numbers = roots.entry(root.clone()).or_default();
    if numbers.used.insert(number) {
        return;
    }
    while !numbers.used.insert(numbers.next) {
        numbers.next += 1;
    }
    *name = format!("{root}.{}", numbers.next).into();
}

/// Of an instruction that was just read.
pub(super) fn fill_defaults(i: &mut Instruction) {
    let defaults: &[(Key, Value)] = match i.sugar.unwrap_or(i.opcode) {
        Opcode::AllGather
        | Opcode::AllGatherStart
        | Opcode::AllReduce
        | Opcode::AllReduceStart
        | Opcode::AllToAll
        | Opcode::ReduceScatter
        | Opcode::RaggedAllToAll
            if i.opcode != Opcode::AsyncDone && i.opcode != Opcode::AsyncUpdate =>
        {
            &[(Key::ReplicaGroups, Value::Groups(Box::new(DeviceGroups::Lists(Vec::new()))))]
        }
        Opcode::CollectiveBroadcast if i.opcode == Opcode::CollectiveBroadcast => &[
            (Key::ReplicaGroups, Value::Groups(Box::new(DeviceGroups::Lists(Vec::new())))),
            (Key::HasDynamicRoot, Value::Bool(false)),
        ],
        Opcode::Broadcast => &[(Key::Dimensions, Value::Ints(Box::new([])))],
        Opcode::TopK => &[(Key::IsStable, Value::Bool(true))],
        _ => return,
    };
    for (key, value) in defaults {
        if i.attr(key).is_none() {
            i.attrs.push(Attr { key: key.clone(), value: value.clone() });
        }
    }
}
