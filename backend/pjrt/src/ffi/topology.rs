//! Topologies: machines that need not be there.

use super::*;
use std::ffi::c_char;

opaque! {
    PJRT_SerializedTopology
}

c_structs! {
    /// The name is the plugin's own, such as `v6e:2x2`. The caller owns the topology.
    PJRT_TopologyDescription_Create_Args {
        topology_name: *const c_char, topology_name_size: usize, create_options: *const PJRT_NamedValue,
        num_options: usize
        => topology: *mut PJRT_TopologyDescription,
    }
    /// Null is allowed.
    PJRT_TopologyDescription_Destroy_Args { topology: *mut PJRT_TopologyDescription }
    PJRT_TopologyDescription_PlatformVersion_Args {
        topology: *mut PJRT_TopologyDescription
        => platform_version: *const c_char, platform_version_size: usize,
    }
    /// Lives as long as the topology, as the rest of its strings and lists do.
    PJRT_TopologyDescription_PlatformName_Args {
        topology: *const PJRT_TopologyDescription
        => platform_name: *const c_char, platform_name_size: usize,
    }
    PJRT_TopologyDescription_GetDeviceDescriptions_Args {
        topology: *const PJRT_TopologyDescription
        => descriptions: *const *mut PJRT_DeviceDescription, num_descriptions: usize,
    }
    /// `serialized_topology` backs the bytes until its deleter is called.
    PJRT_TopologyDescription_Serialize_Args {
        topology: *mut PJRT_TopologyDescription
        => serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_topology: *mut PJRT_SerializedTopology,
        serialized_topology_deleter: Deleter<PJRT_SerializedTopology>,
    }
    /// The caller owns the topology.
    PJRT_TopologyDescription_Deserialize_Args {
        serialized_topology: *const c_char, serialized_topology_size: usize
        => topology: *mut PJRT_TopologyDescription,
    }
    PJRT_TopologyDescription_Attributes_Args {
        topology: *mut PJRT_TopologyDescription
        => attributes: *const PJRT_NamedValue, num_attributes: usize,
    }
    /// Equal for equal topologies, in every process.
    PJRT_TopologyDescription_Fingerprint_Args {
        topology: *const PJRT_TopologyDescription
        => fingerprint: u64,
    }
    /// A serialized `ShapeProto`: the shape with the layout it has in a memory of this kind.
    PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args {
        topology: *const PJRT_TopologyDescription,
        memory_space_kind_id: i32,
        dims: *const i64,
        num_dims: usize,
        element_type: PJRT_Buffer_Type,
        /// Null allowed.
        layout: *const PJRT_Buffer_MemoryLayout
        =>
        serialized_shape: *const c_char,
        serialized_shape_size: usize,
        serialized_shape_deleter: Option<unsafe extern "C" fn(*const c_char)>,
    }
    /// Of all memories of its devices.
    PJRT_TopologyDescription_GetMemorySpaceKindIds_Args {
        topology: *const PJRT_TopologyDescription
        => memory_space_kind_ids: *const i32, num_memory_space_kind_ids: usize,
    }
}
