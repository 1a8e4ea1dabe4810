//! Batch normalization: inference, training, gradient. A feature vector has the size of the
//! operand's feature dimension.

use super::dims::{axis, show, with_dims};
use super::elementwise::same_dims;
use super::sig::{Inferred, Kinds, Sig, rule};
use crate::diag::Result;
use crate::types::{Dim, TensorType};

const KINDS: Kinds = Kinds::FLOAT.or(Kinds::QUANT);

/// The feature vectors `(operand number, name, rule of its size)`; returns the feature dimension.
fn features(s: &Sig, x: &TensorType, feature_index: i64, vectors: &[(usize, &str, &str)]) -> Result<Dim> {
    let at = axis(feature_index, x, "C1", "feature_index", "operand")?;
    let features = x.dims[at];
    for &(i, name, size) in vectors {
        let v = s.tensor(i, name, KINDS)?;
        rule!(v.rank() == 1, format_args!("I{}", i + 1), "{name} must be 1-dimensional, got {v}");
        rule!(
            super::dims::same_element(v, x),
            "C2",
            "{name} must have the element type of operand, got {v} and {x}"
        );
        rule!(
            v.dims[0].compatible(features),
            size,
            "{name} has size {}, but operand has {} features",
            show(v.dims[0]),
            show(features)
        );
    }
    Ok(features)
}

pub(super) fn inference(s: &Sig, feature_index: i64) -> Result<Inferred> {
    s.plain(5)?;
    let x = s.tensor(0, "operand", KINDS)?;
    let vectors = [(1, "scale", "C3"), (2, "offset", "C4"), (3, "mean", "C5"), (4, "variance", "C6")];
    features(s, x, feature_index, &vectors)?;
    Inferred::one(x.clone(), "C7")
}

pub(super) fn training(s: &Sig, feature_index: i64) -> Result<Inferred> {
    s.operand_count(3)?;
    s.region_count(0)?;
    let x = s.tensor(0, "operand", KINDS)?;
    let n = features(s, x, feature_index, &[(1, "scale", "C3"), (2, "offset", "C4")])?;
    let vector = with_dims(x, [n]);
    Inferred::many([x.clone().into(), vector.clone().into(), vector.into()], "C7")
}

pub(super) fn grad(s: &Sig, feature_index: i64) -> Result<Inferred> {
    s.operand_count(5)?;
    s.region_count(0)?;
    let x = s.tensor(0, "operand", KINDS)?;
    let vectors = [(1, "scale", "C5"), (2, "mean", "C4"), (3, "variance", "C4")];
    let n = features(s, x, feature_index, &vectors)?;
    let g = s.tensor(4, "grad_output", KINDS)?;
    rule!(
        super::dims::same_element(g, x),
        "C2",
        "grad_output must have the element type of operand, got {g} and {x}"
    );
    same_dims(x, g, "C3", "operand", "grad_output")?;
    let vector = with_dims(x, [n]);
    Inferred::many([x.clone().into(), vector.clone().into(), vector.into()], "C3")
}
