//! The words of StableHLO's enumerations: `EQ` in `#stablehlo<comparison_direction EQ>`.

use crate::ir::op::{
    CompareType, Direction, FftType, HloAttr, Precision, RngAlgorithm, RngDistribution, Transpose,
};

/// An enumeration that has an attribute `#stablehlo<mnemonic WORD>`.
pub trait Keyword: Copy + PartialEq + 'static {
    /// `comparison_direction`
    const MNEMONIC: &'static str;
    /// Every value with its word.
    const WORDS: &'static [(Self, &'static str)];

    /// The word of a value: `EQ`.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(k, _)| *k == self).map_or("", |(_, word)| word)
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, w)| *w == word).map(|(k, _)| *k)
    }

    /// The value as an attribute.
    fn to_hlo(self) -> HloAttr;

    /// The value of an attribute of this enumeration.
    fn from_hlo(attr: &HloAttr) -> Option<Self>;
}

macro_rules! keyword {
    ($ty:ident, $variant:ident, $mnemonic:literal, $($value:ident => $word:literal),+ $(,)?) => {
        impl Keyword for $ty {
            const MNEMONIC: &'static str = $mnemonic;
            const WORDS: &'static [(Self, &'static str)] = &[$(($ty::$value, $word)),+];

            fn to_hlo(self) -> HloAttr {
                HloAttr::$variant(self)
            }

            fn from_hlo(attr: &HloAttr) -> Option<Self> {
                match attr {
                    HloAttr::$variant(value) => Some(*value),
                    _ => None,
                }
            }
        }
    };
}

keyword!(Direction, Direction, "comparison_direction",
    Eq => "EQ", Ne => "NE", Ge => "GE", Gt => "GT", Le => "LE", Lt => "LT");
keyword!(CompareType, CompareType, "comparison_type",
    Default => "NOTYPE", Float => "FLOAT", TotalOrder => "TOTALORDER", Signed => "SIGNED", Unsigned => "UNSIGNED");
keyword!(Precision, Precision, "precision",
    Default => "DEFAULT", High => "HIGH", Highest => "HIGHEST");
keyword!(FftType, FftType, "fft_type",
    Fft => "FFT", Ifft => "IFFT", Rfft => "RFFT", Irfft => "IRFFT");
keyword!(RngAlgorithm, RngAlgorithm, "rng_algorithm",
    Default => "DEFAULT", ThreeFry => "THREE_FRY", Philox => "PHILOX");
keyword!(RngDistribution, RngDistribution, "rng_distribution",
    Uniform => "UNIFORM", Normal => "NORMAL");
keyword!(Transpose, Transpose, "transpose",
    NoTranspose => "NO_TRANSPOSE", Transpose => "TRANSPOSE", Adjoint => "ADJOINT");

/// The enumeration attribute with this mnemonic and word: what the text between the angle brackets
/// of `#stablehlo<fft_type RFFT>` says.
pub fn enum_attr(mnemonic: &str, word: &str) -> Option<HloAttr> {
    fn one<K: Keyword>(word: &str) -> Option<HloAttr> {
        K::from_word(word).map(K::to_hlo)
    }
    match mnemonic {
        Direction::MNEMONIC => one::<Direction>(word),
        CompareType::MNEMONIC => one::<CompareType>(word),
        Precision::MNEMONIC => one::<Precision>(word),
        FftType::MNEMONIC => one::<FftType>(word),
        RngAlgorithm::MNEMONIC => one::<RngAlgorithm>(word),
        RngDistribution::MNEMONIC => one::<RngDistribution>(word),
        Transpose::MNEMONIC => one::<Transpose>(word),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_both_ways() {
        fn all<K: Keyword + std::fmt::Debug>() {
            for &(value, word) in K::WORDS {
                assert_eq!(value.word(), word);
                assert_eq!(enum_attr(K::MNEMONIC, word).as_ref().and_then(K::from_hlo), Some(value));
            }
            assert_eq!(enum_attr(K::MNEMONIC, "?"), None);
        }
        all::<Direction>();
        all::<CompareType>();
        all::<Precision>();
        all::<FftType>();
        all::<RngAlgorithm>();
        all::<RngDistribution>();
        all::<Transpose>();
    }
}
