//! An optimized, scheduled module as what a device does, one after the other.
//!
//! Each computation that control flow reaches becomes a [`Sequence`], once, however often it is called. What takes no time (tuples,
//! bitcasts, constants) is gone; what takes some is an [`Item`], with its name, its place in the source and its cost.

use super::arrays::{self, Memory, arrays};
use super::contents::{Catalogue, on_sparsecore};
use super::costs;
use super::kernel::{self, Bound, Kernel, Unit};
use super::liveness;
use super::machine::Machine;
use super::touched::Touched;
use super::trips;
use rustc_hash::FxHashMap;
use sim_core::engine::Duration;
use sim_core::hlo::{
    Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode, Shape, Value,
};
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

/// Place of an item in [`Program::items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(pub u32);

/// Place of a sequence in [`Program::sequences`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SequenceId(pub u32);

/// Something that takes time.
#[derive(Clone, Debug)]
pub struct Item {
    /// Of the instruction, without `%`.
    pub name: Arc<str>,
    /// Of the instruction, as written: `copy-start`.
    pub opcode: std::borrow::Cow<'static, str>,
    pub place: Place,
    /// A prefetch that the run before starts (`cross_program_prefetch_index`).
    pub across_programs: bool,
    /// Such a one that this program fetches again at its end, for the next run, as others took its place in VMEM.
    pub refilled: bool,
    /// Bytes of HBM that values of its computation hold meanwhile, parameters aside.
    pub held: u64,
    /// What it costs alone. Of a loop, branch or call: nothing.
    pub kernel: Kernel,
}

/// Where an instruction comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `jit(f)/dot_general`
    pub operation: Option<Arc<str>>,
    pub file: Option<Arc<str>>,
    pub line: i64,
}

impl Place {
    /// What the module says of `instruction`.
    pub fn of(module: &HloModule, instruction: &Instruction) -> Place {
        let Some(metadata) = &instruction.metadata else { return Place::default() };
        let tables = &module.tables;
        let mut place = Place {
            operation: metadata.op_name.clone(),
            file: metadata.source_file.clone(),
            line: metadata.source_line,
        };
        let get = |id: i64| usize::try_from(id - 1).ok();
        if place.file.is_none()
            && let Some(frame) = get(metadata.stack_frame_id).and_then(|i| tables.frames.get(i))
            && let Some(location) = get(frame.file_location_id).and_then(|i| tables.locations.get(i))
        {
            place.file = get(location.file_name_id).and_then(|i| tables.file_names.get(i)).cloned();
            place.line = location.line;
        }
        place
    }
}

/// One step of a sequence.
#[derive(Clone, Debug)]
pub enum Step {
    /// The TensorCore does nothing else meanwhile.
    Kernel(ItemId),
    /// Goes on while the TensorCore does what follows, until its `Done`.
    Start(ItemId, Means),
    Done(ItemId),
    Loop {
        item: ItemId,
        condition: SequenceId,
        body: SequenceId,
    },
    /// One of several.
    Branch {
        item: ItemId,
        branches: Vec<SequenceId>,
    },
    Call {
        item: ItemId,
        callee: SequenceId,
    },
}

/// What an asynchronous operation runs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Means {
    /// A transfer from or to HBM, of so many bytes.
    Hbm { bytes: f64 },
    /// Another unit, which it has for the time of its kernel.
    Unit(Unit),
}

#[derive(Clone, Debug, Default)]
pub struct Sequence {
    pub steps: Vec<Step>,
}

/// How often a loop runs, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TripsFrom {
    /// The program's text says it.
    Text,
    /// The values of this run.
    Values,
    /// The user.
    Told,
}

#[derive(Debug)]
pub struct Program {
    pub items: Vec<Item>,
    pub sequences: Vec<Sequence>,
    pub entry: SequenceId,
    /// Trips of loops that the text tells.
    pub counted: FxHashMap<ItemId, u64>,
    /// Instructions of the module.
    pub instructions: usize,
    /// Bytes of the arguments and results in HBM.
    pub arguments: u64,
    pub results: u64,
}

impl Program {
    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id.0 as usize]
    }

    pub fn sequence(&self, id: SequenceId) -> &Sequence {
        &self.sequences[id.0 as usize]
    }

    /// # Errors
    /// Kind `Unsupported`: the module is not scheduled, or for another machine, so that it is not what a TPU runs; control flow nests too
    /// deep. Kind `Malformed`: a `backend_config` that is not what it should be.
    pub fn new(module: &HloModule, machine: Machine<'_>) -> Result<Program> {
        if !module.is_scheduled() {
            return Err(not_scheduled(module, "it is not what XLA:TPU would run, and has no time"));
        }
        if let Some(untiled) = untiled(module) {
            return Err(Diagnostic::unsupported(format!(
                "HLO module {} is scheduled, but for another machine than a TPU: none of its arrays has tiles, such as %{}",
                module.name, untiled.name
            ))
            .at(untiled.span)
            .help(
                "time a dump of XLA:TPU, whose layouts have tiles (`{1,0:T(8,128)}`), or the program from before it was optimized, which \
                 is compiled here",
            ));
        }
        let program = Program {
            items: Vec::new(),
            sequences: Vec::new(),
            entry: SequenceId(0),
            counted: FxHashMap::default(),
            instructions: module.computations.iter().map(|c| c.instructions.len()).sum(),
            arguments: 0,
            results: 0,
        };
        let mut lowering = Lowering {
            module,
            machine,
            catalogue: Catalogue::new(module, machine.units),
            program,
            known: FxHashMap::default(),
            depth: 0,
            held: 0,
        };
        lowering.program.entry = lowering.sequence(module.entry)?;
        let mut program = lowering.program;
        let entry = module.entry();
        let hbm = |shape: &Shape| {
            let in_hbm =
                arrays(shape).into_iter().filter(|a| arrays::memory(a) == Memory::Hbm).map(arrays::bytes);
            in_hbm.fold(0u64, u64::saturating_add)
        };
        for id in entry.parameters().into_iter().flatten() {
            program.arguments = program.arguments.saturating_add(hbm(&entry.instruction(id).shape));
        }
        program.results = hbm(&entry.root().shape);
        Ok(program)
    }
}

/// An array of a program that has arrays, but none in tiles: XLA:TPU gives tiles to all of them, CPUs and GPUs have none.
fn untiled(module: &HloModule) -> Option<&Instruction> {
    let mut found = None;
    for instruction in module.computations.iter().flat_map(|c| &c.instructions) {
        for array in arrays(&instruction.shape) {
            if array.layout.as_ref().is_some_and(|l| !l.tiles.is_empty()) {
                return None;
            }
            // Nothing has no tiles.
            if array.rank() > 0 && super::arrays::elements(array) > 0.0 {
                found.get_or_insert(instruction);
            }
        }
    }
    found
}

/// Computations around a collective that a SparseCore drives.
const DEEPEST_OFFLOADED: u32 = 8;

/// Loops, branches and calls within each other.
pub(crate) const DEEPEST: u32 = 1000;

pub(crate) fn too_deep(computation: &Computation) -> Diagnostic {
    let name = &computation.name;
    Diagnostic::unsupported(format!(
        "computation {name} lies in more than {DEEPEST} loops, branches and calls"
    ))
    .at(computation.span)
    .help("flatten the program, or make iterations of one loop of nested ones")
}

/// The order of its instructions is no order of execution, `so` something cannot be said.
pub(crate) fn not_scheduled(module: &HloModule, so: &str) -> Diagnostic {
    Diagnostic::unsupported(format!("HLO module {} is not scheduled: {so}", module.name)).help(
        "compile it first (`backend::compiler`; the command does), or take the optimized module: `jax.jit(f).lower(…).compile().as_text()` on a \
         TPU (or ahead of time, with libtpu), or `*after_optimizations*.txt` of --xla_dump_to",
    )
}

/// Is the array of a cross-program prefetch fetched once more, for nobody in this program?
fn is_refilled(computation: &Computation, prefetch: InstructionId) -> bool {
    let of = |i: &Instruction| i.operands.first().map(|&o| looked_through(computation, o));
    let wanted = of(computation.instruction(prefetch));
    let is_used = |id: InstructionId| computation.instructions.iter().any(|i| i.operands.contains(&id));
    let all = || (0..computation.instructions.len() as u32).map(InstructionId);
    all().filter(|&id| id != prefetch).any(|id| {
        let start = computation.instruction(id);
        let mut ends = all().filter(|&d| computation.instruction(d).operands.first() == Some(&id));
        start.opcode == Opcode::CopyStart
            && of(start) == wanted
            && ends.all(|d| {
                computation.instruction(d).opcode == Opcode::CopyDone && !is_used(d) && d != computation.root
            })
    })
}

/// What is seen otherwise.
fn looked_through(computation: &Computation, mut id: InstructionId) -> InstructionId {
    while let (Opcode::Bitcast, Some(&o)) =
        (computation.instruction(id).opcode, computation.instruction(id).operands.first())
    {
        id = o;
    }
    id
}

struct Lowering<'a> {
    module: &'a HloModule,
    machine: Machine<'a>,
    catalogue: Catalogue<'a>,
    program: Program,
    known: FxHashMap<ComputationId, SequenceId>,
    depth: u32,
    /// Of the instruction that is looked at.
    held: u64,
}

impl<'a> Lowering<'a> {
    fn sequence(&mut self, id: ComputationId) -> Result<SequenceId> {
        if let Some(&known) = self.known.get(&id) {
            return Ok(known);
        }
        let computation = self.module.computation(id);
        if self.depth == DEEPEST {
            return Err(too_deep(computation));
        }
        self.depth += 1;
        let mut steps = Vec::new();
        // Which start a `done` ends.
        let mut started: FxHashMap<InstructionId, Started> = FxHashMap::default();
        let chains = Chain::all(computation);
        let held = {
            let catalogue = &mut self.catalogue;
            let in_place: Vec<bool> =
                computation.instructions.iter().map(|i| updates_a_part(i, catalogue)).collect();
            liveness::held(computation, &in_place)
        };
        for (i, instruction) in computation.instructions.iter().enumerate() {
            self.held = held[i];
            self.step(computation, InstructionId(i as u32), instruction, &chains, &mut started, &mut steps)?;
        }
        self.depth -= 1;
        let place = SequenceId(self.program.sequences.len() as u32);
        self.program.sequences.push(Sequence { steps });
        self.known.insert(id, place);
        Ok(place)
    }

    fn item(&mut self, instruction: &Instruction, kernel: Kernel) -> ItemId {
        let id = ItemId(self.program.items.len() as u32);
        self.program.items.push(Item {
            name: instruction.name.clone(),
            opcode: instruction.written_name(),
            place: Place::of(self.module, instruction),
            across_programs: instruction.attr(&Key::CrossProgramPrefetchIndex).is_some(),
            refilled: false,
            held: self.held,
            kernel,
        });
        id
    }

    fn step(
        &mut self,
        computation: &'a Computation,
        id: InstructionId,
        instruction: &'a Instruction,
        chains: &FxHashMap<InstructionId, Chain>,
        started: &mut FxHashMap<InstructionId, Started>,
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        use Opcode as O;
        let nothing = || Kernel::nothing();
        match instruction.opcode {
            O::While => {
                let called = |key: Key| match instruction.attr(&key) {
                    Some(Value::Computation(id)) => Ok(*id),
                    _ => Err(Diagnostic::malformed(format!("%{} has no {}", instruction.name, key.name()))
                        .at(instruction.span)),
                };
                let (condition, body) = (called(Key::Condition)?, called(Key::Body)?);
                let item = self.item(instruction, nothing());
                if let Some(trips) = trips::of(self.module, computation, instruction) {
                    self.program.counted.insert(item, trips);
                }
                let (condition, body) = (self.sequence(condition)?, self.sequence(body)?);
                steps.push(Step::Loop { item, condition, body });
            }
            O::Conditional => {
                called_one(instruction)?;
                let item = self.item(instruction, nothing());
                let called: Vec<_> = instruction.called().collect();
                let branches = called.into_iter().map(|c| self.sequence(c)).collect::<Result<_>>()?;
                steps.push(Step::Branch { item, branches });
            }
            O::Call => {
                let callee = called_one(instruction)?;
                let item = self.item(instruction, nothing());
                let callee = self.sequence(callee)?;
                steps.push(Step::Call { item, callee });
            }
            O::CopyStart
            | O::AsyncStart
            | O::CollectivePermuteStart
            | O::AllGatherStart
            | O::AllReduceStart
            | O::Send
            | O::Recv => {
                let chain = chains.get(&id).cloned().unwrap_or_default();
                let (kernel, means) = self.asynchronous(computation, instruction, &chain)?;
                let item = self.item(instruction, kernel);
                if instruction.attr(&Key::CrossProgramPrefetchIndex).is_some() {
                    self.program.items[item.0 as usize].refilled = is_refilled(computation, id);
                }
                started.insert(id, Started { start: id, item, means });
                if chain.begins.is_none() {
                    steps.push(Step::Start(item, means));
                }
            }
            O::AsyncUpdate => {
                if let Some(&of) = instruction.operands.first().and_then(|o| started.get(o)) {
                    started.insert(id, of);
                    if chains.get(&of.start).is_some_and(|c| c.begins == Some(id)) {
                        steps.push(Step::Start(of.item, of.means));
                    }
                }
            }
            O::CopyDone
            | O::AsyncDone
            | O::CollectivePermuteDone
            | O::AllGatherDone
            | O::AllReduceDone
            | O::SendDone
            | O::RecvDone => {
                let start = instruction.operands.first().and_then(|o| started.get(o));
                let Some(&Started { item, .. }) = start else {
                    return Err(malformed(instruction, "ends nothing that was started in its computation"));
                };
                steps.push(Step::Done(item));
            }
            _ if costs::is_kernel(instruction) => {
                if instruction.opcode == O::Fusion {
                    called_one(instruction)?;
                }
                let operands = self.operands(computation, instruction);
                let kernel = kernel::cost(self.machine, instruction, &operands, &mut self.catalogue)?;
                self.not_too_deep(instruction)?;
                let item = self.item(instruction, kernel);
                steps.push(Step::Kernel(item));
            }
            // It is there already.
            _ => {}
        }
        Ok(())
    }

    fn operands(&self, computation: &'a Computation, instruction: &Instruction) -> Vec<&'a Shape> {
        instruction.operands.iter().map(|&o| &*computation.instruction(o).shape).collect()
    }

    /// # Errors
    /// Computations that `instruction` calls nest deeper than is looked at.
    fn not_too_deep(&self, instruction: &Instruction) -> Result<()> {
        match self.catalogue.too_deep {
            None => Ok(()),
            Some(_) => Err(malformed(
                instruction,
                "calls computations deeper within each other than any kernel does, or one that calls itself",
            )),
        }
    }

    /// What goes on beside the TensorCore.
    fn asynchronous(
        &mut self,
        computation: &'a Computation,
        instruction: &'a Instruction,
        chain: &Chain,
    ) -> Result<(Kernel, Means)> {
        let operands = self.operands(computation, instruction);
        let units = self.machine.units;
        if instruction.opcode == Opcode::AsyncStart
            && instruction.sugar != Some(Opcode::Slice)
            && (on_sparsecore(instruction) || instruction.sugar == Some(Opcode::CustomCall))
        {
            // A collective that the SparseCore drives is one of the network.
            if let Some((within, collective)) = self.offloaded(instruction) {
                let operands = self.operands(within, collective);
                let kernel = kernel::cost(self.machine, collective, &operands, &mut self.catalogue)?;
                return Ok((kernel, Means::Unit(Unit::Ici)));
            }
            let kernel = self.sparsecore(computation, instruction, chain);
            self.not_too_deep(instruction)?;
            return Ok((kernel, Means::Unit(Unit::SparseCore)));
        }
        if matches!(
            instruction.opcode,
            Opcode::CollectivePermuteStart | Opcode::AllGatherStart | Opcode::AllReduceStart
        ) || instruction.sugar.is_some_and(kernel::collective::is)
        {
            let kernel = kernel::cost(self.machine, instruction, &operands, &mut self.catalogue)?;
            return Ok((kernel, Means::Unit(Unit::Ici)));
        }
        if matches!(instruction.opcode, Opcode::Send | Opcode::Recv) {
            let bytes: f64 = operands.iter().flat_map(|s| arrays(s)).map(|a| arrays::bytes(a) as f64).sum();
            let time = Duration::from_seconds(bytes / (units.pcie.bandwidth_gbps * 1e9));
            let kernel = Kernel {
                estimate: Some("transfers to the host are estimated by their bytes"),
                ..Kernel::of(Unit::Host, Bound::Estimate, time)
            };
            return Ok((kernel, Means::Unit(Unit::Host)));
        }
        Ok(self.copy(instruction, &operands))
    }

    /// Work on a SparseCore. Operands may come with an update (`custom-call-update`); what else the start holds is its own room.
    fn sparsecore(
        &mut self,
        computation: &'a Computation,
        instruction: &'a Instruction,
        chain: &Chain,
    ) -> Kernel {
        let shape = |id: &InstructionId| &*computation.instruction(*id).shape;
        let operands: Vec<&Shape> = instruction.operands.iter().chain(&chain.operands).map(shape).collect();
        // The start's shape is of operands, results and its own room.
        let result = chain.done.as_ref().map(shape).or(kernel::sparsecore::result(instruction));
        kernel::sparsecore::cost(self.machine, instruction, &operands, result, &mut self.catalogue)
    }

    /// The collective that a SparseCore is started for, with the computation that it is in.
    fn offloaded(&self, start: &Instruction) -> Option<(&'a Computation, &'a Instruction)> {
        let mut called = start.called().next();
        for _ in 0..DEEPEST_OFFLOADED {
            let computation = self.module.computation(called?);
            let root = computation.root();
            if kernel::collective::is(root.opcode) {
                return Some((computation, root));
            }
            let calls = |i: &Instruction| i.called().next();
            called = calls(root).or_else(|| {
                let start = root.operands.first().map(|&o| computation.instruction(o));
                start.filter(|s| s.opcode == Opcode::AsyncStart).and_then(calls)
            });
        }
        None
    }

    /// `copy-start` and `slice-start`: destination, source, flag; the smaller of both is what moves.
    fn copy(&self, instruction: &Instruction, operands: &[&Shape]) -> (Kernel, Means) {
        let units = self.machine.units;
        let source = operands.first().and_then(|s| s.as_array());
        let all = results(&instruction.shape);
        let destination = all
            .iter()
            .find(|a| source.is_none_or(|s| arrays::memory(s) != arrays::memory(a)))
            .or(all.first());
        let size = |a: &sim_core::hlo::ArrayShape| arrays::bytes(a);
        let bytes = match (source, destination) {
            (Some(s), Some(d)) => size(s).min(size(d)),
            (Some(s), None) => size(s),
            (None, Some(d)) => size(d),
            (None, None) => 0,
        };
        let dense = destination.map_or(bytes, |d| arrays::dense_bytes(d)).min(bytes);
        let places = [source, destination.copied()].map(|a| a.map_or(Memory::Hbm, arrays::memory));
        if places.contains(&Memory::Host) {
            let time = Duration::from_seconds(bytes as f64 / (units.pcie.bandwidth_gbps * 1e9));
            let kernel = Kernel { read: bytes, ..Kernel::of(Unit::Host, Bound::Hbm, time) };
            return (kernel, Means::Unit(Unit::Host));
        }
        let [from, to] = places.map(|m| m == Memory::Hbm);
        // A copy within HBM is read and written.
        let times = match (from, to) {
            (true, true) => 2.0,
            (false, false) => 0.0,
            _ => 1.0,
        };
        let latency = if from { units.dma.read_latency_us } else { units.dma.write_latency_us };
        let (latency, rate) = match units.cmem.bandwidth_gbps {
            Some(gbps) if places.contains(&Memory::Cmem) => {
                (units.cmem.read_latency_us.unwrap_or(latency), (gbps * 1e9).min(self.machine.peak_rate()))
            }
            _ => (latency, self.machine.peak_rate()),
        };
        let moving = Duration::from_seconds(bytes as f64 * times / rate);
        let kernel = Kernel {
            moving,
            read: if from { bytes } else { 0 },
            written: if to { bytes } else { 0 },
            padding: bytes - dense,
            ..Kernel::of(Unit::Dma, Bound::Hbm, moving + Duration::from_us(latency))
        };
        (kernel, Means::Hbm { bytes: bytes as f64 * times })
    }
}

/// What was started, of which an update or the end is looked at.
#[derive(Clone, Copy)]
struct Started {
    start: InstructionId,
    item: ItemId,
    means: Means,
}

/// What belongs to the start of something asynchronous.
#[derive(Clone, Debug, Default)]
struct Chain {
    /// Operands that its updates bring.
    operands: Vec<InstructionId>,
    /// The update that brings the last of them, if the start brings none: before it there is nothing to work on.
    begins: Option<InstructionId>,
    done: Option<InstructionId>,
}

impl Chain {
    /// By start.
    fn all(computation: &Computation) -> FxHashMap<InstructionId, Chain> {
        let mut chains: FxHashMap<InstructionId, Chain> = FxHashMap::default();
        // The start of each update.
        let mut starts: FxHashMap<InstructionId, InstructionId> = FxHashMap::default();
        for (i, instruction) in computation.instructions.iter().enumerate() {
            let id = InstructionId(i as u32);
            match instruction.opcode {
                Opcode::AsyncStart => {
                    chains.insert(id, Chain::default());
                    starts.insert(id, id);
                }
                Opcode::AsyncUpdate | Opcode::AsyncDone => {
                    let Some((before, more)) = instruction.operands.split_first() else { continue };
                    let Some(&start) = starts.get(before) else { continue };
                    starts.insert(id, start);
                    let empty = computation.instruction(start).operands.is_empty();
                    let Some(chain) = chains.get_mut(&start) else { continue };
                    chain.operands.extend_from_slice(more);
                    if instruction.opcode == Opcode::AsyncDone {
                        chain.done = Some(id);
                    } else if empty && !more.is_empty() {
                        chain.begins = Some(id);
                    }
                }
                _ => {}
            }
        }
        chains
    }
}

fn malformed(instruction: &Instruction, what: &str) -> Diagnostic {
    Diagnostic::malformed(format!("%{} ({}) {what}", instruction.name, instruction.written_name()))
        .at(instruction.span)
}

/// # Errors
/// It calls nothing.
fn called_one(instruction: &Instruction) -> Result<ComputationId> {
    instruction.called().next().ok_or_else(|| malformed(instruction, "calls no computation"))
}

/// A fusion whose one result is an operand with a part of it changed.
fn updates_a_part(instruction: &Instruction, catalogue: &mut Catalogue<'_>) -> bool {
    let called = instruction.called().next().filter(|_| instruction.opcode == Opcode::Fusion);
    called.is_some_and(|c| matches!(catalogue.of(c).written[..], [Touched::Part(_)]))
}

fn results(shape: &Shape) -> smallvec::SmallVec<[&sim_core::hlo::ArrayShape; 4]> {
    let mut all = arrays(shape);
    // Flags are no data.
    all.retain(|a| arrays::memory(a) != Memory::Scalar || !a.dims.is_empty());
    all
}
