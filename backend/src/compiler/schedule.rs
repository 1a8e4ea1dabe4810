//! The order in which kernels run.

use super::Cx;
use sim_core::Result;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    super::scheduled(&mut cx.module);
    Ok(())
}
