//! How long the vector unit takes: slots of a bundle.
//!
//! In each cycle a core starts a few vector operations ([`Vpu::alus`](sim_core::chip::table::Vpu::alus)), a transcendental function (EUP), a
//! few loads and stores, and its XLUs move a register across lanes. [`Work`] counts, in registers of 8 x 128 x 32 bits, what a kernel asks of
//! each; the slowest decides. Values narrower than 32 bits are unpacked, computed in 32 bits and packed again, as XLA:TPU writes it
//! out (`convert`), so a `convert` is an operation like others and bf16 has no rate of its own.
//!
//! The numbers of operations behind a function are those of the usual expansions (range reduction, a polynomial, or the EUP with a Newton
//! step); XLA:TPU's own are not published. Measured: addition and `exp(-|x|)` of bf16 on v6e (docs/timing.md).

use sim_core::ElementType as E;
use sim_core::chip::Units;
use sim_core::engine::Duration;
use sim_core::hlo::Opcode;
use std::ops::{Add, AddAssign, Mul};

/// What is asked of the slots, in operations on whole registers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    pub alu: f64,
    /// Transcendental functions.
    pub eup: f64,
    /// Registers through the units that cross lanes.
    pub xlu: f64,
    pub loads: f64,
    pub stores: f64,
}

impl Work {
    pub const NONE: Work = Work { alu: 0.0, eup: 0.0, xlu: 0.0, loads: 0.0, stores: 0.0 };

    fn alu(n: f64) -> Work {
        Work { alu: n, ..Work::NONE }
    }

    fn eup(eup: f64, alu: f64) -> Work {
        Work { alu, eup, ..Work::NONE }
    }

    pub fn xlu(n: f64) -> Work {
        Work { xlu: n, ..Work::NONE }
    }

    /// Cycles of ALUs, EUP, loads and stores, of which the longest counts.
    pub fn vector_cycles(&self, units: &Units) -> f64 {
        let vpu = &units.vpu;
        (self.alu / (vpu.alus as f64 * vpu.issue_efficiency))
            .max(self.eup / vpu.transcendentals as f64)
            .max(self.loads / vpu.loads as f64)
            .max(self.stores / vpu.stores as f64)
    }

    /// Cycles of the XLUs.
    pub fn lane_cycles(&self, units: &Units) -> f64 {
        self.xlu * units.xlu.register_cycles / units.xlu.count as f64
    }

    /// On one core, when all slots are used side by side.
    pub fn time(&self, units: &Units) -> Duration {
        let cycles = self.vector_cycles(units).max(self.lane_cycles(units));
        Duration::from_cycles(cycles, units.tensorcore.clock_mhz)
    }
}

impl Add for Work {
    type Output = Work;
    fn add(self, o: Work) -> Work {
        Work {
            alu: self.alu + o.alu,
            eup: self.eup + o.eup,
            xlu: self.xlu + o.xlu,
            loads: self.loads + o.loads,
            stores: self.stores + o.stores,
        }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, o: Work) {
        *self = *self + o;
    }
}

impl Mul<f64> for Work {
    type Output = Work;
    fn mul(self, n: f64) -> Work {
        Work {
            alu: self.alu * n,
            eup: self.eup * n,
            xlu: self.xlu * n,
            loads: self.loads * n,
            stores: self.stores * n,
        }
    }
}

/// What an elementwise operation asks for, a register of 32-bit values of its result; `None` for operations of other kinds.
/// `element` is the type it computes in. Wider ones are computed as several words.
pub fn elementwise(opcode: Opcode, element: E) -> Option<Work> {
    use Opcode as O;
    let float = element.is_float() || element.is_complex();
    let one = match opcode {
        O::Abs | O::Negate | O::Not | O::And | O::Or | O::Xor | O::Select | O::Compare => Work::alu(1.0),
        O::Add | O::Subtract | O::Maximum | O::Minimum | O::BitcastConvert | O::IsFinite => Work::alu(1.0),
        O::ShiftLeft | O::ShiftRightArithmetic | O::ShiftRightLogical | O::Convert | O::Iota => {
            Work::alu(1.0)
        }
        O::Multiply if float => Work::alu(1.0),
        // Of 16-bit halves.
        O::Multiply | O::Mulhi => Work::alu(4.0),
        O::Clamp | O::Sign | O::ReducePrecision | O::Ceil | O::Floor => Work::alu(2.0),
        O::RoundNearestAfz | O::RoundNearestEven => Work::alu(3.0),
        // The reciprocal of the EUP, and a Newton step.
        O::Divide if float => Work::eup(1.0, 4.0),
        O::Divide | O::Remainder if !float => Work::eup(1.0, 20.0),
        O::Remainder => Work::eup(1.0, 8.0),
        O::Exponential | O::Exponential2 | O::Tanh => Work::eup(1.0, 1.0),
        O::Log | O::Log2 => Work::eup(1.0, 2.0),
        O::ExponentialMinusOne | O::LogPlusOne => Work::eup(1.0, 8.0),
        O::Rsqrt | O::Sqrt => Work::eup(1.0, 4.0),
        O::Logistic => Work::eup(2.0, 3.0),
        O::Cbrt => Work::eup(2.0, 8.0),
        O::Power => Work::eup(2.0, 10.0),
        O::Sine | O::Cosine | O::Tan => Work::alu(30.0),
        O::Erf | O::Sinh | O::Cosh => Work::eup(1.0, 20.0),
        O::Atan2 | O::Acos | O::Asin | O::Acosh | O::Asinh | O::Atanh => Work::eup(1.0, 30.0),
        O::PopulationCount | O::CountLeadingZeros => Work::alu(4.0),
        O::Complex | O::Real | O::Imag => Work::NONE,
        // Xoshiro- and Threefry-like generators: about that many rounds of adding, rotating and xoring.
        O::Rng | O::RngBitGenerator => Work::alu(60.0),
        O::StochasticConvert => Work::alu(4.0),
        _ => return None,
    };
    // A word of 64 bits is two, with what crosses between them.
    Some(if element.bits() > 32 { one * 4.0 } else { one })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::chip::Chip;

    #[test]
    fn the_fullest_slot_decides() {
        let chip = Chip::named("v6e").unwrap();
        let cycles = |work: Work| work.vector_cycles(chip.units());
        let full = chip.units().vpu.issue_efficiency;
        assert_eq!(cycles(Work::alu(8.0)), 2.0 / full);
        assert_eq!(cycles(Work { eup: 3.0, alu: 4.0, ..Work::NONE }), 3.0);
        assert_eq!(cycles(Work { loads: 9.0, stores: 2.0, ..Work::NONE }), 3.0);
        assert_eq!(Work::xlu(4.0).time(chip.units()), Duration::from_cycles(8.0, 1751.0));
    }

    #[test]
    fn functions_that_the_eup_has_are_cheaper_than_those_it_has_not() {
        let units = Chip::named("v6e").unwrap().units();
        let of = |op| elementwise(op, E::F32).unwrap().vector_cycles(units);
        assert!(of(Opcode::Exponential) < of(Opcode::Logistic));
        assert!(of(Opcode::Logistic) < of(Opcode::Sine));
        assert!(elementwise(Opcode::Reduce, E::F32).is_none());
        assert!(
            elementwise(Opcode::Add, E::F64).unwrap().alu > elementwise(Opcode::Add, E::F32).unwrap().alu
        );
    }
}
