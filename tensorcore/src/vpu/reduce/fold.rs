//! Typed folds for the common reductions: `acc[i mod lanes] = op(acc[i mod lanes], x[i])`.

use crate::vpu::binary::{maximum, maximum_f64, minimum, minimum_f64};
use crate::vpu::flush::flush;
use bytemuck::Pod;
use num_complex::Complex;
use sim_core::Numerics;
use sim_core::dtype::ElementType;
use sim_core::ir::Binary;
use sim_core::numerics::F64;
use smallvec::SmallVec;

/// One reduction over one element type.
#[derive(Clone)]
pub(in crate::vpu) struct Fold {
    /// Bytes of an element.
    pub width: usize,
    /// `op(identity, x) == x` for every `x`.
    pub identity: SmallVec<[u8; 16]>,
    /// Folds `x` into the accumulators: element `i` of `x` into accumulator `i mod lanes`, in order.
    /// The length of `x` is a multiple of that of the accumulators.
    pub fold: fn(acc: &mut [u8], x: &[u8]),
    /// `out[i] = op(carry, op(x[0], …, x[i]))`, or `op(carry, op(x[i], …, x[n-1]))` in reverse.
    pub scan: fn(carry: &[u8], x: &[u8], out: &mut [u8], reverse: bool),
}

impl Fold {
    /// All elements of `x` as one, in 32 lanes.
    pub fn sum(&self, x: &[u8], out: &mut [u8]) {
        let w = self.width;
        let mut acc = super::aligned(&self.identity.repeat(32));
        let acc = acc.bytes_mut(32 * w);
        let (body, tail) = x.split_at(x.len() / acc.len() * acc.len());
        (self.fold)(acc, body);
        (self.fold)(&mut acc[..tail.len()], tail);
        for half in [16, 8, 4, 2, 1] {
            let (low, high) = acc.split_at_mut(half * w);
            (self.fold)(low, &high[..half * w]);
        }
        out.copy_from_slice(&acc[..w]);
    }
}

#[inline(always)]
fn scan<T: Pod>(carry: &[u8], x: &[u8], out: &mut [u8], reverse: bool, f: impl Fn(T, T) -> T + Copy) {
    let carry: &[T] = bytemuck::cast_slice(carry);
    let x: &[T] = bytemuck::cast_slice(x);
    let out: &mut [T] = bytemuck::cast_slice_mut(out);
    let (&[carry], Some(&first), Some(&last)) = (carry, x.first(), x.last()) else { return };
    let mut local = if reverse { last } else { first };
    if reverse {
        let mut pairs = out.iter_mut().zip(x).rev();
        if let Some((o, _)) = pairs.next() {
            *o = f(carry, local);
        }
        for (o, &v) in pairs {
            local = f(v, local);
            *o = f(carry, local);
        }
    } else {
        let mut pairs = out.iter_mut().zip(x);
        if let Some((o, _)) = pairs.next() {
            *o = f(carry, local);
        }
        for (o, &v) in pairs {
            local = f(local, v);
            *o = f(carry, local);
        }
    }
}

#[inline(always)]
fn lanes<T: Pod>(acc: &mut [u8], x: &[u8], f: impl Fn(T, T) -> T + Copy) {
    let acc: &mut [T] = bytemuck::cast_slice_mut(acc);
    let x: &[T] = bytemuck::cast_slice(x);
    match acc.len() {
        0 => {}
        1 => acc[0] = x.iter().fold(acc[0], |a, &b| f(a, b)),
        8 => in_registers::<T, 8>(acc, x, f),
        32 => in_registers::<T, 32>(acc, x, f),
        n => {
            for row in x.chunks_exact(n) {
                for (a, &b) in acc.iter_mut().zip(row) {
                    *a = f(*a, b);
                }
            }
        }
    }
}

#[inline(always)]
fn in_registers<T: Pod, const N: usize>(acc: &mut [T], x: &[T], f: impl Fn(T, T) -> T + Copy) {
    let Some(acc) = acc.first_chunk_mut::<N>() else { return };
    let mut own = *acc;
    for row in x.as_chunks::<N>().0 {
        for i in 0..N {
            own[i] = f(own[i], row[i]);
        }
    }
    *acc = own;
}

macro_rules! fold {
    ($t:ty, $identity:expr, $f:expr) => {{
        let identity: $t = $identity;
        Some(Fold {
            width: size_of::<$t>(),
            identity: SmallVec::from_slice(bytemuck::bytes_of(&identity)),
            fold: |acc, x| lanes::<$t>(acc, x, $f),
            scan: |carry, x, out, reverse| scan::<$t>(carry, x, out, reverse, $f),
        })
    }};
}

macro_rules! integers {
    ($t:ty, $op:expr) => {
        match $op {
            Binary::Add => fold!($t, 0, |a: $t, b: $t| a.wrapping_add(b)),
            Binary::Multiply => fold!($t, 1, |a: $t, b: $t| a.wrapping_mul(b)),
            Binary::Maximum => fold!($t, <$t>::MIN, |a: $t, b: $t| a.max(b)),
            Binary::Minimum => fold!($t, <$t>::MAX, |a: $t, b: $t| a.min(b)),
            Binary::And => fold!($t, !0, |a: $t, b: $t| a & b),
            Binary::Or => fold!($t, 0, |a: $t, b: $t| a | b),
            Binary::Xor => fold!($t, 0, |a: $t, b: $t| a ^ b),
            _ => None,
        }
    };
}

/// The fold of `op` over `ty`; `None` where only the general path has it.
pub(in crate::vpu) fn fold(op: Binary, ty: ElementType, numerics: &Numerics) -> Option<Fold> {
    use Binary as B;
    use ElementType as E;
    let flushed = numerics.flush_subnormals;
    match ty {
        E::F32 => match op {
            // -0 is the identity of addition: -0 + -0 is -0, 0 + -0 is 0.
            B::Add if flushed => fold!(f32, -0.0, |a: f32, b: f32| flush(a + b)),
            B::Multiply if flushed => fold!(f32, 1.0, |a: f32, b: f32| flush(a * b)),
            B::Add => fold!(f32, -0.0, |a: f32, b: f32| a + b),
            B::Multiply => fold!(f32, 1.0, |a: f32, b: f32| a * b),
            B::Maximum => fold!(f32, f32::NEG_INFINITY, maximum),
            B::Minimum => fold!(f32, f32::INFINITY, minimum),
            _ => None,
        },
        E::F64 if numerics.f64 == F64::Native => match op {
            B::Add => fold!(f64, -0.0, |a: f64, b: f64| a + b),
            B::Multiply => fold!(f64, 1.0, |a: f64, b: f64| a * b),
            B::Maximum => fold!(f64, f64::NEG_INFINITY, maximum_f64),
            B::Minimum => fold!(f64, f64::INFINITY, minimum_f64),
            _ => None,
        },
        E::C64 if op == B::Add && !flushed => {
            fold!(Complex<f32>, Complex::new(-0.0, -0.0), |a: Complex<f32>, b: Complex<f32>| a + b)
        }
        E::C128 if op == B::Add && numerics.f64 == F64::Native => {
            fold!(Complex<f64>, Complex::new(-0.0, -0.0), |a: Complex<f64>, b: Complex<f64>| a + b)
        }
        E::Pred => match op {
            B::Or | B::Maximum | B::Add => fold!(u8, 0, |a: u8, b: u8| a | b),
            B::And | B::Minimum | B::Multiply => fold!(u8, 1, |a: u8, b: u8| a & b),
            B::Xor => fold!(u8, 0, |a: u8, b: u8| a ^ b),
            _ => None,
        },
        E::S8 => integers!(i8, op),
        E::S16 => integers!(i16, op),
        E::S32 => integers!(i32, op),
        E::S64 | E::Index => integers!(i64, op),
        E::U8 => integers!(u8, op),
        E::U16 => integers!(u16, op),
        E::U32 => integers!(u32, op),
        E::U64 => integers!(u64, op),
        _ => None,
    }
}

/// Sums and products of these are kept in f32 and rounded once at the end.
pub(in crate::vpu) fn accumulates_in_f32(op: Binary, ty: ElementType) -> bool {
    ty.is_float()
        && ty.bits() <= 16
        && matches!(op, Binary::Add | Binary::Multiply | Binary::Maximum | Binary::Minimum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_change_nothing() {
        use Binary as B;
        let ops = [B::Add, B::Multiply, B::Maximum, B::Minimum, B::And, B::Or, B::Xor];
        for ty in ElementType::all() {
            for op in ops {
                for numerics in [Numerics::ieee(), Numerics::tpu()] {
                    let Some(f) = fold(op, ty, &numerics) else { continue };
                    let values: &[u8] = if ty == ElementType::Pred { &[0, 1] } else { &[0, 0x3f, 0x80] };
                    for &v in values {
                        let x = crate::vpu::reduce::aligned(&vec![v; ty.byte_size()]);
                        let mut acc = crate::vpu::reduce::aligned(&f.identity);
                        let n = f.width;
                        (f.fold)(acc.bytes_mut(n), x.bytes(n));
                        let same = acc.bytes(n) == x.bytes(n);
                        // 0x80808080 is a subnormal, which the TPU's sum flushes.
                        assert!(same || numerics.flush_subnormals && v == 0x80, "{op:?} {ty} {v:#x}");
                    }
                }
            }
        }
    }
}
