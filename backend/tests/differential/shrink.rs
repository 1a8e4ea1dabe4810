//! Makes a failing program small: one output, and of its operations only those without which the
//! failure disappears. What an operation that is cut away computed becomes an input.

use crate::compare::{Mismatch, check, run_here};
use crate::draw::Info;
use crate::jax::Jax;
use sim_core::ir::attr::Dense;
use sim_core::ir::module::{OpId, Operation, RegionId, ValueDef, ValueId};
use sim_core::ir::op::Check;
use sim_core::ir::{AttrDict, Function, Module, Op};
use sim_core::{Loc, Span, Tensor};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A program that fails.
pub struct Failing {
    pub module: Module,
    pub inputs: Vec<Tensor>,
    pub infos: Vec<Info>,
}

/// The smallest program found that still fails, and how.
pub fn shrink(jax: &mut Jax, from: Failing, mismatch: Mismatch) -> (Failing, Mismatch) {
    let (mut best, mut why) = (from, mismatch);
    if let Some(i) = why.output {
        narrow(jax, &mut best, &mut why, |j| j == i);
    }
    // A failure may take several outputs.
    for i in (0..best.infos.len()).rev() {
        if best.infos.len() > 1 {
            narrow(jax, &mut best, &mut why, |j| j != i);
        }
    }
    let Ok(values) = all_values(&best) else { return (best, why) };
    let mut ops = body(&best.module.functions[0]).to_vec();
    ops.reverse();
    for op in ops {
        if !body(&best.module.functions[0]).contains(&op) {
            continue;
        }
        let mut next =
            Failing { module: best.module.clone(), inputs: best.inputs.clone(), infos: best.infos.clone() };
        cut(&mut next, op, &values);
        clean(&mut next);
        if let Err(e) = check(jax, &next.module, &next.inputs, &next.infos) {
            (best, why) = (next, e);
        }
    }
    (best, why)
}

/// As a test file that checks itself against JAX's results.
pub fn file_test(jax: &mut Jax, failing: &Failing) -> String {
    let expected = jax.run(&failing.module, &failing.inputs).unwrap_or_default();
    let mut module = failing.module.clone();
    let f = main(&mut module);
    let region = f.body.expect("a body");
    let args = std::mem::take(&mut f.regions[region.index()].args);
    for (&v, t) in args.iter().zip(&failing.inputs).rev() {
        let op = Op::Constant(Arc::new(Dense { ty: t.ty(), value: t.clone(), splat: false }));
        let id = append(f, op, &[], &[v]);
        f.values[v.index()].def = ValueDef::Result(id, 0);
        f.regions[region.index()].ops.insert(0, id);
    }
    let results = std::mem::take(&mut f.regions[region.index()].results);
    for ((&v, t), info) in results.iter().zip(&expected).zip(&failing.infos) {
        let dense = Arc::new(Dense { ty: t.ty(), value: t.clone(), splat: false });
        let check =
            if info.exact() { Check::ExpectEqConst(dense) } else { Check::ExpectAlmostEqConst(dense, None) };
        let id = append(f, Op::Check(check), &[v], &[]);
        f.regions[region.index()].ops.push(id);
    }
    f.arg_types.clear();
    f.arg_attrs.clear();
    f.result_types.clear();
    f.result_attrs.clear();
    module.to_string()
}

fn append(f: &mut Function, op: Op, operands: &[ValueId], results: &[ValueId]) -> OpId {
    let id = OpId(f.ops.len() as u32);
    f.ops.push(Operation {
        op,
        operands: operands.into(),
        results: results.into(),
        regions: Default::default(),
        attrs: AttrDict::new(),
        loc: Loc::Unknown,
        span: Span::default(),
    });
    id
}

fn main(module: &mut Module) -> &mut Function {
    &mut module.functions[0]
}

fn body(f: &Function) -> &[OpId] {
    &f.region(f.body.expect("a body")).ops
}

/// Keeps only those outputs, if that fails still.
fn narrow(jax: &mut Jax, best: &mut Failing, why: &mut Mismatch, keep: impl Fn(usize) -> bool) {
    let mut next = Failing { module: best.module.clone(), inputs: best.inputs.clone(), infos: Vec::new() };
    next.infos.extend(best.infos.iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, info)| *info));
    let f = main(&mut next.module);
    let region = f.body.expect("a body");
    let results = f.region(region).results.iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, &v)| v);
    let results: Vec<ValueId> = results.collect();
    f.result_types = results.iter().map(|&v| f.ty(v).clone()).collect();
    f.result_attrs = vec![AttrDict::new(); results.len()];
    f.regions[region.index()].results = results;
    clean(&mut next);
    if let Err(e) = check(jax, &next.module, &next.inputs, &next.infos) {
        (*best, *why) = (next, e);
    }
}

/// What every operation of the body computes here, one by one.
fn all_values(failing: &Failing) -> Result<HashMap<ValueId, Tensor>, String> {
    let mut module = failing.module.clone();
    let f = main(&mut module);
    let region = f.body.expect("a body");
    let values: Vec<ValueId> = body(f).to_vec().iter().flat_map(|&op| f.op(op).results.to_vec()).collect();
    f.regions[region.index()].results = values.clone();
    f.result_types = values.iter().map(|&v| f.ty(v).clone()).collect();
    f.result_attrs = vec![AttrDict::new(); values.len()];
    let tensors = run_here(&module, &failing.inputs, true)?;
    Ok(values.into_iter().zip(tensors).collect())
}

/// Takes an operation away; its results become inputs.
fn cut(failing: &mut Failing, op: OpId, values: &HashMap<ValueId, Tensor>) {
    let f = main(&mut failing.module);
    let region = f.body.expect("a body");
    let results = f.op(op).results.clone();
    f.regions[region.index()].ops.retain(|&o| o != op);
    for v in results {
        let place = f.region(region).args.len() as u32;
        f.values[v.index()].def = ValueDef::Arg(region, place);
        f.regions[region.index()].args.push(v);
        f.arg_types.push(f.ty(v).clone());
        f.arg_attrs.push(AttrDict::new());
        failing.inputs.push(values[&v].clone());
    }
}

/// Takes away what nobody uses.
fn clean(failing: &mut Failing) {
    let f = main(&mut failing.module);
    let region = f.body.expect("a body");
    let mut used: HashSet<ValueId> = f.region(region).results.iter().copied().collect();
    let mut ops = f.region(region).ops.clone();
    ops.reverse();
    ops.retain(|&op| {
        let live = f.op(op).results.iter().any(|v| used.contains(v));
        if live {
            uses(f, op, &mut used);
        }
        live
    });
    ops.reverse();
    f.regions[region.index()].ops = ops;
    let keep: Vec<bool> = f.region(region).args.iter().map(|v| used.contains(v)).collect();
    let mut flags = keep.iter();
    f.regions[region.index()].args.retain(|_| *flags.next().unwrap_or(&true));
    let mut flags = keep.iter();
    f.arg_types.retain(|_| *flags.next().unwrap_or(&true));
    f.arg_attrs.truncate(f.arg_types.len());
    let mut flags = keep.iter();
    failing.inputs.retain(|_| *flags.next().unwrap_or(&true));
    for (i, v) in f.region(region).args.clone().into_iter().enumerate() {
        f.values[v.index()].def = ValueDef::Arg(region, i as u32);
    }
    let mut called: HashSet<Arc<str>> = HashSet::new();
    let mut todo: Vec<RegionId> = vec![region];
    while let Some(r) = todo.pop() {
        for &op in &f.region(r).ops {
            let op = f.op(op);
            todo.extend(&op.regions);
            if let Op::Call { callee } = &op.op {
                called.extend(callee.iter().cloned());
            }
        }
    }
    // Helpers call no helpers.
    failing.module.functions.retain(|f| &*f.name == "main" || called.contains(&f.name));
}

/// What an operation uses, in its regions too.
fn uses(f: &Function, op: OpId, used: &mut HashSet<ValueId>) {
    let mut todo = vec![op];
    while let Some(op) = todo.pop() {
        let op = f.op(op);
        used.extend(&op.operands);
        for &r in &op.regions {
            used.extend(&f.region(r).results);
            todo.extend(&f.region(r).ops);
        }
    }
}
