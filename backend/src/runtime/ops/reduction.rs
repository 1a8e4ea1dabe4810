//! Reductions, windows, scans, batch normalization.

use super::{Site, Tensors};
use crate::runtime::frame::Frame;
use crate::runtime::fused::dimensions;
use crate::runtime::{Process, Value};
use sim_core::ir::{Binary, Op};
use sim_core::{Diagnostic, Result, Tensor};
use tensorcore::vpu::{reduce, window};

impl Process<'_> {
    pub(super) fn reduction(
        &self,
        site: &Site<'_>,
        operands: Tensors,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let ctx = &self.ctx;
        let mut inputs = operands.rest()?;
        let values = |ts: Vec<Tensor>| ts.into_iter().map(Value::Tensor).collect::<Vec<_>>();
        match &site.op.op {
            Op::Reduce { dims } => {
                let inits = inputs.split_off(inputs.len() / 2);
                let body = self.region_fn(site.f, site.op.regions[0], frame)?;
                let (xs, init) = (refs(&inputs), refs(&inits));
                let out = reduce::reduce(ctx, &xs, &init, &dimensions(dims), &body)?;
                body.finish()?;
                Ok(values(out))
            }
            Op::ReduceWindow(w) => {
                let inits = inputs.split_off(inputs.len() / 2);
                let body = self.region_fn(site.f, site.op.regions[0], frame)?;
                let (xs, init) = (refs(&inputs), refs(&inits));
                let out = window::reduce_window(ctx, &xs, &init, w, &body)?;
                body.finish()?;
                Ok(values(out))
            }
            Op::SelectAndScatter(w) => {
                let [x, source, init] = &inputs[..] else {
                    return Err(Diagnostic::invalid("select_and_scatter takes three operands"));
                };
                let select = self.region_fn(site.f, site.op.regions[0], frame)?;
                let scatter = self.region_fn(site.f, site.op.regions[1], frame)?;
                let out = window::select_and_scatter(ctx, x, source, init, w, &select, &scatter)?;
                select.finish()?;
                scatter.finish()?;
                Ok(vec![out.into()])
            }
            Op::Scan { dim, num_inits, reverse, .. } => {
                let inits = inputs.split_off(inputs.len() - num_inits);
                self.scan(site, inputs, inits, *dim as usize, *reverse, frame)
            }
            other => Err(Diagnostic::unsupported(format!("{} as a reduction", other.name()))),
        }
    }

    /// `chlo.scan`: the body takes a slice of every input and the carries, and gives a slice of
    /// every output and the next carries. Results: the outputs, then the carries.
    fn scan(
        &self,
        site: &Site<'_>,
        inputs: Vec<Tensor>,
        inits: Vec<Tensor>,
        dim: usize,
        reverse: bool,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let ctx = &self.ctx;
        let region = site.op.regions[0];
        if let Some(results) = self.cumulative(site, &inputs, &inits, dim, reverse)? {
            return Ok(results);
        }
        let outputs = site.op.results.len() - inits.len();
        let n = inputs.first().and_then(|t| t.shape().get(dim).copied()).unwrap_or(0);
        let mut carries: Vec<Value> = inits.into_iter().map(Value::Tensor).collect();
        let mut out = (0..outputs)
            .map(|i| ctx.alloc(site.result_type(i)?.element, &site.result_shape(i)?))
            .collect::<Result<Vec<_>>>()?;
        for step in 0..n {
            ctx.check_stop()?;
            let i = if reverse { n - 1 - step } else { step };
            let mut args = Vec::with_capacity(inputs.len() + carries.len());
            for t in &inputs {
                let mut start = vec![0; t.rank()];
                let mut limit: Vec<i64> = t.shape().iter().map(|&n| n as i64).collect();
                (start[dim], limit[dim]) = (i as i64, i as i64 + 1);
                let slice = hbm::slice(ctx, t, &start, &limit, &vec![1; t.rank()])?;
                let mut shape = t.shape().to_vec();
                shape.remove(dim);
                args.push(Value::Tensor(slice.reshaped(&shape)));
            }
            args.append(&mut carries);
            let mut results = self.block(site.f, region, args, frame)?;
            carries = results.split_off(outputs);
            for (dst, piece) in out.iter_mut().zip(results) {
                let piece = piece.tensor()?;
                let mut shape = piece.shape().to_vec();
                shape.insert(dim, 1);
                let mut starts = vec![0; dst.rank()];
                starts[dim] = i as i64;
                let whole = std::mem::replace(dst, Tensor::scalar(0u8));
                *dst = hbm::dynamic_update_slice(ctx, whole, &piece.reshaped(&shape), &starts)?;
            }
        }
        Ok(out.into_iter().map(Value::Tensor).chain(carries).collect())
    }
}

impl Process<'_> {
    /// A scan whose body is one known operation on the element and the carry: a cumulative sum,
    /// maximum and so on, in one pass. `None` where it is anything else.
    fn cumulative(
        &self,
        site: &Site<'_>,
        inputs: &[Tensor],
        inits: &[Tensor],
        dim: usize,
        reverse: bool,
    ) -> Result<Option<Vec<Value>>> {
        let ([x], [init]) = (inputs, inits) else { return Ok(None) };
        let f = &site.f.function;
        let region = f.region(site.op.regions[0]);
        let &[only] = &region.ops[..] else { return Ok(None) };
        let body = f.op(only);
        let Op::Binary(op) = body.op else { return Ok(None) };
        let both = body.operands[..] == region.args[..]
            || body.operands.iter().rev().eq(region.args.iter()) && body.operands.len() == 2;
        let returns_it = region.results.len() == 2 && region.results.iter().all(|v| body.results[..] == [*v]);
        // Backwards the order of the operands would be another, which only sums of floats can tell.
        let exact = !x.element().is_float() || matches!(op, Binary::Maximum | Binary::Minimum);
        let width = init.element().byte_size();
        let uniform = init.bytes().chunks_exact(width).all(|e| e == &init.bytes()[..width]);
        if !(both && returns_it && uniform && (exact || !reverse))
            || x.is_empty()
            || init.element() != x.element()
        {
            return Ok(None);
        }
        let mut first = self.ctx.alloc(init.element(), &[])?;
        first.bytes_mut().copy_from_slice(&init.bytes()[..width]);
        let Some(out) = window::scan::cumulative(&self.ctx, x, &first, dim, reverse, op)? else {
            return Ok(None);
        };
        let last = if reverse { 0 } else { x.shape()[dim] as i64 - 1 };
        let mut start = vec![0; x.rank()];
        let mut limit: Vec<i64> = x.shape().iter().map(|&n| n as i64).collect();
        (start[dim], limit[dim]) = (last, last + 1);
        let carry = hbm::slice(&self.ctx, &out, &start, &limit, &vec![1; x.rank()])?.reshaped(init.shape());
        Ok(Some(vec![out.into(), carry.into()]))
    }
}

fn refs(ts: &[Tensor]) -> Vec<&Tensor> {
    ts.iter().collect()
}
