//! Verification against programs that are known to be valid (StableHLO's own tests, programs that
//! JAX and PyTorch handed over) and programs that break one rule each (`tests/fail/*.mlir`, whose
//! first line says which: `// error: …`).

use backend::frontend;
use sim_core::Diagnostic;
use sim_core::ir::verify::verify_module;
use std::fs;
use std::path::{Path, PathBuf};

/// The shared test data: `$TPUSIM_SHARED`, or `shared` beside the workspace.
fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("TPUSIM_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"));
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("SKIPPED: no shared test data at {} (set TPUSIM_SHARED)", path.display());
    None
}

/// All files below a folder whose name ends so.
fn files(root: &Path, suffix: &str) -> Vec<PathBuf> {
    let (mut found, mut todo) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.file_name().is_some_and(|n| n.to_string_lossy().ends_with(suffix)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Reads and verifies every module in a file.
fn check(path: &Path) -> Result<usize, Diagnostic> {
    let modules = frontend::parse(&frontend::read_path(path)?)?;
    modules.iter().try_for_each(verify_module)?;
    Ok(modules.len())
}

/// Every file is accepted, but for those that are meant not to be.
fn accepts(folder: &str, suffix: &str, but: impl Fn(&str) -> bool) {
    let Some(shared) = shared() else { return };
    let files = files(&shared.join(folder), suffix);
    assert!(!files.is_empty(), "no {suffix} files in {folder}");
    let mut wrong = Vec::new();
    for path in &files {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if but(&name) {
            continue;
        }
        if let Err(e) = check(path) {
            wrong.push(format!("{}: {e}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

#[test]
fn accepts_stablehlos_test_data() {
    accepts("conformance/stablehlo/testdata", ".mlir", |_| false);
}

#[test]
fn accepts_the_reference_interpreters_tests() {
    accepts("conformance/stablehlo/tests/interpret", ".mlir", |_| false);
}

#[test]
fn accepts_the_versioned_tests() {
    // `stablehlo_legalize_to_vhlo_mixed` has operations of `arith`, which are not StableHLO.
    let refused =
        |name: &str| name.starts_with("invalid_") || name == "stablehlo_legalize_to_vhlo_mixed.mlir";
    accepts("conformance/stablehlo/tests/vhlo", ".mlir", refused);
}

#[test]
fn accepts_recorded_modules() {
    accepts("conformance/backcompat", ".mlir", |_| false);
}

#[test]
fn accepts_captured_programs() {
    // `mosaic_*` are the kernels inside custom calls, in a dialect of their own.
    accepts("clients/captured", ".mlir", |name| name.starts_with("mosaic_"));
}

#[test]
fn accepts_the_compilers_corpus() {
    accepts("oracle/corpus", ".stablehlo.mlir", |_| false);
}

#[test]
fn refuses_what_breaks_a_rule() {
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fail"), ".mlir");
    assert!(files.len() > 100);
    let mut wrong = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).expect("a file just listed");
        let want = text.lines().next().and_then(|l| l.strip_prefix("// error: ")).unwrap_or("nothing");
        let name = path.display();
        match check(path) {
            Ok(_) => wrong.push(format!("{name}: accepted, expected {want}")),
            Err(e) if !e.to_string().contains(want) => {
                wrong.push(format!("{name}: expected {want}\n  got {e}"))
            }
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}
