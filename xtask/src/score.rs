//! `cargo xtask score`: the scorecard of `workloads`, which has what it needs; chores have no dependencies.

use crate::cargo;

pub fn run(args: &[String]) -> Result<(), String> {
    // Rows are named by the folder that the command is run in.
    let here = std::env::current_dir().map_err(|e| format!("no current folder: {e}"))?;
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "workloads", "--bin", "score", "--"]).args(args);
    crate::run(command.env("TPUSIM_SCORE_FROM", here))
}
