//! Index vectors of gather and scatter, turned into offsets.
//!
//! Both operations carry a tensor of index vectors. One of its dimensions (`index_vector_dim`)
//! runs along a vector; the others count the *batches*: how many windows are read or written. Here
//! every batch becomes one number, the position of its window's first element in the operand, and
//! the kernels never see an index again.

use rayon::prelude::*;
use sim_core::tensor::Buffer;
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};
use smallvec::SmallVec;

/// The offset of a window that is wholly out of bounds: nothing is written.
pub(crate) const OUTSIDE: u64 = u64::MAX;
/// The offset of a window that is partly out of bounds.
pub(crate) const PARTLY: u64 = u64::MAX - 1;

/// Offsets are computed in pieces of so many, which are also the parallel tasks.
const PIECE: usize = 8192;

pub(crate) type List = SmallVec<[usize; 6]>;

/// Row-major strides in elements.
pub(crate) fn strides(shape: &[usize]) -> List {
    let mut out = List::from_elem(1, shape.len());
    for i in (1..shape.len()).rev() {
        out[i - 1] = out[i].wrapping_mul(shape[i]);
    }
    out
}

/// Dimension numbers as indices, each below `rank`.
///
/// # Errors
/// `Invalid`, naming the list.
pub(crate) fn dims(name: &str, list: &[i64], rank: usize) -> Result<List> {
    list.iter()
        .map(|&d| {
            usize::try_from(d).ok().filter(|&d| d < rank).ok_or_else(|| {
                Diagnostic::invalid(format!("{name} has {d}, which is not one of {rank} dimensions"))
            })
        })
        .collect()
}

/// One component of the index vectors: the operand dimension it moves along.
#[derive(Clone, Copy, Debug)]
struct Component {
    stride: u64,
    size: u64,
    /// The largest start with the window in bounds.
    last: u64,
    window: u64,
}

/// A batching dimension: batch `b` adds `(b / step) % size * stride`.
#[derive(Clone, Copy, Debug)]
struct Batching {
    step: usize,
    size: usize,
    stride: u64,
}

/// The dimension numbers that gather and scatter share, under gather's names where they differ.
pub(crate) struct Numbers<'a> {
    pub start_index_map: &'a [i64],
    pub operand_batching: &'a [i64],
    pub indices_batching: &'a [i64],
    pub index_vector_dim: i64,
    /// Size of the window in every operand dimension.
    pub window: &'a [usize],
}

/// The index vectors of one operation, ready to give offsets.
pub(crate) struct Starts<'a> {
    indices: &'a Tensor,
    /// Number of batches.
    pub count: usize,
    /// Sizes of the batch dimensions.
    pub batch: List,
    /// Batches that lie inside one step of the index vector's dimension.
    inner: usize,
    depth: usize,
    components: SmallVec<[Component; 4]>,
    batching: SmallVec<[Batching; 2]>,
}

impl<'a> Starts<'a> {
    pub fn new(operand: &[usize], indices: &'a Tensor, numbers: &Numbers) -> Result<Self> {
        let shape = indices.shape();
        if !(indices.element().is_integer()) {
            return Err(Diagnostic::invalid(format!("indices of {} are not integers", indices.element())));
        }
        let vector = usize::try_from(numbers.index_vector_dim)
            .ok()
            .filter(|&v| v <= shape.len())
            .ok_or_else(|| {
                Diagnostic::invalid(format!(
                    "index_vector_dim {} is not one of {} dimensions, nor one past them",
                    numbers.index_vector_dim,
                    shape.len()
                ))
            })?;
        let depth = shape.get(vector).copied().unwrap_or(1);
        let mut batch = List::from_slice(shape);
        if vector < shape.len() {
            batch.remove(vector);
        }
        let map = dims("start_index_map", numbers.start_index_map, operand.len())?;
        if map.len() != depth {
            return Err(Diagnostic::invalid(format!(
                "index vectors of {depth} components for {} operand dimensions",
                map.len()
            )));
        }
        let stride = strides(operand);
        let components = map
            .iter()
            .map(|&d| {
                let (size, window) = (operand[d] as u64, numbers.window[d] as u64);
                let last = size.checked_sub(window).ok_or_else(|| {
                    Diagnostic::invalid(format!("a window of size {window} in a dimension of size {size}"))
                })?;
                Ok(Component { stride: stride[d] as u64, size, last, window })
            })
            .collect::<Result<_>>()?;
        let ours = dims("operand_batching_dims", numbers.operand_batching, operand.len())?;
        let theirs = dims("start_indices_batching_dims", numbers.indices_batching, shape.len())?;
        let step = strides(&batch);
        let mut batching = SmallVec::new();
        if ours.len() != theirs.len() {
            return Err(Diagnostic::invalid("the lists of batching dimensions differ in length"));
        }
        for (&o, &t) in ours.iter().zip(&theirs) {
            if t == vector || operand[o] != shape[t] {
                return Err(Diagnostic::invalid(format!(
                    "batching dimensions {o} of the operand and {t} of the indices do not match"
                )));
            }
            let b = t - usize::from(t > vector);
            batching.push(Batching { step: step[b], size: batch[b], stride: stride[o] as u64 });
        }
        let empty = batch.contains(&0);
        let count = if empty { 0 } else { batch.iter().product() };
        let inner = if empty { 1 } else { batch[vector.min(batch.len())..].iter().product() };
        Ok(Starts { indices, count, batch, inner, depth, components, batching })
    }

    /// Can two windows with different offsets never overlap?
    pub fn disjoint(&self) -> bool {
        self.components.iter().all(|c| c.window == 1 || c.window == c.size)
    }

    /// Is every stride along which a window may move a multiple of `n`?
    pub fn aligned_to(&self, n: usize) -> bool {
        let n = n as u64;
        self.components.iter().all(|c| c.last == 0 || c.stride.is_multiple_of(n))
            && self.batching.iter().all(|b| b.stride.is_multiple_of(n))
    }

    /// Component `k` of batch `b`'s index vector, saturated to i64.
    pub fn component(&self, b: usize, k: usize) -> i64 {
        let at = (b / self.inner) * self.inner * self.depth + k * self.inner + b % self.inner;
        let size = self.indices.element().byte_size();
        let mut one = [0; 8];
        one[..size].copy_from_slice(&self.indices.bytes()[at * size..][..size]);
        let raw = i64::from_le_bytes(one);
        let spare = 64 - 8 * size as u32;
        match self.indices.element().is_unsigned() {
            true if size == 8 => (raw as u64).min(i64::MAX as u64) as i64,
            true => raw,
            false => (raw << spare) >> spare,
        }
    }

    /// The offset that batch `b`'s batching dimensions add.
    pub fn batching_offset(&self, b: usize) -> u64 {
        self.batching.iter().map(|d| ((b / d.step) % d.size) as u64 * d.stride).sum()
    }

    /// Offsets with every start clamped so that its window is in bounds (gather).
    pub fn clamped(&self, ctx: &Ctx) -> Result<Offsets> {
        self.offsets(ctx, |offset, start: i64, c| {
            let start = start.clamp(0, c.last as i64) as u64;
            offset.wrapping_add(start * c.stride)
        })
    }

    /// Offsets of the windows in bounds (scatter); [`OUTSIDE`] for the others, and [`PARTLY`] for
    /// those that are partly in unless `whole` asks to drop them too.
    pub fn checked(&self, ctx: &Ctx, whole: bool) -> Result<Offsets> {
        self.offsets(ctx, move |offset, start: i64, c| {
            if offset == OUTSIDE {
                return OUTSIDE;
            }
            if start >= 0 && start as u64 <= c.last {
                return if offset == PARTLY { PARTLY } else { offset + start as u64 * c.stride };
            }
            let partly = start.saturating_add_unsigned(c.window) > 0 && (start.max(0) as u64) < c.size;
            if partly && !whole { PARTLY } else { OUTSIDE }
        })
    }

    fn offsets(&self, ctx: &Ctx, step: impl Fn(u64, i64, &Component) -> u64 + Sync) -> Result<Offsets> {
        let mut offsets = Offsets(ctx.scratch(self.count.checked_mul(8).ok_or_else(too_many)?)?);
        let all: &mut [u64] = bytemuck::cast_slice_mut(offsets.0.bytes_mut());
        let work = |(i, piece): (usize, &mut [u64])| {
            use ElementType as E;
            let first = i * PIECE;
            match self.indices.element() {
                E::U2 | E::U4 | E::U8 => self.piece(first, piece, |x: u8| x.into(), &step),
                E::S2 | E::S4 | E::S8 => self.piece(first, piece, |x: i8| x.into(), &step),
                E::U16 => self.piece(first, piece, |x: u16| x.into(), &step),
                E::S16 => self.piece(first, piece, |x: i16| x.into(), &step),
                E::U32 => self.piece(first, piece, |x: u32| x.into(), &step),
                E::S32 => self.piece(first, piece, |x: i32| x.into(), &step),
                E::U64 => self.piece(first, piece, |x: u64| x.min(i64::MAX as u64) as i64, &step),
                _ => self.piece(first, piece, |x: i64| x, &step),
            }
        };
        if self.count <= PIECE {
            all.chunks_mut(PIECE).enumerate().for_each(work);
        } else {
            all.par_chunks_mut(PIECE).enumerate().for_each(work);
        }
        Ok(offsets)
    }

    fn piece<T: bytemuck::Pod>(
        &self,
        first: usize,
        out: &mut [u64],
        wide: impl Fn(T) -> i64,
        step: &impl Fn(u64, i64, &Component) -> u64,
    ) {
        let indices: &[T] = bytemuck::cast_slice(self.indices.bytes());
        if self.batching.is_empty() {
            out.fill(0);
        } else {
            out.iter_mut().enumerate().for_each(|(i, o)| *o = self.batching_offset(first + i));
        }
        for (k, c) in self.components.iter().enumerate() {
            if self.inner == 1 {
                let vectors = indices[first * self.depth + k..].iter().step_by(self.depth);
                out.iter_mut().zip(vectors).for_each(|(o, &x)| *o = step(*o, wide(x), c));
            } else {
                for (i, o) in out.iter_mut().enumerate() {
                    let b = first + i;
                    let at = (b / self.inner) * self.inner * self.depth + k * self.inner + b % self.inner;
                    *o = step(*o, wide(indices[at]), c);
                }
            }
        }
    }
}

fn too_many() -> Diagnostic {
    Diagnostic::resource("the offsets of so many indices do not fit the address space")
}

/// One offset per batch, in row-major order of the batch dimensions.
pub(crate) struct Offsets(Buffer);

impl Offsets {
    pub fn get(&self) -> &[u64] {
        bytemuck::cast_slice(self.0.bytes())
    }

    /// Counted in elements `n` times as large.
    pub fn divide(&mut self, n: usize) {
        let all: &mut [u64] = bytemuck::cast_slice_mut(self.0.bytes_mut());
        all.iter_mut().for_each(|o| *o /= n as u64);
    }
}
