//! Scatter bodies that are one known operation.
//!
//! Arithmetic here must agree to the bit with the body's own evaluation, so only operations whose
//! result does not depend on a choice are here: integers of whole bytes, and sums and products of
//! floats. The rest (floating-point min and max with their zeros and NaNs, emulated f64, narrow
//! integers) goes through the body.

use super::Plan;
use crate::by_width;
use half::{bf16, f16};
use sim_core::ir::Binary;
use sim_core::numerics::F64;
use sim_core::{Ctx, ElementType, Tensor};

/// The body returns the update.
pub(super) fn overwrite(plan: &Plan, input: &mut Tensor, update: &Tensor) {
    by_width!(input.element().byte_size(), T => plan.apply::<T>(input, update, |i, u| match (i, u) {
        // A call of memcpy would cost more than the copy.
        ([i], [u]) => *i = *u,
        (i, u) => i.copy_from_slice(u),
    }));
}

/// The body is `op(input, update)`. False when there is no typed loop for it.
pub(super) fn binary(ctx: &Ctx, op: Binary, plan: &Plan, input: &mut Tensor, update: &Tensor) -> bool {
    use Binary as B;
    use ElementType as E;
    macro_rules! go {
        ($T:ty, $f:expr) => {{
            let f = $f;
            plan.apply::<$T>(input, update, |i, u| i.iter_mut().zip(u).for_each(|(i, &u)| *i = f(*i, u)));
            true
        }};
    }
    macro_rules! integer {
        ($T:ty) => {
            match op {
                B::Add => go!($T, <$T>::wrapping_add),
                B::Multiply => go!($T, <$T>::wrapping_mul),
                B::Maximum => go!($T, |a: $T, b: $T| a.max(b)),
                B::Minimum => go!($T, |a: $T, b: $T| a.min(b)),
                B::And => go!($T, |a: $T, b: $T| a & b),
                B::Or => go!($T, |a: $T, b: $T| a | b),
                B::Xor => go!($T, |a: $T, b: $T| a ^ b),
                _ => false,
            }
        };
    }
    macro_rules! float {
        ($T:ty, $add:expr, $multiply:expr) => {
            match op {
                B::Add => go!($T, $add),
                B::Multiply => go!($T, $multiply),
                _ => false,
            }
        };
    }
    let flushes = ctx.numerics.flush_subnormals;
    match input.element() {
        E::S8 => integer!(i8),
        E::S16 => integer!(i16),
        E::S32 => integer!(i32),
        E::S64 | E::Index => integer!(i64),
        E::U8 => integer!(u8),
        E::U16 => integer!(u16),
        E::U32 => integer!(u32),
        E::U64 => integer!(u64),
        E::F32 if flushes => {
            float!(f32, |a: f32, b: f32| flush(a + b), |a: f32, b: f32| flush(a * b))
        }
        E::F32 => float!(f32, |a: f32, b: f32| a + b, |a: f32, b: f32| a * b),
        E::F64 if ctx.numerics.f64 == F64::Native => {
            float!(f64, |a: f64, b: f64| a + b, |a: f64, b: f64| a * b)
        }
        E::BF16 if flushes => float!(
            bf16,
            |a: bf16, b: bf16| bf16::from_f32(flush(a.to_f32() + b.to_f32())),
            |a: bf16, b: bf16| bf16::from_f32(flush(a.to_f32() * b.to_f32()))
        ),
        E::BF16 => {
            float!(bf16, |a: bf16, b: bf16| bf16::from_f32(a.to_f32() + b.to_f32()), |a: bf16, b: bf16| {
                bf16::from_f32(a.to_f32() * b.to_f32())
            })
        }
        E::F16 => float!(f16, |a: f16, b: f16| f16::from_f32(a.to_f32() + b.to_f32()), |a: f16, b: f16| {
            f16::from_f32(a.to_f32() * b.to_f32())
        }),
        _ => false,
    }
}

/// Subnormals to zero, with their sign.
#[inline(always)]
fn flush(x: f32) -> f32 {
    let bits = x.to_bits();
    f32::from_bits(if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits })
}
