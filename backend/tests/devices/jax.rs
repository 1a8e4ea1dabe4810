//! JAX on eight devices of its CPU backend: `scripts/jax_devices.py` writes each program as StableHLO, as HLO
//! before optimizations and as partitioned HLO, with inputs and outputs, global and of each device.

use super::{ctx, executable, tensors, values};
use backend::npy::Archive;
use backend::runtime::devices::View;
use sim_core::{ElementType, Tensor};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Python with JAX: `TPUSIM_PYTHON`, or the workspace's `.venv`.
fn python() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python =
        std::env::var_os("TPUSIM_PYTHON").map_or_else(|| root.join(".venv/bin/python"), PathBuf::from);
    if !python.exists() {
        eprintln!("SKIPPED programs of JAX on several devices: no .venv/bin/python (set TPUSIM_PYTHON)");
        return None;
    }
    Some(python)
}

/// The arrays whose names begin so, in order.
fn arrays(path: &Path, prefix: &str) -> Vec<Tensor> {
    let mut archive = Archive::open(path).unwrap();
    archive.keep(prefix);
    let elements: Vec<ElementType> =
        archive.entries().iter().map(|e| e.header.descr.element().unwrap()).collect();
    elements.into_iter().enumerate().map(|(i, e)| archive.read(i, e, &ctx()).unwrap()).collect()
}

fn close(what: &str, actual: &[Tensor], expected: &[Tensor]) {
    assert_eq!(actual.len(), expected.len(), "{what}");
    for (a, e) in actual.iter().zip(expected) {
        assert_eq!((a.element(), a.shape()), (e.element(), e.shape()), "{what}");
        if a.element() != ElementType::F32 {
            assert_eq!(a, e, "{what}");
            continue;
        }
        for (x, y) in a.as_slice::<f32>().iter().zip(e.as_slice::<f32>()) {
            assert!((x - y).abs() <= 1e-5 + 2e-5 * y.abs(), "{what}: {x} is not {y}");
        }
    }
}

#[test]
fn programs_of_jax_give_jax_values() {
    let Some(python) = python() else { return };
    let dir = std::env::temp_dir().join(format!("tpusim-devices-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/jax_devices.py");
    let status = Command::new(python).arg(script).arg(&dir).status().unwrap();
    assert!(status.success(), "{status}");
    let mut names: Vec<PathBuf> = std::fs::read_dir(&dir)
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "npz"))
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{} programs only", names.len());
    for npz in &names {
        let read = |ext: &str| std::fs::read_to_string(npz.with_extension(ext)).unwrap();
        let (inputs, expected) = (arrays(npz, "in"), arrays(npz, "out"));
        for ext in ["mlir", "before.hlo"] {
            let what = npz.with_extension(ext).display().to_string();
            let exe = executable(&what, &read(ext)).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert_eq!((exe.placement().view, exe.placement().grid.len()), (View::Global, 8), "{what}");
            let out = exe.run(&ctx(), inputs.clone()).unwrap_or_else(|e| panic!("{what}: {e}"));
            close(&what, &tensors(out), &expected);
        }
        let what = npz.with_extension("hlo").display().to_string();
        let exe = executable(&what, &read("hlo")).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!((exe.placement().view, exe.placement().grid.len()), (View::PerDevice, 8), "{what}");
        let given = (0..8).map(|d| values(arrays(npz, &format!("device{d}/in")))).collect();
        let run = exe.run_devices(&ctx(), given).unwrap_or_else(|e| panic!("{what}: {e}"));
        for (d, out) in run.outputs.into_iter().enumerate() {
            close(&format!("{what}, device {d}"), &tensors(out), &arrays(npz, &format!("device{d}/out")));
        }
    }
    std::fs::remove_dir_all(dir).unwrap();
}
