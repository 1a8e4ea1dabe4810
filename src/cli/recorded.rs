//! What a snapshot of HLO recorded: the arguments of a run, and what came out.

use super::program::Program;
use super::report::{Expectation, Output};
use crate::values::compare::{Tolerance, compare};
use backend::frontend::hlo::proto::{RecordedValue, Recording};
use backend::runtime::devices::Placement;
use sim_core::hlo::Literal;
use sim_core::ir::{Function, Module};
use sim_core::{Ctx, Diagnostic, Result, Tensor};

/// The recording, where it is of that function of that module.
pub fn recording_of<'p>(program: &'p Program, module: &Module, function: &Function) -> Option<&'p Recording> {
    program.recording.as_ref().filter(|_| module.entry().is_some_and(|entry| entry.name == function.name))
}

/// The recorded arguments by partition, tuples taken apart. One partition, where a module has no arguments.
pub fn arguments(recording: &Recording) -> Vec<Vec<Tensor>> {
    match &recording.arguments[..] {
        [] => vec![Vec::new()],
        partitions => partitions.iter().map(|arguments| leaves(arguments)).collect(),
    }
}

/// Of a program whose shapes are those of whole arrays: the partitions' parts put together.
///
/// # Errors
/// It is not known how the parts lie; the memory budget is exceeded.
pub fn joined(
    partitions: &[Vec<Tensor>],
    placement: &Placement,
    function: &Function,
    ctx: &Ctx,
) -> Result<Vec<Tensor>> {
    let mut whole = Vec::new();
    for (i, ty) in function.arg_types.iter().enumerate() {
        let Some(dims) = ty.as_tensor().and_then(|t| t.static_dims()) else { continue };
        let n = whole.len();
        let parts: Option<Vec<&Tensor>> = partitions.iter().map(|values| values.get(n)).collect();
        let Some(parts) = parts else { break };
        whole.push(match (&placement.arguments[i], parts.first()) {
            (Some(sharding), _) => {
                sharding.join(ctx, &parts, &dims).map_err(|e| e.note(format!("in argument {i}")))?
            }
            (None, Some(first)) => (*first).clone(),
            (None, None) => break,
        });
    }
    Ok(whole)
}

fn leaves(values: &[RecordedValue]) -> Vec<Tensor> {
    fn collect(value: &Literal, out: &mut Vec<Tensor>) {
        match value {
            Literal::Array(tensor) => out.push(tensor.clone()),
            Literal::Tuple(items) => items.iter().for_each(|item| collect(item, out)),
            Literal::Token | Literal::Elided => {}
        }
    }
    let mut out = Vec::new();
    values.iter().for_each(|v| collect(&v.value, &mut out));
    out
}

/// Compares the outputs with the recorded result; `None` where the snapshot has none.
///
/// # Errors
/// Invalid: the result has another number of parts.
pub fn check(
    recording: &Recording,
    outputs: &[Output],
    tolerance: Tolerance,
) -> Result<Option<Vec<Expectation>>> {
    let Some(result) = &recording.result else { return Ok(None) };
    let expected = leaves(std::slice::from_ref(result));
    if expected.len() != outputs.len() {
        return Err(Diagnostic::invalid(format!(
            "there are {} outputs, and the result in the snapshot has {}",
            outputs.len(),
            expected.len()
        )));
    }
    let one = |(output, expected): (&Output, &Tensor)| {
        let name = output.name.clone();
        if expected.shape() != output.tensor.shape() || expected.element() != output.tensor.element() {
            let reason = format!("the output is {}, and the snapshot has {}", output.ty, expected.ty());
            return Expectation::Misfit { output: name, reason };
        }
        Expectation::Compared { output: name, comparison: compare(&output.tensor, expected, tolerance) }
    };
    Ok(Some(outputs.iter().zip(&expected).map(one).collect()))
}
