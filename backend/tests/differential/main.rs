//! Random StableHLO programs, run here and by JAX on the CPU: the same values?
//!
//! `TPUSIM_DIFF=N` runs N programs (default 1000), from seed `TPUSIM_DIFF_SEED` (default 1) on. A
//! failing program is printed as small as it can be made, as a file for `tests/regress`. Without
//! `TPUSIM_PYTHON` (a Python with the packages of `xtask/requirements.txt`) the test is skipped.

mod compare;
mod draw;
mod jax;
mod rng;
mod shrink;

use draw::draw;
use jax::Jax;
use shrink::{Failing, file_test, shrink};
use std::ffi::OsString;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// After so many failures a run ends.
const ENOUGH: usize = 10;

/// A process of JAX keeps what it compiled: after so many programs a new one takes over.
const RENEW: u64 = 1000;

fn python() -> Option<OsString> {
    let python = std::env::var_os("TPUSIM_PYTHON");
    if python.is_none() {
        eprintln!("SKIPPED differential: TPUSIM_PYTHON is not set");
        if let Some(path) = std::env::var_os("TPUSIM_SKIP_LOG")
            && let Ok(mut log) = std::fs::OpenOptions::new().append(true).create(true).open(path)
        {
            let _ = writeln!(log, "differential: TPUSIM_PYTHON is not set");
        }
    }
    python
}

fn number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is {text:?}, which is no number")),
        Err(_) => default,
    }
}

#[test]
fn programs_agree_with_jax() {
    let Some(python) = python() else { return };
    let count = number("TPUSIM_DIFF", 1000);
    let first = number("TPUSIM_DIFF_SEED", 1);
    let next = AtomicU64::new(first);
    let failures = Mutex::new(Vec::new());
    let aborted = AtomicU64::new(0);
    let workers = if count < 20 { 1 } else { 2 };
    std::thread::scope(|s| {
        for _ in 0..workers {
            s.spawn(|| {
                let mut jax = Jax::start(&python);
                for done in 1u64.. {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count || failures.lock().expect("no panic").len() >= ENOUGH {
                        return;
                    }
                    if (seed - first) % 1000 == 999 {
                        eprintln!("{} of {count} programs", seed - first + 1);
                    }
                    if done.is_multiple_of(RENEW) {
                        jax = Jax::start(&python);
                    }
                    if let Err(report) = one(&mut jax, seed, &aborted) {
                        eprintln!("{report}"); // At once: a long run may be stopped.
                        failures.lock().expect("no panic").push(report);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    let aborted = aborted.into_inner();
    let drawn = next.load(Ordering::Relaxed).min(first + count) - first;
    eprintln!("{} programs compared with JAX, {aborted} more ended its process", drawn - aborted);
    // XLA aborts on few (the absolute value of a complex iota, say). Of many, the question is ours.
    assert!(aborted <= 2 + drawn / 200, "{aborted} of {drawn} programs ended JAX's process");
    assert!(failures.is_empty(), "{} programs failed\n{}", failures.len(), failures.join("\n"));
}

fn one(jax: &mut Jax, seed: u64, aborted: &AtomicU64) -> Result<(), String> {
    let drawn = draw(seed);
    let Err(mismatch) = compare::check(jax, &drawn.module, &drawn.inputs, &drawn.outputs) else {
        return Ok(());
    };
    if mismatch.text.starts_with(jax::DIED) {
        aborted.fetch_add(1, Ordering::Relaxed);
        return Ok(());
    }
    let failing = Failing { module: drawn.module, inputs: drawn.inputs, infos: drawn.outputs };
    let (small, why) = shrink(jax, failing, mismatch);
    Err(format!("// seed {seed}: {}\n{}", why.text, cut(file_test(jax, &small))))
}

/// Large constants tell people nothing.
fn cut(text: String) -> String {
    let lines = text.lines().map(|line| match line.char_indices().nth(1500) {
        Some((at, _)) => format!("{}…\n", &line[..at]),
        None => format!("{line}\n"),
    });
    lines.collect()
}

#[test]
fn a_seed_draws_the_same_program_again() {
    for seed in 0..50 {
        let (a, b) = (draw(seed), draw(seed));
        assert_eq!(a.module.to_string(), b.module.to_string());
        assert_eq!(a.inputs, b.inputs);
    }
}
