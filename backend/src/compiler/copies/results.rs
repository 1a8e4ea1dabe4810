//! Results of the program.

use super::{copied, donated, readers};
use crate::compiler::Cx;
use crate::compiler::graph::{self, before, is_beside, reorder, source, updated, users};
use crate::memory::aliases;
use sim_core::hlo::{Computation, InstructionId, Key, Opcode};
use smallvec::SmallVec;

/// Who uses each instruction.
type Users = [SmallVec<[InstructionId; 4]>];

/// Copies results that need memory of their own; says whether there were any.
pub(super) fn own(cx: &mut Cx<'_>, computation: &mut Computation) -> bool {
    let root = computation.root;
    let is_tuple = computation.root().opcode == Opcode::Tuple;
    let outputs: Vec<InstructionId> = match is_tuple {
        true => computation.root().operands.to_vec(),
        false => vec![root],
    };
    let mut changed = false;
    let users = users(computation);
    let mut seen: Vec<InstructionId> = Vec::new();
    for (n, &output) in outputs.iter().enumerate() {
        if computation.instruction(output).shape.as_array().is_none() {
            continue;
        }
        let from = source(computation, output);
        let instruction = computation.instruction(from);
        let path: Vec<i64> = if is_tuple { vec![n as i64] } else { Vec::new() };
        let shared = match (instruction.opcode, instruction.parameter_number) {
            (_, Some(p)) => !donated(&cx.module, p, Some(&path)),
            (Opcode::Constant, _) => true,
            _ => {
                seen.contains(&from)
                    || given(cx, computation, &path)
                        .is_some_and(|p| overlaps(cx, computation, &users, from, p))
            }
        };
        seen.push(from);
        if shared {
            let copy = copied(cx, computation, output);
            match is_tuple {
                true => computation.instructions[root.0 as usize].operands[n] = copy,
                false => computation.root = copy,
            }
            changed = true;
        }
    }
    changed
}

/// Brings what makes a result in the memory of a donated argument behind all that reads the argument, if that does not wait for it: a weight is
/// updated when nothing needs the old one.
pub(super) fn late(cx: &Cx<'_>, computation: &mut Computation) {
    if aliases(cx.module.attr(&Key::InputOutputAlias)).is_empty() {
        return;
    }
    let n = match computation.root().opcode {
        Opcode::Tuple => computation.root().operands.len(),
        _ => 1,
    };
    let mut users = graph::users(computation);
    for k in 0..n {
        let (output, path) = match computation.root().opcode {
            Opcode::Tuple => (computation.root().operands[k], vec![k as i64]),
            _ => (computation.root, Vec::new()),
        };
        let Some(argument) = given(cx, computation, &path) else { continue };
        let from = source(computation, output);
        if from == argument || !overlaps(cx, computation, &users, from, argument) {
            continue;
        }
        let made =
            match (computation.instruction(from).opcode, computation.instruction(from).operands.first()) {
                (Opcode::GetTupleElement, Some(&by)) => by,
                _ => from,
            };
        if let Some(order) = behind(computation, &users, made, argument) {
            reorder(computation, &order);
            users = graph::users(computation);
        }
    }
}

/// The order in which an instruction, and what needs it, comes behind all others that read `argument`.
fn behind(
    computation: &Computation,
    users: &Users,
    made: InstructionId,
    argument: InstructionId,
) -> Option<Vec<usize>> {
    let n = computation.instructions.len();
    let (_, others) = readers(computation, users, [argument]);
    let last = others.iter().copied().filter(|u| *u != computation.root && *u > made).max()?;
    let mut waits = vec![false; n];
    waits[made.0 as usize] = true;
    for i in made.0 as usize + 1..=last.0 as usize {
        waits[i] = before(&computation.instructions[i]).any(|o| waits[o.0 as usize]);
    }
    if waits[last.0 as usize] || others.iter().any(|u| *u != made && waits[u.0 as usize]) {
        return None;
    }
    let (from, until) = (made.0 as usize, last.0 as usize);
    let between = |w: bool| (from..=until).filter(|&i| waits[i] == w).collect::<Vec<usize>>();
    let (first, then) = (between(false), between(true));
    Some((0..from).chain(first).chain(then).chain(until + 1..n).collect())
}

/// The argument that is donated to a result.
fn given(cx: &Cx<'_>, computation: &Computation, path: &[i64]) -> Option<InstructionId> {
    let all = aliases(cx.module.attr(&Key::InputOutputAlias));
    let number = all.iter().find(|a| a.output == path && a.path.is_empty())?.parameter;
    let is = |i: &InstructionId| computation.instruction(*i).parameter_number == Some(number);
    (0..computation.instructions.len() as u32).map(InstructionId).find(is)
}

/// Is the argument still read when the memory of a result is first written, so that it cannot be the argument's?
fn overlaps(
    cx: &Cx<'_>,
    computation: &Computation,
    users: &Users,
    result: InstructionId,
    argument: InstructionId,
) -> bool {
    let mut at = result;
    // Whoever writes in place writes to what comes before; nothing comes before itself.
    for _ in 0..computation.instructions.len() {
        at = source(computation, at);
        let i = computation.instruction(at);
        let first = i.operands.first().copied();
        let before = match (i.opcode, first) {
            (Opcode::GetTupleElement, Some(from)) => {
                let made = computation.instruction(from);
                let Some(n) = i.element() else { break };
                match made.opcode {
                    Opcode::While => {
                        let tuple = made.operands.first().map(|&t| computation.instruction(t));
                        tuple.filter(|t| t.opcode == Opcode::Tuple).and_then(|t| t.operands.get(n).copied())
                    }
                    Opcode::Fusion => in_place(cx, computation, from, n),
                    _ => None,
                }
            }
            _ => in_place(cx, computation, at, 0),
        };
        match before {
            Some(o) if source(computation, o) == argument => return false,
            Some(o) => at = o,
            None => break,
        }
    }
    let made = match computation.instruction(at).opcode {
        Opcode::GetTupleElement => computation.instruction(at).operands[0],
        _ => at,
    };
    let (looks, others) = readers(computation, users, [argument]);
    let beside = || looks.iter().all(|&l| is_beside(&cx.module, computation.instruction(made), l));
    others.iter().any(|u| *u != computation.root && (*u > made || (*u == made && !beside())))
}

/// The operand whose memory a result takes.
fn in_place(cx: &Cx<'_>, computation: &Computation, by: InstructionId, n: usize) -> Option<InstructionId> {
    let i = computation.instruction(by);
    let changed = updated(&cx.module, i);
    if i.opcode != Opcode::Fusion {
        return changed.first().and_then(|&k| i.operands.get(k).copied());
    }
    let callee = cx.module.computation(i.called().next()?);
    let leaves = crate::compiler::graph::leaving(callee).nth(n)?;
    let is_change = matches!(leaves.opcode, Opcode::DynamicUpdateSlice | Opcode::Scatter);
    let parameter = callee.instruction(source(callee, *leaves.operands.first().filter(|_| is_change)?));
    i.operands.get(usize::try_from(parameter.parameter_number?).ok()?).copied()
}
