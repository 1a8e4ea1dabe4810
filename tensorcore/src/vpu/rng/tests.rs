//! Against what XLA:CPU gives through JAX 0.12 (`lax.rng_bit_generator`), and statistics.

use super::*;
use sim_core::{ErrorKind, Numerics};

fn ctx() -> Ctx {
    Ctx::new(Numerics::ieee(), 1 << 30)
}

/// `key = jnp.array([5, 6, 7, 0xffffffff], uint32)`
fn state() -> Tensor {
    Tensor::from_slice(&[2], &[0x6_0000_0005u64, 0xffff_ffff_0000_0007])
}

fn run(algorithm: RngAlgorithm, ty: ElementType, shape: &[usize]) -> (u64, Tensor) {
    let (after, bits) = rng_bit_generator(&ctx(), algorithm, &state(), ty, shape).unwrap();
    assert_eq!(after.as_slice::<u64>()[0], 0x6_0000_0005);
    (after.as_slice::<u64>()[1] - 0xffff_ffff_0000_0007, bits)
}

/// The words of the first counters, as XLA gives them for `uint64[7]`.
const THREEFRY: [u64; 7] = [
    0x707e_d8fa_2716_7ed9,
    0xc5cd_2c1e_4c6c_58e5,
    0x34f6_974b_568d_b708,
    0x39b9_e51c_0b64_a6f5,
    0x092b_e029_68f2_e920,
    0x21a1_ef3d_14f5_06fe,
    0x89cf_1b76_ac25_8f24,
];

#[test]
fn threefry_in_xlas_order() {
    let fry = RngAlgorithm::ThreeFry;
    let (used, bits) = run(fry, ElementType::U64, &[7]);
    assert_eq!((used, bits.as_slice::<u64>()), (7, &THREEFRY[..]));
    let low = |i: usize| THREEFRY[i] as u32;
    let high = |i: usize| (THREEFRY[i] >> 32) as u32;
    let (used, bits) = run(fry, ElementType::U32, &[7]);
    assert_eq!(used, 4);
    assert_eq!(bits.as_slice::<u32>(), [low(0), high(0), low(1), high(1), low(2), high(2), low(3)]);
    let (used, bits) = run(fry, ElementType::U32, &[2, 3]);
    assert_eq!(used, 3);
    assert_eq!(bits.as_slice::<u32>(), [low(0), low(1), low(2), high(0), high(1), high(2)]);
    // All odd: the longest dimension, the first of them.
    let (used, bits) = run(fry, ElementType::U32, &[3, 3]);
    assert_eq!(used, 6);
    let want = [low(0), low(1), low(2), high(0), high(1), high(2), low(3), low(4), low(5)];
    assert_eq!(bits.as_slice::<u32>(), want);
    let (used, bits) = run(fry, ElementType::U32, &[3, 5]);
    assert_eq!(used, 9);
    let want = [low(0), high(0), low(1), high(1), low(2), low(3), high(3), low(4), high(4), low(5)];
    assert_eq!(bits.as_slice::<u32>()[..10], want);
    let (used, bits) = run(fry, ElementType::U32, &[3, 2, 4]);
    assert_eq!(used, 12);
    let want = [low(0), low(1), low(2), low(3), high(0), high(1), high(2), high(3), low(4), low(5)];
    assert_eq!(bits.as_slice::<u32>()[..10], want);
    let (used, bits) = run(fry, ElementType::U32, &[]);
    assert_eq!((used, bits.as_slice::<u32>()), (1, &[low(0)][..]));
    let (_, bits) = run(fry, ElementType::U8, &[7]);
    assert_eq!(bits.bytes(), [0xd9, 0xfa, 0xe5, 0x1e, 0x08, 0x4b, 0xf5]);
    let (_, bits) = run(fry, ElementType::U16, &[2, 3]);
    assert_eq!(bits.as_slice::<u16>(), [0x7ed9, 0x58e5, 0xb708, 0xd8fa, 0x2c1e, 0x974b]);
}

#[test]
fn philox_in_xlas_order() {
    let words =
        [0x7c22_257au32, 0xd49e_4655, 0x96c6_d91c, 0x17c8_a0d0, 0xcda0_0c05, 0x4fd8_5eac, 0x479a_8afe];
    for algorithm in [RngAlgorithm::Philox, RngAlgorithm::Default] {
        let (used, bits) = run(algorithm, ElementType::U32, &[7]);
        assert_eq!((used, bits.as_slice::<u32>()), (2, &words[..]));
        let (used, bits) = run(algorithm, ElementType::U64, &[2, 3]);
        assert_eq!(used, 3);
        assert_eq!(bits.as_slice::<u64>()[..2], [0xd49e_4655_7c22_257a, 0x17c8_a0d0_96c6_d91c]);
        assert_eq!(bits.as_slice::<u64>()[5], 0x2b59_1618_5037_7442);
        let (_, bits) = run(algorithm, ElementType::U8, &[7]);
        assert_eq!(bits.bytes(), [0x7a, 0x55, 0x1c, 0xd0, 0x05, 0xac, 0xfe]);
    }
}

#[test]
fn counters_carry() {
    let full = Tensor::from_slice(&[2], &[u64::MAX - 1, u64::MAX - 1]);
    let (after, bits) =
        rng_bit_generator(&ctx(), RngAlgorithm::ThreeFry, &full, ElementType::U32, &[17]).unwrap();
    assert_eq!(after.as_slice::<u64>(), [u64::MAX - 1, 7]);
    let got = bits.as_slice::<u32>();
    assert_eq!((got[0], got[4], got[16]), (0x12ef_4416, 0x9718_65aa, 0xd1a0_690d));
    let (after, bits) =
        rng_bit_generator(&ctx(), RngAlgorithm::Philox, &full, ElementType::U32, &[17]).unwrap();
    assert_eq!(after.as_slice::<u64>(), [u64::MAX - 1, 3]);
    let got = bits.as_slice::<u32>();
    assert_eq!((got[0], got[4], got[8], got[16]), (0x5079_a8be, 0x7d5c_e3c8, 0x2bda_2dd6, 0xe938_ddef));
}

#[test]
fn large_outputs_are_cut_without_a_seam() {
    for shape in [&[100_001][..], &[2, 50_000], &[40_001, 3], &[3, 2, 30_001], &[70_000, 100]] {
        let (_, bits) = run(RngAlgorithm::ThreeFry, ElementType::U32, shape);
        let split = shape.iter().position(|n| n % 2 == 0).unwrap_or(0);
        let inner: usize = shape[split + 1..].iter().product();
        let pairs = shape[split].div_ceil(2);
        let count = shape[..split].iter().product::<usize>() * pairs * inner;
        let (_, wide) = run(RngAlgorithm::ThreeFry, ElementType::U64, &[count]);
        let wide = wide.as_slice::<u64>();
        for (k, &got) in bits.as_slice::<u32>().iter().enumerate() {
            let (o, d, i) = (k / inner / shape[split], k / inner % shape[split], k % inner);
            let word = wide[(o * pairs + d / 2) * inner + i];
            assert_eq!(got, if d % 2 == 0 { word as u32 } else { (word >> 32) as u32 }, "{shape:?} {k}");
        }
    }
}

#[test]
fn bad_states_are_errors() {
    let three = Tensor::from_slice(&[3], &[1u64, 2, 3]);
    let go = |a, s: &Tensor, ty| rng_bit_generator(&ctx(), a, s, ty, &[4]).map(|r| r.1).unwrap_err().kind();
    assert_eq!(go(RngAlgorithm::ThreeFry, &three, ElementType::U32), ErrorKind::Invalid);
    assert_eq!(go(RngAlgorithm::Philox, &Tensor::scalar(1f32), ElementType::U32), ErrorKind::Invalid);
    assert_eq!(go(RngAlgorithm::Philox, &three, ElementType::C64), ErrorKind::Unsupported);
}

#[test]
fn distributions() {
    let n = 100_000;
    let (a, b) = (Tensor::scalar(2f32), Tensor::scalar(4f32));
    let mean_and_deviation = |t: &Tensor| {
        let x = t.as_slice::<f32>();
        let mean = x.iter().map(|&v| v as f64).sum::<f64>() / n as f64;
        let var = x.iter().map(|&v| (v as f64 - mean).powi(2)).sum::<f64>() / n as f64;
        (mean, var.sqrt())
    };
    let uniform = rng(&ctx(), &a, &b, RngDistribution::Uniform, &[n], 1).unwrap();
    assert!(uniform.as_slice::<f32>().iter().all(|&v| (2.0..4.0).contains(&v)));
    let (mean, deviation) = mean_and_deviation(&uniform);
    assert!((mean - 3.0).abs() < 0.01 && (deviation - (1.0 / 3f64).sqrt()).abs() < 0.01);
    let normal = rng(&ctx(), &a, &b, RngDistribution::Normal, &[n], 1).unwrap();
    let (mean, deviation) = mean_and_deviation(&normal);
    assert!((mean - 2.0).abs() < 0.05 && (deviation - 4.0).abs() < 0.05);
    let (a, b) = (Tensor::scalar(-3i8), Tensor::scalar(5i8));
    let small = rng(&ctx(), &a, &b, RngDistribution::Uniform, &[n], 1).unwrap();
    for v in -3..5 {
        let hits = small.as_slice::<i8>().iter().filter(|&&x| x == v).count();
        assert!(hits.abs_diff(n / 8) < n / 80, "{v}: {hits}");
    }
    assert_eq!(rng(&ctx(), &a, &b, RngDistribution::Uniform, &[n], 1).unwrap(), small);
    assert_ne!(rng(&ctx(), &a, &b, RngDistribution::Uniform, &[n], 2).unwrap(), small);
    assert!(rng(&ctx(), &a, &b, RngDistribution::Normal, &[n], 1).is_err());
}
