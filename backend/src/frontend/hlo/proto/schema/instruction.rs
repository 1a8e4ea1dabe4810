//! Instructions and their attributes.

use super::device::*;
use super::enums::*;
use super::shape::{LiteralProto, ShapeProto};
use crate::frontend::hlo::proto::message::messages;

messages! {
    HloInstructionProto {
        1 name: string,
        2 opcode: string,
        3 shape: message ShapeProto,
        7 metadata: message OpMetadata,
        8 literal: message LiteralProto,
        9 parameter_number: int64,
        11 fusion_kind: string,
        13 tuple_index: int64,
        14 dimensions: repeated int64,
        15 window: message Window,
        16 convolution_dimension_numbers: message ConvolutionDimensionNumbers,
        17 slice_dimensions: repeated message HloInstructionProtoSliceDimensions,
        18 exponent_bits: int32,
        19 mantissa_bits: int32,
        20 dynamic_slice_sizes: repeated int64,
        21 padding_config: message PaddingConfig,
        22 outfeed_config: bytes,
        23 distribution: enum RANDOM_DISTRIBUTION,
        24 epsilon: float,
        25 feature_index: int64,
        26 channel_id: int64,
        27 infeed_config: bytes,
        28 custom_call_target: string,
        29 outfeed_shape: message ShapeProto,
        30 dot_dimension_numbers: message DotDimensionNumbers,
        31 fft_type: enum FFT_TYPE,
        32 fft_length: repeated int64,
        33 gather_dimension_numbers: message GatherDimensionNumbers,
        34 gather_slice_sizes: repeated int64,
        35 id: int64,
        36 operand_ids: repeated int64,
        37 control_predecessor_ids: repeated int64,
        38 called_computation_ids: repeated int64,
        40 sharding: message OpSharding,
        43 backend_config: bytes,
        45 all_reduce_id: int64,
        47 is_host_transfer: bool,
        48 scatter_dimension_numbers: message ScatterDimensionNumbers,
        49 replica_groups: repeated message ReplicaGroup,
        50 feature_group_count: int64,
        51 precision_config: message PrecisionConfig,
        52 source_target_pairs: repeated message SourceTarget,
        54 domain_entry_sharding: message OpSharding,
        55 domain_exit_sharding: message OpSharding,
        56 constrain_layout: bool,
        57 operand_shapes_with_layout: repeated message ShapeProto,
        58 batch_group_count: int64,
        59 triangular_solve_options: message TriangularSolveOptions,
        60 is_stable: bool,
        61 parameter_replication: message ParameterReplication,
        62 cholesky_options: message CholeskyOptions,
        63 comparison_direction: string,
        65 custom_call_has_side_effect: bool,
        66 delta: int64,
        67 indices_are_sorted: bool,
        68 frontend_attributes: message FrontendAttributes,
        69 unique_indices: bool,
        70 rng_algorithm: enum RANDOM_ALGORITHM,
        71 use_global_device_ids: bool,
        72 comparison_type: string,
        73 is_cross_program_prefetch: bool,
        74 output_operand_aliasing: repeated message OutputOperandAliasing,
        75 padding_type: enum PADDING_TYPE,
        76 custom_call_schedule: enum CUSTOM_CALL_SCHEDULE,
        77 custom_call_api_version: enum CUSTOM_CALL_API_VERSION,
        79 async_execution_thread: string,
        80 cross_program_prefetch_index: optional int32,
        81 k: int64,
        82 statistics_viz: message StatisticsViz,
        85 largest: bool,
        87 collective_device_list: message CollectiveDeviceListProto,
        88 original_value: message OriginalValueProto,
        89 is_composite: bool,
        90 ragged_dot_dimension_numbers: message RaggedDotDimensionNumbers,
        91 result_accuracy: message ResultAccuracy,
        92 iota_collective_device_list: message IotaReplicaGroupListProto,
        93 mesh_axes_replica_group_list: message MeshAxesReplicaGroupListProto,
        94 is_reverse: bool,
        95 num_carries: int64,
        96 is_associative: enum TRI_STATE,
        97 conv_kind: enum CONVOLUTION_KIND,
        98 sparsity_config: message SparsityConfig,
        100 has_dynamic_root: bool,
        101 block_scaling_config: message BlockScalingConfig,
        102 comparison_order: string,
        103 shuffle_mode: message ShuffleMode,
    }

    HloInstructionProtoSliceDimensions {
        1 start: int64,
        2 limit: int64,
        3 stride: int64,
    }

    PaddingConfig {
        1 dimensions: repeated message PaddingConfigPaddingConfigDimension,
    }

    PaddingConfigPaddingConfigDimension {
        1 edge_padding_low: int64,
        2 edge_padding_high: int64,
        3 interior_padding: int64,
    }

    OpMetadata {
        1 op_type: string,
        2 op_name: string,
        3 source_file: string,
        4 source_line: int32,
        5 profile_type: repeated enum PROFILE_TYPE,
        8 size_of_generated_code_in_bytes: int64,
        9 size_of_memory_working_set_in_bytes: int64,
        10 profile_info: message OpMetadataProfileInfo,
        12 deduplicated_name: string,
        15 stack_frame_id: int32,
        16 scheduling_name: string,
        17 source_end_line: int32,
        18 source_column: int32,
        19 source_end_column: int32,
    }

    OpMetadataProfileInfo {
        1 profile_type: repeated enum PROFILE_TYPE,
        2 relative_speedup: double,
        3 profile_source: enum PROFILE_SOURCE,
        4 compilation_event: enum COMPILATION_EVENT,
        5 profile_generation_strategy: enum PROFILE_GENERATION_STRATEGY,
    }

    WindowDimension {
        1 size: int64,
        2 stride: int64,
        3 padding_low: int64,
        4 padding_high: int64,
        5 window_dilation: int64,
        6 base_dilation: int64,
        7 window_reversal: bool,
    }

    Window {
        1 dimensions: repeated message WindowDimension,
    }

    GatherDimensionNumbers {
        1 offset_dims: repeated int64,
        2 collapsed_slice_dims: repeated int64,
        3 start_index_map: repeated int64,
        4 index_vector_dim: int64,
        5 operand_batching_dims: repeated int64,
        6 start_indices_batching_dims: repeated int64,
    }

    ScatterDimensionNumbers {
        1 update_window_dims: repeated int64,
        2 inserted_window_dims: repeated int64,
        3 scatter_dims_to_operand_dims: repeated int64,
        4 index_vector_dim: int64,
        5 input_batching_dims: repeated int64,
        6 scatter_indices_batching_dims: repeated int64,
    }

    ConvolutionDimensionNumbers {
        3 kernel_input_feature_dimension: int64,
        4 kernel_output_feature_dimension: int64,
        6 kernel_spatial_dimensions: repeated int64,
        7 input_batch_dimension: int64,
        8 input_feature_dimension: int64,
        9 output_batch_dimension: int64,
        10 output_feature_dimension: int64,
        11 input_spatial_dimensions: repeated int64,
        12 output_spatial_dimensions: repeated int64,
    }

    SparsityConfig {
        1 lhs: message SparsityConfigTensorSparsityConfig,
        2 rhs: message SparsityConfigTensorSparsityConfig,
    }

    SparsityConfigTensorSparsityConfig {
        1 num_non_zero: int64,
        2 block_size: int64,
        3 dimension: int64,
        4 stride: int64,
        5 idx: int32,
    }

    DotDimensionNumbers {
        1 lhs_contracting_dimensions: repeated int64,
        2 rhs_contracting_dimensions: repeated int64,
        3 lhs_batch_dimensions: repeated int64,
        4 rhs_batch_dimensions: repeated int64,
    }

    RaggedDotDimensionNumbers {
        1 dot_dimension_numbers: message DotDimensionNumbers,
        2 lhs_ragged_dimensions: repeated int64,
        3 rhs_group_dimensions: repeated int64,
    }

    TriangularSolveOptions {
        1 left_side: bool,
        2 lower: bool,
        3 unit_diagonal: bool,
        4 transpose_a: enum TRIANGULAR_SOLVE_OPTIONS_TRANSPOSE,
    }

    CholeskyOptions {
        1 lower: bool,
    }

    FrontendAttributes {
        1 map: repeated message FrontendAttributesMapEntry,
    }

    FrontendAttributesMapEntry {
        1 key: string,
        2 value: string,
    }

    Statistic {
        1 stat_name: string,
        2 stat_val: double,
    }

    StatisticsViz {
        1 stat_index_to_visualize: int64,
        2 statistics: repeated message Statistic,
    }

    ResultAccuracy {
        1 mode: optional enum RESULT_ACCURACY_MODE,
        2 tolerance: message ResultAccuracyTolerance,
    }

    ResultAccuracyTolerance {
        1 atol: double,
        2 rtol: double,
        3 ulps: int64,
    }

    PrecisionConfig {
        1 operand_precision: repeated enum PRECISION_CONFIG_PRECISION,
        2 algorithm: enum PRECISION_CONFIG_ALGORITHM,
    }

    ParameterReplication {
        1 replicated_at_leaf_buffers: repeated bool,
    }

    OutputOperandAliasing {
        1 output_shape_index: repeated int64,
        2 operand_index: int64,
        3 operand_shape_index: repeated int64,
    }

    OriginalArrayProto {
        1 instruction_name: string,
        2 shape_index: repeated int64,
    }

    OriginalValueElementProto {
        1 shape_index: repeated int64,
        2 original_array: message OriginalArrayProto,
    }

    OriginalValueProto {
        1 elements: repeated message OriginalValueElementProto,
        2 is_synthetic_call: bool,
        3 call_hierarchy: optional string,
    }

    ShuffleMode {
        1 rotate: message ShuffleModeRotate,
    }

    ShuffleModeRotate {
        1 shifts: repeated int64,
    }

    BlockScalingConfig {
        1 lhs: message BlockScalingConfigTensorBlockScalingConfig,
        2 rhs: message BlockScalingConfigTensorBlockScalingConfig,
    }

    BlockScalingConfigTensorBlockScalingConfig {
        1 scale_idx: int32,
        2 zero_idx: optional int32,
        3 strides: repeated int64,
        4 steps: repeated int64,
    }
}
