//! `gather`, `dynamic_gather` and `torch_index_select`.
//!
//! The result's dimensions are of two kinds: batch dimensions say which index vector, offset
//! dimensions say where inside the window. Neighbours of one kind are merged, which leaves a few
//! levels: a lookup of embedding rows is (batch, offset), one row copied per index; a lookup of
//! scalars is (batch), one load per index. Rows of 2, 4, 8 or 16 bytes are taken as one element.

use crate::by_width;
use crate::index::{self, List, Numbers, Starts};
use rayon::prelude::*;
use sim_core::ir::op::GatherDims;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// Results under this size are made by the calling thread.
const PARALLEL_FROM: usize = 64 << 10;
/// What one task makes, about. Fixed, so that the split never depends on the number of threads.
const CHUNK: usize = 64 << 10;

/// Merged result dimensions of one kind, outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// Steps through the offsets.
    Batch { n: usize, stride: usize },
    /// Steps through the operand.
    Window { n: usize, stride: usize },
}

impl Level {
    fn n(self) -> usize {
        match self {
            Level::Batch { n, .. } | Level::Window { n, .. } => n,
        }
    }

    /// This level with `inner` joined to it, if they are contiguous.
    fn joined(self, inner: Level) -> Option<Level> {
        match (self, inner) {
            (Level::Batch { n: a, stride: s }, Level::Batch { n, stride }) if s == stride * n => {
                Some(Level::Batch { n: a * n, stride })
            }
            (Level::Window { n: a, stride: s }, Level::Window { n, stride }) if s == stride * n => {
                Some(Level::Window { n: a * n, stride })
            }
            _ => None,
        }
    }
}

/// `stablehlo.gather`: one window of `slice_sizes` of `operand` for every index vector in
/// `start_indices` (integers of any width and sign), its start clamped so that the window is in
/// bounds. Any element type; all of the specification's dimension numbers, batching included.
///
/// # Errors
/// `Invalid` when the dimension numbers contradict the shapes.
pub fn gather(
    ctx: &Ctx,
    operand: &Tensor,
    start_indices: &Tensor,
    dims: &GatherDims,
    slice_sizes: &[i64],
) -> Result<Tensor> {
    let shape = operand.shape();
    let window: List = slice_sizes
        .iter()
        .map(|&n| usize::try_from(n).map_err(|_| Diagnostic::invalid(format!("slice size {n} is negative"))))
        .collect::<Result<_>>()?;
    if window.len() != shape.len() || window.iter().zip(shape).any(|(w, n)| w > n) {
        return Err(Diagnostic::invalid(format!(
            "slice_sizes {slice_sizes:?} do not fit an operand of shape {shape:?}"
        )));
    }
    let numbers = Numbers {
        start_index_map: &dims.start_index_map,
        operand_batching: &dims.operand_batching_dims,
        indices_batching: &dims.start_indices_batching_dims,
        index_vector_dim: dims.index_vector_dim,
        window: &window,
    };
    let starts = Starts::new(shape, start_indices, &numbers)?;
    let (out_shape, levels) = layout(shape, &window, dims, &starts)?;
    let mut out = ctx.alloc(operand.element(), &out_shape)?;
    if out.is_empty() {
        return Ok(out);
    }
    let mut levels = merged(&levels);
    let mut offsets = starts.clamped(ctx)?;
    let mut width = operand.element().byte_size();
    if let Some(n) = widened(&mut levels, &starts, width) {
        offsets.divide(n);
        width *= n;
    }
    by_width!(width, T => {
        let dst: &mut [T] = bytemuck::cast_slice_mut(out.bytes_mut());
        let len = operand.bytes().len() / width * width;
        run(dst, bytemuck::cast_slice(&operand.bytes()[..len]), offsets.get(), 0, &levels);
    });
    Ok(out)
}

/// `stablehlo.dynamic_gather`: [`gather`] whose slice sizes are the values of a tensor.
///
/// # Errors
/// As [`gather`], and `Invalid` when `slice_sizes` is not of integers.
pub fn dynamic_gather(
    ctx: &Ctx,
    operand: &Tensor,
    start_indices: &Tensor,
    slice_sizes: &Tensor,
    dims: &GatherDims,
) -> Result<Tensor> {
    if !slice_sizes.element().is_integer() {
        return Err(Diagnostic::invalid(format!(
            "slice sizes of {} are not integers",
            slice_sizes.element()
        )));
    }
    gather(ctx, operand, start_indices, dims, &slice_sizes.to_i64s())
}

/// `stablehlo.torch_index_select`: slices of `operand` along `dim`, chosen by `index` (clamped). The
/// first `batch_dims` dimensions of both go together.
///
/// # Errors
/// `Invalid` unless `batch_dims <= dim < rank` and `batch_dims` is at most the index's rank.
pub fn torch_index_select(
    ctx: &Ctx,
    operand: &Tensor,
    index: &Tensor,
    dim: i64,
    batch_dims: i64,
) -> Result<Tensor> {
    let (rank, index_rank) = (operand.rank() as i64, index.rank() as i64);
    if !(0 <= batch_dims && batch_dims <= dim && dim < rank && batch_dims <= index_rank) {
        return Err(Diagnostic::invalid(format!(
            "dim {dim} and batch_dims {batch_dims} do not fit an operand of {rank} dimensions and an \
             index of {index_rank}"
        )));
    }
    let chosen = index_rank - batch_dims;
    let mut sizes: Vec<i64> = operand.shape().iter().map(|&n| n as i64).collect();
    for d in (0..batch_dims).chain([dim]) {
        // A window of one element; of none where there is none.
        sizes[d as usize] = sizes[d as usize].min(1);
    }
    let dims = GatherDims {
        offset_dims: (batch_dims..dim).chain(dim + chosen..rank - 1 + chosen).collect(),
        collapsed_slice_dims: vec![dim],
        operand_batching_dims: (0..batch_dims).collect(),
        start_indices_batching_dims: (0..batch_dims).collect(),
        start_index_map: vec![dim],
        index_vector_dim: index_rank,
    };
    if operand.shape()[dim as usize] == 0 && !index.is_empty() {
        return Err(Diagnostic::invalid(format!("nothing to select from: dimension {dim} is empty")));
    }
    gather(ctx, operand, index, &dims, &sizes)
}

/// The result's shape and its dimensions as levels.
fn layout(
    shape: &[usize],
    window: &[usize],
    numbers: &GatherDims,
    starts: &Starts,
) -> Result<(List, SmallVec<[Level; 6]>)> {
    let mut kept = [true].repeat(shape.len());
    for list in [&numbers.collapsed_slice_dims, &numbers.operand_batching_dims] {
        for d in index::dims("collapsed_slice_dims or operand_batching_dims", list, shape.len())? {
            if window[d] > 1 {
                return Err(Diagnostic::invalid(format!(
                    "dimension {d} has slice size {}, but only sizes up to 1 leave the result",
                    window[d]
                )));
            }
            kept[d] = false;
        }
    }
    let stride = index::strides(shape);
    let mut windows = (0..shape.len()).filter(|&d| kept[d]);
    let rank = starts.batch.len() + numbers.offset_dims.len();
    let offset = index::dims("offset_dims", &numbers.offset_dims, rank)?;
    let batch_stride = index::strides(&starts.batch);
    let mut batch = 0;
    let mut levels: SmallVec<[Level; 6]> = SmallVec::new();
    for d in 0..rank {
        levels.push(if offset.contains(&d) {
            let w = windows
                .next()
                .ok_or_else(|| Diagnostic::invalid("more offset_dims than window dimensions"))?;
            Level::Window { n: window[w], stride: stride[w] }
        } else {
            batch += 1;
            match starts.batch.get(batch - 1) {
                Some(&n) => Level::Batch { n, stride: batch_stride[batch - 1] },
                None => return Err(Diagnostic::invalid("offset_dims repeats a dimension")),
            }
        });
    }
    if windows.next().is_some() {
        return Err(Diagnostic::invalid("fewer offset_dims than window dimensions"));
    }
    // A collapsed dimension of size 0 has no element to give.
    let hollow = (0..shape.len()).any(|d| !kept[d] && window[d] == 0);
    if hollow && levels.iter().all(|l| l.n() > 0) {
        return Err(Diagnostic::invalid("a collapsed dimension has slice size 0"));
    }
    Ok((levels.iter().map(|l| l.n()).collect(), levels))
}

fn merged(levels: &[Level]) -> SmallVec<[Level; 6]> {
    let mut out: SmallVec<[Level; 6]> = SmallVec::new();
    for &l in levels.iter().filter(|l| l.n() != 1) {
        match out.last().and_then(|o| o.joined(l)) {
            Some(joined) => *out.last_mut().expect("just seen") = joined,
            None => out.push(l),
        }
    }
    out
}

/// Takes a short innermost window as one wider element; returns how many elements it joins.
fn widened(levels: &mut SmallVec<[Level; 6]>, starts: &Starts, width: usize) -> Option<usize> {
    let &Level::Window { n, stride: 1 } = levels.last()? else { return None };
    let outer = &levels[..levels.len() - 1];
    let even = outer.iter().all(|l| !matches!(l, Level::Window { stride, .. } if !stride.is_multiple_of(n)));
    if !(matches!(n.checked_mul(width)?, 2 | 4 | 8 | 16) && even && starts.aligned_to(n)) {
        return None;
    }
    levels.pop();
    for l in levels.iter_mut() {
        if let Level::Window { stride, .. } = l {
            *stride /= n;
        }
    }
    Some(n)
}

/// Fills `dst`, the whole box of `levels`, for the offsets from `offsets[0]` on and the window
/// position `at`. Large boxes are split along their outermost level.
fn run<T: bytemuck::Pod + Send + Sync>(
    dst: &mut [T],
    src: &[T],
    offsets: &[u64],
    at: usize,
    levels: &[Level],
) {
    let Some((&outer, inner)) = levels.split_first() else {
        dst[0] = src[offsets[0] as usize + at];
        return;
    };
    if size_of_val(dst) < PARALLEL_FROM {
        return sequential(dst, src, offsets, at, levels);
    }
    let each = dst.len() / outer.n();
    let per = (CHUNK / (each * size_of::<T>())).max(1);
    dst.par_chunks_mut(per * each).enumerate().for_each(|(i, dst)| {
        let n = dst.len() / each;
        let (offsets, at, part) = match outer {
            Level::Batch { stride, .. } => (&offsets[i * per * stride..], at, Level::Batch { n, stride }),
            Level::Window { stride, .. } => (offsets, at + i * per * stride, Level::Window { n, stride }),
        };
        if n == 1 {
            return run(dst, src, offsets, at, inner);
        }
        let mut levels: SmallVec<[Level; 6]> = SmallVec::from_slice(levels);
        levels[0] = part;
        sequential(dst, src, offsets, at, &levels);
    });
}

fn sequential<T: bytemuck::Pod>(dst: &mut [T], src: &[T], offsets: &[u64], at: usize, levels: &[Level]) {
    match *levels {
        [] => dst[0] = src[offsets[0] as usize + at],
        [Level::Window { n, stride }] => {
            let src = &src[offsets[0] as usize + at..];
            if stride == 1 {
                dst.copy_from_slice(&src[..n]);
            } else {
                dst.iter_mut().zip(src.iter().step_by(stride)).for_each(|(d, &s)| *d = s);
            }
        }
        [Level::Batch { stride, .. }] => {
            let src = &src[at..];
            dst.iter_mut().zip(offsets.iter().step_by(stride)).for_each(|(d, &o)| *d = src[o as usize]);
        }
        [Level::Batch { stride, .. }, Level::Window { n, stride: 1 }] => {
            let src = &src[at..];
            for (row, &o) in dst.chunks_exact_mut(n).zip(offsets.iter().step_by(stride)) {
                row.copy_from_slice(&src[o as usize..][..n]);
            }
        }
        [outer, ref inner @ ..] => {
            let each = dst.len() / outer.n();
            for (i, dst) in dst.chunks_exact_mut(each).enumerate() {
                match outer {
                    Level::Batch { stride, .. } => sequential(dst, src, &offsets[i * stride..], at, inner),
                    Level::Window { stride, .. } => sequential(dst, src, offsets, at + i * stride, inner),
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "gather_tests.rs"]
mod tests;
