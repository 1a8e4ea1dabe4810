//! A module as a proto: places become ids.

use super::attributes::{self, Numbers};
use super::schema::*;
use super::{asynchronous, header, literal, shape};
use rustc_hash::FxHashSet;
use sim_core::hlo::print::order;
use sim_core::hlo::{
    Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode, Shape, Value,
};
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

/// The proto of a module, as XLA reads it: computations after those they call, instructions after their
/// operands, the order of execution apart.
///
/// # Errors
/// Unsupported: an attribute for which there is no field. Invalid: a call or an operand on its own value.
pub fn module(m: &HloModule) -> Result<HloModuleProto> {
    let order = computation_order(m)?;
    let mut writer =
        Writer { ids: vec![0; m.computations.len()], taken: taken(m), next: 0, wrapped: Vec::new() };
    for &c in &order {
        writer.next += 1;
        writer.ids[c] = writer.next;
    }
    let mut proto = HloModuleProto {
        name: m.name.to_string(),
        entry_computation_name: m.entry().name.to_string(),
        entry_computation_id: writer.ids[m.entry.0 as usize],
        id: 0,
        stack_frame_index: header::write_tables(&m.tables),
        ..HloModuleProto::default()
    };
    header::write_attrs(m, &mut proto)?;
    let fused = fused(m);
    let mut sequences = Vec::new();
    for c in order {
        let computation = &m.computations[c];
        let mut written = writer
            .computation(computation, writer.ids[c])
            .map_err(|e| e.note(format!("in computation `{}`", computation.name)))?;
        written.is_fusion_computation = fused.contains(&ComputationId(c as u32));
        if m.is_scheduled() && !written.is_fusion_computation {
            let ids = (0..computation.instructions.len()).map(|i| instruction_id(writer.ids[c], i)).collect();
            sequences.push(sequence(writer.ids[c], ids));
        }
        for wrapped in writer.wrapped.drain(..) {
            if m.is_scheduled() {
                sequences.push(sequence(wrapped.id, wrapped.instructions.iter().map(|i| i.id).collect()));
            }
            proto.computations.push(wrapped);
        }
        proto.computations.push(written);
    }
    if m.is_scheduled() {
        proto.schedule = Some(Box::new(HloScheduleProto { sequences }));
    }
    Ok(proto)
}

fn sequence(key: i64, instruction_ids: Vec<i64>) -> HloScheduleProtoSequencesEntry {
    HloScheduleProtoSequencesEntry {
        key,
        value: Some(Box::new(HloScheduleProtoInstructionSequence { instruction_ids })),
    }
}

/// Unique in the module: the computation's above, the place below.
fn instruction_id(computation: i64, place: usize) -> i64 {
    computation << 32 | place as i64
}

/// Computations called by fusions, which no schedule has.
fn fused(m: &HloModule) -> FxHashSet<ComputationId> {
    let all = m.computations.iter().flat_map(|c| &c.instructions);
    all.filter(|i| i.opcode == Opcode::Fusion).flat_map(Instruction::called).collect()
}

fn taken(m: &HloModule) -> FxHashSet<Arc<str>> {
    let names = m.computations.iter().flat_map(|c| c.instructions.iter().map(|i| &i.name).chain([&c.name]));
    names.cloned().collect()
}

/// The module's own order, where each computation comes after those it calls; else the one that XLA prints.
fn computation_order(m: &HloModule) -> Result<Vec<usize>> {
    let own: Vec<usize> = (0..m.computations.len()).collect();
    let ordered = |order: &[usize]| {
        let mut seen = vec![false; m.computations.len()];
        order
            .iter()
            .find(|&&c| {
                let called = m.computations[c].instructions.iter().flat_map(Instruction::called);
                let early = called.into_iter().any(|id| !seen[id.0 as usize]);
                seen[c] = true;
                early
            })
            .copied()
    };
    if ordered(&own).is_none() {
        return Ok(own);
    }
    let order = order::computations(m);
    match ordered(&order) {
        None => Ok(order),
        Some(c) => Err(Diagnostic::invalid(format!("computation `{}` calls itself", m.computations[c].name))),
    }
}

/// The same of instructions: operands and control predecessors first.
fn instruction_order(c: &Computation) -> Result<Vec<usize>> {
    let before = |i: &Instruction| -> Vec<InstructionId> {
        let control = match i.attr(&Key::ControlPredecessors) {
            Some(Value::Instructions(ids)) => &ids[..],
            _ => &[],
        };
        i.operands.iter().chain(control).copied().collect()
    };
    let ordered = |order: &[usize]| {
        let mut seen = vec![false; c.instructions.len()];
        order
            .iter()
            .find(|&&i| {
                let early = before(&c.instructions[i]).into_iter().any(|id| !seen[id.0 as usize]);
                seen[i] = true;
                early
            })
            .copied()
    };
    let own: Vec<usize> = (0..c.instructions.len()).collect();
    if ordered(&own).is_none() {
        return Ok(own);
    }
    let order: Vec<usize> = order::instructions(c).into_iter().map(|id| id.0 as usize).collect();
    match ordered(&order) {
        None => Ok(order),
        Some(i) => Err(Diagnostic::invalid(format!(
            "instruction `{}` depends on its own value",
            c.instructions[i].name
        ))),
    }
}

struct Writer {
    /// Of computations, by place.
    ids: Vec<i64>,
    taken: FxHashSet<Arc<str>>,
    next: i64,
    /// Computations that the text does not have: what asynchronous operations run.
    wrapped: Vec<HloComputationProto>,
}

impl Writer {
    fn unique(&mut self, root: &str) -> String {
        let mut name: Arc<str> = root.into();
        let mut n = 0u64;
        while !self.taken.insert(name.clone()) {
            n += 1;
            name = format!("{root}.{n}").into();
        }
        name.to_string()
    }

    fn computation(&mut self, c: &Computation, id: i64) -> Result<HloComputationProto> {
        // What asynchronous operations run, by their start.
        let mut started = vec![0; c.instructions.len()];
        for (place, i) in c.instructions.iter().enumerate() {
            if let (Opcode::AsyncStart, Some(op)) = (i.opcode, i.sugar) {
                let wrapped =
                    self.wrap(c, i, op).map_err(|e| e.note(format!("in instruction `{}`", i.name)))?;
                started[place] = wrapped.id;
                self.wrapped.push(wrapped);
            }
        }
        let mut instructions = Vec::with_capacity(c.instructions.len());
        for place in instruction_order(c)? {
            let i = &c.instructions[place];
            let written = self
                .instruction(c, i, instruction_id(id, place), id, &started)
                .map_err(|e| e.note(format!("in instruction `{}`", i.name)))?;
            instructions.push(written);
        }
        let parameters = c.parameters().into_iter().flatten();
        let program = ProgramShapeProto {
            parameters: parameters.map(|id| shape::write(&c.instruction(id).shape)).collect(),
            result: Some(Box::new(shape::write(&c.root().shape))),
            parameter_names: header::parameter_names(c),
        };
        Ok(HloComputationProto {
            name: c.name.to_string(),
            instructions,
            program_shape: Some(Box::new(program)),
            id,
            root_id: instruction_id(id, c.root.0 as usize),
            execution_thread: thread(c.execution_thread.as_deref()),
            ..HloComputationProto::default()
        })
    }

    fn instruction(
        &self,
        c: &Computation,
        i: &Instruction,
        id: i64,
        computation: i64,
        started: &[i64],
    ) -> Result<HloInstructionProto> {
        let number = |at: InstructionId| instruction_id(computation, at.0 as usize);
        let mut proto = HloInstructionProto {
            name: i.name.to_string(),
            opcode: i.opcode.name().to_owned(),
            shape: Some(Box::new(shape::write(&i.shape))),
            metadata: i.metadata.as_ref().map(|m| Box::new(header::write_metadata(m))),
            id,
            operand_ids: i.operands.iter().map(|&o| number(o)).collect(),
            parameter_number: i.parameter_number.unwrap_or_default(),
            literal: i.literal.as_ref().and_then(|l| literal::write(l, &i.shape)).map(Box::new),
            ..HloInstructionProto::default()
        };
        let numbers = Numbers { computation: &|c| self.ids[c.0 as usize], instruction: &number };
        let is_async = matches!(i.opcode, Opcode::AsyncStart | Opcode::AsyncUpdate | Opcode::AsyncDone);
        if !is_async {
            attributes::write(i, &mut proto, &numbers)?;
            imply(c, i, &mut proto);
            return Ok(proto);
        }
        // Of a written-out operation, the rest is in its computation.
        let own = |a: &&sim_core::hlo::Attr| {
            i.sugar.is_none() || i.opcode != Opcode::AsyncStart || asynchronous::is_own(&a.key)
        };
        let own =
            Instruction { sugar: None, attrs: i.attrs.iter().filter(own).cloned().collect(), ..i.clone() };
        attributes::write(&own, &mut proto, &numbers)?;
        let begin = i.operands.first().and_then(|&o| asynchronous::start(c, o));
        if i.sugar.is_some() {
            let begin = if i.opcode == Opcode::AsyncStart {
                c.instructions.iter().position(|other| std::ptr::eq(other, i))
            } else {
                begin.map(|at| at.0 as usize)
            };
            match begin.map(|at| started[at]).filter(|&id| id != 0) {
                Some(id) => proto.called_computation_ids = vec![id],
                None => {
                    return Err(Diagnostic::invalid(format!("`{}` has no start", i.written_name())));
                }
            }
        } else if i.opcode != Opcode::AsyncStart
            && proto.called_computation_ids.is_empty()
            && let Some(Value::Computation(id)) = begin.and_then(|at| c.instruction(at).attr(&Key::Calls))
        {
            proto.called_computation_ids = vec![(numbers.computation)(*id)];
        }
        if proto.async_execution_thread.is_empty() {
            proto.async_execution_thread = attributes::call::MAIN_THREAD.to_owned();
        }
        Ok(proto)
    }

    /// A computation of the operation alone, over parameters of the start's operands.
    fn wrap(&mut self, c: &Computation, start: &Instruction, op: Opcode) -> Result<HloComputationProto> {
        self.next += 1;
        let id = self.next;
        let shapes: Vec<Arc<Shape>> =
            start.operands.iter().map(|&o| c.instruction(o).shape.clone()).collect();
        let result = match start.shape.as_tuple() {
            Some([_, result, ..]) => result.clone(),
            _ => {
                return Err(Diagnostic::invalid(format!(
                    "`{}` gives (operands, result, …)",
                    start.written_name()
                )));
            }
        };
        let mut instructions: Vec<HloInstructionProto> = Vec::new();
        for (n, shape) in shapes.iter().enumerate() {
            instructions.push(HloInstructionProto {
                name: self.unique(&format!("param_{n}")),
                opcode: Opcode::Parameter.name().to_owned(),
                shape: Some(Box::new(shape::write(shape))),
                parameter_number: n as i64,
                id: instruction_id(id, n),
                ..HloInstructionProto::default()
            });
        }
        let parameter_names = instructions.iter().map(|i| i.name.clone()).collect();
        let inner = Instruction {
            opcode: op,
            sugar: None,
            shape: result.clone(),
            attrs: start.attrs.iter().filter(|a| !asynchronous::is_own(&a.key)).cloned().collect(),
            ..start.clone()
        };
        let mut root = HloInstructionProto {
            name: self.unique(op.name()),
            opcode: op.name().to_owned(),
            shape: Some(Box::new(shape::write(&result))),
            id: instruction_id(id, shapes.len()),
            operand_ids: (0..shapes.len()).map(|n| instruction_id(id, n)).collect(),
            ..HloInstructionProto::default()
        };
        let ids = &self.ids;
        let numbers = Numbers { computation: &|c| ids[c.0 as usize], instruction: &|_| 0 };
        attributes::write(&inner, &mut root, &numbers)?;
        imply(c, &inner, &mut root);
        let root_id = root.id;
        instructions.push(root);
        let own_thread = start.attrs.iter().find_map(|a| match (&a.key, &a.value) {
            (Key::AsyncExecutionThread, Value::String(s)) => Some(&**s),
            _ => None,
        });
        let program = ProgramShapeProto {
            parameters: shapes.iter().map(|s| shape::write(s)).collect(),
            result: Some(Box::new(shape::write(&result))),
            parameter_names,
        };
        Ok(HloComputationProto {
            name: self.unique("async_computation"),
            instructions,
            program_shape: Some(Box::new(program)),
            id,
            root_id,
            execution_thread: thread(own_thread),
            ..HloComputationProto::default()
        })
    }
}

fn thread(name: Option<&str>) -> String {
    name.unwrap_or(attributes::call::MAIN_THREAD).to_owned()
}

/// What a proto states and a text leaves to the types of the operands.
fn imply(c: &Computation, i: &Instruction, proto: &mut HloInstructionProto) {
    if i.opcode != Opcode::Compare || !proto.comparison_type.is_empty() {
        return;
    }
    let element = i.operands.first().and_then(|&o| c.instruction(o).shape.as_array()).map(|a| a.element);
    proto.comparison_type = match element {
        Some(e) if e.is_float() || e.is_complex() => "FLOAT",
        Some(e) if e.is_signed() => "SIGNED",
        _ => "UNSIGNED",
    }
    .to_owned();
}
