//! Values that kernels read in VMEM soon after they are made, and that are needed in HBM, too: by who reads them much later, as results.
//!
//! They are made in VMEM, and copied to HBM beside the kernels behind (XLA's evictions: 346 in dumps of libtpu 0.0.52, most of them of gradients'
//! activations, none larger than a third of VMEM). So the first readers read nothing of HBM, and what makes them writes nothing there.

use super::values::Made;
use super::{Room, VMEM, flag, in_memory, reads};
use crate::compiler::Cx;
use crate::compiler::graph::{self, reorder};
use sim_core::hlo::{Computation, ComputationId, HloModule, Instruction, InstructionId, Opcode, Shape};
use smallvec::SmallVec;
use std::sync::Arc;

/// A value that is copied to HBM once it is made.
pub(super) struct Evicted {
    /// By name, as instructions move.
    value: Arc<str>,
    /// Those that take the copy.
    takers: Vec<Arc<str>>,
}

/// Puts the value into VMEM for the first kernels that read it, as far as there is room. `flow`: where control flow hands over.
pub(super) fn place(
    module: &mut HloModule,
    id: ComputationId,
    users: &[SmallVec<[InstructionId; 4]>],
    made: &Made,
    flow: &[usize],
    room: &mut Room,
) -> Option<Evicted> {
    if made.bytes > room.all / 2 {
        return None;
    }
    let computation = module.computation(id);
    let value = match (made.element, &made.looks[..]) {
        (None, _) => InstructionId(made.by as u32),
        (Some(_), &[look]) => look,
        _ => return None,
    };
    let mut all: Vec<InstructionId> = users[value.0 as usize].to_vec();
    all.sort_unstable();
    all.dedup();
    let is_result = value == computation.root || all.contains(&computation.root);
    if is_result && id != module.entry {
        return None;
    }
    // The first of them, as long as they are kernels that leave it as it is.
    let soon = all.iter().take_while(|&&u| {
        let at = u.0 as usize;
        reads(module, computation.instruction(u), value)
            && !flow.iter().any(|&f| made.by < f && f < at)
            && room.has(made.bytes, made.by, at)
    });
    let soon = soon.count();
    let last = all.get(soon.checked_sub(1)?)?.0 as usize;
    let takers: Vec<Arc<str>> =
        all[soon..].iter().map(|&u| computation.instruction(u).name.clone()).collect();
    if takers.is_empty() || value == computation.root {
        return None;
    }
    room.take(made.bytes, made.by, last);
    let name = computation.instruction(value).name.clone();
    Some(Evicted { value: name, takers })
}

/// Writes the copies.
pub(super) fn write(cx: &mut Cx<'_>, id: ComputationId, all: &[Evicted]) {
    if all.is_empty() {
        return;
    }
    let computation = &mut cx.module.computations[id.0 as usize];
    let n = computation.instructions.len();
    let place: rustc_hash::FxHashMap<Arc<str>, usize> =
        computation.instructions.iter().enumerate().map(|(k, i)| (i.name.clone(), k)).collect();
    // Before, and behind, each instruction.
    let (mut before, mut behind) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for e in all {
        let Some(&at) = place.get(&e.value) else { continue };
        let source = computation.instructions[at].clone();
        let Some(array) = source.shape.as_array() else { continue };
        let there = in_memory(array, 0);
        let parts = vec![there.clone(), source.shape.clone(), flag()];
        let value = InstructionId(at as u32);
        let name = cx.names.fresh("copy-start");
        let start =
            graph::instruction(name, Opcode::CopyStart, Arc::new(Shape::Tuple(parts)), &[value], &source);
        let start = graph::push(computation, start);
        let name = cx.names.fresh("copy-done");
        let done =
            graph::push(computation, graph::instruction(name, Opcode::CopyDone, there, &[start], &source));
        let takers: Vec<usize> = e.takers.iter().filter_map(|t| place.get(t).copied()).collect();
        for &t in &takers {
            let taker = &mut computation.instructions[t];
            taker.before_mut().filter(|o| **o == value).for_each(|o| *o = done);
        }
        behind[at].push(start.0 as usize);
        if let Some(&first) = takers.iter().min() {
            before[first].push(done.0 as usize);
        }
    }
    let order: Vec<usize> =
        (0..n).flat_map(|k| before[k].iter().copied().chain([k]).chain(behind[k].iter().copied())).collect();
    reorder(computation, &order);
}

/// Sets the memory of what a kernel makes, and of looks at it.
pub(super) fn set(computation: &mut Computation, made: &Made) {
    let shape = &computation.instructions[made.by].shape;
    let moved = match (&**shape, made.element) {
        (Shape::Array(a), None) => in_memory(a, VMEM),
        (Shape::Tuple(parts), Some(n)) => {
            let mut parts = parts.clone();
            if let Some(a) = parts[n].as_array() {
                parts[n] = in_memory(a, VMEM);
            }
            Arc::new(Shape::Tuple(parts))
        }
        _ => return,
    };
    computation.instructions[made.by].shape = moved;
    let set = |i: &mut Instruction| {
        if let Some(a) = i.shape.as_array() {
            i.shape = in_memory(a, VMEM);
        }
    };
    made.looks.iter().for_each(|l| set(&mut computation.instructions[l.0 as usize]));
}
