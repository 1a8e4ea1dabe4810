//! `scatter`: windows of updates combined into the inputs at data-dependent places.
//!
//! Order matters where windows meet. The specification leaves it open; here batches are applied in
//! row-major order of the index tensor, whatever the number of threads, so sums of floats and
//! colliding overwrites have one answer (and it is the one XLA:CPU's loop gives).
//!
//! Three ways, from special to general: an overwrite copies rows; one known operation on plain types
//! has a typed loop (`combine`); any other body is evaluated over lanes, as many windows at once as
//! surely do not touch the same elements (`lanes`). Rows that cannot straddle each other are also
//! split over the cores, by their place in the input, so every element still sees its updates in order.

mod combine;
mod lanes;

use crate::index::{self, List, Numbers, OUTSIDE, Offsets, PARTLY, Starts};
use rayon::prelude::*;
use sim_core::exec::{Combiner, RegionFn};
use sim_core::ir::op::ScatterDims;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// One dimension of the window: its size and its strides in the inputs and in the updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis {
    n: usize,
    input: usize,
    update: usize,
}

/// Where everything goes: shared by all inputs, since they have one shape.
struct Plan<'a> {
    starts: Starts<'a>,
    offsets: Offsets,
    /// The window without dimensions of size 1, contiguous neighbours joined.
    window: SmallVec<[Axis; 4]>,
    /// Every input dimension: the window's axis there, the dimension's size, and the component of
    /// the index vector that moves along it. For windows partly out of bounds.
    full: SmallVec<[(Axis, usize, Option<usize>); 6]>,
    /// Batch `b`'s window begins at the sum of `(b / step) % size * stride` in the updates.
    batches: SmallVec<[(usize, usize, usize); 2]>,
}

/// `stablehlo.scatter`: for every index vector of `indices` (integers of any width and sign), the
/// window of each update is combined into its input by `body(inputs…, updates…)`; elements out of
/// bounds are skipped (whole windows, where the numerics say so). Works in place on inputs that are
/// the only owner of their buffer. Any number of inputs of one shape, any element types that `body`
/// takes.
///
/// # Errors
/// `Invalid` when the dimension numbers contradict the shapes, `Unsupported` when `body` takes or
/// returns other element types than the inputs and updates have.
pub fn scatter(
    ctx: &Ctx,
    mut inputs: Vec<Tensor>,
    indices: &Tensor,
    updates: &[Tensor],
    dims: &ScatterDims,
    body: &dyn RegionFn,
) -> Result<Vec<Tensor>> {
    check(&inputs, updates, body)?;
    let plan = Plan::new(ctx, inputs[0].shape(), indices, updates[0].shape(), dims)?;
    if updates[0].is_empty() || inputs[0].is_empty() {
        return Ok(inputs);
    }
    let combiner = if inputs.len() == 1 { body.combiner() } else { None };
    if combiner == Some(Combiner::First) {
        return Ok(inputs);
    }
    for input in &mut inputs {
        if !input.is_unique() {
            let mut own = ctx.alloc(input.element(), input.shape())?;
            own.bytes_mut().copy_from_slice(input.bytes());
            *input = own;
        }
    }
    match combiner {
        Some(Combiner::Second) => combine::overwrite(&plan, &mut inputs[0], &updates[0]),
        Some(Combiner::Binary(op)) if combine::binary(ctx, op, &plan, &mut inputs[0], &updates[0]) => {}
        _ => lanes::combine(ctx, &plan, &mut inputs, updates, body)?,
    }
    Ok(inputs)
}

fn check(inputs: &[Tensor], updates: &[Tensor], body: &dyn RegionFn) -> Result<()> {
    let same = |ts: &[Tensor]| ts.iter().all(|t| t.shape() == ts[0].shape());
    if inputs.is_empty() || inputs.len() != updates.len() || !same(inputs) || !same(updates) {
        return Err(Diagnostic::invalid("scatter needs as many updates as inputs, each list of one shape"));
    }
    let (args, results) = body.signature();
    let types = inputs.iter().chain(updates).map(|t| t.element());
    if !types.eq(args.iter().copied()) || !args[..inputs.len()].iter().eq(results) {
        return Err(Diagnostic::unsupported(format!(
            "a scatter body from {args:?} to {results:?} over inputs of other element types"
        ))
        .help("convert the inputs and updates to the body's types first"));
    }
    Ok(())
}

impl<'a> Plan<'a> {
    fn new(
        ctx: &Ctx,
        input: &[usize],
        indices: &'a Tensor,
        update: &[usize],
        numbers: &ScatterDims,
    ) -> Result<Self> {
        let in_window = index::dims("update_window_dims", &numbers.update_window_dims, update.len())?;
        let mut kept = [true].repeat(input.len());
        for list in [&numbers.inserted_window_dims, &numbers.input_batching_dims] {
            for d in index::dims("inserted_window_dims or input_batching_dims", list, input.len())? {
                kept[d] = false;
            }
        }
        if kept.iter().filter(|&&k| k).count() != in_window.len() {
            return Err(Diagnostic::invalid(format!(
                "{} update window dimensions, but {} input dimensions are neither inserted nor batching",
                in_window.len(),
                kept.iter().filter(|&&k| k).count()
            )));
        }
        let (in_stride, up_stride) = (index::strides(input), index::strides(update));
        let mut windows = in_window.iter();
        let full: SmallVec<[(Axis, usize, Option<usize>); 6]> = (0..input.len())
            .map(|d| {
                let component = numbers.scatter_dims_to_operand_dims.iter().position(|&m| m == d as i64);
                let axis = match kept[d].then(|| windows.next()).flatten() {
                    Some(&w) => Axis { n: update[w], input: in_stride[d], update: up_stride[w] },
                    None => Axis { n: 1, input: in_stride[d], update: 0 },
                };
                (axis, input[d], component)
            })
            .collect();
        if let Some((a, size, _)) = full.iter().find(|(a, size, _)| a.n > *size && *size > 0) {
            return Err(Diagnostic::invalid(format!(
                "an update window of size {} in an input dimension of size {size}",
                a.n
            )));
        }
        // A window over an empty input has nowhere to go; sizes only matter to the checks.
        let window_sizes: List = full.iter().map(|(a, size, _)| a.n.min(*size)).collect();
        let starts = Starts::new(
            input,
            indices,
            &Numbers {
                start_index_map: &numbers.scatter_dims_to_operand_dims,
                operand_batching: &numbers.input_batching_dims,
                indices_batching: &numbers.scatter_indices_batching_dims,
                index_vector_dim: numbers.index_vector_dim,
                window: &window_sizes,
            },
        )?;
        let outer: List = (0..update.len()).filter(|d| !in_window.contains(d)).collect();
        if outer.iter().map(|&d| update[d]).ne(starts.batch.iter().copied()) {
            return Err(Diagnostic::invalid(format!(
                "updates of shape {update:?} do not have a window for each of {:?} index vectors",
                starts.batch
            )));
        }
        let step = index::strides(&starts.batch);
        let mut batches: SmallVec<[(usize, usize, usize); 2]> = SmallVec::new();
        for (i, &d) in outer.iter().enumerate().filter(|(_, d)| update[**d] != 1) {
            let (n, stride) = (update[d], up_stride[d]);
            match batches.last_mut() {
                Some(b) if b.2 == stride.wrapping_mul(n) => *b = (step[i], b.1.wrapping_mul(n), stride),
                _ => batches.push((step[i], n, stride)),
            }
        }
        let mut window: SmallVec<[Axis; 4]> = SmallVec::new();
        for &(a, ..) in full.iter().filter(|(a, ..)| a.n != 1) {
            match window.last_mut() {
                Some(o) if o.input == a.input.wrapping_mul(a.n) && o.update == a.update.wrapping_mul(a.n) => {
                    *o = Axis { n: o.n.wrapping_mul(a.n), ..a };
                }
                _ => window.push(a),
            }
        }
        let offsets = starts.checked(ctx, ctx.numerics.scatter_whole_windows)?;
        Ok(Plan { starts, offsets, window, full, batches })
    }

    /// Elements in one window.
    fn window_len(&self) -> usize {
        self.window.iter().map(|a| a.n).product()
    }

    /// Where batch `b`'s window begins in the updates.
    #[inline]
    fn update_at(&self, b: usize) -> usize {
        match self.batches[..] {
            [] => 0,
            // The only dimension there is: no need to divide.
            [(1, _, stride)] => b * stride,
            ref all => all.iter().map(|&(step, size, stride)| (b / step) % size * stride).sum(),
        }
    }

    /// Calls `f(input position, update position, length)` for every contiguous run of elements that
    /// is written, in order.
    fn runs(&self, mut f: impl FnMut(usize, usize, usize)) {
        for (b, &o) in self.offsets.get().iter().enumerate() {
            match o {
                OUTSIDE => {}
                PARTLY => self.elements_inside(b, &mut |i, u| f(i, u, 1)),
                _ if self.window.is_empty() => f(o as usize, self.update_at(b), 1),
                _ => walk(&self.window, o as usize, self.update_at(b), &mut f),
            }
        }
    }

    /// Calls `f(input position, update position)` for every element of batch `b` in bounds.
    fn elements_inside(&self, b: usize, f: &mut impl FnMut(usize, usize)) {
        let mut axes: SmallVec<[Axis; 6]> = SmallVec::new();
        let mut input = self.starts.batching_offset(b) as usize;
        let mut update = self.update_at(b);
        for &(a, size, component) in &self.full {
            let start = component.map_or(0, |k| self.starts.component(b, k));
            // The part of the window's indices 0..n that lands in 0..size.
            let first = start.min(0).unsigned_abs().min(a.n as u64) as usize;
            let room = (size as i64).saturating_sub(start).max(0) as usize;
            let n = a.n.min(room).saturating_sub(first);
            if n == 0 {
                return;
            }
            input += start.max(0) as usize * a.input;
            update += first * a.update;
            axes.push(Axis { n, ..a });
        }
        elements(&axes, input, update, f);
    }

    /// Applies `row(input run, update run)` to every run, in order for every element.
    fn apply<T: bytemuck::Pod + Send + Sync>(
        &self,
        input: &mut Tensor,
        update: &Tensor,
        row: impl Fn(&mut [T], &[T]) + Sync,
    ) {
        let input: &mut [T] = bytemuck::cast_slice_mut(input.bytes_mut());
        let update: &[T] = bytemuck::cast_slice(update.bytes());
        let n = self.window_len();
        let rows = matches!(self.window[..], [Axis { input: 1, update: 1, .. }])
            && n * size_of::<T>() >= 64
            && size_of_val(update) >= 1 << 20
            && input.len().is_multiple_of(n)
            && self.starts.aligned_to(n)
            && !self.offsets.get().contains(&PARTLY);
        if !rows {
            self.runs(|i, u, n| row(&mut input[i..i + n], &update[u..u + n]));
            return;
        }
        // Each part of the input takes the windows that lie in it; none lies in two. A fixed number
        // of parts, since each reads all offsets.
        const PARTS: usize = 8;
        let part = (input.len() / n).div_ceil(PARTS) * n;
        input.par_chunks_mut(part).enumerate().for_each(|(p, input)| {
            let first = p * part;
            for (b, &o) in self.offsets.get().iter().enumerate() {
                let at = (o as usize).wrapping_sub(first);
                if at < input.len() {
                    row(&mut input[at..at + n], &update[self.update_at(b)..][..n]);
                }
            }
        });
    }
}

/// Calls `f(input position, update position, length)` for the runs of a window.
fn walk(window: &[Axis], input: usize, update: usize, f: &mut impl FnMut(usize, usize, usize)) {
    match *window {
        [] => f(input, update, 1),
        [Axis { n, input: 1, update: 1 }] => f(input, update, n),
        [a, ref inner @ ..] => {
            for i in 0..a.n {
                walk(inner, input + i * a.input, update + i * a.update, f);
            }
        }
    }
}

fn elements(axes: &[Axis], input: usize, update: usize, f: &mut impl FnMut(usize, usize)) {
    match *axes {
        [] => f(input, update),
        [a, ref inner @ ..] => {
            for i in 0..a.n {
                elements(inner, input + i * a.input, update + i * a.update, f);
            }
        }
    }
}

#[cfg(test)]
mod tests;
