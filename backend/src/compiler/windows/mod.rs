//! Windows of products: how the grid of a kernel with a product is cut, so that what a step needs fits VMEM and all takes the least time.
//!
//! ```text
//!  instruction ── choosable ──> grid: windows that fit, cheapest by a formula ── kernel/product ──> the cheapest ── config ──> backend_config
//! ```
//!
//! XLA:TPU searches the same space (its `window_config` says what it took) by a model of its own, which charges 1.21 us for each step; here the
//! model of `time` decides. So a program that is compiled here and one that XLA:TPU compiled are timed by the same rules.

mod config;
mod formula;
mod grid;
mod room;

use crate::time::contents::Catalogue;
use crate::time::kernel::choice::Choosable;
use crate::time::machine::Machine;
use grid::Choice;
use rustc_hash::FxHashMap;
use sim_core::chip::Chip;
use sim_core::hlo::{ComputationId, HloModule, InstructionId, Opcode, Shape, Value};
use sim_core::{Diagnostic, Result};
use std::rc::Rc;

/// Chooses the windows of every kernel of a product that states none, on a device of `chip`, and writes them into its `backend_config`
/// as XLA:TPU does: `window_config`, `used_scoped_memory_configs` and, where a device has several cores, `megacore_config`.
///
/// Kernels are instructions of computations that control flow reaches: fusions with a product, and products that stand alone. What lies in VMEM
/// (`S(1)`) has no windows to move. A kernel of which even the smallest windows do not fit is left as it is, and timed as one step.
///
/// # Errors
/// Kind `Malformed`: a `backend_config` that is not what it should be; computations that call each other without end.
pub fn choose(module: &mut HloModule, chip: &Chip) -> Result<()> {
    choose_knowing(module, chip, &mut Known::default())
}

/// What was chosen for kernels that are alike, by all that the choice depends on: layers of a model are alike, and so are most kernels before and
/// after operands are fetched.
#[derive(Default)]
pub(super) struct Known(FxHashMap<String, Option<Rc<Choice>>>);

/// As [`choose`], on the chip for which `known` was found.
pub(super) fn choose_knowing(module: &mut HloModule, chip: &Chip, known: &mut Known) -> Result<()> {
    for (computation, instruction, value) in choices(module, chip, known)? {
        let of = &mut module.computations[computation.0 as usize].instructions[instruction.0 as usize];
        config::set(of, value);
    }
    Ok(())
}

/// What is to be written, and where.
fn choices(
    module: &HloModule,
    chip: &Chip,
    known: &mut Known,
) -> Result<Vec<(ComputationId, InstructionId, Value)>> {
    let machine = Machine::new(chip);
    let mut catalogue = Catalogue::new(module, machine.units);
    let mut out = Vec::new();
    for id in module.reached() {
        let computation = module.computation(id);
        let site = config::Site { module, computation, units: machine.units };
        for (i, instruction) in computation.instructions.iter().enumerate() {
            let calls = instruction.opcode == Opcode::Fusion && instruction.called().next().is_some();
            if !calls && !matches!(instruction.opcode, Opcode::Dot | Opcode::Convolution) {
                continue;
            }
            let operands: Vec<&Shape> =
                instruction.operands.iter().map(|&o| &*computation.instruction(o).shape).collect();
            let choosable = Choosable::of(machine, instruction, &operands, &mut catalogue)?;
            if let Some(deep) = catalogue.too_deep {
                let name = &module.computation(deep).name;
                return Err(Diagnostic::malformed(format!(
                    "%{} calls computation {name}, which is deeper within others than any kernel has them, or calls itself",
                    instruction.name
                ))
                .at(instruction.span));
            }
            let Some(mut choosable) = choosable else { continue };
            let choice =
                known.0.entry(choosable.key()).or_insert_with(|| grid::best(&mut choosable).map(Rc::new));
            if let Some(choice) = choice
                && let Some(value) = config::with(&site, instruction, choice, &mut catalogue)?
            {
                out.push((id, InstructionId(i as u32), value));
            }
        }
    }
    Ok(out)
}

/// Tiles of a dimension of `size` values at place `i` of `rank` in the order of memory, in which windows are counted, and values of one.
fn tiles(size: u64, i: usize, rank: usize, units: &sim_core::chip::Units) -> (u64, u64) {
    let tile = match rank.saturating_sub(i) {
        1 => units.vpu.lanes,
        2 => units.vpu.sublanes,
        _ => 1,
    };
    (size.max(1).div_ceil(tile.max(1)), tile.max(1))
}

#[cfg(test)]
mod tests;
