//! `stablehlo.triangular_solve`: substitution, row by row, on blocks of right-hand sides.

use super::widen::{narrow, widen};
use super::{Field, square};
use num_complex::Complex;
use rayon::prelude::*;
use sim_core::ir::op::Transpose;
use sim_core::{Ctx, Diagnostic, Result, Tensor};

/// Right-hand sides per task.
const COLUMNS: usize = 64;

/// Solves `op(a)·x = b` (`left_side`) or `x·op(a) = b` for each matrix of a batch: `a` is
/// `[…, n, n]`, `b` and the result are `[…, n, k]` (left) or `[…, k, n]` (right).
///
/// Only the triangle that `lower` names is read, and not its diagonal when `unit_diagonal`.
/// `transpose` says what `op` is: nothing, the transpose, or the adjoint.
///
/// # Errors
/// Shapes that do not fit; unsupported types; memory; interruption.
pub fn triangular_solve(
    ctx: &Ctx,
    a: &Tensor,
    b: &Tensor,
    left_side: bool,
    lower: bool,
    unit_diagonal: bool,
    transpose: Transpose,
) -> Result<Tensor> {
    let (batch, n) = square("triangular_solve", a.shape())?;
    let rank = b.rank();
    let fits = rank == a.rank()
        && a.element() == b.element()
        && a.shape()[..rank - 2] == b.shape()[..rank - 2]
        && b.shape()[if left_side { rank - 2 } else { rank - 1 }] == n;
    if !fits {
        return Err(Diagnostic::invalid(format!(
            "triangular_solve: a of shape {:?} and b of shape {:?} do not fit",
            a.shape(),
            b.shape()
        )));
    }
    if b.is_empty() {
        return ctx.alloc(b.element(), b.shape());
    }
    let k = b.len() / batch / n;
    let solve = Solve { n, k, left_side, lower, unit_diagonal, transpose };
    let a = widen(ctx, a)?;
    let mut x = widen(ctx, b)?;
    if b.element().is_complex() {
        solve.all::<Complex<f64>>(ctx, &a, &mut x)?;
    } else {
        solve.all::<f64>(ctx, &a, &mut x)?;
    }
    narrow(ctx, x, b.element())
}

struct Solve {
    n: usize,
    k: usize,
    left_side: bool,
    lower: bool,
    unit_diagonal: bool,
    transpose: Transpose,
}

impl Solve {
    fn all<F: Field>(&self, ctx: &Ctx, a: &Tensor, x: &mut Tensor) -> Result<()> {
        let (n, k) = (self.n, self.k);
        let matrices = a.as_slice::<F>().par_chunks(n * n);
        x.as_mut_slice::<F>().par_chunks_mut(n * k).zip(matrices).try_for_each(|(x, a)| {
            // From the right, the transposed problem is solved: the rows of x are its columns.
            let swap = (self.transpose != Transpose::NoTranspose) == self.left_side;
            let conj = self.transpose == Transpose::Adjoint;
            let forward = self.lower != swap;
            let element = |i: usize, j: usize| {
                let v = if swap { a[j * n + i] } else { a[i * n + j] };
                if conj { v.conj() } else { v }
            };
            let _room = ctx.reserve((n * COLUMNS * k.div_ceil(COLUMNS)).saturating_mul(size_of::<F>()))?;
            let solved: Vec<Vec<F>> = (0..k.div_ceil(COLUMNS))
                .into_par_iter()
                .map(|c| {
                    ctx.check_stop()?;
                    let columns = c * COLUMNS..((c + 1) * COLUMNS).min(k);
                    let mut block = vec![F::ZERO; n * COLUMNS];
                    for (i, row) in block.chunks_mut(COLUMNS).enumerate() {
                        for (v, j) in row.iter_mut().zip(columns.clone()) {
                            *v = if self.left_side { x[i * k + j] } else { x[j * n + i] };
                        }
                    }
                    for step in 0..n {
                        let i = if forward { step } else { n - 1 - step };
                        // Rows already solved, and the row being solved, as two parts of the block.
                        let (head, tail) =
                            block.split_at_mut(i * COLUMNS + if forward { 0 } else { COLUMNS });
                        let (done, row) = if forward {
                            (&*head, &mut tail[..COLUMNS])
                        } else {
                            (&*tail, &mut head[i * COLUMNS..])
                        };
                        let first = if forward { 0 } else { i + 1 };
                        for (j, known) in done.chunks(COLUMNS).enumerate() {
                            let f = element(i, first + j);
                            for (v, &x) in row.iter_mut().zip(known) {
                                *v = *v - f * x;
                            }
                        }
                        if !self.unit_diagonal {
                            let d = element(i, i);
                            for v in row {
                                *v = *v / d;
                            }
                        }
                    }
                    Ok(block)
                })
                .collect::<Result<_>>()?;
            for (c, block) in solved.iter().enumerate() {
                for (i, row) in block.chunks(COLUMNS).enumerate() {
                    for (&v, j) in row.iter().zip(c * COLUMNS..k) {
                        x[if self.left_side { i * k + j } else { j * n + i }] = v;
                    }
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sim_core::Numerics;

    proptest! {
        #[test]
        fn the_solution_solves(
            (n, k, batch) in (1usize..12, 1usize..80, 1usize..3),
            (left, lower, unit) in (any::<bool>(), any::<bool>(), any::<bool>()),
            op in 0usize..3,
            seed in 0usize..99,
        ) {
            let ctx = Ctx::new(Numerics::ieee(), 1 << 30);
            let part = |i: usize| ((i + 7) * (seed + 3)).wrapping_mul(2_654_435_761) % 1000;
            let value = |i: usize| {
                Complex::new(part(2 * i) as f64 / 1000.0 - 0.5, part(2 * i + 1) as f64 / 1000.0 - 0.5)
            };
            let mut a: Vec<_> = (0..batch * n * n).map(value).collect();
            for (i, v) in a.iter_mut().enumerate() {
                let (r, c) = (i / n % n, i % n);
                if r == c && unit || (if lower { c > r } else { c < r }) {
                    *v = Complex::new(f64::NAN, 0.0);
                } else if r == c {
                    *v += 3.0;
                }
            }
            let b: Vec<_> = (0..batch * n * k).map(|i| value(i + 5000)).collect();
            let shape = if left { [batch, n, k] } else { [batch, k, n] };
            let transpose = [Transpose::NoTranspose, Transpose::Transpose, Transpose::Adjoint][op];
            let x = triangular_solve(
                &ctx,
                &Tensor::from_slice(&[batch, n, n], &a),
                &Tensor::from_slice(&shape, &b),
                left,
                lower,
                unit,
                transpose,
            )
            .unwrap();
            let x = x.as_slice::<Complex<f64>>();
            for m in 0..batch {
                let at = |i: usize, j: usize| {
                    let (r, c) = if op > 0 { (j, i) } else { (i, j) };
                    let v = match r.cmp(&c) {
                        std::cmp::Ordering::Equal if unit => Complex::new(1.0, 0.0),
                        std::cmp::Ordering::Less if lower => Complex::ZERO,
                        std::cmp::Ordering::Greater if !lower => Complex::ZERO,
                        _ => a[(m * n + r) * n + c],
                    };
                    if op == 2 { v.conj() } else { v }
                };
                let size = x.iter().map(|v| v.norm()).fold(1.0, f64::max);
                for i in 0..n {
                    for j in 0..k {
                        let (sum, want): (Complex<f64>, _) = if left {
                            ((0..n).map(|l| at(i, l) * x[(m * n + l) * k + j]).sum(), b[(m * n + i) * k + j])
                        } else {
                            ((0..n).map(|l| x[(m * k + j) * n + l] * at(l, i)).sum(), b[(m * k + j) * n + i])
                        };
                        prop_assert!((sum - want).norm() < 1e-10 * size);
                    }
                }
            }
        }
    }

    #[test]
    fn real_f32() {
        let ctx = Ctx::new(Numerics::tpu(), 1 << 30);
        let a = Tensor::from_slice(&[2, 2], &[2.0f32, 0.0, 1.0, 4.0]);
        let b = Tensor::from_slice(&[2, 1], &[4.0f32, 10.0]);
        let x = triangular_solve(&ctx, &a, &b, true, true, false, Transpose::NoTranspose).unwrap();
        assert_eq!(x.as_slice::<f32>(), [2.0, 2.0]);
        assert!(triangular_solve(&ctx, &a, &b, false, true, false, Transpose::NoTranspose).is_err());
    }
}
