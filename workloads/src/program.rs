//! The programs of benchmarks, as their sources have them, in StableHLO.
//!
//! A program's name says all that it depends on: it is the key of its dump.

mod array;
mod attention;
mod heads;
mod model;
mod product;

pub use array::{
    Chained, Unary, add, add_one, chained, copy, gather, layer_norm, map, rms_norm, scale, triad,
};
pub use attention::{Read, dense_attention, read_cache};
pub use heads::{Heads, Held, attention, attention_in_blocks};
pub use model::{Attention, Model, head, layers, mlp};
pub use product::{chained_product, masked_product, product, product_in_f32, product_relu};

use std::collections::BTreeMap;

/// A program, and how it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// A file's name too: letters, digits, `_` and `-`.
    pub name: String,
    pub stablehlo: String,
    /// Of the compiler, beside its defaults.
    pub options: BTreeMap<String, String>,
}

impl Program {
    fn new(name: String, stablehlo: String) -> Program {
        Program { name, stablehlo, options: BTreeMap::new() }
    }

    /// With this much VMEM for one kernel's windows.
    pub fn with_scoped_vmem(mut self, kib: u64) -> Program {
        self.name += &format!("_vmem{kib}");
        self.options.insert("xla_tpu_scoped_vmem_limit_kib".into(), kib.to_string());
        self
    }

    /// With both operands fetched to on-chip memory before the program begins, not only the first.
    pub fn with_operands_on_chip(mut self) -> Program {
        self.name += "_onchip";
        self.options.insert("xla_max_cross_program_prefetches".into(), "2".into());
        self
    }
}

/// `4096x128`
fn by(dims: &[u64]) -> String {
    dims.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}
