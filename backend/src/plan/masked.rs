//! Products of which a mask keeps some rows only.
//!
//! `select(mask, dot_general(x, y), other)`, where the mask is the same along each row of the product and
//! nobody else reads it, is how XLA:TPU writes a product whose rows come in groups (a mixture of experts):
//! each group's product over all rows, of which the mask keeps that group's. The product gets the mask as a
//! third operand, and its kernel leaves out the rows that are not kept.

use super::access::static_shape;
use sim_core::ir::{Function, Op, OpId, Region, ValueDef, ValueId};
use std::collections::HashMap;

/// Gives masks to products in the first `regions` regions of `f`.
pub fn mark(f: &mut Function, regions: usize) {
    let product = |f: &Function, o: OpId| matches!(f.op(o).op, Op::DotGeneral { .. });
    if !f.regions.iter().any(|r| r.ops.iter().any(|&o| product(f, o))) {
        return;
    }
    let mut uses: HashMap<ValueId, usize> = HashMap::new();
    for region in &f.regions {
        let read = region.ops.iter().flat_map(|&o| &f.op(o).operands).chain(&region.results);
        read.for_each(|&v| *uses.entry(v).or_default() += 1);
    }
    let mut found = Vec::new();
    for region in f.regions.iter().take(regions) {
        for &o in &region.ops {
            if let Some((dot, mask)) = masked(f, region, o)
                && uses[&f.op(dot).results[0]] == 1
            {
                found.push((dot, mask));
            }
        }
    }
    for (dot, mask) in found {
        f.op_mut(dot).operands.push(mask);
    }
}

/// The product of which the selection `o` keeps rows, and a value for each row: is it kept?
fn masked(f: &Function, region: &Region, o: OpId) -> Option<(OpId, ValueId)> {
    let op = f.op(o);
    if !matches!(op.op, Op::Select) {
        return None;
    }
    let &[pred, kept, _] = &op.operands[..] else { return None };
    let defined = |v: ValueId| match f.value(v).def {
        ValueDef::Result(o, _) => Some(o),
        ValueDef::Arg(..) => None,
    };
    let (dot, spread) = (defined(kept)?, defined(pred)?);
    let Op::DotGeneral { dims, .. } = &f.op(dot).op else { return None };
    let Op::BroadcastInDim { dims: along } = &f.op(spread).op else { return None };
    let (product, &mask) = (f.op(dot), f.op(spread).operands.first()?);
    let plain = |&v: &ValueId| f.ty(v).as_tensor().is_some_and(|t| t.quant.is_none());
    if product.operands.len() != 2
        || !product.regions.is_empty()
        || !product.operands.iter().chain(&product.results).all(plain)
    {
        return None;
    }
    // One truth value for each row: each index along the batch dimensions and the free ones of lhs.
    let shape = static_shape(f, kept)?;
    let rows = static_shape(f, product.operands[0])?.len().checked_sub(dims.lhs_contract.len())?;
    let straight = along.len() == rows && along.iter().enumerate().all(|(d, &to)| to == d as i64);
    if !straight || static_shape(f, mask)?[..] != shape[..rows] {
        return None;
    }
    // The mask is there before the product.
    let place = |o: OpId| region.ops.iter().position(|&p| p == o);
    let at = place(dot)?;
    defined(mask).and_then(place).is_none_or(|mask| mask < at).then_some((dot, mask))
}

#[cfg(test)]
mod tests {
    use crate::frontend::{Source, parse};
    use crate::plan::{PlanOptions, Program};
    use crate::runtime::{Executable, RunOptions};
    use sim_core::ir::{Module, Op};
    use sim_core::{Ctx, Numerics, Tensor};
    use std::sync::Arc;

    const GROUPS: &str = r#"
        func.func @main(%x: tensor<4x96x64xf32>, %y: tensor<4x64x192xf32>, %of: tensor<96xi32>) -> tensor<96x192xf32> {
          %g = stablehlo.iota dim = 0 : tensor<4x96xi32>
          %o = stablehlo.broadcast_in_dim %of, dims = [1] : (tensor<96xi32>) -> tensor<4x96xi32>
          %mask = stablehlo.compare EQ, %g, %o : (tensor<4x96xi32>, tensor<4x96xi32>) -> tensor<4x96xi1>
          %wide = stablehlo.broadcast_in_dim %mask, dims = [0, 1] : (tensor<4x96xi1>) -> tensor<4x96x192xi1>
          %p = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x96x64xf32>, tensor<4x64x192xf32>) -> tensor<4x96x192xf32>
          %zero = stablehlo.constant dense<0.0> : tensor<f32>
          %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<4x96x192xf32>
          %some = stablehlo.select %wide, %p, %zeros : tensor<4x96x192xi1>, tensor<4x96x192xf32>
          %sum = stablehlo.reduce(%some init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x96x192xf32>, tensor<f32>) -> tensor<96x192xf32>
          return %sum : tensor<96x192xf32>
        }"#;

    fn module(text: &str) -> Arc<Module> {
        Arc::new(parse(&Source::from_bytes("m.mlir", text.as_bytes())).unwrap().remove(0))
    }

    /// Operands of the product, as planned.
    fn operands(text: &str) -> usize {
        let options = PlanOptions { fuse: Some(Numerics::tpu()), rows: true };
        let program = Program::new(module(text), None, options).unwrap();
        let f = &program.entry().function;
        f.ops.iter().find(|op| matches!(op.op, Op::DotGeneral { .. })).unwrap().operands.len()
    }

    #[test]
    fn rows_that_no_mask_keeps_are_left_out() {
        assert_eq!(operands(GROUPS), 3);
        // Somebody else reads the product, or the mask keeps what is not the product, or columns.
        assert_eq!(operands(&GROUPS.replace("%wide, %p, %zeros", "%wide, %p, %p")), 2);
        assert_eq!(operands(&GROUPS.replace("%wide, %p, %zeros", "%wide, %zeros, %p")), 2);
        let columns = GROUPS
            .replace("96xi32", "192xi32")
            .replace("4x96xi1", "4x192xi1")
            .replace("%mask, dims = [0, 1]", "%mask, dims = [0, 2]");
        assert_eq!(operands(&columns), 2);
    }

    #[test]
    fn values_are_those_of_the_whole_product() {
        let noise = |shape: &[usize], seed: usize| {
            let n = shape.iter().product();
            let values: Vec<f32> = (0..n).map(|i| ((i * 7919 + seed) % 1009) as f32 / 504.0 - 1.0).collect();
            Tensor::from_slice(shape, &values)
        };
        // Group 2 has no rows, and some rows belong to no group.
        let of: Vec<i32> = (0..96).map(|i| [0, 1, 3, 4, 3][i * 5 / 96]).collect();
        let inputs = || vec![noise(&[4, 96, 64], 1), noise(&[4, 64, 192], 3), Tensor::from_slice(&[96], &of)];
        let [planned, plain] = [false, true].map(|check_nans| {
            let options = RunOptions { check_nans, ..RunOptions::default() };
            let exe = Executable::new(module(GROUPS), options).unwrap();
            exe.run(&Ctx::new(Numerics::tpu(), 1 << 30), inputs()).unwrap().remove(0).tensor().unwrap()
        });
        assert_eq!(planned, plain);
    }
}
