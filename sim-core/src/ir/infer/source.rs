//! Operations that make values out of attributes: constants, iota, process ids, random bits.

use super::dims::axis;
use super::elementwise::same_dims;
use super::sig::{Inferred, Kinds, Sig, broken, rule};
use crate::diag::Result;
use crate::dtype::ElementType;
use crate::ir::attr::Dense;
use crate::ir::op::{RngAlgorithm, RngDistribution};
use crate::types::{Dim, TensorType};

pub(super) fn constant(s: &Sig, value: &Dense) -> Result<Inferred> {
    s.plain(0)?;
    dense(value)?;
    // The elements of a quantized constant may be written as those of its storage type.
    if let (Some(out), Some(t)) = (s.result(0, "output", Kinds::ANY)?, value.ty.as_tensor())
        && out.quant.is_some()
        && t.quant.is_none()
        && t.element == out.element
        && super::dims::same_shape(t, out)
    {
        return Ok(Inferred::Declared);
    }
    Inferred::one(value.ty.clone(), "C1")
}

/// The elements of a constant fit its type.
pub(super) fn dense(value: &Dense) -> Result<()> {
    let Some(t) = value.ty.as_tensor() else {
        return Err(broken("C1", format_args!("a constant must be a tensor, got {}", value.ty)));
    };
    let fits = if value.splat {
        value.value.len() == 1
    } else {
        t.static_dims().is_some_and(|d| d[..] == *value.value.shape())
    };
    rule!(t.is_static(), "C1", "a constant must have a static shape, got {t}");
    rule!(
        fits && t.element == value.value.element(),
        "C1",
        "the value has {} elements of {}, which do not fit {t}",
        value.value.len(),
        value.value.element()
    );
    Ok(())
}

const NUMBERS: Kinds = Kinds::INT.or(Kinds::FP).or(Kinds::QUANT);

pub(super) fn iota(s: &Sig, dim: i64) -> Result<Inferred> {
    s.plain(0)?;
    if let Some(out) = s.result(0, "output", NUMBERS)? {
        axis(dim, out, "C1", "iota_dimension", "output")?;
        rule!(
            out.dims.iter().all(|d| *d != Dim::Dynamic),
            "C1",
            "output must have a static shape, got {out}; dynamic_iota takes its shape from an operand"
        );
    }
    Ok(Inferred::Declared)
}

/// `partition_id`, `replica_id`
pub(super) fn id(s: &Sig) -> Result<Inferred> {
    s.plain(0)?;
    Inferred::one(TensorType::scalar(ElementType::U32), "O1")
}

pub(super) fn rng(s: &Sig, distribution: RngDistribution) -> Result<Inferred> {
    s.plain(3)?;
    let kinds = Kinds::PRED_INT.or(Kinds::FLOAT);
    let (a, b) = (s.scalar(0, "a", kinds)?, s.scalar(1, "b", kinds)?);
    rule!(a.element == b.element, "C1", "a and b must have the same element type, got {a} and {b}");
    rule!(
        distribution == RngDistribution::Uniform || a.element.is_float(),
        "C2",
        "the normal distribution needs floating-point parameters, got {a}"
    );
    let (_, n) = s.index_vector(2, "shape")?;
    let dims = match (s.constant)(2) {
        Some(shape) => {
            rule!(shape.iter().all(|&d| d >= 0), "C3", "shape must not be negative, got {shape:?}");
            super::dims::static_dims(&shape)
        }
        None => std::iter::repeat_n(Dim::Dynamic, usize::try_from(n).unwrap_or(0).min(64)).collect(),
    };
    Inferred::one(TensorType::new(a.element, dims), "C3")
}

pub(super) fn rng_bit_generator(s: &Sig, algorithm: RngAlgorithm) -> Result<Inferred> {
    s.operand_count(1)?;
    s.result_count(2)?;
    s.region_count(0)?;
    let state = s.tensor(0, "initial_state", Kinds::INT.or(Kinds::FLOAT))?;
    // The specification wants a vector and gives its size in words of 64 bits; producers also pass
    // words of 32, and the reference takes any shape.
    let words = match state.dims[..] {
        [Dim::Static(n)] => Some(n.saturating_mul(i64::from(state.element.bits())) / 64),
        _ => None,
    };
    let fits = match (algorithm, words) {
        (RngAlgorithm::Default, _) | (_, None) => true,
        (RngAlgorithm::ThreeFry, Some(n)) => n == 2,
        (RngAlgorithm::Philox, Some(n)) => n == 2 || n == 3,
    };
    rule!(fits, "C2", "an initial_state of {state} does not fit algorithm {algorithm:?}");
    if let Some(out) = s.result(0, "output_state", Kinds::INT.or(Kinds::FLOAT))? {
        rule!(out.element == state.element, "C1", "initial_state and output_state differ: {state} and {out}");
        same_dims(state, out, "C1", "initial_state", "output_state")?;
    }
    s.result(1, "output", Kinds::INT.or(Kinds::FLOAT))?;
    Ok(Inferred::Declared)
}
