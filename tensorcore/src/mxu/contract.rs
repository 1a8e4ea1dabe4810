//! From element types, precision and numerics to the passes of a blocked product.
//!
//! | result | arithmetic |
//! |---|---|
//! | f32, bf16, f16, fp8 and less | f32: see below |
//! | f64, or an f64 operand | f64; under `F64::FloatPair` the result is rounded to a pair of f32. The TPU recombines integer pieces; its last bits are not known, so this is the nearest pair |
//! | complex | the real and the imaginary part, each a sum of two real products; under `DotF32::Native` see `complex` |
//! | integers, `i1` | wrapping in 32 or 64 bits, then to the result's width; `i1` is or of ands |
//!
//! f32 arithmetic under `DotF32::Native` takes operands as they are. Under `DotF32::Bf16Passes`:
//! operands are rounded to bf16 at DEFAULT precision; HIGH is hi·lo + lo·hi + hi·hi over
//! two bf16 pieces an operand; HIGHEST adds the products with the third piece. Pieces that an operand
//! does not have (bf16, fp8) take no pass. Each pass is summed in the MXU's order into the same
//! accumulator, hi·hi last. f16 operands are treated as f32 ones: the MXU has no f16.

use super::gemm::{Pass, Plan, gemm};
use super::order::Order;
use super::pack::View;
use super::parts::{Component, Part, fits_bf16, to_f32, to_f64, to_u32, to_u64};
use super::store;
use rayon::prelude::*;
use sim_core::ir::op::{DotAlgorithm, Precision};
use sim_core::numerics::{DotF32, F64};
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};

/// An operand with its type.
pub struct Operand<'a> {
    pub element: ElementType,
    pub view: View<'a>,
}

/// What the f32 arithmetic does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// One pass of this part of both operands, in this order.
    One(Part, Order),
    /// bf16 pieces: 3, 6 or 9 products.
    Pieces(u8),
}

fn mode(ctx: &Ctx, precision: &[Precision], algorithm: Option<&DotAlgorithm>) -> Result<Mode> {
    let mxu = ctx.numerics.dot_f32 == DotF32::Bf16Passes;
    let Some(a) = algorithm else {
        if !mxu {
            return Ok(Mode::One(Part::Exact, Order::Plain));
        }
        let rank = |p: &Precision| match p {
            Precision::Default => 0,
            Precision::High => 1,
            Precision::Highest => 2,
        };
        return Ok(match precision.iter().map(rank).max().unwrap_or(0) {
            0 => Mode::One(Part::Hi, Order::Mxu),
            1 => Mode::Pieces(3),
            _ => Mode::Pieces(6),
        });
    };
    let order = if mxu { Order::Mxu } else { Order::Plain };
    let (lhs, rhs) = (a.lhs_precision_type.to_string(), a.rhs_precision_type.to_string());
    let unknown = || {
        Diagnostic::unsupported(format!(
            "no dot algorithm with precision types {lhs} and {rhs}, {} and {} components, {} products",
            a.lhs_component_count, a.rhs_component_count, a.num_primitive_operations
        ))
        .help("bf16 with 1, 3, 6 or 9 products, tf32, f16, f32, f64 and 8-bit floats with 1 are known")
    };
    if lhs != rhs && !(lhs.starts_with("f8") && rhs.starts_with("f8")) {
        return Err(unknown());
    }
    Ok(match (lhs.trim_start_matches('!'), a.num_primitive_operations) {
        ("bf16", 1) => Mode::One(Part::Hi, order),
        ("bf16", n @ (3 | 6 | 9)) => Mode::Pieces(n as u8),
        ("tf32", 1) => Mode::One(Part::Tf32, order),
        ("f16", 1) => Mode::One(Part::F16, order),
        // The MXU has no f32 product: six passes are what it offers for it.
        ("f32", 1) if mxu => Mode::Pieces(6),
        ("f32" | "f64", 1) => Mode::One(Part::Exact, order),
        (t, 1) if t.starts_with("f8") => Mode::One(Part::Hi, order),
        (t, 1) if t.starts_with('i') || t.starts_with("ui") => Mode::One(Part::Exact, order),
        _ => return Err(unknown()),
    })
}

/// The products of a mode, smallest first.
fn products(mode: Mode, lhs: ElementType, rhs: ElementType) -> (Vec<(Part, Part)>, Order) {
    use Part::{Hi, Lo, Mid};
    let (all, n): (&[(Part, Part)], usize) = match mode {
        Mode::One(part, order) => return (vec![(part, part)], order),
        Mode::Pieces(n) => (
            &[(Lo, Lo), (Mid, Lo), (Lo, Mid), (Mid, Mid), (Lo, Hi), (Hi, Lo), (Mid, Hi), (Hi, Mid), (Hi, Hi)],
            n as usize,
        ),
    };
    let list = all[9 - n..]
        .iter()
        .copied()
        .filter(|&(a, b)| (a == Hi || !fits_bf16(lhs)) && (b == Hi || !fits_bf16(rhs)))
        .collect();
    (list, Order::Mxu)
}

/// `out[b, m, n] = Σ_k lhs[b, m, k] * rhs[b, n, k]` as a tensor of `shape`, whose element count is
/// batch times rows of `lhs` times rows of `rhs`.
///
/// # Errors
/// Unsupported combinations of element types or an unknown algorithm; memory; interruption.
pub fn contract(
    ctx: &Ctx,
    lhs: &Operand,
    rhs: &Operand,
    precision: &[Precision],
    algorithm: Option<&DotAlgorithm>,
    out: ElementType,
    shape: &[usize],
) -> Result<Tensor> {
    let (a, b) = (lhs.element, rhs.element);
    let unsupported =
        || Diagnostic::unsupported(format!("no product of {a} and {b} elements with a result of {out}"));
    if (a.is_complex() || b.is_complex()) && !out.is_complex() {
        return Err(unsupported());
    }
    let mut result = ctx.alloc(out, shape)?;
    let flush = ctx.numerics.flush_subnormals;
    let pair = ctx.numerics.f64 == F64::FloatPair;
    let wide = |e: ElementType| e.real_part() == ElementType::F64;
    if out.is_complex() && ctx.numerics.dot_f32 == DotF32::Native {
        return super::complex::contract(ctx, lhs, rhs, out, shape);
    }
    if out.is_complex() {
        let part = out.real_part();
        let mut planes = Vec::new();
        for terms in [
            [(Component::Real, Component::Real), (Component::MinusImag, Component::Imag)],
            [(Component::Real, Component::Imag), (Component::Imag, Component::Real)],
        ] {
            // A term with the imaginary part of a real operand is zero.
            let terms: Vec<_> = terms
                .into_iter()
                .filter(|t| {
                    (t.0 == Component::Real || a.is_complex()) && (t.1 == Component::Real || b.is_complex())
                })
                .collect();
            let mut plane = ctx.alloc(part, shape)?;
            if wide(out) || wide(a) || wide(b) {
                product_f64(ctx, lhs, rhs, &terms, &mut plane, flush, pair).ok_or_else(unsupported)??;
            } else {
                let mode = mode(ctx, precision, algorithm)?;
                product_f32(ctx, lhs, rhs, mode, &terms, &mut plane, flush).ok_or_else(unsupported)??;
            }
            planes.push(plane);
        }
        match part {
            ElementType::F32 => interleave::<f32>(&planes[0], &planes[1], &mut result),
            _ => interleave::<f64>(&planes[0], &planes[1], &mut result),
        }
        return Ok(result);
    }
    let real = [(Component::Real, Component::Real)];
    if out.is_float() {
        if wide(out) || wide(a) || wide(b) {
            product_f64(ctx, lhs, rhs, &real, &mut result, flush, pair).ok_or_else(unsupported)??;
        } else {
            let mode = mode(ctx, precision, algorithm)?;
            product_f32(ctx, lhs, rhs, mode, &real, &mut result, flush).ok_or_else(unsupported)??;
        }
    } else if out.bits() == 64 {
        let pass = Pass { lhs: to_u64(a).ok_or_else(unsupported)?, rhs: to_u64(b).ok_or_else(unsupported)? };
        let plan = Plan {
            passes: &[pass],
            order: Order::Plain,
            store: store::from_u64(out).ok_or_else(unsupported)?,
            out_size: out.byte_size(),
        };
        gemm::<u64, 8>(ctx, &lhs.view, &rhs.view, &plan, result.bytes_mut())?;
    } else {
        let pass = Pass { lhs: to_u32(a).ok_or_else(unsupported)?, rhs: to_u32(b).ok_or_else(unsupported)? };
        let plan = Plan {
            passes: &[pass],
            order: Order::Plain,
            store: store::from_u32(out).ok_or_else(unsupported)?,
            out_size: out.byte_size(),
        };
        gemm::<u32, 16>(ctx, &lhs.view, &rhs.view, &plan, result.bytes_mut())?;
    }
    Ok(result)
}

type Terms<'a> = &'a [(Component, Component)];

/// `None` when no decoder or store fits the types.
fn product_f32(
    ctx: &Ctx,
    lhs: &Operand,
    rhs: &Operand,
    mode: Mode,
    terms: Terms,
    out: &mut Tensor,
    flush: bool,
) -> Option<Result<()>> {
    let (parts, order) = products(mode, lhs.element, rhs.element);
    let mut passes = Vec::with_capacity(parts.len() * terms.len());
    for (a, b) in parts {
        for &(ca, cb) in terms {
            passes.push(Pass { lhs: to_f32(lhs.element, a, ca)?, rhs: to_f32(rhs.element, b, cb)? });
        }
    }
    let store = store::from_f32(out.element(), flush)?;
    let plan = Plan { passes: &passes, order, store, out_size: out.element().byte_size() };
    Some(gemm::<f32, 16>(ctx, &lhs.view, &rhs.view, &plan, out.bytes_mut()))
}

/// `None` when no decoder or store fits the types.
fn product_f64(
    ctx: &Ctx,
    lhs: &Operand,
    rhs: &Operand,
    terms: Terms,
    out: &mut Tensor,
    flush: bool,
    pair: bool,
) -> Option<Result<()>> {
    let passes = terms
        .iter()
        .map(|&(ca, cb)| Some(Pass { lhs: to_f64(lhs.element, ca)?, rhs: to_f64(rhs.element, cb)? }))
        .collect::<Option<Vec<_>>>()?;
    let store = store::from_f64(out.element(), flush, pair)?;
    let plan = Plan { passes: &passes, order: Order::Plain, store, out_size: out.element().byte_size() };
    Some(gemm::<f64, 8>(ctx, &lhs.view, &rhs.view, &plan, out.bytes_mut()))
}

fn interleave<T: sim_core::dtype::Native>(re: &Tensor, im: &Tensor, out: &mut Tensor) {
    let out: &mut [[T; 2]] = bytemuck::cast_slice_mut(out.bytes_mut());
    const CHUNK: usize = 1 << 14;
    out.par_chunks_mut(CHUNK)
        .zip(re.as_slice::<T>().par_chunks(CHUNK).zip(im.as_slice::<T>().par_chunks(CHUNK)))
        .for_each(|(out, (re, im))| {
            for (o, (&re, &im)) in out.iter_mut().zip(re.iter().zip(im)) {
                *o = [re, im];
            }
        });
}
