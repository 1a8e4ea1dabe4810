//! Memory for one tile: bytes aligned to a cache line, so that every element type may be read
//! from it and no vector load crosses a line.

/// 64 bytes at 64-byte alignment.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// An owned tile. `default()` is empty and costs no allocation, so a tile can be taken out of its
/// place with [`std::mem::take`] while the others are read.
#[derive(Default)]
pub(crate) struct TileBuf(Vec<Line>);

impl TileBuf {
    pub fn new(bytes: usize) -> TileBuf {
        TileBuf(bytemuck::zeroed_vec(bytes.div_ceil(64)))
    }

    /// The first `len` bytes.
    pub fn bytes(&self, len: usize) -> &[u8] {
        &bytemuck::cast_slice(&self.0)[..len]
    }

    /// The first `len` bytes, to write.
    pub fn bytes_mut(&mut self, len: usize) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.0)[..len]
    }
}

/// Fills `dst` with copies of `value` (whose length divides that of `dst`).
pub(crate) fn splat(value: &[u8], dst: &mut [u8]) {
    fn typed<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(value: &[u8], dst: &mut [u8]) {
        let v: T = bytemuck::pod_read_unaligned(value);
        bytemuck::cast_slice_mut::<u8, T>(dst).fill(v);
    }
    match value.len() {
        1 => dst.fill(value[0]),
        2 => typed::<u16>(value, dst),
        4 => typed::<u32>(value, dst),
        8 => typed::<u64>(value, dst),
        16 => typed::<[u64; 2]>(value, dst),
        len => dst.chunks_exact_mut(len.max(1)).for_each(|d| d.copy_from_slice(value)),
    }
}
