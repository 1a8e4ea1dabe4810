//! Integer arithmetic, after StableHLO and XLA: everything wraps to the type's width; a division by
//! zero gives all ones (-1), a remainder by zero the dividend; MIN / -1 is MIN and MIN % -1 is 0;
//! shifts by the width or more (or by a negative amount) give 0, or the sign for arithmetic shifts.
//!
//! Types narrower than a byte are computed in a byte and wrapped (sign- or zero-extended) again.

use super::map::{Kernel1, Kernel2, map1, map2};
use sim_core::ElementType as E;
use sim_core::ir::{Binary, Unary};

macro_rules! integer_type {
    ($name:ident, $t:ty, $unsigned:ty, $signed:ty, $bits:literal) => {
        mod $name {
            use super::*;

            const SPARE: u32 = <$t>::BITS - $bits;
            const MASK: $unsigned = <$unsigned>::MAX >> SPARE;

            /// To the type's width: the high bits copy the sign, or are zero.
            #[inline(always)]
            fn wrap(x: $t) -> $t {
                (x << SPARE) >> SPARE
            }

            #[inline(always)]
            fn divide(a: $t, b: $t) -> $t {
                let divisor = if b == 0 { 1 } else { b };
                wrap(if b == 0 { !0 } else { a.wrapping_div(divisor) })
            }

            #[inline(always)]
            fn remainder(a: $t, b: $t) -> $t {
                let divisor = if b == 0 { 1 } else { b };
                if b == 0 { a } else { a.wrapping_rem(divisor) }
            }

            /// The product's bits above the type's width.
            #[inline(always)]
            fn mulhi(a: $t, b: $t) -> $t {
                // Of two 64-bit factors the product fits i128, and u128 where both are unsigned.
                if <$t>::MIN == 0 {
                    ((a as u128 * b as u128) >> $bits) as $t
                } else {
                    ((a as i128 * b as i128) >> $bits) as $t
                }
            }

            /// Negative exponents give the truncated reciprocal: 0, but for a base of 1 or -1.
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn power(base: $t, exponent: $t) -> $t {
                let odd = exponent & 1 == 1;
                if exponent < 0 {
                    return match base {
                        1 => 1,
                        _ if wrap(base.wrapping_add(1)) == 0 => {
                            if odd {
                                base
                            } else {
                                1
                            }
                        }
                        _ => 0,
                    };
                }
                let (mut result, mut square, mut e): ($t, $t, $t) = (1, base, exponent);
                while e != 0 {
                    if e & 1 == 1 {
                        result = result.wrapping_mul(square);
                    }
                    square = square.wrapping_mul(square);
                    e >>= 1;
                }
                wrap(result)
            }

            #[inline(always)]
            fn shift_left(a: $t, b: $t) -> $t {
                let n = b as $unsigned;
                if n < $bits { wrap(a << (n & ($bits - 1))) } else { 0 }
            }

            #[inline(always)]
            fn shift_logical(a: $t, b: $t) -> $t {
                let n = b as $unsigned;
                if n < $bits { wrap((((a as $unsigned) & MASK) >> (n & ($bits - 1))) as $t) } else { 0 }
            }

            #[inline(always)]
            fn shift_arithmetic(a: $t, b: $t) -> $t {
                let signed = ((a as $signed) << SPARE) >> SPARE;
                let n = (b as $unsigned).min($bits - 1);
                wrap(((signed >> n) as $unsigned & MASK) as $t)
            }

            #[inline(always)]
            #[allow(unused_comparisons)]
            fn sign(x: $t) -> $t {
                ((x > 0) as $t).wrapping_sub((x < 0) as $t)
            }

            #[inline(always)]
            #[allow(unused_comparisons)]
            fn abs(x: $t) -> $t {
                wrap(if x < 0 { x.wrapping_neg() } else { x })
            }

            #[inline(always)]
            fn leading_zeros(x: $t) -> $t {
                wrap((((x as $unsigned) & MASK).leading_zeros() - SPARE) as $t)
            }

            #[inline(always)]
            fn ones(x: $t) -> $t {
                wrap(((x as $unsigned) & MASK).count_ones() as $t)
            }

            pub(super) fn binary(op: Binary) -> Option<Kernel2> {
                macro_rules! kernel {
                    ($f:expr) => {
                        Some(|a, b, o| map2::<$t, $t, $t>(a, b, o, $f))
                    };
                }
                match op {
                    Binary::Add => kernel!(|x, y| wrap(x.wrapping_add(y))),
                    Binary::Subtract => kernel!(|x, y| wrap(x.wrapping_sub(y))),
                    Binary::Multiply => kernel!(|x, y| wrap(x.wrapping_mul(y))),
                    Binary::MulHi => kernel!(mulhi),
                    Binary::Divide => kernel!(divide),
                    Binary::Remainder => kernel!(remainder),
                    Binary::Maximum => kernel!(|x, y| x.max(y)),
                    Binary::Minimum => kernel!(|x, y| x.min(y)),
                    Binary::And => kernel!(|x, y| x & y),
                    Binary::Or => kernel!(|x, y| x | y),
                    Binary::Xor => kernel!(|x, y| x ^ y),
                    Binary::Power => kernel!(power),
                    Binary::ShiftLeft => kernel!(shift_left),
                    Binary::ShiftRightLogical => kernel!(shift_logical),
                    Binary::ShiftRightArithmetic => kernel!(shift_arithmetic),
                    _ => None,
                }
            }

            pub(super) fn unary(op: Unary) -> Option<Kernel1> {
                macro_rules! kernel {
                    ($f:expr) => {
                        Some(|a, o| map1::<$t, $t>(a, o, $f))
                    };
                }
                match op {
                    Unary::Abs => kernel!(abs),
                    Unary::Negate => kernel!(|x| wrap(x.wrapping_neg())),
                    Unary::Not => kernel!(|x| wrap(!x)),
                    Unary::Sign => kernel!(sign),
                    Unary::Popcnt => kernel!(ones),
                    Unary::CountLeadingZeros => kernel!(leading_zeros),
                    Unary::Square => kernel!(|x| wrap(x.wrapping_mul(x))),
                    // chlo.conj of a real is the real.
                    Unary::Conj | Unary::Real => kernel!(|x| x),
                    Unary::IsFinite => Some(|a, o| map1::<$t, u8>(a, o, |_| 1)),
                    Unary::IsInf | Unary::IsPosInf | Unary::IsNegInf => {
                        Some(|a, o| map1::<$t, u8>(a, o, |_| 0))
                    }
                    _ => None,
                }
            }
        }
    };
}

integer_type!(s2, i8, u8, i8, 2);
integer_type!(s4, i8, u8, i8, 4);
integer_type!(s8, i8, u8, i8, 8);
integer_type!(s16, i16, u16, i16, 16);
integer_type!(s32, i32, u32, i32, 32);
integer_type!(s64, i64, u64, i64, 64);
integer_type!(u2, u8, u8, i8, 2);
integer_type!(u4, u8, u8, i8, 4);
integer_type!(u8_, u8, u8, i8, 8);
integer_type!(u16_, u16, u16, i16, 16);
integer_type!(u32_, u32, u32, i32, 32);
integer_type!(u64_, u64, u64, i64, 64);

/// `i1`: addition is or, multiplication is and; `false < true`.
mod pred {
    use super::*;

    pub(super) fn binary(op: Binary) -> Option<Kernel2> {
        match op {
            Binary::Add | Binary::Or | Binary::Maximum => {
                Some(|a, b, o| map2::<u8, u8, u8>(a, b, o, |x, y| x | y))
            }
            Binary::Multiply | Binary::And | Binary::Minimum => {
                Some(|a, b, o| map2::<u8, u8, u8>(a, b, o, |x, y| x & y))
            }
            Binary::Xor => Some(|a, b, o| map2::<u8, u8, u8>(a, b, o, |x, y| x ^ y)),
            _ => None,
        }
    }

    pub(super) fn unary(op: Unary) -> Option<Kernel1> {
        match op {
            Unary::Not => Some(|a, o| map1::<u8, u8>(a, o, |x| x ^ 1)),
            Unary::Conj | Unary::Real => Some(|a, o| map1::<u8, u8>(a, o, |x| x)),
            _ => None,
        }
    }
}

macro_rules! by_type {
    ($ty:expr, $f:ident($($arg:expr),*)) => {
        match $ty {
            E::Pred => pred::$f($($arg),*),
            E::S2 => s2::$f($($arg),*),
            E::S4 => s4::$f($($arg),*),
            E::S8 => s8::$f($($arg),*),
            E::S16 => s16::$f($($arg),*),
            E::S32 => s32::$f($($arg),*),
            E::S64 | E::Index => s64::$f($($arg),*),
            E::U2 => u2::$f($($arg),*),
            E::U4 => u4::$f($($arg),*),
            E::U8 => u8_::$f($($arg),*),
            E::U16 => u16_::$f($($arg),*),
            E::U32 => u32_::$f($($arg),*),
            E::U64 => u64_::$f($($arg),*),
            _ => None,
        }
    };
}

/// The kernel of `op` for an integer type or `i1`; `None` where the specification has none.
pub(super) fn binary(op: Binary, ty: E) -> Option<Kernel2> {
    by_type!(ty, binary(op))
}

/// As [`binary`], for one operand. `is_finite` and its kin write `i1`.
pub(super) fn unary(op: Unary, ty: E) -> Option<Kernel1> {
    by_type!(ty, unary(op))
}
