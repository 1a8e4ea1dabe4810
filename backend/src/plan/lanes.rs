//! Scalar regions (bodies of `reduce`, `scatter`, `sort`, `map`, …) as tile programs.

use super::emit::{emit, is_elementwise};
use sim_core::ir::{Function, Op, RegionId, ValueDef, ValueId};
use sim_core::{Numerics, Result, Tensor};
use std::collections::HashMap;
use tensorcore::vpu::tile::{Reg, TileBuilder, TileProgram};

/// Values of the surrounding regions that `region` (or one inside it) uses.
pub fn captures(f: &Function, region: RegionId) -> Vec<ValueId> {
    let mut inside = std::collections::HashSet::new();
    let mut stack = vec![region];
    while let Some(r) = stack.pop() {
        inside.insert(r);
        for &o in &f.region(r).ops {
            stack.extend(f.op(o).regions.iter().copied());
        }
    }
    let mut made = std::collections::HashSet::new();
    for &r in &inside {
        made.extend(f.region(r).ops.iter().copied());
    }
    let outside = |v: ValueId| match f.value(v).def {
        ValueDef::Arg(r, _) => !inside.contains(&r),
        ValueDef::Result(o, _) => !made.contains(&o),
    };
    let mut out: Vec<ValueId> = Vec::new();
    for &r in &inside {
        let used = f.region(r).ops.iter().flat_map(|&o| f.op(o).operands.iter());
        out.extend(used.chain(&f.region(r).results).copied().filter(|&v| outside(v)));
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// `None` where the region holds anything but elementwise operations, constants and scalars.
/// `lookup` gives the values of captured scalars.
///
/// # Errors
/// None today; an operation without a kernel makes it `None` too.
pub fn compile(
    f: &Function,
    region: RegionId,
    numerics: &Numerics,
    lookup: &dyn Fn(ValueId) -> Option<Tensor>,
) -> Result<Option<TileProgram>> {
    let r = f.region(region);
    let mut b = TileBuilder::new(numerics);
    let mut regs: HashMap<ValueId, Reg> = HashMap::new();
    for &v in &r.args {
        match f.ty(v).as_tensor() {
            Some(t) if t.rank() == 0 && t.quant.is_none() => regs.insert(v, b.input(t.element)),
            _ => return Ok(None),
        };
    }
    for &o in &r.ops {
        let op = f.op(o);
        if let Op::Constant(dense) = &op.op {
            if dense.value.len() != 1 || dense.quant().is_some() {
                return Ok(None);
            }
            regs.insert(op.results[0], b.splat(dense.value.element(), dense.value.bytes())?);
            continue;
        }
        // Scalars only: reshapes and broadcasts of a scalar to a scalar are the scalar.
        if op.results.iter().any(|&v| f.ty(v).as_tensor().is_none_or(|t| t.rank() != 0)) {
            return Ok(None);
        }
        let mut args = Vec::with_capacity(op.operands.len());
        for &v in &op.operands {
            match reg(f, &mut b, &mut regs, v, lookup)? {
                Some(reg) => args.push(reg),
                None => return Ok(None),
            }
        }
        let made = match (&op.op, &args[..]) {
            (Op::Reshape | Op::OptimizationBarrier, &[a]) => Some(a),
            (Op::BroadcastInDim { .. }, &[a]) => Some(a),
            _ if is_elementwise(f, op) => emit(&mut b, f, op, &args).unwrap_or(None),
            _ => None,
        };
        match made {
            Some(reg) => regs.insert(op.results[0], reg),
            None => return Ok(None),
        };
    }
    for &v in &r.results {
        match reg(f, &mut b, &mut regs, v, lookup)? {
            Some(reg) => b.output(reg),
            None => return Ok(None),
        }
    }
    Ok(Some(b.finish()))
}

fn reg(
    f: &Function,
    b: &mut TileBuilder,
    regs: &mut HashMap<ValueId, Reg>,
    v: ValueId,
    lookup: &dyn Fn(ValueId) -> Option<Tensor>,
) -> Result<Option<Reg>> {
    if let Some(&reg) = regs.get(&v) {
        return Ok(Some(reg));
    }
    let scalar = f.ty(v).as_tensor().is_some_and(|t| t.rank() == 0 && t.quant.is_none());
    match lookup(v) {
        Some(t) if scalar => {
            let reg = b.splat(t.element(), t.bytes())?;
            regs.insert(v, reg);
            Ok(Some(reg))
        }
        _ => Ok(None),
    }
}
