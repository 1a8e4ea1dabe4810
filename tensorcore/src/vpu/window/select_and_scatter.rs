//! `stablehlo.select_and_scatter`: the gradient of a pooling window.
//!
//! For each window one element of the operand is selected, and the window's source value is
//! scattered to its place. All windows advance together, one element of the window at a time, so the
//! selection is evaluated on lanes.

use super::{Axis, axes};
use crate::vpu::reduce::convert;
use crate::vpu::reduce::fold::fold;
use crate::vpu::tile::buf::{TileBuf, splat};
use sim_core::exec::{Combiner, RegionFn};
use sim_core::ir::op::Window;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// Windows that advance together.
const LANES: usize = 4096;

/// `select(selected, candidate)` tells whether to stay with the selected element; `scatter` joins
/// what is at a place already (at first `init`) with a source value. Windows in row-major order;
/// padding is never selected.
///
/// # Errors
/// [`Invalid`](sim_core::ErrorKind::Invalid) if shapes, types and window do not fit;
/// [`Resource`](sim_core::ErrorKind::Resource); [`Interrupted`](sim_core::ErrorKind::Interrupted).
pub fn select_and_scatter(
    ctx: &Ctx,
    operand: &Tensor,
    source: &Tensor,
    init: &Tensor,
    window: &Window,
    select: &dyn RegionFn,
    scatter: &dyn RegionFn,
) -> Result<Tensor> {
    let axes = axes(operand.shape(), window)?;
    let (ty, out_types) = (operand.element(), scatter.signature().1);
    let fits = axes.iter().zip(source.shape()).all(|(a, &n)| a.out == n && a.base_dilation == 1)
        && source.rank() == axes.len()
        && init.len() == 1
        && select.signature().0 == [ty, ty]
        && select.signature().1.len() == 1
        && out_types.len() == 1
        && scatter.signature().0 == [out_types[0]; 2];
    if !fits {
        return Err(Diagnostic::invalid(
            "stablehlo.select_and_scatter: operand, source, window and regions do not fit each other",
        ));
    }
    let out_ty = out_types[0];
    let mut out = ctx.alloc(out_ty, operand.shape())?;
    splat(convert(ctx, init.clone(), out_ty)?.bytes(), out.bytes_mut());
    let source = convert(ctx, source.clone(), out_ty)?;
    let (w, ow) = (ty.byte_size(), out_ty.byte_size());
    let total = source.len();
    if operand.is_empty() || total == 0 {
        return Ok(out);
    }
    let elements = axes.iter().try_fold(1usize, |n, a| n.checked_mul(a.window)).ok_or_else(|| {
        Diagnostic::resource("stablehlo.select_and_scatter: the window has more elements than can be counted")
    })?;
    let typed = match scatter.combiner() {
        Some(Combiner::Binary(op)) => fold(op, out_ty, &ctx.numerics),
        _ => None,
    };
    let mut selected = TileBuf::new(LANES * w);
    let mut candidate = TileBuf::new(LANES * w);
    let mut stays = TileBuf::new(LANES);
    let (mut place, mut next) = (vec![NONE; LANES], vec![NONE; LANES]);
    for first in (0..total).step_by(LANES) {
        ctx.check_stop()?;
        let n = LANES.min(total - first);
        place[..n].fill(NONE);
        for k in 0..elements {
            if k % 1024 == 1023 {
                ctx.check_stop()?;
            }
            locate(&axes, first, k, &mut next[..n]);
            let values = candidate.bytes_mut(n * w);
            for (value, &at) in values.chunks_exact_mut(w).zip(&next) {
                let at = if at == NONE { 0 } else { at };
                value.copy_from_slice(&operand.bytes()[at * w..(at + 1) * w]);
            }
            let pair = [selected.bytes(n * w), candidate.bytes(n * w)];
            select.eval(&pair, &mut [stays.bytes_mut(n)], n);
            let lanes = stays.bytes(n).iter().zip(candidate.bytes(n * w).chunks_exact(w));
            let held = selected.bytes_mut(n * w).chunks_exact_mut(w);
            for (((stay, value), held), (place, &at)) in lanes.zip(held).zip(place.iter_mut().zip(&next)) {
                if at != NONE && (*place == NONE || *stay == 0) {
                    *place = at;
                    held.copy_from_slice(value);
                }
            }
        }
        let values = source.bytes()[first * ow..(first + n) * ow].chunks_exact(ow);
        let bytes = out.bytes_mut();
        let mut joined = TileBuf::new(ow);
        for (value, &at) in values.zip(&place).filter(|p| *p.1 != NONE) {
            let here = &mut bytes[at * ow..(at + 1) * ow];
            match &typed {
                Some(f) => (f.fold)(here, value),
                None => {
                    scatter.eval(&[here, value], &mut [joined.bytes_mut(ow)], 1);
                    here.copy_from_slice(joined.bytes(ow));
                }
            }
        }
    }
    Ok(out)
}

/// In the padding.
const NONE: usize = usize::MAX;

/// For the windows from number `first` on: where in the operand their element number `k` lies.
fn locate(axes: &[Axis], first: usize, k: usize, places: &mut [usize]) {
    let mut within: SmallVec<[i64; 4]> = SmallVec::from_elem(0, axes.len());
    let mut index: SmallVec<[usize; 4]> = SmallVec::from_elem(0, axes.len());
    let (mut k, mut first) = (k, first);
    for (d, a) in axes.iter().enumerate().rev() {
        within[d] = (k % a.window * a.dilation) as i64 - a.low;
        k /= a.window;
        index[d] = first % a.out;
        first /= a.out;
    }
    for place in places {
        let mut at = Some(0usize);
        for ((a, &i), &offset) in axes.iter().zip(&index).zip(&within) {
            let x = (i * a.stride) as i64 + offset;
            at = at.filter(|_| x >= 0 && x < a.n as i64).map(|at| at * a.n + x as usize);
        }
        *place = at.unwrap_or(NONE);
        for (i, a) in index.iter_mut().zip(axes).rev() {
            *i += 1;
            if *i < a.out {
                break;
            }
            *i = 0;
        }
    }
}
