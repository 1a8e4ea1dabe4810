//! From a file's name to verified modules.

use super::Failure;
use backend::frontend::{self, ParseOptions, Source};
use sim_core::Diagnostic;
use sim_core::ir::Module;
use std::io::Read;
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
        let source =
            Arc::new(if path.as_os_str() == "-" { standard_input()? } else { frontend::read_path(path)? });
        let read = || {
            let modules = frontend::parse_with(&source, &ParseOptions { split_input })?;
            modules.iter().try_for_each(sim_core::ir::verify::verify_module)?;
            Ok(modules)
        };
        let modules = read().map_err(Failure::in_source(&source))?;
        Ok(Program { source, modules })
    }
}

fn standard_input() -> Result<Source, Diagnostic> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|e| Diagnostic::resource(format!("cannot read standard input: {e}")))?;
    Ok(Source::from_bytes("<stdin>", bytes))
}
