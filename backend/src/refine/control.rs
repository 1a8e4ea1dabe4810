//! Branches and loops.

use super::types;
use super::walk::Walk;
use sim_core::ir::infer::infer;
use sim_core::ir::{AttrDict, Op, OpId, Operation, RegionId, Value, ValueDef, ValueId};
use sim_core::{Loc, Result, Span, Tensor, Type};
use smallvec::smallvec;

/// Loop-carried types are made more general at most this often; after that they are the declared.
const MAX_ROUNDS: usize = 3;

impl<'m> Walk<'_, 'm> {
    /// `if`, `case`. A branch that a known number chooses takes the operation's place.
    pub fn branches(&mut self, op: &'m Operation, operands: &[ValueId]) -> Result<Vec<ValueId>> {
        if let Some(chosen) = self.chosen(op, operands) {
            self.spec.descend()?;
            let results = self.operations(chosen);
            self.spec.ascend();
            return results;
        }
        let mut regions = Vec::with_capacity(op.regions.len());
        self.conditional += 1;
        for &r in &op.regions {
            regions.push(self.region(r, &[], &[])?);
        }
        self.conditional -= 1;
        let declared = self.declared(op);
        for i in 0..declared.len() {
            self.agree(&regions, i);
        }
        let signatures: Vec<_> = regions.iter().map(|&r| self.signature(r)).collect();
        let mut results = infer(&op.op, &self.types_of(operands), &signatures)?;
        for (ty, declared) in results.iter_mut().zip(&declared) {
            *ty = types::merge(ty, declared)?;
        }
        Ok(self.push(op.op.clone(), operands, results, &regions, op.attrs.clone(), op))
    }

    /// Branches that give result `i` different shapes: each says no more of it than holds in all.
    fn agree(&mut self, regions: &[RegionId], i: usize) {
        let given: Vec<Type> =
            regions.iter().filter_map(|&r| self.signature(r).results.get(i).cloned()).collect();
        let Some(first) = given.first() else { return };
        let general = given.iter().fold(first.clone(), |a, b| types::generalize(&a, b));
        let plain = general.as_tensor().is_some_and(|t| t.quant.is_none());
        for (&r, ty) in regions.iter().zip(&given) {
            if *ty == general || !plain {
                continue;
            }
            let f = self.b.function_mut();
            let v = f.regions[r.index()].results[i];
            let made_here = match f.value(v).def {
                ValueDef::Result(id, _) => f.region(r).ops.contains(&id),
                ValueDef::Arg(..) => false,
            };
            if made_here {
                f.values[v.index()].ty = general.clone();
                continue;
            }
            // A value from around the branch keeps its type there; here it is passed on as less.
            let (id, new) = (OpId(f.ops.len() as u32), ValueId(f.values.len() as u32));
            f.values.push(Value { ty: general.clone(), def: ValueDef::Result(id, 0), loc: Loc::Unknown });
            f.ops.push(Operation {
                op: Op::Convert,
                operands: smallvec![v],
                results: smallvec![new],
                regions: smallvec![],
                attrs: AttrDict::new(),
                loc: f.region(r).return_loc.clone(),
                span: Span::default(),
            });
            f.regions[r.index()].ops.push(id);
            f.regions[r.index()].results[i] = new;
        }
    }

    /// The branch that runs, if that is known.
    fn chosen(&self, op: &Operation, operands: &[ValueId]) -> Option<RegionId> {
        let value = self.known(*operands.first()?)?;
        let last = op.regions.len().checked_sub(1)?;
        let at = match op.op {
            Op::If => usize::from(*value.bytes().first()? == 0),
            // Out of range takes the last.
            _ => usize::try_from(*value.to_i64s().first()?).map_or(last, |i| i.min(last)),
        };
        op.regions.get(at).copied()
    }

    /// `while`. What the body hands on unchanged is known inside if it is outside; a carried value
    /// whose shape changes from one iteration to the next has no static shape.
    pub fn while_loop(&mut self, op: &'m Operation, operands: &[ValueId]) -> Result<Vec<ValueId>> {
        let (cond, body) = (op.regions[0], op.regions[1]);
        let old = self.f.region(body);
        let known: Vec<Option<Tensor>> = operands
            .iter()
            .enumerate()
            .map(|(i, &v)| {
                let unchanged = old.args.get(i).is_some() && old.args.get(i) == old.results.get(i);
                self.known(v).filter(|_| unchanged).cloned()
            })
            .collect();
        let declared = self.declared(op);
        let mut carried = self.types_of(operands);
        let mut rounds = 0;
        self.conditional += 1;
        let (new_cond, new_body) = loop {
            // What an earlier round made of the regions stays behind in the arena; nobody names it.
            let new_body = self.region(body, &carried, &known)?;
            let made = self.signature(new_body).results;
            let general: Vec<Type> =
                carried.iter().zip(&made).map(|(a, b)| types::generalize(a, b)).collect();
            if general == carried {
                break (self.region(cond, &carried, &known)?, new_body);
            }
            rounds += 1;
            carried = if rounds < MAX_ROUNDS { general } else { general.iter().map(super::forget).collect() };
        };
        self.conditional -= 1;
        for (ty, declared) in carried.iter_mut().zip(&declared) {
            *ty = types::merge(ty, declared)?;
        }
        let out = self.push(Op::While, operands, carried, &[new_cond, new_body], op.attrs.clone(), op);
        for (&v, value) in out.iter().zip(known) {
            self.known.extend(value.map(|t| (v, t)));
        }
        Ok(out)
    }
}
