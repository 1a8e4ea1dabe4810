//! Memory of the host that a client asks the plugin for.

use super::{Shared, base};
use crate::entry::functions;
use crate::ffi::ext::host_memory_allocator::*;
use crate::ffi::*;
use crate::handle::Handle;
use crate::machine::ClientHandle;
use backend::client::status::Status;
use sim_core::Buffer;
use std::ffi::c_void;

pub static EXTENSION: Shared<PJRT_HostMemoryAllocator_Extension> =
    Shared(PJRT_HostMemoryAllocator_Extension {
        base: base::<PJRT_HostMemoryAllocator_Extension>(
            PJRT_Extension_Type::HostMemoryAllocator,
            super::layouts::EXTENSION.pointer(),
        ),
        allocate: Some(allocate),
    });

/// # Safety
/// `owner` is a `deleter_arg` of [`allocate`], not deleted before.
unsafe extern "C" fn free(_: *mut c_void, owner: *mut c_void) {
    if !owner.is_null() {
        // SAFETY: as the caller vouches.
        drop(unsafe { Box::from_raw(owner.cast::<Buffer>()) });
    }
}

functions! {
    fn allocate(args: PJRT_HostMemoryAllocator_Allocate_Args) {
        let ctx = ClientHandle::borrow(args.client)?.0.client.ctx();
        let mut memory = Box::new(ctx.scratch(args.size).map_err(Status::from)?);
        args.ptr = memory.bytes_mut().as_mut_ptr();
        args.deleter = Some(free);
        args.deleter_arg = Box::into_raw(memory).cast();
    }
}
