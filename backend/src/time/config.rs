//! What XLA:TPU's compiler writes beside an instruction: `backend_config={…}`, as JSON.
//!
//! The fields that time depends on are read; the rest is skipped. Numbers are written as strings (`"estimated_cycles":"45768"`), and
//! both are taken. Not documented by its authors: `../shared/oracle/README.md` tells what was found in dumps of libtpu 0.0.52.

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, de};
use sim_core::hlo::{Instruction, Key, Value};
use sim_core::{Diagnostic, Result};
use std::fmt;

/// One instruction's configuration.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct BackendConfig {
    pub window_config: Option<WindowConfig>,
    /// VMEM that the kernel has for itself: window buffers and scratch.
    pub used_scoped_memory_configs: Vec<ScopedMemory>,
    pub convolution_algorithm_config: Option<ConvolutionConfig>,
    pub aliasing_operands: Option<AliasingOperands>,
    pub custom_call_config: Option<CustomCallConfig>,
    pub megacore_config: Option<MegacoreConfig>,
    pub mask_aggregator_config: Option<MaskConfig>,
}

/// Which steps of a grid are left out, since a mask hides all that they would make.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MaskConfig {
    /// Dimensions of the grid that walk the mask's: groups, and rows.
    #[serde(deserialize_with = "numbers")]
    pub mask_dim_to_iteration_index: Vec<u64>,
    /// `ITERATION_SKIPPER_MODE_GROUP_STARTS`: of a ragged product, groups meet their own rows only.
    pub iteration_skipper_mode: String,
}

impl MaskConfig {
    /// As a ragged product has it.
    pub const GROUPS: &str = "ITERATION_SKIPPER_MODE_GROUP_STARTS";

    /// Dimensions of the grid that walk groups and rows; empty where nothing is said of them. `None`: no step is left out.
    pub fn skips(&self) -> Option<&[u64]> {
        (self.iteration_skipper_mode == Self::GROUPS).then_some(&self.mask_dim_to_iteration_index)
    }
}

/// How two cores of one device share a kernel; absent where one does it all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MegacoreConfig {
    /// The dimension of the grid that is cut; -1 where none is.
    pub megacore_split_dim: Text,
}

/// Of a kernel written in Mosaic.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct CustomCallConfig {
    pub cost_estimate: Option<CostEstimate>,
}

impl MegacoreConfig {
    pub fn split(&self) -> Option<usize> {
        self.megacore_split_dim.0.parse().ok()
    }
}

/// A number as XLA's JSON has it, in quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Text(pub String);

/// What the author of a kernel says that it does (`pl.CostEstimate`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct CostEstimate {
    #[serde(deserialize_with = "number")]
    pub flops: u64,
    #[serde(deserialize_with = "number")]
    pub transcendentals: u64,
    #[serde(deserialize_with = "number")]
    pub bytes_accessed: u64,
}

/// The grid of a kernel, and the windows of its operands in tiles of the layout (8 x 128 as a rule), second minor dimension first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct WindowConfig {
    /// Of the right-hand side of a product or convolution: contracted, columns.
    #[serde(deserialize_with = "numbers")]
    pub kernel_window_bounds: Vec<u64>,
    #[serde(deserialize_with = "numbers")]
    pub output_window_bounds: Vec<u64>,
    /// Of the left-hand side.
    #[serde(deserialize_with = "numbers")]
    pub input_window_bounds: Vec<u64>,
    /// Steps along each dimension, the outermost first.
    #[serde(deserialize_with = "numbers")]
    pub iteration_bounds: Vec<u64>,
    /// The compiler's own estimate; 0 where it makes none.
    #[serde(deserialize_with = "number")]
    pub estimated_cycles: u64,
    /// Buffers of a window: 0 and 2 are two.
    #[serde(deserialize_with = "number")]
    pub buffering_level: u64,
}

/// `{"memory_space":"1","offset":"0","size":"23953408"}`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ScopedMemory {
    #[serde(deserialize_with = "number")]
    pub memory_space: u64,
    #[serde(deserialize_with = "number")]
    pub offset: u64,
    /// Bytes.
    #[serde(deserialize_with = "number")]
    pub size: u64,
}

/// How a product or convolution is laid on the matrix units.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ConvolutionConfig {
    /// `EmitAllBatchInSublanes`, …
    pub emitter: String,
}

/// Which operands share their memory with the result, or with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct AliasingOperands {
    pub lists: Vec<AliasList>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct AliasList {
    #[serde(deserialize_with = "numbers")]
    pub indices: Vec<u64>,
}

impl BackendConfig {
    /// The configuration of an instruction; an empty one where none is written, or one that is no JSON object (other backends' and
    /// custom calls' own).
    ///
    /// # Errors
    /// Kind `Malformed`: an object whose known fields are not what they should be, with the instruction and its place.
    pub fn of(instruction: &Instruction) -> Result<BackendConfig> {
        let text = match instruction.attr(&Key::BackendConfig) {
            Some(Value::Raw(text) | Value::String(text)) if text.starts_with('{') => text,
            _ => return Ok(BackendConfig::default()),
        };
        serde_json::from_str(text).or_else(|e| {
            // What a custom call of somebody else takes is in a form of its own.
            let target = instruction.attr(&Key::CustomCallTarget);
            let others = matches!(target, Some(Value::String(t)) if &**t != "tpu_custom_call");
            if others {
                return Ok(BackendConfig::default());
            }
            Err(Diagnostic::malformed(format!("backend_config of %{}: {e}", instruction.name))
                .at(instruction.span))
        })
    }

    /// Bytes of VMEM that the kernel has for itself.
    pub fn scoped_vmem(&self) -> u64 {
        let vmem = self.used_scoped_memory_configs.iter().filter(|m| m.memory_space == 1);
        vmem.fold(0, |n, m| n.saturating_add(m.size))
    }

    /// The compiler's estimate, where it makes one.
    pub fn estimated_cycles(&self) -> Option<u64> {
        self.window_config.as_ref().map(|w| w.estimated_cycles).filter(|&n| n > 0 && n < i64::MAX as u64)
    }
}

/// A number, or the text of one.
struct Number(u64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Number, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number of at least 0, or its text")
            }
            fn visit_u64<X: Error>(self, n: u64) -> Result<Number, X> {
                Ok(Number(n))
            }
            fn visit_i64<X: Error>(self, n: i64) -> Result<Number, X> {
                u64::try_from(n).map(Number).map_err(|_| X::invalid_value(de::Unexpected::Signed(n), &self))
            }
            fn visit_str<X: Error>(self, text: &str) -> Result<Number, X> {
                text.parse().map(Number).map_err(|_| X::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        from.deserialize_any(Text)
    }
}

fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    Number::deserialize(from).map(|n| n.0)
}

fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
    struct List;
    impl<'de> Visitor<'de> for List {
        type Value = Vec<u64>;
        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a list of numbers")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<u64>, A::Error> {
            let mut out = Vec::new();
            while let Some(Number(n)) = list.next_element()? {
                out.push(n);
            }
            Ok(out)
        }
    }
    from.deserialize_seq(List)
}

#[cfg(test)]
mod tests;
