//! What loops carry.

use super::{copied, donated, readers};
use crate::compiler::Cx;
use crate::compiler::graph::{is_beside, push, source, updated, users};
use sim_core::hlo::{Computation, HloModule, Instruction, InstructionId, Key, Opcode};

fn is_array(i: &Instruction) -> bool {
    i.shape.as_array().is_some_and(|a| a.rank() > 0)
}

/// Does a loop hand that element on as it is?
fn is_kept(module: &HloModule, of: &Instruction, n: usize) -> bool {
    let Some(body) = of.calls(&Key::Body).map(|id| module.computation(id)) else { return false };
    let next = body.root().operands.get(n).map(|&o| body.instruction(source(body, o)));
    let is_parameter = |i: &Instruction| {
        let of = i.operands.first();
        of.is_some_and(|&o| body.instruction(o).opcode == Opcode::Parameter)
    };
    body.root().opcode != Opcode::Tuple
        || next
            .is_some_and(|i| i.opcode == Opcode::GetTupleElement && is_parameter(i) && i.element() == Some(n))
}

/// What loops start from and change, if somebody else needs it as it was.
pub(super) fn starts(cx: &mut Cx<'_>, computation: &mut Computation, is_entry: bool) -> bool {
    let users = users(computation);
    let mut changed = false;
    for at in 0..users.len() {
        let of = computation.instructions[at].clone();
        let Some(&start) = of.operands.first().filter(|_| of.opcode == Opcode::While) else { continue };
        if computation.instruction(start).opcode != Opcode::Tuple {
            continue;
        }
        // Two loops that start from one tuple each have their own.
        let shared = users[start.0 as usize].len() > 1;
        let mut tuple = start;
        if shared {
            let own = computation.instruction(start).clone();
            tuple = push(computation, Instruction { name: cx.names.fresh(&own.name), ..own });
            computation.instructions[at].operands[0] = tuple;
            changed = true;
        }
        let mut seen: Vec<InstructionId> = Vec::new();
        for n in 0..computation.instruction(tuple).operands.len() {
            let from = computation.instruction(tuple).operands[n];
            if !is_array(computation.instruction(from)) || is_kept(&cx.module, &of, n) {
                continue;
            }
            let owner = source(computation, from);
            let i = computation.instruction(owner);
            let (_, others) = readers(computation, &users, [owner]);
            let again = seen.contains(&owner) || kept_too(cx, computation, &of, tuple, owner);
            let later = again || shared || others.iter().any(|u| *u != start && u.0 as usize > at);
            let foreign = match (i.opcode, i.parameter_number) {
                (_, Some(p)) => is_entry && !donated(&cx.module, p, None),
                (Opcode::Constant, _) => true,
                _ => false,
            };
            seen.push(owner);
            // What fills an array does so again, unless another look at it is carried.
            let fills = owner == from && matches!(i.opcode, Opcode::Broadcast | Opcode::Iota);
            let elsewhere = shared || others.iter().any(|u| *u != start);
            let own = if fills && (again || elsewhere) {
                let copy = Instruction { name: cx.names.fresh(&i.name), ..i.clone() };
                push(computation, copy)
            } else if !fills && (later || foreign) {
                copied(cx, computation, from)
            } else {
                continue;
            };
            computation.instructions[tuple.0 as usize].operands[n] = own;
            changed = true;
        }
    }
    changed
}

/// Does the loop carry it in another element that it never changes?
fn kept_too(
    cx: &Cx<'_>,
    computation: &Computation,
    of: &Instruction,
    tuple: InstructionId,
    owner: InstructionId,
) -> bool {
    let operands = computation.instruction(tuple).operands.iter().enumerate();
    operands.filter(|(_, o)| source(computation, **o) == owner).any(|(n, _)| is_kept(&cx.module, of, n))
}

/// What an iteration still reads when what takes its place is made.
pub(super) fn iterations(cx: &mut Cx<'_>, body: &mut Computation) -> bool {
    let root = body.root;
    if body.root().opcode != Opcode::Tuple {
        return false;
    }
    let users = users(body);
    let elements: Vec<Option<usize>> = body
        .instructions
        .iter()
        .map(|i| {
            let of = i.operands.first().filter(|_| i.opcode == Opcode::GetTupleElement)?;
            i.element().filter(|_| body.instruction(*of).opcode == Opcode::Parameter)
        })
        .collect();
    let looks_at = |n: usize| {
        let all = elements.iter().enumerate().filter(move |(_, e)| **e == Some(n));
        all.map(|(i, _)| InstructionId(i as u32)).collect::<Vec<_>>()
    };
    let mut changed = false;
    let mut seen: Vec<InstructionId> = Vec::new();
    for n in 0..body.instruction(root).operands.len() {
        let next = body.instruction(root).operands[n];
        if body.instruction(next).shape.as_array().is_none() {
            continue;
        }
        let owner = source(body, next);
        // (A copy that was made here is of another element.)
        let is_look = elements.get(owner.0 as usize).copied().unwrap_or(Some(usize::MAX));
        if is_look == Some(n) {
            continue;
        }
        // Another element, what is there for ever, or what another element is made of.
        if is_look.is_some() || body.instruction(owner).opcode == Opcode::Constant || seen.contains(&owner) {
            let copy = copied(cx, body, next);
            body.instructions[root.0 as usize].operands[n] = copy;
            changed = true;
            continue;
        }
        seen.push(owner);
        let made = match (body.instruction(owner).opcode, body.instruction(owner).operands.first()) {
            (Opcode::GetTupleElement, Some(&by)) => by,
            _ => owner,
        };
        let maker = body.instruction(made);
        let (looks, others) = readers(body, &users, looks_at(n));
        // Whoever changes a part of it works in its place; who else reads it then is seen to.
        let in_place = |k: usize| maker.operands.get(k).is_some_and(|o| looks.contains(o));
        if updated(&cx.module, maker).into_iter().any(in_place) || maker.opcode == Opcode::While {
            continue;
        }
        let beside = || looks.iter().all(|&l| is_beside(&cx.module, maker, l));
        let read = |u: &InstructionId| *u != root && (*u > made || (*u == made && !beside()));
        if !others.iter().any(read) {
            continue;
        }
        for look in looks_at(n) {
            let end = body.instructions.len();
            let copy = copied(cx, body, look);
            for i in &mut body.instructions[..end] {
                i.operands.iter_mut().filter(|o| **o == look).for_each(|o| *o = copy);
            }
            changed = true;
        }
    }
    changed
}
