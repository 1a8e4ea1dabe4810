//! Simulated time, mechanism by mechanism: `time/*.hlo`, a scheduled module in and a table out.
//!
//! A file's first line is `// time: ` and what it is timed with: a chip, then `key=value` changes of its parameters, `trips=N`, `cold`,
//! `cost=compiler`. Behind the program follows what comes of it, as comments: `// => `, the whole and each kernel, or an error.
//! `TPUSIM_BLESS=1` writes that part.

use backend::frontend::{self, ParseOptions, Source};
use backend::time::{self, CostModel, Options, Timing};
use sim_core::Result;
use sim_core::chip::Chip;
use std::fmt::Write as _;
use std::path::Path;

#[path = "time/properties.rs"]
mod properties;
#[path = "time/summary.rs"]
mod summary;

const RESULT: &str = "// => ";

fn outcome(header: &str, program: &str) -> String {
    let mut words =
        header.strip_prefix("// time:").expect("the first line says `// time:`").split_whitespace();
    let chip = Chip::named(words.next().expect("the first line names a chip")).expect("a known chip");
    let (mut changes, mut options) = (Vec::new(), Options { warm: true, ..Options::default() });
    for word in words {
        match word.split_once('=') {
            Some(("trips", n)) => options.trips = Some(n.parse().unwrap()),
            Some(("cost", "compiler")) => options.cost = CostModel::Compiler,
            Some(_) => changes.push(word.to_owned()),
            None if word == "cold" => options.warm = false,
            None => panic!("{word}: the first line takes key=value, cold"),
        }
    }
    let time = || -> Result<Timing> {
        let source = Source::from_bytes("program", program);
        let module = frontend::parse_hlo(&source, &ParseOptions::default())?.expect("HLO").remove(0);
        time::simulate(&module, &chip.with(&changes)?, &options)
    };
    match time() {
        Ok(timing) => table(&timing),
        Err(e) => {
            format!("error: {e}\n{}", e.help_text().map(|h| format!("  help: {h}\n")).unwrap_or_default())
        }
    }
}

fn table(timing: &Timing) -> String {
    let s = timing.summary();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}, {:.0} FLOP, {:.0} B read, {:.0} B written, waited {}",
        s.total, s.flops, s.read, s.written, s.exposed
    );
    let mut kernels = s.kernels.clone();
    kernels.sort_by_key(|k| (k.first, k.id));
    for k in &kernels {
        let each = sim_core::engine::Duration::from_ps(k.time.ps() / k.runs.max(1));
        let beside = if k.asynchronous { " beside" } else { "" };
        let _ = writeln!(
            out,
            "{}: {} x {} from {}, {}, {} steps, by {}{beside}",
            k.item.name,
            k.runs,
            each,
            k.first,
            k.item.kernel.unit.name(),
            k.item.kernel.steps,
            k.item.kernel.bound.name(),
        );
        if let Some(reason) = k.item.kernel.estimate {
            let _ = writeln!(out, "  estimate: {reason}");
        }
    }
    for l in &timing.loops {
        let from = l.from.map_or("nobody knows".to_owned(), |f| format!("{f:?}").to_lowercase());
        let _ = writeln!(out, "{}: {} trips, {from}", timing.program.item(l.item).name, l.trips);
    }
    for &b in &timing.guessed {
        let _ = writeln!(out, "{}: the costliest branch", timing.program.item(b).name);
    }
    out
}

#[test]
fn files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/time");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "hlo"));
    paths.sort();
    assert!(paths.len() > 10);
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = text.split(&format!("\n{}", RESULT.trim_end())).next().unwrap().trim_end().to_owned();
        let (header, body) = program.split_once('\n').unwrap();
        let got: String = outcome(header, body)
            .lines()
            .map(|l| format!("{RESULT}{l}").trim_end().to_owned() + "\n")
            .collect();
        let whole = format!("{program}\n\n{got}");
        if whole != text {
            if std::env::var_os("TPUSIM_BLESS").is_some() {
                std::fs::write(&path, whole).unwrap();
            } else {
                wrong.push(format!("{}:\n{got}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "TPUSIM_BLESS=1 writes what is new:\n{}", wrong.join("\n"));
}
