//! Executables: programs that are compiled, those that are loaded, and how they are executed.

use super::*;
use std::ffi::{c_char, c_void};

opaque! {
    PJRT_DeviceAssignmentSerialized PJRT_SerializedExecutable PJRT_SerializedCompileOptions
}

/// Takes what a program sends. It calls the chunk's deleter when it has done with it; the error is one of
/// the second argument's.
pub type PJRT_SendCallback = Option<
    unsafe extern "C" fn(*mut PJRT_Chunk, *mut PJRT_CallbackError, usize, u8, UserArg) -> *mut PJRT_Error,
>;
/// Gives what a program receives, now or later. It owns the stream.
pub type PJRT_RecvCallback = Option<unsafe extern "C" fn(*mut PJRT_CopyToDeviceStream, UserArg)>;
/// Replica, partition, data, its dimensions, their number, its type, which operand it is.
pub type PJRT_HloOutputCallback =
    Option<unsafe extern "C" fn(i64, i64, *const c_void, *const i64, usize, PJRT_Buffer_Type, i64, UserArg)>;

c_structs! {
    /// For devices that need not be there. The caller owns the executable.
    PJRT_Compile_Args {
        topology: *const PJRT_TopologyDescription,
        program: *const PJRT_Program,
        compile_options: *const c_char,
        compile_options_size: usize,
        /// Null allowed: only a hint.
        client: *mut PJRT_Client
        => executable: *mut PJRT_Executable,
    }
    /// Null is allowed.
    PJRT_Executable_Destroy_Args { executable: *mut PJRT_Executable }
    PJRT_Executable_Name_Args {
        executable: *mut PJRT_Executable
        => executable_name: *const c_char, executable_name_size: usize,
    }
    PJRT_Executable_NumReplicas_Args { executable: *mut PJRT_Executable => num_replicas: usize }
    PJRT_Executable_NumPartitions_Args { executable: *mut PJRT_Executable => num_partitions: usize }
    /// Asked twice: if `program.code` is null, only `code_size` and `format` are set; then the code is
    /// written there.
    PJRT_Executable_OptimizedProgram_Args { executable: *mut PJRT_Executable => program: *mut PJRT_Program }
    PJRT_Executable_NumOutputs_Args { executable: *mut PJRT_Executable => num_outputs: usize }
    PJRT_Executable_SizeOfGeneratedCodeInBytes_Args {
        executable: *mut PJRT_Executable
        => size_in_bytes: i64,
    }
    /// Equal for equal programs and options. Lives as long as the executable, as the rest of its strings and
    /// lists do.
    PJRT_Executable_Fingerprint_Args {
        executable: *mut PJRT_Executable
        => executable_fingerprint: *const c_char, executable_fingerprint_size: usize,
    }
    /// Such as `flops` and `bytes accessed`.
    PJRT_Executable_GetCostAnalysis_Args {
        executable: *mut PJRT_Executable
        => num_properties: usize, properties: *const PJRT_NamedValue,
    }
    /// Bytes in a device's default memory; `host_` in the host's.
    PJRT_Executable_GetCompiledMemoryStats_Args {
        executable: *mut PJRT_Executable
        =>
        generated_code_size_in_bytes: i64,
        argument_size_in_bytes: i64,
        output_size_in_bytes: i64,
        /// Of the arguments, what outputs reuse.
        alias_size_in_bytes: i64,
        temp_size_in_bytes: i64,
        host_generated_code_size_in_bytes: i64,
        host_argument_size_in_bytes: i64,
        host_output_size_in_bytes: i64,
        host_alias_size_in_bytes: i64,
        host_temp_size_in_bytes: i64,
        peak_memory_in_bytes: i64,
        total_size_in_bytes: i64,
        total_allocation_bytes: i64,
        indefinite_allocations: i64,
        peak_unpadded_heap_bytes: i64,
    }
    PJRT_Executable_OutputElementTypes_Args {
        executable: *mut PJRT_Executable
        => output_types: *mut PJRT_Buffer_Type, num_output_types: usize,
    }
    /// `dims` holds the dimensions of all outputs, one after another; `dim_sizes` how many each has.
    PJRT_Executable_OutputDimensions_Args {
        executable: *mut PJRT_Executable, num_outputs: usize
        => dims: *const i64, dim_sizes: *const usize,
    }
    PJRT_Executable_ParameterMemoryKinds_Args {
        executable: *mut PJRT_Executable, num_parameters: usize
        => memory_kinds: *const *const c_char, memory_kind_sizes: *const usize,
    }
    PJRT_Executable_OutputMemoryKinds_Args {
        executable: *mut PJRT_Executable, num_outputs: usize
        => memory_kinds: *const *const c_char, memory_kind_sizes: *const usize,
    }
    /// `serialized_executable` backs the bytes until its deleter is called.
    PJRT_Executable_Serialize_Args {
        executable: *const PJRT_Executable
        => serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_executable: *mut PJRT_SerializedExecutable,
        serialized_executable_deleter: Deleter<PJRT_SerializedExecutable>,
    }
    /// A serialized `CompileOptionsProto`, backed by `serialized_compile_options` until its deleter is called.
    PJRT_Executable_GetCompileOptions_Args {
        executable: *mut PJRT_Executable
        => serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_compile_options: *mut PJRT_SerializedCompileOptions,
        serialized_compile_options_deleter: Deleter<PJRT_SerializedCompileOptions>,
    }
    /// Bytes of `PJRT_Executable_Serialize`, of the same version. The caller owns the executable.
    PJRT_Executable_DeserializeAndLoad_Args {
        client: *mut PJRT_Client,
        serialized_executable: *const c_char,
        serialized_executable_size: usize,
        /// Out.
        loaded_executable: *mut PJRT_LoadedExecutable,
        /// A `CompileOptionsProto`; null: those it was compiled with.
        overridden_serialized_compile_options: *const c_char,
        overridden_serialized_compile_options_size: usize,
        /// Null allowed.
        load_options: *mut PJRT_LoadOptions,
    }
    /// Where in a larger machine a program is loaded.
    PJRT_LoadOptions: sized {
        /// Coordinates of the first device.
        computation_origin: *const i32,
        computation_origin_size: usize,
        multi_slice_config: *mut PJRT_MultiSlice_Config,
    }
    /// What a device is to a program.
    PJRT_LogicalDeviceIds: plain { replica: i32, partition: i32 }
    /// Null is allowed. What runs, runs to its end.
    PJRT_LoadedExecutable_Destroy_Args { executable: *mut PJRT_LoadedExecutable }
    /// The caller owns what it gets, and destroys it apart.
    PJRT_LoadedExecutable_GetExecutable_Args {
        loaded_executable: *mut PJRT_LoadedExecutable
        => executable: *mut PJRT_Executable,
    }
    /// A serialized `DeviceAssignmentProto`, backed by `serialized_device_assignment` until its deleter is
    /// called.
    PJRT_LoadedExecutable_GetDeviceAssignment_Args {
        executable: *mut PJRT_LoadedExecutable
        => serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_device_assignment: *mut PJRT_DeviceAssignmentSerialized,
        serialized_device_assignment_deleter: Deleter<PJRT_DeviceAssignmentSerialized>,
    }
    /// Those of this process among the devices it was compiled for.
    PJRT_LoadedExecutable_AddressableDevices_Args {
        executable: *mut PJRT_LoadedExecutable
        => addressable_devices: *const *mut PJRT_Device, num_addressable_devices: usize,
    }
    /// In the order of `AddressableDevices`.
    PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args {
        executable: *mut PJRT_LoadedExecutable
        => addressable_device_logical_ids: *mut PJRT_LogicalDeviceIds,
        num_addressable_device_logical_ids: usize,
    }
    /// Frees what it holds; the handle remains, for `IsDeleted` and `Destroy`.
    PJRT_LoadedExecutable_Delete_Args { executable: *mut PJRT_LoadedExecutable }
    PJRT_LoadedExecutable_IsDeleted_Args { executable: *mut PJRT_LoadedExecutable => is_deleted: u8 }
    /// Deprecated: `PJRT_Executable_Fingerprint`.
    PJRT_LoadedExecutable_Fingerprint_Args {
        executable: *mut PJRT_LoadedExecutable
        => executable_fingerprint: *const c_char, executable_fingerprint_size: usize,
    }
    /// Bytes that travel, with who frees them.
    PJRT_Chunk: plain {
        data: *mut c_void,
        size: usize,
        deleter: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
        deleter_arg: *mut c_void,
    }
    /// Called with what a `send` of this channel sends.
    PJRT_SendCallbackInfo: plain { channel_id: i64, user_arg: UserArg, send_callback: PJRT_SendCallback }
    /// Called when a `recv` of this channel wants data: it owns the stream it gets.
    PJRT_RecvCallbackInfo: plain { channel_id: i64, user_arg: UserArg, recv_callback: PJRT_RecvCallback }
    /// Called with operands that a program hands out as it runs.
    PJRT_HloOutputCallbackInfo: plain {
        user_arg: UserArg, callback: PJRT_HloOutputCallback, callback_id: i64, num_operands: usize,
    }
    /// The caller owns it.
    PJRT_ExecuteContext_Create_Args { => context: *mut PJRT_ExecuteContext }
    PJRT_ExecuteContext_Destroy_Args { context: *mut PJRT_ExecuteContext }
    /// How to execute. All pointers need only live for the call, callbacks for the execution.
    PJRT_ExecuteOptions {
        /// By device, then `num_send_ops` in no order: the channel says which is meant.
        send_callbacks: *mut *mut PJRT_SendCallbackInfo,
        recv_callbacks: *mut *mut PJRT_RecvCallbackInfo,
        num_send_ops: usize,
        num_recv_ops: usize,
        /// The same on all devices of a launch; 0 says nothing.
        launch_id: i32,
        /// Inputs that must survive although the program would take their memory.
        non_donatable_input_indices: *const i64,
        num_non_donatable_input_indices: usize,
        context: *mut PJRT_ExecuteContext,
        /// The Python line that runs it, `file:line`, ended by a zero; null allowed.
        call_location: *const c_char,
        /// Length of the next two.
        num_tasks: usize,
        task_ids: *mut i32,
        incarnation_ids: *mut i64,
        multi_slice_config: *mut PJRT_MultiSlice_Config,
        /// Callbacks want row-major data, not the device's own order.
        use_major_to_minor_data_layout_for_callbacks: u8,
        hlo_output_callbacks: *mut PJRT_HloOutputCallbackInfo,
        num_hlo_output_callbacks: usize,
        custom_options: *const PJRT_NamedValue,
        num_custom_options: usize,
    }
    /// Lists of lists: by device, then by argument or output. Null outputs are filled in; the caller owns them.
    PJRT_LoadedExecutable_Execute_Args {
        executable: *mut PJRT_LoadedExecutable,
        options: *mut PJRT_ExecuteOptions,
        argument_lists: *const *const *mut PJRT_Buffer,
        num_devices: usize,
        num_args: usize,
        /// The lists are the caller's.
        output_lists: *const *mut *mut PJRT_Buffer,
        /// Null, or one for each device to be filled in; the caller owns the events.
        device_complete_events: *mut *mut PJRT_Event,
        /// Null: the devices it was compiled for. Otherwise this one alone, and `num_devices` is 1.
        execute_device: *mut PJRT_Device,
    }
}
