//! Dot, convolution, windows, precision.

use super::{Out, name_of, number_of};
use crate::frontend::hlo::proto::schema::*;
use sim_core::Result;
use sim_core::hlo::{Attr, Key, Opcode as O, Value, WindowDim};
use sim_core::ir::op::ConvDims;

pub(super) fn read(opcode: O, i: &HloInstructionProto, out: &mut Out) -> Result<()> {
    if let Some(w) = &i.window
        && !w.dimensions.is_empty()
    {
        out.push(Key::Window, Value::Window(w.dimensions.iter().map(read_window).collect()));
    }
    if let Some(d) = &i.convolution_dimension_numbers
        && matches!(opcode, O::Convolution | O::CustomCall)
    {
        out.push(Key::DimLabels, Value::DimLabels(Box::new(read_labels(d))));
    }
    if matches!(opcode, O::Convolution | O::CustomCall) {
        for (key, count) in
            [(Key::FeatureGroupCount, i.feature_group_count), (Key::BatchGroupCount, i.batch_group_count)]
        {
            // 0 is how old dumps say that they say nothing.
            if count > 1 {
                out.push(key, Value::Int(count));
            }
        }
    }
    let ragged = i.ragged_dot_dimension_numbers.as_deref();
    let dot = i
        .dot_dimension_numbers
        .as_deref()
        .or_else(|| ragged.and_then(|r| r.dot_dimension_numbers.as_deref()));
    if let Some(d) = dot {
        out.ints_if_any(Key::LhsBatchDims, &d.lhs_batch_dimensions);
        out.ints(Key::LhsContractingDims, &d.lhs_contracting_dimensions);
        out.ints_if_any(Key::RhsBatchDims, &d.rhs_batch_dimensions);
        out.ints(Key::RhsContractingDims, &d.rhs_contracting_dimensions);
    }
    if let Some(r) = ragged {
        out.ints(Key::LhsRaggedDims, &r.lhs_ragged_dimensions);
        out.ints(Key::RhsGroupDims, &r.rhs_group_dimensions);
    }
    if i.padding_type != 0 {
        out.word(Key::PaddingType, name_of(&PADDING_TYPE, i.padding_type, "padding_type")?);
    }
    let Some(p) = &i.precision_config else { return Ok(()) };
    if p.operand_precision.iter().any(|&n| n != 0) {
        let word = |&n: &i32| {
            let name = name_of(&PRECISION_CONFIG_PRECISION, n, "operand_precision")?;
            Ok(name.to_ascii_lowercase().into())
        };
        let words = p.operand_precision.iter().map(word).collect::<Result<Vec<_>>>()?;
        out.push(Key::OperandPrecision, Value::Words(words.into()));
    }
    if p.algorithm != 0 {
        let name = name_of(&PRECISION_CONFIG_ALGORITHM, p.algorithm, "algorithm")?;
        out.word(Key::Algorithm, &name.trim_start_matches("ALG_").to_ascii_lowercase());
    }
    Ok(())
}

fn read_window(d: &WindowDimension) -> WindowDim {
    WindowDim {
        size: d.size,
        stride: d.stride,
        pad_low: d.padding_low,
        pad_high: d.padding_high,
        base_dilation: d.base_dilation,
        window_dilation: d.window_dilation,
        reversal: d.window_reversal,
    }
}

fn read_labels(d: &ConvolutionDimensionNumbers) -> ConvDims {
    ConvDims {
        input_batch: d.input_batch_dimension,
        input_feature: d.input_feature_dimension,
        input_spatial: d.input_spatial_dimensions.clone(),
        kernel_input_feature: d.kernel_input_feature_dimension,
        kernel_output_feature: d.kernel_output_feature_dimension,
        kernel_spatial: d.kernel_spatial_dimensions.clone(),
        output_batch: d.output_batch_dimension,
        output_feature: d.output_feature_dimension,
        output_spatial: d.output_spatial_dimensions.clone(),
    }
}

pub(super) fn write(attr: &Attr, p: &mut HloInstructionProto) -> Result<bool> {
    fn dot(p: &mut HloInstructionProto) -> &mut DotDimensionNumbers {
        match &mut p.ragged_dot_dimension_numbers {
            Some(ragged) => ragged.dot_dimension_numbers.get_or_insert_default(),
            None => p.dot_dimension_numbers.get_or_insert_default(),
        }
    }
    match (&attr.key, &attr.value) {
        (Key::Window, Value::Window(dims)) => {
            let dims = dims.iter().map(|d| WindowDimension {
                size: d.size,
                stride: d.stride,
                padding_low: d.pad_low,
                padding_high: d.pad_high,
                window_dilation: d.window_dilation,
                base_dilation: d.base_dilation,
                window_reversal: d.reversal,
            });
            p.window = Some(Box::new(Window { dimensions: dims.collect() }));
        }
        (Key::DimLabels, Value::DimLabels(d)) => {
            p.convolution_dimension_numbers = Some(Box::new(ConvolutionDimensionNumbers {
                kernel_input_feature_dimension: d.kernel_input_feature,
                kernel_output_feature_dimension: d.kernel_output_feature,
                kernel_spatial_dimensions: d.kernel_spatial.clone(),
                input_batch_dimension: d.input_batch,
                input_feature_dimension: d.input_feature,
                input_spatial_dimensions: d.input_spatial.clone(),
                output_batch_dimension: d.output_batch,
                output_feature_dimension: d.output_feature,
                output_spatial_dimensions: d.output_spatial.clone(),
            }));
        }
        (Key::FeatureGroupCount, Value::Int(n)) => p.feature_group_count = *n,
        (Key::BatchGroupCount, Value::Int(n)) => p.batch_group_count = *n,
        (Key::LhsBatchDims, Value::Ints(v)) => dot(p).lhs_batch_dimensions = v.to_vec(),
        (Key::LhsContractingDims, Value::Ints(v)) => dot(p).lhs_contracting_dimensions = v.to_vec(),
        (Key::RhsBatchDims, Value::Ints(v)) => dot(p).rhs_batch_dimensions = v.to_vec(),
        (Key::RhsContractingDims, Value::Ints(v)) => dot(p).rhs_contracting_dimensions = v.to_vec(),
        (Key::LhsRaggedDims, Value::Ints(v)) => {
            p.ragged_dot_dimension_numbers.get_or_insert_default().lhs_ragged_dimensions = v.to_vec();
        }
        (Key::RhsGroupDims, Value::Ints(v)) => {
            p.ragged_dot_dimension_numbers.get_or_insert_default().rhs_group_dimensions = v.to_vec();
        }
        (Key::PaddingType, Value::Word(w)) => p.padding_type = number_of(&PADDING_TYPE, w, "padding_type")?,
        (Key::OperandPrecision, Value::Words(words)) => {
            let number = |w: &std::sync::Arc<str>| {
                number_of(&PRECISION_CONFIG_PRECISION, &w.to_ascii_uppercase(), "operand_precision")
            };
            p.precision_config.get_or_insert_default().operand_precision =
                words.iter().map(number).collect::<Result<_>>()?;
        }
        (Key::Algorithm, Value::Word(w)) => {
            let name = format!("ALG_{}", w.to_ascii_uppercase());
            p.precision_config.get_or_insert_default().algorithm =
                number_of(&PRECISION_CONFIG_ALGORITHM, &name, "algorithm")?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}
