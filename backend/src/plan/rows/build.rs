//! A chain as a region over one block.

use super::grow::{Group, trace_all};
use super::{CutDims, Rows};
use sim_core::ir::attr::Dense;
use sim_core::ir::{AttrDict, Binary, Function, FunctionBuilder, Op, OpId, RegionId, ValueId};
use sim_core::types::{Dim, TensorType};
use sim_core::{ElementType, Loc, Type};
use std::collections::HashMap;
use std::sync::Arc;

pub struct Built {
    pub rows: Rows,
    /// Of the operation that runs the blocks, as in [`Rows::operands`].
    pub operands: Vec<ValueId>,
    /// What each operation of the region is a copy of. Those that count from a block's start are
    /// copies of nothing.
    pub origin: HashMap<OpId, OpId>,
}

/// Appends the region to `f`.
pub fn build(f: &mut Function, around: RegionId, group: &Group) -> Built {
    let members: Vec<OpId> = group.members.iter().copied().collect();
    let starts = counted(f, group, &members);
    let block = |f: &Function, v: ValueId, dims: &CutDims| smaller(f.ty(v), dims, group);
    let mut args: Vec<(Type, Loc)> =
        starts.iter().map(|&(_, ty)| (TensorType::scalar(ty).into(), Loc::Unknown)).collect();
    for (v, dims) in &group.externals {
        args.push((block(f, *v, dims), f.value(*v).loc.clone()));
    }
    let nothing = FunctionBuilder::new("").finish();
    let mut b = FunctionBuilder::resume(std::mem::replace(f, nothing), around);
    let body = b.open_region(args);
    let args = b.function().region(body).args.clone();
    let (start_args, given) = args.split_at(starts.len());
    let outside: HashMap<&(ValueId, CutDims), ValueId> =
        group.externals.iter().zip(given.iter().copied()).collect();
    let mut map: HashMap<ValueId, ValueId> = HashMap::new();
    let mut origin = HashMap::new();
    for &o in &members {
        let op = b.function().op(o).clone();
        let v = op.results[0];
        let dims = &group.dims[&v];
        let ways = trace_all(b.function(), &op, dims).unwrap_or_default();
        let operands: Vec<ValueId> = op
            .operands
            .iter()
            .zip(&ways)
            .enumerate()
            .map(|(i, (v, way))| match map.get(v).filter(|_| group.goes_on(b.function(), o, i)) {
                Some(&inside) => inside,
                None => outside[&(*v, way.clone())],
            })
            .collect();
        let ty = block(b.function(), v, dims);
        let what = match &op.op {
            Op::Constant(dense) => Op::Constant(Arc::new(Dense { ty: ty.clone(), ..(**dense).clone() })),
            other => other.clone(),
        };
        let regions: Vec<RegionId> = op.regions.to_vec();
        let id = b.push(what, &operands, [ty.clone()], &regions, op.attrs.clone(), op.loc.clone(), op.span);
        origin.insert(id, o);
        let mut made = b.function().op(id).results[0];
        if let Op::Iota { dim } = op.op
            && let Some(cut) = dims.iter().position(|&d| d == Some(dim as usize))
        {
            let at = starts.iter().position(|s| Some(*s) == element(&ty).map(|e| (cut, e)));
            let mut add = |what: Op, operands: &[ValueId]| {
                let id = b.push(what, operands, [ty.clone()], &[], AttrDict::new(), op.loc.clone(), op.span);
                b.function().op(id).results[0]
            };
            let start = start_args[at.expect("every count has its start")];
            let start = add(Op::BroadcastInDim { dims: Vec::new() }, &[start]);
            made = add(Op::Binary(Binary::Add), &[made, start]);
        }
        map.insert(v, made);
    }
    let result = b.function().op(group.root).results[0];
    b.close_region(&[map[&result]], Loc::Unknown, AttrDict::new());
    *f = b.finish();
    let rows = Rows {
        body,
        cuts: group.cuts.clone(),
        starts,
        operands: group.externals.iter().map(|e| e.1.clone()).collect(),
        result: group.dims[&result].clone(),
    };
    Built { rows, operands: group.externals.iter().map(|e| e.0).collect(), origin }
}

/// The cuts that iotas count along, with their types.
fn counted(f: &Function, group: &Group, members: &[OpId]) -> Vec<(usize, ElementType)> {
    let mut starts = Vec::new();
    for &o in members {
        let op = f.op(o);
        let Op::Iota { dim } = op.op else { continue };
        let v = op.results[0];
        let cut = group.dims[&v].iter().position(|&d| d == Some(dim as usize));
        if let (Some(cut), Some(ty)) = (cut, element(f.ty(v)))
            && !starts.contains(&(cut, ty))
        {
            starts.push((cut, ty));
        }
    }
    starts
}

fn element(ty: &Type) -> Option<ElementType> {
    ty.as_tensor().map(|t| t.element)
}

/// The type of a block of a value.
fn smaller(ty: &Type, dims: &CutDims, group: &Group) -> Type {
    let Some(t) = ty.as_tensor() else { return ty.clone() };
    let mut t = t.clone();
    for (d, cut) in dims.iter().zip(&group.cuts) {
        if let Some(d) = d {
            t.dims[*d] = Dim::Static(cut.step as i64);
        }
    }
    t.into()
}
