//! Matrix products and convolutions.

use super::attrs::Attrs;
use super::lower::Lower;
use super::{invalid, unsupported};
use sim_core::hlo::{InstructionId, Key, Opcode, Value, WindowDim};
use sim_core::ir::op::{ConvAttrs, DotAlgorithm, DotDims, Precision};
use sim_core::ir::{Op, Operation};
use sim_core::{Result, Type};
use std::sync::Arc;

pub fn export(b: &mut Lower, op: &Operation) -> Result<Option<InstructionId>> {
    match &op.op {
        Op::DotGeneral { dims, precision, algorithm } => {
            let mut attrs = precisions(dot(dims), precision);
            if let Some(a) = algorithm {
                attrs = attrs.word(Key::Algorithm, &algorithm_name(op, a)?);
            }
            b.plain(op, Opcode::Dot, attrs)
        }
        Op::Dot { precision } => {
            let last = b.operand_type(op, 0)?.rank().saturating_sub(1) as i64;
            let dims = DotDims { lhs_contract: vec![last], rhs_contract: vec![0], ..DotDims::default() };
            b.plain(op, Opcode::Dot, precisions(dot(&dims), precision))
        }
        Op::RaggedDot { dims, precision } => {
            let attrs = dot(&dims.dot)
                .ints(Key::LhsRaggedDims, &dims.lhs_ragged)
                .ints(Key::RhsGroupDims, &dims.rhs_group);
            b.plain(op, Opcode::RaggedDot, precisions(attrs, precision))
        }
        Op::Convolution(conv) => {
            let window = window(b, op, conv)?;
            let attrs = Attrs::new()
                .with(Key::Window, Value::Window(window.into()))
                .with(Key::DimLabels, Value::DimLabels(Box::new(conv.dims.clone())))
                .int(Key::FeatureGroupCount, conv.feature_group_count)
                .int(Key::BatchGroupCount, conv.batch_group_count);
            b.plain(op, Opcode::Convolution, precisions(attrs, &conv.precision))
        }
        _ => Ok(None),
    }
}

fn dot(d: &DotDims) -> Attrs {
    Attrs::new()
        .ints(Key::LhsBatchDims, &d.lhs_batch)
        .ints(Key::LhsContractingDims, &d.lhs_contract)
        .ints(Key::RhsBatchDims, &d.rhs_batch)
        .ints(Key::RhsContractingDims, &d.rhs_contract)
}

/// Nothing where all are the default.
fn precisions(attrs: Attrs, precision: &[Precision]) -> Attrs {
    if precision.iter().all(|p| *p == Precision::Default) {
        return attrs;
    }
    let words: Box<[Arc<str>]> = precision
        .iter()
        .map(|p| match p {
            Precision::Default => "default".into(),
            Precision::High => "high".into(),
            Precision::Highest => "highest".into(),
        })
        .collect();
    attrs.with(Key::OperandPrecision, Value::Words(words))
}

/// The name under which XLA has this algorithm (`PrecisionConfig.Algorithm` in xla_data.proto).
fn algorithm_name(op: &Operation, a: &DotAlgorithm) -> Result<String> {
    let unknown = || unsupported(op, "HLO has no name for this algorithm of a product");
    let text = |ty: &Type| match ty {
        Type::Scalar(e) => Some(e.hlo_name().to_string()),
        Type::Verbatim(v) if &**v == "tf32" => Some("tf32".into()),
        _ => None,
    };
    let lhs = text(&a.lhs_precision_type).ok_or_else(unknown)?;
    let rhs = text(&a.rhs_precision_type).ok_or_else(unknown)?;
    let sum = text(&a.accumulation_type).ok_or_else(unknown)?;
    let plain = match (&*lhs, &*rhs, &*sum) {
        (l, r, "f32") if l.starts_with("f8") && r.starts_with("f8") => "dot_any_f8_any_f8_f32".into(),
        (l, r, s) if l == r => format!("dot_{l}_{r}_{s}"),
        _ => return Err(unknown()),
    };
    match (a.num_primitive_operations, a.allow_imprecise_accumulation) {
        (1, false) => Ok(plain),
        (1, true) if plain.contains("f8") => Ok(format!("{plain}_fast_accum")),
        (n @ (3 | 6 | 9), false) => Ok(format!("{plain}_x{n}")),
        _ => Err(unknown()),
    }
}

fn window(b: &Lower, op: &Operation, conv: &ConvAttrs) -> Result<Vec<WindowDim>> {
    let kernel = b.operand_type(op, 1)?;
    let mut window = Vec::new();
    for (k, &d) in conv.dims.kernel_spatial.iter().enumerate() {
        let size = usize::try_from(d).ok().and_then(|d| kernel.dims.get(d)).and_then(|n| n.as_static());
        let size = size.ok_or_else(|| invalid(op, "its window has no known size"))?;
        let at = |list: &[i64]| list.get(k).copied().unwrap_or(1);
        let (pad_low, pad_high) = conv.padding.get(k).copied().unwrap_or_default();
        window.push(WindowDim {
            size,
            stride: at(&conv.window_strides),
            pad_low,
            pad_high,
            base_dilation: at(&conv.lhs_dilation),
            window_dilation: at(&conv.rhs_dilation),
            reversal: conv.window_reversal.get(k).copied().unwrap_or(false),
        });
    }
    Ok(window)
}
