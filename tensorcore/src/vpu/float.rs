//! What the float kernels need of a float type: how it widens (always exact) and how a wide value
//! is rounded into it, once.

use bytemuck::Pod;
use half::{bf16, f16};
use sim_core::dtype::{
    F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ,
    F8E8M0FNU, SmallFloat,
};

/// A real float type.
pub(crate) trait Float: Pod {
    /// Exact.
    fn wide(self) -> f64;
    /// Nearest even, one rounding.
    fn round(value: f64) -> Self;
    /// Nearest even, one rounding. For results that are exact in f32, or that f32's own rounding
    /// cannot spoil: +, -, *, / and sqrt of types with at most 11 significant bits (24 >= 2*11 + 2).
    fn round32(value: f32) -> Self;
    /// The value in f32: exact but for f64.
    fn wide32(self) -> f32;
}

impl Float for f32 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn round(value: f64) -> f32 {
        value as f32
    }
    #[inline(always)]
    fn round32(value: f32) -> f32 {
        value
    }
    #[inline(always)]
    fn wide32(self) -> f32 {
        self
    }
}

impl Float for f64 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    #[inline(always)]
    fn round(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn round32(value: f32) -> f64 {
        value as f64
    }
    #[inline(always)]
    fn wide32(self) -> f32 {
        self as f32
    }
}

impl Float for bf16 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self.wide32() as f64
    }
    #[inline(always)]
    fn round(value: f64) -> bf16 {
        f32_to_bf16(to_odd(value))
    }
    #[inline(always)]
    fn round32(value: f32) -> bf16 {
        f32_to_bf16(value)
    }
    #[inline(always)]
    fn wide32(self) -> f32 {
        f32::from_bits((self.to_bits() as u32) << 16)
    }
}

impl Float for f16 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self.wide32() as f64
    }
    #[inline(always)]
    fn round(value: f64) -> f16 {
        f32_to_f16(to_odd(value))
    }
    #[inline(always)]
    fn round32(value: f32) -> f16 {
        f32_to_f16(value)
    }
    #[inline(always)]
    fn wide32(self) -> f32 {
        f16_to_f32(self)
    }
}

macro_rules! small {
    ($($ty:ident)*) => { $(
        impl Float for $ty {
            #[inline(always)]
            fn wide(self) -> f64 {
                self.to_f32() as f64
            }
            #[inline(always)]
            fn round(value: f64) -> $ty {
                <$ty>::from_f32(to_odd(value))
            }
            #[inline(always)]
            fn round32(value: f32) -> $ty {
                <$ty>::from_f32(value)
            }
            #[inline(always)]
            fn wide32(self) -> f32 {
                self.to_f32()
            }
        }
    )* };
}

small! {
    F4E2M1FN F6E2M3FN F6E3M2FN F8E3M4 F8E4M3 F8E4M3B11FNUZ F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ F8E8M0FNU
}

/// f64 to f32 by rounding to odd: truncate, and set the last bit if anything was lost. A second
/// rounding, to a format at least two bits shorter, is then as good as one rounding (Boldo and
/// Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd").
#[inline(always)]
pub(crate) fn to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let back = nearest as f64;
    let away = (back.abs() > value.abs()) as u32;
    let inexact = (back != value) as u32;
    f32::from_bits(nearest.to_bits().wrapping_sub(away) | inexact)
}

/// Nearest even, without a branch. A NaN keeps its sign and its high bits and becomes quiet.
#[inline(always)]
pub(crate) fn f32_to_bf16(value: f32) -> bf16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    let quiet = (bits >> 16) | 0x40;
    bf16::from_bits(if value.is_nan() { quiet as u16 } else { rounded as u16 })
}

/// Nearest even, without a branch. Normal results by integer rounding of the shifted pattern;
/// subnormal ones by adding a power of two whose unit in the last place is f16's smallest step.
#[inline(always)]
pub(crate) fn f32_to_f16(value: f32) -> f16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    // Rebias the exponent (127 to 15), add half a unit, and one more if the last kept bit is odd.
    let normal =
        magnitude.wrapping_sub(112 << 23).wrapping_add(0xfff).wrapping_add((magnitude >> 13) & 1) >> 13;
    // 0.5 has steps of 2^-24 in f32, f16's smallest subnormal.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let special = if magnitude > 0x7f80_0000 { 0x7e00 } else { 0x7c00 };
    let finite = if magnitude < 113 << 23 { subnormal } else { normal };
    // From 65520 up (the tie above the largest finite value) the result is infinite.
    let code = if magnitude >= 0x477f_f000 { special } else { finite };
    f16::from_bits((sign | code) as u16)
}

/// Exact, without a branch: a multiplication by 2^112 rebiases the exponent, subnormals included.
#[inline(always)]
pub(crate) fn f16_to_f32(value: f16) -> f32 {
    let bits = value.to_bits() as u32;
    let sign = (bits & 0x8000) << 16;
    let magnitude = (bits & 0x7fff) << 13;
    let finite = (f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23)).to_bits();
    let special = magnitude | 0x7f80_0000 | if magnitude > 0x7c00 << 13 { 1 << 22 } else { 0 };
    f32::from_bits(sign | if magnitude >= 0x7c00 << 13 { special } else { finite })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_agree_with_the_half_crate() {
        for bits in 0..=u16::MAX {
            let h = f16::from_bits(bits);
            assert!(f16_to_f32(h) == h.to_f32() || h.is_nan() && f16_to_f32(h).is_nan(), "{bits:#x}");
        }
        // Every f32 whose low bits sit on, under or over a tie, in f16's range and around it.
        for high in 0..=u16::MAX {
            for low in [0u32, 1, 0xfff, 0x1000, 0x1001, 0x2000, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff] {
                let x = f32::from_bits((high as u32) << 16 | low);
                let (a, b) = (f32_to_f16(x), f16::from_f32(x));
                assert!(a.to_bits() == b.to_bits() || x.is_nan() && a.is_nan(), "{x:e} {a} {b}");
                let (a, b) = (f32_to_bf16(x), bf16::from_f32(x));
                assert!(a.to_bits() == b.to_bits() || x.is_nan() && a.is_nan(), "{x:e} {a} {b}");
            }
        }
    }

    #[test]
    fn f64_rounds_once() {
        // 1 + 2^-8 is a tie in bf16; a hair above it must round up, though f32 cannot see the hair.
        let above = 1.0 + 2f64.powi(-8) + 2f64.powi(-40);
        assert_eq!(bf16::round(above).to_f32(), 1.0 + 2f32.powi(-7));
        assert_eq!(bf16::round(above - 2f64.powi(-39)).to_f32(), 1.0);
        assert_eq!(f16::round(1.0 + 2f64.powi(-11) + 2f64.powi(-40)).to_f32(), 1.0 + 2f32.powi(-10));
        assert!(f16::round(1e300).is_infinite() && bf16::round(f64::NAN).is_nan());
        assert!(f16::round(65519.999999999).to_f32() == 65504.0);
    }
}
