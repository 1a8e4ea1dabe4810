//! One operation by itself, on values that are known: what passes that compute ahead use, so that
//! they need no second meaning of any operation.

use super::frame::Frame;
use super::{Executable, Outside, Process, RunOptions, Value};
use crate::plan::{FunctionPlan, Program};
use sim_core::ir::{AttrDict, FunctionBuilder, Op, ValueId};
use sim_core::{Ctx, Loc, Result, Span, Tensor, Type};
use std::sync::Arc;

/// Runs operations that have no regions and call nothing.
pub(crate) struct Evaluator {
    exe: Executable,
    ctx: Ctx,
    outside: Outside<'static>,
}

impl Evaluator {
    /// With the numerics of `ctx`.
    pub(crate) fn new(ctx: &Ctx) -> Evaluator {
        let options = RunOptions { numerics: ctx.numerics, ..RunOptions::default() };
        let exe = Executable {
            program: Program::empty(),
            placement: super::devices::Placement::single(),
            options,
            print: None,
            progress: Arc::default(),
            watch: super::memory::Watch::default(),
            trips: Default::default(),
            observer: None,
        };
        Evaluator { exe, ctx: ctx.clone(), outside: Outside::default() }
    }

    /// # Errors
    /// Somebody asked that the work end.
    pub(crate) fn check_stop(&self) -> Result<()> {
        self.ctx.check_stop()
    }

    /// The results, which are declared to be of the types `results`.
    ///
    /// # Errors
    /// What the operation's kernel says.
    pub(crate) fn run(
        &self,
        op: &Op,
        attrs: AttrDict,
        operands: &[Tensor],
        results: &[Type],
    ) -> Result<Vec<Tensor>> {
        let mut b = FunctionBuilder::new("main");
        let types: Vec<Type> = operands.iter().map(Tensor::ty).collect();
        let args: Vec<ValueId> = b.open_body(&types);
        let id = b.push(op.clone(), &args, results.to_vec(), &[], attrs, Loc::Unknown, Span::default());
        b.close_region(&[], Loc::Unknown, AttrDict::new());
        let plan = FunctionPlan { function: b.finish(), blocks: Vec::new(), captured: Vec::new() };
        let mut frame = Frame::new(&plan.function, 0);
        let values = operands.iter().cloned().map(Value::Tensor).collect();
        let process = Process::new(&self.exe, &self.ctx, None, &self.outside);
        let results = process.dispatch(&plan, plan.function.op(id), values, &[], &mut frame)?;
        results.into_iter().map(Value::tensor).collect()
    }
}
