//! What loops carry: an array that a loop's iterations only read, or make anew, stays in VMEM for the whole loop; so does one that they change in
//! place, if it is copied for the loop anyway.
//!
//! It is fetched there before, and written back behind it if somebody other than a kernel wants it. Bodies with loops of their own are left alone.

mod element;
mod moved;

use super::{Results, Room, VMEM, flag, in_memory, makes, reads};
use crate::compiler::graph::{Effects, Names, compact, reorder, users};
use crate::time::arrays::{self, Memory};
use crate::time::costs::is_kernel;
use element::{Element, Next};
use sim_core::hlo::{Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode, Shape};
use smallvec::SmallVec;

/// Loops of a megacore carry nothing in VMEM (libtpu 0.0.52 for v5p).
const ONE: Results = Results { megacore: false };

/// Puts what fits of what each loop carries into VMEM of `all` bytes.
pub(super) fn place(module: &mut HloModule, names: &mut Names, all: u64) {
    let effects = Effects::of(module);
    for id in module.reached() {
        let loops: Vec<usize> = (0..module.computation(id).instructions.len())
            .filter(|&i| module.computation(id).instructions[i].opcode == Opcode::While)
            .collect();
        let n = module.computation(id).instructions.len();
        if !loops.is_empty() {
            let mut parent = Parent { id, users: users(module.computation(id)) };
            for &i in &loops {
                one(module, names, &mut parent, i, all);
            }
        }
        let computation = &mut module.computations[id.0 as usize];
        if computation.instructions.len() > n {
            start_early(computation, n);
        }
        compact(computation, |i| effects.keeps(i));
    }
}

/// A computation with loops, and who uses each of its instructions, whatever is added: found once for all of its loops.
struct Parent {
    id: ComputationId,
    users: Vec<SmallVec<[InstructionId; 4]>>,
}

/// Copies start where what they copy is there, and end where it is needed. Those that are new come behind the first `n`.
fn start_early(computation: &mut Computation, n: usize) {
    let len = computation.instructions.len();
    let mut early: Vec<Vec<usize>> = vec![Vec::new(); len];
    let mut is_early = vec![false; len];
    for i in n..len {
        let start = &computation.instructions[i];
        if start.opcode == Opcode::CopyStart
            && let Some(from) = start.operands.first()
        {
            // Behind a loop, its element comes at once, too.
            let look = computation.instruction(*from);
            let of = look.operands.first().filter(|_| look.opcode == Opcode::GetTupleElement);
            let at = of.filter(|&&o| computation.instruction(o).opcode == Opcode::While).copied();
            if let Some(at) = at.filter(|_| !is_early[from.0 as usize]) {
                early[at.0 as usize].push(from.0 as usize);
                is_early[from.0 as usize] = true;
            }
            early[at.unwrap_or(*from).0 as usize].push(i);
            is_early[i] = true;
        }
    }
    let mut order: Vec<usize> = Vec::with_capacity(len);
    for i in (0..len).filter(|&i| !is_early[i]) {
        order.push(i);
        order.append(&mut early[i]);
    }
    reorder(computation, &order);
}

fn one(module: &mut HloModule, names: &mut Names, known: &mut Parent, at: usize, all: u64) -> Option<()> {
    let parent = known.id;
    let instruction = module.computation(parent).instructions[at].clone();
    let (condition, body) = (instruction.calls(&Key::Condition)?, instruction.calls(&Key::Body)?);
    let tuple = *instruction.operands.first()?;
    let initial = module.computation(parent).instruction(tuple).clone();
    let parts = instruction.shape.as_tuple()?.to_vec();
    let alone = module.computation(body).root().opcode == Opcode::Tuple
        && initial.opcode == Opcode::Tuple
        && known.users[tuple.0 as usize].len() == 1
        && !module.computation(body).instructions.iter().any(Instruction::hands_over);
    if !alone {
        return None;
    }
    let copied = |n: usize| {
        let from = initial.operands.get(n).map(|&o| module.computation(parent).instruction(o).opcode);
        from == Some(Opcode::Copy)
    };
    let mut found: Vec<Carried> = (0..parts.len())
        .filter_map(|n| {
            let array = parts[n].as_array().filter(|a| arrays::memory(a) == Memory::Hbm && a.rank() > 0)?;
            let element = Element::of(module, body, n)?;
            element::reads_only(module, condition, n)?;
            let fits = match element.next {
                Next::Kept => element.reads > 0,
                Next::Made => true,
                // Who works in place needs no copy of it in VMEM, unless there is one anyway, and it leaves room for what the body makes (dumps of
                // libtpu 0.0.52: 32 MiB go to the 128 MiB of v5e and v6e, not to the 64 MiB of v7x).
                Next::Changed => copied(n) && arrays::bytes(array) <= all / 2,
            };
            let is_new = element.next != Next::Kept;
            let bytes = arrays::bytes(array);
            let by_kernel = !is_new
                && made_by_kernel(module, known, *initial.operands.get(n)?)
                && element::is_read_whole(module, body, n);
            fits.then_some(Carried { is_new, by_kernel, bytes, element })
        })
        .collect();
    // What is made anew comes first, then those that are read most for their size.
    found.sort_by_key(|c| (!c.is_new, std::cmp::Reverse(c.element.reads), c.bytes, c.element.number));
    let mut free = all;
    // What is only read is fetched beside the copies of what is made anew, and no longer than those take: nothing else runs before the loop.
    // What a kernel makes for the loop is made there, and not fetched (weights of `lstm_layernorm` on v7x, copied into other tiles).
    let mut beside = 0u64;
    for c in found {
        if c.bytes == 0 || c.bytes > free || (!c.is_new && !c.by_kernel && c.bytes > beside) {
            continue;
        }
        free -= c.bytes;
        if c.is_new {
            beside = beside.saturating_add(c.bytes);
        } else if !c.by_kernel {
            beside -= c.bytes;
        }
        moved::to_vmem(module, names, known, at, [condition, body], &c.element);
    }
    Some(())
}

/// An element of what a loop carries that may go to VMEM.
struct Carried {
    element: Element,
    /// Room that it takes, and bytes that are copied before the loop.
    bytes: u64,
    is_new: bool,
    /// It is only read, and a kernel before the loop makes it for the loop alone.
    by_kernel: bool,
}

/// Does a kernel with one result make the value, and nobody else use it?
fn made_by_kernel(module: &HloModule, known: &Parent, id: InstructionId) -> bool {
    let i = module.computation(known.id).instruction(id);
    known.users[id.0 as usize].len() == 1
        && is_kernel(i)
        && i.shape.as_array().is_some()
        && makes(ONE, module, i, None)
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
