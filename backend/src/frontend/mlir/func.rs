//! Functions' bodies: values and their scopes, regions, operations in generic form, terminators.

use super::lexer::{Kind, Token};
use super::parser::Parser;
use crate::frontend::vhlo;
use sim_core::ir::{AttrDict, FunctionBuilder, RegionId, ValueId, generic};
use sim_core::{Diagnostic, Loc, Result, Type};
use smallvec::SmallVec;
use std::collections::HashMap;

/// The results that one name stands for: `%0`, or `%0#0` and on.
#[derive(Clone, Copy)]
struct Def {
    first: ValueId,
    count: u32,
    at: Token,
}

/// A function being read.
pub(super) struct Body<'a> {
    pub builder: FunctionBuilder,
    values: HashMap<&'a str, Def>,
    /// The names in `values`, oldest first, to forget them at the end of their region.
    names: Vec<&'a str>,
}

/// A name that an operation gives to results, and to how many of them.
type ResultName<'a> = (&'a str, Token, u32);

/// A use of a value.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub id: ValueId,
    pub tok: Token,
}

/// A region's argument as it was read.
pub(super) struct Arg<'a> {
    /// `%name`; empty when it has none.
    pub name: &'a str,
    pub tok: Token,
    pub ty: Type,
    pub loc: Loc,
}

/// An operation as it was read, before it becomes an [`Op`].
pub(super) struct RawOp<'a> {
    pub name: &'a str,
    pub operands: SmallVec<[Use; 4]>,
    pub operand_types: Vec<Type>,
    pub result_types: Vec<Type>,
    pub attrs: AttrDict,
    pub regions: Vec<RegionId>,
    /// A location inside the operation's own syntax.
    pub loc: Option<Loc>,
}

impl<'a> RawOp<'a> {
    pub fn new(name: &'a str) -> Self {
        RawOp {
            name,
            operands: SmallVec::new(),
            operand_types: Vec::new(),
            result_types: Vec::new(),
            attrs: AttrDict::new(),
            regions: Vec::new(),
            loc: None,
        }
    }
}

/// Ends a region.
pub(in crate::frontend) fn is_terminator(name: &str) -> bool {
    matches!(name, "stablehlo.return" | "func.return" | "sdy.return" | "chlo.return" | "mhlo.return")
}

impl<'a> Body<'a> {
    pub fn new(builder: FunctionBuilder) -> Self {
        Body { builder, values: HashMap::new(), names: Vec::new() }
    }

    fn define(&mut self, p: &Parser<'a>, name: &'a str, at: Token, first: ValueId, count: u32) -> Result<()> {
        if let Some(old) = self.values.insert(name, Def { first, count, at }) {
            return Err(p
                .error(at, format!("the value `{name}` is defined twice"))
                .note(format!("it is defined at byte {} already", old.at.start)));
        }
        self.names.push(name);
        Ok(())
    }

    /// Binds the arguments of the region that was just opened.
    pub fn define_args(&mut self, p: &Parser<'a>, args: &[Arg<'a>], values: &[ValueId]) -> Result<()> {
        for (arg, &id) in args.iter().zip(values) {
            if !arg.name.is_empty() {
                self.define(p, arg.name, arg.tok, id, 1)?;
            }
        }
        Ok(())
    }

    fn mark(&self) -> usize {
        self.names.len()
    }

    fn forget(&mut self, mark: usize) {
        for name in self.names.drain(mark..) {
            self.values.remove(name);
        }
    }
}

impl<'a> Parser<'a> {
    // Values

    pub fn at_value(&self) -> bool {
        self.tok.kind == Kind::Percent
    }

    /// `%name` or `%name#1`
    pub fn value(&mut self, f: &Body<'a>) -> Result<Use> {
        if !self.at_value() {
            return Err(self.expected("a value (`%name`)"));
        }
        let mut tok = self.bump();
        let name = self.text_of(tok);
        let mut number = 0;
        if self.tok.kind == Kind::Hash && self.tok.start == tok.end {
            let hash = self.bump();
            tok.end = hash.end;
            number = self
                .slice(hash.start + 1, hash.end)
                .parse::<u32>()
                .map_err(|_| self.error(hash, "expected the number of a result after `#`"))?;
        }
        let Some(def) = f.values.get(name) else {
            return Err(self.error(tok, format!("unknown value `{name}`")));
        };
        if number >= def.count {
            return Err(self.error(
                tok,
                format!("`{name}` has {} results, and this asks for number {number}", def.count),
            ));
        }
        Ok(Use { id: ValueId(def.first.0 + number), tok })
    }

    /// `%a, %b`, possibly none.
    pub fn values(&mut self, f: &Body<'a>) -> Result<SmallVec<[Use; 4]>> {
        let mut uses = SmallVec::new();
        if !self.at_value() {
            return Ok(uses);
        }
        loop {
            uses.push(self.value(f)?);
            if !self.eat(b',') {
                return Ok(uses);
            }
        }
    }

    /// `(%a, %b)`
    pub fn paren_values(&mut self, f: &Body<'a>) -> Result<SmallVec<[Use; 4]>> {
        let mut uses = SmallVec::new();
        self.list(b'(', b')', |p| {
            uses.push(p.value(f)?);
            Ok(())
        })?;
        Ok(uses)
    }

    /// Each use must have the type that the operation states.
    pub fn check_types(&self, f: &Body<'a>, op: &RawOp<'a>, at: Token) -> Result<()> {
        if op.operands.len() != op.operand_types.len() {
            return Err(self.error(
                at,
                format!(
                    "{} has {} operands and states {} operand types",
                    op.name,
                    op.operands.len(),
                    op.operand_types.len()
                ),
            ));
        }
        for (operand, stated) in op.operands.iter().zip(&op.operand_types) {
            let actual = f.builder.ty(operand.id);
            if actual != stated {
                return Err(self.error(
                    operand.tok,
                    format!("`{}` is a {actual}, and is used as a {stated}", self.text_of(operand.tok)),
                ));
            }
        }
        Ok(())
    }

    // Regions

    /// `{ ^bb0(args): operations terminator }`. `args` are those that the operation's own syntax has
    /// given already. `isolated`: values of the regions around are not visible.
    pub fn region(
        &mut self,
        f: &mut Body<'a>,
        args: Option<Vec<Arg<'a>>>,
        isolated: bool,
    ) -> Result<RegionId> {
        let mark = f.mark();
        let outer = isolated.then(|| {
            let names = std::mem::take(&mut f.names);
            (std::mem::take(&mut f.values), names)
        });
        let region = self.nested(|p| p.region_inner(f, args))?;
        match outer {
            Some((values, names)) => (f.values, f.names) = (values, names),
            None => f.forget(mark),
        }
        Ok(region)
    }

    fn region_inner(&mut self, f: &mut Body<'a>, args: Option<Vec<Arg<'a>>>) -> Result<RegionId> {
        self.expect(b'{')?;
        let args = match args {
            Some(args) => args,
            None if self.tok.kind == Kind::Caret => self.block_header()?,
            None => Vec::new(),
        };
        let id = f.builder.open_region(args.iter().map(|a| (a.ty.clone(), a.loc.clone())));
        let values = f.builder.function().region(id).args.clone();
        f.define_args(self, &args, &values)?;
        self.block(f)?;
        Ok(id)
    }

    /// `^bb0(%a: type loc(…), …):`
    pub fn block_header(&mut self) -> Result<Vec<Arg<'a>>> {
        self.bump();
        let mut args = Vec::new();
        if self.at_punct(b'(') {
            self.list(b'(', b')', |p| {
                let arg = p.arg()?;
                args.push(arg);
                Ok(())
            })?;
        }
        self.expect(b':')?;
        Ok(args)
    }

    /// `%a: type loc(…)`
    pub fn arg(&mut self) -> Result<Arg<'a>> {
        if !self.at_value() {
            return Err(self.expected("an argument (`%name: type`)"));
        }
        let tok = self.bump();
        self.expect(b':')?;
        let ty = self.parse_type()?;
        let loc = self.optional_loc()?;
        Ok(Arg { name: self.text_of(tok), tok, ty, loc })
    }

    /// The operations of an open region and its `}`.
    pub fn block(&mut self, f: &mut Body<'a>) -> Result<()> {
        loop {
            match self.tok.kind {
                Kind::Punct(b'}') => {
                    return Err(self
                        .error(self.tok, "the region ends without a terminator such as `stablehlo.return`"));
                }
                Kind::Caret => {
                    return Err(self
                        .unsupported(self.tok, "a region of several blocks")
                        .help("StableHLO's control flow is structured: if, case, while"));
                }
                _ => {}
            }
            if self.operation(f)? {
                break;
            }
        }
        if !self.at_punct(b'}') {
            return Err(self.expected("`}` after the terminator"));
        }
        self.bump();
        Ok(())
    }

    // Operations

    /// One operation. True if it was a terminator, which closed the region.
    pub fn operation(&mut self, f: &mut Body<'a>) -> Result<bool> {
        let start = self.tok;
        let results = self.result_names()?;
        let name_tok = self.tok;
        let mut op = match name_tok.kind {
            Kind::Str => self.generic(f)?,
            Kind::Bare => self.pretty(f)?,
            _ if results.is_empty() => return Err(self.expected("an operation")),
            _ => return Err(self.expected("an operation after `=`")),
        };
        let loc = match self.optional_loc()? {
            Loc::Unknown => op.loc.take().unwrap_or_default(),
            known => known,
        };
        let span = self.span(start.start, self.last_end);
        self.check_types(f, &op, name_tok)?;
        let at = self.tok_span(name_tok);
        let name = vhlo::check(op.name, "")
            .and_then(|()| vhlo::upgrade(op.name, &mut op.attrs, true))
            .map_err(|e| e.at(at).in_op(op.name, &loc))?;
        let operands: SmallVec<[ValueId; 4]> = op.operands.iter().map(|u| u.id).collect();
        if is_terminator(&name) {
            if !op.regions.is_empty() || !op.result_types.is_empty() || !results.is_empty() {
                return Err(self.error(name_tok, format!("{} has no results and no regions", op.name)));
            }
            f.builder.close_region(&operands, loc, op.attrs);
            return Ok(true);
        }
        let named: u64 = results.iter().map(|r| u64::from(r.2)).sum();
        if !results.is_empty() && named != op.result_types.len() as u64 {
            return Err(self.error(
                results[0].1,
                format!("{} has {} results, and {named} are named", op.name, op.result_types.len()),
            ));
        }
        if name == vhlo::CAST {
            self.rename(f, &op, &results, name_tok)?;
            return Ok(false);
        }
        let kind = generic::from_generic(
            &name,
            &mut op.attrs,
            &op.operand_types,
            &op.result_types,
            op.regions.len(),
        )
        .map_err(|e: Diagnostic| e.at(at).in_op(op.name, &loc))?;
        let id = f.builder.push(kind, &operands, op.result_types, &op.regions, op.attrs, loc, span);
        if results.is_empty() {
            return Ok(false);
        }
        let mut next = f.builder.function().op(id).results.first().copied().unwrap_or(ValueId(0));
        for (name, tok, count) in results {
            f.define(self, name, tok, next, count)?;
            next = ValueId(next.0 + count);
        }
        Ok(false)
    }

    /// A cast between types that are the same once VHLO's are StableHLO's: other names for its operands.
    fn rename(
        &mut self,
        f: &mut Body<'a>,
        op: &RawOp<'a>,
        results: &[ResultName<'a>],
        at: Token,
    ) -> Result<()> {
        if op.result_types != op.operand_types || results.iter().any(|r| r.2 != 1) {
            return Err(self.unsupported(at, format!("{} between different types", op.name)));
        }
        results
            .iter()
            .zip(&op.operands)
            .try_for_each(|(&(name, tok, _), operand)| f.define(self, name, tok, operand.id, 1))
    }

    /// `%0, %1:2 =`
    fn result_names(&mut self) -> Result<SmallVec<[ResultName<'a>; 1]>> {
        let mut names = SmallVec::new();
        if !self.at_value() {
            return Ok(names);
        }
        loop {
            if !self.at_value() {
                return Err(self.expected("a value (`%name`)"));
            }
            let tok = self.bump();
            let mut count = 1;
            if self.eat(b':') {
                let at = self.tok;
                let n = self.integer("a number of results")?;
                count = u32::try_from(n)
                    .ok()
                    .filter(|&n| n > 0)
                    .ok_or_else(|| self.error(at, "expected a positive number of results"))?;
            }
            names.push((self.text_of(tok), tok, count));
            if self.eat(b'=') {
                return Ok(names);
            }
            if !self.eat(b',') {
                return Err(self.expected("`=`"));
            }
        }
    }

    /// `"dialect.name"(%a, %b) <{properties}> ({regions}) {attributes} : (types) -> types`
    fn generic(&mut self, f: &mut Body<'a>) -> Result<RawOp<'a>> {
        let tok = self.bump();
        let mut op = RawOp::new(self.slice(tok.start + 1, tok.end - 1));
        op.operands = self.paren_values(f)?;
        self.generic_rest(f, &mut op)?;
        Ok(op)
    }

    /// What follows the operands of a generic form.
    pub fn generic_rest(&mut self, f: &mut Body<'a>, op: &mut RawOp<'a>) -> Result<()> {
        if self.at_punct(b'[') {
            return Err(self
                .unsupported(self.tok, format!("a branch (in {})", op.name))
                .help("StableHLO's control flow is structured: if, case, while"));
        }
        if self.eat(b'<') {
            op.attrs = self.attr_dict()?;
            self.expect(b'>')?;
        }
        if self.at_punct(b'(') {
            let isolated = op.name == "sdy.manual_computation" || op.name == "sdy.named_computation";
            let mut regions = Vec::new();
            self.list(b'(', b')', |p| {
                regions.push(p.region(f, None, isolated)?);
                Ok(())
            })?;
            op.regions = regions;
        }
        let tok = self.tok;
        for (name, value) in self.optional_attr_dict()?.0 {
            // Before properties existed, everything stood in the second dictionary.
            if !op.attrs.is_empty() && op.attrs.get(&name).is_some() {
                return Err(self.error(tok, format!("the attribute `{name}` is given twice")));
            }
            op.attrs.0.push((name, value));
        }
        self.expect(b':')?;
        let signature = self.function_type()?;
        op.operand_types = signature.inputs;
        op.result_types = signature.results;
        Ok(())
    }
}
