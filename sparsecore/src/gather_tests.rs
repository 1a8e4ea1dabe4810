use super::*;
use crate::testing::{Numbers as Drawn, alone, ctx, flat, index_tensor, indices, numbered, numbers};
use num_complex::Complex;
use proptest::prelude::*;
use sim_core::ElementType as E;

fn dims_of(n: &Drawn) -> GatherDims {
    let of_kind = |k: u8| (0..n.kind.len()).filter(|&d| n.kind[d] == k).map(|d| d as i64).collect();
    GatherDims {
        offset_dims: n.offset_dims.clone(),
        collapsed_slice_dims: of_kind(1),
        operand_batching_dims: n.operand_batching.clone(),
        start_indices_batching_dims: n.indices_batching.clone(),
        start_index_map: n.map.clone(),
        index_vector_dim: n.index_vector_dim as i64,
    }
}

fn check<T: sim_core::dtype::Native>(n: &Drawn, value: impl Fn(u64) -> T) {
    let operand = numbered(&n.operand, value);
    let start = index_tensor(n.index_type, &n.indices_shape, &n.indices);
    let sizes: Vec<i64> = n.window.iter().map(|&w| w as i64).collect();
    let out = gather(&ctx(), &operand, &start, &dims_of(n), &sizes).unwrap();
    assert_eq!(out.shape(), n.result);
    for (at, i) in indices(&n.result).iter().enumerate() {
        let from: Vec<usize> = n.operand_index(i, true).iter().map(|&x| x as usize).collect();
        assert_eq!(out.as_slice::<T>()[at], operand.as_slice::<T>()[flat(&n.operand, &from)], "{i:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn every_element_is_where_the_specification_says(n in numbers(), width in 0..5) {
        match width {
            0 => check(&n, |i| i as u8),
            1 => check(&n, |i| i as u16),
            2 => check(&n, |i| i as u32),
            3 => check(&n, |i| i),
            _ => check(&n, |i| Complex::new(i as f64, 1.0)),
        }
    }

    #[test]
    fn selects_as_torch_does(
        sizes in proptest::collection::vec(1usize..5, 1..5), free in proptest::collection::vec(0usize..4, 0..3),
        dim in 0usize..4, batch in 0usize..3, draw in proptest::collection::vec(-2i64..6, 16),
    ) {
        prop_assume!(dim < sizes.len() && batch <= dim);
        let operand = numbered(&sizes, |i| i as u32);
        let shape: Vec<usize> = sizes[..batch].iter().chain(&free).copied().collect();
        let chosen: Vec<i64> = (0..shape.iter().product()).map(|i: usize| draw[i % 16]).collect();
        let index = index_tensor(E::S32, &shape, &chosen);
        let out = torch_index_select(&ctx(), &operand, &index, dim as i64, batch as i64).unwrap();
        let want: Vec<usize> = sizes[..dim].iter().chain(&free).chain(&sizes[dim + 1..]).copied().collect();
        prop_assert_eq!(out.shape(), &want[..]);
        for (at, i) in indices(&want).iter().enumerate() {
            let which: Vec<usize> = i[..batch].iter().chain(&i[dim..dim + free.len()]).copied().collect();
            let pick = chosen[flat(&shape, &which)].clamp(0, sizes[dim] as i64 - 1) as usize;
            let from: Vec<usize> = i[..dim].iter().copied().chain([pick]).chain(i[dim + free.len()..].iter().copied()).collect();
            prop_assert_eq!(out.as_slice::<u32>()[at], operand.as_slice::<u32>()[flat(&sizes, &from)]);
        }
    }
}

/// Embedding rows, scalars, and windows that come before the batch: all split over threads.
#[test]
fn large_gathers_are_split_right() {
    let count = 30_000;
    let rows: Vec<i64> = (0..count as i64).map(|i| (i * 7919) % 1100 - 40).collect();
    for (offset, window, width) in [(vec![1], 1, 24), (vec![0], 1, 24), (vec![1], 1, 4), (vec![], 1, 1)] {
        let n = Drawn {
            operand: vec![1000, width],
            window: vec![window, width],
            kind: vec![1, if offset.is_empty() { 1 } else { 0 }],
            map: vec![0],
            operand_batching: vec![],
            indices_batching: vec![],
            index_vector_dim: 1,
            indices_shape: vec![count, 1],
            index_type: E::S32,
            indices: rows.clone(),
            result: match offset[..] {
                [1] => vec![count, width],
                [_] => vec![width, count],
                _ => vec![count],
            },
            offset_dims: offset,
        };
        check(&n, |i| i as u32);
        alone(|| check(&n, |i| i as u32));
    }
}

#[test]
fn enormous_unsigned_indices_clamp_to_the_end() {
    let operand = Tensor::from_slice(&[3], &[10i32, 20, 30]);
    let start = Tensor::from_slice(&[2, 1], &[u64::MAX, 1]);
    let dims = GatherDims {
        collapsed_slice_dims: vec![0],
        start_index_map: vec![0],
        index_vector_dim: 1,
        ..Default::default()
    };
    let out = gather(&ctx(), &operand, &start, &dims, &[1]).unwrap();
    assert_eq!(out.as_slice::<i32>(), [30, 20]);
    let sizes = Tensor::from_slice(&[1], &[1i32]);
    assert_eq!(dynamic_gather(&ctx(), &operand, &start, &sizes, &dims).unwrap(), out);
}

#[test]
fn contradictions_are_errors() {
    let operand = numbered(&[3, 4], |i| i as u32);
    let start = index_tensor(E::S32, &[2, 1], &[0, 1]);
    let good = GatherDims {
        offset_dims: vec![1],
        collapsed_slice_dims: vec![0],
        start_index_map: vec![0],
        index_vector_dim: 1,
        ..Default::default()
    };
    assert!(gather(&ctx(), &operand, &start, &good, &[1, 4]).is_ok());
    assert!(gather(&ctx(), &operand, &start, &good, &[1, 5]).is_err());
    assert!(gather(&ctx(), &operand, &start, &good, &[2, 4]).is_err());
    assert!(gather(&ctx(), &operand, &start, &good, &[1]).is_err());
    type Change = fn(&mut GatherDims);
    let changes: [Change; 8] = [
        |d| d.offset_dims = vec![],
        |d| d.offset_dims = vec![0, 1],
        |d| d.offset_dims = vec![7],
        |d| d.collapsed_slice_dims = vec![-1],
        |d| d.start_index_map = vec![2],
        |d| d.start_index_map = vec![0, 1],
        |d| d.index_vector_dim = 3,
        |d| d.operand_batching_dims = vec![1],
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        assert!(gather(&ctx(), &operand, &start, &bad, &[1, 4]).is_err(), "change {i}");
    }
    let floats = Tensor::from_slice(&[2, 1], &[0f32, 1.0]);
    assert!(gather(&ctx(), &operand, &floats, &good, &[1, 4]).is_err());
}
