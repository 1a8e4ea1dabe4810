//! Shapes, element types, inputs and constants.

use super::Info;
use crate::rng::Rng;
use sim_core::dtype::{F8E4M3FN, F8E5M2, SmallFloat};
use sim_core::ir::Op;
use sim_core::ir::attr::Dense;
use sim_core::{ElementType as E, Tensor, Type};
use std::sync::Arc;

/// Everything that is drawn.
const ELEMENTS: [E; 18] = [
    E::Pred,
    E::S8,
    E::S16,
    E::S32,
    E::S64,
    E::U8,
    E::U16,
    E::U32,
    E::U64,
    E::BF16,
    E::F16,
    E::F32,
    E::F64,
    E::C64,
    E::F8E4M3FN,
    E::F8E5M2,
    E::F32,
    E::S32,
];

/// The few element types of one program.
pub fn elements(rng: &mut Rng) -> Vec<E> {
    let mut chosen = vec![E::F32, E::S32];
    chosen.extend((0..1 + rng.below(3)).map(|_| *rng.pick(&ELEMENTS)));
    chosen
}

/// The few shapes of one program.
pub fn shapes(rng: &mut Rng) -> Vec<Vec<i64>> {
    let size = |rng: &mut Rng| match rng.below(20) {
        0 => 0,
        1..4 => 1,
        _ => rng.range(2, 7),
    };
    let mut all: Vec<Vec<i64>> = (0..2 + rng.below(3))
        .map(|_| {
            let rank = [0, 1, 1, 2, 2, 2, 3, 3, 4][rng.below(9)];
            (0..rank).map(|_| size(rng)).collect()
        })
        .collect();
    if rng.chance(8) {
        // Over the borders of tiles and chunks.
        let large: [&[i64]; 7] =
            [&[70_001], &[300, 257], &[3, 150, 170], &[17, 1, 4099], &[1025], &[33, 65], &[40_000, 2]];
        all.push(rng.pick(&large).to_vec());
    }
    all
}

pub fn is_float(element: E) -> bool {
    element.is_float()
}

/// Bits of the significand, the hidden one included; 0 for what is no float.
pub fn significand(element: E) -> i32 {
    match element {
        E::F64 | E::C128 => 53,
        E::F32 | E::C64 => 24,
        E::F16 => 11,
        E::BF16 => 8,
        E::F8E4M3FN => 4,
        E::F8E5M2 => 3,
        _ => 0,
    }
}

/// Half a unit in the last place of 1.
pub fn rounding(element: E) -> f64 {
    2f64.powi(-significand(element))
}

/// Up to here all integers are representable.
pub fn largest_whole(element: E) -> f64 {
    2f64.powi(significand(element))
}

/// The range of an integer type.
pub fn int_range(element: E) -> (f64, f64) {
    let bits = element.bits() as i32;
    match element {
        E::Pred => (0.0, 1.0),
        _ if element.is_signed() => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1) - 1.0),
        _ => (0.0, 2f64.powi(bits) - 1.0),
    }
}

/// What is known of an integer value between these bounds: the bounds, if the type holds them.
pub fn int_info(element: E, low: f64, high: f64) -> Info {
    let (min, max) = int_range(element);
    let inside = low >= min && high <= max && low.abs().max(high.abs()) < 2f64.powi(52);
    let (low, high) = if inside { (low, high) } else { (min, max) };
    Info { low, high, error: 0.0, ulps: 0.0, whole: true, wild: false, pristine: true }
}

/// Values rounded to the type; for complex types, real and imaginary parts in turn.
pub fn tensor(element: E, dims: &[i64], values: &[f64]) -> Tensor {
    let shape: Vec<usize> = dims.iter().map(|&d| d as usize).collect();
    macro_rules! of {
        ($f:expr) => {
            Tensor::from_slice_as(element, &shape, &values.iter().map($f).collect::<Vec<_>>())
        };
    }
    match element {
        E::Pred | E::U8 => of!(|&x| x as u8),
        E::S8 => of!(|&x| x as i8),
        E::S16 => of!(|&x| x as i16),
        E::S32 => of!(|&x| x as i32),
        E::S64 => of!(|&x| x as i64),
        E::U16 => of!(|&x| x as u16),
        E::U32 => of!(|&x| x as u32),
        E::U64 => of!(|&x| x as u64),
        E::BF16 => of!(|&x| half::bf16::from_f64(x)),
        E::F16 => of!(|&x| half::f16::from_f64(x)),
        E::F32 => of!(|&x| x as f32),
        E::F64 => of!(|&x| x),
        E::F8E4M3FN => of!(|&x| F8E4M3FN::from_f64(x)),
        E::F8E5M2 => of!(|&x| F8E5M2::from_f64(x)),
        E::C64 => {
            let pairs: Vec<_> =
                values.chunks_exact(2).map(|c| num_complex::Complex::new(c[0] as f32, c[1] as f32)).collect();
            Tensor::from_slice(&shape, &pairs)
        }
        other => unreachable!("{other} is not drawn"),
    }
}

/// Random elements and what is known of them.
pub fn random(rng: &mut Rng, element: E, dims: &[i64]) -> (Tensor, Info) {
    let parts = if element.is_complex() { 2 } else { 1 };
    let n = dims.iter().product::<i64>() as usize * parts;
    let real = Info { low: 0.0, high: 0.0, error: 0.0, ulps: 0.0, whole: false, wild: false, pristine: true };
    if !element.is_float() && !element.is_complex() {
        let (min, max) = int_range(element);
        let (low, high) = match if element == E::Pred { 0 } else { rng.below(5) } {
            0..3 => ((-6f64).max(min), 6f64.min(max)),
            3 => (0.0, 3.0),
            _ => {
                let bytes: Vec<u8> = (0..n * element.byte_size()).map(|_| rng.next() as u8).collect();
                return (
                    from_bytes(element, dims, &bytes),
                    Info { low: min, high: max, whole: true, ..real },
                );
            }
        };
        let values: Vec<f64> = (0..n).map(|_| rng.range(low as i64, high as i64) as f64).collect();
        return (tensor(element, dims, &values), Info { low, high, whole: true, ..real });
    }
    match rng.below(10) {
        0..5 => {
            let high = if significand(element) < 8 { 2.0 } else { 4.0 };
            let values: Vec<f64> = (0..n).map(|_| rng.range(-high as i64, high as i64) as f64).collect();
            (tensor(element, dims, &values), Info { low: -high, high, whole: true, ..real })
        }
        5..7 => {
            let values: Vec<f64> = (0..n).map(|_| rng.uniform(-2.0, 2.0)).collect();
            (tensor(element, dims, &values), Info { low: -2.0, high: 2.0, ..real })
        }
        7..9 => {
            let values: Vec<f64> = (0..n).map(|_| rng.uniform(0.25, 4.0)).collect();
            (tensor(element, dims, &values), Info { low: 0.25, high: 4.0, ..real })
        }
        _ => {
            let values: Vec<f64> = (0..n).map(|_| extreme(rng, element)).collect();
            let wild = Info { low: f64::NEG_INFINITY, high: f64::INFINITY, wild: true, ..real };
            (tensor(element, dims, &values), wild)
        }
    }
}

/// NaN, infinities, zeros, and numbers of any exponent but subnormal ones, which XLA's CPU flushes.
fn extreme(rng: &mut Rng, element: E) -> f64 {
    let (smallest, largest) = match element {
        E::F64 | E::C128 => (-1000, 1000),
        E::F32 | E::C64 | E::BF16 => (-120, 120),
        E::F8E4M3FN => (-6, 7),
        _ => (-14, 14),
    };
    let sign = if rng.chance(50) { 1.0 } else { -1.0 };
    sign * match rng.below(12) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => 0.0,
        3 => 1.0,
        4 => 0.5,
        5 => rng.range(0, 10) as f64 + 0.5,
        6..9 => rng.uniform(0.0625, 16.0),
        _ => rng.uniform(1.0, 2.0) * 2f64.powi(rng.range(smallest, largest) as i32),
    }
}

fn from_bytes(element: E, dims: &[i64], bytes: &[u8]) -> Tensor {
    let shape: Vec<usize> = dims.iter().map(|&d| d as usize).collect();
    let flat = Tensor::from_slice_as(E::U8, &[bytes.len()], bytes);
    flat.recast(element, &shape)
}

/// A constant: mostly a splat.
pub fn constant(rng: &mut Rng, element: E, dims: &[i64]) -> (Op, Info) {
    let n = dims.iter().product::<i64>();
    let splat = n > 100 || rng.chance(60);
    let (value, info) = random(rng, element, if splat { &[] } else { dims });
    (Op::Constant(Arc::new(Dense { ty: Type::tensor(element, dims), value, splat })), info)
}

/// A constant of these elements.
pub fn literal(element: E, dims: &[i64], values: &[f64]) -> Op {
    Op::Constant(Arc::new(Dense {
        ty: Type::tensor(element, dims),
        value: tensor(element, dims, values),
        splat: false,
    }))
}
