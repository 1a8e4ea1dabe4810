//! Dumps of programs as XLA:TPU compiled them: kept as test data, found by chip and name, made by `aot.py` where it can.
//!
//! ```text
//!  workloads/dumps/<chip>/<name>.hlo.gz      kept, of all rows that may be seen
//!  target/workloads/<chip>/<name>.hlo.gz     made for rows of other files
//! ```

mod measured;

pub use measured::isolate;

use crate::program::Program;
use crate::score::Compiler;
use flate2::read::GzDecoder;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where dumps are looked for.
#[derive(Clone, Debug)]
pub struct Dumps {
    /// From the first to the last.
    pub folders: Vec<PathBuf>,
}

/// A program that has no dump yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing<'a> {
    pub chip: &'a str,
    pub program: &'a Program,
}

/// What `aot.py` reads.
#[derive(Debug, Serialize)]
struct Job<'a> {
    stablehlo: PathBuf,
    chip: &'a str,
    options: &'a BTreeMap<String, String>,
    output: PathBuf,
}

impl Dumps {
    /// The kept ones, then those that were made since.
    pub fn new() -> Dumps {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        Dumps { folders: vec![root.join("dumps"), root.join("../target/workloads")] }
    }

    /// Where the compiler's answer goes.
    fn path(folder: &Path, chip: &str, name: &str) -> PathBuf {
        folder.join(chip).join(format!("{name}.hlo.gz"))
    }

    /// Is there one?
    pub fn has(&self, chip: &str, name: &str) -> bool {
        self.folders.iter().any(|f| Self::path(f, chip, name).is_file())
    }

    /// The text of a program's dump, if there is one.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn text(&self, chip: &str, name: &str) -> Result<Option<String>, String> {
        let Some(path) = self.folders.iter().map(|f| Self::path(f, chip, name)).find(|p| p.is_file()) else {
            return Ok(None);
        };
        decompressed(&path).map(Some).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// As [`text`](Self::text), for the scorecard.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of(&self, chip: &str, program: &Program) -> Result<Option<(Compiler, String)>, String> {
        Ok(self.text(chip, &program.name)?.map(|text| (Compiler::Xla, text)))
    }

    /// Compiles programs, with a line on standard error for each. Returns why some were not, by
    /// chip and name (`v6e/…`).
    ///
    /// # Errors
    /// There is no compiler.
    pub fn compile(&self, missing: &[Missing], keep: bool) -> Result<BTreeMap<String, String>, String> {
        let python = python()?;
        let folder = if keep { self.folders.first() } else { self.folders.last() };
        let folder = folder.ok_or("no folder for dumps")?;
        let scratch = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/workloads/stablehlo");
        let said = |e: std::io::Error| format!("{}: {e}", scratch.display());
        std::fs::create_dir_all(&scratch).map_err(said)?;
        let mut jobs = Vec::new();
        for m in missing {
            let stablehlo = scratch.join(format!("{}.mlir", m.program.name));
            std::fs::write(&stablehlo, &m.program.stablehlo).map_err(said)?;
            let output = Self::path(folder, m.chip, &m.program.name);
            jobs.push(Job { stablehlo, chip: m.chip, options: &m.program.options, output });
        }
        // Another process may compile other programs at the same time.
        let list = scratch.join(format!("jobs-{}.json", std::process::id()));
        let text = serde_json::to_string(&jobs).map_err(|e| e.to_string())?;
        std::fs::write(&list, text).map_err(said)?;
        let log = list.with_extension("log");
        let mut compiler = Command::new(&python)
            .arg(script())
            .arg(&list)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).map_err(said)?)
            .spawn()
            .map_err(|e| format!("cannot run {}: {e}", python.display()))?;
        let mut failed = BTreeMap::new();
        let lines = compiler.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines);
        for line in lines.map_while(Result::ok) {
            eprintln!("{line}");
            if let Some((path, why)) = line.strip_prefix("failed ").and_then(|l| l.split_once(' ')) {
                failed.insert(path.to_owned(), why.to_owned());
            }
        }
        let status = compiler.wait().map_err(|e| format!("{}: {e}", python.display()))?;
        let complaints = std::fs::read_to_string(&log).unwrap_or_default();
        for file in [&list, &log] {
            // Left over, they would be of no use to anybody.
            let _ = std::fs::remove_file(file);
        }
        if status.code() == Some(3) {
            return Err(complaints.trim().to_owned());
        }
        let mut reasons = BTreeMap::new();
        for (m, job) in missing.iter().zip(&jobs) {
            if !job.output.is_file() {
                let why = failed.get(&job.output.display().to_string());
                let last = || complaints.lines().rfind(|l| !l.trim().is_empty()).unwrap_or("").to_owned();
                let why = why.cloned().unwrap_or_else(|| format!("the compiler ended before it. {}", last()));
                reasons.insert(format!("{}/{}", m.chip, m.program.name), why);
            }
        }
        Ok(reasons)
    }
}

impl Default for Dumps {
    fn default() -> Self {
        Dumps::new()
    }
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("aot.py")
}

/// A Python that has the compiler: `TPUSIM_PYTHON`, the checkout's `.venv`, or what the path has.
fn python() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let own = std::env::var_os("TPUSIM_PYTHON").map(PathBuf::from);
    let candidates =
        own.into_iter().chain([root.join(".venv/bin/python"), "python3".into(), "python".into()]);
    for python in candidates {
        let check = Command::new(&python)
            .arg(script())
            .arg("--check")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if check.is_ok_and(|s| s.success()) {
            return Ok(python);
        }
    }
    Err("no Python here has XLA:TPU (pip install jax==0.12.0.1 libtpu==0.0.52, and set TPUSIM_PYTHON if it is \
         not the path's)"
        .to_owned())
}

/// The text in a file of gzip.
///
/// # Errors
/// It cannot be read.
pub(crate) fn decompressed(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let mut text = String::new();
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).map_err(|e| e.to_string())?;
    Ok(text)
}
