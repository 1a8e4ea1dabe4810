//! Type inference: the rules of the StableHLO specification, operation by operation.
//!
//! Each family has a file; each operation has one function that checks the specification's
//! constraints on operands, attributes and regions, then says what the result types must be
//! ([`Inferred`]). [`infer`] gives those types to builders and passes; `verify` compares them with
//! the declared ones. So a rule is written once, and errors carry its name in the specification:
//! `(C9) lhs batching dimension 0 has size 3, rhs has 4`; `(I1)` is the kind of an operand.
//!
//! Dimensions may be unknown. Then only what is known is compared: two dimensions agree when they
//! are equal, when either is `?`, or when one is static and within the other's bound. Quantized
//! types agree when their storage, its range, the expressed type and the granularity (per tensor or
//! per axis) are equal, unless the operation's own rule says more about scales and zero points.
//!
//! ```
//! use sim_core::ir::{Op, infer::infer};
//! use sim_core::{ElementType, Type};
//!
//! let x = Type::tensor(ElementType::F32, &[2, 3]);
//! let t = infer(&Op::Transpose { permutation: vec![1, 0] }, &[x], &[]).unwrap();
//! assert_eq!(t, [Type::tensor(ElementType::F32, &[3, 2])]);
//! ```

mod batch_norm;
mod chlo;
mod collective;
mod contraction;
mod control;
mod convolution;
mod dims;
mod dynamic;
mod elementwise;
mod gather;
mod linalg;
mod quant;
mod reduce;
mod scatter;
mod shape;
mod sig;
mod slice;
mod source;
mod window;

pub use dims::compatible;
pub use sig::{Inferred, RegionSig, Sig};

use crate::diag::{Diagnostic, Result};
use crate::ir::op::Op;
use crate::types::{QuantType, TensorType, Type};

/// The result types of an operation that its operands, attributes and regions determine.
///
/// # Errors
/// Kind `Invalid`, naming the rule, when a constraint does not hold; or when nothing but a declaration
/// can tell the result types (`reshape`, `convert`, `iota`, `custom_call`, …; see [`infer_declared`]).
pub fn infer(op: &Op, operands: &[Type], regions: &[RegionSig]) -> Result<Vec<Type>> {
    let sig = Sig::new(op, operands, regions);
    match check(&sig)? {
        Inferred::Types(types, _) => Ok(types.into_vec()),
        Inferred::Declared => Err(Diagnostic::invalid(format!(
            "the operands of {} do not determine its result types; they must be declared",
            op.name()
        ))),
    }
}

/// Checks the declared result types against the rules, and returns them.
///
/// # Errors
/// Kind `Invalid`, naming the rule.
pub fn infer_declared(
    op: &Op,
    operands: &[Type],
    regions: &[RegionSig],
    declared: &[Type],
) -> Result<Vec<Type>> {
    let mut sig = Sig::new(op, operands, regions);
    sig.results = Some(declared);
    check_declared(&sig)?;
    Ok(declared.to_vec())
}

/// Checks a whole signature, the declared results among it.
pub(crate) fn check_declared(sig: &Sig) -> Result<()> {
    match (check(sig)?, sig.results) {
        (Inferred::Types(types, rule), Some(declared)) => {
            sig.result_count(types.len())?;
            for (i, (want, got)) in types.iter().zip(declared).enumerate() {
                if !compatible(want, got) {
                    return Err(Diagnostic::invalid(format!(
                        "({rule}) the operands make result {i} a {want}, but it is declared {got}"
                    )));
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The constraints of a quantized element type in a tensor.
pub(crate) fn check_quantized(q: &QuantType, tensor: &TensorType) -> Result<()> {
    quant::check_type(q, tensor)
}

/// Dispatches to the family.
pub(crate) fn check(s: &Sig) -> Result<Inferred> {
    match s.op {
        Op::Constant(value) => source::constant(s, value),
        Op::Iota { dim } => source::iota(s, *dim),
        Op::PartitionId | Op::ReplicaId => source::id(s),
        Op::Rng(distribution) => source::rng(s, *distribution),
        Op::RngBitGenerator(algorithm) => source::rng_bit_generator(s, *algorithm),

        Op::Unary(op, accuracy) => elementwise::unary(s, *op, accuracy.as_deref()),
        Op::Binary(op) => elementwise::binary(s, *op),
        Op::Compare { ty, .. } => elementwise::compare(s, *ty),
        Op::Select => elementwise::select(s),
        Op::Clamp => elementwise::clamp(s),
        Op::Convert => elementwise::convert(s),
        Op::BitcastConvert => elementwise::bitcast_convert(s),
        Op::ReducePrecision { exponent_bits, mantissa_bits } => {
            elementwise::reduce_precision(s, *exponent_bits, *mantissa_bits)
        }
        Op::Map { dims } => elementwise::map(s, dims),
        Op::UniformQuantize => quant::uniform_quantize(s),
        Op::UniformDequantize => quant::uniform_dequantize(s),

        Op::BroadcastInDim { dims } => shape::broadcast_in_dim(s, dims),
        Op::Broadcast { sizes } => shape::broadcast(s, sizes),
        Op::Reshape => shape::reshape(s),
        Op::Transpose { permutation } => shape::transpose(s, permutation),
        Op::Reverse { dims } => shape::reverse(s, dims),
        Op::Pad { low, high, interior } => shape::pad(s, low, high, interior),
        Op::Concatenate { dim } => shape::concatenate(s, *dim),
        Op::Slice { start, limit, strides } => slice::slice(s, start, limit, strides),
        Op::DynamicSlice { sizes } => slice::dynamic_slice(s, sizes),
        Op::DynamicUpdateSlice => slice::dynamic_update_slice(s),
        Op::GetDimensionSize { dim } => slice::get_dimension_size(s, *dim),
        Op::SetDimensionSize { dim } => slice::set_dimension_size(s, *dim),

        Op::DynamicIota { dim } => dynamic::iota(s, *dim),
        Op::DynamicBroadcastInDim { dims, known_expanding, known_nonexpanding } => {
            dynamic::broadcast_in_dim(s, dims, known_expanding.as_deref(), known_nonexpanding.as_deref())
        }
        Op::DynamicReshape => dynamic::reshape(s),
        Op::DynamicPad => dynamic::pad(s),
        Op::RealDynamicSlice => dynamic::real_dynamic_slice(s),

        Op::Gather { dims, slice_sizes, .. } => gather::gather(s, dims, slice_sizes),
        Op::DynamicGather { dims, .. } => gather::dynamic_gather(s, dims),
        Op::TorchIndexSelect { dim, batch_dims } => gather::torch_index_select(s, *dim, *batch_dims),
        Op::Scatter { dims, .. } => scatter::scatter(s, dims),

        Op::DotGeneral { dims, precision, algorithm } => {
            contraction::dot_general(s, dims, precision, algorithm.as_ref())
        }
        Op::Dot { precision } => contraction::dot(s, precision),
        Op::Einsum { config } => contraction::einsum(s, config),
        Op::UnaryEinsum { config } => contraction::unary_einsum(s, config),
        Op::RaggedDot { dims, precision } => contraction::ragged_dot(s, dims, precision),
        Op::Convolution(attrs) => convolution::convolution(s, attrs),
        Op::DynamicConv(attrs) => convolution::dynamic_conv(s, attrs),

        Op::Reduce { dims } => reduce::reduce(s, dims),
        Op::ReduceWindow(window) => reduce::reduce_window(s, window),
        Op::SelectAndScatter(window) => reduce::select_and_scatter(s, window),
        Op::BatchNormGrad { feature_index, .. } => batch_norm::grad(s, *feature_index),
        Op::BatchNormInference { feature_index, .. } => batch_norm::inference(s, *feature_index),
        Op::BatchNormTraining { feature_index, .. } => batch_norm::training(s, *feature_index),

        Op::Sort { dim, .. } => linalg::sort(s, *dim),
        Op::TopK { k, .. } => linalg::top_k(s, *k),
        Op::Cholesky { .. } => linalg::cholesky(s),
        Op::TriangularSolve { left_side, .. } => linalg::triangular_solve(s, *left_side),
        Op::Fft { ty, length } => linalg::fft(s, *ty, length),
        Op::Scan { dim, num_inits, .. } => chlo::scan(s, *dim, *num_inits),

        Op::If => control::if_(s),
        Op::Case => control::case(s),
        Op::While => control::while_(s),
        Op::Call { callee } => control::call(s, callee),
        Op::Composite { name, decomposition, .. } => control::composite(s, name, decomposition),
        Op::CustomCall(call) => control::custom_call(s, call),
        Op::OptimizationBarrier => control::optimization_barrier(s),
        Op::Tuple => control::tuple(s),
        Op::GetTupleElement { index } => control::get_tuple_element(s, *index),
        Op::AsyncStart => control::async_start(s),
        Op::AsyncDone => control::async_done(s),

        Op::AfterAll => control::after_all(s),
        Op::CreateToken => control::create_token(s),
        Op::Infeed { layout, .. } => control::infeed(s, layout.as_ref()),
        Op::Outfeed { .. } => control::outfeed(s),
        Op::Send { channel, is_host_transfer, source_target_pairs } => {
            control::send(s, *channel, *is_host_transfer, source_target_pairs.as_deref())
        }
        Op::Recv { channel, is_host_transfer, source_target_pairs } => {
            control::recv(s, *channel, *is_host_transfer, source_target_pairs.as_deref())
        }

        Op::AllGather { dim, collective } => collective::all_gather(s, *dim, collective),
        Op::AllReduce(c) => collective::all_reduce(s, c),
        Op::AllToAll { split_dim, concat_dim, split_count, collective } => {
            collective::all_to_all(s, *split_dim, *concat_dim, *split_count, collective)
        }
        Op::CollectiveBroadcast(c) => collective::collective_broadcast(s, c),
        Op::CollectivePermute { source_target_pairs, .. } => {
            collective::collective_permute(s, source_target_pairs)
        }
        Op::CollectiveReduce(c) => collective::collective_reduce(s, c),
        Op::ReduceScatter { dim, collective } => collective::reduce_scatter(s, *dim, collective),
        Op::CrossReplicaSum(groups) => collective::cross_replica_sum(s, groups),

        Op::ConstantLike(value) => chlo::constant_like(s, value),
        Op::BroadcastBinary { op, dims } => chlo::broadcast_binary(s, *op, dims.as_deref()),
        Op::BroadcastCompare { ty, dims, .. } => chlo::broadcast_compare(s, *ty, dims.as_deref()),
        Op::BroadcastSelect => chlo::broadcast_select(s),

        Op::SdyShardingConstraint
        | Op::SdyReshard
        | Op::SdyPropagationBarrier
        | Op::SdyShardingGroup
        | Op::SdyManualComputation
        | Op::SdyNamedComputation { .. }
        | Op::SdyOther(_) => control::sdy(s),
        Op::Check(check) => control::check(s, check),
        Op::RunParallel { programs, .. } => control::run_parallel(s, programs),
        Op::InterpreterPrint => control::print(s),
        Op::InterpreterProbe { .. } => control::probe(s),
    }
}
