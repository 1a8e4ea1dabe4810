//! From a row to the program that it measured, or to the reason why there is none for one chip.

mod kinds;
mod models;
mod quantity;
mod text;

pub use quantity::Quantity;

use crate::program::Program;
use crate::row::{self, Row};
use serde::Serialize;
use sim_core::chip::Chip;

/// Kinds of work that are judged apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Products of more than 256 rows.
    Gemm,
    /// Products of at most 256 rows, which the weights' stream bounds.
    GemmThin,
    /// Elementwise work on arrays that lie in HBM: every single call, and chains whose arrays do not fit VMEM twice.
    ElementwiseHbm,
    /// Chains of elementwise work on arrays of which two fit VMEM, where the compiler keeps them.
    ElementwiseVmem,
    /// Sums, and norms, which have one.
    Reduction,
    /// Attention without a kernel.
    Attention,
    /// Copies, prefetches and gathers.
    Copy,
    /// Steps of whole models, and classes of work of such steps.
    Step,
}

impl Class {
    /// All, in the order in which they are shown.
    pub const ALL: [Class; 8] = [
        Class::Gemm,
        Class::GemmThin,
        Class::ElementwiseHbm,
        Class::ElementwiseVmem,
        Class::Reduction,
        Class::Attention,
        Class::Copy,
        Class::Step,
    ];

    /// Its name in reports and options.
    pub fn name(self) -> &'static str {
        match self {
            Class::Gemm => "gemm",
            Class::GemmThin => "gemm_thin",
            Class::ElementwiseHbm => "elementwise_hbm",
            Class::ElementwiseVmem => "elementwise_vmem",
            Class::Reduction => "reduction",
            Class::Attention => "attention",
            Class::Copy => "copy",
            Class::Step => "step",
        }
    }

    /// By its name.
    pub fn named(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|c| c.name() == name)
    }

    /// Of a product.
    pub fn of_product(m: u64) -> Class {
        if m <= 256 { Class::GemmThin } else { Class::Gemm }
    }
}

/// Which of a program's instructions a row measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// All, from the first to the end of the last.
    Whole,
    /// Its kernels: asynchronous copies of arguments had ended before.
    Kernels,
    /// Its kernels, with their operands and results in CMEM.
    OnChip,
    /// Its largest asynchronous copy of an argument.
    Copies,
}

/// A program, and how many times it is in what was measured. Negative where a measurement was a difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub program: Program,
    pub times: f64,
    pub measured: Measured,
}

/// What a row measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// As a chip's file names it.
    pub chip: String,
    pub class: Class,
    /// Their times, each as often as it says, and [`Self::floor_us`] make the measured time.
    pub parts: Vec<Part>,
    /// The host's time for a call, or the share of it that a row divides among its steps; 0 where a device's trace was measured.
    pub floor_us: f64,
    pub quantity: Quantity,
    /// What [`Quantity::SpeedUp`] compares with.
    pub reference: Vec<Part>,
    /// What the programs leave out of what ran, if anything.
    pub note: Option<&'static str>,
}

impl Workload {
    /// The name of its first program.
    pub fn name(&self) -> &str {
        self.parts.first().map_or("", |p| p.program.name.as_str())
    }

    /// Every program of its parts and of its reference.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        self.parts.iter().chain(&self.reference).map(|p| &p.program)
    }
}

/// Why a row has no program here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfScope {
    /// A sentence without its full stop.
    pub reason: String,
}

fn out<T>(reason: impl Into<String>) -> Result<T, OutOfScope> {
    Err(OutOfScope { reason: reason.into() })
}

/// The workload of a row.
///
/// # Errors
/// Why there is none: several chips, a kernel of Pallas, no time, a shape that is not stated, …
pub fn scope(row: &Row) -> Result<Workload, OutOfScope> {
    let workload = row.workload.to_ascii_lowercase();
    let chip = chip(row)?;
    several_chips(row)?;
    not_a_time(row, &workload)?;
    kernels(&workload)?;
    if !row.chips.is_empty() && row::number(&row.chips).is_none() {
        return out(format!("the number of chips is not stated (`{}`)", row.chips));
    }
    if row.value.is_none_or(|v| v <= 0.0) {
        return out("the file has no number for it");
    }
    kinds::workload(row, &workload, chip)
}

fn chip(row: &Row) -> Result<&'static Chip, OutOfScope> {
    match Chip::named(&row.chip) {
        Some(chip) => Ok(chip),
        None => out(format!("the chip is not one that is known (`{}`)", row.chip)),
    }
}

fn several_chips(row: &Row) -> Result<(), OutOfScope> {
    let said = row.chips.as_str();
    if said.contains("TP") {
        return out(format!("several devices run it together (`{said}`)"));
    }
    match row::number(said) {
        Some(n) if n > 1.0 => out(format!("{n} chips run it together")),
        // A number of chips that is not one: `128/256/512`.
        None if text::leading(said).is_some_and(|n| n > 1) => out(format!("several chips run it (`{said}`)")),
        _ => Ok(()),
    }
}

fn not_a_time(row: &Row, workload: &str) -> Result<(), OutOfScope> {
    if row.metric == "peak_reported" || workload.contains("plane stat") {
        return out("not a time: what a trace's header says of the chip");
    }
    if text::any(workload, &["dispatch", "completion floor"]) {
        return out(
            "the host's time for a call, which is a parameter of the chip (host.dispatch_us), not a program",
        );
    }
    if row.unit.contains("IMPLAUSIBLE") {
        return out("marked as impossible where it was found");
    }
    Ok(())
}

/// Rows whose kernels are written by hand.
fn kernels(workload: &str) -> Result<(), OutOfScope> {
    let pallas = [
        "pallas",
        "flash_attention",
        "flash attention",
        "paged_attention",
        "paged attention",
        "paged_seq",
        "paged_shuffled",
        "splash",
        "rpa ",
        "dma_gather",
        "dma_seq",
        "fused moe",
        "in-kernel",
        "qk contraction",
        "multiply-add chain",
        "online softmax kernel",
        "mosaic",
    ];
    if text::any(workload, &pallas) {
        return out("a Pallas kernel");
    }
    if text::any(workload, &["sparsecore", "sc add-one", "sc gather"]) {
        return out("a Pallas kernel of the SparseCore");
    }
    if workload.contains("attention class") {
        return out("a Pallas kernel: ragged paged attention, the class of work of a step");
    }
    if text::any(
        workload,
        &["all_gather", "all-gather", "all-reduce", "psum", "ppermute", "all-to-all", "all_to_all"],
    ) {
        return out("a collective of several chips");
    }
    if text::any(workload, &["ragged_dot", "grouped matmul", "moe"]) {
        return out("a grouped product whose widths the row does not state");
    }
    Ok(())
}
