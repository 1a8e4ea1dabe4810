//! One pass of a reduction by any region: an iteration space seen as (a, r, b), of which r is
//! folded by pairs of neighbours, so that the order of the elements is kept: the region need not
//! commute.

use super::pass::Shape3;
use crate::vpu::tile::TileProgram;
use crate::vpu::tile::access::Access;
use crate::vpu::tile::buf::TileBuf;
use crate::vpu::tile::exec::{Exec, Out};
use rayon::prelude::*;
use sim_core::dtype::ElementType;
use sim_core::exec::RegionFn;
use sim_core::{Buffer, Ctx, Result};
use smallvec::SmallVec;

/// Elements that one task brings together and folds.
const BLOCK: usize = 16 << 10;

struct Task<'o> {
    a: std::ops::Range<usize>,
    r: std::ops::Range<usize>,
    b: std::ops::Range<usize>,
    outs: SmallVec<[Out<'o>; 2]>,
}

/// Reduces all outputs of the program; gives, for each, `a * b` elements without the initial value.
/// `r` is at least 1.
pub(super) fn reduce(
    ctx: &Ctx,
    program: &TileProgram,
    access: &Access<'_>,
    shape: Shape3,
    body: &dyn RegionFn,
) -> Result<Vec<Buffer>> {
    let types = program.output_types();
    let (mut parts, mut left) = blocks(ctx, types, shape, body, Input::Program(program, access))?;
    while left > 1 {
        let shape = Shape3 { r: left, ..shape };
        let (next, rest) = blocks(ctx, types, shape, body, Input::Memory(&parts))?;
        (parts, left) = (next, rest);
    }
    Ok(parts)
}

/// Where the elements of a pass come from.
#[derive(Clone, Copy)]
enum Input<'i> {
    Program(&'i TileProgram, &'i Access<'i>),
    /// Earlier partial results, of shape (a, r, b).
    Memory(&'i [Buffer]),
}

/// Folds `r` in blocks; gives the partial results, of shape (a, blocks, b), and the blocks.
fn blocks(
    ctx: &Ctx,
    types: &[ElementType],
    shape: Shape3,
    body: &dyn RegionFn,
    input: Input<'_>,
) -> Result<(Vec<Buffer>, usize)> {
    let Shape3 { a, r, b } = shape;
    let part = b.min(4096);
    let rows = (BLOCK / part).max(2).min(r);
    let blocks = r.div_ceil(rows);
    let group = if blocks == 1 && part == b { (BLOCK / (r * b)).max(1) } else { 1 };
    let mut results = Vec::with_capacity(types.len());
    for ty in types {
        results.push(ctx.scratch(a * blocks * b * ty.byte_size())?);
    }
    let mut tasks = Vec::new();
    for first in (0..a).step_by(group) {
        for top in (0..r).step_by(rows) {
            for low in (0..b).step_by(part) {
                tasks.push(Task {
                    a: first..(first + group).min(a),
                    r: top..(top + rows).min(r),
                    b: low..(low + part).min(b),
                    outs: SmallVec::new(),
                });
            }
        }
    }
    for (out, ty) in results.iter_mut().zip(types) {
        let mut rest = out.bytes_mut();
        for task in &mut tasks {
            let (head, tail) = rest.split_at_mut(task.a.len() * task.b.len() * ty.byte_size());
            task.outs.push(head);
            rest = tail;
        }
    }
    let new = || match input {
        Input::Program(program, access) => Some(Exec::new(program, access, &vec![true; types.len()], &[])),
        Input::Memory(_) => None,
    };
    let work = |exec: &mut Option<Exec<'_>>, mut task: Task<'_>| -> Result<()> {
        ctx.check_stop()?;
        let n = task.a.len() * task.r.len() * task.b.len();
        let mut values: Vec<TileBuf> = types.iter().map(|ty| TileBuf::new(n * ty.byte_size())).collect();
        // Runs of the iteration space that follow each other in the block.
        let whole = task.b.len() == b;
        let (runs, run) = if whole { (1, n) } else { (task.r.len(), task.b.len()) };
        for k in 0..runs {
            let pos = (task.a.start * r + task.r.start + k) * b + task.b.start;
            match (input, exec.as_mut()) {
                (Input::Program(_, access), Some(exec)) => {
                    let mut done = 0;
                    while done < run {
                        let len = access.tile_len(pos + done, pos + run);
                        let mut none: SmallVec<[Out<'_>; 4]> =
                            types.iter().map(|_| Default::default()).collect();
                        exec.eval(pos + done, len, &mut none);
                        for (j, (v, ty)) in values.iter_mut().zip(types).enumerate() {
                            let w = ty.byte_size();
                            let at = (k * run + done) * w;
                            v.bytes_mut(n * w)[at..at + len * w].copy_from_slice(exec.output(j, len));
                        }
                        done += len;
                    }
                }
                (Input::Memory(parts), _) => {
                    for ((v, ty), part) in values.iter_mut().zip(types).zip(parts) {
                        let w = ty.byte_size();
                        let from = &part.bytes()[pos * w..(pos + run) * w];
                        v.bytes_mut(n * w)[k * run * w..(k + 1) * run * w].copy_from_slice(from);
                    }
                }
                _ => {}
            }
        }
        let block = Shape3 { a: task.a.len(), r: task.r.len(), b: task.b.len() };
        by_pairs(types, block, body, values, &mut task.outs);
        Ok(())
    };
    if tasks.len() == 1 || a * r * b < BLOCK {
        let mut exec = new();
        tasks.into_iter().try_for_each(|t| work(&mut exec, t))?;
    } else {
        tasks.into_par_iter().try_for_each_init(new, work)?;
    }
    Ok((results, blocks))
}

/// Halves `r` by joining neighbours, until one is left.
fn by_pairs(
    types: &[ElementType],
    shape: Shape3,
    body: &dyn RegionFn,
    mut values: Vec<TileBuf>,
    outs: &mut [Out<'_>],
) {
    let Shape3 { a, mut r, b } = shape;
    let most = a * (r / 2) * b;
    let new = || -> Vec<TileBuf> { types.iter().map(|ty| TileBuf::new(most * ty.byte_size())).collect() };
    let (mut left, mut right, mut joined) = (new(), new(), new());
    while r > 1 {
        let half = r / 2;
        let n = a * half * b;
        for (j, ty) in types.iter().enumerate() {
            let unit = b * ty.byte_size();
            let from = values[j].bytes(a * r * unit);
            let (l, h) = (left[j].bytes_mut(a * half * unit), right[j].bytes_mut(a * half * unit));
            let rows = from.chunks_exact(r * unit);
            let halves = l.chunks_exact_mut(half * unit).zip(h.chunks_exact_mut(half * unit));
            for (row, (l, h)) in rows.zip(halves) {
                split(&row[..2 * half * unit], unit, l, h);
            }
        }
        let args: SmallVec<[&[u8]; 8]> = left
            .iter()
            .zip(types)
            .chain(right.iter().zip(types))
            .map(|(buf, ty)| buf.bytes(n * ty.byte_size()))
            .collect();
        let mut results: SmallVec<[&mut [u8]; 4]> =
            joined.iter_mut().zip(types).map(|(buf, ty)| buf.bytes_mut(n * ty.byte_size())).collect();
        body.eval(&args, &mut results, n);
        drop(results);
        // An odd one at the end waits for the next round.
        let next = r - half;
        for (j, ty) in types.iter().enumerate() {
            let unit = b * ty.byte_size();
            for k in 0..a {
                let done = &joined[j].bytes(n * ty.byte_size())[k * half * unit..(k + 1) * half * unit];
                let all = values[j].bytes_mut(a * r * unit);
                if r % 2 == 1 {
                    let last = (k * r + r - 1) * unit;
                    all.copy_within(last..last + unit, (k * next + half) * unit);
                }
                all[k * next * unit..(k * next + half) * unit].copy_from_slice(done);
            }
        }
        r = next;
    }
    for (value, out) in values.iter().zip(outs) {
        let len = out.len();
        out.copy_from_slice(value.bytes(len));
    }
}

/// Units with even numbers to the left, with odd numbers to the right.
fn split(from: &[u8], unit: usize, left: &mut [u8], right: &mut [u8]) {
    fn typed<T: bytemuck::Pod>(from: &[u8], left: &mut [u8], right: &mut [u8]) {
        let pairs = bytemuck::cast_slice::<u8, T>(from).as_chunks::<2>().0;
        let left = bytemuck::cast_slice_mut::<u8, T>(left);
        let right = bytemuck::cast_slice_mut::<u8, T>(right);
        for ((pair, l), r) in pairs.iter().zip(left).zip(right) {
            *l = pair[0];
            *r = pair[1];
        }
    }
    match unit {
        1 => typed::<u8>(from, left, right),
        2 => typed::<u16>(from, left, right),
        4 => typed::<u32>(from, left, right),
        8 => typed::<u64>(from, left, right),
        _ => {
            let both = left.chunks_exact_mut(unit).zip(right.chunks_exact_mut(unit));
            for (pair, (l, r)) in from.chunks_exact(2 * unit).zip(both) {
                l.copy_from_slice(&pair[..unit]);
                r.copy_from_slice(&pair[unit..]);
            }
        }
    }
}
