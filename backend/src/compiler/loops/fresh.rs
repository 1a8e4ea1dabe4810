//! Arrays of one value that a loop starts from.
//!
//! A loop that writes all of such an array, one part in each iteration, needs no value in it; what another reads in its first iteration is the
//! value itself. In both cases memory is enough to start from (`AllocateBuffer`), and nothing is filled before.

use super::Loop;
use crate::compiler::Cx;
use crate::compiler::graph::{self, Effects, push, users};
use crate::time::trips;
use sim_core::ElementType;
use sim_core::hlo::{
    ArrayShape, Computation, HloModule, Instruction, InstructionId, Key, Literal, Opcode, Shape, Value,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// A counter: the element, its look in the body, what it starts from and its step.
struct Counter {
    looks: Vec<InstructionId>,
    start: InstructionId,
    first: i64,
    step: i64,
    trips: u64,
}

pub(super) fn run(cx: &mut Cx<'_>, site: &mut Loop, _: &Effects) -> bool {
    let body = Body::of(&cx.module, site);
    let Some(counter) = counter(&cx.module, site, &body) else { return false };
    let mut changed = false;
    // Is it the first iteration? Asked once.
    let mut first: Option<InstructionId> = None;
    for n in 0..site.len {
        let Some(filled) = filled(&cx.module, site, n) else { continue };
        match used(&cx.module, site, n, &counter, &body) {
            Used::Written => {}
            Used::Read(looks) => {
                let first = *first.get_or_insert_with(|| is_first(cx, site, &counter));
                for look in looks {
                    choose(cx, site, first, look, filled);
                }
            }
            Used::Otherwise => continue,
        }
        let parent = &mut cx.module.computations[site.parent.0 as usize];
        let like = parent.instruction(filled).clone();
        let name = cx.names.fresh("custom-call");
        let mut memory = graph::instruction(name, Opcode::CustomCall, like.shape.clone(), &[], &like);
        graph::set(&mut memory, Key::CustomCallTarget, Value::String("AllocateBuffer".into()));
        let memory = push(parent, memory);
        parent.instructions[site.tuple.0 as usize].operands[n] = memory;
        changed = true;
    }
    changed
}

/// Who looks at what in a loop, as it is before anything changes.
struct Body {
    looks: Vec<SmallVec<[InstructionId; 2]>>,
    /// Is an element looked at in the condition?
    tested: Vec<bool>,
    users: Vec<SmallVec<[InstructionId; 4]>>,
}

impl Body {
    fn of(module: &HloModule, site: &Loop) -> Body {
        let tested = site.looks(module, site.condition).iter().map(|looks| !looks.is_empty()).collect();
        let users = users(module.computation(site.body));
        Body { looks: site.looks(module, site.body), tested, users }
    }
}

/// The counter of a loop that runs at least once.
fn counter(module: &HloModule, site: &Loop, known: &Body) -> Option<Counter> {
    let parent = module.computation(site.parent);
    let trips = trips::of(module, parent, parent.instruction(site.at)).filter(|&t| t > 0)?;
    let body = module.computation(site.body);
    (0..site.len).find_map(|n| {
        let start = parent.instruction(site.tuple).operands[n];
        let first = scalar(parent.instruction(start))?;
        let looks = known.looks[n].to_vec();
        let next = body.instruction(*body.root().operands.get(n)?);
        let step = match (next.opcode, &next.operands[..]) {
            (Opcode::Add, &[a, b]) if looks.contains(&a) => scalar(body.instruction(b))?,
            (Opcode::Add, &[a, b]) if looks.contains(&b) => scalar(body.instruction(a))?,
            _ => return None,
        };
        // It never comes back to where it started.
        let last = i128::from(step).checked_mul(i128::from(trips))?.checked_add(i128::from(first))?;
        let fits = i128::from(i32::MIN) < last && last < i128::from(i32::MAX);
        (step != 0 && fits).then_some(Counter { looks, start, first, step, trips })
    })
}

/// A constant integer, no array of one.
fn scalar(i: &Instruction) -> Option<i64> {
    let Some(Literal::Array(tensor)) = i.literal.as_deref() else { return None };
    i.shape.as_array().filter(|a| a.dims.is_empty())?;
    match tensor.element() {
        ElementType::S32 if tensor.bytes().len() == 4 => {
            Some(i64::from(i32::from_le_bytes(tensor.bytes().try_into().ok()?)))
        }
        ElementType::S64 if tensor.bytes().len() == 8 => {
            Some(i64::from_le_bytes(tensor.bytes().try_into().ok()?))
        }
        _ => None,
    }
}

/// The broadcast of one constant that the element starts from.
fn filled(module: &HloModule, site: &Loop, n: usize) -> Option<InstructionId> {
    let parent = module.computation(site.parent);
    let from = *parent.instruction(site.tuple).operands.get(n)?;
    let i = parent.instruction(from);
    let of = parent.instruction(*i.operands.first()?);
    let one = of.opcode == Opcode::Constant && of.shape.as_array().is_some_and(|a| a.dims.is_empty());
    let is = i.opcode == Opcode::Broadcast && one && i.shape.as_array().is_some_and(|a| a.rank() > 0);
    is.then_some(from)
}

/// What a loop does with an element.
enum Used {
    /// All of it is written, part by part, and none of it read.
    Written,
    /// It is read here.
    Read(Vec<InstructionId>),
    Otherwise,
}

fn used(module: &HloModule, site: &Loop, n: usize, counter: &Counter, known: &Body) -> Used {
    let body = module.computation(site.body);
    let (looks, users) = (&known.looks[n], &known.users);
    let is_kept = body.root().operands.get(n).is_some_and(|o| looks.contains(o));
    if is_kept || known.tested[n] {
        return Used::Otherwise;
    }
    let all: Vec<InstructionId> = looks.iter().flat_map(|l| users[l.0 as usize].iter().copied()).collect();
    let changes = |u: &InstructionId| {
        let i = body.instruction(*u);
        let arrays = match i.opcode {
            Opcode::DynamicUpdateSlice => 1,
            Opcode::Scatter => i.operands.len() / 2,
            _ => 0,
        };
        i.operands.iter().take(arrays).any(|o| looks.contains(o))
    };
    if let [update] = all[..]
        && body.root().operands.get(n) == Some(&update)
        && changes(&update)
        && writes_all(body, &users[update.0 as usize], update, counter)
    {
        return Used::Written;
    }
    // Another look at what is changed in place would be a copy of it; a tuple hands it on.
    match all.iter().any(|u| changes(u) || *u == body.root || body.instruction(*u).hands_over()) {
        true => Used::Otherwise,
        false => Used::Read(looks.to_vec()),
    }
}

/// Does the update, of row after row, reach all rows?
fn writes_all(body: &Computation, users: &[InstructionId], update: InstructionId, counter: &Counter) -> bool {
    let i = body.instruction(update);
    let sizes = |id: InstructionId| {
        let a = body.instruction(id).shape.as_array()?;
        a.dims.iter().map(|d| d.as_static()).collect::<Option<Vec<i64>>>()
    };
    let (Some(whole), Some(part)) = (i.operands.first().and_then(|&o| sizes(o)), sizes(i.operands[1])) else {
        return false;
    };
    let parts: Vec<usize> = (0..whole.len()).filter(|&d| whole[d] != part[d]).collect();
    let &[d] = &parts[..] else { return false };
    let index = i.operands.get(2 + d).copied();
    part[d] == 1
        && users == [body.root]
        && counter.first == 0
        && counter.step == 1
        && counter.trips == whole[d] as u64
        && index.is_some_and(|at| is_counter(body, at, counter))
}

/// The counter, or the counter where it is not negative (an index as NumPy has them).
fn is_counter(body: &Computation, at: InstructionId, counter: &Counter) -> bool {
    let i = body.instruction(at);
    match (i.opcode, &i.operands[..]) {
        _ if counter.looks.contains(&at) => true,
        (Opcode::Select, &[negative, _, plain]) => {
            let test = body.instruction(negative);
            let zero = |o: &InstructionId| scalar(body.instruction(*o)) == Some(0);
            let less = test.attr(&Key::Direction) == Some(&Value::Word("LT".into()));
            counter.looks.contains(&plain)
                && test.opcode == Opcode::Compare
                && less
                && test.operands.first().is_some_and(|o| counter.looks.contains(o))
                && test.operands.get(1).is_some_and(zero)
        }
        _ => false,
    }
}

/// The predicate that tells the first iteration from others, in the body.
fn is_first(cx: &mut Cx<'_>, site: &Loop, counter: &Counter) -> InstructionId {
    let start = cx.module.computation(site.parent).instruction(counter.start).clone();
    let (one, other) = (cx.names.fresh("constant"), cx.names.fresh("compare"));
    let body = &mut cx.module.computations[site.body.0 as usize];
    let like = body.root().clone();
    let constant = push(body, Instruction { name: one, ..start });
    let shape = Arc::new(Shape::Array(ArrayShape::new(ElementType::Pred, [])));
    let operands = [counter.looks[0], constant];
    let mut compare = graph::instruction(other, Opcode::Compare, shape, &operands, &like);
    graph::set(&mut compare, Key::Direction, Value::Word("EQ".into()));
    push(body, compare)
}

/// Puts `select(first, value, look)` where the look was read.
fn choose(cx: &mut Cx<'_>, site: &Loop, first: InstructionId, look: InstructionId, filled: InstructionId) {
    let parent = cx.module.computation(site.parent);
    let filled = parent.instruction(filled).clone();
    let value = parent.instruction(filled.operands[0]).clone();
    let names = ["constant", "broadcast", "broadcast", "select"].map(|n| cx.names.fresh(n));
    let [one, two, three, four] = names;
    let body = &mut cx.module.computations[site.body.0 as usize];
    let n = body.instructions.len() as u32;
    let value = push(body, Instruction { name: one, ..value });
    let values = push(body, Instruction { name: two, operands: [value].as_slice().into(), ..filled.clone() });
    let predicate = match &*filled.shape {
        Shape::Array(a) => ArrayShape { element: ElementType::Pred, layout: None, ..a.clone() },
        _ => ArrayShape::new(ElementType::Pred, []),
    };
    let spread = Instruction {
        name: three,
        operands: [first].as_slice().into(),
        shape: Arc::new(Shape::Array(predicate)),
        ..filled.clone()
    };
    let spread = push(body, spread);
    let operands = [spread, values, look];
    let select = graph::instruction(four, Opcode::Select, filled.shape.clone(), &operands, &filled);
    let select = push(body, select);
    for i in &mut body.instructions[..n as usize] {
        i.operands.iter_mut().filter(|o| **o == look).for_each(|o| *o = select);
    }
}
