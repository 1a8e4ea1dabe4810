//! `tpusim run --timing`: the time beside, or without, the values.

mod json;
mod memory;
mod text;

pub use json::timing_json;
pub use memory::DeviceMemory;

use super::chips::named;
use super::{complain, emit};
use backend::compiler;
use backend::time::trace::{MOST_SPANS, Timeline};
use backend::time::{self, CostModel, Observed, Options, Timing};
use clap::ValueEnum;
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use sim_core::{Diagnostic, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What of time is asked for.
#[derive(clap::Args)]
#[command(next_help_heading = "Time and memory")]
#[command(group = clap::ArgGroup::new("scheduled").multiple(true).args(["timing", "memory"]))]
pub struct TimingArgs {
    /// Say how long a TPU takes for the program: a dump of what XLA:TPU has optimized, or anything else, which is compiled here
    #[arg(long)]
    pub timing: bool,
    /// Say what memory the program takes, when, and what for; that it does not fit the chip is an error (exit code 1)
    #[arg(long, value_enum, value_name = "WHAT")]
    memory: Option<Wanted>,
    /// Compute the values, too? `off`: shapes are enough, no inputs are needed
    #[arg(long, value_enum, default_value_t = Switch::On, requires = "scheduled")]
    values: Switch,
    /// The chip: its name here, or JAX's or Google Cloud's; `tpusim chips` lists them
    #[arg(long, value_name = "NAME", default_value = "v6e", requires = "scheduled")]
    chip: String,
    /// Another value for one of the chip's parameters: hbm.bandwidth_gbps=3200
    #[arg(long, value_name = "KEY=VALUE", requires = "scheduled")]
    set: Vec<String>,
    /// Trips of each loop of which neither the values nor the program's text tell how often it runs
    #[arg(long, value_name = "N", requires = "timing")]
    trips: Option<u64>,
    /// Whose costs of kernels count
    #[arg(long, value_enum, default_value_t = Cost::Model, requires = "timing")]
    cost: Cost,
    /// Nothing was prefetched by a run of the program before this one
    #[arg(long, requires = "timing")]
    cold: bool,
    /// Write a timeline: for Perfetto (.pftrace), or as Chrome's trace events (.json)
    #[arg(long, value_name = "FILE", requires = "timing")]
    trace: Vec<PathBuf>,
    /// Print the program as the chip runs it: HLO with layouts, memory spaces and windows, which is read back as a dump
    #[arg(long, requires = "scheduled")]
    print_program: bool,
    /// Print the program after a pass of the compiler (of what is no dump): inline, simplify, cse, layout, fuse, …
    #[arg(long, value_name = "PASS", requires = "scheduled", value_parser = pass_name)]
    print_after: Vec<String>,
    /// Kernels in the table, the longest first, and buffers, the largest first; 0 is all
    #[arg(long, value_name = "N", default_value_t = 20, requires = "scheduled")]
    kernels: usize,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Switch {
    On,
    Off,
}

/// Of memory.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Wanted {
    /// Sums, the largest buffers with their lives and sources
    Report,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Cost {
    /// This simulator's model of the chip
    Model,
    /// XLA:TPU's `estimated_cycles`, where the dump has them
    Compiler,
}

/// What a timing was asked for, and gave.
pub struct TimingReport {
    pub chip: Chip,
    pub changes: Vec<String>,
    pub cost: CostModel,
    pub warm: bool,
    pub timing: Timing,
    /// With `--memory report`.
    pub memory: Option<DeviceMemory>,
    /// How long the simulation took, here.
    pub seconds: f64,
    shown: usize,
}

impl TimingArgs {
    /// Is the program wanted as a TPU runs it?
    pub fn scheduled(&self) -> bool {
        self.timing || self.memory.is_some()
    }

    /// Are the values wanted?
    pub fn values(&self) -> bool {
        !self.scheduled() || self.values == Switch::On
    }

    /// # Errors
    /// There is no such chip or parameter; a trace that is neither `.pftrace` nor `.json`, or of several programs.
    pub fn check(&self, parts: usize) -> Result<()> {
        self.chip()?;
        if parts > 1 && !self.trace.is_empty() {
            return Err(Diagnostic::invalid(format!(
                "the file has {parts} parts, and --trace is for one program"
            ))
            .help("save the part to time in a file of its own"));
        }
        self.trace.iter().try_for_each(|path| Form::of(path).map(|_| ()))
    }

    fn chip(&self) -> Result<Chip> {
        named(&self.chip)?.with(&self.set)
    }

    /// Compiles a module for the chip, and prints it where that was asked for.
    ///
    /// # Errors
    /// It cannot be compiled; standard output does not take it.
    pub fn compile(&self, module: HloModule) -> Result<HloModule> {
        let chip = self.chip()?;
        let mut text = String::new();
        let mut seen = |pass: &compiler::Pass, module: &HloModule| {
            if self.print_after.iter().any(|name| name == pass.name) {
                text.push_str(&format!("// after {}: {}\n{module}\n", pass.name, pass.what));
            }
        };
        let module = compiler::compile(module, &chip, &mut seen)?;
        if self.print_program {
            text.push_str(&format!("{module}\n"));
        }
        if !text.is_empty() {
            emit(text.trim_end())?;
        }
        Ok(module)
    }

    /// Are programs printed?
    pub fn prints(&self) -> bool {
        self.print_program || !self.print_after.is_empty()
    }

    /// Times a module.
    ///
    /// # Errors
    /// It is not what a TPU runs; a trace cannot be written.
    pub fn time(&self, module: &HloModule, observed: Option<&Observed>) -> Result<TimingReport> {
        let chip = self.chip()?;
        let cost = match self.cost {
            Cost::Model => CostModel::Model,
            Cost::Compiler => CostModel::Compiler,
        };
        let options =
            Options { cost, trips: self.trips, observed, warm: !self.cold, record: !self.trace.is_empty() };
        let start = Instant::now();
        let timing = time::simulate(module, &chip, &options)?;
        let seconds = start.elapsed().as_secs_f64();
        for path in &self.trace {
            write_trace(path, &timing)?;
        }
        Ok(TimingReport {
            changes: self.set.clone(),
            cost,
            warm: options.warm,
            timing,
            memory: None,
            seconds,
            shown: if self.kernels == 0 { usize::MAX } else { self.kernels },
            chip,
        })
    }
}

impl TimingReport {
    /// Prints it for people.
    ///
    /// # Errors
    /// Standard output does not take it.
    /// As text; behind a program in HLO as a comment, so that both together are read back.
    pub fn print(&self, comment: bool) -> Result<()> {
        let text = text::render(self, self.shown);
        emit(if comment { commented(&text.to_string()) } else { text.to_string() })
    }
}

/// A comment of HLO.
fn commented(text: &str) -> String {
    let line = |l: &str| if l.is_empty() { "//".to_owned() } else { format!("// {l}") };
    text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The name of a pass.
fn pass_name(name: &str) -> std::result::Result<String, String> {
    let names: Vec<&str> = compiler::PASSES.iter().map(|p| p.name).collect();
    match names.contains(&name) {
        true => Ok(name.to_owned()),
        false => Err(format!("the passes are {}", names.join(", "))),
    }
}

enum Form {
    Perfetto,
    Chrome,
}

impl Form {
    fn of(path: &Path) -> Result<Form> {
        match path.extension().and_then(|e| e.to_str()) {
            Some("pftrace" | "perfetto-trace") => Ok(Form::Perfetto),
            Some("json") => Ok(Form::Chrome),
            _ => Err(Diagnostic::invalid(format!("--trace {}: the name says no format", path.display()))
                .help("end it in .pftrace (Perfetto) or .json (Chrome)")),
        }
    }
}

fn write_trace(path: &Path, timing: &Timing) -> Result<()> {
    let timeline = Timeline::new(timing, MOST_SPANS);
    if timeline.cut {
        complain(format_args!(
            "warning: {} has the first {MOST_SPANS} spans; the program has more",
            path.display()
        ));
    }
    let fails = |e: std::io::Error| Diagnostic::resource(format!("cannot write {}: {e}", path.display()));
    let mut out = BufWriter::new(File::create(path).map_err(fails)?);
    match Form::of(path)? {
        Form::Perfetto => timeline.write_perfetto(&mut out),
        Form::Chrome => timeline.write_chrome(&mut out),
    }
    .and_then(|()| out.flush())
    .map_err(|e| {
        // Half a trace opens nowhere.
        drop(out);
        if path.is_file() {
            let _ = std::fs::remove_file(path);
        }
        fails(e)
            .help("write it where there is room; a trace takes some hundred bytes for each run of a kernel")
    })
}
