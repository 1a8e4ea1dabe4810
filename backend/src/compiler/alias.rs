//! Work in place: a kernel that makes each value of its result of one of an operand's may write it there, if nobody needs the operand afterwards.
//! That holds for what a product's result is combined with, too: weights that are updated, what a gradient is multiplied with.

use super::Cx;
use super::copies::donated;
use super::graph::{is_beside, is_by_value, set, users};
use crate::time::arrays::{self, Memory};
use crate::time::costs::is_kernel;
use sim_core::Result;
use sim_core::hlo::{Computation, HloModule, Instruction, InstructionId, Key, Opcode, Value};
use smallvec::SmallVec;

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    for id in cx.module.reached() {
        let is_entry = id == cx.module.entry;
        let computation = cx.module.computation(id);
        let users = users(computation);
        let found: Vec<(usize, usize)> = (0..computation.instructions.len())
            .filter_map(|i| Some((i, over(&cx.module, computation, &users, i, is_entry)?)))
            .collect();
        let computation = &mut cx.module.computations[id.0 as usize];
        for (i, operand) in found {
            let instruction = &mut computation.instructions[i];
            let scoped = scoped(instruction, cx.chip.units().vmem.scoped_bytes);
            // As XLA:TPU writes it: the operand, and the result behind all operands.
            let text = format!(
                r#"{{"aliasing_operands":{{"lists":[{{"indices":["{operand}","{}"]}}]}}{scoped}}}"#,
                instruction.operands.len()
            );
            set(instruction, Key::BackendConfig, Value::Raw(text.into()));
        }
    }
    Ok(())
}

/// Values of a window. Of arrays in VMEM, what is larger has windows of its own there; what is not is worked on where it lies (libtpu 0.0.52:
/// 1,048,576 values of bf16 are, 2,097,152 are not).
const WINDOW: f64 = 1_048_576.0;

/// VMEM for windows, as a further member of a configuration.
fn scoped(i: &Instruction, most: u64) -> String {
    let Some(array) = i.shape.as_array().filter(|a| arrays::memory(a) == Memory::Vmem) else {
        return String::new();
    };
    if arrays::elements(array) <= WINDOW {
        return String::new();
    }
    // Two buffers of a window of each operand and of the result.
    let arrays = i.operands.len() as u64 + 1;
    let window = WINDOW as u64 * u64::from(array.element.bits()) / 8;
    let size = window.saturating_mul(2 * arrays).min(most);
    format!(r#","used_scoped_memory_configs":[{{"memory_space":"1","offset":"0","size":"{size}"}}]"#)
}

/// The operand over which the kernel writes its result.
fn over(
    module: &HloModule,
    computation: &Computation,
    users: &[SmallVec<[InstructionId; 4]>],
    i: usize,
    is_entry: bool,
) -> Option<usize> {
    let instruction = &computation.instructions[i];
    let result = instruction.shape.as_array().filter(|a| a.rank() > 0)?;
    if instruction.attr(&Key::BackendConfig).is_some() {
        return None;
    }
    let by_value = is_by_value(module, instruction);
    let in_place = |o: InstructionId| by_value || is_beside(module, instruction, o);
    // An argument that is donated to this result.
    let given = |parameter: Option<i64>| {
        let root = computation.root();
        let path: Vec<i64> = match root.opcode {
            Opcode::Tuple => {
                let Some(n) = root.operands.iter().position(|o| o.0 as usize == i) else { return false };
                vec![n as i64]
            }
            _ => Vec::new(),
        };
        parameter.is_some_and(|p| is_entry && donated(module, p, Some(&path)))
    };
    let dies = |o: InstructionId| {
        let mut at = o;
        loop {
            let owner = computation.instruction(at);
            if users[at.0 as usize].iter().any(|u| u.0 as usize > i) || at == computation.root {
                return false;
            }
            match (owner.opcode, owner.operands.first()) {
                (Opcode::Bitcast, Some(&next)) => at = next,
                (Opcode::Parameter, _) => return given(owner.parameter_number),
                // What a loop hands its body is the body's; arguments in a tuple are not the program's.
                (Opcode::GetTupleElement, Some(&tuple)) => {
                    return match computation.instruction(tuple).opcode {
                        Opcode::Parameter => !is_entry && handed_once(computation, users, at, tuple),
                        // What a barrier holds back may be somebody else's; one of a kernel's several results is not written over (20 of 21 that
                        // could be, in HBM, in dumps of libtpu 0.0.52, where 24 of 28 results of other kernels are).
                        Opcode::OptimizationBarrier | Opcode::Fusion => false,
                        _ => true,
                    };
                }
                _ => return is_kernel(owner),
            }
        }
    };
    instruction.operands.iter().position(|&o| {
        computation.instruction(o).shape.as_array().is_some_and(|a| a == result) && dies(o) && in_place(o)
    })
}

/// Is it the only look at the element?
fn handed_once(
    computation: &Computation,
    users: &[SmallVec<[InstructionId; 4]>],
    element: InstructionId,
    tuple: InstructionId,
) -> bool {
    let index = computation.instruction(element).attr(&Key::Index);
    let same = |u: &&InstructionId| computation.instruction(**u).attr(&Key::Index) == index;
    users[tuple.0 as usize].iter().filter(same).count() == 1
}
