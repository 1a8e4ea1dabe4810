//! One element at a time.

use super::body::{Body, int, opcode, word};
use super::tree::Tree;
use super::{invalid, types, unsupported};
use sim_core::hlo::{Instruction, Key, Opcode, Shape, Value};
use sim_core::ir::op::{CompareType, Direction, ResultAccuracy};
use sim_core::ir::{Binary, Op, Unary, ValueId};
use sim_core::{ElementType as E, Result, TensorType, Type};
use std::sync::Arc;

pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    use Opcode as O;
    if let Some(op) = unary(opcode(i)) {
        let operands = b.exactly::<1>(i)?;
        let accuracy = accuracy(i).map(Arc::new);
        return b.push(i, Op::Unary(op, accuracy), &operands, &[]).map(Some);
    }
    if let Some(op) = binary(opcode(i)) {
        let operands = b.exactly::<2>(i)?;
        return b.push(i, Op::Binary(op), &operands, &[]).map(Some);
    }
    let tree = match opcode(i) {
        O::Compare => {
            let operands = b.exactly::<2>(i)?;
            b.push(i, Op::Compare { direction: direction(i)?, ty: compare_type(i)? }, &operands, &[])?
        }
        O::Select => select(b, i)?,
        O::Clamp => {
            let operands = b.exactly::<3>(i)?;
            b.push(i, Op::Clamp, &operands, &[])?
        }
        O::Convert => {
            let operands = b.exactly::<1>(i)?;
            b.push(i, Op::Convert, &operands, &[])?
        }
        O::BitcastConvert => {
            let operands = b.exactly::<1>(i)?;
            b.push(i, Op::BitcastConvert, &operands, &[])?
        }
        O::ReducePrecision => {
            let operands = b.exactly::<1>(i)?;
            let op = Op::ReducePrecision {
                exponent_bits: int(i, Key::ExponentBits)?,
                mantissa_bits: int(i, Key::MantissaBits)?,
            };
            b.push(i, op, &operands, &[])?
        }
        O::Exponential2 => exp2(b, i)?,
        O::Log2 => log2(b, i)?,
        O::StochasticConvert => stochastic(b, i)?,
        _ => return Ok(None),
    };
    Ok(Some(tree))
}

fn unary(op: Opcode) -> Option<Unary> {
    use Opcode as O;
    use Unary as U;
    Some(match op {
        O::Abs => U::Abs,
        O::Acos => U::Acos,
        O::Acosh => U::Acosh,
        O::Asin => U::Asin,
        O::Asinh => U::Asinh,
        O::Atanh => U::Atanh,
        O::Cbrt => U::Cbrt,
        O::Ceil => U::Ceil,
        O::CountLeadingZeros => U::CountLeadingZeros,
        O::Cosine => U::Cosine,
        O::Cosh => U::Cosh,
        O::Erf => U::Erf,
        O::Exponential => U::Exponential,
        O::ExponentialMinusOne => U::ExponentialMinusOne,
        O::Floor => U::Floor,
        O::Imag => U::Imag,
        O::IsFinite => U::IsFinite,
        O::Log => U::Log,
        O::LogPlusOne => U::LogPlusOne,
        O::Logistic => U::Logistic,
        O::Negate => U::Negate,
        O::Not => U::Not,
        O::PopulationCount => U::Popcnt,
        O::Real => U::Real,
        O::RoundNearestAfz => U::RoundNearestAfz,
        O::RoundNearestEven => U::RoundNearestEven,
        O::Rsqrt => U::Rsqrt,
        O::Sign => U::Sign,
        O::Sine => U::Sine,
        O::Sinh => U::Sinh,
        O::Sqrt => U::Sqrt,
        O::Tan => U::Tan,
        O::Tanh => U::Tanh,
        _ => return None,
    })
}

fn binary(op: Opcode) -> Option<Binary> {
    use Binary as B;
    use Opcode as O;
    Some(match op {
        O::Add => B::Add,
        O::And => B::And,
        O::Atan2 => B::Atan2,
        O::Complex => B::Complex,
        O::Divide => B::Divide,
        O::Maximum => B::Maximum,
        O::Minimum => B::Minimum,
        O::Mulhi => B::MulHi,
        O::Multiply => B::Multiply,
        O::Or => B::Or,
        O::Power => B::Power,
        O::Remainder => B::Remainder,
        O::ShiftLeft => B::ShiftLeft,
        O::ShiftRightArithmetic => B::ShiftRightArithmetic,
        O::ShiftRightLogical => B::ShiftRightLogical,
        O::Subtract => B::Subtract,
        O::Xor => B::Xor,
        _ => return None,
    })
}

/// `result_accuracy={mode=highest}`, `{tolerance={atol=0.5,rtol=0.25,ulps=2}}`
fn accuracy(i: &Instruction) -> Option<ResultAccuracy> {
    let Some(Value::Raw(text)) = i.attr(&Key::ResultAccuracy) else { return None };
    let mut accuracy = ResultAccuracy { atol: 0.0, rtol: 0.0, ulps: 0, mode: "HIGHEST".into() };
    if text.contains("highest") {
        return Some(accuracy);
    }
    let (_, fields) = text.split_once("tolerance={")?;
    for field in fields.trim_end_matches(['}', ' ']).split(',') {
        let (name, value) = field.split_once('=')?;
        match name.trim() {
            "atol" => accuracy.atol = value.parse().ok()?,
            "rtol" => accuracy.rtol = value.parse().ok()?,
            "ulps" => accuracy.ulps = value.parse().ok()?,
            _ => return None,
        }
    }
    Some(ResultAccuracy { mode: "TOLERANCE".into(), ..accuracy })
}

fn direction(i: &Instruction) -> Result<Direction> {
    Ok(match word(i, Key::Direction) {
        Some("EQ") => Direction::Eq,
        Some("NE") => Direction::Ne,
        Some("GE") => Direction::Ge,
        Some("GT") => Direction::Gt,
        Some("LE") => Direction::Le,
        Some("LT") => Direction::Lt,
        _ => return Err(invalid(i, "`direction` is one of EQ, NE, GE, GT, LE, LT")),
    })
}

fn compare_type(i: &Instruction) -> Result<CompareType> {
    Ok(match word(i, Key::ComparisonType).or_else(|| word(i, Key::Order)) {
        None | Some("PARTIAL") => CompareType::Default,
        Some("FLOAT") => CompareType::Float,
        Some("TOTALORDER") => CompareType::TotalOrder,
        Some("SIGNED") => CompareType::Signed,
        Some("UNSIGNED") => CompareType::Unsigned,
        Some(other) => return Err(invalid(i, format!("`{other}` is no type of comparison"))),
    })
}

/// HLO also selects among tuples (by a scalar).
fn select(b: &mut Body, i: &Instruction) -> Result<Tree> {
    if !matches!(&*i.shape, Shape::Tuple(_)) {
        let operands = b.exactly::<3>(i)?;
        return b.push(i, Op::Select, &operands, &[]);
    }
    let pred = b.operand(i, 0)?;
    let (mut on_true, mut on_false) = (Vec::new(), Vec::new());
    b.operand_tree(i, 1)?.leaves(&mut on_true);
    b.operand_tree(i, 2)?.leaves(&mut on_false);
    if on_true.len() != on_false.len() {
        return Err(invalid(i, "the two tuples differ in structure"));
    }
    let values: Vec<ValueId> = on_true
        .into_iter()
        .zip(on_false)
        .map(|(t, f)| {
            let ty = b.builder.ty(t).clone();
            b.helper(i, Op::Select, &[pred, t, f], ty)
        })
        .collect();
    types::tree(&i.shape, &mut values.into_iter())
}

/// To an integer, away from zero with the probability that the fraction is: where the random bits, as a
/// fraction of their range, are less than it. What does not fit becomes the type's end; NaN becomes 0.
fn stochastic(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let [value, random] = b.exactly::<2>(i)?;
    let (from, bits) = (b.tensor_type(value)?, b.tensor_type(random)?);
    let to = types::leaf(&i.shape)?.as_tensor().cloned().ok_or_else(|| invalid(i, "it gives an array"))?;
    if !from.element.is_float() || !to.element.is_integer() || bits.element.bits() != from.element.bits() {
        return Err(unsupported(
            i,
            "stochastic-convert of anything but a float to an integer, by as many bits",
        ));
    }
    // Products with a power of two are exact there, also for f32 on 32 bits.
    let wide = from.with_element(E::F64);
    let wide_ty = Type::from(wide.clone());
    let x = b.helper(i, Op::Convert, &[value], wide_ty.clone());
    let size = b.helper(i, Op::Unary(Unary::Abs, None), &[x], wide_ty.clone());
    let whole = b.helper(i, Op::Unary(Unary::Floor, None), &[size], wide_ty.clone());
    let fraction = b.helper(i, Op::Binary(Binary::Subtract), &[size, whole], wide_ty.clone());
    let scaled = times(b, i, fraction, 2f64.powi(bits.element.bits() as i32))?;
    let threshold = b.helper(i, Op::Unary(Unary::Floor, None), &[scaled], wide_ty.clone());
    let drawn = b.helper(i, Op::Convert, &[random], wide_ty.clone());
    let less = Op::Compare { direction: Direction::Lt, ty: CompareType::Default };
    let up = b.helper(i, less, &[drawn, threshold], from.with_element(E::Pred).into());
    let step = b.helper(i, Op::Convert, &[up], wide_ty.clone());
    let rounded = b.helper(i, Op::Binary(Binary::Add), &[whole, step], wide_ty.clone());
    let sign = b.helper(i, Op::Unary(Unary::Sign, None), &[x], wide_ty.clone());
    let signed = b.helper(i, Op::Binary(Binary::Multiply), &[rounded, sign], wide_ty.clone());
    // Infinities have no fraction: they stay what they are.
    let finite = b.helper(i, Op::Unary(Unary::IsFinite, None), &[x], from.with_element(E::Pred).into());
    let result = b.helper(i, Op::Select, &[finite, signed, x], wide_ty);
    b.push(i, Op::Convert, &[result], &[])
}

/// 2^x, as XLA expands it: exp(x · ln 2).
fn exp2(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let [x] = b.exactly::<1>(i)?;
    let scaled = times(b, i, x, std::f64::consts::LN_2)?;
    b.push(i, Op::Unary(Unary::Exponential, None), &[scaled], &[])
}

/// log2 x, as XLA expands it: log(x) · 1/ln 2.
fn log2(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let [x] = b.exactly::<1>(i)?;
    let ty = b.builder.ty(x).clone();
    let log = b.helper(i, Op::Unary(Unary::Log, None), &[x], ty);
    times(b, i, log, std::f64::consts::LOG2_E).map(Tree::Leaf)
}

fn times(b: &mut Body, i: &Instruction, x: ValueId, factor: f64) -> Result<ValueId> {
    let ty = b.tensor_type(x)?;
    let c = super::compute::float_constant(b, i, ty.element, factor)?;
    let spread =
        b.helper(i, Op::BroadcastInDim { dims: Vec::new() }, &[c], Type::from(TensorType::clone(&ty)));
    Ok(b.helper(i, Op::Binary(Binary::Multiply), &[x, spread], ty.into()))
}
