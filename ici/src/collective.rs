//! What one member of a group receives, given every member's operand in group order
//! (StableHLO specification, "Collective ops").

use sim_core::exec::RegionFn;
use sim_core::{Ctx, Diagnostic, Result, Tensor};

/// (outer, size along `dim`, bytes of one inner row) of a row-major tensor.
fn split_at(t: &Tensor, dim: usize) -> (usize, usize, usize) {
    let outer = t.shape()[..dim].iter().product();
    let inner: usize = t.shape()[dim + 1..].iter().product();
    (outer, t.shape()[dim], inner * t.element().byte_size())
}

/// Concatenation along `dim`: all_gather.
///
/// # Errors
/// The result does not fit the memory budget.
pub fn all_gather(ctx: &Ctx, operands: &[Tensor], dim: usize) -> Result<Tensor> {
    let first = &operands[0];
    let mut shape: Vec<usize> = first.shape().to_vec();
    shape[dim] = operands.iter().map(|t| t.shape()[dim]).sum();
    let mut out = ctx.alloc(first.element(), &shape)?;
    let (outer, total, row) = split_at(&out, dim);
    let bytes = out.bytes_mut();
    let mut at = 0;
    for t in operands {
        let width = t.shape()[dim] * row;
        if width > 0 {
            for (o, src) in t.bytes().chunks_exact(width).enumerate().take(outer) {
                bytes[o * total * row + at..][..width].copy_from_slice(src);
            }
        }
        at += width;
    }
    Ok(out)
}

/// Piece `index` of `count` along `dim`.
pub fn piece(ctx: &Ctx, t: &Tensor, dim: usize, index: usize, count: usize) -> Result<Tensor> {
    let size = t.shape()[dim];
    if count == 0 || !size.is_multiple_of(count) {
        return Err(Diagnostic::invalid(format!(
            "dimension {dim} of size {size} does not split into {count} parts"
        )));
    }
    let mut shape = t.shape().to_vec();
    shape[dim] = size / count;
    let mut out = ctx.alloc(t.element(), &shape)?;
    let (_, _, row) = split_at(t, dim);
    let width = size / count * row;
    if width > 0 {
        for (dst, src) in out.bytes_mut().chunks_exact_mut(width).zip(t.bytes().chunks_exact(size * row)) {
            dst.copy_from_slice(&src[index * width..][..width]);
        }
    }
    Ok(out)
}

/// Every member's `index`-th piece along `split_dim`, concatenated along `concat_dim`: what member
/// `index` of an all_to_all receives.
pub fn all_to_all(
    ctx: &Ctx,
    operands: &[Tensor],
    index: usize,
    split_dim: usize,
    concat_dim: usize,
    split_count: usize,
) -> Result<Tensor> {
    let pieces =
        operands.iter().map(|t| piece(ctx, t, split_dim, index, split_count)).collect::<Result<Vec<_>>>()?;
    all_gather(ctx, &pieces, concat_dim)
}

/// Elementwise reduction over the members, left to right in group order, by `body` (two scalars to one).
pub fn all_reduce(ctx: &Ctx, operands: &[Tensor], body: &dyn RegionFn) -> Result<Tensor> {
    let (first, rest) =
        operands.split_first().ok_or_else(|| Diagnostic::invalid("a group without members"))?;
    let mut acc = first.clone();
    let n = acc.len();
    for t in rest {
        let mut out = ctx.alloc(acc.element(), acc.shape())?;
        body.eval(&[acc.bytes(), t.bytes()], &mut [out.bytes_mut()], n);
        acc = out;
    }
    Ok(acc)
}

/// Member `index`'s piece of the reduction along `dim`.
pub fn reduce_scatter(
    ctx: &Ctx,
    operands: &[Tensor],
    index: usize,
    dim: usize,
    body: &dyn RegionFn,
) -> Result<Tensor> {
    let count = operands.len();
    let pieces = operands.iter().map(|t| piece(ctx, t, dim, index, count)).collect::<Result<Vec<_>>>()?;
    all_reduce(ctx, &pieces, body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::{ElementType, Numerics};

    struct Add([ElementType; 2]);
    impl RegionFn for Add {
        fn signature(&self) -> (&[ElementType], &[ElementType]) {
            (&self.0, &self.0[..1])
        }
        fn eval(&self, args: &[&[u8]], outs: &mut [&mut [u8]], n: usize) {
            let (a, b): (&[i32], &[i32]) = (bytemuck::cast_slice(args[0]), bytemuck::cast_slice(args[1]));
            let out: &mut [i32] = bytemuck::cast_slice_mut(outs[0]);
            for i in 0..n {
                out[i] = a[i].wrapping_add(b[i]);
            }
        }
    }

    fn ctx() -> Ctx {
        Ctx::new(Numerics::ieee(), 1 << 20)
    }

    #[test]
    fn gather_and_exchange() {
        let a = Tensor::from_slice(&[2, 2], &[1, 2, 3, 4]);
        let b = Tensor::from_slice(&[2, 2], &[5, 6, 7, 8]);
        let g = all_gather(&ctx(), &[a.clone(), b.clone()], 1).unwrap();
        assert_eq!(g.as_slice::<i32>(), [1, 2, 5, 6, 3, 4, 7, 8]);
        let x = all_to_all(&ctx(), &[a.clone(), b.clone()], 1, 1, 0, 2).unwrap();
        assert_eq!((x.shape(), x.as_slice::<i32>()), (&[4, 1][..], &[2, 4, 6, 8][..]));
        let s = reduce_scatter(&ctx(), &[a, b], 0, 0, &Add([ElementType::S32; 2])).unwrap();
        assert_eq!(s.as_slice::<i32>(), [6, 8]);
    }

    #[test]
    fn uneven_split_is_an_error() {
        let a = Tensor::from_slice(&[3], &[1, 2, 3]);
        assert!(piece(&ctx(), &a, 0, 0, 2).is_err());
    }
}
