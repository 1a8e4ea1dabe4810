//! A choice, written as XLA:TPU writes it: `backend_config`, JSON in which numbers are text.

use super::grid::Choice;
use super::tiles;
use crate::time::arrays::{physical, sizes};
use crate::time::contents::Catalogue;
use sim_core::chip::Units;
use sim_core::hlo::{ArrayShape, Attr, Computation, HloModule, Instruction, Key, Opcode, Value, WindowDim};
use sim_core::{Diagnostic, Result};
use smallvec::SmallVec;
use std::sync::Arc;

/// Where an instruction stands.
pub(super) struct Site<'s, 'a> {
    pub module: &'a HloModule,
    pub computation: &'a Computation,
    pub units: &'s Units,
}

/// The instruction's configuration with the choice in it; `None` where what it has is no object.
///
/// # Errors
/// Kind `Malformed`: an object that cannot be read.
pub(super) fn with<'a>(
    site: &Site<'_, 'a>,
    instruction: &'a Instruction,
    choice: &Choice,
    catalogue: &mut Catalogue<'a>,
) -> Result<Option<Value>> {
    use serde_json::{Map, Value as Json, json};
    let old = instruction.attr(&Key::BackendConfig);
    let text = match old {
        Some(Value::Raw(text) | Value::String(text)) if text.starts_with('{') => text,
        Some(_) => return Ok(None),
        None => "{}",
    };
    let mut object: Map<String, Json> = serde_json::from_str(text).map_err(|e| {
        Diagnostic::malformed(format!("backend_config of %{}: {e}", instruction.name)).at(instruction.span)
    })?;
    let texts = |numbers: &[u64]| numbers.iter().map(|n| Json::String(n.to_string())).collect::<Json>();
    let [input, kernel] = sides(site, instruction, choice, catalogue);
    let windows = json!({
        "kernel_window_bounds": texts(&kernel),
        "output_window_bounds": texts(&choice.result),
        "input_window_bounds": texts(&input),
        "iteration_bounds": texts(&choice.iteration),
        "buffering_level": "2",
    });
    object.insert("window_config".into(), windows);
    let used = json!([{ "memory_space": "1", "offset": "0", "size": choice.vmem.to_string() }]);
    object.insert("used_scoped_memory_configs".into(), used);
    if let Some(split) = choice.split {
        object.insert("megacore_config".into(), json!({ "megacore_split_dim": split.to_string() }));
    }
    let text: Arc<str> = in_order(Json::Object(object)).to_string().into();
    Ok(Some(match old {
        Some(Value::String(_)) => Value::String(text),
        _ => Value::Raw(text),
    }))
}

/// With keys in the order of their names, whatever order maps keep in this build (serde_json's `preserve_order` is another crate's to choose).
fn in_order(json: serde_json::Value) -> serde_json::Value {
    use serde_json::Value as Json;
    match json {
        Json::Object(map) => {
            let sorted: std::collections::BTreeMap<String, Json> = map.into_iter().collect();
            Json::Object(sorted.into_iter().map(|(k, v)| (k, in_order(v))).collect())
        }
        Json::Array(items) => Json::Array(items.into_iter().map(in_order).collect()),
        other => other,
    }
}

/// Sets `backend_config`.
pub(super) fn set(instruction: &mut Instruction, value: Value) {
    match instruction.attrs.iter_mut().find(|a| a.key == Key::BackendConfig) {
        Some(attr) => attr.value = value,
        None => instruction.attrs.push(Attr { key: Key::BackendConfig, value }),
    }
}

/// Windows of the left and of the right side, in tiles, in the order of memory.
fn sides<'a>(
    site: &Site<'_, 'a>,
    instruction: &'a Instruction,
    choice: &Choice,
    catalogue: &mut Catalogue<'a>,
) -> [Vec<u64>; 2] {
    let found = product(site, instruction, catalogue);
    let Some((product, left, right)) = found else { return Default::default() };
    let values = values(product, left, right, choice);
    let bounds = |array: &ArrayShape, values: &[u64]| {
        let physical = physical(array);
        let of = |(i, &(d, size)): (usize, &(usize, usize))| {
            let window = values.get(d).copied().unwrap_or(1).min((size as u64).max(1));
            tiles(window, i, physical.len(), site.units).0
        };
        physical.iter().enumerate().map(of).collect()
    };
    [bounds(left, &values[0]), bounds(right, &values[1])]
}

/// The last product of a kernel, within fusions of fusions too, with its operands.
fn product<'a>(
    site: &Site<'_, 'a>,
    kernel: &'a Instruction,
    catalogue: &mut Catalogue<'a>,
) -> Option<(&'a Instruction, &'a ArrayShape, &'a ArrayShape)> {
    let (mut at, mut around) = (kernel, site.computation);
    // Each is deeper than the one before, of which `contents` has refused too many.
    while !is_product(at) {
        around = site.module.computation(at.called().next()?);
        let mut is = |i: &&Instruction| {
            let fused = i.called().next().filter(|_| i.opcode == Opcode::Fusion);
            is_product(i) || fused.is_some_and(|c| catalogue.of(c).product.is_some())
        };
        at = around.instructions.iter().rev().find(&mut is)?;
    }
    let [left, right] = [0, 1].map(|n| at.operands.get(n).map(|&o| &*around.instruction(o).shape));
    Some((at, left?.as_array()?, right?.as_array()?))
}

fn is_product(instruction: &Instruction) -> bool {
    matches!(instruction.opcode, Opcode::Convolution | Opcode::Dot | Opcode::RaggedDot | Opcode::ScaledDot)
}

/// Values of a window by logical dimension of each side.
fn values(product: &Instruction, left: &ArrayShape, right: &ArrayShape, choice: &Choice) -> [Vec<u64>; 2] {
    // What is not cut is as long as it is.
    let mut out = [left, right].map(|a| sizes(a).iter().map(|&n| n as u64).collect::<Vec<u64>>());
    let result = |d: i64| usize::try_from(d).ok().and_then(|d| choice.values.get(d)).copied();
    let mut set = |side: usize, d: i64, value: Option<u64>| {
        let own = usize::try_from(d).ok().and_then(|d| out[side].get_mut(d));
        if let (Some(own), Some(value)) = (own, value) {
            *own = value.min(*own);
        }
    };
    if let Some(Value::DimLabels(labels)) = product.attr(&Key::DimLabels) {
        let windows: &[WindowDim] = match product.attr(&Key::Window) {
            Some(Value::Window(windows)) => windows,
            _ => &[],
        };
        set(0, labels.input_batch, result(labels.output_batch));
        set(0, labels.input_feature, Some(choice.contracted));
        set(1, labels.kernel_input_feature, Some(choice.contracted));
        set(1, labels.kernel_output_feature, result(labels.output_feature));
        let spatial = labels.output_spatial.iter().zip(&labels.kernel_spatial).zip(&labels.input_spatial);
        for (i, ((&at, &kernel), &input)) in spatial.enumerate() {
            let w = windows.get(i).copied().unwrap_or_default();
            let places = result(at).unwrap_or(1);
            if w.base_dilation > 1 {
                // A batch: one place of the window meets one value.
                set(0, input, Some(places));
                set(1, kernel, Some(places));
            } else {
                // A window slides: what all its places see.
                let seen = places
                    .saturating_sub(1)
                    .saturating_mul(w.stride.max(1) as u64)
                    .saturating_add(w.size.max(1) as u64);
                set(0, input, Some(seen));
            }
        }
        return out;
    }
    let list = |key: Key| match product.attr(&key) {
        Some(Value::Ints(dims)) => dims.iter().copied().collect::<SmallVec<[i64; 4]>>(),
        _ => SmallVec::new(),
    };
    let keys = [
        (Key::LhsBatchDims, Key::LhsContractingDims, left.rank()),
        (Key::RhsBatchDims, Key::RhsContractingDims, right.rank()),
    ];
    let mut next = list(Key::LhsBatchDims).len() as i64;
    for (side, (batch, contracting, rank)) in keys.into_iter().enumerate() {
        let (batch, contracting) = (list(batch), list(contracting));
        for (i, &d) in batch.iter().enumerate() {
            set(side, d, result(i as i64));
        }
        // Of several, none is said to be cut.
        if let [d] = contracting[..] {
            set(side, d, Some(choice.contracted));
        }
        for d in (0..rank as i64).filter(|d| !batch.contains(d) && !contracting.contains(d)) {
            set(side, d, result(next));
            next += 1;
        }
    }
    out
}
