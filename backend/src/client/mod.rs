//! Simulated devices as a client sees them: topology, memories, buffers, programs that are compiled once and run in
//! the background, events. What the PJRT plugin exports, without its C: everything here is safe Rust.
//!
//! * `topology`: chips, their coordinates and the devices on them; names like `v5e:2x4`
//! * `layout`: how an array lies in a device's memory, and the bytes it takes there
//! * `hlo`: programs and shardings in XLA's protocol buffers
//! * `host`: arrays between a client's memory and ours, any strides
//! * `options`: how a client asks for compilation
//! * `status`: errors with the codes of `absl::StatusCode`
//! * `event`: something that will have happened
//! * `memory`: memories, what lies in them, what happens when they are full
//! * `buffer`: arrays on devices, whose values may come later
//! * `device`: the client with its devices
//! * `program`: a compiled program; `loaded`: one on its devices, and its runs
//! * `stats`: what a program will cost, for clients that ask
//! * `queue`: the order in which devices run programs

pub mod buffer;
pub mod device;
pub mod event;
pub mod hlo;
pub mod host;
pub mod layout;
pub mod loaded;
pub mod memory;
pub mod options;
pub mod program;
mod queue;
pub mod stats;
pub mod status;
pub mod topology;
