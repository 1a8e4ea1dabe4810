//! Modules, functions and meshes: what stands outside of function bodies.

use super::func::{Arg, Body};
use super::lexer::{Kind, Token};
use super::parser::{Alias, Parser};
use crate::frontend::vhlo;
use sim_core::ir::{Attr, AttrDict, Function, FunctionBuilder, Mesh, Module, Visibility};
use sim_core::{Loc, Result, Type};
use std::collections::HashSet;
use std::sync::Arc;

impl<'a> Parser<'a> {
    pub fn at_end(&self) -> bool {
        self.tok.kind == Kind::Eof
    }

    /// The whole text: one module, or functions without one.
    pub fn module_file(&mut self) -> Result<Module> {
        let mut outer = Module::default();
        self.items(&mut outer, false)?;
        // A single module needs no wrapping.
        if outer.functions.is_empty() && outer.meshes.is_empty() && outer.modules.len() == 1 {
            return Ok(outer.modules.remove(0));
        }
        Ok(outer)
    }

    /// Items up to the end of the text, or up to `}`.
    fn items(&mut self, module: &mut Module, in_module: bool) -> Result<()> {
        let mut symbols = HashSet::new();
        loop {
            let tok = self.tok;
            let before = (module.functions.len(), module.modules.len(), module.meshes.len());
            match tok.kind {
                Kind::Eof if !in_module => return Ok(()),
                Kind::Punct(b'}') if in_module => return Ok(()),
                // Definitions were read ahead of everything.
                Kind::Hash | Kind::Bang if !in_module => self.skip_alias()?,
                Kind::MetaBegin if !in_module => {
                    let end = self.metadata()?;
                    self.seek(end);
                }
                Kind::Bare | Kind::Str => self.item(module)?,
                _ => return Err(self.expected("a module, a function or a mesh")),
            }
            let new = if module.functions.len() > before.0 {
                module.functions.last().map(|f| f.name.clone())
            } else if module.modules.len() > before.1 {
                module.modules.last().and_then(|m| m.name.clone())
            } else if module.meshes.len() > before.2 {
                module.meshes.last().map(|m| m.name.clone())
            } else {
                None
            };
            if let Some(name) = new
                && !symbols.insert(name.clone())
            {
                return Err(self.error(tok, format!("the symbol `@{name}` is defined twice")));
            }
        }
    }

    fn item(&mut self, module: &mut Module) -> Result<()> {
        let tok = self.tok;
        match self.text_of(tok) {
            "module" | "builtin.module" => {
                let inner = self.nested(Self::module)?;
                module.modules.push(inner);
            }
            "\"builtin.module\"" => {
                let inner = self.nested(Self::generic_module)?;
                module.modules.push(inner);
            }
            "func.func" | "vhlo.func_v1" => {
                let function = self.function()?;
                module.functions.push(function);
            }
            "\"func.func\"" | "\"vhlo.func_v1\"" => {
                let function = self.generic_function()?;
                module.functions.push(function);
            }
            "sdy.mesh" | "\"sdy.mesh\"" => {
                let mesh = self.mesh()?;
                module.meshes.push(mesh);
            }
            text => {
                let name = text.trim_matches('"');
                vhlo::check(name, "").map_err(|e| e.at(self.tok_span(tok)))?;
                if !name.contains('.') {
                    return Err(self.expected("a module, a function or a mesh"));
                }
                return Err(self.unsupported(tok, format!("the operation {name} outside of a function")));
            }
        }
        Ok(())
    }

    /// A definition that was read already: find its end by reading it as what it is.
    fn skip_alias(&mut self) -> Result<()> {
        let tok = self.bump();
        let name = self.text_of(tok);
        if !self.at_punct(b'=') || !self.has_alias(name) {
            return Err(self.error(tok, "expected a definition (`#name = …`) at the beginning of a line"));
        }
        let end = match self.alias(name, tok)? {
            Alias::Attr(a) => a.text.1,
            Alias::Type(t) => t.text.1,
            Alias::Pending(_) | Alias::Busy => self.pos,
        };
        // What was read is a definition of that name on another line: going back there would never end.
        if end <= tok.end {
            return Err(
                self.error(tok, format!("`{name}` is defined twice, here not at the beginning of a line"))
            );
        }
        self.seek(end);
        self.last_end = end;
        Ok(())
    }

    /// `module @name attributes {…} { … } loc(…)`
    fn module(&mut self) -> Result<Module> {
        self.bump();
        let mut module = Module::default();
        if self.tok.kind == Kind::At {
            module.name = Some(self.symbol_name()?);
        }
        if self.eat_word("attributes") {
            module.attrs = self.attr_dict()?;
        }
        self.expect(b'{')?;
        self.items(&mut module, true)?;
        self.expect(b'}')?;
        module.loc = self.optional_loc()?;
        Ok(module)
    }

    /// `"builtin.module"() <{sym_name = "m"}> ({ … }) {…} : () -> ()`
    fn generic_module(&mut self) -> Result<Module> {
        self.bump();
        let mut module = Module::default();
        let mut attrs = self.generic_head()?;
        self.expect(b'(')?;
        self.expect(b'{')?;
        if self.tok.kind == Kind::Caret {
            self.bump();
            self.expect(b':')?;
        }
        self.items(&mut module, true)?;
        self.expect(b'}')?;
        self.expect(b')')?;
        self.generic_tail(&mut attrs)?;
        if let Some(name) = attrs.take("sym_name") {
            module.name = name.as_str().map(Into::into);
        }
        module.attrs = attrs;
        module.loc = self.optional_loc()?;
        Ok(module)
    }

    /// `() <{properties}>`
    fn generic_head(&mut self) -> Result<AttrDict> {
        self.expect(b'(')?;
        self.expect(b')')?;
        let mut attrs = AttrDict::new();
        if self.eat(b'<') {
            attrs = self.attr_dict()?;
            self.expect(b'>')?;
        }
        Ok(attrs)
    }

    /// `{attributes} : () -> ()`
    fn generic_tail(&mut self, attrs: &mut AttrDict) -> Result<()> {
        for (name, value) in self.optional_attr_dict()?.0 {
            attrs.set(&name, value);
        }
        self.expect(b':')?;
        let tok = self.tok;
        let ty = self.function_type()?;
        if !ty.inputs.is_empty() || !ty.results.is_empty() {
            return Err(self.error(tok, "expected () -> ()"));
        }
        Ok(())
    }

    /// `func.func private @f(%a: type {…} loc(…)) -> (type {…}) attributes {…} { … } loc(…)`
    fn function(&mut self) -> Result<Function> {
        let start = self.bump();
        let visibility = match self.text_of(self.tok) {
            "public" => Visibility::Public,
            "private" => Visibility::Private,
            "nested" => Visibility::Nested,
            _ => Visibility::default(),
        };
        if self.tok.kind == Kind::Bare {
            if !matches!(self.text_of(self.tok), "public" | "private" | "nested") {
                return Err(self.expected("a symbol (`@name`)"));
            }
            self.bump();
        }
        let name = self.symbol_name()?;
        let mut body = Body::new(FunctionBuilder::new(name));
        let (mut args, mut arg_attrs) = (Vec::new(), Vec::new());
        self.list(b'(', b')', |p| {
            let tok = p.tok;
            let name = if p.at_value() {
                p.bump();
                p.expect(b':')?;
                p.text_of(tok)
            } else {
                ""
            };
            let ty = p.parse_type()?;
            arg_attrs.push(p.optional_attr_dict()?);
            let loc = p.optional_loc()?;
            args.push(Arg { name, tok, ty, loc });
            Ok(())
        })?;
        let (mut result_types, mut result_attrs) = (Vec::new(), Vec::new());
        if self.tok.kind == Kind::Arrow {
            self.bump();
            if self.at_punct(b'(') {
                self.list(b'(', b')', |p| {
                    result_types.push(p.parse_type()?);
                    result_attrs.push(p.optional_attr_dict()?);
                    Ok(())
                })?;
            } else {
                result_types.push(self.parse_type()?);
                result_attrs.push(AttrDict::new());
            }
        }
        let attrs = if self.eat_word("attributes") { self.attr_dict()? } else { AttrDict::new() };
        let function = body.builder.function_mut();
        function.visibility = visibility;
        function.arg_attrs = arg_attrs;
        function.result_types = result_types;
        function.result_attrs = result_attrs;
        function.attrs = attrs;
        let versioned = self.text_of(start).starts_with("vhlo.");
        if self.eat(b'{') {
            // VHLO writes the region of a declaration, which is empty.
            if !(versioned && self.eat(b'}')) {
                self.function_body(&mut body, &args)?;
            }
        }
        if body.builder.function().body.is_none() {
            body.builder.function_mut().arg_types = args.iter().map(|a| a.ty.clone()).collect();
        }
        if versioned {
            let mut attrs = self.optional_attr_dict()?;
            vhlo::upgrade("vhlo.func_v1", &mut attrs, false)?;
            let function = body.builder.function_mut();
            let (inputs, results) = (args.len(), function.result_types.len());
            function.arg_attrs = self.dicts(&mut attrs, "arg_attrs", inputs, start)?;
            function.result_attrs = self.dicts(&mut attrs, "res_attrs", results, start)?;
            function.visibility = visibility_of(attrs.take("sym_visibility"));
            function.attrs = attrs;
        }
        self.finish_function(body, start)
    }

    /// `"func.func"() <{function_type = …, sym_name = "f"}> ({ … }) {…} : () -> ()`
    fn generic_function(&mut self) -> Result<Function> {
        let start = self.bump();
        let mut attrs = self.generic_head()?;
        // The region comes before what older printers put into the trailing dictionary, so it is
        // built first and named afterwards.
        let mut body = Body::new(FunctionBuilder::new(""));
        self.expect(b'(')?;
        self.expect(b'{')?;
        let args = if self.tok.kind == Kind::Caret { self.block_header()? } else { Vec::new() };
        let declaration = args.is_empty() && self.eat(b'}');
        if !declaration {
            self.function_body(&mut body, &args)?;
        }
        self.expect(b')')?;
        self.generic_tail(&mut attrs)?;
        vhlo::upgrade(self.text_of(start).trim_matches('"'), &mut attrs, false)?;
        let missing = |what: &str| self.error(start, format!("a function without {what}"));
        let name = attrs.take("sym_name");
        let name = name.as_ref().and_then(Attr::as_str).ok_or_else(|| missing("`sym_name`"))?;
        let Some(Attr::Type(Type::Function(ty))) = attrs.take("function_type") else {
            return Err(missing("`function_type`"));
        };
        let arg_attrs = self.dicts(&mut attrs, "arg_attrs", ty.inputs.len(), start)?;
        let result_attrs = self.dicts(&mut attrs, "res_attrs", ty.results.len(), start)?;
        let visibility = visibility_of(attrs.take("sym_visibility"));
        let function = body.builder.function_mut();
        if !declaration && function.arg_types != ty.inputs {
            return Err(self.error(start, "the arguments' types are not those of `function_type`"));
        }
        function.name = name.into();
        function.visibility = visibility;
        function.arg_types = ty.inputs.clone();
        function.arg_attrs = arg_attrs;
        function.result_types = ty.results.clone();
        function.result_attrs = result_attrs;
        function.attrs = attrs;
        self.finish_function(body, start)
    }

    /// The dictionaries of `arg_attrs` or `res_attrs`, one for each of `n`; empty ones without it.
    fn dicts(&self, attrs: &mut AttrDict, key: &str, n: usize, at: Token) -> Result<Vec<AttrDict>> {
        let wrong = || self.error(at, format!("a function without {n} dictionaries in `{key}`"));
        match attrs.take(key) {
            None => Ok(vec![AttrDict::new(); n]),
            Some(Attr::Array(items)) if items.len() == n => items
                .iter()
                .map(|item| match item {
                    Attr::Dict(d) => Ok((**d).clone()),
                    _ => Err(wrong()),
                })
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    /// After the `{` of a function.
    fn function_body(&mut self, body: &mut Body<'a>, args: &[Arg<'a>]) -> Result<()> {
        if let Some(unnamed) = args.iter().find(|a| a.name.is_empty()) {
            return Err(self.error(unnamed.tok, "the arguments of a function with a body need names"));
        }
        let types: Vec<Type> = args.iter().map(|a| a.ty.clone()).collect();
        let values = body.builder.open_body(&types);
        for (arg, &value) in args.iter().zip(&values) {
            body.builder.function_mut().values[value.index()].loc = arg.loc.clone();
        }
        body.define_args(self, args, &values)?;
        self.nested(|p| p.block(body))
    }

    /// The trailing location, and the check of what the body returns.
    fn finish_function(&mut self, mut body: Body<'a>, start: Token) -> Result<Function> {
        let loc = self.optional_loc()?;
        let span = self.span(start.start, self.last_end);
        let function = body.builder.function_mut();
        function.loc = loc;
        function.span = span;
        if let Some(region) = function.body {
            let returned = function.region_result_types(region);
            if returned != function.result_types {
                let list = |types: &[Type]| {
                    let all: Vec<String> = types.iter().map(Type::to_string).collect();
                    format!("({})", all.join(", "))
                };
                let message = format!(
                    "@{} returns {}, and its signature says {}",
                    function.name,
                    list(&returned),
                    list(&function.result_types)
                );
                return Err(self.error(start, message));
            }
        }
        Ok(body.builder.finish())
    }

    /// `sdy.mesh @name = <["x"=2, "y"=4], device_ids=[…]> {…}`, or its generic form.
    fn mesh(&mut self) -> Result<Mesh> {
        let start = self.bump();
        let mut mesh = Mesh {
            name: "".into(),
            axes: Vec::new(),
            device_ids: Vec::new(),
            attrs: AttrDict::new(),
            loc: Loc::Unknown,
        };
        if start.kind == Kind::Bare {
            mesh.name = self.symbol_name()?;
            self.expect(b'=')?;
            // `#sdy.mesh` may stand before the brackets.
            if self.tok.kind == Kind::Hash && self.text_of(self.tok) == "#sdy.mesh" {
                self.bump();
            }
            self.mesh_attr(&mut mesh)?;
            mesh.attrs = self.optional_attr_dict()?;
        } else {
            let mut attrs = self.generic_head()?;
            self.generic_tail(&mut attrs)?;
            let name = attrs.take("sym_name");
            let name = name.as_ref().and_then(Attr::as_str);
            mesh.name = name.ok_or_else(|| self.error(start, "a mesh without `sym_name`"))?.into();
            match attrs.take("mesh") {
                Some(Attr::Verbatim(text)) => self.mesh_of_text(&text, start, &mut mesh)?,
                // The axes may be given by StableHLO's own attribute instead.
                None if attrs.get("stablehlo.mesh").is_some() => {
                    self.mesh_of_dict(&attrs, start, &mut mesh)?
                }
                _ => return Err(self.error(start, "a mesh without `mesh = #sdy.mesh<…>`")),
            }
            mesh.attrs = attrs;
        }
        mesh.loc = self.optional_loc()?;
        Ok(mesh)
    }

    /// `<["x"=2, "y"=4], device_ids=[…]>`
    fn mesh_attr(&mut self, mesh: &mut Mesh) -> Result<()> {
        self.expect(b'<')?;
        self.list(b'[', b']', |p| {
            let name = p.string("an axis name")?;
            p.expect(b'=')?;
            mesh.axes.push((name, p.integer("an axis size")?));
            Ok(())
        })?;
        if self.eat(b',') {
            self.expect_word("device_ids")?;
            self.expect(b'=')?;
            mesh.device_ids = self.integers()?;
        }
        self.expect(b'>')?;
        Ok(())
    }

    /// `#sdy.mesh<…>` that was kept verbatim.
    fn mesh_of_text(&self, text: &Arc<str>, at: Token, mesh: &mut Mesh) -> Result<()> {
        let parts = mesh_of_text(text);
        (mesh.axes, mesh.device_ids) =
            parts.map_err(|_| self.error(at, format!("expected a mesh, found {text}")))?;
        Ok(())
    }

    /// `stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}], device_ids = dense<…>}`
    fn mesh_of_dict(&self, attrs: &AttrDict, at: Token, mesh: &mut Mesh) -> Result<()> {
        let bad = || self.error(at, "`stablehlo.mesh` does not describe a mesh");
        let Some(Attr::Dict(dict)) = attrs.get("stablehlo.mesh") else { return Err(bad()) };
        let Some(Attr::Array(axes)) = dict.get("axes") else { return Err(bad()) };
        for axis in axes.iter() {
            let Attr::Dict(axis) = axis else { return Err(bad()) };
            let name = axis.get("name").and_then(Attr::as_str).ok_or_else(bad)?;
            let size = axis.get("size").and_then(Attr::as_int).ok_or_else(bad)?;
            mesh.axes.push((name.into(), size));
        }
        if let Some(ids) = dict.get("device_ids") {
            mesh.device_ids = ids.as_i64s().ok_or_else(bad)?;
        }
        Ok(())
    }
}

/// `sym_visibility`
fn visibility_of(attr: Option<Attr>) -> Visibility {
    match attr.as_ref().and_then(Attr::as_str) {
        Some("private") => Visibility::Private,
        Some("nested") => Visibility::Nested,
        _ => Visibility::Public,
    }
}

/// The axes and the device ids of `#sdy.mesh<…>`.
#[allow(clippy::type_complexity)] // The two fields of a mesh.
pub(in crate::frontend) fn mesh_of_text(text: &str) -> Result<(Vec<(Arc<str>, i64)>, Vec<i64>)> {
    let name = "#sdy.mesh";
    let start = if text.starts_with(name) { name.len() } else { 0 };
    let mut mesh = Mesh {
        name: "".into(),
        axes: Vec::new(),
        device_ids: Vec::new(),
        attrs: AttrDict::new(),
        loc: Loc::Unknown,
    };
    Parser::new(text, start..text.len())?.mesh_attr(&mut mesh)?;
    Ok((mesh.axes, mesh.device_ids))
}
