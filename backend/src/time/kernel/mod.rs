//! A kernel: one instruction of an optimized program that occupies the TensorCore, and what it costs alone.
//!
//! Each family has a file. All of them come to the same: a grid of steps, windows that move with it, and what a step computes
//! ([`tensorcore::vmem::pipeline`]).

mod beside;
pub(crate) mod choice;
pub(super) mod collective;
pub(super) mod custom_call;
mod grid;
mod indexed;
mod product;
pub(super) mod sparsecore;
mod vector;

use super::arrays::{self, Memory, arrays};
use super::config::{BackendConfig, MegacoreConfig};
use super::contents::{Catalogue, Contents};
use super::machine::{Machine, Traffic};
use super::product::Site;
use super::touched::Touched;
use sim_core::Result;
use sim_core::engine::Duration;
use sim_core::hlo::{ArrayShape, Instruction, Opcode, Shape};
use smallvec::SmallVec;
use std::rc::Rc;
use tensorcore::vmem::pipeline::{Cost, Direction, Pipeline, Window};
use tensorcore::vpu::cost::Work;

/// The unit that a kernel is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Mxu,
    Vpu,
    Xlu,
    /// Copies: nothing is computed.
    Dma,
    Scalar,
    Ici,
    SparseCore,
    Host,
}

impl Unit {
    pub const ALL: [Unit; 8] =
        [Unit::Mxu, Unit::Vpu, Unit::Xlu, Unit::Dma, Unit::Scalar, Unit::Ici, Unit::SparseCore, Unit::Host];

    pub fn name(self) -> &'static str {
        match self {
            Unit::Mxu => "MXU",
            Unit::Vpu => "VPU",
            Unit::Xlu => "XLU",
            Unit::Dma => "DMA",
            Unit::Scalar => "scalar",
            Unit::Ici => "ICI",
            Unit::SparseCore => "SparseCore",
            Unit::Host => "host",
        }
    }
}

/// What decides how long a kernel takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    Mxu,
    Vpu,
    Xlu,
    Hbm,
    /// First fetches, last writes, and what each step waits for.
    Latency,
    Ici,
    Estimate,
}

impl Bound {
    pub fn name(self) -> &'static str {
        match self {
            Bound::Mxu => "MXU",
            Bound::Vpu => "VPU",
            Bound::Xlu => "XLU",
            Bound::Hbm => "HBM",
            Bound::Latency => "latency",
            Bound::Ici => "ICI",
            Bound::Estimate => "estimate",
        }
    }
}

/// How the cores of a device share a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// As the dump says.
    Stated,
    /// As is assumed of what says nothing of its grid; or there is one core only.
    All,
    /// One does it all, although there are more.
    Alone,
}

/// What a kernel costs when it has the device for itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    pub unit: Unit,
    pub bound: Bound,
    pub time: Duration,
    /// Of that, HBM moves bytes for it, at the rate that it reaches.
    pub moving: Duration,
    /// How long the units compute.
    pub mxu: Duration,
    pub vpu: Duration,
    pub xlu: Duration,
    /// Bytes of HBM.
    pub read: u64,
    pub written: u64,
    /// Of those, what fills up tiles.
    pub padding: u64,
    /// Operations on values, one for an addition, two for a multiplication that is added.
    pub flops: f64,
    /// Of those, what products ask for, without padding.
    pub product_flops: f64,
    /// What the matrix units multiply and add, padding included, twice.
    pub mxu_flops: f64,
    /// Which of the device's cores it runs on.
    pub sharing: Sharing,
    /// Steps of its grid.
    pub steps: u64,
    /// What XLA:TPU says in the dump, in cycles of its clock.
    pub estimated_cycles: Option<u64>,
    /// It is not modelled: why.
    pub estimate: Option<&'static str>,
}

impl Kernel {
    /// Control flow, whose time is its parts'.
    pub(super) fn nothing() -> Kernel {
        Kernel::of(Unit::Scalar, Bound::Latency, Duration::ZERO)
    }

    /// One that takes so long, of which nothing else is known.
    pub(super) fn of(unit: Unit, bound: Bound, time: Duration) -> Kernel {
        Kernel {
            unit,
            bound,
            time,
            moving: Duration::ZERO,
            mxu: Duration::ZERO,
            vpu: Duration::ZERO,
            xlu: Duration::ZERO,
            read: 0,
            written: 0,
            padding: 0,
            flops: 0.0,
            product_flops: 0.0,
            mxu_flops: 0.0,
            sharing: Sharing::All,
            steps: 1,
            estimated_cycles: None,
            estimate: None,
        }
    }
}

/// An operand or result of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access<'a> {
    pub array: &'a ArrayShape,
    pub memory: Memory,
    /// Bytes of all of it.
    pub whole: u64,
    /// Bytes of it that the kernel touches.
    pub bytes: u64,
    /// Which operand, for operands.
    pub operand: usize,
    pub direction: Direction,
}

/// An instruction with all that its cost depends on.
pub(super) struct Subject<'a> {
    pub machine: Machine<'a>,
    pub instruction: &'a Instruction,
    pub config: BackendConfig,
    pub contents: Rc<Contents>,
    pub accesses: SmallVec<[Access<'a>; 6]>,
    /// A result lies where an operand lies, and both are touched.
    pub in_place: bool,
    /// Bytes of HBM: read, written, and how many of those are padding.
    traffic: (u64, u64, u64),
}

impl<'a> Subject<'a> {
    fn new(
        machine: Machine<'a>,
        instruction: &'a Instruction,
        operands: &[&'a Shape],
        catalogue: &mut Catalogue<'a>,
    ) -> Result<Subject<'a>> {
        let config = BackendConfig::of(instruction)?;
        let contents = match (instruction.opcode, instruction.called().next()) {
            (Opcode::Fusion, Some(called)) => catalogue.of(called),
            _ => Rc::new(catalogue.of_single(instruction, operands)),
        };
        let mut accesses = SmallVec::new();
        for (n, shape) in operands.iter().enumerate() {
            let touched = contents.read.get(n).copied().unwrap_or(Touched::Whole);
            for array in arrays(shape) {
                let memory = arrays::memory(array);
                let whole = arrays::bytes(array);
                let bytes = touched.of(whole);
                accesses.push(Access { array, memory, whole, bytes, operand: n, direction: Direction::In });
            }
        }
        for (n, array) in arrays(&instruction.shape).into_iter().enumerate() {
            let touched = contents.written.get(n).copied().unwrap_or(Touched::Whole);
            let (memory, whole) = (arrays::memory(array), arrays::bytes(array));
            let bytes = touched.of(whole);
            accesses.push(Access { array, memory, whole, bytes, operand: n, direction: Direction::Out });
        }
        let aliased = config.aliasing_operands.iter().flat_map(|a| &a.lists).any(|l| l.indices.len() > 1);
        let part = contents.written.iter().any(|w| matches!(w, Touched::Part(_)));
        let traffic = Self::traffic_of(&accesses);
        Ok(Subject { machine, instruction, config, contents, accesses, in_place: aliased && !part, traffic })
    }

    /// Bytes of HBM: read, written, and how many of those are padding.
    fn traffic_of(accesses: &[Access<'_>]) -> (u64, u64, u64) {
        let (mut read, mut written, mut padding) = (0u64, 0u64, 0u64);
        for access in accesses.iter().filter(|a| a.memory == Memory::Hbm) {
            match access.direction {
                Direction::In => read = read.saturating_add(access.bytes),
                Direction::Out => written = written.saturating_add(access.bytes),
            }
            let whole = access.whole.max(1);
            let filled = whole - arrays::dense_bytes(access.array).min(whole);
            padding = padding.saturating_add((filled as f64 * (access.bytes as f64 / whole as f64)) as u64);
        }
        (read, written, padding)
    }

    /// Bytes a second that its traffic reaches.
    fn rate(&self) -> f64 {
        let (read, written, _) = self.traffic;
        self.machine.rate(match () {
            // A few results beside much that is read change nothing.
            _ if written.saturating_mul(16) < read => Traffic::Reads,
            _ if self.in_place => Traffic::InPlace,
            _ => Traffic::Mixed,
        })
    }

    /// Cycles of the device's clock.
    fn cycles(&self, n: f64) -> Duration {
        Duration::from_cycles(n, self.machine.units.tensorcore.clock_mhz)
    }

    /// A window of `bytes` in each of its places, for the pipeline.
    fn window(&self, direction: Direction, moves_with: u32, bytes: f64) -> Window {
        // Cores of one device share its HBM.
        let rate = self.rate() / self.machine.cores as f64;
        let buffers = self.config.window_config.as_ref().map_or(0, |w| w.buffering_level).clamp(2, 16) as u32;
        Window { direction, moves_with, transfer: Duration::from_seconds(bytes / rate), buffers }
    }

    /// The kernel of a grid of steps, each of which takes `step` in the slowest of its units.
    fn kernel(
        &self,
        unit: Unit,
        grid: Vec<u64>,
        windows: Vec<Window>,
        busy: Busy,
        extra: Duration,
    ) -> Kernel {
        let kernel = self.kernel_within(unit, grid, windows, busy, None);
        let kernel = kernel.unwrap_or_else(Kernel::nothing);
        Kernel { time: kernel.time + extra, ..kernel }
    }

    /// As [`kernel`](Self::kernel), unless it is found to take longer than `limit`.
    fn kernel_within(
        &self,
        unit: Unit,
        grid: Vec<u64>,
        windows: Vec<Window>,
        busy: Busy,
        limit: Option<Duration>,
    ) -> Option<Kernel> {
        let dma = &self.machine.units.dma;
        let (grid, shared) = grid::split(grid, self.machine.cores, &self.config);
        let cores = if shared { 1 } else { self.machine.cores };
        let stated = self.config.megacore_config.as_ref().and_then(MegacoreConfig::split);
        let sharing = match shared {
            false => Sharing::Alone,
            true if stated.is_some() => Sharing::Stated,
            true => Sharing::All,
        };
        // A core that works alone has all of HBM, and all of the work.
        let [mxu, vpu, xlu, before] = [busy.mxu, busy.vpu, busy.xlu, busy.before].map(|d| d * cores);
        let busy = Busy { mxu, vpu, xlu, before, ..busy };
        let alone = |w: Window| Window { transfer: Duration::from_ps(w.transfer.ps() / cores), ..w };
        let windows: Vec<Window> = windows.into_iter().map(alone).collect();
        let steps = grid.iter().fold(1u64, |n, &d| n.saturating_mul(d)).max(1);
        let computing = busy.mxu.max(busy.vpu).max(busy.xlu) + busy.before;
        let each = |d: Duration| Duration::from_ps(d.ps() / steps);
        let step = each(computing) + busy.each_step;
        let from = |m: Memory| {
            self.accesses.iter().any(|a| a.memory == m && a.direction == Direction::In && a.bytes > 0)
        };
        let touches = !windows.is_empty();
        let mut windows = windows;
        let read_latency = match () {
            _ if from(Memory::Hbm) => dma.read_latency_us,
            // What CMEM moves is not known; that it has a latency is.
            _ if from(Memory::Cmem) => {
                windows.push(Window {
                    direction: Direction::In,
                    moves_with: 0,
                    transfer: Duration::ZERO,
                    buffers: 2,
                });
                self.machine.units.cmem.read_latency_us.unwrap_or(0.0)
            }
            _ => 0.0,
        };
        // Nor is its bandwidth for results.
        if self.accesses.iter().any(|a| a.memory == Memory::Cmem && a.direction == Direction::Out) {
            windows.push(Window {
                direction: Direction::Out,
                moves_with: 0,
                transfer: Duration::ZERO,
                buffers: 2,
            });
        }
        let touches = touches || !windows.is_empty();
        let pipeline = Pipeline {
            grid,
            windows,
            step,
            read_latency: Duration::from_us(read_latency),
            write_latency: Duration::from_us(if touches { dma.write_latency_us } else { 0.0 }),
        };
        let fixed = self.cycles(self.machine.units.tensorcore.kernel_cycles);
        let Cost { total, computing: all, moving } = match limit {
            Some(limit) => pipeline.cost_within(limit.saturating_sub(fixed))?,
            None => pipeline.cost(),
        };
        let (read, written, padding) = self.traffic;
        let bound = match () {
            _ if all + moving < total && all.max(moving).ps() < total.ps() / 10 * 6 => Bound::Latency,
            _ if moving > all => Bound::Hbm,
            _ if busy.mxu >= busy.vpu && busy.mxu >= busy.xlu && busy.mxu > Duration::ZERO => Bound::Mxu,
            _ if busy.xlu > busy.vpu => Bound::Xlu,
            _ if busy.vpu > Duration::ZERO => Bound::Vpu,
            _ => Bound::Latency,
        };
        Some(Kernel {
            unit,
            bound,
            time: total + fixed,
            moving,
            mxu: busy.mxu,
            vpu: busy.vpu + busy.before,
            xlu: busy.xlu,
            read,
            written,
            padding,
            flops: self.contents.flops,
            product_flops: self.contents.product_flops,
            mxu_flops: 0.0,
            sharing,
            steps: pipeline.steps().saturating_mul(self.machine.cores / cores),
            estimated_cycles: self.config.estimated_cycles(),
            estimate: None,
        })
    }
}

/// How long the units of one core compute in a whole kernel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Busy {
    pub mxu: Duration,
    pub vpu: Duration,
    pub xlu: Duration,
    /// Of the vector unit, what the matrix units wait for.
    pub before: Duration,
    /// What each step takes besides.
    pub each_step: Duration,
}

impl Busy {
    fn of(work: Work, machine: &Machine<'_>) -> Busy {
        let clock = machine.units.tensorcore.clock_mhz;
        let cores = machine.cores as f64;
        Busy {
            vpu: Duration::from_cycles(work.vector_cycles(machine.units) / cores, clock),
            xlu: Duration::from_cycles(work.lane_cycles(machine.units) / cores, clock),
            ..Busy::default()
        }
    }
}

/// What `instruction` costs as a kernel, with the shapes of its operands.
///
/// # Errors
/// A `backend_config` that is not what it should be.
pub(super) fn cost<'a>(
    machine: Machine<'a>,
    instruction: &'a Instruction,
    operands: &[&'a Shape],
    catalogue: &mut Catalogue<'a>,
) -> Result<Kernel> {
    let subject = Subject::new(machine, instruction, operands, catalogue)?;
    let contents = &subject.contents;
    Ok(match family(&subject) {
        Family::CustomCall => custom_call::cost(&subject),
        Family::Collective => collective::cost(&subject),
        Family::Scalar => {
            let cycles = machine.units.tensorcore.scalar_cycles;
            Kernel {
                flops: contents.flops,
                ..Kernel::of(Unit::Scalar, Bound::Latency, subject.cycles(cycles))
            }
        }
        Family::Indexed => indexed::cost(&subject),
        Family::Product(site) => product::cost(&subject, site),
        Family::Vector => vector::cost(&subject),
    })
}

/// Which file knows a kernel's cost.
enum Family<'s> {
    CustomCall,
    Collective,
    Scalar,
    Indexed,
    Product(&'s Rc<Site>),
    Vector,
}

fn family<'s>(subject: &'s Subject<'_>) -> Family<'s> {
    let contents = &subject.contents;
    match subject.instruction.opcode {
        Opcode::CustomCall => Family::CustomCall,
        opcode if contents.collective.is_some() || collective::is(opcode) => Family::Collective,
        _ if scalar(subject) => Family::Scalar,
        _ if contents.indexed.gathered + contents.indexed.scattered > 0.0 => Family::Indexed,
        _ => contents.product.as_ref().map_or(Family::Vector, Family::Product),
    }
}

/// All of its values are scalars, or lie where scalar code reads them.
fn scalar(subject: &Subject<'_>) -> bool {
    subject.accesses.iter().all(|a| a.array.dims.is_empty() || a.memory == Memory::Scalar)
        && subject.instruction.opcode != Opcode::Fusion
}
