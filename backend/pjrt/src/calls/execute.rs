//! Runs: arguments in, results out at once, the host's callbacks in between.

use crate::calls::buffer::BufferHandle;
use crate::calls::event::EventHandle;
use crate::calls::loaded::LoadedHandle;
use crate::calls::stream::Stream;
use crate::entry::{functions, list, read};
use crate::error;
use crate::ffi::*;
use crate::handle::Handle;
use crate::machine::{DeviceHandle, Machine};
use backend::client::buffer::Buffer;
use backend::client::loaded::{Host, Launch};
use backend::client::status::{Result, Status};
use backend::runtime::HostTransfers;
use sim_core::{Diagnostic, ErrorKind, Tensor, Type};
use std::ffi::{CStr, c_void};
use std::sync::Arc;

/// A context of a run holds nothing here.
struct Context;

// SAFETY: only `Context`s are given out as this type.
unsafe impl Handle for Context {
    type C = PJRT_ExecuteContext;
    const WHAT: &'static str = "the execute context";
}

/// A client's callbacks for one run, by device.
struct ClientHost {
    machine: Arc<Machine>,
    sends: Vec<Vec<PJRT_SendCallbackInfo>>,
    recvs: Vec<Vec<PJRT_RecvCallbackInfo>>,
}

// SAFETY: the client lets its callbacks be called on any thread, until the run is over.
unsafe impl Send for ClientHost {}
// SAFETY: likewise.
unsafe impl Sync for ClientHost {}

unsafe extern "C" fn delete_chunk(_: *mut c_void, owner: *mut c_void) {
    if !owner.is_null() {
        // SAFETY: the owner is the boxed tensor of the chunk, which is deleted once.
        drop(unsafe { Box::from_raw(owner.cast::<Tensor>()) });
    }
}

fn no_callback(what: &str, channel: i64, device: usize) -> Diagnostic {
    Diagnostic::invalid(format!(
        "{what} on channel {channel}: the client gave device {device} no callback for it"
    ))
}

/// What a status says, as the run's error.
fn refused(channel: i64, e: &Status) -> Diagnostic {
    // As XLA:CPU has it: it is the host that failed, not what was asked for.
    Diagnostic::new(
        ErrorKind::Internal,
        format!("the host's callback on channel {channel} failed: {}", e.message),
    )
}

impl HostTransfers for ClientHost {
    fn send(&self, device: usize, channel: i64, values: Vec<Tensor>) -> sim_core::Result<()> {
        let info = self.sends.get(device).and_then(|l| l.iter().find(|i| i.channel_id == channel));
        let info = info.ok_or_else(|| no_callback("send", channel, device))?;
        let callback = info.send_callback.ok_or_else(|| no_callback("send", channel, device))?;
        for value in values {
            let value = Box::new(value);
            let (data, size) = (value.bytes().as_ptr().cast_mut().cast::<c_void>(), value.bytes().len());
            let mut chunk = PJRT_Chunk {
                data,
                size,
                deleter: Some(delete_chunk),
                deleter_arg: Box::into_raw(value).cast(),
            };
            let mut make_error: PJRT_CallbackError = Some(error::from_callback);
            // SAFETY: the client's callback with its own argument; it deletes the chunk.
            let outcome =
                unsafe { error::take(callback(&raw mut chunk, &raw mut make_error, size, 1, info.user_arg)) };
            outcome.map_err(|e| refused(channel, &e))?;
        }
        Ok(())
    }

    fn recv(&self, device: usize, channel: i64, types: &[&Type]) -> sim_core::Result<Vec<Tensor>> {
        let info = self.recvs.get(device).and_then(|l| l.iter().find(|i| i.channel_id == channel));
        let info = info.ok_or_else(|| no_callback("recv", channel, device))?;
        let callback = info.recv_callback.ok_or_else(|| no_callback("recv", channel, device))?;
        let mut out = Vec::new();
        for ty in types {
            let shape = ty.as_tensor().and_then(|t| Some((t.element, t.static_dims()?)));
            let (element, dims) =
                shape.ok_or_else(|| Diagnostic::unsupported(format!("recv of {ty} from the host")))?;
            let mut value = self.machine.client.ctx().alloc(element, &dims)?;
            let stream = Stream::new(value.bytes().len());
            // SAFETY: the client's callback with its own argument; it owns the stream that it gets.
            unsafe { callback(stream.clone().into_raw(), info.user_arg) };
            let bytes = stream.wait().map_err(|e| refused(channel, &e))?;
            value.bytes_mut().copy_from_slice(&bytes);
            out.push(value);
        }
        Ok(out)
    }
}

/// The client's callbacks, if it gave any.
///
/// # Safety
/// The lists of the options hold as many as they say, for `devices` devices.
unsafe fn host(machine: &Arc<Machine>, options: &PJRT_ExecuteOptions, devices: usize) -> Option<Host> {
    if options.num_send_ops == 0 && options.num_recv_ops == 0 {
        return None;
    }
    // SAFETY: as the caller vouches.
    unsafe {
        let sends =
            list(options.send_callbacks.cast_const(), if options.num_send_ops == 0 { 0 } else { devices });
        let recvs =
            list(options.recv_callbacks.cast_const(), if options.num_recv_ops == 0 { 0 } else { devices });
        Some(Box::new(ClientHost {
            machine: machine.clone(),
            sends: sends.iter().map(|&l| list(l.cast_const(), options.num_send_ops).to_vec()).collect(),
            recvs: recvs.iter().map(|&l| list(l.cast_const(), options.num_recv_ops).to_vec()).collect(),
        }))
    }
}

functions! {
    fn PJRT_ExecuteContext_Create(args: PJRT_ExecuteContext_Create_Args) {
        args.context = Context.into_raw();
    }

    fn PJRT_ExecuteContext_Destroy(args: PJRT_ExecuteContext_Destroy_Args) {
        Context::destroy(args.context);
    }

    fn PJRT_LoadedExecutable_Execute(args: PJRT_LoadedExecutable_Execute_Args) {
        let handle = LoadedHandle::borrow(args.executable)?;
        let machine = &handle.machine;
        let options = read(args.options)?;
        let rows = list(args.argument_lists, args.num_devices);
        let mut arguments: Vec<Vec<&Buffer>> = Vec::with_capacity(args.num_devices);
        if args.num_args == 0 {
            arguments.resize(args.num_devices, Vec::new());
        }
        for &row in rows.iter().filter(|_| args.num_args > 0) {
            let buffer = |&p: &*mut PJRT_Buffer| Ok(&BufferHandle::borrow(p)?.buffer);
            arguments.push(list(row, args.num_args).iter().map(buffer).collect::<Result<_>>()?);
        }
        let keep = list(options.non_donatable_input_indices, options.num_non_donatable_input_indices);
        let location = (!options.call_location.is_null())
            .then(|| CStr::from_ptr(options.call_location).to_string_lossy().into_owned());
        let on = match args.execute_device.is_null() {
            true => None,
            false => Some(DeviceHandle::borrow(args.execute_device)?.index),
        };
        let launched = handle.loaded.launch(Launch {
            arguments,
            keep: keep.iter().filter_map(|&i| usize::try_from(i).ok()).collect(),
            host: host(machine, &options, args.num_devices),
            location: location.filter(|l| !l.is_empty()),
            on,
        })?;
        let outputs = list(args.output_lists, args.num_devices);
        for (row, &to) in launched.results.into_iter().zip(outputs) {
            for (i, buffer) in row.into_iter().enumerate() {
                to.add(i).write(BufferHandle::new(machine, buffer).into_raw());
            }
        }
        if !args.device_complete_events.is_null() {
            for (i, event) in launched.done.into_iter().enumerate() {
                args.device_complete_events.add(i).write(EventHandle(event).into_raw());
            }
        }
    }
}
