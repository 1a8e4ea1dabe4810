//! Results of the program.

use super::donated;
use super::memory::Memory;
use super::moves::{self, Move};
use crate::compiler::Cx;
use crate::compiler::graph::{before, is_beside, reorder, source};
use crate::memory::aliases;
use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::hlo::{Computation, InstructionId, Key, Opcode};

/// Results, with the path to each.
fn outputs(computation: &Computation) -> Vec<(InstructionId, Vec<i64>)> {
    match computation.root().opcode {
        Opcode::Tuple => {
            let all = computation.root().operands.iter().enumerate();
            all.map(|(n, &output)| (output, vec![n as i64])).collect()
        }
        _ => vec![(computation.root, Vec::new())],
    }
}

/// Copies results that need memory of their own; says whether there were any.
pub(super) fn own(cx: &mut Cx<'_>, computation: &mut Computation) -> bool {
    let memory = Memory::of(&cx.module, computation);
    let arguments = Arguments::of(cx, computation);
    let outputs = outputs(computation);
    let is_array = |id: InstructionId| computation.instruction(id).shape.as_array().is_some();
    let mut moves: Vec<(usize, Move)> = Vec::new();
    let mut made: Vec<usize> = Vec::new();
    let mut seen: FxHashSet<InstructionId> = FxHashSet::default();
    for (n, (output, path)) in outputs.iter().enumerate().filter(|(_, o)| is_array(o.0)) {
        let start = memory.start(*output);
        let i = computation.instruction(start);
        let is_parameter = i.parameter_number;
        let shared = match is_parameter {
            Some(p) => !donated(&cx.module, p, Some(path)),
            None => i.opcode == Opcode::Constant || seen.contains(&source(computation, *output)),
        };
        seen.insert(source(computation, *output));
        if shared {
            let place = |id: InstructionId| id.0 as usize;
            let (to, from) = (arguments.given(path).map(place), is_parameter.map(|_| place(start)));
            moves.push((n, Move { what: *output, to, from }));
        } else if is_parameter.is_none() {
            made.push(n);
        }
    }
    // What is copied out of an argument's memory at the end is read until then.
    let read: FxHashSet<usize> = moves.iter().filter_map(|(_, m)| m.from).collect();
    for n in made {
        let (output, path) = &outputs[n];
        if let Some(argument) = arguments.given(path)
            && (read.contains(&(argument.0 as usize))
                || overlaps(cx, computation, &memory, *output, argument))
        {
            moves.push((n, Move { what: *output, to: Some(argument.0 as usize), from: None }));
        }
    }
    if moves.is_empty() {
        return false;
    }
    moves.sort_by_key(|m| m.0);
    let (numbers, moves): (Vec<usize>, Vec<Move>) = moves.into_iter().unzip();
    let n = computation.instructions.len();
    let (copies, order) = moves::make(cx, computation, &moves);
    let root = computation.root;
    if computation.root().opcode == Opcode::Tuple {
        for (k, copy) in numbers.into_iter().zip(copies) {
            computation.instructions[root.0 as usize].operands[k] = copy;
        }
        moves::insert(computation, n, &[], &order);
    } else if let Some(&copy) = copies.first() {
        computation.root = copy;
    }
    true
}

/// Brings what makes a result in the memory of a donated argument behind all that reads the argument, if that does not wait for it: a weight is
/// updated when nothing needs the old one.
pub(super) fn late(cx: &Cx<'_>, computation: &mut Computation) {
    if aliases(cx.module.attr(&Key::InputOutputAlias)).is_empty() {
        return;
    }
    let mut memory = Memory::of(&cx.module, computation);
    let mut arguments = Arguments::of(cx, computation);
    let mut results = outputs(computation);
    for k in 0..results.len() {
        let (output, path) = results[k].clone();
        let Some(argument) = arguments.given(&path) else { continue };
        if memory.start(output) == argument || !overlaps(cx, computation, &memory, output, argument) {
            continue;
        }
        let made = memory.maker(computation, source(computation, output));
        if let Some(order) = behind(computation, &memory, made, argument) {
            reorder(computation, &order);
            memory = Memory::of(&cx.module, computation);
            arguments = Arguments::of(cx, computation);
            results = outputs(computation);
        }
    }
}

/// The order in which an instruction, and what needs it, comes behind all others that read `argument`.
fn behind(
    computation: &Computation,
    memory: &Memory,
    made: InstructionId,
    argument: InstructionId,
) -> Option<Vec<usize>> {
    let n = computation.instructions.len();
    let others = memory.readers(computation, argument);
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

/// Arguments that are donated to results.
struct Arguments(FxHashMap<Vec<i64>, InstructionId>);

impl Arguments {
    fn of(cx: &Cx<'_>, computation: &Computation) -> Arguments {
        let numbered = |(i, p): (usize, &sim_core::hlo::Instruction)| {
            Some((p.parameter_number?, InstructionId(i as u32)))
        };
        let parameters: FxHashMap<i64, InstructionId> =
            computation.instructions.iter().enumerate().filter_map(numbered).collect();
        let whole = aliases(cx.module.attr(&Key::InputOutputAlias)).iter().filter(|a| a.path.is_empty());
        // Of several for one result, the first counts.
        let all = whole.rev().filter_map(|a| Some((a.output.to_vec(), *parameters.get(&a.parameter)?)));
        Arguments(all.collect())
    }

    fn given(&self, path: &[i64]) -> Option<InstructionId> {
        self.0.get(path).copied()
    }
}

/// Is the argument's memory still read when a result is first written, so that it cannot take it?
fn overlaps(
    cx: &Cx<'_>,
    computation: &Computation,
    memory: &Memory,
    result: InstructionId,
    argument: InstructionId,
) -> bool {
    let start = memory.start(result);
    if start == argument {
        return false;
    }
    let made = memory.maker(computation, start);
    let others = memory.readers(computation, argument);
    let beside = || {
        let operands = computation.instruction(made).operands.iter();
        let mut own = operands.filter(|&&o| memory.start(o) == argument);
        own.all(|&o| is_beside(&cx.module, computation.instruction(made), o))
    };
    // A tuple of results reads nothing.
    let tuple = (computation.root().opcode == Opcode::Tuple).then_some(computation.root);
    others.iter().any(|u| Some(*u) != tuple && (*u > made || (*u == made && !beside())))
}
