//! The cross-lane unit: operations that change which lane an element is in. On the chip the XLU
//! transposes and rotates whole vector registers; here they are blocked copies.
//!
//! Both kernels care only for the width of an element's storage, and both first merge the dimensions
//! that stay neighbours, so a rank-4 transpose of attention heads is a loop of `memcpy` and a matrix
//! inside a batch is a loop of 2D transposes.

mod reverse;
mod transpose;

pub use reverse::reverse;
pub use transpose::transpose;

/// Arrays under this size are moved by the calling thread.
const PARALLEL_FROM: usize = 128 << 10;
/// What one task moves, about. Fixed, so that the split never depends on the number of threads.
const CHUNK: usize = 64 << 10;

use sim_core::by_width;

#[cfg(test)]
mod testing {
    use proptest::prelude::*;
    use sim_core::{Ctx, ElementType, Numerics, Tensor};

    /// One type for each storage width.
    pub const TYPES: [ElementType; 5] =
        [ElementType::S8, ElementType::BF16, ElementType::F32, ElementType::S64, ElementType::C128];

    pub fn ctx() -> Ctx {
        Ctx::new(Numerics::ieee(), 1 << 30)
    }

    pub fn shape(rank: usize, size: usize) -> impl Strategy<Value = Vec<usize>> {
        proptest::collection::vec(0..=size, 0..=rank)
    }

    /// Bytes of a running, scrambled number.
    pub fn numbered(ty: ElementType, shape: &[usize]) -> Tensor {
        let mut t = ctx().alloc(ty, shape).unwrap();
        for (i, x) in t.bytes_mut().iter_mut().enumerate() {
            *x = ((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 37) as u8;
        }
        t
    }

    /// The tensor of `shape` whose element at each index is `t`'s at `source(index)`.
    pub fn reference(t: &Tensor, shape: &[usize], source: impl Fn(&[usize]) -> Vec<usize>) -> Tensor {
        let mut out = ctx().alloc(t.element(), shape).unwrap();
        let width = t.element().byte_size();
        for (flat, to) in out.bytes_mut().chunks_mut(width).enumerate() {
            let (mut rest, mut index) = (flat, vec![0; shape.len()]);
            for d in (0..shape.len()).rev() {
                index[d] = rest % shape[d];
                rest /= shape[d];
            }
            let at = source(&index).iter().zip(t.shape()).fold(0, |at, (&i, &n)| at * n + i);
            to.copy_from_slice(&t.bytes()[at * width..(at + 1) * width]);
        }
        out
    }
}
