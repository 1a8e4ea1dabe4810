//! `cargo xtask gen`: the documents that come from the code.

use crate::{cargo, root};

/// (document's name for `tpusim docs`, file)
const DOCUMENTS: [(&str, &str); 3] =
    [("cli", "docs/cli.md"), ("operations", "docs/operations.md"), ("chips", "docs/chips.md")];

pub fn run(args: &[String]) -> Result<(), String> {
    let check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err(crate::USAGE.to_owned()),
    };
    let mut stale = Vec::new();
    for (name, file) in DOCUMENTS {
        let out = cargo()
            .args(["run", "--quiet", "--package", "tpusim", "--", "docs", name])
            .stderr(std::process::Stdio::inherit())
            .output()
            .map_err(|e| format!("cannot run cargo: {e}"))?;
        if !out.status.success() {
            return Err(format!("`tpusim docs {name}` ended with {}", out.status));
        }
        let path = root().join(file);
        let old = std::fs::read(&path).unwrap_or_default();
        if old == out.stdout {
            continue;
        }
        if check {
            stale.push(file);
        } else {
            std::fs::write(&path, &out.stdout).map_err(|e| format!("cannot write {file}: {e}"))?;
            eprintln!("wrote {file}");
        }
    }
    match stale[..] {
        [] => Ok(()),
        _ => Err(format!("stale: {}; run `cargo xtask gen`", stale.join(", "))),
    }
}
