//! Who runs gathers, scatters, and large copies between layouts, once it is known what else is a kernel.
//!
//! A SparseCore's is a computation of its own, started and waited for (`async-start`, `async-done`, `async_execution_thread="sparsecore"`), so
//! that the TensorCore works meanwhile. A TensorCore's is a kernel: `gather_fusion`, `scatter_fusion`, `scatter_custom_fusion`, as XLA:TPU
//! calls them. What unpacks indices, and what brings updates into the order of their places, is part of it.

use super::rows::sizes;
use super::unit::{Gather, Scatter};
use crate::compiler::Cx;
use crate::compiler::graph::{self, Effects, compact, dims, set, users};
use crate::time::arrays::{self, Memory};
use rustc_hash::FxHashMap;
use sim_core::hlo::{
    AliasEntry, ArrayShape, Computation, ComputationId, Instruction, InstructionId, Key, Layout, Opcode,
    Shape, Value,
};
use sim_core::{ElementType, Result};
use smallvec::SmallVec;
use std::sync::Arc;

/// Memory space of a SparseCore's flags, and who runs what it is started for.
const FLAGS: i64 = 8;
const THREAD: &str = "sparsecore";

pub(crate) fn run(cx: &mut Cx<'_>) -> Result<()> {
    let effects = Effects::of(&cx.module);
    for id in cx.module.reached() {
        let mut computation = cx.module.computation(id).clone();
        let users = users(&computation);
        let mut changed = false;
        for i in 0..computation.instructions.len() {
            let id = InstructionId(i as u32);
            if let Some(sparse) = is_rows(cx, &computation, id)
                && scatter_of(&computation, &users, id).is_none()
            {
                one(cx, &mut computation, &users, id, sparse);
                changed = true;
            } else if is_format(cx, &computation, id) {
                one(cx, &mut computation, &users, id, true);
                changed = true;
            }
        }
        if changed {
            compact(&mut computation, |i| effects.keeps(i));
            cx.module.computations[id.0 as usize] = computation;
        }
    }
    graph::tidy(&mut cx.module);
    Ok(())
}

/// Is it a gather or scatter by a vector, and a SparseCore's?
fn is_rows(cx: &Cx<'_>, computation: &Computation, id: InstructionId) -> Option<bool> {
    let i = computation.instruction(id);
    let array = |k: usize| computation.instruction(*i.operands.get(k)?).shape.as_array();
    let (key, rows) = match i.opcode {
        Opcode::Gather => (Key::OffsetDims, i.shape.as_array()?),
        Opcode::Scatter if i.operands.len() == 3 => (Key::UpdateWindowDims, array(2)?),
        _ => return None,
    };
    let behind = (1..rows.rank() as i64).eq(dims(i, &key).iter().copied());
    if !behind || array(1)?.rank() > 2 || i.attr(&Key::IndexVectorDim) != Some(&Value::Int(1)) {
        return None;
    }
    let all = sizes(rows)?;
    let (&count, window) = all.split_first()?;
    Some(match i.opcode {
        Opcode::Gather => {
            let table = array(0)?;
            let all = sizes(table)?;
            let (slice, map) = (dims(i, &Key::SliceSizes), dims(i, &Key::StartIndexMap));
            let places = map.iter().fold(1i64, |n, &d| n.saturating_mul(all[d as usize]));
            let whole =
                (0..all.len()).all(|d| slice[d] == all[d] || map.contains(&(d as i64)) && slice[d] == 1);
            Gather { table, count, window, places, whole }.on_sparsecore(cx.chip)
        }
        _ => Scatter::of(cx, i, array(0)?, count, window).on_sparsecore(cx.chip),
    })
}

/// Is it a copy to another layout that SparseCores make?
fn is_format(cx: &Cx<'_>, computation: &Computation, id: InstructionId) -> bool {
    let least = cx.chip.units().sparsecore.formats_bytes;
    let i = computation.instruction(id);
    if least == 0 || i.opcode != Opcode::Copy {
        return false;
    }
    let (Some(from), Some(to)) =
        (computation.instruction(i.operands[0]).shape.as_array(), i.shape.as_array())
    else {
        return false;
    };
    let lies = |a: &ArrayShape| a.layout.as_ref().map(|l| (l.minor_to_major.clone(), l.tiles.clone()));
    let is_hbm = |a: &ArrayShape| arrays::memory(a) == Memory::Hbm;
    lies(from) != lies(to) && is_hbm(from) && is_hbm(to) && arrays::dense_bytes(to) >= least
}

/// Does a vector of places come from a sort?
fn is_sorted(computation: &Computation, mut id: InstructionId) -> bool {
    loop {
        let i = computation.instruction(id);
        id = match (i.opcode, &i.operands[..]) {
            (Opcode::Sort, _) => return true,
            (Opcode::GetTupleElement | Opcode::Bitcast | Opcode::Fusion, &[of]) => of,
            _ => return false,
        };
    }
}

/// The scatter whose updates a gather brings into the order of their places.
fn scatter_of(
    computation: &Computation,
    users: &[SmallVec<[InstructionId; 4]>],
    id: InstructionId,
) -> Option<InstructionId> {
    let [user] = users.get(id.0 as usize)?[..] else { return None };
    let scatter = computation.instruction(user);
    let [_, places, updates] = scatter.operands[..] else { return None };
    let sorted = scatter.attr(&Key::IndicesAreSorted) == Some(&Value::Bool(true));
    let is = computation.instruction(id).opcode == Opcode::Gather
        && scatter.opcode == Opcode::Scatter
        && updates == id
        && sorted
        && is_sorted(computation, places);
    is.then_some(user)
}

/// What runs as one, in order.
fn members(
    cx: &Cx<'_>,
    computation: &Computation,
    users: &[SmallVec<[InstructionId; 4]>],
    id: InstructionId,
    sparse: bool,
) -> Vec<InstructionId> {
    let i = computation.instruction(id);
    let alone = |o: InstructionId| users.get(o.0 as usize).is_some_and(|u| u[..] == [id]);
    let mut members = Vec::new();
    if i.opcode == Opcode::Copy {
        return vec![id];
    }
    // Several indices for each window are unpacked where they are needed.
    let indices = computation.instruction(i.operands[1]);
    let unpacks = |i: &Instruction| match i.opcode {
        Opcode::Fusion => i.called().next().is_some_and(|c| {
            // Of what was packed, nothing else.
            i.operands.len() == 1 && cx.module.computation(c).root().opcode == Opcode::Concatenate
        }),
        _ => false,
    };
    if indices.shape.as_array().is_some_and(|a| a.rank() == 2) && alone(i.operands[1]) && unpacks(indices) {
        members.push(i.operands[1]);
    }
    if i.opcode == Opcode::Scatter {
        let (base, updates) = (i.operands[0], i.operands[2]);
        let of = computation.instruction(base);
        let is_one_value = |i: &Instruction| {
            i.operands
                .iter()
                .all(|&o| computation.instruction(o).shape.as_array().is_some_and(|a| a.rank() == 0))
        };
        if !sparse && of.opcode == Opcode::Broadcast && alone(base) && is_one_value(of) {
            members.push(base);
        }
        if scatter_of(computation, users, updates) == Some(id) {
            members.push(updates);
        }
    }
    members.sort_unstable();
    members.push(id);
    members
}

/// Makes an asynchronous computation, or a kernel, of an instruction.
fn one(
    cx: &mut Cx<'_>,
    computation: &mut Computation,
    users: &[SmallVec<[InstructionId; 4]>],
    id: InstructionId,
    sparse: bool,
) {
    let members = members(cx, computation, users, id, sparse);
    let (called, operands) = outlined(cx, computation, &members, sparse);
    let instruction = computation.instruction(id).clone();
    let kind = match instruction.opcode {
        Opcode::Scatter => "scatter",
        Opcode::Copy => "data_format",
        _ => "gather",
    };
    let mut made = if sparse {
        let shapes = operands.iter().map(|&o| computation.instruction(o).shape.clone()).collect();
        let parts = vec![Arc::new(Shape::Tuple(shapes)), instruction.shape.clone(), flag()];
        let name = cx.names.fresh(&format!("{kind}_offload_async_start"));
        let shape = Arc::new(Shape::Tuple(parts));
        let mut start = graph::instruction(name, Opcode::AsyncStart, shape, &operands, &instruction);
        set(&mut start, Key::AsyncExecutionThread, Value::String(THREAD.into()));
        set(&mut start, Key::Calls, Value::Computation(called));
        if kind == "scatter" {
            // In place.
            let alias = AliasEntry { output: vec![1], parameter: 0, path: Vec::new(), kind: None };
            set(&mut start, Key::OutputToOperandAliasing, Value::Aliases([alias].into()));
        }
        let start = graph::push(computation, start);
        let name = cx.names.fresh(&format!("{kind}_offload_async_done"));
        graph::instruction(name, Opcode::AsyncDone, instruction.shape.clone(), &[start], &instruction)
    } else {
        let name = match members.len() {
            2.. if kind == "scatter" => "scatter_custom_fusion".to_owned(),
            _ => format!("{kind}_fusion"),
        };
        let name = cx.names.fresh(&name);
        let shape = instruction.shape.clone();
        let mut made = graph::instruction(name, Opcode::Fusion, shape, &operands, &instruction);
        set(&mut made, Key::Kind, Value::Word("kCustom".into()));
        set(&mut made, Key::Calls, Value::Computation(called));
        made
    };
    let control = instruction.attrs.into_iter().filter(|a| a.key == Key::ControlPredecessors);
    made.attrs.extend(control);
    computation.instructions[id.0 as usize] = made;
}

/// A computation of these, the last of which is its result, and what it is given.
fn outlined(
    cx: &mut Cx<'_>,
    computation: &Computation,
    members: &[InstructionId],
    sparse: bool,
) -> (ComputationId, Vec<InstructionId>) {
    let mut inside: Vec<Instruction> = Vec::new();
    let mut place: FxHashMap<InstructionId, InstructionId> = FxHashMap::default();
    let mut operands: Vec<InstructionId> = Vec::new();
    // Those of the last come first: an array that is changed is operand 0.
    for &o in members.iter().rev().flat_map(|&m| &computation.instruction(m).operands) {
        if members.contains(&o) || place.contains_key(&o) {
            continue;
        }
        let from = computation.instruction(o);
        let name = cx.names.fresh(&format!("param_{}", operands.len()));
        let mut parameter = graph::instruction(name, Opcode::Parameter, from.shape.clone(), &[], from);
        parameter.metadata = None;
        parameter.parameter_number = Some(operands.len() as i64);
        place.insert(o, graph::push_to(&mut inside, parameter));
        operands.push(o);
    }
    for &m in members {
        let mut copy = computation.instruction(m).clone();
        copy.name = cx.names.fresh(&copy.name);
        copy.attrs.retain(|a| a.key != Key::ControlPredecessors);
        copy.operands.iter_mut().for_each(|o| *o = place[o]);
        place.insert(m, graph::push_to(&mut inside, copy));
    }
    let id = ComputationId(cx.module.computations.len() as u32);
    let name = cx.names.fresh(if sparse { "offloaded_computation" } else { "fused_computation" });
    cx.module.computations.push(Computation {
        name,
        root: InstructionId(inside.len() as u32 - 1),
        span: inside.last().map(|i| i.span).unwrap_or_default(),
        instructions: inside,
        execution_thread: sparse.then(|| THREAD.into()),
    });
    (id, operands)
}

/// `u32[]{:S(8)}`, what a SparseCore signals its end with.
fn flag() -> Arc<Shape> {
    let layout = Layout { memory_space: FLAGS, ..Layout::default() };
    Arc::new(Shape::Array(ArrayShape {
        layout: Some(layout.into()),
        ..ArrayShape::new(ElementType::U32, [])
    }))
}
