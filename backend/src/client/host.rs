//! Arrays between a client's memory and ours.
//!
//! A client describes its array by strides in bytes, which may be anything: views are transposed, reversed, or repeat elements. Ours are
//! dense and row-major. Types narrower than a byte take a byte of their own on both sides; theirs may hold anything in the bits above,
//! ours are extended ([`sim_core::dtype`]), and what we hand out has zeros there, as `ml_dtypes` has.

mod copy;

use super::status::{Result, Status};
use copy::Axis;
use sim_core::dtype::Class;
use sim_core::{Ctx, ElementType, Tensor};
use smallvec::SmallVec;

/// Bytes that an array touches below its origin, and from its origin on. `None`: more than there can be, or not as many
/// strides as dimensions.
pub fn extent(dims: &[usize], byte_strides: &[i64], element_size: usize) -> Option<(usize, usize)> {
    if dims.len() != byte_strides.len() {
        return None;
    }
    if dims.contains(&0) {
        return Some((0, 0));
    }
    let (mut below, mut above) = (0usize, element_size);
    for (&n, &stride) in dims.iter().zip(byte_strides) {
        let far = (n - 1).checked_mul(usize::try_from(stride.unsigned_abs()).ok()?)?;
        let side = if stride < 0 { &mut below } else { &mut above };
        *side = side.checked_add(far)?;
    }
    let whole = below.checked_add(above)?;
    (whole <= isize::MAX as usize).then_some((below, above))
}

/// Strides in bytes of a dense array whose dimensions lie in that order, the fastest varying first. `None`: not an order of its
/// dimensions, or too large.
pub fn dense_strides(dims: &[usize], minor_to_major: &[i64], element_size: usize) -> Option<Vec<i64>> {
    if minor_to_major.len() != dims.len() {
        return None;
    }
    let mut strides = vec![-1; dims.len()];
    let mut step = i64::try_from(element_size).ok()?;
    for &d in minor_to_major {
        let d = usize::try_from(d).ok()?;
        let slot = strides.get_mut(d).filter(|s| **s < 0)?;
        *slot = step;
        step = step.checked_mul(i64::try_from(dims[d]).ok()?.max(1))?;
    }
    Some(strides)
}

/// As [`dense_strides`], with the last dimension fastest.
pub fn row_major_strides(dims: &[usize], element_size: usize) -> Option<Vec<i64>> {
    let order: Vec<i64> = (0..dims.len() as i64).rev().collect();
    dense_strides(dims, &order, element_size)
}

/// The array whose first element is at `origin` in a client's bytes.
///
/// # Errors
/// Invalid argument where it reaches beyond `src`; resource exhausted where there is no room for it.
pub fn gather(
    src: &[u8],
    origin: usize,
    byte_strides: &[i64],
    element: ElementType,
    dims: &[usize],
    ctx: &Ctx,
) -> Result<Tensor> {
    let width = element.byte_size();
    check("host buffer", src.len(), origin, byte_strides, width, dims)?;
    let mut tensor = ctx.alloc(element, dims)?;
    if tensor.is_empty() {
        return Ok(tensor);
    }
    let dense = row_major_strides(dims, width).ok_or_else(|| too_large("host buffer", dims))?;
    let axes = axes(dims, byte_strides, &dense);
    let dst = tensor.bytes_mut();
    copy::strided(width, src, origin, dst, 0, axes);
    make_canonical(element, dst);
    Ok(tensor)
}

/// Writes the array into a client's bytes, its first element at `origin`.
///
/// # Errors
/// Invalid argument where it reaches beyond `dst`, or where several elements would be written to one place.
pub fn scatter(tensor: &Tensor, byte_strides: &[i64], dst: &mut [u8], origin: usize) -> Result<()> {
    let (element, dims) = (tensor.element(), tensor.shape());
    let width = element.byte_size();
    check("host buffer to write", dst.len(), origin, byte_strides, width, dims)?;
    if tensor.is_empty() {
        return Ok(());
    }
    let dense = row_major_strides(dims, width).ok_or_else(|| too_large("host buffer to write", dims))?;
    let axes = axes(dims, &dense, byte_strides);
    let mut reach: Vec<(u64, usize)> =
        dims.iter().zip(byte_strides).filter(|(n, _)| **n > 1).map(|(&n, s)| (s.unsigned_abs(), n)).collect();
    reach.sort_unstable();
    let mut end = width as u64;
    for (stride, n) in reach {
        if stride < end {
            return Err(Status::invalid(format!(
                "host buffer to write: strides {byte_strides:?} put several elements of {dims:?} in one place"
            )));
        }
        end = end.saturating_add(stride.saturating_mul(n as u64 - 1));
    }
    if element.bits() < 8 && element.class() == Class::Signed {
        // Ours are sign-extended, which only what we hand out must not be.
        let mask = (1u8 << element.bits()) - 1;
        let masked: Vec<u8> = tensor.bytes().iter().map(|b| b & mask).collect();
        copy::strided(width, &masked, 0, dst, origin, axes);
    } else {
        copy::strided(width, tensor.bytes(), 0, dst, origin, axes);
    }
    Ok(())
}

/// A client's bytes become ours, for types that do not use all bits.
fn make_canonical(element: ElementType, bytes: &mut [u8]) {
    match (element.class(), element.bits()) {
        (Class::Pred, _) => copy::map_bytes(bytes, |b| (b != 0).into()),
        (Class::Signed, 2) => copy::map_bytes(bytes, |b| (((b << 6) as i8) >> 6) as u8),
        (Class::Signed, 4) => copy::map_bytes(bytes, |b| (((b << 4) as i8) >> 4) as u8),
        (_, 2) => copy::map_bytes(bytes, |b| b & 0x03),
        (_, 4) => copy::map_bytes(bytes, |b| b & 0x0f),
        (_, 6) => copy::map_bytes(bytes, |b| b & 0x3f),
        _ => {}
    }
}

fn too_large(what: &str, dims: &[usize]) -> Status {
    Status::invalid(format!("{what}: an array of {dims:?} is larger than memory can be"))
}

fn check(what: &str, len: usize, origin: usize, strides: &[i64], width: usize, dims: &[usize]) -> Result<()> {
    if strides.len() != dims.len() {
        return Err(Status::invalid(format!(
            "{what}: {} byte strides for an array of {} dimensions",
            strides.len(),
            dims.len()
        )));
    }
    let (below, above) = extent(dims, strides, width).ok_or_else(|| too_large(what, dims))?;
    if below > origin || above > len.saturating_sub(origin) {
        return Err(Status::invalid(format!(
            "{what}: an array of {dims:?} with byte strides {strides:?} takes {below} bytes before its first element \
             and {above} from there on; there are {origin} and {}",
            len.saturating_sub(origin)
        )));
    }
    Ok(())
}

fn axes(dims: &[usize], src: &[i64], dst: &[i64]) -> SmallVec<[Axis; 6]> {
    let each = dims.iter().zip(src).zip(dst);
    each.map(|((&n, &src), &dst)| Axis { n, src: src as isize, dst: dst as isize }).collect()
}

#[cfg(test)]
mod tests;
