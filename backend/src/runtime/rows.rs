//! A chain of operations, run block by block (`plan::rows`).

use super::frame::Frame;
use super::{Process, Value};
use crate::plan::FunctionPlan;
use crate::plan::rows::{Cut, CutDims, Rows};
use crate::plan::steps::Step;
use sim_core::ir::OpId;
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};
use smallvec::SmallVec;

impl Process<'_> {
    /// Runs the body of `rows` for each block, and puts what it returns where it belongs.
    pub(super) fn rows(
        &self,
        f: &FunctionPlan,
        id: OpId,
        rows: &Rows,
        step: &Step,
        operands: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let op = f.function.op(id);
        let place = |e: Diagnostic| e.in_op(op.name(), &op.loc).at(op.span);
        let result = op.results[0];
        let ty = f.function.ty(result).as_tensor().and_then(|t| Some((t.element, t.static_dims()?)));
        let (element, shape) =
            ty.ok_or_else(|| place(Diagnostic::invalid("blocks of a value of unknown size")))?;
        let whole = self.ctx.alloc(element, &shape).map_err(place)?;
        // Operands and result are in the frame meanwhile, so that a peak inside says whose memory it is.
        frame.set(result, whole.into());
        for (o, value) in step.operands.iter().zip(operands) {
            frame.set(o.value, value);
        }
        let counts: Vec<usize> = rows.cuts.iter().map(|c| c.size.div_ceil(c.step)).collect();
        for i in 0..counts.iter().product() {
            self.ctx.check_stop()?;
            let starts = starts(&rows.cuts, &counts, i);
            let mut args = Vec::with_capacity(rows.starts.len() + step.operands.len());
            for &(cut, ty) in &rows.starts {
                args.push(scalar(ty, starts[cut]).into());
            }
            for (o, dims) in step.operands.iter().zip(&rows.operands) {
                let tensor = frame.get(o.value)?.as_tensor()?;
                args.push(block(&self.ctx, tensor, dims, &rows.cuts, &starts).map_err(place)?.into());
            }
            let made = self.block(f, rows.body, args, frame)?;
            let [Value::Tensor(made)] = &made[..] else {
                return Err(place(Diagnostic::invalid("a block must be one tensor")));
            };
            let whole = frame.take(result)?.tensor()?;
            let at: SmallVec<[i64; 6]> = along(&rows.result, &starts, shape.len());
            let whole = hbm::dynamic_update_slice(&self.ctx, whole, made, &at).map_err(place)?;
            frame.set(result, whole.into());
        }
        for o in step.operands.iter().filter(|o| o.take) {
            frame.clear(o.value);
        }
        Ok(vec![frame.take(result)?])
    }
}

/// Where block `i` starts along each cut.
fn starts(cuts: &[Cut], counts: &[usize], mut i: usize) -> SmallVec<[usize; 4]> {
    let mut starts: SmallVec<[usize; 4]> = SmallVec::from_elem(0, cuts.len());
    for ((start, cut), &n) in starts.iter_mut().zip(cuts).zip(counts).rev() {
        *start = (i % n * cut.step).min(cut.size - cut.step);
        i /= n;
    }
    starts
}

/// The starts by dimension.
fn along(dims: &CutDims, starts: &[usize], rank: usize) -> SmallVec<[i64; 6]> {
    let mut at = SmallVec::from_elem(0, rank);
    for (d, &start) in dims.iter().zip(starts) {
        if let Some(d) = d {
            at[*d] = start as i64;
        }
    }
    at
}

/// A block of an operand: the same bytes where it is in one piece.
fn block(ctx: &Ctx, t: &Tensor, dims: &CutDims, cuts: &[Cut], starts: &[usize]) -> Result<Tensor> {
    let mut shape: SmallVec<[usize; 6]> = t.shape().into();
    for (d, cut) in dims.iter().zip(cuts) {
        if let Some(d) = d {
            shape[*d] = cut.step;
        }
    }
    let at = along(dims, starts, shape.len());
    // Whole but for the first dimension of more than one element.
    let first = shape.iter().position(|&n| n > 1).unwrap_or(0);
    if shape.iter().zip(t.shape()).skip(first + 1).all(|(a, b)| a == b) {
        let offset = at.iter().zip(t.shape()).fold(0, |sum, (&a, &n)| sum * n + a as usize);
        return Ok(t.part(offset, &shape));
    }
    let sizes: SmallVec<[i64; 6]> = shape.iter().map(|&n| n as i64).collect();
    hbm::dynamic_slice(ctx, t, &at, &sizes)
}

fn scalar(ty: ElementType, n: usize) -> Tensor {
    match ty {
        ElementType::S32 => Tensor::scalar(n as i32),
        ElementType::U32 => Tensor::scalar(n as u32),
        ElementType::U64 => Tensor::scalar(n as u64),
        _ => Tensor::scalar(n as i64),
    }
}
