//! Gathers elementwise operations into groups that run as one tile program.
//!
//! A group is a set of elementwise operations over one iteration space (shapes that differ by a
//! reshape count as one). It runs where its last member stood, so a member may join only if nobody
//! outside needs its result before. Operations are looked at from the last to the first; each joins
//! the earliest group that reads it lane by lane, or starts a group of its own.
//!
//! Views ([`access`](super::access)) in front of members cost nothing and belong to no group. A
//! `reduce` is the end of a group too: the values that it reduces are computed as it reads them.

use super::access::{Source, Strides, is_view, producer, resolve, restride, row_major, static_shape};
use super::emit::{emit, is_elementwise};
use sim_core::ir::{Binary, Function, Op, OpId, Operation, RegionId, Unary, ValueDef, ValueId};
use sim_core::{Numerics, Result};
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};
use tensorcore::vpu::tile::{Reg, TileBuilder, TileProgram};

/// More members than this and the tiles no longer fit the first-level cache.
const MAX_MEMBERS: usize = 192;

/// A cheap operation may be computed in as many groups as this,
const MAX_COPIES: usize = 3;

/// together with at most as many others, one behind the other.
const CHEAP_DEPTH: usize = 3;

/// A transposed read steps through memory; beyond this size (elements) a blocked transpose first is
/// faster.
const STRIDED_READ: usize = 1 << 12;

/// One input of a fused program: a value and the pattern it is read by.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub base: ValueId,
    pub offset: usize,
    pub strides: Strides,
    /// The whole value, in order: its buffer can become an output's.
    pub full: bool,
}

/// A fused region.
pub struct Fused {
    pub program: TileProgram,
    /// The iteration space.
    pub shape: SmallVec<[usize; 4]>,
    pub inputs: Vec<Input>,
    /// The values that outlive the region, in the program's output order. In a reduction the
    /// program's first outputs are what is reduced, and these come after them.
    pub outputs: Vec<ValueId>,
    /// The members in order; the last is where the group runs.
    pub members: Vec<OpId>,
    /// The reduction that consumes the program's outputs.
    pub reduce: Option<OpId>,
}

/// How the block is to be run: groups, and which operations they make superfluous.
#[derive(Default)]
pub struct Fusion {
    /// By the position of the last member in the list of live operations.
    pub groups: HashMap<usize, Fused>,
    pub absorbed: HashSet<OpId>,
    /// Views that groups were to read through, and that have a step of their own after all. Their
    /// operands are there when the readers run, and maybe not before.
    pub late: HashSet<OpId>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// By an operation of its own, or outside the block.
    Direct,
    /// Lane by lane by a member of the group; `linear`: with a reshape between.
    Lane { group: usize, linear: bool },
    /// Through a view, by a member of some group. `linear`: the member's own space is reshaped.
    View { linear: bool },
}

#[derive(Clone, Copy)]
struct Use {
    at: usize,
    kind: Kind,
}

struct Group {
    root: usize,
    shape: SmallVec<[usize; 4]>,
    /// Positions, latest first.
    members: Vec<usize>,
    reduce: Option<usize>,
}

struct Planner<'f> {
    f: &'f Function,
    ops: &'f [OpId],
    /// The same as a set.
    here: HashSet<OpId>,
    numerics: &'f Numerics,
    uses: HashMap<ValueId, SmallVec<[Use; 4]>>,
    groups: Vec<Group>,
    /// The groups that an elementwise operation is a member of: one, or a few if it is cheap.
    homes: HashMap<OpId, SmallVec<[usize; 2]>>,
    virtual_views: HashSet<OpId>,
    /// What the block returns and what nested regions use.
    kept: Vec<ValueId>,
}

/// Plans the live operations `ops` of `region`. `captures[o]`: what the regions of operation `o` use.
pub fn fuse(
    f: &Function,
    region: RegionId,
    ops: &[OpId],
    captures: &[Vec<ValueId>],
    numerics: &Numerics,
) -> Fusion {
    let mut p = Planner {
        f,
        ops,
        here: ops.iter().copied().collect(),
        numerics,
        uses: HashMap::new(),
        groups: Vec::new(),
        homes: HashMap::new(),
        virtual_views: HashSet::new(),
        kept: Vec::new(),
    };
    p.kept.extend(&f.region(region).results);
    for &v in &f.region(region).results {
        p.note(v, Use { at: usize::MAX, kind: Kind::Direct });
    }
    for at in (0..ops.len()).rev() {
        p.place(at);
        for &v in &captures[ops[at].index()] {
            p.kept.push(v);
            p.note(v, Use { at, kind: Kind::Direct });
        }
    }
    p.emit_all()
}

impl<'f> Planner<'f> {
    fn op(&self, at: usize) -> &'f Operation {
        self.f.op(self.ops[at])
    }

    fn note(&mut self, v: ValueId, u: Use) {
        self.uses.entry(v).or_default().push(u);
    }

    fn uses(&self, v: ValueId) -> SmallVec<[Use; 4]> {
        self.uses.get(&v).cloned().unwrap_or_default()
    }

    /// Decides where the operation at `at` runs, and tells its operands.
    fn place(&mut self, at: usize) {
        let op = self.op(at);
        if self.fusible(op) {
            return self.place_elementwise(at);
        }
        if let Op::Reduce { .. } = op.op
            && let Some(group) = self.start_reduce(at)
        {
            let n = op.operands.len() / 2;
            for &v in &op.operands[..n] {
                self.note(v, Use { at, kind: Kind::Lane { group, linear: false } });
            }
            for &v in &op.operands[n..] {
                self.note(v, Use { at, kind: Kind::Direct });
            }
            return;
        }
        if is_view(self.f, op) || matches!(op.op, Op::Reshape) {
            return self.place_view(at);
        }
        for &v in &op.operands {
            self.note(v, Use { at, kind: Kind::Direct });
        }
    }

    fn fusible(&self, op: &Operation) -> bool {
        is_elementwise(self.f, op)
            && static_shape(self.f, op.results[0]).is_some_and(|s| !s.contains(&0) && row_major(&s).is_some())
            && op.operands.iter().all(|&v| static_shape(self.f, v).is_some())
    }

    fn start_reduce(&mut self, at: usize) -> Option<usize> {
        let op = self.op(at);
        let shape = static_shape(self.f, *op.operands.first()?)?;
        let plain = op.operands.iter().all(|&v| self.f.ty(v).as_tensor().is_some_and(|t| t.quant.is_none()));
        if shape.contains(&0) || row_major(&shape).is_none() || !plain {
            return None;
        }
        self.groups.push(Group { root: at, shape, members: Vec::new(), reduce: Some(at) });
        Some(self.groups.len() - 1)
    }

    fn place_elementwise(&mut self, at: usize) {
        let op = self.op(at);
        let result = op.results[0];
        let shape = static_shape(self.f, result).unwrap_or_default();
        let uses = self.uses(result);
        let mut candidates: SmallVec<[usize; 4]> = uses
            .iter()
            .filter_map(|u| match u.kind {
                Kind::Lane { group, .. } => Some(group),
                _ => None,
            })
            .collect();
        candidates.sort_by_key(|&g| self.groups[g].root);
        candidates.dedup();
        let all_lanes = uses.iter().all(|u| matches!(u.kind, Kind::Lane { .. }));
        let homes: SmallVec<[usize; 2]> = if (2..=MAX_COPIES).contains(&candidates.len())
            && all_lanes
            && self.cheap(op, CHEAP_DEPTH)
            && candidates.iter().all(|&g| self.fits(op, &shape, g))
        {
            // Computing it again costs less than writing it and reading it back.
            candidates.iter().copied().collect()
        } else {
            let joined = candidates.into_iter().find(|&g| self.may_join(op, &shape, &uses, g));
            let group = joined.unwrap_or_else(|| {
                self.groups.push(Group { root: at, shape: shape.clone(), members: Vec::new(), reduce: None });
                self.groups.len() - 1
            });
            SmallVec::from_slice(&[group])
        };
        for &group in &homes {
            self.groups[group].members.push(at);
            let root = self.groups[group].root;
            let linear = self.groups[group].shape != shape;
            for &v in &op.operands {
                let same = static_shape(self.f, v).as_ref() == Some(&shape);
                let kind = if same { Kind::Lane { group, linear } } else { Kind::View { linear } };
                self.note(v, Use { at: root, kind });
            }
        }
        self.homes.insert(self.ops[at], homes);
    }

    /// A few additions and the like from what is in memory anyway.
    fn cheap(&self, op: &Operation, depth: usize) -> bool {
        let kind = match &op.op {
            Op::Binary(b) => {
                matches!(b, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::And | Binary::Or)
            }
            Op::Unary(u, _) => matches!(u, Unary::Negate | Unary::Abs | Unary::Not),
            Op::Convert | Op::Compare { .. } | Op::Select | Op::BitcastConvert => true,
            _ => false,
        };
        depth > 0
            && kind
            && op.operands.iter().all(|&v| match producer(self.f, v) {
                Some(p) if is_elementwise(self.f, p) => self.cheap(p, depth - 1),
                _ => true,
            })
    }

    /// Can the operation be evaluated over the group's space at all?
    fn fits(&self, op: &Operation, shape: &[usize], g: usize) -> bool {
        let group = &self.groups[g];
        // Another shape: an iota would count along dimensions that the space does not have.
        let foreign_iota = shape != &group.shape[..]
            && op.operands.iter().any(|&v| {
                let through = |o: &Operation| matches!(o.op, Op::BroadcastInDim { .. });
                matches!(resolve(self.f, v, &through), Some(Source::Iota(..)) | None)
            });
        group.members.len() < MAX_MEMBERS && !foreign_iota
    }

    fn may_join(&self, op: &Operation, shape: &[usize], uses: &[Use], g: usize) -> bool {
        let root = self.groups[g].root;
        let inside = |u: &Use| matches!(u.kind, Kind::Lane { group, .. } if group == g);
        self.fits(op, shape, g) && uses.iter().all(|u| inside(u) || u.at > root)
    }

    fn place_view(&mut self, at: usize) {
        let op = self.op(at);
        let uses = self.uses(op.results[0]);
        let lanes_only = uses.iter().all(|u| matches!(u.kind, Kind::Lane { .. }));
        let grouped = !uses.is_empty() && uses.iter().all(|u| u.kind != Kind::Direct);
        let straight = uses
            .iter()
            .all(|u| !matches!(u.kind, Kind::Lane { linear: true, .. } | Kind::View { linear: true }));
        let operand = op.operands[0];
        let reshape = matches!(op.op, Op::Reshape);
        if reshape
            && grouped
            && lanes_only
            && static_shape(self.f, op.results[0]).is_some_and(|s| !s.contains(&0))
        {
            // In row-major order a reshape is nothing: its readers read the operand, lane by lane.
            self.virtual_views.insert(self.ops[at]);
            for u in uses {
                if let Kind::Lane { group, .. } = u.kind {
                    self.note(operand, Use { at: u.at, kind: Kind::Lane { group, linear: true } });
                }
            }
            return;
        }
        if grouped && straight && is_view(self.f, op) && self.cheap_to_read(op) {
            self.virtual_views.insert(self.ops[at]);
            for u in uses {
                self.note(operand, Use { at: u.at, kind: Kind::View { linear: false } });
            }
            return;
        }
        // It runs by itself; those who look through it read its operand all the same.
        if matches!(op.op, Op::BroadcastInDim { .. }) {
            for u in &uses {
                if u.kind != Kind::Direct {
                    self.note(operand, Use { at: u.at, kind: Kind::Direct });
                }
            }
        }
        self.note(operand, Use { at, kind: Kind::Direct });
    }

    /// Not a large transpose.
    fn cheap_to_read(&self, op: &Operation) -> bool {
        let Op::Transpose { permutation } = &op.op else { return true };
        let last = permutation.len() as i64 - 1;
        let size: usize = static_shape(self.f, op.results[0]).map_or(0, |s| s.iter().product());
        permutation.last().is_none_or(|&p| p == last) || size <= STRIDED_READ
    }

    /// May readers in a group see through `op`? Not through views outside of the block: what is behind
    /// them may be gone when the block runs.
    fn through(&self, op: &Operation) -> bool {
        match op.results.first().map(|&v| self.f.value(v).def) {
            Some(ValueDef::Result(o, _)) => {
                self.virtual_views.contains(&o)
                    || matches!(op.op, Op::BroadcastInDim { .. }) && self.here.contains(&o)
            }
            _ => false,
        }
    }

    fn emit_all(mut self) -> Fusion {
        let mut fusion = Fusion::default();
        let groups = std::mem::take(&mut self.groups);
        for (g, group) in groups.iter().enumerate() {
            if group.members.is_empty() {
                continue; // A reduction of something that is in memory anyway.
            }
            // Every kernel exists for every type that the verifier lets through; if one does not,
            // the operations' own steps will say so.
            let Ok(Some(fused)) = self.emit_group(g, group) else { return Fusion::default() };
            fusion.absorbed.extend(fused.members.iter().copied());
            fusion.absorbed.extend(fused.reduce);
            fusion.groups.insert(group.root, fused);
        }
        // Views and sources that only fused regions read have no step of their own.
        let mut needed: HashSet<ValueId> = self.kept.iter().copied().collect();
        for fused in fusion.groups.values() {
            needed.extend(fused.inputs.iter().map(|i| i.base));
        }
        for at in (0..self.ops.len()).rev() {
            let id = self.ops[at];
            let op = self.f.op(id);
            if fusion.absorbed.contains(&id) {
                if let Some(r) = fusion.groups.get(&at).and_then(|g| g.reduce) {
                    let o = self.f.op(r);
                    needed.extend(&o.operands[o.operands.len() / 2..]);
                }
                continue;
            }
            let source = matches!(op.op, Op::Constant(_) | Op::Iota { .. });
            let wanted = op.results.iter().any(|v| needed.contains(v));
            if (source || self.virtual_views.contains(&id) || is_view(self.f, op)) && !wanted {
                fusion.absorbed.insert(id);
                continue;
            }
            if self.virtual_views.contains(&id) {
                fusion.late.insert(id);
            }
            needed.extend(op.operands.iter().copied());
        }
        fusion
    }

    fn emit_group(&self, g: usize, group: &Group) -> Result<Option<Fused>> {
        let f = self.f;
        let mut b = TileBuilder::new(self.numerics);
        let mut regs: HashMap<ValueId, Reg> = HashMap::new();
        let mut inputs: Vec<(Input, Reg)> = Vec::new();
        let Some(contiguous) = row_major(&group.shape) else { return Ok(None) };
        let mut positions = group.members.clone();
        positions.sort_unstable();
        let mut operand = |b: &mut TileBuilder,
                           regs: &HashMap<ValueId, Reg>,
                           v: ValueId,
                           shape: &[usize]|
         -> Result<Option<Reg>> {
            // A member's own value, also behind reshapes that are nothing.
            let mut inner = v;
            loop {
                if let Some(&r) = regs.get(&inner) {
                    return Ok(Some(r));
                }
                match f.value(inner).def {
                    ValueDef::Result(o, _)
                        if self.virtual_views.contains(&o) && matches!(f.op(o).op, Op::Reshape) =>
                    {
                        inner = f.op(o).operands[0];
                    }
                    _ => break,
                }
            }
            let Some(own) = static_shape(f, v) else { return Ok(None) };
            let source = resolve(f, v, &|o| self.through(o));
            let (base, offset, strides) = match source {
                Some(Source::Splat(ty, bytes)) => return b.splat(ty, &bytes).map(Some),
                Some(Source::Iota(ty, d)) if shape == &group.shape[..] && own[..] == *shape => {
                    return b.iota(ty, d).map(Some);
                }
                Some(Source::Load { base, offset, strides }) => (base, offset, strides),
                _ => {
                    // Read what a linear reshape shows, as it lies in memory.
                    let Some(strides) = row_major(&own) else { return Ok(None) };
                    (inner, 0, strides)
                }
            };
            let (mut base, mut offset, strides) = (self.unreshaped(base), offset, strides);
            let strides = if own.is_empty() {
                Strides::from_elem(0, group.shape.len())
            } else if own[..] == group.shape[..] {
                strides
            } else {
                match restride(&strides, &own, &group.shape) {
                    Some(s) => s,
                    None => {
                        // No pattern over this space: read the view's own result, made by its own step.
                        let Some(s) = row_major(&own).and_then(|s| restride(&s, &own, &group.shape)) else {
                            return Ok(None);
                        };
                        (base, offset) = (v, 0);
                        s
                    }
                }
            };
            let count = |s: &[usize]| s.iter().product::<usize>();
            let full = offset == 0
                && static_shape(f, base).is_some_and(|s| count(&s) == count(&group.shape))
                && strides.iter().zip(&contiguous).zip(&group.shape).all(|((a, b), &n)| a == b || n == 1);
            let Some(ty) = f.ty(base).as_tensor() else { return Ok(None) };
            let input = Input { base, offset, strides, full };
            if let Some((_, reg)) = inputs.iter().find(|(i, _)| *i == input) {
                return Ok(Some(*reg));
            }
            let reg = b.input(ty.element);
            inputs.push((input, reg));
            Ok(Some(reg))
        };
        for &at in &positions {
            let op = self.op(at);
            let shape = static_shape(f, op.results[0]).unwrap_or_default();
            let mut args: SmallVec<[Reg; 3]> = SmallVec::new();
            for &v in &op.operands {
                match operand(&mut b, &regs, v, &shape)? {
                    Some(r) => args.push(r),
                    None => return Ok(None),
                }
            }
            match emit(&mut b, f, op, &args)? {
                Some(r) => regs.insert(op.results[0], r),
                None => return Ok(None),
            };
        }
        let mut outputs = Vec::new();
        if let Some(at) = group.reduce {
            let op = self.op(at);
            for &v in &op.operands[..op.operands.len() / 2] {
                match operand(&mut b, &regs, v, &group.shape)? {
                    Some(r) => b.output(r),
                    None => return Ok(None),
                }
            }
        }
        for &at in &positions {
            let v = self.op(at).results[0];
            let homes = &self.homes[&self.ops[at]];
            let outside = self
                .uses(v)
                .iter()
                .any(|u| !matches!(u.kind, Kind::Lane { group, .. } if homes.contains(&group)));
            if outside && homes[0] == g {
                b.output(regs[&v]);
                outputs.push(v);
            }
        }
        Ok(Some(Fused {
            program: b.finish(),
            shape: group.shape.clone(),
            inputs: inputs.into_iter().map(|(i, _)| i).collect(),
            outputs,
            members: positions.iter().map(|&at| self.ops[at]).collect(),
            reduce: group.reduce.map(|at| self.ops[at]),
        }))
    }

    /// Where a load ends at a reshape that has no step of its own, it reads the reshape's operand:
    /// the same elements in the same order.
    fn unreshaped(&self, mut base: ValueId) -> ValueId {
        while let Some(op) = producer(self.f, base)
            && matches!(op.op, Op::Reshape)
            && let ValueDef::Result(o, _) = self.f.value(base).def
            && self.virtual_views.contains(&o)
        {
            base = op.operands[0];
        }
        base
    }
}
