//! `concatenate`.

use crate::strided::{self, Axis};
use sim_core::{Ctx, Diagnostic, Result, Tensor};

/// `stablehlo.concatenate`: the operands, in order, along `dim`. Any element type.
///
/// # Errors
/// `Invalid` when there is no operand, `dim` is not one of theirs, or the types or the other
/// dimensions differ.
pub fn concatenate(ctx: &Ctx, operands: &[&Tensor], dim: usize) -> Result<Tensor> {
    let Some(first) = operands.first().filter(|t| dim < t.rank()) else {
        return Err(Diagnostic::invalid(format!("nothing to concatenate along dimension {dim}")));
    };
    let mut shape: Vec<usize> = first.shape().to_vec();
    shape[dim] = 0;
    for t in operands {
        let fits = t.element() == first.element()
            && t.rank() == first.rank()
            && (0..shape.len()).all(|d| d == dim || t.shape()[d] == shape[d]);
        if !fits {
            return Err(Diagnostic::invalid(format!(
                "operands {} and {} cannot be joined along dimension {dim}: the types and the other \
                 dimensions must be equal",
                first.ty(),
                t.ty()
            )));
        }
        shape[dim] = shape[dim]
            .checked_add(t.shape()[dim])
            .ok_or_else(|| Diagnostic::resource("the concatenated dimension overflows"))?;
    }
    let mut out = ctx.alloc(first.element(), &shape)?;
    if out.is_empty() {
        return Ok(out);
    }
    let rows: usize = shape[..dim].iter().product();
    let inner: usize = shape[dim + 1..].iter().product();
    let mut at = 0;
    for t in operands {
        let run = t.shape()[dim] * inner;
        let axes = [Axis { n: rows, src: run, dst: shape[dim] * inner }, Axis { n: run, src: 1, dst: 1 }];
        strided::copy(first.element().byte_size(), out.bytes_mut(), at, t.bytes(), 0, &axes);
        at += run;
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
