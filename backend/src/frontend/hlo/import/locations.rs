//! `metadata` and the stack tables as locations.

use super::types;
use sim_core::hlo::{Computation, HloModule, Instruction};
use sim_core::ir::Function;
use sim_core::loc::LocData;
use sim_core::{Loc, Result};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub struct Locations<'a> {
    hlo: &'a HloModule,
    frames: RefCell<HashMap<i64, Loc>>,
}

impl<'a> Locations<'a> {
    pub fn new(hlo: &'a HloModule) -> Self {
        Locations { hlo, frames: RefCell::new(HashMap::new()) }
    }

    /// `op_name`, around the source line or the stack frame.
    pub fn of(&self, i: &Instruction) -> Loc {
        let Some(m) = &i.metadata else { return Loc::Unknown };
        let place = match &m.source_file {
            Some(file) => Loc::new(LocData::File {
                file: file.clone(),
                line: clamp(m.source_line),
                col: clamp(m.source_column),
                end: None,
            }),
            None => self.frame(m.stack_frame_id),
        };
        match &m.op_name {
            Some(name) => Loc::new(LocData::Name { name: name.clone(), child: place }),
            None => place,
        }
    }

    fn frame(&self, id: i64) -> Loc {
        if let Some(known) = self.frames.borrow().get(&id) {
            return known.clone();
        }
        let t = &self.hlo.tables;
        fn row<T>(table: &[T], id: i64) -> Option<&T> {
            usize::try_from(id).ok()?.checked_sub(1).and_then(|i| table.get(i))
        }
        // The innermost frame is where the operation is: it is what people look for.
        let loc = row(&t.frames, id)
            .and_then(|f| row(&t.locations, f.file_location_id))
            .map(|l| {
                let file = row(&t.file_names, l.file_name_id).cloned().unwrap_or_else(|| "?".into());
                let end = (l.end_line > 0).then(|| (clamp(l.end_line), clamp(l.end_column)));
                Loc::new(LocData::File { file, line: clamp(l.line), col: clamp(l.column), end })
            })
            .unwrap_or_default();
        self.frames.borrow_mut().insert(id, loc.clone());
        loc
    }
}

/// Calls the arguments of the entry what `op_name` calls its parameters: JAX writes the Python argument
/// there (`x`, `params['w']`). Where two have one name, as with frameworks that write something else, none has.
///
/// # Errors
/// A shape that has no type.
pub fn name_parameters(computation: &Computation, function: &mut Function) -> Result<()> {
    let mut names: Vec<Option<Arc<str>>> = Vec::new();
    for id in computation.parameters().into_iter().flatten() {
        let i = computation.instruction(id);
        let mut leaves = Vec::new();
        types::leaves(&i.shape, &mut leaves)?;
        let name = i.metadata.as_ref().and_then(|m| m.op_name.clone()).filter(|n| !n.is_empty());
        match i.shape.as_array() {
            Some(_) => names.push(name),
            None => names.extend(leaves.iter().map(|_| None)),
        }
    }
    let mut seen = HashSet::new();
    if !names.iter().flatten().all(|n| seen.insert(n.clone())) {
        return Ok(());
    }
    let Some(body) = function.body else { return Ok(()) };
    let arguments = function.region(body).args.clone();
    for (argument, name) in arguments.into_iter().zip(names) {
        if let (Some(name), Some(value)) = (name, function.values.get_mut(argument.0 as usize)) {
            value.loc = Loc::new(LocData::Name { name, child: Loc::Unknown });
        }
    }
    Ok(())
}

fn clamp(n: i64) -> u32 {
    u32::try_from(n).unwrap_or(0)
}
