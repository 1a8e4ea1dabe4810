//! Transfers piece by piece: the manager that fills buffers, and the stream that a program receives from.

use super::*;
use std::ffi::{c_char, c_void};

c_structs! {
    /// A shape without a layout.
    PJRT_ShapeSpec { dims: *const i64, num_dims: usize, element_type: PJRT_Buffer_Type }
    /// Buffers whose data comes later. The caller owns the manager.
    PJRT_Client_CreateBuffersForAsyncHostToDevice_Args {
        client: *mut PJRT_Client,
        shape_specs: *mut PJRT_ShapeSpec,
        num_shape_specs: usize,
        /// Null, or one for each shape, which may be null.
        device_layouts: *mut *mut PJRT_Buffer_MemoryLayout,
        num_device_layouts: usize,
        memory: *mut PJRT_Memory
        => transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
    }
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args {
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
    }
    /// Part of a buffer, as the device holds it.
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args {
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager, buffer_index: i32, data: *const c_void,
        offset: i64, transfer_size: i64, is_last_transfer: u8
        => done_with_h2d_transfer: *mut PJRT_Event,
    }
    /// Once for each buffer: the caller owns it.
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args {
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager, buffer_index: i32
        => buffer_out: *mut PJRT_Buffer,
    }
    PJRT_AsyncHostToDeviceTransferManager_Device_Args {
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager
        => device_out: *mut PJRT_Device,
    }
    PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args {
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager
        => buffer_count: usize,
    }
    PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args {
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager, buffer_index: i32
        => buffer_size: usize,
    }
    /// The buffer becomes this error.
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args {
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager, buffer_index: i32,
        error_code: PJRT_Error_Code, error_message: *const c_char, error_message_size: usize,
    }
    PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args {
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager,
        transfer_metadata: *const PJRT_NamedValue, num_metadata: usize,
    }
    /// A whole buffer, as the host holds it.
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args {
        transfer_manager: *mut PJRT_AsyncHostToDeviceTransferManager, buffer_index: i32, data: *const c_void,
        shape_dims: *const i64, shape_num_dims: usize, shape_element_type: PJRT_Buffer_Type,
        shape_layout: *mut PJRT_Buffer_MemoryLayout
        => done_with_h2d_transfer: *mut PJRT_Event,
    }
    /// Null is allowed.
    PJRT_CopyToDeviceStream_Destroy_Args { stream: *mut PJRT_CopyToDeviceStream }
    /// Takes the chunk, and calls its deleter. The caller owns the event.
    PJRT_CopyToDeviceStream_AddChunk_Args {
        stream: *mut PJRT_CopyToDeviceStream, chunk: *mut PJRT_Chunk
        => transfer_complete: *mut PJRT_Event,
    }
    /// What the stream takes in all.
    PJRT_CopyToDeviceStream_TotalBytes_Args { stream: *mut PJRT_CopyToDeviceStream => total_bytes: i64 }
    /// A chunk must be a multiple of it.
    PJRT_CopyToDeviceStream_GranuleSize_Args {
        stream: *mut PJRT_CopyToDeviceStream
        => granule_size_in_bytes: i64,
    }
    /// What came so far.
    PJRT_CopyToDeviceStream_CurrentBytes_Args { stream: *mut PJRT_CopyToDeviceStream => current_bytes: i64 }
}
