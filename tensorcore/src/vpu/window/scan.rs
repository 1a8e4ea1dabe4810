//! Cumulative sums, products, maxima, …: each result is the fold of all elements up to it.
//!
//! A long row is cut into blocks of 64 Ki elements. The blocks are summed first (in parallel, as
//! [`reduce`](crate::vpu::reduce) sums), their running totals follow, and then each block is
//! scanned from its own first element and joined with the total before it. So an element is at most
//! 64 Ki plus the number of blocks additions away from any other, and the result does not depend on
//! the number of threads.

use super::Axis;
use crate::vpu::reduce::convert;
use crate::vpu::reduce::fold::{Fold, accumulates_in_f32, fold};
use crate::vpu::tile::buf::splat;
use rayon::prelude::*;
use sim_core::dtype::ElementType;
use sim_core::ir::Binary;
use sim_core::{Ctx, Diagnostic, Result, Tensor};

const BLOCK: usize = 64 << 10;

/// Does the window make every result a fold from one end of a single dimension to it? Which
/// dimension, and is it from the far end?
pub(super) fn is_scan(axes: &[Axis]) -> Option<(usize, bool)> {
    let trivial =
        |a: &Axis| a.window == 1 && a.stride == 1 && a.base_dilation == 1 && a.low == 0 && a.high == 0;
    let mut others = axes.iter().enumerate().filter(|(_, a)| !trivial(a));
    let (dim, a) = others.next()?;
    let rest = a.n as i64 - 1;
    let fits = others.next().is_none()
        && a.window == a.n
        && (a.stride, a.base_dilation, a.dilation) == (1, 1, 1)
        && [(rest, 0), (0, rest)].contains(&(a.low, a.high));
    fits.then_some((dim, a.high > 0))
}

/// Is padding with `init` the same as leaving it out?
pub(super) fn absorbs_padding(ctx: &Ctx, op: Binary, init: &Tensor) -> bool {
    let twice = crate::vpu::binary(op, init.element(), &ctx.numerics).map(|kernel| {
        let mut out = init.clone();
        kernel(init.bytes(), init.bytes(), out.bytes_mut());
        out
    });
    twice.is_some_and(|t| t == *init)
}

/// `out[i] = op(init, x[0], …, x[i])` along `dim`, or `op(init, x[i], …, x[n-1])` if `reverse`.
/// `None` if the operation is none of add, multiply, maximum, minimum, and, or, xor, or has no
/// typed fold for these elements.
///
/// # Errors
/// [`Invalid`](sim_core::ErrorKind::Invalid) if `dim` is not a dimension or `init` not a scalar of
/// `x`'s type; [`Resource`](sim_core::ErrorKind::Resource);
/// [`Interrupted`](sim_core::ErrorKind::Interrupted).
pub fn cumulative(
    ctx: &Ctx,
    x: &Tensor,
    init: &Tensor,
    dim: usize,
    reverse: bool,
    op: Binary,
) -> Result<Option<Tensor>> {
    let ty = x.element();
    if dim >= x.rank() || init.element() != ty || init.len() != 1 {
        return Err(Diagnostic::invalid(format!("a scan of {ty} over dimension {dim} of {:?}", x.shape())));
    }
    // The specification rounds after each step; excess precision keeps f32 between them.
    let wide =
        if ctx.numerics.excess_precision && accumulates_in_f32(op, ty) { ElementType::F32 } else { ty };
    let Some(fold) = fold(op, wide, &ctx.numerics) else { return Ok(None) };
    let x = convert(ctx, x.clone(), wide)?;
    let init = convert(ctx, init.clone(), wide)?;
    let mut out = ctx.alloc(wide, x.shape())?;
    let n = x.shape()[dim];
    let b: usize = x.shape()[dim + 1..].iter().product();
    if !x.is_empty() {
        if b == 1 {
            rows(ctx, &fold, x.bytes(), init.bytes(), n, reverse, out.bytes_mut())?;
        } else {
            columns(ctx, &fold, x.bytes(), init.bytes(), n * b, b, reverse, out.bytes_mut())?;
        }
    }
    convert(ctx, out, ty).map(Some)
}

/// Each row of `n` elements, along itself.
fn rows(
    ctx: &Ctx,
    fold: &Fold,
    x: &[u8],
    init: &[u8],
    n: usize,
    reverse: bool,
    out: &mut [u8],
) -> Result<()> {
    let w = fold.width;
    let blocks = n.div_ceil(BLOCK);
    // What comes before each block of each row.
    let mut carries = ctx.scratch(x.len() / n / w * blocks * w)?;
    let carries = carries.bytes_mut();
    if blocks > 1 {
        // The sum of each block, in lanes, …
        let parts = x.par_chunks(n * w).flat_map(|row| row.par_chunks(BLOCK * w));
        let parts: Vec<&[u8]> = parts.collect();
        carries.par_chunks_mut(w).zip(parts).for_each(|(sum, part)| fold.sum(part, sum));
        // … and the totals before each.
        for row in carries.chunks_exact_mut(blocks * w) {
            let mut total = crate::vpu::reduce::aligned(init);
            for k in 0..blocks {
                let k = if reverse { blocks - 1 - k } else { k };
                let here = &mut row[k * w..(k + 1) * w];
                let before = crate::vpu::reduce::aligned(total.bytes(w));
                (fold.fold)(total.bytes_mut(w), here);
                here.copy_from_slice(before.bytes(w));
            }
        }
    } else {
        splat(init, carries);
    }
    // Short rows go together.
    let group = (BLOCK / n).max(1);
    if blocks > 1 {
        let outs: Vec<&mut [u8]> = out.chunks_mut(n * w).flat_map(|row| row.chunks_mut(BLOCK * w)).collect();
        let parts: Vec<&[u8]> = x.chunks(n * w).flat_map(|row| row.chunks(BLOCK * w)).collect();
        let all = outs.into_par_iter().zip(parts).zip(carries.par_chunks(w));
        all.try_for_each(|((out, x), carry)| {
            ctx.check_stop()?;
            (fold.scan)(carry, x, out, reverse);
            Ok(())
        })
    } else {
        let all = out.par_chunks_mut(group * n * w).zip(x.par_chunks(group * n * w));
        all.try_for_each(|(out, x)| {
            ctx.check_stop()?;
            for (out, x) in out.chunks_exact_mut(n * w).zip(x.chunks_exact(n * w)) {
                (fold.scan)(init, x, out, reverse);
            }
            Ok(())
        })
    }
}

/// Along a dimension that is not the innermost: whole rows of `b` elements are joined.
#[allow(clippy::too_many_arguments)] // One caller.
fn columns(
    ctx: &Ctx,
    fold: &Fold,
    x: &[u8],
    init: &[u8],
    plane: usize,
    b: usize,
    reverse: bool,
    out: &mut [u8],
) -> Result<()> {
    let w = fold.width;
    let planes = out.par_chunks_mut(plane * w).zip(x.par_chunks(plane * w));
    planes.try_for_each(|(out, x)| {
        ctx.check_stop()?;
        // In each plane, strips of columns in parallel: the rows of each strip, in order.
        let strip = 4096.min(b);
        let strips = b.div_ceil(strip);
        let mut tasks: Vec<Vec<(&mut [u8], &[u8])>> = Vec::new();
        tasks.resize_with(strips, Vec::new);
        for (out, x) in out.chunks_exact_mut(b * w).zip(x.chunks_exact(b * w)) {
            let parts = out.chunks_mut(strip * w).zip(x.chunks(strip * w));
            for (task, part) in tasks.iter_mut().zip(parts) {
                task.push(part);
            }
        }
        tasks.into_par_iter().for_each(|mut rows| {
            if reverse {
                rows.reverse();
            }
            let len = rows.first().map_or(0, |r| r.0.len());
            let mut acc = crate::vpu::tile::buf::TileBuf::new(len);
            splat(init, acc.bytes_mut(len));
            for (out, x) in rows {
                (fold.fold)(acc.bytes_mut(len), x);
                out.copy_from_slice(acc.bytes(len));
            }
        });
        Ok(())
    })
}
