//! The elementwise operations, by number of operands, with their names.

/// Elementwise operations of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Abs,
    Cbrt,
    Ceil,
    CountLeadingZeros,
    Cosine,
    Exponential,
    ExponentialMinusOne,
    Floor,
    Imag,
    IsFinite,
    Log,
    LogPlusOne,
    Logistic,
    Negate,
    Not,
    Popcnt,
    Real,
    RoundNearestAfz,
    RoundNearestEven,
    Rsqrt,
    Sign,
    Sine,
    Sqrt,
    Tan,
    Tanh,
    // CHLO
    Acos,
    Acosh,
    Asin,
    AsinAcosKernel,
    Asinh,
    Atan,
    Atanh,
    BesselI1e,
    Conj,
    Cosh,
    Digamma,
    Erf,
    ErfInv,
    Erfc,
    IsInf,
    IsNegInf,
    IsPosInf,
    Lgamma,
    Sinh,
    Square,
}

impl Unary {
    /// With its dialect.
    pub fn name(self) -> &'static str {
        use Unary as U;
        match self {
            U::Abs => "stablehlo.abs",
            U::Cbrt => "stablehlo.cbrt",
            U::Ceil => "stablehlo.ceil",
            U::CountLeadingZeros => "stablehlo.count_leading_zeros",
            U::Cosine => "stablehlo.cosine",
            U::Exponential => "stablehlo.exponential",
            U::ExponentialMinusOne => "stablehlo.exponential_minus_one",
            U::Floor => "stablehlo.floor",
            U::Imag => "stablehlo.imag",
            U::IsFinite => "stablehlo.is_finite",
            U::Log => "stablehlo.log",
            U::LogPlusOne => "stablehlo.log_plus_one",
            U::Logistic => "stablehlo.logistic",
            U::Negate => "stablehlo.negate",
            U::Not => "stablehlo.not",
            U::Popcnt => "stablehlo.popcnt",
            U::Real => "stablehlo.real",
            U::RoundNearestAfz => "stablehlo.round_nearest_afz",
            U::RoundNearestEven => "stablehlo.round_nearest_even",
            U::Rsqrt => "stablehlo.rsqrt",
            U::Sign => "stablehlo.sign",
            U::Sine => "stablehlo.sine",
            U::Sqrt => "stablehlo.sqrt",
            U::Tan => "stablehlo.tan",
            U::Tanh => "stablehlo.tanh",
            U::Acos => "chlo.acos",
            U::Acosh => "chlo.acosh",
            U::Asin => "chlo.asin",
            U::AsinAcosKernel => "chlo._asin_acos_kernel",
            U::Asinh => "chlo.asinh",
            U::Atan => "chlo.atan",
            U::Atanh => "chlo.atanh",
            U::BesselI1e => "chlo.bessel_i1e",
            U::Conj => "chlo.conj",
            U::Cosh => "chlo.cosh",
            U::Digamma => "chlo.digamma",
            U::Erf => "chlo.erf",
            U::ErfInv => "chlo.erf_inv",
            U::Erfc => "chlo.erfc",
            U::IsInf => "chlo.is_inf",
            U::IsNegInf => "chlo.is_neg_inf",
            U::IsPosInf => "chlo.is_pos_inf",
            U::Lgamma => "chlo.lgamma",
            U::Sinh => "chlo.sinh",
            U::Square => "chlo.square",
        }
    }

    /// All, in declaration order.
    pub const ALL: [Unary; 45] = {
        use Unary as U;
        [
            U::Abs,
            U::Cbrt,
            U::Ceil,
            U::CountLeadingZeros,
            U::Cosine,
            U::Exponential,
            U::ExponentialMinusOne,
            U::Floor,
            U::Imag,
            U::IsFinite,
            U::Log,
            U::LogPlusOne,
            U::Logistic,
            U::Negate,
            U::Not,
            U::Popcnt,
            U::Real,
            U::RoundNearestAfz,
            U::RoundNearestEven,
            U::Rsqrt,
            U::Sign,
            U::Sine,
            U::Sqrt,
            U::Tan,
            U::Tanh,
            U::Acos,
            U::Acosh,
            U::Asin,
            U::AsinAcosKernel,
            U::Asinh,
            U::Atan,
            U::Atanh,
            U::BesselI1e,
            U::Conj,
            U::Cosh,
            U::Digamma,
            U::Erf,
            U::ErfInv,
            U::Erfc,
            U::IsInf,
            U::IsNegInf,
            U::IsPosInf,
            U::Lgamma,
            U::Sinh,
            U::Square,
        ]
    };
}

/// Elementwise operations of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    And,
    Atan2,
    Complex,
    Divide,
    Maximum,
    Minimum,
    Multiply,
    Or,
    Power,
    Remainder,
    ShiftLeft,
    ShiftRightArithmetic,
    ShiftRightLogical,
    Subtract,
    Xor,
    // CHLO
    NextAfter,
    Polygamma,
    Zeta,
    /// The high half of an integer product.
    MulHi,
}

impl Binary {
    /// With its dialect.
    pub fn name(self) -> &'static str {
        use Binary as B;
        match self {
            B::Add => "stablehlo.add",
            B::And => "stablehlo.and",
            B::Atan2 => "stablehlo.atan2",
            B::Complex => "stablehlo.complex",
            B::Divide => "stablehlo.divide",
            B::Maximum => "stablehlo.maximum",
            B::Minimum => "stablehlo.minimum",
            B::Multiply => "stablehlo.multiply",
            B::Or => "stablehlo.or",
            B::Power => "stablehlo.power",
            B::Remainder => "stablehlo.remainder",
            B::ShiftLeft => "stablehlo.shift_left",
            B::ShiftRightArithmetic => "stablehlo.shift_right_arithmetic",
            B::ShiftRightLogical => "stablehlo.shift_right_logical",
            B::Subtract => "stablehlo.subtract",
            B::Xor => "stablehlo.xor",
            B::NextAfter => "chlo.next_after",
            B::Polygamma => "chlo.polygamma",
            B::Zeta => "chlo.zeta",
            B::MulHi => "chlo.mulhi",
        }
    }

    /// All, in declaration order.
    pub const ALL: [Binary; 20] = {
        use Binary as B;
        [
            B::Add,
            B::And,
            B::Atan2,
            B::Complex,
            B::Divide,
            B::Maximum,
            B::Minimum,
            B::Multiply,
            B::Or,
            B::Power,
            B::Remainder,
            B::ShiftLeft,
            B::ShiftRightArithmetic,
            B::ShiftRightLogical,
            B::Subtract,
            B::Xor,
            B::NextAfter,
            B::Polygamma,
            B::Zeta,
            B::MulHi,
        ]
    };
}

impl Binary {
    /// The CHLO operation with implicit broadcasting.
    pub fn broadcast_name(self) -> &'static str {
        use Binary as B;
        match self {
            B::Add => "chlo.broadcast_add",
            B::And => "chlo.broadcast_and",
            B::Atan2 => "chlo.broadcast_atan2",
            B::Complex => "chlo.broadcast_complex",
            B::Divide => "chlo.broadcast_divide",
            B::Maximum => "chlo.broadcast_maximum",
            B::Minimum => "chlo.broadcast_minimum",
            B::Multiply => "chlo.broadcast_multiply",
            B::Or => "chlo.broadcast_or",
            B::Power => "chlo.broadcast_power",
            B::Remainder => "chlo.broadcast_remainder",
            B::ShiftLeft => "chlo.broadcast_shift_left",
            B::ShiftRightArithmetic => "chlo.broadcast_shift_right_arithmetic",
            B::ShiftRightLogical => "chlo.broadcast_shift_right_logical",
            B::Subtract => "chlo.broadcast_subtract",
            B::Xor => "chlo.broadcast_xor",
            B::NextAfter => "chlo.broadcast_next_after",
            B::Polygamma => "chlo.broadcast_polygamma",
            B::Zeta => "chlo.broadcast_zeta",
            B::MulHi => "chlo.broadcast_mulhi",
        }
    }
}
