//! What an operation is called, and whether it may be dropped.

use super::{Check, Op};

impl Op {
    /// The full MLIR name: `stablehlo.add`.
    pub fn name(&self) -> &str {
        match self {
            Op::Constant(_) => "stablehlo.constant",
            Op::Iota { .. } => "stablehlo.iota",
            Op::DynamicIota { .. } => "stablehlo.dynamic_iota",
            Op::PartitionId => "stablehlo.partition_id",
            Op::ReplicaId => "stablehlo.replica_id",
            Op::Rng(_) => "stablehlo.rng",
            Op::RngBitGenerator(_) => "stablehlo.rng_bit_generator",
            Op::Unary(op, _) => op.name(),
            Op::Binary(op) => op.name(),
            Op::Compare { .. } => "stablehlo.compare",
            Op::Select => "stablehlo.select",
            Op::Clamp => "stablehlo.clamp",
            Op::Convert => "stablehlo.convert",
            Op::BitcastConvert => "stablehlo.bitcast_convert",
            Op::ReducePrecision { .. } => "stablehlo.reduce_precision",
            Op::UniformQuantize => "stablehlo.uniform_quantize",
            Op::UniformDequantize => "stablehlo.uniform_dequantize",
            Op::Map { .. } => "stablehlo.map",
            Op::BroadcastInDim { .. } => "stablehlo.broadcast_in_dim",
            Op::DynamicBroadcastInDim { .. } => "stablehlo.dynamic_broadcast_in_dim",
            Op::Broadcast { .. } => "stablehlo.broadcast",
            Op::Reshape => "stablehlo.reshape",
            Op::DynamicReshape => "stablehlo.dynamic_reshape",
            Op::Transpose { .. } => "stablehlo.transpose",
            Op::Reverse { .. } => "stablehlo.reverse",
            Op::Slice { .. } => "stablehlo.slice",
            Op::DynamicSlice { .. } => "stablehlo.dynamic_slice",
            Op::RealDynamicSlice => "stablehlo.real_dynamic_slice",
            Op::DynamicUpdateSlice => "stablehlo.dynamic_update_slice",
            Op::Pad { .. } => "stablehlo.pad",
            Op::DynamicPad => "stablehlo.dynamic_pad",
            Op::Concatenate { .. } => "stablehlo.concatenate",
            Op::Gather { .. } => "stablehlo.gather",
            Op::DynamicGather { .. } => "stablehlo.dynamic_gather",
            Op::Scatter { .. } => "stablehlo.scatter",
            Op::TorchIndexSelect { .. } => "stablehlo.torch_index_select",
            Op::GetDimensionSize { .. } => "stablehlo.get_dimension_size",
            Op::SetDimensionSize { .. } => "stablehlo.set_dimension_size",
            Op::DotGeneral { .. } => "stablehlo.dot_general",
            Op::Dot { .. } => "stablehlo.dot",
            Op::Einsum { .. } => "stablehlo.einsum",
            Op::UnaryEinsum { .. } => "stablehlo.unary_einsum",
            Op::Convolution(_) => "stablehlo.convolution",
            Op::DynamicConv(_) => "stablehlo.dynamic_conv",
            Op::RaggedDot { .. } => "chlo.ragged_dot",
            Op::Reduce { .. } => "stablehlo.reduce",
            Op::ReduceWindow(_) => "stablehlo.reduce_window",
            Op::SelectAndScatter(_) => "stablehlo.select_and_scatter",
            Op::BatchNormGrad { .. } => "stablehlo.batch_norm_grad",
            Op::BatchNormInference { .. } => "stablehlo.batch_norm_inference",
            Op::BatchNormTraining { .. } => "stablehlo.batch_norm_training",
            Op::Sort { .. } => "stablehlo.sort",
            Op::TopK { .. } => "chlo.top_k",
            Op::Scan { .. } => "chlo.scan",
            Op::Cholesky { .. } => "stablehlo.cholesky",
            Op::TriangularSolve { .. } => "stablehlo.triangular_solve",
            Op::Fft { .. } => "stablehlo.fft",
            Op::If => "stablehlo.if",
            Op::Case => "stablehlo.case",
            Op::While => "stablehlo.while",
            Op::Call { .. } => "func.call",
            Op::Composite { .. } => "stablehlo.composite",
            Op::CustomCall(_) => "stablehlo.custom_call",
            Op::OptimizationBarrier => "stablehlo.optimization_barrier",
            Op::Tuple => "stablehlo.tuple",
            Op::GetTupleElement { .. } => "stablehlo.get_tuple_element",
            Op::AfterAll => "stablehlo.after_all",
            Op::CreateToken => "stablehlo.create_token",
            Op::Infeed { .. } => "stablehlo.infeed",
            Op::Outfeed { .. } => "stablehlo.outfeed",
            Op::Send { .. } => "stablehlo.send",
            Op::Recv { .. } => "stablehlo.recv",
            Op::AllGather { .. } => "stablehlo.all_gather",
            Op::AllReduce(_) => "stablehlo.all_reduce",
            Op::AllToAll { .. } => "stablehlo.all_to_all",
            Op::CollectiveBroadcast(_) => "stablehlo.collective_broadcast",
            Op::CollectivePermute { .. } => "stablehlo.collective_permute",
            Op::CollectiveReduce(_) => "stablehlo.collective_reduce",
            Op::ReduceScatter { .. } => "stablehlo.reduce_scatter",
            Op::CrossReplicaSum(_) => "stablehlo.cross-replica-sum",
            Op::AsyncStart => "stablehlo.async_start",
            Op::AsyncDone => "stablehlo.async_done",
            Op::ConstantLike(_) => "chlo.constant_like",
            Op::BroadcastBinary { op, .. } => op.broadcast_name(),
            Op::BroadcastCompare { .. } => "chlo.broadcast_compare",
            Op::BroadcastSelect => "chlo.broadcast_select",
            Op::SdyShardingConstraint => "sdy.sharding_constraint",
            Op::SdyReshard => "sdy.reshard",
            Op::SdyPropagationBarrier => "sdy.propagation_barrier",
            Op::SdyShardingGroup => "sdy.sharding_group",
            Op::SdyManualComputation => "sdy.manual_computation",
            Op::SdyNamedComputation { .. } => "sdy.named_computation",
            Op::SdyOther(name) => name,
            Op::Check(Check::ExpectEq) => "check.expect_eq",
            Op::Check(Check::ExpectEqConst(_)) => "check.expect_eq_const",
            Op::Check(Check::ExpectAlmostEq(_)) => "check.expect_almost_eq",
            Op::Check(Check::ExpectAlmostEqConst(..)) => "check.expect_almost_eq_const",
            Op::Check(Check::ExpectClose { .. }) => "check.expect_close",
            Op::Check(Check::ExpectSerializedEq { .. }) => "check.expect_serialized_eq",
            Op::RunParallel { .. } => "interpreter.run_parallel",
            Op::InterpreterPrint => "interpreter.print",
            Op::InterpreterProbe { .. } => "interpreter.probe",
        }
    }

    /// May the operation be dropped when nobody uses its results, or be run twice?
    pub fn has_side_effect(&self) -> bool {
        match self {
            Op::CustomCall(c) => c.has_side_effect == Some(true) || c.target.starts_with("check."),
            Op::Infeed { .. }
            | Op::Outfeed { .. }
            | Op::Send { .. }
            | Op::Recv { .. }
            | Op::AsyncStart
            | Op::AsyncDone
            | Op::Rng(_)
            | Op::Check(_)
            | Op::RunParallel { .. }
            | Op::InterpreterPrint
            | Op::InterpreterProbe { .. } => true,
            other => other.is_collective(),
        }
    }

    /// Does it exchange values within groups of devices?
    pub fn is_collective(&self) -> bool {
        matches!(
            self,
            Op::AllGather { .. }
                | Op::AllReduce(_)
                | Op::AllToAll { .. }
                | Op::CollectiveBroadcast(_)
                | Op::CollectivePermute { .. }
                | Op::CollectiveReduce(_)
                | Op::ReduceScatter { .. }
                | Op::CrossReplicaSum(_)
        )
    }
}
