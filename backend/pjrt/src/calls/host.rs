//! Arrays from the host and back to it.

use crate::calls::buffer::BufferHandle;
use crate::calls::client::place;
use crate::calls::device::done;
use crate::calls::event::EventHandle;
use crate::entry::{functions, list, read, read_whole};
use crate::ffi::*;
use crate::handle::{Handle, Pointer};
use crate::machine::ClientHandle;
use crate::values::{element, sizes};
use backend::client::event::Event;
use backend::client::host;
use backend::client::status::{Result, Status};
use sim_core::{Ctx, ElementType, Tensor};
use std::ffi::c_void;

/// A tensor of a client's array.
///
/// # Safety
/// All that `dims` and `byte_strides` reach from `data` can be read.
pub unsafe fn tensor_of(
    ctx: &Ctx,
    data: *const c_void,
    element: ElementType,
    dims: &[i64],
    byte_strides: &[i64],
) -> Result<Tensor> {
    let extents = sizes(dims)?;
    let dense;
    let strides = match byte_strides.is_empty() {
        true => {
            dense = host::row_major_strides(&extents, element.byte_size()).ok_or_else(|| too_large(dims))?;
            &dense
        }
        false => byte_strides,
    };
    if strides.len() != dims.len() {
        return Err(Status::invalid(format!("{} strides for {} dimensions", strides.len(), dims.len())));
    }
    let (below, above) =
        host::extent(&extents, strides, element.byte_size()).ok_or_else(|| too_large(dims))?;
    if data.is_null() && below + above > 0 {
        return Err(Status::invalid("the array's data is null"));
    }
    // SAFETY: the caller vouches for all that the strides reach, which is this range.
    let bytes = unsafe { list(data.cast::<u8>().wrapping_sub(below), below + above) };
    host::gather(bytes, below, strides, element, &extents, ctx)
}

fn too_large(dims: &[i64]) -> Status {
    Status::invalid(format!("an array of dimensions {dims:?} and its strides leave the address space"))
}

/// The strides in bytes that a client wants its array in.
///
/// # Safety
/// `layout` is null or holds.
pub unsafe fn strides_of(
    layout: *const PJRT_Buffer_MemoryLayout,
    element: ElementType,
    dims: &[i64],
) -> Result<Vec<i64>> {
    let (size, extents) = (element.byte_size(), sizes(dims)?);
    if layout.is_null() {
        return host::row_major_strides(&extents, size).ok_or_else(|| too_large(dims));
    }
    // SAFETY: as the caller vouches; the member of the union is the one that the type names.
    unsafe {
        let layout = read_whole(layout)?;
        if layout.r#type == PJRT_Buffer_MemoryLayout_Type::Strides {
            let s = layout.value.strides;
            return Ok(list(s.byte_strides, s.num_byte_strides).to_vec());
        }
        let t = layout.value.tiled;
        if t.num_tiles != 0 {
            return Err(Status::unimplemented("an array for the host in tiles; ask for one without"));
        }
        let order = list(t.minor_to_major, t.minor_to_major_size);
        host::dense_strides(&extents, order, size).ok_or_else(|| {
            Status::invalid(format!("the order {order:?} for an array of dimensions {dims:?}"))
        })
    }
}

/// Where a copy for the client goes.
struct Destination {
    at: Pointer<c_void>,
    size: usize,
    strides: Vec<i64>,
}

impl Destination {
    fn write(&self, value: &Tensor) -> Result<()> {
        // The client keeps so many bytes for this until the event is set, and looks at none before.
        let bytes: &mut [u8] = match self.size {
            0 => &mut [],
            // SAFETY: so does it; they are more than none, so that the pointer holds.
            _ => unsafe { std::slice::from_raw_parts_mut(self.at.0.cast::<u8>(), self.size) },
        };
        host::scatter(value, &self.strides, bytes, 0)
    }
}

functions! {
    fn PJRT_Client_BufferFromHostBuffer(args: PJRT_Client_BufferFromHostBuffer_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let (element, dims) = (element(args.r#type)?, list(args.dims, args.num_dims));
        let strides = list(args.byte_strides, args.num_byte_strides);
        let memory = place(args.memory, args.device)?;
        let value = tensor_of(machine.client.ctx(), args.data, element, dims, strides)?;
        let buffer = machine.client.put(&memory, value)?;
        // Copied: whatever the client promised of its array, it is free now.
        args.done_with_host_buffer = done();
        args.buffer = BufferHandle::new(machine, buffer).into_raw();
    }

    fn PJRT_Buffer_ToHostBuffer(args: PJRT_Buffer_ToHostBuffer_Args) {
        let b = BufferHandle::borrow(args.src)?;
        let ty = &b.buffer.ty;
        let strides = strides_of(args.host_layout, ty.element, &ty.dims)?;
        let extent = host::extent(&sizes(&ty.dims)?, &strides, ty.element.byte_size());
        let (below, size) = extent.ok_or_else(|| Status::invalid("the host's layout leaves the address space"))?;
        if below > 0 {
            return Err(Status::unimplemented("an array for the host with negative strides"));
        }
        if args.dst.is_null() {
            // A question for the size; of nothing, there is nothing to copy either.
            args.dst_size = size;
            if size == 0 {
                args.event = done();
            }
            return Ok(());
        }
        if args.dst_size < size {
            return Err(Status::invalid(format!("{} takes {size} bytes, and there is room for {}", ty.text, args.dst_size)));
        }
        let slot = b.buffer.slot()?;
        let to = Destination { at: Pointer(args.dst), size, strides };
        let event = Event::new();
        args.event = EventHandle(event.clone()).into_raw();
        let ready = slot.ready().clone();
        ready.on_ready(Box::new(move |_| {
            let to = to;
            let outcome = crate::entry::caught(|| slot.get().and_then(|value| to.write(&value)));
            event.set(outcome);
        }));
    }

    fn PJRT_Buffer_CopyRawToHost(args: PJRT_Buffer_CopyRawToHost_Args) {
        let b = BufferHandle::borrow(args.buffer)?;
        let slot = b.buffer.slot()?;
        let (offset, size) = raw_range(args.offset, args.transfer_size)?;
        let to = Destination { at: Pointer(args.dst), size, strides: Vec::new() };
        let event = Event::new();
        args.event = EventHandle(event.clone()).into_raw();
        slot.ready().clone().on_ready(Box::new(move |_| {
            let to = to;
            event.set(slot.get().and_then(|value| raw_copy(&value, offset, &to)));
        }));
    }

    fn PJRT_Buffer_CopyRawToHostFuture(args: PJRT_Buffer_CopyRawToHostFuture_Args) {
        let b = BufferHandle::borrow(args.buffer)?;
        let slot = b.buffer.slot()?;
        let (offset, size) = raw_range(args.offset, args.transfer_size)?;
        let event = Event::new();
        args.event = EventHandle(event.clone()).into_raw();
        args.callback_data = Box::into_raw(Box::new(RawCopy { slot, offset, size, event })).cast();
        args.future_ready_callback = Some(future_ready);
    }
}

/// A copy whose destination its client does not know yet.
struct RawCopy {
    slot: std::sync::Arc<backend::client::buffer::Slot>,
    offset: usize,
    size: usize,
    event: Event,
}

/// # Safety
/// `args` is what `PJRT_Buffer_CopyRawToHostFuture` asked to be called with, once.
unsafe extern "C" fn future_ready(args: *mut PJRT_Buffer_CopyRawToHostFuture_Callback_Args) {
    // SAFETY: as the caller vouches: the data is the copy that was given to it.
    unsafe {
        let Ok(args) = read(args) else { return };
        if args.callback_data.is_null() {
            return;
        }
        let RawCopy { slot, offset, size, event } = *Box::from_raw(args.callback_data.cast::<RawCopy>());
        if let Err(e) = crate::error::outcome(args.error_code, args.error_message, args.error_message_size) {
            event.set(Err(e));
            return;
        }
        let to = Destination { at: Pointer(args.dst), size, strides: Vec::new() };
        slot.ready().clone().on_ready(Box::new(move |_| {
            let to = to;
            event.set(slot.get().and_then(|value| raw_copy(&value, offset, &to)));
        }));
    }
}

fn raw_range(offset: i64, size: i64) -> Result<(usize, usize)> {
    match (usize::try_from(offset), usize::try_from(size)) {
        (Ok(offset), Ok(size)) => Ok((offset, size)),
        _ => Err(Status::invalid(format!("a copy of {size} bytes from byte {offset}"))),
    }
}

/// Bytes in our own order, which is dense and row-major.
fn raw_copy(value: &Tensor, offset: usize, to: &Destination) -> Result<()> {
    let bytes = value.bytes();
    let from = offset.checked_add(to.size).and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
        Status::invalid(format!("{} bytes from byte {offset} of a buffer of {}", to.size, bytes.len()))
    })?;
    if !from.is_empty() {
        // SAFETY: the client keeps so many bytes for this until the event is set.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to.at.0.cast::<u8>(), from.len()) };
    }
    Ok(())
}
