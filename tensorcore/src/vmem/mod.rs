//! The scratchpad of a core: what moves between it and HBM while the units compute ([`pipeline`]).

pub mod pipeline;
