//! Bad HLO: cut short, with shapes swapped, names missing, cycles, deep nesting, loops without end. It is
//! refused with a place in the text; nothing panics, and nothing goes on for ever.

use super::shared;
use backend::frontend::{Source, parse};
use backend::runtime::{Executable, RunOptions};
use sim_core::ir::verify::verify_module;
use sim_core::{Ctx, Diagnostic, ErrorKind, Numerics, Tensor};
use std::sync::Arc;

/// Small files of several makers and opcodes, in the shared collections.
const SAMPLES: [&str; 10] = [
    "hlo/codegen_tests/backends__gpu__tests__bitcast-convert.hlo",
    "hlo/codegen_tests/backends__gpu__tests__rng_get_and_update_state.hlo",
    "hlo/codegen_tests/codegen__emitters__tests__loop__dot_fp8.hlo",
    "hlo/runner/tools__multihost_hlo_runner__data__dynamic_shaped_arguments.hlo",
    "hlo/runner/tools__multihost_hlo_runner__data__sharded_2_devices.hlo",
    "hlo/runner/tools__multihost_hlo_runner__data__while_with_known_trip_count.hlo",
    "oracle/zoo/v6e/div.hlo.txt",
    "oracle/zoo/v6e/exp.hlo.txt",
    "oracle/zoo/v6e/maxpool.hlo.txt",
    "oracle/zoo/v6e/reduce_col.hlo.txt",
];

fn samples() -> Vec<(String, String)> {
    let mut all = vec![("small.hlo".to_owned(), include_str!("small.hlo").to_owned())];
    match shared() {
        Some(shared) => all.extend(
            SAMPLES.map(|name| (name.to_owned(), std::fs::read_to_string(shared.join(name)).unwrap())),
        ),
        None => eprintln!("SKIPPED the samples of the shared collections: no ../shared (set TPUSIM_SHARED)"),
    }
    // After comments at its end a file is whole.
    for (_, text) in &mut all {
        *text =
            text.lines().filter(|l| !l.starts_with("//")).collect::<Vec<_>>().join("\n").trim().to_owned();
    }
    all
}

/// Reads, verifies and plans.
fn plan(text: &str) -> Result<Executable, Diagnostic> {
    plan_with(text, RunOptions::default())
}

fn plan_with(text: &str, options: RunOptions) -> Result<Executable, Diagnostic> {
    let mut modules = parse(&Source::from_bytes("m.hlo", text.as_bytes()))?;
    let module = modules.remove(0);
    verify_module(&module)?;
    Executable::new(Arc::new(module), options)
}

/// The error's line, which exists.
fn line_of<'t>(text: &'t str, e: &Diagnostic, about: &str) -> (u32, &'t str) {
    assert_ne!(e.kind(), ErrorKind::Internal, "{about}: {e}");
    let span = e.span().unwrap_or_else(|| panic!("{about}: no place in {e}"));
    assert!(span.start <= span.end && span.end as usize <= text.len(), "{about}: {span:?}");
    let line = text.as_bytes()[..span.start as usize].iter().filter(|&&b| b == b'\n').count();
    (line as u32 + 1, text.lines().nth(line).unwrap_or_default())
}

#[test]
fn files_cut_at_every_byte() {
    for (name, text) in samples() {
        let mut refused = 0;
        for end in (1..text.len()).filter(|&end| text.is_char_boundary(end)) {
            // Nothing is cut but comments and blanks where it is accepted: nobody asks for more.
            if let Err(e) = plan(&text[..end]) {
                line_of(&text[..end], &e, &format!("{name} cut at {end}"));
                refused += 1;
            }
        }
        assert!(refused * 10 > text.len() * 9, "{name}: {refused} of {} cuts are refused", text.len());
    }
}

/// The lines that hold instructions, with the places of their shape, opcode and operands' names.
fn instructions(text: &str) -> Vec<Instruction> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(eq) = line.find(" = ").filter(|_| line.starts_with(' ')) else { continue };
        let shape = start + eq + 3;
        // A shape ends where parentheses are closed and a blank follows.
        let mut depth = 0i32;
        let end = text[shape..].char_indices().find(|&(_, c)| {
            depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
            c == ' ' && depth == 0
        });
        let Some((length, _)) = end else { continue };
        let name = line[..eq].trim_start().trim_start_matches("ROOT ").trim_start_matches('%').to_owned();
        found.push(Instruction { name, shape: shape..shape + length, end: at });
    }
    found
}

struct Instruction {
    name: String,
    shape: std::ops::Range<usize>,
    /// Of its line.
    end: usize,
}

#[test]
fn shapes_swapped_between_neighbours() {
    let (mut tried, mut refused) = (0, 0);
    for (name, text) in samples() {
        for pair in instructions(&text).windows(2) {
            let (a, b) = (&pair[0].shape, &pair[1].shape);
            if text[a.clone()] == text[b.clone()] {
                continue;
            }
            let swapped =
                [&text[..a.start], &text[b.clone()], &text[a.end..b.start], &text[a.clone()], &text[b.end..]]
                    .concat();
            tried += 1;
            if let Err(e) = plan(&swapped) {
                line_of(&swapped, &e, &format!("{name}, shapes of {} and its next", pair[0].name));
                refused += 1;
            }
        }
    }
    // What is accepted differs by layout alone.
    assert!(tried >= 4 && refused * 2 > tried, "{refused} of {tried} are refused");
}

#[test]
fn operands_that_are_themselves_or_nobody() {
    let mut tried = 0;
    for (name, text) in samples() {
        let all = instructions(&text);
        for i in &all {
            // The operand list is behind the shape; take the first name in it that is defined.
            let rest = &text[i.shape.end..i.end];
            let operand = all.iter().find_map(|other| {
                let open = rest.find('(')?;
                let close = open + rest[open..].find(')')?;
                let at = open + rest[open..close].find(other.name.as_str())?;
                let word = |c: Option<char>| {
                    c.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == '.' || c == '-'))
                };
                let whole = word(rest[..at].chars().next_back())
                    && word(rest[at + other.name.len()..].chars().next());
                (whole && other.name != i.name).then(|| i.shape.end + at..i.shape.end + at + other.name.len())
            });
            let Some(operand) = operand else { continue };
            for (with, message) in
                [(i.name.as_str(), "depends on its own value"), ("no.such", "`no.such` is not defined")]
            {
                let text = [&text[..operand.start], with, &text[operand.end..]].concat();
                let e = plan(&text).err().unwrap_or_else(|| panic!("{name}: {} of {with}", i.name));
                assert!(format!("{e}").contains(message), "{name}: {} of {with}: {e}", i.name);
                let (_, line) = line_of(&text, &e, &name);
                assert!(line.contains(&i.name), "{name}: {} of {with}: {e} at {line}", i.name);
                tried += 1;
            }
        }
    }
    assert!(tried >= 10, "{tried} only");
}

#[test]
fn cycles_of_three() {
    let text = "HloModule m\n\nENTRY e {\n p = f32[] parameter(0)\n a = f32[] add(p, c)\n b = f32[] abs(a)\n \
                ROOT c = f32[] negate(b)\n}\n";
    let e = plan(text).err().unwrap();
    assert!(e.message().contains("depends on its own value"), "{e}");
    assert!((5..=7).contains(&line_of(text, &e, "a cycle").0));
    let text = "HloModule m\n\nf {\n p = f32[] parameter(0)\n ROOT r = f32[] call(p), to_apply=g\n}\n\n\
                g {\n p = f32[] parameter(0)\n ROOT r = f32[] call(p), to_apply=h\n}\n\n\
                h {\n p = f32[] parameter(0)\n ROOT r = f32[] call(p), to_apply=f\n}\n\n\
                ENTRY e {\n p = f32[] parameter(0)\n ROOT r = f32[] call(p), to_apply=f\n}\n";
    let e = plan(text).err().unwrap();
    assert!(e.message().contains("calls itself"), "{e}");
    line_of(text, &e, "computations in a circle");
}

/// Computations that name each other, `deep` times; `use_next` is an instruction `r` that applies `f<n>`.
fn nest(deep: usize, use_next: impl Fn(usize) -> String) -> String {
    let mut text =
        String::from("HloModule m\n\nf0 {\n p = f32[] parameter(0)\n ROOT r = f32[] negate(p)\n}\n\n");
    for n in 1..deep {
        text += &format!("f{n} {{\n p = f32[] parameter(0)\n ROOT r = {}\n}}\n\n", use_next(n - 1));
    }
    text + &format!("ENTRY e {{\n p = f32[] parameter(0)\n ROOT r = {}\n}}\n", use_next(deep - 1))
}

#[test]
fn ten_thousand_computations_in_each_other() {
    type Form = (&'static str, fn(usize) -> String);
    let forms: [Form; 4] = [
        ("call", |n| format!("f32[] call(p), to_apply=f{n}")),
        ("fusion", |n| format!("f32[] fusion(p), kind=kLoop, calls=f{n}")),
        ("map", |n| format!("f32[] map(p), dimensions={{}}, to_apply=f{n}")),
        ("async", |n| {
            format!("f32[] call-done(s)\n s = ((f32[]), f32[], s32[]) call-start(p), to_apply=f{n}")
        }),
    ];
    for (name, form) in forms {
        for deep in [1, 40, 10_000] {
            let text = nest(deep, form);
            let ctx = Ctx::new(Numerics::ieee(), 1 << 28);
            let exe = plan(&text);
            let result = exe.and_then(|exe| exe.run(&ctx, vec![Tensor::scalar(1f32)]));
            match result {
                Ok(got) => assert_eq!(got[0].as_tensor().unwrap(), &Tensor::scalar(-1f32), "{name}"),
                Err(e) if deep == 10_000 => {
                    assert!(format!("{e}").contains("deep"), "{name}: {e}");
                    line_of(&text, &e, name);
                }
                Err(e) => panic!("{name}, {deep} deep: {e}"),
            }
        }
    }
}

/// A worker's stack is small, and one element of many leads into the depth.
#[test]
fn ten_thousand_branches_below_one_element() {
    let branch = |n: usize| {
        format!(
            "f32[] conditional(c, p, p), true_computation=f{n}, false_computation=same\n \
             half = f32[] constant(0.5)\n c = pred[] compare(p, half), direction=GT"
        )
    };
    let same = "same {\n p = f32[] parameter(0)\n ROOT r = f32[] copy(p)\n}\n\nf0 {";
    let text = nest(10_000, branch).replacen("f0 {", same, 1);
    let (computations, _) = text.split_once("ENTRY").unwrap();
    let text = format!(
        "{computations}ENTRY e {{\n x = f32[100000] parameter(0)\n \
         ROOT r = f32[100000] map(x), dimensions={{0}}, to_apply=f9999\n}}\n"
    );
    let mut x = vec![0f32; 100_000];
    x[54_321] = 1.0;
    let ctx = Ctx::new(Numerics::ieee(), 1 << 28);
    let got = plan(&text).and_then(|exe| exe.run(&ctx, vec![Tensor::from_slice(&[x.len()], &x)])).unwrap();
    x[54_321] = -1.0;
    assert_eq!(got[0].as_tensor().unwrap(), &Tensor::from_slice(&[x.len()], &x));
}

/// Each level is interpreted, a scalar at a time.
#[test]
fn ten_thousand_sums_in_each_other() {
    let mut text = String::from(
        "HloModule m\n\nf0 {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}\n\n",
    );
    for n in 1..10_000 {
        text += &format!(
            "f{n} {{\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n v = f32[1] reshape(a)\n \
             ROOT r = f32[] reduce(v, b), dimensions={{0}}, to_apply=f{}\n}}\n\n",
            n - 1
        );
    }
    text += "ENTRY e {\n x = f32[3] parameter(0)\n z = f32[] constant(0)\n \
             ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=f9999\n}\n";
    let ctx = Ctx::new(Numerics::ieee(), 1 << 28);
    let x = Tensor::from_slice(&[3], &[1f32, 2.0, 4.0]);
    match plan(&text).and_then(|exe| exe.run(&ctx, vec![x])) {
        Ok(got) => assert_eq!(got[0].as_tensor().unwrap(), &Tensor::scalar(7f32)),
        Err(e) => {
            assert!(format!("{e}").contains("deep"), "{e}");
            line_of(&text, &e, "sums in each other");
        }
    }
}

#[test]
fn shapes_nested_ten_thousand_deep() {
    for (open, close) in [("(", ")"), ("((", ", f32[]))")] {
        let shape = format!("{}f32[]{}", open.repeat(10_000), close.repeat(10_000));
        let text = format!("HloModule m\n\nENTRY e {{\n ROOT p = {shape} parameter(0)\n}}\n");
        if let Err(e) = plan(&text) {
            line_of(&text, &e, "nested tuples");
        }
    }
}

/// A loop that ends after `n` trips, inside one of three trips.
const LOOPS: &str = "HloModule m

more {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  ROOT lt = pred[] compare(i, n), direction=LT
}

step {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], s32[]) tuple(j, n)
}

three {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  c = s32[] constant(3)
  ROOT lt = pred[] compare(i, c), direction=LT
}

outer {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  zero = s32[] constant(0)
  t = (s32[], s32[]) tuple(zero, n)
  inner = (s32[], s32[]) while(t), condition=more, body=step
  m = s32[] get-tuple-element(inner), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], s32[]) tuple(j, m)
}

ENTRY e {
  n = s32[] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], s32[]) tuple(zero, n)
  w = (s32[], s32[]) while(t), condition=three, body=outer
  ROOT r = s32[] get-tuple-element(w), index=0
}
";

#[test]
fn loops_that_go_on_and_on() {
    let ctx = Ctx::new(Numerics::ieee(), 1 << 28);
    let run = |max_steps: u64, n: i32| {
        let exe = plan_with(LOOPS, RunOptions { max_steps, ..RunOptions::default() }).unwrap();
        // Each run counts for itself.
        exe.run(&ctx, vec![Tensor::scalar(n)])?;
        exe.run(&ctx, vec![Tensor::scalar(n)])
    };
    // Three trips outside, 3 * 10 inside.
    assert_eq!(run(33, 10).unwrap()[0].as_tensor().unwrap(), &Tensor::scalar(3i32));
    for (max_steps, n) in [(32, 10), (10_000, i32::MAX)] {
        let e = run(max_steps, n).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Resource);
        assert!(e.message().contains(&format!("{max_steps} trips")), "{e}");
        assert!(e.help_text().is_some_and(|h| h.contains("--max-steps")), "{e}");
        assert!(line_of(LOOPS, &e, "a loop").1.contains("inner ="), "{e}");
    }
    // A condition that is always true, and a loop whose places are not in HLO.
    let endless = "HloModule m\n\nc {\n p = s32[] parameter(0)\n ROOT t = pred[] constant(true)\n}\n\n\
                   b {\n ROOT p = s32[] parameter(0)\n}\n\nENTRY e {\n p = s32[] parameter(0)\n \
                   ROOT w = s32[] while(p), condition=c, body=b\n}\n";
    let exe = plan_with(endless, RunOptions { max_steps: 1000, ..RunOptions::default() }).unwrap();
    let e = exe.run(&ctx, vec![Tensor::scalar(1i32)]).unwrap_err();
    assert_eq!(
        line_of(endless, &e, "an endless loop"),
        (14, " ROOT w = s32[] while(p), condition=c, body=b")
    );
}
