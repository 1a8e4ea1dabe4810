//! Shape refinement, rule by rule: `refine/*.mlir`, a module in and a module (or an error) out.
//!
//! A file's first line is `// args: ` and the types of the entry's arguments, separated by `;`. After
//! the program follows what refinement makes of it, as comments: `// => ` and the module's text, or
//! `// => error: ` and the diagnostic. `TPUSIM_BLESS=1` writes that part.

use backend::frontend::{self, Source};
use backend::refine::refine;
use backend::runtime::{Executable, RunOptions};
use sim_core::ir::Op;
use sim_core::ir::verify::verify_module;
use sim_core::{Ctx, ErrorKind, Numerics, Result, Tensor, Type};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

const RESULT: &str = "// => ";

/// The types on the first line, by reading a function that takes them.
fn argument_types(line: &str) -> Vec<Type> {
    let list = line.strip_prefix("// args:").expect("the first line says `// args:`").trim();
    let args: Vec<String> = list
        .split(';')
        .map(str::trim)
        .filter(|t| !t.is_empty())
        .enumerate()
        .map(|(i, t)| format!("%{i}: {t}"))
        .collect();
    let text = format!("func.func @f({}) {{ func.return }}", args.join(", "));
    let modules = frontend::parse(&Source::from_bytes("args", text)).unwrap();
    modules[0].functions[0].arg_types.clone()
}

fn outcome(program: &str, args: &[Type]) -> String {
    let ctx = Ctx::new(Numerics::ieee(), 1 << 28);
    let read = || -> Result<String> {
        let module = frontend::parse(&Source::from_bytes("program", program))?.remove(0);
        verify_module(&module)?;
        let refined = refine(&module, None, args, &ctx)?;
        verify_module(&refined.module)?;
        // What comes out is a program like any other: it prints, reads, and is as refined as it gets.
        let text = refined.module.to_string();
        let again = frontend::parse(&Source::from_bytes("again", text.clone()))?.remove(0);
        let twice = refine(&again, None, args, &ctx)?;
        assert_eq!(twice.module.to_string(), text, "refining twice changes something");
        runs_alike(&module, &refined.module, args, &ctx);
        Ok(match refined.dynamic {
            Some(e) => format!("{}\ndynamic: {e}", text.trim_end()),
            None => text,
        })
    };
    read().unwrap_or_else(|e| format!("error: {e}"))
}

/// The program as it is and the refined one give the same values: of zeros and of ones.
fn runs_alike(module: &sim_core::ir::Module, refined: &sim_core::ir::Module, args: &[Type], ctx: &Ctx) {
    if refined.functions.iter().any(|f| f.ops.iter().any(|op| matches!(op.op, Op::Rng(_)))) {
        return; // Two runs draw different numbers.
    }
    for fill in [0, 1u8] {
        let inputs: Option<Vec<Tensor>> = args
            .iter()
            .map(|ty| {
                let t = ty.as_tensor()?;
                let mut tensor = ctx.alloc_zeroed(t.element, &t.static_dims()?).ok()?;
                for element in tensor.bytes_mut().chunks_exact_mut(t.element.byte_size()) {
                    element[0] = fill;
                }
                Some(tensor)
            })
            .collect();
        let Some(inputs) = inputs else { return };
        let run = |module: &sim_core::ir::Module| {
            let options = RunOptions { numerics: ctx.numerics, ..RunOptions::default() };
            Executable::new(Arc::new(module.clone()), options)?.run(ctx, inputs.clone())
        };
        match (run(module), run(refined)) {
            (Ok(a), Ok(b)) => assert_eq!(a, b, "the refined program gives something else"),
            (Err(a), Err(b)) => assert_eq!(a.kind(), b.kind(), "{a}\n{b}"),
            // An operation that is not modelled may be gone.
            (Err(a), Ok(_)) => assert_eq!(a.kind(), ErrorKind::Unsupported, "{a}"),
            (Ok(_), Err(b)) => panic!("only the refined program fails: {b}"),
        }
    }
}

#[test]
fn files_refine_as_they_say() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refine");
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 20, "only {} files", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = text.find(RESULT).map_or(&text[..], |at| &text[..at]);
        let args = argument_types(program.lines().next().unwrap_or_default());
        let mut got = format!("{}\n\n", program.trim_end());
        for (i, line) in outcome(program, &args).trim_end().lines().enumerate() {
            let _ =
                writeln!(got, "{}", format!("{}{line}", if i == 0 { RESULT } else { "//    " }).trim_end());
        }
        if got == text {
            continue;
        }
        if std::env::var_os("TPUSIM_BLESS").is_some() {
            std::fs::write(&path, got).unwrap();
        } else {
            wrong.push(format!("----- {} is now\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nTPUSIM_BLESS=1 accepts this", wrong.join("\n"));
}

/// Levels of functions, each of which calls the next one at two shapes: 2^25 copies at the bottom.
fn copies(levels: usize) -> String {
    let mut text = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @f0(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"
    .to_owned();
    for i in 0..levels {
        let (next, size) = (i + 1, 1u64 << i);
        let _ = writeln!(
            text,
            "func.func private @f{i}(%a: tensor<?xf32>) -> tensor<?xf32> {{
  %c = stablehlo.constant dense<1.0> : tensor<{size}xf32>
  %0 = stablehlo.concatenate %a, %c, dim = 0 : (tensor<?xf32>, tensor<{size}xf32>) -> tensor<?xf32>
  %1 = call @f{next}(%0) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = call @f{next}(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}}"
        );
    }
    let _ = writeln!(
        text,
        "func.func private @f{levels}(%a: tensor<?xf32>) -> tensor<?xf32> {{\n  return %a : tensor<?xf32>\n}}"
    );
    text
}

/// It ends, soon, with an error: neither in memory for 2^25 functions nor in looking for their names.
#[test]
fn endless_copies_are_refused() {
    let module = frontend::parse(&Source::from_bytes("copies", copies(25))).unwrap().remove(0);
    let args = argument_types("// args: tensor<3xf32>");
    let ctx = Ctx::new(Numerics::ieee(), 1 << 28);
    let e = refine(&module, None, &args, &ctx).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Resource, "{e}");
    assert!(e.help_text().is_some_and(|help| help.contains("copied for every shape")), "{e}");
}

#[test]
fn refinement_can_be_interrupted() {
    let module = frontend::parse(&Source::from_bytes("copies", copies(3))).unwrap().remove(0);
    let args = argument_types("// args: tensor<3xf32>");
    let ctx = Ctx::new(Numerics::ieee(), 1 << 28);
    refine(&module, None, &args, &ctx).unwrap();
    ctx.stop();
    assert_eq!(refine(&module, None, &args, &ctx).unwrap_err().kind(), ErrorKind::Interrupted);
}
