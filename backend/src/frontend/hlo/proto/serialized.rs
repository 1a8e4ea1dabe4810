//! Literals as XLA serializes them outside of protocol buffers, behind a snapshot: the length of the shape's proto
//! in 8 bytes, the proto, and for each array its dynamic sizes (where it has some) and its elements in the order of
//! memory, little endian; elements of less than a byte are packed, the first in the lowest bits.

use super::literal::from_memory;
use super::schema::ShapeProto;
use super::shape;
use prost::Message;
use sim_core::hlo::{ArrayShape, Literal, Shape};
use sim_core::types::Dim;
use sim_core::{Diagnostic, ElementType as E, Result};
use std::sync::Arc;

pub(super) fn read(bytes: &[u8]) -> Result<(Literal, Arc<Shape>)> {
    let mut rest = bytes;
    let length = take(&mut rest, 8)?;
    let length = u64::from_le_bytes(length.try_into().unwrap_or_default());
    let proto = take(&mut rest, usize::try_from(length).unwrap_or(usize::MAX))?;
    let proto =
        ShapeProto::decode(proto).map_err(|e| Diagnostic::malformed(format!("the literal's shape: {e}")))?;
    let shape = shape::read(&proto)?;
    let value = piece(&mut rest, &shape)?;
    match rest.len() {
        0 => Ok((value, shape)),
        n => Err(Diagnostic::malformed(format!("{n} bytes follow the literal's values"))),
    }
}

fn take<'a>(rest: &mut &'a [u8], n: usize) -> Result<&'a [u8]> {
    let Some((taken, behind)) = rest.split_at_checked(n) else {
        return Err(Diagnostic::malformed(format!("the literal ends where {n} bytes are expected")));
    };
    *rest = behind;
    Ok(taken)
}

fn piece(rest: &mut &[u8], shape: &Shape) -> Result<Literal> {
    match shape {
        Shape::Tuple(items) => {
            Ok(Literal::Tuple(items.iter().map(|s| piece(rest, s)).collect::<Result<_>>()?))
        }
        Shape::Array(a) => Ok(Literal::Array(array(rest, a)?)),
        _ => Err(Diagnostic::malformed("only arrays and tuples are serialized")),
    }
}

fn array(rest: &mut &[u8], a: &ArrayShape) -> Result<sim_core::Tensor> {
    let mut sizes = Vec::with_capacity(a.rank());
    for d in &a.dims {
        match *d {
            Dim::Static(n) | Dim::Bounded(n) => sizes.push(usize::try_from(n).unwrap_or(usize::MAX)),
            Dim::Dynamic => return Err(Diagnostic::malformed("a literal's sizes are known")),
        }
    }
    if a.dims.iter().any(|d| matches!(d, Dim::Bounded(_))) {
        for (bytes, &bound) in take(rest, 4 * a.rank())?.chunks_exact(4).zip(&sizes) {
            let size = i32::from_le_bytes(bytes.try_into().unwrap_or_default());
            if usize::try_from(size) != Ok(bound) {
                return Err(Diagnostic::unsupported("a literal smaller than its bounds is not supported"));
            }
        }
    }
    let count = sizes.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
    let too_large = || Diagnostic::malformed("the literal's shape is larger than any memory");
    let count = count.ok_or_else(too_large)?;
    let packed = match a.element {
        E::Pred => 1,
        E::F6E2M3FN | E::F6E3M2FN => 8,
        e if e.bits() < 8 => e.bits() as usize,
        _ => 8,
    };
    if packed == 8 {
        let bytes = take(rest, count.checked_mul(a.element.byte_size()).ok_or_else(too_large)?)?;
        return from_memory(a, &sizes, bytes);
    }
    let per_byte = 8 / packed;
    let bytes = take(rest, count.div_ceil(per_byte))?;
    let mask = 0xff >> (8 - packed);
    let unpacked: Vec<u8> =
        (0..count).map(|i| bytes[i / per_byte] >> (i % per_byte * packed) & mask).collect();
    from_memory(a, &sizes, &unpacked)
}
