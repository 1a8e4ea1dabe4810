//! Copies into VMEM beside the kernels before the one that reads.

use super::{FLAGS, Room, VMEM, in_memory, is_indexed, only_reads, scattered};
use crate::compiler::Cx;
use crate::compiler::graph::{self, set, users};
use crate::time::Kernel;
use crate::time::arrays::{self, Memory};
use crate::time::costs::{self, is_kernel};
use rustc_hash::FxHashSet;
use sim_core::ElementType;
use sim_core::chip::Chip;
use sim_core::engine::Duration;
use sim_core::hlo::{
    ArrayShape, Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Layout, Opcode,
    Shape, Value,
};
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::sync::Arc;

/// A copy into VMEM.
pub(super) struct Fetch {
    pub what: InstructionId,
    /// It starts before this instruction.
    pub start: usize,
    /// Those that read the copy, the first of which waits for it.
    pub readers: Vec<usize>,
    /// It starts while the program before this one ends.
    pub across: bool,
    /// It is waited for before anything else starts.
    pub at_once: bool,
}

/// Numbers of fetches.
type Numbers = SmallVec<[usize; 1]>;

pub(super) fn place(
    cx: &mut Cx<'_>,
    id: ComputationId,
    costs: &[Option<Kernel>],
    room: &mut Room,
    shared: Vec<Fetch>,
) {
    let fetches = chosen(cx, id, costs, room, shared);
    if !fetches.is_empty() {
        write(cx, id, &fetches);
    }
}

/// What of a computation may be fetched.
pub(super) struct Site<'a> {
    module: &'a HloModule,
    pub computation: &'a Computation,
    users: Vec<SmallVec<[InstructionId; 4]>>,
    /// What each instruction reads a part of, once somebody asked.
    in_part: Vec<OnceCell<FxHashSet<InstructionId>>>,
}

impl<'a> Site<'a> {
    pub fn new(module: &'a HloModule, id: ComputationId) -> Site<'a> {
        let computation = module.computation(id);
        let in_part = vec![OnceCell::new(); computation.instructions.len()];
        Site { module, computation, users: users(computation), in_part }
    }

    /// Bytes of an array in HBM.
    pub fn in_hbm(&self, i: InstructionId) -> Option<u64> {
        let array = self.computation.instruction(i).shape.as_array()?;
        let fits = arrays::memory(array) == Memory::Hbm && !array.dims.is_empty();
        fits.then(|| arrays::bytes(array)).filter(|&b| b > 0)
    }

    fn reads(&self, k: usize) -> bool {
        let i = &self.computation.instructions[k];
        (only_reads(self.module, i) || scattered(self.module, i).is_some())
            && !matches!(i.opcode, Opcode::Gather | Opcode::Scatter)
    }

    /// Whole arrays only: of a part, little would be read otherwise.
    fn whole(&self, k: usize, o: InstructionId) -> bool {
        let in_part = || costs::read_in_part(self.module, self.computation, k);
        !self.in_part[k].get_or_init(in_part).contains(&o)
            && super::reads(self.module, &self.computation.instructions[k], o)
    }

    /// The kernels that read all of a value, in order.
    fn readers(&self, of: InstructionId) -> Vec<usize> {
        let mut readers: Vec<usize> =
            self.users[of.0 as usize].iter().map(|u| u.0 as usize).filter(|&k| self.reads(k)).collect();
        readers.sort_unstable();
        readers
    }
}

/// How long a copy takes that has HBM for itself.
fn needs(chip: &Chip, bytes: u64) -> Duration {
    let rate = costs::copy_rate(chip);
    Duration::from_seconds(bytes as f64 / rate) + Duration::from_us(chip.units().dma.read_latency_us)
}

/// Arguments that lie in VMEM for most of a program: one that is fetched across programs, and those that several kernels read, which are
/// copied beside the first of them for the others. They come before values: they live longest, and what saves the most comes first.
pub(super) fn shared(cx: &Cx<'_>, id: ComputationId, is_entry: bool, room: &mut Room) -> Vec<Fetch> {
    let site = Site::new(&cx.module, id);
    let mut fetches: Vec<Fetch> = Vec::new();
    if is_entry {
        fetches.extend(across(&site, room));
    }
    let n = site.computation.instructions.len();
    let arguments = (0..n as u32).map(InstructionId).filter(|&i| {
        site.computation.instruction(i).opcode == Opcode::Parameter && !fetches.iter().any(|f| f.what == i)
    });
    let mut wanted: Vec<(u64, InstructionId, Vec<usize>)> = arguments
        .filter_map(|i| {
            let bytes = site.in_hbm(i)?;
            let readers: Vec<usize> = site.readers(i).into_iter().filter(|&k| site.whole(k, i)).collect();
            (readers.len() > 1).then_some((bytes, i, readers))
        })
        .collect();
    wanted.sort_by_key(|&(bytes, i, _)| (std::cmp::Reverse(bytes), i));
    // A kernel takes no less than what it moves takes.
    let rate = costs::copy_rate(cx.chip);
    let least = |k: usize| {
        let i = &site.computation.instructions[k];
        let own = arrays::arrays(&i.shape);
        let moved = i.operands.iter().flat_map(|&o| arrays::arrays(&site.computation.instruction(o).shape));
        let hbm = own.into_iter().chain(moved).filter(|a| arrays::memory(a) == Memory::Hbm);
        let bytes: u64 = hbm.map(arrays::bytes).fold(0, u64::saturating_add);
        match is_kernel(i) {
            true => Duration::from_seconds(bytes as f64 / rate),
            false => Duration::ZERO,
        }
    };
    for (bytes, what, readers) in wanted {
        let (first, second) = (readers[0], readers[1]);
        // As late as it can start.
        let (mut start, mut waits) = (second, needs(cx.chip, bytes));
        while start > first && waits > Duration::ZERO {
            start -= 1;
            waits = waits.saturating_sub(least(start));
        }
        let mut readers = readers[1..].to_vec();
        while readers.last().is_some_and(|&k| !room.has(bytes, start, k)) {
            readers.pop();
        }
        let crosses = |k: usize| site.computation.instructions[k].hands_over();
        if let Some(&last) = readers.last()
            && !(start..last).any(crosses)
        {
            room.take(bytes, start, last);
            fetches.push(Fetch { what, start, readers, across: false, at_once: false });
        }
    }
    fetches
}

/// The argument that is fetched across programs: of the first product, or what is taken by indices first, in XLA:TPU's dumps.
fn across(site: &Site<'_>, room: &mut Room) -> Option<Fetch> {
    let multiplies = |k: usize| {
        let i = &site.computation.instructions[k];
        let word = matches!(i.attr(&Key::Kind), Some(Value::Word(kind)) if &**kind == "kOutput");
        word || matches!(i.opcode, Opcode::Dot | Opcode::Convolution) || is_indexed(site.module, i)
    };
    let whole = |k: usize, o: InstructionId| {
        let i = &site.computation.instructions[k];
        site.whole(k, o) || (is_indexed(site.module, i) && super::reads(site.module, i, o))
    };
    let kernels = (0..site.computation.instructions.len()).filter(|&k| site.reads(k) && multiplies(k));
    let (bytes, what) = kernels.into_iter().find_map(|k| {
        let parameters = site.computation.instructions[k].operands.iter().copied();
        parameters
            .filter(|&o| site.computation.instruction(o).opcode == Opcode::Parameter && whole(k, o))
            .filter_map(|o| Some((site.in_hbm(o)?, o)))
            .filter(|&(b, _)| room.has(b, 0, k))
            .max_by_key(|&(b, o)| (b, std::cmp::Reverse(o)))
    })?;
    let mut readers = site.readers(what);
    while readers.last().is_some_and(|&k| !room.has(bytes, 0, k)) {
        readers.pop();
    }
    let &last = readers.last()?;
    room.take(bytes, 0, last);
    Some(Fetch { what, start: 0, readers, across: true, at_once: false })
}

fn chosen(
    cx: &Cx<'_>,
    id: ComputationId,
    costs: &[Option<Kernel>],
    room: &mut Room,
    mut fetches: Vec<Fetch>,
) -> Vec<Fetch> {
    let site = Site::new(&cx.module, id);
    let computation = site.computation;
    let n = computation.instructions.len();
    // While HBM is idle beside each kernel.
    let mut idle: Vec<Duration> = costs
        .iter()
        .map(|k| {
            k.as_ref()
                .map_or(Duration::ZERO, |k| Duration::from_ps(k.time.ps() - k.moving.ps().min(k.time.ps())))
        })
        .collect();
    idle.resize(n, Duration::ZERO);
    let given: FxHashSet<(InstructionId, usize)> =
        fetches.iter().flat_map(|f| f.readers.iter().map(|&r| (f.what, r))).collect();
    for k in 0..n {
        if !site.reads(k) || costs.get(k).and_then(Option::as_ref).is_none_or(|c| c.moving == Duration::ZERO)
        {
            continue;
        }
        let mut operands: Vec<(u64, InstructionId)> = computation.instructions[k]
            .operands
            .iter()
            .filter(|&&o| !given.contains(&(o, k)) && site.whole(k, o))
            .filter_map(|&o| Some((site.in_hbm(o)?, o)))
            .collect();
        operands.sort_unstable_by_key(|&(b, o)| (std::cmp::Reverse(b), o));
        operands.dedup();
        for (bytes, what) in operands {
            let there = made_at(computation, what);
            let (mut waits, mut start) = (needs(cx.chip, bytes), k);
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
            fetches.push(Fetch { what, start, readers: vec![k], across: false, at_once: false });
        }
    }
    fetches
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
    // By instruction, those that start before it and those that it reads.
    let (mut starts, mut reads) = (vec![Numbers::new(); n], vec![Numbers::new(); n]);
    for (k, f) in fetches.iter().enumerate() {
        // What starts before what it copies is there (arguments come anywhere) starts behind it.
        starts[f.start.max(f.what.0 as usize + 1)].push(k);
        f.readers.iter().for_each(|&r| reads[r].push(k));
    }
    for (i, instruction) in old.iter().enumerate() {
        for &k in &starts[i] {
            let f = &fetches[k];
            let source = &old[f.what.0 as usize];
            let Some(array) = source.shape.as_array() else { continue };
            let shape = Arc::new(Shape::Tuple(vec![in_memory(array, VMEM), source.shape.clone(), flag()]));
            let name = cx.names.fresh("copy-start");
            let mut copy =
                graph::instruction(name, Opcode::CopyStart, shape, &[place[f.what.0 as usize]], source);
            if f.across {
                set(&mut copy, Key::CrossProgramPrefetchIndex, Value::Int(0));
            }
            let copy = graph::push(&mut computation, copy);
            copies[k] = Some(copy);
            if f.at_once {
                done[k] = Some(ended(cx, &mut computation, copy, source));
            }
        }
        let mut new: Instruction = instruction.clone();
        new.before_mut().for_each(|o| *o = place[o.0 as usize]);
        for &k in &reads[i] {
            let f = &fetches[k];
            let Some(copy) = copies[k] else { continue };
            let like = &old[f.what.0 as usize];
            let there = *done[k].get_or_insert_with(|| ended(cx, &mut computation, copy, like));
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

/// The end of a copy into VMEM of what `like` makes.
fn ended(
    cx: &mut Cx<'_>,
    computation: &mut Computation,
    copy: InstructionId,
    like: &Instruction,
) -> InstructionId {
    let shape = like.shape.as_array().map_or_else(|| like.shape.clone(), |a| in_memory(a, VMEM));
    let done = graph::instruction(cx.names.fresh("copy-done"), Opcode::CopyDone, shape, &[copy], like);
    graph::push(computation, done)
}

/// `u32[]{:S(2)}`, what a copy signals its end with.
pub(in crate::compiler) fn flag() -> Arc<Shape> {
    let layout = Layout { memory_space: FLAGS, ..Layout::default() };
    Arc::new(Shape::Array(ArrayShape {
        layout: Some(layout.into()),
        ..ArrayShape::new(ElementType::U32, [])
    }))
}
