//! CHLO's `next_after`, on the bits.

use super::map::{Kernel2, map2};
use sim_core::ElementType as E;

macro_rules! next_after {
    ($name:ident, $bits:ty, $sign:expr, $infinity:expr) => {
        /// The neighbour of `x` towards `y`, on the bits.
        #[inline(always)]
        fn $name(x: $bits, y: $bits) -> $bits {
            const MAGNITUDE: $bits = !$sign;
            let (ax, ay) = (x & MAGNITUDE, y & MAGNITUDE);
            let nan = ax > $infinity || ay > $infinity;
            let same = x == y || (ax == 0 && ay == 0);
            // From zero: the smallest subnormal, with y's sign. Else the magnitude shrinks when y
            // is on the other side of zero or nearer to it.
            let from_zero = (y & $sign) | 1;
            let shrink = (x ^ y) & $sign != 0 || ax > ay;
            let stepped = if shrink { x.wrapping_sub(1) } else { x.wrapping_add(1) };
            let moved = if ax == 0 { from_zero } else { stepped };
            if nan {
                $infinity | ($infinity >> 1)
            } else if same {
                y
            } else {
                moved
            }
        }
    };
}

next_after!(next_f64, u64, 1u64 << 63, 0x7ff0_0000_0000_0000);
next_after!(next_f32, u32, 1u32 << 31, 0x7f80_0000);
next_after!(next_bf16, u16, 0x8000u16, 0x7f80);
next_after!(next_f16, u16, 0x8000u16, 0x7c00);

/// `chlo.next_after` for f64, f32, bf16 and f16.
pub(super) fn next_after(ty: E) -> Option<Kernel2> {
    match ty {
        E::F64 => Some(|a, b, o| map2::<u64, u64, u64>(a, b, o, next_f64)),
        E::F32 => Some(|a, b, o| map2::<u32, u32, u32>(a, b, o, next_f32)),
        E::BF16 => Some(|a, b, o| map2::<u16, u16, u16>(a, b, o, next_bf16)),
        E::F16 => Some(|a, b, o| map2::<u16, u16, u16>(a, b, o, next_f16)),
        _ => None,
    }
}
