use super::*;
use crate::ErrorKind;

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> =
        chips().iter().flat_map(|c| c.aliases.iter().chain([&c.name])).map(String::as_str).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(names.iter().all(|n| *n == n.to_ascii_lowercase()));
    for chip in chips() {
        assert_eq!(Chip::named(&chip.kind), Some(chip), "{}", chip.kind);
    }
    assert_eq!(Chip::named("TPU7x").map(|c| c.name.as_str()), Some("v7x"));
    assert_eq!(Chip::named("v5LitePod").map(|c| c.name.as_str()), Some("v5e"));
    assert_eq!(Chip::named("v9"), None);
}

#[test]
fn shapes() {
    let chip = |name| Chip::named(name).and_then(|c| c.slices.as_ref()).unwrap();
    let text = |name, chips| chip(name).usual_shape(chips).map(|s| chip(name).shape_text(s));
    for (chips, shape) in [(1, "1x1"), (4, "2x2"), (8, "2x4"), (16, "4x4"), (32, "4x8"), (256, "16x16")] {
        assert_eq!(text("v5e", chips).as_deref(), Some(shape));
    }
    for (chips, shape) in [
        (1, "1x1x1"),
        (4, "2x2x1"),
        (8, "2x2x2"),
        (16, "2x2x4"),
        (32, "2x4x4"),
        (64, "4x4x4"),
        (128, "4x4x8"),
        (256, "4x8x8"),
        (4096, "16x16x16"),
    ] {
        assert_eq!(text("v5p", chips).as_deref(), Some(shape));
    }
    assert_eq!(text("v6e", 512), None);
    assert_eq!(text("v6e", 3), None);
    for (name, shape, can) in [
        ("v5e", [1, 4, 1], true),
        ("v5e", [2, 2, 2], false),
        ("v5e", [3, 3, 1], false),
        ("v6e", [32, 8, 1], false),
        ("v5p", [4, 4, 12], true),
        ("v5p", [4, 4, 2], true),
        ("v5p", [6, 6, 6], false),
        ("v4", [4, 4, 256], true),
        ("v4", [4, 8, 256], false),
        ("v7x", [16, 16, 36], true),
        ("v4", [0, 1, 1], false),
        ("v4", [usize::MAX, 8, 4], false),
    ] {
        assert_eq!(chip(name).can_be(shape), can, "{name} {shape:?}");
    }
    assert_eq!(chip("v5e").rings([8, 16, 1]), [false, true, false]);
    assert_eq!(chip("v4").rings([4, 4, 8]), [true; 3]);
    assert_eq!(chip("v4").rings([2, 2, 4]), [false; 3]);
    assert_eq!(chip("v6e").of_at_most(9).len(), 4);
}

/// The data sheets' TFLOP/s of bf16, with how far a clock that was rounded may be from them.
#[test]
fn peaks_are_those_of_the_data_sheets() {
    for (name, tflops, within) in [
        ("v4", 275.0, 0.002),
        ("v5e", 197.0, 0.003),
        ("v5p", 459.0, 0.001),
        ("v6e", 918.0, 0.001),
        // Of the default clock; 2307 is that of 2200 MHz.
        ("v7x", 2307.0 * 1900.0 / 2200.0, 0.001),
        ("v8i", 1101.0, 0.001),
        ("v8t", 996.0, 0.001),
    ] {
        let peak = Chip::named(name).unwrap().units().peak_flops(1.0) / 1e12;
        assert!((peak / tflops - 1.0).abs() < within, "{name}: {peak} beside {tflops}");
    }
    let named = |name| Chip::named(name).unwrap().units();
    assert!(named("v4").megacore() && named("v5p").megacore() && !named("v7x").megacore());
    assert_eq!(named("v6e").mxu.int8_rate, 2.0);
}

#[test]
fn devices_are_those_of_libtpu() {
    let chip = |name| Chip::named(name).unwrap();
    let devices = |per_chip, num_cores, hbm_limit, hbm_taken_by_each_chip| Devices {
        per_chip,
        num_cores,
        hbm_limit,
        hbm_taken_by_each_chip,
    };
    assert_eq!(chip("v4").machine(), devices(1, 2, 33_014_414_848, 512));
    assert_eq!(chip("v4").described(), devices(2, 1, 32_745_977_856, 2048));
    assert_eq!(chip("v5e").machine(), devices(1, 1, 16_909_336_064, 512));
    assert_eq!(chip("v5p").described(), devices(1, 2, 102_786_661_888, 512));
    assert_eq!(chip("v6e").machine(), devices(1, 1, 33_546_042_880, 512));
    assert_eq!(chip("v7x").machine(), devices(2, 1, 101_724_453_888, 1024));
}

#[test]
fn every_parameter_has_its_place_and_derived_ones_say_how() {
    for chip in chips() {
        for (key, entry) in KEYS.iter().zip(chip.entries()) {
            assert!(entry.is_some() || key.optional, "{} of {}", key.name, chip.name);
            assert!(!key.about.is_empty() && !key.unit.is_empty(), "{}", key.name);
            let Some(entry) = entry else { continue };
            assert!(!entry.source.is_empty());
            let told = matches!(entry.status, Status::Official | Status::Measured) || entry.note.is_some();
            assert!(told, "{} of {} is {} without a note", key.name, chip.name, entry.status.word());
        }
    }
    let mut names: Vec<_> = KEYS.iter().map(|k| k.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), KEYS.len());
}

#[test]
fn others_than_there_are() {
    let v6e = Chip::named("v6e").unwrap();
    let wide =
        v6e.with(&["hbm.bandwidth_gbps=3200", " mxu.columns = 128 ", "vmem.bytes=64_000_000"]).unwrap();
    assert_eq!(wide.units().hbm.bandwidth_gbps, 3200.0);
    assert_eq!((wide.units().mxu.columns, wide.units().mxu.rows), (128, 256));
    assert_eq!(wide.units().vmem.bytes, 64_000_000);
    let changed: Vec<_> = KEYS
        .iter()
        .zip(wide.entries())
        .filter(|(_, e)| e.as_ref().is_some_and(|e| e.status == Status::Set))
        .map(|(k, e)| (k.name, e.as_ref().unwrap().note.as_deref().unwrap()))
        .collect();
    assert_eq!(
        changed,
        [
            ("mxu.columns", "256 in the chip's file"),
            ("vmem.bytes", "134217728 in the chip's file"),
            ("hbm.bandwidth_gbps", "1638 in the chip's file"),
        ]
    );
    // Numbers beyond what is computed with are refused, those up to it overflow nothing.
    assert!(v6e.with(&["mxu.count=18446744073709551615"]).is_err());
    let huge = v6e.with(&["mxu.count=1000000000000000", "mxu.rows=1000000000000000"]).unwrap();
    assert!(huge.units().peak_flops(1.0) > 1e40);
    // What a chip lacks can be given to it.
    assert_eq!(
        Chip::named("v5e").unwrap().with(&["sparsecore.tiles=16"]).unwrap().units().sparsecore.tiles,
        Some(16)
    );
    for (assignments, message, help) in [
        (&["mxu.colums=128"][..], "no parameter `mxu.colums`", "did you mean `mxu.columns`?"),
        (&["clock_mhz=1"], "no parameter `clock_mhz`", "did you mean `tensorcore.clock_mhz`?"),
        (&["entirely.unknown.thing=1"], "no parameter", "lists all"),
        (&["=1"], "a value without a parameter", "KEY=VALUE"),
        (
            &["count=1"],
            "no parameter `count`",
            "did you mean `mxu.count` or `xlu.count` or `sparsecore.count`?",
        ),
        (&["mxu.columns"], "sets nothing", "KEY=VALUE"),
        (&["mxu.columns=0"], "takes a whole number from 1 to 1e15 (columns), not `0`", ""),
        (&["mxu.columns=12.5"], "takes a whole number", ""),
        (&["mxu.columns=-1"], "takes a whole number", ""),
        (&["mxu.columns=99999999999999999999999"], "takes a whole number", ""),
        (&["hbm.bandwidth_gbps=inf"], "takes a number from 1e-15 to 1e15 (GB/s), not `inf`", ""),
        (&["hbm.bandwidth_gbps=nan"], "takes a number from 1e-15", ""),
        (&["hbm.bandwidth_gbps=1e-300"], "takes a number from 1e-15 to 1e15 (GB/s), not `1e-300`", ""),
        (&["hbm.read_efficiency=1.5"], "takes a number from 1e-6 to 1 ", ""),
        (&["chip.devices=2"], "does not divide", "set both"),
        (&["vmem.bytes=1_000_000"], "vmem.scoped_bytes is 33554432", "set both"),
        (&["hbm.bytes=1_000_000_000"], "hbm.usable_bytes", "set both"),
    ] {
        let error = v6e.with(assignments).expect_err(message);
        assert!(error.message().contains(message), "{error}");
        assert!(error.help_text().unwrap_or_default().contains(help), "{error:?}");
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
}

#[test]
fn files_with_mistakes_are_refused() {
    let good = FILES[3].1;
    assert_eq!(&file::parse("v6e.toml", good).unwrap(), Chip::named("v6e").unwrap());
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        file::parse("v6e.toml", &good.replacen(from, to, 1)).expect_err(to).message().to_owned()
    };
    for (from, to, message) in [
        ("[mxu]", "[mxu", "v6e.toml: TOML parse error at line"),
        ("unit = \"MHz\"", "unit = \"GHz\"", "tensorcore.clock_mhz is in MHz, not in GHz"),
        ("value = 1751", "value = -1", "v6e.toml: "),
        ("columns = {", "colums = {", "no parameter `mxu.colums`"),
        ("status = \"official\"", "status = \"certain\"", "unknown variant `certain`"),
        ("source = \"tpu_info\"", "source = \"hearsay\"", "is from hearsay, which is not in [sources]"),
        ("lanes = {", "#", "vpu.lanes is missing"),
        ("torus = 2", "torus = 4", "slice.torus is 2 or 3"),
        ("full_side = 16", "full_side = 0", "is 0, or far too large"),
        ("name = \"v6e\"", "", "missing field `name`"),
    ] {
        let got = with(from, to);
        assert!(got.contains(message), "{to}: {got}");
    }
}
