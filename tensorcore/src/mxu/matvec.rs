//! Products with one row or one column, as a multiply and a reduce in f32.
//!
//! This is what XLA:TPU makes of them before v7x (`numerics.matvec_on_vpu`): the operands of an f32
//! product are not rounded to bf16. The order of the sum on the vector unit is not known; here
//! product `k` goes to lane `k mod 32`, and the lanes are added as a tree (16 apart, 8, 4, 2, 1). The
//! layout of the operands does not change the order.

use super::contract::Operand;
use super::pack::View;
use super::parts::{Component, Part, to_f32};
use super::store;
use rayon::prelude::*;
use sim_core::{Ctx, ElementType as E, Result, Tensor};

const LANES: usize = 32;
/// Rows of the matrix per task.
const ROWS: usize = 64;

/// One product of a vector and a matrix whose rows are `rows`; `None` where the numerics or the types
/// send it to the MXU.
pub(super) fn matvec(
    ctx: &Ctx,
    lhs: &Operand,
    rhs: &Operand,
    out: E,
    shape: &[usize],
) -> Option<Result<Tensor>> {
    let on_vpu = |e: E| matches!(e, E::F32 | E::BF16 | E::F16);
    if !ctx.numerics.matvec_on_vpu || !on_vpu(lhs.element) || !on_vpu(rhs.element) {
        return None;
    }
    let (vector, matrix) = if lhs.view.rows.len() == 1 { (lhs, rhs) } else { (rhs, lhs) };
    let decode_vector = to_f32(vector.element, Part::Exact, Component::Real)?;
    let decode = to_f32(matrix.element, Part::Exact, Component::Real)?;
    let store = store::from_f32(out, ctx.numerics.flush_subnormals)?;
    Some((|| {
        let mut result = ctx.alloc(out, shape)?;
        let k = vector.view.ks.len();
        let mut buffer = ctx.scratch(k * 4)?;
        let x: &mut [f32] = bytemuck::cast_slice_mut(buffer.bytes_mut());
        for (x, &o) in x.iter_mut().zip(&vector.view.ks) {
            let at = (vector.view.batch[0] + vector.view.rows[0] + o) * vector.view.size;
            decode_vector(&vector.view.bytes[at..at + vector.view.size], std::slice::from_mut(x));
        }
        let x = &*x;
        let view = &matrix.view;
        let by_columns = view.rows.len() > 1 && view.rows.windows(2).all(|w| w[1] == w[0] + 1);
        let task = |(rows, out): (&[usize], &mut [u8])| {
            let mut sums = [0.0f32; ROWS];
            if by_columns {
                columns(view, rows, x, decode, &mut sums);
            } else {
                for (sum, &row) in sums.iter_mut().zip(rows) {
                    *sum = row_sum(view, row, x, decode);
                }
            }
            store(&sums[..rows.len()], out);
        };
        let tasks = view.rows.par_chunks(ROWS).zip(result.bytes_mut().par_chunks_mut(ROWS * out.byte_size()));
        if view.rows.len() * k < 1 << 15 {
            view.rows.chunks(ROWS).zip(result.bytes_mut().chunks_mut(ROWS * out.byte_size())).for_each(task);
        } else {
            tasks.for_each(task);
        }
        Ok(result)
    })())
}

fn tree(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] += lanes[i + width];
        }
        width /= 2;
    }
    lanes[0]
}

fn row_sum(view: &View, row: usize, x: &[f32], decode: fn(&[u8], &mut [f32])) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let mut values = [0.0f32; 8 * LANES];
    let base = view.batch[0] + row;
    for (ks, x) in view.ks.chunks(8 * LANES).zip(x.chunks(8 * LANES)) {
        let n = ks.len();
        if ks[n - 1] - ks[0] == n - 1 && ks.windows(2).all(|w| w[1] == w[0] + 1) {
            let at = (base + ks[0]) * view.size;
            decode(&view.bytes[at..at + n * view.size], &mut values[..n]);
        } else {
            for (v, &k) in values.iter_mut().zip(ks) {
                let at = (base + k) * view.size;
                decode(&view.bytes[at..at + view.size], std::slice::from_mut(v));
            }
        }
        for (v, x) in values[..n].chunks(LANES).zip(x.chunks(LANES)) {
            for ((lane, v), x) in lanes.iter_mut().zip(v).zip(x) {
                *lane += v * x;
            }
        }
    }
    tree(lanes)
}

/// Rows that lie side by side: all of them advance together along `k`.
fn columns(view: &View, rows: &[usize], x: &[f32], decode: fn(&[u8], &mut [f32]), sums: &mut [f32; ROWS]) {
    let n = rows.len();
    let mut lanes = [[0.0f32; ROWS]; LANES];
    let mut values = [0.0f32; ROWS];
    for (i, (&k, &x)) in view.ks.iter().zip(x).enumerate() {
        let at = (view.batch[0] + rows[0] + k) * view.size;
        decode(&view.bytes[at..at + n * view.size], &mut values[..n]);
        for (lane, v) in lanes[i % LANES].iter_mut().zip(&values) {
            *lane += v * x;
        }
    }
    for (j, sum) in sums.iter_mut().enumerate().take(n) {
        *sum = tree(std::array::from_fn(|l| lanes[l][j]));
    }
}
