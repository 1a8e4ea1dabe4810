//! What was reached, held: simulated times beside measured ones and beside the compiler's estimates. A class that grows worse than its
//! bound has a reason that belongs in docs/timing.md.

use workloads::dumps::Dumps;
use workloads::estimates;
use workloads::program::Program;
use workloads::scope::Class;
use workloads::score::{Compiler, Wanted, score};

/// Class, chip, the largest mean and median of the absolute error.
const MEASURED: &[(&str, &str, f64, f64)] = &[
    ("gemm", "v4", 0.075, 0.06),
    ("gemm", "v5e", 0.03, 0.02),
    ("gemm", "v6e", 0.05, 0.03),
    ("gemm", "v7x", 0.085, 0.08),
    ("gemm_thin", "v4", 0.05, 0.03),
    ("gemm_thin", "v6e", 0.04, 0.03),
    ("elementwise_hbm", "v6e", 0.03, 0.02),
    ("elementwise_vmem", "v6e", 0.05, 0.04),
    ("reduction", "v6e", 0.06, 0.05),
    ("copy", "v4", 0.07, 0.03),
    ("copy", "v6e", 0.05, 0.05),
    ("copy", "v7x", 0.03, 0.02),
    ("step", "v6e", 0.10, 0.11),
];

/// As [`MEASURED`], of what our own compiler makes of the programs.
const COMPILED: &[(&str, &str, f64, f64)] = &[
    ("gemm", "v4", 0.085, 0.075),
    ("gemm", "v5e", 0.03, 0.03),
    ("gemm", "v6e", 0.08, 0.05),
    ("gemm", "v7x", 0.095, 0.08),
    ("gemm_thin", "v4", 0.065, 0.05),
    ("gemm_thin", "v6e", 0.05, 0.04),
    ("elementwise_hbm", "v6e", 0.03, 0.02),
    ("elementwise_vmem", "v6e", 0.05, 0.05),
    ("copy", "v6e", 0.05, 0.05),
    ("copy", "v7x", 0.07, 0.04),
    ("step", "v6e", 0.13, 0.135),
];

#[test]
fn measured_rows() {
    hold(Compiler::Xla, MEASURED);
}

#[test]
fn measured_rows_compiled_here() {
    hold(Compiler::Builtin, COMPILED);
}

fn hold(compiler: Compiler, bounds: &[(&str, &str, f64, f64)]) {
    let rows = match workloads::published() {
        Ok(rows) => rows,
        Err(e) => return eprintln!("SKIPPED: {e}"),
    };
    let dumps = Dumps::new();
    let text = |chip: &str, program: &Program| match compiler {
        Compiler::Xla => dumps.of(chip, program),
        Compiler::Builtin => workloads::compiled(program, chip).map(|text| Some((compiler, text))),
    };
    let card = score(&rows, &Wanted::default(), &text, &workloads::simulated_us);
    assert!(card.not_compiled.is_empty(), "every row in scope has its dump");
    for &(class, chip, mean, median) in bounds {
        let of = card.classes.iter().find(|c| Some(c.class) == Class::named(class) && c.chip == chip);
        let of = of.unwrap_or_else(|| panic!("no rows of {class} on {chip}"));
        assert!(of.mean_abs_error <= mean, "{class} on {chip}: {} on average", of.mean_abs_error);
        assert!(of.median_abs_error <= median, "{class} on {chip}: {} in the median", of.median_abs_error);
    }
}

/// Where the compiler's estimate can be believed (`workloads::estimates`); on v7x it is 9 to 85 % above what was measured.
#[test]
fn the_compilers_estimates() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("dumps/estimates");
    let agreements = estimates::agreements(&estimates::kernels(&folder).unwrap());
    let of =
        |class: &str, chip: &str| agreements.iter().find(|a| a.class == class && a.chip == chip).unwrap();
    for chip in ["v5e", "v5p", "v6e", "v7x"] {
        let products = of("product", chip);
        assert!(products.spearman > 0.97, "{products:?}");
        assert!(products.median < if chip == "v7x" { 0.3 } else { 0.15 }, "{products:?}");
    }
    for chip in ["v5e", "v6e"] {
        let fusions = of("fusion, f32", chip);
        assert!(fusions.median < 0.15 && fusions.spearman > 0.97, "{fusions:?}");
    }
}
