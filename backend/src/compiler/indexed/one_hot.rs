//! A scatter of one value, or one row of values, for each place of all other dimensions is a choice value by value: where the counter is the
//! index, what comes, else what is there. (Gradients of losses by labels; XLA:TPU writes no scatter for them either: dumps of the gradient of
//! `take_along_axis(x, labels)` by libtpu 0.0.52.)

use super::rows::{Index, Places, sizes};
use super::scatter::combined;
use crate::compiler::build::Build;
use crate::compiler::graph::dims;
use sim_core::ElementType;
use sim_core::hlo::{Instruction, InstructionId, Key, Opcode, Value};

/// The choice that the scatter is; `None`: it is none.
pub(super) fn scatter(build: &mut Build<'_, '_>, i: &Instruction, places: &Places) -> Option<InstructionId> {
    let [operand, _, updates] = i.operands[..] else { return None };
    // Each window has its own place along every other dimension of the indices.
    let mut looked_up = places.by.iter().filter_map(|&(d, index)| match index {
        Index::Part(_) => Some((d, index)),
        Index::Batch(_) => None,
    });
    let (Some((along, index)), None) = (looked_up.next(), looked_up.next()) else { return None };
    let inserted = dims(i, &Key::InsertedWindowDims);
    if places.by.len() == 1 || inserted != [along] || places.of_indices.element.bits() < 32 {
        return None;
    }
    let array = build.computation.instruction(updates).shape.as_array()?.clone();
    let given = sizes(&array)?;
    let windows = dims(i, &Key::UpdateWindowDims);
    let scattered: Vec<i64> = (0..given.len() as i64).filter(|d| !windows.contains(d)).collect();
    // Where in the operand each dimension of the updates is, and each of the indices; `None` of those that are one.
    let mut to = vec![None; given.len()];
    let mut of_indices = vec![None; places.windows.len()];
    for &(d, index) in &places.by {
        if let Index::Batch(at) = index {
            let at = if at > places.vector { at - 1 } else { at } as usize;
            *to.get_mut(*scattered.get(at)? as usize)? = Some(d);
            *of_indices.get_mut(at)? = Some(d);
        }
    }
    let others =
        (0..places.sizes.len() as i64).filter(|d| *d != along && !places.by.iter().any(|&(b, _)| b == *d));
    for (&from, d) in windows.iter().zip(others) {
        if given[from as usize] != places.sizes[d as usize] {
            return None;
        }
        to[from as usize] = Some(d);
    }
    // More than one window for a place of the others is no choice.
    let kept = |to: &[Option<i64>], sizes: &[i64]| -> Option<(Vec<i64>, Vec<i64>)> {
        let one = to.iter().zip(sizes).all(|(to, &n)| to.is_some() || n == 1);
        let both = to.iter().zip(sizes).filter_map(|(to, &n)| Some(((*to)?, n)));
        let (to, sizes): (Vec<i64>, Vec<i64>) = both.unzip();
        // Broadcasts keep the order of dimensions.
        (one && to.is_sorted()).then_some((to, sizes))
    };
    let (to, of_updates) = kept(&to, &given)?;
    let (at, of_column) = kept(&of_indices, &places.windows)?;
    let column = places.column(build, index);
    let element = places.of_indices.element;
    let column = build.reshape(column, element, &of_column);
    let all = places.sizes.clone();
    let at = build.one(Opcode::Broadcast, element, &all, &[column], Some(at));
    let counter = build.one(Opcode::Iota, element, &all, &[], None);
    let counter = build.with(counter, Key::IotaDimension, Value::Int(along));
    let here = build.one(Opcode::Compare, ElementType::Pred, &all, &[counter, at], None);
    let here = build.with(here, Key::Direction, Value::Word("EQ".into()));
    let element = array.element;
    let updates = build.reshape(updates, element, &of_updates);
    let comes = build.one(Opcode::Broadcast, element, &all, &[updates], Some(to));
    let comes = combined(build, i, operand, comes, &all)?;
    Some(build.one(Opcode::Select, element, &all, &[here, comes, operand], None))
}
