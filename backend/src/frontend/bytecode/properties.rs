//! Properties: the attributes that an operation's definition names, which bytecode has since version 5
//! without their names, in the order of the alphabet. So the definitions must be known here.
//! (Source: the definitions of StableHLO, CHLO, Shardy and MLIR.)

use super::container::{OpName, since};
use super::cursor::Cursor;
use super::tables::Tables;
use crate::frontend::vhlo;
use sim_core::ir::{Attr, AttrDict};
use sim_core::{Diagnostic, ElementType, Result};

/// Name and attributes; those that may be absent have a question mark. Where an operation stands more
/// than once it has gained attributes over time, newest first: the one that fits is taken.
#[rustfmt::skip]
const PROPERTIES: [(&str, &str); 90] = [
    ("builtin.module", "sym_name? sym_visibility?"),
    ("chlo.broadcast_compare", "broadcast_dimensions? compare_type? comparison_direction"),
    ("chlo.constant", "value"),
    ("chlo.constant_like", "value"),
    ("chlo.ragged_dot", "precision_config? ragged_dot_dimension_numbers"),
    ("chlo.scan", "dimension is_associative? is_reverse? scan_dim_size?"),
    ("chlo.scan", "dimension is_associative? is_reverse?"),
    ("chlo.top_k", "is_stable? k"),
    ("chlo.top_k", "k"),
    ("func.call", "arg_attrs? callee no_inline? res_attrs?"),
    ("func.call", "callee no_inline?"),
    ("func.call", "callee"),
    ("func.func", "arg_attrs? function_type no_inline? res_attrs? sym_name sym_visibility?"),
    ("func.func", "arg_attrs? function_type res_attrs? sym_name sym_visibility?"),
    ("sdy.all_gather", "gathering_axes out_sharding"),
    ("sdy.all_reduce", "out_sharding reduction_axes reduction_op?"),
    ("sdy.all_slice", "out_sharding slicing_axes"),
    ("sdy.all_to_all", "out_sharding params"),
    ("sdy.collective_permute", "out_sharding"),
    ("sdy.constant", "value"),
    ("sdy.data_flow_edge", "sharding?"),
    ("sdy.manual_computation", "in_shardings manual_axes out_shardings"),
    ("sdy.mesh", "mesh sym_name"),
    ("sdy.named_computation", "in_shardings? name out_shardings?"),
    ("sdy.propagation_barrier", "allowed_direction"),
    ("sdy.reduce_scatter", "out_sharding reduce_scatter_axes reduction_op?"),
    ("sdy.replicated_to_unreduced", "axes out_sharding"),
    ("sdy.reshard", "sharding"),
    ("sdy.sharded_to_unreduced", "axes out_sharding"),
    ("sdy.sharding_constraint", "sharding"),
    ("sdy.sharding_group", "group_id"),
    ("stablehlo.all_gather", "all_gather_dim channel_handle? replica_groups use_global_device_ids?"),
    ("stablehlo.all_reduce", "channel_handle? replica_groups use_global_device_ids?"),
    ("stablehlo.all_to_all", "channel_handle? concat_dimension replica_groups split_count split_dimension"),
    ("stablehlo.batch_norm_grad", "epsilon feature_index"),
    ("stablehlo.batch_norm_inference", "epsilon feature_index"),
    ("stablehlo.batch_norm_training", "epsilon feature_index"),
    ("stablehlo.broadcast", "broadcast_sizes"),
    ("stablehlo.broadcast_in_dim", "broadcast_dimensions"),
    ("stablehlo.cholesky", "lower?"),
    ("stablehlo.collective_broadcast", "channel_handle? has_dynamic_root? replica_groups"),
    ("stablehlo.collective_broadcast", "channel_handle? replica_groups"),
    ("stablehlo.collective_permute", "channel_handle? source_target_pairs"),
    ("stablehlo.collective_reduce",
     "channel_handle? has_dynamic_root? replica_groups use_global_device_ids?"),
    ("stablehlo.compare", "compare_type? comparison_direction"),
    ("stablehlo.composite", "composite_attributes? decomposition name version?"),
    ("stablehlo.concatenate", "dimension"),
    ("stablehlo.constant", "value"),
    ("stablehlo.convolution",
     "batch_group_count dimension_numbers feature_group_count lhs_dilation? padding? \
      precision_config? rhs_dilation? window_reversal? window_strides?"),
    ("stablehlo.cross-replica-sum", "replica_groups"),
    ("stablehlo.custom_call",
     "api_version? backend_config? call_target_name called_computations? has_side_effect? \
      operand_layouts? output_operand_aliases? result_layouts? result_tilings?"),
    ("stablehlo.custom_call",
     "api_version? backend_config? call_target_name called_computations? has_side_effect? \
      operand_layouts? output_operand_aliases? result_layouts?"),
    ("stablehlo.dot", "precision_config?"),
    ("stablehlo.dot_general", "algorithm? dot_dimension_numbers precision_config?"),
    ("stablehlo.dot_general", "dot_dimension_numbers precision_config?"),
    ("stablehlo.dynamic_broadcast_in_dim",
     "broadcast_dimensions known_expanding_dimensions? known_nonexpanding_dimensions?"),
    ("stablehlo.dynamic_conv",
     "batch_group_count dimension_numbers feature_group_count lhs_dilation? precision_config? \
      rhs_dilation? window_reversal? window_strides?"),
    ("stablehlo.dynamic_gather", "dimension_numbers indices_are_sorted?"),
    ("stablehlo.dynamic_iota", "iota_dimension"),
    ("stablehlo.dynamic_slice", "slice_sizes"),
    ("stablehlo.einsum", "einsum_config"),
    ("stablehlo.fft", "fft_length fft_type"),
    ("stablehlo.gather", "dimension_numbers indices_are_sorted? slice_sizes"),
    ("stablehlo.get_dimension_size", "dimension"),
    ("stablehlo.get_tuple_element", "index"),
    ("stablehlo.infeed", "infeed_config? layout?"),
    ("stablehlo.iota", "iota_dimension"),
    ("stablehlo.map", "dimensions"),
    ("stablehlo.outfeed", "outfeed_config?"),
    ("stablehlo.pad", "edge_padding_high edge_padding_low interior_padding"),
    ("stablehlo.recv", "channel_handle is_host_transfer? source_target_pairs?"),
    ("stablehlo.recv", "channel_handle is_host_transfer?"),
    ("stablehlo.reduce", "dimensions"),
    ("stablehlo.reduce_precision", "exponent_bits mantissa_bits"),
    ("stablehlo.reduce_scatter", "channel_handle? replica_groups scatter_dimension use_global_device_ids?"),
    ("stablehlo.reduce_window",
     "base_dilations? padding? window_dilations? window_dimensions window_strides?"),
    ("stablehlo.reverse", "dimensions"),
    ("stablehlo.rng", "rng_distribution"),
    ("stablehlo.rng_bit_generator", "rng_algorithm"),
    ("stablehlo.scatter", "indices_are_sorted? scatter_dimension_numbers unique_indices?"),
    ("stablehlo.select_and_scatter", "padding? window_dimensions? window_strides?"),
    ("stablehlo.send", "channel_handle is_host_transfer? source_target_pairs?"),
    ("stablehlo.send", "channel_handle is_host_transfer?"),
    ("stablehlo.set_dimension_size", "dimension"),
    ("stablehlo.slice", "limit_indices start_indices strides"),
    ("stablehlo.sort", "dimension? is_stable?"),
    ("stablehlo.torch_index_select", "batch_dims dim"),
    ("stablehlo.transpose", "permutation"),
    ("stablehlo.triangular_solve", "left_side lower transpose_a unit_diagonal"),
    ("stablehlo.unary_einsum", "einsum_config"),
];

/// The one attribute of unary operations that take an accuracy, and of CHLO's broadcasting ones.
const COMMON: [(&str, &str); 2] =
    [("stablehlo.", "result_accuracy?"), ("chlo.broadcast_", "broadcast_dimensions?")];

/// The attributes of an operation's properties, if its definition never changed: what has no row, or
/// several, is written by name, which readers of every age take.
pub(super) fn stable(op: &str) -> Option<&'static str> {
    let mut rows = PROPERTIES.iter().filter(|row| row.0 == op);
    match (rows.next(), rows.next()) {
        (Some(row), None) => Some(row.1),
        _ => None,
    }
}

/// The properties of an operation, added to its attributes.
pub(super) fn read<'a>(
    t: &mut Tables<'a>,
    at: &mut Cursor<'a>,
    op: &OpName,
    attrs: &mut AttrDict,
) -> Result<()> {
    let start = at.at();
    let mut data = t.file.properties[at.index(t.file.properties.len(), "the properties")?];
    let named = if op.registered {
        known(t, &data, op)?
    } else {
        // Whoever wrote it did not know the operation, and kept its properties as they were.
        t.dict(&mut data)?
    };
    for (name, value) in named.0 {
        if !attrs.is_empty() && attrs.get(&name).is_some() {
            return Err(
                at.error_at(start, format_args!("the attribute `{name}` of {} is given twice", op.name))
            );
        }
        attrs.0.push((name, value));
    }
    Ok(())
}

fn known<'a>(t: &mut Tables<'a>, data: &Cursor<'a>, op: &OpName) -> Result<AttrDict> {
    if data.is_empty() {
        return Ok(AttrDict::new());
    }
    if let Some(names) = vhlo::attributes(&op.name) {
        return list(t, *data, names, &op.name);
    }
    let mut error = None;
    let rows = PROPERTIES.iter().filter(|row| row.0 == &*op.name).map(|row| row.1);
    let common = COMMON.iter().filter(|row| op.name.starts_with(row.0)).map(|row| row.1);
    for names in rows.chain(common) {
        match list(t, *data, names, &op.name) {
            Ok(attrs) => return Ok(attrs),
            // The newest definition's error says most.
            Err(e) => error = error.or(Some(e)),
        }
    }
    Err(error.unwrap_or_else(|| {
        Diagnostic::unsupported(format!("the properties of {} are not known", op.name))
            .at(super::cursor::span(data.at(), data.at() + 1))
            .help("write the module as text")
    }))
}

/// Reads the named attributes, to the end.
fn list<'a>(t: &mut Tables<'a>, mut at: Cursor<'a>, names: &str, op: &str) -> Result<AttrDict> {
    let mut attrs = AttrDict::new();
    let segments = op == "chlo.scan";
    let as_attrs = t.file.version < since::SPARSE_SEGMENT_SIZES;
    if segments && as_attrs {
        for key in SEGMENTS {
            attrs.0.push((key.into(), t.attr(&mut at)?));
        }
    }
    for name in names.split_ascii_whitespace() {
        let value = match name.strip_suffix('?') {
            Some(name) => t.optional_attr(&mut at)?.map(|value| (name, value)),
            None => Some((name, t.attr(&mut at)?)),
        };
        attrs.0.extend(value.map(|(name, value)| (name.into(), value)));
    }
    if segments && !as_attrs {
        for key in SEGMENTS {
            attrs.0.push((key.into(), sizes(&mut at)?));
        }
    }
    if !at.is_empty() {
        return Err(at.expected(format_args!("the end of the properties of {op}")));
    }
    Ok(attrs)
}

/// How many operands and results each group has, for operations with several groups.
const SEGMENTS: [&str; 2] = ["operandSegmentSizes", "resultSegmentSizes"];

/// The sizes of two groups: all of them, or those that are not zero with their indices in the low bits.
fn sizes(at: &mut Cursor) -> Result<Attr> {
    let mut sizes = [0i64; 2];
    let start = at.at();
    let (n, sparse) = at.varint_with_flag("the number of sizes")?;
    let bits = if sparse && n > 0 { at.index(9, "the bits of an index")? } else { 0 };
    if n > sizes.len() as u64 {
        return Err(at.error_at(start, format_args!("{n} sizes for {} groups", sizes.len())));
    }
    for i in 0..n {
        let at_size = at.at();
        let value = at.varint("a size")?;
        let (i, value) = if sparse { (value & ((1 << bits) - 1), value >> bits) } else { (i, value) };
        let i = at.check_index(i, sizes.len(), at_size, "the group")?;
        sizes[i] = i64::try_from(value).map_err(|_| at.error_at(at_size, "the size is too large"))?;
    }
    Ok(Attr::DenseArray(ElementType::S32, sizes.into()))
}
