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

use super::{Cx, build};
use sim_core::Result;
use sim_core::hlo::Opcode;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    build::replace(cx, &[Opcode::Gather, Opcode::Scatter], |b, i| match i.opcode {
        Opcode::Gather => rows::gather(b, i),
        _ => scatter::scatter(b, i),
    });
    Ok(())
}
