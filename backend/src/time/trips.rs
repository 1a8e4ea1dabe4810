//! How often loops run, as far as the program's text tells.
//!
//! A loop is counted when its condition depends on scalars alone, each of which starts from a constant and is computed from such
//! scalars in the body: that little program is run, without the arrays. A counter that is incremented by a constant until it meets a
//! bound is not even run.

use rustc_hash::FxHashMap;
use sim_core::hlo::{Computation, HloModule, Instruction, InstructionId, Key, Literal, Opcode, Value};
use std::cell::Cell;

/// A scalar; integers of all widths, and predicates.
type Scalar = i64;

/// Iterations that are run one by one before giving up.
const PATIENCE: u64 = 1 << 20;

/// Values of a tuple's elements, where known.
type Known = FxHashMap<usize, Scalar>;

/// Trips of `instruction`, a while in `computation`.
pub fn of(module: &HloModule, computation: &Computation, instruction: &Instruction) -> Option<u64> {
    let (condition, body) = (instruction.calls(&Key::Condition)?, instruction.calls(&Key::Body)?);
    let (condition, body) = (module.computation(condition), module.computation(body));
    let reader = Reader { module, left: Cell::new(BUDGET) };
    let mut wanted = Vec::new();
    reader.needs(condition, condition.root, &mut wanted, 0)?;
    // What those depend on from one iteration to the next.
    let root = body.root();
    let mut at = 0;
    while let Some(&index) = wanted.get(at) {
        let next = element(body, root, index)?;
        reader.needs(body, next, &mut wanted, 0)?;
        at += 1;
        if wanted.len() > 64 {
            return None;
        }
    }
    let init = computation.instruction(*instruction.operands.first()?);
    let mut state = Known::default();
    for &index in &wanted {
        let initial = element(computation, init, index)?;
        state.insert(index, reader.value(computation, initial, &Known::default(), 0)?);
    }
    if let Some(trips) = counted(&reader, condition, body, &wanted, &state) {
        return Some(trips);
    }
    let mut trips = 0;
    while reader.value(condition, condition.root, &state, 0)? != 0 {
        trips += 1;
        if trips > PATIENCE {
            return None;
        }
        state = next(&reader, body, &wanted, &state)?;
    }
    Some(trips)
}

/// State after one iteration.
fn next(reader: &Reader<'_>, body: &Computation, wanted: &[usize], state: &Known) -> Option<Known> {
    let root = body.root();
    let value = |&i: &usize| Some((i, reader.value(body, element(body, root, i)?, state, 0)?));
    wanted.iter().map(value).collect()
}

/// One counter that moves by a constant, against a bound that does not move.
fn counted(
    reader: &Reader<'_>,
    condition: &Computation,
    body: &Computation,
    wanted: &[usize],
    start: &Known,
) -> Option<u64> {
    let root = condition.root();
    if root.opcode != Opcode::Compare {
        return None;
    }
    let Some(Value::Word(direction)) = root.attr(&Key::Direction) else { return None };
    let (one, two) = (next(reader, body, wanted, start)?, start);
    let after = next(reader, body, wanted, &one)?;
    // Every value moves evenly, as far as two iterations show; the body must say so too.
    let linear = wanted
        .iter()
        .all(|i| one[i].checked_sub(two[i]) == after[i].checked_sub(one[i]) && reader.is_sum(body, *i));
    if !linear {
        return None;
    }
    let side = |n: usize, state: &Known| reader.value(condition, *root.operands.get(n)?, state, 0);
    let gap = |state: &Known| side(1, state)?.checked_sub(side(0, state)?);
    let simple = |n: usize| {
        root.operands
            .get(n)
            .map(|&o| condition.instruction(o))
            .is_some_and(|i| matches!(i.opcode, Opcode::GetTupleElement | Opcode::Constant))
    };
    if !(simple(0) && simple(1)) {
        return None;
    }
    let (gap0, gap1) = (gap(start)?, gap(&one)?);
    let closes = gap0.checked_sub(gap1)?;
    let up = |gap: i64, by: i64| {
        if gap <= 0 {
            Some(0)
        } else if by > 0 {
            Some(gap.div_ceil_by(by))
        } else {
            None
        }
    };
    let trips = match &**direction {
        "LT" => up(gap0, closes),
        "LE" => up(gap0.checked_add(1)?, closes),
        "GT" => up(gap0.checked_neg()?, closes.checked_neg()?),
        "GE" => up(gap0.checked_neg()?.checked_add(1)?, closes.checked_neg()?),
        "NE" if closes != 0 && gap0 % closes == 0 && gap0 / closes >= 0 => Some((gap0 / closes) as u64),
        _ => None,
    }?;
    // A narrow counter may wrap around before it is there.
    let stays = |&i: &usize| {
        let array = body.instruction(element(body, body.root(), i)?).shape.as_array()?;
        let by = i128::from(one[&i]) - i128::from(two[&i]);
        let last = by.checked_mul(i128::from(trips))?.checked_add(i128::from(two[&i]))?;
        range(array.element).contains(&last).then_some(())
    };
    wanted.iter().try_for_each(stays)?;
    Some(trips)
}

/// What fits a type, as far as it is computed with here.
fn range(element: sim_core::ElementType) -> std::ops::RangeInclusive<i128> {
    let bits = element.bits().min(64);
    match element {
        sim_core::ElementType::Pred => 0..=1,
        e if e.is_signed() => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
        _ => 0..=(1 << bits.min(63)) - 1,
    }
}

trait DivCeilBy {
    fn div_ceil_by(self, by: i64) -> u64;
}

impl DivCeilBy for i64 {
    /// Of positive numbers.
    fn div_ceil_by(self, by: i64) -> u64 {
        (self as u64).div_ceil(by as u64)
    }
}

/// Element `index` of a tuple that is made here.
fn element(computation: &Computation, tuple: &Instruction, index: usize) -> Option<InstructionId> {
    match tuple.opcode {
        Opcode::Tuple => tuple.operands.get(index).copied(),
        // Not a tuple at all: the value itself.
        Opcode::Bitcast | Opcode::Copy | Opcode::OptimizationBarrier => {
            element(computation, computation.instruction(*tuple.operands.first()?), index)
        }
        _ => None,
    }
}

struct Reader<'a> {
    module: &'a HloModule,
    /// Operations that it still looks at.
    left: Cell<u64>,
}

/// Operations that are looked at for one loop; a value that is used twice is looked at twice.
const BUDGET: u64 = 1 << 22;

/// Computations within computations, and operations behind operations, are followed so far.
const DEEPEST: u32 = 200;

impl Reader<'_> {
    fn look(&self) -> Option<()> {
        self.left.set(self.left.get().checked_sub(1)?);
        Some(())
    }

    /// The elements of the parameter on which a scalar depends. `None`: it depends on something else.
    fn needs(&self, c: &Computation, id: InstructionId, out: &mut Vec<usize>, depth: u32) -> Option<()> {
        self.look()?;
        let i = c.instruction(id);
        if depth > DEEPEST || !i.shape.as_array()?.dims.is_empty() {
            return None;
        }
        match i.opcode {
            Opcode::Constant => Some(()),
            Opcode::GetTupleElement if c.instruction(*i.operands.first()?).opcode == Opcode::Parameter => {
                let index = i.element()?;
                if !out.contains(&index) {
                    out.push(index);
                }
                Some(())
            }
            Opcode::Parameter if depth > 0 => Some(()),
            _ if is_scalar_operation(i.opcode) => {
                i.operands.iter().try_for_each(|&o| self.needs(c, o, out, depth + 1))
            }
            _ => None,
        }
    }

    fn value(&self, c: &Computation, id: InstructionId, state: &Known, depth: u32) -> Option<Scalar> {
        self.look()?;
        let i = c.instruction(id);
        if depth > DEEPEST {
            return None;
        }
        let operand = |n: usize| self.value(c, *i.operands.get(n)?, state, depth + 1);
        match i.opcode {
            Opcode::Constant => constant(i),
            Opcode::GetTupleElement => state.get(&i.element()?).copied(),
            Opcode::Parameter => state.get(&usize::try_from(i.parameter_number?).ok()?).copied(),
            Opcode::Fusion | Opcode::Call => {
                let inner = self.module.computation(i.called().next()?);
                let values = (0..i.operands.len()).filter_map(|n| Some((n, operand(n)?))).collect();
                self.value(inner, inner.root, &values, depth + 1)
            }
            Opcode::Copy | Opcode::Bitcast | Opcode::Reshape | Opcode::OptimizationBarrier => operand(0),
            Opcode::Convert => Some(fit(i, operand(0)?)),
            Opcode::Add => Some(fit(i, operand(0)?.wrapping_add(operand(1)?))),
            Opcode::Subtract => Some(fit(i, operand(0)?.wrapping_sub(operand(1)?))),
            Opcode::Multiply => Some(fit(i, operand(0)?.wrapping_mul(operand(1)?))),
            Opcode::Maximum => Some(operand(0)?.max(operand(1)?)),
            Opcode::Minimum => Some(operand(0)?.min(operand(1)?)),
            Opcode::And => Some(operand(0)? & operand(1)?),
            Opcode::Or => Some(operand(0)? | operand(1)?),
            Opcode::Not if is_pred(i) => Some(1 - operand(0)?),
            Opcode::Select => {
                if operand(0)? != 0 {
                    operand(1)
                } else {
                    operand(2)
                }
            }
            Opcode::Compare => {
                let (a, b) = (operand(0)?, operand(1)?);
                let Some(Value::Word(direction)) = i.attr(&Key::Direction) else { return None };
                Some(i64::from(match &**direction {
                    "EQ" => a == b,
                    "NE" => a != b,
                    "LT" => a < b,
                    "LE" => a <= b,
                    "GT" => a > b,
                    _ => a >= b,
                }))
            }
            _ => None,
        }
    }

    /// Is the next value of an element itself, or itself and a constant?
    fn is_sum(&self, body: &Computation, index_of: usize) -> bool {
        let Some(mut id) = element(body, body.root(), index_of) else { return false };
        let mut i = body.instruction(id);
        for _ in 0..DEEPEST {
            match i.opcode {
                Opcode::Copy | Opcode::Bitcast => match i.operands.first() {
                    Some(&next) => id = next,
                    None => return false,
                },
                Opcode::GetTupleElement => return i.element() == Some(index_of),
                Opcode::Constant => return true,
                Opcode::Add => {
                    let constant = |n: usize| {
                        i.operands.get(n).is_some_and(|&o| body.instruction(o).opcode == Opcode::Constant)
                    };
                    match (constant(0), constant(1)) {
                        (false, true) => id = i.operands[0],
                        (true, false) => id = i.operands[1],
                        _ => return false,
                    }
                }
                _ => return false,
            }
            i = body.instruction(id);
        }
        false
    }
}

fn is_scalar_operation(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(
        opcode,
        O::Fusion
            | O::Call
            | O::Copy
            | O::Bitcast
            | O::Reshape
            | O::OptimizationBarrier
            | O::Convert
            | O::Add
            | O::Subtract
            | O::Multiply
            | O::Maximum
            | O::Minimum
            | O::And
            | O::Or
            | O::Not
            | O::Select
            | O::Compare
    )
}

fn is_pred(i: &Instruction) -> bool {
    i.shape.as_array().is_some_and(|a| a.element == sim_core::ElementType::Pred)
}

/// An integer of the instruction's width, sign-extended.
fn fit(i: &Instruction, value: i64) -> i64 {
    let Some(array) = i.shape.as_array() else { return value };
    let bits = array.element.bits();
    match array.element {
        sim_core::ElementType::Pred => i64::from(value != 0),
        _ if bits >= 64 => value,
        e if e.is_signed() => value << (64 - bits) >> (64 - bits),
        _ => value & ((1i64 << bits) - 1),
    }
}

/// An integer or predicate; a float is not followed.
fn constant(i: &Instruction) -> Option<Scalar> {
    let Some(Literal::Array(tensor)) = i.literal.as_deref() else { return None };
    let element = tensor.element();
    if element.is_float() || element.is_complex() {
        return None;
    }
    let bytes = tensor.bytes();
    // Beyond what is computed with here.
    if element.is_unsigned() && bytes.len() == 8 && bytes[7] >> 7 == 1 {
        return None;
    }
    let mut wide = [0u8; 8];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(fit(i, i64::from_le_bytes(wide)))
}
