//! The encodings of StableHLO's and CHLO's attributes and types.

use super::codes;
use super::cursor::Cursor;
use super::elements::float_value;
use super::shaped;
use super::tables::{Tables, brief};
use sim_core::ir::Attr;
use sim_core::ir::generic::keyword::Keyword;
use sim_core::ir::op::*;
use sim_core::{ElementType, Result, Type};
use std::sync::Arc;

pub(super) fn hlo(attr: HloAttr) -> Attr {
    Attr::Hlo(Arc::new(attr))
}

/// One word of an enumeration.
pub(super) fn keyword<K: Keyword>(at: &mut Cursor) -> Result<Attr> {
    let start = at.at();
    let n = at.varint(K::MNEMONIC)?;
    let word =
        n.checked_sub(codes::first_word(K::MNEMONIC)).and_then(|i| K::WORDS.get(usize::try_from(i).ok()?));
    match word {
        Some((value, _)) => Ok(hlo(value.to_hlo())),
        None => Err(at.error_at(start, format_args!("{n} is no {}", K::MNEMONIC))),
    }
}

/// A word that is kept as text.
fn word(at: &mut Cursor, what: &str, words: &[&str]) -> Result<Attr> {
    Ok(Attr::string(words[at.index(words.len(), what)?]))
}

/// The mode of a result accuracy.
pub(super) fn accuracy_mode(at: &mut Cursor) -> Result<Attr> {
    word(at, "result_accuracy_mode", &codes::ACCURACY_MODES)
}

pub(super) fn result_accuracy<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    let atol = float_value(at, ElementType::F64)?;
    let rtol = float_value(at, ElementType::F64)?;
    let ulps = at.signed("a number of units in the last place")?;
    let mode = t.string_attr(at)?;
    Ok(hlo(HloAttr::ResultAccuracy(ResultAccuracy { atol, rtol, ulps, mode })))
}

pub(super) fn output_operand_alias<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    Ok(hlo(HloAttr::OutputOperandAlias(OutputOperandAlias {
        output_tuple_indices: t.ints(at)?,
        operand_index: at.signed("an operand's index")?,
        operand_tuple_indices: t.ints(at)?,
    })))
}

/// What an axis of a mesh is part of: a size before and its own. Kept as `array<i64: pre, size>`.
pub(super) fn sub_axis(at: &mut Cursor) -> Result<Attr> {
    Ok(Attr::i64s(&[at.signed("a size")?, at.signed("a size")?]))
}

/// An axis as an array of its name and, if it is a part of one, the part.
pub(super) fn axis(name: Arc<str>, part: Option<Attr>) -> Attr {
    Attr::Array([Attr::String(name)].into_iter().chain(part).collect())
}

/// The axes of replica groups, from what [`axis`] makes.
pub(super) fn mesh_axes(mesh: Attr, axes: &[Attr], at: &Cursor, start: usize) -> Result<Attr> {
    let one = |attr: &Attr| match attr {
        Attr::Array(items) => match &items[..] {
            [Attr::String(name)] => Some(AxisRef { name: name.clone(), sub_axis: None }),
            [Attr::String(name), part] => match part.as_i64s()?[..] {
                [pre, size] => Some(AxisRef { name: name.clone(), sub_axis: Some((pre, size)) }),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let axes = axes
        .iter()
        .map(|axis| {
            one(axis).ok_or_else(|| {
                at.error_at(start, format_args!("expected an axis of a mesh, found {}", brief(axis)))
            })
        })
        .collect::<Result<_>>()?;
    Ok(hlo(HloAttr::ReplicaGroups(ReplicaGroups::MeshAxes { mesh, axes })))
}

/// `#stablehlo.mesh_axis<…>`
pub(super) fn mesh_axis<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>, name: Arc<str>) -> Result<Attr> {
    let size = at.signed("the size of an axis")?;
    t.made_text(at, format!("#stablehlo.mesh_axis<name = {}, size = {size}>", Attr::String(name)))
}

/// `#stablehlo.mesh<…>`, from axes that [`mesh_axis`] made.
pub(super) fn mesh<'a>(t: &mut Tables<'a>, at: &Cursor<'a>, axes: &Attr, ids: Option<Attr>) -> Result<Attr> {
    let Attr::Array(axes) = axes else {
        return Err(at.error_at(at.at(), "expected the axes of a mesh"));
    };
    let axes: Vec<String> = axes
        .iter()
        .map(|axis| axis.to_string().trim_start_matches("#stablehlo.mesh_axis").to_owned())
        .collect();
    let ids = ids.map_or_else(String::new, |ids| format!(", device_ids={ids}"));
    t.made_text(at, format!("#stablehlo.mesh<axes=[{}]{ids}>", axes.join(", ")))
}

pub(super) fn stablehlo_attr<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    use codes::stablehlo_attr as code;
    let start = at.at();
    let int = |at: &mut Cursor| at.signed("a dimension");
    Ok(match at.varint("the code of an attribute")? {
        code::CHANNEL => hlo(HloAttr::Channel(ChannelHandle { handle: int(at)?, ty: int(at)? })),
        code::DIRECTION => keyword::<Direction>(at)?,
        code::COMPARE_TYPE => keyword::<CompareType>(at)?,
        code::CONV => hlo(HloAttr::Conv(ConvDims {
            input_batch: int(at)?,
            input_feature: int(at)?,
            input_spatial: t.ints(at)?,
            kernel_input_feature: int(at)?,
            kernel_output_feature: int(at)?,
            kernel_spatial: t.ints(at)?,
            output_batch: int(at)?,
            output_feature: int(at)?,
            output_spatial: t.ints(at)?,
        })),
        code::DOT => hlo(HloAttr::Dot(DotDims {
            lhs_batch: t.ints(at)?,
            rhs_batch: t.ints(at)?,
            lhs_contract: t.ints(at)?,
            rhs_contract: t.ints(at)?,
        })),
        code::FFT_TYPE => keyword::<FftType>(at)?,
        code::GATHER => hlo(HloAttr::Gather(GatherDims {
            offset_dims: t.ints(at)?,
            collapsed_slice_dims: t.ints(at)?,
            operand_batching_dims: t.ints(at)?,
            start_indices_batching_dims: t.ints(at)?,
            start_index_map: t.ints(at)?,
            index_vector_dim: int(at)?,
        })),
        code::PRECISION => keyword::<Precision>(at)?,
        code::RNG_ALGORITHM => keyword::<RngAlgorithm>(at)?,
        code::RNG_DISTRIBUTION => keyword::<RngDistribution>(at)?,
        code::SCATTER => hlo(HloAttr::Scatter(ScatterDims {
            update_window_dims: t.ints(at)?,
            inserted_window_dims: t.ints(at)?,
            input_batching_dims: t.ints(at)?,
            scatter_indices_batching_dims: t.ints(at)?,
            scatter_dims_to_operand_dims: t.ints(at)?,
            index_vector_dim: int(at)?,
        })),
        code::TRANSPOSE => keyword::<Transpose>(at)?,
        code::TYPE_EXTENSIONS => shaped::bounds(t, at)?,
        code::OUTPUT_OPERAND_ALIAS => output_operand_alias(t, at)?,
        code::DOT_ALGORITHM => hlo(HloAttr::DotAlgorithm(DotAlgorithm {
            lhs_precision_type: t.ty(at)?,
            rhs_precision_type: t.ty(at)?,
            accumulation_type: t.ty(at)?,
            lhs_component_count: int(at)?,
            rhs_component_count: int(at)?,
            num_primitive_operations: int(at)?,
            allow_imprecise_accumulation: at.byte("a boolean")? != 0,
        })),
        code::ACCURACY_MODE => accuracy_mode(at)?,
        code::RESULT_ACCURACY => result_accuracy(t, at)?,
        code::MESH_AXES => {
            let mesh = t.attr(at)?;
            let axes = t.attrs(at)?;
            mesh_axes(mesh, &axes, at, start)?
        }
        code::SUB_AXIS => sub_axis(at)?,
        code::AXIS => {
            let name = t.string(at)?;
            let part = if at.byte("a boolean")? != 0 { Some(t.attr(at)?) } else { None };
            axis(name, part)
        }
        code::MESH_AXIS => {
            let name = t.string(at)?;
            mesh_axis(t, at, name)?
        }
        code::MESH => {
            let axes = t.attr(at)?;
            let ids = if at.byte("a boolean")? != 0 { Some(t.attr(at)?) } else { None };
            mesh(t, at, &axes, ids)?
        }
        number => return Err(at.error_at(start, format_args!("StableHLO has no attribute of code {number}"))),
    })
}

pub(super) fn stablehlo_type<'a>(t: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Type> {
    use codes::stablehlo_type as code;
    let start = at.at();
    match at.varint("the code of a type")? {
        code::TOKEN => Ok(Type::Token),
        code::FUTURE => Ok(Type::Future(t.types(at)?.into())),
        number => Err(at.error_at(start, format_args!("StableHLO has no type of code {number}"))),
    }
}

pub(super) fn chlo_attr<'a>(_: &mut Tables<'a>, at: &mut Cursor<'a>) -> Result<Attr> {
    use codes::chlo_attr as code;
    let start = at.at();
    match at.varint("the code of an attribute")? {
        code::DIRECTION => keyword::<Direction>(at),
        code::COMPARE_TYPE => keyword::<CompareType>(at),
        number => Err(at.error_at(start, format_args!("CHLO has no attribute of code {number}"))),
    }
}
