//! Attributes that say what is so without them. VHLO writes every attribute; StableHLO's programs leave
//! these out, and so do programs here.

use super::downgrade::{Shape, bools, ints};
use super::upgrade::ALGORITHM;
use sim_core::ir::attr::Dense;
use sim_core::ir::op::{CompareType, HloAttr, Precision, ResultAccuracy};
use sim_core::ir::{Attr, AttrDict};
use sim_core::{ElementType as E, Tensor, TensorType, Type};
use std::sync::Arc;

/// What an attribute must be, to say nothing.
#[derive(Clone, Copy)]
enum Default {
    False,
    /// Of `channel_id`.
    Zero,
    Ones,
    Zeros,
    /// An array, a dictionary, a string or a constant without elements.
    Empty,
    Precision,
    Accuracy,
    /// The first version of the interface of custom calls.
    Original,
}

/// (operations, separated by spaces; attribute; default)
const DEFAULTS: [(&str, &str, Default); 32] = [
    (
        "all_gather all_reduce all_to_all collective_broadcast collective_permute collective_reduce reduce_scatter",
        "channel_id",
        Default::Zero,
    ),
    ("convolution dynamic_conv reduce_window select_and_scatter", "window_strides", Default::Ones),
    ("convolution reduce_window select_and_scatter", "padding", Default::Zeros),
    ("convolution dynamic_conv", "lhs_dilation", Default::Ones),
    ("convolution dynamic_conv", "rhs_dilation", Default::Ones),
    ("convolution dynamic_conv", "window_reversal", Default::Zeros),
    ("convolution dynamic_conv dot_general dot", "precision_config", Default::Precision),
    ("reduce_window", "base_dilations", Default::Ones),
    ("reduce_window", "window_dilations", Default::Ones),
    ("custom_call", "has_side_effect", Default::False),
    ("custom_call", "backend_config", Default::Empty),
    ("custom_call", "api_version", Default::Original),
    ("custom_call", "called_computations", Default::Empty),
    ("custom_call", "output_operand_aliases", Default::Empty),
    ("custom_call", "result_tilings", Default::Empty),
    ("dynamic_broadcast_in_dim", "known_expanding_dimensions", Default::Empty),
    ("dynamic_broadcast_in_dim", "known_nonexpanding_dimensions", Default::Empty),
    ("collective_broadcast collective_reduce", "has_dynamic_root", Default::False),
    ("gather dynamic_gather scatter", "indices_are_sorted", Default::False),
    ("scatter", "unique_indices", Default::False),
    ("gather dynamic_gather", "operand_batching_dims", Default::Empty),
    ("gather dynamic_gather", "start_indices_batching_dims", Default::Empty),
    ("scatter", "input_batching_dims", Default::Empty),
    ("scatter", "scatter_indices_batching_dims", Default::Empty),
    ("infeed", "layout", Default::Empty),
    ("send recv", "source_target_pairs", Default::Empty),
    (
        "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh",
        "result_accuracy",
        Default::Accuracy,
    ),
    ("func", "sym_visibility", Default::Empty),
    ("func", "arg_attrs", Default::Empty),
    ("func", "res_attrs", Default::Empty),
    ("composite", "composite_attributes", Default::Empty),
    ("infeed", "infeed_config", Default::Empty),
];

/// The value of an attribute that VHLO has always and StableHLO left out; `None` if it must be given.
/// `own` are the operation's other attributes.
pub(super) fn of(op: &str, key: &str, own: &AttrDict, shape: &Shape) -> Option<Attr> {
    let rank = |ty: Option<&&Type>| ty.and_then(|ty| ty.as_tensor()).map(TensorType::rank);
    // Dimensions of the window: of a convolution the spatial ones, else all.
    let window = || match op {
        "convolution" | "dynamic_conv" => rank(shape.operands.first())?.checked_sub(2),
        _ => rank(shape.operands.first()),
    };
    let array = |items: &[Attr]| Attr::Array(items.into());
    let hlo = |value: HloAttr| Attr::Hlo(Arc::new(value));
    Some(match key {
        "channel_id" if !matches!(op, "send" | "recv") => Attr::Int(0, E::S64),
        "use_global_device_ids"
        | "has_dynamic_root"
        | "has_side_effect"
        | "indices_are_sorted"
        | "unique_indices"
        | "is_host_transfer"
        | "lower"
        | "is_stable" => Attr::Bool(false),
        "window_strides" | "lhs_dilation" | "rhs_dilation" | "base_dilations" | "window_dilations" => {
            ints(&vec![1; window()?])
        }
        "window_reversal" => bools(&vec![0; window()?]),
        "padding" => {
            let zeros = vec![0i64; 2 * window()?];
            Attr::Dense(Arc::new(Dense::new(Tensor::from_slice(&[window()?, 2], &zeros))))
        }
        "precision_config" => array(&vec![hlo(HloAttr::Precision(Precision::Default)); 2]),
        "compare_type" => hlo(HloAttr::CompareType(CompareType::Default)),
        "result_accuracy" => hlo(HloAttr::ResultAccuracy(ResultAccuracy {
            atol: 0.0,
            rtol: 0.0,
            ulps: 0,
            mode: "DEFAULT".into(),
        })),
        "api_version" => hlo(HloAttr::CustomCallApiVersion(1)),
        "backend_config" if own.get("api_version").is_some_and(is_typed) => {
            Attr::Dict(Arc::new(AttrDict::new()))
        }
        "backend_config" | "infeed_config" | "outfeed_config" | "sym_visibility" => Attr::string(""),
        "called_computations"
        | "output_operand_aliases"
        | "result_tilings"
        | "operand_layouts"
        | "result_layouts"
        | "layout"
        | "arg_attrs"
        | "res_attrs" => array(&[]),
        "known_expanding_dimensions" | "known_nonexpanding_dimensions" | "source_target_pairs"
            if op != "collective_permute" =>
        {
            ints(&[])
        }
        "operand_batching_dims"
        | "start_indices_batching_dims"
        | "input_batching_dims"
        | "scatter_indices_batching_dims" => ints(&[]),
        "composite_attributes" => Attr::Dict(Arc::new(AttrDict::new())),
        "version" => Attr::Int(0, E::S64),
        "dimension" if op == "sort" => Attr::Int(-1, E::S64),
        _ if op == "dot_general" && ALGORITHM.contains(&key) => Attr::Type(Type::None),
        _ => return None,
    })
}

/// Custom calls of the typed interface are configured by a dictionary.
fn is_typed(version: &Attr) -> bool {
    matches!(version, Attr::Hlo(h) if **h == HloAttr::CustomCallApiVersion(4))
}

/// Is this attribute what is so without it?
pub(super) fn says_nothing(op: &str, key: &str, value: &Attr) -> bool {
    let named = |row: &&(&str, &str, Default)| row.1 == key && row.0.split(' ').any(|name| name == op);
    DEFAULTS.iter().find(named).is_some_and(|row| is(value, row.2))
}

/// Takes the attributes out that say nothing. `op` is the name without dialect and version.
pub(super) fn remove(op: &str, attrs: &mut AttrDict) {
    for (ops, key, default) in DEFAULTS {
        if ops.split(' ').any(|name| name == op) && attrs.get(key).is_some_and(|value| is(value, default)) {
            attrs.take(key);
        }
    }
    // Layouts are given for all or for none.
    let empty = |key: &str| attrs.get(key).is_some_and(|value| is(value, Default::Empty));
    if op == "custom_call" && empty("operand_layouts") && empty("result_layouts") {
        attrs.take("operand_layouts");
        attrs.take("result_layouts");
    }
}

fn is(value: &Attr, default: Default) -> bool {
    match default {
        Default::False => *value == Attr::Bool(false),
        Default::Zero => value.as_int() == Some(0),
        Default::Ones => splat(value) == Some(1),
        Default::Zeros => splat(value) == Some(0),
        Default::Empty => match value {
            Attr::Array(items) => items.is_empty(),
            Attr::Dict(dict) => dict.is_empty(),
            Attr::String(text) => text.is_empty(),
            Attr::Dense(d) => d.ty.as_tensor().and_then(|t| t.num_elements()) == Some(0),
            _ => false,
        },
        Default::Precision => match value {
            Attr::Array(items) => items
                .iter()
                .all(|item| matches!(item, Attr::Hlo(h) if **h == HloAttr::Precision(Precision::Default))),
            _ => false,
        },
        Default::Accuracy => match value {
            Attr::Hlo(h) => match &**h {
                HloAttr::ResultAccuracy(a) => {
                    a.atol == 0.0 && a.rtol == 0.0 && a.ulps == 0 && &*a.mode == "DEFAULT"
                }
                _ => false,
            },
            _ => false,
        },
        Default::Original => {
            value.as_int() == Some(1)
                || matches!(value, Attr::Hlo(h) if **h == HloAttr::CustomCallApiVersion(1))
        }
    }
}

/// The one value of all elements of a constant of integers or booleans that has any.
fn splat(value: &Attr) -> Option<i64> {
    let Attr::Dense(dense) = value else { return None };
    let value = &dense.value;
    if value.is_empty() || value.element().is_float() || value.element().is_complex() {
        return None;
    }
    let one = &value.bytes()[..value.element().byte_size()];
    let alike = value.bytes().chunks_exact(one.len()).all(|element| element == one);
    let mut first = value.to_i64s().into_iter();
    alike.then(|| first.next()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is added when it is missing is what is taken out when it is there.
    #[test]
    fn defaults_are_taken_out_again() {
        let ty = Type::tensor(E::F32, &[2, 3, 4, 5]);
        let shape = Shape { operands: &[&ty, &ty], results: &[&ty], regions: 0 };
        for (ops, key, default) in DEFAULTS {
            for op in ops.split(' ') {
                let value = of(op, key, &AttrDict::new(), &shape);
                let value = value.unwrap_or_else(|| panic!("{op}: no default of {key}"));
                assert!(is(&value, default), "{op}: {key} = {value}");
            }
        }
    }
}
