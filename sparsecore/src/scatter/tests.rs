use super::*;
use crate::testing::{
    Body, Numbers as Drawn, alone, binary, ctx, flat, index_tensor, indices, numbered, numbers,
};
use proptest::prelude::*;
use sim_core::ir::Binary;
use sim_core::{ElementType as E, Numerics};

fn dims_of(n: &Drawn) -> ScatterDims {
    let of_kind = |k: u8| (0..n.kind.len()).filter(|&d| n.kind[d] == k).map(|d| d as i64).collect();
    ScatterDims {
        update_window_dims: n.offset_dims.clone(),
        inserted_window_dims: of_kind(1),
        input_batching_dims: n.operand_batching.clone(),
        scatter_indices_batching_dims: n.indices_batching.clone(),
        scatter_dims_to_operand_dims: n.map.clone(),
        index_vector_dim: n.index_vector_dim as i64,
    }
}

/// (update position, input position) of every update in bounds, in the order of
/// application.
fn schedule(n: &Drawn, whole: bool) -> Vec<(usize, usize)> {
    let inside = |i: &[i64]| i.iter().zip(&n.operand).all(|(&i, &n)| (0..n as i64).contains(&i));
    let batch_of = |i: &[usize]| -> Vec<usize> {
        (0..i.len()).filter(|&d| !n.offset_dims.contains(&(d as i64))).map(|d| i[d]).collect()
    };
    let all: Vec<_> = indices(&n.result)
        .into_iter()
        .enumerate()
        .map(|(at, i)| (batch_of(&i), at, n.operand_index(&i, false)))
        .collect();
    let partly: std::collections::BTreeSet<Vec<usize>> =
        all.iter().filter(|(_, _, to)| !inside(to)).map(|(b, ..)| b.clone()).collect();
    let mut steps: Vec<_> =
        all.into_iter().filter(|(b, _, to)| inside(to) && !(whole && partly.contains(b))).collect();
    steps.sort_by(|a, b| a.0.cmp(&b.0));
    steps
        .into_iter()
        .map(|(_, at, to)| (at, flat(&n.operand, &to.iter().map(|&x| x as usize).collect::<Vec<_>>())))
        .collect()
}

fn check<T: sim_core::dtype::Native>(n: &Drawn, value: fn(u64) -> T, body: &Body, f: fn(T, T) -> T) {
    let input = numbered(&n.operand, value);
    let update = numbered(&n.result, |i| value(i.rotate_left(7)));
    let index = index_tensor(n.index_type, &n.indices_shape, &n.indices);
    for whole in [false, true] {
        let ctx = ctx().with_numerics(Numerics { scatter_whole_windows: whole, ..Numerics::ieee() });
        let out =
            scatter(&ctx, vec![input.clone()], &index, std::slice::from_ref(&update), &dims_of(n), body);
        let out = out.unwrap().remove(0);
        let mut want = input.as_slice::<T>().to_vec();
        for (u, i) in schedule(n, whole) {
            want[i] = f(want[i], update.as_slice::<T>()[u]);
        }
        assert_eq!(out.as_slice::<T>(), want, "whole windows: {whole}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn every_update_lands_in_order(n in numbers()) {
        // Not commutative, so order shows.
        let f: fn(u32, u32) -> u32 = |a, b| a.wrapping_mul(3).wrapping_add(b);
        check(&n, |i| i as u32, &binary(f, None), f);
        let add: fn(i16, i16) -> i16 = i16::wrapping_add;
        check(&n, |i| i as i16, &binary(add, Some(Combiner::Binary(Binary::Add))), add);
        let second: fn(u64, u64) -> u64 = |_, b| b;
        check(&n, |i| i, &binary(second, Some(Combiner::Second)), second);
        let first: fn(u8, u8) -> u8 = |a, _| a;
        check(&n, |i| i as u8, &binary(first, Some(Combiner::First)), first);
        let sum: fn(f32, f32) -> f32 = |a, b| a + b;
        check(&n, |i| i as f32, &binary(sum, Some(Combiner::Binary(Binary::Add))), sum);
        let max: fn(f32, f32) -> f32 = f32::max;
        check(&n, |i| i as f32, &binary(max, Some(Combiner::Binary(Binary::Maximum))), max);
    }

    /// Two inputs whose body mixes them: `(a + u * v, b ^ u)`.
    #[test]
    fn several_inputs_go_together(n in numbers()) {
        let body = Body {
            arguments: vec![E::U32, E::U64, E::U32, E::U64],
            results: vec![E::U32, E::U64],
            eval: Box::new(|args, outs, n| {
                let (a, b): (&[u32], &[u64]) = (bytemuck::cast_slice(args[0]), bytemuck::cast_slice(args[1]));
                let (u, v): (&[u32], &[u64]) = (bytemuck::cast_slice(args[2]), bytemuck::cast_slice(args[3]));
                let (x, y) = outs.split_at_mut(1);
                let (x, y): (&mut [u32], &mut [u64]) = (bytemuck::cast_slice_mut(x[0]), bytemuck::cast_slice_mut(y[0]));
                for i in 0..n {
                    x[i] = a[i].wrapping_mul(5).wrapping_add(u[i].wrapping_mul(v[i] as u32));
                    y[i] = b[i].rotate_left(1) ^ u[i] as u64;
                }
            }),
            combiner: None,
        };
        let (a, b) = (numbered(&n.operand, |i| i as u32), numbered(&n.operand, |i| i));
        let (u, v) = (numbered(&n.result, |i| i as u32 + 1), numbered(&n.result, |i| i + 2));
        let index = index_tensor(n.index_type, &n.indices_shape, &n.indices);
        let out = scatter(&ctx(), vec![a.clone(), b.clone()], &index, &[u.clone(), v.clone()], &dims_of(&n), &body).unwrap();
        let (mut x, mut y) = (a.as_slice::<u32>().to_vec(), b.as_slice::<u64>().to_vec());
        for (at, i) in schedule(&n, false) {
            let (p, q) = (u.as_slice::<u32>()[at], v.as_slice::<u64>()[at]);
            x[i] = x[i].wrapping_mul(5).wrapping_add(p.wrapping_mul(q as u32));
            y[i] = y[i].rotate_left(1) ^ p as u64;
        }
        prop_assert_eq!(out[0].as_slice::<u32>(), &x[..]);
        prop_assert_eq!(out[1].as_slice::<u64>(), &y[..]);
    }
}

fn rows(count: usize, size: usize, width: usize) -> Drawn {
    Drawn {
        operand: vec![size, width],
        window: vec![1, width],
        kind: vec![1, 0],
        map: vec![0],
        operand_batching: vec![],
        indices_batching: vec![],
        index_vector_dim: 1,
        indices_shape: vec![count, 1],
        index_type: E::S32,
        indices: (0..count as i64).map(|i| i * i % (size as i64 + 9) - 4).collect(),
        result: vec![count, width],
        offset_dims: vec![1],
    }
}

/// Rows that are split over threads, and lanes with many collisions.
#[test]
fn large_scatters_keep_their_order() {
    let n = rows(6000, 777, 48);
    let sum: fn(f32, f32) -> f32 = |a, b| a + b;
    let body = binary(sum, Some(Combiner::Binary(Binary::Add)));
    check(&n, |i| i as f32 / 7.0, &body, sum);
    alone(|| check(&n, |i| i as f32 / 7.0, &binary(sum, None), sum));
    let scalars = rows(6000, 300, 1);
    let f: fn(u32, u32) -> u32 = |a, b| a.wrapping_mul(3).wrapping_add(b);
    check(&scalars, |i| i as u32, &binary(f, None), f);
}

#[test]
fn a_unique_input_stays_in_its_buffer() {
    let n = rows(3, 5, 4);
    let (input, update) = (numbered(&n.operand, |i| i as u32), numbered(&n.result, |i| i as u32));
    let at = input.bytes().as_ptr();
    let index = index_tensor(n.index_type, &n.indices_shape, &n.indices);
    let second: fn(u32, u32) -> u32 = |_, b| b;
    let body = binary(second, Some(Combiner::Second));
    let out = scatter(&ctx(), vec![input], &index, &[update], &dims_of(&n), &body).unwrap();
    assert_eq!(out[0].bytes().as_ptr(), at);
}

#[test]
fn contradictions_are_errors() {
    let n = rows(3, 5, 4);
    let (input, update) = (numbered(&n.operand, |i| i as u32), numbered(&n.result, |i| i as u32));
    let index = index_tensor(n.index_type, &n.indices_shape, &n.indices);
    let add: fn(u32, u32) -> u32 = u32::wrapping_add;
    let body = binary(add, None);
    let run = |d: &ScatterDims| {
        scatter(&ctx(), vec![input.clone()], &index, std::slice::from_ref(&update), d, &body)
    };
    assert!(run(&dims_of(&n)).is_ok());
    type Change = fn(&mut ScatterDims);
    let changes: [Change; 6] = [
        |d| d.update_window_dims = vec![],
        |d| d.update_window_dims = vec![0],
        |d| d.inserted_window_dims = vec![5],
        |d| d.scatter_dims_to_operand_dims = vec![-1],
        |d| d.index_vector_dim = 0,
        |d| d.input_batching_dims = vec![1],
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut bad = dims_of(&n);
        change(&mut bad);
        assert!(run(&bad).is_err(), "change {i}");
    }
    let floats: fn(f32, f32) -> f32 = |a, b| a + b;
    let other = binary(floats, None);
    let out =
        scatter(&ctx(), vec![input.clone()], &index, std::slice::from_ref(&update), &dims_of(&n), &other);
    assert!(out.is_err());
    assert!(scatter(&ctx(), vec![], &index, &[], &dims_of(&n), &body).is_err());
}
