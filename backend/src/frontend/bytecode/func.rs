//! Functions' bodies: values by number, regions, operations.

use super::container::{self, since};
use super::cursor::{Cursor, span};
use super::ops::{self, Head};
use super::tables::Tables;
use crate::frontend::{mlir, vhlo};
use sim_core::ir::{FunctionBuilder, RegionId, ValueId, generic};
use sim_core::{Diagnostic, Loc, Result, Type};

/// How deep regions may nest.
const MAX_DEPTH: u32 = 256;

/// The values that are visible: those of the regions from the nearest isolated one inwards. A region
/// says how many values it defines; they are numbered on from those around it.
#[derive(Default)]
struct Scope {
    values: Vec<Option<ValueId>>,
    /// Where the next value of each open region goes, and where the region's numbers end.
    open: Vec<(usize, usize)>,
}

impl Scope {
    fn enter(&mut self, n: usize) {
        let first = self.values.len();
        self.values.resize(first + n, None);
        self.open.push((first, first + n));
    }

    fn leave(&mut self, n: usize) {
        self.open.pop();
        self.values.truncate(self.values.len().saturating_sub(n));
    }

    /// False if the region has no number left.
    fn define(&mut self, id: ValueId) -> bool {
        match self.open.last_mut() {
            Some((next, end)) if *next < *end => {
                self.values[*next] = Some(id);
                *next += 1;
                true
            }
            _ => false,
        }
    }
}

/// A function being read.
pub(super) struct Body<'t, 'a> {
    pub t: &'t mut Tables<'a>,
    pub builder: FunctionBuilder,
    scopes: Vec<Scope>,
    depth: u32,
}

/// The cursor of an operation's regions: isolated ones are a section of their own since version 2, so
/// that readers can put them off.
pub(super) fn regions<'a>(t: &Tables<'a>, at: &mut Cursor<'a>, head: &Head) -> Result<Option<Cursor<'a>>> {
    if head.regions == 0 || !head.isolated || t.file.version < since::LAZY_REGIONS {
        return Ok(None);
    }
    let start = at.at();
    let (number, data) = at.section()?;
    if usize::from(number) != container::IR {
        return Err(at.error_at(start, "expected the section of an operation's regions"));
    }
    Ok(Some(data))
}

impl<'t, 'a> Body<'t, 'a> {
    pub fn new(t: &'t mut Tables<'a>) -> Self {
        Body { t, builder: FunctionBuilder::new(""), scopes: Vec::new(), depth: 0 }
    }

    /// The body of a function, if it has one.
    pub fn function(&mut self, at: &mut Cursor<'a>) -> Result<()> {
        let Some(values) = ops::region(at)? else { return Ok(()) };
        self.scopes.push(Scope::default());
        self.block(at, values, true)?;
        self.scopes.pop();
        Ok(())
    }

    fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    fn define(&mut self, id: ValueId, at: &Cursor, start: usize) -> Result<()> {
        if self.scope().define(id) {
            return Ok(());
        }
        Err(at.error_at(start, "the region defines more values than it says it does"))
    }

    fn value(&mut self, n: u64, at: &Cursor, start: usize) -> Result<ValueId> {
        let values = &self.scope().values;
        let i = at.check_index(n, values.len(), start, "the value")?;
        values[i].ok_or_else(|| at.error_at(start, format_args!("value {n} is used before it is defined")))
    }

    /// The only block of a region. `body`: it is the function's.
    fn block(&mut self, at: &mut Cursor<'a>, values: usize, body: bool) -> Result<RegionId> {
        let start = at.at();
        self.scope().enter(values);
        let block = ops::block(self.t, at)?;
        let region = if body {
            let types: Vec<Type> = block.args.iter().map(|(ty, _)| ty.clone()).collect();
            let args = self.builder.open_body(&types);
            for (id, (_, loc)) in args.iter().zip(block.args) {
                self.builder.function_mut().values[id.index()].loc = loc;
            }
            self.builder.function().body.unwrap_or(RegionId(0))
        } else {
            self.builder.open_region(block.args)
        };
        for id in self.builder.function().region(region).args.clone() {
            self.define(id, at, start)?;
        }
        let mut left = block.ops;
        let mut ended = false;
        while left > 0 {
            left -= 1;
            if ended {
                return Err(at.expected("no operation after the terminator"));
            }
            ended = self.operation(at, body)?;
        }
        if !ended {
            return Err(at.error_at(start, "the region ends without a terminator such as `stablehlo.return`"));
        }
        self.scope().leave(values);
        Ok(region)
    }

    /// One operation. True if it was a terminator, which closed the region.
    fn operation(&mut self, at: &mut Cursor<'a>, in_function: bool) -> Result<bool> {
        let mut head = ops::head(self.t, at)?;
        let file = self.t.file;
        let written = &file.ops[head.name].name;
        let here = span(head.start, at.at());
        let context = |e: Diagnostic, loc: &Loc| e.at(here).in_op(written, loc);
        let name = vhlo::upgrade(written, &mut head.attrs, in_function).map_err(|e| context(e, &head.loc))?;
        let operands = head
            .operands
            .iter()
            .map(|&(n, start)| self.value(n, at, start))
            .collect::<Result<Vec<ValueId>>>()
            .map_err(|e| context(e, &head.loc))?;
        if name == vhlo::CAST {
            self.cast(at, &head, &operands)?;
            return Ok(false);
        }
        let regions = self.regions(at, &head, written)?;
        let end = at.at();
        if mlir::is_terminator(&name) {
            if !regions.is_empty() || !head.result_types.is_empty() {
                return Err(at.error_at(head.start, format_args!("{name} has no results and no regions")));
            }
            self.builder.close_region(&operands, head.loc, head.attrs);
            return Ok(true);
        }
        let operand_types: Vec<Type> = operands.iter().map(|&v| self.builder.ty(v).clone()).collect();
        let op =
            generic::from_generic(&name, &mut head.attrs, &operand_types, &head.result_types, regions.len())
                .map_err(|e| context(e, &head.loc))?;
        let id = self.builder.push(
            op,
            &operands,
            head.result_types,
            &regions,
            head.attrs,
            head.loc,
            span(head.start, end),
        );
        for result in self.builder.function().op(id).results.clone() {
            self.define(result, at, head.start)?;
        }
        Ok(false)
    }

    /// A cast between types that are the same once VHLO's are StableHLO's: no operation at all.
    fn cast(&mut self, at: &Cursor<'a>, head: &Head, operands: &[ValueId]) -> Result<()> {
        let same = head.result_types.len() == operands.len()
            && head.result_types.iter().zip(operands).all(|(ty, &v)| self.builder.ty(v) == ty);
        if !same || head.regions != 0 {
            return Err(Diagnostic::unsupported(format!(
                "{} between different types is not supported",
                vhlo::CAST
            ))
            .at(span(head.start, at.at()))
            .in_op(vhlo::CAST, &head.loc));
        }
        operands.iter().try_for_each(|&v| self.define(v, at, head.start))
    }

    fn regions(&mut self, at: &mut Cursor<'a>, head: &Head, written: &str) -> Result<Vec<RegionId>> {
        if head.regions == 0 {
            return Ok(Vec::new());
        }
        if self.depth >= MAX_DEPTH {
            let message = format!("regions nested more than {MAX_DEPTH} levels deep");
            return Err(Diagnostic::unsupported(message)
                .at(span(head.start, at.at()))
                .in_op(written, &head.loc)
                .help("put the inner loops or branches into a function that is called"));
        }
        self.depth += 1;
        if head.isolated {
            self.scopes.push(Scope::default());
        }
        let own = regions(self.t, at, head)?;
        let mut ids = Vec::with_capacity(head.regions);
        let mut data = own.unwrap_or(*at);
        for _ in 0..head.regions {
            let start = data.at();
            let values = ops::region(&mut data)?
                .ok_or_else(|| data.error_at(start, "expected a region with a block"))?;
            ids.push(self.block(&mut data, values, false)?);
        }
        match own {
            Some(_) if !data.is_empty() => return Err(data.expected("the end of the regions")),
            Some(_) => {}
            None => *at = data,
        }
        if head.isolated {
            self.scopes.pop();
        }
        self.depth -= 1;
        Ok(ids)
    }
}
