//! Where values live: shardings and memory kinds. On one device they change nothing.

use super::Call;
use crate::runtime::Value;
use sim_core::{Diagnostic, Result};

const TARGETS: [&str; 4] =
    ["Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement"];

/// Shardy's operations, as they are written for XLA: `xla.sdy.FuncResultSharding`,
/// `xla.sdy.GlobalToLocalShape`, `xla.sdy.LocalToGlobalShape`, `xla.sdy.PropagationBarrier`, ….
const SHARDY: &str = "xla.sdy.";

pub(super) fn knows(target: &str) -> bool {
    TARGETS.contains(&target) || target.starts_with(SHARDY)
}

/// # Errors
/// `Invalid` if the call does not pass its values through; `Unsupported` if it changes a shape, which
/// is to say that it needs more devices than one.
pub(super) fn call(c: &Call, operands: Vec<Value>) -> Result<Vec<Value>> {
    let results = &c.site.op.results;
    // A sharding group takes a value and gives none.
    if results.is_empty() {
        return Ok(Vec::new());
    }
    if operands.len() != results.len() {
        return Err(c.invalid(format_args!(
            "it passes values on, and has {} operands and {} results",
            operands.len(),
            results.len()
        )));
    }
    for (value, &id) in operands.iter().zip(results) {
        let (Value::Tensor(t), Some(ty)) = (value, c.site.f.function.ty(id).as_tensor()) else { continue };
        let same = ty.rank() == t.rank()
            && ty.dims.iter().zip(t.shape()).all(|(d, &n)| d.compatible((n as i64).into()));
        if !same || ty.element != t.element() {
            return Err(Diagnostic::unsupported(format!(
                "custom call to \"{}\" makes {ty} of {}: the program is for several devices, and this run is of one",
                c.target(),
                t.ty()
            ))
            .help("run the program that was made before it was divided among devices"));
        }
    }
    Ok(operands)
}
