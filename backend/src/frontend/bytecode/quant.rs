//! Quantized types, in the encoding of the `quant` dialect (which VHLO's has the fields of).

use super::codes::quant_type as code;
use super::cursor::Cursor;
use super::elements::float_value;
use super::tables::Tables;
use sim_core::types::default_storage_range;
use sim_core::{Diagnostic, ElementType as E, QuantType, Result, Type};
use std::sync::Arc;

pub(super) fn ty<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Type> {
    let start = at.at();
    match at.varint("the code of a quantized type")? {
        code::UNIFORM => uniform(t, at),
        code::UNIFORM_PER_AXIS => uniform_per_axis(t, at),
        number => Err(Diagnostic::unsupported(format!("a quantized type of code {number} is not supported"))
            .at(super::cursor::span(start, start + 1))),
    }
}

pub(super) fn uniform<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Type> {
    let (storage, expressed) = storage(t, at)?;
    let scale = float_value(at, E::F64)?;
    let zero_point = at.signed("a zero point")?;
    let (storage_min, storage_max) = (at.signed("a least value")?, at.signed("a greatest value")?);
    quant(at, storage, expressed, (storage_min, storage_max), None, vec![scale], vec![zero_point])
}

pub(super) fn uniform_per_axis<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Type> {
    let (storage, expressed) = storage(t, at)?;
    let start = at.at();
    let axis = at.varint("the quantized dimension")?;
    let axis = i64::try_from(axis).map_err(|_| at.error_at(start, "the quantized dimension is too large"))?;
    let (storage_min, storage_max) = (at.signed("a least value")?, at.signed("a greatest value")?);
    let n = at.count("the number of scales")?;
    let scales = (0..n).map(|_| float_value(at, E::F64)).collect::<Result<Vec<_>>>()?;
    let start = at.at();
    let zero_points = t.ints(at)?;
    if scales.len() != zero_points.len() || scales.is_empty() {
        return Err(
            at.error_at(start, format_args!("{} scales and {} zero points", scales.len(), zero_points.len()))
        );
    }
    quant(at, storage, expressed, (storage_min, storage_max), Some(axis), scales, zero_points)
}

/// Flags, the storage type, the expressed type. The lowest flag says that the storage is signed.
fn storage<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<(E, E)> {
    let flags = at.varint("the flags of a quantized type")?;
    let start = at.at();
    let (storage, expressed) = (t.ty(at)?, t.ty(at)?);
    let (Type::Scalar(storage), Type::Scalar(expressed)) = (&storage, &expressed) else {
        return Err(at.error_at(start, format_args!("{storage} and {expressed} make no quantized type")));
    };
    let storage = match (flags & 1, *storage) {
        (0, E::S2) => E::U2,
        (0, E::S4) => E::U4,
        (0, E::S8) => E::U8,
        (0, E::S16) => E::U16,
        (0, E::S32) => E::U32,
        (_, e) => e,
    };
    if !(storage.is_integer() || storage.is_float()) || !expressed.is_float() {
        return Err(at.error_at(start, format_args!("{storage} and {expressed} make no quantized type")));
    }
    Ok((storage, *expressed))
}

fn quant(
    at: &Cursor,
    storage: E,
    expressed: E,
    (storage_min, storage_max): (i64, i64),
    axis: Option<i64>,
    scales: Vec<f64>,
    zero_points: Vec<i64>,
) -> Result<Type> {
    let (least, greatest) = default_storage_range(storage);
    if storage_min > storage_max || storage.is_integer() && (storage_min < least || storage_max > greatest) {
        return Err(
            at.error_at(at.at(), format_args!("{storage_min}:{storage_max} is no range of {storage}"))
        );
    }
    Ok(Type::Quant(Arc::new(QuantType {
        storage,
        expressed,
        storage_min,
        storage_max,
        axis,
        scales,
        zero_points,
    })))
}
