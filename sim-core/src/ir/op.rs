//! What an operation does, with its attributes in typed form. The names, operands and meanings are
//! those of the StableHLO specification (and of CHLO, `sdy` and StableHLO's `check` and
//! `interpreter` test dialects); HLO's own opcodes join as they become readable.

use crate::dtype::ElementType;
use crate::ir::attr::{Attr, Dense};
use crate::types::Type;
use std::sync::Arc;

/// Elementwise operations of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Abs,
    Cbrt,
    Ceil,
    CountLeadingZeros,
    Cosine,
    Exponential,
    ExponentialMinusOne,
    Floor,
    Imag,
    IsFinite,
    Log,
    LogPlusOne,
    Logistic,
    Negate,
    Not,
    Popcnt,
    Real,
    RoundNearestAfz,
    RoundNearestEven,
    Rsqrt,
    Sign,
    Sine,
    Sqrt,
    Tan,
    Tanh,
    // CHLO
    Acos,
    Acosh,
    Asin,
    AsinAcosKernel,
    Asinh,
    Atan,
    Atanh,
    BesselI1e,
    Conj,
    Cosh,
    Digamma,
    Erf,
    ErfInv,
    Erfc,
    IsInf,
    IsNegInf,
    IsPosInf,
    Lgamma,
    Sinh,
    Square,
}

/// Elementwise operations of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    And,
    Atan2,
    Complex,
    Divide,
    Maximum,
    Minimum,
    Multiply,
    Or,
    Power,
    Remainder,
    ShiftLeft,
    ShiftRightArithmetic,
    ShiftRightLogical,
    Subtract,
    Xor,
    // CHLO
    NextAfter,
    Polygamma,
    Zeta,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    Eq,
    Ne,
    Ge,
    Gt,
    Le,
    Lt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareType {
    /// Not given: decided by the element type.
    Default,
    Float,
    TotalOrder,
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    #[default]
    Default,
    High,
    Highest,
}

/// `#stablehlo.dot<…>`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DotDims {
    pub lhs_batch: Vec<i64>,
    pub rhs_batch: Vec<i64>,
    pub lhs_contract: Vec<i64>,
    pub rhs_contract: Vec<i64>,
}

/// `#stablehlo.dot_algorithm<…>`
#[derive(Clone, Debug, PartialEq)]
pub struct DotAlgorithm {
    /// As written: `f32`, `tf32`, `bf16`, …
    pub lhs_precision_type: Type,
    pub rhs_precision_type: Type,
    pub accumulation_type: Type,
    pub lhs_component_count: i64,
    pub rhs_component_count: i64,
    pub num_primitive_operations: i64,
    pub allow_imprecise_accumulation: bool,
}

/// `#chlo.ragged_dot<…>`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RaggedDotDims {
    pub dot: DotDims,
    pub lhs_ragged: Vec<i64>,
    pub rhs_group: Vec<i64>,
}

/// `#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConvDims {
    pub input_batch: i64,
    pub input_feature: i64,
    pub input_spatial: Vec<i64>,
    pub kernel_input_feature: i64,
    pub kernel_output_feature: i64,
    pub kernel_spatial: Vec<i64>,
    pub output_batch: i64,
    pub output_feature: i64,
    pub output_spatial: Vec<i64>,
}

/// Window, padding, dilation and grouping of a convolution. Empty lists mean the default
/// (ones, zeros, false) for every spatial dimension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConvAttrs {
    pub window_strides: Vec<i64>,
    /// (low, high) per spatial dimension; empty for `dynamic_conv`, whose padding is an operand.
    pub padding: Vec<(i64, i64)>,
    pub lhs_dilation: Vec<i64>,
    pub rhs_dilation: Vec<i64>,
    pub window_reversal: Vec<bool>,
    pub dims: ConvDims,
    pub feature_group_count: i64,
    pub batch_group_count: i64,
    pub precision: Vec<Precision>,
}

/// `#stablehlo.gather<…>`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatherDims {
    pub offset_dims: Vec<i64>,
    pub collapsed_slice_dims: Vec<i64>,
    pub operand_batching_dims: Vec<i64>,
    pub start_indices_batching_dims: Vec<i64>,
    pub start_index_map: Vec<i64>,
    pub index_vector_dim: i64,
}

/// `#stablehlo.scatter<…>`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScatterDims {
    pub update_window_dims: Vec<i64>,
    pub inserted_window_dims: Vec<i64>,
    pub input_batching_dims: Vec<i64>,
    pub scatter_indices_batching_dims: Vec<i64>,
    pub scatter_dims_to_operand_dims: Vec<i64>,
    pub index_vector_dim: i64,
}

/// The window of `reduce_window`. Empty lists mean ones (zeros for padding).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub dimensions: Vec<i64>,
    pub strides: Vec<i64>,
    pub base_dilations: Vec<i64>,
    pub window_dilations: Vec<i64>,
    pub padding: Vec<(i64, i64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FftType {
    Fft,
    Ifft,
    Rfft,
    Irfft,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RngAlgorithm {
    Default,
    ThreeFry,
    Philox,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RngDistribution {
    Uniform,
    Normal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transpose {
    NoTranspose,
    Transpose,
    Adjoint,
}

/// `#stablehlo.channel_handle<handle = 1, type = 0>`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelHandle {
    pub handle: i64,
    pub ty: i64,
}

/// `#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisRef {
    pub name: Arc<str>,
    /// (pre-size, size)
    pub sub_axis: Option<(i64, i64)>,
}

/// The devices that exchange with each other.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplicaGroups {
    /// `dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>`: one row a group; -1 fills short rows.
    Dense { rows: i64, cols: i64, ids: Vec<i64> },
    /// `#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = […]>`; `mesh` is the symbol, or a
    /// mesh attribute kept verbatim.
    MeshAxes { mesh: Attr, axes: Vec<AxisRef> },
}

impl ReplicaGroups {
    /// The groups of the dense form, without fill; `None` for mesh axes.
    pub fn lists(&self) -> Option<Vec<Vec<i64>>> {
        match self {
            ReplicaGroups::Dense { cols, ids, .. } if *cols > 0 => Some(
                ids.chunks(*cols as usize)
                    .map(|row| row.iter().copied().filter(|&id| id >= 0).collect())
                    .collect(),
            ),
            ReplicaGroups::Dense { rows, .. } => Some(vec![Vec::new(); *rows as usize]),
            ReplicaGroups::MeshAxes { .. } => None,
        }
    }
}

/// What the collectives have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Collective {
    pub replica_groups: ReplicaGroups,
    pub channel: Option<ChannelHandle>,
    pub use_global_device_ids: bool,
    /// `collective_broadcast` and `collective_reduce` only: the last operand is not data but a vector
    /// of i32, one element per data operand: the root's position in its group (else position 0).
    pub has_dynamic_root: bool,
}

/// `#stablehlo.result_accuracy<…>`; `mode` is DEFAULT, HIGHEST or TOLERANCE.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultAccuracy {
    pub atol: f64,
    pub rtol: f64,
    pub ulps: i64,
    pub mode: Arc<str>,
}

/// `#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputOperandAlias {
    pub output_tuple_indices: Vec<i64>,
    pub operand_index: i64,
    pub operand_tuple_indices: Vec<i64>,
}

/// A dialect attribute that is understood: the value behind `#stablehlo.…<…>`.
#[derive(Clone, Debug, PartialEq)]
pub enum HloAttr {
    Direction(Direction),
    CompareType(CompareType),
    Precision(Precision),
    FftType(FftType),
    RngAlgorithm(RngAlgorithm),
    RngDistribution(RngDistribution),
    Transpose(Transpose),
    Dot(DotDims),
    DotAlgorithm(DotAlgorithm),
    RaggedDot(RaggedDotDims),
    Conv(ConvDims),
    Gather(GatherDims),
    Scatter(ScatterDims),
    Channel(ChannelHandle),
    /// `replica_group_mesh_axes` only; the dense form is an [`Attr::Dense`].
    ReplicaGroups(ReplicaGroups),
    ResultAccuracy(ResultAccuracy),
    OutputOperandAlias(OutputOperandAlias),
    /// `#stablehlo.bounds<?, 4>` / `type_extensions<bounds = …>`: `None` is `?`.
    Bounds(Vec<Option<i64>>),
    /// `#chlo<…>` comparison forms share the StableHLO ones above.
    CustomCallApiVersion(i64),
}

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

impl Unary {
    /// With its dialect.
    pub fn name(self) -> &'static str {
        use Unary as U;
        match self {
            U::Abs => "stablehlo.abs",
            U::Cbrt => "stablehlo.cbrt",
            U::Ceil => "stablehlo.ceil",
            U::CountLeadingZeros => "stablehlo.count_leading_zeros",
            U::Cosine => "stablehlo.cosine",
            U::Exponential => "stablehlo.exponential",
            U::ExponentialMinusOne => "stablehlo.exponential_minus_one",
            U::Floor => "stablehlo.floor",
            U::Imag => "stablehlo.imag",
            U::IsFinite => "stablehlo.is_finite",
            U::Log => "stablehlo.log",
            U::LogPlusOne => "stablehlo.log_plus_one",
            U::Logistic => "stablehlo.logistic",
            U::Negate => "stablehlo.negate",
            U::Not => "stablehlo.not",
            U::Popcnt => "stablehlo.popcnt",
            U::Real => "stablehlo.real",
            U::RoundNearestAfz => "stablehlo.round_nearest_afz",
            U::RoundNearestEven => "stablehlo.round_nearest_even",
            U::Rsqrt => "stablehlo.rsqrt",
            U::Sign => "stablehlo.sign",
            U::Sine => "stablehlo.sine",
            U::Sqrt => "stablehlo.sqrt",
            U::Tan => "stablehlo.tan",
            U::Tanh => "stablehlo.tanh",
            U::Acos => "chlo.acos",
            U::Acosh => "chlo.acosh",
            U::Asin => "chlo.asin",
            U::AsinAcosKernel => "chlo._asin_acos_kernel",
            U::Asinh => "chlo.asinh",
            U::Atan => "chlo.atan",
            U::Atanh => "chlo.atanh",
            U::BesselI1e => "chlo.bessel_i1e",
            U::Conj => "chlo.conj",
            U::Cosh => "chlo.cosh",
            U::Digamma => "chlo.digamma",
            U::Erf => "chlo.erf",
            U::ErfInv => "chlo.erf_inv",
            U::Erfc => "chlo.erfc",
            U::IsInf => "chlo.is_inf",
            U::IsNegInf => "chlo.is_neg_inf",
            U::IsPosInf => "chlo.is_pos_inf",
            U::Lgamma => "chlo.lgamma",
            U::Sinh => "chlo.sinh",
            U::Square => "chlo.square",
        }
    }

    /// All, in declaration order.
    pub const ALL: [Unary; 45] = {
        use Unary as U;
        [
            U::Abs,
            U::Cbrt,
            U::Ceil,
            U::CountLeadingZeros,
            U::Cosine,
            U::Exponential,
            U::ExponentialMinusOne,
            U::Floor,
            U::Imag,
            U::IsFinite,
            U::Log,
            U::LogPlusOne,
            U::Logistic,
            U::Negate,
            U::Not,
            U::Popcnt,
            U::Real,
            U::RoundNearestAfz,
            U::RoundNearestEven,
            U::Rsqrt,
            U::Sign,
            U::Sine,
            U::Sqrt,
            U::Tan,
            U::Tanh,
            U::Acos,
            U::Acosh,
            U::Asin,
            U::AsinAcosKernel,
            U::Asinh,
            U::Atan,
            U::Atanh,
            U::BesselI1e,
            U::Conj,
            U::Cosh,
            U::Digamma,
            U::Erf,
            U::ErfInv,
            U::Erfc,
            U::IsInf,
            U::IsNegInf,
            U::IsPosInf,
            U::Lgamma,
            U::Sinh,
            U::Square,
        ]
    };
}

impl Binary {
    /// With its dialect.
    pub fn name(self) -> &'static str {
        use Binary as B;
        match self {
            B::Add => "stablehlo.add",
            B::And => "stablehlo.and",
            B::Atan2 => "stablehlo.atan2",
            B::Complex => "stablehlo.complex",
            B::Divide => "stablehlo.divide",
            B::Maximum => "stablehlo.maximum",
            B::Minimum => "stablehlo.minimum",
            B::Multiply => "stablehlo.multiply",
            B::Or => "stablehlo.or",
            B::Power => "stablehlo.power",
            B::Remainder => "stablehlo.remainder",
            B::ShiftLeft => "stablehlo.shift_left",
            B::ShiftRightArithmetic => "stablehlo.shift_right_arithmetic",
            B::ShiftRightLogical => "stablehlo.shift_right_logical",
            B::Subtract => "stablehlo.subtract",
            B::Xor => "stablehlo.xor",
            B::NextAfter => "chlo.next_after",
            B::Polygamma => "chlo.polygamma",
            B::Zeta => "chlo.zeta",
        }
    }

    /// All, in declaration order.
    pub const ALL: [Binary; 19] = {
        use Binary as B;
        [
            B::Add,
            B::And,
            B::Atan2,
            B::Complex,
            B::Divide,
            B::Maximum,
            B::Minimum,
            B::Multiply,
            B::Or,
            B::Power,
            B::Remainder,
            B::ShiftLeft,
            B::ShiftRightArithmetic,
            B::ShiftRightLogical,
            B::Subtract,
            B::Xor,
            B::NextAfter,
            B::Polygamma,
            B::Zeta,
        ]
    };
}

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
            | Op::AllGather { .. }
            | Op::AllReduce(_)
            | Op::AllToAll { .. }
            | Op::CollectiveBroadcast(_)
            | Op::CollectivePermute { .. }
            | Op::CollectiveReduce(_)
            | Op::ReduceScatter { .. }
            | Op::CrossReplicaSum(_)
            | Op::AsyncStart
            | Op::AsyncDone
            | Op::Rng(_)
            | Op::Check(_)
            | Op::RunParallel { .. }
            | Op::InterpreterPrint
            | Op::InterpreterProbe { .. } => true,
            _ => false,
        }
    }
}

impl Binary {
    /// The CHLO operation with implicit broadcasting.
    pub fn broadcast_name(self) -> &'static str {
        use Binary as B;
        match self {
            B::Add => "chlo.broadcast_add",
            B::And => "chlo.broadcast_and",
            B::Atan2 => "chlo.broadcast_atan2",
            B::Complex => "chlo.broadcast_complex",
            B::Divide => "chlo.broadcast_divide",
            B::Maximum => "chlo.broadcast_maximum",
            B::Minimum => "chlo.broadcast_minimum",
            B::Multiply => "chlo.broadcast_multiply",
            B::Or => "chlo.broadcast_or",
            B::Power => "chlo.broadcast_power",
            B::Remainder => "chlo.broadcast_remainder",
            B::ShiftLeft => "chlo.broadcast_shift_left",
            B::ShiftRightArithmetic => "chlo.broadcast_shift_right_arithmetic",
            B::ShiftRightLogical => "chlo.broadcast_shift_right_logical",
            B::Subtract => "chlo.broadcast_subtract",
            B::Xor => "chlo.broadcast_xor",
            B::NextAfter => "chlo.broadcast_next_after",
            B::Polygamma => "chlo.broadcast_polygamma",
            B::Zeta => "chlo.broadcast_zeta",
        }
    }
}

/// The result type of a comparison or a check.
pub const PRED: ElementType = ElementType::Pred;
