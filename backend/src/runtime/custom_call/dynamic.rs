//! Operations whose attributes are operands (`stablehlo.dynamic_…`: JAX's shape polymorphism writes
//! them), assertions about shapes, and XLA's changes between bounded and static shapes.

use super::Call;
use crate::runtime::Value;
use crate::runtime::frame::Frame;
use crate::runtime::ops::index_scalar;
use sim_core::ir::Attr;
use sim_core::ir::op::{HloAttr, RngAlgorithm, Window};
use sim_core::{Diagnostic, ElementType, Result, Tensor};
use tensorcore::vpu::{rng, window};

pub(super) const TARGETS: &[&str] = &[
    "shape_assertion",
    "stablehlo.dynamic_reduce_window",
    "stablehlo.dynamic_rng_bit_generator",
    "PadToStatic",
    "PadRealToStatic",
    "SliceToDynamic",
];

pub(super) fn call(c: &Call, operands: &[Value]) -> Result<Option<Vec<Value>>> {
    Ok(Some(match c.target() {
        "shape_assertion" => assertion(c, operands)?,
        "stablehlo.dynamic_reduce_window" => reduce_window(c, operands)?,
        "stablehlo.dynamic_rng_bit_generator" => random_bits(c, operands)?,
        "PadToStatic" | "PadRealToStatic" => pad_to_static(c, operands)?,
        "SliceToDynamic" => slice_to_dynamic(c, operands)?,
        _ => return Ok(None),
    }))
}

fn integers(c: &Call, t: &Tensor) -> Result<Vec<i64>> {
    if !t.element().is_integer() {
        return Err(c.invalid(format_args!("a shape must hold integers, not {}", t.element())));
    }
    Ok(t.to_i64s())
}

/// `i1`, then the integers that the message names `{0}`, `{1}`, ….
fn assertion(c: &Call, operands: &[Value]) -> Result<Vec<Value>> {
    let tensors = operands.iter().map(Value::as_tensor).collect::<Result<Vec<_>>>()?;
    let Some((holds, numbers)) = tensors.split_first() else {
        return Err(c.invalid("it needs an operand that says whether it holds"));
    };
    match holds.bytes() {
        [0] if holds.element() == ElementType::Pred => {}
        [_] if holds.element() == ElementType::Pred => return Ok(Vec::new()),
        _ => return Err(c.invalid(format_args!("its first operand must be a scalar i1, not {}", holds.ty()))),
    }
    let mut message =
        c.attr("error_message").and_then(Attr::as_str).unwrap_or("a shape assertion").to_owned();
    for (i, n) in numbers.iter().enumerate() {
        message = message.replace(&format!("{{{i}}}"), &index_scalar(n)?.to_string());
    }
    Err(Diagnostic::check_failed(message))
}

/// Operands and initial values, as many of each, then the window's sizes, strides, base and window
/// dilations, and the padding as rows of (low, high). The body is a called computation.
fn reduce_window(c: &Call, operands: &[Value]) -> Result<Vec<Value>> {
    let tensors = operands.iter().map(Value::as_tensor).collect::<Result<Vec<_>>>()?;
    let count = tensors.len().saturating_sub(5);
    if count == 0 || count % 2 != 0 {
        return Err(
            c.invalid(format_args!("{} operands are not pairs and five of the window", tensors.len()))
        );
    }
    let (data, shape) = tensors.split_at(count);
    let (inputs, inits) = data.split_at(count / 2);
    let list = |i: usize| integers(c, shape[i]);
    let (dimensions, strides, base_dilations, window_dilations) = (list(0)?, list(1)?, list(2)?, list(3)?);
    let padding: Vec<(i64, i64)> = list(4)?.chunks_exact(2).map(|p| (p[0], p[1])).collect();
    let rank = inputs[0].rank();
    let lengths =
        [dimensions.len(), strides.len(), base_dilations.len(), window_dilations.len(), padding.len()];
    if lengths != [rank; 5] {
        return Err(c.invalid(format_args!("a window of ranks {lengths:?} for operands of rank {rank}")));
    }
    let positive = [&dimensions, &strides, &base_dilations, &window_dilations];
    if positive.iter().any(|l| l.iter().any(|&n| n < 1)) {
        return Err(c.invalid(format_args!(
            "window {dimensions:?}, strides {strides:?}, dilations {base_dilations:?} and {window_dilations:?} \
             must be positive"
        )));
    }
    let w = Window { dimensions, strides, base_dilations, window_dilations, padding };
    let (f, region) = c.computation()?;
    let body = c.process.region_fn(f, region, &Frame::new(&f.function, 0))?;
    let out = window::reduce_window(c.ctx(), inputs, inits, &w, &body)?;
    body.finish()?;
    c.results(out)
}

fn random_bits(c: &Call, operands: &[Value]) -> Result<Vec<Value>> {
    let [state, shape] = c.tensors(operands)?;
    let algorithm = match c.attr("rng_algorithm") {
        Some(Attr::Hlo(h)) => match **h {
            HloAttr::RngAlgorithm(a) => a,
            _ => return Err(c.invalid("rng_algorithm is another attribute")),
        },
        _ => RngAlgorithm::Default,
    };
    let sizes: Vec<usize> = integers(c, shape)?
        .into_iter()
        .map(|n| usize::try_from(n).map_err(|_| c.invalid(format_args!("a negative size {n}"))))
        .collect::<Result<_>>()?;
    let declared = c.declared()?;
    let [_, bits] = declared[..] else { return Err(c.invalid("it gives a state and bits")) };
    let (state, bits) = rng::rng_bit_generator(c.ctx(), algorithm, state, bits.element, &sizes)?;
    c.results(vec![state, bits])
}

/// A value whose shape is bounded becomes one of the bounds' shape; its sizes are the other results.
fn pad_to_static(c: &Call, operands: &[Value]) -> Result<Vec<Value>> {
    let [x] = c.tensors(operands)?;
    let declared = c.declared()?;
    let shape = declared
        .first()
        .and_then(|t| t.static_dims())
        .filter(|s| s.len() == x.rank() && s.iter().zip(x.shape()).all(|(to, from)| from <= to))
        .ok_or_else(|| c.invalid(format_args!("it cannot pad {}", x.ty())))?;
    let mut zero = c.ctx().alloc_zeroed(x.element(), &[])?;
    zero.bytes_mut().fill(0);
    let high: Vec<i64> = shape.iter().zip(x.shape()).map(|(&to, &from)| (to - from) as i64).collect();
    let none = vec![0; high.len()];
    let mut out = vec![hbm::pad(c.ctx(), x, &zero, &none, &high, &none)?];
    out.extend(x.shape().iter().map(|&n| Tensor::scalar(n as i32)));
    c.results(out)
}

/// The inverse: a value and its sizes, one scalar each.
fn slice_to_dynamic(c: &Call, operands: &[Value]) -> Result<Vec<Value>> {
    let tensors = operands.iter().map(Value::as_tensor).collect::<Result<Vec<_>>>()?;
    let Some((x, sizes)) = tensors.split_first() else {
        return Err(c.invalid("it needs a value and its sizes"));
    };
    let sizes: Vec<i64> = sizes.iter().map(|t| index_scalar(t)).collect::<Result<_>>()?;
    let fits =
        sizes.len() == x.rank() && sizes.iter().zip(x.shape()).all(|(&n, &d)| (0..=d as i64).contains(&n));
    if !fits {
        return Err(c.invalid(format_args!("sizes {sizes:?} of a value of type {}", x.ty())));
    }
    let (start, step) = (vec![0; x.rank()], vec![1; x.rank()]);
    c.results(vec![hbm::slice(c.ctx(), x, &start, &sizes, &step)?])
}
