//! QR factorization with column pivoting.

use super::batch::{Work, count, for_each};
use super::householder::{Window, apply_left, reflector};
use super::{Field, matrices};
use num_complex::Complex;
use sim_core::{Ctx, Diagnostic, ElementType as E, Result, Tensor};

/// The result of [`qr_pivoted`].
pub struct QrPivoted {
    /// R and the reflectors, as [`super::qr`] stores them: A·P = Q·R.
    pub packed: Tensor,
    /// `i32[…, n]`: column j of A·P is this column of A, counted from one.
    pub columns: Tensor,
    pub taus: Tensor,
}

/// The factorization of each m by n matrix of a batch, as LAPACK's `geqp3` gives it. `columns`
/// (`i32[…, n]`) says which columns come first, in the order they have: those that are not zero. Among
/// the others, each step takes the one whose remaining part is longest; the first of equal ones.
///
/// LAPACK updates the lengths and computes them anew when too much has cancelled; here they always are.
///
/// # Errors
/// Anything but matrices; `columns` that do not go with them; unsupported types; memory; interruption.
pub fn qr_pivoted(ctx: &Ctx, a: &Tensor, columns: &Tensor) -> Result<QrPivoted> {
    if a.element().is_complex() {
        pivoted_in::<Complex<f64>>(ctx, a, columns)
    } else {
        pivoted_in::<f64>(ctx, a, columns)
    }
}

fn pivoted_in<F: Field>(ctx: &Ctx, a: &Tensor, columns: &Tensor) -> Result<QrPivoted> {
    let (batch, m, n) = matrices("qr", a.shape())?;
    if columns.element() != E::S32 || columns.shape() != [batch, &[n]].concat() {
        return Err(Diagnostic::invalid(format!(
            "qr: columns of shape {:?} of {} do not go with matrices of shape {:?}",
            columns.shape(),
            columns.element(),
            a.shape()
        )));
    }
    let mut columns = columns.clone();
    if a.is_empty() {
        // Nothing is longer than anything else.
        for row in columns.as_mut_slice::<i32>().chunks_mut(n.max(1)) {
            let order = order(row);
            row.copy_from_slice(&order.0);
        }
        let taus = Work::zeros::<F>(ctx, batch, &[m.min(n)])?;
        return Ok(QrPivoted { packed: a.clone(), columns, taus: taus.finish(ctx, a.element())? });
    }
    let count = count(a, batch);
    let mut work = Work::of(ctx, a, batch.len())?;
    let mut taus = Work::zeros::<F>(ctx, batch, &[m.min(n)])?;
    let rows = columns.as_mut_slice::<i32>().chunks_mut(n);
    let items = work.members::<F>(count).zip(taus.members::<F>(count)).zip(rows);
    for_each(ctx, items, m * n * n, |((a, taus), columns)| {
        factor(a, m, n, taus, columns);
        Ok(())
    })?;
    Ok(QrPivoted { packed: work.finish(ctx, a.element())?, columns, taus: taus.finish(ctx, a.element())? })
}

/// Columns in the order they start in, counted from one, and how many of them stay in front: each
/// wanted one trades places with the first that is not.
fn order(wanted: &[i32]) -> (Vec<i32>, usize) {
    let mut order: Vec<i32> = (1..=wanted.len() as i32).collect();
    let mut fixed = 0;
    for (j, &w) in wanted.iter().enumerate() {
        if w != 0 {
            order.swap(j, fixed);
            fixed += 1;
        }
    }
    (order, fixed)
}

/// One matrix, in place.
fn factor<F: Field>(a: &mut [F], m: usize, n: usize, taus: &mut [F], columns: &mut [i32]) {
    let (start, fixed) = order(columns);
    columns.copy_from_slice(&start);
    for row in a.chunks_exact_mut(n) {
        let old = row.to_vec();
        for (x, &c) in row.iter_mut().zip(&start) {
            *x = old[c as usize - 1];
        }
    }
    let mut scratch = Vec::new();
    for (k, tau) in taus.iter_mut().enumerate() {
        if k >= fixed {
            let length = |j: usize| (k..m).map(|i| a[i * n + j].norm_sqr()).sum::<f64>();
            let mut best = (k, length(k));
            for j in k + 1..n {
                let l = length(j);
                if l > best.1 {
                    best = (j, l);
                }
            }
            columns.swap(k, best.0);
            for row in a.chunks_exact_mut(n) {
                row.swap(k, best.0);
            }
        }
        let mut v: Vec<F> = (k..m).map(|i| a[i * n + k]).collect();
        let (head, tail) = v.split_at_mut(1);
        let (beta, t) = reflector(head[0], tail);
        *tau = t;
        v[0] = F::ONE;
        apply_left(a, Window { stride: n, rows: k..m, cols: k + 1..n }, &v, t.conj(), &mut scratch);
        v[0] = beta;
        for (i, &x) in (k..m).zip(&v) {
            a[i * n + k] = x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::*;
    use crate::linalg::{apply_q, qr};
    use proptest::prelude::*;
    use sim_core::ir::op::Transpose;

    proptest! {
        #[test]
        fn q_times_r_is_the_permuted_matrix(
            m in 0usize..7,
            n in 0usize..7,
            batch in 0usize..3,
            complex: bool,
            seed: u64,
            wanted in proptest::collection::vec(0i32..2, 21),
        ) {
            let ctx = ctx();
            let a = random(&[batch, m, n], complex, seed);
            let columns = Tensor::from_slice(&[batch, n], &wanted[..batch * n]);
            let f = qr_pivoted(&ctx, &a, &columns).unwrap();
            let at = f.columns.as_slice::<i32>().to_vec();
            for (b, row) in at.chunks(n.max(1)).enumerate() {
                let mut sorted = row.to_vec();
                sorted.sort_unstable();
                prop_assert_eq!(sorted, (1..=n as i32).collect::<Vec<_>>());
                let (order, fixed) = order(&wanted[b * n..][..n]);
                let steps = fixed.min(m);
                prop_assert_eq!(&row[..steps], &order[..steps]);
            }
            let r = map(&f.packed, |i, j, x| if i <= j { x } else { ZERO });
            let back = apply_q(&ctx, &f.packed, &f.taus, &r, true, Transpose::NoTranspose).unwrap();
            for (b, (got, of)) in list(&back).into_iter().zip(list(&a)).enumerate() {
                for i in 0..m {
                    for j in 0..n {
                        let want = of[i * n + at[b * n + j] as usize - 1];
                        prop_assert!((got[i * n + j] - want).norm() < 1e-12);
                    }
                }
            }
            // Where nothing is wanted first, the diagonal only gets smaller.
            let free = qr_pivoted(&ctx, &a, &Tensor::from_slice(&[batch, n], &vec![0i32; batch * n])).unwrap();
            for r in list(&free.packed) {
                for d in 1..m.min(n) {
                    prop_assert!(r[d * n + d].norm() <= r[(d - 1) * n + d - 1].norm() + 1e-12);
                }
            }
        }
    }

    #[test]
    fn all_columns_wanted_is_no_pivoting() {
        let ctx = ctx();
        let a = random(&[4, 3], false, 5);
        let f = qr_pivoted(&ctx, &a, &Tensor::from_slice(&[3], &[1i32, 1, 1])).unwrap();
        assert_eq!((f.packed, f.taus), qr(&ctx, &a).unwrap());
        assert_eq!(f.columns.as_slice::<i32>(), [1, 2, 3]);
    }

    #[test]
    fn columns_that_do_not_fit_are_errors() {
        let ctx = ctx();
        let a = random(&[4, 3], false, 5);
        assert!(qr_pivoted(&ctx, &a, &Tensor::from_slice(&[2], &[0i32, 0])).is_err());
        assert!(qr_pivoted(&ctx, &a, &Tensor::from_slice(&[3], &[0i64, 0, 0])).is_err());
    }
}
