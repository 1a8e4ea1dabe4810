//! One operation of StableHLO to VHLO of a version: the inverse of [`upgrade`](super::upgrade). The
//! newest form that the version has is taken; what only newer forms can say must be a default.
//! (Source of the rules: StableHLO's `StablehloLegalizeToVhlo.cpp`, `VhloToVersion.cpp`,
//! `VhloToVersionPatterns.td` and the constraints in `VhloOps.cpp`.)

use super::defaults;
use super::ops::OPS;
use super::split;
use super::version::{Version, since};
use sim_core::ir::attr::Dense;
use sim_core::ir::op::*;
use sim_core::ir::{Attr, AttrDict};
use sim_core::{Diagnostic, ElementType as E, Result, Tensor, Type};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// What an operation is, beside its attributes.
pub struct Shape<'a> {
    pub operands: &'a [&'a Type],
    pub results: &'a [&'a Type],
    pub regions: usize,
}

/// An operation of VHLO. Attributes are still StableHLO's, each to be written as the VHLO one it stands for.
pub struct Lowered {
    /// `vhlo.add_v1`
    pub name: &'static str,
    /// The operation's own, in the order that bytecode has them in.
    pub attrs: Vec<(&'static str, Attr)>,
    /// What else hangs on it.
    pub rest: AttrDict,
}

/// A form of an operation.
struct Form {
    full: String,
    attrs: Vec<&'static str>,
    since: Version,
}

/// The forms of each operation, oldest first.
static FORMS: LazyLock<HashMap<&'static str, Vec<Form>>> = LazyLock::new(|| {
    let mut forms: HashMap<&str, Vec<Form>> = HashMap::new();
    for (name, attrs) in OPS {
        forms.entry(split(name).0).or_default().push(Form {
            full: format!("vhlo.{name}"),
            attrs: attrs.split_ascii_whitespace().collect(),
            since: since(name),
        });
    }
    forms.values_mut().for_each(|all| all.sort_by_key(|form| form.since));
    forms
});

/// The error for something that came with version `need`.
pub fn too_new(what: &str, need: Version, target: Version) -> Diagnostic {
    Diagnostic::unsupported(format!("{what} needs StableHLO {need}, and the artifact is to be of {target}"))
        .help(format!("write it for StableHLO {need} or newer"))
}

/// Is the operation one that VHLO has?
pub fn is_known(name: &str) -> bool {
    base(name).is_some_and(|base| FORMS.contains_key(base))
}

fn base(name: &str) -> Option<&str> {
    match name {
        "func.func" => Some("func"),
        "func.call" => Some("call"),
        _ => name.strip_prefix("stablehlo."),
    }
}

/// The operation `name` with the attributes that its definition names and with others.
///
/// # Errors
/// Unsupported: the version has no form that can say it.
pub fn downgrade(
    name: &str,
    mut own: AttrDict,
    mut rest: AttrDict,
    shape: &Shape,
    target: Version,
) -> Result<Lowered> {
    let unknown = || Diagnostic::unsupported(format!("VHLO has no operation {name}"));
    let base = base(name).ok_or_else(unknown)?;
    let (base, forms) = FORMS.get_key_value(base).ok_or_else(unknown)?;
    take_apart(base, &mut own)?;
    let Some((chosen, newer)) =
        forms.iter().rposition(|form| form.since <= target).map(|i| (i, &forms[i + 1..]))
    else {
        return Err(too_new("the operation", forms[0].since, target));
    };
    let form = &forms[chosen];
    let mut attrs = Vec::with_capacity(form.attrs.len());
    for &key in &form.attrs {
        let given = own.take(key).or_else(|| rest.take(key));
        // What says nothing is written as who leaves it out would have it: an empty dictionary may stand for an
        // empty list.
        let value = match given {
            Some(value) if !defaults::says_nothing(base, key, &value) => Some(value),
            nothing => defaults::of(base, key, &own, shape).or(nothing),
        };
        let value = value.ok_or_else(|| Diagnostic::invalid(format!("the attribute `{key}` is missing")))?;
        attrs.push((key, value));
    }
    // What is left must say nothing, or else a newer form has to say it.
    let mut need = None;
    defaults::remove(base, &mut own);
    for (key, _) in own.iter() {
        let has = newer.iter().find(|form| form.attrs.contains(&key));
        let has =
            has.ok_or_else(|| Diagnostic::unsupported(format!("VHLO has no attribute `{key}` here")))?;
        need = need.max(Some((has.since, key.to_owned())));
    }
    if let Some((version, key)) = need {
        return Err(too_new(&format!("the attribute `{key}`"), version, target));
    }
    // So must the attributes that only newer forms name and that stood with the others.
    for form in newer {
        for key in form.attrs.iter().filter(|key| !form_has(&forms[chosen], key)) {
            if let Some(value) = rest.take(key)
                && !defaults::says_nothing(base, key, &value)
            {
                return Err(too_new(&format!("the attribute `{key}`"), form.since, target));
            }
        }
    }
    constrain(base, &attrs, shape, newer, target)?;
    Ok(Lowered { name: &form.full, attrs, rest })
}

fn form_has(form: &Form, key: &str) -> bool {
    form.attrs.contains(&key)
}

/// What a version does not allow though it has the operation's form.
fn constrain(
    base: &str,
    attrs: &[(&str, Attr)],
    shape: &Shape,
    newer: &[Form],
    target: Version,
) -> Result<()> {
    let needs = |what: &str, version: Version| match version <= target {
        true => Ok(()),
        false => Err(too_new(what, version, target)),
    };
    match base {
        "all_gather" | "all_reduce" | "all_to_all" | "collective_broadcast" => {
            if let Some(form) = newer.first().filter(|_| shape.operands.len() != 1) {
                needs("more than one operand", form.since)?;
            }
        }
        "composite" => {
            if let Some(form) = newer.first().filter(|_| shape.regions > 0) {
                needs("a region", form.since)?;
            }
        }
        "custom_call" => {
            let has = |key: &str, test: &dyn Fn(&Attr) -> bool| {
                attrs.iter().any(|(name, value)| *name == key && test(value))
            };
            let typed = has("backend_config", &|a| matches!(a, Attr::Dict(_)))
                || has(
                    "api_version",
                    &|a| matches!(a, Attr::Hlo(h) if **h == HloAttr::CustomCallApiVersion(4)),
                );
            if typed {
                needs("a custom call of the typed interface (api_version 4)", Version::new(1, 3))?;
            }
            if shape.operands.iter().any(|ty| matches!(ty, Type::Future(_))) {
                needs("an operand that is a future", Version::new(1, 17))?;
            }
        }
        _ => {}
    }
    let reduces =
        ["all_reduce", "reduce", "reduce_scatter", "reduce_window", "scatter", "select_and_scatter"];
    if reduces.contains(&base) {
        let element = |ty: &Type| ty.as_tensor().map(|t| (t.element, t.quant.clone()));
        if shape.operands.iter().zip(shape.results).any(|(a, b)| element(a) != element(b)) {
            needs("a result whose elements are of another type", Version::new(0, 17))?;
        }
    }
    Ok(())
}

fn hlo(attr: HloAttr) -> Attr {
    Attr::Hlo(Arc::new(attr))
}

/// A constant of integers, which is what VHLO has for every list of them.
pub(super) fn ints(values: &[i64]) -> Attr {
    Attr::Dense(Arc::new(Dense::new(Tensor::from_slice(&[values.len()], values))))
}

pub(super) fn bools(values: &[i64]) -> Attr {
    let bytes: Vec<u8> = values.iter().map(|&b| u8::from(b != 0)).collect();
    Attr::Dense(Arc::new(Dense::new(Tensor::from_slice_as(E::Pred, &[values.len()], &bytes))))
}

/// Takes apart what VHLO has in pieces, and spells the rest as VHLO does.
fn take_apart(base: &str, attrs: &mut AttrDict) -> Result<()> {
    let mut parts: Vec<(&str, Attr)> = Vec::new();
    let structured: Vec<(Arc<str>, Attr)> = std::mem::take(&mut attrs.0);
    let int = |n: i64| Attr::Int(n, E::S64);
    for (key, value) in structured {
        let Attr::Hlo(h) = &value else {
            attrs.0.push((key, value));
            continue;
        };
        match &**h {
            HloAttr::Channel(channel) => {
                parts.push(("channel_id", int(channel.handle)));
                if matches!(base, "send" | "recv") {
                    parts.push(("channel_type", int(channel.ty)));
                }
            }
            HloAttr::Dot(d) => parts.extend([
                ("lhs_batching_dimensions", ints(&d.lhs_batch)),
                ("rhs_batching_dimensions", ints(&d.rhs_batch)),
                ("lhs_contracting_dimensions", ints(&d.lhs_contract)),
                ("rhs_contracting_dimensions", ints(&d.rhs_contract)),
            ]),
            HloAttr::DotAlgorithm(a) => parts.extend([
                ("lhs_precision_type", Attr::Type(a.lhs_precision_type.clone())),
                ("rhs_precision_type", Attr::Type(a.rhs_precision_type.clone())),
                ("accumulation_type", Attr::Type(a.accumulation_type.clone())),
                ("lhs_component_count", int(a.lhs_component_count)),
                ("rhs_component_count", int(a.rhs_component_count)),
                ("num_primitive_operations", int(a.num_primitive_operations)),
                ("allow_imprecise_accumulation", Attr::Bool(a.allow_imprecise_accumulation)),
            ]),
            HloAttr::Conv(d) => parts.extend([
                ("input_batch_dimension", int(d.input_batch)),
                ("input_feature_dimension", int(d.input_feature)),
                ("input_spatial_dimensions", ints(&d.input_spatial)),
                ("kernel_input_feature_dimension", int(d.kernel_input_feature)),
                ("kernel_output_feature_dimension", int(d.kernel_output_feature)),
                ("kernel_spatial_dimensions", ints(&d.kernel_spatial)),
                ("output_batch_dimension", int(d.output_batch)),
                ("output_feature_dimension", int(d.output_feature)),
                ("output_spatial_dimensions", ints(&d.output_spatial)),
            ]),
            HloAttr::Gather(d) => parts.extend([
                ("offset_dims", ints(&d.offset_dims)),
                ("collapsed_slice_dims", ints(&d.collapsed_slice_dims)),
                ("operand_batching_dims", ints(&d.operand_batching_dims)),
                ("start_indices_batching_dims", ints(&d.start_indices_batching_dims)),
                ("start_index_map", ints(&d.start_index_map)),
                ("index_vector_dim", int(d.index_vector_dim)),
            ]),
            HloAttr::Scatter(d) => parts.extend([
                ("update_window_dims", ints(&d.update_window_dims)),
                ("inserted_window_dims", ints(&d.inserted_window_dims)),
                ("input_batching_dims", ints(&d.input_batching_dims)),
                ("scatter_indices_batching_dims", ints(&d.scatter_indices_batching_dims)),
                ("scatter_dims_to_operand_dims", ints(&d.scatter_dims_to_operand_dims)),
                ("index_vector_dim", int(d.index_vector_dim)),
            ]),
            _ => attrs.0.push((key, value)),
        }
    }
    for (key, value) in &mut attrs.0 {
        let spelled = match &*value {
            Attr::Unit => Attr::Bool(true),
            Attr::DenseArray(E::Pred, values) => bools(values),
            Attr::DenseArray(_, values) => ints(values),
            Attr::Int(version, _) if &**key == "api_version" => hlo(HloAttr::CustomCallApiVersion(*version)),
            Attr::Symbol(path) => string(path)?,
            Attr::Array(items) if &**key == "called_computations" => {
                let items = items.iter().map(|item| match item {
                    Attr::Symbol(path) => string(path),
                    other => Ok(other.clone()),
                });
                Attr::Array(items.collect::<Result<_>>()?)
            }
            _ => continue,
        };
        *value = spelled;
    }
    attrs.0.extend(parts.into_iter().map(|(key, value)| (key.into(), value)));
    Ok(())
}

/// A symbol is a string in VHLO.
fn string(path: &[Arc<str>]) -> Result<Attr> {
    match path {
        [name] => Ok(Attr::String(name.clone())),
        _ => Err(Diagnostic::unsupported("VHLO has no symbols inside of other symbols")),
    }
}
