//! Copies of elements from one set of strides to another.

use rayon::prelude::*;
use smallvec::SmallVec;

/// A dimension of a copy: how many, and how far apart in bytes on either side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub n: usize,
    pub src: isize,
    pub dst: isize,
}

/// From so many bytes on, several threads share the work.
const PARALLEL_FROM: usize = 4 << 20;
/// What one of them takes at a time.
const CHUNK: usize = 1 << 20;
/// Bytes of a cache line, which a transposing copy reads whole.
const LINE: usize = 64;
/// Elements of a line of the destination that such a copy writes before it goes to the next.
const ROW: usize = 64;

/// Copies elements of `width` bytes. Every place that `axes` reach from the origins `s` and `d` is within `src` and `dst`, and no two
/// elements have the same place in `dst`.
pub(super) fn strided(
    width: usize,
    src: &[u8],
    mut s: usize,
    dst: &mut [u8],
    mut d: usize,
    axes: SmallVec<[Axis; 6]>,
) {
    // Forwards in the destination, the largest stride outermost, what lies in one line merged.
    let mut order: SmallVec<[Axis; 6]> = axes.into_iter().filter(|a| a.n != 1).collect();
    for a in order.iter_mut().filter(|a| a.dst < 0) {
        let last = a.n as isize - 1;
        (s, d) = (s.wrapping_add_signed(last * a.src), d.wrapping_add_signed(last * a.dst));
        (a.src, a.dst) = (-a.src, -a.dst);
    }
    order.sort_by_key(|a| std::cmp::Reverse(a.dst));
    let mut merged: SmallVec<[Axis; 6]> = SmallVec::new();
    for a in order {
        match merged.last_mut() {
            Some(outer) if outer.src == a.src * a.n as isize && outer.dst == a.dst * a.n as isize => {
                *outer = Axis { n: outer.n * a.n, ..a };
            }
            _ => merged.push(a),
        }
    }
    let mut run = width;
    if let Some(a) = merged.last().filter(|a| a.src == width as isize && a.dst == width as isize) {
        run = a.n * width;
        merged.pop();
    }
    let total = merged.iter().fold(run, |n, a| n * a.n);
    if total >= PARALLEL_FROM && merged.is_empty() {
        let pairs = dst[d..d + run].par_chunks_mut(CHUNK).zip(src[s..s + run].par_chunks(CHUNK));
        return pairs.for_each(|(dst, src)| dst.copy_from_slice(src));
    }
    let copy = Copy { run, pair: pair(&merged, run) };
    copy.shared(src, s, &mut dst[d..], &merged, total);
}

/// What is copied as a whole, and which axes go through the cache together.
struct Copy {
    run: usize,
    /// The axis that is read along lines, where that is not the one that is written along lines (the last).
    pair: Option<usize>,
}

/// The axis to be read along lines when the innermost is not.
fn pair(axes: &[Axis], run: usize) -> Option<usize> {
    let last = axes.len().checked_sub(1)?;
    let nearest = (0..axes.len()).min_by_key(|&i| axes[i].src.unsigned_abs())?;
    let far = axes[last].src.unsigned_abs() >= LINE && axes[nearest].src.unsigned_abs() < LINE;
    (run < LINE && nearest != last && far).then_some(nearest)
}

impl Copy {
    /// Cuts the outermost axes among threads, where it is worth it.
    fn shared(&self, src: &[u8], s: usize, dst: &mut [u8], axes: &[Axis], total: usize) {
        let Some((&outer, inner)) = axes.split_first().filter(|_| total >= PARALLEL_FROM) else {
            return self.sequential(src, s, dst, axes);
        };
        let step = outer.dst as usize;
        let (skipped, each) = (self.pair.map(|p| p.wrapping_sub(1)), total / outer.n);
        if each >= PARALLEL_FROM && self.pair != Some(0) {
            let copy = Copy { run: self.run, pair: skipped };
            for i in 0..outer.n {
                copy.shared(
                    src,
                    s.wrapping_add_signed(i as isize * outer.src),
                    &mut dst[i * step..],
                    inner,
                    each,
                );
            }
            return;
        }
        // Whole lines of what is read, where this axis is read along lines.
        let least = if self.pair == Some(0) { LINE / self.run } else { 1 };
        let per = (CHUNK / each.max(1)).max(least).min(outer.n);
        // Up to the next axis's end: the last chunk may be shorter than its stride.
        dst.par_chunks_mut(per * step).take(outer.n.div_ceil(per)).enumerate().for_each(|(i, dst)| {
            let first = i * per;
            let mut part: SmallVec<[Axis; 6]> = axes.into();
            part[0].n = per.min(outer.n - first);
            self.sequential(src, s.wrapping_add_signed(first as isize * outer.src), dst, &part);
        });
    }

    fn sequential(&self, src: &[u8], s: usize, dst: &mut [u8], axes: &[Axis]) {
        match self.pair {
            Some(p) => {
                let (q, last) = (axes[p], axes[axes.len() - 1]);
                let others: SmallVec<[Axis; 6]> = axes[..axes.len() - 1]
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| *i != p)
                    .map(|(_, a)| *a)
                    .collect();
                let block = match self.run {
                    1 => transposed::<1>,
                    2 => transposed::<2>,
                    4 => transposed::<4>,
                    8 => transposed::<8>,
                    16 => transposed::<16>,
                    _ => return self.nested(src, s, dst, 0, axes),
                };
                each(&others, s, 0, &mut |s, d| block(src, s, dst, d, q, last));
            }
            None => self.nested(src, s, dst, 0, axes),
        }
    }

    fn nested(&self, src: &[u8], s: usize, dst: &mut [u8], d: usize, axes: &[Axis]) {
        let Some((&last, others)) = axes.split_last() else {
            return dst[d..d + self.run].copy_from_slice(&src[s..s + self.run]);
        };
        let row = match self.run {
            1 => row::<1>,
            2 => row::<2>,
            4 => row::<4>,
            8 => row::<8>,
            16 => row::<16>,
            run => {
                return each(axes, s, d, &mut |s, d| dst[d..d + run].copy_from_slice(&src[s..s + run]));
            }
        };
        each(others, s, d, &mut |s, d| row(src, s, dst, d, last));
    }
}

/// Calls `f` with the offsets of each place of the axes.
fn each(axes: &[Axis], s: usize, d: usize, f: &mut impl FnMut(usize, usize)) {
    match axes.split_first() {
        None => f(s, d),
        Some((a, inner)) => {
            for i in 0..a.n as isize {
                each(inner, s.wrapping_add_signed(i * a.src), d.wrapping_add_signed(i * a.dst), f);
            }
        }
    }
}

#[inline(always)]
fn element<const W: usize>(src: &[u8], s: usize, dst: &mut [u8], d: usize) {
    dst[d..][..W].copy_from_slice(&src[s..][..W]);
}

fn row<const W: usize>(src: &[u8], s: usize, dst: &mut [u8], d: usize, a: Axis) {
    if a.dst == W as isize {
        // The common case without bounds to check on one side.
        for (i, to) in dst[d..d + a.n * W].as_chunks_mut::<W>().0.iter_mut().enumerate() {
            to.copy_from_slice(&src[s.wrapping_add_signed(i as isize * a.src)..][..W]);
        }
        return;
    }
    for i in 0..a.n as isize {
        element::<W>(src, s.wrapping_add_signed(i * a.src), dst, d.wrapping_add_signed(i * a.dst));
    }
}

/// Two axes in blocks: `q` is near in the source, `p` in the destination.
fn transposed<const W: usize>(src: &[u8], s: usize, dst: &mut [u8], d: usize, q: Axis, p: Axis) {
    let lines = LINE / W;
    let dense = q.src == W as isize && p.dst == W as isize;
    for p0 in (0..p.n).step_by(ROW) {
        for q0 in (0..q.n).step_by(lines) {
            let at = |origin: usize, q: isize, p: isize| {
                origin.wrapping_add_signed(q0 as isize * q + p0 as isize * p)
            };
            let (s, d) = (at(s, q.src, p.src), at(d, q.dst, p.dst));
            let q = Axis { n: lines.min(q.n - q0), ..q };
            let p = Axis { n: ROW.min(p.n - p0), ..p };
            if dense {
                block::<W>(src, s, dst, d, q, p);
            } else {
                for i in 0..q.n as isize {
                    let (s, d) = (s.wrapping_add_signed(i * q.src), d.wrapping_add_signed(i * q.dst));
                    row::<W>(src, s, dst, d, p);
                }
            }
        }
    }
}

/// One block, dense on both sides. It goes through a small square, because lines that are a power of two apart push each other out of
/// the cache.
fn block<const W: usize>(src: &[u8], s: usize, dst: &mut [u8], d: usize, q: Axis, p: Axis) {
    let mut square = [[0u8; LINE]; ROW];
    for (k, line) in square[..p.n].iter_mut().enumerate() {
        let from = s.wrapping_add_signed(k as isize * p.src);
        line[..q.n * W].copy_from_slice(&src[from..][..q.n * W]);
    }
    for i in 0..q.n {
        let to = &mut dst[d.wrapping_add_signed(i as isize * q.dst)..][..p.n * W];
        for (to, line) in to.as_chunks_mut::<W>().0.iter_mut().zip(&square) {
            to.copy_from_slice(&line[i * W..][..W]);
        }
    }
}

/// Maps every byte.
pub(super) fn map_bytes(bytes: &mut [u8], f: impl Fn(u8) -> u8 + Sync) {
    let map = |part: &mut [u8]| part.iter_mut().for_each(|b| *b = f(*b));
    match bytes.len() {
        ..PARALLEL_FROM => map(bytes),
        _ => bytes.par_chunks_mut(CHUNK).for_each(map),
    }
}
