//! Batch normalization, by the specification's own composition of smaller operations.

use super::elementwise::{binary, convert, splat, unary};
use super::{Site, Tensors};
use crate::runtime::{Process, Value};
use sim_core::ir::{Binary, Op, Unary};
use sim_core::{Diagnostic, Result, Tensor};
use tensorcore::vpu::reduce;
use tensorcore::vpu::tile::TileBuilder;

/// Broadcasts and reductions between a tensor and one of its dimensions.
struct Feature<'p, 'a> {
    process: &'p Process<'a>,
    dim: usize,
    shape: Vec<usize>,
    epsilon: f32,
}

impl Feature<'_, '_> {
    fn op(&self, op: Binary, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        binary(&self.process.ctx, op, a, b)
    }

    /// A vector over the features, in the whole shape.
    fn spread(&self, v: &Tensor) -> Result<Tensor> {
        hbm::broadcast_in_dim(&self.process.ctx, v, &[self.dim as i64], &self.shape)
    }

    fn scalar(&self, x: f64, like: &Tensor) -> Result<Tensor> {
        let x = convert(&self.process.ctx, Tensor::scalar(x), like.element())?;
        splat(&self.process.ctx, &x, like.shape())
    }

    /// Sum over all dimensions but the feature's.
    fn sum(&self, x: &Tensor) -> Result<Tensor> {
        let ctx = &self.process.ctx;
        let zero = convert(ctx, Tensor::scalar(0f64), x.element())?;
        let dims: Vec<usize> = (0..x.rank()).filter(|&d| d != self.dim).collect();
        let mut b = TileBuilder::new(&ctx.numerics);
        let (acc, update) = (b.input(x.element()), b.input(x.element()));
        let sum = b.binary(Binary::Add, acc, update)?;
        b.output(sum);
        let mut out = reduce::reduce(ctx, &[x], &[&zero], &dims, &b.finish())?;
        out.pop().ok_or_else(|| Diagnostic::invalid("a sum without a result"))
    }

    fn mean(&self, x: &Tensor) -> Result<Tensor> {
        let sum = self.sum(x)?;
        let count = self.shape.iter().enumerate().filter(|(d, _)| *d != self.dim).map(|(_, &n)| n as f64);
        let n = self.scalar(count.product(), &sum)?;
        self.op(Binary::Divide, &sum, &n)
    }

    /// Mean and (biased) variance.
    fn moments(&self, x: &Tensor) -> Result<(Tensor, Tensor)> {
        let mean = self.mean(x)?;
        let centered = self.op(Binary::Subtract, x, &self.spread(&mean)?)?;
        let squares = self.op(Binary::Multiply, &centered, &centered)?;
        Ok((mean, self.mean(&squares)?))
    }

    /// `sqrt(variance + epsilon)`
    fn deviation(&self, variance: &Tensor) -> Result<Tensor> {
        let sum = self.op(Binary::Add, variance, &self.scalar(self.epsilon.into(), variance)?)?;
        unary(&self.process.ctx, Unary::Sqrt, &sum, variance.element())
    }

    /// `scale * (x - mean) / sqrt(variance + epsilon) + offset`
    fn normalize(
        &self,
        x: &Tensor,
        scale: &Tensor,
        offset: &Tensor,
        mean: &Tensor,
        var: &Tensor,
    ) -> Result<Tensor> {
        let centered = self.op(Binary::Subtract, x, &self.spread(mean)?)?;
        let normal = self.op(Binary::Divide, &centered, &self.spread(&self.deviation(var)?)?)?;
        let scaled = self.op(Binary::Multiply, &self.spread(scale)?, &normal)?;
        self.op(Binary::Add, &scaled, &self.spread(offset)?)
    }
}

impl Process<'_> {
    pub(super) fn batch_norm(&self, site: &Site<'_>, mut operands: Tensors) -> Result<Vec<Value>> {
        let x = operands.next()?;
        let feature = |epsilon: f32, dim: i64| Feature {
            process: self,
            dim: dim as usize,
            shape: x.shape().to_vec(),
            epsilon,
        };
        let out = match &site.op.op {
            Op::BatchNormInference { epsilon, feature_index } => {
                let (scale, offset, mean, var) =
                    (operands.next()?, operands.next()?, operands.next()?, operands.next()?);
                vec![feature(*epsilon, *feature_index).normalize(&x, &scale, &offset, &mean, &var)?]
            }
            Op::BatchNormTraining { epsilon, feature_index } => {
                let (scale, offset) = (operands.next()?, operands.next()?);
                let f = feature(*epsilon, *feature_index);
                let (mean, var) = f.moments(&x)?;
                vec![f.normalize(&x, &scale, &offset, &mean, &var)?, mean, var]
            }
            Op::BatchNormGrad { epsilon, feature_index } => {
                let (scale, mean, var, grad) =
                    (operands.next()?, operands.next()?, operands.next()?, operands.next()?);
                let f = feature(*epsilon, *feature_index);
                // The specification's steps, by its names.
                let deviation = f.spread(&f.deviation(&var)?)?;
                let centered = f.op(Binary::Subtract, &x, &f.spread(&mean)?)?;
                let per_element: usize = x.len() / x.shape().get(f.dim).copied().unwrap_or(1).max(1);
                let count = f.scalar(per_element as f64, &x)?;
                let grad_offset = f.sum(&grad)?;
                let i1 = f.op(Binary::Multiply, &grad, &count)?;
                let i2 = f.spread(&grad_offset)?;
                let i3 = f.spread(&f.sum(&f.op(Binary::Multiply, &grad, &centered)?)?)?;
                let i4 = f.op(Binary::Multiply, &i3, &centered)?;
                let var_eps = f.op(Binary::Add, &f.spread(&var)?, &f.scalar((*epsilon).into(), &x)?)?;
                let i5 = f.op(Binary::Divide, &i4, &var_eps)?;
                let i6 = f.op(Binary::Subtract, &f.op(Binary::Subtract, &i1, &i2)?, &i5)?;
                let factor =
                    f.op(Binary::Divide, &f.op(Binary::Divide, &f.spread(&scale)?, &deviation)?, &count)?;
                let grad_operand = f.op(Binary::Multiply, &factor, &i6)?;
                let grad_scale =
                    f.sum(&f.op(Binary::Multiply, &grad, &f.op(Binary::Divide, &centered, &deviation)?)?)?;
                vec![grad_operand, grad_scale, grad_offset]
            }
            other => return Err(Diagnostic::unsupported(format!("{} as a normalization", other.name()))),
        };
        Ok(out.into_iter().map(Value::Tensor).collect())
    }
}
