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
    runs: Vec<(usize, usize)>,
}

impl<S: Scalar> Temp<S> {
    pub fn new() -> Self {
        Temp { raw: vec![0; BLOCK], row: [S::ZERO; BLOCK], runs: Vec::new() }
    }
}

/// One block of `k` of one matrix of an operand.
pub struct Block<'a, S> {
    pub view: &'a View<'a>,
    /// The matrix's offset.
    pub base: usize,
    /// Offsets along `k`, at most [`BLOCK`].
    pub ks: &'a [usize],
    /// Position in the order of summation -> index into `ks`.
    pub perm: &'a [u16],
    pub decode: Decode<S>,
}

fn contiguous(offsets: &[usize]) -> bool {
    offsets.windows(2).all(|w| w[1] == w[0] + 1)
}

/// Cuts offsets into runs of neighbours: (first index, end index).
fn cut(offsets: &[usize], runs: &mut Vec<(usize, usize)>) {
    runs.clear();
    let mut start = 0;
    for i in 1..=offsets.len() {
        if i == offsets.len() || offsets[i] != offsets[i - 1] + 1 {
            runs.push((start, i));
            start = i;
        }
    }
}

fn gather<T: bytemuck::Pod>(src: &[u8], base: usize, offsets: &[usize], dst: &mut [u8]) {
    let src: &[T] = bytemuck::cast_slice(src);
    let dst: &mut [T] = bytemuck::cast_slice_mut(dst);
    for (d, &o) in dst.iter_mut().zip(offsets) {
        *d = src[base + o];
    }
}

impl<S: Scalar> Block<'_, S> {
    /// Packs `rows.len()` (at most `W`) rows into `dst`, one array per position of the order. Missing
    /// rows are zero.
    pub fn pack<const W: usize>(&self, rows: &[usize], temp: &mut Temp<S>, dst: &mut [[S; W]]) {
        let (view, ks, decode) = (self.view, self.ks, self.decode);
        let n = rows.len().min(W);
        let size = view.size;
        if n < W {
            dst.fill([S::ZERO; W]);
        }
        if n > 1 && contiguous(rows) {
            for (lanes, &k) in dst.iter_mut().zip(self.perm) {
                let at = (self.base + rows[0] + ks[k as usize]) * size;
                decode(&view.bytes[at..at + n * size], &mut lanes[..n]);
            }
            return;
        }
        cut(ks, &mut temp.runs);
        let long_runs = temp.runs.len() * 4 <= ks.len();
        for (r, &row) in rows.iter().enumerate().take(W) {
            let at = self.base + row;
            let values = &mut temp.row[..ks.len()];
            if long_runs {
                for &(start, end) in &temp.runs {
                    let at = (at + ks[start]) * size;
                    decode(&view.bytes[at..at + (end - start) * size], &mut values[start..end]);
                }
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
            for (lanes, &k) in dst.iter_mut().zip(self.perm) {
                lanes[r] = values[k as usize];
            }
        }
    }

    /// [`Block::pack`] for the left operand, whose panels are as wide as they have rows (1 to 6).
    pub fn pack_narrow(&self, rows: &[usize], temp: &mut Temp<S>, dst: &mut [S]) {
        match rows.len() {
            6 => self.pack::<6>(rows, temp, dst.as_chunks_mut().0),
            5 => self.pack::<5>(rows, temp, dst.as_chunks_mut().0),
            4 => self.pack::<4>(rows, temp, dst.as_chunks_mut().0),
            3 => self.pack::<3>(rows, temp, dst.as_chunks_mut().0),
            2 => self.pack::<2>(rows, temp, dst.as_chunks_mut().0),
            _ => self.pack::<1>(rows, temp, dst.as_chunks_mut().0),
        }
    }
}
