//! Which operations make a chain that can be cut: from a product backwards, as long as every
//! operation computes a block of its result from blocks of its operands, and nobody else reads it.

use super::super::access::static_shape;
use super::super::emit::is_elementwise;
use super::super::lanes;
use super::{Cut, CutDims};
use sim_core::ElementType;
use sim_core::ir::{Function, Op, OpId, Operation, RegionId, ValueDef, ValueId};
use smallvec::SmallVec;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Who reads the values of a block.
pub struct Uses {
    by: HashMap<ValueId, Vec<OpId>>,
    /// What the block returns and what nested regions use.
    kept: HashSet<ValueId>,
    /// The live operations of the block.
    live: HashSet<OpId>,
}

impl Uses {
    pub fn new(f: &Function, region: RegionId, live: &[OpId], captures: &[Vec<ValueId>]) -> Uses {
        let kept = f.region(region).results.iter().copied().collect();
        let mut uses = Uses { by: HashMap::new(), kept, live: live.iter().copied().collect() };
        for &o in live {
            for &v in &f.op(o).operands {
                uses.by.entry(v).or_default().push(o);
            }
            uses.kept.extend(&captures[o.index()]);
        }
        uses
    }

    fn only(&self, v: ValueId, members: &BTreeSet<OpId>) -> bool {
        !self.kept.contains(&v) && self.by.get(&v).is_some_and(|by| by.iter().all(|o| members.contains(o)))
    }
}

/// A chain.
pub struct Group {
    /// The product that it ends in.
    pub root: OpId,
    /// Which of its operands the chain makes.
    pub side: usize,
    /// All operations, the root among them, in the order of their numbers, which is that of the block.
    pub members: BTreeSet<OpId>,
    /// Members that nobody else needs.
    pub removed: BTreeSet<OpId>,
    /// Sizes of the dimensions that are cut: of the batch, then of the rows.
    pub sizes: Vec<usize>,
    pub cuts: Vec<Cut>,
    /// The members' results.
    pub dims: HashMap<ValueId, CutDims>,
    /// What comes from outside, each with each way it is cut.
    pub externals: Vec<(ValueId, CutDims)>,
}

/// Bytes of a plain tensor of static shape.
pub fn bytes(f: &Function, v: ValueId) -> Option<usize> {
    elements(f, v)?.checked_mul(f.ty(v).as_tensor()?.element.byte_size())
}

pub fn elements(f: &Function, v: ValueId) -> Option<usize> {
    static_shape(f, v)?.iter().try_fold(1usize, |n, &d| n.checked_mul(d))
}

/// The chain that ends in `root`, if it is one worth cutting.
pub fn grow(f: &Function, root: OpId, uses: &Uses) -> Option<Group> {
    let op = f.op(root);
    let Op::DotGeneral { dims, .. } = &op.op else { return None };
    plain(f, op)?;
    let batch = dims.lhs_batch.len();
    for (side, &v) in op.operands.iter().enumerate() {
        if bytes(f, v)? < super::LEAST {
            continue;
        }
        // Cut along every batch dimension, and the first free dimension of the wide operand.
        let shape = static_shape(f, op.results[0])?;
        let from = |d: usize| trace(f, op, d).map(|t| t[side].is_some() && t[1 - side].is_none());
        let rows = (batch..shape.len()).find(|&d| shape[d] > 1 && from(d) == Some(true));
        let Some(rows) = rows else { continue };
        let along: Vec<usize> = (0..batch).filter(|&d| shape[d] > 1).chain([rows]).collect();
        let cut = along.iter().map(|&d| Some(d)).collect();
        let sizes = along.iter().map(|&d| shape[d]).collect();
        let mut group = Group {
            root,
            side,
            members: BTreeSet::new(),
            removed: BTreeSet::new(),
            sizes,
            cuts: Vec::new(),
            dims: HashMap::from([(op.results[0], cut)]),
            externals: Vec::new(),
        };
        group.fill(f, uses);
        let made = |v: ValueId| definition(f, v).is_some_and(|o| group.removed.contains(&o));
        // A wide operand that is only computed from its like (a dequantized weight) is better made whole.
        let product = |o: &&OpId| matches!(f.op(**o).op, Op::DotGeneral { .. });
        if group.members.iter().filter(product).count() > 1
            && !group.externals.iter().any(|e| made(e.0))
            && let Some(cuts) = super::cuts(f, &group)
        {
            group.cuts = cuts;
            return Some(group);
        }
    }
    None
}

impl Group {
    fn fill(&mut self, f: &Function, uses: &Uses) {
        // The ways in which members want values to be cut.
        let mut wanted: HashMap<ValueId, SmallVec<[CutDims; 1]>> = HashMap::new();
        wanted.insert(f.op(self.root).results[0], self.dims.drain().map(|d| d.1).collect());
        let mut external = Vec::new();
        // The last first: then all readers of a value are known before what makes it. Numbers are in
        // the order of the block.
        let mut next = BTreeSet::from([self.root]);
        while let Some(o) = next.pop_last() {
            let op = f.op(o);
            let &[v] = &op.results[..] else { continue };
            let Some([want]) = wanted.get(&v).map(|w| &w[..]) else { continue };
            let want = want.clone();
            let source = copied(op);
            let alone = o == self.root || uses.only(v, &self.members);
            let uncut = want.iter().all(Option::is_none);
            if !(source || alone && !uncut) || plain(f, op).is_none() {
                continue;
            }
            let Some(operands) = trace_all(f, op, &want) else { continue };
            self.members.insert(o);
            if alone && o != self.root {
                self.removed.insert(o);
            }
            self.dims.insert(v, want);
            for (i, (&v, dims)) in op.operands.iter().zip(operands).enumerate() {
                if !self.goes_on(f, o, i) {
                    external.push((v, dims));
                    continue;
                }
                next.extend(definition(f, v).filter(|o| uses.live.contains(o)));
                let ways = wanted.entry(v).or_default();
                if !ways.contains(&dims) {
                    ways.push(dims);
                }
            }
        }
        for (v, ways) in wanted {
            if !self.dims.contains_key(&v) {
                external.extend(ways.into_iter().map(|dims| (v, dims)));
            }
        }
        external.sort_unstable();
        external.dedup();
        self.externals = external;
    }

    /// May this operand of a member be computed by a member? A product starts the chain; of the last
    /// one, only the wide side belongs to it.
    pub fn goes_on(&self, f: &Function, member: OpId, operand: usize) -> bool {
        !matches!(f.op(member).op, Op::DotGeneral { .. }) || member == self.root && operand == self.side
    }
}

/// Costs nothing to have in two places.
fn copied(op: &Operation) -> bool {
    match &op.op {
        Op::Constant(dense) => dense.value.len() == 1,
        Op::Iota { .. } | Op::BroadcastInDim { .. } => true,
        _ => false,
    }
}

/// One result, static shapes, elements without quantization.
fn plain(f: &Function, op: &Operation) -> Option<()> {
    let all = op.operands.iter().chain(&op.results);
    for &v in all {
        let t = f.ty(v).as_tensor().filter(|t| t.quant.is_none() && !t.element.is_complex())?;
        if t.static_dims()?.contains(&0) || bytes(f, v).is_none() {
            return None;
        }
    }
    (op.results.len() == 1).then_some(())
}

/// How the operands are cut where the result is cut so.
pub fn trace_all(f: &Function, op: &Operation, result: &CutDims) -> Option<Vec<CutDims>> {
    let mut operands = vec![CutDims::new(); op.operands.len()];
    for cut in result {
        let traced = match cut {
            Some(d) => trace(f, op, *d)?,
            None => SmallVec::from_elem(None, op.operands.len()),
        };
        for (dims, d) in operands.iter_mut().zip(traced) {
            dims.push(d);
        }
    }
    // Cut or not, it must be an operation that can be copied with other sizes.
    (!result.iter().all(Option::is_none) || copied(op)).then_some(operands)
}

/// For dimension `d` of the result, the dimension of each operand along which a block of the operand
/// makes a block of the result; `None` inside: all of the operand is needed. `None`: it cannot be cut
/// there.
fn trace(f: &Function, op: &Operation, d: usize) -> Option<SmallVec<[Option<usize>; 4]>> {
    let shape = static_shape(f, *op.results.first()?)?;
    let one = |d: Option<usize>| Some(SmallVec::from_slice(&[d]));
    match &op.op {
        _ if is_elementwise(f, op) => op
            .operands
            .iter()
            .map(|&v| match static_shape(f, v)? {
                s if s == shape => Some(Some(d)),
                s if s.is_empty() => Some(None),
                _ => None,
            })
            .collect(),
        Op::Constant(dense) if dense.value.len() == 1 => Some(SmallVec::new()),
        Op::Iota { dim } => {
            use ElementType as E;
            let ty = f.ty(op.results[0]).as_tensor()?.element;
            // From where it counts must be exact, and wrap as it does.
            (*dim as usize != d || matches!(ty, E::S32 | E::S64 | E::U32 | E::U64)).then(SmallVec::new)
        }
        Op::BroadcastInDim { dims } => {
            let from = static_shape(f, op.operands[0])?;
            one(dims.iter().position(|&to| to as usize == d).filter(|&i| from[i] == shape[d]))
        }
        Op::Transpose { permutation } => one(Some(usize::try_from(*permutation.get(d)?).ok()?)),
        Op::Reshape => {
            // A dimension of the same size, with as many elements before it.
            let from = static_shape(f, op.operands[0])?;
            let before = |s: &[usize], d: usize| s[..d].iter().product::<usize>();
            let same = |&e: &usize| from[e] == shape[d] && before(&from, e) == before(&shape, d);
            (shape[d] > 1).then_some(())?;
            one(Some((0..from.len()).find(same)?))
        }
        Op::Reduce { dims } if op.operands.len() == 2 => {
            let reduced = |e: usize| dims.iter().any(|&r| r as usize == e);
            let from = static_shape(f, op.operands[0])?;
            let e = (0..from.len()).filter(|&e| !reduced(e)).nth(d)?;
            // The order of sums depends on what is inside of the reduced dimensions, not on what is
            // around them.
            let around = dims.iter().all(|&r| r as usize > e);
            let pure = lanes::captures(f, *op.regions.first()?).is_empty();
            (around && pure).then(|| SmallVec::from_slice(&[Some(e), None]))
        }
        Op::DotGeneral { dims, .. } if op.regions.is_empty() => {
            let free = |v: ValueId, batch: &[i64], contract: &[i64]| -> Option<Vec<usize>> {
                let used = |d: usize| batch.iter().chain(contract).any(|&u| u as usize == d);
                Some((0..static_shape(f, v)?.len()).filter(|&d| !used(d)).collect())
            };
            let batch = dims.lhs_batch.len();
            let lhs = free(op.operands[0], &dims.lhs_batch, &dims.lhs_contract)?;
            let rhs = free(op.operands[1], &dims.rhs_batch, &dims.rhs_contract)?;
            let both = if d < batch {
                [Some(dims.lhs_batch[d] as usize), Some(*dims.rhs_batch.get(d)? as usize)]
            } else if d < batch + lhs.len() {
                [Some(lhs[d - batch]), None]
            } else {
                [None, Some(*rhs.get(d - batch - lhs.len())?)]
            };
            Some(SmallVec::from_slice(&both))
        }
        _ => None,
    }
}

/// The operation that defines a value.
pub fn definition(f: &Function, v: ValueId) -> Option<OpId> {
    match f.value(v).def {
        ValueDef::Result(o, _) => Some(o),
        ValueDef::Arg(..) => None,
    }
}
