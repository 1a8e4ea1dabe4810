//! `stablehlo.fft` over one to three trailing dimensions, of any length.
//!
//! Transforms run in f64 along the innermost dimension; lines along others are brought together some
//! columns at a time.

use super::widen::{narrow, widen};
use num_complex::Complex;
use rayon::prelude::*;
use realfft::RealFftPlanner;
use rustfft::{FftDirection, FftPlanner};
use sim_core::ir::op::FftType;
use sim_core::{Ctx, Diagnostic, ElementType as E, Result, Tensor};

type C = Complex<f64>;

/// Elements of one task.
const TASK: usize = 1 << 14;

/// Columns that are read and written together: 256 bytes.
const BAND: usize = 16;

/// Lines along an outer dimension are copied in as many portions, which bounds the copy's size.
const PORTIONS: usize = 16;

/// Forward (`FFT`, `RFFT`) or inverse (`IFFT`, `IRFFT`, scaled by one over the number of points)
/// transforms over the last `length.len()` dimensions.
///
/// `RFFT` takes f32 or f64 and returns the first `length/2 + 1` terms of the innermost dimension;
/// `IRFFT` takes such terms and returns `length` real values. The imaginary parts of the terms that
/// are real in any transform of real values are ignored.
///
/// # Errors
/// Lengths that do not fit the operand's shape; unsupported types; memory; interruption.
pub fn fft(ctx: &Ctx, operand: Tensor, ty: FftType, length: &[i64]) -> Result<Tensor> {
    let bad = || {
        Diagnostic::invalid(format!(
            "fft of lengths {length:?} does not fit an operand of {} elements and shape {:?}",
            operand.element(),
            operand.shape()
        ))
    };
    let lengths: Vec<usize> =
        length.iter().map(|&n| usize::try_from(n)).collect::<Result<_, _>>().map_err(|_| bad())?;
    let rank = operand.rank();
    if lengths.is_empty() || lengths.len() > 3 || lengths.len() > rank {
        return Err(bad());
    }
    let first = rank - lengths.len();
    let last = lengths[lengths.len() - 1];
    let half = last / 2 + 1;
    let have = operand.shape().to_vec();
    let inner = if ty == FftType::Irfft { half } else { last };
    let outer_fit = have[first..rank - 1] == lengths[..lengths.len() - 1];
    let inner_fit = have[rank - 1] == inner || (last == 0 && have[rank - 1] == 0);
    let real = matches!(ty, FftType::Rfft);
    if !outer_fit || !inner_fit || operand.element().is_complex() == real {
        return Err(bad());
    }
    let part = operand.element().real_part();
    let result_type = match ty {
        FftType::Irfft => part,
        _ => part.complex_of().ok_or_else(bad)?,
    };
    let mut shape = have;
    match ty {
        FftType::Rfft => shape[rank - 1] = if last == 0 { 0 } else { half },
        FftType::Irfft => shape[rank - 1] = last,
        _ => {}
    }
    if shape.contains(&0) {
        return ctx.alloc(result_type, &shape);
    }
    let _plans = ctx.reserve(plan_bytes(&lengths))?;
    let wide = widen(ctx, &operand)?;
    drop(operand);
    let outer = first..rank - 1;
    let result = match ty {
        FftType::Fft | FftType::Ifft => {
            let direction = if ty == FftType::Fft { FftDirection::Forward } else { FftDirection::Inverse };
            (first..rank).rev().try_fold(wide, |t, axis| along(ctx, t, axis, direction))?
        }
        FftType::Rfft => {
            let t = rows_real_to_complex(ctx, wide, &shape, last)?;
            outer.rev().try_fold(t, |t, axis| along(ctx, t, axis, FftDirection::Forward))?
        }
        FftType::Irfft => {
            let t = outer.rev().try_fold(wide, |t, axis| along(ctx, t, axis, FftDirection::Inverse))?;
            rows_complex_to_real(ctx, t, &shape, last)?
        }
    };
    narrow(ctx, result, result_type)
}

/// What the planner and its scratch take at most, about: a length with a large prime factor is
/// computed as a convolution of the next power of two above twice the length, with twiddle factors,
/// a kernel and scratch of that size.
fn plan_bytes(lengths: &[usize]) -> usize {
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let points = longest.saturating_mul(2).checked_next_power_of_two().unwrap_or(usize::MAX);
    points.saturating_mul(4 * size_of::<C>())
}

/// Transforms every line along one dimension, in place.
fn along(ctx: &Ctx, t: Tensor, axis: usize, direction: FftDirection) -> Result<Tensor> {
    let mut t = t;
    let n = t.shape()[axis];
    let inner: usize = t.shape()[axis + 1..].iter().product();
    let plan = FftPlanner::<f64>::new().plan_fft(n, direction);
    let scale = if direction == FftDirection::Inverse { 1.0 / n as f64 } else { 1.0 };
    let room = || vec![C::default(); plan.get_inplace_scratch_len()];
    let transform = |lines: &mut [C], scratch: &mut [C]| {
        plan.process_with_scratch(lines, scratch);
        if direction == FftDirection::Inverse {
            lines.iter_mut().for_each(|z| *z *= scale);
        }
    };
    if inner == 1 {
        let rows = (TASK / n).max(1);
        t.as_mut_slice::<C>().par_chunks_mut(rows * n).try_for_each_init(room, |scratch, lines| {
            ctx.check_stop()?;
            transform(lines, scratch);
            Ok(())
        })?;
        return Ok(t);
    }
    let portion = inner.div_ceil(PORTIONS).next_multiple_of(BAND).max(TASK / n).min(inner);
    let mut lines = ctx.scratch(portion * n * size_of::<C>())?;
    let lines: &mut [C] = bytemuck::cast_slice_mut(lines.bytes_mut());
    for part in t.as_mut_slice::<C>().chunks_mut(n * inner) {
        for first in (0..inner).step_by(portion) {
            let width = portion.min(inner - first);
            let lines = &mut lines[..width * n];
            let whole = &*part;
            lines.par_chunks_mut(BAND * n).enumerate().try_for_each_init(room, |scratch, (b, lines)| {
                ctx.check_stop()?;
                let (first, width) = (first + b * BAND, lines.len() / n);
                for (i, row) in whole.chunks_exact(inner).enumerate() {
                    for (j, &z) in row[first..first + width].iter().enumerate() {
                        lines[j * n + i] = z;
                    }
                }
                transform(lines, scratch);
                Ok(())
            })?;
            let lines = &*lines;
            part.par_chunks_mut(BAND * inner).enumerate().for_each(|(b, rows)| {
                for (j, line) in lines.chunks_exact(n).enumerate() {
                    for (row, &z) in rows.chunks_exact_mut(inner).zip(&line[b * BAND..]) {
                        row[first + j] = z;
                    }
                }
            });
        }
    }
    Ok(t)
}

fn failed(e: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::unsupported(format!("fft: {e}"))
}

fn rows_real_to_complex(ctx: &Ctx, t: Tensor, shape: &[usize], n: usize) -> Result<Tensor> {
    let mut out = ctx.alloc(E::C128, shape)?;
    let half = n / 2 + 1;
    let plan = RealFftPlanner::<f64>::new().plan_fft_forward(n);
    let rows = (TASK / n).max(1);
    let lines = t.as_slice::<f64>().par_chunks(rows * n);
    out.as_mut_slice::<C>().par_chunks_mut(rows * half).zip(lines).try_for_each_init(
        || (plan.make_input_vec(), plan.make_scratch_vec()),
        |(input, scratch), (out, lines)| {
            ctx.check_stop()?;
            for (out, line) in out.chunks_mut(half).zip(lines.chunks(n)) {
                input.copy_from_slice(line);
                plan.process_with_scratch(input, out, scratch).map_err(failed)?;
            }
            Ok(())
        },
    )?;
    Ok(out)
}

fn rows_complex_to_real(ctx: &Ctx, t: Tensor, shape: &[usize], n: usize) -> Result<Tensor> {
    let mut out = ctx.alloc(E::F64, shape)?;
    let half = n / 2 + 1;
    let plan = RealFftPlanner::<f64>::new().plan_fft_inverse(n);
    let scale = 1.0 / n as f64;
    let rows = (TASK / n).max(1);
    let lines = t.as_slice::<C>().par_chunks(rows * half);
    out.as_mut_slice::<f64>().par_chunks_mut(rows * n).zip(lines).try_for_each_init(
        || (plan.make_input_vec(), plan.make_scratch_vec()),
        |(input, scratch), (out, lines)| {
            ctx.check_stop()?;
            for (out, line) in out.chunks_mut(n).zip(lines.chunks(half)) {
                input.copy_from_slice(line);
                input[0].im = 0.0;
                if n.is_multiple_of(2) {
                    input[half - 1].im = 0.0;
                }
                plan.process_with_scratch(input, out, scratch).map_err(failed)?;
                out.iter_mut().for_each(|x| *x *= scale);
            }
            Ok(())
        },
    )?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sim_core::{ErrorKind, Numerics};

    #[test]
    fn plans_are_in_the_budget() {
        // 8 MB of data, and a prime length: 32 MB of plan.
        let ctx = Ctx::new(Numerics::ieee(), 24 << 20);
        let t = Tensor::from_slice(&[524_287], &vec![Complex::new(1.0f64, 0.0); 524_287]);
        let e = fft(&ctx, t.clone(), FftType::Fft, &[524_287]).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Resource);
        assert_eq!(ctx.memory().0, 0);
    }

    /// One axis by the definition.
    fn dft(x: &[C], sign: f64) -> Vec<C> {
        let n = x.len();
        (0..n)
            .map(|k| {
                let angle = |j: usize| sign * std::f64::consts::TAU * ((j * k) % n) as f64 / n as f64;
                x.iter().enumerate().map(|(j, z)| z * C::from_polar(1.0, angle(j))).sum()
            })
            .collect()
    }

    fn dft_axis(x: &mut [C], shape: &[usize], axis: usize, sign: f64) {
        let stride: usize = shape[axis + 1..].iter().product();
        let n = shape[axis];
        for outer in 0..x.len() / (n * stride) {
            for inner in 0..stride {
                let at = |i: usize| (outer * n + i) * stride + inner;
                let line: Vec<C> = (0..n).map(|i| x[at(i)]).collect();
                dft(&line, sign).into_iter().enumerate().for_each(|(i, z)| x[at(i)] = z);
            }
        }
    }

    fn values(n: usize, seed: usize) -> Vec<f64> {
        (0..n).map(|i| ((i + seed).wrapping_mul(2_654_435_761) % 2000) as f64 / 1000.0 - 1.0).collect()
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(
            batch in 1usize..3,
            sizes in prop::collection::vec(1usize..20, 1..4),
            seed in 0usize..1000,
        ) {
            let ctx = Ctx::new(Numerics::ieee(), 1 << 30);
            let shape: Vec<usize> = std::iter::once(batch).chain(sizes.iter().copied()).collect();
            let length: Vec<i64> = sizes.iter().map(|&n| n as i64).collect();
            let count: usize = shape.iter().product();
            let parts = values(2 * count, seed);
            let x: Vec<C> = parts.chunks(2).map(|p| C::new(p[0], p[1])).collect();
            let t = Tensor::from_slice(&shape, &x);
            let close = |a: &[C], b: &[C]| a.iter().zip(b).all(|(a, b)| (a - b).norm() < 1e-9 * count as f64);

            let forward = fft(&ctx, t.clone(), FftType::Fft, &length).unwrap();
            let mut want = x.clone();
            (1..shape.len()).for_each(|axis| dft_axis(&mut want, &shape, axis, -1.0));
            prop_assert!(close(forward.as_slice(), &want));
            let back = fft(&ctx, forward.clone(), FftType::Ifft, &length).unwrap();
            prop_assert!(close(back.as_slice(), &x));

            let reals: Vec<f64> = x.iter().map(|z| z.re).collect();
            let r = Tensor::from_slice(&shape, &reals);
            let spectrum = fft(&ctx, r.clone(), FftType::Rfft, &length).unwrap();
            let mut want: Vec<C> = reals.iter().map(|&v| C::new(v, 0.0)).collect();
            (1..shape.len()).for_each(|axis| dft_axis(&mut want, &shape, axis, -1.0));
            let n = sizes[sizes.len() - 1];
            let kept: Vec<C> = want.chunks(n).flat_map(|row| row[..n / 2 + 1].to_vec()).collect();
            prop_assert!(close(spectrum.as_slice(), &kept));
            let back = fft(&ctx, spectrum.clone(), FftType::Irfft, &length).unwrap();
            prop_assert_eq!(back.shape(), &shape[..]);
            for (a, b) in back.as_slice::<f64>().iter().zip(&reals) {
                prop_assert!((a - b).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn f32_and_empty_operands() {
        let ctx = Ctx::new(Numerics::tpu(), 1 << 30);
        let x = Tensor::from_slice(&[4], &[1.0f32, 2.0, 3.0, 4.0]);
        let y = fft(&ctx, x.clone(), FftType::Rfft, &[4]).unwrap();
        let want = [(10.0f32, 0.0f32), (-2.0, 2.0), (-2.0, 0.0)].map(|(a, b)| Complex::new(a, b));
        assert_eq!(y.as_slice::<Complex<f32>>(), want);
        let empty = Tensor::from_slice::<f32>(&[3, 0, 17], &[]);
        assert_eq!(fft(&ctx, empty.clone(), FftType::Rfft, &[17]).unwrap().shape(), [3, 0, 9]);
        assert!(fft(&ctx, x.clone(), FftType::Rfft, &[5]).is_err());
        assert!(fft(&ctx, x.clone(), FftType::Fft, &[4]).is_err());
    }
}
