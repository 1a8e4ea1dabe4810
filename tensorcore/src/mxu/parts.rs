//! How operands enter the arithmetic: exact conversion, rounding to bf16, and the bf16 pieces of an
//! f32 (`hi + mid + lo`, together exact to the last bit) that the passes of HIGH and HIGHEST take.

use super::pack::Decode;
use num_complex::Complex;
use sim_core::ElementType as E;
use sim_core::dtype::{self, SmallFloat};

/// What of an element takes part in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The value, in f32.
    Exact,
    /// Rounded to bf16 (nearest even; subnormals are zero, as the MXU has none).
    Hi,
    /// What `Hi` leaves, rounded to bf16.
    Mid,
    /// What `Hi` and `Mid` leave.
    Lo,
    /// Rounded to 10 bits of fraction (TensorFloat-32).
    Tf32,
    /// Rounded to f16.
    F16,
}

/// Which part of a complex operand. A real operand has imaginary part zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    Real,
    Imag,
    MinusImag,
}

/// Nearest even; NaN stays NaN; subnormals become zero of their sign.
#[inline(always)]
pub fn round_bf16(x: f32) -> f32 {
    let b = x.to_bits();
    let rounded = b.wrapping_add(0x7fff + ((b >> 16) & 1)) & 0xffff_0000;
    let nan = (b & 0xffff_0000) | 0x0040_0000;
    let r = if b & 0x7fff_ffff > 0x7f80_0000 { nan } else { rounded };
    f32::from_bits(if b & 0x7f80_0000 == 0 { b & 0x8000_0000 } else { r })
}

#[inline(always)]
fn rest(x: f32, taken: f32) -> f32 {
    // Nothing is left of what is not finite: infinity minus infinity must not make a NaN.
    if taken.to_bits() & 0x7f80_0000 == 0x7f80_0000 { 0.0 } else { x - taken }
}

#[inline(always)]
fn round_tf32(x: f32) -> f32 {
    let b = x.to_bits();
    let rounded = b.wrapping_add(0x0fff + ((b >> 13) & 1)) & 0xffff_e000;
    if b & 0x7f80_0000 == 0x7f80_0000 { x } else { f32::from_bits(rounded) }
}

const EXACT: u8 = 0;
const HI: u8 = 1;
const MID: u8 = 2;
const LO: u8 = 3;
const TF32: u8 = 4;
const F16: u8 = 5;

#[inline(always)]
fn take<const PART: u8>(x: f32) -> f32 {
    match PART {
        HI => round_bf16(x),
        MID => round_bf16(rest(x, round_bf16(x))),
        LO => {
            let r = rest(x, round_bf16(x));
            round_bf16(rest(r, round_bf16(r)))
        }
        TF32 => round_tf32(x),
        F16 => half::f16::from_f32(x).to_f32(),
        _ => x,
    }
}

/// A storage type whose value is a real number.
pub(super) trait Real: bytemuck::Pod {
    fn f32(self) -> f32;
    fn f64(self) -> f64;
}

macro_rules! real {
    ($($int:ty),*; $($small:ident),*) => {
        $(impl Real for $int {
            #[inline(always)]
            fn f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn f64(self) -> f64 { self as f64 }
        })*
        $(impl Real for dtype::$small {
            #[inline(always)]
            fn f32(self) -> f32 { self.to_f32() }
            #[inline(always)]
            fn f64(self) -> f64 { self.to_f32() as f64 }
        })*
    };
}

real! {
    i8, u8, i16, u16, i32, u32, i64, u64, f32, f64;
    F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3FN, F8E4M3FNUZ, F8E4M3B11FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU
}

impl Real for half::bf16 {
    #[inline(always)]
    fn f32(self) -> f32 {
        f32::from_bits((self.to_bits() as u32) << 16)
    }
    #[inline(always)]
    fn f64(self) -> f64 {
        Real::f32(self) as f64
    }
}

impl Real for half::f16 {
    #[inline(always)]
    fn f32(self) -> f32 {
        self.to_f32()
    }
    #[inline(always)]
    fn f64(self) -> f64 {
        self.to_f64()
    }
}

/// 0: the real part, 1: the imaginary part, 2: its negative.
#[inline(always)]
fn pick<T: std::ops::Neg<Output = T>, const COMPONENT: u8>(z: Complex<T>) -> T {
    match COMPONENT {
        0 => z.re,
        1 => z.im,
        _ => -z.im,
    }
}

fn decode_f32<T: Real, const PART: u8>(src: &[u8], dst: &mut [f32]) {
    let src: &[T] = bytemuck::cast_slice(src);
    for (d, &x) in dst.iter_mut().zip(src) {
        *d = take::<PART>(x.f32());
    }
}

fn decode_c64<const PART: u8, const C: u8>(src: &[u8], dst: &mut [f32]) {
    let src: &[Complex<f32>] = bytemuck::cast_slice(src);
    for (d, &z) in dst.iter_mut().zip(src) {
        *d = take::<PART>(pick::<f32, C>(z));
    }
}

fn decode_f64<T: Real>(src: &[u8], dst: &mut [f64]) {
    let src: &[T] = bytemuck::cast_slice(src);
    for (d, &x) in dst.iter_mut().zip(src) {
        *d = x.f64();
    }
}

fn decode_c128<const C: u8>(src: &[u8], dst: &mut [f64]) {
    let src: &[Complex<f64>] = bytemuck::cast_slice(src);
    for (d, &z) in dst.iter_mut().zip(src) {
        *d = pick::<f64, C>(z);
    }
}

fn decode_c64_f64<const C: u8>(src: &[u8], dst: &mut [f64]) {
    let src: &[Complex<f32>] = bytemuck::cast_slice(src);
    for (d, &z) in dst.iter_mut().zip(src) {
        *d = pick::<f32, C>(z) as f64;
    }
}

fn zeros<S: bytemuck::Zeroable + Copy>(_: &[u8], dst: &mut [S]) {
    dst.fill(S::zeroed());
}

/// Calls `$call` with `$T` bound to the storage type of a real element type.
macro_rules! with_real {
    ($ty:expr, $T:ident => $call:expr) => {
        match $ty {
            E::Pred | E::U2 | E::U4 | E::U8 => {
                type $T = u8;
                $call
            }
            E::S2 | E::S4 | E::S8 => {
                type $T = i8;
                $call
            }
            E::S16 => {
                type $T = i16;
                $call
            }
            E::S32 => {
                type $T = i32;
                $call
            }
            E::S64 | E::Index => {
                type $T = i64;
                $call
            }
            E::U16 => {
                type $T = u16;
                $call
            }
            E::U32 => {
                type $T = u32;
                $call
            }
            E::U64 => {
                type $T = u64;
                $call
            }
            E::F4E2M1FN => {
                type $T = dtype::F4E2M1FN;
                $call
            }
            E::F6E2M3FN => {
                type $T = dtype::F6E2M3FN;
                $call
            }
            E::F6E3M2FN => {
                type $T = dtype::F6E3M2FN;
                $call
            }
            E::F8E3M4 => {
                type $T = dtype::F8E3M4;
                $call
            }
            E::F8E4M3 => {
                type $T = dtype::F8E4M3;
                $call
            }
            E::F8E4M3FN => {
                type $T = dtype::F8E4M3FN;
                $call
            }
            E::F8E4M3FNUZ => {
                type $T = dtype::F8E4M3FNUZ;
                $call
            }
            E::F8E4M3B11FNUZ => {
                type $T = dtype::F8E4M3B11FNUZ;
                $call
            }
            E::F8E5M2 => {
                type $T = dtype::F8E5M2;
                $call
            }
            E::F8E5M2FNUZ => {
                type $T = dtype::F8E5M2FNUZ;
                $call
            }
            E::F8E8M0FNU => {
                type $T = dtype::F8E8M0FNU;
                $call
            }
            E::BF16 => {
                type $T = half::bf16;
                $call
            }
            E::F16 => {
                type $T = half::f16;
                $call
            }
            E::F32 => {
                type $T = f32;
                $call
            }
            E::F64 => {
                type $T = f64;
                $call
            }
            E::C64 | E::C128 => None,
        }
    };
}

/// The decoder into f32 arithmetic; none for `complex<f64>`.
pub fn to_f32(ty: E, part: Part, component: Component) -> Option<Decode<f32>> {
    fn with_part<const PART: u8>(ty: E, component: Component) -> Option<Decode<f32>> {
        match (ty, component) {
            (E::C64, Component::Real) => Some(decode_c64::<PART, 0>),
            (E::C64, Component::Imag) => Some(decode_c64::<PART, 1>),
            (E::C64, Component::MinusImag) => Some(decode_c64::<PART, 2>),
            (_, Component::Real) => with_real!(ty, T => Some(decode_f32::<T, PART>)),
            _ => Some(zeros::<f32>),
        }
    }
    match part {
        Part::Exact => with_part::<EXACT>(ty, component),
        Part::Hi => with_part::<HI>(ty, component),
        Part::Mid => with_part::<MID>(ty, component),
        Part::Lo => with_part::<LO>(ty, component),
        Part::Tf32 => with_part::<TF32>(ty, component),
        Part::F16 => with_part::<F16>(ty, component),
    }
}

/// The decoder into f64 arithmetic.
pub fn to_f64(ty: E, component: Component) -> Option<Decode<f64>> {
    match (ty, component) {
        (E::C64, Component::Real) => Some(decode_c64_f64::<0>),
        (E::C64, Component::Imag) => Some(decode_c64_f64::<1>),
        (E::C64, Component::MinusImag) => Some(decode_c64_f64::<2>),
        (E::C128, Component::Real) => Some(decode_c128::<0>),
        (E::C128, Component::Imag) => Some(decode_c128::<1>),
        (E::C128, Component::MinusImag) => Some(decode_c128::<2>),
        (_, Component::Real) => with_real!(ty, T => Some(decode_f64::<T>)),
        _ => Some(zeros::<f64>),
    }
}

macro_rules! decode_int {
    ($name:ident, $wide:ty, $doc:literal) => {
        #[doc = $doc]
        pub fn $name(ty: E) -> Option<Decode<$wide>> {
            macro_rules! from {
                ($t:ty) => {
                    Some(|src: &[u8], dst: &mut [$wide]| {
                        for (d, &x) in dst.iter_mut().zip(bytemuck::cast_slice::<u8, $t>(src)) {
                            *d = x as $wide;
                        }
                    })
                };
            }
            match ty {
                E::Pred | E::U2 | E::U4 | E::U8 => from!(u8),
                E::S2 | E::S4 | E::S8 => from!(i8),
                E::S16 => from!(i16),
                E::S32 => from!(i32),
                E::S64 | E::Index => from!(i64),
                E::U16 => from!(u16),
                E::U32 => from!(u32),
                E::U64 => from!(u64),
                _ => None,
            }
        }
    };
}

decode_int!(to_u32, u32, "The decoder into 32-bit wrapping arithmetic; none but for integers and `i1`.");
decode_int!(to_u64, u64, "The decoder into 64-bit wrapping arithmetic; none but for integers and `i1`.");

/// Has the type at most 8 bits of significand and bf16's range, so that rounding to bf16 is exact?
pub fn fits_bf16(ty: E) -> bool {
    matches!(ty, E::BF16 | E::Pred | E::S2 | E::S4 | E::S8 | E::U2 | E::U4 | E::U8)
        || (ty.is_float() && ty.bits() <= 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_to_bf16_agrees_with_half() {
        for i in 0..200_000u32 {
            let x = f32::from_bits(i.wrapping_mul(2_654_435_761));
            if x.is_subnormal() {
                assert_eq!(round_bf16(x), 0.0);
            } else if x.is_nan() {
                assert!(round_bf16(x).is_nan());
            } else {
                assert_eq!(round_bf16(x).to_bits(), half::bf16::from_f32(x).to_f32().to_bits(), "{x}");
            }
        }
    }

    #[test]
    fn three_pieces_hold_an_f32() {
        for i in 1..100_000u32 {
            let x = (i as f32).sqrt() * 1.7 - 99.0;
            let sum = take::<HI>(x) as f64 + take::<MID>(x) as f64 + take::<LO>(x) as f64;
            assert_eq!(sum, x as f64);
        }
        assert_eq!(take::<MID>(f32::INFINITY), 0.0);
    }
}
