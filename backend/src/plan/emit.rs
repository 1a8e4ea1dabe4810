//! Elementwise IR operations as instructions of a tile program. Fused regions and scalar regions
//! (reduction bodies) both go through here, so they know the same operations.

use sim_core::ir::{Function, Op, Operation};
use sim_core::{Result, TensorType};
use tensorcore::vpu::tile::{Reg, TileBuilder};

/// Is the operation elementwise, with plain (not quantized) types?
pub fn is_elementwise(f: &Function, op: &Operation) -> bool {
    let known = match &op.op {
        Op::Unary(..)
        | Op::Binary(_)
        | Op::Compare { .. }
        | Op::Select
        | Op::Clamp
        | Op::Convert
        | Op::ReducePrecision { .. } => true,
        // Only where the shape stays: other widths are data movement.
        Op::BitcastConvert => match (tensor(f, op, 0), f.ty(op.results[0]).as_tensor()) {
            (Some(a), Some(r)) => a.element.bits() == r.element.bits(),
            _ => false,
        },
        _ => false,
    };
    known
        && op
            .operands
            .iter()
            .chain(&op.results)
            .all(|&v| f.ty(v).as_tensor().is_some_and(|t| t.quant.is_none()))
}

fn tensor<'f>(f: &'f Function, op: &Operation, i: usize) -> Option<&'f TensorType> {
    op.operands.get(i).and_then(|&v| f.ty(v).as_tensor())
}

/// Appends `op` to the program; `args` are its operands. For operations of [`is_elementwise`].
///
/// # Errors
/// No kernel for the element type: the caller then runs the operation by itself, or says so.
pub fn emit(b: &mut TileBuilder, f: &Function, op: &Operation, args: &[Reg]) -> Result<Option<Reg>> {
    let result = op.results.first().and_then(|&v| f.ty(v).as_tensor());
    Ok(match (&op.op, args) {
        (Op::Unary(u, _), &[a]) => Some(b.unary(*u, a)?),
        (Op::Binary(o), &[x, y]) => Some(b.binary(*o, x, y)?),
        (Op::Compare { direction, ty }, &[x, y]) => Some(b.compare(*direction, *ty, x, y)?),
        (Op::Select, &[p, x, y]) => Some(b.select(p, x, y)?),
        (Op::Clamp, &[low, x, high]) => Some(b.clamp(low, x, high)?),
        (Op::Convert, &[a]) => match result {
            Some(t) => Some(b.convert(a, t.element)?),
            None => None,
        },
        (Op::BitcastConvert, &[a]) => match result {
            Some(t) => Some(b.bitcast(a, t.element)?),
            None => None,
        },
        (Op::ReducePrecision { exponent_bits, mantissa_bits }, &[a]) => {
            Some(b.reduce_precision(a, *exponent_bits, *mantissa_bits)?)
        }
        _ => None,
    })
}
