//! What one kernel computes.
//!
//! From the last instruction to the first, each joins the kernel of its users, if one kernel has them all and takes it:
//!
//! * elementwise operations, broadcasts, slices and the like join anything but what computes them again too often;
//! * a product takes with it what follows elementwise, up to its reduction, and what its operands need as long as that is cheap, since
//!   each window computes it again (XLA's output fusion);
//! * a reduction takes with it what it reduces, and what follows on as few values (input fusion).
//!
//! What several kernels need and costs little is computed in each of them. What is only another look at memory stays outside where it
//! can. A kernel of one operation stays as it is.

mod build;
mod kinds;

use super::Cx;
use super::graph::{self, compact, control, has_side_effect, users};
use crate::time::arrays;
pub use kinds::is_elementwise;
use kinds::{Kind, kind};
use sim_core::Result;
use sim_core::hlo::{Computation, Instruction, InstructionId, Key, Opcode};
use smallvec::SmallVec;

/// Operands that a kernel may have: each needs its windows in VMEM.
const MOST_OPERANDS: usize = 48;
/// Instructions of one kernel.
const MOST_MEMBERS: usize = 400;
/// Kernels in which something may be computed again.
const MOST_COPIES: usize = 8;

/// A kernel while it grows.
struct Cluster {
    /// What leaves it: the last, and what others need, too.
    root: InstructionId,
    more_roots: Vec<InstructionId>,
    /// From the last to the first.
    members: Vec<InstructionId>,
    product: Option<InstructionId>,
    /// Members that the product's operands need.
    before: Vec<InstructionId>,
    reduces: bool,
    /// Something in it moves values to other places than those they came from.
    moves: bool,
    /// Values of the root.
    elements: f64,
}

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    for id in control(&cx.module) {
        let computation = cx.module.computation(id).clone();
        let clusters = grow(&computation);
        let mut computation = build::rewritten(cx, computation, &clusters);
        let module = &cx.module;
        compact(&mut computation, |i| has_side_effect(module, i));
        cx.module.computations[id.0 as usize] = computation;
    }
    graph::tidy(&mut cx.module);
    Ok(())
}

/// In which clusters an instruction is computed.
type In = SmallVec<[u32; 2]>;

fn grow(computation: &Computation) -> Vec<Cluster> {
    let n = computation.instructions.len();
    let users = users(computation);
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut of: Vec<In> = vec![In::new(); n];
    for i in (0..n).rev() {
        let id = InstructionId(i as u32);
        let instruction = &computation.instructions[i];
        let kind = kind(computation, instruction);
        merge_siblings(computation, &mut clusters, &mut of, &users, id);
        if kind == Kind::Outside {
            continue;
        }
        // Who computes its users; someone outside needs it in memory.
        let mut wanted = In::new();
        let mut outside = id == computation.root || users[i].is_empty();
        for user in &users[i] {
            match &of[user.0 as usize][..] {
                [] => outside = true,
                all => all
                    .iter()
                    .filter(|c| !wanted.contains(c))
                    .copied()
                    .collect::<In>()
                    .iter()
                    .for_each(|&c| wanted.push(c)),
            }
        }
        let takes = |c: u32| joins(computation, &clusters[c as usize], &users[i], id, kind);
        let all = !outside && wanted.iter().all(|&c| takes(c));
        let joined = match wanted.len() {
            1 => all,
            2..=MOST_COPIES => {
                all && wanted
                    .iter()
                    .all(|&c| kinds::is_cheap(computation, instruction, kind, &clusters[c as usize].members))
            }
            _ => false,
        };
        let free = matches!(kind, Kind::Look | Kind::Scalar);
        // What is wider than what it is made of is better made where it is needed than read.
        if !joined && !free && kinds::widens(computation, instruction, kind) {
            let takers: In = wanted.iter().copied().filter(|&c| takes(c)).collect();
            for &c in &takers {
                join(&mut clusters[c as usize], instruction, &users[i], id, kind);
            }
            of[i] = takers;
            if outside || of[i].len() < wanted.len() {
                of[i].push(clusters.len() as u32);
                clusters.push(Cluster::of(instruction, id, kind));
            }
            continue;
        }
        let beside = if joined || free {
            None
        } else {
            beside(computation, &clusters, &of, &users, id, kind, &wanted)
        };
        if let Some(c) = beside {
            join(&mut clusters[c as usize], instruction, &users[i], id, kind);
            clusters[c as usize].more_roots.push(id);
            of[i].push(c);
        } else if joined || (free && all && wanted.len() <= MOST_COPIES) {
            for &c in &wanted {
                join(&mut clusters[c as usize], instruction, &users[i], id, kind);
            }
            of[i] = wanted;
        } else if !free {
            of[i].push(clusters.len() as u32);
            clusters.push(Cluster::of(instruction, id, kind));
        }
    }
    // A look at what is not computed here is a look from outside.
    for cluster in &mut clusters {
        cluster.members.sort_unstable();
        let mut inside: rustc_hash::FxHashSet<InstructionId> = cluster.members.iter().copied().collect();
        cluster.members.retain(|&m| {
            let i = computation.instruction(m);
            let keeps = i.opcode != Opcode::Bitcast || i.operands.iter().all(|o| inside.contains(o));
            if !keeps {
                inside.remove(&m);
            }
            keeps
        });
    }
    clusters
}

impl Cluster {
    fn of(instruction: &Instruction, id: InstructionId, kind: Kind) -> Cluster {
        Cluster {
            root: id,
            more_roots: Vec::new(),
            members: vec![id],
            product: (kind == Kind::Product).then_some(id),
            before: Vec::new(),
            reduces: kind == Kind::Reduce,
            moves: matches!(kind, Kind::Move | Kind::Update | Kind::Join),
            elements: elements(instruction),
        }
    }
}

/// A kernel that computes what others need, too, hands it out (XLA's multi-output fusion): one of its users, over as many values, which
/// does not wait for any of those others.
fn beside(
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
fn merge_siblings(
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
            room && !waits(clusters, of, users, from(first), c) && !waits(clusters, of, users, from(c), first)
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

fn elements(instruction: &Instruction) -> f64 {
    arrays::arrays(&instruction.shape).first().map_or(0.0, |a| arrays::elements(a))
}

/// Does the cluster take what its members `users` need?
fn joins(
    computation: &Computation,
    cluster: &Cluster,
    users: &[InstructionId],
    id: InstructionId,
    kind: Kind,
) -> bool {
    let instruction = computation.instruction(id);
    let root = computation.instruction(cluster.root);
    if cluster.members.len() >= MOST_MEMBERS {
        return false;
    }
    let here = || users.iter().filter(|u| cluster.members.contains(u));
    // What is updated in place is not computed in the same kernel.
    let updated = here().any(|u| {
        let user = computation.instruction(*u);
        user.opcode == Opcode::DynamicUpdateSlice && user.operands.first() == Some(&id)
    });
    if updated && kind != Kind::Scalar {
        return false;
    }
    if operands(computation, cluster, instruction) > MOST_OPERANDS {
        return false;
    }
    match kind {
        Kind::Scalar | Kind::Look => true,
        Kind::Elementwise | Kind::Fill | Kind::Move => true,
        Kind::Join | Kind::Update => false,
        Kind::Reduce if is_softmax(computation, cluster, users, instruction) => true,
        Kind::Reduce => {
            let same = elements(instruction) == cluster.elements;
            same && cluster.product.is_none()
                && !cluster.reduces
                && !cluster.moves
                && !fans_out(computation, cluster)
        }
        Kind::Product => {
            let follows = root.opcode == Opcode::Reduce || elements(instruction) == cluster.elements;
            follows && cluster.product.is_none() && !cluster.moves && !fans_out_of(computation, cluster, id)
        }
        Kind::Outside => false,
    }
}

fn join(cluster: &mut Cluster, _: &Instruction, users: &[InstructionId], id: InstructionId, kind: Kind) {
    let for_product = users.iter().any(|u| Some(*u) == cluster.product || cluster.before.contains(u));
    if for_product {
        cluster.before.push(id);
    }
    match kind {
        Kind::Product => cluster.product = Some(id),
        Kind::Reduce => cluster.reduces = true,
        // What goes into a product's operands does not change what it can be followed by.
        Kind::Move if !for_product => cluster.moves = true,
        _ => {}
    }
    cluster.members.push(id);
}

/// Is it the largest value of each row, or their sum, of what a product over those rows needs? XLA:TPU computes such a product together with
/// the softmax before it, a part of the rows at a time, so that scores are read once (`online-softmax`); it does so for arrays of three
/// dimensions, one of which is the batch.
fn is_softmax(
    computation: &Computation,
    cluster: &Cluster,
    users: &[InstructionId],
    reduce: &Instruction,
) -> bool {
    let Some(product) = cluster.product.map(|p| computation.instruction(p)) else { return false };
    let Some(scores) = reduce.operands.first().and_then(|&o| computation.instruction(o).shape.as_array())
    else {
        return false;
    };
    let rows = graph::dims(reduce, &Key::Dimensions);
    let is_side = product.opcode == Opcode::Dot
        && graph::dims(product, &Key::LhsBatchDims) == [0]
        && graph::dims(product, &Key::LhsContractingDims) == rows;
    let left = product.operands.first().and_then(|&o| computation.instruction(o).shape.as_array());
    is_side
        && reduce.operands.len() == 2
        && scores.rank() == 3
        && rows == [2]
        && left.is_some_and(|l| l.dims == scores.dims)
        && users.iter().all(|u| cluster.before.contains(u))
}

/// Arrays that the cluster would read with `more` in it.
fn operands(computation: &Computation, cluster: &Cluster, more: &Instruction) -> usize {
    if cluster.members.len() < MOST_OPERANDS / 3 {
        return 0;
    }
    let mut read: Vec<InstructionId> = more.operands.to_vec();
    for &m in &cluster.members {
        read.extend(
            computation.instruction(m).operands.iter().copied().filter(|o| !cluster.members.contains(o)),
        );
    }
    read.sort_unstable();
    read.dedup();
    read.len()
}

/// Does any member make more values of fewer?
fn fans_out(computation: &Computation, cluster: &Cluster) -> bool {
    cluster.members.iter().any(|&m| {
        let i = computation.instruction(m);
        let most = i.operands.iter().map(|&o| elements(computation.instruction(o))).fold(0.0, f64::max);
        elements(i) > most && most > 1.0
    })
}

/// Does the value of `id` reach a broadcast in the cluster?
fn fans_out_of(computation: &Computation, cluster: &Cluster, id: InstructionId) -> bool {
    let mut from = vec![id];
    let mut members = cluster.members.clone();
    members.sort_unstable();
    for m in members {
        let i = computation.instruction(m);
        if i.operands.iter().any(|o| from.contains(o)) {
            if i.opcode == Opcode::Broadcast {
                return true;
            }
            from.push(m);
        }
    }
    false
}
