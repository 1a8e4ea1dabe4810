//! Gathers and scatters: embedding lookups, their gradients, selections.
//!
//! [`run`] brings them into one form, before layouts are chosen: a vector of indices, windows behind one another ([`rows`], [`scatter`]), sorted
//! where that helps. [`offload`], once there are kernels, hands those that a SparseCore takes to it, beside the TensorCore, and makes
//! kernels of the others. Who takes which is decided in [`unit`].

mod offload;
mod one_hot;
mod one_window;
mod rows;
mod scatter;
mod unit;

pub(super) use offload::run as offload;

use super::Cx;
use super::build::Build;
use super::graph::{Effects, compact, redirect};
use sim_core::Result;
use sim_core::hlo::{InstructionId, Opcode};

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    for id in cx.module.reached() {
        let mut computation = cx.module.computation(id).clone();
        let n = computation.instructions.len();
        let mut to: Vec<InstructionId> = (0..n as u32).map(InstructionId).collect();
        let mut changed = false;
        for (i, to) in to.iter_mut().enumerate() {
            let instruction = computation.instructions[i].clone();
            let mut build = Build { cx, computation: &mut computation, like: &instruction };
            let made = match instruction.opcode {
                Opcode::Gather => rows::gather(&mut build, &instruction),
                Opcode::Scatter => scatter::scatter(&mut build, &instruction),
                _ => None,
            };
            if let Some(by) = made {
                (*to, changed) = (by, true);
            }
        }
        if changed {
            to.extend((n as u32..computation.instructions.len() as u32).map(InstructionId));
            redirect(&mut computation, &to);
            compact(&mut computation, |i| effects.keeps(i));
            cx.module.computations[id.0 as usize] = computation;
        }
    }
    Ok(())
}
