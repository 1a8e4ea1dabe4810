//! The table of syntaxes, one row an operation, after the `assemblyFormat`s of StableHLO's, CHLO's
//! and the test dialects' operation definitions.

use super::super::hlo_attrs::EnumAttr as E;
use super::Piece::{self, *};
use super::{Clause, Form, Types as T};

const COMMA: Piece = Char(b',');
const EQ: Piece = Char(b'=');

/// `%a : t`
const UNARY: &[Piece] = &[Operand, AttrDict, Types(T::Same)];
/// `%a, %b : t`
const BINARY: &[Piece] = &[Operand, COMMA, Operand, AttrDict, Types(T::Same)];
/// `%a, %b : (t, u) -> v`
const FUNCTIONAL: &[Piece] = &[Operands, AttrDict, Types(T::Functional)];
/// `: t`
const SOURCE: &[Piece] = &[AttrDict, Types(T::Results)];
/// `%a : t -> u`
const UNARY_ARROW: &[Piece] = &[Operand, AttrDict, Types(T::Arrow)];
/// `%a, %b : t, u -> v`
const BINARY_ARROW: &[Piece] = &[Operand, COMMA, Operand, AttrDict, Types(T::Arrow)];
const CONSTANT: &[Piece] = &[AttrDict, Attr("value", Form::Any), Types(T::ResultOfValue)];
const TOLERANCE: Piece = Optional(&[COMMA, Word("tolerance"), EQ, Attr("tolerance", Form::F64)]);

/// The syntax of an operation, if it is one of the table.
pub(super) fn find(name: &str) -> Option<&'static [Piece]> {
    let (dialect, op) = name.split_once('.')?;
    match dialect {
        "stablehlo" => stablehlo(op),
        "chlo" => chlo(op),
        "func" => match op {
            "call" => Some(&[
                Attr("callee", Form::Symbol),
                Char(b'('),
                Operands,
                Char(b')'),
                AttrDict,
                Types(T::Functional),
            ]),
            "return" => Some(&[AttrDict, Optional(&[Operand, Optional(MORE), Types(T::EachOperand)])]),
            _ => None,
        },
        "sdy" if op == "constant" => Some(CONSTANT),
        "check" => check(op),
        "interpreter" => match op {
            "print" => Some(&[Operand, AttrDict, Types(T::Operands)]),
            "probe" => Some(&[
                Operand,
                COMMA,
                Word("probe_id"),
                EQ,
                Attr("probe_id", Form::Str),
                AttrDict,
                Types(T::Pairwise),
            ]),
            _ => None,
        },
        _ => None,
    }
}

/// Operands after the first.
const MORE: &[Piece] = &[COMMA, Operands];

fn stablehlo(op: &str) -> Option<&'static [Piece]> {
    Some(match op {
        "abs"
        | "cbrt"
        | "ceil"
        | "convert"
        | "count_leading_zeros"
        | "cosine"
        | "exponential"
        | "exponential_minus_one"
        | "floor"
        | "imag"
        | "is_finite"
        | "log"
        | "log_plus_one"
        | "logistic"
        | "not"
        | "negate"
        | "popcnt"
        | "real"
        | "round_nearest_afz"
        | "round_nearest_even"
        | "rsqrt"
        | "sign"
        | "sine"
        | "sqrt"
        | "tan"
        | "tanh"
        | "uniform_quantize"
        | "uniform_dequantize" => UNARY,
        "add"
        | "and"
        | "atan2"
        | "divide"
        | "maximum"
        | "minimum"
        | "multiply"
        | "or"
        | "power"
        | "remainder"
        | "shift_left"
        | "shift_right_arithmetic"
        | "shift_right_logical"
        | "subtract"
        | "xor" => BINARY,
        "complex" => &[Operand, COMMA, Operand, AttrDict, Types(T::Complex)],
        "bitcast_convert"
        | "reshape"
        | "dynamic_reshape"
        | "dynamic_update_slice"
        | "real_dynamic_slice"
        | "dynamic_pad" => FUNCTIONAL,
        "create_token" | "replica_id" | "partition_id" => SOURCE,
        "constant" => CONSTANT,
        "iota" => &[Word("dim"), EQ, Attr("iota_dimension", Form::I64), AttrDict, Types(T::Results)],
        "dynamic_iota" => &[
            Operand,
            COMMA,
            Word("dim"),
            EQ,
            Attr("iota_dimension", Form::I64),
            AttrDict,
            Types(T::Functional),
        ],
        "after_all" => &[Operands, AttrDict, Types(T::Same)],
        "get_tuple_element" => {
            &[Operand, Char(b'['), Attr("index", Form::I64), Char(b']'), AttrDict, Types(T::Functional)]
        }
        "tuple" => &[Operands, AttrDict, Types(T::Tuple)],
        "compare" => &[
            Attr("comparison_direction", Form::Enum(E::Direction)),
            COMMA,
            Operand,
            COMMA,
            Operand,
            Optional(&[COMMA, Attr("compare_type", Form::Enum(E::CompareType))]),
            AttrDict,
            Types(T::Functional),
        ],
        "slice" => &[Operand, Clause(Clause::SliceRanges), AttrDict, Types(T::Functional)],
        "dynamic_slice" => &[
            Operand,
            COMMA,
            OperandsComma,
            Word("sizes"),
            EQ,
            Attr("slice_sizes", Form::I64s),
            AttrDict,
            Types(T::Functional),
        ],
        "broadcast" => &[
            Operand,
            COMMA,
            Word("sizes"),
            EQ,
            Attr("broadcast_sizes", Form::I64s),
            AttrDict,
            Types(T::Functional),
        ],
        "broadcast_in_dim" => &[
            Operand,
            COMMA,
            Word("dims"),
            EQ,
            Attr("broadcast_dimensions", Form::I64s),
            AttrDict,
            Types(T::Functional),
        ],
        "dynamic_broadcast_in_dim" => &[
            Operand,
            COMMA,
            Operand,
            COMMA,
            Word("dims"),
            EQ,
            Attr("broadcast_dimensions", Form::I64s),
            AttrDict,
            Types(T::Functional),
        ],
        "transpose" => &[
            Operand,
            COMMA,
            Word("dims"),
            EQ,
            Attr("permutation", Form::I64s),
            AttrDict,
            Types(T::Functional),
        ],
        "reverse" => {
            &[Operand, COMMA, Word("dims"), EQ, Attr("dimensions", Form::I64s), AttrDict, Types(T::Same)]
        }
        "cholesky" => &[
            Operand,
            Optional(&[COMMA, Word("lower"), EQ, Attr("lower", Form::Bool)]),
            AttrDict,
            Types(T::Same),
        ],
        "clamp" => &[Operand, COMMA, Operand, COMMA, Operand, AttrDict, Types(T::Same)],
        "concatenate" => {
            &[OperandsComma, Word("dim"), EQ, Attr("dimension", Form::I64), AttrDict, Types(T::Functional)]
        }
        "composite" => {
            &[Attr("name", Form::Str), Operands, Clause(Clause::Regions), AttrDict, Types(T::Functional)]
        }
        "convolution" => &[
            Char(b'('),
            Operands,
            Char(b')'),
            Clause(Clause::ConvDims),
            COMMA,
            Clause(Clause::Window),
            AttrDict,
            Types(T::Functional),
        ],
        "custom_call" => &[
            Attr("call_target_name", Form::SymbolText),
            Char(b'('),
            Operands,
            Char(b')'),
            AttrDict,
            Types(T::Functional),
        ],
        "dot" => &[Operand, COMMA, Operand, Clause(Clause::Precision), AttrDict, Types(T::Functional)],
        "dot_general" => &[
            Operand,
            COMMA,
            Operand,
            COMMA,
            Clause(Clause::DotDims),
            Clause(Clause::PrecisionAndAlgorithm),
            AttrDict,
            Types(T::Functional),
        ],
        "einsum" => &[
            Operand,
            COMMA,
            Operand,
            COMMA,
            Word("config"),
            EQ,
            Attr("einsum_config", Form::Str),
            AttrDict,
            Types(T::Functional),
        ],
        "unary_einsum" => &[
            Operand,
            COMMA,
            Word("config"),
            EQ,
            Attr("einsum_config", Form::Str),
            AttrDict,
            Types(T::Functional),
        ],
        "fft" => &[
            Operand,
            COMMA,
            Word("type"),
            EQ,
            Attr("fft_type", Form::Enum(E::FftType)),
            COMMA,
            Word("length"),
            EQ,
            Attr("fft_length", Form::I64s),
            AttrDict,
            Types(T::Functional),
        ],
        "get_dimension_size" => {
            &[Operand, COMMA, Word("dim"), EQ, Attr("dimension", Form::I64), AttrDict, Types(T::Functional)]
        }
        "set_dimension_size" => &[
            Operand,
            COMMA,
            Operand,
            COMMA,
            Word("dim"),
            EQ,
            Attr("dimension", Form::I64),
            AttrDict,
            Types(T::Functional),
        ],
        "select" => &[Operands, AttrDict, Types(T::Select)],
        "pad" => &[
            Operand,
            COMMA,
            Operand,
            COMMA,
            Word("low"),
            EQ,
            Attr("edge_padding_low", Form::I64s),
            COMMA,
            Word("high"),
            EQ,
            Attr("edge_padding_high", Form::I64s),
            COMMA,
            Word("interior"),
            EQ,
            Attr("interior_padding", Form::I64s),
            AttrDict,
            Types(T::Functional),
        ],
        "return" => &[Operands, AttrDict, Optional(&[Types(T::EachOperand)])],
        "optimization_barrier" => &[
            AttrDict,
            Optional(&[Operand, Optional(MORE), Types(T::Pairwise)]),
            Optional(&[Char(b'('), Char(b')')]),
        ],
        "rng" => &[
            Operand,
            COMMA,
            Operand,
            COMMA,
            Operand,
            COMMA,
            Word("distribution"),
            EQ,
            Attr("rng_distribution", Form::Enum(E::RngDistribution)),
            AttrDict,
            Types(T::Functional),
        ],
        "rng_bit_generator" => &[
            Operand,
            COMMA,
            Word("algorithm"),
            EQ,
            Attr("rng_algorithm", Form::Enum(E::RngAlgorithm)),
            AttrDict,
            Types(T::Functional),
        ],
        "reduce_precision" => {
            &[Operand, COMMA, Word("format"), EQ, Clause(Clause::ExponentMantissa), AttrDict, Types(T::Same)]
        }
        _ => return None,
    })
}

fn chlo(op: &str) -> Option<&'static [Piece]> {
    Some(match op {
        "constant" => CONSTANT,
        "next_after" | "polygamma" | "zeta" | "mulhi" => BINARY_ARROW,
        "top_k" => &[
            Char(b'('),
            Operand,
            COMMA,
            Word("k"),
            EQ,
            Attr("k", Form::I64),
            Optional(&[COMMA, Word("is_stable"), EQ, Attr("is_stable", Form::Bool)]),
            Char(b')'),
            AttrDict,
            Types(T::Arrow),
        ],
        "broadcast_select" => FUNCTIONAL,
        // The fallback of `ragged_dot`, `constant_like` and the like is the generic form.
        "constant_like" | "ragged_dot" | "scan" => return None,
        _ if op.starts_with("broadcast_") => FUNCTIONAL,
        _ => UNARY_ARROW,
    })
}

fn check(op: &str) -> Option<&'static [Piece]> {
    Some(match op {
        "expect_eq" => &[Operand, COMMA, Operand, AttrDict, Types(T::Operands)],
        "expect_eq_const" => &[Operand, COMMA, Attr("value", Form::Any), AttrDict, Types(T::OfValue)],
        "expect_almost_eq" => &[Operand, COMMA, Operand, TOLERANCE, AttrDict, Types(T::Operands)],
        "expect_almost_eq_const" => {
            &[Operand, COMMA, Attr("value", Form::Any), TOLERANCE, AttrDict, Types(T::OfValue)]
        }
        "expect_close" => &[
            Operand,
            COMMA,
            Operand,
            COMMA,
            Word("max_ulp_difference"),
            EQ,
            Attr("max_ulp_difference", Form::U64),
            Optional(&[COMMA, Word("min_ulp_difference"), EQ, Attr("min_ulp_difference", Form::U64)]),
            AttrDict,
            Types(T::EachOperand),
        ],
        "expect_serialized_eq" => &[
            Operand,
            COMMA,
            Word("probe_id"),
            EQ,
            Attr("probe_id", Form::Str),
            Optional(&[COMMA, Word("iter"), EQ, Attr("iteration", Form::U32)]),
            AttrDict,
            Types(T::Operands),
        ],
        _ => return None,
    })
}
