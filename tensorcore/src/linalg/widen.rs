//! To f64 and back.

use crate::mxu::{parts, store};
use num_complex::Complex;
use rayon::prelude::*;
use sim_core::dtype::Native;
use sim_core::numerics::F64;
use sim_core::{Ctx, Diagnostic, ElementType as E, Result, Tensor};

const CHUNK: usize = 1 << 14;

/// The values as f64, or complex f64 when they are complex.
pub fn widen(ctx: &Ctx, t: &Tensor) -> Result<Tensor> {
    let to = if t.element().is_complex() { E::C128 } else { E::F64 };
    if t.element() == to {
        return Ok(t.clone());
    }
    let mut out = ctx.alloc(to, t.shape())?;
    if t.element() == E::C64 {
        let from = t.as_slice::<Complex<f32>>().par_chunks(CHUNK);
        out.as_mut_slice::<Complex<f64>>().par_chunks_mut(CHUNK).zip(from).for_each(|(out, from)| {
            for (o, z) in out.iter_mut().zip(from) {
                *o = Complex::new(z.re as f64, z.im as f64);
            }
        });
        return Ok(out);
    }
    let size = t.element().byte_size();
    let decode = parts::to_f64(t.element(), parts::Component::Real)
        .ok_or_else(|| Diagnostic::unsupported(format!("{} elements", t.element())))?;
    out.as_mut_slice::<f64>()
        .par_chunks_mut(CHUNK)
        .zip(t.bytes().par_chunks(CHUNK * size))
        .for_each(|(out, from)| decode(from, out));
    Ok(out)
}

/// From f64 (or complex f64) to the element type `to`, rounded once.
pub fn narrow(ctx: &Ctx, t: Tensor, to: E) -> Result<Tensor> {
    let pair = ctx.numerics.f64 == F64::FloatPair;
    let unsupported = || Diagnostic::unsupported(format!("{} results from {} arithmetic", to, t.element()));
    if t.element() == to && !pair {
        return Ok(t);
    }
    // A complex tensor is twice as many real ones.
    if to.is_complex() != t.element().is_complex() {
        return Err(unsupported());
    }
    let store =
        store::from_f64(to.real_part(), ctx.numerics.flush_subnormals, pair).ok_or_else(unsupported)?;
    let mut out = ctx.alloc(to, t.shape())?;
    let from: &[f64] = bytemuck::cast_slice(t.bytes());
    out.bytes_mut()
        .par_chunks_mut(CHUNK * to.real_part().byte_size())
        .zip(from.par_chunks(CHUNK))
        .for_each(|(out, from)| store(from, out));
    Ok(out)
}

/// The real parts of complex values as f64, or the values themselves.
///
/// # Errors
/// Unsupported types; memory.
pub fn widen_real(ctx: &Ctx, t: &Tensor) -> Result<Tensor> {
    let wide = widen(ctx, t)?;
    if !wide.element().is_complex() {
        return Ok(wide);
    }
    let mut out = ctx.alloc(E::F64, t.shape())?;
    for (o, z) in out.as_mut_slice::<f64>().iter_mut().zip(wide.as_slice::<Complex<f64>>()) {
        *o = z.re;
    }
    Ok(out)
}

/// The real and the imaginary parts of complex values.
///
/// # Errors
/// `Invalid` for values that are not complex; memory.
pub fn parts(ctx: &Ctx, t: &Tensor) -> Result<[Tensor; 2]> {
    fn split<T: Native>(ctx: &Ctx, t: &Tensor) -> Result<[Tensor; 2]> {
        let (mut re, mut im) = (ctx.alloc(T::TYPE, t.shape())?, ctx.alloc(T::TYPE, t.shape())?);
        let pairs = bytemuck::cast_slice::<u8, T>(t.bytes()).chunks_exact(2);
        for ((re, im), pair) in re.as_mut_slice::<T>().iter_mut().zip(im.as_mut_slice::<T>()).zip(pairs) {
            (*re, *im) = (pair[0], pair[1]);
        }
        Ok([re, im])
    }
    match t.element() {
        E::C64 => split::<f32>(ctx, t),
        E::C128 => split::<f64>(ctx, t),
        other => Err(Diagnostic::invalid(format!("parts of {other} elements, which are not complex"))),
    }
}
