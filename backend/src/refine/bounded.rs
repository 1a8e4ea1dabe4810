//! Operations on a dimension whose type states a bound (`<=8` in HLO), once its size is known.

use super::types;
use super::walk::Walk;
use sim_core::ir::{Op, Operation, ValueId};
use sim_core::{Dim, ElementType, Result, Tensor, Type};
use std::sync::Arc;

impl Walk<'_, '_> {
    /// A slice of all that the dimension may have is of all that it has; `set_dimension_size` may let it grow
    /// again, up to the bound, by zeros.
    ///
    /// # Errors
    /// Types that contradict each other.
    pub fn within_bounds(&mut self, op: &Operation, operands: &[ValueId]) -> Result<Option<Vec<ValueId>>> {
        let (&[old, ..], &[x, ..]) = (&op.operands[..], operands) else { return Ok(None) };
        let Some(stated) = self.f.ty(old).as_tensor() else { return Ok(None) };
        let Some(now) = self.b.ty(x).as_tensor().map(|t| t.dims.clone()) else { return Ok(None) };
        let mut open = Vec::new();
        let bound = |d: usize| match stated.dims.get(d) {
            Some(Dim::Bounded(n)) => Some(*n),
            _ => None,
        };
        let (form, operands) = match &op.op {
            Op::Slice { start, limit, strides } => {
                let mut ends = limit.clone();
                let mut some = false;
                for (d, n) in now.iter().enumerate() {
                    if bound(d) != Some(limit[d]) || (start[d], strides[d]) != (0, 1) {
                        continue;
                    }
                    some = true;
                    match n {
                        Dim::Static(n) => ends[d] = limit[d].min(*n),
                        _ => open.push(d),
                    }
                }
                if !some {
                    return Ok(None);
                }
                (Op::Slice { start: start.clone(), limit: ends, strides: strides.clone() }, vec![x])
            }
            Op::SetDimensionSize { dim } => {
                let d = *dim as usize;
                let size = operands.get(1).and_then(|&v| self.numbers(v));
                let n = now.get(d).and_then(|n| n.as_static());
                let (Some([size]), Some(bound), Some(n)) = (size.as_deref(), bound(d), n) else {
                    return Ok(None);
                };
                if *size <= n || *size > bound {
                    return Ok(None);
                }
                let none = vec![0; now.len()];
                let mut high = none.clone();
                high[d] = size - n;
                let width = stated.element.byte_size();
                let zero = Tensor::from_slice_as(ElementType::U8, &[width], &vec![0u8; width]);
                let zero = self.constant(zero.recast(stated.element, &[]), op);
                (Op::Pad { low: none.clone(), high, interior: none }, vec![x, zero])
            }
            _ => return Ok(None),
        };
        let declared = self.declared(op);
        let mut results = types::results(&form, &self.types_of(&operands), &[], &declared)?;
        if let Some(Type::Tensor(ty)) = results.first_mut() {
            // Not the bound: the size is what the operand's will be.
            let ty = Arc::make_mut(ty);
            open.into_iter().for_each(|d| ty.dims[d] = now[d]);
        }
        if let Some(constants) = self.fold(&form, op, &operands, &results)? {
            return Ok(Some(constants));
        }
        Ok(Some(self.push(form, &operands, results, &[], op.attrs.clone(), op)))
    }
}
