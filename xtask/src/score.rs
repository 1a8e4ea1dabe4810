//! `cargo xtask score`, `cargo xtask agreement`, `cargo xtask head-dimension`: binaries of `workloads`, which has what they need; chores have
//! no dependencies.

use crate::cargo;
use std::io::IsTerminal;

pub fn run(binary: &str, args: &[String]) -> Result<(), String> {
    // Rows are named by the folder that the command is run in.
    let here = std::env::current_dir().map_err(|e| format!("no current folder: {e}"))?;
    let what = ["--package", "workloads", "--bin", binary];
    // Built first: cargo shows what it builds, and then says nothing of what it runs.
    let mut build = cargo();
    build.arg("build").args(what);
    if !std::io::stderr().is_terminal() {
        eprintln!("building {binary}...");
        build.arg("--quiet");
    }
    said(&mut build)?;
    let mut command = cargo();
    command.args(["run", "--quiet"]).args(what).arg("--").args(args);
    said(command.env("TPUSIM_SCORE_FROM", here))
}

/// Runs to the end what says itself why it failed, so that nothing is left to say.
fn said(command: &mut std::process::Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        // Nobody has said that a signal ended it.
        Ok(status) if status.code().is_none() => {
            Err(format!("{} ended with {status}", command.get_program().display()))
        }
        Ok(_) => Err(String::new()),
        Err(e) => Err(format!("cannot run {}: {e}", command.get_program().display())),
    }
}

#[cfg(test)]
mod tests {
    use super::said;
    use std::process::Command;

    #[cfg(unix)]
    #[test]
    fn a_failure_is_said_once() {
        assert_eq!(said(&mut Command::new("true")), Ok(()));
        assert_eq!(said(&mut Command::new("false")), Err(String::new()));
        assert!(said(&mut Command::new("no-such-command")).is_err_and(|e| e.contains("no-such-command")));
    }
}
