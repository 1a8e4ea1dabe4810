//! How results lie on the devices where the program does not say: as what they are computed from.
//!
//! A walk forward through the program: each value gets, by dimension, the cut of the operand's dimension that it comes
//! from. Values do not depend on it (a program with global shapes is run on whole arrays), so that a rule may give up
//! wherever it likes, which leaves a dimension whole. Much of what Shardy does besides (backward, through conflicts, by
//! cost) is left out.

use super::{Sharding, Tiling, open_dimensions};
use sim_core::ir::{Attr, Function, Module, Op, Operation, RegionId, ValueId};
use sim_core::{Dim, Type};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

/// Calls nest at most so deep; deeper ones say nothing.
const DEPTH: usize = 32;

/// Most operations that are looked at: a function is walked anew at each of its calls, whose number doubles with each
/// level of a program that calls everything twice.
const STEPS: usize = 1 << 20;

/// How a dimension is cut: into how many tiles, and which of them each device has.
#[derive(Clone, Debug, PartialEq)]
struct Cut {
    tiles: usize,
    tile: Arc<[usize]>,
}

/// By dimension; `None` is whole.
type Cuts = Vec<Option<Cut>>;

/// What the program says of a value, and which dimensions that leaves open.
pub type Said<'a> = (Option<&'a Sharding>, &'a [bool]);

/// Shardings of the results of `function`, whose arguments lie as `arguments` say, on so many devices: what is said of
/// them, and where that is nothing or leaves dimensions open, what is found. `None` where nothing is known.
pub fn results(
    module: &Module,
    function: &Function,
    arguments: &[Option<Sharding>],
    said: &[Said<'_>],
    devices: usize,
) -> Vec<Option<Sharding>> {
    let walk = Walk { module, devices, steps: Cell::new(STEPS) };
    let arguments: Vec<Option<Cuts>> = arguments.iter().map(|s| s.as_ref().and_then(cuts)).collect();
    let found = walk.function(function, &arguments, 0);
    let mut out = Vec::with_capacity(found.len());
    for (i, (found, ty)) in found.into_iter().zip(&function.result_types).enumerate() {
        let (said, open) = said.get(i).copied().unwrap_or((None, &[]));
        out.push(match (said, found) {
            (Some(said), _) if !open.contains(&true) => Some(said.clone()),
            (said, None) => said.cloned(),
            (None, Some(found)) if open.is_empty() => walk.sharding(&found, ty),
            (said, Some(found)) => {
                let closed = said.and_then(cuts).unwrap_or_default();
                walk.sharding(&filled(closed, open, Some(&found)), ty).or_else(|| said.cloned())
            }
        });
    }
    out
}

/// What is said, with open dimensions from what is found.
fn filled(said: Cuts, open: &[bool], found: Option<&Cuts>) -> Cuts {
    let cut = |d: usize| match open[d] {
        true => found.and_then(|f| f.get(d).cloned()).flatten(),
        false => said.get(d).cloned().flatten(),
    };
    (0..open.len()).map(cut).collect()
}

struct Walk<'a> {
    module: &'a Module,
    devices: usize,
    /// Operations that may still be looked at.
    steps: Cell<usize>,
}

/// What is known of a function's values.
type Known = HashMap<ValueId, Cuts>;

fn cuts(sharding: &Sharding) -> Option<Cuts> {
    let Sharding::Tiled(t) = sharding else { return None };
    let mut stride = 1;
    let mut out: Cuts = vec![None; t.tiles.len()];
    for (d, &tiles) in t.tiles.iter().enumerate().rev() {
        if tiles > 1 {
            out[d] = Some(Cut { tiles, tile: t.tile_of.iter().map(|&i| i / stride % tiles).collect() });
        }
        stride *= tiles;
    }
    Some(out)
}

fn sizes(ty: &Type) -> Option<Vec<i64>> {
    let size = |d: &Dim| match *d {
        Dim::Static(n) | Dim::Bounded(n) => n,
        Dim::Dynamic => -1,
    };
    Some(ty.as_tensor()?.dims.iter().map(size).collect())
}

impl Walk<'_> {
    /// A sharding of those cuts that divide their dimension and are independent of each other.
    fn sharding(&self, cuts: &Cuts, ty: &Type) -> Option<Sharding> {
        let sizes = sizes(ty)?;
        let mut tiles = vec![1; cuts.len()];
        let mut tile_of = vec![0usize; self.devices];
        let mut count = 1;
        for (d, cut) in cuts.iter().enumerate() {
            let Some(cut) = cut else { continue };
            if sizes.get(d).is_none_or(|&n| n <= 0 || n % cut.tiles as i64 != 0)
                || cut.tile.len() != self.devices
            {
                continue;
            }
            let next: Vec<usize> = tile_of.iter().zip(&*cut.tile).map(|(&t, &c)| t * cut.tiles + c).collect();
            let mut held = vec![0usize; count * cut.tiles];
            next.iter().for_each(|&t| held[t] += 1);
            if held.iter().all(|&n| n * held.len() == self.devices) {
                (tile_of, count, tiles[d]) = (next, held.len(), cut.tiles);
            }
        }
        (count > 1).then_some(Sharding::Tiled(Tiling::plain(tiles, tile_of)))
    }

    fn function(&self, f: &Function, arguments: &[Option<Cuts>], depth: usize) -> Vec<Option<Cuts>> {
        let Some(body) = f.body else { return vec![None; f.result_types.len()] };
        let mut known = Known::new();
        let entries = f.region(body).args.iter().zip(arguments);
        known.extend(entries.filter_map(|(&v, c)| Some((v, c.clone()?))));
        self.region(f, body, &mut known, depth)
    }

    fn region(&self, f: &Function, region: RegionId, known: &mut Known, depth: usize) -> Vec<Option<Cuts>> {
        for &id in &f.region(region).ops {
            let Some(left) = self.steps.get().checked_sub(1) else { break };
            self.steps.set(left);
            let op = f.op(id);
            for (&v, cuts) in op.results.iter().zip(self.operation(f, op, known, depth)) {
                if let Some(cuts) = cuts.filter(|c| c.iter().any(Option::is_some)) {
                    known.insert(v, cuts);
                }
            }
        }
        f.region(region).results.iter().map(|v| known.get(v).cloned()).collect()
    }

    /// By result.
    fn operation(&self, f: &Function, op: &Operation, known: &mut Known, depth: usize) -> Vec<Option<Cuts>> {
        let said = |attr: Option<&Attr>| -> Vec<Option<Cuts>> {
            let list =
                attr.and_then(|a| Sharding::list_from_attr(a, &self.module.meshes).ok()).unwrap_or_default();
            // `Some` of nothing: it was said that the value is whole.
            list.iter().map(|s| Some(cuts(s).unwrap_or_default())).collect()
        };
        match &op.op {
            Op::Call { callee, .. } if depth < DEPTH => {
                let Some(callee) = self.module.lookup(callee) else { return Vec::new() };
                let arguments: Vec<Option<Cuts>> =
                    op.operands.iter().map(|v| known.get(v).cloned()).collect();
                self.function(callee, &arguments, depth + 1)
            }
            Op::SdyShardingConstraint | Op::SdyReshard => {
                let open =
                    op.attr("sharding").map(|a| open_dimensions(a, &self.module.meshes)).unwrap_or_default();
                let mut list = said(op.attr("sharding"));
                if open.contains(&true) {
                    let found = op.operands.first().and_then(|v| known.get(v));
                    let closed = list.pop().flatten().unwrap_or_default();
                    list = vec![Some(filled(closed, &open, found))];
                }
                list
            }
            Op::SdyManualComputation => said(op.attr("out_shardings")),
            Op::CustomCall(c) if matches!(&*c.target, "Sharding" | "SPMDShardToFullShape") => {
                said(op.attr("mhlo.sharding"))
            }
            Op::While => op.operands.iter().map(|v| known.get(v).cloned()).collect(),
            Op::If | Op::Case if depth < DEPTH => {
                let mut branches = op.regions.iter().map(|&r| self.region(f, r, known, depth + 1));
                let first = branches.next().unwrap_or_default();
                branches.fold(first, |all, other| all.into_iter().zip(other).map(|(a, b)| a.or(b)).collect())
            }
            _ => op.results.iter().map(|&v| self.value(f, op, f.ty(v), known)).collect(),
        }
    }

    /// Of an operation whose results are all computed alike.
    fn value(&self, f: &Function, op: &Operation, ty: &Type, known: &Known) -> Option<Cuts> {
        let out = sizes(ty)?;
        let mut cuts: Cuts = vec![None; out.len()];
        let operand = |i: usize| op.operands.get(i).and_then(|v| Some((known.get(v)?, sizes(f.ty(*v))?)));
        let mut put = |to: usize, from: Option<&Option<Cut>>| {
            if let (Some(slot @ None), Some(Some(cut))) = (cuts.get_mut(to), from) {
                *slot = Some(cut.clone());
            }
        };
        match &op.op {
            Op::BroadcastInDim { dims } => {
                let (from, sizes) = operand(0)?;
                for (i, &d) in dims.iter().enumerate() {
                    if sizes.get(i) == out.get(d as usize) {
                        put(d as usize, from.get(i));
                    }
                }
            }
            Op::Transpose { permutation } => {
                let (from, _) = operand(0)?;
                permutation.iter().enumerate().for_each(|(to, &d)| put(to, from.get(d as usize)));
            }
            Op::Reshape => {
                let (from, sizes) = operand(0)?;
                reshaped(&sizes, &out).into_iter().for_each(|(i, o)| put(o, from.get(i)));
            }
            Op::Reduce { dims } => {
                let (from, sizes) = operand(0)?;
                let kept = (0..sizes.len()).filter(|&d| !dims.contains(&(d as i64)));
                kept.enumerate().for_each(|(to, d)| put(to, from.get(d)));
            }
            Op::DotGeneral { dims, .. } => {
                let free = |rank: usize, a: &[i64], b: &[i64]| -> Vec<usize> {
                    (0..rank).filter(|&d| !a.contains(&(d as i64)) && !b.contains(&(d as i64))).collect()
                };
                let rank =
                    |i: usize| op.operands.get(i).and_then(|&v| f.ty(v).as_tensor()).map_or(0, |t| t.rank());
                let lhs_free = free(rank(0), &dims.lhs_batch, &dims.lhs_contract);
                let rhs_free = free(rank(1), &dims.rhs_batch, &dims.rhs_contract);
                let batch = dims.lhs_batch.len();
                if let Some((lhs, _)) = operand(0) {
                    dims.lhs_batch.iter().enumerate().for_each(|(to, &d)| put(to, lhs.get(d as usize)));
                    lhs_free.iter().enumerate().for_each(|(i, &d)| put(batch + i, lhs.get(d)));
                }
                if let Some((rhs, _)) = operand(1) {
                    dims.rhs_batch.iter().enumerate().for_each(|(to, &d)| put(to, rhs.get(d as usize)));
                    rhs_free
                        .iter()
                        .enumerate()
                        .for_each(|(i, &d)| put(batch + lhs_free.len() + i, rhs.get(d)));
                }
            }
            Op::Convolution(c) | Op::DynamicConv(c) => {
                if let Some((lhs, _)) = operand(0) {
                    put(c.dims.output_batch as usize, lhs.get(c.dims.input_batch as usize));
                }
                if let Some((rhs, _)) = operand(1) {
                    put(c.dims.output_feature as usize, rhs.get(c.dims.kernel_output_feature as usize));
                }
            }
            Op::Gather { dims, slice_sizes, .. } => {
                if let Some((indices, sizes)) = operand(1) {
                    let batch = (0..out.len()).filter(|&d| !dims.offset_dims.contains(&(d as i64)));
                    let from = (0..sizes.len()).filter(|&d| d as i64 != dims.index_vector_dim);
                    batch.zip(from).for_each(|(to, d)| put(to, indices.get(d)));
                }
                if let Some((from, sizes)) = operand(0) {
                    let hidden = |d: i64| {
                        dims.collapsed_slice_dims.contains(&d) || dims.operand_batching_dims.contains(&d)
                    };
                    let kept = (0..sizes.len()).filter(|&d| !hidden(d as i64));
                    for (d, &to) in kept.zip(&dims.offset_dims) {
                        if slice_sizes.get(d) == sizes.get(d) {
                            put(to as usize, from.get(d));
                        }
                    }
                }
            }
            // Of operands of the same rank, dimensions that kept their size.
            _ => {
                for i in 0..op.operands.len() {
                    let Some((from, sizes)) = operand(i).filter(|(_, s)| s.len() == out.len()) else {
                        continue;
                    };
                    (0..out.len()).filter(|&d| sizes[d] == out[d]).for_each(|d| put(d, from.get(d)));
                }
            }
        }
        Some(cuts)
    }
}

/// Which dimension of the operand the major part of a result's dimension comes from: `(operand's, result's)`.
fn reshaped(from: &[i64], to: &[i64]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut i, mut o) = (0, 0);
    while i < from.len() && o < to.len() {
        // A group of dimensions on each side with as many elements.
        let (first, second) = (i, o);
        let (mut a, mut b) = (from[i], to[o]);
        (i, o) = (i + 1, o + 1);
        while a != b {
            if a < b && i < from.len() {
                a = a.saturating_mul(from[i]);
                i += 1;
            } else if b < a && o < to.len() {
                b = b.saturating_mul(to[o]);
                o += 1;
            } else {
                return pairs;
            }
        }
        pairs.push((first, second));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::{Source, parse};

    /// Of `@main`, whose arguments carry `mhlo.sharding`, on four devices.
    fn of(text: &str) -> Vec<Option<Sharding>> {
        let module = parse(&Source::from_bytes("t.mlir", text)).unwrap().remove(0);
        let f = module.entry().unwrap();
        let read =
            |a: &sim_core::ir::AttrDict| a.get("mhlo.sharding").map(|a| Sharding::from_attr(a, &[]).unwrap());
        let arguments: Vec<_> = f.arg_attrs.iter().map(read).collect();
        results(&module, f, &arguments, &[], 4)
    }

    fn tiled(tiles: &[usize], tile_of: &[usize]) -> Option<Sharding> {
        Some(Sharding::Tiled(Tiling::plain(tiles.into(), tile_of.into())))
    }

    const ARGS: &str = r#"%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}"#;

    #[test]
    fn elementwise_transposed_and_reduced() {
        let got = of(&format!(
            "func.func @main({ARGS}, %z: tensor<f32>) -> (tensor<8x4xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<32xf32>, tensor<f32>) {{
               %0 = stablehlo.add %a, %a : tensor<8x4xf32>
               %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
               %2 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
               %3 = stablehlo.reshape %0 : (tensor<8x4xf32>) -> tensor<32xf32>
               return %0, %1, %2, %3, %z : tensor<8x4xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<32xf32>, tensor<f32>
             }}"
        ));
        assert_eq!(got[0], tiled(&[2, 2], &[0, 1, 2, 3]));
        assert_eq!(got[1], tiled(&[2, 2], &[0, 2, 1, 3]));
        assert_eq!(got[2], tiled(&[2], &[0, 1, 0, 1]));
        assert_eq!(got[3], tiled(&[2], &[0, 0, 1, 1]));
        assert_eq!(got[4], None);
    }

    #[test]
    fn products_take_free_dimensions_and_drop_what_conflicts() {
        let got = of(&format!(
            r#"func.func @main({ARGS}, %b: tensor<4x8xf32> {{mhlo.sharding = "{{devices=[1,2,2]<=[4] last_tile_dim_replicate}}"}}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {{
               %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
               %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
               %2 = stablehlo.dot_general %a, %1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
               return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
             }}"#
        ));
        // Both cut by the first axis of the mesh: only the first can.
        assert_eq!(got[0], tiled(&[2, 1], &[0, 0, 1, 1]));
        assert_eq!(got[1], tiled(&[2, 1], &[0, 0, 1, 1]));
    }

    #[test]
    fn open_dimensions_are_filled_and_closed_ones_stay() {
        let got = of(r#"module {
               sdy.mesh @mesh = <["x"=2, "y"=2]>
               func.func @main(%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
                 %0 = sdy.sharding_constraint %a <@mesh, [{?}, {}]> : tensor<8x4xf32>
                 %1 = sdy.sharding_constraint %a <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
                 return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
               }
             }"#);
        assert_eq!(got[0], tiled(&[2, 1], &[0, 0, 1, 1]));
        assert_eq!(got[1], tiled(&[1, 2], &[0, 0, 1, 1]));
    }

    #[test]
    fn calls_that_double_end() {
        let mut text = String::from(
            "func.func private @f0(%a: tensor<8x4xf32>) -> tensor<8x4xf32> { return %a : tensor<8x4xf32> }\n",
        );
        for i in 1..=31 {
            let (f, g) = (i - 1, if i == 31 { "main".into() } else { format!("f{i}") });
            text += &format!(
                "func.func @{g}(%a: tensor<8x4xf32> {{mhlo.sharding = \"{{devices=[2,2]<=[4]}}\"}}) -> tensor<8x4xf32> {{
                   %0 = func.call @f{f}(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
                   %1 = func.call @f{f}(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
                   return %1 : tensor<8x4xf32>
                 }}\n"
            );
        }
        // Nothing is known of it, and that soon.
        assert_eq!(of(&text), [None]);
    }

    #[test]
    fn sizes_that_do_not_divide_stay_whole() {
        let got = of(&format!(
            "func.func @main({ARGS}) -> tensor<7x4xf32> {{
               %0 = stablehlo.slice %a [0:7, 0:4] : (tensor<8x4xf32>) -> tensor<7x4xf32>
               return %0 : tensor<7x4xf32>
             }}"
        ));
        assert_eq!(got[0], tiled(&[1, 2], &[0, 1, 0, 1]));
        assert_eq!(reshaped(&[8, 4], &[2, 4, 4]), [(0, 0), (1, 2)]);
        assert_eq!(reshaped(&[2, 4, 4], &[8, 4]), [(0, 0), (2, 1)]);
        assert_eq!(reshaped(&[6], &[4]), []);
    }
}
