//! Small dense matrices for the tests of this folder: complex f64, whatever the tensor holds.

use num_complex::Complex;
use proptest::test_runner::TestCaseError;
use sim_core::{Ctx, Numerics, Tensor};

pub type C = Complex<f64>;
pub const ZERO: C = C { re: 0.0, im: 0.0 };

pub fn ctx() -> Ctx {
    Ctx::new(Numerics::ieee(), 1 << 30)
}

/// Numbers in (-1, 1).
pub fn random(shape: &[usize], complex: bool, seed: u64) -> Tensor {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let n: usize = shape.iter().product();
    if complex {
        let values: Vec<C> = (0..n).map(|_| C::new(next(), next())).collect();
        Tensor::from_slice(shape, &values)
    } else {
        let values: Vec<f64> = (0..n).map(|_| next()).collect();
        Tensor::from_slice(shape, &values)
    }
}

pub fn values(t: &Tensor) -> Vec<C> {
    if t.element().is_complex() {
        t.as_slice::<C>().to_vec()
    } else {
        t.as_slice::<f64>().iter().map(|&x| C::new(x, 0.0)).collect()
    }
}

fn dims(t: &Tensor) -> (usize, usize, usize) {
    let [batch @ .., m, n] = t.shape() else { panic!("matrices") };
    (batch.iter().product(), *m, *n)
}

/// The matrices of a batch.
pub fn list(t: &Tensor) -> Vec<Vec<C>> {
    let (batch, m, n) = dims(t);
    let all = values(t);
    (0..batch).map(|b| all[b * m * n..(b + 1) * m * n].to_vec()).collect()
}

fn build(like: &Tensor, shape: &[usize], values: Vec<C>) -> Tensor {
    if like.element().is_complex() {
        Tensor::from_slice(shape, &values)
    } else {
        Tensor::from_slice(shape, &values.iter().map(|z| z.re).collect::<Vec<f64>>())
    }
}

/// As complex numbers.
pub fn complex_of(t: &Tensor) -> Tensor {
    Tensor::from_slice(t.shape(), &values(t))
}

pub fn map(t: &Tensor, f: impl Fn(usize, usize, C) -> C) -> Tensor {
    let (_, m, n) = dims(t);
    let out = values(t).into_iter().enumerate().map(|(at, x)| f(at / n % m, at % n, x)).collect();
    build(t, t.shape(), out)
}

/// As [`map`], with a look into a matrix of as many rows beside.
pub fn map2(
    t: &Tensor,
    other: &Tensor,
    f: impl Fn(usize, usize, C, &dyn Fn(usize, usize) -> C) -> C,
) -> Tensor {
    let (_, m, n) = dims(t);
    let (_, _, on) = dims(other);
    let o = values(other);
    let out = values(t)
        .into_iter()
        .enumerate()
        .map(|(at, x)| {
            let b = at / n / m;
            f(at / n % m, at % n, x, &|i, j| o[(b * m + i) * on + j])
        })
        .collect();
    build(t, t.shape(), out)
}

pub fn adjoint(t: &Tensor) -> Tensor {
    let (_, m, n) = dims(t);
    let mut out = Vec::new();
    for a in list(t) {
        for j in 0..n {
            out.extend((0..m).map(|i| a[i * n + j].conj()));
        }
    }
    let mut shape = t.shape().to_vec();
    let rank = shape.len();
    shape.swap(rank - 1, rank - 2);
    build(t, &shape, out)
}

pub fn product(a: &Tensor, b: &Tensor) -> Tensor {
    let ((_, m, k), (_, _, n)) = (dims(a), dims(b));
    let mut out = Vec::new();
    for (x, y) in list(a).iter().zip(list(b)) {
        for i in 0..m {
            for j in 0..n {
                out.push((0..k).map(|l| x[i * k + l] * y[l * n + j]).sum());
            }
        }
    }
    let mut shape = a.shape().to_vec();
    *shape.last_mut().unwrap() = n;
    let like = if a.element().is_complex() { a } else { b };
    build(like, &shape, out)
}

/// A batch of vectors as diagonal matrices.
pub fn diagonal(t: &Tensor, m: usize, n: usize) -> Tensor {
    let k = *t.shape().last().unwrap();
    let all = values(t);
    let batch = t.shape()[..t.rank() - 1].iter().product();
    let mut out = vec![ZERO; batch * m * n];
    for b in 0..batch {
        for i in 0..k {
            out[(b * m + i) * n + i] = all[b * k + i];
        }
    }
    let mut shape = t.shape().to_vec();
    shape.pop();
    shape.extend([m, n]);
    build(t, &shape, out)
}

pub fn close(a: &Tensor, b: &Tensor, tolerance: f64) -> Result<(), TestCaseError> {
    proptest::prop_assert_eq!(a.shape(), b.shape());
    for (i, (x, y)) in values(a).iter().zip(values(b)).enumerate() {
        let d = *x - y;
        let distance = d.re.abs().max(d.im.abs());
        proptest::prop_assert!(distance <= tolerance, "element {i}: {x} and {y}");
    }
    Ok(())
}

/// The columns are orthonormal.
pub fn orthonormal(q: &Tensor, tolerance: f64) -> Result<(), TestCaseError> {
    let g = product(&adjoint(q), q);
    close(&g, &map(&g, |i, j, _| C::new((i == j) as u8 as f64, 0.0)), tolerance)
}
