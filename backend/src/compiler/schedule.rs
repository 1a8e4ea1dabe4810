//! The order in which kernels run: the program's own. What is there from the beginning, arguments and what loops hand to their bodies, comes first, so
//! that copies of it can start early.
//!
//! What was scattered and is then laid otherwise is copied at once: it takes more room before (dumps of the gradient of narrow tables).
//!
//! What a SparseCore is started for runs beside the kernels behind it: whatever waits for it comes after those that do not, for as long as
//! it takes. One runs at a time, and what the next needs comes first (XLA:TPU's dumps of `dlrm_fwd`).

use super::Cx;
use super::graph::{self, reorder, users};
use crate::time::costs;
use sim_core::Result;
use sim_core::engine::Duration;
use sim_core::hlo::{Computation, ComputationId, HloModule, Instruction, Opcode};
use std::collections::BTreeSet;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let ids = cx.module.reached();
    for &id in &ids {
        let computation = &mut cx.module.computations[id.0 as usize];
        let there: Vec<bool> = is_there(computation);
        let n = computation.instructions.len();
        let order: Vec<usize> = (0..n).filter(|&i| there[i]).chain((0..n).filter(|&i| !there[i])).collect();
        reorder(computation, &order);
        let order = copied_at_once(&cx.module, id);
        reorder(&mut cx.module.computations[id.0 as usize], &order);
    }
    let beside = |id| costs::offloaded(&cx.module, cx.chip, id);
    let all: Vec<Vec<Option<Duration>>> = ids.iter().map(|&id| beside(id)).collect();
    if all.iter().flatten().any(Option::is_some) {
        let kernels = costs::of(&cx.module, cx.chip)?;
        for (&id, beside) in ids.iter().zip(&all) {
            if beside.iter().any(Option::is_some) {
                let takes = |i: usize| kernels[id.0 as usize][i].as_ref().map_or(Duration::ZERO, |k| k.time);
                let computation = &mut cx.module.computations[id.0 as usize];
                let order = hidden(computation, beside, &takes);
                reorder(computation, &order);
            }
        }
    }
    super::scheduled(&mut cx.module);
    Ok(())
}

/// The program's order, but for copies of what kernels scatter, if nobody else reads that.
fn copied_at_once(module: &HloModule, id: ComputationId) -> Vec<usize> {
    let computation = module.computation(id);
    let n = computation.instructions.len();
    let users = users(computation);
    let scatters = |i: &Instruction| {
        let called = i.called().next().filter(|_| i.opcode == Opcode::Fusion);
        called.is_some_and(|c| module.computation(c).root().opcode == Opcode::Scatter)
    };
    let mut behind: Vec<Option<usize>> = vec![None; n];
    let mut moved = vec![false; n];
    for (i, instruction) in computation.instructions.iter().enumerate() {
        let [user] = users[i][..] else { continue };
        let copy = computation.instruction(user);
        if scatters(instruction) && copy.opcode == Opcode::Copy && before(copy).eq([i]) {
            behind[i] = Some(user.0 as usize);
            moved[user.0 as usize] = true;
        }
    }
    (0..n).filter(|&i| !moved[i]).flat_map(|i| [Some(i), behind[i]]).flatten().collect()
}

/// The order in which what SparseCores do is hidden behind kernels: the first that can run, but for ends that need not be waited for yet.
/// `beside` says how long SparseCores take, `takes` how long kernels do.
fn hidden(
    computation: &Computation,
    beside: &[Option<Duration>],
    takes: &dyn Fn(usize) -> Duration,
) -> Vec<usize> {
    let instructions = &computation.instructions;
    let n = instructions.len();
    let mut missing: Vec<usize> = instructions.iter().map(|i| before(i).count()).collect();
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, instruction) in instructions.iter().enumerate() {
        before(instruction).for_each(|o| waiting[o].push(i));
    }
    // What is needed for something on a SparseCore comes before what is not, once one runs.
    let mut needed: Vec<bool> = beside.iter().map(Option::is_some).collect();
    for i in (0..n).rev().filter(|&i| needed[i]).collect::<Vec<_>>() {
        let mut open = vec![i];
        while let Some(at) = open.pop() {
            for o in before(&instructions[at]) {
                if !std::mem::replace(&mut needed[o], true) {
                    open.push(o);
                }
            }
        }
    }
    let mut ready: BTreeSet<usize> = (0..n).filter(|&i| missing[i] == 0).collect();
    // The end of what runs, and how much of it is hidden by nothing yet.
    let mut running: Option<usize> = None;
    let mut left = Duration::ZERO;
    let mut order = Vec::with_capacity(n);
    while let Some(&first) = ready.first() {
        let starts = || ready.iter().copied().find(|&i| beside[i].is_some());
        let next = match running {
            None => starts().unwrap_or(first),
            Some(end) => {
                let others = || ready.iter().copied().filter(|&i| i != end && beside[i].is_none());
                let over = left == Duration::ZERO;
                let prepares = others().find(|&i| needed[i]).filter(|_| !over || starts().is_none());
                prepares.or(others().next().filter(|_| !over)).unwrap_or(end)
            }
        };
        // The end of something comes behind its start, which has been.
        let next = if ready.remove(&next) { next } else { ready.pop_first().unwrap_or(first) };
        match beside[next] {
            Some(time) => (running, left) = (end_of(computation, next), time),
            None if running == Some(next) => running = None,
            None if instructions[next].hands_over() => left = Duration::ZERO,
            None => left = Duration::from_ps(left.ps() - takes(next).ps().min(left.ps())),
        }
        order.push(next);
        for &w in &waiting[next] {
            missing[w] -= 1;
            if missing[w] == 0 {
                ready.insert(w);
            }
        }
    }
    order
}

/// Places of what has to come before.
fn before(instruction: &Instruction) -> impl Iterator<Item = usize> + '_ {
    graph::before(instruction).map(|o| o.0 as usize)
}

/// The `async-done` of a start.
fn end_of(computation: &Computation, start: usize) -> Option<usize> {
    let ends = |i: &Instruction| {
        i.opcode == Opcode::AsyncDone && i.operands.first().is_some_and(|o| o.0 as usize == start)
    };
    computation.instructions.iter().position(ends)
}

/// Parameters, and elements and other looks of them.
fn is_there(computation: &Computation) -> Vec<bool> {
    let mut there = vec![false; computation.instructions.len()];
    for (i, instruction) in computation.instructions.iter().enumerate() {
        there[i] = match instruction.opcode {
            Opcode::Parameter => true,
            Opcode::GetTupleElement | Opcode::Bitcast => {
                instruction.operands.iter().all(|o| there[o.0 as usize])
            }
            _ => false,
        };
    }
    there
}
