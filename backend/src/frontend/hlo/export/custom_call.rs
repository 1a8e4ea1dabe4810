//! Custom calls, and what else has a custom call's form in HLO.

use super::attrs::Attrs;
use super::lower::Lower;
use super::{invalid, shapes, unsupported};
use sim_core::Result;
use sim_core::hlo::{AliasEntry, InstructionId, Key, Layout, Opcode, Shape, Value};
use sim_core::ir::op::CustomCall;
use sim_core::ir::{Attr, Op, Operation};
use std::sync::Arc;

pub fn export(b: &mut Lower, op: &Operation) -> Result<Option<InstructionId>> {
    match &op.op {
        Op::CustomCall(call) => custom_call(b, op, call).map(Some),
        Op::Check(_) | Op::RunParallel { .. } | Op::InterpreterPrint | Op::InterpreterProbe { .. } => {
            Err(unsupported(op, format!("`{}` belongs to StableHLO's test programs", op.name()))
                .help("export the function that computes, without the checks"))
        }
        // What it says of the value's sharding is for a partitioner, and no part of what it is.
        Op::SdyShardingConstraint | Op::SdyReshard | Op::SdyPropagationBarrier if op.operands.len() == 1 => {
            b.operand(op, 0).map(Some)
        }
        Op::SdyManualComputation => manual(b, op).map(Some),
        Op::SdyShardingGroup if op.results.is_empty() => b.operand(op, 0).map(Some),
        _ => Ok(None),
    }
}

/// As XLA keeps it for its own round trip: custom calls at the borders, which hold Shardy's texts, around a call
/// of the body.
fn manual(b: &mut Lower, op: &Operation) -> Result<InstructionId> {
    let text = |name: &str| match op.attrs.get(name) {
        Some(Attr::Verbatim(text) | Attr::String(text)) => Ok(text.clone()),
        _ => Err(invalid(op, format!("the attribute `{name}` is missing, or not of its form"))),
    };
    let axes = ("xla.sdy.manual_axes".into(), text("manual_axes")?);
    let border = |target: &str, mut items: Vec<(Arc<str>, Arc<str>)>| {
        items.sort();
        Attrs::new()
            .string(Key::CustomCallTarget, target)
            .flag(Key::CustomCallHasSideEffect, true)
            .with(Key::FrontendAttributes, Value::Dict(items.into()))
    };
    let region = b.nth_region(op, 0)?;
    let args = b.f.region(region).args.clone();
    let shapes: Vec<Arc<Shape>> = args.iter().map(|&v| shapes::shape(b.f.ty(v))).collect::<Result<_>>()?;
    let body = b.named_region(op, 0, "xla.sdy.manual_computation_body")?;
    let mut operands = b.operands(op)?;
    if !operands.is_empty() {
        let items = vec![("xla.sdy.in_shardings".into(), text("in_shardings")?), axes.clone()];
        let shape = one_or_tuple(shapes.clone());
        let entered =
            b.emit(Opcode::CustomCall, shape, &operands, border("xla.sdy.GlobalToLocalShape", items));
        operands = match shapes.len() {
            1 => vec![entered],
            n => (0..n as i64).map(|k| b.element(entered, k)).collect::<Result<_>>()?,
        };
    }
    let results = b.f.region_result_types(region);
    let local: Vec<Arc<Shape>> = results.iter().map(shapes::shape).collect::<Result<_>>()?;
    let n = local.len();
    let called = b.emit(Opcode::Call, one_or_tuple(local), &operands, Attrs::new().calls(Key::ToApply, body));
    if n == 0 {
        return Ok(called);
    }
    let left = match n {
        1 => vec![called],
        n => (0..n as i64).map(|k| b.element(called, k)).collect::<Result<_>>()?,
    };
    let items = vec![axes, ("xla.sdy.out_shardings".into(), text("out_shardings")?)];
    let shape = b.result_shape(op)?;
    Ok(b.emit(Opcode::CustomCall, shape, &left, border("xla.sdy.LocalToGlobalShape", items)))
}

fn one_or_tuple(mut shapes: Vec<Arc<Shape>>) -> Arc<Shape> {
    match shapes.len() {
        1 => shapes.remove(0),
        _ => Arc::new(Shape::Tuple(shapes)),
    }
}

fn custom_call(b: &mut Lower, op: &Operation, call: &CustomCall) -> Result<InstructionId> {
    let mut attrs = Attrs::new()
        .string(Key::CustomCallTarget, &call.target)
        .flag(Key::CustomCallHasSideEffect, call.has_side_effect == Some(true));
    let version = match call.api_version {
        Some(2) => Some("API_VERSION_STATUS_RETURNING"),
        Some(3) => Some("API_VERSION_STATUS_RETURNING_UNIFIED"),
        Some(4) => Some("API_VERSION_TYPED_FFI"),
        _ => None,
    };
    if let Some(version) = version {
        attrs = attrs.word(Key::ApiVersion, version);
    }
    match &call.backend_config {
        Some(Attr::String(s)) if !s.is_empty() => attrs = attrs.string(Key::BackendConfig, s),
        // XLA keeps the dictionary as its text.
        Some(dict @ Attr::Dict(_)) => attrs = attrs.string(Key::BackendConfig, &dict.to_string()),
        _ => {}
    }
    if !call.called_computations.is_empty() {
        let paths = call.called_computations.iter();
        let ids = paths.map(|p| b.exporter.function(p, op)).collect::<Result<Vec<_>>>()?;
        attrs = attrs.with(Key::CalledComputations, Value::Computations(ids.into()));
    }
    if !call.output_operand_aliases.is_empty() {
        let entries: Vec<AliasEntry> = call
            .output_operand_aliases
            .iter()
            .map(|a| AliasEntry {
                output: a.output_tuple_indices.clone(),
                parameter: a.operand_index,
                path: a.operand_tuple_indices.clone(),
                kind: None,
            })
            .collect();
        attrs = attrs.with(Key::OutputToOperandAliasing, Value::Aliases(entries.into()));
    }
    let operands = b.operands(op)?;
    if let Some(layouts) = layouts(call.operand_layouts.as_ref()) {
        let shapes = operands.iter().zip(layouts).map(|(&o, l)| laid_out(&b.shape_of(o), &l)).collect();
        attrs = attrs.with(Key::OperandLayoutConstraints, Value::Shapes(shapes));
    }
    let mut shape = b.result_shape(op)?;
    if let Some(layouts) = layouts(call.result_layouts.as_ref()) {
        shape = match &*shape {
            Shape::Tuple(parts) => {
                Arc::new(Shape::Tuple(parts.iter().zip(layouts).map(|(s, l)| laid_out(s, &l)).collect()))
            }
            _ => layouts.first().map_or_else(|| shape.clone(), |l| laid_out(&shape, l)),
        };
    }
    Ok(b.emit(Opcode::CustomCall, shape, &operands, attrs))
}

fn layouts(attr: Option<&Attr>) -> Option<Vec<Vec<i64>>> {
    match attr {
        Some(Attr::Array(items)) => items.iter().map(Attr::as_i64s).collect(),
        _ => None,
    }
}

fn laid_out(shape: &Arc<Shape>, minor_to_major: &[i64]) -> Arc<Shape> {
    match &**shape {
        Shape::Array(a) if a.rank() == minor_to_major.len() && a.rank() > 0 => {
            let layout = Layout { minor_to_major: minor_to_major.into(), ..Layout::default() };
            let mut a = a.clone();
            a.layout = Some(Arc::new(layout));
            Arc::new(Shape::Array(a))
        }
        _ => shape.clone(),
    }
}
