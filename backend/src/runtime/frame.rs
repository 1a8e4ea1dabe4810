//! Values of one function call and the walk over the steps of a block.

use super::{Process, Value, memory};
use crate::plan::FunctionPlan;
use crate::plan::steps::{Action, Operand};
use hbm::Piece;
use rustc_hash::FxHashMap;
use sim_core::ir::{Function, Op, OpId, RegionId, ValueId};
use sim_core::{Diagnostic, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The values of a function that exist now, by [`ValueId`]. Regions share their function's frame.
pub(super) struct Frame {
    values: Slots,
    /// Calls that this one is inside of.
    pub(super) depth: usize,
}

enum Slots {
    All(Vec<Option<Value>>),
    /// For a region by itself in a large function, of whose values it has few.
    Few(FxHashMap<ValueId, Value>),
}

/// Calls nest at most this deep: each takes a few kilobytes of stack.
const MAX_DEPTH: usize = 1024;

/// Regions, and calls in them, go on a new piece of stack where less than this is left: threads have stacks
/// of different sizes, and what one level takes depends on the operation.
const RESERVE: usize = 256 << 10;
const PIECE: usize = 8 << 20;

/// Of more values than this, a region by itself uses few.
const MANY: usize = 256;

impl Frame {
    pub(super) fn new(f: &Function, depth: usize) -> Frame {
        Frame { values: Slots::All(vec![None; f.values.len()]), depth }
    }

    /// For one region of `f`.
    pub(super) fn of_region(f: &Function, depth: usize) -> Frame {
        match f.values.len() > MANY {
            true => Frame { values: Slots::Few(FxHashMap::default()), depth },
            false => Frame::new(f, depth),
        }
    }

    pub(super) fn set(&mut self, id: ValueId, value: Value) {
        match &mut self.values {
            Slots::All(all) => all[id.index()] = Some(value),
            Slots::Few(few) => _ = few.insert(id, value),
        }
    }

    pub(super) fn clear(&mut self, id: ValueId) {
        self.remove(id);
    }

    fn remove(&mut self, id: ValueId) -> Option<Value> {
        match &mut self.values {
            Slots::All(all) => all[id.index()].take(),
            Slots::Few(few) => few.remove(&id),
        }
    }

    fn slot(&self, id: ValueId) -> Option<&Value> {
        match &self.values {
            Slots::All(all) => all[id.index()].as_ref(),
            Slots::Few(few) => few.get(&id),
        }
    }

    /// Those that exist.
    pub(super) fn values(&self) -> impl Iterator<Item = (ValueId, &Value)> {
        let (all, few) = match &self.values {
            Slots::All(all) => (&all[..], None),
            Slots::Few(few) => (&[][..], Some(few)),
        };
        let all = all.iter().enumerate().filter_map(|(i, v)| Some((ValueId(i as u32), v.as_ref()?)));
        all.chain(few.into_iter().flatten().map(|(&id, v)| (id, v)))
    }

    pub(super) fn get(&self, id: ValueId) -> Result<&Value> {
        self.slot(id).ok_or_else(|| Diagnostic::invalid("a value is used before it is defined"))
    }

    pub(super) fn take(&mut self, value: ValueId) -> Result<Value> {
        self.read(Operand { value, take: true })
    }

    /// Moves the value out where this is its last use.
    pub(super) fn read(&mut self, operand: Operand) -> Result<Value> {
        let value = match operand.take {
            true => self.remove(operand.value),
            false => self.slot(operand.value).cloned(),
        };
        value.ok_or_else(|| Diagnostic::invalid("a value is used before it is defined"))
    }
}

impl Process<'_> {
    /// Calls a function, from inside of `depth` others.
    pub(super) fn call(&self, f: &FunctionPlan, args: Vec<Value>, depth: usize) -> Result<Vec<Value>> {
        if depth > MAX_DEPTH {
            return Err(Diagnostic::unsupported(format!(
                "calls nest more than {MAX_DEPTH} deep at @{}",
                f.function.name
            )));
        }
        let body = f.function.body.ok_or_else(|| {
            Diagnostic::unsupported(format!("@{} has no body", f.function.name)).at(f.function.span)
        })?;
        let mut frame = Frame::new(&f.function, depth);
        self.block(f, body, args, &mut frame)
    }

    /// Runs a region once with these arguments and gives what it returns.
    pub(super) fn block(
        &self,
        f: &FunctionPlan,
        region: RegionId,
        args: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        stacker::maybe_grow(RESERVE, PIECE, || self.steps(f, region, args, frame))
    }

    fn steps(
        &self,
        f: &FunctionPlan,
        region: RegionId,
        args: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        for (&id, value) in f.function.region(region).args.iter().zip(args) {
            frame.set(id, value);
        }
        let plan = f.block(region);
        for &v in &plan.unused_args {
            frame.clear(v);
        }
        for step in &plan.steps {
            self.ctx.check_stop()?;
            if let Some(member) = self.member {
                member.check()?;
            }
            let operands = step.operands.iter().map(|&o| frame.read(o)).collect::<Result<Vec<_>>>()?;
            let held = memory::operands(step, &operands);
            let results = match &step.action {
                Action::Op(id) => self.op(f, *id, operands, &step.drops, frame)?,
                Action::Join { op, slices } => self.join(f, *op, slices, operands)?,
                Action::Rows { op, rows } => self.rows(f, *op, rows, step, operands, frame)?,
                Action::Fused { fused, sources } => self.fused(f, fused, sources, step, operands, frame)?,
            };
            for (&id, value) in step.results.iter().zip(results) {
                frame.set(id, value);
            }
            self.exe.watch.note(&self.ctx, f, step, held, frame);
            for &v in &step.drops {
                frame.clear(v);
            }
        }
        plan.results.iter().map(|&o| frame.read(o)).collect()
    }

    /// A `concatenate` of operands and slices of operands.
    fn join(
        &self,
        f: &FunctionPlan,
        id: OpId,
        slices: &[Option<OpId>],
        operands: Vec<Value>,
    ) -> Result<Vec<Value>> {
        let op = f.function.op(id);
        self.exe.progress.step(op.name());
        let joined = || {
            let Op::Concatenate { dim } = op.op else {
                return Err(Diagnostic::invalid("only a concatenate joins"));
            };
            let mut pieces = Vec::with_capacity(operands.len());
            for (value, slice) in operands.iter().zip(slices) {
                let tensor = value.as_tensor()?;
                pieces.push(match slice.map(|s| &f.function.op(s).op) {
                    Some(Op::Slice { start, limit, strides }) => Piece::slice(tensor, start, limit, strides)?,
                    _ => Piece::whole(tensor),
                });
            }
            hbm::concatenate_pieces(&self.ctx, &pieces, dim as usize)
        };
        let out = joined().map_err(|e| e.in_op(op.name(), &op.loc).at(op.span))?;
        Ok(vec![out.into()])
    }

    /// One operation, with its name and place on any error.
    fn op(
        &self,
        f: &FunctionPlan,
        id: OpId,
        operands: Vec<Value>,
        unused: &[ValueId],
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let op = f.function.op(id);
        self.exe.progress.step(op.name());
        let watch = self.exe.options.check_nans.then(|| operands.clone());
        let place = |e: Diagnostic| e.in_op(op.name(), &op.loc).at(op.span);
        // A panic is a bug of ours; here its operation can be named. The run ends, so nobody sees
        // what it left half done.
        let dispatch = AssertUnwindSafe(|| self.dispatch(f, op, operands, unused, frame));
        let results = catch_unwind(dispatch)
            .unwrap_or_else(|panic| Err(Diagnostic::internal(&*panic)))
            .map_err(place)?;
        if let Some(before) = watch {
            super::nans::check(op, &before, &results).map_err(place)?;
        }
        Ok(results)
    }
}
