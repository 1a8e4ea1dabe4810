//! Of each operation: which dimension of an operand a result's dimension comes from.

use super::{Cut, Cuts, Known, sizes};
use sim_core::Type;
use sim_core::ir::{Function, Op, Operation};

/// Of a result of type `ty`, of an operation whose results are all computed alike.
pub(super) fn result(f: &Function, op: &Operation, ty: &Type, known: &Known) -> Option<Cuts> {
    let out = sizes(ty)?;
    let mut cuts: Cuts = vec![None; out.len()];
    let operand = |i: usize| op.operands.get(i).and_then(|v| Some((known.get(v)?, sizes(f.ty(*v))?)));
    let mut put = |to: usize, from: Option<&Option<Cut>>| {
        if let (Some(slot @ None), Some(Some(cut))) = (cuts.get_mut(to), from) {
            *slot = Some(cut.clone());
        }
    };
    match &op.op {
        Op::BroadcastInDim { dims } => {
            let (from, sizes) = operand(0)?;
            for (i, &d) in dims.iter().enumerate() {
                if sizes.get(i) == out.get(d as usize) {
                    put(d as usize, from.get(i));
                }
            }
        }
        Op::Transpose { permutation } => {
            let (from, _) = operand(0)?;
            permutation.iter().enumerate().for_each(|(to, &d)| put(to, from.get(d as usize)));
        }
        Op::Reshape => {
            let (from, sizes) = operand(0)?;
            reshaped(&sizes, &out).into_iter().for_each(|(i, o)| put(o, from.get(i)));
        }
        Op::Reduce { dims } => {
            let (from, sizes) = operand(0)?;
            let kept = (0..sizes.len()).filter(|&d| !dims.contains(&(d as i64)));
            kept.enumerate().for_each(|(to, d)| put(to, from.get(d)));
        }
        Op::DotGeneral { dims, .. } => {
            let free = |rank: usize, a: &[i64], b: &[i64]| -> Vec<usize> {
                (0..rank).filter(|&d| !a.contains(&(d as i64)) && !b.contains(&(d as i64))).collect()
            };
            let rank =
                |i: usize| op.operands.get(i).and_then(|&v| f.ty(v).as_tensor()).map_or(0, |t| t.rank());
            let lhs_free = free(rank(0), &dims.lhs_batch, &dims.lhs_contract);
            let rhs_free = free(rank(1), &dims.rhs_batch, &dims.rhs_contract);
            let batch = dims.lhs_batch.len();
            if let Some((lhs, _)) = operand(0) {
                dims.lhs_batch.iter().enumerate().for_each(|(to, &d)| put(to, lhs.get(d as usize)));
                lhs_free.iter().enumerate().for_each(|(i, &d)| put(batch + i, lhs.get(d)));
            }
            if let Some((rhs, _)) = operand(1) {
                dims.rhs_batch.iter().enumerate().for_each(|(to, &d)| put(to, rhs.get(d as usize)));
                rhs_free.iter().enumerate().for_each(|(i, &d)| put(batch + lhs_free.len() + i, rhs.get(d)));
            }
        }
        Op::Convolution(c) | Op::DynamicConv(c) => {
            if let Some((lhs, _)) = operand(0) {
                put(c.dims.output_batch as usize, lhs.get(c.dims.input_batch as usize));
            }
            if let Some((rhs, _)) = operand(1) {
                put(c.dims.output_feature as usize, rhs.get(c.dims.kernel_output_feature as usize));
            }
        }
        Op::Gather { dims, slice_sizes, .. } => {
            if let Some((indices, sizes)) = operand(1) {
                let batch = (0..out.len()).filter(|&d| !dims.offset_dims.contains(&(d as i64)));
                let from = (0..sizes.len()).filter(|&d| d as i64 != dims.index_vector_dim);
                batch.zip(from).for_each(|(to, d)| put(to, indices.get(d)));
            }
            if let Some((from, sizes)) = operand(0) {
                let hidden = |d: i64| {
                    dims.collapsed_slice_dims.contains(&d) || dims.operand_batching_dims.contains(&d)
                };
                let kept = (0..sizes.len()).filter(|&d| !hidden(d as i64));
                for (d, &to) in kept.zip(&dims.offset_dims) {
                    if slice_sizes.get(d) == sizes.get(d) {
                        put(to as usize, from.get(d));
                    }
                }
            }
        }
        // Of operands of the same rank, dimensions that kept their size.
        _ => {
            for i in 0..op.operands.len() {
                let Some((from, sizes)) = operand(i).filter(|(_, s)| s.len() == out.len()) else {
                    continue;
                };
                (0..out.len()).filter(|&d| sizes[d] == out[d]).for_each(|d| put(d, from.get(d)));
            }
        }
    }
    Some(cuts)
}

/// Which dimension of the operand the major part of a result's dimension comes from: `(operand's, result's)`.
/// Dimensions of size 1 come from nowhere.
fn reshaped(from: &[i64], to: &[i64]) -> Vec<(usize, usize)> {
    let long = |sizes: &[i64]| -> Vec<(usize, i64)> {
        sizes.iter().copied().enumerate().filter(|&(_, n)| n != 1).collect()
    };
    let (from, to) = (long(from), long(to));
    let mut pairs = Vec::new();
    let (mut i, mut o) = (0, 0);
    while i < from.len() && o < to.len() {
        // A group of dimensions on each side with as many elements.
        let ((first, mut a), (second, mut b)) = (from[i], to[o]);
        (i, o) = (i + 1, o + 1);
        while a != b {
            if a < b && i < from.len() {
                a = a.saturating_mul(from[i].1);
                i += 1;
            } else if b < a && o < to.len() {
                b = b.saturating_mul(to[o].1);
                o += 1;
            } else {
                return pairs;
            }
        }
        pairs.push((first, second));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::reshaped;

    #[test]
    fn major_parts_are_paired() {
        assert_eq!(reshaped(&[8, 4], &[2, 4, 4]), [(0, 0), (1, 2)]);
        assert_eq!(reshaped(&[2, 4, 4], &[8, 4]), [(0, 0), (2, 1)]);
        assert_eq!(reshaped(&[6], &[4]), []);
        assert_eq!(reshaped(&[1, 4, 1, 2], &[4, 2, 1]), [(1, 0), (3, 1)]);
    }
}
