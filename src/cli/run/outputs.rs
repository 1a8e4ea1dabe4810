//! Outputs of a run: by name, in files, against what is expected.

use crate::cli::devices::{self};
use crate::cli::files::write_file;
use crate::cli::report::{Expectation, Output};
use crate::values::compare::{Tolerance, compare};
use backend::npy::{Archive, NpzWriter, write_npy};
use backend::runtime::Value;
use sim_core::{Ctx, Diagnostic, Result, Tensor, Type};
use std::path::{Path, PathBuf};

/// Results by name: `out0`, `out1`, …; the parts of a tuple are `out0.0`, `out0.1`, ….
pub(super) fn outputs(results: &[Value], types: &[Type]) -> Vec<Output> {
    fn flatten(name: String, value: &Value, ty: Option<&Type>, out: &mut Vec<Output>) {
        match value {
            Value::Tensor(tensor) => out.push(Output::new(name, tensor.clone(), ty)),
            Value::Token => {}
            Value::Tuple(values) | Value::Future(values) => {
                for (i, value) in values.iter().enumerate() {
                    let ty = match ty {
                        Some(Type::Tuple(ts) | Type::Future(ts)) => ts.get(i),
                        _ => None,
                    };
                    flatten(format!("{name}.{i}"), value, ty, out);
                }
            }
        }
    }
    let mut out = Vec::new();
    for (i, value) in results.iter().enumerate() {
        flatten(format!("out{i}"), value, types.get(i), &mut out);
    }
    out
}

/// The outputs that go into each file: all into one, or with `{device}` in the name those of each device, whose
/// names lose it.
pub(super) fn by_file(path: &Path, outputs: &[Output]) -> Vec<(PathBuf, Vec<Output>)> {
    if !devices::is_per_device(path) {
        return vec![(path.to_owned(), outputs.to_vec())];
    }
    let mut files: Vec<(PathBuf, Vec<Output>)> = Vec::new();
    for output in outputs {
        let of = output.name.strip_prefix("device").and_then(|rest| rest.split_once('/'));
        let (device, name) =
            of.and_then(|(d, name)| Some((d.parse().ok()?, name))).unwrap_or((0, &output.name));
        let (file, output) =
            (devices::file_of(path, device), Output { name: name.to_owned(), ..output.clone() });
        match files.last_mut().filter(|f| f.0 == file) {
            Some(last) => last.1.push(output),
            None => files.push((file, vec![output])),
        }
    }
    files
}

/// Compares with every file.
pub(super) fn check_all(
    path: &Path,
    outputs: &[Output],
    tolerance: Tolerance,
    ctx: &Ctx,
) -> Result<Vec<Expectation>> {
    let mut found = Vec::new();
    for (file, outputs) in by_file(path, outputs) {
        found.extend(check(&file, &outputs, tolerance, ctx)?);
    }
    Ok(found)
}

pub(super) fn write_outputs(path: &Path, outputs: &[Output]) -> Result<()> {
    let npy = path.extension().is_some_and(|e| e == "npy");
    if npy && outputs.len() != 1 {
        return Err(Diagnostic::invalid(format!(
            "a .npy file holds one array, and there are {} outputs",
            outputs.len()
        ))
        .help("name a .npz file"));
    }
    write_file(path, |file| {
        if let ([output], true) = (outputs, npy) {
            return write_npy(file, &output.tensor);
        }
        let mut npz = NpzWriter::new(file);
        for output in outputs {
            npz.add(&output.name, &output.tensor)?;
        }
        npz.finish().map(drop)
    })
    .map_err(|e| e.note(format!("while writing {}", path.display())))
}

/// Compares every output with the array of its name, or of its place.
fn check(path: &Path, outputs: &[Output], tolerance: Tolerance, ctx: &Ctx) -> Result<Vec<Expectation>> {
    let mut archive = Archive::open(path)?;
    let find = |name: &str| archive.entries().iter().position(|e| e.name == name);
    let by_name: Option<Vec<usize>> = outputs
        .iter()
        .enumerate()
        .map(|(i, o)| {
            // Every device may be expected to have the same.
            let shared = || o.name.split_once('/').and_then(|(_, name)| find(name));
            find(&o.name).or_else(shared).or_else(|| find(&format!("arr_{i}")))
        })
        .collect();
    let by_place = || (archive.entries().len() == outputs.len()).then(|| (0..outputs.len()).collect());
    let Some(assigned) = by_name.or_else(by_place) else {
        return Err(Diagnostic::invalid(format!(
            "the expectations do not fit: there are {} outputs, and {} has {} arrays",
            outputs.len(),
            path.display(),
            archive.entries().len()
        ))
        .help("name the arrays out0, out1, …, or give exactly as many"));
    };
    let mut found = Vec::new();
    for (output, entry) in outputs.iter().zip(assigned) {
        let header = &archive.entries()[entry].header;
        let name = output.name.clone();
        if header.shape != output.tensor.shape() || !header.descr.holds(output.tensor.element()) {
            let reason = format!("the output is {}, and {header} was expected", output.ty);
            found.push(Expectation::Misfit { output: name, reason });
            continue;
        }
        let expected: Tensor = archive.read(entry, output.tensor.element(), ctx)?;
        let comparison = compare(&output.tensor, &expected, tolerance);
        found.push(Expectation::Compared { output: name, comparison });
    }
    Ok(found)
}
