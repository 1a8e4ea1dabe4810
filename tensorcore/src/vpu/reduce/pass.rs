//! One pass of a typed reduction: an iteration space seen as (a, r, b), of which r is folded.
//!
//! The elements of one `a` are cut into *blocks* of whole `b`-rows, about 64 Ki elements each. A
//! block is folded into lanes (as many as there are `b`s; 8 or 32 for long rows with a single `b`),
//! the lanes into one another as a tree, and the blocks one after the other. That order depends on
//! the shape alone: neither on the number of threads, nor on what is fused with the reduction.

use super::fold::Fold;
use crate::vpu::tile::TileProgram;
use crate::vpu::tile::access::Access;
use crate::vpu::tile::buf::{TileBuf, splat};
use crate::vpu::tile::exec::{Exec, Out};
use rayon::prelude::*;
use sim_core::{Ctx, Result};
use smallvec::SmallVec;

/// Elements of a block, and of a task at least.
const BLOCK: usize = 64 << 10;

/// Accumulators side by side from which on they are cut.
const WIDE: usize = 16 << 10;

/// An iteration space with the middle dimension to be reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape3 {
    pub a: usize,
    pub r: usize,
    pub b: usize,
}

impl Shape3 {
    /// `b`-rows of a block.
    fn block_rows(self) -> usize {
        (BLOCK / self.b).max(64)
    }

    /// Accumulators of a block: a multiple of `b`.
    fn lanes(self) -> usize {
        match (self.b, self.r) {
            (1, 0..=16) => 1,
            (1, 17..=256) => 8,
            (1, _) => 32,
            (b, r) if b < 32 && r > 16 => b * (64 / b).next_power_of_two(),
            (b, _) => b,
        }
    }
}

/// What one task reduces, and where to.
struct Task<'o> {
    a: std::ops::Range<usize>,
    r: std::ops::Range<usize>,
    b: std::ops::Range<usize>,
    /// For each value.
    outs: SmallVec<[Out<'o>; 2]>,
    /// For each output that is stored whole.
    stores: SmallVec<[Out<'o>; 1]>,
}

/// Reduces the first `folds.len()` outputs of the program into `outs` (each of `a * b` elements,
/// without the initial value), and stores the others into `stores`.
pub(super) fn reduce(
    ctx: &Ctx,
    program: &TileProgram,
    access: &Access<'_>,
    shape: Shape3,
    folds: &[Fold],
    outs: &mut [Out<'_>],
    stores: &mut [(Out<'_>, usize)],
) -> Result<()> {
    let Shape3 { a, r, b } = shape;
    let rows = shape.block_rows();
    let blocks = r.div_ceil(rows);
    // Long `b`-rows are cut, so that accumulators stay in cache.
    let cut = b >= WIDE && stores.is_empty();
    if !cut && blocks > 1 && a < 16 {
        // The blocks of one `a` side by side, then their partial results.
        let mut partials = Vec::with_capacity(folds.len());
        for f in folds {
            partials.push(ctx.scratch(a * blocks * b * f.width)?);
        }
        let mut tasks = Vec::with_capacity(a * blocks);
        for k in 0..a * blocks {
            let first = k % blocks * rows;
            let r = first..(first + rows).min(r);
            let a = k / blocks;
            tasks.push(Task { a: a..a + 1, r, b: 0..b, outs: SmallVec::new(), stores: SmallVec::new() });
        }
        for (p, f) in partials.iter_mut().zip(folds) {
            for (task, part) in tasks.iter_mut().zip(p.bytes_mut().chunks_mut(b * f.width)) {
                task.outs.push(part);
            }
        }
        for (bytes, width) in stores.iter_mut() {
            let mut rest = std::mem::take(bytes);
            for task in &mut tasks {
                let (head, tail) = rest.split_at_mut(task.r.len() * b * *width);
                task.stores.push(head);
                rest = tail;
            }
        }
        run(ctx, program, access, shape, folds, tasks)?;
        for ((p, f), out) in partials.iter().zip(folds).zip(outs) {
            let row = b * f.width;
            for (part, out) in p.bytes().chunks_exact(blocks * row).zip(out.chunks_exact_mut(row)) {
                splat(&f.identity, out);
                part.chunks_exact(row).for_each(|block| (f.fold)(out, block));
            }
        }
        return Ok(());
    }
    let mut tasks = Vec::new();
    let part = if cut { (BLOCK / r).clamp(WIDE / 8, WIDE) } else { b };
    let group = if part < b { 1 } else { (BLOCK / (r * b)).max(1) };
    for first in (0..a).step_by(group) {
        for low in (0..b).step_by(part) {
            tasks.push(Task {
                a: first..(first + group).min(a),
                r: 0..r,
                b: low..(low + part).min(b),
                outs: SmallVec::new(),
                stores: SmallVec::new(),
            });
        }
    }
    for (out, f) in outs.iter_mut().zip(folds) {
        let mut rest = std::mem::take(out);
        for task in &mut tasks {
            let (head, tail) = rest.split_at_mut(task.a.len() * task.b.len() * f.width);
            task.outs.push(head);
            rest = tail;
        }
    }
    for (bytes, width) in stores.iter_mut() {
        let mut rest = std::mem::take(bytes);
        for task in &mut tasks {
            let (head, tail) = rest.split_at_mut(task.a.len() * r * b * *width);
            task.stores.push(head);
            rest = tail;
        }
    }
    run(ctx, program, access, shape, folds, tasks)
}

fn run(
    ctx: &Ctx,
    program: &TileProgram,
    access: &Access<'_>,
    shape: Shape3,
    folds: &[Fold],
    tasks: Vec<Task<'_>>,
) -> Result<()> {
    let local: Vec<bool> = (0..program.output_types().len()).map(|j| j < folds.len()).collect();
    let new = || Exec::new(program, access, &local, &[]);
    let work = |exec: &mut Exec<'_>, task: Task<'_>| {
        ctx.check_stop()?;
        one(exec, program, access, shape, folds, task);
        Ok(())
    };
    if tasks.len() == 1 || access.total < BLOCK {
        let mut exec = new();
        return tasks.into_iter().try_for_each(|t| work(&mut exec, t));
    }
    tasks.into_par_iter().try_for_each_init(new, work)
}

/// The accumulators of the block at hand, for each value.
struct Accumulators<'f> {
    folds: &'f [Fold],
    bufs: SmallVec<[TileBuf; 2]>,
    lanes: usize,
    /// Elements of one `b`-row here.
    row: usize,
    /// Are the accumulators the results themselves (one block for each `a`, no lanes to join)?
    direct: bool,
}

impl Accumulators<'_> {
    fn reset(&mut self) {
        if self.direct {
            return;
        }
        for (buf, f) in self.bufs.iter_mut().zip(self.folds) {
            splat(&f.identity, buf.bytes_mut(self.lanes * f.width));
        }
    }

    /// Folds the next elements of the block, of which `at` came before.
    fn add(&mut self, j: usize, at: usize, x: &[u8], out: &mut [u8]) {
        let f = &self.folds[j];
        let acc = if self.direct { out } else { self.bufs[j].bytes_mut(self.lanes * f.width) };
        let whole = acc.len();
        let phase = at % self.lanes * f.width;
        let (head, x) = x.split_at(if phase == 0 { 0 } else { (whole - phase).min(x.len()) });
        if !head.is_empty() {
            (f.fold)(&mut acc[phase..phase + head.len()], head);
        }
        let (body, tail) = x.split_at(x.len() / whole * whole);
        if !body.is_empty() {
            (f.fold)(acc, body);
        }
        if !tail.is_empty() {
            (f.fold)(&mut acc[..tail.len()], tail);
        }
    }

    /// Joins the lanes, and folds the block into the result.
    fn finish(&mut self, j: usize, out: &mut [u8]) {
        if self.direct {
            return;
        }
        let f = &self.folds[j];
        let row = self.row * f.width;
        let acc = self.bufs[j].bytes_mut(self.lanes * f.width);
        let mut len = acc.len();
        while len > row {
            len /= 2;
            let (low, high) = acc.split_at_mut(len);
            (f.fold)(low, &high[..len]);
        }
        (f.fold)(out, &acc[..row]);
    }
}

fn one(
    exec: &mut Exec<'_>,
    program: &TileProgram,
    access: &Access<'_>,
    shape: Shape3,
    folds: &[Fold],
    mut task: Task<'_>,
) {
    let Shape3 { r, b, .. } = shape;
    let row = task.b.len();
    let lanes = if row == b { shape.lanes() } else { row };
    let block = shape.block_rows().min(task.r.len()) * row;
    let mut acc = Accumulators {
        folds,
        bufs: SmallVec::new(),
        lanes,
        row,
        direct: lanes == row && block == task.r.len() * row,
    };
    for (f, out) in folds.iter().zip(&mut task.outs) {
        acc.bufs.push(TileBuf::new(if acc.direct { 0 } else { lanes * f.width }));
        splat(&f.identity, out);
    }
    let whole_rows = row == b;
    // Spans of the iteration space: all at once where whole rows of whole `a`s are taken.
    let (spans, span) =
        if whole_rows { (1, task.a.len() * task.r.len() * b) } else { (task.a.len() * task.r.len(), row) };
    let first = (task.a.start * r + task.r.start) * b + task.b.start;
    // Where we are: in which `a`, how far in it, and in its block.
    let (mut at_a, mut in_a, mut in_block) = (0, 0, 0);
    let per_a = task.r.len() * row;
    acc.reset();
    for s in 0..spans {
        let mut pos = first + s * b;
        let end = pos + span;
        while pos < end {
            let n = access.tile_len(pos, end);
            let mut outs: SmallVec<[Out<'_>; 4]> = folds.iter().map(|_| Default::default()).collect();
            for (store, ty) in task.stores.iter_mut().zip(&program.output_types()[folds.len()..]) {
                let (head, tail) = std::mem::take(store).split_at_mut(n * ty.byte_size());
                outs.push(head);
                *store = tail;
            }
            exec.eval(pos, n, &mut outs);
            pos += n;
            let mut done = 0;
            while done < n {
                let take = (n - done).min(block - in_block).min(per_a - in_a);
                for (j, f) in folds.iter().enumerate() {
                    let x = &exec.output(j, n)[done * f.width..(done + take) * f.width];
                    let row = row * f.width;
                    acc.add(j, in_block, x, &mut task.outs[j][at_a * row..][..row]);
                }
                done += take;
                in_block += take;
                in_a += take;
                if in_block == block || in_a == per_a {
                    for (j, f) in folds.iter().enumerate() {
                        let row = row * f.width;
                        acc.finish(j, &mut task.outs[j][at_a * row..][..row]);
                    }
                    acc.reset();
                    in_block = 0;
                }
                if in_a == per_a {
                    in_a = 0;
                    at_a += 1;
                }
            }
        }
    }
}
