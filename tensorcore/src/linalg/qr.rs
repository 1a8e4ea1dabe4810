//! QR factorization by Householder reflectors, and what is done with its factor Q.

use super::batch::{Work, count, for_each};
use super::householder::{Window, accumulate, apply_left, apply_right, reflector};
use super::{Field, matrices};
use num_complex::Complex;
use sim_core::ir::op::Transpose;
use sim_core::{Ctx, Diagnostic, Result, Tensor};

/// The QR factorization of each m by n matrix of a batch, as LAPACK's `geqrf` stores it: R in the
/// upper triangle of the first result, below it the reflectors' vectors (without their leading 1);
/// the second holds their min(m, n) factors tau. Q = H(0) H(1) …, and the diagonal of R is real.
///
/// # Errors
/// Anything but matrices; unsupported types; memory; interruption.
pub fn qr(ctx: &Ctx, a: &Tensor) -> Result<(Tensor, Tensor)> {
    if a.element().is_complex() { qr_in::<Complex<f64>>(ctx, a) } else { qr_in::<f64>(ctx, a) }
}

fn qr_in<F: Field>(ctx: &Ctx, a: &Tensor) -> Result<(Tensor, Tensor)> {
    let (batch, m, n) = matrices("qr", a.shape())?;
    let count = count(a, batch);
    let mut work = Work::of(ctx, a, batch.len())?;
    let mut taus = Work::zeros::<F>(ctx, batch, &[m.min(n)])?;
    let items = work.members::<F>(count).zip(taus.members::<F>(count));
    for_each(ctx, items, m * n * n, |(a, taus)| {
        factor(a, m, n, taus);
        Ok(())
    })?;
    Ok((work.finish(ctx, a.element())?, taus.finish(ctx, a.element())?))
}

/// One matrix, in place.
pub(super) fn factor<F: Field>(a: &mut [F], m: usize, n: usize, taus: &mut [F]) {
    let mut scratch = Vec::new();
    for (k, tau) in taus.iter_mut().enumerate() {
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

/// The vector of reflector `i` of a packed matrix of m rows and `stride` columns.
pub(super) fn vector<F: Field>(a: &[F], m: usize, stride: usize, i: usize) -> Vec<F> {
    let mut v: Vec<F> = (i..m).map(|r| a[r * stride + i]).collect();
    if let Some(first) = v.first_mut() {
        *first = F::ONE;
    }
    v
}

/// How many reflectors a packed matrix and its factors hold.
fn reflectors(op: &str, a: &Tensor, taus: &Tensor) -> Result<usize> {
    let (batch, m, n) = matrices(op, a.shape())?;
    match taus.shape() {
        [outer @ .., k] if outer == batch && *k <= m.min(n) && a.element() == taus.element() => Ok(*k),
        shape => Err(Diagnostic::invalid(format!(
            "{op}: reflectors of shape {:?} of {} do not go with factors of shape {shape:?} of {}",
            a.shape(),
            a.element(),
            taus.element()
        ))),
    }
}

/// The first n columns of Q = H(0) H(1) …, from the packed m by n matrices and the factors that
/// [`qr`] gives (LAPACK's `orgqr` and `ungqr`). There may be fewer factors than columns.
///
/// # Errors
/// Shapes that do not fit; more columns than rows; unsupported types; memory; interruption.
pub fn form_q(ctx: &Ctx, a: &Tensor, taus: &Tensor) -> Result<Tensor> {
    if a.element().is_complex() {
        form_in::<Complex<f64>>(ctx, a, taus)
    } else {
        form_in::<f64>(ctx, a, taus)
    }
}

fn form_in<F: Field>(ctx: &Ctx, a: &Tensor, taus: &Tensor) -> Result<Tensor> {
    let op = "householder_product";
    let (batch, m, n) = matrices(op, a.shape())?;
    let k = reflectors(op, a, taus)?;
    if n > m {
        return Err(Diagnostic::invalid(format!("{op}: Q has {m} rows, and {n} columns were asked for")));
    }
    let count = count(a, batch);
    let mut work = Work::of(ctx, a, batch.len())?;
    let mut taus = Work::of(ctx, taus, batch.len())?;
    let items = work.members::<F>(count).zip(taus.members::<F>(count));
    for_each(ctx, items, m * n * n, |(q, taus)| {
        let _room = ctx.reserve((m * k).saturating_mul(size_of::<F>()))?;
        let vectors: Vec<Vec<F>> = (0..k).map(|i| vector(q, m, n, i)).collect();
        accumulate(q, n, k, |i| (i, vectors[i].clone(), taus[i]));
        Ok(())
    })?;
    work.finish(ctx, a.element())
}

/// Q·c (`left`) or c·Q, with Q, its transpose or its adjoint as `op` says, without forming Q
/// (LAPACK's `ormqr` and `unmqr`).
///
/// # Errors
/// Shapes that do not fit; the plain transpose of a complex Q; unsupported types; memory; interruption.
pub fn apply_q(
    ctx: &Ctx,
    a: &Tensor,
    taus: &Tensor,
    c: &Tensor,
    left: bool,
    op: Transpose,
) -> Result<Tensor> {
    if a.element().is_complex() {
        if op == Transpose::Transpose {
            return Err(Diagnostic::unsupported("apply_q: the transpose of a complex Q; use its adjoint"));
        }
        return apply_in::<Complex<f64>>(ctx, a, taus, c, left, op);
    }
    apply_in::<f64>(ctx, a, taus, c, left, op)
}

fn apply_in<F: Field>(
    ctx: &Ctx,
    a: &Tensor,
    taus: &Tensor,
    c: &Tensor,
    left: bool,
    op: Transpose,
) -> Result<Tensor> {
    let name = "apply_q";
    let (batch, r, n) = matrices(name, a.shape())?;
    let k = reflectors(name, a, taus)?;
    let (outer, rows, cols) = matrices(name, c.shape())?;
    if outer != batch || c.element() != a.element() || r != if left { rows } else { cols } {
        return Err(Diagnostic::invalid(format!(
            "{name}: reflectors of shape {:?} do not apply to shape {:?}",
            a.shape(),
            c.shape()
        )));
    }
    let count = count(c, batch);
    let (mut packed, mut taus) = (Work::of(ctx, a, batch.len())?, Work::of(ctx, taus, batch.len())?);
    let mut work = Work::of(ctx, c, batch.len())?;
    let items = work.members::<F>(count).zip(packed.members::<F>(count)).zip(taus.members::<F>(count));
    for_each(ctx, items, rows * cols * k, |((c, packed), taus)| {
        let adjoint = op != Transpose::NoTranspose;
        // Q c and c Qᴴ begin with the last reflector, the others with the first.
        let backward = left != adjoint;
        let mut scratch = Vec::new();
        for step in 0..k {
            let i = if backward { k - 1 - step } else { step };
            let v = vector(packed, r, n, i);
            let tau = if adjoint { taus[i].conj() } else { taus[i] };
            if left {
                apply_left(c, Window { stride: cols, rows: i..rows, cols: 0..cols }, &v, tau, &mut scratch);
            } else {
                apply_right(c, Window { stride: cols, rows: 0..rows, cols: i..cols }, &v, tau);
            }
        }
        Ok(())
    })?;
    work.finish(ctx, c.element())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::testing::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn q_times_r_is_the_matrix(m in 0usize..9, n in 0usize..9, batch in 0usize..3, complex: bool, seed: u64) {
            let ctx = ctx();
            let a = random(&[batch, m, n], complex, seed);
            let (packed, taus) = qr(&ctx, &a).unwrap();
            prop_assert_eq!(taus.shape(), [batch, m.min(n)]);
            // R times the identity's first rows, multiplied by Q.
            let r = map(&packed, |i, j, x| if i <= j { x } else { ZERO });
            let back = apply_q(&ctx, &packed, &taus, &r, true, Transpose::NoTranspose).unwrap();
            close(&back, &a, 1e-12)?;
            // Real diagonal.
            for q in list(&r) {
                for d in 0..m.min(n) {
                    prop_assert!(q[d * n + d].im == 0.0);
                }
            }
            if m >= n {
                let q = form_q(&ctx, &packed, &taus).unwrap();
                orthonormal(&q, 1e-12)?;
                // Qᴴ A has R on top and nothing below.
                let r = apply_q(&ctx, &packed, &taus, &a, true, Transpose::Adjoint).unwrap();
                close(&map(&r, |i, j, x| if i > j { x } else { ZERO }), &map(&r, |_, _, _| ZERO), 1e-12)?;
                // From the right: c Q, against the product.
                let c = random(&[batch, 2, m], complex, seed ^ 1);
                let (full, wide) = (random(&[batch, m, m], complex, 3), taus.clone());
                let full = map2(&full, &packed, |i, j, _, p| if j < n { p(i, j) } else { ZERO });
                let q = form_q(&ctx, &full, &wide).unwrap();
                let got = apply_q(&ctx, &full, &wide, &c, false, Transpose::NoTranspose).unwrap();
                close(&got, &product(&c, &q), 1e-12)?;
                let got = apply_q(&ctx, &full, &wide, &c, false, Transpose::Adjoint).unwrap();
                close(&got, &product(&c, &adjoint(&q)), 1e-12)?;
            }
        }
    }

    #[test]
    fn shapes_that_do_not_fit_are_errors() {
        let ctx = ctx();
        let (a, v) = (random(&[3, 2], false, 1), random(&[3], false, 1));
        assert!(qr(&ctx, &v).is_err());
        assert!(form_q(&ctx, &a, &v).is_err());
        assert!(form_q(&ctx, &random(&[2, 3], false, 1), &random(&[2], false, 1)).is_err());
        let t = random(&[2], false, 1);
        assert!(apply_q(&ctx, &a, &t, &random(&[2, 2], false, 1), true, Transpose::NoTranspose).is_err());
    }
}
