//! The types that an operation's results have once its operands' shapes are known.

use sim_core::ir::Op;
use sim_core::ir::infer::{RegionSig, infer, infer_declared};
use sim_core::types::{Dim, Dims, TensorType};
use sim_core::{Diagnostic, Result, Type};

/// What both types say of a value: the dimensions that either knows; all else is the second's.
///
/// # Errors
/// Invalid: they contradict each other.
pub fn merge(refined: &Type, declared: &Type) -> Result<Type> {
    let misfit = || {
        Diagnostic::invalid(format!(
            "the shapes of the inputs make it {refined}, but it is declared {declared}"
        ))
    };
    match (refined, declared) {
        (Type::Tensor(a), Type::Tensor(b)) => {
            let fits = a.rank() == b.rank() && a.dims.iter().zip(&b.dims).all(|(&a, &b)| a.compatible(b));
            if !fits {
                return Err(misfit());
            }
            let mut out = (**b).clone();
            for (d, &known) in out.dims.iter_mut().zip(&a.dims) {
                *d = most_specific(*d, known);
            }
            Ok(out.into())
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            Ok(Type::Tuple(a.iter().zip(b.iter()).map(|(a, b)| merge(a, b)).collect::<Result<_>>()?))
        }
        (Type::Future(a), Type::Future(b)) if a.len() == b.len() => {
            Ok(Type::Future(a.iter().zip(b.iter()).map(|(a, b)| merge(a, b)).collect::<Result<_>>()?))
        }
        (a, b) if a == b => Ok(b.clone()),
        _ => Err(misfit()),
    }
}

fn most_specific(a: Dim, b: Dim) -> Dim {
    match (a, b) {
        (Dim::Static(_), _) => a,
        (_, Dim::Static(_)) => b,
        (Dim::Bounded(a), Dim::Bounded(b)) => Dim::Bounded(a.min(b)),
        (Dim::Bounded(_), Dim::Dynamic) => a,
        (Dim::Dynamic, _) => b,
    }
}

/// What holds of a value that is of the one type or of the other: differing dimensions are unknown.
pub fn generalize(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Tensor(x), Type::Tensor(y)) if x.rank() == y.rank() => {
            let mut out = (**x).clone();
            for (d, other) in out.dims.iter_mut().zip(&y.dims) {
                if d != other {
                    *d = Dim::Dynamic;
                }
            }
            out.into()
        }
        _ => a.clone(),
    }
}

/// The result types of an operation that stands with `declared` ones, for these operands.
///
/// # Errors
/// Invalid: the operands contradict each other, or the declaration.
pub fn results(op: &Op, operands: &[Type], regions: &[RegionSig], declared: &[Type]) -> Result<Vec<Type>> {
    let refined = match op {
        // Nothing but the declaration tells.
        Op::Constant(_) | Op::Iota { .. } | Op::CustomCall(_) => return Ok(declared.to_vec()),
        // Elementwise, of an element type that only the declaration tells.
        Op::Convert | Op::UniformQuantize | Op::UniformDequantize => vec![shaped_as(operands, declared)?],
        Op::BitcastConvert => vec![bitcast(operands, declared)?],
        Op::Reshape => vec![reshape(operands, declared)?],
        Op::BroadcastInDim { dims } => vec![broadcast(operands, declared, dims)?],
        // The state keeps its shape; how many bits are wanted, only the declaration tells.
        Op::RngBitGenerator(_) => {
            let [state, ..] = operands else { return Ok(declared.to_vec()) };
            std::iter::once(state.clone()).chain(declared.iter().skip(1).cloned()).collect()
        }
        _ => match infer(op, operands, regions) {
            Ok(types) => types,
            // If the declaration is right, then the operands just do not determine it.
            Err(e) => infer_declared(op, operands, regions, declared).map_err(|_| e)?,
        },
    };
    if refined.len() != declared.len() {
        return Err(Diagnostic::invalid(format!("it has {} results, not {}", declared.len(), refined.len())));
    }
    refined.iter().zip(declared).map(|(r, d)| merge(r, d)).collect()
}

fn tensors<'t>(operands: &'t [Type], declared: &'t [Type]) -> Result<(&'t TensorType, &'t TensorType)> {
    match (operands.first().and_then(Type::as_tensor), declared.first().and_then(Type::as_tensor)) {
        (Some(x), Some(y)) => Ok((x, y)),
        _ => Err(Diagnostic::invalid("operand and result must be tensors")),
    }
}

fn with_dims(t: &TensorType, dims: Dims) -> Type {
    TensorType { dims, ..t.clone() }.into()
}

fn shaped_as(operands: &[Type], declared: &[Type]) -> Result<Type> {
    let (x, y) = tensors(operands, declared)?;
    Ok(with_dims(y, x.dims.clone()))
}

/// Equal widths: the same shape. Else the last dimension of the one with the narrower elements counts
/// them within an element of the other.
fn bitcast(operands: &[Type], declared: &[Type]) -> Result<Type> {
    let (x, y) = tensors(operands, declared)?;
    let mut dims = x.dims.clone();
    let (from, to) = (x.element.bits(), y.element.bits());
    if from < to {
        dims.pop();
    } else if from > to {
        dims.push(Dim::Static((from / to.max(1)) as i64));
    }
    Ok(with_dims(y, dims))
}

/// One dimension that is not known is what remains of the elements.
fn reshape(operands: &[Type], declared: &[Type]) -> Result<Type> {
    let (x, y) = tensors(operands, declared)?;
    let mut dims = y.dims.clone();
    let known: Vec<i64> = dims.iter().filter_map(|d| d.as_static()).collect();
    let product = TensorType::of(y.element, &known).num_elements();
    if let (Some(n), Some(product)) = (x.num_elements(), product)
        && known.len() + 1 == dims.len()
        && product > 0
        && n % product == 0
        && let Ok(rest) = i64::try_from(n / product)
        && let Some(d) = dims.iter_mut().find(|d| !d.is_static())
    {
        *d = Dim::Static(rest);
    }
    Ok(with_dims(y, dims))
}

/// A static operation broadcasts to static sizes only: an unknown one was unknown in the operand.
fn broadcast(operands: &[Type], declared: &[Type], dims: &[i64]) -> Result<Type> {
    let (x, y) = tensors(operands, declared)?;
    let mut out = y.dims.clone();
    for (from, &to) in x.dims.iter().zip(dims) {
        if let Some(to) = usize::try_from(to).ok().and_then(|i| out.get_mut(i))
            && !to.is_static()
        {
            *to = *from;
        }
    }
    Ok(with_dims(y, out))
}
