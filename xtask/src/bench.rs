//! `cargo xtask bench --peer jax`: builds the release binary and lets `bench/peer.py` compare.

use crate::{cargo, python, root};
use std::process::Command;

pub fn run(args: &[String]) -> Result<(), String> {
    let rest = match args {
        [flag, peer, rest @ ..] if flag == "--peer" && peer == "jax" => rest,
        _ => return Err(crate::USAGE.to_owned()),
    };
    let python = python::ensure()?;
    crate::run(cargo().args(["build", "--release", "--package", "tpusim"]))?;
    let script = root().join("xtask/bench/peer.py");
    crate::run(Command::new(python).arg(script).args(rest).current_dir(root()))
}
