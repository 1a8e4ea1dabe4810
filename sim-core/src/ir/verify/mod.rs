//! Is a program well formed? Structure first (every value defined before it is used, in a region
//! that is open; every op and region in one place), then each operation's declared types against
//! the rules in [`crate::ir::infer`], then the functions: their results, the symbols they name, and
//! that no call leads back to itself.
//!
//! Time is linear in the program, and no step recurses over it: a file decides how deep it nests.

use crate::diag::{Diagnostic, Result};
use crate::dtype::ElementType;
use crate::ir::attr::Attr;
use crate::ir::infer::{self, RegionSig, Sig};
use crate::ir::module::{Function, Module, OpId, Operation, RegionId, ValueDef, ValueId};
use crate::ir::op::Op;
use crate::ir::symbols::{Scope, Symbols, show_path};
use crate::loc::Span;
use crate::types::{Dim, TensorType, Type};
use std::sync::Arc;

/// Regions and tuples nest no deeper than this, tensors have no more dimensions.
const MAX_NESTING: usize = 256;
const MAX_RANK: usize = 256;

/// Checks everything in a module and in the modules inside it.
///
/// # Errors
/// The first rule that does not hold: kind `Invalid`, with the operation and its place; `Unsupported`
/// for types that are not modelled and for programs beyond a limit.
pub fn verify_module(module: &Module) -> Result<()> {
    let symbols = Symbols::new(module)?;
    for (scope, f) in symbols.functions() {
        verify_in(f, Some(scope))?;
    }
    check_recursion(&symbols)
}

/// Checks one function by itself: the symbols it names are taken to be right.
///
/// # Errors
/// As [`verify_module`].
pub fn verify_function(f: &Function) -> Result<()> {
    verify_in(f, None)
}

fn verify_in(f: &Function, scope: Option<Scope>) -> Result<()> {
    let in_function = |e: Diagnostic| place(e.in_op("func.func", &f.loc), f.span);
    for ty in f.arg_types.iter().chain(&f.result_types) {
        check_type(ty).map_err(in_function)?;
    }
    let Some(body) = f.body else { return Ok(()) };
    let mut verifier = Verifier {
        f,
        scope,
        depth_of: vec![0; f.values.len()],
        seen_ops: vec![false; f.ops.len()],
        seen_regions: vec![false; f.regions.len()],
        stack: Vec::new(),
    };
    verifier.run(body).map_err(in_function)?;

    let region = f.region(body);
    let args: Vec<&Type> = region.args.iter().map(|&v| f.ty(v)).collect();
    let results: Vec<&Type> = region.results.iter().map(|&v| f.ty(v)).collect();
    if !args.iter().copied().eq(&f.arg_types) {
        let message = format!("the body of @{} does not take the declared arguments", f.name);
        return Err(in_function(Diagnostic::invalid(message)));
    }
    if results.len() != f.result_types.len() {
        let message = format!(
            "@{} declares {} results, but its body returns {}",
            f.name,
            f.result_types.len(),
            results.len()
        );
        return Err(in_function(Diagnostic::invalid(message).in_op("func.return", &region.return_loc)));
    }
    for (i, (want, got)) in f.result_types.iter().zip(results).enumerate() {
        if want != got {
            let message = format!("@{} declares result {i} as {want}, but its body returns {got}", f.name);
            return Err(in_function(Diagnostic::invalid(message).in_op("func.return", &region.return_loc)));
        }
    }
    Ok(())
}

/// Programs that were built, not read, have no span to show.
fn place(e: Diagnostic, span: Span) -> Diagnostic {
    if span == Span::default() { e } else { e.at(span) }
}

/// A region that is open.
struct Frame {
    region: RegionId,
    next_op: usize,
    next_region: usize,
    /// Values defined at this depth or above it are out of reach (`IsolatedFromAbove`).
    floor: u32,
}

struct Verifier<'a> {
    f: &'a Function,
    scope: Option<Scope<'a>>,
    /// The depth of the region that defines a value, 0 while it is not visible.
    depth_of: Vec<u32>,
    seen_ops: Vec<bool>,
    seen_regions: Vec<bool>,
    stack: Vec<Frame>,
}

/// What a step of the walk does.
enum Step {
    /// Look at the op; its regions are next.
    Enter(OpId),
    Descend(RegionId, OpId),
    /// All regions of the op are done.
    Leave(OpId),
    Close,
}

impl<'a> Verifier<'a> {
    fn run(&mut self, body: RegionId) -> Result<()> {
        self.open(body, 0)?;
        while let Some(top) = self.stack.last_mut() {
            let region = self.f.region(top.region);
            let step = match region.ops.get(top.next_op) {
                None => Step::Close,
                Some(&id) => {
                    let regions = self.f.ops.get(id.index()).map_or(&[][..], |op| &op.regions);
                    top.next_region += 1;
                    match top.next_region - 1 {
                        0 => Step::Enter(id),
                        i if i <= regions.len() => Step::Descend(regions[i - 1], id),
                        _ => {
                            (top.next_op, top.next_region) = (top.next_op + 1, 0);
                            Step::Leave(id)
                        }
                    }
                }
            };
            match step {
                Step::Enter(id) => self.enter(id)?,
                Step::Descend(region, id) => {
                    let op = self.f.op(id);
                    let isolated = matches!(
                        op.op,
                        Op::AsyncStart
                            | Op::Scan { .. }
                            | Op::SdyManualComputation
                            | Op::SdyNamedComputation { .. }
                    );
                    let floor = match self.stack.last() {
                        Some(_) if isolated => self.stack.len() as u32,
                        Some(top) => top.floor,
                        None => 0,
                    };
                    self.open(region, floor).map_err(|e| in_op(e, op))?;
                }
                Step::Leave(id) => self.leave(id)?,
                Step::Close => self.close()?,
            }
        }
        Ok(())
    }

    fn open(&mut self, id: RegionId, floor: u32) -> Result<()> {
        match self.seen_regions.get_mut(id.index()) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(broken_graph(format_args!("region {} stands in two places or in none", id.0))),
        }
        if self.stack.len() >= MAX_NESTING {
            return Err(Diagnostic::unsupported(format!("regions nest deeper than {MAX_NESTING}")));
        }
        self.stack.push(Frame { region: id, next_op: 0, next_region: 0, floor });
        for (i, &v) in self.f.region(id).args.iter().enumerate() {
            self.define(v, ValueDef::Arg(id, i as u32))?;
        }
        Ok(())
    }

    /// Makes a value visible, after checking its type.
    fn define(&mut self, v: ValueId, def: ValueDef) -> Result<()> {
        match self.f.values.get(v.index()) {
            Some(value) if value.def == def => check_type(&value.ty)?,
            _ => return Err(broken_graph(format_args!("value {} is not defined where it says", v.0))),
        }
        self.depth_of[v.index()] = self.stack.len() as u32;
        Ok(())
    }

    /// A value is used here.
    fn use_value(&self, v: ValueId, what: std::fmt::Arguments) -> Result<()> {
        let floor = self.stack.last().map_or(0, |top| top.floor);
        match self.depth_of.get(v.index()) {
            Some(&depth) if depth > floor => Ok(()),
            Some(&depth) if depth > 0 => Err(Diagnostic::invalid(format!(
                "{what} is defined outside of the region, which may only use its own arguments"
            ))),
            Some(_) => Err(Diagnostic::invalid(format!(
                "{what} is used before it is defined, or outside of the region that defines it"
            ))),
            None => Err(broken_graph(format_args!("{what} is no value of the function"))),
        }
    }

    fn enter(&mut self, id: OpId) -> Result<()> {
        match self.seen_ops.get_mut(id.index()) {
            Some(seen) if !*seen => *seen = true,
            _ => {
                return Err(broken_graph(format_args!("operation {} stands in two places or in none", id.0)));
            }
        }
        let op = self.f.op(id);
        for (i, &v) in op.operands.iter().enumerate() {
            self.use_value(v, format_args!("operand {i}")).map_err(|e| in_op(e, op))?;
        }
        Ok(())
    }

    fn leave(&mut self, id: OpId) -> Result<()> {
        let op = self.f.op(id);
        for (i, &v) in op.results.iter().enumerate() {
            self.define(v, ValueDef::Result(id, i as u32)).map_err(|e| in_op(e, op))?;
        }
        check_op(self.f, op, self.scope).map_err(|e| in_op(e, op))
    }

    /// What the region returns is visible; what it defined no longer is.
    fn close(&mut self) -> Result<()> {
        let Some(top) = self.stack.last() else { return Ok(()) };
        let region = self.f.region(top.region);
        for (i, &v) in region.results.iter().enumerate() {
            self.use_value(v, format_args!("returned value {i}"))
                .map_err(|e| e.in_op("return", &region.return_loc))?;
        }
        let results = region.ops.iter().flat_map(|&op| &self.f.op(op).results);
        for v in region.args.iter().chain(results) {
            self.depth_of[v.index()] = 0;
        }
        self.stack.pop();
        Ok(())
    }
}

fn in_op(e: Diagnostic, op: &Operation) -> Diagnostic {
    place(e.in_op(op.name(), &op.loc), op.span)
}

fn broken_graph(message: std::fmt::Arguments) -> Diagnostic {
    Diagnostic::invalid(format!("the program's graph is inconsistent: {message}"))
}

/// The declared types of one operation against its rules.
fn check_op(f: &Function, op: &Operation, scope: Option<Scope>) -> Result<()> {
    let types = |values: &[ValueId]| values.iter().map(|&v| f.ty(v).clone()).collect::<Vec<Type>>();
    let operands = types(&op.operands);
    let results = types(&op.results);
    let regions: Vec<RegionSig> = op
        .regions
        .iter()
        .map(|&r| RegionSig { args: types(&f.region(r).args), results: types(&f.region(r).results) })
        .collect();
    let constant = |i: usize| constant_operand(f, op, i);
    if matches!(op.op, Op::AsyncStart) {
        check_async_body(f, op)?;
    }
    infer::check_declared(&Sig {
        op: &op.op,
        operands: &operands,
        regions: &regions,
        results: Some(&results),
        scope,
        constant: &constant,
    })
}

/// The elements of an operand that is a short integer constant.
fn constant_operand(f: &Function, op: &Operation, i: usize) -> Option<Vec<i64>> {
    const SHORT: u64 = 1024;
    let ValueDef::Result(source, _) = f.value(*op.operands.get(i)?).def else { return None };
    let Op::Constant(dense) = &f.op(source).op else { return None };
    let t = dense.ty.as_tensor()?;
    let n = t.num_elements().filter(|&n| n <= SHORT)?;
    let whole = t.quant.is_none() && (t.element.is_integer() || t.element == ElementType::Pred);
    if !whole || dense.value.is_empty() != (n == 0) {
        return None;
    }
    let values = Attr::Dense(dense.clone()).as_i64s()?;
    (values.len() as u64 == n).then_some(values)
}

/// (C1) and (C2) of `async_start`.
fn check_async_body(f: &Function, op: &Operation) -> Result<()> {
    let body = op.regions.first().map_or(&[][..], |&r| &f.region(r).ops);
    let &[only] = body else {
        return Err(Diagnostic::invalid(format!(
            "(C1) the body must contain one operation, got {}",
            body.len()
        )));
    };
    let inner = &f.op(only).op;
    let allowed = matches!(
        inner,
        Op::AllReduce(_)
            | Op::AllGather { .. }
            | Op::AllToAll { .. }
            | Op::CollectivePermute { .. }
            | Op::ReduceScatter { .. }
            | Op::CollectiveBroadcast(_)
            | Op::CollectiveReduce(_)
            | Op::Slice { .. }
            | Op::DynamicSlice { .. }
            | Op::DynamicUpdateSlice
    );
    if allowed {
        return Ok(());
    }
    Err(Diagnostic::invalid(format!(
        "(C2) {} cannot run asynchronously; collectives and slices can",
        inner.name()
    )))
}

/// The constraints on a value's type itself.
fn check_type(ty: &Type) -> Result<()> {
    let mut todo = vec![(ty, 0)];
    while let Some((ty, depth)) = todo.pop() {
        if depth > MAX_NESTING {
            return Err(Diagnostic::unsupported(format!("tuples nest deeper than {MAX_NESTING}")));
        }
        match ty {
            Type::Tensor(t) | Type::Buffer(t) => check_tensor(t)?,
            Type::Token => {}
            Type::Tuple(parts) | Type::Future(parts) => todo.extend(parts.iter().map(|p| (p, depth + 1))),
            Type::Scalar(_) | Type::Quant(_) | Type::Function(_) | Type::None => {
                return Err(Diagnostic::invalid(format!("{ty} is not the type of a value"))
                    .help("scalars are 0-dimensional tensors, such as tensor<f32>"));
            }
            Type::Verbatim(text) => {
                return Err(Diagnostic::unsupported(format!("values of type {text} are not modelled")));
            }
        }
    }
    Ok(())
}

fn check_tensor(t: &TensorType) -> Result<()> {
    if t.rank() > MAX_RANK {
        return Err(Diagnostic::unsupported(format!(
            "a tensor has {} dimensions, more than {MAX_RANK}",
            t.rank()
        )));
    }
    for d in &t.dims {
        if let Dim::Static(n) | Dim::Bounded(n) = *d
            && n < 0
        {
            return Err(Diagnostic::invalid(format!("{t} has a negative dimension")));
        }
    }
    // So that no product of sizes overflows, not even in a tensor that a zero makes empty.
    let mut sizes = t.dims.iter().filter_map(|d| d.as_static()).filter(|&n| n != 0);
    let bytes = sizes.try_fold(t.element.byte_size() as i64, |n, d| n.checked_mul(d));
    if bytes.is_none() {
        return Err(Diagnostic::resource(format!("a tensor of type {t} is larger than the address space")));
    }
    match &t.quant {
        Some(q) => infer::check_quantized(q, t).map_err(|e| e.note(format!("in the type {t}"))),
        None => Ok(()),
    }
}

/// Programs are finite: no function may call itself, however many calls are between.
fn check_recursion(symbols: &Symbols) -> Result<()> {
    let mut calls: Vec<Vec<(usize, &Operation)>> = Vec::new();
    let mut names: Vec<&Function> = Vec::new();
    for (scope, f) in symbols.functions() {
        let mut callees = Vec::new();
        for op in &f.ops {
            for path in called(&op.op) {
                if let Some((callee, _)) = scope.function(path) {
                    callees.push((callee, op));
                }
            }
        }
        calls.push(callees);
        names.push(f);
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Color {
        New,
        Open,
        Done,
    }
    let mut color = vec![Color::New; calls.len()];
    for root in 0..calls.len() {
        if color[root] != Color::New {
            continue;
        }
        color[root] = Color::Open;
        let mut path = vec![(root, 0)];
        while let Some((f, next)) = path.last_mut() {
            let f = *f;
            let Some(&(callee, op)) = calls[f].get(*next) else {
                color[f] = Color::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match color[callee] {
                Color::Done => {}
                Color::New => {
                    color[callee] = Color::Open;
                    path.push((callee, 0));
                }
                Color::Open => {
                    let from = path.iter().position(|&(g, _)| g == callee).unwrap_or(0);
                    let mut ring: Vec<_> = path[from..].iter().map(|&(g, _)| names[g].name.clone()).collect();
                    ring.push(names[callee].name.clone());
                    // A long ring is told by its ends.
                    if ring.len() > 8 {
                        ring.splice(4..ring.len() - 3, [Arc::from("…")]);
                    }
                    let ring = ring.iter().map(|n| show_path(std::slice::from_ref(n))).collect::<Vec<_>>();
                    let message = format!("recursion is not allowed: {}", ring.join(" calls "));
                    return Err(in_op(Diagnostic::invalid(message), op));
                }
            }
        }
    }
    Ok(())
}

/// The functions that an operation names.
fn called(op: &Op) -> Vec<&[Arc<str>]> {
    match op {
        Op::Call { callee } => vec![callee],
        Op::Composite { decomposition, .. } => vec![decomposition],
        Op::CustomCall(c) => c.called_computations.iter().map(|p| &**p).collect(),
        Op::RunParallel { programs, infeed } => {
            programs.iter().flatten().chain(infeed).map(|p| &**p).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
