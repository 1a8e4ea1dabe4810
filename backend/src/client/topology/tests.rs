use super::*;
use crate::client::status::Code;

fn describe(name: &str, options: &[(&str, Attribute)]) -> Topology {
    Topology::describe(name, options).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// What libtpu 0.0.52 answered: name, devices, kind, limit, the last device, processes.
const LIBTPU: [(&str, usize, &str, i64, &str, i64); 24] = [
    ("v4:1x1x1", 2, "TPU v4", 32745977856, "TPU_1(process=0,(0,0,0,1))", 1),
    ("v4:2x2x1", 8, "TPU v4", 32745971712, "TPU_7(process=0,(1,1,0,1))", 1),
    ("v4:2x2x2", 16, "TPU v4", 32745963520, "TPU_15(process=1,(1,1,1,1))", 2),
    ("v4:4x4", 32, "TPU v4", 32745947136, "TPU_31(process=3,(3,3,0,1))", 4),
    ("v4:4x4x8", 256, "TPU v4", 32745717760, "TPU_255(process=31,(3,3,7,1))", 32),
    ("v5e:1x1", 1, "TPU v5 lite", 16909336064, "TPU_0(process=0,(0,0,0,0))", 1),
    ("v5e:1x2", 2, "TPU v5 lite", 16909335552, "TPU_1(process=0,(0,1,0,0))", 1),
    ("v5e:1x4", 4, "TPU v5 lite", 16909334528, "TPU_3(process=1,(0,3,0,0))", 2),
    ("v5e:4x1", 4, "TPU v5 lite", 16909334528, "TPU_3(process=1,(3,0,0,0))", 2),
    ("TPU v5e:2x2", 4, "TPU v5 lite", 16909334528, "TPU_3(process=0,(1,1,0,0))", 1),
    ("v5e:2x4", 8, "TPU v5 lite", 16909332480, "TPU_7(process=1,(1,3,0,0))", 2),
    ("v5e:16x16", 256, "TPU v5 lite", 16909205504, "TPU_255(process=63,(15,15,0,0))", 64),
    ("v5p:1x1x1", 1, "TPU v5", 102786661888, "TPU_0(process=0,(0,0,0,0))", 1),
    ("TPU v5:2x2x1", 4, "TPU v5", 102786660352, "TPU_3(process=0,(1,1,0,0))", 1),
    ("v5p:1x2x2", 4, "TPU v5", 102786660352, "TPU_3(process=1,(0,1,1,0))", 2),
    ("v5p:4x4x8_untwisted", 128, "TPU v5", 102786596864, "TPU_127(process=31,(3,3,7,0))", 32),
    ("v5p:8x8x8", 512, "TPU v5", 102786400256, "TPU_511(process=127,(7,7,7,0))", 128),
    ("V6E:2x2", 4, "TPU v6 lite", 33546041344, "TPU_3(process=0,(1,1,0,0))", 1),
    ("v6e_1x1x1", 1, "TPU v6 lite", 33546042880, "TPU_0(process=0,(0,0,0,0))", 1),
    ("TPU v6 lite=8x16", 128, "TPU v6 lite", 33545977856, "TPU_127(process=31,(7,15,0,0))", 32),
    ("tpu7x:1x1x1", 2, "TPU7x", 101724453888, "TPU_1(process=0,(0,0,0,1))", 1),
    ("tpu7x:2x2", 8, "TPU7x", 101724450816, "TPU_7(process=0,(1,1,0,1))", 1),
    ("TPU7x:2x2x2", 16, "TPU7x", 101724446720, "TPU_15(process=1,(1,1,1,1))", 2),
    ("tpu7x:4x4x12", 384, "TPU7x", 101724258304, "TPU_383(process=47,(3,3,11,1))", 48),
];

#[test]
fn descriptions_are_libtpus() {
    for (name, devices, kind, limit, last, processes) in LIBTPU {
        let t = describe(name, &[]);
        let end = t.devices.last().unwrap();
        assert_eq!(t.devices.len(), devices, "{name}");
        assert_eq!((end.kind, end.hbm_limit, &*end.debug_string()), (kind, limit, last), "{name}");
        assert_eq!(end.process_index + 1, processes, "{name}");
        let attributes = vec![
            ("device_memory_bytes_limit", Attribute::Int(limit)),
            ("twist", Attribute::Int(0)),
            ("wrap", Attribute::Ints(vec![0; 3])),
        ];
        assert_eq!(t.attributes(), attributes, "{name}");
        assert_eq!(Topology::deserialize(&t.serialize()), Ok(t), "{name}");
    }
}

#[test]
fn devices_are_listed_host_by_host() {
    let ids = |name| describe(name, &[]).devices.iter().map(|d| d.id).take(9).collect::<Vec<_>>();
    assert_eq!(ids("v6e:4x4"), [0, 1, 4, 5, 2, 3, 6, 7, 8]);
    assert_eq!(ids("v4:4x4x4"), [0, 1, 2, 3, 8, 9, 10, 11, 4]);
    assert_eq!(ids("v5p:8x8x8"), [0, 1, 8, 9, 2, 3, 10, 11, 4]);
    let d = &describe("v5e:2x2", &[]).devices[2];
    assert_eq!(d.to_string(), "TpuDevice(id=2, process_index=0, coords=(0,1,0), core_on_chip=0)");
    assert_eq!(
        d.attributes(),
        [
            ("coords", Attribute::Ints(vec![0, 1, 0])),
            ("core_on_chip", Attribute::Int(0)),
            ("num_cores", Attribute::Int(1)),
            ("device_memory_bytes_limit", Attribute::Int(16909334528)),
        ]
    );
    assert_eq!(describe("v5p:1x1x1", &[]).devices[0].num_cores, 2);
}

#[test]
fn a_machine_is_one_process() {
    let t = Topology::parse("v5e:4x4").unwrap();
    for (i, d) in t.devices.iter().enumerate() {
        assert_eq!((d.id, d.local_hardware_id, d.process_index), (i as i64, i as i64, 0));
        assert_eq!(d.coords, [i as i64 % 4, i as i64 / 4, 0]);
        assert_eq!(t.device_index(d.id), Some(i));
        assert!(d.attributes().contains(&("slice_index", Attribute::Int(0))));
    }
    assert_eq!((t.device_index(16), t.device_index(-1)), (None, None));
    assert_eq!(Topology::parse("v6e:8x16").unwrap().wrap, [false, true, false]);
    assert_eq!(Topology::parse("v5p:4x4x8_twisted").unwrap().wrap, [true; 3]);
    assert_eq!(Topology::parse("tpu7x:2x2x1").unwrap().devices.len(), 8);
    // As on real machines, and as JAX wants it for a mesh: both TensorCores are one device.
    let t = Topology::parse("v4:2x2x1").unwrap();
    assert_eq!((t.devices.len(), t.devices[0].num_cores, t.hbm_limit()), (4, 2, 33014413312));
    assert_eq!(Topology::deserialize(&t.serialize()), Ok(t));
    let text = |name| Topology::parse(name).unwrap().name();
    assert_eq!(text("v5litepod-8"), "v5e:2x4");
    assert_eq!(text("v5p-8"), "v5p:2x2x1");
    assert_eq!(text("v4-128"), "v4:4x4x4");
    assert_eq!(text("v7x:2x2x1"), "tpu7x:2x2x1");
}

#[test]
fn several_slices() {
    let t = describe("v4:2x2x2", &[("num_slices", Attribute::Int(2))]);
    assert_eq!(t.devices.len(), 32);
    let d = &t.devices[31];
    assert_eq!((d.id, d.process_index, d.slice_index, d.hbm_limit), (200_015, 3, 1, 32745963520));
    let text = "MegaScalePjRtDevice(wrapped=TPU_15(process=1,(1,1,1,1)), slice_id=1)";
    assert_eq!(d.debug_string(), text);
    let text = "MegaScalePjRtDevice(wrapped=TpuDevice(id=0, process_index=0, coords=(0,0,0), core_on_chip=0), slice_id=0)";
    assert_eq!(t.devices[0].to_string(), text);
    assert_eq!((t.devices[0].id, t.device_index(200_000)), (100_000, Some(16)));
    assert!(d.attributes().contains(&("slice_index", Attribute::Int(1))));
    assert!(t.platform_version().starts_with("megascale+TFRT TPU v4\n"));
    assert_eq!(Topology::deserialize(&t.serialize()), Ok(t));
    assert_eq!(describe("v6e:2x2", &[("num_slices", Attribute::Int(-1))]).slices, 1);
}

#[test]
fn options() {
    let ints = |v: [i64; 3]| Attribute::Ints(v.to_vec());
    let t = describe("v6e:3x3", &[("chips_per_host_bounds", ints([3, 3, 1]))]);
    assert_eq!((t.devices.len(), t.devices[8].process_index, t.hbm_limit()), (9, 0, 33546038784));
    let t = describe("v6e:2x4", &[("chips_per_host_bounds", ints([2, 4, 1]))]);
    assert_eq!(t.devices[7].process_index, 0);
    let t = describe("v5p:4x4x8_twisted", &[("wrap", ints([1, 1, 1]))]);
    assert_eq!(t.attributes()[1..], [("twist", Attribute::Int(1)), ("wrap", ints([1, 1, 1]))]);
    assert_eq!(Topology::deserialize(&t.serialize()), Ok(t));
    assert!(
        Topology::describe("v6e:2x2", &[("chip_config_name", Attribute::String("default".into()))]).is_ok()
    );
    for (name, option, value, says) in [
        ("v6e:2x2", "foo", Attribute::Int(1), "`foo`"),
        ("v6e:2x2", "wrap", Attribute::Ints(vec![1, 1]), "`wrap` is a list of three integers"),
        ("v6e:2x2", "num_slices", Attribute::String("2".into()), "`num_slices` is an integer"),
        ("v6e:2x2", "num_slices", Attribute::Int(i64::MAX), "more than 262144 devices"),
        ("v6e:2x2", "chips_per_host_bounds", ints([4, 4, 1]), "hosts of 4x4x1 chips"),
        ("v6e:2x2", "chips_per_host_bounds", ints([2, 0, -1]), "hosts of 2x0x0 chips"),
        ("v5p:4x4x8_twisted", "num_slices", Attribute::Int(1), "wraps in all dimensions"),
        ("v5p:4x4x4_twisted", "wrap", ints([1, 1, 1]), "ratio 1:1:2"),
        ("v6e:4x8_twisted", "wrap", ints([1, 1, 1]), "ratio 1:1:2"),
    ] {
        let e = Topology::describe(name, &[(option, value)]).unwrap_err();
        assert_eq!(e.code, Code::InvalidArgument);
        assert!(e.message.contains(says), "{name} {option}: {e}");
    }
}

#[test]
fn impossible_names_say_what_is_near() {
    let says = |name| Topology::parse(name).unwrap_err().message;
    assert_eq!(
        says("v5e:3x3"),
        "topology \"v5e:3x3\": a slice of v5e has two sides, powers of two up to 16; \
         near are v5e:2x2, v5e:2x4, v5e:4x4, v5e:4x8"
    );
    for (name, part) in [
        ("v9:2x2", "known are v4:2x2x1, v5e:2x2, v5p:2x2x1, v6e:2x2, tpu7x:2x2x1"),
        ("v6e", "a name is a chip and the shape of a slice"),
        ("", "a name is a chip and the shape of a slice"),
        ("v6e:", "near are"),
        ("v6e:4", "near are"),
        ("v6e:2x", "near are"),
        ("v6e:2x0", "near are"),
        ("v6e:2x2x2", "near are v6e:"),
        ("v6e:32x32", "near are v6e:8x16, v6e:16x16"),
        ("v6e:99999999999999999999x2", "near are"),
        ("v6e:9223372036854775807x9223372036854775807", "near are"),
        ("v5p:6x6x6", "three multiples of 4"),
        ("v5p:2x2x2x2", "near are"),
        ("v5p-7", "near are"),
        ("v5e-5", "near are"),
    ] {
        let message = says(name);
        assert!(message.contains(part), "{name}: {message}");
    }
}

#[test]
fn damaged_bytes_are_refused() {
    let bytes = describe("v5p:4x4x8", &[("num_slices", Attribute::Int(2))]).serialize();
    assert_eq!(
        String::from_utf8_lossy(&bytes),
        "tpusim topology 1\nv5p:4x4x8 cores=2 slices=2 host=2x2x1 wrap=000"
    );
    for i in 0..bytes.len() {
        let _ = Topology::deserialize(&bytes[..i]).map(|t| panic!("{i}: {}", t.name()));
        for b in [0, b'0', b'9', b' ', b'x', 255] {
            let mut bytes = bytes.clone();
            bytes[i] = b;
            let _ = Topology::deserialize(&bytes); // May be another topology, may not panic.
        }
    }
}

#[test]
fn fingerprints_are_stable() {
    let t = Topology::parse("v6e:1x1").unwrap();
    assert_eq!(t.fingerprint(), 646762319490496934);
    assert_ne!(t.fingerprint(), describe("v6e:1x1", &[]).fingerprint());
    assert_eq!(t.platform_name(), "tpu");
    assert!(t.platform_version().starts_with("TFRT TPU v6 lite\ntpusim "));
}
