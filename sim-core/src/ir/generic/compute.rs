//! Contractions, reductions, windows, sorting, linear algebra and transforms.

use crate::diag::Result;
use crate::dtype::ElementType;
use crate::ir::attr::Attr;
use crate::ir::generic::attrs::{Reader, Writer};
use crate::ir::op::{ConvAttrs, HloAttr, Op, Window};

pub(super) fn read(r: &mut Reader) -> Result<Option<Op>> {
    Ok(Some(match r.name {
        "stablehlo.dot_general" => Op::DotGeneral {
            dims: r.hlo("dot_dimension_numbers", "#stablehlo.dot<…>", |h| match h {
                HloAttr::Dot(dims) => Some(dims.clone()),
                _ => None,
            })?,
            precision: r.precision()?,
            algorithm: r.opt_hlo("algorithm", "#stablehlo.dot_algorithm<…>", |h| match h {
                HloAttr::DotAlgorithm(algorithm) => Some(algorithm.clone()),
                _ => None,
            })?,
        },
        "stablehlo.dot" => Op::Dot { precision: r.precision()? },
        "stablehlo.einsum" => Op::Einsum { config: r.string("einsum_config")? },
        "stablehlo.unary_einsum" => Op::UnaryEinsum { config: r.string("einsum_config")? },
        "stablehlo.convolution" => Op::Convolution(convolution(r, true)?),
        "stablehlo.dynamic_conv" => Op::DynamicConv(convolution(r, false)?),
        "chlo.ragged_dot" => Op::RaggedDot {
            dims: r.hlo("ragged_dot_dimension_numbers", "#chlo.ragged_dot<…>", |h| match h {
                HloAttr::RaggedDot(dims) => Some(dims.clone()),
                _ => None,
            })?,
            precision: r.precision()?,
        },
        "stablehlo.reduce" => Op::Reduce { dims: r.ints("dimensions")? },
        "stablehlo.reduce_window" => Op::ReduceWindow(Window {
            dimensions: r.ints("window_dimensions")?,
            strides: r.ints_or_empty("window_strides")?,
            base_dilations: r.ints_or_empty("base_dilations")?,
            window_dilations: r.ints_or_empty("window_dilations")?,
            padding: r.opt_pairs("padding")?.unwrap_or_default(),
        }),
        "stablehlo.select_and_scatter" => Op::SelectAndScatter(Window {
            dimensions: r.ints_or_empty("window_dimensions")?,
            strides: r.ints_or_empty("window_strides")?,
            padding: r.opt_pairs("padding")?.unwrap_or_default(),
            ..Window::default()
        }),
        "stablehlo.batch_norm_grad" => {
            Op::BatchNormGrad { epsilon: epsilon(r)?, feature_index: r.int("feature_index")? }
        }
        "stablehlo.batch_norm_inference" => {
            Op::BatchNormInference { epsilon: epsilon(r)?, feature_index: r.int("feature_index")? }
        }
        "stablehlo.batch_norm_training" => {
            Op::BatchNormTraining { epsilon: epsilon(r)?, feature_index: r.int("feature_index")? }
        }
        "stablehlo.sort" => Op::Sort { dim: r.int_or("dimension", -1)?, stable: r.flag("is_stable")? },
        "chlo.top_k" => Op::TopK { k: r.int("k")?, stable: r.opt_bool("is_stable")? },
        "chlo.scan" => scan(r)?,
        "stablehlo.cholesky" => Op::Cholesky { lower: r.flag("lower")? },
        "stablehlo.triangular_solve" => Op::TriangularSolve {
            left_side: r.bool("left_side")?,
            lower: r.bool("lower")?,
            unit_diagonal: r.bool("unit_diagonal")?,
            transpose: r.keyword("transpose_a")?,
        },
        "stablehlo.fft" => Op::Fft { ty: r.keyword("fft_type")?, length: r.ints("fft_length")? },
        _ => return Ok(None),
    }))
}

fn convolution(r: &mut Reader, has_padding: bool) -> Result<Box<ConvAttrs>> {
    Ok(Box::new(ConvAttrs {
        window_strides: r.ints_or_empty("window_strides")?,
        padding: if has_padding { r.opt_pairs("padding")?.unwrap_or_default() } else { Vec::new() },
        lhs_dilation: r.ints_or_empty("lhs_dilation")?,
        rhs_dilation: r.ints_or_empty("rhs_dilation")?,
        window_reversal: r.bools_or_empty("window_reversal")?,
        dims: r.hlo("dimension_numbers", "#stablehlo.conv<…>", |h| match h {
            HloAttr::Conv(dims) => Some(dims.clone()),
            _ => None,
        })?,
        feature_group_count: r.int("feature_group_count")?,
        batch_group_count: r.int("batch_group_count")?,
        precision: r.precision()?,
    }))
}

fn epsilon(r: &mut Reader) -> Result<f32> {
    Ok(r.float("epsilon")? as f32)
}

/// The segment sizes say how many of the operands are inputs and how many are initial values; the
/// results divide in outputs and as many carries.
fn scan(r: &mut Reader) -> Result<Op> {
    let sizes = r.ints("operandSegmentSizes")?;
    let results = r.opt_ints("resultSegmentSizes")?;
    let total = |sizes: &[i64]| sizes.iter().try_fold(0i64, |n, &s| n.checked_add(s));
    let num_inits = match sizes[..] {
        [inputs, inits] if inputs >= 0 && inits >= 0 && total(&sizes) == Some(r.operands.len() as i64) => {
            inits
        }
        _ => {
            return Err(crate::Diagnostic::invalid(format!(
                "chlo.scan: `operandSegmentSizes` must be the numbers of inputs and of initial values, {} together",
                r.operands.len()
            )));
        }
    };
    if let Some(results) = results
        && (results.len() != 2 || results[1] != num_inits || total(&results) != Some(r.results.len() as i64))
    {
        return Err(crate::Diagnostic::invalid(format!(
            "chlo.scan: `resultSegmentSizes` must be the numbers of outputs and of carries ({num_inits}), {} together",
            r.results.len()
        )));
    }
    Ok(Op::Scan {
        dim: r.int("dimension")?,
        num_inits: num_inits as usize,
        reverse: r.flag("is_reverse")?,
        associative: r.opt_bool("is_associative")?,
    })
}

pub(super) fn write(op: &Op, operands: usize, results: usize, w: &mut Writer) -> bool {
    match op {
        Op::DotGeneral { dims, precision, algorithm } => {
            if let Some(algorithm) = algorithm {
                w.hlo("algorithm", HloAttr::DotAlgorithm(algorithm.clone()));
            }
            w.hlo("dot_dimension_numbers", HloAttr::Dot(dims.clone()));
            w.precision(precision);
        }
        Op::Dot { precision } => w.precision(precision),
        Op::Einsum { config } | Op::UnaryEinsum { config } => w.string("einsum_config", config),
        Op::Convolution(conv) | Op::DynamicConv(conv) => write_convolution(conv, w),
        Op::RaggedDot { dims, precision } => {
            w.precision(precision);
            w.hlo("ragged_dot_dimension_numbers", HloAttr::RaggedDot(dims.clone()));
        }
        Op::Reduce { dims } => w.ints("dimensions", dims),
        Op::ReduceWindow(window) => {
            w.ints_unless_empty("base_dilations", &window.base_dilations);
            w.pairs_unless_empty("padding", &window.padding);
            w.ints_unless_empty("window_dilations", &window.window_dilations);
            w.ints("window_dimensions", &window.dimensions);
            w.ints_unless_empty("window_strides", &window.strides);
        }
        Op::SelectAndScatter(window) => {
            w.pairs_unless_empty("padding", &window.padding);
            w.ints_unless_empty("window_dimensions", &window.dimensions);
            w.ints_unless_empty("window_strides", &window.strides);
        }
        Op::BatchNormGrad { epsilon, feature_index }
        | Op::BatchNormInference { epsilon, feature_index }
        | Op::BatchNormTraining { epsilon, feature_index } => {
            w.put("epsilon", Attr::Float(f64::from(*epsilon), ElementType::F32));
            w.i64("feature_index", *feature_index);
        }
        Op::Sort { dim, stable } => {
            w.i64("dimension", *dim);
            w.bool("is_stable", *stable);
        }
        Op::TopK { k, stable } => {
            w.opt_bool("is_stable", *stable);
            w.i64("k", *k);
        }
        Op::Scan { dim, num_inits, reverse, associative } => {
            w.i64("dimension", *dim);
            w.opt_bool("is_associative", *associative);
            w.bool("is_reverse", *reverse);
            for (key, count) in [("operandSegmentSizes", operands), ("resultSegmentSizes", results)] {
                let sizes = [count.saturating_sub(*num_inits) as i64, *num_inits as i64];
                w.put(key, Attr::DenseArray(ElementType::S32, sizes.into()));
            }
        }
        Op::Cholesky { lower } => w.bool("lower", *lower),
        Op::TriangularSolve { left_side, lower, unit_diagonal, transpose } => {
            w.bool("left_side", *left_side);
            w.bool("lower", *lower);
            w.keyword("transpose_a", *transpose);
            w.bool("unit_diagonal", *unit_diagonal);
        }
        Op::Fft { ty, length } => {
            w.ints("fft_length", length);
            w.keyword("fft_type", *ty);
        }
        _ => return false,
    }
    true
}

fn write_convolution(conv: &ConvAttrs, w: &mut Writer) {
    w.i64("batch_group_count", conv.batch_group_count);
    w.hlo("dimension_numbers", HloAttr::Conv(conv.dims.clone()));
    w.i64("feature_group_count", conv.feature_group_count);
    w.ints_unless_empty("lhs_dilation", &conv.lhs_dilation);
    w.pairs_unless_empty("padding", &conv.padding);
    w.precision(&conv.precision);
    w.ints_unless_empty("rhs_dilation", &conv.rhs_dilation);
    if !conv.window_reversal.is_empty() {
        let bools = conv.window_reversal.iter().map(|&b| i64::from(b)).collect();
        w.put("window_reversal", Attr::DenseArray(ElementType::Pred, bools));
    }
    w.ints_unless_empty("window_strides", &conv.window_strides);
}
