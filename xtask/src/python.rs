//! The Python that tests and benches compare with: `.venv`, with the exact packages of
//! `xtask/requirements.txt`; beside them the C headers of PJRT, and what JAX's sources have besides its wheel.

use crate::{root, run};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Older ones have no wheels of the pinned packages.
const OLDEST: (u32, u32) = (3, 11);

/// An interpreter with the packages; set up at the first call, and again when the list changes.
/// `TPUSIM_PYTHON`, if set, is taken as it is.
///
/// # Errors
/// Why there is none, in words.
pub fn ensure() -> Result<PathBuf, String> {
    if let Some(python) = std::env::var_os("TPUSIM_PYTHON") {
        return Ok(python.into());
    }
    let venv = root().join(".venv");
    let python = venv.join("bin/python");
    let list = root().join("xtask/requirements.txt");
    let wanted =
        std::fs::read_to_string(&list).map_err(|e| format!("cannot read {}: {e}", list.display()))?;
    let stamp = venv.join("tpusim-requirements.txt");
    if python.exists() && std::fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(python);
    }
    let candidates = candidates();
    let mut failures = vec![format!("no Python of at least {}.{} that works was found", OLDEST.0, OLDEST.1)];
    for (version, base) in candidates {
        eprintln!("setting up .venv with {} ({}.{})", base.display(), version.0, version.1);
        match install(&base, &venv, &list) {
            Ok(()) => {
                std::fs::write(&stamp, &wanted)
                    .map_err(|e| format!("cannot write {}: {e}", stamp.display()))?;
                return Ok(python);
            }
            Err(e) => failures.push(format!("{}: {e}", base.display())),
        }
    }
    Err(failures.join("\n  "))
}

/// The C headers of PJRT.
pub const PJRT_HEADERS: Brought = Brought {
    variable: "TPUSIM_PJRT_HEADERS",
    script: "xtask/pjrt_headers.py",
    folder: ".venv/pjrt-headers",
};

/// The parts of JAX's sources that its wheel lacks.
pub const JAX_SOURCES: Brought =
    Brought { variable: "TPUSIM_JAX_SOURCES", script: "xtask/jax_sources.py", folder: ".venv/jax-sources" };

/// What tests read and no package holds.
pub struct Brought {
    /// Names its folder: to the tests, and to us, where it is set already.
    pub variable: &'static str,
    script: &'static str,
    folder: &'static str,
}

impl Brought {
    /// Its folder; it is brought at the first call.
    ///
    /// # Errors
    /// Why it is not there, in words.
    pub fn ensure(&self, python: &Path) -> Result<PathBuf, String> {
        if let Some(folder) = std::env::var_os(self.variable) {
            return Ok(folder.into());
        }
        let folder = root().join(self.folder);
        run(Command::new(python).arg(root().join(self.script)).arg(&folder))?;
        Ok(folder)
    }
}

fn install(base: &Path, venv: &Path, list: &Path) -> Result<(), String> {
    run(Command::new(base).args(["-m", "venv", "--clear"]).arg(venv))?;
    // The list is complete, and shorter than what the packages ask for.
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--only-binary",
        ":all:",
        "-r",
    ];
    run(Command::new(venv.join("bin/python")).args(pip).arg(list))
}

/// Interpreters in PATH and of pyenv, newest first.
fn candidates() -> Vec<((u32, u32), PathBuf)> {
    let mut dirs: Vec<PathBuf> =
        std::env::var_os("PATH").map(|p| std::env::split_paths(&p).collect()).unwrap_or_default();
    if let Some(home) = std::env::var_os("HOME")
        && let Ok(versions) = std::fs::read_dir(Path::new(&home).join(".pyenv/versions"))
    {
        dirs.extend(versions.flatten().map(|v| v.path().join("bin")));
    }
    let mut found: Vec<((u32, u32), PathBuf)> = Vec::new();
    for dir in dirs {
        for name in ["python3", "python3.11", "python3.12", "python3.13", "python3.14", "python3.15"] {
            let path = dir.join(name);
            if let Some(version) = path.exists().then(|| version(&path)).flatten()
                && version >= OLDEST
                && found.iter().all(|(v, _)| *v != version)
            {
                found.push((version, path));
            }
        }
    }
    found.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    found
}

fn version(python: &Path) -> Option<(u32, u32)> {
    let out = Command::new(python)
        .args(["-c", "import sys; print(sys.version_info[0], sys.version_info[1])"])
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(out.stdout).ok()?;
    let (major, minor) = text.trim().split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
