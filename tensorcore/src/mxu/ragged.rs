//! `chlo.ragged_dot`: a dot whose rows, contracting positions or batches come in groups of unequal
//! size, as in a mixture of experts.
//!
//! Which dimension of lhs is ragged decides the mode:
//!
//! | ragged dimension | rhs | result |
//! |---|---|---|
//! | free: rows `[b, m, k]` | a matrix per group `[g, b, k, n]` | `[b, m, n]`: each row with its group's matrix; rows beyond all groups are zero |
//! | contracting | `[b, k, n]` | `[g, b, m, n]`: the product over each group's part of `k` |
//! | batch | `[b, k, n]` | `[b, m, n]`: a plain batched dot |
//!
//! `group_sizes` is `[g]`, or has the sizes for each batch (and each index of the free or contracting
//! dimensions before the ragged one) in front.

use super::contract::{Operand, contract};
use super::dot::{dot_general, offsets, roles, strides};
use sim_core::ir::op::{Precision, RaggedDotDims};
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};

fn invalid(what: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::invalid(format!("ragged_dot: {what}"))
}

/// The group of each index over `sizes` (row-major), whose dimension `ragged` is cut into groups of
/// the sizes in `table`: rows of `groups` sizes, one per index of the dimensions before `ragged`, or one
/// row for all. `None` beyond the last group.
fn group_of(sizes: &[usize], ragged: usize, table: &[i64], groups: usize) -> Vec<Option<usize>> {
    let inner: usize = sizes[ragged + 1..].iter().product();
    let n = sizes[ragged];
    let outer: usize = sizes[..ragged].iter().product();
    let mut list = Vec::with_capacity(outer * n * inner);
    for o in 0..outer {
        let row = if table.len() == groups { table } else { &table[o * groups..(o + 1) * groups] };
        let mut position = 0usize;
        for (g, &size) in row.iter().enumerate() {
            let end = position.saturating_add(usize::try_from(size).unwrap_or(0)).min(n);
            list.extend(std::iter::repeat_n(Some(g), (end - position) * inner));
            position = end;
        }
        list.extend(std::iter::repeat_n(None, (n - position) * inner));
    }
    list
}

/// `chlo.ragged_dot`; see the module's text for the modes, and [`dot_general`] for the arithmetic.
///
/// # Errors
/// Dimension numbers or `group_sizes` that do not fit; unsupported types; memory; interruption.
pub fn ragged_dot(
    ctx: &Ctx,
    lhs: &Tensor,
    rhs: &Tensor,
    group_sizes: &Tensor,
    dims: &RaggedDotDims,
    precision: &[Precision],
    out: ElementType,
) -> Result<Tensor> {
    let d = &dims.dot;
    let &[ragged] = dims.lhs_ragged.as_slice() else {
        return Err(invalid("exactly one dimension of lhs must be ragged"));
    };
    if d.lhs_batch.contains(&ragged) {
        return dot_general(ctx, lhs, rhs, d, precision, None, out);
    }
    if !(group_sizes.element().is_integer() && group_sizes.rank() > 0) {
        return Err(invalid("group_sizes must be a list of integers"));
    }
    let groups = group_sizes.shape()[group_sizes.rank() - 1];
    let by_rows = !d.lhs_contract.contains(&ragged);
    // The group dimension of rhs is set aside as a batch dimension.
    let group_dims: &[i64] = if by_rows { &dims.rhs_group } else { &[] };
    let (lb, lf, lc) = roles("lhs", lhs.rank(), &d.lhs_batch, &d.lhs_contract)?;
    let (rb, rf, rc) = roles("rhs", rhs.rank(), &[group_dims, &d.rhs_batch].concat(), &d.rhs_contract)?;
    let (rg, rb) = rb.split_at(group_dims.len());
    let (ls, rs) = (lhs.shape(), rhs.shape());
    let same =
        |a: &[usize], b: &[usize]| a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| ls[a] == rs[b]);
    if !same(&lb, rb) || !same(&lc, &rc) || (by_rows && (rg.len() != 1 || rs[rg[0]] != groups)) {
        return Err(invalid(format!("lhs {ls:?}, rhs {rs:?} and {groups} groups do not fit")));
    }
    let (list, sizes): (&[usize], Vec<usize>) = {
        let list = if by_rows { &lf } else { &lc };
        (list, list.iter().map(|&i| ls[i]).collect())
    };
    let place =
        list.iter().position(|&i| i as i64 == ragged).ok_or_else(|| invalid("no ragged dimension"))?;
    let batches: usize = lb.iter().map(|&i| ls[i]).product();
    let before: usize = sizes[..place].iter().product();
    let table = group_sizes.to_i64s();
    // One table for all batches, or one for each.
    let shared = table.len() == groups;
    if !shared && table.len() != batches * before * groups {
        return Err(invalid(format!("group_sizes of shape {:?} do not fit", group_sizes.shape())));
    }

    let shape: Vec<usize> = (!by_rows)
        .then_some(groups)
        .into_iter()
        .chain(lb.iter().chain(&lf).map(|&i| ls[i]))
        .chain(rf.iter().map(|&i| rs[i]))
        .collect();
    let mut result = ctx.alloc_zeroed(out, &shape)?;
    if result.is_empty() || lhs.is_empty() || rhs.is_empty() {
        return Ok(result);
    }
    let along = |shape: &[usize], dims: &[usize]| {
        let strides = strides(shape);
        offsets(&dims.iter().map(|&i| (shape[i], strides[i])).collect::<Vec<_>>())
    };
    let (lhs_batch, rhs_batch) = (along(ls, &lb), along(rs, rb));
    let (lhs_rows, rhs_rows) = (along(ls, &lf), along(rs, &rf));
    let (lhs_ks, rhs_ks) = (along(ls, &lc), along(rs, &rc));
    let group_stride = rg.first().map_or(0, |&i| strides(rs)[i]);
    let size = out.byte_size();
    let (m, n) = (lhs_rows.len(), rhs_rows.len());
    let per_table = if shared { batches } else { 1 };
    for b0 in (0..batches).step_by(per_table) {
        let some = b0..b0 + per_table;
        let table =
            if shared { &table[..] } else { &table[b0 * before * groups..(b0 + 1) * before * groups] };
        let group_of = group_of(&sizes, place, table, groups);
        for g in 0..groups {
            let members: Vec<usize> = (0..group_of.len()).filter(|&i| group_of[i] == Some(g)).collect();
            if members.is_empty() {
                continue;
            }
            let pick = |list: &[usize], picked: bool| -> Vec<usize> {
                if picked { members.iter().map(|&i| list[i]).collect() } else { list.to_vec() }
            };
            let left = Operand::new(
                lhs,
                lhs_batch[some.clone()].to_vec(),
                pick(&lhs_rows, by_rows),
                pick(&lhs_ks, !by_rows),
            );
            let right = Operand::new(
                rhs,
                rhs_batch[some.clone()].iter().map(|&o| o + g * group_stride).collect(),
                rhs_rows.clone(),
                pick(&rhs_ks, !by_rows),
            );
            let rows = left.view.rows.len();
            let part = contract(ctx, &left, &right, precision, None, out, &[per_table, rows, n])?;
            let parts = part.bytes().chunks_exact(n * size);
            let bytes = result.bytes_mut();
            for (i, row) in parts.enumerate() {
                let b = b0 + i / rows;
                let r = i % rows;
                let at = if by_rows { b * m + members[r] } else { (g * batches + b) * m + r };
                bytes[at * n * size..(at + 1) * n * size].copy_from_slice(row);
            }
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::Numerics;
    use sim_core::ir::op::DotDims;

    fn range(shape: &[usize]) -> Tensor {
        let n: usize = shape.iter().product();
        Tensor::from_slice(shape, &(0..n as i32).collect::<Vec<_>>())
    }

    fn dims(lhs: [&[i64]; 2], rhs: [&[i64]; 2], ragged: i64, group: &[i64]) -> RaggedDotDims {
        RaggedDotDims {
            dot: DotDims {
                lhs_batch: lhs[0].into(),
                rhs_batch: rhs[0].into(),
                lhs_contract: lhs[1].into(),
                rhs_contract: rhs[1].into(),
            },
            lhs_ragged: vec![ragged],
            rhs_group: group.into(),
        }
    }

    fn run(a: &Tensor, b: &Tensor, sizes: &Tensor, d: &RaggedDotDims) -> Tensor {
        ragged_dot(&Ctx::new(Numerics::tpu(), 1 << 30), a, b, sizes, d, &[], ElementType::S32).unwrap()
    }

    #[test]
    fn ragged_rows() {
        let (a, b) = (range(&[5, 2]), range(&[2, 2, 3]));
        let d = dims([&[], &[1]], [&[], &[1]], 0, &[0]);
        let got = run(&a, &b, &Tensor::from_slice(&[2], &[3i32, 1]), &d);
        let (x, y) = (a.as_slice::<i32>(), b.as_slice::<i32>());
        for r in 0..5 {
            for n in 0..3 {
                let g = if r < 3 { 0 } else { 1 };
                let sum: i32 = (0..2).map(|k| x[r * 2 + k] * y[(g * 2 + k) * 3 + n]).sum();
                assert_eq!(got.as_slice::<i32>()[r * 3 + n], if r < 4 { sum } else { 0 });
            }
        }
    }

    #[test]
    fn ragged_rows_with_sizes_for_each_batch() {
        let (a, b) = (range(&[2, 4, 2]), range(&[2, 2, 2, 3]));
        let d = dims([&[0], &[2]], [&[1], &[2]], 1, &[0]);
        let got = run(&a, &b, &Tensor::from_slice(&[2, 2], &[1i64, 3, 4, 0]), &d);
        let (x, y) = (a.as_slice::<i32>(), b.as_slice::<i32>());
        for batch in 0..2 {
            for r in 0..4 {
                for n in 0..3 {
                    let g = if batch == 0 && r >= 1 { 1 } else { 0 };
                    let sum: i32 = (0..2)
                        .map(|k| x[(batch * 4 + r) * 2 + k] * y[((g * 2 + batch) * 2 + k) * 3 + n])
                        .sum();
                    assert_eq!(got.as_slice::<i32>()[(batch * 4 + r) * 3 + n], sum);
                }
            }
        }
    }

    #[test]
    fn ragged_contraction() {
        let (a, b) = (range(&[2, 5]), range(&[5, 3]));
        let d = dims([&[], &[1]], [&[], &[0]], 1, &[]);
        let got = run(&a, &b, &Tensor::from_slice(&[3], &[2i64, 0, 3]), &d);
        assert_eq!(got.shape(), [3, 2, 3]);
        let (x, y) = (a.as_slice::<i32>(), b.as_slice::<i32>());
        for (g, ks) in [(0, 0..2), (1, 2..2), (2, 2..5)] {
            for m in 0..2 {
                for n in 0..3 {
                    let sum: i32 = ks.clone().map(|k| x[m * 5 + k] * y[k * 3 + n]).sum();
                    assert_eq!(got.as_slice::<i32>()[(g * 2 + m) * 3 + n], sum);
                }
            }
        }
    }

    #[test]
    fn ragged_batch_is_a_plain_dot() {
        let (a, b) = (range(&[3, 2, 2]), range(&[3, 2, 2]));
        let d = dims([&[0], &[2]], [&[0], &[1]], 0, &[]);
        let got = run(&a, &b, &Tensor::from_slice(&[2], &[2i64, 1]), &d);
        assert_eq!(got.shape(), [3, 2, 2]);
        assert_eq!(got.as_slice::<i32>()[..4], [2, 3, 6, 11]);
    }
}
