//! One operation to its kernel. One family a file; this one only sorts them.

mod batch_norm;
mod collective;
mod control;
mod dynamic;
mod elementwise;
pub(super) use elementwise::{convert, expand};
pub(super) use tokens::host_only;
mod irregular;
mod linear;
mod manual;
mod reduction;
mod shape;
pub(super) use shape::index_scalar;
mod tokens;

use super::frame::Frame;
use super::{Process, Value};
use crate::plan::FunctionPlan;
use sim_core::ir::{Op, Operation, ValueId};
use sim_core::{Diagnostic, ElementType, Result, Tensor, TensorType};
use smallvec::SmallVec;

/// What the families need to know about the operation at hand.
pub(super) struct Site<'a> {
    pub f: &'a FunctionPlan,
    pub op: &'a Operation,
    /// Values that nobody reads afterwards: results may be among them.
    pub unused: &'a [ValueId],
}

impl<'a> Site<'a> {
    /// The declared type of result `i`.
    pub fn result_type(&self, i: usize) -> Result<&'a TensorType> {
        let v =
            self.op.results.get(i).ok_or_else(|| Diagnostic::invalid(format!("there is no result {i}")))?;
        self.tensor_type(*v)
    }

    /// What a kernel computes result `i` in: the expressed type, if the result is quantized.
    pub fn computed_element(&self, i: usize) -> Result<ElementType> {
        let ty = self.result_type(i)?;
        Ok(ty.quant.as_ref().map_or(ty.element, |q| q.expressed))
    }

    fn tensor_type(&self, v: ValueId) -> Result<&'a TensorType> {
        let ty = self.f.function.ty(v);
        ty.as_tensor().ok_or_else(|| Diagnostic::invalid(format!("expected a tensor type, found {ty}")))
    }

    /// The static shape of result `i`.
    pub fn result_shape(&self, i: usize) -> Result<SmallVec<[usize; 4]>> {
        let ty = self.result_type(i)?;
        ty.static_dims().ok_or_else(|| {
            Diagnostic::unsupported(format!("the result's size is not known: {ty}"))
                .help("give the module static shapes, or use the dynamic form of the operation")
        })
    }
}

/// The operands as tensors.
pub(super) struct Tensors(std::vec::IntoIter<Value>);

impl Tensors {
    pub fn next(&mut self) -> Result<Tensor> {
        self.0.next().ok_or_else(|| Diagnostic::invalid("too few operands"))?.tensor()
    }

    pub fn rest(self) -> Result<Vec<Tensor>> {
        self.0.map(Value::tensor).collect()
    }
}

impl Process<'_> {
    pub(super) fn dispatch(
        &self,
        f: &FunctionPlan,
        op: &Operation,
        operands: Vec<Value>,
        unused: &[ValueId],
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let site = Site { f, op, unused };
        if super::quantized::applies(&site) {
            return self.quantized(&site, operands, frame);
        }
        self.dispatch_plain(&site, operands, frame)
    }

    /// With quantized types already taken away.
    pub(super) fn dispatch_plain(
        &self,
        site: &Site<'_>,
        operands: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let ts = |operands: Vec<Value>| Tensors(operands.into_iter());
        let one = |t: Tensor| vec![Value::Tensor(t)];
        Ok(match &site.op.op {
            Op::Constant(_) | Op::Iota { .. } | Op::ConstantLike(_) => one(self.source(site, ts(operands))?),
            Op::Unary(..)
            | Op::Binary(_)
            | Op::Compare { .. }
            | Op::Select
            | Op::Clamp
            | Op::Convert
            | Op::ReducePrecision { .. }
            | Op::BroadcastBinary { .. }
            | Op::BroadcastCompare { .. }
            | Op::BroadcastSelect => one(self.elementwise(site, ts(operands))?),
            Op::Map { .. } => self.map(site, ts(operands), frame)?,

            Op::BroadcastInDim { .. }
            | Op::Broadcast { .. }
            | Op::BitcastConvert
            | Op::Reshape
            | Op::Transpose { .. }
            | Op::Reverse { .. }
            | Op::Slice { .. }
            | Op::DynamicSlice { .. }
            | Op::DynamicUpdateSlice
            | Op::Pad { .. }
            | Op::Concatenate { .. } => one(self.shape_op(site, ts(operands))?),
            Op::DynamicIota { .. }
            | Op::DynamicBroadcastInDim { .. }
            | Op::DynamicReshape
            | Op::RealDynamicSlice
            | Op::DynamicPad
            | Op::DynamicGather { .. }
            | Op::DynamicConv(_)
            | Op::GetDimensionSize { .. }
            | Op::SetDimensionSize { .. } => one(self.dynamic(site, ts(operands))?),

            Op::DotGeneral { .. }
            | Op::Dot { .. }
            | Op::Einsum { .. }
            | Op::UnaryEinsum { .. }
            | Op::Convolution(_)
            | Op::RaggedDot { .. }
            | Op::Cholesky { .. }
            | Op::TriangularSolve { .. }
            | Op::Fft { .. } => one(self.linear(site, ts(operands))?),
            Op::Reduce { .. } | Op::ReduceWindow(_) | Op::SelectAndScatter(_) | Op::Scan { .. } => {
                self.reduction(site, ts(operands), frame)?
            }
            Op::BatchNormGrad { .. } | Op::BatchNormInference { .. } | Op::BatchNormTraining { .. } => {
                self.batch_norm(site, ts(operands))?
            }
            Op::Gather { .. }
            | Op::Scatter { .. }
            | Op::TorchIndexSelect { .. }
            | Op::Sort { .. }
            | Op::TopK { .. }
            | Op::Rng(_)
            | Op::RngBitGenerator(_) => self.irregular(site, ts(operands), frame)?,

            Op::If
            | Op::Case
            | Op::While
            | Op::Call { .. }
            | Op::Composite { .. }
            | Op::OptimizationBarrier
            | Op::SdyManualComputation
            | Op::SdyNamedComputation { .. }
            | Op::AsyncStart
            | Op::AsyncDone => self.control(site, operands, frame)?,
            Op::CustomCall(call) => self.custom_call(site, call, operands)?,
            Op::Check(check) => {
                super::checks::check(&self.ctx, &self.outside.probes, check, &operands)?;
                Vec::new()
            }
            Op::SdyShardingConstraint | Op::SdyReshard | Op::SdyPropagationBarrier => operands,
            Op::SdyShardingGroup => Vec::new(),
            Op::SdyOther(name) => match (operands.len(), site.op.results.len()) {
                (1, 1) => operands,
                _ => {
                    return Err(Diagnostic::unsupported(format!("{name} has no meaning on one device"))
                        .help("run the module that was made before partitioning"));
                }
            },

            Op::Tuple
            | Op::GetTupleElement { .. }
            | Op::AfterAll
            | Op::CreateToken
            | Op::Infeed { .. }
            | Op::Outfeed { .. }
            | Op::Send { .. }
            | Op::Recv { .. }
            | Op::InterpreterPrint
            | Op::InterpreterProbe { .. } => self.tokens(site, operands)?,
            Op::PartitionId
            | Op::ReplicaId
            | Op::AllGather { .. }
            | Op::AllReduce(_)
            | Op::AllToAll { .. }
            | Op::CollectiveBroadcast(_)
            | Op::CollectivePermute { .. }
            | Op::CollectiveReduce(_)
            | Op::ReduceScatter { .. }
            | Op::CrossReplicaSum(_) => self.collective(site, ts(operands), frame)?,
            Op::RunParallel { programs, infeed } => self.run_parallel(programs, infeed, operands)?,

            Op::UniformQuantize | Op::UniformDequantize => {
                return Err(Diagnostic::invalid("neither operand nor result is quantized"));
            }
        })
    }
}
