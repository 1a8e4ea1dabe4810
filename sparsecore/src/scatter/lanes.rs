//! Any scatter body: windows are read into lanes, the body is evaluated over all lanes at once, and
//! its results are written back.
//!
//! Windows share a batch of lanes as long as no two can touch the same element: starts that differ
//! must mean windows that do not overlap, and a table of recent starts (by hash, so it errs on the
//! safe side) ends the batch at the first repetition.

use super::{Axis, Plan, walk};
use crate::by_width;
use crate::index::{OUTSIDE, PARTLY};
use sim_core::exec::RegionFn;
use sim_core::tensor::Buffer;
use sim_core::{Ctx, Result, Tensor};

/// Lanes of one evaluation, about (more when a window is larger).
const LANES: usize = 1024;
const TABLE: usize = 1 << 16;

pub(super) fn combine(
    ctx: &Ctx,
    plan: &Plan,
    inputs: &mut [Tensor],
    updates: &[Tensor],
    body: &dyn RegionFn,
) -> Result<()> {
    let len = plan.window_len();
    let together = if plan.starts.disjoint() { (LANES / len).max(1) } else { 1 };
    let mut lanes = Lanes::new(ctx, inputs, updates, (len * together).max(LANES), body)?;
    let mut table = Table::new(if together > 1 { TABLE } else { 0 });
    let mut pending: Vec<(usize, usize)> = Vec::with_capacity(LANES);
    for (b, &o) in plan.offsets.get().iter().enumerate() {
        match o {
            OUTSIDE => continue,
            PARTLY => {
                lanes.apply(&mut pending, &plan.window, inputs, updates);
                // The elements of one window are distinct, so they make lanes of their own.
                plan.elements_inside(b, &mut |i, u| {
                    pending.push((i, u));
                    if pending.len() == LANES {
                        lanes.apply(&mut pending, &[], inputs, updates);
                    }
                });
                lanes.apply(&mut pending, &[], inputs, updates);
            }
            _ => {
                if pending.len() == together || (together > 1 && !table.insert(o)) {
                    lanes.apply(&mut pending, &plan.window, inputs, updates);
                    table.clear();
                    table.insert(o);
                }
                pending.push((o as usize, plan.update_at(b)));
            }
        }
    }
    lanes.apply(&mut pending, &plan.window, inputs, updates);
    Ok(())
}

/// Starts seen since the last `clear`.
struct Table {
    slots: Vec<u32>,
    now: u32,
}

impl Table {
    fn new(slots: usize) -> Self {
        Table { slots: vec![0; slots], now: 1 }
    }

    /// False if the start, or one with the same hash, is there already.
    fn insert(&mut self, start: u64) -> bool {
        let hash = start.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - TABLE.trailing_zeros());
        match self.slots.get_mut(hash as usize) {
            Some(slot) => std::mem::replace(slot, self.now) != self.now,
            None => true,
        }
    }

    fn clear(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.slots.fill(0);
            self.now = 1;
        }
    }
}

/// Buffers for the body's arguments (inputs, then updates) and results.
struct Lanes<'a> {
    body: &'a dyn RegionFn,
    arguments: Vec<Buffer>,
    results: Vec<Buffer>,
}

impl<'a> Lanes<'a> {
    fn new(
        ctx: &Ctx,
        inputs: &[Tensor],
        updates: &[Tensor],
        lanes: usize,
        body: &'a dyn RegionFn,
    ) -> Result<Self> {
        let buffer = |t: &Tensor| ctx.scratch(lanes * t.element().byte_size());
        Ok(Lanes {
            body,
            arguments: inputs.iter().chain(updates).map(buffer).collect::<Result<_>>()?,
            results: inputs.iter().map(buffer).collect::<Result<_>>()?,
        })
    }

    /// Combines the windows that begin at the (input, update) positions in `pending`, and empties it.
    fn apply(
        &mut self,
        pending: &mut Vec<(usize, usize)>,
        window: &[Axis],
        inputs: &mut [Tensor],
        updates: &[Tensor],
    ) {
        let n = pending.len() * window.iter().map(|a| a.n).product::<usize>();
        if n == 0 {
            return;
        }
        let width = |t: &Tensor| t.element().byte_size();
        let (from_inputs, from_updates) = self.arguments.split_at_mut(inputs.len());
        for (t, lanes) in inputs.iter().zip(from_inputs) {
            by_width!(width(t), T => read::<T>(t.bytes(), lanes.bytes_mut(), pending, window, |i, _| i));
        }
        for (t, lanes) in updates.iter().zip(from_updates) {
            by_width!(width(t), T => read::<T>(t.bytes(), lanes.bytes_mut(), pending, window, |_, u| u));
        }
        let arguments: Vec<&[u8]> = inputs
            .iter()
            .chain(updates)
            .zip(&self.arguments)
            .map(|(t, lanes)| &lanes.bytes()[..n * width(t)])
            .collect();
        let mut results: Vec<&mut [u8]> = inputs
            .iter()
            .zip(&mut self.results)
            .map(|(t, lanes)| &mut lanes.bytes_mut()[..n * width(t)])
            .collect();
        self.body.eval(&arguments, &mut results, n);
        for (t, lanes) in inputs.iter_mut().zip(&self.results) {
            by_width!(width(t), T => write::<T>(t.bytes_mut(), lanes.bytes(), pending, window));
        }
        pending.clear();
    }
}

fn read<T: bytemuck::Pod>(
    from: &[u8],
    lanes: &mut [u8],
    windows: &[(usize, usize)],
    window: &[Axis],
    side: impl Fn(usize, usize) -> usize,
) {
    let (from, lanes): (&[T], &mut [T]) = (bytemuck::cast_slice(from), bytemuck::cast_slice_mut(lanes));
    let mut k = 0;
    for &(i, u) in windows {
        walk(window, i, u, &mut |i, u, n| {
            let at = side(i, u);
            match n {
                1 => lanes[k] = from[at],
                _ => lanes[k..k + n].copy_from_slice(&from[at..at + n]),
            }
            k += n;
        });
    }
}

fn write<T: bytemuck::Pod>(to: &mut [u8], lanes: &[u8], windows: &[(usize, usize)], window: &[Axis]) {
    let (to, lanes): (&mut [T], &[T]) = (bytemuck::cast_slice_mut(to), bytemuck::cast_slice(lanes));
    let mut k = 0;
    for &(i, u) in windows {
        walk(window, i, u, &mut |i, _, n| {
            match n {
                1 => to[i] = lanes[k],
                _ => to[i..i + n].copy_from_slice(&lanes[k..k + n]),
            }
            k += n;
        });
    }
}
