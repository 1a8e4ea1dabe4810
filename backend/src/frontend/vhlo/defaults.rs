//! Attributes that say what is so without them. VHLO writes every attribute; StableHLO's programs leave
//! these out, and so do programs here.

use sim_core::ir::op::{HloAttr, Precision};
use sim_core::ir::{Attr, AttrDict};

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
const DEFAULTS: [(&str, &str, Default); 27] = [
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
    ("gather dynamic_gather scatter", "indices_are_sorted", Default::False),
    ("scatter", "unique_indices", Default::False),
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
            matches!(value, Attr::Hlo(h) if **h == HloAttr::CustomCallApiVersion(1))
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
