//! An element that a loop carries, put into VMEM.

use super::element::Element;
use super::{ONE, Parent, VMEM, flag, in_memory, makes, reads};
use crate::compiler::graph::{self, Names};
use sim_core::hlo::{ComputationId, HloModule, Instruction, InstructionId, Key, Opcode, Shape, Value};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

pub(super) fn to_vmem(
    module: &mut HloModule,
    names: &mut Names,
    parent: &mut Parent,
    at: usize,
    parts: [ComputationId; 2],
    element: &Element,
) {
    let n = element.number;
    for id in parts {
        let computation = &mut module.computations[id.0 as usize];
        for i in &mut computation.instructions {
            if i.opcode == Opcode::Parameter {
                set_element(i, n);
            }
        }
        let parameters: Vec<bool> =
            computation.instructions.iter().map(|i| i.opcode == Opcode::Parameter).collect();
        for i in &mut computation.instructions {
            let of = i.operands.first().is_some_and(|o| parameters[o.0 as usize]);
            if i.opcode == Opcode::GetTupleElement && of && i.element() == Some(n) {
                set_array(i);
            }
        }
    }
    let body = &mut module.computations[parts[1].0 as usize];
    element.cells.iter().for_each(|c| set_array(&mut body.instructions[c.0 as usize]));
    if let Some((by, e)) = element.several {
        set_element(&mut body.instructions[by.0 as usize], e);
    }
    let root = body.root.0 as usize;
    set_element(&mut body.instructions[root], n);
    before(module, names, parent, at, n);
    behind(module, names, parent, at, n);
}

/// It is fetched before the loop.
fn before(module: &mut HloModule, names: &mut Names, known: &mut Parent, at: usize, n: usize) {
    let parent = known.id;
    let computation = &mut module.computations[parent.0 as usize];
    let tuple = computation.instructions[at].operands[0].0 as usize;
    let first = computation.instructions[tuple].operands[n];
    let mut from = first;
    // A copy that there is anyway leads there; what a kernel makes is made there, and memory to write to is there at once.
    let is_copy = computation.instruction(from).opcode == Opcode::Copy;
    let same_order = |a: InstructionId, b: InstructionId| {
        computation.instruction(a).shape == computation.instruction(b).shape
    };
    let alone = known.users[from.0 as usize].len() == 1;
    if is_copy && alone && same_order(from, computation.instruction(from).operands[0]) {
        from = computation.instruction(from).operands[0];
    }
    let source = computation.instruction(from).clone();
    let memory = source.attr(&Key::CustomCallTarget) == Some(&Value::String("AllocateBuffer".into()));
    // Other loops have VMEM to themselves.
    let between = from.0 as usize..at.max(from.0 as usize);
    let alone = alone && !computation.instructions[between].iter().any(Instruction::hands_over);
    let several = several(module, known, from, at);
    let there = match alone && (memory || makes(ONE, module, &source, None)) {
        true => {
            set_array(&mut module.computations[parent.0 as usize].instructions[from.0 as usize]);
            from
        }
        false => match several {
            Some((by, e)) => {
                let computation = &mut module.computations[parent.0 as usize];
                set_element(&mut computation.instructions[by.0 as usize], e);
                set_array(&mut computation.instructions[from.0 as usize]);
                from
            }
            None => copied(module, names, known, from, VMEM),
        },
    };
    let computation = &mut module.computations[parent.0 as usize];
    computation.instructions[tuple].operands[n] = there;
    if there != first {
        let by = InstructionId(tuple as u32);
        if !computation.instructions[tuple].operands.contains(&first) {
            known.users[first.0 as usize].retain(|u| *u != by);
        }
        known.users[there.0 as usize].push(by);
    }
    set_element(&mut computation.instructions[tuple], n);
    set_element(&mut computation.instructions[at], n);
}

/// The kernel with several results one of which it is, by number, if nobody else looks at that, and no other loop runs before this one.
fn several(
    module: &HloModule,
    known: &Parent,
    id: InstructionId,
    at: usize,
) -> Option<(InstructionId, usize)> {
    let computation = module.computation(known.id);
    let look = computation.instruction(id);
    let by = *look.operands.first().filter(|_| look.opcode == Opcode::GetTupleElement)?;
    let kernel = computation.instruction(by);
    let element = look.element()?;
    let users = &known.users;
    let same = |u: &&InstructionId| computation.instruction(**u).element() == Some(element);
    let alone = users[id.0 as usize].len() == 1 && users[by.0 as usize].iter().filter(same).count() == 1;
    let made = kernel.opcode == Opcode::Fusion && makes(ONE, module, kernel, Some(element));
    let between = &computation.instructions[by.0 as usize..at];
    (alone && made && !between.iter().any(Instruction::hands_over)).then_some((by, element))
}

/// It goes back behind the loop, unless kernels alone read it.
fn behind(module: &mut HloModule, names: &mut Names, known: &mut Parent, at: usize, n: usize) {
    let parent = known.id;
    let computation = module.computation(parent);
    let users = &known.users;
    let elements: Vec<(InstructionId, bool)> = users[at]
        .iter()
        .copied()
        .filter(|&u| computation.instruction(u).element() == Some(n))
        .map(|e| {
            let kernels = users[e.0 as usize].iter().all(|&u| reads(module, computation.instruction(u), e));
            (e, e != computation.root && kernels)
        })
        .collect();
    for (element, by_kernels) in elements {
        let computation = &mut module.computations[parent.0 as usize];
        set_array(&mut computation.instructions[element.0 as usize]);
        if by_kernels {
            continue;
        }
        let readers = std::mem::take(&mut known.users[element.0 as usize]);
        let back = copied(module, names, known, element, 0);
        let computation = &mut module.computations[parent.0 as usize];
        for reader in &readers {
            let operands = computation.instructions[reader.0 as usize].operands.iter_mut();
            operands.filter(|o| **o == element).for_each(|o| *o = back);
        }
        known.users[back.0 as usize] = readers;
        if computation.root == element {
            computation.root = back;
        }
    }
}

/// A copy beside kernels into that memory.
fn copied(
    module: &mut HloModule,
    names: &mut Names,
    known: &mut Parent,
    from: InstructionId,
    space: i64,
) -> InstructionId {
    let computation = &mut module.computations[known.id.0 as usize];
    let source = computation.instruction(from).clone();
    let Some(array) = source.shape.as_array() else { return from };
    let there = in_memory(array, space);
    let parts = vec![there.clone(), source.shape.clone(), flag()];
    let shape = Arc::new(Shape::Tuple(parts));
    let start = graph::instruction(names.fresh("copy-start"), Opcode::CopyStart, shape, &[from], &source);
    let start = graph::push(computation, start);
    let done = graph::instruction(names.fresh("copy-done"), Opcode::CopyDone, there, &[start], &source);
    let done = graph::push(computation, done);
    known.users[from.0 as usize].push(start);
    known.users.extend([smallvec![done], SmallVec::new()]);
    done
}

fn set_element(i: &mut Instruction, n: usize) {
    if let Shape::Tuple(parts) = &*i.shape {
        let mut parts = parts.clone();
        if let Some(part) = parts.get_mut(n)
            && let Some(array) = part.as_array()
        {
            *part = in_memory(array, VMEM);
        }
        i.shape = Arc::new(Shape::Tuple(parts));
    }
}

fn set_array(i: &mut Instruction) {
    if let Some(array) = i.shape.as_array() {
        i.shape = in_memory(array, VMEM);
    }
}
