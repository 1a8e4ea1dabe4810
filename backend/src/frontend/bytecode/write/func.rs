//! Functions' bodies: values by number, regions, operations; the inverse of
//! [`func`](super::super::func).
//!
//! In a portable artifact operations are VHLO's and so are the types of values. Operations of other
//! dialects keep the types that they have, so casts stand before their operands and after their results
//! and the arguments of their regions, as StableHLO's own writer puts them.

use super::bytes::Bytes;
use super::ops::{Head, is_registered};
use super::tables::Ref;
use super::{World, Writer};
use crate::frontend::bytecode::container::since;
use crate::frontend::vhlo::{self, Shape};
use sim_core::ir::generic::to_generic;
use sim_core::ir::{AttrDict, Function, Op, OpId, Operation, RegionId, ValueId};
use sim_core::{Diagnostic, Loc, Result};

/// How deep regions may nest: what the reader takes.
const MAX_DEPTH: u32 = 256;

/// A function being written.
pub struct Body<'w, 'm> {
    w: &'w mut Writer,
    f: &'m Function,
    /// The number of each value, where its definition has been written; of casts, that of VHLO's type.
    numbers: Vec<u64>,
    /// The number after those of all open regions' values.
    top: u64,
    /// The number of the next value of the innermost open region.
    next: u64,
    depth: u32,
}

/// Whose region it is.
#[derive(Clone, Copy, PartialEq)]
enum Parent {
    Function,
    /// An operation in the encoding of the file; is it Shardy's?
    Own {
        shardy: bool,
    },
    /// One of another dialect: arguments need casts; if it is Shardy's, returned values too.
    Foreign {
        shardy: bool,
    },
}

impl<'w, 'm> Body<'w, 'm> {
    pub fn new(w: &'w mut Writer, f: &'m Function) -> Body<'w, 'm> {
        Body { w, f, numbers: vec![0; f.values.len()], top: 0, next: 0, depth: 0 }
    }

    pub fn function(&mut self, region: RegionId, out: &mut Bytes) -> Result<()> {
        self.region(region, Parent::Function, out)
    }

    fn is_portable(&self) -> bool {
        self.w.target().is_some()
    }

    /// Of another dialect, in a portable artifact?
    fn is_foreign(&self, op: &Operation) -> bool {
        self.is_portable() && !vhlo::is_known(op.name())
    }

    /// Values that a region defines itself: arguments, results, casts.
    fn count(&self, region: RegionId, parent: Parent) -> usize {
        let region = self.f.region(region);
        let casts = match parent {
            Parent::Foreign { shardy } => region.args.len() + if shardy { region.results.len() } else { 0 },
            _ => 0,
        };
        let ops = region.ops.iter().map(|&op| self.f.op(op));
        let of = |op: &Operation| match self.is_foreign(op) {
            true => op.operands.len() + 2 * op.results.len(),
            false => op.results.len(),
        };
        region.args.len() + casts + ops.map(of).sum::<usize>()
    }

    fn define(&mut self, value: ValueId) -> u64 {
        self.numbers[value.index()] = self.next;
        self.next += 1;
        self.next - 1
    }

    fn operands(&self, values: &[ValueId]) -> Vec<u64> {
        values.iter().map(|v| self.numbers[v.index()]).collect()
    }

    fn region(&mut self, id: RegionId, parent: Parent, out: &mut Bytes) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            return Err(Diagnostic::unsupported(format!("regions nested more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        let f = self.f;
        let region = f.region(id);
        let values = self.count(id, parent);
        let outer = (self.top, self.next);
        self.next = self.top;
        self.top += values as u64;
        out.varint(1);
        out.count(values);
        let foreign = matches!(parent, Parent::Foreign { .. });
        let shardy = parent == Parent::Foreign { shardy: true };
        let casts =
            (if foreign { region.args.len() } else { 0 }) + (if shardy { region.results.len() } else { 0 });
        let foreign_ops = region.ops.iter().map(|&op| f.op(op)).filter(|op| self.is_foreign(op));
        let more: usize = foreign_ops.map(|op| op.operands.len() + op.results.len()).sum();
        out.with_flag((region.ops.len() + 1 + casts + more) as u64, !region.args.is_empty());
        let world = if self.is_portable() && !foreign { World::Vhlo } else { World::Builtin };
        self.arguments(&region.args, world, out)?;
        if foreign {
            self.casts_in(&region.args, out)?;
        }
        for &op in &region.ops {
            let operation = f.op(op);
            self.operation(op, out)
                .map_err(|e| e.at(operation.span).in_op(operation.name(), &operation.loc))?;
        }
        let name = match (parent, self.is_portable()) {
            (Parent::Foreign { shardy: true } | Parent::Own { shardy: true }, _) => "sdy.return",
            (_, true) => "vhlo.return_v1",
            (Parent::Function, false) => "func.return",
            (_, false) => "stablehlo.return",
        };
        let operands = match shardy {
            true => self.casts_out(&region.results, &region.return_loc, out)?,
            false => self.operands(&region.results),
        };
        let mut head = Head::new(name, &region.return_loc);
        self.attributes(&mut head, &region.return_attrs)?;
        head.operands = operands;
        self.w.head(&head, out);
        (self.top, self.next) = outer;
        self.depth -= 1;
        Ok(())
    }

    /// Attributes that no definition names.
    fn attributes(&mut self, head: &mut Head, attrs: &AttrDict) -> Result<()> {
        head.location = Some(self.w.loc(head.loc)?);
        if !attrs.is_empty() {
            let world = if head.name.starts_with("vhlo.") { World::Vhlo } else { World::Builtin };
            head.attrs = Some(self.w.dict(attrs.iter(), world)?);
        }
        Ok(())
    }

    fn arguments(&mut self, args: &[ValueId], world: World, out: &mut Bytes) -> Result<()> {
        if args.is_empty() {
            return Ok(());
        }
        out.count(args.len());
        for &arg in args {
            let f = self.f;
            let value = f.value(arg);
            let ty = self.w.value_type(&value.ty, world)?;
            if self.w.version >= since::ELIDED_LOCATIONS {
                out.with_flag(ty.number, !value.loc.is_unknown());
                if !value.loc.is_unknown() {
                    out.varint(self.w.loc(&value.loc)?.number);
                }
            } else {
                out.varint(ty.number);
                out.varint(self.w.loc(&value.loc)?.number);
            }
            self.define(arg);
        }
        if self.w.version >= since::USE_LIST_ORDERS {
            out.byte(0);
        }
        Ok(())
    }

    fn value_types(&mut self, values: &[ValueId], world: World) -> Result<Vec<Ref>> {
        let f = self.f;
        values.iter().map(|&v| self.w.value_type(f.ty(v), world)).collect()
    }

    fn cast(&mut self, from: u64, to: Ref, loc: &Loc, out: &mut Bytes) -> Result<()> {
        let mut head = Head::new(vhlo::CAST, loc);
        head.location = Some(self.w.loc(loc)?);
        head.operands = vec![from];
        head.results = vec![to];
        self.w.head(&head, out);
        Ok(())
    }

    /// Values of another dialect's operation, to VHLO's types.
    fn casts_in(&mut self, values: &[ValueId], out: &mut Bytes) -> Result<()> {
        for &value in values {
            let to = self.w.value_type(self.f.ty(value), World::Vhlo)?;
            self.cast(self.numbers[value.index()], to, &Loc::Unknown, out)?;
            self.define(value);
        }
        Ok(())
    }

    /// Values to the types that another dialect's operation takes. Gives the numbers.
    fn casts_out(&mut self, values: &[ValueId], loc: &Loc, out: &mut Bytes) -> Result<Vec<u64>> {
        let mut numbers = Vec::with_capacity(values.len());
        for &value in values {
            let to = self.w.ty(self.f.ty(value), World::Builtin)?;
            self.cast(self.numbers[value.index()], to, loc, out)?;
            numbers.push(self.next);
            self.next += 1;
        }
        Ok(numbers)
    }

    /// The attributes of an operation that is written as it is.
    fn own_attributes(&mut self, head: &mut Head<'m>, op: &'m Operation, mut own: AttrDict) -> Result<()> {
        let name = op.name();
        if self.w.version >= since::PROPERTIES && !is_registered(name) {
            // Properties of operations that nobody knows are a dictionary.
            self.attributes(head, &op.attrs)?;
            if !own.is_empty() {
                let mut bytes = Bytes::default();
                bytes.varint(self.w.dict(own.iter(), World::Builtin)?.number);
                head.properties = Some(self.w.tables.properties.add(&bytes.0));
            }
            return Ok(());
        }
        if matches!(op.op, Op::Cholesky { lower: false }) {
            // What is so without it.
            own.take("lower");
        }
        own.0.extend(op.attrs.0.iter().cloned());
        let world = if name.starts_with("chlo.") { World::Chlo } else { World::Builtin };
        self.w.by_definition(head, &own, world)
    }

    fn operation(&mut self, id: OpId, out: &mut Bytes) -> Result<()> {
        let f = self.f;
        let op = f.op(id);
        let own = to_generic(&op.op, op.operands.len(), op.results.len());
        let foreign = self.is_foreign(op);
        let lowered;
        let mut head;
        let parent;
        match self.w.target().filter(|_| !foreign) {
            Some(target) => {
                let types = |values: &[ValueId]| values.iter().map(|&v| f.ty(v)).collect::<Vec<_>>();
                let (operands, results) = (types(&op.operands), types(&op.results));
                let shape = Shape { operands: &operands, results: &results, regions: op.regions.len() };
                lowered = vhlo::downgrade(op.name(), own, op.attrs.clone(), &shape, target)?;
                head = Head::new(lowered.name, &op.loc);
                self.w.lowered(&mut head, &lowered, target)?;
                head.results = self.value_types(&op.results, World::Vhlo)?;
                head.operands = self.operands(&op.operands);
                parent = Parent::Own { shardy: false };
            }
            None => {
                head = Head::new(op.name(), &op.loc);
                self.own_attributes(&mut head, op, own)?;
                head.results = self.w.types(op.results.iter().map(|&v| f.ty(v)), World::Builtin)?;
                head.operands = match foreign {
                    true => self.casts_out(&op.operands, &op.loc, out)?,
                    false => self.operands(&op.operands),
                };
                let shardy = is_shardy(&op.op);
                head.isolated = shardy;
                parent = if foreign { Parent::Foreign { shardy } } else { Parent::Own { shardy } };
            }
        }
        head.regions = op.regions.len();
        self.w.head(&head, out);
        // An operation's results are numbered before the values in its regions, which see none of them.
        let mut regions = Bytes::default();
        let isolated = head.isolated;
        let results_at = self.next;
        if isolated {
            let outer = (self.top, self.next);
            (self.top, self.next) = (0, 0);
            for &region in &op.regions {
                self.region(region, parent, &mut regions)?;
            }
            (self.top, self.next) = outer;
            self.w.isolated_regions(out, regions);
        } else {
            for &region in &op.regions {
                self.region(region, parent, out)?;
            }
        }
        debug_assert_eq!(results_at, self.next);
        for &result in &op.results {
            self.define(result);
        }
        if foreign {
            self.casts_in(&op.results, out)?;
        }
        Ok(())
    }
}

/// An operation whose region sees no values from around and ends with `sdy.return`.
fn is_shardy(op: &Op) -> bool {
    matches!(op, Op::SdyManualComputation | Op::SdyNamedComputation { .. })
}
