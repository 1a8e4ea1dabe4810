//! Called computations, custom calls, and what any instruction may carry.

use super::{Ids, Numbers, Out, bytes, name_of, text};
use crate::frontend::hlo::proto::schema::*;
use crate::frontend::hlo::proto::shape;
use sim_core::hlo::print::is_json_dict;
use sim_core::hlo::{AliasEntry, Attr, Instruction, Key, Opcode as O, Value};
use sim_core::{Diagnostic, ElementType, Result};

/// The thread that needs no mention.
pub(in crate::frontend::hlo::proto) const MAIN_THREAD: &str = "main";

pub(super) fn read(opcode: O, i: &HloInstructionProto, ids: &Ids, out: &mut Out) -> Result<()> {
    called(opcode, i, ids, out)?;
    if opcode == O::CustomCall {
        out.push(Key::CustomCallTarget, Value::String(i.custom_call_target.as_str().into()));
        if i.constrain_layout {
            let shapes = i.operand_shapes_with_layout.iter().map(shape::read).collect::<Result<Vec<_>>>()?;
            out.push(Key::OperandLayoutConstraints, Value::Shapes(shapes.into()));
        }
        out.flag(Key::CustomCallHasSideEffect, i.custom_call_has_side_effect);
        if let Some(literal) = &i.literal {
            let (literal, _) = crate::frontend::hlo::proto::literal::read(literal)?;
            let text = sim_core::hlo::print::literal_text(&literal);
            out.push(Key::Literal, Value::Raw(format!("({text})").into()));
        }
        if i.custom_call_schedule != 0 {
            out.word(
                Key::Schedule,
                name_of(&CUSTOM_CALL_SCHEDULE, i.custom_call_schedule, "custom_call_schedule")?,
            );
        }
        // Unspecified is what old dumps have, and means the original.
        if i.custom_call_api_version > 1 {
            let name =
                name_of(&CUSTOM_CALL_API_VERSION, i.custom_call_api_version, "custom_call_api_version")?;
            out.word(Key::ApiVersion, name);
        }
    }
    if !i.output_operand_aliasing.is_empty() {
        let entries = i.output_operand_aliasing.iter().map(|a| AliasEntry {
            output: a.output_shape_index.clone(),
            parameter: a.operand_index,
            path: a.operand_shape_index.clone(),
            kind: None,
        });
        out.push(Key::OutputToOperandAliasing, Value::Aliases(entries.collect()));
    }
    if !matches!(&*i.async_execution_thread, "" | MAIN_THREAD) {
        out.push(Key::AsyncExecutionThread, Value::String(i.async_execution_thread.as_str().into()));
    }
    out.flag(Key::IsComposite, i.is_composite);
    if let Some(f) = &i.frontend_attributes
        && !f.map.is_empty()
    {
        out.push(Key::FrontendAttributes, read_dict(f));
    }
    if !i.control_predecessor_ids.is_empty() {
        let before = i.control_predecessor_ids.iter().map(|&id| (ids.instruction)(id));
        let before =
            before.collect::<Result<Vec<_>>>().map_err(|e| e.note("in `control_predecessor_ids`"))?;
        out.push(Key::ControlPredecessors, Value::Instructions(before.into()));
    }
    if !i.backend_config.is_empty() {
        let config = text(&i.backend_config);
        let value = if is_json_dict(&config) { Value::Raw(config) } else { Value::String(config) };
        out.push(Key::BackendConfig, value);
    }
    Ok(())
}

pub(in crate::frontend::hlo::proto) fn read_dict(f: &FrontendAttributes) -> Value {
    let mut items: Vec<_> = f.map.iter().map(|e| (e.key.as_str().into(), e.value.as_str().into())).collect();
    items.sort();
    Value::Dict(items.into())
}

pub(in crate::frontend::hlo::proto) fn write_dict(
    items: &[(std::sync::Arc<str>, std::sync::Arc<str>)],
) -> Box<FrontendAttributes> {
    let entry = |(key, value): &(std::sync::Arc<str>, std::sync::Arc<str>)| FrontendAttributesMapEntry {
        key: key.to_string(),
        value: value.to_string(),
    };
    Box::new(FrontendAttributes { map: items.iter().map(entry).collect() })
}

/// `called_computation_ids` under the keys that the operation gives them.
fn called(opcode: O, i: &HloInstructionProto, ids: &Ids, out: &mut Out) -> Result<()> {
    let called =
        i.called_computation_ids.iter().map(|&id| (ids.computation)(id)).collect::<Result<Vec<_>>>()?;
    let number = |n: usize| -> Result<()> {
        match called.len() == n {
            true => Ok(()),
            false => Err(Diagnostic::malformed(format!(
                "{opcode} calls {n} computations, and `called_computation_ids` has {}",
                called.len()
            ))),
        }
    };
    let keys: &[Key] = match opcode {
        O::While => &[Key::Body, Key::Condition],
        O::SelectAndScatter => &[Key::Select, Key::Scatter],
        O::Conditional => {
            // Of two branches by truth, not by number.
            if ids.element != Some(ElementType::Pred) || called.len() != 2 {
                out.push(Key::BranchComputations, Value::Computations(called.into()));
                return Ok(());
            }
            &[Key::TrueComputation, Key::FalseComputation]
        }
        O::Fusion | O::AsyncStart | O::AsyncUpdate | O::AsyncDone => &[Key::Calls],
        O::Map
        | O::Reduce
        | O::ReduceWindow
        | O::ReduceScatter
        | O::Scatter
        | O::Sort
        | O::AllReduce
        | O::AllReduceStart
        | O::Scan
        | O::Call => &[Key::ToApply],
        _ if called.is_empty() => return Ok(()),
        _ => {
            out.push(Key::CalledComputations, Value::Computations(called.into()));
            return Ok(());
        }
    };
    // A done of the new kind knows its computation by its start.
    if called.is_empty() && matches!(opcode, O::AsyncUpdate | O::AsyncDone) {
        return Ok(());
    }
    number(keys.len())?;
    let first = out.0.len();
    for (key, id) in keys.iter().zip(called) {
        out.push(key.clone(), Value::Computation(id));
    }
    // Text has the condition of a loop first.
    if opcode == O::While {
        out.0[first..].reverse();
    }
    if opcode == O::Fusion {
        out.word(Key::Kind, &i.fusion_kind);
    }
    Ok(())
}

pub(super) fn write(i: &Instruction, attr: &Attr, p: &mut HloInstructionProto, numbers: &Numbers) -> bool {
    let id = numbers.computation;
    match (&attr.key, &attr.value) {
        // In XLA's order: the body of a loop comes first, the true branch, the selection.
        (Key::Body | Key::TrueComputation | Key::Select, Value::Computation(c)) => {
            p.called_computation_ids.insert(0, id(*c));
        }
        (_, Value::Computation(c)) => p.called_computation_ids.push(id(*c)),
        (_, Value::Computations(list)) => p.called_computation_ids.extend(list.iter().map(|c| id(*c))),
        (Key::Kind, Value::Word(w)) => {
            if i.opcode == O::Fusion {
                p.fusion_kind = w.to_string();
            }
        }
        (Key::CustomCallTarget, Value::String(s)) => p.custom_call_target = s.to_string(),
        (Key::OperandLayoutConstraints, Value::Shapes(shapes)) => {
            p.constrain_layout = true;
            p.operand_shapes_with_layout = shapes.iter().map(|s| shape::write(s)).collect();
        }
        (Key::CustomCallHasSideEffect, Value::Bool(v)) => p.custom_call_has_side_effect = *v,
        (Key::Schedule, Value::Word(w)) => match CUSTOM_CALL_SCHEDULE.number(w) {
            Some(n) => p.custom_call_schedule = n,
            None => return false,
        },
        (Key::ApiVersion, Value::Word(w)) => match CUSTOM_CALL_API_VERSION.number(w) {
            Some(n) => p.custom_call_api_version = n,
            None => return false,
        },
        (Key::OutputToOperandAliasing, Value::Aliases(entries)) => {
            p.output_operand_aliasing = entries
                .iter()
                .map(|e| OutputOperandAliasing {
                    output_shape_index: e.output.clone(),
                    operand_index: e.parameter,
                    operand_shape_index: e.path.clone(),
                })
                .collect();
        }
        (Key::IsComposite, Value::Bool(v)) => p.is_composite = *v,
        (Key::FrontendAttributes, Value::Dict(items)) => p.frontend_attributes = Some(write_dict(items)),
        (Key::ControlPredecessors, Value::Instructions(before)) => {
            p.control_predecessor_ids = before.iter().map(|i| (numbers.instruction)(*i)).collect();
        }
        (Key::BackendConfig, Value::Raw(s) | Value::String(s)) => p.backend_config = bytes(s),
        (Key::AsyncExecutionThread, Value::String(s)) => p.async_execution_thread = s.to_string(),
        _ => return false,
    }
    true
}
