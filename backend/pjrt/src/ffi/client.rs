//! Clients: the devices of a machine, and what compiles for them; a cluster's store of keys and values.

use super::*;
use std::ffi::{c_char, c_void};

c_enums! {
    /// What became of another process.
    PJRT_ProcessState { Unspecified = 0, Uninitialized = 1, Disconnected = 2, Connected = 3, Error = 4 }
}

/// Frees a value that the store gave.
pub type PJRT_KeyValueGetCallback_ValueDeleter = Option<unsafe extern "C" fn(*mut c_char)>;
/// Frees a value that the store gave.
pub type PJRT_KeyValueTryGetCallback_ValueDeleter = Option<unsafe extern "C" fn(*mut c_char)>;

/// Of a client: any thread may call it.
pub type PJRT_KeyValueGetCallback = Function<PJRT_KeyValueGetCallback_Args>;
/// Of a client: any thread may call it.
pub type PJRT_KeyValueTryGetCallback = Function<PJRT_KeyValueTryGetCallback_Args>;
/// Of a client: any thread may call it.
pub type PJRT_KeyValuePutCallback = Function<PJRT_KeyValuePutCallback_Args>;

c_structs! {
    /// Asks the client's store and waits for the key. The plugin is the caller here.
    PJRT_KeyValueGetCallback_Args {
        key: *const c_char,
        key_size: usize,
        timeout_in_ms: i32,
        /// Makes the error that the callback returns.
        callback_error: *mut PJRT_CallbackError,
        user_arg: UserArg
        =>
        value: *mut c_char,
        value_size: usize,
        /// To be called with `value` when it is no longer needed.
        value_deleter_callback: PJRT_KeyValueGetCallback_ValueDeleter,
    }
    /// The same without waiting: an error `NotFound` at once.
    PJRT_KeyValueTryGetCallback_Args {
        key: *const c_char, key_size: usize, callback_error: *mut PJRT_CallbackError, user_arg: UserArg
        => value: *mut c_char, value_size: usize,
        value_deleter_callback: PJRT_KeyValueTryGetCallback_ValueDeleter,
    }
    /// The value need only live for the call.
    PJRT_KeyValuePutCallback_Args {
        key: *const c_char, key_size: usize, value: *const c_char, value_size: usize,
        callback_error: *mut PJRT_CallbackError, user_arg: UserArg,
    }
    /// What a client knows of another process.
    PJRT_ProcessInfo: sized {
        task_id: i32,
        incarnation_id: u64,
        state: PJRT_ProcessState,
        /// An `absl::StatusCode`, if the state is an error.
        error_code: i32,
        error_message: *const c_char,
        error_message_size: usize,
    }
    /// A program, or room for one.
    PJRT_Program {
        /// Owned by the caller.
        code: *mut c_char,
        code_size: usize,
        /// `mlir` (bytecode or text), `hlo` (`HloModuleProto`), `hlo_with_config` (`HloModuleProtoWithConfig`).
        format: *const c_char,
        format_size: usize,
    }
    /// The callbacks may be uninitialized if the client belongs to no cluster: they are not to be called then.
    PJRT_Client_Create_Args {
        create_options: *const PJRT_NamedValue,
        num_options: usize,
        kv_get_callback: PJRT_KeyValueGetCallback,
        kv_get_user_arg: UserArg,
        kv_put_callback: PJRT_KeyValuePutCallback,
        kv_put_user_arg: UserArg,
        /// Out.
        client: *mut PJRT_Client,
        kv_try_get_callback: PJRT_KeyValueTryGetCallback,
        kv_try_get_user_arg: UserArg,
    }
    /// Null is allowed.
    PJRT_Client_Destroy_Args { client: *mut PJRT_Client }
    /// Lives as long as the client, as all strings and lists of its getters do.
    PJRT_Client_PlatformName_Args {
        client: *mut PJRT_Client
        => platform_name: *const c_char, platform_name_size: usize,
    }
    /// 0 if there is one process.
    PJRT_Client_ProcessIndex_Args { client: *mut PJRT_Client => process_index: i32 }
    PJRT_Client_PlatformVersion_Args {
        client: *mut PJRT_Client
        => platform_version: *const c_char, platform_version_size: usize,
    }
    /// Owned by the client.
    PJRT_Client_TopologyDescription_Args {
        client: *mut PJRT_Client
        => topology: *mut PJRT_TopologyDescription,
    }
    /// Of all processes.
    PJRT_Client_Devices_Args {
        client: *mut PJRT_Client
        => devices: *const *mut PJRT_Device, num_devices: usize,
    }
    /// Of this process.
    PJRT_Client_AddressableDevices_Args {
        client: *mut PJRT_Client
        => addressable_devices: *const *mut PJRT_Device, num_addressable_devices: usize,
    }
    /// By the id that is unique among all processes.
    PJRT_Client_LookupDevice_Args { client: *mut PJRT_Client, id: i32 => device: *mut PJRT_Device }
    /// By the id within this process.
    PJRT_Client_LookupAddressableDevice_Args {
        client: *mut PJRT_Client, local_hardware_id: i32
        => addressable_device: *mut PJRT_Device,
    }
    /// All processes, each time.
    PJRT_Client_UpdateGlobalProcessInfo_Args {
        client: *mut PJRT_Client, process_infos: *mut PJRT_ProcessInfo, num_process_infos: usize,
    }
    /// Of this process's devices.
    PJRT_Client_AddressableMemories_Args {
        client: *mut PJRT_Client
        => addressable_memories: *const *mut PJRT_Memory, num_addressable_memories: usize,
    }
    /// `compile_options` is a serialized `CompileOptionsProto`. The caller owns the executable.
    PJRT_Client_Compile_Args {
        client: *mut PJRT_Client, program: *const PJRT_Program, compile_options: *const c_char,
        compile_options_size: usize
        => executable: *mut PJRT_LoadedExecutable,
    }
    /// `compile_options` is a serialized `CompileOptionsProto`. The caller owns the loaded executable.
    PJRT_Client_Load_Args {
        client: *mut PJRT_Client, executable: *mut PJRT_Executable, compile_options: *const c_char,
        compile_options_size: usize
        => loaded_executable: *mut PJRT_LoadedExecutable,
    }
    PJRT_Client_DefaultDeviceAssignment_Args {
        client: *mut PJRT_Client,
        num_replicas: i32,
        num_partitions: i32,
        /// At least replicas times partitions.
        default_assignment_size: usize,
        /// The caller's list; filled in, replica by replica.
        default_assignment: *mut i32,
    }
    /// Announces memory of the host that transfers will use often.
    PJRT_Client_DmaMap_Args { client: *mut PJRT_Client, data: *mut c_void, size: usize }
    PJRT_Client_DmaUnmap_Args { client: *mut PJRT_Client, data: *mut c_void }
}
