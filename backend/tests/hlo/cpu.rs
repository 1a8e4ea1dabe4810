//! The shared HLO texts that XLA:CPU can run: our values are its values, from the same random inputs.
//!
//! Integers and truth values are equal. A float may be off by 64 of its type's rounding errors at the
//! output's largest magnitude (8 for types narrower than f32): sums are in another order, and XLA's
//! elementary functions are approximations. By default every fourth file is run, with
//! `TPUSIM_HLO_CPU=all` each.

use super::{files, root, shared};
use backend::frontend::{Source, parse};
use backend::npy::Archive;
use backend::refine::refine;
use backend::runtime::{Executable, RunOptions, Value};
use sim_core::ir::verify::verify_module;
use sim_core::{Ctx, Diagnostic, ElementType, Numerics, Tensor};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// `file: reason` a line, of files that XLA:CPU does not run, or runs to other values.
fn exceptions() -> BTreeMap<&'static str, &'static str> {
    include_str!("cpu.exceptions")
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
        .map(|l| l.split_once(": ").expect("`file: reason`"))
        .collect()
}

fn numbers(t: &Tensor) -> Vec<f64> {
    use ElementType as E;
    match t.element() {
        E::F64 => t.as_slice::<f64>().to_vec(),
        E::F32 => t.as_slice::<f32>().iter().map(|&x| x.into()).collect(),
        E::C64 => {
            t.bytes().chunks_exact(4).map(|b| f32::from_ne_bytes(b.try_into().unwrap()).into()).collect()
        }
        E::C128 => t.bytes().chunks_exact(8).map(|b| f64::from_ne_bytes(b.try_into().unwrap())).collect(),
        E::BF16 => t.as_slice::<half::bf16>().iter().map(|x| x.to_f64()).collect(),
        E::F16 => t.as_slice::<half::f16>().iter().map(|x| x.to_f64()).collect(),
        // Compared as bits.
        _ => t.bytes().iter().map(|&b| b.into()).collect(),
    }
}

/// The first element that is further off than its type allows.
fn departs(want: &Tensor, got: &Tensor) -> Option<String> {
    if (want.element(), want.shape()) != (got.element(), got.shape()) {
        return Some(format!("{} instead of {}", got.ty(), want.ty()));
    }
    let (a, b) = (numbers(want), numbers(got));
    let allowed = match want.element() {
        ElementType::F64 | ElementType::C128 => 64.0 * f64::EPSILON,
        ElementType::F32 | ElementType::C64 => 64.0 * f64::from(f32::EPSILON),
        ElementType::BF16 => 8.0 / 256.0,
        ElementType::F16 => 8.0 / 2048.0,
        _ => 0.0,
    };
    let largest = a.iter().filter(|x| x.is_finite()).fold(0f64, |m, x| m.max(x.abs()));
    let same = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= allowed * largest;
    let at = a.iter().zip(&b).position(|(&x, &y)| !same(x, y))?;
    Some(format!("[{at}]: {} instead of {}", b[at], a[at]))
}

/// What is wrong, if anything. Sizes known at run time only are worked out before, if `refined`.
pub(super) fn compare(text: &str, recorded: &Path, refined: bool) -> Result<Option<String>, Diagnostic> {
    let numerics = Numerics::ieee();
    let ctx = Ctx::new(numerics, 4 << 30);
    let mut modules = parse(&Source::from_bytes("m.hlo", text.as_bytes()))?;
    let mut module = modules.remove(0);
    verify_module(&module)?;
    if refined
        && let Some(entry) = module.entry()
        && let Some(body) = entry.body
    {
        // As the command line does.
        let types: Vec<_> = entry.region(body).args.iter().map(|&v| entry.ty(v).clone()).collect();
        module = refine(&module, None, &types, &ctx)?.module;
    }
    let module = Arc::new(module);
    let exe = Executable::new(module, RunOptions { numerics, ..RunOptions::default() })?;
    let (arguments, results) = exe.signature();
    let mut archive = Archive::open(recorded)?;
    let mut read = |prefix: &str, types: &[sim_core::Type]| {
        types
            .iter()
            .enumerate()
            .map(|(n, ty)| {
                let name = format!("{prefix}{n}");
                let at = archive.entries().iter().position(|e| e.name == name);
                let at = at.ok_or_else(|| Diagnostic::invalid(format!("XLA has no {name}")))?;
                let element = ty.as_tensor().map_or(ElementType::F32, |t| t.element);
                archive.read(at, element, &ctx)
            })
            .collect::<Result<Vec<Tensor>, Diagnostic>>()
    };
    let (inputs, expected) = (read("in", arguments)?, read("out", results)?);
    let got = exe.run(&ctx, inputs)?.into_iter().map(Value::tensor).collect::<Result<Vec<_>, _>>()?;
    for (n, (want, got)) in expected.iter().zip(&got).enumerate() {
        if let Some(what) = departs(want, got) {
            return Ok(Some(format!("output {n} {what}")));
        }
    }
    Ok(None)
}

/// A Python with JAX.
pub(super) fn python() -> Option<OsString> {
    let python = std::env::var_os("TPUSIM_PYTHON");
    if python.is_none() {
        eprintln!("SKIPPED running HLO beside XLA:CPU: TPUSIM_PYTHON is not set");
        if let Some(path) = std::env::var_os("TPUSIM_SKIP_LOG")
            && let Ok(mut log) = std::fs::OpenOptions::new().append(true).create(true).open(path)
        {
            let _ = std::io::Write::write_all(&mut log, b"HLO beside XLA:CPU: TPUSIM_PYTHON is not set\n");
        }
    }
    python
}

/// Runs HLO texts on XLA:CPU. For each, `folder` then has `NAME.npz`, or `NAME.txt`, which says why not.
pub(super) fn record(python: &OsStr, folder: &Path, files: impl Iterator<Item = PathBuf>) {
    let _ = std::fs::remove_dir_all(folder);
    let script = root().join("backend/tests/scripts/hlo_on_cpu.py");
    let status = Command::new(python).arg(script).arg(folder).args(files).status().unwrap();
    assert!(status.success());
}

#[test]
fn xla_on_the_cpu_gives_the_same() {
    let (Some(files), Some(shared)) = (files(), shared()) else { return };
    let Some(python) = python() else { return };
    let all = std::env::var("TPUSIM_HLO_CPU").is_ok_and(|v| v == "all");
    let chosen: Vec<&(String, String)> = files
        .iter()
        .filter(|(name, _)| name.starts_with("hlo/"))
        .enumerate()
        .filter(|(n, _)| all || n % 4 == 0)
        .map(|(_, file)| file)
        .collect();
    let folder = std::env::var_os("TPUSIM_HLO_CPU_RECORDED").map_or_else(
        || {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hlo_cpu");
            record(&python, &folder, chosen.iter().map(|(name, _)| shared.join(name)));
            folder
        },
        Into::into,
    );
    let exceptions = exceptions();
    let (mut wrong, mut same) = (Vec::new(), 0);
    for (name, text) in chosen {
        let base = name.rsplit('/').next().unwrap_or_default();
        let recorded = folder.join(format!("{base}.npz"));
        let problem = if recorded.exists() {
            compare(text, &recorded, false).unwrap_or_else(|e| Some(format!("here: {e}")))
        } else {
            let why = std::fs::read_to_string(folder.join(format!("{base}.txt"))).unwrap_or_default();
            if why.contains("takes more than") {
                // That is for the machine to say, not for a list.
                eprintln!("{name}: XLA:CPU {why}");
                continue;
            }
            Some(format!("XLA:CPU: {why}"))
        };
        match (problem, exceptions.get(name.as_str())) {
            (None, None) => same += 1,
            (None, Some(_)) => wrong.push(format!("{name}: is the same: take its exception out")),
            (Some(what), Some(reason)) if what.contains(reason) => {}
            (Some(what), _) => wrong.push(format!("{name}: {}", what.replace('\n', " "))),
        }
    }
    eprintln!("{same} files give what XLA:CPU gives");
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
    assert!(same >= 30, "{same} only");
}
