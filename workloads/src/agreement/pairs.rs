//! Programs of which there are both StableHLO and dumps.

use crate::dumps::decompressed;
use std::path::{Path, PathBuf};

/// A program and what XLA:TPU made of it for a chip.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    pub program: String,
    pub chip: String,
    /// One of both files is kept elsewhere than in this repository.
    pub shared: bool,
    stablehlo: PathBuf,
    dump: PathBuf,
}

impl Pair {
    /// The program's text.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn stablehlo(&self) -> Result<String, String> {
        read(&self.stablehlo)
    }

    /// The dump's text.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn dump(&self) -> Result<String, String> {
        read(&self.dump)
    }
}

fn read(path: &Path) -> Result<String, String> {
    let text = match path.extension().is_some_and(|e| e == "gz") {
        true => decompressed(path),
        false => std::fs::read_to_string(path).map_err(|e| e.to_string()),
    };
    text.map_err(|e| format!("{}: {e}", path.display()))
}

/// All that are there, by program and chip: of `dumps/programs`, and of `oracle` among the shared facts where those are.
///
/// # Errors
/// A folder cannot be read.
pub fn pairs(shared: &Path) -> Result<Vec<Pair>, String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("dumps/programs");
    let corpus = shared.join("oracle/corpus");
    let zoo = shared.join("oracle/zoo/v6e");
    let folders: Vec<&PathBuf> = [&own, &corpus, &zoo].into_iter().filter(|f| f.is_dir()).collect();
    let mut found = Vec::new();
    for folder in &folders {
        let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries.filter_map(Result::ok) {
            let dump = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(stem) = name.strip_suffix(".gz").unwrap_or(&name).strip_suffix(".hlo.txt") else {
                continue;
            };
            // Where no chip is named, the folder is of one.
            let (program, chip) = stem.split_once('.').unwrap_or((stem, "v6e"));
            // Beside the dump; in our folder are dumps of others' programs, too.
            let beside = folders.iter().filter(|f| folder == *f || **folder == own);
            let Some(stablehlo) = beside
                .flat_map(|f| ["", ".gz"].map(|packed| f.join(format!("{program}.stablehlo.mlir{packed}"))))
                .find(|p| p.is_file())
            else {
                continue;
            };
            let shared = !dump.starts_with(&own) || !stablehlo.starts_with(&own);
            found.push(Pair { program: program.to_owned(), chip: chip.to_owned(), shared, stablehlo, dump });
        }
    }
    found.sort();
    found.dedup_by(|a, b| (&a.program, &a.chip) == (&b.program, &b.chip));
    Ok(found)
}
