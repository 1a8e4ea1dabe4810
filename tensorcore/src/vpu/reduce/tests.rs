//! Reductions against serial folds.

use super::*;
use half::bf16;
use proptest::prelude::*;
use sim_core::dtype::ElementType as E;
use sim_core::ir::op::{CompareType, Direction};
use sim_core::{Ctx, Numerics};

fn ctx() -> Ctx {
    Ctx::new(Numerics::ieee(), 1 << 30)
}

fn body(op: Binary, ty: E) -> TileProgram {
    let mut b = TileBuilder::new(&Numerics::ieee());
    let (x, y) = (b.input(ty), b.input(ty));
    let r = b.binary(op, x, y).unwrap();
    b.output(r);
    b.finish()
}

/// The last of the values that are not zero: associative, and does not commute.
fn later() -> TileProgram {
    let mut b = TileBuilder::new(&Numerics::ieee());
    let (x, y) = (b.input(E::S32), b.input(E::S32));
    let z = b.splat(E::S32, &[0; 4]).unwrap();
    let p = b.compare(Direction::Ne, CompareType::Signed, y, z).unwrap();
    let r = b.select(p, y, x).unwrap();
    b.output(r);
    b.finish()
}

/// The greatest value and its first position.
fn argmax() -> TileProgram {
    let mut b = TileBuilder::new(&Numerics::ieee());
    let (v, i) = (b.input(E::F32), b.input(E::S32));
    let (w, k) = (b.input(E::F32), b.input(E::S32));
    let gt = b.compare(Direction::Gt, CompareType::Float, w, v).unwrap();
    let eq = b.compare(Direction::Eq, CompareType::Float, w, v).unwrap();
    let lt = b.compare(Direction::Lt, CompareType::Signed, k, i).unwrap();
    let tie = b.binary(Binary::And, eq, lt).unwrap();
    let take = b.binary(Binary::Or, gt, tie).unwrap();
    let value = b.select(take, w, v).unwrap();
    let index = b.select(take, k, i).unwrap();
    b.output(value);
    b.output(index);
    b.finish()
}

/// For each result, the flat positions of the elements it reduces, in order.
fn members(shape: &[usize], dims: &[usize]) -> Vec<Vec<usize>> {
    let kept: Vec<usize> = (0..shape.len()).filter(|d| !dims.contains(d)).collect();
    let count: usize = kept.iter().map(|&d| shape[d]).product();
    let mut all = vec![Vec::new(); count];
    for k in 0..shape.iter().product() {
        let mut rest = k;
        let mut index = vec![0; shape.len()];
        for d in (0..shape.len()).rev() {
            index[d] = rest % shape[d];
            rest /= shape[d];
        }
        let at = kept.iter().fold(0, |at, &d| at * shape[d] + index[d]);
        all[at].push(k);
    }
    all
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        4 => prop::collection::vec(0..7usize, 0..5),
        2 => prop::collection::vec(1..40usize, 1..4),
        1 => (1..4usize, 2000..90_000usize).prop_map(|(a, b)| vec![a, b]),
        1 => (2000..90_000usize, 1..4usize).prop_map(|(a, b)| vec![a, b]),
        1 => (1..20usize, 17_000..20_000usize).prop_map(|(a, b)| vec![a, b]),
        1 => (2..4usize, 100..300usize, 200..400usize).prop_map(|(a, b, c)| vec![a, b, c]),
    ]
}

fn value(i: usize) -> i32 {
    (i as i32).wrapping_mul(0x9e37_79b9u32 as i32) >> 7
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn integers(shape in shapes(), mask in 0..16u32, op in 0..5usize) {
        let op = [Binary::Add, Binary::Maximum, Binary::Xor, Binary::Multiply, Binary::Subtract][op];
        let dims: Vec<usize> = (0..shape.len()).filter(|d| mask >> d & 1 == 1).collect();
        let n: usize = shape.iter().product();
        let x: Vec<i32> = (0..n).map(value).collect();
        let t = Tensor::from_slice(&shape, &x);
        let init = Tensor::scalar(3i32);
        // The last stands for a body that is no single operation.
        let (region, f): (TileProgram, fn(i32, i32) -> i32) = match op {
            Binary::Add => (body(op, E::S32), |a, b| a.wrapping_add(b)),
            Binary::Maximum => (body(op, E::S32), |a, b| a.max(b)),
            Binary::Xor => (body(op, E::S32), |a, b| a ^ b),
            Binary::Multiply => (body(op, E::S32), |a, b| a.wrapping_mul(b)),
            _ => (later(), |a, b| if b != 0 { b } else { a }),
        };
        let got = reduce(&ctx(), &[&t], &[&init], &dims, &region).unwrap().remove(0);
        let want: Vec<i32> =
            members(&shape, &dims).iter().map(|m| m.iter().fold(3, |acc, &k| f(acc, x[k]))).collect();
        prop_assert_eq!(got.as_slice::<i32>(), &want[..]);
    }

    #[test]
    fn pairs(shape in shapes(), mask in 0..16u32) {
        let dims: Vec<usize> = (0..shape.len()).filter(|d| mask >> d & 1 == 1).collect();
        let n: usize = shape.iter().product();
        let x: Vec<f32> = (0..n).map(|i| (value(i) % 100) as f32).collect();
        let i: Vec<i32> = (0..n as i32).collect();
        let (tx, ti) = (Tensor::from_slice(&shape, &x), Tensor::from_slice(&shape, &i));
        let inits = (Tensor::scalar(f32::NEG_INFINITY), Tensor::scalar(0i32));
        let got = reduce(&ctx(), &[&tx, &ti], &[&inits.0, &inits.1], &dims, &argmax()).unwrap();
        for (at, m) in members(&shape, &dims).iter().enumerate() {
            let best = m.iter().fold((f32::NEG_INFINITY, 0), |b, &k| if x[k] > b.0 { (x[k], k) } else { b });
            prop_assert_eq!(got[0].as_slice::<f32>()[at], best.0);
            prop_assert_eq!(got[1].as_slice::<i32>()[at], best.1 as i32);
        }
    }

    #[test]
    fn fused_with_a_producer(shape in shapes(), mask in 0..16u32, store in any::<bool>()) {
        let dims: Vec<usize> = (0..shape.len()).filter(|d| mask >> d & 1 == 1).collect();
        let n: usize = shape.iter().product();
        let x: Vec<f32> = (0..n).map(|i| (value(i) % 100) as f32 / 64.0).collect();
        let t = Tensor::from_slice(&shape, &x);
        let mut b = TileBuilder::new(&Numerics::ieee());
        let v = b.input(E::F32);
        let sq = b.binary(Binary::Multiply, v, v).unwrap();
        b.output(sq);
        b.output(v);
        if store {
            let neg = b.unary(sim_core::ir::Unary::Negate, sq).unwrap();
            b.output(neg);
            b.output(sq);
        }
        let p = b.finish();
        let inits = (Tensor::scalar(0f32), Tensor::scalar(f32::INFINITY));
        let ops = [Binary::Add, Binary::Minimum];
        let inputs = [TileInput::full(&t, &shape)];
        let got = reduce_fused(&ctx(), &p, &inputs, &shape, &dims, Body::Ops(&ops), &[&inits.0, &inits.1]).unwrap();
        let squares: Vec<f32> = x.iter().map(|v| v * v).collect();
        // The same bits as without fusion, and near the exact sum.
        let made = Tensor::from_slice(&shape, &squares);
        let alone = reduce(&ctx(), &[&made], &[&inits.0], &dims, &body(Binary::Add, E::F32)).unwrap();
        if !store {
            prop_assert_eq!(&got[0], &alone[0]);
        }
        for (at, m) in members(&shape, &dims).iter().enumerate() {
            let sum: f64 = m.iter().map(|&k| squares[k] as f64).sum();
            prop_assert!((got[0].as_slice::<f32>()[at] as f64 - sum).abs() <= 1e-5 * sum);
            let least = m.iter().fold(f32::INFINITY, |a, &k| a.min(x[k]));
            prop_assert_eq!(got[1].as_slice::<f32>()[at], least);
        }
        if store {
            let negated: Vec<f32> = squares.iter().map(|v| -v).collect();
            prop_assert_eq!(got[2].as_slice::<f32>(), &negated[..]);
            prop_assert_eq!(got[3].as_slice::<f32>(), &squares[..]);
        }
    }
}

#[test]
fn every_type_sums() {
    for ty in E::all() {
        let Some(to) = crate::vpu::convert(E::S32, ty, &Numerics::ieee()) else { continue };
        let Some(back) = crate::vpu::convert(ty, E::S32, &Numerics::ieee()) else { continue };
        if crate::vpu::binary(Binary::Add, ty, &Numerics::ieee()).is_none() {
            continue;
        }
        for numerics in [Numerics::ieee(), Numerics::tpu()] {
            let ctx = Ctx::new(numerics, 1 << 30);
            let ones = [0i32, 0, 1, 0, 0, 0];
            let mut t = ctx.alloc(ty, &[2, 3]).unwrap();
            to(bytemuck::cast_slice(&ones), t.bytes_mut());
            let init = ctx.alloc_zeroed(ty, &[]).unwrap();
            let mut b = TileBuilder::new(&numerics);
            let (x, y) = (b.input(ty), b.input(ty));
            let r = b.binary(Binary::Add, x, y).unwrap();
            b.output(r);
            let sums = reduce(&ctx, &[&t], &[&init], &[1], &b.finish()).unwrap().remove(0);
            let mut got = [9i32; 2];
            if ty == E::F8E8M0FNU {
                continue; // Has no zero.
            }
            back(sums.bytes(), bytemuck::cast_slice_mut(&mut got));
            assert_eq!(got, [1, 0], "{ty}");
        }
    }
}

#[test]
fn bf16_sums_are_rounded_once() {
    let t = Tensor::from_slice(&[1000], &vec![bf16::from_f32(1.0); 1000]);
    let init = Tensor::scalar(bf16::ZERO);
    let sum = reduce(&ctx(), &[&t], &[&init], &[0], &body(Binary::Add, E::BF16)).unwrap();
    assert_eq!(sum[0].as_slice::<bf16>()[0].to_f32(), 1000.0);
}

#[test]
fn nan_wins_and_zero_keeps_its_sign() {
    let t = Tensor::from_slice(&[3], &[1f32, f32::NAN, 2.0]);
    let init = Tensor::scalar(f32::NEG_INFINITY);
    let max = reduce(&ctx(), &[&t], &[&init], &[0], &body(Binary::Maximum, E::F32)).unwrap();
    assert!(max[0].as_slice::<f32>()[0].is_nan());
    let t = Tensor::from_slice(&[2], &[-0f32, -0.0]);
    let sum = reduce(&ctx(), &[&t], &[&Tensor::scalar(-0f32)], &[0], &body(Binary::Add, E::F32)).unwrap();
    assert!(sum[0].as_slice::<f32>()[0].is_sign_negative());
}

#[test]
fn threads_do_not_change_a_sum() {
    let n = 3 << 20;
    let x: Vec<f32> = (0..n).map(|i| value(i) as f32 * 1e-3).collect();
    let t = Tensor::from_slice(&[3, n / 3], &x);
    let sum = |threads: usize, dims: &[usize]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            reduce(&ctx(), &[&t], &[&Tensor::scalar(0f32)], dims, &body(Binary::Add, E::F32)).unwrap()
        })
    };
    for dims in [&[0][..], &[1], &[0, 1]] {
        assert_eq!(sum(1, dims), sum(3, dims));
    }
}
