//! Packing: from an operand in any layout to the contiguous panels that the microkernel reads.
//!
//! A contraction sees each operand as a matrix per batch, whose element `(row, k)` lies at
//! `batch[b] + row[r] + k[k]`: any layout of `dot_general`, and the patches of a convolution over a
//! padded input, have that form, so no transposed copy and no patch matrix is ever made. Packing
//! also decodes the element type (rounding to bf16 where the MXU does) and brings `k` into the
//! order of summation.

use super::kernel::Scalar;
use super::order::BLOCK;

/// Turns stored elements into the arithmetic's scalars, `dst.len()` of them.
pub type Decode<S> = fn(&[u8], &mut [S]);

/// One operand as a batch of matrices; all offsets are in elements.
#[derive(Debug)]
pub struct View<'a> {
    pub bytes: &'a [u8],
    /// Bytes of a stored element.
    pub size: usize,
    pub batch: Vec<usize>,
    pub rows: Vec<usize>,
    pub ks: Vec<usize>,
}

/// Room for one row of one block.
pub struct Temp<S> {
    raw: Vec<u128>,
    row: [S; BLOCK],
}

impl<S: Scalar> Temp<S> {
    pub fn new() -> Self {
        Temp { raw: vec![0; BLOCK], row: [S::ZERO; BLOCK] }
    }
}

fn contiguous(offsets: &[usize]) -> bool {
    offsets.windows(2).all(|w| w[1] == w[0] + 1)
}

fn gather<T: bytemuck::Pod>(src: &[u8], base: usize, offsets: &[usize], dst: &mut [u8]) {
    let src: &[T] = bytemuck::cast_slice(src);
    let dst: &mut [T] = bytemuck::cast_slice_mut(dst);
    for (d, &o) in dst.iter_mut().zip(offsets) {
        *d = src[base + o];
    }
}

/// Packs `rows.len()` (at most `W`) rows of one block of `k` into `dst`, one array per position of
/// `perm`. Missing rows are zero.
pub fn pack<S: Scalar, const W: usize>(
    view: &View,
    base: usize,
    rows: &[usize],
    ks: &[usize],
    perm: &[u16],
    decode: Decode<S>,
    temp: &mut Temp<S>,
    dst: &mut [[S; W]],
) {
    let n = rows.len().min(W);
    let size = view.size;
    if n < W {
        dst.fill([S::ZERO; W]);
    }
    if n > 1 && contiguous(rows) {
        for (lanes, &k) in dst.iter_mut().zip(perm) {
            let at = (base + rows[0] + ks[k as usize]) * size;
            decode(&view.bytes[at..at + n * size], &mut lanes[..n]);
        }
        return;
    }
    let whole = contiguous(ks);
    for (r, &row) in rows.iter().enumerate().take(W) {
        let at = base + row;
        let values = &mut temp.row[..ks.len()];
        if whole {
            let at = (at + ks[0]) * size;
            decode(&view.bytes[at..at + ks.len() * size], values);
        } else {
            let raw = &mut bytemuck::cast_slice_mut::<u128, u8>(&mut temp.raw)[..ks.len() * size];
            match size {
                1 => gather::<u8>(view.bytes, at, ks, raw),
                2 => gather::<u16>(view.bytes, at, ks, raw),
                4 => gather::<u32>(view.bytes, at, ks, raw),
                8 => gather::<u64>(view.bytes, at, ks, raw),
                _ => gather::<[u64; 2]>(view.bytes, at, ks, raw),
            }
            decode(raw, values);
        }
        for (lanes, &k) in dst.iter_mut().zip(perm) {
            lanes[r] = values[k as usize];
        }
    }
}

/// [`pack`] for the left operand, whose panels are as wide as they have rows (1 to 6).
pub fn pack_narrow<S: Scalar>(
    view: &View,
    base: usize,
    rows: &[usize],
    ks: &[usize],
    perm: &[u16],
    decode: Decode<S>,
    temp: &mut Temp<S>,
    dst: &mut [S],
) {
    match rows.len() {
        6 => pack::<S, 6>(view, base, rows, ks, perm, decode, temp, dst.as_chunks_mut().0),
        5 => pack::<S, 5>(view, base, rows, ks, perm, decode, temp, dst.as_chunks_mut().0),
        4 => pack::<S, 4>(view, base, rows, ks, perm, decode, temp, dst.as_chunks_mut().0),
        3 => pack::<S, 3>(view, base, rows, ks, perm, decode, temp, dst.as_chunks_mut().0),
        2 => pack::<S, 2>(view, base, rows, ks, perm, decode, temp, dst.as_chunks_mut().0),
        _ => pack::<S, 1>(view, base, rows, ks, perm, decode, temp, dst.as_chunks_mut().0),
    }
}
