//! Complex products as the StableHLO specification computes them: complex multiplications and
//! additions in the result's type, one after the other along `k`. (Sums of real and imaginary
//! products with fused multiply-adds would be closer to the true value, and so differ from
//! everybody's where real and imaginary products cancel.)

use super::contract::Operand;
use crate::vpu;
use num_complex::Complex;
use num_traits::Float;
use rayon::prelude::*;
use sim_core::dtype::Native;
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};

/// `out[b, m, n] = Σ_k lhs[b, m, k] * rhs[b, n, k]`.
///
/// # Errors
/// No conversion of an operand's elements to `out`; memory; interruption.
pub(super) fn contract(
    ctx: &Ctx,
    lhs: &Operand,
    rhs: &Operand,
    out: ElementType,
    shape: &[usize],
) -> Result<Tensor> {
    let (a, b) = (converted(ctx, lhs, out)?, converted(ctx, rhs, out)?);
    let mut result = ctx.alloc(out, shape)?;
    match out {
        ElementType::C64 => rows::<f32>(ctx, lhs, rhs, &a, &b, &mut result)?,
        _ => rows::<f64>(ctx, lhs, rhs, &a, &b, &mut result)?,
    }
    Ok(result)
}

/// The operand's bytes as elements of type `to`.
fn converted(ctx: &Ctx, operand: &Operand, to: ElementType) -> Result<Tensor> {
    let count = operand.view.bytes.len() / operand.view.size;
    let mut t = ctx.alloc(to, &[count])?;
    if operand.element == to {
        t.bytes_mut().copy_from_slice(operand.view.bytes);
        return Ok(t);
    }
    let kernel = vpu::convert(operand.element, to, &ctx.numerics).ok_or_else(|| {
        Diagnostic::unsupported(format!("no product of {} elements with a result of {to}", operand.element))
    })?;
    kernel(operand.view.bytes, t.bytes_mut());
    Ok(t)
}

fn rows<T: Float + Send + Sync>(
    ctx: &Ctx,
    lhs: &Operand,
    rhs: &Operand,
    a: &Tensor,
    b: &Tensor,
    result: &mut Tensor,
) -> Result<()>
where
    Complex<T>: Native,
{
    let (m, n) = (lhs.view.rows.len(), rhs.view.rows.len());
    let (a, b) = (a.as_slice::<Complex<T>>(), b.as_slice::<Complex<T>>());
    let zero = Complex::new(T::zero(), T::zero());
    result.as_mut_slice::<Complex<T>>().par_chunks_mut(n).enumerate().try_for_each(|(row, acc)| {
        ctx.check_stop()?;
        let (batch, row) = (row / m, row % m);
        let (base_a, base_b) = (lhs.view.batch[batch] + lhs.view.rows[row], rhs.view.batch[batch]);
        acc.fill(zero);
        for (&ka, &kb) in lhs.view.ks.iter().zip(&rhs.view.ks) {
            let x = a[base_a + ka];
            for (sum, &col) in acc.iter_mut().zip(&rhs.view.rows) {
                *sum = *sum + x * b[base_b + kb + col];
            }
        }
        Ok(())
    })
}
