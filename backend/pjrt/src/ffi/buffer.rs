//! Buffers: arrays on a device, how they lie there, and how they come from the host and go back.

use super::*;
use std::ffi::{c_char, c_void};

c_enums! {
    /// Types of elements. Those of less than a byte lie one to a byte in the host's arrays.
    PJRT_Buffer_Type {
        INVALID = 0, PRED = 1, S8 = 2, S16 = 3, S32 = 4, S64 = 5, U8 = 6, U16 = 7, U32 = 8, U64 = 9,
        F16 = 10, F32 = 11, F64 = 12, BF16 = 13, C64 = 14, C128 = 15, F8E5M2 = 16, F8E4M3FN = 17,
        F8E4M3B11FNUZ = 18, F8E5M2FNUZ = 19, F8E4M3FNUZ = 20, S4 = 21, U4 = 22, TOKEN = 23, S2 = 24,
        U2 = 25, F8E4M3 = 26, F8E3M4 = 27, F8E8M0FNU = 28, F4E2M1FN = 29, S1 = 30, U1 = 31, F6E2M3FN = 32,
        F6E3M2FN = 33,
    }
    /// How long a client lets the plugin look at its array: for the call; until the event that it gets is
    /// ready; as long as the buffer lives, without or with changing it.
    PJRT_HostBufferSemantics {
        ImmutableOnlyDuringCall = 0,
        ImmutableUntilTransferCompletes = 1,
        ImmutableZeroCopy = 2,
        MutableZeroCopy = 3,
    }
    PJRT_Buffer_MemoryLayout_Type { Tiled = 0, Strides = 1 }
}

/// The two forms of a [`PJRT_Buffer_MemoryLayout`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union PJRT_Buffer_MemoryLayout_Value {
    pub tiled: PJRT_Buffer_MemoryLayout_Tiled,
    pub strides: PJRT_Buffer_MemoryLayout_Strides,
}

c_structs! {
    /// An order of dimensions and tiles.
    PJRT_Buffer_MemoryLayout_Tiled {
        /// As many as there are dimensions.
        minor_to_major: *const i64,
        minor_to_major_size: usize,
        /// The sizes of all tiles, one after another.
        tile_dims: *const i64,
        /// How many of them each tile has.
        tile_dim_sizes: *const usize,
        num_tiles: usize,
    }
    /// The distance between neighbours in each dimension.
    PJRT_Buffer_MemoryLayout_Strides {
        /// May be negative: the data then begins inside the memory.
        byte_strides: *const i64,
        num_byte_strides: usize,
    }
    /// Which member of the union holds, `type` says.
    PJRT_Buffer_MemoryLayout {
        value: PJRT_Buffer_MemoryLayout_Value, r#type: PJRT_Buffer_MemoryLayout_Type,
    }
    /// `memory` rules if it is not null, `device` otherwise. The caller owns the buffer.
    PJRT_Client_CreateUninitializedBuffer_Args {
        client: *mut PJRT_Client, shape_dims: *const i64, shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type, shape_layout: *mut PJRT_Buffer_MemoryLayout,
        device: *mut PJRT_Device, memory: *mut PJRT_Memory
        => buffer: *mut PJRT_Buffer,
    }
    /// A buffer without memory, ready with this error: who uses it, fails with it.
    PJRT_Client_CreateErrorBuffer_Args {
        client: *mut PJRT_Client,
        error_code: PJRT_Error_Code,
        error_message: *const c_char,
        error_message_size: usize,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type,
        /// Deprecated: `device_layout`.
        shape_layout: *mut PJRT_Buffer_MemoryLayout,
        memory: *mut PJRT_Memory,
        /// Out.
        buffer: *mut PJRT_Buffer,
        payload: *const PJRT_NamedValue,
        num_payload: usize,
        /// Null: the default.
        device_layout: *mut PJRT_Buffer_MemoryLayout,
    }
    /// A buffer that becomes another one by `PJRT_Client_FulfillAliasBuffer`.
    PJRT_Client_CreateAliasBuffer_Args {
        client: *mut PJRT_Client, memory: *mut PJRT_Memory, shape_dims: *const i64, shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type, shape_layout: *mut PJRT_Buffer_MemoryLayout
        => alias_buffer: *mut PJRT_Buffer, fulfill_alias_buffer_cb: *mut PJRT_FulfillAliasBufferCallback,
    }
    /// Once for each alias: with a buffer, or with an error.
    PJRT_Client_FulfillAliasBuffer_Args {
        client: *mut PJRT_Client, buffer: *mut PJRT_Buffer, status_code: PJRT_Error_Code,
        error_message: *const c_char, error_message_size: usize,
        fulfill_alias_buffer_cb: *mut PJRT_FulfillAliasBufferCallback,
    }
    /// `memory` rules if it is not null, `device` otherwise.
    PJRT_Client_BufferFromHostBuffer_Args {
        client: *mut PJRT_Client,
        data: *const c_void,
        r#type: PJRT_Buffer_Type,
        dims: *const i64,
        num_dims: usize,
        /// Null or empty: dense and row-major. May be negative: `data` then points inside the memory.
        byte_strides: *const i64,
        num_byte_strides: usize,
        host_buffer_semantics: PJRT_HostBufferSemantics,
        device: *mut PJRT_Device,
        memory: *mut PJRT_Memory,
        /// Null: the default.
        device_layout: *mut PJRT_Buffer_MemoryLayout
        =>
        /// Ready when `data` is no longer needed. The caller owns it, and the buffer.
        done_with_host_buffer: *mut PJRT_Event,
        buffer: *mut PJRT_Buffer,
    }
    /// Memory that someone else owns.
    PJRT_Client_CreateViewOfDeviceBuffer_Args {
        client: *mut PJRT_Client,
        device_buffer_ptr: *mut c_void,
        dims: *const i64,
        num_dims: usize,
        element_type: PJRT_Buffer_Type,
        layout: *mut PJRT_Buffer_MemoryLayout,
        /// Deprecated: `memory`.
        device: *mut PJRT_Device,
        /// Called when the memory is no longer needed; null allowed.
        on_delete_callback: Option<unsafe extern "C" fn(*mut c_void, UserArg)>,
        on_delete_callback_arg: *mut c_void,
        /// What must run before the memory can be read; 0: nothing.
        stream: isize,
        /// Out.
        buffer: *mut PJRT_Buffer,
        memory: *mut PJRT_Memory,
    }
    /// Null is allowed.
    PJRT_Buffer_Destroy_Args { buffer: *mut PJRT_Buffer }
    PJRT_Buffer_ElementType_Args { buffer: *mut PJRT_Buffer => r#type: PJRT_Buffer_Type }
    /// Lives as long as the buffer. A dynamic dimension has its bound.
    PJRT_Buffer_Dimensions_Args { buffer: *mut PJRT_Buffer => dims: *const i64, num_dims: usize }
    /// A dynamic dimension has its size of now.
    PJRT_Buffer_UnpaddedDimensions_Args {
        buffer: *mut PJRT_Buffer
        => unpadded_dims: *const i64, num_dims: usize,
    }
    PJRT_Buffer_DynamicDimensionIndices_Args {
        buffer: *mut PJRT_Buffer
        => dynamic_dim_indices: *const usize, num_dynamic_dims: usize,
    }
    /// Deprecated: the layouts extension. Its lists live as long as the buffer.
    PJRT_Buffer_GetMemoryLayout_Args { buffer: *mut PJRT_Buffer => layout: PJRT_Buffer_MemoryLayout }
    /// Null for `dst` asks for the size only: it is set in `dst_size`.
    PJRT_Buffer_ToHostBuffer_Args {
        src: *mut PJRT_Buffer,
        /// Null: the buffer's own.
        host_layout: *mut PJRT_Buffer_MemoryLayout,
        dst: *mut c_void,
        /// In and out, in bytes.
        dst_size: usize
        => event: *mut PJRT_Event,
    }
    PJRT_Buffer_OnDeviceSizeInBytes_Args { buffer: *mut PJRT_Buffer => on_device_size_in_bytes: usize }
    /// Frees what it holds as soon as nothing uses it; the handle remains, for `IsDeleted` and `Destroy`.
    PJRT_Buffer_Delete_Args { buffer: *mut PJRT_Buffer }
    /// Also if it was donated.
    PJRT_Buffer_IsDeleted_Args { buffer: *mut PJRT_Buffer => is_deleted: u8 }
    /// Bytes as they lie on the device.
    PJRT_Buffer_CopyRawToHost_Args {
        buffer: *mut PJRT_Buffer, dst: *mut c_void, offset: i64, transfer_size: i64
        => event: *mut PJRT_Event,
    }
    /// What the client calls back with when it knows where to copy to. The message holds if the code is not
    /// `Ok`, `dst` if it is.
    PJRT_Buffer_CopyRawToHostFuture_Callback_Args: sized {
        callback_data: *mut c_void, error_code: PJRT_Error_Code, error_message: *const c_char,
        error_message_size: usize, dst: *mut c_void,
    }
    /// As `CopyRawToHost`, but it waits until the client calls the callback, with the data given here.
    PJRT_Buffer_CopyRawToHostFuture_Args {
        buffer: *mut PJRT_Buffer,
        offset: i64,
        transfer_size: i64
        =>
        event: *mut PJRT_Event,
        callback_data: *mut c_void,
        future_ready_callback: Option<unsafe extern "C" fn(*mut PJRT_Buffer_CopyRawToHostFuture_Callback_Args)>,
    }
    /// An error if it is there already. The caller owns the copy.
    PJRT_Buffer_CopyToDevice_Args {
        buffer: *mut PJRT_Buffer, dst_device: *mut PJRT_Device
        => dst_buffer: *mut PJRT_Buffer,
    }
    /// An error if it is there already. The caller owns the copy.
    PJRT_Buffer_CopyToMemory_Args {
        buffer: *mut PJRT_Buffer, dst_memory: *mut PJRT_Memory
        => dst_buffer: *mut PJRT_Buffer,
    }
    /// The same bytes as another type.
    PJRT_Buffer_Bitcast_Args {
        buffer: *mut PJRT_Buffer,
        element_type: PJRT_Buffer_Type,
        dims: *const i64,
        num_dims: usize,
        /// Null: the default.
        device_layout: *mut PJRT_Buffer_MemoryLayout
        => out_buffer: *mut PJRT_Buffer,
    }
    /// Whether the host can read it where it lies.
    PJRT_Buffer_IsOnCpu_Args { buffer: *mut PJRT_Buffer => is_on_cpu: u8 }
    PJRT_Buffer_Device_Args { buffer: *mut PJRT_Buffer => device: *mut PJRT_Device }
    PJRT_Buffer_Memory_Args { buffer: *mut PJRT_Buffer => memory: *mut PJRT_Memory }
    /// Ready when the buffer is, or with its error. The caller owns it.
    PJRT_Buffer_ReadyEvent_Args { buffer: *mut PJRT_Buffer => event: *mut PJRT_Event }
    /// An address, for those who know what it means.
    PJRT_Buffer_UnsafePointer_Args { buffer: *mut PJRT_Buffer => buffer_pointer: usize }
    /// Someone outside looks at the memory: it must stay.
    PJRT_Buffer_IncreaseExternalReferenceCount_Args { buffer: *mut PJRT_Buffer }
    /// An error if nobody looks.
    PJRT_Buffer_DecreaseExternalReferenceCount_Args { buffer: *mut PJRT_Buffer }
    /// Holds while there is an external reference.
    PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args {
        buffer: *mut PJRT_Buffer
        => device_memory_ptr: *mut c_void,
    }
    /// What the client calls back with when the dependency is met.
    PJRT_Buffer_DonateWithControlDependency_Callback_Args: sized {
        callback_data: *mut c_void, error_code: PJRT_Error_Code, error_message: *const c_char,
        error_message_size: usize,
    }
    /// Takes the memory of `buffer` into one that is ready when the client has called the callback, with the
    /// data given here.
    PJRT_Buffer_DonateWithControlDependency_Args {
        buffer: *mut PJRT_Buffer
        =>
        callback_data: *mut c_void,
        dependency_ready_callback: Option<
            unsafe extern "C" fn(*mut PJRT_Buffer_DonateWithControlDependency_Callback_Args),
        >,
        out_buffer: *mut PJRT_Buffer,
    }
}
