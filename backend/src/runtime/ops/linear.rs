//! Contractions, convolutions, factorizations, Fourier transforms.

use super::elementwise::convert;
use super::{Site, Tensors};
use crate::runtime::Process;
use sim_core::ir::Op;
use sim_core::ir::op::DotDims;
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};
use tensorcore::{linalg, mxu};

/// An operand of a product that is summed in `out`: where its numbers are simpler, integers in a product of floats say, it
/// is converted first.
pub(super) fn factor(ctx: &Ctx, t: Tensor, out: ElementType) -> Result<Tensor> {
    if t.element().class().numbers() < out.class().numbers() { convert(ctx, t, out) } else { Ok(t) }
}

impl Process<'_> {
    pub(super) fn linear(&self, site: &Site<'_>, mut operands: Tensors) -> Result<Tensor> {
        let ctx = &self.ctx;
        let out = site.computed_element(0)?;
        let x = operands.next()?;
        let factor = |t: Tensor| factor(ctx, t, out);
        match &site.op.op {
            Op::DotGeneral { dims, precision, algorithm } => {
                let (x, y) = (factor(x)?, factor(operands.next()?)?);
                let algorithm = algorithm.as_ref();
                // The planner gave it a mask.
                match operands.rest()?.first() {
                    Some(mask) => mxu::dot_general_where(ctx, &x, &y, mask, dims, precision, algorithm, out),
                    None => mxu::dot_general(ctx, &x, &y, dims, precision, algorithm, out),
                }
            }
            Op::Dot { precision } => {
                let dims = DotDims {
                    lhs_contract: vec![x.rank() as i64 - 1],
                    rhs_contract: vec![0],
                    ..DotDims::default()
                };
                mxu::dot_general(ctx, &factor(x)?, &factor(operands.next()?)?, &dims, precision, None, out)
            }
            Op::Einsum { config } => mxu::einsum(ctx, &factor(x)?, &factor(operands.next()?)?, config, out),
            Op::UnaryEinsum { config } => mxu::unary_einsum(ctx, &x, config),
            Op::Convolution(attrs) => {
                mxu::convolution(ctx, factor(x)?, &factor(operands.next()?)?, attrs, out)
            }
            Op::RaggedDot { dims, precision } => {
                let (rhs, sizes) = (factor(operands.next()?)?, operands.next()?);
                mxu::ragged_dot(ctx, &factor(x)?, &rhs, &sizes, dims, precision, out)
            }
            Op::Cholesky { lower } => linalg::cholesky(ctx, &x, *lower),
            Op::TriangularSolve { left_side, lower, unit_diagonal, transpose } => linalg::triangular_solve(
                ctx,
                &x,
                &operands.next()?,
                *left_side,
                *lower,
                *unit_diagonal,
                *transpose,
            ),
            Op::Fft { ty, length } => linalg::fft(ctx, x, *ty, length),
            other => Err(Diagnostic::unsupported(format!("{} as a contraction", other.name()))),
        }
    }
}
