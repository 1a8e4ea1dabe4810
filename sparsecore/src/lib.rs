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

/// Runs `$body` with `$T` as a plain type of `$width` bytes.
macro_rules! by_width {
    ($width:expr, $T:ident => $body:expr) => {
        match $width {
            1 => {
                type $T = u8;
                $body
            }
            2 => {
                type $T = u16;
                $body
            }
            4 => {
                type $T = u32;
                $body
            }
            8 => {
                type $T = u64;
                $body
            }
            _ => {
                type $T = [u64; 2];
                $body
            }
        }
    };
}
pub(crate) use by_width;
