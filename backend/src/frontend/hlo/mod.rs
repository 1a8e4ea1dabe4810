//! HLO: XLA's text.
//!
//! ```text
//!  text ── cursor ── module ─ computation ─ instruction ─┬─ shape      f32[8]{0:T(256)}
//!                                                        ├─ literal    {1, 2}
//!                                                        └─ attributes dimensions={0}, …
//! ```
//!
//! The reader takes what XLA prints, in any of its forms (with `%` or without, operands with types
//! or without, with signatures or without), and what people write by hand. It checks syntax and
//! names only.

mod attributes;
mod computation;
mod cursor;
mod device;
pub mod export;
mod header;
pub mod import;
mod literal;
mod names;
mod shape;

pub use computation::parse_text;
pub use device::parse_sharding;
