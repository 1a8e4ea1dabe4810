//! Operations in two or three steps. They run at their start: what `-done` gives was known then.

use super::body::{Body, computation, opcode};
use super::control::context;
use super::tree::Tree;
use super::{invalid, types, unsupported};
use sim_core::Result;
use sim_core::hlo::{Instruction, Key, Opcode};

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
        Some(Opcode::CustomCall) if i.operands.is_empty() => {
            return Err(unsupported(
                i,
                "a SparseCore program of XLA:TPU, whose operands come with its update",
            )
            .help("run the module from before the SparseCore offload"));
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
