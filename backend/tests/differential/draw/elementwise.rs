//! Elementwise operations, comparison, selection, and how errors pass through them.

use super::data::{int_info, int_range, is_float, largest_whole, literal, rounding};
use super::{Draw, Info};
use sim_core::ir::op::{CompareType, Direction};
use sim_core::ir::{Binary, Op, Unary};
use sim_core::{ElementType as E, Type};

/// What implementations of elementary functions may lose, in units in the last place.
const ULPS: f64 = 8.0;

/// Of functions that are made of several others.
const MANY_ULPS: f64 = 64.0;

/// Values that arithmetic made do not grow beyond this, unless they are whole.
const LARGE: f64 = 1000.0;

/// Knowledge of a float result between these bounds with this error in its operands.
pub fn float_info(element: E, low: f64, high: f64, error: f64, whole: bool) -> Option<Info> {
    let size = low.abs().max(high.abs());
    let exact = whole && error == 0.0 && size <= largest_whole(element);
    let error = if exact { 0.0 } else { error + 2.0 * rounding(element) * size };
    let fits = exact && size <= 1e9 || size <= LARGE.min(largest_whole(element) * 4.0);
    let info = Info { low, high, error, ulps: 0.0, whole: exact, wild: false, pristine: false };
    // Nothing is learnt from a value that is mostly error.
    (fits && error <= 0.05 * size.max(1.0)).then_some(info)
}

/// After an operation that is met by a wild value.
pub fn wild(ulps: f64) -> Info {
    let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
    Info { low, high, error: 0.0, ulps, whole: false, wild: true, pristine: false }
}

pub fn boolean() -> Info {
    int_info(E::Pred, 0.0, 1.0)
}

impl Draw {
    pub fn unary(&mut self) -> Option<()> {
        let x = self.find(|k| k.info.exact() || !k.info.wild)?;
        let i = x.info;
        use Unary as U;
        let (op, element, info) = if is_float(x.element) {
            let op = *self.rng.pick(&FLOAT);
            let element = if op == U::IsFinite { E::Pred } else { x.element };
            (op, element, unary_float(op, x.element, i)?)
        } else if x.element.is_complex() {
            let op = *self.rng.pick(&[U::Negate, U::Real, U::Imag, U::Abs]);
            let element = if op == U::Negate { x.element } else { E::F32 };
            let info = match op {
                U::Negate => Info { low: -i.high, high: -i.low, pristine: false, ..i },
                U::Abs if i.wild => return None,
                U::Abs => float_info(E::F32, 0.0, 1.5 * i.size(), 2.0 * i.error, false)?,
                _ => i,
            };
            (op, element, info)
        } else {
            let op = match (x.element, x.element.is_signed()) {
                (E::Pred, _) => U::Not,
                (_, true) => {
                    *self.rng.pick(&[U::Abs, U::Negate, U::Not, U::Popcnt, U::CountLeadingZeros, U::Sign])
                }
                _ => *self.rng.pick(&[U::Negate, U::Not, U::Popcnt, U::CountLeadingZeros]),
            };
            let (low, high) = match op {
                U::Sign => (-1.0, 1.0),
                U::Popcnt | U::CountLeadingZeros => (0.0, f64::from(x.element.bits())),
                U::Abs => (0.0, i.size()),
                U::Negate => (-i.high, -i.low),
                _ => int_range(x.element),
            };
            (op, x.element, int_info(x.element, low, high))
        };
        self.one(Op::Unary(op, None), &[&x], Type::tensor(element, &x.dims), info).map(|_| ())
    }

    pub fn binary(&mut self) -> Option<()> {
        let a = self.find(|k| k.info.exact() || !k.info.wild)?;
        let b = self.like(a.element, &a.dims, |i| i.exact() || !i.wild)?;
        use Binary as B;
        let arithmetic =
            [B::Add, B::Subtract, B::Multiply, B::Maximum, B::Minimum, B::Divide, B::Remainder, B::Power];
        let (op, info) = if is_float(a.element) {
            let op =
                *self.rng.pick(&[&arithmetic[..], &[B::Add, B::Multiply, B::Subtract, B::Atan2]].concat());
            (op, binary_float(op, a.element, a.info, b.info)?)
        } else if a.element.is_complex() {
            let op = *self.rng.pick(&[B::Add, B::Subtract, B::Multiply]);
            if a.info.wild || b.info.wild {
                return None;
            }
            let mut info = binary_float(op, a.element, a.info, b.info)?;
            if op == B::Multiply {
                let both = 2.0 * a.info.size() * b.info.size();
                info = float_info(a.element, -both, both, 2.0 * info.error, info.whole)?;
            }
            (op, info)
        } else if a.element == E::Pred {
            // Not add: XLA:CPU makes an exclusive or of it, and the specification an or.
            (*self.rng.pick(&[B::And, B::Or, B::Xor, B::Multiply, B::Maximum, B::Minimum]), boolean())
        } else {
            let bits = [B::And, B::Or, B::Xor, B::ShiftLeft, B::ShiftRightArithmetic, B::ShiftRightLogical];
            let op = *self.rng.pick(&[&arithmetic[..], &bits].concat());
            let zero = b.info.low <= 0.0 && b.info.high >= 0.0;
            if zero && matches!(op, B::Divide | B::Remainder) {
                return None; // XLA simplifies x / x to 1, for zero too.
            }
            let (x, y) = (a.info, b.info);
            if op == B::Power && y.size() > 31.0 {
                return None; // XLA looks at the lowest bits of the exponent only.
            }
            if op == B::Power && x.low <= 0.0 && x.high >= 0.0 && y.low < 0.0 {
                return None; // 0 to a negative power is -1 where XLA folds it, and 0 where it runs.
            }
            let products = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
            let least = |v: &[f64]| v.iter().copied().fold(f64::INFINITY, f64::min);
            let most = |v: &[f64]| v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let (low, high) = match op {
                B::Add => (x.low + y.low, x.high + y.high),
                B::Subtract => (x.low - y.high, x.high - y.low),
                B::Multiply => (least(&products), most(&products)),
                B::Maximum => (x.low.max(y.low), x.high.max(y.high)),
                B::Minimum => (x.low.min(y.low), x.high.min(y.high)),
                _ => int_range(a.element),
            };
            (op, int_info(a.element, low, high))
        };
        let known = self.one(Op::Binary(op), &[&a, &b], a.ty(), info)?;
        if self.rng.chance(5) && a.element == E::F32 && !info.wild {
            let ty = Type::tensor(E::C64, &a.dims);
            let info = info.join(a.info);
            self.one(Op::Binary(B::Complex), &[&known, &a], ty, Info { pristine: false, ..info })?;
        }
        Some(())
    }

    /// compare, select, clamp
    pub fn choice(&mut self) -> Option<()> {
        if self.rng.chance(50) {
            let a = self.find(|k| k.info.exact())?;
            let b = self.like(a.element, &a.dims, Info::exact)?;
            use Direction as D;
            let direction = match a.element.is_complex() {
                true => *self.rng.pick(&[D::Eq, D::Ne]),
                false => *self.rng.pick(&[D::Eq, D::Ne, D::Ge, D::Gt, D::Le, D::Lt]),
            };
            let pristine = a.info.pristine && b.info.pristine;
            let ty = if is_float(a.element) {
                let ordered = !matches!(direction, D::Eq | D::Ne);
                let tame = pristine && !a.info.wild && !b.info.wild;
                let total = tame && ordered && self.rng.chance(20);
                if total { CompareType::TotalOrder } else { CompareType::Float }
            } else if a.element.is_complex() {
                CompareType::Float
            } else if a.element.is_signed() {
                CompareType::Signed
            } else {
                CompareType::Unsigned
            };
            let result = Type::tensor(E::Pred, &a.dims);
            self.one(Op::Compare { direction, ty }, &[&a, &b], result, boolean())?;
        }
        let a = self.find(|_| true)?;
        let b = self.like(a.element, &a.dims, |_| true)?;
        if self.rng.chance(70) {
            let scalar = self.rng.chance(20);
            let dims = if scalar { &[][..] } else { &a.dims };
            let p = self.like(E::Pred, dims, |_| true)?;
            return self.one(Op::Select, &[&p, &a, &b], a.ty(), a.info.join(b.info)).map(|_| ());
        }
        if a.element.is_complex() || a.element == E::Pred || !a.info.exact() || a.info.wild {
            return None;
        }
        let (low, high) = (a.info.low, a.info.high.min(a.info.low + 3.0));
        let one = |d: &mut Draw, v: f64| {
            let info = Info { low: v, high: v, pristine: false, ..a.info };
            d.one(literal(a.element, &[], &[v]), &[], Type::tensor(a.element, &[]), info)
        };
        if low.abs() > 1e9 || low.fract() != 0.0 {
            return None;
        }
        let (min, max) = (one(self, low)?, one(self, high)?);
        let info = Info { low, high, whole: a.info.whole && high.fract() == 0.0, pristine: false, ..a.info };
        self.one(Op::Clamp, &[&min, &a, &max], a.ty(), info).map(|_| ())
    }
}

use Unary as U;
const FLOAT: [Unary; 40] = [
    U::Abs,
    U::Negate,
    U::Ceil,
    U::Floor,
    U::RoundNearestAfz,
    U::RoundNearestEven,
    U::Sign,
    U::IsFinite,
    U::Exponential,
    U::ExponentialMinusOne,
    U::Log,
    U::LogPlusOne,
    U::Logistic,
    U::Tanh,
    U::Sine,
    U::Cosine,
    U::Tan,
    U::Sqrt,
    U::Rsqrt,
    U::Cbrt,
    U::Abs,
    U::Negate,
    U::Exponential,
    U::Tanh,
    U::Logistic,
    U::Sqrt,
    U::Rsqrt,
    U::Erf,
    U::Erfc,
    U::ErfInv,
    U::Asin,
    U::Acos,
    U::Atan,
    U::Sinh,
    U::Cosh,
    U::Asinh,
    U::Acosh,
    U::Atanh,
    U::Square,
    U::Lgamma,
];

fn unary_float(op: Unary, element: E, i: Info) -> Option<Info> {
    let discontinuous =
        matches!(op, U::Ceil | U::Floor | U::RoundNearestAfz | U::RoundNearestEven | U::Sign | U::IsFinite);
    if discontinuous && !i.exact() || op == U::Sign && i.wild && !i.pristine {
        return None;
    }
    if op == U::IsFinite {
        return Some(boolean());
    }
    let bits = element.bits();
    if i.wild {
        if discontinuous || matches!(op, U::Abs | U::Negate) {
            return Some(Info { pristine: false, ..i });
        }
        // Periodic functions of large arguments and the rarer functions are left to unit tests.
        let tame =
            matches!(op, U::Exponential | U::Log | U::Logistic | U::Tanh | U::Sqrt | U::Rsqrt | U::Cbrt);
        return (tame && i.pristine && bits >= 32).then_some(wild(MANY_ULPS));
    }
    let (low, high) = (i.low, i.high);
    let (l, h) = (low - i.error, high + i.error);
    let near = l.abs().min(h.abs()); // the smallest magnitude, where zero is not between
    let u = rounding(element);
    // (low, high, factor of the operand's error, own error)
    let of = |low: f64, high: f64, slope: f64| {
        float_info(
            element,
            low,
            high,
            slope * i.error + ULPS * u * low.abs().max(high.abs()).max(1e-2),
            false,
        )
    };
    let rare = |domain: bool, low: f64, high: f64, slope: f64| {
        let own = MANY_ULPS * u * low.abs().max(high.abs());
        (domain && i.error < 1e-3)
            .then(|| float_info(element, low, high, slope * i.error + own, false))
            .flatten()
    };
    let when = |holds: bool, info: Option<Info>| if holds { info } else { None };
    match op {
        U::Abs => Some(Info {
            low: if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) },
            high: i.size(),
            pristine: false,
            ..i
        }),
        U::Negate => Some(Info { low: -high, high: -low, pristine: false, ..i }),
        U::Ceil | U::Floor | U::RoundNearestAfz | U::RoundNearestEven => {
            Some(Info { low: low.floor(), high: high.ceil(), whole: true, pristine: false, ..i })
        }
        U::Sign => Some(Info { low: -1.0, high: 1.0, whole: true, pristine: false, ..i }),
        U::Exponential => when(h <= 6.0, of(0.0, h.exp(), h.exp())),
        U::ExponentialMinusOne => when(h <= 6.0, of(-1.0, h.exp(), h.exp())),
        U::Log => when(l >= 0.05, of(l.ln(), h.ln(), 1.0 / near)),
        U::LogPlusOne => when(l >= -0.9, of(l.ln_1p(), h.ln_1p(), 1.0 / (1.0 + l))),
        U::Logistic => of(0.0, 1.0, 0.25),
        U::Tanh => of(-1.0, 1.0, 1.0),
        U::Sine | U::Cosine => when(h.max(-l) <= 1000.0, of(-1.0, 1.0, 1.0)),
        U::Tan => when(h.max(-l) <= 1.3, of(-4.0, 4.0, 15.0)),
        U::Sqrt => when(l >= 0.05, of(0.0, h.sqrt(), 0.5 / near.sqrt())),
        U::Rsqrt => when(l >= 0.05, of(0.0, 1.0 / near.sqrt(), 0.5 * near.powf(-1.5))),
        U::Cbrt => when(l >= 0.05, of(0.0, h.cbrt(), near.powf(-2.0 / 3.0))),
        U::Square => {
            let size = i.size() * i.size();
            float_info(element, 0.0, size, 2.0 * i.size() * i.error, i.whole)
        }
        U::Erf => rare(true, -1.0, 1.0, 1.2),
        U::Erfc => rare(true, 0.0, 2.0, 1.2),
        U::ErfInv => rare(h.max(-l) <= 0.9, -1.2, 1.2, 4.0),
        U::Asin | U::Acos => rare(h.max(-l) <= 0.95, -3.2, 3.2, 4.0),
        U::Atan => rare(true, -1.6, 1.6, 1.0),
        U::Sinh | U::Cosh => rare(h.max(-l) <= 5.0, -75.0, 75.0, 75.0),
        U::Asinh => rare(h.max(-l) <= 1e4, -10.0, 10.0, 1.0),
        U::Acosh => rare(l >= 1.2 && h <= 1e4, 0.0, 10.0, 2.0),
        U::Atanh => rare(h.max(-l) <= 0.9, -1.5, 1.5, 6.0),
        U::Lgamma => rare(l >= 0.2 && h <= 10.0, -1.0, 13.0, 6.0),
        _ => None,
    }
}

pub fn binary_float(op: Binary, element: E, x: Info, y: Info) -> Option<Info> {
    use Binary as B;
    if x.wild || y.wild {
        if !(x.exact() && y.exact()) {
            return None;
        }
        let info = match op {
            B::Maximum | B::Minimum => Some(wild(0.0)),
            B::Add | B::Subtract | B::Multiply if x.pristine && y.pristine => Some(wild(0.0)),
            B::Divide if x.pristine && y.pristine => Some(wild(1.0)),
            _ => None,
        };
        return info;
    }
    let u = rounding(element);
    let whole = x.whole && y.whole && x.exact() && y.exact();
    let products = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
    let least = |v: &[f64]| v.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |v: &[f64]| v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (a, b) = (x.size() + x.error, y.size() + y.error);
    // The smallest magnitude of the divisor; 0 if zero is between its bounds.
    let near = if y.low - y.error > 0.0 {
        y.low - y.error
    } else if y.high + y.error < 0.0 {
        -y.high - y.error
    } else {
        0.0
    };
    match op {
        B::Add => float_info(element, x.low + y.low, x.high + y.high, x.error + y.error, whole),
        B::Subtract => float_info(element, x.low - y.high, x.high - y.low, x.error + y.error, whole),
        B::Multiply => {
            float_info(element, least(&products), most(&products), a * y.error + b * x.error, whole)
        }
        B::Maximum => {
            Some(Info { low: x.low.max(y.low), high: x.high.max(y.high), pristine: false, ..x.join(y) })
        }
        B::Minimum => {
            Some(Info { low: x.low.min(y.low), high: x.high.min(y.high), pristine: false, ..x.join(y) })
        }
        B::Divide if near >= 0.1 => {
            let size = a / near;
            let error = x.error / near + a * y.error / (near * near) + 2.0 * u * size;
            float_info(element, -size, size, error, false)
        }
        B::Remainder if whole && near >= 1.0 && element.bits() >= 32 => {
            float_info(element, x.low.min(0.0), x.high.max(0.0), 0.0, true)
        }
        B::Power if x.low - x.error >= 0.25 && b <= 3.0 && element.bits() >= 16 => {
            let size = (x.high + x.error).max(4.0).powf(b).max(0.25f64.powf(-b));
            let error = size * (b * x.error * 4.0 + 6.0 * y.error) + 32.0 * u * size;
            float_info(element, 0.0, size, error, false)
        }
        B::Atan2 if near >= 0.1 && y.low > 0.0 => {
            let error = (x.error + y.error) / near + ULPS * 4.0 * u;
            float_info(element, -1.6, 1.6, error, false)
        }
        _ => None,
    }
}
