//! Dots against obvious loops, and against values that real TPUs printed.

use super::order::{Order, reference_dot};
use super::parts::round_bf16;
use super::*;
use num_complex::Complex;
use proptest::prelude::*;
use sim_core::dtype::{F8E4M3FN, SmallFloat};
use sim_core::ir::op::{DotAlgorithm, DotDims, Precision};
use sim_core::{Ctx, ElementType as E, Numerics, Tensor, Type};

fn ctx(numerics: Numerics) -> Ctx {
    Ctx::new(numerics, 1 << 32)
}

/// Reproducible values in about -2..2 with full mantissas.
fn noise(n: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..n)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u64 << 22) as f32 - 2.0
        })
        .collect()
}

fn matmul_dims() -> DotDims {
    DotDims { lhs_contract: vec![1], rhs_contract: vec![0], ..DotDims::default() }
}

fn matmul(numerics: Numerics, a: &Tensor, b: &Tensor, precision: Precision) -> Tensor {
    dot_general(&ctx(numerics), a, b, &matmul_dims(), &[precision; 2], None, E::F32).unwrap()
}

/// Element indices of a dot_general, by the specification: calls `f(result, lhs, rhs)` for every product.
fn products(lhs: &[usize], rhs: &[usize], d: &DotDims, mut f: impl FnMut(usize, usize, usize)) {
    let us = |v: &[i64]| v.iter().map(|&x| x as usize).collect::<Vec<_>>();
    let (lb, rb, lc, rc) = (us(&d.lhs_batch), us(&d.rhs_batch), us(&d.lhs_contract), us(&d.rhs_contract));
    let lf: Vec<usize> = (0..lhs.len()).filter(|i| !lb.contains(i) && !lc.contains(i)).collect();
    let rf: Vec<usize> = (0..rhs.len()).filter(|i| !rb.contains(i) && !rc.contains(i)).collect();
    let shape = dot_shape(lhs, rhs, d).unwrap();
    let contract: Vec<usize> = lc.iter().map(|&i| lhs[i]).collect();
    let unravel = |mut i: usize, shape: &[usize]| {
        let mut index = vec![0; shape.len()];
        for (x, &n) in index.iter_mut().zip(shape).rev() {
            *x = i % n;
            i /= n;
        }
        index
    };
    let ravel = |index: &[usize], shape: &[usize]| index.iter().zip(shape).fold(0, |a, (&i, &n)| a * n + i);
    for o in 0..shape.iter().product::<usize>() {
        let out = unravel(o, &shape);
        for c in 0..contract.iter().product::<usize>() {
            let k = unravel(c, &contract);
            let (mut l, mut r) = (vec![0; lhs.len()], vec![0; rhs.len()]);
            for (i, &d) in lb.iter().enumerate() {
                l[d] = out[i];
                r[rb[i]] = out[i];
            }
            lf.iter().enumerate().for_each(|(i, &d)| l[d] = out[lb.len() + i]);
            rf.iter().enumerate().for_each(|(i, &d)| r[d] = out[lb.len() + lf.len() + i]);
            lc.iter().zip(&rc).enumerate().for_each(|(i, (&a, &b))| {
                l[a] = k[i];
                r[b] = k[i];
            });
            f(o, ravel(&l, lhs), ravel(&r, rhs));
        }
    }
}

/// A random dot: shapes and dimension numbers with every role at every place.
fn any_dot() -> impl Strategy<Value = (Vec<usize>, Vec<usize>, DotDims)> {
    let sizes = |n| prop::collection::vec(1usize..6, n);
    (0usize..3, 0usize..3, 0usize..3, 0usize..3)
        .prop_flat_map(move |(b, c, lf, rf)| {
            let places = |n: usize| Just((0..n).collect::<Vec<_>>()).prop_shuffle();
            (sizes(b), sizes(c), sizes(lf), sizes(rf), places(b + c + lf), places(b + c + rf))
        })
        .prop_map(|(b, c, lf, rf, lp, rp)| {
            let place = |free: &[usize], places: &[usize]| {
                let mut shape = vec![0; places.len()];
                for (&p, &n) in places.iter().zip(b.iter().chain(&c).chain(free)) {
                    shape[p] = n;
                }
                let dims = |from, n| places[from..from + n].iter().map(|&p| p as i64).collect::<Vec<_>>();
                (shape, dims(0, b.len()), dims(b.len(), c.len()))
            };
            let (lhs, lhs_batch, lhs_contract) = place(&lf, &lp);
            let (rhs, rhs_batch, rhs_contract) = place(&rf, &rp);
            (lhs, rhs, DotDims { lhs_batch, rhs_batch, lhs_contract, rhs_contract })
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_dimension_numbers_in_any_type((lhs, rhs, dims) in any_dot(), seed in 0u64..1000) {
        let (nl, nr) = (lhs.iter().product(), rhs.iter().product());
        let (x, y) = (noise(nl, seed), noise(nr, seed + 7));
        let ieee = ctx(Numerics::ieee());
        let shape = dot_shape(&lhs, &rhs, &dims).unwrap();
        let count: usize = shape.iter().product();
        let run = |a: &Tensor, b: &Tensor, out| dot_general(&ieee, a, b, &dims, &[], None, out).unwrap();

        let got = run(&Tensor::from_slice(&lhs, &x), &Tensor::from_slice(&rhs, &y), E::F32);
        prop_assert_eq!(got.shape(), &shape[..]);
        let mut want = vec![0f64; count];
        products(&lhs, &rhs, &dims, |o, l, r| want[o] += x[l] as f64 * y[r] as f64);
        for (g, w) in got.as_slice::<f32>().iter().zip(&want) {
            prop_assert!((*g as f64 - w).abs() < 1e-4, "{} {}", g, w);
        }

        // Integers: exact, wrapping in the result's type.
        let xi: Vec<i8> = x.iter().map(|v| (v * 63.9) as i8).collect();
        let yi: Vec<i8> = y.iter().map(|v| (v * 63.9) as i8).collect();
        let (a, b) = (Tensor::from_slice(&lhs, &xi), Tensor::from_slice(&rhs, &yi));
        let mut want = vec![0i64; count];
        products(&lhs, &rhs, &dims, |o, l, r| want[o] += xi[l] as i64 * yi[r] as i64);
        let got = run(&a, &b, E::S32);
        prop_assert!(got.as_slice::<i32>().iter().zip(&want).all(|(&g, &w)| g == w as i32));
        let got = run(&a, &b, E::S8);
        prop_assert!(got.as_slice::<i8>().iter().zip(&want).all(|(&g, &w)| g == w as i8));
        let got = run(&a, &b, E::S64);
        prop_assert_eq!(got.as_slice::<i64>(), &want[..]);
        let got = run(&a, &b, E::S4);
        prop_assert!(got.as_slice::<i8>().iter().zip(&want).all(|(&g, &w)| g == (w << 60 >> 60) as i8));

        // i1: or of ands.
        let xp: Vec<u8> = x.iter().map(|v| (*v > 1.0) as u8).collect();
        let yp: Vec<u8> = y.iter().map(|v| (*v > 1.0) as u8).collect();
        let got = run(
            &Tensor::from_slice_as(E::Pred, &lhs, &xp),
            &Tensor::from_slice_as(E::Pred, &rhs, &yp),
            E::Pred,
        );
        let mut want = vec![0u8; count];
        products(&lhs, &rhs, &dims, |o, l, r| want[o] |= xp[l] & yp[r]);
        prop_assert_eq!(got.as_slice::<u8>(), &want[..]);

        // Complex, with a real operand of another type on the other side.
        let xc: Vec<Complex<f64>> = x.iter().map(|&v| Complex::new(v as f64, 1.0 - v as f64)).collect();
        let got = run(&Tensor::from_slice(&lhs, &xc), &Tensor::from_slice(&rhs, &y), E::C128);
        let mut want = vec![Complex::new(0f64, 0.0); count];
        products(&lhs, &rhs, &dims, |o, l, r| want[o] += xc[l] * y[r] as f64);
        for (g, w) in got.as_slice::<Complex<f64>>().iter().zip(&want) {
            prop_assert!((g - w).norm() < 1e-12);
        }
        let x8: Vec<F8E4M3FN> = x.iter().map(|&v| F8E4M3FN::from_f32(v)).collect();
        let yb: Vec<half::bf16> = y.iter().map(|&v| half::bf16::from_f32(v)).collect();
        let got = run(&Tensor::from_slice(&lhs, &x8), &Tensor::from_slice(&rhs, &yb), E::F16);
        let mut want = vec![0f64; count];
        products(&lhs, &rhs, &dims, |o, l, r| want[o] += x8[l].to_f32() as f64 * yb[r].to_f64());
        for (g, w) in got.as_slice::<half::f16>().iter().zip(&want) {
            prop_assert!((g.to_f64() - w).abs() <= 1e-3 * w.abs().max(1.0));
        }
    }

    #[test]
    fn complex_products(m in 1usize..5, n in 1usize..20, k in 1usize..40, seed in 0u64..1000) {
        let z = |n, seed| noise(2 * n, seed).chunks(2).map(|c| Complex::new(c[0], c[1])).collect::<Vec<_>>();
        let (x, y) = (z(m * k, seed), z(k * n, seed + 1));
        let (a, b) = (Tensor::from_slice(&[m, k], &x), Tensor::from_slice(&[k, n], &y));
        let got = dot_general(&ctx(Numerics::ieee()), &a, &b, &matmul_dims(), &[], None, E::C64).unwrap();
        let mut want = vec![Complex::new(0f32, 0.0); m * n];
        products(&[m, k], &[k, n], &matmul_dims(), |o, l, r| want[o] += x[l] * y[r]);
        for (g, w) in got.as_slice::<Complex<f32>>().iter().zip(&want) {
            prop_assert!((g - w).norm() < 1e-3);
        }
    }

    /// The fast product is the slow reference of the MXU's order, to the bit, in every layout.
    #[test]
    fn the_mxu_order_to_the_bit(m in 2usize..20, n in 2usize..40, k in 1usize..700, lt: bool, rt: bool, seed in 0u64..99) {
        let (x, y) = (noise(m * k, seed), noise(n * k, seed + 1));
        let transposed = |v: &[f32], rows: usize, cols: usize| {
            (0..rows * cols).map(|i| v[i % rows * cols + i / rows]).collect::<Vec<_>>()
        };
        let a = if lt { Tensor::from_slice(&[k, m], &transposed(&x, m, k)) } else { Tensor::from_slice(&[m, k], &x) };
        let b = if rt { Tensor::from_slice(&[k, n], &transposed(&y, n, k)) } else { Tensor::from_slice(&[n, k], &y) };
        let dims = DotDims { lhs_contract: vec![!lt as i64], rhs_contract: vec![!rt as i64], ..DotDims::default() };
        let got = dot_general(&ctx(Numerics::tpu()), &a, &b, &dims, &[], None, E::F32).unwrap();
        let rounded = |v: &[f32]| v.iter().map(|&x| round_bf16(x)).collect::<Vec<_>>();
        let (x, y) = (rounded(&x), rounded(&y));
        for i in 0..m {
            for j in 0..n {
                let want = reference_dot(Order::Mxu, &x[i * k..][..k], &y[j * k..][..k]);
                prop_assert_eq!(got.as_slice::<f32>()[i * n + j].to_bits(), want.to_bits());
            }
        }
    }

    /// A product with one row is f32 arithmetic, and does not depend on the layout.
    #[test]
    fn vectors_are_not_rounded(n in 1usize..200, k in 1usize..300, seed in 0u64..99) {
        let (x, y) = (noise(k, seed), noise(n * k, seed + 1));
        let yt: Vec<f32> = (0..n * k).map(|i| y[i % n * k + i / n]).collect();
        let a = Tensor::from_slice(&[1, k], &x);
        let tpu = ctx(Numerics::tpu());
        let rows = DotDims { lhs_contract: vec![1], rhs_contract: vec![1], ..DotDims::default() };
        let one = dot_general(&tpu, &a, &Tensor::from_slice(&[n, k], &y), &rows, &[], None, E::F32).unwrap();
        let two = dot_general(&tpu, &a, &Tensor::from_slice(&[k, n], &yt), &matmul_dims(), &[], None, E::F32).unwrap();
        prop_assert_eq!(&one, &two);
        for (j, g) in one.as_slice::<f32>().iter().enumerate() {
            let want: f64 = (0..k).map(|i| x[i] as f64 * y[j * k + i] as f64).sum();
            prop_assert!((*g as f64 - want).abs() < 1e-4);
        }
    }
}

#[test]
fn large_and_batched_products_agree_with_the_reference_for_any_number_of_threads() {
    let run = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let a = Tensor::from_slice(&[3, 70, 300], &noise(3 * 70 * 300, 1));
            let b = Tensor::from_slice(&[3, 530, 300], &noise(3 * 530 * 300, 2));
            let dims = DotDims {
                lhs_batch: vec![0],
                rhs_batch: vec![0],
                lhs_contract: vec![2],
                rhs_contract: vec![2],
            };
            let batched = dot_general(&ctx(Numerics::tpu()), &a, &b, &dims, &[], None, E::F32).unwrap();
            let a = Tensor::from_slice(&[500, 300], &noise(500 * 300, 1));
            let b = Tensor::from_slice(&[300, 1100], &noise(300 * 1100, 2));
            (batched, matmul(Numerics::tpu(), &a, &b, Precision::Highest))
        })
    };
    let (one, two) = (run(1), run(3));
    assert_eq!(one, two);
    let (x, y) = (noise(3 * 70 * 300, 1), noise(3 * 530 * 300, 2));
    let rounded = |v: &[f32]| v.iter().map(|&x| round_bf16(x)).collect::<Vec<_>>();
    for (b, i, j) in [(0, 0, 0), (1, 69, 529), (2, 13, 511), (2, 42, 512)] {
        let l = rounded(&x[(b * 70 + i) * 300..][..300]);
        let r = rounded(&y[(b * 530 + j) * 300..][..300]);
        assert_eq!(one.0.as_slice::<f32>()[(b * 70 + i) * 530 + j], reference_dot(Order::Mxu, &l, &r));
    }
    let (x, y) = (noise(500 * 300, 1), noise(300 * 1100, 2));
    for (i, j) in [(0, 0), (499, 1099), (250, 513)] {
        let want: f64 = (0..300).map(|k| x[i * 300 + k] as f64 * y[k * 1100 + j] as f64).sum();
        assert!((one.1.as_slice::<f32>()[i * 1100 + j] as f64 - want).abs() < 1e-4);
    }
}

#[test]
fn nothing_to_contract_is_zero() {
    let a = Tensor::from_slice::<f32>(&[2, 0], &[]);
    let b = Tensor::from_slice::<f32>(&[0, 3], &[]);
    assert_eq!(matmul(Numerics::tpu(), &a, &b, Precision::Default), Tensor::from_slice(&[2, 3], &[0f32; 6]));
}

#[test]
fn algorithms() {
    let x = Tensor::from_slice(&[2, 2], &[1.2f32, 0.0, 0.0, 1.2]);
    let run = |t: &str, n: i64, numerics| {
        let ty = Type::Verbatim(t.into());
        let algorithm = DotAlgorithm {
            lhs_precision_type: ty.clone(),
            rhs_precision_type: ty,
            accumulation_type: Type::Scalar(E::F32),
            lhs_component_count: 1,
            rhs_component_count: 1,
            num_primitive_operations: n,
            allow_imprecise_accumulation: false,
        };
        let r = dot_general(&ctx(numerics), &x, &x, &matmul_dims(), &[], Some(&algorithm), E::F32)?;
        Ok::<_, sim_core::Diagnostic>(r.as_slice::<f32>()[0])
    };
    let bf16 = round_bf16(1.2);
    assert_eq!(run("bf16", 1, Numerics::ieee()).unwrap(), bf16 * bf16);
    assert_eq!(run("bf16", 6, Numerics::ieee()).unwrap(), 1.440_000_2);
    assert_eq!(run("f32", 1, Numerics::tpu()).unwrap(), 1.440_000_2);
    assert_eq!(run("f32", 1, Numerics::ieee()).unwrap(), 1.2f32 * 1.2);
    assert!(run("tf32", 5, Numerics::tpu()).is_err());
}

/// jax-ml/jax#9973.
#[test]
fn golden_two_by_two() {
    let a = Tensor::from_slice(&[2, 2], &[0.3744f32, 0.1656, 0.4707, 0.1663]);
    let b = Tensor::from_slice(&[2, 2], &[0.3946f32, 0.1186, 0.1569, 0.3145]);
    let got = matmul(Numerics::tpu(), &a, &b, Precision::Default);
    assert_eq!(got.as_slice::<f32>(), [0.17405128, 0.09669876, 0.21180916, 0.10805416]);
    let got = matmul(Numerics::ieee(), &a, &b, Precision::Default);
    assert_eq!(got.as_slice::<f32>(), [0.17372088, 0.09648504, 0.21183069, 0.10812637]);
}

/// jax-ml/jax#16349: random normals of `PRNGKey(0)`, split in three (the values are XLA:CPU's).
#[test]
fn golden_random_matmul() {
    let x = Tensor::from_slice(&[1, 2, 4], &GOLDEN_X.map(f32::from_bits));
    let w = Tensor::from_slice(&[4, 2], &GOLDEN_W.map(f32::from_bits));
    let dims = DotDims { lhs_contract: vec![2], rhs_contract: vec![0], ..DotDims::default() };
    let got = dot_general(&ctx(Numerics::tpu()), &x, &w, &dims, &[], None, E::F32).unwrap();
    assert_eq!(got.as_slice::<f32>(), [0.31184387, 5.3089447, 0.5985794, 3.6086464]);
}

/// jax-ml/jax#23159: `einsum('btd,adr->brta', arange(40), arange(320))` against exact values.
#[test]
fn golden_integers_above_256_lose_bits() {
    let range = |n: usize| (0..n).map(|i| i as f32).collect::<Vec<_>>();
    let (x, y) = (Tensor::from_slice(&[4, 1, 10], &range(40)), Tensor::from_slice(&[8, 10, 4], &range(320)));
    let dims = DotDims { lhs_contract: vec![2], rhs_contract: vec![1], ..DotDims::default() };
    let run = |numerics| dot_general(&ctx(numerics), &x, &y, &dims, &[], None, E::F32).unwrap();
    let (tpu, exact) = (run(Numerics::tpu()), run(Numerics::ieee()));
    let (mut count, mut most, mut relative) = (0, 0.0f32, 0.0f32);
    for (&t, &e) in tpu.as_slice::<f32>().iter().zip(exact.as_slice::<f32>()) {
        count += (t != e && (t - e).abs() > 1e-7 * e.abs()) as usize;
        most = most.max((t - e).abs());
        relative = relative.max((t - e).abs() / e);
    }
    assert_eq!((count, most), (16, 345.0));
    assert!((relative - 0.00333382).abs() < 1e-8, "{relative}");
}

/// PyTorch/XLA's precision tutorial: a tie, and the product in six passes.
#[test]
fn golden_tie_rounds_to_even() {
    let mut x = vec![0f32; 64 * 64];
    x[0] = 1.003_906_3;
    let x = Tensor::from_slice(&[64, 64], &x);
    assert_eq!(matmul(Numerics::tpu(), &x, &x, Precision::Default).as_slice::<f32>()[0], 1.0);
    let highest = matmul(Numerics::tpu(), &x, &x, Precision::Highest);
    assert_eq!(highest.as_slice::<f32>()[0], 1.007_827_8);
}

/// The matmul recorded on a TPU in 2024 (JAX's export tests), 1,024 sampled values, to the bit.
#[test]
fn golden_recorded_matmul() {
    let shared = std::env::var_os("TPUSIM_SHARED").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        std::path::PathBuf::from,
    );
    let file = shared.join("golden/mosaic_matmul_2024_09_24_expected.npy");
    let Ok(npy) = std::fs::read(&file) else {
        eprintln!("SKIPPED golden_recorded_matmul: no {} (set TPUSIM_SHARED)", file.display());
        return;
    };
    let header = 10 + u16::from_le_bytes([npy[8], npy[9]]) as usize;
    let want: Vec<u32> =
        npy[header..].chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    let x: Vec<f32> = (0..1024 * 512).map(|i| 1.0 + 1e-3f32 * i as f32).collect();
    let y: Vec<f32> = (0..512).flat_map(|r| x[r * 512..r * 512 + 256].to_vec()).collect();
    let (a, b) = (Tensor::from_slice(&[1024, 512], &x), Tensor::from_slice(&[512, 256], &y));
    let got = matmul(Numerics::tpu(), &a, &b, Precision::Default);
    let got: Vec<u32> =
        (0..1024).map(|i| got.as_slice::<f32>()[i / 16 * 16 * 256 + i % 16 * 16].to_bits()).collect();
    assert_eq!(got, want);
}

const GOLDEN_X: [u32; 8] =
    [0xbfcf_4778, 0x3fa4_5590, 0xbf91_851f, 0xbefa_2420, 0xbe47_e9dd, 0x3fc5_4492, 0xbebd_9403, 0xbe36_d5c3];
const GOLDEN_W: [u32; 8] =
    [0xbec5_4fcc, 0xbfbc_412c, 0x3f0b_fa8f, 0x4006_1cc3, 0x3f8e_eb7e, 0x3e25_0afb, 0xbf09_81d6, 0xbf64_632c];
