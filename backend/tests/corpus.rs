//! Every MLIR text of the shared collections parses.

use backend::frontend::{self, Source};
use std::path::{Path, PathBuf};

/// `../shared` beside the workspace, or what `TPUSIM_SHARED` says. `None`, with a word on stderr, when it is not there.
fn shared() -> Option<PathBuf> {
    let path = match std::env::var_os("TPUSIM_SHARED") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
    };
    if path.join("conformance").is_dir() {
        return Some(path);
    }
    eprintln!("SKIPPED: no test data at {} (set TPUSIM_SHARED)", path.display());
    None
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "mlir") {
            files.push(path);
        }
    }
}

/// Files that do not parse, and why.
const EXCEPTIONS: [(&str, &str); 7] = [
    ("mosaic_torch_1.mlir", "a Mosaic kernel (dialect stable_mosaic), not a StableHLO program"),
    ("mosaic_torch_2.mlir", "a Mosaic kernel"),
    ("mosaic_torch_3.mlir", "a Mosaic kernel"),
    ("mosaic_torch_4.mlir", "a Mosaic kernel"),
    ("mosaic_torch_5.mlir", "a Mosaic kernel"),
    ("invalid_vhlo_future.mlir", "must be refused: an operation of a version that does not exist"),
    (
        "stablehlo_legalize_to_vhlo_mixed.mlir",
        "mixes in the arith dialect, to test that VHLO leaves it alone",
    ),
];

#[test]
fn every_text_parses() {
    let Some(shared) = shared() else { return };
    let mut files = Vec::new();
    for dir in ["conformance", "clients", "oracle"] {
        collect(&shared.join(dir), &mut files);
    }
    files.sort();
    assert!(files.len() > 1000, "only {} files", files.len());
    let mut failures = Vec::new();
    for path in &files {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let expected = EXCEPTIONS.iter().find(|(file, _)| *file == name);
        let source = frontend::read_path(path).expect("readable");
        match (frontend::parse(&source), expected) {
            (Ok(_), None) | (Err(_), Some(_)) => {}
            (Ok(_), Some(_)) => {
                failures.push(format!("{}: parses, though it is an exception", path.display()))
            }
            (Err(e), None) => failures.push(describe(&source, &e)),
        }
    }
    eprintln!("{} files, {} failures", files.len(), failures.len());
    for f in failures.iter().take(60) {
        eprintln!("{f}");
    }
    assert!(failures.is_empty());
}

fn describe(source: &Source, e: &sim_core::Diagnostic) -> String {
    let at = e.span().map_or(0, |s| s.start);
    let (line, col) = source.line_col(at);
    let text: String = source.line_text(at).chars().take(150).collect();
    format!("{}:{line}:{col}: {e}\n    {text}", source.name())
}
