//! Buffers: their types, their places, their ends.

use crate::calls::client::place;
use crate::calls::event::EventHandle;
use crate::entry::{functions, list};
use crate::error;
use crate::ffi::*;
use crate::handle::Handle;
use crate::machine::{ClientHandle, DeviceHandle, Machine, MemoryHandle};
use crate::values::{buffer_type, element, sizes};
use backend::client::buffer::{Buffer, Slot};
use backend::client::memory::MemoryKind;
use backend::client::status::{Result, Status};
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// What C holds of a buffer.
pub struct BufferHandle {
    pub buffer: Buffer,
    pub machine: Arc<Machine>,
    /// Others look at its memory, which stays as long as they do.
    external: AtomicUsize,
    layout: OnceLock<LayoutLists>,
}

/// A layout as C reads it without the extension.
struct LayoutLists {
    order: Box<[i64]>,
    tile_dims: Box<[i64]>,
    tile_dim_sizes: Box<[usize]>,
}

// SAFETY: only `BufferHandle`s are given out as this type.
unsafe impl Handle for BufferHandle {
    type C = PJRT_Buffer;
    const WHAT: &'static str = "the buffer";
}

impl BufferHandle {
    pub fn new(machine: &Arc<Machine>, buffer: Buffer) -> BufferHandle {
        BufferHandle {
            machine: machine.clone(),
            external: AtomicUsize::new(0),
            layout: OnceLock::new(),
            buffer,
        }
    }

    fn give(machine: &Arc<Machine>, buffer: Buffer) -> *mut PJRT_Buffer {
        BufferHandle::new(machine, buffer).into_raw()
    }

    /// The address of its first byte, which stays as long as the buffer is not deleted.
    fn address(&self) -> Result<usize> {
        self.buffer.slot()?.address(self.machine.client.ctx())
    }
}

/// An alias that its client has not fulfilled yet.
struct Alias(Arc<Slot>);

// SAFETY: only `Alias`es are given out as this type.
unsafe impl Handle for Alias {
    type C = PJRT_FulfillAliasBufferCallback;
    const WHAT: &'static str = "the alias";
}

/// A donation that waits for its client.
struct Dependency {
    from: Arc<Slot>,
    to: Arc<Slot>,
}

/// # Safety
/// `args` is what `PJRT_Buffer_DonateWithControlDependency` asked to be called with, once.
unsafe extern "C" fn dependency_ready(args: *mut PJRT_Buffer_DonateWithControlDependency_Callback_Args) {
    // SAFETY: as the caller vouches: the data is the dependency that was given to it.
    unsafe {
        let Ok(args) = crate::entry::read(args) else { return };
        if args.callback_data.is_null() {
            return;
        }
        let Dependency { from, to } = *Box::from_raw(args.callback_data.cast::<Dependency>());
        match error::outcome(args.error_code, args.error_message, args.error_message_size) {
            Err(e) => to.fill(Err(e)),
            Ok(()) => {
                let ready = from.ready().clone();
                ready.on_ready(Box::new(move |_| to.fill(from.take())));
            }
        }
    }
}

/// # Safety
/// `dims` is null or points to `len` sizes.
unsafe fn dims<'a>(dims: *const i64, len: usize) -> Result<&'a [i64]> {
    // SAFETY: as the caller vouches.
    let dims = unsafe { list(dims, len) };
    match dims.iter().find(|&&d| d < 0) {
        Some(d) => Err(Status::invalid(format!("a dimension of {d} elements"))),
        None => Ok(dims),
    }
}

functions! {
    fn PJRT_Buffer_Destroy(args: PJRT_Buffer_Destroy_Args) {
        BufferHandle::destroy(args.buffer);
    }

    fn PJRT_Buffer_ElementType(args: PJRT_Buffer_ElementType_Args) {
        args.r#type = buffer_type(BufferHandle::borrow(args.buffer)?.buffer.ty.element);
    }

    fn PJRT_Buffer_Dimensions(args: PJRT_Buffer_Dimensions_Args) {
        let dims = &BufferHandle::borrow(args.buffer)?.buffer.ty.dims;
        (args.dims, args.num_dims) = (dims.as_ptr(), dims.len());
    }

    fn PJRT_Buffer_UnpaddedDimensions(args: PJRT_Buffer_UnpaddedDimensions_Args) {
        let dims = &BufferHandle::borrow(args.buffer)?.buffer.ty.dims;
        (args.unpadded_dims, args.num_dims) = (dims.as_ptr(), dims.len());
    }

    fn PJRT_Buffer_DynamicDimensionIndices(args: PJRT_Buffer_DynamicDimensionIndices_Args) {
        BufferHandle::borrow(args.buffer)?;
        (args.dynamic_dim_indices, args.num_dynamic_dims) = (std::ptr::null(), 0);
    }

    fn PJRT_Buffer_GetMemoryLayout(args: PJRT_Buffer_GetMemoryLayout_Args) {
        let buffer = BufferHandle::borrow(args.buffer)?;
        let layout = &buffer.buffer.ty.layout;
        let lists = buffer.layout.get_or_init(|| LayoutLists {
            order: layout.minor_to_major.iter().copied().collect(),
            tile_dims: layout.tiles.iter().flat_map(|t| t.0.iter().copied()).collect(),
            tile_dim_sizes: layout.tiles.iter().map(|t| t.0.len()).collect(),
        });
        args.layout = PJRT_Buffer_MemoryLayout {
            struct_size: PJRT_Buffer_MemoryLayout::SIZE,
            extension_start: std::ptr::null_mut(),
            value: PJRT_Buffer_MemoryLayout_Value {
                tiled: PJRT_Buffer_MemoryLayout_Tiled {
                    struct_size: PJRT_Buffer_MemoryLayout_Tiled::SIZE,
                    extension_start: std::ptr::null_mut(),
                    minor_to_major: lists.order.as_ptr(),
                    minor_to_major_size: lists.order.len(),
                    tile_dims: lists.tile_dims.as_ptr(),
                    tile_dim_sizes: lists.tile_dim_sizes.as_ptr(),
                    num_tiles: lists.tile_dim_sizes.len(),
                },
            },
            r#type: PJRT_Buffer_MemoryLayout_Type::Tiled,
        };
    }

    fn PJRT_Buffer_OnDeviceSizeInBytes(args: PJRT_Buffer_OnDeviceSizeInBytes_Args) {
        args.on_device_size_in_bytes = BufferHandle::borrow(args.buffer)?.buffer.ty.device_bytes as usize;
    }

    fn PJRT_Buffer_Device(args: PJRT_Buffer_Device_Args) {
        let b = BufferHandle::borrow(args.buffer)?;
        args.device = b.machine.device_pointers[b.buffer.memory.device].0;
    }

    fn PJRT_Buffer_Memory(args: PJRT_Buffer_Memory_Args) {
        let b = BufferHandle::borrow(args.buffer)?;
        args.memory = b.machine.memory_pointer(&b.buffer.memory);
    }

    fn PJRT_Buffer_Delete(args: PJRT_Buffer_Delete_Args) {
        BufferHandle::borrow(args.buffer)?.buffer.delete();
    }

    fn PJRT_Buffer_IsDeleted(args: PJRT_Buffer_IsDeleted_Args) {
        args.is_deleted = BufferHandle::borrow(args.buffer)?.buffer.is_deleted().into();
    }

    fn PJRT_Buffer_IsOnCpu(args: PJRT_Buffer_IsOnCpu_Args) {
        // As on a TPU: what is on the device is to be copied.
        BufferHandle::borrow(args.buffer)?;
        args.is_on_cpu = 0;
    }

    fn PJRT_Buffer_ReadyEvent(args: PJRT_Buffer_ReadyEvent_Args) {
        args.event = EventHandle(BufferHandle::borrow(args.buffer)?.buffer.ready()).into_raw();
    }

    fn PJRT_Buffer_UnsafePointer(args: PJRT_Buffer_UnsafePointer_Args) {
        args.buffer_pointer = BufferHandle::borrow(args.buffer)?.address()?;
    }

    fn PJRT_Buffer_OpaqueDeviceMemoryDataPointer(args: PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args) {
        args.device_memory_ptr = BufferHandle::borrow(args.buffer)?.address()? as *mut c_void;
    }

    fn PJRT_Buffer_IncreaseExternalReferenceCount(args: PJRT_Buffer_IncreaseExternalReferenceCount_Args) {
        BufferHandle::borrow(args.buffer)?.external.fetch_add(1, Ordering::Relaxed);
    }

    fn PJRT_Buffer_DecreaseExternalReferenceCount(args: PJRT_Buffer_DecreaseExternalReferenceCount_Args) {
        let count = &BufferHandle::borrow(args.buffer)?.external;
        let less = |n: usize| n.checked_sub(1);
        if count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err() {
            return Err(Status::invalid("nobody holds an external reference to the buffer"));
        }
    }

    fn PJRT_Buffer_CopyToDevice(args: PJRT_Buffer_CopyToDevice_Args) {
        let b = BufferHandle::borrow(args.buffer)?;
        let device = DeviceHandle::borrow(args.dst_device)?;
        let memory = b.machine.client.memory(device.index, MemoryKind::Device);
        args.dst_buffer = BufferHandle::give(&b.machine, b.machine.client.copy(&b.buffer, memory)?);
    }

    fn PJRT_Buffer_CopyToMemory(args: PJRT_Buffer_CopyToMemory_Args) {
        let b = BufferHandle::borrow(args.buffer)?;
        let memory = &MemoryHandle::borrow(args.dst_memory)?.memory;
        args.dst_buffer = BufferHandle::give(&b.machine, b.machine.client.copy(&b.buffer, memory)?);
    }

    fn PJRT_Buffer_Bitcast(args: PJRT_Buffer_Bitcast_Args) {
        let b = BufferHandle::borrow(args.buffer)?;
        let (element, dims) = (element(args.element_type)?, dims(args.dims, args.num_dims)?);
        let bytes = |e: sim_core::ElementType, d: &[usize]| sim_core::exec::byte_len(e, d);
        let to = sizes(dims)?;
        if bytes(element, &to)? != bytes(b.buffer.ty.element, &sizes(&b.buffer.ty.dims)?)? {
            return Err(Status::invalid(format!(
                "{} as {}{dims:?}: the bytes are not as many",
                b.buffer.ty.text,
                element.hlo_name()
            )));
        }
        let slot = b.buffer.slot()?;
        let (buffer, out) = Buffer::pending(b.machine.client.array(element, dims), &b.buffer.memory)?;
        slot.ready().clone().on_ready(Box::new(move |_| out.fill(slot.get().map(|t| t.recast(element, &to)))));
        args.out_buffer = BufferHandle::give(&b.machine, buffer);
    }

    fn PJRT_Buffer_DonateWithControlDependency(args: PJRT_Buffer_DonateWithControlDependency_Args) {
        let b = BufferHandle::borrow(args.buffer)?;
        let from = b.buffer.donate()?;
        let (buffer, to) = Buffer::in_place_of(&from, b.buffer.ty.clone(), &b.buffer.memory)?;
        args.callback_data = Box::into_raw(Box::new(Dependency { from, to })).cast();
        args.dependency_ready_callback = Some(dependency_ready);
        args.out_buffer = BufferHandle::give(&b.machine, buffer);
    }

    fn PJRT_Client_CreateUninitializedBuffer(args: PJRT_Client_CreateUninitializedBuffer_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let dims = dims(args.shape_dims, args.shape_num_dims)?;
        let memory = place(args.memory, args.device)?;
        let value = machine.client.ctx().alloc_zeroed(element(args.shape_element_type)?, &sizes(dims)?)?;
        args.buffer = BufferHandle::give(machine, machine.client.put(&memory, value)?);
    }

    fn PJRT_Client_CreateErrorBuffer(args: PJRT_Client_CreateErrorBuffer_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let ty = machine.client.array(element(args.shape_element_type)?, dims(args.shape_dims, args.shape_num_dims)?);
        let memory = place(args.memory, std::ptr::null_mut())?;
        let why = error::outcome(args.error_code, args.error_message, args.error_message_size);
        let why = why.err().unwrap_or_else(|| Status::internal("an error buffer without an error"));
        args.buffer = BufferHandle::give(machine, Buffer::failed(ty, &memory, why));
    }

    fn PJRT_Client_CreateAliasBuffer(args: PJRT_Client_CreateAliasBuffer_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let ty = machine.client.array(element(args.shape_element_type)?, dims(args.shape_dims, args.shape_num_dims)?);
        let (buffer, slot) = Buffer::pending(ty, &place(args.memory, std::ptr::null_mut())?)?;
        args.alias_buffer = BufferHandle::give(machine, buffer);
        args.fulfill_alias_buffer_cb = Alias(slot).into_raw();
    }

    fn PJRT_Client_FulfillAliasBuffer(args: PJRT_Client_FulfillAliasBuffer_Args) {
        let slot = Alias::borrow(args.fulfill_alias_buffer_cb)?.0.clone();
        match error::outcome(args.status_code, args.error_message, args.error_message_size) {
            Err(e) => slot.fill(Err(e)),
            Ok(()) => {
                let from = BufferHandle::borrow(args.buffer)?.buffer.slot()?;
                from.ready().clone().on_ready(Box::new(move |_| slot.fill(from.get())));
            }
        }
        Alias::destroy(args.fulfill_alias_buffer_cb);
    }

    fn PJRT_Client_CreateViewOfDeviceBuffer(_args: PJRT_Client_CreateViewOfDeviceBuffer_Args) {
        return Err(Status::unimplemented(
            "PJRT_Client_CreateViewOfDeviceBuffer: memory that another library owns cannot be a TPU's; copy the array to the device",
        ));
    }
}
