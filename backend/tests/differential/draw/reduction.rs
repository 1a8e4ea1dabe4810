//! Reductions, windows, cumulative sums.

use super::data::{int_info, int_range, is_float, literal};
use super::elementwise::float_info;
use super::{Draw, Info, Known, MAX_ELEMENTS};
use sim_core::ir::infer::{RegionSig, infer};
use sim_core::ir::module::{RegionId, ValueId};
use sim_core::ir::op::{CompareType, Direction, Window};
use sim_core::ir::{AttrDict, Binary, Op, Unary};
use sim_core::{ElementType as E, Loc, Type};

/// XLA:CPU (jaxlib 0.12) drops NaN in a maximum or minimum of more elements than this.
const FORGETS_NAN: f64 = 4096.0;

/// From about so many elements on, XLA:CPU computes a maximum or minimum of 8-bit integers, and the arithmetic around
/// it, in another library (`__ynn_fusion`), whose sums saturate.
const SATURATES: usize = 4096;

impl Draw {
    pub fn reduction(&mut self) -> Option<()> {
        match self.rng.below(10) {
            0..5 => self.reduce(),
            5 => self.arg_max(),
            6 | 7 => self.window(false),
            8 => self.window(true),
            _ => self.top_k(),
        }
    }

    /// A region of scalars: `build` gets its arguments.
    pub fn scalar_region(
        &mut self,
        args: &[E],
        build: impl FnOnce(&mut Self, &[ValueId]) -> Vec<ValueId>,
    ) -> RegionId {
        let region = self.b.open_region(args.iter().map(|&e| (Type::tensor(e, &[]), Loc::Unknown)));
        let args = self.b.function().region(region).args.clone();
        let results = build(self, &args);
        self.b.close_region(&results, Loc::Unknown, AttrDict::new())
    }

    /// An operation on scalars, in a region.
    pub fn scalar(&mut self, op: Op, operands: &[ValueId], element: E) -> ValueId {
        self.b.op(op, operands, Type::tensor(element, &[]), &Loc::Unknown)
    }

    pub fn body(&mut self, op: Binary, element: E) -> RegionId {
        self.scalar_region(&[element, element], |d, a| vec![d.scalar(Op::Binary(op), a, element)])
    }

    /// A reduction of `n` elements a result: the operation, its neutral element, what is known after.
    pub fn combine(&mut self, x: &Known, n: f64, scatter: bool) -> Option<(Binary, f64, Info)> {
        use Binary as B;
        let (e, i) = (x.element, x.info);
        if is_float(e) || e.is_complex() {
            let ops = [B::Add, B::Add, B::Maximum, B::Minimum, B::Multiply];
            let op = if e.is_complex() { B::Add } else { *self.rng.pick(&ops) };
            if i.wild && (!matches!(op, B::Maximum | B::Minimum) || !i.exact()) {
                return None;
            }
            // Of one element XLA makes the element itself, whatever the initial value.
            if i.wild && (n > FORGETS_NAN || n <= 1.0) {
                return None;
            }
            let n = n.max(1.0);
            let sum = n * i.size();
            let largest = float_largest(e);
            return match op {
                B::Add => {
                    let whole = i.whole && i.exact();
                    let rounding = if whole { 0.0 } else { n * sum * super::data::rounding(e) };
                    let (low, high) = ((n * i.low).min(0.0), (n * i.high).max(0.0));
                    Some((op, 0.0, float_info(e, low, high, n * i.error + rounding, whole)?))
                }
                B::Multiply if i.whole && i.exact() => {
                    let size = i.size().max(1.0).powf(n + f64::from(u8::from(scatter)));
                    Some((op, 1.0, float_info(e, -size, size, 0.0, true)?))
                }
                // The neutral element shows where nothing is reduced.
                B::Maximum => Some((op, -largest, Info { low: -largest, pristine: false, ..i })),
                B::Minimum => Some((op, largest, Info { high: largest, pristine: false, ..i })),
                _ => None,
            };
        }
        let (min, max) = int_range(e);
        let exact = |v: f64| v.abs() < 2f64.powi(53);
        let op =
            *self.rng.pick(&[B::Add, B::Add, B::Multiply, B::Maximum, B::Minimum, B::And, B::Or, B::Xor]);
        let (neutral, info) = match op {
            B::Add if e != E::Pred => (0.0, int_info(e, (n * i.low).min(0.0), (n * i.high).max(0.0))),
            B::Maximum if exact(min) => (min, int_info(e, min, i.high)),
            B::Minimum if exact(max) => (max, int_info(e, i.low, max)),
            B::Multiply if e != E::Pred => (1.0, int_info(e, min, max)),
            B::And if e.is_signed() => (-1.0, int_info(e, min, max)),
            B::And if exact(max) => (max, int_info(e, min, max)),
            B::Or | B::Xor => (0.0, int_info(e, min, max)),
            _ => return None,
        };
        Some((op, neutral, info))
    }

    fn neutral(&mut self, element: E, value: f64) -> Option<Known> {
        let values = if element.is_complex() { vec![value, value] } else { vec![value] };
        let info = Info { low: value, high: value, ..int_info(E::Pred, 0.0, 1.0) };
        self.one(literal(element, &[], &values), &[], Type::tensor(element, &[]), info)
    }

    fn reduced_dims(&mut self, x: &Known) -> Vec<i64> {
        let mut dims = self.rng.permutation(x.rank());
        dims.truncate(1 + self.rng.below(x.rank()));
        dims.sort_unstable();
        dims
    }

    fn reduce(&mut self) -> Option<()> {
        let x = self.find(|k| k.rank() >= 1)?;
        let dims = self.reduced_dims(&x);
        let n = dims.iter().map(|&d| x.dims[d as usize] as f64).product();
        let (op, neutral, info) = self.combine(&x, n, false)?;
        let extreme = matches!(op, Binary::Maximum | Binary::Minimum);
        if extreme && matches!(x.element, E::S8 | E::U8) && x.len() >= SATURATES {
            return None;
        }
        let init = self.neutral(x.element, neutral)?;
        let body = self.body(op, x.element);
        self.with_region(Op::Reduce { dims }, &[&x, &init], &[body], &[info])
    }

    /// Appends an operation with regions, its result types inferred.
    pub fn with_region(
        &mut self,
        op: Op,
        operands: &[&Known],
        regions: &[RegionId],
        infos: &[Info],
    ) -> Option<()> {
        let types: Vec<Type> = operands.iter().map(|k| k.ty()).collect();
        let f = self.b.function();
        let signatures: Vec<RegionSig> = regions
            .iter()
            .map(|&r| RegionSig {
                args: f.region(r).args.iter().map(|&v| f.ty(v).clone()).collect(),
                results: f.region_result_types(r),
            })
            .collect();
        let results = infer(&op, &types, &signatures)
            .unwrap_or_else(|e| panic!("{}: {e}; operands {types:?}", op.name()));
        let large =
            |t: &Type| t.as_tensor().and_then(|t| t.num_elements()).is_none_or(|n| n > MAX_ELEMENTS as u64);
        if results.iter().any(large) {
            return None;
        }
        self.push(op, operands, regions, &results, infos);
        Some(())
    }

    /// The largest element and its place, as JAX writes it.
    fn arg_max(&mut self) -> Option<()> {
        let x = self
            .find(|k| k.rank() >= 1 && k.info.exact() && !k.element.is_complex() && k.element != E::Pred)?;
        let e = x.element;
        let dim = self.rng.below(x.rank()) as i64;
        let places = int_info(E::S32, 0.0, x.dims[dim as usize] as f64);
        let iota = self.one(Op::Iota { dim }, &[], Type::tensor(E::S32, &x.dims), places)?;
        let largest = self.rng.chance(50);
        let (min, max) = if is_float(e) { (f64::NEG_INFINITY, f64::INFINITY) } else { int_range(e) };
        if max.is_finite() && max >= 2f64.powi(60) || e == E::F8E4M3FN {
            return None;
        }
        let (init, zero) = (self.neutral(e, if largest { min } else { max })?, self.neutral(E::S32, 0.0)?);
        let ty = if is_float(e) {
            CompareType::Float
        } else if e.is_signed() {
            CompareType::Signed
        } else {
            CompareType::Unsigned
        };
        let body = self.scalar_region(&[e, E::S32, e, E::S32], |d, a| {
            let direction = if largest { Direction::Gt } else { Direction::Lt };
            let compare = |direction, ty| Op::Compare { direction, ty };
            let better = d.scalar(compare(direction, ty), &[a[0], a[2]], E::Pred);
            let nan = d.scalar(compare(Direction::Ne, ty), &[a[0], a[0]], E::Pred);
            let wins = d.scalar(Op::Binary(Binary::Or), &[better, nan], E::Pred);
            let tie = d.scalar(compare(Direction::Eq, ty), &[a[0], a[2]], E::Pred);
            let first = d.scalar(compare(Direction::Lt, CompareType::Signed), &[a[1], a[3]], E::Pred);
            let earlier = d.scalar(Op::Binary(Binary::And), &[tie, first], E::Pred);
            let place = d.scalar(Op::Binary(Binary::Or), &[wins, earlier], E::Pred);
            vec![
                d.scalar(Op::Select, &[wins, a[0], a[2]], e),
                d.scalar(Op::Select, &[place, a[1], a[3]], E::S32),
            ]
        });
        // Beside infinity, the neutral element, nothing is known to be finite.
        let value = Info {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            wild: true,
            pristine: false,
            whole: false,
            ..x.info
        };
        let value = if is_float(e) { value } else { int_info(e, int_range(e).0, int_range(e).1) };
        self.with_region(
            Op::Reduce { dims: vec![dim] },
            &[&x, &iota, &init, &zero],
            &[body],
            &[value, places],
        )
    }

    /// `reduce_window`; `cumulative`: over all elements before.
    fn window(&mut self, cumulative: bool) -> Option<()> {
        let x = self.find(|k| k.rank() >= 1 && k.len() <= 20_000)?;
        let rank = x.rank();
        let mut w = Window {
            dimensions: vec![1; rank],
            strides: vec![1; rank],
            base_dilations: vec![1; rank],
            window_dilations: vec![1; rank],
            padding: vec![(0, 0); rank],
        };
        if cumulative {
            let d = self.rng.below(rank);
            let n = x.dims[d];
            if n == 0 || n > 400 {
                return None;
            }
            w.dimensions[d] = n;
            w.padding[d] = if self.rng.chance(50) { (n - 1, 0) } else { (0, n - 1) };
        } else {
            for d in 0..rank {
                if self.rng.chance(60) {
                    w.dimensions[d] = self.rng.range(1, 3);
                    w.strides[d] = self.rng.range(1, 3);
                    w.padding[d] = (self.rng.range(0, 2), self.rng.range(0, 2));
                    w.window_dilations[d] = if self.rng.chance(20) { 2 } else { 1 };
                    w.base_dilations[d] = if self.rng.chance(15) { 2 } else { 1 };
                }
            }
        }
        let n = w.dimensions.iter().map(|&d| d as f64).product();
        let (op, neutral, info) = self.combine(&x, n, false)?;
        let init = self.neutral(x.element, neutral)?;
        let body = self.body(op, x.element);
        self.with_region(Op::ReduceWindow(w), &[&x, &init], &[body], &[info])
    }

    fn top_k(&mut self) -> Option<()> {
        let x = self.find(|k| {
            k.rank() >= 1 && k.info.exact() && !k.info.wild && matches!(k.element, E::F32 | E::S32 | E::BF16)
        })?;
        let k = self.rng.range(0, *x.dims.last()?);
        let mut dims = x.dims.clone();
        *dims.last_mut()? = k;
        let types = [Type::tensor(x.element, &dims), Type::tensor(E::S32, &dims)];
        let places = int_info(E::S32, 0.0, *x.dims.last()? as f64);
        // -0 and 0 may be told apart: only whole numbers without it.
        if is_float(x.element) && x.info.low <= 0.0 {
            let one = self.one(
                Op::Unary(Unary::Abs, None),
                &[&x],
                x.ty(),
                Info { low: 0.0, high: x.info.size(), pristine: false, ..x.info },
            )?;
            self.push(Op::TopK { k, stable: None }, &[&one], &[], &types, &[one.info, places]);
            return Some(());
        }
        self.push(Op::TopK { k, stable: None }, &[&x], &[], &types, &[x.info, places]);
        Some(())
    }
}

/// A float that nothing here exceeds, in every type.
fn float_largest(element: E) -> f64 {
    match element {
        E::F8E4M3FN => 448.0,
        E::F8E5M2 => 49152.0,
        E::F16 => 65504.0,
        _ => f64::INFINITY,
    }
}
