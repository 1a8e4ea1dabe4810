//! Arrays as their tiles lie in memory, the padding included.
//!
//! Most bitcasts need none of it: where both shapes have the same bytes, tiles lay the same elements at
//! the same places. XLA:TPU also sees a padded array as a vector of bytes, to fetch it piece by piece:
//! `s8[25624576]{0:T(1024)(128)(4,1)} bitcast(f32[100000,64]{0,1:T(8,128)})`.

use super::body::Body;
use super::{compute, invalid, unsupported};
use sim_core::hlo::{ArrayShape, Instruction, Tile};
use sim_core::ir::{Op, ValueId};
use sim_core::{Result, TensorType, Type};

/// One tile's work on the sizes in memory order: pad, split, and move the parts inside to the end.
struct Step {
    from: Vec<i64>,
    padded: Vec<i64>,
    split: Vec<i64>,
    permutation: Vec<i64>,
}

/// The way from an array to its memory.
pub struct Tiling {
    /// Dimensions from the slowest to the fastest.
    order: Vec<i64>,
    /// Their sizes, behind as many of 1 as a tile of more dimensions needs.
    sizes: Vec<i64>,
    steps: Vec<Step>,
    /// Elements in memory.
    pub elements: i64,
}

impl Tiling {
    /// `None` where sizes are open or larger than any memory, or where elements share bytes.
    pub fn of(a: &ArrayShape) -> Option<Tiling> {
        let dims: Vec<i64> = a.dims.iter().map(|d| d.as_static()).collect::<Option<_>>()?;
        let (order, tiles): (Vec<i64>, &[Tile]) = match &a.layout {
            Some(l) => (l.minor_to_major.iter().rev().copied().collect(), &l.tiles),
            None => ((0..dims.len() as i64).collect(), &[]),
        };
        let widest = tiles.iter().map(|t| t.0.len()).max().unwrap_or(0);
        let mut sizes = vec![1; tiles.first().map_or(0, |_| widest.min(8).saturating_sub(dims.len()))];
        for &d in &order {
            sizes.push(*dims.get(usize::try_from(d).ok()?)?);
        }
        let mut now = sizes.clone();
        let mut steps = Vec::new();
        for Tile(tile) in tiles {
            let outer = now.len().checked_sub(tile.len())?;
            if tile.iter().any(|&t| t <= 0) {
                return None;
            }
            let mut step = Step {
                from: now.clone(),
                padded: now.clone(),
                split: now[..outer].to_vec(),
                permutation: Vec::new(),
            };
            for (k, &t) in tile.iter().enumerate() {
                let n = step.padded[outer + k];
                step.padded[outer + k] = n.checked_add(t - 1)? / t * t;
                step.split.extend([step.padded[outer + k] / t, t]);
            }
            let inner = tile.len();
            step.permutation.extend((0..outer).map(|d| d as i64));
            step.permutation.extend((0..inner).map(|k| (outer + 2 * k) as i64));
            step.permutation.extend((0..inner).map(|k| (outer + 2 * k + 1) as i64));
            now = step.permutation.iter().map(|&d| step.split[d as usize]).collect();
            steps.push(step);
        }
        let elements = now.iter().try_fold(1i64, |n, &d| n.checked_mul(d)).filter(|&n| n < 1 << 48)?;
        (a.element.bits() >= 8).then_some(Tiling { order, sizes, steps, elements })
    }

    /// The array's elements in the order of memory, with zeros for what pads it.
    pub fn linear(&self, b: &mut Body, i: &Instruction, v: ValueId, a: &ArrayShape) -> Result<ValueId> {
        let ty = |sizes: &[i64]| Type::tensor(a.element, sizes);
        let ordered: Vec<i64> = self.sizes[self.sizes.len() - self.order.len()..].to_vec();
        let mut v = b.helper(i, Op::Transpose { permutation: self.order.clone() }, &[v], ty(&ordered));
        v = b.helper(i, Op::Reshape, &[v], ty(&self.sizes));
        for step in &self.steps {
            if step.padded != step.from {
                let zero = compute::int_constant(b, i, a.element, 0);
                let n = step.from.len();
                let high = step.padded.iter().zip(&step.from).map(|(p, f)| p - f).collect();
                let op = Op::Pad { low: vec![0; n], high, interior: vec![0; n] };
                v = b.helper(i, op, &[v, zero], ty(&step.padded));
            }
            v = b.helper(i, Op::Reshape, &[v], ty(&step.split));
            let moved: Vec<i64> = step.permutation.iter().map(|&d| step.split[d as usize]).collect();
            v = b.helper(i, Op::Transpose { permutation: step.permutation.clone() }, &[v], ty(&moved));
        }
        Ok(b.helper(i, Op::Reshape, &[v], ty(&[self.elements])))
    }

    /// The array whose memory `v` is, one dimension of [`Tiling::elements`].
    pub fn array(&self, b: &mut Body, i: &Instruction, v: ValueId, a: &ArrayShape) -> Result<ValueId> {
        if b.tensor_type(v)? != TensorType::of(a.element, &[self.elements]) {
            return Err(invalid(i, "its memory is not of the operand's size"));
        }
        let ty = |sizes: &[i64]| Type::tensor(a.element, sizes);
        let mut v = v;
        for step in self.steps.iter().rev() {
            let moved: Vec<i64> = step.permutation.iter().map(|&d| step.split[d as usize]).collect();
            v = b.helper(i, Op::Reshape, &[v], ty(&moved));
            let op = Op::Transpose { permutation: inverse(&step.permutation) };
            v = b.helper(i, op, &[v], ty(&step.split));
            v = b.helper(i, Op::Reshape, &[v], ty(&step.padded));
            if step.padded != step.from {
                let n = step.from.len();
                let op = Op::Slice { start: vec![0; n], limit: step.from.clone(), strides: vec![1; n] };
                v = b.helper(i, op, &[v], ty(&step.from));
            }
        }
        let ordered: Vec<i64> = self.sizes[self.sizes.len() - self.order.len()..].to_vec();
        v = b.helper(i, Op::Reshape, &[v], ty(&ordered));
        let op = Op::Transpose { permutation: inverse(&self.order) };
        Ok(b.helper(i, op, &[v], super::types::tensor(a).into()))
    }
}

/// One array's memory, read as another's.
pub fn reread(
    b: &mut Body,
    i: &Instruction,
    v: ValueId,
    from: &ArrayShape,
    to: &ArrayShape,
) -> Result<ValueId> {
    let (Some(old), Some(new)) = (Tiling::of(from), Tiling::of(to)) else {
        return Err(unsupported(
            i,
            "a bitcast between arrays of different sizes whose tiles are not understood",
        ));
    };
    let linear = old.linear(b, i, v, from)?;
    let cast = super::bitcast::recast(b, i, linear, to.element)?;
    new.array(b, i, cast, to)
}

pub fn inverse(permutation: &[i64]) -> Vec<i64> {
    let mut inverse = vec![0; permutation.len()];
    for (at, &d) in permutation.iter().enumerate() {
        if let Some(slot) = inverse.get_mut(d as usize) {
            *slot = at as i64;
        }
    }
    inverse
}
