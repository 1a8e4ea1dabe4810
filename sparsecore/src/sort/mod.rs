//! `sort`.
//!
//! The comparator of a `sort` is a region, but nearly always it says "these keys, in this order"
//! ([`recognise`] finds out). Then every element's keys become one unsigned code that compares the
//! same way ([`key`]), and codes are radix-sorted ([`radix`]): alone when the only operand is the
//! key itself, else joined with the element's position, which makes the sort stable and says where
//! the other operands' elements go. Any other comparator gets a merge sort with batched comparisons
//! ([`general`]).
//!
//! All sorts are stable, whatever `is_stable` asks. Rows are sorted in parallel.

mod general;
mod key;
mod radix;
mod recognise;
mod top_k;

pub use key::{Order, Part, SortKey};
pub use recognise::recognise;
pub use top_k::top_k;

use crate::by_width;
use key::Coder;
use radix::Code;
use rayon::prelude::*;
use sim_core::exec::RegionFn;
use sim_core::tensor::Buffer;
use sim_core::{Ctx, Diagnostic, Result, Tensor};

/// Elements that one task sorts, about (a row, if that is longer).
const TASK: usize = 16 << 10;

/// A position inside a row, as narrow as it may be.
trait Row: bytemuck::Pod + Send + Sync {
    fn from_usize(i: usize) -> Self;
    fn to_usize(self) -> usize;
}

impl Row for u32 {
    fn from_usize(i: usize) -> Self {
        i as u32
    }

    fn to_usize(self) -> usize {
        self as usize
    }
}

impl Row for u64 {
    fn from_usize(i: usize) -> Self {
        i as u64
    }

    fn to_usize(self) -> usize {
        self as usize
    }
}

/// `stablehlo.sort`: reorders all `inputs` (of one shape, any element types) along `dim`, each 1D
/// slice for itself, so that `comparator(lhs0, rhs0, lhs1, rhs1, …)` says of no later element that
/// it belongs before an earlier one. Stable.
///
/// `keys`, from [`recognise`], must mean the same as `comparator`, which is used when there are
/// none, and where the keys leave the order open ([`Order::Partial`] with NaNs).
///
/// # Errors
/// `Invalid` when `dim` is not a dimension or the comparator does not fit the inputs.
pub fn sort(
    ctx: &Ctx,
    inputs: &[Tensor],
    dim: usize,
    keys: Option<&[SortKey]>,
    comparator: &dyn RegionFn,
) -> Result<Vec<Tensor>> {
    let Some(first) = inputs.first().filter(|t| dim < t.rank()) else {
        return Err(Diagnostic::invalid(format!("there is no dimension {dim} to sort along")));
    };
    let shape = first.shape().to_vec();
    if inputs.iter().any(|t| t.shape() != shape) {
        return Err(Diagnostic::invalid("the inputs of a sort must have one shape"));
    }
    let pairs = inputs.iter().flat_map(|t| [t.element(); 2]);
    if !pairs.eq(comparator.signature().0.iter().copied()) {
        return Err(Diagnostic::invalid("the comparator's arguments are not pairs of the inputs' elements"));
    }
    let n = shape[dim];
    if first.is_empty() || n == 1 {
        return Ok(inputs.to_vec());
    }
    let inner: usize = shape[dim + 1..].iter().product();
    let outer: usize = shape[..dim].iter().product();
    if inner == 1 {
        return rows(ctx, inputs, n, keys, comparator);
    }
    // The sorted dimension goes last and comes back.
    let inputs = inputs.iter().map(|t| swapped(ctx, t, outer, n, inner)).collect::<Result<Vec<_>>>()?;
    rows(ctx, &inputs, n, keys, comparator)?
        .iter()
        .map(|t| Ok(swapped(ctx, t, outer, inner, n)?.reshaped(&shape)))
        .collect()
}

/// `[outer, a, b]` as `[outer, b, a]`.
fn swapped(ctx: &Ctx, t: &Tensor, outer: usize, a: usize, b: usize) -> Result<Tensor> {
    /// Rows of the result that are written together, so that each source line is read once.
    const BAND: usize = 16;
    let mut out = ctx.alloc(t.element(), &[outer, b, a])?;
    by_width!(t.element().byte_size(), T => {
        let src: &[T] = bytemuck::cast_slice(t.bytes());
        let dst: &mut [T] = bytemuck::cast_slice_mut(out.bytes_mut());
        dst.par_chunks_mut(a * b).zip(src.par_chunks(a * b)).for_each(|(dst, src)| {
            dst.par_chunks_mut(BAND * a).enumerate().for_each(|(band, dst)| {
                let count = dst.len() / a;
                for (i, line) in src.chunks_exact(b).enumerate() {
                    for (r, &x) in line[band * BAND..][..count].iter().enumerate() {
                        dst[r * a + i] = x;
                    }
                }
            });
        });
    });
    Ok(out)
}

/// Sorts rows of `n` contiguous elements.
fn rows(
    ctx: &Ctx,
    inputs: &[Tensor],
    n: usize,
    keys: Option<&[SortKey]>,
    comparator: &dyn RegionFn,
) -> Result<Vec<Tensor>> {
    let coders = keys.and_then(|keys| Some((keys, key::coders(inputs, keys)?)));
    if let ([input], Some((_, coders))) = (inputs, &coders)
        && let [coder] = &coders[..]
        && u32::try_from(n).is_ok()
        && let Some(out) = alone(ctx, input, n, coder)?
    {
        return Ok(vec![out]);
    }
    if u32::try_from(n).is_err() {
        return by_positions::<u64>(ctx, inputs, n, |order| {
            general::order(ctx, inputs, n, comparator, order)
        });
    }
    by_positions::<u32>(ctx, inputs, n, |order| match &coders {
        Some((keys, coders)) => by_keys(ctx, inputs, n, keys, coders, order),
        None => general::order(ctx, inputs, n, comparator, order),
    })
}

/// Gets the rows' orders and moves every input's elements accordingly.
fn by_positions<I: Row>(
    ctx: &Ctx,
    inputs: &[Tensor],
    n: usize,
    fill: impl FnOnce(&mut [I]) -> Result<()>,
) -> Result<Vec<Tensor>> {
    let bytes = sim_core::exec::byte_len(sim_core::ElementType::U64, &[inputs[0].len()])?;
    let mut order = ctx.scratch(bytes / 8 * size_of::<I>())?;
    let order: &mut [I] = bytemuck::cast_slice_mut(order.bytes_mut());
    fill(order)?;
    let order = &*order;
    inputs
        .iter()
        .map(|t| {
            let mut out = ctx.alloc(t.element(), t.shape())?;
            by_width!(t.element().byte_size(), T => {
                let (dst, src): (&mut [T], &[T]) =
                    (bytemuck::cast_slice_mut(out.bytes_mut()), bytemuck::cast_slice(t.bytes()));
                dst.par_chunks_mut(TASK).zip(order.par_chunks(TASK)).enumerate().for_each(|(i, (dst, order))| {
                    let mut at = i * TASK;
                    // Row by row, as far as this task's piece reaches.
                    let (mut dst, mut order) = (dst, order);
                    while !dst.is_empty() {
                        let row = &src[at / n * n..][..n];
                        let len = (n - at % n).min(dst.len());
                        let (d, rest) = dst.split_at_mut(len);
                        let (o, orders) = order.split_at(len);
                        d.iter_mut().zip(o).for_each(|(d, o)| *d = row[o.to_usize()]);
                        (dst, order, at) = (rest, orders, at + len);
                    }
                });
            });
            Ok(out)
        })
        .collect()
}

/// Tasks of some whole rows: how many elements each has.
fn task(n: usize) -> usize {
    (TASK / n).max(1) * n
}

/// Two buffers of `n` codes.
fn code_buffers<C: Code>(ctx: &Ctx, n: usize) -> Result<(Buffer, Buffer)> {
    Ok((ctx.scratch(n * size_of::<C>())?, ctx.scratch(n * size_of::<C>())?))
}

/// Sorts the only operand by itself, when its values can be read back from their codes.
fn alone(ctx: &Ctx, input: &Tensor, n: usize, coder: &Coder) -> Result<Option<Tensor>> {
    if !coder.exact(input.bytes()) {
        return Ok(None);
    }
    let mut out = ctx.alloc(input.element(), input.shape())?;
    by_width!(input.element().byte_size(), T => {
        if coder.bits <= 32 {
            codes_alone::<T, u32>(ctx, input, &mut out, n, coder)?;
        } else {
            codes_alone::<T, u64>(ctx, input, &mut out, n, coder)?;
        }
    });
    Ok(Some(out))
}

/// A storage type and a code type that hold each other's low bits.
trait FromCode {
    fn from_code(code: u64) -> Self;
}

macro_rules! from_code {
    ($($T:ty),*) => { $(impl FromCode for $T {
        #[inline(always)]
        fn from_code(code: u64) -> Self {
            code as $T
        }
    })* };
}

from_code!(u8, u16, u32, u64, u128);

impl FromCode for [u64; 2] {
    fn from_code(code: u64) -> Self {
        [code, 0]
    }
}

fn codes_alone<T, C>(ctx: &Ctx, input: &Tensor, out: &mut Tensor, n: usize, coder: &Coder) -> Result<()>
where
    T: bytemuck::Pod + FromCode + Send + Sync,
    C: Code + FromCode + Into<u128>,
{
    let task = task(n);
    let (dst, src): (&mut [T], &[T]) =
        (bytemuck::cast_slice_mut(out.bytes_mut()), bytemuck::cast_slice(input.bytes()));
    dst.par_chunks_mut(task).zip(src.par_chunks(task)).try_for_each(|(dst, src)| {
        let (mut codes, mut temp) = code_buffers::<C>(ctx, n)?;
        let codes: &mut [C] = bytemuck::cast_slice_mut(codes.bytes_mut());
        let temp: &mut [C] = bytemuck::cast_slice_mut(temp.bytes_mut());
        for (dst, src) in dst.chunks_exact_mut(n).zip(src.chunks_exact(n)) {
            let mut slots = codes.iter_mut();
            coder.each(bytemuck::cast_slice(src), |c| {
                if let Some(slot) = slots.next() {
                    *slot = C::from_code(c);
                }
            });
            radix::sort(codes, temp, 0, coder.bits);
            dst.iter_mut().zip(codes.iter()).for_each(|(d, &c)| {
                let code: u128 = c.into();
                *d = T::from_code(coder.decode(code as u64));
            });
        }
        Ok(())
    })
}

/// Recognised keys with their coders, over rows of `n`.
struct Keyed<'a> {
    inputs: &'a [Tensor],
    keys: &'a [SortKey],
    coders: &'a [Coder],
    n: usize,
}

impl Keyed<'_> {
    /// Calls `f(code)` for every element of key `k` in `row`.
    #[inline]
    fn each(&self, row: usize, k: usize, f: impl FnMut(u64)) {
        let input = &self.inputs[self.keys[k].operand];
        let bytes = self.n * input.element().byte_size();
        self.coders[k].each(&input.bytes()[row * bytes..][..bytes], f);
    }

    /// Sorts the rows from `first` on by one integer each: the codes of all keys, then the position.
    fn packed<C>(&self, ctx: &Ctx, first: usize, order: &mut [u32]) -> Result<()>
    where
        C: Code + FromCode + std::ops::BitOr<Output = C> + std::ops::Shl<u32, Output = C> + Into<u128>,
    {
        let (mut codes, mut temp) = code_buffers::<C>(ctx, self.n)?;
        let codes: &mut [C] = bytemuck::cast_slice_mut(codes.bytes_mut());
        let temp: &mut [C] = bytemuck::cast_slice_mut(temp.bytes_mut());
        for (r, order) in order.chunks_exact_mut(self.n).enumerate() {
            codes.iter_mut().enumerate().for_each(|(i, c)| *c = C::from_code(i as u64));
            let mut shift = POSITION;
            for k in (0..self.keys.len()).rev() {
                let mut slots = codes.iter_mut();
                self.each(first + r, k, |code| {
                    if let Some(slot) = slots.next() {
                        *slot = *slot | C::from_code(code) << shift;
                    }
                });
                shift += self.coders[k].bits;
            }
            radix::sort(codes, temp, POSITION, shift);
            order.iter_mut().zip(codes.iter()).for_each(|(o, &c)| {
                let code: u128 = c.into();
                *o = code as u32;
            });
        }
        Ok(())
    }

    /// Sorts the rows from `first` on by keys that are too many for one integer.
    fn lexicographic(&self, ctx: &Ctx, first: usize, order: &mut [u32]) -> Result<()> {
        let mut codes = ctx.scratch(self.n * self.keys.len() * 8)?;
        let codes: &mut [u64] = bytemuck::cast_slice_mut(codes.bytes_mut());
        for (r, order) in order.chunks_exact_mut(self.n).enumerate() {
            for k in 0..self.keys.len() {
                let mut slots = codes.iter_mut().skip(k).step_by(self.keys.len());
                self.each(first + r, k, |code| {
                    if let Some(slot) = slots.next() {
                        *slot = code;
                    }
                });
            }
            let of = |i: u32| &codes[i as usize * self.keys.len()..][..self.keys.len()];
            order.iter_mut().enumerate().for_each(|(i, o)| *o = i as u32);
            order.sort_by(|&a, &b| of(a).cmp(of(b)));
        }
        Ok(())
    }
}

/// Bits of a position inside a row.
const POSITION: u32 = 32;

/// The order of each row by its keys' codes, then by position.
fn by_keys(
    ctx: &Ctx,
    inputs: &[Tensor],
    n: usize,
    keys: &[SortKey],
    coders: &[Coder],
    order: &mut [u32],
) -> Result<()> {
    let keyed = Keyed { inputs, keys, coders, n };
    let bits: u32 = coders.iter().map(|c| c.bits).sum();
    let task = task(n);
    order.par_chunks_mut(task).enumerate().try_for_each(|(i, order)| {
        ctx.check_stop()?;
        let first = i * (task / n);
        match bits {
            0..=32 => keyed.packed::<u64>(ctx, first, order),
            33..=96 => keyed.packed::<u128>(ctx, first, order),
            _ => keyed.lexicographic(ctx, first, order),
        }
    })
}

#[cfg(test)]
mod tests;
