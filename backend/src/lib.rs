//! backend

pub mod npy;
