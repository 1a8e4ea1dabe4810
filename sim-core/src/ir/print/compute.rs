//! The pretty forms of contractions, transforms, random numbers, and of `while` and `reduce`.

use super::attr;
use super::function::{Form, Printer};
use super::pretty::Types;
use super::text::{comma, ints};
use crate::ir::attr::AttrDict;
use crate::ir::generic::keyword::Keyword;
use crate::ir::module::{Operation, ValueDef};
use crate::ir::op::{Binary, ConvAttrs, DotDims, Op, Precision};
use crate::loc::Loc;
use crate::types::{TensorType, Type};
use std::fmt::{self, Write};

impl Printer<'_, '_> {
    /// As [`Printer::pretty`], which has checked the numbers of operands and results.
    pub fn pretty_compute(&mut self, op: &Operation) -> Result<bool, fmt::Error> {
        match &op.op {
            Op::Dot { precision } => {
                self.head(op, 2)?;
                self.precision(precision)?;
                self.tail(op, Types::Function)?;
            }
            Op::DotGeneral { dims, precision, algorithm: None } => {
                self.head(op, 2)?;
                self.dot_dims(dims)?;
                self.precision(precision)?;
                self.tail(op, Types::Function)?;
            }
            Op::Convolution(conv) if conv.window_reversal.is_empty() => self.convolution(op, conv)?,
            Op::Fft { ty, length } => {
                self.head(op, 1)?;
                write!(self.f, ", type = {}, length = ", ty.word())?;
                ints(self.f, length)?;
                self.tail(op, Types::Function)?;
            }
            Op::Rng(distribution) => {
                self.head(op, 3)?;
                write!(self.f, ", distribution = {}", distribution.word())?;
                self.tail(op, Types::Function)?;
            }
            Op::RngBitGenerator(algorithm) => {
                self.head(op, 1)?;
                write!(self.f, ", algorithm = {}", algorithm.word())?;
                self.tail(op, Types::Function)?;
            }
            Op::Cholesky { lower } => {
                self.head(op, 1)?;
                if *lower {
                    self.f.write_str(", lower = true")?;
                }
                self.tail(op, Types::Same)?;
            }
            // Older parsers do not know the `is_stable` of this syntax.
            Op::TopK { k, stable: None } => {
                self.f.write_str("chlo.top_k(")?;
                self.value(op.operands[0])?;
                write!(self.f, ", k = {k})")?;
                self.leftover(op)?;
                self.f.write_str(" : ")?;
                self.types(&op.operands)?;
                self.f.write_str(" -> (")?;
                self.types(&op.results)?;
                self.f.write_char(')')?;
            }
            Op::BroadcastBinary { .. } => {
                self.head(op, 2)?;
                self.leftover_but(op, &[])?;
                self.f.write_str(" : ")?;
                self.function_type(op)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `, precision = [DEFAULT, HIGHEST]`
    fn precision(&mut self, precision: &[Precision]) -> fmt::Result {
        if precision.is_empty() {
            return Ok(());
        }
        self.f.write_str(", precision = [")?;
        comma(self.f, precision, |f, p| f.write_str(p.word()))?;
        self.f.write_char(']')
    }

    /// `, batching_dims = [0] x [0], contracting_dims = [2] x [1]`
    fn dot_dims(&mut self, dims: &DotDims) -> fmt::Result {
        let lists = [
            ("batching_dims", &dims.lhs_batch, &dims.rhs_batch),
            ("contracting_dims", &dims.lhs_contract, &dims.rhs_contract),
        ];
        for (name, lhs, rhs) in lists {
            if name == "batching_dims" && lhs.is_empty() && rhs.is_empty() {
                continue;
            }
            write!(self.f, ", {name} = ")?;
            ints(self.f, lhs)?;
            self.f.write_str(" x ")?;
            ints(self.f, rhs)?;
        }
        Ok(())
    }

    fn convolution(&mut self, op: &Operation, conv: &ConvAttrs) -> fmt::Result {
        self.f.write_str("stablehlo.convolution(")?;
        self.values(&op.operands)?;
        self.f.write_str(") dim_numbers = ")?;
        attr::conv(self.f, &conv.dims)?;
        self.f.write_str(", window = {")?;
        let mut first = true;
        let mut entry = |f: &mut dyn Write, name: &str| {
            f.write_str(if std::mem::take(&mut first) { "" } else { ", " })?;
            write!(f, "{name} = ")
        };
        if !conv.window_strides.is_empty() {
            entry(self.f, "stride")?;
            ints(self.f, &conv.window_strides)?;
        }
        if !conv.padding.is_empty() {
            entry(self.f, "pad")?;
            self.f.write_char('[')?;
            comma(self.f, &conv.padding, |f, (low, high)| write!(f, "[{low}, {high}]"))?;
            self.f.write_char(']')?;
        }
        for (name, dilation) in [("lhs_dilate", &conv.lhs_dilation), ("rhs_dilate", &conv.rhs_dilation)] {
            if !dilation.is_empty() {
                entry(self.f, name)?;
                ints(self.f, dilation)?;
            }
        }
        self.f.write_char('}')?;
        let placed = ["dimension_numbers", "window_strides", "padding", "lhs_dilation", "rhs_dilation"];
        self.leftover_but(op, &placed)?;
        self.f.write_str(" : ")?;
        self.function_type(op)
    }

    /// The pretty form of an operation with regions: `Some(None)` when all is written,
    /// `Some(Some(form))` when its regions follow, `None` when it has no such form.
    pub fn pretty_region_op(&mut self, op: &Operation) -> Result<Option<Option<Form>>, fmt::Error> {
        match &op.op {
            Op::While => Ok(self.begin_while(op)?.then_some(Some(Form::While))),
            Op::Reduce { dims } => self.begin_reduce(op, dims),
            _ => Ok(None),
        }
    }

    /// `stablehlo.while(%arg2 = %0) : tensor<i32> attributes {…}`; the arguments are named once for
    /// both regions, without types or locations of their own.
    fn begin_while(&mut self, op: &Operation) -> Result<bool, fmt::Error> {
        let function = self.function;
        let &[cond, body] = &op.regions[..] else { return Ok(false) };
        let (cond, body) = (&function.region(cond).args, &function.region(body).args);
        let alike = op.operands.len() == op.results.len()
            && [cond, body].iter().all(|args| {
                args.len() == op.operands.len()
                    && args.iter().zip(&op.operands).all(|(&arg, &v)| {
                        function.ty(arg) == function.ty(v) && self.may_drop_loc(&function.value(arg).loc)
                    })
            })
            && op.operands.iter().zip(&op.results).all(|(&v, &r)| function.ty(v) == function.ty(r));
        if !alike {
            return Ok(false);
        }
        self.name_args_alike([body, cond]);
        self.f.write_str("stablehlo.while(")?;
        for (i, (&arg, &operand)) in body.iter().zip(&op.operands).enumerate() {
            self.f.write_str(if i > 0 { ", " } else { "" })?;
            self.value(arg)?;
            self.f.write_str(" = ")?;
            self.value(operand)?;
        }
        self.f.write_char(')')?;
        if !op.operands.is_empty() {
            self.f.write_str(" : ")?;
            self.types(&op.operands)?;
        }
        if !op.attrs.is_empty() {
            self.f.write_str(" attributes ")?;
            self.put_dict(&op.attrs)?;
        }
        Ok(true)
    }

    /// May a location without a place in the syntax be left out?
    fn may_drop_loc(&self, loc: &Loc) -> bool {
        !self.options.locations || loc.is_unknown()
    }

    /// `stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : …`, or the
    /// same with a reducer's region instead of `applies`.
    fn begin_reduce(&mut self, op: &Operation, dims: &[i64]) -> Result<Option<Option<Form>>, fmt::Error> {
        let (&[region], n) = (&op.regions[..], op.operands.len() / 2) else { return Ok(None) };
        let args = &self.function.region(region).args;
        if n == 0 || op.operands.len() != 2 * n || args.len() != 2 * n {
            return Ok(None);
        }
        let applied = if n == 1 { self.applied(op) } else { None };
        self.f.write_str("stablehlo.reduce(")?;
        for i in 0..n {
            self.f.write_str(if i > 0 { ", (" } else { "" })?;
            self.value(op.operands[i])?;
            self.f.write_str(" init: ")?;
            self.value(op.operands[n + i])?;
            self.f.write_char(')')?;
        }
        if let Some(binary) = applied {
            write!(self.f, " applies {}", binary.name())?;
        }
        self.f.write_str(" across dimensions = ")?;
        ints(self.f, dims)?;
        self.leftover_and(op, &AttrDict::new())?;
        self.f.write_str(" : ")?;
        self.function_type(op)?;
        if applied.is_some() {
            super::location(self.f, &op.loc, self.options)?;
            return Ok(Some(None));
        }
        Ok(Some(Some(Form::Reduce)))
    }

    /// The commutative operation that a reducer's body is, if it is one and the short form says all
    /// there is to say about it.
    fn applied(&self, op: &Operation) -> Option<Binary> {
        let function = self.function;
        let region = function.region(op.regions[0]);
        let &[inner] = &region.ops[..] else { return None };
        let inner_op = function.op(inner);
        let Op::Binary(binary) = inner_op.op else { return None };
        let commutative = matches!(
            binary,
            Binary::Add
                | Binary::And
                | Binary::Maximum
                | Binary::Minimum
                | Binary::Multiply
                | Binary::Or
                | Binary::Xor
        );
        let scalar = match function.ty(op.operands[0]) {
            Type::Tensor(t) => {
                Type::from(TensorType { dims: Default::default(), encoding: None, ..(**t).clone() })
            }
            _ => return None,
        };
        let wired = inner_op.operands[..] == region.args[..]
            && matches!(region.results[..], [v] if function.value(v).def == ValueDef::Result(inner, 0));
        let typed = region.args.iter().chain(&inner_op.results).all(|&v| function.ty(v) == &scalar);
        let bare = inner_op.attrs.is_empty() && region.return_attrs.is_empty();
        // What the short form creates has the location of the whole.
        let located = !self.options.locations
            || (inner_op.loc == op.loc
                && region.return_loc == op.loc
                && region.args.iter().all(|&v| function.value(v).loc == op.loc));
        (commutative && wired && typed && bare && located).then_some(binary)
    }
}
