//! CHLO beside the elementwise operations: implicit broadcasting, `constant_like`, `scan`.

use super::dims::{all_compatible, axis, in_range, most_specific, same_element, show, sized, with_dims};
use super::elementwise::{binary_element, binary_kinds, compare_type};
use super::sig::{Inferred, Kinds, Sig, broken, rule};
use crate::diag::Result;
use crate::dtype::ElementType;
use crate::ir::attr::Attr;
use crate::ir::op::{Binary, CompareType};
use crate::types::{Dim, Dims, TensorType, Type};

pub(super) fn constant_like(s: &Sig, value: &Attr) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::PLAIN)?;
    let element = match value {
        Attr::Int(_, e) | Attr::Float(_, e) => *e,
        Attr::Bool(_) => ElementType::Pred,
        _ => x.element,
    };
    Inferred::one(x.with_element(element), "constant_like")
}

/// One dimension of a broadcast: equal, or 1 gives way. An unknown size may turn out to be 1.
fn broadcast_dim(a: Dim, b: Dim) -> Option<Dim> {
    match (a, b) {
        (Dim::Static(1), d) | (d, Dim::Static(1)) => Some(d),
        _ if !a.compatible(b) => None,
        (Dim::Static(n), _) | (_, Dim::Static(n)) => Some(Dim::Static(n)),
        (Dim::Bounded(a), Dim::Bounded(b)) => Some(Dim::Bounded(a.max(b))),
        _ => Some(Dim::Dynamic),
    }
}

/// The shape both broadcast to: aligned at the end, or as `broadcast_dimensions` says where the
/// dimensions of the smaller operand go.
fn broadcast_shape(a: &TensorType, b: &TensorType, dims: Option<&[i64]>) -> Result<Dims> {
    let label = "broadcast_dimensions";
    let (small, large) = if a.rank() <= b.rank() { (a, b) } else { (b, a) };
    let offset = large.rank() - small.rank();
    let default: Vec<i64> = (offset..large.rank()).map(|i| i as i64).collect();
    let dims = dims.unwrap_or(&default);
    sized(dims.len(), small.rank(), label, label, "the rank of the smaller operand")?;
    in_range(dims, large.rank(), label, label, "the larger operand")?;
    rule!(dims.windows(2).all(|w| w[0] < w[1]), label, "must be strictly ascending, got {dims:?}");
    let mut out = large.dims.clone();
    for (i, &d) in dims.iter().enumerate() {
        let at = d as usize;
        let Some(both) = broadcast_dim(small.dims[i], out[at]) else {
            return Err(broken(
                label,
                format_args!(
                    "dimension {at}: sizes {} and {} do not broadcast",
                    show(small.dims[i]),
                    show(out[at])
                ),
            ));
        };
        out[at] = both;
    }
    Ok(out)
}

pub(super) fn broadcast_binary(s: &Sig, op: Binary, dims: Option<&[i64]>) -> Result<Inferred> {
    s.plain(2)?;
    let (lhs, rhs) = (s.tensor(0, "lhs", binary_kinds(op))?, s.tensor(1, "rhs", binary_kinds(op))?);
    rule!(same_element(lhs, rhs), "C1", "lhs and rhs must have the same element type, got {lhs} and {rhs}");
    let shape = broadcast_shape(lhs, rhs, dims)?;
    let element = binary_element(op, lhs)?;
    let out = with_dims(lhs, shape);
    Inferred::one(if element == lhs.element { out } else { out.with_element(element) }, "C1")
}

pub(super) fn broadcast_compare(s: &Sig, ty: CompareType, dims: Option<&[i64]>) -> Result<Inferred> {
    s.plain(2)?;
    let (lhs, rhs) = (s.tensor(0, "lhs", Kinds::TENSOR)?, s.tensor(1, "rhs", Kinds::TENSOR)?);
    rule!(same_element(lhs, rhs), "C1", "lhs and rhs must have the same element type, got {lhs} and {rhs}");
    if lhs.quant.is_none() {
        compare_type(lhs.element, ty)?;
    }
    let shape = broadcast_shape(lhs, rhs, dims)?;
    Inferred::one(TensorType::new(ElementType::Pred, shape), "C2")
}

pub(super) fn broadcast_select(s: &Sig) -> Result<Inferred> {
    s.plain(3)?;
    let pred = s.tensor(0, "pred", Kinds::PRED)?;
    let (t, f) = (s.tensor(1, "on_true", Kinds::ANY)?, s.tensor(2, "on_false", Kinds::ANY)?);
    rule!(same_element(t, f), "C2", "on_true and on_false must have the same element type, got {t} and {f}");
    let values = with_dims(t, broadcast_shape(t, f, None)?);
    let shape = broadcast_shape(&values, pred, None)?;
    Inferred::one(with_dims(t, shape), "C2")
}

/// Inputs lose the scanned dimension on the way into the body; outputs get it on the way out.
pub(super) fn scan(s: &Sig, dim: i64, num_inits: usize) -> Result<Inferred> {
    s.region_count(1)?;
    let label = "scan";
    rule!(num_inits <= s.operands.len(), label, "{num_inits} inits, but {} operands", s.operands.len());
    let n = s.operands.len() - num_inits;
    let inputs = s.tensors(0..n, 1, "inputs", Kinds::ANY)?;
    let body = s.region(0)?;
    let mut length = None;
    let mut args: Vec<Type> = Vec::new();
    for x in &inputs {
        let at = axis(dim, x, label, "dimension", "an input")?;
        let d = x.dims[at];
        let known = *length.get_or_insert(d);
        rule!(
            known.compatible(d),
            label,
            "inputs have lengths {} and {} along dimension {dim}",
            show(known),
            show(d)
        );
        length = Some(most_specific(known, d));
        let slice = x.dims.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, &d)| d);
        args.push(with_dims(x, slice).into());
    }
    args.extend(s.operands[n..].iter().cloned());
    rule!(
        all_compatible(&args, &body.args),
        label,
        "the body must take a slice of each input and each init, but takes {}",
        super::control::show_types(&body.args)
    );
    rule!(
        body.results.len() >= num_inits,
        label,
        "the body must return {num_inits} carries, it returns {} values",
        body.results.len()
    );
    let outputs = body.results.len() - num_inits;
    rule!(n + outputs > 0, label, "at least one input or output is needed");
    let mut types = Vec::new();
    for (i, ty) in body.results.iter().enumerate() {
        let Some(t) = ty.as_tensor() else {
            return Err(broken(label, format_args!("the body must return tensors, got {ty}")));
        };
        if i < outputs {
            let at = usize::try_from(dim).ok().filter(|&d| d <= t.rank());
            rule!(at.is_some(), label, "dimension {dim} is not one of output {i}, slices of which are {t}");
            let mut dims = t.dims.clone();
            // `scan_dim_size` is not modelled: without inputs the declared length stands.
            dims.insert(at.unwrap_or(0), length.unwrap_or(Dim::Dynamic));
            types.push(with_dims(t, dims).into());
        } else {
            rule!(
                super::compatible(ty, &s.operands[n + i - outputs]),
                label,
                "carry {} of the body is {ty}, but its init is {}",
                i - outputs,
                s.operands[n + i - outputs]
            );
            types.push(ty.clone());
        }
    }
    Inferred::many(types, "scan")
}
