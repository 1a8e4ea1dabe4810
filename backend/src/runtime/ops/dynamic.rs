//! Operations whose shapes are operands. The shape is checked before anything is allocated.

use super::linear::factor;
use super::shape::reshape;
use super::{Site, Tensors};
use crate::runtime::Process;
use sim_core::ir::Op;
use sim_core::types::Dim;
use sim_core::{Diagnostic, Result, Tensor};
use tensorcore::mxu;

/// A shape that came from data: sizes must not be negative, and must fit what the type declares.
fn shape_from(site: &Site<'_>, sizes: &[i64]) -> Result<Vec<usize>> {
    let ty = site.result_type(0)?;
    if sizes.len() != ty.rank() {
        return Err(Diagnostic::invalid(format!("{} sizes for a result of type {ty}", sizes.len())));
    }
    sizes
        .iter()
        .zip(&ty.dims)
        .map(|(&n, d)| match usize::try_from(n) {
            Ok(size) if d.compatible(n.into()) => Ok(size),
            _ => Err(Diagnostic::invalid(format!("shape {sizes:?} at run time does not fit {ty}"))),
        })
        .collect()
}

impl Process<'_> {
    pub(super) fn dynamic(&self, site: &Site<'_>, mut operands: Tensors) -> Result<Tensor> {
        let ctx = &self.ctx;
        let x = operands.next()?;
        match &site.op.op {
            Op::DynamicIota { dim } => {
                let shape = shape_from(site, &ints(&x)?)?;
                hbm::iota(ctx, site.result_type(0)?.element, &shape, *dim as usize)
            }
            Op::DynamicBroadcastInDim { dims, .. } => {
                let shape = shape_from(site, &ints(&operands.next()?)?)?;
                for (&n, &d) in x.shape().iter().zip(dims) {
                    let to = shape.get(d as usize).copied().unwrap_or(0);
                    if n != 1 && n != to {
                        return Err(Diagnostic::invalid(format!(
                            "operand of shape {:?} does not broadcast to {shape:?} along {dims:?}",
                            x.shape()
                        )));
                    }
                }
                hbm::broadcast_in_dim(ctx, &x, dims, &shape)
            }
            Op::DynamicReshape => {
                let shape = shape_from(site, &ints(&operands.next()?)?)?;
                reshape(x, &shape)
            }
            Op::RealDynamicSlice => {
                let (start, limit, strides) =
                    (ints(&operands.next()?)?, ints(&operands.next()?)?, ints(&operands.next()?)?);
                for (d, &n) in x.shape().iter().enumerate() {
                    let (s, l, t) = (start[d], limit[d], strides[d]);
                    if s < 0 || l < s || l > n as i64 || t < 1 {
                        return Err(Diagnostic::invalid(format!(
                            "slice [{s}:{l}:{t}] of dimension {d} of size {n} is out of range"
                        )));
                    }
                }
                hbm::slice(ctx, &x, &start, &limit, &strides)
            }
            Op::DynamicPad => {
                let value = operands.next()?;
                let (low, high, interior) =
                    (ints(&operands.next()?)?, ints(&operands.next()?)?, ints(&operands.next()?)?);
                hbm::pad(ctx, &x, &value, &low, &high, &interior)
            }
            Op::DynamicGather { dims, .. } => {
                let (indices, sizes) = (operands.next()?, ints(&operands.next()?)?);
                if sizes.len() != x.rank()
                    || sizes.iter().zip(x.shape()).any(|(&s, &n)| s < 0 || s > n as i64)
                {
                    return Err(Diagnostic::invalid(format!(
                        "slice sizes {sizes:?} do not fit an operand of shape {:?}",
                        x.shape()
                    )));
                }
                sparsecore::gather(ctx, &x, &indices, dims, &sizes)
            }
            Op::DynamicConv(attrs) => {
                let rhs = operands.next()?;
                let flat = ints(&operands.next()?)?;
                let mut attrs = (**attrs).clone();
                attrs.padding = flat.chunks_exact(2).map(|p| (p[0], p[1])).collect();
                let out = site.computed_element(0)?;
                mxu::convolution(ctx, factor(ctx, x, out)?, &factor(ctx, rhs, out)?, &attrs, out)
            }
            Op::GetDimensionSize { dim } => {
                let n = x.shape().get(*dim as usize).copied().unwrap_or(0);
                Ok(Tensor::scalar(n as i32))
            }
            Op::SetDimensionSize { dim } => {
                let size = super::shape::index_scalar(&operands.next()?)?;
                let d = *dim as usize;
                let n = x.shape().get(d).copied().unwrap_or(0) as i64;
                // It may grow again, up to the bound.
                let bound =
                    match site.f.function.ty(site.op.operands[0]).as_tensor().and_then(|t| t.dims.get(d)) {
                        Some(Dim::Bounded(bound)) => n.max(*bound),
                        _ => n,
                    };
                if size < 0 || size > bound {
                    return Err(Diagnostic::invalid(format!(
                        "size {size} of dimension {dim} is not within its bound {bound}"
                    )));
                }
                if size > n {
                    let none = vec![0; x.rank()];
                    let mut high = none.clone();
                    high[d] = size - n;
                    let zero = ctx.alloc_zeroed(x.element(), &[])?;
                    return hbm::pad(ctx, &x, &zero, &none, &high, &none);
                }
                let mut limit: Vec<i64> = x.shape().iter().map(|&n| n as i64).collect();
                limit[d] = size;
                hbm::slice(ctx, &x, &vec![0; x.rank()], &limit, &vec![1; x.rank()])
            }
            other => Err(Diagnostic::unsupported(format!("{} as a dynamic operation", other.name()))),
        }
    }
}

/// A one-dimensional (or padding-shaped) integer operand.
fn ints(t: &Tensor) -> Result<Vec<i64>> {
    if !t.element().is_integer() {
        return Err(Diagnostic::invalid(format!("a shape operand must hold integers, not {}", t.element())));
    }
    Ok(t.to_i64s())
}
