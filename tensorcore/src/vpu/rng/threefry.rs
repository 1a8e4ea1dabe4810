//! ThreeFry-2x32 with 20 rounds.

use rayon::prelude::*;
use sim_core::dtype::ElementType;
use sim_core::{Ctx, Diagnostic, Result, Tensor};

/// Counters that are worked on together: loops of this length become vector code.
const LANES: usize = 64;

/// Counters of a task.
const CHUNK: usize = 16 << 10;

/// Rotations of the rounds, and the parity word of the key schedule (Salmon et al.).
const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
const PARITY: u32 = 0x1bd1_1bda;

/// The two words of each of the counters `first, first + 1, …`.
fn block(key: u64, first: u64, x0: &mut [u32; LANES], x1: &mut [u32; LANES]) {
    for (i, (a, b)) in x0.iter_mut().zip(x1.iter_mut()).enumerate() {
        let counter = first.wrapping_add(i as u64);
        (*a, *b) = (counter as u32, (counter >> 32) as u32);
    }
    hash(key, x0, x1);
}

/// Counters become random words.
#[inline(always)]
fn hash(key: u64, x0: &mut [u32], x1: &mut [u32]) {
    let (k0, k1) = (key as u32, (key >> 32) as u32);
    let ks = [k0, k1, PARITY ^ k0 ^ k1];
    for (a, b) in x0.iter_mut().zip(x1.iter_mut()) {
        (*a, *b) = (a.wrapping_add(ks[0]), b.wrapping_add(ks[1]));
    }
    for group in 0..5u32 {
        for r in ROTATIONS[group as usize % 2] {
            for (a, b) in x0.iter_mut().zip(x1.iter_mut()) {
                *a = a.wrapping_add(*b);
                *b = b.rotate_left(r) ^ *a;
            }
        }
        let (s0, s1) = (ks[(group as usize + 1) % 3], ks[(group as usize + 2) % 3]);
        for (a, b) in x0.iter_mut().zip(x1.iter_mut()) {
            *a = a.wrapping_add(s0);
            *b = b.wrapping_add(s1).wrapping_add(group + 1);
        }
    }
}

/// ThreeFry itself, element by element: two words of key and two of counter give two words. All
/// operands are `ui32` and of one shape, and so are the results.
///
/// # Errors
/// [`Invalid`](sim_core::ErrorKind::Invalid) for other operands;
/// [`Resource`](sim_core::ErrorKind::Resource).
pub fn threefry2x32(ctx: &Ctx, keys: [&Tensor; 2], counters: [&Tensor; 2]) -> Result<[Tensor; 2]> {
    let shape = keys[0].shape();
    for t in keys.iter().chain(&counters) {
        if t.shape() != shape || t.element() != ElementType::U32 {
            return Err(Diagnostic::invalid(format!(
                "threefry2x32: all operands must be ui32 of one shape, not {}",
                t.ty()
            )));
        }
    }
    let (mut a, mut b) = (ctx.alloc(ElementType::U32, shape)?, ctx.alloc(ElementType::U32, shape)?);
    let [k0, k1, c0, c1] = [keys[0], keys[1], counters[0], counters[1]].map(|t| t.as_slice::<u32>());
    let outs =
        a.as_mut_slice::<u32>().par_chunks_mut(CHUNK).zip(b.as_mut_slice::<u32>().par_chunks_mut(CHUNK));
    outs.enumerate().try_for_each(|(chunk, (x0, x1))| {
        ctx.check_stop()?;
        let part = chunk * CHUNK..chunk * CHUNK + x0.len();
        let (k0, k1) = (&k0[part.clone()], &k1[part.clone()]);
        x0.copy_from_slice(&c0[part.clone()]);
        x1.copy_from_slice(&c1[part]);
        // Keys are splats in practice; elements of one key are worked on together.
        let mut start = 0;
        while start < x0.len() {
            let same = |i: &usize| k0[*i] == k0[start] && k1[*i] == k1[start];
            let end = (start + 1..x0.len().min(start + LANES)).take_while(same).last().unwrap_or(start) + 1;
            let key = u64::from(k0[start]) | u64::from(k1[start]) << 32;
            hash(key, &mut x0[start..end], &mut x1[start..end]);
            start = end;
        }
        Ok(())
    })?;
    Ok([a, b])
}

/// Calls `write(i, x0, x1)` with the words of the counters `first + i` on, `n` of them in all.
fn generate(key: u64, first: u64, n: usize, mut write: impl FnMut(usize, &[u32], &[u32])) {
    let (mut x0, mut x1) = ([0; LANES], [0; LANES]);
    for i in (0..n).step_by(LANES) {
        block(key, first.wrapping_add(i as u64), &mut x0, &mut x1);
        let len = LANES.min(n - i);
        write(i, &x0[..len], &x1[..len]);
    }
}

/// Random bits, and how many counters they took.
pub(super) fn bits(
    ctx: &Ctx,
    key: u64,
    counter: u64,
    element: ElementType,
    shape: &[usize],
) -> Result<(Tensor, u64)> {
    if element.bits() == 64 {
        let mut out = ctx.alloc(element, shape)?;
        let to: &mut [u64] = bytemuck::cast_slice_mut(out.bytes_mut());
        let used = to.len() as u64;
        to.par_chunks_mut(CHUNK).enumerate().try_for_each(|(k, to)| {
            ctx.check_stop()?;
            let first = counter.wrapping_add((k * CHUNK) as u64);
            generate(key, first, to.len(), |i, x0, x1| {
                for ((o, &a), &b) in to[i..].iter_mut().zip(x0).zip(x1) {
                    *o = a as u64 | (b as u64) << 32;
                }
            });
            Ok(())
        })?;
        return Ok((out, used));
    }
    let word = if element.bits() == 32 { element } else { ElementType::U32 };
    let mut out = ctx.alloc(word, shape)?;
    let used = words(ctx, key, counter, shape, bytemuck::cast_slice_mut(out.bytes_mut()))?;
    if word != element {
        out = super::narrow(ctx, out, element)?;
    }
    Ok((out, used))
}

/// 32-bit words: pairs of neighbours along one dimension share a counter.
fn words(ctx: &Ctx, key: u64, counter: u64, shape: &[usize], out: &mut [u32]) -> Result<u64> {
    let split = shape.iter().position(|n| n % 2 == 0).or_else(|| {
        // The first of the longest.
        (0..shape.len()).rev().max_by_key(|&d| shape[d])
    });
    let (n, inner) = match split {
        Some(d) => (shape[d], shape[d + 1..].iter().product::<usize>()),
        None => (1, 1),
    };
    let pairs = n.div_ceil(2);
    let outer = out.len() / (n * inner).max(1);
    let used = (outer * pairs * inner) as u64;
    if out.is_empty() {
        return Ok(used);
    }
    if inner >= LANES {
        // The two words go to two rows of `inner` elements (the second may be missing).
        let mut tasks = Vec::new();
        for (o, plane) in out.chunks_mut(n * inner).enumerate() {
            for (p, rows) in plane.chunks_mut(2 * inner).enumerate() {
                let (x, y) = rows.split_at_mut(inner);
                let mut seconds = y.chunks_mut(CHUNK);
                for (k, x) in x.chunks_mut(CHUNK).enumerate() {
                    let first = (o * pairs + p) * inner + k * CHUNK;
                    tasks.push((first, x, seconds.next().unwrap_or_default()));
                }
            }
        }
        tasks.into_par_iter().try_for_each(|(first, x, y)| {
            ctx.check_stop()?;
            generate(key, counter.wrapping_add(first as u64), x.len(), |i, x0, x1| {
                x[i..i + x0.len()].copy_from_slice(x0);
                if !y.is_empty() {
                    y[i..i + x1.len()].copy_from_slice(x1);
                }
            });
            Ok(())
        })?;
        return Ok(used);
    }
    // Short rows: some pairs of them at a time.
    let group = CHUNK / inner;
    let mut tasks = Vec::new();
    for (o, plane) in out.chunks_mut(n * inner).enumerate() {
        for (k, part) in plane.chunks_mut(2 * group * inner).enumerate() {
            tasks.push(((o * pairs + k * group) * inner, part));
        }
    }
    tasks.into_par_iter().try_for_each(|(first, part)| {
        ctx.check_stop()?;
        let counters = (part.len() / inner).div_ceil(2) * inner;
        generate(key, counter.wrapping_add(first as u64), counters, |i, x0, x1| {
            if inner == 1 {
                let (whole, last) = part[2 * i..].as_chunks_mut::<2>();
                for ((pair, &a), &b) in whole.iter_mut().zip(x0).zip(x1) {
                    *pair = [a, b];
                }
                if whole.len() < x0.len()
                    && let Some(last) = last.first_mut()
                {
                    *last = x0[whole.len()];
                }
                return;
            }
            for (j, (&a, &b)) in x0.iter().zip(x1).enumerate() {
                let (pair, at) = ((i + j) / inner, (i + j) % inner);
                part[2 * pair * inner + at] = a;
                if let Some(second) = part.get_mut((2 * pair + 1) * inner + at) {
                    *second = b;
                }
            }
        });
        Ok(())
    })?;
    Ok(used)
}
