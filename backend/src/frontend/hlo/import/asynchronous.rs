//! Operations in two or three steps. They run at their start: what `-done` gives was known then.

use super::body::{Body, computation, opcode};
use super::control::context;
use super::tree::Tree;
use super::{invalid, types, unsupported};
use sim_core::Result;
use sim_core::hlo::{Instruction, Key, Opcode, Shape};

pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    use Opcode as O;
    let tree = match opcode(i) {
        // (destination, source, context): the destination holds the source's values.
        O::CopyStart => {
            let source = b.operand_tree(i, 0)?;
            Tree::Tuple(vec![source.clone(), source, context(b, i, 2)?])
        }
        O::CopyDone => {
            let start = b.operand_tree(i, 0)?;
            start.at(&[0]).cloned().ok_or_else(|| invalid(i, "it ends no copy-start"))?
        }
        O::AsyncStart => async_start(b, i)?,
        O::AsyncUpdate if i.operands.len() > 1 => given_later(b, i)?,
        O::AsyncUpdate => b.operand_tree(i, 0)?,
        O::AsyncDone => {
            let start = b.operand_tree(i, 0)?;
            start.at(&[1]).cloned().ok_or_else(|| invalid(i, "it ends no async-start"))?
        }
        _ => return Ok(None),
    };
    Ok(Some(tree))
}

/// `((operands), result, contexts…)`
fn async_start(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let shapes = match i.shape.as_tuple() {
        Some(shapes) if shapes.len() >= 2 => shapes.to_vec(),
        _ => return Err(invalid(i, "its shape is ((operands), result, …)")),
    };
    let result = match i.sugar {
        None => {
            let operands = b.leaves(i)?;
            let results = b.call(i, computation(i, Key::Calls)?, &operands)?;
            types::tree(&shapes[1], &mut results.into_iter())?
        }
        // A program of the SparseCore is started first, and given its operands later.
        Some(Opcode::CustomCall)
            if i.operands.is_empty() && matches!(&*shapes[0], Shape::Tuple(t) if t.is_empty()) =>
        {
            Tree::Tuple(Vec::new())
        }
        Some(op) => {
            // As the operation itself, which then says what it needs.
            let plain = Instruction { opcode: op, sugar: None, shape: shapes[1].clone(), ..i.clone() };
            b.synchronous(&plain)?
        }
    };
    let operands = b.leaves(i)?;
    let mut parts = vec![types::tree(&shapes[0], &mut operands.into_iter())?, result];
    for n in 2..shapes.len() {
        parts.push(context(b, i, n)?);
    }
    Ok(Tree::Tuple(parts))
}

/// `custom-call-update(start, operands…)`: XLA:TPU starts a SparseCore's program before its operands are
/// known, and hands them over here. What the program computes is the computation that the start names.
fn given_later(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let shapes = match i.shape.as_tuple() {
        Some(shapes) if shapes.len() >= 2 => shapes.to_vec(),
        _ => return Err(invalid(i, "its shape is ((operands), result, …)")),
    };
    let computation = b.computation;
    let start = i.operands.first().map(|&o| computation.instruction(o));
    let program = match start {
        Some(start) if start.opcode == Opcode::AsyncStart && start.operands.is_empty() => {
            let mut called = start.called();
            (called.next(), called.next())
        }
        _ => return Err(invalid(i, "more than one operand, and the first is no start without operands")),
    };
    let (Some(program), None) = program else {
        return Err(unsupported(
            i,
            "a program of the SparseCore without a computation that says what it does",
        )
        .help("run the module from before the SparseCore offload"));
    };
    let mut operands = Vec::new();
    for n in 1..i.operands.len() {
        b.operand_tree(i, n)?.leaves(&mut operands);
    }
    let results = b.call(i, program, &operands)?;
    if !b.importer.hlo.computation(program).root().shape.same_type(&shapes[1]) {
        return Err(invalid(i, "its shape is not what the computation returns"));
    }
    let result = types::tree(&shapes[1], &mut results.into_iter())?;
    let mut parts = vec![types::tree(&shapes[0], &mut operands.into_iter())?, result];
    for n in 2..shapes.len() {
        parts.push(context(b, i, n)?);
    }
    Ok(Tree::Tuple(parts))
}
