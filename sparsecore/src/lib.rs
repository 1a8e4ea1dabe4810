//! The SparseCore: irregular access. Gather, scatter (and with it segment sums and embedding
//! updates), sort and top-k.
//!
//! What these have in common is that addresses or orders come from data. Each kernel separates that
//! part from the moving and computing: gather and scatter turn index vectors into offsets first
//! (`index`), sort turns keys into unsigned integers that compare like them.
//!
//! **Invariant:** depends on `sim-core` only. Bodies of `scatter` and comparators of `sort` arrive as
//! [`sim_core::exec::RegionFn`], evaluated over many lanes at once; those that are one known
//! operation have kernels of their own.

mod gather;
mod index;
mod scatter;
pub mod sort;
#[cfg(test)]
mod testing;

pub use gather::{dynamic_gather, gather, torch_index_select};
pub use scatter::scatter;
pub use sort::top_k;

pub(crate) use sim_core::by_width;
