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
        metadata: like.metadata.clone(),
        span: like.span,
        ..Instruction::new(name, opcode, shape, operands)
    }
}

/// Appends, and says where.
pub fn push(computation: &mut Computation, instruction: Instruction) -> InstructionId {
    push_to(&mut computation.instructions, instruction)
}

/// Appends to what will be a computation.
pub fn push_to(instructions: &mut Vec<Instruction>, instruction: Instruction) -> InstructionId {
    instructions.push(instruction);
    InstructionId(instructions.len() as u32 - 1)
}

/// What has to come before an instruction: its operands, and what it is told to wait for.
pub fn before(instruction: &Instruction) -> impl Iterator<Item = InstructionId> + '_ {
    let control = match instruction.attr(&Key::ControlPredecessors) {
        Some(Value::Instructions(ids)) => &ids[..],
        _ => &[],
    };
    instruction.operands.iter().chain(control).copied()
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

/// What stays even where nobody uses its result: it is seen from outside.
pub struct Effects {
    /// Computations in which something is.
    within: Vec<bool>,
}

impl Effects {
    /// Of a module; passes only take away what has none.
    pub fn of(module: &HloModule) -> Effects {
        let mut effects = Effects { within: vec![false; module.computations.len()] };
        // Callees come first.
        for id in module.reached() {
            let seen = |i: &Instruction| {
                !matches!(i.opcode, Opcode::Parameter | Opcode::AfterAll) && effects.keeps(i)
            };
            effects.within[id.0 as usize] = module.computation(id).instructions.iter().any(seen);
        }
        effects
    }

    pub fn keeps(&self, instruction: &Instruction) -> bool {
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
            _ if instruction.hands_over() => {
                instruction.called().any(|c| self.within.get(c.0 as usize).copied().unwrap_or(false))
            }
            _ => is_collective(instruction.opcode),
        }
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
    computation.instructions.iter_mut().flat_map(Instruction::before_mut).for_each(|o| *o = end(*o));
    computation.root = end(computation.root);
}

/// Drops what neither the root needs nor `keeps` says, and brings the rest in order: operands first, otherwise as it was.
pub fn compact(computation: &mut Computation, keeps: impl Fn(&Instruction) -> bool) {
    let n = computation.instructions.len();
    let before =
        |i: usize| -> SmallVec<[InstructionId; 4]> { before(&computation.instructions[i]).collect() };
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
    let all = computation.instructions.iter_mut().flat_map(Instruction::before_mut);
    all.for_each(|o| *o = place[o.0 as usize]);
    computation.root = place[computation.root.0 as usize];
}

/// Places of what `is_in`, each after those `before` it, otherwise by number.
fn in_order(
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

/// Does each instruction come after its operands?
pub fn is_ordered(computation: &Computation) -> bool {
    let mut all = computation.instructions.iter().enumerate();
    all.all(|(i, instruction)| instruction.operands.iter().all(|o| (o.0 as usize) < i))
}

/// Does each instruction that control flow reaches come after its operands?
pub fn is_in_order(module: &HloModule) -> bool {
    module.reached().into_iter().all(|id| is_ordered(module.computation(id)))
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

/// The operands that a kernel changes in place, by number: those of updates and scatters that leave it.
pub fn updated(module: &HloModule, i: &Instruction) -> SmallVec<[usize; 2]> {
    let changes = |i: &Instruction| match i.opcode {
        Opcode::DynamicUpdateSlice => 1,
        Opcode::Scatter => i.operands.len() / 2,
        _ => 0,
    };
    if i.opcode != Opcode::Fusion {
        return (0..changes(i)).collect();
    }
    let Some(callee) = i.called().next().map(|c| module.computation(c)) else { return SmallVec::new() };
    let changed = leaving(callee).flat_map(|root| root.operands.iter().take(changes(root)));
    let number = |&o: &InstructionId| callee.instruction(source(callee, o)).parameter_number;
    changed.filter_map(number).filter_map(|n| usize::try_from(n).ok()).collect()
}

/// What a fusion's computation hands out, each by what makes it.
pub fn leaving(callee: &Computation) -> impl Iterator<Item = &Instruction> {
    let all = match callee.root().opcode {
        Opcode::Tuple => &callee.root().operands[..],
        _ => std::slice::from_ref(&callee.root),
    };
    all.iter().map(|&o| callee.instruction(source(callee, o)))
}

/// The looks at element `n` of a computation's parameter, as loops have them.
pub fn looks(computation: &Computation, n: usize) -> Vec<InstructionId> {
    let is_look = |i: &InstructionId| {
        let i = computation.instruction(*i);
        let of = i.operands.first().map(|&o| computation.instruction(o).opcode);
        i.opcode == Opcode::GetTupleElement && i.element() == Some(n) && of == Some(Opcode::Parameter)
    };
    (0..computation.instructions.len() as u32).map(InstructionId).filter(is_look).collect()
}

/// The instruction whose memory it is, seen otherwise.
pub fn source(computation: &Computation, mut id: InstructionId) -> InstructionId {
    while let (Opcode::Bitcast | Opcode::OptimizationBarrier, Some(&o)) =
        (computation.instruction(id).opcode, computation.instruction(id).operands.first())
    {
        id = o;
    }
    id
}

/// Does the instruction make one value of its result (of each, if it has several) of one of each operand?
pub fn is_by_value(module: &HloModule, i: &Instruction) -> bool {
    let kinds = |op: Opcode| {
        is_elementwise(op)
            || matches!(
                op,
                Opcode::Parameter
                    | Opcode::Constant
                    | Opcode::Broadcast
                    | Opcode::Bitcast
                    | Opcode::Iota
                    | Opcode::Tuple
            )
    };
    match (i.opcode, i.called().next()) {
        (Opcode::Fusion, Some(c)) => module.computation(c).instructions.iter().all(|i| kinds(i.opcode)),
        (op, _) => is_elementwise(op),
    }
}

/// Is each value of its results made when the operand's value in the same place is read? So a result may take the operand's memory: in the kernel of a
/// product, what the product's result is added to.
pub fn is_beside(module: &HloModule, i: &Instruction, operand: InstructionId) -> bool {
    if is_by_value(module, i) {
        return true;
    }
    let Some(callee) = i.called().next().filter(|_| i.opcode == Opcode::Fusion) else { return false };
    let callee = module.computation(callee);
    let mut reached: Vec<bool> = callee
        .instructions
        .iter()
        .map(|p| {
            let number = p.parameter_number.and_then(|n| usize::try_from(n).ok());
            number.and_then(|n| i.operands.get(n)) == Some(&operand)
        })
        .collect();
    for (k, inside) in callee.instructions.iter().enumerate() {
        if !inside.operands.iter().any(|o| reached[o.0 as usize]) {
            continue;
        }
        match inside.opcode {
            // What is added up leaves at the end.
            Opcode::Reduce => {}
            Opcode::Bitcast | Opcode::Tuple => reached[k] = true,
            op if is_elementwise(op) => reached[k] = true,
            _ => return false,
        }
    }
    true
}

/// One value of the result from one of each operand.
pub fn is_elementwise(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(
        opcode,
        O::Abs
            | O::Acos
            | O::Acosh
            | O::Add
            | O::And
            | O::Asin
            | O::Asinh
            | O::Atan2
            | O::Atanh
            | O::BitcastConvert
            | O::Cbrt
            | O::Ceil
            | O::Clamp
            | O::Compare
            | O::Complex
            | O::Convert
            | O::Cosh
            | O::Cosine
            | O::CountLeadingZeros
            | O::Divide
            | O::Erf
            | O::Exponential
            | O::Exponential2
            | O::ExponentialMinusOne
            | O::Floor
            | O::Imag
            | O::IsFinite
            | O::Log
            | O::Log2
            | O::LogPlusOne
            | O::Logistic
            | O::Maximum
            | O::Minimum
            | O::Mulhi
            | O::Multiply
            | O::Negate
            | O::Not
            | O::Or
            | O::PopulationCount
            | O::Power
            | O::Real
            | O::ReducePrecision
            | O::Remainder
            | O::RoundNearestAfz
            | O::RoundNearestEven
            | O::Rsqrt
            | O::Select
            | O::ShiftLeft
            | O::ShiftRightArithmetic
            | O::ShiftRightLogical
            | O::Sign
            | O::Sine
            | O::Sinh
            | O::Sqrt
            | O::Subtract
            | O::Tan
            | O::Tanh
            | O::Xor
    )
}
