//! The encodings of VHLO's attributes and types, read as the StableHLO ones they stand for.
//! (The codes: `VhloBytecode.cpp` of StableHLO.)

use super::cursor::{Cursor, span};
use super::elements;
use super::hlo::{self, hlo as hlo_attr, keyword};
use super::tables::Tables;
use super::{quant, shaped};
use crate::frontend::vhlo::NEWEST;
use sim_core::ir::op::*;
use sim_core::ir::{Attr, AttrDict};
use sim_core::types::FunctionType;
use sim_core::{Diagnostic, ElementType as E, Result, Type};
use std::sync::Arc;

pub(super) fn attr<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    let start = at.at();
    Ok(match at.varint("the code of an attribute")? {
        1 => Attr::Array(t.attrs(at)?.into()),
        2 => match at.varint("a boolean")? {
            n @ (0 | 1) => Attr::Bool(n == 1),
            n => return Err(at.error_at(start, format_args!("{n} is no boolean"))),
        },
        3 => keyword::<Direction>(at, 0)?,
        4 => keyword::<CompareType>(at, 0)?,
        5 => hlo_attr(HloAttr::CustomCallApiVersion(at.index(5, "api_version")? as i64)),
        6 => {
            let n = at.count("the number of a dictionary's entries")?;
            let mut dict = AttrDict::new();
            for _ in 0..n {
                dict.0.push((t.string_attr(at)?, t.attr(at)?));
            }
            Attr::Dict(Arc::new(dict))
        }
        7 => keyword::<FftType>(at, 0)?,
        8 => match t.ty(at)? {
            Type::Scalar(e) if e.is_float() => elements::float(at, e)?,
            other => return Err(at.error_at(start, format_args!("a float cannot be of type {other}"))),
        },
        9 => match t.ty(at)? {
            Type::Scalar(e) if e.is_integer() || e == E::Index => elements::integer(at, e)?,
            other => return Err(at.error_at(start, format_args!("an integer cannot be of type {other}"))),
        },
        10 => hlo::output_operand_alias(t, at)?,
        11 => keyword::<Precision>(at, 0)?,
        12 => keyword::<RngAlgorithm>(at, 0)?,
        13 => keyword::<RngDistribution>(at, 1)?,
        14 => Attr::String(t.string(at)?),
        15 => {
            let ty = t.ty(at)?;
            let data = t.blob(at)?;
            elements::dense(ty, &data)?
        }
        16 => keyword::<Transpose>(at, 1)?,
        17 => Attr::Type(t.ty(at)?),
        18 => shaped::bounds(t, at)?,
        19 => hlo::accuracy_mode(at)?,
        20 => hlo::result_accuracy(t, at)?,
        21 => hlo::sub_axis(at)?,
        22 => {
            let name = t.string_attr(at)?;
            let part = if at.varint("a boolean")? != 0 { Some(t.attr(at)?) } else { None };
            hlo::axis(name, part)
        }
        23 => {
            // A symbol is a string in VHLO.
            let mesh = match t.attr(at)? {
                Attr::String(name) => Attr::Symbol([name].into()),
                mesh => mesh,
            };
            match t.attr(at)? {
                Attr::Array(axes) => hlo::mesh_axes(mesh, &axes, at, start)?,
                _ => return Err(at.error_at(start, "expected an array of axes")),
            }
        }
        24 => {
            let name = t.string_attr(at)?;
            hlo::mesh_axis(t, at, name)?
        }
        25 => {
            let axes = t.attr(at)?;
            let ids = t.optional_attr(at)?;
            hlo::mesh(t, at, &axes, ids)?
        }
        code => return Err(unknown(t, start, "attribute", code)),
    })
}

pub(super) fn ty<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Type> {
    let start = at.at();
    let code = at.varint("the code of a type")?;
    let scalar = match code {
        0 => E::Pred,
        2 => E::BF16,
        3 => E::F16,
        4 => E::F32,
        5 => E::F64,
        6 => E::F8E4M3FN,
        7 => E::F8E5M2,
        9 => E::Index,
        10 => E::S4,
        11 => E::S8,
        12 => E::S16,
        13 => E::S32,
        14 => E::S64,
        15 => E::U4,
        16 => E::U8,
        17 => E::U16,
        18 => E::U32,
        19 => E::U64,
        27 => E::F8E4M3FNUZ,
        28 => E::F8E5M2FNUZ,
        29 => E::F8E4M3B11FNUZ,
        31 => E::S2,
        32 => E::U2,
        35 => E::F8E4M3,
        36 => E::F8E3M4,
        37 => E::F4E2M1FN,
        38 => E::F6E2M3FN,
        39 => E::F6E3M2FN,
        40 => E::F8E8M0FNU,
        _ => return compound(t, at, start, code),
    };
    Ok(Type::Scalar(scalar))
}

fn compound<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, start: usize, code: u64) -> Result<Type> {
    Ok(match code {
        1 => shaped::complex(t, at)?,
        8 => {
            let inputs = t.types(at)?;
            Type::Function(Arc::new(FunctionType { inputs, results: t.types(at)? }))
        }
        20 => shaped::tensor(t, at, None)?,
        21 => {
            let encoding = t.attr(at)?;
            shaped::tensor(t, at, Some(encoding))?
        }
        22 => Type::Token,
        23 => Type::Tuple(t.types(at)?.into()),
        24 => quant::uniform(t, at)?,
        25 => {
            return Err(Diagnostic::unsupported("a tensor without a rank is not supported")
                .at(span(start, start + 1))
                .help("refine its shape before running"));
        }
        26 => Type::Verbatim("!shape.witness".into()),
        30 => quant::uniform_per_axis(t, at)?,
        33 => Type::None,
        // Names an algorithm's precision, never an element.
        34 => Type::Verbatim("tf32".into()),
        41 => shaped::buffer(t, at)?,
        42 => Type::Future(t.types(at)?.into()),
        code => return Err(unknown(t, start, "type", code)),
    })
}

/// A code of a version to come, most likely.
fn unknown(t: &Tables, at: usize, what: &str, code: u64) -> Diagnostic {
    Diagnostic::unsupported(format!(
        "bytecode, byte {at}: VHLO has no {what} of code {code} up to version {NEWEST}; \
         the file is of {}",
        t.file.producer()
    ))
    .at(span(at, at + 1))
    .help("write the artifact for an older version of StableHLO")
}
