//! The C declarations of PJRT, version 0.117, as `#[repr(C)]`: structs and enumerations by family, with the names they
//! have in `pjrt_c_api.h`. Nothing here does anything.
//!
//! A struct that a client passes may be older and shorter, or newer and longer, than ours: it begins with its size
//! ([`CStruct`]). `crate::entry` copies what both know. Every field may hold anything: enumerations are open integers,
//! `bool` is a byte, pointers may be null. So zero is a value of every struct.
//!
//! `tests/layout.rs` compares every size and offset with what a C compiler makes of the header.

#![allow(non_camel_case_types, non_upper_case_globals)]

pub mod error;

pub use error::*;

use std::ffi::{c_char, c_void};

/// A struct of the API that begins with its own size in bytes.
///
/// # Safety
/// `#[repr(C)]`, first field `struct_size: usize`, and all zeros is a valid value.
pub unsafe trait CStruct: Copy {
    /// As the header calls it.
    const NAME: &'static str;
    /// Size in bytes without what pads the end (`*_STRUCT_SIZE` of the header).
    const SIZE: usize;
}

/// Where the fields of a struct lie, for the test that compares with the header.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub name: &'static str,
    pub size: usize,
    /// Name, offset, size.
    pub fields: &'static [(&'static str, usize, usize)],
}

/// The head of each extension in the chain of `PJRT_Api` and of args.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PJRT_Extension_Base {
    pub struct_size: usize,
    pub r#type: PJRT_Extension_Type,
    pub next: *mut PJRT_Extension_Base,
}

/// Declares structs that begin with `struct_size` and `extension_start`, and `LAYOUTS` of all of them.
macro_rules! c_structs {
    ($($(#[$meta:meta])* $name:ident { $($field:ident: $ty:ty),* $(,)? })*) => {
        $(
            $(#[$meta])*
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub struct $name {
                pub struct_size: usize,
                pub extension_start: *mut $crate::ffi::PJRT_Extension_Base,
                $(pub $field: $ty,)*
            }

            // SAFETY: repr(C) with the size first; its fields are integers, pointers and options of functions.
            unsafe impl $crate::ffi::CStruct for $name {
                const NAME: &'static str = stringify!($name);
                const SIZE: usize = $crate::ffi::end(&[
                    (std::mem::offset_of!($name, extension_start), size_of::<usize>()),
                    $((std::mem::offset_of!($name, $field), size_of::<$ty>()),)*
                ]);
            }
        )*

        /// Where the fields of this file's structs lie.
        pub const LAYOUTS: &[$crate::ffi::Layout] = &[$($crate::ffi::Layout {
            name: stringify!($name),
            size: size_of::<$name>(),
            fields: &[$((stringify!($field), std::mem::offset_of!($name, $field), size_of::<$ty>()),)*],
        },)*];
    };
}
pub(crate) use c_structs;

/// Declares enumerations as open integers of C's size.
macro_rules! c_enums {
    ($($(#[$meta:meta])* $name:ident { $($variant:ident = $value:expr),* $(,)? })*) => {
        $(
            $(#[$meta])*
            #[repr(transparent)]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $name(pub std::ffi::c_uint);

            impl $name {
                $(pub const $variant: $name = $name($value);)*
            }
        )*
    };
}
pub(crate) use c_enums;

/// The last byte that a field covers.
pub(crate) const fn end(fields: &[(usize, usize)]) -> usize {
    let mut most = 0;
    let mut i = 0;
    while i < fields.len() {
        let at = fields[i].0 + fields[i].1;
        most = if at > most { at } else { most };
        i += 1;
    }
    most
}

c_enums! {
    /// What an extension is; its value is its place in the header's list.
    PJRT_Extension_Type {
        Profiler = 1, CustomPartitioner = 2, Stream = 3, Layouts = 4, Ffi = 5, MemoryDescriptions = 6, RawBuffer = 8,
        PhaseCompile = 9, CrossHostTransfers = 12, ExecutableMetadata = 13, Callback = 14, TpuTopology = 16,
        TpuExecutable = 17, Megascale = 18, Shardings = 19, AbiVersion = 20, Collectives = 21, MultiSlice = 22,
        HostMemoryAllocator = 23, XlaTransform = 24,
    }
}

c_structs! {
    /// The version of the API that a plugin was built for.
    PJRT_Api_Version { major_version: i32, minor_version: i32 }
    /// A key and its value; which member of the union holds, `type` says.
    PJRT_NamedValue {
        name: *const c_char,
        name_size: usize,
        r#type: PJRT_NamedValue_Type,
        value: PJRT_NamedValue_Value,
        value_size: usize,
    }
}

c_enums! {
    PJRT_NamedValue_Type { String = 0, Int64 = 1, Int64List = 2, Float = 3, Bool = 4 }
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

/// Something of a plugin's or a client's that only its owner looks into.
macro_rules! opaque {
    ($($name:ident)*) => {
        $(
            #[repr(C)]
            pub struct $name {
                _private: [u8; 0],
            }
        )*
    };
}

opaque! {
    PJRT_Event PJRT_Client PJRT_Device PJRT_DeviceDescription PJRT_TopologyDescription PJRT_Executable
    PJRT_LoadedExecutable PJRT_Buffer PJRT_AsyncHostToDeviceTransferManager PJRT_ExecuteContext
    PJRT_AsyncTrackingEvent PJRT_CopyToDeviceStream PJRT_FulfillAliasBufferCallback PJRT_MultiSlice_Config
}

/// A pointer to a client's data, of no type known here.
pub type UserArg = *mut c_void;
