//! Functions of `jax.numpy`, `jax.lax`, `jax.nn`, `jax.scipy` and others, and models of flax, forward
//! and gradient: exported by JAX, run here under `--numerics ieee`, and compared with JAX on the CPU.
//!
//! `tables/*.py` and `models/*.py` say which; `maker.py` exports them. `TPUSIM_SWEEP=all` runs
//! everything; by default only the forward pass of each function, in the first of its element types,
//! and all of the models. `TPUSIM_SWEEP_ONLY=words` keeps the cases with one of the words in `family:
//! name direction`. `sweep.exceptions` lists what may differ, each with its reason; an exception that
//! passes is a failure. Without `TPUSIM_PYTHON` (a Python with the packages of
//! `xtask/requirements.txt`) the test is skipped.

mod compare;
mod maker;

use backend::frontend::{self, Source};
use backend::runtime::{Executable, RunOptions, Value};
use maker::{Case, Maker};
use sim_core::{Ctx, Numerics, Tensor};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Memory one program may use.
const LIMIT: u64 = 1 << 30;

/// Processes that export.
const SHARDS: usize = 2;

fn python() -> Option<OsString> {
    let python = std::env::var_os("TPUSIM_PYTHON");
    if python.is_none() {
        eprintln!("SKIPPED sweep: TPUSIM_PYTHON is not set");
        if let Some(path) = std::env::var_os("TPUSIM_SKIP_LOG")
            && let Ok(mut log) = std::fs::OpenOptions::new().append(true).create(true).open(path)
        {
            let _ = writeln!(log, "sweep: TPUSIM_PYTHON is not set");
        }
    }
    python
}

/// `name direction: reason` lines; `#` starts a comment.
fn exceptions() -> HashMap<&'static str, &'static str> {
    include_str!("sweep.exceptions")
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .map(|l| l.split_once(": ").expect("sweep.exceptions: name direction: reason"))
        .collect()
}

/// What has been seen so far.
#[derive(Default)]
struct Tally {
    functions: BTreeSet<String>,
    models: BTreeSet<String>,
    forward: usize,
    gradient: usize,
    excepted: usize,
    /// Cases that have no gradient: no floating-point input or result.
    without: usize,
    failures: Vec<String>,
}

fn run(case: &Case) -> Result<Vec<Tensor>, String> {
    let source = Source::from_bytes(&case.name, case.artifact.clone());
    let module = frontend::parse(&source).map_err(|e| e.to_string())?.remove(0);
    sim_core::ir::verify::verify_module(&module).map_err(|e| e.to_string())?;
    // XLA drops whole windows, which is what JAX's functions mean.
    let numerics = Numerics { scatter_whole_windows: true, ..Numerics::ieee() };
    let options = RunOptions { numerics, ..RunOptions::default() };
    let exe = Executable::new(Arc::new(module), options).map_err(|e| e.to_string())?;
    let results = exe.run(&Ctx::new(numerics, LIMIT), case.inputs.clone()).map_err(|e| e.to_string())?;
    results.into_iter().map(Value::tensor).collect::<Result<_, _>>().map_err(|e| e.to_string())
}

fn check(case: &Case) -> Result<(), String> {
    if let Some(error) = &case.error {
        return Err(format!("JAX: {error}"));
    }
    let got = catch_unwind(AssertUnwindSafe(|| run(case))).unwrap_or_else(|_| Err("a panic".to_owned()))?;
    compare::all_close(&got, &case.outputs, &case.tolerance)
}

#[test]
fn exports_run_as_on_jax() {
    let Some(python) = python() else { return };
    let part = if std::env::var("TPUSIM_SWEEP").is_ok_and(|part| part == "all") { "all" } else { "ci" };
    let only = std::env::var("TPUSIM_SWEEP_ONLY").unwrap_or_default();
    let exceptions = exceptions();
    let tally = Mutex::new(Tally::default());
    let (done, total) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|s| {
        for shard in 0..SHARDS {
            let (python, only, exceptions) = (&python, &only, &exceptions);
            let (tally, done, total) = (&tally, &done, &total);
            s.spawn(move || {
                let (mut maker, count) = Maker::start(python, shard, SHARDS, part, only);
                total.fetch_add(count, Ordering::Relaxed);
                for _ in 0..count {
                    let case = maker.next();
                    let outcome = if case.none { Ok(()) } else { check(&case) };
                    record(&mut tally.lock().expect("no panic"), &case, outcome, exceptions);
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if done.is_multiple_of(100) {
                        eprintln!("{done}/{}", total.load(Ordering::Relaxed));
                    }
                }
            });
        }
    });
    let t = tally.into_inner().expect("no panic");
    eprintln!(
        "sweep: {} functions, {} models: {} forward and {} gradient cases, {} exceptions, {} failures ({} have no gradient)",
        t.functions.len(),
        t.models.len(),
        t.forward,
        t.gradient,
        t.excepted,
        t.failures.len(),
        t.without
    );
    assert!(t.failures.is_empty(), "{} cases failed\n{}", t.failures.len(), t.failures.join("\n"));
}

fn record(t: &mut Tally, case: &Case, outcome: Result<(), String>, exceptions: &HashMap<&str, &str>) {
    if case.none {
        t.without += 1;
        return;
    }
    let names = if case.family == "models" { &mut t.models } else { &mut t.functions };
    names.insert(case.function.clone());
    *if case.direction == "forward" { &mut t.forward } else { &mut t.gradient } += 1;
    let name = format!("{} {}", case.name, case.direction);
    match (outcome, exceptions.get(name.as_str())) {
        (Ok(()), None) => {}
        (Err(_), Some(_)) => t.excepted += 1,
        (Ok(()), Some(_)) => {
            t.failures.push(format!("{name}: passes, but is listed in sweep.exceptions: take it out"));
        }
        (Err(e), None) => t.failures.push(format!("{}: {name}: {e}", case.family)),
    }
}
