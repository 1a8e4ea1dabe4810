//! `reverse`.

use super::{CHUNK, PARALLEL_FROM, by_width};
use rayon::prelude::*;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// Neighbouring dimensions that are all reversed, or all kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    n: usize,
    reversed: bool,
}

/// `stablehlo.reverse`: the order of elements along each dimension of `dims` is turned around. Any
/// element type.
///
/// # Errors
/// `Invalid` when `dims` repeats itself or names a dimension that is not there.
pub fn reverse(ctx: &Ctx, operand: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let shape = operand.shape();
    let mut turned: SmallVec<[bool; 6]> = SmallVec::from_elem(false, shape.len());
    for &d in dims {
        match usize::try_from(d).ok().and_then(|d| turned.get_mut(d)) {
            Some(t) if !*t => *t = true,
            _ => {
                return Err(Diagnostic::invalid(format!(
                    "{dims:?} must be distinct dimensions of an operand with {}",
                    shape.len()
                )));
            }
        }
    }
    if operand.is_empty() {
        return Ok(operand.clone());
    }
    let mut groups: SmallVec<[Group; 6]> = SmallVec::new();
    for (&n, &reversed) in shape.iter().zip(&turned).filter(|(n, _)| **n != 1) {
        match groups.last_mut() {
            Some(g) if g.reversed == reversed => g.n *= n,
            _ => groups.push(Group { n, reversed }),
        }
    }
    if groups.iter().all(|g| !g.reversed) {
        return Ok(operand.clone());
    }
    let mut out = ctx.alloc(operand.element(), shape)?;
    by_width!(operand.element().byte_size(), T => {
        run::<T>(bytemuck::cast_slice_mut(out.bytes_mut()), bytemuck::cast_slice(operand.bytes()), &groups);
    });
    Ok(out)
}

/// Both slices are the whole box of `groups`.
fn run<T: bytemuck::Pod + Send + Sync>(dst: &mut [T], src: &[T], groups: &[Group]) {
    let Some((&outer, inner)) = groups.split_first() else {
        dst.copy_from_slice(src);
        return;
    };
    let each = dst.len() / outer.n;
    let step = |from: usize, dst: &mut [T]| {
        // Outer indices `from..` of the result.
        let n = dst.len() / each;
        let from = if outer.reversed { outer.n - from - n } else { from };
        let src = &src[from * each..][..dst.len()];
        match (inner.is_empty(), outer.reversed) {
            (true, true) => dst.iter_mut().zip(src.iter().rev()).for_each(|(d, &s)| *d = s),
            (true, false) => dst.copy_from_slice(src),
            (false, true) => {
                dst.chunks_mut(each).zip(src.rchunks(each)).for_each(|(d, s)| run(d, s, inner));
            }
            (false, false) => dst.chunks_mut(each).zip(src.chunks(each)).for_each(|(d, s)| run(d, s, inner)),
        }
    };
    if size_of_val(dst) < PARALLEL_FROM {
        return step(0, dst);
    }
    let per = (CHUNK / (each * size_of::<T>())).max(1);
    dst.par_chunks_mut(per * each).enumerate().for_each(|(i, dst)| step(i * per, dst));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{TYPES, ctx, numbered, reference, shape};
    use super::*;
    use proptest::prelude::*;
    use sim_core::ElementType as E;

    fn check(t: &Tensor, dims: &[i64]) {
        let out = reverse(&ctx(), t, dims).unwrap();
        let want = reference(t, t.shape(), |i| {
            let turn = |(d, &i): (usize, &usize)| {
                if dims.contains(&(d as i64)) { t.shape()[d] - 1 - i } else { i }
            };
            i.iter().enumerate().map(turn).collect()
        });
        assert!(out == want, "{dims:?} of {}", t.ty());
    }

    proptest! {
        #[test]
        fn turns_the_dimensions_named(dims in shape(5, 5), ty in 0..TYPES.len(), mask in any::<u8>()) {
            let turned: Vec<i64> = (0..dims.len() as i64).rev().filter(|d| mask >> d & 1 == 1).collect();
            check(&numbered(TYPES[ty], &dims), &turned);
        }
    }

    #[test]
    fn large_arrays_are_split_right() {
        check(&numbered(E::F32, &[100_003]), &[0]);
        check(&numbered(E::F32, &[70, 3, 400]), &[0, 2]);
        check(&numbered(E::BF16, &[3, 90_000]), &[1]);
        check(&numbered(E::BF16, &[90_000, 3]), &[0]);
        check(&numbered(E::F32, &[3, 90_000, 2]), &[1]);
    }

    #[test]
    fn dimensions_must_be_distinct() {
        let t = numbered(E::F32, &[3, 4]);
        for dims in [&[0, 0][..], &[2], &[-1]] {
            assert!(reverse(&ctx(), &t, dims).is_err());
        }
    }
}
