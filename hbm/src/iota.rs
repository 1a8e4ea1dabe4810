//! `iota`: each element is its own index along one dimension.

use crate::strided::{CHUNK, PARALLEL_FROM};
use half::{bf16, f16};
use num_complex::Complex;
use rayon::prelude::*;
use sim_core::dtype::{self, Native, SmallFloat};
use sim_core::{Ctx, Diagnostic, ElementType, Result, Tensor};

/// `stablehlo.iota` and `dynamic_iota`: element `[i0, i1, …]` is `i_dim`, converted to `ty`.
/// Integers wrap, floats round to nearest even, complex numbers get imaginary part zero.
///
/// # Errors
/// `Invalid` when `dim` is not one of the shape's dimensions.
pub fn iota(ctx: &Ctx, ty: ElementType, shape: &[usize], dim: usize) -> Result<Tensor> {
    let Some(&n) = shape.get(dim) else {
        return Err(Diagnostic::invalid(format!(
            "iota_dimension {dim} is not one of {} dimensions",
            shape.len()
        )));
    };
    if shape.contains(&0) {
        return ctx.alloc(ty, shape);
    }
    let mut line = ctx.alloc(ty, &[n])?;
    use ElementType as E;
    let l = &mut line;
    match ty {
        E::Pred => count(l, |i| u8::from(i != 0)),
        E::U2 => count(l, |i| (i & 3) as u8),
        E::U4 => count(l, |i| (i & 15) as u8),
        E::U8 => count(l, |i| i as u8),
        // Sign-extended from the low bits.
        E::S2 => count(l, |i| (i << 6) as i8 >> 6),
        E::S4 => count(l, |i| (i << 4) as i8 >> 4),
        E::S8 => count(l, |i| i as i8),
        E::U16 => count(l, |i| i as u16),
        E::S16 => count(l, |i| i as i16),
        E::U32 => count(l, |i| i as u32),
        E::S32 => count(l, |i| i as i32),
        E::U64 => count(l, |i| i),
        E::S64 | E::Index => count(l, |i| i as i64),
        E::F32 => count(l, |i| i as f32),
        E::F64 => count(l, |i| i as f64),
        E::BF16 => count(l, |i| bf16::from_f64(i as f64)),
        E::F16 => count(l, |i| f16::from_f64(i as f64)),
        E::C64 => count(l, |i| Complex::new(i as f32, 0.0)),
        E::C128 => count(l, |i| Complex::new(i as f64, 0.0)),
        E::F4E2M1FN => count(l, small::<dtype::F4E2M1FN>),
        E::F6E2M3FN => count(l, small::<dtype::F6E2M3FN>),
        E::F6E3M2FN => count(l, small::<dtype::F6E3M2FN>),
        E::F8E3M4 => count(l, small::<dtype::F8E3M4>),
        E::F8E4M3 => count(l, small::<dtype::F8E4M3>),
        E::F8E4M3FN => count(l, small::<dtype::F8E4M3FN>),
        E::F8E4M3FNUZ => count(l, small::<dtype::F8E4M3FNUZ>),
        E::F8E4M3B11FNUZ => count(l, small::<dtype::F8E4M3B11FNUZ>),
        E::F8E5M2 => count(l, small::<dtype::F8E5M2>),
        E::F8E5M2FNUZ => count(l, small::<dtype::F8E5M2FNUZ>),
        E::F8E8M0FNU => count(l, small::<dtype::F8E8M0FNU>),
    }
    crate::broadcast_in_dim(ctx, &line, &[dim as i64], shape)
}

fn small<F: SmallFloat>(i: u64) -> F {
    F::from_f64(i as f64)
}

fn count<T: Native>(line: &mut Tensor, value: impl Fn(u64) -> T + Sync) {
    let fill = |out: &mut [T], from: usize| {
        out.iter_mut().enumerate().for_each(|(i, x)| *x = value((from + i) as u64));
    };
    let out = line.as_mut_slice::<T>();
    if size_of_val(out) < PARALLEL_FROM {
        return fill(out, 0);
    }
    let per = CHUNK / size_of::<T>();
    out.par_chunks_mut(per).enumerate().for_each(|(i, out)| fill(out, i * per));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ctx;

    #[test]
    fn counts_along_its_dimension() {
        let t = iota(&ctx(), ElementType::S32, &[2, 3, 2], 1).unwrap();
        assert_eq!(t.as_slice::<i32>(), [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
        assert!(iota(&ctx(), ElementType::S32, &[2], 1).is_err());
        assert_eq!(iota(&ctx(), ElementType::S32, &[0, 2], 1).unwrap().len(), 0);
    }

    #[test]
    fn narrow_types_wrap_or_round() {
        let s4 = iota(&ctx(), ElementType::S4, &[18], 0).unwrap();
        assert_eq!(s4.as_slice::<i8>()[6..18], [6, 7, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1]);
        let b = iota(&ctx(), ElementType::BF16, &[260], 0).unwrap();
        assert_eq!(b.as_slice::<bf16>()[257].to_f32(), 256.0);
        assert_eq!(b.as_slice::<bf16>()[259].to_f32(), 260.0);
        let c = iota(&ctx(), ElementType::C64, &[3], 0).unwrap();
        assert_eq!(c.as_slice::<Complex<f32>>()[2], Complex::new(2.0, 0.0));
    }

    #[test]
    fn every_type_counts_to_two() {
        for ty in ElementType::all() {
            let t = iota(&ctx(), ty, &[3], 0).unwrap();
            assert_eq!(t.element(), ty);
            assert_ne!(t.bytes()[..ty.byte_size()], t.bytes()[ty.byte_size()..2 * ty.byte_size()], "{ty}");
        }
        let long = iota(&ctx(), ElementType::U32, &[100_000], 0).unwrap();
        assert!(long.as_slice::<u32>().iter().enumerate().all(|(i, &x)| i as u32 == x));
    }
}
