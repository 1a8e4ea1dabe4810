//! For tests: the Python that they compare with.

use std::ffi::OsString;
use std::io::Write;

/// An interpreter with NumPy and `ml_dtypes`, which `cargo xtask test` provides in `TPUSIM_PYTHON`.
/// Without one, says so on stderr and in the log from which `xtask` counts skipped tests.
pub fn python(test: &str) -> Option<OsString> {
    let python = std::env::var_os("TPUSIM_PYTHON");
    if python.is_none() {
        eprintln!("SKIPPED {test}: TPUSIM_PYTHON is not set");
        if let Some(path) = std::env::var_os("TPUSIM_SKIP_LOG")
            && let Ok(mut log) = std::fs::OpenOptions::new().append(true).create(true).open(path)
        {
            let _ = writeln!(log, "{test}: TPUSIM_PYTHON is not set");
        }
    }
    python
}
