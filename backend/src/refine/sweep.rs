//! What nobody needs any more: constants that became attributes, sizes that became constants, functions
//! that became numbers.

use crate::plan::inline::callees;
use sim_core::ir::{Function, FunctionBuilder, Op, OpId, RegionId, ValueDef, ValueId};
use std::collections::HashMap;
use std::sync::Arc;

/// The functions that the first one reaches, without operations whose results are not used and that
/// have no effect.
pub fn sweep(functions: Vec<Function>) -> Vec<Function> {
    let index: HashMap<Arc<str>, usize> =
        functions.iter().enumerate().map(|(i, f)| (f.name.clone(), i)).collect();
    let effects = effectful(&functions, &index);
    let mut out: Vec<Function> = functions
        .iter()
        .map(|f| {
            let live = live_operations(f, &|op| has_effect(op, &index, &effects));
            compact(f, &live)
        })
        .collect();
    let mut reached = vec![false; out.len()];
    let mut todo = vec![0];
    while let Some(i) = todo.pop() {
        let Some(f) = out.get(i) else { continue };
        if !std::mem::replace(&mut reached[i], true) {
            todo.extend(callees(f).iter().filter_map(|path| index.get(path.first()?).copied()));
        }
    }
    let mut reached = reached.into_iter();
    out.retain(|_| reached.next() == Some(true));
    out
}

fn has_effect(op: &Op, index: &HashMap<Arc<str>, usize>, effects: &[bool]) -> bool {
    let called = match op {
        Op::Call { callee } => Some(callee),
        Op::Composite { decomposition, .. } => Some(decomposition),
        _ => None,
    };
    let calls = called.and_then(|path| index.get(path.first()?));
    op.has_side_effect() || calls.is_some_and(|&i| effects[i])
}

/// By function: does calling it do more than give its results?
fn effectful(functions: &[Function], index: &HashMap<Arc<str>, usize>) -> Vec<bool> {
    let mut effects: Vec<bool> = functions
        .iter()
        .map(|f| f.body.is_none() || f.ops.iter().any(|op| op.op.has_side_effect()))
        .collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
    for (caller, f) in functions.iter().enumerate() {
        for path in callees(f) {
            if let Some(&callee) = path.first().and_then(|name| index.get(name)) {
                callers[callee].push(caller);
            }
        }
    }
    let mut todo: Vec<usize> = (0..functions.len()).filter(|&i| effects[i]).collect();
    while let Some(i) = todo.pop() {
        for &caller in &callers[i] {
            if !std::mem::replace(&mut effects[caller], true) {
                todo.push(caller);
            }
        }
    }
    effects
}

/// By operation: its result is used, or it has an effect, or something in it does.
fn live_operations(f: &Function, has_effect: &dyn Fn(&Op) -> bool) -> Vec<bool> {
    let mut live = vec![false; f.ops.len()];
    let Some(body) = f.body else { return live };
    // The operation around a region, and the region around an operation.
    let mut parent_op: Vec<Option<OpId>> = vec![None; f.regions.len()];
    let mut order: Vec<OpId> = Vec::new();
    let mut regions = vec![body];
    while let Some(r) = regions.pop() {
        for &id in &f.region(r).ops {
            order.push(id);
            for &inner in &f.op(id).regions {
                parent_op[inner.index()] = Some(id);
                regions.push(inner);
            }
        }
    }
    let mut region_of: Vec<Option<RegionId>> = vec![None; f.ops.len()];
    for (r, region) in f.regions.iter().enumerate() {
        for &id in &region.ops {
            region_of[id.index()] = Some(RegionId(r as u32));
        }
    }
    let mut todo: Vec<OpId> = order.into_iter().filter(|&id| has_effect(&f.op(id).op)).collect();
    let definition = |v: &ValueId| match f.value(*v).def {
        ValueDef::Result(id, _) => Some(id),
        ValueDef::Arg(..) => None,
    };
    todo.extend(f.region(body).results.iter().filter_map(definition));
    while let Some(id) = todo.pop() {
        if std::mem::replace(&mut live[id.index()], true) {
            continue;
        }
        let op = f.op(id);
        todo.extend(op.operands.iter().filter_map(definition));
        for &r in &op.regions {
            todo.extend(f.region(r).results.iter().filter_map(definition));
        }
        todo.extend(region_of[id.index()].and_then(|r| parent_op[r.index()]));
    }
    live
}

/// The function with its live operations only, and arenas that hold nothing else.
fn compact(f: &Function, live: &[bool]) -> Function {
    let Some(body) = f.body else { return f.clone() };
    let mut b = FunctionBuilder::new(f.name.clone());
    {
        let new = b.function_mut();
        new.visibility = f.visibility;
        new.arg_types = f.arg_types.clone();
        new.arg_attrs = f.arg_attrs.clone();
        new.result_types = f.result_types.clone();
        new.result_attrs = f.result_attrs.clone();
        new.attrs = f.attrs.clone();
        new.loc = f.loc.clone();
        new.span = f.span;
    }
    let mut map: Vec<Option<ValueId>> = vec![None; f.values.len()];
    let region = copy_region(f, body, live, &mut map, &mut b);
    b.function_mut().body = Some(region);
    b.finish()
}

fn copy_region(
    f: &Function,
    region: RegionId,
    live: &[bool],
    map: &mut Vec<Option<ValueId>>,
    b: &mut FunctionBuilder,
) -> RegionId {
    let old = f.region(region);
    let args = old.args.iter().map(|&v| (f.ty(v).clone(), f.value(v).loc.clone()));
    let new = b.open_region(args.collect::<Vec<_>>());
    for (old, &v) in old.args.iter().zip(&b.function().region(new).args.clone()) {
        map[old.index()] = Some(v);
    }
    // A live operation's operands are live, so that every value here has been mapped.
    let find = |map: &[Option<ValueId>], values: &[ValueId]| -> Vec<ValueId> {
        values.iter().filter_map(|v| map[v.index()]).collect()
    };
    for &id in old.ops.iter().filter(|id| live[id.index()]) {
        let op = f.op(id);
        let operands = find(map, &op.operands);
        let regions: Vec<RegionId> = op.regions.iter().map(|&r| copy_region(f, r, live, map, b)).collect();
        let types: Vec<_> = op.results.iter().map(|&v| f.ty(v).clone()).collect();
        let new =
            b.push(op.op.clone(), &operands, types, &regions, op.attrs.clone(), op.loc.clone(), op.span);
        for (i, &old) in op.results.iter().enumerate() {
            map[old.index()] = Some(b.function().op(new).results[i]);
        }
    }
    let results = find(map, &old.results);
    b.close_region(&results, old.return_loc.clone(), old.return_attrs.clone())
}
