//! `cargo xtask test`: every test of the workspace, and one line that sums them up.

use crate::{cargo, python, root};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// What `cargo test` reports, summed over its binaries.
#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
    /// The names of those that failed.
    failures: Vec<String>,
}

impl Counts {
    /// `test result: ok. 7 passed; 0 failed; 1 ignored; …`, `test NAME ... FAILED`
    fn add(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("test ").and_then(|l| l.strip_suffix(" ... FAILED")) {
            self.failures.push(name.to_owned());
        }
        let Some(rest) = line.strip_prefix("test result: ") else { return };
        let words: Vec<&str> = rest.split([' ', ';', '.']).filter(|w| !w.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(n) = pair[0].parse::<u64>() else { continue };
            match pair[1] {
                "passed" => self.passed += n,
                "failed" => self.failed += n,
                "ignored" => self.skipped += n,
                _ => {}
            }
        }
    }
}

pub fn run(args: &[String]) -> Result<(), String> {
    let ci = std::env::var_os("CI").is_some_and(|v| v == "true" || v == "1");
    let python = python::ensure();
    if let Err(why) = &python {
        eprintln!("SKIPPED: the tests that compare with JAX and NumPy: {why}");
        if ci {
            return Err("CI needs them: install Python 3.11 or newer".to_owned());
        }
    }
    let mut brought = Vec::new();
    for (what, needed) in [
        (python::PJRT_HEADERS, "the test of PJRT's declarations"),
        (python::JAX_SOURCES, "JAX's own harnesses"),
    ] {
        match python.as_ref().map_err(Clone::clone).and_then(|python| what.ensure(python)) {
            Ok(folder) => brought.push((what.variable, folder)),
            Err(why) => {
                eprintln!("SKIPPED: {needed}: {why}");
                if ci {
                    return Err(format!("CI needs them: let it reach PyPI, or set {}", what.variable));
                }
            }
        }
    }
    let log = root().join("target/skipped-tests.log");
    std::fs::create_dir_all(root().join("target")).map_err(|e| format!("cannot make target/: {e}"))?;
    let _ = std::fs::remove_file(&log); // It may not be there.

    let mut command = cargo();
    command.args(["test", "--workspace", "--no-fail-fast"]).args(args);
    command.env("TPUSIM_SKIP_LOG", &log).stdout(Stdio::piped());
    if let Ok(python) = &python {
        command.env("TPUSIM_PYTHON", python);
    }
    command.envs(brought);
    let mut child = command.spawn().map_err(|e| format!("cannot run cargo test: {e}"))?;
    let mut counts = Counts::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            counts.add(&line);
        }
    }
    let status = child.wait().map_err(|e| format!("cannot wait for cargo test: {e}"))?;
    let skipped = std::fs::read_to_string(&log).unwrap_or_default();
    for line in skipped.lines() {
        println!("SKIPPED {line}");
        // It was counted as passed.
        counts.passed = counts.passed.saturating_sub(1);
        counts.skipped += 1;
    }
    for name in &counts.failures {
        println!("FAILED {name}");
    }
    println!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
    if !status.success() {
        return Err("some tests failed, or did not build".to_owned());
    }
    if ci && !skipped.is_empty() {
        return Err("CI skips no test for want of Python, headers, sources or a C compiler".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn results_are_summed() {
        let mut counts = Counts::default();
        counts.add(
            "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 1.5s",
        );
        counts.add("test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured");
        counts.add("test foo ... ok");
        counts.add("test some::name ... FAILED");
        counts.add("test another ... ok");
        assert_eq!((counts.passed, counts.failed, counts.skipped), (9, 3, 1));
        assert_eq!(counts.failures, ["some::name"]);
    }
}
