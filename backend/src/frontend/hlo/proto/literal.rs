//! Values. A proto holds them in the order of memory that the shape's layout gives; a [`Literal`] in
//! row-major order.

use super::schema::LiteralProto;
use super::shape;
use sim_core::hlo::{ArrayShape, Literal, Shape};
use sim_core::tensor::{Buffer, Tensor};
use sim_core::types::Dim;
use sim_core::{Diagnostic, ElementType as E, Result};

/// A value with its shape.
pub(super) fn read(proto: &LiteralProto) -> Result<(Literal, std::sync::Arc<Shape>)> {
    let shape = shape::required(proto.shape.as_deref(), "literal.shape")?;
    Ok((of_shape(proto, &shape)?, shape))
}

fn of_shape(proto: &LiteralProto, shape: &Shape) -> Result<Literal> {
    match shape {
        Shape::Tuple(items) => {
            if items.len() != proto.tuple_literals.len() {
                return Err(Diagnostic::malformed(format!(
                    "a tuple of {} has {} values (`tuple_literals`)",
                    items.len(),
                    proto.tuple_literals.len()
                )));
            }
            let parts = proto.tuple_literals.iter().zip(items);
            Ok(Literal::Tuple(parts.map(|(part, shape)| of_shape(part, shape)).collect::<Result<_>>()?))
        }
        Shape::Token => Ok(Literal::Token),
        Shape::Opaque => Err(Diagnostic::malformed("an opaque value has no literal")),
        Shape::Array(a) | Shape::Buffer(a) => {
            let bounds = sizes(a)?;
            let whole = |(given, bound): (&i32, &usize)| usize::try_from(*given) == Ok(*bound);
            if a.dims.iter().any(|d| matches!(d, Dim::Bounded(_)))
                && !proto.dynamic_sizes.iter().zip(&bounds).all(whole)
            {
                return Err(Diagnostic::unsupported(
                    "a literal whose dimensions are smaller than their bounds (`dynamic_sizes`) is not supported",
                ));
            }
            Ok(Literal::Array(from_memory(a, &bounds, bytes(proto, a.element))?))
        }
    }
}

fn sizes(a: &ArrayShape) -> Result<Vec<usize>> {
    a.dims
        .iter()
        .map(|d| match *d {
            Dim::Static(n) | Dim::Bounded(n) => usize::try_from(n).ok(),
            Dim::Dynamic => None,
        })
        .collect::<Option<_>>()
        .ok_or_else(|| Diagnostic::malformed("a literal's sizes are known"))
}

/// The elements of memory as a tensor, if they are as many as the shape has.
pub(super) fn from_memory(a: &ArrayShape, sizes: &[usize], memory: &[u8]) -> Result<Tensor> {
    let width = a.element.byte_size();
    let expected = sizes.iter().try_fold(width, |n, &d| n.checked_mul(d));
    if expected != Some(memory.len()) {
        return Err(Diagnostic::malformed(format!(
            "a literal of {} elements, where its shape {} has another number",
            memory.len() / width,
            type_text(a)
        )));
    }
    let mut buffer = Buffer::zeroed(memory.len())?;
    let out = buffer.bytes_mut();
    match order(a) {
        Some(strides) => permute(memory, out, width, sizes, &strides, true),
        None => out.copy_from_slice(memory),
    }
    match a.element {
        // Whatever stands in the bits that do not count.
        E::S2 | E::S4 => {
            let unused = 8 - a.element.bits();
            out.iter_mut().for_each(|b| *b = (((*b << unused) as i8) >> unused) as u8);
        }
        E::U2 | E::U4 | E::F4E2M1FN | E::F6E2M3FN | E::F6E3M2FN => {
            let mask = 0xff >> (8 - a.element.bits());
            out.iter_mut().for_each(|b| *b &= mask);
        }
        E::Pred => out.iter_mut().for_each(|b| *b = u8::from(*b != 0)),
        _ => {}
    }
    Ok(Tensor::from_buffer(a.element, sizes, buffer))
}

fn type_text(a: &ArrayShape) -> String {
    sim_core::hlo::print::shape_text(&Shape::Array(a.clone()))
}

/// Distances in memory between neighbours along each dimension, where that is not row-major.
fn order(a: &ArrayShape) -> Option<Vec<usize>> {
    let layout = a.layout.as_ref()?;
    let rank = a.rank();
    if layout.minor_to_major.len() != rank
        || layout.minor_to_major.iter().rev().enumerate().all(|(i, &d)| d == i as i64)
    {
        return None;
    }
    let mut strides = vec![0; rank];
    let mut stride = 1usize;
    for &d in &layout.minor_to_major {
        let d = usize::try_from(d).ok().filter(|&d| d < rank)?;
        strides[d] = stride;
        let n = match a.dims[d] {
            Dim::Static(n) | Dim::Bounded(n) => usize::try_from(n).ok()?,
            Dim::Dynamic => return None,
        };
        stride = stride.checked_mul(n)?;
    }
    Some(strides)
}

/// Between row-major order and memory; the sizes have been checked against both slices.
fn permute(from: &[u8], to: &mut [u8], width: usize, sizes: &[usize], strides: &[usize], read: bool) {
    let mut index = vec![0; sizes.len()];
    let mut at = 0;
    for row in 0..from.len() / width {
        let (source, target) = if read { (at, row) } else { (row, at) };
        to[target * width..][..width].copy_from_slice(&from[source * width..][..width]);
        for d in (0..sizes.len()).rev() {
            index[d] += 1;
            at += strides[d];
            if index[d] < sizes[d] {
                break;
            }
            at -= strides[d] * sizes[d];
            index[d] = 0;
        }
    }
}

/// The list that holds elements of that type.
fn bytes(proto: &LiteralProto, element: E) -> &[u8] {
    match element {
        E::Pred => bytemuck::cast_slice(&proto.preds),
        E::S2 => &proto.s2s,
        E::S4 => &proto.s4s,
        E::S8 => &proto.s8s,
        E::S16 => &proto.s16s,
        E::S32 => bytemuck::cast_slice(&proto.s32s),
        E::S64 | E::Index => bytemuck::cast_slice(&proto.s64s),
        E::U2 => &proto.u2s,
        E::U4 => &proto.u4s,
        E::U8 => &proto.u8s,
        E::U16 => &proto.u16s,
        E::U32 => bytemuck::cast_slice(&proto.u32s),
        E::U64 => bytemuck::cast_slice(&proto.u64s),
        E::F4E2M1FN => &proto.f4e2m1fns,
        E::F6E2M3FN => &proto.f6e2m3fns,
        E::F6E3M2FN => &proto.f6e3m2fns,
        E::F8E3M4 => &proto.f8e3m4s,
        E::F8E4M3 => &proto.f8e4m3s,
        E::F8E4M3FN => &proto.f8e4m3fns,
        E::F8E4M3FNUZ => &proto.f8e4m3fnuzs,
        E::F8E4M3B11FNUZ => &proto.f8e4m3b11fnuzs,
        E::F8E5M2 => &proto.f8e5m2s,
        E::F8E5M2FNUZ => &proto.f8e5m2fnuzs,
        E::F8E8M0FNU => &proto.f8e8m0fnus,
        E::BF16 => &proto.bf16s,
        E::F16 => &proto.f16s,
        E::F32 => bytemuck::cast_slice(&proto.f32s),
        E::F64 => bytemuck::cast_slice(&proto.f64s),
        E::C64 => bytemuck::cast_slice(&proto.c64s),
        E::C128 => bytemuck::cast_slice(&proto.c128s),
    }
}

/// The value, of that shape. `None` for one that was left out.
pub(super) fn write(literal: &Literal, of: &Shape) -> Option<LiteralProto> {
    let mut proto = LiteralProto { shape: Some(Box::new(shape::write(of))), ..LiteralProto::default() };
    match (literal, of) {
        (Literal::Elided, _) => return None,
        (Literal::Tuple(items), Shape::Tuple(shapes)) => {
            let parts = items.iter().zip(shapes).map(|(item, shape)| write(item, shape));
            proto.tuple_literals = parts.collect::<Option<_>>()?;
        }
        (Literal::Array(t), Shape::Array(a) | Shape::Buffer(a)) => {
            if a.dims.iter().any(|d| matches!(d, Dim::Bounded(_))) {
                proto.dynamic_sizes =
                    t.shape().iter().map(|&n| i32::try_from(n).unwrap_or(i32::MAX)).collect();
            }
            match order(a).filter(|_| a.rank() == t.rank()) {
                Some(strides) => {
                    let mut memory = vec![0; t.bytes().len()];
                    permute(t.bytes(), &mut memory, a.element.byte_size(), t.shape(), &strides, false);
                    store(&mut proto, a.element, &memory);
                }
                None => store(&mut proto, a.element, t.bytes()),
            }
        }
        _ => {}
    }
    Some(proto)
}

fn store(proto: &mut LiteralProto, element: E, bytes: &[u8]) {
    fn list<T: bytemuck::Pod>(bytes: &[u8]) -> Vec<T> {
        bytemuck::pod_collect_to_vec(bytes)
    }
    match element {
        E::Pred => proto.preds = bytes.iter().map(|&b| b != 0).collect(),
        E::S2 => proto.s2s = bytes.into(),
        E::S4 => proto.s4s = bytes.into(),
        E::S8 => proto.s8s = bytes.into(),
        E::S16 => proto.s16s = bytes.into(),
        E::S32 => proto.s32s = list(bytes),
        E::S64 | E::Index => proto.s64s = list(bytes),
        E::U2 => proto.u2s = bytes.into(),
        E::U4 => proto.u4s = bytes.into(),
        E::U8 => proto.u8s = bytes.into(),
        E::U16 => proto.u16s = bytes.into(),
        E::U32 => proto.u32s = list(bytes),
        E::U64 => proto.u64s = list(bytes),
        E::F4E2M1FN => proto.f4e2m1fns = bytes.into(),
        E::F6E2M3FN => proto.f6e2m3fns = bytes.into(),
        E::F6E3M2FN => proto.f6e3m2fns = bytes.into(),
        E::F8E3M4 => proto.f8e3m4s = bytes.into(),
        E::F8E4M3 => proto.f8e4m3s = bytes.into(),
        E::F8E4M3FN => proto.f8e4m3fns = bytes.into(),
        E::F8E4M3FNUZ => proto.f8e4m3fnuzs = bytes.into(),
        E::F8E4M3B11FNUZ => proto.f8e4m3b11fnuzs = bytes.into(),
        E::F8E5M2 => proto.f8e5m2s = bytes.into(),
        E::F8E5M2FNUZ => proto.f8e5m2fnuzs = bytes.into(),
        E::F8E8M0FNU => proto.f8e8m0fnus = bytes.into(),
        E::BF16 => proto.bf16s = bytes.into(),
        E::F16 => proto.f16s = bytes.into(),
        E::F32 => proto.f32s = list(bytes),
        E::F64 => proto.f64s = list(bytes),
        E::C64 => proto.c64s = list(bytes),
        E::C128 => proto.c128s = list(bytes),
    }
}
