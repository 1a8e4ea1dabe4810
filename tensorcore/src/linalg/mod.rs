//! Dense linear algebra and Fourier transforms: `cholesky`, `triangular_solve`, `fft`.
//!
//! All of them compute in f64 (or complex f64), whatever the element type, and round once at the end:
//! results in f32 and less are correctly rounded but for ill-conditioned problems. A TPU's own last
//! bits are not known (it works in f32, with blocked algorithms), so a comparison with one needs a
//! tolerance.

mod cholesky;
mod fft;
mod triangular;
mod widen;

pub use cholesky::cholesky;
pub use fft::fft;
pub use triangular::triangular_solve;

use num_complex::Complex;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The two fields that the algorithms here work in.
trait Field:
    sim_core::dtype::Native
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    fn conj(self) -> Self;
    /// Of a number whose imaginary part is taken to be zero.
    fn real_sqrt(self) -> Self;
}

impl Field for f64 {
    const ZERO: f64 = 0.0;
    #[inline(always)]
    fn conj(self) -> f64 {
        self
    }
    fn real_sqrt(self) -> f64 {
        self.sqrt()
    }
}

impl Field for Complex<f64> {
    const ZERO: Self = Complex { re: 0.0, im: 0.0 };
    #[inline(always)]
    fn conj(self) -> Self {
        Complex::conj(&self)
    }
    fn real_sqrt(self) -> Self {
        Complex { re: self.re.sqrt(), im: 0.0 }
    }
}

/// The last two dimensions of a batch of square matrices: (batch, n).
fn square(op: &str, shape: &[usize]) -> sim_core::Result<(usize, usize)> {
    match shape {
        [batch @ .., m, n] if m == n => Ok((batch.iter().product(), *n)),
        _ => Err(sim_core::Diagnostic::invalid(format!("{op} needs square matrices, not shape {shape:?}"))),
    }
}
