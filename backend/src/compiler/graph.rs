//! Editing computations: an [`HloModule`] whose instructions are an arena while a pass runs.
//!
//! New instructions go to the end; uses are redirected; what nobody needs is dropped and the rest brought in order by [`compact`]. Between
//! passes a computation is in order: operands first.

use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::hlo::{
    ArrayShape, Attr, Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Layout, Opcode,
    Shape, Value,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// Names that are not taken, by stem: `fusion`, `fusion.1`, `fusion.2`.
#[derive(Debug, Default)]
pub struct Names {
    taken: FxHashSet<Arc<str>>,
    next: FxHashMap<Arc<str>, u32>,
}

impl Names {
    /// Those of a module are taken.
    pub fn of(module: &HloModule) -> Names {
        let instructions = module.computations.iter().flat_map(|c| &c.instructions).map(|i| i.name.clone());
        let taken = module.computations.iter().map(|c| c.name.clone()).chain(instructions).collect();
        Names { taken, next: FxHashMap::default() }
    }

    /// A new one.
    pub fn fresh(&mut self, stem: &str) -> Arc<str> {
        let stem = match stem.rsplit_once('.') {
            Some((stem, n)) if !stem.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => stem,
            _ => stem,
        };
        loop {
            let n = self.next.entry(stem.into()).or_default();
            let name: Arc<str> = if *n == 0 { stem.into() } else { format!("{stem}.{n}").into() };
            *n += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// An instruction of this opcode; where it comes from is `like`'s place.
pub fn instruction(
    name: Arc<str>,
    opcode: Opcode,
    shape: Arc<Shape>,
    operands: &[InstructionId],
    like: &Instruction,
) -> Instruction {
    Instruction {
        name,
        opcode,
        sugar: None,
        shape,
        operands: operands.into(),
        parameter_number: None,
        literal: None,
        attrs: Vec::new(),
        metadata: like.metadata.clone(),
        span: like.span,
    }
}

/// Appends, and says where.
pub fn push(computation: &mut Computation, instruction: Instruction) -> InstructionId {
    computation.instructions.push(instruction);
    InstructionId(computation.instructions.len() as u32 - 1)
}

/// Who uses each instruction, each user once.
pub fn users(computation: &Computation) -> Vec<SmallVec<[InstructionId; 4]>> {
    let mut users: Vec<SmallVec<[InstructionId; 4]>> = vec![SmallVec::new(); computation.instructions.len()];
    for (i, instruction) in computation.instructions.iter().enumerate() {
        let id = InstructionId(i as u32);
        for operand in &instruction.operands {
            let of = &mut users[operand.0 as usize];
            if of.last() != Some(&id) {
                of.push(id);
            }
        }
    }
    users
}

/// What stays even where nobody uses its result.
pub fn has_side_effect(module: &HloModule, instruction: &Instruction) -> bool {
    use Opcode as O;
    match instruction.opcode {
        O::Parameter
        | O::Send
        | O::SendDone
        | O::Recv
        | O::RecvDone
        | O::Infeed
        | O::Outfeed
        | O::Domain
        | O::AfterAll => true,
        // State of a generator, and whoever waits for others.
        O::RngGetAndUpdateState => true,
        O::CustomCall => instruction.attr(&Key::CustomCallHasSideEffect) == Some(&Value::Bool(true)),
        O::While | O::Conditional | O::Call => {
            instruction.called().any(|c| {
                module.computation(c).instructions.iter().any(|i| {
                    i.opcode != O::Parameter && i.opcode != O::AfterAll && has_side_effect(module, i)
                })
            })
        }
        _ => is_collective(instruction.opcode),
    }
}

/// Other devices wait for it.
pub fn is_collective(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(
        opcode,
        O::AllGather
            | O::AllReduce
            | O::AllToAll
            | O::CollectiveBroadcast
            | O::CollectivePermute
            | O::CollectiveReduce
            | O::RaggedAllToAll
            | O::ReduceScatter
    )
}

/// Redirects each operand `i` to `to[i]`, followed to its end, the root too.
pub fn redirect(computation: &mut Computation, to: &[InstructionId]) {
    let end = |mut id: InstructionId| {
        // Each redirection leads to something that was there first or is not redirected: no cycles.
        for _ in 0..to.len() {
            match to.get(id.0 as usize) {
                Some(&next) if next != id => id = next,
                _ => break,
            }
        }
        id
    };
    for instruction in &mut computation.instructions {
        instruction.operands.iter_mut().for_each(|o| *o = end(*o));
        for Attr { key, value } in &mut instruction.attrs {
            if let (Key::ControlPredecessors, Value::Instructions(ids)) = (key, value) {
                ids.iter_mut().for_each(|o| *o = end(*o));
            }
        }
    }
    computation.root = end(computation.root);
}

/// Drops what neither the root needs nor `keeps` says, and brings the rest in order: operands first, otherwise as it was.
pub fn compact(computation: &mut Computation, keeps: impl Fn(&Instruction) -> bool) {
    let n = computation.instructions.len();
    let before = |i: usize| -> SmallVec<[InstructionId; 4]> {
        let instruction = &computation.instructions[i];
        let mut all = instruction.operands.clone();
        if let Some(Value::Instructions(ids)) = instruction.attr(&Key::ControlPredecessors) {
            all.extend(ids.iter().copied());
        }
        all
    };
    let mut needed = vec![false; n];
    let mut open: Vec<usize> = (0..n).filter(|&i| keeps(&computation.instructions[i])).collect();
    open.push(computation.root.0 as usize);
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut needed[i], true) {
            open.extend(before(i).iter().map(|o| o.0 as usize));
        }
    }
    let order = in_order(n, |i| needed[i], before);
    reorder(computation, &order);
}

/// Puts instructions in that order, which has all that are needed, operands first.
pub fn reorder(computation: &mut Computation, order: &[usize]) {
    let n = computation.instructions.len();
    let mut place = vec![InstructionId(u32::MAX); n];
    for (new, &old) in order.iter().enumerate() {
        place[old] = InstructionId(new as u32);
    }
    let mut old: Vec<Option<Instruction>> =
        std::mem::take(&mut computation.instructions).into_iter().map(Some).collect();
    computation.instructions = order.iter().filter_map(|&i| old[i].take()).collect();
    for instruction in &mut computation.instructions {
        instruction.operands.iter_mut().for_each(|o| *o = place[o.0 as usize]);
        for Attr { key, value } in &mut instruction.attrs {
            if let (Key::ControlPredecessors, Value::Instructions(ids)) = (key, value) {
                ids.iter_mut().for_each(|o| *o = place[o.0 as usize]);
            }
        }
    }
    computation.root = place[computation.root.0 as usize];
}

/// Places of what `is_in`, each after those `before` it, otherwise by number.
pub fn in_order(
    n: usize,
    is_in: impl Fn(usize) -> bool,
    before: impl Fn(usize) -> SmallVec<[InstructionId; 4]>,
) -> Vec<usize> {
    let mut order = Vec::with_capacity(n);
    let mut state = vec![0u8; n];
    let mut open: Vec<(usize, SmallVec<[InstructionId; 4]>, usize)> = Vec::new();
    for start in (0..n).filter(|&i| is_in(i)) {
        if state[start] != 0 {
            continue;
        }
        state[start] = 1;
        open.push((start, before(start), 0));
        while let Some((i, all, next)) = open.last_mut() {
            let Some(&operand) = all.get(*next) else {
                state[*i] = 2;
                order.push(*i);
                open.pop();
                continue;
            };
            *next += 1;
            let o = operand.0 as usize;
            if state[o] == 0 {
                state[o] = 1;
                open.push((o, before(o), 0));
            }
        }
    }
    order
}

/// Does each instruction that control flow reaches come after its operands?
pub fn is_in_order(module: &HloModule) -> bool {
    let after = |c: &Computation| {
        let mut all = c.instructions.iter().enumerate();
        all.all(|(i, instruction)| instruction.operands.iter().all(|o| (o.0 as usize) < i))
    };
    control(module).into_iter().all(|id| after(module.computation(id)))
}

/// Computations that control flow reaches: each after those that it calls; the entry comes last.
pub fn control(module: &HloModule) -> Vec<ComputationId> {
    let mut order = Vec::new();
    let mut state = vec![0u8; module.computations.len()];
    let mut open = vec![(module.entry, callees(module, module.entry), 0usize)];
    state[module.entry.0 as usize] = 1;
    while let Some((id, all, next)) = open.last_mut() {
        let Some(&callee) = all.get(*next) else {
            order.push(*id);
            open.pop();
            continue;
        };
        *next += 1;
        if std::mem::replace(&mut state[callee.0 as usize], 1) == 0 {
            open.push((callee, callees(module, callee), 0));
        }
    }
    order
}

/// What a computation hands control to.
fn callees(module: &HloModule, id: ComputationId) -> Vec<ComputationId> {
    let of = |i: &Instruction| match i.opcode {
        Opcode::While | Opcode::Conditional | Opcode::Call => i.called().collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    module.computation(id).instructions.iter().flat_map(of).collect()
}

/// Drops computations that nobody reaches, and puts each behind those that it calls.
pub fn tidy(module: &mut HloModule) {
    let mut order: Vec<usize> = Vec::new();
    let mut seen = vec![false; module.computations.len()];
    let calls = |c: usize| -> Vec<ComputationId> {
        module.computations[c].instructions.iter().flat_map(|i| i.called()).collect()
    };
    let start = module.entry.0 as usize;
    seen[start] = true;
    let mut open = vec![(start, calls(start), 0usize)];
    while let Some((c, all, next)) = open.last_mut() {
        let Some(callee) = all.get(*next) else {
            order.push(*c);
            open.pop();
            continue;
        };
        *next += 1;
        let callee = callee.0 as usize;
        if !std::mem::replace(&mut seen[callee], true) {
            open.push((callee, calls(callee), 0));
        }
    }
    let mut place = vec![ComputationId(u32::MAX); module.computations.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = ComputationId(new as u32);
    }
    let mut old: Vec<Option<Computation>> =
        std::mem::take(&mut module.computations).into_iter().map(Some).collect();
    module.computations = order.iter().filter_map(|&c| old[c].take()).collect();
    module.entry = place[start];
    for a in module.computations.iter_mut().flat_map(|c| &mut c.instructions).flat_map(|i| &mut i.attrs) {
        match &mut a.value {
            Value::Computation(id) => *id = place[id.0 as usize],
            Value::Computations(ids) => ids.iter_mut().for_each(|id| *id = place[id.0 as usize]),
            _ => {}
        }
    }
}

/// Sets or replaces an attribute.
pub fn set(instruction: &mut Instruction, key: Key, value: Value) {
    match instruction.attrs.iter_mut().find(|a| a.key == key) {
        Some(a) => a.value = value,
        None => instruction.attrs.push(Attr { key, value }),
    }
}

/// A list of dimensions, empty where there is none.
pub fn dims<'a>(instruction: &'a Instruction, key: &Key) -> &'a [i64] {
    match instruction.attr(key) {
        Some(Value::Ints(dims)) => dims,
        _ => &[],
    }
}

/// The same array, laid otherwise.
pub fn laid(array: &ArrayShape, layout: Layout) -> Arc<Shape> {
    Arc::new(Shape::Array(ArrayShape { layout: Some(Arc::new(layout)), ..array.clone() }))
}

/// The shape without layouts.
pub fn bare(shape: &Shape) -> Shape {
    match shape {
        Shape::Array(a) => Shape::Array(ArrayShape { layout: None, ..a.clone() }),
        Shape::Buffer(a) => Shape::Buffer(ArrayShape { layout: None, ..a.clone() }),
        Shape::Tuple(items) => Shape::Tuple(items.iter().map(|s| Arc::new(bare(s))).collect()),
        Shape::Token => Shape::Token,
        Shape::Opaque => Shape::Opaque,
    }
}

/// Does the instruction occupy the TensorCore? (Not: what is there already, control flow, and what goes on beside it.)
pub fn is_kernel(instruction: &Instruction) -> bool {
    use Opcode as O;
    !matches!(
        instruction.opcode,
        O::Parameter
            | O::Constant
            | O::Tuple
            | O::GetTupleElement
            | O::Bitcast
            | O::AfterAll
            | O::AddDependency
            | O::OptimizationBarrier
            | O::Domain
            | O::PartitionId
            | O::ReplicaId
            | O::GetDimensionSize
            | O::SetDimensionSize
            | O::While
            | O::Conditional
            | O::Call
            | O::CopyStart
            | O::CopyDone
            | O::AsyncStart
            | O::AsyncUpdate
            | O::AsyncDone
            | O::Send
            | O::SendDone
            | O::Recv
            | O::RecvDone
            | O::CollectivePermuteStart
            | O::CollectivePermuteDone
            | O::AllGatherStart
            | O::AllGatherDone
            | O::AllReduceStart
            | O::AllReduceDone
    )
}
