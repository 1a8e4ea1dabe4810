//! What a loop does with an element that it carries.

use super::super::{makes, reads};
use super::ONE;
use crate::compiler::graph::{looks, updated, users};
use crate::time::costs::{self, is_kernel};
use sim_core::hlo::{Computation, ComputationId, HloModule, Instruction, InstructionId, Opcode};

/// What an iteration leaves in an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// What was there.
    Kept,
    /// What was there, but for a part.
    Changed,
    /// What a kernel makes.
    Made,
}

/// An element whose memory kernels alone touch.
pub(super) struct Element {
    pub number: usize,
    pub next: Next,
    /// Kernels of the body that read it.
    pub reads: u64,
    /// Instructions of the body whose results lie in its memory; if what makes the next has several results, that is not one of them.
    pub cells: Vec<InstructionId>,
    /// The kernel with several results that makes the next, and which of them.
    pub several: Option<(InstructionId, usize)>,
}

/// How many kernels read these values, or others in the same memory, which are added: bitcasts, and what is changed in place. `None`:
/// something else is done with them than handing them on as element `n`.
fn follow(
    module: &HloModule,
    computation: &Computation,
    cells: &mut Vec<InstructionId>,
    n: Option<usize>,
) -> Option<u64> {
    let users = users(computation);
    let mut read = 0;
    let mut k = 0;
    while let Some(&cell) = cells.get(k) {
        k += 1;
        for &user in &users[cell.0 as usize] {
            let i = computation.instruction(user);
            if user == computation.root {
                let at = |o: &usize| i.operands[*o] == cell;
                let handed: Vec<usize> = (0..i.operands.len()).filter(at).collect();
                if n.is_none_or(|n| handed != [n]) {
                    return None;
                }
            } else if i.opcode == Opcode::Bitcast {
                cells.push(user);
            } else if reads(module, i, cell) {
                read += 1;
            } else if i.shape.as_array().is_some()
                && let [k] = updated(module, i)[..]
                && i.operands.get(k) == Some(&cell)
                && i.operands.iter().filter(|o| **o == cell).count() == 1
                && n.is_some()
            {
                cells.push(user);
            } else {
                return None;
            }
        }
    }
    Some(read)
}

/// How many kernels read an element of the condition; `None`: something else is done with it.
pub(super) fn reads_only(module: &HloModule, id: ComputationId, n: usize) -> Option<u64> {
    let computation = module.computation(id);
    follow(module, computation, &mut looks(computation, n), None)
}

/// Does a kernel of the body read all of an element, not a part?
pub(super) fn is_read_whole(module: &HloModule, id: ComputationId, n: usize) -> bool {
    let body = module.computation(id);
    let looks = looks(body, n);
    let whole = |k: usize, i: &Instruction| {
        let read: Vec<_> = i.operands.iter().filter(|o| looks.contains(o)).collect();
        let in_part = || costs::read_in_part(module, body, k);
        !read.is_empty() && is_kernel(i) && read.iter().any(|o| !in_part().contains(o))
    };
    body.instructions.iter().enumerate().any(|(k, i)| whole(k, i))
}

impl Element {
    /// `None`: something else than kernels touches it.
    pub fn of(module: &HloModule, body: ComputationId, n: usize) -> Option<Element> {
        let body = module.computation(body);
        let next = *body.root().operands.get(n)?;
        let mut cells = looks(body, n);
        let first = cells.len();
        let reads = follow(module, body, &mut cells, Some(n))?;
        if cells.contains(&next) {
            // Bitcasts lead from one look to another.
            let is_look = |id: &InstructionId| body.instruction(*id).opcode == Opcode::Bitcast;
            let kept = cells[..first].contains(&next) || cells[first..].iter().all(is_look);
            let next = if kept { Next::Kept } else { Next::Changed };
            return Some(Element { number: n, next, reads, cells, several: None });
        }
        let made = body.instruction(next);
        let (by, element) = match (made.opcode, made.operands.first()) {
            (Opcode::GetTupleElement, Some(&by)) => (by, made.element()),
            _ => (next, None),
        };
        let maker = body.instruction(by);
        if !super::is_kernel(maker) || !makes(ONE, module, maker, element) || made.shape.as_array().is_none()
        {
            return None;
        }
        // Other looks at the same result, if it is one of several.
        let twice = |i: &Instruction| {
            i.opcode == Opcode::GetTupleElement && i.operands.first() == Some(&by) && i.element() == element
        };
        if element.is_some() && body.instructions.iter().filter(|i| twice(i)).count() > 1 {
            return None;
        }
        let mut new = vec![next];
        follow(module, body, &mut new, Some(n))?;
        cells.extend(new);
        let several = element.map(|e| (by, e));
        Some(Element { number: n, next: Next::Made, reads, cells, several })
    }
}
