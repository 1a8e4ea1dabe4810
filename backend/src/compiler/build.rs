//! New instructions behind those of a computation, one after the other.

use super::Cx;
use super::graph::{self, Effects, compact, redirect};
use sim_core::hlo::{
    ArrayShape, Computation, ComputationId, Instruction, InstructionId, Key, Literal, Opcode, Shape, Value,
};
use sim_core::types::Dim;
use sim_core::{ElementType, Tensor};
use std::sync::Arc;

/// Appends to `computation`; what is made comes from where `like` does.
pub struct Build<'a, 'c> {
    pub cx: &'a mut Cx<'c>,
    pub computation: &'a mut Computation,
    pub like: &'a Instruction,
}

/// An array without a layout.
pub fn shape(element: ElementType, sizes: &[i64]) -> Arc<Shape> {
    Arc::new(Shape::Array(ArrayShape::new(element, sizes.iter().map(|&n| Dim::Static(n)))))
}

impl Build<'_, '_> {
    /// An operation that says nothing but, maybe, `dimensions`.
    pub fn one(
        &mut self,
        opcode: Opcode,
        element: ElementType,
        sizes: &[i64],
        operands: &[InstructionId],
        dimensions: Option<Vec<i64>>,
    ) -> InstructionId {
        let name = self.cx.names.fresh(opcode.name());
        let mut made = graph::instruction(name, opcode, shape(element, sizes), operands, self.like);
        if let Some(dimensions) = dimensions {
            graph::set(&mut made, Key::Dimensions, Value::Ints(dimensions.into()));
        }
        graph::push(self.computation, made)
    }

    /// Adds an attribute to what was made.
    pub fn with(&mut self, id: InstructionId, key: Key, value: Value) -> InstructionId {
        graph::set(&mut self.computation.instructions[id.0 as usize], key, value);
        id
    }

    /// A constant of one value.
    pub fn constant(&mut self, value: Tensor) -> InstructionId {
        let id = self.one(Opcode::Constant, value.element(), &[], &[], None);
        self.computation.instructions[id.0 as usize].literal = Some(Box::new(Literal::Array(value)));
        id
    }

    /// Its dimension `i` is the operand's `order[i]`; `sizes` are the result's.
    pub fn transpose(
        &mut self,
        id: InstructionId,
        element: ElementType,
        sizes: &[i64],
        order: &[i64],
    ) -> InstructionId {
        match order.is_sorted() {
            true => id,
            false => self.one(Opcode::Transpose, element, sizes, &[id], Some(order.to_vec())),
        }
    }

    /// The same values in rows of other sizes.
    pub fn reshape(&mut self, id: InstructionId, element: ElementType, sizes: &[i64]) -> InstructionId {
        let same = self
            .computation
            .instruction(id)
            .shape
            .as_array()
            .is_some_and(|a| a.dims.iter().map(|d| d.as_static()).eq(sizes.iter().map(|&n| Some(n))));
        if same { id } else { self.one(Opcode::Reshape, element, sizes, &[id], None) }
    }

    pub fn convert(&mut self, id: InstructionId, element: ElementType, sizes: &[i64]) -> InstructionId {
        let has = self.computation.instruction(id).shape.as_array().map(|a| a.element);
        if has == Some(element) { id } else { self.one(Opcode::Convert, element, sizes, &[id], None) }
    }

    /// Sums along dimensions.
    pub fn sum(
        &mut self,
        id: InstructionId,
        element: ElementType,
        sizes: &[i64],
        dimensions: Vec<i64>,
    ) -> InstructionId {
        let zero = self.zero(element);
        let sum = self.one(Opcode::Reduce, element, sizes, &[id, zero], Some(dimensions));
        let adds = self.applied(Opcode::Add, &[element, element], element);
        self.with(sum, Key::ToApply, Value::Computation(adds))
    }

    pub fn zero(&mut self, element: ElementType) -> InstructionId {
        let bytes = vec![0u8; element.byte_size()];
        self.constant(Tensor::from_slice_as(element, &[], &bytes))
    }

    /// A computation of scalars of these types: the operation on the first two.
    pub fn applied(
        &mut self,
        opcode: Opcode,
        parameters: &[ElementType],
        element: ElementType,
    ) -> ComputationId {
        let mut instructions: Vec<Instruction> = parameters
            .iter()
            .enumerate()
            .map(|(n, &element)| {
                let name = self.cx.names.fresh("argument");
                let mut p = graph::instruction(name, Opcode::Parameter, shape(element, &[]), &[], self.like);
                p.parameter_number = Some(n as i64);
                p.metadata = None;
                p
            })
            .collect();
        let name = self.cx.names.fresh(opcode.name());
        let operands = [InstructionId(0), InstructionId(1)];
        instructions.push(graph::instruction(name, opcode, shape(element, &[]), &operands, self.like));
        let id = ComputationId(self.cx.module.computations.len() as u32);
        self.cx.module.computations.push(Computation {
            name: self.cx.names.fresh(&format!("{}_of", opcode.name())),
            root: InstructionId(instructions.len() as u32 - 1),
            instructions,
            execution_thread: None,
            span: self.like.span,
        });
        id
    }
}

/// Puts what `by` makes, if anything, in the place of each instruction of these opcodes, in every computation that control flow reaches.
pub fn replace(
    cx: &mut Cx<'_>,
    opcodes: &[Opcode],
    by: impl Fn(&mut Build<'_, '_>, &Instruction) -> Option<InstructionId>,
) {
    let effects = Effects::of(&cx.module);
    for id in cx.module.reached() {
        if !cx.module.computation(id).instructions.iter().any(|i| opcodes.contains(&i.opcode)) {
            continue;
        }
        let mut computation = cx.module.computation(id).clone();
        let n = computation.instructions.len();
        let mut to: Vec<InstructionId> = (0..n as u32).map(InstructionId).collect();
        let mut changed = false;
        for (i, to) in to.iter_mut().enumerate() {
            if !opcodes.contains(&computation.instructions[i].opcode) {
                continue;
            }
            let like = computation.instructions[i].clone();
            let mut build = Build { cx, computation: &mut computation, like: &like };
            if let Some(made) = by(&mut build, &like) {
                (*to, changed) = (made, true);
            }
        }
        if changed {
            to.extend((n as u32..computation.instructions.len() as u32).map(InstructionId));
            redirect(&mut computation, &to);
            compact(&mut computation, |i| effects.keeps(i));
            cx.module.computations[id.0 as usize] = computation;
        }
    }
}
