//! Conversion between element types.

use super::data::{int_info, int_range, is_float, largest_whole, rounding};
use super::elementwise::{boolean, wild};
use super::{Draw, Info};
use sim_core::ir::{Op, Operation};
use sim_core::{ElementType as E, Type};

impl Draw {
    /// convert, bitcast_convert, reduce_precision
    pub fn conversion(&mut self) -> Option<()> {
        let x = self.find(|k| !k.info.wild || k.info.pristine)?;
        if self.rng.chance(12) && x.info.exact() && x.info.pristine && x.element != E::Pred && !x.info.wild {
            let same: Vec<E> = [E::S8, E::S16, E::S32, E::S64, E::U8, E::U16, E::U32, E::U64]
                .into_iter()
                .filter(|e| e.bits() == x.element.bits())
                .collect();
            let element = *self.rng.pick(&same);
            // After these XLA:CPU lays arrays out anew, and takes the bits in that order.
            let laid_out = |op: &Operation| {
                matches!(op.op, Op::DotGeneral { .. } | Op::Convolution(_) | Op::RaggedDot { .. })
            };
            if x.element.is_complex() || self.b.function().ops.iter().any(laid_out) {
                return None;
            }
            let (low, high) = int_range(element);
            let info = int_info(element, low, high);
            return self.one(Op::BitcastConvert, &[&x], Type::tensor(element, &x.dims), info).map(|_| ());
        }
        if self.rng.chance(10) && matches!(x.element, E::F32 | E::F64) && x.info.pristine {
            let op = Op::ReducePrecision { exponent_bits: 8, mantissa_bits: self.rng.range(2, 12) };
            let grown = Info { low: x.info.low * 1.25, high: x.info.high * 1.25, whole: false, ..x.info };
            return self
                .one(
                    op,
                    &[&x],
                    x.ty(),
                    Info { low: grown.low.min(x.info.low), high: grown.high.max(x.info.high), ..grown },
                )
                .map(|_| ());
        }
        let element = *self.rng.pick(&self.elements.clone());
        let info = convert(x.element, element, x.info)?;
        self.one(Op::Convert, &[&x], Type::tensor(element, &x.dims), info).map(|_| ())
    }
}

fn convert(from: E, to: E, i: Info) -> Option<Info> {
    if from.is_complex() && !to.is_complex() {
        return None;
    }
    let exact_float = is_float(from) || from.is_complex();
    if to == E::Pred {
        return i.exact().then(boolean);
    }
    if !is_float(to) && !to.is_complex() {
        // Floats truncate; what is out of range is not defined by the specification.
        if exact_float {
            let (min, max) = int_range(to);
            let ok = i.exact() && !i.wild && i.low >= min && i.high <= max && i.high < 1e15;
            return ok.then(|| int_info(to, i.low.trunc(), i.high.trunc()));
        }
        return Some(int_info(to, i.low, i.high));
    }
    if i.wild {
        return (i.exact() && is_float(to) && to.bits() >= from.bits()).then_some(wild(0.0));
    }
    if from == to {
        return Some(i);
    }
    let biggest: f64 = if matches!(to, E::F8E4M3FN) { 400.0 } else { 6e4 };
    if i.size() > biggest.min(largest_whole(to) * 1e6) && !(i.size() < 2e19 && to.bits() >= 32) {
        return None;
    }
    if i.whole && i.exact() && i.size() <= largest_whole(to) {
        return Some(Info { pristine: false, ..i });
    }
    // Rounded once on both sides, from the same value.
    let exact = i.exact() && !to.is_complex();
    let error = if exact { 0.0 } else { i.error + 2.0 * rounding(to) * i.size() };
    let slack = 1.0 + 2.0 * rounding(to);
    let (low, high) = (i.low.min(i.low * slack), i.high.max(i.high * slack));
    Some(Info { low, high, error, ulps: 0.0, whole: false, wild: false, pristine: exact })
}
