//! What we read, we write as bytecode; what we write, we read back as the same module; and JAX reads it
//! as what it makes of the original.

use backend::frontend::bytecode::{Form, Version, encode};
use backend::frontend::{Source, parse, read_path};
use rayon::prelude::*;
use sim_core::ir::op::{ChannelHandle, Op, Precision, ResultAccuracy};
use sim_core::ir::{Attr, Module, same, verify};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// `../shared`, or where `TPUSIM_SHARED` says.
fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("TPUSIM_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    path.is_dir().then_some(path)
}

/// All programs below a folder, sorted.
fn programs(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            programs(&path, files);
        } else if path.extension().is_some_and(|e| e == "mlir" || e == "mlirbc" || e == "bc") {
            files.push(path);
        }
    }
}

/// Every module of the shared files, with the name of its file and its number there. Files that our
/// frontend refuses are another test's business.
fn modules() -> Option<Vec<(String, Module)>> {
    let shared = shared()?;
    let mut files = Vec::new();
    for folder in ["conformance", "clients", "oracle"] {
        programs(&shared.join(folder), &mut files);
    }
    let read: Vec<Vec<(String, Module)>> = files
        .par_iter()
        .map(|path| {
            let name = path.strip_prefix(&shared).unwrap_or(path).display().to_string();
            let modules = read_path(path).and_then(|source| parse(&source)).unwrap_or_default();
            modules.into_iter().enumerate().map(|(i, m)| (format!("{name}#{i}"), m)).collect()
        })
        .collect();
    let unread = read.iter().filter(|m| m.is_empty()).count();
    assert!(unread * 20 <= files.len(), "{unread} of {} files cannot be read", files.len());
    Some(read.into_iter().flatten().collect())
}

/// VHLO writes every attribute, so that its readers cannot tell which ones a program gave that say what
/// is so without them. Those are taken out.
fn forget_defaults(module: &mut Module) {
    module.modules.iter_mut().for_each(forget_defaults);
    for op in module.functions.iter_mut().flat_map(|f| &mut f.ops) {
        match &mut op.op {
            Op::CustomCall(call) => {
                call.api_version = call.api_version.filter(|&v| v != 1);
                call.has_side_effect = call.has_side_effect.filter(|&b| b);
                let empty = |config: &Attr| match config {
                    Attr::String(text) => text.is_empty(),
                    Attr::Dict(dict) => dict.is_empty(),
                    _ => false,
                };
                call.backend_config = call.backend_config.take().filter(|config| !empty(config));
            }
            Op::Unary(_, accuracy) => {
                let says =
                    |a: &ResultAccuracy| (a.atol, a.rtol, a.ulps, &*a.mode) != (0.0, 0.0, 0, "DEFAULT");
                *accuracy = accuracy.take().filter(|a| says(a));
            }
            Op::AllGather { collective, .. }
            | Op::AllToAll { collective, .. }
            | Op::ReduceScatter { collective, .. }
            | Op::AllReduce(collective)
            | Op::CollectiveBroadcast(collective)
            | Op::CollectiveReduce(collective) => forget_zero(&mut collective.channel),
            Op::CollectivePermute { channel, .. } => forget_zero(channel),
            Op::Gather { sorted, .. } | Op::DynamicGather { sorted, .. } => *sorted = sorted.filter(|&b| b),
            Op::Scatter { sorted, unique, .. } => {
                *sorted = sorted.filter(|&b| b);
                *unique = unique.filter(|&b| b);
            }
            Op::DotGeneral { precision, .. } | Op::Dot { precision } => {
                forget_all(precision, Precision::Default)
            }
            Op::Convolution(conv) | Op::DynamicConv(conv) => {
                forget_all(&mut conv.precision, Precision::Default);
                forget_all(&mut conv.window_strides, 1);
                forget_all(&mut conv.lhs_dilation, 1);
                forget_all(&mut conv.rhs_dilation, 1);
                forget_all(&mut conv.padding, (0, 0));
                forget_all(&mut conv.window_reversal, false);
            }
            Op::ReduceWindow(window) | Op::SelectAndScatter(window) => {
                forget_all(&mut window.strides, 1);
                forget_all(&mut window.base_dilations, 1);
                forget_all(&mut window.window_dilations, 1);
                forget_all(&mut window.padding, (0, 0));
            }
            _ => {}
        }
    }
}

fn forget_zero(channel: &mut Option<ChannelHandle>) {
    *channel = channel.filter(|c| c.handle != 0);
}

fn forget_all<T: PartialEq>(list: &mut Vec<T>, default: T) {
    if list.iter().all(|item| *item == default) {
        list.clear();
    }
}

fn read_back(bytes: Vec<u8>) -> Result<Module, String> {
    let mut modules =
        parse(&Source::from_bytes("written", bytes)).map_err(|e| format!("does not read back: {e}"))?;
    Ok(modules.remove(0))
}

fn round_trip(module: &Module, form: Form) -> Result<(), String> {
    let bytes = encode(module, form).map_err(|e| format!("cannot be written: {e}"))?.to_bytes();
    let back = read_back(bytes.clone())?;
    match form {
        Form::Direct => same(module, &back)?,
        Form::Portable(_) => {
            let mut module = module.clone();
            forget_defaults(&mut module);
            same(&module, &back)?;
        }
    }
    let again = encode(&back, form).map_err(|e| format!("cannot be written again: {e}"))?.to_bytes();
    if again != bytes { Err("is written otherwise the second time".into()) } else { Ok(()) }
}

#[test]
fn module_to_bytecode_to_module_is_the_identity() {
    let Some(modules) = modules() else {
        return eprintln!("SKIPPED bytecode of the shared files: no ../shared (set TPUSIM_SHARED)");
    };
    let forms = [Form::Direct, Form::Portable(Version::NEWEST)];
    let failures: Vec<String> = modules
        .par_iter()
        .flat_map_iter(|(name, module)| {
            forms.iter().filter_map(move |&form| {
                round_trip(module, form).err().map(|e| format!("{name}, {form:?}: {e}"))
            })
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} failures in {} modules, the first of them:\n{}",
        failures.len(),
        modules.len(),
        failures[..failures.len().min(100)].join("\n")
    );
}

/// Python with JAX: `TPUSIM_PYTHON`, or the workspace's `.venv`.
fn python() -> Option<PathBuf> {
    let path =
        std::env::var_os("TPUSIM_PYTHON").map_or_else(|| root().join(".venv/bin/python"), PathBuf::from);
    path.is_file().then_some(path)
}

/// Writes each module as text, as bytecode of its own dialects, and as an artifact of the newest version
/// and of one other (with `TPUSIM_ALL_VERSIONS`, of every one), and holds them against what JAX makes of
/// the text: `tests/scripts/jax_reads_bytecode.py` says how.
#[test]
fn jax_reads_what_we_write() {
    let (Some(modules), Some(python)) = (modules(), python()) else {
        return eprintln!(
            "SKIPPED reading our bytecode with JAX: no ../shared (set TPUSIM_SHARED) or no .venv/bin/python (set TPUSIM_PYTHON)"
        );
    };
    let all = std::env::var_os("TPUSIM_ALL_VERSIONS").is_some();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(if all {
        "bytecode_write_all"
    } else {
        "bytecode_write"
    });
    let _ = std::fs::remove_dir_all(&folder); // It may not be there.
    std::fs::create_dir_all(&folder).unwrap();
    let versions: Vec<Version> = Version::all().collect();
    modules.par_iter().enumerate().for_each(|(i, (name, module))| {
        // Bytecode of the collections is that of their texts. Without `TPUSIM_ALL_VERSIONS` every sixth.
        if !name.contains(".mlir#") || !all && i % 6 != 0 {
            return;
        }
        let stem = format!("{i:05}.{}", name.replace(['/', '#'], "_"));
        let options = sim_core::ir::print::Options { locations: true, ..Default::default() };
        std::fs::write(folder.join(format!("{stem}.mlir")), module.display(options).to_string()).unwrap();
        let write = |label: &str, form: Form| {
            let (ending, bytes) = match encode(module, form) {
                Ok(encoded) => ("mlirbc", encoded.to_bytes()),
                Err(e) => ("error", e.to_string().into_bytes()),
            };
            std::fs::write(folder.join(format!("{stem}@{label}.{ending}")), bytes).unwrap();
        };
        write("direct", Form::Direct);
        for (k, &version) in versions.iter().enumerate() {
            if all || version == Version::NEWEST || k == i / 6 % versions.len() {
                write(&version.to_string(), Form::Portable(version));
            }
        }
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/jax_reads_bytecode.py");
    let output = Command::new(python).arg(script).arg(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    let wrong = String::from_utf8_lossy(&output.stdout);
    assert!(wrong.is_empty(), "{} differences (in {}):\n{wrong}", wrong.lines().count(), folder.display());
}

/// xorshift64*: the same damage on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % n.max(1) as u64) as usize
    }
}

/// What is damaged and still verifies is odd; it is written and read back all the same.
#[test]
fn odd_modules_come_back_too() {
    let count: usize = std::env::var("TPUSIM_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut paths = Vec::new();
    programs(&root().join("backend/tests/bytecode"), &mut paths);
    let seeds: Vec<Vec<u8>> = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "mlirbc"))
        .map(|path| std::fs::read(path).expect("readable"))
        .collect();
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    let mut written = 0;
    for _ in 0..count {
        let mut bytes = seeds[r.below(seeds.len())].clone();
        // Not the magic number: such a file is text.
        let at = (4 + r.below(bytes.len())).min(bytes.len() - 1);
        bytes[at] = [bytes[at] ^ 1 << r.below(8), r.below(256) as u8, bytes[at].wrapping_add(2)][r.below(3)];
        let kept = bytes.clone();
        let Ok(modules) = parse(&Source::from_bytes("damaged", bytes)) else { continue };
        for module in modules.iter().filter(|m| verify::verify_module(m).is_ok()) {
            for form in [Form::Direct, Form::Portable(Version::NEWEST)] {
                let Ok(encoded) = encode(module, form) else { continue };
                let bytes = encoded.to_bytes();
                let wrong = read_back(bytes.clone()).and_then(|back| {
                    if form == Form::Direct {
                        same(module, &back)?;
                    }
                    let again = encode(&back, form).map_err(|e| e.to_string())?.to_bytes();
                    if again == bytes { Ok(()) } else { Err("is written otherwise the second time".into()) }
                });
                wrong.unwrap_or_else(|e| panic!("{form:?}: {e}\n{module}\n{kept:02x?}"));
                written += 1;
            }
        }
    }
    eprintln!("{count} damaged files, {written} artifacts of them");
    assert!(written > count / 1000, "only {written}");
}

/// An attribute that says nothing may say it with the wrong kind of value, which no verifier asks about.
#[test]
fn an_empty_value_of_another_kind_is_written_as_the_default() {
    let text = r#"func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "t", result_tilings = {}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"#;
    let module = parse(&Source::from_bytes("text", text.as_bytes().to_vec())).expect("parses").remove(0);
    let form = Form::Portable(Version::NEWEST);
    let bytes = encode(&module, form).expect("writable").to_bytes();
    let back = read_back(bytes.clone()).expect("readable");
    assert_eq!(encode(&back, form).expect("writable").to_bytes(), bytes);
}

/// Metadata of a location is text here, so that what is read from bytecode must print as what is read again.
#[test]
fn metadata_of_locations_settles_at_the_first_reading() {
    let text = r#"func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.abs %a : tensor<2xf32> loc(fused<{b = [1 : i64, {d = unit, c = "s"}], a = dense<[1, 1]> : tensor<2xi8>}>["f"])
  return %0 : tensor<2xf32>
}"#;
    let module = parse(&Source::from_bytes("text", text.as_bytes().to_vec())).expect("parses").remove(0);
    let through =
        |m: &Module| read_back(encode(m, Form::Direct).expect("writable").to_bytes()).expect("readable");
    let once = through(&module);
    let twice = through(&once);
    same(&once, &twice).expect("the same");
    let body = once.entry().expect("@main");
    assert!(
        format!("{body:?}").contains("a = dense<1> : tensor<2xi8>, b = [1 : i64, {c = \\\"s\\\", d}]"),
        "{body:?}"
    );
}
