//! The road from a module to something that runs, when only values are wanted.
//!
//! 1. [`inline`] copies small and once-called functions into their callers, so that fusion sees
//!    through JAX's many little helper functions;
//! 2. [`rows`] cuts chains between products into blocks of rows, where a wide value between them
//!    would be made whole (the scores of attention);
//! 3. `masked` tells products which of their rows a mask keeps;
//! 4. [`steps`] orders what is live and finds where each value dies, so that kernels may write over
//!    an operand nobody needs any more (a tensor moved into its last user is its only owner);
//! 5. [`fuse`] gathers elementwise operations into regions that run tile by tile in cache;
//! 6. `join` spares the slices that are only made to be concatenated.
//!
//! A [`Program`] is independent of any chip and of the inputs' values, and is run many times.

pub mod access;
pub mod emit;
pub mod fuse;
pub mod inline;
mod join;
pub mod lanes;
mod masked;
pub mod rows;
pub mod steps;

use sim_core::ir::{Function, Module, RegionId, ValueId};
use sim_core::{Diagnostic, Numerics, Result};
use std::collections::HashMap;
use std::sync::Arc;
use steps::BlockPlan;

/// What the planner may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanOptions {
    /// Gather elementwise operations into programs of these numerics. `None`: every operation is a
    /// step of its own (`--check-nans`).
    pub fuse: Option<Numerics>,
    /// Run chains between products in blocks of rows, where that saves much memory. Only together with
    /// `fuse`.
    pub rows: bool,
}

/// A module, ready to run from `entry`.
pub struct Program {
    pub functions: Vec<FunctionPlan>,
    pub entry: usize,
    by_path: HashMap<Vec<Arc<str>>, usize>,
    pub module: Arc<Module>,
}

/// One function's steps, block by block.
pub struct FunctionPlan {
    pub function: Function,
    /// By [`RegionId`].
    pub blocks: Vec<BlockPlan>,
    /// By [`RegionId`]: the values that the region, or one inside of it, uses from around it.
    pub captured: Vec<Vec<ValueId>>,
}

impl FunctionPlan {
    pub fn block(&self, region: RegionId) -> &BlockPlan {
        &self.blocks[region.index()]
    }
}

impl Program {
    /// Of no functions: for operations by themselves.
    pub(crate) fn empty() -> Program {
        Program { functions: Vec::new(), entry: 0, by_path: HashMap::new(), module: Arc::default() }
    }

    /// Plans every function that `entry` (a symbol path; `None` for the module's own entry) reaches.
    ///
    /// # Errors
    /// No such function; a call to an unknown or bodiless function; recursion.
    pub fn new(module: Arc<Module>, entry: Option<&str>, options: PlanOptions) -> Result<Program> {
        let entry_path: Vec<Arc<str>> = match entry {
            Some(name) => name.split("::").map(|s| s.trim_start_matches('@').into()).collect(),
            None => vec![
                module
                    .entry()
                    .ok_or_else(|| {
                        if module.functions.is_empty() {
                            return Diagnostic::invalid("the module has no functions");
                        }
                        Diagnostic::invalid("the module has no function @main and more than one candidate")
                            .note(format!("functions: {}", names(&module)))
                            .help("choose one with --entry NAME")
                    })?
                    .name
                    .clone(),
            ],
        };
        let mut program =
            Program { functions: Vec::new(), entry: 0, by_path: HashMap::new(), module: module.clone() };
        let mut budget = inline::MAX_GROWTH;
        let mut queue = vec![entry_path];
        while let Some(path) = queue.pop() {
            if program.by_path.contains_key(&path) {
                continue;
            }
            let source = module.lookup(&path).ok_or_else(|| {
                Diagnostic::invalid(format!("there is no function @{}", path.join("::@")))
                    .note(format!("functions: {}", names(&module)))
            })?;
            if source.body.is_none() {
                return Err(Diagnostic::unsupported(format!(
                    "@{} is declared without a body and cannot be run",
                    source.name
                ))
                .at(source.span));
            }
            let mut function = inline::inline(&module, source, &mut budget)?;
            let regions = function.regions.len();
            let rows = rows::split(&mut function, options);
            if options.fuse.is_some() {
                masked::mark(&mut function, regions);
            }
            let blocks = steps::plan(&function, options, &rows);
            let captured = steps::captured(&function);
            queue.extend(inline::callees(&function).into_iter().map(|p| p.to_vec()));
            program.by_path.insert(path, program.functions.len());
            program.functions.push(FunctionPlan { function, blocks, captured });
        }
        Ok(program)
    }

    /// # Errors
    /// The path was not reachable when the program was planned.
    pub fn lookup(&self, path: &[Arc<str>]) -> Result<&FunctionPlan> {
        let i = self
            .by_path
            .get(path)
            .ok_or_else(|| Diagnostic::invalid(format!("there is no function @{}", path.join("::@"))))?;
        Ok(&self.functions[*i])
    }

    pub fn entry(&self) -> &FunctionPlan {
        &self.functions[self.entry]
    }
}

fn names(module: &Module) -> String {
    let mut names: Vec<&str> = module.functions.iter().take(12).map(|f| &*f.name).collect();
    if module.functions.len() > 12 {
        names.push("…");
    }
    names.join(", ")
}
