//! The programs that published measurements ran, and how near the simulated times come to the measured ones.
//!
//! ```text
//!  CSV ── row ──> Row ── scope ──> Workload { parts: [Program { StableHLO, options }], … }   or a reason why not
//!                                     │
//!             dumps (kept, or made by aot.py with XLA:TPU) ──> HLO text ── simulate ──> us
//!                                     │
//!                                   score ──> Scorecard: rows, classes, text, JSON
//! ```
//!
//! **Invariant:** a row becomes a program by what its text says (workload, shape, type, metric, unit), never by which row it is:
//! rows that nobody has seen are scored too.

#![forbid(unsafe_code)]

pub mod agreement;
pub mod dumps;
pub mod estimates;
pub mod heads;
pub mod program;
pub mod row;
pub mod scope;
pub mod score;
pub mod stablehlo;

use backend::compiler;
use backend::frontend::{self, ParseOptions, Source};
use backend::time::{self, Timing};
use row::Row;
use sim_core::chip::Chip;
use std::path::{Path, PathBuf};

/// Times a dump on a chip, as measured programs are run: again and again.
///
/// # Errors
/// The chip is not known; the text is no dump of XLA:TPU.
pub fn simulate(text: &str, chip: &str) -> Result<Timing, String> {
    let of = |e: sim_core::Diagnostic| e.to_string();
    let chip = Chip::named(chip).ok_or_else(|| format!("there is no chip {chip}"))?;
    let source = Source::from_bytes("dump", text.to_owned());
    let modules = frontend::parse_hlo(&source, &ParseOptions::default()).map_err(of)?;
    let module = modules.into_iter().flatten().next().ok_or("no HLO")?;
    let options = time::Options { warm: true, ..time::Options::default() };
    time::simulate(&module, chip, &options).map_err(of)
}

/// As [`simulate`], the time alone, in us.
///
/// # Errors
/// As [`simulate`].
pub fn simulated_us(text: &str, chip: &str) -> Result<f64, String> {
    simulate(text, chip).map(|timing| timing.total.us())
}

/// What our own compiler makes of a program for a chip, as text. Of the options of XLA:TPU it follows the limit of a kernel's VMEM.
///
/// # Errors
/// The chip is not known; it cannot be compiled.
pub fn compiled(program: &program::Program, chip: &str) -> Result<String, String> {
    let of = |e: sim_core::Diagnostic| e.to_string();
    let mut chip = Chip::named(chip).ok_or_else(|| format!("there is no chip {chip}"))?.clone();
    if let Some(kib) =
        program.options.get("xla_tpu_scoped_vmem_limit_kib").and_then(|n| n.parse::<u64>().ok())
    {
        chip = chip.with(&[format!("vmem.scoped_bytes={}", kib * 1024)]).map_err(of)?;
    }
    let source = Source::from_bytes("program", program.stablehlo.clone());
    let module = frontend::parse(&source).map_err(of)?.into_iter().next().ok_or("no program")?;
    let hlo = frontend::hlo::export::export_as_written(&module).map_err(of)?;
    compiler::compile(hlo, &chip, &mut |_, _| {}).map(|module| module.to_string()).map_err(of)
}

/// The files of published measurements among the shared facts.
///
/// # Errors
/// They are not there: how others are named.
pub fn published_files() -> Result<[PathBuf; 2], String> {
    files_in(&shared().join("facts"))
}

fn files_in(facts: &Path) -> Result<[PathBuf; 2], String> {
    let files = ["measured-dev.csv", "v4-gemm-dev.csv"].map(|f| facts.join(f));
    match files.iter().find(|file| !file.is_file()) {
        None => Ok(files),
        Some(missing) => Err(format!(
            "no measured rows: there is no {}\nTPUSIM_SHARED=FOLDER says where facts/ is; --rows FILE.csv takes rows of your own",
            missing.display()
        )),
    }
}

/// The published measurements themselves.
///
/// # Errors
/// As [`published_files`]; a file cannot be read.
pub fn published() -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for file in published_files()? {
        rows.extend(row::read(&file)?);
    }
    Ok(rows)
}

/// The folder of shared facts: `TPUSIM_SHARED`, or `shared` beside the workspace.
pub fn shared() -> PathBuf {
    std::env::var_os("TPUSIM_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_missing_say_how_to_name_others() {
        let message = files_in(Path::new("/no/such/folder")).unwrap_err();
        for word in ["/no/such/folder/measured-dev.csv", "TPUSIM_SHARED", "--rows"] {
            assert!(message.contains(word), "{message}");
        }
    }
}
