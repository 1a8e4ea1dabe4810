//! One computation while it is built.

use super::attrs::Attrs;
use super::captures::{defining, is_cheap, is_constant};
use super::{
    Exporter, collective, compute, contraction, control, custom_call, elementwise, invalid, metadata,
    movement, reduction, shapes, unsupported,
};
use rustc_hash::FxHashMap;
use sim_core::hlo::{
    Computation, ComputationId, Instruction, InstructionId, Key, Metadata, Opcode, Shape, Value,
};
use sim_core::ir::module::{OpId, RegionId, ValueId};
use sim_core::ir::{Function, Op, Operation};
use sim_core::{Diagnostic, Result, TensorType, Type};
use std::sync::Arc;

/// Regions in regions: no compiler writes them this deep, and each is a call of this module's functions.
const DEEPEST: u32 = 200;

/// Where a value is.
#[derive(Clone, Copy)]
enum Place {
    At(InstructionId),
    /// An element of a tuple, not taken out yet.
    Element(InstructionId, i64),
}

pub struct Lower<'e, 'm> {
    pub exporter: &'e mut Exporter<'m>,
    pub f: &'m Function,
    instructions: Vec<Instruction>,
    values: FxHashMap<ValueId, Place>,
    /// Computations of `reduce`, `sort`, … have no operands beside their arguments: what else they use
    /// must be cheap to make anew.
    closed: bool,
    depth: u32,
    /// Of the operation at hand.
    metadata: Option<Box<Metadata>>,
    span: sim_core::Span,
}

impl<'e, 'm> Lower<'e, 'm> {
    fn new(exporter: &'e mut Exporter<'m>, f: &'m Function, closed: bool, depth: u32) -> Self {
        Lower {
            exporter,
            f,
            instructions: Vec::new(),
            values: FxHashMap::default(),
            closed,
            depth,
            metadata: None,
            span: f.span,
        }
    }

    /// A function: a parameter for each argument, the result or a tuple of them.
    pub fn function(exporter: &'e mut Exporter<'m>, f: &'m Function) -> Result<ComputationId> {
        let at = |e: Diagnostic| e.at(f.span);
        let Some(body) = f.body else {
            return Err(at(Diagnostic::invalid(format!("function `@{}` has no body", f.name))));
        };
        let mut b = Lower::new(exporter, f, false, 0);
        for (n, &arg) in f.region(body).args.iter().enumerate() {
            let id = b.parameter(n, shapes::shape(f.ty(arg)).map_err(at)?, &format!("Arg_{n}"));
            if let Some(attrs) = f.arg_attrs.get(n) {
                b.instructions[n].attrs = super::header::of_argument(attrs, &b.exporter.module.meshes);
            }
            b.values.insert(arg, Place::At(id));
        }
        let root = b.region_ops(body)?;
        let root = b.packed(&root);
        Ok(b.finish(&f.name, root))
    }

    /// A region whose computation takes each argument as a parameter, and nothing else.
    pub fn closed_region(&mut self, op: &Operation, n: usize) -> Result<ComputationId> {
        let region = self.nth_region(op, n)?;
        let f = self.f;
        let mut b = self.inner(op, true)?;
        for (n, &arg) in f.region(region).args.iter().enumerate() {
            let id = b.parameter(n, shapes::shape(f.ty(arg))?, &format!("Arg_{n}"));
            b.values.insert(arg, Place::At(id));
        }
        let root = b.region_ops(region)?;
        let root = b.packed(&root);
        Ok(b.finish("region", root))
    }

    /// As [`Self::closed_region`], under a name of its own.
    pub fn named_region(&mut self, op: &Operation, n: usize, name: &str) -> Result<ComputationId> {
        let id = self.closed_region(op, n)?;
        self.exporter.computations[id.0 as usize].name = name.into();
        Ok(id)
    }

    /// A region whose computation takes one parameter: its arguments and what it captures, as a tuple
    /// unless that is one value. `passed` is returned after the region's own results.
    pub fn open_region(
        &mut self,
        op: &Operation,
        n: usize,
        captured: &[ValueId],
        passed: &[ValueId],
    ) -> Result<ComputationId> {
        let region = self.nth_region(op, n)?;
        let f = self.f;
        let args: Vec<ValueId> = f.region(region).args.iter().chain(captured).copied().collect();
        let mut b = self.inner(op, false)?;
        match args[..] {
            [only] => {
                let id = b.parameter(0, shapes::shape(f.ty(only))?, "Arg_0");
                b.values.insert(only, Place::At(id));
            }
            _ => {
                let parts = args.iter().map(|&v| shapes::shape(f.ty(v))).collect::<Result<_>>()?;
                let id = b.parameter(0, Arc::new(Shape::Tuple(parts)), "arg_tuple");
                for (k, &arg) in args.iter().enumerate() {
                    b.values.insert(arg, Place::Element(id, k as i64));
                }
            }
        }
        let mut roots = b.region_ops(region)?;
        for &v in passed {
            roots.push(b.value(op, v)?);
        }
        let root = b.packed(&roots);
        Ok(b.finish("region", root))
    }

    fn inner(&mut self, op: &Operation, closed: bool) -> Result<Lower<'_, 'm>> {
        if self.depth >= DEEPEST {
            return Err(unsupported(op, format!("regions nest deeper than {DEEPEST}")));
        }
        Ok(Lower::new(self.exporter, self.f, closed, self.depth + 1))
    }

    pub fn nth_region(&self, op: &Operation, n: usize) -> Result<RegionId> {
        op.regions.get(n).copied().ok_or_else(|| invalid(op, format!("region {n} is missing")))
    }

    fn parameter(&mut self, n: usize, shape: Arc<Shape>, name: &str) -> InstructionId {
        let id = self.emit(Opcode::Parameter, shape, &[], Attrs::new());
        let i = &mut self.instructions[id.0 as usize];
        i.parameter_number = Some(n as i64);
        i.name = name.into();
        id
    }

    /// Everything in a region; the instructions of what it returns.
    fn region_ops(&mut self, region: RegionId) -> Result<Vec<InstructionId>> {
        let f = self.f;
        for &id in &f.region(region).ops {
            self.operation(id)?;
        }
        let last = f.region(region).ops.last().map(|&id| f.op(id));
        f.region(region)
            .results
            .iter()
            .map(|&v| match last {
                Some(op) => self.value(op, v),
                None => {
                    self.value_or(v, || Diagnostic::unsupported("a region returns a value from outside it"))
                }
            })
            .collect()
    }

    fn operation(&mut self, id: OpId) -> Result<()> {
        let f = self.f;
        let op = f.op(id);
        // Where it is used, if it is, and in each computation that uses it.
        if matches!(op.op, Op::Constant(_)) {
            return Ok(());
        }
        self.at(op);
        let before = self.instructions.len();
        let place = |e: Diagnostic| e.in_op(op.name(), &op.loc).at(op.span);
        for family in [
            elementwise::export,
            movement::export,
            compute::export,
            contraction::export,
            reduction::export,
            control::export,
            collective::export,
            custom_call::export,
        ] {
            if let Some(id) = family(self, op).map_err(place)? {
                // An operation that is nothing in HLO has its operand's instruction.
                if id.0 as usize >= before {
                    let meshes = &self.exporter.module.meshes;
                    super::header::of_operation(
                        &op.attrs,
                        meshes,
                        &mut self.instructions[id.0 as usize].attrs,
                    );
                }
                self.bind(op, id);
                return Ok(());
            }
        }
        Err(unsupported(op, format!("HLO has no operation for `{}`", op.name())).help(help(op)))
    }

    /// Instructions from here on come from this operation.
    fn at(&mut self, op: &Operation) {
        self.metadata = metadata::of(&op.loc);
        self.span = op.span;
    }

    fn bind(&mut self, op: &Operation, id: InstructionId) {
        match op.results[..] {
            [first, ..] if self.values.contains_key(&first) => {} // By `bind_each`.
            [only] => {
                self.values.insert(only, Place::At(id));
            }
            _ => {
                for (n, &v) in op.results.iter().enumerate() {
                    self.values.insert(v, Place::Element(id, n as i64));
                }
            }
        }
    }

    /// Several results that are not elements of one tuple.
    pub fn bind_each(&mut self, op: &Operation, ids: &[InstructionId]) {
        for (&v, &id) in op.results.iter().zip(ids) {
            self.values.insert(v, Place::At(id));
        }
    }

    /// The instruction of a value, as an operand of `op`.
    pub fn value(&mut self, op: &Operation, v: ValueId) -> Result<InstructionId> {
        self.value_or(v, || {
            unsupported(op, "a value from outside of its region, which HLO's computation has no operand for")
                .help("compute it inside, of constants")
        })
    }

    fn value_or(&mut self, v: ValueId, missing: impl FnOnce() -> Diagnostic) -> Result<InstructionId> {
        match self.values.get(&v) {
            Some(&Place::At(id)) => Ok(id),
            Some(&Place::Element(tuple, n)) => {
                let id = self.element(tuple, n)?;
                self.values.insert(v, Place::At(id));
                Ok(id)
            }
            None => {
                let f = self.f;
                let again = is_constant(f, v) || self.closed && is_cheap(f, v, 8);
                let Some(op) = defining(f, v).filter(|_| again) else { return Err(missing()) };
                let (metadata, span) = (self.metadata.take(), self.span);
                self.at(op);
                for &inner in &op.operands {
                    self.value(op, inner)?;
                }
                let id = match compute::export(self, op)? {
                    Some(id) => id,
                    None => match movement::export(self, op)? {
                        Some(id) => id,
                        None => elementwise::export(self, op)?.ok_or_else(missing)?,
                    },
                };
                (self.metadata, self.span) = (metadata, span);
                self.values.insert(v, Place::At(id));
                Ok(id)
            }
        }
    }

    pub fn operands(&mut self, op: &Operation) -> Result<Vec<InstructionId>> {
        op.operands.iter().map(|&v| self.value(op, v)).collect()
    }

    pub fn operand(&mut self, op: &Operation, n: usize) -> Result<InstructionId> {
        match op.operands.get(n) {
            Some(&v) => self.value(op, v),
            None => Err(invalid(op, format!("operand {n} is missing"))),
        }
    }

    pub fn operand_type(&self, op: &Operation, n: usize) -> Result<&'m TensorType> {
        let v = op.operands.get(n).ok_or_else(|| invalid(op, format!("operand {n} is missing")))?;
        self.f.ty(*v).as_tensor().ok_or_else(|| invalid(op, format!("operand {n} is no tensor")))
    }

    pub fn result_type(&self, op: &Operation, n: usize) -> Result<&'m Type> {
        let v = op.results.get(n).ok_or_else(|| invalid(op, format!("result {n} is missing")))?;
        Ok(self.f.ty(*v))
    }

    /// The shape of all results: a tuple unless there is one.
    pub fn result_shape(&self, op: &Operation) -> Result<Arc<Shape>> {
        let mut shapes: Vec<_> =
            op.results.iter().map(|&v| shapes::shape(self.f.ty(v))).collect::<Result<_>>()?;
        Ok(match shapes.len() {
            1 => shapes.remove(0),
            _ => Arc::new(Shape::Tuple(shapes)),
        })
    }

    /// An instruction with all operands and results of an operation.
    pub fn plain(&mut self, op: &Operation, opcode: Opcode, attrs: Attrs) -> Result<Option<InstructionId>> {
        let operands = self.operands(op)?;
        let shape = self.result_shape(op)?;
        Ok(Some(self.emit(opcode, shape, &operands, attrs)))
    }

    pub fn emit(
        &mut self,
        opcode: Opcode,
        shape: Arc<Shape>,
        operands: &[InstructionId],
        attrs: Attrs,
    ) -> InstructionId {
        let id = InstructionId(self.instructions.len() as u32);
        self.instructions.push(Instruction {
            attrs: attrs.into(),
            metadata: self.metadata.clone(),
            span: self.span,
            ..Instruction::new(opcode.name().into(), opcode, shape, operands)
        });
        id
    }

    pub fn instruction(&mut self, id: InstructionId) -> &mut Instruction {
        &mut self.instructions[id.0 as usize]
    }

    pub fn shape_of(&self, id: InstructionId) -> Arc<Shape> {
        self.instructions[id.0 as usize].shape.clone()
    }

    /// Element `n` of a tuple.
    pub fn element(&mut self, tuple: InstructionId, n: i64) -> Result<InstructionId> {
        let shape = match self.instructions[tuple.0 as usize].shape.as_tuple() {
            Some(parts) => parts.get(n as usize).cloned(),
            None => None,
        };
        let shape = shape.ok_or_else(|| Diagnostic::invalid(format!("a tuple has no element {n}")))?;
        Ok(self.emit(Opcode::GetTupleElement, shape, &[tuple], Attrs::new().with(Key::Index, Value::Int(n))))
    }

    /// A tuple of these, or the one itself.
    pub fn packed(&mut self, parts: &[InstructionId]) -> InstructionId {
        match parts {
            [only] => *only,
            _ => self.tuple(parts),
        }
    }

    pub fn tuple(&mut self, parts: &[InstructionId]) -> InstructionId {
        let shapes = parts.iter().map(|&p| self.shape_of(p)).collect();
        self.emit(Opcode::Tuple, Arc::new(Shape::Tuple(shapes)), parts, Attrs::new())
    }

    fn finish(self, name: &str, root: InstructionId) -> ComputationId {
        let id = ComputationId(self.exporter.computations.len() as u32);
        self.exporter.computations.push(Computation {
            name: name.into(),
            instructions: self.instructions,
            root,
            execution_thread: None,
            span: self.f.span,
        });
        id
    }
}

fn help(op: &Operation) -> &'static str {
    match op.name() {
        name if name.contains("dynamic") => "give the shapes with `--shape`, so that they are known",
        name if name.starts_with("chlo.") => {
            "lower it first (`stablehlo-opt --chlo-legalize-to-stablehlo`, or JAX without CHLO)"
        }
        _ => "write the program as StableHLO",
    }
}
