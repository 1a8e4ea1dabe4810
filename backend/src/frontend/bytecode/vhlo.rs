//! The encodings of VHLO's attributes and types, read as the StableHLO ones they stand for.

use super::codes::{self, VHLO_SCALARS};
use super::cursor::{Cursor, span};
use super::hlo::{self, keyword};
use super::tables::Tables;
use super::{builtin, elements};
use super::{quant, shaped};
use crate::frontend::vhlo::Version;
use sim_core::ir::Attr;
use sim_core::ir::op::*;
use sim_core::types::FunctionType;
use sim_core::{Diagnostic, ElementType as E, Result, Type};
use std::sync::Arc;

pub(super) fn attr<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    use codes::vhlo_attr as code;
    let start = at.at();
    Ok(match at.varint("the code of an attribute")? {
        code::ARRAY => Attr::Array(t.attrs(at)?.into()),
        code::BOOLEAN => match at.varint("a boolean")? {
            n @ (0 | 1) => Attr::Bool(n == 1),
            n => return Err(at.error_at(start, format_args!("{n} is no boolean"))),
        },
        code::DIRECTION => keyword::<Direction>(at)?,
        code::COMPARE_TYPE => keyword::<CompareType>(at)?,
        // An integer in StableHLO.
        code::API_VERSION => Attr::Int(at.index(5, "api_version")? as i64, E::S32),
        code::DICTIONARY => builtin::dictionary(t, at)?,
        code::FFT_TYPE => keyword::<FftType>(at)?,
        code::FLOAT => match t.ty(at)? {
            Type::Scalar(e) if e.is_float() => elements::float(at, e)?,
            other => return Err(at.error_at(start, format_args!("a float cannot be of type {other}"))),
        },
        code::INTEGER => match t.ty(at)? {
            Type::Scalar(e) if e.is_integer() || e == E::Index => elements::integer(at, e)?,
            other => return Err(at.error_at(start, format_args!("an integer cannot be of type {other}"))),
        },
        code::OUTPUT_OPERAND_ALIAS => hlo::output_operand_alias(t, at)?,
        code::PRECISION => keyword::<Precision>(at)?,
        code::RNG_ALGORITHM => keyword::<RngAlgorithm>(at)?,
        code::RNG_DISTRIBUTION => keyword::<RngDistribution>(at)?,
        code::STRING => Attr::String(t.string(at)?),
        code::TENSOR => {
            let ty = t.ty(at)?;
            let data = t.blob(at)?;
            elements::dense(ty, &data)?
        }
        code::TRANSPOSE => keyword::<Transpose>(at)?,
        code::TYPE => Attr::Type(t.ty(at)?),
        code::TYPE_EXTENSIONS => shaped::bounds(t, at)?,
        code::ACCURACY_MODE => hlo::accuracy_mode(at)?,
        code::RESULT_ACCURACY => hlo::result_accuracy(t, at)?,
        code::SUB_AXIS => hlo::sub_axis(at)?,
        code::AXIS => {
            let name = t.string_attr(at)?;
            let part = if at.varint("a boolean")? != 0 { Some(t.attr(at)?) } else { None };
            hlo::axis(name, part)
        }
        code::MESH_AXES => {
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
        code::MESH_AXIS => {
            let name = t.string_attr(at)?;
            hlo::mesh_axis(t, at, name)?
        }
        code::MESH => {
            let axes = t.attr(at)?;
            let ids = t.optional_attr(at)?;
            hlo::mesh(t, at, &axes, ids)?
        }
        number => return Err(unknown(t, start, "attribute", number)),
    })
}

pub(super) fn ty<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Type> {
    let start = at.at();
    let code = at.varint("the code of a type")?;
    match VHLO_SCALARS.iter().find(|row| row.0 == code) {
        Some((_, e, _)) => Ok(Type::Scalar(*e)),
        None => compound(t, at, start, code),
    }
}

fn compound<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, start: usize, number: u64) -> Result<Type> {
    use codes::vhlo_type as code;
    Ok(match number {
        code::COMPLEX => shaped::complex(t, at)?,
        code::FUNCTION => {
            let inputs = t.types(at)?;
            Type::Function(Arc::new(FunctionType { inputs, results: t.types(at)? }))
        }
        code::TENSOR => shaped::tensor(t, at, None)?,
        code::TENSOR_WITH_ENCODING => {
            let encoding = t.attr(at)?;
            shaped::tensor(t, at, Some(encoding))?
        }
        code::TOKEN => Type::Token,
        code::TUPLE => Type::Tuple(t.types(at)?.into()),
        code::QUANT => quant::uniform(t, at)?,
        code::UNRANKED_TENSOR => {
            return Err(Diagnostic::unsupported("a tensor without a rank is not supported")
                .at(span(start, start + 1))
                .help("refine its shape before running"));
        }
        code::WITNESS => Type::Verbatim("!shape.witness".into()),
        code::QUANT_PER_AXIS => quant::uniform_per_axis(t, at)?,
        code::NONE => Type::None,
        // Names an algorithm's precision, never an element.
        code::TF32 => Type::Verbatim("tf32".into()),
        code::BUFFER => shaped::buffer(t, at)?,
        code::FUTURE => Type::Future(t.types(at)?.into()),
        number => return Err(unknown(t, start, "type", number)),
    })
}

/// A code of a version to come, most likely.
fn unknown(t: &Tables, at: usize, what: &str, code: u64) -> Diagnostic {
    Diagnostic::unsupported(format!(
        "bytecode, byte {at}: VHLO has no {what} of code {code} up to version {}; \
         the file is of {}",
        Version::NEWEST,
        t.file.producer()
    ))
    .at(span(at, at + 1))
    .help("write the artifact for an older version of StableHLO")
}
