//! What is computed again rather than written and read.
//!
//! An array that k kernels need costs, written once, what it is made of, itself, and k times itself; computed in each of them, what each
//! would have to read for it. XLA:TPU counts bytes, not operations: exponentials are computed again, too.

use super::In;
use super::kinds::{Kind, bytes, kind};
use sim_core::hlo::{Computation, InstructionId, Opcode};
use smallvec::SmallVec;

/// Of an array: those arrays in memory that it is computed from, value by value; itself, if it is none.
type Leaves = SmallVec<[InstructionId; 4]>;

/// Of more than that none is computed again.
const MOST_LEAVES: usize = 10;

pub(super) struct Again {
    leaves: Vec<Leaves>,
    bytes: Vec<u64>,
    /// Is it a product?
    product: Vec<bool>,
    /// The instruction that alone needs it.
    next: Vec<Option<InstructionId>>,
}

impl Again {
    /// `written` says which values are anyway.
    pub fn of(
        computation: &Computation,
        users: &[SmallVec<[InstructionId; 4]>],
        written: impl Fn(InstructionId) -> bool,
    ) -> Again {
        let mut again =
            Again { leaves: Vec::new(), bytes: Vec::new(), product: Vec::new(), next: Vec::new() };
        for (n, i) in computation.instructions.iter().enumerate() {
            let id = InstructionId(n as u32);
            let mut leaves = Leaves::new();
            let kind = kind(computation, i);
            match kind {
                _ if written(id) => leaves.push(id),
                Kind::Elementwise | Kind::Look | Kind::Fill => {
                    for leaf in i.operands.iter().flat_map(|o| &again.leaves[o.0 as usize]) {
                        if !leaves.contains(leaf) {
                            leaves.push(*leaf);
                        }
                    }
                    if leaves.len() > MOST_LEAVES {
                        leaves = Leaves::from_slice(&[id]);
                    }
                }
                Kind::Scalar => {}
                _ => leaves.push(id),
            }
            again.bytes.push(match i.opcode {
                // Arguments of loops and the like are tuples.
                Opcode::Tuple | Opcode::While | Opcode::Conditional => 0,
                _ => bytes(i),
            });
            again.leaves.push(leaves);
            again.product.push(kind == Kind::Product);
            again.next.push(match users[n][..] {
                [user] => Some(user),
                _ => None,
            });
        }
        again
    }

    /// Is it a product of which the array alone is made, so that it is computed in the product's kernel?
    fn leads(&self, product: InstructionId, to: InstructionId) -> bool {
        let mut at = Some(product).filter(|p| self.product[p.0 as usize]);
        while let Some(id) = at.filter(|id| *id < to) {
            at = self.next[id.0 as usize];
        }
        at == Some(to)
    }

    fn sum(&self, of: impl Iterator<Item = InstructionId>) -> u64 {
        of.map(|l| self.bytes[l.0 as usize]).fold(0, u64::saturating_add)
    }

    /// What a kernel of these members reads, if all that is computed value by value is computed in it.
    fn reads(&self, computation: &Computation, members: &[InstructionId]) -> Vec<InstructionId> {
        let operands = members.iter().flat_map(|&m| computation.instruction(m).operands.iter());
        let mut all: Vec<InstructionId> =
            operands.flat_map(|o| self.leaves[o.0 as usize].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Do fewer bytes move if each of these kernels computes it? `members` of one.
    pub fn pays<'m>(
        &self,
        computation: &Computation,
        id: InstructionId,
        kernels: &In,
        members: impl Fn(u32) -> &'m [InstructionId],
    ) -> bool {
        let leaves = &self.leaves[id.0 as usize];
        let own = self.bytes[id.0 as usize];
        let k = kernels.len() as u64;
        // A product's own result is written only if what follows is not.
        let (followed, others): (Leaves, Leaves) = leaves.iter().copied().partition(|&l| self.leads(l, id));
        let written = self.sum(others.into_iter()).saturating_add(own.saturating_mul(1 + k));
        let more = self.sum(followed.into_iter());
        let again = kernels.iter().map(|&c| {
            let reads = self.reads(computation, members(c));
            // Those that it would read even without this.
            let others = |l: &InstructionId| reads.binary_search(l).is_err();
            self.sum(leaves.iter().copied().filter(others))
        });
        again.fold(more, u64::saturating_add) < written
    }
}
