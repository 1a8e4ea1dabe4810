//! Bytecode of the shared collections reads, and is the same program as its text.

use backend::frontend::{self, Source};
use backend::runtime::{Executable, RunOptions};
use sim_core::ir::op::Op;
use sim_core::ir::{Module, same, verify};
use sim_core::{Ctx, Loc, Numerics};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// Files that are not compared, and why.
const EXCEPTIONS: [(&str, &str); 0] = [];

/// The files of a folder with this ending, without it.
fn files(dir: &Path, ending: &str) -> Vec<(PathBuf, String)> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut files: Vec<(PathBuf, String)> = entries
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            let stem = path.file_name()?.to_str()?.strip_suffix(ending)?.to_owned();
            Some((path, stem))
        })
        .collect();
    files.sort();
    files
}

/// Texts have no locations where bytecode has them, and may state what is so anyway, which bytecode
/// never does.
fn normalize(module: &mut Module) {
    module.loc = Loc::Unknown;
    module.meshes.iter_mut().for_each(|m| m.loc = Loc::Unknown);
    module.modules.iter_mut().for_each(normalize);
    for f in &mut module.functions {
        f.loc = Loc::Unknown;
        for op in &mut f.ops {
            op.loc = Loc::Unknown;
            defaults(&mut op.op);
        }
        f.values.iter_mut().for_each(|v| v.loc = Loc::Unknown);
        f.regions.iter_mut().for_each(|r| r.return_loc = Loc::Unknown);
    }
}

/// Takes out what says nothing.
fn defaults(op: &mut Op) {
    match op {
        Op::CustomCall(call) => {
            call.api_version = call.api_version.filter(|&v| v != 1);
            call.has_side_effect = call.has_side_effect.filter(|&b| b);
        }
        Op::Unary(_, accuracy) => {
            *accuracy =
                accuracy.take().filter(|a| (a.atol, a.rtol, a.ulps, &*a.mode) != (0.0, 0.0, 0, "DEFAULT"));
        }
        _ => {}
    }
}

fn read(path: &Path) -> Result<Module, String> {
    let source = frontend::read_path(path).map_err(|e| e.to_string())?;
    let mut modules = frontend::parse(&source).map_err(|e| describe(&source, &e))?;
    assert_eq!(modules.len(), 1, "{}", path.display());
    let mut module = modules.remove(0);
    normalize(&mut module);
    Ok(module)
}

fn describe(source: &Source, e: &sim_core::Diagnostic) -> String {
    format!("{}: byte {:?}: {e}", source.name(), e.span().map(|s| s.start))
}

/// Compares each pair of bytecode and text.
fn compare(pairs: impl IntoIterator<Item = (PathBuf, PathBuf)>, at_least: usize) {
    let mut failures = Vec::new();
    let mut n = 0;
    for (bytecode, text) in pairs {
        n += 1;
        let name = bytecode.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let outcome = read(&bytecode).and_then(|a| {
            let b = read(&text)?;
            same(&a, &b).map_err(|e| format!("{}: {e}", bytecode.display()))
        });
        match (outcome, EXCEPTIONS.iter().any(|(file, _)| *file == name)) {
            (Ok(()), false) | (Err(_), true) => {}
            (Ok(()), true) => failures.push(format!("{name}: an exception, and nothing is wrong with it")),
            (Err(e), false) => failures.push(e),
        }
    }
    eprintln!("{n} files, {} failures", failures.len());
    for f in failures.iter().take(60) {
        eprintln!("{f}");
    }
    assert!(failures.is_empty());
    assert!(n >= at_least, "only {n} files");
}

/// Runs a program that checks itself.
fn run(path: &Path, module: Module) {
    let numerics = Numerics::ieee();
    let options = RunOptions { numerics, ..RunOptions::default() };
    Executable::new(Arc::new(module), options)
        .and_then(|exe| exe.run(&Ctx::new(numerics, 2 << 30), Vec::new()))
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

#[test]
fn test_data() {
    let Some(shared) = shared() else { return };
    let dir = shared.join("conformance/bytecode");
    let texts = shared.join("conformance/stablehlo/testdata");
    let pairs = files(&dir, ".mlirbc").into_iter().map(|(path, stem)| {
        let name = stem.strip_prefix("td__").unwrap_or(&stem).replace("dynamic__", "dynamic/");
        (path, texts.join(format!("{name}.mlir")))
    });
    let (pairs, alone): (Vec<_>, Vec<_>) = pairs.partition(|(_, text)| text.is_file());
    for (path, _) in alone {
        let module = read(&path).unwrap_or_else(|e| panic!("{e}"));
        verify::verify_module(&module).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    // Artifacts hold no CHLO: what it stands for is in its place. Those are run instead; they check
    // themselves.
    let chlo = |text: &Path| std::fs::read_to_string(text).is_ok_and(|text| text.contains("chlo."));
    let (expanded, alike): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(_, text)| chlo(text));
    compare(alike, 400);
    for (path, _) in expanded {
        let module = read(&path).unwrap_or_else(|e| panic!("{e}"));
        if module.entry().is_some_and(|f| f.arg_types.is_empty()) {
            run(&path, module);
        }
    }
}

#[test]
fn every_version_of_vhlo() {
    let Some(shared) = shared() else { return };
    let dir = shared.join("conformance/stablehlo/tests/vhlo");
    let pairs = files(&dir, ".mlir.bc").into_iter().filter(|(_, stem)| !stem.starts_with("invalid_"));
    compare(pairs.map(|(path, stem)| (path, dir.join(format!("{stem}.mlir")))), 15);
}

#[test]
fn versions_to_come_are_refused() {
    let Some(shared) = shared() else { return };
    let path = shared.join("conformance/stablehlo/tests/vhlo/invalid_vhlo_future.mlir.bc");
    let e = read(&path).expect_err("a version that does not exist");
    for part in ["vhlo.constant_v99", "version 99", "version 1", "StableHLO_v2.0.0"] {
        assert!(e.contains(part), "{e}");
    }
}

#[test]
fn what_clients_hand_over() {
    let Some(shared) = shared() else { return };
    let dir = shared.join("clients/captured");
    let pairs = files(&dir, ".mlirbc").into_iter();
    compare(pairs.map(|(path, stem)| (path, dir.join(format!("{stem}.mlir")))), 400);
}

#[test]
fn recordings_of_real_backends() {
    let Some(shared) = shared() else { return };
    let dir = shared.join("conformance/backcompat");
    let pairs = files(&dir, ".mlirbc").into_iter();
    compare(pairs.map(|(path, stem)| (path, dir.join(format!("{stem}.mlir")))), 70);
}
