//! What the module's header says, as attributes of the module and of its entry's arguments.

use super::attributes;
use crate::frontend::mlir;
use sim_core::hlo::{AliasEntry, HloModule, Key, Shape, Value};
use sim_core::ir::{Attr, AttrDict, Function, Mesh};
use sim_core::{ElementType, Loc};
use std::sync::Arc;

/// XLA's `main.8` is `main` again, unless another computation has that name. Other names stay: `main_spmd`
/// says that the module is what one device runs.
pub fn entry_name(hlo: &HloModule) -> Arc<str> {
    let name = &hlo.entry().name;
    let number = name.strip_prefix("main.").unwrap_or("x");
    let is_main = number.bytes().all(|b| b.is_ascii_digit());
    let taken = hlo.computations.iter().any(|c| &*c.name == "main");
    if is_main && !taken { "main".into() } else { name.clone() }
}

/// What the runtime asks of a module, and the frontend's own.
pub fn attrs(hlo: &HloModule) -> AttrDict {
    let mut attrs = AttrDict::new();
    // Without a count, a mesh may tell it.
    for (name, key) in [("mhlo.num_partitions", Key::NumPartitions), ("mhlo.num_replicas", Key::ReplicaCount)]
    {
        if let Some(Value::Int(n)) = hlo.attr(&key) {
            attrs.set(name, Attr::Int(*n, ElementType::S32));
        }
    }
    if let Some(Value::Dict(items)) = hlo.attr(&Key::FrontendAttributes) {
        attrs.set("mhlo.frontend_attributes", attributes::dictionary(items));
    }
    attrs
}

/// The meshes that Shardy's texts in frontend attributes name: `xla.sdy.meshes={mesh = #sdy.mesh<["x"=2]>}`. A text
/// that is none is left alone: it is not HLO's.
pub fn meshes(hlo: &HloModule) -> Vec<Mesh> {
    let Some(Value::Dict(items)) = hlo.attr(&Key::FrontendAttributes) else { return Vec::new() };
    let text = items.iter().find(|(k, _)| &**k == MESHES).map(|(_, v)| v);
    let Some(Ok(Attr::Dict(meshes))) = text.map(|t| mlir::attr_of_text(t)) else { return Vec::new() };
    let mesh = |(name, value): (&str, &Attr)| {
        let (Attr::Verbatim(text) | Attr::String(text)) = value else { return None };
        let (axes, device_ids) = mlir::mesh_of_text(text).ok()?;
        Some(Mesh { name: name.into(), axes, device_ids, attrs: AttrDict::new(), loc: Loc::Unknown })
    };
    meshes.iter().filter_map(mesh).collect()
}

/// Where XLA keeps the meshes of a module.
pub const MESHES: &str = "xla.sdy.meshes";

/// Aliases, donors, and what the parameters say of themselves. A parameter that is a tuple became several
/// arguments, which have no attributes of their own.
pub fn of_entry(hlo: &HloModule, function: &mut Function) {
    let shapes: Vec<_> =
        hlo.entry().parameters().into_iter().flatten().map(|id| hlo.entry().instruction(id)).collect();
    let starts: Vec<usize> =
        shapes.iter().scan(0, |at, i| Some(std::mem::replace(at, *at + leaves(&i.shape)))).collect();
    let mut set = |at: usize, name: &str, value: Attr| {
        if let Some(attrs) = function.arg_attrs.get_mut(at) {
            attrs.set(name, value);
        }
    };
    for (i, &start) in shapes.iter().zip(&starts) {
        if leaves(&i.shape) == 1
            && let Some(Value::Dict(items)) = i.attr(&Key::FrontendAttributes)
        {
            set(start, "mhlo.frontend_attributes", attributes::dictionary(items));
        }
        if let Some(Value::Bools(flags)) = i.attr(&Key::ParameterReplication)
            && leaves(&i.shape) == 1
        {
            set(
                start,
                "mhlo.parameter_replication",
                Attr::Array(flags.iter().map(|&b| Attr::Bool(b)).collect()),
            );
        }
    }
    let argument = |e: &AliasEntry| {
        let n = usize::try_from(e.parameter).ok()?;
        Some(starts.get(n)? + leaf(&shapes.get(n)?.shape, &e.path)?)
    };
    if let Some(Value::Aliases(entries)) = hlo.attr(&Key::InputOutputAlias) {
        for e in entries {
            if let (Some(at), Some(output)) = (argument(e), leaf(&hlo.entry().root().shape, &e.output)) {
                set(at, "tf.aliasing_output", Attr::Int(output as i64, ElementType::S32));
            }
        }
    }
    if let Some(Value::Aliases(entries)) = hlo.attr(&Key::BufferDonor) {
        for at in entries.iter().filter_map(argument) {
            set(at, "jax.buffer_donor", Attr::Bool(true));
        }
    }
}

fn leaves(shape: &Shape) -> usize {
    match shape {
        Shape::Tuple(items) => items.iter().map(|s| leaves(s)).sum(),
        _ => 1,
    }
}

/// The number of the leaf at a path.
fn leaf(shape: &Shape, path: &[i64]) -> Option<usize> {
    match (shape, path) {
        (Shape::Tuple(items), [first, rest @ ..]) => {
            let first = usize::try_from(*first).ok()?;
            let before: usize = items.get(..first)?.iter().map(|s| leaves(s)).sum();
            Some(before + leaf(items.get(first)?, rest)?)
        }
        (Shape::Tuple(_), []) => None,
        (_, []) => Some(0),
        _ => None,
    }
}
