//! Kinds of memory of devices that need not be there.

use super::{Shared, base};
use crate::calls::device::give;
use crate::entry::functions;
use crate::ffi::ext::memory_descriptions::*;
use crate::ffi::*;
use crate::handle::Handle;
use crate::machine::{DescriptionHandle, MemoryDescription};

pub static EXTENSION: Shared<PJRT_MemoryDescriptions_Extension> = Shared(PJRT_MemoryDescriptions_Extension {
    base: base::<PJRT_MemoryDescriptions_Extension>(
        PJRT_Extension_Type::MemoryDescriptions,
        std::ptr::null_mut(),
    ),
    PJRT_DeviceDescription_MemoryDescriptions: Some(PJRT_DeviceDescription_MemoryDescriptions),
    PJRT_MemoryDescription_Kind: Some(PJRT_MemoryDescription_Kind),
});

functions! {
    fn PJRT_DeviceDescription_MemoryDescriptions(args: PJRT_DeviceDescription_MemoryDescriptions_Args) {
        let memories = &DescriptionHandle::borrow(args.device_description)?.memory_pointers;
        args.memory_descriptions = memories.as_ptr().cast();
        args.num_memory_descriptions = memories.len();
        args.default_memory_index = 0;
    }

    fn PJRT_MemoryDescription_Kind(args: PJRT_MemoryDescription_Kind_Args) {
        let kind = MemoryDescription::borrow(args.memory_description)?.0;
        give!(kind.name() => args.kind, kind_size);
        args.kind_id = kind.id();
    }
}
