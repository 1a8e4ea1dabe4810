//! One operation: its pretty form if it has one, else the generic form.

use super::function::{Form, Printer};
use super::{attr, location};
use crate::ir::attr::AttrDict;
use crate::ir::generic::to_generic;
use crate::ir::module::{OpId, Operation};
use crate::types::Type;
use std::fmt;

impl Printer<'_, '_> {
    /// Writes an operation: all of it (`None`), or what stands before its first region.
    pub fn begin(&mut self, id: OpId) -> Result<Option<Form>, fmt::Error> {
        let op = self.function.op(id);
        self.results(&op.results)?;
        self.style.dialect = if op.name().starts_with("chlo.") { "chlo" } else { "stablehlo" };
        if !self.options.generic {
            if op.regions.is_empty() {
                if self.pretty(op)? {
                    location(self.f, &op.loc, self.options)?;
                    return Ok(None);
                }
            } else if let Some(form) = self.pretty_region_op(op)? {
                return Ok(form);
            }
        }
        write!(self.f, "\"{}\"(", op.name())?;
        self.values(&op.operands)?;
        self.f.write_char(')')?;
        let attrs = to_generic(&op.op, op.operands.len(), op.results.len());
        if !attrs.is_empty() {
            self.f.write_str(" <")?;
            attr::dict(self.f, attrs.iter(), self.style)?;
            self.f.write_char('>')?;
        }
        if op.regions.is_empty() {
            self.generic_tail(op)?;
            return Ok(None);
        }
        self.f.write_str(" (")?;
        Ok(Some(Form::Generic))
    }

    /// What stands after an operation's last region.
    pub fn end(&mut self, id: OpId, form: Form) -> fmt::Result {
        let op = self.function.op(id);
        match form {
            Form::Generic => {
                self.f.write_char(')')?;
                self.style.dialect = "stablehlo";
                self.generic_tail(op)
            }
            Form::While | Form::Reduce => location(self.f, &op.loc, self.options),
        }
    }

    /// ` {leftover} : (operands) -> results loc(…)`
    fn generic_tail(&mut self, op: &Operation) -> fmt::Result {
        self.leftover(op)?;
        self.f.write_str(" : ")?;
        self.function_type(op)?;
        location(self.f, &op.loc, self.options)
    }

    /// The attributes that the operation does not model, with a space before them.
    pub fn leftover(&mut self, op: &Operation) -> fmt::Result {
        self.leftover_and(op, &AttrDict::new())
    }

    /// The dictionary of a pretty form: `extra` and the unmodelled ones.
    pub fn leftover_and(&mut self, op: &Operation, extra: &AttrDict) -> fmt::Result {
        if extra.is_empty() && op.attrs.is_empty() {
            return Ok(());
        }
        self.f.write_char(' ')?;
        attr::dict(self.f, extra.iter().chain(op.attrs.iter()), self.style)
    }

    /// `(tensor<f32>) -> tensor<f32>`
    pub fn function_type(&mut self, op: &Operation) -> fmt::Result {
        self.f.write_char('(')?;
        self.types(&op.operands)?;
        self.f.write_str(") -> ")?;
        match op.results[..] {
            [one] if !matches!(self.function.ty(one), Type::Function(_)) => self.types(&[one]),
            _ => {
                self.f.write_char('(')?;
                self.types(&op.results)?;
                self.f.write_char(')')
            }
        }
    }
}
