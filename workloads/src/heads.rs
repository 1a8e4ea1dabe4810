//! How the size of attention's heads decides how much of the matrix units is used: `cargo xtask head-dimension`.
//!
//! The same work in heads of 32 to 256, on chips whose arrays are 128 and 256 wide; compiled by our own compiler, and timed.

mod document;
mod plot;

pub use document::document;
pub use plot::plot;

use crate::program::{Heads, Held, Program, attention, attention_in_blocks};
use backend::compiler;
use backend::frontend::{self, Source};
use backend::time::{self, Timing};
use sim_core::chip::Chip;
use sim_core::hlo::{ComputationId, HloModule, Instruction, Key, Opcode, Value};

pub const SIZES: [u64; 6] = [32, 64, 96, 128, 192, 256];
pub const CHIPS: [&str; 2] = ["v5e", "v6e"];

/// All heads together are as wide as a model of this width.
pub const WIDTH: u64 = 3072;
pub const SEQUENCES: u64 = 4;
pub const LENGTH: u64 = 4096;
/// Queries at a time: their scores of 16 MiB stay in VMEM.
pub const BLOCK: u64 = 1024;

/// Kernels of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Part {
    pub kernels_ms: f64,
    /// In which matrix units multiply.
    pub mxu_ms: f64,
    /// Of the chip's peak in bf16, while the matrix units multiply; and while the kernels run.
    pub of_peak: f64,
    pub kernels_of_peak: f64,
}

/// A program's time, by what it is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts {
    pub qk: Part,
    pub pv: Part,
    /// What of the softmax is in no kernel of a product.
    pub softmax_ms: f64,
    pub total_ms: f64,
    /// Both products, of the chip's peak, over the whole time.
    pub mfu: f64,
}

/// One size of heads on one chip.
#[derive(Clone, Debug)]
pub struct Row {
    pub chip: &'static str,
    pub size: u64,
    /// In blocks; the second product as it is written, or with the weights in the arrays.
    pub as_written: Parts,
    pub weights_held: Parts,
    /// With the scores of all heads in HBM.
    pub in_hbm: Parts,
}

impl Row {
    /// The way that a kernel would take.
    pub fn best(&self) -> &Parts {
        if self.weights_held.total_ms < self.as_written.total_ms {
            &self.weights_held
        } else {
            &self.as_written
        }
    }
}

/// Every chip, every size.
///
/// # Errors
/// A program does not compile, which is a bug.
pub fn rows() -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for chip in CHIPS {
        for size in SIZES {
            let of = Heads { sequences: SEQUENCES, length: LENGTH, heads: WIDTH / size, size };
            rows.push(Row {
                chip,
                size,
                as_written: parts(&attention_in_blocks(of, BLOCK, Held::AsWritten), chip, of)?,
                weights_held: parts(&attention_in_blocks(of, BLOCK, Held::Weights), chip, of)?,
                in_hbm: parts(&attention(of), chip, of)?,
            });
        }
    }
    Ok(rows)
}

fn parts(program: &Program, chip: &str, of: Heads) -> Result<Parts, String> {
    let (module, timing) = timed(program, chip)?;
    let summary = timing.summary();
    let mut parts = Parts { total_ms: ms(summary.total.seconds()), mfu: summary.mfu, ..Parts::default() };
    for kernel in summary.kernels.iter().filter(|k| !k.asynchronous) {
        let part = match product(&module, &kernel.item.name) {
            Some(contracted) if contracted == of.size => &mut parts.qk,
            Some(_) => &mut parts.pv,
            None if reduces(&module, &kernel.item.name) => {
                parts.softmax_ms += ms(kernel.time.seconds());
                continue;
            }
            None => continue,
        };
        part.kernels_ms += ms(kernel.time.seconds());
        part.mxu_ms += ms(kernel.busy.mxu);
    }
    let least = ms(of.flops() / timing.peak_flops);
    for part in [&mut parts.qk, &mut parts.pv] {
        if part.mxu_ms == 0.0 {
            return Err(format!("{} has no product that is told from the other on {chip}", program.name));
        }
        part.of_peak = least / part.mxu_ms;
        part.kernels_of_peak = least / part.kernels_ms;
    }
    Ok(parts)
}

fn ms(seconds: f64) -> f64 {
    seconds * 1e3
}

fn timed(program: &Program, chip: &str) -> Result<(HloModule, Timing), String> {
    let of = |e: sim_core::Diagnostic| e.to_string();
    let chip = Chip::named(chip).ok_or_else(|| format!("there is no chip {chip}"))?;
    let source = Source::from_bytes("program", program.stablehlo.clone());
    let module = frontend::parse(&source).map_err(of)?.into_iter().next().ok_or("no program")?;
    let hlo = frontend::hlo::export::export_as_written(&module).map_err(of)?;
    let module = compiler::compile(hlo, chip, &mut |_, _| {}).map_err(of)?;
    let options = time::Options { warm: true, ..time::Options::default() };
    let timing = time::simulate(&module, chip, &options).map_err(of)?;
    Ok((module, timing))
}

/// The instruction of that name, and those of the kernel that it is; in each its computation.
fn kernel<'a>(module: &'a HloModule, name: &str) -> Vec<(ComputationId, &'a Instruction)> {
    let all = module.computations.iter().enumerate();
    let mut all = all.flat_map(|(c, of)| of.instructions.iter().map(move |i| (ComputationId(c as u32), i)));
    let Some(found) = all.find(|(_, i)| &*i.name == name) else { return Vec::new() };
    let applied = found.1.called().filter(|_| found.1.opcode == Opcode::Fusion);
    let inside = applied.flat_map(|c| module.computation(c).instructions.iter().map(move |i| (c, i)));
    [found].into_iter().chain(inside).collect()
}

/// How many values the kernel's product sums up for each of its result.
fn product(module: &HloModule, name: &str) -> Option<u64> {
    let (computation, dot) = kernel(module, name).into_iter().find(|(_, i)| i.opcode == Opcode::Dot)?;
    let Some(Value::Ints(over)) = dot.attr(&Key::LhsContractingDims) else { return None };
    let side = module.computation(computation).instruction(*dot.operands.first()?).shape.as_array()?;
    over.iter().map(|&d| side.dims.get(d as usize)?.as_static().map(|n| n as u64)).product()
}

fn reduces(module: &HloModule, name: &str) -> bool {
    kernel(module, name).iter().any(|(_, i)| i.opcode == Opcode::Reduce)
}
