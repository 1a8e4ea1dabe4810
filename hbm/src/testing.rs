//! Slow, obvious reference for data movement: every element by its index.

use proptest::prelude::*;
use sim_core::{Ctx, ElementType, Numerics, Tensor};

/// One type for each storage width.
pub(crate) const TYPES: [ElementType; 5] =
    [ElementType::S8, ElementType::BF16, ElementType::F32, ElementType::S64, ElementType::C128];

pub(crate) fn ctx() -> Ctx {
    Ctx::new(Numerics::ieee(), 1 << 30)
}

/// Shapes of up to `rank` dimensions, sizes 0 to `size`.
pub(crate) fn shape(rank: usize, size: usize) -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0..=size, 0..=rank)
}

/// Elements that differ from their neighbours: bytes of a running number.
pub(crate) fn numbered(element: ElementType, shape: &[usize]) -> Tensor {
    let count: usize = shape.iter().product();
    let width = element.byte_size();
    let bytes: Vec<u8> = (0..count)
        .flat_map(|i| {
            let x = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            (0..width).map(move |b| (x.rotate_right(8 * b as u32) as u8).wrapping_add(i as u8))
        })
        .collect();
    let mut t = ctx().alloc(element, shape).unwrap();
    t.bytes_mut().copy_from_slice(&bytes);
    t
}

pub(crate) fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let count: usize = shape.iter().product();
    (0..count)
        .map(|mut flat| {
            let mut index = vec![0; shape.len()];
            for d in (0..shape.len()).rev() {
                index[d] = flat % shape[d];
                flat /= shape[d];
            }
            index
        })
        .collect()
}

pub(crate) fn element<'t>(t: &'t Tensor, index: &[usize]) -> &'t [u8] {
    let flat = index.iter().zip(t.shape()).fold(0, |at, (&i, &n)| {
        assert!(i < n, "{index:?} in {:?}", t.shape());
        at * n + i
    });
    let width = t.element().byte_size();
    &t.bytes()[flat * width..(flat + 1) * width]
}

/// The tensor whose element at each index is `source(index)`'s; `None` keeps zero bits.
pub(crate) fn reference<'t>(
    ty: ElementType,
    shape: &[usize],
    source: impl Fn(&[usize]) -> Option<(&'t Tensor, Vec<usize>)>,
) -> Tensor {
    let mut out = ctx().alloc_zeroed(ty, shape).unwrap();
    let width = ty.byte_size();
    let bytes = out.bytes_mut();
    for (flat, index) in indices(shape).iter().enumerate() {
        if let Some((t, at)) = source(index) {
            bytes[flat * width..(flat + 1) * width].copy_from_slice(element(t, &at));
        }
    }
    out
}

#[track_caller]
pub(crate) fn assert_same(a: &Tensor, b: &Tensor) {
    assert_eq!((a.element(), a.shape()), (b.element(), b.shape()));
    assert!(a.bytes() == b.bytes(), "{:?}\n{:?}", a.bytes(), b.bytes());
}
