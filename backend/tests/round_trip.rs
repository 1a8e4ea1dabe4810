//! What we read, we print; what we print, we read back as the same module; and JAX's own parser
//! reads it too.

use backend::frontend::{Source, parse, read_path};
use rayon::prelude::*;
use sim_core::ir::{Module, print::Options, same};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The forms that must read back.
const FORMS: [(&str, Options); 2] = [
    ("pretty", Options { elide_large: None, locations: true, generic: false }),
    ("generic", Options { elide_large: None, locations: true, generic: true }),
];

/// The workspace's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// `../shared`, or where `TPUSIM_SHARED` says.
fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("TPUSIM_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    path.is_dir().then_some(path)
}

/// All `.mlir` files below a folder, sorted.
fn mlir_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            mlir_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "mlir") {
            files.push(path);
        }
    }
}

/// Every module of the shared files, with the name of its file and its number there. Files that our
/// frontend refuses are another test's business.
fn modules() -> Option<Vec<(String, Module)>> {
    let shared = shared()?;
    let mut files = Vec::new();
    for folder in ["conformance", "clients", "oracle"] {
        mlir_files(&shared.join(folder), &mut files);
    }
    let read: Vec<Vec<(String, Module)>> = files
        .par_iter()
        .map(|path| {
            let name = path.strip_prefix(&shared).unwrap_or(path).display().to_string();
            let modules = read_path(path).and_then(|source| parse(&source)).unwrap_or_default();
            modules.into_iter().enumerate().map(|(i, m)| (format!("{name}#{i}"), m)).collect()
        })
        .collect();
    let unread = read.iter().filter(|m| m.is_empty()).count();
    assert!(unread * 20 <= files.len(), "{unread} of {} files cannot be read", files.len());
    Some(read.into_iter().flatten().collect())
}

fn read_back(name: &str, text: String) -> Result<Module, String> {
    let source = Source::from_bytes(name, text);
    let mut modules = parse(&source).map_err(|e| format!("does not read back: {e}"))?;
    match modules.len() {
        1 => Ok(modules.remove(0)),
        n => Err(format!("reads back as {n} modules")),
    }
}

fn round_trip(name: &str, module: &Module, options: Options) -> Result<(), String> {
    let text = module.display(options).to_string();
    let back = read_back(name, text.clone()).map_err(|e| format!("{e}\n{}", excerpt(&text)))?;
    same(module, &back)?;
    if back.display(options).to_string() != text {
        return Err("prints otherwise the second time".into());
    }
    Ok(())
}

fn excerpt(text: &str) -> String {
    text.lines().take(40).map(|l| l.chars().take(300).collect::<String>() + "\n").collect()
}

#[test]
fn text_to_module_to_text_is_the_identity() {
    let Some(modules) = modules() else {
        return eprintln!("SKIPPED round trips of the shared files: no ../shared (set TPUSIM_SHARED)");
    };
    let failures: Vec<String> = modules
        .par_iter()
        .flat_map_iter(|(name, module)| {
            FORMS.iter().filter_map(move |(form, options)| {
                round_trip(name, module, *options).err().map(|e| format!("{name}, {form}: {e}"))
            })
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} failures in {} modules, the first of them:\n{}",
        failures.len(),
        modules.len(),
        failures[..failures.len().min(10)].join("\n")
    );
}

/// Python with JAX: `TPUSIM_PYTHON`, or the workspace's `.venv`.
fn python() -> Option<PathBuf> {
    let path =
        std::env::var_os("TPUSIM_PYTHON").map_or_else(|| root().join(".venv/bin/python"), PathBuf::from);
    path.is_file().then_some(path)
}

#[test]
fn jax_reads_what_we_print() {
    let (Some(modules), Some(python)) = (modules(), python()) else {
        return eprintln!(
            "SKIPPED reading our text with JAX: no ../shared (set TPUSIM_SHARED) or no .venv/bin/python (set TPUSIM_PYTHON)"
        );
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("round_trip");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (name, module) in &modules {
        let name = name.replace(['/', '#'], "_");
        for (form, options) in FORMS {
            let file = folder.join(format!("{name}.{form}.mlir"));
            std::fs::write(file, module.display(options).to_string()).unwrap();
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/jax_reads.py");
    let output = Command::new(python).arg(script).arg(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let refused = String::from_utf8_lossy(&output.stdout);
    assert!(
        refused.is_empty(),
        "JAX refuses {} of the texts of {} modules (in {}):\n{refused}",
        refused.lines().count(),
        modules.len(),
        folder.display()
    );
}
