//! What must hold before anything is built: no cycle among instructions, none among computations.

use super::invalid;
use sim_core::hlo::{Computation, HloModule, InstructionId};
use sim_core::{Diagnostic, Result};

/// How often each computation is named by an instruction.
pub fn call_sites(hlo: &HloModule) -> Vec<u32> {
    let mut calls = vec![0u32; hlo.computations.len()];
    for id in hlo.computations.iter().flat_map(|c| &c.instructions).flat_map(|i| i.called()) {
        calls[id.0 as usize] = calls[id.0 as usize].saturating_add(1);
    }
    calls
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// HLO has no recursion.
pub fn no_recursion(hlo: &HloModule) -> Result<()> {
    let calls: Vec<Vec<usize>> = hlo
        .computations
        .iter()
        .map(|c| c.instructions.iter().flat_map(|i| i.called().map(|id| id.0 as usize)).collect())
        .collect();
    match post_order(calls.len(), |at, k| calls[at].get(k).copied()) {
        Ok(_) => Ok(()),
        Err(at) => {
            let c = &hlo.computations[at];
            Err(Diagnostic::invalid(format!(
                "computation `{}` calls itself, directly or through others",
                c.name
            ))
            .at(c.span))
        }
    }
}

/// The instructions in an order in which operands come first: the text's own, where it is one.
pub fn instructions(c: &Computation) -> Result<Vec<InstructionId>> {
    let sorted =
        |(at, i): (usize, &sim_core::hlo::Instruction)| i.operands.iter().all(|o| (o.0 as usize) < at);
    if c.instructions.iter().enumerate().all(sorted) {
        return Ok((0..c.instructions.len() as u32).map(InstructionId).collect());
    }
    let order =
        post_order(c.instructions.len(), |at, k| c.instructions[at].operands.get(k).map(|o| o.0 as usize));
    match order {
        Ok(order) => Ok(order.into_iter().map(|i| InstructionId(i as u32)).collect()),
        Err(at) => Err(invalid(&c.instructions[at], "it depends on its own value")),
    }
}

/// Every node after those that `next` names; the node that closes a cycle, if there is one. Without
/// recursion: files decide how deep it goes.
fn post_order(n: usize, next: impl Fn(usize, usize) -> Option<usize>) -> Result<Vec<usize>, usize> {
    let mut mark = vec![Mark::New; n];
    let mut order = Vec::with_capacity(n);
    for start in 0..n {
        if mark[start] != Mark::New {
            continue;
        }
        mark[start] = Mark::Open;
        let mut stack = vec![(start, 0)];
        while let Some((at, k)) = stack.last_mut() {
            match next(*at, *k) {
                Some(to) => {
                    *k += 1;
                    match mark[to] {
                        Mark::New => {
                            mark[to] = Mark::Open;
                            stack.push((to, 0));
                        }
                        Mark::Open => return Err(to),
                        Mark::Done => {}
                    }
                }
                None => {
                    mark[*at] = Mark::Done;
                    order.push(*at);
                    stack.pop();
                }
            }
        }
    }
    Ok(order)
}
