//! Scatters by a vector of places, in ascending order where that helps whoever runs them.

use super::rows::{Index, Places, all, sizes, sorted, sorted_with, unpacked};
use super::unit::{Order, Scatter, combines};
use crate::compiler::build::Build;
use crate::compiler::graph::dims;
use sim_core::hlo::{Instruction, InstructionId, Key, Opcode, Value};
use sim_core::{ElementType, Tensor};

const S32: ElementType = ElementType::S32;

/// The scatter by a vector; `None`: it stays as it is.
pub(super) fn scatter(build: &mut Build<'_, '_>, i: &Instruction) -> Option<InstructionId> {
    let [operand, _, updates] = i.operands[..] else { return None };
    let keys = [Key::ScatterDimsToOperandDims, Key::InputBatchingDims, Key::ScatterIndicesBatchingDims];
    let places = Places::of(build.computation, i, keys, 0, 1)?;
    let of_updates = build.computation.instruction(updates).shape.as_array()?.clone();
    let given = sizes(&of_updates)?;
    let count = places.count();
    let nothing = given.iter().chain(&places.sizes).any(|&n| n == 0);
    if nothing || places.by.is_empty() || !(1..=i64::from(i32::MAX)).contains(&count) {
        return None;
    }
    if let Some(chosen) = super::one_hot::scatter(build, i, &places) {
        return Some(chosen);
    }
    let inserted: Vec<i64> = {
        let mut all = [dims(i, &Key::InsertedWindowDims), dims(i, &Key::InputBatchingDims)].concat();
        all.sort_unstable();
        all
    };
    let window: Vec<i64> = dims(i, &Key::UpdateWindowDims).iter().map(|&d| given[d as usize]).collect();
    // The extent of a window along each dimension of the operand.
    let mut extents = window.iter();
    let extent: Vec<i64> = (0..places.sizes.len() as i64)
        .map(|d| if inserted.contains(&d) { Some(1) } else { extents.next().copied() })
        .collect::<Option<_>>()?;
    let most: Vec<i64> =
        places.by.iter().map(|&(d, _)| places.sizes[d as usize] - extent[d as usize]).collect();
    let bits: Vec<u32> = most.iter().map(|&m| 64 - m.leading_zeros()).collect();
    if most.iter().any(|&m| m < 0) || bits.iter().sum::<u32>() > 31 {
        return None;
    }
    if count == 1
        && let Some(made) = super::one_window::scatter(build, i, &places, &extent, &most)
    {
        return Some(made);
    }
    let wide = places.of_indices.element.bits() > 32;
    let vector = match places.by[..] {
        [(_, index @ Index::Part(_))] if !wide => {
            let column = places.column(build, index);
            let column = build.convert(column, S32, &places.windows);
            build.reshape(column, S32, &[count])
        }
        _ => packed(build, &places, &most, &bits)?,
    };
    // Updates: a window behind the other.
    let scattered = (0..given.len() as i64).filter(|d| !dims(i, &Key::UpdateWindowDims).contains(d));
    let order: Vec<i64> = scattered.chain(dims(i, &Key::UpdateWindowDims).iter().copied()).collect();
    let permuted: Vec<i64> = order.iter().map(|&d| given[d as usize]).collect();
    let element = of_updates.element;
    let updates = build.transpose(updates, element, &permuted, &order);
    let rows: Vec<i64> = std::iter::once(count).chain(window.iter().copied()).collect();
    let updates = build.reshape(updates, element, &rows);
    let order = match i.attr(&Key::IndicesAreSorted) {
        Some(Value::Bool(true)) => Order::AsItIs,
        _ => Scatter::of(build.cx, i, &places.operand, count, &window).order(build.cx.chip),
    };
    let is_sorted = order != Order::AsItIs || i.attr(&Key::IndicesAreSorted) == Some(&Value::Bool(true));
    let (vector, updates) = match order {
        Order::AsItIs => (vector, updates),
        Order::WithUpdates => {
            // Windows are single values, of whatever rank.
            let flat = build.reshape(updates, element, &[count]);
            let (vector, flat) = sorted_with(build, vector, flat, element, count);
            (vector, build.reshape(flat, element, &rows))
        }
        Order::WithPlaces { clamped } => {
            let (vector, from) = sorted(build, vector, count);
            let from = match clamped {
                true => {
                    let low = all(build, Tensor::scalar(0i32), &[count]);
                    let high = all(build, Tensor::scalar((count - 1) as i32), &[count]);
                    build.one(Opcode::Clamp, S32, &[count], &[low, from, high], None)
                }
                false => from,
            };
            let taken = build.one(Opcode::Gather, element, &rows, &[updates, from], None);
            let slice: Vec<i64> = std::iter::once(1).chain(window.iter().copied()).collect();
            for (key, value) in [
                (Key::OffsetDims, (1..=window.len() as i64).collect()),
                (Key::CollapsedSliceDims, vec![0]),
                (Key::StartIndexMap, vec![0]),
                (Key::SliceSizes, slice),
            ] {
                build.with(taken, key, Value::Ints(value.into()));
            }
            (vector, build.with(taken, Key::IndexVectorDim, Value::Int(1)))
        }
    };
    let several = places.by.len() > 1 || !places.is_plain() || wide;
    let vector = if several && bits.len() > 1 { unpacked(build, vector, count, &bits) } else { vector };
    let out = i.shape.as_array()?;
    let made = build.one(Opcode::Scatter, out.element, &places.sizes, &[operand, vector, updates], None);
    for (key, value) in [
        (Key::UpdateWindowDims, (1..=window.len() as i64).collect()),
        (Key::InsertedWindowDims, inserted),
        (Key::ScatterDimsToOperandDims, places.by.iter().map(|&(d, _)| d).collect::<Vec<i64>>()),
    ] {
        build.with(made, key, Value::Ints(value.into()));
    }
    build.with(made, Key::IndexVectorDim, Value::Int(1));
    if is_sorted {
        build.with(made, Key::IndicesAreSorted, Value::Bool(true));
    }
    for key in [Key::UniqueIndices, Key::ToApply] {
        if let Some(value) = i.attr(&key) {
            build.with(made, key, value.clone());
        }
    }
    Some(made)
}

/// What a scatter makes of what is there and what comes, arrays of `sizes`; `None`: it is not that simple.
pub(super) fn combined(
    build: &mut Build<'_, '_>,
    i: &Instruction,
    there: InstructionId,
    comes: InstructionId,
    sizes: &[i64],
) -> Option<InstructionId> {
    let Some(Value::Computation(id)) = i.attr(&Key::ToApply) else { return None };
    let root = build.cx.module.computation(*id).root();
    let element = i.shape.as_array()?.element;
    match combines(&build.cx.module, i) {
        Some(op @ (Opcode::Add | Opcode::Multiply | Opcode::Maximum | Opcode::Minimum)) => {
            Some(build.one(op, element, sizes, &[there, comes], None))
        }
        None if root.parameter_number == Some(1) => Some(comes),
        _ => None,
    }
}

/// Several indices in one number, the smallest there is where one of them is outside: what it unpacks to is outside, too.
fn packed(build: &mut Build<'_, '_>, places: &Places, most: &[i64], bits: &[u32]) -> Option<InstructionId> {
    let sizes = &places.windows;
    let (mut packed, mut outside) = (None, None);
    let mut shift = 0u32;
    for (n, &(_, index)) in places.by.iter().enumerate() {
        let column = places.column(build, index);
        let inside = super::rows::clamped_as_it_is(build, column, sizes, most[n])?;
        if let Index::Part(_) = index {
            let (column, within) = inside;
            let differs = build.one(Opcode::Compare, ElementType::Pred, sizes, &[column, within], None);
            build.with(differs, Key::Direction, Value::Word("NE".into()));
            outside = Some(match outside {
                Some(other) => build.one(Opcode::Or, ElementType::Pred, sizes, &[other, differs], None),
                None => differs,
            });
        }
        let mut column = build.convert(inside.1, S32, sizes);
        if shift > 0 {
            let by = all(build, Tensor::scalar(shift as i32), sizes);
            column = build.one(Opcode::ShiftLeft, S32, sizes, &[column, by], None);
        }
        shift += bits[n];
        packed = Some(match packed {
            Some(packed) => build.one(Opcode::Or, S32, sizes, &[packed, column], None),
            None => column,
        });
    }
    let packed = match outside {
        Some(outside) => {
            let nowhere = all(build, Tensor::scalar(i32::MIN), sizes);
            build.one(Opcode::Select, S32, sizes, &[outside, nowhere, packed?], None)
        }
        None => packed?,
    };
    Some(build.reshape(packed, S32, &[places.count()]))
}
