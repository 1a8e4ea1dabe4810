//! From a file's name to verified modules.

use super::Failure;
use backend::frontend::{self, ParseOptions, Source};
use sim_core::ir::Module;
use std::path::Path;
use std::sync::Arc;

/// A file's modules, verified, and the text that their spans are in.
pub struct Program {
    pub source: Arc<Source>,
    pub modules: Vec<Module>,
}

impl Program {
    /// Reads and verifies.
    pub fn open(path: &Path, split_input: bool) -> Result<Program, Failure> {
        let source = Arc::new(frontend::read_path(path)?);
        let read = || {
            let modules = frontend::parse_with(&source, &ParseOptions { split_input })?;
            modules.iter().try_for_each(sim_core::ir::verify::verify_module)?;
            Ok(modules)
        };
        let modules = read().map_err(Failure::in_source(&source))?;
        Ok(Program { source, modules })
    }
}
