//! Values of a program and the buffers that hold them: which share one, and from when until when each is needed.
//!
//! The program is walked as it runs, computations where they are called. Every array of an instruction's result has a cell; what is another
//! look at a value, or takes its place, has the value's own. A loop's state is one cell before, within and after it.

use super::in_place::{self, InPlace};
use crate::time::arrays::{self, Memory as Space, arrays};
use crate::time::program::{DEEPEST, too_deep};
use rustc_hash::FxHashSet;
use sim_core::hlo::{
    ArrayShape, Computation, ComputationId, HloModule, Instruction, InstructionId, Key, Opcode, Value,
};
use sim_core::{Diagnostic, Result};
use smallvec::SmallVec;

/// Arrays of all instructions' results, those of a computation counted as often as it is called.
const MOST_VALUES: usize = 10_000_000;

pub type CellId = u32;
/// Of one instruction's result.
pub type Cells = SmallVec<[CellId; 2]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Temporary,
    Constant,
    Argument,
}

/// Where a cell's first value is made.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub computation: ComputationId,
    pub instruction: InstructionId,
    pub leaf: u32,
}

#[derive(Clone, Debug)]
pub struct Cell {
    /// Itself, or a cell that it shares its buffer with.
    parent: CellId,
    pub bytes: u64,
    pub space: Space,
    pub kind: Kind,
    /// Steps.
    pub from: u32,
    pub until: u32,
    pub site: Site,
}

/// What a kernel has for itself while it runs.
#[derive(Clone, Copy, Debug)]
pub struct Scoped {
    pub step: u32,
    pub site: Site,
    pub space: Space,
    pub bytes: u64,
}

/// A result that may lie where an operand lies, if nobody needs that any more.
#[derive(Clone, Copy)]
pub struct MayShare {
    pub step: u32,
    pub result: CellId,
    pub operand: CellId,
}

pub struct Buffers<'a> {
    pub(super) module: &'a HloModule,
    cells: Vec<Cell>,
    pub(super) may_share: Vec<MayShare>,
    /// Arrays that lie in pieces beside each other, and the pieces.
    assembled: Vec<(CellId, Cells)>,
    /// What runs at each step.
    pub steps: Vec<(ComputationId, InstructionId)>,
    pub scoped: Vec<Scoped>,
    /// Of the entry: by parameter, and the result's.
    pub parameters: Vec<Cells>,
    pub root: Cells,
    in_place: InPlace,
    values: usize,
    depth: u32,
}

impl<'a> Buffers<'a> {
    /// # Errors
    /// Kind `Unsupported`: calls nest too deep, or are too many. Kind `Malformed`: control flow without its computations, a
    /// `backend_config` that is not what it should be.
    pub fn of(module: &'a HloModule) -> Result<Buffers<'a>> {
        let mut all = Buffers {
            module,
            cells: Vec::new(),
            may_share: Vec::new(),
            assembled: Vec::new(),
            steps: Vec::new(),
            scoped: Vec::new(),
            parameters: Vec::new(),
            root: Cells::new(),
            in_place: InPlace::default(),
            values: 0,
            depth: 0,
        };
        all.root = all.visit(module.entry, None)?;
        let end = all.now();
        for cells in std::mem::take(&mut all.parameters) {
            for &cell in &cells {
                // Whenever the program says that it has a parameter, it is there before.
                let own = all.find(cell) as usize;
                all.cells[own].from = 0;
                all.use_at(cell, end);
            }
            all.parameters.push(cells);
        }
        for &cell in &all.root.clone() {
            all.use_at(cell, end);
        }
        all.share_what_may();
        // Pieces are fetched one after the other, and live as long as the whole, which takes nothing besides.
        for (whole, pieces) in std::mem::take(&mut all.assembled).into_iter().rev() {
            let Some(cell) = all.cells.get(whole as usize).filter(|c| c.parent == whole) else { continue };
            let until = cell.until;
            all.cells[whole as usize].bytes = 0;
            pieces.iter().for_each(|&c| all.use_at(c, until));
        }
        Ok(all)
    }

    /// Results that XLA lets lie in operands (`aliasing_operands`) do, where the operand's life ends there.
    fn share_what_may(&mut self) {
        let root: FxHashSet<CellId> = self.root.iter().map(|&c| self.find(c)).collect();
        for MayShare { step, result, operand } in std::mem::take(&mut self.may_share) {
            let [from, to] = [operand, result].map(|id| self.cell(id));
            let temporary = from.kind == Kind::Temporary && to.kind == Kind::Temporary;
            let fits = from.until == step && to.from == step && to.bytes <= from.bytes;
            if temporary && fits && ![operand, result].iter().any(|&id| root.contains(&self.find(id))) {
                self.share(operand, result);
            }
        }
    }

    /// Cells that stand for themselves, with their numbers.
    pub fn own(&self) -> impl Iterator<Item = (CellId, &Cell)> {
        self.cells.iter().enumerate().map(|(i, c)| (i as CellId, c)).filter(|(i, c)| *i == c.parent)
    }

    pub fn cell(&self, id: CellId) -> &Cell {
        &self.cells[self.find(id) as usize]
    }

    pub fn find(&self, mut id: CellId) -> CellId {
        while self.cells[id as usize].parent != id {
            id = self.cells[id as usize].parent;
        }
        id
    }

    pub fn array(&self, site: Site) -> Option<&'a ArrayShape> {
        let instruction = self.module.computation(site.computation).instruction(site.instruction);
        arrays(&instruction.shape).get(site.leaf as usize).copied()
    }

    /// The step that is looked at.
    pub fn now(&self) -> u32 {
        (self.steps.len() as u32).saturating_sub(1)
    }

    /// As [`Buffers::find`], and shortens the way for the next.
    fn find_short(&mut self, mut id: CellId) -> CellId {
        while self.cells[id as usize].parent != id {
            let parent = self.cells[id as usize].parent;
            self.cells[id as usize].parent = self.cells[parent as usize].parent;
            id = self.cells[id as usize].parent;
        }
        id
    }

    fn use_at(&mut self, id: CellId, step: u32) {
        let id = self.find_short(id) as usize;
        self.cells[id].until = self.cells[id].until.max(step);
    }

    /// One buffer for both, the older one's; of two memories, nothing.
    fn share(&mut self, a: CellId, b: CellId) {
        let (a, b) = (self.find_short(a), self.find_short(b));
        let [x, y] = [a, b].map(|i| &self.cells[i as usize]);
        if a == b || x.space != y.space {
            return;
        }
        let (kept, gone) = if a < b { (a, b) } else { (b, a) };
        let gone_cell = self.cells[gone as usize].clone();
        self.cells[gone as usize].parent = kept;
        let cell = &mut self.cells[kept as usize];
        cell.bytes = cell.bytes.max(gone_cell.bytes);
        cell.kind = cell.kind.max(gone_cell.kind);
        cell.from = cell.from.min(gone_cell.from);
        cell.until = cell.until.max(gone_cell.until);
    }

    fn new_cell(&mut self, array: &ArrayShape, kind: Kind, site: Site) -> CellId {
        let (id, now) = (self.cells.len() as CellId, self.now());
        self.cells.push(Cell {
            parent: id,
            bytes: arrays::bytes(array),
            space: arrays::memory(array),
            kind,
            from: now,
            until: now,
            site,
        });
        id
    }

    /// The cells of the root. `arguments`: none for the entry, which makes its own.
    fn visit(&mut self, id: ComputationId, arguments: Option<&[Cells]>) -> Result<Cells> {
        let computation = self.module.computation(id);
        if self.depth == DEEPEST {
            return Err(too_deep(computation));
        }
        self.depth += 1;
        let mut values: Vec<Cells> = Vec::with_capacity(computation.instructions.len());
        for (i, instruction) in computation.instructions.iter().enumerate() {
            let at = InstructionId(i as u32);
            let cells = self.instruction((id, computation), at, instruction, arguments, &values)?;
            self.values += cells.len() + 1;
            if self.values > MOST_VALUES {
                return Err(Diagnostic::unsupported(format!(
                    "computations are called so often that they have more than {MOST_VALUES} values"
                ))
                .at(instruction.span)
                .help("make loops of repeated calls"));
            }
            values.push(cells);
        }
        self.depth -= 1;
        Ok(values.get(computation.root.0 as usize).cloned().unwrap_or_default())
    }

    fn instruction(
        &mut self,
        (id, computation): (ComputationId, &'a Computation),
        at: InstructionId,
        instruction: &'a Instruction,
        arguments: Option<&[Cells]>,
        values: &[Cells],
    ) -> Result<Cells> {
        use Opcode as O;
        let operand = |n: usize| -> Cells {
            let value = instruction.operands.get(n).and_then(|o| values.get(o.0 as usize));
            value.cloned().unwrap_or_default()
        };
        let shape_of =
            |n: usize| instruction.operands.get(n).and_then(|o| computation.instructions.get(o.0 as usize));
        let called = |key: Key| match instruction.attr(&key) {
            Some(Value::Computation(id)) => Ok(*id),
            _ => Err(Diagnostic::malformed(format!("%{} has no {}", instruction.name, key.name()))
                .at(instruction.span)),
        };
        // What the result has of operands, array by array; the rest is new.
        let mut known: Vec<Option<CellId>> = Vec::new();
        let mut is_look = false;
        match instruction.opcode {
            O::While => {
                let state = operand(0);
                self.visit(called(Key::Condition)?, Some(std::slice::from_ref(&state)))?;
                let after = self.visit(called(Key::Body)?, Some(std::slice::from_ref(&state)))?;
                state.iter().zip(&after).for_each(|(&a, &b)| self.share(a, b));
                known.extend(state.iter().map(|&c| Some(c)));
            }
            O::Conditional => {
                let first = self.steps.len() as u32;
                (0..instruction.operands.len()).flat_map(operand).for_each(|c| self.use_at(c, first));
                let branches: Vec<ComputationId> = instruction.called().collect();
                for (n, branch) in branches.into_iter().enumerate() {
                    let result = self.visit(branch, Some(&[operand(n + 1)]))?;
                    if known.is_empty() {
                        known.extend(result.iter().map(|&c| Some(c)));
                    } else {
                        known
                            .iter()
                            .zip(&result)
                            .for_each(|(a, &b)| a.iter().for_each(|&a| self.share(a, b)));
                    }
                }
            }
            O::Call => {
                let callee = instruction.called().next().ok_or_else(|| {
                    Diagnostic::malformed(format!("%{} calls no computation", instruction.name))
                        .at(instruction.span)
                })?;
                let passed: Vec<Cells> = (0..instruction.operands.len()).map(operand).collect();
                known.extend(self.visit(callee, Some(&passed))?.into_iter().map(Some));
            }
            _ => {}
        }
        self.steps.push((id, at));
        match instruction.opcode {
            O::Parameter => {
                is_look = true;
                let n = instruction.parameter_number.and_then(|n| usize::try_from(n).ok());
                if let (Some(passed), Some(n)) = (arguments, n) {
                    known.extend(passed.get(n).into_iter().flatten().map(|&c| Some(c)));
                }
            }
            O::Tuple => {
                is_look = true;
                known.extend((0..instruction.operands.len()).flat_map(operand).map(Some));
            }
            O::GetTupleElement => {
                is_look = true;
                let from = shape_of(0)
                    .and_then(|i| in_place::below(&i.shape, &[i64::try_from(instruction.element()?).ok()?]));
                if let Some((first, n)) = from {
                    known.extend(operand(0).iter().skip(first).take(n).map(|&c| Some(c)));
                }
            }
            O::Bitcast
            | O::OptimizationBarrier
            | O::AddDependency
            | O::Domain
            | O::AllReduceDone
            | O::SendDone => {
                is_look = true;
                known.extend(operand(0).iter().map(|&c| Some(c)));
            }
            O::CopyDone | O::RecvDone => known.extend(operand(0).first().map(|&c| Some(c))),
            O::CopyStart => known = vec![None, operand(0).first().copied()],
            O::CollectivePermuteStart | O::AllGatherStart | O::Send => {
                let sources = if instruction.opcode == O::Send { 1 } else { instruction.operands.len() };
                known.extend((0..sources).flat_map(operand).map(Some));
            }
            O::AllReduceStart => known.extend((0..instruction.operands.len()).flat_map(operand).map(Some)),
            O::CollectivePermuteDone | O::AllGatherDone => {
                let n = arrays(&instruction.shape).len();
                known.extend(operand(0).iter().skip(n).take(n).map(|&c| Some(c)));
            }
            O::AsyncStart | O::AsyncUpdate => known = self.asynchronous(instruction, &operand, shape_of(0)),
            O::AsyncDone => {
                let results = shape_of(0).and_then(|i| in_place::below(&i.shape, &[1]));
                if let Some((first, n)) = results {
                    known.extend(operand(0).iter().skip(first).take(n).map(|&c| Some(c)));
                }
            }
            O::CustomCall if is_concatenation(instruction) => {
                let pieces = (0..instruction.operands.len()).flat_map(operand).collect();
                self.assembled.push((self.cells.len() as CellId, pieces));
            }
            O::While | O::Conditional | O::Call => {}
            _ => {
                let from = self.in_place.of(self.module, instruction).into_iter();
                known.extend(from.map(|from| from.and_then(|(n, leaf)| operand(n).get(leaf).copied())));
            }
        }
        self.by_attribute(instruction, computation, &operand, &mut known);
        let now = self.now();
        if !is_look && !matches!(instruction.opcode, O::Conditional | O::Call) {
            for n in 0..instruction.operands.len() {
                operand(n).iter().for_each(|&c| self.use_at(c, now));
            }
        }
        let kind = match instruction.opcode {
            O::Parameter if arguments.is_none() => Kind::Argument,
            O::Constant => Kind::Constant,
            _ => Kind::Temporary,
        };
        let cells: Cells = arrays(&instruction.shape)
            .into_iter()
            .enumerate()
            .map(|(leaf, array)| {
                let site = Site { computation: id, instruction: at, leaf: leaf as u32 };
                match known.get(leaf).copied().flatten() {
                    // What takes another's place may need more of it.
                    Some(cell) if self.cell(cell).space == arrays::memory(array) => {
                        let own = self.find(cell) as usize;
                        if !is_look {
                            self.cells[own].bytes = self.cells[own].bytes.max(arrays::bytes(array));
                            self.cells[own].until = self.cells[own].until.max(now);
                        }
                        cell
                    }
                    _ => self.new_cell(array, kind, site),
                }
            })
            .collect();
        let given: Cells = (0..instruction.operands.len()).flat_map(operand).collect();
        self.configured(instruction, Site { computation: id, instruction: at, leaf: 0 }, &given, &cells)?;
        if kind == Kind::Argument
            && let Some(n) = instruction.parameter_number.and_then(|n| usize::try_from(n).ok())
            && n < computation.instructions.len()
        {
            if self.parameters.len() <= n {
                self.parameters.resize(n + 1, Cells::new());
            }
            self.parameters[n] = cells.clone();
        }
        Ok(cells)
    }
}

fn is_concatenation(instruction: &Instruction) -> bool {
    matches!(instruction.attr(&Key::CustomCallTarget), Some(Value::String(t)) if &**t == "ConcatBitcast")
}
