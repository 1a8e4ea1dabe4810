//! The client: made from the environment, it compiles, and names its devices.

use crate::calls::device::{give, int};
use crate::calls::executable::ExecutableHandle;
use crate::calls::loaded::LoadedHandle;
use crate::entry::{functions, list, read, text};
use crate::ffi::*;
use crate::handle::Handle;
use crate::machine::{ClientHandle, DeviceHandle, Machine};
use crate::settings;
use backend::client::device::Client;
use backend::client::loaded::Loaded;
use backend::client::program::{Program, Target};
use backend::client::status::{Code, Result, Status};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// The name under which clients look for TPUs.
pub const PLATFORM: &str = "tpu";

/// How long the end of a client waits for work that runs.
const PATIENCE: Duration = Duration::from_secs(10);

/// The program's bytes; a format that is not read here is refused by its name.
///
/// # Safety
/// As for `read`, and the pointers in it hold.
pub unsafe fn code<'a>(program: *const PJRT_Program) -> Result<Cow<'a, [u8]>> {
    // SAFETY: as the caller vouches.
    unsafe {
        let program = read(program)?;
        let format = text(program.format, program.format_size)?;
        if !matches!(format, "mlir" | "hlo" | "hlo_with_config") {
            return Err(Status::unimplemented(format!(
                "a program in the format {format:?}; mlir, hlo and hlo_with_config are read"
            )));
        }
        let code = list(program.code.cast_const().cast::<u8>(), program.code_size);
        match format {
            "hlo_with_config" => Ok(Cow::Owned(backend::client::hlo::module_of(code)?)),
            _ => Ok(Cow::Borrowed(code)),
        }
    }
}

functions! {
    fn PJRT_Client_Create(args: PJRT_Client_Create_Args) {
        // The callbacks to a store of keys are not looked at: without a cluster they are not even set.
        let settings = settings::from_environment();
        let client = settings.and_then(|s| Client::new(s.topology, s.options)).inspect_err(settings::lament)?;
        settings::announce(&client);
        args.client = ClientHandle(Machine::new(client)).into_raw();
    }

    fn PJRT_Client_Destroy(args: PJRT_Client_Destroy_Args) {
        if let Ok(client) = ClientHandle::borrow(args.client) {
            if client.0.process != std::process::id() {
                // A fork: whom its copy of the client waits for runs in the process that made it.
                return Ok(());
            }
            // Work that waits for the client itself, such as for a callback into a Python that ends, never comes to an end.
            client.0.client.drain(PATIENCE);
        }
        ClientHandle::destroy(args.client);
    }

    fn PJRT_Client_PlatformName(args: PJRT_Client_PlatformName_Args) {
        ClientHandle::borrow(args.client)?;
        give!(PLATFORM => args.platform_name, platform_name_size);
    }

    fn PJRT_Client_ProcessIndex(args: PJRT_Client_ProcessIndex_Args) {
        ClientHandle::borrow(args.client)?;
        args.process_index = 0;
    }

    fn PJRT_Client_PlatformVersion(args: PJRT_Client_PlatformVersion_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        give!(&machine.topology.platform_version => args.platform_version, platform_version_size);
    }

    fn PJRT_Client_TopologyDescription(args: PJRT_Client_TopologyDescription_Args) {
        args.topology = ClientHandle::borrow(args.client)?.0.topology.as_raw();
    }

    fn PJRT_Client_Devices(args: PJRT_Client_Devices_Args) {
        let devices = &ClientHandle::borrow(args.client)?.0.device_pointers;
        args.devices = devices.as_ptr().cast();
        args.num_devices = devices.len();
    }

    fn PJRT_Client_AddressableDevices(args: PJRT_Client_AddressableDevices_Args) {
        let devices = &ClientHandle::borrow(args.client)?.0.device_pointers;
        args.addressable_devices = devices.as_ptr().cast();
        args.num_addressable_devices = devices.len();
    }

    fn PJRT_Client_LookupDevice(args: PJRT_Client_LookupDevice_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let device = machine.client.device_by_id(args.id.into());
        let device = device.ok_or_else(|| no_device(machine, "id", args.id))?;
        args.device = machine.device_pointers[device].0;
    }

    fn PJRT_Client_LookupAddressableDevice(args: PJRT_Client_LookupAddressableDevice_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let device = machine.devices.iter().find(|d| d.local_hardware_id == args.local_hardware_id);
        let device = device.ok_or_else(|| no_device(machine, "local hardware id", args.local_hardware_id))?;
        args.addressable_device = device.as_raw();
    }

    fn PJRT_Client_AddressableMemories(args: PJRT_Client_AddressableMemories_Args) {
        let memories = &ClientHandle::borrow(args.client)?.0.memory_pointers;
        args.addressable_memories = memories.as_ptr().cast();
        args.num_addressable_memories = memories.len();
    }

    fn PJRT_Client_UpdateGlobalProcessInfo(args: PJRT_Client_UpdateGlobalProcessInfo_Args) {
        // There is one process, and it knows that it is alive.
        ClientHandle::borrow(args.client)?;
    }

    fn PJRT_Client_Compile(args: PJRT_Client_Compile_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let options = list(args.compile_options.cast::<u8>(), args.compile_options_size);
        let program = machine.client.compile(&code(args.program)?, options)?;
        let loaded = Loaded::new(&machine.client, Arc::new(program))?;
        args.executable = LoadedHandle::new(machine, loaded).into_raw();
    }

    fn PJRT_Client_Load(args: PJRT_Client_Load_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let program = &ExecutableHandle::borrow(args.executable)?.program;
        let loaded = Loaded::new(&machine.client, program.clone())?;
        args.loaded_executable = LoadedHandle::new(machine, loaded).into_raw();
    }

    fn PJRT_Executable_DeserializeAndLoad(args: PJRT_Executable_DeserializeAndLoad_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let bytes = list(args.serialized_executable.cast::<u8>(), args.serialized_executable_size);
        let size = args.overridden_serialized_compile_options_size;
        let options = args.overridden_serialized_compile_options;
        let options = (!options.is_null()).then(|| list(options.cast::<u8>(), size));
        let program = machine.client.deserialize(bytes, options)?;
        let loaded = Loaded::new(&machine.client, Arc::new(program))?;
        args.loaded_executable = LoadedHandle::new(machine, loaded).into_raw();
    }

    fn PJRT_Client_DefaultDeviceAssignment(args: PJRT_Client_DefaultDeviceAssignment_Args) {
        let machine = &ClientHandle::borrow(args.client)?.0;
        let count = usize::try_from(args.num_replicas).ok().zip(usize::try_from(args.num_partitions).ok());
        let n = count.and_then(|(r, p)| r.checked_mul(p)).filter(|&n| n <= machine.devices.len()).ok_or_else(|| {
            Status::invalid(format!(
                "{} replicas of {} partitions, and there are {} devices",
                args.num_replicas,
                args.num_partitions,
                machine.devices.len()
            ))
        })?;
        if n > args.default_assignment_size || args.default_assignment.is_null() {
            return Err(Status::invalid(format!(
                "the assignment of {n} devices has room for {}",
                args.default_assignment_size
            )));
        }
        for (i, d) in machine.topology.topology.devices.iter().take(n).enumerate() {
            args.default_assignment.add(i).write(int(d.id));
        }
    }

    fn PJRT_Client_DmaMap(args: PJRT_Client_DmaMap_Args) {
        // Simulated devices read the host's memory as it is.
        ClientHandle::borrow(args.client)?;
    }

    fn PJRT_Client_DmaUnmap(args: PJRT_Client_DmaUnmap_Args) {
        ClientHandle::borrow(args.client)?;
    }

    fn PJRT_Compile(args: PJRT_Compile_Args) {
        let topology = &crate::machine::TopologyHandle::borrow(args.topology)?.topology;
        let options = list(args.compile_options.cast::<u8>(), args.compile_options_size);
        let target = Target {
            chip: topology.chip,
            hbm_limit: topology.hbm_limit().try_into().unwrap_or(0),
            numerics: settings::numerics()?,
        };
        let program = Program::compile(target, &code(args.program)?, options)?;
        args.executable = ExecutableHandle::new(Arc::new(program)).into_raw();
    }
}

fn no_device(machine: &Machine, what: &str, id: i32) -> Status {
    Status::new(
        Code::InvalidArgument,
        format!(
            "there is no device with {what} {id}: {} has {}",
            machine.topology.topology.name(),
            machine.devices.len()
        ),
    )
}

/// Where a client wants a buffer: the memory rules, the device's default otherwise.
///
/// # Safety
/// Both are null or hold.
pub unsafe fn place(
    memory: *mut PJRT_Memory,
    device: *mut PJRT_Device,
) -> Result<Arc<backend::client::memory::Memory>> {
    // SAFETY: as the caller vouches.
    unsafe {
        if !memory.is_null() {
            return Ok(crate::machine::MemoryHandle::borrow(memory)?.memory.clone());
        }
        let device = DeviceHandle::borrow(device)
            .map_err(|_| Status::invalid("neither a memory nor a device was given for the buffer"))?;
        Ok(device.hbm.clone())
    }
}
