//! Reductions, whole or by windows, and the function that combines two values, which the
//! collectives and `scatter` use too.

use super::dims::{in_range, same_element, show, unique, with_dims};
use super::elementwise::same_dims;
use super::sig::{Inferred, Kinds, RegionSig, Sig, Tensors, broken, is_scalar_pred, region_scalar, rule};
use super::window::{WindowDim, padding_list, positive_list};
use crate::diag::Result;
use crate::dtype::Class;
use crate::ir::op::Window;
use crate::types::{Dim, Dims, TensorType};
use smallvec::SmallVec;

/// `is_promotable` of the specification, but for floats: producers let a reduction narrow them too.
fn promotable(from: &TensorType, to: &TensorType) -> bool {
    if let (Some(a), Some(b)) = (&from.quant, &to.quant) {
        return a.expressed == b.expressed && a.storage.bits() <= b.storage.bits();
    }
    if from.quant.is_some() || to.quant.is_some() {
        return false;
    }
    let whole = |c| matches!(c, Class::Pred | Class::Signed | Class::Unsigned);
    match (from.element.class(), to.element.class()) {
        (Class::Float, Class::Float) => true,
        (Class::Complex, Class::Complex) => from.element.bits() <= to.element.bits(),
        (a, b) if whole(a) && whole(b) => from.element.bits() <= to.element.bits(),
        _ => false,
    }
}

/// The function `(E0, …, E0, …) -> (E0, …)` of `inputs` with their initial values: all scalars, the
/// inputs promotable to what it returns. Returns its result types.
pub(super) fn reducer<'r>(
    body: &'r RegionSig,
    inputs: &[&TensorType],
    inits: &[&TensorType],
    label: &'static str,
    name: &str,
) -> Result<SmallVec<[&'r TensorType; 2]>> {
    let n = inputs.len();
    rule!(
        body.args.len() == 2 * n,
        label,
        "{name} must take {} arguments, it takes {}",
        2 * n,
        body.args.len()
    );
    rule!(body.results.len() == n, label, "{name} must return {n} values, it returns {}", body.results.len());
    let mut elements = SmallVec::new();
    for i in 0..n {
        let out = region_scalar(&body.results[i], label, &format!("result {i} of {name}"))?;
        for (k, exact) in [(i, true), (n + i, false)] {
            let arg = region_scalar(&body.args[k], label, &format!("argument {k} of {name}"))?;
            let floats = arg.element.is_float() && out.element.is_float();
            let same =
                same_element(arg, out) || (!exact && floats && arg.quant.is_none() && out.quant.is_none());
            rule!(same, label, "argument {k} of {name} is {arg}, but result {i} is {out}");
        }
        rule!(
            promotable(inits[i], out),
            label,
            "{} does not promote to result {i} of {name}, {out}",
            inits[i]
        );
        let arg = region_scalar(&body.args[n + i], label, "the argument")?;
        rule!(
            promotable(inputs[i], arg),
            label,
            "elements of {} do not promote to argument {} of {name}, {arg}",
            inputs[i],
            n + i
        );
        elements.push(out);
    }
    Ok(elements)
}

/// Inputs and their initial values: as many of each, of the same element types.
fn inputs_and_inits<'a>(
    s: &Sig<'a>,
    count: &str,
    shape: &str,
    element: &str,
) -> Result<(Tensors<'a>, Tensors<'a>)> {
    let n = s.operands.len() / 2;
    rule!(
        n > 0 && s.operands.len().is_multiple_of(2),
        count,
        "as many init_values as inputs are needed, got {} operands",
        s.operands.len()
    );
    if let Some(results) = s.results {
        rule!(results.len() == n, count, "{n} inputs give {n} results, got {}", results.len());
    }
    let inputs = s.tensors(0..n, 1, "inputs", Kinds::TENSOR)?;
    let inits = s.tensors(n..2 * n, 2, "init_values", Kinds::TENSOR)?;
    for k in 0..n {
        same_dims(inputs[0], inputs[k], shape, "inputs[0]", "the other inputs")?;
        rule!(inits[k].rank() == 0, "I2", "init_values[{k}] must be 0-dimensional, got {}", inits[k]);
        let floats = inputs[k].element.is_float() && inits[k].element.is_float();
        rule!(
            same_element(inputs[k], inits[k]) || floats,
            element,
            "inputs[{k}] and init_values[{k}] must have the same element type, got {} and {}",
            inputs[k],
            inits[k]
        );
    }
    Ok((inputs, inits))
}

pub(super) fn reduce(s: &Sig, dims: &[i64]) -> Result<Inferred> {
    s.region_count(1)?;
    let (inputs, inits) = inputs_and_inits(s, "C3", "C1", "C2")?;
    let rank = inputs[0].rank();
    in_range(dims, rank, "C4", "dimensions", "inputs[0]")?;
    unique(dims, "C5", "dimensions")?;
    let elements = reducer(s.region(0)?, &inputs, &inits, "C6", "body")?;
    let types = elements.iter().zip(&inputs).map(|(e, x)| {
        let kept = x.dims.iter().enumerate().filter(|(i, _)| !dims.contains(&(*i as i64)));
        with_dims(e, kept.map(|(_, &d)| d)).into()
    });
    Inferred::many(types, "C7")
}

/// The windows of every dimension, checked; `labels`: (size, positive) of dimensions, strides, base
/// dilations, window dilations, and the shape of padding.
fn windows(w: &Window, rank: usize, labels: &[[&str; 2]; 4], padding: &str) -> Result<Vec<WindowDim>> {
    rule!(
        w.dimensions.len() == rank,
        labels[0][0],
        "window_dimensions has {} elements, but the operand has rank {rank}",
        w.dimensions.len()
    );
    let size = positive_list(&w.dimensions, rank, labels[0], "window_dimensions")?;
    let stride = positive_list(&w.strides, rank, labels[1], "window_strides")?;
    let base = positive_list(&w.base_dilations, rank, labels[2], "base_dilations")?;
    let window = positive_list(&w.window_dilations, rank, labels[3], "window_dilations")?;
    let padding = padding_list(&w.padding, rank, padding)?;
    Ok((0..rank)
        .map(|i| WindowDim {
            size: size[i],
            stride: stride[i],
            padding: padding[i],
            base_dilation: base[i],
            window_dilation: window[i],
        })
        .collect())
}

/// How many windows there are in each dimension.
fn window_counts(dims: &[Dim], windows: &[WindowDim], label: &'static str) -> Result<Dims> {
    let mut out = Dims::new();
    for (i, (&d, w)) in dims.iter().zip(windows).enumerate() {
        let Some(count) = w.count(d) else {
            return Err(broken(label, format_args!("the padded size of dimension {i} is too large")));
        };
        out.push(count);
    }
    Ok(out)
}

pub(super) fn reduce_window(s: &Sig, w: &Window) -> Result<Inferred> {
    s.region_count(1)?;
    let (inputs, inits) = inputs_and_inits(s, "C1", "C2", "C3")?;
    let labels = [["C4", "C5"], ["C6", "C7"], ["C8", "C9"], ["C10", "C11"]];
    let windows = windows(w, inputs[0].rank(), &labels, "C12")?;
    let elements = reducer(s.region(0)?, &inputs, &inits, "C13", "body")?;
    let mut types = Vec::new();
    for (e, x) in elements.iter().zip(&inputs) {
        types.push(with_dims(e, window_counts(&x.dims, &windows, "C15")?).into());
    }
    Inferred::many(types, "C15")
}

pub(super) fn select_and_scatter(s: &Sig, w: &Window) -> Result<Inferred> {
    s.operand_count(3)?;
    s.result_count(1)?;
    s.region_count(2)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let source = s.tensor(1, "source", Kinds::TENSOR)?;
    let init = s.scalar(2, "init_value", Kinds::TENSOR)?;
    rule!(
        same_element(x, source),
        "C1",
        "operand and source must have the same element type, got {x} and {source}"
    );
    rule!(
        same_element(x, init),
        "C3",
        "operand and init_value must have the same element type, got {x} and {init}"
    );
    let labels = [["C4", "C5"], ["C6", "C7"], ["", ""], ["", ""]];
    let windows = windows(w, x.rank(), &labels, "C8")?;
    let counts = window_counts(&x.dims, &windows, "C2")?;
    rule!(source.rank() == counts.len(), "C2", "source must have the rank of operand, got {x} and {source}");
    for (i, (&want, &got)) in counts.iter().zip(&source.dims).enumerate() {
        rule!(
            want.compatible(got),
            "C2",
            "dimension {i} has {} windows, but source has size {}",
            show(want),
            show(got)
        );
    }
    let select = s.region(0)?;
    rule!(select.args.len() == 2, "C9", "select must take 2 arguments, it takes {}", select.args.len());
    for arg in &select.args {
        let arg = region_scalar(arg, "C9", "an argument of select")?;
        let floats = arg.element.is_float() && x.element.is_float();
        rule!(same_element(arg, x) || floats, "C9", "select compares {arg}, but operand is {x}");
    }
    rule!(matches!(&select.results[..], [t] if is_scalar_pred(t)), "C9", "select must return one tensor<i1>");
    let elements = reducer(s.region(1)?, &[x], &[init], "C10", "scatter")?;
    Inferred::one(with_dims(elements[0], x.dims.iter().copied()), "C11")
}

/// (C5) of `all_reduce` and its kin: one function of two scalars for every operand. Returns its element.
pub(super) fn collective_reducer<'r>(
    body: &'r RegionSig,
    operands: &[&TensorType],
    label: &'static str,
) -> Result<&'r TensorType> {
    rule!(!operands.is_empty(), label, "at least one operand is needed");
    let mut out = None;
    for x in operands {
        out = reducer(body, &[x], &[x], label, "the computation")?.first().copied();
    }
    out.ok_or_else(|| broken(label, format_args!("the computation must return a value")))
}
