//! How arrays lie in memory: the order of their dimensions, and tiles.
//!
//! Arguments, results and what loops carry lie as libtpu lays them when nobody asks ([`hbm::layout::default_layout`]). What is between
//! follows from two walks. Backwards, operations that want something say so: a product wants no batch dimension among the two that
//! fill registers, a convolution its features in lanes and its batch in sublanes; the wish goes through what keeps the order
//! (elementwise operations, transposes, most reshapes) to whoever can fulfil it for nothing. Forwards, each value takes its operand's
//! order, or its wish if it has none to keep. Where an operand then lies otherwise than it must, it is copied. Transposes cost nothing:
//! their result lies as the operand does. Reshapes cost nothing where tiles stay whole.

mod order;
mod reshape;
mod rules;

use super::Cx;
use super::graph::{self, compact, control, has_side_effect, laid};
use order::{Order, default, layout};
use rules::{Need, needs, result, wishes};
use sim_core::hlo::{Computation, Instruction, InstructionId, Key, Opcode, ParameterLayouts, Shape, Value};
use sim_core::types::Dim;
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    for id in control(&cx.module) {
        let mut computation = cx.module.computation(id).clone();
        fixed(&computation)?;
        lay(&mut computation, &mut cx.names);
        let module = &cx.module;
        compact(&mut computation, |i| has_side_effect(module, i));
        cx.module.computations[id.0 as usize] = computation;
    }
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
        let open = i.shape.as_array().is_some_and(|a| a.dims.iter().any(|d| *d == Dim::Dynamic));
        if open {
            return Err(Diagnostic::unsupported(format!("%{} has a dimension whose size is open", i.name))
                .at(i.span)
                .help("give the sizes: compile for the shapes of concrete inputs"));
        }
    }
    Ok(())
}

fn lay(computation: &mut Computation, names: &mut graph::Names) {
    let n = computation.instructions.len();
    let wishes = wanted(computation);
    // Of each instruction by now: itself, or what took its place.
    let mut orders: Vec<Option<Order>> = Vec::with_capacity(n);
    let mut to: Vec<InstructionId> = Vec::with_capacity(n);
    let old = std::mem::take(&mut computation.instructions);
    let root = computation.root;
    let mut copies: rustc_hash::FxHashMap<(InstructionId, Order), InstructionId> = Default::default();
    for (i, mut instruction) in old.into_iter().enumerate() {
        let shapes: Vec<Arc<Shape>> =
            instruction.operands.iter().map(|o| computation.instruction(to[o.0 as usize]).shape.clone()).collect();
        let of_operands: Vec<Option<&Order>> =
            instruction.operands.iter().map(|o| orders[o.0 as usize].as_ref()).collect();
        let is_root = InstructionId(i as u32) == root;
        let order = result(&instruction, &shapes, &of_operands, wishes[i].as_ref().filter(|_| !is_root));
        // Operands that lie otherwise than they must are copied.
        let need: Vec<Need> = needs(&instruction, &shapes, &of_operands, order.as_ref());
        let mut operands = instruction.operands.clone();
        for (k, need) in need.iter().enumerate() {
            let id = instruction.operands[k];
            operands[k] = to[id.0 as usize];
            let (Need::Order(wanted), Some(has), Some(array)) =
                (need, orders[id.0 as usize].as_ref(), shapes[k].as_array())
            else {
                continue;
            };
            if order::same(wanted, has, array) {
                continue;
            }
            let key = (operands[k], wanted.clone());
            operands[k] = *copies.entry(key).or_insert_with(|| {
                let shape = laid(array, layout(array, wanted));
                let name = names.fresh("copy");
                let copy = graph::instruction(name, Opcode::Copy, shape, &[operands[k]], &instruction);
                graph::push(computation, copy)
            });
        }
        instruction.operands = operands;
        if let (Some(order), Some(array)) = (&order, instruction.shape.as_array()) {
            instruction.shape = laid(array, layout(array, order));
        } else {
            instruction.shape = Arc::new(defaults(&instruction.shape));
        }
        become_bitcast(&mut instruction, computation);
        let id = graph::push(computation, instruction);
        // A result lies as results do.
        let (id, order) = match (is_root, &order, computation.instruction(id).shape.as_array()) {
            (true, Some(has), Some(array)) if !order::same(has, &default(array), array) => {
                let wanted = default(array);
                let shape = laid(array, layout(array, &wanted));
                let like = computation.instruction(id).clone();
                let copy = graph::instruction(names.fresh("copy"), Opcode::Copy, shape, &[id], &like);
                (graph::push(computation, copy), Some(wanted))
            }
            _ => (id, order),
        };
        to.push(id);
        orders.push(order);
    }
    computation.root = to[root.0 as usize];
    for instruction in &mut computation.instructions {
        for a in &mut instruction.attrs {
            if let (Key::ControlPredecessors, Value::Instructions(ids)) = (&a.key, &mut a.value) {
                ids.iter_mut().for_each(|o| *o = to[o.0 as usize]);
            }
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
