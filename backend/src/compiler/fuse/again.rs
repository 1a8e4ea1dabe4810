//! What is computed again rather than written and read.
//!
//! What several kernels need is computed in each of them, if none of them then reads more than it would have read: exponentials of scores that are
//! there anyway, but not the sum of two arrays. (XLA:TPU counts bytes, not operations.) What a product makes is written once, as far as what follows
//! it can be computed before: a sum with another array is, so that nobody else reads the other one.

use super::In;
use super::kinds::{Kind, bytes, kind};
use sim_core::hlo::{Computation, InstructionId, Opcode};
use smallvec::SmallVec;

/// Of an array: those arrays in memory that it is computed from, value by value; itself, if it is one.
type Leaves = SmallVec<[InstructionId; 4]>;

/// Of more than that none is computed again.
const MOST_LEAVES: usize = 10;

pub(super) struct Again {
    leaves: Vec<Leaves>,
    bytes: Vec<u64>,
}

impl Again {
    pub fn of(computation: &Computation, users: &[SmallVec<[InstructionId; 4]>]) -> Again {
        let mut again = Again { leaves: Vec::new(), bytes: Vec::new() };
        // Does it follow a product value by value, with nobody else between them?
        let mut follows: Vec<bool> = Vec::new();
        for (n, i) in computation.instructions.iter().enumerate() {
            let id = InstructionId(n as u32);
            again.bytes.push(match i.opcode {
                // Arguments of loops and the like are tuples.
                Opcode::Tuple | Opcode::While | Opcode::Conditional => 0,
                _ => bytes(i),
            });
            let mut leaves = Leaves::new();
            let kind = kind(computation, i);
            let mut of_product = kind == Kind::Product;
            match kind {
                Kind::Elementwise | Kind::Look | Kind::Fill => {
                    for leaf in i.operands.iter().flat_map(|o| &again.leaves[o.0 as usize]) {
                        if !leaves.contains(leaf) {
                            leaves.push(*leaf);
                        }
                    }
                    let alone = |o: &InstructionId| users[o.0 as usize].len() == 1 && follows[o.0 as usize];
                    of_product = i.operands.iter().any(alone);
                    let more = again.sum(leaves.iter()) > again.with_rows(id);
                    if leaves.len() > MOST_LEAVES || (of_product && more) {
                        leaves = Leaves::from_slice(&[id]);
                    }
                }
                Kind::Scalar => {}
                _ => leaves.push(id),
            }
            again.leaves.push(leaves);
            follows.push(of_product);
        }
        again
    }

    fn sum<'l>(&self, of: impl Iterator<Item = &'l InstructionId>) -> u64 {
        of.map(|l| self.bytes[l.0 as usize]).fold(0, u64::saturating_add)
    }

    /// Bytes of an array, and of rows or columns beside it, which do not count.
    fn with_rows(&self, id: InstructionId) -> u64 {
        let own = self.bytes[id.0 as usize];
        own.saturating_add(own / 16)
    }

    /// What a kernel of these members reads beside `id`, if all that is computed value by value is computed in it.
    fn reads(
        &self,
        computation: &Computation,
        members: &[InstructionId],
        id: InstructionId,
    ) -> Vec<InstructionId> {
        let mut inside = members.to_vec();
        inside.sort_unstable();
        let operands = members.iter().flat_map(|&m| computation.instruction(m).operands.iter());
        let operands = operands.filter(|&&o| o != id && inside.binary_search(&o).is_err());
        let mut all: Vec<InstructionId> =
            operands.flat_map(|o| self.leaves[o.0 as usize].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Does each of these kernels read no more if it computes it? `members` of one.
    pub fn pays<'m>(
        &self,
        computation: &Computation,
        id: InstructionId,
        kernels: &In,
        members: impl Fn(u32) -> &'m [InstructionId],
    ) -> bool {
        // A part of an array is read where it lies, whoever needs it.
        if computation.instruction(id).opcode == Opcode::Slice {
            return true;
        }
        let leaves = &self.leaves[id.0 as usize];
        if leaves.contains(&id) {
            return false;
        }
        kernels.iter().all(|&c| {
            let reads = self.reads(computation, members(c), id);
            // Those that it would read even without this do not count.
            let others = |l: &&InstructionId| reads.binary_search(l).is_err();
            self.sum(leaves.iter().filter(others)) <= self.with_rows(id)
        })
    }
}
