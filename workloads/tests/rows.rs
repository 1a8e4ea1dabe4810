//! Rows of both shared files, and rows of the same kinds that are in neither.

use workloads::dumps::Dumps;
use workloads::row::{self, Row};
use workloads::scope::{Class, Measured, Quantity, Workload, scope};

fn shared(name: &str) -> Option<Vec<Row>> {
    let path = workloads::shared().join("facts").join(name);
    if !path.is_file() {
        eprintln!("SKIPPED measured rows: no {} (set TPUSIM_SHARED)", path.display());
        return None;
    }
    Some(row::read(&path).unwrap())
}

fn row(workload: &str, shape: &str, dtype: &str, metric: &str, unit: &str) -> Row {
    Row {
        id: "x".into(),
        chip: "v6e".into(),
        chips: "1".into(),
        workload: workload.into(),
        shape: shape.into(),
        dtype: dtype.into(),
        metric: metric.into(),
        value: Some(1.0),
        unit: unit.into(),
        source: String::new(),
    }
}

fn of(workload: &str, shape: &str, dtype: &str, metric: &str, unit: &str) -> Workload {
    scope(&row(workload, shape, dtype, metric, unit)).unwrap()
}

#[test]
fn every_row_is_in_scope_or_has_a_reason() {
    let (Some(measured), Some(products)) = (shared("measured-dev.csv"), shared("v4-gemm-dev.csv")) else {
        return;
    };
    let mut scoped = 0;
    for row in &measured {
        match scope(row) {
            Ok(workload) => {
                scoped += 1;
                assert!(!workload.parts.is_empty(), "{}", row.id);
            }
            Err(out) => assert!(!out.reason.is_empty() && !out.reason.ends_with('.'), "{}", row.id),
        }
    }
    assert!(scoped > 150, "{scoped} of {}", measured.len());
    assert!(products.iter().all(|r| scope(r).is_ok()));
}

/// What may be seen is kept: nobody needs the compiler for it.
#[test]
fn every_program_of_the_shared_rows_has_a_dump() {
    let (Some(mut rows), Some(products)) = (shared("measured-dev.csv"), shared("v4-gemm-dev.csv")) else {
        return;
    };
    rows.extend(products);
    let dumps = Dumps { folders: Dumps::new().folders[..1].to_vec() };
    let mut missing = Vec::new();
    for row in &rows {
        for workload in scope(row).iter() {
            missing.extend(
                workload
                    .programs()
                    .filter(|p| !dumps.has(&workload.chip, &p.name))
                    .map(|p| format!("{}/{}", workload.chip, p.name)),
            );
        }
    }
    assert!(missing.is_empty(), "cargo xtask score --keep makes {missing:?}");
}

#[test]
fn other_shapes_types_and_chips() {
    let w =
        of("GEMM chained in one jit (device time per GEMM)", "M32 K4096 N1024", "bf16", "device_time", "us");
    assert_eq!((w.class, w.floor_us, w.parts.len()), (Class::GemmThin, 0.0, 2));
    assert_eq!(w.name(), "product-chain128_bf16_32x4096x1024");
    assert_eq!(w.parts[0].times + w.parts[1].times, 0.0);
    let w = of("GEMM chained x16 (per GEMM)", "M512 K14336 N4096", "bf16", "device_time_plus_7us", "us");
    assert_eq!((w.name(), w.parts[0].times), ("product-chain16_bf16_512x14336x4096", 1.0 / 16.0));
    assert!((w.floor_us - 113.0 / 16.0).abs() < 1e-9);
    // `m x n x k`, but where JAX's documents say it.
    let mut r =
        row("GEMM, trace timing", "1024x2048x512", "f32 (default precision)", "throughput", "TFLOP/s (70%)");
    assert_eq!(scope(&r).unwrap().name(), "product_f32_1024x512x2048");
    r.source = "jax-ml/jax docs".into();
    assert_eq!(scope(&r).unwrap().name(), "product_f32_1024x2048x512");
    let w = of("XLA dense GEMM", "64x8192 @ 8192x28672", "bf16", "wall_time", "ms");
    assert_eq!((w.name(), w.class, w.floor_us), ("product_bf16_64x8192x28672", Class::GemmThin, 113.0));
    let w = of(
        "elementwise add n=33554432 (VMEM-resident)",
        "33554432 elements, 201326592 bytes moved",
        "bf16",
        "device_time",
        "us",
    );
    assert_eq!((w.class, w.name()), (Class::ElementwiseVmem, "add-chain128_bf16_33554432"));
    let w = of("elementwise exp n=268435456 (HBM)", "268435456 elements", "bf16", "device_time", "us");
    assert_eq!(w.class, Class::ElementwiseHbm);
    let w = of("elementwise rsqrt unchained wall", "131072 elements", "bf16", "wall_time", "us");
    assert_eq!((w.name(), w.floor_us), ("rsqrt_bf16_131072", 113.0));
    let w = of("HBM stream triad (wall)", "64 MB", "bf16", "bandwidth", "GB/s");
    assert_eq!(
        (w.name(), w.quantity),
        ("triad_bf16_33554432", Quantity::Rate { work: 3.0 * 67_108_864.0 / 1e3 })
    );
    let w = of(
        "KV read/attention decode variant: gather_only",
        "S=512 B=8 GQA 32/8 hd128 page16",
        "bf16",
        "device_time",
        "us",
    );
    assert_eq!((w.class, w.name()), (Class::Copy, "read-table-chain128_bf16_b8_s512_h8_d128_p16"));
    let w = of("Mistral-7B-v0.3 prefill step, vLLM TPU", "ctx=2048 batch=8", "bf16", "device_time", "ms");
    // 16,384 tokens are two programs of 8,192.
    assert_eq!((w.class, w.parts[0].times), (Class::Step, 2.0 * 32.0 / 4.0));
    let mut r = row("GEMM fusion device time", "M128 N256 K384", "f16", "device_time", "us");
    assert_eq!(scope(&r).unwrap().name(), "product_f16_128x384x256");
    r.chip = "v4".into();
    let w = scope(&r).unwrap();
    assert_eq!((w.name(), w.parts[0].measured), ("product_f16_128x384x256_onchip", Measured::OnChip));
    let w = of("Qwen3-8B prefill step, vLLM TPU", "ctx=300 batch=3", "bf16", "device_time", "ms");
    assert_eq!(w.name(), "layers_bf16_t1024_4096x12288x32x8x128n_p512_l4");
    let w = of("async copy HBM->on-chip (copy-done)", "12582936 B f16", "f16", "device_time", "us (9 GB/s)");
    assert_eq!((w.class, w.parts[0].measured), (Class::Copy, Measured::Copies));
}

#[test]
fn reasons_for_what_no_program_answers() {
    let reason = |row: &Row| scope(row).unwrap_err().reason;
    let mut r = row("all-reduce psum", "f32[8,8]", "f32", "device_time", "ms");
    r.chips = "16 (2x2x4, 32 devices)".into();
    assert_eq!(reason(&r), "16 chips run it together");
    let mut r = row("decode of a model", "-", "bf16", "TPOT", "ms");
    r.chips = "see README".into();
    assert!(reason(&r).contains("not stated"));
    assert_eq!(reason(&row("matmul [Pallas bm=512]", "8x8x8", "bf16", "wall_time", "us")), "a Pallas kernel");
    assert!(reason(&row("matmul", "of a model", "bf16", "wall_time", "us")).contains("shape"));
    assert!(reason(&row("matmul", "8x8x8", "not stated", "wall_time", "us")).contains("type"));
    assert!(reason(&row("matmul", "8x8x8", "bf16", "speed", "x faster")).contains("not a time"));
    assert!(reason(&row("wordcount", "8x8x8", "bf16", "wall_time", "us")).contains("no program"));
    let mut r = row("matmul", "8x8x8", "bf16", "wall_time", "us");
    r.value = None;
    assert!(reason(&r).contains("no number"));
    r.chip = "v99".into();
    assert!(reason(&r).contains("v99"));
}
