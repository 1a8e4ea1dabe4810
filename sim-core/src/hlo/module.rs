//! Modules, computations, instructions.

use crate::hlo::attr::{Attr, Key, Value};
use crate::hlo::literal::Literal;
use crate::hlo::opcode::Opcode;
use crate::hlo::shape::Shape;
use crate::loc::Span;
use smallvec::SmallVec;
use std::sync::Arc;

/// Place of a computation in [`HloModule::computations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComputationId(pub u32);

/// Place of an instruction in [`Computation::instructions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstructionId(pub u32);

/// A whole program.
#[derive(Clone, Debug, PartialEq)]
pub struct HloModule {
    pub name: Arc<str>,
    /// What the header says, in the order read.
    pub attrs: Vec<Attr>,
    pub tables: StackTables,
    /// In the order read.
    pub computations: Vec<Computation>,
    pub entry: ComputationId,
}

/// `FileNames`, `FunctionNames`, `FileLocations`, `StackFrames`: what `stack_frame_id` refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackTables {
    /// Each list is numbered from 1.
    pub file_names: Vec<Arc<str>>,
    pub function_names: Vec<Arc<str>>,
    pub locations: Vec<FileLocation>,
    pub frames: Vec<StackFrame>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileLocation {
    pub file_name_id: i64,
    pub function_name_id: i64,
    pub line: i64,
    pub end_line: i64,
    pub column: i64,
    pub end_column: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackFrame {
    pub file_location_id: i64,
    /// As written, which is one more than the number of the frame around it: 1 is the outermost.
    pub parent_frame_id: i64,
}

/// A function of HLO: no captures, one result.
#[derive(Clone, Debug, PartialEq)]
pub struct Computation {
    pub name: Arc<str>,
    /// In the order read, which is the schedule where the module has one.
    pub instructions: Vec<Instruction>,
    pub root: InstructionId,
    /// `execution_thread="sparsecore"` behind the body: who runs it.
    pub execution_thread: Option<Arc<str>>,
    pub span: Span,
}

/// `%name = shape opcode(operands), attributes`.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    pub name: Arc<str>,
    pub opcode: Opcode,
    /// `Some` on async-start, -update and -done that are written as their operation: `slice-start`.
    /// The attributes are then the operation's.
    pub sugar: Option<Opcode>,
    pub shape: Arc<Shape>,
    pub operands: SmallVec<[InstructionId; 4]>,
    /// Of `parameter(3)`: 3.
    pub parameter_number: Option<i64>,
    /// Of `constant(…)`.
    pub literal: Option<Box<Literal>>,
    /// In the order read.
    pub attrs: Vec<Attr>,
    pub metadata: Option<Box<Metadata>>,
    pub span: Span,
}

/// `metadata={op_type="…" op_name="…" source_file="…" source_line=1 …}`: where an instruction comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    pub op_type: Option<Arc<str>>,
    pub op_name: Option<Arc<str>>,
    pub source_file: Option<Arc<str>>,
    pub source_line: i64,
    pub source_end_line: i64,
    pub source_column: i64,
    pub source_end_column: i64,
    /// Into [`StackTables::frames`], from 1; 0 is none.
    pub stack_frame_id: i64,
    pub deduplicated_name: Option<Arc<str>>,
    pub scheduling_name: Option<Arc<str>>,
    /// `profile_type={1}`
    pub profile_type: Option<i64>,
    pub preserve_layout: bool,
    /// What else was written, in order, as its text.
    pub other: Vec<(Arc<str>, Arc<str>)>,
}

impl HloModule {
    pub fn computation(&self, id: ComputationId) -> &Computation {
        &self.computations[id.0 as usize]
    }

    pub fn entry(&self) -> &Computation {
        self.computation(self.entry)
    }

    pub fn attr(&self, key: &Key) -> Option<&Value> {
        self.attrs.iter().find(|a| a.key == *key).map(|a| &a.value)
    }

    /// Computations that control flow reaches, through loops, branches and calls: each after those that it hands control to, the entry last.
    /// (One that calls itself comes once.)
    pub fn reached(&self) -> Vec<ComputationId> {
        let callees = |id: ComputationId| -> Vec<ComputationId> {
            let instructions = self.computation(id).instructions.iter();
            instructions.filter(|i| i.hands_over()).flat_map(Instruction::called).collect()
        };
        let mut order = Vec::new();
        let mut seen = vec![false; self.computations.len()];
        seen[self.entry.0 as usize] = true;
        let mut open = vec![(self.entry, callees(self.entry), 0usize)];
        while let Some((id, all, next)) = open.last_mut() {
            let Some(&callee) = all.get(*next) else {
                order.push(*id);
                open.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut seen[callee.0 as usize], true) {
                open.push((callee, callees(callee), 0));
            }
        }
        order
    }

    /// `is_scheduled=true`: the order of the instructions is the order of execution.
    pub fn is_scheduled(&self) -> bool {
        self.attr(&Key::IsScheduled) == Some(&Value::Bool(true))
    }

    /// Of the header; 1 where it says nothing.
    pub fn count(&self, key: &Key) -> i64 {
        match self.attr(key) {
            Some(Value::Int(n)) => *n,
            _ => 1,
        }
    }
}

impl Computation {
    pub fn instruction(&self, id: InstructionId) -> &Instruction {
        &self.instructions[id.0 as usize]
    }

    pub fn root(&self) -> &Instruction {
        self.instruction(self.root)
    }

    /// The parameters by number; `None` in a gap.
    pub fn parameters(&self) -> Vec<Option<InstructionId>> {
        let mut found = Vec::new();
        for (i, instruction) in self.instructions.iter().enumerate() {
            let Some(n) = instruction.parameter_number else { continue };
            // A number beyond the instructions is a gap that the verifier reports.
            let Some(n) = usize::try_from(n).ok().filter(|&n| n < self.instructions.len()) else { continue };
            if found.len() <= n {
                found.resize(n + 1, None);
            }
            found[n].get_or_insert(InstructionId(i as u32));
        }
        found
    }
}

impl Instruction {
    /// One without attributes, from nowhere.
    pub fn new(name: Arc<str>, opcode: Opcode, shape: Arc<Shape>, operands: &[InstructionId]) -> Instruction {
        Instruction {
            name,
            opcode,
            sugar: None,
            shape,
            operands: operands.into(),
            parameter_number: None,
            literal: None,
            attrs: Vec::new(),
            metadata: None,
            span: Span::default(),
        }
    }

    /// Does control go to the computations that it calls? (Others are applied: to each value, or by a kernel.)
    pub fn hands_over(&self) -> bool {
        matches!(self.opcode, Opcode::While | Opcode::Conditional | Opcode::Call)
    }

    /// Each instruction that it names: operands, and those that control says come before it.
    pub fn before_mut(&mut self) -> impl Iterator<Item = &mut InstructionId> {
        let control = self.attrs.iter_mut().flat_map(|a| match (&a.key, &mut a.value) {
            (Key::ControlPredecessors, Value::Instructions(ids)) => ids.iter_mut(),
            _ => [].iter_mut(),
        });
        self.operands.iter_mut().chain(control)
    }

    pub fn attr(&self, key: &Key) -> Option<&Value> {
        self.attrs.iter().find(|a| a.key == *key).map(|a| &a.value)
    }

    /// Of `get-tuple-element(…), index=3`: 3.
    pub fn element(&self) -> Option<usize> {
        match self.attr(&Key::Index) {
            Some(Value::Int(n)) => usize::try_from(*n).ok(),
            _ => None,
        }
    }

    /// The computation that one of its attributes names: of a loop, `condition` or `body`.
    pub fn calls(&self, key: &Key) -> Option<ComputationId> {
        match self.attr(key) {
            Some(Value::Computation(id)) => Some(*id),
            _ => None,
        }
    }

    /// The computations it calls, in the order of its attributes.
    pub fn called(&self) -> impl Iterator<Item = ComputationId> + '_ {
        self.attrs.iter().flat_map(|a| match &a.value {
            Value::Computation(id) => std::slice::from_ref(id).iter().copied(),
            Value::Computations(ids) => ids.iter().copied(),
            _ => [].iter().copied(),
        })
    }

    /// As it is written: `slice-start` for an async-start of a slice.
    pub fn written_name(&self) -> std::borrow::Cow<'static, str> {
        let Some(op) = self.sugar else { return self.opcode.name().into() };
        let suffix = match self.opcode {
            Opcode::AsyncStart => "-start",
            Opcode::AsyncUpdate => "-update",
            _ => "-done",
        };
        format!("{op}{suffix}").into()
    }
}
