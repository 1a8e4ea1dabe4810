//! Matrix products and convolutions.

use super::body::{Body, int_or, ints, ints_or_none, opcode, word};
use super::reduction::window_dims;
use super::tree::Tree;
use super::{invalid, unsupported};
use sim_core::hlo::{Instruction, Key, Opcode, Value, WindowDim};
use sim_core::ir::op::{ConvAttrs, ConvDims, DotAlgorithm, DotDims, Precision, RaggedDotDims};
use sim_core::ir::{Binary, Op, ValueId};
use sim_core::{ElementType as E, Result, TensorType, Type, types::Dim};

pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    use Opcode as O;
    let tree = match opcode(i) {
        O::Dot => {
            let operands = b.exactly::<2>(i)?;
            let operands = alike(b, i, operands)?;
            let op =
                Op::DotGeneral { dims: dot_dims(i)?, precision: precision(i)?, algorithm: algorithm(i)? };
            b.push(i, op, &operands, &[])?
        }
        O::RaggedDot => {
            let operands = b.exactly::<3>(i)?;
            let dims = RaggedDotDims {
                dot: dot_dims(i)?,
                lhs_ragged: ints(i, Key::LhsRaggedDims)?.to_vec(),
                rhs_group: ints_or_none(i, Key::RhsGroupDims),
            };
            b.push(i, Op::RaggedDot { dims, precision: precision(i)? }, &operands, &[])?
        }
        O::ScaledDot => scaled_dot(b, i)?,
        O::Convolution => convolution(b, i)?,
        _ => return Ok(None),
    };
    Ok(Some(tree))
}

/// `scaled-dot(lhs, rhs, lhs_scale, rhs_scale)`: each operand times its scale, of which one element covers a
/// block of the operand; then their product. A scale may be a scalar, where there is none.
fn scaled_dot(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let [lhs, rhs, lhs_scale, rhs_scale] = b.exactly::<4>(i)?;
    let lhs = scaled(b, i, lhs, lhs_scale)?;
    let rhs = scaled(b, i, rhs, rhs_scale)?;
    let op = Op::DotGeneral { dims: dot_dims(i)?, precision: precision(i)?, algorithm: algorithm(i)? };
    b.push(i, op, &[lhs, rhs], &[])
}

/// In bf16, as XLA does where the hardware has no such product: scales are powers of two mostly, and narrow
/// operands fit.
fn scaled(b: &mut Body, i: &Instruction, v: ValueId, scale: ValueId) -> Result<ValueId> {
    let ty = b.tensor_type(v)?.with_element(E::BF16);
    let value = b.helper(i, Op::Convert, &[v], ty.clone().into());
    let from = b.tensor_type(scale)?.with_element(E::BF16);
    let scale = b.helper(i, Op::Convert, &[scale], from.clone().into());
    let bad = || invalid(i, format!("a scale of {from} does not cover blocks of {ty}"));
    let (Some(sizes), Some(blocks)) = (ty.static_dims(), from.static_dims()) else { return Err(bad()) };
    let spread = if blocks.is_empty() {
        b.helper(i, Op::BroadcastInDim { dims: Vec::new() }, &[scale], ty.clone().into())
    } else if blocks.len() == sizes.len() && sizes.iter().zip(&blocks).all(|(n, k)| *k > 0 && n % k == 0) {
        // Each dimension as (blocks, elements in a block).
        let split: Vec<i64> =
            sizes.iter().zip(&blocks).flat_map(|(n, k)| [*k as i64, (n / k) as i64]).collect();
        let dims = (0..blocks.len() as i64).map(|d| 2 * d).collect();
        let wide = b.helper(i, Op::BroadcastInDim { dims }, &[scale], Type::tensor(E::BF16, &split));
        b.helper(i, Op::Reshape, &[wide], ty.clone().into())
    } else {
        return Err(bad());
    };
    Ok(b.helper(i, Op::Binary(Binary::Multiply), &[value, spread], ty.into()))
}

fn dot_dims(i: &Instruction) -> Result<DotDims> {
    Ok(DotDims {
        lhs_batch: ints_or_none(i, Key::LhsBatchDims),
        rhs_batch: ints_or_none(i, Key::RhsBatchDims),
        lhs_contract: ints_or_none(i, Key::LhsContractingDims),
        rhs_contract: ints_or_none(i, Key::RhsContractingDims),
    })
}

/// Empty: the default for both operands.
pub fn precision(i: &Instruction) -> Result<Vec<Precision>> {
    let Some(Value::Words(words)) = i.attr(&Key::OperandPrecision) else { return Ok(Vec::new()) };
    words
        .iter()
        .map(|w| match &**w {
            "default" => Ok(Precision::Default),
            "high" => Ok(Precision::High),
            "highest" => Ok(Precision::Highest),
            other => Err(unsupported(i, format!("the precision `{other}` is not modelled"))),
        })
        .collect()
}

/// `algorithm=dot_bf16_bf16_f32_x3`: types of the operands, of the sum, how many products.
fn algorithm(i: &Instruction) -> Result<Option<DotAlgorithm>> {
    let Some(name) = word(i, Key::Algorithm) else { return Ok(None) };
    if name == "dot_unset" {
        return Ok(None);
    }
    let bad = || unsupported(i, format!("the algorithm `{name}` is not modelled"));
    let parts: Vec<&str> = name.strip_prefix("dot_").ok_or_else(bad)?.split('_').collect();
    let ty = |text: &str| match text {
        "tf32" => Some(Type::Verbatim("tf32".into())),
        "any" => None,
        _ => E::from_hlo_name(text).map(Type::Scalar),
    };
    let (types, passes) = match parts.split_last() {
        Some((last, rest)) if last.starts_with('x') => (rest, last[1..].parse::<i64>().map_err(|_| bad())?),
        _ => (&parts[..], 1),
    };
    let [lhs, rhs, sum] = types else { return Err(bad()) };
    // How many parts an operand is split into for so many products: 3 of 2, 6 and 9 of 3.
    let components = match passes {
        1 => 1,
        3 => 2,
        6 | 9 => 3,
        _ => return Err(bad()),
    };
    Ok(Some(DotAlgorithm {
        lhs_precision_type: ty(lhs).ok_or_else(bad)?,
        rhs_precision_type: ty(rhs).ok_or_else(bad)?,
        accumulation_type: ty(sum).ok_or_else(bad)?,
        lhs_component_count: components,
        rhs_component_count: components,
        num_primitive_operations: passes,
        allow_imprecise_accumulation: false,
    }))
}

/// HLO multiplies operands of two types (a mask by numbers): each as one that holds both, which is exact.
fn alike(b: &mut Body, i: &Instruction, [lhs, rhs]: [ValueId; 2]) -> Result<[ValueId; 2]> {
    let (l, r) = (b.tensor_type(lhs)?, b.tensor_type(rhs)?);
    if l.element == r.element {
        return Ok([lhs, rhs]);
    }
    let rank = |e: E| (e.is_complex(), e.is_float(), e.is_integer(), e.bits());
    let wider = if rank(l.element) > rank(r.element) { l.element } else { r.element };
    let element = match (l.element, r.element) {
        (a, b) if a.is_float() && b.is_float() && wider.bits() <= 16 => E::F32,
        (a, b) if a.is_integer() && b.is_integer() && a != E::Pred && b != E::Pred => holds(a, b),
        _ => wider,
    };
    let as_wider = |b: &mut Body, v: ValueId, ty: TensorType| match ty.element == element {
        true => v,
        false => b.helper(i, Op::Convert, &[v], ty.with_element(element).into()),
    };
    Ok([as_wider(b, lhs, l), as_wider(b, rhs, r)])
}

/// The integer type that has all values of both; of 64 bits, the signed one.
fn holds(a: E, b: E) -> E {
    let bits = |e: E| if e.is_unsigned() { e.bits() * 2 } else { e.bits() };
    let wider = if a.bits() >= b.bits() { a } else { b };
    match a.is_unsigned() == b.is_unsigned() {
        true => wider,
        false => match bits(a).max(bits(b)) {
            0..=8 => E::S8,
            9..=16 => E::S16,
            17..=32 => E::S32,
            _ => E::S64,
        },
    }
}

/// A convolution that is a matrix product (which is how XLA:TPU writes those) becomes one.
fn convolution(b: &mut Body, i: &Instruction) -> Result<Tree> {
    let operands = b.exactly::<2>(i)?;
    let [lhs, rhs] = alike(b, i, operands)?;
    let Some(Value::DimLabels(dims)) = i.attr(&Key::DimLabels) else {
        return Err(invalid(i, "the attribute `dim_labels` is missing"));
    };
    let window = window_dims(i, dims.input_spatial.len())?;
    let groups = (int_or(i, Key::FeatureGroupCount, 1), int_or(i, Key::BatchGroupCount, 1));
    let precision = precision(i)?;
    if groups == (1, 1)
        && let Some(batch) = batch_dims(b, lhs, rhs, dims, &window)?
    {
        return product(b, i, [lhs, rhs], dims, &batch, precision);
    }
    let attrs = ConvAttrs {
        window_strides: window.iter().map(|w| w.stride).collect(),
        padding: window.iter().map(|w| (w.pad_low, w.pad_high)).collect(),
        lhs_dilation: window.iter().map(|w| w.base_dilation).collect(),
        rhs_dilation: window.iter().map(|w| w.window_dilation).collect(),
        window_reversal: window.iter().map(|w| w.reversal).collect(),
        dims: (**dims).clone(),
        feature_group_count: groups.0,
        batch_group_count: groups.1,
        precision,
    };
    b.push(i, Op::Convolution(Box::new(attrs)), &[lhs, rhs], &[])
}

/// What a spatial dimension is to a matrix product.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// Place by place: `window={size=N stride=N-1 lhs_dilate=N}` over N places.
    Batch,
    /// One place: `size=1` over 1.
    Unit,
    /// Summed: the window covers the whole operand, once.
    Contract,
    /// Of the left operand alone: `size=1` over N places.
    Left,
    /// Of the right operand alone: a reversed window that slides over one place, padded.
    Right,
}

/// The roles of the spatial dimensions, if the convolution is a product in all of them.
fn batch_dims(
    b: &Body,
    lhs: ValueId,
    rhs: ValueId,
    dims: &ConvDims,
    window: &[WindowDim],
) -> Result<Option<Vec<Role>>> {
    let (lhs, rhs) = (b.tensor_type(lhs)?, b.tensor_type(rhs)?);
    let size = |ty: &TensorType, d: i64| match ty.dims.get(usize::try_from(d).ok()?) {
        Some(Dim::Static(n)) => Some(*n),
        _ => None,
    };
    let mut roles = Vec::new();
    for (k, w) in window.iter().enumerate() {
        let (Some(n), Some(m)) = (size(&lhs, dims.input_spatial[k]), size(&rhs, dims.kernel_spatial[k]))
        else {
            return Ok(None);
        };
        match role(n, m, w) {
            Some(role) => roles.push(role),
            None => return Ok(None),
        }
    }
    Ok(Some(roles))
}

/// `n` places of the operand, `m` of the window.
fn role(n: i64, m: i64, w: &WindowDim) -> Option<Role> {
    if m != w.size || n < 1 || m < 1 {
        return None;
    }
    let plain = w.stride == 1 && w.base_dilation == 1 && w.window_dilation == 1;
    let unpadded = (w.pad_low, w.pad_high) == (0, 0);
    if n == 1 && m == 1 && unpadded && w.stride == 1 {
        return Some(Role::Unit);
    }
    // Output o meets window place k where o·stride + k·dilation − low is a place of the dilated operand.
    // With stride n−1 and dilation n that is k = o (forward), operand place o.
    if n == m && n > 1 && !w.reversal && unpadded && w.window_dilation == 1 {
        if w.stride == n - 1 && w.base_dilation == n {
            return Some(Role::Batch);
        }
        if plain {
            return Some(Role::Contract);
        }
    }
    if m == 1 && plain && unpadded {
        return Some(Role::Left);
    }
    // One place, a window of m, padded by m−1 on both sides: output o is window place m−1−o, and place
    // o where the window is reversed.
    if n == 1 && plain && w.reversal && w.pad_low == m - 1 && w.pad_high == m - 1 {
        return Some(Role::Right);
    }
    None
}

fn product(
    b: &mut Body,
    i: &Instruction,
    [lhs, rhs]: [ValueId; 2],
    dims: &ConvDims,
    roles: &[Role],
    precision: Vec<Precision>,
) -> Result<Tree> {
    let mut dot = DotDims {
        lhs_contract: vec![dims.input_feature],
        rhs_contract: vec![dims.kernel_input_feature],
        ..DotDims::default()
    };
    // The product's dimensions, as places of the result: batch, then the left's own, then the right's.
    let (mut batch, mut left, mut right) =
        (Vec::new(), vec![(dims.input_batch, dims.output_batch)], Vec::new());
    right.push((dims.kernel_output_feature, dims.output_feature));
    for (k, role) in roles.iter().enumerate() {
        let (l, r, o) = (dims.input_spatial[k], dims.kernel_spatial[k], dims.output_spatial[k]);
        match role {
            Role::Batch => {
                dot.lhs_batch.push(l);
                dot.rhs_batch.push(r);
                batch.push(o);
            }
            // Size 1 on both sides, and 1 or nothing of the result: summing over it changes nothing.
            Role::Unit | Role::Contract => {
                dot.lhs_contract.push(l);
                dot.rhs_contract.push(r);
            }
            // The other side's 1 is dropped by a reshape below.
            Role::Left => left.push((l, o)),
            Role::Right => right.push((r, o)),
        }
    }
    let lhs =
        drop_units(b, i, lhs, dims.input_spatial.iter().zip(roles).filter(|(_, r)| **r == Role::Right))?;
    let rhs =
        drop_units(b, i, rhs, dims.kernel_spatial.iter().zip(roles).filter(|(_, r)| **r == Role::Left))?;
    left.sort();
    right.sort();
    let (lhs, lhs_gone) = lhs;
    let (rhs, rhs_gone) = rhs;
    let shift = |d: &mut i64, gone: &[i64]| *d -= gone.iter().filter(|&&g| g < *d).count() as i64;
    dot.lhs_contract.iter_mut().chain(&mut dot.lhs_batch).for_each(|d| shift(d, &lhs_gone));
    dot.rhs_contract.iter_mut().chain(&mut dot.rhs_batch).for_each(|d| shift(d, &rhs_gone));

    // Where each dimension of the product goes in the result.
    let places: Vec<i64> =
        batch.iter().copied().chain(left.iter().map(|p| p.1)).chain(right.iter().map(|p| p.1)).collect();
    let result = i.shape.as_array().ok_or_else(|| invalid(i, "it gives an array"))?;
    let size = |d: i64| usize::try_from(d).ok().and_then(|d| result.dims.get(d)).copied();
    let sizes: Option<Vec<Dim>> = places.iter().map(|&d| size(d)).collect();
    let sizes =
        sizes.ok_or_else(|| invalid(i, "`dim_labels` names dimensions that the result does not have"))?;
    let ty = TensorType::new(result.element, sizes);
    let product =
        b.helper(i, Op::DotGeneral { dims: dot, precision, algorithm: None }, &[lhs, rhs], ty.clone().into());

    // Into the order of the result: a transpose, then the dimensions of size 1 that the product lacks.
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&p| places[p]);
    let mut value = product;
    if order.iter().enumerate().any(|(at, &p)| at != p) {
        let ty = TensorType::new(result.element, order.iter().map(|&p| ty.dims[p]));
        let permutation = order.iter().map(|&p| p as i64).collect();
        value = b.helper(i, Op::Transpose { permutation }, &[value], ty.into());
    }
    if places.len() != result.rank() {
        return b.push(i, Op::Reshape, &[value], &[]);
    }
    Ok(Tree::Leaf(value))
}

/// Without the given dimensions, which have size 1.
fn drop_units<'r>(
    b: &mut Body,
    i: &Instruction,
    v: ValueId,
    gone: impl Iterator<Item = (&'r i64, &'r Role)>,
) -> Result<(ValueId, Vec<i64>)> {
    let gone: Vec<i64> = gone.map(|(d, _)| *d).collect();
    if gone.is_empty() {
        return Ok((v, gone));
    }
    let ty = b.tensor_type(v)?;
    let kept = ty.dims.iter().enumerate().filter(|(d, _)| !gone.contains(&(*d as i64))).map(|(_, n)| *n);
    let smaller = TensorType::new(ty.element, kept);
    Ok((b.helper(i, Op::Reshape, &[v], smaller.into()), gone))
}
