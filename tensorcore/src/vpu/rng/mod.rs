//! Random numbers: `rng_bit_generator` (the counter-based generators of Salmon, Moraes, Dror and
//! Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011) and `rng`.
//!
//! Both generators are functions of a key and a counter, so any part of the output can be computed
//! by itself. The state is `ui64[2]` (key, counter) or, for Philox, `ui64[3]` (key, low and high half
//! of the counter); with two words the high half is the key, as XLA has it. The order in which
//! outputs fill a tensor is XLA's, observed through JAX:
//!
//! * ThreeFry, 32 bits: the first even dimension (or, if all are odd, the longest) is split in pairs
//!   of neighbours; counter `i` runs over the pairs in row-major order, and its two words are the
//!   two elements. 64 bits: one counter an element, the low word first;
//! * Philox: four words a counter, in row-major order; two for each 64-bit element;
//! * narrower elements are 32-bit ones, truncated.

mod philox;
#[cfg(test)]
mod tests;
mod threefry;

pub use threefry::threefry2x32;

use super::tile::{TileBuilder, TileInput};
use sim_core::dtype::ElementType;
use sim_core::ir::op::{RngAlgorithm, RngDistribution};
use sim_core::ir::{Binary, Unary};
use sim_core::{Ctx, Diagnostic, Result, Tensor};

/// `stablehlo.rng_bit_generator`: (the state after it, random bits of type `element` and `shape`).
/// Float results are the bits read as floats. The default algorithm is Philox, as on XLA:CPU and
/// XLA:TPU.
///
/// # Errors
/// [`Invalid`](sim_core::ErrorKind::Invalid) if the state has another size than the algorithm's;
/// [`Unsupported`](sim_core::ErrorKind::Unsupported) for elements that are not of 2, 4, 8, 16, 32
/// or 64 bits; [`Resource`](sim_core::ErrorKind::Resource); [`Interrupted`](sim_core::ErrorKind::Interrupted).
pub fn rng_bit_generator(
    ctx: &Ctx,
    algorithm: RngAlgorithm,
    state: &Tensor,
    element: ElementType,
    shape: &[usize],
) -> Result<(Tensor, Tensor)> {
    // Some clients write the state as twice as many 32-bit words.
    let words: Vec<u64> = match state.element() {
        ElementType::U64 | ElementType::S64 | ElementType::U32 | ElementType::S32 => state
            .bytes()
            .chunks_exact(8)
            .map(|b| u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
            .collect(),
        _ => Vec::new(),
    };
    let philox = algorithm != RngAlgorithm::ThreeFry;
    if !(words.len() == 2 || words.len() == 3 && philox) || !state.bytes().len().is_multiple_of(8) {
        return Err(Diagnostic::invalid(format!(
            "stablehlo.rng_bit_generator: a state of shape {:?} of {}; it takes ui64[2]{}",
            state.shape(),
            state.element(),
            if philox { " or ui64[3]" } else { "" }
        )));
    }
    if !matches!(element.bits(), 2 | 4 | 8 | 16 | 32 | 64) || element.is_complex() {
        return Err(Diagnostic::unsupported(format!(
            "stablehlo.rng_bit_generator: bits of type {element}; 2, 4, 8, 16, 32 or 64 bits are supported"
        )));
    }
    let mut new = words.clone();
    let bits = if philox {
        let high = words.get(2).copied().unwrap_or(words[0]);
        let (bits, counter) =
            philox::bits(ctx, words[0], (high as u128) << 64 | words[1] as u128, element, shape)?;
        new[1] = counter as u64;
        if let Some(high) = new.get_mut(2) {
            *high = (counter >> 64) as u64;
        }
        bits
    } else {
        let (bits, used) = threefry::bits(ctx, words[0], words[1], element, shape)?;
        new[1] = words[1].wrapping_add(used);
        bits
    };
    let mut after = ctx.alloc(state.element(), state.shape())?;
    for (to, word) in after.bytes_mut().chunks_exact_mut(8).zip(&new) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    Ok((after, bits))
}

/// Truncates 32-bit words to elements of at most 16 bits. Those of less than 8 lie in a byte each, with
/// their sign in front.
fn narrow(ctx: &Ctx, words: Tensor, element: ElementType) -> Result<Tensor> {
    let mut out = ctx.alloc(element, words.shape())?;
    let from = words.as_slice::<u32>();
    if element.bits() <= 8 {
        let unused = 8 - element.bits();
        let signed = element.is_integer() && !element.is_unsigned();
        for (o, w) in out.bytes_mut().iter_mut().zip(from) {
            let high = (*w as u8) << unused;
            *o = if signed { ((high as i8) >> unused) as u8 } else { high >> unused };
        }
    } else {
        let to: &mut [u16] = bytemuck::cast_slice_mut(out.bytes_mut());
        for (o, w) in to.iter_mut().zip(from) {
            *o = *w as u16;
        }
    }
    Ok(out)
}

/// `stablehlo.rng`: from `a` to below `b` (uniform), or with mean `a` and deviation `b` (normal).
/// The specification leaves the generator open; this one is ThreeFry with `seed` as its key, so the
/// same seed gives the same numbers. `a` and `b` are scalars of the result's type.
///
/// # Errors
/// [`Invalid`](sim_core::ErrorKind::Invalid) if `a` and `b` are not scalars of one type;
/// [`Unsupported`](sim_core::ErrorKind::Unsupported) for complex numbers, and for integers of a
/// normal distribution.
pub fn rng(
    ctx: &Ctx,
    a: &Tensor,
    b: &Tensor,
    distribution: RngDistribution,
    shape: &[usize],
    seed: u64,
) -> Result<Tensor> {
    use ElementType as E;
    let ty = a.element();
    if b.element() != ty || a.len() != 1 || b.len() != 1 {
        return Err(Diagnostic::invalid("stablehlo.rng: the operands must be two scalars of one type"));
    }
    let unit = threefry::bits(ctx, seed, 0, E::U64, shape)?.0;
    let normal = distribution == RngDistribution::Normal;
    let mut t = TileBuilder::new(&ctx.numerics);
    let (bits, low, high) = (t.input(E::U64), t.input(ty), t.input(ty));
    let result = if ty.is_float() {
        // 24 bits as a number in [0, 1) with steps of 2^-24, exact in f32; 53 in f64.
        let (wide, kept) = if ty == E::F64 { (E::F64, 53u64) } else { (E::F32, 24) };
        let shift = t.splat(E::U64, &(64 - kept).to_le_bytes())?;
        let top = t.binary(Binary::ShiftRightLogical, bits, shift)?;
        let whole = t.convert(top, wide)?;
        let number = |t: &mut TileBuilder, v: f64| match wide {
            E::F64 => t.splat(wide, &v.to_le_bytes()),
            _ => t.splat(wide, &(v as f32).to_le_bytes()),
        };
        let step = number(&mut t, 0.5f64.powi(kept as i32))?;
        let u = t.binary(Binary::Multiply, whole, step)?;
        let (low, high) = (t.convert(low, wide)?, t.convert(high, wide)?);
        let (from, width) = if normal {
            // sqrt(2) erf_inv(2u - 1), with u moved to the middle of its step: never at the ends.
            let half = number(&mut t, 0.5f64.powi(kept as i32 + 1))?;
            let (two, one, root) = (number(&mut t, 2.0)?, number(&mut t, 1.0)?, number(&mut t, 2f64.sqrt())?);
            let u = t.binary(Binary::Add, u, half)?;
            let u = t.binary(Binary::Multiply, u, two)?;
            let u = t.binary(Binary::Subtract, u, one)?;
            let z = t.unary(Unary::ErfInv, u)?;
            (low, {
                let z = t.binary(Binary::Multiply, z, root)?;
                t.binary(Binary::Multiply, z, high)?
            })
        } else {
            let width = t.binary(Binary::Subtract, high, low)?;
            (low, t.binary(Binary::Multiply, u, width)?)
        };
        let value = t.binary(Binary::Add, from, width)?;
        t.convert(value, ty)?
    } else if ty == E::Pred && !normal {
        let one = t.splat(E::U64, &1u64.to_le_bytes())?;
        let bit = t.binary(Binary::And, bits, one)?;
        let bit = t.convert(bit, E::Pred)?;
        // In [false, true): false only, unless both ends allow nothing else.
        let width = t.binary(Binary::Xor, high, low)?;
        let bit = t.binary(Binary::And, bit, width)?;
        t.binary(Binary::Or, bit, low)?
    } else if ty.is_integer() && !normal {
        let (low, high) = (t.convert(low, E::U64)?, t.convert(high, E::U64)?);
        let width = t.binary(Binary::Subtract, high, low)?;
        let rest = t.binary(Binary::Remainder, bits, width)?;
        let value = t.binary(Binary::Add, low, rest)?;
        t.convert(value, ty)?
    } else {
        return Err(Diagnostic::unsupported(format!(
            "stablehlo.rng: a {distribution:?} distribution of {ty}"
        )));
    };
    t.output(result);
    let inputs =
        [TileInput::full(&unit, shape), TileInput::scalar(a, shape.len()), TileInput::scalar(b, shape.len())];
    Ok(t.finish().run(ctx, shape, &inputs)?.swap_remove(0))
}
