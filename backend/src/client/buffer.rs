//! Arrays on devices: what will be in them may still be computed.

use super::event::Event;
use super::layout;
use super::memory::{Allocation, Memory};
use super::status::{Code, Result, Status};
use sim_core::hlo::Layout;
use sim_core::{Ctx, ElementType, Tensor};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// What an array on a device is, without what is in it.
#[derive(Clone, Debug)]
pub struct ArrayType {
    pub element: ElementType,
    pub dims: Vec<i64>,
    /// How it lies in the device's memory.
    pub layout: Layout,
    /// Bytes in the device's memory, tiles filled up.
    pub device_bytes: u64,
    /// `f32[8,128]`
    pub text: Arc<str>,
}

impl ArrayType {
    pub fn new(element: ElementType, dims: &[i64]) -> ArrayType {
        // Nobody makes a negative size; if somebody does, nothing lies there.
        let extents: Vec<usize> = dims.iter().map(|&d| usize::try_from(d).unwrap_or(0)).collect();
        let layout = layout::default_layout(element, &extents);
        let device_bytes = layout::device_bytes(element, &extents, &layout);
        let sizes: Vec<String> = dims.iter().map(i64::to_string).collect();
        let text = format!("{}[{}]", element.hlo_name(), sizes.join(",")).into();
        ArrayType { element, dims: dims.to_vec(), layout, device_bytes, text }
    }
}

/// What a buffer holds, shared with the work that reads or makes it.
pub struct Slot {
    ready: Event,
    value: Mutex<Option<Tensor>>,
    /// Somebody knows the address of its bytes.
    pinned: AtomicBool,
    /// The device's bytes, given back with the last who needs them.
    allocation: Mutex<Option<Allocation>>,
}

impl Slot {
    fn new(allocation: Option<Allocation>) -> Slot {
        Slot {
            ready: Event::new(),
            value: Mutex::default(),
            pinned: AtomicBool::new(false),
            allocation: Mutex::new(allocation),
        }
    }

    fn value(&self) -> MutexGuard<'_, Option<Tensor>> {
        self.value.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub fn ready(&self) -> &Event {
        &self.ready
    }

    /// Puts in what was computed, or why it could not be.
    pub fn fill(&self, outcome: Result<Tensor>) {
        let outcome = outcome.map(|t| *self.value() = Some(t));
        self.ready.set(outcome);
    }

    /// What is in it.
    ///
    /// # Errors
    /// It is not there yet, or could not be computed.
    pub fn get(&self) -> Result<Tensor> {
        match self.ready.outcome() {
            Some(Err(e)) => Err(e.clone()),
            Some(Ok(())) => self.value().clone().ok_or_else(|| Status::internal("the buffer is empty")),
            None => Err(Status::internal("the buffer is not ready")),
        }
    }

    /// The address of its bytes, which it shares with no other buffer, and which stays as long as it has them.
    ///
    /// # Errors
    /// It could not be computed; there is no memory for bytes of its own.
    pub fn address(&self, ctx: &Ctx) -> Result<usize> {
        self.ready.wait()?;
        let mut value = self.value();
        let value = value.as_mut().ok_or_else(|| Status::internal("the buffer is empty"))?;
        // Copies of arrays share bytes until one of them is written to.
        if !self.pinned.swap(true, Ordering::Relaxed) && !value.is_unique() {
            let mut own = ctx.alloc(value.element(), value.shape())?;
            own.bytes_mut().copy_from_slice(value.bytes());
            *value = own;
        }
        Ok(value.bytes().as_ptr() as usize)
    }

    /// The device's bytes, for another one to lie in.
    fn allocation(&self) -> Option<Allocation> {
        self.allocation.lock().unwrap_or_else(|e| e.into_inner()).take()
    }

    /// Moves out what is in it, if nobody else may ask for it: then work may compute over it in place.
    pub fn take(self: Arc<Slot>) -> Result<Tensor> {
        match Arc::try_unwrap(self) {
            Ok(slot) => {
                let value = slot.get();
                *slot.value() = None;
                value
            }
            Err(shared) => shared.get(),
        }
    }
}

/// An array on a device, of one owner.
pub struct Buffer {
    pub ty: Arc<ArrayType>,
    pub memory: Arc<Memory>,
    slot: Mutex<Option<Arc<Slot>>>,
}

impl Buffer {
    /// One whose value comes later, by [`Slot::fill`].
    ///
    /// # Errors
    /// The memory is full.
    pub fn pending(ty: Arc<ArrayType>, memory: &Arc<Memory>) -> Result<(Buffer, Arc<Slot>)> {
        let allocation = memory.allocate(ty.device_bytes, &ty.text)?;
        let slot = Arc::new(Slot::new(Some(allocation)));
        Ok((Buffer { ty, memory: memory.clone(), slot: Mutex::new(Some(slot.clone())) }, slot))
    }

    /// As [`Buffer::pending`], in the place of a donated one. Where its bytes do not fit exactly, others are taken.
    ///
    /// # Errors
    /// The memory is full.
    pub fn in_place_of(
        donated: &Slot,
        ty: Arc<ArrayType>,
        memory: &Arc<Memory>,
    ) -> Result<(Buffer, Arc<Slot>)> {
        let allocation = donated.allocation().filter(|a| a.is_of(memory, ty.device_bytes));
        let Some(allocation) = allocation else { return Buffer::pending(ty, memory) };
        let slot = Arc::new(Slot::new(Some(allocation)));
        Ok((Buffer { ty, memory: memory.clone(), slot: Mutex::new(Some(slot.clone())) }, slot))
    }

    /// One that is there.
    ///
    /// # Errors
    /// The memory is full.
    pub fn of(ty: Arc<ArrayType>, memory: &Arc<Memory>, value: Tensor) -> Result<Buffer> {
        let (buffer, slot) = Buffer::pending(ty, memory)?;
        slot.fill(Ok(value));
        Ok(buffer)
    }

    /// One that never will be.
    pub fn failed(ty: Arc<ArrayType>, memory: &Arc<Memory>, why: Status) -> Buffer {
        let slot = Arc::new(Slot::new(None));
        slot.fill(Err(why));
        Buffer { ty, memory: memory.clone(), slot: Mutex::new(Some(slot)) }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<Slot>>> {
        self.slot.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// # Errors
    /// It was deleted or donated.
    pub fn slot(&self) -> Result<Arc<Slot>> {
        self.lock().clone().ok_or_else(|| self.gone())
    }

    /// Hands what it holds to the caller: the buffer is deleted from here on.
    ///
    /// # Errors
    /// It was deleted or donated.
    pub fn donate(&self) -> Result<Arc<Slot>> {
        self.lock().take().ok_or_else(|| self.gone())
    }

    fn gone(&self) -> Status {
        Status::new(Code::InvalidArgument, format!("the buffer {} was deleted or donated", self.ty.text))
    }

    /// Gives the memory back as soon as the work that reads it is done.
    pub fn delete(&self) {
        drop(self.lock().take());
    }

    pub fn is_deleted(&self) -> bool {
        self.lock().is_none()
    }

    /// When its value is there. Of a deleted buffer: an error, at once.
    pub fn ready(&self) -> Event {
        match self.slot() {
            Ok(slot) => slot.ready.clone(),
            Err(e) => Event::done(Err(e)),
        }
    }
}
