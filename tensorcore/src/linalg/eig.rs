//! Eigenvalues and eigenvectors of general square matrices, from the Schur form by substitution.

use super::batch::{Work, count, for_each};
use super::schur::{self, Iterate};
use super::{Field, square};
use num_complex::Complex;
use sim_core::{Ctx, ElementType as E, Result, Tensor};

/// The work type of eigenvectors.
type C = Complex<f64>;

/// The result of [`eig`]. All but `info` are complex.
pub struct Eig {
    /// `[…, n]`; of a real matrix, the two of a conjugate pair follow each other, the one with the
    /// positive imaginary part first.
    pub values: Tensor,
    /// Columns u with uᴴ·A = λ·uᴴ, of length 1.
    pub left: Tensor,
    /// Columns v with A·v = λ·v, of length 1. The largest element of a complex vector is real.
    pub right: Tensor,
    /// `i32[…]`: zero, or how many values the iteration did not find (NaN operands).
    pub info: Tensor,
}

/// The eigendecomposition of each square matrix of a batch, real or complex.
///
/// # Errors
/// Matrices that are not square; unsupported types; memory; interruption.
pub fn eig(ctx: &Ctx, a: &Tensor) -> Result<Eig> {
    if a.element().is_complex() { eig_in::<C>(ctx, a) } else { eig_in::<f64>(ctx, a) }
}

fn eig_in<F: Iterate + Into<C>>(ctx: &Ctx, a: &Tensor) -> Result<Eig> {
    let (_, n) = square("eig", a.shape())?;
    let batch = &a.shape()[..a.rank() - 2];
    let count = count(a, batch);
    let mut work = Work::of(ctx, a, batch.len())?;
    let mut values = Work::zeros::<C>(ctx, batch, &[n])?;
    let (mut left, mut right) =
        (Work::zeros::<C>(ctx, batch, &[n, n])?, Work::zeros::<C>(ctx, batch, &[n, n])?);
    let mut info = ctx.alloc_zeroed(E::S32, batch)?;
    let items = work
        .members::<F>(count)
        .zip(values.members::<C>(count))
        .zip(left.members::<C>(count))
        .zip(right.members::<C>(count))
        .zip(info.as_mut_slice::<i32>());
    for_each(ctx, items, 12 * n * n * n, |((((a, values), left), right), info)| {
        // The real vectors; the triangular factor and the vectors once more, complex.
        let _room = ctx.reserve((n * n).saturating_mul(size_of::<F>() + 2 * size_of::<C>()))?;
        let mut z = vec![F::ZERO; n * n];
        let (mut w, mut imag) = (vec![F::ZERO; n], vec![0.0; n]);
        *info = schur::factor(ctx, a, n, &mut z, &mut w, &mut imag)?;
        for ((value, &w), &im) in values.iter_mut().zip(&w).zip(&imag) {
            *value = w.into() + C::new(0.0, im);
        }
        let mut t: Vec<C> = a.iter().map(|&x| x.into()).collect();
        let mut z: Vec<C> = z.iter().map(|&x| x.into()).collect();
        for k in (0..n).filter(|&k| imag[k] > 0.0) {
            split_pair(&mut t, n, k, values[k], &mut z);
        }
        // A real matrix with a real value has a real vector; a pair has conjugate ones.
        let kind = |k: usize| match imag[k] {
            0.0 if a_is_real::<F>() => Kind::Real,
            im if im < 0.0 => Kind::Conjugate,
            _ => Kind::Complex,
        };
        vectors(&t, n, values, &z, right, substitute_right, kind);
        vectors(&t, n, values, &z, left, substitute_left, kind);
        Ok(())
    })?;
    let ty = a.element();
    let ty = if ty.is_complex() { ty } else { ty.complex_of().unwrap_or(E::C64) };
    Ok(Eig {
        values: values.finish(ctx, ty)?,
        left: left.finish(ctx, ty)?,
        right: right.finish(ctx, ty)?,
        info,
    })
}

fn a_is_real<F: Field>() -> bool {
    F::TYPE == E::F64
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Real,
    Complex,
    /// Of the vector before.
    Conjugate,
}

/// Makes the standard block at (k, k) upper triangular, with `value` first.
fn split_pair(t: &mut [C], n: usize, k: usize, value: C, z: &mut [C]) {
    // (b, i w) is its eigenvector.
    let (b, w) = (t[k * n + k + 1], C::new(0.0, value.im));
    let norm = libm::hypot(b.re, w.im);
    let (u0, u1) = (Field::scale(b, 1.0 / norm), Field::scale(w, 1.0 / norm));
    let turn = |row: &mut [C]| {
        let (x, y) = (row[k], row[k + 1]);
        row[k] = x * u0 + y * u1;
        row[k + 1] = y * u0.conj() - x * u1.conj();
    };
    t.chunks_mut(n).for_each(turn);
    z.chunks_mut(n).for_each(turn);
    let (upper, lower) = t[k * n..(k + 2) * n].split_at_mut(n);
    for (x, y) in upper.iter_mut().zip(lower) {
        (*x, *y) = (u0.conj() * *x + u1.conj() * *y, u0 * *y - u1 * *x);
    }
    t[(k + 1) * n + k] = C::ZERO;
    (t[k * n + k], t[(k + 1) * n + k + 1]) = (value, value.conj());
}

/// x with T x = t(k, k) x and x(k) = 1.
fn substitute_right(t: &[C], n: usize, k: usize, x: &mut [C]) {
    let smallest = smallest(t);
    x.fill(C::ZERO);
    x[k] = C::ONE;
    for i in (0..k).rev() {
        let sum: C = (i + 1..=k).map(|j| t[i * n + j] * x[j]).sum();
        x[i] = -sum / apart(t[i * n + i] - t[k * n + k], smallest);
        tame(x);
    }
}

/// x with xᴴ T = t(k, k) xᴴ and x(k) = 1.
fn substitute_left(t: &[C], n: usize, k: usize, x: &mut [C]) {
    let smallest = smallest(t);
    x.fill(C::ZERO);
    x[k] = C::ONE;
    for j in k + 1..n {
        let sum: C = (k..j).map(|i| t[i * n + j].conj() * x[i]).sum();
        x[j] = -sum / apart((t[j * n + j] - t[k * n + k]).conj(), smallest);
        tame(x);
    }
}

/// Equal eigenvalues are moved apart by what rounding makes of them anyway.
fn smallest(t: &[C]) -> f64 {
    let largest = t.iter().fold(0.0f64, |m, z| m.max(z.re.abs()).max(z.im.abs()));
    (largest * f64::EPSILON).max(1e-150) // Its square is still a number.
}

fn apart(difference: C, smallest: f64) -> C {
    if difference.re.abs() + difference.im.abs() < smallest { C::new(smallest, 0.0) } else { difference }
}

/// Only the direction counts: keeps it from overflowing.
fn tame(x: &mut [C]) {
    let largest = x.iter().fold(0.0f64, |m, z| m.max(z.re.abs()).max(z.im.abs()));
    if largest > 1e100 {
        for z in x {
            *z = Field::scale(*z, 1.0 / largest);
        }
    }
}

/// Writes the vectors of the original matrix as columns of `out`.
fn vectors(
    t: &[C],
    n: usize,
    values: &[C],
    z: &[C],
    out: &mut [C],
    substitute: impl Fn(&[C], usize, usize, &mut [C]),
    kind: impl Fn(usize) -> Kind,
) {
    let mut x = vec![C::ZERO; n];
    for k in 0..values.len() {
        if kind(k) == Kind::Conjugate {
            for row in out.chunks_mut(n) {
                row[k] = row[k - 1].conj();
            }
            continue;
        }
        substitute(t, n, k, &mut x);
        let mut v: Vec<C> =
            z.chunks(n).map(|row| row.iter().zip(&x).map(|(&z, &x)| z * x).sum::<C>()).collect();
        if kind(k) == Kind::Real {
            v.iter_mut().for_each(|z| z.im = 0.0);
        }
        let largest = v.iter().fold(0.0f64, |m, &z| m.max(Field::norm(z)));
        if largest > 0.0 {
            let norm = v.iter().map(|&z| Field::norm_sqr(Field::scale(z, 1.0 / largest))).sum::<f64>().sqrt()
                * largest;
            let by = if kind(k) == Kind::Real {
                C::new(1.0 / norm, 0.0)
            } else {
                let top =
                    v.iter().copied().reduce(|a, b| if Field::norm(b) > Field::norm(a) { b } else { a });
                let top = top.unwrap_or(C::ONE);
                Field::scale(top.conj(), 1.0 / (Field::norm(top) * norm))
            };
            v.iter_mut().for_each(|z| *z *= by);
        }
        for (row, &v) in out.chunks_mut(n).zip(&v) {
            row[k] = v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::eig;
    use crate::linalg::testing::*;
    use num_complex::Complex;
    use proptest::prelude::*;
    use sim_core::{ElementType as E, Tensor};

    proptest! {
        #[test]
        fn the_vectors_are_eigenvectors(n in 0usize..10, batch in 0usize..3, complex: bool, seed: u64) {
            let ctx = ctx();
            let a = random(&[batch, n, n], complex, seed);
            let got = eig(&ctx, &a).unwrap();
            prop_assert!(got.info.as_slice::<i32>().iter().all(|&i| i == 0));
            let (a, w) = (complex_of(&a), diagonal(&got.values, n, n));
            close(&product(&a, &got.right), &product(&got.right, &w), 1e-11)?;
            close(&product(&adjoint(&got.left), &a), &product(&w, &adjoint(&got.left)), 1e-11)?;
            for v in [&got.right, &got.left] {
                let g = product(&adjoint(v), v);
                close(&map(&g, |i, j, x| if i == j { x } else { ZERO }), &map(&g, |i, j, _| C::new((i == j) as u8 as f64, 0.0)), 1e-13)?;
            }
            if !complex {
                for w in got.values.as_slice::<C>().chunks(n.max(1)) {
                    let mut k = 0;
                    while k < w.len() {
                        if w[k].im != 0.0 {
                            prop_assert!(w[k].im > 0.0 && w[k + 1] == w[k].conj());
                            k += 1;
                        }
                        k += 1;
                    }
                }
            }
        }
    }

    #[test]
    fn a_defective_matrix_has_finite_vectors() {
        let a = Tensor::from_slice(&[2, 2], &[1.0f64, 1.0, 0.0, 1.0]);
        let got = eig(&ctx(), &a).unwrap();
        assert!(got.right.as_slice::<C>().iter().all(|z| z.is_finite()));
        let zero = Tensor::from_slice(&[2, 2], &[0f32; 4]);
        let got = eig(&ctx(), &zero).unwrap();
        assert_eq!(got.right.element(), E::C64);
        assert!(got.right.as_slice::<Complex<f32>>().iter().all(|z| z.is_finite()));
    }
}
