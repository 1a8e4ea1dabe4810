//! Time: what a TPU would take for a program that XLA:TPU has optimized and scheduled.

pub mod config;
