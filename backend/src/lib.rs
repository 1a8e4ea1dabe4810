//! Frontends, compiler passes and the runtime.

pub mod frontend;
pub mod npy;
