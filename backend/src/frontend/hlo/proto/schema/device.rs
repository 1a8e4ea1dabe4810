//! Shardings and groups of devices.

use super::enums::*;
use super::instruction::OpMetadata;
use super::shape::ShapeProto;
use crate::frontend::hlo::proto::message::messages;

messages! {
    /// A sharding in either form.
    OpSharding {
        1 r#type: enum OP_SHARDING_TYPE,
        2 tile_shape: message ShapeProto,
        3 tile_assignment_dimensions: repeated int64,
        4 tile_assignment_devices: repeated int64,
        5 tuple_shardings: repeated message OpSharding,
        6 replicate_on_last_tile_dim: bool,
        7 metadata: repeated message OpMetadata,
        8 last_tile_dims: repeated enum OP_SHARDING_TYPE,
        9 iota_reshape_dims: repeated int64,
        10 iota_transpose_perm: repeated int32,
        11 is_shard_group: bool,
        12 shard_group_id: int64,
        13 shard_group_type: enum OP_SHARDING_SHARD_GROUP_TYPE,
        14 named_sharding: message NamedShardingProto,
    }

    NamedShardingProto {
        2 mesh: message MeshProto,
        3 dim_shardings: repeated message NamedShardingProtoDimensionSharding,
        4 replicated_axes: repeated message AxisRefProto,
        5 unreduced_axes: repeated message AxisRefProto,
        6 metadata: repeated message OpMetadata,
        7 manual_axes: repeated message AxisRefProto,
        8 reduction_op: enum NAMED_SHARDING_PROTO_REDUCTION_OP_PROTO,
    }

    NamedShardingProtoDimensionSharding {
        1 axes: repeated message AxisRefProto,
        2 is_closed: bool,
    }

    MeshProto {
        1 axes: repeated message MeshProtoMeshAxis,
        2 device_ids: repeated int64,
        3 iota_transform: message MeshProtoIotaTransform,
    }

    MeshProtoMeshAxis {
        1 name: string,
        2 size: int64,
    }

    MeshProtoIotaTransform {
        1 reshape_dims: repeated int64,
        2 transpose_perm: repeated int64,
    }

    AxisRefProto {
        1 mesh_axis_index: int64,
        2 sub_axis_info: message AxisRefProtoSubAxis,
    }

    AxisRefProtoSubAxis {
        1 pre_size: int64,
        2 size: int64,
    }

    ReplicaGroup {
        1 replica_ids: repeated int64,
    }

    CollectiveDeviceListProto {
        1 replica_groups: repeated message ReplicaGroup,
    }

    IotaReplicaGroupListProto {
        1 num_replica_groups: int64,
        2 num_devices_per_group: int64,
        3 iota_reshape_dims: repeated int64,
        4 iota_transpose_perm: repeated int32,
    }

    MeshAxesReplicaGroupListProto {
        1 mesh: message MeshProto,
        2 axes: repeated message AxisRefProto,
    }

    SourceTarget {
        1 source: int64,
        2 target: int64,
    }
}
