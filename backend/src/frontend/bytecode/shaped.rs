//! Types with a shape, as the builtin dialect and VHLO write them: the sizes, then the element type.

use super::cursor::{Cursor, span};
use super::tables::{Tables, brief};
use sim_core::ir::Attr;
use sim_core::ir::op::HloAttr;
use sim_core::types::Dims;
use sim_core::{Diagnostic, Dim, Result, TensorType, Type};
use std::sync::Arc;

/// What stands for a size that is not known.
const DYNAMIC: i64 = i64::MIN;

/// What bytecode of before 2023 has for it (and for a dimension without a bound).
const OLD_DYNAMIC: i64 = -1;

pub(super) fn complex<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Type> {
    let start = at.at();
    let part = t.ty(at)?;
    let complex = match part {
        Type::Scalar(e) => e.complex_of(),
        _ => None,
    };
    complex.map(Type::Scalar).ok_or_else(|| {
        Diagnostic::unsupported(format!("complex numbers of {part} are not supported"))
            .at(span(start, start + 1))
    })
}

/// The sizes and the element type. `Err(type)` is an element type that is not modelled.
fn shape<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<std::result::Result<TensorType, Type>> {
    let start = at.at();
    let mut dims = Dims::new();
    for size in t.ints(at)? {
        dims.push(match size {
            DYNAMIC | OLD_DYNAMIC => Dim::Dynamic,
            0.. => Dim::Static(size),
            _ => return Err(at.error_at(start, format_args!("a dimension of {size}"))),
        });
    }
    let start = at.at();
    let (element, quant) = match t.ty(at)? {
        Type::Scalar(e) => (e, None),
        Type::Quant(q) => (q.storage, Some(q)),
        other @ (Type::Verbatim(_) | Type::Token | Type::Buffer(_)) => {
            let sizes = dims.iter().map(|d| match d {
                Dim::Static(n) => format!("{n}x"),
                _ => "?x".to_owned(),
            });
            return Ok(Err(Type::Verbatim(format!("{}{other}", sizes.collect::<String>()).into())));
        }
        other => return Err(at.error_at(start, format_args!("{other} cannot be an element type"))),
    };
    Ok(Ok(TensorType { element, dims, quant, encoding: None }))
}

pub(super) fn tensor<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, encoding: Option<Attr>) -> Result<Type> {
    let start = at.at();
    let mut ty = match shape(t, at)? {
        Ok(ty) => ty,
        Err(other) => return verbatim(t, at, format!("tensor<{other}>")),
    };
    if let Some(encoding) = encoding {
        encode(&mut ty, encoding, at, start)?;
    }
    Ok(Type::Tensor(Arc::new(ty)))
}

/// A type that is kept as its text.
fn verbatim<'a>(t: &mut Tables<'a>, at: &Cursor<'a>, text: String) -> Result<Type> {
    match t.made_text(at, text)? {
        Attr::Verbatim(text) => Ok(Type::Verbatim(text)),
        other => Err(at.error_at(at.at(), brief(&other))),
    }
}

/// Bounds go into the dimensions; any other encoding is kept.
fn encode(ty: &mut TensorType, encoding: Attr, at: &Cursor, start: usize) -> Result<()> {
    let bounds = match &encoding {
        Attr::Hlo(h) => match &**h {
            HloAttr::Bounds(bounds) => bounds,
            _ => {
                return Err(at.error_at(start, format_args!("{} cannot encode a tensor", brief(&encoding))));
            }
        },
        _ => {
            ty.encoding = Some(Arc::new(encoding));
            return Ok(());
        }
    };
    if bounds.len() != ty.dims.len() {
        return Err(at.error_at(
            start,
            format_args!("{} bounds for a tensor of rank {}", bounds.len(), ty.dims.len()),
        ));
    }
    for (i, (dim, bound)) in ty.dims.iter_mut().zip(bounds).enumerate() {
        match (&dim, bound) {
            (_, None) => {}
            (Dim::Dynamic, Some(n)) => *dim = Dim::Bounded(*n),
            _ => return Err(at.error_at(start, format_args!("dimension {i} is static and has a bound"))),
        }
    }
    Ok(())
}

/// The bounds of an encoding.
pub(super) fn bounds<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    let one = |n: i64| (n != DYNAMIC && n != OLD_DYNAMIC).then_some(n);
    let bounds = t.ints(at)?.into_iter().map(one).collect();
    Ok(Attr::Hlo(Arc::new(HloAttr::Bounds(bounds))))
}

/// `memref<…>` of the sizes and the element type.
pub(super) fn buffer<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Type> {
    match shape(t, at)? {
        Ok(ty) => Ok(Type::Buffer(Arc::new(ty))),
        Err(other) => verbatim(t, at, format!("memref<{other}>")),
    }
}

/// Adds the layout that follows, and the memory space, as they stand in the text.
pub(super) fn with_layout<'a>(
    t: &mut Tables<'a>,
    at: &mut Cursor<'a>,
    ty: Type,
    space: Option<Attr>,
) -> Result<Type> {
    let layout = t.attr(at)?.to_string();
    let Type::Buffer(buffer) = &ty else { return Ok(ty) };
    let mut parts = Vec::new();
    // The layout of every buffer that has no other: row-major, an identity map.
    if !is_identity(&layout) {
        parts.push(layout);
    }
    parts.extend(space.map(|s| s.to_string()));
    if parts.is_empty() {
        return Ok(ty);
    }
    let encoding = t.made_text(at, parts.join(", "))?;
    Ok(Type::Buffer(Arc::new(TensorType { encoding: Some(Arc::new(encoding)), ..(**buffer).clone() })))
}

/// `affine_map<(d0, d1) -> (d0, d1)>`
fn is_identity(layout: &str) -> bool {
    let map = layout.strip_prefix("affine_map<").and_then(|map| map.strip_suffix('>'));
    map.and_then(|map| map.split_once(" -> ")).is_some_and(|(from, to)| from == to)
}
