//! Dynamic operations as the static ones that they are once their shape operands are constants.

use super::types;
use super::walk::Walk;
use sim_core::ir::op::ConvAttrs;
use sim_core::ir::{AttrDict, Binary, Op, Operation, ValueDef, ValueId};
use sim_core::types::{Dims, TensorType};
use sim_core::{Diagnostic, Dim, Result, Type};

/// An operation in the place of another.
pub struct Replacement {
    pub op: Op,
    pub operands: Vec<ValueId>,
    pub results: Vec<Type>,
}

/// Sizes that a shape operand holds.
///
/// # Errors
/// Invalid: a negative one.
pub fn sizes(numbers: &[i64]) -> Result<Dims> {
    match numbers.iter().find(|&&n| n < 0) {
        Some(n) => Err(Diagnostic::invalid(format!(
            "the shape is {numbers:?} for the inputs given, and {n} is no size"
        ))),
        None => Ok(numbers.iter().map(|&n| Dim::Static(n)).collect()),
    }
}

impl Walk<'_, '_> {
    /// A `real_dynamic_slice` whose start is not known, but its size is, since its limit is the start and
    /// a known distance (as JAX writes it): a `dynamic_slice`. The two differ only where the slice would
    /// reach beyond the operand, which `real_dynamic_slice` does not allow.
    pub fn moving_slice(&mut self, op: &Operation, operands: &[ValueId]) -> Result<Option<Vec<ValueId>>> {
        let (Op::RealDynamicSlice, &[x, start, limit, strides]) = (&op.op, operands) else { return Ok(None) };
        let unit = self.numbers(strides).is_some_and(|n| n.iter().all(|&s| s == 1));
        let (false, true, Some(sizes)) = (self.known(start).is_some(), unit, self.distance(start, limit))
        else {
            return Ok(None);
        };
        let Some(element) = self.b.ty(start).as_tensor().map(|t| t.element) else { return Ok(None) };
        let scalar = Type::tensor(element, &[]);
        let mut all = vec![x];
        for i in 0..sizes.len() as i64 {
            let one = Op::Slice { start: vec![i], limit: vec![i + 1], strides: vec![1] };
            let one = self.push(one, &[start], vec![Type::tensor(element, &[1])], &[], AttrDict::new(), op);
            all.extend(self.push(Op::Reshape, &one, vec![scalar.clone()], &[], AttrDict::new(), op));
        }
        let form = Op::DynamicSlice { sizes };
        let results = types::results(&form, &self.types_of(&all), &[], &self.declared(op))?;
        Ok(Some(self.push(form, &all, results, &[], op.attrs.clone(), op)))
    }

    /// `d`, where `to` is computed as `from + d` and `d` is known.
    fn distance(&self, from: ValueId, to: ValueId) -> Option<Vec<i64>> {
        let f = self.b.function();
        let ValueDef::Result(id, _) = f.value(to).def else { return None };
        match (&f.op(id).op, &f.op(id).operands[..]) {
            (Op::Binary(Binary::Add), &[a, b]) if a == from => self.numbers(b),
            (Op::Binary(Binary::Add), &[a, b]) if b == from => self.numbers(a),
            _ => None,
        }
    }

    /// The static form of a dynamic operation; `None` where it has none, or is not known enough.
    ///
    /// # Errors
    /// Invalid: the shape does not fit the operands or the declared type.
    pub fn static_form(
        &self,
        op: &Operation,
        operands: &[ValueId],
        declared: &[Type],
    ) -> Result<Option<Replacement>> {
        let at = |i: usize| operands.get(i).and_then(|&v| self.numbers(v));
        let [result] = declared else { return Ok(None) };
        let first = operands.first().and_then(|&v| self.b.ty(v).as_tensor());
        let shaped = |numbers: Vec<i64>| -> Result<Type> {
            let ty = result.as_tensor().ok_or_else(|| Diagnostic::invalid("its result must be a tensor"))?;
            types::merge(&TensorType { dims: sizes(&numbers)?, ..ty.clone() }.into(), result)
        };
        // The form, how many of the operands it takes, and its type where that has to be declared.
        let (form, kept, ty) = match &op.op {
            Op::DynamicIota { dim } => match at(0) {
                Some(shape) => (Op::Iota { dim: *dim }, 0, Some(shaped(shape)?)),
                None => return Ok(None),
            },
            Op::DynamicBroadcastInDim { dims, .. } => match at(1) {
                Some(shape) => (Op::BroadcastInDim { dims: dims.clone() }, 1, Some(shaped(shape)?)),
                None => return Ok(None),
            },
            Op::DynamicReshape => match at(1) {
                Some(shape) => (Op::Reshape, 1, Some(shaped(shape)?)),
                None => return Ok(None),
            },
            Op::DynamicPad => match (at(2), at(3), at(4)) {
                (Some(low), Some(high), Some(interior)) => (Op::Pad { low, high, interior }, 2, None),
                _ => return Ok(None),
            },
            Op::RealDynamicSlice => match (at(1), at(2), at(3)) {
                (Some(start), Some(limit), Some(strides)) => (Op::Slice { start, limit, strides }, 1, None),
                _ => return Ok(None),
            },
            Op::DynamicGather { dims, sorted } => match at(2) {
                Some(slice_sizes) => {
                    (Op::Gather { dims: dims.clone(), slice_sizes, sorted: *sorted }, 2, None)
                }
                None => return Ok(None),
            },
            Op::DynamicConv(attrs) => match at(2) {
                Some(padding) => (Op::Convolution(Box::new(padded(attrs, &padding))), 2, None),
                None => return Ok(None),
            },
            Op::SetDimensionSize { dim } => match (at(1), first.and_then(|t| t.static_dims())) {
                (Some(size), Some(bound)) if size.len() == 1 => (cut(*dim, size[0], &bound)?, 1, None),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let operands = operands[..kept].to_vec();
        let operand_types: Vec<Type> = operands.iter().map(|&v| self.b.ty(v).clone()).collect();
        let declared = [ty.unwrap_or_else(|| result.clone())];
        let results = types::results(&form, &operand_types, &[], &declared)?;
        sim_core::ir::infer::infer_declared(&form, &operand_types, &[], &results)?;
        Ok(Some(Replacement { op: form, operands, results }))
    }
}

fn padded(attrs: &ConvAttrs, padding: &[i64]) -> ConvAttrs {
    ConvAttrs { padding: padding.chunks_exact(2).map(|p| (p[0], p[1])).collect(), ..attrs.clone() }
}

/// The first `size` elements along a dimension.
fn cut(dim: i64, size: i64, bound: &[usize]) -> Result<Op> {
    let mut limit: Vec<i64> = bound.iter().map(|&n| n as i64).collect();
    let of = usize::try_from(dim).ok().and_then(|d| limit.get_mut(d));
    match of {
        Some(n) if (0..=*n).contains(&size) => *n = size,
        of => {
            return Err(Diagnostic::invalid(format!(
                "size {size} of dimension {dim} is not within its bound {}",
                of.map_or(0, |n| *n)
            )));
        }
    }
    Ok(Op::Slice { start: vec![0; bound.len()], limit, strides: vec![1; bound.len()] })
}
