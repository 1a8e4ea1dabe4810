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

    /// The members, to write; `count` empty slices if there is nothing in them.
    pub fn members<T: Native>(&mut self, count: usize) -> impl Iterator<Item = &mut [T]> + Send {
        let each = self.each;
        let empty = (0..if each == 0 { count } else { 0 }).map(|_| <&mut [T]>::default());
        let all = self.tensor.as_mut_slice::<T>();
        empty.chain(all.chunks_mut(each.max(1)))
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

/// Items that are listed at a time: a batch of tiny matrices must not need more memory for its list
/// than for itself.
const LISTED: usize = 4096;

/// How many matrices there are to work on: none if they are empty, however many dimensions say so.
pub fn count(a: &Tensor, batch: &[usize]) -> usize {
    if a.is_empty() { 0 } else { batch.iter().product() }
}

/// Calls `f` for each item, in parallel when they are worth it; `cost` is about the number of
/// multiplications of one.
pub fn for_each<I: Send>(
    ctx: &Ctx,
    items: impl IntoIterator<Item = I>,
    cost: usize,
    f: impl Fn(I) -> Result<()> + Sync,
) -> Result<()> {
    let run = |item: I| {
        ctx.check_stop()?;
        f(item)
    };
    let mut items = items.into_iter();
    loop {
        let some: Vec<I> = items.by_ref().take(LISTED).collect();
        if some.is_empty() {
            return Ok(());
        }
        if some.len().saturating_mul(cost) < 1 << 16 {
            some.into_iter().try_for_each(run)?;
        } else {
            some.into_par_iter().try_for_each(run)?;
        }
    }
}
