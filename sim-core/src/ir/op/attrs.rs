//! Attributes of operations in typed form: dimension numbers, windows, groups, modes.

use crate::ir::attr::Attr;
use crate::types::Type;
use std::sync::Arc;

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
