//! The memories of devices that need not be there.

use crate::ffi::*;
use std::ffi::c_char;

opaque! {
    PJRT_MemoryDescription
}

c_structs! {
    /// Owned by the description of the device.
    PJRT_DeviceDescription_MemoryDescriptions_Args {
        device_description: *mut PJRT_DeviceDescription
        =>
        memory_descriptions: *const *const PJRT_MemoryDescription,
        num_memory_descriptions: usize,
        /// `usize::MAX` if none is the default.
        default_memory_index: usize,
    }
    /// Name and number, as `PJRT_Memory_Kind` and `PJRT_Memory_Kind_Id` say them.
    PJRT_MemoryDescription_Kind_Args {
        memory_description: *const PJRT_MemoryDescription
        => kind: *const c_char, kind_size: usize, kind_id: i32,
    }
    PJRT_MemoryDescriptions_Extension: extension {
        PJRT_DeviceDescription_MemoryDescriptions: Function<PJRT_DeviceDescription_MemoryDescriptions_Args>,
        PJRT_MemoryDescription_Kind: Function<PJRT_MemoryDescription_Kind_Args>,
    }
}
