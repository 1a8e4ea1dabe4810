//! Contractions: `dot_general` and its relatives `dot`, `einsum` and `ragged_dot`.

use super::dims::{in_range, map_dim, most_specific, show, unique, with_dims};
use super::quant;
use super::sig::{Inferred, Kinds, Sig, broken, rule};
use crate::diag::Result;
use crate::ir::op::{DotAlgorithm, DotDims, Precision, RaggedDotDims};
use crate::types::{Dim, Dims, TensorType};

/// (C11): none, or one precision an operand.
pub(super) fn precision_config(precision: &[Precision], label: &str) -> Result<()> {
    rule!(precision.len() <= 2, label, "precision_config must have 2 elements, got {}", precision.len());
    Ok(())
}

/// Element types of a product. The specification wants equal ones; producers mix widths (two fp8 formats, say), which
/// means that each operand is read exactly, and kinds of numbers, which means that the simpler operand is converted to
/// the result's type first (XLA's `OperandUpcaster`).
pub(super) fn elements(
    lhs: &TensorType,
    rhs: &TensorType,
    result: Option<&TensorType>,
    label: &str,
) -> Result<()> {
    let (a, b) = (lhs.element.class().numbers(), rhs.element.class().numbers());
    match result {
        Some(out) => {
            rule!(
                out.quant.is_none() && out.element.class().numbers() >= a.max(b),
                label,
                "products of {} and {} elements cannot be summed in {out}",
                lhs.element,
                rhs.element
            );
        }
        None => {
            rule!(a == b, label, "lhs and rhs must have the same element type, got {lhs} and {rhs}");
        }
    }
    Ok(())
}

/// (C1) to (C10) and the result's dimensions of (C12).
fn dot_dims(lhs: &TensorType, rhs: &TensorType, d: &DotDims) -> Result<()> {
    rule!(
        d.lhs_batch.len() == d.rhs_batch.len(),
        "C1",
        "lhs has {} batching dimensions, rhs has {}",
        d.lhs_batch.len(),
        d.rhs_batch.len()
    );
    rule!(
        d.lhs_contract.len() == d.rhs_contract.len(),
        "C2",
        "lhs has {} contracting dimensions, rhs has {}",
        d.lhs_contract.len(),
        d.rhs_contract.len()
    );
    let both = "batching_dimensions + contracting_dimensions of";
    unique(d.lhs_batch.iter().chain(&d.lhs_contract), "C3", &format!("{both} lhs"))?;
    unique(d.rhs_batch.iter().chain(&d.rhs_contract), "C4", &format!("{both} rhs"))?;
    in_range(&d.lhs_batch, lhs.rank(), "C5", "lhs_batching_dimensions", "lhs")?;
    in_range(&d.lhs_contract, lhs.rank(), "C6", "lhs_contracting_dimensions", "lhs")?;
    in_range(&d.rhs_batch, rhs.rank(), "C7", "rhs_batching_dimensions", "rhs")?;
    in_range(&d.rhs_contract, rhs.rank(), "C8", "rhs_contracting_dimensions", "rhs")?;
    for (what, label, l, r) in [
        ("batching", "C9", &d.lhs_batch, &d.rhs_batch),
        ("contracting", "C10", &d.lhs_contract, &d.rhs_contract),
    ] {
        for (&a, &b) in l.iter().zip(r) {
            let (x, y) = (lhs.dims[a as usize], rhs.dims[b as usize]);
            rule!(
                x.compatible(y),
                label,
                "lhs {what} dimension {a} has size {}, rhs {b} has {}",
                show(x),
                show(y)
            );
        }
    }
    Ok(())
}

/// The dimensions that are neither batching, nor contracting, nor in `more`.
fn free<'t>(t: &'t TensorType, gone: [&'t [i64]; 3]) -> impl Iterator<Item = Dim> + 't {
    t.dims
        .iter()
        .enumerate()
        .filter(move |(i, _)| !gone.iter().any(|g| g.contains(&(*i as i64))))
        .map(|(_, &d)| d)
}

pub(super) fn dot_general(
    s: &Sig,
    d: &DotDims,
    precision: &[Precision],
    algorithm: Option<&DotAlgorithm>,
) -> Result<Inferred> {
    s.plain(2)?;
    let (lhs, rhs) = (s.tensor(0, "lhs", Kinds::TENSOR)?, s.tensor(1, "rhs", Kinds::ANY)?);
    dot_dims(lhs, rhs, d)?;
    precision_config(precision, "C11")?;
    if let Some(a) = algorithm {
        rule!(
            precision.iter().all(|p| *p == Precision::Default),
            "C21",
            "an algorithm needs precision_config to be DEFAULT, got {precision:?}"
        );
        rule!(
            a.lhs_component_count > 0,
            "C22",
            "lhs_component_count must be positive, got {}",
            a.lhs_component_count
        );
        rule!(
            a.rhs_component_count > 0,
            "C23",
            "rhs_component_count must be positive, got {}",
            a.rhs_component_count
        );
        rule!(
            a.num_primitive_operations > 0,
            "C24",
            "num_primitive_operations must be positive, got {}",
            a.num_primitive_operations
        );
    }
    let batch = d.lhs_batch.iter().zip(&d.rhs_batch);
    let mut dims: Dims =
        batch.map(|(&a, &b)| most_specific(lhs.dims[a as usize], rhs.dims[b as usize])).collect();
    dims.extend(free(lhs, [&d.lhs_batch, &d.lhs_contract, &[]]));
    dims.extend(free(rhs, [&d.rhs_batch, &d.rhs_contract, &[]]));
    let out = s.result(0, "result", Kinds::ANY)?;
    if lhs.quant.is_some() || rhs.quant.is_some() || out.is_some_and(|t| t.quant.is_some()) {
        if let Some(q) = &rhs.quant {
            rule!(q.zero_points.iter().all(|&z| z == 0), "C15", "zero points of rhs must be 0, got {rhs}");
            rule!(
                !q.axis.is_some_and(|a| d.rhs_contract.contains(&a)),
                "C16",
                "the quantization dimension of rhs must not be contracted, got {rhs}"
            );
        }
        quant::contraction(lhs, rhs, out, ["C14", "C17", "C18", "C19", "C20"])?;
    } else {
        elements(lhs, rhs, out, "C13")?;
    }
    shaped(s, lhs, dims, "C12")
}

/// The result's dimensions are known; its element type is the declared one (or lhs's, if neither
/// side is quantized).
pub(super) fn shaped(s: &Sig, lhs: &TensorType, dims: Dims, label: &'static str) -> Result<Inferred> {
    match s.result(0, "result", Kinds::ANY)? {
        Some(out) => Inferred::one(with_dims(out, dims), label),
        None if lhs.quant.is_none() => Inferred::one(with_dims(lhs, dims), label),
        None => Ok(Inferred::Declared),
    }
}

pub(super) fn dot(s: &Sig, precision: &[Precision]) -> Result<Inferred> {
    s.plain(2)?;
    let (lhs, rhs) = (s.tensor(0, "lhs", Kinds::TENSOR)?, s.tensor(1, "rhs", Kinds::ANY)?);
    precision_config(precision, "C3")?;
    for (t, name) in [(lhs, "lhs"), (rhs, "rhs")] {
        rule!(matches!(t.rank(), 1 | 2), "C1", "{name} must be a vector or a matrix, got {t}");
    }
    let (k_lhs, k_rhs) = (lhs.dims[lhs.rank() - 1], rhs.dims[0]);
    rule!(
        k_lhs.compatible(k_rhs),
        "C2",
        "the last dimension of lhs has size {}, the first of rhs {}",
        show(k_lhs),
        show(k_rhs)
    );
    let out = s.result(0, "result", Kinds::ANY)?;
    if lhs.quant.is_none() && rhs.quant.is_none() {
        elements(lhs, rhs, out, "C4")?;
    } else {
        quant::contraction(lhs, rhs, out, ["C5"; 5])?;
    }
    let dims: Dims = lhs.dims[..lhs.rank() - 1].iter().chain(&rhs.dims[1..]).copied().collect();
    shaped(s, lhs, dims, "C1")
}

/// The letters of one term of an einsum, with the sizes they stand for.
fn einsum_term(term: &str, t: &TensorType, name: &str, sizes: &mut Vec<(char, Dim)>) -> Result<()> {
    let letters = term.chars().count();
    rule!(letters == t.rank(), "einsum", "`{term}` has {letters} letters, but {name} has rank {}", t.rank());
    for (c, &d) in term.chars().zip(&t.dims) {
        rule!(c.is_ascii_alphabetic(), "einsum", "`{c}` is not a letter (ellipses are not supported)");
        match sizes.iter_mut().find(|(k, _)| *k == c) {
            None => sizes.push((c, d)),
            Some((_, known)) => {
                rule!(
                    known.compatible(d),
                    "einsum",
                    "`{c}` stands for sizes {} and {}",
                    show(*known),
                    show(d)
                );
                *known = most_specific(*known, d);
            }
        }
    }
    Ok(())
}

/// The result's dimensions, by letter.
fn einsum_result(term: &str, sizes: &[(char, Dim)]) -> Result<Dims> {
    term.chars()
        .map(|c| {
            let size = sizes.iter().find(|(k, _)| *k == c);
            size.map(|s| s.1)
                .ok_or_else(|| broken("einsum", format_args!("`{c}` of the result is in no operand")))
        })
        .collect()
}

pub(super) fn einsum(s: &Sig, config: &str) -> Result<Inferred> {
    s.plain(2)?;
    let (lhs, rhs) = (s.tensor(0, "lhs", Kinds::TENSOR)?, s.tensor(1, "rhs", Kinds::TENSOR)?);
    let terms = config.split_once("->").and_then(|(l, out)| Some((l.split_once(',')?, out)));
    let Some(((l, r), out)) = terms else {
        return Err(broken(
            "einsum",
            format_args!("einsum_config must have the form `ab,bc->ac`, got `{config}`"),
        ));
    };
    elements(lhs, rhs, s.result(0, "result", Kinds::ANY)?, "einsum")?;
    let mut sizes = Vec::new();
    einsum_term(l.trim(), lhs, "lhs", &mut sizes)?;
    einsum_term(r.trim(), rhs, "rhs", &mut sizes)?;
    shaped(s, lhs, einsum_result(out.trim(), &sizes)?, "einsum")
}

pub(super) fn unary_einsum(s: &Sig, config: &str) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let Some((term, out)) = config.split_once("->") else {
        return Err(broken(
            "einsum",
            format_args!("einsum_config must have the form `ab->a`, got `{config}`"),
        ));
    };
    let mut sizes = Vec::new();
    einsum_term(term.trim(), x, "operand", &mut sizes)?;
    Inferred::one(with_dims(x, einsum_result(out.trim(), &sizes)?), "einsum")
}

/// `ragged_dot` by the kind of lhs's ragged dimension: a free one pairs with rhs's group dimension; a
/// contracting one gives the result a group dimension; a batching one only masks.
pub(super) fn ragged_dot(s: &Sig, d: &RaggedDotDims, precision: &[Precision]) -> Result<Inferred> {
    s.plain(3)?;
    let (lhs, rhs) = (s.tensor(0, "lhs", Kinds::PLAIN)?, s.tensor(1, "rhs", Kinds::PLAIN)?);
    let groups = s.tensor(2, "group_sizes", Kinds::INT)?;
    precision_config(precision, "ragged_dot")?;
    dot_dims(lhs, rhs, &d.dot)?;
    let label = "ragged_dot";
    let &[ragged] = &d.lhs_ragged[..] else {
        return Err(broken(
            label,
            format_args!("lhs must have one ragged dimension, got {:?}", d.lhs_ragged),
        ));
    };
    in_range(&[ragged], lhs.rank(), label, "lhs_ragged_dimensions", "lhs")?;
    in_range(&d.rhs_group, rhs.rank(), label, "rhs_group_dimensions", "rhs")?;
    let used = d.rhs_group.iter().chain(&d.dot.rhs_batch).chain(&d.dot.rhs_contract);
    unique(used, label, "group, batching and contracting dimensions of rhs")?;
    rule!(groups.rank() >= 1, label, "group_sizes must have a dimension, got {groups}");
    let count = groups.dims[groups.rank() - 1];

    let before = |dims: &[i64]| dims.iter().copied().take_while(|&x| x != ragged).collect::<Vec<_>>();
    let contracting = d.dot.lhs_contract.contains(&ragged);
    let mut prefix: Vec<i64>;
    if d.dot.lhs_batch.contains(&ragged) {
        prefix = before(&d.dot.lhs_batch);
    } else {
        prefix = d.dot.lhs_batch.clone();
        if contracting {
            prefix.extend(before(&d.dot.lhs_contract));
        } else {
            let free = |i: &i64| !d.dot.lhs_batch.contains(i) && !d.dot.lhs_contract.contains(i);
            prefix.extend((0..ragged).filter(free));
        }
    }
    let expected: Dims = prefix.iter().map(|&i| lhs.dims[i as usize]).chain([count]).collect();
    let fits = groups.rank() == 1
        || (groups.rank() == expected.len()
            && expected.iter().zip(&groups.dims).all(|(a, b)| a.compatible(*b)));
    rule!(fits, label, "group_sizes must have one dimension or rank {}, got {groups}", expected.len());

    if contracting || d.dot.lhs_batch.contains(&ragged) {
        rule!(
            d.rhs_group.is_empty(),
            label,
            "rhs has group dimensions only when lhs's ragged dimension is free"
        );
    } else {
        let &[group] = &d.rhs_group[..] else {
            return Err(broken(
                label,
                format_args!("rhs must have one group dimension, got {:?}", d.rhs_group),
            ));
        };
        let size = rhs.dims[group as usize];
        rule!(
            size.compatible(count),
            label,
            "rhs has {} groups, group_sizes has {}",
            show(size),
            show(count)
        );
    }
    elements(lhs, rhs, s.result(0, "result", Kinds::PLAIN)?, label)?;
    let mut dims = Dims::new();
    dims.extend(contracting.then_some(count));
    dims.extend(d.dot.lhs_batch.iter().map(|&i| lhs.dims[i as usize]));
    dims.extend(free(lhs, [&d.dot.lhs_batch, &d.dot.lhs_contract, &[]]));
    dims.extend(free(rhs, [&d.dot.rhs_batch, &d.dot.rhs_contract, &d.rhs_group]));
    shaped(s, lhs, dims, label)
}

/// A size divided, rounding down: unknown stays unknown.
pub(super) fn divided(d: Dim, by: i64) -> Dim {
    map_dim(d, |n| n.checked_div(by)).unwrap_or(Dim::Dynamic)
}
