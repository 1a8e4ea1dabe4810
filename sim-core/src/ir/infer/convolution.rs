//! `convolution` and `dynamic_conv` (the same with its padding as an operand).

use super::contraction::{divided, precision_config};
use super::dims::{in_range, show, unique};
use super::quant;
use super::sig::{Inferred, Kinds, Sig, broken, rule};
use super::window::{WindowDim, padding_list, positive_list};
use crate::diag::Result;
use crate::ir::op::ConvAttrs;
use crate::types::{Dim, Dims, TensorType};

pub(super) fn convolution(s: &Sig, a: &ConvAttrs) -> Result<Inferred> {
    s.plain(2)?;
    let (lhs, rhs) = (s.tensor(0, "lhs", Kinds::TENSOR)?, s.tensor(1, "rhs", Kinds::ANY)?);
    let spatial = check(lhs, rhs, a, false)?;
    let padding = padding_list(&a.padding, spatial, "C4")?;
    finish(s, lhs, rhs, a, Some(&padding))
}

pub(super) fn dynamic_conv(s: &Sig, a: &ConvAttrs) -> Result<Inferred> {
    s.plain(3)?;
    let (lhs, rhs) = (s.tensor(0, "lhs", Kinds::TENSOR)?, s.tensor(1, "rhs", Kinds::ANY)?);
    let padding = s.tensor(2, "padding", Kinds::INT)?;
    let known = (s.constant)(2);
    let spatial = check(lhs, rhs, a, known.is_none())?;
    rule!(
        padding.rank() == 2
            && padding.dims[0].compatible(Dim::Static(spatial as i64))
            && padding.dims[1].compatible(Dim::Static(2)),
        "C4",
        "padding must have shape {spatial}x2, got {padding}"
    );
    let known: Option<Vec<(i64, i64)>> = known.map(|v| v.chunks_exact(2).map(|p| (p[0], p[1])).collect());
    finish(s, lhs, rhs, a, known.as_deref().filter(|p| p.len() == spatial))
}

/// Every constraint but the result's. Returns the number of spatial dimensions.
///
/// `lenient`: more strides than dimensions are let through, as the reference does while the padding
/// is unknown (JAX wrote such programs); those beyond are ignored.
fn check(lhs: &TensorType, rhs: &TensorType, a: &ConvAttrs, lenient: bool) -> Result<usize> {
    let n = lhs.rank();
    rule!(n == rhs.rank(), "C1", "lhs and rhs must have the same rank, got {lhs} and {rhs}");
    rule!(n >= 2, "C1", "lhs must have batch and feature dimensions, got {lhs}");
    let spatial = n - 2;
    let strides = match a.window_strides.len() {
        n if lenient && n > spatial => &a.window_strides[..spatial],
        _ => &a.window_strides[..],
    };
    positive_list(strides, spatial, ["C2", "C3"], "window_strides")?;
    positive_list(&a.lhs_dilation, spatial, ["C5", "C6"], "lhs_dilation")?;
    positive_list(&a.rhs_dilation, spatial, ["C7", "C8"], "rhs_dilation")?;
    rule!(
        a.window_reversal.is_empty() || a.window_reversal.len() == spatial,
        "C9",
        "window_reversal has {} elements, expected {spatial}",
        a.window_reversal.len()
    );
    let d = &a.dims;
    let roles = [
        ("input", "C12", "C13", d.input_batch, d.input_feature, &d.input_spatial),
        ("kernel", "C17", "C18", d.kernel_input_feature, d.kernel_output_feature, &d.kernel_spatial),
        ("output", "C19", "C20", d.output_batch, d.output_feature, &d.output_spatial),
    ];
    for (name, size, range, first, second, dims) in roles {
        rule!(
            dims.len() == spatial,
            size,
            "{name}_spatial_dimensions has {} elements, expected {spatial}",
            dims.len()
        );
        let all: Vec<i64> = [first, second].iter().chain(dims).copied().collect();
        unique(&all, range, &format!("{name} dimensions"))?;
        in_range(&all, n, range, &format!("{name} dimensions"), "lhs")?;
    }
    rule!(
        a.feature_group_count > 0,
        "C21",
        "feature_group_count must be positive, got {}",
        a.feature_group_count
    );
    rule!(a.batch_group_count > 0, "C22", "batch_group_count must be positive, got {}", a.batch_group_count);
    rule!(
        a.feature_group_count == 1 || a.batch_group_count == 1,
        "C23",
        "feature_group_count {} and batch_group_count {} exclude each other",
        a.feature_group_count,
        a.batch_group_count
    );
    precision_config(&a.precision, "C24")?;

    let divides = |t: &TensorType, dim: i64, by: i64, label: &str, what: &str| -> Result<()> {
        if let Dim::Static(size) = t.dims[dim as usize] {
            rule!(size % by == 0, label, "{what} has size {size}, which {by} does not divide");
        }
        Ok(())
    };
    divides(lhs, d.input_batch, a.batch_group_count, "C10", "the batch dimension of lhs")?;
    divides(lhs, d.input_feature, a.feature_group_count, "C11", "the feature dimension of lhs")?;
    let in_features = divided(lhs.dims[d.input_feature as usize], a.feature_group_count);
    let kernel_features = rhs.dims[d.kernel_input_feature as usize];
    rule!(
        in_features.compatible(kernel_features),
        "C14",
        "the kernel has {} input features, lhs has {} a group",
        show(kernel_features),
        show(in_features)
    );
    let out = "the output feature dimension of rhs";
    divides(rhs, d.kernel_output_feature, a.batch_group_count, "C15", out)?;
    divides(rhs, d.kernel_output_feature, a.feature_group_count, "C16", out)?;
    Ok(spatial)
}

/// (C25) to (C34): the result. Without known padding, spatial sizes are unknown.
fn finish(
    s: &Sig,
    lhs: &TensorType,
    rhs: &TensorType,
    a: &ConvAttrs,
    padding: Option<&[(i64, i64)]>,
) -> Result<Inferred> {
    let d = &a.dims;
    let mut dims: Dims = lhs.dims.iter().map(|_| Dim::Dynamic).collect();
    dims[d.output_batch as usize] = divided(lhs.dims[d.input_batch as usize], a.batch_group_count);
    dims[d.output_feature as usize] = rhs.dims[d.kernel_output_feature as usize];
    if let Some(padding) = padding {
        let one = |list: &[i64], i: usize| list.get(i).copied().unwrap_or(1);
        for i in 0..d.output_spatial.len() {
            let Dim::Static(size) = rhs.dims[d.kernel_spatial[i] as usize] else { continue };
            let window = WindowDim {
                size,
                stride: one(&a.window_strides, i),
                padding: padding[i],
                base_dilation: one(&a.lhs_dilation, i),
                window_dilation: one(&a.rhs_dilation, i),
            };
            let Some(count) = window.count(lhs.dims[d.input_spatial[i] as usize]) else {
                return Err(broken(
                    "C25",
                    format_args!("the padded size of spatial dimension {i} is too large"),
                ));
            };
            dims[d.output_spatial[i] as usize] = count;
        }
    }
    let out = s.result(0, "result", Kinds::ANY)?;
    if lhs.quant.is_some() || rhs.quant.is_some() || out.is_some_and(|t| t.quant.is_some()) {
        quant::contraction(lhs, rhs, out, ["C28", "C31", "C32", "C33", "C34"])?;
        let axis = |t: &TensorType| t.quant.as_ref().and_then(|q| q.axis);
        rule!(
            axis(rhs).is_none_or(|x| x == d.kernel_output_feature),
            "C29",
            "rhs must be quantized along its output feature dimension {}, got {rhs}",
            d.kernel_output_feature
        );
        if let Some(out) = out {
            rule!(
                axis(out).is_none_or(|x| x == d.output_feature),
                "C30",
                "the result must be quantized along its feature dimension {}, got {out}",
                d.output_feature
            );
        }
    } else {
        super::contraction::elements(lhs, rhs, out, "C27")?;
    }
    super::contraction::shaped(s, lhs, dims, "C25")
}
