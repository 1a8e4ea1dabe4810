//! `convert`, between every pair of element types.
//!
//! To a float: nearest even, one rounding. Float to integer: toward zero, saturating, NaN to 0 (as
//! XLA does; the specification leaves what does not fit open). Integers wrap. To `i1`: is it not
//! zero. From complex: the real part.

use super::float::{Float, f32_to_bf16, f32_to_f16};
use super::float_pair::to_pair;
use super::map::{Kernel1, map1};
use bytemuck::{Pod, Zeroable};
use half::{bf16, f16};
use num_complex::Complex;
use sim_core::ElementType as E;
use sim_core::Numerics;
use sim_core::dtype::*;
use sim_core::numerics::F64;

/// The kernel that converts elements of type `from` to type `to`; every pair has one.
pub fn convert(from: E, to: E, numerics: &Numerics) -> Option<Kernel1> {
    if numerics.f64 == F64::FloatPair {
        // What the pair of f32 cannot hold is rounded to it.
        match (from, to) {
            (E::S64 | E::Index, E::F64) => return Some(|a, o| map1::<i64, f64>(a, o, |x| to_pair(x as f64))),
            (E::U64, E::F64) => return Some(|a, o| map1::<u64, f64>(a, o, |x| to_pair(x as f64))),
            (E::F64, _) => return from_type::<PairF64>(to),
            _ => {}
        }
    }
    match from {
        E::Pred => from_type::<Pred>(to),
        E::S2 | E::S4 | E::S8 => from_type::<i8>(to),
        E::S16 => from_type::<i16>(to),
        E::S32 => from_type::<i32>(to),
        E::S64 | E::Index => from_type::<i64>(to),
        E::U2 | E::U4 | E::U8 => from_type::<u8>(to),
        E::U16 => from_type::<u16>(to),
        E::U32 => from_type::<u32>(to),
        E::U64 => from_type::<u64>(to),
        E::BF16 => from_type::<bf16>(to),
        E::F16 => from_type::<f16>(to),
        E::F32 => from_type::<f32>(to),
        E::F64 => from_type::<f64>(to),
        E::C64 => from_type::<Complex<f32>>(to),
        E::C128 => from_type::<Complex<f64>>(to),
        E::F4E2M1FN => from_type::<F4E2M1FN>(to),
        E::F6E2M3FN => from_type::<F6E2M3FN>(to),
        E::F6E3M2FN => from_type::<F6E3M2FN>(to),
        E::F8E3M4 => from_type::<F8E3M4>(to),
        E::F8E4M3 => from_type::<F8E4M3>(to),
        E::F8E4M3FN => from_type::<F8E4M3FN>(to),
        E::F8E4M3FNUZ => from_type::<F8E4M3FNUZ>(to),
        E::F8E4M3B11FNUZ => from_type::<F8E4M3B11FNUZ>(to),
        E::F8E5M2 => from_type::<F8E5M2>(to),
        E::F8E5M2FNUZ => from_type::<F8E5M2FNUZ>(to),
        E::F8E8M0FNU => from_type::<F8E8M0FNU>(to),
    }
}

fn from_type<A: Source>(to: E) -> Option<Kernel1> {
    fn kernel<A: Source, B: Dest>() -> Option<Kernel1> {
        Some(|a, o| map1::<A, B>(a, o, |x| x.widen().into_dest::<B>()))
    }
    match to {
        E::Pred => Some(|a, o| map1::<A, u8>(a, o, |x| x.is_nonzero() as u8)),
        E::S2 => kernel::<A, S2>(),
        E::S4 => kernel::<A, S4>(),
        E::S8 => kernel::<A, i8>(),
        E::S16 => kernel::<A, i16>(),
        E::S32 => kernel::<A, i32>(),
        E::S64 | E::Index => kernel::<A, i64>(),
        E::U2 => kernel::<A, U2>(),
        E::U4 => kernel::<A, U4>(),
        E::U8 => kernel::<A, u8>(),
        E::U16 => kernel::<A, u16>(),
        E::U32 => kernel::<A, u32>(),
        E::U64 => kernel::<A, u64>(),
        E::BF16 => kernel::<A, bf16>(),
        E::F16 => kernel::<A, f16>(),
        E::F32 => kernel::<A, f32>(),
        E::F64 => kernel::<A, f64>(),
        E::C64 => Some(|a, o| map1::<A, Complex<f32>>(a, o, |x| x.to_c64())),
        E::C128 => Some(|a, o| map1::<A, Complex<f64>>(a, o, |x| x.to_c128())),
        E::F4E2M1FN => kernel::<A, F4E2M1FN>(),
        E::F6E2M3FN => kernel::<A, F6E2M3FN>(),
        E::F6E3M2FN => kernel::<A, F6E3M2FN>(),
        E::F8E3M4 => kernel::<A, F8E3M4>(),
        E::F8E4M3 => kernel::<A, F8E4M3>(),
        E::F8E4M3FN => kernel::<A, F8E4M3FN>(),
        E::F8E4M3FNUZ => kernel::<A, F8E4M3FNUZ>(),
        E::F8E4M3B11FNUZ => kernel::<A, F8E4M3B11FNUZ>(),
        E::F8E5M2 => kernel::<A, F8E5M2>(),
        E::F8E5M2FNUZ => kernel::<A, F8E5M2FNUZ>(),
        E::F8E8M0FNU => kernel::<A, F8E8M0FNU>(),
    }
}

/// An element to convert from. Its wide form (i64, u64, f32 or f64) holds it exactly.
trait Source: Pod {
    type Wide: Wide;
    fn widen(self) -> Self::Wide;
    #[inline(always)]
    fn is_nonzero(self) -> bool {
        self.widen().is_nonzero()
    }
    #[inline(always)]
    fn to_c64(self) -> Complex<f32> {
        Complex::new(self.widen().into_dest(), 0.0)
    }
    #[inline(always)]
    fn to_c128(self) -> Complex<f64> {
        Complex::new(self.widen().into_dest(), 0.0)
    }
}

trait Wide: Copy {
    fn into_dest<B: Dest>(self) -> B;
    fn is_nonzero(self) -> bool;
}

/// An element to convert to.
trait Dest: Pod {
    fn from_i64(x: i64) -> Self;
    fn from_u64(x: u64) -> Self;
    fn from_f32(x: f32) -> Self;
    fn from_f64(x: f64) -> Self;
}

macro_rules! wide {
    ($($t:ty: $from:ident, $zero:literal;)*) => { $(
        impl Wide for $t {
            #[inline(always)]
            fn into_dest<B: Dest>(self) -> B {
                B::$from(self)
            }
            #[inline(always)]
            fn is_nonzero(self) -> bool {
                self != $zero
            }
        }
    )* };
}

wide! { i64: from_i64, 0; u64: from_u64, 0; f32: from_f32, 0.0; f64: from_f64, 0.0; }

/// `i1` as a source: any byte but 0 is true.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
struct Pred(u8);

/// f64 as a source under [`F64::FloatPair`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
struct PairF64(f64);

macro_rules! source {
    ($($t:ty => $wide:ty, $f:expr;)*) => { $(
        impl Source for $t {
            type Wide = $wide;
            #[inline(always)]
            fn widen(self) -> $wide {
                $f(self)
            }
        }
    )* };
}

source! {
    Pred => u64, |x: Pred| (x.0 != 0) as u64;
    i8 => i64, i64::from; i16 => i64, i64::from; i32 => i64, i64::from; i64 => i64, |x| x;
    u8 => u64, u64::from; u16 => u64, u64::from; u32 => u64, u64::from; u64 => u64, |x| x;
    bf16 => f32, Float::wide32; f16 => f32, Float::wide32; f32 => f32, |x| x; f64 => f64, |x| x;
    PairF64 => f64, |x: PairF64| to_pair(x.0);
    F4E2M1FN => f32, Float::wide32; F6E2M3FN => f32, Float::wide32; F6E3M2FN => f32, Float::wide32;
    F8E3M4 => f32, Float::wide32; F8E4M3 => f32, Float::wide32; F8E4M3FN => f32, Float::wide32;
    F8E4M3FNUZ => f32, Float::wide32; F8E4M3B11FNUZ => f32, Float::wide32;
    F8E5M2 => f32, Float::wide32; F8E5M2FNUZ => f32, Float::wide32; F8E8M0FNU => f32, Float::wide32;
}

macro_rules! complex_source {
    ($($t:ty)*) => { $(
        impl Source for Complex<$t> {
            type Wide = $t;
            #[inline(always)]
            fn widen(self) -> $t {
                self.re
            }
            #[inline(always)]
            fn to_c64(self) -> Complex<f32> {
                Complex::new(self.re as f32, self.im as f32)
            }
            #[inline(always)]
            fn to_c128(self) -> Complex<f64> {
                Complex::new(self.re as f64, self.im as f64)
            }
        }
    )* };
}

complex_source! { f32 f64 }

/// 64-bit integers, f32 and f64: Rust's `as` is what is wanted.
macro_rules! dest_by_as {
    ($($t:ty)*) => { $(
        impl Dest for $t {
            #[inline(always)]
            fn from_i64(x: i64) -> $t {
                x as $t
            }
            #[inline(always)]
            fn from_u64(x: u64) -> $t {
                x as $t
            }
            #[inline(always)]
            fn from_f32(x: f32) -> $t {
                x as $t
            }
            #[inline(always)]
            fn from_f64(x: f64) -> $t {
                x as $t
            }
        }
    )* };
}

dest_by_as! { i64 u64 f32 f64 }

/// Toward zero and saturating, NaN to 0: as Rust's `as`, but the compiler makes vector code of it.
/// Adding 1.5 * 2^52 leaves the integer in the low bits of the sum.
#[inline(always)]
fn truncated(x: f64, min: f64, max: f64) -> u32 {
    let x = if x > max { max } else { x };
    let x = if x < min { min } else { x };
    let x = if x.is_nan() { 0.0 } else { x };
    (x.trunc() + 6755399441055744.0).to_bits() as u32
}

macro_rules! dest_small_integer {
    ($($t:ty)*) => { $(
        impl Dest for $t {
            #[inline(always)]
            fn from_i64(x: i64) -> $t {
                x as $t
            }
            #[inline(always)]
            fn from_u64(x: u64) -> $t {
                x as $t
            }
            #[inline(always)]
            fn from_f32(x: f32) -> $t {
                Self::from_f64(x as f64)
            }
            #[inline(always)]
            fn from_f64(x: f64) -> $t {
                truncated(x, <$t>::MIN as f64, <$t>::MAX as f64) as $t
            }
        }
    )* };
}

dest_small_integer! { i8 i16 i32 u8 u16 u32 }

macro_rules! dest_narrow {
    ($($name:ident($t:ty), $bits:literal, $min:literal, $max:literal;)*) => { $(
        /// An integer that is narrower than its byte.
        #[derive(Clone, Copy, Pod, Zeroable)]
        #[repr(transparent)]
        struct $name($t);

        impl Dest for $name {
            #[inline(always)]
            fn from_i64(x: i64) -> Self {
                $name(((x as $t) << (8 - $bits)) >> (8 - $bits))
            }
            #[inline(always)]
            fn from_u64(x: u64) -> Self {
                Self::from_i64(x as i64)
            }
            #[inline(always)]
            fn from_f32(x: f32) -> Self {
                Self::from_f64(x as f64)
            }
            #[inline(always)]
            fn from_f64(x: f64) -> Self {
                $name(truncated(x, $min, $max) as $t)
            }
        }
    )* };
}

dest_narrow! { S2(i8), 2, -2.0, 1.0; S4(i8), 4, -8.0, 7.0; U2(u8), 2, 0.0, 3.0; U4(u8), 4, 0.0, 15.0; }

/// A 64-bit integer as f64, so that a later rounding to a format of at most 24 bits is right:
/// beyond 2^53 the bits that f64 would round off are folded into one (rounding to odd).
#[inline(always)]
fn i64_sticky(x: i64) -> f64 {
    let odd = (x & !0x3ff) | if x & 0x3ff != 0 { 0x400 } else { 0 };
    let fits = x.wrapping_add(1 << 53) as u64 <= 1 << 54;
    (if fits { x } else { odd }) as f64
}

/// As [`i64_sticky`].
#[inline(always)]
fn u64_sticky(x: u64) -> f64 {
    let odd = (x & !0x7ff) | if x & 0x7ff != 0 { 0x800 } else { 0 };
    (if x <= 1 << 53 { x } else { odd }) as f64
}

macro_rules! dest_float {
    ($($t:ty, $from_f32:expr;)*) => { $(
        impl Dest for $t {
            #[inline(always)]
            fn from_i64(x: i64) -> $t {
                <$t as Float>::round(i64_sticky(x))
            }
            #[inline(always)]
            fn from_u64(x: u64) -> $t {
                <$t as Float>::round(u64_sticky(x))
            }
            #[inline(always)]
            fn from_f32(x: f32) -> $t {
                $from_f32(x)
            }
            #[inline(always)]
            fn from_f64(x: f64) -> $t {
                <$t as Float>::round(x)
            }
        }
    )* };
}

dest_float! {
    bf16, f32_to_bf16; f16, f32_to_f16;
    F4E2M1FN, Float::round32; F6E2M3FN, Float::round32; F6E3M2FN, Float::round32;
    F8E3M4, Float::round32; F8E4M3, Float::round32; F8E4M3FN, Float::round32;
    F8E4M3FNUZ, Float::round32; F8E4M3B11FNUZ, Float::round32; F8E5M2, Float::round32;
    F8E5M2FNUZ, Float::round32; F8E8M0FNU, Float::round32;
}
