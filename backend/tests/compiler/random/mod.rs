//! Random programs: what is compiled, printed and read back gives the values of its source, and has its signature.
//!
//! `TPUSIM_PROGRAMS` says how many, `TPUSIM_SEED` which; the default keeps the test short and is always the same.

mod control;
mod ops;
mod products;
mod program;
mod shapes;

use super::{floats, inputs, run};
use backend::compiler;
use backend::frontend::hlo::export::export_as_written;
use backend::frontend::hlo::import::import;
use backend::frontend::{self, ParseOptions, Source, parse};
use program::{Plan, Val, plans, written};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use sim_core::Tensor;
use sim_core::chip::Chip;
use sim_core::hlo::{HloModule, Key, Shape, Value};

/// How they differ, by more than what the program says of it: exact, or as far off as sums in another order and other roundings may be.
fn difference(a: &Tensor, b: &Tensor, val: &Val) -> Option<String> {
    if a.element() != b.element() || a.shape() != b.shape() {
        return Some(format!("{} {:?} and {} {:?}", a.element(), a.shape(), b.element(), b.shape()));
    }
    let Some((x, y)) = floats(a).zip(floats(b)) else {
        return (a.bytes() != b.bytes()).then(|| "integers are others".into());
    };
    let near = |x: f64, y: f64| x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= val.error;
    let at = x.iter().zip(&y).position(|(&x, &y)| !near(x, y))?;
    Some(format!("by more than {} at {at}: {} and {}", val.error, x[at], y[at]))
}

/// Sizes and element types, without how they lie.
fn arrays(shape: &Shape) -> String {
    match shape {
        Shape::Array(a) => format!("{}{:?}", a.element, a.dims),
        Shape::Tuple(items) => {
            format!("({})", items.iter().map(|s| arrays(s)).collect::<Vec<_>>().join(", "))
        }
        other => format!("{other:?}"),
    }
}

/// Parameters, result, and what of them shares memory.
fn signature(module: &HloModule) -> Result<String, String> {
    let entry = module.entry();
    let parameters: Option<Vec<_>> = entry.parameters().into_iter().collect();
    let parameters = parameters.ok_or("a parameter is missing")?;
    let parameters: Vec<&Shape> = parameters.iter().map(|&p| &*entry.instruction(p).shape).collect();
    if let Some(Value::Layouts(layouts)) = module.attr(&Key::EntryComputationLayout) {
        let stated: Vec<&Shape> = layouts.parameters.iter().map(|s| &**s).collect();
        if module.is_scheduled() && (stated != parameters || layouts.result != entry.root().shape) {
            return Err("entry_computation_layout is not that of the entry".into());
        }
    }
    let parameters: Vec<String> = parameters.into_iter().map(arrays).collect();
    let (alias, donor) = (module.attr(&Key::InputOutputAlias), module.attr(&Key::BufferDonor));
    Ok(format!("{parameters:?} -> {} {alias:?} {donor:?}", arrays(&entry.root().shape)))
}

fn chip(plan: &Plan) -> Chip {
    let names = ["v6e", "v5e", "v5p", "v4", "v7x"];
    let chip = Chip::named(names[usize::from(plan.chip) % names.len()]).expect("a chip");
    // With little of it, values lie in HBM, and products are cut.
    let bytes = [0u32, 1 << 16, 1 << 14][usize::from(plan.vmem) % 3];
    if bytes == 0 {
        return chip.clone();
    }
    let little = [format!("vmem.bytes={bytes}"), format!("vmem.scoped_bytes={}", bytes / 2)];
    chip.with(&little).expect("a chip with little memory")
}

fn check(plan: &Plan) -> Result<(), String> {
    let (text, results) = written(plan);
    let of = |what: &str, e: sim_core::Diagnostic| format!("{what}: {e}");
    let chip = chip(plan);
    let checked = || -> Result<(), String> {
        let module = parse(&Source::from_bytes("random", text.clone()))
            .map_err(|e| of("the source does not parse", e))?
            .remove(0);
        sim_core::ir::verify::verify_module(&module).map_err(|e| of("the source does not verify", e))?;
        let inputs = inputs(&module).ok_or("no inputs")?;
        let hlo = export_as_written(&module).map_err(|e| of("exporting", e))?;
        let before = run(module, inputs.clone()).map_err(|e| format!("the source does not run: {e}"))?;
        let compiled =
            compiler::compile(hlo.clone(), &chip, &mut |_, _| {}).map_err(|e| of("compiling", e))?;
        let (source_has, compiled_has) = (signature(&hlo)?, signature(&compiled)?);
        if source_has != compiled_has {
            return Err(format!("signatures: {source_has}, and compiled {compiled_has}"));
        }
        let printed = compiled.to_string();
        let back =
            frontend::parse_hlo(&Source::from_bytes("compiled", printed.clone()), &ParseOptions::default())
                .map_err(|e| of("reading back", e))?;
        let back = back.and_then(|m| m.into_iter().next()).ok_or("not read as HLO")?;
        if back.to_string() != printed {
            return Err("read back and printed, it is another text".into());
        }
        let module = import(&back).map_err(|e| of("importing", e))?;
        sim_core::ir::verify::verify_module(&module).map_err(|e| of("verifying", e))?;
        let after = run(module, inputs).map_err(|e| format!("running: {e}"))?;
        if before.len() != results.len() || after.len() != results.len() {
            return Err(format!("{} results of the source, and {} compiled", before.len(), after.len()));
        }
        let all = before.iter().zip(&after).zip(&results).enumerate();
        let mut differ = all.filter_map(|(k, ((a, b), v))| Some((k, difference(a, b, v)?)));
        differ.next().map_or(Ok(()), |(k, how)| Err(format!("result {k} differs: {how}")))
    };
    checked().map_err(|why| format!("{why}\non {}, vmem {} in\n{text}", chip.name, plan.vmem % 3))
}

#[test]
fn random_programs_keep_their_values() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let cases = number("TPUSIM_PROGRAMS").unwrap_or(2000) as u32;
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let mut seed = [7; 32];
    seed[..8].copy_from_slice(&number("TPUSIM_SEED").unwrap_or(0).to_le_bytes());
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let outcome = runner.run(&plans(), |plan| check(&plan).map_err(TestCaseError::fail));
    if let Err(e) = outcome {
        // Without the numbers that it was made of.
        let text = e.to_string();
        panic!("{}", text.split("\nminimal failing input").next().unwrap_or(&text));
    }
}
