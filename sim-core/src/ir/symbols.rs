//! What symbols name: the functions, meshes and nested modules of a module, indexed once, so that
//! looking up a callee does not depend on how many functions there are.

use crate::diag::{Diagnostic, Result};
use crate::ir::module::{Function, Mesh, Module};
use std::collections::HashMap;
use std::sync::Arc;

/// Modules nest no deeper than this.
const MAX_NESTING: usize = 64;

/// The index of a module and of the modules in it.
#[derive(Debug, Default)]
pub struct Symbols<'m> {
    tables: Vec<Table<'m>>,
    functions: Vec<(usize, &'m Function)>,
}

#[derive(Debug, Default)]
struct Table<'m> {
    parent: Option<usize>,
    functions: HashMap<&'m str, usize>,
    modules: HashMap<&'m str, usize>,
    meshes: HashMap<&'m str, &'m Mesh>,
}

/// A place in the nest of modules, from which symbols are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'m> {
    symbols: &'m Symbols<'m>,
    table: usize,
}

impl<'m> Symbols<'m> {
    /// # Errors
    /// Kind `Invalid` when a name is defined twice in one module or modules nest too deeply.
    pub fn new(module: &'m Module) -> Result<Self> {
        let mut symbols = Symbols::default();
        let mut todo = vec![(module, None, 0)];
        while let Some((module, parent, depth)) = todo.pop() {
            if depth > MAX_NESTING {
                return Err(Diagnostic::invalid(format!("modules nest deeper than {MAX_NESTING}")));
            }
            let id = symbols.tables.len();
            let mut table = Table { parent, ..Table::default() };
            for f in &module.functions {
                if table.functions.insert(&f.name, symbols.functions.len()).is_some() {
                    return Err(redefined(&f.name).in_op("func.func", &f.loc).at(f.span));
                }
                symbols.functions.push((id, f));
            }
            for mesh in &module.meshes {
                if table.meshes.insert(&mesh.name, mesh).is_some()
                    || table.functions.contains_key(&*mesh.name)
                {
                    return Err(redefined(&mesh.name).in_op("sdy.mesh", &mesh.loc));
                }
            }
            if let Some(parent) = parent
                && let Some(name) = &module.name
            {
                let outer: &mut Table = &mut symbols.tables[parent];
                if outer.modules.insert(name, id).is_some()
                    || outer.functions.contains_key(&**name)
                    || outer.meshes.contains_key(&**name)
                {
                    return Err(redefined(name).in_op("builtin.module", &module.loc));
                }
            }
            symbols.tables.push(table);
            todo.extend(module.modules.iter().map(|m| (m, Some(id), depth + 1)));
        }
        Ok(symbols)
    }

    /// Every function, with the scope of the module it stands in. Its place is the function's number.
    pub fn functions(&self) -> impl Iterator<Item = (Scope<'_>, &'m Function)> {
        self.functions.iter().map(|&(table, f)| (Scope { symbols: self, table }, f))
    }
}

fn redefined(name: &str) -> Diagnostic {
    Diagnostic::invalid(format!("symbol @{name} is defined twice"))
}

impl<'m> Scope<'m> {
    /// The function that a path names and its number: in the module at hand, else in those around it.
    pub fn function(self, path: &[Arc<str>]) -> Option<(usize, &'m Function)> {
        let (last, modules) = path.split_last()?;
        let mut from = Some(self.table);
        while let Some(table) = from {
            let inner = modules
                .iter()
                .try_fold(table, |t, name| self.symbols.tables[t].modules.get(&**name).copied());
            if let Some(&i) = inner.and_then(|t| self.symbols.tables[t].functions.get(&**last)) {
                return Some((i, self.symbols.functions[i].1));
            }
            from = self.symbols.tables[table].parent;
        }
        None
    }

    /// The mesh of that name, likewise.
    pub fn mesh(self, name: &str) -> Option<&'m Mesh> {
        let mut from = Some(self.table);
        while let Some(table) = from {
            if let Some(mesh) = self.symbols.tables[table].meshes.get(name) {
                return Some(mesh);
            }
            from = self.symbols.tables[table].parent;
        }
        None
    }
}

/// `@a::@b`
pub fn show_path(path: &[Arc<str>]) -> String {
    path.iter().map(|p| format!("@{p}")).collect::<Vec<_>>().join("::")
}
