//! `--timing`: the program as XLA:TPU scheduled it.

use super::Args;
use crate::cli::program;
use crate::cli::report::{RunReport, Summary};
use crate::cli::{Failure, Outcome, emit};
use backend::frontend::{self, ParseOptions, Source, torch};
use sim_core::Diagnostic;
use sim_core::hlo::HloModule;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::options::Format;

/// Modules whose time is wanted; none where it is not.
#[derive(Default)]
pub struct Scheduled {
    pub source: Option<Arc<Source>>,
    pub modules: Vec<HloModule>,
}

impl Scheduled {
    /// Reads `path` as HLO.
    ///
    /// # Errors
    /// It is no HLO, or bad HLO.
    pub fn open(path: &Path, options: &ParseOptions) -> Result<Scheduled, Failure> {
        let other = |what: &str| {
            Diagnostic::unsupported(format!("{} is {what}, which no TPU has compiled: it has no time yet", path.display()))
                .help(
                    "take the optimized HLO: `jax.jit(f).lower(…).compile().as_text()` on a TPU (or ahead of time, with libtpu), or \
                     `*after_optimizations*.txt` of --xla_dump_to",
                )
        };
        if torch::detect(path) {
            return Err(other("an export of PyTorch").into());
        }
        let source = program::source(path)?;
        let modules = frontend::parse_hlo(&source, options).map_err(Failure::in_source(&source))?;
        let modules = modules.ok_or_else(|| other(source.encoding().describe()))?;
        Ok(Scheduled { source: Some(source), modules })
    }

    /// Times every module, without values.
    pub fn time_all(&self, args: &Args, summary: &mut Summary, start: Instant) -> Outcome {
        summary.read_seconds = start.elapsed().as_secs_f64();
        for (part, module) in self.modules.iter().enumerate() {
            if args.summary == Format::Text && self.modules.len() > 1 {
                emit(format_args!("// ----- part {part}"))?;
            }
            let timing = args
                .timing
                .time(module, None)
                .map_err(|diagnostic| Failure { diagnostic, source: self.source.clone() })?;
            if args.summary == Format::Text {
                timing.print()?;
            }
            let entry = module.entry().name.to_string();
            summary.runs.push(RunReport { part, entry, timing: Some(timing), ..RunReport::default() });
        }
        Ok(0)
    }
}
