//! Instructions a second that are scheduled and timed: `cargo bench -p backend --bench time`.
//!
//! Programs of 100,000 instructions, half of them kernels, as text and as read; and, where `../shared` is, the largest dumps there from
//! text to answer. Before each, the memory that one answer takes at its peak (Linux).

use backend::frontend::{self, ParseOptions, Source};
use backend::time::{self, Options};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sim_core::chip::Chip;
use sim_core::hlo::HloModule;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

const KERNELS: usize = 50_000;

/// A chain of fusions and of bitcasts between them, each with a computation of three instructions that it shares with others.
fn program() -> String {
    let mut text = String::from("HloModule chain, is_scheduled=true\n\n");
    let shape = "f32[1024,1024]{1,0:T(8,128)S(1)}";
    for f in 0..1000 {
        let _ = write!(
            text,
            "%f{f} (a: f32[1024,1024]) -> f32[1024,1024] {{\n  %a{f} = {shape} parameter(0)\n  %b{f} = {shape} exponential(%a{f})\n  \
             ROOT %c{f} = {shape} add(%b{f}, %a{f})\n}}\n\n"
        );
    }
    let _ =
        write!(text, "ENTRY %main (x: f32[1024,1024]) -> f32[1024,1024] {{\n  %v0 = {shape} parameter(0)\n");
    for i in 0..KERNELS {
        let _ = writeln!(
            text,
            "  %k{i} = {shape} fusion(%v{i}), kind=kLoop, calls=%f{}, metadata={{op_name=\"jit(f)/step\"}}, backend_config={{\"window_config\":{{\
             \"output_window_bounds\":[\"16\",\"8\"],\"iteration_bounds\":[\"8\",\"1\"],\"estimated_cycles\":\"2117\"}}}}",
            i % 1000
        );
        let root = if i + 1 == KERNELS { "ROOT " } else { "" };
        let _ = writeln!(text, "  {root}%v{} = {shape} bitcast(%k{i})", i + 1);
    }
    text.push_str("}\n");
    text
}

fn read(text: &str) -> HloModule {
    let source = Source::from_bytes("bench", text.to_owned());
    frontend::parse_hlo(&source, &ParseOptions::default()).unwrap().unwrap().remove(0)
}

fn simulate(module: &HloModule) -> u64 {
    let chip = Chip::named("v6e").unwrap();
    time::simulate(module, chip, &Options::default()).unwrap().total.ps()
}

/// Prints how much more is resident, at the peak, while `work` runs.
fn memory(what: &str, work: impl FnOnce()) {
    let peak = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    // From here on, the peak is counted anew.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = peak();
    work();
    if let (Some(before), Some(after)) = (before, peak()) {
        println!("{what}: {} kB more at the peak", after.saturating_sub(before));
    }
}

fn bench(c: &mut Criterion) {
    let text = program();
    memory("chain, read and timed", || {
        black_box(simulate(&read(&text)));
    });
    let module = read(&text);
    let instructions: usize = module.computations.iter().map(|c| c.instructions.len()).sum();
    let mut group = c.benchmark_group("chain");
    group.sample_size(10).throughput(Throughput::Elements(instructions as u64));
    group.bench_function("timed", |b| b.iter(|| black_box(simulate(&module))));
    group.bench_function("read and timed", |b| b.iter(|| black_box(simulate(&read(&text)))));
    group.finish();
    let shared = std::env::var_os("TPUSIM_SHARED")
        .map_or_else(|| Path::new("../../shared").into(), std::path::PathBuf::from);
    let mut group = c.benchmark_group("dump");
    group.sample_size(10);
    for name in ["flux_train_qchunk.v6e", "flux_fwd_qchunk.v6e", "llama_decode4.v6e"] {
        let path = shared.join("oracle/corpus").join(format!("{name}.hlo.txt"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("skipped: {} is not there", path.display());
            continue;
        };
        memory(name, || {
            black_box(simulate(&read(&text)));
        });
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| b.iter(|| black_box(simulate(&read(&text)))));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
