//! Loops as XLA:TPU rewrites them before it decides about kernels: what an iteration does needlessly is done outside, or not at all.
//!
//! * `sink`: what is much larger than what it is computed of is computed in the loop;
//! * `hoist`: what each iteration computes from what the loop never changes is computed before it;
//! * `unused`: elements that nobody looks at are not carried;
//! * `fresh`: arrays of one value that a loop starts from are not filled: they are memory to write to, and the first iteration takes the
//!   value for what it would read.
//!
//! Inner loops come first, so what leaves one may leave the next. Only loops of the usual form are touched: a tuple made for it alone, a
//! body and a condition of its own, results that are looked at element by element.

mod cut;
mod fresh;
mod hoist;
mod sink;
mod unused;

use super::Cx;
use super::graph::{self, Effects, compact, users};
use sim_core::Result;
use sim_core::hlo::{Computation, ComputationId, HloModule, InstructionId, Key, Opcode, Shape, Value};
use std::sync::Arc;

/// What is done to a loop; says whether anything was.
type Rewrite = fn(&mut Cx<'_>, &mut Loop, &Effects) -> bool;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    let calls = calls(&cx.module);
    for parent in cx.module.reached() {
        let whiles: Vec<Arc<str>> = cx
            .module
            .computation(parent)
            .instructions
            .iter()
            .filter(|i| i.opcode == Opcode::While)
            .map(|i| i.name.clone())
            .collect();
        for name in whiles {
            let find = |module: &HloModule| {
                let all = &module.computation(parent).instructions;
                let at = InstructionId(all.iter().position(|i| i.name == name)? as u32);
                Loop::of(module, parent, at, &calls)
            };
            let mut site = find(&cx.module);
            for rewrite in [sink::run as Rewrite, hoist::run, unused::run, fresh::run] {
                let Some(found) = &mut site else { break };
                if !rewrite(cx, found, &effects) {
                    continue;
                }
                for id in [found.condition, found.body, parent] {
                    let mut computation = cx.module.computation(id).clone();
                    compact(&mut computation, |i| effects.keeps(i));
                    cx.module.computations[id.0 as usize] = computation;
                }
                // Instructions moved.
                site = find(&cx.module);
            }
        }
    }
    graph::tidy(&mut cx.module);
    Ok(())
}

/// A while loop of the usual form.
pub(super) struct Loop {
    pub parent: ComputationId,
    /// In the parent: the loop, and the tuple that it starts from.
    pub at: InstructionId,
    pub tuple: InstructionId,
    pub condition: ComputationId,
    pub body: ComputationId,
    /// Elements that it carries.
    pub len: usize,
}

impl Loop {
    pub fn of(module: &HloModule, parent: ComputationId, at: InstructionId, calls: &[u32]) -> Option<Loop> {
        let computation = module.computation(parent);
        let instruction = computation.instruction(at);
        let (condition, body) = (instruction.calls(&Key::Condition)?, instruction.calls(&Key::Body)?);
        let len = instruction.shape.as_tuple()?.len();
        let tuple = *instruction.operands.first()?;
        let users = users(computation);
        let is_element = |id: &InstructionId, c: &Computation| {
            let i = c.instruction(*id);
            i.opcode == Opcode::GetTupleElement && i.element().is_some_and(|n| n < len)
        };
        let usual = computation.instruction(tuple).opcode == Opcode::Tuple
            && computation.instruction(tuple).operands.len() == len
            && users[tuple.0 as usize].len() == 1
            && computation.root != at
            && computation.root != tuple
            && users[at.0 as usize].iter().all(|u| is_element(u, computation))
            && instruction.attr(&Key::Sharding).is_none()
            && instruction.attr(&Key::ControlPredecessors).is_none();
        if !usual || calls[condition.0 as usize] != 1 || calls[body.0 as usize] != 1 {
            return None;
        }
        for id in [condition, body] {
            let c = module.computation(id);
            let users = self::users(c);
            let p = c.instructions.iter().position(|i| i.opcode == Opcode::Parameter)?;
            let looks = users[p].iter().all(|u| is_element(u, c)) && c.root.0 as usize != p;
            if !looks || c.instructions[p].attr(&Key::Sharding).is_some() {
                return None;
            }
        }
        let root = module.computation(body).root();
        let alone = users_of_root(module.computation(body)) == 0;
        (root.opcode == Opcode::Tuple && root.operands.len() == len && alone).then_some(Loop {
            parent,
            at,
            tuple,
            condition,
            body,
            len,
        })
    }

    /// The looks at element `n` in a computation of the loop's.
    pub fn elements(&self, module: &HloModule, id: ComputationId, n: usize) -> Vec<InstructionId> {
        graph::looks(module.computation(id), n)
    }

    /// Does every iteration hand the element on as it is?
    pub fn is_kept(&self, module: &HloModule, n: usize) -> bool {
        let body = module.computation(self.body);
        body.root().operands.get(n).is_some_and(|o| self.elements(module, self.body, n).contains(o))
    }

    /// A further element that no iteration changes, which starts from `from` in the parent: the look at it in the body.
    pub fn carry(&mut self, cx: &mut Cx<'_>, from: InstructionId) -> InstructionId {
        let n = self.len;
        self.len += 1;
        let source = cx.module.computation(self.parent).instruction(from).clone();
        let longer = |shape: &Arc<Shape>| {
            let mut parts = shape.as_tuple().unwrap_or_default().to_vec();
            parts.push(source.shape.clone());
            Arc::new(Shape::Tuple(parts))
        };
        let parent = &mut cx.module.computations[self.parent.0 as usize];
        for id in [self.tuple, self.at] {
            let i = &mut parent.instructions[id.0 as usize];
            i.shape = longer(&i.shape);
        }
        parent.instructions[self.tuple.0 as usize].operands.push(from);
        for id in [self.condition, self.body] {
            let computation = &mut cx.module.computations[id.0 as usize];
            let parameters = computation.instructions.iter_mut().filter(|i| i.opcode == Opcode::Parameter);
            parameters.for_each(|p| p.shape = longer(&p.shape));
        }
        let name = cx.names.fresh("get-tuple-element");
        let body = &mut cx.module.computations[self.body.0 as usize];
        let parameter = body.instructions.iter().position(|i| i.opcode == Opcode::Parameter).unwrap_or(0);
        let of = [InstructionId(parameter as u32)];
        let mut look = graph::instruction(name, Opcode::GetTupleElement, source.shape.clone(), &of, &source);
        graph::set(&mut look, Key::Index, Value::Int(n as i64));
        let look = graph::push(body, look);
        let root = &mut body.instructions[body.root.0 as usize];
        root.operands.push(look);
        root.shape = longer(&root.shape);
        look
    }
}

fn users_of_root(computation: &Computation) -> usize {
    computation.instructions.iter().flat_map(|i| &i.operands).filter(|o| **o == computation.root).count()
}

/// How often each computation is called.
fn calls(module: &HloModule) -> Vec<u32> {
    let mut calls = vec![0; module.computations.len()];
    let all = module.computations.iter().flat_map(|c| &c.instructions);
    all.flat_map(|i| i.called()).for_each(|c| calls[c.0 as usize] += 1);
    calls
}
