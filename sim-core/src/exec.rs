//! What every kernel gets beside its operands: the numerics, the buffers, the budget, and the
//! user's wish to stop.

use crate::diag::{Diagnostic, ErrorKind, Result};
use crate::dtype::ElementType;
use crate::numerics::Numerics;
use crate::tensor::{Buffer, Pool, Reservation, Tensor};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Execution context. Cheap to clone; clones share the pool, the budget and the stop flag.
#[derive(Clone, Debug)]
pub struct Ctx {
    pub numerics: Numerics,
    pool: Arc<Pool>,
    stop: Arc<AtomicBool>,
}

impl Ctx {
    /// `memory_limit` in bytes bounds all buffers alive at once, the pool's idle ones included.
    pub fn new(numerics: Numerics, memory_limit: u64) -> Self {
        Ctx { numerics, pool: Arc::new(Pool::new(memory_limit)), stop: Arc::default() }
    }

    /// The same pool and stop flag with other numerics.
    pub fn with_numerics(&self, numerics: Numerics) -> Self {
        Ctx { numerics, ..self.clone() }
    }

    /// A tensor with unspecified (but initialized) contents: the kernel must write every element.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`] when the size overflows or the budget is exceeded.
    pub fn alloc(&self, element: ElementType, dims: &[usize]) -> Result<Tensor> {
        let bytes = byte_len(element, dims)?;
        Ok(Tensor::from_buffer(element, dims, self.pool.take(bytes)?))
    }

    /// A tensor of zero bits.
    pub fn alloc_zeroed(&self, element: ElementType, dims: &[usize]) -> Result<Tensor> {
        let mut t = self.alloc(element, dims)?;
        t.bytes_mut().fill(0);
        Ok(t)
    }

    /// Scratch bytes with unspecified contents, returned to the pool when dropped.
    pub fn scratch(&self, bytes: usize) -> Result<Buffer> {
        self.pool.take(bytes)
    }

    /// Counts bytes that a kernel takes from elsewhere (a table, another library's scratch) against
    /// the budget, until the reservation is dropped.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`] when the budget is exceeded.
    pub fn reserve(&self, bytes: usize) -> Result<Reservation> {
        self.pool.reserve(bytes)
    }

    /// Bytes in live buffers now, and the most there were.
    pub fn memory(&self) -> (u64, u64) {
        self.pool.usage()
    }

    /// Forgets the peak: that of [`Ctx::memory`] is from here on that of what follows.
    pub fn reset_peak(&self) {
        self.pool.reset_peak();
    }

    /// Frees the pool's idle buffers.
    pub fn trim(&self) {
        self.pool.trim();
    }

    /// Asks every run that shares this context to end at its next operation.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// # Errors
    /// [`ErrorKind::Interrupted`] after [`Ctx::stop`]. Long kernels call it now and then.
    pub fn check_stop(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Diagnostic::new(ErrorKind::Interrupted, "interrupted"));
        }
        Ok(())
    }
}

/// Bytes of a dense tensor.
///
/// # Errors
/// [`ErrorKind::Resource`] on overflow of `isize`, the most that Rust can allocate.
pub fn byte_len(element: ElementType, dims: &[usize]) -> Result<usize> {
    if dims.contains(&0) {
        return Ok(0);
    }
    dims.iter()
        .try_fold(element.byte_size(), |n, &d| n.checked_mul(d))
        .filter(|&n| n <= isize::MAX as usize)
        .ok_or_else(|| {
            Diagnostic::resource(format!(
                "a tensor of shape {dims:?} and type {element} is larger than the address space"
            ))
        })
}

/// A region of scalar operations (the body of a `reduce`, `scatter`, `sort`, `map`, …), compiled.
/// It is applied to many lanes at once, so its cost per call is spread over `n` elements.
///
/// `tensorcore` implements it; `sparsecore` and the others, which may not know `tensorcore`, get it
/// as `&dyn RegionFn`.
pub trait RegionFn: Send + Sync {
    /// Element types of the arguments and of the results.
    fn signature(&self) -> (&[ElementType], &[ElementType]);

    /// Lane by lane: `args[i]` holds `n` elements of argument `i`, `outs[j]` takes `n` of result `j`.
    /// Values that the region captures are splats inside.
    fn eval(&self, args: &[&[u8]], outs: &mut [&mut [u8]], n: usize);

    /// The region as one known operation per result, where it is that: see [`Combiner`].
    fn combiner(&self) -> Option<Combiner> {
        None
    }
}

/// Reduction bodies with a fast path. The first argument(s) are the accumulator, the second the update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combiner {
    /// `op(acc, update)`, or `op(update, acc)` where the order does not matter.
    Binary(crate::ir::Binary),
    /// Returns the update: `scatter` that overwrites.
    Second,
    /// Returns the accumulator.
    First,
}
