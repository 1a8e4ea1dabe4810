//! What our own compiler makes of programs, beside XLA:TPU's dumps: what was reached is in `compiled.txt`, a line for each program and chip,
//! so that a change of the compiler shows what it did. `TPUSIM_BLESS=1` writes it, and the tables of docs/agreement.md.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use workloads::agreement::{self, MEASURES, Row, one_line, percent};

/// How far a percentage may be from the one that is written down.
const SLACK: f64 = 2.0;
/// Where the generated part of the document begins.
const MARK: &str =
    "<!-- What follows is written by TPUSIM_BLESS=1 cargo test -p workloads --test compiled -->\n";

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// `mlp_gelu v6e +1 +0 -3 +0`, or why there is nothing to compare.
fn line(row: &Row) -> String {
    let mut line = format!("{} {}", row.program, row.chip);
    match row.off() {
        Ok(off) => off.iter().for_each(|o| {
            let _ = write!(line, " {:+.1}", 100.0 * o);
        }),
        Err(why) => {
            let _ = write!(line, " error {}", one_line(&why));
        }
    }
    line
}

fn key(line: &str) -> String {
    line.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn same(a: &str, b: &str) -> bool {
    let numbers =
        |line: &str| -> Option<Vec<f64>> { line.split(' ').skip(2).map(|n| n.parse().ok()).collect() };
    match (numbers(a), numbers(b)) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= SLACK),
        _ => a == b,
    }
}

#[test]
fn programs_beside_those_of_xla() {
    let shared = workloads::shared();
    let all = shared.join("oracle/corpus").is_dir();
    if !all {
        eprintln!("SKIPPED programs of oracle/: no {} (set TPUSIM_SHARED)", shared.join("oracle").display());
    }
    let rows = agreement::agreement(&agreement::pairs(&shared).unwrap());
    let expected = file("tests/compiled.txt");
    if std::env::var_os("TPUSIM_BLESS").is_some() {
        assert!(all, "only all rows together are written");
        let lines: String = rows.iter().map(|r| line(r) + "\n").collect();
        let head = "# program, chip, in percent: time, kernels, HBM bytes, peak memory\n";
        std::fs::write(&expected, format!("{head}{lines}")).unwrap();
        let document = file("../docs/agreement.md");
        let written = std::fs::read_to_string(&document).unwrap();
        let (before, _) = written.split_once(MARK).expect("docs/agreement.md says where its tables begin");
        return std::fs::write(&document, format!("{before}{MARK}{}", tables(&rows))).unwrap();
    }
    let expected = std::fs::read_to_string(&expected).unwrap();
    let mut expected: std::collections::BTreeMap<String, &str> =
        expected.lines().filter(|l| !l.starts_with('#')).map(|l| (key(l), l)).collect();
    let mut wrong = Vec::new();
    for row in &rows {
        let found = line(row);
        match expected.remove(&key(&found)) {
            Some(known) if same(known, &found) => {}
            Some(known) => wrong.push(format!("{found}\n  it was {known}")),
            None => wrong.push(format!("{found}\n  it is new")),
        }
    }
    if all {
        wrong.extend(expected.values().map(|l| format!("{l}\n  it is gone")));
    }
    assert!(wrong.is_empty(), "TPUSIM_BLESS=1 writes what is new:\n{}", wrong.join("\n"));
}

/// The generated part of docs/agreement.md.
fn tables(rows: &[Row]) -> String {
    let mut out = format!("\n## All of them\n\nIn bounds, {}.\n\n", agreement::summary(rows));
    out += "| program | chip | time here, XLA | | kernels | | MB of HBM | | MB at the peak | |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for row in rows {
        let _ = write!(out, "| {} | {} |", row.program, row.chip);
        match (row.off(), &row.ours, &row.theirs) {
            (Ok(off), Ok(a), Ok(b)) => {
                let near = row.near();
                let off: [String; MEASURES.len()] = std::array::from_fn(|i| {
                    format!("{}{}", percent(off[i]), if near[i] { "" } else { " *" })
                });
                let [time, kernels, bytes, peak] = off;
                let mb = |n: f64| format!("{:.1}", n / 1e6);
                let _ = write!(
                    out,
                    " {:.1}, {:.1} us | {time} | {}, {} | {kernels} |",
                    a.us, b.us, a.kernels, b.kernels
                );
                let _ = write!(out, " {}, {} | {bytes} |", mb(a.hbm_bytes), mb(b.hbm_bytes));
                let _ = writeln!(out, " {}, {} | {peak} |", mb(a.peak_bytes), mb(b.peak_bytes));
            }
            (off, ..) => {
                let why = off.err().unwrap_or_default();
                let _ = writeln!(out, " {} | * | | * | | * | | * |", one_line(&why).replace('|', "\\|"));
            }
        }
    }
    out
}
