//! Copies called functions into their callers, where that stays small.

use sim_core::ir::{AttrDict, Function, FunctionBuilder, Module, Op, RegionId, ValueId};
use sim_core::{Diagnostic, Result};
use std::collections::HashMap;
use std::sync::Arc;

type Path = Arc<[Arc<str>]>;

/// A callee of at most this many operations is always copied; a larger one only where the caller
/// has a single call of it. Together with [`MAX_GROWTH`] this bounds the growth.
const SMALL: usize = 256;

/// All of a program's functions together grow by at most this many operations.
pub const MAX_GROWTH: usize = 1 << 20;

/// Calls are inlined into one another at most this deep (the copier recurses).
const MAX_DEPTH: usize = 64;

/// The functions that operations of `f` name: calls, composites, parallel programs.
pub fn callees(f: &Function) -> Vec<Path> {
    let mut out = Vec::new();
    for op in &f.ops {
        match &op.op {
            Op::Call { callee } => out.push(callee.clone()),
            Op::Composite { decomposition, .. } => out.push(decomposition.clone()),
            Op::RunParallel { programs, infeed } => {
                out.extend(programs.iter().flatten().cloned());
                out.extend(infeed.iter().cloned());
            }
            Op::CustomCall(c) => out.extend(c.called_computations.iter().cloned()),
            _ => {}
        }
    }
    out
}

/// `source` with its calls and composites replaced by what they call, as far as the limits allow.
/// `budget`: operations that may still be added, [`MAX_GROWTH`] at first.
///
/// # Errors
/// A callee that does not exist.
pub fn inline(module: &Module, source: &Function, budget: &mut usize) -> Result<Function> {
    let mut calls: HashMap<Path, usize> = HashMap::new();
    for path in callees(source) {
        *calls.entry(path).or_default() += 1;
    }
    let mut copier = Copier { module, calls, budget, depth: 0 };
    let mut b = FunctionBuilder::new(source.name.clone());
    {
        let f = b.function_mut();
        f.visibility = source.visibility;
        f.arg_attrs = source.arg_attrs.clone();
        f.result_types = source.result_types.clone();
        f.result_attrs = source.result_attrs.clone();
        f.attrs = source.attrs.clone();
        f.loc = source.loc.clone();
        f.span = source.span;
    }
    let Some(body) = source.body else { return Ok(source.clone()) };
    let args = b.open_body(&source.arg_types);
    let mut map = vec![None; source.values.len()];
    for (&old, new) in source.region(body).args.iter().zip(args) {
        map[old.index()] = Some(new);
    }
    let results = copier.block(source, body, &mut map, &mut b)?;
    b.close_region(&results, source.region(body).return_loc.clone(), AttrDict::new());
    Ok(b.finish())
}

struct Copier<'m> {
    module: &'m Module,
    calls: HashMap<Path, usize>,
    budget: &'m mut usize,
    depth: usize,
}

impl Copier<'_> {
    /// Copies the operations of `region` into the open region of `b`; gives its results there.
    fn block(
        &mut self,
        f: &Function,
        region: RegionId,
        map: &mut Vec<Option<ValueId>>,
        b: &mut FunctionBuilder,
    ) -> Result<Vec<ValueId>> {
        let find = |map: &[Option<ValueId>], v: ValueId| {
            map[v.index()].ok_or_else(|| Diagnostic::invalid("a value is used before it is defined"))
        };
        for &id in &f.region(region).ops {
            let op = f.op(id);
            let operands = op.operands.iter().map(|&v| find(map, v)).collect::<Result<Vec<_>>>()?;
            let callee = match &op.op {
                Op::Call { callee } => Some(callee),
                Op::Composite { decomposition, .. } => Some(decomposition),
                _ => None,
            };
            if let Some(path) = callee {
                let target = self.module.lookup(path).ok_or_else(|| {
                    Diagnostic::invalid(format!("there is no function @{}", path.join("::@")))
                        .in_op(op.name(), &op.loc)
                        .at(op.span)
                })?;
                if let Some(body) = target.body
                    && self.accepts(path, target)
                {
                    *self.budget -= target.ops.len().max(1); // a call costs, even of nothing
                    let mut inner = vec![None; target.values.len()];
                    for (&arg, &v) in target.region(body).args.iter().zip(&operands) {
                        inner[arg.index()] = Some(v);
                    }
                    self.depth += 1;
                    let results = self.block(target, body, &mut inner, b)?;
                    self.depth -= 1;
                    for (&old, new) in op.results.iter().zip(results) {
                        map[old.index()] = Some(new);
                    }
                    continue;
                }
            }
            let mut regions = Vec::with_capacity(op.regions.len());
            for &r in &op.regions {
                let args = f.region(r).args.iter().map(|&v| (f.ty(v).clone(), f.value(v).loc.clone()));
                let new = b.open_region(args.collect::<Vec<_>>());
                for (&old, &v) in f.region(r).args.iter().zip(&b.function().region(new).args.clone()) {
                    map[old.index()] = Some(v);
                }
                let results = self.block(f, r, map, b)?;
                b.close_region(&results, f.region(r).return_loc.clone(), f.region(r).return_attrs.clone());
                regions.push(new);
            }
            let types = op.results.iter().map(|&v| f.ty(v).clone()).collect::<Vec<_>>();
            let new =
                b.push(op.op.clone(), &operands, types, &regions, op.attrs.clone(), op.loc.clone(), op.span);
            for (i, &old) in op.results.iter().enumerate() {
                map[old.index()] = Some(b.function().op(new).results[i]);
            }
        }
        f.region(region).results.iter().map(|&v| find(map, v)).collect()
    }

    fn accepts(&self, path: &Path, target: &Function) -> bool {
        let once = self.depth == 0 && self.calls.get(path) == Some(&1);
        self.depth < MAX_DEPTH
            && target.ops.len().max(1) <= *self.budget
            && (target.ops.len() <= SMALL || once)
    }
}
