//! The programs that published measurements ran, and how near the simulated times come to the measured ones.
//!
//! ```text
//!  CSV ── row ──> Row ── scope ──> Workload { parts: [Program { StableHLO, options }], … }   or a reason why not
//!                                     │
//!             dumps (kept, or made by aot.py with XLA:TPU) ──> HLO text ── simulate ──> us
//!                                     │
//!                                   score ──> Scorecard: rows, classes, text, JSON
//! ```
//!
//! **Invariant:** a row becomes a program by what its text says (workload, shape, type, metric, unit), never by which row it is:
//! rows that nobody has seen are scored too.

#![forbid(unsafe_code)]

pub mod dumps;
pub mod estimates;
pub mod program;
pub mod row;
pub mod scope;
pub mod score;
pub mod stablehlo;

use std::path::PathBuf;

/// The folder of shared facts: `TPUSIM_SHARED`, or `shared` beside the workspace.
pub fn shared() -> PathBuf {
    std::env::var_os("TPUSIM_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")), PathBuf::from)
}
