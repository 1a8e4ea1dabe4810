//! A module from its proto: ids become places.

use super::attributes::{self, Ids};
use super::schema::*;
use super::{asynchronous, header, literal, shape};
use crate::frontend::hlo::names;
use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::hlo::{
    Attr, Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Literal, Opcode,
    ParameterLayouts, Shape, Value,
};
use sim_core::{Diagnostic, Result, Span};
use std::sync::Arc;

/// The module of a proto.
///
/// # Errors
/// Malformed: an id that nothing has, or that two have; a field whose value makes no sense. Unsupported: an
/// operation or an element type that is not known. Field, instruction and computation are named.
pub fn module(proto: &HloModuleProto) -> Result<HloModule> {
    let mut places = FxHashMap::default();
    for (i, c) in proto.computations.iter().enumerate() {
        if places.insert(c.id, ComputationId(i as u32)).is_some() {
            return Err(Diagnostic::malformed(format!(
                "computation `{}`: another has its id, {}",
                c.name, c.id
            )));
        }
    }
    let Some(last) = places.len().checked_sub(1) else {
        return Err(Diagnostic::malformed("the module has no `computations`"));
    };
    let entry = match places.get(&proto.entry_computation_id) {
        Some(&id) => id,
        // Old dumps say no id.
        None if proto.entry_computation_id == 0 => {
            let named = proto.computations.iter().position(|c| c.name == proto.entry_computation_name);
            ComputationId(named.unwrap_or(last) as u32)
        }
        None => {
            return Err(Diagnostic::malformed(format!(
                "no computation has the id {} (`entry_computation_id`)",
                proto.entry_computation_id
            )));
        }
    };
    let sequences = sequences(proto, &places)?;
    let computation_of = |id: i64| {
        places.get(&id).copied().ok_or_else(|| {
            Diagnostic::malformed(format!("no computation has the id {id} (`called_computation_ids`)"))
        })
    };
    let mut computations = Vec::with_capacity(proto.computations.len());
    for c in &proto.computations {
        let found = computation(c, &computation_of, sequences.get(&c.id).copied())
            .map_err(|e| e.note(format!("in computation `{}`", c.name)))?;
        computations.push(found);
    }
    let mut module = HloModule {
        name: proto.name.as_str().into(),
        attrs: header::read_attrs(proto)?,
        tables: proto.stack_frame_index.as_ref().map(|t| header::read_tables(t)).unwrap_or_default(),
        computations,
        entry,
    };
    if module.attr(&Key::EntryComputationLayout).is_none() {
        let entry = module.entry();
        let parameters = entry.parameters().into_iter().flatten();
        let layouts = ParameterLayouts {
            parameters: parameters.map(|id| entry.instruction(id).shape.clone()).collect(),
            result: entry.root().shape.clone(),
        };
        let value = Value::Layouts(Box::new(layouts));
        module.attrs.push(Attr { key: Key::EntryComputationLayout, value });
    }
    asynchronous::fold(&mut module);
    let mut seen = FxHashSet::default();
    let unique = module.computations.iter().all(|c| seen.insert((true, &*c.name)))
        && module.computations.iter().flat_map(|c| &c.instructions).all(|i| seen.insert((false, &*i.name)));
    if !unique {
        names::make_unique(&mut module);
    }
    Ok(module)
}

/// The order of execution, by computation.
fn sequences<'p>(
    proto: &'p HloModuleProto,
    places: &FxHashMap<i64, ComputationId>,
) -> Result<FxHashMap<i64, &'p [i64]>> {
    let mut found = FxHashMap::default();
    for entry in proto.schedule.iter().flat_map(|s| &s.sequences) {
        if !places.contains_key(&entry.key) {
            return Err(Diagnostic::malformed(format!(
                "no computation has the id {} (`schedule`)",
                entry.key
            )));
        }
        let ids = entry.value.as_ref().map_or(&[][..], |v| &v.instruction_ids);
        if found.insert(entry.key, ids).is_some() {
            return Err(Diagnostic::malformed(format!("computation {} has two schedules", entry.key)));
        }
    }
    Ok(found)
}

fn computation(
    c: &HloComputationProto,
    computation_of: &dyn Fn(i64) -> Result<ComputationId>,
    sequence: Option<&[i64]>,
) -> Result<Computation> {
    let mut by_id = FxHashMap::default();
    for i in &c.instructions {
        if by_id.insert(i.id, i).is_some() {
            return Err(Diagnostic::malformed(format!(
                "instruction `{}`: another has its id, {}",
                i.name, i.id
            )));
        }
    }
    let order: Vec<&HloInstructionProto> = match sequence {
        None => c.instructions.iter().collect(),
        Some(ids) => {
            let mut left = by_id.clone();
            let order = ids.iter().map(|id| {
                left.remove(id).ok_or_else(|| {
                    Diagnostic::malformed(format!(
                        "the `schedule` has the instruction {id} twice, or it is not there"
                    ))
                })
            });
            let order = order.collect::<Result<Vec<_>>>()?;
            if let Some(i) = c.instructions.iter().find(|i| left.contains_key(&i.id)) {
                return Err(Diagnostic::malformed(format!(
                    "the `schedule` leaves out instruction `{}`",
                    i.name
                )));
            }
            order
        }
    };
    let places: FxHashMap<i64, u32> = order.iter().zip(0..).map(|(i, place)| (i.id, place)).collect();
    let place = |id: i64| {
        let place = places.get(&id).copied().map(InstructionId);
        place.ok_or_else(|| {
            Diagnostic::malformed(format!("no instruction of the computation has the id {id}"))
        })
    };
    let Some(&root) = places.get(&c.root_id) else {
        return Err(Diagnostic::malformed(format!("no instruction has the id {} (`root_id`)", c.root_id)));
    };
    let mut instructions = Vec::with_capacity(order.len());
    for i in order {
        let first = i.operand_ids.first().and_then(|id| by_id.get(id)).and_then(|i| i.shape.as_ref());
        let ids = Ids {
            computation: computation_of,
            instruction: &place,
            element: first.and_then(|s| shape::element(s.element_type).ok()),
        };
        let found = instruction(i, &ids).map_err(|e| e.note(format!("in instruction `{}`", i.name)))?;
        instructions.push(found);
    }
    let thread = &c.execution_thread;
    Ok(Computation {
        name: c.name.as_str().into(),
        instructions,
        root: InstructionId(root),
        execution_thread: (!matches!(&**thread, "" | attributes::call::MAIN_THREAD))
            .then(|| thread.as_str().into()),
        span: Span::default(),
    })
}

fn instruction(i: &HloInstructionProto, ids: &Ids) -> Result<Instruction> {
    let Some(opcode) = Opcode::from_name(&i.opcode) else {
        return Err(Diagnostic::unsupported(format!("`{}` is no operation of HLO (`opcode`)", i.opcode)));
    };
    let shape = shape::required(i.shape.as_deref(), "shape")?;
    let operands = i.operand_ids.iter().map(|&id| (ids.instruction)(id)).collect::<Result<_>>();
    let mut found = Instruction {
        name: i.name.as_str().into(),
        opcode,
        sugar: None,
        shape: shape.clone(),
        operands: operands.map_err(|e| e.note("in `operand_ids`"))?,
        parameter_number: None,
        literal: None,
        attrs: attributes::read(opcode, i, ids)?,
        metadata: i.metadata.as_ref().and_then(|m| header::read_metadata(m)),
        span: Span::default(),
    };
    match opcode {
        Opcode::Parameter if i.parameter_number < 0 => {
            return Err(Diagnostic::malformed("parameters are numbered from 0 (`parameter_number`)"));
        }
        Opcode::Parameter => found.parameter_number = Some(i.parameter_number),
        Opcode::Constant => found.literal = Some(Box::new(constant(i, &shape)?)),
        _ => {}
    }
    names::fill_defaults(&mut found);
    Ok(found)
}

/// Constants without a value are those that a dump left out.
fn constant(i: &HloInstructionProto, shape: &Arc<Shape>) -> Result<Literal> {
    let Some(proto) = &i.literal else { return Ok(Literal::Elided) };
    let (value, of) = literal::read(proto).map_err(|e| e.note("in `literal`"))?;
    if !of.same_type(shape) {
        return Err(Diagnostic::malformed("the `literal` is of another shape than its instruction"));
    }
    Ok(value)
}
