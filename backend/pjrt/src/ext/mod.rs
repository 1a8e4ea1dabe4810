//! Extensions that are offered, and their chain.

pub mod host_memory;
pub mod layouts;
pub mod memory_descriptions;
pub mod shardings;

use crate::ffi::{CStruct, PJRT_Extension_Base, PJRT_Extension_Type};

/// The head of an extension of type `T` before `next`.
pub(crate) const fn base<T: CStruct>(
    r#type: PJRT_Extension_Type,
    next: *mut PJRT_Extension_Base,
) -> PJRT_Extension_Base {
    PJRT_Extension_Base { struct_size: T::SIZE, r#type, next }
}

/// An extension that C reads.
#[repr(transparent)]
pub struct Shared<T>(T);

// SAFETY: extensions are never written, and what they point to are functions and other extensions.
unsafe impl<T> Sync for Shared<T> {}

impl<T: CStruct> Shared<T> {
    const fn pointer(&'static self) -> *mut PJRT_Extension_Base {
        (&raw const self.0).cast_mut().cast()
    }
}

/// The first of the chain.
pub const fn chain() -> *mut PJRT_Extension_Base {
    host_memory::EXTENSION.pointer()
}
