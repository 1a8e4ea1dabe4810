use super::*;
use crate::testing::{Body, alone, ctx, flat, indices, numbered};
use half::bf16;
use proptest::prelude::*;
use sim_core::ElementType as E;
use std::cmp::Ordering;

const CANONICAL: Order = Order::Total { zeros_equal: true, nans_equal: true };
const TOTAL: Order = Order::Total { zeros_equal: false, nans_equal: false };

fn key(operand: usize, order: Order, descending: bool) -> SortKey {
    SortKey { operand, part: Part::Whole, order, descending }
}

/// The comparison that a key stands for, on one element each.
fn compare(ty: E, key: &SortKey, a: &[u8], b: &[u8]) -> Ordering {
    fn of<T: bytemuck::Pod>(x: &[u8]) -> T {
        bytemuck::pod_read_unaligned(x)
    }
    // In each type itself: a conversion would quiet signaling NaNs.
    macro_rules! floats {
        ($T:ty, $nan:expr, $a:expr, $b:expr) => {{
            let canonical = |x: $T| match key.order {
                Order::Total { zeros_equal: true, .. } if x == 0.0 => 0.0,
                Order::Total { nans_equal: true, .. } if x.is_nan() => $nan,
                _ => x,
            };
            let (a, b): ($T, $T) = ($a, $b);
            match key.order {
                Order::Partial => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
                _ => canonical(a).total_cmp(&canonical(b)),
            }
        }};
    }
    let order = match ty {
        E::Pred | E::U8 => a[0].cmp(&b[0]),
        E::S4 | E::S8 => of::<i8>(a).cmp(&of::<i8>(b)),
        E::S32 => of::<i32>(a).cmp(&of::<i32>(b)),
        E::U64 => of::<u64>(a).cmp(&of::<u64>(b)),
        E::S64 => of::<i64>(a).cmp(&of::<i64>(b)),
        E::BF16 => floats!(f32, f32::NAN, of::<bf16>(a).to_f32(), of::<bf16>(b).to_f32()),
        E::F32 => floats!(f32, f32::NAN, of(a), of(b)),
        E::F64 => floats!(f64, f64::NAN, of(a), of(b)),
        E::C64 => match key.part {
            Part::Imag => floats!(f32, f32::NAN, of(&a[4..]), of(&b[4..])),
            _ => floats!(f32, f32::NAN, of(&a[..4]), of(&b[..4])),
        },
        other => unreachable!("{other}"),
    };
    if key.descending { order.reverse() } else { order }
}

/// The comparator that says what `keys` say.
fn comparator(types: &[E], keys: &[SortKey]) -> Body {
    let (types, keys) = (types.to_vec(), keys.to_vec());
    Body {
        arguments: types.iter().flat_map(|&t| [t; 2]).collect(),
        results: vec![E::Pred],
        combiner: None,
        eval: Box::new(move |args, outs, _| {
            for (i, less) in outs[0].iter_mut().enumerate() {
                let order = keys.iter().fold(Ordering::Equal, |so_far, key| {
                    let ty = types[key.operand];
                    let at = i * ty.byte_size()..(i + 1) * ty.byte_size();
                    let (a, b) = (&args[2 * key.operand][at.clone()], &args[2 * key.operand + 1][at]);
                    so_far.then_with(|| compare(ty, key, a, b))
                });
                *less = u8::from(order == Ordering::Less);
            }
        }),
    }
}

/// Sorts by the standard library, slice by slice and element by element.
fn reference(inputs: &[Tensor], dim: usize, keys: &[SortKey]) -> Vec<Tensor> {
    let shape = inputs[0].shape().to_vec();
    let mut out = inputs.to_vec();
    let element = |t: &Tensor, i: usize| {
        let w = t.element().byte_size();
        t.bytes()[i * w..(i + 1) * w].to_vec()
    };
    for start in indices(&shape).into_iter().filter(|i| i[dim] == 0) {
        let places: Vec<usize> = (0..shape[dim])
            .map(|j| {
                let mut i = start.clone();
                i[dim] = j;
                flat(&shape, &i)
            })
            .collect();
        let mut order = places.clone();
        order.sort_by(|&a, &b| {
            keys.iter().fold(Ordering::Equal, |so_far, key| {
                let t = &inputs[key.operand];
                so_far.then_with(|| compare(t.element(), key, &element(t, a), &element(t, b)))
            })
        });
        for (o, t) in out.iter_mut().zip(inputs) {
            let w = t.element().byte_size();
            for (&to, &from) in places.iter().zip(&order) {
                o.bytes_mut()[to * w..(to + 1) * w].copy_from_slice(&element(t, from));
            }
        }
    }
    out
}

/// By keys, by the comparator alone, and on one thread: all as the reference.
fn check(inputs: &[Tensor], dim: usize, keys: &[SortKey]) {
    let types: Vec<E> = inputs.iter().map(|t| t.element()).collect();
    let body = comparator(&types, keys);
    let want = reference(inputs, dim, keys);
    let by_keys = sort(&ctx(), inputs, dim, Some(keys), &body).unwrap();
    let by_comparator = alone(|| sort(&ctx(), inputs, dim, None, &body).unwrap());
    for i in 0..inputs.len() {
        assert!(by_keys[i].bytes() == want[i].bytes(), "operand {i} by keys {keys:?}");
        assert!(by_comparator[i].bytes() == want[i].bytes(), "operand {i} by comparator, keys {keys:?}");
    }
}

/// Floats with many repetitions and every special value.
fn float(i: u64) -> f32 {
    match i % 13 {
        0 => 0.0,
        1 => -0.0,
        2 => f32::NAN,
        3 => -f32::NAN,
        4 => f32::INFINITY,
        5 => f32::NEG_INFINITY,
        6 => f32::from_bits(0x7f80_0001 | (i as u32 & 0xff) << 8),
        7 => f32::from_bits(i as u32 % 5),
        _ => (i >> 8) as i8 as f32 / 4.0,
    }
}

fn finite(i: u64) -> f32 {
    if float(i).is_nan() { -1.5 } else { float(i) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn one_operand_is_its_own_key(
        dims in proptest::collection::vec(0usize..9, 1..4), dim in 0usize..3, descending in any::<bool>(), salt in any::<u64>(),
    ) {
        let dim = dim % dims.len();
        let n = |i: u64| i.wrapping_mul(salt | 1) >> 7;
        for order in [TOTAL, CANONICAL] {
            check(&[numbered(&dims, |i| float(n(i)))], dim, &[key(0, order, descending)]);
            check(&[numbered(&dims, |i| bf16::from_f32(float(n(i))))], dim, &[key(0, order, descending)]);
            check(&[numbered(&dims, |i| f64::from(float(n(i))))], dim, &[key(0, order, descending)]);
        }
        check(&[numbered(&dims, |i| finite(n(i)))], dim, &[key(0, Order::Partial, descending)]);
        check(&[numbered(&dims, |i| n(i) as i8)], dim, &[key(0, Order::Integer, descending)]);
        check(&[numbered(&dims, |i| n(i) as i32)], dim, &[key(0, Order::Integer, descending)]);
        check(&[numbered(&dims, n)], dim, &[key(0, Order::Integer, descending)]);
        check(&[numbered(&dims, |i| n(i) as i64)], dim, &[key(0, Order::Integer, descending)]);
    }

    #[test]
    fn several_operands_move_together(
        dims in proptest::collection::vec(0usize..9, 1..4), dim in 0usize..3, first in 0usize..4, second in 0usize..4,
        third in 0usize..4, down in any::<[bool; 3]>(), count in 1usize..4,
    ) {
        let dim = dim % dims.len();
        let inputs = [
            numbered(&dims, |i| i as i32 % 3),
            numbered(&dims, float),
            numbered(&dims, |i| i % 4),
            numbered(&dims, |i| num_complex::Complex::new(float(i), i as f32)),
        ];
        let keys = [first, second, third].into_iter().zip(down).take(count).map(|(k, descending)| SortKey {
            part: if k == 3 { Part::Real } else { Part::Whole },
            ..key(k, if k % 2 == 1 { CANONICAL } else { Order::Integer }, descending)
        });
        check(&inputs, dim, &keys.collect::<Vec<_>>());
    }

    #[test]
    fn top_k_is_the_head_of_a_stable_sort(
        dims in proptest::collection::vec(1usize..7, 0..2), n in 1usize..40, k in 0usize..40, largest in any::<bool>(),
    ) {
        prop_assume!(k <= n);
        let mut shape = dims.clone();
        shape.push(n);
        let floats = numbered(&shape, float);
        let positions = numbered(&shape, |_| 0i32);
        let mut inputs = [floats.clone(), positions];
        inputs[1].as_mut_slice::<i32>().iter_mut().enumerate().for_each(|(i, p)| *p = (i % n) as i32);
        let sorted = reference(&inputs, shape.len() - 1, &[key(0, TOTAL, largest)]);
        let (values, positions) = top_k(&ctx(), &floats, k as i64, largest).unwrap();
        for row in 0..floats.len() / n {
            let bits = |t: &Tensor, i: usize| t.as_slice::<u32>()[i];
            for i in 0..k {
                prop_assert_eq!(bits(&values, row * k + i), bits(&sorted[0], row * n + i));
                prop_assert_eq!(bits(&positions, row * k + i), bits(&sorted[1], row * n + i));
            }
        }
        let wide = numbered(&shape, |i| i as i64);
        let (values, _) = top_k(&ctx(), &wide, k as i64, largest).unwrap();
        let sorted = reference(&[wide], shape.len() - 1, &[key(0, Order::Integer, largest)]);
        for (v, s) in values.as_slice::<i64>().chunks(k.max(1)).zip(sorted[0].as_slice::<i64>().chunks(n)) {
            prop_assert_eq!(v, &s[..k]);
        }
    }
}

#[test]
fn long_rows_take_the_radix_path() {
    for shape in [[1, 6000], [3, 1500], [700, 9]] {
        check(&[numbered(&shape, float)], 1, &[key(0, CANONICAL, false)]);
        check(&[numbered(&shape, |i| i as u8)], 1, &[key(0, Order::Integer, true)]);
        let pair = [numbered(&shape, finite), numbered(&shape, |i| i)];
        check(&pair, 1, &[key(0, Order::Partial, false)]);
        check(&pair, 1, &[key(1, Order::Integer, true), key(0, TOTAL, false)]);
    }
    check(&[numbered(&[50, 40], |i| i as u8), numbered(&[50, 40], float)], 0, &[key(1, CANONICAL, true)]);
}

/// No order to find, but the same answer from the keys and from the comparator.
#[test]
fn nans_without_an_order_are_left_to_the_comparator() {
    let t = numbered(&[500], float);
    let keys = [key(0, Order::Partial, false)];
    let body = comparator(&[E::F32], &keys);
    let a = sort(&ctx(), std::slice::from_ref(&t), 0, Some(&keys), &body).unwrap();
    let b = sort(&ctx(), std::slice::from_ref(&t), 0, None, &body).unwrap();
    assert_eq!(a[0].bytes(), b[0].bytes());
    let mut bits = (t.as_slice::<u32>().to_vec(), a[0].as_slice::<u32>().to_vec());
    bits.0.sort();
    bits.1.sort();
    assert_eq!(bits.0, bits.1);
}

#[test]
fn narrow_types_sort_by_value() {
    for ty in E::all().filter(|t| t.byte_size() == 1) {
        let bytes: Vec<u8> = match ty {
            E::Pred => vec![1, 0, 1, 0],
            _ if ty.is_signed() => {
                (0..=255u8).map(|b| ((b << (8 - ty.bits())) as i8 >> (8 - ty.bits())) as u8).collect()
            }
            _ => (0..=255u8).map(|b| b & (0xff >> (8 - ty.bits()))).collect(),
        };
        let t = Tensor::from_slice_as(ty, &[bytes.len()], &bytes);
        let order = if ty.is_float() { TOTAL } else { Order::Integer };
        let body = Body {
            arguments: vec![ty; 2],
            results: vec![E::Pred],
            combiner: None,
            eval: Box::new(|_, _, _| unreachable!()),
        };
        let sorted = sort(&ctx(), &[t], 0, Some(&[key(0, order, false)]), &body).unwrap();
        let coder = Coder::new(ty, &key(0, order, false)).unwrap();
        let mut codes = vec![];
        coder.each(sorted[0].bytes(), |c| codes.push(c));
        assert!(codes.is_sorted(), "{ty}");
        let mut back = sorted[0].bytes().to_vec();
        let mut bytes = bytes;
        back.sort();
        bytes.sort();
        assert_eq!(back, bytes, "{ty}");
    }
}

#[test]
fn wrong_calls_are_errors() {
    let t = numbered(&[4], float);
    let body = comparator(&[E::F32], &[key(0, TOTAL, false)]);
    assert!(sort(&ctx(), std::slice::from_ref(&t), 1, None, &body).is_err());
    assert!(sort(&ctx(), &[], 0, None, &body).is_err());
    assert!(sort(&ctx(), &[t.clone(), t.clone()], 0, None, &body).is_err());
    assert!(top_k(&ctx(), &t, 5, true).is_err());
    assert!(top_k(&ctx(), &t, -1, true).is_err());
    assert!(top_k(&ctx(), &t.clone().reshaped(&[4, 1]), 1, true).is_ok());
}
