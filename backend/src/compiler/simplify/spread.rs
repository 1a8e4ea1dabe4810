//! What fills an array is computed before it does.

use super::Site;
use crate::compiler::build;
use crate::compiler::graph::{dims, is_elementwise, set};
use sim_core::hlo::{Instruction, InstructionId, Key, Opcode, Value};

/// What an operand has along some of its dimensions, and repeats along all others.
struct Spread {
    /// An array of fewer dimensions; `None`: a counter.
    of: Option<InstructionId>,
    along: Box<[i64]>,
}

fn spread(site: &Site<'_>, i: &Instruction) -> Option<Spread> {
    match i.opcode {
        Opcode::Broadcast => {
            let (of, _) = site.operand(i, 0)?;
            Some(Spread { of: Some(of), along: dims(i, &Key::Dimensions).into() })
        }
        Opcode::Iota => match i.attr(&Key::IotaDimension) {
            Some(&Value::Int(d)) => Some(Spread { of: None, along: [d].into() }),
            _ => None,
        },
        _ => None,
    }
}

/// Of operands that are one vector (or a smaller array) and scalars, repeated, fewer values are computed: the result is what is repeated.
pub fn before_it_fills(site: &mut Site<'_>, i: &Instruction) -> Option<InstructionId> {
    let out = i.shape.as_array()?.clone();
    if !is_elementwise(i.opcode) || out.rank() == 0 {
        return None;
    }
    let mut all: Vec<Spread> = Vec::new();
    for n in 0..i.operands.len() {
        let (_, operand) = site.operand(i, n)?;
        if operand.shape.as_array()?.dims != out.dims {
            return None;
        }
        all.push(spread(site, operand)?);
    }
    let small = all.iter().find(|s| !s.along.is_empty())?;
    let alike = |s: &Spread| s.along.is_empty() || (s.of == small.of && s.along == small.along);
    if small.along.len() >= out.rank() || !all.iter().all(alike) || !small.along.is_sorted() {
        return None;
    }
    let along = small.along.clone();
    let sizes: Vec<i64> =
        along.iter().map(|&d| out.dims.get(d as usize)?.as_static()).collect::<Option<_>>()?;
    // (A row that is as long as the array has nothing to gain.)
    let values = |sizes: &[i64]| sizes.iter().fold(1i64, |n, &s| n.saturating_mul(s));
    let whole: Vec<i64> = out.dims.iter().map(|d| d.as_static()).collect::<Option<_>>()?;
    if values(&sizes) == values(&whole) {
        return None;
    }
    let mut operands = Vec::new();
    for (n, s) in all.iter().enumerate() {
        let element = site.operand(i, n)?.1.shape.as_array()?.element;
        let shape = build::shape(element, &sizes);
        operands.push(match s.of {
            Some(of) if !s.along.is_empty() => of,
            Some(of) => {
                let mut fill = site.make(Opcode::Broadcast, shape, &[of], i);
                set(&mut fill, Key::Dimensions, Value::Ints(Box::default()));
                site.push(fill)
            }
            None => {
                let mut counter = site.make(Opcode::Iota, shape, &[], i);
                set(&mut counter, Key::IotaDimension, Value::Int(0));
                site.push(counter)
            }
        });
    }
    let mut made = i.clone();
    made.name = site.names.fresh(&i.name);
    made.shape = build::shape(out.element, &sizes);
    made.operands = operands.into_iter().collect();
    let made = site.push(made);
    let mut filled = site.make(Opcode::Broadcast, i.shape.clone(), &[made], i);
    set(&mut filled, Key::Dimensions, Value::Ints(along));
    Some(site.push(filled))
}
