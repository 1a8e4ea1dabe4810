//! Reduction to upper Hessenberg form.

use super::batch::{Work, count, for_each};
use super::householder::{Window, accumulate, apply_left, apply_right, reflector};
use super::{Field, square};
use num_complex::Complex;
use sim_core::{Ctx, Result, Tensor};

/// H = Qᴴ·A·Q of each n by n matrix of a batch, as LAPACK's `gehrd` stores it: H on and above the
/// first subdiagonal of the first result, below it the vectors of the n - 1 reflectors whose product
/// is Q; their factors are the second result. Only the rows and columns of `within` are worked on
/// (LAPACK's ilo and ihi, as a range from zero), all others must be triangular already.
///
/// # Errors
/// Matrices that are not square; unsupported types; memory; interruption.
pub fn hessenberg(ctx: &Ctx, a: &Tensor, within: std::ops::Range<usize>) -> Result<(Tensor, Tensor)> {
    if a.element().is_complex() {
        reduce_in::<Complex<f64>>(ctx, a, within)
    } else {
        reduce_in::<f64>(ctx, a, within)
    }
}

fn reduce_in<F: Field>(ctx: &Ctx, a: &Tensor, within: std::ops::Range<usize>) -> Result<(Tensor, Tensor)> {
    let (_, n) = square("hessenberg", a.shape())?;
    let batch = &a.shape()[..a.rank() - 2];
    let count = count(a, batch);
    let within = within.start.min(n)..within.end.min(n);
    let mut work = Work::of(ctx, a, batch.len())?;
    let mut taus = Work::zeros::<F>(ctx, batch, &[n.saturating_sub(1)])?;
    let items = work.members::<F>(count).zip(taus.members::<F>(count));
    for_each(ctx, items, n * n * n, |(a, taus)| {
        reduce(a, n, within.clone(), taus);
        Ok(())
    })?;
    Ok((work.finish(ctx, a.element())?, taus.finish(ctx, a.element())?))
}

/// One matrix, in place.
pub(super) fn reduce<F: Field>(a: &mut [F], n: usize, within: std::ops::Range<usize>, taus: &mut [F]) {
    let mut scratch = Vec::new();
    let end = within.end;
    for k in within.start..end.saturating_sub(1) {
        let mut v: Vec<F> = (k + 1..end).map(|i| a[i * n + k]).collect();
        let (head, tail) = v.split_at_mut(1);
        let (beta, tau) = reflector(head[0], tail);
        taus[k] = tau;
        v[0] = F::ONE;
        apply_right(a, Window { stride: n, rows: 0..end, cols: k + 1..end }, &v, tau);
        let rest = Window { stride: n, rows: k + 1..end, cols: k + 1..n };
        apply_left(a, rest, &v, tau.conj(), &mut scratch);
        v[0] = beta;
        for (i, &x) in (k + 1..end).zip(&v) {
            a[i * n + k] = x;
        }
    }
}

/// Takes the reflectors out of a reduced matrix: `q` becomes Q, and `a` the Hessenberg matrix.
pub(super) fn unpack<F: Field>(a: &mut [F], n: usize, taus: &[F], q: &mut [F]) {
    let vectors: Vec<Vec<F>> = (0..n.saturating_sub(1))
        .map(|k| {
            let mut v: Vec<F> = (k + 1..n).map(|i| std::mem::replace(&mut a[i * n + k], F::ZERO)).collect();
            a[(k + 1) * n + k] = v[0];
            v[0] = F::ONE;
            v
        })
        .collect();
    accumulate(q, n, vectors.len(), |k| (k + 1, vectors[k].clone(), taus[k]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::form_q;
    use crate::linalg::testing::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_reflectors_bring_the_matrix_to_the_form(n in 0usize..9, batch in 0usize..3, complex: bool, seed: u64) {
            let ctx = ctx();
            let a = random(&[batch, n, n], complex, seed);
            let (packed, taus) = hessenberg(&ctx, &a, 0..n).unwrap();
            prop_assert_eq!(taus.shape(), [batch, n.saturating_sub(1)]);
            let h = map(&packed, |i, j, x| if i <= j + 1 { x } else { ZERO });
            if n < 2 {
                return close(&h, &a, 0.0);
            }
            // The lower right part of Q is what the reflectors, moved up a row, make.
            let mut moved = Vec::new();
            for p in list(&packed) {
                for i in 1..n {
                    moved.extend((0..n - 1).map(|j| if i > j { p[i * n + j] } else { ZERO }));
                }
            }
            let moved = Tensor::from_slice(&[batch, n - 1, n - 1], &moved);
            let taus = Tensor::from_slice(&[batch, n - 1], &values(&taus));
            let small = form_q(&ctx, &moved, &taus).unwrap();
            let q = pad(&small);
            orthonormal(&q, 1e-12)?;
            close(&product(&product(&q, &complex_of(&h)), &adjoint(&q)), &complex_of(&a), 1e-12)?;
        }
    }

    /// One row and column of the identity before.
    fn pad(t: &Tensor) -> Tensor {
        let n = t.shape()[1] + 1;
        let mut out = Vec::new();
        for m in list(t) {
            for i in 0..n {
                for j in 0..n {
                    out.push(match (i, j) {
                        (0, 0) => C::new(1.0, 0.0),
                        (0, _) | (_, 0) => ZERO,
                        _ => m[(i - 1) * (n - 1) + j - 1],
                    });
                }
            }
        }
        Tensor::from_slice(&[t.shape()[0], n, n], &out)
    }
}
