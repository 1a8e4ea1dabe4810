//! Gather, scatter, sort, top-k, random numbers.

use super::{Site, Tensors};
use crate::runtime::frame::Frame;
use crate::runtime::{Process, Value};
use sim_core::ir::Op;
use sim_core::ir::attr::WHOLE_WINDOWS;
use sim_core::{Diagnostic, Result};
use tensorcore::vpu::rng;

impl Process<'_> {
    pub(super) fn irregular(
        &self,
        site: &Site<'_>,
        mut operands: Tensors,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let ctx = &self.ctx;
        match &site.op.op {
            Op::Gather { dims, slice_sizes, .. } => {
                let (x, indices) = (operands.next()?, operands.next()?);
                Ok(vec![sparsecore::gather(ctx, &x, &indices, dims, slice_sizes)?.into()])
            }
            Op::TorchIndexSelect { dim, batch_dims } => {
                let (x, indices) = (operands.next()?, operands.next()?);
                Ok(vec![sparsecore::torch_index_select(ctx, &x, &indices, *dim, *batch_dims)?.into()])
            }
            Op::Scatter { dims, .. } => {
                let mut all = operands.rest()?;
                let n = all.len() / 2;
                let updates = all.split_off(n + 1);
                let indices = all.pop().ok_or_else(|| Diagnostic::invalid("scatter without indices"))?;
                let body = self.region_fn(site.f, site.op.regions[0], frame)?;
                let mut ctx = ctx.clone();
                if site.op.attrs.get(WHOLE_WINDOWS).is_some() {
                    ctx.numerics.scatter_whole_windows = true;
                }
                let out = sparsecore::scatter(&ctx, all, &indices, &updates, dims, &body)?;
                body.finish()?;
                Ok(out.into_iter().map(Value::Tensor).collect())
            }
            Op::Sort { dim, .. } => {
                let inputs = operands.rest()?;
                let region = site.op.regions[0];
                let keys = sparsecore::sort::recognise(&site.f.function, region);
                let comparator = self.region_fn(site.f, region, frame)?;
                // A result that nobody reads is not made; its place takes anything.
                let wanted: Vec<bool> = site.op.results.iter().map(|v| !site.unused.contains(v)).collect();
                let out = sparsecore::sort::sort_wanted(
                    ctx,
                    inputs,
                    *dim as usize,
                    keys.as_deref(),
                    &comparator,
                    &wanted,
                )?;
                comparator.finish()?;
                Ok(out.into_iter().map(|t| t.map_or(Value::Token, Value::Tensor)).collect())
            }
            Op::TopK { k, .. } => {
                let x = operands.next()?;
                let (values, indices) = sparsecore::top_k(ctx, &x, *k, true)?;
                Ok(vec![values.into(), indices.into()])
            }
            Op::Rng(distribution) => {
                let (a, b) = (operands.next()?, operands.next()?);
                Ok(vec![
                    rng::rng(
                        ctx,
                        &a,
                        &b,
                        *distribution,
                        &site.result_shape(0)?,
                        site.op.results[0].0.into(),
                    )?
                    .into(),
                ])
            }
            Op::RngBitGenerator(algorithm) => {
                let state = operands.next()?;
                let ty = site.result_type(1)?.element;
                let (state, bits) =
                    rng::rng_bit_generator(ctx, *algorithm, &state, ty, &site.result_shape(1)?)?;
                Ok(vec![state.into(), bits.into()])
            }
            other => Err(Diagnostic::unsupported(format!("{} as an irregular operation", other.name()))),
        }
    }
}
