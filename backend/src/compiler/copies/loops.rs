//! What loops carry.

use super::memory::{Memory, is_kept};
use super::moves::{self, Move};
use super::{copied, donated};
use crate::compiler::Cx;
use crate::compiler::graph::{is_beside, push, source, users};
use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::hlo::{Computation, Instruction, InstructionId, Opcode};

fn is_array(i: &Instruction) -> bool {
    i.shape.as_array().is_some_and(|a| a.rank() > 0)
}

/// What loops start from and change, if somebody else needs it as it was.
pub(super) fn starts(cx: &mut Cx<'_>, computation: &mut Computation, is_entry: bool) -> bool {
    let is_loop = |i: &usize| computation.instructions[*i].opcode == Opcode::While;
    let loops: Vec<usize> = (0..computation.instructions.len()).filter(is_loop).collect();
    if loops.is_empty() {
        return false;
    }
    let users = users(computation);
    let memory = Memory::of(&cx.module, computation);
    let mut changed = false;
    for at in loops {
        let of = computation.instructions[at].clone();
        let Some(&start) = of.operands.first() else { continue };
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
        let elements = computation.instruction(tuple).operands.iter().enumerate();
        let kept: Vec<bool> = elements.clone().map(|(n, _)| is_kept(&cx.module, &of, n)).collect();
        // What it carries in elements that it never changes.
        let kept_too: FxHashSet<InstructionId> =
            elements.filter(|(n, _)| kept[*n]).map(|(_, &o)| memory.value(o)).collect();
        let mut seen: FxHashSet<InstructionId> = FxHashSet::default();
        for n in (0..kept.len()).filter(|&n| !kept[n]) {
            let from = computation.instruction(tuple).operands[n];
            if !is_array(computation.instruction(from)) {
                continue;
            }
            let owner = memory.value(from);
            let i = computation.instruction(owner);
            let others = memory.readers_of(computation, owner);
            let again = !seen.insert(owner) || kept_too.contains(&owner);
            let later = again || shared || others.iter().any(|u| u.0 as usize > at);
            let foreign = match (i.opcode, i.parameter_number) {
                (_, Some(p)) => is_entry && !donated(&cx.module, p, None),
                (Opcode::Constant, _) => true,
                _ => false,
            };
            // What fills an array does so again, unless another look at it is carried.
            let fills = owner == from && matches!(i.opcode, Opcode::Broadcast | Opcode::Iota);
            let elsewhere = shared || others.iter().any(|u| u.0 as usize != at);
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

/// What an iteration still reads when what takes its place is made, and elements that change places.
pub(super) fn iterations(cx: &mut Cx<'_>, body: &mut Computation) -> bool {
    let root = body.root;
    if body.root().opcode != Opcode::Tuple {
        return false;
    }
    let n = body.instructions.len();
    let users = users(body);
    let memory = Memory::of(&cx.module, body);
    let elements: Vec<Option<usize>> = body
        .instructions
        .iter()
        .map(|i| {
            let of = i.operands.first().filter(|_| i.opcode == Opcode::GetTupleElement)?;
            i.element().filter(|_| body.instruction(*of).opcode == Opcode::Parameter)
        })
        .collect();
    let mut looks: Vec<Vec<InstructionId>> = vec![Vec::new(); body.root().operands.len()];
    for (i, element) in elements.iter().enumerate() {
        if let Some(of) = element.and_then(|e| looks.get_mut(e)) {
            of.push(InstructionId(i as u32));
        }
    }
    // What is copied into its place at the end of the iteration, and where others are first written.
    let mut moves: Vec<Move> = Vec::new();
    let mut made: Vec<Option<InstructionId>> = vec![None; looks.len()];
    let mut seen: FxHashSet<InstructionId> = FxHashSet::default();
    for (k, made) in made.iter_mut().enumerate() {
        let next = body.instruction(root).operands[k];
        if body.instruction(next).shape.as_array().is_none() {
            continue;
        }
        let start = memory.start(next);
        let from = elements[start.0 as usize];
        if from == Some(k) {
            continue;
        }
        // Another element, what is there for ever, or what another element is made of.
        if from.is_some()
            || body.instruction(start).opcode == Opcode::Constant
            || !seen.insert(source(body, next))
        {
            moves.push(Move { what: next, to: Some(k), from });
        } else {
            *made = Some(memory.maker(body, start));
        }
    }
    let readers = |k: usize| {
        let all = looks[k].iter().flat_map(|&look| memory.readers_of(body, look));
        all.filter(|u| *u != root).collect::<Vec<InstructionId>>()
    };
    // Who reads an element when another value is written there.
    let still = |k: usize, at: InstructionId| {
        let operands = body.instruction(at).operands.iter();
        let mut own = operands.filter(|o| elements[memory.value(**o).0 as usize] == Some(k));
        let beside = own.all(|&o| is_beside(&cx.module, body.instruction(at), o));
        readers(k).into_iter().any(|u| u > at || (u == at && !beside))
    };
    // What is copied out of a place that a kernel writes: right before that, if the copy's own place is not read any more then.
    let mut early: Vec<(InstructionId, usize)> = Vec::new();
    let mut taken: FxHashSet<usize> = moves.iter().filter_map(|m| m.from).collect();
    for (i, m) in moves.iter().enumerate() {
        if let (Some(to), Some(at)) = (m.to, m.from.and_then(|from| made[from]))
            && !taken.contains(&to)
            && m.what < at
            && readers(to).into_iter().all(|u| u < at)
        {
            early.push((at, i));
        }
    }
    let is_early: FxHashSet<usize> = early.iter().map(|e| e.1).collect();
    taken =
        moves.iter().enumerate().filter(|(i, _)| !is_early.contains(i)).filter_map(|(_, m)| m.from).collect();
    // The others take it out of the way first.
    let aside: Vec<(InstructionId, usize)> = made
        .iter()
        .enumerate()
        .filter_map(|(k, at)| at.filter(|&at| taken.contains(&k) || still(k, at)).map(|at| (at, k)))
        .collect();
    if moves.is_empty() && aside.is_empty() {
        return false;
    }
    let mut new: Vec<(InstructionId, InstructionId)> = Vec::new();
    let mut to: FxHashMap<InstructionId, InstructionId> = FxHashMap::default();
    for (at, k) in aside {
        for &look in &looks[k] {
            let copy = copied(cx, body, look);
            to.insert(look, copy);
            let user = users[look.0 as usize].iter().copied().filter(|u| *u != root).min();
            new.push((user.map_or(at, |u| u.min(at)), copy));
        }
    }
    let operands = body.instructions[..n].iter_mut().flat_map(|i| &mut i.operands);
    operands.chain(moves.iter_mut().map(|m| &mut m.what)).for_each(|o| *o = to.get(o).copied().unwrap_or(*o));
    for (at, i) in &early {
        let copy = copied(cx, body, moves[*i].what);
        new.push((*at, copy));
        let k = moves[*i].to.unwrap_or_default();
        body.instructions[root.0 as usize].operands[k] = copy;
    }
    let late: Vec<Move> =
        moves.into_iter().enumerate().filter(|(i, _)| !is_early.contains(i)).map(|(_, m)| m).collect();
    // What a kernel writes was taken out of the way.
    let from = |m: &Move| m.from.filter(|&f| made[f].is_none());
    let late: Vec<Move> = late.into_iter().map(|m| Move { from: from(&m), ..m }).collect();
    let (copies, order) = moves::make(cx, body, &late);
    for (m, copy) in late.iter().zip(copies) {
        let k = m.to.unwrap_or_default();
        body.instructions[root.0 as usize].operands[k] = copy;
    }
    moves::insert(body, n, &new, &order);
    true
}
