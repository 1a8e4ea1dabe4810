//! Elements that nobody looks at: neither what comes behind the loop, nor its condition, nor what makes the others.

use super::Loop;
use crate::compiler::Cx;
use crate::compiler::graph::{self, Effects, before};
use sim_core::hlo::{Computation, Instruction, InstructionId, Key, Opcode, Shape, Value};
use std::sync::Arc;

pub(super) fn run(cx: &mut Cx<'_>, site: &mut Loop, effects: &Effects) -> bool {
    let live = live(cx, site, effects);
    if live.iter().all(|l| *l) || !live.contains(&true) {
        return false;
    }
    let mut place: Vec<i64> = Vec::with_capacity(live.len());
    let mut kept = 0;
    for &l in &live {
        place.push(kept);
        kept += i64::from(l);
    }
    let shorter = |shape: &Arc<Shape>| match &**shape {
        Shape::Tuple(parts) => {
            let kept = parts.iter().zip(&live).filter(|(_, l)| **l).map(|(p, _)| p.clone());
            Arc::new(Shape::Tuple(kept.collect()))
        }
        _ => shape.clone(),
    };
    let keep = |operands: &[InstructionId]| -> Vec<InstructionId> {
        operands.iter().zip(&live).filter(|(_, l)| **l).map(|(o, _)| *o).collect()
    };
    let parent = &mut cx.module.computations[site.parent.0 as usize];
    for id in [site.tuple, site.at] {
        let i = &mut parent.instructions[id.0 as usize];
        i.shape = shorter(&i.shape);
    }
    let tuple = &mut parent.instructions[site.tuple.0 as usize];
    tuple.operands = keep(&tuple.operands).into();
    let number = |i: &mut Instruction| {
        if let Some(n) = i.element() {
            graph::set(i, Key::Index, Value::Int(place[n]));
        }
    };
    site.results.iter().for_each(|r| number(&mut parent.instructions[r.0 as usize]));
    let numbered = |computation: &mut Computation, of: InstructionId| {
        let looks = |i: &&mut Instruction| i.opcode == Opcode::GetTupleElement && i.operands[0] == of;
        computation.instructions.iter_mut().filter(looks).for_each(number);
    };
    for id in [site.condition, site.body] {
        let computation = &mut cx.module.computations[id.0 as usize];
        let is_parameter = |i: &Instruction| i.opcode == Opcode::Parameter;
        let Some(p) = computation.instructions.iter().position(is_parameter) else { continue };
        let parameter = &mut computation.instructions[p];
        parameter.shape = shorter(&parameter.shape);
        numbered(computation, InstructionId(p as u32));
    }
    let body = &mut cx.module.computations[site.body.0 as usize];
    let root = &mut body.instructions[body.root.0 as usize];
    root.shape = shorter(&root.shape);
    root.operands = keep(&root.operands).into();
    true
}

/// Which elements are looked at.
fn live(cx: &Cx<'_>, site: &Loop, effects: &Effects) -> Vec<bool> {
    let module = &cx.module;
    let parent = module.computation(site.parent);
    let mut live = vec![false; site.len];
    for &user in &site.results {
        if let Some(n) = parent.instruction(user).element() {
            live[n] = true;
        }
    }
    for i in &module.computation(site.condition).instructions {
        if let Some(n) = i.element().filter(|_| i.opcode == Opcode::GetTupleElement)
            && module.computation(site.condition).instruction(i.operands[0]).opcode == Opcode::Parameter
        {
            live[n] = true;
        }
    }
    let body = module.computation(site.body);
    let root = body.root();
    let mut needed = vec![false; body.instructions.len()];
    let mut open: Vec<InstructionId> = (0..body.instructions.len() as u32)
        .map(InstructionId)
        .filter(|&i| {
            let i = body.instruction(i);
            i.opcode != Opcode::Parameter && effects.keeps(i)
        })
        .collect();
    open.extend((0..site.len).filter(|&n| live[n]).map(|n| root.operands[n]));
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut needed[at.0 as usize], true) {
            continue;
        }
        let i = body.instruction(at);
        open.extend(before(i));
        if i.opcode == Opcode::GetTupleElement
            && body.instruction(i.operands[0]).opcode == Opcode::Parameter
            && let Some(n) = i.element()
            && !std::mem::replace(&mut live[n], true)
        {
            open.push(root.operands[n]);
        }
    }
    live
}
