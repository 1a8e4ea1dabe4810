//! Custom calls: those that the TPU compiler adds become what they mean, the others stay.

mod tpu;

use super::body::{Body, flag, opcode, word};
use super::control::zeros;
use super::tree::Tree;
use super::{invalid, types, unsupported};
use sim_core::hlo::{ArrayShape, Instruction, Key, Opcode, Shape, Value};
use sim_core::ir::attr::Dense;
use sim_core::ir::op::{CompareType, CustomCall, Direction, OutputOperandAlias, Transpose};
use sim_core::ir::{Attr, AttrDict, Op};
use sim_core::{ElementType as E, Result, Tensor, TensorType};
use std::sync::Arc;

use tpu::{concat_bitcast, pad_to_static, slice_to_dynamic, x64_combine, x64_split};

pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    if opcode(i) != Opcode::CustomCall {
        return Ok(None);
    }
    let Some(target) = word(i, Key::CustomCallTarget) else {
        return Err(invalid(i, "the attribute `custom_call_target` is missing"));
    };
    let tree = match target {
        // Memory without contents: zeros are as good as anything.
        "AllocateBuffer" => zeros(b, i, &i.shape.clone())?,
        "ConcatBitcast" => concat_bitcast(b, i)?,
        "X64Combine" => x64_combine(b, i)?,
        "X64SplitLow" => x64_split(b, i, 0)?,
        "X64SplitHigh" => x64_split(b, i, 32)?,
        // A statement about its operand, which is unchanged.
        "AssumeGatherIndicesInBound"
        | "GatherScatterIndicesBitpacked"
        | "MoveToDevice"
        | "MoveToHost"
        | "ResourceUpdate"
        | "annotate_device_placement" => {
            if !b.shape_of(i, 0)?.same_type(&i.shape) {
                return Err(invalid(i, "its shape is not its operand's"));
            }
            b.operand_tree(i, 0)?
        }
        "AsyncCollectiveStart" => collective_start(b, i)?,
        // (operand, buffer, …): the start has put the result into the buffer. What else it names are the steps
        // in between.
        "AsyncCollectiveDone" => {
            if !b.shape_of(i, 1)?.same_type(&i.shape) {
                return Err(invalid(i, "its shape is not that of the buffer, its operand 1"));
            }
            b.operand_tree(i, 1)?
        }
        "InvertDiagBlocksLowerTriangular" => inverse_of_triangles(b, i)?,
        "SliceToDynamic" => slice_to_dynamic(b, i)?,
        "PadToStatic" => pad_to_static(b, i)?,
        "tpu_custom_call" => {
            return Err(unsupported(i, "a Mosaic kernel (tpu_custom_call)")
                .help("run the module in which the kernel's computation is still HLO"));
        }
        _ => general(b, i, target)?,
    };
    Ok(Some(tree))
}

/// A collective that is spread over the fusions that follow: (its operand, its result, flags and semaphores…).
fn collective_start(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let (Some(&collective), Some([operand, result, rest @ ..])) = (i.operands.first(), i.shape.as_tuple())
    else {
        return Err(invalid(i, "it starts a collective, and gives (operand, result, …)"));
    };
    let collective = b.computation.instruction(collective);
    if collective.operands.len() != 1
        || !b.shape_of(collective, 0)?.same_type(operand)
        || !collective.shape.same_type(result)
    {
        return Err(unsupported(i, format!("an asynchronous `{}` of this shape", collective.name))
            .help("it has one operand, and the start gives (operand, result, …)"));
    }
    let mut parts = vec![b.operand_tree(collective, 0)?, b.operand_tree(i, 0)?];
    for shape in rest {
        parts.push(zeros(b, i, &shape.clone())?);
    }
    Ok(Tree::Tuple(parts))
}

/// The inverse of each matrix's lower triangle: what solves it for the identity.
fn inverse_of_triangles(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let [matrices] = b.exactly::<1>(i)?;
    let ty = b.tensor_type(matrices)?;
    let [.., rows, columns] = ty.dims[..] else {
        return Err(invalid(i, "it takes matrices"));
    };
    if rows != columns || !b.shape_of(i, 0)?.same_type(&i.shape) {
        return Err(invalid(i, "it takes square matrices, and gives as many"));
    }
    let places = TensorType::new(E::S32, [rows, columns]);
    let [row, column] = [0, 1].map(|dim| b.helper(i, Op::Iota { dim }, &[], places.clone().into()));
    let equal = Op::Compare { direction: Direction::Eq, ty: CompareType::Default };
    let diagonal = b.helper(i, equal, &[row, column], places.with_element(E::Pred).into());
    let one = b.helper(i, Op::Convert, &[diagonal], places.with_element(ty.element).into());
    let rank = ty.rank() as i64;
    let identity =
        b.helper(i, Op::BroadcastInDim { dims: vec![rank - 2, rank - 1] }, &[one], ty.clone().into());
    let solve = Op::TriangularSolve {
        left_side: true,
        lower: true,
        unit_diagonal: false,
        transpose: Transpose::NoTranspose,
    };
    b.push(i, solve, &[matrices, identity], &[])
}

fn general(b: &mut Body, i: &Instruction, target: &str) -> Result<Tree> {
    let operands = b.leaves(i)?;
    let called = i.called().collect::<Vec<_>>();
    let called_computations = called.into_iter().map(|id| b.importer.function(id)).collect();
    let typed = word(i, Key::ApiVersion) == Some("API_VERSION_TYPED_FFI");
    let backend_config = match i.attr(&Key::BackendConfig) {
        // A dictionary of MLIR as its text, where the call takes one.
        Some(Value::String(s)) if typed => match crate::frontend::mlir::attr_of_text(s) {
            Ok(dict @ Attr::Dict(_)) => Some(dict),
            _ => Some(Attr::String(s.clone())),
        },
        Some(Value::String(s) | Value::Raw(s)) => Some(Attr::String(s.clone())),
        _ => None,
    };
    let api_version = match word(i, Key::ApiVersion) {
        Some("API_VERSION_STATUS_RETURNING") => Some(2),
        Some("API_VERSION_STATUS_RETURNING_UNIFIED") => Some(3),
        Some("API_VERSION_TYPED_FFI") => Some(4),
        _ => None,
    };
    let mut results = Vec::new();
    types::leaves(&i.shape, &mut results)?;
    // Tuples in operands or results are taken apart, and places in them have no number any more.
    let flat =
        operands.len() == i.operands.len() && i.shape.as_tuple().map_or(1, <[_]>::len) == results.len();
    let laid_out = flat && i.attr(&Key::OperandLayoutConstraints).is_some();
    let call = CustomCall {
        target: target.into(),
        has_side_effect: Some(flag(i, Key::CustomCallHasSideEffect)),
        backend_config,
        api_version,
        called_computations,
        operand_layouts: if flat { operand_layouts(i) } else { None },
        result_layouts: laid_out.then(|| result_layouts(&i.shape)),
        output_operand_aliases: if flat { aliases(i) } else { Vec::new() },
    };
    let loc = b.loc(i);
    let id =
        b.builder.push(Op::CustomCall(Box::new(call)), &operands, results, &[], AttrDict::new(), loc, i.span);
    let values = b.builder.function().op(id).results.clone();
    types::tree(&i.shape, &mut values.into_iter())
}

/// Of each operand, from the fastest dimension to the slowest.
fn operand_layouts(i: &Instruction) -> Option<Attr> {
    match i.attr(&Key::OperandLayoutConstraints) {
        Some(Value::Shapes(shapes)) => Some(Attr::Array(shapes.iter().map(|s| layout(s)).collect())),
        _ => None,
    }
}

fn result_layouts(shape: &Shape) -> Attr {
    match shape {
        Shape::Tuple(parts) => Attr::Array(parts.iter().map(|s| layout(s)).collect()),
        one => Attr::Array([layout(one)].into()),
    }
}

fn layout(shape: &Shape) -> Attr {
    let order: Vec<i64> = match shape.as_array() {
        Some(ArrayShape { layout: Some(l), .. }) => l.minor_to_major.to_vec(),
        Some(a) => (0..a.rank() as i64).rev().collect(),
        None => Vec::new(),
    };
    let value = Tensor::from_slice_as(E::Index, &[order.len()], &order);
    Attr::Dense(Arc::new(Dense::new(value)))
}

fn aliases(i: &Instruction) -> Vec<OutputOperandAlias> {
    let Some(Value::Aliases(entries)) = i.attr(&Key::OutputToOperandAliasing) else { return Vec::new() };
    entries
        .iter()
        .map(|e| OutputOperandAlias {
            output_tuple_indices: e.output.clone(),
            operand_index: e.parameter,
            operand_tuple_indices: e.path.clone(),
        })
        .collect()
}
