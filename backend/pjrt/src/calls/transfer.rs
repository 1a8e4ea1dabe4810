//! Buffers that a client fills piece by piece.

use crate::calls::buffer::BufferHandle;
use crate::calls::device::done;
use crate::calls::host::tensor_of;
use crate::entry::{functions, list};
use crate::error;
use crate::ffi::*;
use crate::handle::Handle;
use crate::machine::{ClientHandle, Machine, MemoryHandle};
use crate::values::element;
use backend::client::buffer::{ArrayType, Buffer, Slot};
use backend::client::memory::Memory;
use backend::client::status::{Result, Status};
use sim_core::Tensor;
use std::sync::{Arc, Mutex, MutexGuard};

/// What C holds of a transfer.
struct Manager {
    machine: Arc<Machine>,
    memory: Arc<Memory>,
    parts: Vec<Part>,
}

struct Part {
    ty: Arc<ArrayType>,
    slot: Arc<Slot>,
    state: Mutex<PartState>,
}

struct PartState {
    /// Until it is asked for.
    buffer: Option<Buffer>,
    /// Until it is complete.
    value: Option<Tensor>,
}

// SAFETY: only `Manager`s are given out as this type.
unsafe impl Handle for Manager {
    type C = PJRT_AsyncHostToDeviceTransferManager;
    const WHAT: &'static str = "the transfer manager";
}

impl Part {
    fn state(&self) -> MutexGuard<'_, PartState> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Manager {
    fn part(&self, index: i32) -> Result<&Part> {
        usize::try_from(index).ok().and_then(|i| self.parts.get(i)).ok_or_else(|| {
            Status::invalid(format!("there is no buffer {index}: the transfer is of {}", self.parts.len()))
        })
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        for part in &self.parts {
            if part.state().value.take().is_some() {
                part.slot
                    .fill(Err(Status::invalid("the transfer was given up before the buffer was complete")));
            }
        }
    }
}

functions! {
    fn PJRT_Client_CreateBuffersForAsyncHostToDevice(args: PJRT_Client_CreateBuffersForAsyncHostToDevice_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let memory = &MemoryHandle::borrow(args.memory)?.memory;
        let mut parts = Vec::new();
        for spec in list(args.shape_specs.cast_const(), args.num_shape_specs) {
            let dims = list(spec.dims, spec.num_dims);
            let sizes: Option<Vec<usize>> = dims.iter().map(|&d| usize::try_from(d).ok()).collect();
            let sizes = sizes.ok_or_else(|| Status::invalid(format!("a buffer of dimensions {dims:?}")))?;
            let ty = machine.client.array(element(spec.element_type)?, dims);
            let value = machine.client.ctx().alloc_zeroed(ty.element, &sizes)?;
            let (buffer, slot) = Buffer::pending(ty.clone(), memory)?;
            let state = Mutex::new(PartState { buffer: Some(buffer), value: Some(value) });
            parts.push(Part { ty, slot, state });
        }
        let manager = Manager { machine: machine.clone(), memory: memory.clone(), parts };
        args.transfer_manager = manager.into_raw();
    }

    fn PJRT_AsyncHostToDeviceTransferManager_Destroy(args: PJRT_AsyncHostToDeviceTransferManager_Destroy_Args) {
        Manager::destroy(args.transfer_manager);
    }

    /// Bytes in our own order, which is dense and row-major.
    fn PJRT_AsyncHostToDeviceTransferManager_TransferData(
        args: PJRT_AsyncHostToDeviceTransferManager_TransferData_Args
    ) {
        let part = Manager::borrow(args.transfer_manager)?.part(args.buffer_index)?;
        let mut state = part.state();
        let value = state.value.as_mut().ok_or_else(|| Status::invalid("the buffer is complete already"))?;
        let (offset, size) = match (usize::try_from(args.offset), usize::try_from(args.transfer_size)) {
            (Ok(offset), Ok(size)) => (offset, size),
            _ => return Err(Status::invalid("a transfer of a negative size, or to a negative offset")),
        };
        let len = value.bytes().len();
        let to = offset.checked_add(size).and_then(|end| value.bytes_mut().get_mut(offset..end)).ok_or_else(|| {
            Status::invalid(format!("{size} bytes to byte {offset} of a buffer of {len} bytes"))
        })?;
        if args.data.is_null() && size > 0 {
            return Err(Status::invalid("the data is null"));
        }
        to.copy_from_slice(list(args.data.cast::<u8>(), size));
        if args.is_last_transfer != 0
            && let Some(value) = state.value.take()
        {
            part.slot.fill(Ok(value));
        }
        args.done_with_h2d_transfer = done();
    }

    fn PJRT_AsyncHostToDeviceTransferManager_TransferLiteral(
        args: PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args
    ) {
        let manager = Manager::borrow(args.transfer_manager)?;
        let part = manager.part(args.buffer_index)?;
        let (element, dims) = (element(args.shape_element_type)?, list(args.shape_dims, args.shape_num_dims));
        if element != part.ty.element || dims != part.ty.dims {
            return Err(Status::invalid(format!(
                "an array {}{dims:?} for a buffer of {}",
                element.hlo_name(),
                part.ty.text
            )));
        }
        let strides = crate::calls::host::strides_of(args.shape_layout, element, dims)?;
        let value = tensor_of(manager.machine.client.ctx(), args.data, element, dims, &strides)?;
        if part.state().value.take().is_none() {
            return Err(Status::invalid("the buffer is complete already"));
        }
        part.slot.fill(Ok(value));
        args.done_with_h2d_transfer = done();
    }

    fn PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer(
        args: PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args
    ) {
        let manager = Manager::borrow(args.transfer_manager)?;
        let buffer = manager.part(args.buffer_index)?.state().buffer.take();
        let buffer = buffer.ok_or_else(|| Status::invalid("the buffer was handed out already"))?;
        args.buffer_out = BufferHandle::new(&manager.machine, buffer).into_raw();
    }

    fn PJRT_AsyncHostToDeviceTransferManager_Device(args: PJRT_AsyncHostToDeviceTransferManager_Device_Args) {
        let manager = Manager::borrow(args.transfer_manager)?;
        args.device_out = manager.machine.device_pointers[manager.memory.device].0;
    }

    fn PJRT_AsyncHostToDeviceTransferManager_BufferCount(
        args: PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args
    ) {
        args.buffer_count = Manager::borrow(args.transfer_manager)?.parts.len();
    }

    fn PJRT_AsyncHostToDeviceTransferManager_BufferSize(args: PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args) {
        let part = Manager::borrow(args.transfer_manager)?.part(args.buffer_index)?;
        let sizes: Vec<usize> = part.ty.dims.iter().map(|&d| d as usize).collect();
        args.buffer_size = sim_core::exec::byte_len(part.ty.element, &sizes)?;
    }

    fn PJRT_AsyncHostToDeviceTransferManager_SetBufferError(
        args: PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args
    ) {
        let part = Manager::borrow(args.transfer_manager)?.part(args.buffer_index)?;
        let outcome = error::outcome(args.error_code, args.error_message, args.error_message_size);
        let why = outcome.err().unwrap_or_else(|| Status::internal("an error with the code OK"));
        part.state().value = None;
        part.slot.fill(Err(why));
    }

    fn PJRT_AsyncHostToDeviceTransferManager_AddMetadata(
        args: PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args
    ) {
        // Notes for a profiler: nobody looks yet.
        Manager::borrow(args.transfer_manager)?;
    }
}
