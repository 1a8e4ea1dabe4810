//! The command as its users meet it: standard output, diagnostics and exit codes, as snapshots in
//! `tests/snapshots` (`INSTA_UPDATE=always cargo test --test cli` blesses them).

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs in the workspace's root, so that paths in messages are the same everywhere.
fn tpusim(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tpusim"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

/// Exit code, standard output, standard error, in one text.
fn transcript(args: &[&str]) -> String {
    let out = tpusim(args);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (stdout, stderr) = (text(&out.stdout), text(&out.stderr));
    let mut all = format!("$ tpusim {}\n{stdout}", args.join(" "));
    if !stderr.is_empty() {
        all.push_str(&format!("----- stderr\n{stderr}"));
    }
    all.push_str(&format!("----- exit code {}\n", out.status.code().unwrap()));
    all
}

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(dir).unwrap();
    dir.join(name)
}

macro_rules! snapshots {
    ($($name:ident: $($arg:expr),* $(,)?;)*) => { $(
        #[test]
        fn $name() {
            insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
                insta::assert_snapshot!(stringify!($name), transcript(&[$($arg),*]));
            });
        }
    )* };
}

snapshots! {
    chips_list: "chips";
    chips_show: "chips", "show", "TPU v6 lite", "--set", "hbm.bandwidth_gbps=3200";
    chips_diff: "chips", "diff", "v5e", "v6e";
    chips_diff_json: "chips", "diff", "v4", "--set", "mxu.columns=256", "--set", "vmem.bytes=33_554_432", "--format", "json";
    timing: "run", "examples/time/layers.v6e.hlo", "--timing", "--values", "off", "--kernels", "6";
    timing_what_if: "run", "examples/time/layers.v6e.hlo", "--timing", "--values", "off", "--kernels", "2",
        "--set", "hbm.bandwidth_gbps=3200", "--cost", "compiler", "--cold";
    timing_with_values: "run", "tests/cli/converges.hlo", "--timing", "--chip", "v5e";
    timing_without_values: "run", "tests/cli/converges.hlo", "--timing", "--values", "off", "--trips", "3";
    timing_misfit: "run", "tests/cli/misfit.hlo", "--timing", "--values", "off";
    timing_compiled: "run", "examples/jax/mlp.mlir", "--timing", "--values", "off";
    timing_two_cores: "run", "examples/time/layers.v6e.hlo", "--timing", "--values", "off", "--chip", "v5p", "--kernels", "1";
    timing_options_of_values: "run", "examples/time/layers.v6e.hlo", "--timing", "--values", "off", "--random", "3";
    timing_other_machine: "run", "tests/cli/other_machine.hlo", "--timing", "--values", "off";
    timing_unknown_chip: "run", "examples/time/layers.v6e.hlo", "--timing", "--chip", "v9";
    timing_unknown_trace: "run", "examples/time/layers.v6e.hlo", "--timing", "--values", "off", "--trace", "out.txt";
    memory_report: "run", "examples/time/layers.v6e.hlo", "--memory", "report", "--values", "off", "--kernels", "8";
    memory_too_small: "run", "examples/time/layers.v6e.hlo", "--memory", "report", "--values", "off", "--kernels", "1",
        "--set", "hbm.usable_bytes=100_000_000";
    timing_not_asked: "run", "examples/time/layers.v6e.hlo", "--trips", "3";
    chips_alike: "chips", "diff", "v7x", "tpu7x";
    chips_unknown: "chips", "show", "v9";
    chips_unknown_key: "chips", "show", "v6e", "--set", "hbm.bandwith=3200";
    chips_too_small: "chips", "show", "v6e", "--set", "hbm.bandwidth_gbps=1e-300";
    chips_wrong_value: "chips", "show", "v6e", "--set", "mxu.columns=many";
    run_golden_dot: "run", "tests/cli/golden_dot.mlir";
    run_no_inputs: "run", "examples/jax/mlp.mlir";
    run_random: "run", "tests/cli/types.mlir", "--random", "3";
    run_zeros: "run", "tests/cli/types.mlir", "--zeros", "--numerics", "ieee";
    run_summarized: "run", "tests/cli/large.mlir";
    run_parts: "run", "tests/cli/parts.mlir";
    run_wrong_inputs: "run", "examples/jax/mlp.mlir", "--inputs", "examples/jax/conv.inputs.npz";
    run_wrong_shape: "run", "examples/jax/softmax.mlir", "--inputs", "examples/jax/softmax.expected.npz",
        "--entry", "nobody";
    run_missing_file: "run", "tests/cli/nothing.mlir";
    run_bad_npz: "run", "examples/jax/mlp.mlir", "--inputs", "README.md";
    run_expectation_failed: "run", "tests/cli/golden_dot.mlir", "--numerics", "ieee",
        "--expect", "tests/cli/golden_dot.expected.npz";
    run_check_failed: "run", "tests/cli/check.mlir";
    run_check_nans: "run", "tests/cli/nan.mlir", "--check-nans";
    run_max_steps: "run", "tests/cli/endless.mlir", "--zeros", "--max-steps", "1000";
    run_too_large: "run", "tests/cli/golden_dot.mlir", "--memory-limit", "16";
    diagnostic_malformed: "run", "tests/cli/malformed.mlir";
    diagnostic_invalid: "run", "tests/cli/invalid.mlir";
    diagnostic_unknown_operation: "run", "tests/cli/unknown.mlir";
    inspect_mlp: "inspect", "examples/jax/mlp.mlir";
    inspect_json: "inspect", "tests/cli/check.mlir", "--summary", "json";
    convert_check: "convert", "tests/cli/check.mlir", "-o", "-";
    convert_type_too_new: "convert", "tests/cli/versions.mlir", "--to", "bytecode", "--target", "1.6.4", "-o", "-";
    convert_attribute_too_new: "convert", "tests/cli/versions.mlir", "--to", "bytecode", "--target", "1.8.0",
        "-o", "-";
    convert_version: "convert", "tests/cli/check.mlir", "--to", "bytecode", "--target", "1.9", "-o", "-";
    convert_future: "convert", "tests/cli/check.mlir", "--to", "bytecode", "--target", "9.0.0", "-o", "-";
    convert_target_of_text: "convert", "tests/cli/check.mlir", "--target", "1.9.0", "-o", "-";
    convert_several: "convert", "tests/cli/parts.mlir", "--to", "bytecode", "-o", "-";
    usage: "run", "tests/cli/check.mlir", "--zeros", "--random", "1";
    run_open_sizes: "run", "tests/cli/symbolic.mlir", "--zeros";
    run_devices: "run", "tests/cli/devices.hlo", "--random", "1";
    run_devices_sharding: "run", "tests/cli/devices.hlo", "--random", "1", "--sharding", "arg1={replicated}",
        "--sharding", "out0={devices=[2,1]<=[2]}", "--sharding", "out1={replicated}";
    run_devices_no_inputs: "run", "tests/cli/devices.hlo";
    run_devices_wrong_inputs: "run", "tests/cli/devices.hlo", "--inputs", "tests/cli/golden_dot.expected.npz";
    run_devices_wrong_sharding: "run", "tests/cli/devices.hlo", "--zeros", "--sharding", "out0={devices=[4]<=[4]}";
    run_devices_deadlock: "run", "tests/cli/deadlock.hlo", "--zeros";
    run_shape: "run", "tests/cli/symbolic.mlir", "--zeros", "--shape", "x=2x3", "--shape", "1=6";
    run_shape_contradicts: "run", "tests/cli/symbolic.mlir", "--zeros", "--shape", "x=2x3", "--shape", "y=5";
    run_shape_misfit: "run", "tests/cli/symbolic.mlir", "--zeros", "--shape", "x=2x4", "--shape", "y=5";
    run_shape_of_nobody: "run", "tests/cli/symbolic.mlir", "--zeros", "--shape", "z=2";
    convert_shape: "convert", "tests/cli/symbolic.mlir", "-o", "-", "--shape", "x=2x3", "--shape", "y=6";
    convert_data_dependent: "convert", "tests/cli/data_dependent.mlir", "-o", "-", "--refine";
    inspect_shape: "inspect", "tests/cli/symbolic.mlir", "--shape", "x=2x3", "--shape", "y=6";
    inspect_torch_export: "inspect", "examples/torch/export";
    run_torch_export_no_inputs: "run", "examples/torch/export";
    run_size_argument: "run", "tests/cli/size_argument.mlir", "--zeros", "--shape", "x=0x2";
    run_directory: "run", "tests/cli";
    run_snapshot: "run", "tests/cli/snapshot.pbtxt";
    run_snapshot_wrong: "run", "tests/cli/snapshot_wrong.pbtxt";
    run_snapshot_close: "run", "tests/cli/snapshot_wrong.pbtxt", "--atol", "0.5";
    run_snapshot_zeros: "run", "tests/cli/snapshot_wrong.pbtxt", "--zeros";
    run_snapshot_tolerance_of_nothing: "run", "tests/cli/snapshot_wrong.pbtxt", "--zeros", "--atol", "0.5";
    run_snapshot_partitions: "run", "tests/cli/snapshot_partitions.pbtxt";
    inspect_snapshot: "inspect", "tests/cli/snapshot.pbtxt";
    convert_proto_text_to_hlo: "convert", "tests/cli/snapshot.pbtxt", "--to", "hlo", "-o", "-";
    inspect_hlo: "inspect", "tests/cli/fused.hlo";
    run_sharding_ignored: "run", "tests/cli/sharding.hlo", "--zeros";
    run_pair_out_of_range: "run", "tests/cli/pairs.hlo", "--zeros";
    convert_suffix_unknown: "convert", "tests/cli/check.mlir", "-o", "check.txt";
    convert_stablehlo_to_hlo: "convert", "tests/cli/golden_dot.mlir", "--to", "hlo", "-o", "-";
}

#[test]
fn the_suffix_chooses_the_form() {
    for (suffix, to) in [
        ("mlir", "stablehlo"),
        ("mlirbc", "bytecode"),
        ("hlo", "hlo"),
        ("pb", "hlo-proto"),
        ("pbtxt", "hlo-proto-text"),
    ] {
        let file = scratch(&format!("suffix.{suffix}")).display().to_string();
        let out = tpusim(&["convert", "tests/cli/golden_dot.mlir", "-o", &file]);
        assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
        let said = tpusim(&["convert", "tests/cli/golden_dot.mlir", "-o", "-", "--to", to]);
        assert!(std::fs::read(&file).unwrap() == said.stdout, "{suffix}");
    }
}

/// Any form of HLO to any other: all are the same module.
#[test]
fn hlo_is_converted_between_its_forms() {
    let text = |file: &str| {
        let out = tpusim(&["convert", file, "--to", "hlo", "-o", "-"]);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    let original = text("tests/cli/snapshot.pbtxt");
    let mut from = "tests/cli/snapshot.pbtxt".to_owned();
    for (n, to) in
        ["hlo-proto", "hlo", "hlo-proto-text", "hlo-proto", "hlo-proto-text", "hlo"].iter().enumerate()
    {
        let file = scratch(&format!("converted{n}.{to}")).display().to_string();
        let out = tpusim(&["convert", &from, "--to", to, "-o", &file]);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        assert_eq!(text(&file), original, "as {to}");
        from = file;
    }
}

/// The folder that PyTorch/XLA saved: weights from it, three arguments (one of them unused) from the
/// file, a batch of another size than it was exported with.
#[test]
fn an_export_of_pytorch_gives_what_pytorch_gave() {
    let out = tpusim(&[
        "run",
        "examples/torch/export",
        "--inputs",
        "examples/torch/export.inputs.npz",
        "--expect",
        "examples/torch/export.expected.npz",
        "--numerics",
        "ieee",
        "--rtol",
        "1e-5",
        "--atol",
        "1e-6",
    ]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(String::from_utf8_lossy(&out.stdout).contains("out0: tensor<7x3xf32>"));
}

fn example(name: &str, tolerance: &str, numerics: &str) {
    let (inputs, expected) = (format!("examples/{name}.inputs.npz"), format!("examples/{name}.expected.npz"));
    let out = tpusim(&[
        "run",
        &format!("examples/{name}.mlir"),
        "--inputs",
        &inputs,
        "--expect",
        &expected,
        "--numerics",
        numerics,
        "--rtol",
        tolerance,
        "--atol",
        tolerance,
    ]);
    assert!(out.status.success(), "{name} {numerics}: {}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn examples_give_what_their_frameworks_gave() {
    for name in
        ["jax/mlp", "jax/attention", "jax/softmax", "jax/conv", "torch/cross_entropy", "torch/layer_norm"]
    {
        example(name, "1e-5", "ieee");
        // Matrix products of bf16-rounded operands: 8 bits.
        example(name, "2e-2", "tpu");
    }
}

/// The README's first command, and the answer that it shows.
#[test]
fn the_readme_tells_the_truth() {
    let out = tpusim(&["run", "examples/jax/mlp.mlir", "--inputs", "examples/jax/mlp.inputs.npz"]);
    assert!(include_str!("../README.md").contains(std::str::from_utf8(&out.stdout).unwrap()));
}

#[test]
fn outputs_come_back_as_expectations() {
    let path = scratch("outputs.npz");
    let path = path.to_str().unwrap();
    let run = ["run", "tests/cli/types.mlir", "--random", "5"];
    let first = tpusim(&[&run[..], &["--outputs", path]].concat());
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    for threads in ["1", "3"] {
        let again = tpusim(&[&run[..], &["--expect", path, "--threads", threads]].concat());
        assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    }
}

/// Bytecode in a file or through a pipe is the program, for whichever version it was written.
#[test]
fn bytecode_comes_back_as_the_program() {
    let text = tpusim(&["convert", "examples/jax/attention.mlir", "-o", "-"]).stdout;
    let path = scratch("attention.mlirbc");
    let path = path.to_str().unwrap();
    for to in ["mlir-bytecode", "bytecode", "bytecode --target 0.9.0", "bytecode --target 1.9.3"] {
        let to: Vec<&str> = to.split(' ').collect();
        let convert =
            |output| [&["convert", "examples/jax/attention.mlir", "-o", output, "--to"], &to[..]].concat();
        let out = tpusim(&convert(path));
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(tpusim(&convert("-")).stdout, bytes, "{to:?}");
        let producer = match to[..] {
            ["mlir-bytecode"] => "tpusim ".to_owned(),
            [_, _, version] => format!("StableHLO_v{version}\0"),
            _ => "StableHLO_v1.22.0\0".to_owned(),
        };
        assert_eq!(&bytes[5..5 + producer.len()], producer.as_bytes());
        if to == ["mlir-bytecode"] {
            assert!(tpusim(&["convert", path, "-o", "-"]).stdout == text);
        }
        let (inputs, expected) = ("examples/jax/attention.inputs.npz", "examples/jax/attention.expected.npz");
        let tolerance = ["--numerics", "ieee", "--rtol", "1e-5", "--atol", "1e-5"];
        let run = [&["run", path, "--inputs", inputs, "--expect", expected], &tolerance[..]].concat();
        let out = tpusim(&run);
        assert!(out.status.success(), "{to:?}: {}", String::from_utf8_lossy(&out.stderr));
    }
}

/// What a version cannot express leaves no file behind.
#[test]
fn no_file_for_what_cannot_be_written() {
    let path = scratch("too_old.mlirbc");
    let _ = std::fs::remove_file(&path); // It may not be there.
    let to = path.to_str().unwrap();
    let out =
        tpusim(&["convert", "tests/cli/versions.mlir", "--to", "bytecode", "--target", "1.0.0", "-o", to]);
    assert_eq!(out.status.code(), Some(2), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(!path.exists());
}

/// One object on standard output, whatever happens, and every key of it on the documented page.
#[test]
fn the_json_summary_is_documented() {
    let page = include_str!("../docs/run-summary.md");
    let documented: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    fn keys(v: &Value, out: &mut Vec<String>) {
        match v {
            Value::Object(map) => map.iter().for_each(|(k, v)| {
                out.push(k.clone());
                keys(v, out);
            }),
            Value::Array(items) => items.iter().for_each(|v| keys(v, out)),
            _ => {}
        }
    }
    let expect = "tests/cli/golden_dot.expected.npz";
    for (args, code, status) in [
        (vec!["run", "tests/cli/golden_dot.mlir", "--expect", expect], 0, "ok"),
        (vec!["run", "tests/cli/golden_dot.mlir", "--numerics", "ieee", "--expect", expect], 1, "failed"),
        (vec!["run", "tests/cli/check.mlir"], 1, "failed"),
        (vec!["run", "tests/cli/parts.mlir"], 2, "error"),
        (vec!["run", "tests/cli/malformed.mlir"], 2, "error"),
        (vec!["run", "tests/cli/nothing.mlir"], 2, "error"),
        (vec!["run", "tests/cli/converges.hlo", "--timing"], 0, "ok"),
        (vec!["run", "examples/time/layers.v6e.hlo", "--timing", "--values", "off"], 0, "ok"),
        (
            vec!["run", "examples/time/layers.v6e.hlo", "--timing", "--values", "off", "--memory", "report"],
            0,
            "ok",
        ),
        (
            vec![
                "run",
                "examples/time/layers.v6e.hlo",
                "--values",
                "off",
                "--memory",
                "report",
                "--set",
                "hbm.usable_bytes=1000",
            ],
            1,
            "failed",
        ),
    ] {
        let out = tpusim(&[&args[..], &["--summary", "json"]].concat());
        let object: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}"));
        assert_eq!(out.status.code(), Some(code), "{args:?}");
        assert_eq!(object["schema"], "tpusim.run/1");
        assert_eq!((&object["exit_code"], &object["status"]), (&code.into(), &status.into()), "{args:?}");
        let mut found = Vec::new();
        keys(&object, &mut found);
        for key in found {
            assert!(documented.contains(&key.as_str()), "docs/run-summary.md does not name `{key}`");
        }
    }
}

/// Every option about values is an error where none are computed, and none of the others is.
#[test]
fn values_off_takes_no_options_of_values() {
    let timed = ["run", "tests/cli/converges.hlo", "--timing", "--values", "off"];
    for options in [
        &["--entry", "main"][..],
        &["--inputs", "x.npz"],
        &["--random", "1"],
        &["--zeros"],
        &["--shape", "x=4"],
        &["--outputs", "x.npz"],
        &["--expect", "x.npz"],
        &["--rtol", "1"],
        &["--atol", "1"],
        &["--sharding", "x={replicated}"],
        &["--numerics", "ieee"],
        &["--excess-precision", "off"],
        &["--check-nans"],
        &["--max-steps", "9"],
    ] {
        let out = tpusim(&[&timed[..], options].concat());
        let message = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{options:?}");
        assert!(message.contains(&format!("`{}` is about values", options[0])), "{options:?}: {message}");
        assert!(message.contains("help: leave out"), "{message}");
    }
    let others =
        ["--numerics", "tpu", "--threads", "1", "--memory-limit", "1GiB", "--elided-constants", "zeros"];
    assert!(tpusim(&[&timed[..], &others].concat()).status.success());
}

/// One name, whether values are computed or not.
#[test]
fn the_entry_of_a_timing_is_that_of_a_run() {
    let path = scratch("numbered.hlo");
    let text = std::fs::read_to_string("tests/cli/converges.hlo").unwrap();
    std::fs::write(&path, text.replace("%main ", "%main.5 ")).unwrap();
    for values in ["on", "off"] {
        let path = path.to_str().unwrap();
        let out = tpusim(&["run", path, "--timing", "--values", values, "--summary", "json"]);
        let summary: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(summary["runs"][0]["entry"], "main", "--values {values}");
    }
}

/// Both kinds of timeline: as many slices as the program has runs of kernels, loops multiplied out.
#[test]
fn traces() {
    let (chrome, perfetto) = (scratch("layers.json"), scratch("layers.pftrace"));
    let dump = "examples/time/layers.v6e.hlo";
    let files = ["--trace", chrome.to_str().unwrap(), "--trace", perfetto.to_str().unwrap()];
    let out =
        tpusim(&[&["run", dump, "--timing", "--values", "off", "--summary", "json"], &files[..]].concat());
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let summary: Value = serde_json::from_slice(&out.stdout).unwrap();
    let timing = &summary["runs"][0]["timing"];
    let runs = |asynchronous: bool| -> u64 {
        let kernels = timing["kernels"].as_array().unwrap().iter();
        kernels.filter(|k| k["asynchronous"] == asynchronous).map(|k| k["runs"].as_u64().unwrap()).sum()
    };
    let trace: Value = serde_json::from_slice(&std::fs::read(&chrome).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let thread = |name: &str| {
        events
            .iter()
            .find(|e| e["name"] == "thread_name" && e["args"]["name"] == name)
            .map(|e| e["tid"].clone())
    };
    let core = thread("TensorCore").unwrap();
    let slices: Vec<&Value> = events.iter().filter(|e| e["ph"] == "X" && e["tid"] == core).collect();
    assert_eq!(slices.len() as u64, runs(false));
    let end = |e: &Value| e["ts"].as_f64().unwrap() + e["dur"].as_f64().unwrap();
    let last = events.iter().filter(|e| e["ph"] == "X").map(end).fold(0.0, f64::max);
    assert!((last - timing["total_ps"].as_f64().unwrap() / 1e6).abs() < 0.01);
    // One kernel after the other.
    assert!(slices.windows(2).all(|w| end(w[0]) <= w[1]["ts"].as_f64().unwrap() + 1e-6));
    assert!(
        events
            .iter()
            .any(|e| e["ph"] == "C" && e["name"] == "HBM GB/s" && e["args"]["value"].as_f64() > Some(100.0))
    );
    // A `Trace` is a list of packets: field 1, length, bytes; nothing is left over.
    let bytes = std::fs::read(&perfetto).unwrap();
    let (mut at, mut packets) = (0, 0);
    while at < bytes.len() {
        assert_eq!(bytes[at], 10);
        let (mut length, mut shift) = (0usize, 0);
        at += 1;
        loop {
            length |= usize::from(bytes[at] & 127) << shift;
            (at, shift) = (at + 1, shift + 7);
            if bytes[at - 1] < 128 {
                break;
            }
        }
        (at, packets) = (at + length, packets + 1);
    }
    assert_eq!(at, bytes.len());
    assert!(packets as u64 > 4 * runs(false));
}

/// A program on standard input, as `-`.
#[test]
fn a_program_comes_through_a_pipe() {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_tpusim"))
        .args(["run", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"func.func @main() { return }").unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    assert_eq!(out.stdout, b"@main ran to its end; it has no outputs\n");
}

/// Nobody reads: no error. Nothing can be written: an error, and no panic.
#[cfg(target_os = "linux")]
#[test]
fn closed_pipes_and_full_disks() {
    let run = |stdout: std::process::Stdio| {
        let out = Command::new(env!("CARGO_BIN_EXE_tpusim"))
            .args(["run", "tests/cli/types.mlir", "--zeros"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(stdout)
            .output()
            .unwrap();
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(run(writer.into()), (Some(0), String::new()));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (code, stderr) = run(full.into());
    assert_eq!(code, Some(2));
    assert!(stderr.starts_with("error: cannot write to standard output: "), "{stderr}");
    for name in ["full.npz", "full.npy"] {
        let link = scratch(name);
        let _ = std::fs::remove_file(&link); // It may not be there.
        std::os::unix::fs::symlink("/dev/full", &link).unwrap();
        let out = tpusim(&["run", "tests/cli/golden_dot.mlir", "--outputs", link.to_str().unwrap()]);
        std::fs::remove_file(&link).unwrap();
        let stderr = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{stderr}");
        assert!(stderr.starts_with("error: cannot write"), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_130() {
    use std::time::Duration;
    let mut child = Command::new(env!("CARGO_BIN_EXE_tpusim"))
        .args(["run", "tests/cli/endless.mlir"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    for _ in 0..200 {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(130));
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    panic!("still running ten seconds after Ctrl-C");
}

/// What was expected is read before the outputs are written in its place.
#[test]
fn outputs_in_the_place_of_the_expectation() {
    let path = scratch("same.npz");
    std::fs::copy("tests/cli/golden_dot.expected.npz", &path).unwrap();
    let same = path.to_str().unwrap();
    let args =
        ["run", "tests/cli/golden_dot.mlir", "--numerics", "ieee", "--expect", same, "--outputs", same];
    let first = tpusim(&args);
    assert_eq!(first.status.code(), Some(1), "{}", String::from_utf8_lossy(&first.stdout));
    // They were written all the same.
    assert_eq!(tpusim(&args).status.code(), Some(0));
}

/// Pipes and devices in an export's folder are neither waited for nor read to an end that they lack.
#[cfg(unix)]
#[test]
fn weights_that_are_no_files() {
    let dir = scratch("odd_export");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("functions")).unwrap();
    std::fs::create_dir_all(dir.join("data")).unwrap();
    for name in ["functions/forward.meta", "functions/forward.bytecode", "data/scale", "data/last.bias"] {
        std::fs::copy(Path::new("examples/torch/export").join(name), dir.join(name)).unwrap();
    }
    let (scale, folder) = (dir.join("data/scale"), dir.to_str().unwrap());
    std::fs::remove_file(&scale).unwrap();
    assert!(Command::new("mkfifo").arg(&scale).status().unwrap().success());
    let said = |args: &[&str]| {
        let out = tpusim(args);
        assert_eq!(out.status.code(), Some(2));
        String::from_utf8(out.stderr).unwrap()
    };
    let e = said(&["run", folder, "--zeros", "--shape", "arg0=1x4"]);
    assert!(e.contains("data/scale: it is not a file"), "{e}");
    let e = said(&["run", "/dev/zero"]);
    assert!(e.contains("/dev/zero is binary data of an unknown format"), "{e}");
    let e = said(&["run", "tests/cli/golden_dot.mlir", "--expect", "/dev/zero"]);
    assert!(e.contains("/dev/zero: it is not a file"), "{e}");
}

/// What a run of several devices writes, another one reads: in a file for each device, and in one for all.
#[test]
fn files_of_devices() {
    let file = "tests/cli/devices.hlo";
    for name in ["apart{device}.npz", "together.npz"] {
        let path = scratch(name);
        let path = path.to_str().unwrap();
        let written = tpusim(&["run", file, "--random", "5", "--outputs", path]);
        assert_eq!(written.status.code(), Some(0), "{}", String::from_utf8_lossy(&written.stderr));
        let expected = tpusim(&["run", file, "--random", "5", "--expect", path, "--summary", "json"]);
        let json: Value = serde_json::from_slice(&expected.stdout).unwrap();
        let expectations = json["runs"][0]["expectations"].as_array().unwrap();
        assert_eq!((expectations.len(), &json["status"]), (4, &Value::from("ok")), "{json}");
        let devices = &json["runs"][0]["devices"];
        assert_eq!((&devices["count"], &devices["shapes"]), (&Value::from(2), &Value::from("per device")));
        assert_eq!(devices["collectives"][0]["bytes"], 16);
        // Outputs as inputs: of the same types here.
        let again = tpusim(&["run", file, "--inputs", path]);
        assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    }
    assert!(scratch("apart1.npz").exists());
    let other =
        tpusim(&["run", file, "--random", "6", "--expect", scratch("together.npz").to_str().unwrap()]);
    assert_eq!(other.status.code(), Some(1));
}
