//! `reduce_precision`: to a float format of fewer exponent and mantissa bits, and back.

use super::float::Float;
use super::map::map1;
use sim_core::dtype::*;
use sim_core::{Diagnostic, ElementType as E, Result};

macro_rules! on_bits {
    ($name:ident, $t:ty, $signed:ty) => {
        /// On the bits of a float with `own_mantissa` and an IEEE layout. Mantissas round to nearest
        /// even; what is then too large becomes infinite, what is too small for a normal value of the
        /// format becomes zero (as XLA has it); NaNs stay.
        #[inline(always)]
        fn $name(x: $t, own_mantissa: u32, exponent: u32, mantissa: u32) -> $t {
            let own_exponent = <$t>::BITS - 1 - own_mantissa;
            let sign_mask: $t = 1 << (<$t>::BITS - 1);
            let exponent_mask: $t = !sign_mask & !((1 << own_mantissa) - 1);
            let sign = x & sign_mask;
            let magnitude = x & !sign_mask;
            let cut = own_mantissa.saturating_sub(mantissa);
            // Half a unit less one, and one more if the last kept bit is odd.
            let half: $t = if cut == 0 { 0 } else { ((1 << cut) >> 1) - 1 };
            let odd: $t = if cut == 0 { 0 } else { (magnitude >> cut) & 1 };
            let rounded = magnitude.wrapping_add(half).wrapping_add(odd) & !((1 << cut) - 1);
            let own_bias: $t = (1 << (own_exponent - 1)) - 1;
            let bias: $t = (1 << (exponent.min(own_exponent) - 1)) - 1;
            let e = (rounded & exponent_mask) >> own_mantissa;
            let narrower = exponent < own_exponent;
            let limited = if narrower && e > own_bias + bias {
                exponent_mask
            } else if narrower && e <= own_bias - bias {
                0
            } else {
                rounded
            };
            // Without a mantissa bit there is no NaN to keep: the reference interpreter gives infinity.
            let nan = if mantissa == 0 { sign | exponent_mask } else { x };
            if magnitude > exponent_mask { nan } else { sign | limited }
        }
    };
}

on_bits!(reduce16, u16, i16);
on_bits!(reduce32, u32, i32);
on_bits!(reduce64, u64, i64);

fn small<T: Float>(a: &[u8], out: &mut [u8], exponent: u32, mantissa: u32) {
    map1::<T, T>(a, out, |x| {
        T::round32(f32::from_bits(reduce32(x.wide32().to_bits(), 23, exponent, mantissa)))
    });
}

/// Rounds each element of `a` to `exponent_bits` and `mantissa_bits`, in its own type.
///
/// # Errors
/// Invalid, when `ty` is not a float type or the format has no exponent bit.
pub fn reduce_precision(
    ty: E,
    exponent_bits: i64,
    mantissa_bits: i64,
    a: &[u8],
    out: &mut [u8],
) -> Result<()> {
    if !ty.is_float() || exponent_bits < 1 || mantissa_bits < 0 {
        return Err(Diagnostic::invalid(format!(
            "reduce_precision of {ty} to {exponent_bits} exponent and {mantissa_bits} mantissa bits: \
             it takes floats, at least 1 exponent bit and at least 0 mantissa bits"
        )));
    }
    let (e, m) = (exponent_bits.min(64) as u32, mantissa_bits.min(64) as u32);
    match ty {
        E::F64 => map1::<u64, u64>(a, out, |x| reduce64(x, 52, e, m)),
        E::F32 => map1::<u32, u32>(a, out, |x| reduce32(x, 23, e, m)),
        E::BF16 => map1::<u16, u16>(a, out, |x| reduce16(x, 7, e, m)),
        E::F16 => map1::<u16, u16>(a, out, |x| reduce16(x, 10, e, m)),
        E::F4E2M1FN => small::<F4E2M1FN>(a, out, e, m),
        E::F6E2M3FN => small::<F6E2M3FN>(a, out, e, m),
        E::F6E3M2FN => small::<F6E3M2FN>(a, out, e, m),
        E::F8E3M4 => small::<F8E3M4>(a, out, e, m),
        E::F8E4M3 => small::<F8E4M3>(a, out, e, m),
        E::F8E4M3FN => small::<F8E4M3FN>(a, out, e, m),
        E::F8E4M3FNUZ => small::<F8E4M3FNUZ>(a, out, e, m),
        E::F8E4M3B11FNUZ => small::<F8E4M3B11FNUZ>(a, out, e, m),
        E::F8E5M2 => small::<F8E5M2>(a, out, e, m),
        E::F8E5M2FNUZ => small::<F8E5M2FNUZ>(a, out, e, m),
        _ => small::<F8E8M0FNU>(a, out, e, m),
    }
    Ok(())
}
