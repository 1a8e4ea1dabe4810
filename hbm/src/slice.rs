//! `slice`, `dynamic_slice` and `dynamic_update_slice`.

use crate::strided::{self, Axis};
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// `stablehlo.slice` (and `real_dynamic_slice`, with its operands' values): elements `start`,
/// `start + stride`, … below `limit`, in every dimension. Any element type.
///
/// # Errors
/// `Invalid` unless `0 <= start <= limit <= size` and `stride > 0` in every dimension.
pub fn slice(ctx: &Ctx, operand: &Tensor, start: &[i64], limit: &[i64], strides: &[i64]) -> Result<Tensor> {
    let shape = operand.shape();
    let sizes = slice_sizes(shape, start, limit, strides)?;
    let mut out = ctx.alloc(operand.element(), &sizes)?;
    if out.is_empty() {
        return Ok(out);
    }
    let (from, to) = (strided::strides(shape), strided::strides(&sizes));
    let mut src_at = 0;
    let axes: SmallVec<[Axis; 6]> = (0..shape.len())
        .map(|i| {
            src_at += start[i] as usize * from[i];
            // A stride past the end is only ever multiplied by index 0.
            Axis { n: sizes[i], src: from[i].saturating_mul(strides[i] as usize), dst: to[i] }
        })
        .collect();
    strided::copy(operand.element().byte_size(), out.bytes_mut(), 0, operand.bytes(), src_at, &axes);
    Ok(out)
}

/// The sizes of a slice.
///
/// # Errors
/// As [`slice`].
pub(crate) fn slice_sizes(
    shape: &[usize],
    start: &[i64],
    limit: &[i64],
    strides: &[i64],
) -> Result<SmallVec<[usize; 6]>> {
    if [start.len(), limit.len(), strides.len()] != [shape.len(); 3] {
        return Err(Diagnostic::invalid(format!(
            "start, limit and strides need one entry for each of the operand's {} dimensions",
            shape.len()
        )));
    }
    let mut sizes: SmallVec<[usize; 6]> = SmallVec::new();
    for (i, &n) in shape.iter().enumerate() {
        let (s, l, k) = (start[i], limit[i], strides[i]);
        if s < 0 || s > l || l as u64 > n as u64 || k < 1 {
            return Err(Diagnostic::invalid(format!(
                "dimension {i} of size {n} cannot be sliced from {s} to {l} by {k}: \
                 it needs 0 <= start <= limit <= size and stride > 0"
            )));
        }
        sizes.push((l - s) as usize / k as usize + usize::from((l - s) % k != 0));
    }
    Ok(sizes)
}

/// Start indices moved so that a box of `sizes` lies inside `shape`, as both dynamic slices ask.
///
/// # Errors
/// `Invalid` when ranks differ or a size exceeds its dimension.
fn clamped(shape: &[usize], starts: &[i64], sizes: &[usize]) -> Result<SmallVec<[usize; 6]>> {
    if [starts.len(), sizes.len()] != [shape.len(); 2] {
        return Err(Diagnostic::invalid(format!(
            "the operand has {} dimensions, but there are {} start indices and {} sizes",
            shape.len(),
            starts.len(),
            sizes.len()
        )));
    }
    (0..shape.len())
        .map(|i| {
            let room = shape[i].checked_sub(sizes[i]).ok_or_else(|| {
                Diagnostic::invalid(format!(
                    "a slice of size {} does not fit dimension {i} of size {}",
                    sizes[i], shape[i]
                ))
            })?;
            Ok(usize::try_from(starts[i].max(0)).unwrap_or(usize::MAX).min(room))
        })
        .collect()
}

/// `stablehlo.dynamic_slice`: the box of `sizes` at `starts`, each start clamped to
/// `[0, size - slice size]`. Any element type. Unsigned 64-bit starts over `i64::MAX` must arrive
/// saturated.
///
/// # Errors
/// `Invalid` when a slice size is negative or larger than its dimension.
pub fn dynamic_slice(ctx: &Ctx, operand: &Tensor, starts: &[i64], sizes: &[i64]) -> Result<Tensor> {
    let sizes: SmallVec<[usize; 6]> = sizes
        .iter()
        .map(|&n| usize::try_from(n).map_err(|_| Diagnostic::invalid(format!("slice size {n} is negative"))))
        .collect::<Result<_>>()?;
    let starts = clamped(operand.shape(), starts, &sizes)?;
    let mut out = ctx.alloc(operand.element(), &sizes)?;
    if out.is_empty() {
        return Ok(out);
    }
    let (from, to) = (strided::strides(operand.shape()), strided::strides(&sizes));
    let src_at = starts.iter().zip(&from).map(|(&s, &k)| s * k).sum();
    let axes: SmallVec<[Axis; 6]> =
        (0..sizes.len()).map(|i| Axis { n: sizes[i], src: from[i], dst: to[i] }).collect();
    strided::copy(operand.element().byte_size(), out.bytes_mut(), 0, operand.bytes(), src_at, &axes);
    Ok(out)
}

/// `stablehlo.dynamic_update_slice`: `operand` with the box at `starts` (clamped as in
/// [`dynamic_slice`]) replaced by `update`. In place, touching only the update's bytes, when
/// `operand` is the only owner of its buffer.
///
/// # Errors
/// `Invalid` when the update is larger than the operand in some dimension or of another type.
pub fn dynamic_update_slice(
    ctx: &Ctx,
    mut operand: Tensor,
    update: &Tensor,
    starts: &[i64],
) -> Result<Tensor> {
    if operand.element() != update.element() {
        return Err(Diagnostic::invalid(format!(
            "the operand holds {} and the update {}",
            operand.element(),
            update.element()
        )));
    }
    let starts = clamped(operand.shape(), starts, update.shape())?;
    if update.is_empty() {
        return Ok(operand);
    }
    if update.shape() == operand.shape() {
        return Ok(update.clone());
    }
    if !operand.is_unique() {
        operand = crate::copy(ctx, &operand)?;
    }
    let (to, from) = (strided::strides(operand.shape()), strided::strides(update.shape()));
    let dst_at = starts.iter().zip(&to).map(|(&s, &k)| s * k).sum();
    let axes: SmallVec<[Axis; 6]> =
        (0..update.rank()).map(|i| Axis { n: update.shape()[i], src: from[i], dst: to[i] }).collect();
    strided::copy(update.element().byte_size(), operand.bytes_mut(), dst_at, update.bytes(), 0, &axes);
    Ok(operand)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TYPES, assert_same, ctx, numbered, reference, shape};
    use proptest::prelude::*;
    use sim_core::ElementType as E;

    #[test]
    fn bounds_are_checked() {
        let t = numbered(E::F32, &[4]);
        for (s, l, k) in [(-1, 2, 1), (3, 2, 1), (0, 5, 1), (0, 2, 0), (0, i64::MAX, 1)] {
            assert!(slice(&ctx(), &t, &[s], &[l], &[k]).is_err(), "{s} {l} {k}");
        }
        assert_eq!(slice(&ctx(), &t, &[1], &[3], &[i64::MAX]).unwrap().shape(), [1]);
        assert!(dynamic_slice(&ctx(), &t, &[0], &[5]).is_err());
        assert!(dynamic_slice(&ctx(), &t, &[0], &[-1]).is_err());
    }

    #[test]
    fn an_update_of_a_unique_operand_stays_in_its_buffer() {
        let (t, u) = (numbered(E::F32, &[8, 4]), numbered(E::F32, &[1, 4]));
        let at = t.bytes().as_ptr();
        let out = dynamic_update_slice(&ctx(), t, &u, &[3, 0]).unwrap();
        assert_eq!(out.bytes().as_ptr(), at);
        let shared = out.clone();
        let other = dynamic_update_slice(&ctx(), out, &u, &[4, 0]).unwrap();
        assert_ne!(other.bytes().as_ptr(), shared.bytes().as_ptr());
    }

    proptest! {
        #[test]
        fn slices_pick_the_elements_of_the_specification(
            dims in shape(4, 7), ty in 0..TYPES.len(), seed in proptest::collection::vec((0i64..8, 0i64..8, 1i64..4), 4),
        ) {
            let t = numbered(TYPES[ty], &dims);
            let mut start = vec![];
            let mut limit = vec![];
            let mut by = vec![];
            for (&n, &(a, b, k)) in dims.iter().zip(&seed) {
                let s = a.min(n as i64);
                start.push(s);
                limit.push((s + b).min(n as i64));
                by.push(k);
            }
            let out = slice(&ctx(), &t, &start, &limit, &by).unwrap();
            assert_same(&out, &reference(t.element(), out.shape(), |i| {
                let at: Vec<usize> = i.iter().enumerate().map(|(d, &x)| start[d] as usize + x * by[d] as usize).collect();
                Some((&t, at))
            }));
        }

        #[test]
        fn dynamic_slices_clamp(
            dims in shape(4, 6), ty in 0..TYPES.len(), seed in proptest::collection::vec((-3i64..9, 0usize..7), 4),
        ) {
            let t = numbered(TYPES[ty], &dims);
            let starts: Vec<i64> = seed[..dims.len()].iter().map(|s| s.0).collect();
            let sizes: Vec<i64> = dims.iter().zip(&seed).map(|(&n, s)| s.1.min(n) as i64).collect();
            let at: Vec<usize> = (0..dims.len())
                .map(|d| starts[d].clamp(0, dims[d] as i64 - sizes[d]) as usize).collect();
            let out = dynamic_slice(&ctx(), &t, &starts, &sizes).unwrap();
            assert_same(&out, &reference(t.element(), out.shape(), |i| {
                Some((&t, i.iter().zip(&at).map(|(&a, &b)| a + b).collect()))
            }));

            let shape: Vec<usize> = sizes.iter().map(|&n| n as usize).collect();
            let update = numbered(t.element(), &shape);
            let out = dynamic_update_slice(&ctx(), t.clone(), &update, &starts).unwrap();
            assert_same(&out, &reference(t.element(), &dims, |i| {
                let inside = (0..dims.len()).all(|d| i[d] >= at[d] && i[d] < at[d] + shape[d]);
                Some(if inside { (&update, i.iter().zip(&at).map(|(&a, &b)| a - b).collect()) } else { (&t, i.to_vec()) })
            }));
        }
    }

    #[test]
    fn large_boxes_are_split_without_a_trace() {
        let t = numbered(E::F32, &[70, 90, 40]);
        let out = slice(&ctx(), &t, &[1, 2, 1], &[70, 90, 39], &[1, 2, 2]).unwrap();
        assert_same(
            &out,
            &reference(E::F32, out.shape(), |i| Some((&t, vec![1 + i[0], 2 + 2 * i[1], 1 + 2 * i[2]]))),
        );
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_same(&out, &one.install(|| slice(&ctx(), &t, &[1, 2, 1], &[70, 90, 39], &[1, 2, 2]).unwrap()));
    }
}
