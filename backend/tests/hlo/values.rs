//! What HLO's operations compute, beyond what they share with StableHLO.

use super::shared;
use backend::frontend::{Source, parse};
use backend::npy::Archive;
use backend::runtime::{Executable, RunOptions, Value};
use sim_core::{Ctx, Numerics, Tensor};
use std::sync::Arc;

/// Runs the entry of an HLO text.
fn run(text: &str, inputs: Vec<Tensor>) -> Vec<Tensor> {
    let mut modules =
        parse(&Source::from_bytes("test.hlo", text.as_bytes())).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let module = Arc::new(modules.remove(0));
    sim_core::ir::verify::verify_module(&module).unwrap_or_else(|e| panic!("{e}\n{text}\n{module}"));
    let options = RunOptions { numerics: Numerics::ieee(), ..RunOptions::default() };
    let ctx = Ctx::new(Numerics::ieee(), 1 << 30);
    let exe = Executable::new(module, options).unwrap();
    let inputs = inputs.into_iter().map(Value::Tensor).collect();
    let results = exe.run_values(&ctx, inputs).unwrap_or_else(|e| panic!("{e}\n{text}"));
    results
        .into_iter()
        .filter_map(|v| match v {
            Value::Tensor(t) => Some(t),
            _ => None,
        })
        .collect()
}

/// An entry whose instructions are `body`, behind other computations.
fn module(before: &str, body: &str) -> String {
    format!("HloModule m\n\n{before}\n\nENTRY e {{\n{body}\n}}\n")
}

fn ramp(shape: &[usize]) -> Tensor {
    let n: usize = shape.iter().product();
    let values: Vec<f32> = (0..n).map(|i| ((i * 7) % 11) as f32 - 4.0).collect();
    Tensor::from_slice(shape, &values)
}

#[test]
fn recorded_programs_give_what_xla_gave() {
    let Some(shared) = shared() else {
        return eprintln!("SKIPPED golden HLO: no ../shared (set TPUSIM_SHARED)");
    };
    let ctx = Ctx::new(Numerics::ieee(), 1 << 30);
    let mut count = 0;
    for entry in std::fs::read_dir(shared.join("hlo/runner")).unwrap().flatten() {
        let path = entry.path();
        let golden = path.with_extension("hlo.golden.npz");
        if !golden.exists() {
            continue;
        }
        let mut archive = Archive::open(&golden).unwrap();
        let mut read = |prefix: &str| {
            let found: Vec<(usize, sim_core::ElementType)> = archive
                .entries()
                .iter()
                .enumerate()
                .filter(|(_, e)| e.name.starts_with(prefix))
                .map(|(i, e)| (i, e.header.descr.element().unwrap()))
                .collect();
            found.into_iter().map(|(i, e)| archive.read(i, e, &ctx).unwrap()).collect::<Vec<_>>()
        };
        let (inputs, expected) = (read("in"), read("out"));
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(run(&text, inputs), expected, "{}", path.display());
        count += 1;
    }
    assert!(count >= 3, "{count} recordings only");
}

#[test]
fn a_bitcast_keeps_the_order_of_memory() {
    // Column-major 2x3 read as row-major 6: by columns.
    let text = module("", " p = f32[2,3]{0,1} parameter(0)\n ROOT b = f32[6]{0} bitcast(p)");
    let got = run(&text, vec![Tensor::from_slice(&[2, 3], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0])]);
    assert_eq!(got, [Tensor::from_slice(&[6], &[1f32, 4.0, 2.0, 5.0, 3.0, 6.0])]);
    // And back, with tiles that change nothing.
    let text =
        module("", " p = f32[6]{0:T(256)} parameter(0)\n ROOT b = f32[2,3]{0,1:T(8,128)S(1)} bitcast(p)");
    let got = run(&text, vec![Tensor::from_slice(&[6], &[1f32, 4.0, 2.0, 5.0, 3.0, 6.0])]);
    assert_eq!(got, [Tensor::from_slice(&[2, 3], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0])]);
    // Another type of the same width.
    let text = module("", " p = f32[2]{0} parameter(0)\n ROOT b = u32[2]{0} bitcast(p)");
    let got = run(&text, vec![Tensor::from_slice(&[2], &[1f32, -2.0])]);
    assert_eq!(got, [Tensor::from_slice(&[2], &[0x3f80_0000u32, 0xc000_0000])]);
}

#[test]
fn tuples_come_apart_and_loops_carry_their_elements() {
    let before = "cond { s = (s32[], (f32[2], s32[])) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n \
                  t = (f32[2], s32[]) get-tuple-element(s), index=1\n n = s32[] get-tuple-element(t), index=1\n \
                  ROOT lt = pred[] compare(i, n), direction=LT }\n\
                  body { s = (s32[], (f32[2], s32[])) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n \
                  one = s32[] constant(1)\n j = s32[] add(i, one)\n t = (f32[2], s32[]) get-tuple-element(s), index=1\n \
                  x = f32[2] get-tuple-element(t), index=0\n n = s32[] get-tuple-element(t), index=1\n \
                  y = f32[2] add(x, x)\n u = (f32[2], s32[]) tuple(y, n)\n ROOT r = (s32[], (f32[2], s32[])) tuple(j, u) }";
    let body = " x = f32[2] parameter(0)\n zero = s32[] constant(0)\n n = s32[] constant(5)\n \
                t = (f32[2], s32[]) tuple(x, n)\n s = (s32[], (f32[2], s32[])) tuple(zero, t)\n \
                w = (s32[], (f32[2], s32[])) while(s), condition=cond, body=body\n \
                u = (f32[2], s32[]) get-tuple-element(w), index=1\n ROOT r = f32[2] get-tuple-element(u), index=0";
    let got = run(&module(before, body), vec![Tensor::from_slice(&[2], &[1f32, 3.0])]);
    assert_eq!(got, [Tensor::from_slice(&[2], &[32f32, 96.0])]);
}

#[test]
fn branches_are_chosen_by_truth_or_number() {
    let before = "f { p = f32[] parameter(0)\n ROOT r = f32[] negate(p) }\n\
                  g { p = f32[] parameter(0)\n ROOT r = f32[] add(p, p) }\n\
                  h { p = f32[] parameter(0)\n ROOT r = f32[] multiply(p, p) }";
    let by_pred = " c = pred[] parameter(0)\n x = f32[] parameter(1)\n \
                   ROOT r = f32[] conditional(c, x, x), true_computation=f, false_computation=h";
    let by_number = " c = s32[] parameter(0)\n x = f32[] parameter(1)\n \
                     ROOT r = f32[] conditional(c, x, x, x), branch_computations={f, g, h}";
    let pred = |v: u8| Tensor::from_slice_as(sim_core::ElementType::Pred, &[], &[v]);
    for (selector, text, want) in [
        (pred(1), by_pred, -3f32),
        (pred(0), by_pred, 9.0),
        (Tensor::scalar(1i32), by_number, 6.0),
        (Tensor::scalar(7i32), by_number, 9.0),
        (Tensor::scalar(-1i32), by_number, 9.0),
    ] {
        let got = run(&module(before, text), vec![selector, Tensor::scalar(3f32)]);
        assert_eq!(got, [Tensor::scalar(want)], "{text}");
    }
}

#[test]
fn asynchronous_operations_give_their_results_when_done() {
    let before = "w { p = f32[4] parameter(0)\n ROOT n = f32[4] negate(p) }";
    let body = " p = f32[4]{0} parameter(0)\n \
                s = ((f32[4]), f32[2]{0}, u32[]{:S(2)}) slice-start(p), slice={[1:3]}\n d = f32[2] slice-done(s)\n \
                c = (f32[4]{0:S(1)}, f32[4], u32[]{:S(2)}) copy-start(p)\n e = f32[4]{0:S(1)} copy-done(c)\n \
                a = ((f32[4]), f32[4], u32[]) async-start(e), calls=w\n u = ((f32[4]), f32[4], u32[]) async-update(a)\n \
                b = f32[4] async-done(u)\n k = ((f32[4]), f32[4], s32[]) call-start(e), to_apply=w\n \
                l = f32[4] call-done(k)\n ROOT r = (f32[2], f32[4], f32[4]) tuple(d, b, l)";
    let got = run(&module(before, body), vec![Tensor::from_slice(&[4], &[1f32, 2.0, 3.0, 4.0])]);
    let negated = Tensor::from_slice(&[4], &[-1f32, -2.0, -3.0, -4.0]);
    assert_eq!(got, [Tensor::from_slice(&[2], &[2f32, 3.0]), negated.clone(), negated]);
}

#[test]
fn halves_of_sixty_four_bits_make_a_whole() {
    let body = " p = s64[3] parameter(0)\n \
                l = u32[3] custom-call(p), custom_call_target=\"X64SplitLow\"\n \
                h = u32[3] custom-call(p), custom_call_target=\"X64SplitHigh\"\n \
                c = s64[3] custom-call(l, h), custom_call_target=\"X64Combine\"\n \
                ROOT r = (u32[3], u32[3], s64[3]) tuple(l, h, c)";
    let p = Tensor::from_slice(&[3], &[-1i64, 0x1_0000_0002, i64::MIN]);
    let got = run(&module("", body), vec![p.clone()]);
    assert_eq!(got[0], Tensor::from_slice(&[3], &[u32::MAX, 2, 0]));
    assert_eq!(got[1], Tensor::from_slice(&[3], &[u32::MAX, 1, 1 << 31]));
    assert_eq!(got[2], p);
}

#[test]
fn pieces_of_a_prefetch_are_put_together() {
    let body = " a = f32[2,2]{0,1} parameter(0)\n b = f32[2,1]{0,1} parameter(1)\n \
                ROOT c = f32[2,3]{0,1} custom-call(a, b), custom_call_target=\"ConcatBitcast\"";
    let a = Tensor::from_slice(&[2, 2], &[1f32, 2.0, 3.0, 4.0]);
    let b = Tensor::from_slice(&[2, 1], &[5f32, 6.0]);
    let got = run(&module("", body), vec![a, b]);
    assert_eq!(got, [Tensor::from_slice(&[2, 3], &[1f32, 2.0, 5.0, 3.0, 4.0, 6.0])]);
}

/// By the definition: every output, every window place, every feature.
fn convolution(lhs: &Tensor, rhs: &Tensor, w: [i64; 6], reversed: bool) -> Vec<f32> {
    // lhs [b, f, x], rhs [i, o, k], out [b, o, y]
    let [size, stride, low, high, base, window] = w;
    let (l, r) = (lhs.as_slice::<f32>(), rhs.as_slice::<f32>());
    let [nb, nf, nx] = lhs.shape() else { panic!() };
    let [_, no, nk] = rhs.shape() else { panic!() };
    let dilated = (*nx as i64 - 1) * base + 1 + low + high;
    let ny = (dilated - ((size - 1) * window + 1)) / stride + 1;
    let mut out = Vec::new();
    for b in 0..*nb {
        for o in 0..*no {
            for y in 0..ny {
                let mut sum = 0f32;
                for k in 0..size {
                    let at = y * stride + k * window - low;
                    if at < 0 || at % base != 0 || at / base >= *nx as i64 {
                        continue;
                    }
                    let k = if reversed { size - 1 - k } else { k } as usize;
                    for f in 0..*nf {
                        sum += l[(b * nf + f) * nx + (at / base) as usize] * r[(f * no + o) * nk + k];
                    }
                }
                out.push(sum);
            }
        }
    }
    out
}

#[test]
fn convolutions_that_are_products_give_what_the_definition_says() {
    // size, stride, low, high, lhs_dilate, rhs_dilate; places of the operand; reversed.
    for (w, places, reversed) in [
        ([4, 3, 0, 0, 4, 1], 4, false), // batch
        ([1, 1, 0, 0, 1, 1], 5, false), // of the left alone
        ([1, 1, 0, 0, 1, 1], 1, false), // one place
        ([5, 1, 0, 0, 1, 1], 5, false), // summed
        ([3, 1, 2, 2, 1, 1], 1, true),  // of the right alone
        ([3, 1, 2, 2, 1, 1], 1, false), // the same, backwards: no product
        ([3, 1, 1, 1, 1, 1], 6, false), // a real convolution
        ([3, 2, 1, 0, 2, 2], 6, true),
        ([2, 1, 0, 0, 2, 1], 2, false), // nearly a batch
        ([3, 2, 0, 0, 3, 1], 3, false), // batch of 3
    ] {
        let [size, stride, low, high, base, window] = w;
        let (lhs, rhs) = (ramp(&[2, 3, places]), ramp(&[3, 4, size as usize]));
        let expected = convolution(&lhs, &rhs, w, reversed);
        let ny = expected.len() / 8;
        // The same in other orders of the dimensions.
        for (labels, order) in
            [("bf0_io0->bf0", [0usize, 1, 2]), ("bf0_io0->0bf", [2, 0, 1]), ("bf0_io0->f0b", [1, 2, 0])]
        {
            let full = [2, 4, ny];
            let shape: Vec<usize> = order.iter().map(|&d| full[d]).collect();
            let text = module(
                "",
                &format!(
                    " l = f32[2,3,{places}] parameter(0)\n r = f32[3,4,{size}] parameter(1)\n \
                     ROOT c = f32[{},{},{}] convolution(l, r), window={{size={size} stride={stride} \
                     pad={low}_{high} lhs_dilate={base} rhs_dilate={window} rhs_reversal={}}}, dim_labels={labels}",
                    shape[0],
                    shape[1],
                    shape[2],
                    i32::from(reversed)
                ),
            );
            let got = run(&text, vec![lhs.clone(), rhs.clone()]);
            let mut want = vec![0f32; expected.len()];
            for (n, v) in expected.iter().enumerate() {
                let index = [n / (4 * ny), n / ny % 4, n % ny];
                let at = (index[order[0]] * shape[1] + index[order[1]]) * shape[2] + index[order[2]];
                want[at] = *v;
            }
            assert_eq!(got, [Tensor::from_slice(&shape, &want)], "{text}");
        }
    }
}

#[test]
fn an_array_is_fetched_as_bytes_with_its_padding() {
    // 3x5 in tiles of 2x4 takes 2x2 tiles of memory. Pieces go where they were cut from.
    let body = " p = f32[3,5]{1,0:T(2,4)} parameter(0)\n b = s8[128]{0:T(64)(16)(4,1)} bitcast(p)\n \
                s = ((s8[128]{0:T(64)(16)(4,1)}), s8[64]{0:T(64)(16)(4,1)}, s32[]) slice-start(b), slice={[64:128]}\n \
                t = ((s8[128]{0:T(64)(16)(4,1)}), s8[64]{0:T(64)(16)(4,1)}, s32[]) slice-start(b), slice={[0:64]}\n \
                x = s8[64]{0:T(64)(16)(4,1)} slice-done(s)\n y = s8[64]{0:T(64)(16)(4,1)} slice-done(t)\n \
                w = f32[32]{0} bitcast(p)\n \
                c = f32[3,5]{1,0:T(2,4)} custom-call(x, y), custom_call_target=\"ConcatBitcast\"\n \
                ROOT r = (f32[3,5], f32[32]) tuple(c, w)";
    let values: Vec<f32> = (1..=15).map(|n| n as f32).collect();
    let p = Tensor::from_slice(&[3, 5], &values);
    let got = run(&module("", body), vec![p.clone()]);
    assert_eq!(got[0], p);
    let memory = [
        [1, 2, 3, 4, 6, 7, 8, 9],
        [5, 0, 0, 0, 10, 0, 0, 0],
        [11, 12, 13, 14, 0, 0, 0, 0],
        [15, 0, 0, 0, 0, 0, 0, 0],
    ];
    assert_eq!(
        got[1],
        Tensor::from_slice(&[32], &memory.concat().iter().map(|&n| n as f32).collect::<Vec<f32>>())
    );
}

#[test]
fn a_program_of_the_sparse_core_gets_its_operands_later() {
    let before = "f { p = f32[4] parameter(0)\n q = f32[4] parameter(1)\n ROOT r = f32[4] subtract(p, q) }";
    let body = " p = f32[4]{0} parameter(0)\n q = f32[4]{0} parameter(1)\n \
                s = ((), (), (s32[8]{0}, s32[0]{0})) custom-call-start(), async_execution_thread=\"sparsecore\", \
                custom_call_target=\"TODO\", called_computations={f}\n \
                u = ((f32[4], f32[4]), f32[4], (s32[8]{0})) custom-call-update(s, p, q), \
                output_to_operand_aliasing={{2,0}: (0, {2,0})}\n ROOT d = f32[4] custom-call-done(u)";
    let (p, q) =
        (Tensor::from_slice(&[4], &[1f32, 2.0, 3.0, 4.0]), Tensor::from_slice(&[4], &[1f32, 1.0, 1.0, 2.0]));
    let got = run(&module(before, body), vec![p, q]);
    assert_eq!(got, [Tensor::from_slice(&[4], &[0f32, 1.0, 2.0, 2.0])]);
    // Of a program without a computation nobody knows what it does.
    let text = module("", &body.replace(", called_computations={f}", ""));
    let e = parse(&Source::from_bytes("test.hlo", text.as_bytes())).unwrap_err();
    assert!(e.message().contains("without a computation"), "{e}");
}

#[test]
fn padding_may_be_of_another_width() {
    let body =
        " p = bf16[2]{0} parameter(0)\n z = f32[] constant(0.5)\n ROOT r = bf16[3]{0} pad(p, z), padding=0_1";
    let of = |values: &[f32]| {
        let values: Vec<half::bf16> = values.iter().map(|&v| half::bf16::from_f32(v)).collect();
        Tensor::from_slice(&[values.len()], &values)
    };
    assert_eq!(run(&module("", body), vec![of(&[1.0, 2.0])]), [of(&[1.0, 2.0, 0.5])]);
}

#[test]
fn the_smallest_come_first() {
    let body = |ty: &str| {
        format!(" p = {ty}[5] parameter(0)\n ROOT r = ({ty}[3], s32[3]) topk(p), k=3, largest=false")
    };
    let got = run(&module("", &body("f32")), vec![Tensor::from_slice(&[5], &[2f32, -1.0, 0.5, -1.0, 9.0])]);
    assert_eq!(got, [Tensor::from_slice(&[3], &[-1f32, -1.0, 0.5]), Tensor::from_slice(&[3], &[1i32, 3, 2])]);
    let got = run(&module("", &body("s8")), vec![Tensor::from_slice(&[5], &[2i8, -128, 127, -1, 0])]);
    assert_eq!(got, [Tensor::from_slice(&[3], &[-128i8, -1, 0]), Tensor::from_slice(&[3], &[1i32, 3, 4])]);
    let got = run(&module("", &body("u8")), vec![Tensor::from_slice(&[5], &[2u8, 128, 127, 255, 0])]);
    assert_eq!(got, [Tensor::from_slice(&[3], &[0u8, 2, 127]), Tensor::from_slice(&[3], &[4i32, 0, 2])]);
}

/// What XLA:CPU gave (JAX 0.12).
#[test]
fn a_stochastic_conversion_rounds_by_the_bits_given() {
    let body =
        " p = f32[8] parameter(0)\n q = u32[8] parameter(1)\n ROOT r = s32[8] stochastic-convert(p, q)";
    let values = [1.5f32, -1.5, 0.25, -0.75, 3e9, -3e9, f32::NAN, f32::INFINITY];
    let bits = [1u32 << 30, 3 << 30, 1 << 29, 1 << 31, 0, 0, 0, 0];
    let got =
        run(&module("", body), vec![Tensor::from_slice(&[8], &values), Tensor::from_slice(&[8], &bits)]);
    assert_eq!(got, [Tensor::from_slice(&[8], &[2i32, -1, 1, -1, i32::MAX, i32::MIN, 0, i32::MAX])]);
}

#[test]
fn the_counter_of_random_numbers_starts_where_xla_starts_it() {
    let body = " a = u64[2] rng-get-and-update-state(), delta=131072\n \
                b = u64[2] rng-get-and-update-state(), delta=5, control-predecessors={a}\n \
                ROOT r = (u64[2], u64[2]) tuple(a, b)";
    for _ in 0..2 {
        let got = run(&module("", body), vec![]);
        let start = 0x0701_2395u64;
        assert_eq!(got, [start, start + 131_072].map(|low| Tensor::from_slice(&[2], &[low, 0])));
    }
}

#[test]
fn scales_cover_blocks_of_a_product() {
    let body = " l = f32[2,4] parameter(0)\n r = f32[4,2] parameter(1)\n s = f32[2,2] parameter(2)\n \
                t = f32[] constant(2)\n ROOT d = f32[2,2] scaled-dot(l, r, s, t), lhs_contracting_dims={1}, \
                rhs_contracting_dims={0}";
    let l = Tensor::from_slice(&[2, 4], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let r = Tensor::from_slice(&[4, 2], &[1f32, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]);
    let s = Tensor::from_slice(&[2, 2], &[1f32, 0.5, 2.0, 4.0]);
    let got = run(&module("", body), vec![l, r, s]);
    // Rows [1, 2, 1.5, 2] and [10, 12, 28, 32], by [[2, 0], [0, 2], [2, 0], [0, 2]].
    assert_eq!(got, [Tensor::from_slice(&[2, 2], &[5f32, 8.0, 76.0, 88.0])]);
}

#[test]
fn a_permutation_in_place_writes_into_a_buffer() {
    let body = " p = f32[2,3] parameter(0)\n o = f32[4,3] parameter(1)\n i = s32[] constant(1)\n z = s32[] constant(0)\n \
                f = (s32[], s32[]) tuple(i, z)\n t = (s32[], s32[]) tuple(z, i)\n \
                ROOT r = f32[4,3] collective-permute(p, o, f, t), source_target_pairs=PAIRS, slice_sizes={{1,2}}";
    let run = |pairs: &str| {
        let inputs = vec![ramp(&[2, 3]), Tensor::from_slice(&[4, 3], &[0f32; 12])];
        run(&module("", &body.replace("PAIRS", pairs)), inputs)
    };
    let mut want = [0f32; 12];
    assert_eq!(run("{}"), [Tensor::from_slice(&[4, 3], &want)]);
    want[1..3].copy_from_slice(&ramp(&[2, 3]).as_slice::<f32>()[3..5]);
    assert_eq!(run("{{0,0}}"), [Tensor::from_slice(&[4, 3], &want)]);
}

#[test]
fn parameters_have_the_names_that_their_metadata_says() {
    let names = |p: &str, q: &str| -> Vec<Option<String>> {
        let text = module(
            "",
            &format!(
                "  a = (f32[2], f32[2]) parameter(0), metadata={{op_name=\"pair\"}}\n  \
                 b = f32[2] parameter(1), metadata={{op_name=\"{p}\"}}\n  \
                 c = f32[2] parameter(2), metadata={{op_name=\"{q}\"}}\n  \
                 ROOT s = f32[2] subtract(b, c)"
            ),
        );
        let modules = parse(&Source::from_bytes("test.hlo", text.as_bytes())).unwrap();
        let entry = modules[0].entry().unwrap();
        let arguments = &entry.region(entry.body.unwrap()).args;
        arguments.iter().map(|&v| entry.value(v).loc.name().map(|n| n.to_string())).collect()
    };
    // The parts of a tuple have no name of their own.
    assert_eq!(names("x", "p['w']"), [None, None, Some("x".to_owned()), Some("p['w']".to_owned())]);
    assert_eq!(names("XLA_Args", "XLA_Args"), [const { None }; 4]);
}

#[test]
fn a_scatter_drops_windows_that_do_not_fit() {
    let add = "add { x = f32[] parameter(0)\n y = f32[] parameter(1)\n ROOT r = f32[] add(x, y) }";
    let operand = Tensor::from_slice(&[4, 3], &[0f32; 12]);
    let update = Tensor::from_slice(&[5, 2, 2], &(1..=20).map(|x| x as f32).collect::<Vec<_>>());
    // Rows 0, 2 and 2 fit; of 3 only the window's first row would; -1 and 255 are outside.
    let run_with = |index_type: &str, indices: Tensor| {
        let body = format!(
            " o = f32[4,3] parameter(0)\n i = {index_type}[5,1] parameter(1)\n u = f32[5,2,2] parameter(2)\n \
             ROOT s = f32[4,3] scatter(o, i, u), update_window_dims={{1,2}}, inserted_window_dims={{}}, \
             scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=add"
        );
        run(&module(add, &body), vec![operand.clone(), indices, update.clone()])
    };
    let want = [1f32, 2.0, 0.0, 3.0, 4.0, 0.0, 22.0, 24.0, 0.0, 26.0, 28.0, 0.0];
    let want = vec![Tensor::from_slice(&[4, 3], &want)];
    assert_eq!(run_with("s32", Tensor::from_slice(&[5, 1], &[0i32, 3, 2, 2, -1])), want);
    assert_eq!(run_with("u8", Tensor::from_slice(&[5, 1], &[0u8, 3, 2, 2, 255])), want);
    // Of several components one outside is enough; the vector is the first dimension here.
    let body = " o = f32[2,3] parameter(0)\n i = s32[2,3] parameter(1)\n u = f32[2,3] parameter(2)\n \
                ROOT s = f32[2,3] scatter(o, i, u), update_window_dims={0}, inserted_window_dims={0}, \
                scatter_dims_to_operand_dims={0,1}, index_vector_dim=0, to_apply=add";
    let inputs = vec![
        Tensor::from_slice(&[2, 3], &[0f32; 6]),
        Tensor::from_slice(&[2, 3], &[0i32, 1, 2, 1, 2, 0]),
        Tensor::from_slice(&[2, 3], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0]),
    ];
    let got = run(&module(add, body), inputs);
    assert_eq!(got, [Tensor::from_slice(&[2, 3], &[0f32, 1.0, 4.0, 0.0, 0.0, 0.0])]);
}

#[test]
fn lower_triangles_are_inverted() {
    let body = " p = f32[2,3,3] parameter(0)\n \
                ROOT r = f32[2,3,3]{1,2,0} custom-call(p), custom_call_target=\"InvertDiagBlocksLowerTriangular\"";
    // What is above the diagonal does not count.
    let given = [2f32, 9.0, 9.0, 1.0, 4.0, 9.0, 0.0, 2.0, 1.0, 1.0, 0.0, 7.0, 0.0, 0.5, 0.0, 3.0, 0.0, 1.0];
    let want =
        [0.5f32, 0.0, 0.0, -0.125, 0.25, 0.0, 0.25, -0.5, 1.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, -3.0, 0.0, 1.0];
    let got = run(&module("", body), vec![Tensor::from_slice(&[2, 3, 3], &given)]);
    assert_eq!(got, [Tensor::from_slice(&[2, 3, 3], &want)]);
}
