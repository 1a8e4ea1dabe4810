//! The operations' own syntaxes.
//!
//! Most are a row of the table in [`formats`]: a list of [`Piece`]s that this file walks. A few have
//! syntax of their own: `reduce`, `while`, `scan` ([`control`]) and Shardy's ([`sdy`]).

mod clauses;
mod control;
mod formats;
mod sdy;

use super::func::{Body, RawOp};
use super::hlo_attrs::{EnumAttr, hlo};
use super::lexer::Kind;
use super::parser::Parser;
use crate::frontend::vhlo;
use sim_core::ir::op::HloAttr;
use sim_core::ir::{Attr, AttrDict, generic};
use sim_core::{Diagnostic, ElementType, ErrorKind, Result, Type};
use std::sync::Arc;

/// One piece of an operation's syntax.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    /// A keyword.
    Word(&'static str),
    /// A character of punctuation.
    Char(u8),
    /// One operand.
    Operand,
    /// Operands between commas, possibly none.
    Operands,
    /// Operands, each with a comma after it.
    OperandsComma,
    /// An attribute of this name.
    Attr(&'static str, Form),
    /// The dictionary of all other attributes, if it is there.
    AttrDict,
    /// Taken if its first piece is in view.
    Optional(&'static [Piece]),
    /// A clause with a rule of its own.
    Clause(Clause),
    /// The types, with their colon.
    Types(Types),
}

/// How an attribute is written in a pretty form.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    I64,
    /// `[1, 2]`
    I64s,
    Bool,
    Str,
    /// `@target`, kept as a string
    SymbolText,
    /// `@callee`
    Symbol,
    Enum(EnumAttr),
    /// `dense<…> : type`
    Any,
    F64,
    U64,
    /// Unsigned, 32 bits
    U32,
}

/// Clauses that are more than an attribute.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clause {
    /// `[0:4, 2:10:2]`: start, limit and strides
    SliceRanges,
    /// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`
    DotDims,
    /// `, precision = [HIGH, DEFAULT]`, optional
    Precision,
    /// `, precision = […], algorithm = <…>`, each optional
    PrecisionAndAlgorithm,
    /// `dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`
    ConvDims,
    /// `window = {stride = [2, 2], pad = [[0, 1], [0, 1]]}`
    Window,
    /// `e5m10`
    ExponentMantissa,
    /// Regions in parentheses, optional
    Regions,
}

/// How a pretty form states types. `function type` always may stand in its place where operands
/// and results could differ.
#[derive(Clone, Copy, Debug)]
pub(super) enum Types {
    /// `(a, b) -> c`
    Functional,
    /// `t` for everything, or a function type
    Same,
    /// `t`, the result's; the parts are its real type; or a function type
    Complex,
    /// `pred, t`, or a function type
    Select,
    /// `tuple<…>`, the result's
    Tuple,
    /// `a, b`: the operands' and the results'
    Pairwise,
    /// `a, b`: the results' (no operands)
    Results,
    /// `t`: of every operand; no results
    Operands,
    /// `a, b`: each operand's; no results
    EachOperand,
    /// `a, b -> c`
    Arrow,
    /// The first operand's type is the `value` attribute's; no colon
    OfValue,
    /// The result's type is the `value` attribute's; no colon
    ResultOfValue,
}

/// Names that stand without their dialect inside a function.
fn full_name(name: &str) -> &str {
    match name {
        "return" => "func.return",
        "call" => "func.call",
        _ => name,
    }
}

impl<'a> Parser<'a> {
    /// An operation in its own syntax.
    pub fn pretty(&mut self, f: &mut Body<'a>) -> Result<RawOp<'a>> {
        let tok = self.tok;
        let name = full_name(self.text_of(tok));
        let mut op = RawOp::new(name);
        if let Some(pieces) = formats::find(name) {
            self.bump();
            if self.at_punct(b'(') && name.ends_with(".constant") {
                // A constant whose result type differs from its value's is printed in generic form.
                self.expect(b'(')?;
                self.expect(b')')?;
                self.generic_rest(f, &mut op)?;
                return Ok(op);
            }
            self.pieces(f, &mut op, pieces)?;
            return Ok(op);
        }
        let custom = match name {
            "stablehlo.reduce" => Self::reduce,
            "stablehlo.while" => Self::while_loop,
            "chlo.scan" => Self::scan,
            vhlo::CAST => Self::cast,
            _ if name.starts_with("sdy.") => Self::sdy,
            _ => return Err(self.no_pretty_form(name)),
        };
        self.bump();
        custom(self, f, &mut op)?;
        Ok(op)
    }

    /// `%a, %b : types to types`
    fn cast(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>) -> Result<()> {
        op.operands = self.values(f)?;
        self.expect(b':')?;
        op.operand_types = self.bare_types()?;
        self.expect_word("to")?;
        op.result_types = self.bare_types()?;
        op.attrs = self.optional_attr_dict()?;
        Ok(())
    }

    fn no_pretty_form(&self, name: &str) -> Diagnostic {
        let tok = self.tok;
        if !name.contains('.') {
            return self.expected("an operation");
        }
        self.no_such_operation(name).unwrap_or_else(|| {
            self.error(tok, format!("{name} has no syntax of its own"))
                .help(format!("write it in generic form: \"{name}\"(…) <{{…}}> : (…) -> …"))
        })
    }

    /// The error for a name that no operation has, if that is so.
    fn no_such_operation(&self, name: &str) -> Option<Diagnostic> {
        let error = generic::from_generic(name, &mut AttrDict::new(), &[], &[], 0).err()?;
        (error.kind() == ErrorKind::Unsupported).then(|| error.at(self.tok_span(self.tok)))
    }

    fn pieces(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>, pieces: &[Piece]) -> Result<()> {
        for &piece in pieces {
            self.piece(f, op, piece)?;
        }
        Ok(())
    }

    fn piece(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>, piece: Piece) -> Result<()> {
        match piece {
            Piece::Word(word) => self.expect_word(word)?,
            Piece::Char(c) => {
                self.expect(c)?;
            }
            Piece::Operand => {
                let operand = self.value(f)?;
                op.operands.push(operand);
            }
            Piece::Operands => {
                let operands = self.values(f)?;
                op.operands.extend(operands);
            }
            Piece::OperandsComma => {
                while self.at_value() {
                    let operand = self.value(f)?;
                    op.operands.push(operand);
                    self.expect(b',')?;
                }
            }
            Piece::Attr(name, form) => {
                let value = self.form(form)?;
                op.attrs.0.push((name.into(), value));
            }
            Piece::AttrDict => self.more_attrs(op)?,
            Piece::Optional(inner) => {
                let taken = match inner.first() {
                    Some(Piece::Char(c)) => self.at_punct(*c),
                    Some(Piece::Word(word)) => self.at_word(word),
                    Some(Piece::Operand) => self.at_value(),
                    Some(Piece::Types(_)) => self.at_punct(b':'),
                    _ => false,
                };
                if taken {
                    self.pieces(f, op, inner)?;
                }
            }
            Piece::Clause(clause) => self.clause(f, op, clause)?,
            Piece::Types(types) => self.types(op, types)?,
        }
        Ok(())
    }

    /// `{name = value}` if it is there, added to what the syntax gave already.
    fn more_attrs(&mut self, op: &mut RawOp<'a>) -> Result<()> {
        let tok = self.tok;
        for (name, value) in self.optional_attr_dict()?.0 {
            if op.attrs.get(&name).is_some() {
                return Err(self.error(tok, format!("the attribute `{name}` is given twice")));
            }
            op.attrs.0.push((name, value));
        }
        Ok(())
    }

    /// `attributes {…}` if it is there.
    fn attrs_with_keyword(&mut self, op: &mut RawOp<'a>) -> Result<()> {
        if self.eat_word("attributes") { self.more_attrs(op) } else { Ok(()) }
    }

    fn form(&mut self, form: Form) -> Result<Attr> {
        Ok(match form {
            Form::I64 => Attr::Int(self.integer("an integer")?, ElementType::S64),
            Form::U64 => Attr::Int(self.unsigned("an integer")?, ElementType::U64),
            Form::U32 => Attr::Int(self.unsigned("an integer")?, ElementType::U32),
            Form::I64s => {
                if self.at_word("array") {
                    self.attr()?
                } else {
                    Attr::i64s(&self.integers()?)
                }
            }
            Form::Bool => Attr::Bool(self.boolean()?),
            Form::Str => Attr::String(self.string("a string")?),
            Form::SymbolText => Attr::String(self.symbol_name()?),
            Form::Symbol => self.symbol()?,
            Form::Enum(kind) => {
                if self.tok.kind == Kind::Hash {
                    self.attr()?
                } else {
                    self.enum_word(kind)?
                }
            }
            Form::Any => self.attr()?,
            Form::F64 => Attr::Float(self.float("a number")?, ElementType::F64),
        })
    }

    fn types(&mut self, op: &mut RawOp<'a>, types: Types) -> Result<()> {
        let of_value = |p: &Self, op: &RawOp<'a>| match op.attrs.get("value") {
            Some(Attr::Dense(d)) => Ok(d.ty.clone()),
            _ => Err(p.expected("a constant (`dense<…>`)")),
        };
        match types {
            Types::OfValue => {
                let ty = of_value(self, op)?;
                op.operand_types = vec![ty; op.operands.len()];
                return Ok(());
            }
            Types::ResultOfValue => {
                op.result_types = vec![of_value(self, op)?];
                return Ok(());
            }
            _ => {}
        }
        self.expect(b':')?;
        let tok = self.tok;
        let n = op.operands.len();
        match types {
            Types::Functional => {
                let ty = self.function_type()?;
                op.operand_types = ty.inputs;
                op.result_types = ty.results;
            }
            Types::Pairwise => {
                op.operand_types = self.bare_types()?;
                op.result_types = op.operand_types.clone();
            }
            Types::Results => op.result_types = self.bare_types()?,
            Types::Operands => op.operand_types = vec![self.parse_type()?; n],
            Types::EachOperand => op.operand_types = self.bare_types()?,
            Types::Arrow => {
                op.operand_types = self.bare_types()?;
                self.expect_arrow()?;
                op.result_types = self.result_types()?;
            }
            _ => match (types, self.parse_type()?) {
                (Types::Same | Types::Complex | Types::Select, Type::Function(ty)) => {
                    op.operand_types = ty.inputs.clone();
                    op.result_types = ty.results.clone();
                }
                (Types::Same, ty) => {
                    op.operand_types = vec![ty.clone(); n];
                    op.result_types = vec![ty];
                }
                (Types::Complex, ty) => {
                    let Some(t) = ty.as_tensor().filter(|t| t.element.is_complex()) else {
                        return Err(self.error(tok, format!("expected a complex tensor type, found {ty}")));
                    };
                    op.operand_types = vec![t.with_element(t.element.real_part()).into(); n];
                    op.result_types = vec![ty];
                }
                (Types::Select, pred) => {
                    self.expect(b',')?;
                    let ty = self.parse_type()?;
                    op.operand_types = vec![pred, ty.clone(), ty.clone()];
                    op.result_types = vec![ty];
                }
                (_, Type::Tuple(items)) => {
                    op.operand_types = items.to_vec();
                    op.result_types = vec![Type::Tuple(items)];
                }
                (_, other) => return Err(self.error(tok, format!("expected a tuple type, found {other}"))),
            },
        }
        Ok(())
    }
}

/// `precision_config` as the generic form has it.
fn precision_config(values: Vec<Attr>) -> Attr {
    Attr::Array(values.into())
}

/// A typed attribute of the dialects.
fn wrap(attr: HloAttr) -> Attr {
    hlo(attr)
}

/// `dense<…> : tensor<nx2xi64>` of pairs.
fn pairs(values: &[(i64, i64)]) -> Attr {
    use sim_core::ir::attr::Dense;
    let flat: Vec<i64> = values.iter().flat_map(|&(a, b)| [a, b]).collect();
    Attr::Dense(Arc::new(Dense::new(sim_core::Tensor::from_slice(&[values.len(), 2], &flat))))
}
