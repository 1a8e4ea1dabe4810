//! Memory of scheduled programs: mechanism by mechanism (`buffers/*.hlo`), and beside XLA:TPU's own figures.
//!
//! A file's first line is `// memory: `, a chip, and `key=value` changes of its parameters. Behind the program follows what comes of it, as
//! comments: `// => `. `TPUSIM_BLESS=1` writes that part.

use backend::frontend::{self, ParseOptions, Source};
use backend::memory::{self, Memory, report};
use sim_core::Result;
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const RESULT: &str = "// => ";

fn module(text: &str) -> Result<HloModule> {
    let source = Source::from_bytes("program", text);
    Ok(frontend::parse_hlo(&source, &ParseOptions::default())?.expect("HLO").remove(0))
}

fn outcome(header: &str, program: &str) -> String {
    let mut words =
        header.strip_prefix("// memory:").expect("the first line says `// memory:`").split_whitespace();
    let chip = Chip::named(words.next().expect("the first line names a chip")).expect("a known chip");
    let chip = chip.with(&words.map(str::to_owned).collect::<Vec<_>>()).unwrap();
    let mut out = String::new();
    let found = module(program).and_then(|m| memory::analyze(&m)).and_then(|found| {
        out = table(&found, &chip);
        found.fits(&chip)
    });
    if let Err(e) = found {
        let _ = writeln!(out, "error: {e}");
    }
    out
}

fn table(memory: &Memory, chip: &Chip) -> String {
    let mut out = String::new();
    for (name, text) in report::sums(memory, chip) {
        let _ = writeln!(out, "{name}: {text}");
    }
    for b in &memory.buffers {
        let place = report::source(&b.place);
        let offset = b.offset.map_or(String::new(), |o| format!(" at {o}"));
        let shape = report::shape(b);
        let _ = writeln!(
            out,
            "{} {} {}: {} B, {} padding, {}..{}{offset} {shape} {place}",
            report::space(b),
            b.role.name(),
            b.name,
            b.bytes,
            b.padding,
            b.from,
            b.until
        );
    }
    out.lines().map(|l| format!("{}\n", l.trim_end())).collect()
}

#[test]
fn programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/buffers");
    let bless = std::env::var_os("TPUSIM_BLESS").is_some();
    let mut wrong = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (header, rest) = text.split_once('\n').unwrap();
        let program: String =
            rest.lines().filter(|l| !l.starts_with("// =>")).map(|l| format!("{l}\n")).collect();
        let program = program.trim_end();
        let found = outcome(header, program);
        let result: String = found.lines().map(|l| format!("{RESULT}{l}\n")).collect();
        let expected = format!("{header}\n{program}\n\n{result}");
        if bless {
            std::fs::write(&path, expected).unwrap();
        } else if text != expected {
            wrong.push(format!("{}\n{result}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "TPUSIM_BLESS=1 writes what is new:\n{}", wrong.join("\n"));
}

/// Whatever a module names where, there is an answer.
#[test]
fn no_module_panics() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/buffers");
    let mut analyzed = 0;
    for name in ["lives", "donated", "loop", "branches", "copies"] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.hlo"))).unwrap();
        let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with("//")).collect();
        let swapped = |i: usize, j: usize| {
            let mut lines = lines.clone();
            lines.swap(i, j);
            lines.join("\n")
        };
        let pairs = (0..lines.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let mut texts: Vec<String> = pairs.map(|(i, j)| swapped(i, j)).collect();
        for n in ["index=1", "index=0", "index=7", "(0, {}", "(9, {}", "{0}:", "{4}:", "\"1\"", "\"900\""] {
            for m in ["index=0", "index=-1", "(2, {}", "(1, {3}", "{1}:", "{}:", "\"77\""] {
                texts.push(lines.join("\n").replace(n, m));
            }
        }
        for text in texts {
            let source = Source::from_bytes("program", &*text);
            if let Ok(Some(modules)) = frontend::parse_hlo(&source, &ParseOptions::default()) {
                analyzed += modules.iter().filter(|m| memory::analyze(m).is_ok()).count();
            }
        }
    }
    assert!(analyzed > 100, "{analyzed}");
}

/// `../shared` beside the workspace, or what `TPUSIM_SHARED` says.
fn shared() -> Option<PathBuf> {
    let path = match std::env::var_os("TPUSIM_SHARED") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
    };
    path.is_dir().then_some(path)
}

/// Of XLA's figure, by which the heap of temporaries may be off: what XLA:TPU keeps for itself beside the values (a few KiB for each copy
/// that runs beside kernels and for each kernel of several results, as it seems), which no dump tells.
const TOLERANCE: f64 = 0.02;

/// Programs whose temporaries are farther off, with how far, and why.
const EXCEPTIONS: &[(&str, f64, &str)] = &[];

/// `temp` and `arg` in the oracle's files are what `memory_analysis` of libtpu 0.0.52 says of the same dump.
#[test]
fn as_large_as_xla_says() {
    let Some(corpus) = shared().map(|s| s.join("oracle/corpus")).filter(|p| p.is_dir()) else {
        return eprintln!("SKIPPED memory beside XLA's: no ../shared/oracle/corpus (set TPUSIM_SHARED)");
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(&corpus).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "json"));
    files.sort();
    let mut wrong = Vec::new();
    for json in &files {
        let name = json.file_stem().unwrap().to_string_lossy().into_owned();
        let theirs: serde_json::Value = serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap();
        let [temporaries, arguments] = ["temp", "arg"].map(|key| theirs[key].as_u64().unwrap());
        let text = std::fs::read_to_string(corpus.join(format!("{name}.hlo.txt"))).unwrap();
        let ours = memory::analyze(&module(&text).unwrap()).unwrap();
        let peak = arguments + ours.outputs - ours.aliased + temporaries;
        let off = |ours: u64, theirs: u64| ours as f64 / theirs as f64 - 1.0;
        let (temporary, whole) = (off(ours.temporaries, temporaries), off(ours.peak, peak));
        println!(
            "{name}: temporaries {} ({:+.2} % of XLA's), peak {} ({:+.2} %)",
            ours.temporaries,
            100.0 * temporary,
            ours.peak,
            100.0 * whole
        );
        let tolerance = EXCEPTIONS.iter().find(|e| e.0 == name).map_or(TOLERANCE, |e| e.1);
        if ours.arguments != arguments || temporary.abs() > tolerance || whole.abs() > 0.01 {
            wrong.push(format!(
                "{name}: {arguments} + {temporaries} for XLA, {} + {} here",
                ours.arguments, ours.temporaries
            ));
        }
    }
    assert!(files.len() > 10, "{} programs", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Everything else that XLA compiled: arguments, whatever they are, are counted, and a lower bound is one.
#[test]
fn dumps_have_memory() {
    let Some(oracle) = shared().map(|s| s.join("oracle")).filter(|p| p.is_dir()) else {
        return eprintln!("SKIPPED memory of dumps: no ../shared/oracle (set TPUSIM_SHARED)");
    };
    let mut seen = 0;
    for folder in ["zoo/v6e", "multi"] {
        for entry in std::fs::read_dir(oracle.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if !path.to_string_lossy().ends_with(".hlo.txt") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let memory = memory::analyze(&module(&text).unwrap()).unwrap();
            assert!(
                memory.alive <= memory.temporaries && memory.aliased <= memory.outputs,
                "{}",
                path.display()
            );
            assert!(memory.vmem_peak <= 128 << 20, "{}: {} of VMEM", path.display(), memory.vmem_peak);
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}
