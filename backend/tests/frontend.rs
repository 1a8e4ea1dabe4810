//! What the MLIR frontend makes of constants, names, locations and mistakes.

use backend::frontend::bytecode::{Form, Version, encode};
use backend::frontend::{self, ParseOptions, Source};
use sim_core::dtype::ElementType as E;
use sim_core::ir::attr::Dense;
use sim_core::ir::{Attr, Module, Op, same};
use sim_core::{Diagnostic, ErrorKind, Result, Tensor};
use std::sync::Arc;

fn modules(text: &str) -> Result<Vec<Module>> {
    frontend::parse(&Source::from_bytes("test", text))
}

fn dense(literal: &str) -> Result<Arc<Dense>> {
    let module = modules(&format!("module attributes {{a = {literal}}} {{}}"))?.remove(0);
    match module.attrs.get("a") {
        Some(Attr::Dense(d)) => Ok(d.clone()),
        other => panic!("{other:?}"),
    }
}

fn error(text: &str) -> Diagnostic {
    modules(text).expect_err(text)
}

#[test]
fn constants_decode_to_their_values() {
    let same = |literal: &str, value: Tensor| {
        let d = dense(literal).unwrap();
        assert!(!d.splat, "{literal}");
        assert_eq!(d.value, value, "{literal}");
    };
    same("dense<[[1, 2], [-3, 0xFF]]> : tensor<2x2xi32>", Tensor::from_slice(&[2, 2], &[1, 2, -3, 255]));
    same("dense<\"0x0100000002000000\"> : tensor<2xi32>", Tensor::from_slice(&[2], &[1, 2]));
    same("dense<[255, -128, 127]> : tensor<3xi8>", Tensor::from_slice(&[3], &[-1i8, -128, 127]));
    same("dense<[7, 15, -8]> : tensor<3xi4>", Tensor::from_slice_as(E::S4, &[3], &[7i8, -1, -8]));
    same("dense<\"0x070F08\"> : tensor<3xi4>", Tensor::from_slice_as(E::S4, &[3], &[7i8, -1, -8]));
    same("dense<18446744073709551615> : tensor<ui64>", Tensor::scalar(u64::MAX));
    same("dense<[true, false, 1]> : tensor<3xi1>", Tensor::from_slice_as(E::Pred, &[3], &[1u8, 0, 1]));
    same(
        "dense<[1.5, 0x7F800000, -2.0e-1]> : tensor<3xf32>",
        Tensor::from_slice(&[3], &[1.5, f32::INFINITY, -0.2]),
    );
    same("dense<0xFF80> : tensor<bf16>", Tensor::scalar(half::bf16::NEG_INFINITY));
    same(
        "dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>",
        Tensor::from_slice(&[1], &[num_complex::Complex::new(1.0f32, -2.0)]),
    );
    same("dense<[[], []]> : tensor<2x0xf32>", Tensor::from_slice::<f32>(&[2, 0], &[]));
    same("dense<> : tensor<0xi64>", Tensor::from_slice::<i64>(&[0], &[]));
    // `i1` in hexadecimal: a byte an element, or (before 2026) eight to a byte.
    let flags: Vec<u8> = (0..10).map(|i| u8::from(i % 3 == 0)).collect();
    same("dense<\"0x01000001000001000001\"> : tensor<10xi1>", Tensor::from_slice_as(E::Pred, &[10], &flags));
    same("dense<\"0x4902\"> : tensor<10xi1>", Tensor::from_slice_as(E::Pred, &[10], &flags));
}

#[test]
fn a_splat_stays_one_element() {
    for literal in ["dense<1.5> : tensor<1000000000xf32>", "dense<\"0x0000C03F\"> : tensor<1000000x7xf32>"] {
        let d = dense(literal).unwrap();
        assert!(d.splat);
        assert_eq!(d.value, Tensor::scalar(1.5f32));
    }
}

#[test]
fn constants_of_another_size_or_type_are_errors() {
    for (literal, message) in [
        ("dense<[1, 2]> : tensor<3xi32>", "expected `,`: dimension 0 has 3 elements, and this list 2"),
        ("dense<[1, 2, 3]> : tensor<2xi32>", "expected `]`: dimension 0 has 2 elements"),
        ("dense<[[1], [2]]> : tensor<1x2xi32>", "expected `,`: dimension 1 has 2 elements"),
        ("dense<\"0x0102\"> : tensor<3xi8>", "the constant has 2 bytes, and 3 elements of i8 are 3 bytes"),
        ("dense<\"0x01G2\"> : tensor<2xi8>", "`G` is not a hexadecimal digit"),
        ("dense<256> : tensor<i8>", "expected an integer that fits i8, found `256`"),
        ("dense<-1> : tensor<ui8>", "expected an integer that fits ui8, found `-1`"),
        ("dense<1> : tensor<f32>", "expected a number of type f32"),
        ("dense<1.0> : tensor<?xf32>", "a constant needs a static shape"),
        ("dense<[1, 2]> : tensor<1000000000000xi32>", "too short for the 1000000000000 elements"),
        ("dense_resource<x> : tensor<2xi32>", "the resource `x` is not in the file"),
    ] {
        let e = dense(literal).expect_err(literal);
        assert!(e.message().contains(message), "{literal}: {}", e.message());
        assert!(e.span().is_some(), "{literal}");
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    let body =
        |op: &str| format!("func.func @f(%a: tensor<2xf32>, %b: tensor<2xi32>) {{\n  {op}\n  return\n}}");
    for (op, message, place) in [
        ("%0 = stablehlo.abs %7 : tensor<2xf32>", "unknown value `%7`", "%7"),
        ("%0 = stablehlo.abs %a#1 : tensor<2xf32>", "`%a#1` has 1 results", "%a#1"),
        ("%a = stablehlo.abs %a : tensor<2xf32>", "the value `%a` is defined twice", "%a"),
        (
            "%0 = stablehlo.abs %b : tensor<2xf32>",
            "`%b` is a tensor<2xi32>, and is used as a tensor<2xf32>",
            "%b",
        ),
        ("%0 = stablehlo.abs %a tensor<2xf32>", "expected `:`, found `tensor`", "tensor"),
        ("%0 = stablehlo.abz %a : tensor<2xf32>", "no operation is named `stablehlo.abz`", "stablehlo.abz"),
        ("%0 = vhlo.add_v9 %a : tensor<2xf32>", "no operation is named `vhlo.add_v9`", "vhlo.add_v9"),
        ("%0:2 = stablehlo.abs %a : tensor<2xf32>", "has 1 results, and 2 are named", "%0"),
        ("%0 = stablehlo.abs %a : tensor<2xf32> loc(#nowhere)", "unknown alias `#nowhere`", "#nowhere"),
        (
            "%0 = stablehlo.sort %a : tensor<2xf32>",
            "stablehlo.sort has no syntax of its own",
            "stablehlo.sort",
        ),
    ] {
        let text = body(op);
        let e = error(&text);
        // A result's number belongs to the use, not to the name in the message.
        let wanted = message.replace("%a#1", "%a");
        assert!(e.message().contains(&wanted), "{op}: {}", e.message());
        let span = e.span().expect(op);
        assert_eq!(&text[span.start as usize..span.end as usize], place, "{op}");
    }
}

#[test]
fn locations_resolve_even_when_defined_later() {
    let text = r##"
func.func @f(%a: tensor<f32> loc("a")) -> tensor<f32> {
  %0 = stablehlo.abs %a : tensor<f32> loc(#loc2)
  return %0 : tensor<f32>
} loc(#loc)
#loc = loc("model.py":10:4)
#loc1 = loc("caller.py":7:1 to 8:2)
#loc2 = loc(callsite("abs"(#loc) at #loc1))
"##;
    let module = modules(text).unwrap().remove(0);
    let f = &module.functions[0];
    assert_eq!(f.ops[0].loc.to_string(), "model.py:10:4 (abs)");
    assert_eq!(f.loc.to_string(), "model.py:10:4");
    assert_eq!(f.values[0].loc.to_string(), "a");
}

#[test]
fn locations_of_any_depth_are_read_and_written() {
    // As a printer writes the call stack of a deeply nested program: the callers first.
    let levels = 3000;
    let mut text = String::from(
        "func.func @main(%arg0: tensor<f32>) -> tensor<f32> { return %arg0 : tensor<f32> loc(#l) } loc(#l)\n\
         #f0 = loc(\"main.py\":1:1)\n#s0 = loc(fused[#f0, #f0])\n",
    );
    for i in 1..=levels {
        let before = i - 1;
        text +=
            &format!("#f{i} = loc(\"loop\"(\"a.py\":{i}:2))\n#s{i} = loc(callsite(#f{i} at #s{before}))\n");
    }
    text += &format!("#l = loc(\"add\"(#s{levels}))\n");
    let module = modules(&text).unwrap().remove(0);
    assert_eq!(module.functions[0].loc.to_string(), "a.py:3000:2 (add)");
    for form in [Form::Direct, Form::Portable(Version::NEWEST)] {
        let bytes = encode(&module, form).unwrap().to_bytes();
        let back = frontend::parse(&Source::from_bytes("deep.mlirbc", bytes)).unwrap().remove(0);
        same(&module, &back).unwrap();
    }
}

#[test]
fn a_compact_reduce_has_the_body_it_abbreviates() {
    let text = "func.func @f(%a: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}";
    let module = modules(text).unwrap().remove(0);
    let f = &module.functions[0];
    let reduce = f.ops.iter().find(|op| matches!(op.op, Op::Reduce { .. })).unwrap();
    let region = f.region(reduce.regions[0]);
    assert_eq!(region.args.len(), 2);
    let add = f.op(region.ops[0]);
    assert_eq!(add.name(), "stablehlo.add");
    assert_eq!(&add.operands[..], &region.args[..]);
    assert_eq!(region.results, [add.results[0]]);
}

#[test]
fn chunks_and_encodings() {
    let text =
        "func.func @f() { return }\n// -----\n// only a comment\n// -----\nfunc.func @f() { return }\n";
    let source = Source::from_bytes("t", text);
    assert_eq!(frontend::parse(&source).unwrap().len(), 2);
    let whole =
        frontend::parse_with(&source, &ParseOptions { split_input: false, ..ParseOptions::default() });
    assert!(whole.unwrap_err().message().contains("`@f` is defined twice"));
    assert_eq!(modules("// nothing\n").unwrap(), [Module::default()]);
    for bytes in [&b"PK\x03\x04"[..], b"\x1c\0\0\0TFL3"] {
        let e = frontend::parse(&Source::from_bytes("t", bytes)).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Unsupported);
        assert!(e.help_text().is_some());
    }
}

#[test]
fn strings_keep_bytes_that_are_not_text() {
    let module = modules(r#"module attributes {a = "\FFx\0A\E2\86\92"} {}"#).unwrap().remove(0);
    let Some(Attr::String(text)) = module.attrs.get("a") else { panic!() };
    assert_eq!(sim_core::ir::attr::bytes_of_text(text), b"\xffx\n\xe2\x86\x92");
}

#[test]
fn a_definition_that_is_repeated_within_a_line_is_refused() {
    // Reading went back to the first one, for ever.
    let e = error("#a = 1 : i32\nmodule {} #a = 2 : i32\n");
    assert!(e.message().contains("`#a` is defined twice"), "{}", e.message());
}

#[test]
fn control_characters_in_attributes_kept_as_text_are_refused() {
    let padding = "// x\n".repeat(2000);
    let e = error(&format!("{padding}module attributes {{a = #foo.bar<x\0y>}} {{}}"));
    assert_eq!(e.message(), "a control character");
}

#[test]
fn accuracies_that_are_no_numbers_equal_themselves() {
    let text = "module attributes {a = #stablehlo.result_accuracy<atol = 1.0, rtol = 0x7FF8000000000001, \
                ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} {}";
    let one = modules(text).unwrap().remove(0);
    assert_eq!(sim_core::ir::same(&one, &one.clone()), Ok(()));
    let other = modules(&text.replace("ulps = 2", "ulps = 3")).unwrap().remove(0);
    assert!(sim_core::ir::same(&one, &other).is_err());
}
