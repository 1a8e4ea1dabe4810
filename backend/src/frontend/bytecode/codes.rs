//! The numbers by which MLIR and its dialects call their attributes and types in bytecode: one table,
//! which the reader and the writer share.
//! (Sources: `BuiltinDialectBytecode.td` of MLIR; `StablehloBytecode.cpp`, `ChloBytecode.cpp` and
//! `VhloBytecode.cpp` of StableHLO.)

use crate::frontend::vhlo::Version;
use sim_core::ElementType as E;

macro_rules! codes {
    ($(#[$doc:meta])* $module:ident: $($name:ident = $code:literal),+ $(,)?) => {
        $(#[$doc])*
        pub mod $module { $(pub const $name: u64 = $code;)+ }
    };
}

codes! {
    /// Attributes and locations of MLIR itself.
    builtin_attr:
    ARRAY = 0, DICTIONARY = 1, STRING = 2, TYPED_STRING = 3, FLAT_SYMBOL = 4, SYMBOL = 5, TYPE = 6,
    UNIT = 7, INTEGER = 8, FLOAT = 9, CALL_SITE_LOC = 10, FILE_LOC = 11, FUSED_LOC = 12,
    FUSED_LOC_WITH_METADATA = 13, NAME_LOC = 14, UNKNOWN_LOC = 15, RESOURCE = 16, DENSE_ARRAY = 17,
    DENSE = 18, DENSE_STRINGS = 19, SPARSE = 20, DISTINCT = 21, FILE_RANGE_LOC = 22, AFFINE_MAP = 23,
}

codes! {
    /// Types of MLIR itself; the floats are in [`BUILTIN_FLOATS`].
    builtin_type:
    INTEGER = 0, INDEX = 1, FUNCTION = 2, F80 = 7, F128 = 8, COMPLEX = 9, MEMREF = 10,
    MEMREF_WITH_SPACE = 11, NONE = 12, TENSOR = 13, TENSOR_WITH_ENCODING = 14, TUPLE = 15,
    UNRANKED_MEMREF = 16, UNRANKED_MEMREF_WITH_SPACE = 17, UNRANKED_TENSOR = 18, VECTOR = 19,
    SCALABLE_VECTOR = 20, TF32 = 21,
}

/// MLIR's float types.
pub const BUILTIN_FLOATS: [(u64, E); 15] = [
    (3, E::BF16),
    (4, E::F16),
    (5, E::F32),
    (6, E::F64),
    (22, E::F8E5M2),
    (23, E::F8E4M3),
    (24, E::F8E4M3FN),
    (25, E::F8E5M2FNUZ),
    (26, E::F8E4M3FNUZ),
    (27, E::F8E4M3B11FNUZ),
    (28, E::F8E3M4),
    (29, E::F4E2M1FN),
    (30, E::F6E2M3FN),
    (31, E::F6E3M2FN),
    (32, E::F8E8M0FNU),
];

codes! {
    /// Attributes of StableHLO.
    stablehlo_attr:
    CHANNEL = 1, DIRECTION = 2, COMPARE_TYPE = 3, CONV = 4, DOT = 5, FFT_TYPE = 6, GATHER = 7,
    PRECISION = 8, RNG_ALGORITHM = 9, RNG_DISTRIBUTION = 10, SCATTER = 11, TRANSPOSE = 12,
    TYPE_EXTENSIONS = 13, OUTPUT_OPERAND_ALIAS = 14, DOT_ALGORITHM = 15, ACCURACY_MODE = 16,
    RESULT_ACCURACY = 17, MESH_AXES = 18, SUB_AXIS = 19, AXIS = 20, MESH_AXIS = 21, MESH = 22,
}

codes! {
    /// Types of StableHLO.
    stablehlo_type:
    TOKEN = 0, FUTURE = 1,
}

codes! {
    /// Attributes of CHLO.
    chlo_attr:
    DIRECTION = 0, COMPARE_TYPE = 1,
}

codes! {
    /// Types of the `quant` dialect.
    quant_type:
    UNIFORM = 4, UNIFORM_PER_AXIS = 5,
}

codes! {
    /// Attributes of VHLO.
    vhlo_attr:
    ARRAY = 1, BOOLEAN = 2, DIRECTION = 3, COMPARE_TYPE = 4, API_VERSION = 5, DICTIONARY = 6,
    FFT_TYPE = 7, FLOAT = 8, INTEGER = 9, OUTPUT_OPERAND_ALIAS = 10, PRECISION = 11,
    RNG_ALGORITHM = 12, RNG_DISTRIBUTION = 13, STRING = 14, TENSOR = 15, TRANSPOSE = 16, TYPE = 17,
    TYPE_EXTENSIONS = 18, ACCURACY_MODE = 19, RESULT_ACCURACY = 20, SUB_AXIS = 21, AXIS = 22,
    MESH_AXES = 23, MESH_AXIS = 24, MESH = 25,
}

/// The first VHLO that has an attribute.
pub fn vhlo_attr_since(code: u64) -> Version {
    match code {
        vhlo_attr::ACCURACY_MODE | vhlo_attr::RESULT_ACCURACY => Version::new(1, 9),
        vhlo_attr::SUB_AXIS..=vhlo_attr::MESH => Version::new(1, 16),
        _ => Version::OLDEST,
    }
}

codes! {
    /// Types of VHLO; those of elements are in [`VHLO_SCALARS`].
    vhlo_type:
    COMPLEX = 1, FUNCTION = 8, TENSOR = 20, TENSOR_WITH_ENCODING = 21, TOKEN = 22, TUPLE = 23,
    QUANT = 24, UNRANKED_TENSOR = 25, WITNESS = 26, QUANT_PER_AXIS = 30, NONE = 33, TF32 = 34,
    BUFFER = 41, FUTURE = 42,
}

/// The first VHLO that has a type.
pub fn vhlo_type_since(code: u64) -> Version {
    match code {
        vhlo_type::QUANT_PER_AXIS => Version::new(0, 18),
        vhlo_type::NONE | vhlo_type::TF32 => Version::new(1, 6),
        vhlo_type::BUFFER => Version::new(1, 13),
        vhlo_type::FUTURE => Version::new(1, 15),
        _ => Version::OLDEST,
    }
}

/// VHLO's types of elements, and the first version that has each.
pub const VHLO_SCALARS: [(u64, E, Version); 29] = [
    (0, E::Pred, Version::OLDEST),
    (2, E::BF16, Version::OLDEST),
    (3, E::F16, Version::OLDEST),
    (4, E::F32, Version::OLDEST),
    (5, E::F64, Version::OLDEST),
    (6, E::F8E4M3FN, Version::OLDEST),
    (7, E::F8E5M2, Version::OLDEST),
    (9, E::Index, Version::OLDEST),
    (10, E::S4, Version::OLDEST),
    (11, E::S8, Version::OLDEST),
    (12, E::S16, Version::OLDEST),
    (13, E::S32, Version::OLDEST),
    (14, E::S64, Version::OLDEST),
    (15, E::U4, Version::OLDEST),
    (16, E::U8, Version::OLDEST),
    (17, E::U16, Version::OLDEST),
    (18, E::U32, Version::OLDEST),
    (19, E::U64, Version::OLDEST),
    (27, E::F8E4M3FNUZ, Version::new(0, 10)),
    (28, E::F8E5M2FNUZ, Version::new(0, 10)),
    (29, E::F8E4M3B11FNUZ, Version::new(0, 11)),
    (31, E::S2, Version::new(1, 2)),
    (32, E::U2, Version::new(1, 2)),
    (35, E::F8E4M3, Version::new(1, 7)),
    (36, E::F8E3M4, Version::new(1, 7)),
    (37, E::F4E2M1FN, Version::new(1, 8)),
    (38, E::F6E2M3FN, Version::new(1, 8)),
    (39, E::F6E3M2FN, Version::new(1, 8)),
    (40, E::F8E8M0FNU, Version::new(1, 8)),
];

/// The number of an enumeration's first word, by the enumeration's mnemonic: those two that once had
/// an invalid word begin after it.
pub fn first_word(mnemonic: &str) -> u64 {
    match mnemonic {
        "rng_distribution" | "transpose" => 1,
        _ => 0,
    }
}

/// The modes of a result accuracy, by number.
pub const ACCURACY_MODES: [&str; 3] = ["DEFAULT", "HIGHEST", "TOLERANCE"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_type_has_one_code() {
        for e in E::all().filter(|e| !e.is_complex()) {
            assert_eq!(VHLO_SCALARS.iter().filter(|row| row.1 == e).count(), 1, "{e}");
            let float = BUILTIN_FLOATS.iter().filter(|row| row.1 == e).count();
            assert_eq!(float, usize::from(e.is_float()), "{e}");
        }
        let mut codes: Vec<u64> = VHLO_SCALARS.iter().map(|row| row.0).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), VHLO_SCALARS.len());
    }
}
