//! The order in which kernels run: the program's own. What is there from the beginning, arguments and what loops hand to their bodies, comes first, so
//! that copies of it can start early.

use super::Cx;
use super::graph::reorder;
use sim_core::Result;
use sim_core::hlo::{Computation, Opcode};

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    for id in cx.module.reached() {
        let computation = &mut cx.module.computations[id.0 as usize];
        let there: Vec<bool> = is_there(computation);
        let n = computation.instructions.len();
        let order: Vec<usize> = (0..n).filter(|&i| there[i]).chain((0..n).filter(|&i| !there[i])).collect();
        reorder(computation, &order);
    }
    super::scheduled(&mut cx.module);
    Ok(())
}

/// Parameters, and elements and other looks of them.
fn is_there(computation: &Computation) -> Vec<bool> {
    let mut there = vec![false; computation.instructions.len()];
    for (i, instruction) in computation.instructions.iter().enumerate() {
        there[i] = match instruction.opcode {
            Opcode::Parameter => true,
            Opcode::GetTupleElement | Opcode::Bitcast => {
                instruction.operands.iter().all(|o| there[o.0 as usize])
            }
            _ => false,
        };
    }
    there
}
