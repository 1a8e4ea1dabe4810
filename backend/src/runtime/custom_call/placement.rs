//! Where values live: shardings and memory kinds, which change nothing; and the borders of manual regions, where
//! each device takes its part of a value or hands it back.

use super::Call;
use crate::runtime::Value;
use sim_core::ir::{Attr, Operation, ValueDef};
use sim_core::{Diagnostic, Result, Type};

const TARGETS: [&str; 4] =
    ["Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement"];

/// Shardy's operations, as they are written for XLA: `xla.sdy.FuncResultSharding`,
/// `xla.sdy.GlobalToLocalShape`, `xla.sdy.LocalToGlobalShape`, `xla.sdy.PropagationBarrier`, ….
const SHARDY: &str = "xla.sdy.";

pub(super) fn knows(target: &str) -> bool {
    TARGETS.contains(&target) || target.starts_with(SHARDY)
}

/// From the global view into a manual region.
const ENTRIES: [&str; 2] = ["SPMDFullToShardShape", "xla.sdy.GlobalToLocalShape"];
/// And out of it.
const EXITS: [&str; 2] = ["SPMDShardToFullShape", "xla.sdy.LocalToGlobalShape"];

pub(super) fn is_border(target: &str) -> bool {
    ENTRIES.contains(&target) || EXITS.contains(&target)
}

/// # Errors
/// `Invalid` if the call does not pass its values through; `Unsupported` if it changes a shape, which
/// is to say that it needs more devices than one.
pub(super) fn call(c: &Call, operands: Vec<Value>) -> Result<Vec<Value>> {
    let results = &c.site.op.results;
    // A sharding group takes a value and gives none.
    if results.is_empty() {
        return Ok(Vec::new());
    }
    if operands.len() != results.len() {
        return Err(c.invalid(format_args!(
            "it passes values on, and has {} operands and {} results",
            operands.len(),
            results.len()
        )));
    }
    if c.process.member.is_some() && is_border(c.target()) {
        return border(c, operands);
    }
    for (value, &id) in operands.iter().zip(results) {
        let (Value::Tensor(t), Some(ty)) = (value, c.site.f.function.ty(id).as_tensor()) else { continue };
        let same = ty.rank() == t.rank()
            && ty.dims.iter().zip(t.shape()).all(|(d, &n)| d.compatible((n as i64).into()));
        if !same || ty.element != t.element() {
            return Err(Diagnostic::unsupported(format!(
                "custom call to \"{}\" makes {ty} of {}: the program is for several devices, and this run is of one",
                c.target(),
                t.ty()
            ))
            .help(
                "say how many devices there are: in HLO text, num_partitions=N in the first line (XLA's dumps have \
                 it, `lowered.as_text(dialect=\"hlo\")` leaves it out)",
            ));
        }
    }
    Ok(operands)
}

/// The sharding that says how values cross: of what makes an operand on the way in, the call's own on the way out.
fn border(c: &Call, operands: Vec<Value>) -> Result<Vec<Value>> {
    let function = &c.site.f.function;
    let types: Vec<&Type> = c.site.op.results.iter().map(|&v| function.ty(v)).collect();
    if EXITS.contains(&c.target()) {
        let own =
            frontend_attr(c.site.op, "xla.sdy.out_shardings").or_else(|| c.site.op.attr("mhlo.sharding"));
        let own = own.ok_or_else(|| c.invalid("its sharding is missing"))?;
        return c.process.leave_region(c.site, own, operands, &types);
    }
    let own = frontend_attr(c.site.op, "xla.sdy.in_shardings");
    let mut out = Vec::new();
    for (i, value) in operands.into_iter().enumerate() {
        let made_by = c.site.op.operands.get(i).and_then(|&v| match function.value(v).def {
            ValueDef::Result(op, at) => Some((function.op(op).attr("mhlo.sharding")?, at as usize)),
            ValueDef::Arg(region, at) if Some(region) == function.body => {
                Some((function.arg_attrs.get(at as usize)?.get("mhlo.sharding")?, 0))
            }
            ValueDef::Arg(..) => None,
        });
        let (attr, at) = own.map(|attr| (attr, i)).or(made_by).ok_or_else(|| {
            c.invalid(format_args!(
                "how operand {i} lies on the devices is not said (by a custom call to \"Sharding\")"
            ))
        })?;
        out.push(c.process.enter_region(attr, at, value, types[i])?);
    }
    Ok(out)
}

fn frontend_attr<'a>(op: &'a Operation, name: &str) -> Option<&'a Attr> {
    match op.attr("mhlo.frontend_attributes") {
        Some(Attr::Dict(d)) => d.get(name),
        _ => None,
    }
}
