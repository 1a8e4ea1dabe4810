//! Regions of scalar operations as functions on lanes.
//!
//! A region that is elementwise all through becomes a [`TileProgram`]. Any other (a nested reduce,
//! a call, a region over tensors) is interpreted, one lane at a time: slow, and right.

use super::frame::Frame;
use super::{Process, Value};
use crate::plan::{FunctionPlan, lanes};
use sim_core::exec::{Combiner, RegionFn};
use sim_core::ir::{RegionId, ValueId};
use sim_core::{Diagnostic, ElementType, Result, Tensor};
use std::sync::Mutex;
use tensorcore::vpu::tile::TileProgram;

/// A region, ready to be applied. Call [`Lanes::finish`] after the kernel: an interpreted region
/// cannot report its errors from inside.
pub(super) enum Lanes<'a> {
    Compiled(TileProgram),
    Interpreted(Interpreted<'a>),
}

pub(super) struct Interpreted<'a> {
    process: &'a Process<'a>,
    f: &'a FunctionPlan,
    region: RegionId,
    /// What the region uses from around it.
    captured: Vec<(ValueId, Value)>,
    depth: usize,
    args: Vec<ElementType>,
    results: Vec<ElementType>,
    failed: Mutex<Option<Diagnostic>>,
}

impl Lanes<'_> {
    /// # Errors
    /// What went wrong inside an interpreted region.
    pub(super) fn finish(&self) -> Result<()> {
        match self {
            Lanes::Compiled(_) => Ok(()),
            Lanes::Interpreted(i) => match i.failed.lock().unwrap_or_else(|e| e.into_inner()).take() {
                Some(e) => Err(e),
                None => Ok(()),
            },
        }
    }
}

impl Process<'_> {
    pub(super) fn region_fn<'a>(
        &'a self,
        f: &'a FunctionPlan,
        region: RegionId,
        frame: &Frame,
    ) -> Result<Lanes<'a>> {
        let lookup = |v: ValueId| frame.get(v).ok().and_then(|v| v.as_tensor().ok()).cloned();
        if let Some(program) = lanes::compile(&f.function, region, &self.ctx.numerics, &lookup)? {
            return Ok(Lanes::Compiled(program));
        }
        let element = |&v: &ValueId| match f.function.ty(v).as_tensor() {
            Some(t) if t.rank() == 0 => Ok(t.element),
            _ => Err(Diagnostic::unsupported(format!(
                "a region over values of type {}; only scalars are supported here",
                f.function.ty(v)
            ))),
        };
        let r = f.function.region(region);
        let captured = f.captured[region.index()]
            .iter()
            .map(|&v| Ok((v, frame.get(v)?.clone())))
            .collect::<Result<_>>()?;
        Ok(Lanes::Interpreted(Interpreted {
            process: self,
            f,
            region,
            captured,
            depth: frame.depth,
            args: r.args.iter().map(element).collect::<Result<_>>()?,
            results: r.results.iter().map(element).collect::<Result<_>>()?,
            failed: Mutex::default(),
        }))
    }
}

impl Interpreted<'_> {
    fn lane(&self, args: &[&[u8]], i: usize) -> Result<Vec<Value>> {
        let mut frame = Frame::of_region(&self.f.function, self.depth);
        for (id, value) in &self.captured {
            frame.set(*id, value.clone());
        }
        let mut values = Vec::with_capacity(args.len());
        for (bytes, &ty) in args.iter().zip(&self.args) {
            let width = ty.byte_size();
            let mut t = self.process.ctx.alloc(ty, &[])?;
            t.bytes_mut().copy_from_slice(&bytes[i * width..][..width]);
            values.push(Value::Tensor(t));
        }
        self.process.block(self.f, self.region, values, &mut frame)
    }
}

impl RegionFn for Lanes<'_> {
    fn signature(&self) -> (&[ElementType], &[ElementType]) {
        match self {
            Lanes::Compiled(p) => p.signature(),
            Lanes::Interpreted(i) => (&i.args, &i.results),
        }
    }

    fn eval(&self, args: &[&[u8]], outs: &mut [&mut [u8]], n: usize) {
        let i = match self {
            Lanes::Compiled(p) => return RegionFn::eval(p, args, outs, n),
            Lanes::Interpreted(i) => i,
        };
        for lane in 0..n {
            if i.failed.lock().is_ok_and(|f| f.is_some()) {
                return;
            }
            let written = i.lane(args, lane).and_then(|values| {
                for ((value, out), ty) in values.iter().zip(outs.iter_mut()).zip(&i.results) {
                    let t: &Tensor = value.as_tensor()?;
                    let width = ty.byte_size();
                    out[lane * width..][..width].copy_from_slice(t.bytes());
                }
                Ok(())
            });
            if let Err(e) = written {
                i.failed.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(e);
            }
        }
    }

    fn combiner(&self) -> Option<Combiner> {
        match self {
            Lanes::Compiled(p) => p.combiner(),
            Lanes::Interpreted(_) => None,
        }
    }
}
