//! Modules, functions and meshes: the inverse of [`module`](super::super::module).

use super::bytes::Bytes;
use super::func::Body;
use super::ops::Head;
use super::{World, Writer};
use crate::frontend::vhlo::{self, Shape};
use sim_core::ir::{Attr, AttrDict, Function, Mesh, Module, Visibility};
use sim_core::types::FunctionType;
use sim_core::{Diagnostic, Result, Type};
use std::fmt::Write as _;
use std::sync::Arc;

/// How deep modules may nest: what the reader takes.
const MAX_DEPTH: u32 = 64;

impl Writer {
    /// The IR section: a block that holds the module.
    pub fn module_file(&mut self, module: &Module) -> Result<Vec<u8>> {
        let mut out = Bytes::default();
        out.with_flag(1, false);
        self.module(module, &mut out, 0)?;
        Ok(out.0)
    }

    fn module(&mut self, module: &Module, out: &mut Bytes, depth: u32) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(Diagnostic::unsupported(format!("modules nested more than {MAX_DEPTH} levels deep")));
        }
        let mut attrs = module.attrs.clone();
        if let Some(name) = &module.name {
            attrs.set("sym_name", Attr::String(name.clone()));
        }
        let mut head = Head::new("builtin.module", &module.loc);
        head.regions = 1;
        head.isolated = true;
        self.by_definition(&mut head, &attrs, World::Builtin)?;
        self.head(&head, out);
        let mut body = Bytes::default();
        let items = module.meshes.len() + module.modules.len() + module.functions.len();
        // One block, no values.
        body.varint(1);
        body.varint(0);
        body.with_flag(items as u64, false);
        for mesh in &module.meshes {
            self.mesh(mesh, &mut body).map_err(|e| e.in_op("sdy.mesh", &mesh.loc))?;
        }
        for inner in &module.modules {
            self.module(inner, &mut body, depth + 1)?;
        }
        for function in &module.functions {
            self.function(function, &mut body)
                .map_err(|e| e.at(function.span).in_op("func.func", &function.loc))?;
        }
        self.isolated_regions(out, body);
        Ok(())
    }

    fn mesh(&mut self, mesh: &Mesh, out: &mut Bytes) -> Result<()> {
        let mut text = String::from("#sdy.mesh<[");
        for (i, (name, size)) in mesh.axes.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let _ = write!(text, "{comma}{}={size}", Attr::String(name.clone()));
        }
        text.push(']');
        if !mesh.device_ids.is_empty() {
            let _ = write!(text, ", device_ids={:?}", mesh.device_ids);
        }
        text.push('>');
        let mut attrs = mesh.attrs.clone();
        attrs.set("mesh", Attr::Verbatim(text.into()));
        attrs.set("sym_name", Attr::String(mesh.name.clone()));
        let mut head = Head::new("sdy.mesh", &mesh.loc);
        self.by_definition(&mut head, &attrs, World::Builtin)?;
        self.head(&head, out);
        Ok(())
    }

    fn function(&mut self, f: &Function, out: &mut Bytes) -> Result<()> {
        let ty = FunctionType { inputs: f.arg_types.clone(), results: f.result_types.clone() };
        let mut own = AttrDict::new();
        let dicts = |dicts: &[AttrDict]| {
            Attr::Array(dicts.iter().map(|dict| Attr::Dict(Arc::new(dict.clone()))).collect())
        };
        let any = |dicts: &[AttrDict]| dicts.iter().any(|dict| !dict.is_empty());
        if any(&f.arg_attrs) {
            own.set("arg_attrs", dicts(&f.arg_attrs));
        }
        own.set("function_type", Attr::Type(Type::Function(Arc::new(ty))));
        if any(&f.result_attrs) {
            own.set("res_attrs", dicts(&f.result_attrs));
        }
        own.set("sym_name", Attr::String(f.name.clone()));
        match f.visibility {
            Visibility::Public => {}
            Visibility::Private => own.set("sym_visibility", Attr::string("private")),
            Visibility::Nested => own.set("sym_visibility", Attr::string("nested")),
        }
        let mut head;
        match self.target() {
            Some(target) => {
                for ty in f.arg_types.iter().chain(&f.result_types) {
                    self.value_type(ty, World::Vhlo)?;
                }
                let shape = Shape { operands: &[], results: &[], regions: 1 };
                let lowered = vhlo::downgrade("func.func", own, f.attrs.clone(), &shape, target)?;
                head = Head::new(lowered.name, &f.loc);
                self.lowered(&mut head, &lowered, target)?;
            }
            None => {
                own.0.extend(f.attrs.0.iter().cloned());
                head = Head::new("func.func", &f.loc);
                head.isolated = true;
                self.by_definition(&mut head, &own, World::Builtin)?;
            }
        }
        head.regions = 1;
        self.head(&head, out);
        let mut body = Bytes::default();
        match f.body {
            Some(region) => Body::new(self, f).function(region, &mut body)?,
            // No blocks.
            None => body.varint(0),
        }
        if head.isolated {
            self.isolated_regions(out, body);
        } else {
            out.0.extend(body.0);
        }
        Ok(())
    }
}
