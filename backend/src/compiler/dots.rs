//! Products as the matrix units take them, or not at all.
//!
//! Dimensions of one are no dimensions of a product (the groups of heads that `jax.nn.dot_product_attention` has, though each is of one head).
//!
//! A product with a single row or column is a multiplication and a sum in the vector unit, in f32, on chips whose description says so
//! (`mxu.vectors`); the arrays would stand idle but for one row.

use super::Cx;
use super::build::{self, Build};
use super::graph::{dims, push, set};
use sim_core::hlo::{ArrayShape, Computation, Instruction, InstructionId, Key, Opcode, Value};
use sim_core::{ElementType, Result};

pub(super) fn run(cx: &mut Cx<'_>) -> Result<()> {
    build::replace(cx, &[Opcode::Dot], without_ones);
    if cx.chip.units().mxu.vectors == 0 {
        build::replace(cx, &[Opcode::Dot], |b, dot| summed(b.cx, b.computation, dot));
    }
    Ok(())
}

/// The product without batches of one, and without rows and columns of one where there are others, between reshapes.
fn without_ones(b: &mut Build<'_, '_>, dot: &Instruction) -> Option<InstructionId> {
    let out = dot.shape.as_array()?.clone();
    let left = Side::of(b.computation, dot, 0, [Key::LhsBatchDims, Key::LhsContractingDims])?;
    let right = Side::of(b.computation, dot, 1, [Key::RhsBatchDims, Key::RhsContractingDims])?;
    let full: Vec<i64> = out.dims.iter().map(|d| d.as_static()).collect::<Option<_>>()?;
    let batches = left
        .batch
        .iter()
        .zip(&right.batch)
        .map(|(&l, &r)| left.size(l) == Some(1) && right.size(r) == Some(1));
    let gone_batches: Vec<bool> = batches.collect();
    let mut product = dot.clone();
    product.name = b.cx.names.fresh(&dot.name);
    let mut sizes: Vec<i64> = (0..left.batch.len()).filter(|&n| !gone_batches[n]).map(|n| full[n]).collect();
    let mut changed = gone_batches.contains(&true);
    let keys = [[Key::LhsBatchDims, Key::LhsContractingDims], [Key::RhsBatchDims, Key::RhsContractingDims]];
    for (k, (side, [batch, contracting])) in [left, right].into_iter().zip(keys).enumerate() {
        let free = side.free();
        let ones = |d: &&i64| side.size(**d) == Some(1);
        // One row or column stays.
        let all = free.iter().all(|d| ones(&d));
        let mut gone: Vec<i64> =
            free.iter().filter(ones).copied().filter(|d| !all || Some(d) != free.last()).collect();
        sizes.extend(free.iter().filter(|d| !gone.contains(d)).map(|&d| side.size(d).unwrap_or(1)));
        gone.extend(side.batch.iter().zip(&gone_batches).filter(|b| *b.1).map(|b| *b.0));
        if gone.is_empty() {
            continue;
        }
        changed = true;
        let kept: Vec<i64> = (0..side.shape.rank() as i64).filter(|d| !gone.contains(d)).collect();
        let narrow: Vec<i64> = kept.iter().map(|&d| side.size(d)).collect::<Option<_>>()?;
        let moved = |dims: &[i64]| -> Box<[i64]> {
            dims.iter().filter_map(|d| kept.iter().position(|k| k == d)).map(|at| at as i64).collect()
        };
        product.operands[k] = b.reshape(side.id, side.shape.element, &narrow);
        set(&mut product, contracting, Value::Ints(moved(&side.contracted)));
        let batches = moved(&side.batch);
        product.attrs.retain(|a| a.key != batch);
        if !batches.is_empty() {
            set(&mut product, batch, Value::Ints(batches));
        }
    }
    if !changed || full.contains(&0) {
        return None;
    }
    product.shape = build::shape(out.element, &sizes);
    let product = push(b.computation, product);
    Some(b.reshape(product, out.element, &full))
}

/// One side of a product.
struct Side {
    id: InstructionId,
    shape: ArrayShape,
    batch: Vec<i64>,
    contracted: Vec<i64>,
}

impl Side {
    fn of(computation: &Computation, dot: &Instruction, k: usize, keys: [Key; 2]) -> Option<Side> {
        let id = *dot.operands.get(k)?;
        let shape = computation.instruction(id).shape.as_array()?.clone();
        let [batch, contracted] = keys.map(|key| dims(dot, &key).to_vec());
        Some(Side { id, shape, batch, contracted })
    }

    fn size(&self, d: i64) -> Option<i64> {
        self.shape.dims.get(d as usize)?.as_static()
    }

    fn free(&self) -> Vec<i64> {
        let all = 0..self.shape.rank() as i64;
        all.filter(|d| !self.batch.contains(d) && !self.contracted.contains(d)).collect()
    }

    /// Rows or columns of it.
    fn vectors(&self) -> Option<i64> {
        self.free().iter().try_fold(1i64, |n, &d| n.checked_mul(self.size(d)?))
    }
}

/// The multiplication and sum that a product of a vector is.
fn summed(cx: &mut Cx<'_>, computation: &mut Computation, dot: &Instruction) -> Option<InstructionId> {
    if dot.opcode != Opcode::Dot {
        return None;
    }
    let out = dot.shape.as_array()?.clone();
    let left = Side::of(computation, dot, 0, [Key::LhsBatchDims, Key::LhsContractingDims])?;
    let right = Side::of(computation, dot, 1, [Key::RhsBatchDims, Key::RhsContractingDims])?;
    let (vector, matrix) = match (left.vectors()?, right.vectors()?) {
        (1, _) => (left, right),
        (_, 1) => (right, left),
        _ => return None,
    };
    let element = match out.element {
        e if e.is_float() && e.bits() <= 32 => ElementType::F32,
        e if e.is_integer() => e,
        _ => return None,
    };
    let mut build = Build { cx, computation, like: dot };
    // [batch…, contracted…]
    let order: Vec<i64> =
        vector.batch.iter().chain(&vector.contracted).chain(&vector.free()).copied().collect();
    let sizes: Vec<i64> =
        vector.batch.iter().chain(&vector.contracted).map(|&d| vector.size(d)).collect::<Option<_>>()?;
    let permuted: Vec<i64> = order.iter().map(|&d| vector.size(d)).collect::<Option<_>>()?;
    let v = build.transpose(vector.id, vector.shape.element, &permuted, &order);
    let v = build.reshape(v, vector.shape.element, &sizes);
    let v = build.convert(v, element, &sizes);
    let whole: Vec<i64> = (0..matrix.shape.rank() as i64).map(|d| matrix.size(d)).collect::<Option<_>>()?;
    let m = build.convert(matrix.id, element, &whole);
    let at: Vec<i64> = matrix.batch.iter().chain(&matrix.contracted).copied().collect();
    let v = build.one(Opcode::Broadcast, element, &whole, &[v], Some(at));
    let product = build.one(Opcode::Multiply, element, &whole, &[m, v], None);
    let kept: Vec<i64> = (0..matrix.shape.rank() as i64).filter(|d| !matrix.contracted.contains(d)).collect();
    let left_over: Vec<i64> = kept.iter().map(|&d| matrix.size(d)).collect::<Option<_>>()?;
    let sum = build.sum(product, element, &left_over, matrix.contracted.clone());
    // Batch dimensions come first, then the free ones.
    let order: Vec<i64> = matrix
        .batch
        .iter()
        .copied()
        .chain(matrix.free())
        .filter_map(|d| kept.iter().position(|&k| k == d))
        .map(|at| at as i64)
        .collect();
    let permuted: Vec<i64> = order.iter().map(|&d| left_over[d as usize]).collect();
    let sum = build.transpose(sum, element, &permuted, &order);
    let result: Vec<i64> = out.dims.iter().map(|d| d.as_static()).collect::<Option<_>>()?;
    let sum = build.reshape(sum, element, &result);
    Some(build.convert(sum, out.element, &result))
}
