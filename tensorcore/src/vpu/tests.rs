//! Every kernel against slow references.

use super::*;
use half::{bf16, f16};
use sim_core::ElementType as E;
use sim_core::Numerics;
use sim_core::ir::op::{CompareType, Direction};
use sim_core::ir::{Binary, Unary};

fn call1<A: bytemuck::Pod, R: bytemuck::Pod + Default>(k: Kernel1, a: &[A]) -> Vec<R> {
    let mut out = vec![R::default(); a.len()];
    k(bytemuck::cast_slice(a), bytemuck::cast_slice_mut(&mut out));
    out
}

fn call2<A: bytemuck::Pod, R: bytemuck::Pod + Default>(k: Kernel2, a: &[A], b: &[A]) -> Vec<R> {
    let mut out = vec![R::default(); a.len()];
    k(bytemuck::cast_slice(a), bytemuck::cast_slice(b), bytemuck::cast_slice_mut(&mut out));
    out
}

/// f32 samples: every exponent and sign with some mantissas, and special values.
fn samples() -> Vec<f32> {
    let mut v = Vec::new();
    let mut state = 1u32;
    for exponent in 0..256u32 {
        for sign in 0..2u32 {
            for _ in 0..40 {
                state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                v.push(f32::from_bits(sign << 31 | exponent << 23 | state >> 9));
            }
            v.push(f32::from_bits(sign << 31 | exponent << 23));
        }
    }
    v
}

/// (function, its f64 reference)
const FUNCTIONS: [(Unary, fn(f64) -> f64); 12] = [
    (Unary::Exponential, pxfm::f_exp),
    (Unary::ExponentialMinusOne, pxfm::f_expm1),
    (Unary::Log, pxfm::f_log),
    (Unary::LogPlusOne, pxfm::f_log1p),
    (Unary::Tanh, pxfm::f_tanh),
    (Unary::Logistic, math::exact::logistic),
    (Unary::Sine, pxfm::f_sin),
    (Unary::Cosine, pxfm::f_cos),
    (Unary::Tan, pxfm::f_tan),
    (Unary::Erf, pxfm::f_erf),
    (Unary::Rsqrt, math::exact::rsqrt),
    (Unary::Sqrt, f64::sqrt),
];

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn vector_functions_are_the_rounded_references() {
    let x = samples();
    for (op, reference) in FUNCTIONS {
        let y: Vec<f32> = call1(unary(op, E::F32, &Numerics::ieee()).unwrap(), &x);
        let wrong: Vec<_> =
            x.iter().zip(&y).filter(|(x, y)| !same(**y, reference(**x as f64) as f32)).collect();
        assert!(
            wrong.len() < 2,
            "{op:?}: {} of {}, {:?} wants {:?}",
            wrong.len(),
            x.len(),
            wrong[0],
            reference(*wrong[0].0 as f64)
        );
    }
}

#[test]
fn sixteen_bit_functions_are_right_for_every_argument() {
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    for (op, reference) in FUNCTIONS {
        let y: Vec<u16> = call1(unary(op, E::BF16, &Numerics::ieee()).unwrap(), &bits);
        for (&x, &y) in bits.iter().zip(&y) {
            let want = reference(bf16::from_bits(x).to_f64());
            let want = <bf16 as float::Float>::round(want);
            let y = bf16::from_bits(y);
            assert!(
                y.to_bits() == want.to_bits() || y.is_nan() && want.is_nan(),
                "{op:?} bf16 {} {y} {want}",
                bf16::from_bits(x)
            );
        }
        let y: Vec<u16> = call1(unary(op, E::F16, &Numerics::ieee()).unwrap(), &bits);
        for (&x, &y) in bits.iter().zip(&y) {
            let want = reference(f16::from_bits(x).to_f64());
            let want = <f16 as float::Float>::round(want);
            let y = f16::from_bits(y);
            assert!(
                y.to_bits() == want.to_bits() || y.is_nan() && want.is_nan(),
                "{op:?} f16 {} {y} {want}",
                f16::from_bits(x)
            );
        }
    }
}

#[test]
fn power_is_the_rounded_reference() {
    let special = [0.0f32, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -3.0, 1e30, -1e30, f32::INFINITY, -f32::INFINITY];
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for x in samples().into_iter().step_by(37).chain(special).chain([f32::NAN]) {
        for y in [0.3f32, -0.7, 1.5, -2.0, 7.0, 33.3].into_iter().chain(special).chain([f32::NAN]) {
            a.push(x);
            b.push(y);
        }
    }
    let p: Vec<f32> = call2(binary(Binary::Power, E::F32, &Numerics::ieee()).unwrap(), &a, &b);
    let mut wrong = 0;
    for i in 0..a.len() {
        let want = (a[i] as f64).powf(b[i] as f64) as f32;
        if !same(p[i], want) {
            wrong += 1;
            assert!(wrong < 3, "{} ^ {} = {} wants {want}", a[i], b[i], p[i]);
        }
    }
}

#[test]
fn integer_edges() {
    let n = Numerics::ieee();
    let a = [7i32, -7, i32::MIN, i32::MIN, 5, -1];
    let b = [0i32, 2, -1, 0, -1, 40];
    let k = |op| call2::<i32, i32>(binary(op, E::S32, &n).unwrap(), &a, &b);
    assert_eq!(k(Binary::Divide), [-1, -3, i32::MIN, -1, -5, 0]);
    assert_eq!(k(Binary::Remainder), [7, -1, 0, i32::MIN, 0, -1]);
    assert_eq!(k(Binary::ShiftLeft), [7, -28, 0, i32::MIN, 0, 0]);
    assert_eq!(k(Binary::ShiftRightLogical), [7, 0x3ffffffe, 0, i32::MIN, 0, 0]);
    assert_eq!(k(Binary::ShiftRightArithmetic), [7, -2, -1, i32::MIN, 0, -1]);
    let k4 = |op, a: i8, b: i8| call2::<i8, i8>(binary(op, E::S4, &n).unwrap(), &[a], &[b])[0];
    assert_eq!(k4(Binary::Add, 7, 1), -8);
    assert_eq!(k4(Binary::Multiply, 7, 7), 1);
    assert_eq!(k4(Binary::ShiftRightLogical, -8, 1), 4);
    assert_eq!(k4(Binary::Divide, -8, -1), -8);
    assert_eq!(k4(Binary::Power, 2, 3), -8);
    assert_eq!(k4(Binary::Power, -1, -3), -1);
    assert_eq!(call1::<i8, i8>(unary(Unary::CountLeadingZeros, E::S4, &n).unwrap(), &[1, -1]), [3, 0]);
    assert_eq!(call1::<i8, i8>(unary(Unary::Popcnt, E::S4, &n).unwrap(), &[-1, 5]), [4, 2]);
}

#[test]
fn comparisons() {
    let a = [f32::NAN, -f32::NAN, -0.0, 0.0, 1.0];
    let b = [f32::INFINITY, f32::NEG_INFINITY, 0.0, 0.0, f32::NAN];
    let k = |d, t| call2::<f32, u8>(compare(d, t, E::F32).unwrap(), &a, &b);
    assert_eq!(k(Direction::Lt, CompareType::Float), [0, 0, 0, 0, 0]);
    assert_eq!(k(Direction::Ne, CompareType::Float), [1, 1, 0, 0, 1]);
    assert_eq!(k(Direction::Lt, CompareType::TotalOrder), [0, 1, 1, 0, 1]);
    assert_eq!(k(Direction::Eq, CompareType::TotalOrder), [0, 0, 0, 1, 0]);
}

#[test]
fn every_pair_of_types_converts_and_small_values_survive() {
    for from in E::all() {
        for to in E::all() {
            let there = convert(E::F32, from, &Numerics::ieee()).unwrap();
            let across = convert(from, to, &Numerics::ieee()).unwrap();
            let back = convert(to, E::F32, &Numerics::ieee()).unwrap();
            let mut a = vec![0u64; 4];
            let mut b = vec![0u64; 4];
            let mut c = [0f32; 1];
            let (na, nb) = (from.byte_size(), to.byte_size());
            there(bytemuck::bytes_of(&1f32), &mut bytemuck::cast_slice_mut(&mut a)[..na]);
            across(&bytemuck::cast_slice(&a)[..na], &mut bytemuck::cast_slice_mut(&mut b)[..nb]);
            back(&bytemuck::cast_slice(&b)[..nb], bytemuck::cast_slice_mut(&mut c));
            assert_eq!(c[0], 1.0, "{from} {to}");
        }
    }
}
