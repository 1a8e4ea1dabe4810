//! Time: what a TPU would take for a program that XLA:TPU has optimized and scheduled.
//!
//! ```text
//!  HloModule ── program ──> sequences of items ── walk ──> Timing
//!                  │                                │
//!       kernel/: what one costs alone       sim_core::engine: what goes on side by side
//!       contents, product, arrays, config   record: the timeline
//! ```
//!
//! A module's own text says most of what a cost depends on: which operations are one kernel, how its grid is cut
//! (`window_config`), which arrays lie in VMEM (`S(1)`), what is copied beside the kernels, and in which order all that comes. What the
//! units make of it is in `tensorcore` and `hbm`; every number about a chip is in its file.

pub mod arrays;
pub mod config;
pub(crate) mod contents;
pub(crate) mod costs;
pub(crate) mod kernel;
mod liveness;
pub(crate) mod machine;
pub(crate) mod product;
pub mod program;
pub mod record;
pub mod summary;
mod touched;
pub mod trace;
pub(crate) mod trips;
mod walk;

pub use kernel::{Bound, Kernel, Sharing, Unit};
pub use program::{Item, ItemId, Place, Program, TripsFrom};
pub use record::{Record, Track};
pub use walk::{Loop, Row};

use crate::runtime::Observations;
use machine::Machine;
use rustc_hash::FxHashMap;
use sim_core::chip::Chip;
use sim_core::engine::Duration;
use sim_core::hlo::HloModule;
use sim_core::{Diagnostic, Result, Span};
use std::sync::Arc;

/// Whose costs of kernels count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostModel {
    /// This simulator's.
    #[default]
    Model,
    /// XLA:TPU's own `estimated_cycles`, where the dump has them.
    Compiler,
}

impl CostModel {
    /// How long a kernel takes that has the device for itself: as the model has it, or the compiler where it says something.
    fn time_of(self, kernel: &Kernel, clock_mhz: f64) -> Duration {
        match (self, kernel.estimated_cycles) {
            (CostModel::Compiler, Some(cycles)) => Duration::from_cycles(cycles as f64, clock_mhz),
            _ => kernel.time,
        }
    }
}

/// What the values of a run say about its control flow, by the name of the instruction.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Of a while: how often it was entered, and its trips in all.
    pub loops: FxHashMap<Arc<str>, (u64, u64)>,
    /// Of a conditional: how often each branch was taken.
    pub branches: FxHashMap<Arc<str>, Vec<u64>>,
}

impl Observed {
    /// Of a run of `module`, which was read from text: places tell whose loop it is.
    pub fn new(module: &HloModule, seen: &Observations) -> Observed {
        let mut observed = Observed::default();
        for instruction in module.computations.iter().flat_map(|c| &c.instructions) {
            if instruction.span == Span::default() {
                continue;
            }
            if let Some(&counts) = seen.loops.get(&instruction.span) {
                observed.loops.insert(instruction.name.clone(), counts);
            }
            if let Some(taken) = seen.branches.get(&instruction.span) {
                observed.branches.insert(instruction.name.clone(), taken.clone());
            }
        }
        observed
    }
}

/// How a program is timed.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    pub cost: CostModel,
    /// Trips of loops of which the text does not tell how often they run.
    pub trips: Option<u64>,
    pub observed: Option<&'a Observed>,
    /// The same program ran before, and has prefetched what programs prefetch for the next.
    pub warm: bool,
    /// Keep what happened when.
    pub record: bool,
}

impl Options<'_> {
    /// On average over all entries, rounded.
    fn trips_of(&self, item: &Item) -> Option<u64> {
        let &(entries, trips) = self.observed?.loops.get(&item.name)?;
        Some((trips + entries / 2) / entries.max(1))
    }

    /// The branch that was taken most often.
    fn taken(&self, item: &Item) -> Option<usize> {
        let counts = self.observed?.branches.get(&item.name)?;
        let most = counts.iter().max()?;
        counts.iter().position(|n| n == most)
    }
}

/// What a program takes on one device.
#[derive(Debug)]
pub struct Timing {
    pub program: Program,
    /// From the first kernel to the last.
    pub total: Duration,
    /// By item of the program.
    pub rows: Vec<Row>,
    pub loops: Vec<Loop>,
    /// Conditionals whose costliest branch was taken, for want of knowledge.
    pub guessed: Vec<ItemId>,
    pub record: Record,
    /// Floating-point operations a second of the matrix units in bf16.
    pub peak_flops: f64,
    /// Bytes a second that HBM moves at best.
    pub hbm_rate: f64,
    /// As the data sheet has it.
    pub hbm_peak: f64,
    /// Megahertz of the TensorCore.
    pub clock_mhz: f64,
    /// TensorCores of the device.
    pub cores: u64,
    /// Whose costs of kernels counted.
    pub cost: CostModel,
    /// Events that the engine took.
    pub events: u64,
}

/// Times `module` on a device of `chip`.
///
/// # Errors
/// Kind `Unsupported`: the module is not what a TPU runs (not scheduled), or nests too deep. Kind `Malformed`: what its
/// instructions carry is not what it should be.
pub fn simulate(module: &HloModule, chip: &Chip, options: &Options<'_>) -> Result<Timing> {
    crate::runtime::on_big_stack(|| {
        let machine = Machine::new(chip);
        let program = Program::new(module, machine)?;
        let clock_mhz = machine.units.tensorcore.clock_mhz;
        let walk = walk::walk(&program, machine.peak_rate(), clock_mhz, options);
        if walk.total.ps() > u64::MAX / 2 {
            return Err(Diagnostic::unsupported(format!(
                "HLO module {} takes more than 106 days, which is beyond what is simulated",
                module.name
            ))
            .help("look at the sizes of its arrays, the trips of its loops, and what --set says"));
        }
        Ok(Timing {
            program,
            total: walk.total,
            rows: walk.rows,
            loops: walk.loops,
            guessed: walk.guessed,
            record: walk.record,
            peak_flops: machine.peak_flops(),
            hbm_rate: machine.peak_rate(),
            hbm_peak: machine.bandwidth(),
            clock_mhz,
            cores: machine.cores,
            cost: options.cost,
            events: walk.events,
        })
    })
}
