//! From buffers and their lives to memory: outputs, the heap, the peak.

use super::buffers::{Buffers, CellId, Kind, Site};
use super::in_place::{self, below};
use super::{Buffer, Memory, Role};
use crate::time::Place;
use crate::time::arrays::{self, Memory as Space};
use hbm::allocator::{self, Order, Request};
use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::hlo::{HloModule, Key, Shape};
use sim_core::{ElementType, Result};

/// What libtpu aligns temporaries to: a tile of 8 x 128 words.
const ALIGNMENT: u64 = 4096;

pub fn memory(module: &HloModule, all: &Buffers<'_>) -> Result<Memory> {
    let mut memory = Memory {
        steps: all.steps.len() as u32,
        partitions: module.count(&Key::NumPartitions),
        ..Memory::default()
    };
    let roles = outputs(module, all, &mut memory);
    for (id, cell) in all.own() {
        let role = match cell.kind {
            Kind::Argument => Role::Argument,
            Kind::Constant => Role::Constant,
            Kind::Temporary => roles.get(&id).copied().unwrap_or(Role::Temporary),
        };
        let array = all.array(cell.site);
        let dense = array.map_or(cell.bytes, dense);
        let sum = match (role, cell.space) {
            (Role::Argument, Space::Hbm) => Some(&mut memory.arguments),
            (Role::Constant, Space::Hbm) => Some(&mut memory.constants),
            _ => None,
        };
        if let Some(sum) = sum {
            *sum = sum.saturating_add(cell.bytes);
        }
        if !matches!(cell.space, Space::Hbm | Space::Vmem) || cell.bytes == 0 {
            continue;
        }
        memory.buffers.push(Buffer {
            role,
            space: cell.space,
            array: array.cloned(),
            bytes: cell.bytes,
            padding: cell.bytes.saturating_sub(dense),
            from: cell.from,
            until: cell.until,
            offset: None,
            ..named(module, cell.site)
        });
    }
    for scoped in &all.scoped {
        memory.buffers.push(Buffer {
            space: scoped.space,
            bytes: scoped.bytes,
            from: scoped.step,
            until: scoped.step,
            ..named(module, scoped.site)
        });
    }
    memory.buffers.sort_by_key(|b| (std::cmp::Reverse(b.bytes), b.from));
    place(&mut memory);
    let separate = memory.outputs.saturating_sub(memory.aliased);
    memory.peak = memory.arguments.saturating_add(separate).saturating_add(memory.temporaries);
    memory.padding = memory.at_peak().fold(0u64, |n, b| n.saturating_add(b.padding));
    if let Some(&(computation, instruction)) = all.steps.get(memory.at as usize) {
        let running = module.computation(computation).instruction(instruction);
        memory.running = running.name.clone();
        memory.running_place = Place::of(module, running);
    }
    Ok(memory)
}

/// Bytes of the values alone; of truth values, a byte each.
fn dense(array: &sim_core::hlo::ArrayShape) -> u64 {
    match array.element {
        ElementType::Pred => {
            arrays::dense_bytes(array).saturating_mul(8 / u64::from(array.element.bits().max(1)))
        }
        _ => arrays::dense_bytes(array),
    }
}

/// Sums up the outputs, and says which cells they are.
fn outputs(module: &HloModule, all: &Buffers<'_>, memory: &mut Memory) -> FxHashMap<CellId, Role> {
    let mut roles = FxHashMap::default();
    let root = &module.entry().root().shape;
    let mut donated = FxHashSet::default();
    for alias in in_place::aliases(module.attr(&Key::InputOutputAlias)) {
        let parameter = usize::try_from(alias.parameter).ok().and_then(|n| all.parameters.get(n));
        if parameter.is_some()
            && let Some((first, n)) = below(root, &alias.output)
        {
            donated.extend(first..first + n);
        }
    }
    for (leaf, (&cell, array)) in all.root.iter().zip(arrays::arrays(root)).enumerate() {
        if arrays::memory(array) != Space::Hbm {
            continue;
        }
        let bytes = arrays::bytes(array);
        memory.outputs = memory.outputs.saturating_add(bytes);
        let role = if donated.contains(&leaf) { Role::Aliased } else { Role::Output };
        if role == Role::Aliased {
            memory.aliased = memory.aliased.saturating_add(bytes);
        }
        roles.entry(all.find(cell)).or_insert(role);
    }
    if let Shape::Tuple(items) = &**root {
        // The addresses of a tuple's elements, which lie in HBM too.
        let table = (items.len() as u64).saturating_mul(4).next_multiple_of(32);
        memory.outputs = memory.outputs.saturating_add(table);
    }
    roles
}

fn named(module: &HloModule, site: Site) -> Buffer {
    let instruction = module.computation(site.computation).instruction(site.instruction);
    let several = arrays::arrays(&instruction.shape).len() > 1;
    Buffer {
        name: if several {
            format!("{}{{{}}}", instruction.name, site.leaf).into()
        } else {
            instruction.name.clone()
        },
        role: Role::Scratch,
        space: Space::Hbm,
        array: None,
        bytes: 0,
        padding: 0,
        from: 0,
        until: 0,
        offset: None,
        place: Place::of(module, instruction),
    }
}

/// Gives temporaries their places in the heap.
fn place(memory: &mut Memory) {
    let heap = |b: &Buffer| b.space == Space::Hbm && matches!(b.role, Role::Temporary | Role::Scratch);
    let requests = |memory: &Memory, of: &dyn Fn(&Buffer) -> bool| -> Vec<Request> {
        let buffers = memory.buffers.iter().filter(|b| of(b));
        buffers
            .map(|b| Request { bytes: b.bytes, from: b.from, until: b.until, alignment: ALIGNMENT })
            .collect()
    };
    let temporaries = requests(memory, &heap);
    let alive = allocator::most_alive(&temporaries);
    (memory.alive, memory.at) = (alive.bytes, alive.at);
    // As the program comes to them: of the orders it is the one that gives the sizes of XLA:TPU's own heaps.
    if let Some(placement) = allocator::allocate_in(&temporaries, Order::Program) {
        memory.temporaries = placement.peak;
        for (buffer, &offset) in memory.buffers.iter_mut().filter(|b| heap(b)).zip(&placement.offsets) {
            buffer.offset = Some(offset);
        }
    }
    memory.vmem_peak = allocator::most_alive(&requests(memory, &|b| b.space == Space::Vmem)).bytes;
}
