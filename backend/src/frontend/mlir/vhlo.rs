//! VHLO as text: its attributes and types, each read as the StableHLO one it stands for. Operations
//! are in generic form; what becomes of them is `frontend::vhlo`'s business.

use super::lexer::Token;
use super::parser::Parser;
use crate::frontend::vhlo::Version;
use sim_core::ir::generic::keyword;
use sim_core::ir::op::{AxisRef, HloAttr, OutputOperandAlias, ReplicaGroups, ResultAccuracy};
use sim_core::ir::{Attr, AttrDict};
use sim_core::types::default_storage_range;
use sim_core::{Diagnostic, ElementType as E, QuantType, Result, Type};
use std::sync::Arc;

/// The versions of custom calls' interface, by number.
const API_VERSIONS: [&str; 5] = [
    "API_VERSION_UNSPECIFIED",
    "API_VERSION_ORIGINAL",
    "API_VERSION_STATUS_RETURNING",
    "API_VERSION_STATUS_RETURNING_UNIFIED",
    "API_VERSION_TYPED_FFI",
];

fn hlo(attr: HloAttr) -> Attr {
    Attr::Hlo(Arc::new(attr))
}

impl<'a> Parser<'a> {
    /// `#vhlo.name_v1<…>` or `#vhlo<name_v1 WORD>` after its name token.
    pub(super) fn vhlo_attr(&mut self, name: Token) -> Result<Attr> {
        self.expect(b'<')?;
        let (_, mnemonic) = self.text_of(name).split_once('.').unwrap_or_default();
        let attr = match mnemonic {
            "" => self.vhlo_enum()?,
            "array_v1" | "bool_v1" | "float_v1" | "integer_v1" | "string_v1" | "tensor_v1" | "type_v1" => {
                self.attr()?
            }
            "dict_v1" => self.vhlo_dict()?,
            "type_extensions_v1" => {
                self.field("bounds")?;
                let mut bounds = Vec::new();
                self.list(b'[', b']', |p| {
                    bounds.push(if p.eat(b'?') { None } else { Some(p.integer("a bound")?) });
                    Ok(())
                })?;
                hlo(HloAttr::Bounds(bounds))
            }
            "output_operand_alias_v1" => {
                self.field("outputTupleIndices")?;
                let output_tuple_indices = self.integers()?;
                self.next_field("operandIndex")?;
                let operand_index = self.integer("an index")?;
                self.next_field("operandTupleIndices")?;
                let operand_tuple_indices = self.integers()?;
                hlo(HloAttr::OutputOperandAlias(OutputOperandAlias {
                    output_tuple_indices,
                    operand_index,
                    operand_tuple_indices,
                }))
            }
            "result_accuracy_v1" => {
                self.field("atol")?;
                let atol = self.float("a tolerance")?;
                self.next_field("rtol")?;
                let rtol = self.float("a tolerance")?;
                self.next_field("ulps")?;
                let ulps = self.integer("a number of units in the last place")?;
                self.next_field("mode")?;
                let at = self.tok;
                let Attr::String(mode) = self.attr()? else { return Err(self.error(at, "expected a mode")) };
                hlo(HloAttr::ResultAccuracy(ResultAccuracy { atol, rtol, ulps, mode }))
            }
            "sub_axis_info_v1" => {
                self.field("pre_size")?;
                let pre = self.integer("a size")?;
                self.next_field("size")?;
                Attr::i64s(&[pre, self.integer("a size")?])
            }
            "axis_ref_v1" => {
                self.field("name")?;
                let mut parts = vec![self.attr()?];
                if self.at_punct(b',') {
                    self.next_field("sub_axis_info")?;
                    parts.push(self.attr()?);
                }
                Attr::Array(parts.into())
            }
            "replica_group_mesh_axes_v1" => self.vhlo_mesh_axes()?,
            _ => return Err(self.unknown_vhlo(name, "attribute", mnemonic)),
        };
        self.expect(b'>')?;
        Ok(attr)
    }

    fn unknown_vhlo(&self, at: Token, what: &str, name: &str) -> Diagnostic {
        Diagnostic::unsupported(format!("VHLO has no {what} `{name}` up to version {}", Version::NEWEST))
            .at(self.tok_span(at))
            .help("write the program for an older version of StableHLO")
    }

    /// `name =`
    fn field(&mut self, name: &str) -> Result<()> {
        self.expect_word(name)?;
        self.expect(b'=').map(|_| ())
    }

    /// `, name =`
    fn next_field(&mut self, name: &str) -> Result<()> {
        self.expect(b',')?;
        self.field(name)
    }

    /// `precision_v1 DEFAULT`
    fn vhlo_enum(&mut self) -> Result<Attr> {
        let at = self.tok;
        let name = self.word("an enumeration")?;
        let word = self.word("a word of the enumeration")?;
        let known = match name.strip_suffix("_v1") {
            Some("api_version") => {
                API_VERSIONS.iter().position(|w| *w == word).map(|n| Attr::Int(n as i64, E::S32))
            }
            Some("result_accuracy_mode") => {
                matches!(word, "DEFAULT" | "HIGHEST" | "TOLERANCE").then(|| Attr::string(word))
            }
            Some(mnemonic) => keyword::enum_attr(mnemonic, word).map(hlo),
            None => None,
        };
        known.ok_or_else(|| self.unknown_vhlo(at, "enumeration", &format!("{name} {word}")))
    }

    /// `{#vhlo.string_v1<"name"> = value, …}`
    fn vhlo_dict(&mut self) -> Result<Attr> {
        let mut dict = AttrDict::new();
        self.list(b'{', b'}', |p| {
            let at = p.tok;
            let Attr::String(name) = p.attr()? else { return Err(p.error(at, "expected a string")) };
            p.expect(b'=')?;
            dict.0.push((name, p.attr()?));
            Ok(())
        })?;
        Ok(Attr::Dict(Arc::new(dict)))
    }

    /// `mesh = #vhlo.string_v1<"m">, axes = #vhlo.array_v1<[#vhlo.axis_ref_v1<…>]>`
    fn vhlo_mesh_axes(&mut self) -> Result<Attr> {
        self.field("mesh")?;
        let mesh = match self.attr()? {
            Attr::String(name) => Attr::Symbol([name].into()),
            mesh => mesh,
        };
        self.next_field("axes")?;
        let at = self.tok;
        let Attr::Array(items) = self.attr()? else {
            return Err(self.error(at, "expected an array of axes"));
        };
        let axis = |item: &Attr| match item {
            Attr::Array(parts) => match &parts[..] {
                [Attr::String(name)] => Some(AxisRef { name: name.clone(), sub_axis: None }),
                [Attr::String(name), part] => match part.as_i64s()?[..] {
                    [pre, size] => Some(AxisRef { name: name.clone(), sub_axis: Some((pre, size)) }),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let axes: Option<Vec<AxisRef>> = items.iter().map(axis).collect();
        let axes = axes.ok_or_else(|| self.error(at, "expected an array of axes"))?;
        Ok(hlo(HloAttr::ReplicaGroups(ReplicaGroups::MeshAxes { mesh, axes })))
    }

    /// `!vhlo.name_v1…` after its name token.
    pub(super) fn vhlo_type(&mut self, name: Token) -> Result<Type> {
        let mnemonic = self.text_of(name).trim_start_matches("!vhlo.");
        let list = |p: &mut Self| -> Result<Arc<[Type]>> {
            let mut types = Vec::new();
            p.list(b'<', b'>', |p| {
                types.push(p.parse_type()?);
                Ok(())
            })?;
            Ok(types.into())
        };
        Ok(match mnemonic {
            "bool_v1" => Type::Scalar(E::Pred),
            "token_v1" => Type::Token,
            "none_v1" => Type::None,
            // So is `tf32` called here.
            "tf31_v1" => Type::Verbatim("tf32".into()),
            "witness_v1" => Type::Verbatim("!shape.witness".into()),
            "tuple_v1" => Type::Tuple(list(self)?),
            "future_v1" => Type::Future(list(self)?),
            "complex_v1" => {
                self.expect(b'<')?;
                let at = self.tok;
                let part = self.parse_type()?;
                self.expect(b'>')?;
                let complex = match part {
                    Type::Scalar(e) => e.complex_of(),
                    _ => None,
                };
                complex
                    .map(Type::Scalar)
                    .ok_or_else(|| self.unsupported(at, format!("complex numbers of {part}")))?
            }
            "func_v1" => {
                self.expect(b'<')?;
                let ty = self.function_type()?;
                self.expect(b'>')?;
                Type::Function(Arc::new(ty))
            }
            "tensor_v1" | "buffer_v1" => {
                self.seek(name.start);
                match self.tensor_type()? {
                    Ok(ty) if mnemonic == "tensor_v1" => Type::Tensor(Arc::new(ty)),
                    Ok(ty) => Type::Buffer(Arc::new(ty)),
                    Err(verbatim) => verbatim,
                }
            }
            "quant_v1" => self.vhlo_quant(false)?,
            "quant_per_axis_v1" => self.vhlo_quant(true)?,
            _ => match mnemonic.strip_suffix("_v1").and_then(E::from_mlir_name) {
                Some(e) => Type::Scalar(e),
                None => return Err(self.unknown_vhlo(name, "type", mnemonic)),
            },
        })
    }

    /// `<storage:expressed, scale:zero, least:greatest, flags>`, or per axis
    /// `<storage:expressed, axis, [scales], [zeros], least:greatest, flags>`
    fn vhlo_quant(&mut self, per_axis: bool) -> Result<Type> {
        self.expect(b'<')?;
        let at = self.tok;
        let storage = self.parse_type()?;
        self.expect(b':')?;
        let expressed = self.parse_type()?;
        self.expect(b',')?;
        let (mut axis, mut scales, mut zero_points) = (None, Vec::new(), Vec::new());
        if per_axis {
            axis = Some(self.integer("the quantized dimension")?);
            self.expect(b',')?;
            self.list(b'[', b']', |p| {
                scales.push(p.float("a scale")?);
                Ok(())
            })?;
            self.expect(b',')?;
            zero_points = self.integers()?;
        } else {
            scales.push(self.float("a scale")?);
            self.expect(b':')?;
            zero_points.push(self.integer("a zero point")?);
        }
        self.expect(b',')?;
        let storage_min = self.integer("the least stored value")?;
        self.expect(b':')?;
        let storage_max = self.integer("the greatest stored value")?;
        self.expect(b',')?;
        let signed = self.integer("flags")? & 1 == 1;
        self.expect(b'>')?;
        let bad = || self.error(at, "expected a quantized type");
        let (Type::Scalar(storage), Type::Scalar(expressed)) = (storage, expressed) else {
            return Err(bad());
        };
        let storage = match (signed, storage) {
            (false, E::S4) => E::U4,
            (false, E::S8) => E::U8,
            (false, E::S16) => E::U16,
            (false, E::S32) => E::U32,
            (_, e) => e,
        };
        let (least, greatest) = default_storage_range(storage);
        if !storage.is_integer()
            || !expressed.is_float()
            || scales.is_empty()
            || scales.len() != zero_points.len()
            || !(least <= storage_min && storage_min <= storage_max && storage_max <= greatest)
        {
            return Err(bad());
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
}
