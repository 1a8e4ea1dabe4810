//! Control flow, calls, tuples and tokens.

use crate::diag::Result;
use crate::dtype::ElementType;
use crate::ir::attr::{Attr, AttrDict};
use crate::ir::generic::attrs::{Reader, Writer, symbols};
use crate::ir::op::{CustomCall, HloAttr, Op, OutputOperandAlias};
use std::sync::Arc;

pub(super) fn read(r: &mut Reader) -> Result<Option<Op>> {
    Ok(Some(match r.name {
        "stablehlo.if" => Op::If,
        "stablehlo.case" => Op::Case,
        "stablehlo.while" => Op::While,
        "func.call" | "call" => Op::Call { callee: r.symbol("callee")? },
        "stablehlo.composite" => Op::Composite {
            name: r.string("name")?,
            attributes: r
                .optional("composite_attributes", "a dictionary", |a| match a {
                    Attr::Dict(dict) => Some(dict.clone()),
                    _ => None,
                })?
                .unwrap_or_else(|| Arc::new(AttrDict::new())),
            decomposition: r.symbol("decomposition")?,
            version: r.int_or("version", 0)?,
        },
        "stablehlo.custom_call" => Op::CustomCall(Box::new(custom_call(r)?)),
        "stablehlo.optimization_barrier" => Op::OptimizationBarrier,
        "stablehlo.tuple" => Op::Tuple,
        "stablehlo.get_tuple_element" => Op::GetTupleElement { index: r.int("index")? },
        "stablehlo.after_all" => Op::AfterAll,
        "stablehlo.create_token" => Op::CreateToken,
        "stablehlo.infeed" => Op::Infeed { config: config(r, "infeed_config")?, layout: r.take("layout") },
        "stablehlo.outfeed" => Op::Outfeed { config: config(r, "outfeed_config")? },
        _ => return Ok(None),
    }))
}

fn config(r: &mut Reader, key: &str) -> Result<Arc<str>> {
    Ok(r.opt_string(key)?.unwrap_or_else(|| "".into()))
}

fn custom_call(r: &mut Reader) -> Result<CustomCall> {
    Ok(CustomCall {
        target: r.string("call_target_name")?,
        has_side_effect: r.opt_bool("has_side_effect")?,
        backend_config: r.optional("backend_config", "a string or a dictionary", |a| {
            matches!(a, Attr::String(_) | Attr::Dict(_)).then(|| a.clone())
        })?,
        api_version: r.optional("api_version", "an integer", |a| match a {
            Attr::Hlo(h) => match **h {
                HloAttr::CustomCallApiVersion(version) => Some(version),
                _ => None,
            },
            other => other.as_int(),
        })?,
        called_computations: r.symbols("called_computations")?,
        operand_layouts: r.take("operand_layouts"),
        result_layouts: r.take("result_layouts"),
        output_operand_aliases: r
            .optional("output_operand_aliases", "an array of `#stablehlo.output_operand_alias<…>`", aliases)?
            .unwrap_or_default(),
    })
}

fn aliases(attr: &Attr) -> Option<Vec<OutputOperandAlias>> {
    let Attr::Array(items) = attr else { return None };
    let one = |item: &Attr| match item {
        Attr::Hlo(h) => match &**h {
            HloAttr::OutputOperandAlias(alias) => Some(alias.clone()),
            _ => None,
        },
        _ => None,
    };
    items.iter().map(one).collect()
}

pub(super) fn write(op: &Op, w: &mut Writer) -> bool {
    match op {
        Op::Call { callee } => w.put("callee", Attr::Symbol(callee.clone())),
        Op::Composite { name, attributes, decomposition, version } => {
            if !attributes.is_empty() {
                w.put("composite_attributes", Attr::Dict(attributes.clone()));
            }
            w.put("decomposition", Attr::Symbol(decomposition.clone()));
            w.string("name", name);
            if *version != 0 {
                w.i32("version", *version);
            }
        }
        Op::CustomCall(call) => write_custom_call(call, w),
        Op::GetTupleElement { index } => w.i32("index", *index),
        Op::Infeed { config, layout } => {
            w.string("infeed_config", config);
            if let Some(layout) = layout {
                w.put("layout", layout.clone());
            }
        }
        Op::Outfeed { config } => w.string("outfeed_config", config),
        Op::If
        | Op::Case
        | Op::While
        | Op::OptimizationBarrier
        | Op::Tuple
        | Op::AfterAll
        | Op::CreateToken => {}
        _ => return false,
    }
    true
}

fn write_custom_call(call: &CustomCall, w: &mut Writer) {
    if let Some(version) = call.api_version {
        w.put("api_version", Attr::Int(version, ElementType::S32));
    }
    if let Some(config) = &call.backend_config {
        w.put("backend_config", config.clone());
    }
    w.string("call_target_name", &call.target);
    if !call.called_computations.is_empty() {
        w.put("called_computations", symbols(&call.called_computations));
    }
    w.opt_bool("has_side_effect", call.has_side_effect);
    if let Some(layouts) = &call.operand_layouts {
        w.put("operand_layouts", layouts.clone());
    }
    if !call.output_operand_aliases.is_empty() {
        let items = call.output_operand_aliases.iter();
        let items = items.map(|alias| Attr::Hlo(Arc::new(HloAttr::OutputOperandAlias(alias.clone()))));
        w.put("output_operand_aliases", Attr::Array(items.collect()));
    }
    if let Some(layouts) = &call.result_layouts {
        w.put("result_layouts", layouts.clone());
    }
}
