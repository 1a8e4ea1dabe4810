//! The bytes of a buffer.

use super::device_event::*;
use crate::ffi::*;
use std::ffi::c_void;

c_structs! {
    /// What can be done with a raw buffer, whoever made it. Offsets and sizes are in bytes.
    PJRT_RawBuffer_FunctionTable: sized {
        instance_size: usize,
        extension_start: *mut PJRT_Extension_Base,
        inc_ref: Option<unsafe extern "C" fn(*mut PJRT_RawBuffer)>,
        dec_ref: Option<unsafe extern "C" fn(*mut PJRT_RawBuffer)>,
        get_on_device_size_in_bytes: Option<unsafe extern "C" fn(*const PJRT_RawBuffer) -> usize>,
        get_memory_space: Option<unsafe extern "C" fn(*const PJRT_RawBuffer) -> *mut PJRT_Memory>,
        get_host_pointer: Option<unsafe extern "C" fn(*const PJRT_RawBuffer) -> *mut c_void>,
        copy_raw_host_to_device_and_return_event: Option<
            unsafe extern "C" fn(
                *mut PJRT_RawBuffer,
                *const c_void,
                i64,
                i64,
                *mut PJRT_DeviceEventVector,
                *mut PJRT_DeviceEvent,
            ) -> *mut PJRT_Error,
        >,
        copy_raw_device_to_host_and_return_event: Option<
            unsafe extern "C" fn(
                *mut PJRT_RawBuffer,
                *mut c_void,
                i64,
                i64,
                *mut PJRT_DeviceEventVector,
                *mut PJRT_DeviceEvent,
            ) -> *mut PJRT_Error,
        >,
        opaque_device_memory_data_pointer: Option<unsafe extern "C" fn(*const PJRT_RawBuffer) -> *mut c_void>,
        make_allocation_ready_event: Option<
            unsafe extern "C" fn(*mut PJRT_RawBuffer, *mut PJRT_DeviceEvent) -> *mut PJRT_Error,
        >,
        get_raw_buffer_async_value: Option<
            unsafe extern "C" fn(*mut PJRT_RawBuffer, *mut PJRT_DeviceEvent) -> *mut PJRT_Error,
        >,
        is_mutable: Option<unsafe extern "C" fn(*const PJRT_RawBuffer) -> u8>,
        slice: Option<
            unsafe extern "C" fn(*mut PJRT_RawBuffer, i64, i64, *mut *mut PJRT_RawBuffer) -> *mut PJRT_Error,
        >,
        /// From, what to wait for (null: nothing), to, set when `to` is ready, set when `from` is free, then
        /// called before `to` is used.
        schedule_copy_to: Option<
            unsafe extern "C" fn(
                *mut PJRT_RawBuffer,
                *mut PJRT_DeviceEventVector,
                *mut PJRT_RawBuffer,
                *mut PJRT_DeviceEventPromise,
                *mut PJRT_DeviceEventPromise,
                Option<unsafe extern "C" fn(*mut PJRT_Error, UserArg)>,
                *mut c_void,
            ),
        >,
    }
    /// A raw buffer: a table, and behind it what its maker needs.
    PJRT_RawBuffer: object { vtable: *const PJRT_RawBuffer_FunctionTable }
    /// The memory of a buffer, as bytes. The caller owns it.
    PJRT_RawBuffer_CreateRawAliasOfBuffer_Args {
        buffer: *mut PJRT_Buffer
        => raw_buffer: *mut PJRT_RawBuffer,
    }
    PJRT_RawBuffer_Destroy_Args { buffer: *mut PJRT_RawBuffer }
    /// Null if the host cannot see it.
    PJRT_RawBuffer_GetHostPointer_Args { buffer: *mut PJRT_RawBuffer => host_pointer: *mut c_void }
    PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args {
        buffer: *mut PJRT_RawBuffer
        => on_device_size_in_bytes: usize,
    }
    PJRT_RawBuffer_GetMemorySpace_Args { buffer: *mut PJRT_RawBuffer => memory_space: *mut PJRT_Memory }
    PJRT_RawBuffer_CopyRawDeviceToHost_Args {
        buffer: *mut PJRT_RawBuffer, dst: *mut c_void, offset: i64, transfer_size: i64
        => event: *mut PJRT_Event,
    }
    PJRT_RawBuffer_CopyRawHostToDevice_Args {
        buffer: *mut PJRT_RawBuffer, src: *const c_void, offset: i64, transfer_size: i64
        => event: *mut PJRT_Event,
    }
    PJRT_RawBuffer_Extension: extension {
        PJRT_RawBuffer_CreateRawAliasOfBuffer: Function<PJRT_RawBuffer_CreateRawAliasOfBuffer_Args>,
        PJRT_RawBuffer_Destroy: Function<PJRT_RawBuffer_Destroy_Args>,
        PJRT_RawBuffer_GetOnDeviceSizeInBytes: Function<PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args>,
        PJRT_RawBuffer_GetMemorySpace: Function<PJRT_RawBuffer_GetMemorySpace_Args>,
        PJRT_RawBuffer_CopyRawHostToDevice: Function<PJRT_RawBuffer_CopyRawHostToDevice_Args>,
        PJRT_RawBuffer_CopyRawDeviceToHost: Function<PJRT_RawBuffer_CopyRawDeviceToHost_Args>,
        PJRT_RawBuffer_GetHostPointer: Function<PJRT_RawBuffer_GetHostPointer_Args>,
    }
}
