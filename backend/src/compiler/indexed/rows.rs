//! Gathers and scatters by a vector of places.
//!
//! Whatever the shape of its indices, a gather becomes one that takes a window for each number of a vector `s32[k]` and puts the windows one
//! behind the other, between reshapes and transposes that bring the indices there and the windows where they were. Indices of a gather are
//! clamped before, so that whoever runs it need not; several of them for one window, those of batches too, are packed into one number, and
//! unpacked where the gather is (XLA:TPU: `shift-left_or_fusion`, `GatherScatterIndicesBitpacked`).

use crate::compiler::build::{Build, shape};
use crate::compiler::graph::{self, dims};
use sim_core::hlo::{
    ArrayShape, Computation, Instruction, InstructionId, Key, Opcode, Shape, SliceDim, Value,
};
use sim_core::{ElementType, Tensor};

const S32: ElementType = ElementType::S32;

/// Sizes that are known.
pub(super) fn sizes(array: &ArrayShape) -> Option<Vec<i64>> {
    array.dims.iter().map(|d| d.as_static()).collect()
}

/// What both gathers and scatters say of their indices.
pub(super) struct Places {
    /// The array that is looked into, or changed.
    pub operand: ArrayShape,
    pub sizes: Vec<i64>,
    pub indices: InstructionId,
    pub of_indices: ArrayShape,
    /// The dimension of the indices that holds several for one window.
    pub vector: i64,
    /// Dimensions of the operand that are looked up, and where each one's index is.
    pub by: Vec<(i64, Index)>,
    /// Sizes of the indices without `vector`: windows.
    pub windows: Vec<i64>,
}

/// Where an index comes from.
#[derive(Clone, Copy)]
pub(super) enum Index {
    /// A part of the vector of indices.
    Part(i64),
    /// A dimension of the indices that both have: the place along it.
    Batch(i64),
}

impl Places {
    pub(super) fn of(
        computation: &Computation,
        i: &Instruction,
        keys: [Key; 3],
        operand: usize,
        indices: usize,
    ) -> Option<Places> {
        let [map, batching, of_indices] = keys;
        let array = |k: usize| computation.instruction(*i.operands.get(k)?).shape.as_array();
        let (operand, given) = (array(operand)?.clone(), array(indices)?.clone());
        let Some(Value::Int(vector)) = i.attr(&Key::IndexVectorDim) else { return None };
        let all = sizes(&given)?;
        let mut by: Vec<(i64, Index)> = Vec::new();
        by.extend(dims(i, &batching).iter().zip(dims(i, &of_indices)).map(|(&o, &at)| (o, Index::Batch(at))));
        by.extend(dims(i, &map).iter().enumerate().map(|(n, &o)| (o, Index::Part(n as i64))));
        let windows = all.iter().enumerate().filter(|&(d, _)| d as i64 != *vector).map(|(_, &n)| n).collect();
        Some(Places {
            sizes: sizes(&operand)?,
            operand,
            indices: *i.operands.get(indices)?,
            of_indices: given,
            vector: *vector,
            by,
            windows,
        })
    }

    /// How many windows there are.
    pub(super) fn count(&self) -> i64 {
        self.windows.iter().fold(1i64, |n, &d| n.saturating_mul(d))
    }

    /// One index for each window, as a vector: no batches, no several.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.by[..], [(_, Index::Part(_))])
    }

    /// The vector of that index for each window.
    pub(super) fn column(&self, build: &mut Build<'_, '_>, index: Index) -> InstructionId {
        match index {
            Index::Part(n) => {
                let element = self.of_indices.element;
                let mut all = sizes(&self.of_indices).unwrap_or_default();
                let mut id = self.indices;
                if let Some(parts) = all.get_mut(self.vector as usize)
                    && std::mem::replace(parts, 1) > 1
                {
                    let ranges = all
                        .iter()
                        .enumerate()
                        .map(|(d, &size)| match d as i64 == self.vector {
                            true => SliceDim { start: n, limit: n + 1, stride: 1 },
                            false => SliceDim { start: 0, limit: size, stride: 1 },
                        })
                        .collect();
                    id = build.one(Opcode::Slice, element, &all, &[id], None);
                    id = build.with(id, Key::Slice, Value::Slice(ranges));
                }
                build.reshape(id, element, &self.windows)
            }
            Index::Batch(at) => {
                // Its place among the windows' dimensions.
                let at = if at > self.vector { at - 1 } else { at };
                let id = build.one(Opcode::Iota, S32, &self.windows, &[], None);
                build.with(id, Key::IotaDimension, Value::Int(at))
            }
        }
    }
}

/// A vector that is that number everywhere.
pub(super) fn all(build: &mut Build<'_, '_>, value: Tensor, sizes: &[i64]) -> InstructionId {
    let element = value.element();
    let id = build.constant(value);
    if sizes.is_empty() {
        return id;
    }
    build.one(Opcode::Broadcast, element, sizes, &[id], Some(Vec::new()))
}

/// A number of that type; `None`: it is none there.
pub(super) fn number(element: ElementType, n: i64) -> Option<Tensor> {
    use ElementType as E;
    Some(match element {
        E::S32 => Tensor::scalar(i32::try_from(n).ok()?),
        E::U32 => Tensor::scalar(u32::try_from(n).ok()?),
        E::S64 => Tensor::scalar(n),
        E::U64 => Tensor::scalar(u64::try_from(n).ok()?),
        _ => return None,
    })
}

/// The gather by a vector; `None`: it stays as it is.
pub(super) fn gather(build: &mut Build<'_, '_>, i: &Instruction) -> Option<InstructionId> {
    let keys = [Key::StartIndexMap, Key::OperandBatchingDims, Key::StartIndicesBatchingDims];
    let places = Places::of(build.computation, i, keys, 0, 1)?;
    let out = i.shape.as_array()?;
    let result = sizes(out)?;
    let slice: Vec<i64> = dims(i, &Key::SliceSizes).to_vec();
    let count = places.count();
    let nothing = result.iter().chain(&places.sizes).any(|&n| n == 0);
    if nothing || places.by.is_empty() || !(1..=i64::from(i32::MAX)).contains(&count) {
        return None;
    }
    if count == 1 {
        return super::one_window::gather(build, i, &places);
    }
    // The largest place at which a window starts, along each dimension that is looked up.
    let most: Vec<i64> =
        places.by.iter().map(|&(d, _)| places.sizes[d as usize] - slice[d as usize]).collect();
    let bits: Vec<u32> = most.iter().map(|&m| 64 - m.leading_zeros()).collect();
    if bits.iter().sum::<u32>() > 31 {
        return None;
    }
    let vector = match places.is_plain() {
        true => {
            let column = places.column(build, places.by[0].1);
            let flat = build.reshape(column, places.of_indices.element, &[count]);
            clamped(build, flat, &[count], most[0])?
        }
        false => {
            let mut packed = None;
            let mut shift = 0u32;
            for (n, &(_, index)) in places.by.iter().enumerate() {
                let column = places.column(build, index);
                let mut column = clamped(build, column, &places.windows, most[n])?;
                if shift > 0 {
                    let by = all(build, Tensor::scalar(shift as i32), &places.windows);
                    column = build.one(Opcode::ShiftLeft, S32, &places.windows, &[column, by], None);
                }
                shift += bits[n];
                packed = Some(match packed {
                    Some(packed) => build.one(Opcode::Or, S32, &places.windows, &[packed, column], None),
                    None => column,
                });
            }
            let flat = build.reshape(packed?, S32, &[count]);
            unpacked(build, flat, count, &bits)
        }
    };
    // Windows behind one another.
    let collapsed: Vec<i64> = {
        let mut all = [dims(i, &Key::CollapsedSliceDims), dims(i, &Key::OperandBatchingDims)].concat();
        all.sort_unstable();
        all
    };
    let window: Vec<i64> =
        (0..slice.len()).filter(|&d| !collapsed.contains(&(d as i64))).map(|d| slice[d]).collect();
    let rows: Vec<i64> = std::iter::once(count).chain(window.iter().copied()).collect();
    let made = build.one(Opcode::Gather, out.element, &rows, &[i.operands[0], vector], None);
    let offsets: Vec<i64> = (1..=window.len() as i64).collect();
    let map: Vec<i64> = places.by.iter().map(|&(d, _)| d).collect();
    for (key, value) in [
        (Key::OffsetDims, offsets),
        (Key::CollapsedSliceDims, collapsed),
        (Key::StartIndexMap, map),
        (Key::SliceSizes, slice),
    ] {
        build.with(made, key, Value::Ints(value.into()));
    }
    build.with(made, Key::IndexVectorDim, Value::Int(1));
    Some(back(build, i, &places, made, &window, out.element, &result))
}

/// Windows behind one another where the gather had them: the dimensions of the indices, then those of a window; each goes where it was.
fn back(
    build: &mut Build<'_, '_>,
    i: &Instruction,
    places: &Places,
    made: InstructionId,
    window: &[i64],
    element: ElementType,
    result: &[i64],
) -> InstructionId {
    let apart: Vec<i64> = places.windows.iter().chain(window).copied().collect();
    let made = build.reshape(made, element, &apart);
    let offset = dims(i, &Key::OffsetDims);
    let (mut next_window, mut next_offset) = (0, places.windows.len() as i64);
    let order: Vec<i64> = (0..result.len() as i64)
        .map(|d| {
            let next = if offset.contains(&d) { &mut next_offset } else { &mut next_window };
            *next += 1;
            *next - 1
        })
        .collect();
    build.transpose(made, element, result, &order)
}

/// Between 0 and `most`, in s32.
fn clamped(build: &mut Build<'_, '_>, id: InstructionId, sizes: &[i64], most: i64) -> Option<InstructionId> {
    let (_, id) = clamped_as_it_is(build, id, sizes, most)?;
    Some(build.convert(id, S32, sizes))
}

/// A number in a type that holds `most`, and the same between 0 and that.
pub(super) fn clamped_as_it_is(
    build: &mut Build<'_, '_>,
    id: InstructionId,
    sizes: &[i64],
    most: i64,
) -> Option<(InstructionId, InstructionId)> {
    let has = build.computation.instruction(id).shape.as_array()?.element;
    let (id, element) = match has.bits() {
        32.. => (id, has),
        _ => (build.convert(id, S32, sizes), S32),
    };
    let low = all(build, number(element, 0)?, sizes);
    let high = all(build, number(element, most)?, sizes);
    Some((id, build.one(Opcode::Clamp, element, sizes, &[low, id, high], None)))
}

/// What was packed, as a row of indices for each window. The last of what is negative is negative.
pub(super) fn unpacked(
    build: &mut Build<'_, '_>,
    packed: InstructionId,
    count: i64,
    bits: &[u32],
) -> InstructionId {
    let mut columns = Vec::new();
    let mut shift = 0u32;
    for (n, &own) in bits.iter().enumerate() {
        let mut column = packed;
        if n + 1 < bits.len() {
            let mask = all(build, Tensor::scalar((((1i64 << own) - 1) << shift) as i32), &[count]);
            column = build.one(Opcode::And, S32, &[count], &[column, mask], None);
        }
        if shift > 0 {
            let by = all(build, Tensor::scalar(shift as i32), &[count]);
            column = build.one(Opcode::ShiftRightArithmetic, S32, &[count], &[column, by], None);
        }
        columns.push(build.reshape(column, S32, &[count, 1]));
        shift += own;
    }
    build.one(Opcode::Concatenate, S32, &[count, bits.len() as i64], &columns, Some(vec![1]))
}

/// Where a vector's places come in ascending order, and those places: `(sorted, from)`.
pub(super) fn sorted(
    build: &mut Build<'_, '_>,
    vector: InstructionId,
    count: i64,
) -> (InstructionId, InstructionId) {
    let iota = build.one(Opcode::Iota, S32, &[count], &[], None);
    let iota = build.with(iota, Key::IotaDimension, Value::Int(0));
    sorted_with(build, vector, iota, S32, count)
}

/// A vector in ascending order, and another that goes with it; equal ones stay in their order.
pub(super) fn sorted_with(
    build: &mut Build<'_, '_>,
    vector: InstructionId,
    with: InstructionId,
    element: ElementType,
    count: i64,
) -> (InstructionId, InstructionId) {
    let pair = Shape::Tuple(vec![shape(S32, &[count]), shape(element, &[count])]);
    let name = build.cx.names.fresh("sort");
    let sort = graph::instruction(name, Opcode::Sort, pair.into(), &[vector, with], build.like);
    let sort = graph::push(build.computation, sort);
    build.with(sort, Key::Dimensions, Value::Ints([0].into()));
    build.with(sort, Key::IsStable, Value::Bool(true));
    let less = build.applied(Opcode::Compare, &[S32, S32, element, element], ElementType::Pred);
    if let Some(compare) = build.cx.module.computations[less.0 as usize].instructions.last_mut() {
        graph::set(compare, Key::Direction, Value::Word("LT".into()));
    }
    build.with(sort, Key::ToApply, Value::Computation(less));
    let mut part = |n: i64, element| {
        let id = build.one(Opcode::GetTupleElement, element, &[count], &[sort], None);
        build.with(id, Key::Index, Value::Int(n))
    };
    (part(0, S32), part(1, element))
}
