//! Kernels with several results: what one computes and others need, too, and what reads one value.
//!
//! Neither may make two kernels wait for each other, which is looked for behind every value that leaves a kernel.

use super::join::joins;
use super::kinds::Kind;
use super::{Cluster, In, MOST_MEMBERS, MOST_OPERANDS, elements};
use sim_core::hlo::{Computation, InstructionId, Opcode};
use smallvec::SmallVec;

/// A kernel that computes what others need, too, hands it out (XLA's multi-output fusion): one of its users, over as many values, which
/// does not wait for any of those others.
pub(super) fn beside(
    computation: &Computation,
    clusters: &[Cluster],
    of: &[In],
    users: &[SmallVec<[InstructionId; 4]>],
    id: InstructionId,
    kind: Kind,
    wanted: &In,
) -> Option<u32> {
    let instruction = computation.instruction(id);
    if !matches!(kind, Kind::Elementwise | Kind::Product)
        || instruction.shape.as_array().is_none_or(|a| a.rank() == 0)
    {
        return None;
    }
    let values = elements(instruction);
    wanted.iter().copied().find(|&c| {
        let cluster = &clusters[c as usize];
        over(computation, cluster) == values
            && !cluster.moves
            && joins(computation, cluster, &users[id.0 as usize], id, kind)
            && !waits(clusters, of, users, behind(clusters, of, users, &[id], c), c)
    })
}

/// Values that a kernel looks at: those that it makes, or reduces.
fn over(computation: &Computation, cluster: &Cluster) -> f64 {
    match cluster.reduces {
        true => {
            let reduced = |m: &InstructionId| {
                let i = computation.instruction(*m);
                let of = i.operands.first().filter(|_| i.opcode == Opcode::Reduce)?;
                Some(elements(computation.instruction(*of)))
            };
            cluster.members.iter().filter_map(reduced).fold(0.0, f64::max)
        }
        false => cluster.elements,
    }
}

/// Kernels that read all of one value and do not wait for each other become one: it is read once.
pub(super) fn merge_siblings(
    computation: &Computation,
    clusters: &mut [Cluster],
    of: &mut [In],
    users: &[SmallVec<[InstructionId; 4]>],
    id: InstructionId,
) {
    let values = elements(computation.instruction(id));
    let mut candidates = In::new();
    for user in &users[id.0 as usize] {
        for &c in &of[user.0 as usize] {
            let cluster = &clusters[c as usize];
            let fits = cluster.product.is_none() && !cluster.moves && over(computation, cluster) == values;
            if fits && values > 1.0 && !candidates.contains(&c) {
                candidates.push(c);
            }
        }
    }
    let mut at = 0;
    while at + 1 < candidates.len() {
        let first = candidates[at];
        let from = |c: u32| {
            let cluster = &clusters[c as usize];
            let roots: Vec<InstructionId> =
                cluster.more_roots.iter().chain([&cluster.root]).copied().collect();
            behind(clusters, of, users, &roots, c)
        };
        let found = candidates[at + 1..].iter().copied().find(|&c| {
            let room = clusters[first as usize].members.len() + clusters[c as usize].members.len()
                <= MOST_MEMBERS
                && reads(computation, &clusters[first as usize], &clusters[c as usize]) <= MOST_OPERANDS;
            // What is reduced is there at the kernel's end only.
            let feeds = |a: u32, b: u32| {
                let a = &clusters[a as usize];
                let roots = a.more_roots.iter().chain([&a.root]);
                let inside = |u: &InstructionId| of[u.0 as usize].contains(&b);
                a.reduces && roots.flat_map(|r| &users[r.0 as usize]).any(inside)
            };
            room && !feeds(first, c)
                && !feeds(c, first)
                && !waits(clusters, of, users, from(first), c) && !waits(clusters, of, users, from(c), first)
        });
        let Some(second) = found else {
            at += 1;
            continue;
        };
        candidates.retain(|c| *c != second);
        let members = std::mem::take(&mut clusters[second as usize].members);
        let (root, more) =
            (clusters[second as usize].root, std::mem::take(&mut clusters[second as usize].more_roots));
        let (reduces, elements) = (clusters[second as usize].reduces, clusters[second as usize].elements);
        for &m in &members {
            let lists = &mut of[m.0 as usize];
            lists.retain(|c| *c != second);
            if !lists.contains(&first) {
                lists.push(first);
                clusters[first as usize].members.push(m);
            }
        }
        let cluster = &mut clusters[first as usize];
        cluster.more_roots.push(root);
        cluster.more_roots.extend(more);
        cluster.reduces |= reduces;
        cluster.elements = cluster.elements.max(elements);
    }
}

/// Arrays that two clusters read together.
fn reads(computation: &Computation, a: &Cluster, b: &Cluster) -> usize {
    let all = || a.members.iter().chain(&b.members);
    let mut read: Vec<InstructionId> =
        all().flat_map(|&m| computation.instruction(m).operands.iter().copied()).collect();
    read.sort_unstable();
    read.dedup();
    read.len()
}

/// Kernels that are looked at to find out who waits for whom.
const MOST_VISITS: usize = 4000;

/// Where values go that leave cluster `c`: into other clusters, behind which what uses their results comes, or elsewhere. What computes a
/// user in several clusters counts for those that are not `c`.
fn behind(
    clusters: &[Cluster],
    of: &[In],
    users: &[SmallVec<[InstructionId; 4]>],
    values: &[InstructionId],
    c: u32,
) -> Vec<InstructionId> {
    let mut open = Vec::new();
    for user in values.iter().flat_map(|v| &users[v.0 as usize]) {
        let all = &of[user.0 as usize];
        if all.is_empty() {
            open.push(*user);
        }
        for &d in all.iter().filter(|&&d| d != c) {
            let cluster = &clusters[d as usize];
            for root in cluster.more_roots.iter().chain([&cluster.root]) {
                open.extend(users[root.0 as usize].iter().copied());
            }
        }
    }
    open
}

/// Does cluster `c` wait for one of these?
fn waits(
    clusters: &[Cluster],
    of: &[In],
    users: &[SmallVec<[InstructionId; 4]>],
    mut open: Vec<InstructionId>,
    c: u32,
) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        if seen.len() > MOST_VISITS {
            return true;
        }
        let mut next: SmallVec<[InstructionId; 8]> = users[at.0 as usize].iter().copied().collect();
        for &d in &of[at.0 as usize] {
            if d == c {
                return true;
            }
            let cluster = &clusters[d as usize];
            for root in cluster.more_roots.iter().chain([&cluster.root]) {
                next.extend(users[root.0 as usize].iter().copied());
            }
        }
        open.extend(next);
    }
    false
}
