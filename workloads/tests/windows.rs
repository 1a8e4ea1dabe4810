//! Windows that are chosen here, beside those that XLA:TPU chose: dumps are stripped of theirs, chosen anew, and simulated both ways.
//! `cargo test -p workloads --test windows -- --nocapture` prints the kernels that differ most.

use backend::compiler::windows;
use backend::frontend::{self, ParseOptions, Source};
use backend::time;
use sim_core::chip::Chip;
use sim_core::hlo::{ComputationId, HloModule, Instruction, Key, Opcode, Value};
use std::collections::BTreeMap;
use std::path::Path;
use workloads::dumps::Dumps;
use workloads::scope::Class;
use workloads::score::{Wanted, score};

const KEYS: [&str; 3] = ["window_config", "used_scoped_memory_configs", "megacore_config"];

fn parsed(text: &str) -> HloModule {
    let source = Source::from_bytes("dump", text.to_owned());
    let modules = frontend::parse_hlo(&source, &ParseOptions::default()).unwrap();
    modules.into_iter().flatten().next().unwrap()
}

fn config(instruction: &Instruction) -> Option<serde_json::Map<String, serde_json::Value>> {
    match instruction.attr(&Key::BackendConfig) {
        Some(Value::Raw(text)) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

fn is_product(module: &HloModule, instruction: &Instruction) -> bool {
    let within = |c: ComputationId| module.computation(c).instructions.iter().any(|i| is_product(module, i));
    match instruction.opcode {
        Opcode::Convolution | Opcode::Dot => true,
        Opcode::Fusion => instruction.called().any(within),
        _ => false,
    }
}

/// The grid that the configuration of each kernel of a product states, by name.
fn grids(module: &HloModule) -> BTreeMap<String, serde_json::Value> {
    let mut out = BTreeMap::new();
    for i in module.computations.iter().flat_map(|c| &c.instructions).filter(|i| is_product(module, i)) {
        if let Some(windows) = config(i).as_ref().and_then(|c| c.get("window_config")) {
            out.insert(i.name.to_string(), windows.clone());
        }
    }
    out
}

/// Takes what the compiler chose from every kernel of a product.
fn strip(module: &mut HloModule) {
    let whole = module.clone();
    for i in module.computations.iter_mut().flat_map(|c| &mut c.instructions) {
        let Some(mut own) = config(i).filter(|c| c.contains_key("window_config") && is_product(&whole, i))
        else {
            continue;
        };
        KEYS.iter().for_each(|&k| drop(own.remove(k)));
        let text = serde_json::Value::Object(own).to_string();
        let attr = i.attrs.iter_mut().find(|a| a.key == Key::BackendConfig).unwrap();
        attr.value = Value::Raw(text.into());
    }
}

/// A chip with the limit on VMEM that a program's name says it was compiled with.
fn chip(name: &str, program: &str) -> Chip {
    let chip = Chip::named(name).unwrap();
    let limit = program.rsplit_once("_vmem").and_then(|(_, kib)| kib.parse::<u64>().ok());
    match limit {
        Some(kib) => chip.with(&[format!("vmem.scoped_bytes={}", kib * 1024)]).unwrap(),
        None => chip.clone(),
    }
}

fn timed(module: &HloModule, chip: &Chip) -> time::Timing {
    time::simulate(module, chip, &time::Options { warm: true, ..time::Options::default() }).unwrap()
}

/// Time of each kernel of a product, us.
fn kernels(timing: &time::Timing) -> BTreeMap<String, f64> {
    let rows = timing.program.items.iter().filter(|i| i.kernel.unit == time::Unit::Mxu);
    rows.map(|i| (i.name.to_string(), i.kernel.time.us())).collect()
}

/// One kernel both ways.
struct Both {
    what: String,
    ours: f64,
    theirs: f64,
    same: bool,
    grids: String,
}

fn of_folder(folder: &Path, name: &str) -> Vec<Both> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    let mut out = Vec::new();
    let mut chosen = std::time::Duration::ZERO;
    for path in paths {
        let program = path.file_name().unwrap().to_str().unwrap().trim_end_matches(".hlo.gz").to_owned();
        let dumps = Dumps { folders: vec![folder.parent().unwrap().to_owned()] };
        let text = dumps.text(folder.file_name().unwrap().to_str().unwrap(), &program).unwrap().unwrap();
        let chip = chip(name, &program);
        let mut module = parsed(&text);
        let before = grids(&module);
        if before.is_empty() {
            continue;
        }
        let theirs = kernels(&timed(&module, &chip));
        strip(&mut module);
        let start = std::time::Instant::now();
        windows::choose(&mut module, &chip).unwrap();
        chosen += start.elapsed();
        let after = grids(&module);
        let ours = kernels(&timed(&module, &chip));
        let mut seen = std::collections::BTreeSet::new();
        for (kernel, windows) in &before {
            let (Some(&a), Some(&b)) = (ours.get(kernel), theirs.get(kernel)) else { continue };
            let of = |w: Option<&serde_json::Value>| {
                let field = |k: &str| w.map(|w| w[k].to_string().replace('"', "")).unwrap_or_default();
                format!(
                    "{} K{} O{} I{}",
                    field("iteration_bounds"),
                    field("kernel_window_bounds"),
                    field("output_window_bounds"),
                    field("input_window_bounds")
                )
            };
            let (mine, xla) = (of(after.get(kernel)), of(Some(windows)));
            // Layers are alike.
            if !seen.insert((mine.clone(), xla.clone(), a.to_bits(), b.to_bits())) {
                continue;
            }
            let steps = |w: Option<&serde_json::Value>| w.map(|w| w["iteration_bounds"].clone());
            let same = steps(after.get(kernel)) == steps(Some(windows));
            let what = format!("{program} {kernel}");
            out.push(Both { what, ours: a, theirs: b, same, grids: format!("{mine} | XLA {xla}") });
        }
    }
    println!("{}: chosen in {chosen:?}", folder.display());
    out
}

/// Chip, the largest mean of |ours / XLA's - 1|, and the smallest ratio. Where ours is much faster, XLA:TPU takes more steps than the limit asks
/// for, each of which costs 0.8 us on v6e (128 steps for an output projection with its result in VMEM, 22 for i8 at 128 rows on v7x): why is not known.
const BESIDE: &[(&str, f64, f64)] = &[
    ("v4", 0.03, 0.88),
    ("v5e", 0.04, 0.84),
    ("v5p", 0.04, 0.90),
    ("v6e", 0.05, 0.60),
    ("v7x", 0.045, 0.70),
];

#[test]
fn beside_xla() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("dumps");
    for &(name, mean, fastest) in BESIDE {
        let mut all = of_folder(&root.join(name), name);
        all.extend(of_folder(&root.join("estimates").join(name), name));
        let ratio = |b: &Both| b.ours / b.theirs;
        all.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let (first, last) = (ratio(&all[0]), ratio(&all[all.len() - 1]));
        let mut apart: Vec<f64> = all.iter().map(|b| (ratio(b) - 1.0).abs()).collect();
        apart.sort_by(f64::total_cmp);
        let average = apart.iter().sum::<f64>() / apart.len() as f64;
        println!(
            "{name}: {} kernels, |ours / XLA - 1| mean {:.1} %, median {:.1} %, ratio {first:.3} to {last:.3}, same grid {}",
            all.len(),
            100.0 * average,
            100.0 * apart[apart.len() / 2],
            all.iter().filter(|b| b.same).count(),
        );
        for b in all.iter().take(12).chain(all.iter().rev().take(4)) {
            println!("  {:.3} {:9.2} {:9.2} {} {}", ratio(b), b.ours, b.theirs, b.what, b.grids);
        }
        assert!(average < mean, "{name}: {average}");
        assert!(first > fastest, "{name}: {first}");
    }
}

#[test]
fn measured_rows() {
    let rows = match workloads::published() {
        Ok(rows) => rows,
        Err(e) => return eprintln!("SKIPPED: {e}"),
    };
    let dumps = Dumps::new();
    // A program is read, then simulated: its name says with which limit it was compiled.
    let last = std::cell::RefCell::new(String::new());
    let text = |chip: &str, program: &workloads::program::Program| {
        last.replace(program.name.clone());
        dumps.of(chip, program)
    };
    let simulate = |text: &str, name: &str| {
        let (chip, mut module) = (chip(name, &last.borrow()), parsed(text));
        strip(&mut module);
        windows::choose(&mut module, &chip).map_err(|e| e.to_string())?;
        Ok(timed(&module, &chip).total.us())
    };
    let card = score(&rows, &Wanted::default(), &text, &simulate);
    for c in &card.classes {
        println!(
            "{:?} {}: {} rows, mean {:.1} %, median {:.1} %, worst {:.1} % {}",
            c.class,
            c.chip,
            c.rows,
            100.0 * c.mean_abs_error,
            100.0 * c.median_abs_error,
            100.0 * c.worst,
            c.worst_row
        );
    }
    for chip in ["v4", "v5e", "v6e", "v7x"] {
        let gemm = card.classes.iter().find(|c| Some(c.class) == Class::named("gemm") && c.chip == chip);
        let gemm = gemm.unwrap_or_else(|| panic!("no products on {chip}"));
        assert!(gemm.mean_abs_error <= 0.10, "products on {chip}: {} on average", gemm.mean_abs_error);
    }
}
