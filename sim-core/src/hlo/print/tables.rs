//! The stack tables in the order in which XLA rebuilds them: by first use.

use crate::hlo::module::{FileLocation, HloModule, StackFrame, StackTables};
use std::collections::HashMap;
use std::sync::Arc;

/// The tables of what the instructions refer to, and the new number of each old frame (both from 1;
/// 0 for a frame that nobody uses or that is not in the tables).
pub fn by_use(module: &HloModule) -> (StackTables, Vec<i64>) {
    let mut new = Rebuilt {
        old: &module.tables,
        tables: StackTables::default(),
        frames: vec![0; module.tables.frames.len() + 1],
        locations: HashMap::new(),
        files: HashMap::new(),
        functions: HashMap::new(),
    };
    for i in module.computations.iter().flat_map(|c| &c.instructions) {
        if let Some(m) = &i.metadata {
            new.frame(m.stack_frame_id);
        }
    }
    (new.tables, new.frames)
}

struct Rebuilt<'a> {
    old: &'a StackTables,
    tables: StackTables,
    frames: Vec<i64>,
    locations: HashMap<i64, i64>,
    files: HashMap<i64, i64>,
    functions: HashMap<i64, i64>,
}

impl Rebuilt<'_> {
    /// The frames around it first. Without recursion: a file decides how many there are.
    fn frame(&mut self, id: i64) {
        let row = |id: i64| {
            usize::try_from(id.saturating_sub(1))
                .ok()
                .filter(|_| id > 0)
                .and_then(|i| self.old.frames.get(i))
                .copied()
        };
        let mut chain: Vec<(i64, StackFrame)> = Vec::new();
        let mut at = id;
        while let Some(f) = row(at)
            && self.frames[at as usize] == 0
        {
            // Marked at once, so that a cycle ends; its number follows below.
            self.frames[at as usize] = -1;
            chain.push((at, f));
            at = f.parent_frame_id.saturating_sub(1);
        }
        for (id, f) in chain.into_iter().rev() {
            let number = self.tables.frames.len() as i64 + 1;
            self.frames[id as usize] = number;
            let parent = usize::try_from(f.parent_frame_id.saturating_sub(1))
                .ok()
                .and_then(|p| self.frames.get(p))
                .copied();
            let file_location_id = self.location(f.file_location_id);
            let parent_frame_id = parent.unwrap_or(0).max(0) + 1;
            self.tables.frames.push(StackFrame { file_location_id, parent_frame_id });
        }
    }

    fn location(&mut self, id: i64) -> i64 {
        if let Some(&known) = self.locations.get(&id) {
            return known;
        }
        let old = usize::try_from(id.saturating_sub(1))
            .ok()
            .filter(|_| id > 0)
            .and_then(|i| self.old.locations.get(i))
            .copied();
        let old = old.unwrap_or_default();
        let name = |table: &[Arc<str>], new: &mut Vec<Arc<str>>, known: &mut HashMap<i64, i64>, id: i64| {
            *known.entry(id).or_insert_with(|| {
                let text = usize::try_from(id.saturating_sub(1))
                    .ok()
                    .filter(|_| id > 0)
                    .and_then(|i| table.get(i))
                    .cloned();
                new.push(text.unwrap_or_else(|| "".into()));
                new.len() as i64
            })
        };
        let file_name_id =
            name(&self.old.file_names, &mut self.tables.file_names, &mut self.files, old.file_name_id);
        let function_name_id = name(
            &self.old.function_names,
            &mut self.tables.function_names,
            &mut self.functions,
            old.function_name_id,
        );
        self.tables.locations.push(FileLocation { file_name_id, function_name_id, ..old });
        let number = self.tables.locations.len() as i64;
        self.locations.insert(id, number);
        number
    }
}
