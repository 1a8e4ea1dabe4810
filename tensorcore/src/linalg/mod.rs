//! Dense linear algebra and Fourier transforms: the operations `cholesky`, `triangular_solve`, `fft`,
//! and the factorizations that only custom calls ask for, in LAPACK's storage (`qr`, `lu`, `hessenberg`,
//! `tridiagonal`, `eigh`, `schur`, `eig`, `svd`; `Householder` reflectors are what most are made of).
//!
//! All of them compute in f64 (or complex f64), whatever the element type, and round once at the end:
//! results in f32 and less are correctly rounded but for ill-conditioned problems. A TPU's own last
//! bits are not known (it works in f32, with blocked algorithms), so a comparison with one needs a
//! tolerance.

mod batch;
mod cholesky;
mod eig;
mod eigh;
mod fft;
mod hessenberg;
mod householder;
mod lu;
mod qr;
mod qr_pivoted;
mod schur;
mod svd;
#[cfg(test)]
mod testing;
mod triangular;
mod tridiagonal;
mod tridiagonal_solve;
mod widen;

pub use cholesky::cholesky;
pub use eig::{Eig, eig};
pub use eigh::{Eigh, eigh};
pub use fft::fft;
pub use hessenberg::hessenberg;
pub use lu::{Lu, lu, pivots_to_permutation};
pub use qr::{apply_q, form_q, qr};
pub use qr_pivoted::{QrPivoted, qr_pivoted};
pub use schur::{Schur, schur};
pub use svd::{Svd, svd};
pub use triangular::triangular_solve;
pub use tridiagonal::{Tridiagonal, tridiagonal};
pub use tridiagonal_solve::{TridiagonalSolve, tridiagonal_solve};
pub use widen::{parts, widen_real};

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
    const ONE: Self;
    fn conj(self) -> Self;
    fn real(x: f64) -> Self;
    fn re(self) -> f64;
    fn im(self) -> f64;
    /// The absolute value.
    fn norm(self) -> f64;
    /// The square of the absolute value.
    fn norm_sqr(self) -> f64;
    fn scale(self, by: f64) -> Self;
    /// Of a number whose imaginary part is taken to be zero.
    fn real_sqrt(self) -> Self;
}

impl Field for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    #[inline(always)]
    fn conj(self) -> f64 {
        self
    }
    fn real(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn re(self) -> f64 {
        self
    }
    fn im(self) -> f64 {
        0.0
    }
    fn norm(self) -> f64 {
        self.abs()
    }
    #[inline(always)]
    fn norm_sqr(self) -> f64 {
        self * self
    }
    #[inline(always)]
    fn scale(self, by: f64) -> f64 {
        self * by
    }
    fn real_sqrt(self) -> f64 {
        self.sqrt()
    }
}

impl Field for Complex<f64> {
    const ZERO: Self = Complex { re: 0.0, im: 0.0 };
    const ONE: Self = Complex { re: 1.0, im: 0.0 };
    #[inline(always)]
    fn conj(self) -> Self {
        Complex::conj(&self)
    }
    fn real(x: f64) -> Self {
        Complex { re: x, im: 0.0 }
    }
    #[inline(always)]
    fn re(self) -> f64 {
        self.re
    }
    fn im(self) -> f64 {
        self.im
    }
    fn norm(self) -> f64 {
        libm::hypot(self.re, self.im)
    }
    #[inline(always)]
    fn norm_sqr(self) -> f64 {
        self.re * self.re + self.im * self.im
    }
    #[inline(always)]
    fn scale(self, by: f64) -> Self {
        Complex { re: self.re * by, im: self.im * by }
    }
    fn real_sqrt(self) -> Self {
        Complex { re: self.re.sqrt(), im: 0.0 }
    }
}

/// The last two dimensions of a batch of matrices: (batch dimensions, m, n).
fn matrices<'a>(op: &str, shape: &'a [usize]) -> sim_core::Result<(&'a [usize], usize, usize)> {
    match shape {
        [batch @ .., m, n] => Ok((batch, *m, *n)),
        _ => Err(sim_core::Diagnostic::invalid(format!("{op} needs matrices, not shape {shape:?}"))),
    }
}

/// The last two dimensions of a batch of square matrices: (batch, n).
fn square(op: &str, shape: &[usize]) -> sim_core::Result<(usize, usize)> {
    match shape {
        [batch @ .., m, n] if m == n => Ok((batch.iter().product(), *n)),
        _ => Err(sim_core::Diagnostic::invalid(format!("{op} needs square matrices, not shape {shape:?}"))),
    }
}
