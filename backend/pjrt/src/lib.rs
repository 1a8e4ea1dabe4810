//! `libtpusim.so`: simulated TPUs behind the PJRT C API, version 0.117. The only crate that knows the C ABI.
//!
//! A client finds `GetPjrtApi`, whose table names every function. Each function is a few lines that ask
//! `backend::client`, where the simulated devices are; a value that C holds a pointer to is a [`handle::Handle`].
//!
//! * `ffi`: the declarations
//! * `entry`: args in, errors and panics out
//! * `error`, `handle`, `values`: what goes over the border
//! * `machine`: the objects of a client that live as long as it
//! * `calls`: the functions, by family; `ext`: those of the extensions
//! * `settings`: the environment
//!
//! **Invariant:** no panic and no error of ours ends the host process; getters do not fail, since clients abort on it.

// Functions have the names that C knows them by.
#![allow(non_snake_case)]

pub mod calls;
pub mod entry;
pub mod error;
pub mod ext;
pub mod ffi;
pub mod handle;
pub mod machine;
mod settings;
mod table;
pub mod values;

pub use table::GetPjrtApi;
