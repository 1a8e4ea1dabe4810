//! The module's header, and what functions and operations say in attributes that are not theirs:
//! shardings, frontend attributes, aliases.

use super::attrs::Attrs;
use crate::frontend::hlo::import::header::MESHES;
use crate::sharding::as_hlo;
use sim_core::Result;
use sim_core::hlo::{AliasEntry, Attr, HloModule, Key, ParameterLayouts, Sharding, Value};
use sim_core::ir::{self, AttrDict, Function, Mesh, Module};
use std::sync::Arc;

/// Name, layouts, aliases, counts of devices.
pub fn finished(module: &Module, entry: &Function, mut hlo: HloModule) -> Result<HloModule> {
    hlo.name = super::finish::sanitized(module.name.as_deref().unwrap_or("main")).into();
    let root = hlo.entry().root().shape.clone();
    let parameters: Vec<_> = hlo
        .entry()
        .parameters()
        .into_iter()
        .flatten()
        .map(|id| hlo.entry().instruction(id).shape.clone())
        .collect();
    let mut attrs = Attrs::new();
    let tuple = entry.result_types.len() != 1;
    let mut aliases = Vec::new();
    let mut donors = Vec::new();
    for (n, dict) in entry.arg_attrs.iter().enumerate() {
        let parameter = n as i64;
        if let Some(output) = dict.get("tf.aliasing_output").and_then(ir::Attr::as_int) {
            let output = if tuple { vec![output] } else { Vec::new() };
            aliases.push(AliasEntry { output, parameter, path: Vec::new(), kind: Some("may-alias".into()) });
        }
        if dict.get("jax.buffer_donor").and_then(ir::Attr::as_bool) == Some(true) {
            donors.push(AliasEntry { parameter, ..AliasEntry::default() });
        }
    }
    if !aliases.is_empty() {
        aliases.sort_by(|a, b| a.output.cmp(&b.output));
        attrs = attrs.with(Key::InputOutputAlias, Value::Aliases(aliases.into()));
    }
    if !donors.is_empty() {
        attrs = attrs.with(Key::BufferDonor, Value::Aliases(donors.into()));
    }
    let layouts = ParameterLayouts { parameters, result: root };
    attrs = attrs.with(Key::EntryComputationLayout, Value::Layouts(Box::new(layouts)));
    for (name, key) in [("mhlo.num_replicas", Key::ReplicaCount), ("mhlo.num_partitions", Key::NumPartitions)]
    {
        if let Some(n) = module.attrs.get(name).and_then(ir::Attr::as_int).filter(|&n| n > 1) {
            attrs = attrs.int(key, n);
        }
    }
    hlo.attrs = attrs.into();
    of_operation(&only(&module.attrs, "mhlo.frontend_attributes"), &[], &mut hlo.attrs);
    if !module.meshes.is_empty() {
        let items = ir::Attr::Dict(Arc::new(
            [(MESHES.into(), ir::Attr::string(&meshes_text(&module.meshes)))].into_iter().collect(),
        ));
        let dict = [("mhlo.frontend_attributes".into(), items)].into_iter().collect();
        of_operation(&dict, &[], &mut hlo.attrs);
    }
    let spaces = [("arg_memory_spaces", &entry.arg_attrs), ("out_memory_spaces", &entry.result_attrs)];
    if spaces.iter().any(|(_, all)| all.iter().any(in_host)) {
        let items = spaces.map(|(name, all)| (name.into(), ir::Attr::string(&spaces_text(all))));
        let items = ir::Attr::Dict(Arc::new(items.into_iter().collect()));
        let dict = [("mhlo.frontend_attributes".into(), items)].into_iter().collect();
        of_operation(&dict, &[], &mut hlo.attrs);
    }

    // Shardings of the results stand on the root.
    let shardings: Vec<Option<Sharding>> =
        entry.result_attrs.iter().map(|a| sharding(a, &module.meshes)).collect();
    if shardings.iter().any(Option::is_some) {
        let replicated = || Sharding::Word { word: "replicated".into(), rest: None };
        let mut all: Vec<Sharding> = shardings.into_iter().map(|s| s.unwrap_or_else(replicated)).collect();
        let whole = if tuple { Sharding::Tuple(all) } else { all.remove(0) };
        let entry = hlo.entry.0 as usize;
        let root = hlo.computations[entry].root.0 as usize;
        let attrs = &mut hlo.computations[entry].instructions[root].attrs;
        if attrs.iter().all(|a| a.key != Key::Sharding) {
            attrs.push(Attr { key: Key::Sharding, value: Value::Sharding(Box::new(whole)) });
        }
    }
    Ok(hlo)
}

/// An argument or a result that is told to lie in the host's memory.
fn in_host(dict: &AttrDict) -> bool {
    dict.get("mhlo.memory_kind").and_then(ir::Attr::as_str).is_some_and(|kind| kind.ends_with("host"))
}

/// `5;0`: memory spaces, as clients of XLA tell them.
fn spaces_text(all: &[AttrDict]) -> String {
    all.iter().map(|dict| if in_host(dict) { "5" } else { "0" }).collect::<Vec<_>>().join(";")
}

fn only(dict: &AttrDict, name: &str) -> AttrDict {
    dict.get(name).map(|v| (Arc::from(name), v.clone())).into_iter().collect()
}

/// `mhlo.sharding`, in HLO's own syntax, or `sdy.sharding`.
fn sharding(dict: &AttrDict, meshes: &[Mesh]) -> Option<Sharding> {
    let attr = dict.get("mhlo.sharding").or_else(|| dict.get("sdy.sharding"))?;
    let mut all = as_hlo(attr, meshes).ok()?;
    Some(if all.len() == 1 { all.remove(0) } else { Sharding::Tuple(all) })
}

/// Shardy's own text, where XLA keeps it beside HLO's form.
fn shardy(dict: &AttrDict) -> Option<(Arc<str>, Arc<str>)> {
    match dict.get("sdy.sharding")? {
        ir::Attr::Verbatim(text) | ir::Attr::String(text) => Some(("xla.sdy.sharding".into(), text.clone())),
        _ => None,
    }
}

/// `{mesh = #sdy.mesh<["x"=2]>}`
fn meshes_text(meshes: &[Mesh]) -> String {
    let one = |m: &Mesh| {
        let axes: Vec<String> = m.axes.iter().map(|(name, size)| format!("\"{name}\"={size}")).collect();
        let ids: Vec<String> = m.device_ids.iter().map(i64::to_string).collect();
        let ids = if ids.is_empty() { String::new() } else { format!(", device_ids=[{}]", ids.join(", ")) };
        format!("{} = #sdy.mesh<[{}]{ids}>", m.name, axes.join(", "))
    };
    format!("{{{}}}", meshes.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// Of an entry parameter.
pub fn of_argument(dict: &AttrDict, meshes: &[Mesh]) -> Vec<Attr> {
    let mut attrs = Vec::new();
    of_operation(dict, meshes, &mut attrs);
    if let Some(replicated) = dict.get("mhlo.parameter_replication").and_then(bools) {
        attrs.push(Attr { key: Key::ParameterReplication, value: Value::Bools(replicated.into()) });
    }
    attrs
}

/// Adds what is not there yet.
pub fn of_operation(dict: &AttrDict, meshes: &[Mesh], attrs: &mut Vec<Attr>) {
    let mut add = |key: Key, value: Value| match attrs.iter_mut().find(|a| a.key == key) {
        None => attrs.push(Attr { key, value }),
        Some(Attr { value: Value::Dict(old), .. }) => {
            if let Value::Dict(new) = value {
                let known = |k: &str| old.iter().any(|(o, _)| &**o == k);
                let new: Vec<_> = new.iter().filter(|(k, _)| !known(k)).cloned().collect();
                *old = old.iter().cloned().chain(new).collect();
            }
        }
        Some(_) => {}
    };
    if let Some(s) = sharding(dict, meshes) {
        add(Key::Sharding, Value::Sharding(Box::new(s)));
    }
    if let Some(text) = shardy(dict) {
        add(Key::FrontendAttributes, Value::Dict([text].into()));
    }
    if let Some(ir::Attr::Dict(items)) = dict.get("mhlo.frontend_attributes") {
        let text = |v: &ir::Attr| match v {
            ir::Attr::String(s) => s.clone(),
            other => other.to_string().into(),
        };
        let mut items: Vec<(Arc<str>, Arc<str>)> = items.iter().map(|(k, v)| (k.into(), text(v))).collect();
        items.sort();
        if !items.is_empty() {
            add(Key::FrontendAttributes, Value::Dict(items.into()));
        }
    }
}

fn bools(a: &ir::Attr) -> Option<Vec<bool>> {
    match a {
        ir::Attr::Array(items) => items.iter().map(ir::Attr::as_bool).collect(),
        ir::Attr::DenseArray(_, v) => Some(v.iter().map(|&b| b != 0).collect()),
        _ => None,
    }
}
