//! Instructions that passes put in the place of others.

use super::{Cx, graph};
use sim_core::hlo::{
    ArrayShape, Computation, ComputationId, Instruction, InstructionId, Key, Literal, Opcode, Shape, Value,
};
use sim_core::types::Dim;
use sim_core::{ElementType, Tensor};
use std::sync::Arc;

/// Appends instructions to a computation; where they come from is `like`'s place.
pub(super) struct Build<'a, 'c> {
    pub cx: &'a mut Cx<'c>,
    pub computation: &'a mut Computation,
    pub like: &'a Instruction,
}

impl Build<'_, '_> {
    /// An operation without attributes but `dimensions`.
    pub fn one(
        &mut self,
        opcode: Opcode,
        element: ElementType,
        sizes: &[i64],
        operands: &[InstructionId],
        dimensions: Option<Vec<i64>>,
    ) -> InstructionId {
        let shape = Arc::new(Shape::Array(ArrayShape::new(element, sizes.iter().map(|&n| Dim::Static(n)))));
        let mut made =
            graph::instruction(self.cx.names.fresh(opcode.name()), opcode, shape, operands, self.like);
        if let Some(dimensions) = dimensions {
            graph::set(&mut made, Key::Dimensions, Value::Ints(dimensions.into()));
        }
        graph::push(self.computation, made)
    }

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
        let adds = self.adder(element);
        self.set(sum, Key::ToApply, Value::Computation(adds));
        sum
    }

    /// A scalar.
    pub fn zero(&mut self, element: ElementType) -> InstructionId {
        let zero = self.one(Opcode::Constant, element, &[], &[], None);
        let bytes = vec![0u8; element.byte_size()];
        self.computation.instructions[zero.0 as usize].literal =
            Some(Box::new(Literal::Array(Tensor::from_slice_as(element, &[], &bytes))));
        zero
    }

    /// Sets an attribute of what was appended.
    pub fn set(&mut self, id: InstructionId, key: Key, value: Value) {
        graph::set(&mut self.computation.instructions[id.0 as usize], key, value);
    }

    /// A computation that adds two scalars.
    pub fn adder(&mut self, element: ElementType) -> ComputationId {
        let scalar = Arc::new(Shape::Array(ArrayShape::new(element, [])));
        let mut instructions: Vec<Instruction> = (0..2)
            .map(|n| {
                let name = self.cx.names.fresh("addend");
                let mut p = graph::instruction(name, Opcode::Parameter, scalar.clone(), &[], self.like);
                p.parameter_number = Some(n);
                p.metadata = None;
                p
            })
            .collect();
        let name = self.cx.names.fresh("add");
        let operands = [InstructionId(0), InstructionId(1)];
        instructions.push(graph::instruction(name, Opcode::Add, scalar, &operands, self.like));
        let id = ComputationId(self.cx.module.computations.len() as u32);
        self.cx.module.computations.push(Computation {
            name: self.cx.names.fresh("sum"),
            instructions,
            root: InstructionId(2),
            execution_thread: None,
            span: self.like.span,
        });
        id
    }
}
