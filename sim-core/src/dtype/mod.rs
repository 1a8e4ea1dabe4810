//! Element types: every one that StableHLO and HLO name, with its width, its storage and its text.
//!
//! **Storage.** Everything is little-endian and byte-aligned. Types narrower than a byte (`i2`,
//! `i4`, `f4`, `f6`) take one byte an element: integers sign- or zero-extended, floats with their
//! bits in the low end. `i1` is a byte that is 0 or 1. Packing happens only at the edge (files, the
//! PJRT API), so no kernel ever unpacks.

mod small_float;

pub use small_float::{
    F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ,
    F8E8M0FNU, SmallFloat,
};

use std::fmt;

/// The type of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ElementType {
    /// `i1`
    Pred,
    S2,
    S4,
    S8,
    S16,
    S32,
    S64,
    U2,
    U4,
    U8,
    U16,
    U32,
    U64,
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E3M4,
    F8E4M3,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E5M2,
    F8E5M2FNUZ,
    F8E8M0FNU,
    BF16,
    F16,
    F32,
    F64,
    /// `complex<f32>`
    C64,
    /// `complex<f64>`
    C128,
    /// MLIR's `index`: a shape operand. Stored and computed as `S64`.
    Index,
}

/// What family of arithmetic an element type belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    Pred,
    Signed,
    Unsigned,
    Float,
    Complex,
}

/// Kinds of numbers, each holding those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Numbers {
    Whole,
    Real,
    Complex,
}

impl Class {
    pub fn numbers(self) -> Numbers {
        match self {
            Class::Pred | Class::Signed | Class::Unsigned => Numbers::Whole,
            Class::Float => Numbers::Real,
            Class::Complex => Numbers::Complex,
        }
    }
}

use ElementType as E;

/// (type, MLIR text, HLO text, bits)
const TABLE: [(E, &str, &str, u32); 31] = [
    (E::Pred, "i1", "pred", 1),
    (E::S2, "i2", "s2", 2),
    (E::S4, "i4", "s4", 4),
    (E::S8, "i8", "s8", 8),
    (E::S16, "i16", "s16", 16),
    (E::S32, "i32", "s32", 32),
    (E::S64, "i64", "s64", 64),
    (E::U2, "ui2", "u2", 2),
    (E::U4, "ui4", "u4", 4),
    (E::U8, "ui8", "u8", 8),
    (E::U16, "ui16", "u16", 16),
    (E::U32, "ui32", "u32", 32),
    (E::U64, "ui64", "u64", 64),
    (E::F4E2M1FN, "f4E2M1FN", "f4e2m1fn", 4),
    (E::F6E2M3FN, "f6E2M3FN", "f6e2m3fn", 6),
    (E::F6E3M2FN, "f6E3M2FN", "f6e3m2fn", 6),
    (E::F8E3M4, "f8E3M4", "f8e3m4", 8),
    (E::F8E4M3, "f8E4M3", "f8e4m3", 8),
    (E::F8E4M3FN, "f8E4M3FN", "f8e4m3fn", 8),
    (E::F8E4M3FNUZ, "f8E4M3FNUZ", "f8e4m3fnuz", 8),
    (E::F8E4M3B11FNUZ, "f8E4M3B11FNUZ", "f8e4m3b11fnuz", 8),
    (E::F8E5M2, "f8E5M2", "f8e5m2", 8),
    (E::F8E5M2FNUZ, "f8E5M2FNUZ", "f8e5m2fnuz", 8),
    (E::F8E8M0FNU, "f8E8M0FNU", "f8e8m0fnu", 8),
    (E::BF16, "bf16", "bf16", 16),
    (E::F16, "f16", "f16", 16),
    (E::F32, "f32", "f32", 32),
    (E::F64, "f64", "f64", 64),
    (E::C64, "complex<f32>", "c64", 64),
    (E::C128, "complex<f64>", "c128", 128),
    (E::Index, "index", "s64", 64),
];

impl ElementType {
    /// Every element type, in declaration order.
    pub fn all() -> impl Iterator<Item = ElementType> {
        TABLE.iter().map(|row| row.0)
    }

    /// MLIR's spelling: `i32`, `ui8`, `f8E4M3FN`, `complex<f32>`.
    pub fn mlir_name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// HLO's spelling: `s32`, `u8`, `f8e4m3fn`, `c64`.
    pub fn hlo_name(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// By MLIR's spelling; `si32` is the same as `i32` here.
    pub fn from_mlir_name(name: &str) -> Option<Self> {
        let name = if name.starts_with("si") { &name[1..] } else { name };
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// By HLO's spelling.
    pub fn from_hlo_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.2 == name).map(|row| row.0)
    }

    /// Width of the value in bits, as the specification counts (`i4` is 4).
    pub fn bits(self) -> u32 {
        TABLE[self as usize].3
    }

    /// Bytes of one element in a [`crate::Tensor`].
    pub fn byte_size(self) -> usize {
        (self.bits() as usize).div_ceil(8)
    }

    pub fn class(self) -> Class {
        match self {
            E::Pred => Class::Pred,
            E::S2 | E::S4 | E::S8 | E::S16 | E::S32 | E::S64 | E::Index => Class::Signed,
            E::U2 | E::U4 | E::U8 | E::U16 | E::U32 | E::U64 => Class::Unsigned,
            E::C64 | E::C128 => Class::Complex,
            _ => Class::Float,
        }
    }

    pub fn is_float(self) -> bool {
        self.class() == Class::Float
    }

    pub fn is_complex(self) -> bool {
        self.class() == Class::Complex
    }

    /// Signed or unsigned integer; not `i1`.
    pub fn is_integer(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Unsigned)
    }

    pub fn is_signed(self) -> bool {
        self.class() == Class::Signed
    }

    pub fn is_unsigned(self) -> bool {
        self.class() == Class::Unsigned
    }

    /// The type of the real and imaginary parts; a real type is its own part.
    pub fn real_part(self) -> Self {
        match self {
            E::C64 => E::F32,
            E::C128 => E::F64,
            other => other,
        }
    }

    /// The complex type with these parts, if there is one.
    pub fn complex_of(self) -> Option<Self> {
        match self {
            E::F32 => Some(E::C64),
            E::F64 => Some(E::C128),
            _ => None,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mlir_name())
    }
}

/// A Rust type that stores elements. Several element types may share one (`i4` and `i8` are both
/// `i8` bytes), so this says only how bytes are read, not what they mean.
pub trait Native: bytemuck::Pod + Send + Sync + PartialEq + fmt::Debug {
    /// The element type this Rust type is the canonical storage of.
    const TYPE: ElementType;
}

macro_rules! native {
    ($($rust:ty => $ty:ident),* $(,)?) => { $(impl Native for $rust { const TYPE: ElementType = E::$ty; })* };
}

native! {
    i8 => S8, i16 => S16, i32 => S32, i64 => S64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    half::bf16 => BF16, half::f16 => F16, f32 => F32, f64 => F64,
    num_complex::Complex<f32> => C64, num_complex::Complex<f64> => C128,
    F4E2M1FN => F4E2M1FN, F6E2M3FN => F6E2M3FN, F6E3M2FN => F6E3M2FN,
    F8E3M4 => F8E3M4, F8E4M3 => F8E4M3, F8E4M3FN => F8E4M3FN, F8E4M3FNUZ => F8E4M3FNUZ,
    F8E4M3B11FNUZ => F8E4M3B11FNUZ, F8E5M2 => F8E5M2, F8E5M2FNUZ => F8E5M2FNUZ,
    F8E8M0FNU => F8E8M0FNU,
}

/// Runs `$body` with `$T` as a plain type of `$width` bytes (1, 2, 4, 8, else 16): data movement needs
/// no more than the width of an element.
#[macro_export]
macro_rules! by_width {
    ($width:expr, $T:ident => $body:expr) => {
        match $width {
            1 => {
                type $T = u8;
                $body
            }
            2 => {
                type $T = u16;
                $body
            }
            4 => {
                type $T = u32;
                $body
            }
            8 => {
                type $T = u64;
                $body
            }
            _ => {
                type $T = [u64; 2];
                $body
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_declaration_order() {
        for (i, ty) in ElementType::all().enumerate() {
            assert_eq!(ty as usize, i);
            assert_eq!(ElementType::from_mlir_name(ty.mlir_name()), Some(ty));
        }
    }
}
