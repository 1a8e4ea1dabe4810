//! Windows: `reduce_window`, `select_and_scatter`, and cumulative sums, which JAX lowers to windows.
//!
//! `reduce_window` pads its operands with the initial values first (only if there is padding), and
//! then takes the cheapest way that fits:
//!
//! * a window as long as the dimension, padded on one side by all but one element, is a *scan*:
//!   [`scan`] does it in one pass over memory, not in n² steps;
//! * long windows are made by doubling: windows of 2k elements are windows of k joined with
//!   themselves, k further on; log2 of the length passes;
//! * what remains (pooling windows: at most 32 elements) is one fused program that reads the operand
//!   through as many strided views.
//!
//! Bodies that are no single operation (pairs, say) take the doubling alone, on lanes.

mod general;
pub mod scan;
mod select_and_scatter;
pub use select_and_scatter::select_and_scatter;
#[cfg(test)]
mod tests;

use super::reduce::convert;
use super::tile::{TileBuilder, TileInput, TileProgram, row_major};
use sim_core::exec::{Combiner, RegionFn};
use sim_core::ir::Binary;
use sim_core::ir::op::Window;
use sim_core::tensor::Shape;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// Most views of one fused program.
const VIEWS: usize = 32;

/// One dimension of a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Elements of the operand.
    pub n: usize,
    pub window: usize,
    pub stride: usize,
    /// Distance of neighbours of the operand in the padded operand.
    pub base_dilation: usize,
    /// Distance of neighbours of the window.
    pub dilation: usize,
    pub low: i64,
    pub high: i64,
    /// Elements of the padded operand.
    pub padded: usize,
    /// Elements of the result.
    pub out: usize,
}

fn bad(what: String) -> Diagnostic {
    Diagnostic::invalid(format!("stablehlo.reduce_window: {what}"))
}

/// The axes, with the sizes the specification gives them.
pub(super) fn axes(shape: &[usize], window: &Window) -> Result<SmallVec<[Axis; 4]>> {
    let item = |list: &[i64], d: usize, what: &str| -> Result<usize> {
        match list.get(d).copied() {
            None if list.is_empty() => Ok(1),
            Some(v) if v >= 1 && list.len() == shape.len() => Ok(v as usize),
            _ => Err(bad(format!("{what} are {list:?} for {} dimensions", shape.len()))),
        }
    };
    let mut axes = SmallVec::new();
    for (d, &n) in shape.iter().enumerate() {
        let (low, high) = match window.padding.get(d) {
            Some(&pair) => pair,
            None if window.padding.is_empty() => (0, 0),
            None => return Err(bad(format!("padding has {} dimensions", window.padding.len()))),
        };
        if low.unsigned_abs() > 1 << 60 || high.unsigned_abs() > 1 << 60 {
            return Err(bad(format!("padding of ({low}, {high})")));
        }
        let size = item(&window.dimensions, d, "window dimensions")?;
        let stride = item(&window.strides, d, "window strides")?;
        let base_dilation = item(&window.base_dilations, d, "base dilations")?;
        let dilation = item(&window.window_dilations, d, "window dilations")?;
        let dilated = |n: usize, by: usize| (n as i128 - 1).max(0) * by as i128 + (n > 0) as i128;
        let padded = (dilated(n, base_dilation) + low as i128 + high as i128).max(0);
        let reach = dilated(size, dilation);
        let out = if padded < reach { 0 } else { (padded - reach) / stride as i128 + 1 };
        let fit = |v: i128| {
            usize::try_from(v)
                .ok()
                .filter(|&v| v <= isize::MAX as usize)
                .ok_or_else(|| Diagnostic::resource(format!("stablehlo.reduce_window: {v} padded elements")))
        };
        axes.push(Axis {
            n,
            window: size,
            stride,
            base_dilation,
            dilation,
            low,
            high,
            padded: fit(padded)?,
            out: fit(out)?,
        });
    }
    Ok(axes)
}

/// `stablehlo.reduce_window`. `operands` have one shape, `inits` are scalars, one each; the results
/// have the types of the body's results (to which operands and initial values are converted).
///
/// # Errors
/// [`Invalid`](sim_core::ErrorKind::Invalid) if shapes, types and window do not fit;
/// [`Resource`](sim_core::ErrorKind::Resource); [`Interrupted`](sim_core::ErrorKind::Interrupted).
pub fn reduce_window(
    ctx: &Ctx,
    operands: &[&Tensor],
    inits: &[&Tensor],
    window: &Window,
    body: &dyn RegionFn,
) -> Result<Vec<Tensor>> {
    let Some(first) = operands.first() else { return Ok(Vec::new()) };
    let (args, types) = body.signature();
    let fits = operands.iter().all(|t| t.shape() == first.shape())
        && inits.iter().all(|t| t.len() == 1)
        && inits.len() == operands.len()
        && types.len() == operands.len()
        && args.len() == 2 * types.len()
        && args[..types.len()] == *types
        && args[types.len()..] == *types;
    if !fits {
        return Err(bad("operands, initial values and body do not fit each other".into()));
    }
    let axes = axes(first.shape(), window)?;
    let out_shape: Shape = axes.iter().map(|a| a.out).collect();
    if out_shape.contains(&0) {
        return types.iter().map(|&ty| ctx.alloc(ty, &out_shape)).collect();
    }
    let inits = inits
        .iter()
        .zip(types)
        .map(|(t, &ty)| convert(ctx, (*t).clone(), ty))
        .collect::<Result<Vec<Tensor>>>()?;
    let mut values = operands
        .iter()
        .zip(types)
        .map(|(t, &ty)| convert(ctx, (*t).clone(), ty))
        .collect::<Result<Vec<Tensor>>>()?;
    let op = match body.combiner() {
        Some(Combiner::Binary(op)) => Some(op),
        _ => None,
    };
    if let (Some(op), Some((dim, reverse))) = (op, scan::is_scan(&axes)) {
        let mut results = Vec::new();
        for (value, init) in values.iter().zip(&inits) {
            if !scan::absorbs_padding(ctx, op, init) {
                break;
            }
            results.extend(scan::cumulative(ctx, value, init, dim, reverse, op)?);
        }
        if results.len() == values.len() {
            return Ok(results);
        }
    }
    if axes.iter().any(|a| a.low != 0 || a.high != 0 || a.base_dilation != 1) {
        for (value, init) in values.iter_mut().zip(&inits) {
            *value = pad(ctx, value, &axes, init)?;
        }
    }
    match op {
        Some(op) => values.into_iter().zip(&inits).map(|(v, init)| one(ctx, v, init, &axes, op)).collect(),
        None => general::reduce_window(ctx, values, &inits, &axes, body),
    }
}

/// One operand, padded, by one operation.
fn one(ctx: &Ctx, mut x: Tensor, init: &Tensor, axes: &[Axis], op: Binary) -> Result<Tensor> {
    let ty = x.element();
    let mut windows: SmallVec<[usize; 4]> = axes.iter().map(|a| a.window).collect();
    let join = {
        let mut b = TileBuilder::new(&ctx.numerics);
        let (l, r) = (b.input(ty), b.input(ty));
        let joined = b.binary(op, l, r)?;
        b.output(joined);
        b.finish()
    };
    while windows.iter().try_fold(1usize, |n, &w| n.checked_mul(w)).is_none_or(|n| n > VIEWS) {
        let Some(dim) = (0..windows.len()).max_by_key(|&d| windows[d]) else { break };
        x = by_doubling(windows[dim], x, |k, left, right| {
            shifted(ctx, &join, left, right, dim, k * axes[dim].dilation)
        })?;
        windows[dim] = 1;
    }
    // All windows at once, through one view for each of their elements.
    let strides = row_major(x.shape());
    let views: usize = windows.iter().product();
    let mut b = TileBuilder::new(&ctx.numerics);
    let mut acc = b.input(ty);
    let mut inputs = vec![TileInput::scalar(init, axes.len())];
    for k in 0..views {
        let mut rest = k;
        let mut offset = 0;
        for d in (0..axes.len()).rev() {
            offset += rest % windows[d] * axes[d].dilation * strides[d] as usize;
            rest /= windows[d];
        }
        let steps = strides.iter().zip(axes).map(|(&s, a)| s.saturating_mul(a.stride as isize)).collect();
        inputs.push(TileInput { tensor: &x, offset, strides: steps });
        let view = b.input(ty);
        acc = b.binary(op, acc, view)?;
    }
    b.output(acc);
    let out_shape: Shape = axes.iter().map(|a| a.out).collect();
    Ok(b.finish().run(ctx, &out_shape, &inputs)?.swap_remove(0))
}

/// Windows of `window` elements from windows of 1: `join(k, l, r)` joins each element of `l` with the
/// element of `r` that is `k` further on.
pub(super) fn by_doubling<T: Clone>(
    window: usize,
    single: T,
    mut join: impl FnMut(usize, &T, &T) -> Result<T>,
) -> Result<T> {
    let mut made = single.clone();
    let mut size = 1;
    // The bits of `window` below the highest.
    for bit in (0..window.max(1).ilog2()).rev() {
        made = join(size, &made, &made)?;
        size *= 2;
        if window >> bit & 1 == 1 {
            made = join(size, &made, &single)?;
            size += 1;
        }
    }
    Ok(made)
}

/// `op(left[i], right[i + shift])` along `dim`, where both exist.
fn shifted(
    ctx: &Ctx,
    join: &TileProgram,
    left: &Tensor,
    right: &Tensor,
    dim: usize,
    shift: usize,
) -> Result<Tensor> {
    let mut shape: Shape = left.shape().into();
    shape[dim] = left.shape()[dim].min(right.shape()[dim].saturating_sub(shift));
    let (ls, rs) = (row_major(left.shape()), row_major(right.shape()));
    let offset = if shape.contains(&0) { 0 } else { shift * rs[dim] as usize };
    let inputs = [
        TileInput { tensor: left, offset: 0, strides: ls },
        TileInput { tensor: right, offset, strides: rs },
    ];
    Ok(join.run(ctx, &shape, &inputs)?.swap_remove(0))
}

/// `x` with padding and dilation, filled with `value`.
fn pad(ctx: &Ctx, x: &Tensor, axes: &[Axis], value: &Tensor) -> Result<Tensor> {
    let shape: Shape = axes.iter().map(|a| a.padded).collect();
    let mut out = ctx.alloc(x.element(), &shape)?;
    super::tile::buf::splat(value.bytes(), out.bytes_mut());
    if x.is_empty() || out.is_empty() {
        return Ok(out);
    }
    let width = x.element().byte_size();
    let strides = row_major(&shape);
    let from = x.bytes();
    let to = out.bytes_mut();
    let (inner, outer) = match axes.split_last() {
        Some((inner, outer)) => (*inner, outer),
        None => return Ok(x.clone()),
    };
    // The elements of a row that stay inside.
    let place = |a: &Axis, i: usize| -> Option<usize> {
        let at = i as i128 * a.base_dilation as i128 + a.low as i128;
        (at >= 0 && at < a.padded as i128).then_some(at as usize)
    };
    let mut index: SmallVec<[usize; 4]> = SmallVec::from_elem(0, outer.len());
    for row in from.chunks_exact(inner.n * width) {
        let base = outer
            .iter()
            .zip(&index)
            .zip(&strides)
            .try_fold(0usize, |at, ((a, &i), &s)| place(a, i).map(|p| at + p * s as usize));
        if let Some(base) = base {
            if inner.base_dilation == 1 {
                let first = (-inner.low).max(0) as usize;
                let last = (inner.padded as i128 - inner.low as i128).clamp(0, inner.n as i128) as usize;
                if first < last {
                    let at = (base as i64 + first as i64 + inner.low) as usize * width;
                    to[at..at + (last - first) * width].copy_from_slice(&row[first * width..last * width]);
                }
            } else {
                for (i, element) in row.chunks_exact(width).enumerate() {
                    if let Some(p) = place(&inner, i) {
                        to[(base + p) * width..][..width].copy_from_slice(element);
                    }
                }
            }
        }
        for d in (0..outer.len()).rev() {
            index[d] += 1;
            if index[d] < outer[d].n {
                break;
            }
            index[d] = 0;
        }
    }
    Ok(out)
}
