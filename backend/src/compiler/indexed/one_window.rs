//! Gathers and scatters of a single window: slices, and updates by slices.
//!
//! A slice starts where an index is clamped to, as a gather does. A scatter of what lies outside changes nothing: what was there is written again
//! (libtpu 0.0.52: `x.at[i].set(row)` and `.add(row)` are a `dynamic-update-slice` of a choice).

use super::rows::{Index, Places, clamped_as_it_is, number, sizes};
use super::scatter::combined;
use crate::compiler::build::Build;
use crate::compiler::graph::dims;
use sim_core::ElementType;
use sim_core::hlo::{Instruction, InstructionId, Key, Opcode, Value};

const PRED: ElementType = ElementType::Pred;

/// Where the window starts, a scalar for each dimension; those that are looked up are in `looked_up`, by dimension.
struct Starts {
    all: Vec<InstructionId>,
    looked_up: Vec<(usize, InstructionId)>,
}

fn starts(build: &mut Build<'_, '_>, places: &Places) -> Option<Starts> {
    let element = places.of_indices.element;
    let (mut all, mut looked_up) = (Vec::new(), Vec::new());
    for d in 0..places.sizes.len() {
        all.push(match places.by.iter().find(|&&(of, _)| of == d as i64) {
            Some(&(_, index @ Index::Part(_))) => {
                let column = places.column(build, index);
                let start = build.reshape(column, element, &[]);
                looked_up.push((d, start));
                start
            }
            _ => build.constant(number(element, 0)?),
        });
    }
    Some(Starts { all, looked_up })
}

/// The slice that a gather of one window is.
pub(super) fn gather(build: &mut Build<'_, '_>, i: &Instruction, places: &Places) -> Option<InstructionId> {
    let out = i.shape.as_array()?;
    let extent = dims(i, &Key::SliceSizes).to_vec();
    let starts = starts(build, places)?;
    let made = slice(build, i.operands[0], out.element, &extent, &starts);
    Some(build.reshape(made, out.element, &sizes(out)?))
}

fn slice(
    build: &mut Build<'_, '_>,
    array: InstructionId,
    element: ElementType,
    extent: &[i64],
    starts: &Starts,
) -> InstructionId {
    let operands: Vec<InstructionId> = std::iter::once(array).chain(starts.all.iter().copied()).collect();
    let made = build.one(Opcode::DynamicSlice, element, extent, &operands, None);
    build.with(made, Key::DynamicSliceSizes, Value::Ints(extent.into()))
}

/// The update that a scatter of one window is, of `extent`, which starts at no more than `most`.
pub(super) fn scatter(
    build: &mut Build<'_, '_>,
    i: &Instruction,
    places: &Places,
    extent: &[i64],
    most: &[i64],
) -> Option<InstructionId> {
    let element = places.operand.element;
    let starts = starts(build, places)?;
    let mut outside: Option<InstructionId> = None;
    for &(d, start) in &starts.looked_up {
        let at = places.by.iter().position(|&(of, _)| of == d as i64)?;
        let (start, within) = clamped_as_it_is(build, start, &[], most[at])?;
        let differs = build.one(Opcode::Compare, PRED, &[], &[start, within], None);
        build.with(differs, Key::Direction, Value::Word("NE".into()));
        outside = Some(match outside {
            Some(other) => build.one(Opcode::Or, PRED, &[], &[other, differs], None),
            None => differs,
        });
    }
    let old = slice(build, i.operands[0], element, extent, &starts);
    let comes = build.reshape(i.operands[2], element, extent);
    let new = combined(build, i, old, comes, extent)?;
    let outside = build.one(Opcode::Broadcast, PRED, extent, &[outside?], Some(Vec::new()));
    let new = build.one(Opcode::Select, element, extent, &[outside, old, new], None);
    let operands: Vec<InstructionId> = [i.operands[0], new].into_iter().chain(starts.all).collect();
    Some(build.one(Opcode::DynamicUpdateSlice, element, &places.sizes, &operands, None))
}
