//! From a comparator's region to sort keys.
//!
//! ```text
//!  lt(k)   = compare LT|GT, x, y          x, y: argument 2k and 2k+1, in either order
//!  key(x)  = x | real x | imag x | select(x == 0, 0, key x) | select(x != x, NaN, key x)
//!  less    = lt(k) | lt(k) or (eq(k) and less) | select(eq(k), less, lt(k)) | select(ne(k), lt(k), less)
//! ```
//! That covers what JAX, PyTorch and XLA's own expansions emit; anything else is left to the general
//! sort.

use super::key::{Order, Part, SortKey};
use sim_core::ir::op::{CompareType, Direction};
use sim_core::ir::{Binary, Function, Op, Operation, RegionId, Unary, ValueDef, ValueId};
use sim_core::{ElementType, Tensor};

/// Visits of values before giving up: comparators are short, and this bounds the recursion.
const FUEL: usize = 500;

/// The keys of the comparator `region` of a `sort`, most significant first; `None` when it is not of
/// the form above.
pub fn recognise(function: &Function, region: RegionId) -> Option<Vec<SortKey>> {
    let mut r = Recogniser { function, region, fuel: FUEL };
    let &[mut less] = &function.region(region).results[..] else { return None };
    let mut keys = Vec::new();
    loop {
        let (key, rest) = r.step(less)?;
        keys.push(key);
        match rest {
            Some(next) => less = next,
            None => return Some(keys),
        }
    }
}

struct Recogniser<'a> {
    function: &'a Function,
    region: RegionId,
    fuel: usize,
}

/// A value that depends on one argument only, or a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    Argument { index: usize, part: Part, zeros_equal: bool, nans_equal: bool },
    Zero,
    Nan,
}

/// A comparison of one operand's two arguments.
struct Comparison {
    direction: Direction,
    key: SortKey,
}

impl<'a> Recogniser<'a> {
    fn op(&self, v: ValueId) -> Option<&'a Operation> {
        match self.function.value(v).def {
            ValueDef::Result(op, _) => Some(self.function.op(op)),
            ValueDef::Arg(..) => None,
        }
    }

    fn operands<const N: usize>(op: &Operation) -> Option<[ValueId; N]> {
        op.operands[..].try_into().ok()
    }

    /// `less` as its first key and what decides when that is equal.
    fn step(&mut self, less: ValueId) -> Option<(SortKey, Option<ValueId>)> {
        self.fuel = self.fuel.checked_sub(1)?;
        let op = self.op(less)?;
        match op.op {
            Op::Compare { .. } => Some((self.strict(less)?, None)),
            Op::Binary(Binary::Or) => {
                let [a, b] = Self::operands(op)?;
                for (lt, and) in [(a, b), (b, a)] {
                    let Some(key) = self.strict(lt) else { continue };
                    let Some(op) = self.op(and).filter(|o| matches!(o.op, Op::Binary(Binary::And))) else {
                        continue;
                    };
                    let [x, y] = Self::operands(op)?;
                    for (eq, rest) in [(x, y), (y, x)] {
                        if self.equal(eq, &key, Direction::Eq) {
                            return Some((key, Some(rest)));
                        }
                    }
                }
                None
            }
            Op::Select => {
                let [condition, on_true, on_false] = Self::operands(op)?;
                for (direction, lt, rest) in
                    [(Direction::Eq, on_false, on_true), (Direction::Ne, on_true, on_false)]
                {
                    if let Some(key) = self.strict(lt)
                        && self.equal(condition, &key, direction)
                    {
                        return Some((key, Some(rest)));
                    }
                }
                None
            }
            _ => None,
        }
    }

    fn strict(&mut self, v: ValueId) -> Option<SortKey> {
        let c = self.comparison(v)?;
        match c.direction {
            Direction::Lt => Some(c.key),
            Direction::Gt => Some(SortKey { descending: !c.key.descending, ..c.key }),
            _ => None,
        }
    }

    /// Is `v` the comparison of `key`'s values for equality (or its opposite)?
    fn equal(&mut self, v: ValueId, key: &SortKey, direction: Direction) -> bool {
        self.comparison(v).is_some_and(|c| {
            c.direction == direction && SortKey { descending: key.descending, ..c.key } == *key
        })
    }

    /// A comparison of the two arguments of one operand; "descending" if the second is on the left.
    fn comparison(&mut self, v: ValueId) -> Option<Comparison> {
        let op = self.op(v)?;
        let Op::Compare { direction, ty } = op.op else { return None };
        let [a, b] = Self::operands(op)?;
        let element = self.function.ty(a).as_tensor()?.element;
        let (a, b) = (self.term(a)?, self.term(b)?);
        let Term::Argument { index: i, part, zeros_equal, nans_equal } = a else { return None };
        let Term::Argument { index: j, .. } = b else { return None };
        // The same key on both sides, of the two arguments of one operand.
        if (b != Term::Argument { index: j, part, zeros_equal, nans_equal }) || i / 2 != j / 2 || i == j {
            return None;
        }
        let order = match ty {
            CompareType::TotalOrder => Order::Total { zeros_equal, nans_equal },
            _ if element.is_float() => Order::Partial,
            _ if element.is_complex() => return None,
            CompareType::Signed if element.is_unsigned() => return None,
            CompareType::Unsigned if element.is_signed() => return None,
            _ => Order::Integer,
        };
        if !element.is_float() && order != Order::Integer {
            return None;
        }
        Some(Comparison { direction, key: SortKey { operand: i / 2, part, order, descending: i > j } })
    }

    fn term(&mut self, v: ValueId) -> Option<Term> {
        self.fuel = self.fuel.checked_sub(1)?;
        let op = match self.function.value(v).def {
            ValueDef::Arg(region, index) => {
                let plain = Term::Argument {
                    index: index as usize,
                    part: Part::Whole,
                    zeros_equal: false,
                    nans_equal: false,
                };
                return (region == self.region).then_some(plain);
            }
            ValueDef::Result(op, _) => self.function.op(op),
        };
        match &op.op {
            Op::Constant(dense) => constant(&dense.value),
            Op::Unary(unary @ (Unary::Real | Unary::Imag), _) => {
                let [x] = Self::operands(op)?;
                let part = if *unary == Unary::Real { Part::Real } else { Part::Imag };
                match self.term(x)? {
                    Term::Argument { index, part: Part::Whole, .. } => {
                        Some(Term::Argument { index, part, zeros_equal: false, nans_equal: false })
                    }
                    _ => None,
                }
            }
            Op::Select => self.canonical(op),
            _ => None,
        }
    }

    /// `select(x == 0, 0, key x)` or `select(x != x, NaN, key x)`.
    fn canonical(&mut self, op: &'a Operation) -> Option<Term> {
        let [condition, special, plain] = Self::operands(op)?;
        let (special, key) = (self.term(special)?, self.term(plain)?);
        let Term::Argument { index, part, zeros_equal, nans_equal } = key else { return None };
        let test = self.op(condition)?;
        let Op::Compare { direction, ty: CompareType::Default | CompareType::Float } = test.op else {
            return None;
        };
        let [a, b] = Self::operands(test)?;
        let (a, b) = (self.term(a)?, self.term(b)?);
        let of_key = |t| matches!(t, Term::Argument { index: i, part: p, .. } if i == index && p == part);
        match (special, direction) {
            (Term::Zero, Direction::Eq) if of_key(a) && b == Term::Zero || of_key(b) && a == Term::Zero => {
                Some(Term::Argument { index, part, zeros_equal: true, nans_equal })
            }
            (Term::Nan, Direction::Ne) if of_key(a) && a == b => {
                Some(Term::Argument { index, part, zeros_equal, nans_equal: true })
            }
            _ => None,
        }
    }
}

/// A float zero, or a positive NaN.
fn constant(t: &Tensor) -> Option<Term> {
    if t.len() != 1 {
        return None;
    }
    let x = match t.element() {
        ElementType::F32 => t.as_slice::<f32>()[0].into(),
        ElementType::F64 => t.as_slice::<f64>()[0],
        ElementType::BF16 => t.as_slice::<half::bf16>()[0].to_f64(),
        ElementType::F16 => t.as_slice::<half::f16>()[0].to_f64(),
        _ => return None,
    };
    match x {
        _ if x == 0.0 => Some(Term::Zero),
        _ if x.is_nan() && x.is_sign_positive() => Some(Term::Nan),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CompareType as C;
    use Direction as D;
    use sim_core::ir::FunctionBuilder;
    use sim_core::ir::attr::Dense;
    use sim_core::{Loc, Type};
    use std::sync::Arc;

    const F32: ElementType = ElementType::F32;
    const S32: ElementType = ElementType::S32;

    /// Recognises the comparator that `body` builds on the arguments.
    fn run(types: &[ElementType], body: impl FnOnce(&mut B, &[ValueId]) -> ValueId) -> Option<Vec<SortKey>> {
        let mut b = B(FunctionBuilder::new("f"));
        b.0.open_body(&[]);
        let args = types.iter().flat_map(|&t| [t; 2]).map(|t| (Type::tensor(t, &[]), Loc::Unknown));
        let region = b.0.open_region(args);
        let args = b.0.function().region(region).args.clone();
        let less = body(&mut b, &args);
        b.0.close_region(&[less], Loc::Unknown, Default::default());
        recognise(b.0.function(), region)
    }

    struct B(FunctionBuilder);

    impl B {
        fn op(&mut self, op: Op, operands: &[ValueId], ty: Type) -> ValueId {
            self.0.op(op, operands, ty, &Loc::Unknown)
        }

        fn pred(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
            self.op(op, operands, Type::tensor(ElementType::Pred, &[]))
        }

        fn compare(&mut self, direction: D, ty: C, a: ValueId, b: ValueId) -> ValueId {
            self.pred(Op::Compare { direction, ty }, &[a, b])
        }

        fn constant(&mut self, x: f32) -> ValueId {
            let dense = Arc::new(Dense::new(Tensor::scalar(x)));
            self.op(Op::Constant(dense), &[], Type::tensor(F32, &[]))
        }

        /// JAX's canonical form of a float key.
        fn canonical(&mut self, x: ValueId) -> ValueId {
            let (zero, nan) = (self.constant(0.0), self.constant(f32::NAN));
            let is_zero = self.compare(D::Eq, C::Float, x, zero);
            let y = self.op(Op::Select, &[is_zero, zero, x], Type::tensor(F32, &[]));
            let is_nan = self.compare(D::Ne, C::Float, x, x);
            self.op(Op::Select, &[is_nan, nan, y], Type::tensor(F32, &[]))
        }
    }

    fn key(operand: usize, order: Order, descending: bool) -> SortKey {
        SortKey { operand, part: Part::Whole, order, descending }
    }

    #[test]
    fn single_comparisons() {
        let total = Order::Total { zeros_equal: false, nans_equal: false };
        for (direction, ty, swap, want) in [
            (D::Lt, C::TotalOrder, false, key(0, total, false)),
            (D::Gt, C::TotalOrder, false, key(0, total, true)),
            (D::Lt, C::Default, true, key(0, Order::Partial, true)),
            (D::Gt, C::Float, true, key(0, Order::Partial, false)),
        ] {
            let got = run(&[F32], |b, a| {
                let (x, y) = if swap { (a[1], a[0]) } else { (a[0], a[1]) };
                b.compare(direction, ty, x, y)
            });
            assert_eq!(got, Some(vec![want]));
        }
        let second = run(&[F32, S32], |b, a| b.compare(D::Lt, C::Signed, a[2], a[3]));
        assert_eq!(second, Some(vec![key(1, Order::Integer, false)]));
    }

    #[test]
    fn keys_of_jax() {
        let got = run(&[F32, S32, F32], |b, a| {
            let (x, y) = (b.canonical(a[0]), b.canonical(a[1]));
            let rest = b.compare(D::Lt, C::Signed, a[2], a[3]);
            let lt = b.compare(D::Lt, C::TotalOrder, x, y);
            let eq = b.compare(D::Eq, C::TotalOrder, x, y);
            let and = b.pred(Op::Binary(Binary::And), &[eq, rest]);
            b.pred(Op::Binary(Binary::Or), &[lt, and])
        });
        let canonical = Order::Total { zeros_equal: true, nans_equal: true };
        assert_eq!(got, Some(vec![key(0, canonical, false), key(1, Order::Integer, false)]));
    }

    #[test]
    fn keys_by_select() {
        for flip in [false, true] {
            let got = run(&[S32, S32], |b, a| {
                let lt = b.compare(D::Gt, C::Signed, a[0], a[1]);
                let rest = b.compare(D::Lt, C::Signed, a[2], a[3]);
                let test = b.compare(if flip { D::Ne } else { D::Eq }, C::Signed, a[0], a[1]);
                let (t, f) = if flip { (lt, rest) } else { (rest, lt) };
                b.pred(Op::Select, &[test, t, f])
            });
            assert_eq!(got, Some(vec![key(0, Order::Integer, true), key(1, Order::Integer, false)]));
        }
    }

    #[test]
    fn complex_parts() {
        let got = run(&[ElementType::C64], |b, a| {
            let part = |b: &mut B, x, u| b.op(Op::Unary(u, None), &[x], Type::tensor(F32, &[]));
            let (x, y) = (part(b, a[0], Unary::Real), part(b, a[1], Unary::Real));
            let (u, v) = (part(b, a[0], Unary::Imag), part(b, a[1], Unary::Imag));
            let rest = b.compare(D::Lt, C::TotalOrder, u, v);
            let lt = b.compare(D::Lt, C::TotalOrder, x, y);
            let eq = b.compare(D::Eq, C::TotalOrder, x, y);
            let and = b.pred(Op::Binary(Binary::And), &[rest, eq]);
            b.pred(Op::Binary(Binary::Or), &[and, lt])
        });
        let total = Order::Total { zeros_equal: false, nans_equal: false };
        let of = |part| SortKey { part, ..key(0, total, false) };
        assert_eq!(got, Some(vec![of(Part::Real), of(Part::Imag)]));
    }

    #[test]
    fn other_comparators_are_not_keys() {
        assert_eq!(run(&[F32], |b, a| b.compare(D::Le, C::Float, a[0], a[1])), None);
        assert_eq!(run(&[F32], |b, a| b.compare(D::Lt, C::Float, a[0], a[0])), None);
        assert_eq!(run(&[F32, F32], |b, a| b.compare(D::Lt, C::Float, a[0], a[3])), None);
        let negated = run(&[F32], |b, a| {
            let x = b.op(Op::Unary(Unary::Negate, None), &[a[0]], Type::tensor(F32, &[]));
            b.compare(D::Lt, C::Float, x, a[1])
        });
        assert_eq!(negated, None);
        let other_zero = run(&[F32], |b, a| {
            let (zero, one) = (b.constant(0.0), b.constant(1.0));
            let test = b.compare(D::Eq, C::Float, a[0], zero);
            let x = b.op(Op::Select, &[test, one, a[0]], Type::tensor(F32, &[]));
            b.compare(D::Lt, C::Float, x, a[1])
        });
        assert_eq!(other_zero, None);
        let half_canonical = run(&[F32], |b, a| {
            let x = b.canonical(a[0]);
            b.compare(D::Lt, C::TotalOrder, x, a[1])
        });
        assert_eq!(half_canonical, None);
    }
}
