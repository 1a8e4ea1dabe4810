//! What may be computed in the kernel that updates a part of an array in place.
//!
//! The array is changed while the kernel runs, window by window. So it is not computed there, nor is anything that reads of it, but for the
//! part that is written itself, whose old values are read before. (XLA:TPU writes a row by a kernel of its own where it comes from another row of the
//! same array.)

use super::Cluster;
use super::kinds::{Kind, kind};
use crate::compiler::graph::source;
use sim_core::hlo::{Computation, Instruction, InstructionId, Opcode};

/// Would the instruction see an array, or make it, that the cluster changes?
pub(super) fn disturbs(computation: &Computation, cluster: &Cluster, id: InstructionId) -> bool {
    let instruction = computation.instruction(id);
    cluster.updates.iter().map(|u| computation.instruction(*u)).any(|update| {
        let Some(&whole) = update.operands.first() else { return false };
        let whole = source(computation, whole);
        id == whole || sees(computation, instruction, whole, update, 0)
    })
}

/// Operations behind operations are followed so far: what is made of what.
const DEEPEST: u32 = 8;

/// Is the instruction, or what would be computed in the same kernel for it, made of values of the array elsewhere?
fn sees(
    computation: &Computation,
    i: &Instruction,
    whole: InstructionId,
    update: &Instruction,
    depth: u32,
) -> bool {
    if reads(computation, i, whole) {
        return !is_part(computation, i, update);
    }
    let joins = matches!(kind(computation, i), Kind::Look | Kind::Elementwise | Kind::Move);
    joins
        && depth < DEEPEST
        && i.operands.iter().any(|&o| sees(computation, computation.instruction(o), whole, update, depth + 1))
}

/// Do the members of one see what the other changes?
pub(super) fn disturb(computation: &Computation, a: &Cluster, b: &Cluster) -> bool {
    let sees = |x: &Cluster, y: &Cluster| {
        !y.updates.is_empty() && x.members.iter().any(|&m| disturbs(computation, y, m))
    };
    sees(a, b) || sees(b, a)
}

fn reads(computation: &Computation, i: &Instruction, whole: InstructionId) -> bool {
    i.opcode != Opcode::Bitcast && i.operands.iter().any(|&o| source(computation, o) == whole)
}

/// Is it the part of the array that is written?
fn is_part(computation: &Computation, i: &Instruction, update: &Instruction) -> bool {
    let sizes = |id: InstructionId| computation.instruction(id).shape.as_array().map(|a| &a.dims);
    i.opcode == Opcode::DynamicSlice
        && i.shape.as_array().map(|a| &a.dims) == update.operands.get(1).and_then(|&o| sizes(o))
        && i.operands.first() == update.operands.first()
        && i.operands.get(1..) == update.operands.get(2..)
}
