//! CHLO's functions that XLA expands before it compiles, as [`sim_core::chlo`] expands them: every step
//! is the kernel of that step, so that an expanded program has the same bits.

use super::float::Float;
use super::float_pair;
use super::flush;
use super::map::{Kernel1, Kernel2, map1, map2};
use super::math::{exact, fast};
use sim_core::Numerics;
use sim_core::chlo::{self, Arithmetic};
use sim_core::ir::op::Direction;
use sim_core::ir::{Binary, Unary};
use sim_core::numerics::F64;

macro_rules! comparisons {
    ($t:ty) => {
        type Number = $t;
        type Truth = bool;

        #[inline(always)]
        fn compare(&mut self, direction: Direction, x: $t, y: $t) -> bool {
            match direction {
                Direction::Eq => x == y,
                Direction::Ne => x != y,
                Direction::Ge => x >= y,
                Direction::Gt => x > y,
                Direction::Le => x <= y,
                Direction::Lt => x < y,
            }
        }
        #[inline(always)]
        fn both(&mut self, a: bool, b: bool) -> bool {
            a & b
        }
        #[inline(always)]
        fn select(&mut self, which: bool, yes: $t, no: $t) -> $t {
            if which { yes } else { no }
        }
    };
}

/// f32, whose sums, products and quotients may flush what is subnormal.
struct Single<const FLUSH: bool>;

impl<const FLUSH: bool> Arithmetic for Single<FLUSH> {
    comparisons!(f32);

    #[inline(always)]
    fn is_double(&self) -> bool {
        false
    }
    #[inline(always)]
    fn constant(&mut self, value: f64) -> f32 {
        value as f32
    }
    #[inline(always)]
    fn unary(&mut self, op: Unary, x: f32) -> f32 {
        let wide = x as f64;
        let large = wide.abs() >= fast::TRIG_LIMIT;
        match op {
            Unary::Abs => x.abs(),
            Unary::Negate => -x,
            Unary::Floor => x.floor(),
            Unary::Sign => exact::sign(wide) as f32,
            Unary::Sqrt => x.sqrt(),
            Unary::Exponential => fast::exp(wide) as f32,
            Unary::Log => fast::log(wide) as f32,
            Unary::LogPlusOne => fast::log_1p(wide) as f32,
            Unary::Sine => (if large { exact::sin(wide) } else { fast::sin(wide) }) as f32,
            Unary::Cosine => (if large { exact::cos(wide) } else { fast::cos(wide) }) as f32,
            _ => unreachable!("{} is no step of an expansion", op.name()),
        }
    }
    #[inline(always)]
    fn binary(&mut self, op: Binary, x: f32, y: f32) -> f32 {
        let flushed = |value: f32| if FLUSH { flush::flush(value) } else { value };
        match op {
            Binary::Add => flushed(x + y),
            Binary::Subtract => flushed(x - y),
            Binary::Multiply => flushed(x * y),
            Binary::Divide if FLUSH => flush::divide(x, y),
            Binary::Divide => x / y,
            Binary::Remainder => x % y,
            Binary::Power => fast::pow(x as f64, y as f64) as f32,
            Binary::Atan2 => exact::atan2(x as f64, y as f64) as f32,
            _ => unreachable!("{} is no step of an expansion", op.name()),
        }
    }
}

/// f64, by itself or as pairs of f32.
struct Double<const PAIRS: bool>;

impl<const PAIRS: bool> Arithmetic for Double<PAIRS> {
    comparisons!(f64);

    fn is_double(&self) -> bool {
        true
    }
    fn constant(&mut self, value: f64) -> f64 {
        value
    }
    fn unary(&mut self, op: Unary, x: f64) -> f64 {
        let function = match op {
            Unary::Abs => f64::abs,
            Unary::Negate => |x: f64| -x,
            Unary::Floor => f64::floor,
            Unary::Sign => exact::sign,
            Unary::Sqrt => f64::sqrt,
            Unary::Exponential => exact::exp,
            Unary::Log => exact::log,
            Unary::LogPlusOne => exact::log_1p,
            Unary::Sine => exact::sin,
            Unary::Cosine => exact::cos,
            _ => unreachable!("{} is no step of an expansion", op.name()),
        };
        if PAIRS { float_pair::to_pair(function(float_pair::to_pair(x))) } else { function(x) }
    }
    fn binary(&mut self, op: Binary, x: f64, y: f64) -> f64 {
        let function = match op {
            Binary::Add if PAIRS => return float_pair::sum(x, y),
            Binary::Subtract if PAIRS => return float_pair::difference(x, y),
            Binary::Multiply if PAIRS => return float_pair::product(x, y),
            Binary::Divide if PAIRS => return float_pair::quotient(x, y),
            Binary::Add => |x, y| x + y,
            Binary::Subtract => |x, y| x - y,
            Binary::Multiply => |x, y| x * y,
            Binary::Divide => |x, y| x / y,
            Binary::Remainder => |x, y| x % y,
            Binary::Power => exact::pow,
            Binary::Atan2 => exact::atan2,
            _ => unreachable!("{} is no step of an expansion", op.name()),
        };
        if PAIRS {
            float_pair::to_pair(function(float_pair::to_pair(x), float_pair::to_pair(y)))
        } else {
            function(x, y)
        }
    }
}

macro_rules! choose {
    ($f32:ident, $numerics:expr, $kernel:ident) => {
        if $numerics.flush_subnormals { $kernel!($f32, true) } else { $kernel!($f32, false) }
    };
}

/// A function of one operand in f32 or a narrower type: computed in f32, rounded once.
pub(super) fn unary<T: Float>(op: Unary, numerics: &Numerics) -> Option<Kernel1> {
    macro_rules! kernel {
        ($name:ident, $flush:literal) => {
            Some(|a, o| {
                map1::<T, T>(a, o, |x| {
                    let x = x.wide32();
                    T::round32(chlo::unary(Unary::$name, &mut Single::<$flush>, x).unwrap_or(x))
                })
            })
        };
    }
    match op {
        Unary::Atan => choose!(Atan, numerics, kernel),
        Unary::BesselI1e => choose!(BesselI1e, numerics, kernel),
        Unary::Digamma => choose!(Digamma, numerics, kernel),
        Unary::ErfInv => choose!(ErfInv, numerics, kernel),
        Unary::Erfc => choose!(Erfc, numerics, kernel),
        Unary::Lgamma => choose!(Lgamma, numerics, kernel),
        _ => None,
    }
}

/// As [`unary`], of two operands.
pub(super) fn binary<T: Float>(op: Binary, numerics: &Numerics) -> Option<Kernel2> {
    macro_rules! kernel {
        ($name:ident, $flush:literal) => {
            Some(|a, b, o| {
                map2::<T, T, T>(a, b, o, |x, y| {
                    let (x, y) = (x.wide32(), y.wide32());
                    T::round32(chlo::binary(Binary::$name, &mut Single::<$flush>, x, y).unwrap_or(x))
                })
            })
        };
    }
    match op {
        Binary::Polygamma => choose!(Polygamma, numerics, kernel),
        Binary::Zeta => choose!(Zeta, numerics, kernel),
        _ => None,
    }
}

/// A function of one operand in f64.
pub(super) fn unary_f64(op: Unary, numerics: &Numerics) -> Option<Kernel1> {
    macro_rules! kernel {
        ($($name:ident),*) => {
            match op {
                $(Unary::$name if numerics.f64 == F64::FloatPair => Some(|a, o| {
                    map1::<f64, f64>(a, o, |x| chlo::unary(Unary::$name, &mut Double::<true>, x).unwrap_or(x))
                }),
                Unary::$name => Some(|a, o| {
                    map1::<f64, f64>(a, o, |x| chlo::unary(Unary::$name, &mut Double::<false>, x).unwrap_or(x))
                }),)*
                _ => None,
            }
        };
    }
    kernel!(Atan, BesselI1e, Digamma, ErfInv, Erfc, Lgamma)
}

/// A function of two operands in f64.
pub(super) fn binary_f64(op: Binary, numerics: &Numerics) -> Option<Kernel2> {
    macro_rules! kernel {
        ($($name:ident),*) => {
            match op {
                $(Binary::$name if numerics.f64 == F64::FloatPair => Some(|a, b, o| {
                    map2::<f64, f64, f64>(a, b, o, |x, y| {
                        chlo::binary(Binary::$name, &mut Double::<true>, x, y).unwrap_or(x)
                    })
                }),
                Binary::$name => Some(|a, b, o| {
                    map2::<f64, f64, f64>(a, b, o, |x, y| {
                        chlo::binary(Binary::$name, &mut Double::<false>, x, y).unwrap_or(x)
                    })
                }),)*
                _ => None,
            }
        };
    }
    kernel!(Polygamma, Zeta)
}
