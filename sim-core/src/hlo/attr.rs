//! What an instruction or a module says in `key=value` form.

use crate::hlo::device::{DeviceGroups, Sharding};
use crate::hlo::module::{ComputationId, InstructionId};
use crate::hlo::opcode::Opcode;
use crate::hlo::shape::Shape;
use crate::ir::op::ConvDims;
use std::sync::Arc;

/// One `key=value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attr {
    pub key: Key,
    pub value: Value,
}

macro_rules! keys {
    ($($variant:ident = $text:literal,)*) => {
        /// The keys that XLA writes, in the order in which it prints them.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Key {
            $($variant,)*
            /// A key that is not known here.
            Other(Arc<str>),
        }

        impl Key {
            /// As written.
            pub fn name(&self) -> &str {
                match self { $(Key::$variant => $text,)* Key::Other(name) => name }
            }

            /// The known key of that name.
            pub fn known(name: &str) -> Option<Key> {
                match name { $($text => Some(Key::$variant),)* _ => None }
            }
        }
    };
}

keys! {
    // Of a module.
    IsScheduled = "is_scheduled",
    InputOutputAlias = "input_output_alias",
    BufferDonor = "buffer_donor",
    AliasPassthroughParams = "alias_passthrough_params",
    EntryComputationLayout = "entry_computation_layout",
    AllowSpmdToParameters = "allow_spmd_sharding_propagation_to_parameters",
    AllowSpmdToOutput = "allow_spmd_sharding_propagation_to_output",
    ReplicaCount = "replica_count",
    NumPartitions = "num_partitions",
    // Of an instruction: asynchrony first, then what its kind needs.
    AsyncExecutionThread = "async_execution_thread",
    ParameterReplication = "parameter_replication",
    ChannelId = "channel_id",
    IsHostTransfer = "is_host_transfer",
    ReplicaGroups = "replica_groups",
    ConstrainLayout = "constrain_layout",
    HasDynamicRoot = "has_dynamic_root",
    SourceTargetPairs = "source_target_pairs",
    FftType = "fft_type",
    FftLength = "fft_length",
    LeftSide = "left_side",
    Lower = "lower",
    UnitDiagonal = "unit_diagonal",
    TransposeA = "transpose_a",
    Direction = "direction",
    ComparisonType = "type",
    Order = "order",
    IotaDimension = "iota_dimension",
    Dimensions = "dimensions",
    SplitDimension = "split_dimension",
    UseGlobalDeviceIds = "use_global_device_ids",
    CrossProgramPrefetchIndex = "cross_program_prefetch_index",
    K = "k",
    Largest = "largest",
    IsStable = "is_stable",
    IsReverse = "is_reverse",
    IsAssociative = "is_associative",
    NumCarries = "num_carries",
    Slice = "slice",
    DynamicSliceSizes = "dynamic_slice_sizes",
    Index = "index",
    ExponentBits = "exponent_bits",
    MantissaBits = "mantissa_bits",
    InfeedConfig = "infeed_config",
    OutfeedShape = "outfeed_shape",
    OutfeedConfig = "outfeed_config",
    Padding = "padding",
    Window = "window",
    DimLabels = "dim_labels",
    FeatureGroupCount = "feature_group_count",
    BatchGroupCount = "batch_group_count",
    LhsBatchDims = "lhs_batch_dims",
    LhsContractingDims = "lhs_contracting_dims",
    RhsBatchDims = "rhs_batch_dims",
    RhsContractingDims = "rhs_contracting_dims",
    LhsRaggedDims = "lhs_ragged_dims",
    RhsGroupDims = "rhs_group_dims",
    Sparsity = "sparsity",
    OperandPrecision = "operand_precision",
    Algorithm = "algorithm",
    PaddingType = "padding_type",
    OffsetDims = "offset_dims",
    CollapsedSliceDims = "collapsed_slice_dims",
    StartIndexMap = "start_index_map",
    OperandBatchingDims = "operand_batching_dims",
    StartIndicesBatchingDims = "start_indices_batching_dims",
    UpdateWindowDims = "update_window_dims",
    InsertedWindowDims = "inserted_window_dims",
    ScatterDimsToOperandDims = "scatter_dims_to_operand_dims",
    InputBatchingDims = "input_batching_dims",
    ScatterIndicesBatchingDims = "scatter_indices_batching_dims",
    IndexVectorDim = "index_vector_dim",
    SliceSizes = "slice_sizes",
    IndicesAreSorted = "indices_are_sorted",
    UniqueIndices = "unique_indices",
    Epsilon = "epsilon",
    FeatureIndex = "feature_index",
    Distribution = "distribution",
    Delta = "delta",
    Domain = "domain",
    Kind = "kind",
    CustomCallTarget = "custom_call_target",
    OperandLayoutConstraints = "operand_layout_constraints",
    CustomCallHasSideEffect = "custom_call_has_side_effect",
    Literal = "literal",
    OutputToOperandAliasing = "output_to_operand_aliasing",
    Schedule = "schedule",
    ApiVersion = "api_version",
    ResultAccuracy = "result_accuracy",
    // Called computations.
    Condition = "condition",
    Body = "body",
    Select = "select",
    Scatter = "scatter",
    TrueComputation = "true_computation",
    FalseComputation = "false_computation",
    BranchComputations = "branch_computations",
    ToApply = "to_apply",
    Calls = "calls",
    CalledComputations = "called_computations",
    IsComposite = "is_composite",
    // Of any instruction.
    Sharding = "sharding",
    FrontendAttributes = "frontend_attributes",
    ControlPredecessors = "control-predecessors",
    Statistics = "statistics",
    Origin = "origin",
    Metadata = "metadata",
    BackendConfig = "backend_config",
}

impl Key {
    /// Where XLA prints the key among the others of this instruction.
    pub fn rank(&self, opcode: Opcode) -> impl Ord + use<> {
        let place = |key: Key| key;
        // `reduce-scatter` is an all-reduce to XLA, which prints what all-reduces have first.
        match (self, opcode) {
            (Key::Dimensions, Opcode::ReduceScatter) => (place(Key::UseGlobalDeviceIds), 1),
            (key, _) => (key.clone(), 0),
        }
    }
}

/// One dimension of `window={size=3x3 stride=2x2 pad=1_1x1_1 …}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowDim {
    pub size: i64,
    pub stride: i64,
    pub pad_low: i64,
    pub pad_high: i64,
    /// `lhs_dilate`: holes between the elements of the operand.
    pub base_dilation: i64,
    /// `rhs_dilate`: holes between the elements of the window.
    pub window_dilation: i64,
    /// `rhs_reversal`
    pub reversal: bool,
}

impl Default for WindowDim {
    fn default() -> Self {
        WindowDim {
            size: 1,
            stride: 1,
            pad_low: 0,
            pad_high: 0,
            base_dilation: 1,
            window_dilation: 1,
            reversal: false,
        }
    }
}

/// `[0:8:2]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceDim {
    pub start: i64,
    pub limit: i64,
    pub stride: i64,
}

/// `{1}: (0, {}, may-alias)`: an output and the operand or parameter that shares its memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasEntry {
    /// Path into the output tuple. Empty for donors, which name a parameter only.
    pub output: Vec<i64>,
    pub parameter: i64,
    /// Path into the parameter.
    pub path: Vec<i64>,
    /// `may-alias`, `must-alias`; absent on instructions.
    pub kind: Option<Arc<str>>,
}

/// `{(f32[2]{0}, s32[])->f32[2]{0}}`
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterLayouts {
    pub parameters: Vec<Arc<Shape>>,
    pub result: Arc<Shape>,
}

/// The right-hand side of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A bare word: `EQ`, `kLoop`, `rng_uniform`.
    Word(Arc<str>),
    /// `"…"`, unescaped.
    String(Arc<str>),
    /// `{0,1}`
    Ints(Box<[i64]>),
    /// `{true,false}`
    Bools(Box<[bool]>),
    /// `{highest,default}`
    Words(Box<[Arc<str>]>),
    /// `{{0,1},{1,0}}`
    Lists(Box<[Box<[i64]>]>),
    Window(Box<[WindowDim]>),
    /// `0_1x2_2_1`: low, high, interior of each dimension.
    Padding(Box<[(i64, i64, i64)]>),
    Slice(Box<[SliceDim]>),
    /// `b01f_01io->b01f`
    DimLabels(Box<ConvDims>),
    Computation(ComputationId),
    Computations(Box<[ComputationId]>),
    /// `control-predecessors={%a, %b}`
    Instructions(Box<[InstructionId]>),
    Shape(Arc<Shape>),
    Shapes(Box<[Arc<Shape>]>),
    Layouts(Box<ParameterLayouts>),
    Groups(Box<DeviceGroups>),
    Sharding(Box<Sharding>),
    /// `domain={kind="sharding", entry=…, exit=…}`
    Domain(Box<(Sharding, Sharding)>),
    Aliases(Box<[AliasEntry]>),
    /// `{a="x",b="y"}`; values are JSON strings or, unquoted, whatever was written.
    Dict(Box<[(Arc<str>, Arc<str>)]>),
    /// Anything else, as written: JSON of a backend, attributes that are not known here.
    Raw(Arc<str>),
}
