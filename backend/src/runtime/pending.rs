#![allow(unused, clippy::all)]
use sim_core::exec::RegionFn;
use sim_core::ir::op::*;
use sim_core::ir::{Function, RegionId};
use sim_core::*;
fn no<T>(s: &str) -> Result<T> {
    Err(Diagnostic::unsupported(format!("PENDING {s}")))
}
pub mod sparsecore {
    use super::*;
    pub struct Key;
    pub fn gather(ctx: &Ctx, a: &Tensor, b: &Tensor, d: &GatherDims, s: &[i64]) -> Result<Tensor> {
        no("gather")
    }
    pub fn torch_index_select(ctx: &Ctx, a: &Tensor, b: &Tensor, d: i64, s: i64) -> Result<Tensor> {
        no("tis")
    }
    pub fn scatter(
        ctx: &Ctx,
        a: Vec<Tensor>,
        b: &Tensor,
        u: &[Tensor],
        d: &ScatterDims,
        s: &dyn RegionFn,
    ) -> Result<Vec<Tensor>> {
        no("scatter")
    }
    pub fn sort(
        ctx: &Ctx,
        a: Vec<Tensor>,
        d: usize,
        s: bool,
        k: Option<&[Key]>,
        r: &dyn RegionFn,
    ) -> Result<Vec<Tensor>> {
        no("sort")
    }
    pub fn top_k(ctx: &Ctx, a: &Tensor, k: usize) -> Result<(Tensor, Tensor)> {
        no("topk")
    }
    pub mod sort {
        use super::*;
        pub fn recognise(f: &Function, r: RegionId) -> Option<Vec<Key>> {
            None
        }
    }
}
pub mod rng {
    use super::*;
    pub fn rng(ctx: &Ctx, d: RngDistribution, a: &Tensor, b: &Tensor, s: &[usize]) -> Result<Tensor> {
        no("rng")
    }
    pub fn rng_bit_generator(
        ctx: &Ctx,
        d: RngAlgorithm,
        a: &Tensor,
        t: ElementType,
        s: &[usize],
    ) -> Result<(Tensor, Tensor)> {
        no("rng")
    }
}
pub mod window {
    use super::*;
    pub fn reduce_window(
        ctx: &Ctx,
        a: &[&Tensor],
        i: &[&Tensor],
        w: &Window,
        r: &dyn RegionFn,
    ) -> Result<Vec<Tensor>> {
        no("reduce_window")
    }
    pub fn select_and_scatter(
        ctx: &Ctx,
        a: &Tensor,
        b: &Tensor,
        c: &Tensor,
        w: &Window,
        r: &dyn RegionFn,
        s: &dyn RegionFn,
    ) -> Result<Tensor> {
        no("sas")
    }
}
pub mod mxu2 {
    use super::*;
    pub fn einsum(ctx: &Ctx, a: &Tensor, b: &Tensor, c: &str, o: ElementType) -> Result<Tensor> {
        no("einsum")
    }
    pub fn unary_einsum(ctx: &Ctx, a: &Tensor, c: &str) -> Result<Tensor> {
        no("einsum")
    }
    pub fn ragged_dot(
        ctx: &Ctx,
        a: &Tensor,
        b: &Tensor,
        g: &Tensor,
        c: &RaggedDotDims,
        p: &[Precision],
        o: ElementType,
    ) -> Result<Tensor> {
        no("einsum")
    }
}
pub mod linalg {
    use super::*;
    pub fn cholesky(ctx: &Ctx, a: &Tensor, l: bool) -> Result<Tensor> {
        no("chol")
    }
    pub fn triangular_solve(
        ctx: &Ctx,
        a: &Tensor,
        b: &Tensor,
        l: bool,
        m: bool,
        n: bool,
        t: Transpose,
    ) -> Result<Tensor> {
        no("tri")
    }
    pub fn fft(ctx: &Ctx, a: &Tensor, t: FftType, l: &[i64]) -> Result<Tensor> {
        no("fft")
    }
}
