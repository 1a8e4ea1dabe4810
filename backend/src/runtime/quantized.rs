//! Quantized operations: `uniform_quantize`, `uniform_dequantize`, and every arithmetic operation on
//! quantized operands as "dequantize, compute, quantize", which is how the specification defines
//! them. Data movement works on the stored integers and never comes here.

use super::frame::Frame;
use super::ops::Site;
use super::{Process, Value};
use sim_core::ir::{Op, ValueId};
use sim_core::{Ctx, Diagnostic, Numerics, QuantType, Result, Tensor};
use std::sync::Arc;

fn quant<'a>(site: &Site<'a>, v: ValueId) -> Option<&'a Arc<QuantType>> {
    site.f.function.ty(v).as_tensor().and_then(|t| t.quant.as_ref())
}

/// Does the operation compute with a quantized value?
pub(super) fn applies(site: &Site<'_>) -> bool {
    let arithmetic = match &site.op.op {
        Op::UniformQuantize | Op::UniformDequantize => return true,
        Op::Unary(..)
        | Op::Binary(_)
        | Op::Compare { .. }
        | Op::Clamp
        | Op::Convert
        | Op::ReducePrecision { .. }
        | Op::DotGeneral { .. }
        | Op::Dot { .. }
        | Op::Convolution(_)
        | Op::DynamicConv(_)
        | Op::BatchNormGrad { .. }
        | Op::BatchNormInference { .. }
        | Op::BatchNormTraining { .. }
        | Op::Cholesky { .. }
        | Op::TriangularSolve { .. } => true,
        _ => false,
    };
    arithmetic && site.op.operands.iter().chain(&site.op.results).any(|&v| quant(site, v).is_some())
}

impl Process<'_> {
    pub(super) fn quantized(
        &self,
        site: &Site<'_>,
        operands: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        // Quantized arithmetic is defined by the specification, not by a chip.
        let exact = Process {
            ctx: self.ctx.with_numerics(Numerics::ieee()),
            peers: self.peers.clone(),
            counter: self.counter.clone(),
            ..*self
        };
        let ctx = &exact.ctx;
        let mut plain = Vec::with_capacity(operands.len());
        for (value, &v) in operands.into_iter().zip(&site.op.operands) {
            plain.push(match quant(site, v) {
                Some(q) => Value::Tensor(dequantize(ctx, &value.tensor()?, q)?),
                None => value,
            });
        }
        let results = match &site.op.op {
            Op::UniformQuantize | Op::UniformDequantize => plain,
            _ => exact.dispatch_plain(site, plain, frame)?,
        };
        results
            .into_iter()
            .zip(&site.op.results)
            .map(|(value, &v)| match quant(site, v) {
                Some(q) => Ok(Value::Tensor(quantize(ctx, &value.tensor()?, q)?)),
                None => Ok(value),
            })
            .collect()
    }
}

/// Bytes per scale: the tensor seen as [outer, axis, inner].
struct Slices {
    axis: usize,
    inner: usize,
}

fn slices(shape: &[usize], q: &QuantType) -> Result<Slices> {
    let Some(axis) = q.axis else { return Ok(Slices { axis: 1, inner: shape.iter().product() }) };
    let axis = usize::try_from(axis).ok().filter(|&a| a < shape.len());
    let Some(axis) = axis.filter(|&a| shape[a] == q.scales.len()) else {
        return Err(Diagnostic::invalid(format!("{q} does not fit a tensor of shape {shape:?}")));
    };
    Ok(Slices { axis: shape[axis], inner: shape[axis + 1..].iter().product() })
}

/// `(stored - zero_point) * scale`, in the expressed type (f32 inside).
fn dequantize(ctx: &Ctx, t: &Tensor, q: &QuantType) -> Result<Tensor> {
    let s = slices(t.shape(), q)?;
    let _stored = ctx.reserve(t.len().saturating_mul(8))?;
    let stored = t.to_i64s();
    let mut out = ctx.alloc(sim_core::ElementType::F32, t.shape())?;
    let values = out.as_mut_slice::<f32>();
    for (k, (dst, src)) in values.chunks_mut(s.inner.max(1)).zip(stored.chunks(s.inner.max(1))).enumerate() {
        let i = if q.axis.is_some() { k % s.axis } else { 0 };
        let (scale, zero) = (q.scales[i] as f32, q.zero_points[i]);
        for (d, &x) in dst.iter_mut().zip(src) {
            *d = x.wrapping_sub(zero) as f32 * scale;
        }
    }
    super::ops::convert(ctx, out, q.expressed)
}

/// `clamp(round_nearest_even(x / scale) + zero_point)` to the storage range.
fn quantize(ctx: &Ctx, t: &Tensor, q: &QuantType) -> Result<Tensor> {
    let s = slices(t.shape(), q)?;
    let wide = super::ops::convert(ctx, t.clone(), sim_core::ElementType::F32)?;
    let mut out = ctx.alloc(sim_core::ElementType::S64, t.shape())?;
    let values = out.as_mut_slice::<i64>();
    for (k, (dst, src)) in
        values.chunks_mut(s.inner.max(1)).zip(wide.as_slice::<f32>().chunks(s.inner.max(1))).enumerate()
    {
        let i = if q.axis.is_some() { k % s.axis } else { 0 };
        let (scale, zero) = (q.scales[i] as f32, q.zero_points[i]);
        for (d, &x) in dst.iter_mut().zip(src) {
            // A NaN is stored as 0, as the reference interpreter has it; `as` saturates.
            let shifted = (x / scale).round_ties_even() as i64;
            let stored = if x.is_nan() { 0 } else { shifted.saturating_add(zero) };
            *d = stored.clamp(q.storage_min, q.storage_max);
        }
    }
    super::ops::convert(ctx, out, q.storage)
}
