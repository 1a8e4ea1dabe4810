//! Where values live: shardings and memory kinds. On one device they change nothing.

use crate::runtime::Value;
use sim_core::{Diagnostic, Result};

const TARGETS: [&str; 5] = [
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
];

pub(super) fn knows(target: &str) -> bool {
    TARGETS.contains(&target)
}

/// # Errors
/// `Invalid` if the call does not pass one value through.
pub(super) fn call(target: &str, operands: Vec<Value>) -> Result<Vec<Value>> {
    if operands.len() == 1 {
        return Ok(operands);
    }
    Err(Diagnostic::invalid(format!("\"{target}\" takes one operand, and {} were given", operands.len())))
}
