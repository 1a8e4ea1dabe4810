use super::*;
use proptest::prelude::*;

fn drain<E>(engine: &mut Engine<E>) -> Vec<(u64, E)> {
    std::iter::from_fn(|| engine.next_event()).map(|(time, event)| (time.ps(), event)).collect()
}

#[test]
fn events_of_one_time_come_in_the_order_of_their_asking() {
    let mut e = Engine::new();
    e.after(Duration::from_ps(5), "b");
    e.at(Time::from_ps(3), "a");
    e.after(Duration::from_ps(5), "c");
    e.at(Time::from_ps(5), "d");
    assert_eq!(drain(&mut e), [(3, "a"), (5, "b"), (5, "c"), (5, "d")]);
}

#[test]
fn a_unit_serves_one_after_the_other() {
    let mut e = Engine::new();
    let unit = e.unit();
    let length = Duration::from_ps;
    assert_eq!(e.occupy(unit, length(10), 'a').start, Time::ZERO);
    assert_eq!(e.occupy(unit, length(5), 'b'), Use { start: Time::from_ps(10), end: Time::from_ps(15) });
    assert_eq!(e.next_event(), Some((Time::from_ps(10), 'a')));
    assert_eq!(e.reserve(unit, Time::from_ps(20), length(1)).start, Time::from_ps(20));
    assert_eq!(drain(&mut e), [(15, 'b')]);
    assert_eq!(e.busy(unit), length(16));
}

/// 1e12 bytes a second are one byte a picosecond.
const ONE: f64 = 1e12;

#[test]
fn transfers_share_a_pipe_and_take_over_what_others_leave() {
    let mut e = Engine::new();
    let hbm = e.pipe(ONE);
    e.transfer(&[hbm], 100.0, None, "long");
    e.transfer(&[hbm], 50.0, None, "short");
    // Half the rate each until the shorter is through, at 100; the longer has 50 left then.
    assert_eq!(drain(&mut e), [(100, "short"), (150, "long")]);
    assert_eq!(e.carried(hbm), 150.0);
}

#[test]
fn a_limit_leaves_the_rest_to_others() {
    let mut e = Engine::new();
    let hbm = e.pipe(ONE);
    e.transfer(&[hbm], 25.0, Some(ONE / 4.0), "slow");
    e.transfer(&[hbm], 75.0, None, "fast");
    e.transfer(&[], 10.0, Some(ONE), "alone");
    e.transfer(&[hbm], 0.0, None, "nothing");
    assert_eq!(drain(&mut e), [(0, "nothing"), (10, "alone"), (100, "slow"), (100, "fast")]);
}

#[test]
fn the_narrowest_pipe_of_a_route_decides() {
    let mut e = Engine::new();
    let (wide, narrow) = (e.pipe(ONE), e.pipe(ONE / 4.0));
    e.transfer(&[wide, narrow], 25.0, None, "through both");
    e.transfer(&[wide], 75.0, None, "through the wide one");
    assert_eq!(drain(&mut e), [(100, "through both"), (100, "through the wide one")]);
}

#[test]
fn a_transfer_that_starts_later_is_not_served_before() {
    let mut e = Engine::new();
    let hbm = e.pipe(ONE);
    e.transfer(&[hbm], 100.0, None, 0);
    e.after(Duration::from_ps(50), 1);
    assert_eq!(e.next_event(), Some((Time::from_ps(50), 1)));
    e.transfer(&[hbm], 100.0, None, 2);
    // 50 bytes each until 150; then 50 more alone.
    assert_eq!(drain(&mut e), [(150, 0), (200, 2)]);
}

proptest! {
    /// Whatever starts when: all bytes arrive, no pipe carries more than it can, and the outcome repeats.
    #[test]
    fn bytes_are_kept_and_pipes_hold(
        pipes in prop::collection::vec(1u32..50, 1..5),
        transfers in prop::collection::vec((0u64..500, 1u32..5000, 0usize..16, prop::option::of(1u32..40)), 1..20),
    ) {
        let run = || {
            let mut e = Engine::new();
            let all: Vec<Pipe> = pipes.iter().map(|&p| e.pipe(f64::from(p) * ONE / 10.0)).collect();
            for (i, t) in transfers.iter().enumerate() {
                e.at(Time::from_ps(t.0), (false, i));
            }
            let mut ends = Vec::new();
            while let Some((time, (ended, i))) = e.next_event() {
                let (_, bytes, mask, limit) = transfers[i];
                if ended {
                    ends.push((time, i));
                    continue;
                }
                let route: Vec<Pipe> = (0..all.len()).filter(|k| mask >> k & 1 == 1).map(|k| all[k]).collect();
                e.transfer(&route, f64::from(bytes), limit.map(|l| f64::from(l) * ONE / 10.0), (true, i));
            }
            let carried: Vec<f64> = all.iter().map(|&p| e.carried(p)).collect();
            (ends, carried, e.now())
        };
        let (ends, carried, end) = run();
        prop_assert_eq!(ends.len(), transfers.len());
        for (k, (&got, &capacity)) in carried.iter().zip(&pipes).enumerate() {
            let want: f64 = transfers.iter().filter(|t| t.2 >> k & 1 == 1).map(|t| f64::from(t.1)).sum();
            prop_assert!((got - want).abs() <= want * 1e-6 + transfers.len() as f64 * 10.0, "{got} of {want}");
            prop_assert!(got <= f64::from(capacity) / 10.0 * (end.ps() as f64 + 1.0) * (1.0 + 1e-9));
        }
        for &(time, i) in &ends {
            let (start, bytes, mask, limit) = transfers[i];
            let narrowest = (0..pipes.len()).filter(|k| mask >> k & 1 == 1).map(|k| pipes[k]).chain(limit).min();
            let least = narrowest.map_or(0.0, |n| f64::from(bytes) / (f64::from(n) / 10.0));
            prop_assert!(time.ps() as f64 >= start as f64 + least - 1e-6);
        }
        prop_assert_eq!(run(), (ends, carried, end));
    }
}

/// A transfer of the reference: start, bytes, pipes, limit.
type Wish = (f64, f64, Vec<usize>, f64);

/// Max-min fair rates, bottleneck by bottleneck: the tightest pipe or limit fixes those that it holds back; the rest share
/// what is left.
fn bottlenecks(capacities: &[f64], wishes: &[&Wish]) -> Vec<f64> {
    let mut rates = vec![None; wishes.len()];
    while rates.contains(&None) {
        let open = |i: &usize| rates[*i].is_none();
        let share = |k: usize| {
            let taken: f64 = (0..wishes.len())
                .map(|i| rates[i].unwrap_or(0.0) * wishes[i].2.iter().filter(|&&p| p == k).count() as f64)
                .sum();
            let users: usize =
                (0..wishes.len()).filter(open).map(|i| wishes[i].2.iter().filter(|&&p| p == k).count()).sum();
            if users > 0 { (capacities[k] - taken).max(0.0) / users as f64 } else { f64::INFINITY }
        };
        let tightest = (0..capacities.len()).map(share).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let slowest = (0..wishes.len()).filter(open).min_by(|&a, &b| wishes[a].3.total_cmp(&wishes[b].3));
        let (Some((k, rate)), Some(slow)) = (tightest, slowest) else { break };
        if wishes[slow].3 <= rate {
            rates[slow] = Some(wishes[slow].3);
            continue;
        }
        for i in 0..wishes.len() {
            if rates[i].is_none() && wishes[i].2.contains(&k) {
                rates[i] = Some(rate);
            }
        }
    }
    rates.into_iter().map(|r| r.unwrap_or(0.0)).collect()
}

/// When each transfer ends, in continuous time, everything found anew at every change.
fn reference(capacities: &[f64], wishes: &[Wish]) -> Vec<f64> {
    let mut left: Vec<f64> = wishes.iter().map(|w| w.1).collect();
    let mut ends = vec![f64::NAN; wishes.len()];
    let mut now = 0.0f64;
    loop {
        let active: Vec<usize> =
            (0..wishes.len()).filter(|&i| wishes[i].0 <= now && ends[i].is_nan()).collect();
        let start = wishes.iter().map(|w| w.0).filter(|&s| s > now).fold(f64::INFINITY, f64::min);
        let rates = bottlenecks(capacities, &active.iter().map(|&i| &wishes[i]).collect::<Vec<_>>());
        let end = active.iter().zip(&rates).map(|(&i, r)| now + left[i] / r).fold(f64::INFINITY, f64::min);
        let next = start.min(end);
        if next.is_infinite() {
            return ends;
        }
        for (&i, r) in active.iter().zip(&rates) {
            left[i] -= r * (next - now);
            if left[i] <= wishes[i].1 * 1e-12 {
                ends[i] = next;
            }
        }
        now = next;
    }
}

proptest! {
    #[test]
    fn rates_are_those_of_the_slow_reference(
        pipes in prop::collection::vec(1u32..50, 1..6),
        wishes in prop::collection::vec(
            (0u64..100_000, 1u32..2_000_000, prop::collection::vec(0usize..6, 0..4), prop::option::of(1u32..40)),
            1..24,
        ),
    ) {
        let capacities: Vec<f64> = pipes.iter().map(|&p| f64::from(p) / 10.0).collect();
        let wishes: Vec<Wish> = wishes
            .into_iter()
            .map(|(start, bytes, route, limit)| {
                let route: Vec<usize> = route.into_iter().map(|p| p % pipes.len()).collect();
                let limit = limit.map_or(f64::INFINITY, |l| f64::from(l) / 10.0);
                (start as f64, f64::from(bytes), route, limit)
            })
            // What nothing holds back takes no time, which the reference cannot say.
            .filter(|w| !w.2.is_empty() || w.3.is_finite())
            .collect();
        let want = reference(&capacities, &wishes);
        let mut e = Engine::new();
        let all: Vec<Pipe> = capacities.iter().map(|&c| e.pipe(c * ONE)).collect();
        for (i, w) in wishes.iter().enumerate() {
            e.at(Time::from_ps(w.0 as u64), (false, i));
        }
        let mut seen = 0;
        while let Some((time, (ended, i))) = e.next_event() {
            let w = &wishes[i];
            if !ended {
                let route: Vec<Pipe> = w.2.iter().map(|&k| all[k]).collect();
                e.transfer(&route, w.1, w.3.is_finite().then_some(w.3 * ONE), (true, i));
                continue;
            }
            seen += 1;
            // Each end before it is late by less than a picosecond, at rates that differ by a factor of 50 at most.
            let slack = want[i] * 1e-9 + wishes.len() as f64 * 50.0;
            prop_assert!((time.ps() as f64 - want[i]).abs() <= slack, "{i}: {} beside {}", time.ps(), want[i]);
        }
        prop_assert_eq!(seen, wishes.len());
    }
}

#[test]
fn what_is_over_leaves_nothing_behind() {
    let mut e = Engine::new();
    let pipes: Vec<Pipe> = (0..8).map(|_| e.pipe(ONE)).collect();
    for n in 0..16usize {
        e.after(Duration::from_ps(n as u64), n);
    }
    for n in 16..100_000usize {
        let (_, last) = e.next_event().unwrap();
        e.transfer(&[pipes[last % 8], pipes[n % 8]], 100.0 + (n % 7) as f64, None, n);
    }
    assert!(e.fluid.slots() <= 16, "{} slots", e.fluid.slots());
    // Beside the ends that still hold there may be some that do not.
    assert!(e.agenda.len() <= 16 * 16, "{} on the agenda", e.agenda.len());
}
