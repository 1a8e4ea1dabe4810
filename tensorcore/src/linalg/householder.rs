//! Elementary reflectors H = I - tau v vᴴ with v[0] = 1, in LAPACK's convention
//! (LAPACK Users' Guide, "Representation of orthogonal or unitary matrices").

use super::Field;

/// Makes the reflector with Hᴴ (alpha, x) = (beta, 0), beta real: `x` becomes v[1..].
/// Returns (beta, tau). Without anything to eliminate, tau is zero.
pub fn reflector<F: Field>(alpha: F, x: &mut [F]) -> (F, F) {
    // Scaled by the largest part, so that squares neither overflow nor vanish.
    let largest = x.iter().chain([&alpha]).fold(0.0f64, |m, z| m.max(z.re().abs()).max(z.im().abs()));
    if x.iter().all(|z| *z == F::ZERO) && alpha.im() == 0.0 {
        return (alpha, F::ZERO);
    }
    let down = 1.0 / largest;
    let sum: f64 = x.iter().chain([&alpha]).map(|z| z.scale(down).norm_sqr()).sum();
    let norm = sum.sqrt() * largest;
    let beta = if alpha.re() >= 0.0 { -norm } else { norm };
    let tau = (F::real(beta) - alpha).scale(1.0 / beta);
    let inverse = F::ONE / (alpha - F::real(beta));
    for z in x {
        *z = *z * inverse;
    }
    (F::real(beta), tau)
}

/// A window of a row-major matrix with rows of `stride` elements.
#[derive(Clone)]
pub struct Window {
    pub stride: usize,
    pub rows: std::ops::Range<usize>,
    pub cols: std::ops::Range<usize>,
}

/// The window becomes (I - tau v vᴴ) times itself. `v` has an element a row; `row` is scratch.
pub fn apply_left<F: Field>(a: &mut [F], w: Window, v: &[F], tau: F, row: &mut Vec<F>) {
    if tau == F::ZERO || w.cols.is_empty() {
        return;
    }
    row.clear();
    row.resize(w.cols.len(), F::ZERO);
    for (i, &v) in w.rows.clone().zip(v) {
        let v = v.conj();
        for (r, &x) in row.iter_mut().zip(&a[i * w.stride..][w.cols.clone()]) {
            *r = *r + v * x;
        }
    }
    for (i, &v) in w.rows.zip(v) {
        let v = tau * v;
        for (x, &r) in a[i * w.stride..][w.cols.clone()].iter_mut().zip(row.iter()) {
            *x = *x - v * r;
        }
    }
}

/// The window becomes itself times (I - tau v vᴴ). `v` has an element a column.
pub fn apply_right<F: Field>(a: &mut [F], w: Window, v: &[F], tau: F) {
    if tau == F::ZERO {
        return;
    }
    for i in w.rows {
        let row = &mut a[i * w.stride..][w.cols.clone()];
        let sum = row.iter().zip(v).fold(F::ZERO, |sum, (&x, &v)| sum + x * v);
        let sum = sum * tau;
        for (x, &v) in row.iter_mut().zip(v) {
            *x = *x - sum * v.conj();
        }
    }
}

/// Multiplies the m by n matrix `q`, which starts as the first columns of the identity, by
/// H(0) H(1) … from the left. `vectors(i)` gives the reflector's first row, its vector and its tau.
pub fn accumulate<F: Field>(q: &mut [F], n: usize, k: usize, vectors: impl Fn(usize) -> (usize, Vec<F>, F)) {
    for (i, row) in q.chunks_mut(n.max(1)).enumerate() {
        row.fill(F::ZERO);
        if i < n {
            row[i] = F::ONE;
        }
    }
    let mut scratch = Vec::new();
    for i in (0..k).rev() {
        let (first, v, tau) = vectors(i);
        let rows = first..first + v.len();
        // Columns before the reflector's first row are still the identity's, zero in those rows.
        apply_left(q, Window { stride: n, rows, cols: first.min(n)..n }, &v, tau, &mut scratch);
    }
}
