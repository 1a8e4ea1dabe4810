//! `dot_general` of which only some rows are wanted.

use super::contract::{Operand, contract};
use super::dot::{dot_general, dot_shape, offsets, roles, strides};
use sim_core::ir::op::{DotAlgorithm, DotDims, Precision};
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};

/// Multiply-adds of one product of the batch below which leaving out rows saves nothing.
const LEAST: usize = 1 << 20;

/// [`dot_general`] where `mask` (one truth value for each index along the batch dimensions and the free ones
/// of `lhs`) is true. The other rows are zero, or what [`dot_general`] gives: nobody may read them.
///
/// # Errors
/// A mask of another shape; as [`dot_general`].
#[expect(clippy::too_many_arguments)]
pub fn dot_general_where(
    ctx: &Ctx,
    lhs: &Tensor,
    rhs: &Tensor,
    mask: &Tensor,
    dims: &DotDims,
    precision: &[Precision],
    algorithm: Option<&DotAlgorithm>,
    out: ElementType,
) -> Result<Tensor> {
    let shape = dot_shape(lhs.shape(), rhs.shape(), dims)?;
    let (lb, lf, lc) = roles("lhs", lhs.rank(), &dims.lhs_batch, &dims.lhs_contract)?;
    let (rb, rf, rc) = roles("rhs", rhs.rank(), &dims.rhs_batch, &dims.rhs_contract)?;
    if mask.element() != ElementType::Pred || mask.shape() != &shape[..lb.len() + lf.len()] {
        return Err(Diagnostic::invalid(format!("a mask {} of the rows of {shape:?}", mask.ty())));
    }
    let along = |t: &Tensor, dims: &[usize]| {
        let strides = strides(t.shape());
        offsets(&dims.iter().map(|&d| (t.shape()[d], strides[d])).collect::<Vec<_>>())
    };
    let (rows, columns, depth) = (along(lhs, &lf), along(rhs, &rf), along(lhs, &lc));
    let (m, n) = (rows.len(), columns.len());
    let kept = mask.bytes().iter().filter(|&&b| b != 0).count();
    // A vector is multiplied in an order of its own.
    let vector = lb.is_empty() && (m == 1 || n == 1);
    if vector || m * n * depth.len() < LEAST || kept > mask.len() / 2 {
        return dot_general(ctx, lhs, rhs, dims, precision, algorithm, out);
    }
    let mut result = ctx.alloc_zeroed(out, &shape)?;
    let row = n * out.byte_size();
    let batches = along(lhs, &lb).into_iter().zip(along(rhs, &rb));
    let rhs_depth = along(rhs, &rc);
    let parts = mask.bytes().chunks_exact(m).zip(result.bytes_mut().chunks_exact_mut(m * row));
    for ((left, right), (mask, result)) in batches.zip(parts) {
        let kept: Vec<usize> = (0..m).filter(|&i| mask[i] != 0).collect();
        if kept.is_empty() {
            continue;
        }
        let some = kept.iter().map(|&i| rows[i]).collect();
        let left = Operand::new(lhs, vec![left], some, depth.clone());
        let right = Operand::new(rhs, vec![right], columns.clone(), rhs_depth.clone());
        let part = contract(ctx, &left, &right, precision, algorithm, out, &[1, kept.len(), n])?;
        for (&i, part) in kept.iter().zip(part.bytes().chunks_exact(row)) {
            result[i * row..(i + 1) * row].copy_from_slice(part);
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::Numerics;

    /// Every third row of two products, none of a third: those rows have the bits of the whole product.
    #[test]
    fn kept_rows_are_those_of_the_whole_product() {
        let noise = |n: usize, seed: usize| -> Vec<f32> {
            (0..n).map(|i| ((i * 7919 + seed) % 1009) as f32 / 504.0 - 1.0).collect()
        };
        let (b, m, k, n) = (3usize, 130usize, 300usize, 70usize);
        let lhs = Tensor::from_slice(&[m, b, k], &noise(b * m * k, 1));
        let rhs = Tensor::from_slice(&[b, n, k], &noise(b * n * k, 5));
        let dims =
            DotDims { lhs_batch: vec![1], rhs_batch: vec![0], lhs_contract: vec![2], rhs_contract: vec![2] };
        let kept = |i: usize| i < 2 * m && i.is_multiple_of(3);
        let mask: Vec<u8> = (0..b * m).map(|i| kept(i).into()).collect();
        let mask = Tensor::from_slice_as(ElementType::Pred, &[b, m], &mask);
        for numerics in [Numerics::tpu(), Numerics::ieee()] {
            let ctx = Ctx::new(numerics, 1 << 30);
            let whole = dot_general(&ctx, &lhs, &rhs, &dims, &[], None, ElementType::F32).unwrap();
            let some =
                dot_general_where(&ctx, &lhs, &rhs, &mask, &dims, &[], None, ElementType::F32).unwrap();
            let rows = whole.as_slice::<f32>().chunks(n).zip(some.as_slice::<f32>().chunks(n));
            for (i, (whole, some)) in rows.enumerate() {
                if kept(i) {
                    assert_eq!(whole, some, "row {i}");
                } else {
                    assert!(some.iter().all(|&x| x == 0.0), "row {i} was computed");
                }
            }
        }
    }
}
