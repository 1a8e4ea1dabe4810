//! Instructions a second that are compiled: `cargo bench -p backend --bench compile`.
//!
//! A deep model, its layers written out, in three sizes; shapes of programs that a pass could stumble over; and, where `../shared` is,
//! programs of its corpus. Before each, how long each pass takes.

use backend::compiler;
use backend::frontend::{self, Source};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// Instructions that [`deep`] makes of a layer.
const LAYER: usize = 37;

/// A function of arrays `[512, 1024]` that ends with the value `%r`.
fn function(parameters: &str, body: &str, result: &str) -> String {
    format!("func.func public @main({parameters}) -> {result} {{\n{body}  return %r : {result}\n}}\n")
}

/// Layers of a model: a norm, two products with a gate between them, and what is added to what came before.
fn deep(layers: usize) -> String {
    let (x, w, v, wide) =
        ("tensor<512x1024xbf16>", "tensor<1024x1024xbf16>", "tensor<512xf32>", "tensor<512x1024xf32>");
    let mut body = String::new();
    let mut last = "x".to_owned();
    for l in 0..layers {
        let r = if l + 1 == layers { "r".to_owned() } else { format!("y{l}") };
        let _ = write!(
            body,
            "  %z{l} = stablehlo.constant dense<0.0> : tensor<f32>
  %e{l} = stablehlo.constant dense<1.0e-6> : {v}
  %n{l} = stablehlo.constant dense<9.765625e-4> : {v}
  %f{l} = stablehlo.convert %{last} : ({x}) -> {wide}
  %q{l} = stablehlo.multiply %f{l}, %f{l} : {wide}
  %s{l} = stablehlo.reduce(%q{l} init: %z{l}) applies stablehlo.add across dimensions = [1] : ({wide}, tensor<f32>) -> {v}
  %m{l} = stablehlo.multiply %s{l}, %n{l} : {v}
  %a{l} = stablehlo.add %m{l}, %e{l} : {v}
  %i{l} = stablehlo.rsqrt %a{l} : {v}
  %b{l} = stablehlo.broadcast_in_dim %i{l}, dims = [0] : ({v}) -> {wide}
  %g{l} = stablehlo.multiply %f{l}, %b{l} : {wide}
  %h{l} = stablehlo.convert %g{l} : ({wide}) -> {x}
  %o{l} = stablehlo.dot_general %h{l}, %w0, contracting_dims = [1] x [0] : ({x}, {w}) -> {x}
  %p{l} = stablehlo.dot_general %h{l}, %w1, contracting_dims = [1] x [0] : ({x}, {w}) -> {x}
"
        );
        // A polynomial, as activations become.
        let mut t = format!("o{l}");
        for k in 0..7 {
            let _ = write!(
                body,
                "  %c{l}_{k} = stablehlo.multiply %{t}, %p{l} : {x}\n  %d{l}_{k} = stablehlo.add %c{l}_{k}, %o{l} : {x}\n"
            );
            t = format!("d{l}_{k}");
        }
        let _ = write!(
            body,
            "  %t{l} = stablehlo.reshape %{t} : ({x}) -> tensor<512x8x128xbf16>
  %u{l} = stablehlo.transpose %t{l}, dims = [1, 0, 2] : (tensor<512x8x128xbf16>) -> tensor<8x512x128xbf16>
  %v{l} = stablehlo.tanh %u{l} : tensor<8x512x128xbf16>
  %k{l} = stablehlo.transpose %v{l}, dims = [1, 0, 2] : (tensor<8x512x128xbf16>) -> tensor<512x8x128xbf16>
  %j{l} = stablehlo.reshape %k{l} : (tensor<512x8x128xbf16>) -> {x}
  %l{l} = stablehlo.dot_general %j{l}, %w0, contracting_dims = [1] x [0] : ({x}, {w}) -> {x}
  %{r} = stablehlo.add %l{l}, %{last} : {x}
"
        );
        last = r;
    }
    function(&format!("%x: {x}, %w0: {w}, %w1: {w}"), &body, x)
}

/// One value with so many users, all of which are concatenated.
fn users(n: usize) -> String {
    let (x, r) = ("tensor<8x128xf32>", format!("tensor<{}x128xf32>", 8 * n));
    let mut body = String::new();
    for i in 0..n {
        let _ = writeln!(body, "  %c{i} = stablehlo.constant dense<{i}.0> : {x}");
        let _ = writeln!(body, "  %v{i} = stablehlo.add %x, %c{i} : {x}");
    }
    let join = |item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(", ");
    let (names, types) = (join(&|i| format!("%v{i}")), join(&|_| x.to_owned()));
    let _ = writeln!(body, "  %r = stablehlo.concatenate {names}, dim = 0 : ({types}) -> {r}");
    function(&format!("%x: {x}"), &body, &r)
}

/// As many products of one array by others, summed: kernels, not one of them.
fn products(n: usize) -> String {
    let x = "tensor<512x512xbf16>";
    let mut body = format!("  %s0 = stablehlo.tanh %x : {x}\n");
    for i in 0..n {
        let s = if i + 1 == n { "r".to_owned() } else { format!("s{}", i + 1) };
        let _ = writeln!(
            body,
            "  %p{i} = stablehlo.dot_general %x, %s{i}, contracting_dims = [1] x [0] : ({x}, {x}) -> {x}\n  %{s} = stablehlo.tanh %p{i} : {x}"
        );
    }
    function(&format!("%x: {x}"), &body, x)
}

/// Operations value by value, each on the one before.
fn chain(n: usize) -> String {
    let x = "tensor<1024x1024xf32>";
    let mut body = String::new();
    for i in 0..n {
        let name = |i: usize| match i {
            0 => "x".to_owned(),
            i if i == n => "r".to_owned(),
            i => format!("v{i}"),
        };
        let _ = writeln!(body, "  %{} = stablehlo.cosine %{} : {x}", name(i + 1), name(i));
    }
    function(&format!("%x: {x}"), &body, x)
}

/// Loops in a row, in each of which so many values do not change from one iteration to the next: half of them equal.
fn loops(n: usize, invariants: usize) -> String {
    let (x, i, p) = ("tensor<256x512xf32>", "tensor<i32>", "tensor<i1>");
    let mut body = format!("  %c = stablehlo.constant dense<0> : {i}\n");
    for k in 0..n {
        let last = if k == 0 { "x".to_owned() } else { format!("w{}#1", k - 1) };
        let _ = write!(
            body,
            "  %w{k}:2 = stablehlo.while(%i = %c, %a = %{last}) : {i}, {x}
  cond {{
    %n = stablehlo.constant dense<4> : {i}
    %l = stablehlo.compare LT, %i, %n : ({i}, {i}) -> {p}
    stablehlo.return %l : {p}
  }} do {{
    %o = stablehlo.constant dense<1> : {i}
    %j = stablehlo.add %i, %o : {i}
"
        );
        let mut value = "a".to_owned();
        for m in 0..invariants {
            let _ = write!(
                body,
                "    %k{m} = stablehlo.constant dense<{}.0> : {x}\n    %e{m} = stablehlo.multiply %y, %k{m} : {x}\n    %v{m} = stablehlo.add %{value}, %e{m} : {x}\n",
                m / 2
            );
            value = format!("v{m}");
        }
        let _ = write!(body, "    stablehlo.return %j, %{value} : {i}, {x}\n  }}\n");
    }
    let _ = writeln!(body, "  %r = stablehlo.tanh %w{}#1 : {x}", n - 1);
    function(&format!("%x: {x}, %y: {x}"), &body, x)
}

fn hlo(text: String) -> HloModule {
    let module = frontend::parse(&Source::from_bytes("bench", text)).unwrap().remove(0);
    frontend::hlo::export::export_as_written(&module).unwrap()
}

fn compiled(module: HloModule) -> HloModule {
    compiler::compile(module, Chip::named("v6e").unwrap(), &mut |_, _| {}).unwrap()
}

/// Prints which pass takes how long.
fn passes(name: &str, module: &HloModule, instructions: usize) {
    let mut last = Instant::now();
    let start = last;
    let mut text = String::new();
    let module = module.clone();
    let mut seen = |pass: &compiler::Pass, _: &HloModule| {
        let taken = last.elapsed();
        last = Instant::now();
        if taken > Duration::from_micros(50) {
            let _ = write!(text, " {} {:.1}", pass.name, taken.as_secs_f64() * 1e3);
        }
    };
    black_box(compiler::compile(module, Chip::named("v6e").unwrap(), &mut seen).unwrap());
    let all = start.elapsed();
    let rate = instructions as f64 / all.as_secs_f64();
    println!("{name}: {instructions} instructions in {all:.1?}, {rate:.0} a second; ms:{text}");
}

fn bench(c: &mut Criterion) {
    let shared = std::env::var_os("TPUSIM_SHARED")
        .map_or_else(|| Path::new("../../shared").into(), std::path::PathBuf::from);
    let mut programs: Vec<(String, String)> = Vec::new();
    for name in ["flux_train_qchunk", "flux_train_splash", "llama_decode4"] {
        match std::fs::read_to_string(shared.join("oracle/corpus").join(format!("{name}.stablehlo.mlir"))) {
            Ok(text) => programs.push((name.to_owned(), text)),
            Err(_) => eprintln!("skipped: there is no {name} in {}", shared.display()),
        }
    }
    for instructions in [5_000, 20_000, 80_000] {
        programs.push((format!("deep model {instructions}"), deep(instructions / LAYER + 1)));
    }
    programs.push(("one value, 20000 users".into(), users(20_000)));
    programs.push(("5000 products of one value".into(), products(5_000)));
    programs.push(("chain of 50000".into(), chain(50_000)));
    programs.push(("2000 loops".into(), loops(2_000, 1)));
    programs.push(("20000 invariants".into(), loops(1, 20_000)));
    let mut group = c.benchmark_group("compile");
    for (name, text) in programs {
        let module = hlo(text);
        let instructions: usize = module.computations.iter().map(|c| c.instructions.len()).sum();
        passes(&name, &module, instructions);
        group.sample_size(10).throughput(Throughput::Elements(instructions as u64));
        group.bench_function(name, |b| {
            b.iter_batched(|| module.clone(), |m| black_box(compiled(m)), BatchSize::PerIteration)
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
