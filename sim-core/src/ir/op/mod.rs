//! What an operation does, with its attributes in typed form. The names, operands and meanings are
//! those of the StableHLO specification (and of CHLO, `sdy` and StableHLO's `check` and
//! `interpreter` test dialects); HLO's own opcodes join as they become readable.

mod attrs;
mod elementwise;
mod names;

pub use attrs::*;
pub use elementwise::{Binary, Unary};

use crate::ir::attr::{Attr, Dense};
use std::sync::Arc;

/// `stablehlo.custom_call`
#[derive(Clone, Debug, PartialEq)]
pub struct CustomCall {
    pub target: Arc<str>,
    /// `None` where the text does not say (means false).
    pub has_side_effect: Option<bool>,
    /// A string, or a dictionary with `api_version = 4`.
    pub backend_config: Option<Attr>,
    /// `None` where the text does not say (means 1).
    pub api_version: Option<i64>,
    pub called_computations: Vec<Arc<[Arc<str>]>>,
    /// Kept as read: lists of minor-to-major index tensors.
    pub operand_layouts: Option<Attr>,
    pub result_layouts: Option<Attr>,
    pub output_operand_aliases: Vec<OutputOperandAlias>,
}

/// What an operation is. Operand and region order is the specification's.
///
/// Regions: `reduce`, `reduce_window`, `scatter`, `sort`, `map`, `all_reduce`, `reduce_scatter`,
/// `collective_reduce` have one (the body); `select_and_scatter` has select, scatter; `while` has
/// cond, body; `if` has true, false; `case` has its branches.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    // Constants and sources
    Constant(Arc<Dense>),
    Iota {
        dim: i64,
    },
    /// operands: output_shape
    DynamicIota {
        dim: i64,
    },
    PartitionId,
    ReplicaId,
    /// operands: a, b, shape
    Rng(RngDistribution),
    /// operands: initial_state; results: output_state, output
    RngBitGenerator(RngAlgorithm),

    // Elementwise
    Unary(Unary, Option<Arc<ResultAccuracy>>),
    Binary(Binary),
    Compare {
        direction: Direction,
        ty: CompareType,
    },
    /// operands: pred, on_true, on_false (pred may be a scalar)
    Select,
    /// operands: min, operand, max (min, max may be scalars)
    Clamp,
    Convert,
    BitcastConvert,
    ReducePrecision {
        exponent_bits: i64,
        mantissa_bits: i64,
    },
    UniformQuantize,
    UniformDequantize,
    /// One region of scalars, applied to every element of the operands.
    Map {
        dims: Vec<i64>,
    },

    // Shape and data movement
    BroadcastInDim {
        dims: Vec<i64>,
    },
    /// operands: operand, output_dimensions
    DynamicBroadcastInDim {
        dims: Vec<i64>,
        known_expanding: Option<Vec<i64>>,
        known_nonexpanding: Option<Vec<i64>>,
    },
    /// Deprecated: new leading dimensions.
    Broadcast {
        sizes: Vec<i64>,
    },
    Reshape,
    /// operands: operand, output_shape
    DynamicReshape,
    Transpose {
        permutation: Vec<i64>,
    },
    Reverse {
        dims: Vec<i64>,
    },
    Slice {
        start: Vec<i64>,
        limit: Vec<i64>,
        strides: Vec<i64>,
    },
    /// operands: operand, start…
    DynamicSlice {
        sizes: Vec<i64>,
    },
    /// operands: operand, start, limit, strides (deprecated)
    RealDynamicSlice,
    /// operands: operand, update, start…
    DynamicUpdateSlice,
    /// operands: operand, padding_value
    Pad {
        low: Vec<i64>,
        high: Vec<i64>,
        interior: Vec<i64>,
    },
    /// operands: operand, padding_value, low, high, interior
    DynamicPad,
    Concatenate {
        dim: i64,
    },
    /// operands: operand, start_indices
    Gather {
        dims: GatherDims,
        slice_sizes: Vec<i64>,
        sorted: Option<bool>,
    },
    /// operands: operand, start_indices, slice_sizes
    DynamicGather {
        dims: GatherDims,
        sorted: Option<bool>,
    },
    /// operands: inputs…, scatter_indices, updates…
    Scatter {
        dims: ScatterDims,
        sorted: Option<bool>,
        unique: Option<bool>,
    },
    /// Deprecated. operands: operand, index
    TorchIndexSelect {
        dim: i64,
        batch_dims: i64,
    },
    GetDimensionSize {
        dim: i64,
    },
    /// operands: operand, size
    SetDimensionSize {
        dim: i64,
    },

    // Contractions
    DotGeneral {
        dims: DotDims,
        precision: Vec<Precision>,
        algorithm: Option<DotAlgorithm>,
    },
    /// Deprecated: contracts lhs's last with rhs's first dimension.
    Dot {
        precision: Vec<Precision>,
    },
    /// Deprecated.
    Einsum {
        config: Arc<str>,
    },
    /// Deprecated.
    UnaryEinsum {
        config: Arc<str>,
    },
    Convolution(Box<ConvAttrs>),
    /// operands: lhs, rhs, padding
    DynamicConv(Box<ConvAttrs>),
    /// CHLO. operands: lhs, rhs, group_sizes
    RaggedDot {
        dims: RaggedDotDims,
        precision: Vec<Precision>,
    },

    // Reductions and windows
    /// operands: inputs…, init_values…
    Reduce {
        dims: Vec<i64>,
    },
    /// operands: inputs…, init_values…
    ReduceWindow(Window),
    /// operands: operand, source, init_value. Window dimensions and strides, padding.
    SelectAndScatter(Window),
    BatchNormGrad {
        epsilon: f32,
        feature_index: i64,
    },
    BatchNormInference {
        epsilon: f32,
        feature_index: i64,
    },
    BatchNormTraining {
        epsilon: f32,
        feature_index: i64,
    },

    // Sorting, linear algebra, transforms
    Sort {
        dim: i64,
        stable: bool,
    },
    /// CHLO. results: values, indices
    TopK {
        k: i64,
        /// `None` where the text does not say (means true).
        stable: Option<bool>,
    },
    /// CHLO. operands: inputs…, inits…; results: outputs…, carries…
    Scan {
        dim: i64,
        num_inits: usize,
        reverse: bool,
        associative: Option<bool>,
    },
    Cholesky {
        lower: bool,
    },
    TriangularSolve {
        left_side: bool,
        lower: bool,
        unit_diagonal: bool,
        transpose: Transpose,
    },
    Fft {
        ty: FftType,
        length: Vec<i64>,
    },

    // Control flow
    If,
    Case,
    While,
    Call {
        callee: Arc<[Arc<str>]>,
    },
    Composite {
        name: Arc<str>,
        attributes: Arc<crate::ir::AttrDict>,
        decomposition: Arc<[Arc<str>]>,
        version: i64,
    },
    CustomCall(Box<CustomCall>),
    OptimizationBarrier,
    Tuple,
    GetTupleElement {
        index: i64,
    },

    // Tokens, host, other devices
    AfterAll,
    CreateToken,
    Infeed {
        config: Arc<str>,
        layout: Option<Attr>,
    },
    Outfeed {
        config: Arc<str>,
    },
    Send {
        channel: ChannelHandle,
        is_host_transfer: bool,
        source_target_pairs: Option<Vec<(i64, i64)>>,
    },
    Recv {
        channel: ChannelHandle,
        is_host_transfer: bool,
        source_target_pairs: Option<Vec<(i64, i64)>>,
    },
    AllGather {
        dim: i64,
        collective: Collective,
    },
    AllReduce(Collective),
    AllToAll {
        split_dim: i64,
        concat_dim: i64,
        split_count: i64,
        collective: Collective,
    },
    CollectiveBroadcast(Collective),
    CollectivePermute {
        source_target_pairs: Vec<(i64, i64)>,
        channel: Option<ChannelHandle>,
    },
    CollectiveReduce(Collective),
    ReduceScatter {
        dim: i64,
        collective: Collective,
    },
    /// Deprecated: an all_reduce with add.
    CrossReplicaSum(ReplicaGroups),
    /// One region holding the collective; result is a future.
    AsyncStart,
    AsyncDone,

    // CHLO beside the elementwise ones
    /// A splat of `value` in the shape of the operand.
    ConstantLike(Attr),
    /// A CHLO binary with implicit broadcasting (`chlo.broadcast_add`, …).
    BroadcastBinary {
        op: Binary,
        dims: Option<Vec<i64>>,
    },
    BroadcastCompare {
        direction: Direction,
        ty: CompareType,
        dims: Option<Vec<i64>>,
    },
    BroadcastSelect,

    // Shardy, kept; no-ops on one device. The attributes stay in `Operation::attrs`.
    SdyShardingConstraint,
    SdyReshard,
    SdyPropagationBarrier,
    SdyShardingGroup,
    /// One region.
    SdyManualComputation,
    SdyNamedComputation {
        name: Arc<str>,
    },
    /// Any other Shardy operation of one operand and one result (`sdy.all_gather`, …), by full name.
    SdyOther(Arc<str>),

    // StableHLO's test dialects
    Check(Check),
    /// operands of all programs in order; `programs[replica][partition]`.
    RunParallel {
        programs: Vec<Vec<Arc<[Arc<str>]>>>,
        infeed: Vec<Arc<[Arc<str>]>>,
    },
    InterpreterPrint,
    InterpreterProbe {
        id: Arc<str>,
    },
}

/// The `check` dialect.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    ExpectEq,
    ExpectEqConst(Arc<Dense>),
    /// With the tolerance where the text gives one (the default is 0.001).
    ExpectAlmostEq(Option<f64>),
    /// As `ExpectAlmostEq`.
    ExpectAlmostEqConst(Arc<Dense>, Option<f64>),
    /// Bounds in units in the last place, where given (0 and 3).
    ExpectClose {
        min_ulp: Option<i64>,
        max_ulp: Option<i64>,
    },
    ExpectSerializedEq {
        probe_id: Arc<str>,
        probe_dir: Arc<str>,
        iteration: i64,
    },
}
