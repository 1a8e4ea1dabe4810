//! What the document of attention by the size of its heads says, and that it is fresh.

use workloads::heads::{self, Row};

fn near(what: &str, has: f64, low: f64, high: f64) {
    assert!((low..=high).contains(&has), "{what}: {has:.3}, wanted {low} to {high}");
}

#[test]
fn heads_fill_the_arrays_of_each_chip() {
    let rows = heads::rows().unwrap();
    let of = |chip: &str, size: u64| -> &Row {
        rows.iter().find(|r| r.chip == chip && r.size == size).expect("a row")
    };
    for chip in heads::CHIPS {
        let all: Vec<&Row> = heads::SIZES.iter().map(|&s| of(chip, s)).collect();
        for pair in all.windows(2) {
            let [a, b] = pair else { unreachable!() };
            let what = format!("{chip}: from {} to {}", a.size, b.size);
            // Larger heads use more of an array, but for 192, which is one and a half of v5e's; and there are fewer scores.
            let falls = |x: f64, y: f64| y < x - 1e-9;
            assert!(b.size == 192 || !falls(a.as_written.qk.of_peak, b.as_written.qk.of_peak), "{what}");
            assert!(b.size == 192 || !falls(b.best().total_ms, a.best().total_ms), "{what}");
        }
    }
    // 128 x 128: half of it at 64, all of it at 128 and 256, three quarters of two at 192.
    for (size, share) in [(32, 0.25), (64, 0.5), (96, 0.75), (128, 1.0), (192, 0.75), (256, 1.0)] {
        near(&format!("v5e, {size}"), of("v5e", size).as_written.qk.of_peak, share - 0.02, share + 1e-6);
    }
    // 256 x 256. Measured in kernels: QK at 128 of 39 to 48 %, PV of 98.5 %.
    for (size, share) in [(32, 0.125), (64, 0.25), (96, 0.375), (128, 0.5), (192, 0.75), (256, 1.0)] {
        near(&format!("v6e, {size}"), of("v6e", size).as_written.qk.of_peak, share - 0.02, share + 1e-6);
    }
    let at = of("v6e", 128);
    near("v6e, PV, the head streams", at.weights_held.pv.of_peak, 0.85, 1.0 + 1e-6);
    near("v6e, PV as written", at.as_written.pv.of_peak, 0.48, 0.55);
    // Scores in HBM hide all of it.
    assert!(at.in_hbm.total_ms > 2.0 * at.best().total_ms);
    let docs = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let fresh =
        [("head-dimension.md", heads::document(&rows)), ("head-dimension.svg", heads::plot(&rows).unwrap())];
    for (name, text) in fresh {
        let there = std::fs::read_to_string(docs.join(name)).unwrap_or_default();
        assert!(there == text, "stale: docs/{name}; run `cargo xtask head-dimension`");
    }
}
