//! The counter of `rng-get-and-update-state`, under the name that the importer of HLO gives it.

use super::Call;
use crate::runtime::Value;
use sim_core::{Result, Tensor};

/// The target. Its `backend_config` is what one call adds.
pub const TARGET: &str = "RngGetAndUpdateState";

/// What XLA:CPU and XLA:GPU start from. XLA:GPU keeps one counter for a program, as here; XLA:CPU one for
/// each instruction.
pub(crate) const START: u128 = 0x0701_2395;

/// The counter's low and high 64 bits, before the call adds to it. Each device counts for itself, and
/// each run starts anew.
pub(super) fn call(c: &Call, _: &[Value]) -> Result<Option<Vec<Value>>> {
    if c.target() != TARGET {
        return Ok(None);
    }
    let delta: i64 = c
        .config_text()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| c.invalid("its configuration is what it adds to the counter"))?;
    let mut counter = c.process.counter.lock().unwrap_or_else(|e| e.into_inner());
    let old = *counter;
    *counter = old.wrapping_add_signed(delta.into());
    let state = Tensor::from_slice(&[2], &[old as u64, (old >> 64) as u64]);
    c.results(vec![state]).map(Some)
}
