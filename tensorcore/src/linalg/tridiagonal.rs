//! Reduction of a symmetric or Hermitian matrix to real symmetric tridiagonal form.

use super::batch::{Work, count, for_each};
use super::householder::reflector;
use super::{Field, square};
use num_complex::Complex;
use sim_core::{Ctx, Result, Tensor};

/// The result of [`tridiagonal`].
pub struct Tridiagonal {
    /// As LAPACK's `sytrd` and `hetrd` leave it: T in the diagonal and beside it, the reflectors'
    /// vectors in the rest of the triangle read, the other triangle as it was.
    pub packed: Tensor,
    /// The diagonal, real, `[…, n]`.
    pub d: Tensor,
    /// Beside the diagonal, real, `[…, n - 1]`.
    pub e: Tensor,
    /// The reflectors' factors, `[…, n - 1]`.
    pub taus: Tensor,
}

/// T = Qᴴ·A·Q for each symmetric (Hermitian) matrix of a batch, of which only the triangle that
/// `lower` names is read. Q = H(0)…H(n-2) for the lower one, H(n-2)…H(0) for the upper.
///
/// # Errors
/// Matrices that are not square; unsupported types; memory; interruption.
pub fn tridiagonal(ctx: &Ctx, a: &Tensor, lower: bool) -> Result<Tridiagonal> {
    if a.element().is_complex() {
        reduce_in::<Complex<f64>>(ctx, a, lower)
    } else {
        reduce_in::<f64>(ctx, a, lower)
    }
}

fn reduce_in<F: Field>(ctx: &Ctx, a: &Tensor, lower: bool) -> Result<Tridiagonal> {
    let (_, n) = square("tridiagonal", a.shape())?;
    let batch = &a.shape()[..a.rank() - 2];
    let count = count(a, batch);
    let beside = n.saturating_sub(1);
    let mut work = Work::of(ctx, a, batch.len())?;
    let mut d = Work::zeros::<f64>(ctx, batch, &[n])?;
    let mut e = Work::zeros::<f64>(ctx, batch, &[beside])?;
    let mut taus = Work::zeros::<F>(ctx, batch, &[beside])?;
    let items = work
        .members::<F>(count)
        .zip(d.members::<f64>(count))
        .zip(e.members::<f64>(count))
        .zip(taus.members::<F>(count));
    for_each(ctx, items, n * n * n, |(((a, d), e), taus)| {
        if lower {
            reduce_lower(a, n, d, e, taus);
        } else {
            reduce_upper(a, n, d, e, taus);
        }
        Ok(())
    })?;
    let ty = a.element();
    Ok(Tridiagonal {
        packed: work.finish(ctx, ty)?,
        d: d.finish(ctx, ty.real_part())?,
        e: e.finish(ctx, ty.real_part())?,
        taus: taus.finish(ctx, ty)?,
    })
}

/// The lower triangle. Step k zeroes column k below its subdiagonal.
pub(super) fn reduce_lower<F: Field>(a: &mut [F], n: usize, d: &mut [f64], e: &mut [f64], taus: &mut [F]) {
    for k in 0..n.saturating_sub(1) {
        d[k] = a[k * n + k].re();
        a[k * n + k] = F::real(d[k]);
        let mut v: Vec<F> = (k + 1..n).map(|i| a[i * n + k]).collect();
        let (head, tail) = v.split_at_mut(1);
        let (beta, tau) = reflector(head[0], tail);
        (e[k], taus[k]) = (beta.re(), tau);
        v[0] = F::ONE;
        update(a, n, k + 1, &v, tau, |i, j| (i.max(j), i.min(j), i < j));
        v[0] = F::real(e[k]);
        for (i, &x) in (k + 1..n).zip(&v) {
            a[i * n + k] = x;
        }
    }
    if n > 0 {
        d[n - 1] = a[n * n - 1].re();
        a[n * n - 1] = F::real(d[n - 1]);
    }
}

/// The upper triangle. Step k zeroes column k + 1 above its superdiagonal, from the last on.
fn reduce_upper<F: Field>(a: &mut [F], n: usize, d: &mut [f64], e: &mut [f64], taus: &mut [F]) {
    for k in (0..n.saturating_sub(1)).rev() {
        let mut v: Vec<F> = (0..k).map(|i| a[i * n + k + 1]).collect();
        let (beta, tau) = reflector(a[k * n + k + 1], &mut v);
        (e[k], taus[k]) = (beta.re(), tau);
        v.push(F::ONE);
        update(a, n, 0, &v, tau, |i, j| (i.min(j), i.max(j), i > j));
        v[k] = F::real(e[k]);
        for (i, &x) in v.iter().enumerate() {
            a[i * n + k + 1] = x;
        }
        d[k + 1] = a[(k + 1) * n + k + 1].re();
        a[(k + 1) * n + k + 1] = F::real(d[k + 1]);
    }
    if n > 0 {
        d[0] = a[0].re();
        a[0] = F::real(d[0]);
    }
}

/// B becomes Hᴴ·B·H for the Hermitian part B of `a` that starts at (`first`, `first`) and is as large
/// as `v`: B - v wᴴ - w vᴴ with w = x - ½ tau (xᴴ v) v, x = tau B v. `stored` says where an element is
/// kept, and whether as its conjugate.
fn update<F: Field>(
    a: &mut [F],
    n: usize,
    first: usize,
    v: &[F],
    tau: F,
    stored: impl Fn(usize, usize) -> (usize, usize, bool),
) {
    if tau == F::ZERO {
        return;
    }
    let size = v.len();
    let at = |i: usize, j: usize| {
        let (r, c, flipped) = stored(i, j);
        ((first + r) * n + first + c, flipped)
    };
    let mut w: Vec<F> = (0..size)
        .map(|i| {
            let mut sum = F::ZERO;
            for (j, &v) in v.iter().enumerate() {
                let (at, flipped) = at(i, j);
                // The diagonal of a Hermitian matrix is real, whatever is written there.
                let x = if i == j { F::real(a[at].re()) } else { a[at] };
                sum = sum + if flipped { x.conj() } else { x } * v;
            }
            tau * sum
        })
        .collect();
    let dot = w.iter().zip(v).fold(F::ZERO, |sum, (&w, &v)| sum + w.conj() * v);
    let alpha = (tau * dot).scale(-0.5);
    for (w, &v) in w.iter_mut().zip(v) {
        *w = *w + alpha * v;
    }
    for i in 0..size {
        for j in 0..size {
            let (at, flipped) = at(i, j);
            if !flipped {
                let x = a[at] - v[i] * w[j].conj() - w[i] * v[j].conj();
                a[at] = if i == j { F::real(x.re()) } else { x };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_reflectors_bring_the_matrix_to_the_form(n in 0usize..9, batch in 0usize..3, complex: bool, lower: bool, seed: u64) {
            let ctx = ctx();
            let a = random(&[batch, n, n], complex, seed);
            let t = tridiagonal(&ctx, &a, lower).unwrap();
            let whole = map2(&a, &a, |i, j, x, p| {
                if i == j { C::new(x.re, 0.0) } else if (i > j) == lower { x } else { p(j, i).conj() }
            });
            // T itself, and A brought there one reflector at a time.
            let (d, e, taus) = (values(&t.d), values(&t.e), values(&t.taus));
            for (b, (packed, mut m)) in list(&t.packed).into_iter().zip(list(&whole)).enumerate() {
                let k = n.saturating_sub(1);
                let order: Vec<usize> = if lower { (0..k).collect() } else { (0..k).rev().collect() };
                for s in order {
                    let mut v = vec![ZERO; n];
                    for i in 0..n {
                        v[i] = match lower {
                            true if i > s + 1 => packed[i * n + s],
                            true if i == s + 1 => C::new(1.0, 0.0),
                            false if i < s => packed[i * n + s + 1],
                            false if i == s => C::new(1.0, 0.0),
                            _ => ZERO,
                        };
                    }
                    let tau = taus[b * k + s];
                    let h = |i: usize, j: usize| C::new((i == j) as u8 as f64, 0.0) - tau * v[i] * v[j].conj();
                    let mut next = vec![ZERO; n * n];
                    for i in 0..n {
                        for j in 0..n {
                            let mut sum = ZERO;
                            for x in 0..n {
                                for y in 0..n {
                                    sum += h(x, i).conj() * m[x * n + y] * h(y, j);
                                }
                            }
                            next[i * n + j] = sum;
                        }
                    }
                    m = next;
                }
                for i in 0..n {
                    for j in 0..n {
                        let want = match i.abs_diff(j) {
                            0 => d[b * n + i],
                            1 => e[b * k + i.min(j)],
                            _ => ZERO,
                        };
                        prop_assert!((m[i * n + j] - want).norm_sqr() < 1e-22, "{} {}", m[i * n + j], want);
                    }
                }
            }
        }
    }
}
