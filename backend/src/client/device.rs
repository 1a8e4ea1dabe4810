//! The client: its devices with their memories, and the context in which everything runs.

use super::buffer::{ArrayType, Buffer};
use super::memory::{Memory, MemoryKind};
use super::program::{Program, Target};
use super::queue::Queue;
use super::status::{Result, Status};
use super::topology::Topology;
use sim_core::{Ctx, ElementType, Numerics, Tensor};
use std::sync::Arc;
use std::time::Duration;

/// How a client is made.
#[derive(Clone, Copy, Debug)]
pub struct ClientOptions {
    pub numerics: Numerics,
    /// Most bytes of the host that all devices together may take.
    pub memory_limit: u64,
}

/// A machine of simulated devices. Clones share it.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    topology: Topology,
    /// Three a device, in the order of [`MemoryKind::ALL`].
    memories: Vec<Arc<Memory>>,
    ctx: Ctx,
    queue: Queue,
}

impl Client {
    /// # Errors
    /// The system gives no thread.
    pub fn new(topology: Topology, options: ClientOptions) -> Result<Client> {
        let mut memories = Vec::new();
        for device in 0..topology.devices.len() {
            for kind in MemoryKind::ALL {
                let limit = match kind {
                    MemoryKind::Device => topology.hbm_limit().try_into().unwrap_or(0),
                    _ => u64::MAX,
                };
                memories.push(Arc::new(Memory::new(memories.len() as i32, kind, device, limit)));
            }
        }
        let queue =
            Queue::start().map_err(|e| Status::exhausted(format!("the system gives no thread: {e}")))?;
        let ctx = Ctx::new(options.numerics, options.memory_limit);
        Ok(Client(Arc::new(Inner { topology, memories, ctx, queue })))
    }

    pub fn topology(&self) -> &Topology {
        &self.0.topology
    }

    pub fn device_count(&self) -> usize {
        self.0.topology.devices.len()
    }

    /// All memories: those of device 0, of device 1, …
    pub fn memories(&self) -> &[Arc<Memory>] {
        &self.0.memories
    }

    /// `device`: its place in the topology's list.
    pub fn memory(&self, device: usize, kind: MemoryKind) -> &Arc<Memory> {
        let at = MemoryKind::ALL.iter().position(|&k| k == kind).unwrap_or_default();
        &self.0.memories[device * MemoryKind::ALL.len() + at]
    }

    /// The place in the topology's list of the device with this id.
    pub fn device_by_id(&self, id: i64) -> Option<usize> {
        self.0.topology.device_index(id)
    }

    pub fn ctx(&self) -> &Ctx {
        &self.0.ctx
    }

    pub(super) fn queue(&self) -> &Queue {
        &self.0.queue
    }

    /// What arrays of this type are on this machine.
    pub fn array(&self, element: ElementType, dims: &[i64]) -> Arc<ArrayType> {
        Arc::new(ArrayType::new(element, dims))
    }

    /// # Errors
    /// The memory is full.
    pub fn put(&self, memory: &Arc<Memory>, value: Tensor) -> Result<Buffer> {
        let dims: Vec<i64> = value.shape().iter().map(|&d| d as i64).collect();
        Buffer::of(self.array(value.element(), &dims), memory, value)
    }

    /// A buffer with the same contents in another memory, when they are there.
    ///
    /// # Errors
    /// The buffer was deleted; the memory is full.
    pub fn copy(&self, buffer: &Buffer, memory: &Arc<Memory>) -> Result<Buffer> {
        let slot = buffer.slot()?;
        let (copy, to) = Buffer::pending(buffer.ty.clone(), memory)?;
        let ready = slot.ready().clone();
        // Contents are never written over while somebody else holds them: sharing is copying.
        ready.on_ready(Box::new(move |_| to.fill(slot.get())));
        Ok(copy)
    }

    fn target(&self) -> Target {
        let topology = &self.0.topology;
        Target {
            chip: topology.chip,
            hbm_limit: topology.hbm_limit().try_into().unwrap_or(0),
            numerics: self.0.ctx.numerics,
        }
    }

    /// # Errors
    /// As [`Program::compile`].
    pub fn compile(&self, source: &[u8], options: &[u8]) -> Result<Program> {
        Program::compile(self.target(), source, options)
    }

    /// A program that [`Program::serialize`] wrote; `options` rule over its own.
    ///
    /// # Errors
    /// As [`Program::deserialize`].
    pub fn deserialize(&self, bytes: &[u8], options: Option<&[u8]>) -> Result<Program> {
        Program::deserialize(self.target(), bytes, options)
    }

    /// Waits for all work that was handed over, at most so long.
    pub fn drain(&self, patience: Duration) {
        self.0.queue.drain(patience);
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// Nine tenths of what Linux says is available, in bytes; elsewhere unknown.
pub fn host_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 10 * 9 * 1024)
}
