//! What a program's kernels cost one by one, before anything is put in an order: what a compiler asks.

use super::arrays;
use super::contents::{Catalogue, on_sparsecore};
use super::kernel::{self, Kernel};
use super::machine::Machine;
use rustc_hash::FxHashSet;
use sim_core::Result;
use sim_core::chip::Chip;
use sim_core::engine::Duration;
use sim_core::hlo::{Computation, ComputationId, HloModule, Instruction, InstructionId, Opcode, Shape};

/// What each instruction of the computations that control flow reaches costs as a kernel; `None` of what takes no time, of control flow and
/// of what goes on beside the TensorCore. By computation, then by instruction.
///
/// # Errors
/// Kind `Malformed`: a `backend_config` that is not what it should be.
pub fn of(module: &HloModule, chip: &Chip) -> Result<Vec<Vec<Option<Kernel>>>> {
    let machine = Machine::new(chip);
    let mut catalogue = Catalogue::new(module, machine.units);
    let mut all = vec![Vec::new(); module.computations.len()];
    for id in module.reached() {
        let computation = module.computation(id);
        let mut kernels = Vec::with_capacity(computation.instructions.len());
        for instruction in &computation.instructions {
            let operands: Vec<&Shape> =
                instruction.operands.iter().map(|&o| &*computation.instruction(o).shape).collect();
            kernels.push(match is_kernel(instruction) {
                true => Some(kernel::cost(machine, instruction, &operands, &mut catalogue)?),
                false => None,
            });
        }
        all[id.0 as usize] = kernels;
    }
    Ok(all)
}

/// How long SparseCores take for what a computation starts on them, with operands that the start names; by instruction.
pub fn offloaded(module: &HloModule, chip: &Chip, id: ComputationId) -> Vec<Option<Duration>> {
    let machine = Machine::new(chip);
    let mut catalogue = Catalogue::new(module, machine.units);
    let computation = module.computation(id);
    let mut times = Vec::with_capacity(computation.instructions.len());
    for start in &computation.instructions {
        let starts = start.opcode == Opcode::AsyncStart && on_sparsecore(start);
        times.push(starts.then(|| {
            let operands: Vec<&Shape> =
                start.operands.iter().map(|&o| &*computation.instruction(o).shape).collect();
            let result = kernel::sparsecore::result(start);
            kernel::sparsecore::cost(machine, start, &operands, result, &mut catalogue).time
        }));
    }
    times
}

/// Bytes a second of a copy from HBM that has it to itself.
pub fn copy_rate(chip: &Chip) -> f64 {
    Machine::new(chip).peak_rate()
}

/// The operands of which a kernel reads no more than a part.
pub fn read_in_part(
    module: &HloModule,
    computation: &Computation,
    kernel: usize,
) -> FxHashSet<InstructionId> {
    let instruction = &computation.instructions[kernel];
    let slices = |i: &Instruction| matches!(i.opcode, Opcode::Slice | Opcode::DynamicSlice | Opcode::Gather);
    let Some(called) = instruction.called().next().filter(|_| instruction.opcode == Opcode::Fusion) else {
        return if slices(instruction) {
            instruction.operands.iter().copied().collect()
        } else {
            FxHashSet::default()
        };
    };
    let callee = module.computation(called);
    let mut whole = vec![false; callee.instructions.len()];
    let elements = |i: &Instruction| i.shape.as_array().map_or(0.0, arrays::elements);
    for i in &callee.instructions {
        // A gather may take more than there is.
        let less =
            |o: InstructionId| i.opcode != Opcode::Gather || elements(i) < elements(callee.instruction(o));
        let sliced = i.operands.first().filter(|&&o| slices(i) && less(o));
        i.operands.iter().filter(|&o| sliced != Some(o)).for_each(|o| whole[o.0 as usize] = true);
    }
    let parameters = callee.parameters();
    let all = instruction.operands.iter().enumerate();
    let in_part = |n: usize| parameters.get(n).copied().flatten().is_some_and(|p| !whole[p.0 as usize]);
    all.filter(|&(n, _)| in_part(n)).map(|(_, &o)| o).collect()
}

/// Does the instruction occupy the TensorCore? (Not: what is there already, control flow, and what goes on beside it.)
pub fn is_kernel(instruction: &Instruction) -> bool {
    use Opcode as O;
    if instruction.opcode == O::CustomCall {
        return !kernel::custom_call::is_free(instruction);
    }
    !matches!(
        instruction.opcode,
        O::Parameter
            | O::Constant
            | O::Tuple
            | O::GetTupleElement
            | O::Bitcast
            | O::AfterAll
            | O::AddDependency
            | O::OptimizationBarrier
            | O::Domain
            | O::PartitionId
            | O::ReplicaId
            | O::GetDimensionSize
            | O::SetDimensionSize
            | O::While
            | O::Conditional
            | O::Call
            | O::CopyStart
            | O::CopyDone
            | O::AsyncStart
            | O::AsyncUpdate
            | O::AsyncDone
            | O::Send
            | O::SendDone
            | O::Recv
            | O::RecvDone
            | O::CollectivePermuteStart
            | O::CollectivePermuteDone
            | O::AllGatherStart
            | O::AllGatherDone
            | O::AllReduceStart
            | O::AllReduceDone
    )
}
