//! Peak memory beside XLA:CPU's: each program of `memory/` says in its first line what XLA's buffer
//! assignment takes for it, and must run in at most 1.3 times as much.
//!
//! The files are written by `cargo xtask bench --memory --record`, from the JAX functions in
//! `xtask/bench/memory_programs.py` and `programs.py`. Inputs are zeros, and nobody else keeps them,
//! as in `tpusim run`.

use backend::frontend;
use backend::runtime::memory::Role;
use backend::runtime::{Executable, RunOptions};
use sim_core::{Ctx, Numerics};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The bound of the project: tenths of XLA's number.
const TENTHS: u64 = 13;

fn programs() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

fn executable(path: &Path) -> (Executable, String) {
    let source = frontend::read_path(path).unwrap();
    let text = source.text().unwrap().to_owned();
    let module = frontend::parse(&source).unwrap().swap_remove(0);
    (Executable::new(Arc::new(module), RunOptions::default()).unwrap(), text)
}

/// `// XLA:CPU arguments=… outputs=… temporaries=… aliased=… total=…`
fn recorded(text: &str, key: &str) -> u64 {
    let words = text.lines().next().and_then(|l| l.strip_prefix("// XLA:CPU ")).unwrap().split(' ');
    words.filter_map(|w| w.split_once('=')).find(|w| w.0 == key).unwrap().1.parse().unwrap()
}

/// The peak of a run, and the executable that ran.
fn peak(path: &Path) -> (u64, u64, Executable) {
    let (exe, text) = executable(path);
    let ctx = Ctx::new(Numerics::tpu(), 4 << 30);
    let inputs = exe.signature().0.iter().map(|ty| {
        let ty = ty.as_tensor().unwrap();
        ctx.alloc_zeroed(ty.element, &ty.static_dims().unwrap()).unwrap()
    });
    let inputs = inputs.collect();
    exe.run(&ctx, inputs).unwrap();
    (ctx.memory().1, recorded(&text, "total"), exe)
}

#[test]
fn no_program_takes_much_more_than_xla() {
    let files = programs();
    assert!(files.len() > 40, "{} programs", files.len());
    let mut over = Vec::new();
    for path in &files {
        let name = path.file_stem().unwrap().to_string_lossy();
        let (peak, xla, exe) = peak(path);
        println!("{name}: {peak} bytes, {:.2} of XLA's", peak as f64 / xla as f64);
        if peak * 10 > xla * TENTHS {
            let at = exe.peak_memory().unwrap();
            over.push(format!("{name}: {peak} bytes, and XLA takes {xla}; at the peak: {at:#?}"));
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}

#[test]
fn the_peak_says_what_was_alive() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory/softmax_4096.mlir");
    let (peak, _, exe) = peak(&path);
    let at = exe.peak_memory().unwrap();
    // The operand and what the division writes it to.
    assert_eq!(at.values[0].role, Role::Argument);
    assert_eq!(at.values[0].bytes, 4096 * 4096 * 4);
    assert_eq!(at.values[0].argument, Some(0));
    let listed: u64 = at.values.iter().map(|v| v.bytes).sum();
    assert!(at.bytes <= peak && listed + at.others + at.rest >= at.bytes);
    assert!(at.rest < 1 << 20, "{at:?}");
}
