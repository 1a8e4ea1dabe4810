//! Tridiagonal systems, by elimination with partial pivoting.

use super::Field;
use super::batch::{Work, for_each};
use num_complex::Complex;
use sim_core::{Ctx, Diagnostic, ElementType as E, Result, Tensor};

/// The result of [`tridiagonal_solve`].
pub struct TridiagonalSolve {
    /// The solutions, of the right-hand sides' shape.
    pub x: Tensor,
    /// What LAPACK's `gtsv` leaves in its operands: U's second superdiagonal, its diagonal, its
    /// first superdiagonal, each of the shape of the operand it replaces.
    pub factors: [Tensor; 3],
    /// `i32[…]`: zero, or one more than the first i where U(i, i) is zero.
    pub info: Tensor,
}

/// Solves T·x = b for each tridiagonal matrix of a batch: `dl`, `d`, `du` are `[…, n]`, `b` is
/// `[…, n, k]`; dl(i) multiplies x(i-1) and du(i) multiplies x(i+1), so dl(0) and du(n-1) are not used.
///
/// # Errors
/// Shapes or types that do not fit; unsupported types; memory; interruption.
pub fn tridiagonal_solve(ctx: &Ctx, [dl, d, du]: [&Tensor; 3], b: &Tensor) -> Result<TridiagonalSolve> {
    let fits = b.rank() >= 2
        && [dl, d, du].iter().all(|t| t.shape() == &b.shape()[..b.rank() - 1] && t.element() == b.element());
    if !fits {
        return Err(Diagnostic::invalid(format!(
            "tridiagonal_solve: diagonals of shapes {:?}, {:?}, {:?} and right-hand sides of shape {:?} do not fit",
            dl.shape(),
            d.shape(),
            du.shape(),
            b.shape()
        )));
    }
    if b.element().is_complex() {
        solve_in::<Complex<f64>>(ctx, [dl, d, du], b)
    } else {
        solve_in::<f64>(ctx, [dl, d, du], b)
    }
}

fn solve_in<F: Field>(ctx: &Ctx, diagonals: [&Tensor; 3], b: &Tensor) -> Result<TridiagonalSolve> {
    let [batch @ .., n, k] = b.shape() else { return Err(Diagnostic::invalid("right-hand sides")) };
    let (n, k) = (*n, *k);
    let count = if n == 0 { 0 } else { batch.iter().product() };
    let [dl, d, du] = diagonals;
    let (mut dl, mut d, mut du) =
        (Work::of(ctx, dl, batch.len())?, Work::of(ctx, d, batch.len())?, Work::of(ctx, du, batch.len())?);
    let mut x = Work::of(ctx, b, batch.len())?;
    let mut info = ctx.alloc_zeroed(E::S32, batch)?;
    let items = x
        .members::<F>(count)
        .zip(dl.members::<F>(count))
        .zip(d.members::<F>(count))
        .zip(du.members::<F>(count))
        .zip(info.as_mut_slice::<i32>());
    for_each(ctx, items, n * (k + 4), |((((x, dl), d), du), info)| {
        *info = solve(dl, d, du, x, k);
        Ok(())
    })?;
    let ty = b.element();
    Ok(TridiagonalSolve {
        x: x.finish(ctx, ty)?,
        factors: [dl.finish(ctx, ty)?, d.finish(ctx, ty)?, du.finish(ctx, ty)?],
        info,
    })
}

/// One system. Row i of U ends up in d(i), du(i) and, for the second superdiagonal, dl(i).
fn solve<F: Field>(dl: &mut [F], d: &mut [F], du: &mut [F], x: &mut [F], k: usize) -> i32 {
    let n = d.len();
    let size = |z: F| z.re().abs() + z.im().abs();
    // The element below the diagonal of column i, as LAPACK counts it.
    dl.rotate_left(1.min(n));
    for i in 0..n.saturating_sub(1) {
        let (above, below) = x.split_at_mut((i + 1) * k);
        let (row, next) = (&mut above[i * k..], &mut below[..k]);
        if size(d[i]) >= size(dl[i]) {
            if d[i] == F::ZERO {
                return i as i32 + 1;
            }
            let factor = dl[i] / d[i];
            d[i + 1] = d[i + 1] - factor * du[i];
            for (b, &a) in next.iter_mut().zip(row.iter()) {
                *b = *b - factor * a;
            }
            dl[i] = F::ZERO;
        } else {
            let factor = d[i] / dl[i];
            d[i] = dl[i];
            let old = d[i + 1];
            d[i + 1] = du[i] - factor * old;
            du[i] = old;
            if i + 2 < n {
                dl[i] = du[i + 1];
                du[i + 1] = -(factor * dl[i]);
            } else {
                dl[i] = F::ZERO;
            }
            for (a, b) in row.iter_mut().zip(next) {
                (*a, *b) = (*b, *a - factor * *b);
            }
        }
    }
    if n > 0 && d[n - 1] == F::ZERO {
        return n as i32;
    }
    for i in (0..n).rev() {
        let (head, tail) = x.split_at_mut((i + 1) * k);
        for (j, v) in head[i * k..].iter_mut().enumerate() {
            if i + 1 < n {
                *v = *v - du[i] * tail[j];
            }
            if i + 2 < n {
                *v = *v - dl[i] * tail[k + j];
            }
            *v = *v / d[i];
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_solution_solves(n in 0usize..9, k in 0usize..4, batch in 0usize..3, complex: bool, seed: u64) {
            let ctx = ctx();
            let diagonal = |s: u64| random(&[batch, n], complex, seed ^ s);
            let (dl, d, du) = (diagonal(1), diagonal(2), diagonal(3));
            let b = random(&[batch, n, k], complex, seed);
            let got = tridiagonal_solve(&ctx, [&dl, &d, &du], &b).unwrap();
            prop_assert!(got.info.as_slice::<i32>().iter().all(|&i| i == 0));
            let (dl, d, du) = (values(&dl), values(&d), values(&du));
            let size = values(&got.x).iter().fold(1.0f64, |m, z| m.max(z.norm_sqr().sqrt()));
            for (s, (x, b)) in list(&got.x).iter().zip(list(&b)).enumerate() {
                for i in 0..n {
                    for j in 0..k {
                        let mut sum = d[s * n + i] * x[i * k + j];
                        if i > 0 {
                            sum += dl[s * n + i] * x[(i - 1) * k + j];
                        }
                        if i + 1 < n {
                            sum += du[s * n + i] * x[(i + 1) * k + j];
                        }
                        prop_assert!((sum - b[i * k + j]).norm_sqr().sqrt() < 1e-13 * size);
                    }
                }
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_told() {
        let zero = Tensor::from_slice(&[2], &[0f32; 2]);
        let b = Tensor::from_slice(&[2, 1], &[1f32; 2]);
        let got = tridiagonal_solve(&ctx(), [&zero, &zero, &zero], &b).unwrap();
        assert_eq!(got.info.as_slice::<i32>(), [1]);
        assert!(tridiagonal_solve(&ctx(), [&zero, &zero, &b], &b).is_err());
    }
}
