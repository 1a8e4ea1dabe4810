//! One computation on its way into a function or a region.

use super::tree::Tree;
use super::{
    Importer, asynchronous, bitcast, collective, compute, contraction, control, custom_call, elementwise,
    invalid, movement, order, reduction, types, unsupported,
};
use sim_core::hlo::{Computation, ComputationId, Instruction, InstructionId, Key, Opcode, Shape, Value};
use sim_core::ir::{AttrDict, FunctionBuilder, Op, RegionId, ValueId};
use sim_core::{Diagnostic, Loc, Result, Span, TensorType, Type};
use std::sync::Arc;

/// Regions in regions beyond this become functions.
const DEEPEST: u32 = 32;

pub struct Body<'i, 'a, 'b> {
    pub importer: &'i mut Importer<'a>,
    pub builder: &'b mut FunctionBuilder,
    pub computation: &'a Computation,
    values: Vec<Option<Tree>>,
    depth: u32,
}

/// The shapes of a computation's parameters, by number.
pub fn parameter_shapes(c: &Computation) -> Result<Vec<Arc<Shape>>> {
    let ids = c.parameters();
    let numbered = c.instructions.iter().filter(|i| i.parameter_number.is_some()).count();
    let shapes: Option<Vec<Arc<Shape>>> =
        ids.into_iter().map(|id| id.map(|id| c.instruction(id).shape.clone())).collect();
    match shapes {
        Some(shapes) if shapes.len() == numbered => Ok(shapes),
        _ => Err(Diagnostic::invalid(format!(
            "the parameters of computation `{}` are not numbered 0, 1, 2, … once each",
            c.name
        ))
        .at(c.span)),
    }
}

impl<'i, 'a, 'b> Body<'i, 'a, 'b> {
    pub fn new(
        importer: &'i mut Importer<'a>,
        builder: &'b mut FunctionBuilder,
        computation: &'a Computation,
        depth: u32,
    ) -> Self {
        Body { importer, builder, computation, values: vec![None; computation.instructions.len()], depth }
    }

    /// Gives the parameters their values: `values` holds the leaves in order.
    pub fn bind_parameters(&mut self, shapes: &[Arc<Shape>], values: &[ValueId]) -> Result<()> {
        let mut values = values.iter().copied();
        for (id, shape) in self.computation.parameters().into_iter().flatten().zip(shapes) {
            self.values[id.0 as usize] = Some(types::tree(shape, &mut values)?);
        }
        Ok(())
    }

    /// Builds everything; the leaves of the root.
    pub fn instructions(&mut self) -> Result<Vec<ValueId>> {
        let computation = self.computation;
        for id in order::instructions(computation)? {
            if self.values[id.0 as usize].is_none() {
                let i = computation.instruction(id);
                let before = self.builder.function().ops.len();
                let tree = self.instruction(i).map_err(|e| {
                    let e = e.in_op(&i.written_name(), &self.loc(i)).at(i.span);
                    // Protocol buffers have no lines to show.
                    match i.span == Span::default() {
                        true => e.note(format!("in `{}` of computation `{}`", i.name, self.computation.name)),
                        false => e,
                    }
                })?;
                self.keep_attributes(i, before);
                self.values[id.0 as usize] = Some(tree);
            }
        }
        let mut leaves = Vec::new();
        self.tree(computation.root)?.leaves(&mut leaves);
        Ok(leaves)
    }

    /// What an instruction says of itself in any case goes to the operation that gives its value.
    fn keep_attributes(&mut self, i: &Instruction, before: usize) {
        let attrs = super::attributes::of(i);
        let ops = &mut self.builder.function_mut().ops;
        if ops.len() > before
            && let Some(op) = ops.last_mut()
        {
            for (name, value) in attrs.0 {
                op.attrs.set(&name, value);
            }
        }
    }

    fn instruction(&mut self, i: &Instruction) -> Result<Tree> {
        for family in [
            elementwise::import,
            movement::import,
            compute::import,
            contraction::import,
            reduction::import,
            control::import,
            collective::import,
            asynchronous::import,
            custom_call::import,
            bitcast::import,
        ] {
            if let Some(tree) = family(self, i)? {
                return Ok(tree);
            }
        }
        Err(unsupported(i, format!("the operation `{}` of HLO is not modelled", i.written_name()))
            .help("dump the module before the pass that makes it"))
    }

    /// The operation behind an asynchronous start.
    pub fn synchronous(&mut self, i: &Instruction) -> Result<Tree> {
        self.instruction(i)
    }

    /// The dimensions of operand `n` from the slowest to the fastest, as it lies in memory.
    pub fn layout_order(&self, i: &Instruction, n: usize) -> Result<Vec<i64>> {
        let array = self.shape_of(i, n)?.as_array().ok_or_else(|| invalid(i, "an array is needed here"))?;
        Ok(match &array.layout {
            Some(l) => l.minor_to_major.iter().rev().copied().collect(),
            None => (0..array.rank() as i64).collect(),
        })
    }

    pub fn loc(&self, i: &Instruction) -> Loc {
        self.importer.locations.of(i)
    }

    fn tree(&self, id: InstructionId) -> Result<&Tree> {
        // Operands are built first: `order::instructions` says so.
        self.values[id.0 as usize].as_ref().ok_or_else(|| Diagnostic::invalid("an operand without a value"))
    }

    /// All operands, as they are.
    pub fn operands(&self, i: &Instruction) -> Result<Vec<Tree>> {
        i.operands.iter().map(|&o| self.tree(o).cloned()).collect()
    }

    /// Operand `n` as it is.
    pub fn operand_tree(&self, i: &Instruction, n: usize) -> Result<Tree> {
        match i.operands.get(n) {
            Some(&o) => self.tree(o).cloned(),
            None => Err(invalid(i, format!("it needs operand {n}, and has {}", i.operands.len()))),
        }
    }

    /// Operand `n`, which is no tuple.
    pub fn operand(&self, i: &Instruction, n: usize) -> Result<ValueId> {
        self.operand_tree(i, n)?
            .as_leaf()
            .ok_or_else(|| invalid(i, format!("operand {n} is a tuple, where an array belongs")))
    }

    /// Exactly `N` operands, none a tuple.
    pub fn exactly<const N: usize>(&self, i: &Instruction) -> Result<[ValueId; N]> {
        if i.operands.len() != N {
            return Err(invalid(i, format!("it takes {N} operands, not {}", i.operands.len())));
        }
        let mut values = [ValueId(0); N];
        for (n, v) in values.iter_mut().enumerate() {
            *v = self.operand(i, n)?;
        }
        Ok(values)
    }

    /// The leaves of all operands.
    pub fn leaves(&self, i: &Instruction) -> Result<Vec<ValueId>> {
        let mut all = Vec::new();
        for &o in &i.operands {
            self.tree(o)?.leaves(&mut all);
        }
        Ok(all)
    }

    pub fn shape_of(&self, i: &Instruction, n: usize) -> Result<&'a Shape> {
        match i.operands.get(n) {
            Some(&o) => Ok(&self.computation.instruction(o).shape),
            None => Err(invalid(i, format!("it needs operand {n}, and has {}", i.operands.len()))),
        }
    }

    pub fn tensor_type(&self, v: ValueId) -> Result<TensorType> {
        self.builder.ty(v).as_tensor().cloned().ok_or_else(|| Diagnostic::invalid("an array is needed here"))
    }

    /// Pushes an operation whose results are the leaves of the instruction's shape.
    pub fn push(
        &mut self,
        i: &Instruction,
        op: Op,
        operands: &[ValueId],
        regions: &[RegionId],
    ) -> Result<Tree> {
        let mut results = Vec::new();
        types::leaves(&i.shape, &mut results)?;
        let loc = self.loc(i);
        let id = self.builder.push(op, operands, results, regions, AttrDict::new(), loc, i.span);
        let values = self.builder.function().op(id).results.clone();
        types::tree(&i.shape, &mut values.into_iter())
    }

    /// A value in between, of a given type.
    pub fn helper(&mut self, i: &Instruction, op: Op, operands: &[ValueId], ty: Type) -> ValueId {
        let loc = self.loc(i);
        let id = self.builder.push(op, operands, [ty], &[], AttrDict::new(), loc, i.span);
        self.builder.function().op(id).results[0]
    }

    /// A computation as a region, with arguments of the given types. Parameters are its leaves.
    pub fn region(&mut self, i: &Instruction, id: ComputationId) -> Result<RegionId> {
        let computation = self.importer.hlo.computation(id);
        let shapes = parameter_shapes(computation)?;
        let mut arguments = Vec::new();
        for shape in &shapes {
            types::leaves(shape, &mut arguments).map_err(|e| e.at(computation.span))?;
        }
        let loc = self.loc(i);
        let region = self.builder.open_region(arguments.into_iter().map(|ty| (ty, loc.clone())));
        let values = self.builder.function().region(region).args.clone();
        let results = self.in_place(i, id, &shapes, &values)?;
        Ok(self.builder.close_region(&results, loc, AttrDict::new()))
    }

    /// A computation as a region without arguments, which sees `operands` around it.
    pub fn branch(&mut self, i: &Instruction, id: ComputationId, operands: &[ValueId]) -> Result<RegionId> {
        let shapes = parameter_shapes(self.importer.hlo.computation(id))?;
        let loc = self.loc(i);
        self.builder.open_region([]);
        let results = self.in_place(i, id, &shapes, operands)?;
        Ok(self.builder.close_region(&results, loc, AttrDict::new()))
    }

    /// The results of a computation in the region that is open. Small, or used here only: its
    /// instructions. Else a call, so that nothing multiplies.
    fn in_place(
        &mut self,
        i: &Instruction,
        id: ComputationId,
        shapes: &[Arc<Shape>],
        values: &[ValueId],
    ) -> Result<Vec<ValueId>> {
        let computation = self.importer.hlo.computation(id);
        let leaf = computation.instructions.iter().all(|i| i.called().next().is_none());
        let once = self.importer.calls[id.0 as usize] <= 1;
        let small = leaf && computation.instructions.len() <= 64;
        if self.depth >= DEEPEST || !(once || small) {
            return self.call(i, id, values);
        }
        self.operands_fit(i, id, shapes, values)?;
        let mut body = Body::new(self.importer, self.builder, computation, self.depth + 1);
        body.bind_parameters(shapes, values)?;
        body.instructions()
    }

    /// Are the operands what the parameters of a computation take?
    fn operands_fit(
        &self,
        i: &Instruction,
        id: ComputationId,
        shapes: &[Arc<Shape>],
        operands: &[ValueId],
    ) -> Result<()> {
        let mut arguments = Vec::new();
        for shape in shapes {
            types::leaves(shape, &mut arguments)?;
        }
        let given = operands.iter().map(|&v| self.builder.ty(v));
        if operands.len() == arguments.len() && given.zip(&arguments).all(|(a, b)| a == b) {
            return Ok(());
        }
        let name = &self.importer.hlo.computation(id).name;
        Err(invalid(i, format!("the operands are not what the parameters of `{name}` take")))
    }

    /// A call of a computation as a function: the leaves of what it returns.
    pub fn call(&mut self, i: &Instruction, id: ComputationId, operands: &[ValueId]) -> Result<Vec<ValueId>> {
        let computation = self.importer.hlo.computation(id);
        let shapes = parameter_shapes(computation)?;
        self.operands_fit(i, id, &shapes, operands)?;
        let mut results = Vec::new();
        types::leaves(&computation.root().shape, &mut results)?;
        let callee = self.importer.function(id);
        let loc = self.loc(i);
        let op = self.builder.push(Op::Call { callee }, operands, results, &[], AttrDict::new(), loc, i.span);
        Ok(self.builder.function().op(op).results.to_vec())
    }

    /// A call in the shape of the instruction.
    pub fn call_tree(&mut self, i: &Instruction, id: ComputationId, operands: &[ValueId]) -> Result<Tree> {
        let results = self.call(i, id, operands)?;
        if !self.importer.hlo.computation(id).root().shape.same_type(&i.shape) {
            return Err(invalid(i, "its shape is not what the computation returns"));
        }
        types::tree(&i.shape, &mut results.into_iter())
    }
}

// Attributes

/// A required attribute.
fn missing(i: &Instruction, key: &Key) -> Diagnostic {
    invalid(i, format!("the attribute `{}` is missing, or not of its form", key.name()))
}

pub fn ints(i: &Instruction, key: Key) -> Result<&[i64]> {
    match i.attr(&key) {
        Some(Value::Ints(v)) => Ok(v),
        Some(Value::Int(v)) => Ok(std::slice::from_ref(v)),
        _ => Err(missing(i, &key)),
    }
}

/// Empty where the text says nothing.
pub fn ints_or_none(i: &Instruction, key: Key) -> Vec<i64> {
    match i.attr(&key) {
        Some(Value::Ints(v)) => v.to_vec(),
        Some(Value::Int(v)) => vec![*v],
        _ => Vec::new(),
    }
}

pub fn int(i: &Instruction, key: Key) -> Result<i64> {
    match i.attr(&key) {
        Some(Value::Int(v)) => Ok(*v),
        _ => Err(missing(i, &key)),
    }
}

pub fn int_or(i: &Instruction, key: Key, default: i64) -> i64 {
    match i.attr(&key) {
        Some(Value::Int(v)) => *v,
        _ => default,
    }
}

pub fn flag(i: &Instruction, key: Key) -> bool {
    matches!(i.attr(&key), Some(Value::Bool(true)))
}

pub fn word(i: &Instruction, key: Key) -> Option<&str> {
    match i.attr(&key) {
        Some(Value::Word(w) | Value::String(w)) => Some(w),
        _ => None,
    }
}

pub fn computation(i: &Instruction, key: Key) -> Result<ComputationId> {
    match i.attr(&key) {
        Some(Value::Computation(id)) => Ok(*id),
        _ => Err(missing(i, &key)),
    }
}

/// What an instruction does: the operation itself, also where it is written asynchronously.
pub fn opcode(i: &Instruction) -> Opcode {
    i.opcode
}
