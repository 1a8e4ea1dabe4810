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
use sim_core::hlo::{
    Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode, Shape, Value,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// What is done to a loop; says whether anything was.
type Rewrite = fn(&mut Cx<'_>, &mut Loop, &Effects) -> bool;

/// Who uses each instruction of a computation.
type Users = [SmallVec<[InstructionId; 4]>];

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    let calls = calls(&cx.module);
    for parent in cx.module.reached() {
        let computation = cx.module.computation(parent);
        let is_while = |i: &usize| computation.instructions[*i].opcode == Opcode::While;
        let whiles: Vec<usize> = (0..computation.instructions.len()).filter(is_while).collect();
        if whiles.is_empty() {
            continue;
        }
        // Found and brought in order once for all loops of a computation: what comes in goes to the end, and uses neither loops nor their tuples.
        let users = users(computation);
        let mut changed = false;
        for at in whiles {
            let find =
                |module: &HloModule| Loop::of(module, parent, InstructionId(at as u32), &calls, &users);
            let mut site = find(&cx.module);
            for rewrite in [sink::run as Rewrite, hoist::run, unused::run, fresh::run] {
                let Some(found) = &mut site else { break };
                if !rewrite(cx, found, &effects) {
                    continue;
                }
                changed = true;
                for id in [found.condition, found.body] {
                    compact(&mut cx.module.computations[id.0 as usize], |i| effects.keeps(i));
                }
                site = find(&cx.module);
            }
        }
        if changed {
            compact(&mut cx.module.computations[parent.0 as usize], |i| effects.keeps(i));
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
    /// Looks at its results, in the parent.
    pub results: SmallVec<[InstructionId; 4]>,
}

impl Loop {
    /// The loop at that place of `parent`, whose users are known.
    pub fn of(
        module: &HloModule,
        parent: ComputationId,
        at: InstructionId,
        calls: &[u32],
        users: &Users,
    ) -> Option<Loop> {
        let computation = module.computation(parent);
        let instruction = computation.instruction(at);
        let (condition, body) = (instruction.calls(&Key::Condition)?, instruction.calls(&Key::Body)?);
        let len = instruction.shape.as_tuple()?.len();
        let tuple = *instruction.operands.first()?;
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
            let users = graph::users(c);
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
            results: users[at.0 as usize].clone(),
        })
    }

    /// The looks at each element in a computation of the loop's.
    pub fn looks(&self, module: &HloModule, id: ComputationId) -> Vec<SmallVec<[InstructionId; 2]>> {
        let computation = module.computation(id);
        let mut looks = vec![SmallVec::new(); self.len];
        for (n, i) in computation.instructions.iter().enumerate() {
            let of = i.operands.first().map(|&o| computation.instruction(o).opcode);
            if i.opcode == Opcode::GetTupleElement
                && of == Some(Opcode::Parameter)
                && let Some(of) = i.element().and_then(|n| looks.get_mut(n))
            {
                of.push(InstructionId(n as u32));
            }
        }
        looks
    }

    /// Elements that every iteration hands on as they are, with the looks at them in the body.
    pub fn kept(&self, module: &HloModule) -> Vec<(usize, SmallVec<[InstructionId; 2]>)> {
        let root = module.computation(self.body).root();
        let all = self.looks(module, self.body).into_iter().enumerate();
        all.filter(|(n, looks)| root.operands.get(*n).is_some_and(|o| looks.contains(o))).collect()
    }

    /// Further elements that no iteration changes, which start from these in the parent: the looks at them in the body.
    pub fn carry(&mut self, cx: &mut Cx<'_>, from: &[InstructionId]) -> Vec<InstructionId> {
        let parent = cx.module.computation(self.parent);
        let sources: Vec<Instruction> = from.iter().map(|&f| parent.instruction(f).clone()).collect();
        let longer = |shape: &Arc<Shape>| {
            let parts = shape.as_tuple().unwrap_or_default().iter();
            Arc::new(Shape::Tuple(parts.chain(sources.iter().map(|s| &s.shape)).cloned().collect()))
        };
        let parent = &mut cx.module.computations[self.parent.0 as usize];
        for id in [self.tuple, self.at] {
            let i = &mut parent.instructions[id.0 as usize];
            i.shape = longer(&i.shape);
        }
        parent.instructions[self.tuple.0 as usize].operands.extend(from.iter().copied());
        for id in [self.condition, self.body] {
            let computation = &mut cx.module.computations[id.0 as usize];
            let parameters = computation.instructions.iter_mut().filter(|i| i.opcode == Opcode::Parameter);
            parameters.for_each(|p| p.shape = longer(&p.shape));
        }
        let body = &mut cx.module.computations[self.body.0 as usize];
        let parameter = body.instructions.iter().position(|i| i.opcode == Opcode::Parameter).unwrap_or(0);
        let of = [InstructionId(parameter as u32)];
        let mut looks = Vec::with_capacity(from.len());
        for source in &sources {
            let name = cx.names.fresh("get-tuple-element");
            let mut look =
                graph::instruction(name, Opcode::GetTupleElement, source.shape.clone(), &of, source);
            graph::set(&mut look, Key::Index, Value::Int(self.len as i64));
            looks.push(graph::push(body, look));
            self.len += 1;
        }
        let root = &mut body.instructions[body.root.0 as usize];
        root.operands.extend(looks.iter().copied());
        root.shape = longer(&root.shape);
        looks
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
