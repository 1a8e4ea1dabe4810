//! The dependency rules of ARCHITECTURE.md, from cargo's own metadata.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const UNITS: [&str; 4] = ["tensorcore", "hbm", "sparsecore", "ici"];

fn workspace_dependencies() -> Vec<(String, Vec<String>)> {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let metadata: Value = serde_json::from_slice(&out.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |v: &Value| v["name"].as_str().unwrap().to_owned();
    let ours: Vec<String> = packages.iter().map(name).collect();
    packages
        .iter()
        .map(|p| {
            let dependencies = p["dependencies"].as_array().unwrap().iter();
            // Tests may use what they like; the crates may not.
            let normal = dependencies.filter(|d| d["kind"] != "dev").map(name).filter(|d| ours.contains(d));
            (name(p), normal.collect())
        })
        .collect()
}

#[test]
fn unit_crates_depend_on_sim_core_only() {
    for (name, siblings) in workspace_dependencies() {
        match name.as_str() {
            "sim-core" | "xtask" => assert!(siblings.is_empty(), "{name} depends on {siblings:?}"),
            unit if UNITS.contains(&unit) => assert_eq!(siblings, ["sim-core"], "{name}"),
            _ => {}
        }
    }
}

#[test]
fn only_backend_and_the_command_know_the_units() {
    for (name, siblings) in workspace_dependencies() {
        if siblings.iter().any(|s| UNITS.contains(&s.as_str())) {
            assert!(name == "backend" || name == "tpusim", "{name} depends on {siblings:?}");
        }
    }
}

#[test]
fn only_the_plugin_is_unsafe_and_nobody_depends_on_it() {
    for (name, siblings) in workspace_dependencies() {
        assert!(!siblings.iter().any(|s| s == "pjrt"), "{name} depends on pjrt");
        let folder = match name.as_str() {
            "tpusim" => "".to_owned(),
            "pjrt" => "backend/pjrt".to_owned(),
            other => other.to_owned(),
        };
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).unwrap();
        // The workspace's lints deny it.
        assert_eq!(manifest.contains("[lints]\nworkspace = true"), name != "pjrt", "{name}");
    }
}
