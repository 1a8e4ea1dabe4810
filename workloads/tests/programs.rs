//! The text of every kind of program reads as StableHLO, and its name says what it is.

use backend::frontend::{Source, parse};
use std::collections::BTreeSet;
use workloads::program::{self, Attention, Chained, Model, Program, Read, Unary};
use workloads::stablehlo::{Element, array};

fn all() -> Vec<Program> {
    let mkn = [8, 256, 128];
    let vector = array(&[1024], Element::Bf16);
    let matrix = array(&[16, 128], Element::F16);
    let mut all = vec![
        program::masked_product(Element::Bf16, mkn),
        program::product_relu(Element::F32, mkn),
        program::product_in_f32(Element::F8E4M3, mkn),
        program::product(Element::Bf16, mkn).with_scoped_vmem(65536),
        program::product(Element::F16, mkn).with_operands_on_chip(),
        program::chained_product(Element::Bf16, mkn, 16),
        program::add_one(&array(&[16, 128], Element::I32)),
        program::scale(&vector),
        program::triad(&vector),
        program::copy(&vector),
        program::rms_norm(&array(&[2, 8, 128], Element::Bf16)),
        program::layer_norm(&array(&[2, 8, 128], Element::F16)),
        program::gather(&array(&[64, 128], Element::I32), 256),
        program::dense_attention(Element::Bf16, [2, 64, 8, 2, 128], 8),
    ];
    for element in [Element::Bf16, Element::F16, Element::F32, Element::I8, Element::F8E5M2] {
        all.push(program::product(element, mkn));
    }
    for op in [Unary::Exp, Unary::Rsqrt, Unary::Silu, Unary::Tanh, Unary::Sigmoid, Unary::Relu] {
        all.push(program::map(op, &vector));
    }
    for op in ["add", "multiply", "subtract", "divide"] {
        all.push(program::add(op, &matrix));
    }
    for what in [Chained::Add, Chained::Exp, Chained::Read] {
        all.push(program::chained(what, &vector, 64));
    }
    for how in [Read::Contiguous, Read::Sequential, Read::Table] {
        all.push(program::read_cache(how, Element::Bf16, [2, 64, 2, 128, 16], 8));
    }
    for name in ["Qwen3-8B", "Mistral-7B"] {
        let mut model = Model::named(name).unwrap();
        (model.hidden, model.inner, model.heads, model.kv_heads) = (256, 512, 4, 2);
        all.push(program::mlp(&model, 16, 2));
        all.push(program::head(&model, 8));
        all.push(program::layers(&model, 32, 2, Attention::None));
        all.push(program::layers(&model, 64, 1, Attention::Prefill { length: 32 }));
        all.push(program::layers(&model, 16, 2, Attention::Decode { sequences: 8, cached: 64 }));
        all.push(program::layers(&model, 16, 1, Attention::Decode { sequences: 16, cached: 64 }));
    }
    all
}

#[test]
fn every_program_reads() {
    for p in all() {
        let source = Source::from_bytes(&format!("{}.mlir", p.name), p.stablehlo.as_str());
        match parse(&source) {
            Ok(modules) => assert_eq!(modules.len(), 1, "{}", p.name),
            Err(e) => panic!("{}: {e}\n{}", p.name, p.stablehlo),
        }
    }
}

#[test]
fn names_are_files_and_no_two_programs_share_one() {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for p in all() {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
        assert!(p.name.chars().all(fits), "{}", p.name);
        if texts.insert((p.stablehlo.clone(), p.options.clone())) {
            assert!(seen.insert(p.name.clone()), "{} twice", p.name);
        }
    }
}

#[test]
fn a_chain_is_a_loop_over_what_it_carries() {
    let text = program::chained_product(Element::Bf16, [8, 256, 128], 16).stablehlo;
    assert!(text.contains("stablehlo.while"), "{text}");
    assert!(text.contains("dense<16> : tensor<i32>"), "{text}");
    // The weights come before the counter, as JAX has it, and the counter before the carry.
    let types = text.lines().find(|l| l.contains("stablehlo.while")).unwrap();
    assert!(types.ends_with(": tensor<256x128xbf16>, tensor<i32>, tensor<8x256xbf16>"), "{types}");
}
