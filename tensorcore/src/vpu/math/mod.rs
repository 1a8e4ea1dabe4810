//! Scalar functions that the elementwise loops inline.
//!
//! [`complex`]: functions of complex numbers.
//!
//! [`exact`]: for f64, and for what is not hot.
//!
//! [`fast`]: f64 arithmetic for f32 and narrower types. Without branches, tables or calls, so that
//! loops over them become vector code; errors are a few units of f64's last place, so that the one
//! rounding to f32 is right but for about one argument in ten million.

pub(crate) mod complex;
pub(crate) mod exact;
pub(crate) mod fast;
