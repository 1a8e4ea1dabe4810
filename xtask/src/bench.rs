//! `cargo xtask bench --peer jax`, `--memory` and `--hlo`: build the release binary and let
//! `bench/peer.py`, `bench/memory.py` or `bench/hlo.py` compare.

use crate::{cargo, python, root};
use std::process::Command;

pub fn run(args: &[String]) -> Result<(), String> {
    let (script, rest) = match args {
        [flag, peer, rest @ ..] if flag == "--peer" && peer == "jax" => ("peer.py", rest),
        [flag, rest @ ..] if flag == "--memory" => ("memory.py", rest),
        [flag, rest @ ..] if flag == "--hlo" => ("hlo.py", rest),
        _ => return Err(crate::USAGE.to_owned()),
    };
    let python = python::ensure()?;
    crate::run(cargo().args(["build", "--release", "--package", "tpusim"]))?;
    let script = root().join("xtask/bench").join(script);
    crate::run(Command::new(python).arg(script).args(rest).current_dir(root()))
}
