//! Memory: the operations that only move data.
//!
//! On the chip these are DMA transfers between HBM and VMEM (or HBM and HBM); no unit computes
//! anything. Here they are strided copies. Every operation describes what it moves as a box of
//! elements with a source and a destination stride per axis ([`strided`]), and one engine merges the
//! axes that are contiguous, picks a loop for the storage width (1, 2, 4, 8 or 16 bytes), and splits
//! large boxes over the cores. So no kernel here knows element types, only their width.
//!
//! **Invariant:** depends on `sim-core` only. Attributes and shapes arrive verified, but those that
//! programs compute at run time (`real_dynamic_slice`, `dynamic_pad`, …) do not, so each kernel checks
//! what it would otherwise index out of bounds with.

pub mod allocator;
mod bitcast;
mod broadcast;
mod concatenate;
pub mod dma;
mod iota;
pub mod layout;
mod pad;
mod slice;
mod strided;
#[cfg(test)]
mod testing;

pub use bitcast::bitcast_convert;
pub use broadcast::broadcast_in_dim;
pub use concatenate::{Piece, concatenate, concatenate_pieces};
pub use iota::iota;
pub use pad::pad;
pub use slice::{dynamic_slice, dynamic_update_slice, slice};

use sim_core::{Ctx, Result, Tensor};

/// A copy in a buffer of its own.
pub fn copy(ctx: &Ctx, operand: &Tensor) -> Result<Tensor> {
    let mut out = ctx.alloc(operand.element(), operand.shape())?;
    let axis = strided::Axis { n: operand.bytes().len(), src: 1, dst: 1 };
    strided::copy(1, out.bytes_mut(), 0, operand.bytes(), 0, &[axis]);
    Ok(out)
}
