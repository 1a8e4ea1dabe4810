//! Programs on their devices.

use crate::calls::device::give;
use crate::calls::executable::ExecutableHandle;
use crate::entry::functions;
use crate::ffi::*;
use crate::handle::{Bytes, Handle, Pointer, delete_bytes};
use crate::machine::Machine;
use backend::client::loaded::Loaded;
use std::sync::Arc;

/// What C holds of a loaded program.
pub struct LoadedHandle {
    pub loaded: Loaded,
    pub machine: Arc<Machine>,
    devices: Box<[Pointer<PJRT_Device>]>,
    logical: Box<[PJRT_LogicalDeviceIds]>,
}

// SAFETY: only `LoadedHandle`s are given out as this type.
unsafe impl Handle for LoadedHandle {
    type C = PJRT_LoadedExecutable;
    const WHAT: &'static str = "the loaded executable";
}

impl LoadedHandle {
    pub fn new(machine: &Arc<Machine>, loaded: Loaded) -> LoadedHandle {
        let partitions = loaded.program().grid.partitions.max(1);
        let logical = |i: usize| PJRT_LogicalDeviceIds {
            replica: (i / partitions) as i32,
            partition: (i % partitions) as i32,
        };
        LoadedHandle {
            devices: loaded.devices().iter().map(|&d| machine.device_pointers[d]).collect(),
            logical: (0..loaded.devices().len()).map(logical).collect(),
            machine: machine.clone(),
            loaded,
        }
    }
}

functions! {
    fn PJRT_LoadedExecutable_Destroy(args: PJRT_LoadedExecutable_Destroy_Args) {
        LoadedHandle::destroy(args.executable);
    }

    fn PJRT_LoadedExecutable_GetExecutable(args: PJRT_LoadedExecutable_GetExecutable_Args) {
        let program = LoadedHandle::borrow(args.loaded_executable)?.loaded.program().clone();
        args.executable = ExecutableHandle::new(program).into_raw();
    }

    fn PJRT_LoadedExecutable_GetDeviceAssignment(args: PJRT_LoadedExecutable_GetDeviceAssignment_Args) {
        let bytes = LoadedHandle::borrow(args.executable)?.loaded.device_assignment().encode();
        (args.serialized_bytes, args.serialized_bytes_size, args.serialized_device_assignment) = Bytes::give(bytes);
        args.serialized_device_assignment_deleter = Some(delete_bytes);
    }

    fn PJRT_LoadedExecutable_AddressableDevices(args: PJRT_LoadedExecutable_AddressableDevices_Args) {
        let devices = &LoadedHandle::borrow(args.executable)?.devices;
        args.addressable_devices = devices.as_ptr().cast();
        args.num_addressable_devices = devices.len();
    }

    fn PJRT_LoadedExecutable_AddressableDeviceLogicalIds(args: PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args) {
        let logical = &LoadedHandle::borrow(args.executable)?.logical;
        args.addressable_device_logical_ids = logical.as_ptr().cast_mut();
        args.num_addressable_device_logical_ids = logical.len();
    }

    fn PJRT_LoadedExecutable_Delete(args: PJRT_LoadedExecutable_Delete_Args) {
        LoadedHandle::borrow(args.executable)?.loaded.delete();
    }

    fn PJRT_LoadedExecutable_IsDeleted(args: PJRT_LoadedExecutable_IsDeleted_Args) {
        args.is_deleted = LoadedHandle::borrow(args.executable)?.loaded.is_deleted().into();
    }

    fn PJRT_LoadedExecutable_Fingerprint(args: PJRT_LoadedExecutable_Fingerprint_Args) {
        let program = LoadedHandle::borrow(args.executable)?.loaded.program();
        give!(&program.fingerprint => args.executable_fingerprint, executable_fingerprint_size);
    }
}
