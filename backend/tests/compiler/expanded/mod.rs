//! CHLO's functions that the compiler expands: their values are, to the bit, what the kernel of the whole
//! function computes, whatever the numerics.

use backend::compiler;
use backend::frontend::hlo::export::export_as_written;
use backend::frontend::hlo::import::import;
use backend::frontend::{self, ParseOptions, Source, parse};
use backend::runtime::{Executable, RunOptions, Value};
use sim_core::chip::Chip;
use sim_core::ir::Module;
use sim_core::{Ctx, ElementType, Numerics, Tensor};
use std::sync::Arc;

const UNARY: [&str; 10] = [
    "atan",
    "bessel_i1e",
    "digamma",
    "erf_inv",
    "erfc",
    "is_inf",
    "is_neg_inf",
    "is_pos_inf",
    "lgamma",
    "conj",
];
const BINARY: [&str; 3] = ["next_after", "polygamma", "zeta"];

/// Ends, poles, and what lies between.
fn numbers() -> Vec<f64> {
    let mut all =
        vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-40, -1e-40, 1e-30, 3e38, -3e38];
    all.extend((-12..=12).map(|n| f64::from(n) * 0.5));
    all.extend((0..229).map(|n| ((n * 37) % 229 - 114) as f64 * 0.0087));
    all.extend((0..250).map(|n| ((n * 61) % 251 - 125) as f64 * 0.173));
    all.extend([0.9999999, -0.99999994, 0.99999994, 1.0000001]);
    all.truncate(512);
    all
}

fn tensor(element: ElementType, values: &[f64]) -> Tensor {
    match element {
        ElementType::F64 => Tensor::from_slice(&[values.len()], values),
        ElementType::F32 => {
            Tensor::from_slice(&[values.len()], &values.iter().map(|&x| x as f32).collect::<Vec<_>>())
        }
        ElementType::F16 => Tensor::from_slice(
            &[values.len()],
            &values.iter().map(|&x| half::f16::from_f64(x)).collect::<Vec<_>>(),
        ),
        _ => Tensor::from_slice(
            &[values.len()],
            &values.iter().map(|&x| half::bf16::from_f64(x)).collect::<Vec<_>>(),
        ),
    }
}

fn run(module: &Arc<Module>, numerics: Numerics, inputs: Vec<Tensor>) -> Tensor {
    let options = RunOptions { numerics, ..RunOptions::default() };
    let exe = Executable::new(module.clone(), options).expect("a program");
    match exe.run(&Ctx::new(numerics, 1 << 30), inputs).expect("it runs").remove(0) {
        Value::Tensor(t) => t,
        _ => panic!("a tensor"),
    }
}

#[test]
fn expansions_have_the_values_of_the_whole_function() {
    let values = numbers();
    let others: Vec<f64> = values.iter().rev().copied().collect();
    let chip = Chip::named("v6e").expect("a chip");
    let mut wrong = Vec::new();
    for (element, name) in [
        (ElementType::F32, "f32"),
        (ElementType::F64, "f64"),
        (ElementType::BF16, "bf16"),
        (ElementType::F16, "f16"),
    ] {
        for function in UNARY.iter().chain(&BINARY) {
            let ty = format!("tensor<{}x{name}>", values.len());
            let result =
                if function.starts_with("is_") { format!("tensor<{}xi1>", values.len()) } else { ty.clone() };
            let body = if BINARY.contains(function) {
                format!("%r = chlo.{function} %x, %y : {ty}, {ty} -> {result}")
            } else {
                format!("%r = chlo.{function} %x : {ty} -> {result}")
            };
            let text = format!(
                "func.func @main(%x: {ty}, %y: {ty}) -> {result} {{\n{body}\nreturn %r : {result}\n}}"
            );
            let whole = parse(&Source::from_bytes("whole", text)).expect("it reads").remove(0);
            let hlo = compiler::compile(export_as_written(&whole).expect("HLO"), chip, &mut |_, _| {})
                .expect("it compiles");
            let printed = Source::from_bytes("compiled", hlo.to_string());
            let back =
                frontend::parse_hlo(&printed, &ParseOptions::default()).expect("it reads").expect("HLO");
            let expanded = Arc::new(import(&back[0]).expect("the IR"));
            let whole = Arc::new(whole);
            for numerics in [Numerics::ieee(), Numerics::tpu()] {
                let inputs = vec![tensor(element, &values), tensor(element, &others)];
                let (a, b) = (run(&whole, numerics, inputs.clone()), run(&expanded, numerics, inputs));
                let width = a.bytes().len() / values.len();
                let pairs = a.bytes().chunks(width).zip(b.bytes().chunks(width)).enumerate();
                // Any NaN is as good as another.
                let nan = |bytes: &[u8]| match element {
                    _ if width == 1 => false,
                    ElementType::F64 => f64::from_le_bytes(bytes.try_into().unwrap()).is_nan(),
                    ElementType::F32 => f32::from_le_bytes(bytes.try_into().unwrap()).is_nan(),
                    ElementType::F16 => half::f16::from_le_bytes(bytes.try_into().unwrap()).is_nan(),
                    _ => half::bf16::from_le_bytes(bytes.try_into().unwrap()).is_nan(),
                };
                let different =
                    pairs.filter(|(_, (a, b))| a != b && !(nan(a) && nan(b))).map(|(n, _)| values[n]);
                let different: Vec<f64> = different.collect();
                if !different.is_empty() {
                    wrong.push(format!(
                        "{function} of {name}, flushing {}: {} values, first at {}",
                        numerics.flush_subnormals,
                        different.len(),
                        different[0]
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
