//! The attributes and types of StableHLO, CHLO and `quant` in their encodings: the inverse of
//! [`hlo`](super::super::hlo) and [`quant`](super::super::quant).

use super::builtin::bounds;
use super::tables::{Draft, Ref};
use super::{World, Writer};
use crate::frontend::bytecode::codes::{self, chlo_attr, quant_type, stablehlo_attr as code, stablehlo_type};
use sim_core::ir::Attr;
use sim_core::ir::generic::keyword::Keyword;
use sim_core::ir::op::{AxisRef, HloAttr, OutputOperandAlias, ReplicaGroups, ResultAccuracy};
use sim_core::{Diagnostic, ElementType as E, QuantType, Result, Type};

/// A word of an enumeration, as its number.
pub fn word<K: Keyword>(draft: &mut Draft, value: K) {
    let index = K::WORDS.iter().position(|(k, _)| *k == value).unwrap_or_default() as u64;
    draft.bytes.varint(codes::first_word(K::MNEMONIC) + index);
}

/// The number of a mode of a result accuracy.
pub fn accuracy_mode(mode: &str) -> Result<u64> {
    let number = codes::ACCURACY_MODES.iter().position(|word| *word == mode);
    number
        .map(|n| n as u64)
        .ok_or_else(|| Diagnostic::invalid(format!("`{mode}` is no result_accuracy_mode")))
}

/// All of an accuracy but its mode.
pub fn tolerances(draft: &mut Draft, accuracy: &ResultAccuracy) {
    for value in [accuracy.atol, accuracy.rtol] {
        draft.bytes.known_width(value.to_bits(), 64);
    }
    draft.bytes.signed(accuracy.ulps);
}

pub fn alias(draft: &mut Draft, alias: &OutputOperandAlias) {
    draft.bytes.ints(&alias.output_tuple_indices);
    draft.bytes.signed(alias.operand_index);
    draft.bytes.ints(&alias.operand_tuple_indices);
}

/// The integers that are stored as they are: of the signed type of this width.
fn stored(e: E) -> E {
    match e {
        E::U2 => E::S2,
        E::U4 => E::S4,
        E::U8 => E::S8,
        E::U16 => E::S16,
        E::U32 => E::S32,
        e => e,
    }
}

impl Writer {
    /// A quantized type, in MLIR's or in VHLO's encoding.
    pub fn quant(&mut self, quant: &QuantType, mut draft: Draft, world: World) -> Result<Draft> {
        draft.bytes.varint(u64::from(!quant.storage.is_unsigned()));
        draft.refer(self.ty(&Type::Scalar(stored(quant.storage)), world)?);
        draft.refer(self.ty(&Type::Scalar(quant.expressed), world)?);
        let range = [quant.storage_min, quant.storage_max];
        let scale = |draft: &mut Draft, scale: &f64| draft.bytes.known_width(scale.to_bits(), 64);
        match quant.axis {
            None => {
                quant.scales.iter().take(1).for_each(|s| scale(&mut draft, s));
                quant.zero_points.iter().take(1).for_each(|&z| draft.bytes.signed(z));
                range.iter().for_each(|&n| draft.bytes.signed(n));
            }
            Some(axis) => {
                draft.bytes.varint(axis as u64);
                range.iter().for_each(|&n| draft.bytes.signed(n));
                draft.bytes.count(quant.scales.len());
                quant.scales.iter().for_each(|s| scale(&mut draft, s));
                draft.bytes.ints(&quant.zero_points);
            }
        }
        Ok(draft)
    }

    /// A type of StableHLO or of `quant`.
    pub(super) fn dialect_type(&mut self, ty: &Type) -> Result<Ref> {
        Ok(match ty {
            Type::Quant(quant) => {
                let number = match quant.axis {
                    None => quant_type::UNIFORM,
                    Some(_) => quant_type::UNIFORM_PER_AXIS,
                };
                let draft = self.quant(quant, Draft::new(number), World::Builtin)?;
                self.add_type("quant", draft)
            }
            Type::Future(types) => {
                let types = self.types(&**types, World::Builtin)?;
                let mut draft = Draft::new(stablehlo_type::FUTURE);
                draft.refer_all(&types);
                self.add_type("stablehlo", draft)
            }
            _ => self.add_type("stablehlo", Draft::new(stablehlo_type::TOKEN)),
        })
    }

    /// An attribute of StableHLO; in CHLO's operations, of CHLO.
    pub(super) fn hlo_attr(&mut self, hlo: &HloAttr, world: World) -> Result<Ref> {
        if world == World::Chlo
            && let Some(made) = self.chlo_attr(hlo)
        {
            return made;
        }
        let draft = match hlo {
            HloAttr::Direction(k) => enumeration(code::DIRECTION, *k),
            HloAttr::CompareType(k) => enumeration(code::COMPARE_TYPE, *k),
            HloAttr::Precision(k) => enumeration(code::PRECISION, *k),
            HloAttr::FftType(k) => enumeration(code::FFT_TYPE, *k),
            HloAttr::RngAlgorithm(k) => enumeration(code::RNG_ALGORITHM, *k),
            HloAttr::RngDistribution(k) => enumeration(code::RNG_DISTRIBUTION, *k),
            HloAttr::Transpose(k) => enumeration(code::TRANSPOSE, *k),
            HloAttr::Channel(channel) => {
                let mut draft = Draft::new(code::CHANNEL);
                draft.bytes.signed(channel.handle);
                draft.bytes.signed(channel.ty);
                draft
            }
            HloAttr::Dot(dims) => lists(
                code::DOT,
                [&dims.lhs_batch, &dims.rhs_batch, &dims.lhs_contract, &dims.rhs_contract],
                None,
            ),
            HloAttr::Gather(dims) => lists(
                code::GATHER,
                [
                    &dims.offset_dims,
                    &dims.collapsed_slice_dims,
                    &dims.operand_batching_dims,
                    &dims.start_indices_batching_dims,
                    &dims.start_index_map,
                ],
                Some(dims.index_vector_dim),
            ),
            HloAttr::Scatter(dims) => lists(
                code::SCATTER,
                [
                    &dims.update_window_dims,
                    &dims.inserted_window_dims,
                    &dims.input_batching_dims,
                    &dims.scatter_indices_batching_dims,
                    &dims.scatter_dims_to_operand_dims,
                ],
                Some(dims.index_vector_dim),
            ),
            HloAttr::Conv(dims) => {
                let mut draft = Draft::new(code::CONV);
                let groups = [
                    (dims.input_batch, dims.input_feature, &dims.input_spatial),
                    (dims.kernel_input_feature, dims.kernel_output_feature, &dims.kernel_spatial),
                    (dims.output_batch, dims.output_feature, &dims.output_spatial),
                ];
                for (a, b, spatial) in groups {
                    draft.bytes.signed(a);
                    draft.bytes.signed(b);
                    draft.bytes.ints(spatial);
                }
                draft
            }
            HloAttr::DotAlgorithm(a) => {
                let mut draft = Draft::new(code::DOT_ALGORITHM);
                for ty in [&a.lhs_precision_type, &a.rhs_precision_type, &a.accumulation_type] {
                    draft.refer(self.ty(ty, World::Builtin)?);
                }
                for n in [a.lhs_component_count, a.rhs_component_count, a.num_primitive_operations] {
                    draft.bytes.signed(n);
                }
                draft.bytes.byte(u8::from(a.allow_imprecise_accumulation));
                draft
            }
            HloAttr::ReplicaGroups(ReplicaGroups::MeshAxes { mesh, axes }) => {
                let mut draft = Draft::new(code::MESH_AXES);
                draft.refer(self.attr(mesh, World::Builtin)?);
                let axes: Vec<Ref> = axes.iter().map(|axis| self.axis(axis)).collect();
                draft.refer_all(&axes);
                draft
            }
            HloAttr::ResultAccuracy(accuracy) => {
                let mut mode = Draft::new(code::ACCURACY_MODE);
                mode.bytes.varint(accuracy_mode(&accuracy.mode)?);
                let mode = self.add_attr("stablehlo", mode);
                let mut draft = Draft::new(code::RESULT_ACCURACY);
                tolerances(&mut draft, accuracy);
                draft.refer(mode);
                draft
            }
            HloAttr::OutputOperandAlias(a) => {
                let mut draft = Draft::new(code::OUTPUT_OPERAND_ALIAS);
                alias(&mut draft, a);
                draft
            }
            HloAttr::Bounds(all) => {
                let mut draft = Draft::new(code::TYPE_EXTENSIONS);
                draft.bytes.ints(&bounds(all));
                draft
            }
            HloAttr::CustomCallApiVersion(version) => {
                return self.attr(&Attr::Int(*version, E::S32), World::Builtin);
            }
            // These have no encoding of their own.
            HloAttr::RaggedDot(_) | HloAttr::ReplicaGroups(ReplicaGroups::Dense { .. }) => {
                return self.text_attr(&hlo.to_string());
            }
        };
        Ok(self.add_attr("stablehlo", draft))
    }

    /// What CHLO has its own enumeration for.
    fn chlo_attr(&mut self, hlo: &HloAttr) -> Option<Result<Ref>> {
        let draft = match hlo {
            HloAttr::Direction(k) => enumeration(chlo_attr::DIRECTION, *k),
            HloAttr::CompareType(k) => enumeration(chlo_attr::COMPARE_TYPE, *k),
            HloAttr::Precision(k) => return Some(self.text_attr(&format!("#chlo<precision {}>", k.word()))),
            _ => return None,
        };
        Some(Ok(self.add_attr("chlo", draft)))
    }

    fn axis(&mut self, axis: &AxisRef) -> Ref {
        let mut draft = Draft::new(code::AXIS);
        draft.bytes.varint(self.string(&axis.name));
        draft.bytes.byte(u8::from(axis.sub_axis.is_some()));
        if let Some((pre, size)) = axis.sub_axis {
            let mut part = Draft::new(code::SUB_AXIS);
            part.bytes.signed(pre);
            part.bytes.signed(size);
            draft.refer(self.add_attr("stablehlo", part));
        }
        self.add_attr("stablehlo", draft)
    }
}

pub fn enumeration<K: Keyword>(code: u64, value: K) -> Draft {
    let mut draft = Draft::new(code);
    word(&mut draft, value);
    draft
}

fn lists<const N: usize>(code: u64, all: [&Vec<i64>; N], last: Option<i64>) -> Draft {
    let mut draft = Draft::new(code);
    all.iter().for_each(|list| draft.bytes.ints(list));
    last.iter().for_each(|&n| draft.bytes.signed(n));
    draft
}
