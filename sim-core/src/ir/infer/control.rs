//! Control flow, calls, tuples, tokens, host transfers; and the operations of other dialects that
//! pass their operands through.

use super::collective::source_target_pairs;
use super::dims::{all_compatible, least_specific};
use super::sig::{Inferred, Kinds, Sig, broken, is_scalar_pred, rule};
use crate::diag::Result;
use crate::dtype::ElementType;
use crate::ir::attr::Attr;
use crate::ir::module::Function;
use crate::ir::op::{ChannelHandle, Check, CustomCall, Op};
use crate::ir::symbols::show_path;
use crate::types::Type;
use std::sync::Arc;

/// `(tensor<f32>, tensor<i1>)`
pub(super) fn show_types(types: &[Type]) -> String {
    format!("({})", types.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", "))
}

pub(super) fn if_(s: &Sig) -> Result<Inferred> {
    s.operand_count(1)?;
    s.region_count(2)?;
    s.scalar(0, "pred", Kinds::PRED)?;
    branches(s, ["true_branch", "false_branch"].map(String::from).to_vec(), ["C1", "C2", "C3"])
}

pub(super) fn case(s: &Sig) -> Result<Inferred> {
    s.operand_count(1)?;
    let index = s.scalar(0, "index", Kinds::SIGNED)?;
    rule!(index.element == ElementType::S32, "I1", "index must be of type i32, got {index}");
    rule!(!s.regions.is_empty(), "C1", "at least one branch is needed");
    branches(s, (0..s.regions.len()).map(|i| format!("branch {i}")).collect(), ["C2", "C3", "C4"])
}

/// Branches take nothing and return the same types.
fn branches(s: &Sig, names: Vec<String>, labels: [&'static str; 3]) -> Result<Inferred> {
    let [inputs, outputs, result] = labels;
    let first = s.region(0)?;
    let mut types = first.results.clone();
    for (branch, name) in s.regions.iter().zip(&names) {
        rule!(
            branch.args.is_empty(),
            inputs,
            "{name} must take no arguments, it takes {}",
            branch.args.len()
        );
        rule!(
            all_compatible(&first.results, &branch.results),
            outputs,
            "{} returns {}, but {name} returns {}",
            names[0],
            show_types(&first.results),
            show_types(&branch.results)
        );
        for (ty, other) in types.iter_mut().zip(&branch.results) {
            if let (Type::Tensor(a), Some(b)) = (&mut *ty, other.as_tensor())
                && a.dims != b.dims
            {
                let a = Arc::make_mut(a);
                for (x, &y) in a.dims.iter_mut().zip(&b.dims) {
                    *x = least_specific(*x, y);
                }
            }
        }
    }
    Inferred::many(types, result)
}

pub(super) fn while_(s: &Sig) -> Result<Inferred> {
    s.region_count(2)?;
    let (cond, body) = (s.region(0)?, s.region(1)?);
    rule!(
        all_compatible(s.operands, &cond.args),
        "C1",
        "cond takes {}, but the operands are {}",
        show_types(&cond.args),
        show_types(s.operands)
    );
    rule!(
        matches!(&cond.results[..], [t] if is_scalar_pred(t)),
        "C1",
        "cond must return one tensor<i1>, it returns {}",
        show_types(&cond.results)
    );
    rule!(
        all_compatible(s.operands, &body.args),
        "C2",
        "body takes {}, but the operands are {}",
        show_types(&body.args),
        show_types(s.operands)
    );
    rule!(
        all_compatible(s.operands, &body.results),
        "C2",
        "body returns {}, but the operands are {}",
        show_types(&body.results),
        show_types(s.operands)
    );
    Inferred::many(s.operands.iter().cloned(), "C3")
}

/// The function that a symbol names, if symbols are known here.
fn callee<'a>(s: &Sig<'a>, path: &[Arc<str>], label: &str) -> Result<Option<&'a Function>> {
    let Some(scope) = s.scope else { return Ok(None) };
    match scope.function(path) {
        Some((_, f)) => Ok(Some(f)),
        None => Err(broken(label, format_args!("function {} is not defined", show_path(path)))),
    }
}

/// Operands equal the function's arguments, its results are the operation's.
fn called(s: &Sig, path: &[Arc<str>], labels: [&'static str; 3]) -> Result<Inferred> {
    let Some(f) = callee(s, path, labels[0])? else { return Ok(Inferred::Declared) };
    rule!(
        f.arg_types == s.operands,
        labels[1],
        "@{} takes {}, but the operands are {}",
        f.name,
        show_types(&f.arg_types),
        show_types(s.operands)
    );
    if let Some(results) = s.results {
        rule!(
            f.result_types == results,
            labels[2],
            "@{} returns {}, but the declared results are {}",
            f.name,
            show_types(&f.result_types),
            show_types(results)
        );
    }
    Inferred::many(f.result_types.iter().cloned(), labels[2])
}

pub(super) fn call(s: &Sig, path: &[Arc<str>]) -> Result<Inferred> {
    s.region_count(0)?;
    called(s, path, ["callee", "callee", "callee"])
}

pub(super) fn composite(s: &Sig, name: &str, decomposition: &[Arc<str>]) -> Result<Inferred> {
    let word = |w: &str, more: &str| {
        !w.is_empty() && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || more.contains(c))
    };
    let mut parts = name.split('.');
    let namespace = parts.next().unwrap_or("");
    let rest: Vec<&str> = parts.collect();
    rule!(
        word(namespace, "")
            && namespace.starts_with(|c: char| c.is_ascii_alphabetic())
            && !rest.is_empty()
            && rest.iter().all(|w| word(w, "$")),
        "C1",
        "name must be a namespace and a name such as my.op, got `{name}`"
    );
    called(s, decomposition, ["C2", "C3", "C4"])
}

pub(super) fn custom_call(s: &Sig, c: &CustomCall) -> Result<Inferred> {
    // `called_computations` may name functions that are not there: only the target knows whether it
    // ever calls them.
    rule!(
        c.operand_layouts.is_some() == c.result_layouts.is_some(),
        "layouts",
        "operand_layouts and result_layouts must both be given, or neither"
    );
    if let Some(Attr::Array(layouts)) = &c.operand_layouts {
        rule!(
            layouts.len() == s.operands.len(),
            "layouts",
            "operand_layouts has {} layouts for {} operands",
            layouts.len(),
            s.operands.len()
        );
    }
    for alias in &c.output_operand_aliases {
        let at = usize::try_from(alias.operand_index).ok();
        let Some(operand) = at.and_then(|i| s.operands.get(i)) else {
            return Err(broken(
                "output_operand_aliases",
                format_args!(
                    "operand_index {} is not within the {} operands",
                    alias.operand_index,
                    s.operands.len()
                ),
            ));
        };
        let Some(results) = s.results else { continue };
        let from = tuple_part(operand, &alias.operand_tuple_indices);
        // One result stands for itself; several for a tuple of them.
        let to = match results {
            [one] => tuple_part(one, &alias.output_tuple_indices),
            many => alias
                .output_tuple_indices
                .split_first()
                .and_then(|(&i, rest)| tuple_part(many.get(usize::try_from(i).ok()?)?, rest)),
        };
        rule!(
            matches!((from, to), (Some(a), Some(b)) if super::compatible(a, b)),
            "output_operand_aliases",
            "part {:?} of the results cannot alias part {:?} of operand {}",
            alias.output_tuple_indices,
            alias.operand_tuple_indices,
            alias.operand_index
        );
    }
    Ok(Inferred::Declared)
}

fn tuple_part<'t>(ty: &'t Type, indices: &[i64]) -> Option<&'t Type> {
    indices.iter().try_fold(ty, |ty, &i| match ty {
        Type::Tuple(parts) => parts.get(usize::try_from(i).ok()?),
        _ => None,
    })
}

pub(super) fn optimization_barrier(s: &Sig) -> Result<Inferred> {
    s.region_count(0)?;
    Inferred::many(s.operands.iter().cloned(), "C1")
}

pub(super) fn tuple(s: &Sig) -> Result<Inferred> {
    s.region_count(0)?;
    Inferred::one(Type::Tuple(s.operands.into()), "C1")
}

pub(super) fn get_tuple_element(s: &Sig, index: i64) -> Result<Inferred> {
    s.plain(1)?;
    let Type::Tuple(parts) = &s.operands[0] else {
        return Err(broken("I1", format_args!("operand must be a tuple, got {}", s.operands[0])));
    };
    let part = usize::try_from(index).ok().and_then(|i| parts.get(i));
    match part {
        Some(part) => Inferred::one(part.clone(), "C2"),
        None => Err(broken(
            "C1",
            format_args!("index {index} is not within the {} parts of the tuple", parts.len()),
        )),
    }
}

/// The body's one operation, and that it is one which may run asynchronously, are checked with the
/// program around it.
pub(super) fn async_start(s: &Sig) -> Result<Inferred> {
    s.region_count(1)?;
    let body = s.region(0)?;
    rule!(
        all_compatible(s.operands, &body.args),
        "C3",
        "the body takes {}, but the operands are {}",
        show_types(&body.args),
        show_types(s.operands)
    );
    Inferred::one(Type::Future(body.results[..].into()), "C4")
}

pub(super) fn async_done(s: &Sig) -> Result<Inferred> {
    s.operand_count(1)?;
    s.region_count(0)?;
    match &s.operands[0] {
        Type::Future(types) => Inferred::many(types.iter().cloned(), "C1"),
        other => Err(broken("I1", format_args!("operand must be a future, got {other}"))),
    }
}

fn token(s: &Sig, i: usize, name: &str) -> Result<()> {
    match s.operands.get(i) {
        Some(Type::Token) => Ok(()),
        Some(other) => {
            Err(broken(format_args!("I{}", i + 1), format_args!("{name} must be a token, got {other}")))
        }
        None => Err(broken(format_args!("I{}", i + 1), format_args!("{name} is missing"))),
    }
}

pub(super) fn after_all(s: &Sig) -> Result<Inferred> {
    s.region_count(0)?;
    (0..s.operands.len()).try_for_each(|i| token(s, i, "every input"))?;
    Inferred::one(Type::Token, "O1")
}

pub(super) fn create_token(s: &Sig) -> Result<Inferred> {
    s.plain(0)?;
    Inferred::one(Type::Token, "O1")
}

/// Tensors, then a token.
fn tensors_and_token(s: &Sig, labels: [&str; 3]) -> Result<()> {
    let Some(results) = s.results else { return Ok(()) };
    let Some((last, tensors)) = results.split_last() else {
        return Err(broken(labels[0], format_args!("at least one result is needed: the token")));
    };
    for ty in tensors {
        rule!(
            matches!(ty, Type::Tensor(_)),
            labels[1],
            "every result but the last must be a tensor, got {ty}"
        );
    }
    rule!(*last == Type::Token, labels[2], "the last result must be a token, got {last}");
    Ok(())
}

pub(super) fn infeed(s: &Sig, layout: Option<&Attr>) -> Result<Inferred> {
    s.operand_count(1)?;
    token(s, 0, "token")?;
    tensors_and_token(s, ["C1", "C2", "C3"])?;
    if let (Some(Attr::Array(layouts)), Some(results)) = (layout, s.results) {
        rule!(
            layouts.len() + 1 == results.len(),
            "layout",
            "layout has {} entries for {} tensors",
            layouts.len(),
            results.len().saturating_sub(1)
        );
    }
    Ok(Inferred::Declared)
}

/// Operands are tensors, then a token.
fn inputs_and_token(s: &Sig) -> Result<()> {
    let Some(n) = s.operands.len().checked_sub(1) else {
        return Err(broken("I2", format_args!("the token is missing")));
    };
    s.tensors(0..n, 1, "inputs", Kinds::ANY)?;
    rule!(s.operands[n] == Type::Token, "I2", "the last operand must be a token, got {}", s.operands[n]);
    Ok(())
}

pub(super) fn outfeed(s: &Sig) -> Result<Inferred> {
    inputs_and_token(s)?;
    Inferred::one(Type::Token, "O1")
}

/// `#stablehlo.channel_handle`'s types.
const DEVICE_TO_DEVICE: i64 = 1;
const DEVICE_TO_HOST: i64 = 2;
const HOST_TO_DEVICE: i64 = 3;

fn channel(c: ChannelHandle, is_host: bool, host: i64, pairs: Option<&[(i64, i64)]>) -> Result<()> {
    let want = if is_host { host } else { DEVICE_TO_DEVICE };
    rule!(c.ty == want, "C5", "with is_host_transfer = {is_host}, channel_type must be {want}, got {}", c.ty);
    source_target_pairs(pairs.unwrap_or_default())
}

pub(super) fn send(
    s: &Sig,
    c: ChannelHandle,
    is_host: bool,
    pairs: Option<&[(i64, i64)]>,
) -> Result<Inferred> {
    inputs_and_token(s)?;
    channel(c, is_host, DEVICE_TO_HOST, pairs)?;
    Inferred::one(Type::Token, "O1")
}

pub(super) fn recv(
    s: &Sig,
    c: ChannelHandle,
    is_host: bool,
    pairs: Option<&[(i64, i64)]>,
) -> Result<Inferred> {
    s.operand_count(1)?;
    token(s, 0, "token")?;
    channel(c, is_host, HOST_TO_DEVICE, pairs)?;
    tensors_and_token(s, ["C2", "C3", "C4"])?;
    Ok(Inferred::Declared)
}

/// Shardings do not change types. Inside a manual computation shapes are those of one device.
pub(super) fn sdy(s: &Sig) -> Result<Inferred> {
    match s.op {
        Op::SdyShardingGroup => {
            s.operand_count(1)?;
            s.result_count(0)?;
            Inferred::many([], "sdy")
        }
        Op::SdyManualComputation => {
            s.region_count(1)?;
            let body = s.region(0)?;
            rule!(
                body.args.len() == s.operands.len(),
                "sdy",
                "the body takes {} arguments, but there are {} operands",
                body.args.len(),
                s.operands.len()
            );
            if let Some(results) = s.results {
                rule!(
                    body.results.len() == results.len(),
                    "sdy",
                    "the body returns {} values, but there are {} results",
                    body.results.len(),
                    results.len()
                );
            }
            Ok(Inferred::Declared)
        }
        Op::SdyNamedComputation { .. } => {
            s.region_count(1)?;
            let body = s.region(0)?;
            rule!(
                all_compatible(s.operands, &body.args),
                "sdy",
                "the body takes {}, but the operands are {}",
                show_types(&body.args),
                show_types(s.operands)
            );
            Inferred::many(body.results.iter().cloned(), "sdy")
        }
        _ => {
            s.operand_count(1)?;
            Inferred::many(s.operands.iter().cloned(), "sdy")
        }
    }
}

pub(super) fn check(s: &Sig, check: &Check) -> Result<Inferred> {
    match check {
        Check::ExpectEq | Check::ExpectAlmostEq(_) | Check::ExpectClose { .. } => {
            s.operand_count(2)?;
            let (a, b) = (s.tensor(0, "the first", Kinds::ANY)?, s.tensor(1, "the second", Kinds::ANY)?);
            rule!(
                super::compatible(&s.operands[0], &s.operands[1]),
                "check",
                "{a} cannot be compared with {b}"
            );
        }
        Check::ExpectEqConst(value) | Check::ExpectAlmostEqConst(value, _) => {
            s.operand_count(1)?;
            super::source::dense(value)?;
            let a = s.tensor(0, "the operand", Kinds::ANY)?;
            let same = value.ty.as_tensor().is_some_and(|b| super::dims::same_shape(a, b));
            rule!(same, "check", "{a} cannot be compared with {}", value.ty);
        }
        Check::ExpectSerializedEq { .. } => s.operand_count(1)?,
    }
    Inferred::many([], "check")
}

/// The operands of all programs in order, then all their results.
pub(super) fn run_parallel(s: &Sig, programs: &[Vec<Arc<[Arc<str>]>>]) -> Result<Inferred> {
    let label = "run_parallel";
    rule!(programs.iter().any(|row| !row.is_empty()), label, "there are no programs");
    rule!(
        programs.iter().all(|row| row.len() == programs[0].len()),
        label,
        "every replica must have the same number of partitions"
    );
    let (mut inputs, mut results) = (Vec::new(), Vec::new());
    for path in programs.iter().flatten() {
        let Some(f) = callee(s, path, label)? else { return Ok(Inferred::Declared) };
        inputs.extend(f.arg_types.iter().cloned());
        results.extend(f.result_types.iter().cloned());
    }
    rule!(
        inputs == s.operands,
        label,
        "the programs take {}, but the operands are {}",
        show_types(&inputs),
        show_types(s.operands)
    );
    Inferred::many(results, label)
}

pub(super) fn print(s: &Sig) -> Result<Inferred> {
    s.operand_count(1)?;
    Inferred::many([], "print")
}

pub(super) fn probe(s: &Sig) -> Result<Inferred> {
    s.plain(1)?;
    Inferred::many(s.operands.iter().cloned(), "probe")
}
