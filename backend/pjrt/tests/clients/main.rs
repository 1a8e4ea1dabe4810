//! Unmodified JAX on simulated TPUs: each Python script beside this file runs in a process of its own, with this build of
//! `libtpusim.so`, and compares what it gets with JAX's CPU backend. A script says `ok` at its end.
//!
//! A line `env: NAME=VALUE …` in a script's docstring sets its environment. JAX is given the library in the place of libtpu;
//! after a line `way: entry point` it finds it as the platform `tpusim` through the package in `python`, as if pip had
//! installed that. A script with a line `needs: NAME` is skipped where that variable is not set. Without `TPUSIM_PYTHON` (a
//! Python with the packages of `xtask/requirements.txt`) all are skipped.

use libtest_mimic::{Arguments, Failed, Trial};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// A script that takes longer hangs. Seconds.
const PATIENCE: u64 = 600;

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let entries = std::fs::read_dir(folder).expect("the folder of this file");
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "py") && !p.ends_with("check.py"));
    paths.sort();
    paths
}

/// This build's library: beside the test, or a folder up.
fn library() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let deps = test.parent()?;
    let name = format!("{}tpusim{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    [deps.join(&name), deps.parent()?.join(&name)].into_iter().find(|p| p.is_file())
}

fn environment(script: &str) -> Vec<(&str, &str)> {
    let line = script.lines().find_map(|l| l.strip_prefix("env: ")).unwrap_or_default();
    line.split_whitespace().filter_map(|pair| pair.split_once('=')).collect()
}

/// The variable that the script cannot do without, if that is not set.
fn missing(script: &str) -> Option<&str> {
    let name = script.lines().find_map(|l| l.strip_prefix("needs: "))?.trim();
    std::env::var_os(name).is_none().then_some(name)
}

/// Says so on standard error, and to who counts the tests.
fn skipped(what: &str) {
    eprintln!("SKIPPED {what}");
    if let Some(log) = std::env::var_os("TPUSIM_SKIP_LOG")
        && let Ok(mut log) = std::fs::OpenOptions::new().append(true).create(true).open(log)
    {
        let _ = writeln!(log, "{what}");
    }
}

/// What pip leaves of the package beside its code, written by the package's own builder: by it JAX finds the entry point.
fn install_metadata(python: &OsString, package: &Path, folder: &Path) -> Result<(), Failed> {
    std::fs::create_dir_all(folder)?;
    let code = "import build_wheel, sys; build_wheel.prepare_metadata_for_build_wheel(sys.argv[1])";
    let output = Command::new(python).args(["-B", "-c", code]).arg(folder).current_dir(package).output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("python/build_wheel.py: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

fn run(python: &OsString, script: &Path) -> Result<(), Failed> {
    let library = library().ok_or("libtpusim is not beside the test")?;
    let text = std::fs::read_to_string(script)?;
    if let Some(name) = missing(&text) {
        skipped(&format!("{}: {name} is not set", script.display()));
        return Ok(());
    }
    let scratch = std::env::temp_dir().join(format!(
        "tpusim-client-{}-{}",
        std::process::id(),
        script.file_stem().unwrap_or_default().to_string_lossy()
    ));
    let mut command = Command::new(python);
    command.arg("-u").arg(script).stdin(Stdio::null()).env("TPUSIM_QUIET", "1");
    if text.lines().any(|l| l == "way: entry point") {
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python");
        install_metadata(python, &package, &scratch)?;
        command.env("PYTHONPATH", std::env::join_paths([package.join("src"), scratch.clone()])?);
        command.env("TPUSIM_LIBRARY", library).env("JAX_PLATFORMS", "tpusim,cpu");
        command.env_remove("TPU_LIBRARY_PATH");
    } else {
        command.env("TPU_LIBRARY_PATH", library).env("JAX_PLATFORMS", "tpu,cpu");
    }
    command.envs(environment(&text));
    let log = scratch.with_extension("log");
    let file = std::fs::File::create(&log)?;
    let mut child = command.stdout(file.try_clone()?).stderr(file).spawn()?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if start.elapsed().as_secs() > PATIENCE => {
                child.kill()?;
                child.wait()?;
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let output = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    std::fs::remove_file(&log)?;
    let _ = std::fs::remove_dir_all(&scratch); // It may not be there.
    let tail: Vec<&str> = output.lines().rev().take(60).collect();
    let tail: String = tail.into_iter().rev().map(|l| format!("{l}\n")).collect();
    match status {
        None => Err(format!("it did not end in {PATIENCE} s:\n{tail}").into()),
        Some(status) if status.success() && output.lines().any(|l| l == "ok") => Ok(()),
        Some(status) => Err(format!("{status}:\n{tail}").into()),
    }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Each takes all that there is of processors and memory.
    arguments.test_threads = Some(1);
    let Some(python) = std::env::var_os("TPUSIM_PYTHON") else {
        skipped("JAX on simulated TPUs: TPUSIM_PYTHON is not set");
        return ExitCode::SUCCESS;
    };
    let trials = scripts().into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let python = python.clone();
        Trial::test(name, move || run(&python, &path))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
