//! Constants, counters, random bits, transforms, linear algebra, sorts.

use super::body::{Body, computation, flag, int, ints, opcode, word};
use super::tree::Tree;
use super::{Elided, NOWHERE, invalid, types};
use crate::runtime::counter;
use sim_core::hlo::{Instruction, Key, Literal, Opcode, Shape};
use sim_core::ir::attr::Dense;
use sim_core::ir::op::{CustomCall, FftType, RngAlgorithm, RngDistribution, Transpose};
use sim_core::ir::{Attr, AttrDict, Op, Unary, ValueId};
use sim_core::{Diagnostic, ElementType, Result, Tensor, Type};
use std::sync::Arc;

pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    use Opcode as O;
    let tree = match opcode(i) {
        O::Constant => match &i.literal {
            Some(literal) => constant(b, i, &i.shape, literal)?,
            None => return Err(invalid(i, "it has no value")),
        },
        O::Iota => {
            let rank = i.shape.as_array().map_or(0, |a| a.rank());
            let dim = match (int(i, Key::IotaDimension), rank) {
                (Ok(dim), _) => dim,
                (Err(_), 1) => 0,
                (Err(e), _) => return Err(e),
            };
            b.push(i, Op::Iota { dim }, &[], &[])?
        }
        O::Rng => {
            let operands = b.exactly::<2>(i)?;
            let distribution = match word(i, Key::Distribution) {
                Some("rng_uniform") => RngDistribution::Uniform,
                Some("rng_normal") => RngDistribution::Normal,
                _ => return Err(invalid(i, "`distribution` is rng_uniform or rng_normal")),
            };
            let dims = i.shape.as_array().ok_or_else(|| invalid(i, "it gives an array"))?;
            let sizes: Option<Vec<i64>> = dims.dims.iter().map(|d| d.as_static()).collect();
            let sizes = sizes.ok_or_else(|| invalid(i, "its sizes must be known"))?;
            let shape = dense(b, i, Tensor::from_slice(&[sizes.len()], &sizes));
            b.push(i, Op::Rng(distribution), &[operands[0], operands[1], shape], &[])?
        }
        O::RngBitGenerator => {
            let operands = b.exactly::<1>(i)?;
            let algorithm = match word(i, Key::Algorithm) {
                Some("rng_three_fry") => RngAlgorithm::ThreeFry,
                Some("rng_philox") => RngAlgorithm::Philox,
                Some("rng_default") | None => RngAlgorithm::Default,
                Some(other) => return Err(invalid(i, format!("`{other}` is no algorithm for random bits"))),
            };
            b.push(i, Op::RngBitGenerator(algorithm), &operands, &[])?
        }
        O::Fft => {
            let operands = b.exactly::<1>(i)?;
            let ty = match word(i, Key::FftType) {
                Some("FFT") => FftType::Fft,
                Some("IFFT") => FftType::Ifft,
                Some("RFFT") => FftType::Rfft,
                Some("IRFFT") => FftType::Irfft,
                _ => return Err(invalid(i, "`fft_type` is one of FFT, IFFT, RFFT, IRFFT")),
            };
            b.push(i, Op::Fft { ty, length: ints(i, Key::FftLength)?.to_vec() }, &operands, &[])?
        }
        O::Cholesky => {
            let operands = b.exactly::<1>(i)?;
            b.push(i, Op::Cholesky { lower: flag(i, Key::Lower) }, &operands, &[])?
        }
        O::TriangularSolve => {
            let operands = b.exactly::<2>(i)?;
            let transpose = match word(i, Key::TransposeA) {
                Some("NO_TRANSPOSE") | None => Transpose::NoTranspose,
                Some("TRANSPOSE") => Transpose::Transpose,
                Some("ADJOINT") => Transpose::Adjoint,
                Some(other) => return Err(invalid(i, format!("`{other}` is no form of transposition"))),
            };
            let op = Op::TriangularSolve {
                left_side: flag(i, Key::LeftSide),
                lower: flag(i, Key::Lower),
                unit_diagonal: flag(i, Key::UnitDiagonal),
                transpose,
            };
            b.push(i, op, &operands, &[])?
        }
        O::Sort => {
            let operands = b.leaves(i)?;
            let region = b.region(i, computation(i, Key::ToApply)?)?;
            let [dim] = ints(i, Key::Dimensions)? else {
                return Err(invalid(i, "`dimensions` names one dimension"));
            };
            b.push(i, Op::Sort { dim: *dim, stable: flag(i, Key::IsStable) }, &operands, &[region])?
        }
        O::TopK => top_k(b, i)?,
        O::PartitionId => b.push(i, Op::PartitionId, &[], &[])?,
        O::ReplicaId => b.push(i, Op::ReplicaId, &[], &[])?,
        O::RngGetAndUpdateState => {
            let call = CustomCall {
                target: counter::TARGET.into(),
                has_side_effect: Some(true),
                backend_config: Some(Attr::String(int(i, Key::Delta)?.to_string().into())),
                api_version: None,
                called_computations: Vec::new(),
                operand_layouts: None,
                result_layouts: None,
                output_operand_aliases: Vec::new(),
            };
            b.push(i, Op::CustomCall(Box::new(call)), &[], &[])?
        }
        _ => return Ok(None),
    };
    Ok(Some(tree))
}

fn constant(b: &mut Body, i: &Instruction, shape: &Shape, literal: &Literal) -> Result<Tree> {
    match (literal, shape) {
        (Literal::Array(t), _) => Ok(Tree::Leaf(dense(b, i, t.clone()))),
        (Literal::Tuple(items), Shape::Tuple(shapes)) if items.len() == shapes.len() => {
            let parts = items.iter().zip(shapes).map(|(l, s)| constant(b, i, s, l));
            parts.collect::<Result<_>>().map(Tree::Tuple)
        }
        (Literal::Token, Shape::Token) => Ok(Tree::Leaf(b.helper(i, Op::CreateToken, &[], Type::Token))),
        (Literal::Elided, _) if b.importer.elided == Elided::Zeros => super::control::zeros(b, i, shape),
        (Literal::Elided, _) => Err(elided(b, i)),
        _ => Err(invalid(i, "its value is not of its shape")),
    }
}

fn elided(b: &Body, i: &Instruction) -> Diagnostic {
    let all = b.importer.hlo.computations.iter().flat_map(|c| &c.instructions);
    let count = all.filter(|i| i.literal.as_deref() == Some(&Literal::Elided)).count();
    let others = match count {
        0 | 1 => String::new(),
        n => format!(", and those of {} other constants", n - 1),
    };
    Diagnostic::unsupported(format!(
        "the values of constant `{}`{others} were left out of this dump (`{{...}}`)",
        i.name
    ))
    .help(
        "dump with `--xla_dump_large_constants`, or as a protocol buffer (`--xla_dump_hlo_as_proto`); \
         `tpusim run --elided-constants zeros` runs with zeros in their place",
    )
}

/// A constant of the IR; of one element it is a splat, whatever its shape.
pub fn dense(b: &mut Body, i: &Instruction, value: Tensor) -> ValueId {
    let ty = value.ty();
    b.helper(i, Op::Constant(Arc::new(Dense::new(value))), &[], ty)
}

/// A scalar of a float type.
pub fn float_constant(b: &mut Body, i: &Instruction, element: ElementType, v: f64) -> Result<ValueId> {
    let value = Tensor::scalar(v);
    let wide = dense(b, i, value);
    Ok(b.helper(i, Op::Convert, &[wide], Type::tensor(element, &[])))
}

/// A scalar of an integer type.
pub fn int_constant(b: &mut Body, i: &Instruction, element: ElementType, v: i64) -> ValueId {
    let wide = dense(b, i, Tensor::scalar(v));
    b.helper(i, Op::Convert, &[wide], Type::tensor(element, &[]))
}

/// The smallest come first as the largest of what is negated (integers: inverted).
fn top_k(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let [operand] = b.exactly::<1>(i)?;
    let k = int(i, Key::K)?;
    let ty = b.tensor_type(operand)?;
    let smallest = i.attr(&Key::Largest) == Some(&sim_core::hlo::Value::Bool(false));
    // Turns the order round, and is its own inverse.
    let turn = if ty.element.is_float() { Unary::Negate } else { Unary::Not };
    let operand = match smallest {
        true => b.helper(i, Op::Unary(turn, None), &[operand], ty.into()),
        false => operand,
    };
    let mut results = Vec::new();
    types::leaves(&i.shape, &mut results)?;
    let loc = b.loc(i);
    let id = b.builder.push(
        Op::TopK { k, stable: Some(true) },
        &[operand],
        results,
        &[],
        AttrDict::new(),
        loc,
        NOWHERE,
    );
    let mut values = b.builder.function().op(id).results.clone();
    if let Some(best) = values.first_mut().filter(|_| smallest) {
        let ty = b.builder.ty(*best).clone();
        *best = b.helper(i, Op::Unary(turn, None), &[*best], ty);
    }
    types::tree(&i.shape, &mut values.into_iter())
}
