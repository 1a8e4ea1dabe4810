//! HLO text: what XLA writes is read, printed as XLA prints it, and imported.

mod corpus;
mod cpu;
#[path = "../differential/draw/mod.rs"]
#[allow(dead_code)] // The bounds are for comparing with JAX.
mod draw;
mod export;
mod forms;
mod meshes;
mod print;
mod proto;
#[path = "../differential/rng.rs"]
#[allow(dead_code)]
mod rng;
mod robust;
mod snapshots;
mod values;

use backend::frontend::hlo::{import, parse_text};
use backend::frontend::{Source, parse};
use sim_core::hlo::print::{PrintOptions, module_text};
use sim_core::hlo::{HloModule, StackTables};
use sim_core::ir::verify::verify_module;
use sim_core::loc::Span;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// `../shared`, or where `TPUSIM_SHARED` says.
fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("TPUSIM_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    path.is_dir().then_some(path)
}

/// The HLO texts in the shared collections, with their names.
fn files() -> Option<Vec<(String, String)>> {
    let Some(shared) = shared() else {
        eprintln!("SKIPPED HLO of the shared collections: no ../shared (set TPUSIM_SHARED)");
        return None;
    };
    let mut found = Vec::new();
    let mut folders = vec![shared.join("hlo"), shared.join("oracle")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(&shared).unwrap_or(&path).display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".hlo") || name.ends_with(".hlo.txt") {
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > 300, "{} files only", found.len());
    Some(found)
}

/// `name: reason` a line.
fn exceptions() -> BTreeMap<&'static str, &'static str> {
    include_str!("import.exceptions")
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
        .map(|l| l.split_once(": ").expect("`file: reason`"))
        .collect()
}

/// Without the places in the text.
fn placeless(mut m: HloModule) -> HloModule {
    for c in &mut m.computations {
        c.span = Span::default();
        c.instructions.iter_mut().for_each(|i| i.span = Span::default());
    }
    m
}

#[test]
fn every_file_reads_and_round_trips() {
    let Some(files) = files() else { return };
    let plain = PrintOptions { xla_order: false, ..PrintOptions::default() };
    for (name, text) in &files {
        let modules = parse_text(text, true).unwrap_or_else(|e| panic!("{name}: {e}"));
        for m in modules {
            let printed = module_text(&m, &plain);
            let again =
                parse_text(&printed, true).unwrap_or_else(|e| panic!("{name}, printed: {e}\n{printed}"));
            let [again] = &again[..] else { panic!("{name}: printed as {} modules", again.len()) };
            let (mut m, again) = (placeless(m), placeless(again.clone()));
            // A frame that no table holds says nothing, and is not printed.
            if m.tables == StackTables::default() {
                for i in m.computations.iter_mut().flat_map(|c| &mut c.instructions) {
                    if let Some(meta) = &mut i.metadata {
                        meta.stack_frame_id = 0;
                    }
                }
            }
            assert!(sorted(m) == sorted(again), "{name}: another module after printing\n{printed}");
        }
    }
}

/// Attributes in the order of their keys, those that state a default left out: as they are printed.
fn sorted(mut m: HloModule) -> String {
    m.attrs.sort_by(|a, b| a.key.cmp(&b.key));
    for i in m.computations.iter_mut().flat_map(|c| &mut c.instructions) {
        i.attrs.sort_by(|a, b| a.key.cmp(&b.key));
    }
    module_text(&m, &PrintOptions { xla_order: false, ..PrintOptions::default() })
}

#[test]
fn every_file_becomes_operations_of_the_ir() {
    let Some(files) = files() else { return };
    let exceptions = exceptions();
    let mut wrong = Vec::new();
    for (name, text) in &files {
        let result = parse_text(text, true).and_then(|modules| {
            for m in &modules {
                verify_module(&import::import(m)?)?;
            }
            Ok(())
        });
        match (result, exceptions.get(name.as_str())) {
            (Err(e), None) => wrong.push(format!("{name}: {e}")),
            (Ok(()), Some(_)) => wrong.push(format!("{name} is imported: take its exception out")),
            (Err(e), Some(reason)) if !e.message().contains(reason) => {
                wrong.push(format!("{name}: expected `{reason}`, got: {e}"));
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

#[test]
fn a_text_that_ends_early_is_refused_at_its_place() {
    let text = include_str!("small.hlo");
    assert!(parse_text(text, true).is_ok());
    let last = text.rfind('}').unwrap();
    for end in 0..last {
        if !text.is_char_boundary(end) {
            continue;
        }
        // Cut between computations, the rest is a whole module.
        let Err(e) = parse_text(&text[..end], true) else {
            let rest = &text[text[..end].rfind('}').unwrap()..end];
            let comment = rest.split_once('\n').is_some_and(|(_, rest)| rest.trim_start().starts_with("//"));
            assert!(
                rest.trim_end() == "}" || rest.trim_end().ends_with('"') || comment,
                "cut at {end}: accepted\n{rest}"
            );
            continue;
        };
        let span = e.span().unwrap_or_else(|| panic!("cut at {end}: no place in {e}"));
        assert!(span.start as usize <= end && span.end as usize <= end, "cut at {end}: {span:?}");
    }
}

/// Who does not look at values can read a dump without them.
#[test]
fn constants_that_were_left_out_are_counted_or_zeros() {
    let text = "HloModule m\n\nENTRY e {\n  a = f32[9] constant({...})\n  b = f32[9] constant({...})\n  \
                ROOT c = f32[9] add(a, b)\n}\n";
    let hlo = &parse_text(text, true).unwrap()[0];
    let e = import::import(hlo).unwrap_err();
    assert!(e.message().contains("constant `a`, and those of 1 other constants"), "{e}");
    let module = import::import_with(hlo, import::Elided::Zeros).unwrap();
    verify_module(&module).unwrap();
    assert!(module.to_string().contains("stablehlo.add"), "{module}");
}

#[test]
fn mistakes_are_named() {
    let entry = |body: &str| format!("HloModule m\n\nENTRY e {{\n{body}\n}}\n");
    for (text, message) in [
        (entry("ROOT a = f32[2] add(x, x)"), "instruction `x` is not defined in computation `e`"),
        (entry("ROOT a = f32[2] adds(x, x)"), "`adds` is no operation of HLO"),
        (entry("ROOT a = f33[2] parameter(0)"), "`f33` is no element type of HLO"),
        (entry("ROOT a = f32[2]{1} parameter(0)"), "a layout names each dimension once"),
        (entry("ROOT a = f32[2]{1,0} parameter(0)"), "this layout orders 2 dimensions, the shape has 1"),
        (entry("a = f32[] parameter(0)\na = f32[] parameter(1)"), "instruction `a` is defined twice"),
        (entry("ROOT a = f32[] parameter(0)\nROOT b = f32[] abs(a)"), "a computation has one ROOT"),
        (entry("ROOT c = f32[2] constant({1})"), "1 values here, where the shape has 2"),
        (entry("ROOT c = s4[] constant(8)"), "8 does not fit s4"),
        (entry("ROOT c = u8[] constant(-1)"), "-1 does not fit u8"),
        (entry("ROOT c = f32[] constant(nan(0x0))"), "the payload of a f32 nan"),
        (
            entry("a = f32[] parameter(0)\nROOT c = f32[] call(a), to_apply=f"),
            "computation `f` is not defined",
        ),
        (entry("ROOT a = f32[] parameter(0), index=1, index=2"), "`index` is given twice"),
        ("HloModule m\n".to_owned(), "expected a computation"),
    ] {
        let e = parse_text(&text, true).expect_err(&text);
        assert!(e.message().contains(message), "{text}\n{e}");
        assert!(e.span().is_some(), "{e}");
    }
    for (text, message) in [
        (entry("a = f32[] abs(b)\nROOT b = f32[] abs(a)"), "it depends on its own value"),
        (entry("p = f32[] parameter(1)\nROOT a = f32[] abs(p)"), "are not numbered 0, 1, 2"),
        (entry("p = f32[] parameter(0)\nROOT c = f32[] call(p), to_apply=e"), "calls itself"),
        (entry("p = f32[] parameter(0)\nROOT c = f32[9] constant({...})"), "were left out of this dump"),
        (entry("p = f32[2] parameter(0)\nROOT c = f32[3] negate(p)"), "negate"),
        (
            entry(
                "p = f32[2] parameter(0)\ns = s32[3] parameter(1)\n\
                 ROOT r = f32[2] ragged-all-to-all(p, p, s, s, s, s), replica_groups={{0,1}}",
            ),
            "3 offsets are not as many for each of 2 devices",
        ),
        (
            entry(
                "p = f32[4194304] parameter(0)\ns = s32[4194304] parameter(1)\n\
                 ROOT r = f32[4194304] ragged-all-to-all(p, p, s, s, s, s), replica_groups={{0,1}}",
            ),
            "a ragged exchange of 4194304 rows with 4194304 offsets",
        ),
        (
            entry(
                "p = f32[] parameter(0)\nROOT c = (f32[], f32[]) custom-call(p), custom_call_target=\"AsyncCollectiveStart\"",
            ),
            "an asynchronous `p` of this shape",
        ),
        // Sizes that would make a reader work, or count, for ever.
        (
            entry(
                "p = f32[8] parameter(0)\nv = s32[1099511627776] parameter(1)\nROOT d = f32[2] dynamic-slice(p, v), dynamic_slice_sizes={2}",
            ),
            "dynamic_slice",
        ),
        (
            entry(
                "p = f32[8] parameter(0)\nROOT d = f32[8] all-gather(p), dimensions={0}, replica_groups=[0,1]<=[0,4611686018427387904,4611686018427387904]",
            ),
            "replica groups do not fit",
        ),
    ] {
        let e = parse(&Source::from_bytes("m.hlo", text.as_bytes()))
            .and_then(|modules| modules.iter().try_for_each(verify_module));
        let e = e.expect_err(&text);
        assert!(format!("{e}").contains(message), "{text}\n{e}");
        assert!(e.span().is_some(), "{e}");
    }
}
