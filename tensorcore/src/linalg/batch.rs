//! A factorization of every matrix of a batch: f64 (or complex f64) work tensors cut into matrices,
//! one task each.

use super::widen::{narrow, widen};
use rayon::prelude::*;
use sim_core::dtype::Native;
use sim_core::{Ctx, ElementType as E, Result, Tensor};

/// Matrices and vectors of a batch, of one work type.
pub struct Work {
    tensor: Tensor,
    /// Elements of one member of the batch.
    each: usize,
}

fn each(shape: &[usize], batch: usize) -> usize {
    shape[batch.min(shape.len())..].iter().product()
}

impl Work {
    /// The operand's values, to be worked on in place. `batch`: how many leading dimensions are.
    pub fn of(ctx: &Ctx, t: &Tensor, batch: usize) -> Result<Work> {
        Ok(Work { tensor: widen(ctx, t)?, each: each(t.shape(), batch) })
    }

    /// Zeros: a result of `batch` members of shape `shape`.
    pub fn zeros<T: Native>(ctx: &Ctx, batch: &[usize], shape: &[usize]) -> Result<Work> {
        let whole = [batch, shape].concat();
        Ok(Work { tensor: ctx.alloc_zeroed(T::TYPE, &whole)?, each: shape.iter().product() })
    }

    /// The members, to write. None if there is nothing in them: an empty member is skipped by
    /// every loop over it, so its owner gets `count` empty slices instead.
    pub fn members<T: Native>(&mut self, count: usize) -> Vec<&mut [T]> {
        let each = self.each;
        let all = self.tensor.as_mut_slice::<T>();
        if each == 0 {
            return (0..count).map(|_| Default::default()).collect();
        }
        all.chunks_mut(each).collect()
    }

    /// As it is.
    pub fn into_tensor(self) -> Tensor {
        self.tensor
    }

    /// Rounded to `to`.
    pub fn finish(self, ctx: &Ctx, to: E) -> Result<Tensor> {
        narrow(ctx, self.tensor, to)
    }
}

/// Calls `f` for each item, in parallel when they are worth it; `cost` is about the number of
/// multiplications of one.
pub fn for_each<I: Send>(
    ctx: &Ctx,
    items: impl IntoIterator<Item = I>,
    cost: usize,
    f: impl Fn(I) -> Result<()> + Sync,
) -> Result<()> {
    let items: Vec<I> = items.into_iter().collect();
    let run = |item: I| {
        ctx.check_stop()?;
        f(item)
    };
    if items.len().saturating_mul(cost) < 1 << 16 {
        return items.into_iter().try_for_each(run);
    }
    items.into_par_iter().try_for_each(run)
}
