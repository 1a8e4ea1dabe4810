//! Chains between products, in blocks of rows.
//!
//! The scores of attention are large, and what comes before and after them is small: `dot_general`,
//! elementwise operations and reductions over each row, `dot_general`. Where every operation of such
//! a chain treats the rows independently ([`grow`]), and the chain's widest value is large beside
//! what it is computed from and what it ends in ([`Cut`]s are chosen by shapes alone), the chain
//! becomes a region over a block of rows ([`build`]). The last operation of the chain stays where it
//! was, takes what the chain reads, and runs the region block by block.
//!
//! **The values are the same to the bit.** No kernel's order of sums depends on the number of rows;
//! what does depend on its surroundings is which bf16 values stay in f32, under excess precision, and
//! that is decided by fusion. So the region and what is left of the block are fused to see whether
//! the same operations come together as did before; where they do not, nothing is changed.

mod build;
mod grow;

use super::PlanOptions;
use super::fuse::{Fusion, fuse};
use super::steps::{external_uses, live_ops};
use grow::{Group, Uses};
use sim_core::ElementType;
use sim_core::Numerics;
use sim_core::ir::{Function, Op, OpId, RegionId, ValueId};
use smallvec::SmallVec;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// For each cut, the dimension of a value that it runs along, if any.
pub type CutDims = SmallVec<[Option<usize>; 4]>;

/// A dimension that is taken in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Of the dimension.
    pub size: usize,
    /// Of a block, at most `size`. The last block reaches back where the others do not fill the
    /// dimension: some rows are computed twice, to the same bits.
    pub step: usize,
}

/// How an operation is run in blocks.
#[derive(Debug)]
pub struct Rows {
    /// Its arguments are the `starts`, then the operands' blocks; it returns the result's block.
    pub body: RegionId,
    /// Outermost first; the last is that of the rows.
    pub cuts: Vec<Cut>,
    /// Starts of blocks that the body counts from (an iota): the cut, and the type of the scalar.
    pub starts: Vec<(usize, ElementType)>,
    pub operands: Vec<CutDims>,
    pub result: CutDims,
}

/// Smaller values than this (bytes) are made whole: they fit into caches.
const LEAST: usize = 1 << 20;

/// What the last product reads is at least this many times what the chain reads and what it makes.
const CLEARLY: usize = 2;

/// Elements of it in a block: four tasks of an elementwise kernel.
const BLOCK: usize = 1 << 18;

/// Fewer rows than this in a block are not worth a product.
const ROWS: usize = 16;

/// Fewer blocks than this save too little.
const BLOCKS: usize = 4;

/// Rewrites chains of `f`; gives, for each operation that is to be run in blocks, how.
pub fn split(f: &mut Function, options: PlanOptions) -> HashMap<OpId, Arc<Rows>> {
    let mut all = HashMap::new();
    let Some(numerics) = options.fuse.filter(|_| options.rows) else { return all };
    let wide = |v: &ValueId| grow::bytes(f, *v).is_some_and(|n| n >= LEAST);
    let dots = f.ops.iter().filter(|op| matches!(op.op, Op::DotGeneral { .. }));
    if !dots.flat_map(|op| &op.operands).any(wide) {
        return all;
    }
    let mut captures = external_uses(f);
    for r in 0..f.regions.len() {
        let region = RegionId(r as u32);
        all.extend(split_region(f, region, &mut captures, &numerics));
    }
    all
}

fn split_region(
    f: &mut Function,
    region: RegionId,
    captures: &mut Vec<Vec<ValueId>>,
    numerics: &Numerics,
) -> Vec<(OpId, Arc<Rows>)> {
    let live = live_ops(f, region, captures);
    let uses = Uses::new(f, region, &live, captures);
    let mut groups: Vec<Group> = Vec::new();
    let mut taken: HashSet<OpId> = HashSet::new();
    for &o in live.iter().rev() {
        if taken.contains(&o) {
            continue;
        }
        if let Some(group) = grow::grow(f, o, &uses)
            && group.removed.iter().all(|o| !taken.contains(o))
        {
            taken.extend(&group.members);
            groups.push(group);
        }
    }
    if groups.is_empty() {
        return Vec::new();
    }
    let mut before = fused_together(&fuse(f, region, &live, captures, numerics));
    let mut sets_of: HashMap<OpId, Vec<Vec<OpId>>> = HashMap::new();
    for set in &before {
        set.iter().for_each(|&o| sets_of.entry(o).or_default().push(set.clone()));
    }
    let undo = (f.ops.len(), f.values.len(), f.regions.len());
    let mut made = Vec::new();
    for group in &groups {
        let mark = (f.ops.len(), f.values.len(), f.regions.len());
        let inside: BTreeSet<Vec<OpId>> =
            group.members.iter().filter_map(|o| sets_of.get(o)).flatten().cloned().collect();
        let built = build::build(f, region, group);
        captures.resize(f.ops.len(), Vec::new());
        let ops = live_ops(f, built.rows.body, captures);
        let together = fused_together(&fuse(f, built.rows.body, &ops, captures, numerics));
        let together: BTreeSet<Vec<OpId>> = together
            .into_iter()
            .map(|set| sorted(set.iter().filter_map(|o| built.origin.get(o).copied())))
            .filter(|set| !set.is_empty())
            .collect();
        if together == inside {
            inside.iter().for_each(|set| _ = before.remove(set));
            made.push((group, built));
        } else {
            shorten(f, captures, mark);
        }
    }
    // What is left of the block.
    let old_ops = f.region(region).ops.clone();
    let removed: BTreeSet<OpId> = made.iter().flat_map(|(g, _)| g.removed.iter().copied()).collect();
    f.regions[region.index()].ops.retain(|o| !removed.contains(o));
    let mut old_roots = Vec::new();
    for (group, built) in &made {
        let op = f.op_mut(group.root);
        old_roots.push((group.root, op.clone()));
        op.operands = built.operands.iter().copied().collect();
        op.regions = SmallVec::from_slice(&[built.rows.body]);
    }
    let live = live_ops(f, region, captures);
    if fused_together(&fuse(f, region, &live, captures, numerics)) != before {
        f.regions[region.index()].ops = old_ops;
        for (id, op) in old_roots {
            *f.op_mut(id) = op;
        }
        shorten(f, captures, undo);
        return Vec::new();
    }
    made.into_iter().map(|(group, built)| (group.root, Arc::new(built.rows))).collect()
}

/// Takes back what was appended to `f`.
fn shorten(f: &mut Function, captures: &mut Vec<Vec<ValueId>>, mark: (usize, usize, usize)) {
    f.ops.truncate(mark.0);
    captures.truncate(mark.0);
    f.values.truncate(mark.1);
    f.regions.truncate(mark.2);
}

fn sorted(ops: impl Iterator<Item = OpId>) -> Vec<OpId> {
    let mut ops: Vec<OpId> = ops.collect();
    ops.sort_unstable();
    ops
}

/// The operations of each fused region.
fn fused_together(fusion: &Fusion) -> BTreeSet<Vec<OpId>> {
    fusion.groups.values().map(|g| sorted(g.members.iter().copied().chain(g.reduce))).collect()
}

/// The blocks of a group, or `None` if it is better run whole.
fn cuts(f: &Function, group: &Group) -> Option<Vec<Cut>> {
    let product = |sizes: &mut dyn Iterator<Item = usize>| sizes.fold(1usize, usize::saturating_mul);
    // What the last product reads is made for certain; the values before it may be fused away.
    let widest = f.op(group.root).operands[group.side];
    let dims = group.dims.get(&widest)?;
    let wide = grow::bytes(f, widest)?;
    let mut beside = grow::bytes(f, f.op(group.root).results[0])?;
    let outside: BTreeSet<ValueId> = group.externals.iter().map(|e| e.0).collect();
    for v in outside {
        beside = beside.saturating_add(grow::bytes(f, v)?);
    }
    if wide < LEAST || wide < beside.saturating_mul(CLEARLY) || dims.iter().any(Option::is_none) {
        return None;
    }
    let all = product(&mut group.sizes.iter().copied());
    let elements = grow::elements(f, widest)?;
    let row = elements / all.max(1);
    // A product packs the operand that has no rows once a block: it is to be no larger than the block.
    let (inner, rows) = group.sizes.split_at(group.sizes.len() - 1);
    let mut whole = 0;
    for (v, dims) in group.externals.iter().filter(|e| e.1.last() == Some(&None)) {
        let cut = dims.iter().zip(inner).filter(|(d, _)| d.is_some()).map(|(_, &n)| n);
        whole = whole.max(grow::elements(f, *v)? / product(&mut { cut }).max(1));
    }
    let mut left = (BLOCK.max(whole) / row.max(1)).max(1);
    let mut cuts = Vec::new();
    for &size in inner.iter().chain(rows).rev() {
        let step = left.min(size);
        // Blocks of about the same size: the last reaches back as little as possible.
        let step = size.div_ceil(size.div_ceil(step));
        left = if step == size { left / size } else { 1 };
        left = left.max(1);
        cuts.push(Cut { size, step });
    }
    cuts.reverse();
    let block = product(&mut cuts.iter().map(|c| c.step)).saturating_mul(row);
    let last = cuts.last()?;
    let enough = last.step >= ROWS || last.step == last.size;
    (enough && block.saturating_mul(BLOCKS) <= elements).then_some(cuts)
}
