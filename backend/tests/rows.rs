//! Chains between products in blocks of rows: the same bits as whole, and the manners of any other
//! step (memory limit, interruption, places of errors).

use backend::frontend::{self, Source};
use backend::plan::steps::Action;
use backend::runtime::{Executable, RunOptions};
use sim_core::{Ctx, ElementType, ErrorKind, Numerics, Tensor};
use std::fmt::Write;
use std::sync::Arc;

/// xorshift64*
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Values about 1, of either sign.
    fn tensor(&mut self, element: ElementType, shape: &[usize]) -> Tensor {
        let n: usize = shape.iter().product();
        let values = (0..n).map(|_| self.below(4001) as f32 / 1000.0 - 2.0);
        match element {
            ElementType::F32 => Tensor::from_slice(shape, &values.collect::<Vec<f32>>()),
            ElementType::BF16 => {
                Tensor::from_slice(shape, &values.map(half::bf16::from_f32).collect::<Vec<_>>())
            }
            ElementType::F16 => {
                Tensor::from_slice(shape, &values.map(half::f16::from_f32).collect::<Vec<_>>())
            }
            other => panic!("no values of {other}"),
        }
    }
}

/// Text of a function under construction.
struct Text {
    lines: String,
    args: Vec<(String, Vec<usize>)>,
    next: usize,
    ty: &'static str,
}

impl Text {
    fn tensor(&self, shape: &[usize], ty: &str) -> String {
        let dims: String = shape.iter().map(|n| format!("{n}x")).collect();
        format!("tensor<{dims}{ty}>")
    }

    fn arg(&mut self, shape: &[usize]) -> String {
        let name = format!("%arg{}", self.args.len());
        self.args.push((name.clone(), shape.to_vec()));
        name
    }

    fn add(&mut self, what: std::fmt::Arguments<'_>) -> String {
        let name = format!("%v{}", self.next);
        self.next += 1;
        writeln!(self.lines, "    {name} = {what}").unwrap();
        name
    }

    fn splat(&mut self, value: &str, shape: &[usize]) -> String {
        let ty = self.ty;
        let c = self.add(format_args!("stablehlo.constant dense<{value}> : tensor<{ty}>"));
        let to = self.tensor(shape, ty);
        self.add(format_args!("stablehlo.broadcast_in_dim {c}, dims = [] : (tensor<{ty}>) -> {to}"))
    }

    /// The elementwise `op` of two.
    fn two(&mut self, op: &str, a: &str, b: &str, shape: &[usize]) -> String {
        let ty = self.tensor(shape, self.ty);
        self.add(format_args!("stablehlo.{op} {a}, {b} : {ty}"))
    }

    fn one(&mut self, op: &str, a: &str, shape: &[usize]) -> String {
        let ty = self.tensor(shape, self.ty);
        self.add(format_args!("stablehlo.{op} {a} : {ty}"))
    }

    /// A reduction over the last dimension, back in `shape`; in f32, if asked.
    fn rows(&mut self, op: &str, init: &str, x: &str, shape: &[usize], wide: bool) -> String {
        let ty = if wide { "f32" } else { self.ty };
        let last = shape.len() - 1;
        let (own, full, small) =
            (self.tensor(shape, self.ty), self.tensor(shape, ty), self.tensor(&shape[..last], ty));
        let mut x = x.to_owned();
        if own != full {
            x = self.add(format_args!("stablehlo.convert {x} : ({own}) -> {full}"));
        }
        let c = self.add(format_args!("stablehlo.constant dense<{init}> : tensor<{ty}>"));
        let mut r = self.add(format_args!(
            "stablehlo.reduce({x} init: {c}) applies stablehlo.{op} across dimensions = [{last}] : ({full}, tensor<{ty}>) -> {small}"
        ));
        let mut kept: Vec<usize> = shape[..last].to_vec();
        kept.push(1);
        let one = self.tensor(&kept, ty);
        r = match self.next % 2 {
            0 => self.add(format_args!("stablehlo.reshape {r} : ({small}) -> {one}")),
            _ => {
                let dims: Vec<usize> = (0..last).collect();
                self.add(format_args!("stablehlo.broadcast_in_dim {r}, dims = {dims:?} : ({small}) -> {one}"))
            }
        };
        let mut from = one;
        if own != full {
            let narrow = self.tensor(&kept, self.ty);
            r = self.add(format_args!("stablehlo.convert {r} : ({from}) -> {narrow}"));
            from = narrow;
        }
        let dims: Vec<usize> = (0..=last).collect();
        self.add(format_args!("stablehlo.broadcast_in_dim {r}, dims = {dims:?} : ({from}) -> {own}"))
    }
}

/// A chain like that of attention.
fn chain(random: &mut Random) -> Text {
    let ty = ["f32", "bf16", "f32", "f16"][random.below(4)];
    let mut t = Text { lines: String::new(), args: Vec::new(), next: 0, ty };
    let batch: Vec<usize> = match random.below(4) {
        0 => vec![],
        1 => vec![1 + random.below(3)],
        2 => vec![2, 1 + random.below(3)],
        _ => vec![1, 2],
    };
    let all: usize = batch.iter().product();
    // At least four blocks of 2^18 elements; few rows or many.
    let (rows, columns) = match random.below(3) {
        0 => (300 + random.below(200), (1 << 20) / 300 / all + 500),
        1 => ((1 << 20) / 300 / all + 500, 300 + random.below(300)),
        _ => (1100 + random.below(300), 1100 / all + random.below(200) + 100),
    };
    let (depth, width) = (1 + random.below(12), 1 + random.below(12));
    let of = |tail: &[usize]| -> Vec<usize> { batch.iter().chain(tail).copied().collect() };
    let n = batch.len();
    let lead: Vec<usize> = (0..n).collect();
    let shape = of(&[rows, columns]);
    let scores = t.tensor(&shape, ty);
    // Products with either operand transposed.
    let (a_shape, a_at) = if random.coin() { (of(&[rows, depth]), n + 1) } else { (of(&[depth, rows]), n) };
    let (b_shape, b_at) =
        if random.coin() { (of(&[columns, depth]), n + 1) } else { (of(&[depth, columns]), n) };
    let (a, b) = (t.arg(&a_shape), t.arg(&b_shape));
    let (a_ty, b_ty) = (t.tensor(&a_shape, ty), t.tensor(&b_shape, ty));
    let mut x = t.add(format_args!(
        "stablehlo.dot_general {a}, {b}, batching_dims = {lead:?} x {lead:?}, contracting_dims = [{a_at}] x [{b_at}], precision = [DEFAULT, DEFAULT] : ({a_ty}, {b_ty}) -> {scores}"
    ));
    let last = shape.len() - 1;
    for _ in 0..1 + random.below(4) {
        x = match random.below(6) {
            0 => {
                let c = t.splat("0.3125", &shape);
                t.two("multiply", &x, &c, &shape)
            }
            1 => t.one("tanh", &x, &shape),
            2 => {
                // A causal mask, of one pattern for the whole batch.
                let index = t.tensor(&[rows, columns], ["i32", "i64", "ui32"][random.below(3)]);
                let i = t.add(format_args!("stablehlo.iota dim = 0 : {index}"));
                let j = t.add(format_args!("stablehlo.iota dim = 1 : {index}"));
                let mask = t.tensor(&[rows, columns], "i1");
                let m = t.add(format_args!("stablehlo.compare GE, {i}, {j} : ({index}, {index}) -> {mask}"));
                let (full, dims) = (t.tensor(&shape, "i1"), [last - 1, last]);
                let m = t.add(format_args!(
                    "stablehlo.broadcast_in_dim {m}, dims = {dims:?} : ({mask}) -> {full}"
                ));
                let low = t.splat("-30.0", &shape);
                t.add(format_args!("stablehlo.select {m}, {x}, {low} : {full}, {scores}"))
            }
            3 => {
                // One value a column, or one a row, from outside.
                let d = last - random.below(2);
                let bias = t.arg(&shape[d..=d]);
                let from = t.tensor(&shape[d..=d], ty);
                let bias = t.add(format_args!(
                    "stablehlo.broadcast_in_dim {bias}, dims = [{d}] : ({from}) -> {scores}"
                ));
                t.two("add", &x, &bias, &shape)
            }
            4 => {
                // A normalization: two readers of one value.
                let squares = t.two("multiply", &x, &x, &shape);
                let wide = random.coin();
                let sum = t.rows("add", "0.0", &squares, &shape, wide);
                let one = t.splat("1.0", &shape);
                let sum = t.two("add", &sum, &one, &shape);
                let scale = t.one("rsqrt", &sum, &shape);
                t.two("multiply", &x, &scale, &shape)
            }
            _ => {
                // Another shape with the same rows, and back.
                let mut other = shape.clone();
                other.insert(last, 1);
                let ty = t.tensor(&other, ty);
                let y = t.add(format_args!("stablehlo.reshape {x} : ({scores}) -> {ty}"));
                let y = t.one("negate", &y, &other);
                t.add(format_args!("stablehlo.reshape {y} : ({ty}) -> {scores}"))
            }
        };
    }
    if random.below(4) > 0 {
        let most = t.rows("maximum", "-60000.0", &x, &shape, false);
        let y = t.two("subtract", &x, &most, &shape);
        let e = t.one("exponential", &y, &shape);
        let wide = random.coin();
        let sum = t.rows("add", "0.0", &e, &shape, wide);
        x = t.two("divide", &e, &sum, &shape);
    }
    let (c_shape, c_at) =
        if random.coin() { (of(&[columns, width]), n) } else { (of(&[width, columns]), n + 1) };
    let c = t.arg(&c_shape);
    let c_ty = t.tensor(&c_shape, ty);
    // Rows first, or last.
    let (l, r, l_at, r_at, l_ty, r_ty, tail) = match random.coin() {
        true => (x, c, last, c_at, scores, c_ty, [rows, width]),
        false => (c, x, c_at, last, c_ty, scores, [width, rows]),
    };
    let out = t.tensor(&of(&tail), ty);
    let result = t.add(format_args!(
        "stablehlo.dot_general {l}, {r}, batching_dims = {lead:?} x {lead:?}, contracting_dims = [{l_at}] x [{r_at}], precision = [DEFAULT, DEFAULT] : ({l_ty}, {r_ty}) -> {out}"
    ));
    writeln!(t.lines, "    return {result} : {out}").unwrap();
    let args: Vec<String> = t.args.iter().map(|(a, s)| format!("{a}: {}", t.tensor(s, ty))).collect();
    t.lines = format!("module {{\n  func.func @main({}) -> {out} {{\n{}  }}\n}}\n", args.join(", "), t.lines);
    t
}

fn executable(text: &str, numerics: Numerics, whole: bool) -> Executable {
    let module = frontend::parse(&Source::from_bytes("chain.mlir", text)).unwrap().swap_remove(0);
    let options = RunOptions { numerics, whole, ..RunOptions::default() };
    Executable::new(Arc::new(module), options).unwrap()
}

fn blocks(exe: &Executable) -> usize {
    let steps = exe.program().entry().blocks.iter().flat_map(|b| &b.steps);
    steps.filter(|s| matches!(s.action, Action::Rows { .. })).count()
}

#[test]
fn blocks_have_the_bits_of_the_whole() {
    let cases = 40;
    let mut in_blocks = 0;
    for seed in 1..=cases {
        let mut random = Random(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed));
        let t = chain(&mut random);
        let element = match t.ty {
            "bf16" => ElementType::BF16,
            "f16" => ElementType::F16,
            _ => ElementType::F32,
        };
        let inputs: Vec<Tensor> = t.args.iter().map(|(_, shape)| random.tensor(element, shape)).collect();
        for numerics in [Numerics::tpu(), Numerics::ieee()] {
            let run = |whole| {
                let exe = executable(&t.lines, numerics, whole);
                let ctx = Ctx::new(numerics, 4 << 30);
                let out = exe
                    .run(&ctx, inputs.clone())
                    .unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{}", t.lines));
                (blocks(&exe), ctx.memory().1, out)
            };
            let ((none, most, expected), (some, peak, out)) = (run(true), run(false));
            assert_eq!(none, 0);
            assert!(out == expected, "seed {seed}: other bits in {some} chains of blocks:\n{}", t.lines);
            if some > 0 {
                assert!(peak < most, "seed {seed}: {peak} bytes in blocks, {most} whole:\n{}", t.lines);
            }
            in_blocks += some;
        }
    }
    assert!(in_blocks >= cases as usize, "only {in_blocks} of {} runs were in blocks", 2 * cases);
}

const ATTENTION: &str = include_str!("memory/attention.mlir");

fn zeros(ctx: &Ctx, exe: &Executable) -> Vec<Tensor> {
    let types = exe.signature().0.iter().map(|ty| ty.as_tensor().unwrap());
    types.map(|ty| ctx.alloc_zeroed(ty.element, &ty.static_dims().unwrap()).unwrap()).collect()
}

#[test]
fn attention_is_one_chain() {
    let exe = executable(ATTENTION, Numerics::tpu(), false);
    assert_eq!(exe.program().entry().block(exe.program().entry().function.body.unwrap()).steps.len(), 1);
    assert_eq!(blocks(&exe), 1);
}

#[test]
fn scores_that_others_read_are_made_whole() {
    let text =
        ATTENTION.replace("return %14 : tensor<4x2048x64xf32>", "return %13 : tensor<4x2048x2048xf32>");
    let text = text.replace(
        "-> (tensor<4x2048x64xf32> {jax.result_info = \"result\"})",
        "-> (tensor<4x2048x2048xf32> {jax.result_info = \"result\"})",
    );
    assert_eq!(blocks(&executable(&text, Numerics::tpu(), false)), 0);
}

#[test]
fn an_error_inside_a_block_names_its_operation() {
    let exe = executable(ATTENTION, Numerics::tpu(), false);
    // Enough for operands and result, and too little for a block of scores.
    let ctx = Ctx::new(Numerics::tpu(), (8 << 20) + (600 << 10));
    let error = exe.run(&ctx, zeros(&ctx, &exe)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Resource);
    let span = error.span().unwrap();
    let line = ATTENTION[..span.end as usize].lines().last().unwrap();
    assert!(line.contains("%0 = stablehlo.dot_general"), "{line}: {error:?}");
    // Nothing stays behind.
    assert_eq!(ctx.memory().0, 0);
}

#[test]
fn blocks_are_interrupted() {
    let exe = executable(ATTENTION, Numerics::tpu(), false);
    let ctx = Ctx::new(Numerics::tpu(), 1 << 30);
    let inputs = zeros(&ctx, &exe);
    let steps = exe.progress();
    std::thread::scope(|s| {
        s.spawn(|| {
            // Inside: some blocks are done.
            while steps.steps() < 20 {
                std::thread::yield_now();
            }
            ctx.stop();
        });
        assert_eq!(exe.run(&ctx, inputs).unwrap_err().kind(), ErrorKind::Interrupted);
    });
}
