//! What each iteration computes of what the loop never changes is computed once, before it (XLA's invariant code motion).
//!
//! * It goes out if it is no larger than what it is computed of ([`super::cut`]): memory is held for the whole loop.
//! * What only looks at values otherwise, and what fills arrays, goes with what needs it, not for itself.
//! * A conversion into a narrower type of a part of an array is one of the whole array, so the narrow array is read in the loop
//!   (libtpu 0.0.52 does so with the weights of all layers of a model).
//! * What is equal is carried once.

use super::Loop;
use super::cut::Cuts;
use crate::compiler::Cx;
use crate::compiler::cse::Equal;
use crate::compiler::graph::{Effects, push, users};
use crate::time::{arrays, trips};
use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::hlo::{ArrayShape, Computation, Instruction, InstructionId, Key, Opcode, Shape};
use std::sync::Arc;

pub(super) fn run(cx: &mut Cx<'_>, site: &mut Loop, effects: &Effects) -> bool {
    let narrowed = narrow(cx, site);
    let starts = &cx.module.computation(site.parent).instruction(site.tuple).operands;
    let kept = site.kept(&cx.module);
    let known = kept.into_iter().flat_map(|(n, looks)| looks.into_iter().map(move |look| (look, starts[n])));
    let known: FxHashMap<InstructionId, InstructionId> = known.collect();
    let body = cx.module.computation(site.body).clone();
    let mut outside = Outside { body: &body, cuts: Cuts::of(&body), known, made: Equal::default(), effects };
    let mut moved: Vec<InstructionId> = Vec::new();
    // Narrowed arrays stand behind what needs them.
    for id in order(&body) {
        if outside.pays(id) && outside.can(id, 0) {
            outside.make(cx, site, id);
            moved.push(id);
        }
    }
    if moved.is_empty() {
        return narrowed;
    }
    let known = outside.known;
    // Of those, what is needed inside is carried, and equal ones once.
    let gone: FxHashSet<InstructionId> = moved.iter().copied().collect();
    let users = users(&body);
    moved.retain(|id| users[id.0 as usize].iter().any(|u| !gone.contains(u)));
    let mut places: FxHashMap<InstructionId, usize> = FxHashMap::default();
    let mut from: Vec<InstructionId> = Vec::new();
    for there in moved.iter().map(|id| known[id]) {
        places.entry(there).or_insert_with(|| {
            from.push(there);
            from.len() - 1
        });
    }
    let looks = site.carry(cx, &from);
    let to: FxHashMap<InstructionId, InstructionId> =
        moved.iter().map(|id| (*id, looks[places[&known[id]]])).collect();
    replace(&mut cx.module.computations[site.body.0 as usize], &to);
    true
}

/// Puts one value where another was used.
fn replace(body: &mut Computation, to: &FxHashMap<InstructionId, InstructionId>) {
    let operands = body.instructions.iter_mut().flat_map(|i| &mut i.operands);
    operands.for_each(|o| *o = to.get(o).copied().unwrap_or(*o));
}

/// Operands first.
fn order(body: &Computation) -> Vec<InstructionId> {
    let mut done = vec![false; body.instructions.len()];
    let mut order = Vec::with_capacity(done.len());
    for start in 0..done.len() as u32 {
        let mut open = vec![(InstructionId(start), false)];
        while let Some((at, seen)) = open.pop() {
            if seen {
                order.push(at);
            } else if !std::mem::replace(&mut done[at.0 as usize], true) {
                open.push((at, true));
                open.extend(body.instruction(at).operands.iter().map(|&o| (o, false)));
            }
        }
    }
    order
}

/// Instructions of a body that stand outside, too.
struct Outside<'a> {
    body: &'a Computation,
    cuts: Cuts<'a>,
    /// In the body, and in the parent.
    known: FxHashMap<InstructionId, InstructionId>,
    /// Those of the parent that were made here.
    made: Equal,
    effects: &'a Effects,
}

/// Operations behind operations are followed so far.
const DEEPEST: u32 = 64;

impl Outside<'_> {
    /// Is it worth a place in what the loop carries?
    fn pays(&mut self, id: InstructionId) -> bool {
        use Opcode as O;
        let i = self.body.instruction(id);
        let light = matches!(
            i.opcode,
            O::Constant
                | O::Bitcast
                | O::Broadcast
                | O::Iota
                | O::Reshape
                | O::Reverse
                | O::Slice
                | O::Transpose
                | O::Tuple
                | O::GetTupleElement
        );
        // A scalar of constants is in the scalar core's registers; carried, it would have to be read.
        let is_constant = i.shape.as_array().is_some_and(|a| a.rank() == 0) && self.cuts.is_held_by_none(id);
        id != self.body.root && !light && !is_constant && self.cuts.operands(id) >= self.cuts.bytes(id)
    }

    /// Does it compute the same in each iteration, and nothing else?
    fn can(&self, id: InstructionId, depth: u32) -> bool {
        use Opcode as O;
        if self.known.contains_key(&id) {
            return true;
        }
        let i = self.body.instruction(id);
        let other = matches!(
            i.opcode,
            O::Parameter | O::Rng | O::RngBitGenerator | O::CustomCall | O::AfterAll | O::Fusion
        );
        depth < DEEPEST
            && !other
            && i.shape.as_array().is_some()
            && !i.hands_over()
            && !self.effects.keeps(i)
            && i.attr(&Key::ControlPredecessors).is_none()
            && i.operands.iter().all(|&o| self.can(o, depth + 1))
    }

    fn make(&mut self, cx: &mut Cx<'_>, site: &Loop, id: InstructionId) -> InstructionId {
        if let Some(&there) = self.known.get(&id) {
            return there;
        }
        let like = self.body.instruction(id);
        let operands = like.operands.iter().map(|&o| self.make(cx, site, o)).collect();
        let mut made = Instruction { operands, ..like.clone() };
        let parent = &mut cx.module.computations[site.parent.0 as usize];
        let next = InstructionId(parent.instructions.len() as u32);
        let there = self.made.first(&parent.instructions, &made, next);
        if there == next {
            made.name = cx.names.fresh(&like.name);
            push(parent, made);
        }
        self.known.insert(id, there);
        there
    }
}

/// A conversion of a part of what the loop never changes.
struct Narrow {
    convert: InstructionId,
    /// From the conversion to the slice: what only looks at values otherwise.
    looks: Vec<InstructionId>,
    whole: InstructionId,
}

impl Narrow {
    /// Do so many iterations need all of the array, if none needs what another does?
    fn is_all(&self, body: &Computation, trips: u64) -> bool {
        let values = |id: InstructionId| body.instruction(id).shape.as_array().map_or(0.0, arrays::elements);
        values(self.convert) * trips as f64 >= values(self.whole)
    }
}

/// Puts conversions into narrower types before slices; says whether there were any.
fn narrow(cx: &mut Cx<'_>, site: &mut Loop) -> bool {
    let parent = cx.module.computation(site.parent);
    let Some(trips) = trips::of(&cx.module, parent, parent.instruction(site.at)) else { return false };
    let body = cx.module.computation(site.body);
    let users = users(body);
    let kept: FxHashSet<InstructionId> = site.kept(&cx.module).into_iter().flat_map(|k| k.1).collect();
    let found: Vec<Narrow> = (0..body.instructions.len() as u32)
        .filter_map(|i| narrowing(body, &users, InstructionId(i)))
        .filter(|n| kept.contains(&n.whole) && n.is_all(body, trips))
        .collect();
    let mut to: FxHashMap<InstructionId, InstructionId> = FxHashMap::default();
    for n in &found {
        let body = &mut cx.module.computations[site.body.0 as usize];
        let convert = body.instruction(n.convert).clone();
        let Some(element) = convert.shape.as_array().map(|a| a.element) else { continue };
        let narrow = |shape: &Shape| match shape {
            Shape::Array(a) => Arc::new(Shape::Array(ArrayShape { element, layout: None, ..a.clone() })),
            other => Arc::new(other.clone()),
        };
        let shape = narrow(&body.instruction(n.whole).shape);
        let mut at =
            push(body, Instruction { shape, operands: [n.whole].as_slice().into(), ..convert.clone() });
        body.instructions[at.0 as usize].name = cx.names.fresh("convert");
        for &look in n.looks.iter().rev() {
            let mut again = body.instruction(look).clone();
            again.name = cx.names.fresh(&again.name);
            again.shape = narrow(&again.shape);
            again.operands[0] = at;
            at = push(body, again);
        }
        to.insert(n.convert, at);
    }
    replace(&mut cx.module.computations[site.body.0 as usize], &to);
    !found.is_empty()
}

fn narrowing(
    body: &Computation,
    users: &[smallvec::SmallVec<[InstructionId; 4]>],
    convert: InstructionId,
) -> Option<Narrow> {
    let i = body.instruction(convert);
    let element = |id: InstructionId| body.instruction(id).shape.as_array().map(|a| a.element);
    let narrows = i.opcode == Opcode::Convert
        && element(convert)?.bits() < element(*i.operands.first()?)?.bits()
        && element(convert)?.is_float();
    if !narrows {
        return None;
    }
    let mut looks = Vec::new();
    let mut at = i.operands[0];
    let mut by = convert;
    for _ in 0..DEEPEST {
        if users[at.0 as usize].iter().any(|&u| u != by) {
            return None;
        }
        let look = body.instruction(at);
        looks.push(at);
        by = at;
        match look.opcode {
            Opcode::Reshape | Opcode::Transpose => at = look.operands[0],
            Opcode::DynamicSlice => {
                return Some(Narrow { convert, looks, whole: look.operands[0] });
            }
            _ => return None,
        }
    }
    None
}
