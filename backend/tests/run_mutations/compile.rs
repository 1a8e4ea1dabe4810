//! Changed programs, *compiled*: what cannot be is an error, at once, and what comes out of it is read back and timed.

use super::{Random, files, mutate, seeds, tokens};
use backend::compiler;
use backend::frontend::hlo::export::export_as_written;
use backend::frontend::hlo::import::import;
use backend::frontend::{self, ParseOptions, Source};
use backend::time;
use sim_core::ErrorKind;
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use sim_core::ir::verify::verify_module;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Nothing that is as small as these programs takes so long, on a busy machine and with overflow checks.
const LONG: Duration = Duration::from_secs(20);

const OPCODES: [&[&str]; 4] = [
    &["add", "subtract", "multiply", "divide", "maximum", "power", "and", "compare", "complex"],
    &[
        "negate",
        "exponential",
        "tanh",
        "cosine",
        "copy",
        "bitcast",
        "convert",
        "reshape",
        "transpose",
        "broadcast",
    ],
    &[
        "slice",
        "pad",
        "reduce",
        "concatenate",
        "dynamic-slice",
        "dynamic-update-slice",
        "gather",
        "scatter",
        "iota",
    ],
    &[
        "dot",
        "convolution",
        "fusion",
        "call",
        "while",
        "conditional",
        "tuple",
        "get-tuple-element",
        "all-reduce",
    ],
];

/// HLO has operations of other names.
fn other_opcodes(r: &mut Random, text: &str) -> String {
    let spans = tokens(text);
    let family = r.pick(&OPCODES);
    let found: Vec<_> = spans
        .iter()
        .filter(|s| family.contains(&&text[(*s).clone()]) && text[s.end..].starts_with('('))
        .collect();
    if found.is_empty() {
        return text.to_owned();
    }
    let at = *r.pick(&found);
    format!("{}{}{}", &text[..at.start], r.pick(family), &text[at.end..])
}

fn modules(text: &str) -> Option<Vec<HloModule>> {
    let source = Source::from_bytes("mutated", text);
    if let Some(modules) = frontend::parse_hlo(&source, &ParseOptions::default()).ok()? {
        return Some(modules);
    }
    let modules = frontend::parse(&source).ok()?;
    Some(
        modules
            .iter()
            .filter(|m| verify_module(m).is_ok())
            .filter_map(|m| export_as_written(m).ok())
            .collect(),
    )
}

fn compile(text: &str, chip: &Chip) -> &'static str {
    let mut outcome = "malformed";
    for module in modules(text).into_iter().flatten() {
        let is_read = |module: &HloModule| {
            let source = Source::from_bytes("printed", module.to_string());
            frontend::parse_hlo(&source, &ParseOptions::default()).is_ok_and(|m| m.is_some())
        };
        let is_valid = is_read(&module) && import(&module).is_ok_and(|m| verify_module(&m).is_ok());
        let start = Instant::now();
        outcome = match compiler::compile(module, chip, &mut |_, _| {}) {
            Err(e) => {
                assert_ne!(e.kind(), ErrorKind::Internal, "{e}");
                "refused"
            }
            Ok(compiled) => {
                // What broke rules before does so afterwards.
                assert!(!is_valid || is_read(&compiled), "printed, and not read back");
                if let Err(e) = time::simulate(&compiled, chip, &time::Options::default()) {
                    assert_ne!(e.kind(), ErrorKind::Internal, "{e}");
                }
                "compiled"
            }
        };
        assert!(start.elapsed() < LONG, "it took {:?}", start.elapsed());
    }
    outcome
}

#[test]
fn changed_programs_compile_or_are_errors() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let count = number("TPUSIM_MUTATIONS").unwrap_or(1500);
    let mut r = Random(
        0x6a09_e667_f3bc_c908 ^ number("TPUSIM_SEED").unwrap_or(0).wrapping_mul(0x9e37_79b9_7f4a_7c15),
    );
    let mut hlo = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), "hlo", &mut hlo);
    hlo.sort();
    let hlo: Vec<String> = hlo.iter().filter_map(|p| std::fs::read_to_string(p).ok()).collect();
    let hlo: Vec<String> = hlo.into_iter().filter(|t| t.len() < 20_000).collect();
    let seeds = seeds();
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for _ in 0..count {
        let text = if r.below(2) == 0 {
            let seed = r.pick(&hlo).clone();
            let seed = if r.below(2) == 0 { other_opcodes(&mut r, &seed) } else { seed };
            mutate(&mut r, &seed)
        } else {
            let seed = r.pick(&seeds).clone();
            mutate(&mut r, &seed)
        };
        let name = *r.pick::<&str>(&["v6e", "v5e", "v5p", "v4", "v7x"]);
        let chip = Chip::named(name).expect("a known chip");
        match std::panic::catch_unwind(|| compile(&text, chip)) {
            Ok(outcome) => *outcomes.entry(outcome).or_default() += 1,
            Err(panic) => {
                let why = panic.downcast_ref::<String>().cloned();
                let why = why.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
                failures.entry(why.unwrap_or_default()).or_insert((0, text)).0 += 1;
            }
        }
    }
    eprintln!("{count} programs from {} seeds: {outcomes:?}", seeds.len() + hlo.len());
    for (why, (n, text)) in &failures {
        eprintln!("---- {n} times {why}\n{text}\n");
    }
    assert!(failures.is_empty(), "{} ways to panic", failures.len());
}
