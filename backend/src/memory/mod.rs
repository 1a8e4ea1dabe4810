//! Memory: what a scheduled program takes of a TPU's HBM and VMEM, and when.
//!
//! ```text
//!  HloModule ── buffers ──> cells: which values share a buffer, and their lives ── live ──> Memory ── report ──> text
//!                  │                                                                │
//!       in_place: who takes whose place                           hbm::allocator: offsets in one heap
//! ```
//!
//! It is done as XLA assigns buffers: arguments have theirs for the whole run, results theirs unless they lie in a donated argument, all
//! others share one heap. How near that comes to XLA's own figures, `backend/tests/buffers.rs` holds.

mod buffers;
pub mod help;
mod in_place;
mod live;
pub mod report;
mod told;

pub(crate) use in_place::aliases;

use crate::time::Place;
use crate::time::arrays::Memory as Space;
use sim_core::Result;
use sim_core::chip::Chip;
use sim_core::hlo::{ArrayShape, HloModule};
use std::sync::Arc;

/// What a buffer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Argument,
    /// Of the program, in memory of its own.
    Output,
    /// An output in the memory of a donated argument.
    Aliased,
    Temporary,
    Constant,
    /// A kernel's own, while it runs.
    Scratch,
}

/// Memory that one value, or several one after the other, have.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Of the instruction whose result lies in it first; of one of several results, with its number: `fusion.3{1}`.
    pub name: Arc<str>,
    pub role: Role,
    /// In HBM, or in VMEM.
    pub space: Space,
    /// None of scratch.
    pub array: Option<ArrayShape>,
    /// With padding.
    pub bytes: u64,
    /// Of `bytes`, what holds no value.
    pub padding: u64,
    /// The first and the last step of the program that need it.
    pub from: u32,
    pub until: u32,
    /// Where it lies in the heap; temporaries in HBM have one.
    pub offset: Option<u64>,
    pub place: Place,
}

/// What a program takes on one device. Bytes of HBM with padding, where nothing else is said.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub arguments: u64,
    pub outputs: u64,
    /// Of the outputs, what lies in donated arguments.
    pub aliased: u64,
    /// The heap of all temporaries: where the highest lies that it ever holds.
    pub temporaries: u64,
    /// The most of them that live at once: no heap could be smaller.
    pub alive: u64,
    pub constants: u64,
    /// Arguments, outputs that are not aliased, temporaries: what XLA's `memory_analysis` adds up to.
    pub peak: u64,
    /// Of what is live at the peak.
    pub padding: u64,
    /// The most of VMEM at once, scratch of kernels included.
    pub vmem_peak: u64,
    /// Steps of the program: instructions as they run, those of a loop's body once.
    pub steps: u32,
    /// At which the most temporaries live, and what runs then.
    pub at: u32,
    pub running: Arc<str>,
    pub running_place: Place,
    /// The largest first.
    pub buffers: Vec<Buffer>,
    /// Partitions that the program was divided into.
    pub partitions: i64,
}

/// The memory of a scheduled module.
///
/// # Errors
/// Kind `Unsupported`: it is not scheduled, calls nest too deep or are too many. Kind `Malformed`: control flow without its
/// computations, a `backend_config` that is not what it should be.
pub fn analyze(module: &HloModule) -> Result<Memory> {
    if !module.is_scheduled() {
        return Err(crate::time::program::not_scheduled(module, "when its values live is not decided"));
    }
    crate::runtime::on_big_stack(|| live::memory(module, &buffers::Buffers::of(module)?))
}

impl Memory {
    /// Buffers of HBM that are there when most temporaries are, the largest first; what lies in an argument is listed as that.
    pub fn at_peak(&self) -> impl Iterator<Item = &Buffer> {
        self.buffers.iter().filter(|b| b.space == Space::Hbm).filter(|b| match b.role {
            Role::Argument | Role::Output => true,
            Role::Temporary | Role::Scratch => (b.from..=b.until).contains(&self.at),
            Role::Aliased | Role::Constant => false,
        })
    }

    /// Does it fit into what programs may have of a device of `chip` (`hbm.usable_bytes`)?
    ///
    /// # Errors
    /// Kind `CheckFailed`: it does not; with what takes most, and what would help.
    pub fn fits(&self, chip: &Chip) -> Result<()> {
        let capacity = chip.units().hbm.usable_bytes;
        match self.peak.checked_sub(capacity) {
            None | Some(0) => Ok(()),
            Some(over) => Err(report::does_not_fit(self, chip, capacity, over)),
        }
    }
}
