//! Values that stay in VMEM from the kernel that makes them to the last that reads them.

use super::evict::{self, Evicted};
use super::{Results, Room, makes, reads};
use crate::compiler::graph::{updated, users};
use crate::time::arrays::{self, Memory};
use crate::time::costs::is_kernel;
use sim_core::hlo::{
    Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode, Shape, Value,
};
use smallvec::SmallVec;

/// An array that a kernel makes.
pub(super) struct Made {
    pub by: usize,
    /// Which of its results.
    pub element: Option<usize>,
    /// Other looks at it, whose layouts say where it lies, too.
    pub looks: Vec<InstructionId>,
    /// How many of those are no bitcasts and no updates.
    pub direct: usize,
    pub until: usize,
    pub bytes: u64,
    pub reads: usize,
    /// Somebody else than kernels uses it.
    pub leaves: bool,
}

pub(super) fn place(
    module: &mut HloModule,
    id: ComputationId,
    room: &mut Room,
    results: Results,
) -> Vec<Evicted> {
    let computation = module.computation(id);
    let users = users(computation);
    let flow: Vec<usize> =
        (0..computation.instructions.len()).filter(|&i| computation.instructions[i].hands_over()).collect();
    let mut made: Vec<Made> = Vec::new();
    for (i, instruction) in computation.instructions.iter().enumerate() {
        match &*instruction.shape {
            Shape::Array(_) if makes(results, module, instruction, None) => {
                made.extend(value(module, computation, &users, i, None));
            }
            Shape::Tuple(parts) if instruction.opcode == Opcode::Fusion => {
                let new = (0..parts.len()).filter(|&n| makes(results, module, instruction, Some(n)));
                made.extend(new.filter_map(|n| value(module, computation, &users, i, Some(n))));
            }
            _ => {}
        }
    }
    // Loops and branches have VMEM to themselves.
    let (whole, mut rest): (Vec<Made>, Vec<Made>) =
        made.into_iter().partition(|m| !m.leaves && !flow.iter().any(|&f| m.by < f && f < m.until));
    made = whole;
    // Traffic saved for a byte and a kernel of its life; of equals, the larger, then the earlier. Kernels of a few values pass at once.
    let touched: Vec<u64> = computation.instructions.iter().map(|i| touched(computation, i)).collect();
    let worth = |m: &Made| {
        let life = touched[m.by + 1..=m.until].iter().filter(|&&t| t.saturating_mul(16) >= m.bytes).count();
        (m.reads + 1) as f64 / life.max(1) as f64
    };
    let mut made: Vec<(f64, Made)> = made.into_iter().map(|m| (worth(&m), m)).collect();
    made.sort_by(|(x, a), (y, b)| y.total_cmp(x).then(b.bytes.cmp(&a.bytes)).then(a.by.cmp(&b.by)));
    for (_, m) in made {
        if !room.has(m.bytes, m.by, m.until) {
            rest.push(m);
            continue;
        }
        room.take(m.bytes, m.by, m.until);
        evict::set(&mut module.computations[id.0 as usize], &m);
    }
    rest.sort_by_key(|m| m.by);
    let mut evicted = Vec::new();
    for mut m in rest {
        m.looks.truncate(m.direct);
        if let Some(e) = evict::place(module, id, &users, &m, &flow, room) {
            evict::set(&mut module.computations[id.0 as usize], &m);
            evicted.push(e);
        }
    }
    evicted
}

/// A kernel with one result, which is the operand but for a part.
fn changes(module: &HloModule, i: &Instruction, operand: InstructionId) -> bool {
    let once = i.operands.iter().filter(|o| **o == operand).count() == 1;
    once && is_kernel(i)
        && i.shape.as_array().is_some()
        && matches!(updated(module, i)[..], [k] if i.operands.get(k) == Some(&operand))
}

/// Bytes of all that an instruction reads and makes.
fn touched(computation: &Computation, i: &Instruction) -> u64 {
    let read = i.operands.iter().flat_map(|&o| arrays::arrays(&computation.instruction(o).shape));
    let all = arrays::arrays(&i.shape).into_iter().chain(read);
    match is_kernel(i) {
        true => all.map(arrays::bytes).fold(0, u64::saturating_add),
        false => 0,
    }
}

/// The value, if kernels alone read it.
fn value(
    module: &HloModule,
    computation: &Computation,
    users: &[SmallVec<[InstructionId; 4]>],
    by: usize,
    element: Option<usize>,
) -> Option<Made> {
    let mut made =
        Made { by, element, looks: Vec::new(), direct: 0, until: by, bytes: 0, reads: 0, leaves: false };
    let is_element = |u: &Instruction| u.attr(&Key::Index) == element.map(|n| Value::Int(n as i64)).as_ref();
    let mut open: Vec<InstructionId> = match element {
        None => vec![InstructionId(by as u32)],
        Some(_) => {
            let all = &users[by];
            if all.iter().any(|&u| computation.instruction(u).opcode != Opcode::GetTupleElement) {
                return None;
            }
            let looks: Vec<_> =
                all.iter().copied().filter(|&u| is_element(computation.instruction(u))).collect();
            made.looks.extend(&looks);
            looks
        }
    };
    let array = match (&*computation.instructions[by].shape, element) {
        (Shape::Array(a), None) => a,
        (Shape::Tuple(parts), Some(n)) => parts[n].as_array()?,
        _ => return None,
    };
    made.bytes = match arrays::memory(array) {
        Memory::Hbm => arrays::bytes(array),
        _ => return None,
    };
    made.direct = made.looks.len();
    while let Some(at) = open.pop() {
        made.leaves |= at == computation.root;
        for &user in &users[at.0 as usize] {
            let reader = computation.instruction(user);
            match reader.opcode {
                Opcode::Bitcast => {
                    made.looks.push(user);
                    open.push(user);
                }
                _ if reads(module, reader, at) => {
                    made.reads += 1;
                    made.until = made.until.max(user.0 as usize);
                }
                // What is scattered into it, or changed of it, lies where it does.
                _ if changes(module, reader, at) => {
                    made.reads += 1;
                    made.until = made.until.max(user.0 as usize);
                    made.looks.push(user);
                    open.push(user);
                }
                _ => made.leaves = true,
            }
        }
    }
    (made.reads > 0 && made.bytes > 0).then_some(made)
}
