//! A [`Module`] of the IR as HLO: what XLA's own conversion of StableHLO makes, instruction by
//! instruction.
//!
//! * Functions and regions become computations. A computation sees nothing around it: what a region of
//!   a loop or of a branch takes from outside becomes part of the loop's state or the branch's operand;
//!   constants are made anew where they are used.
//! * Several results are a tuple and its elements.
//! * What StableHLO does implicitly (scalars of `select` and `clamp`, dimensions of size 1 that grow)
//!   is spelled out.
//! * CHLO operations that HLO knows (`topk`, `erf`, `ragged-dot`, …) are written as such; functions that it
//!   does not know (`erf_inv`, `lgamma`, …) are expanded; others, and dynamic shapes, are errors.
//!
//! Importing what was exported and exporting it again gives the same text.

mod attrs;
mod calls;
mod captures;
mod collective;
mod compute;
mod contraction;
mod control;
mod custom_call;
mod elementwise;
mod expand;
mod finish;
mod header;
mod lower;
mod metadata;
mod movement;
mod reduction;
mod shapes;

use finish::Order;
use lower::Lower;
use rustc_hash::FxHashMap;
use sim_core::hlo::print::order;
use sim_core::hlo::{Computation, ComputationId, HloModule, Instruction, Key, Shape, Value};
use sim_core::ir::op::Op;
use sim_core::ir::{Function, Module, Operation};
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

/// The HLO of a module's entry function and of what it calls, in the order in which XLA prints it.
///
/// # Errors
/// An operation or a type that HLO does not have, with its name and place; recursion.
pub fn export(module: &Module) -> Result<HloModule> {
    exported(module, Order::Printed)
}

/// The same for the compiler: instructions stay in the order in which the program has them, which is nearer to a schedule.
///
/// # Errors
/// As of [`export`].
pub fn export_as_written(module: &Module) -> Result<HloModule> {
    exported(module, Order::Written)
}

fn exported(module: &Module, order: Order) -> Result<HloModule> {
    let entry = module.entry().ok_or_else(|| {
        Diagnostic::invalid("the module has no entry function").help("name one function `main`")
    })?;
    let mut exporter = Exporter { module, computations: Vec::new(), functions: FxHashMap::default() };
    for function in calls::callees_first(module, entry)? {
        let id = Lower::function(&mut exporter, function)?;
        exporter.functions.insert(std::ptr::from_ref(function), id);
    }
    let root = exporter.functions[&std::ptr::from_ref(entry)];
    header::finished(module, entry, finish::in_order(exporter.computations, root, order))
}

struct Exporter<'m> {
    module: &'m Module,
    computations: Vec<Computation>,
    /// Functions by address: symbols of nested modules may be alike.
    functions: FxHashMap<*const Function, ComputationId>,
}

impl Exporter<'_> {
    fn function(&self, path: &[Arc<str>], op: &Operation) -> Result<ComputationId> {
        self.module
            .lookup(path)
            .and_then(|f| self.functions.get(&std::ptr::from_ref(f)))
            .copied()
            .ok_or_else(|| invalid(op, format!("`@{}` is no function with a body", path.join("::@"))))
    }

    /// Sorts the elements of a computation's tuple of `count` by where they are first taken out, so that a
    /// second round finds them in this order. Element `k` is then what was element `order[k]`.
    fn order_of_use(&mut self, id: ComputationId, count: usize) -> Vec<usize> {
        let c = &mut self.computations[id.0 as usize];
        let mut order = Vec::new();
        if count < 2 {
            return (0..count).collect();
        }
        let element = |i: &Instruction| match i.attr(&Key::Index) {
            Some(Value::Int(k))
                if i.operands.iter().all(|&o| c.instruction(o).parameter_number.is_some()) =>
            {
                usize::try_from(*k).ok()
            }
            _ => None,
        };
        for i in order::instructions(c) {
            if let Some(k) = element(c.instruction(i)).filter(|k| !order.contains(k)) {
                order.push(k);
            }
        }
        let unused: Vec<usize> = (0..count).filter(|k| !order.contains(k)).collect();
        order.extend(unused);
        let elements: Vec<Option<usize>> = c.instructions.iter().map(element).collect();
        for (i, old) in c.instructions.iter_mut().zip(elements) {
            if let Some(new) = old.and_then(|old| order.iter().position(|&k| k == old)) {
                i.attrs
                    .iter_mut()
                    .filter(|a| a.key == Key::Index)
                    .for_each(|a| a.value = Value::Int(new as i64));
            }
            if i.parameter_number.is_some()
                && let Shape::Tuple(parts) = &*i.shape
            {
                let sorted = order.iter().filter_map(|&k| parts.get(k).cloned()).collect();
                i.shape = Arc::new(Shape::Tuple(sorted));
            }
        }
        order
    }
}

fn invalid(op: &Operation, what: impl Into<String>) -> Diagnostic {
    Diagnostic::invalid(what).in_op(op.name(), &op.loc).at(op.span)
}

/// What the IR has and HLO has not.
fn unsupported(op: &Operation, what: impl Into<String>) -> Diagnostic {
    Diagnostic::unsupported(what).in_op(op.name(), &op.loc).at(op.span)
}

/// The functions that an operation names.
fn callees(op: &Op) -> &[Arc<[Arc<str>]>] {
    match op {
        Op::Call { callee } => std::slice::from_ref(callee),
        Op::Composite { decomposition, .. } => std::slice::from_ref(decomposition),
        Op::CustomCall(c) => &c.called_computations,
        _ => &[],
    }
}
