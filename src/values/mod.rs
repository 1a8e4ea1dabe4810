//! Tensors as people see them: printed, drawn at random, compared.

pub mod compare;
pub mod display;
pub mod random;

use num_complex::Complex;
use sim_core::dtype::{
    F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ,
    F8E8M0FNU, SmallFloat,
};
use sim_core::{ElementType, Tensor};

/// One element, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    Complex(f64, f64),
}

/// Element `i` in row-major order. For printing and statistics; kernels have their own loops.
///
/// # Panics
/// If `i` is not within the tensor.
pub fn scalar(t: &Tensor, i: usize) -> Scalar {
    use ElementType as E;
    fn small<T: SmallFloat>(t: &Tensor, i: usize) -> Scalar {
        Scalar::Float(T::from_bits(t.bytes()[i]).to_f32().into())
    }
    match t.element() {
        E::Pred => Scalar::Bool(t.bytes()[i] != 0),
        E::S2 | E::S4 | E::S8 => Scalar::Int((t.bytes()[i] as i8).into()),
        E::S16 => Scalar::Int(t.as_slice::<i16>()[i].into()),
        E::S32 => Scalar::Int(t.as_slice::<i32>()[i].into()),
        E::S64 | E::Index => Scalar::Int(t.as_slice::<i64>()[i]),
        E::U2 | E::U4 | E::U8 => Scalar::Uint(t.bytes()[i].into()),
        E::U16 => Scalar::Uint(t.as_slice::<u16>()[i].into()),
        E::U32 => Scalar::Uint(t.as_slice::<u32>()[i].into()),
        E::U64 => Scalar::Uint(t.as_slice::<u64>()[i]),
        E::F4E2M1FN => small::<F4E2M1FN>(t, i),
        E::F6E2M3FN => small::<F6E2M3FN>(t, i),
        E::F6E3M2FN => small::<F6E3M2FN>(t, i),
        E::F8E3M4 => small::<F8E3M4>(t, i),
        E::F8E4M3 => small::<F8E4M3>(t, i),
        E::F8E4M3FN => small::<F8E4M3FN>(t, i),
        E::F8E4M3FNUZ => small::<F8E4M3FNUZ>(t, i),
        E::F8E4M3B11FNUZ => small::<F8E4M3B11FNUZ>(t, i),
        E::F8E5M2 => small::<F8E5M2>(t, i),
        E::F8E5M2FNUZ => small::<F8E5M2FNUZ>(t, i),
        E::F8E8M0FNU => small::<F8E8M0FNU>(t, i),
        E::BF16 => Scalar::Float(t.as_slice::<half::bf16>()[i].to_f64()),
        E::F16 => Scalar::Float(t.as_slice::<half::f16>()[i].to_f64()),
        E::F32 => Scalar::Float(t.as_slice::<f32>()[i].into()),
        E::F64 => Scalar::Float(t.as_slice::<f64>()[i]),
        E::C64 => {
            let c = t.as_slice::<Complex<f32>>()[i];
            Scalar::Complex(c.re.into(), c.im.into())
        }
        E::C128 => {
            let c = t.as_slice::<Complex<f64>>()[i];
            Scalar::Complex(c.re, c.im)
        }
    }
}

/// Row-major coordinates of element `i`.
pub fn coordinates(shape: &[usize], mut i: usize) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (at, &n) in index.iter_mut().zip(shape).rev() {
        *at = i % n.max(1);
        i /= n.max(1);
    }
    index
}
