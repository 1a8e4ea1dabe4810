//! `concatenate`.

use crate::slice::slice_sizes;
use crate::strided::{self, Axis};
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// `stablehlo.concatenate`: the operands, in order, along `dim`. Any element type.
///
/// # Errors
/// `Invalid` when there is no operand, `dim` is not one of theirs, or the types or the other
/// dimensions differ.
pub fn concatenate(ctx: &Ctx, operands: &[&Tensor], dim: usize) -> Result<Tensor> {
    let pieces: Vec<Piece<'_>> = operands.iter().map(|t| Piece::whole(t)).collect();
    concatenate_pieces(ctx, &pieces, dim)
}

/// A tensor, or a `slice` of one that is not made.
pub struct Piece<'a> {
    tensor: &'a Tensor,
    /// Its first element in the tensor, sizes, and steps in elements of the tensor.
    at: usize,
    sizes: SmallVec<[usize; 6]>,
    steps: SmallVec<[usize; 6]>,
}

impl<'a> Piece<'a> {
    pub fn whole(tensor: &'a Tensor) -> Piece<'a> {
        let steps = strided::strides(tensor.shape());
        Piece { tensor, at: 0, sizes: tensor.shape().into(), steps }
    }

    /// What `stablehlo.slice` of these attributes gives.
    ///
    /// # Errors
    /// As [`slice`](crate::slice()).
    pub fn slice(tensor: &'a Tensor, start: &[i64], limit: &[i64], strides: &[i64]) -> Result<Piece<'a>> {
        let sizes = slice_sizes(tensor.shape(), start, limit, strides)?;
        let from = strided::strides(tensor.shape());
        let at = start.iter().zip(&from).map(|(&s, &k)| s as usize * k).sum();
        let steps = strides.iter().zip(&from).map(|(&s, &k)| (s as usize).saturating_mul(k)).collect();
        Ok(Piece { tensor, at, sizes, steps })
    }
}

/// As [`concatenate`], of slices that need not be made first.
///
/// # Errors
/// As [`concatenate`].
pub fn concatenate_pieces(ctx: &Ctx, pieces: &[Piece<'_>], dim: usize) -> Result<Tensor> {
    let Some(first) = pieces.first().filter(|p| dim < p.sizes.len()) else {
        return Err(Diagnostic::invalid(format!("nothing to concatenate along dimension {dim}")));
    };
    let element = first.tensor.element();
    let mut shape: Vec<usize> = first.sizes.to_vec();
    shape[dim] = 0;
    for p in pieces {
        let fits = p.tensor.element() == element
            && p.sizes.len() == shape.len()
            && (0..shape.len()).all(|d| d == dim || p.sizes[d] == shape[d]);
        if !fits {
            return Err(Diagnostic::invalid(format!(
                "{:?} of {element} and {:?} of {} cannot be joined along dimension {dim}: the types and \
                 the other dimensions must be equal",
                first.sizes,
                p.sizes,
                p.tensor.element()
            )));
        }
        shape[dim] = shape[dim]
            .checked_add(p.sizes[dim])
            .ok_or_else(|| Diagnostic::resource("the concatenated dimension overflows"))?;
    }
    let mut out = ctx.alloc(element, &shape)?;
    if out.is_empty() {
        return Ok(out);
    }
    let to = strided::strides(&shape);
    let mut at = 0;
    for p in pieces {
        let axes: SmallVec<[Axis; 6]> =
            (0..shape.len()).map(|d| Axis { n: p.sizes[d], src: p.steps[d], dst: to[d] }).collect();
        strided::copy(element.byte_size(), out.bytes_mut(), at, p.tensor.bytes(), p.at, &axes);
        at += p.sizes[dim] * to[dim];
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TYPES, assert_same, ctx, numbered, reference, shape};
    use proptest::prelude::*;
    use sim_core::ElementType as E;

    #[test]
    fn operands_must_fit() {
        let (a, b) = (numbered(E::F32, &[2, 3]), numbered(E::F32, &[2, 4]));
        assert!(concatenate(&ctx(), &[&a, &b], 0).is_err());
        assert!(concatenate(&ctx(), &[&a, &b], 2).is_err());
        assert!(concatenate(&ctx(), &[], 0).is_err());
        assert_eq!(concatenate(&ctx(), &[&a, &b], 1).unwrap().shape(), [2, 7]);
    }

    proptest! {
        #[test]
        fn every_element_comes_from_its_operand(
            dims in shape(4, 5), ty in 0..TYPES.len(), dim in 0usize..4, sizes in proptest::collection::vec(0usize..5, 1..5),
        ) {
            prop_assume!(dim < dims.len());
            let parts: Vec<Tensor> = sizes.iter().enumerate().map(|(i, &n)| {
                let mut s = dims.clone();
                s[dim] = n;
                let mut t = numbered(TYPES[ty], &s);
                t.bytes_mut().iter_mut().for_each(|b| *b = b.wrapping_add(17 * i as u8));
                t
            }).collect();
            let out = concatenate(&ctx(), &parts.iter().collect::<Vec<_>>(), dim).unwrap();
            // Joined out of slices of the whole, it is the whole again.
            let (zeros, steps) = (vec![0i64; dims.len()], vec![1i64; dims.len()]);
            let mut from = 0;
            let pieces: Vec<Piece> = sizes.iter().map(|&n| {
                let (mut start, mut limit) = (zeros.clone(), out.shape().iter().map(|&n| n as i64).collect::<Vec<_>>());
                (start[dim], limit[dim]) = (from, from + n as i64);
                from += n as i64;
                Piece::slice(&out, &start, &limit, &steps).unwrap()
            }).collect();
            assert_same(&concatenate_pieces(&ctx(), &pieces, dim).unwrap(), &out);
            prop_assert_eq!(out.shape()[dim], sizes.iter().sum::<usize>());
            assert_same(&out, &reference(TYPES[ty], out.shape(), |i| {
                let mut i = i.to_vec();
                let mut p = 0;
                while i[dim] >= sizes[p] {
                    i[dim] -= sizes[p];
                    p += 1;
                }
                Some((&parts[p], i))
            }));
        }
    }
}
