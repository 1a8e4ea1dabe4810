//! Softmax: how much of it goes into the products around it.
//!
//! ```text
//!  S = q·k ─ scale, mask ─> x ─┬─ largest of each row ─┐
//!                              └─ x - largest ─ exp ─> e ─┬─ sum of each row ─┐
//!                                                         └────── e / sum ────┴─> p ─ p·v
//! ```
//!
//! XLA:TPU (libtpu 0.0.52, found by compiling variants of attention for v5e and v6e) does one of these:
//!
//! * where x is S as the product leaves it, or S widened, all of it is one kernel that keeps scores in VMEM (a `tpu_custom_call`);
//! * where x is an array of bf16, widened, what follows is one kernel that reads it once (`online-softmax`);
//! * where x is computed otherwise and a row of it fits a window, the first product takes everything up to e and its sum, and writes both
//!   (the largest of each row stays in the kernel: a `reduce-window` as wide as the row);
//! * longer rows are not special: the product writes S and the largest of each row, the sum is a kernel, and the second product computes e
//!   once more.
//!
//! The first two only where nothing else needs what is in between.

use crate::compiler::graph::{self, is_elementwise};
use crate::time::arrays;
use rustc_hash::FxHashMap;
use sim_core::ElementType;
use sim_core::chip::Units;
use sim_core::hlo::{Computation, Instruction, InstructionId, Key, Opcode};
use smallvec::SmallVec;

type Users = [SmallVec<[InstructionId; 4]>];

/// What belongs together, by instruction.
#[derive(Default)]
pub(super) struct Softmaxes {
    /// Reductions, and the first product where that too is taken, with the product behind the softmax.
    pub before: FxHashMap<InstructionId, InstructionId>,
    /// What leads to the sum of a row in the kernel of the first product, with that sum.
    pub rows: FxHashMap<InstructionId, InstructionId>,
}

/// One of them.
struct Softmax {
    x: InstructionId,
    largest: InstructionId,
    /// Between the largest and x: rows that fill x's shape.
    spread: Vec<InstructionId>,
    less: InstructionId,
    e: InstructionId,
    sum: InstructionId,
}

pub(super) fn find(computation: &Computation, users: &Users, units: &Units) -> Softmaxes {
    let mut all = Softmaxes::default();
    for id in (0..computation.instructions.len() as u32).map(InstructionId) {
        let Some(found) = one(computation, users, id) else { continue };
        if let Some((product, first)) = online(computation, users, &found) {
            all.before.insert(found.largest, product);
            all.before.insert(found.sum, product);
            all.before.extend(first.map(|s| (s, product)));
        } else if of_product(computation, found.x) && fits(computation, &found, units) {
            let within = found.spread.iter().chain([&found.e, &found.less, &found.largest]);
            all.rows.extend(within.map(|&i| (i, found.sum)));
        }
    }
    all
}

/// The softmax whose exponential this is.
fn one(computation: &Computation, users: &Users, e: InstructionId) -> Option<Softmax> {
    let get = |id: InstructionId| computation.instruction(id);
    if get(e).opcode != Opcode::Exponential {
        return None;
    }
    let less = *get(e).operands.first()?;
    if get(less).opcode != Opcode::Subtract || users[less.0 as usize].len() != 1 {
        return None;
    }
    let (x, filled) = (get(less).operands[0], get(less).operands[1]);
    let rank = get(x).shape.as_array()?.rank() as i64;
    let dimension = rank.checked_sub(1).filter(|&d| d > 0)?;
    let (mut at, mut spread) = (filled, Vec::new());
    let largest = loop {
        let i = get(at);
        // Nothing else needs them.
        if users[at.0 as usize].len() != 1 && at != filled {
            return None;
        }
        match i.opcode {
            Opcode::Reduce => break at,
            Opcode::Broadcast | Opcode::Bitcast | Opcode::Reshape => {
                spread.push(at);
                at = *i.operands.first()?;
            }
            // At least minus infinity.
            Opcode::Maximum => {
                spread.push(at);
                let is_reduced =
                    |o: &&InstructionId| !matches!(get(**o).opcode, Opcode::Constant | Opcode::Broadcast);
                at = *i.operands.iter().find(is_reduced)?;
            }
            _ => return None,
        }
        if spread.len() > 6 {
            return None;
        }
    };
    let of_row = |id: InstructionId, of: InstructionId| {
        // What they apply is not looked at: a largest value is subtracted, a sum divides.
        get(id).opcode == Opcode::Reduce
            && get(id).operands.len() == 2
            && get(id).operands.first() == Some(&of)
            && graph::dims(get(id), &Key::Dimensions) == [dimension]
    };
    if !of_row(largest, x) || users[filled.0 as usize].len() != 1 {
        return None;
    }
    let sum = users[e.0 as usize].iter().copied().find(|&u| of_row(u, e))?;
    Some(Softmax { x, largest, spread, less, e, sum })
}

/// The product behind it, if all of it is read by nothing else and scores are bf16; and the product before it, if nothing stands in between.
fn online(
    computation: &Computation,
    users: &Users,
    found: &Softmax,
) -> Option<(InstructionId, Option<InstructionId>)> {
    let get = |id: InstructionId| computation.instruction(id);
    let only =
        |id: InstructionId, all: &[InstructionId]| users[id.0 as usize].iter().all(|u| all.contains(u));
    // e / sum, narrowed, multiplied.
    let divide = users[found.e.0 as usize].iter().copied().find(|&u| u != found.sum)?;
    if !matches!(get(divide).opcode, Opcode::Divide | Opcode::Multiply)
        || !only(found.e, &[found.sum, divide])
        || !only(found.x, &[found.largest, found.less])
    {
        return None;
    }
    let mut at = divide;
    let product = loop {
        let &[next] = &users[at.0 as usize][..] else { return None };
        match get(next).opcode {
            Opcode::Convert | Opcode::Bitcast => at = next,
            Opcode::Dot if get(next).operands.first() == Some(&at) => break next,
            _ => return None,
        }
    };
    let rank = get(found.x).shape.as_array()?.rank() as i64;
    let batches: Vec<i64> = (0..rank - 2).collect();
    let fits = graph::dims(get(product), &Key::LhsContractingDims) == [rank - 1]
        && graph::dims(get(product), &Key::LhsBatchDims) == batches;
    if !fits || batches.is_empty() {
        return None;
    }
    let x = get(found.x);
    let scores = match x.opcode {
        Opcode::Convert => *x.operands.first()?,
        _ => found.x,
    };
    let of = |i: &Instruction| i.shape.as_array().map(|a| a.element);
    let first =
        get(scores).opcode == Opcode::Dot && (scores == found.x || users[scores.0 as usize].len() == 1);
    match first {
        true => Some((product, Some(scores))),
        false => (of(get(scores)) == Some(ElementType::BF16)).then_some((product, None)),
    }
}

/// Is it computed value by value of a product's result?
fn of_product(computation: &Computation, x: InstructionId) -> bool {
    let values = |i: &Instruction| i.shape.as_array().map_or(0.0, arrays::elements);
    let all = values(computation.instruction(x));
    let mut open = vec![x];
    // A mask and a scale or two.
    for _ in 0..32 {
        let Some(at) = open.pop() else { return false };
        let i = computation.instruction(at);
        match i.opcode {
            Opcode::Dot if values(i) == all => return true,
            op if (is_elementwise(op) || op == Opcode::Bitcast) && values(i) == all => {
                open.extend(i.operands.iter().copied())
            }
            _ => {}
        }
    }
    false
}

/// Does a row of it fit, for as many rows as there are lanes: e in two buffers, and what it is made of?
fn fits(computation: &Computation, found: &Softmax, units: &Units) -> bool {
    let array = computation.instruction(found.e).shape.as_array();
    let row = array.and_then(|a| a.dims.last().and_then(|d| d.as_static())).unwrap_or(i64::MAX) as f64;
    row * units.vpu.lanes as f64 * 4.0 * 3.0 <= units.vmem.scoped_bytes as f64
}
