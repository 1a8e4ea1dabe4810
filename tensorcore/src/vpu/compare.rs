//! `compare`, `select` and `clamp`.

use super::binary::{maximum, maximum_f64, minimum, minimum_f64};
use super::float::Float;
use super::map::{Kernel2, Kernel3, map2, map3};
use half::{bf16, f16};
use num_complex::Complex;
use sim_core::ElementType as E;
use sim_core::Numerics;
use sim_core::dtype::*;
use sim_core::ir::op::{CompareType, Direction};

/// Comparison of keys: `$key` maps an element to something that Rust orders as wanted.
macro_rules! by_key {
    ($direction:expr, $t:ty, $key:expr) => {{
        macro_rules! kernel {
            ($op:tt) => {
                Some(|a, b, o| map2::<$t, $t, u8>(a, b, o, |x, y| ($key(x) $op $key(y)) as u8))
            };
        }
        match $direction {
            Direction::Eq => kernel!(==),
            Direction::Ne => kernel!(!=),
            Direction::Ge => kernel!(>=),
            Direction::Gt => kernel!(>),
            Direction::Le => kernel!(<=),
            Direction::Lt => kernel!(<),
        }
    }};
}

/// The kernel that compares elements of type `ty` and writes `i1`.
///
/// `TOTALORDER` orders floats as IEEE 754's totalOrder does: -NaN < -inf < … < -0 < +0 < … < NaN.
/// Complex numbers know EQ and NE; `None` for the rest.
pub fn compare(direction: Direction, compare_type: CompareType, ty: E) -> Option<Kernel2> {
    if compare_type == CompareType::TotalOrder && ty.is_float() {
        return total_order(direction, ty);
    }
    match ty {
        E::Pred | E::U2 | E::U4 | E::U8 => by_key!(direction, u8, |x: u8| x),
        E::U16 => by_key!(direction, u16, |x: u16| x),
        E::U32 => by_key!(direction, u32, |x: u32| x),
        E::U64 => by_key!(direction, u64, |x: u64| x),
        E::S2 | E::S4 | E::S8 => by_key!(direction, i8, |x: i8| x),
        E::S16 => by_key!(direction, i16, |x: i16| x),
        E::S32 => by_key!(direction, i32, |x: i32| x),
        E::S64 | E::Index => by_key!(direction, i64, |x: i64| x),
        E::F64 => by_key!(direction, f64, |x: f64| x),
        E::F32 => float::<f32>(direction),
        E::BF16 => float::<bf16>(direction),
        E::F16 => float::<f16>(direction),
        E::F4E2M1FN => float::<F4E2M1FN>(direction),
        E::F6E2M3FN => float::<F6E2M3FN>(direction),
        E::F6E3M2FN => float::<F6E3M2FN>(direction),
        E::F8E3M4 => float::<F8E3M4>(direction),
        E::F8E4M3 => float::<F8E4M3>(direction),
        E::F8E4M3FN => float::<F8E4M3FN>(direction),
        E::F8E4M3FNUZ => float::<F8E4M3FNUZ>(direction),
        E::F8E4M3B11FNUZ => float::<F8E4M3B11FNUZ>(direction),
        E::F8E5M2 => float::<F8E5M2>(direction),
        E::F8E5M2FNUZ => float::<F8E5M2FNUZ>(direction),
        E::F8E8M0FNU => float::<F8E8M0FNU>(direction),
        E::C64 => equality::<Complex<f32>>(direction),
        E::C128 => equality::<Complex<f64>>(direction),
    }
}

fn float<T: Float>(direction: Direction) -> Option<Kernel2> {
    by_key!(direction, T, |x: T| x.wide32())
}

fn equality<T: bytemuck::Pod + PartialEq>(direction: Direction) -> Option<Kernel2> {
    match direction {
        Direction::Eq => Some(|a, b, o| map2::<T, T, u8>(a, b, o, |x, y| (x == y) as u8)),
        Direction::Ne => Some(|a, b, o| map2::<T, T, u8>(a, b, o, |x, y| (x != y) as u8)),
        _ => None,
    }
}

/// Bits as signed integers, with the magnitude of negative ones inverted, are in total order.
fn total_order(direction: Direction, ty: E) -> Option<Kernel2> {
    macro_rules! kernel {
        ($t:ty, $unsigned:ty, $up:literal) => {
            by_key!(direction, $t, |x: $t| {
                let x = x << $up;
                x ^ (((x >> (<$t>::BITS - 1)) as $unsigned) >> 1) as $t
            })
        };
    }
    match ty {
        E::F64 => kernel!(i64, u64, 0),
        E::F32 => kernel!(i32, u32, 0),
        E::BF16 | E::F16 => kernel!(i16, u16, 0),
        // No sign bit.
        E::F8E8M0FNU => by_key!(direction, u8, |x: u8| x),
        E::F6E2M3FN | E::F6E3M2FN => kernel!(i8, u8, 2),
        E::F4E2M1FN => kernel!(i8, u8, 4),
        _ => kernel!(i8, u8, 0),
    }
}

/// The kernel of `select` (pred, on_true, on_false) for elements of type `ty`.
pub fn select(ty: E) -> Kernel3 {
    macro_rules! kernel {
        ($t:ty) => {
            |p, a, b, o| map3::<u8, $t, $t, $t>(p, a, b, o, |p, x, y| if p != 0 { x } else { y })
        };
    }
    match ty.byte_size() {
        1 => kernel!(u8),
        2 => kernel!(u16),
        4 => kernel!(u32),
        8 => kernel!(u64),
        _ => kernel!([u64; 2]),
    }
}

/// The kernel of `clamp` (min, operand, max), which is `minimum(maximum(operand, min), max)`.
/// `None` for complex numbers.
pub fn clamp(ty: E, _numerics: &Numerics) -> Option<Kernel3> {
    macro_rules! integers {
        ($t:ty) => {
            Some(|l, x, h, o| map3::<$t, $t, $t, $t>(l, x, h, o, |l, x, h| x.max(l).min(h)))
        };
    }
    macro_rules! floats {
        ($t:ty) => {
            Some(|l, x, h, o| {
                map3::<$t, $t, $t, $t>(l, x, h, o, |l, x, h| {
                    <$t>::round32(minimum(maximum(x.wide32(), l.wide32()), h.wide32()))
                })
            })
        };
    }
    match ty {
        E::Pred | E::U2 | E::U4 | E::U8 => integers!(u8),
        E::U16 => integers!(u16),
        E::U32 => integers!(u32),
        E::U64 => integers!(u64),
        E::S2 | E::S4 | E::S8 => integers!(i8),
        E::S16 => integers!(i16),
        E::S32 => integers!(i32),
        E::S64 | E::Index => integers!(i64),
        E::F64 => Some(|l, x, h, o| {
            map3::<f64, f64, f64, f64>(l, x, h, o, |l, x, h| minimum_f64(maximum_f64(x, l), h))
        }),
        E::F32 => floats!(f32),
        E::BF16 => floats!(bf16),
        E::F16 => floats!(f16),
        E::F4E2M1FN => floats!(F4E2M1FN),
        E::F6E2M3FN => floats!(F6E2M3FN),
        E::F6E3M2FN => floats!(F6E3M2FN),
        E::F8E3M4 => floats!(F8E3M4),
        E::F8E4M3 => floats!(F8E4M3),
        E::F8E4M3FN => floats!(F8E4M3FN),
        E::F8E4M3FNUZ => floats!(F8E4M3FNUZ),
        E::F8E4M3B11FNUZ => floats!(F8E4M3B11FNUZ),
        E::F8E5M2 => floats!(F8E5M2),
        E::F8E5M2FNUZ => floats!(F8E5M2FNUZ),
        E::F8E8M0FNU => floats!(F8E8M0FNU),
        E::C64 | E::C128 => None,
    }
}
