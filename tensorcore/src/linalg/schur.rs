//! The Schur form of general square matrices, by shifted QR iterations on the Hessenberg form
//! (Golub and Van Loan, "Matrix Computations", 7.5): a single complex shift, or Francis's double
//! shift in real arithmetic.

use super::batch::{Work, count, for_each};
use super::householder::{Window, apply_left, apply_right, reflector};
use super::{Field, hessenberg, square};
use num_complex::Complex;
use sim_core::{Ctx, ElementType as E, Result, Tensor};

/// The result of [`schur`].
pub struct Schur {
    /// Upper triangular; of real matrices with 2 by 2 blocks on the diagonal for pairs of complex
    /// eigenvalues, in LAPACK's standard form (equal diagonal, off-diagonal elements of opposite sign).
    pub t: Tensor,
    /// Orthogonal or unitary: A = Z·T·Zᴴ.
    pub z: Tensor,
    /// Eigenvalues in the order of T's diagonal, `[…, n]`: complex for complex matrices, else the real
    /// parts.
    pub w: Tensor,
    /// Imaginary parts for real matrices (of a pair, the positive one first), zeros for complex ones.
    pub imag: Tensor,
    /// `i32[…]`: zero, or how many rows were left when the iteration gave up (NaN operands).
    pub info: Tensor,
}

/// QR steps one eigenvalue may take; two or three are usual.
const ITERATIONS: usize = 120;

/// The Schur form of each square matrix of a batch.
///
/// # Errors
/// Matrices that are not square; unsupported types; memory; interruption.
pub fn schur(ctx: &Ctx, a: &Tensor) -> Result<Schur> {
    if a.element().is_complex() { schur_in::<Complex<f64>>(ctx, a) } else { schur_in::<f64>(ctx, a) }
}

fn schur_in<F: Iterate>(ctx: &Ctx, a: &Tensor) -> Result<Schur> {
    let (_, n) = square("schur", a.shape())?;
    let batch = &a.shape()[..a.rank() - 2];
    let count = count(a, batch);
    let mut t = Work::of(ctx, a, batch.len())?;
    let mut z = Work::zeros::<F>(ctx, batch, &[n, n])?;
    let mut w = Work::zeros::<F>(ctx, batch, &[n])?;
    let mut imag = Work::zeros::<f64>(ctx, batch, &[n])?;
    let mut info = ctx.alloc_zeroed(E::S32, batch)?;
    let items = t
        .members::<F>(count)
        .zip(z.members::<F>(count))
        .zip(w.members::<F>(count))
        .zip(imag.members::<f64>(count))
        .zip(info.as_mut_slice::<i32>());
    for_each(ctx, items, 8 * n * n * n, |((((t, z), w), imag), info)| {
        *info = factor(ctx, t, n, z, w, imag)?;
        Ok(())
    })?;
    let ty = a.element();
    Ok(Schur {
        t: t.finish(ctx, ty)?,
        z: z.finish(ctx, ty)?,
        w: w.finish(ctx, ty)?,
        imag: imag.finish(ctx, ty.real_part())?,
        info,
    })
}

/// One matrix: `t` becomes T, `z` becomes Z. Returns the rows that did not converge.
pub(super) fn factor<F: Iterate>(
    ctx: &Ctx,
    t: &mut [F],
    n: usize,
    z: &mut [F],
    w: &mut [F],
    imag: &mut [f64],
) -> Result<i32> {
    let mut taus = vec![F::ZERO; n];
    hessenberg::reduce(t, n, 0..n, &mut taus);
    hessenberg::unpack(t, n, &taus, z);
    let mut end = n; // Rows from here on are done.
    let mut steps = 0;
    while end > 0 {
        let start = (1..end).rev().find(|&k| negligible(t, n, k)).unwrap_or(0);
        if start > 0 {
            t[start * n + start - 1] = F::ZERO;
        }
        let done = F::deflate(t, n, start..end, z, w, imag);
        if done > 0 {
            end -= done;
            steps = 0;
            continue;
        }
        steps += 1;
        if steps > ITERATIONS {
            return Ok(end as i32);
        }
        ctx.check_stop()?;
        F::step(t, n, start..end, z, steps % 10 == 0);
    }
    Ok(0)
}

fn negligible<F: Field>(t: &[F], n: usize, k: usize) -> bool {
    let size = |i: usize, j: usize| {
        let x = t[i * n + j];
        x.re().abs() + x.im().abs()
    };
    let around = size(k - 1, k - 1) + size(k, k);
    size(k, k - 1) <= f64::EPSILON * around || size(k, k - 1) < f64::MIN_POSITIVE
}

/// What differs between real and complex iterations.
pub trait Iterate: Field {
    /// Takes eigenvalues off the end of an unreduced block, and says how many.
    fn deflate(
        t: &mut [Self],
        n: usize,
        block: std::ops::Range<usize>,
        z: &mut [Self],
        w: &mut [Self],
        imag: &mut [f64],
    ) -> usize;
    /// One QR step on an unreduced block. `exceptional`: with a shift that breaks cycles.
    fn step(t: &mut [Self], n: usize, block: std::ops::Range<usize>, z: &mut [Self], exceptional: bool);
}

/// Rows r and r + 1 become (c x + s y, -conj(s) x + c y) in the columns of `cols`; columns r and r + 1
/// of the rows of `rows`, and of `z`, are multiplied by the adjoint.
fn rotate<F: Field>(
    t: &mut [F],
    n: usize,
    r: usize,
    (c, s): (f64, F),
    cols: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
    z: &mut [F],
) {
    let (upper, lower) = t[r * n..(r + 2) * n].split_at_mut(n);
    for (x, y) in upper[cols.clone()].iter_mut().zip(&mut lower[cols]) {
        (*x, *y) = (x.scale(c) + s * *y, y.scale(c) - s.conj() * *x);
    }
    let turn = |row: &mut [F]| {
        let (x, y) = (row[r], row[r + 1]);
        row[r] = x.scale(c) + y * s.conj();
        row[r + 1] = y.scale(c) - x * s;
    };
    t[rows.start * n..rows.end * n].chunks_mut(n).for_each(turn);
    z.chunks_mut(n).for_each(turn);
}

impl Iterate for Complex<f64> {
    fn deflate(
        t: &mut [Self],
        n: usize,
        block: std::ops::Range<usize>,
        _: &mut [Self],
        w: &mut [Self],
        _: &mut [f64],
    ) -> usize {
        let last = block.end - 1;
        if block.start < last {
            return 0;
        }
        w[last] = t[last * n + last];
        1
    }

    fn step(t: &mut [Self], n: usize, block: std::ops::Range<usize>, z: &mut [Self], exceptional: bool) {
        let (lo, hi) = (block.start, block.end - 1);
        let at = |i: usize, j: usize| t[i * n + j];
        let shift = if exceptional {
            at(hi, hi) + Complex::real(0.75 * at(hi, hi - 1).norm())
        } else {
            // Wilkinson's: the eigenvalue of the last 2 by 2 block that is closer to its last element.
            let (a, b, c, d) = (at(hi - 1, hi - 1), at(hi - 1, hi), at(hi, hi - 1), at(hi, hi));
            let half = (a - d).scale(0.5);
            let root = sqrt(half * half + b * c);
            let sum = if (half.conj() * root).re() < 0.0 { half - root } else { half + root };
            if sum == Complex::ZERO { d } else { d - b * c / sum }
        };
        let (mut x, mut y) = (at(lo, lo) - shift, at(lo + 1, lo));
        for k in lo..hi {
            let g = givens(x, y);
            rotate(t, n, k, g, k.saturating_sub(1).max(lo)..n, 0..(k + 3).min(hi + 1), z);
            if k > lo {
                t[(k + 1) * n + k - 1] = Complex::ZERO;
            }
            if k + 1 < hi {
                (x, y) = (t[(k + 1) * n + k], t[(k + 2) * n + k]);
            }
        }
    }
}

/// (c, s) with -conj(s) f + c g = 0.
fn givens(f: Complex<f64>, g: Complex<f64>) -> (f64, Complex<f64>) {
    let (fa, ga) = (f.norm_of(), g.norm_of());
    let norm = libm::hypot(fa, ga);
    if ga == 0.0 {
        (1.0, Complex::ZERO)
    } else if fa == 0.0 {
        (0.0, Field::scale(g.conj(), 1.0 / ga))
    } else {
        (fa / norm, Field::scale(Field::scale(f, 1.0 / fa) * g.conj(), 1.0 / norm))
    }
}

trait NormOf {
    fn norm_of(self) -> f64;
}

impl NormOf for Complex<f64> {
    /// The crate's own `norm` asks the system's library, whose results differ between machines.
    fn norm_of(self) -> f64 {
        Field::norm(self)
    }
}

/// The principal square root.
fn sqrt(z: Complex<f64>) -> Complex<f64> {
    let size = z.norm_of();
    if size == 0.0 {
        return z;
    }
    let (big, small) = (((size + z.re.abs()) * 0.5).sqrt(), z.im.abs());
    let other = small / (2.0 * big);
    let (re, im) = if z.re >= 0.0 { (big, other) } else { (other, big) };
    Complex::new(re, im.copysign(z.im))
}

impl Iterate for f64 {
    fn deflate(
        t: &mut [f64],
        n: usize,
        block: std::ops::Range<usize>,
        z: &mut [f64],
        w: &mut [f64],
        imag: &mut [f64],
    ) -> usize {
        let last = block.end - 1;
        if block.len() == 1 {
            (w[last], imag[last]) = (t[last * n + last], 0.0);
            return 1;
        }
        if block.len() > 2 {
            return 0;
        }
        let k = block.start;
        let elements =
            |t: &[f64]| (t[k * n + k], t[k * n + k + 1], t[(k + 1) * n + k], t[(k + 1) * n + k + 1]);
        let discriminant = |t: &[f64]| {
            let (a, b, c, d) = elements(t);
            let half = 0.5 * (a - d);
            half * half + b * c
        };
        if discriminant(t) < 0.0 {
            // A pair: make the diagonal equal.
            let (a, b, c, d) = elements(t);
            let (sum, difference) = (b + c, a - d);
            let norm = libm::hypot(sum, difference);
            if difference != 0.0 && norm > 0.0 {
                let cos = (0.5 * (1.0 + sum.abs() / norm)).sqrt();
                let sin = -(0.5 * difference / (norm * cos)) * 1.0f64.copysign(sum);
                rotate(t, n, k, (cos, sin), k..n, 0..k + 2, z);
            }
            let mean = 0.5 * (t[k * n + k] + t[last * n + last]);
            (t[k * n + k], t[last * n + last]) = (mean, mean);
            let (_, b, c, _) = elements(t);
            if b * c < 0.0 {
                (w[k], w[last]) = (mean, mean);
                imag[k] = b.abs().sqrt() * c.abs().sqrt();
                imag[last] = -imag[k];
                return 2;
            }
        }
        // Two real ones: turn an eigenvector into the first axis.
        let (a, _, c, d) = elements(t);
        if c != 0.0 {
            let half = 0.5 * (a - d);
            let root = half + discriminant(t).max(0.0).sqrt().copysign(half);
            let norm = libm::hypot(c, root);
            rotate(t, n, k, (root / norm, c / norm), k..n, 0..k + 2, z);
            t[last * n + k] = 0.0;
        }
        (w[k], w[last]) = (t[k * n + k], t[last * n + last]);
        (imag[k], imag[last]) = (0.0, 0.0);
        2
    }

    fn step(t: &mut [f64], n: usize, block: std::ops::Range<usize>, z: &mut [f64], exceptional: bool) {
        let (lo, hi) = (block.start, block.end - 1);
        let at = |i: usize, j: usize| t[i * n + j];
        // Sum and product of the two shifts: the last 2 by 2 block's eigenvalues.
        let (sum, product) = if exceptional {
            let s = at(hi, hi - 1).abs() + at(hi - 1, hi - 2).abs();
            (1.5 * s, s * s)
        } else {
            let (a, b, c, d) = (at(hi - 1, hi - 1), at(hi - 1, hi), at(hi, hi - 1), at(hi, hi));
            (a + d, a * d - b * c)
        };
        let (a, b, c, d) = (at(lo, lo), at(lo, lo + 1), at(lo + 1, lo), at(lo + 1, lo + 1));
        let mut bulge = [a * a + b * c - sum * a + product, c * (a + d - sum), c * at(lo + 2, lo + 1)];
        let mut scratch = Vec::new();
        for k in lo..hi {
            let size = 3.min(hi + 1 - k);
            let mut v = bulge;
            let (head, tail) = v[..size].split_at_mut(1);
            let (beta, tau) = reflector(head[0], tail);
            v[0] = 1.0;
            let v = &v[..size];
            if k > lo {
                t[k * n + k - 1] = beta;
                for i in 1..size {
                    t[(k + i) * n + k - 1] = 0.0;
                }
            }
            let window = |rows, cols| Window { stride: n, rows, cols };
            apply_left(t, window(k..k + size, k..n), v, tau, &mut scratch);
            apply_right(t, window(0..(k + 4).min(hi + 1), k..k + size), v, tau);
            apply_right(z, window(0..n, k..k + size), v, tau);
            if k + 1 < hi {
                let next = |i: usize| if k + i <= hi { t[(k + i) * n + k] } else { 0.0 };
                bulge = [next(1), next(2), next(3)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::*;
    use proptest::prelude::*;

    fn check(a: &Tensor) -> std::result::Result<(), TestCaseError> {
        let got = schur(&ctx(), a).unwrap();
        let n = a.shape()[1];
        prop_assert!(got.info.as_slice::<i32>().iter().all(|&i| i == 0));
        orthonormal(&got.z, 1e-11)?;
        close(&product(&product(&got.z, &got.t), &adjoint(&got.z)), a, 1e-11)?;
        for t in list(&got.t) {
            let at = |i: usize, j: usize| t[i * n + j];
            for i in 0..n {
                for j in 0..i {
                    if at(i, j) != ZERO {
                        prop_assert!(!a.element().is_complex() && i == j + 1);
                        prop_assert_eq!(at(i, i), at(j, j));
                        prop_assert!(at(i, j).re * at(j, i).re < 0.0);
                        prop_assert!(i + 1 == n || at(i + 1, i) == ZERO);
                    }
                }
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn z_t_z_is_the_matrix(n in 0usize..14, batch in 0usize..3, complex: bool, seed: u64) {
            check(&random(&[batch, n, n], complex, seed))?;
        }

        #[test]
        fn small_integers_with_equal_eigenvalues(n in 1usize..6, values in prop::collection::vec(-1i8..2, 25)) {
            let a: Vec<f64> = values[..n * n].iter().map(|&x| x.into()).collect();
            check(&Tensor::from_slice(&[1, n, n], &a))?;
        }
    }

    #[test]
    fn a_cyclic_permutation_needs_the_exceptional_shift() {
        for n in 2..9 {
            let mut a = vec![0.0; n * n];
            for i in 0..n {
                a[i * n + (i + 1) % n] = 1.0;
            }
            check(&Tensor::from_slice(&[1, n, n], &a)).unwrap();
            let complex: Vec<C> = a.iter().map(|&x| C::new(x, 0.0)).collect();
            check(&Tensor::from_slice(&[1, n, n], &complex)).unwrap();
        }
    }

    #[test]
    fn nan_ends() {
        let nan = Tensor::from_slice(&[4, 4], &[f64::NAN; 16]);
        assert_ne!(schur(&ctx(), &nan).unwrap().info.as_slice::<i32>(), [0]);
    }
}
