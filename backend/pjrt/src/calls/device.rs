//! Devices, their descriptions, their memories.

use crate::calls::event::EventHandle;
use crate::entry::functions;
use crate::ffi::*;
use crate::handle::Handle;
use crate::machine::{DescriptionHandle, DeviceHandle, MemoryHandle};
use backend::client::event::Event;

/// A length and a pointer to text that lives as long as its owner.
macro_rules! give {
    ($text:expr => $args:ident.$data:ident, $size:ident) => {{
        let text: &str = $text;
        $args.$data = text.as_ptr().cast();
        $args.$size = text.len();
    }};
}
pub(crate) use give;

/// Work that a client wants to be seen: nobody looks yet.
struct TrackingEvent(#[allow(dead_code)] String);

// SAFETY: only `TrackingEvent`s are given out as this type.
unsafe impl Handle for TrackingEvent {
    type C = PJRT_AsyncTrackingEvent;
    const WHAT: &'static str = "the tracking event";
}

unsafe extern "C" fn keep_attributes(_: *mut PJRT_Device_Attributes) {}

functions! {
    fn PJRT_DeviceDescription_Id(args: PJRT_DeviceDescription_Id_Args) {
        args.id = int(DescriptionHandle::borrow(args.device_description)?.description.id);
    }

    fn PJRT_DeviceDescription_ProcessIndex(args: PJRT_DeviceDescription_ProcessIndex_Args) {
        args.process_index = int(DescriptionHandle::borrow(args.device_description)?.description.process_index);
    }

    fn PJRT_DeviceDescription_Attributes(args: PJRT_DeviceDescription_Attributes_Args) {
        let attributes = &DescriptionHandle::borrow(args.device_description)?.attributes;
        args.attributes = attributes.as_ptr();
        args.num_attributes = attributes.count();
    }

    fn PJRT_DeviceDescription_Kind(args: PJRT_DeviceDescription_Kind_Args) {
        let d = DescriptionHandle::borrow(args.device_description)?;
        give!(d.description.kind => args.device_kind, device_kind_size);
    }

    fn PJRT_DeviceDescription_DebugString(args: PJRT_DeviceDescription_DebugString_Args) {
        let d = DescriptionHandle::borrow(args.device_description)?;
        give!(&d.debug => args.debug_string, debug_string_size);
    }

    fn PJRT_DeviceDescription_ToString(args: PJRT_DeviceDescription_ToString_Args) {
        let d = DescriptionHandle::borrow(args.device_description)?;
        give!(&d.display => args.to_string, to_string_size);
    }

    fn PJRT_Device_GetDescription(args: PJRT_Device_GetDescription_Args) {
        args.device_description = DeviceHandle::borrow(args.device)?.description.0;
    }

    fn PJRT_Device_IsAddressable(args: PJRT_Device_IsAddressable_Args) {
        // All devices are of this process.
        DeviceHandle::borrow(args.device)?;
        args.is_addressable = 1;
    }

    fn PJRT_Device_LocalHardwareId(args: PJRT_Device_LocalHardwareId_Args) {
        args.local_hardware_id = DeviceHandle::borrow(args.device)?.local_hardware_id;
    }

    fn PJRT_Device_AddressableMemories(args: PJRT_Device_AddressableMemories_Args) {
        let memories = &DeviceHandle::borrow(args.device)?.memories;
        args.memories = memories.as_ptr().cast();
        args.num_memories = memories.len();
    }

    fn PJRT_Device_DefaultMemory(args: PJRT_Device_DefaultMemory_Args) {
        args.memory = DeviceHandle::borrow(args.device)?.memories[0].0;
    }

    fn PJRT_Device_MemoryStats(args: PJRT_Device_MemoryStats_Args) {
        let hbm = &DeviceHandle::borrow(args.device)?.hbm;
        let stats = hbm.stats();
        let count = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        args.bytes_in_use = count(stats.in_use);
        (args.peak_bytes_in_use, args.peak_bytes_in_use_is_set) = (count(stats.peak), 1);
        (args.num_allocs, args.num_allocs_is_set) = (count(stats.allocations), 1);
        (args.largest_alloc_size, args.largest_alloc_size_is_set) = (count(stats.largest), 1);
        (args.bytes_limit, args.bytes_limit_is_set) = (count(hbm.limit), 1);
        (args.bytes_reserved, args.bytes_reserved_is_set) = (0, 1);
        (args.peak_bytes_reserved, args.peak_bytes_reserved_is_set) = (0, 1);
        (args.bytes_reservable_limit, args.bytes_reservable_limit_is_set) = (count(hbm.limit), 1);
        let free = hbm.limit.saturating_sub(stats.in_use);
        (args.largest_free_block_bytes, args.largest_free_block_bytes_is_set) = (count(free), 1);
        // There is no pool.
        (args.pool_bytes_is_set, args.peak_pool_bytes_is_set, args.peak_allocated_bytes_is_set) = (0, 0, 0);
    }

    fn PJRT_Device_ClearMemoryStats(args: PJRT_Device_ClearMemoryStats_Args) {
        DeviceHandle::borrow(args.device)?.hbm.clear_stats();
    }

    fn PJRT_Device_PoisonExecution(args: PJRT_Device_PoisonExecution_Args) {
        // Launches are not known by their ids: none is found unfinished.
        DeviceHandle::borrow(args.device)?;
        args.poisoned = 0;
    }

    fn PJRT_Device_GetAttributes(args: PJRT_Device_GetAttributes_Args) {
        let attributes = &DeviceHandle::borrow(args.device)?.attributes;
        args.attributes = attributes.as_ptr();
        args.num_attributes = attributes.count();
        // They live with the device; a client may insist on an owner to delete.
        args.device_attributes = args.device.cast();
        args.attributes_deleter = Some(keep_attributes);
    }

    fn PJRT_Device_CreateAsyncTrackingEvent(args: PJRT_Device_CreateAsyncTrackingEvent_Args) {
        DeviceHandle::borrow(args.device)?;
        let description = crate::entry::text(args.description, args.description_size)?;
        args.event = TrackingEvent(description.to_owned()).into_raw();
    }

    fn PJRT_AsyncTrackingEvent_Destroy(args: PJRT_AsyncTrackingEvent_Destroy_Args) {
        TrackingEvent::destroy(args.event);
    }

    fn PJRT_Memory_Id(args: PJRT_Memory_Id_Args) {
        args.id = MemoryHandle::borrow(args.memory)?.memory.id;
    }

    fn PJRT_Memory_Kind(args: PJRT_Memory_Kind_Args) {
        give!(MemoryHandle::borrow(args.memory)?.memory.kind.name() => args.kind, kind_size);
    }

    fn PJRT_Memory_Kind_Id(args: PJRT_Memory_Kind_Id_Args) {
        args.kind_id = MemoryHandle::borrow(args.memory)?.memory.kind.id();
    }

    fn PJRT_Memory_DebugString(args: PJRT_Memory_DebugString_Args) {
        give!(&MemoryHandle::borrow(args.memory)?.debug => args.debug_string, debug_string_size);
    }

    fn PJRT_Memory_ToString(args: PJRT_Memory_ToString_Args) {
        give!(&MemoryHandle::borrow(args.memory)?.display => args.to_string, to_string_size);
    }

    fn PJRT_Memory_AddressableByDevices(args: PJRT_Memory_AddressableByDevices_Args) {
        let device = &MemoryHandle::borrow(args.memory)?.device;
        args.devices = device.as_ptr().cast();
        args.num_devices = device.len();
    }
}

/// Ids are small: there are fewer devices than fit.
pub fn int(id: i64) -> i32 {
    i32::try_from(id).unwrap_or(-1)
}

/// An event for C that is over.
pub fn done() -> *mut PJRT_Event {
    EventHandle(Event::done(Ok(()))).into_raw()
}
