//! Philox-4x32 with 10 rounds.

use rayon::prelude::*;
use sim_core::dtype::ElementType;
use sim_core::{Ctx, Result, Tensor};

/// Counters that are worked on together.
const LANES: usize = 32;

/// Words of a task: a multiple of `4 * LANES`.
const CHUNK: usize = 32 << 10;

/// Multipliers and key increments (Salmon et al.).
const M: [u64; 2] = [0xd251_1f53, 0xcd9e_8d57];
const W: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];

/// The four words of each of the counters `first, first + 1, …`.
fn block(key: u64, first: u128, x: &mut [[u32; LANES]; 4]) {
    for i in 0..LANES {
        let counter = first.wrapping_add(i as u128);
        for (w, word) in x.iter_mut().enumerate() {
            word[i] = (counter >> (32 * w)) as u32;
        }
    }
    let (mut k0, mut k1) = (key as u32, (key >> 32) as u32);
    let [x0, x1, x2, x3] = x;
    for _ in 0..10 {
        for i in 0..LANES {
            let (p0, p1) = (x0[i] as u64 * M[0], x2[i] as u64 * M[1]);
            x0[i] = (p1 >> 32) as u32 ^ x1[i] ^ k0;
            x2[i] = (p0 >> 32) as u32 ^ x3[i] ^ k1;
            x1[i] = p1 as u32;
            x3[i] = p0 as u32;
        }
        k0 = k0.wrapping_add(W[0]);
        k1 = k1.wrapping_add(W[1]);
    }
}

/// Random bits, and the counter after them.
pub(super) fn bits(
    ctx: &Ctx,
    key: u64,
    counter: u128,
    element: ElementType,
    shape: &[usize],
) -> Result<(Tensor, u128)> {
    let word = if element.bits() >= 32 { element } else { ElementType::U32 };
    let mut out = ctx.alloc(word, shape)?;
    let to: &mut [u32] = bytemuck::cast_slice_mut(out.bytes_mut());
    let used = to.len().div_ceil(4);
    to.par_chunks_mut(CHUNK).enumerate().try_for_each(|(k, to)| {
        ctx.check_stop()?;
        let mut x = [[0; LANES]; 4];
        for (b, to) in to.chunks_mut(4 * LANES).enumerate() {
            block(key, counter.wrapping_add((k * CHUNK / 4 + b * LANES) as u128), &mut x);
            let mut quads = to.chunks_exact_mut(4);
            let mut i = 0;
            for quad in &mut quads {
                quad.copy_from_slice(&[x[0][i], x[1][i], x[2][i], x[3][i]]);
                i += 1;
            }
            for (o, words) in quads.into_remainder().iter_mut().zip(&x) {
                *o = words[i];
            }
        }
        Ok::<(), sim_core::Diagnostic>(())
    })?;
    if word != element {
        out = super::narrow(ctx, out, element)?;
    }
    Ok((out, counter.wrapping_add(used as u128)))
}
