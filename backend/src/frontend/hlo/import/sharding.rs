//! `sharding=` as the attribute `mhlo.sharding`: of the entry's parameters and results, and of custom calls.

use super::invalid;
use crate::sharding::Sharding as Known;
use sim_core::hlo::print::sharding_text;
use sim_core::hlo::{HloModule, Instruction, Key, Shape, Sharding, Value};
use sim_core::ir::{Attr, AttrDict, Function, Mesh};
use sim_core::{ErrorKind, Result};
use std::sync::Arc;

const NAME: &str = "mhlo.sharding";

/// What the instruction says of itself.
pub fn attribute(i: &Instruction) -> Option<(Arc<str>, Attr)> {
    Some((NAME.into(), Attr::string(&sharding_text(of(i)?))))
}

fn of(i: &Instruction) -> Option<&Sharding> {
    match i.attr(&Key::Sharding) {
        Some(Value::Sharding(s)) => Some(s),
        _ => None,
    }
}

/// What the parameters and the root of the entry say, on the leaves that became arguments and results.
///
/// # Errors
/// Invalid, at its place: a sharding does not fit the shape that it is of, or the partitions, of which there are
/// several.
pub fn of_entry(hlo: &HloModule, meshes: &[Mesh], function: &mut Function) -> Result<()> {
    let c = hlo.entry();
    let partitions = usize::try_from(hlo.count(&Key::NumPartitions)).unwrap_or(1);
    let mut arguments = Vec::new();
    for id in c.parameters().into_iter().flatten() {
        spread(c.instruction(id), meshes, partitions, &mut arguments)?;
    }
    let mut results = Vec::new();
    spread(c.root(), meshes, partitions, &mut results)?;
    function.arg_attrs.resize(function.arg_types.len(), AttrDict::new());
    for (attrs, found) in [(&mut function.arg_attrs, arguments), (&mut function.result_attrs, results)] {
        for (attrs, sharding) in attrs.iter_mut().zip(found) {
            if let Some(sharding) = sharding {
                attrs.set(NAME, Attr::string(&sharding_text(sharding)));
            }
        }
    }
    Ok(())
}

/// One for each leaf of a shape. A tuple's has one for each leaf, or one for all of them.
fn spread<'s>(
    i: &'s Instruction,
    meshes: &[Mesh],
    partitions: usize,
    out: &mut Vec<Option<&'s Sharding>>,
) -> Result<()> {
    let mut shapes = Vec::new();
    leaves(&i.shape, &mut shapes);
    let Some(sharding) = of(i) else {
        out.extend(shapes.iter().map(|_| None));
        return Ok(());
    };
    let items: Vec<&Sharding> = match sharding {
        Sharding::Tuple(items) if items.len() == shapes.len() => items.iter().collect(),
        // An empty tuple has one too.
        Sharding::Tuple(items) if shapes.is_empty() && items.len() == 1 => return Ok(()),
        Sharding::Tuple(items) if partitions > 1 => {
            return Err(invalid(
                i,
                format_args!("its sharding is of {} arrays, and its shape has {}", items.len(), shapes.len()),
            ));
        }
        one => shapes.iter().map(|_| one).collect(),
    };
    // On one device it says nothing that matters: whoever runs the program says so.
    for (n, (item, shape)) in items.iter().zip(&shapes).enumerate().filter(|_| partitions > 1) {
        let Shape::Array(array) = shape else { continue };
        let fits = Known::from_hlo(item, meshes).and_then(|s| s.check(array.rank(), partitions));
        // What is understood but not modelled is the run's affair too.
        if let Err(e) = fits
            && e.kind() != ErrorKind::Unsupported
        {
            let of_leaf = if shapes.len() == 1 { String::new() } else { format!(" of element {n}") };
            let e = invalid(i, format_args!("in its sharding{of_leaf}, {}", e.message()));
            return Err(e.note(format!("the sharding is {}", sharding_text(item))));
        }
    }
    out.extend(items.into_iter().map(Some));
    Ok(())
}

fn leaves<'s>(shape: &'s Shape, out: &mut Vec<&'s Shape>) {
    match shape {
        Shape::Tuple(items) => items.iter().for_each(|s| leaves(s, out)),
        one => out.push(one),
    }
}
