//! CHLO's functions that HLO has no operation for, by those it has: as XLA expands them before it compiles
//! ([`sim_core::chlo`]), in f32 at least.

use super::attrs::Attrs;
use super::lower::Lower;
use super::{elementwise, shapes};
use rustc_hash::FxHashMap;
use sim_core::chlo::{self, Arithmetic};
use sim_core::hlo::{ArrayShape, InstructionId, Key, Literal, Opcode, Shape};
use sim_core::ir::op::Direction;
use sim_core::ir::{Binary, Op, Operation, Unary};
use sim_core::{ElementType as E, Result, Tensor, TensorType};
use std::sync::Arc;

/// The last instruction of an expansion; `None` for what has none.
pub fn export(b: &mut Lower, op: &Operation) -> Result<Option<InstructionId>> {
    match op.op {
        Op::Unary(u, _) => {
            let ty = b.operand_type(op, 0)?.clone();
            match u {
                Unary::IsInf | Unary::IsNegInf | Unary::IsPosInf if ty.element.is_float() => {
                    infinite(b, op, u, &ty).map(Some)
                }
                Unary::Conj => conjugate(b, op, &ty).map(Some),
                _ if chlo::expands(u) && ty.element.is_float() => {
                    let (mut steps, operands, result) = begin(b, op, &ty)?;
                    let value = chlo::unary(u, &mut steps, operands[0]);
                    Ok(value.map(|v| steps.rounded(v, result)))
                }
                _ => Ok(None),
            }
        }
        Op::Binary(u) => {
            let ty = b.operand_type(op, 0)?.clone();
            match u {
                Binary::NextAfter => next_after(b, op, &ty),
                _ if chlo::expands_binary(u) && ty.element.is_float() => {
                    let (mut steps, operands, result) = begin(b, op, &ty)?;
                    let value = chlo::binary(u, &mut steps, operands[0], operands[1]);
                    Ok(value.map(|v| steps.rounded(v, result)))
                }
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// Instructions of one shape.
struct Steps<'b, 'e, 'm> {
    b: &'b mut Lower<'e, 'm>,
    /// Without an element type of its own: numbers and truths have it.
    ty: TensorType,
    number: Arc<Shape>,
    truth: Arc<Shape>,
    /// By bits.
    constants: FxHashMap<u64, InstructionId>,
}

/// The operands, widened to f32, and the result's shape.
fn begin<'b, 'e, 'm>(
    b: &'b mut Lower<'e, 'm>,
    op: &Operation,
    ty: &TensorType,
) -> Result<(Steps<'b, 'e, 'm>, Vec<InstructionId>, Arc<Shape>)> {
    let mut operands = b.operands(op)?;
    let result = b.result_shape(op)?;
    let wide = ty.with_element(if ty.element == E::F64 { E::F64 } else { E::F32 });
    let number = shapes::shape(&wide.clone().into())?;
    let truth = shapes::shape(&ty.with_element(E::Pred).into())?;
    if wide.element != ty.element {
        for operand in &mut operands {
            *operand = b.emit(Opcode::Convert, number.clone(), &[*operand], Attrs::new());
        }
    }
    Ok((Steps { b, ty: wide, number, truth, constants: FxHashMap::default() }, operands, result))
}

impl Steps<'_, '_, '_> {
    /// Of the result's own type.
    fn rounded(self, value: InstructionId, result: Arc<Shape>) -> InstructionId {
        if result == self.number {
            return value;
        }
        self.b.emit(Opcode::Convert, result, &[value], Attrs::new())
    }
}

impl Arithmetic for Steps<'_, '_, '_> {
    type Number = InstructionId;
    type Truth = InstructionId;

    fn is_double(&self) -> bool {
        self.ty.element == E::F64
    }

    fn constant(&mut self, value: f64) -> InstructionId {
        if let Some(&id) = self.constants.get(&value.to_bits()) {
            return id;
        }
        let scalar = if self.is_double() { Tensor::scalar(value) } else { Tensor::scalar(value as f32) };
        let id = splat(self.b, scalar, &self.ty, &self.number);
        self.constants.insert(value.to_bits(), id);
        id
    }

    fn unary(&mut self, op: Unary, x: InstructionId) -> InstructionId {
        let opcode = elementwise::unary(op).unwrap_or_else(|| unreachable!("{} is HLO", op.name()));
        self.b.emit(opcode, self.number.clone(), &[x], Attrs::new())
    }

    fn binary(&mut self, op: Binary, x: InstructionId, y: InstructionId) -> InstructionId {
        let opcode = elementwise::binary(op).unwrap_or_else(|| unreachable!("{} is HLO", op.name()));
        self.b.emit(opcode, self.number.clone(), &[x, y], Attrs::new())
    }

    fn compare(&mut self, direction: Direction, x: InstructionId, y: InstructionId) -> InstructionId {
        compare(self.b, direction, &self.truth, x, y)
    }

    fn both(&mut self, a: InstructionId, b: InstructionId) -> InstructionId {
        self.b.emit(Opcode::And, self.truth.clone(), &[a, b], Attrs::new())
    }

    fn select(&mut self, which: InstructionId, yes: InstructionId, no: InstructionId) -> InstructionId {
        self.b.emit(Opcode::Select, self.number.clone(), &[which, yes, no], Attrs::new())
    }
}

fn compare(
    b: &mut Lower,
    direction: Direction,
    truth: &Arc<Shape>,
    x: InstructionId,
    y: InstructionId,
) -> InstructionId {
    let attrs = Attrs::new().word(Key::Direction, elementwise::word(direction));
    b.emit(Opcode::Compare, truth.clone(), &[x, y], attrs)
}

/// One number everywhere.
fn splat(b: &mut Lower, scalar: Tensor, ty: &TensorType, shape: &Arc<Shape>) -> InstructionId {
    let own = Arc::new(Shape::Array(ArrayShape::new(scalar.element(), [])));
    let id = b.emit(Opcode::Constant, own, &[], Attrs::new());
    b.instruction(id).literal = Some(Box::new(Literal::Array(scalar)));
    if ty.rank() == 0 {
        return id;
    }
    b.emit(Opcode::Broadcast, shape.clone(), &[id], Attrs::new().ints(Key::Dimensions, &[]))
}

/// `is_inf` and its kin: a comparison.
fn infinite(b: &mut Lower, op: &Operation, u: Unary, ty: &TensorType) -> Result<InstructionId> {
    let (mut steps, operands, _) = begin(b, op, ty)?;
    let (x, bound) = match u {
        Unary::IsInf => (steps.unary(Unary::Abs, operands[0]), f64::INFINITY),
        Unary::IsPosInf => (operands[0], f64::INFINITY),
        _ => (operands[0], f64::NEG_INFINITY),
    };
    Ok(steps.is(x, Direction::Eq, bound))
}

/// The imaginary part negated; a real number is its own.
fn conjugate(b: &mut Lower, op: &Operation, ty: &TensorType) -> Result<InstructionId> {
    let x = b.operand(op, 0)?;
    let result = b.result_shape(op)?;
    if !ty.element.is_complex() {
        return Ok(b.emit(Opcode::Real, result, &[x], Attrs::new()));
    }
    let part = shapes::shape(&ty.with_element(ty.element.real_part()).into())?;
    let real = b.emit(Opcode::Real, part.clone(), &[x], Attrs::new());
    let imag = b.emit(Opcode::Imag, part.clone(), &[x], Attrs::new());
    let negative = b.emit(Opcode::Negate, part, &[imag], Attrs::new());
    Ok(b.emit(Opcode::Complex, result, &[real, negative], Attrs::new()))
}

/// The neighbour of `x` towards `y`, on the bits as integers.
fn next_after(b: &mut Lower, op: &Operation, ty: &TensorType) -> Result<Option<InstructionId>> {
    // The integer, the bits of infinity, and how wide both are.
    let (bits, infinity, width) = match ty.element {
        E::F64 => (E::U64, 0x7ff0_0000_0000_0000, 64),
        E::F32 => (E::U32, 0x7f80_0000, 32),
        E::BF16 => (E::U16, 0x7f80, 16),
        E::F16 => (E::U16, 0x7c00, 16),
        _ => return Ok(None),
    };
    let operands = b.operands(op)?;
    let result = b.result_shape(op)?;
    let ty = ty.with_element(bits);
    let word = shapes::shape(&ty.clone().into())?;
    let truth = shapes::shape(&ty.with_element(E::Pred).into())?;
    let constant = |b: &mut Lower, value: u64| {
        let scalar = match width {
            64 => Tensor::scalar(value),
            32 => Tensor::scalar(value as u32),
            _ => Tensor::scalar(value as u16),
        };
        splat(b, scalar, &ty, &word)
    };
    let two = |b: &mut Lower, opcode, x, y| b.emit(opcode, word.clone(), &[x, y], Attrs::new());
    let choose = |b: &mut Lower, p, x, y| b.emit(Opcode::Select, word.clone(), &[p, x, y], Attrs::new());
    let either = |b: &mut Lower, p, q| b.emit(Opcode::Or, truth.clone(), &[p, q], Attrs::new());
    let [x, y] = [0, 1].map(|n| b.emit(Opcode::BitcastConvert, word.clone(), &[operands[n]], Attrs::new()));
    let sign_bit = 1u64 << (width - 1);
    let (sign, rest) = (constant(b, sign_bit), constant(b, sign_bit - 1));
    let (size_x, size_y) = (two(b, Opcode::And, x, rest), two(b, Opcode::And, y, rest));
    let (zero, one, most) = (constant(b, 0), constant(b, 1), constant(b, infinity));
    let nan_x = compare(b, Direction::Gt, &truth, size_x, most);
    let nan_y = compare(b, Direction::Gt, &truth, size_y, most);
    let no_number = either(b, nan_x, nan_y);
    let alike = compare(b, Direction::Eq, &truth, x, y);
    let sizes = two(b, Opcode::Or, size_x, size_y);
    let zeros = compare(b, Direction::Eq, &truth, sizes, zero);
    let same = either(b, alike, zeros);
    // Away from zero with the sign of `y`; else towards zero if `y` is there.
    let sign_y = two(b, Opcode::And, y, sign);
    let smallest = two(b, Opcode::Or, sign_y, one);
    let difference = two(b, Opcode::Xor, x, y);
    let difference = two(b, Opcode::And, difference, sign);
    let apart = compare(b, Direction::Ne, &truth, difference, zero);
    let larger = compare(b, Direction::Gt, &truth, size_x, size_y);
    let shrink = either(b, apart, larger);
    let (down, up) = (two(b, Opcode::Subtract, x, one), two(b, Opcode::Add, x, one));
    let stepped = choose(b, shrink, down, up);
    let from_zero = compare(b, Direction::Eq, &truth, size_x, zero);
    let moved = choose(b, from_zero, smallest, stepped);
    let value = choose(b, same, y, moved);
    let nan = constant(b, infinity | infinity >> 1);
    let value = choose(b, no_number, nan, value);
    Ok(Some(b.emit(Opcode::BitcastConvert, result, &[value], Attrs::new())))
}
