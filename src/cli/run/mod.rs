//! `tpusim run`: a program and its inputs in, its outputs printed, written and checked.

mod options;
mod outputs;
mod progress;
mod scheduled;

pub use options::{Format, MachineArgs, NumericsArgs};

use crate::cli::devices::{self, DeviceArgs};
use crate::cli::inputs::{self, Arguments, Inputs};
use crate::cli::memory;
use crate::cli::program::Program;
use crate::cli::recorded;
use crate::cli::report::{self, RunReport, Summary};
use crate::cli::shapes::Shapes;
use crate::cli::timing::TimingArgs;
use crate::cli::{Failure, Outcome, complain, emit};
use crate::diagnostics;
use crate::values::compare::Tolerance;
use backend::frontend::ParseOptions;
use backend::frontend::hlo::import::{Elided, header};
use backend::refine;
use backend::runtime::{Executable, MAX_STEPS, RunOptions, Value};
use backend::time::Observed;
use clap::ValueEnum;
use sim_core::hlo::HloModule;
use sim_core::ir::Module;
use sim_core::{Ctx, Diagnostic, Result, Tensor};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use options::{no_options_of_values, parse_tolerance};
use outputs::{by_file, check_all, outputs, write_outputs};
use progress::ProgressDisplay;
use scheduled::Scheduled;

/// Run a program and print its outputs
///
/// Exit codes: 0 all is well; 1 a check in the program or an expectation failed; 2 the input is bad
/// or not supported; 130 interrupted.
#[derive(clap::Args)]
pub struct Args {
    /// The program: StableHLO as MLIR text or bytecode, HLO as text or protocol buffer, a snapshot of HLO, an export of
    /// JAX, the folder of an export of PyTorch; `-` is standard input
    ///
    /// A snapshot runs with its own arguments, and its result is expected, unless inputs are given.
    file: PathBuf,
    /// The function to run [default: @main, or the only one]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Inputs from a .npz or .npy file: by parameter name, by arg0, arg1, …, or in order. For a program of several
    /// devices: global arrays, which are cut by its shardings; or of each device, in files of their own ({device} in
    /// FILE is its number) or in one, as device0/arg0, device1/arg0, …
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "zeros", "shapes"])]
    inputs: Option<PathBuf>,
    /// Inputs drawn at random: floats from [-1, 1), integers from 0 to 9. Devices get parts of one global array where
    /// the sharding is known, else values of their own
    #[arg(long, value_name = "SEED", conflicts_with = "zeros")]
    random: Option<u64>,
    /// Inputs of zeros
    #[arg(long)]
    zeros: bool,
    #[command(flatten)]
    shapes: Shapes,
    /// Write the outputs to a .npz file, as out0, out1, … (or the only output to a .npy file). Of several devices: put
    /// together where the sharding is known, else as device0/out0, …; {device} in FILE writes a file for each device
    #[arg(long, value_name = "FILE")]
    outputs: Option<PathBuf>,
    /// Compare the outputs with those in a .npz or .npy file: by out0, out1, …, or in order; {device} in FILE as for
    /// --outputs
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// Relative tolerance of --expect, and of a snapshot's result: |actual - expected| <= A + R * |expected|
    #[arg(long, value_name = "R", default_value_t = 0.0, value_parser = parse_tolerance)]
    rtol: f64,
    /// Absolute tolerance of --expect, and of a snapshot's result
    #[arg(long, value_name = "A", default_value_t = 0.0, value_parser = parse_tolerance)]
    atol: f64,
    #[command(flatten)]
    devices: DeviceArgs,
    #[command(flatten)]
    numerics: NumericsArgs,
    #[command(flatten)]
    machine: MachineArgs,
    /// Stop at the first operation that makes a NaN or an infinity from finite operands
    #[arg(long)]
    check_nans: bool,
    /// Most trips that all loops together may make, before the run ends with an error
    #[arg(long, value_name = "N", default_value_t = MAX_STEPS)]
    max_steps: u64,
    /// What becomes of constants whose values a dump of HLO left out (`constant({...})`)
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ElidedConstants::Refuse)]
    elided_constants: ElidedConstants,
    /// What to print on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    summary: Format,
    /// Run each part between `// -----` lines as a program of its own
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    split_input_file: bool,
    // Last, since what follows would stand under its heading.
    #[command(flatten)]
    timing: TimingArgs,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ElidedConstants {
    /// The program is not run
    Refuse,
    /// It runs with zeros in their place: outputs mean little, the work is the same
    Zeros,
}

pub fn run(args: &Args) -> Outcome {
    let mut summary = Summary {
        file: args.file.display().to_string(),
        numerics: args.numerics.name(),
        excess_precision: args.numerics.numerics().excess_precision,
        memory_limit: args.machine.memory_limit(),
        ..Summary::default()
    };
    let outcome = run_all(args, &mut summary);
    let code = match &outcome {
        Ok(code) => *code,
        Err(failure) => failure.exit_code(),
    };
    if args.summary == Format::Json {
        summary.print_json(code, outcome.as_ref().err())?;
    }
    outcome
}

fn run_all(args: &Args, summary: &mut Summary) -> Outcome {
    let ctx = args.machine.context(args.numerics.numerics())?;
    summary.threads = rayon::current_num_threads();
    let start = Instant::now();
    let elided = match args.elided_constants {
        ElidedConstants::Refuse => Elided::Refuse,
        ElidedConstants::Zeros => Elided::Zeros,
    };
    let options = ParseOptions { split_input: args.split_input_file, elided };
    args.timing.check(1)?;
    if !args.timing.values() {
        no_options_of_values(args)?;
    }
    let scheduled = match args.timing.scheduled() {
        true => Scheduled::open(&args.file, &options, &args.timing)?,
        false => Scheduled::default(),
    };
    args.timing.check(scheduled.modules.len())?;
    if !args.timing.values() {
        let outcome = scheduled.time_all(args, summary, start);
        // What the function would be called that runs for the values.
        for run in &mut summary.runs {
            if let Some(hlo) = scheduled.modules.get(run.part) {
                run.entry = header::entry_name(hlo).to_string();
            }
        }
        return outcome;
    }
    let mut program = match scheduled.source.clone() {
        Some(source) => Program::of(source, &options)?,
        None => Program::open(&args.file, &options)?,
    };
    summary.read_seconds = start.elapsed().as_secs_f64();
    if program.modules.len() > 1 && (args.outputs.is_some() || args.expect.is_some()) {
        return Err(Diagnostic::invalid(format!(
            "{} has {} parts, and --outputs and --expect are for one program",
            args.file.display(),
            program.modules.len()
        ))
        .help("save the part to run in a file of its own")
        .into());
    }
    let parts = program.modules.len();
    let mut code = 0;
    for (part, module) in std::mem::take(&mut program.modules).into_iter().enumerate() {
        if args.summary == Format::Text && parts > 1 {
            emit(format_args!("// ----- part {part}"))?;
        }
        let mut report = RunReport { part, ..RunReport::default() };
        let timed = scheduled.modules.get(part);
        let result = run_module(args, &program, module, timed, &ctx, &mut report);
        let part_code = match result {
            Ok(()) => report.expectations.iter().any(|e| !e.passed()) as u8,
            Err(diagnostic) => {
                let failure = Failure { diagnostic, source: Some(program.source.clone()) };
                let part_code = failure.exit_code();
                if parts == 1 || part_code == 130 {
                    summary.runs.push(report);
                    return Err(failure);
                }
                // One bad part does not keep the others from running.
                failure.report();
                report.error = Some(failure);
                part_code
            }
        };
        code = code.max(part_code);
        summary.runs.push(report);
    }
    Ok(code)
}

fn run_module(
    args: &Args,
    program: &Program,
    module: Module,
    timed: Option<&HloModule>,
    ctx: &Ctx,
    report: &mut RunReport,
) -> Result<()> {
    ctx.reset_peak();
    let options = RunOptions {
        entry: args.entry.clone(),
        numerics: args.numerics.numerics(),
        check_nans: args.check_nans,
        max_steps: args.max_steps,
        ..RunOptions::default()
    };
    let start = Instant::now();
    let text = args.summary == Format::Text;
    let entry = args.entry.as_deref().map(|name| name.trim_start_matches('@'));
    let entry = entry.map_or_else(|| module.entry(), |name| module.function(name));
    let recording = entry.and_then(|function| recorded::recording_of(program, &module, function));
    let source = match (&args.inputs, args.random, args.zeros, recording) {
        (Some(path), ..) => Inputs::File(path),
        (_, Some(seed), ..) => Inputs::Random(seed),
        (_, _, true, _) => Inputs::Zeros,
        (_, _, _, Some(recording)) => Inputs::Recorded(recorded::arguments(recording)),
        _ => Inputs::None,
    };
    // Of other inputs, the recorded result says nothing.
    let recording = recording.filter(|_| matches!(source, Inputs::Recorded(_)));
    let tolerance = Tolerance { rtol: args.rtol, atol: args.atol };
    let exact = Tolerance { rtol: 0.0, atol: 0.0 };
    if tolerance != exact && args.expect.is_none() && recording.is_none_or(|r| r.result.is_none()) {
        return Err(Diagnostic::invalid(
            "`--rtol` and `--atol` are for outputs that are compared, and these are not",
        )
        .help("--expect FILE.npz says what to compare them with"));
    }
    let mut module = Arc::new(module);
    if let Some(refined) = refined(args, program, &module, &source, ctx)? {
        module = Arc::new(refined);
    }
    let mut exe = Executable::new(module.clone(), options)?.with_print(Arc::new(move |value, ty| {
        // What the program itself prints; the JSON object has standard output to itself.
        let printed = report::value_text(value, ty);
        if text {
            let _ = emit(printed); // If this fails, so will the outputs.
        } else {
            complain(printed);
        }
    }));
    let observations = timed.map(|_| exe.observe());
    report.plan_seconds = start.elapsed().as_secs_f64();
    warn(&exe.placement().warnings, program);
    let entry = exe.program().entry().function.name.clone();
    if let Some(function) = module.function(&entry) {
        args.devices.apply(function, exe.placement_mut())?;
    }
    // The plan's own functions have forgotten what the parameters are called.
    let planned = &exe.program().entry().function;
    let function = module.function(&planned.name).unwrap_or(planned);
    let binding = program.binding_of(&module, function);
    args.shapes.check(function, binding)?;
    report.entry = function.name.to_string();
    report.inputs = inputs::parameter_names(function, binding)
        .into_iter()
        .zip(function.arg_types.iter().cloned())
        .collect();
    report.devices.placement = Some(exe.placement().clone());
    let many = devices::many(exe.placement());
    let source = match source {
        Inputs::Recorded(parts) if !many && parts.len() > 1 && parts.len() == exe.placement().grid.len() => {
            Inputs::Recorded(vec![recorded::joined(&parts, exe.placement(), function, ctx)?])
        }
        source => source,
    };
    let inputs = match many {
        true => devices::inputs(&exe, function, &source, &args.shapes, ctx)?,
        false => vec![Arguments::find(function, binding, &source, &args.shapes)?.values(ctx)?],
    };
    report.memory.inputs = inputs.iter().map(|values| bytes(values)).sum();

    let progress = ProgressDisplay::start(&exe);
    let start = Instant::now();
    let run = if many { exe.run_devices(ctx, inputs) } else { exe.run_global(ctx, inputs) };
    report.run_seconds = start.elapsed().as_secs_f64();
    drop(progress);
    report.peak_memory = ctx.memory().1;
    let names: Vec<String> = report.inputs.iter().map(|(name, _)| name.clone()).collect();
    report.memory.peak = exe.peak_memory().map(|peak| memory::at_peak(&peak, &program.source, &names));
    let run = run?;
    report.memory.outputs = run.outputs.iter().map(|values| bytes(values)).sum();
    report.devices.traffic = run.traffic.clone();

    let types = &function.result_types;
    report.outputs = match (many, run.outputs.first()) {
        (true, _) => {
            let apart =
                [&args.outputs, &args.expect].into_iter().flatten().any(|p| devices::is_per_device(p));
            devices::outputs(exe.placement(), &run, types, apart, ctx, outputs)?
        }
        (false, Some(results)) => outputs(results, types),
        (false, None) => Vec::new(),
    };
    if text {
        report::print_outputs(&report.entry, &report.outputs)?;
        if let Some(line) = report.devices.text() {
            emit(line)?;
        }
    }
    let mut fits = Ok(());
    if let Some(hlo) = timed {
        let observed = observations.map(|o| Observed::new(hlo, &o.seen()));
        if text {
            emit("")?;
        }
        fits = args.ask(hlo, observed.as_ref(), report);
    }
    // Before the outputs are written, which may take the place of what was expected.
    let checked = match (&args.expect, recording) {
        (Some(path), _) => Some(check_all(path, &report.outputs, tolerance, ctx)),
        (None, Some(recording)) => recorded::check(recording, &report.outputs, tolerance).transpose(),
        (None, None) => None,
    };
    if let Some(path) = &args.outputs {
        for (path, outputs) in by_file(path, &report.outputs) {
            write_outputs(&path, &outputs)?;
        }
    }
    if let Some(checked) = checked {
        report.expectations = checked?;
        for expectation in &report.expectations {
            let line = expectation.text();
            if expectation.passed() && text {
                emit(line)?;
            } else if !expectation.passed() {
                complain(format_args!("error: {line}"));
            }
        }
    }
    fits
}

/// What of a program is ignored: the first in full.
fn warn(warnings: &[Diagnostic], program: &Program) {
    let Some((first, others)) = warnings.split_first() else { return };
    let first = match others.len() {
        0 => first.clone(),
        n => first.clone().note(format!("and {n} more like it")),
    };
    let first = first.note("the program runs without it");
    complain(diagnostics::render_warning(&first, Some(&program.source), diagnostics::colors()));
}

/// The program for the shapes of its inputs, if its types leave shapes open.
fn refined(
    args: &Args,
    program: &Program,
    module: &Module,
    source: &Inputs<'_>,
    ctx: &Ctx,
) -> Result<Option<Module>> {
    if !refine::is_dynamic(module) {
        return Ok(None);
    }
    let entry = args.entry.as_deref().map(|name| name.trim_start_matches('@'));
    let function = entry.map_or_else(|| module.entry(), |name| module.function(name));
    // What is wrong with the entry, the planner says.
    let Some(function) = function.filter(|f| f.body.is_some()) else { return Ok(None) };
    let binding = program.binding_of(module, function);
    args.shapes.check(function, binding)?;
    let arguments = Arguments::find(function, binding, source, &args.shapes)?;
    let (types, entry) = (arguments.types(), Some(&*function.name));
    let ctx = ctx.with_numerics(args.numerics.numerics());
    let refined = refine::refine(module, entry, &types, &ctx)?;
    if refined.dynamic.is_none() {
        return Ok(Some(refined.module));
    }
    // A size may be an input (as older exports of JAX have it).
    let values: Vec<Option<Tensor>> =
        arguments.values(&ctx)?.into_iter().map(|value| value.tensor().ok()).collect();
    let known = refine::refine_for(module, entry, &types, &values, &ctx);
    Ok(Some(known.map_or(refined.module, |known| known.module)))
}

/// Bytes of all tensors in the values.
fn bytes(values: &[Value]) -> u64 {
    values.iter().flat_map(Value::leaves).map(|t| t.bytes().len() as u64).sum()
}
