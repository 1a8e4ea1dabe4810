//! Memory of the host for transfers.

use crate::ffi::*;
use std::ffi::c_void;

c_structs! {
    /// Memory of the host that transfers are quick with; freed by `deleter(ptr, deleter_arg)`.
    PJRT_HostMemoryAllocator_Allocate_Args {
        client: *mut PJRT_Client,
        size: usize,
        /// -1: any.
        numa_node: i32
        =>
        ptr: *mut u8,
        deleter: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
        deleter_arg: *mut c_void,
    }
    PJRT_HostMemoryAllocator_Extension: extension { allocate: Function<PJRT_HostMemoryAllocator_Allocate_Args> }
}
