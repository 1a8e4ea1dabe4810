//! One element at a time.

use super::attrs::Attrs;
use super::lower::Lower;
use super::{expand, shapes, unsupported};
use sim_core::hlo::{InstructionId, Key, Opcode, Value};
use sim_core::ir::op::{CompareType, Direction, ResultAccuracy};
use sim_core::ir::{Binary, Op, Operation, Unary};
use sim_core::{Result, Type};

pub fn export(b: &mut Lower, op: &Operation) -> Result<Option<InstructionId>> {
    match &op.op {
        // As XLA's own conversion writes it, of real numbers.
        Op::Unary(Unary::Square, _) if b.operand_type(op, 0)?.element.is_complex() => Ok(None),
        Op::Unary(Unary::Square, _) => {
            let (x, shape) = (b.operands(op)?[0], b.result_shape(op)?);
            Ok(Some(b.emit(Opcode::Multiply, shape, &[x, x], Attrs::new())))
        }
        Op::Unary(u, accuracy) => match unary(*u) {
            Some(opcode) => {
                let attrs = accuracy.as_ref().map_or_else(Attrs::new, |a| accuracy_attr(a));
                b.plain(op, opcode, attrs)
            }
            None => expand::export(b, op),
        },
        Op::Binary(x) => match binary(*x) {
            Some(opcode) => b.plain(op, opcode, Attrs::new()),
            None => expand::export(b, op),
        },
        Op::Compare { direction, ty } => {
            let mut attrs = Attrs::new().word(Key::Direction, word(*direction));
            // The other kinds follow from the type of the operands.
            if *ty == CompareType::TotalOrder {
                attrs = attrs.word(Key::ComparisonType, "TOTALORDER");
            }
            b.plain(op, Opcode::Compare, attrs)
        }
        Op::Select => spread(b, op, Opcode::Select, &[0]),
        Op::Clamp => spread(b, op, Opcode::Clamp, &[0, 2]),
        Op::Convert => b.plain(op, Opcode::Convert, Attrs::new()),
        Op::BitcastConvert => b.plain(op, Opcode::BitcastConvert, Attrs::new()),
        Op::ReducePrecision { exponent_bits, mantissa_bits } => {
            let attrs =
                Attrs::new().int(Key::ExponentBits, *exponent_bits).int(Key::MantissaBits, *mantissa_bits);
            b.plain(op, Opcode::ReducePrecision, attrs)
        }
        Op::UniformQuantize | Op::UniformDequantize => Err(unsupported(op, "HLO has no quantized types")
            .help("lower them to integers first (`stablehlo-opt --stablehlo-legalize-quant-to-math`)")),
        _ => Ok(None),
    }
}

/// As HLO writes it.
pub(super) fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Eq => "EQ",
        Direction::Ne => "NE",
        Direction::Ge => "GE",
        Direction::Gt => "GT",
        Direction::Le => "LE",
        Direction::Lt => "LT",
    }
}

/// HLO's operands all have the shape of the result: scalars among them are broadcast.
fn spread(b: &mut Lower, op: &Operation, opcode: Opcode, scalars: &[usize]) -> Result<Option<InstructionId>> {
    let mut operands = b.operands(op)?;
    let shape = b.result_shape(op)?;
    let Type::Tensor(result) = b.result_type(op, 0)?.clone() else { return Ok(None) };
    for &n in scalars {
        let ty = b.operand_type(op, n)?;
        if ty.rank() == 0 && result.rank() > 0 {
            let wide = shapes::shape(&result.with_element(ty.element).into())?;
            let attrs = Attrs::new().ints(Key::Dimensions, &[]);
            operands[n] = b.emit(Opcode::Broadcast, wide, &[operands[n]], attrs);
        }
    }
    Ok(Some(b.emit(opcode, shape, &operands, Attrs::new())))
}

fn accuracy_attr(a: &ResultAccuracy) -> Attrs {
    let text = match &*a.mode {
        "DEFAULT" => return Attrs::new(),
        "HIGHEST" => "{mode=highest}".to_string(),
        _ => format!("{{tolerance={{atol={},rtol={},ulps={}}}}}", a.atol, a.rtol, a.ulps),
    };
    Attrs::new().with(Key::ResultAccuracy, Value::Raw(text.into()))
}

pub(super) fn unary(op: Unary) -> Option<Opcode> {
    use Opcode as O;
    use Unary as U;
    Some(match op {
        U::Abs => O::Abs,
        U::Acos => O::Acos,
        U::Acosh => O::Acosh,
        U::Asin => O::Asin,
        U::Asinh => O::Asinh,
        U::Atanh => O::Atanh,
        U::Cbrt => O::Cbrt,
        U::Ceil => O::Ceil,
        U::CountLeadingZeros => O::CountLeadingZeros,
        U::Cosine => O::Cosine,
        U::Cosh => O::Cosh,
        U::Erf => O::Erf,
        U::Exponential => O::Exponential,
        U::ExponentialMinusOne => O::ExponentialMinusOne,
        U::Floor => O::Floor,
        U::Imag => O::Imag,
        U::IsFinite => O::IsFinite,
        U::Log => O::Log,
        U::LogPlusOne => O::LogPlusOne,
        U::Logistic => O::Logistic,
        U::Negate => O::Negate,
        U::Not => O::Not,
        U::Popcnt => O::PopulationCount,
        U::Real => O::Real,
        U::RoundNearestAfz => O::RoundNearestAfz,
        U::RoundNearestEven => O::RoundNearestEven,
        U::Rsqrt => O::Rsqrt,
        U::Sign => O::Sign,
        U::Sine => O::Sine,
        U::Sinh => O::Sinh,
        U::Sqrt => O::Sqrt,
        U::Tan => O::Tan,
        U::Tanh => O::Tanh,
        _ => return None,
    })
}

pub(super) fn binary(op: Binary) -> Option<Opcode> {
    use Binary as B;
    use Opcode as O;
    Some(match op {
        B::Add => O::Add,
        B::And => O::And,
        B::Atan2 => O::Atan2,
        B::Complex => O::Complex,
        B::Divide => O::Divide,
        B::Maximum => O::Maximum,
        B::Minimum => O::Minimum,
        B::MulHi => O::Mulhi,
        B::Multiply => O::Multiply,
        B::Or => O::Or,
        B::Power => O::Power,
        B::Remainder => O::Remainder,
        B::ShiftLeft => O::ShiftLeft,
        B::ShiftRightArithmetic => O::ShiftRightArithmetic,
        B::ShiftRightLogical => O::ShiftRightLogical,
        B::Subtract => O::Subtract,
        B::Xor => O::Xor,
        _ => return None,
    })
}
