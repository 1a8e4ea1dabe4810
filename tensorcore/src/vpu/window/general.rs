//! Windows with any body, by doubling on lanes.

use super::{Axis, by_doubling};
use crate::vpu::tile::buf::splat;
use crate::vpu::tile::{TileInput, TileProgram, row_major};
use rayon::prelude::*;
use sim_core::exec::RegionFn;
use sim_core::tensor::Shape;
use sim_core::{Ctx, Result, Tensor};
use smallvec::SmallVec;

/// Lanes of one call of the body.
const LANES: usize = 16 << 10;

/// `values` are padded already.
pub(super) fn reduce_window(
    ctx: &Ctx,
    mut values: Vec<Tensor>,
    inits: &[Tensor],
    axes: &[Axis],
    body: &dyn RegionFn,
) -> Result<Vec<Tensor>> {
    // The innermost dimension first keeps the order of the elements.
    for dim in (0..axes.len()).rev() {
        values = by_doubling(axes[dim].window, values, |k, left, right| {
            join(ctx, left, right, dim, k * axes[dim].dilation, body)
        })?;
    }
    let shape: Shape = axes.iter().map(|a| a.out).collect();
    let count: usize = shape.iter().product();
    let mut starts = Vec::new();
    let mut windows = Vec::new();
    let mut results = Vec::new();
    for (value, init) in values.iter().zip(inits) {
        let ty = value.element();
        let strides = row_major(value.shape())
            .iter()
            .zip(axes)
            .map(|(&s, a)| s.saturating_mul(a.stride as isize))
            .collect();
        let input = TileInput { tensor: value, offset: 0, strides };
        windows.extend(TileProgram::identity(&[ty], &ctx.numerics).run(ctx, &shape, &[input])?);
        let mut start = ctx.alloc(ty, &shape)?;
        splat(init.bytes(), start.bytes_mut());
        starts.push(start);
        results.push(ctx.alloc(ty, &shape)?);
    }
    let args: Vec<&[u8]> = starts.iter().chain(&windows).map(Tensor::bytes).collect();
    let mut outs: Vec<&mut [u8]> = results.iter_mut().map(Tensor::bytes_mut).collect();
    body.eval(&args, &mut outs, count);
    Ok(results)
}

/// `body(left[i], right[i + shift])` along `dim`, where both exist.
fn join(
    ctx: &Ctx,
    left: &[Tensor],
    right: &[Tensor],
    dim: usize,
    shift: usize,
    body: &dyn RegionFn,
) -> Result<Vec<Tensor>> {
    let (ls, rs) = (left[0].shape(), right[0].shape());
    let mut shape: Shape = ls.into();
    shape[dim] = ls[dim].min(rs[dim].saturating_sub(shift));
    let b: usize = shape[dim + 1..].iter().product();
    let run = shape[dim] * b;
    let mut results = Vec::new();
    for t in left {
        results.push(ctx.alloc(t.element(), &shape)?);
    }
    if shape.contains(&0) {
        return Ok(results);
    }
    // Pieces of a run along `dim` (and what is inside it), which is contiguous on all sides.
    let pieces = run.div_ceil(LANES);
    let mut tasks: Vec<SmallVec<[&mut [u8]; 2]>> = Vec::new();
    let a: usize = shape[..dim].iter().product();
    tasks.resize_with(a * pieces, SmallVec::new);
    for t in &mut results {
        let w = t.element().byte_size();
        let parts = t.bytes_mut().chunks_mut(run * w).flat_map(|r| r.chunks_mut(LANES * w));
        for (task, part) in tasks.iter_mut().zip(parts) {
            task.push(part);
        }
    }
    tasks.into_par_iter().enumerate().try_for_each(|(k, mut outs)| {
        ctx.check_stop()?;
        let (a, first) = (k / pieces, k % pieces * LANES);
        let n = LANES.min(run - first);
        let mut args: SmallVec<[&[u8]; 4]> = SmallVec::new();
        for (side, rows, shift) in [(left, ls[dim], 0), (right, rs[dim], shift)] {
            for t in side {
                let w = t.element().byte_size();
                let at = (a * rows + shift) * b + first;
                args.push(&t.bytes()[at * w..(at + n) * w]);
            }
        }
        body.eval(&args, &mut outs, n);
        Ok(())
    })?;
    Ok(results)
}
