//! From a file's name to verified modules.

use super::Failure;
use backend::frontend::hlo::import::import_with;
use backend::frontend::hlo::proto::Recording;
use backend::frontend::torch::{self, Parameter};
use backend::frontend::{self, ParseOptions, Source};
use sim_core::Diagnostic;
use sim_core::hlo::HloModule;
use sim_core::ir::verify::verify_module;
use sim_core::ir::{Function, Module};
use std::path::Path;
use std::sync::Arc;

/// A file's modules, verified, and the text that their spans are in.
pub struct Program {
    pub source: Arc<Source>,
    pub modules: Vec<Module>,
    /// Of an export of PyTorch: where the arguments of `@main` come from.
    pub binding: Option<Binding>,
    /// Of a snapshot of HLO: the run that it recorded.
    pub recording: Option<Recording>,
}

/// Parameters whose values are not all given on the command line.
pub struct Binding {
    /// In the order of the module's entry.
    pub parameters: Vec<Parameter>,
    /// How many arguments the Python function takes.
    pub arguments: usize,
}

impl Program {
    /// The binding, for the function that it is of.
    pub fn binding_of(&self, module: &Module, function: &Function) -> Option<&Binding> {
        self.binding.as_ref().filter(|_| module.entry().is_some_and(|entry| entry.name == function.name))
    }

    /// Reads and verifies.
    pub fn open(path: &Path, options: &ParseOptions) -> Result<Program, Failure> {
        if torch::detect(path) {
            return Self::open_export(path);
        }
        Self::of(source(path)?, options)
    }

    /// Reads what is open already, and verifies.
    pub fn of(source: Arc<Source>, options: &ParseOptions) -> Result<Program, Failure> {
        let (modules, recording) = modules(&source, options).map_err(Failure::in_source(&source))?;
        Ok(Program { source, modules, binding: None, recording })
    }

    /// What is read as HLO already, verified.
    pub fn of_hlo(
        source: Arc<Source>,
        modules: &[HloModule],
        options: &ParseOptions,
    ) -> Result<Program, Failure> {
        let import = |hlo| {
            let module = import_with(hlo, options.elided)?;
            verify_module(&module).map(|()| module)
        };
        let modules = modules.iter().map(import).collect::<Result<_, _>>();
        let modules = modules.map_err(Failure::in_source(&source))?;
        Ok(Program { source, modules, binding: None, recording: None })
    }

    fn open_export(path: &Path) -> Result<Program, Failure> {
        let export = torch::open(path)?;
        let source = Arc::new(export.source);
        let (modules, recording) =
            modules(&source, &ParseOptions { split_input: false, ..ParseOptions::default() })
                .map_err(Failure::in_source(&source))?;
        let takes = modules.first().and_then(Module::entry).map_or(0, |f| f.arg_types.len());
        if takes != export.parameters.len() {
            return Err(Diagnostic::invalid(format!(
                "{} takes {takes} parameters, and its .meta file names {}",
                source.name(),
                export.parameters.len()
            ))
            .into());
        }
        let binding = Binding { parameters: export.parameters, arguments: export.arguments };
        Ok(Program { source, modules, binding: Some(binding), recording })
    }
}

type Read = (Vec<Module>, Option<Recording>);

fn modules(source: &Source, options: &ParseOptions) -> Result<Read, Diagnostic> {
    let (modules, recording) = frontend::parse_recorded(source, options)?;
    modules.iter().try_for_each(verify_module)?;
    Ok((modules, recording))
}

/// What a file holds, HLO as HLO.
pub enum Input {
    Hlo(Arc<Source>, Vec<HloModule>),
    Other(Program),
}

impl Input {
    /// Reads; what is not HLO is verified too.
    pub fn open(path: &Path) -> Result<Input, Failure> {
        if torch::detect(path) {
            return Ok(Input::Other(Program::open(path, &ParseOptions::default())?));
        }
        let source = source(path)?;
        let hlo =
            frontend::parse_hlo(&source, &ParseOptions::default()).map_err(Failure::in_source(&source))?;
        match hlo {
            Some(modules) => Ok(Input::Hlo(source, modules)),
            None => Ok(Input::Other(Program::of(source, &ParseOptions::default())?)),
        }
    }
}

/// The file, or standard input.
pub fn source(path: &Path) -> Result<Arc<Source>, Diagnostic> {
    Ok(Arc::new(if path.as_os_str() == "-" { standard_input()? } else { frontend::read_path(path)? }))
}

fn standard_input() -> Result<Source, Diagnostic> {
    Source::read("<stdin>", &mut std::io::stdin().lock())
}
