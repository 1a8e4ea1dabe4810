//! Dimensions and types that may be partly unknown: when they agree, and what is known of both.

use super::sig::rule;
use crate::diag::Result;
use crate::types::{Dim, Dims, QuantType, TensorType, Type};

/// Nesting of tuples and futures beyond this is refused (the parser's limit is lower).
const MAX_NESTING: u32 = 64;

/// May a value of one type stand where the other is declared? Tensors by dimension and element,
/// tuples and futures part by part, everything else by equality.
pub fn compatible(a: &Type, b: &Type) -> bool {
    compatible_at(a, b, 0)
}

fn compatible_at(a: &Type, b: &Type, depth: u32) -> bool {
    match (a, b) {
        (Type::Tensor(a), Type::Tensor(b)) | (Type::Buffer(a), Type::Buffer(b)) => {
            std::sync::Arc::ptr_eq(a, b) || (same_shape(a, b) && same_element(a, b))
        }
        (Type::Tuple(a), Type::Tuple(b)) | (Type::Future(a), Type::Future(b)) => {
            depth < MAX_NESTING
                && a.len() == b.len()
                && a.iter().zip(b.iter()).all(|(a, b)| compatible_at(a, b, depth + 1))
        }
        _ => a == b,
    }
}

/// Pairwise [`compatible`].
pub(super) fn all_compatible(a: &[Type], b: &[Type]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b))
}

/// Equal ranks and compatible dimensions.
pub(super) fn same_shape(a: &TensorType, b: &TensorType) -> bool {
    a.rank() == b.rank() && a.dims.iter().zip(&b.dims).all(|(a, b)| a.compatible(*b))
}

/// The same element type; for quantized ones the same storage, range, expressed type and granularity
/// (the specification's baseline element type: scales and zero points may differ).
pub(super) fn same_element(a: &TensorType, b: &TensorType) -> bool {
    a.element == b.element
        && match (&a.quant, &b.quant) {
            (None, None) => true,
            (Some(a), Some(b)) => same_baseline(a, b),
            _ => false,
        }
}

fn same_baseline(a: &QuantType, b: &QuantType) -> bool {
    a.storage == b.storage
        && a.storage_min == b.storage_min
        && a.storage_max == b.storage_max
        && a.expressed == b.expressed
        && a.axis.is_some() == b.axis.is_some()
}

/// As [`same_element`], with equal scales and zero points as well (the axis may differ).
pub(super) fn same_element_exactly(a: &TensorType, b: &TensorType) -> bool {
    same_element(a, b)
        && match (&a.quant, &b.quant) {
            (Some(a), Some(b)) => a.scales == b.scales && a.zero_points == b.zero_points,
            _ => true,
        }
}

/// What is known of a dimension that is both. The two are compatible.
pub(super) fn most_specific(a: Dim, b: Dim) -> Dim {
    match (a, b) {
        (Dim::Static(n), _) | (_, Dim::Static(n)) => Dim::Static(n),
        (Dim::Bounded(a), Dim::Bounded(b)) => Dim::Bounded(a.min(b)),
        (Dim::Bounded(n), Dim::Dynamic) | (Dim::Dynamic, Dim::Bounded(n)) => Dim::Bounded(n),
        (Dim::Dynamic, Dim::Dynamic) => Dim::Dynamic,
    }
}

/// What is known of a dimension that is one or the other.
pub(super) fn least_specific(a: Dim, b: Dim) -> Dim {
    match (a, b) {
        (Dim::Static(a), Dim::Static(b)) if a == b => Dim::Static(a),
        (Dim::Static(a) | Dim::Bounded(a), Dim::Static(b) | Dim::Bounded(b)) => Dim::Bounded(a.max(b)),
        _ => Dim::Dynamic,
    }
}

/// The first type with what the others know of its dimensions.
pub(super) fn most_specific_type(types: &[&TensorType]) -> TensorType {
    let mut out = types[0].clone();
    for t in &types[1..] {
        for (o, &d) in out.dims.iter_mut().zip(&t.dims) {
            *o = most_specific(*o, d);
        }
    }
    out
}

/// `f` of a static size or of a bound; unknown stays unknown. `None` when `f` overflows or refuses.
pub(super) fn map_dim(d: Dim, f: impl Fn(i64) -> Option<i64>) -> Option<Dim> {
    Some(match d {
        Dim::Static(n) => Dim::Static(f(n)?),
        Dim::Bounded(n) => Dim::Bounded(f(n)?),
        Dim::Dynamic => Dim::Dynamic,
    })
}

/// Sum of sizes along a concatenation.
pub(super) fn add_dims(a: Dim, b: Dim) -> Option<Dim> {
    Some(match (a, b) {
        (Dim::Static(a), Dim::Static(b)) => Dim::Static(a.checked_add(b)?),
        (Dim::Static(a) | Dim::Bounded(a), Dim::Static(b) | Dim::Bounded(b)) => {
            Dim::Bounded(a.checked_add(b)?)
        }
        _ => Dim::Dynamic,
    })
}

/// The tensor with other dimensions, and no encoding (which belongs to the old ones).
pub(super) fn with_dims(t: &TensorType, dims: impl IntoIterator<Item = Dim>) -> TensorType {
    TensorType {
        element: t.element,
        dims: dims.into_iter().collect(),
        quant: t.quant.clone(),
        encoding: None,
    }
}

/// How a size is shown: `3`, `?`, `?<=4`.
pub(super) fn show(d: Dim) -> String {
    match d {
        Dim::Static(n) => n.to_string(),
        Dim::Dynamic => "?".into(),
        Dim::Bounded(n) => format!("?<={n}"),
    }
}

/// Every dimension number is within `0..rank` (`rule`).
pub(super) fn in_range(dims: &[i64], rank: usize, rule: &str, name: &str, of: &str) -> Result<()> {
    for &d in dims {
        rule!(
            d >= 0 && (d as u64) < rank as u64,
            rule,
            "{name} has {d}, which is not a dimension of {of} (rank {rank})"
        );
    }
    Ok(())
}

/// No dimension number twice (`rule`). Quadratic only in the rank.
pub(super) fn unique<'d>(dims: impl IntoIterator<Item = &'d i64>, rule: &str, name: &str) -> Result<()> {
    let mut seen = std::collections::BTreeSet::new();
    for d in dims {
        rule!(seen.insert(*d), rule, "{name} has {d} twice");
    }
    Ok(())
}

/// Ascending (`rule`).
pub(super) fn sorted(dims: &[i64], rule: &str, name: &str) -> Result<()> {
    rule!(dims.is_sorted(), rule, "{name} is not sorted: {dims:?}");
    Ok(())
}

/// As many entries as `n` (`rule`).
pub(super) fn sized(len: usize, n: usize, rule: &str, name: &str, of: &str) -> Result<()> {
    rule!(len == n, rule, "{name} has {len} elements, but {of} is {n}");
    Ok(())
}

/// The one dimension number, checked.
pub(super) fn axis(dim: i64, t: &TensorType, rule: &str, name: &str, of: &str) -> Result<usize> {
    in_range(&[dim], t.rank(), rule, name, of)?;
    Ok(dim as usize)
}

/// Static dimensions.
pub(super) fn static_dims(sizes: &[i64]) -> Dims {
    sizes.iter().map(|&n| Dim::Static(n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::ElementType;

    #[test]
    fn bounds_decide_compatibility() {
        let t = |d| Type::from(TensorType::new(ElementType::F32, [d]));
        assert!(compatible(&t(Dim::Static(3)), &t(Dim::Bounded(3))));
        assert!(!compatible(&t(Dim::Static(4)), &t(Dim::Bounded(3))));
        assert!(compatible(&t(Dim::Dynamic), &t(Dim::Static(4))));
        assert!(!compatible(&t(Dim::Static(4)), &t(Dim::Static(5))));
    }

    #[test]
    fn least_and_most_specific() {
        assert_eq!(most_specific(Dim::Bounded(4), Dim::Bounded(3)), Dim::Bounded(3));
        assert_eq!(most_specific(Dim::Dynamic, Dim::Static(3)), Dim::Static(3));
        assert_eq!(least_specific(Dim::Static(2), Dim::Static(3)), Dim::Bounded(3));
        assert_eq!(least_specific(Dim::Dynamic, Dim::Static(3)), Dim::Dynamic);
    }
}
