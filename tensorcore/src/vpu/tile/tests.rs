//! Programs against element-by-element evaluation.

use super::*;
use proptest::prelude::*;
use sim_core::dtype::ElementType as E;
use sim_core::exec::{Combiner, RegionFn};
use sim_core::ir::op::{CompareType, Direction};
use sim_core::ir::{Binary, Unary};
use sim_core::{Ctx, ErrorKind, Numerics, Tensor};
use smallvec::SmallVec;

fn ctx(numerics: Numerics) -> Ctx {
    Ctx::new(numerics, 1 << 30)
}

/// (a - b) * a + iota, and its negation through a second output; in s32.
fn sample(dim: Option<usize>) -> TileProgram {
    let mut b = TileBuilder::new(&Numerics::ieee());
    let (x, y) = (b.input(E::S32), b.input(E::S32));
    let d = b.binary(Binary::Subtract, x, y).unwrap();
    let m = b.binary(Binary::Multiply, d, x).unwrap();
    let unused = b.binary(Binary::Multiply, m, m).unwrap();
    b.binary(Binary::Add, unused, d).unwrap();
    let i = match dim {
        Some(dim) => b.iota(E::S32, dim).unwrap(),
        None => b.splat(E::S32, &7i32.to_le_bytes()).unwrap(),
    };
    let s = b.binary(Binary::Add, m, i).unwrap();
    let z = b.splat(E::S32, &0i32.to_le_bytes()).unwrap();
    let n = b.binary(Binary::Subtract, z, s).unwrap();
    b.output(s);
    b.output(n);
    b.output(y);
    b.finish()
}

#[derive(Clone, Debug)]
struct Pattern {
    len: usize,
    offset: usize,
    strides: Vec<isize>,
}

/// Any strides, with a tensor just large enough.
fn pattern(shape: Vec<usize>) -> impl Strategy<Value = Pattern> {
    let natural: Vec<isize> = row_major(&shape).to_vec();
    let rank = shape.len();
    let each = prop::collection::vec((0..5usize, -3isize..4), rank);
    (each, 0..3usize).prop_map(move |(each, pad)| {
        let strides: Vec<isize> = each
            .iter()
            .zip(&natural)
            .map(|(&(kind, any), &nat)| match kind {
                0 => 0,
                1 => any,
                2 => -nat,
                _ => nat,
            })
            .collect();
        let reach = |s: isize, n: usize| s * (n as isize - 1).max(0);
        let low: isize = strides.iter().zip(&shape).map(|(&s, &n)| reach(s, n).min(0)).sum();
        let high: isize = strides.iter().zip(&shape).map(|(&s, &n)| reach(s, n).max(0)).sum();
        Pattern { len: (high - low) as usize + 1 + pad, offset: (-low) as usize, strides }
    })
}

fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        prop::collection::vec(0..6usize, 0..4),
        prop::collection::vec(1..40usize, 1..4),
        (1..5usize, 500..3000usize).prop_map(|(a, b)| vec![a, b]),
        (500..3000usize, 1..5usize).prop_map(|(a, b)| vec![a, b]),
    ]
}

fn value(i: usize) -> i32 {
    (i as i32).wrapping_mul(0x9e37_79b9u32 as i32) ^ 0x55
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_pattern_is_read_right(
        (shape, a, b) in shapes().prop_flat_map(|s| (Just(s.clone()), pattern(s.clone()), pattern(s))),
        dim in 0..3usize,
    ) {
        let ctx = ctx(Numerics::ieee());
        let tensors: Vec<Tensor> = [&a, &b]
            .iter()
            .map(|p| Tensor::from_slice(&[p.len], &(0..p.len).map(value).collect::<Vec<_>>()))
            .collect();
        let inputs: Vec<TileInput<'_>> = [&a, &b]
            .iter()
            .zip(&tensors)
            .map(|(p, tensor)| TileInput { tensor, offset: p.offset, strides: p.strides.iter().copied().collect() })
            .collect();
        let dim = (dim < shape.len()).then_some(dim);
        let outs = sample(dim).run(&ctx, &shape, &inputs).unwrap();
        let total: usize = shape.iter().product();
        for k in 0..total {
            let mut rest = k;
            let mut index = vec![0usize; shape.len()];
            for d in (0..shape.len()).rev() {
                index[d] = rest % shape[d];
                rest /= shape[d];
            }
            let at = |p: &Pattern| {
                let e: isize = p.strides.iter().zip(&index).map(|(s, &i)| s * i as isize).sum();
                value((p.offset as isize + e) as usize)
            };
            let (x, y) = (at(&a), at(&b));
            let want = x.wrapping_sub(y).wrapping_mul(x).wrapping_add(dim.map_or(7, |d| index[d] as i32));
            prop_assert_eq!(outs[0].as_slice::<i32>()[k], want, "at {:?}", index);
            prop_assert_eq!(outs[1].as_slice::<i32>()[k], 0i32.wrapping_sub(want));
            prop_assert_eq!(outs[2].as_slice::<i32>()[k], y);
        }
    }

    #[test]
    fn in_place_gives_the_same(n in 0..5000usize, output in 0..3usize, input in 0..2usize) {
        let ctx = ctx(Numerics::ieee());
        let x = Tensor::from_slice(&[n], &(0..n).map(value).collect::<Vec<_>>());
        let y = Tensor::from_slice(&[n], &(0..n).map(|i| value(i + 99)).collect::<Vec<_>>());
        let p = sample(None);
        let want = p.run(&ctx, &[n], &[TileInput::full(&x, &[n]), TileInput::full(&y, &[n])]).unwrap();
        let mut inputs = vec![Input::Read(TileInput::full(&x, &[n])), Input::Read(TileInput::full(&y, &[n]))];
        inputs[input] = Input::Donate { tensor: [&x, &y][input].clone(), output };
        let got = p.run_in_place(&ctx, &[n], inputs).unwrap();
        prop_assert_eq!(got, want);
    }
}

#[test]
fn a_large_run_is_cut_into_tasks() {
    let ctx = ctx(Numerics::ieee());
    let n = 300_001;
    let x = Tensor::from_slice(&[n], &(0..n).map(value).collect::<Vec<_>>());
    let y = Tensor::scalar(5i32);
    let outs =
        sample(Some(0)).run(&ctx, &[n], &[TileInput::full(&x, &[n]), TileInput::scalar(&y, 1)]).unwrap();
    let got = outs[0].as_slice::<i32>();
    for (i, &g) in got.iter().enumerate() {
        let v = value(i);
        assert_eq!(g, v.wrapping_sub(5).wrapping_mul(v).wrapping_add(i as i32));
    }
}

#[test]
fn bf16_chains_round_once_under_excess_precision() {
    use half::bf16;
    let chain = |numerics: Numerics| {
        let mut b = TileBuilder::new(&numerics);
        let x = b.input(E::BF16);
        let y = b.input(E::BF16);
        let s = b.binary(Binary::Add, x, y).unwrap();
        let d = b.binary(Binary::Subtract, s, x).unwrap();
        b.output(d);
        let c = b.convert(s, E::F32).unwrap();
        b.output(c);
        let p = b.finish();
        let x = Tensor::scalar(bf16::from_f32(256.0));
        let y = Tensor::scalar(bf16::from_f32(0.5));
        let outs = p.run(&ctx(numerics), &[], &[TileInput::scalar(&x, 0), TileInput::scalar(&y, 0)]).unwrap();
        (outs[0].as_slice::<bf16>()[0].to_f32(), outs[1].as_slice::<f32>()[0])
    };
    assert_eq!(chain(Numerics::ieee()), (0.0, 256.0));
    assert_eq!(chain(Numerics::tpu()), (0.5, 256.5));
}

#[test]
fn comparisons_and_selections() {
    let mut b = TileBuilder::new(&Numerics::ieee());
    let (x, y) = (b.input(E::F32), b.input(E::F32));
    let gt = b.compare(Direction::Gt, CompareType::Float, x, y).unwrap();
    let s = b.select(gt, x, y).unwrap();
    let n = b.unary(Unary::Negate, s).unwrap();
    b.output(n);
    b.output(gt);
    b.output(n);
    let p = b.finish();
    let x = Tensor::from_slice(&[3], &[1f32, 5.0, -2.0]);
    let y = Tensor::from_slice(&[3], &[2f32, 4.0, -3.0]);
    let outs =
        p.run(&ctx(Numerics::ieee()), &[3], &[TileInput::full(&x, &[3]), TileInput::full(&y, &[3])]).unwrap();
    assert_eq!(outs[0].as_slice::<f32>(), [-2.0, -5.0, 2.0]);
    assert_eq!(outs[1].bytes(), [0, 1, 1]);
    assert_eq!(outs[2], outs[0]);
}

#[test]
fn bad_requests_are_errors() {
    let ctx = ctx(Numerics::ieee());
    let x = Tensor::from_slice(&[4], &[0i32; 4]);
    let p = sample(None);
    let bad = TileInput { tensor: &x, offset: 1, strides: SmallVec::from_elem(1, 1) };
    let good = TileInput::full(&x, &[4]);
    for inputs in [vec![bad, good.clone()], vec![good.clone()]] {
        assert_eq!(p.run(&ctx, &[4], &inputs).unwrap_err().kind(), ErrorKind::Invalid);
    }
    let tight = Ctx::new(Numerics::ieee(), 16);
    assert_eq!(p.run(&tight, &[4], &[good.clone(), good]).unwrap_err().kind(), ErrorKind::Resource);
    let mut b = TileBuilder::new(&Numerics::ieee());
    let x = b.input(E::S32);
    assert_eq!(b.bitcast(x, E::S64).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(b.splat(E::S32, &[0]).unwrap_err().kind(), ErrorKind::Invalid);
}

#[test]
fn bodies_of_reductions_are_recognized() {
    let body = |f: &dyn Fn(&mut TileBuilder, Reg, Reg) -> Reg| {
        let mut b = TileBuilder::new(&Numerics::tpu());
        let (x, y) = (b.input(E::BF16), b.input(E::BF16));
        let r = f(&mut b, x, y);
        b.output(r);
        b.finish().combiner()
    };
    let add = Combiner::Binary(Binary::Add);
    assert_eq!(body(&|b, x, y| b.binary(Binary::Add, x, y).unwrap()), Some(add));
    assert_eq!(body(&|b, x, y| b.binary(Binary::Add, y, x).unwrap()), Some(add));
    assert_eq!(body(&|b, x, _| b.binary(Binary::Add, x, x).unwrap()), None);
    assert_eq!(body(&|_, x, _| x), Some(Combiner::First));
    assert_eq!(body(&|_, _, y| y), Some(Combiner::Second));
    let sub = Combiner::Binary(Binary::Subtract);
    assert_eq!(body(&|b, x, y| b.binary(Binary::Subtract, x, y).unwrap()), Some(sub));
    assert_eq!(body(&|b, x, y| b.binary(Binary::Subtract, y, x).unwrap()), None);
}

#[test]
fn lanes_of_a_region() {
    let p = sample(None);
    for n in [0, 1, 3, 1000, 5000] {
        let x: Vec<i32> = (0..n).map(value).collect();
        let y: Vec<i32> = (0..n).map(|i| value(i + 7)).collect();
        let mut outs = vec![vec![0i32; n]; 3];
        let mut slices: Vec<&mut [u8]> = outs.iter_mut().map(|o| bytemuck::cast_slice_mut(o)).collect();
        p.eval(&[bytemuck::cast_slice(&x), bytemuck::cast_slice(&y)], &mut slices, n);
        for i in 0..n {
            assert_eq!(outs[0][i], x[i].wrapping_sub(y[i]).wrapping_mul(x[i]).wrapping_add(7));
        }
    }
}
