//! `--timing`: the program as a TPU runs it, from a dump of XLA:TPU or compiled here.

use super::Args;
use crate::cli::program::{self, Program};
use crate::cli::report::{RunReport, Summary};
use crate::cli::timing::TimingArgs;
use crate::cli::{Failure, Outcome, emit};
use backend::frontend::hlo::export::export_as_written;
use backend::frontend::hlo::import::{Elided, import_with};
use backend::frontend::{self, ParseOptions, Source, torch};
use backend::time::Observed;
use sim_core::hlo::HloModule;
use sim_core::ir::verify::verify_module;
use sim_core::{Diagnostic, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::options::Format;

/// Modules whose time is wanted; none where it is not.
#[derive(Default)]
pub struct Scheduled {
    pub source: Option<Arc<Source>>,
    /// As a TPU runs them.
    pub modules: Vec<HloModule>,
}

impl Scheduled {
    /// Reads `path`, and compiles what no TPU's compiler has.
    ///
    /// # Errors
    /// It is no program, or a bad one, or one that cannot be compiled for the chip.
    pub fn open(path: &Path, options: &ParseOptions, args: &TimingArgs) -> Result<Scheduled, Failure> {
        let program = || -> Result<(Arc<Source>, Vec<HloModule>), Failure> {
            if !torch::detect(path) {
                let source = program::source(path)?;
                if let Some(hlo) =
                    frontend::parse_hlo(&source, options).map_err(Failure::in_source(&source))?
                {
                    return Ok((source, hlo));
                }
                let program = Program::of(source, options)?;
                return exported(program);
            }
            exported(Program::open(path, options)?)
        };
        let (source, hlo) = program()?;
        let mut scheduled = Scheduled { source: Some(source.clone()), ..Scheduled::default() };
        for module in hlo {
            let module = match module.is_scheduled() {
                false => {
                    valid(&module).map_err(Failure::in_source(&source))?;
                    args.compile(module).map_err(Failure::in_source(&source))?
                }
                true => module,
            };
            scheduled.modules.push(module);
        }
        Ok(scheduled)
    }

    /// Times every module, or tells its memory, without values.
    pub fn time_all(&self, args: &Args, summary: &mut Summary, start: Instant) -> Outcome {
        summary.read_seconds = start.elapsed().as_secs_f64();
        for (part, module) in self.modules.iter().enumerate() {
            if args.summary == Format::Text && self.modules.len() > 1 {
                emit(format_args!("// ----- part {part}"))?;
            }
            let mut report =
                RunReport { part, entry: module.entry().name.to_string(), ..RunReport::default() };
            let outcome = args.ask(module, None, &mut report);
            summary.runs.push(report);
            outcome.map_err(|diagnostic| Failure { diagnostic, source: self.source.clone() })?;
        }
        Ok(0)
    }
}

impl Args {
    /// Time and memory of a module, as far as they are asked for, told and noted in `report`.
    ///
    /// # Errors
    /// It is not what a TPU runs, or does not fit into the chip's memory.
    pub(super) fn ask(
        &self,
        module: &HloModule,
        observed: Option<&Observed>,
        report: &mut RunReport,
    ) -> Result<(), Diagnostic> {
        let text = self.summary == Format::Text;
        if self.timing.timing {
            let timing = self.timing.time(module, observed)?;
            if text {
                timing.print(self.timing.prints())?;
            }
            report.timing = Some(timing);
        }
        let Some(memory) = self.timing.memory(module)? else { return Ok(()) };
        if text {
            if self.timing.timing {
                emit(if self.timing.prints() { "//" } else { "" })?;
            }
            memory.print(self.timing.prints())?;
        }
        let fits = memory.fits();
        match &mut report.timing {
            Some(timing) => timing.memory = Some(memory),
            None => report.device_memory = Some(memory),
        }
        fits
    }
}

/// As HLO.
fn exported(program: Program) -> Result<(Arc<Source>, Vec<HloModule>), Failure> {
    let source = program.source;
    let hlo = program.modules.iter().map(export_as_written).collect::<Result<_, _>>();
    Ok((source.clone(), hlo.map_err(Failure::in_source(&source))?))
}

/// The compiler takes what is right. (A dump was right for XLA:TPU.)
///
/// # Errors
/// An operation breaks a rule. What is only not modelled in values has a time all the same.
fn valid(module: &HloModule) -> Result<(), Diagnostic> {
    match import_with(module, Elided::Zeros).and_then(|module| verify_module(&module)) {
        Err(e) if matches!(e.kind(), ErrorKind::Malformed | ErrorKind::Invalid) => Err(e),
        _ => Ok(()),
    }
}
