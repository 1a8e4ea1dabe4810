//! How arrays lie in memory: the order of their dimensions, and tiles.
//!
//! Arguments, results and what loops carry lie as libtpu lays them when nobody asks ([`hbm::layout::default_layout`]). What is between
//! follows from two walks. Backwards, operations that want something say so: a product wants no batch dimension among the two that
//! fill registers, a convolution its features in lanes and its batch in sublanes; the wish goes through what keeps the order
//! (elementwise operations, transposes, most reshapes) to whoever can fulfil it for nothing. Forwards, each value takes its operand's
//! order, or its wish if it has none to keep. Where an operand then lies otherwise than it must, it is copied. Transposes cost nothing:
//! their result lies as the operand does. Reshapes cost nothing where tiles stay whole.

mod carried;
mod order;
mod reshape;
mod rules;

use super::Cx;
use super::graph::{self, Effects, compact, laid};
use order::{Order, default, layout};
use rules::{Need, needs, result, wishes};
use rustc_hash::FxHashMap;
use sim_core::hlo::{Computation, Instruction, InstructionId, Key, Opcode, ParameterLayouts, Shape, Value};
use sim_core::types::Dim;
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    for id in cx.module.reached() {
        let mut computation = cx.module.computation(id).clone();
        fixed(&computation)?;
        lay(&mut computation, &mut cx.names);
        compact(&mut computation, |i| effects.keeps(i));
        cx.module.computations[id.0 as usize] = computation;
    }
    carried::run(cx);
    let entry = cx.module.entry();
    let parameters =
        entry.parameters().into_iter().flatten().map(|id| entry.instruction(id).shape.clone()).collect();
    let layouts = ParameterLayouts { parameters, result: entry.root().shape.clone() };
    cx.module.attrs.retain(|a| a.key != Key::EntryComputationLayout);
    let value = Value::Layouts(Box::new(layouts));
    cx.module.attrs.push(sim_core::hlo::Attr { key: Key::EntryComputationLayout, value });
    Ok(())
}

/// # Errors
/// A size is open: what is compiled for a chip has its memory planned.
fn fixed(computation: &Computation) -> Result<()> {
    for i in &computation.instructions {
        let open = i.shape.as_array().is_some_and(|a| a.dims.contains(&Dim::Dynamic));
        if open {
            return Err(Diagnostic::unsupported(format!("%{} has a dimension whose size is open", i.name))
                .at(i.span)
                .help("give the sizes: compile for the shapes of concrete inputs"));
        }
    }
    Ok(())
}

/// It costs nothing to make again.
fn fills(i: &Instruction) -> bool {
    matches!(i.opcode, Opcode::Broadcast | Opcode::Iota | Opcode::Constant)
}

/// Operations one behind the other after a scatter that are looked at.
const MOST_AFTER: usize = 8;

/// A computation while its values are laid.
struct Lay<'a> {
    computation: &'a mut Computation,
    names: &'a mut graph::Names,
    /// Of each instruction that is there by now.
    orders: Vec<Option<Order>>,
    /// What was copied, or made again, in another order.
    moved: FxHashMap<(InstructionId, Order), InstructionId>,
}

impl Lay<'_> {
    fn push(&mut self, instruction: Instruction, order: Option<Order>) -> InstructionId {
        self.orders.push(order);
        graph::push(self.computation, instruction)
    }

    /// The operand, by number, of an operation on what a scatter gives, value by value, and on nothing else that is an array.
    fn of_scattered(&self, i: &Instruction) -> Option<usize> {
        let array = |o: &InstructionId| {
            let of = self.computation.instruction(*o);
            of.shape.as_array().is_some_and(|a| a.rank() > 0) && !fills(of)
        };
        let only = |i: &Instruction| {
            let mut arrays = i.operands.iter().enumerate().filter(|(_, o)| array(o));
            let (Some((k, &only)), None) = (arrays.next(), arrays.next()) else { return None };
            graph::is_elementwise(i.opcode).then_some((k, only))
        };
        let (k, mut at) = only(i)?;
        for _ in 0..MOST_AFTER {
            let of = self.computation.instruction(at);
            if of.opcode == Opcode::Scatter {
                return Some(k);
            }
            at = only(of)?.1;
        }
        None
    }

    /// The value in that order: itself; what costs nothing, made again; else a copy.
    fn laid_as(&mut self, id: InstructionId, wanted: &Order, like: &Instruction) -> InstructionId {
        let source = self.computation.instruction(id).clone();
        let (Some(has), Some(array)) = (&self.orders[id.0 as usize], source.shape.as_array()) else {
            return id;
        };
        if order::same(wanted, has, array) {
            return id;
        }
        if let Some(&known) = self.moved.get(&(id, wanted.clone())) {
            return known;
        }
        let shape = laid(array, layout(array, wanted));
        let made = if let Some(k) = self.of_scattered(&source) {
            // What is scattered is copied itself, so that it makes room; what is computed of it is computed there.
            let mut again = Instruction { name: self.names.fresh(&source.name), shape, ..source.clone() };
            for n in 0..source.operands.len() {
                if n == k || fills(self.computation.instruction(source.operands[n])) {
                    again.operands[n] = self.laid_as(source.operands[n], wanted, like);
                }
            }
            again
        } else if fills(&source) {
            let mut again = Instruction { name: self.names.fresh(&source.name), shape, ..source.clone() };
            if let Some(&operand) = source.operands.first()
                && self.computation.instruction(operand).shape.as_array().is_some_and(|a| a.rank() > 1)
            {
                let inner = order::restricted(wanted, graph::dims(&source, &Key::Dimensions));
                again.operands[0] = self.laid_as(operand, &inner, like);
            }
            again
        } else {
            graph::instruction(self.names.fresh("copy"), Opcode::Copy, shape, &[id], like)
        };
        let made = self.push(made, Some(wanted.clone()));
        self.moved.insert((id, wanted.clone()), made);
        made
    }
}

fn lay(computation: &mut Computation, names: &mut graph::Names) {
    let wishes = wanted(computation);
    let old = std::mem::take(&mut computation.instructions);
    let root = computation.root;
    // Results have their order whatever comes.
    let results: Vec<InstructionId> = match old[root.0 as usize].opcode {
        Opcode::Tuple => old[root.0 as usize].operands.to_vec(),
        _ => vec![root],
    };
    // Where each instruction is now.
    let mut to: Vec<InstructionId> = Vec::with_capacity(old.len());
    let mut lay = Lay { computation, names, orders: Vec::new(), moved: FxHashMap::default() };
    for (i, mut instruction) in old.into_iter().enumerate() {
        let ids: Vec<InstructionId> = instruction.operands.iter().map(|o| to[o.0 as usize]).collect();
        let shapes: Vec<Arc<Shape>> =
            ids.iter().map(|&o| lay.computation.instruction(o).shape.clone()).collect();
        let has: Vec<Option<Order>> = ids.iter().map(|o| lay.orders[o.0 as usize].clone()).collect();
        let has: Vec<Option<&Order>> = has.iter().map(Option::as_ref).collect();
        let is_root = InstructionId(i as u32) == root;
        let is_there = |k: usize, order: &Order| {
            lay.moved.contains_key(&(ids[k], order.clone())) || fills(lay.computation.instruction(ids[k]))
        };
        let wish = wishes[i].as_ref().filter(|_| !is_root);
        let is_result = results.contains(&InstructionId(i as u32));
        let end = instruction.shape.as_array().filter(|_| is_result).map(default);
        let order = result(&instruction, &shapes, &has, wish, end.as_ref(), &is_there);
        let needs = needs(&instruction, &shapes, &has, order.as_ref());
        for (k, need) in needs.into_iter().enumerate() {
            instruction.operands[k] = match need {
                Need::Order(wanted) => lay.laid_as(ids[k], &wanted, &instruction),
                Need::Any => ids[k],
            };
        }
        instruction.shape = match (&order, instruction.shape.as_array()) {
            (Some(order), Some(array)) => laid(array, layout(array, order)),
            _ => Arc::new(defaults(&instruction.shape)),
        };
        become_bitcast(&mut instruction, lay.computation);
        let like = instruction.clone();
        let mut id = lay.push(instruction, order);
        // A result lies as results do.
        if is_root && let Some(array) = like.shape.as_array() {
            id = lay.laid_as(id, &default(array), &like);
        }
        to.push(id);
    }
    computation.root = to[root.0 as usize];
    for a in computation.instructions.iter_mut().flat_map(|i| &mut i.attrs) {
        if let (Key::ControlPredecessors, Value::Instructions(ids)) = (&a.key, &mut a.value) {
            ids.iter_mut().for_each(|o| *o = to[o.0 as usize]);
        }
    }
}

/// What is wished for each value, from the last to the first.
fn wanted(computation: &Computation) -> Vec<Option<Order>> {
    let n = computation.instructions.len();
    let mut wanted: Vec<Option<Order>> = vec![None; n];
    for i in (0..n).rev() {
        let instruction = &computation.instructions[i];
        let shapes: Vec<Arc<Shape>> =
            instruction.operands.iter().map(|&o| computation.instruction(o).shape.clone()).collect();
        let mine = wanted[i].clone();
        for (k, wish) in wishes(instruction, &shapes, mine.as_ref()).into_iter().enumerate() {
            let of = &mut wanted[instruction.operands[k].0 as usize];
            if of.is_none() {
                *of = wish;
            }
        }
    }
    wanted
}

/// A transpose or reshape whose result lies where its operand lies.
fn become_bitcast(instruction: &mut Instruction, computation: &Computation) {
    let Some(&operand) = instruction.operands.first() else { return };
    let (Some(from), Some(to)) =
        (computation.instruction(operand).shape.as_array(), instruction.shape.as_array())
    else {
        return;
    };
    let free = match instruction.opcode {
        Opcode::Transpose => true,
        Opcode::Reshape => reshape::is_free(from, to),
        _ => false,
    };
    if free {
        instruction.opcode = Opcode::Bitcast;
        instruction.attrs.clear();
    }
}

/// The shape with the layouts that libtpu gives when nobody asks.
fn defaults(shape: &Shape) -> Shape {
    match shape {
        Shape::Array(a) => (*laid(a, layout(a, &default(a)))).clone(),
        Shape::Tuple(items) => Shape::Tuple(items.iter().map(|s| Arc::new(defaults(s))).collect()),
        other => other.clone(),
    }
}
