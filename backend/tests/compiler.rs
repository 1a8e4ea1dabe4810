//! The compiler: what each pass does, in `compiler/*.hlo`, and that values stay.
//!
//! A filetest (`compiler/*.mlir`)`s first line is `// compile: CHIP [PASS]`. Behind the program follows, as comments (`// => `), the module after that pass, or
//! the whole compiled program, without the parts that say where an instruction comes from. `TPUSIM_BLESS=1` writes that part.

#[path = "compiler/expanded/mod.rs"]
mod expanded;
#[path = "compiler/random/mod.rs"]
mod random;

use backend::compiler;
use backend::frontend::hlo::export::export_as_written;
use backend::frontend::hlo::import::import;
use backend::frontend::{self, ParseOptions, Source, parse, read_path};
use backend::runtime::{Executable, RunOptions, Value};
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use sim_core::ir::Module;
use sim_core::{Ctx, ElementType, Numerics, Tensor, Type};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

const RESULT: &str = "// => ";

fn outcome(header: &str, program: &str) -> String {
    let words: Vec<&str> =
        header.strip_prefix("// compile:").expect("`// compile:` first").split_whitespace().collect();
    let chip = Chip::named(words[0]).expect("a known chip");
    let wanted = words.get(1).map(|name| compiler::pass(name).expect("a known pass").name);
    let source = Source::from_bytes("program", program);
    let module = match frontend::parse_hlo(&source, &ParseOptions::default()).expect("it reads") {
        Some(mut modules) => modules.remove(0),
        None => export_as_written(&parse(&source).expect("it reads")[0]).expect("it is HLO"),
    };
    let mut after = String::new();
    let mut seen = |pass: &compiler::Pass, module: &HloModule| {
        if Some(pass.name) == wanted {
            after = module.to_string();
        }
    };
    let text = match compiler::compile(module, chip, &mut seen) {
        Ok(module) if wanted.is_none() => module.to_string(),
        Ok(_) => after,
        Err(e) => return format!("error: {e}\n"),
    };
    // Applied computations say nothing of passes; the header is long.
    text.lines().filter(|l| !l.is_empty() && !l.starts_with("HloModule")).map(|l| format!("{l}\n")).collect()
}

#[test]
fn passes_do_what_their_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiler");
    let bless = std::env::var_os("TPUSIM_BLESS").is_some();
    let mut failures = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    assert!(files.len() >= 8, "the folder of filetests");
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let program: String =
            text.lines().filter(|l| !l.starts_with(RESULT.trim_end())).map(|l| format!("{l}\n")).collect();
        let got: String = outcome(text.lines().next().unwrap_or_default(), &program)
            .lines()
            .map(|l| format!("{RESULT}{l}\n"))
            .collect();
        let whole = format!("{}\n\n{got}", program.trim_end());
        if bless {
            std::fs::write(&path, whole).unwrap();
        } else if whole != text {
            failures.push(format!("{}:\n{got}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}\n(TPUSIM_BLESS=1 takes what comes)", failures.join("\n"));
}

/// Loops that are in each other twice are looked at once each, however many ways lead to them.
#[test]
fn computations_are_looked_at_once() {
    let mut text = String::from(
        "HloModule m\n\n%c (p: (s32[])) -> pred[] {\n  %p = (s32[]) parameter(0)\n  %g = s32[] get-tuple-element(%p), index=0\n  \
         %k = s32[] constant(1)\n  ROOT %l = pred[] compare(%g, %k), direction=LT\n}\n\n%b0 (p0: (s32[])) -> (s32[]) {\n  \
         ROOT %p0 = (s32[]) parameter(0)\n}\n\n",
    );
    for k in 1..60 {
        let inner = k - 1;
        text += &format!(
            "%b{k} (p{k}: (s32[])) -> (s32[]) {{\n  %p{k} = (s32[]) parameter(0)\n  %w{k} = (s32[]) while(%p{k}), condition=%c, body=%b{inner}\n  \
             ROOT %x{k} = (s32[]) while(%w{k}), condition=%c, body=%b{inner}\n}}\n\n"
        );
    }
    text += "ENTRY %e (pe: (s32[])) -> (s32[]) {\n  %pe = (s32[]) parameter(0)\n  ROOT %we = (s32[]) while(%pe), condition=%c, body=%b59\n}\n";
    let module = frontend::parse_hlo(&Source::from_bytes("m", text), &ParseOptions::default())
        .unwrap()
        .unwrap()
        .remove(0);
    let compiled = compiler::compile(module, Chip::named("v6e").unwrap(), &mut |_, _| {}).unwrap();
    assert!(compiled.is_scheduled());
}

#[test]
fn every_pass_is_documented() {
    let document = include_str!("../../docs/compiler.md");
    for pass in compiler::PASSES {
        assert!(
            document.contains(&format!("| `{}` |", pass.name)),
            "docs/compiler.md tells nothing of {}",
            pass.name
        );
    }
}

/// `../shared`, or where `TPUSIM_SHARED` says.
fn shared() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path = std::env::var_os("TPUSIM_SHARED").map_or(here, PathBuf::from);
    path.is_dir().then_some(path)
}

/// A small value of each type, another at each place: most programs make sense of them.
fn tensor(element: ElementType, shape: &[usize], seed: usize) -> Option<Tensor> {
    let n: usize = shape.iter().product();
    let at = |i: usize| (i.wrapping_mul(2_654_435_761).wrapping_add(seed * 97) >> 7) % 1000;
    let unit = |i: usize| at(i) as f32 / 500.0 - 1.0;
    Some(match element {
        ElementType::F32 => Tensor::from_slice(shape, &(0..n).map(unit).collect::<Vec<f32>>()),
        ElementType::F64 => {
            Tensor::from_slice(shape, &(0..n).map(|i| f64::from(unit(i))).collect::<Vec<f64>>())
        }
        ElementType::BF16 => {
            Tensor::from_slice(shape, &(0..n).map(|i| half::bf16::from_f32(unit(i))).collect::<Vec<_>>())
        }
        ElementType::F16 => {
            Tensor::from_slice(shape, &(0..n).map(|i| half::f16::from_f32(unit(i))).collect::<Vec<_>>())
        }
        ElementType::S32 => {
            Tensor::from_slice(shape, &(0..n).map(|i| (at(i) % 10) as i32).collect::<Vec<_>>())
        }
        ElementType::S64 => {
            Tensor::from_slice(shape, &(0..n).map(|i| (at(i) % 10) as i64).collect::<Vec<_>>())
        }
        ElementType::U32 => {
            Tensor::from_slice(shape, &(0..n).map(|i| (at(i) % 10) as u32).collect::<Vec<_>>())
        }
        ElementType::S8 => Tensor::from_slice(shape, &(0..n).map(|i| (at(i) % 10) as i8).collect::<Vec<_>>()),
        ElementType::U8 => Tensor::from_slice(shape, &(0..n).map(|i| (at(i) % 10) as u8).collect::<Vec<_>>()),
        ElementType::Pred => {
            Tensor::from_slice_as(element, shape, &(0..n).map(|i| (at(i) % 2) as u8).collect::<Vec<u8>>())
        }
        _ => return None,
    })
}

fn inputs(module: &Module) -> Option<Vec<Tensor>> {
    let entry = module.entry()?;
    let one = |(n, ty): (usize, &Type)| match ty {
        Type::Tensor(t) => {
            let shape: Option<Vec<usize>> =
                t.dims.iter().map(|d| usize::try_from(d.as_static()?).ok()).collect();
            let shape = shape.filter(|s| s.iter().product::<usize>() <= 1 << 20)?;
            tensor(t.element, &shape, n)
        }
        _ => None,
    };
    entry.arg_types.iter().enumerate().map(one).collect()
}

fn run(module: Module, inputs: Vec<Tensor>) -> Result<Vec<Tensor>, String> {
    let options = RunOptions { numerics: Numerics::ieee(), max_steps: 300, ..RunOptions::default() };
    let exe = Executable::new(Arc::new(module), options).map_err(|e| e.to_string())?;
    let values = exe.run(&Ctx::new(Numerics::ieee(), 2 << 30), inputs).map_err(|e| e.to_string())?;
    let arrays = values.into_iter().filter_map(|v| match v {
        Value::Tensor(t) => Some(t),
        _ => None,
    });
    Ok(arrays.collect())
}

fn floats(t: &Tensor) -> Option<Vec<f64>> {
    Some(match t.element() {
        ElementType::F32 => t.as_slice::<f32>().iter().map(|&x| x.into()).collect(),
        ElementType::F64 => t.as_slice::<f64>().to_vec(),
        ElementType::BF16 => t.as_slice::<half::bf16>().iter().map(|&x| x.into()).collect(),
        ElementType::F16 => t.as_slice::<half::f16>().iter().map(|&x| x.into()).collect(),
        _ => return None,
    })
}

/// Sums may come in another order, and bf16 be rounded elsewhere; nothing else.
fn alike(a: &Tensor, b: &Tensor) -> bool {
    if a.element() != b.element() || a.shape() != b.shape() {
        return false;
    }
    let Some((x, y)) = floats(a).zip(floats(b)) else { return a.bytes() == b.bytes() };
    let tolerance = match a.element() {
        ElementType::BF16 => 0.02,
        ElementType::F16 => 0.004,
        ElementType::F32 => 1e-4,
        _ => 1e-9,
    };
    let scale = x.iter().filter(|v| v.is_finite()).fold(0.0f64, |m, v| m.max(v.abs()));
    x.iter().zip(&y).all(|(x, y)| {
        x.to_bits() == y.to_bits()
            || x.is_nan() && y.is_nan()
            || (x - y).abs() <= tolerance * (x.abs() + 0.1 * scale)
    })
}

/// Its values are computed at once, without optimization of this test.
fn is_small(hlo: &HloModule) -> bool {
    let values = |i: &sim_core::hlo::Instruction| {
        let array = i.shape.as_array();
        array.map_or(0.0, |a| a.dims.iter().filter_map(|d| d.as_static()).fold(1.0, |n, d| n * d as f64))
    };
    let all = hlo.computations.iter().flat_map(|c| &c.instructions);
    all.clone().count() < 600 && all.map(values).sum::<f64>() < 200_000.0
}

/// `None`: there is nothing to compare.
fn values_stay(path: &Path, chips: &[&str]) -> Option<Result<(), String>> {
    let source = read_path(path).ok()?;
    let module = parse(&source).ok().filter(|m| m.len() == 1)?.remove(0);
    let inputs = inputs(&module)?;
    let hlo = export_as_written(&module).ok().filter(is_small)?;
    let before = run(module, inputs.clone()).ok()?;
    let check = || -> Result<(), String> {
        for chip in chips {
            let chip = Chip::named(chip).expect("a chip");
            let compiled = compiler::compile(hlo.clone(), chip, &mut |_, _| {}).map_err(|e| e.to_string())?;
            let text = compiled.to_string();
            // What is printed is read back, and is the program.
            let source = Source::from_bytes("compiled", text);
            let back = frontend::parse_hlo(&source, &ParseOptions::default()).map_err(|e| e.to_string())?;
            let back = back.and_then(|m| m.into_iter().next()).ok_or("not read as HLO")?;
            let module = import(&back).map_err(|e| e.to_string())?;
            sim_core::ir::verify::verify_module(&module).map_err(|e| e.to_string())?;
            let after = run(module, inputs.clone())?;
            if before.len() != after.len() {
                return Err(format!("{} results, and {} before", after.len(), before.len()));
            }
            if let Some(n) = before.iter().zip(&after).position(|(a, b)| !alike(a, b)) {
                return Err(format!("result {n} differs on {}", chip.name));
            }
        }
        Ok(())
    };
    Some(check())
}

fn mlir(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let small = |p: &PathBuf| {
        p.extension().is_some_and(|e| e == "mlir") && p.metadata().is_ok_and(|m| m.len() < 60_000)
    };
    let mut files: Vec<_> = entries.filter(small).collect();
    files.sort();
    files
}

/// Programs that differ, by what their names contain, and why.
const EXCEPTIONS: &[(&str, &str)] =
    &[("jit_approx_top_k", "the conversion to HLO drops `mhlo.backend_config`, which ApproxTopK needs")];

#[test]
fn values_do_not_change() {
    let Some(shared) = shared() else {
        return eprintln!("SKIPPED values of compiled programs: no ../shared (set TPUSIM_SHARED)");
    };
    let mut files = mlir(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiler"));
    files.extend(mlir(&shared.join("clients/captured")));
    // Their checks are part of the programs: those that fail are errors when they run.
    files.extend(mlir(&shared.join("conformance/stablehlo/testdata")).into_iter().step_by(4));
    // Threads of their own: a run waits for workers of rayon's pool, and must not be one.
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(outcome) = values_stay(path, &["v6e", "v7x"]) {
                        outcomes.lock().unwrap().push((path, outcome));
                    }
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap();
    outcomes.sort_by_key(|(path, _)| *path);
    let failures: Vec<String> = outcomes
        .iter()
        .filter_map(|(p, r)| Some(format!("{}: {}", p.display(), r.as_ref().err()?)))
        .collect();
    let (excepted, failures): (Vec<String>, Vec<String>) =
        failures.into_iter().partition(|f| EXCEPTIONS.iter().any(|(name, _)| f.contains(name)));
    for (name, reason) in EXCEPTIONS {
        assert!(excepted.iter().any(|f| f.contains(name)), "{name} is well now, and no exception: {reason}");
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), outcomes.len(), failures.join("\n"));
    assert!(outcomes.len() > 400, "only {} of {} programs were compared", outcomes.len(), files.len());
}

/// What JAX writes for lookups, their gradients and updates by indices, some of which are outside (`tests/indexed`), on chips that give them to
/// different units.
#[test]
fn values_of_gathers_and_scatters_do_not_change() {
    let files = mlir(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/indexed"));
    assert!(files.len() >= 40, "the folder of programs");
    let check = |path: &PathBuf| match values_stay(path, &["v5e", "v5p", "v6e", "v7x"]) {
        Some(Ok(())) => None,
        Some(Err(e)) => Some(format!("{}: {e}", path.display())),
        None => Some(format!("{}: it does not run as it is", path.display())),
    };
    let failures: Vec<String> = files.iter().filter_map(check).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Beside XLA:TPU's own dumps: program, chips, how far time, kernels and bytes of HBM may be off, and why that is more than wanted (15, 30 and 15 %).
const NEAR: &[(&str, &[&str], [f64; 3], &str)] = &[
    (
        "flux_train_qchunk",
        &["v6e"],
        [0.1, 0.3, 0.1],
        "what several kernels need is computed again in fewer of them here",
    ),
    ("flux_train_splash", &["v6e"], [0.1, 0.2, 0.1], ""),
    ("llama_decode4", &["v5e", "v6e"], [0.05, 0.3, 0.05], ""),
    ("flux_fwd_qchunk", &["v5e", "v6e"], [0.15, 0.2, 0.05], "vectors are computed in more kernels here"),
    ("resnet_bottleneck_fwd", &["v5e", "v6e"], [0.15, 0.05, 0.05], ""),
    (
        "dlrm_fwd",
        &["v5p", "v6e", "v7x"],
        [0.16, 0.3, 0.15],
        "XLA:TPU leaves more in HBM on v5p, and fetches it",
    ),
    ("moe_layer", &["v5e", "v6e", "v7x"], [0.1, 0.25, 0.25], "what lies in VMEM between ragged products"),
];

#[test]
fn programs_are_near_those_of_xla() {
    let Some(corpus) = shared().map(|s| s.join("oracle/corpus")).filter(|c| c.is_dir()) else {
        return eprintln!(
            "SKIPPED compiled programs beside XLA:TPU's: no ../shared/oracle (set TPUSIM_SHARED)"
        );
    };
    let numbers = |module: &HloModule, chip: &Chip| {
        let options = backend::time::Options { warm: true, ..Default::default() };
        let timing = backend::time::simulate(module, chip, &options).unwrap();
        let summary = timing.summary();
        // Copies beside kernels are none, in however many pieces.
        let kernels = summary
            .kernels
            .iter()
            .filter(|k| k.item.kernel.unit != backend::time::Unit::Scalar && !k.asynchronous)
            .count();
        [summary.total.us(), kernels as f64, summary.read + summary.written]
    };
    let mut failures = Vec::new();
    for (name, chips, bounds, why) in NEAR {
        let module =
            parse(&read_path(corpus.join(format!("{name}.stablehlo.mlir"))).unwrap()).unwrap().remove(0);
        let hlo = export_as_written(&module).unwrap();
        for name_of_chip in *chips {
            let chip = Chip::named(name_of_chip).unwrap();
            let dump = read_path(corpus.join(format!("{name}.{name_of_chip}.hlo.txt"))).unwrap();
            let dump = frontend::parse_hlo(&dump, &ParseOptions::default()).unwrap().unwrap().remove(0);
            let ours = numbers(&compiler::compile(hlo.clone(), chip, &mut |_, _| {}).unwrap(), chip);
            let theirs = numbers(&dump, chip);
            for (k, what) in ["time", "kernels", "bytes of HBM"].iter().enumerate() {
                let off = ours[k] / theirs[k] - 1.0;
                if off.abs() > bounds[k] {
                    failures.push(format!(
                        "{name} on {name_of_chip}: {what} {off:+.1} ({} and {}) {why}",
                        ours[k], theirs[k]
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Attention of 32,768 tokens whose scores lie in HBM: XLA:TPU refuses it on v6e, and says how much it would take.
#[test]
fn materialised_attention_does_not_fit() {
    let Some(corpus) = shared().map(|s| s.join("oracle/corpus")).filter(|c| c.is_dir()) else {
        return eprintln!("SKIPPED memory of FLUX: no ../shared/oracle (set TPUSIM_SHARED)");
    };
    let chip = Chip::named("v6e").unwrap();
    for (name, gib) in [("flux_fwd_naive", 49.96), ("flux_train_naive", 146.17)] {
        let module =
            parse(&read_path(corpus.join(format!("{name}.stablehlo.mlir"))).unwrap()).unwrap().remove(0);
        let compiled = compiler::compile(export_as_written(&module).unwrap(), chip, &mut |_, _| {}).unwrap();
        let memory = backend::memory::analyze(&compiled).unwrap();
        let peak = memory.peak as f64 / (1u64 << 30) as f64;
        assert!((peak / gib - 1.0).abs() < 0.02, "{name}: {peak:.2} GiB, XLA:TPU says {gib}");
        let error = memory.fits(chip).expect_err("it does not fit");
        assert!(error.to_string().contains("GiB"), "{error}");
    }
}
