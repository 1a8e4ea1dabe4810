//! `cargo xtask head-dimension`: writes the document of attention by the size of its heads, or checks that it is fresh.

#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;
use workloads::heads;

const USAGE: &str = "usage: cargo xtask head-dimension [--check]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => write(false),
        ["--check"] => write(true),
        ["--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn write(check: bool) -> Result<(), String> {
    let rows = heads::rows()?;
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let files = [("head-dimension.md", heads::document(&rows)), ("head-dimension.svg", heads::plot(&rows)?)];
    for (name, text) in files {
        let path = docs.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            return Err(format!("stale: docs/{name}; run `cargo xtask head-dimension`"));
        }
        std::fs::write(&path, text).map_err(|e| format!("cannot write docs/{name}: {e}"))?;
        eprintln!("wrote docs/{name}");
    }
    Ok(())
}
