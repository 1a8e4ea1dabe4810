//! How near our own compiler comes to XLA:TPU: the same StableHLO, compiled by both, simulated on the same chip.
//!
//! ```text
//!  dumps/programs, ../shared/oracle/{corpus,zoo/v6e} ── pairs ──> Pair { StableHLO, dump, chip }
//!                      StableHLO ── compiler ──> HLO ── time, memory ──> Numbers ┐
//!                                              dump ── time, memory ──> Numbers ┴── Row: how far off, in each measure
//! ```

mod pairs;

pub use pairs::{Pair, pairs};

use backend::compiler;
use backend::frontend::{self, ParseOptions, Source};
use backend::memory;
use backend::time::{self, Unit};
use serde::Serialize;
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is compared, and how far off each may be to be called near.
pub const MEASURES: [(&str, f64); 4] =
    [("time", 0.15), ("kernels", 0.3), ("HBM bytes", 0.15), ("peak memory", 0.1)];

/// What is known of a compiled program on a chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Numbers {
    pub us: f64,
    /// Of the units that compute or move arrays: what the scalar core does is none.
    pub kernels: f64,
    /// Read and written.
    pub hbm_bytes: f64,
    pub peak_bytes: f64,
}

impl Numbers {
    fn all(&self) -> [f64; 4] {
        [self.us, self.kernels, self.hbm_bytes, self.peak_bytes]
    }
}

/// A program on a chip.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub program: String,
    pub chip: String,
    /// Kept elsewhere than in this repository.
    pub shared: bool,
    pub ours: Result<Numbers, String>,
    pub theirs: Result<Numbers, String>,
    /// Arguments, results and temporaries by XLA's own account, where the dump says so.
    pub told_peak_bytes: Option<f64>,
}

impl Row {
    /// In each of [`MEASURES`], by what part ours is more than theirs.
    ///
    /// # Errors
    /// One of both is not known: why.
    pub fn off(&self) -> Result<[f64; 4], String> {
        let ours = self.ours.as_ref().map_err(|e| format!("here: {e}"))?.all();
        let theirs = self.theirs.as_ref().map_err(|e| format!("the dump: {e}"))?.all();
        Ok(std::array::from_fn(|i| match (ours[i], theirs[i]) {
            (a, b) if a == b => 0.0,
            // Whatever is more than nothing is far off.
            (_, 0.0) => 9.99,
            (a, b) => (a / b - 1.0).min(9.99),
        }))
    }

    /// In each of [`MEASURES`], is it near?
    pub fn near(&self) -> [bool; 4] {
        match self.off() {
            Ok(off) => std::array::from_fn(|i| off[i].abs() <= MEASURES[i].1),
            Err(_) => [false; 4],
        }
    }
}

/// Compiles and simulates, on as many threads as there are processors.
pub fn agreement(pairs: &[Pair]) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    let work = || {
        while let Some(pair) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let row = row(pair);
            if let Ok(mut rows) = rows.lock() {
                rows.push(row);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by(|a, b| (&a.program, &a.chip).cmp(&(&b.program, &b.chip)));
    rows
}

fn row(pair: &Pair) -> Row {
    let dump = pair.dump();
    Row {
        program: pair.program.clone(),
        chip: pair.chip.clone(),
        shared: pair.shared,
        ours: ours(pair),
        theirs: dump.as_ref().map_err(Clone::clone).and_then(|text| theirs(text, &pair.chip)),
        told_peak_bytes: dump.as_ref().ok().and_then(|text| told(text)),
    }
}

fn ours(pair: &Pair) -> Result<Numbers, String> {
    let of = |e: sim_core::Diagnostic| e.to_string();
    let chip = chip(&pair.chip)?;
    let source = Source::from_bytes("program", pair.stablehlo()?);
    let module = frontend::parse(&source).map_err(of)?.into_iter().next().ok_or("no program")?;
    let hlo = frontend::hlo::export::export_as_written(&module).map_err(of)?;
    numbers(&compiler::compile(hlo, chip, &mut |_, _| {}).map_err(of)?, chip)
}

fn theirs(text: &str, name: &str) -> Result<Numbers, String> {
    let source = Source::from_bytes("dump", text.to_owned());
    let modules = frontend::parse_hlo(&source, &ParseOptions::default()).map_err(|e| e.to_string())?;
    numbers(&modules.into_iter().flatten().next().ok_or("no HLO")?, chip(name)?)
}

fn chip(name: &str) -> Result<&'static Chip, String> {
    Chip::named(name).ok_or_else(|| format!("there is no chip {name}"))
}

fn numbers(module: &HloModule, chip: &Chip) -> Result<Numbers, String> {
    let of = |e: sim_core::Diagnostic| e.to_string();
    let options = time::Options { warm: true, ..time::Options::default() };
    let timing = time::simulate(module, chip, &options).map_err(of)?;
    let summary = timing.summary();
    Ok(Numbers {
        us: summary.total.us(),
        // What occupies the TensorCore: how many copies beside it there are depends on the pieces they are cut into.
        kernels: summary
            .kernels
            .iter()
            .filter(|k| k.item.kernel.unit != Unit::Scalar && !k.asynchronous)
            .count() as f64,
        hbm_bytes: summary.read + summary.written,
        peak_bytes: memory::analyze(module).map_err(of)?.peak as f64,
    })
}

/// Of the comment that `aot.py` puts before a dump.
fn told(text: &str) -> Option<f64> {
    let said: serde_json::Value =
        serde_json::from_str(text.lines().next()?.strip_prefix("// memory: ")?).ok()?;
    let of = |name: &str| said.get(name)?.as_f64();
    Some(of("arguments")? + of("results")? - of("aliased")? + of("temporary")?)
}

/// As a table; with `*` what is out of bounds. The last line counts.
pub fn text(rows: &[Row]) -> String {
    let width = rows.iter().map(|r| r.program.len()).max().unwrap_or(0).max(7);
    let mut out = format!(
        "{:width$} chip {:>11} {:>11} {:>7}  {:>4} {:>4} {:>7}  {:>9} {:>9} {:>7}  {:>9} {:>9} {:>7}\n",
        "program",
        "us here",
        "XLA:TPU",
        "",
        "k",
        "XLA",
        "",
        "HBM MB",
        "XLA:TPU",
        "",
        "peak MB",
        "XLA:TPU",
        ""
    );
    for row in rows {
        let _ = write!(out, "{:width$} {:4} ", row.program, row.chip);
        let (off, ours, theirs) = match (row.off(), &row.ours, &row.theirs) {
            (Ok(off), Ok(ours), Ok(theirs)) => (off, ours, theirs),
            (Err(why), ..) => {
                let _ = writeln!(out, "* {}", one_line(&why));
                continue;
            }
            _ => continue,
        };
        let near = row.near();
        let p = |i: usize| format!("{}{}", percent(off[i]), if near[i] { ' ' } else { '*' });
        let mb = |n: f64| format!("{:.1}", n / 1e6);
        let _ = writeln!(
            out,
            "{:11.1} {:11.1} {:>7}  {:4} {:4} {:>7}  {:>9} {:>9} {:>7}  {:>9} {:>9} {:>7}",
            ours.us,
            theirs.us,
            p(0),
            ours.kernels,
            theirs.kernels,
            p(1),
            mb(ours.hbm_bytes),
            mb(theirs.hbm_bytes),
            p(2),
            mb(ours.peak_bytes),
            mb(theirs.peak_bytes),
            p(3)
        );
    }
    let _ = writeln!(out, "{}", summary(rows));
    out
}

/// `of 90: time within 15 % 60, …`.
pub fn summary(rows: &[Row]) -> String {
    let within = |i: usize| rows.iter().filter(|r| r.near()[i]).count();
    let each = MEASURES.iter().enumerate();
    let each: Vec<String> = each
        .map(|(i, (name, bound))| format!("{name} within {:.0} % {}", bound * 100.0, within(i)))
        .collect();
    let all = rows.iter().filter(|r| r.near() == [true; 4]).count();
    format!("of {}: {}, all four {all}", rows.len(), each.join(", "))
}

/// `+12 %`.
pub fn percent(off: f64) -> String {
    format!("{:+.0} %", off * 100.0)
}

/// The first line of a message.
pub fn one_line(message: &str) -> &str {
    message.lines().next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: [f64; 4], theirs: [f64; 4]) -> Row {
        let numbers = |[us, kernels, hbm_bytes, peak_bytes]: [f64; 4]| {
            Ok(Numbers { us, kernels, hbm_bytes, peak_bytes })
        };
        Row {
            program: "p".to_owned(),
            chip: "v6e".to_owned(),
            shared: false,
            ours: numbers(ours),
            theirs: numbers(theirs),
            told_peak_bytes: None,
        }
    }

    #[test]
    fn what_is_near() {
        let near = row([114.0, 12.0, 0.0, 100.0], [100.0, 10.0, 0.0, 100.0]);
        assert_eq!(near.near(), [true, true, true, true]);
        let far = row([116.0, 14.0, 1.0, 89.0], [100.0, 10.0, 0.0, 100.0]);
        assert_eq!(far.near(), [false; 4]);
        let broken = Row { ours: Err("no\nmore".to_owned()), ..near.clone() };
        assert_eq!(broken.near(), [false; 4]);
        let table = text(&[near, far, broken]);
        assert!(table.contains("* here: no\n"), "{table}");
        assert!(table.ends_with("peak memory within 10 % 1, all four 1\n"), "{table}");
    }

    #[test]
    fn what_the_compiler_told() {
        let head = "// memory: {\"arguments\": 10, \"results\": 4, \"aliased\": 4, \"temporary\": 5, \"peak\": 9}\nHloModule m";
        assert_eq!(told(head), Some(15.0));
        assert_eq!(told("HloModule m"), None);
    }
}
