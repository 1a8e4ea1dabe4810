//! What we print is what XLA's own parser prints of the same text (`jaxlib._hlo`).

use super::{files, root};
use backend::frontend::hlo::parse_text;
use sim_core::hlo::print::{PrintOptions, module_text};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::process::Command;

/// `file: reason` a line, of files that XLA prints otherwise.
pub fn exceptions() -> BTreeMap<&'static str, &'static str> {
    include_str!("print.exceptions")
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
        .map(|l| l.split_once(": ").expect("`file: reason`"))
        .collect()
}

/// The interpreter with JAX; without one the test is skipped, and says so.
pub fn python(what: &str) -> Option<OsString> {
    let python = std::env::var_os("TPUSIM_PYTHON");
    if python.is_none() {
        eprintln!("SKIPPED {what}: TPUSIM_PYTHON is not set");
        if let Some(path) = std::env::var_os("TPUSIM_SKIP_LOG")
            && let Ok(mut log) = std::fs::OpenOptions::new().append(true).create(true).open(path)
        {
            let _ = writeln!(log, "{what}: TPUSIM_PYTHON is not set");
        }
    }
    python
}

#[test]
fn xla_prints_the_same() {
    let Some(files) = files() else { return };
    let Some(python) = python("HLO beside XLA") else { return };
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hlo");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut numbered = Vec::new();
    for (i, (name, text)) in files.iter().enumerate() {
        let modules = parse_text(text, true).unwrap_or_else(|e| panic!("{name}: {e}"));
        // XLA reads one module from a text.
        if let [m] = &modules[..] {
            std::fs::write(folder.join(format!("{i}.hlo")), text).unwrap();
            numbered.push((i, name, text, m.clone()));
        }
    }
    let script = root().join("backend/tests/scripts/xla_prints.py");
    let status = Command::new(python).arg(script).arg(&folder).status().unwrap();
    assert!(status.success());
    let exceptions = exceptions();
    let (mut wrong, mut unread) = (Vec::new(), 0);
    for (i, name, text, m) in &numbered {
        let printed = std::fs::read_to_string(folder.join(format!("{i}.txt"))).ok();
        let same = printed.as_ref().map(|xla| {
            // XLA fills what a dump left out with numbers of its own.
            let elide_large_constants = text.contains("constant({...})");
            let ours = module_text(m, &PrintOptions { elide_large_constants, ..PrintOptions::default() });
            // XLA's reader loses the sign of `-0`, which its dumps have.
            first_difference(xla, &ours.replace("constant(-0)", "constant(0)"))
        });
        match (same, exceptions.get(name.as_str())) {
            (Some(None), None) => {}
            (Some(None), Some(_)) => wrong.push(format!("{name} is printed alike: take its exception out")),
            (Some(Some(_)) | None, Some(_)) => {}
            (Some(Some(d)), None) => wrong.push(format!("{name}: {d}")),
            (None, None) => unread += 1,
        }
    }
    // It aborts on programs of the SparseCore: their operands come after their start.
    assert!(unread <= 10, "XLA reads {unread} of {} files not", numbered.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), numbered.len(), wrong.join("\n"));
}

/// The first line in which the second text is not the first.
pub fn first_difference(xla: &str, ours: &str) -> Option<String> {
    let (mut a, mut b) = (xla.trim_end().lines(), ours.trim_end().lines());
    for n in 1.. {
        match (a.next(), b.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => {
                return Some(format!(
                    "line {n}\n  XLA:  {}\n  ours: {}",
                    a.unwrap_or("(end)"),
                    b.unwrap_or("(end)")
                ));
            }
        }
    }
    None
}
