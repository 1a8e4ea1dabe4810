//! Extensions: what a plugin can do beyond the table of the API, each a table of its own in a chain.
//!
//! Those that tpusim will not offer (GPUs, Triton, FFI, streams, custom partitioners, transformations,
//! multi-slice) are not declared. How many functions an extension has changes without a new version of the
//! API: clients look at its size.

pub mod abi_version;
pub mod callback;
pub mod device_event;
pub mod host_memory_allocator;
pub mod layouts;
pub mod memory_descriptions;
pub mod phase_compile;
pub mod profiler;
pub mod raw_buffer;
pub mod shardings;
pub mod tpu_topology;
