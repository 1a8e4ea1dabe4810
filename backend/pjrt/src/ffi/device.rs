//! Devices, what describes them, and their memories.

use super::*;
use std::ffi::{c_char, c_void};

opaque! {
    PJRT_Device_Attributes
}

c_structs! {
    /// Unique among all processes.
    PJRT_DeviceDescription_Id_Args { device_description: *mut PJRT_DeviceDescription => id: i32 }
    PJRT_DeviceDescription_ProcessIndex_Args {
        device_description: *mut PJRT_DeviceDescription
        => process_index: i32,
    }
    PJRT_DeviceDescription_Attributes_Args {
        device_description: *mut PJRT_DeviceDescription
        => num_attributes: usize, attributes: *const PJRT_NamedValue,
    }
    /// Such as `TPU v6 lite`. Lives as long as the description, as the other strings do.
    PJRT_DeviceDescription_Kind_Args {
        device_description: *mut PJRT_DeviceDescription
        => device_kind: *const c_char, device_kind_size: usize,
    }
    /// For people: long.
    PJRT_DeviceDescription_DebugString_Args {
        device_description: *mut PJRT_DeviceDescription
        => debug_string: *const c_char, debug_string_size: usize,
    }
    /// For people: short.
    PJRT_DeviceDescription_ToString_Args {
        device_description: *mut PJRT_DeviceDescription
        => to_string: *const c_char, to_string_size: usize,
    }
    /// Owned by the device.
    PJRT_Device_GetDescription_Args {
        device: *mut PJRT_Device
        => device_description: *mut PJRT_DeviceDescription,
    }
    /// Whether this process can use it.
    PJRT_Device_IsAddressable_Args { device: *mut PJRT_Device => is_addressable: u8 }
    /// -1 if it has none.
    PJRT_Device_LocalHardwareId_Args { device: *mut PJRT_Device => local_hardware_id: i32 }
    /// In no order.
    PJRT_Device_AddressableMemories_Args {
        device: *mut PJRT_Device
        => memories: *const *mut PJRT_Memory, num_memories: usize,
    }
    /// Where buffers go if nobody says where.
    PJRT_Device_DefaultMemory_Args { device: *mut PJRT_Device => memory: *mut PJRT_Memory }
    /// In bytes. What is not known has no `_is_set`.
    PJRT_Device_MemoryStats_Args {
        device: *mut PJRT_Device
        =>
        bytes_in_use: i64,
        peak_bytes_in_use: i64,
        peak_bytes_in_use_is_set: u8,
        num_allocs: i64,
        num_allocs_is_set: u8,
        largest_alloc_size: i64,
        largest_alloc_size_is_set: u8,
        bytes_limit: i64,
        bytes_limit_is_set: u8,
        bytes_reserved: i64,
        bytes_reserved_is_set: u8,
        peak_bytes_reserved: i64,
        peak_bytes_reserved_is_set: u8,
        bytes_reservable_limit: i64,
        bytes_reservable_limit_is_set: u8,
        largest_free_block_bytes: i64,
        largest_free_block_bytes_is_set: u8,
        pool_bytes: i64,
        pool_bytes_is_set: u8,
        peak_pool_bytes: i64,
        peak_pool_bytes_is_set: u8,
        peak_allocated_bytes: i64,
        peak_allocated_bytes_is_set: u8,
    }
    /// Peaks start again.
    PJRT_Device_ClearMemoryStats_Args { device: *mut PJRT_Device }
    /// Makes the outputs of a launch that has not finished an error.
    PJRT_Device_PoisonExecution_Args {
        device: *mut PJRT_Device,
        launch_id: i32,
        error_code: PJRT_Error_Code,
        error_message: *const c_char,
        error_message_size: usize,
        /// Out.
        poisoned: u8,
        payload: *const PJRT_NamedValue,
        num_payload: usize,
    }
    /// `device_attributes` backs `attributes` until its deleter is called.
    PJRT_Device_GetAttributes_Args {
        device: *mut PJRT_Device
        => attributes: *const PJRT_NamedValue, num_attributes: usize,
        device_attributes: *mut PJRT_Device_Attributes, attributes_deleter: Deleter<PJRT_Device_Attributes>,
    }
    /// Work that the client wants to see in the plugin's own bookkeeping, until it destroys the event.
    PJRT_Device_CreateAsyncTrackingEvent_Args {
        device: *mut PJRT_Device, description: *const c_char, description_size: usize
        => event: *mut PJRT_AsyncTrackingEvent,
    }
    PJRT_AsyncTrackingEvent_Destroy_Args { event: *mut PJRT_AsyncTrackingEvent }
    /// What any holder of a memory can do with it: keep data of its own there, by key.
    PJRT_Memory_FunctionTable {
        instance_struct_size: usize,
        get_user_data: Option<unsafe extern "C" fn(*mut PJRT_Memory, *const c_void) -> *mut c_void>,
        /// The last one frees the data, when it is replaced or the memory ends.
        set_user_data: Option<
            unsafe extern "C" fn(
                *mut PJRT_Memory,
                *const c_void,
                *mut c_void,
                Option<unsafe extern "C" fn(*mut c_void)>,
            ),
        >,
    }
    /// A memory: a table, and behind it what its maker needs.
    PJRT_Memory: object { vtable: *const PJRT_Memory_FunctionTable }
    /// Unique among the memories of a client.
    PJRT_Memory_Id_Args { memory: *mut PJRT_Memory => id: i32 }
    /// Such as `device` or `pinned_host`.
    PJRT_Memory_Kind_Args { memory: *mut PJRT_Memory => kind: *const c_char, kind_size: usize }
    /// A number for the kind.
    PJRT_Memory_Kind_Id_Args { memory: *mut PJRT_Memory => kind_id: i32 }
    PJRT_Memory_DebugString_Args {
        memory: *mut PJRT_Memory
        => debug_string: *const c_char, debug_string_size: usize,
    }
    PJRT_Memory_ToString_Args {
        memory: *mut PJRT_Memory
        => to_string: *const c_char, to_string_size: usize,
    }
    /// In no order.
    PJRT_Memory_AddressableByDevices_Args {
        memory: *mut PJRT_Memory
        => devices: *const *mut PJRT_Device, num_devices: usize,
    }
}
