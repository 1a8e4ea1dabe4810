//! How arrays lie on the device, as text of HLO: `{1,0:T(8,128)}`.

use crate::ffi::*;
use std::ffi::c_char;

opaque! {
    PJRT_Layouts_MemoryLayout PJRT_Layouts_SerializedLayout
}

c_structs! {
    /// Null is allowed.
    PJRT_Layouts_MemoryLayout_Destroy_Args { layout: *mut PJRT_Layouts_MemoryLayout }
    /// The text of a layout as in HLO. `serialized_layout` backs it until its deleter is called.
    PJRT_Layouts_MemoryLayout_Serialize_Args {
        layout: *mut PJRT_Layouts_MemoryLayout
        => serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_layout: *mut PJRT_Layouts_SerializedLayout,
        serialized_layout_deleter: Deleter<PJRT_Layouts_SerializedLayout>,
    }
    /// The caller owns the layout.
    PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
        buffer: *mut PJRT_Buffer
        => layout: *mut PJRT_Layouts_MemoryLayout,
    }
    /// The caller owns the layout.
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
        client: *mut PJRT_Client, r#type: PJRT_Buffer_Type, dims: *const i64, num_dims: usize
        => layout: *mut PJRT_Layouts_MemoryLayout,
    }
    /// The caller owns the layout.
    PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
        topology_description: *mut PJRT_TopologyDescription, r#type: PJRT_Buffer_Type, dims: *const i64,
        num_dims: usize
        => layout: *mut PJRT_Layouts_MemoryLayout,
    }
    /// The executable owns the layouts.
    PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
        executable: *mut PJRT_Executable
        => num_outputs: usize, layouts: *mut *mut PJRT_Layouts_MemoryLayout,
    }
    /// The executable owns the layouts.
    PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args {
        executable: *mut PJRT_Executable
        => num_parameters: usize, layouts: *mut *mut PJRT_Layouts_MemoryLayout,
    }
    PJRT_Layouts_Extension: extension {
        PJRT_Layouts_MemoryLayout_Destroy: Function<PJRT_Layouts_MemoryLayout_Destroy_Args>,
        PJRT_Layouts_MemoryLayout_Serialize: Function<PJRT_Layouts_MemoryLayout_Serialize_Args>,
        PJRT_Layouts_PJRT_Client_GetDefaultLayout: Function<PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args>,
        PJRT_Layouts_PJRT_Buffer_MemoryLayout: Function<PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args>,
        PJRT_Layouts_PJRT_Topology_GetDefaultLayout: Function<PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args>,
        PJRT_Layouts_PJRT_Executable_GetOutputLayouts:
            Function<PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args>,
        PJRT_Layouts_PJRT_Executable_GetParameterLayouts:
            Function<PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args>,
    }
}
