use super::*;
use proptest::prelude::*;

fn request(bytes: u64, from: u32, until: u32) -> Request {
    Request { bytes, from, until, alignment: 1 }
}

/// Nobody lies where another lies that lives at the same time.
fn check(requests: &[Request], placement: &Placement) {
    for (i, a) in requests.iter().enumerate() {
        assert!(placement.offsets[i].is_multiple_of(a.alignment.max(1)), "{placement:?}");
        for (j, b) in requests.iter().enumerate().take(i) {
            let both = a.from <= b.until.max(b.from) && b.from <= a.until.max(a.from);
            let (x, y) = (placement.offsets[i], placement.offsets[j]);
            assert!(
                !both || x + a.bytes <= y || y + b.bytes <= x || a.bytes.min(b.bytes) == 0,
                "{i} and {j}"
            );
        }
        assert!(a.bytes == 0 || placement.offsets[i] + a.bytes <= placement.peak);
    }
    assert!(placement.peak >= most_alive(requests).bytes);
}

#[test]
fn orders_differ() {
    // Small before large in time: as the program comes, the third does not fit where the first was.
    let requests = [request(1, 0, 2), request(2, 2, 3), request(2, 3, 4)];
    let peak = |order| allocate_in(&requests, order).unwrap().peak;
    assert_eq!((peak(Order::Size), peak(Order::Life), peak(Order::Program)), (4, 5, 5));
    assert_eq!(allocate(&requests).order, Order::Size);
    assert_eq!(most_alive(&requests), Alive { bytes: 4, at: 3 });
}

#[test]
fn the_smallest_hole_that_takes_it() {
    // Holes of 4 and of 2; the last buffer takes the second.
    let requests = [request(4, 0, 4), request(9, 1, 9), request(2, 2, 4), request(8, 3, 9), request(2, 5, 5)];
    let placement = allocate_in(&requests, Order::Program).unwrap();
    check(&requests, &placement);
    assert_eq!(placement.offsets[4], placement.offsets[2]);
}

#[test]
fn nothing_and_too_much() {
    assert_eq!(allocate(&[]).peak, 0);
    assert_eq!(allocate(&[request(0, 3, 1)]).peak, 0);
    let all = [request(u64::MAX, 0, 5), request(u64::MAX, 1, 2), request(7, 0, 0)];
    for order in [Order::Size, Order::Life, Order::Program] {
        assert_eq!(allocate_in(&all, order).unwrap().peak, u64::MAX);
    }
    assert_eq!(most_alive(&all).bytes, u64::MAX);
}

#[test]
fn many_buffers_are_placed() {
    // A hundred thousand that all live together: only the program's order is done.
    let all: Vec<Request> = (0..100_000).map(|i| request(512 + i % 7, i as u32, 200_000)).collect();
    let placement = allocate(&all);
    assert_eq!((placement.peak, placement.order), (most_alive(&all).bytes, Order::Program));
    let short: Vec<Request> =
        (0..100_000u32).map(|i| request(u64::from(i * 7919 % 1000 + 1), i, i + i * 31 % 40)).collect();
    let placement = allocate(&short);
    assert!(placement.peak >= most_alive(&short).bytes && placement.peak < 2 * most_alive(&short).bytes);
}

proptest! {
    #[test]
    fn no_two_share_a_place(
        rows in prop::collection::vec((0u64..50, 0u32..30, 0u32..12, 0u32..4), 0..60)
    ) {
        let requests: Vec<Request> = rows
            .iter()
            .map(|&(bytes, from, life, power)| Request { bytes, from, until: from + life, alignment: 1 << power })
            .collect();
        for order in [Order::Size, Order::Life, Order::Program] {
            check(&requests, &allocate_in(&requests, order).unwrap());
        }
        let best = allocate(&requests);
        check(&requests, &best);
        prop_assert_eq!(&best, &allocate(&requests));
    }
}
