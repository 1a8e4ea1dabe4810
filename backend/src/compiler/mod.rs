//! What XLA:TPU decides about a program, decided here.

pub mod windows;
