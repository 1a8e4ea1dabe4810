//! Windows against element-by-element evaluation.

use super::select_and_scatter::select_and_scatter;
use super::*;
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

fn compare(direction: Direction) -> TileProgram {
    let mut b = TileBuilder::new(&Numerics::ieee());
    let (x, y) = (b.input(E::S32), b.input(E::S32));
    let r = b.compare(direction, CompareType::Signed, x, y).unwrap();
    b.output(r);
    b.finish()
}

/// The last of the values that are not zero.
fn later() -> TileProgram {
    let mut b = TileBuilder::new(&Numerics::ieee());
    let (x, y) = (b.input(E::S32), b.input(E::S32));
    let z = b.splat(E::S32, &[0; 4]).unwrap();
    let p = b.compare(Direction::Ne, CompareType::Signed, y, z).unwrap();
    let r = b.select(p, y, x).unwrap();
    b.output(r);
    b.finish()
}

fn value(i: usize) -> i32 {
    (i as i32).wrapping_mul(0x9e37_79b9u32 as i32) >> 7
}

/// Each window's elements, in order; `None` is padding.
fn windows(shape: &[usize], w: &Window) -> (Vec<usize>, Vec<Vec<Option<usize>>>) {
    let axes = axes(shape, w).unwrap();
    let out: Vec<usize> = axes.iter().map(|a| a.out).collect();
    let unravel = |mut k: usize, sizes: &[usize]| {
        let mut index = vec![0usize; sizes.len()];
        for d in (0..sizes.len()).rev() {
            index[d] = k % sizes[d];
            k /= sizes[d];
        }
        index
    };
    let sizes: Vec<usize> = axes.iter().map(|a| a.window).collect();
    let mut all = Vec::new();
    for o in 0..out.iter().product() {
        let o = unravel(o, &out);
        let mut elements = Vec::new();
        for k in 0..sizes.iter().product() {
            let k = unravel(k, &sizes);
            let mut at = Some(0);
            for (d, a) in axes.iter().enumerate() {
                let x = (o[d] * a.stride + k[d] * a.dilation) as i64 - a.low;
                let by = a.base_dilation as i64;
                let inside = x >= 0 && x % by == 0 && x / by < a.n as i64;
                at = at.filter(|_| inside).map(|at| at * a.n + (x / by) as usize);
            }
            elements.push(at);
        }
        all.push(elements);
    }
    (out, all)
}

type AxisParts = (usize, i64, i64, i64, i64, (i64, i64));

fn axis() -> impl Strategy<Value = AxisParts> {
    prop_oneof![
        (0..9usize, 1..5i64, 1..4i64, 1..3i64, 1..3i64, (-2..5i64, -2..5i64)),
        (1..9usize, 1..40i64, 1..3i64, Just(1i64), 1..3i64, (0..30i64, 0..30i64)),
        (1..9usize, Just(1i64), Just(1i64), Just(1i64), Just(1i64), Just((0i64, 0i64))),
        (2..9usize, any::<bool>()).prop_map(|(n, far)| {
            let rest = n as i64 - 1;
            (n, n as i64, 1, 1, 1, if far { (0, rest) } else { (rest, 0) })
        }),
    ]
}

fn window(parts: &[AxisParts]) -> (Vec<usize>, Window) {
    let shape = parts.iter().map(|p| p.0).collect();
    let w = Window {
        dimensions: parts.iter().map(|p| p.1).collect(),
        strides: parts.iter().map(|p| p.2).collect(),
        base_dilations: parts.iter().map(|p| p.3).collect(),
        window_dilations: parts.iter().map(|p| p.4).collect(),
        padding: parts.iter().map(|p| p.5).collect(),
    };
    (shape, w)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_window(parts in prop::collection::vec(axis(), 0..4), op in 0..3usize, init in -3..3i32) {
        let (shape, w) = window(&parts);
        let n: usize = shape.iter().product();
        let x: Vec<i32> = (0..n).map(value).collect();
        let t = Tensor::from_slice(&shape, &x);
        let (region, f): (TileProgram, fn(i32, i32) -> i32) = match op {
            0 => (body(Binary::Add, E::S32), |a, b| a.wrapping_add(b)),
            1 => (body(Binary::Maximum, E::S32), |a, b| a.max(b)),
            _ => (later(), |a, b| if b != 0 { b } else { a }),
        };
        let got = reduce_window(&ctx(), &[&t], &[&Tensor::scalar(init)], &w, &region).unwrap().remove(0);
        let (out, members) = windows(&shape, &w);
        prop_assert_eq!(got.shape(), &out[..]);
        let want: Vec<i32> = members
            .iter()
            .map(|m| m.iter().fold(init, |acc, at| f(acc, at.map_or(init, |k| x[k]))))
            .collect();
        prop_assert_eq!(got.as_slice::<i32>(), &want[..]);
    }

    #[test]
    fn scatter_of_the_selected(
        parts in prop::collection::vec((1..7usize, 1..4i64, 1..4i64, (0..2i64, 0..2i64)), 1..4),
        direction in 0..3usize,
        any_body in any::<bool>(),
    ) {
        let parts: Vec<AxisParts> = parts.iter().map(|&(n, w, s, p)| (n, w, s, 1, 1, p)).collect();
        let (shape, w) = window(&parts);
        let (out, members) = windows(&shape, &w);
        let n: usize = shape.iter().product();
        let x: Vec<i32> = (0..n).map(|i| value(i) % 5).collect();
        let s: Vec<i32> = (0..members.len()).map(|i| value(i + 1)).collect();
        let (t, source) = (Tensor::from_slice(&shape, &x), Tensor::from_slice(&out, &s));
        let direction = [Direction::Ge, Direction::Gt, Direction::Le][direction];
        let stays = |a: i32, b: i32| match direction {
            Direction::Ge => a >= b,
            Direction::Gt => a > b,
            _ => a <= b,
        };
        let scatter = if any_body { later() } else { body(Binary::Add, E::S32) };
        let join = |a: i32, b: i32| match any_body {
            true if b != 0 => b,
            true => a,
            false => a.wrapping_add(b),
        };
        let got =
            select_and_scatter(&ctx(), &t, &source, &Tensor::scalar(2i32), &w, &compare(direction), &scatter)
                .unwrap();
        let mut want = vec![2i32; n];
        for (m, &v) in members.iter().zip(&s) {
            let best = m.iter().flatten().copied().reduce(|a, b| if stays(x[a], x[b]) { a } else { b });
            if let Some(at) = best {
                want[at] = join(want[at], v);
            }
        }
        prop_assert_eq!(got.as_slice::<i32>(), &want[..]);
    }

    #[test]
    fn scans(a in 1..4usize, n in 1..200_000usize, b in 1..4usize, reverse in any::<bool>()) {
        let n = if a * b > 1 { n / 50 + 1 } else { n };
        let x: Vec<i32> = (0..a * n * b).map(value).collect();
        let t = Tensor::from_slice(&[a, n, b], &x);
        let got = scan::cumulative(&ctx(), &t, &Tensor::scalar(5i32), 1, reverse, Binary::Add).unwrap().unwrap();
        let got = got.as_slice::<i32>();
        for a in 0..a {
            for b_ in 0..b {
                let mut acc = 5i32;
                for i in 0..n {
                    let i = if reverse { n - 1 - i } else { i };
                    let at = (a * n + i) * b + b_;
                    acc = acc.wrapping_add(x[at]);
                    prop_assert_eq!(got[at], acc);
                }
            }
        }
    }
}

#[test]
fn a_cumulative_sum_is_near_the_exact_one() {
    let n = 300_000;
    let x: Vec<f32> = (0..n).map(|i| (value(i) % 1000) as f32 * 1e-3).collect();
    let t = Tensor::from_slice(&[n], &x);
    let w = Window { dimensions: vec![n as i64], padding: vec![(n as i64 - 1, 0)], ..Default::default() };
    let got = reduce_window(&ctx(), &[&t], &[&Tensor::scalar(0f32)], &w, &body(Binary::Add, E::F32)).unwrap();
    let mut sum = 0f64;
    for (got, x) in got[0].as_slice::<f32>().iter().zip(&x) {
        sum += *x as f64;
        assert!((*got as f64 - sum).abs() < 2e-3);
    }
}

#[test]
fn windows_that_do_not_fit_are_errors() {
    let t = Tensor::from_slice(&[4], &[0i32; 4]);
    let init = Tensor::scalar(0i32);
    let add = body(Binary::Add, E::S32);
    for w in [
        Window { dimensions: vec![0], ..Default::default() },
        Window { dimensions: vec![1, 1], ..Default::default() },
        Window { dimensions: vec![2], padding: vec![(i64::MIN, i64::MAX)], ..Default::default() },
        Window {
            dimensions: vec![i64::MAX],
            padding: vec![(0, 1 << 60)],
            window_dilations: vec![i64::MAX],
            base_dilations: vec![i64::MAX],
            ..Default::default()
        },
    ] {
        let _ = reduce_window(&ctx(), &[&t], &[&init], &w, &add).unwrap_err();
    }
}
