//! Dense row-major tensors in host memory, their buffers, and the pool the buffers come from.
//!
//! A [`Tensor`] is cheap to clone: clones share the bytes. [`Tensor::bytes_mut`] writes in place
//! when the tensor is the only owner and copies first when it is not, so "in place where the operand
//! dies" needs nothing but moving the operand into the kernel.

use crate::diag::{Diagnostic, Result};
use crate::dtype::{ElementType, Native};
use crate::types::{TensorType, Type};
use smallvec::SmallVec;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Sizes of a tensor at run time.
pub type Shape = SmallVec<[usize; 4]>;

/// Buffers of at least this many bytes are mapped from the system directly, with huge pages asked
/// for: the first touch of 4 KiB pages costs more than most kernels (measured: negating 64 MB takes
/// 5 ms on warm and 76 ms on fresh 4 KiB pages).
const MAP_FROM: usize = 1 << 20;

/// 64 bytes at 64-byte alignment: a cache line, and the widest vector register.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

enum Storage {
    Heap(Vec<Line>),
    Mapped(memmap2::MmapMut),
}

/// Bytes aligned to 64, given back to their pool when dropped.
pub struct Buffer {
    storage: Storage,
    len: usize,
    pool: Option<Arc<PoolState>>,
}

impl Buffer {
    fn fresh(len: usize) -> Result<Storage> {
        let failed = || Diagnostic::resource(format!("the system has no {len} bytes for a buffer"));
        if len >= MAP_FROM {
            let map = memmap2::MmapMut::map_anon(len).map_err(|_| failed())?;
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage); // Advice only: refusal is no fault.
            Ok(Storage::Mapped(map))
        } else {
            Ok(Storage::Heap(bytemuck::zeroed_vec(len.div_ceil(64))))
        }
    }

    /// Outside any pool, zeroed.
    pub fn zeroed(len: usize) -> Result<Buffer> {
        Ok(Buffer { storage: Self::fresh(len)?, len, pool: None })
    }

    pub fn bytes(&self) -> &[u8] {
        match &self.storage {
            Storage::Heap(lines) => &bytemuck::cast_slice(lines)[..self.len],
            Storage::Mapped(map) => &map[..self.len],
        }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.storage {
            Storage::Heap(lines) => &mut bytemuck::cast_slice_mut(lines)[..self.len],
            Storage::Mapped(map) => &mut map[..self.len],
        }
    }

    fn capacity(&self) -> usize {
        match &self.storage {
            Storage::Heap(lines) => lines.len() * 64,
            Storage::Mapped(map) => map.len(),
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Some(pool) = self.pool.take() {
            let capacity = self.capacity() as u64;
            let storage = std::mem::replace(&mut self.storage, Storage::Heap(Vec::new()));
            pool.live.fetch_sub(capacity, Ordering::Relaxed);
            if let Storage::Mapped(map) = storage
                && let Ok(mut idle) = pool.idle.lock()
            {
                idle.bytes += map.len() as u64;
                idle.maps.push(map);
            }
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.len)
    }
}

#[derive(Default)]
struct Idle {
    maps: Vec<memmap2::MmapMut>,
    bytes: u64,
}

struct PoolState {
    limit: u64,
    live: AtomicU64,
    peak: AtomicU64,
    idle: Mutex<Idle>,
}

/// Keeps large buffers warm between operations and between runs, and enforces the memory budget.
/// What is idle and what is live never take more together than the most that was ever live.
/// Small buffers go to the allocator, which is good at them.
pub struct Pool(Arc<PoolState>);

impl Pool {
    /// `limit`: bytes that may be alive at once.
    pub fn new(limit: u64) -> Pool {
        Pool(Arc::new(PoolState {
            limit,
            live: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            idle: Mutex::default(),
        }))
    }

    /// Counts `bytes` as live, until the reservation is dropped.
    ///
    /// # Errors
    /// Resource when that exceeds the limit.
    pub fn reserve(&self, bytes: usize) -> Result<Reservation> {
        self.count(bytes, bytes as u64)?;
        Ok(Reservation { pool: self.0.clone(), bytes: bytes as u64 })
    }

    /// Adds `capacity`, for a request of `len` bytes, to the live bytes, and gives their number.
    fn count(&self, len: usize, capacity: u64) -> Result<u64> {
        let state = &self.0;
        let before = state.live.fetch_add(capacity, Ordering::Relaxed);
        let live = before.saturating_add(capacity);
        if live > state.limit {
            state.live.fetch_sub(capacity, Ordering::Relaxed);
            return Err(Diagnostic::resource(format!(
                "out of memory: {len} bytes more would make {live} live bytes, and the limit is {}",
                state.limit
            ))
            .help("raise the limit (--memory-limit, or TPUSIM_MEMORY_LIMIT in the plugin), or use a smaller shape"));
        }
        state.peak.fetch_max(live, Ordering::Relaxed);
        Ok(live)
    }

    /// A buffer of `len` bytes with unspecified contents.
    pub fn take(&self, len: usize) -> Result<Buffer> {
        let state = &self.0;
        let capacity = if len >= MAP_FROM { round_size(len) } else { len.div_ceil(64) * 64 };
        let live = self.count(len, capacity as u64)?;
        let storage = if len >= MAP_FROM {
            let mut idle = state.idle.lock().unwrap_or_else(|e| e.into_inner());
            match idle.maps.iter().rposition(|m| m.len() == capacity) {
                Some(i) => {
                    let map = idle.maps.remove(i);
                    idle.bytes -= map.len() as u64;
                    Ok(Storage::Mapped(map))
                }
                None => {
                    // Idle buffers of other sizes must not push the process over its peak; those
                    // that nobody wanted for longest go first.
                    let peak = state.peak.load(Ordering::Relaxed);
                    while live + idle.bytes > peak && !idle.maps.is_empty() {
                        idle.bytes -= idle.maps.remove(0).len() as u64;
                    }
                    drop(idle);
                    Buffer::fresh(capacity)
                }
            }
        } else {
            Buffer::fresh(capacity)
        };
        match storage {
            Ok(storage) => Ok(Buffer { storage, len, pool: Some(state.clone()) }),
            Err(e) => {
                state.live.fetch_sub(capacity as u64, Ordering::Relaxed);
                Err(e)
            }
        }
    }

    /// (live bytes, peak live bytes)
    pub fn usage(&self) -> (u64, u64) {
        (self.0.live.load(Ordering::Relaxed), self.0.peak.load(Ordering::Relaxed))
    }

    /// Forgets the peak: from here on it is that of what follows.
    pub fn reset_peak(&self) {
        self.0.peak.store(self.0.live.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Frees what is idle.
    pub fn trim(&self) {
        if let Ok(mut idle) = self.0.idle.lock() {
            *idle = Idle::default();
        }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (live, peak) = self.usage();
        write!(f, "Pool({live} bytes live, {peak} peak, {} limit)", self.0.limit)
    }
}

/// Bytes that count as live though they are in no buffer of the pool.
pub struct Reservation {
    pool: Arc<PoolState>,
    bytes: u64,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.pool.live.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Rounds to a 32nd of the size's power of two, so that buffers of like sizes can trade places
/// at a cost of at most 3 %; multiples of 64 KiB.
fn round_size(len: usize) -> usize {
    let step = (len.next_power_of_two() / 64).max(1 << 16);
    len.div_ceil(step) * step
}

/// Number of elements. A zero anywhere makes the whole empty, even beside sizes whose product overflows.
fn count(shape: &[usize]) -> usize {
    if shape.contains(&0) { 0 } else { shape.iter().product() }
}

/// A dense row-major array of one element type. See [`crate::dtype`] for how elements are stored.
#[derive(Clone, Debug)]
pub struct Tensor {
    element: ElementType,
    shape: Shape,
    buffer: Arc<Buffer>,
    /// Where in the buffer its bytes start; not at 0 only for a [part](Tensor::part).
    start: usize,
    /// How many bytes it has.
    size: usize,
}

impl Tensor {
    /// # Panics
    /// If the buffer's length is not the shape's.
    pub fn from_buffer(element: ElementType, shape: &[usize], buffer: Buffer) -> Tensor {
        assert_eq!(
            buffer.len,
            count(shape) * element.byte_size(),
            "buffer size does not fit shape {shape:?} of {element}"
        );
        Tensor { element, shape: shape.into(), start: 0, size: buffer.len, buffer: Arc::new(buffer) }
    }

    /// A copy of `values` outside any pool. `T`'s canonical type is the element type.
    ///
    /// # Panics
    /// If `values.len()` is not the shape's product.
    pub fn from_slice<T: Native>(shape: &[usize], values: &[T]) -> Tensor {
        Self::from_slice_as(T::TYPE, shape, values)
    }

    /// As [`Tensor::from_slice`], for element types that share a storage type (`i1`, `i4`, …).
    pub fn from_slice_as<T: Native>(element: ElementType, shape: &[usize], values: &[T]) -> Tensor {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let mut buffer = Buffer::zeroed(bytes.len()).expect("memory for a tensor the caller already holds");
        buffer.bytes_mut().copy_from_slice(bytes);
        Tensor::from_buffer(element, shape, buffer)
    }

    pub fn scalar<T: Native>(value: T) -> Tensor {
        Self::from_slice(&[], &[value])
    }

    pub fn element(&self) -> ElementType {
        self.element
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        count(&self.shape)
    }

    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The static type of this value (quantization is not known at run time).
    pub fn ty(&self) -> Type {
        TensorType::new(self.element, self.shape.iter().map(|&n| (n as i64).into())).into()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.buffer.bytes()[self.start..self.start + self.size]
    }

    /// The elements from `first` on, in row-major order, as a tensor of `shape`: it shares the bytes.
    ///
    /// # Panics
    /// If there are not as many elements from there on.
    pub fn part(&self, first: usize, shape: &[usize]) -> Tensor {
        let width = self.element.byte_size();
        let (start, size) = (first * width, count(shape) * width);
        assert!(start + size <= self.size, "{shape:?} from {first} on of {:?}", self.shape);
        Tensor {
            element: self.element,
            shape: shape.into(),
            buffer: self.buffer.clone(),
            start: self.start + start,
            size,
        }
    }

    /// Is this the only owner of its buffer, and of all of it (so that writing copies nothing)?
    pub fn is_unique(&mut self) -> bool {
        self.size == self.buffer.len && Arc::get_mut(&mut self.buffer).is_some()
    }

    /// The bytes, to write. Copies them first if they are shared.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        if !self.is_unique() {
            let mut own = match &self.buffer.pool {
                Some(pool) => Pool(pool.clone()).take(self.size).or_else(|_| Buffer::zeroed(self.size)),
                None => Buffer::zeroed(self.size),
            }
            .expect("memory for a copy of a live tensor");
            own.bytes_mut().copy_from_slice(self.bytes());
            self.buffer = Arc::new(own);
            self.start = 0;
        }
        Arc::get_mut(&mut self.buffer).expect("unique: just made so").bytes_mut()
    }

    /// # Panics
    /// If `T`'s size is not the element's storage size.
    pub fn as_slice<T: Native>(&self) -> &[T] {
        assert_eq!(size_of::<T>(), self.element.byte_size(), "{} read as {}", self.element, T::TYPE);
        bytemuck::cast_slice(self.bytes())
    }

    /// See [`Tensor::bytes_mut`] and [`Tensor::as_slice`].
    pub fn as_mut_slice<T: Native>(&mut self) -> &mut [T] {
        assert_eq!(size_of::<T>(), self.element.byte_size(), "{} written as {}", self.element, T::TYPE);
        bytemuck::cast_slice_mut(self.bytes_mut())
    }

    /// The same bytes with another shape of as many elements.
    ///
    /// # Panics
    /// If the element counts differ.
    pub fn reshaped(mut self, shape: &[usize]) -> Tensor {
        assert_eq!(self.len(), count(shape), "reshape {:?} to {shape:?}", self.shape);
        self.shape = shape.into();
        self
    }

    /// The same bytes read as another element type of the same storage size (`i32` as `f32`, …).
    ///
    /// # Panics
    /// If the storage sizes differ.
    pub fn reinterpreted(mut self, element: ElementType) -> Tensor {
        assert_eq!(self.element.byte_size(), element.byte_size());
        self.element = element;
        self
    }

    /// The same bytes read as another element type and shape, of as many bytes (`i32` as `2xi16`, …).
    ///
    /// # Panics
    /// If the byte counts differ.
    pub fn recast(mut self, element: ElementType, shape: &[usize]) -> Tensor {
        let bytes = count(shape) * element.byte_size();
        assert_eq!(self.size, bytes, "{:?} of {} as {shape:?} of {element}", self.shape, self.element);
        self.element = element;
        self.shape = shape.into();
        self
    }

    /// The integer elements as i64 (`u64` wraps). For shapes, indices and other small operands.
    ///
    /// # Panics
    /// If the elements are not integers or `i1`.
    pub fn to_i64s(&self) -> Vec<i64> {
        fn all<T: Native>(t: &Tensor, f: impl Fn(T) -> i64) -> Vec<i64> {
            t.as_slice::<T>().iter().map(|&x| f(x)).collect()
        }
        use ElementType as E;
        match self.element {
            E::Pred | E::U2 | E::U4 | E::U8 => all::<u8>(self, i64::from),
            E::S2 | E::S4 | E::S8 => all::<i8>(self, i64::from),
            E::S16 => all::<i16>(self, i64::from),
            E::S32 => all::<i32>(self, i64::from),
            E::S64 | E::Index => all::<i64>(self, |x| x),
            E::U16 => all::<u16>(self, i64::from),
            E::U32 => all::<u32>(self, i64::from),
            E::U64 => all::<u64>(self, |x| x as i64),
            other => panic!("{other} elements are not integers"),
        }
    }
}

/// Same type, same shape, same bits.
impl PartialEq for Tensor {
    fn eq(&self, other: &Self) -> bool {
        self.element == other.element && self.shape == other.shape && self.bytes() == other.bytes()
    }
}
