//! Events a second of the engine: `cargo bench -p sim-core`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sim_core::engine::{Duration, Engine, Pipe};
use std::hint::black_box;

const EVENTS: u64 = 100_000;

/// Sixteen users of four units, one after the other on each.
fn units() -> u64 {
    let mut e = Engine::new();
    let units = [(); 4].map(|()| e.unit());
    for user in 0..16u64 {
        e.occupy(units[user as usize % 4], Duration::from_ps(100 + user), user);
    }
    while e.events() < EVENTS {
        let Some((_, user)) = e.next_event() else { break };
        e.occupy(units[(user as usize + 1) % 4], Duration::from_ps(100 + user), user + 1);
    }
    e.now().ps()
}

/// So many transfers under way on one memory, each followed by another.
fn shared(under_way: u64) -> u64 {
    let mut e = Engine::new();
    let hbm = e.pipe(1e12);
    for n in 0..under_way {
        e.transfer(&[hbm], 1000.0 + n as f64, None, n);
    }
    while e.events() < EVENTS {
        let Some((_, n)) = e.next_event() else { break };
        e.transfer(&[hbm], 1000.0 + (n % 97) as f64, None, n + under_way);
    }
    e.now().ps()
}

/// A ring of 256 chips: each sends to its neighbour, over its memory, the link and the other's memory.
fn ring() -> u64 {
    let mut e = Engine::new();
    let memories: Vec<Pipe> = (0..256).map(|_| e.pipe(1.6e12)).collect();
    let links: Vec<Pipe> = (0..256).map(|_| e.pipe(9e10)).collect();
    let send = |e: &mut Engine<usize>, chip: usize| {
        let route = [memories[chip], links[chip], memories[(chip + 1) % 256]];
        e.transfer(&route, 1e6 + chip as f64, None, chip);
    };
    (0..256).for_each(|chip| send(&mut e, chip));
    while e.events() < EVENTS {
        let Some((_, chip)) = e.next_event() else { break };
        send(&mut e, chip);
    }
    e.now().ps()
}

fn engine(c: &mut Criterion) {
    let mut group = c.benchmark_group("engine");
    group.throughput(Throughput::Elements(EVENTS)).sample_size(20);
    group.bench_function("units", |b| b.iter(|| black_box(units())));
    for n in [1, 4, 16] {
        group.bench_function(format!("{n} transfers"), |b| b.iter(|| black_box(shared(black_box(n)))));
    }
    group.bench_function("ring of 256", |b| b.iter(|| black_box(ring())));
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
