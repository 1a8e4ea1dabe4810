//! Damaged texts: truncated, with bytes flipped, with pieces of other files spliced in. Whatever
//! they are, reading them gives modules or an error: never a panic, and never memory out of
//! proportion (the test runs in one process with everything else, so it would show).
//!
//! `TPUSIM_MUTATIONS` says how many to try; the default keeps the test short.

use backend::frontend::{self, Source};
use std::path::{Path, PathBuf};

/// Texts that use every construct, so the test works without the shared collections.
const SEEDS: [&str; 4] = [
    r#"#loc = loc("a.py":1:2)
#loc1 = loc(callsite(#loc at fused<"m">["x"(#loc), unknown]))
!t = tensor<2x?xf32, #stablehlo.bounds<?, 4>>
module @m attributes {a.b = [1, -2 : i8, 0x7F800000 : f32, true, unit], c = {d = #foo.bar<"x" -> [1]>}} {
  sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
  func.func public @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>} loc(#loc1), %arg1: !t) -> (tensor<f32> {r}, tensor<4xcomplex<f32>>) {
    %c = stablehlo.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>
    %h = stablehlo.constant dense<"0x0000803F000000400000404000008040"> : tensor<4xf32>
    %z = stablehlo.constant dense<(1.0, -2.5e-3)> : tensor<4xcomplex<f32>> loc(#loc)
    %r = stablehlo.constant dense_resource<blob> : tensor<2xi32>
    %q = stablehlo.constant dense<2> : tensor<3x!quant.uniform<i8<-100:100>:f32:0, {0.1:1, 2.0, 3.5:-3}>>
    %i = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %i) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.reduce(%h init: %i) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%x: tensor<f32>, %y: tensor<f32>) {
      %5 = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }
    %2:2 = stablehlo.while(%a = %0, %b = %c) : tensor<f32>, tensor<2x2xi8> attributes {k = "v\22\0A"} cond {
      %5 = stablehlo.compare LT, %a, %i, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = stablehlo.add %a, %a : tensor<f32>
      stablehlo.return %5, %b : tensor<f32>, tensor<2x2xi8>
    }
    %3 = stablehlo.slice %arg0 [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
    %4:2 = "stablehlo.sort"(%arg0, %h) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>):
      %5 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) {mhlo.x = array<i64: 1, 2>} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return %2#0, %z : tensor<f32>, tensor<4xcomplex<f32>>
  }
}
{-# dialect_resources: { builtin: { blob: "0x040000000100000002000000" } } #-}
"#,
    r#"func.func @f(%a: tensor<1x8x8x207xf32>, %b: tensor<3x3x207x16xf32>) -> tensor<1x8x8x16xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<1x8x8x207xf32>, tensor<3x3x207x16xf32>) -> tensor<1x8x8x16xf32>
  return %0 : tensor<1x8x8x16xf32>
}
// -----
func.func @g(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "stablehlo.gather"(%0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %1 : tensor<2x4xf32>
}
"#,
    r#""builtin.module"() <{sym_name = "x"}> ({
  "func.func"() <{function_type = (tensor<2xi32>) -> tensor<2xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi32>):
    %0 = "stablehlo.custom_call"(%arg0) <{call_target_name = "t", operand_layouts = [dense<0> : tensor<1xindex>], backend_config = {a = 1 : i32}}> : (tensor<2xi32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) : () -> ()
}) {m.a = affine_map<(d0) -> (d0)>} : () -> ()
"#,
    r#"func.func @s(%arg0: tensor<8x2xi32>) -> tensor<8x2xi32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {?}p1], replicated={"b":(1)2}>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<4x2xi32>) {
    %1 = sdy.all_gather [{}, {"x"}] %arg1 out_sharding=<@mesh, [{"y"}, {}]> : tensor<4x2xi32>
    sdy.return %1 : tensor<4x2xi32>
  } : (tensor<8x2xi32>) -> tensor<8x2xi32>
  %t:2 = chlo.top_k(%0, k = 1) : tensor<8x2xi32> -> (tensor<8x1xi32>, tensor<8x1xi32>)
  check.expect_eq_const %t#0, dense<1> : tensor<8x1xi32>
  return %0 : tensor<8x2xi32>
}
"#,
];

/// xorshift64*: the same texts on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

const TOKENS: [&str; 40] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ",",
    ":",
    "=",
    "->",
    "%0",
    "%0#1",
    "#loc",
    "!t",
    "^bb0",
    "@main",
    "\"",
    "0x",
    "-",
    "99999999999999999999",
    "1.0",
    "dense<",
    "tensor<",
    "loc(",
    "4294967296x",
    "?x",
    "true",
    "array<i64:",
    "{-#",
    "#-}",
    "\n",
    "//",
    "affine_map<",
    "dense_resource<a>",
    "tuple<",
    "!quant.uniform<",
    "\u{e9}",
    "-9223372036854775808",
];

fn mutate(r: &mut Random, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..1 + r.below(4) {
        let at = r.below(bytes.len() + 1);
        match r.below(7) {
            0 => bytes.truncate(at),
            1 if !bytes.is_empty() => {
                let at = at.min(bytes.len() - 1);
                bytes[at] ^= 1 << r.below(7);
            }
            2 => {
                let token = TOKENS[r.below(TOKENS.len())];
                bytes.splice(at..at, token.bytes());
            }
            3 => {
                let end = (at + r.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 if !other.is_empty() => {
                let from = r.below(other.len());
                let to = (from + r.below(200)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            5 => {
                let end = (at + r.below(30)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = r.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            _ => {
                let n = 1 + r.below(600);
                let token = TOKENS[r.below(TOKENS.len())];
                bytes.splice(at..at, token.bytes().cycle().take(n * token.len()));
            }
        }
    }
    bytes
}

fn samples(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let small = entry.metadata().is_ok_and(|m| m.len() < 60_000);
        if path.is_dir() {
            samples(&path, files);
        } else if small && path.extension().is_some_and(|e| e == "mlir") {
            files.push(path);
        }
    }
}

#[test]
fn the_seeds_parse() {
    for text in SEEDS {
        let source = Source::from_bytes("seed", text);
        if let Err(e) = frontend::parse(&source) {
            let (line, col) = source.line_col(e.span().map_or(0, |s| s.start));
            panic!("{line}:{col}: {e}");
        }
    }
}

#[test]
fn damaged_texts_are_errors_at_worst() {
    let count: usize = std::env::var("TPUSIM_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(4000);
    let shared = std::env::var_os("TPUSIM_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let mut files = Vec::new();
    samples(&shared, &mut files);
    files.sort();
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    let mut texts: Vec<Vec<u8>> = SEEDS.iter().map(|s| s.as_bytes().to_vec()).collect();
    for _ in 0..(count / 20).min(files.len()) {
        let path = &files[r.below(files.len())];
        texts.push(std::fs::read(path).unwrap_or_default());
    }
    let mut parsed = 0;
    for i in 0..count {
        // The seeds are small and dense: half of the work goes to them.
        let pick = |r: &mut Random| if r.below(2) == 0 { r.below(SEEDS.len()) } else { r.below(texts.len()) };
        let (a, b) = (pick(&mut r), pick(&mut r));
        let damaged = mutate(&mut r, &texts[a], &texts[b]);
        let kept = damaged.clone();
        let result = std::panic::catch_unwind(|| {
            let source = Source::from_bytes("damaged", damaged);
            match frontend::parse(&source) {
                Ok(_) => true,
                Err(e) => {
                    let at = e.span().map_or(0, |s| s.start);
                    source.line_col(at);
                    source.line_text(at);
                    assert!(!e.to_string().is_empty());
                    false
                }
            }
        });
        match result {
            Ok(ok) => parsed += usize::from(ok),
            Err(_) => panic!("mutation {i} panicked:\n{}", String::from_utf8_lossy(&kept)),
        }
    }
    eprintln!("{count} damaged texts, {parsed} of them still parse");
}

#[test]
fn depth_and_size_are_limited() {
    let deep = |open: &str, middle: &str, close: &str, n: usize| {
        format!("{}{middle}{}", open.repeat(n), close.repeat(n))
    };
    let in_attr = |value: String| format!("module attributes {{a = {value}}} {{}}");
    let body = |op: String| format!("func.func @f(%a: tensor<i1>) {{\n{op}\nreturn\n}}");
    let n = 100_000;
    let mut texts = vec![
        in_attr(deep("[", "1", "]", n)),
        in_attr(deep("{a = ", "1", "}", n)),
        in_attr(deep("tuple<", "i32", ">", n)),
        in_attr(deep("complex<", "f32", ">", n)),
        in_attr(deep("() -> (", "i32", ")", n)),
        in_attr(deep("#foo.bar<[", "1", "]>", n)),
        in_attr(deep("loc(callsite(", "unknown", " at unknown))", n)),
        in_attr(deep("loc(\"a\"(", "unknown", "))", n)),
        in_attr(format!("dense<{}> : tensor<1xi32>", deep("[", "1", "]", n))),
        in_attr("dense<[1, 2]> : tensor<1000000000000xi32>".to_owned()),
        in_attr("dense<[[1, 2]]> : tensor<1000000000000x1000000000000xi32>".to_owned()),
        in_attr("dense<> : tensor<9223372036854775807x9223372036854775807x0xi32>".to_owned()),
        in_attr("dense<\"0x0001\"> : tensor<9223372036854775807xi8>".to_owned()),
        deep("module { ", "", "}", n),
        body(deep("\"stablehlo.if\"(%a) ({", "stablehlo.return", "}) : (tensor<i1>) -> ()", n)),
        body(deep("%b:1 = \"stablehlo.case\"(%a) ({", "", "})", n)),
        body(format!("%b:{} = stablehlo.abs %a : tensor<i1>", u64::MAX)),
    ];
    // A chain of aliases, and a doubling one.
    let mut chain = String::from("!t0 = i32\n#a0 = 1\n#loc0 = loc(unknown)\n#v0 = #x.y<1>\n");
    for i in 1..5000 {
        let p = i - 1;
        chain +=
            &format!("!t{i} = tuple<!t{p}, !t{p}>\n#a{i} = [#a{p}, #a{p}]\n#loc{i} = loc(\"n\"(#loc{p}))\n");
        chain += &format!("#v{i} = #x.y<#v{p}, #v{p}>\n");
    }
    for last in ["!t4999", "#a4999", "loc(#loc4999)", "#v4999", "!t60", "#a60", "#v60"] {
        texts.push(format!("{chain}module attributes {{a = {last}}} {{}}"));
    }
    for text in texts {
        let start: String = text.chars().take(60).collect();
        let parsed = frontend::parse(&Source::from_bytes("deep", text)).map(|modules| modules.len());
        let e = parsed.expect_err(&start);
        assert!(e.to_string().len() < 2000, "{start}: {e}");
    }
}
