//! Attributes as MLIR text: `3 : i64`, `[@f, "s"]`, `#stablehlo.dot<…>`.

use super::text::{comma, float, float_bits, int, ints, key, string, symbol};
use super::{dense, loc};
use crate::ir::attr::{Attr, AttrDict};
use crate::ir::generic::keyword::Keyword;
use crate::ir::op::{
    AxisRef, ConvDims, DotAlgorithm, DotDims, GatherDims, HloAttr, OutputOperandAlias, RaggedDotDims,
    ReplicaGroups, ResultAccuracy, ScatterDims,
};
use std::fmt::{self, Write};

/// How attributes are written.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// The dialect of enumerations: `#chlo<precision HIGH>` in CHLO's operations.
    pub dialect: &'static str,
    /// See [`super::Options::elide_large`].
    pub elide: Option<usize>,
}

impl Default for Style {
    fn default() -> Self {
        Style { dialect: "stablehlo", elide: None }
    }
}

/// The text that MLIR's parser and ours read back.
impl fmt::Display for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        attr(f, self, Style::default())
    }
}

/// The text in StableHLO's dialect (`#chlo.ragged_dot` is CHLO's own).
impl fmt::Display for HloAttr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hlo(f, self, Style::default())
    }
}

/// `{a = 1 : i64, b}`
impl fmt::Display for AttrDict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        dict(f, self.iter(), Style::default())
    }
}

pub(super) fn dict<'a>(
    f: &mut dyn Write,
    entries: impl IntoIterator<Item = (&'a str, &'a Attr)>,
    style: Style,
) -> fmt::Result {
    f.write_char('{')?;
    comma(f, entries, |f, (name, value)| {
        key(f, name)?;
        if *value == Attr::Unit {
            return Ok(());
        }
        f.write_str(" = ")?;
        attr(f, value, style)
    })?;
    f.write_char('}')
}

/// Recursive, as attributes are; whoever builds them bounds their nesting.
pub(super) fn attr(f: &mut dyn Write, value: &Attr, style: Style) -> fmt::Result {
    match value {
        Attr::Unit => f.write_str("unit"),
        Attr::Bool(b) => write!(f, "{b}"),
        Attr::Int(n, ty) if *ty == crate::ElementType::Pred => int(f, *n, *ty),
        Attr::Int(n, ty) => {
            int(f, *n, *ty)?;
            write!(f, " : {ty}")
        }
        Attr::Float(x, ty) => {
            float(f, float_bits(*x, *ty), *ty)?;
            write!(f, " : {ty}")
        }
        Attr::String(s) => string(f, s),
        Attr::Symbol(path) => symbol(f, path),
        Attr::Array(items) => {
            f.write_char('[')?;
            comma(f, items.iter(), |f, item| attr(f, item, style))?;
            f.write_char(']')
        }
        Attr::Dict(entries) => dict(f, entries.iter(), style),
        Attr::Type(ty) => write!(f, "{ty}"),
        Attr::Dense(d) => {
            dense::body(f, d, style.elide)?;
            write!(f, " : {}", d.ty)
        }
        Attr::DenseArray(ty, values) => {
            write!(f, "array<{ty}")?;
            if !values.is_empty() {
                f.write_str(": ")?;
            }
            comma(f, values.iter(), |f, &v| match ty.is_float() {
                true => float(f, float_bits(f64::from_bits(v as u64), *ty), *ty),
                false => int(f, v, *ty),
            })?;
            f.write_char('>')
        }
        Attr::Loc(l) => loc::loc(f, l),
        Attr::Hlo(h) => hlo(f, h, style),
        Attr::Verbatim(text) => f.write_str(text),
    }
}

fn keyword<K: Keyword>(f: &mut dyn Write, value: K, style: Style) -> fmt::Result {
    write!(f, "#{}<{} {}>", style.dialect, K::MNEMONIC, value.word())
}

pub(super) fn hlo(f: &mut dyn Write, value: &HloAttr, style: Style) -> fmt::Result {
    match value {
        HloAttr::Direction(k) => keyword(f, *k, style),
        HloAttr::CompareType(k) => keyword(f, *k, style),
        HloAttr::Precision(k) => keyword(f, *k, style),
        HloAttr::FftType(k) => keyword(f, *k, style),
        HloAttr::RngAlgorithm(k) => keyword(f, *k, style),
        HloAttr::RngDistribution(k) => keyword(f, *k, style),
        HloAttr::Transpose(k) => keyword(f, *k, style),
        HloAttr::Dot(dims) => {
            let mut s = Struct::open(f, "#stablehlo.dot<")?;
            dot(&mut s, dims)?;
            s.close()
        }
        HloAttr::DotAlgorithm(algorithm) => dot_algorithm(f, algorithm),
        HloAttr::RaggedDot(RaggedDotDims { dot: dims, lhs_ragged, rhs_group }) => {
            let mut s = Struct::open(f, "#chlo.ragged_dot<")?;
            dot(&mut s, dims)?;
            s.ints("lhs_ragged_dimensions", lhs_ragged)?;
            s.ints("rhs_group_dimensions", rhs_group)?;
            s.close()
        }
        HloAttr::Conv(dims) => {
            f.write_str("#stablehlo.conv<")?;
            conv(f, dims)?;
            f.write_char('>')
        }
        HloAttr::Gather(dims) => gather(f, dims),
        HloAttr::Scatter(dims) => scatter(f, dims),
        HloAttr::Channel(c) => {
            write!(f, "#stablehlo.channel_handle<handle = {}, type = {}>", c.handle, c.ty)
        }
        HloAttr::ReplicaGroups(groups) => replica_groups(f, groups, style),
        HloAttr::ResultAccuracy(accuracy) => result_accuracy(f, accuracy),
        HloAttr::OutputOperandAlias(alias) => output_operand_alias(f, alias),
        HloAttr::Bounds(bounds) => {
            f.write_str("#stablehlo.bounds<")?;
            comma(f, bounds, |f, bound| match bound {
                Some(n) => write!(f, "{n}"),
                None => f.write_char('?'),
            })?;
            f.write_char('>')
        }
        HloAttr::CustomCallApiVersion(version) => write!(f, "{version} : i32"),
    }
}

/// `#name<a = [1], b = 2>`, where empty lists are left out.
struct Struct<'a> {
    f: &'a mut dyn Write,
    first: bool,
}

impl<'a> Struct<'a> {
    fn open(f: &'a mut dyn Write, head: &str) -> Result<Self, fmt::Error> {
        f.write_str(head)?;
        Ok(Struct { f, first: true })
    }

    fn field(&mut self, name: &str, value: fmt::Arguments<'_>) -> fmt::Result {
        if !self.first {
            self.f.write_str(", ")?;
        }
        self.first = false;
        write!(self.f, "{name} = {value}")
    }

    fn ints(&mut self, name: &str, values: &[i64]) -> fmt::Result {
        if values.is_empty() { Ok(()) } else { self.field(name, format_args!("{values:?}")) }
    }

    fn close(self) -> fmt::Result {
        self.f.write_char('>')
    }
}

fn dot(s: &mut Struct, dims: &DotDims) -> fmt::Result {
    s.ints("lhs_batching_dimensions", &dims.lhs_batch)?;
    s.ints("rhs_batching_dimensions", &dims.rhs_batch)?;
    s.ints("lhs_contracting_dimensions", &dims.lhs_contract)?;
    s.ints("rhs_contracting_dimensions", &dims.rhs_contract)
}

fn dot_algorithm(f: &mut dyn Write, a: &DotAlgorithm) -> fmt::Result {
    let mut s = Struct::open(f, "#stablehlo.dot_algorithm<")?;
    s.field("lhs_precision_type", format_args!("{}", a.lhs_precision_type))?;
    s.field("rhs_precision_type", format_args!("{}", a.rhs_precision_type))?;
    s.field("accumulation_type", format_args!("{}", a.accumulation_type))?;
    s.field("lhs_component_count", format_args!("{}", a.lhs_component_count))?;
    s.field("rhs_component_count", format_args!("{}", a.rhs_component_count))?;
    s.field("num_primitive_operations", format_args!("{}", a.num_primitive_operations))?;
    s.field("allow_imprecise_accumulation", format_args!("{}", a.allow_imprecise_accumulation))?;
    s.close()
}

fn gather(f: &mut dyn Write, dims: &GatherDims) -> fmt::Result {
    let mut s = Struct::open(f, "#stablehlo.gather<")?;
    s.ints("offset_dims", &dims.offset_dims)?;
    s.ints("collapsed_slice_dims", &dims.collapsed_slice_dims)?;
    s.ints("operand_batching_dims", &dims.operand_batching_dims)?;
    s.ints("start_indices_batching_dims", &dims.start_indices_batching_dims)?;
    s.ints("start_index_map", &dims.start_index_map)?;
    s.field("index_vector_dim", format_args!("{}", dims.index_vector_dim))?;
    s.close()
}

fn scatter(f: &mut dyn Write, dims: &ScatterDims) -> fmt::Result {
    let mut s = Struct::open(f, "#stablehlo.scatter<")?;
    s.ints("update_window_dims", &dims.update_window_dims)?;
    s.ints("inserted_window_dims", &dims.inserted_window_dims)?;
    s.ints("input_batching_dims", &dims.input_batching_dims)?;
    s.ints("scatter_indices_batching_dims", &dims.scatter_indices_batching_dims)?;
    s.ints("scatter_dims_to_operand_dims", &dims.scatter_dims_to_operand_dims)?;
    s.field("index_vector_dim", format_args!("{}", dims.index_vector_dim))?;
    s.close()
}

fn result_accuracy(f: &mut dyn Write, accuracy: &ResultAccuracy) -> fmt::Result {
    let mut s = Struct::open(f, "#stablehlo.result_accuracy<")?;
    for (name, value) in [("atol", accuracy.atol), ("rtol", accuracy.rtol)] {
        if value != 0.0 {
            let mut number = String::new();
            float(&mut number, value.to_bits(), crate::ElementType::F64)?;
            s.field(name, format_args!("{number}"))?;
        }
    }
    if accuracy.ulps != 0 {
        s.field("ulps", format_args!("{}", accuracy.ulps))?;
    }
    s.field("mode", format_args!("#stablehlo.result_accuracy_mode<{}>", accuracy.mode))?;
    s.close()
}

fn output_operand_alias(f: &mut dyn Write, alias: &OutputOperandAlias) -> fmt::Result {
    // These lists are required even when empty.
    f.write_str("#stablehlo.output_operand_alias<output_tuple_indices = ")?;
    ints(f, &alias.output_tuple_indices)?;
    write!(f, ", operand_index = {}, operand_tuple_indices = ", alias.operand_index)?;
    ints(f, &alias.operand_tuple_indices)?;
    f.write_char('>')
}

fn replica_groups(f: &mut dyn Write, groups: &ReplicaGroups, style: Style) -> fmt::Result {
    match groups {
        ReplicaGroups::MeshAxes { mesh, axes } => {
            f.write_str("#stablehlo.replica_group_mesh_axes<mesh = ")?;
            attr(f, mesh, style)?;
            f.write_str(", axes = [")?;
            comma(f, axes, axis_ref)?;
            f.write_str("]>")
        }
        // Stands as an `Attr::Dense` in programs; written likewise here.
        ReplicaGroups::Dense { rows, cols, ids } => {
            f.write_str("dense<[")?;
            let rows_of = ids.chunks((*cols).max(1) as usize);
            comma(f, rows_of, ints)?;
            write!(f, "]> : tensor<{rows}x{cols}xi64>")
        }
    }
}

fn axis_ref(f: &mut dyn Write, axis: &AxisRef) -> fmt::Result {
    f.write_str("#stablehlo.axis_ref<name = ")?;
    string(f, &axis.name)?;
    if let Some((pre, size)) = axis.sub_axis {
        write!(f, ", sub_axis_info = ({pre}){size}")?;
    }
    f.write_char('>')
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`; numbers that are no permutation in the raw form.
pub(super) fn conv(f: &mut dyn Write, dims: &ConvDims) -> fmt::Result {
    let input = places(dims.input_batch, dims.input_feature, &dims.input_spatial, ["b", "f"]);
    let kernel =
        places(dims.kernel_input_feature, dims.kernel_output_feature, &dims.kernel_spatial, ["i", "o"]);
    let output = places(dims.output_batch, dims.output_feature, &dims.output_spatial, ["b", "f"]);
    if let (Some(input), Some(kernel), Some(output)) = (input, kernel, output) {
        return write!(f, "[{}]x[{}]->[{}]", input.join(", "), kernel.join(", "), output.join(", "));
    }
    write!(
        f,
        "raw input_batch_dimension = {}, input_feature_dimension = {}, input_spatial_dimensions = {:?}, \
         kernel_input_feature_dimension = {}, kernel_output_feature_dimension = {}, \
         kernel_spatial_dimensions = {:?}, output_batch_dimension = {}, output_feature_dimension = {}, \
         output_spatial_dimensions = {:?}",
        dims.input_batch,
        dims.input_feature,
        dims.input_spatial,
        dims.kernel_input_feature,
        dims.kernel_output_feature,
        dims.kernel_spatial,
        dims.output_batch,
        dims.output_feature,
        dims.output_spatial
    )
}

/// What each dimension is called, if the numbers name every dimension once.
fn places(a: i64, b: i64, spatial: &[i64], names: [&str; 2]) -> Option<Vec<String>> {
    let mut all = vec![None; spatial.len() + 2];
    let mut place = |at: i64, name: String| {
        let slot: &mut Option<String> = all.get_mut(usize::try_from(at).ok()?)?;
        slot.replace(name).is_none().then_some(())
    };
    place(a, names[0].into())?;
    place(b, names[1].into())?;
    for (i, &at) in spatial.iter().enumerate() {
        place(at, i.to_string())?;
    }
    all.into_iter().collect()
}
