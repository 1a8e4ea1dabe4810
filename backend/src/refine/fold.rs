//! Numbers that are known: sizes, and what is computed of them. The run time's own kernels compute
//! them, so that there is one meaning of every operation.

use super::walk::Walk;
use sim_core::ir::attr::Dense;
use sim_core::ir::{AttrDict, Op, Operation, ValueId};
use sim_core::{ElementType, Result, Tensor, Type};
use std::sync::Arc;

/// Tensors of more elements are no shapes: a padding of the largest rank (256) has as many.
const MAX_ELEMENTS: u64 = 512;

/// Can a value of this type be known?
pub fn is_small(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|t| {
        t.quant.is_none()
            && (t.element.is_integer() || t.element == ElementType::Pred)
            && t.num_elements().is_some_and(|n| n <= MAX_ELEMENTS)
    })
}

/// Operations that shapes are computed with: functions of their operands alone.
fn is_foldable(op: &Op) -> bool {
    matches!(
        op,
        Op::Iota { .. }
            | Op::Unary(..)
            | Op::Binary(_)
            | Op::Compare { .. }
            | Op::Select
            | Op::Clamp
            | Op::Convert
            | Op::BitcastConvert
            | Op::BroadcastBinary { .. }
            | Op::BroadcastCompare { .. }
            | Op::BroadcastSelect
            | Op::BroadcastInDim { .. }
            | Op::Broadcast { .. }
            | Op::Reshape
            | Op::Transpose { .. }
            | Op::Reverse { .. }
            | Op::Slice { .. }
            | Op::DynamicSlice { .. }
            | Op::DynamicUpdateSlice
            | Op::Pad { .. }
            | Op::Concatenate { .. }
            | Op::Gather { .. }
            | Op::OptimizationBarrier
    )
}

impl Walk<'_, '_> {
    /// The value, if it is known.
    pub fn known(&self, v: ValueId) -> Option<&Tensor> {
        self.known.get(&v)
    }

    /// The integers of a known value, row-major.
    pub fn numbers(&self, v: ValueId) -> Option<Vec<i64>> {
        self.known(v).filter(|t| t.element().is_integer()).map(Tensor::to_i64s)
    }

    /// Notes what a constant that stands in the program is, if it is small.
    pub fn note_constant(&mut self, v: ValueId, dense: &Dense) -> Result<()> {
        if is_small(&dense.ty) {
            let op = Op::Constant(Arc::new(dense.clone()));
            let value =
                self.spec.evaluator.run(&op, AttrDict::new(), &[], std::slice::from_ref(&dense.ty))?;
            self.known.extend(value.into_iter().next().map(|t| (v, t)));
        }
        Ok(())
    }

    /// A new constant, at the place of `op`.
    pub fn constant(&mut self, value: Tensor, op: &Operation) -> ValueId {
        let dense = compact(&value);
        let ty = dense.ty.clone();
        let constant = Op::Constant(Arc::new(dense));
        let id = self.b.push(constant, &[], [ty], &[], AttrDict::new(), op.loc.clone(), op.span);
        let v = self.b.function().op(id).results[0];
        self.known.insert(v, value);
        v
    }

    /// The results of `form` as constants at the place of `op`, if all that they depend on is known.
    pub fn fold(
        &mut self,
        form: &Op,
        op: &Operation,
        operands: &[ValueId],
        results: &[Type],
    ) -> Result<Option<Vec<ValueId>>> {
        if !is_foldable(form) || !results.iter().all(is_small) {
            return Ok(None);
        }
        let values: Option<Vec<Tensor>> = operands.iter().map(|&v| self.known(v).cloned()).collect();
        let Some(values) = values else { return Ok(None) };
        // What the kernel refuses, it refuses when it runs, if it ever does.
        let Ok(values) = self.spec.evaluator.run(form, AttrDict::new(), &values, results) else {
            return Ok(None);
        };
        Ok(Some(values.into_iter().map(|t| self.constant(t, op)).collect()))
    }
}

/// As a splat where all elements are equal.
fn compact(value: &Tensor) -> Dense {
    let width = value.element().byte_size();
    let mut chunks = value.bytes().chunks_exact(width);
    match chunks.next() {
        Some(first) if value.rank() > 0 && chunks.all(|c| c == first) => {
            let mut scalar = Tensor::from_slice_as(ElementType::U8, &[width], first);
            scalar = scalar.recast(value.element(), &[]);
            Dense { ty: value.ty(), value: scalar, splat: true }
        }
        _ => Dense::new(value.clone()),
    }
}
