//! `broadcast_in_dim`.

use crate::strided::{self, Axis};
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// `stablehlo.broadcast_in_dim`: dimension `i` of `operand` becomes dimension `dims[i]` of the
/// result, and is repeated where its size is 1; the other dimensions repeat the whole. Any element
/// type. Also `broadcast` (dims after the new leading ones) and `dynamic_broadcast_in_dim` (the
/// shape is the operand's value). A broadcast that only adds dimensions of size 1 shares the bytes.
///
/// # Errors
/// `Invalid` when a size is neither 1 nor the result's, or `dims` is no injection into the result's
/// dimensions.
pub fn broadcast_in_dim(ctx: &Ctx, operand: &Tensor, dims: &[i64], out_shape: &[usize]) -> Result<Tensor> {
    let from = strided::strides(operand.shape());
    let mut src: SmallVec<[usize; 6]> = SmallVec::from_elem(0, out_shape.len());
    let mut used: SmallVec<[bool; 6]> = SmallVec::from_elem(false, out_shape.len());
    if dims.len() != operand.rank() {
        return Err(Diagnostic::invalid(format!(
            "broadcast_dimensions has {} entries for an operand of {} dimensions",
            dims.len(),
            operand.rank()
        )));
    }
    let mut ascending = true;
    for (i, (&d, &n)) in dims.iter().zip(operand.shape()).enumerate() {
        let d = usize::try_from(d).ok().filter(|&d| d < out_shape.len() && !used[d]).ok_or_else(|| {
            Diagnostic::invalid(format!(
                "broadcast dimension {d} is repeated or outside a result of {} dimensions",
                out_shape.len()
            ))
        })?;
        if n != 1 && n != out_shape[d] {
            return Err(Diagnostic::invalid(format!(
                "operand dimension {i} of size {n} cannot become result dimension {d} of size {}",
                out_shape[d]
            )));
        }
        used[d] = true;
        ascending &= i == 0 || dims[i - 1] < dims[i];
        if n != 1 {
            src[d] = from[i];
        }
    }
    let count = sim_core::exec::byte_len(operand.element(), out_shape)?;
    if ascending && count == operand.bytes().len() {
        return Ok(operand.clone().reshaped(out_shape));
    }
    let mut out = ctx.alloc(operand.element(), out_shape)?;
    let to = strided::strides(out_shape);
    let axes: SmallVec<[Axis; 6]> =
        (0..out_shape.len()).map(|i| Axis { n: out_shape[i], src: src[i], dst: to[i] }).collect();
    strided::copy(operand.element().byte_size(), out.bytes_mut(), 0, operand.bytes(), 0, &axes);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TYPES, assert_same, ctx, numbered, reference, shape};
    use proptest::prelude::*;
    use sim_core::ElementType as E;

    #[test]
    fn sizes_must_fit() {
        let t = numbered(E::F32, &[3]);
        assert!(broadcast_in_dim(&ctx(), &t, &[0], &[4]).is_err());
        assert!(broadcast_in_dim(&ctx(), &t, &[1], &[3]).is_err());
        assert!(broadcast_in_dim(&ctx(), &t, &[-1], &[3]).is_err());
        let m = numbered(E::F32, &[1, 1]);
        assert!(broadcast_in_dim(&ctx(), &m, &[0, 0], &[4]).is_err());
    }

    proptest! {
        #[test]
        fn repeats_what_the_specification_says(
            dims in shape(5, 4), ty in 0..TYPES.len(), seed in proptest::collection::vec((any::<bool>(), 0u8..3), 5), order in any::<u64>(),
        ) {
            // Some result dimensions come from the operand, in any order, some of those with size 1.
            let mut map: Vec<usize> = (0..dims.len()).filter(|&d| seed[d].0).collect();
            if map.len() > 1 && order % 3 == 0 {
                let r = order as usize % map.len();
                map.rotate_left(r);
            }
            let shape: Vec<usize> = map.iter().map(|&d| if seed[d].1 == 0 { 1 } else { dims[d] }).collect();
            let t = numbered(TYPES[ty], &shape);
            let map64: Vec<i64> = map.iter().map(|&d| d as i64).collect();
            let out = broadcast_in_dim(&ctx(), &t, &map64, &dims).unwrap();
            assert_same(&out, &reference(t.element(), &dims, |i| {
                Some((&t, map.iter().zip(&shape).map(|(&d, &n)| if n == 1 { 0 } else { i[d] }).collect()))
            }));
        }
    }

    #[test]
    fn large_results_are_right_too() {
        let t = numbered(E::F32, &[1000]);
        for (dim, other) in [(0, [1000, 300]), (1, [300, 1000]), (0, [1000, 3])] {
            let out = broadcast_in_dim(&ctx(), &t, &[dim], &other).unwrap();
            assert_same(&out, &reference(E::F32, &other, |i| Some((&t, vec![i[dim as usize]]))));
        }
    }
}
