//! Types: `tensor<2x?xf32, #stablehlo.bounds<?, 4>>`, tuples, tokens, quantized and function types.

use super::lexer::{self, Kind};
use super::parser::{Alias, Parser};
use sim_core::ir::Attr;
use sim_core::ir::op::HloAttr;
use sim_core::types::{Dims, FunctionType, default_storage_range};
use sim_core::{Diagnostic, Dim, ElementType, QuantType, Result, TensorType, Type};
use std::sync::Arc;

impl<'a> Parser<'a> {
    /// Could the token in view begin a type?
    pub fn at_type(&self) -> bool {
        match self.tok.kind {
            Kind::Bang | Kind::Punct(b'(') => true,
            Kind::Bare => {
                let word = self.text_of(self.tok);
                matches!(word, "tensor" | "memref" | "vector" | "tuple" | "complex" | "none" | "index")
                    || is_scalar(word)
            }
            _ => false,
        }
    }

    pub fn parse_type(&mut self) -> Result<Type> {
        self.count(0);
        self.nested(Self::type_inner)
    }

    fn type_inner(&mut self) -> Result<Type> {
        let tok = self.tok;
        match tok.kind {
            Kind::Punct(b'(') => Ok(Type::Function(Arc::new(self.function_type()?))),
            Kind::Bang => self.dialect_type(),
            Kind::Bare => match self.text_of(tok) {
                "tensor" => self.tensor_type().map(|t| match t {
                    Ok(t) => Type::Tensor(Arc::new(t)),
                    Err(verbatim) => verbatim,
                }),
                "memref" => self.tensor_type().map(|t| match t {
                    Ok(t) => Type::Buffer(Arc::new(t)),
                    Err(verbatim) => verbatim,
                }),
                "tuple" => {
                    self.bump();
                    let mut items = Vec::new();
                    self.list(b'<', b'>', |p| {
                        items.push(p.parse_type()?);
                        Ok(())
                    })?;
                    Ok(Type::Tuple(items.into()))
                }
                "complex" => {
                    self.bump();
                    self.expect(b'<')?;
                    let part = self.tok;
                    let ty = self.parse_type()?;
                    self.expect(b'>')?;
                    match &ty {
                        Type::Scalar(e) => match e.complex_of() {
                            Some(c) => Ok(Type::Scalar(c)),
                            None => Err(self.unsupported(part, format!("complex numbers of {e}"))),
                        },
                        _ => Err(self.error(part, "a complex number's parts are f32 or f64")),
                    }
                }
                "none" => {
                    self.bump();
                    Ok(Type::None)
                }
                "vector" => {
                    let start = self.bump().start;
                    let text = self.verbatim_brackets(start)?;
                    Ok(Type::Verbatim(text))
                }
                // Names an algorithm's precision, never an element.
                "tf32" => {
                    self.bump();
                    Ok(Type::Verbatim("tf32".into()))
                }
                word => match ElementType::from_mlir_name(word) {
                    Some(e) => {
                        self.bump();
                        Ok(Type::Scalar(e))
                    }
                    None if is_scalar(word) => Err(self.unsupported(tok, format!("the element type {word}"))),
                    None => Err(self.expected("a type")),
                },
            },
            _ => Err(self.expected("a type")),
        }
    }

    pub fn unsupported(&self, tok: lexer::Token, what: impl AsRef<str>) -> Diagnostic {
        Diagnostic::unsupported(format!("{} is not supported", what.as_ref())).at(self.tok_span(tok))
    }

    /// `(a, b) -> c` or `(a, b) -> (c, d)`
    pub fn function_type(&mut self) -> Result<FunctionType> {
        let inputs = self.paren_types()?;
        self.expect_arrow()?;
        Ok(FunctionType { inputs, results: self.result_types()? })
    }

    /// `(a, b)`
    pub fn paren_types(&mut self) -> Result<Vec<Type>> {
        let mut types = Vec::new();
        self.list(b'(', b')', |p| {
            types.push(p.parse_type()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// What follows an arrow: one type, or a list in parentheses.
    pub fn result_types(&mut self) -> Result<Vec<Type>> {
        if self.at_punct(b'(') { self.paren_types() } else { Ok(vec![self.parse_type()?]) }
    }

    /// `a, b, c`, at least one.
    pub fn bare_types(&mut self) -> Result<Vec<Type>> {
        let mut types = vec![self.parse_type()?];
        while self.eat(b',') {
            types.push(self.parse_type()?);
        }
        Ok(types)
    }

    /// `tensor<…>` or `memref<…>`. `Err(type)` is one whose element type is not modelled.
    pub(super) fn tensor_type(&mut self) -> Result<std::result::Result<TensorType, Type>> {
        let start = self.bump().start;
        let is_memref = matches!(self.slice(start, self.last_end), "memref" | "!vhlo.buffer_v1");
        if !self.at_punct(b'<') {
            return Err(self.expected("`<`"));
        }
        let dims = self.dims()?;
        let element_tok = self.tok;
        let (element, quant) = match self.parse_type()? {
            Type::Scalar(e) => (e, None),
            Type::Quant(q) => (q.storage, Some(q)),
            Type::Verbatim(_) | Type::Token | Type::Buffer(_) => {
                self.seek(start);
                self.bump();
                return Ok(Err(Type::Verbatim(self.verbatim_brackets(start)?)));
            }
            other => {
                return Err(self.error(element_tok, format!("{other} cannot be an element type")));
            }
        };
        let mut ty = TensorType { element, dims, quant, encoding: None };
        if self.eat(b',') {
            if is_memref {
                // Layout and memory space: kept, not understood.
                let from = self.tok.start;
                self.attr()?;
                while self.eat(b',') {
                    self.attr()?;
                }
                let text = self.verbatim(from, self.last_end)?;
                ty.encoding = Some(Arc::new(Attr::Verbatim(text.into())));
            } else {
                let tok = self.tok;
                let encoding = self.attr()?;
                self.encode(&mut ty, encoding, tok)?;
            }
        }
        self.expect(b'>')?;
        Ok(Ok(ty))
    }

    /// Bounds go into the dimensions; any other encoding is kept.
    fn encode(&self, ty: &mut TensorType, encoding: Attr, tok: lexer::Token) -> Result<()> {
        let bounds = match &encoding {
            Attr::Hlo(h) => match &**h {
                HloAttr::Bounds(bounds) => bounds,
                _ => return Err(self.error(tok, "this attribute cannot be a tensor's encoding")),
            },
            _ => {
                ty.encoding = Some(Arc::new(encoding));
                return Ok(());
            }
        };
        if bounds.len() != ty.dims.len() {
            return Err(
                self.error(tok, format!("{} bounds for a tensor of rank {}", bounds.len(), ty.dims.len()))
            );
        }
        for (i, (dim, bound)) in ty.dims.iter_mut().zip(bounds).enumerate() {
            match (&dim, bound) {
                (_, None) => {}
                (Dim::Dynamic, Some(n)) => *dim = Dim::Bounded(*n),
                _ => {
                    return Err(
                        self.error(tok, format!("dimension {i} is static, so it cannot have a bound"))
                    );
                }
            }
        }
        Ok(())
    }

    /// The dimensions after `<`, up to the element type: `2x?x`. Read as characters, since `2x3xf32`
    /// has other tokens.
    fn dims(&mut self) -> Result<Dims> {
        let mut dims = Dims::new();
        let mut at = self.tok.end;
        loop {
            at = lexer::skip_blank(self.src, at);
            let start = at;
            let dim = match self.src.get(at) {
                Some(b'?') => {
                    at += 1;
                    Dim::Dynamic
                }
                Some(b'*') => {
                    self.seek(at);
                    return Err(self
                        .unsupported(self.tok, "a tensor without a rank")
                        .help("refine its shape before running"));
                }
                Some(b'0'..=b'9') => {
                    while self.src.get(at).is_some_and(u8::is_ascii_digit) {
                        at += 1;
                    }
                    let text = self.slice(start, at);
                    match text.parse::<i64>() {
                        Ok(n) => Dim::Static(n),
                        Err(_) => {
                            return Err(self.error_at(
                                start,
                                at,
                                format!("the dimension {text} is too large"),
                            ));
                        }
                    }
                }
                _ => break,
            };
            at = lexer::skip_blank(self.src, at);
            if self.src.get(at) != Some(&b'x') {
                self.seek(at);
                return Err(self.expected("`x` after a dimension"));
            }
            at += 1;
            dims.push(dim);
        }
        self.seek(at);
        Ok(dims)
    }

    /// `!stablehlo.token`, `!quant.uniform<…>`, `!alias`, or anything else verbatim.
    fn dialect_type(&mut self) -> Result<Type> {
        let tok = self.bump();
        let name = self.text_of(tok);
        match name {
            "!stablehlo.token" => Ok(Type::Token),
            "!stablehlo.future" => {
                let mut types = Vec::new();
                self.list(b'<', b'>', |p| {
                    types.push(p.parse_type()?);
                    Ok(())
                })?;
                Ok(Type::Future(types.into()))
            }
            "!quant.uniform" => self.quant_type(),
            _ if name.starts_with("!vhlo.") => self.vhlo_type(tok),
            _ if name.contains('.') || (self.at_punct(b'<') && self.tok.start == tok.end) => {
                if self.at_punct(b'<') && self.tok.start == tok.end {
                    Ok(Type::Verbatim(self.verbatim_brackets(tok.start)?))
                } else {
                    Ok(Type::Verbatim(self.intern(name)))
                }
            }
            _ => match self.alias(name, tok)? {
                Alias::Type(t) => Ok(t.value),
                _ => Err(self.error(tok, format!("`{name}` is not a type"))),
            },
        }
    }

    /// `<i8<-128:127>:f32, 0.1:3>` or per axis `<i8:f32:0, {0.1:3, 0.2}>`
    fn quant_type(&mut self) -> Result<Type> {
        self.expect(b'<')?;
        let tok = self.tok;
        let storage = match self.word("a storage type")? {
            "u2" => ElementType::U2,
            "u4" => ElementType::U4,
            "u8" => ElementType::U8,
            "u16" => ElementType::U16,
            "u32" => ElementType::U32,
            word => match ElementType::from_mlir_name(word) {
                Some(e) if e.is_integer() || e.is_float() => e,
                _ => return Err(self.error(tok, format!("`{word}` cannot store quantized values"))),
            },
        };
        let (mut storage_min, mut storage_max) = default_storage_range(storage);
        if self.eat(b'<') {
            storage_min = self.integer("the least stored value")?;
            self.expect(b':')?;
            storage_max = self.integer("the greatest stored value")?;
            self.expect(b'>')?;
            if storage_min > storage_max {
                return Err(self.error(tok, format!("an empty storage range {storage_min}:{storage_max}")));
            }
        }
        self.expect(b':')?;
        let tok = self.tok;
        let expressed = match self.parse_type()? {
            Type::Scalar(e) if e.is_float() => e,
            other => return Err(self.error(tok, format!("{other} cannot be an expressed type"))),
        };
        let axis = if self.eat(b':') {
            if self.at_punct(b'{') {
                return Err(self.unsupported(self.tok, "sub-channel quantization"));
            }
            Some(self.integer("the quantized dimension")?)
        } else {
            None
        };
        self.expect(b',')?;
        let (mut scales, mut zero_points) = (Vec::new(), Vec::new());
        let mut one = |p: &mut Self| -> Result<()> {
            scales.push(p.float("a scale")?);
            zero_points.push(if p.eat(b':') { p.integer("a zero point")? } else { 0 });
            Ok(())
        };
        if axis.is_some() {
            let open = self.tok;
            self.list(b'{', b'}', one)?;
            if scales.is_empty() {
                return Err(self.error(open, "a quantized dimension needs at least one scale"));
            }
        } else {
            one(self)?;
        }
        self.expect(b'>')?;
        Ok(Type::Quant(Arc::new(QuantType {
            storage,
            expressed,
            storage_min,
            storage_max,
            axis,
            scales,
            zero_points,
        })))
    }
}

/// `i32`, `ui8`, `bf16`, `f8E4M3FN`: a scalar type, perhaps of a width that is not supported.
fn is_scalar(word: &str) -> bool {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    ElementType::from_mlir_name(word).is_some()
        || ["i", "si", "ui"].iter().any(|p| word.strip_prefix(p).is_some_and(digits))
        || matches!(word, "f80" | "f128" | "tf32")
}
