//! HLO: protocol buffers, in their binary form and as text.
//!
//! ```text
//!  bytes ─ detect ─┬─ prost ──┐                      ┌─ read ──> HloModule
//!                  └─ text ───┴─ schema's messages ──┤
//!                                                    └─ write <─ HloModule
//! ```
//!
//! Four messages hold a module: `HloModuleProto`, the module itself; `HloProto`, what XLA dumps; `HloSnapshot`, with
//! the arguments and the result of a run; `HloUnoptimizedSnapshot`, with the arguments of every partition.
//! Fields that are not in the [`schema`] are passed over, so that a newer XLA's files read as far as they are known.
//! The writer is strict: an attribute for which there is no field is an error.

mod asynchronous;
mod attributes;
mod contents;
mod detect;
mod device;
mod header;
mod literal;
mod message;
mod read;
pub mod schema;
mod serialized;
mod shape;
mod text;
mod write;

pub use contents::{
    Contents, Form, RecordedValue, Recording, encode, encode_snapshot, encode_unoptimized_snapshot, parse,
    parse_text,
};
pub use detect::{Message, detect, is_text};
pub use device::encode_sharding;
