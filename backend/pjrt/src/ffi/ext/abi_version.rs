//! Versions of a runtime and of executables, and what goes together.

use crate::ffi::*;
use std::ffi::c_char;

opaque! {
    PJRT_RuntimeAbiVersion PJRT_ExecutableAbiVersion PJRT_SerializedProto
}

c_structs! {
    /// The caller owns the version.
    PJRT_Client_RuntimeAbiVersion_Args: sized {
        client: *mut PJRT_Client
        => abi_version: *mut PJRT_RuntimeAbiVersion,
    }
    /// The caller owns the version.
    PJRT_Executable_GetAbiVersion_Args: sized {
        executable: *mut PJRT_Executable
        => abi_version: *mut PJRT_ExecutableAbiVersion,
    }
    PJRT_RuntimeAbiVersion_Destroy_Args: sized { abi_version: *mut PJRT_RuntimeAbiVersion }
    /// No error if it is.
    PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args: sized {
        abi_version: *const PJRT_RuntimeAbiVersion, other_abi_version: *const PJRT_RuntimeAbiVersion,
    }
    /// No error if it is.
    PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args: sized {
        abi_version: *const PJRT_RuntimeAbiVersion, executable_abi_version: *const PJRT_ExecutableAbiVersion,
    }
    /// The holder backs the bytes until its deleter is called.
    PJRT_RuntimeAbiVersion_ToProto_Args: sized {
        abi_version: *const PJRT_RuntimeAbiVersion
        => serialized_proto: *const c_char, serialized_proto_size: usize,
        serialized_proto_holder: *mut PJRT_SerializedProto,
        serialized_proto_deleter: Deleter<PJRT_SerializedProto>,
    }
    PJRT_RuntimeAbiVersion_PlatformId_Args: sized {
        abi_version: *const PJRT_RuntimeAbiVersion
        => platform_id: u64,
    }
    PJRT_ExecutableAbiVersion_Destroy_Args: sized { abi_version: *mut PJRT_ExecutableAbiVersion }
    /// The holder backs the bytes until its deleter is called.
    PJRT_ExecutableAbiVersion_ToProto_Args: sized {
        abi_version: *const PJRT_ExecutableAbiVersion
        => serialized_proto: *const c_char, serialized_proto_size: usize,
        serialized_proto_holder: *mut PJRT_SerializedProto,
        serialized_proto_deleter: Deleter<PJRT_SerializedProto>,
    }
    PJRT_ExecutableAbiVersion_PlatformId_Args: sized {
        abi_version: *const PJRT_ExecutableAbiVersion
        => platform_id: u64,
    }
    PJRT_RuntimeAbiVersion_FromProto_Args: sized {
        serialized_proto: *const c_char, serialized_proto_size: usize
        => abi_version: *mut PJRT_RuntimeAbiVersion,
    }
    PJRT_ExecutableAbiVersion_FromProto_Args: sized {
        serialized_proto: *const c_char, serialized_proto_size: usize
        => abi_version: *mut PJRT_ExecutableAbiVersion,
    }
    PJRT_AbiVersion_Extension: extension {
        client_runtime_abi_version: Function<PJRT_Client_RuntimeAbiVersion_Args>,
        executable_get_abi_version: Function<PJRT_Executable_GetAbiVersion_Args>,
        runtime_abi_version_destroy: Function<PJRT_RuntimeAbiVersion_Destroy_Args>,
        runtime_abi_version_is_compatible_with_runtime:
            Function<PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args>,
        runtime_abi_version_is_compatible_with_executable:
            Function<PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args>,
        runtime_abi_version_to_proto: Function<PJRT_RuntimeAbiVersion_ToProto_Args>,
        runtime_abi_version_platform_id: Function<PJRT_RuntimeAbiVersion_PlatformId_Args>,
        executable_abi_version_destroy: Function<PJRT_ExecutableAbiVersion_Destroy_Args>,
        executable_abi_version_to_proto: Function<PJRT_ExecutableAbiVersion_ToProto_Args>,
        executable_abi_version_platform_id: Function<PJRT_ExecutableAbiVersion_PlatformId_Args>,
        runtime_abi_version_from_proto: Function<PJRT_RuntimeAbiVersion_FromProto_Args>,
        executable_abi_version_from_proto: Function<PJRT_ExecutableAbiVersion_FromProto_Args>,
    }
}
