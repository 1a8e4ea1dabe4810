//! Numbers in text, to the value of their type.
//!
//! Decimals go through f64, correctly rounded, and are then rounded once to the type, as MLIR does.
//! Integers follow MLIR's rule: without a sign anything that fits the width (`255` is an `i8`), with
//! one anything above the smallest two's complement value.

use half::{bf16, f16};
use sim_core::ElementType;
use sim_core::dtype::{self, SmallFloat};

/// A decimal number with or without a point.
pub(super) fn float(text: &str, negative: bool) -> Option<f64> {
    let x: f64 = text.parse().ok()?;
    Some(if negative { -x } else { x })
}

/// `0x7FC00000`: the bits of a float type, as f64 (exact). `None` if it is not hexadecimal or does not
/// fit.
pub(super) fn float_bits(text: &str, ty: ElementType) -> Option<f64> {
    let bits = u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()?;
    let width = ty.bits();
    if width < 64 && bits >> width != 0 {
        return None;
    }
    Some(float_of_bits(bits, ty))
}

/// The value of a float's bits.
pub(in crate::frontend) fn float_of_bits(bits: u64, ty: ElementType) -> f64 {
    use ElementType as E;
    fn small<T: SmallFloat>(bits: u64) -> f64 {
        f64::from(T::from_bits(bits as u8).to_f32())
    }
    match ty {
        E::F64 => f64::from_bits(bits),
        E::F32 => f64::from(f32::from_bits(bits as u32)),
        E::F16 => f16::from_bits(bits as u16).to_f64(),
        E::BF16 => bf16::from_bits(bits as u16).to_f64(),
        E::F4E2M1FN => small::<dtype::F4E2M1FN>(bits),
        E::F6E2M3FN => small::<dtype::F6E2M3FN>(bits),
        E::F6E3M2FN => small::<dtype::F6E3M2FN>(bits),
        E::F8E3M4 => small::<dtype::F8E3M4>(bits),
        E::F8E4M3 => small::<dtype::F8E4M3>(bits),
        E::F8E4M3FN => small::<dtype::F8E4M3FN>(bits),
        E::F8E4M3FNUZ => small::<dtype::F8E4M3FNUZ>(bits),
        E::F8E4M3B11FNUZ => small::<dtype::F8E4M3B11FNUZ>(bits),
        E::F8E5M2 => small::<dtype::F8E5M2>(bits),
        E::F8E5M2FNUZ => small::<dtype::F8E5M2FNUZ>(bits),
        E::F8E8M0FNU => small::<dtype::F8E8M0FNU>(bits),
        _ => f64::NAN,
    }
}

/// The bits of `x` rounded to a float type, in the low end.
pub(in crate::frontend) fn bits_of_float(x: f64, ty: ElementType) -> u64 {
    use ElementType as E;
    fn small<T: SmallFloat>(x: f64) -> u64 {
        u64::from(T::from_f64(x).to_bits())
    }
    match ty {
        E::F64 => x.to_bits(),
        E::F32 => u64::from((x as f32).to_bits()),
        E::F16 => u64::from(f16::from_f32(to_odd(x)).to_bits()),
        E::BF16 => u64::from(bf16::from_f32(to_odd(x)).to_bits()),
        E::F4E2M1FN => small::<dtype::F4E2M1FN>(x),
        E::F6E2M3FN => small::<dtype::F6E2M3FN>(x),
        E::F6E3M2FN => small::<dtype::F6E3M2FN>(x),
        E::F8E3M4 => small::<dtype::F8E3M4>(x),
        E::F8E4M3 => small::<dtype::F8E4M3>(x),
        E::F8E4M3FN => small::<dtype::F8E4M3FN>(x),
        E::F8E4M3FNUZ => small::<dtype::F8E4M3FNUZ>(x),
        E::F8E4M3B11FNUZ => small::<dtype::F8E4M3B11FNUZ>(x),
        E::F8E5M2 => small::<dtype::F8E5M2>(x),
        E::F8E5M2FNUZ => small::<dtype::F8E5M2FNUZ>(x),
        E::F8E8M0FNU => small::<dtype::F8E8M0FNU>(x),
        _ => 0,
    }
}

/// `x` rounded to a float type.
pub(super) fn round_to(x: f64, ty: ElementType) -> f64 {
    float_of_bits(bits_of_float(x, ty), ty)
}

/// f64 to f32 rounded to odd: a second rounding to 16 bits then gives what one rounding would.
fn to_odd(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) == x || x.is_nan() {
        return near;
    }
    // One step toward zero where rounding went away from it, then the sticky bit. An overflow to
    // infinity steps back to the largest finite value, which is odd already.
    let bits = near.to_bits();
    let toward_zero = if f64::from(near).abs() > x.abs() { bits - 1 } else { bits };
    f32::from_bits(toward_zero | 1)
}

/// The magnitude of an integer's text, if it fits 64 bits.
pub(super) fn magnitude(text: &[u8]) -> Option<u64> {
    if let Some(hex) = text.strip_prefix(b"0x") {
        if hex.is_empty() {
            return None;
        }
        return hex.iter().try_fold(0u64, |n, &b| {
            let digit = (b as char).to_digit(16)?;
            n.checked_mul(16)?.checked_add(u64::from(digit))
        });
    }
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0u64, |n, &b| {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        n.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// Gives a magnitude its sign and checks it against a width. The result is the value, wrapped to
/// the type (`255` of an `i8` is -1; a `u64` above `i64::MAX` is negative).
pub(super) fn signed(magnitude: u64, negative: bool, ty: ElementType) -> Option<i64> {
    let bits = ty.bits();
    if negative {
        if ty.is_unsigned() && magnitude != 0 {
            return None;
        }
        if magnitude > 1u64 << (bits - 1) {
            return None;
        }
        return Some((magnitude as i64).wrapping_neg());
    }
    if bits < 64 && magnitude >> bits != 0 {
        return None;
    }
    let shift = 64 - bits;
    Some(if ty.is_unsigned() || ty == ElementType::Pred {
        magnitude as i64
    } else {
        ((magnitude << shift) as i64) >> shift
    })
}

/// An integer's text as a value of `ty`.
pub(super) fn int(text: &str, negative: bool, ty: ElementType) -> Option<i64> {
    signed(magnitude(text.as_bytes())?, negative, ty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ElementType as E;

    #[test]
    fn integers_follow_mlir() {
        assert_eq!(int("255", false, E::S8), Some(-1));
        assert_eq!(int("256", false, E::S8), None);
        assert_eq!(int("128", true, E::S8), Some(-128));
        assert_eq!(int("129", true, E::S8), None);
        assert_eq!(int("0xFF", false, E::U8), Some(255));
        assert_eq!(int("1", true, E::U8), None);
        assert_eq!(int("18446744073709551615", false, E::U64), Some(-1));
        assert_eq!(int("18446744073709551616", false, E::U64), None);
        assert_eq!(int("9223372036854775808", true, E::S64), Some(i64::MIN));
        assert_eq!(int("7", false, E::S4), Some(7));
        assert_eq!(int("15", false, E::S4), Some(-1));
        assert_eq!(int("1", false, E::Pred), Some(1));
        assert_eq!(int("1", true, E::Pred), Some(-1));
    }

    #[test]
    fn sixteen_bits_are_rounded_once() {
        // Halfway between two bf16, and a hair above: rounding to f32 first would lose the hair.
        let tie = 1.0 + 1.0 / 256.0;
        assert_eq!(round_to(tie, E::BF16), 1.0);
        assert_eq!(round_to(tie + 1e-14, E::BF16), 1.0 + 1.0 / 128.0);
        assert_eq!(round_to(-(tie + 1e-14), E::BF16), -(1.0 + 1.0 / 128.0));
        let tie = 1.0 + 1.0 / 2048.0;
        assert_eq!(round_to(tie, E::F16), 1.0);
        assert_eq!(round_to(tie + 1e-14, E::F16), 1.0 + 1.0 / 1024.0);
        assert_eq!(round_to(1e300, E::BF16), f64::INFINITY);
        assert_eq!(round_to(-1e300, E::F16), f64::NEG_INFINITY);
        assert_eq!(round_to(65519.9, E::F16), 65504.0);
        assert_eq!(round_to(1e-300, E::BF16), 0.0);
    }

    #[test]
    fn bits_in_hexadecimal() {
        assert_eq!(float_bits("0xFF80", E::BF16), Some(f64::NEG_INFINITY));
        assert_eq!(float_bits("0x3F800000", E::F32), Some(1.0));
        assert_eq!(float_bits("0x13F800000", E::F32), None);
        assert_eq!(float_bits("1", E::F32), None);
    }
}
