//! Elementwise operations that stand alone (the planner fuses most of them), constants and iota.

use super::{Site, Tensors};
use crate::runtime::frame::Frame;
use crate::runtime::{Process, Value};
use rayon::prelude::*;
use sim_core::exec::RegionFn;
use sim_core::ir::attr::Dense;
use sim_core::ir::op::CompareType;
use sim_core::ir::{Attr, Op};
use sim_core::{Ctx, Diagnostic, ElementType, Numerics, Result, Tensor};
use tensorcore::vpu::{self, Kernel1, Kernel2, Kernel3};

/// Elements per task. Fixed, so that results do not depend on the number of threads.
const CHUNK: usize = 1 << 16;

fn split<'b>(t: &'b Tensor) -> rayon::slice::Chunks<'b, u8> {
    t.bytes().par_chunks(CHUNK * t.element().byte_size())
}

fn apply1(ctx: &Ctx, k: Kernel1, to: ElementType, a: &Tensor) -> Result<Tensor> {
    let mut out = ctx.alloc(to, a.shape())?;
    let width = to.byte_size();
    if a.len() <= CHUNK {
        k(a.bytes(), out.bytes_mut());
    } else {
        split(a).zip(out.bytes_mut().par_chunks_mut(CHUNK * width)).for_each(|(a, o)| k(a, o));
    }
    Ok(out)
}

fn apply2(ctx: &Ctx, k: Kernel2, to: ElementType, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    same_shape(&[a, b])?;
    let mut out = ctx.alloc(to, a.shape())?;
    let width = to.byte_size();
    if a.len() <= CHUNK {
        k(a.bytes(), b.bytes(), out.bytes_mut());
    } else {
        split(a)
            .zip(split(b))
            .zip(out.bytes_mut().par_chunks_mut(CHUNK * width))
            .for_each(|((a, b), o)| k(a, b, o));
    }
    Ok(out)
}

fn apply3(ctx: &Ctx, k: Kernel3, to: ElementType, a: &Tensor, b: &Tensor, c: &Tensor) -> Result<Tensor> {
    same_shape(&[a, b, c])?;
    let mut out = ctx.alloc(to, a.shape())?;
    let width = to.byte_size();
    if a.len() <= CHUNK {
        k(a.bytes(), b.bytes(), c.bytes(), out.bytes_mut());
    } else {
        split(a)
            .zip(split(b))
            .zip(split(c))
            .zip(out.bytes_mut().par_chunks_mut(CHUNK * width))
            .for_each(|(((a, b), c), o)| k(a, b, c, o));
    }
    Ok(out)
}

fn same_shape(ts: &[&Tensor]) -> Result<()> {
    match ts.iter().find(|t| t.shape() != ts[0].shape()) {
        Some(t) => Err(Diagnostic::invalid(format!(
            "operands have different shapes at run time: {:?} and {:?}",
            ts[0].shape(),
            t.shape()
        ))),
        None => Ok(()),
    }
}

/// One binary operation on whole tensors of the same shape.
pub(crate) fn binary(ctx: &Ctx, op: sim_core::ir::Binary, a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let k = vpu::binary(op, a.element(), &ctx.numerics).ok_or_else(|| no_kernel(op.name(), a.element()))?;
    let to = if op == sim_core::ir::Binary::Complex {
        a.element().complex_of().ok_or_else(|| no_kernel(op.name(), a.element()))?
    } else {
        a.element()
    };
    apply2(ctx, k, to, a, b)
}

/// One unary operation on a whole tensor.
pub(crate) fn unary(ctx: &Ctx, op: sim_core::ir::Unary, a: &Tensor, to: ElementType) -> Result<Tensor> {
    let k = vpu::unary(op, a.element(), &ctx.numerics).ok_or_else(|| no_kernel(op.name(), a.element()))?;
    apply1(ctx, k, to, a)
}

/// Conversion of a whole tensor.
pub(crate) fn convert(ctx: &Ctx, a: Tensor, to: ElementType) -> Result<Tensor> {
    if a.element() == to {
        return Ok(a);
    }
    let k = vpu::convert(a.element(), to, &ctx.numerics)
        .ok_or_else(|| Diagnostic::unsupported(format!("no conversion from {} to {to}", a.element())))?;
    apply1(ctx, k, to, &a)
}

fn no_kernel(name: &str, ty: ElementType) -> Diagnostic {
    Diagnostic::unsupported(format!("{name} is not defined for elements of type {ty}"))
}

/// A constant's value at its declared shape; a splat is expanded here.
pub(crate) fn expand(ctx: &Ctx, dense: &Dense) -> Result<Tensor> {
    let ty = dense.ty.as_tensor().ok_or_else(|| Diagnostic::invalid("a constant must be a tensor"))?;
    let shape = ty
        .static_dims()
        .ok_or_else(|| Diagnostic::invalid(format!("a constant must have a static shape, not {ty}")))?;
    if !dense.splat {
        return Ok(dense.value.clone().reshaped(&shape));
    }
    splat(ctx, &dense.value, &shape)
}

/// `value`'s one element, everywhere.
pub(crate) fn splat(ctx: &Ctx, value: &Tensor, shape: &[usize]) -> Result<Tensor> {
    let mut out = ctx.alloc(value.element(), shape)?;
    let pattern = value.bytes();
    match pattern {
        [byte] => out.bytes_mut().fill(*byte),
        _ => {
            // Doubling keeps this at memcpy's speed for every width.
            let bytes = out.bytes_mut();
            let Some(first) = bytes.get_mut(..pattern.len()) else { return Ok(out) };
            first.copy_from_slice(pattern);
            let mut done = pattern.len();
            while done < bytes.len() {
                let n = done.min(bytes.len() - done).min(1 << 16);
                let (src, dst) = bytes.split_at_mut(done);
                dst[..n].copy_from_slice(&src[..n]);
                done += n;
            }
        }
    }
    Ok(out)
}

impl Process<'_> {
    pub(super) fn source(&self, site: &Site<'_>, mut operands: Tensors) -> Result<Tensor> {
        match &site.op.op {
            Op::Constant(dense) => expand(&self.ctx, dense),
            Op::Iota { dim } => {
                let ty = site.result_type(0)?;
                hbm::iota(&self.ctx, ty.element, &site.result_shape(0)?, *dim as usize)
            }
            Op::ConstantLike(value) => {
                let like = operands.next()?;
                let scalar = match value {
                    Attr::Float(x, _) => Tensor::scalar(*x),
                    Attr::Int(x, _) => Tensor::scalar(*x),
                    Attr::Bool(x) => Tensor::scalar(i64::from(*x)),
                    other => {
                        return Err(Diagnostic::unsupported(format!("a constant_like of {other}")));
                    }
                };
                let plain = self.ctx.with_numerics(Numerics::ieee());
                splat(&self.ctx, &convert(&plain, scalar, like.element())?, like.shape())
            }
            _ => Err(Diagnostic::invalid("not a source")),
        }
    }

    pub(super) fn elementwise(&self, site: &Site<'_>, mut operands: Tensors) -> Result<Tensor> {
        let ctx = &self.ctx;
        match &site.op.op {
            Op::Unary(op, _) => unary(ctx, *op, &operands.next()?, site.computed_element(0)?),
            Op::Binary(op) => binary(ctx, *op, &operands.next()?, &operands.next()?),
            Op::Compare { direction, ty } => {
                self.compare(*direction, *ty, &operands.next()?, &operands.next()?)
            }
            Op::Select => {
                let (pred, a, b) = (operands.next()?, operands.next()?, operands.next()?);
                self.select(pred, a, b)
            }
            Op::Clamp => {
                let (min, x, max) = (operands.next()?, operands.next()?, operands.next()?);
                let k = vpu::clamp(x.element(), &ctx.numerics)
                    .ok_or_else(|| no_kernel("stablehlo.clamp", x.element()))?;
                let min = self.like(min, &x)?;
                let max = self.like(max, &x)?;
                apply3(ctx, k, x.element(), &min, &x, &max)
            }
            Op::Convert => convert(ctx, operands.next()?, site.computed_element(0)?),
            Op::ReducePrecision { exponent_bits, mantissa_bits } => {
                let a = operands.next()?;
                let mut out = ctx.alloc(a.element(), a.shape())?;
                let width = a.element().byte_size();
                let (e, m) = (*exponent_bits, *mantissa_bits);
                split(&a)
                    .zip(out.bytes_mut().par_chunks_mut(CHUNK * width))
                    .try_for_each(|(x, o)| vpu::reduce_precision(a.element(), e, m, x, o))?;
                Ok(out)
            }
            Op::BroadcastBinary { op, dims } => {
                let (a, b) = self.broadcast_pair(operands.next()?, operands.next()?, dims.as_deref())?;
                binary(ctx, *op, &a, &b)
            }
            Op::BroadcastCompare { direction, ty, dims } => {
                let (a, b) = self.broadcast_pair(operands.next()?, operands.next()?, dims.as_deref())?;
                self.compare(*direction, *ty, &a, &b)
            }
            Op::BroadcastSelect => {
                let (pred, a, b) = (operands.next()?, operands.next()?, operands.next()?);
                let (a, b) = self.broadcast_pair(a, b, None)?;
                let (pred, a) = self.broadcast_pair(pred, a, None)?;
                let (_, b) = self.broadcast_pair(pred.clone(), b, None)?;
                self.select(pred, a, b)
            }
            other => Err(Diagnostic::unsupported(format!("{} as an elementwise operation", other.name()))),
        }
    }

    fn compare(
        &self,
        direction: sim_core::ir::op::Direction,
        ty: CompareType,
        a: &Tensor,
        b: &Tensor,
    ) -> Result<Tensor> {
        let k = vpu::compare(direction, ty, a.element())
            .ok_or_else(|| no_kernel("stablehlo.compare", a.element()))?;
        apply2(&self.ctx, k, ElementType::Pred, a, b)
    }

    fn select(&self, pred: Tensor, a: Tensor, b: Tensor) -> Result<Tensor> {
        if pred.rank() == 0 && a.rank() != 0 {
            // A scalar predicate chooses whole operands.
            return Ok(if pred.bytes()[0] != 0 { a } else { b });
        }
        apply3(&self.ctx, vpu::select(a.element()), a.element(), &pred, &a, &b)
    }

    /// A scalar in the shape of `x`.
    fn like(&self, scalar: Tensor, x: &Tensor) -> Result<Tensor> {
        if scalar.rank() == 0 && x.rank() != 0 { splat(&self.ctx, &scalar, x.shape()) } else { Ok(scalar) }
    }

    /// Both operands in their common shape: numpy's rule, or `dims` places the lower rank's dimensions.
    fn broadcast_pair(&self, a: Tensor, b: Tensor, dims: Option<&[i64]>) -> Result<(Tensor, Tensor)> {
        let rank = a.rank().max(b.rank());
        let place = |t: &Tensor| -> Vec<i64> {
            match dims {
                Some(d) if t.rank() < rank && d.len() == t.rank() => d.to_vec(),
                _ => (rank - t.rank()..rank).map(|d| d as i64).collect(),
            }
        };
        let (pa, pb) = (place(&a), place(&b));
        let mut shape = vec![1usize; rank];
        for (t, p) in [(&a, &pa), (&b, &pb)] {
            for (&n, &d) in t.shape().iter().zip(p) {
                let slot = shape
                    .get_mut(d as usize)
                    .ok_or_else(|| Diagnostic::invalid(format!("broadcast dimension {d} is out of range")))?;
                if *slot == 1 {
                    *slot = n;
                } else if n != 1 && n != *slot {
                    return Err(Diagnostic::invalid(format!(
                        "shapes {:?} and {:?} do not broadcast",
                        a.shape(),
                        b.shape()
                    )));
                }
            }
        }
        let grow = |t: Tensor, p: &[i64]| {
            if t.shape() == shape { Ok(t) } else { hbm::broadcast_in_dim(&self.ctx, &t, p, &shape) }
        };
        Ok((grow(a, &pa)?, grow(b, &pb)?))
    }

    /// `stablehlo.map`: a scalar region at every element.
    pub(super) fn map(&self, site: &Site<'_>, operands: Tensors, frame: &mut Frame) -> Result<Vec<Value>> {
        let operands = operands.rest()?;
        let Some(first) = operands.first() else { return Err(Diagnostic::invalid("map without operands")) };
        let region = self.region_fn(site.f, site.op.regions[0], frame)?;
        let ty = site.result_type(0)?.element;
        let mut out = self.ctx.alloc(ty, first.shape())?;
        let args: Vec<&[u8]> = operands.iter().map(|t| t.bytes()).collect();
        region.eval(&args, &mut [out.bytes_mut()], first.len());
        region.finish()?;
        Ok(vec![out.into()])
    }
}
