//! The blocked matrix product that every contraction runs through.
//!
//! The right operand is packed once (in chunks of columns that bound its size), then tasks of some
//! rows times some columns of the result run in parallel: each packs its rows block by block, so
//! that a panel of 16 columns stays in L1 and the rows in L2, and keeps its sums in a private array.
//! With few rows, a packed panel is used only once, so tasks pack panels for themselves, in L1.
//! Batches of small products run one after the other in a task, and the tasks in parallel.
//!
//! All cutting depends on the shape alone, and every element of the result is computed by one task
//! in one order: the result does not depend on the number of threads.

use super::kernel::{MR, Scalar, tile_rows};
use super::order::{BLOCK, BlockOrder, Order};
use super::pack::{Block, Decode, Temp, View};
use rayon::prelude::*;
use sim_core::{Buffer, Ctx, Result};

/// One product of parts of the operands. A contraction is a sum of passes, in the given order.
#[derive(Clone, Copy)]
pub struct Pass<S> {
    pub lhs: Decode<S>,
    pub rhs: Decode<S>,
}

/// Writes sums as elements of the result.
pub type Store<S> = fn(&[S], &mut [u8]);

/// What is computed, beside the operands.
pub struct Plan<'a, S> {
    pub passes: &'a [Pass<S>],
    pub order: Order,
    pub store: Store<S>,
    /// Bytes of an element of the result.
    pub out_size: usize,
}

/// Rows of one task: 16 panels.
const MC: usize = 16 * MR;
/// Columns of one task.
const NC: usize = 512;
/// Packed columns take at most one part in this many of what operands and result take,
const PACKED_PART: usize = 5;
/// and no more bytes than this.
const PACKED_BYTES: usize = 32 << 20;
/// Tasks between two barriers below which their rows are halved, so that threads end together.
const FEW_TASKS: usize = 32;
/// With few columns, and packed columns of at most this many bytes, few rows are cut finely.
const NARROW_BYTES: usize = 512 << 10;
/// Multiply-adds below which a task is not worth its start.
const TASK_WORK: usize = 1 << 17;
/// Multiply-adds up to which one product of a batch runs in one task.
const BATCH_WORK: usize = 1 << 23;

/// One block of `k` in one pass.
struct Step<'a, S> {
    pass: &'a Pass<S>,
    ks: std::ops::Range<usize>,
    order: &'a BlockOrder,
    /// Rows of packed operand before this step.
    before: usize,
}

/// The columns of a tile.
enum Columns<'a, S, const NR: usize> {
    /// Packed panels, all steps of one after the other.
    Packed(&'a [[S; NR]]),
    /// Offsets, to be packed on the way.
    Rows(&'a [usize]),
}

struct Scratch<S, const NR: usize> {
    b: Option<Buffer>,
    panel: Vec<[S; NR]>,
    a: Buffer,
    acc: Buffer,
    temp: Temp<S>,
}

impl<S: Scalar, const NR: usize> Scratch<S, NR> {
    fn new(ctx: &Ctx, m: usize, n_padded: usize, b_len: Option<usize>) -> Result<Self> {
        let size = size_of::<S>();
        let m = m.min(MC);
        Ok(Scratch {
            panel: vec![[S::ZERO; NR]; BLOCK],
            b: b_len.map(|len| ctx.scratch(len * size)).transpose()?,
            a: ctx.scratch(m * BLOCK * size)?,
            acc: ctx.scratch(m * n_padded.min(NC) * size)?,
            temp: Temp::new(),
        })
    }
}

/// Rows, first column of the chunk, and where each row's part of the result goes.
type Task<'a> = (std::ops::Range<usize>, usize, Vec<&'a mut [u8]>);

struct Product<'a, S, const NR: usize> {
    lhs: &'a View<'a>,
    rhs: &'a View<'a>,
    plan: &'a Plan<'a, S>,
    steps: Vec<Step<'a, S>>,
    /// Rows of packed operand over all steps.
    depth: usize,
    /// Columns of the right operand packed at a time.
    chunk: usize,
    /// Few rows and columns: all columns are packed at once, for many tasks of few rows.
    narrow: bool,
}

impl<S: Scalar, const NR: usize> Product<'_, S, NR> {
    fn block<'v>(
        &self,
        view: &'v View<'v>,
        decode: Decode<S>,
        batch: usize,
        step: &'v Step<'_, S>,
    ) -> Block<'v, S> {
        Block { view, base: view.batch[batch], ks: &view.ks[step.ks.clone()], perm: &step.order.perm, decode }
    }

    /// Packs one panel of columns, all steps. `dst` holds `depth` arrays.
    fn pack_panel(&self, batch: usize, columns: &[usize], temp: &mut Temp<S>, dst: &mut [[S; NR]]) {
        for step in &self.steps {
            let dst = &mut dst[step.before..step.before + step.ks.len()];
            self.block(self.rhs, step.pass.rhs, batch, step).pack(columns, temp, dst);
        }
    }

    /// Computes `rows` times `width` columns (at most MC and NC) and stores them; `out` is the
    /// result's rows.
    fn tile(
        &self,
        batch: usize,
        rows: std::ops::Range<usize>,
        width: usize,
        columns: Columns<S, NR>,
        scratch: &mut Scratch<S, NR>,
        out: &mut [&mut [u8]],
    ) {
        let ld = width.div_ceil(NR) * NR;
        let acc: &mut [S] = bytemuck::cast_slice_mut(scratch.acc.bytes_mut());
        let packed: &mut [S] = bytemuck::cast_slice_mut(scratch.a.bytes_mut());
        let rows = &self.lhs.rows[rows];
        if self.steps.is_empty() {
            acc.fill(S::ZERO);
        }
        for (i, step) in self.steps.iter().enumerate() {
            let depth = step.ks.len();
            let left = self.block(self.lhs, step.pass.lhs, batch, step);
            for (rows, dst) in rows.chunks(MR).zip(packed.chunks_mut(MR * depth)) {
                left.pack_narrow(rows, &mut scratch.temp, &mut dst[..rows.len() * depth]);
            }
            let mut panel = |j: usize, b: &[[S; NR]]| {
                for (p, (rows, a)) in rows.chunks(MR).zip(packed.chunks(MR * depth)).enumerate() {
                    let acc = &mut acc[p * MR * ld + j * NR..][..(rows.len() - 1) * ld + NR];
                    tile_rows(rows.len(), &a[..rows.len() * depth], b, &step.order.groups, i == 0, acc, ld);
                }
            };
            match &columns {
                Columns::Packed(panels) => {
                    for (j, b) in panels.chunks_exact(self.depth).enumerate() {
                        panel(j, &b[step.before..step.before + depth]);
                    }
                }
                Columns::Rows(list) => {
                    let right = self.block(self.rhs, step.pass.rhs, batch, step);
                    for (j, list) in list.chunks(NR).enumerate() {
                        let b = &mut scratch.panel[..depth];
                        right.pack(list, &mut scratch.temp, b);
                        panel(j, b);
                    }
                }
            }
        }
        for (out, acc) in out.iter_mut().zip(acc.chunks(ld)) {
            (self.plan.store)(&acc[..width], out);
        }
    }

    /// One product of the batch, in this thread. `out` is its whole result. Without a buffer for the
    /// packed columns in `scratch`, there are at most MC rows.
    fn serial(&self, batch: usize, out: &mut [u8], scratch: &mut Scratch<S, NR>) {
        let (m, n, size) = (self.lhs.rows.len(), self.rhs.rows.len(), self.plan.out_size);
        let Some(mut buffer) = scratch.b.take() else {
            let mut out: Vec<&mut [u8]> = out.chunks_mut(n * size).collect();
            for j0 in (0..n).step_by(NC) {
                let list = &self.rhs.rows[j0..(j0 + NC).min(n)];
                let part = j0 * size..(j0 + list.len()) * size;
                let mut out: Vec<&mut [u8]> = out.iter_mut().map(|row| &mut row[part.clone()]).collect();
                self.tile(batch, 0..m, list.len(), Columns::Rows(list), scratch, &mut out);
            }
            return;
        };
        for c0 in (0..n).step_by(self.chunk) {
            let columns = &self.rhs.rows[c0..(c0 + self.chunk).min(n)];
            let packed: &mut [[S; NR]] =
                bytemuck::cast_slice_mut::<u8, S>(buffer.bytes_mut()).as_chunks_mut().0;
            if self.depth > 0 {
                for (columns, dst) in columns.chunks(NR).zip(packed.chunks_mut(self.depth)) {
                    self.pack_panel(batch, columns, &mut scratch.temp, dst);
                }
            }
            for r0 in (0..m).step_by(MC) {
                let rows = r0..(r0 + MC).min(m);
                for j0 in (0..columns.len()).step_by(NC) {
                    let width = NC.min(columns.len() - j0);
                    let panels = &packed[j0 / NR * self.depth..][..width.div_ceil(NR) * self.depth];
                    let mut out: Vec<&mut [u8]> = out[rows.start * n * size..rows.end * n * size]
                        .chunks_mut(n * size)
                        .map(|row| &mut row[(c0 + j0) * size..(c0 + j0 + width) * size])
                        .collect();
                    self.tile(batch, rows.clone(), width, Columns::Packed(panels), scratch, &mut out);
                }
            }
        }
        scratch.b = Some(buffer);
    }

    /// One product of the batch, on all threads.
    fn parallel(&self, ctx: &Ctx, batch: usize, out: &mut [u8]) -> Result<()> {
        let (m, n, size) = (self.lhs.rows.len(), self.rhs.rows.len(), self.plan.out_size);
        let direct = m <= MC && !self.narrow;
        let mut buffer = ctx.scratch(if direct { 0 } else { self.chunk * self.depth * size_of::<S>() })?;
        for c0 in (0..n).step_by(self.chunk) {
            ctx.check_stop()?;
            let columns = &self.rhs.rows[c0..(c0 + self.chunk).min(n)];
            let packed: &mut [[S; NR]] =
                bytemuck::cast_slice_mut::<u8, S>(buffer.bytes_mut()).as_chunks_mut().0;
            if self.depth > 0 && !direct {
                let panels = if self.narrow { 1 } else { 4 };
                columns
                    .par_chunks(NR * panels)
                    .zip(packed.par_chunks_mut(panels * self.depth))
                    .try_for_each_init(Temp::new, |temp, (columns, dst)| {
                        ctx.check_stop()?;
                        for (columns, dst) in columns.chunks(NR).zip(dst.chunks_mut(self.depth)) {
                            self.pack_panel(batch, columns, temp, dst);
                        }
                        Ok(())
                    })?;
            }
            // With few rows, narrower tasks keep all threads at work.
            let width = if m > 2 * MC { NC } else { NC / 4 };
            let few = m.div_ceil(MC) * columns.len().div_ceil(width) < FEW_TASKS;
            let height = match self.narrow {
                true => MC / 4,
                false if few && self.chunk < n => MC / 2,
                false => MC,
            };
            let mut tasks: Vec<Task> = Vec::new();
            for (r, rows) in out.chunks_mut(height * n * size).enumerate() {
                let first = tasks.len();
                let range = r * height..(r * height + height).min(m);
                for j0 in (0..columns.len()).step_by(width) {
                    tasks.push((range.clone(), j0, Vec::with_capacity(range.len())));
                }
                for row in rows.chunks_mut(n * size) {
                    let row = &mut row[c0 * size..(c0 + columns.len()) * size];
                    for (task, part) in tasks[first..].iter_mut().zip(row.chunks_mut(width * size)) {
                        task.2.push(part);
                    }
                }
            }
            let packed = &*packed;
            tasks.into_par_iter().try_for_each_init(
                || Scratch::new(ctx, m.min(height), width.min(n).next_multiple_of(NR), None),
                |scratch, (rows, j0, mut out)| {
                    // A chunk of a large product takes seconds, a task of it milliseconds.
                    ctx.check_stop()?;
                    let scratch = scratch.as_mut().map_err(|e| e.clone())?;
                    let width = width.min(columns.len() - j0);
                    let columns = if direct {
                        Columns::Rows(&columns[j0..j0 + width])
                    } else {
                        Columns::Packed(&packed[j0 / NR * self.depth..][..width.div_ceil(NR) * self.depth])
                    };
                    self.tile(batch, rows, width, columns, scratch, &mut out);
                    Ok(())
                },
            )?;
        }
        Ok(())
    }
}

/// `out[b, m, n] = Σ_passes Σ_k lhs[b, m, k] * rhs[b, n, k]`, in row-major order.
///
/// `NR` is the number of columns of a register tile: two vector registers of `S`.
///
/// # Errors
/// When scratch memory runs out, or the run is stopped.
pub fn gemm<S: Scalar, const NR: usize>(
    ctx: &Ctx,
    lhs: &View,
    rhs: &View,
    plan: &Plan<S>,
    out: &mut [u8],
) -> Result<()> {
    let (m, n, k) = (lhs.rows.len(), rhs.rows.len(), lhs.ks.len());
    let batches = lhs.batch.len();
    if m == 0 || n == 0 || batches == 0 {
        return Ok(());
    }
    let full = plan.order.block(BLOCK);
    let tail = plan.order.block(k % BLOCK);
    let mut steps = Vec::new();
    let mut depth = 0;
    for pass in plan.passes {
        for k0 in (0..k).step_by(BLOCK) {
            let ks = k0..(k0 + BLOCK).min(k);
            let order = if ks.len() == BLOCK { &full } else { &tail };
            let before = depth;
            depth += ks.len();
            steps.push(Step { pass, ks, order, before });
        }
    }
    let padded = n.next_multiple_of(NR);
    let work = m.saturating_mul(n).saturating_mul(depth.max(1));
    let all_serial = work.saturating_mul(batches) <= 2 * TASK_WORK;
    let by_batch = batches > 1 && work <= BATCH_WORK;
    let narrow = !(all_serial || by_batch)
        && m <= 2 * MC
        && n <= NC / 4
        && padded * depth * size_of::<S>() <= NARROW_BYTES;
    let chunk = if m <= MC || narrow {
        padded
    } else {
        let all = lhs.bytes.len() + rhs.bytes.len() + out.len();
        let most = PACKED_BYTES.min(all / PACKED_PART) / (depth.max(1) * size_of::<S>());
        // Whole tasks, if they fit; else what there is room for.
        let unit = [NC, NC / 4, NR].into_iter().find(|&unit| unit <= most).unwrap_or(NR);
        (most / unit * unit).max(NR).min(padded)
    };
    let product = Product::<S, NR> { lhs, rhs, plan, steps, depth, chunk, narrow };
    let one = m * n * plan.out_size;
    let serial = |outs: &mut [u8], first: usize, scratch: &mut Scratch<S, NR>| -> Result<()> {
        ctx.check_stop()?;
        for (i, out) in outs.chunks_mut(one).enumerate() {
            product.serial(first + i, out, scratch);
        }
        Ok(())
    };
    let scratch = || Scratch::new(ctx, m, padded, (m > MC).then_some(chunk * depth));
    if all_serial {
        serial(out, 0, &mut scratch()?)
    } else if by_batch {
        let per = (TASK_WORK / work).clamp(1, batches);
        out.par_chunks_mut(per * one).enumerate().try_for_each_init(scratch, |s, (i, outs)| {
            serial(outs, i * per, s.as_mut().map_err(|e| e.clone())?)
        })
    } else {
        out.chunks_mut(one).enumerate().try_for_each(|(b, out)| product.parallel(ctx, b, out))
    }
}
