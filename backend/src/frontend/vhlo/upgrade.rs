//! One operation of VHLO to StableHLO.

use super::{defaults, split};
use sim_core::ir::op::*;
use sim_core::ir::{Attr, AttrDict};
use sim_core::{Diagnostic, Result, Type};
use std::borrow::Cow;
use std::sync::Arc;

/// The name and (in `attrs`) the attributes of today's operation. Names of other dialects stay.
/// `in_function`: does the operation stand in a function's own body, rather than in a region?
///
/// # Errors
/// Invalid: an attribute is missing or is of the wrong kind.
pub(in crate::frontend) fn upgrade<'n>(
    name: &'n str,
    attrs: &mut AttrDict,
    in_function: bool,
) -> Result<Cow<'n, str>> {
    if !name.starts_with("vhlo.") {
        return Ok(name.into());
    }
    let (op, version) = split(name);
    defaults::remove(op, attrs);
    let mut parts = Parts { name, attrs };
    match op {
        "func" => return Ok("func.func".into()),
        "return" => return Ok(if in_function { "func.return" } else { "stablehlo.return" }.into()),
        "call" => {
            parts.symbol("callee")?;
            return Ok("func.call".into());
        }
        "composite" => parts.symbol("decomposition")?,
        "custom_call" => parts.symbols("called_computations")?,
        "dot_general" => dot_general(&mut parts)?,
        "convolution" => convolution(&mut parts)?,
        "dynamic_conv" => {
            // Before version 2 it had a padding beside the one that is an operand, of no effect.
            if version == Some(1) {
                parts.attrs.take("padding");
            }
            convolution(&mut parts)?;
        }
        "gather" | "dynamic_gather" => gather(&mut parts)?,
        "scatter" => scatter(&mut parts)?,
        "send" | "recv" => {
            let channel = ChannelHandle { handle: parts.int("channel_id")?, ty: parts.int("channel_type")? };
            parts.put("channel_handle", HloAttr::Channel(channel));
        }
        _ if parts.attrs.get("channel_id").is_some() => {
            let channel = ChannelHandle { handle: parts.int("channel_id")?, ty: 0 };
            parts.put("channel_handle", HloAttr::Channel(channel));
        }
        _ => {}
    }
    Ok(format!("stablehlo.{op}").into())
}

/// The attributes of an operation while some are being put together.
struct Parts<'a> {
    name: &'a str,
    attrs: &'a mut AttrDict,
}

impl Parts<'_> {
    fn wrong(&self, key: &str, want: &str) -> Diagnostic {
        Diagnostic::invalid(format!("{}: the attribute `{key}` must be {want}", self.name))
    }

    fn put(&mut self, key: &str, value: HloAttr) {
        self.attrs.set(key, Attr::Hlo(Arc::new(value)));
    }

    fn int(&mut self, key: &str) -> Result<i64> {
        let value = self.attrs.take(key).as_ref().and_then(Attr::as_int);
        value.ok_or_else(|| self.wrong(key, "an integer"))
    }

    fn ints(&mut self, key: &str) -> Result<Vec<i64>> {
        let value = self.attrs.take(key).as_ref().and_then(Attr::as_i64s);
        value.ok_or_else(|| self.wrong(key, "a constant of integers"))
    }

    /// Empty where the operation's version does not have it.
    fn ints_or_empty(&mut self, key: &str) -> Result<Vec<i64>> {
        if self.attrs.get(key).is_some() { self.ints(key) } else { Ok(Vec::new()) }
    }

    fn ty(&mut self, key: &str) -> Result<Type> {
        match self.attrs.take(key) {
            Some(Attr::Type(ty)) => Ok(ty),
            _ => Err(self.wrong(key, "a type")),
        }
    }

    fn bool(&mut self, key: &str) -> Result<bool> {
        let value = self.attrs.take(key).as_ref().and_then(Attr::as_bool);
        value.ok_or_else(|| self.wrong(key, "a boolean"))
    }

    /// A string becomes a symbol.
    fn symbol(&mut self, key: &str) -> Result<()> {
        let Some(Attr::String(name)) = self.attrs.get(key) else {
            return Err(self.wrong(key, "a string"));
        };
        let symbol = Attr::Symbol([name.clone()].into());
        self.attrs.set(key, symbol);
        Ok(())
    }

    /// Strings become symbols, if there are any.
    fn symbols(&mut self, key: &str) -> Result<()> {
        let names = match self.attrs.get(key) {
            None => return Ok(()),
            Some(Attr::Array(items)) => items.clone(),
            Some(_) => return Err(self.wrong(key, "an array of strings")),
        };
        let symbol = |item: &Attr| match item {
            Attr::String(name) => Some(Attr::Symbol([name.clone()].into())),
            _ => None,
        };
        let symbols: Option<Vec<Attr>> = names.iter().map(symbol).collect();
        let symbols = symbols.ok_or_else(|| self.wrong(key, "an array of strings"))?;
        self.attrs.set(key, Attr::Array(symbols.into()));
        Ok(())
    }
}

/// The attributes that are one `algorithm`.
pub(super) const ALGORITHM: [&str; 7] = [
    "lhs_precision_type",
    "rhs_precision_type",
    "accumulation_type",
    "lhs_component_count",
    "rhs_component_count",
    "num_primitive_operations",
    "allow_imprecise_accumulation",
];

fn dot_general(p: &mut Parts) -> Result<()> {
    let dims = DotDims {
        lhs_batch: p.ints("lhs_batching_dimensions")?,
        rhs_batch: p.ints("rhs_batching_dimensions")?,
        lhs_contract: p.ints("lhs_contracting_dimensions")?,
        rhs_contract: p.ints("rhs_contracting_dimensions")?,
    };
    p.put("dot_dimension_numbers", HloAttr::Dot(dims));
    // Version 1 has no algorithm, version 2 has types `none` for none.
    let none = |p: &Parts, key: &str| matches!(p.attrs.get(key), None | Some(Attr::Type(Type::None)));
    if ALGORITHM.iter().all(|key| none(p, key)) {
        for key in ALGORITHM {
            p.attrs.take(key);
        }
        return Ok(());
    }
    let algorithm = DotAlgorithm {
        lhs_precision_type: p.ty("lhs_precision_type")?,
        rhs_precision_type: p.ty("rhs_precision_type")?,
        accumulation_type: p.ty("accumulation_type")?,
        lhs_component_count: p.int("lhs_component_count")?,
        rhs_component_count: p.int("rhs_component_count")?,
        num_primitive_operations: p.int("num_primitive_operations")?,
        allow_imprecise_accumulation: p.bool("allow_imprecise_accumulation")?,
    };
    p.put("algorithm", HloAttr::DotAlgorithm(algorithm));
    Ok(())
}

fn convolution(p: &mut Parts) -> Result<()> {
    let dims = ConvDims {
        input_batch: p.int("input_batch_dimension")?,
        input_feature: p.int("input_feature_dimension")?,
        input_spatial: p.ints("input_spatial_dimensions")?,
        kernel_input_feature: p.int("kernel_input_feature_dimension")?,
        kernel_output_feature: p.int("kernel_output_feature_dimension")?,
        kernel_spatial: p.ints("kernel_spatial_dimensions")?,
        output_batch: p.int("output_batch_dimension")?,
        output_feature: p.int("output_feature_dimension")?,
        output_spatial: p.ints("output_spatial_dimensions")?,
    };
    p.put("dimension_numbers", HloAttr::Conv(dims));
    Ok(())
}

fn gather(p: &mut Parts) -> Result<()> {
    let dims = GatherDims {
        offset_dims: p.ints("offset_dims")?,
        collapsed_slice_dims: p.ints("collapsed_slice_dims")?,
        operand_batching_dims: p.ints_or_empty("operand_batching_dims")?,
        start_indices_batching_dims: p.ints_or_empty("start_indices_batching_dims")?,
        start_index_map: p.ints("start_index_map")?,
        index_vector_dim: p.int("index_vector_dim")?,
    };
    p.put("dimension_numbers", HloAttr::Gather(dims));
    Ok(())
}

fn scatter(p: &mut Parts) -> Result<()> {
    let dims = ScatterDims {
        update_window_dims: p.ints("update_window_dims")?,
        inserted_window_dims: p.ints("inserted_window_dims")?,
        input_batching_dims: p.ints_or_empty("input_batching_dims")?,
        scatter_indices_batching_dims: p.ints_or_empty("scatter_indices_batching_dims")?,
        scatter_dims_to_operand_dims: p.ints("scatter_dims_to_operand_dims")?,
        index_vector_dim: p.int("index_vector_dim")?,
    };
    p.put("scatter_dimension_numbers", HloAttr::Scatter(dims));
    Ok(())
}
