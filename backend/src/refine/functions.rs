//! Functions: one copy for each list of argument types (and of known numbers) that is called.

use super::types;
use super::walk::Walk;
use crate::plan::inline::callees;
use crate::runtime::Evaluator;
use sim_core::ir::symbols::{Scope, Symbols};
use sim_core::ir::{AttrDict, Function, FunctionBuilder, Op, Operation, ValueId};
use sim_core::{Diagnostic, Loc, Result, Tensor, Type};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

type Path = Arc<[Arc<str>]>;

/// All copies together have at most this many operations.
const MAX_OPERATIONS: usize = 1 << 20;

/// Calls and regions, taken together, nest at most this deep: each takes a few kilobytes of stack.
const MAX_DEPTH: usize = 8192;

/// What has been rewritten, and what is known of the program.
pub struct Specializer<'m> {
    functions: Vec<(Scope<'m>, &'m Function)>,
    /// By function: does it, or anything it calls, have a value of unknown size?
    dynamic: Vec<bool>,
    pub evaluator: Evaluator,
    copies: HashMap<String, Copy>,
    names: HashSet<Arc<str>>,
    /// By function: the number that the next copy's name may have.
    numbered: HashMap<Arc<str>, usize>,
    /// In order of first call; `None` while it is being made.
    out: Vec<Option<Function>>,
    budget: usize,
    depth: usize,
}

/// A function for given arguments.
#[derive(Clone)]
struct Copy {
    path: Path,
    results: Vec<Type>,
    /// Results that are constants.
    known: Vec<Option<Tensor>>,
}

impl<'m> Specializer<'m> {
    pub fn new(symbols: &'m Symbols<'m>, evaluator: Evaluator) -> Self {
        let functions: Vec<_> = symbols.functions().collect();
        Specializer {
            dynamic: dynamic_functions(&functions),
            functions,
            evaluator,
            copies: HashMap::new(),
            names: HashSet::new(),
            numbered: HashMap::new(),
            out: Vec::new(),
            budget: MAX_OPERATIONS,
            depth: 0,
        }
    }

    /// One more operation.
    ///
    /// # Errors
    /// Resource: too many. Interrupted.
    pub fn spend(&mut self) -> Result<()> {
        self.evaluator.check_stop()?;
        self.budget = self.budget.checked_sub(1).ok_or_else(|| {
            Diagnostic::resource(format!(
                "the program for these shapes has more than {MAX_OPERATIONS} operations"
            ))
            .help("a function is copied for every shape that it is called with: call it with fewer")
        })?;
        Ok(())
    }

    /// Into a call or a region; [`Self::ascend`] leaves it.
    ///
    /// # Errors
    /// Unsupported: too deep.
    pub fn descend(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Diagnostic::unsupported(format!(
                "calls and regions nest more than {MAX_DEPTH} deep"
            )));
        }
        Ok(())
    }

    pub fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// The function that a path names, seen from `scope`.
    pub fn function(&self, scope: Scope<'m>, path: &Path) -> Result<(Scope<'m>, &'m Function)> {
        Ok(self.functions[number_in(scope, path)?])
    }

    /// Rewrites the entry.
    pub fn entry(&mut self, number: usize, args: &[Type], known: &[Option<Tensor>]) -> Result<()> {
        self.names.insert(self.functions[number].1.name.clone());
        self.copy(number, args, known, false).map(|_| ())
    }

    pub fn finish(self) -> Vec<Function> {
        self.out.into_iter().flatten().collect()
    }

    /// The copy of a function for arguments of these types. Known arguments are constants inside; `drop`:
    /// they are no arguments of the copy.
    fn copy(&mut self, number: usize, args: &[Type], known: &[Option<Tensor>], drop: bool) -> Result<Copy> {
        let (scope, f) = self.functions[number];
        let mut key = format!("{number} {drop}");
        for (ty, value) in args.iter().zip(known) {
            key += &format!(" {ty} {:?}", value.as_ref().map(|t| t.bytes().to_vec()));
        }
        if let Some(copy) = self.copies.get(&key) {
            return Ok(copy.clone());
        }
        self.descend().map_err(|e| e.note(format!("in a call of @{}", f.name)))?;
        let slot = self.out.len();
        self.out.push(None);
        let name = if slot == 0 { f.name.clone() } else { self.fresh(&f.name) };
        let (function, known_results) = self.rewrite(scope, f, &name, args, known, drop)?;
        self.ascend();
        let copy = Copy { path: [name].into(), results: function.result_types.clone(), known: known_results };
        self.out[slot] = Some(function);
        self.copies.insert(key, copy.clone());
        Ok(copy)
    }

    /// A name that no other copy has.
    fn fresh(&mut self, name: &Arc<str>) -> Arc<str> {
        let mut candidate = name.clone();
        // Not from 0 each time: there may be 100,000 copies.
        let next = self.numbered.entry(name.clone()).or_default();
        while !self.names.insert(candidate.clone()) {
            candidate = format!("{name}_{next}").into();
            *next += 1;
        }
        candidate
    }

    fn rewrite(
        &mut self,
        scope: Scope<'m>,
        f: &'m Function,
        name: &Arc<str>,
        args: &[Type],
        known: &[Option<Tensor>],
        drop: bool,
    ) -> Result<(Function, Vec<Option<Tensor>>)> {
        let mut b = FunctionBuilder::new(name.clone());
        let dropped = |i: usize| drop && known[i].is_some();
        let kept: Vec<usize> = (0..args.len()).filter(|&i| !dropped(i)).collect();
        let mut kept_types = Vec::with_capacity(kept.len());
        for &i in &kept {
            kept_types.push(types::merge(&args[i], &f.arg_types[i])?);
        }
        {
            let new = b.function_mut();
            new.visibility = f.visibility;
            new.arg_types = kept_types.clone();
            new.arg_attrs = kept.iter().map(|&i| f.arg_attrs.get(i).cloned().unwrap_or_default()).collect();
            new.result_attrs = f.result_attrs.clone();
            new.attrs = f.attrs.clone();
            new.loc = f.loc.clone();
            new.span = f.span;
        }
        let Some(body) = f.body else {
            // A declaration: whoever calls it finds out at run time.
            let mut out = f.clone();
            out.name = name.clone();
            return Ok((out, vec![None; f.result_types.len()]));
        };
        let old = f.region(body);
        let with_locs = kept_types
            .iter()
            .zip(&kept)
            .map(|(ty, &i)| (ty.clone(), old.args.get(i).map_or(Loc::Unknown, |&v| f.value(v).loc.clone())));
        let region = b.open_region(with_locs.collect::<Vec<_>>());
        b.function_mut().body = Some(region);
        let new_args = b.function().region(region).args.clone();
        let mut walk = Walk {
            spec: self,
            scope,
            f,
            b,
            map: vec![None; f.values.len()],
            known: HashMap::new(),
            conditional: 0,
        };
        for (&i, &v) in kept.iter().zip(&new_args) {
            walk.map[old.args[i].index()] = Some(v);
        }
        for (i, value) in known.iter().enumerate() {
            if let Some(value) = value {
                let at = old.args[i];
                let v = walk.argument_constant(value.clone(), &f.value(at).loc);
                walk.map[at.index()] = Some(v);
            }
        }
        let results = walk.operations(body)?;
        let known_results = results.iter().map(|&v| walk.known(v).cloned()).collect();
        let mut result_types = walk.types_of(&results);
        for (ty, declared) in result_types.iter_mut().zip(&f.result_types) {
            *ty = types::merge(ty, declared).map_err(|e| e.in_op("func.return", &old.return_loc))?;
        }
        let mut b = walk.b;
        b.close_region(&results, old.return_loc.clone(), old.return_attrs.clone());
        b.function_mut().result_types = result_types;
        Ok((b.finish(), known_results))
    }
}

fn number_in(scope: Scope<'_>, path: &Path) -> Result<usize> {
    scope
        .function(path)
        .map(|(number, _)| number)
        .ok_or_else(|| Diagnostic::invalid(format!("there is no function @{}", path.join("::@"))))
}

/// By function: does it, or what it calls, have a value of unknown size? Callees are looked at before
/// their callers, without recursion; the verifier has seen to it that there are no cycles.
fn dynamic_functions(functions: &[(Scope<'_>, &Function)]) -> Vec<bool> {
    let mut dynamic: Vec<bool> =
        functions.iter().map(|(_, f)| f.values.iter().any(|v| super::unknown(&v.ty))).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
    for (caller, (scope, f)) in functions.iter().enumerate() {
        for path in callees(f) {
            if let Some((callee, _)) = scope.function(&path) {
                callers[callee].push(caller);
            }
        }
    }
    let mut todo: Vec<usize> = (0..functions.len()).filter(|&i| dynamic[i]).collect();
    while let Some(i) = todo.pop() {
        for &caller in &callers[i] {
            if !std::mem::replace(&mut dynamic[caller], true) {
                todo.push(caller);
            }
        }
    }
    dynamic
}

impl<'m> Walk<'_, 'm> {
    /// `func.call`. A callee that works with shapes is rewritten for the numbers that are known as
    /// well: they are no arguments any more. So is one whose arguments are all known, since what it
    /// returns then is, too.
    pub fn call(&mut self, op: &'m Operation, callee: &Path, operands: &[ValueId]) -> Result<Vec<ValueId>> {
        let number = self.number(callee)?;
        let mut known: Vec<Option<Tensor>> = operands.iter().map(|&v| self.known(v).cloned()).collect();
        if !self.spec.dynamic[number] && known.iter().any(Option::is_none) {
            known.fill(None);
        }
        if self.spec.functions[number].1.body.is_none() {
            known.fill(None);
        }
        let copy = self.spec.copy(number, &self.types_of(operands), &known, true)?;
        let kept: Vec<ValueId> =
            operands.iter().zip(&known).filter(|(_, k)| k.is_none()).map(|(&v, _)| v).collect();
        let new = Op::Call { callee: copy.path.clone() };
        let results = self.push(new, &kept, copy.results, &[], op.attrs.clone(), op);
        Ok(results
            .into_iter()
            .zip(copy.known)
            .map(|(v, value)| value.map_or(v, |value| self.constant(value, op)))
            .collect())
    }

    /// Operations that name functions and hand them all their operands: `composite`, `run_parallel`.
    pub fn named(&mut self, op: &'m Operation, operands: &[ValueId]) -> Result<Vec<ValueId>> {
        let types = self.types_of(operands);
        let mut results = self.declared(op);
        let mut new = op.op.clone();
        match &mut new {
            Op::Composite { decomposition, .. } => {
                let copy =
                    self.spec.copy(self.number(decomposition)?, &types, &vec![None; types.len()], false)?;
                *decomposition = copy.path;
                results = copy.results;
            }
            Op::RunParallel { programs, infeed } => {
                let mut rest = &types[..];
                for path in programs.iter_mut().flatten() {
                    let number = self.number(path)?;
                    let n = self.spec.functions[number].1.arg_types.len().min(rest.len());
                    let (args, more) = rest.split_at(n);
                    rest = more;
                    *path = self.spec.copy(number, args, &vec![None; n], false)?.path;
                }
                for path in infeed.iter_mut() {
                    *path = self.as_declared(path)?;
                }
            }
            _ => {}
        }
        Ok(self.push(new, operands, results, &[], op.attrs.clone(), op))
    }

    /// The path to a copy of a function for the arguments that it declares.
    pub fn as_declared(&mut self, path: &Path) -> Result<Path> {
        let number = self.number(path)?;
        let types = self.spec.functions[number].1.arg_types.clone();
        Ok(self.spec.copy(number, &types, &vec![None; types.len()], false)?.path)
    }

    fn number(&self, path: &Path) -> Result<usize> {
        number_in(self.scope, path)
    }

    /// The constant that an argument is.
    fn argument_constant(&mut self, value: Tensor, loc: &Loc) -> ValueId {
        let place = Operation {
            op: Op::OptimizationBarrier,
            operands: Default::default(),
            results: Default::default(),
            regions: Default::default(),
            attrs: AttrDict::new(),
            loc: loc.clone(),
            span: Default::default(),
        };
        self.constant(value, &place)
    }
}
