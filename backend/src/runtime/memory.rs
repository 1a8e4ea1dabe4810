//! What was alive when memory was at its peak: for people who want to know where it goes.
//!
//! The pool counts bytes; only the walk over the steps knows whose they are. After a step in which
//! the pool's peak has risen, the values of the frame, the operands that the step took and its
//! results are noted; what is left is the kernel's own, or of calls around this one.

use super::Value;
use super::frame::Frame;
use crate::plan::FunctionPlan;
use crate::plan::steps::Step;
use sim_core::ir::{Function, ValueDef, ValueId};
use sim_core::{Ctx, Loc, Span, Type};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Values smaller than this are not listed.
const LEAST: usize = 4 << 10;

/// Values that are listed at most; the others are in [`PeakMemory::others`].
const MOST: usize = 12;

/// A peak is noted again when it has risen by one part in this many: enough to know what was alive,
/// and no step of a program that only grows is looked at in vain.
const STEP: u64 = 256;

/// What a value is to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Argument,
    /// What the entry returns.
    Output,
    Temporary,
}

/// A value at the peak.
#[derive(Clone, Debug)]
pub struct LiveValue {
    /// The argument's number, for arguments of the entry.
    pub argument: Option<usize>,
    pub role: Role,
    pub ty: Type,
    pub bytes: u64,
    /// The operation that made it: its name, its place in the file, and what it says of its source.
    pub op: Option<String>,
    pub span: Option<Span>,
    pub loc: Loc,
}

/// The moment when buffers took most.
#[derive(Clone, Debug)]
pub struct PeakMemory {
    pub bytes: u64,
    /// The operation that ran.
    pub op: String,
    pub span: Span,
    pub loc: Loc,
    /// Largest first.
    pub values: Vec<LiveValue>,
    /// Bytes of the values that are not listed.
    pub others: u64,
    /// What the operation itself had beside its operands and results, what its callers held, and
    /// values of less than 4 KiB.
    pub rest: u64,
}

/// A tensor's buffer, whose it is, and its bytes.
type Held = (*const u8, ValueId, u64);

/// Notes peaks.
#[derive(Default)]
pub(super) struct Watch {
    seen: AtomicU64,
    last: Mutex<Option<PeakMemory>>,
}

fn collect(held: &mut Vec<Held>, id: ValueId, value: &Value) {
    match value {
        Value::Tensor(t) if t.bytes().len() >= LEAST => {
            held.push((t.bytes().as_ptr(), id, t.bytes().len() as u64));
        }
        Value::Tensor(_) | Value::Token => {}
        Value::Tuple(values) | Value::Future(values) => values.iter().for_each(|v| collect(held, id, v)),
    }
}

/// What is held by the operands of a step, before it takes them.
pub(super) fn operands(step: &Step, values: &[Value]) -> Vec<Held> {
    let mut held = Vec::new();
    for (o, value) in step.operands.iter().zip(values) {
        collect(&mut held, o.value, value);
    }
    held
}

impl Watch {
    /// The peak that was noted last, and highest.
    pub(super) fn peak(&self) -> Option<PeakMemory> {
        self.last.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// Before a run: the peak is to be that of this run.
    pub(super) fn start(&self) {
        self.seen.store(0, Ordering::Relaxed);
        *self.last.lock().unwrap_or_else(|e| e.into_inner()) = None;
    }

    /// After a step, whose results are in the frame: has the peak risen?
    pub(super) fn note(
        &self,
        ctx: &Ctx,
        f: &FunctionPlan,
        step: &Step,
        mut held: Vec<Held>,
        frame: &Frame,
    ) -> bool {
        let peak = ctx.memory().1;
        let seen = self.seen.load(Ordering::Relaxed);
        if peak <= seen.saturating_add(seen / STEP) {
            return false;
        }
        self.seen.store(peak, Ordering::Relaxed);
        frame.values().for_each(|(id, value)| collect(&mut held, id, value));
        // The same buffer once, for the value that was defined first; parts of it are no values more.
        held.sort_unstable_by_key(|&(at, id, bytes)| (at, std::cmp::Reverse(bytes), id));
        held.dedup_by(|part, whole| (part.0 as usize) < whole.0 as usize + whole.2 as usize);
        held.sort_unstable_by_key(|&(_, id, bytes)| (std::cmp::Reverse(bytes), id));
        let known: u64 = held.iter().map(|h| h.2).sum();
        let listed = held.len().min(MOST);
        let function = &f.function;
        let Some(op) = step.operation(function) else { return false };
        let values: Vec<LiveValue> = held[..listed]
            .iter()
            .map(|&(_, id, bytes)| live(function, frame.depth == 0, id, bytes))
            .collect();
        let peak = PeakMemory {
            bytes: peak,
            op: op.name().to_owned(),
            span: op.span,
            loc: op.loc.clone(),
            others: held[listed..].iter().map(|h| h.2).sum(),
            rest: peak.saturating_sub(known),
            values,
        };
        *self.last.lock().unwrap_or_else(|e| e.into_inner()) = Some(peak);
        true
    }
}

fn live(f: &Function, entry: bool, id: ValueId, bytes: u64) -> LiveValue {
    let body = f.body.filter(|_| entry);
    let op = match f.value(id).def {
        ValueDef::Result(op, _) => Some(f.op(op)),
        ValueDef::Arg(..) => None,
    };
    let argument = match f.value(id).def {
        ValueDef::Arg(region, i) if Some(region) == body => Some(i as usize),
        _ => None,
    };
    let output = body.is_some_and(|body| f.region(body).results.contains(&id));
    LiveValue {
        argument,
        role: match (argument, output) {
            (Some(_), _) => Role::Argument,
            (None, true) => Role::Output,
            (None, false) => Role::Temporary,
        },
        ty: f.ty(id).clone(),
        bytes,
        op: op.map(|op| op.name().to_owned()),
        span: op.map(|op| op.span),
        loc: op.map_or_else(|| f.value(id).loc.clone(), |op| op.loc.clone()),
    }
}
