//! LU factorization with partial pivoting.

use super::batch::{Work, count, for_each};
use super::{Field, matrices};
use num_complex::Complex;
use sim_core::{Ctx, Diagnostic, ElementType as E, Result, Tensor};

/// The result of [`lu`].
pub struct Lu {
    /// L below the diagonal (its own diagonal is ones), U on and above it: P·A = L·U.
    pub lu: Tensor,
    /// `i32[…, min(m, n)]`: step i swapped row i with this one, counted from zero.
    pub pivots: Tensor,
    /// `i32[…]`: zero, or one more than the first i where U(i, i) is zero.
    pub info: Tensor,
}

/// The LU factorization of each m by n matrix of a batch. The pivot of a column is its largest
/// element by |re| + |im|, as in LAPACK; the first of equal ones.
///
/// # Errors
/// Anything but matrices; unsupported types; memory; interruption.
pub fn lu(ctx: &Ctx, a: &Tensor) -> Result<Lu> {
    if a.element().is_complex() { lu_in::<Complex<f64>>(ctx, a) } else { lu_in::<f64>(ctx, a) }
}

fn lu_in<F: Field>(ctx: &Ctx, a: &Tensor) -> Result<Lu> {
    let (batch, m, n) = matrices("lu", a.shape())?;
    let count = count(a, batch);
    let mut work = Work::of(ctx, a, batch.len())?;
    let mut pivots = Work::zeros::<i32>(ctx, batch, &[m.min(n)])?;
    let mut info = ctx.alloc_zeroed(E::S32, batch)?;
    let items = work.members::<F>(count).zip(pivots.members::<i32>(count)).zip(info.as_mut_slice::<i32>());
    for_each(ctx, items, m * n * n, |((a, pivots), info)| {
        *info = factor(ctx, a, m, n, pivots)?;
        Ok(())
    })?;
    Ok(Lu { lu: work.finish(ctx, a.element())?, pivots: pivots.into_tensor(), info })
}

fn factor<F: Field>(ctx: &Ctx, a: &mut [F], m: usize, n: usize, pivots: &mut [i32]) -> Result<i32> {
    let size = |x: F| x.re().abs() + x.im().abs();
    let mut info = 0;
    for (k, pivot) in pivots.iter_mut().enumerate() {
        ctx.check_stop()?;
        let mut best = k;
        for i in k + 1..m {
            if size(a[i * n + k]) > size(a[best * n + k]) {
                best = i;
            }
        }
        *pivot = best as i32;
        if a[best * n + k] == F::ZERO {
            if info == 0 {
                info = k as i32 + 1;
            }
            continue;
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let row = &mut above[k * n..];
        if best != k {
            row.swap_with_slice(&mut below[(best - k - 1) * n..][..n]);
        }
        for other in below.chunks_exact_mut(n) {
            let factor = other[k] / row[k];
            other[k] = factor;
            for (x, &r) in other[k + 1..].iter_mut().zip(&row[k + 1..]) {
                *x = *x - factor * r;
            }
        }
    }
    Ok(info)
}

/// The permutation of `size` rows that the swaps of [`Lu::pivots`] amount to: `i32[…, size]`, where
/// row i of P·A is row p(i) of A. A pivot that points outside swaps nothing, as in JAX's GPU kernel.
///
/// # Errors
/// Pivots that are not `i32`; more pivots than rows; memory.
pub fn pivots_to_permutation(ctx: &Ctx, pivots: &Tensor, size: usize) -> Result<Tensor> {
    let [batch @ .., k] = pivots.shape() else {
        return Err(Diagnostic::invalid("pivots must be vectors"));
    };
    if pivots.element() != E::S32 || *k > size || size > i32::MAX as usize {
        return Err(Diagnostic::invalid(format!(
            "pivots of shape {:?} of {} do not permute {size} rows",
            pivots.shape(),
            pivots.element()
        )));
    }
    let mut out = ctx.alloc(E::S32, &[batch, &[size]].concat())?;
    if out.is_empty() {
        return Ok(out);
    }
    for (b, p) in out.as_mut_slice::<i32>().chunks_mut(size).enumerate() {
        for (i, x) in p.iter_mut().enumerate() {
            *x = i as i32;
        }
        for (i, &to) in pivots.as_slice::<i32>()[b * k..(b + 1) * k].iter().enumerate() {
            if let Some(to) = usize::try_from(to).ok().filter(|&to| to < size) {
                p.swap(i, to);
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::*;
    use proptest::prelude::*;

    #[test]
    fn a_large_matrix_can_be_interrupted() {
        let ctx = ctx();
        ctx.stop();
        let e = factor(&ctx, &mut [1.0, 2.0, 3.0, 4.0], 2, 2, &mut [0; 2]).err().unwrap();
        assert_eq!(e.kind(), sim_core::ErrorKind::Interrupted);
    }

    proptest! {
        #[test]
        fn l_times_u_is_the_permuted_matrix(m in 0usize..9, n in 0usize..9, batch in 0usize..3, complex: bool, seed: u64) {
            let ctx = ctx();
            let a = random(&[batch, m, n], complex, seed);
            let f = lu(&ctx, &a).unwrap();
            let k = m.min(n);
            prop_assert!(f.info.as_slice::<i32>().iter().all(|&i| i == 0));
            let p = pivots_to_permutation(&ctx, &f.pivots, m).unwrap();
            let p = p.as_slice::<i32>();
            for (b, (packed, a)) in list(&f.lu).iter().zip(list(&a)).enumerate() {
                for i in 0..m {
                    for j in 0..n {
                        let l = |i: usize, l: usize| if i == l { C::new(1.0, 0.0) } else { packed[i * n + l] };
                        let sum: C = (0..k.min(i + 1).min(j + 1)).map(|x| l(i, x) * packed[x * n + j]).sum();
                        let from = p[b * m + i] as usize;
                        prop_assert!((sum - a[from * n + j]).norm_sqr() < 1e-24);
                        if j < i && j < k && !complex {
                            prop_assert!(packed[i * n + j].re.abs() <= 1.0);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_zero_column_is_told() {
        let a = Tensor::from_slice(&[2, 2], &[0.0f32, 1.0, 0.0, 2.0]);
        let f = lu(&ctx(), &a).unwrap();
        assert_eq!(f.info.as_slice::<i32>(), [1]);
        assert_eq!(f.pivots.as_slice::<i32>(), [0, 1]);
    }

    #[test]
    fn bad_pivots_are_errors() {
        let pivots = |v: &[i32]| Tensor::from_slice(&[v.len()], v);
        assert!(pivots_to_permutation(&ctx(), &pivots(&[0, 1]), 1).is_err());
        assert!(pivots_to_permutation(&ctx(), &Tensor::from_slice(&[1], &[0i64]), 1).is_err());
        let p = pivots_to_permutation(&ctx(), &pivots(&[2, 2, 7]), 3).unwrap();
        assert_eq!(p.as_slice::<i32>(), [2, 0, 1]);
    }
}
