//! The order in which XLA prints: each computation after those it calls, each instruction after its
//! operands, depth first, in the order of use.

use crate::hlo::attr::{Key, Value};
use crate::hlo::module::{Computation, HloModule, InstructionId};
use crate::hlo::opcode::Opcode;

/// Computations that nobody calls start the walk, in their order; one that was reached is not
/// repeated. A cycle (which the verifier refuses) is cut where it closes.
pub fn computations(module: &HloModule) -> Vec<usize> {
    let n = module.computations.len();
    let calls: Vec<Vec<usize>> = module
        .computations
        .iter()
        .map(|c| {
            let mut called = Vec::new();
            for i in &c.instructions {
                let from = called.len();
                called.extend(i.called().map(|id| id.0 as usize));
                if i.opcode == Opcode::While {
                    called[from..].reverse(); // The body first.
                }
            }
            called
        })
        .collect();
    let mut called = vec![false; n];
    calls.iter().flatten().for_each(|&c| called[c] = true);
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    // Roots first; what is left can only be on a cycle.
    for start in (0..n).filter(|&c| !called[c]).chain(0..n) {
        walk(start, &mut seen, &mut order, |c, k| calls[c].get(k).copied());
    }
    order
}

/// Instructions without users start the walk, in their order.
pub fn instructions(c: &Computation) -> Vec<InstructionId> {
    let n = c.instructions.len();
    let mut used = vec![false; n];
    for i in &c.instructions {
        i.operands.iter().for_each(|o| used[o.0 as usize] = true);
    }
    let before = |at: usize| -> &[InstructionId] {
        match c.instructions[at].attr(&Key::ControlPredecessors) {
            Some(Value::Instructions(ids)) => ids,
            _ => &[],
        }
    };
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    for start in (0..n).filter(|&i| !used[i]).chain(0..n) {
        walk(start, &mut seen, &mut order, |at, k| {
            // XLA pushes control predecessors last, so they come first, the last of them foremost.
            let control = before(at);
            match k.checked_sub(control.len()) {
                None => Some(control[control.len() - 1 - k].0 as usize),
                Some(k) => c.instructions[at].operands.get(k).map(|o| o.0 as usize),
            }
        });
    }
    order.into_iter().map(|i| InstructionId(i as u32)).collect()
}

/// Post-order from `start`, without recursion: files decide how deep it goes.
fn walk(
    start: usize,
    seen: &mut [bool],
    order: &mut Vec<usize>,
    next: impl Fn(usize, usize) -> Option<usize>,
) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut stack = vec![(start, 0)];
    while let Some((at, k)) = stack.last_mut() {
        match next(*at, *k) {
            Some(to) => {
                *k += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*at);
                stack.pop();
            }
        }
    }
}
