//! Programs over a handful of elements: the scalars of a loop's counter, a step's coefficients.
//! Analysing access patterns and allocating tiles would cost ten times the work itself, so here the
//! inputs are gathered element by element and values live in one small block.

use super::access::TileInput;
use super::buf;
use super::builder::Func;
use super::program::{Place, TileProgram};
use crate::vpu;
use sim_core::dtype::ElementType;
use sim_core::tensor::Shape;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// Up to this many elements.
pub(super) const SMALL: usize = 32;

/// 16 bytes an element, the widest type.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Slot([u8; SMALL * 16]);

const EMPTY: Slot = Slot([0; SMALL * 16]);

impl TileProgram {
    /// As [`TileProgram::run`], for an iteration space of `n <= SMALL` elements.
    pub(super) fn run_small(
        &self,
        ctx: &Ctx,
        shape: &[usize],
        n: usize,
        inputs: &[TileInput<'_>],
    ) -> Result<Vec<Tensor>> {
        if inputs.len() != self.inputs.len() {
            return Err(Diagnostic::invalid(format!(
                "a fused region of {} inputs is given {}",
                self.inputs.len(),
                inputs.len()
            )));
        }
        let loads = self.inputs.len() + self.iotas.len();
        let (splats, tiles) = (loads, loads + self.splats.len());
        let outputs = tiles + self.tiles.len();
        let mut slots: SmallVec<[Slot; 8]> = SmallVec::from_elem(EMPTY, outputs + self.outputs.len());
        for ((input, &ty), slot) in inputs.iter().zip(&self.inputs).zip(&mut slots) {
            gather(input, ty, shape, n, &mut slot.0)?;
        }
        for (&(ty, dim), slot) in self.iotas.iter().zip(&mut slots[self.inputs.len()..]) {
            count(ctx, ty, dim as usize, shape, n, &mut slot.0)?;
        }
        for (value, slot) in self.splats.iter().zip(&mut slots[splats..]) {
            buf::splat(value, &mut slot.0[..value.len() * n]);
        }
        let index = |place: Place| match place {
            Place::Input(i) => i as usize,
            Place::Splat(s) => splats + s as usize,
            Place::Tile(t) => tiles + t as usize,
            Place::Output(j) => outputs + j as usize,
        };
        let width = |place: Place| match place {
            Place::Input(i) => match self.inputs.get(i as usize) {
                Some(ty) => ty.byte_size(),
                None => self.iotas[i as usize - self.inputs.len()].0.byte_size(),
            },
            Place::Splat(s) => self.splats[s as usize].len(),
            Place::Tile(t) => self.tiles[t as usize],
            Place::Output(j) => self.outputs[j as usize].byte_size(),
        };
        let mut result = EMPTY;
        for instr in &self.code {
            let bytes = instr.width * n;
            let arg = |i: usize| {
                let place = instr.args[i];
                &slots[index(place)].0[..width(place) * n]
            };
            let dst = &mut result.0[..bytes];
            match &instr.func {
                Func::One(f) => f(arg(0), dst),
                Func::Two(f) => f(arg(0), arg(1), dst),
                Func::Three(f) => f(arg(0), arg(1), arg(2), dst),
                Func::ReducePrecision(ty, e, m) => vpu::reduce_precision(*ty, *e, *m, arg(0), dst)?,
            }
            slots[index(instr.dst)].0[..bytes].copy_from_slice(&result.0[..bytes]);
        }
        for &(source, j) in &self.copies {
            slots[outputs + j as usize] = slots[index(source)];
        }
        self.outputs
            .iter()
            .zip(&slots[outputs..])
            .map(|(&ty, slot)| {
                let mut out = ctx.alloc(ty, shape)?;
                out.bytes_mut().copy_from_slice(&slot.0[..ty.byte_size() * n]);
                Ok(out)
            })
            .collect()
    }
}

/// The multi-index after `index`, in row-major order.
fn advance(index: &mut Shape, shape: &[usize]) {
    for (i, &size) in index.iter_mut().zip(shape).rev() {
        *i += 1;
        if *i < size {
            return;
        }
        *i = 0;
    }
}

fn gather(input: &TileInput<'_>, ty: ElementType, shape: &[usize], n: usize, dst: &mut [u8]) -> Result<()> {
    let width = ty.byte_size();
    let bytes = input.tensor.bytes();
    if input.tensor.element().byte_size() != width || input.strides.len() != shape.len() {
        return Err(Diagnostic::invalid(format!(
            "an input of a fused region is {}, and {ty} over {} dimensions is expected",
            input.tensor.ty(),
            shape.len()
        )));
    }
    let mut index = Shape::from_elem(0, shape.len());
    for out in dst[..n * width].chunks_exact_mut(width) {
        let moved = index.iter().zip(&input.strides).map(|(&i, &s)| i as isize * s).sum::<isize>();
        let at = input.offset.checked_add_signed(moved).and_then(|at| at.checked_mul(width));
        let element = at.and_then(|at| bytes.get(at..at + width));
        out.copy_from_slice(
            element.ok_or_else(|| Diagnostic::invalid("a fused region reads beyond the end of an input"))?,
        );
        advance(&mut index, shape);
    }
    Ok(())
}

fn count(ctx: &Ctx, ty: ElementType, dim: usize, shape: &[usize], n: usize, dst: &mut [u8]) -> Result<()> {
    let mut values = [0i64; SMALL];
    let mut index = Shape::from_elem(0, shape.len());
    for v in &mut values[..n] {
        *v = index.get(dim).copied().unwrap_or(0) as i64;
        advance(&mut index, shape);
    }
    let bytes: &[u8] = bytemuck::cast_slice(&values[..n]);
    if matches!(ty, ElementType::S64 | ElementType::Index) {
        dst[..bytes.len()].copy_from_slice(bytes);
        return Ok(());
    }
    let convert = vpu::convert(ElementType::S64, ty, &ctx.numerics)
        .ok_or_else(|| Diagnostic::unsupported(format!("stablehlo.iota of type {ty}")))?;
    convert(bytes, &mut dst[..n * ty.byte_size()]);
    Ok(())
}
