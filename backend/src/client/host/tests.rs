use super::*;
use crate::client::status::Code;
use proptest::prelude::*;
use sim_core::Numerics;

fn ctx() -> Ctx {
    Ctx::new(Numerics::ieee(), 1 << 30)
}

/// Calls `f` with the offset of every element, in row-major order.
fn offsets(dims: &[usize], strides: &[i64], at: i64, f: &mut impl FnMut(usize)) {
    match (dims, strides) {
        ([n, dims @ ..], [stride, strides @ ..]) => {
            (0..*n as i64).for_each(|i| offsets(dims, strides, at + i * stride, f));
        }
        _ => f(at as usize),
    }
}

/// One element at a time.
fn slow_gather(src: &[u8], origin: usize, strides: &[i64], width: usize, dims: &[usize]) -> Vec<u8> {
    let mut all = Vec::with_capacity(dims.iter().product::<usize>() * width);
    // A zero among the sizes may come after others whose strides say nothing.
    if !dims.contains(&0) {
        offsets(dims, strides, origin as i64, &mut |at| all.extend_from_slice(&src[at..at + width]));
    }
    all
}

fn bytes(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

fn gathered(dims: &[usize], strides: &[i64], element: ElementType) {
    let width = element.byte_size();
    let (below, above) = extent(dims, strides, width).unwrap();
    let src = bytes(below + above + 3);
    let got = gather(&src, below, strides, element, dims, &ctx()).unwrap();
    let want = slow_gather(&src, below, strides, width, dims);
    assert!(got.bytes() == want, "{element} {dims:?} {strides:?}");
}

#[test]
fn views() {
    use ElementType as E;
    gathered(&[], &[], E::F32);
    gathered(&[5], &[4], E::F32);
    gathered(&[5], &[-4], E::F32);
    gathered(&[3, 4], &[16, 4], E::F32);
    gathered(&[3, 4], &[4, 12], E::F32);
    gathered(&[3, 4], &[0, 4], E::F32);
    gathered(&[3, 4], &[0, 0], E::C128);
    gathered(&[2, 3, 4], &[-1, 7, 5], E::S16); // Unaligned and overlapping.
    gathered(&[4, 0, 4], &[i64::MAX, i64::MIN, 9], E::F32);
    gathered(&[1, 5, 1], &[i64::MAX, 4, i64::MIN], E::F32);
}

/// Past the limit from which threads share the work.
#[test]
fn large_arrays() {
    use ElementType as E;
    for (dims, strides, element) in [
        (vec![1 << 21], vec![4], E::F32),
        (vec![1 << 21], vec![-4], E::F32),
        (vec![1 << 23], vec![1], E::U8),
        (vec![1031, 1027], vec![4, 4 * 1031], E::F32),
        (vec![3, 700_001], vec![2, 6], E::BF16),
        (vec![700_001, 5], vec![2, 2 * 700_001], E::BF16),
        (vec![3, 521, 1033], vec![4, 12, 12 * 521], E::S32),
        (vec![17, 65, 33, 67], vec![8 * 65 * 33, 8, 8 * 65, 8 * 65 * 33 * 17], E::F64),
        (vec![4, 1 << 20, 2], vec![2 << 20, 2, 1], E::U8),
        (vec![2, 3_000_001], vec![1, 2], E::U8),
        (vec![5, 3_000_001], vec![0, -1], E::U8),
    ] {
        gathered(&dims, &strides, element);
        let strides: Vec<i64> = strides.iter().map(|s| s.abs()).collect();
        if strides.iter().all(|s| *s > 0) {
            let width = element.byte_size();
            let values = bytes(dims.iter().product::<usize>() * width);
            let dense = row_major_strides(&dims, width).unwrap();
            let tensor = gather(&values, 0, &dense, element, &dims, &ctx()).unwrap();
            assert!(tensor.bytes() == values);
            scattered(&tensor, &strides, width);
        }
    }
}

/// Everything arrives, and nothing else is touched.
fn scattered(tensor: &Tensor, strides: &[i64], width: usize) {
    let (below, above) = extent(tensor.shape(), strides, width).unwrap();
    let before = bytes(below + above + 5);
    let (mut dst, mut want) = (before.clone(), before);
    scatter(tensor, strides, &mut dst, below).unwrap();
    let mut values = tensor.bytes().chunks(width);
    offsets(tensor.shape(), strides, below as i64, &mut |at| {
        want[at..at + width].copy_from_slice(values.next().unwrap());
    });
    assert!(dst == want, "{:?} {strides:?}", tensor.shape());
}

#[test]
fn small_types() {
    use ElementType as E;
    let of = |element, src: &[u8]| gather(src, 0, &[1], element, &[src.len()], &ctx()).unwrap();
    let all = [0x00, 0x01, 0x02, 0x07, 0x08, 0x0f, 0x80, 0xff, 0xf3];
    assert_eq!(of(E::Pred, &all).bytes(), [0, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(of(E::S4, &all).to_i64s(), [0, 1, 2, 7, -8, -1, 0, -1, 3]);
    assert_eq!(of(E::S2, &all).to_i64s(), [0, 1, -2, -1, 0, -1, 0, -1, -1]);
    assert_eq!(of(E::U4, &all).to_i64s(), [0, 1, 2, 7, 8, 15, 0, 15, 3]);
    assert_eq!(of(E::U2, &all).to_i64s(), [0, 1, 2, 3, 0, 3, 0, 3, 3]);
    assert_eq!(of(E::F4E2M1FN, &[0xf5]).bytes(), [5]);
    assert_eq!(of(E::F6E3M2FN, &[0xf5]).bytes(), [0x35]);
    assert_eq!(of(E::S8, &all).bytes(), all);
    let mut dst = [0xaa; 9];
    scatter(&of(E::S4, &all), &[1], &mut dst, 0).unwrap();
    assert_eq!(dst, [0, 1, 2, 7, 8, 15, 0, 15, 3]);
}

#[test]
fn bounds_are_checked() {
    let src = [0; 48];
    let ctx = ctx();
    let fails = |origin, strides: &[i64], dims: &[usize]| {
        gather(&src, origin, strides, ElementType::F32, dims, &ctx).err().map(|e| e.code)
    };
    let invalid = Some(Code::InvalidArgument);
    assert_eq!(fails(0, &[16, 4], &[3, 4]), None);
    assert_eq!(fails(1, &[16, 4], &[3, 4]), invalid);
    assert_eq!(fails(0, &[16, 4], &[4, 4]), invalid);
    assert_eq!(fails(0, &[16, -4], &[3, 4]), invalid);
    assert_eq!(fails(12, &[16, -4], &[3, 4]), None);
    assert_eq!(fails(11, &[16, -4], &[3, 4]), invalid);
    assert_eq!(fails(0, &[4], &[3, 4]), invalid);
    assert_eq!(fails(usize::MAX, &[4], &[1]), invalid);
    assert_eq!(fails(48, &[4], &[0]), None);
    assert_eq!(fails(45, &[], &[]), invalid);
    assert_eq!(fails(0, &[i64::MIN, i64::MAX], &[2, 2]), invalid);
    assert_eq!(fails(0, &[0], &[usize::MAX]), Some(Code::ResourceExhausted));
    assert_eq!(fails(0, &[0], &[1 << 29]), Some(Code::ResourceExhausted));
    let tensor = Tensor::from_slice(&[2, 2], &[1f32, 2., 3., 4.]);
    let mut dst = [0; 16];
    for (strides, code) in [
        ([8, 4], None),
        ([4, 8], None),
        ([0, 4], invalid),
        ([4, 4], invalid),
        ([8, 8], invalid),
        ([8, 2], invalid),
    ] {
        assert_eq!(scatter(&tensor, &strides, &mut dst, 0).err().map(|e| e.code), code, "{strides:?}");
    }
    assert!(scatter(&tensor, &[8, 4], &mut dst, 1).is_err());
    let e = gather(&src, 8, &[16, 4], ElementType::F32, &[3, 4], &ctx).unwrap_err();
    assert_eq!(
        e.message,
        "host buffer: an array of [3, 4] with byte strides [16, 4] takes 0 bytes before its first element and 48 from \
         there on; there are 8 and 40"
    );
}

#[test]
fn strides_of_orders() {
    assert_eq!(dense_strides(&[2, 3, 5], &[0, 2, 1], 4), Some(vec![4, 40, 8]));
    assert_eq!(row_major_strides(&[2, 3, 5], 4), Some(vec![60, 20, 4]));
    assert_eq!(row_major_strides(&[], 4), Some(vec![]));
    for order in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, -1]] {
        assert_eq!(dense_strides(&[2, 3, 5], order, 4), None);
    }
    assert_eq!(row_major_strides(&[2, usize::MAX, 2], 4), None);
    assert_eq!(extent(&[2, 3], &[-8, 4], 4), Some((8, 12)));
    assert_eq!(extent(&[2, 3], &[i64::MIN, i64::MAX], 4), None);
    assert_eq!(extent(&[2], &[], 4), None);
}

proptest! {
    #[test]
    fn any_strides(
        dims in proptest::collection::vec(0usize..9, 0..5),
        seed in proptest::collection::vec(-40i64..40, 5),
        element in proptest::sample::select(vec![
            ElementType::U8, ElementType::BF16, ElementType::F32, ElementType::C64, ElementType::C128,
        ]),
    ) {
        gathered(&dims, &seed[..dims.len()], element);
    }

    /// Any dense order, forwards and backwards, with gaps.
    #[test]
    fn there_and_back(
        dims in proptest::collection::vec(1usize..40, 1..4),
        order in Just([0i64, 1, 2]).prop_shuffle(),
        backwards in any::<[bool; 3]>(),
        gap in 1usize..3,
        element in proptest::sample::select(vec![ElementType::S8, ElementType::F16, ElementType::F32, ElementType::C128]),
    ) {
        let order: Vec<i64> = order.into_iter().filter(|&d| (d as usize) < dims.len()).collect();
        let width = element.byte_size();
        let mut strides = dense_strides(&dims, &order, width * gap).unwrap();
        strides.iter_mut().zip(backwards).filter(|(_, b)| *b).for_each(|(s, _)| *s = -*s);
        let values = bytes(dims.iter().product::<usize>() * width);
        let tensor = gather(&values, 0, &row_major_strides(&dims, width).unwrap(), element, &dims, &ctx()).unwrap();
        prop_assert_eq!(tensor.bytes(), &values[..]);
        scattered(&tensor, &strides, width);
        let (below, above) = extent(&dims, &strides, width).unwrap();
        let mut dst = vec![0; below + above];
        scatter(&tensor, &strides, &mut dst, below).unwrap();
        prop_assert_eq!(gather(&dst, below, &strides, element, &dims, &ctx()).unwrap(), tensor);
    }
}
