//! From sums to stored elements: one rounding, and the flush of subnormals where the numerics ask.

use super::gemm::Store;
use sim_core::ElementType as E;
use sim_core::dtype::{self, SmallFloat};

#[inline(always)]
fn flushed<const FLUSH: bool>(x: f32) -> f32 {
    let b = x.to_bits();
    if FLUSH && b & 0x7f80_0000 == 0 { f32::from_bits(b & 0x8000_0000) } else { x }
}

#[inline(always)]
fn bf16_bits(x: f32) -> u16 {
    let b = x.to_bits();
    let rounded = (b.wrapping_add(0x7fff + ((b >> 16) & 1)) >> 16) as u16;
    if b & 0x7fff_ffff > 0x7f80_0000 { (b >> 16) as u16 | 0x40 } else { rounded }
}

fn store_f32<const FLUSH: bool>(src: &[f32], dst: &mut [u8]) {
    for (d, &x) in bytemuck::cast_slice_mut::<u8, f32>(dst).iter_mut().zip(src) {
        *d = flushed::<FLUSH>(x);
    }
}

fn store_bf16<const FLUSH: bool>(src: &[f32], dst: &mut [u8]) {
    for (d, &x) in bytemuck::cast_slice_mut::<u8, u16>(dst).iter_mut().zip(src) {
        *d = bf16_bits(flushed::<FLUSH>(x));
    }
}

fn store_f16(src: &[f32], dst: &mut [u8]) {
    for (d, &x) in bytemuck::cast_slice_mut::<u8, half::f16>(dst).iter_mut().zip(src) {
        *d = half::f16::from_f32(x);
    }
}

fn store_small<T: SmallFloat>(src: &[f32], dst: &mut [u8]) {
    for (d, &x) in dst.iter_mut().zip(src) {
        *d = T::from_f32(x).to_bits();
    }
}

/// From f32 sums; none for types that f32 arithmetic does not make.
pub fn from_f32(ty: E, flush: bool) -> Option<Store<f32>> {
    Some(match (ty, flush) {
        (E::F32, false) => store_f32::<false>,
        (E::F32, true) => store_f32::<true>,
        (E::BF16, false) => store_bf16::<false>,
        (E::BF16, true) => store_bf16::<true>,
        (E::F16, _) => store_f16,
        (E::F4E2M1FN, _) => store_small::<dtype::F4E2M1FN>,
        (E::F6E2M3FN, _) => store_small::<dtype::F6E2M3FN>,
        (E::F6E3M2FN, _) => store_small::<dtype::F6E3M2FN>,
        (E::F8E3M4, _) => store_small::<dtype::F8E3M4>,
        (E::F8E4M3, _) => store_small::<dtype::F8E4M3>,
        (E::F8E4M3FN, _) => store_small::<dtype::F8E4M3FN>,
        (E::F8E4M3FNUZ, _) => store_small::<dtype::F8E4M3FNUZ>,
        (E::F8E4M3B11FNUZ, _) => store_small::<dtype::F8E4M3B11FNUZ>,
        (E::F8E5M2, _) => store_small::<dtype::F8E5M2>,
        (E::F8E5M2FNUZ, _) => store_small::<dtype::F8E5M2FNUZ>,
        (E::F8E8M0FNU, _) => store_small::<dtype::F8E8M0FNU>,
        _ => return None,
    })
}

fn store_f64(src: &[f64], dst: &mut [u8]) {
    let dst: &mut [f64] = bytemuck::cast_slice_mut(dst);
    dst.copy_from_slice(&src[..dst.len()]);
}

/// A pair of f32 holds about 48 bits of fraction, and f32's range.
fn store_pair(src: &[f64], dst: &mut [u8]) {
    for (d, &x) in bytemuck::cast_slice_mut::<u8, f64>(dst).iter_mut().zip(src) {
        let hi = x as f32;
        let lo = (x - hi as f64) as f32;
        *d = if hi.is_finite() { hi as f64 + lo as f64 } else { hi as f64 };
    }
}

fn narrow<const FLUSH: bool, const BF16: bool>(src: &[f64], dst: &mut [u8]) {
    if BF16 {
        for (d, &x) in bytemuck::cast_slice_mut::<u8, half::bf16>(dst).iter_mut().zip(src) {
            *d = half::bf16::from_f64(x);
        }
    } else {
        for (d, &x) in bytemuck::cast_slice_mut::<u8, f32>(dst).iter_mut().zip(src) {
            *d = flushed::<FLUSH>(x as f32);
        }
    }
}

fn narrow_f16(src: &[f64], dst: &mut [u8]) {
    for (d, &x) in bytemuck::cast_slice_mut::<u8, half::f16>(dst).iter_mut().zip(src) {
        *d = half::f16::from_f64(x);
    }
}

/// From f64 sums. `pair`: f64 is a pair of f32 (see [`sim_core::numerics::F64`]).
pub fn from_f64(ty: E, flush: bool, pair: bool) -> Option<Store<f64>> {
    Some(match (ty, flush) {
        (E::F64, _) if pair => store_pair,
        (E::F64, _) => store_f64,
        (E::F32, false) => narrow::<false, false>,
        (E::F32, true) => narrow::<true, false>,
        (E::BF16, _) => narrow::<false, true>,
        (E::F16, _) => narrow_f16,
        _ => return None,
    })
}

macro_rules! from_int {
    ($name:ident, $wide:ty, $doc:literal) => {
        #[doc = $doc]
        pub fn $name(ty: E) -> Option<Store<$wide>> {
            macro_rules! to {
                ($t:ty, $f:expr) => {
                    Some(|src: &[$wide], dst: &mut [u8]| {
                        let f: fn($wide) -> $t = $f;
                        for (d, &x) in bytemuck::cast_slice_mut::<u8, $t>(dst).iter_mut().zip(src) {
                            *d = f(x);
                        }
                    })
                };
            }
            match ty {
                // `i1`: the sum is "or", the product "and"; any nonzero count is true.
                E::Pred => to!(u8, |x| (x != 0) as u8),
                E::U2 => to!(u8, |x| x as u8 & 3),
                E::U4 => to!(u8, |x| x as u8 & 15),
                E::U8 => to!(u8, |x| x as u8),
                E::S2 => to!(i8, |x| (x as i8) << 6 >> 6),
                E::S4 => to!(i8, |x| (x as i8) << 4 >> 4),
                E::S8 => to!(i8, |x| x as i8),
                E::S16 => to!(i16, |x| x as i16),
                E::U16 => to!(u16, |x| x as u16),
                E::S32 => to!(i32, |x| x as i32),
                E::U32 => to!(u32, |x| x as u32),
                E::S64 | E::Index => to!(i64, |x| x as i64),
                E::U64 => to!(u64, |x| x as u64),
                _ => None,
            }
        }
    };
}

from_int!(from_u32, u32, "From sums modulo 2^32, wrapping further to the width of `ty`.");
from_int!(from_u64, u64, "From sums modulo 2^64, wrapping further to the width of `ty`.");
