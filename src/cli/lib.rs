//! `tpusim lib`: where the PJRT plugin is.

use super::{Outcome, emit};
use sim_core::Diagnostic;
use std::path::{Path, PathBuf};

/// Print the path of libtpusim, the PJRT plugin: TPU_LIBRARY_PATH=$(tpusim lib) makes JAX's TPUs simulated ones
#[derive(clap::Args)]
#[command(
    after_help = "The library is looked for beside the command (as a build leaves it), in ../lib and in ../lib/tpusim.

  TPU_LIBRARY_PATH=$(tpusim lib) JAX_PLATFORMS=tpu python train.py

The environment chooses the machine: TPUSIM_TOPOLOGY (v6e:1x1, v5e:2x4, v5p:2x2x1, …), TPUSIM_NUMERICS (tpu, ieee),
TPUSIM_MEMORY_LIMIT (bytes of the host), TPUSIM_QUIET=1."
)]
pub struct Args {}

/// Places relative to the folder of the command, in the order in which they are looked at.
const PLACES: [&str; 3] = [".", "../lib", "../lib/tpusim"];

pub fn run(_: &Args) -> Outcome {
    let command = std::env::current_exe().and_then(|p| p.canonicalize());
    let command =
        command.map_err(|e| Diagnostic::resource(format!("where this command is, is not known: {e}")))?;
    let folder = command.parent().unwrap_or(Path::new("."));
    emit(find(folder)?.display())?;
    Ok(0)
}

fn find(folder: &Path) -> Result<PathBuf, Diagnostic> {
    let name = format!("{}tpusim{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let candidates = PLACES.map(|place| folder.join(place).join(&name));
    let found = candidates.iter().find_map(|p| p.canonicalize().ok());
    found.ok_or_else(|| {
        Diagnostic::resource(format!("there is no {name} beside {}", folder.display()))
            .help("build it: `cargo build --release -p pjrt`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found_beside_and_in_lib() {
        let root = std::env::temp_dir().join(format!("tpusim-lib-{}", std::process::id()));
        let (bin, lib) = (root.join("bin"), root.join("lib"));
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::create_dir_all(&lib).unwrap();
        assert!(find(&bin).is_err());
        let name = format!("{}tpusim{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        std::fs::write(lib.join(&name), "").unwrap();
        assert_eq!(find(&bin).unwrap(), lib.join(&name).canonicalize().unwrap());
        std::fs::write(bin.join(&name), "").unwrap();
        assert_eq!(find(&bin).unwrap(), bin.join(&name).canonicalize().unwrap());
        std::fs::remove_dir_all(root).unwrap();
    }
}
