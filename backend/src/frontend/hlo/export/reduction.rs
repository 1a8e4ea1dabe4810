//! Many elements to one.

use super::attrs::Attrs;
use super::lower::Lower;
use super::unsupported;
use sim_core::Result;
use sim_core::hlo::{InstructionId, Key, Opcode, Value, WindowDim};
use sim_core::ir::op::Window;
use sim_core::ir::{Op, Operation};

pub fn export(b: &mut Lower, op: &Operation) -> Result<Option<InstructionId>> {
    match &op.op {
        Op::Reduce { dims } => {
            let body = b.closed_region(op, 0)?;
            b.plain(op, Opcode::Reduce, Attrs::new().ints(Key::Dimensions, dims).calls(Key::ToApply, body))
        }
        Op::ReduceWindow(w) => {
            let body = b.closed_region(op, 0)?;
            b.plain(op, Opcode::ReduceWindow, window(w).calls(Key::ToApply, body))
        }
        Op::SelectAndScatter(w) => {
            let (select, scatter) = (b.closed_region(op, 0)?, b.closed_region(op, 1)?);
            let attrs = window(w).calls(Key::Select, select).calls(Key::Scatter, scatter);
            b.plain(op, Opcode::SelectAndScatter, attrs)
        }
        Op::Map { dims } => {
            let body = b.closed_region(op, 0)?;
            b.plain(op, Opcode::Map, Attrs::new().ints(Key::Dimensions, dims).calls(Key::ToApply, body))
        }
        Op::Scan { dim, num_inits, reverse, associative } => {
            let body = b.closed_region(op, 0)?;
            let attrs = Attrs::new()
                .ints(Key::Dimensions, &[*dim])
                .with(Key::IsReverse, Value::Bool(*reverse))
                .with(Key::IsAssociative, Value::Bool(*associative == Some(true)))
                .int(Key::NumCarries, *num_inits as i64)
                .calls(Key::ToApply, body);
            b.plain(op, Opcode::Scan, attrs)
        }
        Op::BatchNormTraining { epsilon, feature_index } => {
            b.plain(op, Opcode::BatchNormTraining, norm(*epsilon, *feature_index))
        }
        Op::BatchNormInference { epsilon, feature_index } => {
            b.plain(op, Opcode::BatchNormInference, norm(*epsilon, *feature_index))
        }
        Op::BatchNormGrad { epsilon, feature_index } => {
            b.plain(op, Opcode::BatchNormGrad, norm(*epsilon, *feature_index))
        }
        Op::Einsum { .. } | Op::UnaryEinsum { .. } | Op::TorchIndexSelect { .. } => {
            Err(unsupported(op, format!("HLO has no `{}`", op.name()))
                .help("write it as dot_general, transpose or gather: it is deprecated"))
        }
        _ => Ok(None),
    }
}

fn norm(epsilon: f32, feature_index: i64) -> Attrs {
    Attrs::new().with(Key::Epsilon, Value::Float(f64::from(epsilon))).int(Key::FeatureIndex, feature_index)
}

/// Empty lists mean ones, and no padding.
fn window(w: &Window) -> Attrs {
    let at = |list: &[i64], k: usize| list.get(k).copied().unwrap_or(1);
    let dims: Box<[WindowDim]> = (0..w.dimensions.len())
        .map(|k| {
            let (pad_low, pad_high) = w.padding.get(k).copied().unwrap_or_default();
            WindowDim {
                size: w.dimensions[k],
                stride: at(&w.strides, k),
                pad_low,
                pad_high,
                base_dilation: at(&w.base_dilations, k),
                window_dilation: at(&w.window_dilations, k),
                reversal: false,
            }
        })
        .collect();
    Attrs::new().with(Key::Window, Value::Window(dims))
}
