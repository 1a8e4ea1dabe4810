//! `top_k`.

use super::key::{Coder, Order, Part, SortKey};
use rayon::prelude::*;
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};

/// Elements that one task looks at, about.
const TASK: usize = 16 << 10;

/// `chlo.top_k`: the `k` largest (or smallest) values of the last dimension in order, and their
/// positions as `i32`. Equal values come in the order of their positions; floats compare by total
/// order, as XLA's `TopK` does, so NaN is the largest. Integers and floats, `i1` included.
///
/// # Errors
/// `Invalid` when `k` is negative or exceeds the dimension, `Unsupported` for complex types.
pub fn top_k(ctx: &Ctx, operand: &Tensor, k: i64, largest: bool) -> Result<(Tensor, Tensor)> {
    let Some((&n, outer)) = operand.shape().split_last() else {
        return Err(Diagnostic::invalid("top_k of a scalar"));
    };
    let k = usize::try_from(k).ok().filter(|&k| k <= n && n <= i32::MAX as usize).ok_or_else(|| {
        Diagnostic::invalid(format!("k = {k} of a dimension of size {n}: it needs 0 <= k <= size < 2^31"))
    })?;
    let ty = operand.element();
    let order = match ty.is_float() {
        true => Order::Total { zeros_equal: false, nans_equal: false },
        false => Order::Integer,
    };
    let key = SortKey { operand: 0, part: Part::Whole, order, descending: largest };
    let coder = Coder::new(ty, &key)
        .ok_or_else(|| Diagnostic::unsupported(format!("top_k of {ty}: it has no order")))?;
    let mut shape = outer.to_vec();
    shape.push(k);
    let (mut values, mut positions) = (ctx.alloc(ty, &shape)?, ctx.alloc(ElementType::S32, &shape)?);
    if values.is_empty() {
        return Ok((values, positions));
    }
    let width = ty.byte_size();
    let rows = (TASK / n).max(1);
    values
        .bytes_mut()
        .par_chunks_mut(rows * k * width)
        .zip(positions.as_mut_slice::<i32>().par_chunks_mut(rows * k))
        .zip(operand.bytes().par_chunks(rows * n * width))
        .try_for_each(|((values, positions), rows)| {
            ctx.check_stop()?;
            let each = values.chunks_mut(k * width).zip(positions.chunks_mut(k)).zip(rows.chunks(n * width));
            if coder.bits <= 32 {
                let mut codes = ctx.scratch(n * 8)?;
                let codes: &mut [u64] = bytemuck::cast_slice_mut(codes.bytes_mut());
                for ((values, positions), row) in each {
                    fill(&coder, row, codes, |code, i| code << 32 | i);
                    first(codes, k);
                    positions.iter_mut().zip(codes.iter()).for_each(|(p, &c)| *p = c as i32);
                    pick(values, positions, row, width);
                }
            } else {
                let mut codes = ctx.scratch(n * 16)?;
                let codes: &mut [u128] = bytemuck::cast_slice_mut(codes.bytes_mut());
                for ((values, positions), row) in each {
                    fill(&coder, row, codes, |code, i| u128::from(code) << 32 | u128::from(i));
                    first(codes, k);
                    positions.iter_mut().zip(codes.iter()).for_each(|(p, &c)| *p = c as i32);
                    pick(values, positions, row, width);
                }
            }
            Ok(())
        })?;
    Ok((values, positions))
}

/// Codes with the position below them.
fn fill<C>(coder: &Coder, row: &[u8], codes: &mut [C], join: impl Fn(u64, u64) -> C) {
    let mut slots = codes.iter_mut().zip(0..);
    coder.each(row, |code| {
        if let Some((slot, i)) = slots.next() {
            *slot = join(code, i);
        }
    });
}

/// Puts the `k` smallest codes first, in order.
fn first<C: Ord>(codes: &mut [C], k: usize) {
    if k < codes.len() {
        codes.select_nth_unstable(k);
    }
    codes[..k].sort_unstable();
}

fn pick(values: &mut [u8], positions: &[i32], row: &[u8], width: usize) {
    for (value, &p) in values.chunks_exact_mut(width).zip(positions) {
        value.copy_from_slice(&row[p as usize * width..][..width]);
    }
}
