//! Constants, counters, random bits, transforms, linear algebra, sorts.

use super::attrs::Attrs;
use super::lower::Lower;
use super::{invalid, shapes};
use sim_core::hlo::{InstructionId, Key, Literal, Opcode, Value};
use sim_core::ir::attr::Dense;
use sim_core::ir::op::{FftType, RngAlgorithm, RngDistribution, Transpose};
use sim_core::ir::{Op, Operation};
use sim_core::{Result, Tensor, TensorType, Type};

pub fn export(b: &mut Lower, op: &Operation) -> Result<Option<InstructionId>> {
    match &op.op {
        Op::Constant(dense) => constant(b, op, dense).map(Some),
        Op::Iota { dim } => b.plain(op, Opcode::Iota, Attrs::new().int(Key::IotaDimension, *dim)),
        Op::PartitionId => b.plain(op, Opcode::PartitionId, Attrs::new()),
        Op::ReplicaId => b.plain(op, Opcode::ReplicaId, Attrs::new()),
        Op::Rng(distribution) => {
            // The third operand is the result's shape.
            let operands = [b.operand(op, 0)?, b.operand(op, 1)?];
            let word = match distribution {
                RngDistribution::Uniform => "rng_uniform",
                RngDistribution::Normal => "rng_normal",
            };
            let shape = b.result_shape(op)?;
            Ok(Some(b.emit(Opcode::Rng, shape, &operands, Attrs::new().word(Key::Distribution, word))))
        }
        Op::RngBitGenerator(algorithm) => {
            let word = match algorithm {
                RngAlgorithm::Default => "rng_default",
                RngAlgorithm::ThreeFry => "rng_three_fry",
                RngAlgorithm::Philox => "rng_philox",
            };
            b.plain(op, Opcode::RngBitGenerator, Attrs::new().word(Key::Algorithm, word))
        }
        Op::Fft { ty, length } => {
            let word = match ty {
                FftType::Fft => "FFT",
                FftType::Ifft => "IFFT",
                FftType::Rfft => "RFFT",
                FftType::Irfft => "IRFFT",
            };
            b.plain(op, Opcode::Fft, Attrs::new().word(Key::FftType, word).ints(Key::FftLength, length))
        }
        Op::Cholesky { lower } => b.plain(op, Opcode::Cholesky, Attrs::new().flag(Key::Lower, *lower)),
        Op::TriangularSolve { left_side, lower, unit_diagonal, transpose } => {
            let word = match transpose {
                Transpose::NoTranspose => "NO_TRANSPOSE",
                Transpose::Transpose => "TRANSPOSE",
                Transpose::Adjoint => "ADJOINT",
            };
            let attrs = Attrs::new()
                .flag(Key::LeftSide, *left_side)
                .flag(Key::Lower, *lower)
                .flag(Key::UnitDiagonal, *unit_diagonal)
                .word(Key::TransposeA, word);
            b.plain(op, Opcode::TriangularSolve, attrs)
        }
        Op::Sort { dim, stable } => {
            let body = b.closed_region(op, 0)?;
            let attrs = Attrs::new()
                .ints(Key::Dimensions, &[*dim])
                .flag(Key::IsStable, *stable)
                .calls(Key::ToApply, body);
            b.plain(op, Opcode::Sort, attrs)
        }
        Op::TopK { k, stable } => {
            let attrs = Attrs::new()
                .int(Key::K, *k)
                .with(Key::Largest, Value::Bool(true))
                .with(Key::IsStable, Value::Bool(*stable != Some(false)));
            b.plain(op, Opcode::TopK, attrs)
        }
        _ => Ok(None),
    }
}

/// A splat is one number and a broadcast.
fn constant(b: &mut Lower, op: &Operation, dense: &Dense) -> Result<InstructionId> {
    let Type::Tensor(ty) = &dense.ty else { return Err(invalid(op, "a constant is a tensor")) };
    if !dense.splat || ty.rank() == 0 {
        let value =
            if ty.rank() == 0 { dense.value.clone().recast(ty.element, &[]) } else { dense.value.clone() };
        return literal(b, ty, value);
    }
    let scalar = literal(b, &TensorType::scalar(ty.element), dense.value.clone())?;
    let shape = shapes::shape(&dense.ty)?;
    Ok(b.emit(Opcode::Broadcast, shape, &[scalar], Attrs::new().ints(Key::Dimensions, &[])))
}

fn literal(b: &mut Lower, ty: &TensorType, value: Tensor) -> Result<InstructionId> {
    let shape = shapes::shape(&ty.clone().into())?;
    let id = b.emit(Opcode::Constant, shape, &[], Attrs::new());
    b.instruction(id).literal = Some(Box::new(Literal::Array(value)));
    Ok(id)
}
