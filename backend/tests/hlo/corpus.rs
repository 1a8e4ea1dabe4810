//! Programs of `oracle/corpus`: as StableHLO, and as XLA:TPU optimized them for a chip. Both give the same
//! values from the same random inputs.
//!
//! The dump runs as it states its precision: no excess. Two outputs count as the same where
//!
//! * no element is further off than [`FURTHEST`] steps of bf16 at the output's largest magnitude: operands of
//!   products and values between fusions are rounded to bf16 at other places, and v7x rounds each operation;
//! * the mean difference is less than one rounding to bf16 ([`MEAN`] of the root mean square): that a few
//!   elements of many come out otherwise is no excuse for all of them.
//!
//! Integers are equal. By default the programs of less than [`QUICK`] arithmetic run, with
//! `TPUSIM_CORPUS=all` all of them (`TPUSIM_CORPUS=NAME`: those whose name begins so).

use super::{exceptions, shared};
use backend::frontend::{Source, parse};
use backend::runtime::{Executable, RunOptions, Value};
use half::bf16;
use sim_core::ir::analysis::function_cost;
use sim_core::ir::{Module, verify::verify_module};
use sim_core::{Ctx, ElementType, Numerics, Tensor, Type};
use std::collections::BTreeMap;
use std::sync::Arc;

/// In steps of bf16 (2^-7 of the power of two below) at the output's largest magnitude.
const FURTHEST: f64 = 4.0;
/// Of the output's root mean square.
const MEAN: f64 = 1.0 / 256.0;
/// Floating-point operations.
const QUICK: u64 = 10_000_000_000;

/// What dumps leave out (`constant({...})`), where the StableHLO tells it: DLRM's pairs of features, row and
/// column of the upper triangle of a 9 by 9 matrix in four bits each.
fn filled(name: &str, text: String) -> String {
    if !name.starts_with("dlrm") {
        return text;
    }
    assert_eq!(text.matches("s32[36]{0:T(128)} constant({...})").count(), 1, "{name}");
    let pairs: Vec<String> =
        (0..9).flat_map(|a| (a + 1..9).map(move |b| (a | (b << 4)).to_string())).collect();
    text.replace("constant({...})", &format!("constant({{{}}})", pairs.join(", ")))
}

fn read(path: &std::path::Path) -> Result<Arc<Module>, sim_core::Diagnostic> {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let text = filled_if_dump(name, std::fs::read_to_string(path).unwrap());
    let mut modules = parse(&Source::from_bytes(name, text.into_bytes()))?;
    let module = Arc::new(modules.remove(0));
    verify_module(&module)?;
    Ok(module)
}

fn filled_if_dump(name: &str, text: String) -> String {
    if name.ends_with(".hlo.txt") { filled(name, text) } else { text }
}

/// Floats from [-1, 1), integers from 0 to 9 (valid indices everywhere in the corpus).
fn input(ty: &Type, argument: u64, ctx: &Ctx) -> Tensor {
    let ty = ty.as_tensor().unwrap();
    let shape = ty.static_dims().unwrap();
    let bits = |i: usize| {
        // SplitMix64.
        let mut z = (argument << 40).wrapping_add((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let float = |i: usize| (bits(i) >> 40) as f32 / (1 << 23) as f32 - 1.0;
    let mut t = ctx.alloc(ty.element, &shape).unwrap();
    match ty.element {
        ElementType::BF16 => {
            t.as_mut_slice::<bf16>().iter_mut().enumerate().for_each(|(i, x)| *x = bf16::from_f32(float(i)));
        }
        ElementType::F32 => t.as_mut_slice::<f32>().iter_mut().enumerate().for_each(|(i, x)| *x = float(i)),
        ElementType::S32 => {
            t.as_mut_slice::<i32>().iter_mut().enumerate().for_each(|(i, x)| *x = (bits(i) % 10) as i32);
        }
        other => panic!("inputs of type {other} are not drawn here"),
    }
    t
}

fn run(module: &Arc<Module>, numerics: Numerics) -> Vec<Tensor> {
    let ctx = Ctx::new(numerics, 16 << 30);
    let exe = Executable::new(module.clone(), RunOptions { numerics, ..RunOptions::default() }).unwrap();
    let inputs = exe.signature().0.iter().enumerate().map(|(n, ty)| input(ty, n as u64, &ctx)).collect();
    let results = exe.run(&ctx, inputs).unwrap_or_else(|e| panic!("{e}"));
    results.into_iter().map(Value::tensor).collect::<Result<_, _>>().unwrap()
}

fn floats(t: &Tensor) -> Box<dyn Iterator<Item = f64> + '_> {
    match t.element() {
        ElementType::BF16 => Box::new(t.as_slice::<bf16>().iter().map(|x| x.to_f64())),
        ElementType::F32 => Box::new(t.as_slice::<f32>().iter().map(|&x| x.into())),
        ElementType::S32 => Box::new(t.as_slice::<i32>().iter().map(|&x| x.into())),
        other => panic!("outputs of type {other} are not compared here"),
    }
}

/// How far two outputs are apart.
struct Distance {
    /// In steps of bf16 at the largest magnitude.
    furthest: f64,
    /// Of the root mean square.
    mean: f64,
    different: usize,
    count: usize,
    same: bool,
}

fn distance(want: &Tensor, got: &Tensor) -> Distance {
    assert_eq!((want.element(), want.shape()), (got.element(), got.shape()));
    let (mut largest, mut squares, mut furthest, mut sum, mut different) = (0f64, 0f64, 0f64, 0f64, 0);
    for (a, b) in floats(want).zip(floats(got)) {
        assert!(a.is_finite() && b.is_finite(), "{a} and {b} say nothing");
        let d = (a - b).abs();
        largest = largest.max(a.abs());
        squares += a * a;
        furthest = furthest.max(d);
        sum += d;
        different += usize::from(d > 0.0);
    }
    let count = want.len();
    assert!(largest > 0.0, "outputs of zeros say nothing");
    let step = 2f64.powi(largest.log2().floor() as i32 - 7);
    let (furthest, mean) = (furthest / step, sum / count as f64 / (squares / count as f64).sqrt());
    let exact = matches!(want.element(), ElementType::S32);
    let same = if exact { different == 0 } else { furthest <= FURTHEST && mean <= MEAN };
    Distance { furthest, mean, different, count, same }
}

#[test]
fn dumps_give_what_their_programs_give() {
    let Some(shared) = shared() else {
        return eprintln!("SKIPPED oracle/corpus: no ../shared (set TPUSIM_SHARED)");
    };
    let which = std::env::var("TPUSIM_CORPUS").unwrap_or_default();
    let mut programs = BTreeMap::<String, Vec<String>>::new();
    for entry in std::fs::read_dir(shared.join("oracle/corpus")).unwrap().flatten() {
        let file = entry.file_name().into_string().unwrap();
        if let Some((program, chip)) = file.strip_suffix(".hlo.txt").and_then(|f| f.split_once('.')) {
            programs.entry(program.to_owned()).or_default().push(chip.to_owned());
        }
    }
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (program, mut chips) in programs {
        chips.sort();
        let path = |suffix: &str| shared.join("oracle/corpus").join(format!("{program}.{suffix}"));
        let source = read(&path("stablehlo.mlir")).unwrap_or_else(|e| panic!("{program}: {e}"));
        let mut expected = None;
        for chip in chips {
            let file = format!("oracle/corpus/{program}.{chip}.hlo.txt");
            let dump = match read(&path(&format!("{chip}.hlo.txt"))) {
                Ok(dump) => dump,
                Err(e) => {
                    let known = exceptions().get(file.as_str()).is_some_and(|why| e.message().contains(why));
                    assert!(known, "{file}: {e}");
                    eprintln!("| {program} | {chip} | not run: {} |", e.message());
                    continue;
                }
            };
            let cost = |m: &Module| function_cost(m, m.entry().unwrap()).unwrap().flops;
            let work = cost(&source).max(cost(&dump));
            let chosen = which == "all" || (!which.is_empty() && program.starts_with(&which));
            if work > QUICK && !chosen {
                eprintln!("| {program} | {chip} | {} GFLOP: with TPUSIM_CORPUS=all |", work / 1_000_000_000);
                continue;
            }
            let want = expected.get_or_insert_with(|| run(&source, Numerics::tpu()));
            let got = run(&dump, Numerics { excess_precision: false, ..Numerics::tpu() });
            assert_eq!(want.len(), got.len(), "{file}");
            for (n, (want, got)) in want.iter().zip(&got).enumerate() {
                let d = distance(want, got);
                let text = format!(
                    "| {program} | {chip} | output {n}, {} | {:.2} steps of bf16 at most | mean {:.1e} | {} of {} differ |",
                    want.ty(),
                    d.furthest,
                    d.mean,
                    d.different,
                    d.count
                );
                eprintln!("{text}");
                if !d.same {
                    wrong.push(text);
                }
            }
            compared += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= if which.is_empty() || which == "all" { 3 } else { 1 }, "{compared} compared");
}
