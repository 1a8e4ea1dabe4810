//! `stablehlo.cholesky`: row by row, each element a dot product of two finished rows.

use super::widen::{narrow, widen};
use super::{Field, square};
use num_complex::Complex;
use rayon::prelude::*;
use sim_core::{Ctx, Result, Tensor};

/// The Cholesky factor of each matrix of a batch `[…, n, n]` of float or complex elements.
///
/// `lower`: reads the lower triangle and returns L with A = L·Lᴴ; otherwise reads the upper one and
/// returns U with A = Uᴴ·U. The other triangle of the result is zero. A matrix that is not positive
/// definite gives NaN from the first failing row on.
///
/// # Errors
/// Matrices that are not square; unsupported types; memory; interruption.
pub fn cholesky(ctx: &Ctx, a: &Tensor, lower: bool) -> Result<Tensor> {
    let (_, n) = square("cholesky", a.shape())?;
    if a.is_empty() {
        return ctx.alloc(a.element(), a.shape());
    }
    let mut work = widen(ctx, a)?;
    if a.element().is_complex() {
        factor_all::<Complex<f64>>(ctx, &mut work, n, lower)?;
    } else {
        factor_all::<f64>(ctx, &mut work, n, lower)?;
    }
    narrow(ctx, work, a.element())
}

fn factor_all<F: Field>(ctx: &Ctx, work: &mut Tensor, n: usize, lower: bool) -> Result<()> {
    work.as_mut_slice::<F>().par_chunks_mut(n * n).try_for_each(|m| {
        if !lower {
            // U is the conjugate transpose of the L of the same matrix.
            conjugate_transpose(m, n);
        }
        for i in 0..n {
            ctx.check_stop()?;
            let (above, rest) = m.split_at_mut(i * n);
            let row = &mut rest[..n];
            for j in 0..i {
                let other = &above[j * n..j * n + j + 1];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let pivot = row[i] - dot(&row[..i], &row[..i]);
            row[i] = pivot.real_sqrt();
            row[i + 1..].fill(F::ZERO);
        }
        if !lower {
            conjugate_transpose(m, n);
        }
        Ok(())
    })
}

/// Σ a · conj(b), in eight lanes.
fn dot<F: Field>(a: &[F], b: &[F]) -> F {
    let mut lanes = [F::ZERO; 8];
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    for (a, b) in a8.iter().zip(b8) {
        for i in 0..8 {
            lanes[i] = lanes[i] + a[i] * b[i].conj();
        }
    }
    for ((lane, &a), &b) in lanes.iter_mut().zip(a_rest).zip(b_rest) {
        *lane = *lane + a * b.conj();
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

fn conjugate_transpose<F: Field>(m: &mut [F], n: usize) {
    for i in 0..n {
        m[i * n + i] = m[i * n + i].conj();
        for j in 0..i {
            let (x, y) = (m[i * n + j].conj(), m[j * n + i].conj());
            m[i * n + j] = y;
            m[j * n + i] = x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sim_core::Numerics;

    proptest! {
        #[test]
        fn the_factor_times_its_adjoint_is_the_matrix(n in 1usize..20, batch in 1usize..4, lower: bool, seed in 0usize..99) {
            let ctx = Ctx::new(Numerics::ieee(), 1 << 30);
            let noise = |i: usize| ((i + 1) * (seed + 3)).wrapping_mul(2_654_435_761) % 1000;
            let part = |i: usize| noise(i) as f64 / 1000.0 - 0.5;
            let mut a = vec![Complex::new(0.0, 0.0); batch * n * n];
            for b in 0..batch {
                let g = |i: usize, j: usize| {
                    let at = (b * n + i) * n + j;
                    Complex::new(part(2 * at), part(2 * at + 1))
                };
                for i in 0..n {
                    for j in 0..n {
                        let sum: Complex<f64> = (0..n).map(|k| g(i, k) * g(j, k).conj()).sum();
                        a[(b * n + i) * n + j] = sum + if i == j { 1.0 } else { 0.0 };
                    }
                }
            }
            // What lies in the other triangle must not matter.
            let mut dirty = a.clone();
            for b in 0..batch {
                for i in 0..n {
                    for j in 0..i {
                        let at = if lower { (b * n + j) * n + i } else { (b * n + i) * n + j };
                        dirty[at] = Complex::new(f64::NAN, 7.0);
                    }
                }
            }
            let f = cholesky(&ctx, &Tensor::from_slice(&[batch, n, n], &dirty), lower).unwrap();
            let f = f.as_slice::<Complex<f64>>();
            for b in 0..batch {
                for i in 0..n {
                    for j in 0..n {
                        let at = |i: usize, j: usize| f[(b * n + i) * n + j];
                        let sum: Complex<f64> = (0..n)
                            .map(|k| if lower { at(i, k) * at(j, k).conj() } else { at(k, i).conj() * at(k, j) })
                            .sum();
                        prop_assert!((sum - a[(b * n + i) * n + j]).norm() < 1e-10);
                        let kept = if lower { j <= i } else { j >= i };
                        prop_assert!(kept || at(i, j) == Complex::new(0.0, 0.0));
                    }
                }
            }
        }
    }

    #[test]
    fn real_f32() {
        let ctx = Ctx::new(Numerics::tpu(), 1 << 30);
        let a = Tensor::from_slice(&[2, 2], &[4.0f32, 2.0, 2.0, 5.0]);
        assert_eq!(cholesky(&ctx, &a, true).unwrap().as_slice::<f32>(), [2.0, 0.0, 1.0, 2.0]);
        assert_eq!(cholesky(&ctx, &a, false).unwrap().as_slice::<f32>(), [2.0, 1.0, 0.0, 2.0]);
        let bad = Tensor::from_slice(&[2, 2], &[-1.0f32, 0.0, 0.0, 1.0]);
        assert!(cholesky(&ctx, &bad, true).unwrap().as_slice::<f32>()[0].is_nan());
        assert!(cholesky(&ctx, &Tensor::from_slice(&[1, 2], &[1f32; 2]), true).is_err());
    }
}
