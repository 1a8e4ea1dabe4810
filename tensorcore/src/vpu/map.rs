//! The loops that every elementwise kernel is made of: plain slice traversals that the compiler
//! turns into vector code once the closure is inlined.

use bytemuck::Pod;

/// A kernel of one operand; both slices hold the same number of elements.
pub type Kernel1 = fn(&[u8], &mut [u8]);
/// A kernel of two operands.
pub type Kernel2 = fn(&[u8], &[u8], &mut [u8]);
/// A kernel of three operands.
pub type Kernel3 = fn(&[u8], &[u8], &[u8], &mut [u8]);

/// `out[i] = f(a[i])`
#[inline(always)]
pub(crate) fn map1<A: Pod, R: Pod>(a: &[u8], out: &mut [u8], f: impl Fn(A) -> R) {
    if out.is_empty() {
        return; // An empty slice need not be aligned.
    }
    let a: &[A] = bytemuck::cast_slice(a);
    let out: &mut [R] = bytemuck::cast_slice_mut(out);
    for (o, &a) in out.iter_mut().zip(a) {
        *o = f(a);
    }
}

/// `out[i] = f(a[i], b[i])`
#[inline(always)]
pub(crate) fn map2<A: Pod, B: Pod, R: Pod>(a: &[u8], b: &[u8], out: &mut [u8], f: impl Fn(A, B) -> R) {
    if out.is_empty() {
        return; // An empty slice need not be aligned.
    }
    let a: &[A] = bytemuck::cast_slice(a);
    let b: &[B] = bytemuck::cast_slice(b);
    let out: &mut [R] = bytemuck::cast_slice_mut(out);
    for ((o, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *o = f(a, b);
    }
}

/// `out[i] = f(a[i], b[i], c[i])`
#[inline(always)]
pub(crate) fn map3<A: Pod, B: Pod, C: Pod, R: Pod>(
    a: &[u8],
    b: &[u8],
    c: &[u8],
    out: &mut [u8],
    f: impl Fn(A, B, C) -> R,
) {
    if out.is_empty() {
        return; // An empty slice need not be aligned.
    }
    let a: &[A] = bytemuck::cast_slice(a);
    let b: &[B] = bytemuck::cast_slice(b);
    let c: &[C] = bytemuck::cast_slice(c);
    let out: &mut [R] = bytemuck::cast_slice_mut(out);
    for (((o, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
        *o = f(a, b, c);
    }
}
