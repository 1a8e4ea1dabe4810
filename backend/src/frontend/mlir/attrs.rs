//! Attributes: numbers, strings, symbols, arrays, dictionaries, types, `array<…>`, `dense<…>`,
//! dialect attributes and their verbatim form.

use super::lexer::{self, Kind, Token};
use super::number;
use super::parser::{Alias, MAX_DEPTH, Parser};
use sim_core::ir::{Attr, AttrDict};
use sim_core::{ElementType, Result, Type};
use std::collections::HashSet;
use std::sync::Arc;

impl<'a> Parser<'a> {
    /// Any attribute, with its `: type` where it has one.
    pub fn attr(&mut self) -> Result<Attr> {
        self.count(0);
        self.nested(Self::attr_inner)
    }

    fn attr_inner(&mut self) -> Result<Attr> {
        let tok = self.tok;
        match tok.kind {
            Kind::Int | Kind::Float | Kind::Punct(b'-') => self.number_attr(),
            Kind::Str => {
                let text = self.string("a string")?;
                self.count(text.len());
                // A string may have a type, which says nothing that we use.
                if self.eat(b':') {
                    self.parse_type()?;
                }
                Ok(Attr::String(text))
            }
            Kind::At => self.symbol(),
            Kind::Punct(b'[') => {
                let mut items = Vec::new();
                self.list(b'[', b']', |p| {
                    items.push(p.attr()?);
                    Ok(())
                })?;
                Ok(Attr::Array(items.into()))
            }
            Kind::Punct(b'{') => Ok(Attr::Dict(Arc::new(self.attr_dict()?))),
            Kind::Hash => self.hash_attr(),
            Kind::Bare => match self.text_of(tok) {
                "true" => {
                    self.bump();
                    Ok(Attr::Bool(true))
                }
                "false" => {
                    self.bump();
                    Ok(Attr::Bool(false))
                }
                "unit" => {
                    self.bump();
                    Ok(Attr::Unit)
                }
                "dense" => Ok(Attr::Dense(Arc::new(self.dense()?))),
                "dense_resource" => Ok(Attr::Dense(Arc::new(self.dense_resource()?))),
                "array" => self.dense_array(),
                "loc" => Ok(Attr::Loc(self.loc()?)),
                "affine_map" | "affine_set" | "strided" | "opaque" => {
                    self.bump();
                    Ok(Attr::Verbatim(self.verbatim_brackets(tok.start)?))
                }
                "sparse" => Err(self.unsupported(tok, "a sparse elements attribute")),
                "distinct" => {
                    self.bump();
                    self.expect(b'[')?;
                    self.integer("an identity")?;
                    self.expect(b']')?;
                    Ok(Attr::Verbatim(self.verbatim_brackets(tok.start)?))
                }
                _ if self.at_type() => Ok(Attr::Type(self.parse_type()?)),
                _ => Err(self.expected("an attribute")),
            },
            _ if self.at_type() => Ok(Attr::Type(self.parse_type()?)),
            _ => Err(self.expected("an attribute")),
        }
    }

    /// `@a::@b`
    pub fn symbol(&mut self) -> Result<Attr> {
        Ok(Attr::Symbol(self.symbol_path()?))
    }

    pub fn symbol_path(&mut self) -> Result<Arc<[Arc<str>]>> {
        let mut path = vec![self.symbol_name()?];
        // `::` is two colons to the lexer.
        while self.at_punct(b':') && self.src.get(self.tok.end..self.tok.end + 2) == Some(b":@") {
            self.bump();
            self.bump();
            path.push(self.symbol_name()?);
        }
        Ok(path.into())
    }

    /// `{name = value, unit_name, "quoted name" = value}`
    pub fn attr_dict(&mut self) -> Result<AttrDict> {
        let mut dict = AttrDict::new();
        let mut seen: HashSet<Arc<str>> = HashSet::new();
        self.list(b'{', b'}', |p| {
            let tok = p.tok;
            let name = match tok.kind {
                Kind::Bare => {
                    p.bump();
                    p.intern(p.text_of(tok))
                }
                Kind::Str => p.string("an attribute's name")?,
                _ => return Err(p.expected("an attribute's name")),
            };
            // Dictionaries are short lists; long ones must not cost a quadratic search.
            let twice = if dict.len() < 16 {
                dict.get(&name).is_some()
            } else {
                if seen.is_empty() {
                    seen.extend(dict.0.iter().map(|(name, _)| name.clone()));
                }
                !seen.insert(name.clone())
            };
            if twice {
                return Err(p.error(tok, format!("the attribute `{name}` is given twice")));
            }
            let value = if p.eat(b'=') { p.attr()? } else { Attr::Unit };
            dict.0.push((name, value));
            Ok(())
        })?;
        Ok(dict)
    }

    /// A dictionary if one is in view.
    pub fn optional_attr_dict(&mut self) -> Result<AttrDict> {
        if self.at_punct(b'{') { self.attr_dict() } else { Ok(AttrDict::new()) }
    }

    /// `3`, `-1 : i32`, `0x1p`, `1.5 : f32`, `0x7FC00000 : f32`
    fn number_attr(&mut self) -> Result<Attr> {
        let start = self.tok;
        let negative = self.eat(b'-');
        let tok = self.tok;
        if !matches!(tok.kind, Kind::Int | Kind::Float) {
            return Err(self.expected("a number"));
        }
        self.bump();
        let text = self.text_of(tok);
        let span = Token { kind: tok.kind, start: start.start, end: tok.end };
        let ty = if self.at_punct(b':') && self.number_has_type() {
            self.bump();
            let at = self.tok;
            match self.parse_type()? {
                Type::Scalar(e) if !e.is_complex() => e,
                other => return Err(self.error(at, format!("{other} cannot be the type of a number"))),
            }
        } else if tok.kind == Kind::Float {
            ElementType::F64
        } else {
            ElementType::S64
        };
        if ty.is_float() {
            let value = match tok.kind {
                Kind::Int => number::float_bits(text, ty).filter(|_| !negative),
                _ => number::float(text, negative).map(|x| number::round_to(x, ty)),
            };
            return value.map(|x| Attr::Float(x, ty)).ok_or_else(|| {
                self.error(
                    span,
                    format!(
                        "expected a number of type {ty}: decimal with a point, or its bits in hexadecimal"
                    ),
                )
            });
        }
        if tok.kind == Kind::Float {
            return Err(self.error(span, format!("a floating-point number of type {ty}")));
        }
        match number::int(text, negative, ty) {
            Some(n) if ty == ElementType::Pred => Ok(Attr::Bool(n != 0)),
            Some(n) => Ok(Attr::Int(n, ty)),
            None => Err(self.error(span, format!("the number does not fit {ty}"))),
        }
    }

    /// After a number, does `:` begin its type (rather than belong to a pretty form, as in `0.5:3`)?
    fn number_has_type(&self) -> bool {
        let next = lexer::next(self.src, self.tok.end);
        next.kind == Kind::Bang
            || (next.kind == Kind::Bare && ElementType::from_mlir_name(self.text_of(next)).is_some())
    }

    /// An integer without a sign that fits u64, wrapped into i64.
    pub fn unsigned(&mut self, what: &str) -> Result<i64> {
        if self.tok.kind != Kind::Int {
            return Err(self.expected(what));
        }
        let tok = self.bump();
        number::int(self.text_of(tok), false, ElementType::U64)
            .ok_or_else(|| self.error(tok, format!("{what} does not fit 64 bits")))
    }

    /// A signed decimal or hexadecimal integer that fits i64.
    pub fn integer(&mut self, what: &str) -> Result<i64> {
        let start = self.tok;
        let negative = self.eat(b'-');
        if self.tok.kind != Kind::Int {
            return Err(self.expected(what));
        }
        let tok = self.bump();
        number::int(self.text_of(tok), negative, ElementType::S64)
            .filter(|&n| negative || n >= 0)
            .ok_or_else(|| self.error_at(start.start, tok.end, format!("{what} does not fit 64 bits")))
    }

    /// A signed number with or without a point.
    pub fn float(&mut self, what: &str) -> Result<f64> {
        let negative = self.eat(b'-');
        if !matches!(self.tok.kind, Kind::Int | Kind::Float) {
            return Err(self.expected(what));
        }
        let tok = self.bump();
        let text = self.text_of(tok);
        let value = if text.starts_with("0x") {
            number::float_bits(text, ElementType::F64)
        } else {
            number::float(text, negative)
        };
        value.ok_or_else(|| self.error(tok, format!("expected {what}")))
    }

    /// `[1, 2]`
    pub fn integers(&mut self) -> Result<Vec<i64>> {
        let mut values = Vec::new();
        self.list(b'[', b']', |p| {
            values.push(p.integer("an integer")?);
            Ok(())
        })?;
        Ok(values)
    }

    /// `array<i64: 1, 2>`
    fn dense_array(&mut self) -> Result<Attr> {
        self.bump();
        self.expect(b'<')?;
        let tok = self.tok;
        let ty = match self.parse_type()? {
            Type::Scalar(e) if !e.is_complex() => e,
            other => return Err(self.error(tok, format!("an array cannot hold {other}"))),
        };
        let mut values = Vec::new();
        if self.eat(b':') {
            loop {
                values.push(self.array_element(ty)?);
                if !self.eat(b',') {
                    break;
                }
            }
        }
        if !self.at_punct(b'>') {
            return Err(self.expected("`,` or `>`"));
        }
        self.bump();
        Ok(Attr::DenseArray(ty, values.into()))
    }

    fn array_element(&mut self, ty: ElementType) -> Result<i64> {
        let start = self.tok;
        if ty == ElementType::Pred && start.kind == Kind::Bare {
            return match self.word("true or false")? {
                "true" => Ok(1),
                "false" => Ok(0),
                _ => Err(self.error(start, "expected true or false")),
            };
        }
        let negative = self.eat(b'-');
        let tok = self.tok;
        if !matches!(tok.kind, Kind::Int | Kind::Float) {
            return Err(self.expected(&format!("a number of type {ty}")));
        }
        self.bump();
        let text = self.text_of(tok);
        let value = if ty.is_float() {
            let x = match tok.kind {
                Kind::Int => number::float_bits(text, ty).filter(|_| !negative),
                _ => number::float(text, negative).map(|x| number::round_to(x, ty)),
            };
            x.map(|x| x.to_bits() as i64)
        } else if tok.kind == Kind::Int {
            number::int(text, negative, ty)
        } else {
            None
        };
        value.ok_or_else(|| self.error_at(start.start, tok.end, format!("expected a number of type {ty}")))
    }

    /// `#alias`, `#dialect.name<…>`, `#dialect<name …>`
    fn hash_attr(&mut self) -> Result<Attr> {
        let tok = self.bump();
        let name = self.text_of(tok);
        let body = self.at_punct(b'<') && self.tok.start == tok.end;
        if name.contains('.') || body {
            return match self.known_dialect_attr(tok)? {
                Some(attr) => Ok(attr),
                None => {
                    // Back to the start: what is not understood is kept as its text.
                    self.seek(tok.start);
                    self.bump();
                    self.rest_verbatim(tok)
                }
            };
        }
        match self.alias(name, tok)? {
            Alias::Attr(a) => {
                self.loc_depth = a.loc_depth;
                Ok(a.value)
            }
            _ => Err(self.error(tok, format!("`{name}` is not an attribute"))),
        }
    }

    /// The verbatim form of a dialect attribute whose name was just consumed.
    fn rest_verbatim(&mut self, name: Token) -> Result<Attr> {
        let text = if self.at_punct(b'<') && self.tok.start == name.end {
            self.verbatim_brackets(name.start)?
        } else {
            self.intern(self.text_of(name))
        };
        // An attribute of a dialect may carry a type.
        if self.at_punct(b':') && lexer::next(self.src, self.tok.end).kind == Kind::Bang {
            self.bump();
            let ty = self.parse_type()?;
            return Ok(Attr::Verbatim(format!("{text} : {ty}").into()));
        }
        Ok(Attr::Verbatim(text))
    }

    // Verbatim text

    /// With `<` (or another bracket) in view: the text from `start` to the matching bracket,
    /// aliases expanded. Strings are skipped, `->` is no bracket.
    pub fn verbatim_brackets(&mut self, start: usize) -> Result<Arc<str>> {
        let open = self.tok;
        let mut stack: Vec<u8> = Vec::new();
        loop {
            let tok = self.tok;
            match tok.kind {
                Kind::Punct(b'<' | b'(' | b'[' | b'{') if stack.len() >= MAX_DEPTH as usize => {
                    return Err(self.error(tok, format!("nested more than {MAX_DEPTH} levels deep")));
                }
                Kind::Punct(c @ (b'<' | b'(' | b'[' | b'{')) => stack.push(c),
                Kind::Punct(c @ (b'>' | b')' | b']' | b'}')) => {
                    let opened = stack.pop();
                    let fits = matches!(
                        (opened, c),
                        (Some(b'<'), b'>') | (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}')
                    );
                    if !fits {
                        return Err(self.error(tok, format!("`{}` closes no bracket", c as char)));
                    }
                }
                Kind::Eof => return Err(self.error(open, "this bracket is never closed")),
                Kind::Unclosed => return Err(self.expected("a closing bracket")),
                _ if stack.is_empty() => return Err(self.expected("`<`")),
                _ => {}
            }
            self.bump();
            if stack.is_empty() {
                break;
            }
        }
        Ok(self.verbatim(start, self.last_end)?.into())
    }

    /// The text of a range, on one line, without comments, with aliases expanded.
    pub fn verbatim(&mut self, start: usize, end: usize) -> Result<String> {
        let mut out = String::with_capacity(end.saturating_sub(start));
        self.nested(|p| p.verbatim_into(start, end, &mut out))?;
        Ok(out)
    }

    fn verbatim_into(&mut self, start: usize, end: usize, out: &mut String) -> Result<()> {
        let mut at = start;
        loop {
            let tok = lexer::next(self.src, at);
            if tok.start >= end || tok.kind == Kind::Eof {
                return Ok(());
            }
            if tok.start > at && at > start {
                out.push(' ');
            }
            let text = self.text_of(tok);
            // Kept as it is, it would make binary data of the text that is printed.
            if text.bytes().any(|b| b.is_ascii_control() && !b.is_ascii_whitespace()) {
                return Err(self.error(tok, "a control character"));
            }
            self.count(text.len());
            let adjacent = self.src.get(tok.end) == Some(&b'<');
            let is_alias = matches!(tok.kind, Kind::Hash | Kind::Bang) && !text.contains('.') && !adjacent;
            if is_alias && self.has_alias(text) {
                let (from, to) = match self.alias(text, tok)? {
                    Alias::Attr(a) => a.text,
                    Alias::Type(t) => t.text,
                    _ => (0, 0),
                };
                self.nested(|p| p.verbatim_into(from, to, out))?;
            } else {
                out.push_str(text);
            }
            at = tok.end;
        }
    }
}
