//! What each operation wants of layouts, and what its result gets.

use super::order::{Order, default, restricted, transposed, untransposed};
use super::reshape;
use crate::compiler::graph::dims;
use crate::time::arrays::{self, sizes};
use sim_core::hlo::{ArrayShape, Instruction, Key, Opcode, Shape, Value};
use std::sync::Arc;

/// How an operand must lie.
pub enum Need {
    Any,
    Order(Order),
}

/// What an operation does with orders.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Operands of the result's rank lie as the result.
    Alike,
    Broadcast,
    Transpose,
    Reshape,
    Reduce,
    Dot,
    Convolution,
    /// Windows by a vector of places ([`crate::compiler::indexed`]).
    Gather,
    Scatter,
    /// It can make its result in any order.
    Source,
    /// Everything lies as it does where nobody asks.
    Default,
}

fn kind(i: &Instruction) -> Kind {
    use Opcode as O;
    if i.shape.as_array().is_none() {
        return match i.opcode {
            O::Reduce => Kind::Reduce,
            _ => Kind::Default,
        };
    }
    match i.opcode {
        O::Broadcast => Kind::Broadcast,
        O::Transpose => Kind::Transpose,
        O::Reshape => Kind::Reshape,
        O::Reduce => Kind::Reduce,
        O::Dot => Kind::Dot,
        O::Convolution => Kind::Convolution,
        O::Gather if behind(i, &Key::OffsetDims, i.shape.as_array()) => Kind::Gather,
        O::Scatter if i.operands.len() == 3 && i.attr(&Key::IndexVectorDim) == Some(&Value::Int(1)) => {
            Kind::Scatter
        }
        O::Iota | O::Constant | O::Rng | O::PartitionId | O::ReplicaId => Kind::Source,
        O::Slice
        | O::DynamicSlice
        | O::DynamicUpdateSlice
        | O::Pad
        | O::Concatenate
        | O::Reverse
        | O::ReduceWindow
        | O::Copy => Kind::Alike,
        O::AllReduce | O::CollectivePermute | O::OptimizationBarrier => Kind::Alike,
        op if crate::compiler::graph::is_elementwise(op) => Kind::Alike,
        _ => Kind::Default,
    }
}

fn array(shapes: &[Arc<Shape>], k: usize) -> Option<&ArrayShape> {
    shapes.get(k)?.as_array()
}

/// What the operands are wished to be, given what is wished of the result.
pub fn wishes(i: &Instruction, shapes: &[Arc<Shape>], mine: Option<&Order>) -> Vec<Option<Order>> {
    let out = i.shape.as_array();
    let each = |k: usize| -> Option<Order> {
        let operand = array(shapes, k)?;
        match kind(i) {
            Kind::Alike => mine.filter(|_| out.is_some_and(|o| o.rank() == operand.rank())).cloned(),
            Kind::Broadcast => mine.map(|o| restricted(o, dims(i, &Key::Dimensions))),
            Kind::Transpose => {
                let permutation = dims(i, &Key::Dimensions);
                mine.map(|o| untransposed(o, permutation))
                    .or_else(|| out.map(|o| untransposed(&default(o), permutation)))
            }
            Kind::Reshape => mine.and_then(|o| reshape::kept(out?, o, operand)),
            Kind::Dot => {
                let has = default(operand);
                (!fits_product(i, k, operand, &has)).then(|| for_product(i, k, operand))
            }
            Kind::Convolution => for_convolution(i, k, operand),
            Kind::Gather | Kind::Scatter => for_windows(i, k, operand),
            Kind::Reduce | Kind::Source | Kind::Default => None,
        }
    };
    (0..i.operands.len()).map(each).collect()
}

/// How the result lies; `None` for tuples. Where it is a result of the computation, it is copied to lie as `end`.
/// `is_there` says whether an operand is had in an order for nothing.
pub fn result(
    i: &Instruction,
    shapes: &[Arc<Shape>],
    operands: &[Option<&Order>],
    wish: Option<&Order>,
    end: Option<&Order>,
    is_there: &dyn Fn(usize, &Order) -> bool,
) -> Option<Order> {
    let out = i.shape.as_array()?;
    let first = || Some((array(shapes, 0)?, *operands.first()?.as_ref()?));
    let order = match kind(i) {
        Kind::Alike => {
            // Of its operands' orders the one for which the fewest bytes are copied; of equals, the first operand's.
            let same = |k: &usize| array(shapes, *k).is_some_and(|a| a.rank() == out.rank());
            let operand = |k: usize| Some((array(shapes, k)?, operands[k]?));
            let back = |order: &Order| -> u64 {
                let layout = Some(super::order::layout(out, order).into());
                let lies = ArrayShape { layout, ..out.clone() };
                let moves = end.is_some_and(|end| !super::order::same(order, end, out));
                if moves { arrays::bytes(&lies) } else { 0 }
            };
            let copied = |order: &Order| -> u64 {
                let moves = |k: usize| {
                    operand(k).filter(|(a, has)| !super::order::same(order, has, a) && !is_there(k, order))
                };
                (0..shapes.len())
                    .filter(same)
                    .filter_map(moves)
                    .map(|(a, _)| arrays::bytes(a))
                    .fold(0, u64::saturating_add)
                    .saturating_add(back(order))
            };
            let mut orders: Vec<&Order> = Vec::new();
            for order in (0..shapes.len()).filter(same).filter_map(|k| operands[k]) {
                if !orders.contains(&order) {
                    orders.push(order);
                }
            }
            orders.into_iter().min_by_key(|o| copied(o)).cloned()
        }
        // Nothing of its operand's order binds it, but that of several dimensions.
        Kind::Broadcast => None,
        Kind::Transpose => first().map(|(_, o)| transposed(o, dims(i, &Key::Dimensions))),
        Kind::Reshape => first().and_then(|(a, o)| {
            let order = reshape::kept(a, o, out)?;
            let with = |a: &ArrayShape, o: &Order| ArrayShape {
                layout: Some(super::order::layout(a, o).into()),
                ..a.clone()
            };
            // What has to move anyway goes where it is wished.
            reshape::is_free(&with(a, o), &with(out, &order)).then_some(order)
        }),
        Kind::Reduce => first().map(|(a, o)| {
            let gone = dims(i, &Key::Dimensions);
            let kept: Vec<i64> = (0..a.rank() as i64).filter(|d| !gone.contains(d)).collect();
            restricted(o, &kept)
        }),
        Kind::Dot => wish.filter(|o| result_of_product(i, out, o)).cloned(),
        Kind::Convolution => {
            let usual = wish.cloned().filter(|o| o.len() == out.rank()).unwrap_or_else(|| default(out));
            match fits_convolution(i, 2, &usual) {
                true => Some(usual),
                false => for_convolution(i, 2, out),
            }
        }
        // One window behind the other.
        Kind::Gather => Some((0..out.rank() as i64).rev().collect()),
        Kind::Scatter => for_windows(i, 0, out).or_else(|| operands.first().copied().flatten().cloned()),
        Kind::Source => None,
        Kind::Default => return Some(default(out)),
    };
    let wish = || wish.filter(|o| o.len() == out.rank()).cloned();
    Some(order.or_else(wish).unwrap_or_else(|| default(out)))
}

/// How operands must lie, given how the result does.
pub fn needs(
    i: &Instruction,
    shapes: &[Arc<Shape>],
    operands: &[Option<&Order>],
    result: Option<&Order>,
) -> Vec<Need> {
    let out = i.shape.as_array();
    let each = |k: usize| -> Need {
        let Some(operand) = array(shapes, k) else { return Need::Any };
        let alike = || match result {
            Some(o) if out.is_some_and(|out| out.rank() == operand.rank()) => Need::Order(o.clone()),
            _ => Need::Any,
        };
        match kind(i) {
            Kind::Alike => alike(),
            Kind::Broadcast => match result {
                Some(o) if operand.rank() > 1 => Need::Order(restricted(o, dims(i, &Key::Dimensions))),
                _ => Need::Any,
            },
            Kind::Transpose | Kind::Reshape | Kind::Source => Need::Any,
            // Further operands lie as the first, which is reduced where it lies.
            Kind::Reduce => match (operands.first(), array(shapes, 0)) {
                (Some(Some(first)), Some(a)) if a.rank() == operand.rank() => Need::Order((*first).clone()),
                _ => Need::Any,
            },
            Kind::Dot => match operands.get(k) {
                Some(Some(has)) if fits_product(i, k, operand, has) => Need::Any,
                _ => Need::Order(for_product(i, k, operand)),
            },
            Kind::Convolution => match operands[k] {
                Some(has) if fits_convolution(i, k, has) => Need::Any,
                _ => for_convolution(i, k, operand).map_or(Need::Any, Need::Order),
            },
            // What is looked up value by value may lie as it does.
            Kind::Gather | Kind::Scatter if k == 0 => {
                for_windows(i, k, operand).map_or(Need::Any, Need::Order)
            }
            Kind::Gather | Kind::Scatter => {
                Need::Order(for_windows(i, k, operand).unwrap_or_else(|| default(operand)))
            }
            Kind::Default => Need::Order(default(operand)),
        }
    };
    (0..i.operands.len()).map(each).collect()
}

fn batch(i: &Instruction, k: usize) -> &[i64] {
    dims(i, if k == 0 { &Key::LhsBatchDims } else { &Key::RhsBatchDims })
}

/// No batch dimension fills registers: they hold rows or columns, and what is contracted.
fn fits_product(i: &Instruction, k: usize, operand: &ArrayShape, order: &Order) -> bool {
    fits(batch(i, k), operand, order)
}

fn fits(batch: &[i64], array: &ArrayShape, order: &Order) -> bool {
    let sizes = sizes(array);
    let big: Vec<i64> = order.iter().copied().filter(|&d| sizes.get(d as usize) != Some(&1)).collect();
    let others = big.iter().filter(|d| !batch.contains(d)).count();
    big.iter().take(others.min(2)).all(|d| !batch.contains(d))
}

/// Batch dimensions outermost, everything else as it lies where nobody asks.
fn for_product(i: &Instruction, k: usize, operand: &ArrayShape) -> Order {
    let batch = batch(i, k);
    let order = default(operand);
    let (outer, inner): (Order, Order) = order.iter().copied().partition(|d| batch.contains(d));
    inner.into_iter().chain(outer).collect()
}

/// May the product's result lie so? Its first dimensions are the batch.
fn result_of_product(i: &Instruction, out: &ArrayShape, order: &Order) -> bool {
    let batch: Vec<i64> = (0..dims(i, &Key::LhsBatchDims).len() as i64).collect();
    order.len() == out.rank() && fits(&batch, out, order)
}

/// The two dimensions of which a convolution has one in lanes and one in sublanes: of its operands and, where `k` is 2, of its result; the one
/// that comes first where neither pads less.
fn in_registers(i: &Instruction, k: usize) -> Option<[i64; 2]> {
    let Some(Value::DimLabels(labels)) = i.attr(&Key::DimLabels) else { return None };
    Some(match k {
        // The gradient of weights has features for its batch, and images as its window.
        0 if is_gradient(i) => [labels.input_batch, labels.input_feature],
        0 => [labels.input_feature, labels.input_batch],
        1 => [labels.kernel_output_feature, labels.kernel_input_feature],
        _ => [labels.output_feature, labels.output_batch],
    })
}

/// Is the window larger than the result?
fn is_gradient(i: &Instruction) -> bool {
    let (Some(Value::DimLabels(labels)), Some(Value::Window(window))) =
        (i.attr(&Key::DimLabels), i.attr(&Key::Window))
    else {
        return false;
    };
    let Some(out) = i.shape.as_array().map(sizes) else { return false };
    let places: i64 = window.iter().map(|w| w.size.max(1)).fold(1, i64::saturating_mul);
    let results = labels.output_spatial.iter().filter_map(|&d| out.get(d as usize));
    places > results.fold(1, |n, &s| n.saturating_mul(s as i64))
}

/// Either may be in lanes.
fn fits_convolution(i: &Instruction, k: usize, order: &Order) -> bool {
    in_registers(i, k).is_some_and(|both| order.len() > 1 && order[..2].iter().all(|d| both.contains(d)))
}

/// The order with the least padding: few features and a large batch have the batch in lanes (libtpu 0.0.52, 3 to 64 features with a batch of 32 to
/// 256).
fn for_convolution(i: &Instruction, k: usize, operand: &ArrayShape) -> Option<Order> {
    let [first, second] = in_registers(i, k)?;
    let order = |lanes: i64, sublanes: i64| -> Order {
        let rest = (0..operand.rank() as i64).rev().filter(|&d| d != lanes && d != sublanes);
        [lanes, sublanes].into_iter().chain(rest).collect()
    };
    let bytes = |order: &Order| {
        arrays::bytes_of(operand.element, &sizes(operand), Some(&super::order::layout(operand, order)))
    };
    [order(first, second), order(second, first)].into_iter().min_by_key(bytes)
}

/// Are the dimensions of a window, which `key` names, behind that of the windows?
fn behind(i: &Instruction, key: &Key, rows: Option<&ArrayShape>) -> bool {
    rows.is_some_and(|a| (1..a.rank() as i64).eq(dims(i, key).iter().copied()))
        && i.attr(&Key::IndexVectorDim) == Some(&Value::Int(1))
}

/// What a gather takes, or a scatter changes, lies together: the dimensions that are looked up are the outermost of the array, and updates lie
/// one window behind the other. `None`: windows are single values, or these are indices.
fn for_windows(i: &Instruction, k: usize, operand: &ArrayShape) -> Option<Order> {
    let down = 0..operand.rank() as i64;
    if k == 2 {
        return Some(down.rev().collect());
    }
    let gone =
        dims(i, if i.opcode == Opcode::Gather { &Key::CollapsedSliceDims } else { &Key::InsertedWindowDims });
    if k == 1 || gone.len() == operand.rank() {
        return None;
    }
    let (outer, inner): (Order, Order) = down.rev().partition(|d| gone.contains(d));
    Some(inner.into_iter().chain(outer).collect())
}
