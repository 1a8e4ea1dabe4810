//! Bytecode of the shared collections reads, and is the same program as its text.

use backend::frontend::{self, Source};
use backend::runtime::{Executable, RunOptions, Value};
use sim_core::ir::op::Op;
use sim_core::ir::{Function, Module, ValueId, same, verify};
use sim_core::{Ctx, Loc, Numerics, Tensor};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// `../shared` beside the workspace, or what `TPUSIM_SHARED` says. `None`, with a word on stderr, when it is not there.
fn shared() -> Option<PathBuf> {
    let path = match std::env::var_os("TPUSIM_SHARED") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
    };
    if path.join("conformance").is_dir() {
        return Some(path);
    }
    eprintln!("SKIPPED: no test data at {} (set TPUSIM_SHARED)", path.display());
    None
}

/// Files that are not compared, and why.
const EXCEPTIONS: [(&str, &str); 0] = [];

/// The files of a folder with this ending, without it.
fn files(dir: &Path, ending: &str) -> Vec<(PathBuf, String)> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut files: Vec<(PathBuf, String)> = entries
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            let stem = path.file_name()?.to_str()?.strip_suffix(ending)?.to_owned();
            Some((path, stem))
        })
        .collect();
    files.sort();
    files
}

/// Texts have no locations where bytecode has them, and may state what is so anyway, which bytecode
/// never does.
fn normalize(module: &mut Module) {
    module.loc = Loc::Unknown;
    module.meshes.iter_mut().for_each(|m| m.loc = Loc::Unknown);
    module.modules.iter_mut().for_each(normalize);
    for f in &mut module.functions {
        f.loc = Loc::Unknown;
        for op in &mut f.ops {
            op.loc = Loc::Unknown;
            defaults(&mut op.op);
        }
        f.values.iter_mut().for_each(|v| v.loc = Loc::Unknown);
        f.regions.iter_mut().for_each(|r| r.return_loc = Loc::Unknown);
    }
}

/// Takes out what says nothing.
fn defaults(op: &mut Op) {
    match op {
        Op::CustomCall(call) => {
            call.api_version = call.api_version.filter(|&v| v != 1);
            call.has_side_effect = call.has_side_effect.filter(|&b| b);
        }
        Op::Unary(_, accuracy) => {
            *accuracy =
                accuracy.take().filter(|a| (a.atol, a.rtol, a.ulps, &*a.mode) != (0.0, 0.0, 0, "DEFAULT"));
        }
        _ => {}
    }
}

fn read(path: &Path) -> Result<Module, String> {
    let source = frontend::read_path(path).map_err(|e| e.to_string())?;
    let mut modules = frontend::parse(&source).map_err(|e| describe(&source, &e))?;
    assert_eq!(modules.len(), 1, "{}", path.display());
    let mut module = modules.remove(0);
    normalize(&mut module);
    Ok(module)
}

/// What `name.version.mlirbc` of `tests/bytecode` is compared with: `name.mlir`, locations included.
/// JAX 0.12 wrote both: `direct` at every version of the format, `portable` (VHLO) at some of StableHLO's.
fn own() -> Vec<(PathBuf, PathBuf)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bytecode");
    let text = |stem: &str| dir.join(format!("{}.mlir", stem.split('.').next().unwrap_or_default()));
    files(&dir, ".mlirbc").into_iter().map(|(path, stem)| (path, text(&stem))).collect()
}

fn describe(source: &Source, e: &sim_core::Diagnostic) -> String {
    format!("{}: byte {:?}: {e}", source.name(), e.span().map(|s| s.start))
}

/// Compares each pair of bytecode and text.
fn compare(pairs: impl IntoIterator<Item = (PathBuf, PathBuf)>, at_least: usize) {
    let mut failures = Vec::new();
    let mut n = 0;
    for (bytecode, text) in pairs {
        n += 1;
        let name = bytecode.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let outcome = read(&bytecode).and_then(|a| {
            let b = read(&text)?;
            same(&a, &b).map_err(|e| format!("{}: {e}", bytecode.display()))
        });
        match (outcome, EXCEPTIONS.iter().any(|(file, _)| *file == name)) {
            (Ok(()), false) | (Err(_), true) => {}
            (Ok(()), true) => failures.push(format!("{name}: an exception, and nothing is wrong with it")),
            (Err(e), false) => failures.push(e),
        }
    }
    eprintln!("{n} files, {} failures", failures.len());
    for f in failures.iter().take(60) {
        eprintln!("{f}");
    }
    assert!(failures.is_empty());
    assert!(n >= at_least, "only {n} files");
}

/// Runs a program that checks itself.
fn run(path: &Path, module: Module) {
    let numerics = Numerics::ieee();
    let options = RunOptions { numerics, ..RunOptions::default() };
    Executable::new(Arc::new(module), options)
        .and_then(|exe| exe.run(&Ctx::new(numerics, 2 << 30), Vec::new()))
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

#[test]
fn test_data() {
    let Some(shared) = shared() else { return };
    let dir = shared.join("conformance/bytecode");
    let texts = shared.join("conformance/stablehlo/testdata");
    let pairs = files(&dir, ".mlirbc").into_iter().map(|(path, stem)| {
        let name = stem.strip_prefix("td__").unwrap_or(&stem).replace("dynamic__", "dynamic/");
        (path, texts.join(format!("{name}.mlir")))
    });
    let (pairs, alone): (Vec<_>, Vec<_>) = pairs.partition(|(_, text)| text.is_file());
    for (path, _) in alone {
        let module = read(&path).unwrap_or_else(|e| panic!("{e}"));
        verify::verify_module(&module).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    // Artifacts hold no CHLO: what it stands for is in its place. Those are run instead; they check
    // themselves.
    let chlo = |text: &Path| std::fs::read_to_string(text).is_ok_and(|text| text.contains("chlo."));
    let (expanded, alike): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(_, text)| chlo(text));
    compare(alike, 400);
    for (path, _) in expanded {
        let module = read(&path).unwrap_or_else(|e| panic!("{e}"));
        if module.entry().is_some_and(|f| f.arg_types.is_empty()) {
            run(&path, module);
        }
    }
}

#[test]
fn every_version_of_the_format() {
    let mut n = 0;
    for (bytecode, text) in own() {
        let one = |path: &Path| {
            let source = frontend::read_path(path).expect("readable");
            frontend::parse(&source).unwrap_or_else(|e| panic!("{}", describe(&source, &e))).remove(0)
        };
        let (a, b) = (one(&bytecode), one(&text));
        same(&a, &b).unwrap_or_else(|e| panic!("{}: {e}", bytecode.display()));
        n += 1;
    }
    assert!(n >= 11, "only {n} files");
}

/// The exports of JAX in `tests/bytecode`.
fn exports() -> Vec<(PathBuf, String)> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bytecode"), ".jaxexport")
}

#[test]
fn exports_of_jax() {
    for (path, stem) in exports() {
        let source = frontend::read_path(&path).expect("readable");
        assert_eq!(source.encoding(), frontend::Encoding::JaxExport);
        let module =
            frontend::parse(&source).unwrap_or_else(|e| panic!("{}", describe(&source, &e))).remove(0);
        verify::verify_module(&module).unwrap_or_else(|e| panic!("{stem}: {e}"));
        if stem == "export_platforms" {
            // For CPU (the first) it subtracts one, for TPU it adds one.
            let exe = Executable::new(Arc::new(module), RunOptions::default()).expect("a program");
            let input = Tensor::from_slice(&[3], &[1f32, 2.0, 3.0]);
            let outputs = exe.run(&Ctx::new(Numerics::ieee(), 1 << 20), vec![input]).expect("runs");
            let Value::Tensor(output) = &outputs[0] else { panic!("a tensor") };
            assert_eq!(output.as_slice::<f32>(), [2.0, 3.0, 4.0]);
            continue;
        }
        let text = frontend::read_path(path.with_extension("mlir")).expect("readable");
        let mut expected =
            frontend::parse(&text).unwrap_or_else(|e| panic!("{}", describe(&text, &e))).remove(0);
        // The arguments of the wrapper have the names of those that they are handed on as.
        let main = expected.functions.iter_mut().zip(&module.functions).find(|(f, _)| &*f.name == "main");
        let (theirs, ours) = main.expect("a main");
        let names = arguments(ours).iter().map(|&a| ours.value(a).loc.clone()).collect::<Vec<_>>();
        if stem == "export_shapes" {
            assert_eq!(names.iter().filter_map(Loc::name).collect::<Vec<_>>(), ["x".into()]);
        }
        for (value, name) in arguments(theirs).to_vec().into_iter().zip(names) {
            let loc = &mut theirs.values[value.index()].loc;
            if loc.is_unknown() {
                *loc = name;
            }
        }
        same(&module, &expected).unwrap_or_else(|e| panic!("{stem}: {e}"));
    }
}

fn arguments(function: &Function) -> &[ValueId] {
    function.body.map_or(&[], |body| &function.region(body).args)
}

/// VHLO is read as text too: what MLIR prints of two of the artifacts.
#[test]
fn vhlo_as_text() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bytecode");
    for name in ["vhlo.0", "vhlo.1"] {
        let vhlo = read(&dir.join(format!("{name}.mlir"))).unwrap_or_else(|e| panic!("{e}"));
        let stablehlo = read(&dir.join("portable.mlir")).unwrap_or_else(|e| panic!("{e}"));
        same(&vhlo, &stablehlo).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let future = r#"func.func @f() { "vhlo.add_v7"() : () -> () return }"#;
    let e = frontend::parse(&Source::from_bytes("future", future)).expect_err("no such version").to_string();
    assert!(e.contains("version 7") && e.contains("version 1"), "{e}");
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

/// Whatever is read, it gives a module or an error with a place: never a panic.
fn survives(bytes: Vec<u8>) -> bool {
    let kept = bytes.clone();
    let outcome = std::panic::catch_unwind(|| {
        let source = Source::from_bytes("damaged", bytes);
        match frontend::parse(&source) {
            Ok(modules) => {
                for module in &modules {
                    let _ = verify::verify_module(module);
                }
                true
            }
            Err(e) => {
                assert!(e.to_string().len() < 4000, "{e}");
                false
            }
        }
    });
    outcome.unwrap_or_else(|_| panic!("panicked: {kept:02x?}"))
}

#[test]
fn damaged_files_are_errors_at_worst() {
    let count: usize = std::env::var("TPUSIM_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let paths = own().into_iter().map(|(path, _)| path).chain(exports().into_iter().map(|(path, _)| path));
    let seeds: Vec<Vec<u8>> = paths.map(|path| std::fs::read(path).expect("readable")).collect();
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    let mut read = 0;
    for _ in 0..count {
        let mut bytes = seeds[r.below(seeds.len())].clone();
        for _ in 0..1 + r.below(3) {
            // Not the magic number: such a file is text.
            let at = (4 + r.below(bytes.len())).min(bytes.len().saturating_sub(1));
            match r.below(5) {
                0 => bytes[at] ^= 1 << r.below(8),
                1 => bytes[at] = r.below(256) as u8,
                2 => bytes[at] = bytes[at].wrapping_add(2),
                3 => bytes.insert(at, r.below(256) as u8),
                _ => {
                    bytes.remove(at);
                }
            }
        }
        read += usize::from(survives(bytes));
    }
    eprintln!("{count} damaged files, {read} of them still read");
}

#[test]
fn truncated_files_are_errors() {
    for (path, _) in own() {
        let bytes = std::fs::read(&path).expect("readable");
        for n in (4..bytes.len()).step_by(3) {
            assert!(!survives(bytes[..n].to_vec()), "{} cut to {n} bytes", path.display());
        }
    }
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    let error = |bytes: &[u8]| {
        let source = Source::from_bytes("bad", bytes);
        let e = frontend::parse(&source).expect_err("malformed");
        (e.to_string(), e.span().map(|s| s.start))
    };
    let (e, at) = error(b"ML\xefR\x0dx");
    assert!(e.contains("header section, byte 5: expected the producer's name"), "{e}");
    assert_eq!(at, Some(5));
    let (e, _) = error(b"ML\xefR\x0dx\0");
    assert!(e.contains("expected a string section"), "{e}");
    let (e, at) = error(b"ML\xefR\x0fx\0");
    assert!(e.contains("version 7") && e.contains("version 6"), "{e}");
    assert_eq!(at, Some(4));
}

#[test]
fn every_version_of_vhlo() {
    let Some(shared) = shared() else { return };
    let dir = shared.join("conformance/stablehlo/tests/vhlo");
    let pairs = files(&dir, ".mlir.bc").into_iter().filter(|(_, stem)| !stem.starts_with("invalid_"));
    compare(pairs.map(|(path, stem)| (path, dir.join(format!("{stem}.mlir")))), 15);
}

#[test]
fn versions_to_come_are_refused() {
    let Some(shared) = shared() else { return };
    let path = shared.join("conformance/stablehlo/tests/vhlo/invalid_vhlo_future.mlir.bc");
    let e = read(&path).expect_err("a version that does not exist");
    for part in ["vhlo.constant_v99", "version 99", "version 1", "StableHLO_v2.0.0"] {
        assert!(e.contains(part), "{e}");
    }
}

#[test]
fn what_clients_hand_over() {
    let Some(shared) = shared() else { return };
    let dir = shared.join("clients/captured");
    let pairs = files(&dir, ".mlirbc").into_iter();
    compare(pairs.map(|(path, stem)| (path, dir.join(format!("{stem}.mlir")))), 400);
}

#[test]
fn recordings_of_real_backends() {
    let Some(shared) = shared() else { return };
    let dir = shared.join("conformance/backcompat");
    let pairs = files(&dir, ".mlirbc").into_iter();
    compare(pairs.map(|(path, stem)| (path, dir.join(format!("{stem}.mlir")))), 70);
}

/// A file with these attributes (each an encoding of the builtin dialect); the module's dictionary
/// is attribute 0.
fn file_of(attrs: &[Vec<u8>]) -> Vec<u8> {
    fn varint(n: usize) -> Vec<u8> {
        match n {
            0..128 => vec![(n << 1 | 1) as u8],
            _ => vec![(n << 3 | 4) as u8, (n >> 5) as u8, (n >> 13) as u8],
        }
    }
    fn section(number: u8, data: Vec<u8>) -> Vec<u8> {
        [vec![number], varint(data.len()), data].concat()
    }
    let sizes: Vec<u8> = attrs.iter().flat_map(|a| varint(a.len() << 1 | 1)).collect();
    let offsets = [varint(attrs.len()), varint(0), varint(0), varint(attrs.len()), sizes].concat();
    // One operation, a module with attributes and a region without blocks.
    let ir =
        [varint(1 << 1), varint(0), vec![0x11], varint(1), varint(0), varint(1 << 1), varint(0)].concat();
    [
        b"ML\xefR\x03t\0".to_vec(),
        section(0, [varint(2), varint(7), varint(8), b"builtin\0module\0".to_vec()].concat()),
        section(1, [varint(1), varint(0), varint(0), varint(1), varint(1)].concat()),
        section(2, attrs.concat()),
        section(3, offsets),
        section(4, ir),
    ]
    .concat()
}

#[test]
fn cycles_chains_and_webs_of_attributes_are_limited() {
    let byte = |n: usize| -> Vec<u8> { vec![(n << 3 | 4) as u8, (n >> 5) as u8, (n >> 13) as u8] };
    // 0: {"module" = attribute 3}, 1: unknown location, 2: "module"; then arrays of what `next` says.
    let file = |n: usize, next: &dyn Fn(usize) -> Vec<usize>| {
        let mut attrs = vec![vec![0x03, 0x03, 0x05, 0x07], vec![0x1f], vec![0x05, 0x03]];
        for i in 3..3 + n {
            let items: Vec<Vec<u8>> = next(i).into_iter().map(byte).collect();
            attrs.push([vec![0x01, (items.len() << 1 | 1) as u8], items.concat()].concat());
        }
        frontend::parse(&Source::from_bytes("web", file_of(&attrs)))
    };
    let last = |n: usize| 3 + n - 1;
    assert!(file(100, &|i| if i == last(100) { vec![1] } else { vec![i + 1] }).is_ok());
    for (n, next, what) in [
        (
            5,
            &(|i: usize| if i == last(5) { vec![3] } else { vec![i + 1] }) as &dyn Fn(usize) -> Vec<usize>,
            "refers to itself",
        ),
        (1, &|i| vec![i], "refers to itself"),
        (5000, &|i| if i == last(5000) { vec![1] } else { vec![i + 1] }, "levels deep"),
        (60, &|i| if i == last(60) { vec![1] } else { vec![i + 1; 2] }, "unfold to"),
        (1, &|_| vec![400_000], "there are 4"),
    ] {
        let e = file(n, next).expect_err(what).to_string();
        assert!(e.contains(what), "{e}");
    }
}

#[test]
fn locations_are_cut_where_they_nest_too_deep() {
    let byte = |n: usize| -> Vec<u8> { vec![(n << 3 | 4) as u8, (n >> 5) as u8, (n >> 13) as u8] };
    // 0: {"module" = the location 3}, 1: unknown location, 2: "module"; then names, each around the next.
    for (levels, kept) in [(100, 100), (3000, 254)] {
        let mut attrs = vec![vec![0x03, 0x03, 0x05, 0x07], vec![0x1f], vec![0x05, 0x03]];
        for i in 3..3 + levels {
            let child = if i + 1 < 3 + levels { byte(i + 1) } else { vec![0x03] };
            attrs.push([vec![0x1d, 0x05], child].concat());
        }
        let module =
            frontend::parse(&Source::from_bytes("chain", file_of(&attrs))).expect("a module").remove(0);
        let text = module.attrs.get("module").expect("the location").to_string();
        assert_eq!(text.matches("module").count(), kept, "{text}");
    }
}
