//! Eigenvalues and eigenvectors of symmetric and Hermitian matrices: reduction to tridiagonal form,
//! then the implicit QL algorithm (Golub and Van Loan, "Matrix Computations", 8.3).

use super::batch::{Work, count, for_each};
use super::householder::accumulate;
use super::tridiagonal::reduce_lower;
use super::{Field, square};
use num_complex::Complex;
use sim_core::{Ctx, ElementType as E, Result, Tensor};

/// The result of [`eigh`].
pub struct Eigh {
    /// Columns are orthonormal eigenvectors, in the order of the values.
    pub vectors: Tensor,
    /// Real, in ascending order, `[…, n]`.
    pub values: Tensor,
    /// `i32[…]`: zero, or the number of values that did not converge (NaN operands).
    pub info: Tensor,
}

/// Iterations an eigenvalue may take; three are usual.
const ITERATIONS: usize = 60;

/// The eigendecomposition of each symmetric (Hermitian) matrix of a batch `[…, n, n]`, of which only
/// the triangle that `lower` names is read.
///
/// # Errors
/// Matrices that are not square; unsupported types; memory; interruption.
pub fn eigh(ctx: &Ctx, a: &Tensor, lower: bool) -> Result<Eigh> {
    if a.element().is_complex() {
        eigh_in::<Complex<f64>>(ctx, a, lower)
    } else {
        eigh_in::<f64>(ctx, a, lower)
    }
}

fn eigh_in<F: Field>(ctx: &Ctx, a: &Tensor, lower: bool) -> Result<Eigh> {
    let (_, n) = square("eigh", a.shape())?;
    let batch = &a.shape()[..a.rank() - 2];
    let count = count(a, batch);
    let mut work = Work::of(ctx, a, batch.len())?;
    let mut vectors = Work::zeros::<F>(ctx, batch, &[n, n])?;
    let mut values = Work::zeros::<f64>(ctx, batch, &[n])?;
    let mut info = ctx.alloc_zeroed(E::S32, batch)?;
    let items = work
        .members::<F>(count)
        .zip(vectors.members::<F>(count))
        .zip(values.members::<f64>(count))
        .zip(info.as_mut_slice::<i32>());
    for_each(ctx, items, n * n * n, |(((a, vectors), values), info)| {
        if !lower {
            for i in 0..n {
                for j in 0..i {
                    a[i * n + j] = a[j * n + i].conj();
                }
            }
        }
        *info = decompose(ctx, a, n, values, vectors)?;
        Ok(())
    })?;
    Ok(Eigh {
        vectors: vectors.finish(ctx, a.element())?,
        values: values.finish(ctx, a.element().real_part())?,
        info,
    })
}

/// One matrix, by its lower triangle.
fn decompose<F: Field>(ctx: &Ctx, a: &mut [F], n: usize, d: &mut [f64], out: &mut [F]) -> Result<i32> {
    let mut e = vec![0.0; n];
    let mut taus = vec![F::ZERO; n];
    reduce_lower(a, n, d, &mut e, &mut taus);
    let vectors: Vec<Vec<F>> = (0..n.saturating_sub(1))
        .map(|k| (k + 1..n).map(|i| if i == k + 1 { F::ONE } else { a[i * n + k] }).collect())
        .collect();
    accumulate(out, n, vectors.len(), |k| (k + 1, vectors[k].clone(), taus[k]));
    // Rows of `a` are the eigenvectors from here on: the rotations work on whole rows.
    for i in 0..n {
        for j in 0..n {
            a[j * n + i] = out[i * n + j];
        }
    }
    let unconverged = implicit_ql(ctx, d, &mut e, a)?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&x, &y| d[x].total_cmp(&d[y]));
    let sorted: Vec<f64> = order.iter().map(|&i| d[i]).collect();
    d.copy_from_slice(&sorted);
    for (j, &from) in order.iter().enumerate() {
        for i in 0..n {
            out[i * n + j] = a[from * n + i];
        }
    }
    Ok(unconverged)
}

/// Diagonalizes the tridiagonal matrix (d, e); each rotation is also applied to the rows of `z`.
fn implicit_ql<F: Field>(ctx: &Ctx, d: &mut [f64], e: &mut [f64], z: &mut [F]) -> Result<i32> {
    let n = d.len();
    let mut unconverged = 0;
    for l in 0..n {
        let mut left = ITERATIONS;
        loop {
            let negligible = |i: usize| e[i].abs() <= f64::EPSILON * (d[i].abs() + d[i + 1].abs());
            let m = (l..n - 1).find(|&i| negligible(i)).unwrap_or(n - 1);
            if m == l {
                break;
            }
            if left == 0 {
                unconverged += 1;
                break;
            }
            left -= 1;
            ctx.check_stop()?;
            // Wilkinson's shift, from the upper end of the block.
            let half = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let root = libm::hypot(half, 1.0);
            let mut g = d[m] - d[l] + e[l] / (half + root.copysign(half));
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut split = false;
            for i in (l..m).rev() {
                let (f, b) = (s * e[i], c * e[i]);
                let r = libm::hypot(f, g);
                e[i + 1] = r;
                if r == 0.0 {
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    split = true;
                    break;
                }
                (s, c) = (f / r, g / r);
                g = d[i + 1] - p;
                let r = (d[i] - g) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
                let (upper, lower) = z[i * n..(i + 2) * n].split_at_mut(n);
                for (x, y) in upper.iter_mut().zip(lower) {
                    (*x, *y) = (x.scale(c) - y.scale(s), x.scale(s) + y.scale(c));
                }
            }
            if !split {
                d[l] -= p;
                e[l] = g;
                e[m] = 0.0;
            }
        }
    }
    Ok(unconverged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_vectors_diagonalize_the_matrix(n in 0usize..12, batch in 0usize..3, complex: bool, lower: bool, seed: u64) {
            let ctx = ctx();
            let a = random(&[batch, n, n], complex, seed);
            let whole = map2(&a, &a, |i, j, x, p| {
                if i == j { C::new(x.re, 0.0) } else if (i > j) == lower { x } else { p(j, i).conj() }
            });
            let got = eigh(&ctx, &a, lower).unwrap();
            prop_assert!(got.info.as_slice::<i32>().iter().all(|&i| i == 0));
            orthonormal(&got.vectors, 1e-12)?;
            let scaled = product(&got.vectors, &diagonal(&got.values, n, n));
            close(&product(&whole, &got.vectors), &scaled, 1e-12)?;
            if n > 0 {
                prop_assert!(got.values.as_slice::<f64>().chunks(n).all(|v| v.is_sorted()));
            }
        }
    }

    #[test]
    fn equal_values_zero_matrices_and_nan() {
        let ctx = ctx();
        let zero = Tensor::from_slice(&[3, 3], &[0f64; 9]);
        assert_eq!(eigh(&ctx, &zero, true).unwrap().values.as_slice::<f64>(), [0.0; 3]);
        let nan = Tensor::from_slice(&[3, 3], &[f64::NAN; 9]);
        assert_ne!(eigh(&ctx, &nan, true).unwrap().info.as_slice::<i32>(), [0]);
        assert!(eigh(&ctx, &Tensor::from_slice(&[2, 1], &[0f64; 2]), true).is_err());
    }
}
