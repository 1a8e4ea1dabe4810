//! The engine: copies a box of elements from one strided view to another.
//!
//! A box is a list of axes, outermost first, each with a size and two strides in elements. Slices
//! have source strides that skip, broadcasts have source strides of zero, padding and
//! dynamic-update-slice have destination strides that skip. Before anything moves, axes of size one
//! are dropped and neighbours that are contiguous on both sides become one axis, so a slice of rows
//! ends as one `memcpy` a row, or one for all.

use rayon::prelude::*;
use sim_core::by_width;
use smallvec::SmallVec;

/// One axis of a box: its size and its strides in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub n: usize,
    pub src: usize,
    pub dst: usize,
}

type Axes = SmallVec<[Axis; 6]>;

/// Boxes under this size are copied by the calling thread.
pub(crate) const PARALLEL_FROM: usize = 128 << 10;
/// What one task copies, about. Fixed, so that the split never depends on the number of threads.
pub(crate) const CHUNK: usize = 64 << 10;

/// Row-major strides in elements.
pub(crate) fn strides(shape: &[usize]) -> SmallVec<[usize; 6]> {
    let mut out: SmallVec<[usize; 6]> = SmallVec::from_elem(1, shape.len());
    for i in (1..shape.len()).rev() {
        // Shapes with a zero can have huge other sizes; their strides are never used.
        out[i - 1] = out[i].wrapping_mul(shape[i]);
    }
    out
}

/// Copies the box whose first element is number `src_at` of `src` to number `dst_at` of `dst`;
/// elements are `width` bytes wide.
///
/// The destination must be a row-major box: each axis's stride is at least the extent of the axes
/// inside it. The source strides are free (zero included).
pub(crate) fn copy(width: usize, dst: &mut [u8], dst_at: usize, src: &[u8], src_at: usize, axes: &[Axis]) {
    if axes.iter().any(|a| a.n == 0) {
        return;
    }
    let mut axes = merged(axes);
    let (width, dst_at, src_at) = widened(width, dst_at, src_at, &mut axes);
    let (dst_len, src_len) = (dst.len() / width * width, src.len() / width * width);
    by_width!(width, T => {
        let dst: &mut [T] = bytemuck::cast_slice_mut(&mut dst[..dst_len]);
        let src: &[T] = bytemuck::cast_slice(&src[..src_len]);
        run(&mut dst[dst_at..], &src[src_at..], &axes);
    });
}

/// Without axes of size one, and with contiguous neighbours joined.
fn merged(axes: &[Axis]) -> Axes {
    let mut out = Axes::new();
    for &a in axes.iter().filter(|a| a.n != 1) {
        match out.last_mut() {
            Some(o) if o.src == a.src * a.n && o.dst == a.dst * a.n => {
                *o = Axis { n: o.n * a.n, ..a };
            }
            _ => out.push(a),
        }
    }
    out
}

/// Takes a short contiguous innermost axis as one wider element where everything is aligned to it.
fn widened(width: usize, dst_at: usize, src_at: usize, axes: &mut Axes) -> (usize, usize, usize) {
    let Some((&last, outer)) = axes.split_last() else {
        return (width, dst_at, src_at);
    };
    let (n, wide) = (last.n, last.n.saturating_mul(width));
    let aligned = (last.src, last.dst) == (1, 1)
        && matches!(wide, 2 | 4 | 8 | 16)
        && outer.iter().all(|a| a.src.is_multiple_of(n) && a.dst.is_multiple_of(n))
        && dst_at.is_multiple_of(n)
        && src_at.is_multiple_of(n);
    if !aligned {
        return (width, dst_at, src_at);
    }
    axes.pop();
    for a in axes.iter_mut() {
        a.src /= n;
        a.dst /= n;
    }
    (wide, dst_at / n, src_at / n)
}

/// Splits large boxes along their outermost axis, in steps of about [`CHUNK`] bytes.
fn run<T: bytemuck::Pod + Send + Sync>(dst: &mut [T], src: &[T], axes: &[Axis]) {
    let bytes = axes.iter().map(|a| a.n).product::<usize>() * size_of::<T>();
    let Some((&outer, inner)) = axes.split_first() else {
        dst[0] = src[0];
        return;
    };
    if bytes < PARALLEL_FROM {
        return sequential(dst, src, axes);
    }
    let per = (CHUNK / (bytes / outer.n)).max(1);
    let extent = dst.len().min(outer.n * outer.dst);
    dst[..extent].par_chunks_mut(per * outer.dst).enumerate().for_each(|(i, dst)| {
        let first = i * per;
        let src = &src[first * outer.src..];
        match per.min(outer.n - first) {
            1 => run(dst, src, inner),
            n => {
                let mut axes = Axes::from_slice(axes);
                axes[0].n = n;
                run(dst, src, &axes);
            }
        }
    });
}

fn sequential<T: bytemuck::Pod>(dst: &mut [T], src: &[T], axes: &[Axis]) {
    match *axes {
        [] => dst[0] = src[0],
        [a] => line(dst, src, a),
        // A short innermost axis would pay the loop's set-up for every few elements.
        [a, b] if b.n < 8 && a.n >= 8 => plane(dst, src, b, a),
        [a, b] => plane(dst, src, a, b),
        [a, ref inner @ ..] => {
            for i in 0..a.n {
                sequential(&mut dst[i * a.dst..], &src[i * a.src..], inner);
            }
        }
    }
}

fn plane<T: bytemuck::Pod>(dst: &mut [T], src: &[T], outer: Axis, inner: Axis) {
    for i in 0..outer.n {
        line(&mut dst[i * outer.dst..], &src[i * outer.src..], inner);
    }
}

#[inline]
fn line<T: bytemuck::Pod>(dst: &mut [T], src: &[T], axis: Axis) {
    let n = axis.n;
    match (axis.src, axis.dst) {
        (1, 1) => dst[..n].copy_from_slice(&src[..n]),
        (0, 1) => dst[..n].fill(src[0]),
        (s, 1) => dst[..n].iter_mut().zip(src.iter().step_by(s)).for_each(|(d, &s)| *d = s),
        (0, d) => {
            let value = src[0];
            dst.iter_mut().step_by(d).take(n).for_each(|d| *d = value);
        }
        (s, d) => {
            dst.iter_mut().step_by(d).zip(src.iter().step_by(s)).take(n).for_each(|(d, &s)| *d = s);
        }
    }
}

/// Fills `dst`, a whole number of elements, with one element.
pub(crate) fn fill(dst: &mut [u8], element: &[u8]) {
    let axis = Axis { n: dst.len() / element.len().max(1), src: 0, dst: 1 };
    // The element may lie anywhere in a caller's buffer; the copy reads it aligned.
    let mut aligned = [0u64; 2];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut aligned);
    bytes[..element.len()].copy_from_slice(element);
    copy(element.len(), dst, 0, bytes, 0, &[axis]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contiguous_axes_merge() {
        let a = |n, src, dst| Axis { n, src, dst };
        assert_eq!(merged(&[a(2, 12, 12), a(3, 4, 4), a(1, 9, 9), a(4, 1, 1)]).to_vec(), [a(24, 1, 1)]);
        assert_eq!(merged(&[a(2, 0, 12), a(3, 0, 4), a(4, 1, 1)]).to_vec(), [a(6, 0, 4), a(4, 1, 1)]);
        assert_eq!(merged(&[a(5, 24, 12), a(3, 4, 4), a(4, 1, 1)]).to_vec(), [a(5, 24, 12), a(12, 1, 1)]);
    }

    #[test]
    fn short_rows_become_wide_elements() {
        let mut axes = merged(&[Axis { n: 5, src: 8, dst: 4 }, Axis { n: 4, src: 1, dst: 1 }]);
        assert_eq!(widened(2, 4, 8, &mut axes), (8, 1, 2));
        assert_eq!(axes.to_vec(), [Axis { n: 5, src: 2, dst: 1 }]);
        let mut axes = merged(&[Axis { n: 5, src: 9, dst: 4 }, Axis { n: 4, src: 1, dst: 1 }]);
        assert_eq!(widened(2, 4, 8, &mut axes), (2, 4, 8));
    }
}
