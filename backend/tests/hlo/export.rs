//! StableHLO to HLO and back: the same text again, the same values.

use super::draw::draw;
use super::print::{first_difference, python};
use super::shared;
use backend::frontend::hlo::proto::{self, Form};
use backend::frontend::hlo::{export::export, parse_text};
use backend::frontend::{Source, parse};
use backend::runtime::{Executable, RunOptions};
use sim_core::ir::Module;
use sim_core::ir::verify::verify_module;
use sim_core::{Ctx, ErrorKind, Numerics, Tensor};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

fn read(name: &str, text: &str) -> Result<Module, String> {
    let source = Source::from_bytes(name, text.as_bytes().to_vec());
    parse(&source).map(|mut m| m.remove(0)).map_err(|e| e.to_string())
}

/// Why a program has no HLO, or the module behind its HLO.
fn there_and_back(module: &Module) -> Result<Result<Module, String>, String> {
    let hlo = match export(module) {
        Ok(hlo) => hlo,
        Err(e) if e.kind() == ErrorKind::Unsupported => return Ok(Err(e.to_string())),
        Err(e) => return Err(format!("exported: {e}")),
    };
    let text = hlo.to_string();
    let form = parse_text(&text, false).map_err(|e| format!("its text: {e}\n{text}"))?.remove(0);
    if form.to_string() != text {
        return Err(format!("its text reads as another module\n{text}\n{form}"));
    }
    // Of a NaN's payload, protocol buffers' text form says nothing.
    let forms = if text.contains("nan(") { &[Form::Binary][..] } else { &[Form::Binary, Form::Text] };
    for &form in forms {
        let proto = proto::encode(&hlo, form).and_then(|bytes| match form {
            Form::Text => proto::parse_text(&String::from_utf8_lossy(&bytes)),
            _ => proto::parse(&bytes),
        });
        let proto = proto.map_err(|e| format!("as {form:?} protocol buffer: {e} {:?}\n{text}", e.notes()))?;
        if let Some(d) = first_difference(&text, &proto.module.to_string()) {
            return Err(format!("as {form:?} protocol buffer: {d}"));
        }
    }
    let again = read("again.hlo", &text).map_err(|e| format!("imported: {e}\n{text}"))?;
    verify_module(&again).map_err(|e| format!("verified: {e}\n{text}"))?;
    let second = export(&again).map_err(|e| format!("exported again: {e}\n{text}"))?.to_string();
    if second != text {
        // A convolution that is a matrix product is imported as one, a branch loses operands that only
        // operations without effect use. After that nothing changes any more.
        let settled = read("second.hlo", &second).and_then(|m| export(&m).map_err(|e| e.to_string()));
        let third = settled.map_err(|e| format!("a third time: {e}\n{second}"))?.to_string();
        let may_change = [" convolution(", " conditional("].iter().any(|t| text.contains(t));
        if third != second || !may_change {
            return Err(format!("exported again: {}", first_difference(&text, &second).unwrap_or_default()));
        }
    }
    Ok(Ok(again))
}

fn mlir_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|e| e == "mlir") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn check(module: Module) -> Result<(), String> {
    let numerics = Numerics::ieee();
    let options = RunOptions { numerics, ..RunOptions::default() };
    let exe = Executable::new(Arc::new(module), options).map_err(|e| e.to_string())?;
    exe.run(&Ctx::new(numerics, 1 << 30), Vec::new()).map_err(|e| e.to_string()).map(|_| ())
}

/// StableHLO's own test data, which checks itself: so do the programs that come back.
#[test]
fn test_data_comes_back() {
    let Some(shared) = shared() else {
        eprintln!("SKIPPED StableHLO's test data as HLO: no ../shared (set TPUSIM_SHARED)");
        return;
    };
    let files = mlir_files(&shared.join("conformance/stablehlo/testdata"));
    assert!(files.len() > 1000, "{} files only", files.len());
    let without: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let wrong: Mutex<Vec<String>> = Mutex::default();
    let next = AtomicUsize::new(0);
    let one = |path: &Path| -> Option<String> {
        let name = path.strip_prefix(&shared).unwrap_or(path).display().to_string();
        let text = std::fs::read_to_string(path).ok()?;
        let module = read(&name, &text).ok()?;
        match there_and_back(&module) {
            Err(e) => Some(format!("{name}: {e}")),
            Ok(Err(reason)) => {
                *without.lock().unwrap().entry(reason.lines().next().unwrap_or("").into()).or_default() += 1;
                None
            }
            // Says of itself that it is inaccurate.
            Ok(Ok(_)) if text.starts_with("// RUN-DISABLED") => None,
            Ok(Ok(again)) => check(again).err().map(|e| format!("{name}: {e}")),
        }
    };
    // A run has a thread of its own and waits for it: workers of rayon's pool must not.
    std::thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    wrong.lock().unwrap().extend(one(path));
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let without = without.into_inner().unwrap();
    let count: usize = without.values().sum();
    eprintln!("{} files, {count} have no HLO", files.len());
    // What HLO does not have: unknown sizes, quantized types, checks as operations, some of CHLO.
    let known =
        ["has no sizes without a bound", "no quantized types", "test programs", "no operation for `chlo."];
    let unknown: Vec<_> = without.keys().filter(|reason| !known.iter().any(|k| reason.contains(k))).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// Programs drawn as for the differential test: the same bits from what comes back.
#[test]
fn random_programs_come_back() {
    let (mut ran, mut without) = (0, 0);
    for seed in 0..400 {
        let drawn = draw(seed);
        let again = match there_and_back(&drawn.module) {
            Ok(Ok(again)) => again,
            Ok(Err(_)) => {
                without += 1;
                continue;
            }
            Err(e) => panic!("seed {seed}: {e}\n{}", drawn.module),
        };
        let (a, b) = (run(&drawn.module, &drawn.inputs), run(&again, &drawn.inputs));
        assert_eq!(a, b, "seed {seed}\n{}\n{again}", drawn.module);
        ran += 1;
    }
    assert!(ran > 300, "{ran} ran, {without} have no HLO");
}

fn run(module: &Module, inputs: &[Tensor]) -> Result<Vec<Tensor>, String> {
    let numerics = Numerics { scatter_whole_windows: true, ..Numerics::ieee() };
    let options = RunOptions { numerics, ..RunOptions::default() };
    let exe = Executable::new(Arc::new(module.clone()), options).map_err(|e| e.to_string())?;
    let values = exe.run(&Ctx::new(numerics, 1 << 30), inputs.to_vec()).map_err(|e| e.to_string())?;
    values.iter().map(|v| v.as_tensor().cloned().map_err(|e| e.to_string())).collect()
}

/// XLA's own reader takes what is exported of random programs, and prints it as we do.
#[test]
fn xla_reads_what_is_exported() {
    let Some(python) = python("exports of HLO beside XLA") else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("export");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut texts = BTreeMap::new();
    for seed in 1000..1400 {
        if let Ok(hlo) = export(&draw(seed).module) {
            let text = hlo.to_string();
            std::fs::write(folder.join(format!("{seed}.hlo")), &text).unwrap();
            texts.insert(seed, text);
        }
    }
    let script = super::root().join("backend/tests/scripts/xla_prints.py");
    assert!(Command::new(python).arg(script).arg(&folder).status().unwrap().success());
    let mut wrong = Vec::new();
    for (seed, text) in &texts {
        match std::fs::read_to_string(folder.join(format!("{seed}.txt"))) {
            Err(_) => wrong.push(format!("seed {seed}: XLA does not read it\n{text}")),
            Ok(printed) => wrong.extend(
                first_difference(&printed, &unsigned_zeros(text)).map(|d| format!("seed {seed}: {d}")),
            ),
        }
    }
    assert!(texts.len() > 300, "{} programs only", texts.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), texts.len(), wrong.join("\n"));
}

/// XLA's reader loses the sign of `-0`.
fn unsigned_zeros(text: &str) -> String {
    let mut out = text.to_owned();
    for (before, after) in
        [("{-0}", "{0}"), (" -0,", " 0,"), (" -0 ", " 0 "), ("(-0)", "(0)"), ("(-0,", "(0,"), (" -0)", " 0)")]
    {
        out = out.replace(before, after);
    }
    out
}

#[test]
fn what_hlo_does_not_have_is_named_with_its_place() {
    let main = |body: &str| {
        format!("func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {{\n{body}\n}}")
    };
    for (text, message) in [
        (
            main(
                "  %r = chlo._asin_acos_kernel %x : tensor<4xf32> -> tensor<4xf32>\n  return %r : tensor<4xf32>",
            ),
            "HLO has no operation for `chlo._asin_acos_kernel`",
        ),
        (
            "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }".into(),
            "HLO has no sizes without a bound",
        ),
        (
            main(
                "  %r = \"stablehlo.map\"(%x) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%a: tensor<f32>):\n    \
                 %b = stablehlo.add %a, %y : tensor<f32>\n    stablehlo.return %b : tensor<f32>\n  }) : \
                 (tensor<4xf32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>",
            ),
            "a value from outside of its region",
        ),
        (
            main(
                "  %r = func.call @main(%x, %y) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>",
            ),
            "HLO has no recursion",
        ),
    ] {
        let e = export(&read("m.mlir", &text).unwrap()).expect_err(&text);
        assert_eq!(e.kind(), ErrorKind::Unsupported, "{e}");
        assert!(e.to_string().contains(message), "{e}");
        assert!(e.span().is_some(), "{e}");
    }
}

/// What the header and the attributes of any operation say is kept both ways.
#[test]
fn shardings_aliases_and_names_are_kept() {
    let text = r#"module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}", tf.aliasing_output = 1 : i32}, %arg1: tensor<4xf32> {jax.buffer_donor = true}) -> (tensor<4xf32>, tensor<4xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {has_side_effect = false, mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.exponential %0 {mhlo.frontend_attributes = {b = "2", a = "1"}, result_accuracy = #stablehlo.result_accuracy<atol = 5.000000e-01, rtol = 2.500000e-01, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
    func.return %arg1, %1 : tensor<4xf32>, tensor<4xf32>
  }
}"#;
    let again = there_and_back(&read("m.mlir", text).unwrap()).unwrap().unwrap();
    let printed = again.to_string();
    for kept in [
        r#"mhlo.sharding = "{devices=[2]<=[2]}""#,
        "tf.aliasing_output = 1 : i32",
        "jax.buffer_donor = true",
        r#"mhlo.frontend_attributes = {a = "1", b = "2"}"#,
        "rtol = 2.500000e-01",
        "mhlo.num_partitions = 2 : i32",
        "func.func @main(",
        r#"has_side_effect = false, mhlo.sharding = "{replicated}""#,
    ] {
        assert!(printed.contains(kept), "{kept}\n{printed}");
    }
}

/// `shard_map` becomes the custom calls in which XLA keeps it, and runs on as many devices.
#[test]
fn manual_regions_come_back() {
    let module = read("m.mlir", MANUAL).unwrap();
    let again = there_and_back(&module).unwrap().unwrap();
    let values: Vec<f32> = (0..48).map(|i| (i % 7) as f32 - 3.0).collect();
    let inputs = [Tensor::from_slice(&[4, 8], &values[..32]), Tensor::from_slice(&[8, 6], &values)];
    let want = run(&module, &inputs).unwrap();
    assert_eq!(run(&again, &inputs).unwrap(), want);
    // The product of the whole arrays, plus the row of devices.
    let product = |i: usize, j: usize| {
        (0..8).map(|k| values[i * 8 + k] * values[k * 6 + j]).sum::<f32>() + (i / 2) as f32
    };
    let expected: Vec<f32> = (0..24).map(|at| product(at / 6, at % 6)).collect();
    assert_eq!(want, [Tensor::from_slice(&[4, 6], &expected)]);
}

const MANUAL: &str = r#"module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  sdy.mesh @mesh_0 = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<4x6xf32>) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg2: tensor<2x4xf32>, %arg3: tensor<4x6xf32>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x6xf32>) -> tensor<2x6xf32>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %10 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %10 : tensor<f32>
      }) : (tensor<2x6xf32>) -> tensor<2x6xf32>
      %c = stablehlo.constant dense<2> : tensor<ui32>
      %c_0 = stablehlo.constant dense<2> : tensor<ui32>
      %3 = stablehlo.partition_id : tensor<ui32>
      %4 = stablehlo.divide %3, %c : tensor<ui32>
      %5 = stablehlo.remainder %4, %c_0 : tensor<ui32>
      %6 = stablehlo.convert %5 : (tensor<ui32>) -> tensor<i32>
      %7 = stablehlo.convert %6 : (tensor<i32>) -> tensor<f32>
      %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
      %9 = stablehlo.add %2, %8 : tensor<2x6xf32>
      sdy.return %9 : tensor<2x6xf32>
    } : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
"#;
