//! Attributes that any instruction may have, as StableHLO keeps them.

use super::body::Body;
use super::sharding;
use sim_core::hlo::{Instruction, Key, Value};
use sim_core::ir::attr::WHOLE_WINDOWS;
use sim_core::ir::{Attr, AttrDict, Op};
use std::sync::Arc;

/// `mhlo.sharding` and `mhlo.frontend_attributes`.
pub fn of(i: &Instruction) -> AttrDict {
    let mut attrs = AttrDict::new();
    if let Some((name, sharding)) = sharding::attribute(i) {
        attrs.set(&name, sharding);
    }
    if let Some(Value::Dict(items)) = i.attr(&Key::FrontendAttributes) {
        // What the importer itself reads becomes part of the operation.
        let own = |key: &str| key.starts_with("composite.") || key == "_xla_send_recv_source_target_pairs";
        let items: Vec<_> = items.iter().filter(|(k, _)| !own(k)).cloned().collect();
        if !items.is_empty() {
            attrs.set("mhlo.frontend_attributes", dictionary(&items));
        }
    }
    attrs
}

/// HLO drops a scatter's window whole of which a part lies outside, StableHLO that part: said of the scatter that was
/// pushed last, if its windows can.
pub fn whole_windows(b: &mut Body) {
    if let Some(op) = b.builder.function_mut().ops.last_mut()
        && let Op::Scatter { dims, .. } = &op.op
        && dims.scatter_dims_to_operand_dims.iter().any(|d| !dims.inserted_window_dims.contains(d))
    {
        op.attrs.set(WHOLE_WINDOWS, Attr::Unit);
    }
}

/// Names and texts.
pub fn dictionary(items: &[(Arc<str>, Arc<str>)]) -> Attr {
    let items: AttrDict = items.iter().map(|(k, v)| (k.clone(), Attr::String(v.clone()))).collect();
    Attr::Dict(Arc::new(items))
}

/// The frontend attribute of that name.
pub fn frontend<'i>(i: &'i Instruction, name: &str) -> Option<&'i str> {
    match i.attr(&Key::FrontendAttributes) {
        Some(Value::Dict(items)) => items.iter().find(|(k, _)| &**k == name).map(|(_, v)| &**v),
        _ => None,
    }
}
