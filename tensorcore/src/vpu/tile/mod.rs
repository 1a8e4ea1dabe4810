//! Fused elementwise regions, run tile by tile in the level-1 cache, as a TPU's vector unit runs
//! them from its registers.
//!
//! A [`TileBuilder`] takes a region in SSA form: typed inputs, constants, `iota`s, operations, and
//! which values are outputs. [`TileBuilder::finish`] makes a [`TileProgram`]: each operation has
//! become a call of one kernel of the vector unit (a loop over a slice), and each value a *tile*,
//! a buffer of 256 to 1024 elements; few tiles are alive at once, and dead ones are used again.
//!
//! ```text
//!           ┌─ tile of x ─┐      the whole program on one tile, then on the next: memory is
//!  x  ══════╪═════════════╪═══►  read once and written once, whatever the number of operations
//!           └─ r0 → r1 → y┘
//! ```
//!
//! [`TileProgram::run`] walks an *iteration space* (the shape of the outputs) in row-major order.
//! Each input is a [`TileInput`]: a tensor with an offset and one stride per dimension of that
//! space, so `broadcast_in_dim`, `slice`, `transpose`, `reverse` and reshapes that join or split
//! dimensions cost no pass of their own. Per input, the cheapest way is chosen:
//!
//! * contiguous in the order of the walk: kernels read the tensor itself;
//! * one element: a tile is filled once;
//! * a pattern that repeats (a bias over rows): gathered once, or read in place row by row;
//! * anything else: gathered to a tile, by a loop made for the element's width. A transposed input
//!   is read with a stride; if it is large, transposing it first is cheaper.
//!
//! Outputs are written where they belong, without a copy. An output can take over the buffer of an
//! input that dies: [`TileProgram::run_in_place`].
//!
//! The work is cut into tasks of a fixed size, so results do not depend on the number of threads.
//!
//! **Excess precision.** Under [`Numerics::excess_precision`](sim_core::Numerics) a bf16 or f16
//! chain stays f32 between its operations and is rounded at its outputs; the builder does this by
//! itself. An explicit `convert` is kept.
//!
//! A program is also a [`RegionFn`](sim_core::exec::RegionFn): the body of a reduction, a sort or a
//! scatter, applied to lanes, with [`Combiner`](sim_core::exec::Combiner)s recognized.

pub(crate) mod access;
pub(crate) mod buf;
mod builder;
pub(crate) mod exec;
mod program;
mod region;
mod small;
#[cfg(test)]
mod tests;

pub use access::{TileInput, row_major};
pub use builder::{Reg, TileBuilder};
pub use exec::Input;
pub use program::TileProgram;
