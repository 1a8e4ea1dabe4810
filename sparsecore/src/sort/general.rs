//! Sorting by an arbitrary comparator: a bottom-up merge sort whose comparisons are batched.
//!
//! A comparator costs much per call and little per lane. All merges of a level are independent, so
//! they advance in step: each round takes the next pair of every merge that is not done, compares
//! all of them in one call, and moves one element in each merge. The last levels have few merges,
//! hence few lanes; that is the price of a comparator that nobody recognised.

use super::Row;
use crate::by_width;
use rayon::prelude::*;
use sim_core::exec::RegionFn;
use sim_core::{Ctx, Result, Tensor};

/// Elements that one task merges, about.
const TASK: usize = 4096;

/// A merge in progress: the next element of each run, their ends, and where the next result goes.
struct Merge {
    a: usize,
    a_end: usize,
    b: usize,
    b_end: usize,
    out: usize,
}

/// Writes each row's sorted order to `order`, as positions inside the row. `inputs` are `[rows, n]`.
pub(super) fn order<I: Row>(
    ctx: &Ctx,
    inputs: &[Tensor],
    n: usize,
    comparator: &dyn RegionFn,
    order: &mut [I],
) -> Result<()> {
    let mut other = ctx.scratch(size_of_val(order))?;
    let other: &mut [I] = bytemuck::cast_slice_mut(other.bytes_mut());
    for row in order.chunks_mut(n) {
        row.iter_mut().enumerate().for_each(|(i, x)| *x = I::from_usize(i));
    }
    let (mut from, mut to) = (order, other);
    let mut swapped = false;
    let mut width = 1;
    while width < n {
        ctx.check_stop()?;
        // A task is some whole rows, or some whole merges of one row.
        if n <= TASK {
            let rows = TASK / n;
            to.par_chunks_mut(rows * n).zip(from.par_chunks(rows * n)).enumerate().for_each(
                |(i, (to, from))| {
                    level(inputs, i * rows * n, n, width, comparator, from, to);
                },
            );
        } else {
            let span = (TASK / (2 * width)).max(1) * 2 * width;
            for (row, (to, from)) in to.chunks_mut(n).zip(from.chunks(n)).enumerate() {
                to.par_chunks_mut(span).zip(from.par_chunks(span)).for_each(|(to, from)| {
                    level(inputs, row * n, to.len(), width, comparator, from, to);
                });
            }
        }
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
        width = width.saturating_mul(2);
    }
    if swapped {
        to.copy_from_slice(from);
    }
    Ok(())
}

/// Merges the runs of `width` of every `n` entries of `from` into `to`. The entries count from
/// element `base` of the inputs, and from `n` more for each further group.
fn level<I: Row>(
    inputs: &[Tensor],
    base: usize,
    n: usize,
    width: usize,
    comparator: &dyn RegionFn,
    from: &[I],
    to: &mut [I],
) {
    let mut merges = Vec::new();
    for start in (0..from.len()).step_by(n) {
        let end = (start + n).min(from.len());
        let mut a = start;
        while a < end {
            let a_end = a.saturating_add(width).min(end);
            let b_end = a_end.saturating_add(width).min(end);
            merges.push(Merge { a, a_end, b: a_end, b_end, out: a });
            a = b_end;
        }
    }
    let lanes = merges.len();
    let mut buffers: Vec<Vec<u64>> = Vec::new();
    for t in inputs {
        // As u64 words, so that every type is aligned.
        let words = (lanes * t.element().byte_size()).div_ceil(8);
        buffers.push(vec![0; words]);
        buffers.push(vec![0; words]);
    }
    let mut less = vec![0u8; lanes];
    loop {
        merges.retain_mut(|m| {
            if m.a < m.a_end && m.b < m.b_end {
                return true;
            }
            let rest = if m.a < m.a_end { m.a..m.a_end } else { m.b..m.b_end };
            to[m.out..m.out + rest.len()].copy_from_slice(&from[rest]);
            false
        });
        if merges.is_empty() {
            return;
        }
        // The second run's element goes first only if it is less: that keeps equal elements in order.
        let place = |i: usize| base + i / n * n + from[i].to_usize();
        for (t, pair) in inputs.iter().zip(buffers.chunks_mut(2)) {
            by_width!(t.element().byte_size(), T => {
                let all: &[T] = bytemuck::cast_slice(t.bytes());
                for (lanes, second) in pair.iter_mut().zip([true, false]) {
                    let lanes: &mut [T] = bytemuck::cast_slice_mut(&mut lanes[..]);
                    let at = |m: &Merge| place(if second { m.b } else { m.a });
                    lanes.iter_mut().zip(&merges).for_each(|(lane, m)| *lane = all[at(m)]);
                }
            });
        }
        let arguments: Vec<&[u8]> = buffers
            .iter()
            .enumerate()
            .map(|(i, words)| {
                let bytes: &[u8] = bytemuck::cast_slice(words);
                &bytes[..merges.len() * inputs[i / 2].element().byte_size()]
            })
            .collect();
        comparator.eval(&arguments, &mut [&mut less[..merges.len()]], merges.len());
        for (m, &second) in merges.iter_mut().zip(&less) {
            let next = if second != 0 { &mut m.b } else { &mut m.a };
            to[m.out] = from[*next];
            *next += 1;
            m.out += 1;
        }
    }
}
