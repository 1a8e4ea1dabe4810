//! Numbers, flags and words that stand for themselves.

use super::{Ids, Out, bytes, name_of, number_of};
use crate::frontend::hlo::proto::schema::*;
use crate::frontend::hlo::proto::shape;
use sim_core::Result;
use sim_core::hlo::{Attr, Instruction, Key, Opcode as O, Value};

pub(super) fn read(opcode: O, i: &HloInstructionProto, ids: &Ids, out: &mut Out) -> Result<()> {
    match opcode {
        O::GetTupleElement => out.push(Key::Index, Value::Int(i.tuple_index)),
        O::Compare => {
            out.word(Key::Direction, &i.comparison_direction);
            // Every order of integers is total, and says nothing.
            let total = i.comparison_order == "TOTAL" && ids.element.is_some_and(|e| e.is_float());
            match (total, &*i.comparison_type) {
                (true, _) | (_, "TOTALORDER") => out.word(Key::ComparisonType, "TOTALORDER"),
                (_, "") => {}
                (_, kind) => out.word(Key::ComparisonType, kind),
            }
        }
        O::ReducePrecision => {
            out.push(Key::ExponentBits, Value::Int(i.exponent_bits.into()));
            out.push(Key::MantissaBits, Value::Int(i.mantissa_bits.into()));
        }
        O::Fft => {
            out.word(Key::FftType, name_of(&FFT_TYPE, i.fft_type, "fft_type")?);
            out.ints(Key::FftLength, &i.fft_length);
        }
        O::Rng => {
            let name = name_of(&RANDOM_DISTRIBUTION, i.distribution, "distribution")?;
            out.word(Key::Distribution, &name.to_ascii_lowercase());
        }
        O::RngBitGenerator => {
            let name = name_of(&RANDOM_ALGORITHM, i.rng_algorithm, "rng_algorithm")?;
            out.word(Key::Algorithm, &name.to_ascii_lowercase());
        }
        O::RngGetAndUpdateState => out.push(Key::Delta, Value::Int(i.delta)),
        O::BatchNormGrad | O::BatchNormInference | O::BatchNormTraining => {
            out.push(Key::Epsilon, Value::Float(i.epsilon.into()));
            out.push(Key::FeatureIndex, Value::Int(i.feature_index));
        }
        O::TriangularSolve => {
            let options = i.triangular_solve_options.clone().unwrap_or_default();
            out.flag(Key::LeftSide, options.left_side);
            out.flag(Key::Lower, options.lower);
            out.flag(Key::UnitDiagonal, options.unit_diagonal);
            let names = &TRIANGULAR_SOLVE_OPTIONS_TRANSPOSE;
            out.word(Key::TransposeA, name_of(names, options.transpose_a, "transpose_a")?);
        }
        O::Cholesky => out.flag(Key::Lower, i.cholesky_options.as_ref().is_some_and(|o| o.lower)),
        O::Sort => out.flag(Key::IsStable, i.is_stable),
        O::TopK => {
            out.push(Key::K, Value::Int(i.k));
            out.push(Key::Largest, Value::Bool(i.largest));
            out.push(Key::IsStable, Value::Bool(i.is_stable));
        }
        O::Scan => {
            out.push(Key::IsReverse, Value::Bool(i.is_reverse));
            // As XLA does, nothing for a scan that says neither.
            match TRI_STATE.name(i.is_associative) {
                Some("TRI_STATE_TRUE") => out.push(Key::IsAssociative, Value::Bool(true)),
                Some("TRI_STATE_FALSE") => out.push(Key::IsAssociative, Value::Bool(false)),
                _ => {}
            }
            out.push(Key::NumCarries, Value::Int(i.num_carries));
        }
        O::Infeed => out.bytes(Key::InfeedConfig, &i.infeed_config),
        O::Outfeed => {
            let shape = shape::required(i.outfeed_shape.as_deref(), "outfeed_shape")?;
            out.push(Key::OutfeedShape, Value::Shape(shape));
            out.bytes(Key::OutfeedConfig, &i.outfeed_config);
        }
        O::CopyStart => {
            if let Some(index) = i.cross_program_prefetch_index {
                out.push(Key::CrossProgramPrefetchIndex, Value::Int(index.into()));
            }
        }
        O::Parameter => {
            if let Some(p) = &i.parameter_replication
                && !p.replicated_at_leaf_buffers.is_empty()
            {
                out.push(
                    Key::ParameterReplication,
                    Value::Bools(p.replicated_at_leaf_buffers.clone().into()),
                );
            }
        }
        _ => {}
    }
    Ok(())
}

/// What a proto says where the text leaves it out.
pub(super) fn defaults(i: &Instruction, proto: &mut HloInstructionProto) {
    match i.sugar.unwrap_or(i.opcode) {
        O::Compare => {
            // A comparison of the type that its operands imply says nothing in text, nor here.
            proto.comparison_direction = "EQ".to_owned();
        }
        O::TriangularSolve => {
            let transpose = TRIANGULAR_SOLVE_OPTIONS_TRANSPOSE.number("NO_TRANSPOSE").unwrap_or_default();
            proto.triangular_solve_options =
                Some(Box::new(TriangularSolveOptions { transpose_a: transpose, ..Default::default() }));
        }
        O::Cholesky => proto.cholesky_options = Some(Box::default()),
        O::Dot => proto.dot_dimension_numbers = Some(Box::default()),
        O::Convolution => {
            proto.window = Some(Box::default());
            (proto.feature_group_count, proto.batch_group_count) = (1, 1);
        }
        O::Gather => proto.gather_dimension_numbers = Some(Box::default()),
        O::Scatter => proto.scatter_dimension_numbers = Some(Box::default()),
        O::ReduceWindow | O::SelectAndScatter => proto.window = Some(Box::default()),
        O::CustomCall => {
            (proto.feature_group_count, proto.batch_group_count) = (1, 1);
            proto.custom_call_api_version =
                CUSTOM_CALL_API_VERSION.number("API_VERSION_ORIGINAL").unwrap_or_default();
        }
        _ => {}
    }
}

pub(super) fn write(attr: &Attr, p: &mut HloInstructionProto) -> Result<bool> {
    let narrow = |n: i64| i32::try_from(n).unwrap_or(i32::MAX);
    match (&attr.key, &attr.value) {
        (Key::Index, Value::Int(n)) => p.tuple_index = *n,
        (Key::Direction, Value::Word(w)) => p.comparison_direction = w.to_string(),
        (Key::ComparisonType | Key::Order, Value::Word(w)) => {
            match &**w {
                "PARTIAL" => p.comparison_order = w.to_string(),
                // Both the old field and the new one.
                "TOTALORDER" => (p.comparison_type, p.comparison_order) = (w.to_string(), "TOTAL".to_owned()),
                _ => p.comparison_type = w.to_string(),
            }
        }
        (Key::ExponentBits, Value::Int(n)) => p.exponent_bits = narrow(*n),
        (Key::MantissaBits, Value::Int(n)) => p.mantissa_bits = narrow(*n),
        (Key::FftType, Value::Word(w)) => p.fft_type = number_of(&FFT_TYPE, w, "fft_type")?,
        (Key::FftLength, Value::Ints(v)) => p.fft_length = v.to_vec(),
        (Key::Distribution, Value::Word(w)) => {
            p.distribution = number_of(&RANDOM_DISTRIBUTION, &w.to_ascii_uppercase(), "distribution")?;
        }
        (Key::Algorithm, Value::Word(w)) if w.starts_with("rng_") => {
            p.rng_algorithm = number_of(&RANDOM_ALGORITHM, &w.to_ascii_uppercase(), "algorithm")?;
        }
        (Key::Delta, Value::Int(n)) => p.delta = *n,
        (Key::Epsilon, Value::Float(v)) => p.epsilon = *v as f32,
        (Key::FeatureIndex, Value::Int(n)) => p.feature_index = *n,
        (Key::LeftSide, Value::Bool(v)) => p.triangular_solve_options.get_or_insert_default().left_side = *v,
        (Key::Lower, Value::Bool(v)) => match &mut p.triangular_solve_options {
            Some(options) => options.lower = *v,
            None => p.cholesky_options.get_or_insert_default().lower = *v,
        },
        (Key::UnitDiagonal, Value::Bool(v)) => {
            p.triangular_solve_options.get_or_insert_default().unit_diagonal = *v;
        }
        (Key::TransposeA, Value::Word(w)) => {
            p.triangular_solve_options.get_or_insert_default().transpose_a =
                number_of(&TRIANGULAR_SOLVE_OPTIONS_TRANSPOSE, w, "transpose_a")?;
        }
        (Key::IsStable, Value::Bool(v)) => p.is_stable = *v,
        (Key::K, Value::Int(n)) => p.k = *n,
        (Key::Largest, Value::Bool(v)) => p.largest = *v,
        (Key::IsReverse, Value::Bool(v)) => p.is_reverse = *v,
        (Key::IsAssociative, Value::Bool(v)) => {
            let name = if *v { "TRI_STATE_TRUE" } else { "TRI_STATE_FALSE" };
            p.is_associative = number_of(&TRI_STATE, name, "is_associative")?;
        }
        (Key::NumCarries, Value::Int(n)) => p.num_carries = *n,
        (Key::InfeedConfig, Value::String(s)) => p.infeed_config = bytes(s),
        (Key::OutfeedConfig, Value::String(s)) => p.outfeed_config = bytes(s),
        (Key::OutfeedShape, Value::Shape(s)) => p.outfeed_shape = Some(Box::new(shape::write(s))),
        (Key::CrossProgramPrefetchIndex, Value::Int(n)) => p.cross_program_prefetch_index = Some(narrow(*n)),
        (Key::ParameterReplication, Value::Bools(v)) => {
            p.parameter_replication =
                Some(Box::new(ParameterReplication { replicated_at_leaf_buffers: v.to_vec() }));
        }
        _ => return Ok(false),
    }
    Ok(true)
}
