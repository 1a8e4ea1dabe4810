//! HLO's opcodes and their spelling.

use std::fmt;

macro_rules! opcodes {
    ($($variant:ident = $text:literal,)*) => {
        /// What an instruction does. Names are XLA's (`HloOpcode`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode { $($variant,)* }

        const NAMES: &[&str] = &[$($text,)*];
        const ALL: &[Opcode] = &[$(Opcode::$variant,)*];
    };
}

opcodes! {
    Abs = "abs",
    Acos = "acos",
    Acosh = "acosh",
    Add = "add",
    AddDependency = "add-dependency",
    AfterAll = "after-all",
    AllGather = "all-gather",
    AllGatherDone = "all-gather-done",
    AllGatherStart = "all-gather-start",
    AllReduce = "all-reduce",
    AllReduceDone = "all-reduce-done",
    AllReduceStart = "all-reduce-start",
    AllToAll = "all-to-all",
    And = "and",
    Asin = "asin",
    Asinh = "asinh",
    AsyncDone = "async-done",
    AsyncStart = "async-start",
    AsyncUpdate = "async-update",
    Atan2 = "atan2",
    Atanh = "atanh",
    BatchNormGrad = "batch-norm-grad",
    BatchNormInference = "batch-norm-inference",
    BatchNormTraining = "batch-norm-training",
    Bitcast = "bitcast",
    BitcastConvert = "bitcast-convert",
    Broadcast = "broadcast",
    Call = "call",
    Cbrt = "cbrt",
    Ceil = "ceil",
    Cholesky = "cholesky",
    Clamp = "clamp",
    CollectiveBroadcast = "collective-broadcast",
    CollectivePermute = "collective-permute",
    CollectivePermuteDone = "collective-permute-done",
    CollectivePermuteStart = "collective-permute-start",
    CollectiveReduce = "collective-reduce",
    Compare = "compare",
    Complex = "complex",
    Concatenate = "concatenate",
    Conditional = "conditional",
    Constant = "constant",
    Convert = "convert",
    Convolution = "convolution",
    Copy = "copy",
    CopyDone = "copy-done",
    CopyStart = "copy-start",
    Cosh = "cosh",
    Cosine = "cosine",
    CountLeadingZeros = "count-leading-zeros",
    CustomCall = "custom-call",
    Divide = "divide",
    Domain = "domain",
    Dot = "dot",
    DynamicReshape = "dynamic-reshape",
    DynamicSlice = "dynamic-slice",
    DynamicUpdateSlice = "dynamic-update-slice",
    Erf = "erf",
    Exponential = "exponential",
    Exponential2 = "exponential-base2",
    ExponentialMinusOne = "exponential-minus-one",
    Fft = "fft",
    Floor = "floor",
    Fusion = "fusion",
    Gather = "gather",
    GetDimensionSize = "get-dimension-size",
    GetTupleElement = "get-tuple-element",
    Imag = "imag",
    Infeed = "infeed",
    Iota = "iota",
    IsFinite = "is-finite",
    Log = "log",
    Log2 = "log-base2",
    LogPlusOne = "log-plus-one",
    Logistic = "logistic",
    Map = "map",
    Maximum = "maximum",
    Minimum = "minimum",
    Mulhi = "mulhi",
    Multiply = "multiply",
    Negate = "negate",
    Not = "not",
    OptimizationBarrier = "opt-barrier",
    Or = "or",
    Outfeed = "outfeed",
    Pad = "pad",
    Parameter = "parameter",
    PartitionId = "partition-id",
    PopulationCount = "popcnt",
    Power = "power",
    RaggedAllToAll = "ragged-all-to-all",
    RaggedDot = "ragged-dot",
    Real = "real",
    Recv = "recv",
    RecvDone = "recv-done",
    Reduce = "reduce",
    ReducePrecision = "reduce-precision",
    ReduceScatter = "reduce-scatter",
    ReduceWindow = "reduce-window",
    Remainder = "remainder",
    ReplicaId = "replica-id",
    Reshape = "reshape",
    Reverse = "reverse",
    Rng = "rng",
    RngBitGenerator = "rng-bit-generator",
    RngGetAndUpdateState = "rng-get-and-update-state",
    RoundNearestAfz = "round-nearest-afz",
    RoundNearestEven = "round-nearest-even",
    Rsqrt = "rsqrt",
    ScaledDot = "scaled-dot",
    Scan = "scan",
    Scatter = "scatter",
    Select = "select",
    SelectAndScatter = "select-and-scatter",
    Send = "send",
    SendDone = "send-done",
    SetDimensionSize = "set-dimension-size",
    ShiftLeft = "shift-left",
    ShiftRightArithmetic = "shift-right-arithmetic",
    ShiftRightLogical = "shift-right-logical",
    Shuffle = "shuffle",
    Sign = "sign",
    Sine = "sine",
    Sinh = "sinh",
    Slice = "slice",
    Sort = "sort",
    Sqrt = "sqrt",
    StochasticConvert = "stochastic-convert",
    Subtract = "subtract",
    Tan = "tan",
    Tanh = "tanh",
    TopK = "topk",
    Transpose = "transpose",
    TriangularSolve = "triangular-solve",
    Tuple = "tuple",
    While = "while",
    Xor = "xor",
}

impl Opcode {
    /// XLA's spelling: `get-tuple-element`.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    pub fn from_name(name: &str) -> Option<Opcode> {
        // `NAMES` is sorted but for XLA's abbreviations; a match on length first keeps this cheap.
        ALL.iter().copied().find(|op| op.name().len() == name.len() && op.name() == name)
    }

    /// Every opcode, by name.
    pub fn all() -> &'static [Opcode] {
        ALL
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        for &op in Opcode::all() {
            assert_eq!(Opcode::from_name(op.name()), Some(op));
        }
        assert_eq!(Opcode::from_name("adds"), None);
    }
}
