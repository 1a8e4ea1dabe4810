//! Operations that only move data.

use super::{Site, Tensors};
use crate::runtime::Process;
use sim_core::ir::Op;
use sim_core::types::Dim;
use sim_core::{Diagnostic, ElementType, Result, Tensor};
use tensorcore::xlu;

impl Process<'_> {
    pub(super) fn shape_op(&self, site: &Site<'_>, mut operands: Tensors) -> Result<Tensor> {
        let ctx = &self.ctx;
        let x = operands.next()?;
        match &site.op.op {
            Op::BroadcastInDim { dims } => hbm::broadcast_in_dim(ctx, &x, dims, &spread(site, &x, dims)?),
            Op::Broadcast { sizes } => {
                let mut shape: Vec<usize> = sizes.iter().map(|&n| n as usize).collect();
                let lead = shape.len() as i64;
                shape.extend(x.shape());
                let dims: Vec<i64> = (0..x.rank() as i64).map(|d| d + lead).collect();
                hbm::broadcast_in_dim(ctx, &x, &dims, &shape)
            }
            Op::BitcastConvert => {
                let ty = site.result_type(0)?;
                let shape = bitcast_shape(x.shape(), x.element(), ty.element);
                hbm::bitcast_convert(ctx, x, ty.element, &shape)
            }
            Op::Reshape => {
                let shape = reshaped(site, &x)?;
                reshape(x, &shape)
            }
            Op::Transpose { permutation } => {
                if permutation.iter().enumerate().all(|(i, &p)| i as i64 == p) {
                    return Ok(x);
                }
                xlu::transpose(ctx, &x, permutation)
            }
            Op::Reverse { dims } => xlu::reverse(ctx, &x, dims),
            Op::Slice { start, limit, strides } => {
                hbm::slice(ctx, &x, start, &whole(site, &x, start, limit, strides), strides)
            }
            Op::DynamicSlice { sizes } => {
                let starts = scalars(operands)?;
                hbm::dynamic_slice(ctx, &x, &starts, sizes)
            }
            Op::DynamicUpdateSlice => {
                let update = operands.next()?;
                let starts = scalars(operands)?;
                hbm::dynamic_update_slice(ctx, x, &update, &starts)
            }
            Op::Pad { low, high, interior } => hbm::pad(ctx, &x, &operands.next()?, low, high, interior),
            Op::Concatenate { dim } => {
                let rest = operands.rest()?;
                let all: Vec<&Tensor> = std::iter::once(&x).chain(&rest).collect();
                hbm::concatenate(ctx, &all, *dim as usize)
            }
            other => Err(Diagnostic::unsupported(format!("{} as data movement", other.name()))),
        }
    }
}

/// The narrower type has one dimension more, which counts its elements in one of the other.
fn bitcast_shape(shape: &[usize], from: ElementType, to: ElementType) -> Vec<usize> {
    let (from, to) = (from.bits() as usize, to.bits() as usize);
    let mut shape = shape.to_vec();
    if from > to {
        shape.push(from / to.max(1));
    } else if from < to {
        shape.pop();
    }
    shape
}

/// A reshape at run time: the sizes may have come from data.
pub(super) fn reshape(x: Tensor, shape: &[usize]) -> Result<Tensor> {
    let count =
        if shape.contains(&0) { Some(0) } else { shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d)) };
    if count != Some(x.len()) {
        return Err(Diagnostic::invalid(format!(
            "cannot reshape {:?} to {shape:?}: the element counts differ",
            x.shape()
        )));
    }
    Ok(x.reshaped(shape))
}

/// Start indices: one scalar an operand.
fn scalars(operands: Tensors) -> Result<Vec<i64>> {
    operands.rest()?.iter().map(index_scalar).collect()
}

/// A scalar index. An unsigned one beyond i64 is as far out of range as the largest i64.
pub(crate) fn index_scalar(t: &Tensor) -> Result<i64> {
    if !t.element().is_integer() || t.len() != 1 {
        return Err(Diagnostic::invalid(format!("an index must be one integer, not {}", t.ty())));
    }
    let raw = t.to_i64s()[0];
    Ok(if t.element() == sim_core::ElementType::U64 && raw < 0 { i64::MAX } else { raw })
}

/// Where a slice ends. A slice of all that a dimension of dynamic size may have (`<=8`, from 0 to 8) is of all
/// that it has.
fn whole(site: &Site<'_>, x: &Tensor, start: &[i64], limit: &[i64], strides: &[i64]) -> Vec<i64> {
    let mut limit = limit.to_vec();
    if let Some(ty) = site.op.operands.first().and_then(|&v| site.f.function.ty(v).as_tensor()) {
        for (d, (bound, &n)) in ty.dims.iter().zip(x.shape()).enumerate() {
            if *bound == Dim::Bounded(limit[d]) && start[d] == 0 && strides[d] == 1 {
                limit[d] = limit[d].min(n as i64);
            }
        }
    }
    limit
}

/// The sizes of a broadcast's result. A size that its type leaves open is the operand's.
fn spread(site: &Site<'_>, x: &Tensor, dims: &[i64]) -> Result<Vec<usize>> {
    let ty = site.result_type(0)?;
    let from = |d: usize| dims.iter().position(|&to| to == d as i64).map(|i| x.shape()[i]);
    let size = |(d, size): (usize, &Dim)| size.as_static().map_or_else(|| from(d), |n| Some(n as usize));
    match ty.dims.iter().enumerate().map(size).collect() {
        Some(sizes) => Ok(sizes),
        None => Ok(site.result_shape(0)?.to_vec()),
    }
}

/// The sizes of a reshape's result. One that its type leaves open follows from the number of elements.
fn reshaped(site: &Site<'_>, x: &Tensor) -> Result<Vec<usize>> {
    let ty = site.result_type(0)?;
    let known: Vec<Option<usize>> = ty.dims.iter().map(|d| d.as_static().map(|n| n as usize)).collect();
    let others: usize = known.iter().flatten().product();
    if known.iter().filter(|n| n.is_none()).count() != 1 || others == 0 || !x.len().is_multiple_of(others) {
        return Ok(site.result_shape(0)?.to_vec());
    }
    Ok(known.into_iter().map(|n| n.unwrap_or(x.len() / others)).collect())
}
