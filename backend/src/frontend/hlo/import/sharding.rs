//! `sharding=` as the attribute `mhlo.sharding`: of the entry's parameters and results, and of custom calls.

use sim_core::hlo::print::sharding_text;
use sim_core::hlo::{Computation, Instruction, Key, Shape, Sharding, Value};
use sim_core::ir::{Attr, AttrDict, Function};
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
pub fn of_entry(c: &Computation, function: &mut Function) {
    let mut arguments = Vec::new();
    for id in c.parameters().into_iter().flatten() {
        let i = c.instruction(id);
        spread(&i.shape, of(i), &mut arguments);
    }
    let mut results = Vec::new();
    spread(&c.root().shape, of(c.root()), &mut results);
    function.arg_attrs.resize(function.arg_types.len(), AttrDict::new());
    for (attrs, found) in [(&mut function.arg_attrs, arguments), (&mut function.result_attrs, results)] {
        for (attrs, sharding) in attrs.iter_mut().zip(found) {
            if let Some(sharding) = sharding {
                attrs.set(NAME, Attr::string(&sharding_text(sharding)));
            }
        }
    }
}

/// One for each leaf of a shape. A tuple's has one for each leaf, or one for all of them.
fn spread<'s>(shape: &Shape, sharding: Option<&'s Sharding>, out: &mut Vec<Option<&'s Sharding>>) {
    let start = out.len();
    leaves(shape, out);
    let found = out.len() - start;
    match sharding {
        Some(Sharding::Tuple(items)) if items.len() == found => {
            out.truncate(start);
            out.extend(items.iter().map(Some));
        }
        Some(Sharding::Tuple(_)) | None => {}
        one => out[start..].fill(one),
    }
}

fn leaves(shape: &Shape, out: &mut Vec<Option<&Sharding>>) {
    match shape {
        Shape::Tuple(items) => items.iter().for_each(|s| leaves(s, out)),
        _ => out.push(None),
    }
}
