//! Exports of JAX with symbolic shapes: refined for the shapes of their inputs they are static, and
//! give what the export gives as it is, and what JAX gives.
//!
//! The functions are in `scripts/jax_polymorphic.py`. Without `TPUSIM_PYTHON` (a Python with the
//! packages of `xtask/requirements.txt`) the test is skipped.

use backend::frontend;
use backend::npy::Archive;
use backend::refine::{is_dynamic, refine};
use backend::runtime::{Executable, RunOptions, Value};
use half::bf16;
use sim_core::ir::Module;
use sim_core::ir::verify::verify_module;
use sim_core::{Ctx, ElementType, Numerics, Result, Tensor, Type};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Relative and absolute: sums are taken in other orders than XLA's.
const TOLERANCE: f64 = 2e-5;

fn run(module: &Module, inputs: &[Tensor], ctx: &Ctx) -> Result<Vec<Tensor>> {
    let options = RunOptions { numerics: ctx.numerics, ..RunOptions::default() };
    let exe = Executable::new(Arc::new(module.clone()), options)?;
    exe.run(ctx, inputs.to_vec())?.into_iter().map(Value::tensor).collect()
}

fn element(archive: &Archive, at: usize, declared: Option<&Type>) -> ElementType {
    let declared = declared.and_then(Type::as_tensor).map(|t| t.element);
    let descr = &archive.entries()[at].header.descr;
    declared.filter(|&e| descr.holds(e)).unwrap_or(ElementType::F32)
}

/// The arrays `in0`, `in1`, … or `out0`, …, as the types of the signature.
fn arrays(archive: &mut Archive, prefix: &str, types: &[Type], ctx: &Ctx) -> Result<Vec<Tensor>> {
    let mut out = Vec::new();
    while let Some(at) = archive.entries().iter().position(|e| e.name == format!("{prefix}{}", out.len())) {
        let element = element(archive, at, types.get(out.len()));
        out.push(archive.read(at, element, ctx)?);
    }
    Ok(out)
}

fn numbers(t: &Tensor) -> Vec<f64> {
    match t.element() {
        ElementType::F32 => t.as_slice::<f32>().iter().map(|&x| f64::from(x)).collect(),
        ElementType::BF16 => t.as_slice::<bf16>().iter().map(|&x| f64::from(f32::from(x))).collect(),
        _ => t.to_i64s().into_iter().map(|n| n as f64).collect(),
    }
}

/// The first element that is not close.
fn difference(a: &Tensor, b: &Tensor) -> Option<String> {
    if a.shape() != b.shape() || a.element() != b.element() {
        return Some(format!("{} instead of {}", a.ty(), b.ty()));
    }
    let (a, b) = (numbers(a), numbers(b));
    // Large sums of small terms: what counts is the size of the whole.
    let scale = b.iter().fold(1.0f64, |m, x| if x.is_finite() { m.max(x.abs()) } else { m });
    let close = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= TOLERANCE * scale;
    let at = (0..a.len()).find(|&i| !close(a[i], b[i]))?;
    Some(format!("element {at} is {}, JAX has {}", a[at], b[at]))
}

fn check(export: &Path, inputs: &Path, ctx: &Ctx) -> std::result::Result<(), String> {
    let text = |e: sim_core::Diagnostic| e.to_string();
    let module = frontend::parse(&frontend::read_path(export).map_err(text)?).map_err(text)?.remove(0);
    verify_module(&module).map_err(text)?;
    if !is_dynamic(&module) {
        return Err("the export is not dynamic".to_owned());
    }
    let main = module.entry().ok_or("no entry")?;
    let mut archive = Archive::open(inputs).map_err(text)?;
    let values = arrays(&mut archive, "in", &main.arg_types, ctx).map_err(text)?;
    let expected = arrays(&mut archive, "out", &main.result_types, ctx).map_err(text)?;
    let types: Vec<Type> = values.iter().map(Tensor::ty).collect();
    let refined = refine(&module, None, &types, ctx).and_then(|r| r.static_module()).map_err(text)?;
    verify_module(&refined).map_err(text)?;
    if is_dynamic(&refined) {
        return Err("the refined module is dynamic".to_owned());
    }
    if let Some(op) = refined.functions.iter().flat_map(|f| &f.ops).find(|op| {
        op.name().contains("dynamic_")
            && !["stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"].contains(&op.name())
    }) {
        return Err(format!("{} is left", op.name()));
    }
    let dynamic = run(&module, &values, ctx).map_err(|e| format!("as it is: {e}"))?;
    let got = run(&refined, &values, ctx).map_err(|e| format!("refined: {e}"))?;
    if got.len() != expected.len() {
        return Err(format!("{} results, JAX has {}", got.len(), expected.len()));
    }
    for (i, (got, expected)) in got.iter().zip(&expected).enumerate() {
        if let Some(d) = difference(got, expected) {
            return Err(format!("result {i}: {d}"));
        }
        if let Some(d) = difference(&dynamic[i], expected) {
            return Err(format!("result {i}, as it is: {d}"));
        }
    }
    Ok(())
}

#[test]
fn exports_of_jax_refine_and_agree() {
    let Some(python) = std::env::var_os("TPUSIM_PYTHON") else {
        eprintln!("SKIPPED polymorphic: TPUSIM_PYTHON is not set");
        if let Some(path) = std::env::var_os("TPUSIM_SKIP_LOG")
            && let Ok(mut log) = std::fs::OpenOptions::new().append(true).create(true).open(path)
        {
            let _ = writeln!(log, "polymorphic: TPUSIM_PYTHON is not set");
        }
        return;
    };
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("polymorphic");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/jax_polymorphic.py");
    let made = Command::new(python).arg(script).arg(&dir).output().unwrap();
    let (said, errors) = (String::from_utf8_lossy(&made.stdout), String::from_utf8_lossy(&made.stderr));
    assert!(made.status.success() && said.is_empty(), "{said}{errors}");

    let ctx = Ctx::new(Numerics::ieee(), 1 << 30);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let (mut runs, mut wrong) = (0, Vec::new());
    for inputs in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "npz")) {
        // NAME.k.npz belongs to NAME.bin.
        let export = inputs.with_extension("").with_extension("bin");
        runs += 1;
        if let Err(e) = check(&export, inputs, &ctx) {
            wrong.push(format!("{}: {e}", inputs.file_name().unwrap().display()));
        }
    }
    println!("{runs} runs");
    assert!(runs > 200, "only {runs} runs");
    assert!(wrong.is_empty(), "{} of {runs}:\n{}", wrong.len(), wrong.join("\n"));
}
