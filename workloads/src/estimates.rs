//! The model beside the compiler: what XLA:TPU estimates for each kernel (`estimated_cycles`), and what is simulated.
//!
//! The dumps are of the programs of `../shared/oracle/sweep-dev.csv` (single operations over sizes and types), made by `estimates.py`. The estimate is
//! not the truth: it charges the latency of a transfer, 1.21 us, for each step of a grid and overlaps nothing with it, charges the results of
//! products with a short contracted dimension five times what is measured, and bare operations and narrow results far more than their
//! bytes. Where it can be believed (products that contract at least 256, f32 fusions of some size), both should agree.

use crate::dumps::decompressed;
use backend::time::Unit;
use serde::Serialize;
use sim_core::chip::Chip;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// One kernel, both ways.
#[derive(Clone, Debug, Serialize)]
pub struct Kernel {
    /// Of the dump: operation, sizes, type.
    pub program: String,
    pub chip: String,
    pub class: &'static str,
    pub name: String,
    /// Microseconds.
    pub estimated: f64,
    pub simulated: f64,
}

/// All kernels of a class on a chip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    pub class: &'static str,
    pub chip: String,
    pub kernels: usize,
    /// Of |simulated / estimated - 1|.
    pub median: f64,
    /// Mean of simulated / estimated - 1.
    pub bias: f64,
    /// Rank correlation (Spearman).
    pub spearman: f64,
}

/// Simulates every dump in `folder`, which holds a folder a chip.
///
/// # Errors
/// A folder or file that cannot be read, a dump that cannot be timed.
pub fn kernels(folder: &Path) -> Result<Vec<Kernel>, String> {
    let list = |path: &Path| -> Result<Vec<std::path::PathBuf>, String> {
        let entries = std::fs::read_dir(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.sort();
        Ok(paths)
    };
    let mut out = Vec::new();
    for of_chip in list(folder)? {
        let name = of_chip.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        let chip =
            Chip::named(&name).ok_or_else(|| format!("{}: no chip is called so", of_chip.display()))?;
        for path in list(&of_chip)? {
            let at = |e: String| format!("{}: {e}", path.display());
            let program = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            let program = program.trim_end_matches(".hlo.gz");
            of_dump(&decompressed(&path).map_err(at)?, chip, program, &mut out).map_err(at)?;
        }
    }
    Ok(out)
}

fn of_dump(text: &str, chip: &Chip, program: &str, out: &mut Vec<Kernel>) -> Result<(), String> {
    let timing = crate::simulate(text, &chip.name)?;
    for row in timing.summary().kernels {
        if let (Some(estimate), false) = (row.compiler, row.asynchronous) {
            out.push(Kernel {
                program: program.to_owned(),
                chip: chip.name.clone(),
                class: class(program, row.item.kernel.unit),
                name: row.item.name.to_string(),
                estimated: estimate.us(),
                simulated: row.time.us(),
            });
        }
    }
    Ok(())
}

/// Classes within which the estimate is equally good.
fn class(program: &str, unit: Unit) -> &'static str {
    let mut parts = program.split('_');
    let operation = parts.next().unwrap_or_default();
    let narrow = !program.ends_with("_f32");
    let sizes: Vec<u64> = parts.flat_map(|p| p.split('x')).filter_map(|n| n.parse().ok()).collect();
    match (operation, unit) {
        // `matmul_MxKxN`, `mm_maxred_MxKxN`: few places are contracted.
        ("matmul" | "mm", Unit::Mxu) if sizes.get(1).is_some_and(|&k| k < 256) => "product, short",
        ("qk", Unit::Mxu) => "product, short",
        ("matmul" | "mm" | "sv", Unit::Mxu) => "product",
        ("conv2d", Unit::Mxu) => "convolution",
        ("attention", Unit::Mxu) => "attention",
        ("chain16" | "exp4" | "gelu" | "axpy3" | "sigmoid", _) if narrow => "fusion, narrow",
        ("chain16" | "exp4" | "gelu" | "axpy3" | "sigmoid", _) => "fusion, f32",
        ("softmax" | "layernorm" | "rmsnorm", _) => "norm",
        _ => "bare",
    }
}

/// By class and chip.
pub fn agreements(kernels: &[Kernel]) -> Vec<Agreement> {
    let mut groups: BTreeMap<(&'static str, &str), Vec<(f64, f64)>> = BTreeMap::new();
    for k in kernels.iter().filter(|k| k.estimated > 0.0) {
        groups.entry((k.class, &k.chip)).or_default().push((k.estimated, k.simulated));
    }
    let of = |((class, chip), pairs): ((&'static str, &str), Vec<(f64, f64)>)| {
        let errors: Vec<f64> = pairs.iter().map(|(e, s)| s / e - 1.0).collect();
        let mut sizes: Vec<f64> = errors.iter().map(|e| e.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        Agreement {
            class,
            chip: chip.to_owned(),
            kernels: pairs.len(),
            median: sizes[sizes.len() / 2],
            bias: errors.iter().sum::<f64>() / errors.len() as f64,
            spearman: spearman(&pairs),
        }
    };
    groups.into_iter().map(of).collect()
}

/// Correlation of the ranks; equal values have the mean of their ranks. 1 of fewer than two.
fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |of: fn(&(f64, f64)) -> f64| {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|&a, &b| of(&pairs[a]).total_cmp(&of(&pairs[b])));
        let mut ranks = vec![0.0; pairs.len()];
        let mut i = 0;
        while i < order.len() {
            let same = (i..order.len()).take_while(|&j| of(&pairs[order[j]]) == of(&pairs[order[i]])).count();
            for &at in &order[i..i + same] {
                ranks[at] = i as f64 + (same - 1) as f64 / 2.0;
            }
            i += same;
        }
        ranks
    };
    let (a, b) = (ranks(|p| p.0), ranks(|p| p.1));
    let mean = (pairs.len() as f64 - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    if scale > 0.0 { product(&a, &b) / scale } else { 1.0 }
}

/// As a table.
pub fn text(agreements: &[Agreement]) -> String {
    let mut out = format!(
        "{:<16} {:<5} {:>7} {:>8} {:>8} {:>9}\n",
        "class", "chip", "kernels", "median", "bias", "Spearman"
    );
    for a in agreements {
        let _ = writeln!(
            out,
            "{:<16} {:<5} {:>7} {:>6.1} % {:>+6.1} % {:>9.3}",
            a.class,
            a.chip,
            a.kernels,
            100.0 * a.median,
            100.0 * a.bias,
            a.spearman
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_correlate() {
        assert!((spearman(&[(1.0, 10.0), (2.0, 30.0), (3.0, 20.0)]) - 0.5).abs() < 1e-12);
        assert_eq!(spearman(&[(1.0, 1.0), (2.0, 4.0), (3.0, 9.0)]), 1.0);
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), -1.0);
        // Equal values share their ranks.
        assert!((spearman(&[(1.0, 1.0), (1.0, 2.0), (2.0, 3.0)]) - 0.75f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn programs_have_classes() {
        assert_eq!(class("matmul_2048x64x2048_bf16", Unit::Mxu), "product, short");
        assert_eq!(class("matmul_2048x2048x64_bf16", Unit::Mxu), "product");
        assert_eq!(class("mm_maxred_4096x128x4096_bf16", Unit::Mxu), "product, short");
        assert_eq!(class("gelu_512x512_f32", Unit::Vpu), "fusion, f32");
        assert_eq!(class("add_8x128_f32", Unit::Vpu), "bare");
    }
}
