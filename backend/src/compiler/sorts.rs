//! Stable sorts.
//!
//! What keeps the order of equals sorts their places, too, unless places are sorted already: XLA:TPU (libtpu 0.0.52) adds a counter to the
//! operands of every stable sort, and writes it with the results.

use super::Cx;
use super::build::{self, Build, shape};
use super::graph::{self, dims};
use crate::time::arrays::sizes;
use sim_core::hlo::{Computation, ComputationId, Instruction, InstructionId, Key, Opcode, Shape, Value};
use sim_core::{ElementType, Result};
use std::sync::Arc;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    build::replace(cx, &[Opcode::Sort], |b, sort| counted(b.cx, b.computation, sort));
    Ok(())
}

/// The sort with a counter; its first result, or a tuple of all but the counter.
fn counted(cx: &mut Cx<'_>, computation: &mut Computation, sort: &Instruction) -> Option<InstructionId> {
    let stable = sort.attr(&Key::IsStable) == Some(&Value::Bool(true));
    let &[along] = dims(sort, &Key::Dimensions) else { return None };
    if sort.opcode != Opcode::Sort || !stable {
        return None;
    }
    let first = computation.instruction(*sort.operands.first()?).shape.as_array()?.clone();
    let is_counter = |o: &InstructionId| {
        let i = computation.instruction(*o);
        i.opcode == Opcode::Iota && i.attr(&Key::IotaDimension) == Some(&Value::Int(along))
    };
    if sort.operands.iter().any(is_counter) {
        return None;
    }
    let compares = widened(cx, sort.called().next()?)?;
    let sizes: Vec<i64> = sizes(&first).iter().map(|&n| n as i64).collect();
    let mut parts: Vec<Arc<Shape>> = match &*sort.shape {
        Shape::Tuple(parts) => parts.clone(),
        Shape::Array(_) => vec![sort.shape.clone()],
        _ => return None,
    };
    let results = parts.len();
    let mut b = Build { cx, computation, like: sort };
    let counter = b.one(Opcode::Iota, ElementType::S32, &sizes, &[], None);
    b.with(counter, Key::IotaDimension, Value::Int(along));
    let mut made = sort.clone();
    made.name = b.cx.names.fresh(&sort.name);
    made.operands.push(counter);
    parts.push(shape(ElementType::S32, &sizes));
    made.shape = Arc::new(Shape::Tuple(parts.clone()));
    graph::set(&mut made, Key::ToApply, Value::Computation(compares));
    let all = graph::push(b.computation, made);
    let elements: Vec<InstructionId> = (0..results)
        .map(|n| {
            let name = b.cx.names.fresh("sorted");
            let element = graph::instruction(name, Opcode::GetTupleElement, parts[n].clone(), &[all], sort);
            let id = graph::push(b.computation, element);
            b.with(id, Key::Index, Value::Int(n as i64))
        })
        .collect();
    if sort.shape.as_array().is_some() {
        return elements.first().copied();
    }
    let name = b.cx.names.fresh("tuple");
    let tuple = graph::instruction(name, Opcode::Tuple, sort.shape.clone(), &elements, sort);
    Some(graph::push(b.computation, tuple))
}

/// The comparison with two further arguments, which it does not look at: equals keep their order.
fn widened(cx: &mut Cx<'_>, id: ComputationId) -> Option<ComputationId> {
    let mut computation = cx.module.computation(id).clone();
    let like = computation.root().clone();
    let parameters = computation.parameters().len() as i64;
    for n in 0..2 {
        let name = cx.names.fresh("place");
        let scalar = shape(ElementType::S32, &[]);
        let mut p = graph::instruction(name, Opcode::Parameter, scalar, &[], &like);
        p.parameter_number = Some(parameters + n);
        p.metadata = None;
        graph::push(&mut computation, p);
    }
    for i in &mut computation.instructions {
        i.name = cx.names.fresh(&i.name);
    }
    computation.name = cx.names.fresh(&computation.name);
    let made = ComputationId(cx.module.computations.len() as u32);
    cx.module.computations.push(computation);
    Some(made)
}
