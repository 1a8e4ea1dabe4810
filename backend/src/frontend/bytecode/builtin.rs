//! The encodings of MLIR's own attributes, types and locations.
//! (The codes: `BuiltinDialectBytecode.td` of MLIR.)

use super::cursor::{Cursor, span};
use super::tables::Tables;
use super::{elements, shaped};
use sim_core::ir::attr::text_of_bytes;
use sim_core::ir::{Attr, AttrDict};
use sim_core::loc::LocData;
use sim_core::types::FunctionType;
use sim_core::{Diagnostic, ElementType as E, Loc, Result, Type};
use std::sync::Arc;

/// `number` is the entry's own, the identity of a distinct attribute.
pub(super) fn attr<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, number: usize) -> Result<Attr> {
    let start = at.at();
    Ok(match at.varint("the code of an attribute")? {
        0 => Attr::Array(t.attrs(at)?.into()),
        1 => {
            let n = at.count("the number of a dictionary's entries")?;
            let mut dict = AttrDict::new();
            for _ in 0..n {
                dict.0.push((t.string_attr(at)?, t.attr(at)?));
            }
            // Sorted by name, so names that are given twice are neighbours.
            if let Some(pair) = dict.0.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(at.error_at(start, format_args!("the attribute `{}` is given twice", pair[0].0)));
            }
            Attr::Dict(Arc::new(dict))
        }
        2 => Attr::String(t.string(at)?),
        3 => {
            let text = t.string(at)?;
            // The type of a string says nothing that we use.
            t.ty(at)?;
            Attr::String(text)
        }
        4 => Attr::Symbol([t.string_attr(at)?].into()),
        5 => {
            let mut path = vec![t.string_attr(at)?];
            for nested in t.attrs(at)? {
                match nested {
                    Attr::Symbol(names) => path.extend(names.iter().cloned()),
                    _ => return Err(at.error_at(start, "a nested reference is not a symbol")),
                }
            }
            Attr::Symbol(path.into())
        }
        6 => Attr::Type(t.ty(at)?),
        7 => Attr::Unit,
        8 => {
            let e = scalar(t, at, "an integer", |e| e.is_integer() || matches!(e, E::Pred | E::Index))?;
            elements::integer(at, e)?
        }
        9 => {
            let e = scalar(t, at, "a float", E::is_float)?;
            elements::float(at, e)?
        }
        10 => {
            let (callee, caller) = (t.loc(at)?, t.loc(at)?);
            loc(LocData::CallSite { callee, caller })
        }
        11 => {
            let file = t.string_attr(at)?;
            let (line, col) = (u32(at, "a line")?, u32(at, "a column")?);
            loc(LocData::File { file, line, col, end: None })
        }
        12 => loc(LocData::Fused { locs: locs(t, at)?, metadata: None }),
        13 => {
            let locs = locs(t, at)?;
            let metadata = t.attr(at)?.to_string();
            let Attr::Verbatim(metadata) = t.made_text(at, metadata)? else { return Ok(Attr::Unit) };
            loc(LocData::Fused { locs, metadata: Some(metadata) })
        }
        14 => {
            let name = t.string_attr(at)?;
            loc(LocData::Name { name, child: t.loc(at)? })
        }
        15 => Attr::Loc(Loc::Unknown),
        16 => resource(t, at)?,
        17 => {
            let e = scalar(t, at, "an array's element", |e| !e.is_complex())?;
            let n = at.varint("the number of an array's elements")?;
            let data = t.blob(at)?;
            elements::array(e, n, &data)?
        }
        18 => {
            let ty = t.ty(at)?;
            let data = t.blob(at)?;
            elements::dense(ty, &data)?
        }
        19 => return Err(unsupported(start, "a constant of strings")),
        20 => return Err(unsupported(start, "a sparse constant")),
        21 => {
            let of = t.attr(at)?;
            t.made_text(at, format!("distinct[{number}]<{of}>"))?
        }
        22 => range(t, at)?,
        23 => affine_map(t, at)?,
        code => return Err(at.error_at(start, format_args!("MLIR has no attribute of code {code}"))),
    })
}

fn loc(data: LocData) -> Attr {
    Attr::Loc(Loc::new(data))
}

fn locs<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Vec<Loc>> {
    let n = at.count("the number of locations")?;
    (0..n).map(|_| t.loc(at)).collect()
}

fn u32(at: &mut Cursor, what: &str) -> Result<u32> {
    let start = at.at();
    let n = at.varint(what)?;
    u32::try_from(n).map_err(|_| at.error_at(start, format_args!("{what} is {n}")))
}

/// A range in a file: as many numbers as it needs (none; a line; a line and a column; those and the
/// last column; those, the last line and the last column).
fn range<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    let file = t.string_attr(at)?;
    let start = at.at();
    let n = at.count("the number of lines and columns")?;
    let numbers = (0..n).map(|_| u32(at, "a line or column")).collect::<Result<Vec<_>>>()?;
    let (line, col, end) = match numbers[..] {
        [] => (0, 0, None),
        [line] => (line, 0, None),
        [line, col] => (line, col, None),
        [line, col, last] => (line, col, Some((line, last))),
        [line, col, last_line, last] => (line, col, Some((last_line, last))),
        _ => return Err(at.error_at(start, "expected at most four lines and columns")),
    };
    Ok(loc(LocData::File { file, line, col, end }))
}

/// `affine_map<(d0, d1) -> (d1, d0)>`: the layouts of buffers. The lowest two bits of the number of
/// dimensions say how the results are written: not at all (the identity), or as dimensions' numbers.
fn affine_map<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    let start = at.at();
    let head = at.varint("the dimensions of an affine map")?;
    let n = head >> 2;
    if n > 256 {
        return Err(at.error_at(start, format_args!("an affine map of {n} dimensions")));
    }
    let results = match head & 3 {
        0 => (0..n).collect(),
        1 => (0..n).map(|_| Ok(at.index(n as usize, "a dimension")? as u64)).collect::<Result<Vec<_>>>()?,
        _ => return Err(unsupported(start, "an affine map that is no permutation")),
    };
    let list = |dims: &[u64]| dims.iter().map(|d| format!("d{d}")).collect::<Vec<_>>().join(", ");
    let from = list(&(0..n).collect::<Vec<_>>());
    t.made_text(at, format!("affine_map<({from}) -> ({})>", list(&results)))
}

/// An element type for which `fits`.
fn scalar<'a>(
    t: &mut Tables<'a>,
    at: &mut Cursor<'a>,
    what: &str,
    fits: impl FnOnce(E) -> bool,
) -> Result<E> {
    let start = at.at();
    match t.ty(at)? {
        Type::Scalar(e) if fits(e) => Ok(e),
        other => Err(at.error_at(start, format_args!("{what} cannot be of type {other}"))),
    }
}

/// `dense_resource<key>`
fn resource<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    let ty = t.ty(at)?;
    let n = at.index(t.file.resources.len(), "the resource")?;
    let resource = &t.file.resources[n];
    let mut data = resource.data;
    let start = data.at();
    let key = text_of_bytes(resource.key);
    if resource.kind != 0 || data.is_empty() {
        return Err(at
            .error_at(start, format_args!("the resource `{key}` has no value of bytes"))
            .help("writers can leave out the values of resources; write the file with them"));
    }
    let alignment = data.varint("the alignment of a resource")?;
    let size = data.varint("the size of a resource")?;
    data.align(alignment, "a resource")?;
    let data = data.take(size, "the value of a resource")?;
    elements::dense(ty, &data)
}

fn unsupported(at: usize, what: &str) -> Diagnostic {
    Diagnostic::unsupported(format!("{what} is not supported")).at(span(at, at + 1))
}

pub(super) fn ty<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Type> {
    let start = at.at();
    Ok(match at.varint("the code of a type")? {
        0 => {
            let n = at.varint("the width of an integer type")?;
            let unsigned = n & 3 == 2;
            Type::Scalar(match (n >> 2, unsigned) {
                (1, false) => E::Pred,
                (2, false) => E::S2,
                (4, false) => E::S4,
                (8, false) => E::S8,
                (16, false) => E::S16,
                (32, false) => E::S32,
                (64, false) => E::S64,
                (2, true) => E::U2,
                (4, true) => E::U4,
                (8, true) => E::U8,
                (16, true) => E::U16,
                (32, true) => E::U32,
                (64, true) => E::U64,
                (width, _) => {
                    return Err(unsupported(start, &format!("an integer type of {width} bits")));
                }
            })
        }
        1 => Type::Scalar(E::Index),
        2 => {
            let inputs = t.types(at)?;
            Type::Function(Arc::new(FunctionType { inputs, results: t.types(at)? }))
        }
        3 => Type::Scalar(E::BF16),
        4 => Type::Scalar(E::F16),
        5 => Type::Scalar(E::F32),
        6 => Type::Scalar(E::F64),
        7 => return Err(unsupported(start, "the element type f80")),
        8 => return Err(unsupported(start, "the element type f128")),
        9 => shaped::complex(t, at)?,
        10 => {
            let ty = shaped::buffer(t, at)?;
            shaped::with_layout(t, at, ty, None)?
        }
        11 => {
            let space = t.attr(at)?;
            let ty = shaped::buffer(t, at)?;
            shaped::with_layout(t, at, ty, Some(space))?
        }
        12 => Type::None,
        13 => shaped::tensor(t, at, None)?,
        14 => {
            let encoding = t.attr(at)?;
            shaped::tensor(t, at, Some(encoding))?
        }
        15 => Type::Tuple(t.types(at)?.into()),
        16 | 17 => return Err(unsupported(start, "a buffer without a rank")),
        18 => {
            return Err(unsupported(start, "a tensor without a rank").help("refine its shape before running"));
        }
        19 | 20 => return Err(unsupported(start, "a vector type")),
        // Names an algorithm's precision, never an element.
        21 => Type::Verbatim("tf32".into()),
        22 => Type::Scalar(E::F8E5M2),
        23 => Type::Scalar(E::F8E4M3),
        24 => Type::Scalar(E::F8E4M3FN),
        25 => Type::Scalar(E::F8E5M2FNUZ),
        26 => Type::Scalar(E::F8E4M3FNUZ),
        27 => Type::Scalar(E::F8E4M3B11FNUZ),
        28 => Type::Scalar(E::F8E3M4),
        29 => Type::Scalar(E::F4E2M1FN),
        30 => Type::Scalar(E::F6E2M3FN),
        31 => Type::Scalar(E::F6E3M2FN),
        32 => Type::Scalar(E::F8E8M0FNU),
        code => return Err(at.error_at(start, format_args!("MLIR has no type of code {code}"))),
    })
}
