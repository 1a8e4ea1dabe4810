//! Simulated devices as a client sees them: topology, memories, buffers, programs that are compiled once and run in
//! the background, events. What the PJRT plugin exports, without its C: everything here is safe Rust.
//!
//! * `topology`: chips, their coordinates and the devices on them; names like `v5e:2x4`
//! * `layout`: how an array lies in a device's memory, and the bytes it takes there
//! * `host`: arrays between a client's memory and ours, any strides
//! * `options`: how a client asks for compilation
//! * `status`: errors with the codes of `absl::StatusCode`
//! * `event`: something that will have happened

pub mod event;
pub mod host;
pub mod layout;
pub mod options;
pub mod status;
pub mod topology;
