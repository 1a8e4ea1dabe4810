//! Control flow: the host's part of a program.

use super::Site;
use super::shape::index_scalar;
use crate::runtime::frame::Frame;
use crate::runtime::{Process, Value};
use sim_core::ir::Op;
use sim_core::{Diagnostic, Result};
use std::sync::atomic::Ordering;

impl Process<'_> {
    pub(super) fn control(
        &self,
        site: &Site<'_>,
        mut operands: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let regions = &site.op.regions;
        match &site.op.op {
            Op::If => {
                let branch = if predicate(&operands[0])? { 0 } else { 1 };
                self.took(site, branch);
                self.block(site.f, regions[branch], Vec::new(), frame)
            }
            Op::Case => {
                let index = index_scalar(operands[0].as_tensor()?)?;
                // Out of range takes the last branch.
                let last = regions.len().saturating_sub(1);
                let branch = usize::try_from(index).map_or(last, |i| i.min(last));
                self.took(site, branch);
                self.block(site.f, regions[branch], Vec::new(), frame)
            }
            Op::While => {
                let (cond, body) = (regions[0], regions[1]);
                let mut trips = 0;
                loop {
                    let pred = self.block(site.f, cond, operands.clone(), frame)?;
                    // The condition's arguments must not keep the carried values shared: the body
                    // is to find itself the only owner and update in place.
                    for &arg in &site.f.function.region(cond).args {
                        frame.clear(arg);
                    }
                    let go = pred.first().map(predicate).transpose()?.unwrap_or(false);
                    if !go {
                        if let Some(observer) = &self.exe.observer {
                            observer.ended(site.op.span, trips);
                        }
                        return Ok(operands);
                    }
                    trips += 1;
                    self.trip()?;
                    operands = self.block(site.f, body, operands, frame)?;
                    self.ctx.check_stop()?;
                }
            }
            Op::Call { callee } => self.call(self.exe.program.lookup(callee)?, operands, frame.depth + 1),
            Op::Composite { decomposition, .. } => {
                self.call(self.exe.program.lookup(decomposition)?, operands, frame.depth + 1)
            }
            Op::OptimizationBarrier => Ok(operands),
            Op::SdyManualComputation => self.manual_computation(site, operands, frame),
            Op::SdyNamedComputation { .. } => self.block(site.f, regions[0], operands, frame),
            Op::AsyncStart => Ok(vec![Value::Future(self.block(site.f, regions[0], operands, frame)?)]),
            Op::AsyncDone => match operands.pop() {
                Some(Value::Future(values)) => Ok(values),
                _ => Err(Diagnostic::invalid("async_done needs the future of an async_start")),
            },
            other => Err(Diagnostic::unsupported(format!("{} as control flow", other.name()))),
        }
    }
}

impl Process<'_> {
    fn took(&self, site: &Site<'_>, branch: usize) {
        if let Some(observer) = &self.exe.observer {
            observer.took(site.op.span, branch, site.op.regions.len());
        }
    }

    /// Counts a loop's trip.
    ///
    /// # Errors
    /// The run's loops have made as many as they may.
    fn trip(&self) -> Result<()> {
        let limit = self.exe.options.max_steps;
        if self.exe.trips.fetch_add(1, Ordering::Relaxed) < limit {
            return Ok(());
        }
        Err(Diagnostic::resource(format!(
            "the loops of this run have made {limit} trips in all, which is the limit; this one goes on"
        ))
        .help("check that its condition becomes false; for more trips: --max-steps N"))
    }
}

/// A scalar `i1`.
pub(crate) fn predicate(v: &Value) -> Result<bool> {
    let t = v.as_tensor()?;
    match t.bytes() {
        [byte] => Ok(*byte != 0),
        _ => Err(Diagnostic::invalid(format!("a predicate must be a scalar i1, not {}", t.ty()))),
    }
}
