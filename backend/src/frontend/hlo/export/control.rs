//! Calls, loops, branches, tokens and the host.

use super::attrs::Attrs;
use super::captures::captures;
use super::lower::Lower;
use super::{invalid, shapes, unsupported};
use sim_core::hlo::{InstructionId, Key, Opcode, Shape, Value};
use sim_core::ir::op::ChannelHandle;
use sim_core::ir::{AttrDict, Op, Operation};
use sim_core::{Result, Type};
use std::sync::Arc;

pub fn export(b: &mut Lower, op: &Operation) -> Result<Option<InstructionId>> {
    match &op.op {
        Op::Call { callee } => {
            let callee = b.exporter.function(callee, op)?;
            b.plain(op, Opcode::Call, Attrs::new().calls(Key::ToApply, callee))
        }
        Op::Composite { name, attributes, decomposition, version } => {
            let callee = b.exporter.function(decomposition, op)?;
            let attrs = Attrs::new()
                .calls(Key::ToApply, callee)
                .flag(Key::IsComposite, true)
                .with(Key::FrontendAttributes, composite(name, attributes, *version));
            b.plain(op, Opcode::Call, attrs)
        }
        Op::While => while_loop(b, op).map(Some),
        Op::If | Op::Case => conditional(b, op).map(Some),
        Op::AfterAll => b.plain(op, Opcode::AfterAll, Attrs::new()),
        Op::CreateToken => b.plain(op, Opcode::AfterAll, Attrs::new()),
        Op::Infeed { config, layout: _ } => {
            let attrs =
                if config.is_empty() { Attrs::new() } else { Attrs::new().string(Key::InfeedConfig, config) };
            let token = b.operand(op, 0)?;
            let parts = data_and_token(b, op)?;
            let shape = Arc::new(Shape::Tuple(parts));
            let id = b.emit(Opcode::Infeed, shape, &[token], attrs);
            unpacked(b, op, id)
        }
        Op::Outfeed { config } => {
            let operands = b.operands(op)?;
            let Some((&token, data)) = operands.split_last() else {
                return Err(invalid(op, "it takes a token"));
            };
            let data = b.packed(data);
            let outfed = b.shape_of(data);
            let mut attrs = Attrs::new().with(Key::OutfeedShape, Value::Shape(outfed));
            if !config.is_empty() {
                attrs = attrs.string(Key::OutfeedConfig, config);
            }
            Ok(Some(b.emit(Opcode::Outfeed, Arc::new(Shape::Token), &[data, token], attrs)))
        }
        Op::Send { channel, is_host_transfer, source_target_pairs } => {
            let operands = b.operands(op)?;
            let Some((&token, data)) = operands.split_last() else {
                return Err(invalid(op, "it takes a token"));
            };
            let data = b.packed(data);
            let shape = Arc::new(Shape::Tuple(vec![b.shape_of(data), context()?, Arc::new(Shape::Token)]));
            let attrs = transfer(channel, *is_host_transfer, source_target_pairs.as_deref());
            let start = b.emit(Opcode::Send, shape, &[data, token], attrs.clone());
            Ok(Some(b.emit(Opcode::SendDone, Arc::new(Shape::Token), &[start], attrs)))
        }
        Op::Recv { channel, is_host_transfer, source_target_pairs } => {
            let token = b.operand(op, 0)?;
            let parts = data_and_token(b, op)?;
            let started = vec![parts[0].clone(), context()?, parts[1].clone()];
            let attrs = transfer(channel, *is_host_transfer, source_target_pairs.as_deref());
            let start = b.emit(Opcode::Recv, Arc::new(Shape::Tuple(started)), &[token], attrs.clone());
            let id = b.emit(Opcode::RecvDone, Arc::new(Shape::Tuple(parts)), &[start], attrs);
            unpacked(b, op, id)
        }
        _ => Ok(None),
    }
}

/// The state is a tuple of the operands and of what condition and body take from around them, which goes
/// around unchanged; one value alone is no tuple.
fn while_loop(b: &mut Lower, op: &Operation) -> Result<InstructionId> {
    let captured = captures(b.f, &op.regions);
    let mut state = b.operands(op)?;
    for &v in &captured {
        state.push(b.value(op, v)?);
    }
    let init = b.packed(&state);
    let body = b.open_region(op, 1, &captured, &captured)?;
    let condition = b.open_region(op, 0, &captured, &[])?;
    let attrs = Attrs::new().calls(Key::Condition, condition).calls(Key::Body, body);
    let shape = b.shape_of(init);
    let id = b.emit(Opcode::While, shape, &[init], attrs);
    if op.results.len() == 1 && !captured.is_empty() {
        return b.element(id, 0);
    }
    Ok(id)
}

/// Each branch has one operand: what it takes from around it, as a tuple unless that is one value.
fn conditional(b: &mut Lower, op: &Operation) -> Result<InstructionId> {
    let mut operands = vec![b.operand(op, 0)?];
    let mut branches = Vec::new();
    for (n, region) in op.regions.iter().enumerate() {
        let captured = captures(b.f, std::slice::from_ref(region));
        let branch = b.open_region(op, n, &captured, &[])?;
        let order = b.exporter.order_of_use(branch, captured.len());
        let parts = order.into_iter().map(|k| b.value(op, captured[k])).collect::<Result<Vec<_>>>()?;
        operands.push(b.packed(&parts));
        branches.push(branch);
    }
    let attrs = match (&op.op, &branches[..]) {
        (Op::If, &[on_true, on_false]) => {
            Attrs::new().calls(Key::TrueComputation, on_true).calls(Key::FalseComputation, on_false)
        }
        _ => Attrs::new().with(Key::BranchComputations, Value::Computations(branches.into())),
    };
    let shape = b.result_shape(op)?;
    Ok(b.emit(Opcode::Conditional, shape, &operands, attrs))
}

/// As XLA keeps what a composite is called.
fn composite(name: &str, attributes: &AttrDict, version: i64) -> Value {
    let text = attributes.to_string();
    let text = if text.is_empty() { "{}".to_string() } else { text };
    Value::Dict(Box::new([
        ("composite.attributes".into(), text.into()),
        ("composite.name".into(), name.into()),
        ("composite.version".into(), version.to_string().into()),
    ]))
}

/// (data, token) of an operation whose last result is a token.
fn data_and_token(b: &Lower, op: &Operation) -> Result<Vec<Arc<Shape>>> {
    let shape = b.result_shape(op)?;
    match &*shape {
        Shape::Token => Ok(vec![Arc::new(Shape::Tuple(Vec::new())), shape]),
        Shape::Tuple(parts) => match parts.split_last() {
            Some((token, [data])) => Ok(vec![data.clone(), token.clone()]),
            Some((token, data)) => Ok(vec![Arc::new(Shape::Tuple(data.to_vec())), token.clone()]),
            None => Err(invalid(op, "it gives a token")),
        },
        _ => Err(invalid(op, "its last result is a token")),
    }
}

/// The results of an operation that HLO gives as `((data…), token)`.
fn unpacked(b: &mut Lower, op: &Operation, id: InstructionId) -> Result<Option<InstructionId>> {
    if op.results.len() == 2 {
        return Ok(Some(id));
    }
    let (data, token) = (b.element(id, 0)?, b.element(id, 1)?);
    if op.results.len() == 1 {
        return Ok(Some(token));
    }
    let mut ids = Vec::new();
    for n in 0..op.results.len() as i64 - 1 {
        ids.push(b.element(data, n)?);
    }
    ids.push(token);
    b.bind_each(op, &ids);
    Ok(Some(id))
}

fn context() -> Result<Arc<Shape>> {
    shapes::shape(&Type::tensor(sim_core::ElementType::U32, &[]))
}

fn transfer(channel: &ChannelHandle, host: bool, pairs: Option<&[(i64, i64)]>) -> Attrs {
    let attrs = Attrs::new().int(Key::ChannelId, channel.handle).flag(Key::IsHostTransfer, host);
    let Some(pairs) = pairs.filter(|p| !p.is_empty()) else { return attrs };
    let text: Vec<String> = pairs.iter().map(|(from, to)| format!("{{{from},{to}}}")).collect();
    let dict = [("_xla_send_recv_source_target_pairs".into(), format!("{{{}}}", text.join(",")).into())];
    attrs.with(Key::FrontendAttributes, Value::Dict(Box::new(dict)))
}

/// A future has no shape in HLO.
pub fn futures(op: &Operation) -> sim_core::Diagnostic {
    unsupported(op, "asynchronous StableHLO is not written as HLO")
        .help("write the operation itself: XLA makes it asynchronous where that helps")
}
