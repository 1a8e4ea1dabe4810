//! One fused region: its inputs by their patterns, its outputs over the inputs that die.

use super::frame::Frame;
use super::{Process, Value};
use crate::plan::FunctionPlan;
use crate::plan::access::static_shape;
use crate::plan::fuse::Fused;
use crate::plan::steps::Step;
use sim_core::ir::ValueId;
use sim_core::{Diagnostic, Result, Tensor};
use tensorcore::vpu::reduce::{self, Body};
use tensorcore::vpu::tile::{Input, TileInput};

/// Below this many elements a fresh buffer is cheaper than finding out whether one can be reused.
const WORTH_REUSING: usize = 1 << 14;

impl Process<'_> {
    pub(super) fn fused(
        &self,
        f: &FunctionPlan,
        fused: &Fused,
        sources: &[usize],
        step: &Step,
        operands: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>> {
        let id = fused.reduce.or(fused.members.last().copied());
        let op = f.function.op(id.ok_or_else(|| Diagnostic::invalid("an empty fused region"))?);
        self.exe.progress.step(op.name());
        let place = |e: Diagnostic| e.in_op(op.name(), &op.loc).at(op.span);
        let mut tensors =
            operands.into_iter().map(Value::tensor).collect::<Result<Vec<_>>>().map_err(place)?;
        if fused.reduce.is_some() {
            let inits = tensors.split_off(tensors.len() - op.operands.len() / 2);
            let sim_core::ir::Op::Reduce { dims } = &op.op else {
                return Err(Diagnostic::invalid("a fused region that ends in no reduction"));
            };
            let body = self.region_fn(f, op.regions[0], frame)?;
            let inputs: Vec<TileInput<'_>> = fused
                .inputs
                .iter()
                .zip(sources)
                .map(|(i, &s)| TileInput {
                    tensor: &tensors[s],
                    offset: i.offset,
                    strides: i.strides.clone(),
                })
                .collect();
            let inits: Vec<&Tensor> = inits.iter().collect();
            let dims = dimensions(dims);
            let body_fn = Body::Region(&body);
            let out = reduce::reduce_fused(
                &self.ctx,
                &fused.program,
                &inputs,
                &fused.shape,
                &dims,
                body_fn,
                &inits,
            )
            .map_err(place)?;
            body.finish().map_err(place)?;
            let reduced = op.results.len();
            return out
                .into_iter()
                .enumerate()
                .map(|(i, t)| match fused.outputs.get(i.wrapping_sub(reduced)) {
                    Some(&v) => Ok(own_shape(f, v, t)),
                    None => Ok(Value::Tensor(t)),
                })
                .collect();
        }
        // Which inputs can give their buffer to which output.
        let outputs = fused.program.output_types();
        let mut taken = vec![false; outputs.len()];
        let mut donations: Vec<Option<(Tensor, usize)>> = vec![None; fused.inputs.len()];
        let elements: usize = fused.shape.iter().product();
        if elements >= WORTH_REUSING {
            for (i, input) in fused.inputs.iter().enumerate() {
                let s = sources[i];
                let once = sources.iter().filter(|&&o| o == s).count() == 1;
                let dies = input.full && once && step.operands[s].take && tensors[s].is_unique();
                if !dies {
                    continue;
                }
                let width = tensors[s].element().byte_size();
                let free = (0..outputs.len()).find(|&o| !taken[o] && outputs[o].byte_size() == width);
                if let Some(o) = free {
                    taken[o] = true;
                    let tensor = std::mem::replace(&mut tensors[s], Tensor::scalar(0u8));
                    donations[i] = Some((tensor.reshaped(&fused.shape), o));
                }
            }
        }
        let inputs = fused
            .inputs
            .iter()
            .zip(sources)
            .zip(donations)
            .map(|((i, &s), donation)| match donation {
                Some((tensor, output)) => Input::Donate { tensor, output },
                None => Input::Read(TileInput {
                    tensor: &tensors[s],
                    offset: i.offset,
                    strides: i.strides.clone(),
                }),
            })
            .collect();
        let out = fused.program.run_in_place(&self.ctx, &fused.shape, inputs).map_err(place)?;
        Ok(out.into_iter().zip(&fused.outputs).map(|(t, &v)| own_shape(f, v, t)).collect())
    }
}

/// Members may have another shape of as many elements than the region's space.
fn own_shape(f: &FunctionPlan, v: ValueId, t: Tensor) -> Value {
    match static_shape(&f.function, v) {
        Some(s) if s[..] != *t.shape() => t.reshaped(&s).into(),
        _ => t.into(),
    }
}

/// Dimensions of a verified operation as indices.
pub(super) fn dimensions(dims: &[i64]) -> Vec<usize> {
    dims.iter().map(|&d| d as usize).collect()
}
