//! Custom calls, by family: each family says which targets it knows.

mod placement;

use super::ops::Site;
use super::{Process, Value, checks};
use sim_core::ir::op::CustomCall;
use sim_core::{Diagnostic, Result};

impl Process<'_> {
    pub(super) fn custom_call(
        &self,
        site: &Site<'_>,
        call: &CustomCall,
        operands: Vec<Value>,
    ) -> Result<Vec<Value>> {
        if call.target.starts_with("check.")
            && let Some(results) = checks::custom_call(&call.target, &operands)?
        {
            return Ok(results);
        }
        if placement::knows(&call.target) {
            return placement::call(&call.target, operands);
        }
        Err(Diagnostic::unsupported(format!(
            "custom call to \"{}\", which tpusim does not model",
            call.target
        ))
        .note(format!("it takes {} operands and gives {} results", operands.len(), site.op.results.len()))
        .help("express it in StableHLO operations, or leave it out of the module"))
    }
}
