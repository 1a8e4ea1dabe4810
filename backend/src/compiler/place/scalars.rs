//! Scalars that the scalar core makes for kernels, itself included: they stay in its memory (`S(6)` of libtpu 0.0.52's dumps). What loops carry, and
//! what leaves the program, lies in HBM.

use super::{SCALARS, in_memory};
use crate::compiler::graph::users;
use crate::time::costs::is_kernel;
use sim_core::hlo::{Computation, HloModule, InstructionId, Opcode};

pub(super) fn place(module: &mut HloModule) {
    for id in module.reached() {
        let computation = &mut module.computations[id.0 as usize];
        let users = users(computation);
        let stay: Vec<usize> = (0..users.len())
            .filter(|&i| {
                let read = |u: &InstructionId| is_kernel(computation.instruction(*u));
                let users = &users[i];
                is_made(computation, i) && computation.root.0 as usize != i && users.iter().all(read)
            })
            .collect();
        for i in stay {
            let instruction = &mut computation.instructions[i];
            if let Some(array) = instruction.shape.as_array() {
                instruction.shape = in_memory(array, SCALARS);
            }
        }
    }
}

/// Does scalar code make it, of scalars?
fn is_made(computation: &Computation, i: usize) -> bool {
    let instruction = &computation.instructions[i];
    let is_scalar = |i: &sim_core::hlo::Instruction| i.shape.as_array().is_some_and(|a| a.dims.is_empty());
    is_kernel(instruction)
        && !matches!(instruction.opcode, Opcode::CustomCall | Opcode::Fusion | Opcode::Constant)
        && is_scalar(instruction)
        && !instruction.operands.is_empty()
        && instruction.operands.iter().all(|&o| is_scalar(computation.instruction(o)))
}
