//! What loops carry: an array that a loop's iterations only read, or make anew, stays in VMEM for the whole loop.
//!
//! It is copied there before, and back behind it if somebody other than a kernel wants it. Bodies with loops of their own are left alone.

use super::{Room, VMEM, flag, in_memory, only_reads};
use crate::compiler::graph::{self, Effects, Names, compact, is_by_value, users};
use crate::time::arrays::{self, Memory};
use crate::time::costs::is_kernel;
use sim_core::hlo::{
    ArrayShape, Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode, Shape, Value,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// Puts what fits of what each loop carries into VMEM of `all` bytes.
pub(super) fn place(module: &mut HloModule, names: &mut Names, all: u64) {
    let effects = Effects::of(module);
    for id in module.reached() {
        let loops: Vec<usize> = (0..module.computation(id).instructions.len())
            .filter(|&i| module.computation(id).instructions[i].opcode == Opcode::While)
            .collect();
        for i in loops {
            one(module, names, &effects, id, i, all);
        }
        let mut computation = module.computation(id).clone();
        compact(&mut computation, |i| effects.keeps(i));
        module.computations[id.0 as usize] = computation;
    }
}

fn called(i: &Instruction, key: &Key) -> Option<ComputationId> {
    match i.attr(key) {
        Some(Value::Computation(id)) => Some(*id),
        _ => None,
    }
}

fn one(
    module: &mut HloModule,
    names: &mut Names,
    effects: &Effects,
    parent: ComputationId,
    at: usize,
    all: u64,
) -> Option<()> {
    let instruction = module.computation(parent).instructions[at].clone();
    let (condition, body) = (called(&instruction, &Key::Condition)?, called(&instruction, &Key::Body)?);
    let tuple = *instruction.operands.first()?;
    let initial = module.computation(parent).instruction(tuple).clone();
    let parts = instruction.shape.as_tuple()?.to_vec();
    let alone = module.computation(body).root().opcode == Opcode::Tuple
        && initial.opcode == Opcode::Tuple
        && users(module.computation(parent))[tuple.0 as usize].len() == 1
        && !module.computation(body).instructions.iter().any(Instruction::hands_over);
    if !alone {
        return None;
    }
    let mut found: Vec<Carried> = (0..parts.len())
        .filter_map(|n| {
            let array = parts[n].as_array().filter(|a| arrays::memory(a) == Memory::Hbm && a.rank() > 0)?;
            let (reads, next) = reads(module, body, n)?;
            reads_only(module, condition, n)?;
            // The next iteration's lies beside this one's, unless it takes its place value by value.
            let times = if next.is_some_and(|by| !is_by_value(module, by)) { 2 } else { 1 };
            let bytes = arrays::bytes(array).saturating_mul(times);
            (next.is_some() || reads > 0).then_some(Carried {
                element: n,
                reads,
                bytes,
                copied: arrays::bytes(array),
                is_new: next.is_some(),
                is_kept: times > 1,
            })
        })
        .collect();
    // What is made anew comes first, then those that are read most for their size.
    found.sort_by_key(|c| (!c.is_new, std::cmp::Reverse(c.reads), c.bytes, c.element));
    let mut free = all;
    // What is only read is fetched beside the copies of what is made anew, and no longer than those take: nothing else runs before the loop.
    let mut beside = 0u64;
    for c in found {
        if c.bytes == 0 || c.bytes > free || (!c.is_new && c.copied > beside) {
            continue;
        }
        free -= c.bytes;
        beside = if c.is_new { beside.saturating_add(c.copied) } else { beside - c.copied };
        move_element(module, names, parent, at, [condition, body], c.element);
        if c.is_kept {
            keep(module, names, body, c.element);
            let computation = &mut module.computations[body.0 as usize];
            compact(computation, |i| effects.keeps(i));
        }
    }
    Some(())
}

/// An element of what a loop carries that may go to VMEM.
struct Carried {
    element: usize,
    /// Kernels of the body that read it.
    reads: u64,
    /// Room that it takes.
    bytes: u64,
    /// Bytes that are copied before the loop.
    copied: u64,
    is_new: bool,
    /// It is still read while the next iteration's is made.
    is_kept: bool,
}

/// The looks at element `n` of a computation's parameter, bitcasts of them too, and who else uses them.
fn looks(computation: &Computation, n: usize) -> (Vec<InstructionId>, Vec<InstructionId>) {
    let users = users(computation);
    let is_element = |i: &Instruction| {
        i.opcode == Opcode::GetTupleElement
            && i.attr(&Key::Index) == Some(&Value::Int(n as i64))
            && i.operands.iter().all(|&o| computation.instruction(o).opcode == Opcode::Parameter)
    };
    let mut looks: Vec<InstructionId> = (0..computation.instructions.len() as u32)
        .map(InstructionId)
        .filter(|&i| is_element(computation.instruction(i)))
        .collect();
    let mut others = Vec::new();
    let mut k = 0;
    while let Some(&look) = looks.get(k) {
        for &user in &users[look.0 as usize] {
            match computation.instruction(user).opcode {
                Opcode::Bitcast => looks.push(user),
                _ => others.push(user),
            }
        }
        k += 1;
    }
    (looks, others)
}

fn reads_only(module: &HloModule, id: ComputationId, n: usize) -> Option<u64> {
    let computation = module.computation(id);
    let (_, others) = looks(computation, n);
    let reads = |u: &InstructionId| {
        let i = computation.instruction(*u);
        only_reads(module, i)
    };
    others.iter().all(reads).then_some(others.len() as u64)
}

/// How many kernels of a body read its element, and what makes it anew, if anything does; `None`: something else is done with it.
fn reads(module: &HloModule, body: ComputationId, n: usize) -> Option<(u64, Option<&Instruction>)> {
    let computation = module.computation(body);
    let root = computation.root;
    let next = *computation.root().operands.get(n)?;
    let (looks, others) = looks(computation, n);
    let reads = |u: &InstructionId| {
        let i = computation.instruction(*u);
        only_reads(module, i)
    };
    // It is handed on as it is, in its own place.
    let kept = looks.contains(&next);
    let handed_on = computation.root().operands.iter().enumerate().all(|(k, o)| k == n || !looks.contains(o));
    let kernels: Vec<&InstructionId> = others.iter().filter(|&&u| u != root).collect();
    if !handed_on || !kernels.iter().all(|u| reads(u)) {
        return None;
    }
    if !kept {
        let users = users(computation);
        let by = maker(computation, &users, next)?;
        let by_kernel = computation.instruction(next).shape.as_array().is_some()
            && only_reads(module, computation.instruction(by));
        let readers = &users[next.0 as usize];
        if !by_kernel || !readers.iter().all(|u| *u == root || reads(u)) {
            return None;
        }
        if computation.root().operands.iter().filter(|o| **o == next).count() > 1 {
            return None;
        }
    }
    let made = |id: InstructionId| match computation.instruction(id).opcode {
        Opcode::GetTupleElement => computation.instruction(computation.instruction(id).operands[0]),
        _ => computation.instruction(id),
    };
    Some((kernels.len() as u64, (!kept).then(|| made(next))))
}

/// The instruction that makes a value: itself, or the one of which it is an element that nobody else takes.
fn maker(
    computation: &Computation,
    users: &[SmallVec<[InstructionId; 4]>],
    id: InstructionId,
) -> Option<InstructionId> {
    let i = computation.instruction(id);
    if i.opcode != Opcode::GetTupleElement {
        return Some(id);
    }
    let of = *i.operands.first()?;
    let elements = users[of.0 as usize].iter().map(|&u| computation.instruction(u));
    let alone = elements.clone().all(|u| u.opcode == Opcode::GetTupleElement)
        && elements.filter(|u| u.attr(&Key::Index) == i.attr(&Key::Index)).count() == 1;
    (alone && computation.instruction(of).opcode == Opcode::Fusion).then_some(of)
}

/// The value lies in VMEM, and what makes it says so.
fn set_made(computation: &mut Computation, id: InstructionId) {
    let i = &computation.instructions[id.0 as usize];
    if let (Opcode::GetTupleElement, Some(Value::Int(n)), Some(&of)) =
        (i.opcode, i.attr(&Key::Index), i.operands.first())
    {
        let n = *n as usize;
        set_element(&mut computation.instructions[of.0 as usize], n);
    }
    set_array(&mut computation.instructions[id.0 as usize]);
}

/// A value that a kernel right before the loop makes for it alone is made where the loop wants it.
fn made_for(module: &HloModule, parent: ComputationId, id: InstructionId, at: usize) -> bool {
    let computation = module.computation(parent);
    let users = users(computation);
    let Some(by) = maker(computation, &users, id) else { return false };
    let kernel = computation.instruction(by);
    only_reads(module, kernel)
        && users[id.0 as usize].len() == 1
        && !computation.instructions[by.0 as usize..at].iter().any(Instruction::hands_over)
}

fn to_vmem(shape: &Shape) -> Option<Arc<Shape>> {
    shape.as_array().map(|a: &ArrayShape| in_memory(a, VMEM))
}

fn set_element(i: &mut Instruction, n: usize) {
    if let Shape::Tuple(parts) = &*i.shape {
        let mut parts = parts.clone();
        if let Some(part) = parts.get_mut(n)
            && let Some(moved) = to_vmem(part)
        {
            *part = moved;
        }
        i.shape = Arc::new(Shape::Tuple(parts));
    }
}

fn set_array(i: &mut Instruction) {
    if let Some(moved) = to_vmem(&i.shape) {
        i.shape = moved;
    }
}

fn move_element(
    module: &mut HloModule,
    names: &mut Names,
    parent: ComputationId,
    at: usize,
    parts: [ComputationId; 2],
    n: usize,
) {
    for id in parts {
        let (looks, _) = looks(module.computation(id), n);
        let computation = &mut module.computations[id.0 as usize];
        looks.iter().for_each(|l| set_array(&mut computation.instructions[l.0 as usize]));
        for p in computation.instructions.iter_mut().filter(|i| i.opcode == Opcode::Parameter) {
            set_element(p, n);
        }
    }
    // What the body makes.
    let body = &mut module.computations[parts[1].0 as usize];
    let root = body.root.0 as usize;
    let next = body.instructions[root].operands[n];
    set_made(body, next);
    set_element(&mut body.instructions[root], n);
    let reads = {
        let computation = module.computation(parent);
        let users = users(computation);
        let reads = |u: &InstructionId| {
            let i = computation.instruction(*u);
            only_reads(module, i)
        };
        let elements = users[at]
            .iter()
            .copied()
            .filter(|&u| computation.instruction(u).attr(&Key::Index) == Some(&Value::Int(n as i64)));
        elements
            .map(|e| (e, e != computation.root && users[e.0 as usize].iter().all(reads)))
            .collect::<Vec<_>>()
    };
    let tuple = module.computation(parent).instructions[at].operands[0].0 as usize;
    let from = module.computation(parent).instructions[tuple].operands[n];
    let is_made = made_for(module, parent, from, at);
    let computation = &mut module.computations[parent.0 as usize];
    let shape = to_vmem(&computation.instruction(from).shape);
    if is_made {
        set_made(computation, from);
    } else if let Some(shape) = shape {
        computation.instructions[tuple].operands[n] = moved(computation, names, from, shape);
    }
    set_element(&mut computation.instructions[tuple], n);
    set_element(&mut computation.instructions[at], n);
    for (element, by_kernels) in reads {
        let old = computation.instruction(element).clone();
        set_array(&mut computation.instructions[element.0 as usize]);
        if !by_kernels {
            // Behind the loop it goes back.
            let len = computation.instructions.len();
            let copy = moved(computation, names, element, old.shape.clone());
            for i in computation.instructions[..len].iter_mut() {
                i.operands.iter_mut().filter(|o| **o == element).for_each(|o| *o = copy);
            }
            if computation.root == element {
                computation.root = copy;
            }
        }
    }
}

/// What a body reads of its element is a copy in VMEM, behind which the next iteration's takes the element's place (as in dumps of XLA:TPU).
fn keep(module: &mut HloModule, names: &mut Names, body: ComputationId, n: usize) {
    let computation = &mut module.computations[body.0 as usize];
    let elements: Vec<InstructionId> = (0..computation.instructions.len() as u32)
        .map(InstructionId)
        .filter(|&i| {
            let i = computation.instruction(i);
            i.opcode == Opcode::GetTupleElement
                && i.attr(&Key::Index) == Some(&Value::Int(n as i64))
                && i.operands.iter().all(|&o| computation.instruction(o).opcode == Opcode::Parameter)
        })
        .collect();
    for element in elements {
        let like = computation.instruction(element).clone();
        let copy =
            graph::instruction(names.fresh("copy"), Opcode::Copy, like.shape.clone(), &[element], &like);
        let len = computation.instructions.len();
        let copy = graph::push(computation, copy);
        for i in &mut computation.instructions[..len] {
            i.operands.iter_mut().filter(|o| **o == element).for_each(|o| *o = copy);
        }
    }
}

/// A copy in another memory, beside which others may run.
fn moved(
    computation: &mut Computation,
    names: &mut Names,
    from: InstructionId,
    shape: Arc<Shape>,
) -> InstructionId {
    let source = computation.instruction(from).clone();
    let parts = Arc::new(Shape::Tuple(vec![shape.clone(), source.shape.clone(), flag()]));
    let start = graph::instruction(names.fresh("copy-start"), Opcode::CopyStart, parts, &[from], &source);
    let start = graph::push(computation, start);
    let done = graph::instruction(names.fresh("copy-done"), Opcode::CopyDone, shape, &[start], &source);
    graph::push(computation, done)
}

/// VMEM that values take that lie in it already.
pub(super) fn taken(computation: &Computation, room: &mut Room) {
    let n = computation.instructions.len();
    let users = users(computation);
    let in_vmem = |shape: &Shape| {
        arrays::arrays(shape)
            .iter()
            .filter(|a| arrays::memory(a) == Memory::Vmem)
            .map(|a| arrays::bytes(a))
            .fold(0u64, u64::saturating_add)
    };
    // The last that uses each, through other looks at it.
    let looks = |i: &Instruction| !is_kernel(i) && !matches!(i.opcode, Opcode::While | Opcode::Parameter);
    let mut until: Vec<usize> = (0..n).collect();
    for i in (0..n).rev() {
        for user in users[i].iter().map(|u| u.0 as usize) {
            let last = if looks(&computation.instructions[user]) { until[user] } else { user };
            until[i] = until[i].max(last);
        }
    }
    for (i, instruction) in computation.instructions.iter().enumerate() {
        let bytes = in_vmem(&instruction.shape);
        if bytes == 0 || looks(instruction) {
            continue;
        }
        let (from, until) = match instruction.opcode {
            Opcode::Parameter => (0, n - 1),
            // What a loop carries is in its operand's place.
            Opcode::While => ((i + 1).min(until[i]), until[i]),
            _ => (i, until[i]),
        };
        room.take(bytes, from, until);
    }
}
