//! What lies in VMEM, and what is fetched into it beside the kernels.
//!
//! Seven walks, the last five over each computation's schedule with what VMEM holds at each instruction:
//!
//! * Scalars that scalar code makes and kernels need stay in its memory.
//! * What a loop carries and only kernels read stays there for the whole loop.
//! * An argument that several kernels read is copied beside the first of them, for the others.
//! * Operands of a Mosaic kernel are copied right before it, where the chip's compiler does so.
//! * A value that kernels make and kernels read stays in VMEM while it lives, if it fits beside what is there; those come first that
//!   save the most traffic for the time they take room (XLA's memory space assignment).
//! * What does not, or is needed in HBM, too, stays for the kernels that read it next, and is copied out beside them ([`evict`]).
//! * What a kernel reads from HBM is fetched beside the kernels before it, if it fits for so long and they leave HBM idle for long enough.
//!   One argument may be fetched across programs: while the program before ends.
//!
//! A kernel keeps `vmem.scoped_bytes` for its windows; values may have the rest, but for `vmem.reserved_bytes`.

mod carried;
mod evict;
mod fetch;
mod mosaic;
mod scalars;
mod values;

pub(super) use fetch::flag;

use super::Cx;
use super::graph::{self, laid, updated};
use crate::time::costs::{self, is_kernel};
use sim_core::Result;
use sim_core::hlo::{ArrayShape, HloModule, Instruction, InstructionId, Layout, Opcode, Shape};
use std::sync::Arc;

/// Memory space of VMEM in layouts.
const VMEM: i64 = 1;
/// Of semaphores.
const FLAGS: i64 = 2;
/// Of scalars that the scalar core makes.
const SCALARS: i64 = 6;

/// Bytes of VMEM that are taken at each instruction.
struct Room {
    taken: Vec<u64>,
    all: u64,
}

impl Room {
    /// Is there room from one instruction to another, both included?
    fn has(&self, bytes: u64, from: usize, until: usize) -> bool {
        bytes <= self.all && self.taken[from..=until].iter().all(|&t| t.saturating_add(bytes) <= self.all)
    }

    fn take(&mut self, bytes: u64, from: usize, until: usize) {
        self.taken[from..=until].iter_mut().for_each(|t| *t = t.saturating_add(bytes));
    }
}

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let vmem = &cx.chip.units().vmem;
    let all = vmem.bytes.saturating_sub(vmem.scoped_bytes).saturating_sub(vmem.reserved_bytes);
    if all == 0 {
        return Ok(());
    }
    let results = Results { megacore: cx.chip.units().megacore() };
    scalars::place(&mut cx.module);
    if !results.megacore {
        carried::place(&mut cx.module, &mut cx.names, all);
    }
    let computations = cx.module.reached();
    let mut rooms: Vec<(Room, Vec<fetch::Fetch>)> = Vec::new();
    let mut evicted = Vec::new();
    for &id in &computations {
        let n = cx.module.computation(id).instructions.len();
        let mut room = Room { taken: vec![0; n.max(1)], all };
        carried::taken(cx.module.computation(id), &mut room);
        let mut shared = fetch::shared(cx, id, id == cx.module.entry, &mut room);
        shared.extend(mosaic::fetches(&cx.module, id, vmem.mosaic_operand_bytes, &mut room));
        evicted.push(values::place(&mut cx.module, id, &mut room, results));
        rooms.push((room, shared));
    }
    // How long kernels take decides what can be fetched beside them: with values where they lie now, and windows.
    let mut cut = cx.module.clone();
    super::windows::choose_knowing(&mut cut, cx.chip, &mut cx.known)?;
    let costs = costs::of(&cut, cx.chip)?;
    drop(cut);
    for ((&id, (mut room, shared)), evicted) in computations.iter().zip(rooms).zip(evicted) {
        fetch::place(cx, id, &costs[id.0 as usize], &mut room, shared);
        evict::write(cx, id, &evicted);
    }
    Ok(())
}

/// The array, in that memory.
fn in_memory(array: &ArrayShape, space: i64) -> Arc<Shape> {
    let layout = array.layout.as_deref().cloned().unwrap_or_else(|| Layout::row_major(array.rank()));
    laid(array, Layout { memory_space: space, ..layout })
}

/// A kernel that leaves that operand as it is, wherever it lies: of a scatter or an update, what comes and where.
fn reads(module: &HloModule, i: &Instruction, operand: InstructionId) -> bool {
    let is_changed = |k: usize| i.operands.get(k) == Some(&operand);
    is_kernel(i) && i.opcode != Opcode::CustomCall && !updated(module, i).into_iter().any(is_changed)
}

/// Where kernels may leave their results in VMEM.
#[derive(Clone, Copy)]
struct Results {
    /// Two TensorCores split every kernel, and each has a VMEM. What vector units make is made in both; products, rows by indices and
    /// operations alone leave their results in HBM (libtpu 0.0.52 for v5p: 242 of 242 kernels of the former two kinds).
    megacore: bool,
}

/// A kernel one of whose results, by number if it has several, may lie in VMEM: new memory, not an operand's.
fn makes(results: Results, module: &HloModule, i: &Instruction, element: Option<usize>) -> bool {
    let called = i.called().next().filter(|_| i.opcode == Opcode::Fusion);
    let split = |i: &Instruction| {
        matches!(i.opcode, Opcode::Dot | Opcode::Convolution | Opcode::Gather | Opcode::Scatter)
    };
    if results.megacore && called.is_none_or(|c| module.computation(c).instructions.iter().any(split)) {
        return false;
    }
    match called.map(|c| module.computation(c)) {
        None => only_reads(module, i),
        Some(callee) => {
            // What is changed in place is an operand, unless the kernel fills it itself.
            let is_new = |m: &Instruction| match (m.opcode, m.operands.first()) {
                (Opcode::DynamicUpdateSlice | Opcode::Scatter, Some(&o)) => {
                    callee.instruction(graph::source(callee, o)).opcode != Opcode::Parameter
                }
                _ => true,
            };
            graph::leaving(callee).nth(element.unwrap_or(0)).is_some_and(is_new)
        }
    }
}

/// The operand, by number, in which a kernel scatters.
fn scattered(module: &HloModule, i: &Instruction) -> Option<usize> {
    let root = module.computation(i.called().next().filter(|_| i.opcode == Opcode::Fusion)?).root();
    updated(module, i).first().copied().filter(|_| root.opcode == Opcode::Scatter)
}

/// A kernel that takes rows by indices, or changes them.
fn is_indexed(module: &HloModule, i: &Instruction) -> bool {
    let inside = |c| module.computation(c).instructions.iter();
    i.opcode == Opcode::Fusion
        && i.called().flat_map(inside).any(|i| matches!(i.opcode, Opcode::Gather | Opcode::Scatter))
}

/// A kernel that leaves its operands as they are, wherever they lie. (What a custom call does is its own.)
fn only_reads(module: &HloModule, i: &Instruction) -> bool {
    is_kernel(i) && i.opcode != Opcode::CustomCall && updated(module, i).is_empty()
}
