//! Modules, functions and meshes: what stands outside of functions' bodies.

use super::cursor::{Cursor, span};
use super::func::{Body, regions};
use super::ops::{self, Head};
use super::tables::Tables;
use crate::frontend::{mlir, vhlo};
use sim_core::ir::{Attr, AttrDict, Function, Mesh, Module, Visibility};
use sim_core::{Diagnostic, Result, Type};
use std::collections::HashSet;

/// How deep modules may nest.
const MAX_DEPTH: u32 = 64;

/// The IR section: one module, or functions without one.
pub(super) fn file<'a>(t: &mut Tables<'a>) -> Result<Module> {
    let mut at = t.file.ir;
    let mut outer = Module::default();
    items(t, &mut at, &mut outer, 0)?;
    if !at.is_empty() {
        return Err(at.expected("the end of the section"));
    }
    // A single module needs no wrapping.
    if outer.functions.is_empty() && outer.meshes.is_empty() && outer.modules.len() == 1 {
        return Ok(outer.modules.remove(0));
    }
    Ok(outer)
}

/// The operations of a module's block.
fn items<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, module: &mut Module, depth: u32) -> Result<()> {
    let start = at.at();
    let block = ops::block(t, at)?;
    if !block.args.is_empty() {
        return Err(at.error_at(start, "a module has no arguments"));
    }
    let mut symbols = HashSet::new();
    for _ in 0..block.ops {
        let start = at.at();
        if let Some(name) = item(t, at, module, depth)?
            && !symbols.insert(name.clone())
        {
            return Err(at.error_at(start, format_args!("the symbol `@{name}` is defined twice")));
        }
    }
    Ok(())
}

/// One operation of a module. Returns the symbol that it defines.
fn item<'a>(
    t: &mut Tables<'a>,
    at: &mut Cursor<'a>,
    module: &mut Module,
    depth: u32,
) -> Result<Option<std::sync::Arc<str>>> {
    let mut head = ops::head(t, at)?;
    let written = t.file.ops[head.name].name.clone();
    let name = vhlo::upgrade(&written, &mut head.attrs, false)
        .map_err(|e| e.at(span(head.start, at.at())).in_op(&written, &head.loc))?;
    if !head.operands.is_empty() || !head.result_types.is_empty() {
        return Err(at.error_at(head.start, format_args!("{written} outside of a function has no values")));
    }
    let wanted = usize::from(matches!(&*name, "builtin.module" | "func.func"));
    if head.regions != wanted {
        return Err(
            at.error_at(head.start, format_args!("{written} has {wanted} region(s), not {}", head.regions))
        );
    }
    match &*name {
        "builtin.module" => {
            let inner = nested(t, at, head, depth)?;
            let symbol = inner.name.clone();
            module.modules.push(inner);
            Ok(symbol)
        }
        "func.func" => {
            let function = function(t, at, head)?;
            module.functions.push(function);
            Ok(module.functions.last().map(|f| f.name.clone()))
        }
        "sdy.mesh" => {
            let mesh = mesh(at, head)?;
            module.meshes.push(mesh);
            Ok(module.meshes.last().map(|m| m.name.clone()))
        }
        _ => Err(Diagnostic::unsupported(format!(
            "the operation {written} outside of a function is not supported"
        ))
        .at(span(head.start, at.at()))),
    }
}

fn nested<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, mut head: Head, depth: u32) -> Result<Module> {
    if depth >= MAX_DEPTH {
        return Err(at.error_at(head.start, format_args!("modules nested more than {MAX_DEPTH} levels deep")));
    }
    let own = regions(t, at, &head)?;
    let mut data = own.unwrap_or(*at);
    let mut module = Module::default();
    if ops::region(&mut data)?.is_some() {
        items(t, &mut data, &mut module, depth + 1)?;
    }
    match own {
        Some(_) if !data.is_empty() => return Err(data.expected("the end of the module")),
        Some(_) => {}
        None => *at = data,
    }
    module.name = head.attrs.take("sym_name").as_ref().and_then(Attr::as_str).map(Into::into);
    module.attrs = head.attrs;
    module.loc = head.loc;
    Ok(module)
}

fn function<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, head: Head) -> Result<Function> {
    let own = regions(t, at, &head)?;
    let Head { start, loc, mut attrs, .. } = head;
    let here = *at;
    let missing = |what: &str| here.error_at(start, format_args!("a function without {what}"));
    let name = attrs.take("sym_name");
    let name = name.as_ref().and_then(Attr::as_str).ok_or_else(|| missing("`sym_name`"))?;
    // Before properties existed, an attribute of old called it so.
    let ty = attrs.take("function_type").or_else(|| attrs.take("type"));
    let Some(Attr::Type(Type::Function(ty))) = ty else { return Err(missing("`function_type`")) };
    let mut dicts = |key: &str, n: usize| -> Result<Vec<AttrDict>> {
        let wrong = || missing(&format!("{n} dictionaries in `{key}`"));
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
    };
    let arg_attrs = dicts("arg_attrs", ty.inputs.len())?;
    let result_attrs = dicts("res_attrs", ty.results.len())?;
    let visibility = match attrs.take("sym_visibility").as_ref().and_then(Attr::as_str) {
        Some("private") => Visibility::Private,
        Some("nested") => Visibility::Nested,
        _ => Visibility::Public,
    };
    let mut data = own.unwrap_or(*at);
    let mut body = Body::new(t);
    body.function(&mut data)?;
    match own {
        Some(_) if !data.is_empty() => return Err(data.expected("the end of the function")),
        Some(_) => {}
        None => *at = data,
    }
    let function = body.builder.function_mut();
    if let Some(region) = function.body {
        let mismatch = |what: &str, has: &[Type], says: &[Type]| {
            let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
            here.error_at(
                start,
                format_args!("@{name} {what} ({}), and its signature says ({})", list(has), list(says)),
            )
        };
        if function.arg_types != ty.inputs {
            return Err(mismatch("takes", &function.arg_types, &ty.inputs));
        }
        let returned = function.region_result_types(region);
        if returned != ty.results {
            return Err(mismatch("returns", &returned, &ty.results));
        }
    }
    function.name = name.into();
    function.visibility = visibility;
    function.arg_types = ty.inputs.clone();
    function.arg_attrs = arg_attrs;
    function.result_types = ty.results.clone();
    function.result_attrs = result_attrs;
    function.attrs = attrs;
    function.loc = loc;
    function.span = span(start, at.at());
    Ok(body.builder.finish())
}

fn mesh(at: &Cursor, head: Head) -> Result<Mesh> {
    let Head { start, loc, mut attrs, .. } = head;
    let name = attrs.take("sym_name");
    let name = name.as_ref().and_then(Attr::as_str);
    let name = name.ok_or_else(|| at.error_at(start, "a mesh without `sym_name`"))?;
    let Some(Attr::Verbatim(text)) = attrs.take("mesh") else {
        return Err(at.error_at(start, "a mesh without `mesh`"));
    };
    let (axes, device_ids) = mlir::mesh_of_text(&text)
        .map_err(|_| at.error_at(start, format_args!("expected a mesh, found {text}")))?;
    Ok(Mesh { name: name.into(), axes, device_ids, attrs, loc })
}
