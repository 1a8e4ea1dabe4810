//! Modules, computations, instructions.

use super::cursor::{Cursor, span};
use super::instruction::instruction;
use super::shape::Shapes;
use super::{header, names};
use rustc_hash::{FxHashMap, FxHashSet};
use sim_core::hlo::{
    Attr, Computation, ComputationId, HloModule, InstructionId, Key, ParameterLayouts, Shape, StackTables,
    Value,
};
use sim_core::{Diagnostic, Result};
use std::sync::Arc;

/// Every module in the text: each `HloModule` header starts one, and so does (with `split`) each
/// `// -----` line. There is at least one.
///
/// # Errors
/// Malformed text or an undefined name, with its place.
pub fn parse_text(text: &str, split: bool) -> Result<Vec<HloModule>> {
    if u32::try_from(text.len()).is_err() {
        return Err(Diagnostic::resource("texts of 4 GiB and more are not read"));
    }
    let mut modules = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = match split {
            true => next_split(text, start).unwrap_or(text.len()),
            false => text.len(),
        };
        let mut c = Cursor::new(&text[..end], start);
        while !c.at_end() {
            modules.push(module(&mut c)?);
        }
        start = end;
        // Past the line of the split.
        start += text[start..].find('\n').map_or(text.len() - start, |i| i + 1);
    }
    if modules.is_empty() {
        return Err(
            Diagnostic::malformed("there is no HLO module in this text").at(span(0, text.len().min(1)))
        );
    }
    Ok(modules)
}

fn next_split(text: &str, from: usize) -> Option<usize> {
    text[from..]
        .match_indices("// -----")
        .map(|(i, _)| from + i)
        .find(|&i| i == 0 || text[..i].ends_with('\n'))
}

/// Names that are used, to be resolved when all are known. What stands in the module until then is
/// the place in `computations`, or (of instructions) in `pending`.
#[derive(Default)]
pub(super) struct Refs<'a> {
    /// Computations by name, with the place of their first use.
    computations: FxHashMap<&'a str, (u32, usize)>,
    /// How many computations there are, those without a name counted.
    count: u32,
    /// Computations written where they are used, with their ids.
    inline: Vec<(u32, Computation)>,
    scope: Scope<'a>,
}

/// Instructions of the computation being read.
#[derive(Default)]
struct Scope<'a> {
    defined: FxHashMap<&'a str, u32>,
    pending: Vec<(&'a str, usize)>,
}

/// Instruction ids from here on are places in [`Refs::pending`].
const PENDING: u32 = 1 << 31;

impl<'a> Refs<'a> {
    fn computation_id(&mut self, name: &'a str, at: usize) -> ComputationId {
        let id = self.computations.entry(name).or_insert((self.count, at)).0;
        self.count = self.count.max(id + 1);
        ComputationId(id)
    }

    /// A name, or `{ … }`: the computation itself.
    pub fn computation(&mut self, c: &mut Cursor<'a>, shapes: &mut Shapes<'a>) -> Result<ComputationId> {
        let at = c.pos;
        if c.peek() == b'{' {
            let outer = std::mem::take(&mut self.scope);
            let body = c.nested(|c| body(c, shapes, self, "_", at))?;
            self.scope = outer;
            let id = self.count;
            self.count += 1;
            self.inline.push((id, body));
            return Ok(ComputationId(id));
        }
        let at = c.pos;
        let name = c.name("the name of a computation")?;
        Ok(self.computation_id(name, at))
    }

    /// The instruction of that name is the one with that number: false where there was one before.
    pub fn define(&mut self, name: &'a str, number: u32) -> bool {
        self.scope.defined.insert(name, number).is_none()
    }

    pub fn instruction(&mut self, c: &mut Cursor<'a>) -> Result<InstructionId> {
        c.skip();
        let at = c.pos;
        let name = c.name("the name of an instruction")?;
        if let Some(&id) = self.scope.defined.get(name) {
            return Ok(InstructionId(id));
        }
        self.scope.pending.push((name, at));
        Ok(InstructionId(PENDING + self.scope.pending.len() as u32 - 1))
    }
}

fn module<'a>(c: &mut Cursor<'a>) -> Result<HloModule> {
    let mut shapes = Shapes::default();
    let mut refs = Refs::default();
    let (mut name, mut attrs, mut tables) = (None, Vec::new(), StackTables::default());
    if at_header(c) {
        c.expect_str("HloModule")?;
        let (given, said) = header::header(c, &mut shapes, &mut refs)?;
        (name, attrs) = (Some(given), said);
        tables = header::tables(c)?;
    }
    let mut found: Vec<(u32, Computation)> = Vec::new();
    let mut defined = FxHashSet::default();
    let mut entry = None;
    while !c.at_end() && !at_header(c) {
        let start = c.pos;
        let is_entry = c.eat_str("ENTRY");
        let (id, computation) = computation(c, &mut shapes, &mut refs)?;
        if !defined.insert(id) {
            return Err(c.error(start, format!("computation `{}` is defined twice", computation.name)));
        }
        if is_entry && entry.is_some() {
            return Err(c.error(start, "a module has one ENTRY"));
        }
        found.append(&mut refs.inline);
        if is_entry {
            entry = Some(found.len());
        }
        found.push((id, computation));
    }
    if found.is_empty() {
        return Err(c.expected("a computation, as `ENTRY main { … }`"));
    }
    let entry = ComputationId(entry.unwrap_or(found.len() - 1) as u32);
    let computations = resolve(c, found, &refs)?;
    // As XLA calls a module without a header.
    let name = name.unwrap_or_else(|| format!("module_{}", computations[entry.0 as usize].name).into());
    let mut module = HloModule { name, attrs, tables, computations, entry };
    names::make_unique(&mut module);
    if module.attr(&Key::EntryComputationLayout).is_none() {
        let layouts = entry_layout(&module);
        module
            .attrs
            .push(Attr { key: Key::EntryComputationLayout, value: Value::Layouts(Box::new(layouts)) });
    }
    Ok(module)
}

fn at_header(c: &mut Cursor) -> bool {
    c.skip();
    c.text[c.pos..].strip_prefix("HloModule").is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '\r']))
}

/// What the entry's own shapes say.
fn entry_layout(module: &HloModule) -> ParameterLayouts {
    let entry = module.entry();
    ParameterLayouts {
        parameters: entry
            .parameters()
            .into_iter()
            .flatten()
            .map(|id| entry.instruction(id).shape.clone())
            .collect(),
        result: entry.root().shape.clone(),
    }
}

/// Ids by first use become places in the module.
fn resolve(c: &Cursor, found: Vec<(u32, Computation)>, refs: &Refs) -> Result<Vec<Computation>> {
    let mut place = vec![None; refs.count as usize];
    for (i, (id, _)) in found.iter().enumerate() {
        place[*id as usize] = Some(i as u32);
    }
    let missing = refs.computations.iter().filter(|(_, (id, _))| place[*id as usize].is_none());
    if let Some((name, (_, at))) = missing.min_by_key(|(_, (_, at))| *at) {
        return Err(Diagnostic::malformed(format!("computation `{name}` is not defined"))
            .at(span(*at, (at + name.len()).min(c.text.len()))));
    }
    let of = |id: ComputationId| ComputationId(place[id.0 as usize].unwrap_or_default());
    let mut computations: Vec<Computation> = found.into_iter().map(|(_, c)| c).collect();
    for attr in computations.iter_mut().flat_map(|c| &mut c.instructions).flat_map(|i| &mut i.attrs) {
        match &mut attr.value {
            Value::Computation(id) => *id = of(*id),
            Value::Computations(ids) => ids.iter_mut().for_each(|id| *id = of(*id)),
            _ => {}
        }
    }
    Ok(computations)
}

/// `%name (p: shape, …) -> shape { … }`
fn computation<'a>(
    c: &mut Cursor<'a>,
    shapes: &mut Shapes<'a>,
    refs: &mut Refs<'a>,
) -> Result<(u32, Computation)> {
    c.skip();
    let start = c.pos;
    let name = c.name("a computation's name")?;
    let id = refs.computation_id(name, start);
    refs.scope = Scope::default();
    let signature = (c.peek() == b'(').then(|| signature(c, shapes)).transpose()?;
    let mut computation = body(c, shapes, refs, name, start)?;
    if let Some(result) = signature
        && !result.same_type(&computation.root().shape)
    {
        return Err(c
            .error(start, format!("computation `{name}` returns another shape than its signature says"))
            .note("the ROOT instruction gives the shape"));
    }
    while c.eat(b',') {
        let start = c.pos;
        match c.word("an attribute of the computation")? {
            "execution_thread" => {
                c.expect(b'=')?;
                computation.execution_thread = Some(c.string()?);
            }
            other => return Err(c.error(start, format!("`{other}` is no attribute of a computation"))),
        }
    }
    Ok((id.0, computation))
}

/// `{ instructions }`, the part of a computation that is always there.
fn body<'a>(
    c: &mut Cursor<'a>,
    shapes: &mut Shapes<'a>,
    refs: &mut Refs<'a>,
    name: &str,
    start: usize,
) -> Result<Computation> {
    c.expect(b'{')?;
    let mut computation = Computation {
        name: name.into(),
        instructions: Vec::new(),
        root: InstructionId(0),
        execution_thread: None,
        span: span(start, c.pos),
    };
    let mut root = None;
    while !c.eat(b'}') {
        let at = c.pos;
        let back = c.pos;
        let is_root = c.eat_str("ROOT") && matches!(c.here(), b' ' | b'\t' | b'%');
        if !is_root {
            c.pos = back;
        }
        let instruction = instruction(c, shapes, refs, &mut computation.instructions)?;
        if is_root && root.replace(InstructionId(computation.instructions.len() as u32)).is_some() {
            return Err(c.error(at, "a computation has one ROOT"));
        }
        computation.instructions.push(instruction);
    }
    let Some(last) = computation.instructions.len().checked_sub(1) else {
        return Err(c.error(start, format!("computation `{name}` has no instructions")));
    };
    computation.root = root.unwrap_or(InstructionId(last as u32));
    forward_references(&mut computation, &refs.scope)?;
    Ok(computation)
}

/// Resolves the operands that were used before they were defined.
fn forward_references(computation: &mut Computation, refs: &Scope) -> Result<()> {
    if refs.pending.is_empty() {
        return Ok(());
    }
    let mut found = Vec::with_capacity(refs.pending.len());
    for &(name, at) in &refs.pending {
        match refs.defined.get(name) {
            Some(&id) => found.push(InstructionId(id)),
            None => {
                return Err(Diagnostic::malformed(format!(
                    "instruction `{name}` is not defined in computation `{}`",
                    computation.name
                ))
                .at(span(at, at + name.len())));
            }
        }
    }
    let fix = |id: &mut InstructionId| {
        if id.0 >= PENDING {
            *id = found[(id.0 - PENDING) as usize];
        }
    };
    for i in &mut computation.instructions {
        i.operands.iter_mut().for_each(fix);
        for a in &mut i.attrs {
            if let Value::Instructions(ids) = &mut a.value {
                ids.iter_mut().for_each(fix);
            }
        }
    }
    Ok(())
}

/// `(x: f32[2], y: f32[]) -> f32[2]`: gives the result.
fn signature<'a>(c: &mut Cursor<'a>, shapes: &mut Shapes<'a>) -> Result<Arc<Shape>> {
    c.list(b'(', b')', |c| {
        c.name("a parameter's name")?;
        c.expect(b':')?;
        shapes.parse(c)?;
        Ok(())
    })?;
    c.expect_str("->")?;
    shapes.parse(c)
}
