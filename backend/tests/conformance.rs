//! StableHLO's own test data and interpreter tests, one test a file.
//!
//! A file whose RUN line says it is run is run, under `--numerics ieee`, and must pass the checks it
//! carries; the others must parse, verify and print. The exceptions are in `conformance.exceptions`,
//! each with its reason; an exception that passes is a failure too, so the list stays true.
//!
//! Beside them, `golden/*.mlir`: programs whose values real TPUs printed (`golden/make.py` says
//! where), run under `--numerics tpu`, to the bit; and `regress/*.mlir`: programs that once went wrong.

use backend::frontend;
use backend::runtime::{Executable, RunOptions};
use libtest_mimic::{Arguments, Failed, Trial};
use sim_core::{Ctx, Numerics};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Memory a test program may use.
const LIMIT: u64 = 2 << 30;

fn shared() -> Option<PathBuf> {
    let root = match std::env::var_os("TPUSIM_SHARED") {
        Some(dir) => PathBuf::from(dir),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
    };
    let dir = root.join("conformance/stablehlo");
    dir.is_dir().then_some(dir)
}

/// `path: reason` lines; `#` starts a comment.
fn exceptions() -> HashMap<String, String> {
    include_str!("conformance.exceptions")
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .map(|l| {
            let (path, reason) = l.split_once(": ").expect("conformance.exceptions: path: reason");
            (path.to_owned(), reason.to_owned())
        })
        .collect()
}

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("a readable folder").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "mlir") {
            out.push(path);
        }
    }
}

fn check(path: &Path, name: &str, numerics: Numerics) -> Result<(), String> {
    let source = frontend::read_path(path).map_err(|e| e.to_string())?;
    let text = source.text().map_err(|e| e.to_string())?;
    let modules = frontend::parse(&source).map_err(|e| {
        let (line, col) = source.line_col(e.span().map_or(0, |s| s.start));
        format!("{line}:{col}: {e}")
    })?;
    let runs = ["golden", "regress"].iter().any(|own| name.starts_with(own))
        || !name.starts_with("tests/vhlo")
            && text.lines().any(|l| l.contains("RUN:") && l.contains("--interpret"));
    for (i, module) in modules.into_iter().enumerate() {
        let at = |e: sim_core::Diagnostic| {
            let (line, col) = source.line_col(e.span().map_or(0, |s| s.start));
            format!("module {i}, {line}:{col}: {e}")
        };
        // VHLO's own tests hold operations that only have to be written down rightly.
        if !name.starts_with("tests/vhlo") {
            sim_core::ir::verify::verify_module(&module).map_err(at)?;
        }
        let _ = module.to_string();
        let takes_nothing = module.entry().is_some_and(|f| f.arg_types.is_empty());
        if runs && takes_nothing {
            let options = RunOptions { numerics, ..RunOptions::default() };
            let exe = Executable::new(Arc::new(module), options).map_err(at)?;
            exe.run(&Ctx::new(numerics, LIMIT), Vec::new()).map_err(at)?;
        }
    }
    Ok(())
}

/// Our own files in a folder of this one.
fn own(folder: &'static str, numerics: Numerics) -> Vec<Trial> {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder), &mut paths);
    paths
        .into_iter()
        .map(|path| {
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            Trial::test(name.clone(), move || Ok(check(&path, &name, numerics)?))
        })
        .collect()
}

fn main() {
    let args = Arguments::from_args();
    let mut trials = own("golden", Numerics::tpu());
    trials.extend(own("regress", Numerics::ieee()));
    match shared() {
        Some(dir) => trials.extend(conformance(dir)),
        None => {
            eprintln!("SKIPPED: conformance: no shared/conformance/stablehlo (set TPUSIM_SHARED)");
            trials.push(Trial::test("shared data is absent", || Ok(())).with_ignored_flag(true));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

fn conformance(dir: PathBuf) -> Vec<Trial> {
    let exceptions = Arc::new(exceptions());
    let mut paths = Vec::new();
    files(&dir, &mut paths);
    paths
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&dir).expect("inside").to_string_lossy().replace('\\', "/");
            let exceptions = exceptions.clone();
            let refused = name.contains("/invalid_");
            Trial::test(name.clone(), move || {
                match (check(&path, &name, Numerics::ieee()), exceptions.get(&name)) {
                    (Err(_), _) if refused => Ok(()),
                    (Ok(()), _) if refused => Err("must be refused, and is not".into()),
                    (Ok(()), None) | (Err(_), Some(_)) => Ok(()),
                    (Err(e), None) => Err(Failed::from(e)),
                    (Ok(()), Some(_)) => {
                        Err("passes, but is listed in conformance.exceptions: take it out".into())
                    }
                }
            })
        })
        .collect()
}
