//! `libtpusim.so`: simulated TPUs behind the PJRT C API. The only crate that knows the C ABI.

pub mod ffi;
