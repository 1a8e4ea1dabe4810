//! What CHLO has and HLO has not, by simpler operations: the expansions that XLA makes before it
//! compiles (StableHLO's pass `chlo-legalize-to-stablehlo`, from which constants and the order of
//! operations are taken). Each is written once, for whatever [`Arithmetic`]: the kernels of the vector
//! unit compute with numbers, and the export to HLO emits instructions, so both are the same to the bit.
//!
//! Types narrower than f32 are computed in f32 and rounded once, at the end.

mod bessel;
mod erf;
mod gamma;
mod zeta;

use crate::ir::op::Direction;
use crate::ir::{Binary, Unary};

/// What an expansion computes with.
pub trait Arithmetic {
    /// A number, in f32 or in f64.
    type Number: Copy;
    /// What a comparison gives.
    type Truth: Copy;

    /// Is it f64?
    fn is_double(&self) -> bool;
    /// Rounded to the type.
    fn constant(&mut self, value: f64) -> Self::Number;
    /// `abs`, `negate`, `floor`, `sign`, `sqrt`, `exponential`, `log`, `log_plus_one`, `sine`, `cosine`.
    fn unary(&mut self, op: Unary, x: Self::Number) -> Self::Number;
    /// The four, `power`, `remainder`, `atan2`.
    fn binary(&mut self, op: Binary, x: Self::Number, y: Self::Number) -> Self::Number;
    /// False of a NaN, but for `Ne`.
    fn compare(&mut self, direction: Direction, x: Self::Number, y: Self::Number) -> Self::Truth;
    /// Both hold.
    fn both(&mut self, a: Self::Truth, b: Self::Truth) -> Self::Truth;
    /// One of two.
    fn select(&mut self, which: Self::Truth, yes: Self::Number, no: Self::Number) -> Self::Number;

    /// x + y
    #[inline(always)]
    fn add(&mut self, x: Self::Number, y: Self::Number) -> Self::Number {
        self.binary(Binary::Add, x, y)
    }
    /// x - y
    #[inline(always)]
    fn sub(&mut self, x: Self::Number, y: Self::Number) -> Self::Number {
        self.binary(Binary::Subtract, x, y)
    }
    /// x y
    #[inline(always)]
    fn mul(&mut self, x: Self::Number, y: Self::Number) -> Self::Number {
        self.binary(Binary::Multiply, x, y)
    }
    /// x / y
    #[inline(always)]
    fn div(&mut self, x: Self::Number, y: Self::Number) -> Self::Number {
        self.binary(Binary::Divide, x, y)
    }
    /// A comparison with a constant.
    #[inline(always)]
    fn is(&mut self, x: Self::Number, direction: Direction, value: f64) -> Self::Truth {
        let value = self.constant(value);
        self.compare(direction, x, value)
    }
    /// x + constant
    #[inline(always)]
    fn plus(&mut self, x: Self::Number, value: f64) -> Self::Number {
        let value = self.constant(value);
        self.add(x, value)
    }
    /// x - constant
    #[inline(always)]
    fn minus(&mut self, x: Self::Number, value: f64) -> Self::Number {
        let value = self.constant(value);
        self.sub(x, value)
    }
    /// A polynomial by Horner's rule, the highest power first.
    #[inline(always)]
    fn polynomial(&mut self, x: Self::Number, coefficients: &[f64]) -> Self::Number {
        let mut p = self.constant(coefficients[0]);
        for &c in &coefficients[1..] {
            p = self.mul(p, x);
            p = self.plus(p, c);
        }
        p
    }
}

/// Whether [`unary`] has an expansion.
pub fn expands(op: Unary) -> bool {
    matches!(
        op,
        Unary::Atan | Unary::BesselI1e | Unary::Digamma | Unary::ErfInv | Unary::Erfc | Unary::Lgamma
    )
}

/// Whether [`binary`] has an expansion.
pub fn expands_binary(op: Binary) -> bool {
    matches!(op, Binary::Polygamma | Binary::Zeta)
}

/// A function of a real number; `None` unless [`expands`].
#[inline(always)]
pub fn unary<A: Arithmetic>(op: Unary, m: &mut A, x: A::Number) -> Option<A::Number> {
    Some(match op {
        Unary::Atan => {
            let one = m.constant(1.0);
            m.binary(Binary::Atan2, x, one)
        }
        Unary::BesselI1e => bessel::i1e(m, x),
        Unary::Digamma => gamma::digamma(m, x),
        Unary::ErfInv => erf::erf_inv(m, x),
        Unary::Erfc => erf::erfc(m, x),
        Unary::Lgamma => gamma::lgamma(m, x),
        _ => return None,
    })
}

/// A function of two real numbers; `None` unless [`expands_binary`].
#[inline(always)]
pub fn binary<A: Arithmetic>(op: Binary, m: &mut A, x: A::Number, y: A::Number) -> Option<A::Number> {
    Some(match op {
        Binary::Polygamma => zeta::polygamma(m, x, y),
        Binary::Zeta => zeta::zeta(m, x, y),
        _ => return None,
    })
}
