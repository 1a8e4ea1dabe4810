use super::*;
use proptest::prelude::*;

fn ps(n: u64) -> Duration {
    Duration::from_ps(n)
}

fn window(direction: Direction, moves_with: u32, transfer: u64) -> Window {
    Window { direction, moves_with, transfer: ps(transfer), buffers: 2 }
}

fn kernel(grid: &[u64], step: u64, windows: Vec<Window>) -> Pipeline {
    Pipeline { grid: grid.to_vec(), windows, step: ps(step), read_latency: ps(1000), write_latency: ps(300) }
}

/// Every step, however many.
fn stepped(kernel: &Pipeline) -> Duration {
    let steps = kernel.steps();
    let mut run = Run::new(kernel, steps);
    (0..steps).for_each(|s| run.step(s));
    run.end()
}

#[test]
fn one_step_overlaps_nothing() {
    let k = kernel(&[], 500, vec![window(Direction::In, 0, 70), window(Direction::Out, 0, 20)]);
    let cost = k.cost();
    assert_eq!(cost.total, ps(70 + 1000 + 500 + 20 + 300));
    assert_eq!((cost.computing, cost.moving), (ps(500), ps(90)));
    // In VMEM alone there is nothing but the computation.
    assert_eq!(kernel(&[1, 1], 500, vec![]).cost().total, ps(500));
    assert_eq!(kernel(&[4, 0], 500, vec![]).cost(), Cost::default());
}

#[test]
fn a_steady_step_is_bound_by_units_by_the_channel_or_by_the_way_around() {
    for (step, transfer, each) in [
        (5000, 100, 5000),
        (100, 5000, 5000),
        // (1500 + 1300 + 1000) / 2
        (1500, 1300, 1900),
    ] {
        let of = |n| kernel(&[n], step, vec![window(Direction::In, 1, transfer)]).cost().total.ps();
        assert_eq!((of(3000) - of(1000)) / 2000, each, "{step} {transfer}");
        // A third buffer takes the latency out.
        let mut three = kernel(&[1000], step, vec![window(Direction::In, 1, transfer)]);
        three.windows[0].buffers = 3;
        let total = three.cost().total.ps();
        assert!(total <= 1000 * step.max(transfer) + step + transfer + 2000, "{total}");
    }
}

#[test]
fn windows_are_fetched_when_they_move() {
    // Columns, rows, contracted: as XLA:TPU walks a product.
    let (x, w, out) = (0b110, 0b101, 0b011);
    let windows = |grid: &[u64]| {
        let k = kernel(
            grid,
            1,
            vec![
                window(Direction::In, x, 1),
                window(Direction::In, w, 1_000),
                window(Direction::Out, out, 1_000_000),
            ],
        );
        k.cost().moving.ps()
    };
    assert_eq!(windows(&[3, 5, 7]), 105 + 105_000 + 15_000_000);
    // Not contracted in parts: weights stay while rows pass.
    assert_eq!(windows(&[3, 5, 1]), 15 + 3_000 + 15_000_000);
    assert_eq!(windows(&[3, 1, 1]), 1 + 3_000 + 3_000_000);
    assert_eq!(windows(&[1, 1, 1]), 1 + 1_000 + 1_000_000);
}

/// A product of 8192 cubed on v6e: 4 x 6 x 16 steps of 1368 x 512 x 2048, measured at 728 TFLOP/s (1.51 ms). Of the step's 3.93 us
/// the matrix units have 3.13.
#[test]
fn a_product_whose_transfers_and_steps_are_alike() {
    let us = |us: f64| Duration::from_us(us);
    let bytes = |n: f64| us(n / 1425e3);
    let k = Pipeline {
        grid: vec![4, 6, 16],
        windows: vec![
            Window {
                direction: Direction::In,
                moves_with: 0b110,
                transfer: bytes(1368.0 * 512.0 * 2.0),
                buffers: 2,
            },
            Window {
                direction: Direction::In,
                moves_with: 0b101,
                transfer: bytes(512.0 * 2048.0 * 2.0),
                buffers: 2,
            },
            Window {
                direction: Direction::Out,
                moves_with: 0b011,
                transfer: bytes(1368.0 * 2048.0 * 2.0),
                buffers: 2,
            },
        ],
        step: us(3.125),
        read_latency: us(1.21),
        write_latency: us(0.4),
    };
    let total = k.cost().total.us();
    // Neither 1200 us of computing nor 1036 us of moving: the way around.
    assert!((1390.0..1420.0).contains(&total), "{total}");
}

prop_compose! {
    fn kernels()(
        grid in prop::collection::vec(1u64..40, 0..4),
        step in 0u64..3000,
        windows in prop::collection::vec((any::<bool>(), 0u32..16, 0u64..2000, 1u32..5), 0..5),
        read_latency in 0u64..2000,
        write_latency in 0u64..2000,
    ) -> Pipeline {
        let windows = windows.into_iter().map(|(read, moves_with, transfer, buffers)| Window {
            direction: if read { Direction::In } else { Direction::Out },
            moves_with,
            transfer: ps(transfer),
            buffers,
        });
        Pipeline { grid, windows: windows.collect(), step: ps(step), read_latency: ps(read_latency), write_latency: ps(write_latency) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_multiplied_is_what_is_stepped(k in kernels()) {
        prop_assert_eq!(k.cost().total, stepped(&k));
    }

    #[test]
    fn a_limit_gives_up_only_on_what_is_longer(k in kernels(), part in 1u64..8) {
        let cost = k.cost();
        prop_assert_eq!(k.cost_within(cost.total), Some(cost));
        let within = k.cost_within(ps(cost.total.ps() / 4 * part));
        prop_assert!(within.is_none_or(|c| c == cost));
        prop_assert!(part < 4 || within.is_some() || cost.total.ps() % 4 > 0);
    }

    #[test]
    fn no_less_than_its_parts_and_no_more_than_their_sum(k in kernels()) {
        let cost = k.cost();
        prop_assert!(cost.total >= cost.computing.max(cost.moving));
        let latencies = (k.read_latency + k.write_latency) * (k.steps() * k.windows.len().max(1) as u64);
        prop_assert!(cost.total <= cost.computing + cost.moving + latencies);
    }

    #[test]
    fn nothing_gets_faster_by_more_work(k in kernels(), more in 1u64..1000, which in 0usize..8) {
        let before = k.cost().total;
        let mut slower = k.clone();
        match which {
            0 => slower.step += ps(more),
            1 => slower.read_latency += ps(more),
            2 => slower.write_latency += ps(more),
            _ => {
                let Some(w) = slower.windows.get_mut(which - 3) else { return Ok(()) };
                w.transfer += ps(more);
            }
        }
        prop_assert!(slower.cost().total >= before);
    }
}

/// Grids that nobody can walk: as many rounds as there are, each like the last of those that were walked.
#[test]
fn a_grid_without_end_ends() {
    let windows = || {
        vec![
            window(Direction::In, 0b11, 70),
            window(Direction::In, 0b10, 30),
            window(Direction::Out, 0b01, 20),
        ]
    };
    let k = kernel(&[5, 40_000, 3], 100, windows());
    assert!(k.shortened(k.steps()).is_some());
    let (short, whole) = (k.cost().total.ps() as f64, stepped(&k).ps() as f64);
    assert!((short / whole - 1.0).abs() < 1e-4, "{short} {whole}");
    let k = kernel(&[u64::MAX, 70_000, 70_000], u64::MAX / 2, windows());
    assert_eq!(k.cost().total.ps(), u64::MAX);
    let k = kernel(&[1 << 40, 1 << 20], 1, windows());
    assert!(k.cost().total.ps() > 1 << 50);
}
