//! The C declarations of PJRT, version 0.117, as `#[repr(C)]`: structs and enumerations by family, with the
//! names they have in `pjrt_c_api.h`. Nothing here does anything.
//!
//! A struct that a client passes may be older and shorter, or newer and longer, than ours: it begins with its
//! size ([`CStruct`]). `crate::entry` copies what both know. Every field may hold anything: enumerations are
//! open integers, `bool` is a byte, pointers may be null. So zero is a value of every struct.
//!
//! `tests/layout` compares every size, offset and type with what a C compiler makes of the header.

#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]

mod declare;

pub use declare::{CStruct, Enumeration, Field, Layout};
pub(crate) use declare::{c_enums, c_struct, c_structs, opaque};

pub mod api;
pub mod buffer;
pub mod client;
pub mod device;
pub mod error;
pub mod event;
pub mod executable;
pub mod ext;
pub mod plugin;
pub mod topology;
pub mod transfer;

pub use api::*;
pub use buffer::*;
pub use client::*;
pub use device::*;
pub use error::*;
pub use event::*;
pub use executable::*;
pub use plugin::*;
pub use topology::*;
pub use transfer::*;

use std::ffi::{c_char, c_void};

/// A function of the API: takes its args, returns null or an error that the caller owns.
pub type Function<Args> = Option<unsafe extern "C" fn(*mut Args) -> *mut PJRT_Error>;
/// A function of the API that cannot fail.
pub type Procedure<Args> = Option<unsafe extern "C" fn(*mut Args)>;
/// Frees what backs a result.
pub type Deleter<Owner> = Option<unsafe extern "C" fn(*mut Owner)>;
/// A pointer to a client's data, of no type known here.
pub type UserArg = *mut c_void;

c_enums! {
    /// What an extension is.
    PJRT_Extension_Type {
        GpuCustomCall = 0, Profiler = 1, CustomPartitioner = 2, Stream = 3, Layouts = 4, Ffi = 5,
        MemoryDescriptions = 6, Triton = 7, RawBuffer = 8, PhaseCompile = 9, Example = 10, Unknown = 11,
        CrossHostTransfers = 12, ExecutableMetadata = 13, Callback = 14, HostAllocator = 15, TpuTopology = 16,
        TpuExecutable = 17, Megascale = 18, Shardings = 19, AbiVersion = 20, Collectives = 21, MultiSlice = 22,
        HostMemoryAllocator = 23, XlaTransform = 24,
    }
    PJRT_NamedValue_Type { String = 0, Int64 = 1, Int64List = 2, Float = 3, Bool = 4 }
}

c_structs! {
    /// The head of each extension in the chain of `PJRT_Api` and of args.
    #[derive(Debug)]
    PJRT_Extension_Base: sized { r#type: PJRT_Extension_Type, next: *mut PJRT_Extension_Base }
    /// The version of the API that a plugin was built for.
    PJRT_Api_Version { major_version: i32, minor_version: i32 }
    /// A key and its value; which member of the union holds, `type` says.
    PJRT_NamedValue {
        name: *const c_char,
        name_size: usize,
        r#type: PJRT_NamedValue_Type,
        value: PJRT_NamedValue_Value,
        /// Bytes of a string, elements of a list, 1 otherwise.
        value_size: usize,
    }
}

/// The value of a [`PJRT_NamedValue`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union PJRT_NamedValue_Value {
    pub string_value: *const c_char,
    pub int64_value: i64,
    pub int64_array_value: *const i64,
    pub float_value: f32,
    pub bool_value: u8,
}

opaque! {
    PJRT_Event PJRT_Client PJRT_Device PJRT_DeviceDescription PJRT_TopologyDescription PJRT_Executable
    PJRT_LoadedExecutable PJRT_Buffer PJRT_AsyncHostToDeviceTransferManager PJRT_ExecuteContext
    PJRT_AsyncTrackingEvent PJRT_CopyToDeviceStream PJRT_FulfillAliasBufferCallback PJRT_MultiSlice_Config
}

/// Where the fields of all structs lie, file by file.
pub const ALL_LAYOUTS: &[&[Layout]] = &[
    LAYOUTS,
    api::LAYOUTS,
    buffer::LAYOUTS,
    client::LAYOUTS,
    device::LAYOUTS,
    error::LAYOUTS,
    event::LAYOUTS,
    executable::LAYOUTS,
    plugin::LAYOUTS,
    topology::LAYOUTS,
    transfer::LAYOUTS,
    ext::abi_version::LAYOUTS,
    ext::callback::LAYOUTS,
    ext::device_event::LAYOUTS,
    ext::host_memory_allocator::LAYOUTS,
    ext::layouts::LAYOUTS,
    ext::memory_descriptions::LAYOUTS,
    ext::phase_compile::LAYOUTS,
    ext::profiler::LAYOUTS,
    ext::raw_buffer::LAYOUTS,
    ext::shardings::LAYOUTS,
    ext::tpu_topology::LAYOUTS,
];

/// The constants of all enumerations, file by file.
pub const ALL_ENUMS: &[&[Enumeration]] =
    &[ENUMS, buffer::ENUMS, client::ENUMS, error::ENUMS, ext::callback::ENUMS, ext::device_event::ENUMS];
