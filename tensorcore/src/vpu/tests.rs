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

type Reference = fn(f64) -> f64;

/// (function, its f64 reference)
const FUNCTIONS: [(Unary, Reference); 12] = [
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

fn ulps(a: f64, b: f64) -> u64 {
    if a == b || a.is_nan() && b.is_nan() {
        return 0;
    }
    let key = |x: f64| {
        let i = x.to_bits() as i64;
        if i < 0 { i64::MIN.wrapping_sub(i) } else { i }
    };
    key(a).abs_diff(key(b))
}

/// Small floats and all of their codes: what f64 says, rounded by the format's own slow encoder.
#[test]
fn small_floats_for_every_code() {
    use sim_core::dtype::*;
    fn all<T: SmallFloat>(ty: E) {
        let bits: Vec<u8> = (0..=255).collect();
        let y: Vec<u8> = call1(unary(Unary::Exponential, ty, &Numerics::ieee()).unwrap(), &bits);
        for (&x, &y) in bits.iter().zip(&y) {
            let want = T::from_f64(pxfm::f_exp(T::from_bits(x).to_f32() as f64));
            assert_eq!(y, want.to_bits(), "{ty} {x:#x}");
        }
        for a in 0..=255u8 {
            let a = vec![a; 256];
            let y: Vec<u8> = call2(binary(Binary::Multiply, ty, &Numerics::ieee()).unwrap(), &a, &bits);
            for ((&a, &b), &y) in a.iter().zip(&bits).zip(&y) {
                let product = T::from_bits(a).to_f32() as f64 * T::from_bits(b).to_f32() as f64;
                let (y, want) = (T::from_bits(y), T::from_f64(product));
                let nan = y.to_f32().is_nan() && want.to_f32().is_nan();
                assert!(y.to_bits() == want.to_bits() || nan, "{ty} {a:#x} * {b:#x}");
            }
        }
    }
    all::<F8E3M4>(E::F8E3M4);
    all::<F8E4M3>(E::F8E4M3);
    all::<F8E4M3FN>(E::F8E4M3FN);
    all::<F8E4M3FNUZ>(E::F8E4M3FNUZ);
    all::<F8E4M3B11FNUZ>(E::F8E4M3B11FNUZ);
    all::<F8E5M2>(E::F8E5M2);
    all::<F8E5M2FNUZ>(E::F8E5M2FNUZ);
    all::<F8E8M0FNU>(E::F8E8M0FNU);
}

/// `golden/README.md`: "Subnormals and special values", and the same with IEEE's rules.
#[test]
fn what_the_tpu_does_differently() {
    let (tpu, ieee) = (Numerics::tpu(), Numerics::ieee());
    let f =
        |op, n: &Numerics, a: f32, b: f32| call2::<f32, f32>(binary(op, E::F32, n).unwrap(), &[a], &[b])[0];
    let bits = |x: f32| x.to_bits();
    for (op, a, b, on_tpu, by_ieee) in [
        (Binary::Maximum, 0.0, -0.0, -0.0f32, 0.0f32),
        (Binary::Maximum, -0.0, 0.0, 0.0, 0.0),
        (Binary::Minimum, 0.0, -0.0, -0.0, -0.0),
        (Binary::Minimum, -0.0, 0.0, 0.0, -0.0),
        (Binary::Multiply, 1e-20, -1e-20, -0.0, -1e-20 * 1e-20),
        (Binary::Add, 1.5e-38, -1.2e-38, 0.0, 1.5e-38 - 1.2e-38),
        (Binary::Divide, 1e-39, 1e-39, 0.0, 1.0),
        (Binary::Divide, 2f32.powi(127), 2f32.powi(127), 0.0, 1.0),
        (Binary::Divide, 1.0, 3.0, 1.0 / 3.0, 1.0 / 3.0),
        (Binary::Power, 1.0, f32::INFINITY, 1.0, 1.0),
        (Binary::Power, 0.0, 0.0, 1.0, 1.0),
        (Binary::Atan2, -0.0, -0.0, -std::f32::consts::PI, -std::f32::consts::PI),
    ] {
        assert_eq!(bits(f(op, &tpu, a, b)), bits(on_tpu), "tpu {op:?} {a} {b}");
        assert_eq!(bits(f(op, &ieee, a, b)), bits(by_ieee), "ieee {op:?} {a} {b}");
    }
    for n in [tpu, ieee] {
        assert_eq!(f(Binary::Power, &n, f32::NAN, 0.0), 1.0);
        assert_eq!(f(Binary::Power, &n, 1.0, f32::NAN), 1.0);
        assert!(
            f(Binary::Maximum, &n, f32::NAN, 0.0).is_nan() && f(Binary::Minimum, &n, 0.0, f32::NAN).is_nan()
        );
    }
}

/// Every result is exactly a pair of f32, and products and sums hold some 44 bits.
#[test]
fn f64_pairs() {
    let tpu = Numerics::tpu();
    let x = [1.0 / 3.0, 1e10 + 0.1, -2.5e-7, std::f64::consts::PI, 0.0, -0.0, 1e200, f64::INFINITY];
    let y = [3.0, -1e10, 1.25e-6, 1e-10, -0.0, -0.0, 1.0, 1.0];
    type Exact = fn(f64, f64) -> f64;
    let exact: [(Binary, Exact); 4] = [
        (Binary::Add, |a, b| a + b),
        (Binary::Subtract, |a, b| a - b),
        (Binary::Multiply, |a, b| a * b),
        (Binary::Divide, |a, b| a / b),
    ];
    for (op, reference) in exact {
        let z: Vec<f64> = call2(binary(op, E::F64, &tpu).unwrap(), &x, &y);
        for i in 0..z.len() {
            let hi = z[i] as f32;
            let lo = if hi.is_finite() { (z[i] - hi as f64) as f32 } else { 0.0 };
            assert!(hi as f64 + lo as f64 == z[i] || z[i].is_nan(), "{op:?} {} is no pair", z[i]);
            if i < 4 {
                let want = reference(x[i], y[i]);
                let scale = want.abs().max(x[i].abs() * 1e-3).max(1e-30);
                assert!((z[i] - want).abs() < 1e-12 * scale, "{op:?} {} {want}", z[i]);
            }
        }
    }
}

#[test]
fn complex_functions() {
    use num_complex::Complex64 as C;
    let n = Numerics::ieee();
    let call = |op, x: C| call1::<[f64; 2], [f64; 2]>(unary(op, E::C128, &n).unwrap(), &[[x.re, x.im]])[0];
    // The table's values are mpmath's, with 40 digits.
    for (op, x, re, im) in COMPLEX {
        let y = call(op, C::new(x.0, x.1));
        assert!(ulps(y[0], re) <= 3 && ulps(y[1], im) <= 3, "{op:?} {x:?}: {y:?} wants {re} {im}");
    }
    // No overflow on the way.
    assert!(ulps(call(Unary::Sqrt, C::new(1e308, 1e308))[1], 4.5508986056222734e+153) < 3);
    assert!(ulps(call(Unary::Log, C::new(1.5e308, 1.5e308))[0], 709.9482473405542) < 3);
    let quotient = call2::<[f64; 2], [f64; 2]>(
        binary(Binary::Divide, E::C128, &n).unwrap(),
        &[[1e308, 1e308], [1e-308, 0.0]],
        &[[1e308, 1e308], [1e-308, 1e-308]],
    );
    assert_eq!(quotient, [[1.0, 0.0], [0.5, -0.5]]);
}

/// (operation, argument, real and imaginary part of the result)
const COMPLEX: [(Unary, (f64, f64), f64, f64); 80] = [
    (Unary::Exponential, (0.7, -1.3), 0.5386764903879437, -1.9403679046892117),
    (Unary::Exponential, (-2.25, 0.4), 0.09707911454208407, 0.04104439130949841),
    (Unary::Exponential, (3.1, 2.9), -21.55328204630857, 5.310844954009573),
    (Unary::Exponential, (-0.001, 1.0002), 0.5395941368423884, 0.8407378700597773),
    (Unary::ExponentialMinusOne, (0.7, -1.3), -0.4613235096120562, -1.9403679046892117),
    (Unary::ExponentialMinusOne, (-2.25, 0.4), -0.9029208854579159, 0.04104439130949841),
    (Unary::ExponentialMinusOne, (3.1, 2.9), -22.55328204630857, 5.310844954009573),
    (Unary::ExponentialMinusOne, (-0.001, 1.0002), -0.4604058631576116, 0.8407378700597773),
    (Unary::Log, (0.7, -1.3), 0.38966243840049886, -1.0768549578753155),
    (Unary::Log, (-2.25, 0.4), 0.8264881072242919, 2.9656530281372655),
    (Unary::Log, (3.1, 2.9), 1.4457411260900959, 0.7520771675192011),
    (Unary::Log, (-0.001, 1.0002), 0.00020047980247642878, 1.5717961265017555),
    (Unary::LogPlusOne, (0.7, -1.3), 0.7608494990630468, -0.6528466311007743),
    (Unary::LogPlusOne, (-2.25, 0.4), 0.2718883619528383, 2.831889709047337),
    (Unary::LogPlusOne, (3.1, 2.9), 1.6138186652683868, 0.6156198894291098),
    (Unary::LogPlusOne, (-0.001, 1.0002), 0.3461736904026869, 0.7859984034214003),
    (Unary::Sqrt, (0.7, -1.3), 1.0431879758757143, -0.6230900039413809),
    (Unary::Sqrt, (-2.25, 0.4), 0.13281373499244686, 1.505868350222769),
    (Unary::Sqrt, (3.1, 2.9), 1.916376405531834, 0.7566363245834239),
    (Unary::Sqrt, (-0.001, 1.0002), 0.7068240586949114, 0.7075310946876805),
    (Unary::Rsqrt, (0.7, -1.3), 0.706536049649906, 0.4220098008621386),
    (Unary::Rsqrt, (-2.25, 0.4), 0.05811707733003392, -0.658942897462558),
    (Unary::Rsqrt, (3.1, 2.9), 0.45144351822644924, -0.1782418962171867),
    (Unary::Rsqrt, (-0.001, 1.0002), 0.7066823689506792, -0.7073892632112199),
    (Unary::Sine, (0.7, -1.3), 1.2696978072048746, -1.298994538184445),
    (Unary::Sine, (-2.25, 0.4), -0.8411534364235541, -0.25802377654134545),
    (Unary::Sine, (3.1, 2.9), 0.37899045277975973, -9.05172591577367),
    (Unary::Sine, (-0.001, 1.0002), -0.001543315448697881, 1.1755092455219782),
    (Unary::Cosine, (0.7, -1.3), 1.5074383508731426, 1.0941280057977618),
    (Unary::Cosine, (-2.25, 0.4), -0.6791011482432262, 0.3195953752665457),
    (Unary::Cosine, (3.1, 2.9), -9.106701549013248, -0.3767025508406016),
    (Unary::Cosine, (-0.001, 1.0002), 1.5433149342593635, 0.0011755096373585502),
    (Unary::Tan, (0.7, -1.3), 0.14201665536948033, -0.9648016035093661),
    (Unary::Tan, (-2.25, 0.4), 0.8676514750772856, 0.7882790018895864),
    (Unary::Tan, (3.1, 2.9), -0.0005000931995461092, 0.993983853916725),
    (Unary::Tan, (-0.001, 1.0002), -0.000419846310419112, 0.761678457818779),
    (Unary::Tanh, (0.7, -1.3), 1.47162844587362, -0.3983751953569775),
    (Unary::Tanh, (-2.25, 0.4), -0.9845153598274183, 0.015693351886412073),
    (Unary::Tanh, (3.1, 2.9), 0.9964104781953175, -0.0018789945704519714),
    (Unary::Tanh, (-0.001, 1.0002), -0.003427644463512027, 1.558087701304666),
    (Unary::Sinh, (0.7, -1.3), 0.20292025165577843, -1.209428369457654),
    (Unary::Sinh, (-2.25, 0.4), -4.320852142865547, 1.8678713764833066),
    (Unary::Sinh, (3.1, 2.9), -10.754770577705536, 2.660811472731928),
    (Unary::Sinh, (-0.001, 1.0002), -0.0005401340908885921, 0.8415794492284794),
    (Unary::Cosh, (0.7, -1.3), 0.33575623873216537, -0.7309395352315579),
    (Unary::Cosh, (-2.25, 0.4), 4.417931257407631, -1.8268269851738081),
    (Unary::Cosh, (3.1, 2.9), -10.798511468603037, 2.6500334812776445),
    (Unary::Cosh, (-0.001, 1.0002), 0.5401342709332769, -0.0008415791687021086),
    (Unary::Logistic, (0.7, -1.3), 0.7490969089822612, -0.31640459059421194),
    (Unary::Logistic, (-2.25, 0.4), 0.08976275864836289, 0.03405418353452923),
    (Unary::Logistic, (3.1, 2.9), 1.0456088431412545, 0.011785051842776107),
    (Unary::Logistic, (-0.001, 1.0002), 0.49967535297530696, 0.2732160820907389),
    (Unary::Asin, (0.7, -1.3), 0.4147526070737909, -1.1497994455842555),
    (Unary::Asin, (-2.25, 0.4), -1.3757629184504796, 1.4718921889902925),
    (Unary::Asin, (3.1, 2.9), 0.8048469110782639, 2.1382520354820587),
    (Unary::Asin, (-0.001, 1.0002), -0.0007070360445726862, 0.8815151780639743),
    (Unary::Acos, (0.7, -1.3), 1.1560437197211058, 1.1497994455842555),
    (Unary::Acos, (-2.25, 0.4), 2.946559245245376, -1.4718921889902925),
    (Unary::Acos, (3.1, 2.9), 0.7659494157166327, -2.1382520354820587),
    (Unary::Acos, (-0.001, 1.0002), 1.5715033628394692, -0.8815151780639743),
    (Unary::Atan, (0.7, -1.3), 1.13556447511185, -0.5747827145314895),
    (Unary::Atan, (-2.25, 0.4), -1.1621954719161147, 0.06464057906934233),
    (Unary::Atan, (3.1, 2.9), 1.396127832862611, 0.15747973633823023),
    (Unary::Atan, (-0.001, 1.0002), -0.8843459183040507, 3.7906961114703837),
    (Unary::Asinh, (0.7, -1.3), 1.0331308903624445, -0.9636735189630229),
    (Unary::Asinh, (-2.25, 0.4), -1.5621231808088805, 0.16138655482404468),
    (Unary::Asinh, (3.1, 2.9), 2.140096252022651, 0.7382814821252527),
    (Unary::Asinh, (-0.001, 1.0002), -0.03492749423579521, 1.542167496811198),
    (Unary::Acosh, (0.7, -1.3), 1.1497994455842555, -1.1560437197211058),
    (Unary::Acosh, (-2.25, 0.4), 1.4718921889902925, 2.946559245245376),
    (Unary::Acosh, (3.1, 2.9), 2.1382520354820587, 0.7659494157166327),
    (Unary::Acosh, (-0.001, 1.0002), 0.8815151780639743, 1.5715033628394692),
    (Unary::Atanh, (0.7, -1.3), 0.23627140845552494, -0.9984220549208925),
    (Unary::Atanh, (-2.25, 0.4), -0.45714190337580546, 1.4771753832323393),
    (Unary::Atanh, (3.1, 2.9), 0.1691577197610624, 1.4065795587175267),
    (Unary::Atanh, (-0.001, 1.0002), -0.0004998999266666516, 0.7854984033481149),
    (Unary::Sign, (0.7, -1.3), 0.4740998230350174, -0.8804710999221753),
    (Unary::Sign, (-2.25, 0.4), -0.9845625077859067, 0.17503333471749452),
    (Unary::Sign, (3.1, 2.9), 0.7302714135188956, 0.683157128775741),
    (Unary::Sign, (-0.001, 1.0002), -0.0009997995402922562, 0.9999995002003147),
];

#[test]
fn zeta_and_polygamma() {
    let n = Numerics::ieee();
    let f = |op, a: f64, b: f64| call2::<f64, f64>(binary(op, E::F64, &n).unwrap(), &[a], &[b])[0];
    let pi2 = std::f64::consts::PI * std::f64::consts::PI;
    assert!(ulps(f(Binary::Zeta, 2.0, 1.0), pi2 / 6.0) <= 3);
    assert!(ulps(f(Binary::Zeta, 2.0, 0.5), pi2 / 2.0) <= 3);
    assert!(ulps(f(Binary::Zeta, 2.0, -0.5), pi2 / 2.0 + 4.0) <= 3);
    assert_eq!(f(Binary::Zeta, 2.0, -3.0), f64::INFINITY);
    assert!(f(Binary::Zeta, 3.0, -3.0).is_nan());
    // n! is exp(lgamma(n + 1)), as XLA has it: that is some ULP off, and so is the product.
    assert!((f(Binary::Polygamma, 1.0, 1.0) - pi2 / 6.0).abs() < 1e-13);
}

/// XLA's expansions are not correctly rounded: near the true function.
#[test]
fn expansions_are_near_the_function() {
    type Function = fn(f64) -> f64;
    let functions: [(Unary, Function, f64, f64); 6] = [
        (Unary::Atan, pxfm::f_atan, -9.0, 9.0),
        (Unary::BesselI1e, pxfm::f_i1e, -20.0, 20.0),
        (Unary::Digamma, pxfm::f_digamma, 0.2, 20.0),
        (Unary::ErfInv, pxfm::f_erfinv, -0.999, 0.999),
        (Unary::Erfc, pxfm::f_erfc, -5.0, 9.0),
        (Unary::Lgamma, pxfm::f_lgamma, 0.2, 20.0),
    ];
    for (op, truth, low, high) in functions {
        let x: Vec<f64> = (0..=400).map(|n| low + (high - low) * f64::from(n) / 400.0).collect();
        let single: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        for n in [Numerics::ieee(), Numerics::tpu()] {
            let y: Vec<f64> = call1(unary(op, E::F64, &n).unwrap(), &x);
            let z: Vec<f32> = call1(unary(op, E::F32, &n).unwrap(), &single);
            let pair = n.f64 == sim_core::numerics::F64::FloatPair;
            for (k, &x) in x.iter().enumerate() {
                let (whole, narrow) = (truth(x), truth(f64::from(single[k])));
                let limit = if pair { 1e-10 } else { 1e-12 } * whole.abs().max(1.0);
                assert!((y[k] - whole).abs() <= limit, "{op:?} of {x}: {} and {whole}", y[k]);
                let limit = 4e-6 * narrow.abs().max(1.0);
                assert!((f64::from(z[k]) - narrow).abs() <= limit, "{op:?} of {x}: {} and {narrow}", z[k]);
            }
        }
    }
}

#[test]
fn conversions() {
    let n = Numerics::ieee();
    let x = [f32::NAN, 1e30, -1e30, 2.9, -2.9, 300.0, -0.5, f32::INFINITY];
    let to = |ty| convert(E::F32, ty, &n).unwrap();
    assert_eq!(call1::<f32, i32>(to(E::S32), &x), [0, i32::MAX, i32::MIN, 2, -2, 300, 0, i32::MAX]);
    assert_eq!(call1::<f32, u8>(to(E::U8), &x), [0, 255, 0, 2, 0, 255, 0, 255]);
    assert_eq!(call1::<f32, u32>(to(E::U32), &x), [0, u32::MAX, 0, 2, 0, 300, 0, u32::MAX]);
    assert_eq!(call1::<f32, i8>(to(E::S4), &x), [0, 7, -8, 2, -2, 7, 0, 7]);
    assert_eq!(call1::<f32, i64>(to(E::S64), &x)[..2], [0, i64::MAX]);
    assert_eq!(call1::<f32, u8>(to(E::Pred), &x), [1; 8]);
    // Integers wrap, and large ones round once.
    let wide = [200i32, -200, 9, -9];
    assert_eq!(call1::<i32, i8>(convert(E::S32, E::S8, &n).unwrap(), &wide), [-56, 56, 9, -9]);
    assert_eq!(call1::<i32, i8>(convert(E::S32, E::S4, &n).unwrap(), &wide), [-8, -8, -7, 7]);
    let tie = (1i64 << 62) + (1 << 54);
    let y: Vec<bf16> = call1(convert(E::S64, E::BF16, &n).unwrap(), &[tie, tie + 1]);
    assert_eq!([y[0].to_f64(), y[1].to_f64()], [2f64.powi(62), 2f64.powi(62) + 2f64.powi(55)]);
}

#[test]
fn reduced_precision() {
    let reduce = |e, m, x: f32| {
        let mut y = [0f32];
        reduce_precision(E::F32, e, m, bytemuck::bytes_of(&x), bytemuck::cast_slice_mut(&mut y)).unwrap();
        y[0]
    };
    assert_eq!(reduce(8, 7, 1.0 + 2f32.powi(-8)), 1.0);
    assert_eq!(reduce(5, 10, 65520.0), f32::INFINITY);
    assert_eq!(reduce(5, 10, -6e-5).to_bits(), (-0f32).to_bits());
    assert_eq!(reduce(11, 52, 0.1), 0.1);
    assert!(reduce(5, 10, f32::NAN).is_nan());
    assert!(reduce_precision(E::S32, 5, 10, &[], &mut []).is_err());
    // With bf16's shape it is the conversion to bf16, but for subnormals.
    for x in samples().into_iter().filter(|x| x.is_normal()) {
        assert!(same(reduce(8, 7, x), bf16::from_f32(x).to_f32()), "{x}");
    }
}

proptest::proptest! {
    /// Sub-byte integers against wide arithmetic.
    #[test]
    fn narrow_integers_wrap(a in -8i8..8, b in -8i8..8) {
        let n = Numerics::ieee();
        let k = |op| call2::<i8, i8>(binary(op, E::S4, &n).unwrap(), &[a], &[b])[0] as i32;
        let wrap = |x: i32| ((x + 8) & 15) - 8;
        let (x, y) = (a as i32, b as i32);
        proptest::prop_assert_eq!(k(Binary::Add), wrap(x + y));
        proptest::prop_assert_eq!(k(Binary::Subtract), wrap(x - y));
        proptest::prop_assert_eq!(k(Binary::Multiply), wrap(x * y));
        proptest::prop_assert_eq!(k(Binary::Divide), if y == 0 { -1 } else { wrap(x / y) });
        proptest::prop_assert_eq!(k(Binary::Remainder), if y == 0 { x } else { x % y });
    }
}
