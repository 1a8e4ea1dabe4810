//! Slow, obvious helpers for the tests.

use proptest::prelude::*;
use sim_core::dtype::Native;
use sim_core::exec::{Combiner, RegionFn};
use sim_core::{Ctx, ElementType, Numerics, Tensor};

pub(crate) fn ctx() -> Ctx {
    Ctx::new(Numerics::ieee(), 1 << 30)
}

/// All indices of a shape, row-major.
pub(crate) fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    (0..shape.iter().product())
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

pub(crate) fn flat(shape: &[usize], index: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |at, (&i, &n)| {
        assert!(i < n, "{index:?} in {shape:?}");
        at * n + i
    })
}

/// 0, 1, 2, … scrambled.
pub(crate) fn numbered<T: Native>(shape: &[usize], value: impl Fn(u64) -> T) -> Tensor {
    let count: usize = shape.iter().product();
    let values: Vec<T> =
        (0..count as u64).map(|i| value((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32)).collect();
    Tensor::from_slice(shape, &values)
}

type Eval = Box<dyn Fn(&[&[u8]], &mut [&mut [u8]], usize) + Send + Sync>;

/// A region made of a closure.
pub(crate) struct Body {
    pub arguments: Vec<ElementType>,
    pub results: Vec<ElementType>,
    pub eval: Eval,
    pub combiner: Option<Combiner>,
}

impl RegionFn for Body {
    fn signature(&self) -> (&[ElementType], &[ElementType]) {
        (&self.arguments, &self.results)
    }

    fn eval(&self, args: &[&[u8]], outs: &mut [&mut [u8]], n: usize) {
        for (a, ty) in args.iter().zip(&self.arguments) {
            assert_eq!(a.len(), n * ty.byte_size());
        }
        for (o, ty) in outs.iter().zip(&self.results) {
            assert_eq!(o.len(), n * ty.byte_size());
        }
        (self.eval)(args, outs, n)
    }

    fn combiner(&self) -> Option<Combiner> {
        self.combiner
    }
}

/// `f(a, b)` on one type.
pub(crate) fn binary<T: Native>(f: fn(T, T) -> T, combiner: Option<Combiner>) -> Body {
    Body {
        arguments: vec![T::TYPE; 2],
        results: vec![T::TYPE],
        eval: Box::new(move |args, outs, _| {
            let (a, b): (&[T], &[T]) = (bytemuck::cast_slice(args[0]), bytemuck::cast_slice(args[1]));
            let out: &mut [T] = bytemuck::cast_slice_mut(outs[0]);
            out.iter_mut().zip(a.iter().zip(b)).for_each(|(o, (&a, &b))| *o = f(a, b));
        }),
        combiner,
    }
}

/// An index tensor of the given type from i64s.
pub(crate) fn index_tensor(ty: ElementType, shape: &[usize], values: &[i64]) -> Tensor {
    macro_rules! of {
        ($T:ty) => {
            Tensor::from_slice_as(ty, shape, &values.iter().map(|&v| v as $T).collect::<Vec<_>>())
        };
    }
    match (ty.byte_size(), ty.is_unsigned()) {
        (1, false) => of!(i8),
        (1, true) => of!(u8),
        (2, false) => of!(i16),
        (2, true) => of!(u16),
        (4, false) => of!(i32),
        (4, true) => of!(u32),
        (_, false) => of!(i64),
        (_, true) => of!(u64),
    }
}

/// The same work on one thread.
pub(crate) fn alone<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(f)
}

/// Dimension numbers of a gather or scatter, drawn at random but consistent.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    pub operand: Vec<usize>,
    pub window: Vec<usize>,
    /// Per operand dimension: 0 stays in the window, 1 collapsed, 2 batching.
    pub kind: Vec<u8>,
    pub map: Vec<i64>,
    pub operand_batching: Vec<i64>,
    pub indices_batching: Vec<i64>,
    pub index_vector_dim: usize,
    pub indices_shape: Vec<usize>,
    pub index_type: ElementType,
    pub indices: Vec<i64>,
    /// Positions of the window's dimensions in the result (gather) or the updates (scatter).
    pub offset_dims: Vec<i64>,
    /// The shape of the result or the updates.
    pub result: Vec<usize>,
}

impl Numbers {
    /// The operand index that an index of the result or the updates refers to, by the
    /// specification's formula, with `clamp` or without.
    pub fn operand_index(&self, index: &[usize], clamp: bool) -> Vec<i64> {
        let batch: Vec<usize> =
            (0..index.len()).filter(|&d| !self.offset_dims.contains(&(d as i64))).map(|d| index[d]).collect();
        let offset: Vec<usize> = self.offset_dims.iter().map(|&d| index[d as usize]).collect();
        let mut full = vec![0i64; self.operand.len()];
        for (k, &d) in self.map.iter().enumerate() {
            let mut at = batch.clone();
            if self.index_vector_dim < self.indices_shape.len() {
                at.insert(self.index_vector_dim, k);
            }
            let d = d as usize;
            let start = self.indices[flat(&self.indices_shape, &at)];
            let last = (self.operand[d] - self.window[d]) as i64;
            full[d] += if clamp { start.clamp(0, last) } else { start };
        }
        for (&o, &t) in self.operand_batching.iter().zip(&self.indices_batching) {
            let t = t as usize;
            full[o as usize] += batch[t - usize::from(t > self.index_vector_dim)] as i64;
        }
        let mut offset = offset.into_iter();
        for (d, _) in self.kind.iter().enumerate().filter(|(_, k)| **k == 0) {
            full[d] += offset.next().unwrap() as i64;
        }
        full
    }
}

/// Consistent random [`Numbers`].
pub(crate) fn numbers() -> impl Strategy<Value = Numbers> {
    let types = [
        ElementType::S8,
        ElementType::S16,
        ElementType::S32,
        ElementType::S64,
        ElementType::U8,
        ElementType::U16,
        ElementType::U32,
        ElementType::U64,
    ];
    let dims = proptest::collection::vec((1usize..6, 0u8..4, any::<bool>(), 0usize..6), 0..5);
    let batch = proptest::collection::vec(0usize..5, 0..3);
    (dims, batch, any::<[u16; 6]>(), 0..types.len(), proptest::collection::vec(-3i64..9, 1..64)).prop_map(
        move |(dims, batch, draw, ty, values)| {
            let operand: Vec<usize> = dims.iter().map(|d| d.0).collect();
            let kind: Vec<u8> = dims.iter().map(|d| if d.1 == 3 { 0 } else { d.1 }).collect();
            let window: Vec<usize> =
                dims.iter().zip(&kind).map(|(d, &k)| if k == 0 { 1 + d.3 % d.0 } else { 1 }).collect();
            let mut map: Vec<i64> =
                (0..operand.len()).filter(|&d| kind[d] != 2 && dims[d].2).map(|d| d as i64).collect();
            if map.len() > 1 && draw[0] % 2 == 0 {
                map.reverse();
            }
            // Batch dimensions of the indices: the free ones, with the batching ones put between.
            let mut sizes: Vec<(usize, Option<i64>)> = batch.iter().map(|&n| (n, None)).collect();
            for d in (0..operand.len()).filter(|&d| kind[d] == 2) {
                let at = draw[1] as usize % (sizes.len() + 1);
                sizes.insert(at, (operand[d], Some(d as i64)));
            }
            let vector = if map.len() == 1 && draw[2] % 3 == 0 {
                sizes.len() // implicit
            } else {
                draw[2] as usize % (sizes.len() + 1)
            };
            let mut indices_shape: Vec<usize> = sizes.iter().map(|s| s.0).collect();
            if !(map.len() == 1 && vector == sizes.len() && draw[3] % 2 == 0) {
                indices_shape.insert(vector, map.len());
            }
            let mut operand_batching: Vec<i64> = sizes.iter().filter_map(|s| s.1).collect();
            operand_batching.sort();
            let indices_batching = operand_batching
                .iter()
                .map(|o| {
                    let b = sizes.iter().position(|s| s.1 == Some(*o)).unwrap();
                    (b + usize::from(b >= vector)) as i64
                })
                .collect();
            let windows: Vec<usize> = (0..operand.len()).filter(|&d| kind[d] == 0).collect();
            let rank = sizes.len() + windows.len();
            // Which result dimensions are the window's: a random subset of that size.
            let mut order: Vec<usize> = (0..rank).collect();
            order.sort_by_key(|&d| (draw[4] as usize).wrapping_mul(d * 7919 + 31) % 101);
            let mut offset_dims: Vec<i64> = order[..windows.len()].iter().map(|&d| d as i64).collect();
            if draw[5] % 2 == 0 {
                offset_dims = (sizes.len() as i64..rank as i64).collect();
            }
            offset_dims.sort();
            let (mut w, mut b) = (windows.iter(), sizes.iter());
            let result = (0..rank as i64)
                .map(|d| match offset_dims.contains(&d) {
                    true => window[*w.next().unwrap()],
                    false => b.next().unwrap().0,
                })
                .collect();
            let count: usize = indices_shape.iter().product();
            let unsigned = types[ty].is_unsigned();
            let indices = (0..count)
                .map(|i| values[i % values.len()].wrapping_add((i / 7 % 3) as i64))
                .map(|v| if unsigned { v.max(0) } else { v })
                .collect();
            Numbers {
                operand,
                window,
                kind,
                map,
                operand_batching,
                indices_batching,
                index_vector_dim: vector,
                indices_shape,
                index_type: types[ty],
                indices,
                offset_dims,
                result,
            }
        },
    )
}
