//! Calls, fusions, loops, branches, tokens and the host.

use super::attributes::frontend;
use super::body::{Body, computation, flag, int_or, opcode, parameter_shapes, word};
use super::tree::Tree;
use super::{invalid, types};
use sim_core::Result;
use sim_core::hlo::{ComputationId, Instruction, Key, Opcode, Shape, Value};
use sim_core::ir::op::ChannelHandle;
use sim_core::ir::{Attr, AttrDict, Op, RegionId, ValueId};
use sim_core::types::Type;

pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    use Opcode as O;
    let tree = match opcode(i) {
        O::Call | O::Fusion => {
            let operands = b.leaves(i)?;
            let key = if opcode(i) == O::Call { Key::ToApply } else { Key::Calls };
            let tree = b.call_tree(i, computation(i, key)?, &operands)?;
            if flag(i, Key::IsComposite) {
                composite(b, i);
            }
            tree
        }
        O::While => while_loop(b, i)?,
        O::Conditional => conditional(b, i)?,
        O::AfterAll => {
            // HLO orders after values too, whose operations have run by then.
            let mut operands = b.leaves(i)?;
            operands.retain(|&v| *b.builder.ty(v) == Type::Token);
            b.push(i, Op::AfterAll, &operands, &[])?
        }
        O::Infeed => {
            let operands = b.leaves(i)?;
            let config = word(i, Key::InfeedConfig).unwrap_or_default().into();
            b.push(i, Op::Infeed { config, layout: None }, &operands, &[])?
        }
        O::Outfeed => {
            let operands = b.leaves(i)?;
            let config = word(i, Key::OutfeedConfig).unwrap_or_default().into();
            b.push(i, Op::Outfeed { config }, &operands, &[])?
        }
        O::Send => send(b, i)?,
        // The transfer happened at its start.
        O::SendDone => {
            b.operand_tree(i, 0)?.at(&[2]).cloned().ok_or_else(|| invalid(i, "it ends no send"))?
        }
        O::Recv => recv(b, i)?,
        O::RecvDone => {
            let start = b.operand_tree(i, 0)?;
            match (start.at(&[0]), start.at(&[2])) {
                (Some(data), Some(token)) => Tree::Tuple(vec![data.clone(), token.clone()]),
                _ => return Err(invalid(i, "it ends no recv")),
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(tree))
}

/// The call just made is the decomposition of a composite, if the attributes can be read.
fn composite(b: &mut Body, i: &Instruction) {
    let attributes = frontend(i, "composite.attributes").unwrap_or("{}");
    let Ok(Attr::Dict(attributes)) = crate::frontend::mlir::attr_of_text(attributes) else { return };
    let (Some(name), Some(version)) =
        (frontend(i, "composite.name"), frontend(i, "composite.version").unwrap_or("0").parse().ok())
    else {
        return;
    };
    if let Some(last) = b.builder.function_mut().ops.last_mut()
        && let Op::Call { callee } = &last.op
    {
        last.op = Op::Composite { name: name.into(), attributes, decomposition: callee.clone(), version };
    }
}

fn while_loop(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let operands = b.leaves(i)?;
    let (condition, body) = (computation(i, Key::Condition)?, computation(i, Key::Body)?);
    for (what, id) in [("condition", condition), ("body", body)] {
        match &parameter_shapes(b.importer.hlo.computation(id))?[..] {
            [state] if state.same_type(&i.shape) => {}
            _ => return Err(invalid(i, format!("its {what} does not take the loop's state"))),
        }
    }
    if !b.importer.hlo.computation(body).root().shape.same_type(&i.shape) {
        return Err(invalid(i, "its body does not return the loop's state"));
    }
    let condition = b.region(i, condition)?;
    let body = b.region(i, body)?;
    b.push(i, Op::While, &operands, &[condition, body])
}

/// By a truth value (true and false computation) or by a number (the last branch where it is out of range).
/// Each branch has one operand of its own: regions see the values around them.
fn conditional(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let selector = b.operand(i, 0)?;
    let by_pred = b.tensor_type(selector)?.element == sim_core::ElementType::Pred;
    let branches: Vec<ComputationId> = match i.attr(&Key::BranchComputations) {
        Some(Value::Computations(ids)) => ids.to_vec(),
        _ => vec![computation(i, Key::TrueComputation)?, computation(i, Key::FalseComputation)?],
    };
    if by_pred && branches.len() != 2 {
        return Err(invalid(i, "a truth value chooses among two branches"));
    }
    if i.operands.len() != branches.len() + 1 {
        return Err(invalid(
            i,
            format!("{} branches take as many operands, after the selector", branches.len()),
        ));
    }
    let mut regions: Vec<RegionId> = Vec::new();
    for (n, &branch) in branches.iter().enumerate() {
        let mut values = Vec::new();
        b.operand_tree(i, n + 1)?.leaves(&mut values);
        if !b.importer.hlo.computation(branch).root().shape.same_type(&i.shape) {
            return Err(invalid(i, format!("branch {n} returns another shape")));
        }
        regions.push(b.branch(i, branch, &values)?);
    }
    let op = if by_pred { Op::If } else { Op::Case };
    b.push(i, op, &[selector], &regions)
}

fn channel(i: &Instruction) -> ChannelHandle {
    // StableHLO's types: 1 device to device, 2 device to host, 3 host to device.
    let ty = match (flag(i, Key::IsHostTransfer), opcode(i)) {
        (false, _) => 1,
        (true, Opcode::Send) => 2,
        (true, _) => 3,
    };
    ChannelHandle { handle: int_or(i, Key::ChannelId, 0), ty }
}

/// Who sends to whom: XLA keeps it as `frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2}}}`.
fn pairs(i: &Instruction) -> Option<Vec<(i64, i64)>> {
    let Some(Value::Dict(items)) = i.attr(&Key::FrontendAttributes) else { return None };
    let (_, text) = items.iter().find(|(name, _)| &**name == "_xla_send_recv_source_target_pairs")?;
    let numbers: Option<Vec<i64>> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|s| !s.is_empty()).map(|s| s.parse().ok()).collect();
    Some(numbers?.chunks_exact(2).map(|p| (p[0], p[1])).collect())
}

/// `(data, context, token) send(data, token)`
fn send(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let operands = b.leaves(i)?;
    let op = Op::Send {
        channel: channel(i),
        is_host_transfer: flag(i, Key::IsHostTransfer),
        source_target_pairs: pairs(i),
    };
    let token = b.helper(i, op, &operands, Type::Token);
    Ok(Tree::Tuple(vec![b.operand_tree(i, 0)?, context(b, i, 1)?, Tree::Leaf(token)]))
}

/// `(data, context, token) recv(token)`
fn recv(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let operands = b.leaves(i)?;
    let Some([data, ..]) = i.shape.as_tuple() else {
        return Err(invalid(i, "it gives (data, context, token)"));
    };
    let mut results = Vec::new();
    types::leaves(data, &mut results)?;
    results.push(Type::Token);
    let op = Op::Recv {
        channel: channel(i),
        is_host_transfer: flag(i, Key::IsHostTransfer),
        source_target_pairs: pairs(i),
    };
    let loc = b.loc(i);
    let id = b.builder.push(op, &operands, results, &[], AttrDict::new(), loc, i.span);
    let mut values = b.builder.function().op(id).results.clone().into_iter();
    let data = types::tree(data, &mut values)?;
    let token: ValueId = values.next().ok_or_else(|| invalid(i, "it gives a token"))?;
    Ok(Tree::Tuple(vec![data, context(b, i, 1)?, Tree::Leaf(token)]))
}

/// The context of an asynchronous pair: a number that nobody looks at.
pub fn context(b: &mut Body, i: &Instruction, element: usize) -> Result<Tree> {
    match i.shape.as_tuple().and_then(|t| t.get(element)) {
        Some(shape) => zeros(b, i, &shape.clone()),
        None => Err(invalid(i, format!("its shape has no element {element}"))),
    }
}

/// Zeros of a shape.
pub fn zeros(b: &mut Body, i: &Instruction, shape: &Shape) -> Result<Tree> {
    match shape {
        Shape::Tuple(items) => items.iter().map(|s| zeros(b, i, s)).collect::<Result<_>>().map(Tree::Tuple),
        Shape::Token => Ok(Tree::Leaf(b.helper(i, Op::CreateToken, &[], Type::Token))),
        _ => {
            let ty = types::leaf(shape)?;
            let element = ty.as_tensor().map_or(sim_core::ElementType::F32, |t| t.element);
            let zero = super::compute::int_constant(b, i, element, 0);
            Ok(Tree::Leaf(b.helper(i, Op::BroadcastInDim { dims: Vec::new() }, &[zero], ty)))
        }
    }
}
