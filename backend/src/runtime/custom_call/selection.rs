//! The best elements of a dimension: `TopK`, `mhlo.topk`, `ApproxTopK`, `PartialReduce`, and their
//! forms with k as an operand.
//!
//! The approximate ones are exact here: a TPU may miss some of the best (`recall_target` says how
//! many), in a way that no document describes, so an exact answer is the one that every program which
//! accepts the approximation must accept. Without `aggregate_to_topk` a TPU leaves the best of each of
//! its bins, in the order of the bins; here as many of the best are given, the best first.

use super::Call;
use crate::plan::FunctionPlan;
use crate::runtime::Value;
use crate::runtime::frame::Frame;
use crate::runtime::ops::index_scalar;
use sim_core::exec::RegionFn;
use sim_core::ir::RegionId;
use sim_core::{ElementType, Result, Tensor};
use sparsecore::sort;

pub(super) const TARGETS: &[&str] = &[
    "TopK",
    "mhlo.topk",
    "stablehlo.dynamic_top_k",
    "ApproxTopK",
    "stablehlo.dynamic_approx_top_k",
    "PartialReduce",
];

pub(super) fn call(c: &Call, operands: &[Value]) -> Result<Option<Vec<Value>>> {
    Ok(Some(match c.target() {
        "TopK" | "mhlo.topk" => {
            let [x] = c.tensors(operands)?;
            // k is what the results' last dimension says, and `k` where that is not known.
            let declared = c.declared()?.first().and_then(|t| t.dims.last()?.as_static());
            let k = declared.or_else(|| c.int("k")).ok_or_else(|| c.invalid("k is not known"))?;
            top_k(c, x, k)?
        }
        "stablehlo.dynamic_top_k" => {
            let [x, k] = c.tensors(operands)?;
            top_k(c, x, index_scalar(k)?)?
        }
        "ApproxTopK" | "stablehlo.dynamic_approx_top_k" | "PartialReduce" => best(c, operands)?,
        _ => return Ok(None),
    }))
}

fn top_k(c: &Call, x: &Tensor, k: i64) -> Result<Vec<Value>> {
    let mut largest = c.flag("largest").unwrap_or(true);
    if !c.call.called_computations.is_empty() {
        let (f, region) = c.computation()?;
        if let Some([key, ..]) = sort::recognise(&f.function, region).as_deref() {
            largest = key.descending;
        }
    }
    let (values, positions) = sparsecore::top_k(c.ctx(), x, k, largest)?;
    c.results(vec![values, positions])
}

/// Operands of one shape, an initial value for each, and (of the dynamic form) k. The
/// called computation compares.
fn best(c: &Call, operands: &[Value]) -> Result<Vec<Value>> {
    let mut tensors = operands.iter().map(Value::as_tensor).collect::<Result<Vec<_>>>()?;
    let mut k = c.int("top_k");
    if c.target() == "stablehlo.dynamic_approx_top_k" {
        k = Some(index_scalar(tensors.pop().ok_or_else(|| c.invalid("k is missing"))?)?);
    }
    let pairs = tensors.len() / 2;
    let (inputs, inits) = tensors.split_at(pairs);
    let dim = c.int("reduction_dim").and_then(|d| usize::try_from(d).ok());
    let (Some(first), Some(dim)) = (inputs.first(), dim) else {
        return Err(c.invalid("it needs operands, their initial values, and a reduction_dim"));
    };
    let Some(&size) = first.shape().get(dim) else {
        return Err(c.invalid(format_args!("there is no dimension {dim} in {}", first.ty())));
    };
    let fits = inits.len() == pairs
        && inputs.iter().all(|t| t.shape() == first.shape())
        && inputs.iter().zip(inits).all(|(t, init)| init.len() == 1 && init.element() == t.element());
    if !fits {
        return Err(c.invalid("operands and initial values do not fit each other"));
    }
    // What a TPU leaves without aggregation is known from the declared shape only.
    let declared = c.declared()?.first().and_then(|t| t.dims.get(dim)?.as_static());
    let aggregate = c.target() != "PartialReduce" && c.flag("aggregate_to_topk").unwrap_or(true);
    let k = if aggregate { k.or(declared) } else { declared.or(k) };
    let k = k.filter(|&k| k >= 0).ok_or_else(|| c.invalid("k is not known, or negative"))?;

    let (f, region) = c.computation()?;
    let sorted = sorted(c, inputs, dim, f, region)?;
    let mut out = Vec::with_capacity(pairs);
    for (t, init) in sorted.iter().zip(inits) {
        let (start, step) = (vec![0; t.rank()], vec![1; t.rank()]);
        let mut limit: Vec<i64> = t.shape().iter().map(|&n| n as i64).collect();
        limit[dim] = k.min(size as i64);
        let mut t = hbm::slice(c.ctx(), t, &start, &limit, &step)?;
        if k > size as i64 {
            let mut high = start.clone();
            high[dim] = k - size as i64;
            t = hbm::pad(c.ctx(), &t, &(*init).clone().reshaped(&[]), &start, &high, &start)?;
        }
        out.push(t);
    }
    c.results(out)
}

fn sorted(
    c: &Call,
    inputs: &[&Tensor],
    dim: usize,
    f: &FunctionPlan,
    region: RegionId,
) -> Result<Vec<Tensor>> {
    let inputs: Vec<Tensor> = inputs.iter().map(|&t| t.clone()).collect();
    let comparator = c.process.region_fn(f, region, &Frame::new(&f.function, 0))?;
    let (args, verdict) = comparator.signature();
    let wanted: Vec<ElementType> = inputs.iter().flat_map(|t| [t.element(); 2]).collect();
    if args != wanted || verdict != [ElementType::Pred] {
        return Err(
            c.invalid(format_args!("its computation compares {args:?}, and the operands are {wanted:?}"))
        );
    }
    let keys = sort::recognise(&f.function, region);
    let out = sort::sort(c.ctx(), &inputs, dim, keys.as_deref(), &comparator)?;
    comparator.finish()?;
    Ok(out)
}
