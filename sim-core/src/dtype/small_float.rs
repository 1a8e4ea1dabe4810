//! Floats of a byte and less: the OCP formats (f8E4M3FN, f8E5M2, f6, f4, f8E8M0FNU), their IEEE-like
//! and their FNUZ cousins. Semantics as LLVM's APFloat and ml_dtypes have them: rounding to nearest
//! even; what overflows becomes infinity where the format has one, NaN where it has only that, and
//! the largest finite value where it has neither.

use std::fmt;

/// How a format spends its special encodings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// All-ones exponent: infinity (mantissa 0) and NaN.
    Ieee,
    /// Only the all-ones pattern is NaN; no infinity (the "FN" 8-bit formats).
    NanAllOnes,
    /// Only the pattern of minus zero is NaN; no infinity, no minus zero ("FNUZ").
    NanNegativeZero,
    /// Neither infinity nor NaN ("FN" formats under 8 bits).
    None,
}

/// A float of at most 8 bits, stored in a byte.
pub trait SmallFloat: Copy {
    fn from_bits(bits: u8) -> Self;
    fn to_bits(self) -> u8;
    /// Exact.
    fn to_f32(self) -> f32;
    /// Nearest even; overflow as the format's kind says (see the module's text).
    fn from_f64(value: f64) -> Self;
    /// Nearest even. Exact conversion to f64 first, so there is no double rounding.
    fn from_f32(value: f32) -> Self {
        Self::from_f64(value as f64)
    }
}

const fn pow2(e: i32) -> f64 {
    // Valid for normal results only, which is all that is asked.
    f64::from_bits(((e + 1023) as u64) << 52)
}

const fn decode(bits: u8, exp: u32, man: u32, bias: i32, special: Special) -> f32 {
    let width = 1 + exp + man;
    let sign = (bits >> (width - 1)) & 1 == 1;
    let e = ((bits as u32) >> man) & ((1 << exp) - 1);
    let m = (bits as u32) & ((1 << man) - 1);
    let all_ones = e == (1 << exp) - 1;
    match special {
        Special::Ieee if all_ones => {
            return if m != 0 {
                f32::NAN
            } else if sign {
                f32::NEG_INFINITY
            } else {
                f32::INFINITY
            };
        }
        Special::NanAllOnes if all_ones && m == (1 << man) - 1 => return f32::NAN,
        Special::NanNegativeZero if sign && e == 0 && m == 0 => return f32::NAN,
        _ => {}
    }
    let magnitude = if e == 0 {
        m as f64 * pow2(1 - bias - man as i32)
    } else {
        ((1 << man) + m) as f64 * pow2(e as i32 - bias - man as i32)
    };
    if sign { -(magnitude as f32) } else { magnitude as f32 }
}

fn encode(value: f64, exp: u32, man: u32, bias: i32, special: Special) -> u8 {
    let width = 1 + exp + man;
    let sign_bit = 1u32 << (width - 1);
    let sign = if value.is_sign_negative() { sign_bit } else { 0 };
    let exp_max = (1u32 << exp) - 1;
    let (overflow, max_code) = match special {
        Special::Ieee => (exp_max << man, (exp_max << man) - 1),
        Special::NanAllOnes => {
            ((exp_max << man) | ((1 << man) - 1), ((exp_max << man) | ((1 << man) - 1)) - 1)
        }
        Special::NanNegativeZero => (sign_bit, sign_bit - 1),
        Special::None => (sign_bit - 1, sign_bit - 1),
    };
    if value.is_nan() {
        return match special {
            Special::Ieee => (sign | (exp_max << man) | (1 << (man - 1))) as u8,
            Special::NanAllOnes => (sign | overflow) as u8,
            Special::NanNegativeZero => sign_bit as u8,
            // ml_dtypes: a format without NaN turns it into minus zero.
            Special::None => sign_bit as u8,
        };
    }
    let overflowed = || match special {
        Special::NanNegativeZero => sign_bit as u8,
        _ => (sign | overflow) as u8,
    };
    let a = value.abs();
    if a.is_infinite() {
        return overflowed();
    }
    // The unit in the last place at this magnitude, then a rounding that is exact in f64.
    let e = ((a.to_bits() >> 52) as i32 - 1023).max(1 - bias);
    let ulp = e - man as i32;
    let scaled = a * pow2(-ulp);
    let mut q = scaled.round_ties_even() as u64;
    let mut e = e;
    if q >= 2 << man {
        q >>= 1;
        e += 1;
    }
    let code = if q < 1 << man {
        q // subnormal or zero
    } else {
        let biased = (e + bias) as u64;
        if biased > exp_max as u64 {
            return overflowed();
        }
        (biased << man) | (q - (1 << man))
    };
    if code > max_code as u64 {
        return overflowed();
    }
    if special == Special::NanNegativeZero && code == 0 {
        return 0;
    }
    (sign as u64 | code) as u8
}

/// As [`encode`], without a branch, so that loops over it become vector code.
#[inline(always)]
const fn encode_f32(value: f32, exp: u32, man: u32, bias: i32, special: Special) -> u8 {
    let width = 1 + exp + man;
    let sign_bit = 1u32 << (width - 1);
    let (overflow, max_code) = match special {
        Special::Ieee => (((1 << exp) - 1) << man, (((1 << exp) - 1) << man) - 1),
        Special::NanAllOnes => (sign_bit - 1, sign_bit - 2),
        Special::NanNegativeZero => (sign_bit, sign_bit - 1),
        Special::None => (sign_bit - 1, sign_bit - 1),
    };
    let nan = match special {
        Special::Ieee => overflow | (1 << (man - 1)),
        Special::NanAllOnes => overflow,
        Special::NanNegativeZero | Special::None => sign_bit,
    };
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let sign = (bits >> 31) * sign_bit;
    // Normal results: rebias, add half a unit (and one more if the last kept bit is odd), shift.
    let cut = 23 - man;
    let rebias = ((127 - bias) as u32) << 23;
    let odd = (magnitude >> cut) & 1;
    let normal = (magnitude.wrapping_sub(rebias).wrapping_add((1 << (cut - 1)) - 1 + odd)) >> cut;
    // Subnormal ones: the sum's unit in the last place is the format's smallest step.
    let step = f32::from_bits(((1 - bias - man as i32 + 23 + 127) as u32) << 23);
    let subnormal = (f32::from_bits(magnitude) + step).to_bits().wrapping_sub(step.to_bits());
    let code = if magnitude < rebias + (1 << 23) { subnormal } else { normal };
    let signed = match special {
        // Neither a minus zero nor a sign on NaN.
        Special::NanNegativeZero => {
            let kept = if code == 0 { 0 } else { sign | code };
            if code > max_code { overflow } else { kept }
        }
        _ => sign | if code > max_code { overflow } else { code },
    };
    let nan = match special {
        Special::Ieee | Special::NanAllOnes => sign | nan,
        _ => nan,
    };
    (if magnitude > 0x7f80_0000 { nan } else { signed }) as u8
}

macro_rules! small_float {
    ($($(#[$doc:meta])* $name:ident: exp $exp:literal man $man:literal bias $bias:literal $special:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(transparent)]
        pub struct $name(u8);

        impl $name {
            const DECODED: [f32; 256] = {
                let mut table = [0.0; 256];
                let mut i = 0;
                while i < 256 {
                    let width = 1 + $exp + $man;
                    let bits = if width < 8 { (i & ((1 << width) - 1)) as u8 } else { i as u8 };
                    table[i] = decode(bits, $exp, $man, $bias, Special::$special);
                    i += 1;
                }
                table
            };
        }

        impl SmallFloat for $name {
            fn from_bits(bits: u8) -> Self {
                $name(bits)
            }
            fn to_bits(self) -> u8 {
                self.0
            }
            #[inline]
            fn to_f32(self) -> f32 {
                Self::DECODED[self.0 as usize]
            }
            #[inline]
            fn from_f64(value: f64) -> Self {
                $name(encode(value, $exp, $man, $bias, Special::$special))
            }
            #[inline(always)]
            fn from_f32(value: f32) -> Self {
                $name(encode_f32(value, $exp, $man, $bias, Special::$special))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.to_f32())
            }
        }
    )* };
}

small_float! {
    /// OCP MX FP4: 1 sign, 2 exponent, 1 mantissa bit; largest 6.
    F4E2M1FN: exp 2 man 1 bias 1 None;
    /// OCP MX FP6, wide mantissa; largest 7.5.
    F6E2M3FN: exp 2 man 3 bias 1 None;
    /// OCP MX FP6, wide exponent; largest 28.
    F6E3M2FN: exp 3 man 2 bias 3 None;
    /// IEEE-like; largest 15.5.
    F8E3M4: exp 3 man 4 bias 3 Ieee;
    /// IEEE-like; largest 240.
    F8E4M3: exp 4 man 3 bias 7 Ieee;
    /// OCP FP8 E4M3; largest 448.
    F8E4M3FN: exp 4 man 3 bias 7 NanAllOnes;
    /// Largest 240; exponent bias 8.
    F8E4M3FNUZ: exp 4 man 3 bias 8 NanNegativeZero;
    /// Largest 30; exponent bias 11.
    F8E4M3B11FNUZ: exp 4 man 3 bias 11 NanNegativeZero;
    /// OCP FP8 E5M2; largest 57344.
    F8E5M2: exp 5 man 2 bias 15 Ieee;
    /// Largest 57344; exponent bias 16.
    F8E5M2FNUZ: exp 5 man 2 bias 16 NanNegativeZero;
}

/// OCP MX scale: an unsigned power of two, 2^(bits - 127); 0xFF is NaN. There is no zero and no sign.
#[derive(Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct F8E8M0FNU(u8);

impl SmallFloat for F8E8M0FNU {
    fn from_bits(bits: u8) -> Self {
        F8E8M0FNU(bits)
    }
    fn to_bits(self) -> u8 {
        self.0
    }
    fn to_f32(self) -> f32 {
        if self.0 == 0xFF { f32::NAN } else { pow2(self.0 as i32 - 127) as f32 }
    }
    fn from_f64(value: f64) -> Self {
        // Negative values and zero have no encoding: NaN, as ml_dtypes gives, but for zero, which
        // rounds to the smallest scale.
        if value.is_nan() || value < 0.0 || value.is_infinite() {
            return F8E8M0FNU(0xFF);
        }
        let bits = value.to_bits();
        let e = (bits >> 52) as i32 - 1023;
        let fraction = bits & ((1 << 52) - 1);
        let half = 1u64 << 51;
        // Ties go to the even mantissa of the next precision; with no mantissa bit the "last place"
        // is the exponent's lowest bit.
        let up = fraction > half || (fraction == half && (e + 127) & 1 == 1);
        let code = e + 127 + up as i32;
        F8E8M0FNU(if code < 0 {
            0
        } else if code > 254 {
            0xFF
        } else {
            code as u8
        })
    }
}

impl fmt::Debug for F8E8M0FNU {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_f32())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trips<T: SmallFloat>(width: u32) {
        for bits in 0..(1u32 << width) as u16 {
            let x = T::from_bits(bits as u8);
            let f = x.to_f32();
            if !f.is_nan() {
                assert_eq!(T::from_f32(f).to_bits(), bits as u8, "{bits:#x} = {f}");
            } else {
                assert!(T::from_f32(f).to_f32().is_nan());
            }
        }
    }

    #[test]
    fn every_code_round_trips() {
        round_trips::<F4E2M1FN>(4);
        round_trips::<F6E2M3FN>(6);
        round_trips::<F6E3M2FN>(6);
        round_trips::<F8E3M4>(8);
        round_trips::<F8E4M3>(8);
        round_trips::<F8E4M3FN>(8);
        round_trips::<F8E4M3FNUZ>(8);
        round_trips::<F8E4M3B11FNUZ>(8);
        round_trips::<F8E5M2>(8);
        round_trips::<F8E5M2FNUZ>(8);
        round_trips::<F8E8M0FNU>(8);
    }

    fn vector_encoding_agrees<T: SmallFloat>() {
        for high in 0..=u16::MAX {
            for low in [0u32, 1, 0x7fff, 0x8000, 0x8001, 0xffff] {
                let x = f32::from_bits((high as u32) << 16 | low);
                let (a, b) = (T::from_f32(x).to_bits(), T::from_f64(x as f64).to_bits());
                assert_eq!(a, b, "{x:e}: {a:#x} {b:#x}");
            }
        }
    }

    #[test]
    fn both_encodings_agree() {
        vector_encoding_agrees::<F4E2M1FN>();
        vector_encoding_agrees::<F6E2M3FN>();
        vector_encoding_agrees::<F6E3M2FN>();
        vector_encoding_agrees::<F8E3M4>();
        vector_encoding_agrees::<F8E4M3>();
        vector_encoding_agrees::<F8E4M3FN>();
        vector_encoding_agrees::<F8E4M3FNUZ>();
        vector_encoding_agrees::<F8E4M3B11FNUZ>();
        vector_encoding_agrees::<F8E5M2>();
        vector_encoding_agrees::<F8E5M2FNUZ>();
    }

    #[test]
    fn largest_values_and_overflow() {
        assert_eq!(F8E4M3FN::from_f32(448.0).to_f32(), 448.0);
        assert!(F8E4M3FN::from_f32(480.0).to_f32().is_nan());
        assert_eq!(F8E4M3FN::from_f32(463.9).to_f32(), 448.0);
        assert_eq!(F8E5M2::from_f32(1e6).to_f32(), f32::INFINITY);
        assert_eq!(F4E2M1FN::from_f32(100.0).to_f32(), 6.0);
        assert_eq!(F6E3M2FN::from_f32(-1e9).to_f32(), -28.0);
        assert_eq!(F8E3M4::from_f32(15.5).to_f32(), 15.5);
    }
}
