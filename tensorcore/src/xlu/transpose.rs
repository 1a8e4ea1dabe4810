//! `transpose`.
//!
//! With merged dimensions there are two cases. Either the innermost dimension stays innermost: rows
//! are copied whole. Or it moves: then the planes spanned by the source's and the result's innermost
//! dimensions are transposed in square tiles whose side is one cache line, through a buffer that
//! fits in L1, so that each line of either side is touched once however the strides alias.

use super::{CHUNK, PARALLEL_FROM, by_width};
use rayon::prelude::*;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// One dimension of the result: its size, its stride in the operand and in the result, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis {
    n: usize,
    src: usize,
    dst: usize,
}

type Axes = SmallVec<[Axis; 6]>;

/// `stablehlo.transpose`: dimension `i` of the result is dimension `permutation[i]` of the operand.
/// Any element type. A permutation that moves only dimensions of size 1 shares the operand's bytes.
///
/// # Errors
/// `Invalid` when `permutation` is not one.
pub fn transpose(ctx: &Ctx, operand: &Tensor, permutation: &[i64]) -> Result<Tensor> {
    let shape = operand.shape();
    let mut seen: SmallVec<[bool; 6]> = SmallVec::from_elem(false, shape.len());
    let mut order: SmallVec<[usize; 6]> = SmallVec::new();
    for &p in permutation {
        match usize::try_from(p).ok().filter(|&p| p < shape.len() && !seen[p]) {
            Some(p) => {
                seen[p] = true;
                order.push(p);
            }
            None => break,
        }
    }
    if order.len() != shape.len() || permutation.len() != shape.len() {
        return Err(Diagnostic::invalid(format!(
            "{permutation:?} is not a permutation of {} dimensions",
            shape.len()
        )));
    }
    let out_shape: SmallVec<[usize; 6]> = order.iter().map(|&p| shape[p]).collect();
    let (axes, unit) = merged(shape, &order, operand.element().byte_size());
    if operand.is_empty() || axes.len() < 2 {
        return Ok(operand.clone().reshaped(&out_shape));
    }
    let mut out = ctx.alloc(operand.element(), &out_shape)?;
    by_width!(operand.element().byte_size() * unit, T => {
        let src: &[T] = bytemuck::cast_slice(operand.bytes());
        run(bytemuck::cast_slice_mut(out.bytes_mut()), src, &axes, tile::<T, { 64 / size_of::<T>() }>);
    });
    Ok(out)
}

/// The result's dimensions, outermost first, without sizes of 1 and with neighbours joined; and how
/// many elements move together as one wider element because a short innermost dimension stays.
fn merged(shape: &[usize], order: &[usize], width: usize) -> (Axes, usize) {
    let mut strides: SmallVec<[usize; 6]> = SmallVec::from_elem(1, shape.len());
    for i in (1..shape.len()).rev() {
        strides[i - 1] = strides[i].wrapping_mul(shape[i]);
    }
    let mut axes = Axes::new();
    for &p in order.iter().filter(|&&p| shape[p] != 1) {
        let a = Axis { n: shape[p], src: strides[p], dst: 0 };
        match axes.last_mut() {
            Some(o) if o.src == a.src.wrapping_mul(a.n) => *o = Axis { n: o.n.wrapping_mul(a.n), ..a },
            _ => axes.push(a),
        }
    }
    let mut unit = 1;
    if let [.., _, last] = axes[..]
        && last.src == 1
        && matches!(last.n, 2 | 4 | 8 | 16)
        && last.n * width <= 16
    {
        unit = last.n;
        axes.pop();
        axes.iter_mut().for_each(|a| a.src /= unit);
    }
    let mut dst = 1usize;
    for a in axes.iter_mut().rev() {
        a.dst = dst;
        dst = dst.wrapping_mul(a.n);
    }
    (axes, unit)
}

/// `dst[q * stride + p] = src[p * stride + q]` over the whole plane.
type Tile<T> = fn(&mut [T], &[T], Axis, Axis);

/// Splits large results along their outermost dimension.
fn run<T: bytemuck::Pod + Send + Sync>(dst: &mut [T], src: &[T], axes: &[Axis], tile: Tile<T>) {
    let (outer, inner) = (axes[0], &axes[1..]);
    if size_of_val(dst) < PARALLEL_FROM || inner.is_empty() {
        return sequential(dst, src, axes, tile);
    }
    // Whole cache lines of the source belong to one task.
    let least = if outer.src == 1 { 64 } else { 1 };
    let each = outer.dst * size_of::<T>();
    let per = (CHUNK / each).max(least).min(outer.n);
    dst.par_chunks_mut(per * outer.dst).enumerate().for_each(|(i, dst)| {
        let src = &src[i * per * outer.src..];
        let n = dst.len() / outer.dst;
        let mut part = Axes::from_slice(axes);
        part[0].n = n;
        match *inner {
            _ if n == 1 => run(dst, src, inner, tile),
            [p] if outer.src == 1 && size_of_val(dst) > 4 * CHUNK => columns(dst, src, part[0], p, tile),
            _ => sequential(dst, src, &part, tile),
        }
    });
}

/// A plane of few, long rows: the tasks take columns.
fn columns<T: bytemuck::Pod + Send + Sync>(dst: &mut [T], src: &[T], q: Axis, p: Axis, tile: Tile<T>) {
    let width = (CHUNK / size_of::<T>() / q.n).max(64);
    let mut parts: Vec<Vec<&mut [T]>> = Vec::new();
    parts.resize_with(p.n.div_ceil(width), || Vec::with_capacity(q.n));
    for row in dst.chunks_mut(q.dst) {
        row.chunks_mut(width).zip(&mut parts).for_each(|(piece, part)| part.push(piece));
    }
    parts.par_iter_mut().enumerate().for_each(|(i, rows)| {
        let n = rows[0].len();
        // Through a block of its own: the tile kernel writes one slice.
        let mut block = vec![T::zeroed(); n * q.n];
        tile(&mut block, &src[i * width * p.src..], Axis { dst: n, ..q }, Axis { n, ..p });
        rows.iter_mut().zip(block.chunks(n)).for_each(|(row, b)| row.copy_from_slice(b));
    });
}

fn sequential<T: bytemuck::Pod>(dst: &mut [T], src: &[T], axes: &[Axis], tile: Tile<T>) {
    let Some((&last, outer)) = axes.split_last() else {
        dst[0] = src[0];
        return;
    };
    let q = outer.iter().position(|a| a.src == 1);
    match (q, outer) {
        (None, []) if last.src == 1 => dst[..last.n].copy_from_slice(&src[..last.n]),
        (None, []) => dst[..last.n].iter_mut().zip(src.iter().step_by(last.src)).for_each(|(d, &s)| *d = s),
        (Some(0), [q]) => tile(dst, src, *q, last),
        // A loop over one of the other dimensions.
        (q, _) => {
            let d = usize::from(q == Some(0));
            let a = axes[d];
            let mut rest = Axes::from_slice(axes);
            rest.remove(d);
            for i in 0..a.n {
                sequential(&mut dst[i * a.dst..], &src[i * a.src..], &rest, tile);
            }
        }
    }
}

/// See [`Tile`]; `L` elements are one cache line.
fn tile<T: bytemuck::Pod, const L: usize>(dst: &mut [T], src: &[T], q: Axis, p: Axis) {
    let mut rows = [[T::zeroed(); L]; L];
    for p0 in (0..p.n).step_by(L) {
        let np = L.min(p.n - p0);
        for q0 in (0..q.n).step_by(L) {
            let nq = L.min(q.n - q0);
            if np < L || nq < L {
                for j in 0..nq {
                    let from = &src[p0 * p.src + q0 + j..];
                    let to = &mut dst[(q0 + j) * q.dst + p0..][..np];
                    to.iter_mut().zip(from.iter().step_by(p.src)).for_each(|(d, &s)| *d = s);
                }
                continue;
            }
            for (i, row) in rows.iter_mut().enumerate() {
                row.copy_from_slice(&src[(p0 + i) * p.src + q0..][..L]);
            }
            for j in 0..L {
                let line: &mut [T; L] =
                    (&mut dst[(q0 + j) * q.dst + p0..][..L]).try_into().expect("L elements");
                for i in 0..L {
                    line[i] = rows[i][j];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{TYPES, ctx, numbered, reference, shape};
    use super::*;
    use proptest::prelude::*;
    use sim_core::ElementType as E;

    fn check(t: &Tensor, permutation: &[i64]) {
        let shape: Vec<usize> = permutation.iter().map(|&p| t.shape()[p as usize]).collect();
        let out = transpose(&ctx(), t, permutation).unwrap();
        let want = reference(t, &shape, |i| {
            let mut at = vec![0; i.len()];
            permutation.iter().zip(i).for_each(|(&p, &i)| at[p as usize] = i);
            at
        });
        assert!(out == want, "{permutation:?} of {}", t.ty());
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert!(one.install(|| transpose(&ctx(), t, permutation).unwrap()) == want);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn any_permutation(dims in shape(5, 6), ty in 0..TYPES.len(), keys in proptest::collection::vec(any::<u32>(), 5)) {
            let mut order: Vec<i64> = (0..dims.len() as i64).collect();
            order.sort_by_key(|&i| keys[i as usize]);
            check(&numbered(TYPES[ty], &dims), &order);
        }

        #[test]
        fn tiles_and_their_edges(a in 1usize..150, b in 1usize..150, c in 1usize..5, ty in 0..TYPES.len(), perm in 0usize..4) {
            let perm = [[0, 2, 1], [2, 1, 0], [2, 0, 1], [1, 2, 0]][perm];
            let dims = if perm[0] == 0 { [c, a, b] } else { [a, c, b] };
            check(&numbered(TYPES[ty], &dims), &perm);
        }
    }

    #[test]
    fn large_arrays_are_split_right() {
        for (dims, perm) in [
            (&[300, 500][..], &[1, 0][..]),
            (&[100_003, 3], &[1, 0]),
            (&[5, 60_000], &[1, 0]),
            (&[6, 70, 9, 50], &[0, 2, 1, 3]),
            (&[6, 70, 9, 50], &[3, 1, 2, 0]),
            (&[2, 56, 56, 33], &[0, 3, 1, 2]),
            (&[70, 80, 90], &[2, 1, 0]),
        ] {
            for ty in [E::S8, E::BF16, E::F32] {
                check(&numbered(ty, dims), perm);
            }
        }
    }

    #[test]
    fn moving_ones_moves_nothing() {
        let t = numbered(E::F32, &[3, 1, 4]);
        let out = transpose(&ctx(), &t, &[1, 0, 2]).unwrap();
        assert_eq!((out.shape(), out.bytes().as_ptr()), (&[1, 3, 4][..], t.bytes().as_ptr()));
        assert!(transpose(&ctx(), &t, &[0, 0, 1]).is_err());
        assert!(transpose(&ctx(), &t, &[0, 1]).is_err());
        assert!(transpose(&ctx(), &t, &[0, 1, 3]).is_err());
    }
}
