//! `tpusim lib`: where the PJRT plugin is.

use super::{Outcome, emit};
use sim_core::Diagnostic;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Print the path of libtpusim, the PJRT plugin: TPU_LIBRARY_PATH=$(tpusim lib) makes JAX's TPUs simulated ones
#[derive(clap::Args)]
#[command(
    after_help = "The library is the one that TPUSIM_LIBRARY names, if it is set. Else it is looked for beside
the command (as a build leaves it), in ../lib and ../lib/tpusim, and in the Python package that
pip installed with the command.

  TPU_LIBRARY_PATH=$(tpusim lib) JAX_PLATFORMS=tpu python train.py

The environment chooses the machine: TPUSIM_TOPOLOGY (v6e:1x1, v5e:2x4, v5p:2x2x1, …),
TPUSIM_NUMERICS (tpu, ieee), TPUSIM_MEMORY_LIMIT (bytes of the host), TPUSIM_QUIET=1."
)]
pub struct Args {}

/// Places relative to the folder of the command, in the order in which they are looked at. `pip install --target`
/// puts a package into the last.
const PLACES: [&str; 4] = [".", "../lib", "../lib/tpusim", "../tpusim"];
/// Where Pythons have folders of their own, and what those call the one for packages.
const PYTHONS: [&str; 2] = ["../lib", "../lib64"];
const PACKAGES: [&str; 2] = ["site-packages", "dist-packages"];

pub fn run(_: &Args) -> Outcome {
    if let Some(library) = std::env::var_os("TPUSIM_LIBRARY").filter(|v| !v.is_empty()) {
        emit(named(library)?.display())?;
        return Ok(0);
    }
    let command = std::env::current_exe().and_then(|p| p.canonicalize());
    let command =
        command.map_err(|e| Diagnostic::resource(format!("where this command is, is not known: {e}")))?;
    let folder = command.parent().unwrap_or(Path::new("."));
    emit(find(folder)?.display())?;
    Ok(0)
}

fn named(library: OsString) -> Result<PathBuf, Diagnostic> {
    let path = PathBuf::from(library);
    match path.canonicalize() {
        Ok(path) if path.is_file() => Ok(path),
        _ => Err(Diagnostic::resource(format!("TPUSIM_LIBRARY is {}, and that is no file", path.display()))
            .help("set it to the path of libtpusim, or unset it")),
    }
}

fn find(folder: &Path) -> Result<PathBuf, Diagnostic> {
    let name = format!("{}tpusim{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let places = PLACES.iter().map(|place| folder.join(place)).chain(packages(folder));
    let found = places.map(|place| place.join(&name)).find_map(|p| p.canonicalize().ok());
    found.ok_or_else(|| {
        Diagnostic::resource(format!("there is no {name} that belongs to the command in {}", folder.display()))
            .help("`pip install ./python` installs both; `cargo build --release` leaves both in target/release (`cargo install` builds the command alone)")
    })
}

/// The package's folder in each Python beside the command, in a fixed order.
fn packages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for lib in PYTHONS.map(|lib| folder.join(lib)) {
        let entries = std::fs::read_dir(lib).into_iter().flatten().flatten().map(|e| e.path());
        let python =
            |p: &PathBuf| p.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python3"));
        let mut pythons: Vec<PathBuf> = entries.filter(python).collect();
        pythons.sort();
        found.extend(pythons.iter().flat_map(|p| PACKAGES.map(|packages| p.join(packages).join("tpusim"))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found_beside_in_lib_and_in_the_package() {
        let root = std::env::temp_dir().join(format!("tpusim-lib-{}", std::process::id()));
        let (bin, lib) = (root.join("bin"), root.join("lib"));
        let package = lib.join("python3.13/site-packages/tpusim");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::create_dir_all(&package).unwrap();
        assert!(find(&bin).is_err());
        let name = format!("{}tpusim{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        for place in [package, lib, bin.clone()] {
            std::fs::write(place.join(&name), "").unwrap();
            assert_eq!(find(&bin).unwrap(), place.join(&name).canonicalize().unwrap());
        }
        assert_eq!(named(bin.join(&name).into()).unwrap(), bin.join(&name).canonicalize().unwrap());
        assert!(named(bin.into()).is_err());
        std::fs::remove_dir_all(root).unwrap();
    }
}
