//! `dot_general` and its deprecated relative `dot`.

use super::contract::{Operand, contract};
use super::matvec::matvec;
use super::pack::View;
use sim_core::ir::op::{DotAlgorithm, DotDims, Precision};
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};

/// Row-major strides, in elements.
pub(super) fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1usize; shape.len()];
    for i in (1..shape.len()).rev() {
        strides[i - 1] = strides[i].saturating_mul(shape[i]);
    }
    strides
}

/// Every sum of an element of `outer` and one of `inner`, the inner ones fastest.
pub(super) fn sums(outer: &[usize], inner: &[usize]) -> Vec<usize> {
    outer.iter().flat_map(|&o| inner.iter().map(move |&i| o + i)).collect()
}

/// Offsets of every index over some axes, given as (size, stride), the last fastest.
pub(super) fn offsets(axes: &[(usize, usize)]) -> Vec<usize> {
    axes.iter().fold(vec![0], |list, &(size, stride)| {
        sums(&list, &(0..size).map(|i| i * stride).collect::<Vec<_>>())
    })
}

/// Checked dimension numbers of one operand: `batch` and `contract` as given, `free` in order.
pub(super) fn roles(
    which: &str,
    rank: usize,
    batch: &[i64],
    contract: &[i64],
) -> Result<(Vec<usize>, Vec<usize>, Vec<usize>)> {
    let mut used = vec![false; rank];
    let mut take = |dims: &[i64]| -> Result<Vec<usize>> {
        dims.iter()
            .map(|&d| match usize::try_from(d).ok().filter(|&d| d < rank && !used[d]) {
                Some(d) => {
                    used[d] = true;
                    Ok(d)
                }
                None => Err(Diagnostic::invalid(format!(
                    "dimension {d} of {which} is out of range for rank {rank}, or given twice"
                ))),
            })
            .collect()
    };
    let batch = take(batch)?;
    let contract = take(contract)?;
    let free = (0..rank).filter(|&d| !used[d]).collect();
    Ok((batch, free, contract))
}

/// The shape of `dot_general`'s result: batch, free dimensions of lhs, free dimensions of rhs.
///
/// # Errors
/// Dimension numbers that do not fit the shapes.
pub fn dot_shape(lhs: &[usize], rhs: &[usize], dims: &DotDims) -> Result<Vec<usize>> {
    let (lb, lf, lc) = roles("lhs", lhs.len(), &dims.lhs_batch, &dims.lhs_contract)?;
    let (rb, rf, rc) = roles("rhs", rhs.len(), &dims.rhs_batch, &dims.rhs_contract)?;
    let same =
        |a: &[usize], b: &[usize]| a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| lhs[a] == rhs[b]);
    if !same(&lb, &rb) || !same(&lc, &rc) {
        return Err(Diagnostic::invalid(format!(
            "batch or contracting dimensions of {lhs:?} and {rhs:?} differ in number or size"
        )));
    }
    Ok(lb.iter().chain(&lf).map(|&d| lhs[d]).chain(rf.iter().map(|&d| rhs[d])).collect())
}

/// `stablehlo.dot_general`: sums of products over the contracting dimensions.
///
/// Any element types; the result, of type `out`, has the batch dimensions, then the free ones of
/// `lhs`, then of `rhs`. Operands are read in the layout they have. See [`super::contract`] for the
/// arithmetic. Without batch dimensions, and with one row or one column, an f32, bf16 or f16 dot is
/// a multiply and a reduce in f32 where `numerics.matvec_on_vpu` says so, whatever the precision.
///
/// # Errors
/// Dimension numbers that do not fit; unsupported types or algorithm; memory; interruption.
pub fn dot_general(
    ctx: &Ctx,
    lhs: &Tensor,
    rhs: &Tensor,
    dims: &DotDims,
    precision: &[Precision],
    algorithm: Option<&DotAlgorithm>,
    out: ElementType,
) -> Result<Tensor> {
    let shape = dot_shape(lhs.shape(), rhs.shape(), dims)?;
    if shape.contains(&0) {
        return ctx.alloc(out, &shape);
    }
    if lhs.is_empty() {
        // Contracting over nothing.
        return ctx.alloc_zeroed(out, &shape);
    }
    let (lb, lf, lc) = roles("lhs", lhs.rank(), &dims.lhs_batch, &dims.lhs_contract)?;
    let (rb, rf, rc) = roles("rhs", rhs.rank(), &dims.rhs_batch, &dims.rhs_contract)?;
    let operand = |t: &Tensor, batch: &[usize], free: &[usize], contract: &[usize]| {
        let strides = strides(t.shape());
        let of =
            |dims: &[usize]| offsets(&dims.iter().map(|&d| (t.shape()[d], strides[d])).collect::<Vec<_>>());
        (of(batch), of(free), of(contract))
    };
    let view = |t, (batch, rows, ks)| Operand::new(t, batch, rows, ks);
    let lhs = view(lhs, operand(lhs, &lb, &lf, &lc));
    let rhs = view(rhs, operand(rhs, &rb, &rf, &rc));
    let vector = lb.is_empty() && (lhs.view.rows.len() == 1 || rhs.view.rows.len() == 1);
    if vector
        && algorithm.is_none()
        && let Some(result) = matvec(ctx, &lhs, &rhs, out, &shape)
    {
        return result;
    }
    contract(ctx, &lhs, &rhs, precision, algorithm, out, &shape)
}

impl<'a> Operand<'a> {
    pub(super) fn new(t: &'a Tensor, batch: Vec<usize>, rows: Vec<usize>, ks: Vec<usize>) -> Self {
        let element = t.element();
        Operand { element, view: View { bytes: t.bytes(), size: element.byte_size(), batch, rows, ks } }
    }
}

/// `stablehlo.dot` (deprecated): contracts lhs's last with rhs's first dimension.
///
/// # Errors
/// As [`dot_general`].
pub fn dot(
    ctx: &Ctx,
    lhs: &Tensor,
    rhs: &Tensor,
    precision: &[Precision],
    out: ElementType,
) -> Result<Tensor> {
    if lhs.rank() == 0 || rhs.rank() == 0 {
        return Err(Diagnostic::invalid("the operands of dot are vectors or matrices, not scalars"));
    }
    let dims =
        DotDims { lhs_contract: vec![lhs.rank() as i64 - 1], rhs_contract: vec![0], ..DotDims::default() };
    dot_general(ctx, lhs, rhs, &dims, precision, None, out)
}
