//! Linear algebra as JAX asks for it on CPU and GPU: `lapack_dgeqrf_ffi`, `cusolver_geqrf_ffi`,
//! `hipsolver_geqrf_ffi`, and the same without `_ffi` (what older JAX versions wrote).
//!
//! The two generations differ in where the options are. The `_ffi` ones have them in a dictionary. The
//! older ones have LAPACK's as scalar operands before the matrices, cuSOLVER's as the bytes of a struct,
//! and they declare workspace among their results; sizes are in all of them what the shapes say too.
//! Layouts (column-major, all of them) are no concern of values.

use super::Call;
use crate::runtime::Value;
use sim_core::ir::attr::bytes_of_text;
use sim_core::ir::op::Transpose;
use sim_core::{Ctx, ElementType, Result, Tensor};
use tensorcore::linalg;

const LIBRARIES: [&str; 11] = [
    "lapack_",
    "blas_",
    "cusolver_",
    "cublas_",
    "cusparse_",
    "hipsolver_",
    "hipblas_",
    "hipsparse_",
    "rocsolver_",
    "cuhybrid_",
    "hiphybrid_",
];

/// The routine behind a target, without its library, its element type and `_ffi`.
fn routine(target: &str) -> Option<(&str, &str)> {
    let (library, name) =
        LIBRARIES.iter().find_map(|l| Some((l.trim_end_matches('_'), target.strip_prefix(l)?)))?;
    let name = name.strip_suffix("_ffi").unwrap_or(name);
    let name = name.strip_suffix("_batched").unwrap_or(name);
    Some((
        library,
        match library {
            "lapack" | "blas" => name.strip_prefix(['s', 'd', 'c', 'z'])?,
            // The older names end in the element type: `cusparse_gtsv2_f32`.
            _ => name.strip_suffix("_f32").or_else(|| name.strip_suffix("_f64")).unwrap_or(name),
        },
    ))
}

/// Is it a routine of one of the libraries? Of their routines some are refused when they run.
pub(super) fn knows(target: &str) -> bool {
    routine(target).is_some()
}

pub(super) fn call(c: &Call, operands: &[Value]) -> Result<Option<Vec<Value>>> {
    let Some((library, name)) = routine(c.target()) else { return Ok(None) };
    let all = operands.iter().map(Value::as_tensor).collect::<Result<Vec<_>>>()?;
    // Matrices and vectors; scalars of any type are options.
    let (options, data): (Vec<&Tensor>, Vec<&Tensor>) = all.into_iter().partition(|t| t.rank() == 0);
    let o = Options { c, library, scalars: options.iter().filter_map(|t| integer(t)).collect() };
    let ctx = c.ctx();
    let count = |n: usize| {
        if data.len() == n {
            return Ok(());
        }
        Err(c.invalid(format_args!("it takes {n} arrays, and {} were given", data.len())))
    };
    let values = match name {
        "potrf" => {
            count(1)?;
            cholesky(ctx, data[0], o.lower())?
        }
        "getrf" => {
            count(1)?;
            let f = linalg::lu(ctx, data[0])?;
            vec![f.lu, from_one(f.pivots), f.info]
        }
        "geqrf" => {
            count(1)?;
            let (packed, taus) = linalg::qr(ctx, data[0])?;
            with_info(c, vec![packed, taus])?
        }
        "geqp3" => {
            count(2)?;
            let f = linalg::qr_pivoted(ctx, data[0], data[1])?;
            vec![f.packed, f.columns, f.taus]
        }
        "orgqr" | "ungqr" => {
            count(2)?;
            with_info(c, vec![linalg::form_q(ctx, data[0], data[1])?])?
        }
        "ormqr" | "unmqr" => {
            count(3)?;
            let (left, transpose) = (c.flag("left").unwrap_or(true), c.flag("transpose").unwrap_or(false));
            let op = if transpose { Transpose::Adjoint } else { Transpose::NoTranspose };
            vec![linalg::apply_q(ctx, data[0], data[1], data[2], left, op)?]
        }
        "syev" | "syevd" | "heevd" | "syevj" => {
            count(1)?;
            let e = linalg::eigh(ctx, data[0], o.lower())?;
            vec![e.vectors, e.values, e.info]
        }
        "gesdd" | "gesvd" | "gesvdj" | "gesvdp" => {
            count(1)?;
            singular(c, name, data[0])?
        }
        "sytrd" | "hetrd" => {
            count(1)?;
            let t = linalg::tridiagonal(ctx, data[0], o.lower())?;
            with_info(c, vec![t.packed, t.d, t.e, t.taus])?
        }
        "gehrd" => {
            count(1)?;
            // Rows low to high, counted from one.
            let n = data[0].shape().last().copied().unwrap_or(0);
            let at = |name: &str, i: usize| c.int(name).or_else(|| o.scalars.get(i).copied());
            let low = at("low", 1).map_or(1, |l| l.max(1)) as usize - 1;
            let high = at("high", 2).map_or(n, |h| usize::try_from(h).unwrap_or(0));
            let (packed, taus) = linalg::hessenberg(ctx, data[0], low.min(n)..high.min(n))?;
            with_info(c, vec![packed, taus])?
        }
        "geev" | "eig_real" | "eig_comp" => {
            count(1)?;
            general(c, library, data[0])?
        }
        "gees" => {
            count(1)?;
            let s = linalg::schur(ctx, data[0])?;
            // Nothing is sorted, so nothing is selected.
            let selected = ctx.alloc_zeroed(ElementType::S32, s.info.shape())?;
            if data[0].element().is_complex() {
                vec![s.t, s.z, s.w, selected, s.info]
            } else {
                vec![s.t, s.z, s.w, s.imag, selected, s.info]
            }
        }
        "gtsv" | "gtsv2" => {
            count(4)?;
            let s = linalg::tridiagonal_solve(ctx, [data[0], data[1], data[2]], data[3])?;
            let [second, diagonal, first] = s.factors;
            match name {
                "gtsv" => vec![second, diagonal, first, s.x, s.info],
                _ => vec![s.x],
            }
        }
        "trsm" => {
            count(2)?;
            vec![o.triangular_solve(data[0], data[1])?]
        }
        _ => return Ok(None),
    };
    Ok(Some(c.results(values)?))
}

fn integer(t: &Tensor) -> Option<i64> {
    let e = t.element();
    (e.is_integer() || e == ElementType::Pred).then(|| t.to_i64s().first().copied()).flatten()
}

/// Where the options of a call are.
struct Options<'a> {
    c: &'a Call<'a>,
    library: &'a str,
    /// The scalar operands of an old LAPACK call, in order.
    scalars: Vec<i64>,
}

impl Options<'_> {
    /// Which triangle of a symmetric matrix is there.
    fn lower(&self) -> bool {
        if let Some(uplo) = self.c.letter("uplo") {
            return uplo != 'U';
        }
        if let Some(lower) = self.c.flag("lower") {
            return lower;
        }
        if let Some(text) = self.c.config_text() {
            // The second word of the struct is the library's fill mode: cuBLAS counts lower 0 and
            // upper 1, hipSOLVER upper 121 and lower 122.
            let bytes = bytes_of_text(text);
            let mode = bytes.get(4..8).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            return !matches!(mode, Some(1 | 121));
        }
        self.library != "lapack" || self.scalars.first().is_none_or(|&l| l != 0)
    }

    fn triangular_solve(&self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        let c = self.c;
        let scalar = |i: usize| self.scalars.get(i).copied().unwrap_or(0);
        let (left, lower, unit, transpose) = match c.letter("side") {
            Some(side) => {
                let transpose = match c.letter("trans_x") {
                    Some('T') => Transpose::Transpose,
                    Some('C') => Transpose::Adjoint,
                    _ => Transpose::NoTranspose,
                };
                (side == 'L', c.letter("uplo") == Some('L'), c.letter("diag") == Some('U'), transpose)
            }
            // left, lower, transposed (2 is conjugated), unit diagonal.
            None => {
                let transpose = match scalar(2) {
                    0 => Transpose::NoTranspose,
                    1 => Transpose::Transpose,
                    _ => Transpose::Adjoint,
                };
                (scalar(0) != 0, scalar(1) != 0, scalar(3) != 0, transpose)
            }
        };
        if a.rank() < 2 || b.rank() < 2 {
            return Err(c.invalid("it takes matrices"));
        }
        linalg::triangular_solve(c.ctx(), a, b, left, lower, unit, transpose)
    }
}

/// Pivots, counted from one.
fn from_one(mut pivots: Tensor) -> Tensor {
    for p in pivots.as_mut_slice::<i32>() {
        *p = p.wrapping_add(1);
    }
    pivots
}

/// Appends an `info` of zeros, one for each matrix, where the call declares one.
fn with_info(c: &Call, mut values: Vec<Tensor>) -> Result<Vec<Tensor>> {
    let declared = c.declared()?;
    if let Some(ty) = declared.get(values.len())
        && ty.element == ElementType::S32
        && let (Some(first), Some(shape)) = (values.first(), ty.static_dims())
        && first.rank() == shape.len() + 2
    {
        values.push(c.ctx().alloc_zeroed(ElementType::S32, &shape)?);
    }
    Ok(values)
}

/// The factor in its triangle, the other triangle as it was, and `info`: zero, or the order of the
/// first leading minor that is not positive.
fn cholesky(ctx: &Ctx, a: &Tensor, lower: bool) -> Result<Vec<Tensor>> {
    let mut factor = linalg::cholesky(ctx, a, lower)?;
    let n = a.shape().last().copied().unwrap_or(0);
    let batch = &a.shape()[..a.rank().saturating_sub(2)];
    let mut info = ctx.alloc_zeroed(ElementType::S32, batch)?;
    let width = a.element().byte_size();
    if factor.is_empty() {
        return Ok(vec![factor, info]);
    }
    let diagonal = {
        let real = linalg::widen_real(ctx, &factor)?;
        real.as_slice::<f64>().to_vec()
    };
    for (info, m) in info.as_mut_slice::<i32>().iter_mut().zip(diagonal.chunks(n * n)) {
        // Neither zero nor NaN is greater.
        let failed = (0..n).find(|i| m[i * n + i].partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater));
        *info = failed.map_or(0, |i| i as i32 + 1);
    }
    let from = a.bytes().chunks_exact(n * n * width);
    for (to, from) in factor.bytes_mut().chunks_exact_mut(n * n * width).zip(from) {
        for i in 0..n {
            let other = if lower { i + 1..n } else { 0..i };
            let bytes = (i * n + other.start) * width..(i * n + other.end) * width;
            to[bytes.clone()].copy_from_slice(&from[bytes]);
        }
    }
    Ok(vec![factor, info])
}

/// (work, s, U, Vᴴ, info), in the order and form of each routine.
fn singular(c: &Call, name: &str, a: &Tensor) -> Result<Vec<Tensor>> {
    let [.., m, n] = a.shape() else { return Err(c.invalid("it takes matrices")) };
    let (m, n) = (*m as i64, *n as i64);
    // U is square, or it has as many columns as there are values: so say the declared shapes.
    let transposed = c.flag("transposed").unwrap_or(false);
    let declared = c.declared()?;
    let dim = |result: usize, from_end: usize| {
        declared.get(result).and_then(|t| t.dims.iter().rev().nth(from_end)?.as_static())
    };
    let (u, v) = if transposed { (3, 2) } else { (2, 3) };
    let rows_of_v = if matches!(name, "gesvdj" | "gesvdp") { 0 } else { 1 };
    let full = dim(u, 0) == Some(m) && dim(v, rows_of_v) == Some(n);
    let s = linalg::svd(c.ctx(), a, full)?;
    let (u, v) = match name {
        "gesvdj" | "gesvdp" => (s.u, adjoint(c.ctx(), s.vh)?),
        _ if transposed => (s.vh, s.u),
        _ => (s.u, s.vh),
    };
    // The operand's place is overwritten with what nobody may read.
    Ok(vec![a.clone(), s.s, u, v, s.info])
}

fn adjoint(ctx: &Ctx, t: Tensor) -> Result<Tensor> {
    let rank = t.rank() as i64;
    let mut permutation: Vec<i64> = (0..rank).collect();
    permutation.swap(rank as usize - 1, rank as usize - 2);
    let mut t = tensorcore::xlu::transpose(ctx, &t, &permutation)?;
    match t.element() {
        ElementType::C64 => {
            t.as_mut_slice::<num_complex::Complex<f32>>().iter_mut().for_each(|z| z.im = -z.im);
        }
        ElementType::C128 => {
            t.as_mut_slice::<num_complex::Complex<f64>>().iter_mut().for_each(|z| z.im = -z.im);
        }
        _ => {}
    }
    Ok(t)
}

/// Eigenvalues and vectors of general matrices: LAPACK gives those of real matrices in two parts,
/// cuSOLVER gives complex values behind the overwritten operand.
fn general(c: &Call, library: &str, a: &Tensor) -> Result<Vec<Tensor>> {
    let e = linalg::eig(c.ctx(), a)?;
    if library == "cusolver" {
        let vectors =
            |v: Tensor| if a.element().is_complex() { Ok(v) } else { packed_pairs(c, &e.values, &v) };
        let (left, right) = (vectors(e.left)?, vectors(e.right)?);
        return Ok(vec![a.clone(), e.values, left, right, e.info]);
    }
    if a.element().is_complex() {
        return Ok(vec![e.values, e.left, e.right, e.info]);
    }
    let [re, im] = linalg::parts(c.ctx(), &e.values)?;
    Ok(vec![re, im, e.left, e.right, e.info])
}

/// The vectors of a real matrix as LAPACK packs them: of a conjugate pair, the real parts in the
/// first column and the imaginary parts in the second.
fn packed_pairs(c: &Call, values: &Tensor, vectors: &Tensor) -> Result<Tensor> {
    let n = vectors.shape().last().copied().unwrap_or(0);
    let [mut re, im] = linalg::parts(c.ctx(), vectors)?;
    let [_, w] = linalg::parts(c.ctx(), values)?;
    let width = re.element().byte_size();
    let signs = linalg::widen_real(c.ctx(), &w)?;
    for (i, &w) in signs.as_slice::<f64>().iter().enumerate() {
        let (matrix, column) = (i / n, i % n);
        let conjugate = w < 0.0 && column > 0;
        if !conjugate {
            continue;
        }
        // Its column takes the imaginary parts of the one before.
        for row in 0..n {
            let at = (matrix * n + row) * n + column;
            let from = im.bytes()[(at - 1) * width..at * width].to_vec();
            re.bytes_mut()[at * width..(at + 1) * width].copy_from_slice(&from);
        }
    }
    Ok(re)
}
