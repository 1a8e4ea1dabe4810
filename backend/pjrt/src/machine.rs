//! The client's objects: devices, their descriptions and memories, which live as long as it.

use crate::ffi::*;
use crate::handle::{Handle, Pointer};
use crate::values::NamedValues;
use backend::client::device::Client;
use backend::client::memory::{Memory, MemoryKind};
use backend::client::topology::{DeviceDescription, Topology};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

/// A topology, whether or not a client runs on it.
pub struct TopologyHandle {
    pub topology: Topology,
    pub descriptions: Box<[DescriptionHandle]>,
    pub description_pointers: Box<[Pointer<PJRT_DeviceDescription>]>,
    pub attributes: NamedValues,
    pub platform_version: String,
}

// SAFETY: only `TopologyHandle`s are given out as this type.
unsafe impl Handle for TopologyHandle {
    type C = PJRT_TopologyDescription;
    const WHAT: &'static str = "the topology";
}

impl TopologyHandle {
    pub fn new(topology: Topology) -> TopologyHandle {
        let descriptions: Box<[DescriptionHandle]> =
            topology.devices.iter().map(|d| DescriptionHandle::new(d.clone())).collect();
        TopologyHandle {
            description_pointers: descriptions.iter().map(|d| Pointer(d.as_raw())).collect(),
            attributes: NamedValues::new(topology.attributes()),
            platform_version: topology.platform_version(),
            descriptions,
            topology,
        }
    }
}

/// What there is to know of a device.
pub struct DescriptionHandle {
    pub description: DeviceDescription,
    pub debug: String,
    pub display: String,
    pub attributes: NamedValues,
    /// In the order of [`MemoryKind::ALL`].
    pub memories: Box<[MemoryDescription]>,
    pub memory_pointers: Box<[Pointer<ext::memory_descriptions::PJRT_MemoryDescription>]>,
}

/// A kind of memory of a device that need not be there.
pub struct MemoryDescription(pub MemoryKind);

// SAFETY: only `DescriptionHandle`s are given out as this type.
unsafe impl Handle for DescriptionHandle {
    type C = PJRT_DeviceDescription;
    const WHAT: &'static str = "the device description";
}

// SAFETY: only `MemoryDescription`s are given out as this type.
unsafe impl Handle for MemoryDescription {
    type C = ext::memory_descriptions::PJRT_MemoryDescription;
    const WHAT: &'static str = "the memory description";
}

impl DescriptionHandle {
    fn new(description: DeviceDescription) -> DescriptionHandle {
        let memories: Box<[MemoryDescription]> = MemoryKind::ALL.map(MemoryDescription).into();
        DescriptionHandle {
            debug: description.debug_string(),
            display: description.to_string(),
            attributes: NamedValues::new(description.attributes()),
            memory_pointers: memories.iter().map(|m| Pointer(m.as_raw())).collect(),
            memories,
            description,
        }
    }
}

/// A device of a client.
pub struct DeviceHandle {
    /// Its place among the client's devices.
    pub index: usize,
    pub description: Pointer<PJRT_DeviceDescription>,
    pub local_hardware_id: i32,
    /// In the order of [`MemoryKind::ALL`]: the first is the default.
    pub memories: Box<[Pointer<PJRT_Memory>]>,
    pub hbm: Arc<Memory>,
    pub attributes: NamedValues,
}

// SAFETY: only `DeviceHandle`s are given out as this type.
unsafe impl Handle for DeviceHandle {
    type C = PJRT_Device;
    const WHAT: &'static str = "the device";
}

/// A memory of a client; it begins as C's does.
#[repr(C)]
pub struct MemoryHandle {
    head: PJRT_Memory,
    pub memory: Arc<Memory>,
    pub device: Box<[Pointer<PJRT_Device>]>,
    pub debug: String,
    pub display: String,
    user_data: Mutex<HashMap<usize, UserData>>,
}

// SAFETY: the head points to a table that never changes; the rest is.
unsafe impl Send for MemoryHandle {}
// SAFETY: likewise.
unsafe impl Sync for MemoryHandle {}

// SAFETY: only `MemoryHandle`s are given out as this type.
unsafe impl Handle for MemoryHandle {
    type C = PJRT_Memory;
    const WHAT: &'static str = "the memory";
}

/// What a client attached to a memory.
struct UserData {
    data: Pointer<c_void>,
    dtor: Option<unsafe extern "C" fn(*mut c_void)>,
}

impl Drop for UserData {
    fn drop(&mut self) {
        if let Some(dtor) = self.dtor {
            // SAFETY: the client gave both for this, and it is done once.
            unsafe { dtor(self.data.0) };
        }
    }
}

struct Table(PJRT_Memory_FunctionTable);
// SAFETY: never written, and its only pointer is null.
unsafe impl Sync for Table {}

static TABLE: Table = Table(PJRT_Memory_FunctionTable {
    struct_size: PJRT_Memory_FunctionTable::SIZE,
    extension_start: std::ptr::null_mut(),
    instance_struct_size: size_of::<PJRT_Memory>(),
    get_user_data: Some(get_user_data),
    set_user_data: Some(set_user_data),
});

unsafe extern "C" fn get_user_data(memory: *mut PJRT_Memory, key: *const c_void) -> *mut c_void {
    // SAFETY: the table is only in memories of ours.
    let Ok(memory) = (unsafe { MemoryHandle::borrow(memory) }) else { return std::ptr::null_mut() };
    let data = memory.user_data.lock().unwrap_or_else(|e| e.into_inner());
    data.get(&(key as usize)).map_or(std::ptr::null_mut(), |d| d.data.0)
}

unsafe extern "C" fn set_user_data(
    memory: *mut PJRT_Memory,
    key: *const c_void,
    data: *mut c_void,
    dtor: Option<unsafe extern "C" fn(*mut c_void)>,
) {
    // SAFETY: the table is only in memories of ours.
    let Ok(memory) = (unsafe { MemoryHandle::borrow(memory) }) else { return };
    let new = UserData { data: Pointer(data), dtor };
    let old = memory.user_data.lock().unwrap_or_else(|e| e.into_inner()).insert(key as usize, new);
    // Its destructor is the client's code: not under the lock.
    drop(old);
}

/// A client with everything that C knows of it by pointers.
pub struct Machine {
    /// Which process made it. A fork has a copy, but none of its threads.
    pub process: u32,
    pub client: Client,
    pub topology: TopologyHandle,
    pub devices: Box<[DeviceHandle]>,
    pub device_pointers: Box<[Pointer<PJRT_Device>]>,
    pub memories: Box<[MemoryHandle]>,
    pub memory_pointers: Box<[Pointer<PJRT_Memory>]>,
}

/// What C holds of a client; buffers and programs keep the machine alive after it.
pub struct ClientHandle(pub Arc<Machine>);

// SAFETY: only `ClientHandle`s are given out as this type.
unsafe impl Handle for ClientHandle {
    type C = PJRT_Client;
    const WHAT: &'static str = "the client";
}

impl Machine {
    pub fn new(client: Client) -> Arc<Machine> {
        let topology = TopologyHandle::new(client.topology().clone());
        let kinds = MemoryKind::ALL.len();
        let mut memories: Box<[MemoryHandle]> =
            client.memories().iter().map(|m| memory(&topology, m)).collect();
        let memory_pointers: Box<[Pointer<PJRT_Memory>]> =
            memories.iter().map(|m| Pointer(m.as_raw())).collect();
        let devices: Box<[DeviceHandle]> = topology
            .descriptions
            .iter()
            .enumerate()
            .map(|(index, d)| DeviceHandle {
                index,
                description: Pointer(d.as_raw()),
                local_hardware_id: crate::calls::device::int(d.description.local_hardware_id),
                memories: memory_pointers[index * kinds..(index + 1) * kinds].into(),
                hbm: client.memory(index, MemoryKind::Device).clone(),
                attributes: NamedValues::new(d.description.attributes()),
            })
            .collect();
        let device_pointers: Box<[Pointer<PJRT_Device>]> =
            devices.iter().map(|d| Pointer(d.as_raw())).collect();
        for m in &mut memories {
            m.device = [device_pointers[m.memory.device]].into();
        }
        let process = std::process::id();
        Arc::new(Machine { process, client, topology, devices, device_pointers, memories, memory_pointers })
    }

    /// C's pointer to a memory of ours.
    pub fn memory_pointer(&self, memory: &Memory) -> *mut PJRT_Memory {
        // Ids are places in the client's list.
        self.memory_pointers.get(memory.id as usize).map_or(std::ptr::null_mut(), |p| p.0)
    }
}

fn memory(topology: &TopologyHandle, memory: &Arc<Memory>) -> MemoryHandle {
    let device = topology.descriptions.get(memory.device).map_or("", |d| &d.display);
    MemoryHandle {
        head: PJRT_Memory { vtable: &TABLE.0 },
        memory: memory.clone(),
        device: Box::default(),
        debug: format!("TPU_MEMORY_{}(kind={}, device={device})", memory.id, memory.kind.name()),
        display: format!("MEMORY_SPACE_{}({})", memory.id, memory.kind.name()),
        user_data: Mutex::default(),
    }
}
