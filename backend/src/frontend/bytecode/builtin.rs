//! The encodings of MLIR's own attributes, types and locations.

use super::codes::{self, BUILTIN_FLOATS};
use super::cursor::{Cursor, span};
use super::tables::Tables;
use super::{elements, shaped};
use sim_core::ir::attr::text_of_bytes;
use sim_core::ir::{Attr, AttrDict};
use sim_core::loc::LocData;
use sim_core::types::FunctionType;
use sim_core::{Diagnostic, ElementType as E, Loc, Result, Type};
use std::sync::Arc;

/// A dictionary's entries in the order in which MLIR keeps them. Its writer sorts by name; damage does not, and an
/// attribute that is kept as text would be written in one order and read in another.
pub(super) fn dictionary<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    let start = at.at();
    let n = at.count("the number of a dictionary's entries")?;
    let mut dict = AttrDict::new();
    for _ in 0..n {
        dict.0.push((t.string_attr(at)?, t.attr(at)?));
    }
    in_order(&mut dict).map_err(|why| at.error_at(start, why))?;
    Ok(Attr::Dict(Arc::new(dict)))
}

fn in_order(dict: &mut AttrDict) -> Result<(), String> {
    dict.0.sort_by(|a, b| a.0.cmp(&b.0));
    match dict.0.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(format!("the attribute `{}` is given twice", pair[0].0)),
        None => Ok(()),
    }
}

/// `number` is the entry's own, the identity of a distinct attribute.
pub(super) fn attr<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, number: usize) -> Result<Attr> {
    use codes::builtin_attr as code;
    let start = at.at();
    Ok(match at.varint("the code of an attribute")? {
        code::ARRAY => Attr::Array(t.attrs(at)?.into()),
        code::DICTIONARY => dictionary(t, at)?,
        code::STRING => Attr::String(t.string(at)?),
        code::TYPED_STRING => {
            let text = t.string(at)?;
            // The type of a string says nothing that we use.
            t.ty(at)?;
            Attr::String(text)
        }
        code::FLAT_SYMBOL => Attr::Symbol([t.string_attr(at)?].into()),
        code::SYMBOL => {
            let mut path = vec![t.string_attr(at)?];
            for nested in t.attrs(at)? {
                match nested {
                    Attr::Symbol(names) => path.extend(names.iter().cloned()),
                    _ => return Err(at.error_at(start, "a nested reference is not a symbol")),
                }
            }
            Attr::Symbol(path.into())
        }
        code::TYPE => Attr::Type(t.ty(at)?),
        code::UNIT => Attr::Unit,
        code::INTEGER => {
            let e = scalar(t, at, "an integer", |e| e.is_integer() || matches!(e, E::Pred | E::Index))?;
            elements::integer(at, e)?
        }
        code::FLOAT => {
            let e = scalar(t, at, "a float", E::is_float)?;
            elements::float(at, e)?
        }
        code::CALL_SITE_LOC => {
            let (callee, caller) = (t.loc(at)?, t.loc(at)?);
            loc(LocData::CallSite { callee, caller })
        }
        code::FILE_LOC => {
            let file = t.string_attr(at)?;
            let (line, col) = (u32(at, "a line")?, u32(at, "a column")?);
            loc(LocData::File { file, line, col, end: None })
        }
        code::FUSED_LOC => loc(LocData::Fused { locs: locs(t, at)?, metadata: None }),
        code::FUSED_LOC_WITH_METADATA => {
            let locs = locs(t, at)?;
            let metadata = t.attr(at)?.to_string();
            let Attr::Verbatim(metadata) = t.made_text(at, metadata)? else { return Ok(Attr::Unit) };
            loc(LocData::Fused { locs, metadata: Some(metadata) })
        }
        code::NAME_LOC => {
            let name = t.string_attr(at)?;
            loc(LocData::Name { name, child: t.loc(at)? })
        }
        code::UNKNOWN_LOC => Attr::Loc(Loc::Unknown),
        code::RESOURCE => resource(t, at)?,
        code::DENSE_ARRAY => {
            let e = scalar(t, at, "an array's element", |e| !e.is_complex())?;
            let n = at.varint("the number of an array's elements")?;
            let data = t.blob(at)?;
            elements::array(e, n, &data)?
        }
        code::DENSE => {
            let ty = t.ty(at)?;
            let data = t.blob(at)?;
            elements::dense(ty, &data)?
        }
        code::DENSE_STRINGS => return Err(unsupported(start, "a constant of strings")),
        code::SPARSE => return Err(unsupported(start, "a sparse constant")),
        code::DISTINCT => {
            let of = t.attr(at)?;
            t.made_text(at, format!("distinct[{number}]<{of}>"))?
        }
        code::FILE_RANGE_LOC => range(t, at)?,
        code::AFFINE_MAP => affine_map(t, at)?,
        number => {
            return Err(at.error_at(start, format_args!("MLIR has no attribute of code {number}")));
        }
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
    use codes::builtin_type as code;
    let start = at.at();
    let number = at.varint("the code of a type")?;
    if let Some((_, e)) = BUILTIN_FLOATS.iter().find(|row| row.0 == number) {
        return Ok(Type::Scalar(*e));
    }
    Ok(match number {
        code::INTEGER => {
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
        code::INDEX => Type::Scalar(E::Index),
        code::FUNCTION => {
            let inputs = t.types(at)?;
            Type::Function(Arc::new(FunctionType { inputs, results: t.types(at)? }))
        }
        code::F80 => return Err(unsupported(start, "the element type f80")),
        code::F128 => return Err(unsupported(start, "the element type f128")),
        code::COMPLEX => shaped::complex(t, at)?,
        code::MEMREF => {
            let ty = shaped::buffer(t, at)?;
            shaped::with_layout(t, at, ty, None)?
        }
        code::MEMREF_WITH_SPACE => {
            let space = t.attr(at)?;
            let ty = shaped::buffer(t, at)?;
            shaped::with_layout(t, at, ty, Some(space))?
        }
        code::NONE => Type::None,
        code::TENSOR => shaped::tensor(t, at, None)?,
        code::TENSOR_WITH_ENCODING => {
            let encoding = t.attr(at)?;
            shaped::tensor(t, at, Some(encoding))?
        }
        code::TUPLE => Type::Tuple(t.types(at)?.into()),
        code::UNRANKED_MEMREF | code::UNRANKED_MEMREF_WITH_SPACE => {
            return Err(unsupported(start, "a buffer without a rank"));
        }
        code::UNRANKED_TENSOR => {
            return Err(unsupported(start, "a tensor without a rank").help("refine its shape before running"));
        }
        code::VECTOR | code::SCALABLE_VECTOR => return Err(unsupported(start, "a vector type")),
        // Names an algorithm's precision, never an element.
        code::TF32 => Type::Verbatim("tf32".into()),
        number => return Err(at.error_at(start, format_args!("MLIR has no type of code {number}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_names_that_repeat_are_found_wherever_they_stand() {
        let dict = |names: &[&str]| names.iter().map(|n| (Arc::from(*n), Attr::Unit)).collect::<AttrDict>();
        let mut entries = dict(&["b", "a", "c"]);
        assert_eq!(in_order(&mut entries), Ok(()));
        assert_eq!(entries, dict(&["a", "b", "c"]));
        let twice = Err("the attribute `b` is given twice".to_owned());
        assert_eq!(in_order(&mut dict(&["b", "a", "b"])), twice);
    }
}
