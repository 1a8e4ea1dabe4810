//! The dialect attributes that are understood: `#stablehlo<…>`, `#stablehlo.gather<…>`, `#chlo…`.
//!
//! Each has two spellings, `#stablehlo.dot<…>` and `#stablehlo<dot<…>>`; enums use the second.

use super::lexer::{Kind, Token};
use super::parser::Parser;
use sim_core::Result;
use sim_core::ir::Attr;
use sim_core::ir::op::*;
use std::sync::Arc;

/// The enums of the dialects, by their mnemonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EnumAttr {
    Direction,
    CompareType,
    Precision,
    FftType,
    RngAlgorithm,
    RngDistribution,
    Transpose,
}

impl EnumAttr {
    fn from_mnemonic(name: &str) -> Option<EnumAttr> {
        Some(match name {
            "comparison_direction" => EnumAttr::Direction,
            "comparison_type" => EnumAttr::CompareType,
            "precision" => EnumAttr::Precision,
            "fft_type" => EnumAttr::FftType,
            "rng_algorithm" => EnumAttr::RngAlgorithm,
            "rng_distribution" => EnumAttr::RngDistribution,
            "transpose" => EnumAttr::Transpose,
            _ => return None,
        })
    }

    fn value(self, word: &str) -> Option<HloAttr> {
        use HloAttr as H;
        Some(match (self, word) {
            (EnumAttr::Direction, "EQ") => H::Direction(Direction::Eq),
            (EnumAttr::Direction, "NE") => H::Direction(Direction::Ne),
            (EnumAttr::Direction, "GE") => H::Direction(Direction::Ge),
            (EnumAttr::Direction, "GT") => H::Direction(Direction::Gt),
            (EnumAttr::Direction, "LE") => H::Direction(Direction::Le),
            (EnumAttr::Direction, "LT") => H::Direction(Direction::Lt),
            (EnumAttr::CompareType, "NOTYPE") => H::CompareType(CompareType::Default),
            (EnumAttr::CompareType, "FLOAT") => H::CompareType(CompareType::Float),
            (EnumAttr::CompareType, "TOTALORDER") => H::CompareType(CompareType::TotalOrder),
            (EnumAttr::CompareType, "SIGNED") => H::CompareType(CompareType::Signed),
            (EnumAttr::CompareType, "UNSIGNED") => H::CompareType(CompareType::Unsigned),
            (EnumAttr::Precision, "DEFAULT") => H::Precision(Precision::Default),
            (EnumAttr::Precision, "HIGH") => H::Precision(Precision::High),
            (EnumAttr::Precision, "HIGHEST") => H::Precision(Precision::Highest),
            (EnumAttr::FftType, "FFT") => H::FftType(FftType::Fft),
            (EnumAttr::FftType, "IFFT") => H::FftType(FftType::Ifft),
            (EnumAttr::FftType, "RFFT") => H::FftType(FftType::Rfft),
            (EnumAttr::FftType, "IRFFT") => H::FftType(FftType::Irfft),
            (EnumAttr::RngAlgorithm, "DEFAULT") => H::RngAlgorithm(RngAlgorithm::Default),
            (EnumAttr::RngAlgorithm, "THREE_FRY") => H::RngAlgorithm(RngAlgorithm::ThreeFry),
            (EnumAttr::RngAlgorithm, "PHILOX") => H::RngAlgorithm(RngAlgorithm::Philox),
            (EnumAttr::RngDistribution, "UNIFORM") => H::RngDistribution(RngDistribution::Uniform),
            (EnumAttr::RngDistribution, "NORMAL") => H::RngDistribution(RngDistribution::Normal),
            (EnumAttr::Transpose, "NO_TRANSPOSE") => H::Transpose(Transpose::NoTranspose),
            (EnumAttr::Transpose, "TRANSPOSE") => H::Transpose(Transpose::Transpose),
            (EnumAttr::Transpose, "ADJOINT") => H::Transpose(Transpose::Adjoint),
            _ => return None,
        })
    }

    fn choices(self) -> &'static str {
        match self {
            EnumAttr::Direction => "EQ, NE, GE, GT, LE or LT",
            EnumAttr::CompareType => "NOTYPE, FLOAT, TOTALORDER, SIGNED or UNSIGNED",
            EnumAttr::Precision => "DEFAULT, HIGH or HIGHEST",
            EnumAttr::FftType => "FFT, IFFT, RFFT or IRFFT",
            EnumAttr::RngAlgorithm => "DEFAULT, THREE_FRY or PHILOX",
            EnumAttr::RngDistribution => "UNIFORM or NORMAL",
            EnumAttr::Transpose => "NO_TRANSPOSE, TRANSPOSE or ADJOINT",
        }
    }
}

pub(super) fn hlo(attr: HloAttr) -> Attr {
    Attr::Hlo(Arc::new(attr))
}

/// Where a field of a struct-like attribute goes.
enum Slot<'v> {
    Ints(&'v mut Vec<i64>),
    Int(&'v mut i64),
}

impl<'a> Parser<'a> {
    /// The attribute after its `#name` token, if it is understood. `None`: keep it verbatim (the
    /// caller rewinds).
    pub fn known_dialect_attr(&mut self, name: Token) -> Result<Option<Attr>> {
        let text = self.slice(name.start + 1, name.end);
        let (dialect, mnemonic) = match text.split_once('.') {
            Some((dialect, mnemonic)) => (dialect, Some(mnemonic)),
            None => (text, None),
        };
        if dialect == "vhlo" {
            return self.vhlo_attr(name).map(Some);
        }
        if !matches!(dialect, "stablehlo" | "chlo" | "mhlo") {
            return Ok(None);
        }
        // Of the old MHLO dialect only the encoding of bounds is in use.
        if dialect == "mhlo" && mnemonic != Some("type_extensions") {
            return Ok(None);
        }
        match mnemonic {
            Some(mnemonic) => self.hlo_attr(mnemonic),
            None => {
                self.expect(b'<')?;
                let mnemonic = self.word("an attribute's name")?;
                let attr = self.hlo_attr(mnemonic)?;
                if attr.is_some() {
                    self.expect(b'>')?;
                }
                Ok(attr)
            }
        }
    }

    /// One of an enum's words.
    pub fn enum_word(&mut self, kind: EnumAttr) -> Result<Attr> {
        if self.tok.kind == Kind::Bare
            && let Some(value) = kind.value(self.text_of(self.tok))
        {
            self.bump();
            return Ok(hlo(value));
        }
        Err(self.expected(kind.choices()))
    }

    /// What follows the mnemonic.
    fn hlo_attr(&mut self, mnemonic: &str) -> Result<Option<Attr>> {
        if let Some(kind) = EnumAttr::from_mnemonic(mnemonic) {
            // `precision DEFAULT` inside `#stablehlo<…>`, or `#stablehlo.precision<DEFAULT>`.
            let bracket = self.eat(b'<');
            let value = self.enum_word(kind)?;
            if bracket {
                self.expect(b'>')?;
            }
            return Ok(Some(value));
        }
        let attr = match mnemonic {
            "dot" => HloAttr::Dot(self.dot_dims()?),
            "ragged_dot" => HloAttr::RaggedDot(self.ragged_dot_dims()?),
            "gather" => HloAttr::Gather(self.gather_dims()?),
            "scatter" => HloAttr::Scatter(self.scatter_dims()?),
            "conv" => HloAttr::Conv(self.conv_attr()?),
            "dot_algorithm" => HloAttr::DotAlgorithm(self.dot_algorithm()?),
            "channel_handle" => HloAttr::Channel(self.channel_handle()?),
            "output_operand_alias" => HloAttr::OutputOperandAlias(self.output_operand_alias()?),
            "bounds" => HloAttr::Bounds(self.bounds(b'<', b'>')?),
            "type_extensions" => {
                self.expect(b'<')?;
                self.expect_word("bounds")?;
                self.expect(b'=')?;
                let bounds = self.bounds(b'[', b']')?;
                self.expect(b'>')?;
                HloAttr::Bounds(bounds)
            }
            "result_accuracy" => HloAttr::ResultAccuracy(self.result_accuracy()?),
            "replica_group_mesh_axes" => HloAttr::ReplicaGroups(self.mesh_axes()?),
            _ => return Ok(None),
        };
        Ok(Some(hlo(attr)))
    }

    /// `<name = [1, 2], other = 3>`: any of the fields, each at most once, in any order.
    fn fields(&mut self, fields: &mut [(&str, Slot)]) -> Result<()> {
        self.expect(b'<')?;
        self.open_fields(fields)
    }

    /// The same after its `<`.
    fn open_fields(&mut self, fields: &mut [(&str, Slot)]) -> Result<()> {
        let mut seen = vec![false; fields.len()];
        if self.eat(b'>') {
            return Ok(());
        }
        loop {
            let tok = self.tok;
            let word = self.word("a field")?;
            let Some(i) = fields.iter().position(|(name, _)| *name == word) else {
                let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
                return Err(self.error(tok, format!("expected one of {}, found `{word}`", names.join(", "))));
            };
            if std::mem::replace(&mut seen[i], true) {
                return Err(self.error(tok, format!("the field `{word}` is given twice")));
            }
            self.expect(b'=')?;
            match &mut fields[i].1 {
                Slot::Ints(values) => **values = self.integers()?,
                Slot::Int(value) => **value = self.integer("an integer")?,
            }
            if self.eat(b',') && !self.at_punct(b'>') {
                continue;
            }
            self.expect(b'>')?;
            return Ok(());
        }
    }

    fn dot_dims(&mut self) -> Result<DotDims> {
        let mut d = DotDims::default();
        self.fields(&mut [
            ("lhs_batching_dimensions", Slot::Ints(&mut d.lhs_batch)),
            ("rhs_batching_dimensions", Slot::Ints(&mut d.rhs_batch)),
            ("lhs_contracting_dimensions", Slot::Ints(&mut d.lhs_contract)),
            ("rhs_contracting_dimensions", Slot::Ints(&mut d.rhs_contract)),
        ])?;
        Ok(d)
    }

    fn ragged_dot_dims(&mut self) -> Result<RaggedDotDims> {
        let mut d = RaggedDotDims::default();
        self.fields(&mut [
            ("lhs_batching_dimensions", Slot::Ints(&mut d.dot.lhs_batch)),
            ("rhs_batching_dimensions", Slot::Ints(&mut d.dot.rhs_batch)),
            ("lhs_contracting_dimensions", Slot::Ints(&mut d.dot.lhs_contract)),
            ("rhs_contracting_dimensions", Slot::Ints(&mut d.dot.rhs_contract)),
            ("lhs_ragged_dimensions", Slot::Ints(&mut d.lhs_ragged)),
            ("rhs_group_dimensions", Slot::Ints(&mut d.rhs_group)),
        ])?;
        Ok(d)
    }

    fn gather_dims(&mut self) -> Result<GatherDims> {
        let mut d = GatherDims::default();
        self.fields(&mut [
            ("offset_dims", Slot::Ints(&mut d.offset_dims)),
            ("collapsed_slice_dims", Slot::Ints(&mut d.collapsed_slice_dims)),
            ("operand_batching_dims", Slot::Ints(&mut d.operand_batching_dims)),
            ("start_indices_batching_dims", Slot::Ints(&mut d.start_indices_batching_dims)),
            ("start_index_map", Slot::Ints(&mut d.start_index_map)),
            ("index_vector_dim", Slot::Int(&mut d.index_vector_dim)),
        ])?;
        Ok(d)
    }

    fn scatter_dims(&mut self) -> Result<ScatterDims> {
        let mut d = ScatterDims::default();
        self.fields(&mut [
            ("update_window_dims", Slot::Ints(&mut d.update_window_dims)),
            ("inserted_window_dims", Slot::Ints(&mut d.inserted_window_dims)),
            ("input_batching_dims", Slot::Ints(&mut d.input_batching_dims)),
            ("scatter_indices_batching_dims", Slot::Ints(&mut d.scatter_indices_batching_dims)),
            ("scatter_dims_to_operand_dims", Slot::Ints(&mut d.scatter_dims_to_operand_dims)),
            ("index_vector_dim", Slot::Int(&mut d.index_vector_dim)),
        ])?;
        Ok(d)
    }

    fn channel_handle(&mut self) -> Result<ChannelHandle> {
        let mut c = ChannelHandle { handle: 0, ty: 0 };
        self.fields(&mut [("handle", Slot::Int(&mut c.handle)), ("type", Slot::Int(&mut c.ty))])?;
        Ok(c)
    }

    fn output_operand_alias(&mut self) -> Result<OutputOperandAlias> {
        let mut a = OutputOperandAlias::default();
        self.fields(&mut [
            ("output_tuple_indices", Slot::Ints(&mut a.output_tuple_indices)),
            ("operand_index", Slot::Int(&mut a.operand_index)),
            ("operand_tuple_indices", Slot::Ints(&mut a.operand_tuple_indices)),
        ])?;
        Ok(a)
    }

    /// `[?, 4]` in the given brackets.
    fn bounds(&mut self, open: u8, close: u8) -> Result<Vec<Option<i64>>> {
        let mut bounds = Vec::new();
        self.list(open, close, |p| {
            bounds.push(if p.eat(b'?') { None } else { Some(p.integer("a bound")?) });
            Ok(())
        })?;
        Ok(bounds)
    }

    /// `<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>`, or `<raw input_batch_dimension = 0, …>`.
    fn conv_attr(&mut self) -> Result<ConvDims> {
        self.expect(b'<')?;
        if self.eat_word("raw") {
            let mut d = ConvDims::default();
            self.open_fields(&mut [
                ("input_batch_dimension", Slot::Int(&mut d.input_batch)),
                ("input_feature_dimension", Slot::Int(&mut d.input_feature)),
                ("input_spatial_dimensions", Slot::Ints(&mut d.input_spatial)),
                ("kernel_input_feature_dimension", Slot::Int(&mut d.kernel_input_feature)),
                ("kernel_output_feature_dimension", Slot::Int(&mut d.kernel_output_feature)),
                ("kernel_spatial_dimensions", Slot::Ints(&mut d.kernel_spatial)),
                ("output_batch_dimension", Slot::Int(&mut d.output_batch)),
                ("output_feature_dimension", Slot::Int(&mut d.output_feature)),
                ("output_spatial_dimensions", Slot::Ints(&mut d.output_spatial)),
            ])?;
            return Ok(d);
        }
        let dims = self.conv_dims()?;
        self.expect(b'>')?;
        Ok(dims)
    }

    /// `[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]`
    pub fn conv_dims(&mut self) -> Result<ConvDims> {
        let (input_batch, input_feature, input_spatial) = self.conv_side("b", "f")?;
        self.expect_word("x")?;
        let (kernel_input_feature, kernel_output_feature, kernel_spatial) = self.conv_side("i", "o")?;
        self.expect_arrow()?;
        let (output_batch, output_feature, output_spatial) = self.conv_side("b", "f")?;
        Ok(ConvDims {
            input_batch,
            input_feature,
            input_spatial,
            kernel_input_feature,
            kernel_output_feature,
            kernel_spatial,
            output_batch,
            output_feature,
            output_spatial,
        })
    }

    /// One bracket of the above: where the two named dimensions stand, and the spatial ones in order.
    fn conv_side(&mut self, first: &str, second: &str) -> Result<(i64, i64, Vec<i64>)> {
        let open = self.tok;
        let (mut a, mut b) = (None, None);
        let mut spatial: Vec<(i64, i64)> = Vec::new();
        let mut index = 0;
        self.list(b'[', b']', |p| {
            let tok = p.tok;
            if tok.kind == Kind::Bare {
                let word = p.word("a dimension")?;
                let slot = if word == first {
                    &mut a
                } else if word == second {
                    &mut b
                } else {
                    return Err(p.error(
                        tok,
                        format!("expected `{first}`, `{second}` or a spatial dimension, found `{word}`"),
                    ));
                };
                if slot.replace(index).is_some() {
                    return Err(p.error(tok, format!("the dimension `{word}` is given twice")));
                }
            } else {
                spatial.push((p.integer("a spatial dimension")?, index));
            }
            index += 1;
            Ok(())
        })?;
        let (Some(a), Some(b)) = (a, b) else {
            return Err(
                self.error(open, format!("both `{first}` and `{second}` must be among the dimensions"))
            );
        };
        spatial.sort_unstable();
        for (i, (dim, _)) in spatial.iter().enumerate() {
            if *dim != i as i64 {
                return Err(
                    self.error(open, format!("the spatial dimensions must be 0 to {}", spatial.len() - 1))
                );
            }
        }
        Ok((a, b, spatial.into_iter().map(|(_, at)| at).collect()))
    }

    /// `<lhs_precision_type = tf32, …>`
    pub fn dot_algorithm(&mut self) -> Result<DotAlgorithm> {
        let field = |p: &mut Self, name: &str| -> Result<()> {
            p.expect_word(name)?;
            p.expect(b'=').map(|_| ())
        };
        self.expect(b'<')?;
        field(self, "lhs_precision_type")?;
        let lhs_precision_type = self.parse_type()?;
        self.expect(b',')?;
        field(self, "rhs_precision_type")?;
        let rhs_precision_type = self.parse_type()?;
        self.expect(b',')?;
        field(self, "accumulation_type")?;
        let accumulation_type = self.parse_type()?;
        self.expect(b',')?;
        field(self, "lhs_component_count")?;
        let lhs_component_count = self.integer("a count")?;
        self.expect(b',')?;
        field(self, "rhs_component_count")?;
        let rhs_component_count = self.integer("a count")?;
        self.expect(b',')?;
        field(self, "num_primitive_operations")?;
        let num_primitive_operations = self.integer("a count")?;
        self.expect(b',')?;
        field(self, "allow_imprecise_accumulation")?;
        let allow_imprecise_accumulation = self.boolean()?;
        self.expect(b'>')?;
        Ok(DotAlgorithm {
            lhs_precision_type,
            rhs_precision_type,
            accumulation_type,
            lhs_component_count,
            rhs_component_count,
            num_primitive_operations,
            allow_imprecise_accumulation,
        })
    }

    /// `true` or `false`
    pub fn boolean(&mut self) -> Result<bool> {
        if self.eat_word("true") {
            Ok(true)
        } else if self.eat_word("false") {
            Ok(false)
        } else {
            Err(self.expected("`true` or `false`"))
        }
    }

    /// `<atol = 1.0e-5, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>`
    fn result_accuracy(&mut self) -> Result<ResultAccuracy> {
        let mut accuracy = ResultAccuracy { atol: 0.0, rtol: 0.0, ulps: 0, mode: "DEFAULT".into() };
        self.list(b'<', b'>', |p| {
            let tok = p.tok;
            let name = p.word("atol, rtol, ulps or mode")?;
            p.expect(b'=')?;
            match name {
                "atol" => accuracy.atol = p.float("a tolerance")?,
                "rtol" => accuracy.rtol = p.float("a tolerance")?,
                "ulps" => accuracy.ulps = p.integer("a number of units in the last place")?,
                "mode" => {
                    // `#stablehlo.result_accuracy_mode<X>`, or `#stablehlo<result_accuracy_mode<X>>`.
                    let long = p.tok.kind == Kind::Hash && p.text_of(p.tok) == "#stablehlo";
                    if p.tok.kind == Kind::Hash {
                        p.bump();
                        if long {
                            p.expect(b'<')?;
                            p.expect_word("result_accuracy_mode")?;
                        }
                    }
                    p.expect(b'<')?;
                    let mode = p.word("DEFAULT, HIGHEST or TOLERANCE")?;
                    if !matches!(mode, "DEFAULT" | "HIGHEST" | "TOLERANCE") {
                        return Err(p.error(tok, "expected DEFAULT, HIGHEST or TOLERANCE"));
                    }
                    accuracy.mode = p.intern(mode);
                    p.expect(b'>')?;
                    if long {
                        p.expect(b'>')?;
                    }
                }
                _ => return Err(p.error(tok, format!("expected atol, rtol, ulps or mode, found `{name}`"))),
            }
            Ok(())
        })?;
        Ok(accuracy)
    }

    /// `<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>`
    fn mesh_axes(&mut self) -> Result<ReplicaGroups> {
        self.expect(b'<')?;
        self.expect_word("mesh")?;
        self.expect(b'=')?;
        let mesh = self.attr()?;
        self.expect(b',')?;
        self.expect_word("axes")?;
        self.expect(b'=')?;
        let mut axes = Vec::new();
        self.list(b'[', b']', |p| {
            let long = match p.tok.kind {
                Kind::Hash if p.text_of(p.tok) == "#stablehlo.axis_ref" => false,
                Kind::Hash if p.text_of(p.tok) == "#stablehlo" => true,
                _ => return Err(p.expected("#stablehlo.axis_ref")),
            };
            p.bump();
            if long {
                p.expect(b'<')?;
                p.expect_word("axis_ref")?;
            }
            axes.push(p.axis_ref()?);
            if long {
                p.expect(b'>')?;
            }
            Ok(())
        })?;
        self.expect(b'>')?;
        Ok(ReplicaGroups::MeshAxes { mesh, axes })
    }

    /// `<name = "x", sub_axis_info = (1)2>`
    fn axis_ref(&mut self) -> Result<AxisRef> {
        self.expect(b'<')?;
        self.expect_word("name")?;
        self.expect(b'=')?;
        let name = self.string("an axis name")?;
        let mut sub_axis = None;
        if self.eat(b',') {
            self.expect_word("sub_axis_info")?;
            self.expect(b'=')?;
            self.expect(b'(')?;
            let pre = self.integer("a size")?;
            self.expect(b')')?;
            sub_axis = Some((pre, self.integer("a size")?));
        }
        self.expect(b'>')?;
        Ok(AxisRef { name, sub_axis })
    }
}
