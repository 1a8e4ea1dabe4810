//! What operations are to fusion.

use crate::compiler::graph::is_elementwise;
use crate::time::arrays;
use sim_core::hlo::{Computation, Instruction, InstructionId, Opcode};
use smallvec::SmallVec;

/// The part an operation can play in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is no part of any: parameters, control flow, what is a kernel of its own.
    Outside,
    /// A constant of one value.
    Scalar,
    /// Another look at the same memory.
    Look,
    Elementwise,
    /// Broadcasts and counters: values without reading any, or fewer.
    Fill,
    /// Slices, padding: values at other places.
    Move,
    /// Concatenation: it ends a kernel.
    Join,
    /// A part of an array is replaced: it ends a kernel.
    Update,
    Reduce,
    Product,
}

pub fn kind(computation: &Computation, i: &Instruction) -> Kind {
    use Opcode as O;
    match i.opcode {
        O::Copy if keeps_lanes(computation, i) => Kind::Elementwise,
        O::Constant if i.shape.as_array().is_some_and(|a| a.dims.is_empty()) => Kind::Scalar,
        O::Bitcast => Kind::Look,
        O::Broadcast | O::Iota => Kind::Fill,
        O::Slice | O::DynamicSlice | O::Pad | O::Reverse => Kind::Move,
        O::Concatenate => Kind::Join,
        O::DynamicUpdateSlice => Kind::Update,
        O::Reduce => Kind::Reduce,
        O::Dot | O::Convolution => Kind::Product,
        op if is_elementwise(op) && i.shape.as_array().is_some() => Kind::Elementwise,
        _ => Kind::Outside,
    }
}

/// Does a copy into another order leave the most minor dimension where it is? Rows are then read from other places, which any kernel does
/// (all 291 such copies in fusions of libtpu 0.0.52's dumps are of this kind); values never move between lanes in a kernel of something else.
fn keeps_lanes(computation: &Computation, i: &Instruction) -> bool {
    let minor = |i: &Instruction| i.shape.as_array()?.layout.as_ref()?.minor_to_major.first().copied();
    let from = i.operands.first().map(|&o| computation.instruction(o));
    minor(i).is_some() && from.is_some_and(|from| minor(from) == minor(i))
}

/// Computing it again in a kernel of these members costs less than reading it: what would have to be read for it, beyond what is read
/// there already, is not much larger than it is (vectors and scalars that fill arrays hardly count).
pub fn is_cheap(computation: &Computation, i: &Instruction, kind: Kind, members: &[InstructionId]) -> bool {
    match kind {
        Kind::Scalar | Kind::Look | Kind::Fill => true,
        Kind::Elementwise => {
            let mut more: SmallVec<[InstructionId; 4]> = i.operands.clone();
            more.sort_unstable();
            more.dedup();
            let known = |o: &InstructionId| {
                members.iter().any(|m| m == o || computation.instruction(*m).operands.contains(o))
            };
            let of = |o: &InstructionId| {
                let operand = computation.instruction(*o);
                match operand.opcode {
                    Opcode::Broadcast | Opcode::Iota => read(computation, operand),
                    _ => bytes(operand),
                }
            };
            more.iter().filter(|o| !known(o)).map(of).fold(0u64, u64::saturating_add) <= bytes(i) / 8 * 9
        }
        _ => false,
    }
}

/// Much less is read for it than it is.
pub fn widens(computation: &Computation, i: &Instruction, kind: Kind) -> bool {
    match kind {
        Kind::Fill => true,
        Kind::Elementwise => read(computation, i) <= bytes(i) / 4 * 3,
        _ => false,
    }
}

fn bytes(i: &Instruction) -> u64 {
    arrays::arrays(&i.shape).iter().map(|a| arrays::dense_bytes(a)).fold(0u64, u64::saturating_add)
}

fn read(computation: &Computation, i: &Instruction) -> u64 {
    i.operands.iter().map(|&o| bytes(computation.instruction(o))).fold(0u64, u64::saturating_add)
}
