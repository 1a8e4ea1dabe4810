//! What one kernel computes.
//!
//! From the last instruction to the first, each joins the kernel of its users, if one kernel has them all and takes it:
//!
//! * elementwise operations, broadcasts, slices and the like join anything but what computes them again too often;
//! * a product takes with it what follows elementwise, up to its reduction, and what its operands need, though each window computes it
//!   again (XLA's output fusion);
//! * a reduction takes with it what it reduces (input fusion); nothing follows it;
//! * a copy into another order that leaves lanes where they are joins those that need it, and is joined by nothing;
//! * what fills an array comes from outside, and so does what is sliced, padded or put together.
//!
//! What several kernels need is computed in each of them if none of them reads more for it; parts of an array are read where they lie. What is only another look at memory stays outside where it
//! can. A kernel of one operation stays as it is.

mod again;
mod build;
mod join;
mod kinds;
mod several;
mod softmax;
mod updates;

use super::Cx;
use super::graph::{self, Effects, compact, users};
use crate::time::arrays;
use again::Again;
use join::{join, joins};
use kinds::{Kind, kind};
use rustc_hash::FxHashSet;
use several::{Search, beside, merge_siblings};
use sim_core::Result;
use sim_core::chip::Units;
use sim_core::hlo::{Computation, Instruction, InstructionId, Opcode};
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
    /// Members that change a part of an array in place.
    updates: SmallVec<[InstructionId; 1]>,
    /// Members that the product's operands need.
    before: Vec<InstructionId>,
    reduces: bool,
    /// Something in it moves values to other places than those they came from.
    moves: bool,
    /// The last of its members.
    last: InstructionId,
    /// It keeps rows of a softmax.
    rows: bool,
    /// Values that the root makes.
    elements: f64,
    /// Operands of its members, and how many of those are members.
    touched: FxHashSet<InstructionId>,
    inside: usize,
    /// What its broadcasts fill arrays with.
    filled: FxHashSet<InstructionId>,
    /// What its slices, pads and concatenations take from and put together.
    moved: FxHashSet<InstructionId>,
}

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    for id in cx.module.reached() {
        let computation = cx.module.computation(id).clone();
        let clusters = grow(&computation, cx.chip.units());
        let mut computation = build::rewritten(cx, computation, &clusters);
        compact(&mut computation, |i| effects.keeps(i));
        cx.module.computations[id.0 as usize] = computation;
    }
    graph::tidy(&mut cx.module);
    Ok(())
}

/// In which clusters an instruction is computed.
type In = SmallVec<[u32; 2]>;

fn grow(computation: &Computation, units: &Units) -> Vec<Cluster> {
    let n = computation.instructions.len();
    let users = users(computation);
    let softmaxes = softmax::find(computation, &users, units);
    let again = Again::of(computation, &users);
    let sums: FxHashSet<InstructionId> = softmaxes.rows.values().copied().collect();
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut of: Vec<In> = vec![In::new(); n];
    let mut search = Search::new(n);
    for i in (0..n).rev() {
        let id = InstructionId(i as u32);
        let instruction = &computation.instructions[i];
        let kind = kind(computation, instruction);
        merge_siblings(&mut search, computation, &mut clusters, &mut of, &users, id);
        if kind == Kind::Outside {
            continue;
        }
        // A softmax's row stays in the kernel that makes its scores, and its sum starts that kernel.
        if let Some(&sum) = softmaxes.rows.get(&id)
            && let &[c] = &of[sum.0 as usize][..]
        {
            let others = |u: &&InstructionId| !clusters[c as usize].members.contains(u);
            let leaves = id == computation.root || users[i].iter().any(|u| others(&u));
            join(&mut clusters[c as usize], instruction, &users[i], id, kind);
            if leaves {
                clusters[c as usize].more_roots.push(id);
                search.has_results(&clusters[c as usize]);
            }
            of[i].push(c);
            continue;
        }
        if sums.contains(&id) {
            of[i].push(clusters.len() as u32);
            clusters.push(Cluster { rows: true, ..Cluster::of(computation, id, kind) });
            continue;
        }
        // Who computes its users; someone outside needs it in memory.
        let mut wanted = In::new();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut outside = id == computation.root || users[i].is_empty();
        for user in &users[i] {
            match &of[user.0 as usize][..] {
                [] => outside = true,
                all => wanted.extend(all.iter().copied().filter(|&c| seen.insert(c))),
            }
        }
        let takes = |c: u32| {
            let cluster = &clusters[c as usize];
            let whole = softmaxes.before.get(&id).is_some_and(|&p| cluster.product == Some(p));
            whole || joins(computation, cluster, id, kind)
        };
        let all = !outside && wanted.iter().all(|&c| takes(c));
        let joined = match wanted.len() {
            1 => all,
            2..=MOST_COPIES => {
                let computed = matches!(kind, Kind::Scalar | Kind::Look | Kind::Fill | Kind::Elementwise)
                    || instruction.opcode == Opcode::Slice;
                all && computed && again.pays(computation, id, &wanted, |c| &clusters[c as usize].members)
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
                clusters.push(Cluster::of(computation, id, kind));
            }
            continue;
        }
        let beside = if joined || free {
            None
        } else {
            beside(&mut search, computation, &clusters, &of, &users, id, &wanted)
        };
        if let Some(c) = beside {
            join(&mut clusters[c as usize], instruction, &users[i], id, kind);
            clusters[c as usize].more_roots.push(id);
            search.has_results(&clusters[c as usize]);
            of[i].push(c);
        } else if joined || (free && all && wanted.len() <= MOST_COPIES) {
            for &c in &wanted {
                join(&mut clusters[c as usize], instruction, &users[i], id, kind);
            }
            of[i] = wanted;
        } else if !free {
            of[i].push(clusters.len() as u32);
            let rows = softmaxes.before.values().any(|&p| p == id);
            clusters.push(Cluster { rows, ..Cluster::of(computation, id, kind) });
        }
    }
    // A look at what is not computed here is a look from outside.
    for cluster in &mut clusters {
        cluster.members.sort_unstable();
        let mut inside: FxHashSet<InstructionId> = cluster.members.iter().copied().collect();
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
    fn of(computation: &Computation, id: InstructionId, kind: Kind) -> Cluster {
        let instruction = computation.instruction(id);
        Cluster {
            root: id,
            more_roots: Vec::new(),
            members: vec![id],
            product: (kind == Kind::Product).then_some(id),
            updates: (kind == Kind::Update).then_some(id).into_iter().collect(),
            before: Vec::new(),
            rows: false,
            reduces: kind == Kind::Reduce,
            moves: matches!(kind, Kind::Move | Kind::Join),
            last: id,
            elements: match (kind, instruction.operands.get(1)) {
                // What is written of an array that is updated.
                (Kind::Update, Some(&part)) => elements(computation.instruction(part)),
                _ => elements(instruction),
            },
            touched: instruction.operands.iter().copied().collect(),
            inside: 0,
            filled: match instruction.opcode {
                Opcode::Broadcast => instruction.operands.iter().copied().collect(),
                _ => FxHashSet::default(),
            },
            moved: moved(instruction, kind).iter().copied().collect(),
        }
    }
}

/// The arrays that it takes from or puts together.
fn moved(instruction: &Instruction, kind: Kind) -> &[InstructionId] {
    match kind {
        // (Further operands are places, or one value.)
        Kind::Move => instruction.operands.get(..1).unwrap_or_default(),
        Kind::Join => &instruction.operands,
        _ => &[],
    }
}

fn elements(instruction: &Instruction) -> f64 {
    arrays::arrays(&instruction.shape).first().map_or(0.0, |a| arrays::elements(a))
}
