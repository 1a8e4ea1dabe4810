//! `tpusim bench` (hidden): one prepared program, run each time the other end of the pipe asks. The
//! script that compares with a peer (`xtask/bench/peer.py`) drives it, so that runs of the two
//! alternate in one session.

use super::inputs::{Arguments, Inputs};
use super::program::Program;
use super::run::{MachineArgs, NumericsArgs};
use super::shapes::Shapes;
use super::{Failure, Outcome};
use backend::frontend::{self, ParseOptions};
use backend::runtime::{Executable, RunOptions, Value};
use cpu_time::ProcessTime;
use serde_json::json;
use sim_core::Diagnostic;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Prepare a program, then time one run for each line of standard input
///
/// A line `warm` runs with the buffers of the runs before; `fresh` gives them back to the system
/// first; `quit` ends. Each answer is a JSON object on one line: wall and processor milliseconds.
#[derive(clap::Args)]
#[command(hide = true)]
pub struct Args {
    /// The program
    file: PathBuf,
    /// Inputs from a .npz file [default: drawn at random]
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Time reading the program, which is HLO text, and run nothing
    #[arg(long)]
    read: bool,
    #[command(flatten)]
    numerics: NumericsArgs,
    #[command(flatten)]
    machine: MachineArgs,
}

pub fn run(args: &Args) -> Outcome {
    if args.read {
        return read(args);
    }
    let ctx = args.machine.context(args.numerics.numerics())?;
    let start = Instant::now();
    let mut program = Program::open(&args.file, &ParseOptions::default())?;
    let module = Arc::new(program.modules.swap_remove(0));
    let exe = Executable::new(
        module.clone(),
        RunOptions { numerics: args.numerics.numerics(), ..RunOptions::default() },
    )
    .map_err(Failure::in_source(&program.source))?;
    let source = args.inputs.as_deref().map_or(Inputs::Random(0), Inputs::File);
    let planned = &exe.program().entry().function;
    let function = module.function(&planned.name).unwrap_or(planned);
    let binding = program.binding_of(&module, function);
    let inputs: Vec<Value> = Arguments::find(function, binding, &source, &Shapes::default())?.values(&ctx)?;
    let failed = |e: std::io::Error| Failure::from(Diagnostic::resource(format!("the pipe broke: {e}")));
    let mut out = std::io::stdout().lock();
    let mut answer = |object: serde_json::Value| writeln!(out, "{object}").and_then(|()| out.flush());
    answer(json!({ "ready_ms": start.elapsed().as_secs_f64() * 1e3 })).map_err(failed)?;
    for line in std::io::stdin().lock().lines() {
        match line.map_err(failed)?.trim() {
            "quit" => break,
            "fresh" => ctx.trim(),
            _ => {}
        }
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let results = exe.run_values(&ctx, inputs.clone())?;
        let (wall, cpu) = (wall.elapsed(), cpu.elapsed());
        drop(results);
        answer(json!({ "wall_ms": wall.as_secs_f64() * 1e3, "cpu_ms": cpu.as_secs_f64() * 1e3 }))
            .map_err(failed)?;
    }
    Ok(0)
}

/// One read of HLO text for each line of standard input.
fn read(args: &Args) -> Outcome {
    let source = Arc::new(frontend::read_path(&args.file)?);
    let text = source.text()?;
    let failed = |e: std::io::Error| Failure::from(Diagnostic::resource(format!("the pipe broke: {e}")));
    let mut out = std::io::stdout().lock();
    let mut answer = |object: serde_json::Value| writeln!(out, "{object}").and_then(|()| out.flush());
    answer(json!({ "bytes": text.len() })).map_err(failed)?;
    for line in std::io::stdin().lock().lines() {
        line.map_err(failed)?;
        let start = Instant::now();
        let modules = frontend::hlo::parse_text(text, true).map_err(Failure::in_source(&source))?;
        let wall = start.elapsed();
        drop(modules);
        answer(json!({ "wall_ms": wall.as_secs_f64() * 1e3 })).map_err(failed)?;
    }
    Ok(0)
}
