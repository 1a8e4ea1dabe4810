//! `stablehlo.reduce`, alone or fused with the elementwise operations that make its operands.
//!
//! [`reduce`] is the operation. [`reduce_fused`] reduces the outputs of a
//! [`TileProgram`](super::tile::TileProgram) while they are in cache, so that (for example) the sum
//! of `exp(x - max)` reads `x` once and writes nothing but sums; outputs beyond the reduced ones are
//! stored whole in the same pass.
//!
//! **Order of sums.** StableHLO leaves it open. Here an iteration space is folded in blocks of about
//! 64 Ki elements; in a block, long rows in 8 or 32 interleaved lanes which are then joined as a
//! tree, and the initial value comes first. Compared with a serial sum the error bound of a sum of
//! n elements falls from n to about n / 32 + n / 65536 roundings. The order depends on the shape
//! alone: not on the number of threads, and not on what is fused.
//!
//! bf16, f16 and narrower floats are accumulated in f32 and rounded once, as the TPU's unit does.
//! `maximum` and `minimum` give NaN if any element is NaN.
//!
//! A body that is not one known operation (the pair of an `argmax`, say) is evaluated for many
//! pairs of neighbours at once, in a tree that keeps the order of the elements, as the
//! specification asks.

pub(super) mod fold;
mod general;
mod pass;
#[cfg(test)]
mod tests;

use super::tile::access::Access;
use super::tile::buf::{TileBuf, splat};
use super::tile::exec::Out;
use super::tile::{TileBuilder, TileInput, TileProgram};
use fold::{Fold, accumulates_in_f32};
use pass::Shape3;
use sim_core::dtype::ElementType;
use sim_core::exec::{Combiner, RegionFn};
use sim_core::ir::Binary;
use sim_core::tensor::Shape;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use smallvec::SmallVec;

/// What combines two values.
#[derive(Clone, Copy)]
pub enum Body<'a> {
    /// One operation for each value, of the value's type.
    Ops(&'a [Binary]),
    /// `(acc_0 … acc_n, x_0 … x_n) -> (acc_0 … acc_n)`. If its types are wider than the values',
    /// the values are converted first.
    Region(&'a dyn RegionFn),
}

/// `stablehlo.reduce`: `operands` (of one shape) along `dims`, each with its initial value (a
/// scalar). The results have the types of the body's results.
///
/// # Errors
/// [`Invalid`](sim_core::ErrorKind::Invalid) if shapes, types and dimensions do not fit;
/// [`Resource`](sim_core::ErrorKind::Resource); [`Interrupted`](sim_core::ErrorKind::Interrupted).
pub fn reduce(
    ctx: &Ctx,
    operands: &[&Tensor],
    inits: &[&Tensor],
    dims: &[usize],
    body: &dyn RegionFn,
) -> Result<Vec<Tensor>> {
    let Some(first) = operands.first() else { return Ok(Vec::new()) };
    let shape: Shape = first.shape().into();
    if operands.iter().any(|t| t.shape() != &shape[..]) || operands.len() != inits.len() {
        return Err(Diagnostic::invalid(
            "stablehlo.reduce: the operands must have one shape and one initial value each",
        ));
    }
    let types: Vec<ElementType> = operands.iter().map(|t| t.element()).collect();
    let program = TileProgram::identity(&types, &ctx.numerics);
    let inputs: Vec<TileInput<'_>> = operands.iter().map(|t| TileInput::full(t, &shape)).collect();
    reduce_fused(ctx, &program, &inputs, &shape, dims, Body::Region(body), inits)
}

/// Reduces the first `inits.len()` outputs of `program` over the iteration space `shape` along
/// `dims`. The results are those reductions, and then the other outputs of the program, whole.
///
/// # Errors
/// As [`reduce`].
pub fn reduce_fused(
    ctx: &Ctx,
    program: &TileProgram,
    inputs: &[TileInput<'_>],
    shape: &[usize],
    dims: &[usize],
    body: Body<'_>,
    inits: &[&Tensor],
) -> Result<Vec<Tensor>> {
    let values = inits.len();
    let types = body_types(program, body, values)?;
    if inits.iter().any(|t| t.len() != 1) || dims.iter().any(|&d| d >= shape.len()) {
        return Err(Diagnostic::invalid(format!(
            "stablehlo.reduce: initial values must be scalars and dimensions within {} (given {dims:?})",
            shape.len()
        )));
    }
    let kept = |d: usize| !dims.contains(&d);
    let out_shape: Shape = (0..shape.len()).filter(|&d| kept(d)).map(|d| shape[d]).collect();
    let inits = inits
        .iter()
        .zip(&types)
        .map(|(t, &ty)| convert(ctx, (*t).clone(), ty))
        .collect::<Result<Vec<Tensor>>>()?;
    let groups = Groups::new(shape, &kept);
    if shape.contains(&0) {
        let mut results = Vec::new();
        for (init, &ty) in inits.iter().zip(&types) {
            let mut out = ctx.alloc(ty, &out_shape)?;
            splat(init.bytes(), out.bytes_mut());
            results.push(out);
        }
        for &ty in &program.output_types()[values..] {
            results.push(ctx.alloc(ty, shape)?);
        }
        return Ok(results);
    }
    let mut results = match folds(ctx, &types, body) {
        Some((folds, wide)) => typed(ctx, program, inputs, shape, groups, &folds, &wide, &inits, &out_shape)?,
        None => general(ctx, program, inputs, shape, groups, body, &types, &inits, &out_shape)?,
    };
    for (out, &ty) in results.iter_mut().zip(&types) {
        let own = std::mem::replace(out, Tensor::scalar(0u8));
        *out = convert(ctx, own, ty)?;
    }
    Ok(results)
}

/// The element types the reduction computes with, as the caller states them.
fn body_types(program: &TileProgram, body: Body<'_>, values: usize) -> Result<Vec<ElementType>> {
    let given = program.output_types();
    let fits = match body {
        Body::Ops(ops) => ops.len() == values,
        Body::Region(region) => {
            let (args, results) = region.signature();
            results.len() == values
                && args.len() == 2 * values
                && args[..values] == *results
                && args[values..] == *results
        }
    };
    if !fits || given.len() < values {
        return Err(Diagnostic::invalid(format!(
            "stablehlo.reduce: the body does not fit {values} operands"
        )));
    }
    Ok(match body {
        Body::Ops(_) => given[..values].to_vec(),
        Body::Region(region) => region.signature().1.to_vec(),
    })
}

/// The typed folds and their accumulators' types, if every value has one.
fn folds(ctx: &Ctx, types: &[ElementType], body: Body<'_>) -> Option<(Vec<Fold>, Vec<ElementType>)> {
    let mut all = (Vec::new(), Vec::new());
    for (j, &ty) in types.iter().enumerate() {
        let op = match body {
            Body::Ops(ops) => ops[j],
            Body::Region(region) => match region.combiner()? {
                Combiner::Binary(op) => op,
                _ => return None,
            },
        };
        let ty = if accumulates_in_f32(op, ty) { ElementType::F32 } else { ty };
        all.0.push(fold::fold(op, ty, &ctx.numerics)?);
        all.1.push(ty);
    }
    Some(all)
}

/// The iteration space as alternating groups of kept and reduced dimensions: (size, reduced).
struct Groups(SmallVec<[(usize, bool); 4]>);

impl Groups {
    fn new(shape: &[usize], kept: &dyn Fn(usize) -> bool) -> Groups {
        let mut groups: SmallVec<[(usize, bool); 4]> = SmallVec::new();
        for (d, &n) in shape.iter().enumerate() {
            match groups.last_mut() {
                _ if n == 1 => {}
                Some((size, reduced)) if *reduced != kept(d) => *size *= n,
                _ => groups.push((n, !kept(d))),
            }
        }
        Groups(groups)
    }

    /// Takes the last reduced group out: the shape of the pass that reduces it.
    fn pop(&mut self) -> Option<Shape3> {
        let i = self.0.iter().rposition(|g| g.1)?;
        let (r, _) = self.0.remove(i);
        let a = self.0[..i].iter().map(|g| g.0).product();
        let b = self.0[i..].iter().map(|g| g.0).product();
        Some(Shape3 { a, r, b })
    }

    /// The first pass; one over a dimension of size 1 if nothing is left to reduce.
    fn first(&mut self) -> Shape3 {
        let total = self.0.iter().map(|g| g.0).product();
        self.pop().unwrap_or(Shape3 { a: 1, r: 1, b: total })
    }
}

/// `tensor` as elements of type `ty`.
pub(super) fn convert(ctx: &Ctx, tensor: Tensor, ty: ElementType) -> Result<Tensor> {
    if tensor.element() == ty {
        return Ok(tensor);
    }
    let from = tensor.element();
    let kernel = super::convert(from, ty, &ctx.numerics).ok_or_else(|| no_conversion(from, ty))?;
    let mut out = ctx.alloc(ty, tensor.shape())?;
    kernel(tensor.bytes(), out.bytes_mut());
    Ok(out)
}

fn no_conversion(from: ElementType, to: ElementType) -> Diagnostic {
    Diagnostic::unsupported(format!("a reduction that converts {from} to {to}"))
}

/// The program with its first outputs as `types`.
fn converted(program: &TileProgram, types: &[ElementType]) -> Result<TileProgram> {
    let mut all = program.output_types().to_vec();
    all[..types.len()].copy_from_slice(types);
    program
        .with_outputs_as(&all)
        .ok_or_else(|| Diagnostic::unsupported(format!("stablehlo.reduce: no conversion to {types:?}")))
}

/// Elements that get their initial value at a time.
const STARTS: usize = 4096;

#[allow(clippy::too_many_arguments)] // One caller; a struct would only rename them.
fn typed(
    ctx: &Ctx,
    program: &TileProgram,
    inputs: &[TileInput<'_>],
    shape: &[usize],
    mut groups: Groups,
    folds: &[Fold],
    wide: &[ElementType],
    inits: &[Tensor],
    out_shape: &[usize],
) -> Result<Vec<Tensor>> {
    let program = converted(program, wide)?;
    let mut stored = Vec::new();
    for &ty in &program.output_types()[folds.len()..] {
        stored.push(ctx.alloc(ty, shape)?);
    }
    let access = Access::new(&program, shape, inputs.iter().map(Some))?;
    let mut parts = {
        let mut stores: Vec<(Out<'_>, usize)> = Vec::new();
        for t in &mut stored {
            let width = t.element().byte_size();
            stores.push((t.bytes_mut(), width));
        }
        typed_pass(ctx, &program, &access, groups.first(), folds, wide, &mut stores)?
    };
    while let Some(shape3) = groups.pop() {
        let identity = TileProgram::identity(wide, &ctx.numerics);
        let flat = [parts[0].len()];
        let inputs: Vec<TileInput<'_>> = parts.iter().map(|t| TileInput::full(t, &flat)).collect();
        let access = Access::new(&identity, &flat, inputs.iter().map(Some))?;
        parts = typed_pass(ctx, &identity, &access, shape3, folds, wide, &mut [])?;
    }
    let mut results = Vec::new();
    for (((part, init), fold), &ty) in parts.into_iter().zip(inits).zip(folds).zip(wide) {
        // In place: the parts may be as large as the operands.
        let mut out = part.reshaped(out_shape);
        let init = convert(ctx, init.clone(), ty)?;
        let mut starts = TileBuf::new(out.len().min(STARTS) * fold.width);
        for part in out.bytes_mut().chunks_mut(STARTS * fold.width) {
            let starts = starts.bytes_mut(part.len());
            splat(init.bytes(), starts);
            (fold.fold)(starts, part);
            part.copy_from_slice(starts);
        }
        results.push(out);
    }
    results.extend(stored);
    Ok(results)
}

fn typed_pass(
    ctx: &Ctx,
    program: &TileProgram,
    access: &Access<'_>,
    shape: Shape3,
    folds: &[Fold],
    wide: &[ElementType],
    stores: &mut [(Out<'_>, usize)],
) -> Result<Vec<Tensor>> {
    let mut parts = Vec::with_capacity(wide.len());
    for &ty in wide {
        parts.push(ctx.alloc(ty, &[shape.a * shape.b])?);
    }
    let mut outs: Vec<Out<'_>> = parts.iter_mut().map(Tensor::bytes_mut).collect();
    pass::reduce(ctx, program, access, shape, folds, &mut outs, stores)?;
    Ok(parts)
}

#[allow(clippy::too_many_arguments)] // As above.
fn general(
    ctx: &Ctx,
    program: &TileProgram,
    inputs: &[TileInput<'_>],
    shape: &[usize],
    mut groups: Groups,
    body: Body<'_>,
    types: &[ElementType],
    inits: &[Tensor],
    out_shape: &[usize],
) -> Result<Vec<Tensor>> {
    let values = types.len();
    if program.output_types().len() > values {
        // Rare: the values are made, then reduced.
        let mut made = program.run(ctx, shape, inputs)?;
        let stored = made.split_off(values);
        let identity = TileProgram::identity(&program.output_types()[..values], &ctx.numerics);
        let inputs: Vec<TileInput<'_>> = made.iter().map(|t| TileInput::full(t, shape)).collect();
        let mut results = general(ctx, &identity, &inputs, shape, groups, body, types, inits, out_shape)?;
        results.extend(stored);
        return Ok(results);
    }
    let made;
    let region: &dyn RegionFn = match body {
        Body::Region(region) => region,
        Body::Ops(ops) => {
            let mut b = TileBuilder::new(&ctx.numerics);
            let acc: Vec<_> = types.iter().map(|&ty| b.input(ty)).collect();
            let x: Vec<_> = types.iter().map(|&ty| b.input(ty)).collect();
            for ((&op, acc), x) in ops.iter().zip(acc).zip(x) {
                let r = b.binary(op, acc, x)?;
                b.output(r);
            }
            made = b.finish();
            &made
        }
    };
    let program = converted(program, types)?;
    let access = Access::new(&program, shape, inputs.iter().map(Some))?;
    let first = groups.first();
    let mut parts = general::reduce(ctx, &program, &access, first, region)?;
    let mut count = first.a * first.b;
    let identity = TileProgram::identity(types, &ctx.numerics);
    while let Some(shape3) = groups.pop() {
        let tensors: Vec<Tensor> =
            parts.into_iter().zip(types).map(|(p, &ty)| Tensor::from_buffer(ty, &[count], p)).collect();
        let inputs: Vec<TileInput<'_>> = tensors.iter().map(|t| TileInput::full(t, &[count])).collect();
        let access = Access::new(&identity, &[count], inputs.iter().map(Some))?;
        parts = general::reduce(ctx, &identity, &access, shape3, region)?;
        count = shape3.a * shape3.b;
    }
    let mut starts = Vec::new();
    let mut results = Vec::new();
    for (init, &ty) in inits.iter().zip(types) {
        let mut start = ctx.scratch(count.min(STARTS) * ty.byte_size())?;
        splat(init.bytes(), start.bytes_mut());
        starts.push(start);
        results.push(ctx.alloc(ty, out_shape)?);
    }
    for first in (0..count).step_by(STARTS) {
        let n = STARTS.min(count - first);
        let piece = |ty: ElementType| first * ty.byte_size()..(first + n) * ty.byte_size();
        let starts = starts.iter().zip(types).map(|(b, ty)| &b.bytes()[..n * ty.byte_size()]);
        let parts = parts.iter().zip(types).map(|(b, &ty)| &b.bytes()[piece(ty)]);
        let args: Vec<&[u8]> = starts.chain(parts).collect();
        let mut outs: Vec<Out<'_>> =
            results.iter_mut().zip(types).map(|(t, &ty)| &mut t.bytes_mut()[piece(ty)]).collect();
        region.eval(&args, &mut outs, n);
    }
    Ok(results)
}

/// A copy of a few bytes that may be read as any element type.
pub(super) fn aligned(bytes: &[u8]) -> super::tile::buf::TileBuf {
    let mut buf = super::tile::buf::TileBuf::new(bytes.len());
    buf.bytes_mut(bytes.len()).copy_from_slice(bytes);
    buf
}
