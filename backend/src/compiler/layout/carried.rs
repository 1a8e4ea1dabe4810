//! What loops carry for products, on chips whose vector unit computes in bf16.
//!
//! There a register of bf16 is sixteen rows, and XLA:TPU lays what it is free to lay in tiles of `T(16,128)(2,1)`. Arguments keep theirs of
//! eight rows, and products take both; but what a loop only reads has a layout of its own, which products in its body choose. So weights of
//! stacked layers are copied into those tiles before the loop (`llama_decode4`, `scan_of_layers`: libtpu 0.0.52 on v7x), large ones by
//! SparseCores ([`super::super::indexed`]).

use crate::compiler::Cx;
use crate::compiler::graph::{self, laid, users};
use crate::time::arrays::physical;
use rustc_hash::FxHashMap;
use sim_core::ElementType;
use sim_core::hlo::{
    ArrayShape, Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode, Shape,
};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;
use std::sync::Arc;

/// Rows of bf16 in a register.
const ROWS: i64 = 16;

pub(super) fn run(cx: &mut Cx<'_>) {
    if cx.chip.units().vpu.bf16 == 0 {
        return;
    }
    let mut known = Known::of(&cx.module);
    // Callers come before what they call.
    for id in cx.module.reached() {
        let loops: Vec<InstructionId> = all(cx.module.computation(id))
            .filter(|&i| cx.module.computation(id).instruction(i).opcode == Opcode::While)
            .collect();
        let mut copies: Vec<(InstructionId, usize)> = Vec::new();
        for each in loops {
            for n in wanted(&cx.module, &mut known, id, each) {
                let tuple = cx.module.computation(id).instruction(each).operands[0];
                copies.push((tuple, n));
                carry(&mut cx.module, &mut known, id, each, n);
            }
        }
        insert(cx, id, &copies);
        if !copies.is_empty() {
            known.computations.remove(&id);
        }
    }
}

/// What is looked up of each computation once.
struct Known {
    computations: FxHashMap<ComputationId, Rc<Uses>>,
    /// How many call it.
    callers: FxHashMap<ComputationId, usize>,
}

struct Uses {
    users: Vec<SmallVec<[InstructionId; 4]>>,
    /// The looks at each element of its parameter.
    looks: FxHashMap<usize, SmallVec<[InstructionId; 2]>>,
}

impl Known {
    fn of(module: &HloModule) -> Known {
        let mut callers = FxHashMap::default();
        for c in module.computations.iter().flat_map(|c| &c.instructions).flat_map(Instruction::called) {
            *callers.entry(c).or_default() += 1;
        }
        Known { computations: FxHashMap::default(), callers }
    }

    fn uses(&mut self, module: &HloModule, id: ComputationId) -> Rc<Uses> {
        let of = || {
            let computation = module.computation(id);
            let mut looks: FxHashMap<usize, SmallVec<[InstructionId; 2]>> = FxHashMap::default();
            for at in all(computation) {
                let i = computation.instruction(at);
                let of = i.operands.first().map(|&o| computation.instruction(o).opcode);
                if let (Opcode::GetTupleElement, Some(Opcode::Parameter), Some(n)) =
                    (i.opcode, of, i.element())
                {
                    looks.entry(n).or_default().push(at);
                }
            }
            Rc::new(Uses { users: users(computation), looks })
        };
        self.computations.entry(id).or_insert_with(of).clone()
    }
}

impl Uses {
    fn looks(&self, n: usize) -> &[InstructionId] {
        self.looks.get(&n).map(|l| &l[..]).unwrap_or_default()
    }
}

fn all(computation: &Computation) -> impl Iterator<Item = InstructionId> + use<> {
    (0..computation.instructions.len() as u32).map(InstructionId)
}

/// The computations of a loop.
fn parts(i: &Instruction) -> Option<[ComputationId; 2]> {
    Some([i.calls(&Key::Body)?, i.calls(&Key::Condition)?])
}

/// Elements of a loop that are to have tiles of [`ROWS`].
fn wanted(module: &HloModule, known: &mut Known, id: ComputationId, each: InstructionId) -> Vec<usize> {
    let computation = module.computation(id);
    let of = computation.instruction(each);
    let Some(tuple) = of.operands.first().map(|&o| computation.instruction(o)) else { return Vec::new() };
    if tuple.opcode != Opcode::Tuple {
        return Vec::new();
    }
    let used: Vec<usize> = computation
        .instructions
        .iter()
        .filter(|i| i.opcode == Opcode::GetTupleElement && i.operands.first() == Some(&each))
        .filter_map(Instruction::element)
        .collect();
    let is_free = |n: &usize| {
        let start = computation.instruction(tuple.operands[*n]);
        start.shape.as_array().is_some_and(|a| retiled(a).is_some()) && !used.contains(n)
    };
    (0..tuple.operands.len()).filter(is_free).filter(|&n| is_read(module, known, of, n)).collect()
}

/// Is the element only read, and only for products?
fn is_read(module: &HloModule, known: &mut Known, of: &Instruction, n: usize) -> bool {
    let Some([body, condition]) = parts(of) else { return false };
    let shared = [body, condition].iter().any(|c| known.callers.get(c).is_some_and(|&n| n > 1));
    if shared || !known.uses(module, condition).looks(n).is_empty() {
        return false;
    }
    let uses = known.uses(module, body);
    let body = module.computation(body);
    let root = body.root();
    let kept =
        root.opcode == Opcode::Tuple && root.operands.get(n).is_some_and(|o| uses.looks(n).contains(o));
    let mut products = 0;
    let mut feeds = |&look: &InstructionId| feeds(module, known, body, &uses, (look, n), &mut products);
    kept && uses.looks(n).iter().all(&mut feeds) && products > 0
}

/// Do all who use the value, of that element, take it for a product?
fn feeds(
    module: &HloModule,
    known: &mut Known,
    body: &Computation,
    uses: &Uses,
    (id, element): (InstructionId, usize),
    products: &mut usize,
) -> bool {
    uses.users[id.0 as usize].iter().all(|&u| {
        let user = body.instruction(u);
        let places = || user.operands.iter().enumerate().filter(|&(_, &o)| o == id).map(|(n, _)| n);
        match user.opcode {
            Opcode::Dot | Opcode::Convolution => {
                *products += 1;
                true
            }
            Opcode::DynamicSlice | Opcode::Slice | Opcode::Bitcast | Opcode::Reshape => {
                keeps(body, id, u) && feeds(module, known, body, uses, (u, element), products)
            }
            Opcode::Tuple if u == body.root => places().all(|n| n == element),
            Opcode::Tuple => uses.users[u.0 as usize].iter().all(|&inner| {
                let inner = body.instruction(inner);
                let reads =
                    inner.opcode == Opcode::While && places().all(|n| is_read(module, known, inner, n));
                *products += usize::from(reads);
                reads
            }),
            _ => false,
        }
    })
}

/// Are the two dimensions that tiles cut those of the operand?
fn keeps(computation: &Computation, operand: InstructionId, user: InstructionId) -> bool {
    let array = |id: InstructionId| computation.instruction(id).shape.as_array();
    let (Some(from), Some(to)) = (array(operand), array(user)) else { return false };
    let minor = |a: &ArrayShape| -> SmallVec<[usize; 2]> {
        physical(a).iter().rev().take(2).map(|&(_, n)| n).collect()
    };
    minor(from) == minor(to) && retiled(to).is_some()
}

/// The array in tiles of [`ROWS`], if it is bf16 in tiles of eight and has as many rows.
fn retiled(array: &ArrayShape) -> Option<Arc<Shape>> {
    let layout = array.layout.as_ref()?;
    let rows = physical(array).iter().rev().nth(1).map(|&(_, n)| n as i64)?;
    let is = array.element == ElementType::BF16
        && rows >= ROWS
        && layout.memory_space == 0
        && layout.tiles.first().is_some_and(|t| t.0[..] == [8, 128]);
    let mut layout = (**layout).clone();
    is.then(|| {
        layout.tiles[0].0 = smallvec![ROWS, 128];
        laid(array, layout)
    })
}

/// Gives element `n` of a loop tiles of [`ROWS`], in what it takes, in its computations and in its result.
fn carry(module: &mut HloModule, known: &mut Known, id: ComputationId, each: InstructionId, n: usize) {
    let of = &mut module.computations[id.0 as usize].instructions[each.0 as usize];
    part(&mut of.shape, n);
    let (tuple, computations) = (of.operands[0], parts(of));
    part(&mut module.computations[id.0 as usize].instructions[tuple.0 as usize].shape, n);
    for inside in computations.into_iter().flatten() {
        let uses = known.uses(module, inside);
        let computation = &mut module.computations[inside.0 as usize];
        let mut open = uses.looks(n).to_vec();
        for parameter in computation.instructions.iter_mut().filter(|i| i.opcode == Opcode::Parameter) {
            part(&mut parameter.shape, n);
        }
        let root = computation.root.0 as usize;
        if computation.instructions[root].opcode == Opcode::Tuple {
            part(&mut computation.instructions[root].shape, n);
        }
        let mut inner: Vec<(InstructionId, usize)> = Vec::new();
        while let Some(at) = open.pop() {
            let i = &mut computation.instructions[at.0 as usize];
            if let Some(shape) = i.shape.as_array().and_then(retiled) {
                i.shape = shape;
            }
            for &u in &uses.users[at.0 as usize] {
                let user = computation.instruction(u);
                match user.opcode {
                    Opcode::DynamicSlice | Opcode::Slice | Opcode::Bitcast | Opcode::Reshape => open.push(u),
                    Opcode::Tuple if u != computation.root => {
                        let at = user.operands.iter().enumerate().filter(|&(_, &o)| o == at);
                        for (k, _) in at {
                            inner.extend(uses.users[u.0 as usize].iter().map(|&w| (w, k)));
                        }
                    }
                    _ => {}
                }
            }
        }
        for (each, k) in inner {
            carry(module, known, inside, each, k);
        }
    }
}

/// Element `n` of a tuple's shape.
fn part(shape: &mut Arc<Shape>, n: usize) {
    if let Shape::Tuple(items) = Arc::make_mut(shape)
        && let Some(item) = items.get_mut(n)
        && let Some(shape) = item.as_array().and_then(retiled)
    {
        *item = shape;
    }
}

/// Copies operands of tuples into the tiles that the tuples say.
fn insert(cx: &mut Cx<'_>, id: ComputationId, copies: &[(InstructionId, usize)]) {
    if copies.is_empty() {
        return;
    }
    let mut computation = cx.module.computation(id).clone();
    let old = std::mem::take(&mut computation.instructions);
    let mut to: Vec<InstructionId> = Vec::with_capacity(old.len());
    for (i, mut instruction) in old.into_iter().enumerate() {
        instruction.before_mut().for_each(|o| *o = to[o.0 as usize]);
        for &(_, n) in copies.iter().filter(|(tuple, _)| tuple.0 as usize == i) {
            let operand = computation.instruction(instruction.operands[n]);
            if let Some(shape) = operand.shape.as_array().and_then(retiled) {
                let name = cx.names.fresh("copy");
                let copy =
                    graph::instruction(name, Opcode::Copy, shape, &[instruction.operands[n]], &instruction);
                instruction.operands[n] = graph::push(&mut computation, copy);
            }
        }
        to.push(graph::push(&mut computation, instruction));
    }
    computation.root = to[computation.root.0 as usize];
    cx.module.computations[id.0 as usize] = computation;
}
