//! Shapes, layouts, values.

use super::enums::*;
use crate::frontend::hlo::proto::message::messages;

messages! {
    ShapeProto {
        2 element_type: enum PRIMITIVE_TYPE,
        3 dimensions: repeated int64,
        4 tuple_shapes: repeated message ShapeProto,
        5 layout: message LayoutProto,
        6 is_dynamic_dimension: repeated bool,
    }

    LayoutProto {
        1 minor_to_major: repeated int64,
        6 tiles: repeated message TileProto,
        7 element_size_in_bits: int64,
        8 memory_space: int64,
        9 dim_level_types: repeated enum DIM_LEVEL_TYPE,
        10 physical_shape: message ShapeProto,
        11 index_primitive_type: enum PRIMITIVE_TYPE,
        12 pointer_primitive_type: enum PRIMITIVE_TYPE,
        13 dim_unique: repeated bool,
        14 dim_ordered: repeated bool,
        15 dynamic_shape_metadata_prefix_bytes: int64,
        16 tail_padding_alignment_in_elements: int64,
        17 split_configs: repeated message SplitConfigProto,
    }

    TileProto {
        1 dimensions: repeated int64,
    }

    SplitConfigProto {
        1 dimension: int64,
        2 split_indices: repeated int64,
    }

    ProgramShapeProto {
        1 parameters: repeated message ShapeProto,
        2 result: message ShapeProto,
        3 parameter_names: repeated string,
    }

    /// Values: one of the lists, by the element type. Lists of bytes are little endian.
    LiteralProto {
        1 shape: message ShapeProto,
        2 preds: repeated bool,
        3 u8s: bytes,
        4 s32s: repeated int32,
        5 s64s: repeated int64,
        6 u32s: repeated uint32,
        7 u64s: repeated uint64,
        8 f32s: repeated float,
        9 f64s: repeated double,
        10 tuple_literals: repeated message LiteralProto,
        11 f16s: bytes,
        12 c64s: repeated float,
        13 bf16s: bytes,
        14 sparse_indices: repeated int64,
        15 s8s: bytes,
        16 u16s: bytes,
        17 s16s: bytes,
        18 c128s: repeated double,
        19 f8e5m2s: bytes,
        20 f8e4m3fns: bytes,
        21 s4s: bytes,
        22 u4s: bytes,
        23 f8e4m3b11fnuzs: bytes,
        24 f8e5m2fnuzs: bytes,
        25 f8e4m3fnuzs: bytes,
        26 s2s: bytes,
        27 u2s: bytes,
        28 f8e4m3s: bytes,
        29 f8e3m4s: bytes,
        30 s1s: bytes,
        31 u1s: bytes,
        32 f4e2m1fns: bytes,
        33 f8e8m0fnus: bytes,
        34 dynamic_sizes: repeated int32,
        35 f6e3m2fns: bytes,
        36 f6e2m3fns: bytes,
    }
}
