//! The pretty forms of operations without regions: data movement, elementwise, control.
//!
//! The syntax is that of the operations' `assemblyFormat` in `StablehloOps.td` and `ChloOps.td`. A
//! form is used only where it says everything; any doubt (an odd number of operands, an attribute
//! without a place) leads to the generic form.

use super::function::Printer;
use super::text::{ints, string, symbol};
use super::{attr, dense};
use crate::ir::attr::AttrDict;
use crate::ir::generic::keyword::Keyword;
use crate::ir::generic::to_generic;
use crate::ir::module::Operation;
use crate::ir::op::{Binary, CompareType, Op};
use crate::types::Type;
use std::fmt;

/// What a pretty form says about types after its colon.
pub(super) enum Types {
    /// One type if all operands and the result have it, else a function type.
    Same,
    /// A function type.
    Function,
    /// The result's type.
    Result,
}

impl Printer<'_, '_> {
    /// Writes the operation in its pretty form without location, or nothing at all (`false`).
    pub fn pretty(&mut self, op: &Operation) -> Result<bool, fmt::Error> {
        let (n, r) = (op.operands.len(), op.results.len());
        if arity(&op.op).is_some_and(|want| want != (n, r)) {
            return Ok(false);
        }
        match &op.op {
            Op::Constant(_) => return self.constant(op),
            Op::Iota { dim } => {
                self.head(op, 0)?;
                write!(self.f, " dim = {dim}")?;
                self.tail(op, Types::Result)?;
            }
            Op::DynamicIota { dim } | Op::GetDimensionSize { dim } | Op::SetDimensionSize { dim } => {
                self.head(op, n)?;
                write!(self.f, ", dim = {dim}")?;
                self.tail(op, Types::Function)?;
            }
            Op::PartitionId | Op::ReplicaId | Op::CreateToken => {
                self.head(op, 0)?;
                self.tail(op, Types::Result)?;
            }
            Op::Unary(unary, None) if unary.name().starts_with("chlo.") => {
                self.head(op, 1)?;
                self.arrow_types(op)?;
            }
            Op::Binary(Binary::NextAfter | Binary::Polygamma | Binary::Zeta | Binary::MulHi) => {
                self.head(op, 2)?;
                self.arrow_types(op)?;
            }
            Op::Binary(Binary::Complex)
            | Op::BitcastConvert
            | Op::Reshape
            | Op::DynamicReshape
            | Op::RealDynamicSlice
            | Op::DynamicUpdateSlice
            | Op::DynamicPad => {
                self.head(op, n)?;
                self.tail(op, Types::Function)?;
            }
            Op::Unary(_, None)
            | Op::Binary(_)
            | Op::Convert
            | Op::UniformQuantize
            | Op::UniformDequantize
            | Op::Clamp => {
                self.head(op, n)?;
                self.tail(op, Types::Same)?;
            }
            Op::Compare { direction, ty } => {
                write!(self.f, "stablehlo.compare {}, ", direction.word())?;
                self.values(&op.operands)?;
                if *ty != CompareType::Default {
                    write!(self.f, ", {}", ty.word())?;
                }
                self.tail(op, Types::Function)?;
            }
            Op::Select => self.select(op)?,
            Op::ReducePrecision { exponent_bits, mantissa_bits }
                if *exponent_bits >= 0 && *mantissa_bits >= 0 =>
            {
                self.head(op, 1)?;
                write!(self.f, ", format = e{exponent_bits}m{mantissa_bits}")?;
                self.tail(op, Types::Same)?;
            }
            Op::BroadcastInDim { dims } => self.with_list(op, "dims", dims, Types::Function)?,
            Op::DynamicBroadcastInDim { dims, .. } => {
                self.head(op, 2)?;
                self.f.write_str(", dims = ")?;
                ints(self.f, dims)?;
                self.leftover_but(op, &["broadcast_dimensions"])?;
                self.f.write_str(" : ")?;
                self.function_type(op)?;
            }
            Op::Broadcast { sizes } => self.with_list(op, "sizes", sizes, Types::Function)?,
            Op::Transpose { permutation } => self.with_list(op, "dims", permutation, Types::Function)?,
            Op::Reverse { dims } => self.with_list(op, "dims", dims, Types::Same)?,
            Op::DynamicSlice { sizes } if n >= 2 && r == 1 => {
                self.with_list(op, "sizes", sizes, Types::Function)?;
            }
            Op::Slice { start, limit, strides }
                if start.len() == limit.len() && start.len() == strides.len() =>
            {
                self.head(op, 1)?;
                self.f.write_str(" [")?;
                for (i, ((start, limit), stride)) in start.iter().zip(limit).zip(strides).enumerate() {
                    self.f.write_str(if i > 0 { ", " } else { "" })?;
                    write!(self.f, "{start}:{limit}")?;
                    if *stride != 1 {
                        write!(self.f, ":{stride}")?;
                    }
                }
                self.f.write_char(']')?;
                self.tail(op, Types::Function)?;
            }
            Op::Pad { low, high, interior } => {
                self.head(op, 2)?;
                for (name, list) in [("low", low), ("high", high), ("interior", interior)] {
                    write!(self.f, ", {name} = ")?;
                    ints(self.f, list)?;
                }
                self.tail(op, Types::Function)?;
            }
            Op::Concatenate { dim } if n >= 1 && r == 1 => {
                self.head(op, n)?;
                write!(self.f, ", dim = {dim}")?;
                self.tail(op, Types::Function)?;
            }
            Op::GetTupleElement { index } => {
                self.head(op, 1)?;
                write!(self.f, "[{index}]")?;
                self.tail(op, Types::Function)?;
            }
            Op::Tuple if r == 1 && self.is_tuple_of_operands(op) => {
                self.head(op, n)?;
                self.tail(op, Types::Result)?;
            }
            Op::AfterAll if r == 1 => {
                self.head(op, n)?;
                self.tail(op, Types::Same)?;
            }
            Op::OptimizationBarrier if n >= 1 && self.same_types(op) => {
                self.f.write_str(op.name())?;
                self.leftover(op)?;
                self.f.write_char(' ')?;
                self.values(&op.operands)?;
                self.f.write_str(" : ")?;
                self.types(&op.operands)?;
            }
            Op::Call { callee } => {
                self.f.write_str("func.call ")?;
                symbol(self.f, callee)?;
                self.f.write_char('(')?;
                self.values(&op.operands)?;
                self.f.write_char(')')?;
                self.tail(op, Types::Function)?;
            }
            Op::CustomCall(call) => {
                self.f.write_str("stablehlo.custom_call ")?;
                symbol(self.f, &[&call.target])?;
                self.f.write_char('(')?;
                self.values(&op.operands)?;
                self.f.write_char(')')?;
                self.leftover_but(op, &["call_target_name"])?;
                self.f.write_str(" : ")?;
                self.function_type(op)?;
            }
            Op::Composite { name, .. } => {
                self.f.write_str("stablehlo.composite ")?;
                string(self.f, name)?;
                if n > 0 {
                    self.f.write_char(' ')?;
                    self.values(&op.operands)?;
                }
                self.leftover_but(op, &["name"])?;
                self.f.write_str(" : ")?;
                self.function_type(op)?;
            }
            _ => return self.pretty_compute(op),
        }
        Ok(true)
    }

    /// The name and the first `operands` operands.
    pub fn head(&mut self, op: &Operation, operands: usize) -> fmt::Result {
        self.f.write_str(op.name())?;
        if operands > 0 {
            self.f.write_char(' ')?;
            self.values(&op.operands[..operands])?;
        }
        Ok(())
    }

    /// The unmodelled attributes, a colon and the types.
    pub fn tail(&mut self, op: &Operation, types: Types) -> fmt::Result {
        self.leftover(op)?;
        self.f.write_str(" : ")?;
        match types {
            Types::Function => self.function_type(op),
            Types::Result => self.types(&op.results),
            Types::Same => {
                let result = self.function.ty(op.results[0]);
                match op.operands.iter().all(|&v| self.function.ty(v) == result) {
                    true => self.types(&op.results),
                    false => self.function_type(op),
                }
            }
        }
    }

    /// CHLO's ` : operand types -> result type`
    fn arrow_types(&mut self, op: &Operation) -> fmt::Result {
        self.leftover(op)?;
        self.f.write_str(" : ")?;
        self.types(&op.operands)?;
        self.f.write_str(" -> ")?;
        self.types(&op.results)
    }

    /// All operands, then `, name = [list]`.
    fn with_list(&mut self, op: &Operation, name: &str, list: &[i64], types: Types) -> fmt::Result {
        self.head(op, op.operands.len())?;
        write!(self.f, ", {name} = ")?;
        ints(self.f, list)?;
        self.tail(op, types)
    }

    /// The dictionary of all attributes but those with their own place in the syntax.
    pub fn leftover_but(&mut self, op: &Operation, placed: &[&str]) -> fmt::Result {
        let attrs = to_generic(&op.op, op.operands.len(), op.results.len());
        let rest: AttrDict = attrs.0.into_iter().filter(|(k, _)| !placed.contains(&&**k)).collect();
        self.leftover_and(op, &rest)
    }

    fn constant(&mut self, op: &Operation) -> Result<bool, fmt::Error> {
        let (Op::Constant(value), [result]) = (&op.op, &op.results[..]) else { return Ok(false) };
        // With one type for both, the text names it once.
        if value.ty != *self.function.ty(*result) {
            return Ok(false);
        }
        self.f.write_str("stablehlo.constant")?;
        self.leftover(op)?;
        self.f.write_char(' ')?;
        dense::body(self.f, value, self.options.elide_large)?;
        write!(self.f, " : {}", value.ty)?;
        Ok(true)
    }

    fn select(&mut self, op: &Operation) -> fmt::Result {
        self.head(op, 3)?;
        let result = self.function.ty(op.results[0]);
        if op.operands[1..].iter().any(|&v| self.function.ty(v) != result) {
            return self.tail(op, Types::Function);
        }
        self.leftover(op)?;
        write!(self.f, " : {}, {result}", self.function.ty(op.operands[0]))
    }

    fn is_tuple_of_operands(&self, op: &Operation) -> bool {
        let Type::Tuple(parts) = self.function.ty(op.results[0]) else { return false };
        parts.len() == op.operands.len()
            && parts.iter().zip(&op.operands).all(|(part, &v)| part == self.function.ty(v))
    }

    /// Do the results have the operands' types, one by one?
    fn same_types(&self, op: &Operation) -> bool {
        op.operands.len() == op.results.len()
            && op.operands.iter().zip(&op.results).all(|(&a, &b)| self.function.ty(a) == self.function.ty(b))
    }

    /// A structured attribute's dictionary style, for the forms in other files.
    pub fn put_dict(&mut self, entries: &AttrDict) -> fmt::Result {
        attr::dict(self.f, entries.iter(), self.style)
    }
}

/// Numbers of operands and results, where the syntax relies on them.
fn arity(op: &Op) -> Option<(usize, usize)> {
    Some(match op {
        Op::Iota { .. } | Op::PartitionId | Op::ReplicaId | Op::CreateToken => (0, 1),
        Op::Unary(..)
        | Op::DynamicIota { .. }
        | Op::GetDimensionSize { .. }
        | Op::Convert
        | Op::BitcastConvert
        | Op::UniformQuantize
        | Op::UniformDequantize
        | Op::ReducePrecision { .. }
        | Op::Reshape
        | Op::BroadcastInDim { .. }
        | Op::Broadcast { .. }
        | Op::Transpose { .. }
        | Op::Reverse { .. }
        | Op::Slice { .. }
        | Op::GetTupleElement { .. }
        | Op::Cholesky { .. }
        | Op::Fft { .. } => (1, 1),
        Op::Binary(_)
        | Op::Compare { .. }
        | Op::SetDimensionSize { .. }
        | Op::DynamicReshape
        | Op::DynamicBroadcastInDim { .. }
        | Op::Pad { .. }
        | Op::Dot { .. }
        | Op::DotGeneral { .. }
        | Op::Convolution(_)
        | Op::BroadcastBinary { .. } => (2, 1),
        Op::RngBitGenerator(_) | Op::TopK { .. } => (1, 2),
        Op::Select | Op::Clamp | Op::Rng(_) => (3, 1),
        _ => return None,
    })
}
