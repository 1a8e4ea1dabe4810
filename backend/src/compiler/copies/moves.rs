//! Values that change places: what several copies leave where others still read.
//!
//! A copy into a place comes behind those that read the place. Where they wait for each other in a circle (two elements of a loop that are
//! exchanged), one of them takes what it reads out of the way first, into memory of its own.

use super::copied;
use crate::compiler::Cx;
use crate::compiler::graph::{before, reorder};
use sim_core::hlo::{Computation, InstructionId};

/// A copy of `what` into a place; places are numbers.
pub(super) struct Move {
    pub what: InstructionId,
    /// Where it goes, if that is somebody's already.
    pub to: Option<usize>,
    /// The place in whose memory `what` lies, if anything is written there.
    pub from: Option<usize>,
}

/// Makes the copies. Gives the copy for each, and all that are new in an order in which none writes what another reads.
pub(super) fn make(
    cx: &mut Cx<'_>,
    computation: &mut Computation,
    moves: &[Move],
) -> (Vec<InstructionId>, Vec<InstructionId>) {
    let places = moves.iter().flat_map(|m| [m.to, m.from]).flatten().max().map_or(0, |p| p + 1);
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); places];
    let mut writer: Vec<Option<usize>> = vec![None; places];
    for (i, m) in moves.iter().enumerate() {
        // Nobody waits for himself.
        if let Some(from) = m.from.filter(|_| m.from != m.to) {
            readers[from].push(i);
        }
        if let Some(to) = m.to {
            writer[to] = Some(i);
        }
    }
    let mut waits: Vec<usize> = moves.iter().map(|m| m.to.map_or(0, |to| readers[to].len())).collect();
    let mut what: Vec<InstructionId> = moves.iter().map(|m| m.what).collect();
    let mut copies: Vec<Option<InstructionId>> = vec![None; moves.len()];
    // It reads where it read, or no longer.
    let mut reads: Vec<bool> = vec![true; moves.len()];
    let mut ready: Vec<usize> = (0..moves.len()).rev().filter(|&i| waits[i] == 0).collect();
    let mut order = Vec::with_capacity(moves.len());
    for next in 0..moves.len() {
        // What still waits at this point waits in a circle.
        if copies[next].is_none() && ready.is_empty() {
            for &reader in moves[next].to.map_or(&[][..], |to| &readers[to]) {
                if copies[reader].is_none() && std::mem::replace(&mut reads[reader], false) {
                    what[reader] = copied(cx, computation, what[reader]);
                    order.push(what[reader]);
                }
            }
            waits[next] = 0;
            ready.push(next);
        }
        while let Some(i) = ready.pop() {
            let copy = copied(cx, computation, what[i]);
            copies[i] = Some(copy);
            order.push(copy);
            let Some(from) = moves[i].from.filter(|_| reads[i] && moves[i].from != moves[i].to) else {
                continue;
            };
            if let Some(w) = writer[from].filter(|&w| copies[w].is_none()) {
                waits[w] -= 1;
                if waits[w] == 0 {
                    ready.push(w);
                }
            }
        }
    }
    (copies.into_iter().flatten().collect(), order)
}

/// Brings new instructions, which lie behind the first `n`, to their places: before those that are named, or at the end, before the root.
pub(super) fn insert(
    computation: &mut Computation,
    n: usize,
    earlier: &[(InstructionId, InstructionId)],
    last: &[InstructionId],
) {
    let len = computation.instructions.len();
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (place, new) in earlier {
        at[place.0 as usize].push(new.0 as usize);
    }
    let mut done = vec![false; len];
    let mut order = Vec::with_capacity(len);
    // With what has to come before.
    let mut emit = |start: usize, computation: &Computation| {
        let mut open = vec![(start, false)];
        while let Some((i, seen)) = open.pop() {
            if seen {
                order.push(i);
            } else if !std::mem::replace(&mut done[i], true) {
                open.push((i, true));
                open.extend(before(&computation.instructions[i]).map(|o| (o.0 as usize, false)));
            }
        }
    };
    let root = computation.root.0 as usize;
    for i in (0..n).filter(|&i| i != root) {
        at[i].iter().for_each(|&new| emit(new, computation));
        emit(i, computation);
    }
    let behind = at.get(root).into_iter().flatten().copied();
    behind.chain(last.iter().map(|l| l.0 as usize)).for_each(|new| emit(new, computation));
    emit(root, computation);
    (0..len).for_each(|i| emit(i, computation));
    reorder(computation, &order);
}
