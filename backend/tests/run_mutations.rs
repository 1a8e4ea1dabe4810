//! Programs changed token by token, and *run* (`compile`: compiled): other dimensions, attributes, element types,
//! operands and operations, many of which still verify. Whatever they are, the answer is values or
//! an error: never a panic, a hang, or memory beyond the budget.
//!
//! `TPUSIM_MUTATIONS` says how many to try, `TPUSIM_SEED` where to start; the default keeps the
//! test short. `TPUSIM_MUTATION_FILE` names a file that always holds the program being run, for
//! what no test can catch (an abort).

#[path = "run_mutations/compile.rs"]
mod compile;

use backend::frontend::{self, Source};
use backend::refine::refine;
use backend::runtime::{Executable, RunOptions, Value};
use sim_core::ir::verify::verify_module;
use sim_core::{Ctx, ErrorKind, Numerics, Type};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What all tensors of a program may take.
const MEMORY: u64 = 64 << 20;
/// When a program is asked to stop, and when not having stopped is a failure. (Development builds
/// are slow, and so is a busy machine.)
const STOP: Duration = Duration::from_millis(1500);
const HANG: Duration = Duration::from_secs(60);

/// xorshift64*: the same programs on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "8",
    "16",
    "17",
    "64",
    "100",
    "1000",
    "70000",
    "-1",
    "-2",
    "2147483648",
    "4294967296",
    "4611686018427387904",
    "9223372036854775807",
    "-9223372036854775808",
    "1000000000000",
];

const TYPES: [&str; 24] = [
    "f32",
    "f64",
    "bf16",
    "f16",
    "f8E4M3FN",
    "f8E5M2",
    "f8E8M0FNU",
    "f4E2M1FN",
    "f6E2M3FN",
    "i1",
    "i2",
    "i4",
    "i8",
    "i16",
    "i32",
    "i64",
    "ui2",
    "ui4",
    "ui8",
    "ui16",
    "ui32",
    "ui64",
    "complex<f32>",
    "complex<f64>",
];

/// Operations that may stand for one another.
const OPERATIONS: [&[&str]; 4] = [
    &[
        "add",
        "subtract",
        "multiply",
        "divide",
        "remainder",
        "power",
        "maximum",
        "minimum",
        "and",
        "or",
        "xor",
        "shift_left",
        "shift_right_logical",
        "shift_right_arithmetic",
        "atan2",
    ],
    &[
        "abs",
        "negate",
        "sign",
        "exponential",
        "exponential_minus_one",
        "log",
        "log_plus_one",
        "logistic",
        "sqrt",
        "rsqrt",
        "cbrt",
        "sine",
        "cosine",
        "tan",
        "tanh",
        "floor",
        "ceil",
        "round_nearest_even",
        "round_nearest_afz",
        "not",
        "popcnt",
        "count_leading_zeros",
        "is_finite",
        "real",
        "imag",
        "reverse",
    ],
    &["slice", "transpose", "broadcast_in_dim", "reshape", "convert", "bitcast_convert"],
    &["all_reduce", "all_gather", "all_to_all", "reduce_scatter", "collective_permute"],
];

/// Words, numbers, names and single characters; white space is dropped but for line ends.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let word =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'%' | b'@' | b'#' | b'^' | b'!');
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        if bytes[i] == b'-' && bytes.get(i + 1).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        if bytes[i].is_ascii_digit() {
            // `2x3xf32` is a number, a cross, a number, ….
            while i < bytes.len() && bytes[i].is_ascii_digit() {
                i += 1;
            }
        } else if word(bytes[i]) && bytes[i] != b'x' {
            while i < bytes.len() && word(bytes[i]) {
                i += 1;
            }
        } else {
            i += 1;
            while !text.is_char_boundary(i) {
                i += 1;
            }
        }
        out.push(start..i);
    }
    out
}

fn is_number(s: &str) -> bool {
    s.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit()) && s.bytes().any(|b| b.is_ascii_digit())
}

/// Every constant as a splat of its (possibly changed) type, so that changed shapes still fit.
fn splatted(text: &str, r: &mut Random) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("dense<") {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let mut depth = 0i32;
        let end = tail.bytes().position(|b| {
            depth += i32::from(b == b'<') - i32::from(b == b'>');
            b == b'>' && depth == 0
        });
        let Some(end) = end else { break };
        let after = &tail[end + 1..];
        let ty = after.strip_prefix(" : tensor<").map(|t| &t[..t.find([',', '\n']).unwrap_or(t.len())]);
        // Attributes (padding, replica groups) keep their lists: `= dense<…>`.
        let attribute = before.trim_end().ends_with('=');
        match ty {
            Some(ty) if !attribute || r.below(8) == 0 => {
                let float = ["f8", "f4", "f6", "f16", "f32", "f64"].iter().any(|f| ty.contains(f));
                let value = match (ty.contains("complex"), float, ty.contains("i1>")) {
                    (true, ..) => "(1.0, -2.0)",
                    (_, true, _) => *r.pick(&["1.0", "0.0", "-2.5", "1.0e30"]),
                    (.., true) => "true",
                    _ if ty.contains("ui") => *r.pick(&["1", "0", "3"]),
                    _ => *r.pick(&["1", "0", "-2", "-1"]),
                };
                out.push_str("dense<");
                out.push_str(value);
                out.push('>');
            }
            _ => out.push_str(&tail[..end + 1]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `text` with the tokens for which `change` gives something replaced by that.
fn replaced(text: &str, mut change: impl FnMut(usize, &str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, t) in tokens(text).into_iter().enumerate() {
        match change(i, &text[t.clone()]) {
            Some(new) => out.push_str(&new),
            None => out.push_str(&text[t]),
        }
    }
    out
}

fn number(r: &mut Random, old: &str) -> String {
    match (r.below(3), old.parse::<i64>()) {
        (0, Ok(n)) => r
            .pick(&[n.wrapping_add(1), n.wrapping_sub(1), n.wrapping_mul(2), n / 2, n.wrapping_neg()])
            .to_string(),
        (1, _) => NUMBERS[r.below(9)].to_owned(),
        _ => (*r.pick(&NUMBERS)).to_owned(),
    }
}

fn mutate(r: &mut Random, seed: &str) -> String {
    let mut text = seed.to_owned();
    for _ in 0..1 + r.below(4) {
        let spans = tokens(&text);
        let tokens: Vec<&str> = spans.iter().map(|s| &text[s.clone()]).collect();
        let find = |r: &mut Random, good: &dyn Fn(&str) -> bool| {
            let found: Vec<usize> = (0..tokens.len()).filter(|&i| good(tokens[i])).collect();
            (!found.is_empty()).then(|| *r.pick(&found))
        };
        let new = match r.below(10) {
            // One size, everywhere in types: `…<4x`, `x4x`.
            0..=2 => {
                let sizes: Vec<usize> = (0..tokens.len())
                    .filter(|&i| {
                        is_number(tokens[i]) && tokens.get(i + 1).is_some_and(|t| t.starts_with('x'))
                    })
                    .collect();
                if sizes.is_empty() {
                    continue;
                }
                let old = tokens[*r.pick(&sizes)].to_owned();
                let new = number(r, &old).trim_start_matches('-').to_owned();
                let attributes = r.below(2) == 0;
                let all: Vec<usize> = (0..tokens.len())
                    .filter(|&i| tokens[i] == old && (attributes || sizes.contains(&i)))
                    .collect();
                replaced(&text, |i, _| all.binary_search(&i).is_ok().then(|| new.clone()))
            }
            3 | 4 => {
                let Some(at) = find(r, &is_number) else { continue };
                let mut new = number(r, tokens[at]);
                if tokens.get(at + 1).is_some_and(|t| t.starts_with('x')) {
                    new = new.trim_start_matches('-').to_owned();
                }
                replaced(&text, |i, _| (i == at).then(|| new.clone()))
            }
            5 => {
                let Some(at) = find(r, &|t| TYPES.contains(&t)) else { continue };
                let (old, new) = (tokens[at].to_owned(), *r.pick(&TYPES));
                let once = r.below(3) == 0;
                replaced(&text, |i, t| (t == old && (!once || i == at)).then(|| new.to_owned()))
            }
            6 => {
                let family = r.pick(&OPERATIONS);
                let name = |t: &str| t.strip_prefix("stablehlo.").is_some_and(|n| family.contains(&n));
                let Some(at) = find(r, &name) else { continue };
                let new = format!("stablehlo.{}", r.pick(family));
                replaced(&text, |i, _| (i == at).then(|| new.clone()))
            }
            7 => {
                // A use, by a value that is not far away: the types may even fit.
                let used = |i: &usize| tokens[*i].starts_with('%') && tokens.get(i + 2) != Some(&"=");
                let uses: Vec<usize> = (0..tokens.len()).filter(used).collect();
                if uses.is_empty() {
                    continue;
                }
                let k = r.below(uses.len());
                let (at, new) = (uses[k], tokens[uses[k.saturating_sub(1 + r.below(3))]].to_owned());
                replaced(&text, |i, _| (i == at).then(|| new.clone()))
            }
            8 if r.below(3) == 0 => {
                let lines: Vec<&str> = text.lines().collect();
                let at = r.below(lines.len());
                if lines.is_empty() {
                    continue;
                }
                let (mut kept, twice) = (lines.clone(), r.below(2) == 0);
                if twice {
                    kept.insert(at, lines[at]);
                } else {
                    kept.remove(at);
                }
                kept.join("\n")
            }
            8 => continue,
            // A list loses or gains an element.
            _ => {
                let Some(at) = find(r, &|t| t == ",") else { continue };
                let drop = r.below(2) == 0;
                replaced(&text, |i, t| match (i == at, drop && i == at + 2 && is_number(t)) {
                    (true, _) if drop => Some(String::new()),
                    (true, _) => Some(", 1,".to_owned()),
                    (_, true) => Some(String::new()),
                    _ => None,
                })
            }
        };
        text = new;
    }
    if r.below(6) > 0 { splatted(&text, r) } else { text }
}

fn files(dir: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, extension, out);
        } else if path.extension().is_some_and(|e| e == extension)
            && !path.to_string_lossy().contains(".0_9_0.")
        {
            out.push(path);
        }
    }
}

/// Chunks of files, and each function by itself, without their checks (they would end the run).
fn seeds() -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("TPUSIM_SHARED").map_or_else(|| here.join("../../shared"), PathBuf::from);
    let mut paths = Vec::new();
    files(&here.join("tests"), "mlir", &mut paths);
    files(&here.join("../examples"), "mlir", &mut paths);
    files(&shared.join("conformance/stablehlo/tests"), "mlir", &mut paths);
    files(&shared.join("conformance/stablehlo/testdata"), "mlir", &mut paths);
    paths.sort();
    let mut out = Vec::new();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for chunk in text.split("// -----") {
            let chunk: Vec<&str> = chunk
                .lines()
                .filter(|l| !l.contains("check.expect") && !l.trim_start().starts_with("//"))
                .collect();
            let functions: Vec<usize> =
                (0..chunk.len()).filter(|&i| chunk[i].starts_with("func.func")).collect();
            for &start in &functions {
                let end = (start..chunk.len()).find(|&i| chunk[i] == "}").unwrap_or(start);
                let function = chunk[start..=end].join("\n");
                if !function.contains("call @") {
                    out.push(function);
                }
            }
            if functions.len() != 1 {
                out.push(chunk.join("\n"));
            }
        }
    }
    out.retain(|t| t.len() < 20_000 && t.contains("func"));
    out.sort();
    out.dedup();
    out
}

/// How far a program got.
fn run(text: &str, options: &RunOptions, ctx: &Ctx) -> &'static str {
    let source = Source::from_bytes("mutated", text);
    let Ok(modules) = frontend::parse(&source) else { return "malformed" };
    let mut outcome = "empty";
    for module in modules {
        if let Err(e) = verify_module(&module) {
            assert!(!e.to_string().is_empty());
            return "invalid";
        }
        let Ok(exe) = Executable::new(Arc::new(module), options.clone()) else { return "unplanned" };
        let inputs: Option<Vec<Value>> = exe.signature().0.iter().map(|ty| input(ty, ctx)).collect();
        let Some(inputs) = inputs else { return "no inputs" };
        let types: Vec<Type> =
            inputs.iter().zip(exe.signature().0).map(|(value, ty)| type_of(value, ty)).collect();
        // Refinement may refuse what would run (a branch that never does), but it never breaks.
        match refine(&exe.program().module, None, &types, ctx) {
            Ok(refined) => {
                if let Err(e) = Executable::new(Arc::new(refined.module), options.clone())
                    .and_then(|exe| exe.run_values(ctx, inputs.clone()))
                {
                    assert_ne!(e.kind(), ErrorKind::Internal, "refined: {e}");
                }
            }
            Err(e) => assert_ne!(e.kind(), ErrorKind::Internal, "refining: {e}"),
        }
        outcome = match exe.run_values(ctx, inputs) {
            Ok(_) => "ran",
            Err(e) => match e.kind() {
                ErrorKind::Internal => panic!("{e}"),
                ErrorKind::Resource => "out of memory",
                ErrorKind::Interrupted => "stopped",
                ErrorKind::Unsupported => "unsupported",
                _ => "failed",
            },
        };
        if outcome != "ran" {
            return outcome;
        }
    }
    outcome
}

fn type_of(value: &Value, declared: &Type) -> Type {
    match (value, declared) {
        (Value::Tensor(t), Type::Tensor(ty)) => {
            let mut ty = (**ty).clone();
            ty.dims = t.shape().iter().map(|&n| (n as i64).into()).collect();
            ty.into()
        }
        _ => declared.clone(),
    }
}

/// Ones (as integers; small subnormals as floats) where the size is known and modest.
fn input(ty: &Type, ctx: &Ctx) -> Option<Value> {
    match ty {
        Type::Tensor(t) => {
            let dims: Vec<usize> = t
                .dims
                .iter()
                .map(|d| d.as_static().map_or(Some(2), |n| usize::try_from(n).ok()))
                .collect::<Option<_>>()?;
            let mut tensor = ctx.alloc_zeroed(t.element, &dims).ok()?;
            let width = t.element.byte_size();
            tensor.bytes_mut().iter_mut().step_by(width).for_each(|b| *b = 1);
            Some(Value::Tensor(tensor))
        }
        Type::Token => Some(Value::Token),
        Type::Tuple(ts) => Some(Value::Tuple(ts.iter().map(|t| input(t, ctx)).collect::<Option<_>>()?)),
        _ => None,
    }
}

#[test]
fn changed_programs_run_or_are_errors() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let count = number("TPUSIM_MUTATIONS").unwrap_or(1500);
    let mut r = Random(
        0x9e37_79b9_7f4a_7c15 ^ number("TPUSIM_SEED").unwrap_or(0).wrapping_mul(0x1234_5678_9abc_def1),
    );
    let shown = std::env::var_os("TPUSIM_MUTATION_FILE").map(PathBuf::from);
    let seeds = seeds();
    // What runs now, for the watchdog.
    let current: Arc<Mutex<Option<(Instant, Ctx, String)>>> = Arc::default();
    let watched = Arc::downgrade(&current);
    let watchdog = std::thread::spawn(move || {
        while let Some(current) = watched.upgrade() {
            if let Some((start, ctx, text)) = &*current.lock().unwrap() {
                if start.elapsed() > HANG {
                    eprintln!("does not stop:\n{text}");
                    std::process::abort();
                } else if start.elapsed() > STOP {
                    ctx.stop();
                }
            }
            drop(current);
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let last: Arc<Mutex<String>> = Arc::default();
    let hook = std::panic::take_hook();
    let place = last.clone();
    std::panic::set_hook(Box::new(move |info| {
        let at = info.location().map(ToString::to_string).unwrap_or_default();
        let message = info.payload_as_str().unwrap_or_default();
        let mut last = place.lock().unwrap_or_else(|e| e.into_inner());
        if std::thread::current().name().is_some_and(|n| n.contains("changed_programs")) {
            eprintln!("{at}: {message}");
        }
        if !message.contains("internal error") {
            *last = format!("{at}: {message}");
        }
    }));
    for _ in 0..count {
        let seed = r.below(seeds.len());
        let text = mutate(&mut r, &seeds[seed]);
        if let Some(path) = &shown {
            std::fs::write(path, &text).unwrap();
        }
        let numerics = if r.below(2) == 0 { Numerics::ieee() } else { Numerics::tpu() };
        let options = RunOptions { numerics, check_nans: r.below(8) == 0, ..RunOptions::default() };
        let ctx = Ctx::new(numerics, MEMORY);
        *current.lock().unwrap() = Some((Instant::now(), ctx.clone(), text.clone()));
        match std::panic::catch_unwind(|| run(&text, &options, &ctx)) {
            Ok(outcome) => *outcomes.entry(outcome).or_default() += 1,
            Err(_) => {
                let why = last.lock().unwrap().clone();
                failures.entry(why).or_insert((0, text)).0 += 1;
            }
        }
        *current.lock().unwrap() = None;
    }
    std::panic::set_hook(hook);
    drop(current);
    watchdog.join().unwrap();
    eprintln!("{count} programs from {} seeds: {outcomes:?}", seeds.len());
    for (why, (n, text)) in &failures {
        eprintln!("---- {n} times {why}\n{text}\n");
    }
    assert!(failures.is_empty(), "{} ways to panic", failures.len());
}
