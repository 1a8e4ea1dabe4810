//! One function, copied operation by operation with what is known of the shapes.

use super::functions::Specializer;
use super::types;
use sim_core::ir::infer::RegionSig;
use sim_core::ir::symbols::Scope;
use sim_core::ir::{AttrDict, Function, FunctionBuilder, Op, OpId, Operation, RegionId, ValueId};
use sim_core::{Diagnostic, Result, Span, Tensor, Type};
use std::collections::HashMap;

/// The copy of `f` that is being made. Values of `f` are called old, those of the copy new.
pub struct Walk<'s, 'm> {
    pub spec: &'s mut Specializer<'m>,
    pub scope: Scope<'m>,
    pub f: &'m Function,
    pub b: FunctionBuilder,
    /// Old to new.
    pub map: Vec<Option<ValueId>>,
    /// New values that are constants.
    pub known: HashMap<ValueId, Tensor>,
    /// Branches and loops that we are inside of: what is there may never run.
    pub conditional: usize,
}

impl<'m> Walk<'_, 'm> {
    /// The new value for an old one.
    pub fn new_value(&self, old: ValueId) -> Result<ValueId> {
        self.map[old.index()].ok_or_else(|| Diagnostic::invalid("a value is used before it is defined"))
    }

    pub fn new_values(&self, old: &[ValueId]) -> Result<Vec<ValueId>> {
        old.iter().map(|&v| self.new_value(v)).collect()
    }

    pub fn types_of(&self, new: &[ValueId]) -> Vec<Type> {
        new.iter().map(|&v| self.b.ty(v).clone()).collect()
    }

    pub fn declared(&self, op: &Operation) -> Vec<Type> {
        op.results.iter().map(|&v| self.f.ty(v).clone()).collect()
    }

    /// Copies the operations of a region, whose arguments are mapped already, to where the builder is;
    /// gives what the region returns.
    pub fn operations(&mut self, region: RegionId) -> Result<Vec<ValueId>> {
        let f = self.f;
        for &id in &f.region(region).ops {
            let op = f.op(id);
            let results = self.operation(op).map_err(|e| {
                let e = e.in_op(op.name(), &op.loc);
                if op.span == Span::default() { e } else { e.at(op.span) }
            })?;
            for (&old, new) in op.results.iter().zip(results) {
                self.map[old.index()] = Some(new);
            }
        }
        self.new_values(&f.region(region).results)
    }

    /// Copies a region, with arguments of these types.
    pub fn region(&mut self, region: RegionId, args: &[Type], known: &[Option<Tensor>]) -> Result<RegionId> {
        let f = self.f;
        let old = f.region(region);
        let new_args = args.iter().zip(&old.args).map(|(ty, &v)| (ty.clone(), f.value(v).loc.clone()));
        let new = self.b.open_region(new_args.collect::<Vec<_>>());
        let new_args = self.b.function().region(new).args.clone();
        for (i, (&old, &new)) in old.args.iter().zip(&new_args).enumerate() {
            self.map[old.index()] = Some(new);
            if let Some(Some(value)) = known.get(i) {
                self.known.insert(new, value.clone());
            }
        }
        self.spec.descend()?;
        let results = self.operations(region)?;
        self.spec.ascend();
        self.b.close_region(&results, old.return_loc.clone(), old.return_attrs.clone());
        Ok(new)
    }

    pub fn signature(&self, region: RegionId) -> RegionSig {
        let r = self.b.function().region(region);
        RegionSig { args: self.types_of(&r.args), results: self.types_of(&r.results) }
    }

    /// Appends an operation at the place of `source`; gives its results.
    pub fn push(
        &mut self,
        op: Op,
        operands: &[ValueId],
        results: Vec<Type>,
        regions: &[RegionId],
        attrs: AttrDict,
        source: &Operation,
    ) -> Vec<ValueId> {
        let id: OpId = self.b.push(op, operands, results, regions, attrs, source.loc.clone(), source.span);
        self.b.function().op(id).results.to_vec()
    }

    /// The new values of one old operation's results.
    fn operation(&mut self, op: &'m Operation) -> Result<Vec<ValueId>> {
        self.spec.spend()?;
        let operands = self.new_values(&op.operands)?;
        match &op.op {
            Op::Constant(dense) => {
                let out = self.push(op.op.clone(), &[], self.declared(op), &[], op.attrs.clone(), op);
                self.note_constant(out[0], dense)?;
                Ok(out)
            }
            Op::If | Op::Case => self.branches(op, &operands),
            Op::While => self.while_loop(op, &operands),
            Op::Call { callee } => self.call(op, callee, &operands),
            Op::Composite { .. } | Op::RunParallel { .. } => self.named(op, &operands),
            Op::CustomCall(call) => self.custom_call(op, call, &operands),
            Op::GetDimensionSize { dim } => self.dimension_size(op, *dim, &operands),
            _ => self.plain(op, &operands),
        }
    }

    /// An operation that needs no more than its types.
    fn plain(&mut self, op: &'m Operation, operands: &[ValueId]) -> Result<Vec<ValueId>> {
        if let Some(results) = self.moving_slice(op, operands)? {
            return Ok(results);
        }
        if let Some(results) = self.within_bounds(op, operands)? {
            return Ok(results);
        }
        let declared = self.declared(op);
        if let Some(r) = self.static_form(op, operands, &declared)? {
            if let Some(constants) = self.fold(&r.op, op, &r.operands, &r.results)? {
                return Ok(constants);
            }
            return Ok(self.push(r.op, &r.operands, r.results, &[], op.attrs.clone(), op));
        }
        let operand_types = self.types_of(operands);
        let regions = self.plain_regions(op, &operand_types)?;
        let signatures: Vec<RegionSig> = regions.iter().map(|&r| self.signature(r)).collect();
        let results = match (&op.op, operands) {
            (Op::Rng(_), [_, _, shape]) => self.random(*shape, &declared)?,
            _ => types::results(&op.op, &operand_types, &signatures, &declared)?,
        };
        if let Some(constants) = self.fold(&op.op, op, operands, &results)? {
            return Ok(constants);
        }
        Ok(self.push(op.op.clone(), operands, results, &regions, op.attrs.clone(), op))
    }

    /// Regions that take scalars take what they took; some take the operands.
    fn plain_regions(&mut self, op: &'m Operation, operands: &[Type]) -> Result<Vec<RegionId>> {
        let mut regions = Vec::with_capacity(op.regions.len());
        for &r in &op.regions {
            let args: Vec<Type> = match op.op {
                Op::AsyncStart | Op::SdyNamedComputation { .. } => operands.to_vec(),
                _ => self.f.region(r).args.iter().map(|&v| self.f.ty(v).clone()).collect(),
            };
            self.conditional += 1;
            regions.push(self.region(r, &args, &[])?);
            self.conditional -= 1;
        }
        Ok(regions)
    }

    fn dimension_size(&mut self, op: &Operation, dim: i64, operands: &[ValueId]) -> Result<Vec<ValueId>> {
        let size = usize::try_from(dim)
            .ok()
            .and_then(|d| self.b.ty(operands[0]).as_tensor()?.dims.get(d)?.as_static())
            .and_then(|n| i32::try_from(n).ok());
        Ok(match size {
            Some(n) => vec![self.constant(Tensor::scalar(n), op)],
            None => self.push(op.op.clone(), operands, self.declared(op), &[], op.attrs.clone(), op),
        })
    }

    fn random(&self, shape: ValueId, declared: &[Type]) -> Result<Vec<Type>> {
        let Some(numbers) = self.numbers(shape) else { return Ok(declared.to_vec()) };
        let mut out = declared.to_vec();
        if let [Type::Tensor(t)] = &mut out[..] {
            let dims = super::statics::sizes(&numbers)?;
            let shaped = sim_core::TensorType { dims, ..(**t).clone() }.into();
            out = vec![types::merge(&shaped, &declared[0])?];
        }
        Ok(out)
    }
}
