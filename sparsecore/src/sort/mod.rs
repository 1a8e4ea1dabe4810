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
    let all = vec![true; inputs.len()];
    Ok(sort_wanted(ctx, inputs.to_vec(), dim, keys, comparator, &all)?.into_iter().flatten().collect())
}

/// As [`sort`]; only those results are made that somebody wants, and inputs are let go as soon as
/// may be. An only input that nobody else owns is sorted in place.
///
/// # Errors
/// As [`sort`]; `Invalid` when `wanted` does not say yes or no for each input.
pub fn sort_wanted(
    ctx: &Ctx,
    inputs: Vec<Tensor>,
    dim: usize,
    keys: Option<&[SortKey]>,
    comparator: &dyn RegionFn,
    wanted: &[bool],
) -> Result<Vec<Option<Tensor>>> {
    if wanted.len() != inputs.len() {
        return Err(Diagnostic::invalid("a sort has as many results as inputs"));
    }
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
        return Ok(inputs.into_iter().map(Some).collect());
    }
    let inner: usize = shape[dim + 1..].iter().product();
    let outer: usize = shape[..dim].iter().product();
    if inner == 1 {
        return rows(ctx, inputs, n, keys, comparator, wanted);
    }
    // The sorted dimension goes last and comes back.
    let inputs = inputs.into_iter().map(|t| swapped(ctx, &t, outer, n, inner)).collect::<Result<Vec<_>>>()?;
    rows(ctx, inputs, n, keys, comparator, wanted)?
        .into_iter()
        .map(|t| t.map(|t| Ok(swapped(ctx, &t, outer, inner, n)?.reshaped(&shape))).transpose())
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
    mut inputs: Vec<Tensor>,
    n: usize,
    keys: Option<&[SortKey]>,
    comparator: &dyn RegionFn,
    wanted: &[bool],
) -> Result<Vec<Option<Tensor>>> {
    let coders = keys.and_then(|keys| Some((keys, key::coders(&inputs, keys)?)));
    if let ([input], Some((_, coders))) = (&mut inputs[..], &coders)
        && let [coder] = &coders[..]
        && u32::try_from(n).is_ok()
        && let Some(out) = alone(ctx, input, n, coder)?
    {
        return Ok(vec![Some(out)]);
    }
    if u32::try_from(n).is_err() {
        let order = order_buffer::<u64>(ctx, &inputs)?;
        let order = filled::<u64>(order, |order| general::order(ctx, &inputs, n, comparator, order))?;
        return by_positions::<u64>(ctx, inputs, n, order, wanted);
    }
    let order = match &coders {
        Some((keys, coders)) => by_keys(ctx, &inputs, n, keys, coders)?,
        None => filled::<u32>(order_buffer::<u32>(ctx, &inputs)?, |order| {
            general::order(ctx, &inputs, n, comparator, order)
        })?,
    };
    by_positions::<u32>(ctx, inputs, n, order, wanted)
}

/// A position for each element.
fn order_buffer<I: Row>(ctx: &Ctx, inputs: &[Tensor]) -> Result<Buffer> {
    let bytes = sim_core::exec::byte_len(sim_core::ElementType::U64, &[inputs[0].len()])?;
    ctx.scratch(bytes / 8 * size_of::<I>())
}

fn filled<I: Row>(mut buffer: Buffer, fill: impl FnOnce(&mut [I]) -> Result<()>) -> Result<Buffer> {
    fill(bytemuck::cast_slice_mut(buffer.bytes_mut()))?;
    Ok(buffer)
}

/// Moves every input's elements by the rows' orders.
fn by_positions<I: Row>(
    ctx: &Ctx,
    inputs: Vec<Tensor>,
    n: usize,
    order: Buffer,
    wanted: &[bool],
) -> Result<Vec<Option<Tensor>>> {
    let order: &[I] = bytemuck::cast_slice(order.bytes());
    // Those that nobody wants go first.
    let inputs: Vec<Option<Tensor>> = inputs.into_iter().zip(wanted).map(|(t, &w)| w.then_some(t)).collect();
    inputs
        .into_iter()
        .map(|t| {
            let Some(t) = t else { return Ok(None) };
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
            Ok(Some(out))
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
/// The input is taken where nobody else owns it.
fn alone(ctx: &Ctx, input: &mut Tensor, n: usize, coder: &Coder) -> Result<Option<Tensor>> {
    let width = input.element().byte_size();
    if !coder.exact(input.bytes()) || coder.bits as usize > 8 * width {
        return Ok(None);
    }
    let mut out = if input.is_unique() {
        std::mem::replace(input, Tensor::scalar(0u8))
    } else {
        let mut out = ctx.alloc(input.element(), input.shape())?;
        let task = task(n) * width;
        let pieces = out.bytes_mut().par_chunks_mut(task).zip(input.bytes().par_chunks(task));
        pieces.for_each(|(to, from)| to.copy_from_slice(from));
        out
    };
    match width {
        1 => codes_alone::<u8>(ctx, &mut out, n, coder)?,
        2 => codes_alone::<u16>(ctx, &mut out, n, coder)?,
        4 => codes_alone::<u32>(ctx, &mut out, n, coder)?,
        _ => codes_alone::<u64>(ctx, &mut out, n, coder)?,
    }
    Ok(Some(out))
}

/// An integer of a code's low bits.
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

/// Sorts rows in place, as codes `C` of the elements' width.
fn codes_alone<C>(ctx: &Ctx, rows: &mut Tensor, n: usize, coder: &Coder) -> Result<()>
where
    C: Code + FromCode + Into<u128>,
{
    let task = task(n);
    let rows: &mut [C] = bytemuck::cast_slice_mut(rows.bytes_mut());
    rows.par_chunks_mut(task).try_for_each(|rows| {
        ctx.check_stop()?;
        let mut temp = ctx.scratch(n * size_of::<C>())?;
        let temp: &mut [C] = bytemuck::cast_slice_mut(temp.bytes_mut());
        for row in rows.chunks_exact_mut(n) {
            temp.copy_from_slice(row);
            let mut slots = row.iter_mut();
            coder.each(bytemuck::cast_slice(temp), |c| {
                if let Some(slot) = slots.next() {
                    *slot = C::from_code(c);
                }
            });
            radix::sort(row, temp, 0, coder.bits);
            row.iter_mut().for_each(|c| {
                let code: u128 = (*c).into();
                *c = C::from_code(coder.decode(code as u64));
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

    /// Sorts a row by one integer an element: the codes of all keys, then the position.
    fn sorted<C: Joined>(&self, row: usize, codes: &mut [C], temp: &mut [C]) {
        codes.iter_mut().enumerate().for_each(|(i, c)| *c = C::from_code(i as u64));
        let mut shift = POSITION;
        for k in (0..self.keys.len()).rev() {
            let mut slots = codes.iter_mut();
            self.each(row, k, |code| {
                if let Some(slot) = slots.next() {
                    *slot = *slot | C::from_code(code) << shift;
                }
            });
            shift += self.coders[k].bits;
        }
        radix::sort(codes, temp, POSITION, shift);
    }

    /// The order of the only row. Its buffer is taken when the scratch of the sort is gone.
    fn one<C: Joined>(&self, ctx: &Ctx) -> Result<Buffer> {
        let (mut codes, mut temp) = code_buffers::<C>(ctx, self.n)?;
        let sorted: &mut [C] = bytemuck::cast_slice_mut(codes.bytes_mut());
        self.sorted(0, sorted, bytemuck::cast_slice_mut(temp.bytes_mut()));
        drop(temp);
        filled(order_buffer::<u32>(ctx, self.inputs)?, |order| {
            positions(sorted, order);
            Ok(())
        })
    }

    /// The orders of the rows from `first` on.
    fn packed<C: Joined>(&self, ctx: &Ctx, first: usize, order: &mut [u32]) -> Result<()> {
        let (mut codes, mut temp) = code_buffers::<C>(ctx, self.n)?;
        let codes: &mut [C] = bytemuck::cast_slice_mut(codes.bytes_mut());
        let temp: &mut [C] = bytemuck::cast_slice_mut(temp.bytes_mut());
        for (r, order) in order.chunks_exact_mut(self.n).enumerate() {
            self.sorted(first + r, codes, temp);
            positions(codes, order);
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

/// Codes that hold those of several keys, and a position.
trait Joined:
    Code + FromCode + std::ops::BitOr<Output = Self> + std::ops::Shl<u32, Output = Self> + Into<u128>
{
}

impl Joined for u64 {}
impl Joined for u128 {}

/// The positions in sorted codes.
fn positions<C: Joined>(codes: &[C], order: &mut [u32]) {
    order.iter_mut().zip(codes).for_each(|(o, &c)| {
        let code: u128 = c.into();
        *o = code as u32;
    });
}

/// Bits of a position inside a row.
const POSITION: u32 = 32;

/// The order of each row by its keys' codes, then by position.
fn by_keys(ctx: &Ctx, inputs: &[Tensor], n: usize, keys: &[SortKey], coders: &[Coder]) -> Result<Buffer> {
    let keyed = Keyed { inputs, keys, coders, n };
    let bits: u32 = coders.iter().map(|c| c.bits).sum();
    let rows = inputs[0].len() / n;
    match bits {
        0..=32 if rows == 1 => return keyed.one::<u64>(ctx),
        33..=96 if rows == 1 => return keyed.one::<u128>(ctx),
        _ => {}
    }
    let task = task(n);
    filled(order_buffer::<u32>(ctx, inputs)?, |order| {
        order.par_chunks_mut(task).enumerate().try_for_each(|(i, order)| {
            ctx.check_stop()?;
            let first = i * (task / n);
            match bits {
                0..=32 => keyed.packed::<u64>(ctx, first, order),
                33..=96 => keyed.packed::<u128>(ctx, first, order),
                _ => keyed.lexicographic(ctx, first, order),
            }
        })
    })
}

#[cfg(test)]
mod tests;
