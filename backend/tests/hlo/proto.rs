//! Protocol buffers of HLO: what XLA writes is read, what is written XLA reads, and both are the module of the text.

use super::{files, placeless, root, sorted};
use backend::frontend::hlo::parse_text;
use backend::frontend::hlo::proto::{self, Form};
use sim_core::hlo::print::{PrintOptions, is_json_dict, module_text};
use sim_core::hlo::{HloModule, Key, Value};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// `file: reason` a line, of files whose proto says less than their text.
fn exceptions() -> BTreeMap<&'static str, &'static str> {
    include_str!("proto.exceptions")
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
        .map(|l| l.split_once(": ").expect("`file: reason`"))
        .collect()
}

/// Without what no proto holds: how the module is to be compiled, and whether JSON stood in quotes.
fn carried(mut m: HloModule) -> HloModule {
    for c in &mut m.computations {
        // Whose mention says nothing.
        c.execution_thread.take_if(|thread| &**thread == "main");
    }
    for attr in m.computations.iter_mut().flat_map(|c| &mut c.instructions).flat_map(|i| &mut i.attrs) {
        if let (Key::BackendConfig, Value::String(s)) = (&attr.key, &attr.value)
            && is_json_dict(s)
        {
            attr.value = Value::Raw(s.clone());
        }
    }
    m.attrs.retain(|a| {
        !matches!(a.key, Key::AllowSpmdToOutput | Key::AllowSpmdToParameters | Key::AliasPassthroughParams)
    });
    m
}

#[test]
fn a_module_is_the_same_through_its_protos() {
    let Some(files) = files() else { return };
    let exceptions = exceptions();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, text) in &files {
        for m in parse_text(text, true).unwrap_or_else(|e| panic!("{name}: {e}")) {
            count += 1;
            let m = carried(placeless(m));
            for form in [Form::Module, Form::Binary, Form::Text] {
                let back = proto::encode(&m, form).and_then(|bytes| match form {
                    Form::Text => proto::parse_text(std::str::from_utf8(&bytes).unwrap()),
                    _ => proto::parse(&bytes),
                });
                let other =
                    back.map(|back| super::print::first_difference(&sorted(m.clone()), &sorted(back.module)));
                match (other, exceptions.get(name.as_str())) {
                    (Ok(None), None) => {}
                    (Ok(None), Some(_)) => wrong.push(format!("{name} is the same: take its exception out")),
                    (Ok(Some(d)), None) => wrong.push(format!("{name}, as {form:?}: {d}")),
                    (Err(e), None) => wrong.push(format!("{name}, as {form:?}: {e} {:?}", e.notes())),
                    (_, Some(_)) => {}
                }
            }
        }
    }
    assert!(exceptions.len() * 100 <= count, "{} exceptions of {count}", exceptions.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), 3 * count, wrong.join("\n"));
}

#[test]
fn xla_and_we_read_each_others_protos() {
    let Some(files) = files() else { return };
    let Some(python) = std::env::var_os("TPUSIM_PYTHON") else {
        eprintln!("SKIPPED protos of HLO beside XLA: TPUSIM_PYTHON is not set");
        if let Some(path) = std::env::var_os("TPUSIM_SKIP_LOG")
            && let Ok(mut log) = std::fs::OpenOptions::new().append(true).create(true).open(path)
        {
            let _ =
                std::io::Write::write_all(&mut log, b"protos of HLO beside XLA: TPUSIM_PYTHON is not set\n");
        }
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hlo-proto");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut numbered = Vec::new();
    let mut wrong = Vec::new();
    for (i, (name, text)) in files.iter().enumerate() {
        // XLA reads one module from a text.
        let [m] = &parse_text(text, true).unwrap()[..] else { continue };
        std::fs::write(folder.join(format!("{i}.hlo")), text).unwrap();
        match proto::encode(m, Form::Module) {
            Ok(bytes) => std::fs::write(folder.join(format!("{i}.ours.pb")), bytes).unwrap(),
            Err(e) => wrong.push(format!("{name}: {e} {:?}", e.notes())),
        }
        numbered.push((i, name, text));
    }
    let script = root().join("backend/tests/scripts/xla_protos.py");
    assert!(Command::new(python).arg(script).arg(&folder).status().unwrap().success());
    let mut unread = 0;
    for (i, name, text) in &numbered {
        let file = |end: &str| std::fs::read(folder.join(format!("{i}.{end}"))).ok();
        let print = |end: &str| file(end).map(|bytes| String::from_utf8(bytes).unwrap());
        let (Some(theirs), Some(printed)) = (file("pb"), print("txt")) else {
            unread += 1;
            continue;
        };
        // What a dump left out, XLA fills with numbers of its own.
        let elide_large_constants = text.contains("constant({...})");
        let options = PrintOptions { elide_large_constants, ..PrintOptions::default() };
        match proto::parse(&theirs) {
            Ok(read) => {
                let ours = module_text(&read.module, &options);
                wrong.extend(
                    super::print::first_difference(&printed, &ours).map(|d| format!("{name}, read: {d}")),
                );
            }
            Err(e) => wrong.push(format!("{name}, read: {e} {:?}", e.notes())),
        }
        // Texts that XLA's reader changes.
        if super::print::exceptions().contains_key(name.as_str()) {
            continue;
        }
        match print("ours.txt") {
            // Of how many devices a module is, XLA's own protos do not say.
            Some(again) => wrong.extend(
                super::print::first_difference(
                    &printed,
                    &without_counts(&again).replace("constant(-0)", "constant(0)"),
                )
                .map(|d| format!("{name}, written: {d}")),
            ),
            None => {
                let reason = print("ours.err").unwrap_or_else(|| "XLA aborts".to_owned());
                wrong.push(format!("{name}, written: {}", reason.lines().next().unwrap_or_default()));
            }
        }
    }
    eprintln!("{} of {} read by XLA", numbered.len() - unread, numbered.len());
    assert!(unread <= 10, "XLA reads {unread} of {} files not", numbered.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), numbered.len(), wrong.join("\n"));
}

/// `, replica_count=2, num_partitions=4` out of a header.
fn without_counts(text: &str) -> String {
    let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
    let kept =
        header.split(", ").filter(|p| !p.starts_with("replica_count=") && !p.starts_with("num_partitions="));
    let header: Vec<&str> = kept.collect();
    format!("{}\n{rest}", header.join(", "))
}

const SMALL: &str = include_str!("small.hlo");

pub(super) fn small() -> HloModule {
    carried(parse_text(SMALL, true).unwrap().remove(0))
}

/// A field of a message: its number, and bytes.
pub(super) fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    let mut n = bytes.len();
    while n > 127 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
    [&out, bytes].concat()
}

#[test]
fn a_proto_that_ends_early_is_refused() {
    for form in [Form::Module, Form::Binary] {
        let bytes = proto::encode(&small(), form).unwrap();
        let whole = sorted(proto::parse(&bytes).unwrap().module);
        for end in 0..bytes.len() {
            // Cut between two fields of the module, the rest of it is a proto: never the same module unseen.
            if let Ok(read) = proto::parse(&bytes[..end]) {
                assert!(
                    form == Form::Module && sorted(read.module) != whole,
                    "{form:?} cut at {end}: accepted"
                );
            }
        }
    }
    let text = String::from_utf8(proto::encode(&small(), Form::Text).unwrap()).unwrap();
    let last = text.trim_end().len();
    for end in (0..last).filter(|&i| text.is_char_boundary(i)) {
        let e = proto::parse_text(&text[..end]).expect_err("cut");
        assert!(e.span().is_none_or(|s| s.end as usize <= end), "cut at {end}: {e}");
    }
}

#[test]
fn damaged_bytes_never_panic() {
    let bytes = proto::encode(&small(), Form::Binary).unwrap();
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x80] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            if let Ok(read) = proto::parse(&damaged) {
                let _ = backend::frontend::hlo::import::import(&read.module);
                let _ = proto::encode(&read.module, Form::Text);
            }
        }
    }
}

const VALID: &str = r#"name: "m" entry_computation_name: "e" entry_computation_id: 1
computations {
  name: "e" id: 1 root_id: 12
  instructions { name: "p" opcode: "parameter" id: 11 shape { element_type: F32 dimensions: 2 layout { minor_to_major: 0 } } }
  instructions { name: "n" opcode: "negate" id: 12 operand_ids: 11 shape { element_type: F32 dimensions: 2 layout { minor_to_major: 0 } } }
}
"#;

#[test]
fn what_is_wrong_in_a_proto_is_named() {
    assert!(proto::parse_text(VALID).is_ok());
    for (from, to, message, note) in [
        (
            "entry_computation_id: 1",
            "entry_computation_id: 7",
            "no computation has the id 7 (`entry_computation_id`)",
            "",
        ),
        ("root_id: 12", "root_id: 13", "no instruction has the id 13 (`root_id`)", "in computation `e`"),
        (
            "operand_ids: 11",
            "operand_ids: 9",
            "no instruction of the computation has the id 9",
            "in `operand_ids`",
        ),
        ("operand_ids: 11", "operand_ids: 9", "no instruction", "in instruction `n`"),
        ("id: 12 operand", "id: 11 operand", "instruction `n`: another has its id, 11", "in computation `e`"),
        ("\"negate\"", "\"negative\"", "`negative` is no operation of HLO (`opcode`)", "in instruction `n`"),
        (
            "minor_to_major: 0",
            "minor_to_major: 1",
            "a layout names each dimension once",
            "in instruction `p`",
        ),
        ("dimensions: 2", "dimensions: -2", "-2 is no size (`dimensions`)", "in instruction `p`"),
        ("element_type: F32", "element_type: 99", "99 is no `element_type`", "in instruction `p`"),
        (
            "element_type: F32",
            "element_type: S1",
            "the element type s1 is not supported",
            "in instruction `p`",
        ),
        (
            "element_type: F32",
            "element_type: F33",
            "`F33` is no value of this field",
            "in `element_type` of ShapeProto",
        ),
        ("id: 1 root", "id: ? root", "expected a number of i64, not `?`", "in `id` of HloComputationProto"),
        (
            "operand_ids: 11",
            "operand_ids: 11 called_computation_ids: 5",
            "no computation has the id 5",
            "in instruction `n`",
        ),
        ("\"negate\"", "\"while\"", "while calls 2 computations", "in instruction `n`"),
        (
            "\"negate\"",
            "\"constant\" literal { shape { element_type: F32 dimensions: 2 } f32s: 1 }",
            "a literal of 1 elements",
            "in `literal`",
        ),
        ("computations {", "computations [", "expected `{`", ""),
        (
            "name: \"m\" entry_computation_name: \"e\"",
            "name: \"e",
            "this string does not end on its line",
            "",
        ),
    ] {
        let text = VALID.replacen(from, to, 1);
        let e = proto::parse_text(&text).expect_err(&text);
        assert!(e.message().contains(message), "{text}\n{e}");
        assert!(note.is_empty() || e.notes().iter().any(|n| n == note), "{note}: {:?}", e.notes());
    }
    // A value that depends on itself is found when it is to be run, or written.
    let cycle = proto::parse_text(&VALID.replace("operand_ids: 11", "operand_ids: 12")).unwrap().module;
    let e = proto::encode(&cycle, Form::Binary).unwrap_err();
    assert!(e.message().contains("instruction `n` depends on its own value"), "{e}");
    assert!(backend::frontend::hlo::import::import(&cycle).is_err());
}

#[test]
fn unknown_fields_are_passed_over() {
    let text = VALID.replacen(
        "id: 1 root",
        "a_new_field { x: 1 y: [1.5e-3, {z: \"a\" 'b'}] [some.Extension] < q: -inf; > } other: ENUM id: 1 root",
        1,
    );
    let module = proto::parse_text(&text).unwrap().module;
    assert_eq!(module, proto::parse_text(VALID).unwrap().module);
    let bytes = proto::encode(&module, Form::Module).unwrap();
    let more = [bytes, vec![0xf8, 0x7f, 5], vec![0xf2, 0x7f, 2, 1, 2]].concat();
    let read = proto::parse(&more).unwrap().module;
    assert_eq!(sorted(read), sorted(module));
}

#[test]
fn computations_and_instructions_are_written_before_their_use() {
    let text = "HloModule m\n\nENTRY e {\n ROOT c = f32[] call(p), to_apply=f\n p = f32[] parameter(0)\n}\n\n\
                f {\n ROOT n = f32[] negate(q)\n q = f32[] parameter(0)\n}\n";
    let module = parse_text(text, true).unwrap().remove(0);
    let back = proto::parse(&proto::encode(&module, Form::Binary).unwrap()).unwrap().module;
    assert_eq!(module_text(&back, &PrintOptions::default()), module_text(&module, &PrintOptions::default()));
    assert_eq!(&*back.computations[0].name, "f");
    assert_eq!(&*back.computations[1].instructions[0].name, "p");
}

#[test]
fn constants_of_every_type_and_layout_are_carried() {
    for (ty, values) in [
        ("pred", "{ { 1, 0, 1 }, { 0, 0, 1 } }"),
        ("s2", "{ { -2, -1, 0 }, { 1, 0, -2 } }"),
        ("s4", "{ { -8, -1, 0 }, { 7, 1, 2 } }"),
        ("u2", "{ { 3, 1, 0 }, { 2, 1, 3 } }"),
        ("u4", "{ { 15, 1, 0 }, { 7, 1, 2 } }"),
        ("s8", "{ { -128, 127, 0 }, { 1, 2, 3 } }"),
        ("u8", "{ { 255, 1, 0 }, { 1, 2, 3 } }"),
        ("s16", "{ { -32768, 1, 0 }, { 1, 2, 3 } }"),
        ("u16", "{ { 65535, 1, 0 }, { 1, 2, 3 } }"),
        ("s32", "{ { -2147483648, 1, 0 }, { 1, 2, 3 } }"),
        ("u32", "{ { 4294967295, 1, 0 }, { 1, 2, 3 } }"),
        ("s64", "{ { -9223372036854775808, 1, 0 }, { 1, 2, 3 } }"),
        ("u64", "{ { 18446744073709551615, 1, 0 }, { 1, 2, 3 } }"),
        ("bf16", "{ { 1.5, -inf, nan }, { -0, 2, 3 } }"),
        ("f16", "{ { 1.5, -inf, nan }, { -0, 2, 3 } }"),
        ("f32", "{ { 1.5, -inf, nan }, { 1e-45, 3.4e+38, 0.1 } }"),
        ("f64", "{ { 1.5, -inf, nan }, { 5e-324, 2, 0.1 } }"),
        ("c64", "{ { (1, 2), (inf, -0), (0, 0) }, { (3, 4), (5, 6), (7, 8) } }"),
        ("c128", "{ { (1, 2), (inf, -0), (0, 0) }, { (3, 4), (5, 6), (7, 8) } }"),
        ("f8e5m2", "{ { 1.5, -inf, nan }, { 1, 2, 3 } }"),
        ("f8e4m3fn", "{ { 1.5, -2, nan }, { 1, 2, 3 } }"),
        ("f8e8m0fnu", "{ { 1, 2, nan }, { 1, 2, 4 } }"),
        ("f4e2m1fn", "{ { 1.5, -6, 0 }, { 1, 2, 3 } }"),
    ] {
        for layout in ["{1,0}", "{0,1}"] {
            let text =
                format!("HloModule m\n\nENTRY e {{\n ROOT c = {ty}[2,3]{layout} constant({values})\n}}\n");
            let module = parse_text(&text, true).unwrap().remove(0);
            for form in [Form::Binary, Form::Text] {
                let bytes = proto::encode(&module, form).unwrap();
                let back = match form {
                    Form::Text => proto::parse_text(std::str::from_utf8(&bytes).unwrap()),
                    _ => proto::parse(&bytes),
                };
                assert_eq!(sorted(back.unwrap().module), sorted(module.clone()), "{text}");
            }
        }
    }
}

/// Such a text in a proto is printed in quotes: without them its end is not found.
#[test]
fn text_like_json_whose_brackets_do_not_close() {
    for good in ["{}", r#"{"a":["]",{"b":"\"("}]}"#] {
        assert!(is_json_dict(good), "{good}");
    }
    for bad in [r#"{"a":[}"#, r#"{("a":1}"#, r#"{"a":1]}"#, "{[}]", "{}}", "{"] {
        assert!(!is_json_dict(bad), "{bad}");
    }
}
