//! What the arithmetic does. Chip descriptions state it; no kernel knows a chip's name.

/// How an f32 `dot` or `convolution` of default precision multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DotF32 {
    /// IEEE f32 products and sums, as the StableHLO specification says.
    Native,
    /// Operands rounded to bf16, exact products, f32 sums in the MXU's order.
    /// `HIGH` takes 3 such passes, `HIGHEST` 6.
    Bf16Passes,
}

/// How f64 is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum F64 {
    /// IEEE binary64.
    Native,
    /// A pair of f32 (hi + lo), as XLA:TPU emulates it (`golden/README.md`, "f64").
    FloatPair,
}

/// The numerics of a run. All kernels take it by reference through [`crate::Ctx`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numerics {
    /// f32 and bf16 results (and operands, where the hardware does so) that are subnormal become zero.
    pub flush_subnormals: bool,
    /// bf16 and f16 elementwise chains in one fused region stay f32 and round once at its end.
    /// False keeps every rounding, as `--xla_allow_excess_precision=false` does.
    pub excess_precision: bool,
    pub dot_f32: DotF32,
    /// Dots with one row or one column are a multiply and a reduce on the VPU, in f32, not an MXU pass.
    pub matvec_on_vpu: bool,
    pub f64: F64,
    /// `scatter` skips a window that is partly out of bounds, as XLA does on every backend. False: it
    /// skips only the elements outside, as the StableHLO specification and its interpreter do.
    pub scatter_whole_windows: bool,
}

impl Numerics {
    /// `--numerics ieee`: what the StableHLO specification says, for conformance.
    pub const fn ieee() -> Self {
        Numerics {
            flush_subnormals: false,
            excess_precision: false,
            dot_f32: DotF32::Native,
            matvec_on_vpu: false,
            f64: F64::Native,
            scatter_whole_windows: false,
        }
    }

    /// `--numerics tpu`: what TPU v4 to v6e do (`oracle/NUMERICS.md`, first column).
    pub const fn tpu() -> Self {
        Numerics {
            flush_subnormals: true,
            excess_precision: true,
            dot_f32: DotF32::Bf16Passes,
            matvec_on_vpu: true,
            f64: F64::FloatPair,
            scatter_whole_windows: true,
        }
    }
}

impl Default for Numerics {
    fn default() -> Self {
        Numerics::tpu()
    }
}
