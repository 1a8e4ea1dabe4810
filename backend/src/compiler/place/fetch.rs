//! Copies into VMEM beside the kernels before the one that reads.

use super::{FLAGS, Room, VMEM, in_memory, is_indexed, only_reads, scattered};
use crate::compiler::Cx;
use crate::compiler::graph::{self, set, users};
use crate::time::arrays::{self, Memory};
use crate::time::{Kernel, costs};
use sim_core::ElementType;
use sim_core::engine::Duration;
use sim_core::hlo::{
    ArrayShape, Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Layout, Opcode,
    Shape, Value,
};
use std::sync::Arc;

/// A copy into VMEM.
pub(super) struct Fetch {
    what: InstructionId,
    /// It starts before this instruction.
    start: usize,
    /// Those that read the copy, the first of which waits for it.
    readers: Vec<usize>,
    across: bool,
}

pub(super) fn place(
    cx: &mut Cx<'_>,
    id: ComputationId,
    costs: &[Option<Kernel>],
    room: &mut Room,
    first: Option<Fetch>,
) {
    let fetches = chosen(cx, id, costs, room, first);
    if !fetches.is_empty() {
        write(cx, id, &fetches);
    }
}

fn chosen(
    cx: &Cx<'_>,
    id: ComputationId,
    costs: &[Option<Kernel>],
    room: &mut Room,
    first: Option<Fetch>,
) -> Vec<Fetch> {
    let module = &cx.module;
    let computation = module.computation(id);
    let n = computation.instructions.len();
    let rate = costs::copy_rate(cx.chip);
    let needs = |bytes: u64| {
        Duration::from_seconds(bytes as f64 / rate) + Duration::from_us(cx.chip.units().dma.read_latency_us)
    };
    // While HBM is idle beside each kernel.
    let mut idle: Vec<Duration> = costs
        .iter()
        .map(|k| {
            k.as_ref()
                .map_or(Duration::ZERO, |k| Duration::from_ps(k.time.ps() - k.moving.ps().min(k.time.ps())))
        })
        .collect();
    idle.resize(n, Duration::ZERO);
    let mut fetches: Vec<Fetch> = first.into_iter().collect();
    for k in 0..n {
        if !reads(module, computation, k)
            || costs.get(k).and_then(Option::as_ref).is_none_or(|c| c.moving == Duration::ZERO)
        {
            continue;
        }
        let mut operands: Vec<(u64, InstructionId)> = computation.instructions[k]
            .operands
            .iter()
            .filter(|&&o| {
                !fetches.iter().any(|f| f.what == o && f.readers.contains(&k))
                    && whole(module, computation, k, o)
            })
            .filter_map(|&o| Some((in_hbm(computation, o)?, o)))
            .collect();
        operands.sort_unstable_by_key(|&(b, o)| (std::cmp::Reverse(b), o));
        operands.dedup();
        for (bytes, what) in operands {
            let there = made_at(computation, what);
            let (mut waits, mut start) = (needs(bytes), k);
            let mut used: Vec<(usize, Duration)> = Vec::new();
            while waits > Duration::ZERO && start > there + 1 && room.has(bytes, start - 1, start) {
                start -= 1;
                if computation.instructions[start].hands_over() {
                    break;
                }
                let part = Duration::from_ps(idle[start].ps().min(waits.ps()));
                waits = Duration::from_ps(waits.ps() - part.ps());
                used.push((start, part));
            }
            if waits > Duration::ZERO || start == k {
                continue;
            }
            for (at, part) in used {
                idle[at] = Duration::from_ps(idle[at].ps() - part.ps());
            }
            room.take(bytes, start, k);
            fetches.push(Fetch { what, start, readers: vec![k], across: false });
        }
    }
    fetches
}

/// Bytes of an array that lies in HBM.
fn in_hbm(computation: &Computation, i: InstructionId) -> Option<u64> {
    let array = computation.instruction(i).shape.as_array()?;
    let fits = arrays::memory(array) == Memory::Hbm && !array.dims.is_empty();
    fits.then(|| arrays::bytes(array)).filter(|&b| b > 0)
}

/// A kernel that reads something.
fn reads(module: &HloModule, computation: &Computation, k: usize) -> bool {
    let i = &computation.instructions[k];
    (only_reads(module, i) || scattered(module, i).is_some())
        && !matches!(i.opcode, Opcode::Gather | Opcode::Scatter)
}

/// Whole arrays only: of a part, little would be read otherwise.
fn whole(module: &HloModule, computation: &Computation, k: usize, o: InstructionId) -> bool {
    costs::reads_whole(module, computation, k, o) && super::reads(module, &computation.instructions[k], o)
}

/// What is fetched while the program before ends: an operand of the first product, or of the first kernel that takes rows by indices (no
/// others, in XLA:TPU's dumps). Of which kind the kernel has to be is up to the caller.
pub(super) fn across(module: &HloModule, id: ComputationId, room: &mut Room, indexed: bool) -> Option<Fetch> {
    let computation = module.computation(id);
    let is_product = |i: &Instruction| {
        let word = matches!(i.attr(&Key::Kind), Some(Value::Word(kind)) if &**kind == "kOutput");
        word || matches!(i.opcode, Opcode::Dot | Opcode::Convolution)
    };
    let all = (0..computation.instructions.len()).filter(|&k| reads(module, computation, k));
    let (k, bytes, what) = all
        .filter(|&k| {
            let i = &computation.instructions[k];
            is_product(i) || is_indexed(module, i)
        })
        .find_map(|k| {
            let i = &computation.instructions[k];
            let parameters = i.operands.iter().copied().filter(|&o| {
                computation.instruction(o).opcode == Opcode::Parameter
                    && (whole(module, computation, k, o)
                        || is_indexed(module, i) && super::reads(module, i, o))
            });
            let fits = parameters
                .filter_map(|o| Some((in_hbm(computation, o)?, o)))
                .filter(|&(b, _)| room.has(b, 0, k));
            fits.max_by_key(|&(b, o)| (b, std::cmp::Reverse(o))).map(|(b, o)| (k, b, o))
        })?;
    if is_indexed(module, &computation.instructions[k]) != indexed {
        return None;
    }
    let reader = |k: &usize| {
        reads(module, computation, *k) && super::reads(module, &computation.instructions[*k], what)
    };
    let mut readers: Vec<usize> =
        users(computation)[what.0 as usize].iter().map(|u| u.0 as usize).filter(reader).collect();
    readers.sort_unstable();
    while readers.last().is_some_and(|&k| !room.has(bytes, 0, k)) {
        readers.pop();
    }
    room.take(bytes, 0, *readers.last()?);
    Some(Fetch { what, start: 0, readers, across: true })
}

/// The instruction that makes the value, looked through bitcasts and elements.
fn made_at(computation: &Computation, mut id: InstructionId) -> usize {
    loop {
        let i = computation.instruction(id);
        match (i.opcode, i.operands.first()) {
            (Opcode::Bitcast | Opcode::GetTupleElement, Some(&o)) => id = o,
            (Opcode::Parameter | Opcode::Constant, _) => return 0,
            _ => return id.0 as usize,
        }
    }
}

fn write(cx: &mut Cx<'_>, id: ComputationId, fetches: &[Fetch]) {
    let mut computation = cx.module.computation(id).clone();
    let n = computation.instructions.len();
    let old = std::mem::take(&mut computation.instructions);
    let mut place: Vec<InstructionId> = vec![InstructionId(u32::MAX); n];
    let mut copies: Vec<Option<InstructionId>> = vec![None; fetches.len()];
    let mut done: Vec<Option<InstructionId>> = vec![None; fetches.len()];
    // What starts before what it copies is there (arguments come anywhere) starts behind it.
    let start = |f: &Fetch| f.start.max(f.what.0 as usize + 1);
    for (i, instruction) in old.iter().enumerate() {
        for (k, f) in fetches.iter().enumerate().filter(|(_, f)| start(f) == i) {
            let source = &old[f.what.0 as usize];
            let Some(array) = source.shape.as_array() else { continue };
            let shape = Arc::new(Shape::Tuple(vec![in_memory(array, VMEM), source.shape.clone(), flag()]));
            let name = cx.names.fresh("copy-start");
            let mut copy =
                graph::instruction(name, Opcode::CopyStart, shape, &[place[f.what.0 as usize]], source);
            if f.across {
                set(&mut copy, Key::CrossProgramPrefetchIndex, Value::Int(0));
            }
            copies[k] = Some(graph::push(&mut computation, copy));
        }
        let mut new: Instruction = instruction.clone();
        new.before_mut().for_each(|o| *o = place[o.0 as usize]);
        for (k, f) in fetches.iter().enumerate().filter(|(_, f)| f.readers.contains(&i)) {
            let (Some(copy), Some(array)) = (copies[k], old[f.what.0 as usize].shape.as_array()) else {
                continue;
            };
            let there = *done[k].get_or_insert_with(|| {
                let name = cx.names.fresh("copy-done");
                let like = &old[f.what.0 as usize];
                let made = graph::instruction(name, Opcode::CopyDone, in_memory(array, VMEM), &[copy], like);
                graph::push(&mut computation, made)
            });
            for (o, was) in new.operands.iter_mut().zip(&instruction.operands) {
                if *was == f.what {
                    *o = there;
                }
            }
        }
        place[i] = graph::push(&mut computation, new);
    }
    computation.root = place[computation.root.0 as usize];
    cx.module.computations[id.0 as usize] = computation;
}

/// `u32[]{:S(2)}`, what a copy signals its end with.
fn flag() -> Arc<Shape> {
    let layout = Layout { memory_space: FLAGS, ..Layout::default() };
    Arc::new(Shape::Array(ArrayShape {
        layout: Some(layout.into()),
        ..ArrayShape::new(ElementType::U32, [])
    }))
}
