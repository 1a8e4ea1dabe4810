//! Many elements to one.

use super::body::{Body, computation, flag, int, int_or, ints, opcode};
use super::tree::Tree;
use super::{invalid, types};
use sim_core::Result;
use sim_core::hlo::{Instruction, Key, Opcode, Value, WindowDim};
use sim_core::ir::op::Window;
use sim_core::ir::{AttrDict, Op, RegionId, ValueId};

pub fn import(b: &mut Body, i: &Instruction) -> Result<Option<Tree>> {
    use Opcode as O;
    let tree = match opcode(i) {
        O::Reduce => {
            let operands = b.leaves(i)?;
            let region = b.region(i, computation(i, Key::ToApply)?)?;
            reduce(b, i, &operands, region)?
        }
        O::ReduceWindow => {
            let operands = b.leaves(i)?;
            let region = b.region(i, computation(i, Key::ToApply)?)?;
            let rank = b.shape_of(i, 0)?.as_array().map_or(0, |a| a.rank());
            b.push(i, Op::ReduceWindow(window(i, rank)?), &operands, &[region])?
        }
        O::SelectAndScatter => {
            let operands = b.exactly::<3>(i)?;
            let select = b.region(i, computation(i, Key::Select)?)?;
            let scatter = b.region(i, computation(i, Key::Scatter)?)?;
            let rank = b.shape_of(i, 0)?.as_array().map_or(0, |a| a.rank());
            b.push(i, Op::SelectAndScatter(window(i, rank)?), &operands, &[select, scatter])?
        }
        O::Map => {
            let operands = b.leaves(i)?;
            let region = b.region(i, computation(i, Key::ToApply)?)?;
            let rank = i.shape.as_array().map_or(0, |a| a.rank());
            b.push(i, Op::Map { dims: (0..rank as i64).collect() }, &operands, &[region])?
        }
        O::Scan => {
            let operands = b.leaves(i)?;
            let region = b.region(i, computation(i, Key::ToApply)?)?;
            let [dim] = ints(i, Key::Dimensions)? else {
                return Err(invalid(i, "`dimensions` names one dimension"));
            };
            let op = Op::Scan {
                dim: *dim,
                num_inits: usize::try_from(int_or(i, Key::NumCarries, 0)).unwrap_or(0),
                reverse: flag(i, Key::IsReverse),
                associative: Some(flag(i, Key::IsAssociative)),
            };
            b.push(i, op, &operands, &[region])?
        }
        O::BatchNormTraining | O::BatchNormInference | O::BatchNormGrad => {
            let operands = b.leaves(i)?;
            let Some(Value::Float(epsilon)) = i.attr(&Key::Epsilon) else {
                return Err(invalid(i, "the attribute `epsilon` is missing"));
            };
            let (epsilon, feature_index) = (*epsilon as f32, int(i, Key::FeatureIndex)?);
            let op = match opcode(i) {
                O::BatchNormTraining => Op::BatchNormTraining { epsilon, feature_index },
                O::BatchNormInference => Op::BatchNormInference { epsilon, feature_index },
                _ => Op::BatchNormGrad { epsilon, feature_index },
            };
            b.push(i, op, &operands, &[])?
        }
        _ => return Ok(None),
    };
    Ok(Some(tree))
}

/// The sums are of the operands' types; XLA:TPU also declares narrower ones, and rounds once at the end.
fn reduce(b: &mut Body, i: &Instruction, operands: &[ValueId], region: RegionId) -> Result<Tree> {
    let op = Op::Reduce { dims: ints(i, Key::Dimensions)?.to_vec() };
    let mut declared = Vec::new();
    types::leaves(&i.shape, &mut declared)?;
    if operands.len() != 2 * declared.len() {
        return Err(invalid(i, "it takes an initial value for each operand, and gives as many results"));
    }
    let mut summed = Vec::new();
    for (&v, ty) in operands.iter().zip(&declared) {
        let element = b.tensor_type(v)?.element;
        summed.push(ty.as_tensor().map_or_else(|| ty.clone(), |t| t.with_element(element).into()));
    }
    let loc = b.loc(i);
    let id = b.builder.push(op, operands, summed.iter().cloned(), &[region], AttrDict::new(), loc, i.span);
    let mut values = b.builder.function().op(id).results.to_vec();
    for ((v, given), wanted) in values.iter_mut().zip(&summed).zip(&declared) {
        if given != wanted {
            *v = b.helper(i, Op::Convert, &[*v], wanted.clone());
        }
    }
    types::tree(&i.shape, &mut values.into_iter())
}

/// The dimensions of `window={…}`, as many as `rank`.
pub fn window_dims(i: &Instruction, rank: usize) -> Result<Vec<WindowDim>> {
    let dims = match i.attr(&Key::Window) {
        Some(Value::Window(dims)) => dims.to_vec(),
        _ => Vec::new(),
    };
    if dims.len() != rank {
        return Err(invalid(i, format!("its window has {} dimensions, where {rank} are needed", dims.len())));
    }
    Ok(dims)
}

fn window(i: &Instruction, rank: usize) -> Result<Window> {
    let dims = window_dims(i, rank)?;
    if dims.iter().any(|d| d.reversal) {
        return Err(invalid(i, "windows of reductions are not reversed"));
    }
    Ok(Window {
        dimensions: dims.iter().map(|d| d.size).collect(),
        strides: dims.iter().map(|d| d.stride).collect(),
        base_dilations: dims.iter().map(|d| d.base_dilation).collect(),
        window_dilations: dims.iter().map(|d| d.window_dilation).collect(),
        padding: dims.iter().map(|d| (d.pad_low, d.pad_high)).collect(),
    })
}
