//! Singular values and vectors, by one-sided Jacobi rotations (Golub and Van Loan, "Matrix
//! Computations", 8.6.3): the columns of A·V are made orthogonal; their lengths are the values.

use super::batch::{Work, count, for_each};
use super::householder::accumulate;
use super::{Field, matrices, qr};
use num_complex::Complex;
use sim_core::{Ctx, ElementType as E, Result, Tensor};

/// The result of [`svd`]: A = U·diag(s)·Vᴴ.
pub struct Svd {
    /// `[…, m, m]`, or `[…, m, min(m, n)]` when not full.
    pub u: Tensor,
    /// Real, in descending order, `[…, min(m, n)]`.
    pub s: Tensor,
    /// `[…, n, n]`, or `[…, min(m, n), n]` when not full.
    pub vh: Tensor,
    /// `i32[…]`: zero, or one where the rotations did not converge (NaN operands).
    pub info: Tensor,
}

/// Rounds over all pairs of columns; five to ten are usual.
const SWEEPS: usize = 60;

/// The singular value decomposition of each m by n matrix of a batch. `full`: U and V are square.
///
/// # Errors
/// Anything but matrices; unsupported types; memory; interruption.
pub fn svd(ctx: &Ctx, a: &Tensor, full: bool) -> Result<Svd> {
    if a.element().is_complex() { svd_in::<Complex<f64>>(ctx, a, full) } else { svd_in::<f64>(ctx, a, full) }
}

fn svd_in<F: Field>(ctx: &Ctx, a: &Tensor, full: bool) -> Result<Svd> {
    let (batch, m, n) = matrices("svd", a.shape())?;
    // Square factors of empty matrices are still identities.
    let count = if full && m.max(n) > 0 { batch.iter().product() } else { count(a, batch) };
    let k = m.min(n);
    let (mu, nv) = if full { (m, n) } else { (k, k) };
    let mut work = Work::of(ctx, a, batch.len())?;
    let mut u = Work::zeros::<F>(ctx, batch, &[m, mu])?;
    let mut s = Work::zeros::<f64>(ctx, batch, &[k])?;
    let mut vh = Work::zeros::<F>(ctx, batch, &[nv, n])?;
    let mut info = ctx.alloc_zeroed(E::S32, batch)?;
    let items = work
        .members::<F>(count)
        .zip(u.members::<F>(count))
        .zip(s.members::<f64>(count))
        .zip(vh.members::<F>(count))
        .zip(info.as_mut_slice::<i32>());
    for_each(ctx, items, 12 * m * n * k, |((((a, u), s), vh), info)| {
        let tall = m >= n;
        let (long, short) = (m.max(n), k);
        let width = if full { long } else { short };
        // What follows, and what `basis` makes: reflectors and Q beside its result.
        let elements = [long * short, short * short, long * width, long * short, long * width];
        let bytes = elements.into_iter().fold(0, usize::saturating_add);
        let _room = ctx.reserve(bytes.saturating_mul(size_of::<F>()))?;
        // The columns of A, or of its adjoint when that is the tall one, as rows.
        let mut w = vec![F::ZERO; long * short];
        for i in 0..m {
            for j in 0..n {
                if tall {
                    w[j * m + i] = a[i * n + j];
                } else {
                    w[i * n + j] = a[i * n + j].conj();
                }
            }
        }
        let mut v = vec![F::ZERO; short * short];
        for i in 0..short {
            v[i * short + i] = F::ONE;
        }
        *info = i32::from(!orthogonalize(ctx, &mut w, long, &mut v, short)?);
        let mut lengths: Vec<f64> = w.chunks(long.max(1)).map(length).collect();
        lengths.resize(short, 0.0);
        let mut order: Vec<usize> = (0..short).collect();
        order.sort_by(|&x, &y| lengths[y].total_cmp(&lengths[x]));
        for (s, &i) in s.iter_mut().zip(&order) {
            *s = lengths[i];
        }
        let wide = basis(&w, long, &order, &lengths, width);
        for i in 0..long {
            for j in 0..width {
                if tall {
                    u[i * mu + j] = wide[i * width + j];
                } else {
                    vh[j * n + i] = wide[i * width + j].conj();
                }
            }
        }
        for (j, &from) in order.iter().enumerate() {
            for i in 0..short {
                if tall {
                    vh[j * n + i] = v[from * short + i].conj();
                } else {
                    u[i * mu + j] = v[from * short + i];
                }
            }
        }
        Ok(())
    })?;
    let ty = a.element();
    Ok(Svd { u: u.finish(ctx, ty)?, s: s.finish(ctx, ty.real_part())?, vh: vh.finish(ctx, ty)?, info })
}

/// The length up to which a row is rounding error beside the longest.
fn floor(longest: f64, long: usize) -> f64 {
    longest * f64::EPSILON * (4.0 + long as f64)
}

/// Without overflow or underflow on the way.
fn length<F: Field>(x: &[F]) -> f64 {
    let largest = x.iter().fold(0.0f64, |m, z| m.max(z.re().abs()).max(z.im().abs()));
    if largest == 0.0 || !largest.is_finite() {
        return x.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt();
    }
    let down = 1.0 / largest;
    x.iter().map(|z| z.scale(down).norm_sqr()).sum::<f64>().sqrt() * largest
}

/// Rotates pairs of rows of `w` (and of `v` with them) until all are orthogonal. Rows whose length is
/// rounding error beside the longest stay as they are.
fn orthogonalize<F: Field>(ctx: &Ctx, w: &mut [F], long: usize, v: &mut [F], short: usize) -> Result<bool> {
    // Values near 1: products of lengths neither overflow nor vanish.
    let largest = w.iter().fold(0.0f64, |m, z| m.max(z.re().abs()).max(z.im().abs()));
    if largest == 0.0 {
        return Ok(w.iter().all(|z| *z == F::ZERO));
    }
    w.iter_mut().for_each(|z| *z = z.scale(1.0 / largest));
    let mut converged = false;
    for _ in 0..SWEEPS {
        ctx.check_stop()?;
        converged = true;
        // A row that short is what rounding left: turning it makes another such row, of any direction.
        let longest = w.chunks(long).map(|x| x.iter().map(|z| z.norm_sqr()).sum::<f64>()).fold(0.0, f64::max);
        let noise = longest * floor(1.0, long).powi(2);
        for p in 0..short {
            for q in p + 1..short {
                let (wp, wq) = pair(w, long, p, q);
                let (mut a, mut b, mut g) = (0.0, 0.0, F::ZERO);
                for (&x, &y) in wp.iter().zip(wq.iter()) {
                    a += x.norm_sqr();
                    b += y.norm_sqr();
                    g = g + x.conj() * y;
                }
                let size = g.norm();
                if size <= 4.0 * f64::EPSILON * (a * b).sqrt() || a.min(b) <= noise {
                    continue;
                }
                converged = false;
                let phase = g.scale(1.0 / size).conj();
                let zeta = (b - a) / (2.0 * size);
                let t = 1.0f64.copysign(zeta) / (zeta.abs() + libm::hypot(1.0, zeta));
                let c = 1.0 / libm::hypot(1.0, t);
                let s = c * t;
                let turn = |x: &mut [F], y: &mut [F]| {
                    for (x, y) in x.iter_mut().zip(y) {
                        let z = *y * phase;
                        (*x, *y) = (x.scale(c) - z.scale(s), x.scale(s) + z.scale(c));
                    }
                };
                turn(wp, wq);
                let (vp, vq) = pair(v, short, p, q);
                turn(vp, vq);
            }
        }
        if converged {
            break;
        }
    }
    w.iter_mut().for_each(|z| *z = z.scale(largest));
    Ok(converged)
}

fn pair<F>(rows: &mut [F], n: usize, p: usize, q: usize) -> (&mut [F], &mut [F]) {
    let (head, tail) = rows.split_at_mut(q * n);
    (&mut head[p * n..(p + 1) * n], &mut tail[..n])
}

/// `width` orthonormal columns (row-major, `long` rows): the rows of `w` in this order, made unit
/// vectors, and whatever completes them where a length is zero (to rounding) or rows are missing.
fn basis<F: Field>(w: &[F], long: usize, order: &[usize], lengths: &[f64], width: usize) -> Vec<F> {
    let mut out = vec![F::ZERO; long * width];
    let longest = order.first().map_or(0.0, |&i| lengths[i]);
    // Twice: whatever was not turned is not used either.
    let floor = 2.0 * floor(longest, long);
    let good = order.iter().take_while(|&&i| lengths[i] > floor).count();
    for (j, &i) in order[..good].iter().enumerate() {
        for r in 0..long {
            out[r * width + j] = w[i * long + r].scale(1.0 / lengths[i]);
        }
    }
    if good < width && long > 0 {
        // Householder reflectors of the good columns, times the axes that are left.
        let mut packed: Vec<F> = (0..long * good).map(|at| out[at / good * width + at % good]).collect();
        let mut taus = vec![F::ZERO; good];
        qr::factor(&mut packed, long, good, &mut taus);
        let mut q = vec![F::ZERO; long * width];
        accumulate(&mut q, width, good, |i| (i, qr::vector(&packed, long, good, i), taus[i]));
        for r in 0..long {
            out[r * width + good..(r + 1) * width].copy_from_slice(&q[r * width + good..(r + 1) * width]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::*;
    use proptest::prelude::*;

    fn check(a: &Tensor, full: bool) -> std::result::Result<(), TestCaseError> {
        let got = svd(&ctx(), a, full).unwrap();
        let (m, n) = (a.shape()[1], a.shape()[2]);
        prop_assert!(got.info.as_slice::<i32>().iter().all(|&i| i == 0));
        orthonormal(&got.u, 1e-12)?;
        orthonormal(&adjoint(&got.vh), 1e-12)?;
        let (r, c) = if full { (m, n) } else { (m.min(n), m.min(n)) };
        close(&product(&product(&got.u, &diagonal(&got.s, r, c)), &got.vh), a, 1e-12)?;
        if m.min(n) > 0 {
            prop_assert!(
                got.s.as_slice::<f64>().chunks(m.min(n)).all(|s| s.is_sorted_by(|a, b| a >= b && *b >= 0.0))
            );
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn the_factors_make_the_matrix(m in 0usize..9, n in 0usize..9, batch in 0usize..3, complex: bool, full: bool, seed: u64) {
            check(&random(&[batch, m, n], complex, seed), full)?;
        }

        #[test]
        fn of_low_rank(m in 1usize..9, n in 1usize..9, rank in 0usize..4, complex: bool, full: bool, seed: u64) {
            let (a, b) = (random(&[1, m, rank], complex, seed), random(&[1, rank, n], complex, seed ^ 5));
            check(&product(&a, &b), full)?;
        }
    }

    #[test]
    fn what_is_needed_on_the_way_is_counted() {
        // Operand, results and reflectors are small beside the 300 by 300 basis, of which there are two.
        let ctx = Ctx::new(sim_core::Numerics::ieee(), 2 * 8 * 300 * 300);
        let e = svd(&ctx, &random(&[1, 300, 2], false, 1), true).err().unwrap();
        assert_eq!(e.kind(), sim_core::ErrorKind::Resource);
    }

    #[test]
    fn columns_of_rounding_error_do_not_turn_for_ever() {
        let (seed, shape) = (5789981661294459407, [1, 4, 1]);
        let (a, b) = (random(&shape, false, seed), random(&[1, 1, 4], false, seed ^ 5));
        check(&product(&a, &b), false).unwrap();
        for seed in 0..2000 {
            let n = 1 + seed as usize % 7;
            let (a, b) =
                (random(&[1, 5, 2], seed % 2 == 0, seed), random(&[1, 2, n], seed % 2 == 0, seed ^ 5));
            check(&product(&a, &b), seed % 3 == 0).unwrap();
        }
    }

    #[test]
    fn zeros_and_nan() {
        check(&Tensor::from_slice(&[1, 3, 2], &[0f64; 6]), true).unwrap();
        let nan = Tensor::from_slice(&[2, 2], &[f64::NAN; 4]);
        assert_eq!(svd(&ctx(), &nan, true).unwrap().info.as_slice::<i32>(), [1]);
    }
}
