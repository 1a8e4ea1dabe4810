//! `--random SEED`: inputs drawn so that most programs make sense of them. The same seed, argument
//! and type give the same values everywhere, for any number of threads.
//!
//! | type | values |
//! |---|---|
//! | floats, complex parts | uniform in [-1, 1), rounded to the type |
//! | f8E8M0FNU | a power of two from 1/4 to 4 |
//! | integers of 8 bits and more | 0 to 9 |
//! | i4, i2, ui4, ui2 | the type's whole range |
//! | i1 | true and false, evenly |
//! | quantized | the whole range of the stored values |

use num_complex::Complex;
use sim_core::dtype::{
    F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ,
    Native, SmallFloat,
};
use sim_core::types::{TensorType, default_storage_range};
use sim_core::{Ctx, ElementType, Result, Tensor};

/// SplitMix64 (Steele, Lea, Flood 2014) as a function of a counter, so that no element's value
/// depends on how many were drawn before it.
fn bits(key: u64, i: usize) -> u64 {
    let mut z = key.wrapping_add((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Uniform in [-1, 1), of 53 bits.
fn uniform(bits: u64) -> f64 {
    (bits >> 11) as f64 * (2.0 / (1u64 << 53) as f64) - 1.0
}

/// Uniform in `lo..=hi`.
fn integer(bits: u64, lo: i64, hi: i64) -> i64 {
    let span = (hi as i128 - lo as i128 + 1) as u128;
    (lo as i128 + ((bits as u128 * span) >> 64) as i128) as i64
}

/// Argument number `argument` of a run with this seed.
///
/// # Errors
/// Resource when the memory budget is exceeded.
pub fn tensor(ty: &TensorType, shape: &[usize], seed: u64, argument: usize, ctx: &Ctx) -> Result<Tensor> {
    use ElementType as E;
    let key = bits(seed, argument);
    let element = ty.element;
    let mut t = ctx.alloc(element, shape)?;
    let (lo, hi) = match &ty.quant {
        Some(q) => (q.storage_min, q.storage_max),
        None if element.bits() < 8 && element != E::Pred => default_storage_range(element),
        None => (0, 9),
    };
    let int = |i: usize| integer(bits(key, i), lo, hi);
    let float = |i: usize| uniform(bits(key, i));
    match element {
        E::Pred => fill::<u8>(&mut t, |i| (bits(key, i) >> 63) as u8),
        E::S2 | E::S4 | E::S8 => fill::<i8>(&mut t, |i| int(i) as i8),
        E::S16 => fill::<i16>(&mut t, |i| int(i) as i16),
        E::S32 => fill::<i32>(&mut t, |i| int(i) as i32),
        E::S64 | E::Index => fill::<i64>(&mut t, int),
        E::U2 | E::U4 | E::U8 => fill::<u8>(&mut t, |i| int(i) as u8),
        E::U16 => fill::<u16>(&mut t, |i| int(i) as u16),
        E::U32 => fill::<u32>(&mut t, |i| int(i) as u32),
        E::U64 => fill::<u64>(&mut t, |i| int(i) as u64),
        E::F4E2M1FN => small::<F4E2M1FN>(&mut t, float),
        E::F6E2M3FN => small::<F6E2M3FN>(&mut t, float),
        E::F6E3M2FN => small::<F6E3M2FN>(&mut t, float),
        E::F8E3M4 => small::<F8E3M4>(&mut t, float),
        E::F8E4M3 => small::<F8E4M3>(&mut t, float),
        E::F8E4M3FN => small::<F8E4M3FN>(&mut t, float),
        E::F8E4M3FNUZ => small::<F8E4M3FNUZ>(&mut t, float),
        E::F8E4M3B11FNUZ => small::<F8E4M3B11FNUZ>(&mut t, float),
        E::F8E5M2 => small::<F8E5M2>(&mut t, float),
        E::F8E5M2FNUZ => small::<F8E5M2FNUZ>(&mut t, float),
        E::F8E8M0FNU => fill::<u8>(&mut t, |i| integer(bits(key, i), 125, 129) as u8),
        E::BF16 => fill(&mut t, |i| half::bf16::from_f64(float(i))),
        E::F16 => fill(&mut t, |i| half::f16::from_f64(float(i))),
        E::F32 => fill(&mut t, |i| float(i) as f32),
        E::F64 => fill(&mut t, float),
        E::C64 => fill(&mut t, |i| Complex::new(float(2 * i) as f32, float(2 * i + 1) as f32)),
        E::C128 => fill(&mut t, |i| Complex::new(float(2 * i), float(2 * i + 1))),
    }
    Ok(t)
}

fn fill<T: Native>(t: &mut Tensor, f: impl Fn(usize) -> T) {
    for (i, x) in t.as_mut_slice::<T>().iter_mut().enumerate() {
        *x = f(i);
    }
}

fn small<T: SmallFloat>(t: &mut Tensor, f: impl Fn(usize) -> f64) {
    fill::<u8>(t, |i| T::from_f64(f(i)).to_bits());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Scalar, scalar};
    use sim_core::Numerics;

    #[test]
    fn every_type_stays_in_its_range() {
        let ctx = Ctx::new(Numerics::ieee(), 1 << 20);
        for element in ElementType::all() {
            let ty = TensorType::of(element, &[500]);
            let t = tensor(&ty, &[500], 7, 0, &ctx).unwrap();
            assert_eq!(t, tensor(&ty, &[500], 7, 0, &ctx).unwrap());
            assert_ne!(t, tensor(&ty, &[500], 7, 1, &ctx).unwrap());
            for i in 0..t.len() {
                match scalar(&t, i) {
                    Scalar::Bool(_) => {}
                    Scalar::Int(n) => assert!((-8..10).contains(&n), "{element}: {n}"),
                    Scalar::Uint(n) => assert!(n < 16, "{element}: {n}"),
                    Scalar::Float(x) => assert!(x.abs() <= 4.0, "{element}: {x}"),
                    Scalar::Complex(a, b) => assert!(a.abs() <= 1.0 && b.abs() <= 1.0),
                }
            }
        }
    }
}
