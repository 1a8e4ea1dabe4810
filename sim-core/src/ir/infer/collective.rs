//! Collectives: exchanges among the processes that `replica_groups` puts together.
//!
//! The size of a group is the length of a row of `replica_groups`, or the product of the named mesh
//! axes. When a channel spans partitions without global device ids, each replica stands for all its
//! partitions, whose number the program does not say: then only multiples can be checked.

use super::contraction::divided;
use super::dims::{axis, map_dim, unique, with_dims};
use super::elementwise::same_dims;
use super::reduce::collective_reducer;
use super::sig::{Inferred, Kinds, Sig, Tensors, broken, rule};
use crate::diag::Result;
use crate::dtype::ElementType;
use crate::ir::attr::Attr;
use crate::ir::op::{Collective, ReplicaGroups};
use crate::types::{Dim, Type};

/// The product of the mesh axes that form a group, if the mesh is known.
fn mesh_group(s: &Sig, mesh: &Attr, groups: &ReplicaGroups, label: &str) -> Result<Option<i64>> {
    let (Attr::Symbol(path), Some(scope), ReplicaGroups::MeshAxes { axes, .. }) = (mesh, s.scope, groups)
    else {
        return Ok(None);
    };
    let Some(mesh) = path.last().and_then(|name| scope.mesh(name)) else {
        // Another symbol may stand for the mesh of another dialect, whose axes are not known here.
        if scope.function(path).is_some() {
            return Ok(None);
        }
        return Err(broken(
            label,
            format_args!("mesh {} is not defined", crate::ir::symbols::show_path(path)),
        ));
    };
    let mut size = 1i64;
    for (i, a) in axes.iter().enumerate() {
        let Some((_, whole)) = mesh.axes.iter().find(|(name, _)| *name == a.name) else {
            return Err(broken(label, format_args!("mesh @{} has no axis \"{}\"", mesh.name, a.name)));
        };
        let part = match a.sub_axis {
            None => *whole,
            Some((pre, part)) => {
                let fits = pre > 0 && part > 0 && pre.checked_mul(part).is_some_and(|p| whole % p == 0);
                rule!(
                    fits,
                    label,
                    "sub-axis ({pre}){part} does not divide axis \"{}\" of size {whole}",
                    a.name
                );
                part
            }
        };
        rule!(!axes[..i].contains(a), label, "axis \"{}\" is named twice", a.name);
        size = size.checked_mul(part).ok_or_else(|| broken(label, format_args!("the group is too large")))?;
    }
    Ok(Some(size))
}

/// Checks the groups; returns their size where all have one and it is known.
///
/// `uniform`: short rows (filled with -1) are not allowed. `all`: every process is in a group, so the
/// ids are those below their number. Labels: uniqueness, range.
fn check_groups(
    s: &Sig,
    g: &ReplicaGroups,
    uniform: bool,
    all: bool,
    labels: [&str; 2],
) -> Result<Option<i64>> {
    let [once, range] = labels;
    match g {
        ReplicaGroups::MeshAxes { mesh, .. } => mesh_group(s, mesh, g, once),
        ReplicaGroups::Dense { rows, cols, ids } => {
            let cells = rows.checked_mul(*cols);
            rule!(
                *rows >= 0 && *cols >= 0 && cells == Some(ids.len() as i64),
                range,
                "replica_groups has {} ids for {rows} groups of {cols}",
                ids.len()
            );
            rule!(
                !uniform || ids.iter().all(|&id| id >= 0),
                range,
                "all groups must have the same size: -1 is not allowed"
            );
            unique(ids.iter().filter(|&&id| id != -1), once, "replica_groups")?;
            let n = ids.iter().filter(|&&id| id != -1).count() as i64;
            for &id in ids {
                rule!(
                    id >= -1 && (!all || id < n),
                    range,
                    "id {id} is not within the {n} ids of replica_groups"
                );
            }
            let filled = ids.contains(&-1);
            Ok((*cols > 0 && *rows > 0 && !filled).then_some(*cols))
        }
    }
}

/// Does each replica in a group bring all its partitions?
fn spans_partitions(c: &Collective) -> bool {
    !c.use_global_device_ids && c.channel.is_some_and(|ch| ch.handle > 0)
}

/// Global device ids need a channel.
fn check_channel(c: &Collective, label: &str) -> Result<()> {
    let handle = c.channel.map_or(0, |ch| ch.handle);
    rule!(
        !c.use_global_device_ids || handle > 0,
        label,
        "use_global_device_ids needs a positive channel_id, got {handle}"
    );
    if let (true, ReplicaGroups::Dense { rows, cols, .. }) = (c.use_global_device_ids, &c.replica_groups) {
        rule!(*rows > 0 && *cols > 0, label, "use_global_device_ids needs replica_groups");
    }
    Ok(())
}

fn operands<'a>(s: &Sig<'a>, n: usize) -> Result<Tensors<'a>> {
    s.tensors(0..n, 1, "operands", Kinds::TENSOR)
}

pub(super) fn all_gather(s: &Sig, dim: i64, c: &Collective) -> Result<Inferred> {
    s.region_count(0)?;
    let xs = operands(s, s.operands.len())?;
    s.result_count(xs.len())?;
    let size = check_groups(s, &c.replica_groups, true, true, ["C2", "C4"])?;
    check_channel(c, "C5")?;
    let exact = size.filter(|_| !spans_partitions(c));
    let mut types: Vec<Type> = Vec::new();
    for (i, x) in xs.iter().enumerate() {
        let at = axis(dim, x, "C1", "all_gather_dim", "an operand")?;
        let mut dims = x.dims.clone();
        dims[at] = Dim::Dynamic;
        if let Some(n) = exact {
            let Some(d) = map_dim(x.dims[at], |d| d.checked_mul(n)) else {
                return Err(broken("C6", format_args!("the gathered dimension is too large")));
            };
            dims[at] = d;
        }
        if let Some(out) = s.result(i, "result", Kinds::TENSOR)? {
            rule!(
                super::dims::same_element(x, out),
                "C6",
                "operand and result must have the same element type, got {x} and {out}"
            );
            let mut others = x.dims.clone();
            others[at] = Dim::Dynamic;
            same_dims(&with_dims(x, others), out, "C6", "operand, but for all_gather_dim,", "the result")?;
            if let (Dim::Static(a), Dim::Static(b)) = (x.dims[at], out.dims[at]) {
                let multiple = if a == 0 { b == 0 } else { b % a == 0 };
                rule!(multiple, "C6", "the operand's {a} must divide the result's {b}");
            }
        }
        types.push(with_dims(x, dims).into());
    }
    // StableHLO's own tests declare sizes that do not fit their groups, so a declared result is held
    // to be a multiple and no more; how many took part, the run tells.
    match (exact, s.results) {
        (Some(_), None) => Inferred::many(types, "C6"),
        _ => Ok(Inferred::Declared),
    }
}

pub(super) fn all_reduce(s: &Sig, c: &Collective) -> Result<Inferred> {
    s.region_count(1)?;
    let xs = operands(s, s.operands.len())?;
    check_groups(s, &c.replica_groups, false, true, ["C1", "C3"])?;
    check_channel(c, "C4")?;
    let e = collective_reducer(s.region(0)?, &xs, "C5")?;
    Inferred::many(xs.iter().map(|x| with_dims(e, x.dims.iter().copied()).into()), "C6")
}

pub(super) fn reduce_scatter(s: &Sig, dim: i64, c: &Collective) -> Result<Inferred> {
    s.operand_count(1)?;
    s.result_count(1)?;
    s.region_count(1)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    let size = check_groups(s, &c.replica_groups, true, true, ["C3", "C5"])?;
    check_channel(c, "C6")?;
    let at = axis(dim, x, "C2", "scatter_dimension", "operand")?;
    if let (Dim::Static(d), Some(n)) = (x.dims[at], size) {
        rule!(n > 0 && d % n == 0, "C1", "dimension {at} has size {d}, which groups of {n} do not divide");
    }
    let e = collective_reducer(s.region(0)?, &[x], "C7")?;
    let mut dims = x.dims.clone();
    dims[at] = size.filter(|_| !spans_partitions(c)).map_or(Dim::Dynamic, |n| divided(x.dims[at], n));
    if let Some(out) = s.result(0, "result", Kinds::TENSOR)? {
        rule!(
            super::dims::same_element(e, out),
            "C9",
            "the computation returns {e}, but the result is {out}"
        );
        same_dims(&with_dims(x, dims.iter().copied()), out, "C8", "the scattered operand", "the result")?;
        if let (Dim::Static(a), Dim::Static(b)) = (x.dims[at], out.dims[at]) {
            let divides = if b == 0 { a == 0 } else { a % b == 0 };
            rule!(divides, "C8", "the result's {b} must divide the operand's {a}");
        }
    }
    if dims[at] == Dim::Dynamic && x.dims[at] != Dim::Dynamic {
        return Ok(Inferred::Declared);
    }
    Inferred::one(with_dims(e, dims), "C8")
}

pub(super) fn all_to_all(
    s: &Sig,
    split_dim: i64,
    concat_dim: i64,
    split_count: i64,
    c: &Collective,
) -> Result<Inferred> {
    s.region_count(0)?;
    let xs = operands(s, s.operands.len())?;
    rule!(split_count > 0, "C4", "split_count must be positive, got {split_count}");
    let size = check_groups(s, &c.replica_groups, true, true, ["C5", "C7"])?;
    rule!(
        size.is_none_or(|n| n == split_count),
        "C8",
        "groups of {} must be as large as split_count, {split_count}",
        size.unwrap_or(0)
    );
    let mut types: Vec<Type> = Vec::new();
    for x in &xs {
        let split = axis(split_dim, x, "C1", "split_dimension", "an operand")?;
        let concat = axis(concat_dim, x, "C3", "concat_dimension", "an operand")?;
        if let Dim::Static(n) = x.dims[split] {
            rule!(
                n % split_count == 0,
                "C2",
                "dimension {split} has size {n}, which {split_count} does not divide"
            );
        }
        let mut dims = x.dims.clone();
        if split != concat {
            dims[split] = divided(dims[split], split_count);
            let Some(d) = map_dim(dims[concat], |d| d.checked_mul(split_count)) else {
                return Err(broken("C9", format_args!("dimension {concat} becomes too large")));
            };
            dims[concat] = d;
        }
        types.push(with_dims(x, dims).into());
    }
    Inferred::many(types, "C9")
}

/// The data operands; the last one is the root's position when `has_dynamic_root`.
fn data_operands<'a>(s: &Sig<'a>, c: &Collective, labels: [&str; 2]) -> Result<Tensors<'a>> {
    let n = s.operands.len();
    if !c.has_dynamic_root {
        rule!(n >= 1, labels[0], "at least one operand is needed");
        return operands(s, n);
    }
    rule!(n >= 2, labels[1], "at least one operand and the root are needed, got {n}");
    let root = s.tensor(n - 1, "the root", Kinds::SIGNED)?;
    rule!(
        root.element == ElementType::S32 && root.dims[..] == [Dim::Static(n as i64 - 1)],
        labels[1],
        "the root must be a tensor<{}xi32>, got {root}",
        n - 1
    );
    operands(s, n - 1)
}

pub(super) fn collective_broadcast(s: &Sig, c: &Collective) -> Result<Inferred> {
    s.region_count(0)?;
    let xs = data_operands(s, c, ["C3", "C4"])?;
    check_groups(s, &c.replica_groups, true, false, ["C1", "C2"])?;
    Inferred::many(xs.iter().map(|x| (*x).clone().into()), "C3")
}

pub(super) fn collective_reduce(s: &Sig, c: &Collective) -> Result<Inferred> {
    s.region_count(1)?;
    let xs = data_operands(s, c, ["C3", "C3"])?;
    check_groups(s, &c.replica_groups, false, false, ["C1", "C2"])?;
    check_channel(c, "channel_id")?;
    let e = collective_reducer(s.region(0)?, &xs, "C4")?;
    Inferred::many(xs.iter().map(|x| with_dims(e, x.dims.iter().copied()).into()), "C3")
}

pub(super) fn collective_permute(s: &Sig, pairs: &[(i64, i64)]) -> Result<Inferred> {
    s.plain(1)?;
    s.tensor(0, "operand", Kinds::TENSOR)?;
    source_target_pairs(pairs)?;
    Inferred::many(s.operands.iter().cloned(), "C5")
}

/// (C2) to (C4) of `collective_permute`, `send` and `recv`.
pub(super) fn source_target_pairs(pairs: &[(i64, i64)]) -> Result<()> {
    let (sources, targets): (Vec<i64>, Vec<i64>) = pairs.iter().copied().unzip();
    unique(&sources, "C2", "sources of source_target_pairs")?;
    unique(&targets, "C3", "targets of source_target_pairs")?;
    for id in sources.iter().chain(&targets) {
        rule!(*id >= 0, "C4", "source_target_pairs must not be negative, got {id}");
    }
    Ok(())
}

pub(super) fn cross_replica_sum(s: &Sig, groups: &ReplicaGroups) -> Result<Inferred> {
    s.plain(1)?;
    let x = s.tensor(0, "operand", Kinds::TENSOR)?;
    check_groups(s, groups, false, true, ["C1", "C2"])?;
    Inferred::one(x.clone(), "C3")
}
