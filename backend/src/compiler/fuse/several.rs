//! Kernels with several results: what one computes and others need, too, and what reads one value.
//!
//! Neither may make two kernels wait for each other, which is looked for behind every value that leaves a kernel.

use super::join::joins;
use super::kinds::{Kind, kind};
use super::{Cluster, In, MOST_MEMBERS, MOST_OPERANDS, elements, updates};
use rustc_hash::FxHashSet;
use sim_core::hlo::{Computation, InstructionId, Opcode};
use smallvec::SmallVec;

/// A kernel that computes what others need, too, hands it out (XLA's multi-output fusion): one of its users, over as many values, which
/// does not wait for any of those others.
pub(super) fn beside(
    search: &mut Search,
    computation: &Computation,
    clusters: &[Cluster],
    of: &[In],
    users: &[SmallVec<[InstructionId; 4]>],
    id: InstructionId,
    wanted: &In,
) -> Option<u32> {
    let instruction = computation.instruction(id);
    let kind = kind(computation, instruction);
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
            && joins(computation, cluster, id, kind)
            && !search.waits(clusters, of, users, behind(clusters, of, users, &[id], c), c)
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

/// It takes parts of an array and does nothing else.
fn takes_parts(computation: &Computation, cluster: &Cluster) -> bool {
    let takes = |m: &InstructionId| {
        let i = computation.instruction(*m);
        i.opcode == Opcode::Slice || matches!(kind(computation, i), Kind::Look | Kind::Scalar)
    };
    cluster.moves && cluster.members.iter().all(takes)
}

/// Kernels of one value that are looked at to become one.
const MOST_SIBLINGS: usize = 128;

/// Kernels that read all of one value and do not wait for each other become one: it is read once.
pub(super) fn merge_siblings(
    search: &mut Search,
    computation: &Computation,
    clusters: &mut [Cluster],
    of: &mut [In],
    users: &[SmallVec<[InstructionId; 4]>],
    id: InstructionId,
) {
    let instruction = computation.instruction(id);
    // What fills an array is read by nobody.
    if matches!(kind(computation, instruction), Kind::Fill | Kind::Scalar) {
        return;
    }
    let values = elements(instruction);
    let mut candidates = In::new();
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    for user in &users[id.0 as usize] {
        for &c in &of[user.0 as usize] {
            let cluster = &clusters[c as usize];
            let all = !cluster.moves && over(computation, cluster) == values;
            let fits = cluster.product.is_none() && (all || takes_parts(computation, cluster));
            if fits && values > 1.0 && seen.insert(c) {
                candidates.push(c);
            }
        }
        if candidates.len() >= MOST_SIBLINGS {
            break;
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
                && touched(&clusters[first as usize], &clusters[c as usize]) <= MOST_OPERANDS;
            // What is reduced is there at the kernel's end only.
            let feeds = |a: u32, b: u32| {
                let a = &clusters[a as usize];
                let roots = a.more_roots.iter().chain([&a.root]);
                let inside = |u: &InstructionId| of[u.0 as usize].contains(&b);
                a.reduces && roots.flat_map(|r| &users[r.0 as usize]).any(inside)
            };
            let (a, b) = (&clusters[first as usize], &clusters[c as usize]);
            let alike = a.moves == b.moves && (!a.moves || a.elements == b.elements);
            room && alike
                && !updates::disturb(computation, a, b)
                && !feeds(first, c)
                && !feeds(c, first)
                && !search.waits(clusters, of, users, from(first), c)
                && !search.waits(clusters, of, users, from(c), first)
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
        let last = clusters[second as usize].last;
        for &m in &members {
            let lists = &mut of[m.0 as usize];
            lists.retain(|c| *c != second);
            if !lists.contains(&first) {
                lists.push(first);
                clusters[first as usize].members.push(m);
            }
        }
        let theirs = std::mem::take(&mut clusters[second as usize].touched);
        let filled = std::mem::take(&mut clusters[second as usize].filled);
        let moved = std::mem::take(&mut clusters[second as usize].moved);
        let updates = std::mem::take(&mut clusters[second as usize].updates);
        let cluster = &mut clusters[first as usize];
        cluster.touched.extend(theirs);
        cluster.filled.extend(filled);
        cluster.moved.extend(moved);
        cluster.updates.extend(updates);
        cluster.inside = cluster.members.iter().filter(|m| cluster.touched.contains(m)).count();
        cluster.more_roots.push(root);
        cluster.more_roots.extend(more);
        cluster.reduces |= reduces;
        cluster.elements = cluster.elements.max(elements);
        cluster.last = cluster.last.max(last);
        search.has_results(cluster);
    }
}

/// Arrays that two clusters touch together.
fn touched(a: &Cluster, b: &Cluster) -> usize {
    a.touched.len() + b.touched.iter().filter(|o| !a.touched.contains(o)).count()
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

/// Looks for who waits for whom, again and again.
pub(super) struct Search {
    /// Places between the results of a kernel: what comes behind may wait for what comes before.
    between: Vec<bool>,
    /// In which search an instruction or a cluster was seen.
    seen: Vec<u32>,
    seen_clusters: Vec<u32>,
    number: u32,
}

impl Search {
    pub fn new(n: usize) -> Search {
        Search { between: vec![false; n], seen: vec![0; n], seen_clusters: Vec::new(), number: 0 }
    }

    /// The kernel got another result.
    pub fn has_results(&mut self, cluster: &Cluster) {
        let first = cluster.more_roots.iter().chain([&cluster.root]).min().map_or(0, |r| r.0);
        self.between[first as usize..cluster.last.0 as usize].fill(true);
    }

    /// Does cluster `c` wait for one of these?
    fn waits(
        &mut self,
        clusters: &[Cluster],
        of: &[In],
        users: &[SmallVec<[InstructionId; 4]>],
        mut open: Vec<InstructionId>,
        c: u32,
    ) -> bool {
        self.number += 1;
        self.seen_clusters.resize(clusters.len(), 0);
        // Users come behind what they use, and results of one kernel lie on one side of this place: nothing from behind it leads back.
        let last = clusters[c as usize].last.0 as usize;
        let end = self.between[last..].iter().position(|b| !b).map_or(usize::MAX, |n| last + n);
        let mut visits = 0;
        while let Some(at) = open.pop() {
            let at = at.0 as usize;
            if at > end || std::mem::replace(&mut self.seen[at], self.number) == self.number {
                continue;
            }
            visits += 1;
            if visits > MOST_VISITS {
                return true;
            }
            open.extend(users[at].iter().copied());
            for &d in &of[at] {
                if d == c {
                    return true;
                }
                if std::mem::replace(&mut self.seen_clusters[d as usize], self.number) == self.number {
                    continue;
                }
                let cluster = &clusters[d as usize];
                for root in cluster.more_roots.iter().chain([&cluster.root]) {
                    open.extend(users[root.0 as usize].iter().copied());
                }
            }
        }
        false
    }
}
