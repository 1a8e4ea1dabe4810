//! Constants: raw bytes and a type.
//!
//! Elements narrower than a byte take a byte each, but for `i1`, which is packed eight to a byte (or,
//! in some files of 2025, is not). Fewer bytes than the elements take are one element: a splat. The
//! splat of `true` is a byte of ones.

use super::cursor::Cursor;
use crate::frontend::mlir::normalize;
use sim_core::ir::Attr;
use sim_core::ir::attr::Dense;
use sim_core::{Buffer, Diagnostic, ElementType, Result, Tensor, Type};
use std::sync::Arc;

/// The constant of type `ty` whose bytes are `data`.
pub(super) fn dense(ty: Type, data: &Cursor) -> Result<Attr> {
    let at = data.at();
    let tensor =
        ty.as_tensor().ok_or_else(|| data.error_at(at, format_args!("a constant cannot be of type {ty}")))?;
    let dims = tensor.static_dims().ok_or_else(|| {
        data.error_at(at, format_args!("a constant needs a static shape, and this is {ty}"))
    })?;
    let e = tensor.element;
    let total = dims.iter().try_fold(e.byte_size(), |n, &d| n.checked_mul(d));
    let Some(total) = total.filter(|&n| n <= isize::MAX as usize) else {
        return Err(Diagnostic::resource(format!(
            "a constant of type {ty} is larger than the address space"
        ))
        .at(super::cursor::span(at, at + 1)));
    };
    let count = total / e.byte_size();
    let raw = data.rest();
    let one = e.byte_size();
    let (value, splat) = if e == ElementType::Pred && raw.len() == count.div_ceil(8) && raw.len() != count {
        // A byte of ones for up to eight elements is all of them.
        let mut buffer = Buffer::zeroed(count)?;
        for (i, out) in buffer.bytes_mut().iter_mut().enumerate() {
            *out = raw[i / 8] >> (i % 8) & 1;
        }
        (Tensor::from_buffer(e, &dims, buffer), false)
    } else if raw.len() == total {
        (tensor_of(e, &dims, raw)?, false)
    } else if raw.len() == one && count == 0 {
        // MLIR keeps the one element of a constant that repeats it no times.
        (tensor_of(e, &dims, &[])?, false)
    } else if raw.len() == one {
        (tensor_of(e, &[], raw)?, true)
    } else {
        return Err(data.error_at(
            at,
            format_args!(
                "the constant has {} bytes, and {count} elements of {e} are {total} bytes",
                raw.len()
            ),
        ));
    };
    // MLIR keeps one element where all are the same, however they were written.
    let (value, splat) = if !splat && count > 1 && same_elements(value.bytes(), one) {
        (tensor_of(e, &[], &value.bytes()[..one])?, true)
    } else {
        (value, splat)
    };
    Ok(Attr::Dense(Arc::new(Dense { ty, value, splat })))
}

/// Is every element, of so many bytes, the first one?
fn same_elements(bytes: &[u8], size: usize) -> bool {
    bytes.len() > size && bytes[size..] == bytes[..bytes.len() - size]
}

fn tensor_of(e: ElementType, dims: &[usize], raw: &[u8]) -> Result<Tensor> {
    let mut buffer = Buffer::zeroed(raw.len())?;
    buffer.bytes_mut().copy_from_slice(raw);
    normalize(buffer.bytes_mut(), e);
    Ok(Tensor::from_buffer(e, dims, buffer))
}

/// `array<e: …>` of `n` elements.
pub(super) fn array(e: ElementType, n: u64, data: &Cursor) -> Result<Attr> {
    let raw = data.rest();
    let size = e.byte_size();
    if e.is_complex() || n.checked_mul(size as u64) != Some(raw.len() as u64) {
        return Err(data.error_at(
            data.at(),
            format_args!("the array has {} bytes, which are not {n} elements of {e}", raw.len()),
        ));
    }
    let value = |bytes: &[u8]| {
        let mut raw = [0; 8];
        raw[..size].copy_from_slice(bytes);
        number(u64::from_le_bytes(raw), e)
    };
    Ok(Attr::DenseArray(e, raw.chunks_exact(size).map(value).collect()))
}

/// The bits of an integer, a boolean or a float as `Attr::DenseArray` keeps them.
fn number(bits: u64, e: ElementType) -> i64 {
    if e.is_float() {
        crate::frontend::mlir::float_of_bits(bits, e).to_bits() as i64
    } else if e == ElementType::Pred {
        i64::from(bits != 0)
    } else {
        extend(bits, e)
    }
}

/// An integer of type `e` from its low bits.
pub(super) fn extend(bits: u64, e: ElementType) -> i64 {
    let shift = 64 - e.bits().min(64);
    if e.is_unsigned() { (bits << shift >> shift) as i64 } else { (bits << shift) as i64 >> shift }
}

/// An integer attribute of a known type.
pub(super) fn integer(at: &mut Cursor, e: ElementType) -> Result<Attr> {
    let bits = known_width(at, e.bits())?;
    Ok(match e {
        ElementType::Pred => Attr::Bool(bits & 1 == 1),
        _ => Attr::Int(extend(bits, e), e),
    })
}

/// A float attribute of a known type.
pub(super) fn float(at: &mut Cursor, e: ElementType) -> Result<Attr> {
    Ok(Attr::Float(float_value(at, e)?, e))
}

/// The value of a float of a known type.
pub(super) fn float_value(at: &mut Cursor, e: ElementType) -> Result<f64> {
    let bits = known_width(at, e.bits())?;
    let shift = 64 - e.bits();
    Ok(crate::frontend::mlir::float_of_bits(bits << shift >> shift, e))
}

/// Up to eight bits are a byte, up to 64 a signed number.
fn known_width(at: &mut Cursor, bits: u32) -> Result<u64> {
    if bits <= 8 { at.byte("a number").map(u64::from) } else { at.signed("a number").map(|n| n as u64) }
}
