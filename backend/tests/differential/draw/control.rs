//! Loops, branches and calls.

use super::data::{int_info, int_range, is_float, literal};
use super::{Draw, Info, Known};
use sim_core::ir::module::{RegionId, ValueId};
use sim_core::ir::op::{CompareType, Direction};
use sim_core::ir::{AttrDict, Binary, FunctionBuilder, Op};
use sim_core::{ElementType as E, Loc, Type};

/// Floats that a loop carries are whole and between these.
const CARRIED: f64 = 8.0;

impl Draw {
    pub fn control(&mut self) -> Option<()> {
        match self.rng.below(10) {
            0..5 => self.repeat(),
            5..7 => self.branch(),
            7..9 => self.call(),
            _ => self.barrier(),
        }
    }

    fn barrier(&mut self) -> Option<()> {
        let x = self.find(|_| true)?;
        self.one(Op::OptimizationBarrier, &[&x], x.ty(), x.info).map(|_| ())
    }

    /// Opens a region whose arguments join the pool; [`Draw::leave`] takes them out again.
    fn enter(&mut self, args: &[(Type, Info)]) -> (RegionId, Vec<Known>) {
        let region = self.b.open_region(args.iter().map(|(t, _)| (t.clone(), Loc::Unknown)));
        let ids = self.b.function().region(region).args.clone();
        let known: Vec<Known> = ids
            .iter()
            .zip(args)
            .map(|(&id, (ty, info))| {
                let t = ty.as_tensor().expect("a tensor");
                let dims = t.dims.iter().filter_map(|d| d.as_static()).collect();
                Known { id, element: t.element, dims, info: *info }
            })
            .collect();
        self.pool.extend(known.iter().cloned());
        self.depth += 1;
        (region, known)
    }

    fn leave(&mut self, outside: usize, results: &[ValueId]) -> RegionId {
        self.pool.truncate(outside);
        self.depth -= 1;
        self.b.close_region(results, Loc::Unknown, AttrDict::new())
    }

    fn number(&mut self, element: E, value: f64) -> Option<Known> {
        let info = Info { low: value, high: value, ..int_info(E::Pred, 0.0, 1.0) };
        self.one(literal(element, &[], &[value]), &[], Type::tensor(element, &[]), info)
    }

    /// What holds before, during and after a loop.
    fn invariant(k: &Known) -> Option<Info> {
        if !is_float(k.element) {
            let (low, high) = int_range(k.element);
            return (!k.element.is_complex()).then(|| int_info(k.element, low, high));
        }
        let fits = k.info.exact() && k.info.whole && !k.info.wild && k.info.size() <= CARRIED;
        fits.then(|| Info { low: -CARRIED, high: CARRIED, pristine: false, ..k.info })
    }

    /// A `while` that counts, and carries one to three tensors.
    fn repeat(&mut self) -> Option<()> {
        let trips = self.rng.range(0, 5) as f64;
        let mut carried = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            carried.push(self.find(|k| k.len() <= 100_000 && Draw::invariant(k).is_some())?);
        }
        let mut counter = self.number(E::S32, 0.0)?;
        counter.info = int_info(E::S32, 0.0, trips);
        let all: Vec<Known> = std::iter::once(counter).chain(carried).collect();
        let args: Vec<(Type, Info)> = all
            .iter()
            .enumerate()
            .map(|(i, k)| (k.ty(), if i == 0 { k.info } else { Draw::invariant(k).expect("found so") }))
            .collect();
        let outside = self.pool.len();
        let (_, inner) = self.enter(&args);
        let limit = self.number(E::S32, trips)?;
        let compare = Op::Compare { direction: Direction::Lt, ty: CompareType::Signed };
        let more =
            self.one(compare, &[&inner[0], &limit], Type::tensor(E::Pred, &[]), int_info(E::Pred, 0.0, 1.0))?;
        let cond = self.leave(outside, &[more.id]);

        let (_, inner) = self.enter(&args);
        let wanted = 1 + self.rng.below(5);
        self.operations(wanted);
        let mut results = Vec::new();
        for (k, (_, invariant)) in inner.iter().zip(&args).skip(1) {
            results.push(self.carry(&inner[0], k, *invariant)?.id);
        }
        let one = self.number(E::S32, 1.0)?;
        let next = self.one(Op::Binary(Binary::Add), &[&inner[0], &one], inner[0].ty(), inner[0].info)?;
        results.insert(0, next.id);
        let body = self.leave(outside, &results);
        let operands: Vec<&Known> = all.iter().collect();
        let (types, infos): (Vec<Type>, Vec<Info>) = args.into_iter().unzip();
        self.push(Op::While, &operands, &[cond, body], &types, &infos);
        Some(())
    }

    /// The next trip's value of `k`: something of its type, within the invariant.
    fn carry(&mut self, counter: &Known, k: &Known, invariant: Info) -> Option<Known> {
        if self.rng.chance(25) && k.rank() >= 1 && k.dims[0] >= 1 {
            // A row written in place, at the counter.
            let mut dims = k.dims.clone();
            dims[0] = 1;
            let within = move |i: &Info| {
                !is_float(k.element) || i.exact() && i.whole && !i.wild && i.size() <= CARRIED
            };
            if let Some(update) = self.like(k.element, &dims, within) {
                let zero = self.number(E::S32, 0.0)?;
                let starts: Vec<&Known> =
                    std::iter::once(counter).chain((1..k.rank()).map(|_| &zero)).collect();
                let operands: Vec<&Known> = [k, &update].into_iter().chain(starts).collect();
                return self.one(Op::DynamicUpdateSlice, &operands, k.ty(), invariant);
            }
        }
        let found = self.find(|v| {
            v.element == k.element
                && v.dims == k.dims
                && (!is_float(k.element) || v.info.exact() && v.info.whole && !v.info.wild)
        });
        let Some(found) = found else { return Some(k.clone()) };
        if !is_float(k.element) || found.info.size() <= CARRIED {
            return Some(found);
        }
        let (low, high) = (self.number(k.element, -CARRIED)?, self.number(k.element, CARRIED)?);
        self.one(Op::Clamp, &[&low, &found, &high], k.ty(), invariant)
    }

    /// `if` or `case`.
    fn branch(&mut self) -> Option<()> {
        let (op, chooser, count) = if self.rng.chance(50) {
            (Op::If, self.like(E::Pred, &[], |_| true)?, 2)
        } else {
            (Op::Case, self.like(E::S32, &[], |_| true)?, 1 + self.rng.below(3))
        };
        let models: Vec<Known> =
            (0..1 + self.rng.below(2)).map(|_| self.find(|_| true)).collect::<Option<_>>()?;
        let types: Vec<Type> = models.iter().map(Known::ty).collect();
        let mut infos: Vec<Option<Info>> = vec![None; models.len()];
        let outside = self.pool.len();
        let mut regions = Vec::new();
        for _ in 0..count {
            self.enter(&[]);
            let wanted = self.rng.below(4);
            self.operations(wanted);
            let mut results = Vec::new();
            for (model, info) in models.iter().zip(&mut infos) {
                let k = self.find(|k| k.element == model.element && k.dims == model.dims)?;
                *info = Some(info.map_or(k.info, |i| i.join(k.info)));
                results.push(k.id);
            }
            self.used.extend(&results);
            regions.push(self.leave(outside, &results));
        }
        let infos: Vec<Info> = infos.into_iter().flatten().collect();
        self.push(op, &[&chooser], &regions, &types, &infos);
        Some(())
    }

    /// A function of its own, called once or twice.
    fn call(&mut self) -> Option<()> {
        if self.depth > 0 {
            return None;
        }
        let operands: Vec<Known> =
            (0..1 + self.rng.below(3)).map(|_| self.find(|_| true)).collect::<Option<_>>()?;
        let types: Vec<Type> = operands.iter().map(Known::ty).collect();
        let mut builder = FunctionBuilder::new("helper");
        let args = builder.open_body(&types);
        let outer = std::mem::replace(&mut self.b, builder);
        let inner: Vec<Known> = operands.iter().zip(args).map(|(k, id)| Known { id, ..k.clone() }).collect();
        let pool = std::mem::replace(&mut self.pool, inner);
        let used = std::mem::take(&mut self.used);
        self.depth += 1;
        let wanted = 1 + self.rng.below(5);
        self.operations(wanted);
        self.depth -= 1;
        let count = 1 + self.rng.below(2);
        let results: Vec<Known> = (0..count).filter_map(|_| self.find(|_| true)).collect();
        let ids: Vec<ValueId> = results.iter().map(|k| k.id).collect();
        self.b.close_region(&ids, Loc::Unknown, AttrDict::new());
        let function = std::mem::replace(&mut self.b, outer).finish();
        (self.pool, self.used) = (pool, used);
        let name = self.helper(function);
        let types: Vec<Type> = results.iter().map(Known::ty).collect();
        let infos: Vec<Info> = results.iter().map(|k| k.info).collect();
        let operands: Vec<&Known> = operands.iter().collect();
        for _ in 0..1 + self.rng.below(2) {
            let callee = std::sync::Arc::from(vec![name.clone()]);
            self.push(Op::Call { callee }, &operands, &[], &types, &infos);
        }
        Some(())
    }
}
